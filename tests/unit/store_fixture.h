// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// store_fixture.h: a store in a folder of its own, which goes with the test: opened, closed, and
// looked at with SQL behind its back.

#pragma once

#include "server/store/store.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

typedef struct store_fixture {
    char directory[64], path[96];
    store *disk; // NULL while it is closed
} store_fixture;

static inline void store_fixture_init_in(store_fixture *f, const char *parent)
{
    *f = (store_fixture){.disk = NULL};
    (void)snprintf(f->directory, sizeof f->directory, "%s/test_store_XXXXXX", parent);
    assert_non_null(mkdtemp(f->directory));
    (void)snprintf(f->path, sizeof f->path, "%s/t.db", f->directory);
}

static inline void store_fixture_init(store_fixture *f)
{
    store_fixture_init_in(f, "/tmp");
}

static inline void store_fixture_close(store_fixture *f)
{
    store_close(f->disk);
    f->disk = NULL;
}

// The name of a file beside it.
static inline void store_fixture_name(const store_fixture *f, const char *suffix, char out[128])
{
    (void)snprintf(out, 128, "%s%s", f->path, suffix);
}

static inline void store_fixture_remove_files(store_fixture *f)
{
    static const char *const suffixes[] = {"",         "-wal",  "-shm",      "-new",
                                           "-journal", "-copy", "-before-10"};
    store_fixture_close(f);
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        char name[128];
        store_fixture_name(f, suffixes[i], name);
        (void)unlink(name);
    }
}

static inline void store_fixture_free(store_fixture *f)
{
    store_fixture_remove_files(f);
    (void)rmdir(f->directory);
}

// How many entries its folder has.
static inline unsigned store_fixture_entries(const store_fixture *f)
{
    unsigned count = 0;
    DIR *folder = opendir(f->directory);
    assert_non_null(folder);
    while (readdir(folder) != NULL) {
        count++;
    }
    (void)closedir(folder);
    return count;
}

// Opens it, or once more.
static inline void store_fixture_open(store_fixture *f)
{
    nav_error err = {0};
    store_fixture_close(f);
    if (store_open(f->path, &f->disk, &err) != NAV_OK) {
        fail_msg("%s", err.detail);
    }
}

// Fixtures of cmocka for tests that need nothing else: with a store that is open, and without one.
static inline int store_fixture_set_up_closed(void **state)
{
    store_fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    store_fixture_init(f);
    *state = f;
    return 0;
}

static inline int store_fixture_set_up(void **state)
{
    int code = store_fixture_set_up_closed(state);
    store_fixture_open(*state);
    return code;
}

static inline int store_fixture_tear_down(void **state)
{
    store_fixture *f = *state;
    store_fixture_free(f);
    free(f);
    return 0;
}

// ---- behind its back ----

static inline void store_fixture_execute(const store_fixture *f, const char *sql)
{
    sqlite3 *db = NULL;
    char *message = NULL;
    assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK) {
        fail_msg("%s in %.200s", message, sql);
    }
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

// The one number that a statement gives.
static inline int64_t store_fixture_ask(const store_fixture *f, const char *sql)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *s = NULL;
    assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    int64_t value = sqlite3_column_int64(s, 0);
    (void)sqlite3_finalize(s);
    (void)sqlite3_close(db);
    return value;
}

// ---- versions ----

// A version whose geometry and settings are told apart from others by one byte, uploaded as `how`
// wants it.
static inline nav_status store_fixture_upload(store *disk, const char *mesh, uint8_t key,
                                              const store_upload *how, uint32_t *version,
                                              bool *existing, nav_error *err)
{
    uint8_t content_key[32] = {key}, geometry_hash[32] = {1, key};
    char bytes[] = "geometry ";
    bytes[8] = (char)key;
    const store_upload sent = {.mesh = mesh,
                               .content_key = content_key,
                               .geometry_hash = geometry_hash,
                               .geometry = bytes,
                               .geometry_bytes = 9,
                               .geometry_unpacked_bytes = 90,
                               .geometry_json = "{\"g\":1}",
                               .config_json = "{}",
                               .tiles_total = 4,
                               .activate = how->activate,
                               .gate = how->gate,
                               .reuse = how->reuse};
    return store_version_insert(disk, &sent, version, existing, err);
}

static inline nav_status store_fixture_insert(store *disk, const char *mesh, uint8_t key,
                                              bool activate, bool reuse, uint32_t *version,
                                              bool *existing)
{
    const store_upload how = {.activate = activate, .reuse = reuse};
    return store_fixture_upload(disk, mesh, key, &how, version, existing, NULL);
}

// One that is new.
static inline uint32_t store_fixture_add(store *disk, const char *mesh, uint8_t key, bool activate)
{
    uint32_t version = 0;
    bool existing = true;
    assert_int_equal(store_fixture_insert(disk, mesh, key, activate, false, &version, &existing),
                     NAV_OK);
    assert_false(existing);
    return version;
}

// A bake that ends well, with these tiles.
static inline store_result store_fixture_result(const store_tile *tiles, size_t count)
{
    return (store_result){.tiles = tiles,
                          .tile_count = count,
                          .blob_json = "{\"b\":1}",
                          .stats_json = "{\"s\":1}",
                          .timings_json = "{\"t\":1}",
                          .warnings_json = "[]"};
}

// A live version of a mesh of its own that has one tile.
static inline uint32_t store_fixture_add_baked(store *disk, const char *mesh, uint8_t key,
                                               const store_tile *tile)
{
    const uint32_t version = store_fixture_add(disk, mesh, key, true);
    const store_result result = store_fixture_result(tile, 1);
    uint64_t activation;
    assert_int_equal(store_version_ready(disk, mesh, version, &result, &activation, NULL), NAV_OK);
    return version;
}

// A tile with a key of one byte and bytes with a hash of another (0: without ground); x is the key
// as well. Its blocks are not to be freed.
static inline store_tile store_fixture_tile(uint8_t key, uint8_t hash)
{
    static char packed[] = "packed", report[] = "report";
    return (store_tile){.x = key,
                        .key = {key},
                        .has_key = true,
                        .hash = {hash},
                        .packed = hash != 0 ? packed : NULL,
                        .packed_bytes = hash != 0 ? 6 : 0,
                        .bytes = hash != 0 ? 60 : 0,
                        .report = report,
                        .report_bytes = 6};
}

static inline bool store_fixture_find(store *disk, const char *mesh, uint32_t version, bool own,
                                      uint8_t key, store_tile *out)
{
    const uint8_t whole_key[32] = {key};
    bool found = false;
    *out = (store_tile){.x = 77};
    assert_int_equal(store_tile_find(disk, mesh, version, own, whole_key, out, &found, NULL),
                     NAV_OK);
    return found;
}

static inline bool store_fixture_has(store *disk, const char *mesh, uint32_t version, bool own,
                                     uint8_t key)
{
    store_tile tile;
    bool found = store_fixture_find(disk, mesh, version, own, key, &tile);
    store_tile_empty(&tile);
    return found;
}

static inline void store_fixture_count_fault(void *user, const char *text)
{
    (void)text;
    ++*(int *)user;
}

// How many faults verify would tell of the database itself.
static inline int store_fixture_faults(store *disk)
{
    int faults = 0;
    assert_int_equal(store_faults_each(disk, store_fixture_count_fault, &faults, NULL), NAV_OK);
    return faults;
}
