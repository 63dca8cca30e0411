// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_store_rows.c: bytes where the daemon meets them: in the rows of a version's tiles in a real
// database, which are then loaded, looked for by key, verified, put again, repaired and removed.
// The first byte says which column the others are put into, or, with its high bit, that they are a
// row of their own, with a checksum that fits.

#include "server/store/db.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

#define TILES 3u

static char folder[64], path[96];
static store *disk;   // of the round
static sqlite3 *back; // behind its back
static char packed[] = "packed", report[] = "report";
static store_tile tiles[TILES];

static void execute(const char *sql)
{
    NAV_ASSERT(sqlite3_exec(back, sql, NULL, NULL, NULL) == SQLITE_OK);
}

static void make_tiles(void)
{
    for (uint32_t i = 0; i < TILES; i++) {
        tiles[i] = (store_tile){.x = i,
                                .key = {(uint8_t)(i + 1)},
                                .has_key = true,
                                .hash = {(uint8_t)(i + 1)},
                                .packed = packed,
                                .packed_bytes = 6,
                                .bytes = 60,
                                .report = report,
                                .report_bytes = 6};
    }
}

static void remove_files(void)
{
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < 3; i++) {
        char name[128];
        (void)snprintf(name, sizeof name, "%s%s", path, suffixes[i]);
        (void)unlink(name);
    }
    (void)rmdir(folder);
}

// A version with three tiles; every round begins with it.
static void add_version(void)
{
    const uint8_t key[32] = {1};
    const store_upload upload = {.mesh = "m",
                                 .content_key = key,
                                 .geometry_hash = key,
                                 .geometry = "geometry",
                                 .geometry_bytes = 8,
                                 .geometry_unpacked_bytes = 80,
                                 .geometry_json = "{}",
                                 .config_json = "{}",
                                 .tiles_total = TILES,
                                 .activate = true};
    const store_result result = {.tiles = tiles,
                                 .tile_count = TILES,
                                 .blob_json = "{}",
                                 .stats_json = "{}",
                                 .timings_json = "{}",
                                 .warnings_json = "[]"};
    uint32_t version = 0;
    bool existing;
    uint64_t activation;
    NAV_ASSERT(store_version_insert(disk, &upload, &version, &existing, NULL) == NAV_OK);
    NAV_ASSERT(store_version_ready(disk, "m", version, &result, &activation, NULL) == NAV_OK);
}

// In memory, where there is such a folder: a commit waits for the disk else.
static void begin(void)
{
    (void)snprintf(folder, sizeof folder, "%s/fuzz_store_XXXXXX",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    NAV_ASSERT(mkdtemp(folder) != NULL);
    (void)snprintf(path, sizeof path, "%s/t.db", folder);
    (void)atexit(remove_files);
    make_tiles();
    NAV_ASSERT(store_open(path, &disk, NULL) == NAV_OK);
    NAV_ASSERT(sqlite3_open(path, &back) == SQLITE_OK);
    execute("PRAGMA busy_timeout=5000");
}

static void see_fault(void *user, const char *text)
{
    (void)user;
    NAV_ASSERT(text[0] != '\0');
}

static void see_block(void *user, const store_tile *block)
{
    uint8_t sum = 0;
    for (size_t i = 0; block->packed != NULL && i < block->packed_bytes; i++) {
        sum ^= ((const uint8_t *)block->packed)[i];
    }
    *(uint8_t *)user ^= sum;
}

static void read_all(void)
{
    store_tile *found = NULL;
    size_t count = 0;
    uint8_t sum = 0;
    nav_error err;
    if (store_tiles_load(disk, "m", 1, &found, &count, &err) == NAV_OK) {
        for (size_t i = 0; i < count; i++) {
            see_block(&sum, &found[i]);
        }
        store_tiles_free(found, count);
    }
    for (uint32_t i = 0; i < TILES; i++) {
        store_tile tile = {.x = i};
        bool there = false;
        if (store_tile_find(disk, "m", 1, i == 1, tiles[i].key, &tile, &there, &err) == NAV_OK &&
            there) {
            see_block(&sum, &tile);
            store_tile_empty(&tile);
        }
    }
    NAV_ASSERT(store_faults_each(disk, see_fault, NULL, &err) == NAV_OK);
}

static void assert_whole(uint32_t version)
{
    store_tile *found = NULL;
    size_t count = 0;
    NAV_ASSERT(store_tiles_load(disk, "m", version, &found, &count, NULL) == NAV_OK &&
               count == TILES);
    for (size_t i = 0; i < count; i++) {
        NAV_ASSERT(found[i].packed != NULL && found[i].packed_bytes == 6 &&
                   memcmp(found[i].packed, packed, 6) == 0);
    }
    store_tiles_free(found, count);
}

// A second version with the same tiles, then the first one once more.
static void repair(void)
{
    const store_result result = {.tiles = tiles,
                                 .tile_count = TILES,
                                 .blob_json = "{}",
                                 .stats_json = "{}",
                                 .timings_json = "{}",
                                 .warnings_json = "[]",
                                 .repairs = true};
    uint64_t activation;
    add_version();
    assert_whole(2);
    NAV_ASSERT(store_version_ready(disk, "m", 1, &result, &activation, NULL) == NAV_OK);
    assert_whole(1);
    assert_whole(2);
}

// The columns, as bytes, as a text and as a number.
static const char *const COLUMNS[] = {
    "UPDATE tiles SET hash = ?",
    "UPDATE tiles SET blob = ?",
    "UPDATE tiles SET bytes = ?",
    "UPDATE tiles SET key = ?",
    "UPDATE tiles SET packed_hash = ?",
    "UPDATE tiles SET report = ?",
    "UPDATE tiles SET checksum = ?",
    "UPDATE OR IGNORE tiles SET id = ?",
    "UPDATE blobs SET zstd = ?",
    "UPDATE OR IGNORE blobs SET id = ?",
    "UPDATE OR IGNORE version_tiles SET tile_x = ?",
    "UPDATE OR IGNORE version_tiles SET tile_z = ?",
    "UPDATE version_tiles SET tile = ?",
    "UPDATE version_tiles SET checksum = ?",
};
#define COLUMN_COUNT (sizeof COLUMNS / sizeof *COLUMNS)

static void damage_column(uint8_t which, const uint8_t *bytes, size_t size_bytes)
{
    sqlite3_stmt *s = NULL;
    int64_t number = 0;
    memcpy(&number, bytes, size_bytes < sizeof number ? size_bytes : sizeof number);
    NAV_ASSERT(sqlite3_prepare_v2(back, COLUMNS[which % COLUMN_COUNT], -1, &s, NULL) == SQLITE_OK);
    switch (which / COLUMN_COUNT % 3) {
    case 0:
        (void)sqlite3_bind_blob(s, 1, bytes, (int)size_bytes, SQLITE_STATIC);
        break;
    case 1:
        (void)sqlite3_bind_text(s, 1, (const char *)bytes, (int)size_bytes, SQLITE_STATIC);
        break;
    default:
        (void)sqlite3_bind_int64(s, 1, number);
    }
    (void)sqlite3_step(s); // what a constraint forbids does not happen
    (void)sqlite3_finalize(s);
}

// A row for a tile and for its place, as this program writes them, of whatever is in the bytes.
static void write_row(const uint8_t *bytes, size_t size_bytes)
{
    struct {
        uint32_t x, z, row, flags;
        uint64_t bytes;
        uint8_t key[32], hash[32], packed_hash[32];
    } from = {0};
    nav_error err;
    const size_t head_bytes = size_bytes < sizeof from ? size_bytes : sizeof from;
    memcpy(&from, bytes, head_bytes);
    store_tile tile = {.x = from.x % 4,
                       .z = from.z,
                       .id = 1 + from.row % TILES,
                       .has_key = (from.flags & 1) != 0,
                       .bytes = from.bytes & INT64_MAX,
                       .report = (void *)(uintptr_t)(bytes + head_bytes),
                       .report_bytes = size_bytes - head_bytes};
    memcpy(tile.key, from.key, sizeof tile.key);
    memcpy(tile.hash, from.hash, sizeof tile.hash);
    memcpy(tile.packed_hash, from.packed_hash, sizeof tile.packed_hash);
    NAV_ASSERT(store_write_begin(disk, &err) == NAV_OK);
    nav_status status =
        store_tile_write_locked(disk, &tile, tile.bytes > 0 ? 1 + from.row / 4 % TILES : 0, &err);
    if (status == NAV_OK) {
        status = store_place_write_locked(disk, 1, 1, &tile, &err);
    }
    (void)store_write_end(disk, status, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    uint64_t activation;
    if (disk == NULL) {
        begin();
    }
    if (size_bytes == 0) {
        return 0;
    }
    // All that a round before has left goes.
    store_close(disk);
    execute("DELETE FROM version_tiles; DELETE FROM tiles; DELETE FROM blobs;"
            "DELETE FROM versions; DELETE FROM meshes; DELETE FROM geometries");
    NAV_ASSERT(store_open(path, &disk, NULL) == NAV_OK);
    add_version();
    if ((bytes[0] & 0x80) == 0) {
        damage_column(bytes[0], bytes + 1, size_bytes - 1);
    } else {
        write_row(bytes + 1, size_bytes - 1);
    }
    read_all();
    repair();
    read_all();
    (void)store_version_delete(disk, "m", 1, false, NULL);
    (void)store_mesh_delete(disk, "m", false, &activation, NULL);
    return 0;
}
