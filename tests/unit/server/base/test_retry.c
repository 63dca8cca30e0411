// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_retry.c: what may pass is tried again, so many times and no more; all else is not.

#include "server/base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void only_want_of_room_and_memory_may_pass(void **state)
{
    (void)state;
    for (nav_status status = 0; status < PROTO_STATUS_COUNT; status++) {
        const bool may = status == PROTO_STORE_UNAVAILABLE || status == PROTO_STORAGE_FULL ||
                         status == NAV_NO_MEMORY;
        retry again = {.pause_ms = 50, .pause_ms_max = 50};
        assert_int_equal(retry_may_help(status), may);
        if (!may) {
            assert_false(retry_again(&again, status));
            assert_int_equal(again.pause_ms, 50);
        }
    }
}

static void pauses_double_up_to_the_longest(void **state)
{
    (void)state;
    retry again = {.pause_ms = 50, .pause_ms_max = 100};
    assert_true(retry_again(&again, NAV_NO_MEMORY));
    assert_int_equal(again.pause_ms, 100);
    assert_true(retry_again(&again, PROTO_STORAGE_FULL));
    assert_int_equal(again.pause_ms, 200);
    assert_false(retry_again(&again, NAV_NO_MEMORY));
    assert_int_equal(again.pause_ms, 200);
}

static bool is_set(void *user)
{
    ++*(int *)user;
    return *(int *)user >= 2;
}

static void what_is_not_wanted_any_more_ends(void **state)
{
    (void)state;
    int asked = 0;
    retry again = {.pause_ms = 3600000, .pause_ms_max = 3600000, .stopped = is_set, .user = &asked};
    assert_false(retry_again(&again, NAV_NO_MEMORY)); // of an hour, one step
    assert_int_equal(asked, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_want_of_room_and_memory_may_pass),
        cmocka_unit_test(pauses_double_up_to_the_longest),
        cmocka_unit_test(what_is_not_wanted_any_more_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
