// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// sweep.c: unreferenced data is deleted: tiles, their bytes, geometries. A row whose chain of pages
// is broken stays: changing or deleting it would free pages that may be in use elsewhere.

#include "server/store/db.h"

#include "server/base/lock.h"

#include <stdlib.h>

// Whether the block `zstd` of a row can be read to its end, as that of a row that is not there can.
static nav_status check_row_locked(store *disk, const char *table, int64_t row, bool *readable,
                                   nav_error *err)
{
    uint8_t piece[16384];
    sqlite3_blob *blocks = NULL;
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    int code = sqlite3_blob_open(disk->writer.db, "main", table, "zstd", row, 0, &blocks);
    const int size_bytes = code == SQLITE_OK ? sqlite3_blob_bytes(blocks) : 0;
    for (int at = 0; code == SQLITE_OK && at < size_bytes; at += (int)sizeof piece) {
        const int left = size_bytes - at;
        code = sqlite3_blob_read(blocks, piece, left < (int)sizeof piece ? left : (int)sizeof piece,
                                 at);
    }
    (void)sqlite3_blob_close(blocks);
    *readable = code == SQLITE_OK || code == SQLITE_ERROR;
    return *readable || (code & 0xff) == SQLITE_CORRUPT
               ? NAV_OK
               : store_fail(disk->writer.db, code, "reading a block", err);
}

// ---- tiles ----

// The bytes stay where they cannot be deleted.
static nav_status sweep_blob_locked(store *disk, int64_t blob, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    bool readable = false;
    nav_status status = blob != 0 ? check_row_locked(disk, "blobs", blob, &readable, err) : NAV_OK;
    return status == NAV_OK && readable
               ? store_change_locked(disk, "writing",
                                     "DELETE FROM blobs WHERE id = ?1 AND NOT EXISTS"
                                     " (SELECT 1 FROM tiles WHERE blob = ?1)",
                                     STORE_VALUES(STORE_INT(blob)), err)
               : status;
}

nav_status store_tiles_sweep_locked(store *disk, const int64_t *tiles, size_t count, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    nav_status status = NAV_OK;
    for (size_t i = 0; status == NAV_OK && i < count; i++) {
        int64_t blob = 0;
        store_statement s = store_prepare_locked(
            &disk->writer, "SELECT blob FROM tiles WHERE id = ?1 AND NOT EXISTS"
                           " (SELECT 1 FROM version_tiles WHERE tile = ?1)");
        store_bind(&s, STORE_VALUES(STORE_INT(tiles[i])));
        const bool unwanted = store_step(&s);
        if (unwanted) {
            blob = sqlite3_column_int64(s.sql, 0);
        }
        status = store_finish(&s, "looking for tiles that no version has", err);
        if (status == NAV_OK && unwanted) {
            status = store_change_locked(disk, "writing", "DELETE FROM tiles WHERE id = ?",
                                         STORE_VALUES(STORE_INT(tiles[i])), err);
        }
        NAV_IF_OK(status, unwanted ? sweep_blob_locked(disk, blob, err) : NAV_OK);
    }
    return status;
}

// ---- what damage has left ----

nav_status store_orphans_sweep_locked(store *disk, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    int64_t *rows = NULL;
    size_t count = 0;
    nav_status status = store_list_locked(disk,
                                          "SELECT id FROM tiles WHERE NOT EXISTS (SELECT 1 FROM"
                                          " version_tiles t WHERE t.tile = tiles.id)",
                                          STORE_NO_VALUES, &rows, &count, err);
    NAV_IF_OK(status, store_tiles_sweep_locked(disk, rows, count, err));
    free(rows);
    rows = NULL;
    NAV_IF_OK(status, store_list_locked(disk,
                                        "SELECT id FROM blobs WHERE NOT EXISTS (SELECT 1 FROM"
                                        " tiles c WHERE c.blob = blobs.id)",
                                        STORE_NO_VALUES, &rows, &count, err));
    for (size_t i = 0; status == NAV_OK && i < count; i++) {
        status = sweep_blob_locked(disk, rows[i], err);
    }
    free(rows);
    return status;
}

// ---- geometries ----

nav_status store_geometries_sweep_locked(store *disk, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    int64_t *rows = NULL;
    size_t count = 0;
    nav_status status =
        store_list_locked(disk,
                          "SELECT rowid FROM geometries WHERE NOT EXISTS (SELECT 1"
                          " FROM versions v WHERE v.geometry_hash = geometries.hash)",
                          STORE_NO_VALUES, &rows, &count, err);
    for (size_t i = 0; status == NAV_OK && i < count; i++) {
        bool readable;
        status = check_row_locked(disk, "geometries", rows[i], &readable, err);
        if (status == NAV_OK && readable) {
            status = store_change_locked(disk, "writing", "DELETE FROM geometries WHERE rowid = ?",
                                         STORE_VALUES(STORE_INT(rows[i])), err);
        }
    }
    free(rows);
    return status;
}
