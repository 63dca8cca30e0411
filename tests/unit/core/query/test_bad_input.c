// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// Every kind of question has a defined answer to places that are no numbers or infinitely far, to
// radii of 0 and less, to a place asked with itself, and to places on edges and corners.

#include "tests/unit/mesh_builder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static nav_scratch *scratch;
static nav_mesh *mesh;
static const nav_options OPTIONS = {.snap = {0.5f, 4, 4}};

// A square of 3 x 3 cells with a pillar in the middle.
static int begin(void **state)
{
    (void)state;
    mesh = map_mesh(".../.#./...");
    return nav_scratch_create(NULL, &scratch) == NAV_OK ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    nav_mesh_release(mesh);
    nav_scratch_destroy(scratch);
    return 0;
}

static nav_path ask_path(const float a[3], const float b[3], nav_search search)
{
    nav_path path;
    nav_path_request request = {.options = OPTIONS, .search = search};
    memcpy(request.start, a, sizeof request.start);
    memcpy(request.end, b, sizeof request.end);
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    return path;
}

// Every kind is asked from a point off the mesh, and to one.
static void expect_nowhere(const float nowhere[3])
{
    const float here[3] = {0.5f, 0, 0.5f};
    nav_location places[4];
    uint32_t count = 9;
    nav_ray ray;
    nav_move move;
    nav_wall wall;
    bool reachable[2] = {true, false};
    assert_int_equal(ask_path(nowhere, here, NAV_SEARCH_AUTO).reason, NAV_REASON_START_OFF_MESH);
    assert_int_equal(ask_path(here, nowhere, NAV_SEARCH_AUTO).reason, NAV_REASON_END_OFF_MESH);
    assert_int_equal(nav_query_raycast(mesh, scratch, nowhere, here, &OPTIONS, &ray), NAV_OK);
    assert_false(ray.found);
    assert_int_equal(nav_query_move(mesh, scratch, nowhere, here, &OPTIONS, &move), NAV_OK);
    assert_false(move.found);
    assert_int_equal(nav_query_wall(mesh, scratch, nowhere, 5.0f, &OPTIONS, &wall), NAV_OK);
    assert_false(wall.found);
    assert_int_equal(nav_query_nearest(mesh, nowhere, OPTIONS.snap, NAV_NONE, places, 4), 0);
    assert_int_equal(
        nav_query_nearest_reachable(mesh, scratch, here, nowhere, &OPTIONS, places, 4, &count),
        NAV_OK);
    assert_int_equal(count, 0);
    assert_int_equal(
        nav_query_floors(mesh, scratch, nowhere[0], nowhere[2], &OPTIONS, places, 4, &count),
        NAV_OK);
    assert_int_equal(count, isfinite(nowhere[0]) && isfinite(nowhere[2]) ? 1 : 0);
    assert_int_equal(nav_query_random(mesh, scratch, 1, nowhere, 2.0f, &OPTIONS, places, 4, &count),
                     NAV_OK);
    assert_int_equal(count, 0);
    float both[2][3] = {{nowhere[0], nowhere[1], nowhere[2]}, {0.5f, 0, 1.5f}};
    assert_int_equal(
        nav_query_reachable(mesh, scratch, here, &OPTIONS, (const float(*)[3])both, 2, reachable),
        NAV_OK);
    assert_true(!reachable[0] && reachable[1]);
    const nav_trace_request request = {
        .positions = (const float(*)[3])both, .count = 2, .options = OPTIONS};
    nav_trace trace;
    assert_int_equal(nav_query_trace(mesh, scratch, &request, &trace), NAV_OK);
    assert_true(trace.reason == NAV_TRACE_OFF_MESH && trace.step == 0);
}

static void what_is_no_number_is_nowhere(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; ++axis) {
        const float bad[3] = {NAN, INFINITY, -INFINITY};
        for (int i = 0; i < 3; ++i) {
            float nowhere[3] = {0.5f, 0, 0.5f};
            nowhere[axis] = bad[i];
            expect_nowhere(nowhere);
        }
    }
    // The end of a walk counts in plan view.
    const float here[3] = {0.5f, 0, 0.5f};
    for (int axis = 0; axis < 3; axis += 2) {
        float there[3] = {0.5f, 0, 0.5f};
        nav_ray ray;
        nav_move move;
        there[axis] = NAN;
        assert_int_equal(nav_query_raycast(mesh, scratch, here, there, &OPTIONS, &ray), NAV_OK);
        assert_int_equal(nav_query_move(mesh, scratch, here, there, &OPTIONS, &move), NAV_OK);
        assert_true(!ray.found && !move.found);
    }
}

static void steps_and_rays_of_any_length_stay_on_the_mesh(void **state)
{
    (void)state;
    const float here[3] = {0.5f, 0, 0.5f};
    for (float far = 1e3f; far < INFINITY; far *= 1e5f) {
        const float there[3] = {far, 0, 0.5f};
        nav_ray ray;
        nav_move move;
        assert_int_equal(nav_query_raycast(mesh, scratch, here, there, &OPTIONS, &ray), NAV_OK);
        assert_true(ray.found && ray.hit);
        assert_near(ray.position[0], 3.0, 1e-4);
        assert_near(ray.position[2], 0.5, 1e-4);
        assert_int_equal(nav_query_move(mesh, scratch, here, there, &OPTIONS, &move), NAV_OK);
        assert_true(move.found);
        assert_near(move.position[0], 3.0, 1e-4);
        assert_true(move.position[2] >= 0.0f && move.position[2] <= 3.0f);
    }
}

static void radii_of_nothing_and_less(void **state)
{
    (void)state;
    const float middle[3] = {0.5f, 0, 0.5f}, edge[3] = {0, 0, 0.5f};
    const float radii[3] = {0.0f, -1.0f, NAN};
    for (int i = 0; i < 3; ++i) {
        nav_wall wall;
        nav_location places[4];
        uint32_t count;
        assert_int_equal(nav_query_wall(mesh, scratch, middle, radii[i], &OPTIONS, &wall), NAV_OK);
        assert_true(wall.found && !wall.hit && wall.distance == 0.0f);
        assert_int_equal(nav_query_wall(mesh, scratch, edge, radii[i], &OPTIONS, &wall), NAV_OK);
        assert_true(wall.found && wall.hit && wall.distance == 0.0f && wall.normal[0] == 1.0f);
        assert_int_equal(
            nav_query_random(mesh, scratch, 1, middle, radii[i], &OPTIONS, places, 4, &count),
            NAV_OK);
        assert_int_equal(count, 4);
        assert_true(places[3].position[0] == 0.5f && places[3].position[2] == 0.5f);
    }
}

static void from_a_place_to_itself_and_within_a_polygon(void **state)
{
    (void)state;
    const float here[3] = {0.25f, 0, 0.5f}, there[3] = {0.75f, 0, 0.5f};
    for (nav_search search = NAV_SEARCH_AUTO; search <= NAV_SEARCH_EXACT; ++search) {
        nav_path path = ask_path(here, here, search);
        assert_true(path.status == NAV_PATH_COMPLETE && path.optimal && path.cost == 0.0);
        assert_int_equal(path.corridor_count, 0);
        path = ask_path(here, there, search);
        assert_true(path.status == NAV_PATH_COMPLETE && path.optimal && path.point_count == 2);
        assert_near(path.cost, 0.5, 1e-7);
    }
}

// From every corner, the middle of every edge and of every cell to every other: all kinds agree.
static void edges_and_corners_are_on_the_mesh(void **state)
{
    (void)state;
    for (int i = 0; i < 49 * 49; ++i) {
        const int ax = i / 49 % 7, az = i / 49 / 7, bx = i % 49 % 7, bz = i % 49 / 7;
        const float a[3] = {(float)ax / 2, 0, (float)az / 2};
        const float b[3] = {(float)bx / 2, 0, (float)bz / 2};
        if ((ax == 3 && az == 3) || (bx == 3 && bz == 3)) {
            continue; // the pillar
        }
        nav_ray ray;
        nav_move move;
        bool reachable = false;
        const nav_path path = ask_path(a, b, NAV_SEARCH_EXACT);
        const double straight = hypot((double)b[0] - (double)a[0], (double)b[2] - (double)a[2]);
        assert_true(path.status == NAV_PATH_COMPLETE && path.optimal);
        assert_int_equal(nav_query_raycast(mesh, scratch, a, b, &OPTIONS, &ray), NAV_OK);
        assert_true(ray.found);
        // Only what is seen is reached straight; along a wall both may be true.
        assert_true(ray.hit || fabs(path.cost - straight) < 1e-6);
        assert_int_equal(nav_query_move(mesh, scratch, a, b, &OPTIONS, &move), NAV_OK);
        assert_true(move.found);
        assert_true(ray.hit || (move.position[0] == b[0] && move.position[2] == b[2]));
        assert_int_equal(
            nav_query_reachable(mesh, scratch, a, &OPTIONS, (const float(*)[3])b, 1, &reachable),
            NAV_OK);
        assert_true(reachable);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_number_is_nowhere),
        cmocka_unit_test(steps_and_rays_of_any_length_stay_on_the_mesh),
        cmocka_unit_test(radii_of_nothing_and_less),
        cmocka_unit_test(from_a_place_to_itself_and_within_a_polygon),
        cmocka_unit_test(edges_and_corners_are_on_the_mesh),
    };
    return cmocka_run_group_tests_name("query_bad_input", tests, begin, end);
}
