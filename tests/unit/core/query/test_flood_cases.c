// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_flood_cases.c: a flood with less room gives the first of the same polygons, to the last bit,
// also where labels find them, and searches no farther than these. Floods held against brute force:
// test_flood.c.

#include "tests/unit/mesh_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

// Whatever its room, a list has the first of the same polygons, to the last bit.
static void expect_the_same_first(const nav_mesh *mesh, const nav_options *options,
                                  const float start[3], uint32_t expected)
{
    nav_scratch *scratch;
    static nav_flood_polygon all[800], few[800];
    nav_flood flood;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    assert_int_equal(nav_query_flood(mesh, scratch, start, 500.0, options, all, 800, &flood),
                     NAV_OK);
    assert_int_equal(flood.count, expected);
    assert_false(flood.truncated);
    for (uint32_t room = 0; room < expected; room += 1 + expected / 100) {
        assert_int_equal(nav_query_flood(mesh, scratch, start, 500.0, options, few, room, &flood),
                         NAV_OK);
        assert_int_equal(flood.count, room);
        assert_true(flood.truncated);
        assert_memory_equal(few, all, room * sizeof *few);
    }
    nav_scratch_destroy(scratch);
}

// Labels add to what nodes have found in a fan of very many polygons.
static void a_fan_has_the_same_first_in_any_list(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    builder_fan(&b);
    nav_mesh *mesh = builder_mesh(&b);
    const nav_options options = nav_options_default();
    const float start[3] = {1000.0002f, 0, 1000.0f};
    expect_the_same_first(mesh, &options, start, 800);
    nav_mesh_release(mesh);
    builder_free(&b);
}

static void several_costs_have_the_same_first_in_any_list(void **state)
{
    (void)state;
    // 42 polygons
    nav_mesh *mesh = map_mesh("2.2.2.2/.2.2.2./2.2.2.2/.2.2.2./2.2.2.2/.2.2.2.");
    nav_filter weighted = {0};
    weighted.area_costs[2] = 3;
    nav_options options = nav_options_default();
    options.filter = &weighted;
    const float start[3] = {0.3f, 0, 0.4f};
    expect_the_same_first(mesh, &options, start, 42);
    nav_mesh_release(mesh);
}

#define SIDE 60

static bool count_call(void *user)
{
    ++*(uint32_t *)user;
    return false;
}

static void several_costs_end_with_the_list(void **state)
{
    (void)state;
    static char map[SIDE * (SIDE + 1)];
    for (int i = 0; i < SIDE * (SIDE + 1); ++i) {
        const int column = i % (SIDE + 1), row = i / (SIDE + 1);
        map[i] = column == SIDE ? '/' : (column + row) % 2 == 0 ? '2' : '.';
    }
    map[sizeof map - 1] = '\0';
    nav_mesh *mesh = map_mesh(map);
    nav_filter weighted = {0};
    weighted.area_costs[2] = 3;
    uint32_t calls = 0;
    nav_options options = nav_options_default();
    options.filter = &weighted;
    options.cancelled = count_call;
    options.user = &calls;
    nav_scratch *scratch;
    static nav_flood_polygon list[SIDE * SIDE];
    nav_flood flood;
    const float start[3] = {0.3f, 0, 0.4f};
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    assert_int_equal(
        nav_query_flood(mesh, scratch, start, 1e6, &options, list, SIDE * SIDE, &flood), NAV_OK);
    assert_int_equal(flood.count, SIDE * SIDE);
    const uint32_t whole = calls;
    assert_true(whole > 10);
    calls = 0;
    assert_int_equal(nav_query_flood(mesh, scratch, start, 1e6, &options, list, 10, &flood),
                     NAV_OK);
    assert_int_equal(flood.count, 10);
    assert_true(flood.truncated);
    assert_true(calls <= 2);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fan_has_the_same_first_in_any_list),
        cmocka_unit_test(several_costs_have_the_same_first_in_any_list),
        cmocka_unit_test(several_costs_end_with_the_list),
    };
    return cmocka_run_group_tests_name("query_flood_cases", tests, NULL, NULL);
}
