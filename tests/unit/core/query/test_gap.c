// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_gap.c: the ground nearest to a point that is off the mesh, and the narrow place between two
// islands, held against all of their corners and edges.

#include "core/query/view/scratch.h"
#include "tests/unit/mesh_builder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Three islands that are near each other in few places.
static const char ISLANDS[] = ".......#####..."
                              "/.......#######."
                              "/##############."
                              "/##############."
                              "/.....#########."
                              "/.....####......"
                              "/.....####......";

static nav_scratch *make_scratch(void)
{
    nav_scratch *scratch = NULL;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    return scratch;
}

static void ground_far_away(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("..");
    nav_scratch *scratch = make_scratch();
    const nav_options options = nav_options_default();
    static const struct {
        float point[3], nearest[3];
    } cases[] = {{{0.5f, 0, -2.5f}, {0.5f, 0, 0}}, {{-30, 0, 0.5f}, {0, 0, 0.5f}},
                 {{1, 100, 0.5f}, {1, 0, 0.5f}},   {{1, -100, 0.5f}, {1, 0, 0.5f}},
                 {{1002, 0, 1001}, {2, 0, 1}},     {{-7.9f, 7.9f, -7.9f}, {0, 0, 0}},
                 {{2, 0, 2000.5f}, {2, 0, 1}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        nav_location place;
        bool found = false;
        assert_int_equal(nav_query_nearby(mesh, scratch, cases[i].point, &options, &place, &found),
                         NAV_OK);
        assert_true(found);
        for (int axis = 0; axis < 3; ++axis) {
            assert_near(place.position[axis], cases[i].nearest[axis], 1e-4);
        }
    }
    nav_location place;
    bool found = true;
    const float beyond[3] = {0, 0, 2 * NAV_NEARBY_MAX};
    assert_int_equal(nav_query_nearby(mesh, scratch, beyond, &options, &place, &found), NAV_OK);
    assert_false(found);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

// What is in a corner of a box may be farther off than what lies outside of its side.
static void the_nearer_one_is_taken(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("./#/#/#/#/#/#/################.");
    nav_scratch *scratch = make_scratch();
    const nav_options options = nav_options_default();
    nav_location place;
    bool found = false;
    const float point[3] = {7.5f, 0, 7.2f}; // 8.5 from the right one, 9.0 from the left one
    assert_int_equal(nav_query_nearby(mesh, scratch, point, &options, &place, &found), NAV_OK);
    assert_true(found);
    assert_near(place.position[0], 16.0, 1e-4);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

static float closest_corners(const nav_mesh *mesh, const uint32_t components[2])
{
    nav_mesh_stats stats;
    float best = INFINITY;
    nav_mesh_stats_get(mesh, &stats);
    for (uint32_t i = 0; i < stats.polygons; ++i) {
        for (uint32_t k = 0; k < stats.polygons; ++k) {
            const nav_polygon a = nav_mesh_polygon(mesh, i), b = nav_mesh_polygon(mesh, k);
            for (uint32_t m = 0; m < a.vertex_count; ++m) {
                for (uint32_t n = 0; n < b.vertex_count; ++n) {
                    const float *p = nav_mesh_vertex(mesh, a.vertices[m]);
                    const float *q = nav_mesh_vertex(mesh, b.vertices[n]);
                    const float x = p[0] - q[0], z = p[2] - q[2], y = p[1] - q[1];
                    const float distance = sqrtf(x * x + y * y + z * z);
                    if (a.component == components[0] && b.component == components[1] &&
                        distance < best) {
                        best = distance;
                    }
                }
            }
        }
    }
    return best;
}

// From wherever the question asks.
static void the_narrowest_place(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh(ISLANDS);
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < stats.polygons; ++i) {
        for (uint32_t k = 0; k < stats.polygons; ++k) {
            const nav_polygon a = nav_mesh_polygon(mesh, i), b = nav_mesh_polygon(mesh, k);
            const float *start = nav_mesh_vertex(mesh, a.vertices[0]);
            const float *end = nav_mesh_vertex(mesh, b.vertices[0]);
            nav_gap gap, again;
            if (a.component == b.component) {
                assert_false(nav_query_gap(mesh, start, end, &gap));
                continue;
            }
            assert_true(nav_query_gap(mesh, start, end, &gap));
            assert_true(nav_query_gap(mesh, start, end, &again));
            assert_memory_equal(&gap, &again, sizeof gap);
            assert_int_equal(gap.components[0], a.component);
            assert_int_equal(gap.components[1], b.component);
            // On a grid of squares corners are as near as anything.
            assert_near(gap.distance, closest_corners(mesh, gap.components), 1e-4);
            for (int side = 0; side < 2; ++side) {
                nav_location place;
                const nav_snap here = {1e-3f, 1e-3f, 1e-3f};
                assert_int_equal(nav_query_nearest(mesh, gap.points[side], here,
                                                   gap.components[side], &place, 1),
                                 1);
            }
            pairs++;
        }
    }
    assert_true(pairs > 500);
    uint32_t polygons = 0;
    double area = 0;
    const nav_polygon first = nav_mesh_polygon(mesh, 0);
    nav_mesh_island(mesh, first.component, &polygons, &area);
    assert_int_equal(polygons, 14); // the upper left one
    assert_near(area, 14.0, 1e-6);
    const float off[3] = {100, 0, 100}, on[3] = {0.5f, 0, 0.5f};
    nav_gap gap;
    assert_false(nav_query_gap(mesh, off, on, &gap));
    assert_false(nav_query_gap(mesh, on, off, &gap));
    nav_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ground_far_away),
        cmocka_unit_test(the_nearer_one_is_taken),
        cmocka_unit_test(the_narrowest_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
