// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_store_packs.c: a database of schema 5, of which the directories of packs, or the lists of
// versions, are the bytes; the checksum fits, else nothing would get past it. It is migrated,
// looked through and read to its end. The first byte says which of the two the others are.

#include "core/tile/tile.h"
#include "server/base/log.h"
#include "server/store/store.h"
#include "tests/unit/store_schemas.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

#define CHECKSUM_BYTES 8u

static char folder[64], path[96];

static void remove_files(void)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal", "-before-6"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        char name[128];
        (void)snprintf(name, sizeof name, "%s%s", path, suffixes[i]);
        (void)unlink(name);
    }
}

static void remove_all(void)
{
    remove_files();
    (void)rmdir(folder);
}

// In memory, where there is such a folder: a commit waits for the disk else.
static void begin(void)
{
    (void)snprintf(folder, sizeof folder, "%s/fuzz_packs_XXXXXX",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    NAV_ASSERT(mkdtemp(folder) != NULL);
    (void)snprintf(path, sizeof path, "%s/t.db", folder);
    (void)atexit(remove_all);
    log_configure((log_level)(LOG_LEVEL_ERROR + 1), LOG_FORMAT_TEXT);
}

static void make_old(bool directories, const uint8_t *block, size_t block_bytes)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *s = NULL;
    NAV_ASSERT(sqlite3_open(path, &db) == SQLITE_OK);
    NAV_ASSERT(sqlite3_exec(db, "PRAGMA synchronous=OFF", NULL, NULL, NULL) == SQLITE_OK);
    NAV_ASSERT(sqlite3_exec(db, SCHEMA_5_TABLES, NULL, NULL, NULL) == SQLITE_OK);
    NAV_ASSERT(sqlite3_exec(db, SCHEMA_5_KEYED_ROWS, NULL, NULL, NULL) == SQLITE_OK);
    NAV_ASSERT(sqlite3_exec(db, "PRAGMA application_id=1851881069; PRAGMA user_version=5", NULL,
                            NULL, NULL) == SQLITE_OK);
    NAV_ASSERT(sqlite3_prepare_v2(db,
                                  directories
                                      ? "UPDATE pack_tiles SET directory = ?"
                                      : "UPDATE version_tiles SET tiles = ? WHERE version = 1",
                                  -1, &s, NULL) == SQLITE_OK);
    NAV_ASSERT(sqlite3_bind_blob(s, 1, block, (int)block_bytes, SQLITE_STATIC) == SQLITE_OK);
    NAV_ASSERT(sqlite3_step(s) == SQLITE_DONE);
    (void)sqlite3_finalize(s);
    NAV_ASSERT(sqlite3_close(db) == SQLITE_OK);
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

static void read_all(store *disk)
{
    nav_error err;
    uint8_t sum = 0;
    NAV_ASSERT(store_faults_each(disk, see_fault, NULL, &err) == NAV_OK);
    NAV_ASSERT(store_blocks_each(disk, false, see_block, &sum, &err) == NAV_OK);
    for (uint32_t version = 1; version <= 2; version++) {
        store_tile *tiles = NULL;
        size_t count = 0;
        if (store_tiles_load(disk, "yard", version, &tiles, &count, &err) == NAV_OK) {
            store_tiles_free(tiles, count);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    uint8_t block[8192];
    store *disk = NULL;
    uint64_t activation;
    if (path[0] == '\0') {
        begin();
    }
    if (size_bytes < 1 + CHECKSUM_BYTES || size_bytes - 1 > sizeof block) {
        return 0;
    }
    const size_t block_bytes = size_bytes - 1;
    memcpy(block, bytes + 1, block_bytes);
    if ((bytes[0] & 2) == 0) {
        const uint64_t checksum =
            nav_tile_checksum(block + CHECKSUM_BYTES, block_bytes - CHECKSUM_BYTES);
        memcpy(block, &checksum, sizeof checksum);
    }
    remove_files();
    make_old((bytes[0] & 1) == 0, block, block_bytes);
    NAV_ASSERT(store_open(path, &disk, NULL) == NAV_OK);
    read_all(disk);
    NAV_ASSERT(store_mesh_delete(disk, "yard", &activation, NULL) == NAV_OK);
    store_close(disk);
    return 0;
}
