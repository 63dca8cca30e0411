// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_common.c: names and shapes of a request become those of the mesh that is asked.

#include "tests/unit/mesh_builder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#include "proto/base/coordinates.h"
#include "proto/requests/requests.h"
#include "tests/unit/memory_fixture.h"
#include "tests/unit/preset.h"

static const nav_area AREAS[] = {{.name = "none", .cost = 1.0f},
                                 {.name = "ground", .cost = 1.0f},
                                 {.name = "mud", .cost = 3.0f}};
static const nav_name FLAGS[] = {"walk", "swim"};
static const nav_named_filter FILTERS[] = {{"boat", {.include = 2}}};

static nav_mesh *make_mesh(nav_coordinates coordinates)
{
    const nav_config config = {.areas = AREAS,
                               .area_count = 3,
                               .flag_names = FLAGS,
                               .flag_count = 2,
                               .filters = FILTERS,
                               .filter_count = 1,
                               .agent_height = 2.0f,
                               .coordinates = coordinates};
    return map_mesh_with("..", &config, NULL);
}

static nav_status resolve(const nav_mesh *mesh, proto_common *common, nav_filter *space,
                          nav_options *out, nav_error *err)
{
    common->memory = &memory;
    common->snap = nav_snap_default();
    return proto_common_resolve(common, mesh, space, out, err);
}

static void filters_become_numbers(void **state)
{
    (void)state;
    nav_mesh *mesh = make_mesh(coordinates_of("y_up"));
    nav_filter space;
    nav_options out;
    nav_error err = {0};
    proto_common common = {0};
    assert_int_equal(resolve(mesh, &common, &space, &out, &err), NAV_OK);
    assert_null(out.filter);
    assert_near(out.snap.up, 4.0, 0.0);
    common.filter.name = "boat";
    assert_int_equal(resolve(mesh, &common, &space, &out, &err), NAV_OK);
    assert_int_equal(out.filter->include, 2);
    const proto_area_cost costs[] = {{"mud", 7.0f}};
    const char *const walk[] = {"walk"}, *const both[] = {"swim", "walk"};
    common.filter = (proto_filter){.costs = costs,
                                   .cost_count = 1,
                                   .include = walk,
                                   .include_count = 1,
                                   .exclude = both,
                                   .exclude_count = 2};
    assert_int_equal(resolve(mesh, &common, &space, &out, &err), NAV_OK);
    assert_ptr_equal(out.filter, &space);
    assert_near(space.area_costs[2], 7.0, 0.0);
    assert_near(space.area_costs[1], 0.0, 0.0);
    assert_int_equal(space.include, 1);
    assert_int_equal(space.exclude, 3);
    nav_mesh_release(mesh);
}

static void names_that_the_mesh_has_not_are_refused(void **state)
{
    (void)state;
    nav_mesh *mesh = make_mesh(coordinates_of("y_up"));
    const proto_area_cost lava[] = {{"lava", 7.0f}}, none[] = {{"none", 7.0f}};
    const char *const fly[] = {"fly"};
    const struct {
        proto_filter filter;
        const char *at;
    } rows[] = {
        {{.name = "car"}, "filter"},
        {{.costs = lava, .cost_count = 1}, "filter.costs.lava"},
        {{.costs = none, .cost_count = 1}, "filter.costs.none"}, // nobody walks there at any cost
        {{.include = fly, .include_count = 1}, "filter.include"},
        {{.exclude = fly, .exclude_count = 1}, "filter.exclude"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        nav_filter space;
        nav_options out = {.avoid_count = 77};
        nav_error err = {0};
        proto_common common = {.filter = rows[i].filter};
        assert_int_equal(resolve(mesh, &common, &space, &out, &err), NAV_INVALID_FIELD);
        assert_string_equal(err.at, rows[i].at);
        assert_int_equal(out.avoid_count, 77); // untouched
    }
    nav_mesh_release(mesh);
}

static const float OUTLINE[][2] = {{0, 1}, {4, 1}, {4, 5}};
static const proto_avoid SHAPES[] = {
    {.shape = NAV_AVOID_CIRCLE, .blocked = true, .cost = 1, .center = {1, 2, 3}, .radius = 4},
    {.shape = NAV_AVOID_CIRCLE,
     .cost = 5,
     .center = {1, 2, 3},
     .radius = 4,
     .has_height = true,
     .height = 9},
    {.shape = NAV_AVOID_BOX, .blocked = true, .cost = 1, .min = {1, 2, 3}, .max = {4, 6, 8}},
    {.shape = NAV_AVOID_CONVEX,
     .blocked = true,
     .cost = 1,
     .points = OUTLINE,
     .point_count = 3,
     .min_y = -1,
     .max_y = 2},
};

static void shapes_stand_in_the_mesh(void **state)
{
    (void)state;
    for (int turned = 0; turned < 2; turned++) {
        nav_mesh *mesh = make_mesh(coordinates_of(turned ? "z_up" : "y_up"));
        nav_filter space;
        nav_options out;
        nav_error err = {0};
        proto_common common = {.avoid = SHAPES, .avoid_count = 4};
        assert_int_equal(resolve(mesh, &common, &space, &out, &err), NAV_OK);
        assert_int_equal(out.avoid_count, 4);
        const nav_avoid *a = out.avoid;
        // The agent is 2 high: what is a storey above or below is not meant.
        assert_true(a[0].blocked && !a[1].blocked);
        assert_near(a[0].center[0], 1.0, 0.0);
        assert_near(a[0].center[1], turned ? -2.0 : 3.0, 0.0);
        assert_near(a[0].radius, 4.0, 0.0);
        assert_near(a[0].bottom, (turned ? 3.0 : 2.0) - 2.0, 0.0);
        assert_near(a[0].top, (turned ? 3.0 : 2.0) + 2.0, 0.0);
        assert_near(a[1].bottom, (turned ? 3.0 : 2.0) - 9.0, 0.0);
        assert_near(a[1].top, (turned ? 3.0 : 2.0) + 9.0, 0.0);
        assert_near(a[1].cost, 5.0, 0.0);
        assert_near(a[2].min[0], 1.0, 0.0);
        assert_near(a[2].max[0], 4.0, 0.0);
        assert_near(a[2].min[1], turned ? -6.0 : 3.0, 0.0);
        assert_near(a[2].max[1], turned ? -2.0 : 8.0, 0.0);
        assert_near(a[2].bottom, turned ? 3.0 : 2.0, 0.0);
        assert_near(a[2].top, turned ? 8.0 : 6.0, 0.0);
        assert_int_equal(a[3].point_count, 3);
        assert_near(a[3].points[2][0], 4.0, 0.0);
        assert_near(a[3].points[2][1], turned ? -5.0 : 5.0, 0.0);
        assert_near(a[3].bottom, -1.0, 0.0);
        assert_near(a[3].top, 2.0, 0.0);
        nav_mesh_release(mesh);
    }
}

static nav_avoid resolve_one(nav_coordinates coordinates, const proto_avoid *shape)
{
    nav_mesh *mesh = make_mesh(coordinates);
    nav_filter space;
    nav_options out;
    nav_error err = {0};
    proto_common common = {.avoid = shape, .avoid_count = 1};
    assert_int_equal(resolve(mesh, &common, &space, &out, &err), NAV_OK);
    nav_mesh_release(mesh);
    return out.avoid[0];
}

static void capsules_stand_along_their_line(void **state)
{
    (void)state;
    proto_avoid shape = {.shape = NAV_AVOID_CAPSULE,
                         .blocked = true,
                         .cost = 1,
                         .start = {1, 7, 3},
                         .end = {4, 5, 9},
                         .radius = 2};
    nav_avoid a = resolve_one(coordinates_of("y_up"), &shape);
    assert_int_equal(a.shape, NAV_AVOID_CAPSULE);
    assert_true(a.blocked && a.radius == 2.0f);
    assert_true(a.center[0] == 1.0f && a.center[1] == 3.0f && a.end[0] == 4.0f && a.end[1] == 9.0f);
    assert_true(a.bottom == 3.0f && a.top == 9.0f); // the agent is 2 high
    shape.has_height = true;
    shape.height = 0.5f;
    a = resolve_one(coordinates_of("z_up"), &shape);
    assert_true(a.center[1] == -7.0f && a.end[1] == -5.0f);
    assert_true(a.bottom == 2.5f && a.top == 9.5f);
}

// Quarters of a turn are exact. Seen with Y up, Z goes to X; with Z up, X goes to Y.
static void boxes_turn_about_their_middle(void **state)
{
    (void)state;
    proto_avoid shape = {.shape = NAV_AVOID_BOX,
                         .blocked = true,
                         .cost = 1,
                         .min = {1, 2, 10},
                         .max = {5, 3, 12},
                         .yaw = 90};
    nav_avoid a = resolve_one(coordinates_of("y_up"), &shape);
    assert_int_equal(a.shape, NAV_AVOID_CONVEX);
    assert_int_equal(a.point_count, 4);
    // The corner (1, 10) is (-2, -1) from the middle (3, 11); Z to X: its x becomes its z.
    assert_true(a.points[0][0] == 2.0f && a.points[0][1] == 13.0f);
    assert_true(a.points[2][0] == 4.0f && a.points[2][1] == 9.0f);
    assert_true(a.bottom == 2.0f && a.top == 3.0f);
    shape.yaw = 30;
    a = resolve_one(coordinates_of("y_up"), &shape);
    const double c = cos(acos(-1.0) / 6), s = 0.5;
    assert_near(a.points[0][0], 3 - 2 * c - 1 * s, 1e-6);
    assert_near(a.points[0][1], 11 + 2 * s - 1 * c, 1e-6);
    // In the level of Z up the box is 4 by 1 about (3, 2.5), 2 high.
    a = resolve_one(coordinates_of("z_up"), &shape);
    bool found = false;
    for (int i = 0; i < 4; i++) {
        found = found || (fabs((double)a.points[i][0] - (3 + 2 * c - 0.5 * s)) < 1e-6 &&
                          fabs(-(double)a.points[i][1] - (2.5 + 2 * s + 0.5 * c)) < 1e-6);
    }
    assert_true(found);
    assert_true(a.bottom == 10.0f && a.top == 12.0f);
    // What no engine tells apart is one shape to the last bit.
    shape.yaw = 390;
    const nav_avoid more = resolve_one(coordinates_of("z_up"), &shape);
    assert_memory_equal(more.points, a.points, sizeof(float[4][2]));
    shape.yaw = 0;
    assert_int_equal(resolve_one(coordinates_of("z_up"), &shape).shape, NAV_AVOID_BOX);
}

static void turns_are_those_of_the_library(void **state)
{
    (void)state;
    for (int i = -7200; i <= 7200; i++) {
        const float center[3] = {0, 0, 0};
        float at[3] = {0, 5, 1000};
        const double radians = i * 0.5 * acos(-1.0) / 180;
        proto_turn(coordinates_of("y_up"), center, i * 0.5, at);
        assert_near(at[0], 1000 * sin(radians), 1e-4);
        assert_near(at[2], 1000 * cos(radians), 1e-4);
        assert_true(at[1] == 5.0f);
    }
}

static void flat_boxes_have_no_yaw(void **state)
{
    (void)state;
    nav_mesh *mesh = make_mesh(coordinates_of("y_up"));
    nav_filter space;
    nav_options out;
    nav_error err = {0};
    proto_avoid shape = {.shape = NAV_AVOID_BOX, .cost = 1, .max = {0, 3, 4}, .yaw = 5};
    proto_common common = {.avoid = &shape, .avoid_count = 1};
    assert_int_equal(resolve(mesh, &common, &space, &out, &err), NAV_INVALID_FIELD);
    assert_string_equal(err.at, "avoid[0].max");
    shape.max[0] = -1; // as without a yaw
    assert_int_equal(resolve(mesh, &common, &space, &out, &err), NAV_INVALID_FIELD);
    assert_string_equal(err.at, "avoid[0].min");
    nav_mesh_release(mesh);
}

// An empty mesh knows no agent.
static void circles_have_a_height_without_an_agent(void **state)
{
    (void)state;
    nav_mesh *mesh = NULL;
    assert_int_equal(nav_mesh_create(NULL, 0, NULL, NULL, &mesh, NULL, NULL), NAV_OK);
    nav_filter space;
    nav_options out;
    nav_error err = {0};
    proto_common common = {.avoid = SHAPES, .avoid_count = 1};
    assert_int_equal(resolve(mesh, &common, &space, &out, &err), NAV_OK);
    assert_near(out.avoid[0].bottom, 2.0 - 3.0, 0.0);
    assert_near(out.avoid[0].top, 2.0 + 3.0, 0.0);
    nav_mesh_release(mesh);
}

static void shapes_that_cannot_be_and_those_without_memory(void **state)
{
    (void)state;
    nav_mesh *mesh = make_mesh(coordinates_of("y_up"));
    nav_filter space;
    nav_options out;
    nav_error err = {0};
    proto_avoid wrong = SHAPES[2];
    wrong.max[0] = 0.0f; // below its min
    proto_common common = {.avoid = &wrong, .avoid_count = 1};
    assert_int_equal(resolve(mesh, &common, &space, &out, &err), NAV_INVALID_FIELD);
    assert_int_equal(strncmp(err.at, "avoid[0]", 8), 0);
    common = (proto_common){.avoid = SHAPES, .avoid_count = 4, .snap = nav_snap_default()};
    for (size_t limit = 32; limit < 1000; limit += 16) {
        nav_arena small;
        nav_arena_init(&small, NULL, limit);
        common.memory = &small;
        const nav_status status = proto_common_resolve(&common, mesh, &space, &out, &err);
        nav_arena_free(&small);
        if (status == NAV_OK) {
            assert_true(limit > 4 * sizeof(nav_avoid));
            nav_mesh_release(mesh);
            return;
        }
        assert_int_equal(status, NAV_NO_MEMORY);
    }
    fail();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(filters_become_numbers, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(names_that_the_mesh_has_not_are_refused, memory_begin,
                                        memory_end),
        cmocka_unit_test_setup_teardown(capsules_stand_along_their_line, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(boxes_turn_about_their_middle, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(flat_boxes_have_no_yaw, memory_begin, memory_end),
        cmocka_unit_test(turns_are_those_of_the_library),
        cmocka_unit_test_setup_teardown(shapes_stand_in_the_mesh, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(circles_have_a_height_without_an_agent, memory_begin,
                                        memory_end),
        cmocka_unit_test_setup_teardown(shapes_that_cannot_be_and_those_without_memory,
                                        memory_begin, memory_end),
    };
    return cmocka_run_group_tests_name("request_common", tests, NULL, NULL);
}
