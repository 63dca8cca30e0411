// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// tiles_put.c: tiles of a bake into the store:
//
//   tile --hash, or without ground key--> row that is whole --> place of the version
//                  |                        with the same bytes      ^
//                  '--> new: blob, tile -----------------------------'
//
// Each tile is stored once, whichever versions have it. Tiles of a bake that still runs belong to
// its version already: a tile is always a version's, and is deleted with the last one. A row that
// is damaged stays its versions' until they are baked again, too.

#include "server/store/db.h"

#include "server/base/lock.h"

#include <stdlib.h>
#include <string.h>

// ---- what is there already ----

// A stored row that may be the tile's, without its report.
typedef struct candidate {
    store_tile_row row;
    bool whole; // false: there is none, or it is damaged
} candidate;

enum {
    BY_ID,
    BY_HASH,
    BY_KEY,
};

// The search for a row: by its number, by hash, by key. A tile that comes from the store is still
// in its row, unless that was deleted meanwhile.
static nav_status find_by_locked(store *disk, const store_tile *tile, int by, candidate *out,
                                 nav_error *err)
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
    const store_value found_by[] = {STORE_BLOB(by == BY_KEY ? tile->key : tile->hash, 32),
                                    STORE_INT(tile->id)};
    store_bind(&s, (store_values){found_by, by == BY_ID ? 2 : 1});
    if (store_step(&s)) {
        out->whole = store_tile_row_at(&s, 0, &out->row) && out->row.tile.bytes == tile->bytes;
        out->row.tile.report = NULL;
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
    return status == NAV_OK && !out->whole ? find_by_locked(disk, tile, BY_HASH, out, err) : status;
}

// Whether the row has the tile's very bytes. Those of a tile from this very row are taken to be:
// they have been verified a moment ago.
static nav_status compare_locked(store *disk, const candidate *there, const store_tile *tile,
                                 bool *same, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    void *packed = NULL;
    size_t packed_bytes = 0;
    const bool verified = tile->reused && there->row.tile.id == tile->id;
    *same = there->whole && (verified || tile->bytes == 0);
    if (*same || !there->whole) {
        return NAV_OK;
    }
    store_blobs blobs = {.from = &disk->writer};
    nav_status status = store_blobs_read(&blobs, there->row.blob, &packed, &packed_bytes, err);
    store_blobs_end(&blobs);
    *same = packed != NULL && packed_bytes == tile->packed_bytes &&
            memcmp(packed, tile->packed, packed_bytes) == 0;
    free(packed);
    return status;
}

// ---- writing ----

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
    NAV_IF_OK(status, compare_locked(disk, &there, tile, &same, err));
    if (status == NAV_OK && !same) {
        status = insert_locked(disk, &stored, err);
    } else if (status == NAV_OK) {
        const store_tile *row = &there.row.tile;
        stored.id = row->id;
        const bool has_key = row->has_key && memcmp(row->key, tile->key, sizeof row->key) == 0;
        status = tile->has_key && !has_key
                     ? store_tile_write_locked(disk, &stored, there.row.blob, err)
                     : NAV_OK;
    }
    *id = stored.id;
    return status;
}

// ---- a version's ----

// The row that the version had in this place before goes with the last version that has it.
static nav_status put_locked(store *disk, int64_t mesh, uint32_t version, store_tile tile,
                             nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    NAV_ASSERT(tile.bytes > 0 || tile.packed == NULL); // without ground there are no bytes
    int64_t *before = NULL;
    size_t count = 0;
    nav_status status = put_row_locked(disk, &tile, &tile.id, err);
    NAV_IF_OK(status,
              store_list_locked(disk,
                                "SELECT tile FROM version_tiles WHERE mesh = ? AND version = ?"
                                " AND tile_z = ? AND tile_x = ? AND tile <> ?",
                                STORE_VALUES(STORE_INT(mesh), STORE_INT(version),
                                             STORE_INT(store_agent_z(&tile)), STORE_INT(tile.x),
                                             STORE_INT(tile.id)),
                                &before, &count, err));
    NAV_IF_OK(status, store_place_write_locked(disk, mesh, version, &tile, err));
    NAV_IF_OK(status, store_tiles_sweep_locked(disk, before, count, err));
    free(before);
    return status;
}

nav_status store_tiles_put_locked(store *disk, int64_t mesh, uint32_t version,
                                  const store_tile *tiles, size_t count, nav_error *err)
{
    nav_status status = NAV_OK;
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    NAV_ASSERT(sqlite3_get_autocommit(disk->writer.db) == 0); // within a transaction
    for (size_t i = 0; status == NAV_OK && i < count; i++) {
        status = put_locked(disk, mesh, version, tiles[i], err);
    }
    return status;
}

nav_status store_tiles_put(store *disk, const char *mesh, uint32_t version, const store_tile *tiles,
                           size_t count, nav_error *err)
{
    store_bake bake;
    nav_status status = store_bake_begin(disk, mesh, version, false, &bake, err);
    if (status == NAV_OK) {
        status = store_tiles_put_locked(disk, bake.mesh.id, version, tiles, count, err);
        status = store_write_end(disk, status, err);
    }
    return status;
}

// ---- an upload's geometry ----

nav_status store_geometry_put_locked(store *disk, const store_upload *upload, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    // One that is there already stays as it is, unless it was damaged on disk.
    return store_change_locked(
        disk, "storing a geometry",
        "INSERT INTO geometries(hash, bytes, zstd) VALUES (?, ?, ?) ON CONFLICT(hash) DO UPDATE"
        " SET bytes = excluded.bytes, zstd = excluded.zstd"
        " WHERE bytes IS NOT excluded.bytes OR zstd IS NOT excluded.zstd",
        STORE_VALUES(STORE_BLOB(upload->geometry_hash, 32),
                     STORE_INT(upload->geometry_unpacked_bytes),
                     STORE_BLOB(upload->geometry, upload->geometry_bytes)),
        err);
}
