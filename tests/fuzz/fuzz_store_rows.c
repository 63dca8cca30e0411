// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_store_rows.c: the same bytes where the daemon meets them: as the directory and the list of a
// version in a real database, whose tiles are then loaded, looked for by key, verified, repaired,
// put again and removed. The first byte says which of the two the others are, the checksum fits.

#include "core/tile/tile.h"
#include "server/store/store.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

#define CHECKSUM_BYTES 8u
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

static void put_bytes(const char *sql, const uint8_t *bytes, size_t size_bytes)
{
    sqlite3_stmt *s = NULL;
    NAV_ASSERT(sqlite3_prepare_v2(back, sql, -1, &s, NULL) == SQLITE_OK);
    NAV_ASSERT(sqlite3_bind_blob(s, 1, bytes, (int)size_bytes, SQLITE_STATIC) == SQLITE_OK);
    NAV_ASSERT(sqlite3_step(s) == SQLITE_DONE);
    (void)sqlite3_finalize(s);
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

static void see_version(void *user, const char *mesh, uint32_t version, const char *blob_json,
                        const store_tile *found, size_t count)
{
    uint8_t name[32];
    (void)mesh;
    (void)version;
    (void)blob_json;
    store_tiles_name(found, count, name);
    *(uint8_t *)user ^= name[0];
}

static void read_all(void)
{
    store_tile *found = NULL;
    size_t count = 0;
    uint8_t sum = 0;
    nav_error err;
    if (store_tiles_load(disk, "m", 1, &found, &count, &err) == NAV_OK) {
        for (size_t i = 0; i < count; i++) {
            char whose[200];
            see_block(&sum, &found[i]);
            (void)store_block_owners(disk, &found[i], whose, sizeof whose, &err);
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
    (void)store_blocks_each(disk, false, see_block, &sum, &err);
    (void)store_ready_each(disk, see_version, &sum, &err);
}

// A repair of each tile that is not as it was, and a second version with the same tiles.
static void heal(void)
{
    store_tile *found = NULL;
    size_t count = 0;
    nav_error err;
    if (store_tiles_load(disk, "m", 1, &found, &count, &err) == NAV_OK) {
        for (size_t i = 0; i < count && i < TILES; i++) {
            store_tile healed = tiles[i];
            healed.place = found[i].place;
            healed.has_key = false;
            healed.report = NULL;
            (void)store_blob_repair(disk, &healed, &err);
        }
        store_tiles_free(found, count);
    }
    add_version();
    NAV_ASSERT(store_tiles_load(disk, "m", 2, &found, &count, &err) == NAV_OK && count == TILES);
    for (size_t i = 0; i < count; i++) {
        NAV_ASSERT(found[i].packed != NULL && found[i].packed_bytes == 6 &&
                   memcmp(found[i].packed, packed, 6) == 0);
    }
    store_tiles_free(found, count);
    (void)store_version_heal(disk, "m", 2, 1, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    uint8_t block[8192];
    uint64_t activation;
    if (disk == NULL) {
        begin();
    }
    if (size_bytes < 1 + CHECKSUM_BYTES || size_bytes - 1 > sizeof block) {
        return 0;
    }
    const size_t block_bytes = size_bytes - 1;
    memcpy(block, bytes + 1, block_bytes);
    const uint64_t checksum =
        nav_tile_checksum(block + CHECKSUM_BYTES, block_bytes - CHECKSUM_BYTES);
    memcpy(block, &checksum, sizeof checksum);
    // All that a round before has left goes, and the index with the store.
    store_close(disk);
    execute("DELETE FROM version_tiles; DELETE FROM packs; DELETE FROM pack_tiles;"
            "DELETE FROM versions; DELETE FROM meshes; DELETE FROM geometries");
    NAV_ASSERT(store_open(path, &disk, NULL) == NAV_OK);
    add_version();
    put_bytes((bytes[0] & 1) == 0 ? "UPDATE pack_tiles SET directory = ?"
                                  : "UPDATE version_tiles SET tiles = ?",
              block, block_bytes);
    read_all();
    heal();
    read_all();
    (void)store_version_delete(disk, "m", 1, NULL);
    (void)store_mesh_delete(disk, "m", &activation, NULL);
    return 0;
}
