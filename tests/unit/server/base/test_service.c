// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_service.c: bodies in flight hold so much memory together and no more, answers half of it.

#include "server/base/service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void bodies_share_what_there_is(void **state)
{
    (void)state;
    service s = {.limits.bodies_in_flight_bytes = 100};
    nav_error err = {0};
    assert_int_equal(service_hold(&s, 60, &err), NAV_OK);
    assert_int_equal(service_hold(&s, 41, &err), PROTO_OVERLOADED);
    assert_int_equal(err.status, PROTO_OVERLOADED);
    assert_string_equal(err.detail,
                        "too many bytes of requests and answers are in flight; try again");
    assert_string_equal(err.limit, "100");
    // The refused one holds nothing.
    assert_int_equal(service_hold(&s, 40, NULL), NAV_OK);
    assert_int_equal(service_hold(&s, 1, NULL), PROTO_OVERLOADED);
    service_give_back(&s, 60);
    assert_int_equal(service_hold(&s, 101, NULL), PROTO_OVERLOADED);
    assert_int_equal(service_hold(&s, UINT64_MAX, NULL), PROTO_OVERLOADED);
    assert_int_equal(service_hold(&s, 60, NULL), NAV_OK);
    assert_int_equal(s.requests_bytes, 100);
}

static void answers_have_half(void **state)
{
    (void)state;
    service s = {.limits.bodies_in_flight_bytes = 100};
    nav_error err = {0};
    uint64_t first = 0, second = 0;
    assert_int_equal(service_hold_answer(&s, 30, &first, &err), NAV_OK);
    assert_int_equal(service_hold_answer(&s, 21, &second, &err), PROTO_OVERLOADED);
    assert_string_equal(err.limit, "100");
    assert_int_equal(second, 0);
    assert_int_equal(service_hold_answer(&s, 20, &second, NULL), NAV_OK);
    assert_int_equal(s.answers_bytes, 50);
    // What one has can grow only where there is room, and always shrink.
    assert_int_equal(service_hold_answer(&s, 31, &first, NULL), PROTO_OVERLOADED);
    assert_int_equal(first, 30);
    assert_int_equal(service_hold_answer(&s, 29, &first, NULL), NAV_OK);
    assert_int_equal(service_hold_answer(&s, 30, &first, NULL), NAV_OK);
    // Alone the largest has all of the half, and requests the other one.
    service_count_answer(&s, 0, &second);
    assert_int_equal(service_hold_answer(&s, UINT64_MAX, &first, NULL), NAV_OK);
    assert_int_equal(first, 50);
    assert_int_equal(service_hold(&s, 51, NULL), PROTO_OVERLOADED);
    assert_int_equal(service_hold(&s, 50, NULL), NAV_OK);
    service_count_answer(&s, 0, &first);
    assert_int_equal(s.answers_bytes, 0);
    // Requests may have all; an answer then has to wait.
    assert_int_equal(service_hold(&s, 50, NULL), NAV_OK);
    assert_int_equal(service_hold_answer(&s, 1, &first, NULL), PROTO_OVERLOADED);
    assert_int_equal(s.answers_bytes, 0);
}

static void answers_that_must_be_sent(void **state)
{
    (void)state;
    service s = {.limits.bodies_in_flight_bytes = 100};
    uint64_t first = 0, second = 0, third = 0;
    service_count_answer(&s, 80, &first);
    service_count_answer(&s, 40, &second);
    assert_int_equal(s.answers_bytes, 90);
    // They keep others out, and no request.
    assert_int_equal(service_hold_answer(&s, 1, &third, NULL), PROTO_OVERLOADED);
    assert_int_equal(service_hold(&s, 50, NULL), NAV_OK);
    assert_int_equal(service_hold(&s, 1, NULL), PROTO_OVERLOADED);
    service_count_answer(&s, 0, &first);
    service_count_answer(&s, 0, &second);
    service_give_back(&s, 50);
    assert_int_equal(s.answers_bytes, 0);
    assert_int_equal(s.requests_bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_share_what_there_is),
        cmocka_unit_test(answers_have_half),
        cmocka_unit_test(answers_that_must_be_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
