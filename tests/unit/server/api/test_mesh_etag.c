// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_mesh_etag.c: lists of ETags as clients send them, and what they mean for a copy and a
// switch.

#include "server/api/routes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/store_fixture.h"

#define TAG "\"a3-0123456789abcdef\""

static bool is_known(const char *if_none_match)
{
    const request r = {.if_none_match = if_none_match};
    reply out = {.status = 200};
    const char etag[MESH_ETAG_BYTES] = TAG;
    reply_take_etag(&r, &out, etag);
    assert_string_equal(out.etag, TAG);
    return out.status == 304;
}

static void a_copy_is_known_by_its_whole_tag(void **state)
{
    (void)state;
    static const char *const known[] = {
        TAG, "*", (" " TAG), ("W/" TAG), ("\"x\", " TAG), ("\"x\"," TAG "  ,")};
    static const char *const unknown[] = {"",          "\"a3\"",     "\"a3-0123456789abcdee\"",
                                          "\"x\" *",   "a3-0123",    "\"a3-",
                                          "x" TAG "x", ",,, \t, W/", "W/\"a3-0123456789abcdee\""};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        assert_true(is_known(known[i]));
    }
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        assert_false(is_known(unknown[i]));
    }
}

static void a_switch_is_guarded_by_the_count(void **state)
{
    (void)state;
    assert_true(mesh_etag_is_current(TAG, 3));
    assert_true(mesh_etag_is_current("\"a3-ffff\"", 3));
    assert_true(mesh_etag_is_current("\"a2-0\" , \"a3-1\"", 3));
    assert_true(mesh_etag_is_current("\"a0-1\"", 0));
    static const char *const stale[] = {"\"a2-0\"", "\"a31-0\"", ("W/" TAG), "\"a3\"", "a3-0", ""};
    for (size_t i = 0; i < sizeof stale / sizeof stale[0]; i++) {
        assert_false(mesh_etag_is_current(stale[i], 3));
    }
    assert_false(mesh_etag_is_current(TAG, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_is_known_by_its_whole_tag),
        cmocka_unit_test(a_switch_is_guarded_by_the_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
