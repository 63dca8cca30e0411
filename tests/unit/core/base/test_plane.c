// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_plane.c: geometry in plan view: sides, headings, distances, and that the forms for floats
// and for doubles agree.

#include "core/base/plane.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// Once around, in steps of unlike angles.
static const float DIRECTIONS[][2] = {{3, 0},  {3, 1},  {2, 2},  {1, 3},   {0, 2},   {-1, 4},
                                      {-5, 5}, {-3, 1}, {-1, 0}, {-4, -1}, {-2, -2}, {-1, -3},
                                      {0, -7}, {1, -4}, {6, -6}, {4, -1}};
#define DIRECTION_COUNT (sizeof DIRECTIONS / sizeof *DIRECTIONS)

static void test_right_is_positive(void **state)
{
    (void)state;
    // z points down: +z lies to the right of a walk towards +x.
    const double a[2] = {1, 1}, b[2] = {3, 1}, right[2] = {2, 4}, left[2] = {2, -4};
    const float a_f[2] = {1, 1}, b_f[2] = {3, 1}, right_f[2] = {2, 4};
    assert_true(nav_plane_side(a, b, right) == 6.0);
    assert_true(nav_plane_side(a, b, left) == -10.0);
    assert_true(nav_plane_side_of(a_f, b_f, right_f) == 6.0);
    for (size_t i = 0; i < DIRECTION_COUNT; ++i) {
        const float *from = DIRECTIONS[i], *to = DIRECTIONS[(i + 1) % DIRECTION_COUNT];
        const double one[2] = {(double)from[0], (double)from[1]};
        const double other[2] = {(double)to[0], (double)to[1]};
        assert_true(nav_plane_cross_rays(one, other) > 0.0);
        assert_true(nav_plane_cross_rays(other, one) < 0.0);
        assert_true((double)nav_plane_cross_f(from[0], from[1], to[0], to[1]) ==
                    nav_plane_cross_rays(one, other));
        assert_true((double)nav_plane_cross_i((int64_t)from[0], (int64_t)from[1], (int64_t)to[0],
                                              (int64_t)to[1]) == nav_plane_cross_rays(one, other));
    }
    assert_true(nav_plane_cross_i(INT32_MAX, INT32_MIN, INT32_MAX, 1) ==
                INT32_MAX - (int64_t)INT32_MIN * INT32_MAX);
}

static void test_headings_rise_once_around(void **state)
{
    (void)state;
    const float origin[2] = {0, 0};
    double before = -1.0;
    for (size_t i = 0; i < DIRECTION_COUNT; ++i) {
        const double direction[2] = {(double)DIRECTIONS[i][0], (double)DIRECTIONS[i][1]};
        const double heading = nav_plane_heading(direction);
        assert_true(heading > before && heading >= 0.0 && heading < 4.0);
        const double in_floats = (double)nav_plane_heading_f(origin, DIRECTIONS[i]);
        // A few roundings of floats below 4, of 1.2e-7 each.
        assert_true(fabs(heading - in_floats) < 1e-6);
        before = heading;
    }
    assert_true(nav_plane_heading_f(origin, origin) == 0.0f);
}

static void test_distances_agree(void **state)
{
    (void)state;
    const float a[3] = {1, 10, 2}, b[3] = {4, 22, 6};
    const float a_plan[2] = {1, 2}, b_plan[2] = {4, 6};
    const double a_double[2] = {1, 2}, b_double[2] = {4, 6};
    double offset[2];
    nav_plane_offset(a_plan, b_plan, offset);
    assert_true(offset[0] == 3.0 && offset[1] == 4.0);
    assert_true(nav_plane_distance(a_double, b_double) == 5.0);
    assert_true(nav_plane_distance_of(a_plan, b_plan) == 5.0);
    assert_true(nav_plane_distance_xz(a, b) == 5.0);
    assert_true(nav_plane_distance_f(a[0], a[2], b[0], b[2]) == 5.0f);
    assert_true(nav_plane_length_f(3, 4) == 5.0f);
    assert_true(nav_plane_length2(offset[0], offset[1]) == 25.0);
    assert_true(nav_space_distance(a, b) == 13.0);
    assert_true(nav_plane_dot(offset[0], offset[1], 4.0, -3.0) == 0.0);
}

static void test_closest_point_of_a_segment(void **state)
{
    (void)state;
    const float a[2] = {0, 0}, b[2] = {10, 0};
    const float points[][2] = {{-3, 4}, {5, 4}, {13, 4}};
    const double expected2[] = {25.0, 16.0, 25.0};
    for (int i = 0; i < 3; ++i) {
        const double p[2] = {(double)points[i][0], (double)points[i][1]};
        const double from[2] = {0, 0}, to[2] = {10, 0};
        assert_true(nav_plane_segment_distance2_of(a, b, points[i]) == expected2[i]);
        assert_true(nav_plane_segment_distance2(from, to, p) == expected2[i]);
        double closest[2];
        nav_plane_closest_point(from, to, p, closest);
        assert_true(nav_plane_length2(p[0] - closest[0], p[1] - closest[1]) == expected2[i]);
    }
    // A segment without length is its point.
    assert_true(nav_plane_segment_distance2_of(a, a, points[0]) == 25.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_is_positive),
        cmocka_unit_test(test_headings_rise_once_around),
        cmocka_unit_test(test_distances_agree),
        cmocka_unit_test(test_closest_point_of_a_segment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
