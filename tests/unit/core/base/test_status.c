// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_status.c: how an error is filled; the words of stages and warnings.

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "core/nav.h"

#include <string.h>

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
    nav_fail(&err, NAV_BAD_BLOB, "%s", text);
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
        cmocka_unit_test(stages_and_warnings_have_their_words),
        cmocka_unit_test(fail_fills_the_detail_and_clears_the_rest),
        cmocka_unit_test(particulars_are_added),
        cmocka_unit_test(long_texts_are_cut_and_terminated),
        cmocka_unit_test(nobody_needs_to_ask_for_the_error),
    };
    return cmocka_run_group_tests_name("status", tests, NULL, NULL);
}
