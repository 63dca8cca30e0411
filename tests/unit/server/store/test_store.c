// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_store.c: what was acknowledged is there after a restart, numbers never come back, and races
// have one winner.

#include "server/store/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/store_fixture.h"

static nav_status finish(store_fixture *f, const char *mesh, uint32_t version, uint64_t *activation)
{
    char first[] = "tile one", second[] = "tile two";
    const store_tile tiles[] = {
        {.x = 1, .z = 0, .hash = {9}, .packed = second, .packed_bytes = 8, .bytes = 80},
        {.x = 0, .z = 0, .hash = {8}, .packed = first, .packed_bytes = 8, .bytes = 70}};
    const store_result result = store_fixture_result(tiles, 2);
    return store_version_ready(f->disk, mesh, version, &result, activation, NULL);
}

static uint64_t finish_well(store_fixture *f, const char *mesh, uint32_t version)
{
    uint64_t activation = 99;
    assert_int_equal(finish(f, mesh, version, &activation), NAV_OK);
    return activation;
}

static store_version get(store_fixture *f, const char *mesh, uint32_t version)
{
    store_version row = {0};
    assert_int_equal(store_version_get(f->disk, mesh, version, &row, NULL), NAV_OK);
    return row;
}

static void acknowledged_is_there_after_reopening(void **state)
{
    store_fixture *f = *state;
    assert_int_equal(store_fixture_add(f->disk, "town", 'a', true), 1);
    assert_int_equal(store_fixture_add(f->disk, "town", 'b', true), 2);
    assert_int_equal(finish_well(f, "town", 1), 1);
    store_fixture_open(f);
    store_version row = get(f, "town", 1);
    assert_int_equal(row.state, STORE_READY);
    assert_true(row.active);
    assert_int_equal(row.tiles_total, 4);
    assert_string_equal(row.geometry_json, "{\"g\":1}");
    assert_string_equal(row.stats_json, "{\"s\":1}");
    assert_int_equal(strlen(row.created_at), 24);
    store_version_free(&row);
    store_name *queued;
    size_t count;
    assert_int_equal(store_queued_list(f->disk, &queued, &count, NULL), NAV_OK);
    assert_int_equal(count, 1);
    assert_string_equal(queued[0].mesh, "town");
    assert_int_equal(queued[0].version, 2);
    free(queued);
    store_tile *tiles;
    assert_int_equal(store_tiles_load(f->disk, "town", 1, &tiles, &count, NULL), NAV_OK);
    assert_int_equal(count, 2);
    assert_memory_equal(tiles[0].packed, "tile one", 8); // in order of z, x
    assert_int_equal(tiles[1].x, 1);
    assert_int_equal(tiles[1].bytes, 80);
    store_tiles_free(tiles, count);
    store_geometry geometry;
    assert_int_equal(store_geometry_load(f->disk, "town", 2, &geometry, NULL), NAV_OK);
    assert_int_equal(geometry.hash[1], 'b');
    assert_int_equal(geometry.packed_bytes, 9);
    assert_int_equal(geometry.bytes, 90);
    assert_memory_equal(geometry.packed, "geometryb", 9);
    free(geometry.packed);
}

static void numbers_are_never_used_again(void **state)
{
    store_fixture *f = *state;
    uint64_t activation;
    assert_int_equal(store_fixture_add(f->disk, "town", 'a', true), 1);
    assert_int_equal(store_fixture_add(f->disk, "town", 'b', true), 2);
    finish_well(f, "town", 1);
    assert_int_equal(store_version_delete(f->disk, "town", 2, false, NULL), NAV_OK);
    assert_int_equal(store_fixture_add(f->disk, "town", 'c', true), 3);
    assert_int_equal(store_mesh_delete(f->disk, "town", false, &activation, NULL), NAV_OK);
    assert_int_equal(activation, 2);
    store_mesh mesh;
    assert_int_equal(store_mesh_get(f->disk, "town", &mesh, NULL), PROTO_MESH_NOT_FOUND);
    assert_int_equal(store_mesh_delete(f->disk, "town", false, &activation, NULL),
                     PROTO_MESH_NOT_FOUND);
    store_fixture_open(f);
    assert_int_equal(store_fixture_add(f->disk, "town", 'a', true), 4);
    assert_int_equal(store_fixture_add(f->disk, "other", 'a', true), 1);
}

static void equal_uploads_share_a_version(void **state)
{
    store_fixture *f = *state;
    uint32_t version = store_fixture_add(f->disk, "town", 'a', false), again = 0, found = 7;
    bool existing = false;
    assert_int_equal(store_fixture_insert(f->disk, "town", 'a', true, true, &again, &existing),
                     NAV_OK);
    assert_true(existing);
    assert_int_equal(again, version);
    // The second asked for activation, so the one bake ends live.
    assert_int_equal(finish_well(f, "town", version), 1);
    uint8_t key[32] = {'a'};
    assert_int_equal(store_version_find(f->disk, "town", key, &found, NULL), NAV_OK);
    assert_int_equal(found, version);
    assert_int_equal(store_version_find(f->disk, "other", key, &found, NULL), NAV_OK);
    assert_int_equal(found, 0);
    assert_int_equal(store_fixture_insert(f->disk, "town", 'a', true, false, &again, &existing),
                     NAV_OK);
    assert_false(existing); // reuse=0
    // A version that failed stands for nobody.
    uint32_t bad = store_fixture_add(f->disk, "bad", 'b', true);
    const nav_error why = {.status = NAV_MESH_EMPTY, .detail = "steep", .at = "here"};
    assert_int_equal(store_version_failed(f->disk, "bad", bad, &why, NULL), NAV_OK);
    assert_int_equal(store_fixture_insert(f->disk, "bad", 'b', true, true, &again, &existing),
                     NAV_OK);
    assert_false(existing);
    store_version row = get(f, "bad", bad);
    assert_int_equal(row.state, STORE_FAILED);
    assert_int_equal(row.error.status, NAV_MESH_EMPTY);
    assert_string_equal(row.error.detail, "steep");
    assert_string_equal(row.error.at, "here");
    store_version_free(&row);
}

static void an_older_bake_does_not_push_a_newer_aside(void **state)
{
    store_fixture *f = *state;
    store_fixture_add(f->disk, "town", 'a', true);
    store_fixture_add(f->disk, "town", 'b', true);
    store_fixture_add(f->disk, "town", 'c', false);
    assert_int_equal(finish_well(f, "town", 2), 1);
    assert_int_equal(finish_well(f, "town", 1), 0);
    assert_int_equal(finish_well(f, "town", 3), 0); // activate=0
    store_mesh mesh;
    assert_int_equal(store_mesh_get(f->disk, "town", &mesh, NULL), NAV_OK);
    assert_int_equal(mesh.active, 2);
    assert_int_equal(mesh.versions, 3);
}

static void switching(void **state)
{
    store_fixture *f = *state;
    store_fixture_add(f->disk, "town", 'a', true);
    store_fixture_add(f->disk, "town", 'b', true);
    finish_well(f, "town", 1);
    store_mesh before;
    uint64_t activation;
    assert_int_equal(
        store_activate(f->disk, "no", 1, STORE_ANY_ACTIVATION, &before, &activation, NULL),
        PROTO_MESH_NOT_FOUND);
    assert_int_equal(
        store_activate(f->disk, "town", 9, STORE_ANY_ACTIVATION, &before, &activation, NULL),
        PROTO_VERSION_NOT_FOUND);
    assert_int_equal(
        store_activate(f->disk, "town", 2, STORE_ANY_ACTIVATION, &before, &activation, NULL),
        PROTO_VERSION_NOT_READY);
    finish_well(f, "town", 2);
    assert_int_equal(store_activate(f->disk, "town", 1, 1, &before, &activation, NULL),
                     PROTO_STALE_ETAG);
    assert_int_equal(store_activate(f->disk, "town", 1, 2, &before, &activation, NULL), NAV_OK);
    assert_int_equal(before.active, 2);
    assert_int_equal(activation, 3);
    // Once more changes nothing, so that the ETag stays.
    assert_int_equal(store_activate(f->disk, "town", 1, 3, &before, &activation, NULL), NAV_OK);
    assert_int_equal(activation, 3);
    assert_int_equal(store_version_delete(f->disk, "town", 1, false, NULL), PROTO_VERSION_ACTIVE);
    assert_int_equal(store_version_delete(f->disk, "town", 2, false, NULL), NAV_OK);
    assert_int_equal(store_version_delete(f->disk, "town", 2, false, NULL),
                     PROTO_VERSION_NOT_FOUND);
    // The tiles that both had in common are still there for the one that is left.
    store_tile *tiles;
    size_t count;
    assert_int_equal(store_tiles_load(f->disk, "town", 1, &tiles, &count, NULL), NAV_OK);
    assert_int_equal(count, 2);
    store_tiles_free(tiles, count);
}

static void cancel_and_end_have_one_winner(void **state)
{
    store_fixture *f = *state;
    uint64_t activation;
    bool cancelled;
    store_fixture_add(f->disk, "town", 'a', true);
    store_fixture_add(f->disk, "town", 'b', true);
    assert_int_equal(store_version_cancel(f->disk, "town", 1, &cancelled, NULL), NAV_OK);
    assert_true(cancelled);
    assert_int_equal(finish(f, "town", 1, &activation), NAV_CANCELLED);
    assert_int_equal(finish(f, "town", 2, &activation), NAV_OK);
    assert_int_equal(store_version_cancel(f->disk, "town", 2, &cancelled, NULL), NAV_OK);
    assert_false(cancelled);
    store_version row = get(f, "town", 1);
    assert_int_equal(row.state, STORE_CANCELLED);
    store_version_free(&row);
    assert_int_equal(finish(f, "town", 77, &activation), NAV_CANCELLED);
}

// A transaction that fails, also after what it would have told is known, tells nothing.
static void what_was_not_committed_is_not_told(void **state)
{
    store_fixture *f = *state;
    store_mesh before = {.active = 99};
    uint64_t activation = 99;
    store_fixture_add(f->disk, "town", 'a', true);
    store_fixture_add(f->disk, "town", 'b', true);
    store_fixture_execute(f, "CREATE TRIGGER no AFTER UPDATE OF active ON meshes BEGIN"
                             " SELECT RAISE(ABORT, 'no'); END");
    assert_int_equal(finish(f, "town", 2, &activation), PROTO_INTERNAL);
    assert_int_equal(activation, 99);
    store_fixture_execute(f, "DROP TRIGGER no");
    finish_well(f, "town", 1);
    finish_well(f, "town", 2);
    store_fixture_execute(f, "CREATE TRIGGER no AFTER UPDATE ON meshes BEGIN"
                             " SELECT RAISE(ABORT, 'no'); END;"
                             "CREATE TRIGGER never AFTER UPDATE ON versions BEGIN"
                             " SELECT RAISE(ABORT, 'no'); END");
    assert_int_equal(
        store_activate(f->disk, "town", 1, STORE_ANY_ACTIVATION, &before, &activation, NULL),
        PROTO_INTERNAL);
    store_result result = store_fixture_result(NULL, 0);
    result.repairs = true;
    assert_int_equal(store_version_ready(f->disk, "town", 2, &result, &activation, NULL),
                     PROTO_INTERNAL);
    assert_int_equal(store_mesh_delete(f->disk, "town", false, &activation, NULL), PROTO_INTERNAL);
    assert_int_equal(activation, 99);
    assert_int_equal(before.active, 99);
}

// ---- numbers that cannot be ----

static void versions_whose_numbers_are_damaged_are_nobodys(void **state)
{
    static const char *const numbers[] = {"0", "-1", "4294967296", "4294967297", "'x'"};
    store_fixture *f = *state;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char sql[96], name[8];
        store_name *names;
        store_version *rows;
        size_t count;
        uint32_t version = 0;
        bool existing = true;
        (void)snprintf(name, sizeof name, "town%zu", i);
        store_fixture_add(f->disk, name, 'a', true);
        (void)snprintf(sql, sizeof sql,
                       "UPDATE versions SET version = %s WHERE version = 1 AND state = 'queued'",
                       numbers[i]);
        store_fixture_execute(f, sql);
        assert_int_equal(store_queued_list(f->disk, &names, &count, NULL), NAV_OK);
        assert_int_equal(count, 1);
        assert_int_equal(names[0].version, 0);
        free(names);
        assert_int_equal(store_version_list(f->disk, name, &rows, &count, NULL), NAV_OK);
        assert_int_equal(count, 1);
        assert_int_equal(rows[0].version, 0);
        assert_true(rows[0].damaged);
        store_versions_free(rows, count);
        assert_true(store_fixture_faults(f->disk) > 0);
        // It stands for no upload, and keeps none from its number.
        assert_int_equal(store_fixture_insert(f->disk, name, 'a', true, true, &version, &existing),
                         NAV_OK);
        assert_int_equal(version, 2);
        assert_false(existing);
        assert_true(finish_well(f, name, 2) > 0);
        store_fixture_execute(f, "DELETE FROM versions WHERE state = 'queued'");
    }
}

// One that was never live may have any; what follows is always a count that was not there before.
static void a_count_of_switches_that_is_damaged_goes_on(void **state)
{
    static const char *const counts[] = {"-1", "0", "9223372036854775807", "'x'", "1.5"};
    store_fixture *f = *state;
    store_fixture_add(f->disk, "town", 'a', true);
    store_fixture_add(f->disk, "town", 'b', true);
    finish_well(f, "town", 1);
    finish_well(f, "town", 2);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        char sql[96];
        store_mesh mesh, before;
        store_name *names;
        size_t count;
        uint64_t activation = 0;
        const uint32_t wanted = i % 2 == 0 ? 1 : 2;
        (void)snprintf(sql, sizeof sql, "UPDATE meshes SET activation = %s", counts[i]);
        store_fixture_execute(f, sql);
        assert_int_equal(store_fixture_faults(f->disk), 1);
        assert_int_equal(store_active_list(f->disk, &names, &count, NULL), NAV_OK);
        assert_int_equal(count, 1);
        assert_true(names[0].activation > 2);
        assert_int_equal(store_mesh_get(f->disk, "town", &mesh, NULL), NAV_OK);
        assert_int_equal(mesh.activation, names[0].activation);
        free(names);
        assert_int_equal(
            store_activate(f->disk, "town", wanted, mesh.activation, &before, &activation, NULL),
            NAV_OK);
        assert_int_equal(activation, mesh.activation + 1);
        assert_int_equal(store_fixture_faults(f->disk), 0);
    }
}

static void a_live_version_whose_number_is_damaged_is_told(void **state)
{
    static const char *const numbers[] = {"-1", "4294967296", "4294967297", "'x'"};
    store_fixture *f = *state;
    store_fixture_add(f->disk, "town", 'a', true);
    finish_well(f, "town", 1);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char sql[96];
        store_mesh mesh, before;
        store_name *names;
        size_t count;
        uint64_t activation = 0;
        (void)snprintf(sql, sizeof sql, "UPDATE meshes SET active = %s", numbers[i]);
        store_fixture_execute(f, sql);
        assert_true(store_fixture_faults(f->disk) > 0);
        assert_int_equal(store_active_list(f->disk, &names, &count, NULL), NAV_OK);
        assert_int_equal(count, 1);
        assert_int_equal(names[0].version, 0);
        free(names);
        assert_int_equal(store_mesh_get(f->disk, "town", &mesh, NULL), NAV_OK);
        assert_int_equal(mesh.active, 0);
        assert_int_equal(
            store_activate(f->disk, "town", 1, STORE_ANY_ACTIVATION, &before, &activation, NULL),
            NAV_OK);
        assert_int_equal(store_fixture_faults(f->disk), 0);
    }
}

// ---- repairs ----

static void a_version_that_is_baked_again_is_whole_and_as_it_was(void **state)
{
    static const char now[] = "2026-11-28T22:00:00.123Z";
    store_fixture *f = *state;
    const store_tile tile = store_fixture_tile(1, 1);
    store_result result = store_fixture_result(&tile, 1);
    uint64_t activation = 99;
    assert_int_equal(store_fixture_add_baked(f->disk, "town", 'a', &tile), 1);
    result.repairs = true;
    for (int round = 0; round < 2; round++) {
        store_tile *tiles;
        size_t count;
        store_fixture_execute(f, "UPDATE tiles SET checksum = 0; DELETE FROM version_tiles");
        store_fixture_execute(f, round == 0 ? "UPDATE versions SET blob_json = NULL, stats_json ="
                                              " '{', geometry_json = x'00', created_at = x'00',"
                                              " error_code = 7"
                                            : "UPDATE versions SET blob_json = '['");
        result.geometry_json = round == 0 ? "{\"g\":7}" : NULL;
        result.created_at = round == 0 ? now : NULL;
        assert_int_equal(store_version_ready(f->disk, "town", 1, &result, &activation, NULL),
                         NAV_OK);
        assert_int_equal(activation, 1); // it is live, and was not switched
        store_version row = get(f, "town", 1);
        assert_true(row.active && !row.damaged && row.state == STORE_READY);
        assert_string_equal(row.geometry_json, "{\"g\":7}");
        assert_string_equal(row.created_at, now);
        assert_string_equal(row.stats_json, "{\"s\":1}");
        assert_int_equal(row.error.status, NAV_OK);
        store_version_free(&row);
        assert_int_equal(store_tiles_load(f->disk, "town", 1, &tiles, &count, NULL), NAV_OK);
        assert_int_equal(count, 1);
        assert_memory_equal(tiles[0].packed, "packed", 6);
        store_tiles_free(tiles, count);
        assert_int_equal(store_fixture_faults(f->disk), 0);
    }
    // One that waits, or is not there, has nothing to repair.
    store_fixture_add(f->disk, "town", 'b', true);
    activation = 99;
    assert_int_equal(store_version_ready(f->disk, "town", 2, &result, &activation, NULL),
                     NAV_CANCELLED);
    assert_int_equal(store_version_ready(f->disk, "none", 1, &result, &activation, NULL),
                     NAV_CANCELLED);
    assert_int_equal(activation, 99);
}

static void what_is_being_repaired_says_so_in_place_of_the_advice(void **state)
{
    nav_error err = {0};
    (void)state;
    assert_int_equal(damage_fail(&err, "town", 3, "tile %u,%u", 4u, 0u), PROTO_INTERNAL);
    assert_string_equal(err.detail, "version 3 of mesh 'town' is damaged in the database: tile 4,0."
                                    " Upload it again or restore a backup; navmeshd verify tells"
                                    " all");
    damage_is_repaired(&err);
    assert_int_equal(err.status, PROTO_NOT_READY);
    assert_string_equal(err.detail, "version 3 of mesh 'town' is damaged in the database: tile 4,0."
                                    " It is being baked again from what is whole; ask later");
    // One that is not of damage stays as it is.
    (void)nav_fail(&err, PROTO_MESH_NOT_FOUND, "there is no mesh 'yard'");
    damage_is_repaired(&err);
    assert_int_equal(err.status, PROTO_MESH_NOT_FOUND);
    assert_string_equal(err.detail, "there is no mesh 'yard'");
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, store_fixture_set_up, store_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(acknowledged_is_there_after_reopening),
        TEST(numbers_are_never_used_again),
        TEST(equal_uploads_share_a_version),
        TEST(an_older_bake_does_not_push_a_newer_aside),
        TEST(switching),
        TEST(cancel_and_end_have_one_winner),
        TEST(what_was_not_committed_is_not_told),
        TEST(versions_whose_numbers_are_damaged_are_nobodys),
        TEST(a_count_of_switches_that_is_damaged_goes_on),
        TEST(a_live_version_whose_number_is_damaged_is_told),
        TEST(a_version_that_is_baked_again_is_whole_and_as_it_was),
        TEST(what_is_being_repaired_says_so_in_place_of_the_advice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
