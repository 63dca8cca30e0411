// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// Recordings that were asked for pin their version, and all of them keep within their bound: the
// oldest that made themselves go first, and those that were asked for never.

#include "server/store/db.h"
#include "server/store/recordings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/store_fixture.h"

#define ROW_BYTES 512u // that a recording counts for beside its bundle

static void make_ready(store *disk, const char *mesh, uint32_t version, const store_result *result)
{
    uint64_t activation;
    nav_error err = {0};
    if (store_version_ready(disk, mesh, version, result, &activation, &err) != NAV_OK) {
        fail_msg("%s", err.detail);
    }
}

static void finish(store *disk, const char *mesh, uint32_t version, uint32_t keep_versions)
{
    static char packed[] = "tile", landmarks[] = "landmarks", rat[] = "rat";
    const store_tile tiles[] = {
        {.hash = {1}, .packed = packed, .packed_bytes = 4, .bytes = 4},
        {.x = 3, .z = 2, .hash = {2}, .packed = packed, .packed_bytes = 4, .bytes = 5},
        {.agent = 1, .hash = {3}, .packed = packed, .packed_bytes = 4, .bytes = 6}};
    const store_landmarks all[] = {
        {.fingerprint = 8, .packed = landmarks, .packed_bytes = 9, .bytes = 90},
        {.agent = 1, .fingerprint = 9, .packed = rat, .packed_bytes = 3, .bytes = 30}};
    store_result result = store_fixture_result(tiles, 3);
    result.keep_versions = keep_versions;
    result.landmarks = all;
    result.landmark_count = 2;
    make_ready(disk, mesh, version, &result);
}

static size_t count_versions(store *disk)
{
    store_version *rows;
    size_t count;
    assert_int_equal(store_version_list(disk, "town", &rows, &count, NULL), NAV_OK);
    store_versions_free(rows, count);
    return count;
}

static nav_status put(store *disk, const char *id, uint32_t version, store_cause cause,
                      size_t bundle_bytes, nav_error *err)
{
    static char bytes[4096];
    store_recording row = {.version = version,
                           .cause = cause,
                           .name = "stuck at 3:12",
                           .created_at = "2026-11-26T10:00:00.000Z",
                           .kind = "path",
                           .status = 200,
                           .ms = 1.5,
                           .bundle = bytes,
                           .bundle_bytes = bundle_bytes};
    assert_true(bundle_bytes <= sizeof bytes);
    (void)snprintf(row.id, sizeof row.id, "%s", id);
    (void)snprintf(row.mesh, sizeof row.mesh, "town");
    memset(bytes, id[0], sizeof bytes);
    return store_recording_insert(disk, &row, err);
}

// The ids that there are, newest first: "c b a".
static const char *ids(store *disk)
{
    static char text[256];
    store_recordings list;
    nav_error err = {0};
    assert_int_equal(store_recordings_list(disk, NULL, 100, &list, &err), NAV_OK);
    text[0] = '\0';
    for (size_t i = 0; i < list.count; i++) {
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i > 0 ? " " : "",
                       list.items[i].id);
    }
    free(list.items);
    return text;
}

static void assert_version(store *disk, uint32_t version)
{
    store_tile *tiles = NULL;
    size_t count = 0;
    nav_error err = {0};
    if (store_tiles_list(disk, "town", version, &tiles, &count, &err) != NAV_OK) {
        fail_msg("%s", err.detail);
    }
    assert_int_equal(count, 3);
    store_tiles_free(tiles, count);
}

static void a_recording_is_kept_and_found_again(void **state)
{
    store_fixture *f = *state;
    nav_error err = {0};
    store_recording got;
    const uint32_t one = store_fixture_add(f->disk, "town", 1, false);
    assert_int_equal(put(f->disk, "a", one, STORE_CAUSE_ASKED, 10, &err), PROTO_VERSION_NOT_FOUND);
    finish(f->disk, "town", one, 0);
    assert_int_equal(put(f->disk, "a", one, STORE_CAUSE_ASKED, 10, &err), NAV_OK);
    assert_int_equal(put(f->disk, "b", one, STORE_CAUSE_SLOW, 20, &err), NAV_OK);
    assert_int_equal(put(f->disk, "c", one + 1, STORE_CAUSE_ASKED, 10, &err),
                     PROTO_VERSION_NOT_FOUND);
    store_fixture_open(f);
    assert_string_equal(ids(f->disk), "b a");
    assert_int_equal(store_recording_get(f->disk, "b", &got, &err), NAV_OK);
    assert_string_equal(got.mesh, "town");
    assert_string_equal(got.name, "stuck at 3:12");
    assert_string_equal(got.kind, "path");
    assert_int_equal(got.version, one);
    assert_int_equal(got.cause, STORE_CAUSE_SLOW);
    assert_int_equal(got.status, 200);
    assert_true(got.ms == 1.5);
    assert_int_equal(got.bytes, 20 + ROW_BYTES);
    assert_int_equal(got.bundle_bytes, 20);
    assert_int_equal(((char *)got.bundle)[19], 'b');
    free(got.bundle);
    assert_int_equal(store_recording_get(f->disk, "c", &got, &err), PROTO_RECORDING_NOT_FOUND);
    assert_null(got.bundle);
    assert_int_equal(store_recording_delete(f->disk, "b", &err), NAV_OK);
    assert_int_equal(store_recording_delete(f->disk, "b", &err), PROTO_RECORDING_NOT_FOUND);
    assert_string_equal(ids(f->disk), "a");
}

static void a_list_comes_in_pages(void **state)
{
    store_fixture *f = *state;
    nav_error err = {0};
    store_recordings list;
    const uint32_t one = store_fixture_add(f->disk, "town", 1, false);
    finish(f->disk, "town", one, 0);
    for (char id[2] = "a"; id[0] <= 'e'; id[0]++) {
        assert_int_equal(put(f->disk, id, one, STORE_CAUSE_ASKED, 100, &err), NAV_OK);
    }
    assert_int_equal(store_recordings_list(f->disk, NULL, 2, &list, &err), NAV_OK);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.items[1].id, "d");
    assert_true(list.more);
    assert_int_equal(list.number, 5);
    assert_int_equal(list.bytes, 5 * (100 + ROW_BYTES));
    free(list.items);
    assert_int_equal(store_recordings_list(f->disk, "c", 2, &list, &err), NAV_OK);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.items[0].id, "b");
    assert_false(list.more);
    free(list.items);
}

static void a_recording_that_was_asked_for_pins_its_version(void **state)
{
    store_fixture *f = *state;
    nav_error err = {0};
    const uint32_t one = store_fixture_add(f->disk, "town", 1, false);
    const uint32_t two = store_fixture_add(f->disk, "town", 2, false);
    finish(f->disk, "town", one, 0);
    finish(f->disk, "town", two, 0);
    assert_int_equal(put(f->disk, "a", one, STORE_CAUSE_ASKED, 10, &err), NAV_OK);
    assert_int_equal(put(f->disk, "b", one, STORE_CAUSE_SLOW, 10, &err), NAV_OK);
    assert_int_equal(put(f->disk, "c", two, STORE_CAUSE_SLOW, 10, &err), NAV_OK);
    assert_int_equal(store_version_delete(f->disk, "town", one, false, &err),
                     PROTO_VERSION_RECORDED);
    assert_string_equal(err.detail, "version 1 of mesh 'town' is recorded (1): delete these first, "
                                    "or with force=1: a");
    assert_version(f->disk, one);
    assert_string_equal(ids(f->disk), "c b a");
    // Those that made themselves go with theirs.
    assert_int_equal(store_version_delete(f->disk, "town", two, false, &err), NAV_OK);
    assert_string_equal(ids(f->disk), "b a");
    assert_int_equal(put(f->disk, "d", one, STORE_CAUSE_ASKED, 10, &err), NAV_OK);
    assert_int_equal(store_recording_delete(f->disk, "a", &err), NAV_OK);
    assert_int_equal(store_version_delete(f->disk, "town", one, false, &err),
                     PROTO_VERSION_RECORDED);
    assert_int_equal(store_version_delete(f->disk, "town", one, true, &err), NAV_OK);
    assert_string_equal(ids(f->disk), "");
    assert_int_equal(store_fixture_faults(f->disk), 0);
}

static void a_recording_that_was_asked_for_pins_its_mesh(void **state)
{
    store_fixture *f = *state;
    nav_error err = {0};
    uint64_t activation;
    const uint32_t one = store_fixture_add(f->disk, "town", 1, false);
    finish(f->disk, "town", one, 0);
    for (char id[2] = "a"; id[0] <= 'e'; id[0]++) {
        assert_int_equal(put(f->disk, id, one, STORE_CAUSE_ASKED, 10, &err), NAV_OK);
    }
    assert_int_equal(store_mesh_delete(f->disk, "town", false, &activation, &err),
                     PROTO_VERSION_RECORDED);
    assert_string_equal(
        err.detail,
        "mesh 'town' is recorded (5): delete these first, or with force=1: a, b, c, ...");
    assert_int_equal(store_mesh_delete(f->disk, "town", true, &activation, &err), NAV_OK);
    assert_string_equal(ids(f->disk), "");
    assert_int_equal(store_fixture_faults(f->disk), 0);
}

static void retention_passes_over_what_was_asked_for(void **state)
{
    store_fixture *f = *state;
    nav_error err = {0};
    for (int i = 0; i < 3; i++) {
        const uint32_t version = store_fixture_add(f->disk, "town", (uint8_t)(i + 1), false);
        finish(f->disk, "town", version, i == 2 ? 1 : 0);
        assert_int_equal(put(f->disk,
                             i == 0   ? "a"
                             : i == 1 ? "b"
                                      : "c",
                             version, i == 0 ? STORE_CAUSE_ASKED : STORE_CAUSE_FAILED, 10, &err),
                         NAV_OK);
    }
    assert_int_equal(count_versions(f->disk), 2);
    assert_version(f->disk, 1);
    assert_string_equal(ids(f->disk), "c a");
    assert_int_equal(store_fixture_faults(f->disk), 0);
}

// 32 for the head of each tile and landmarks.
static void what_a_version_adds_to_a_file_is_known_before_it_is_read(void **state)
{
    store_fixture *f = *state;
    nav_error err = {0};
    uint64_t bytes = 0;
    const uint64_t expected = 2 + (4 + 5 + 6) + (90 + 30) + 5 * 32;
    const uint32_t one = store_fixture_add(f->disk, "town", 1, false);
    finish(f->disk, "town", one, 0);
    assert_int_equal(put(f->disk, "a", one, STORE_CAUSE_ASKED, 10, &err), NAV_OK);
    assert_int_equal(store_recorded_bytes(f->disk, "town", one, &bytes, &err), NAV_OK);
    assert_int_equal(bytes, expected);
    assert_int_equal(store_recorded_bytes(f->disk, "town", one + 1, &bytes, &err),
                     PROTO_VERSION_NOT_FOUND);
}

static void the_oldest_that_made_themselves_go_first(void **state)
{
    store_fixture *f = *state;
    nav_error err = {0};
    const uint32_t one = store_fixture_add(f->disk, "town", 1, false);
    finish(f->disk, "town", one, 0);
    assert_int_equal(store_recordings_limit(f->disk, 4 * (100 + ROW_BYTES), &err), NAV_OK);
    assert_int_equal(put(f->disk, "a", one, STORE_CAUSE_SLOW, 100, &err), NAV_OK);
    assert_int_equal(put(f->disk, "b", one, STORE_CAUSE_ASKED, 100, &err), NAV_OK);
    assert_int_equal(put(f->disk, "c", one, STORE_CAUSE_FAILED, 100, &err), NAV_OK);
    assert_int_equal(put(f->disk, "d", one, STORE_CAUSE_ASKED, 100, &err), NAV_OK);
    assert_string_equal(ids(f->disk), "d c b a");
    assert_int_equal(put(f->disk, "e", one, STORE_CAUSE_SLOW, 100, &err), NAV_OK);
    assert_string_equal(ids(f->disk), "e d c b");
    assert_int_equal(put(f->disk, "f", one, STORE_CAUSE_ASKED, 100, &err), NAV_OK);
    assert_int_equal(put(f->disk, "g", one, STORE_CAUSE_ASKED, 100, &err), NAV_OK);
    assert_string_equal(ids(f->disk), "g f d b");
    // None of what was asked for makes room, whoever wants it.
    assert_int_equal(put(f->disk, "h", one, STORE_CAUSE_SLOW, 1, &err), PROTO_RECORDINGS_FULL);
    assert_int_equal(put(f->disk, "i", one, STORE_CAUSE_ASKED, 1, &err), PROTO_RECORDINGS_FULL);
    assert_non_null(strstr(err.detail, "delete some, or raise --recordings-bytes"));
    assert_string_equal(ids(f->disk), "g f d b");
    assert_int_equal(store_recordings_limit(f->disk, 0, &err), NAV_OK);
    assert_int_equal(put(f->disk, "j", one, STORE_CAUSE_ASKED, 1, &err), PROTO_RECORDINGS_FULL);
    assert_non_null(strstr(err.detail, "recordings are off"));
}

// What cannot be made room for deletes nothing.
static void a_refused_recording_changes_nothing(void **state)
{
    store_fixture *f = *state;
    nav_error err = {0};
    const uint32_t one = store_fixture_add(f->disk, "town", 1, false);
    finish(f->disk, "town", one, 0);
    assert_int_equal(store_recordings_limit(f->disk, 2000, &err), NAV_OK);
    assert_int_equal(put(f->disk, "a", one, STORE_CAUSE_SLOW, 100, &err), NAV_OK);
    assert_int_equal(put(f->disk, "b", one, STORE_CAUSE_SLOW, 2000, &err), PROTO_RECORDINGS_FULL);
    assert_string_equal(ids(f->disk), "a");
}

static void a_lower_bound_deletes_those_that_made_themselves(void **state)
{
    store_fixture *f = *state;
    nav_error err = {0};
    const uint32_t one = store_fixture_add(f->disk, "town", 1, false);
    finish(f->disk, "town", one, 0);
    assert_int_equal(put(f->disk, "a", one, STORE_CAUSE_SLOW, 100, &err), NAV_OK);
    assert_int_equal(put(f->disk, "b", one, STORE_CAUSE_ASKED, 100, &err), NAV_OK);
    assert_int_equal(put(f->disk, "c", one, STORE_CAUSE_SLOW, 100, &err), NAV_OK);
    assert_int_equal(store_recordings_limit(f->disk, 2 * (100 + ROW_BYTES), &err), NAV_OK);
    assert_string_equal(ids(f->disk), "c b");
    assert_int_equal(store_recordings_limit(f->disk, 0, &err), NAV_OK);
    assert_string_equal(ids(f->disk), "b");
}

static int count_statement(unsigned what, void *user, void *statement, void *text)
{
    (void)what;
    (void)statement;
    (void)text;
    ++*(int *)user;
    return 0;
}

// Room for one is made of many that are small, in as many statements as of one.
static void room_takes_no_more_statements_for_more_recordings(void **state)
{
    store_fixture *f = *state;
    nav_error err = {0};
    int statements = 0;
    const uint32_t one = store_fixture_add(f->disk, "town", 1, false);
    finish(f->disk, "town", one, 0);
    store_fixture_close(f);
    store_fixture_execute(f, "WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n"
                             " WHERE i < 999) INSERT INTO recordings SELECT 'a' || i, 1, 1,"
                             " 'slow', 1000, '', '', 'path', 200, 1.0, x'00' FROM n");
    store_fixture_open(f);
    assert_int_equal(store_recordings_limit(f->disk, 900000, &err), NAV_OK);
    assert_int_equal(
        sqlite3_trace_v2(f->disk->writer.db, SQLITE_TRACE_STMT, count_statement, &statements),
        SQLITE_OK);
    assert_int_equal(store_recordings_limit(f->disk, 400500, &err), NAV_OK);
    assert_int_equal(put(f->disk, "b", one, STORE_CAUSE_ASKED, 4000, &err), NAV_OK);
    assert_true(statements < 30);
    store_fixture_close(f);
    // 400 are left of the limit, and five of them make room for 4512 bytes with the 500 that were
    // free.
    assert_int_equal(store_fixture_ask(f, "SELECT count(*) FROM recordings"), 400 - 5 + 1);
    assert_int_equal(store_fixture_ask(f, "SELECT min(id) = 'a605' FROM recordings"), 1);
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, store_fixture_set_up, store_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_recording_is_kept_and_found_again),
        TEST(a_list_comes_in_pages),
        TEST(a_recording_that_was_asked_for_pins_its_version),
        TEST(a_recording_that_was_asked_for_pins_its_mesh),
        TEST(retention_passes_over_what_was_asked_for),
        TEST(what_a_version_adds_to_a_file_is_known_before_it_is_read),
        TEST(the_oldest_that_made_themselves_go_first),
        TEST(a_refused_recording_changes_nothing),
        TEST(a_lower_bound_deletes_those_that_made_themselves),
        TEST(room_takes_no_more_statements_for_more_recordings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
