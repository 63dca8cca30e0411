// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// The nearest place is on the mesh, at the detail's height, inside the snap box, and no other is
// nearer.

#include "core/query/points/points.h"
#include "tests/unit/mesh_builder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static void expect_place(const nav_location *place, uint32_t polygon, float x, float y, float z)
{
    assert_int_equal(place->polygon, polygon);
    assert_near(place->position[0], x, 1e-5);
    assert_near(place->position[1], y, 1e-5);
    assert_near(place->position[2], z, 1e-5);
}

static uint32_t ask(const nav_mesh *mesh, float x, float y, float z, nav_location *out,
                    uint32_t capacity)
{
    const float point[3] = {x, y, z};
    return nav_query_nearest(mesh, point, nav_snap_default(), NAV_NONE, out, capacity);
}

static void default_snap_is_documented(void **state)
{
    (void)state;
    nav_snap snap = nav_snap_default();
    assert_near(snap.horizontal, 2.0, 0.0);
    assert_near(snap.up, 4.0, 0.0);
    assert_near(snap.down, 4.0, 0.0);
}

static void over_beside_and_off_the_mesh(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("..");
    nav_location place;
    assert_int_equal(ask(mesh, 1.25f, 3.0f, 0.5f, &place, 1), 1);
    expect_place(&place, 1, 1.25f, 0.0f, 0.5f);
    assert_near(place.distance, 3.0, 1e-6);
    assert_int_equal(ask(mesh, 3.0f, 0.0f, 2.0f, &place, 1), 1); // beyond the corner
    expect_place(&place, 1, 2.0f, 0.0f, 1.0f);
    assert_near(place.distance, sqrt(2.0), 1e-6);
    assert_int_equal(ask(mesh, 0.5f, 0.0f, -1.5f, &place, 1), 1); // beyond the edge
    expect_place(&place, 0, 0.5f, 0.0f, 0.0f);
    assert_int_equal(ask(mesh, 0.5f, 0.0f, -2.5f, &place, 1), 0);
    assert_int_equal(ask(mesh, 0.5f, 4.5f, 0.5f, &place, 1), 0);
    assert_int_equal(ask(mesh, 0.5f, -4.5f, 0.5f, &place, 1), 0);
    nav_mesh_release(mesh);
}

static void up_and_down_are_told_apart(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    builder_rectangle(&b, 0, 0, 4, 4, 0);
    builder_rectangle(&b, 0, 0, 4, 4, 6);
    nav_mesh *mesh = builder_mesh(&b);
    builder_free(&b);
    nav_location places[2];
    const float point[3] = {1.0f, 4.0f, 1.0f};
    // The floor below comes first, though the ceiling above is nearer.
    assert_int_equal(nav_query_nearest(mesh, point, (nav_snap){1, 4, 4}, NAV_NONE, places, 2), 2);
    expect_place(&places[0], 0, 1.0f, 0.0f, 1.0f);
    expect_place(&places[1], 1, 1.0f, 6.0f, 1.0f);
    assert_int_equal(nav_query_nearest(mesh, point, (nav_snap){1, 4, 4}, NAV_NONE, places, 1), 1);
    expect_place(&places[0], 0, 1.0f, 0.0f, 1.0f);
    assert_int_equal(nav_query_nearest(mesh, point, (nav_snap){1, 1, 4}, NAV_NONE, places, 2), 1);
    expect_place(&places[0], 0, 1.0f, 0.0f, 1.0f);
    assert_int_equal(nav_query_nearest(mesh, point, (nav_snap){1, 4, 3}, NAV_NONE, places, 2), 1);
    expect_place(&places[0], 1, 1.0f, 6.0f, 1.0f);
    // The lower floor is another component.
    assert_int_equal(nav_query_nearest(mesh, point, (nav_snap){1, 4, 4}, 1, places, 2), 1);
    expect_place(&places[0], 0, 1.0f, 0.0f, 1.0f);
    assert_int_equal(nav_query_nearest(mesh, point, (nav_snap){1, 4, 4}, 3, places, 2), 0);
    nav_mesh_release(mesh);
}

// Ground too high to step on comes after all else if there is a floor; otherwise the distance
// alone counts. The agent of these meshes steps 0.5 high.
static void floors_come_before_ceilings(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    builder_rectangle(&b, 0, 0, 4, 4, 0);
    builder_rectangle(&b, 0, 0, 4, 4, 3);
    builder_rectangle(&b, 5, 0, 9, 4, 2); // beside, and higher than a step from the ground
    builder_rectangle(&b, 5, 5, 9, 9, 0); // beside, on the ground
    nav_mesh *mesh = builder_mesh(&b);
    builder_free(&b);
    nav_location places[4];
    const nav_snap wide = {.horizontal = 6, .up = 4, .down = 4};
    // Under the upper floor: the ground below, then the ground beside, then what is higher.
    const float below[3] = {3.5f, 1.4f, 3.5f};
    assert_int_equal(nav_query_nearest(mesh, below, wide, NAV_NONE, places, 4), 4);
    expect_place(&places[0], 0, 3.5f, 0.0f, 3.5f);
    expect_place(&places[1], 3, 5.0f, 0.0f, 5.0f);
    expect_place(&places[2], 1, 3.5f, 3.0f, 3.5f);
    expect_place(&places[3], 2, 5.0f, 2.0f, 3.5f);
    static const uint32_t order[] = {0, 3, 1, 2};
    for (uint32_t count = 1; count < 4; ++count) {
        assert_int_equal(nav_query_nearest(mesh, below, wide, NAV_NONE, places, count), count);
        assert_int_equal(places[count - 1].polygon, order[count - 1]);
    }
    // A step below the upper floor that is the floor; more than a step below, it is a ceiling.
    const float step[3] = {1.0f, 2.5f, 1.0f};
    assert_int_equal(nav_query_nearest(mesh, step, wide, NAV_NONE, places, 1), 1);
    expect_place(&places[0], 1, 1.0f, 3.0f, 1.0f);
    const float deeper[3] = {1.0f, 2.4f, 1.0f};
    assert_int_equal(nav_query_nearest(mesh, deeper, wide, NAV_NONE, places, 1), 1);
    expect_place(&places[0], 0, 1.0f, 0.0f, 1.0f);
    // The ground lies farther down than is looked: no floor, so the nearest counts.
    const nav_snap shallow = {.horizontal = 6, .up = 4, .down = 1};
    assert_int_equal(nav_query_nearest(mesh, deeper, shallow, NAV_NONE, places, 1), 1);
    expect_place(&places[0], 1, 1.0f, 3.0f, 1.0f);
    // A floor that is not within reach is none.
    assert_int_equal(nav_query_nearest(mesh, below, wide, 2, places, 4), 1);
    expect_place(&places[0], 1, 3.5f, 3.0f, 3.5f);
    nav_mesh_release(mesh);
}

// The floor counts up to its very border.
static void a_floor_that_ends_under_the_point_is_one(void **state)
{
    (void)state;
    static const float points[][3] = {{0, 1.8f, 2}, {4, 1.8f, 2}, {2, 1.8f, 0}, {2, 1.8f, 4},
                                      {0, 1.8f, 0}, {4, 1.8f, 4}, {0, 1.8f, 4}, {4, 1.8f, 0}};
    builder b;
    builder_init(&b);
    builder_rectangle(&b, 0, 0, 4, 4, 0);
    builder_rectangle(&b, -2, -2, 6, 6, 3);
    nav_mesh *mesh = builder_mesh(&b);
    builder_free(&b);
    for (size_t i = 0; i < sizeof points / sizeof points[0]; ++i) {
        nav_location place;
        assert_int_equal(
            nav_query_nearest(mesh, points[i], (nav_snap){2, 4, 4}, NAV_NONE, &place, 1), 1);
        expect_place(&place, 0, points[i][0], 0.0f, points[i][2]);
    }
    nav_mesh_release(mesh);
}

// A triangle may overlap the box with its bounds only.
static void bounds_alone_do_not_count(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    builder_polygon(&b, 3, (const int32_t[][3]){{0, 0, 0}, {0, 0, 10}, {10, 0, 10}});
    nav_mesh *mesh = builder_mesh(&b);
    builder_free(&b);
    nav_location place;
    assert_int_equal(ask(mesh, 9.0f, 0.0f, 1.0f, &place, 1), 0);
    assert_int_equal(ask(mesh, 6.0f, 0.0f, 4.0f, &place, 1), 1);
    expect_place(&place, 0, 5.0f, 0.0f, 5.0f);
    nav_mesh_release(mesh);
}

static void heights_come_from_the_detail(void **state)
{
    (void)state;
    static float vertices[1][3] = {{2.0f, 3.0f, 2.0f}};
    static uint16_t triangles[4][3] = {{4, 0, 1}, {4, 1, 2}, {4, 2, 3}, {4, 3, 0}};
    static uint32_t vertex_first[2] = {0, 1};
    static uint32_t triangle_first[2] = {0, 4};
    builder b;
    builder_init(&b);
    builder_rectangle(&b, 0, 0, 4, 4, 0);
    nav_mesh *flat = builder_mesh(&b);
    b.detail = (nav_detail){.vertices = vertices,
                            .triangles = triangles,
                            .vertex_first = vertex_first,
                            .triangle_first = triangle_first,
                            .vertex_count = 1,
                            .triangle_count = 4};
    nav_mesh *hill = builder_mesh(&b);
    builder_free(&b);
    nav_location place;
    assert_int_equal(ask(flat, 2.0f, 1.0f, 2.0f, &place, 1), 1);
    expect_place(&place, 0, 2.0f, 0.0f, 2.0f);
    assert_int_equal(ask(hill, 2.0f, 1.0f, 2.0f, &place, 1), 1);
    expect_place(&place, 0, 2.0f, 3.0f, 2.0f);
    assert_int_equal(ask(hill, 3.0f, 1.0f, 2.0f, &place, 1), 1);
    expect_place(&place, 0, 3.0f, 1.5f, 2.0f);
    assert_int_equal(ask(hill, 0.5f, 1.0f, 1.0f, &place, 1), 1);
    expect_place(&place, 0, 0.5f, 0.75f, 1.0f);
    assert_int_equal(ask(hill, -1.0f, 0.0f, 2.0f, &place, 1), 1);
    expect_place(&place, 0, 0.0f, 0.0f, 2.0f);
    nav_mesh_release(flat);
    nav_mesh_release(hill);
}

static void slopes_without_detail_are_interpolated(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    builder_polygon(&b, 4, (const int32_t[][3]){{0, 0, 0}, {0, 0, 4}, {4, 2, 4}, {4, 2, 0}});
    nav_mesh *mesh = builder_mesh(&b);
    builder_free(&b);
    nav_location place;
    assert_int_equal(ask(mesh, 1.0f, 0.0f, 3.5f, &place, 1), 1);
    expect_place(&place, 0, 1.0f, 0.5f, 3.5f);
    assert_int_equal(ask(mesh, 3.0f, 0.0f, 0.5f, &place, 1), 1);
    expect_place(&place, 0, 3.0f, 1.5f, 0.5f);
    nav_mesh_release(mesh);
}

static void ties_go_to_the_lower_polygon(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("../..");
    nav_location places[4];
    assert_int_equal(ask(mesh, 1.0f, 0.0f, 1.0f, places, 4), 4);
    for (uint32_t i = 0; i < 4; ++i) {
        expect_place(&places[i], i, 1.0f, 0.0f, 1.0f);
    }
    assert_int_equal(ask(mesh, 1.0f, 1.0f, 1.0f, places, 1), 1);
    assert_int_equal(places[0].polygon, 0);
    assert_int_equal(ask(mesh, 1.0f, 0.0f, 1.0f, places, 0), 0);
    nav_mesh_release(mesh);
}

static void senseless_questions_find_nothing(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("..");
    nav_location place;
    const float bad[] = {NAN, INFINITY, -INFINITY, 1e30f};
    for (int i = 0; i < 4; ++i) {
        assert_int_equal(ask(mesh, bad[i], 0.0f, 0.5f, &place, 1), 0);
        assert_int_equal(ask(mesh, 0.5f, bad[i], 0.5f, &place, 1), 0);
        assert_int_equal(ask(mesh, 0.5f, 0.0f, bad[i], &place, 1), 0);
    }
    const float point[3] = {0.5f, 0.0f, 0.5f};
    const nav_snap snaps[] = {{NAN, 1, 1}, {1, NAN, 1}, {1, 1, INFINITY}, {-1, 1, 1}, {1, -1, 1}};
    for (int i = 0; i < 5; ++i) {
        assert_int_equal(nav_query_nearest(mesh, point, snaps[i], NAV_NONE, &place, 1), 0);
    }
    assert_int_equal(nav_query_nearest(mesh, point, (nav_snap){0, 0, 0}, NAV_NONE, &place, 1), 1);
    nav_mesh_release(mesh);
}

// The distance from a point to a unit cell at height 0.
static double cell_distance(const float point[3], int x, int z)
{
    double dx = fmax(fmax((double)x - (double)point[0], (double)point[0] - (x + 1)), 0.0);
    double dz = fmax(fmax((double)z - (double)point[2], (double)point[2] - (z + 1)), 0.0);
    return sqrt(dx * dx + dz * dz + (double)point[1] * (double)point[1]);
}

enum {
    SIDE = 16
};

// The least distance to a free cell of a component (NAV_NONE: any); cells count polygons.
static double least_distance(const char *text, const nav_mesh *mesh, const float point[3],
                             uint32_t component)
{
    double least = HUGE_VAL;
    uint32_t polygon = 0;
    for (int i = 0; i < SIDE * SIDE; ++i) {
        if (text[i / SIDE * (SIDE + 1) + i % SIDE] == '#') {
            continue;
        }
        if (component == NAV_NONE || nav_mesh_polygon(mesh, polygon).component == component) {
            least = fmin(least, cell_distance(point, i % SIDE, i / SIDE));
        }
        ++polygon;
    }
    return least;
}

// Against a look at every cell, with the box and without, of any component and of one.
static void nothing_is_nearer(void **state)
{
    (void)state;
    uint64_t seed = 11;
    char text[SIDE * (SIDE + 1)];
    for (int i = 0; i < SIDE * (SIDE + 1); ++i) {
        bool wall = next_random(&seed) % 100 < 50;
        text[i] = i % (SIDE + 1) == SIDE ? '/' : wall ? '#' : '.';
    }
    text[sizeof text - 1] = '\0';
    nav_mesh *mesh = map_mesh(text);
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    assert_in_range(stats.components, 5, 100);
    for (int round = 0; round < 2000; ++round) {
        float point[3];
        for (int axis = 0; axis < 3; ++axis) {
            point[axis] = (float)(next_random(&seed) % 2400) / 100.0f - 4.0f;
        }
        point[1] /= 8.0f;
        nav_location closest, nearest;
        assert_true(nav_query_closest(mesh, point, (nav_reach){.component = NAV_NONE}, &closest));
        assert_near(closest.distance, least_distance(text, mesh, point, NAV_NONE), 1e-5);
        const nav_snap wide = {50, 50, 50};
        assert_int_equal(nav_query_nearest(mesh, point, wide, NAV_NONE, &nearest, 1), 1);
        assert_int_equal(nearest.polygon, closest.polygon);
        const uint32_t component = 1 + next_random(&seed) % stats.components;
        assert_true(nav_query_closest(mesh, point, (nav_reach){.component = component}, &closest));
        assert_int_equal(nav_mesh_polygon(mesh, closest.polygon).component, component);
        assert_near(closest.distance, least_distance(text, mesh, point, component), 1e-5);
    }
    nav_mesh_release(mesh);
}

// The box has corners: what lies in one is farther away than the box is wide.
static void a_place_in_a_corner_of_the_box_is_found(void **state)
{
    (void)state;
    // Two squares far apart: the cells of the grid are larger than they are.
    builder b;
    builder_init(&b);
    builder_rectangle(&b, 0, 0, 20, 20, 0);
    builder_rectangle(&b, 60, 60, 80, 80, 0);
    nav_mesh *mesh = builder_mesh(&b);
    nav_location place;
    for (int i = 0; i < 100; ++i) {
        const float off = 0.0203f * (float)i;
        const float point[3] = {20.0f + off, 0, 20.0f + off};
        const uint32_t found =
            nav_query_nearest(mesh, point, (nav_snap){1.0f, 1, 1}, NAV_NONE, &place, 1);
        assert_int_equal(found, i <= 49);
    }
    nav_mesh_release(mesh);
    builder_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_place_in_a_corner_of_the_box_is_found),
        cmocka_unit_test(default_snap_is_documented),
        cmocka_unit_test(over_beside_and_off_the_mesh),
        cmocka_unit_test(up_and_down_are_told_apart),
        cmocka_unit_test(floors_come_before_ceilings),
        cmocka_unit_test(a_floor_that_ends_under_the_point_is_one),
        cmocka_unit_test(bounds_alone_do_not_count),
        cmocka_unit_test(heights_come_from_the_detail),
        cmocka_unit_test(slopes_without_detail_are_interpolated),
        cmocka_unit_test(ties_go_to_the_lower_polygon),
        cmocka_unit_test(senseless_questions_find_nothing),
        cmocka_unit_test(nothing_is_nearer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
