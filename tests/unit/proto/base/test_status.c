// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_status.c: the words that clients rely on.

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "proto/base/status.h"

#include <ctype.h>
#include <string.h>

static void words_and_http_statuses_are_as_promised(void **state)
{
    (void)state;
    static const struct {
        nav_status status;
        const char *word;
        int http;
    } rows[] = {
        {NAV_OK, "ok", 200},
        {PROTO_BAD_JSON, "bad_json", 400},
        {PROTO_BAD_MULTIPART, "bad_multipart", 400},
        {PROTO_MESH_NOT_FOUND, "mesh_not_found", 404},
        {NAV_CANCELLED, "cancelled", 409},
        {PROTO_BODY_TOO_LARGE, "body_too_large", 413},
        {NAV_INVALID_FIELD, "invalid_field", 422},
        {NAV_MESH_EMPTY, "mesh_empty", 422},
        {NAV_VERTEX_NOT_FINITE, "vertex_not_finite", 422},
        {NAV_GRID_TOO_LARGE, "grid_too_large", 422},
        {PROTO_BAKE_QUEUE_FULL, "bake_queue_full", 429},
        {PROTO_INTERNAL, "internal_error", 500},
        {NAV_NO_MEMORY, "out_of_memory", 503},
        {PROTO_STORAGE_FULL, "storage_full", 507},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        assert_string_equal(proto_status_word(rows[i].status), rows[i].word);
        assert_int_equal(proto_status_http(rows[i].status), rows[i].http);
    }
    assert_string_equal(proto_status_text(NAV_NO_MEMORY), "Not enough memory for this request");
    assert_string_equal(proto_status_title(NAV_NO_MEMORY), "Service Unavailable");
    assert_string_equal(proto_status_title(NAV_INVALID_FIELD), "Unprocessable Content");
}

static void words_are_distinct_and_fit_for_programs(void **state)
{
    (void)state;
    for (int i = 0; i < PROTO_STATUS_COUNT; ++i) {
        const char *word = proto_status_word(i);
        for (const char *c = word; *c != 0; ++c) {
            assert_true(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '_');
        }
        for (int j = 0; j < i; ++j) {
            assert_string_not_equal(word, proto_status_word(j));
        }
        assert_true(strlen(proto_status_text(i)) > 0);
        // Only what is 500 has the title that stands for all others.
        assert_int_equal(strcmp(proto_status_title(i), proto_status_title(PROTO_INTERNAL)) == 0,
                         proto_status_http(i) == 500);
        assert_true(i == NAV_OK || proto_status_http(i) >= 400);
    }
}

static void values_outside_of_the_table_read_as_internal(void **state)
{
    (void)state;
    static const nav_status outside[] = {PROTO_STATUS_COUNT, PROTO_STATUS_COUNT + 1, 1000000, -1};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; ++i) {
        const nav_status status = outside[i];
        assert_string_equal(proto_status_word(status), "internal_error");
        assert_int_equal(proto_status_http(status), 500);
        assert_string_equal(proto_status_text(status), "The daemon made a mistake");
        assert_string_equal(proto_status_title(status), "Internal Server Error");
    }
}

static void a_word_leads_back_to_its_status(void **state)
{
    (void)state;
    for (nav_status status = NAV_OK + 1; status < PROTO_STATUS_COUNT; status++) {
        assert_int_equal(proto_status_of_word(proto_status_word(status)), status);
    }
    // A stored error that says so is none that anybody wrote.
    assert_int_equal(proto_status_of_word("ok"), PROTO_INTERNAL);
    assert_int_equal(proto_status_of_word(""), PROTO_INTERNAL);
    assert_int_equal(proto_status_of_word("no_such_word"), PROTO_INTERNAL);
}

static void a_place_is_told_within_another(void **state)
{
    (void)state;
    nav_error err = {0};
    nav_error_at(&err, "start");
    proto_error_within(&err, "queries[%d].", 3);
    assert_string_equal(err.at, "queries[3].start");
    for (int i = 0; i < 20; i++) {
        proto_error_within(&err, "longer.");
    }
    assert_int_equal(strlen(err.at), sizeof err.at - 1); // the end of it is lost
    assert_int_equal(strncmp(err.at, "longer.longer.", 14), 0);
    proto_error_within(NULL, "nobody asks");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_http_statuses_are_as_promised),
        cmocka_unit_test(words_are_distinct_and_fit_for_programs),
        cmocka_unit_test(values_outside_of_the_table_read_as_internal),
        cmocka_unit_test(a_word_leads_back_to_its_status),
        cmocka_unit_test(a_place_is_told_within_another),
    };
    return cmocka_run_group_tests_name("status", tests, NULL, NULL);
}
