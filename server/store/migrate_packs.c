// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// migrate_packs.c: tiles out of schema 5, which kept several of a commit in one row:
//
//   packs       id --> packed bytes of its tiles, one behind the other
//   pack_tiles  pack --> directory: what is in its slots
//   pack_lists  mesh, version, pack --> which of the version's tiles are in which slots
//               (called version_tiles there)
//
// A directory and a list are little-endian and begin with the XXH64 of what is behind it:
//
//   directory   8 checksum, 4 slots, 4 zero, 128 each slot, reports
//   list        8 checksum, 44 each entry
//
// Of a list that is damaged nothing is moved: its version is found to lack tiles, and is baked
// again. A tile whose slot or bytes are damaged is moved as one that has lost its bytes.

#include "server/store/db.h"

#include "server/base/lock.h"

#include "core/tile/tile.h"

#include <stdlib.h>
#include <string.h>

#define CHECKSUM_BYTES 8u
#define HEAD_BYTES 16u
#define SLOTS_MAX 4096u
#define SLOT_DROPPED 1u
#define SLOT_KEY 2u
#define SLOT_PACKED_HASH 4u

typedef struct slot {
    uint8_t key[32], hash[32], packed_hash[32];
    uint64_t at_bytes; // where its packed bytes begin, among those of the pack
    uint64_t bytes;    // unpacked; 0: nobody can stand in the tile
    uint32_t packed_bytes;
    uint32_t report_at_bytes, report_bytes; // in the directory
    uint32_t flags;
} slot;

typedef struct entry {
    uint32_t z, x, slot;
    uint8_t hash[32]; // zeros: nobody can stand in it
} entry;

_Static_assert(sizeof(slot) == 128 && sizeof(entry) == 44, "as they are stored");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "they are copied as they are");

static bool checksum_fits(const uint8_t *bytes, size_t size_bytes)
{
    uint64_t checksum;
    if (bytes == NULL || size_bytes < CHECKSUM_BYTES) {
        return false;
    }
    memcpy(&checksum, bytes, sizeof checksum);
    return checksum == nav_tile_checksum(bytes + CHECKSUM_BYTES, size_bytes - CHECKSUM_BYTES);
}

// ---- a pack ----

typedef struct pack {
    store *disk;
    int64_t number;
    uint8_t *directory; // malloc'ed
    size_t directory_bytes;
    uint32_t count; // of slots; 0: the directory is damaged
    uint8_t *bytes; // malloc'ed; NULL: they cannot be read
    size_t size_bytes;
    int64_t tiles[SLOTS_MAX]; // the row that each slot has become; 0: none yet
} pack;

static nav_status open_directory(pack *p, nav_error *err)
{
    store_statement s =
        store_prepare_locked(&p->disk->writer, "SELECT directory FROM pack_tiles WHERE pack = ?");
    store_bind_int(&s, 1, p->number);
    if (store_step(&s)) {
        p->directory = store_column_blob(&s, 0, &p->directory_bytes);
    }
    if (p->directory_bytes >= HEAD_BYTES && checksum_fits(p->directory, p->directory_bytes)) {
        memcpy(&p->count, p->directory + CHECKSUM_BYTES, sizeof p->count);
        if (p->count > SLOTS_MAX || p->count > (p->directory_bytes - HEAD_BYTES) / sizeof(slot)) {
            p->count = 0;
        }
    }
    return store_finish(&s, "reading a pack", err);
}

// *broken: there is a row whose bytes lead nowhere.
static nav_status open_bytes(pack *p, bool *broken, nav_error *err)
{
    sqlite3_blob *handle = NULL;
    sqlite3 *db = p->disk->writer.db;
    int code = sqlite3_blob_open(db, "main", "packs", "zstd", p->number, 0, &handle);
    p->size_bytes = code == SQLITE_OK ? (size_t)sqlite3_blob_bytes(handle) : 0;
    p->bytes = malloc(p->size_bytes + 1);
    if (code == SQLITE_OK && p->bytes != NULL) {
        code = sqlite3_blob_read(handle, p->bytes, (int)p->size_bytes, 0);
    }
    (void)sqlite3_blob_close(handle);
    if (p->bytes == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to read a pack");
    }
    if (code != SQLITE_OK) {
        p->size_bytes = 0;
        *broken = *broken || (code & 0xff) == SQLITE_CORRUPT;
    }
    return code == SQLITE_OK || code == SQLITE_ERROR || (code & 0xff) == SQLITE_CORRUPT
               ? NAV_OK
               : store_fail(db, code, "reading a pack", err);
}

// The tile of a slot, its blocks borrowed. False: it cannot be read, or is not the entry's.
static bool read_slot(const pack *p, const entry *wanted, store_tile *out)
{
    slot there;
    if (wanted->slot >= p->count) {
        return false;
    }
    memcpy(&there, p->directory + HEAD_BYTES + (size_t)wanted->slot * sizeof there, sizeof there);
    if ((there.flags & SLOT_DROPPED) != 0 ||
        memcmp(there.hash, wanted->hash, sizeof there.hash) != 0 ||
        (uint64_t)there.report_at_bytes + there.report_bytes > p->directory_bytes ||
        there.at_bytes > p->size_bytes || there.packed_bytes > p->size_bytes - there.at_bytes) {
        return false;
    }
    *out = (store_tile){.has_key = (there.flags & SLOT_KEY) != 0,
                        .has_packed_hash = (there.flags & SLOT_PACKED_HASH) != 0,
                        .bytes = there.bytes,
                        .packed = p->bytes + there.at_bytes,
                        .packed_bytes = there.packed_bytes,
                        .report = p->directory + there.report_at_bytes,
                        .report_bytes = there.report_bytes};
    memcpy(out->key, there.key, sizeof out->key);
    memcpy(out->hash, there.hash, sizeof out->hash);
    memcpy(out->packed_hash, there.packed_hash, sizeof out->packed_hash);
    return true;
}

static bool has_ground(const entry *e)
{
    static const uint8_t none[sizeof e->hash];
    return memcmp(e->hash, none, sizeof none) != 0;
}

// ---- into the new tables ----

static nav_status move_entry(pack *p, int64_t mesh, uint32_t version, const entry *e,
                             nav_error *err)
{
    store_tile tile = {0};
    nav_status status = NAV_OK;
    int64_t blob = 0;
    if (p->tiles[e->slot] == 0) {
        if (!read_slot(p, e, &tile) || (tile.bytes > 0) != has_ground(e) ||
            tile.bytes > INT64_MAX) {
            tile = (store_tile){.bytes = has_ground(e) ? STORE_LOST_BYTES : 0};
            memcpy(tile.hash, e->hash, sizeof tile.hash);
        }
        status = tile.bytes > 0 ? store_blob_insert_locked(p->disk, &tile, &blob, err) : NAV_OK;
        if (status == NAV_OK) {
            status = store_tile_write_locked(p->disk, &tile, blob, err);
        }
        p->tiles[e->slot] = tile.id;
    }
    if (status != NAV_OK) {
        return status;
    }
    const store_tile place = {
        .x = e->x, .z = e->z, .id = p->tiles[e->slot], .bytes = has_ground(e) ? 1 : 0};
    store_tile named = place;
    memcpy(named.hash, e->hash, sizeof named.hash);
    return store_place_write_locked(p->disk, mesh, version, &named, err);
}

static nav_status move_list(pack *p, store_statement *row, nav_error *err)
{
    const int64_t mesh = sqlite3_column_int64(row->sql, 0);
    const uint32_t version = (uint32_t)sqlite3_column_int64(row->sql, 1);
    const uint8_t *bytes = sqlite3_column_blob(row->sql, 2);
    const size_t size_bytes = (size_t)sqlite3_column_bytes(row->sql, 2);
    nav_status status = NAV_OK;
    if (!checksum_fits(bytes, size_bytes) || (size_bytes - CHECKSUM_BYTES) % sizeof(entry) != 0) {
        return NAV_OK;
    }
    for (size_t at = CHECKSUM_BYTES; status == NAV_OK && at < size_bytes; at += sizeof(entry)) {
        entry e;
        memcpy(&e, bytes + at, sizeof e);
        if (e.slot < SLOTS_MAX) {
            status = move_entry(p, mesh, version, &e, err);
        }
    }
    return status;
}

static nav_status move_pack(pack *p, bool *broken, nav_error *err)
{
    nav_status status = open_directory(p, err);
    if (status == NAV_OK) {
        status = open_bytes(p, broken, err);
    }
    if (status != NAV_OK) {
        return status;
    }
    store_statement s = store_prepare_locked(
        &p->disk->writer, "SELECT mesh, version, tiles FROM pack_lists WHERE pack = ?");
    store_bind_int(&s, 1, p->number);
    while (status == NAV_OK && store_step(&s)) {
        status = move_list(p, &s, err);
    }
    nav_status finished = store_finish(&s, "moving tiles", status == NAV_OK ? err : NULL);
    return status != NAV_OK ? status : finished;
}

nav_status store_packs_move_locked(store *disk, nav_error *err)
{
    NAV_ASSERT(lock_is_held(&disk->writer.lock));
    nav_status status = NAV_OK;
    bool broken = false;
    pack *p = malloc(sizeof *p);
    if (p == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to move tiles");
    }
    // Packs that no list names too: whether their bytes lead somewhere is asked of all.
    store_statement s = store_prepare_locked(
        &disk->writer, "SELECT id FROM packs UNION SELECT pack FROM pack_lists ORDER BY 1");
    while (status == NAV_OK && store_step(&s)) {
        *p = (pack){.disk = disk, .number = sqlite3_column_int64(s.sql, 0)};
        status = move_pack(p, &broken, err);
        free(p->directory);
        free(p->bytes);
    }
    free(p);
    nav_status finished = store_finish(&s, "moving tiles", status == NAV_OK ? err : NULL);
    status = status != NAV_OK ? status : finished;
    if (status != NAV_OK) {
        return status;
    }
    // Where rows lead nowhere their table stays: deleting it would free pages that may be in use
    // elsewhere.
    int code =
        sqlite3_exec(disk->writer.db,
                     broken ? "DROP TABLE pack_lists; DROP TABLE pack_tiles"
                            : "DROP TABLE pack_lists; DROP TABLE pack_tiles; DROP TABLE packs",
                     NULL, NULL, NULL);
    return code == SQLITE_OK ? NAV_OK
                             : store_fail(disk->writer.db, code, "migrating the database", err);
}
