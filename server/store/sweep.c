// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// sweep.c: what nobody has any more: slots of packs, packs, geometries. A row whose chain of
// pages is broken stays: to change or to remove it would give pages free that may be others'.

#include "server/store/db.h"

#include "server/base/lock.h"

#include <stdlib.h>
#include <string.h>

nav_status store_row_check_locked(store *disk, const char *table, int64_t row, bool *readable,
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

// Which slots any version has. *rows: how many lists name the pack; *whole false: one of them is
// damaged, so that nobody knows.
static nav_status find_live_locked(store *disk, uint64_t pack, uint8_t live[STORE_SLOTS_MAX],
                                   size_t *rows, bool *whole, nav_error *err)
{
    memset(live, 0, STORE_SLOTS_MAX);
    *rows = 0;
    *whole = true;
    store_statement s =
        store_prepare_locked(&disk->writer, "SELECT tiles FROM version_tiles WHERE pack = ?");
    store_bind_int(&s, 1, (int64_t)pack);
    while (store_step(&s)) {
        store_list list;
        ++*rows;
        if (!store_list_open(sqlite3_column_blob(s.sql, 0), (size_t)sqlite3_column_bytes(s.sql, 0),
                             &list)) {
            *whole = false;
            continue;
        }
        for (size_t i = 0; i < list.count; i++) {
            live[store_list_at(&list, i).slot] = 1;
        }
    }
    return store_finish(&s, "looking for what is wanted of a pack", err);
}

// What the slots weigh that somebody has, and those that nobody has.
static void weigh(const store_directory *directory, const uint8_t *live, uint64_t *live_bytes,
                  uint64_t *dead_bytes)
{
    *live_bytes = *dead_bytes = 0;
    for (uint32_t i = 0; i < directory->count; i++) {
        store_slot slot;
        if (store_directory_slot(directory, i, &slot)) {
            *(live[i] ? live_bytes : dead_bytes) +=
                sizeof slot + slot.packed_bytes + slot.report_bytes;
        }
    }
}

static void note_dead(store *disk, uint64_t pack, const store_directory *directory,
                      const uint8_t *live)
{
    for (uint32_t i = 0; i < directory->count; i++) {
        store_slot slot;
        const uint64_t place = STORE_PLACE(pack, i);
        if (live[i] || !store_directory_slot(directory, i, &slot)) {
            continue;
        }
        store_index_note(&disk->changes, store_index_hash_name(slot.hash), place, true);
        if ((slot.flags & STORE_SLOT_KEY) != 0) {
            store_index_note(&disk->changes, store_index_key_name(slot.key), place, true);
        }
    }
}

static nav_status drop_slots_locked(store *disk, uint64_t number, const uint8_t *live,
                                    nav_error *err)
{
    store_pack pack;
    nav_status status = store_pack_load_locked(&disk->writer, number, &pack, err);
    if (status != NAV_OK) {
        return status;
    }
    for (uint32_t i = 0; i < pack.count; i++) {
        if (!live[i]) {
            store_tile_empty(&pack.slots[i]);
            pack.slots[i] = (store_tile){0};
        }
    }
    status = store_pack_rewrite_locked(disk, &pack, err);
    store_tiles_free(pack.slots, pack.count);
    return status;
}

// The bytes stay where they cannot be removed.
static nav_status remove_locked(store *disk, uint64_t number, nav_error *err)
{
    const int64_t values[] = {(int64_t)number};
    bool readable;
    nav_status status = store_row_check_locked(disk, "packs", (int64_t)number, &readable, err);
    return status == NAV_OK
               ? store_change_locked(disk,
                                     readable ? "DELETE FROM packs WHERE id = ?"
                                              : "DELETE FROM pack_tiles WHERE pack = ?",
                                     values, 1, err)
               : status;
}

nav_status store_pack_sweep_locked(store *disk, uint64_t number, nav_error *err)
{
    uint8_t live[STORE_SLOTS_MAX];
    size_t rows;
    bool whole;
    uint64_t live_bytes, dead_bytes;
    nav_status status = find_live_locked(disk, number, live, &rows, &whole, err);
    if (status != NAV_OK || !whole) {
        return status;
    }
    store_slots slots = store_slots_begin_locked(&disk->writer);
    store_slots_open(&slots, number);
    weigh(&slots.directory, live, &live_bytes, &dead_bytes);
    // Those that stay for the moment are found by who looks for them, and wanted again.
    const bool drop = dead_bytes > 0 && dead_bytes >= live_bytes;
    if (drop) {
        note_dead(disk, number, &slots.directory, live);
    }
    status = store_slots_end(&slots, err);
    if (status == NAV_OK && rows == 0) {
        return remove_locked(disk, number, err);
    }
    return status == NAV_OK && drop ? drop_slots_locked(disk, number, live, err) : status;
}

// ---- geometries ----

nav_status store_geometries_sweep_locked(store *disk, nav_error *err)
{
    void *rows = NULL;
    size_t count = 0;
    store_statement s = store_prepare_locked(
        &disk->writer, "SELECT rowid FROM geometries WHERE NOT EXISTS (SELECT 1 FROM"
                       " versions v WHERE v.geometry_hash = geometries.hash)");
    while (store_step(&s)) {
        int64_t *row = store_append(&s, &rows, &count, sizeof *row);
        if (row != NULL) {
            *row = sqlite3_column_int64(s.sql, 0);
        }
    }
    nav_status status = store_finish(&s, "looking for geometries", err);
    for (size_t i = 0; status == NAV_OK && i < count; i++) {
        const int64_t *row = (const int64_t *)rows + i;
        bool readable;
        status = store_row_check_locked(disk, "geometries", *row, &readable, err);
        if (status == NAV_OK && readable) {
            status =
                store_change_locked(disk, "DELETE FROM geometries WHERE rowid = ?", row, 1, err);
        }
    }
    free(rows);
    return status;
}
