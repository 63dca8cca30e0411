// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_damage_list.c: what is known to be damaged is kept once, in order, until it is whole or
// gone.

#include "server/meshes/damage_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static damage_list *d;

static int set_up(void **state)
{
    (void)state;
    d = damage_list_create();
    return d != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    damage_list_destroy(d);
    return 0;
}

static void it_is_found_once_then_left_then_forgotten(void **state)
{
    (void)state;
    damage_list_entry known;
    assert_false(damage_list_get(d, "town", 2, &known));
    assert_true(damage_list_set(d, "town", 2, true, "first"));
    assert_false(damage_list_set(d, "town", 2, true, "again"));
    assert_true(damage_list_get(d, "town", 2, &known));
    assert_true(known.repairing);
    assert_string_equal(known.detail, "first");
    (void)damage_list_set(d, "town", 2, false, "cannot be");
    assert_true(damage_list_get(d, "town", 2, &known));
    assert_false(known.repairing);
    assert_string_equal(known.detail, "cannot be");
    assert_int_equal(damage_list_count(d), 1);
    assert_false(damage_list_get(d, "town", 1, &known));
    assert_false(damage_list_get(d, "yard", 2, &known));
    damage_list_clear(d, "town", 2);
    damage_list_clear(d, "town", 2);
    assert_int_equal(damage_list_count(d), 0);
    assert_false(damage_list_get(d, "town", 2, &known));
}

static void a_mesh_goes_with_its_checks_and_the_others_stay_in_order(void **state)
{
    (void)state;
    size_t count = 0;
    for (uint32_t version = 0; version < 5; version++) {
        (void)damage_list_set(d, version % 2 == 0 ? "town" : "yard", version, false, "left");
    }
    damage_list_clear(d, "town", DAMAGE_ALL);
    (void)damage_list_set(d, "wood", 7, false, "left");
    damage_list_entry *all = damage_list_all(d, &count);
    assert_non_null(all);
    assert_int_equal(count, 3);
    assert_int_equal(all[0].version, 1);
    assert_int_equal(all[1].version, 3);
    assert_string_equal(all[2].mesh, "wood");
    free(all);
}

static void there_is_a_bound(void **state)
{
    (void)state;
    for (uint32_t version = 1; version <= LIMIT_DAMAGES; version++) {
        assert_true(damage_list_set(d, "town", version, true, ""));
    }
    assert_false(damage_list_set(d, "town", LIMIT_DAMAGES + 1, true, ""));
    (void)damage_list_set(d, "town", LIMIT_DAMAGES + 1, false, "");
    assert_int_equal(damage_list_count(d), LIMIT_DAMAGES);
    // Room that is given back is used again.
    damage_list_clear(d, "town", 1);
    assert_true(damage_list_set(d, "town", LIMIT_DAMAGES + 1, true, ""));
}

static void without_a_list_there_is_no_damage(void **state)
{
    (void)state;
    damage_list_entry known;
    size_t count = 9;
    assert_false(damage_list_set(NULL, "town", 1, true, "x"));
    (void)damage_list_set(NULL, "town", 1, false, "x");
    damage_list_clear(NULL, "town", 1);
    damage_list_clear(NULL, "town", DAMAGE_ALL);
    assert_false(damage_list_get(NULL, "town", 1, &known));
    assert_int_equal(damage_list_count(NULL), 0);
    damage_list_entry *all = damage_list_all(NULL, &count);
    assert_non_null(all);
    assert_int_equal(count, 0);
    free(all);
    damage_list_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(it_is_found_once_then_left_then_forgotten, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_mesh_goes_with_its_checks_and_the_others_stay_in_order,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(there_is_a_bound, set_up, tear_down),
        cmocka_unit_test(without_a_list_there_is_no_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
