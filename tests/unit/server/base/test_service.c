// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_service.c: bodies in flight hold so much memory together and no more.

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
    assert_int_equal(s.bodies_bytes, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_share_what_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
