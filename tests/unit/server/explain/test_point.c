// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_point.c: which floor of a column is meant at a height. A surface lies up to a cell below the
// top of its floor, and ground goes before an underside that is as near.

#include "server/explain/explain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#define CELL 0.2f
#define NEAR (0.01f * CELL)

// A slab from -0.3 to 0 in cells of 0.2, and a floor 4 below.
enum {
    FAR_BELOW,
    UNDERSIDE,
    TOP,
    FLOORS
};

static void slab_init(nav_floor_facts floors[FLOORS], nav_column_facts *column)
{
    static const float tops[FLOORS] = {-4, -0.2f, 0.2f};
    for (int i = 0; i < FLOORS; i++) {
        floors[i] = (nav_floor_facts){.top = tops[i], .verdict = NAV_VERDICT_ERODED};
    }
    floors[UNDERSIDE].verdict = NAV_VERDICT_FACES_DOWN;
    *column = (nav_column_facts){.floors = floors, .floor_count = FLOORS};
}

static void a_point_at_a_surface_means_that_surface(void **state)
{
    (void)state;
    static const struct {
        float height;
        uint32_t meant;
    } rows[] = {
        {40, TOP},           {0.2f, TOP},        {0.01f, TOP},    {0, TOP},
        {-0.01f, TOP},       {-0.1f, TOP}, // as near to both
        {-0.19f, UNDERSIDE}, {-0.3f, UNDERSIDE}, {-2, UNDERSIDE}, {-2.5f, FAR_BELOW},
        {-40, FAR_BELOW},
    };
    nav_floor_facts floors[FLOORS];
    nav_column_facts column;
    slab_init(floors, &column);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(explain_floor_meant(&column, rows[i].height, CELL, NEAR), rows[i].meant);
    }
}

// An agent 2 tall that is on a line steps on what faces up within as much.
static void an_underside_is_meant_where_ground_is_farther_off_by_more(void **state)
{
    (void)state;
    nav_floor_facts floors[FLOORS];
    nav_column_facts column;
    slab_init(floors, &column);
    assert_int_equal(explain_floor_meant(&column, -0.3f, CELL, 2), TOP);
    assert_int_equal(explain_floor_meant(&column, -1.9f, CELL, 2), TOP);
    floors[TOP].verdict = NAV_VERDICT_FACES_DOWN;
    assert_int_equal(explain_floor_meant(&column, 0, CELL, 2), TOP);
    assert_int_equal(explain_floor_meant(&column, -3.9f, CELL, 2), FAR_BELOW);
}

static void of_two_that_are_as_near_the_lower_one_is_meant(void **state)
{
    (void)state;
    nav_floor_facts floors[2] = {{.top = 1}, {.top = 2.25f}};
    const nav_column_facts column = {.floors = floors, .floor_count = 2};
    assert_int_equal(explain_floor_meant(&column, 1.5f, 0.25f, NEAR), 0);
    assert_int_equal(explain_floor_meant(&(nav_column_facts){0}, 1.5f, 0.25f, NEAR), NAV_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_at_a_surface_means_that_surface),
        cmocka_unit_test(an_underside_is_meant_where_ground_is_farther_off_by_more),
        cmocka_unit_test(of_two_that_are_as_near_the_lower_one_is_meant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
