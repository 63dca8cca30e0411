// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_ends.c: who stands in a shape that blocks may leave it, by a short way; who wants to get
// into one is led to its rim, and told which shapes keep him out. Neither is put onto another
// storey.

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
    const nav_overlay_items parts = {.shapes = shapes, .shape_count = 1};
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

// Two storeys, one 3 above the other, and a ramp beside them that leads up. Seen from above:
//
//   14 +-------+----+----+
//      | up    | up | up |
//   10 +-------+----+----+
//      | both  |ramp| up |
//    0 +-------+----+----+
//      0      10   14   18
static nav_mesh *two_storeys(void)
{
    static const int32_t ramp[4][3] = {{10, 0, 0}, {10, 0, 10}, {14, 3, 10}, {14, 3, 0}};
    builder b;
    builder_init(&b);
    builder_rectangle(&b, 0, 0, 10, 10, 0);
    builder_polygon(&b, 4, ramp);
    builder_rectangle(&b, 14, 0, 18, 10, 3);
    builder_rectangle(&b, 14, 10, 18, 14, 3);
    builder_rectangle(&b, 10, 10, 14, 14, 3);
    builder_rectangle(&b, 0, 10, 10, 14, 3);
    builder_rectangle(&b, 0, 0, 10, 10, 3);
    nav_mesh *mesh = builder_mesh(&b);
    builder_free(&b);
    return mesh;
}

// A place on either storey, and a shape over it there.
static nav_avoid cover_place(uint64_t *random, float at[3])
{
    at[0] = 0.5f + 9.0f * random_part(random);
    at[1] = next_random(random) % 2 == 0 ? 0.0f : 3.0f;
    at[2] = 0.5f + 9.0f * random_part(random);
    const float x = at[0] + 0.5f * random_part(random) - 0.25f;
    const float z = at[2] + 0.5f * random_part(random) - 0.25f;
    const float size = 0.4f + random_part(random);
    nav_avoid shape = next_random(random) % 2 == 0
                          ? circle(x, z, size, INFINITY)
                          : box(x - size, z - size, x + size, z + size, INFINITY);
    shape.bottom += at[1];
    shape.top += at[1];
    return shape;
}

// All questions about ways between two places, whose storeys are known.
static void ask_about(const nav_mesh *mesh, const nav_options *options, const float start[3],
                      const float end[3], bool leads)
{
    nav_path_request request = {.options = *options};
    nav_path path;
    memcpy(request.start, start, sizeof request.start);
    memcpy(request.end, end, sizeof request.end);
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.status, leads ? NAV_PATH_COMPLETE : NAV_PATH_PARTIAL);
    assert_int_equal(path.reason, leads ? NAV_REASON_NULL : NAV_REASON_BLOCKED);
    assert_memory_equal(path.start, start, sizeof path.start);
    assert_memory_equal(path.end, end, sizeof path.end);
    double cost;
    bool found[2], reachable;
    nav_matrix matrix = {.costs = &cost, .sources_found = &found[0], .targets_found = &found[1]};
    const nav_matrix_request pair = {.sources = (const float(*)[3])request.start,
                                     .targets = (const float(*)[3])request.end,
                                     .source_count = 1,
                                     .target_count = 1,
                                     .options = *options};
    assert_int_equal(nav_query_matrix(mesh, scratch, &pair, &matrix), NAV_OK);
    assert_true(found[0] && found[1] && isfinite(cost) == leads);
    assert_int_equal(
        nav_query_reachable(mesh, scratch, start, options, pair.targets, 1, &reachable), NAV_OK);
    assert_int_equal(reachable, leads);
    nav_flood flood;
    nav_flood_polygon first;
    assert_int_equal(nav_query_flood(mesh, scratch, start, 0.0, options, &first, 1, &flood),
                     NAV_OK);
    assert_true(flood.found && memcmp(flood.start, start, sizeof flood.start) == 0);
}

// A movement log that begins in a shape and goes straight to the middle of its storey is legal.
static void trace_out(const nav_mesh *mesh, const nav_options *options, const float start[3])
{
    const float log[2][3] = {{start[0], start[1], start[2]}, {5, start[1], 5}};
    const nav_trace_request request = {.positions = log, .count = 2, .options = *options};
    nav_trace trace;
    assert_int_equal(nav_query_trace(mesh, scratch, &request, &trace), NAV_OK);
    assert_int_equal(trace.step, 2);
}

// The open floor above or below is nearer than the snap allows; it is no answer, all the same.
static void an_end_in_a_shape_stays_on_its_storey(void **state)
{
    (void)state;
    nav_mesh *mesh = two_storeys();
    uint64_t random = 1;
    for (int i = 0; i < 200; ++i) {
        float in_shape[3], outside[3] = {16, 3, 5};
        const nav_avoid shape = cover_place(&random, in_shape);
        nav_options options = with(&shape, 1);
        options.snap = nav_snap_default();
        ask_about(mesh, &options, in_shape, outside, true);
        ask_about(mesh, &options, outside, in_shape, false);
        trace_out(mesh, &options, in_shape);
        // The same in a state.
        const nav_overlay_items parts = {.shapes = &shape, .shape_count = 1};
        nav_overlay *world = NULL;
        assert_int_equal(nav_overlay_create(mesh, scratch, NULL, &parts, &world, NULL), NAV_OK);
        options.avoid_count = 0;
        options.overlay = world;
        ask_about(mesh, &options, in_shape, outside, true);
        ask_about(mesh, &options, outside, in_shape, false);
        trace_out(mesh, &options, in_shape);
        nav_overlay_release(world);
    }
    nav_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_start_in_a_shape_leaves_it),
        cmocka_unit_test(a_start_in_many_shapes_leaves_them),
        cmocka_unit_test(a_goal_in_a_shape_is_led_to_its_rim),
        cmocka_unit_test(what_shuts_the_way_is_named),
        cmocka_unit_test(an_end_in_a_shape_stays_on_its_storey),
    };
    return cmocka_run_group_tests_name("query_ends", tests, scratch_begin, scratch_end);
}
