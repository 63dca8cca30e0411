// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// The string bends only where the corridor makes it, on the inner corners, at the mesh's heights.

#include "core/query/search/search.h"
#include "tests/unit/mesh_builder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

// Pulls a string through polygons 0, 1, 2 ... of a mesh, which must follow each other.
static uint32_t pull(const nav_mesh *mesh, const float start[3], const float end[3],
                     float (*points)[3])
{
    uint32_t corridor[64];
    uint32_t count = 0;
    for (uint32_t polygon = 0; polygon + 1 < mesh->stats.polygons; ++polygon) {
        for (uint32_t i = mesh->portal_first[polygon]; i < mesh->portal_first[polygon + 1]; ++i) {
            if (mesh->portals[i].to == polygon + 1) {
                corridor[count++] = i;
            }
        }
    }
    assert_int_equal(count, mesh->stats.polygons - 1);
    const nav_view view = {.mesh = mesh};
    return nav_funnel_pull(&view, start, end, corridor, count, points);
}

static void expect_points(float (*points)[3], uint32_t count, const float (*expected)[3],
                          uint32_t expected_count)
{
    assert_int_equal(count, expected_count);
    for (uint32_t i = 0; i < count; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            assert_near(points[i][axis], expected[i][axis], 1e-6);
        }
    }
}

static void no_portals_give_a_straight_line(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh(".");
    float points[4][3];
    const float a[3] = {0.25f, 0, 0.25f}, b[3] = {0.75f, 0, 0.5f};
    expect_points(points, pull(mesh, a, b, points),
                  (const float[][3]){{0.25f, 0, 0.25f}, {0.75f, 0, 0.5f}}, 2);
    expect_points(points, pull(mesh, a, a, points), (const float[][3]){{0.25f, 0, 0.25f}}, 1);
    nav_mesh_release(mesh);
}

// Left and right turns: the corridor goes along x, then up or down z.
static void bends_to_both_sides(void **state)
{
    (void)state;
    float points[16][3];
    builder b;
    builder_init(&b);
    builder_rectangle(&b, 0, 0, 1, 1, 0);
    builder_rectangle(&b, 1, 0, 2, 1, 0);
    builder_rectangle(&b, 1, 1, 2, 2, 0);
    builder_rectangle(&b, 1, 2, 2, 3, 0);
    nav_mesh *right = builder_mesh(&b);
    builder_free(&b);
    const float a[3] = {0.5f, 0, 0.75f}, down[3] = {1.25f, 0, 2.5f};
    expect_points(points, pull(right, a, down, points),
                  (const float[][3]){{0.5f, 0, 0.75f}, {1, 0, 1}, {1.25f, 0, 2.5f}}, 3);
    builder_init(&b);
    builder_rectangle(&b, 0, 2, 1, 3, 0);
    builder_rectangle(&b, 1, 2, 2, 3, 0);
    builder_rectangle(&b, 1, 1, 2, 2, 0);
    builder_rectangle(&b, 1, 0, 2, 1, 0);
    nav_mesh *left = builder_mesh(&b);
    builder_free(&b);
    const float c[3] = {0.5f, 0, 2.25f}, up[3] = {1.25f, 0, 0.5f};
    expect_points(points, pull(left, c, up, points),
                  (const float[][3]){{0.5f, 0, 2.25f}, {1, 0, 2}, {1.25f, 0, 0.5f}}, 3);
    nav_mesh_release(right);
    nav_mesh_release(left);
}

// A staircase of single cells turns left and right by turns, at rising heights.
static void zigzag_keeps_the_heights(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    builder_polygon(&b, 4, (const int32_t[][3]){{0, 0, 0}, {0, 0, 1}, {4, 2, 1}, {4, 2, 0}});
    builder_polygon(&b, 4, (const int32_t[][3]){{4, 2, 0}, {4, 2, 1}, {5, 2, 1}, {5, 2, 0}});
    builder_polygon(&b, 4, (const int32_t[][3]){{4, 2, 1}, {4, 6, 5}, {5, 6, 5}, {5, 2, 1}});
    builder_polygon(&b, 4, (const int32_t[][3]){{4, 6, 5}, {4, 6, 6}, {5, 6, 6}, {5, 6, 5}});
    builder_polygon(&b, 4, (const int32_t[][3]){{5, 6, 5}, {5, 6, 6}, {9, 6, 6}, {9, 6, 5}});
    nav_mesh *mesh = builder_mesh(&b);
    builder_free(&b);
    float points[16][3];
    const float a[3] = {0.5f, 0.25f, 0.5f}, z[3] = {8.5f, 6, 5.5f};
    expect_points(points, pull(mesh, a, z, points),
                  (const float[][3]){{0.5f, 0.25f, 0.5f}, {4, 2, 1}, {5, 6, 5}, {8.5f, 6, 5.5f}},
                  4);
    nav_mesh_release(mesh);
}

// A start or end on a portal's end point, or on the portal, is no extra point.
static void starts_on_portals_add_no_points(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("....");
    float points[16][3];
    const float corner[3] = {1, 0, 1}, edge[3] = {1, 0, 0.5f}, other[3] = {3, 0, 0};
    assert_int_equal(pull(mesh, corner, other, points), 2);
    assert_int_equal(pull(mesh, edge, other, points), 2);
    const float along[3] = {3, 0, 1}; // along the wall, through two vertices
    uint32_t count = pull(mesh, corner, along, points);
    assert_near(points[0][0], 1.0, 0.0);
    assert_near(points[count - 1][0], 3.0, 0.0);
    for (uint32_t i = 1; i < count; ++i) {
        assert_true(points[i][0] > points[i - 1][0]); // no point twice, none backwards
        assert_near(points[i][2], 1.0, 0.0);
    }
    nav_mesh_release(mesh);
}

// Triangles around one vertex: many portals share the corner, which comes once.
static void fan_around_a_vertex_bends_once(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    builder_polygon(&b, 3, (const int32_t[][3]){{0, 0, 0}, {0, 0, 4}, {4, 0, 4}});
    builder_polygon(&b, 3, (const int32_t[][3]){{0, 0, 0}, {4, 0, 4}, {4, 0, 0}});
    builder_polygon(&b, 3, (const int32_t[][3]){{0, 0, 0}, {4, 0, 0}, {4, 0, -4}});
    builder_polygon(&b, 3, (const int32_t[][3]){{0, 0, 0}, {4, 0, -4}, {0, 0, -4}});
    builder_polygon(&b, 3, (const int32_t[][3]){{0, 0, 0}, {0, 0, -4}, {-4, 0, -4}});
    nav_mesh *mesh = builder_mesh(&b);
    builder_free(&b);
    float points[16][3];
    const float a[3] = {0.5f, 0, 3}, z[3] = {-1, 0, -2};
    expect_points(points, pull(mesh, a, z, points),
                  (const float[][3]){{0.5f, 0, 3}, {0, 0, 0}, {-1, 0, -2}}, 3);
    nav_mesh_release(mesh);
}

// A start on the line of the first portal, or by a rounding beyond it, sees the portal's ends half
// a turn or more apart. The next portal shares one of them.
static void a_start_beyond_its_portal_does_not_go_astray(void **state)
{
    (void)state;
    for (int mirrored = 0; mirrored <= 1; ++mirrored) {
        builder b;
        builder_init(&b);
        builder_rectangle(&b, 0, 0, 1, 10, 0);
        const int32_t shared_right[2][3][3] = {{{1, 0, 0}, {1, 0, 10}, {2, 0, 0}},
                                               {{2, 0, 0}, {1, 0, 10}, {2, 0, 10}}};
        const int32_t shared_left[2][3][3] = {{{1, 0, 0}, {1, 0, 10}, {2, 0, 10}},
                                              {{1, 0, 0}, {2, 0, 10}, {2, 0, 0}}};
        for (int i = 0; i < 2; ++i) {
            builder_polygon(&b, 3, mirrored ? shared_left[i] : shared_right[i]);
        }
        nav_mesh *mesh = builder_mesh(&b);
        builder_free(&b);
        for (int i = -1; i <= 1; ++i) {
            float points[8][3];
            const float start[3] = {1.0f + (float)i * 1e-6f, 0, 5};
            const float end[3] = {1.9375f, 0, mirrored ? 2 : 8};
            const float expected[2][3] = {{start[0], 0, 5}, {end[0], 0, end[2]}};
            expect_points(points, pull(mesh, start, end, points), expected, 2);
        }
        nav_mesh_release(mesh);
    }
}

// Along a border that is closed, over the edge behind its end, and to a place on its other side:
// all in one line, in which the string goes to the border's end and back; but straight past it to a
// place beyond.
static void back_along_the_line_it_came(void **state)
{
    (void)state;
    for (int32_t side = -4; side <= 4; side += 8) {
        const int32_t above[4][3] = {{2, 0, 0}, {4, 0, 0}, {6, 0, 0}, {4, 0, -4}};
        const int32_t below[4][3] = {{4, 0, 4}, {6, 0, 0}, {4, 0, 0}, {2, 0, 0}};
        builder b;
        builder_init(&b);
        builder_rectangle(&b, 0, side < 0 ? -4 : 0, 4, side < 0 ? 0 : 4, 0);
        builder_rectangle(&b, 4, side < 0 ? -4 : 0, 6, side < 0 ? 0 : 4, 0);
        builder_polygon(&b, 4, side < 0 ? below : above);
        nav_mesh *mesh = builder_mesh(&b);
        builder_free(&b);
        float points[8][3];
        const float start[3] = {1, 0, 0}, back[3] = {3, 0, 0}, on[3] = {5, 0, 0};
        const float turned[3] = {4, 0, side < 0 ? 2 : -2};
        expect_points(points, pull(mesh, start, back, points),
                      (const float[][3]){{1, 0, 0}, {4, 0, 0}, {3, 0, 0}}, 3);
        expect_points(points, pull(mesh, start, on, points),
                      (const float[][3]){{1, 0, 0}, {5, 0, 0}}, 2);
        const float corner[3][3] = {{1, 0, 0}, {4, 0, 0}, {4, 0, turned[2]}};
        expect_points(points, pull(mesh, start, turned, points), corner, 3);
        nav_mesh_release(mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_portals_give_a_straight_line),
        cmocka_unit_test(bends_to_both_sides),
        cmocka_unit_test(zigzag_keeps_the_heights),
        cmocka_unit_test(starts_on_portals_add_no_points),
        cmocka_unit_test(fan_around_a_vertex_bends_once),
        cmocka_unit_test(a_start_beyond_its_portal_does_not_go_astray),
        cmocka_unit_test(back_along_the_line_it_came),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
