// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// tile_rows.c: the rows of a tile (tables tiles, blobs, version_tiles), read, checked and written
// one at a time. A row bears the XXH64 of its columns: SQLite's pages bear none, and a column that
// was damaged by chance would else pass for another tile, or for the same tile in another place.

#include "server/store/db.h"

#include "core/tile/tile.h"
#include "server/base/lock.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof((store_tile){0}.hash) == 32 && sizeof((store_tile){0}.key) == 32,
               "as wide as the columns");

// ---- checksums ----

static int64_t checksum_of(const store_tile *tile, int64_t blob)
{
    struct {
        int64_t blob;
        uint64_t bytes, report_bytes, report;
        uint32_t has_key, zero;
        uint8_t key[32], hash[32], packed_hash[32];
    } row = {.blob = blob,
             .bytes = tile->bytes,
             .report_bytes = tile->report != NULL ? tile->report_bytes : 0,
             .has_key = tile->has_key};
    _Static_assert(sizeof row == 4 * 8 + 2 * 4 + 3 * 32, "no padding: all of it is hashed");
    if (row.report_bytes > 0) {
        row.report = nav_tile_checksum(tile->report, tile->report_bytes);
    }
    if (tile->has_key) {
        memcpy(row.key, tile->key, sizeof row.key);
    }
    if (tile->bytes > 0) {
        memcpy(row.hash, tile->hash, sizeof row.hash);
        memcpy(row.packed_hash, tile->packed_hash, sizeof row.packed_hash);
    }
    return (int64_t)nav_tile_checksum(&row, sizeof row);
}

static int64_t place_checksum(const store_tile *tile)
{
    struct {
        uint32_t x, agent_z, has_ground, zero;
        uint8_t hash[32];
    } row = {.x = tile->x, .agent_z = store_agent_z(tile), .has_ground = tile->bytes > 0};
    _Static_assert(sizeof row == 4 * 4 + 32, "no padding: all of it is hashed");
    if (tile->bytes > 0) {
        memcpy(row.hash, tile->hash, sizeof row.hash);
    }
    return (int64_t)nav_tile_checksum(&row, sizeof row);
}

// ---- reading ----

// A hash, or null for none; false: it is neither.
static bool read_hash(store_statement *s, int column, uint8_t out[32], bool *there)
{
    *there = sqlite3_column_type(s->sql, column) == SQLITE_BLOB;
    store_column_hash(s, column, out);
    return *there ? sqlite3_column_bytes(s->sql, column) == 32
                  : sqlite3_column_type(s->sql, column) == SQLITE_NULL;
}

bool store_tile_row_at(store_statement *s, int first, store_tile_row *out)
{
    bool has_ground = false, is_packed = false;
    store_tile *tile = &out->tile;
    *out = (store_tile_row){.blob = sqlite3_column_int64(s->sql, first + 2)};
    tile->id = sqlite3_column_int64(s->sql, first);
    const int64_t bytes = sqlite3_column_int64(s->sql, first + 3);
    tile->bytes = bytes > 0 ? (uint64_t)bytes : 0;
    bool whole = read_hash(s, first + 1, tile->hash, &has_ground);
    whole = read_hash(s, first + 4, tile->key, &tile->has_key) && whole;
    whole = read_hash(s, first + 5, tile->packed_hash, &is_packed) && whole;
    tile->report = (void *)(uintptr_t)sqlite3_column_blob(s->sql, first + 6);
    tile->report_bytes = (size_t)sqlite3_column_bytes(s->sql, first + 6);
    return whole && has_ground == (tile->bytes > 0) && has_ground == (out->blob != 0) &&
           has_ground == is_packed &&
           sqlite3_column_int64(s->sql, first + 7) == checksum_of(tile, out->blob);
}

bool store_place_at(store_statement *s, int first, const store_tile *tile, store_tile *out)
{
    const int64_t agent_z = sqlite3_column_int64(s->sql, first);
    const int64_t x = sqlite3_column_int64(s->sql, first + 1);
    *out = *tile;
    out->agent = (uint32_t)agent_z / STORE_AGENT_ROWS;
    out->x = (uint32_t)x;
    out->z = (uint32_t)agent_z % STORE_AGENT_ROWS;
    return out->x == x && agent_z == (uint32_t)agent_z &&
           sqlite3_column_int64(s->sql, first + 2) == place_checksum(out);
}

// ---- bytes ----

nav_status store_blobs_read(store_blobs *blobs, int64_t blob, void **out, size_t *size_bytes,
                            nav_error *err)
{
    NAV_ASSERT(lock_is_held(&blobs->from->lock));
    *out = NULL;
    *size_bytes = 0;
    int code = blobs->handle != NULL ? sqlite3_blob_reopen(blobs->handle, blob)
                                     : sqlite3_blob_open(blobs->from->db, "main", "blobs", "zstd",
                                                         blob, 0, &blobs->handle);
    const size_t there_bytes = code == SQLITE_OK ? (size_t)sqlite3_blob_bytes(blobs->handle) : 0;
    void *bytes = there_bytes > 0 ? malloc(there_bytes) : NULL;
    if (bytes != NULL) {
        code = sqlite3_blob_read(blobs->handle, bytes, (int)there_bytes, 0);
    } else if (there_bytes > 0) {
        code = SQLITE_NOMEM;
    }
    if (code == SQLITE_OK) {
        *out = bytes;
        *size_bytes = there_bytes;
        return NAV_OK;
    }
    free(bytes);
    store_blobs_end(blobs); // after a failure the handle is of no more use
    // There is no such row, or one of its pages is another's now, or nobody's.
    return code == SQLITE_ERROR || (code & 0xff) == SQLITE_CORRUPT
               ? NAV_OK
               : store_fail(NULL, code, "reading a block", err);
}

void store_blobs_end(store_blobs *blobs)
{
    (void)sqlite3_blob_close(blobs->handle);
    blobs->handle = NULL;
}

// ---- writing ----

// The number of the row that was just inserted. SQLite counts on from the last one: behind -1,
// which is damage, comes 0, which means no row here.
static nav_status take_row_id(store *disk, int64_t *out, nav_error *err)
{
    const int64_t id = sqlite3_last_insert_rowid(disk->writer.db);
    if (id == 0) {
        return nav_fail(err, PROTO_STORE_UNAVAILABLE,
                        "storing a tile: the numbers of rows are damaged: restore a backup");
    }
    *out = id;
    return NAV_OK;
}

nav_status store_blob_insert_locked(store *disk, const store_tile *tile, int64_t *blob,
                                    nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    NAV_ASSERT(tile->packed != NULL);
    nav_status status =
        store_change_locked(disk, "storing a tile", "INSERT INTO blobs(zstd) VALUES (?)",
                            STORE_VALUES(STORE_BLOB(tile->packed, tile->packed_bytes)), err);
    return status == NAV_OK ? take_row_id(disk, blob, err) : status;
}

nav_status store_tile_write_locked(store *disk, store_tile *tile, int64_t blob, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    NAV_ASSERT((tile->bytes > 0) == (blob != 0));
    const bool has_ground = tile->bytes > 0;
    nav_status status = store_change_locked(
        disk, "storing a tile",
        "INSERT OR REPLACE INTO tiles(id, hash, blob, bytes, key, packed_hash, report, checksum)"
        " VALUES (nullif(?, 0), ?, nullif(?, 0), ?, ?, ?, ?, ?)",
        STORE_VALUES(
            STORE_INT(tile->id), STORE_BLOB(has_ground ? tile->hash : NULL, 32), STORE_INT(blob),
            STORE_INT(tile->bytes), STORE_BLOB(tile->has_key ? tile->key : NULL, 32),
            STORE_BLOB(has_ground ? tile->packed_hash : NULL, 32),
            STORE_BLOB(tile->report, tile->report_bytes), STORE_INT(checksum_of(tile, blob))),
        err);
    return status == NAV_OK && tile->id == 0 ? take_row_id(disk, &tile->id, err) : status;
}

nav_status store_place_write_locked(store *disk, int64_t mesh, uint32_t version,
                                    const store_tile *tile, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    NAV_ASSERT(tile->id != 0);
    return store_change_locked(
        disk, "storing a version's tiles",
        "INSERT OR REPLACE INTO version_tiles(mesh, version, tile_z, tile_x, tile, checksum)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        STORE_VALUES(STORE_INT(mesh), STORE_INT(version), STORE_INT(store_agent_z(tile)),
                     STORE_INT(tile->x), STORE_INT(tile->id), STORE_INT(place_checksum(tile))),
        err);
}
