// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_memory.c: whichever allocation fails, ours or SQLite's, in a question, a removal, a repair,
// a recording, a backup, in verify or in a migration: the reason is told, the data is what it was,
// and the next call works. A write that is acknowledged all the same is there.
//
// The sanitizers have a malloc of their own. With them only SQLite's allocations fail, and what is
// lost on the way is found.

#include "server/store/db.h"
#include "server/store/recordings.h"

#include "server/base/log.h"

#include <string.h>

#include "tests/unit/failing_malloc.h"
#include "tests/unit/sqlite_memory.h"
#include "tests/unit/store_fixture.h"
#include "tests/unit/store_example_step.h"

#define FAILURES_MAX 200000

// ---- failing ----

static void fail_after(int64_t left, bool once)
{
    if (FAILING_MALLOC) {
        failing_malloc_begin(left, once);
    } else {
        sqlite_memory_fail(left, once ? 1 : INT64_MAX);
    }
}

// Whether it came.
static bool fail_end(void)
{
    return FAILING_MALLOC ? failing_malloc_end() : sqlite_memory_stop() != 0;
}

static void assert_reason(nav_status status, const nav_error *err, int64_t left)
{
    if ((status != NAV_NO_MEMORY && status != PROTO_STORE_UNAVAILABLE) || err->detail[0] == '\0' ||
        strstr(err->detail, "damaged") != NULL) {
        fail_msg("allocation %lld: %s: %s", (long long)left, proto_status_word(status),
                 err->detail);
    }
}

// ---- the database ----

static void copy_file(const char *from, const char *to)
{
    uint8_t block[16384];
    size_t got;
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    assert_true(in != NULL && out != NULL);
    while ((got = fread(block, 1, sizeof block, in)) > 0) {
        assert_int_equal(fwrite(block, 1, got, out), got);
    }
    assert_int_equal(fclose(in), 0);
    assert_int_equal(fclose(out), 0);
}

static void add_ready(store *disk, const char *mesh, uint8_t key, uint8_t first)
{
    char packed[] = "landmarks";
    uint64_t activation;
    const store_tile tiles[] = {store_fixture_tile(first, first),
                                store_fixture_tile((uint8_t)(first + 1), 0),
                                store_fixture_tile((uint8_t)(first + 2), (uint8_t)(first + 2))};
    const uint32_t version = store_fixture_add(disk, mesh, key, true);
    store_result result = store_fixture_result(tiles, 3);
    const store_landmarks landmarks = {
        .fingerprint = first, .packed = packed, .packed_bytes = sizeof packed, .bytes = 90};
    result.landmarks = &landmarks;
    result.landmark_count = 1;
    assert_int_equal(store_version_ready(disk, mesh, version, &result, &activation, NULL), NAV_OK);
}

// Town has versions 1 and 2, which are equal, 3, 4, which is live, and 5, which waits and has
// finished a tile. Its copy is what each case begins with.
static int set_up(void **state)
{
    char saved[128];
    store_fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    *state = f;
    // In memory, where there is such a folder: thousands of writes would wait for a disk.
    store_fixture_init_in(f, access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    store_fixture_open(f);
    log_configure((log_level)(LOG_LEVEL_ERROR + 1), LOG_FORMAT_TEXT);
    add_ready(f->disk, "town", 'a', 1);
    add_ready(f->disk, "town", 'a', 2);
    add_ready(f->disk, "town", 'b', 10);
    add_ready(f->disk, "town", 'c', 20);
    const store_tile tile = store_fixture_tile(30, 30);
    assert_int_equal(store_fixture_add(f->disk, "town", 'd', true), 5);
    assert_int_equal(store_tiles_put(f->disk, "town", 5, &tile, 1, NULL), NAV_OK);
    add_ready(f->disk, "yard", 'e', 40);
    assert_int_equal(store_checks_set(f->disk, "town", "{\"checks\":[]}", NULL), NAV_OK);
    store_fixture_close(f);
    store_fixture_name(f, "-copy", saved);
    copy_file(f->path, saved);
    return 0;
}

static void put_back(store_fixture *f)
{
    char saved[128];
    store_fixture_close(f);
    store_fixture_name(f, "-copy", saved);
    copy_file(saved, f->path);
    store_fixture_open(f);
}

// All that its tables hold (FNV-1a).
static uint64_t sum_of(const store_fixture *f)
{
    static const char *const tables[] = {
        "SELECT * FROM meshes",        "SELECT * FROM mesh_checks",
        "SELECT * FROM versions",      "SELECT * FROM geometries",
        "SELECT * FROM blobs",         "SELECT * FROM tiles",
        "SELECT * FROM version_tiles", "SELECT * FROM version_landmarks",
        "SELECT * FROM recordings"};
    uint64_t sum = 14695981039346656037u;
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        sqlite3_stmt *s = NULL;
        assert_int_equal(sqlite3_prepare_v2(db, tables[i], -1, &s, NULL), SQLITE_OK);
        while (sqlite3_step(s) == SQLITE_ROW) {
            for (int k = 0; k < sqlite3_column_count(s); k++) {
                const uint8_t *bytes = sqlite3_column_blob(s, k);
                const int size_bytes = sqlite3_column_bytes(s, k);
                for (int b = 0; b < size_bytes; b++) {
                    sum = (sum ^ bytes[b]) * 1099511628211u;
                }
                sum = (sum ^ (uint64_t)sqlite3_column_type(s, k)) * 1099511628211u;
            }
        }
        assert_int_equal(sqlite3_finalize(s), SQLITE_OK);
    }
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    return sum;
}

// ---- each allocation of a call ----

typedef nav_status call_of(store_fixture *f, nav_error *err);

// Not each of thousands of allocations: further on every left/32-th, under the slow sanitizers
// every left/2-th.
static int64_t step_of(int64_t left)
{
    return 1 + left / (FAILING_MALLOC ? 32 : 2);
}

static void fail_call(store_fixture *f, call_of *call, bool writes, bool once)
{
    bool came = true;
    put_back(f);
    const uint64_t before = sum_of(f);
    for (int64_t left = 0; came; left += step_of(left)) {
        nav_error err = {0}, why;
        assert_true(left < FAILURES_MAX);
        store_statements_drop(&f->disk->reader); // so that to prepare one fails, too
        store_statements_drop(&f->disk->writer);
        fail_after(left, once);
        const nav_status status = call(f, &err);
        came = fail_end();
        if (status == NAV_OK && writes) {
            assert_true(sum_of(f) != before);
            assert_int_equal(store_fixture_faults(f->disk), 0);
            put_back(f);
            continue;
        }
        if (status != NAV_OK) {
            assert_reason(status, &err, left);
        }
        assert_true(sum_of(f) == before);
        store_probe(f->disk);
        assert_false(store_is_degraded(f->disk, &why));
        err = (nav_error){0};
        if (!writes && call(f, &err) != NAV_OK) {
            fail_msg("after allocation %lld: %s", (long long)left, err.detail);
        }
    }
}

static void fail_reading(void **state, call_of *call)
{
    fail_call(*state, call, false, true);
    fail_call(*state, call, false, false);
}

// The last round of each is without a failure: after all that were refused it works.
static void fail_writing(void **state, call_of *call)
{
    fail_call(*state, call, true, true);
    fail_call(*state, call, true, false);
}

// ---- questions ----

static nav_status list_names(store_fixture *f, nav_error *err)
{
    store_name *names = NULL;
    size_t count = 0;
    nav_status status = store_queued_list(f->disk, &names, &count, err);
    if (status == NAV_OK) {
        assert_int_equal(count, 1);
        free(names);
        status = store_active_list(f->disk, &names, &count, err);
    }
    if (status == NAV_OK) {
        assert_int_equal(count, 2);
        assert_int_equal(names[0].version, 4);
        free(names);
    }
    return status;
}

static nav_status list_meshes(store_fixture *f, nav_error *err)
{
    store_mesh *meshes = NULL, mesh;
    store_usage usage;
    size_t count = 0;
    nav_status status = store_mesh_list(f->disk, &meshes, &count, err);
    if (status == NAV_OK) {
        assert_int_equal(count, 2);
        assert_int_equal(meshes[0].versions, 5);
        free(meshes);
        status = store_mesh_get(f->disk, "town", &mesh, err);
    }
    if (status == NAV_OK) {
        assert_int_equal(mesh.active, 4);
        status = store_usage_get(f->disk, &usage, err);
    }
    if (status == NAV_OK) {
        assert_int_equal(usage.meshes, 2);
        assert_int_equal(usage.versions[STORE_READY], 5);
        assert_true(usage.file_bytes > 0);
    }
    return status;
}

static nav_status list_versions(store_fixture *f, nav_error *err)
{
    store_version *rows = NULL;
    uint32_t found = 0;
    const uint8_t key[32] = {'a'};
    size_t count = 0;
    nav_status status = store_version_list(f->disk, "town", &rows, &count, err);
    if (status == NAV_OK) {
        assert_int_equal(count, 5);
        store_versions_free(rows, count);
        status = store_version_find(f->disk, "town", key, &found, err);
    }
    assert_true(status != NAV_OK || found == 2);
    return status;
}

static nav_status read_tiles(store_fixture *f, nav_error *err)
{
    store_tile *tiles = NULL, tile = {0};
    const uint8_t key[32] = {1};
    size_t count = 0;
    bool found = false;
    nav_status status = store_tiles_load(f->disk, "town", 1, &tiles, &count, err);
    if (status == NAV_OK) {
        assert_int_equal(count, 2);
        assert_memory_equal(tiles[1].packed, "packed", 6);
        store_tiles_free(tiles, count);
        status = store_tiles_list(f->disk, "town", 1, &tiles, &count, err);
    }
    if (status == NAV_OK) {
        assert_int_equal(count, 2);
        store_tiles_free(tiles, count);
        status = store_tile_find(f->disk, "town", 1, true, key, &tile, &found, err);
    }
    if (status == NAV_OK) {
        assert_true(found);
        store_tile_empty(&tile);
    }
    return status;
}

static nav_status read_blocks(store_fixture *f, nav_error *err)
{
    store_geometry geometry;
    store_landmarks landmarks = {0};
    nav_status status = store_geometry_load(f->disk, "town", 1, &geometry, err);
    if (status == NAV_OK) {
        assert_memory_equal(geometry.packed, "geometrya", 9);
        free(geometry.packed);
        status = store_landmarks_load(f->disk, "town", 1, &landmarks, err);
    }
    if (status == NAV_OK) {
        assert_string_equal(landmarks.packed, "landmarks");
        free(landmarks.packed);
    }
    return status;
}

static nav_status read_checks(store_fixture *f, nav_error *err)
{
    char *checks = NULL;
    bool ready = false;
    nav_status status = store_checks_get(f->disk, "town", &checks, err);
    if (status == NAV_OK) {
        assert_string_equal(checks, "{\"checks\":[]}");
        free(checks);
        status = store_version_checks_get(f->disk, "town", 1, &ready, &checks, err);
    }
    if (status == NAV_OK) {
        assert_true(ready);
        free(checks);
    }
    return status;
}

// ---- verify ----

static nav_status verify_rows(store_fixture *f, nav_error *err)
{
    int faults = 0;
    nav_status status = store_faults_each(f->disk, store_fixture_count_fault, &faults, err);
    assert_int_equal(faults, 0);
    return status;
}

static nav_status landmarks_of(store_fixture *f, nav_error *err)
{
    store_landmarks found = {.fingerprint = 10};
    nav_status status = store_landmarks_load(f->disk, NULL, 0, &found, err);
    free(found.packed);
    return status;
}

// ---- writes ----

static nav_status delete_version(store_fixture *f, nav_error *err)
{
    return store_version_delete(f->disk, "town", 3, false, err);
}

static nav_status delete_mesh(store_fixture *f, nav_error *err)
{
    uint64_t activation;
    return store_mesh_delete(f->disk, "town", false, &activation, err);
}

// Versions 1, 2 and 3 go.
static nav_status end_bake(store_fixture *f, nav_error *err)
{
    uint64_t activation;
    uint32_t removed = 0;
    char packed[] = "landmarks";
    const store_tile tiles[] = {store_fixture_tile(30, 31), store_fixture_tile(1, 1)};
    store_result result = store_fixture_result(tiles, 2);
    result.keep_versions = 1;
    result.removed = &removed;
    result.checks_failed = true;
    result.checks_json = "[]";
    const store_landmarks landmarks = {
        .fingerprint = 9, .packed = packed, .packed_bytes = sizeof packed, .bytes = 90};
    result.landmarks = &landmarks;
    result.landmark_count = 1;
    nav_status status = store_version_ready(f->disk, "town", 5, &result, &activation, err);
    assert_true(status != NAV_OK || removed == 3);
    return status;
}

static nav_status put_tiles(store_fixture *f, nav_error *err)
{
    // In the place of one that was finished, one of another version with another key, and one
    // without ground.
    store_tile tiles[] = {store_fixture_tile(30, 32), store_fixture_tile(31, 1),
                          store_fixture_tile(33, 0), store_fixture_tile(34, 10)};
    tiles[3].report = NULL;
    tiles[3].report_bytes = 0;
    return store_tiles_put(f->disk, "town", 5, tiles, 4, err);
}

static nav_status fail_bake(store_fixture *f, nav_error *err)
{
    const nav_error why = {.status = NAV_MESH_EMPTY, .detail = "no place to stand"};
    return store_version_failed(f->disk, "town", 5, &why, err);
}

static nav_status cancel_bake(store_fixture *f, nav_error *err)
{
    bool cancelled = false;
    nav_status status = store_version_cancel(f->disk, "town", 5, &cancelled, err);
    assert_true(status != NAV_OK || cancelled);
    return status;
}

static nav_status switch_live(store_fixture *f, nav_error *err)
{
    store_mesh before;
    uint64_t activation;
    return store_activate(f->disk, "town", 1, STORE_ANY_ACTIVATION, &before, &activation, err);
}

static nav_status note_checks(store_fixture *f, nav_error *err)
{
    return store_version_checks_set(f->disk, "town", 3, "[]", err);
}

static nav_status repair(store_fixture *f, nav_error *err)
{
    uint64_t activation;
    const store_tile tiles[] = {store_fixture_tile(50, 50), store_fixture_tile(51, 51)};
    store_result result = store_fixture_result(tiles, 2);
    result.repairs = true;
    result.geometry_json = "{\"g\":2}";
    return store_version_ready(f->disk, "town", 3, &result, &activation, err);
}

static nav_status record(store_fixture *f, nav_error *err)
{
    char bundle[] = "bundle";
    store_recording row = {.id = "A",
                           .mesh = "town",
                           .version = 3,
                           .kind = "path",
                           .bundle = bundle,
                           .bundle_bytes = sizeof bundle};
    return store_recording_insert(f->disk, &row, err);
}

static nav_status upload_again(store_fixture *f, nav_error *err)
{
    const store_upload how = {.activate = true, .gate = STORE_GATE_FORCE, .reuse = true};
    uint32_t version;
    bool existing = false;
    nav_status status = store_fixture_upload(f->disk, "town", 'd', &how, &version, &existing, err);
    assert_true(status != NAV_OK || (existing && version == 5));
    return status;
}

#define READING(name)                                                                              \
    static void in_##name(void **state)                                                            \
    {                                                                                              \
        fail_reading(state, name);                                                                 \
    }
#define WRITING(name)                                                                              \
    static void in_##name(void **state)                                                            \
    {                                                                                              \
        fail_writing(state, name);                                                                 \
    }

READING(list_names)
READING(list_meshes)
READING(list_versions)
READING(read_tiles)
READING(read_blocks)
READING(read_checks)
READING(verify_rows)
READING(landmarks_of)
WRITING(delete_version)
WRITING(delete_mesh)
WRITING(end_bake)
WRITING(put_tiles)
WRITING(fail_bake)
WRITING(cancel_bake)
WRITING(switch_live)
WRITING(note_checks)
WRITING(repair)
WRITING(record)
WRITING(upload_again)

// Each fault is told, or that there was no memory for it.
static void in_verify_of_damage(void **state)
{
    store_fixture *f = *state;
    put_back(f);
    store_fixture_execute(f, "DELETE FROM blobs WHERE id < 3;"
                             "DELETE FROM version_tiles WHERE version = 3;"
                             "UPDATE meshes SET active = 77 WHERE name = 'yard';"
                             "UPDATE meshes SET name = x'ff' WHERE name = 'town'");
    const int wanted = store_fixture_faults(f->disk);
    assert_true(wanted > 3);
    for (int once = 0; once < 2; once++) {
        bool came = true;
        for (int64_t left = 0; came; left += step_of(left)) {
            nav_error err = {0};
            int faults = 0;
            store_statements_drop(&f->disk->reader);
            fail_after(left, once != 0);
            nav_status status =
                store_faults_each(f->disk, store_fixture_count_fault, &faults, &err);
            came = fail_end();
            if (status != NAV_OK) {
                assert_reason(status, &err, left);
            } else {
                assert_int_equal(faults, wanted);
            }
        }
    }
}

// ---- files ----

// The copy is there, or nothing of it is.
static void in_a_backup(void **state)
{
    store_fixture *f = *state;
    char copy[128];
    store_fixture_name(f, "-new", copy);
    put_back(f);
    const unsigned entries = store_fixture_entries(f);
    for (int once = 0; once < 2; once++) {
        bool came = true;
        for (int64_t left = 0; came; left += step_of(left)) {
            nav_error err = {0};
            fail_after(left, once != 0);
            const nav_status status = store_backup(f->disk, copy, &err);
            came = fail_end();
            if (status != NAV_OK) {
                assert_reason(status, &err, left);
                assert_non_null(strstr(err.detail, copy));
            }
            assert_int_equal(store_fixture_entries(f), entries + (status == NAV_OK));
            (void)unlink(copy);
        }
    }
    assert_int_equal(store_backup(f->disk, copy, NULL), NAV_OK);
    store_fixture_close(f);
    assert_int_equal(rename(copy, f->path), 0);
    store_fixture_open(f);
    assert_int_equal(store_fixture_faults(f->disk), 0);
    store_version row;
    assert_int_equal(store_version_get(f->disk, "town", 5, &row, NULL), NAV_OK);
    store_version_free(&row);
}

// A start with an older file: it is migrated, or as it was; the next one opens it with all that is
// in it.
static void in_a_migration(void **state)
{
    const store_schema example = store_example_schema();
    store_fixture *f = *state;
    for (int once = 0; once < 2; once++) {
        bool came = true;
        for (int64_t left = 0; came; left += 1 + left / 8) {
            nav_error err = {0};
            put_back(f);
            store_fixture_close(f);
            fail_after(left, once != 0);
            const nav_status status = store_open_as(f->path, &example, &f->disk, &err);
            came = fail_end();
            if (status != NAV_OK) {
                assert_reason(status, &err, left);
                assert_null(f->disk);
            }
            store_fixture_close(f);
            assert_int_equal(store_open_as(f->path, &example, &f->disk, &err), NAV_OK);
            assert_int_equal(store_fixture_ask(f, "PRAGMA user_version"), EXAMPLE_NUMBER);
            assert_int_equal(store_fixture_ask(f, "SELECT count(*) FROM versions"), 6);
            assert_int_equal(store_fixture_faults(f->disk), 0);
        }
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, store_fixture_tear_down)

int main(void)
{
    sqlite_memory_set_up();
    const struct CMUnitTest tests[] = {
        TEST(in_list_names),   TEST(in_list_meshes),      TEST(in_list_versions),
        TEST(in_read_tiles),   TEST(in_read_blocks),      TEST(in_read_checks),
        TEST(in_verify_rows),  TEST(in_landmarks_of),     TEST(in_delete_version),
        TEST(in_delete_mesh),  TEST(in_end_bake),         TEST(in_put_tiles),
        TEST(in_fail_bake),    TEST(in_cancel_bake),      TEST(in_switch_live),
        TEST(in_note_checks),  TEST(in_repair),           TEST(in_record),
        TEST(in_upload_again), TEST(in_verify_of_damage), TEST(in_a_backup),
        TEST(in_a_migration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
