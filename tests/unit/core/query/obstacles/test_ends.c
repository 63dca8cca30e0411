// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_ends.c: who stands in a shape that blocks may leave it, by a short way; who wants to get
// into one is led to its rim, and told which shapes keep him out.

#include "tests/unit/overlay_fixture.h"

static nav_path ask_between(const nav_mesh *mesh, const nav_options *options, float x0, float z0,
                            float x1, float z1)
{
    const nav_path_request request = {
        .options = *options, .start = {x0, 0, z0}, .end = {x1, 0, z1}};
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    return path;
}

static nav_path_blockers blockers_between(const nav_mesh *mesh, const nav_options *options,
                                          float x0, float z0, float x1, float z1)
{
    const nav_path_request request = {
        .options = *options, .start = {x0, 0, z0}, .end = {x1, 0, z1}};
    nav_path_blockers blockers;
    assert_int_equal(nav_query_blockers(mesh, scratch, &request, &blockers), NAV_OK);
    assert_int_equal(blockers.switch_count, 0);
    return blockers;
}

static void a_start_in_a_shape_leaves_it(void **state)
{
    (void)state;
    nav_mesh *mesh = plain_mesh(40);
    const nav_avoid wall = box(10, 0, 14, 30, INFINITY);
    const nav_options options = with(&wall, 1);
    // A step in from the left rim, and on to the right: out to the left and around.
    const nav_path path = ask_between(mesh, &options, 10.2f, 20, 30, 20);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    assert_near(path.points[0], 10.2, 1e-6);
    for (uint32_t i = 2; i < path.point_count; ++i) {
        assert_false(path.points[3 * i] > 10.01f && path.points[3 * i] < 13.99f &&
                     path.points[3 * i + 2] < 29.99f);
    }
    // Near the other rim, out there.
    assert_true(ask_between(mesh, &options, 13.9f, 20, 30, 20).point_count <= 3);
    // The goal may lie in the same shape.
    assert_int_equal(ask_between(mesh, &options, 11, 20, 13, 20).status, NAV_PATH_COMPLETE);
    bool reachable[2];
    const float start[3] = {11, 0, 20}, points[2][3] = {{30, 0, 20}, {12, 0, 5}};
    assert_int_equal(nav_query_reachable(mesh, scratch, start, &options, points, 2, reachable),
                     NAV_OK);
    assert_true(reachable[0] && reachable[1]);
    nav_mesh_release(mesh);
}

// Their ground is so dear that costs on open ground are less than a rounding of what is left.
static void a_start_in_many_shapes_leaves_them(void **state)
{
    (void)state;
    nav_mesh *mesh = plain_mesh(40);
    nav_avoid shapes[16];
    for (uint32_t count = 1; count <= 16; ++count) {
        for (uint32_t i = 0; i < count; ++i) {
            const float in = 0.17f * (float)i;
            shapes[i] = i % 2 == 0 ? circle(20, 20, 6 - in, INFINITY)
                                   : box(16 + in, 17 - in, 24 - in, 23 + in, INFINITY);
        }
        const nav_options options = with(shapes, count);
        const nav_path path = ask_between(mesh, &options, 20, 20, 38, 38);
        assert_int_equal(path.status, NAV_PATH_COMPLETE);
        assert_true(path.lower_bound <= path.cost);
        assert_true(path.cost < 404.1); // shapes count once: 6 m and 19.46 m straight on
    }
    nav_mesh_release(mesh);
}

static void a_goal_in_a_shape_is_led_to_its_rim(void **state)
{
    (void)state;
    nav_mesh *mesh = plain_mesh(40);
    const nav_avoid shapes[] = {box(2, 2, 3, 3, INFINITY), circle(30, 20, 3, INFINITY)};
    nav_options options = with(shapes, 2);
    nav_path path = ask_between(mesh, &options, 10, 20, 29, 20);
    assert_int_equal(path.status, NAV_PATH_PARTIAL);
    assert_int_equal(path.reason, NAV_REASON_BLOCKED);
    assert_near(path.points[3 * (path.point_count - 1)], 27.0, 0.1);
    assert_near(path.end[0], 29.0, 1e-6);
    nav_path_blockers blockers = blockers_between(mesh, &options, 10, 20, 29, 20);
    assert_int_equal(blockers.shape_count, 1);
    assert_int_equal(blockers.shapes[0], 1);
    // A point of the rim, as an answer prints it, is on the ground.
    assert_int_equal(ask_between(mesh, &options, 10, 20, 27.0005f, 20).status, NAV_PATH_COMPLETE);
    // The same in a state; the question's own shapes are numbered behind the state's.
    nav_overlay *world = NULL;
    const nav_overlay_parts parts = {.shapes = shapes, .shape_count = 1};
    assert_int_equal(nav_overlay_create(mesh, scratch, NULL, &parts, &world, NULL), NAV_OK);
    options.overlay = world;
    options.avoid = shapes + 1;
    options.avoid_count = 1;
    path = ask_between(mesh, &options, 10, 20, 29, 20);
    assert_int_equal(path.status, NAV_PATH_PARTIAL);
    blockers = blockers_between(mesh, &options, 10, 20, 29, 20);
    assert_int_equal(blockers.shape_count, 1);
    assert_int_equal(blockers.shapes[0], 1);
    nav_overlay_release(world);
    nav_mesh_release(mesh);
}

static void what_shuts_the_way_is_named(void **state)
{
    (void)state;
    nav_mesh *mesh = plain_mesh(40);
    // The last one, out of the way, makes ground cheaper.
    const nav_avoid shapes[] = {box(0, 10, 40, 12, INFINITY), box(5, 2, 6, 3, INFINITY),
                                box(0, 20, 40, 22, INFINITY), box(0, 30, 40, 31, 5),
                                box(30, 2, 32, 3, 0.5f)};
    const nav_options options = with(shapes, 5);
    const nav_path path = ask_between(mesh, &options, 20, 5, 20, 35);
    assert_int_equal(path.status, NAV_PATH_PARTIAL);
    assert_int_equal(path.reason, NAV_REASON_BLOCKED);
    nav_path_blockers blockers = blockers_between(mesh, &options, 20, 5, 20, 35);
    assert_int_equal(blockers.shape_count, 2);
    const uint32_t low = blockers.shapes[0] < blockers.shapes[1] ? 0 : 1;
    assert_int_equal(blockers.shapes[low], 0);
    assert_int_equal(blockers.shapes[1 - low], 2);
    // The one that the start lies in can be left.
    blockers = blockers_between(mesh, &options, 20, 11, 20, 35);
    assert_int_equal(blockers.shape_count, 1);
    assert_int_equal(blockers.shapes[0], 2);
    // Nothing is named where the way is free, or where there would be none.
    assert_int_equal(blockers_between(mesh, &options, 20, 5, 30, 5).shape_count, 0);
    assert_int_equal(blockers_between(mesh, &options, 20, 5, 99, 5).shape_count, 0);
    nav_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_start_in_a_shape_leaves_it),
        cmocka_unit_test(a_start_in_many_shapes_leaves_them),
        cmocka_unit_test(a_goal_in_a_shape_is_led_to_its_rim),
        cmocka_unit_test(what_shuts_the_way_is_named),
    };
    return cmocka_run_group_tests_name("query_ends", tests, scratch_begin, scratch_end);
}
