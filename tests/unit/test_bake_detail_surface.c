// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_bake_detail_surface.c: refinement takes the worst sample first and stops where it must.

#include "core/bake_detail.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// A flat square with a sample in each of its two triangles, the second one off by more.
static void refinement_stops_at_the_limit_of_points(void **state)
{
    (void)state;
    nav_arena arena;
    nav_arena_init(&arena, NULL, 0);
    nav_detail_surface surface = {0};
    const int32_t one = NAV_DELAUNAY_ONE;
    nav_delaunay_point box[] = {{0, 0}, {8 * one, 0}, {8 * one, 8 * one}, {0, 8 * one}};
    nav_delaunay_point samples[] = {{4 * one, one}, {4 * one, 7 * one}};
    for (uint32_t point_max = 4; point_max <= 6; point_max++) {
        assert_true(nav_detail_surface_reserve(&surface, &arena, 4));
        assert_true(nav_detail_surface_reserve_samples(&surface, &arena, 2));
        nav_delaunay_begin(&surface.plan, box, 4);
        memset(surface.heights, 0, 4 * sizeof *surface.heights);
        nav_detail_surface_prepare(&surface);
        for (uint32_t i = 0; i < 2; i++) {
            uint32_t at = nav_delaunay_find(&surface.plan, 0, samples[i]);
            nav_detail_surface_add(&surface, at, samples[i], i == 0 ? 8 : 10);
        }
        bool met;
        assert_int_equal(nav_detail_surface_refine(&surface, &arena, 1, point_max, &met), NAV_OK);
        assert_int_equal(met, point_max == 6);
        assert_int_equal(surface.plan.point_count, point_max);
        // The worse one comes first.
        assert_true(point_max == 4 || surface.heights[4] == 10);
        assert_true(point_max < 6 || surface.heights[5] == 8);
    }
    nav_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refinement_stops_at_the_limit_of_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
