// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// migrate_packs.c: tiles out of schema 5, which kept several of a commit in one row (old_packs.h):
//
//   packs       id --> pack
//   pack_tiles  pack --> directory
//   pack_lists  mesh, version, pack --> list (called version_tiles there)
//
// Nothing is moved of a damaged list: its version is found to lack tiles, and is baked again. A
// tile whose slot or bytes are damaged is moved as one that has lost its bytes.

#include "server/store/db.h"
#include "server/store/old_packs.h"

#include "server/base/lock.h"

#include <stdlib.h>
#include <string.h>

// The row that a slot has become, for a list that names this hash there. Another list may name
// another one, which has its own row then.
typedef struct moved {
    int64_t tile; // 0: none yet
    uint8_t hash[32];
} moved;

typedef struct source {
    store *disk;
    int64_t number;
    uint8_t *directory, *bytes; // malloc'ed
    old_pack pack;
    moved slots[OLD_PACK_SLOTS_MAX];
} source;

static nav_status read_directory(source *from, size_t *size_bytes, nav_error *err)
{
    store_statement s = store_prepare_locked(&from->disk->writer,
                                             "SELECT directory FROM pack_tiles WHERE pack = ?");
    store_bind_int(&s, 1, from->number);
    if (store_step(&s)) {
        from->directory = store_column_blob(&s, 0, size_bytes);
    }
    return store_finish(&s, "reading a pack", err);
}

// *broken: there is a row whose bytes lead nowhere.
static nav_status read_bytes(source *from, size_t *size_bytes, bool *broken, nav_error *err)
{
    sqlite3_blob *handle = NULL;
    sqlite3 *db = from->disk->writer.db;
    int code = sqlite3_blob_open(db, "main", "packs", "zstd", from->number, 0, &handle);
    *size_bytes = code == SQLITE_OK ? (size_t)sqlite3_blob_bytes(handle) : 0;
    from->bytes = malloc(*size_bytes + 1);
    if (code == SQLITE_OK && from->bytes != NULL) {
        code = sqlite3_blob_read(handle, from->bytes, (int)*size_bytes, 0);
    }
    (void)sqlite3_blob_close(handle);
    if (from->bytes == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to read a pack");
    }
    const bool corrupt = (code & 0xff) == SQLITE_CORRUPT;
    *size_bytes = code == SQLITE_OK ? *size_bytes : 0;
    *broken = *broken || corrupt;
    return code == SQLITE_OK || code == SQLITE_ERROR || corrupt
               ? NAV_OK
               : store_fail(db, code, "reading a pack", err);
}

// ---- into the new tables ----

static nav_status move_entry(source *from, int64_t mesh, uint32_t version,
                             const old_pack_entry *entry, nav_error *err)
{
    moved *known = &from->slots[entry->slot];
    store_tile tile = old_pack_tile(&from->pack, entry);
    nav_status status = NAV_OK;
    int64_t blob = 0;
    if (known->tile != 0 && memcmp(known->hash, entry->hash, sizeof known->hash) == 0) {
        tile.id = known->tile;
        return store_place_write_locked(from->disk, mesh, version, &tile, err);
    }
    if (tile.bytes > 0) {
        status = store_blob_insert_locked(from->disk, &tile, &blob, err);
    }
    NAV_IF_OK(status, store_tile_write_locked(from->disk, &tile, blob, err));
    if (known->tile == 0 || tile.packed != NULL) { // one that is lost takes no whole one's place
        known->tile = tile.id;
        memcpy(known->hash, entry->hash, sizeof known->hash);
    }
    return status == NAV_OK ? store_place_write_locked(from->disk, mesh, version, &tile, err)
                            : status;
}

static nav_status move_list(source *from, store_statement *row, nav_error *err)
{
    const int64_t mesh = sqlite3_column_int64(row->sql, 0);
    const uint32_t version = store_version_at(row, 1);
    const uint8_t *list = sqlite3_column_blob(row->sql, 2);
    const size_t count = old_pack_list_count(list, (size_t)sqlite3_column_bytes(row->sql, 2));
    nav_status status = NAV_OK;
    for (size_t i = 0; status == NAV_OK && i < count; i++) {
        old_pack_entry entry;
        if (old_pack_list_at(list, i, &entry)) {
            status = move_entry(from, mesh, version, &entry, err);
        }
    }
    return status;
}

static nav_status move_lists(source *from, nav_error *err)
{
    nav_status status = NAV_OK;
    store_statement s = store_prepare_locked(
        &from->disk->writer, "SELECT mesh, version, tiles FROM pack_lists WHERE pack = ?");
    store_bind_int(&s, 1, from->number);
    while (status == NAV_OK && store_step(&s)) {
        status = move_list(from, &s, err);
    }
    nav_status finished = store_finish(&s, "moving tiles", status == NAV_OK ? err : NULL);
    return status != NAV_OK ? status : finished;
}

static nav_status move_pack(source *from, bool *broken, nav_error *err)
{
    size_t directory_bytes = 0, size_bytes = 0;
    nav_status status = read_directory(from, &directory_bytes, err);
    NAV_IF_OK(status, read_bytes(from, &size_bytes, broken, err));
    if (status == NAV_OK) {
        from->pack = old_pack_open(from->directory, directory_bytes, from->bytes, size_bytes);
        status = move_lists(from, err);
    }
    free(from->directory);
    free(from->bytes);
    return status;
}

nav_status store_packs_move_locked(store *disk, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    nav_status status = NAV_OK;
    bool broken = false;
    source *from = malloc(sizeof *from);
    if (from == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to move tiles");
    }
    // Packs that no list names too: whether their bytes lead somewhere is asked of all.
    store_statement s = store_prepare_locked(
        &disk->writer, "SELECT id FROM packs UNION SELECT pack FROM pack_lists ORDER BY 1");
    while (status == NAV_OK && store_step(&s)) {
        *from = (source){.disk = disk, .number = sqlite3_column_int64(s.sql, 0)};
        status = move_pack(from, &broken, err);
    }
    free(from);
    nav_status finished = store_finish(&s, "moving tiles", status == NAV_OK ? err : NULL);
    status = status != NAV_OK ? status : finished;
    if (status == NAV_OK) {
        status = store_orphans_sweep_locked(disk, err); // a list may name a position twice
    }
    if (status != NAV_OK) {
        return status;
    }
    // The table of rows that lead nowhere stays: deleting it would free pages that may be in use
    // elsewhere.
    int code =
        sqlite3_exec(disk->writer.db,
                     broken ? "DROP TABLE pack_lists; DROP TABLE pack_tiles"
                            : "DROP TABLE pack_lists; DROP TABLE pack_tiles; DROP TABLE packs",
                     NULL, NULL, NULL);
    return code == SQLITE_OK ? NAV_OK
                             : store_fail(disk->writer.db, code, "migrating the database", err);
}
