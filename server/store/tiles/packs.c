// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// packs.c: packs: tiles of one commit in one row, so that a commit writes few large rows and
// no page of an index for each tile.
//
//   packs       number --> packed bytes of its tiles, one behind the other
//   pack_tiles  number --> directory: keys, hashes, reports, where the bytes are
//
// A slot keeps its number for as long as anybody has it. What nobody has any more goes with its
// pack, or when it is half of it: so what is stored is at most twice what is wanted, and a byte is
// copied once for each that goes.

#include "server/store/db.h"

#include "server/base/lock.h"

#include <stdlib.h>
#include <string.h>

// ---- reading ----

store_slots store_slots_begin_locked(store_connection *from)
{
    return (store_slots){
        .from = from,
        .rows = store_prepare_locked(from, "SELECT directory FROM pack_tiles WHERE pack = ?")};
}

void store_slots_open(store_slots *slots, uint64_t pack)
{
    free(slots->bytes);
    slots->bytes = NULL;
    slots->directory = (store_directory){0};
    slots->pack = pack;
    store_rewind(&slots->rows);
    store_bind_int(&slots->rows, 1, (int64_t)pack);
    size_t size_bytes = 0;
    if (store_step(&slots->rows)) {
        slots->bytes = store_column_blob(&slots->rows, 0, &size_bytes);
    }
    if (!store_directory_open(slots->bytes, size_bytes, &slots->directory)) {
        slots->directory = (store_directory){0};
    }
}

bool store_slots_get(store_slots *slots, uint64_t place, store_slot *out, const void **report)
{
    if (slots->pack != STORE_PLACE_PACK(place)) {
        store_slots_open(slots, STORE_PLACE_PACK(place));
    }
    if (!store_directory_slot(&slots->directory, STORE_PLACE_SLOT(place), out)) {
        return false;
    }
    if (report != NULL) {
        *report = slots->directory.bytes + out->report_at_bytes;
    }
    return true;
}

nav_status store_slots_end(store_slots *slots, nav_error *err)
{
    free(slots->bytes);
    slots->bytes = NULL;
    return store_finish(&slots->rows, "reading the tiles of a pack", err);
}

nav_status store_blocks_open_locked(store_connection *from, uint64_t pack, sqlite3_blob **out,
                                    nav_error *err)
{
    NAV_ASSERT(lock_is_held(&from->lock));
    *out = NULL;
    int code = sqlite3_blob_open(from->db, "main", "packs", "zstd", (int64_t)pack, 0, out);
    // There is no such row, or its page is damaged.
    return code == SQLITE_OK || code == SQLITE_ERROR || (code & 0xff) == SQLITE_CORRUPT
               ? NAV_OK
               : store_fail(from->db, code, "reading a tile", err);
}

nav_status store_block_read(sqlite3_blob *blocks, const store_slot *slot, void **out,
                            nav_error *err)
{
    const uint64_t there_bytes = blocks != NULL ? (uint64_t)sqlite3_blob_bytes(blocks) : 0;
    *out = NULL;
    if (slot->packed_bytes == 0 || slot->at_bytes > there_bytes ||
        slot->packed_bytes > there_bytes - slot->at_bytes) {
        return NAV_OK;
    }
    void *bytes = malloc(slot->packed_bytes);
    int code = bytes != NULL
                   ? sqlite3_blob_read(blocks, bytes, (int)slot->packed_bytes, (int)slot->at_bytes)
                   : SQLITE_NOMEM;
    if (code != SQLITE_OK) {
        free(bytes);
        // A page that the row goes on in is another's now, or nobody's.
        return (code & 0xff) == SQLITE_CORRUPT ? NAV_OK
                                               : store_fail(NULL, code, "reading a tile", err);
    }
    *out = bytes;
    return NAV_OK;
}

nav_status store_block_load_locked(store_connection *from, uint64_t pack, const store_slot *slot,
                                   void **out, nav_error *err)
{
    sqlite3_blob *blocks;
    *out = NULL;
    nav_status status = store_blocks_open_locked(from, pack, &blocks, err);
    if (status == NAV_OK) {
        status = store_block_read(blocks, slot, out, err);
    }
    (void)sqlite3_blob_close(blocks);
    return status;
}

// One slot with its blocks; what is damaged stays without.
static nav_status load_slot(sqlite3_blob *blocks, const store_directory *directory, uint32_t number,
                            store_tile *out, nav_error *err)
{
    store_slot slot;
    if (!store_directory_slot(directory, number, &slot)) {
        return NAV_OK;
    }
    if (slot.bytes > 0) {
        nav_status status = store_block_read(blocks, &slot, &out->packed, err);
        if (status != NAV_OK || out->packed == NULL) {
            return status;
        }
    }
    store_slot_read(&slot, out);
    out->packed_bytes = slot.packed_bytes;
    out->report_bytes = slot.report_bytes;
    out->report = malloc((size_t)slot.report_bytes + 1);
    if (out->report == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to read a pack");
    }
    memcpy(out->report, directory->bytes + slot.report_at_bytes, slot.report_bytes);
    return NAV_OK;
}

nav_status store_pack_load_locked(store_connection *from, uint64_t number, store_pack *out,
                                  nav_error *err)
{
    store_slots slots = store_slots_begin_locked(from);
    store_slots_open(&slots, number);
    const uint32_t count = slots.directory.count;
    store_pack pack = {.number = number, .slots = calloc((size_t)count + 1, sizeof *pack.slots)};
    sqlite3_blob *blocks = NULL;
    nav_status status = pack.slots != NULL
                            ? store_blocks_open_locked(from, number, &blocks, err)
                            : nav_fail(err, NAV_NO_MEMORY, "no memory to read a pack");
    for (; status == NAV_OK && pack.count < count; pack.count++) {
        status = load_slot(blocks, &slots.directory, pack.count, &pack.slots[pack.count], err);
    }
    (void)sqlite3_blob_close(blocks);
    nav_status finished = store_slots_end(&slots, status == NAV_OK ? err : NULL);
    status = status != NAV_OK ? status : finished;
    if (status != NAV_OK) {
        store_tiles_free(pack.slots, pack.count);
        return status;
    }
    *out = pack;
    return NAV_OK;
}

// ---- writing ----

static void note_slots(store *disk, const store_pack *pack)
{
    for (uint32_t i = 0; i < pack->count; i++) {
        const store_tile *slot = &pack->slots[i];
        const uint64_t place = STORE_PLACE(pack->number, i);
        if (slot->has_key) {
            store_index_note(&disk->changes, store_index_key_name(slot->key), place, false);
        }
        if (slot->packed != NULL) {
            store_index_note(&disk->changes, store_index_hash_name(slot->hash), place, false);
        }
    }
}

// A row with room for the packed bytes of all slots.
static nav_status make_room_locked(store *disk, store_pack *pack, nav_error *err)
{
    uint64_t size_bytes = 0;
    for (uint32_t i = 0; i < pack->count; i++) {
        size_bytes += pack->slots[i].packed != NULL ? pack->slots[i].packed_bytes : 0;
    }
    store_statement s = store_prepare_locked(
        &disk->writer, "INSERT INTO packs(id, zstd) VALUES (nullif(?, 0), zeroblob(?))"
                       " ON CONFLICT(id) DO UPDATE SET zstd = excluded.zstd");
    store_bind_int(&s, 1, (int64_t)pack->number);
    store_bind_int(&s, 2, (int64_t)size_bytes);
    (void)store_step(&s);
    nav_status status = store_finish(&s, "storing a pack", err);
    if (status == NAV_OK && pack->number == 0) {
        pack->number = (uint64_t)sqlite3_last_insert_rowid(disk->writer.db);
    }
    return status;
}

// Straight into the row's pages: bytes that are bound to a statement are copied once to lie one
// behind the other, and once more into the record that it makes.
static nav_status write_blocks_locked(store *disk, store_pack *pack, nav_error *err)
{
    nav_status status = make_room_locked(disk, pack, err);
    if (status != NAV_OK) {
        return status;
    }
    sqlite3_blob *blocks = NULL;
    int code = sqlite3_blob_open(disk->writer.db, "main", "packs", "zstd", (int64_t)pack->number, 1,
                                 &blocks);
    size_t at_bytes = 0;
    for (uint32_t i = 0; code == SQLITE_OK && i < pack->count; i++) {
        const store_tile *slot = &pack->slots[i];
        if (slot->packed != NULL) {
            code = sqlite3_blob_write(blocks, slot->packed, (int)slot->packed_bytes, (int)at_bytes);
            at_bytes += slot->packed_bytes;
        }
    }
    status = code == SQLITE_OK ? NAV_OK : store_fail(disk->writer.db, code, "storing a pack", err);
    (void)sqlite3_blob_close(blocks);
    return status;
}

nav_status store_pack_write_locked(store *disk, store_pack *pack, nav_error *err)
{
    nav_status status = write_blocks_locked(disk, pack, err);
    if (status != NAV_OK) {
        return status;
    }
    void *directory;
    size_t directory_bytes;
    if (!store_directory_write(pack, &directory, &directory_bytes)) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for a pack");
    }
    store_statement s = store_prepare_locked(
        &disk->writer, "INSERT OR REPLACE INTO pack_tiles(pack, directory) VALUES (?, ?)");
    store_bind_int(&s, 1, (int64_t)pack->number);
    store_bind_blob(&s, 2, directory, directory_bytes);
    (void)store_step(&s);
    status = store_finish(&s, "storing a pack", err);
    free(directory);
    if (status == NAV_OK) {
        note_slots(disk, pack);
    }
    return status;
}

nav_status store_pack_rewrite_locked(store *disk, store_pack *pack, nav_error *err)
{
    const uint64_t before = pack->number;
    bool readable;
    nav_status status = store_row_check_locked(disk, "packs", (int64_t)before, &readable, err);
    if (status != NAV_OK || readable) {
        return status == NAV_OK ? store_pack_write_locked(disk, pack, err) : status;
    }
    pack->number = 0;
    status = store_pack_write_locked(disk, pack, err);
    if (status == NAV_OK) {
        const int64_t values[] = {(int64_t)pack->number, (int64_t)before};
        status = store_change_locked(disk, "UPDATE version_tiles SET pack = ? WHERE pack = ?",
                                     values, 2, err);
    }
    if (status == NAV_OK) {
        const int64_t values[] = {(int64_t)before};
        status = store_change_locked(disk, "DELETE FROM pack_tiles WHERE pack = ?", values, 1, err);
    }
    return status;
}
