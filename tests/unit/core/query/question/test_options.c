// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// The options of a question are checked before it runs: each wrong member is named.

#include "core/nav.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const float TRIANGLE[][2] = {{0, 0}, {4, 0}, {0, 3}};
static const float TRIANGLE_BACK[][2] = {{0, 3}, {4, 0}, {0, 0}};
static const float SQUARE_WITH_MORE[][2] = {{0, 0}, {0, 0}, {1, 0}, {2, 0}, {2, 2}, {0, 2}, {0, 1}};
static const float LINE[][2] = {{0, 0}, {1, 1}, {2, 2}};
static const float DENT[][2] = {{0, 0}, {4, 0}, {1, 1}, {0, 4}};
static const float CROSSED[][2] = {{0, 0}, {2, 2}, {0, 2}, {2, 0}};
static const float STAR[][2] = {{0, 3}, {2, -3}, {-3, 1}, {3, 1}, {-2, -3}};
static const float TWICE_AROUND[][2] = {{0, 0}, {4, 0}, {0, 3}, {0, 0}, {4, 0}, {0, 3}};
static const float FAR[][2] = {{0, 0}, {2e6f, 0}, {0, 3}};
static const float NOT_A_NUMBER[][2] = {{0, 0}, {NAN, 0}, {0, 3}};

static nav_avoid convex(const float (*points)[2], uint32_t count)
{
    return (nav_avoid){.shape = NAV_AVOID_CONVEX,
                       .blocked = true,
                       .points = points,
                       .point_count = count,
                       .top = 1};
}

#define CONVEX(points) convex(points, sizeof(points) / sizeof((points)[0]))

static nav_status check(const nav_avoid *shape, nav_error *err)
{
    const nav_avoid fine = {.shape = NAV_AVOID_CIRCLE, .cost = 2, .radius = 1, .top = 1};
    const nav_avoid shapes[] = {fine, *shape};
    nav_options options = nav_options_default();
    options.avoid = shapes;
    options.avoid_count = 2;
    return nav_options_check(&options, err);
}

static void right_shapes_pass(void **state)
{
    (void)state;
    const nav_avoid shapes[] = {
        CONVEX(TRIANGLE),
        CONVEX(TRIANGLE_BACK),
        CONVEX(SQUARE_WITH_MORE),
        {.shape = NAV_AVOID_CIRCLE, .blocked = true, .top = INFINITY, .bottom = -INFINITY},
        {.shape = NAV_AVOID_BOX, .cost = 1e-6f, .min = {1, 1}, .max = {1, 1}},
        {.shape = NAV_AVOID_CAPSULE, .cost = 1, .center = {1, 1}, .end = {1, 1}},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; ++i) {
        nav_error err = {0};
        assert_int_equal(check(&shapes[i], &err), NAV_OK);
    }
}

static void wrong_shapes_are_named(void **state)
{
    (void)state;
    const struct {
        nav_avoid shape;
        const char *at;
    } rows[] = {
        {CONVEX(LINE), "avoid[1].points"},
        {CONVEX(DENT), "avoid[1].points"},
        {CONVEX(CROSSED), "avoid[1].points"},
        {CONVEX(STAR), "avoid[1].points"},
        {CONVEX(TWICE_AROUND), "avoid[1].points"},
        {CONVEX(FAR), "avoid[1].points"},
        {CONVEX(NOT_A_NUMBER), "avoid[1].points"},
        {convex(TRIANGLE, 2), "avoid[1].points"},
        {convex(TRIANGLE, NAV_VOLUME_POINTS_MAX + 1), "avoid[1].points"},
        {{.shape = NAV_AVOID_CIRCLE, .cost = 0}, "avoid[1].cost"},
        {{.shape = NAV_AVOID_CIRCLE, .cost = INFINITY}, "avoid[1].cost"},
        {{.shape = NAV_AVOID_CIRCLE, .cost = NAN}, "avoid[1].cost"},
        {{.shape = NAV_AVOID_CIRCLE, .cost = 1, .bottom = 2, .top = 1}, "avoid[1].bottom"},
        {{.shape = NAV_AVOID_CIRCLE, .cost = 1, .top = NAN}, "avoid[1].bottom"},
        {{.shape = NAV_AVOID_CIRCLE, .cost = 1, .center = {0, NAN}}, "avoid[1].center"},
        {{.shape = NAV_AVOID_CIRCLE, .cost = 1, .radius = -1}, "avoid[1].radius"},
        {{.shape = NAV_AVOID_CIRCLE, .cost = 1, .radius = 2e6f}, "avoid[1].radius"},
        {{.shape = NAV_AVOID_BOX, .cost = 1, .min = {2, 0}, .max = {1, 1}}, "avoid[1].min"},
        {{.shape = NAV_AVOID_BOX, .cost = 1, .max = {INFINITY, 1}}, "avoid[1].min"},
        {{.shape = NAV_AVOID_CAPSULE, .cost = 1, .center = {NAN, 0}}, "avoid[1].center"},
        {{.shape = NAV_AVOID_CAPSULE, .cost = 1, .end = {0, 2e6f}}, "avoid[1].end"},
        {{.shape = NAV_AVOID_CAPSULE, .cost = 1, .radius = NAN}, "avoid[1].radius"},
        {{.shape = (nav_avoid_shape)7, .cost = 1}, "avoid[1].shape"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        nav_error err = {0};
        assert_int_equal(check(&rows[i].shape, &err), NAV_INVALID_FIELD);
        assert_string_equal(err.at, rows[i].at);
    }
}

static void too_many_shapes_and_wrong_costs_are_named(void **state)
{
    (void)state;
    nav_error err = {0};
    nav_options options = nav_options_default();
    options.avoid_count = NAV_AVOID_MAX + 1;
    assert_int_equal(nav_options_check(&options, &err), NAV_INVALID_FIELD);
    assert_string_equal(err.at, "avoid");
    assert_string_equal(err.limit, "1024");
    nav_filter filter = {.area_costs = {[3] = -1.0f}};
    options = nav_options_default();
    options.filter = &filter;
    assert_int_equal(nav_options_check(&options, &err), NAV_INVALID_FIELD);
    assert_string_equal(err.at, "filter.costs");
    filter.area_costs[3] = NAN;
    assert_int_equal(nav_options_check(&options, &err), NAV_INVALID_FIELD);
    filter.area_costs[3] = INFINITY; // closed
    assert_int_equal(nav_options_check(&options, &err), NAV_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_shapes_pass),
        cmocka_unit_test(wrong_shapes_are_named),
        cmocka_unit_test(too_many_shapes_and_wrong_costs_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
