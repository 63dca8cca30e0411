// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// A movement log is legal, or told where it is not and why: walls, gaps, other floors, speed, time.

#include "tests/unit/mesh_builder.h"
#include "tests/unit/scratch_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const nav_options OPTIONS = {.snap = {0.3f, 4, 4}};

static nav_trace follow(const nav_mesh *mesh, const float (*positions)[3], const double *times_ms,
                        uint32_t count, float max_speed)
{
    const nav_trace_request request = {.positions = positions,
                                       .times_ms = times_ms,
                                       .count = count,
                                       .max_speed = max_speed,
                                       .options = OPTIONS};
    nav_trace trace;
    assert_int_equal(nav_query_trace(mesh, scratch, &request, &trace), NAV_OK);
    return trace;
}

static void logs_are_followed(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("...../.###./...../####./#.");
    static const float around[][3] = {
        {0.5f, 0, 1.5f}, {0.5f, 0, 2.5f}, {4.5f, 0, 2.5f}, {4.5f, 0, 1.5f}};
    static const double times[] = {0, 1000, 3000, 4000};
    nav_trace trace = follow(mesh, around, times, 4, 3.0f);
    assert_int_equal(trace.reason, NAV_TRACE_LEGAL);
    assert_int_equal(trace.step, 4);
    trace = follow(mesh, around, times, 4, 1.9f);
    assert_int_equal(trace.reason, NAV_TRACE_TOO_FAST);
    assert_int_equal(trace.step, 2);
    assert_near(trace.speed, 2.0, 1e-6);
    static const double backwards[] = {0, 1000, 1000, 4000};
    trace = follow(mesh, around, backwards, 4, 3.0f);
    assert_true(trace.reason == NAV_TRACE_TIME && trace.step == 2);
    // Straight through the wall: with time enough it can have been walked around.
    static const float through[][3] = {{0.5f, 0, 1.5f}, {4.5f, 0, 1.5f}};
    static const double slow[] = {0, 9000};
    assert_int_equal(follow(mesh, through, slow, 2, 1.0f).reason, NAV_TRACE_LEGAL);
    static const double quick[] = {0, 4100};
    trace = follow(mesh, through, quick, 2, 1.0f);
    assert_true(trace.reason == NAV_TRACE_WALL && trace.step == 1);
    assert_near(trace.position[0], 1.0, 1e-5);
    trace = follow(mesh, through, NULL, 2, 0);
    assert_int_equal(trace.reason, NAV_TRACE_WALL);
    // Cell 1, 4 is an island; off the map is off the mesh.
    static const float jump[][3] = {{0.5f, 0, 2.5f}, {1.5f, 0, 4.5f}};
    assert_int_equal(follow(mesh, jump, NULL, 2, 0).reason, NAV_TRACE_GAP);
    static const float out[][3] = {{0.5f, 0, 2.5f}, {2.5f, 0, 1.5f}};
    trace = follow(mesh, out, NULL, 2, 0);
    assert_true(trace.reason == NAV_TRACE_OFF_MESH && trace.step == 1);
    assert_int_equal(follow(mesh, around, times, 0, 1.0f).reason, NAV_TRACE_LEGAL);
    nav_mesh_release(mesh);
}

// Two halves, and a link between them at one end.
static void a_step_may_lead_over_a_link_that_is_near(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    builder_map(&b, "...#.../...#.../...#.../...#.../...#.../...#.../...#.../...#...");
    nav_config config = nav_config_default();
    const nav_link link = {.start = {2.5f, 0, 0.5f},
                           .end = {4.5f, 0, 0.5f},
                           .radius = 0.5f,
                           .area = NAV_AREA_GROUND,
                           .bidirectional = true};
    config.links = &link;
    config.link_count = 1;
    nav_mesh *mesh = builder_mesh_with(&b, &config, NULL);
    static const float over[][3] = {{1.5f, 0, 0.5f}, {5.5f, 0, 0.5f}, {1.5f, 0, 1.5f}};
    assert_int_equal(follow(mesh, over, NULL, 3, 0).reason, NAV_TRACE_LEGAL);
    // Far from the link, that would be a walk of 14 m for a step of 4 m.
    static const float far[][3] = {{1.5f, 0, 7.5f}, {5.5f, 0, 7.5f}};
    assert_int_equal(follow(mesh, far, NULL, 2, 0).reason, NAV_TRACE_WALL);
    static const double times[] = {0, 17000};
    assert_int_equal(follow(mesh, far, times, 2, 1.0f).reason, NAV_TRACE_LEGAL);
    nav_mesh_release(mesh);
    builder_free(&b);
}

// Two halves with ground all around, and a link between them that costs more than the walk around.
static void a_step_over_a_link_is_legal_whatever_it_costs(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    builder_map(&b, ".........../...#####.../...#####.../...#####.../...........");
    nav_config config = nav_config_default();
    nav_link link = {.start = {2.5f, 0, 2.5f},
                     .end = {8.5f, 0, 2.5f},
                     .radius = 0.5f,
                     .area = NAV_AREA_GROUND,
                     .has_cost = true,
                     .cost = 1000.0f};
    config.links = &link;
    config.link_count = 1;
    config.agent_radius = 0.3f;
    nav_mesh *mesh = builder_mesh_with(&b, &config, NULL);
    static const float over[][3] = {{2.5f, 0, 2.5f}, {8.5f, 0, 2.5f}};
    static const float near[][3] = {{2.3f, 0, 2.5f}, {8.7f, 0, 2.6f}};
    static const float far[][3] = {{2.5f, 0, 2.1f}, {8.5f, 0, 2.5f}};
    static const float back[][3] = {{8.5f, 0, 2.5f}, {2.5f, 0, 2.5f}};
    static const double times[] = {0, 6000};
    assert_int_equal(follow(mesh, over, NULL, 2, 0).reason, NAV_TRACE_LEGAL);
    assert_int_equal(follow(mesh, over, times, 2, 1.0f).reason, NAV_TRACE_LEGAL);
    assert_int_equal(follow(mesh, over, times, 2, 0.9f).reason, NAV_TRACE_TOO_FAST);
    assert_int_equal(follow(mesh, near, NULL, 2, 0).reason, NAV_TRACE_LEGAL);
    assert_int_equal(follow(mesh, far, NULL, 2, 0).reason, NAV_TRACE_WALL);
    assert_int_equal(follow(mesh, back, NULL, 2, 0).reason, NAV_TRACE_WALL);
    nav_mesh_release(mesh);
    builder_free(&b);
}

// A small shape makes the way around hardly longer than the step: there is time for it, but a path
// straight through it holds no more.
static void a_path_takes_no_detours(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("......................../......................../"
                              "......................../........................");
    static const float leg[][3] = {{0.5f, 0, 2}, {23.5f, 0, 2}};
    static const double times[] = {0, 23000};
    const nav_avoid barrel = {.shape = NAV_AVOID_CIRCLE,
                              .center = {12, 2},
                              .bottom = -1,
                              .top = 1,
                              .radius = 0.3f,
                              .blocked = true};
    nav_trace_request request = {
        .positions = leg, .times_ms = times, .count = 2, .max_speed = 1.0f, .options = OPTIONS};
    nav_trace trace;
    request.options.avoid = &barrel;
    request.options.avoid_count = 1;
    assert_int_equal(nav_query_trace(mesh, scratch, &request, &trace), NAV_OK);
    assert_int_equal(trace.reason, NAV_TRACE_LEGAL);
    request.no_detours = true;
    assert_int_equal(nav_query_trace(mesh, scratch, &request, &trace), NAV_OK);
    assert_true(trace.reason == NAV_TRACE_WALL && trace.step == 1);
    assert_true(trace.position[0] > 10.5f && trace.position[0] < 11.8f);
    nav_mesh_release(mesh);
}

// Answers are rounded to thousandths: who follows a path around a corner may be told to have been
// behind it by half of one.
static void a_corner_is_passed_where_rounding_puts_it(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("...../.###./...../####./#.");
    // Cells 1 to 3 of row 1 are a wall: its corner is at 1, 2.
    static const float near[][3] = {{0.5f, 0, 1.5f}, {1.0005f, 0, 1.9995f}, {2.5f, 0, 2.5f}};
    assert_int_equal(follow(mesh, near, NULL, 3, 0).reason, NAV_TRACE_LEGAL);
    // Not so far as to make a way of it.
    static const float cut[][3] = {{0.5f, 0, 1.5f}, {1.6f, 0, 2.5f}};
    assert_int_equal(follow(mesh, cut, NULL, 2, 0).reason, NAV_TRACE_WALL);
    nav_mesh_release(mesh);
}

// A path that was answered is a movement log that is legal.
static void paths_are_legal(void **state)
{
    (void)state;
    uint64_t random = 5;
    char map[(8 + 1) * 8];
    uint32_t corners = 0;
    for (int round = 0; round < 100; ++round) {
        builder_random_map(&random, 8, 3, map);
        nav_mesh *mesh = map_mesh(map);
        for (uint64_t seed = 0; seed < 20; ++seed) {
            nav_location ends[2];
            uint32_t count;
            assert_int_equal(
                nav_query_random(mesh, scratch, seed, NULL, 0, &OPTIONS, ends, 2, &count), NAV_OK);
            assert_int_equal(count, 2);
            nav_path_request request = {.options = OPTIONS};
            memcpy(request.start, ends[0].position, sizeof request.start);
            memcpy(request.end, ends[1].position, sizeof request.end);
            nav_path path;
            assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
            float points[64][3];
            assert_true(path.point_count <= 64);
            for (uint32_t i = 0; i < path.point_count; ++i) {
                for (int axis = 0; axis < 3; ++axis) {
                    points[i][axis] = roundf(path.points[3 * i + (uint32_t)axis] * 1000) / 1000;
                }
            }
            const nav_trace trace =
                follow(mesh, (const float(*)[3])points, NULL, path.point_count, 0);
            corners += path.point_count > 2 ? path.point_count - 2 : 0;
            assert_int_equal(trace.reason, NAV_TRACE_LEGAL);
        }
        nav_mesh_release(mesh);
    }
    assert_true(corners > 500);
}

// Whoever stands in a shape when the log begins may leave it; nobody else gets through.
static void a_log_that_begins_in_a_shape_leaves_it(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("............/............/............");
    const nav_avoid wall = {.shape = NAV_AVOID_BOX,
                            .min = {4, -1},
                            .bottom = -1,
                            .max = {6, 4},
                            .top = 1,
                            .blocked = true};
    static const float log[][3] = {{1, 0, 1.5f}, {5, 0, 1.5f}, {5.5f, 0, 1}, {9, 0, 1.5f}};
    nav_trace_request request = {.positions = log + 1, .count = 3, .options = OPTIONS};
    nav_trace trace;
    request.options.avoid = &wall;
    request.options.avoid_count = 1;
    assert_int_equal(nav_query_trace(mesh, scratch, &request, &trace), NAV_OK);
    assert_int_equal(trace.reason, NAV_TRACE_LEGAL);
    request.positions = log;
    request.count = 4;
    assert_int_equal(nav_query_trace(mesh, scratch, &request, &trace), NAV_OK);
    assert_true(trace.reason == NAV_TRACE_OFF_MESH && trace.step == 1);
    nav_mesh_release(mesh);
}

static void another_floor_is_told_from_a_wall(void **state)
{
    (void)state;
    nav_mesh *mesh = rectangles_mesh(2, (const int32_t[][5]){{0, 0, 10, 10, 0}, {0, 0, 10, 10, 6}});
    static const float up[][3] = {{2, 0, 2}, {3, 0, 2}, {4, 6, 2}};
    const nav_trace trace = follow(mesh, up, NULL, 3, 0);
    assert_int_equal(trace.reason, NAV_TRACE_WRONG_FLOOR);
    assert_int_equal(trace.step, 2);
    nav_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logs_are_followed),
        cmocka_unit_test(a_step_may_lead_over_a_link_that_is_near),
        cmocka_unit_test(a_step_over_a_link_is_legal_whatever_it_costs),
        cmocka_unit_test(a_path_takes_no_detours),
        cmocka_unit_test(a_corner_is_passed_where_rounding_puts_it),
        cmocka_unit_test(paths_are_legal),
        cmocka_unit_test(a_log_that_begins_in_a_shape_leaves_it),
        cmocka_unit_test(another_floor_is_told_from_a_wall),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
