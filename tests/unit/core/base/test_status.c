// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_status.c: the words that clients rely on, and how an error is filled.

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "core/nav.h"

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
        {NAV_BAD_JSON, "bad_json", 400},
        {NAV_BAD_MULTIPART, "bad_multipart", 400},
        {NAV_MESH_NOT_FOUND, "mesh_not_found", 404},
        {NAV_CANCELLED, "cancelled", 409},
        {NAV_BODY_TOO_LARGE, "body_too_large", 413},
        {NAV_INVALID_FIELD, "invalid_field", 422},
        {NAV_MESH_EMPTY, "mesh_empty", 422},
        {NAV_VERTEX_NOT_FINITE, "vertex_not_finite", 422},
        {NAV_GRID_TOO_LARGE, "grid_too_large", 422},
        {NAV_BAKE_QUEUE_FULL, "bake_queue_full", 429},
        {NAV_INTERNAL, "internal_error", 500},
        {NAV_NO_MEMORY, "out_of_memory", 503},
        {NAV_STORAGE_FULL, "storage_full", 507},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        assert_string_equal(nav_status_word(rows[i].status), rows[i].word);
        assert_int_equal(nav_status_http(rows[i].status), rows[i].http);
    }
    assert_string_equal(nav_status_text(NAV_NO_MEMORY), "Not enough memory for this request");
    assert_string_equal(nav_status_title(NAV_NO_MEMORY), "Service Unavailable");
    assert_string_equal(nav_status_title(NAV_INVALID_FIELD), "Unprocessable Content");
}

static void words_are_distinct_and_fit_for_programs(void **state)
{
    (void)state;
    for (int i = 0; i < NAV_STATUS_COUNT; ++i) {
        const char *word = nav_status_word((nav_status)i);
        for (const char *c = word; *c != 0; ++c) {
            assert_true(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '_');
        }
        for (int j = 0; j < i; ++j) {
            assert_string_not_equal(word, nav_status_word((nav_status)j));
        }
        assert_true(strlen(nav_status_text((nav_status)i)) > 0);
        // Only what is 500 has the title that stands for all others.
        assert_int_equal(strcmp(nav_status_title((nav_status)i), nav_status_title(NAV_INTERNAL)) ==
                             0,
                         nav_status_http((nav_status)i) == 500);
        assert_true(i == NAV_OK || nav_status_http((nav_status)i) >= 400);
    }
}

static void values_outside_of_the_table_read_as_internal(void **state)
{
    (void)state;
    static const int outside[] = {NAV_STATUS_COUNT, NAV_STATUS_COUNT + 1, 1000000, -1};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; ++i) {
        // By way of memory: the value may not be one of the enum's.
        nav_status status;
        memcpy(&status, &outside[i], sizeof status);
        assert_string_equal(nav_status_word(status), "internal_error");
        assert_int_equal(nav_status_http(status), 500);
        assert_string_equal(nav_status_text(status), "The daemon made a mistake");
        assert_string_equal(nav_status_title(status), "Internal Server Error");
    }
}

static void stages_and_warnings_have_their_words(void **state)
{
    (void)state;
    static const char *const stages[] = {"voxelize", "filter",   "compact", "erode",
                                         "areas",    "distance", "regions", "contours",
                                         "polygons", "detail",   "tile"};
    assert_int_equal(NAV_STAGE_COUNT, 11);
    for (int i = 0; i < NAV_STAGE_COUNT; ++i) {
        assert_string_equal(nav_stage_word((nav_stage)i), stages[i]);
    }
    assert_string_equal(nav_warning_word(NAV_WARN_DEGENERATE_TRIANGLES), "degenerate_triangles");
    assert_string_equal(nav_warning_word(NAV_WARN_REGIONS_REMOVED), "regions_removed");
    assert_string_equal(nav_warning_word(NAV_WARN_DETAIL_ERROR), "detail_error_not_met");
}

static void fail_fills_the_detail_and_clears_the_rest(void **state)
{
    (void)state;
    nav_error err;
    memset(&err, 'x', sizeof err);
    assert_int_equal(nav_fail(&err, NAV_BAD_BLOB, "tile %d of %s", 7, "nine"), NAV_BAD_BLOB);
    assert_int_equal(err.status, NAV_BAD_BLOB);
    assert_string_equal(err.detail, "tile 7 of nine");
    assert_string_equal(err.at, "");
    assert_string_equal(err.got, "");
    assert_string_equal(err.limit, "");
    assert_true(err.suggest_cell_size == 0);
}

static void particulars_are_added(void **state)
{
    (void)state;
    nav_error err = {0};
    nav_fail(&err, NAV_INVALID_FIELD, "no");
    nav_error_at(&err, "vertices[%u].%c", 17u, 'y');
    nav_error_got(&err, "%g", 1e7);
    nav_error_limit(&err, "%d", 1000000);
    assert_string_equal(err.at, "vertices[17].y");
    assert_string_equal(err.got, "1e+07");
    assert_string_equal(err.limit, "1000000");
    assert_string_equal(err.detail, "no");
}

static void long_texts_are_cut_and_terminated(void **state)
{
    (void)state;
    char text[1000];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = 0;
    nav_error err = {0};
    nav_fail(&err, NAV_INTERNAL, "%s", text);
    nav_error_at(&err, "%s", text);
    nav_error_got(&err, "%s", text);
    nav_error_limit(&err, "%s", text);
    assert_int_equal(strlen(err.detail), sizeof err.detail - 1);
    assert_int_equal(strlen(err.at), sizeof err.at - 1);
    assert_int_equal(strlen(err.got), sizeof err.got - 1);
    assert_int_equal(strlen(err.limit), sizeof err.limit - 1);
}

static void nobody_needs_to_ask_for_the_error(void **state)
{
    (void)state;
    assert_int_equal(nav_fail(NULL, NAV_NO_MEMORY, "%d", 1), NAV_NO_MEMORY);
    nav_error_at(NULL, "%d", 1);
    nav_error_got(NULL, "%d", 1);
    nav_error_limit(NULL, "%d", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_http_statuses_are_as_promised),
        cmocka_unit_test(words_are_distinct_and_fit_for_programs),
        cmocka_unit_test(values_outside_of_the_table_read_as_internal),
        cmocka_unit_test(stages_and_warnings_have_their_words),
        cmocka_unit_test(fail_fills_the_detail_and_clears_the_rest),
        cmocka_unit_test(particulars_are_added),
        cmocka_unit_test(long_texts_are_cut_and_terminated),
        cmocka_unit_test(nobody_needs_to_ask_for_the_error),
    };
    return cmocka_run_group_tests_name("status", tests, NULL, NULL);
}
