// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_checks.c: checks are read strictly and written so that they read back the same; the gate
// keeps what fails from going live, unless it is forced.

#include "server/meshes/checks.h"
#include "tests/unit/mesh_builder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "proto/requests/requests.h"
#include "tests/unit/asked.h"
#include "tests/unit/store_fixture.h"

// ---- reading and writing ----

static nav_status read_text(const char *json, nav_arena *memory, proto_checks *out, nav_error *err)
{
    return proto_checks_read(json, strlen(json), memory, out, err);
}

static char *write_text(const proto_checks *checks)
{
    proto_writer w;
    size_t size_bytes;
    proto_writer_init(&w);
    proto_write_object_begin(&w);
    proto_write_key(&w, "checks");
    proto_write_checks(&w, checks, true);
    proto_write_object_end(&w);
    char *text = proto_writer_take(&w, &size_bytes);
    assert_non_null(text);
    return text;
}

static void what_is_written_reads_back_the_same(void **state)
{
    (void)state;
    static const char sent[] =
        "{\"checks\":[{\"name\":\"way \\\"a\\\"\",\"start\":[0.1,2,-3e5],\"end\":[1,2,3],"
        "\"expect\":\"reachable\",\"max_length\":80.25,\"snap\":{\"down\":0}},"
        "{\"name\":\"no way\",\"expect\":\"unreachable\",\"start\":[0,0,0],\"end\":[1,1,1]},"
        "{\"name\":\"spot\",\"expect\":\"on_mesh\",\"point\":[7,8,9]},"
        "{\"name\":\"spots\",\"expect\":\"on_mesh\",\"start\":[7,8,9],\"end\":[1,1,1]},"
        "{\"name\":\"size\",\"min_walkable_area\":0}]}";
    nav_arena memory;
    proto_checks checks, again;
    nav_arena_init(&memory, NULL, 1u << 20);
    assert_int_equal(read_text(sent, &memory, &checks, NULL), NAV_OK);
    assert_int_equal(checks.count, 5);
    assert_string_equal(checks.items[0].name, "way \"a\"");
    assert_true(checks.items[0].start[2] == -3e5f && checks.items[0].snap.down == 0);
    assert_true(checks.items[0].snap.up == 4.0f && checks.items[0].max_length == 80.25f);
    assert_int_equal(checks.items[1].expect, PROTO_EXPECT_UNREACHABLE);
    assert_false(checks.items[1].has_max_length);
    assert_true(checks.items[2].start[0] == 7.0f && !checks.items[2].has_end);
    assert_true(checks.items[3].has_end);
    assert_int_equal(checks.items[4].expect, PROTO_EXPECT_AREA);
    char *once = write_text(&checks);
    assert_int_equal(read_text(once, &memory, &again, NULL), NAV_OK);
    char *twice = write_text(&again);
    assert_string_equal(once, twice);
    assert_non_null(strstr(once, "\"start\":[0.1,2,-300000]"));
    free(once);
    free(twice);
    nav_arena_free(&memory);
}

static void without_memory_nothing_is_read(void **state)
{
    (void)state;
    nav_arena memory;
    proto_checks checks = {.count = 7};
    nav_error err = {0};
    nav_arena_init(&memory, NULL, 16);
    assert_int_equal(read_text("{\"checks\":[{\"name\":\"a\",\"min_walkable_area\":1}]}", &memory,
                               &checks, &err),
                     NAV_NO_MEMORY);
    assert_int_equal(checks.count, 7);
    nav_arena_free(&memory);
    nav_arena_init(&memory, NULL, 1u << 10);
    assert_int_equal(read_text("{\"checks\":[]}", &memory, &checks, &err), NAV_OK);
    assert_int_equal(checks.count, 0);
    nav_arena_free(&memory);
}

// ---- running ----

static void sentences(void **state)
{
    store_fixture *f = *state;
    nav_mesh *mesh = map_mesh("....#..");
    checks_outcome outcome;
    assert_int_equal(checks_run(f->disk, "m", mesh, NULL, &outcome, NULL), NAV_OK);
    assert_string_equal(outcome.json, "[]");
    checks_outcome_free(&outcome);
    assert_int_equal(
        store_checks_set(
            f->disk, "m",
            "{\"checks\":[{\"name\":\"a\",\"start\":[0.5,0,0.5],\"end\":[3.5,0,0.5],"
            "\"expect\":\"reachable\",\"max_length\":3},{\"name\":\"b\",\"start\":[0.5,0,0.5],"
            "\"end\":[6,0,0.5],\"expect\":\"reachable\"},"
            "{\"name\":\"c\",\"min_walkable_area\":6}]}",
            NULL),
        NAV_OK);
    assert_int_equal(checks_run(f->disk, "m", mesh, NULL, &outcome, NULL), NAV_OK);
    assert_int_equal(outcome.count, 3);
    assert_int_equal(outcome.failed, 1);
    assert_string_equal(outcome.first, "'b': there is no way from start to end");
    assert_string_equal(
        outcome.json,
        "[{\"name\":\"a\",\"passed\":true,\"detail\":\"the way is 3 long, at most 3\"},"
        "{\"name\":\"b\",\"passed\":false,\"detail\":\"there is no way from start to end\"},"
        "{\"name\":\"c\",\"passed\":true,\"detail\":\"the walkable area is 6, at least 6\"}]");
    checks_outcome_free(&outcome);
    // Asked after each check, and within a long search.
    for (uint32_t i = 1; i <= 3; i++) {
        asked a = {.cancel_at = i};
        const nav_bake_hooks hooks = asked_hooks(&a);
        nav_error err = {0};
        assert_int_equal(checks_run(f->disk, "m", mesh, &hooks, &outcome, &err), NAV_CANCELLED);
        assert_int_equal(err.status, NAV_CANCELLED);
        assert_null(outcome.json);
        checks_outcome_free(&outcome);
    }
    // Checks that cannot be read count as one that fails.
    assert_int_equal(store_checks_set(f->disk, "m", "{\"checks\":[{}]}", NULL), NAV_OK);
    assert_int_equal(checks_run(f->disk, "m", mesh, NULL, &outcome, NULL), NAV_OK);
    assert_int_equal(outcome.failed, 1);
    assert_string_equal(outcome.first, "the checks of mesh 'm' are damaged in the database: PUT "
                                       "them again, or restore a backup");
    assert_non_null(strstr(outcome.json, "[{\"name\":\"checks\",\"passed\":false,"));
    checks_outcome_free(&outcome);
    nav_mesh_release(mesh);
}

// ---- the store ----

static uint32_t insert(store_fixture *f, uint8_t key, bool activate, store_gate gate)
{
    uint8_t hash[32] = {key};
    uint32_t version = 0;
    bool existing;
    const store_upload upload = {.mesh = "m",
                                 .content_key = hash,
                                 .geometry_hash = hash,
                                 .geometry = "g",
                                 .geometry_bytes = 1,
                                 .geometry_unpacked_bytes = 1,
                                 .geometry_json = "{}",
                                 .config_json = "{}",
                                 .tiles_total = 1,
                                 .activate = activate,
                                 .gate = gate,
                                 .reuse = true};
    assert_int_equal(store_version_insert(f->disk, &upload, &version, &existing, NULL), NAV_OK);
    return version;
}

static uint64_t finish_with(store_fixture *f, uint32_t version, bool failed, bool warned)
{
    uint64_t activation = 99;
    store_result result = store_fixture_result(NULL, 0);
    result.checks_json = "[1]";
    result.checks_failed = failed;
    result.has_warnings = warned;
    assert_int_equal(store_version_ready(f->disk, "m", version, &result, &activation, NULL),
                     NAV_OK);
    return activation;
}

static uint64_t finish(store_fixture *f, uint32_t version, bool failed)
{
    return finish_with(f, version, failed, true); // which count for the strict gate alone
}

static void the_strict_gate_lets_no_warning_pass(void **state)
{
    store_fixture *f = *state;
    assert_int_equal(insert(f, 1, true, STORE_GATE_STRICT), 1);
    assert_int_equal(insert(f, 2, true, STORE_GATE_STRICT), 2);
    assert_int_equal(insert(f, 3, true, STORE_GATE_STRICT), 3);
    assert_int_equal(finish_with(f, 1, false, false), 1);
    assert_int_equal(finish_with(f, 2, false, true), 0);
    assert_int_equal(finish_with(f, 3, true, false), 0);
    // Of two equal uploads the more lenient counts, but not one that is not to go live.
    assert_int_equal(insert(f, 4, true, STORE_GATE_STRICT), 4);
    assert_int_equal(insert(f, 4, true, STORE_GATE_CHECKS), 4);
    assert_int_equal(finish_with(f, 4, false, true), 2);
    assert_int_equal(insert(f, 5, false, STORE_GATE_FORCE), 5);
    assert_int_equal(insert(f, 5, true, STORE_GATE_STRICT), 5);
    assert_int_equal(finish_with(f, 5, false, true), 0);
    assert_int_equal(insert(f, 6, true, STORE_GATE_STRICT), 6);
    assert_int_equal(insert(f, 6, false, STORE_GATE_FORCE), 6);
    assert_int_equal(finish_with(f, 6, false, true), 0);
}

static void what_fails_does_not_go_live_unless_forced(void **state)
{
    store_fixture *f = *state;
    bool ready = true;
    char *text = NULL;
    assert_int_equal(insert(f, 1, true, STORE_GATE_CHECKS), 1);
    assert_int_equal(insert(f, 2, true, STORE_GATE_CHECKS), 2);
    assert_int_equal(insert(f, 3, true, STORE_GATE_FORCE), 3);
    assert_int_equal(insert(f, 4, true, STORE_GATE_CHECKS), 4);
    assert_int_equal(finish(f, 1, false), 1);
    assert_int_equal(finish(f, 2, true), 0);
    assert_int_equal(finish(f, 3, true), 2);
    // Sent again with force while it waits.
    assert_int_equal(insert(f, 4, true, STORE_GATE_FORCE), 4);
    assert_int_equal(store_version_checks_get(f->disk, "m", 4, &ready, &text, NULL), NAV_OK);
    assert_false(ready);
    assert_null(text);
    assert_int_equal(store_version_checks_set(f->disk, "m", 4, "[]", NULL),
                     PROTO_VERSION_NOT_FOUND);
    assert_int_equal(finish(f, 4, true), 3);
    assert_int_equal(store_version_checks_set(f->disk, "m", 4, "[2]", NULL), NAV_OK);
    assert_int_equal(store_version_checks_get(f->disk, "m", 4, &ready, &text, NULL), NAV_OK);
    assert_true(ready);
    assert_string_equal(text, "[2]");
    free(text);
}

static void a_mesh_takes_its_checks_with_it(void **state)
{
    store_fixture *f = *state;
    char *text = NULL;
    uint64_t activation = 99;
    assert_int_equal(store_mesh_delete(f->disk, "m", false, &activation, NULL),
                     PROTO_MESH_NOT_FOUND);
    assert_int_equal(store_checks_set(f->disk, "m", "{\"checks\":[]}", NULL), NAV_OK);
    assert_int_equal(store_mesh_delete(f->disk, "m", false, &activation, NULL), NAV_OK);
    assert_int_equal(activation, 0); // nothing was ever live
    assert_int_equal(store_checks_get(f->disk, "m", &text, NULL), NAV_OK);
    assert_null(text);
    assert_int_equal(store_checks_set(f->disk, "m", "{\"checks\":[]}", NULL), NAV_OK);
    assert_int_equal(finish(f, insert(f, 1, true, STORE_GATE_CHECKS), false), 1);
    assert_int_equal(store_mesh_delete(f->disk, "m", false, &activation, NULL), NAV_OK);
    assert_int_equal(activation, 2);
    assert_int_equal(store_checks_get(f->disk, "m", &text, NULL), NAV_OK);
    assert_null(text);
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, store_fixture_set_up, store_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_reads_back_the_same),
        cmocka_unit_test(without_memory_nothing_is_read),
        TEST(sentences),
        TEST(what_fails_does_not_go_live_unless_forced),
        TEST(the_strict_gate_lets_no_warning_pass),
        TEST(a_mesh_takes_its_checks_with_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
