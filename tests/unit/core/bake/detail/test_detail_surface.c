// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_detail_surface.c: refinement takes the worst sample first and stops where it must.

#include "tests/unit/bake_builder.h"

#include "core/bake/detail/detail.h"

#include <math.h>

// A flat square with a sample in each of its two triangles, the second one off by more.
static void refinement_stops_at_the_limit_of_points(void **state)
{
    (void)state;
    nav_arena arena;
    nav_arena_init(&arena, NULL, 0);
    nav_detail_surface surface = {0};
    const int32_t one = NAV_DELAUNAY_ONE;
    nav_delaunay_point box[] = {{0, 0}, {8 * one, 0}, {8 * one, 8 * one}, {0, 8 * one}};
    const nav_bake_job job = {.scratch = &arena};
    nav_delaunay_point samples[] = {{4 * one, one}, {4 * one, 7 * one}};
    for (uint32_t point_max = 4; point_max <= 6; point_max++) {
        assert_true(nav_detail_surface_reserve(&surface, &arena, 4));
        assert_true(nav_detail_surface_reserve_samples(&surface, &arena, 2));
        nav_delaunay_begin(&surface.plan, box, 4);
        memset(surface.heights, 0, 4 * sizeof *surface.heights);
        nav_detail_surface_prepare(&surface);
        for (uint32_t i = 0; i < 2; i++) {
            uint32_t at = nav_delaunay_find(&surface.plan, 0, samples[i]);
            nav_detail_surface_add(&surface, at, samples[i], i == 0 ? 8 : 10);
        }
        bool met;
        assert_int_equal(nav_detail_surface_refine(&surface, &job, 1, point_max, &met), NAV_OK);
        assert_int_equal(met, point_max == 6);
        assert_int_equal(surface.plan.point_count, point_max);
        // The worse one comes first.
        assert_true(point_max == 4 || surface.heights[4] == 10);
        assert_true(point_max < 6 || surface.heights[5] == 8);
    }
    nav_arena_free(&arena);
}

// Ground so rough that each of its 299 x 299 corners would be a point: more than a polygon can
// have.
static void an_error_that_is_not_met_is_told_with_its_place(void **state)
{
    (void)state;
    enum {
        SIDE = 300
    };
    static char text[SIDE][SIDE + 1];
    static const char *rows[SIDE];
    bake_builder b;
    builder_init(&b, SIDE, SIDE);
    b.config.detail_sample_distance = 0.9f;
    b.config.detail_max_error = 0;
    b.grid.cell_height = 0.5f;
    for (int z = 0; z < SIDE; z++) {
        memset(text[z], '.', SIDE);
        rows[z] = text[z];
    }
    nav_field f = builder_field(&b, rows);
    f.region = NAV_NEW(&b.given, uint32_t, f.span_count);
    f.region_count = 1;
    for (uint32_t i = 0; i < f.span_count; i++) {
        f.region[i] = 1;
        uint32_t x = i % SIDE, z = i / SIDE;
        f.floor[i] = (uint16_t)(100 + (x * x + z * z * 3 + x * z) % 7);
    }
    int32_t vertices[4][3] = {{0, 100, 0}, {0, 100, SIDE}, {SIDE, 100, SIDE}, {SIDE, 100, 0}};
    uint32_t corners[4] = {0, 1, 2, 3}, neighbours[4] = {NAV_NONE, NAV_NONE, NAV_NONE, NAV_NONE};
    uint32_t region = 1;
    uint16_t area = NAV_AREA_GROUND;
    nav_polygons polygons = {.vertices = vertices,
                             .vertex_count = 4,
                             .count = 1,
                             .max_vertices = 4,
                             .polygon_vertices = corners,
                             .polygon_neighbours = neighbours,
                             .areas = &area,
                             .regions = &region};
    nav_detail detail;
    assert_int_equal(nav_bake_detail(&b.job, &f, &polygons, &detail), NAV_OK);
    assert_int_equal(detail.vertex_count, 65535 - 4);
    const nav_warning *warning = &b.report.warnings[NAV_WARN_DETAIL_ERROR];
    assert_int_equal(warning->count, 1);
    // The worst went first: what is left is small, and lies at a corner of a cell.
    const struct nav_warning_item *item = &warning->items[0];
    assert_true(item->value > 0 && item->value < 5 * 0.5f);
    assert_true(item->position[0] == floorf(item->position[0]));
    assert_true(item->position[2] == floorf(item->position[2]));
    uint32_t x = (uint32_t)item->position[0], z = (uint32_t)item->position[2];
    uint16_t height = nav_field_corner_floor(&f, z * SIDE + x, 0, 3);
    assert_true(item->position[1] == 0.5f * (float)height);
    builder_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refinement_stops_at_the_limit_of_points),
        cmocka_unit_test(an_error_that_is_not_met_is_told_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
