// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_damages.c: what is known to be damaged is kept once, in order, until it is whole or gone.

#include "server/meshes/damages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static damages *d;

static int set_up(void **state)
{
    (void)state;
    d = damages_create();
    return d != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    damages_destroy(d);
    return 0;
}

static void it_is_found_once_then_left_then_forgotten(void **state)
{
    (void)state;
    damages_entry known;
    assert_false(damages_get(d, "town", 2, &known));
    assert_true(damages_add(d, "town", 2, "first"));
    assert_false(damages_add(d, "town", 2, "again"));
    assert_true(damages_get(d, "town", 2, &known));
    assert_true(known.mending);
    assert_string_equal(known.detail, "first");
    damages_leave(d, "town", 2, "cannot be");
    assert_true(damages_get(d, "town", 2, &known));
    assert_false(known.mending);
    assert_string_equal(known.detail, "cannot be");
    assert_int_equal(damages_count(d), 1);
    assert_false(damages_get(d, "town", 1, &known));
    assert_false(damages_get(d, "yard", 2, &known));
    damages_clear(d, "town", 2);
    damages_clear(d, "town", 2);
    assert_int_equal(damages_count(d), 0);
    assert_false(damages_get(d, "town", 2, &known));
}

static void a_mesh_goes_with_its_checks_and_the_others_stay_in_order(void **state)
{
    (void)state;
    size_t count = 0;
    for (uint32_t version = 0; version < 5; version++) {
        damages_leave(d, version % 2 == 0 ? "town" : "yard", version, "left");
    }
    damages_clear_mesh(d, "town");
    damages_leave(d, "wood", 7, "left");
    damages_entry *all = damages_list(d, &count);
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
        assert_true(damages_add(d, "town", version, ""));
    }
    assert_false(damages_add(d, "town", LIMIT_DAMAGES + 1, ""));
    damages_leave(d, "town", LIMIT_DAMAGES + 1, "");
    assert_int_equal(damages_count(d), LIMIT_DAMAGES);
    // Room that is given back is used again.
    damages_clear(d, "town", 1);
    assert_true(damages_add(d, "town", LIMIT_DAMAGES + 1, ""));
}

static void without_a_list_there_is_no_damage(void **state)
{
    (void)state;
    damages_entry known;
    size_t count = 9;
    assert_false(damages_add(NULL, "town", 1, "x"));
    damages_leave(NULL, "town", 1, "x");
    damages_clear(NULL, "town", 1);
    damages_clear_mesh(NULL, "town");
    assert_false(damages_get(NULL, "town", 1, &known));
    assert_int_equal(damages_count(NULL), 0);
    damages_entry *all = damages_list(NULL, &count);
    assert_non_null(all);
    assert_int_equal(count, 0);
    free(all);
    damages_destroy(NULL);
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
