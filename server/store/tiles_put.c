// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// tiles_put.c: tiles of a bake into the store:
//
//   tile --hash, or without ground key--> row that is there --> place of the version
//                  |                         |  damaged, or of another key: written anew   ^
//                  '--> new: blob, tile -----------------------------------------------'
//
// Each tile is stored once, whichever versions have it. Tiles of a bake that still runs belong to
// its version already: a tile is always a version's, and is deleted with the last one.

#include "server/store/db.h"

#include "server/base/lock.h"

#include <stdlib.h>
#include <string.h>

// ---- what is there already ----

// A stored row for the tile, id 0: there is none.
typedef struct candidate {
    store_tile tile; // without report
    int64_t blob;
    bool whole, same_key;
    void *report; // malloc'ed, of a row that is whole
} candidate;

enum {
    BY_ID,
    BY_HASH,
    BY_KEY,
};

// The search for a row: by its number, by hash, by key. A tile that comes from the store is still
// in its row, unless that was deleted meanwhile.
static store_statement look_locked(store *disk, const store_tile *tile, int by)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    static const char *const questions[] = {
        [BY_ID] = "SELECT " STORE_TILE_COLUMNS " FROM tiles c WHERE c.id = ?2 AND c.hash = ?1",
        [BY_HASH] = "SELECT " STORE_TILE_COLUMNS " FROM tiles c WHERE c.hash = ?1"
                    " ORDER BY c.id DESC LIMIT 1",
        [BY_KEY] = "SELECT " STORE_TILE_COLUMNS " FROM tiles c WHERE c.key = ?1 AND c.hash IS NULL"
                   " ORDER BY c.id DESC LIMIT 1",
    };
    store_statement s = store_prepare_locked(&disk->writer, questions[by]);
    store_bind_blob(&s, 1, by == BY_KEY ? tile->key : tile->hash, 32);
    if (by == BY_ID) {
        store_bind_int(&s, 2, tile->id);
    }
    return s;
}

static nav_status find_by_locked(store *disk, const store_tile *tile, int by, candidate *out,
                                 nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    store_tile_row row;
    store_statement s = look_locked(disk, tile, by);
    if (store_step(&s)) {
        out->whole = store_tile_row_at(&s, 0, &row);
        out->tile = row.tile;
        out->blob = row.blob;
        out->same_key = tile->has_key && row.tile.has_key &&
                        memcmp(row.tile.key, tile->key, sizeof tile->key) == 0;
        if (out->whole && tile->report == NULL && row.tile.report_bytes > 0) {
            out->report = store_column_blob(&s, 6, &out->tile.report_bytes);
        }
        out->tile.report = NULL;
    }
    return store_finish(&s, "looking for a tile", err);
}

static nav_status find_locked(store *disk, const store_tile *tile, candidate *out, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    nav_status status = NAV_OK;
    *out = (candidate){0};
    if (tile->bytes == 0) {
        // Without a key nobody can ask for it again.
        return tile->has_key ? find_by_locked(disk, tile, BY_KEY, out, err) : NAV_OK;
    }
    if (tile->reused && tile->id != 0) {
        status = find_by_locked(disk, tile, BY_ID, out, err);
    }
    return status == NAV_OK && out->tile.id == 0 ? find_by_locked(disk, tile, BY_HASH, out, err)
                                                 : status;
}

// Whether the row has the tile's very bytes. Those of a tile from this very row are taken to be:
// they have been verified a moment ago.
static nav_status compare_locked(store *disk, const candidate *there, const store_tile *tile,
                                 bool *same, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    void *packed = NULL;
    size_t packed_bytes = 0;
    if (!there->whole || there->tile.bytes != tile->bytes) {
        *same = false;
        return NAV_OK;
    }
    const bool verified = tile->reused && there->tile.id == tile->id;
    *same = verified || tile->bytes == 0;
    if (*same) {
        return NAV_OK;
    }
    store_blobs blobs = store_blobs_begin_locked(&disk->writer, "blobs");
    nav_status status = store_blobs_read(&blobs, there->blob, &packed, &packed_bytes, err);
    store_blobs_end(&blobs);
    *same = packed != NULL && packed_bytes == tile->packed_bytes &&
            memcmp(packed, tile->packed, packed_bytes) == 0;
    free(packed);
    return status;
}

// ---- writing ----

// Two tiles name one row of bytes where the row was lost and its number given out again.
static nav_status is_shared_locked(store *disk, int64_t blob, bool *shared, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    store_statement s = store_prepare_locked(
        &disk->writer, "SELECT count(*) FROM (SELECT 1 FROM tiles WHERE blob = ? LIMIT 2)");
    store_bind_int(&s, 1, blob);
    *shared = store_step(&s) && sqlite3_column_int(s.sql, 0) > 1;
    return store_finish(&s, "looking for tiles with the same bytes", err);
}

// A row stays as it is, and the bytes go into another one, where its chain of pages is broken or
// another tile names it, too.
static nav_status write_blob_locked(store *disk, const store_tile *tile, int64_t *blob,
                                    nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    bool readable = false, shared = false;
    nav_status status =
        *blob != 0 ? store_row_check_locked(disk, "blobs", *blob, &readable, err) : NAV_OK;
    if (status == NAV_OK && readable) {
        status = is_shared_locked(disk, *blob, &shared, err);
    }
    if (status != NAV_OK || !readable || shared) {
        return status == NAV_OK ? store_blob_insert_locked(disk, tile, blob, err) : status;
    }
    store_statement s =
        store_prepare_locked(&disk->writer, "INSERT OR REPLACE INTO blobs(id, zstd) VALUES (?, ?)");
    store_bind_int(&s, 1, *blob);
    store_bind_blob(&s, 2, tile->packed, tile->packed_bytes);
    (void)store_step(&s);
    return store_finish(&s, "storing a tile", err);
}

// The row keeps what the tile does not bring: tiles that are repaired come without key and report.
// One that is damaged keeps nothing: what it calls its bytes may be another tile's.
static nav_status rewrite_locked(store *disk, const candidate *there, const store_tile *tile,
                                 bool same, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    int64_t blob = there->whole ? there->blob : 0;
    store_tile filled = *tile;
    filled.id = there->tile.id;
    if (!tile->has_key && there->whole) {
        filled.has_key = there->tile.has_key;
        memcpy(filled.key, there->tile.key, sizeof filled.key);
    }
    if (tile->report == NULL && there->report != NULL) {
        filled.report = there->report;
        filled.report_bytes = there->tile.report_bytes;
    }
    nav_status status =
        same || tile->bytes == 0 ? NAV_OK : write_blob_locked(disk, tile, &blob, err);
    NAV_IF_OK(status, store_tile_write_locked(disk, &filled, tile->bytes > 0 ? blob : 0, err));
    return status == NAV_OK && there->blob != blob ? store_blob_sweep_locked(disk, there->blob, err)
                                                   : status;
}

static nav_status insert_locked(store *disk, store_tile *tile, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    int64_t blob = 0;
    nav_status status = tile->bytes > 0 ? store_blob_insert_locked(disk, tile, &blob, err) : NAV_OK;
    tile->id = 0;
    return status == NAV_OK ? store_tile_write_locked(disk, tile, blob, err) : status;
}

// The tile's row, which *id then is. A row whose key is another one gets the tile's: its bytes are
// the same, and only the last key can be asked for.
static nav_status put_row_locked(store *disk, const store_tile *tile, int64_t *id, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    candidate there;
    store_tile stored = *tile;
    bool same = false;
    nav_status status = find_locked(disk, tile, &there, err);
    if (status == NAV_OK && there.tile.id == 0) {
        status = insert_locked(disk, &stored, err);
    } else if (status == NAV_OK) {
        stored.id = there.tile.id;
        status = compare_locked(disk, &there, tile, &same, err);
        if (status == NAV_OK && (!same || !there.whole || (tile->has_key && !there.same_key))) {
            status = rewrite_locked(disk, &there, tile, same, err);
        }
    }
    free(there.report);
    *id = stored.id;
    return status;
}

// ---- a version's ----

// The rows that the version had in places that are put again.
typedef struct replaced {
    void *tiles; // int64_t
    size_t count;
} replaced;

static nav_status note_replaced_locked(store *disk, int64_t mesh, uint32_t version,
                                       const store_tile *tile, replaced *before, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    store_statement s = store_prepare_locked(
        &disk->writer, "SELECT tile FROM version_tiles WHERE mesh = ? AND version = ? AND"
                       " tile_z = ? AND tile_x = ? AND tile <> ?");
    store_bind_int(&s, 1, mesh);
    store_bind_int(&s, 2, version);
    store_bind_int(&s, 3, store_agent_z(tile));
    store_bind_int(&s, 4, tile->x);
    store_bind_int(&s, 5, tile->id);
    if (store_step(&s)) {
        int64_t *to = store_append(&s, &before->tiles, &before->count, sizeof *to);
        if (to != NULL) {
            *to = sqlite3_column_int64(s.sql, 0);
        }
    }
    return store_finish(&s, "reading a version's tiles", err);
}

nav_status store_tiles_put_locked(store *disk, int64_t mesh, uint32_t version,
                                  const store_tile *tiles, size_t count, nav_error *err)
{
    replaced before = {0};
    nav_status status = NAV_OK;
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    NAV_ASSERT(sqlite3_get_autocommit(disk->writer.db) == 0); // within a transaction
    for (size_t i = 0; status == NAV_OK && i < count; i++) {
        store_tile tile = tiles[i];
        NAV_ASSERT(tile.bytes > 0 || tile.packed == NULL); // without ground there are no bytes
        status = put_row_locked(disk, &tile, &tile.id, err);
        NAV_IF_OK(status, note_replaced_locked(disk, mesh, version, &tile, &before, err));
        NAV_IF_OK(status, store_place_write_locked(disk, mesh, version, &tile, err));
    }
    NAV_IF_OK(status, store_tiles_sweep_locked(disk, before.tiles, before.count, err));
    free(before.tiles);
    return status;
}

nav_status store_tiles_put(store *disk, const char *mesh, uint32_t version, const store_tile *tiles,
                           size_t count, nav_error *err)
{
    store_bake bake;
    nav_status status = store_bake_begin(disk, mesh, version, &bake, err);
    if (status == NAV_OK) {
        status = store_tiles_put_locked(disk, bake.mesh.id, version, tiles, count, err);
        status = store_write_end(disk, status, err);
    }
    return status;
}

// ---- repair ----

static nav_status repair_locked(store *disk, const store_tile *tile, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    candidate there = {0};
    store_tile_row row;
    // Its last version may have gone meanwhile, and the tile with it.
    store_statement s = store_prepare_locked(
        &disk->writer, "SELECT " STORE_TILE_COLUMNS " FROM version_tiles t LEFT JOIN tiles c"
                       " ON c.id = t.tile WHERE t.tile = ? LIMIT 1");
    store_bind_int(&s, 1, tile->id);
    const bool wanted = store_step(&s);
    if (wanted) {
        there.whole = store_tile_row_at(&s, 0, &row) &&
                      memcmp(row.tile.hash, tile->hash, sizeof tile->hash) == 0;
        there.tile = row.tile;
        there.tile.id = tile->id;
        there.blob = row.blob;
        if (there.whole && row.tile.report_bytes > 0) {
            there.report = store_column_blob(&s, 6, &there.tile.report_bytes);
        }
    }
    nav_status status = store_finish(&s, "repairing a tile", err);
    if (status == NAV_OK && wanted) {
        status = rewrite_locked(disk, &there, tile, false, err);
    }
    free(there.report);
    return status;
}

nav_status store_tile_repair(store *disk, const store_tile *tile, nav_error *err)
{
    nav_status status = store_write_begin(disk, err);
    return status == NAV_OK ? store_write_end(disk, repair_locked(disk, tile, err), err) : status;
}

// ---- an upload's geometry ----

nav_status store_geometry_put_locked(store *disk, const store_upload *upload, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    // One that is there already stays as it is, unless it was damaged on disk.
    store_statement s = store_prepare_locked(
        &disk->writer,
        "INSERT INTO geometries(hash, bytes, zstd) VALUES (?, ?, ?) ON CONFLICT(hash) DO UPDATE"
        " SET bytes = excluded.bytes, zstd = excluded.zstd"
        " WHERE bytes IS NOT excluded.bytes OR zstd IS NOT excluded.zstd");
    store_bind_blob(&s, 1, upload->geometry_hash, 32);
    store_bind_int(&s, 2, (int64_t)upload->geometry_unpacked_bytes);
    store_bind_blob(&s, 3, upload->geometry, upload->geometry_bytes);
    (void)store_step(&s);
    return store_finish(&s, "storing a geometry", err);
}
