// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_store_migrations.c: a database of each former schema opens with all that is in it, and can
// do what a new one can.

#include "server/store.h"
#include "tests/unit/store_schemas.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#define SCHEMA_COUNT (sizeof SCHEMAS / sizeof *SCHEMAS)

typedef struct fixture {
    char directory[64], path[96];
    store *disk;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    (void)snprintf(f->directory, sizeof f->directory, "/tmp/test_store_XXXXXX");
    assert_non_null(mkdtemp(f->directory));
    (void)snprintf(f->path, sizeof f->path, "%s/t.db", f->directory);
    *state = f;
    return 0;
}

static void remove_files(fixture *f)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-new", "-journal"};
    store_close(f->disk);
    f->disk = NULL;
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        char name[128];
        (void)snprintf(name, sizeof name, "%s%s", f->path, suffixes[i]);
        (void)unlink(name);
    }
}

static int tear_down(void **state)
{
    fixture *f = *state;
    remove_files(f);
    (void)rmdir(f->directory);
    free(f);
    return 0;
}

static void open_store(fixture *f)
{
    nav_error err = {0};
    if (store_open(f->path, &f->disk, &err) != NAV_OK) {
        fail_msg("%s", err.detail);
    }
}

static void execute(sqlite3 *db, const char *sql)
{
    char *message = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK) {
        fail_msg("%s in %.200s", message, sql);
    }
}

// A database of schema `number`, as a daemon of that time left it.
static void make_old(fixture *f, size_t number)
{
    sqlite3 *db = NULL;
    char mark[96];
    remove_files(f);
    assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
    execute(db, "PRAGMA page_size=16384; PRAGMA journal_mode=WAL");
    execute(db, SCHEMAS[number - 1]);
    (void)snprintf(mark, sizeof mark, "PRAGMA application_id=1851881069; PRAGMA user_version=%zu",
                   number);
    execute(db, mark);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

// The one number that a statement gives.
static int64_t ask(const fixture *f, const char *sql)
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

static void count_fault(void *user, const char *text)
{
    (void)text;
    ++*(int *)user;
}

static void assert_content(fixture *f)
{
    store_version *rows;
    store_tile *tiles;
    store_name *names;
    size_t count;
    assert_int_equal(store_version_list(f->disk, "town", &rows, &count, NULL), NAV_OK);
    assert_int_equal(count, 4);
    assert_int_equal(rows[0].state, STORE_READY);
    assert_int_equal(rows[1].state, STORE_READY);
    assert_int_equal(rows[2].state, STORE_QUEUED);
    assert_int_equal(rows[3].state, STORE_FAILED);
    assert_int_equal(rows[3].error.status, NAV_MESH_EMPTY);
    assert_true(rows[1].active && !rows[0].active);
    assert_string_equal(rows[0].config_json, "{\"c\":1}");
    assert_string_equal(rows[1].blob_json, "{\"b\":2}");
    assert_string_equal(rows[1].created_at, "2026-11-20T21:01:00.123Z");
    for (size_t i = 0; i < count; i++) {
        assert_true(rows[i].reuse);
        assert_int_equal(rows[i].tiles_reused, 0);
    }
    store_versions_free(rows, count);
    assert_int_equal(store_tiles_load(f->disk, "town", 2, &tiles, &count, NULL), NAV_OK);
    assert_int_equal(count, 2);
    assert_memory_equal(tiles[0].packed, "tile one", 8);
    assert_memory_equal(tiles[1].packed, "tile three", 10);
    assert_true(tiles[1].x == 0 && tiles[1].z == 1);
    assert_false(tiles[0].has_packed_hash);
    store_tiles_free(tiles, count);
    assert_int_equal(store_queued_list(f->disk, &names, &count, NULL), NAV_OK);
    assert_int_equal(count, 1);
    assert_int_equal(names[0].version, 3);
    free(names);
}

// The version that waited is baked, an old one goes, and only what nobody else needs with it.
static void go_on(fixture *f)
{
    char packed[] = "tile four", report[] = "report";
    const store_tile tile = {.x = 0,
                             .z = 0,
                             .key = {7},
                             .has_key = true,
                             .hash = {0xb4},
                             .packed = packed,
                             .packed_bytes = 9,
                             .packed_hash = {6},
                             .has_packed_hash = true,
                             .bytes = 50,
                             .report = report,
                             .report_bytes = 6};
    const store_result result = {.tiles = &tile,
                                 .tile_count = 1,
                                 .tiles_reused = 1,
                                 .blob_json = "{}",
                                 .stats_json = "{}",
                                 .timings_json = "{}",
                                 .warnings_json = "[]"};
    uint64_t activation;
    store_tile found = {0};
    bool there = false;
    assert_int_equal(store_version_ready(f->disk, "town", 3, &result, &activation, NULL), NAV_OK);
    assert_int_equal(activation, 4);
    assert_int_equal(store_tile_find(f->disk, "", 0, false, tile.key, &found, &there, NULL),
                     NAV_OK);
    assert_true(there);
    assert_memory_equal(found.packed, packed, 9);
    assert_memory_equal(found.packed_hash, tile.packed_hash, 32);
    store_tile_empty(&found);
    assert_int_equal(store_version_delete(f->disk, "town", 1, NULL), NAV_OK);
    store_close(f->disk);
    f->disk = NULL;
    assert_int_equal(ask(f, "SELECT count(*) FROM blobs"), 3);
    assert_int_equal(ask(f, "SELECT count(*) FROM geometries"), 2);
    open_store(f);
    store_version row;
    assert_int_equal(store_version_get(f->disk, "town", 3, &row, NULL), NAV_OK);
    assert_int_equal(row.tiles_reused, 1);
    assert_true(row.active);
    store_version_free(&row);
}

static void each_former_schema_opens_with_all_that_is_in_it(void **state)
{
    fixture *f = *state;
    for (size_t number = 1; number <= SCHEMA_COUNT; number++) {
        make_old(f, number);
        assert_int_equal(store_check(f->path, NULL), NAV_OK);
        assert_int_equal(ask(f, "PRAGMA user_version"), number); // looking changes nothing
        open_store(f);
        assert_content(f);
        go_on(f);
        int faults = 0;
        assert_int_equal(store_faults_each(f->disk, count_fault, &faults, NULL), NAV_OK);
        assert_int_equal(faults, 0);
    }
}

// So that a migration which is added has a database to be tested with.
static void every_schema_before_the_newest_is_tested(void **state)
{
    fixture *f = *state;
    open_store(f);
    store_close(f->disk);
    f->disk = NULL;
    assert_in_range(SCHEMA_COUNT, ask(f, "PRAGMA user_version") - 1, ask(f, "PRAGMA user_version"));
    assert_int_equal(ask(f, "PRAGMA application_id"), 1851881069);
    assert_int_equal(ask(f, "PRAGMA page_size"), 16384);
}

// An old database and a new one have the same tables in the end.
static void migrations_end_in_the_schema_of_a_new_database(void **state)
{
    fixture *f = *state;
    const char *const shape = "SELECT sum(length(name) * 31 + length(type) * 7 + \"notnull\" + pk)"
                              " FROM (SELECT p.* FROM sqlite_master m, pragma_table_info(m.name) p"
                              " WHERE m.type = 'table')";
    open_store(f);
    store_close(f->disk);
    f->disk = NULL;
    int64_t wanted = ask(f, shape);
    int64_t indices = ask(f, "SELECT count(*) FROM sqlite_master WHERE type = 'index'");
    for (size_t number = 1; number <= SCHEMA_COUNT; number++) {
        make_old(f, number);
        open_store(f);
        store_close(f->disk);
        f->disk = NULL;
        assert_int_equal(ask(f, shape), wanted);
        assert_int_equal(ask(f, "SELECT count(*) FROM sqlite_master WHERE type = 'index'"),
                         indices);
    }
}

// The database of a daemon that may still run: looked at and copied, whatever its schema.
static void an_old_database_is_looked_at_without_being_changed(void **state)
{
    fixture *f = *state;
    char copy[128];
    make_old(f, 1);
    (void)snprintf(copy, sizeof copy, "%s-copy", f->path);
    int faults = 0;
    nav_error err = {0};
    assert_int_equal(store_open_to_look(f->path, &f->disk, &err), NAV_OK);
    assert_int_equal(store_faults_each(f->disk, count_fault, &faults, NULL), NAV_OK);
    assert_int_equal(faults, 0);
    assert_int_equal(store_backup(f->disk, copy, &err), NAV_OK);
    assert_int_equal(store_backup(f->disk, copy, &err), NAV_INVALID_FIELD);
    store_close(f->disk);
    f->disk = NULL;
    assert_int_equal(ask(f, "PRAGMA user_version"), 1);
    assert_int_equal(rename(copy, f->path), 0);
    open_store(f);
    assert_content(f);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_former_schema_opens_with_all_that_is_in_it),
        TEST(every_schema_before_the_newest_is_tested),
        TEST(migrations_end_in_the_schema_of_a_new_database),
        TEST(an_old_database_is_looked_at_without_being_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
