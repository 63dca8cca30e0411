// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_reply.c: which answers count among bodies in flight, beside bodies that are held already.

#include "server/http/http.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define FREE_BYTES ((size_t)256 << 10)

static char body[1];

static void large_answers_count_beside_held_bodies(void **state)
{
    (void)state;
    service s = {.limits.bodies_in_flight_bytes = 4 * FREE_BYTES};
    const request r = {.service = &s};
    nav_error err = {0};
    reply small = {.status = 200, .body = body, .body_bytes = FREE_BYTES};
    reply large = {.status = 200, .body = body, .body_bytes = FREE_BYTES + 1};
    // An upload has all but what the answer needs.
    assert_int_equal(service_hold(&s, 3 * FREE_BYTES, NULL), NAV_OK);
    assert_int_equal(reply_hold(&r, &small, &err), NAV_OK);
    assert_int_equal(small.held_bytes, 0);
    assert_int_equal(reply_hold(&r, &large, &err), PROTO_OVERLOADED);
    assert_int_equal(large.held_bytes, 0);
    assert_ptr_equal(large.body, body);
    // What is done is sent, and counts.
    large.status = 201;
    reply_count(&r, &large);
    assert_int_equal(large.held_bytes, FREE_BYTES + 1);
    assert_int_equal(s.answers_bytes, FREE_BYTES + 1);
    // One that has its place has it once.
    assert_int_equal(reply_hold(&r, &large, &err), NAV_OK);
    assert_int_equal(s.answers_bytes, FREE_BYTES + 1);
    // An error in its place needs none.
    large.body_bytes = 300;
    reply_count(&r, &large);
    assert_int_equal(s.answers_bytes, 0);
}

static void bytes_of_the_program_do_not_count(void **state)
{
    (void)state;
    service s = {.limits.bodies_in_flight_bytes = 4 * FREE_BYTES};
    const request r = {.service = &s};
    reply out = {0};
    reply_static(&out, "text/css", body, 2 * FREE_BYTES);
    assert_ptr_equal(out.own, body);
    assert_null(out.body);
    assert_int_equal(reply_hold(&r, &out, NULL), NAV_OK);
    assert_int_equal(s.answers_bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_answers_count_beside_held_bodies),
        cmocka_unit_test(bytes_of_the_program_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
