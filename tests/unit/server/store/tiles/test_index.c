// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_index.c: the index agrees with a plain list of names through any order of additions
// and removals, and changes wait until they are applied.

#include "server/store/tiles/index.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NAMES 4000u

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

// Names that are close together share their homes often, so that removals have to move others up.
static uint64_t name_of(uint32_t i)
{
    return i % 2 != 0 ? i / 16 + ((uint64_t)(i % 16) << 60) : i;
}

static void any_order_of_changes_agrees_with_a_list(void **state)
{
    (void)state;
    static uint64_t places[NAMES]; // 0: not there
    store_index index = {0};
    uint64_t seed = 7;
    assert_int_equal(store_index_get(&index, 1), 0);
    store_index_remove(&index, 1, 1);
    for (int round = 0; round < 60000; round++) {
        const uint32_t i = (uint32_t)(next_random(&seed) % NAMES);
        if (next_random(&seed) % 5 < 3) {
            places[i] = STORE_PLACE(1 + round, i % STORE_SLOTS_MAX);
            store_index_add(&index, name_of(i), places[i]);
        } else {
            store_index_remove(&index, name_of(i), places[i] + STORE_SLOTS_MAX); // elsewhere
            assert_true(store_index_get(&index, name_of(i)) == places[i]);
            store_index_remove(&index, name_of(i), places[i]);
            places[i] = 0;
        }
    }
    size_t count = 0;
    for (uint32_t i = 0; i < NAMES; i++) {
        count += places[i] != 0;
        assert_true(store_index_get(&index, name_of(i)) == places[i]);
    }
    assert_int_equal(index.count, count);
    assert_true(index.capacity < 4 * NAMES);
    store_index_free(&index);
    assert_int_equal(store_index_get(&index, 1), 0);
}

static void changes_wait_until_they_are_applied(void **state)
{
    (void)state;
    store_index index = {0};
    store_index_changes changes = {0};
    for (uint32_t i = 1; i <= 200; i++) {
        store_index_note(&changes, i, STORE_PLACE(i, 3), false);
    }
    store_index_note(&changes, 7, STORE_PLACE(7, 3), true);
    store_index_note(&changes, 8, STORE_PLACE(9, 3), true); // another place than it has
    assert_int_equal(store_index_get(&index, 7), 0);
    store_index_apply(&index, &changes);
    assert_int_equal(store_index_get(&index, 7), 0);
    assert_int_equal(STORE_PLACE_PACK(store_index_get(&index, 8)), 8);
    assert_int_equal(STORE_PLACE_SLOT(store_index_get(&index, 200)), 3);
    store_index_changes_free(&changes);
    store_index_free(&index);
}

static void keys_and_hashes_do_not_mean_each_other(void **state)
{
    (void)state;
    const uint8_t bytes[32] = {1, 2, 3};
    assert_true(store_index_key_name(bytes) != store_index_hash_name(bytes));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order_of_changes_agrees_with_a_list),
        cmocka_unit_test(changes_wait_until_they_are_applied),
        cmocka_unit_test(keys_and_hashes_do_not_mean_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
