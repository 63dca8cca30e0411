// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_bake_voxelize.c: which voxels a triangle makes solid, against the reference in
// voxel_reference.h; how touches merge into spans; which slopes can be walked.

#include "voxel_reference.h"

#include <math.h>

// ---- geometry for the bench ----

#define TRIANGLES_MAX 4096

typedef struct soup {
    float vertices[9 * TRIANGLES_MAX];
    uint32_t indices[3 * TRIANGLES_MAX];
    uint8_t areas[TRIANGLES_MAX];
    nav_geometry geometry;
} soup;

static soup *soup_create(void)
{
    soup *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->geometry = (nav_geometry){
        .vertices = s->vertices, .triangles = s->indices, .triangle_areas = s->areas};
    return s;
}

static void soup_add(soup *s, const float corners[9], uint8_t area)
{
    uint32_t i = s->geometry.triangle_count++;
    assert_true(i < TRIANGLES_MAX);
    memcpy(s->vertices + 9 * (size_t)i, corners, 9 * sizeof(float));
    for (uint32_t corner = 0; corner < 3; ++corner) {
        s->indices[3 * i + corner] = 3 * i + corner;
    }
    s->areas[i] = area;
    s->geometry.vertex_count += 3;
}

// A level square over [x0, x1] x [z0, z1] at height y, facing up.
static void soup_add_floor(soup *s, float x0, float x1, float z0, float z1, float y, uint8_t area)
{
    soup_add(s, (const float[9]){x0, y, z0, x0, y, z1, x1, y, z0}, area);
    soup_add(s, (const float[9]){x1, y, z0, x0, y, z1, x1, y, z1}, area);
}

static nav_status voxelize(bake_builder *b, void *data)
{
    return nav_bake_voxelize(&b->job, &b->result, data);
}

static nav_heightfield voxelized(bake_builder *b, const soup *s)
{
    builder_empty(b);
    b->report = (nav_bake_report){0};
    b->job.geometry = &s->geometry;
    nav_heightfield solid = {0};
    assert_int_equal(voxelize(b, &solid), NAV_OK);
    assert_int_equal(solid.width, b->job.width_cells);
    assert_int_equal(solid.depth, b->job.depth_cells);
    assert_int_equal(solid.first[(size_t)solid.width * solid.depth], solid.span_count);
    assert_int_equal(b->report.spans, solid.span_count);
    return solid;
}

static void expect_span(const nav_heightfield *f, uint32_t x, uint32_t z, uint32_t index,
                        uint32_t min, uint32_t max, uint32_t area)
{
    uint32_t column = z * f->width + x;
    uint32_t i = f->first[column] + index;
    assert_true(i < f->first[column + 1]);
    assert_int_equal(f->span_min[i], min);
    assert_int_equal(f->span_max[i], max);
    assert_int_equal(f->span_area[i], area);
}

static uint32_t spans_in(const nav_heightfield *f, uint32_t x, uint32_t z)
{
    return f->first[z * f->width + x + 1] - f->first[z * f->width + x];
}

static bool same_solids(const nav_heightfield *a, const nav_heightfield *b)
{
    size_t columns = (size_t)a->width * a->depth;
    return a->span_count == b->span_count &&
           memcmp(a->first, b->first, (columns + 1) * sizeof *a->first) == 0 &&
           memcmp(a->span_min, b->span_min, a->span_count * sizeof *a->span_min) == 0 &&
           memcmp(a->span_max, b->span_max, a->span_count * sizeof *a->span_max) == 0 &&
           memcmp(a->span_area, b->span_area, a->span_count) == 0;
}

// ---- random triangles against the reference ----

typedef void (*shape)(uint64_t *seed, float corners[9]);

static void any_corner(uint64_t *seed, float *corner, float min, float max)
{
    corner[0] = random_between(seed, min, max);
    corner[1] = random_between(seed, 0, 100);
    corner[2] = random_between(seed, min, max);
}

static void big_triangle(uint64_t *seed, float c[9])
{
    for (int i = 0; i < 9; i += 3) {
        any_corner(seed, c + i, -40, 60);
    }
}

static void small_triangle(uint64_t *seed, float c[9])
{
    any_corner(seed, c, -2, 22);
    for (int i = 3; i < 9; ++i) {
        c[i] = fmaxf(c[i % 3] + random_between(seed, -0.7f, 0.7f), i % 3 == 1 ? 0.0f : -100.0f);
    }
}

static void sliver(uint64_t *seed, float c[9])
{
    any_corner(seed, c, -5, 25);
    any_corner(seed, c + 3, -5, 25);
    float t = random_between(seed, 0, 1);
    for (int i = 0; i < 3; ++i) {
        c[6 + i] = c[i] + t * (c[3 + i] - c[i]) + random_between(seed, 0, 0.01f);
    }
}

static void upright_triangle(uint64_t *seed, float c[9])
{
    sliver(seed, c);
    c[7] = random_between(seed, 0, 100);
    uint32_t kind = random_below(seed, 3);
    if (kind < 2) { // in a plane of constant x or z
        c[3 + 2 * kind] = c[6 + 2 * kind] = c[2 * kind];
    }
}

// Corners on whole cells; often level, or upright in the border between two cells.
static void grid_triangle(uint64_t *seed, float c[9])
{
    for (int i = 0; i < 9; ++i) {
        int value = (int)random_below(seed, i % 3 == 1 ? 40 : 28) - (i % 3 == 1 ? 0 : 4);
        c[i] = (float)value;
    }
    int axis = (int)random_below(seed, 4);
    if (axis < 3) {
        c[3 + axis] = c[6 + axis] = c[axis];
    }
}

static void half_grid_triangle(uint64_t *seed, float c[9])
{
    grid_triangle(seed, c);
    for (int i = 0; i < 9; ++i) {
        c[i] += 0.5f * (float)random_below(seed, 2);
    }
}

// Bakes `rounds` times `together` triangles of a shape and compares. The padding of a tile shifts
// the field, so that cells begin at a negative place. Returns the share of voxels left open.
static double compare_shapes(shape make, uint32_t rounds, uint32_t together, int32_t first_cells,
                             float cell_size)
{
    bake_builder b;
    builder_init(&b, 21, 18);
    b.grid.cell_size = cell_size;
    b.job.first_x_cells = first_cells;
    b.job.first_z_cells = 2 * first_cells;
    soup *s = soup_create();
    reference r = {.width = 21, .depth = 18};
    r.cells = malloc(21 * 18 * REFERENCE_HEIGHT);
    uint64_t seed = 88172645463325252ull;
    for (uint32_t round = 0; round < rounds; ++round) {
        s->geometry.triangle_count = s->geometry.vertex_count = 0;
        memset(r.cells, NO, 21 * 18 * REFERENCE_HEIGHT);
        for (uint32_t i = 0; i < together; ++i) {
            float c[9];
            make(&seed, c);
            point points[3];
            for (int k = 0; k < 3; ++k) {
                c[3 * k] *= cell_size;
                c[3 * k + 2] *= cell_size;
                points[k] = (point){(double)c[3 * k] / (double)cell_size - first_cells,
                                    (double)c[3 * k + 1],
                                    (double)c[3 * k + 2] / (double)cell_size - 2 * first_cells};
            }
            soup_add(s, c, NAV_AREA_GROUND);
            reference_add(&r, points);
        }
        nav_heightfield solid = voxelized(&b, s);
        if (b.report.warnings[NAV_WARN_DEGENERATE_TRIANGLES].count == 0) {
            reference_compare(&r, &solid);
        }
    }
    assert_true(r.sure > 1000);
    free(r.cells);
    free(s);
    builder_free(&b);
    return (double)r.open / (double)(r.sure + r.open);
}

static void random_triangles_fill_what_the_reference_fills(void **state)
{
    (void)state;
    assert_true(compare_shapes(big_triangle, 1500, 1, 0, 1) < 0.001);
    assert_true(compare_shapes(small_triangle, 3000, 1, 0, 1) < 0.001);
    assert_true(compare_shapes(sliver, 3000, 1, 0, 1) < 0.001);
    assert_true(compare_shapes(upright_triangle, 3000, 1, 0, 1) < 0.001);
}

static void triangles_on_cell_borders_fill_what_the_reference_fills(void **state)
{
    (void)state;
    // Here corners lie on the borders of voxels, and some verdicts must stay open.
    assert_true(compare_shapes(grid_triangle, 3000, 1, 0, 1) < 0.4);
    assert_true(compare_shapes(half_grid_triangle, 3000, 1, 0, 1) < 0.4);
}

static void many_triangles_fill_the_union(void **state)
{
    (void)state;
    assert_true(compare_shapes(big_triangle, 20, 20, 0, 1) < 0.001);
    assert_true(compare_shapes(small_triangle, 50, 200, 0, 1) < 0.001);
    assert_true(compare_shapes(upright_triangle, 50, 50, 0, 1) < 0.001);
}

static void the_padding_of_a_tile_and_the_cell_size_shift_and_scale(void **state)
{
    (void)state;
    assert_true(compare_shapes(big_triangle, 500, 1, -3, 1) < 0.001);
    assert_true(compare_shapes(big_triangle, 500, 1, 5, 0.25f) < 0.001);
    assert_true(compare_shapes(small_triangle, 1000, 1, -3, 0.3f) < 0.001);
}

// ---- single triangles, by hand ----

static void a_level_square_fills_its_cells_and_no_more(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 6, 6);
    soup *s = soup_create();
    soup_add_floor(s, 1, 3, 2, 5, 7, NAV_AREA_GROUND);
    nav_heightfield solid = voxelized(&b, s);
    assert_int_equal(solid.span_count, 6);
    for (uint32_t z = 2; z < 5; ++z) {
        for (uint32_t x = 1; x < 3; ++x) {
            assert_int_equal(spans_in(&solid, x, z), 1);
            expect_span(&solid, x, z, 0, 7, 8, NAV_AREA_GROUND);
        }
    }
    assert_int_equal(b.report.triangles, 2);
    free(s);
    builder_free(&b);
}

static void a_wall_on_a_cell_border_stands_in_the_cell_above_it(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 4, 4);
    soup *s = soup_create();
    // Along z at x = 2, from height 1 to 5: in column 2, not in column 1.
    soup_add(s, (const float[9]){2, 1, 0, 2, 1, 4, 2, 5, 0}, NAV_AREA_GROUND);
    soup_add(s, (const float[9]){2, 5, 0, 2, 1, 4, 2, 5, 4}, NAV_AREA_GROUND);
    nav_heightfield solid = voxelized(&b, s);
    assert_int_equal(solid.span_count, 4);
    for (uint32_t z = 0; z < 4; ++z) {
        expect_span(&solid, 2, z, 0, 1, 5, NAV_AREA_NONE); // upright: too steep
    }
    assert_int_equal(b.report.triangles_steep, 2);
    free(s);
    builder_free(&b);
}

static void triangles_outside_of_the_field_leave_nothing(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 4, 4);
    soup *s = soup_create();
    soup_add_floor(s, -5, 0, 0, 4, 1, 1);
    soup_add_floor(s, 4, 9, 0, 4, 1, 1);
    soup_add_floor(s, 0, 4, -5, 0, 1, 1);
    soup_add_floor(s, 0, 4, 4, 9, 1, 1);
    soup_add_floor(s, -1e6f, -9e5f, -1e6f, -9e5f, 1, 1);
    nav_heightfield solid = voxelized(&b, s);
    assert_int_equal(solid.span_count, 0);
    soup_add_floor(s, -1e6f, 1e6f, -1e6f, 1e6f, 3, 1); // and one that covers everything
    solid = voxelized(&b, s);
    assert_int_equal(solid.span_count, 16);
    expect_span(&solid, 0, 0, 0, 3, 4, 1);
    expect_span(&solid, 3, 3, 0, 3, 4, 1);
    free(s);
    builder_free(&b);
}

static void a_triangle_without_surface_is_skipped_with_a_warning(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 6, 6);
    soup *s = soup_create();
    soup_add(s, (const float[9]){3, 2, 4, 3, 2, 4, 5, 2, 5}, 1); // two corners alike
    soup_add(s, (const float[9]){0, 0, 0, 1, 1, 1, 2, 2, 2}, 1); // in a line
    soup_add(s, (const float[9]){1, 1, 1, 1, 1, 1, 1, 1, 1}, 1); // a point
    soup_add_floor(s, 0, 1, 0, 1, 0, 1);
    nav_heightfield solid = voxelized(&b, s);
    assert_int_equal(solid.span_count, 1);
    const nav_warning *warning = &b.report.warnings[NAV_WARN_DEGENERATE_TRIANGLES];
    assert_int_equal(warning->count, 3);
    assert_true(warning->position[0] == 3 && warning->position[1] == 2 &&
                warning->position[2] == 4);
    free(s);
    builder_free(&b);
}

// ---- slopes ----

// The area of a 10 x 10 slope that rises by `rise` over a run of `run`.
static uint8_t area_of_slope(float rise, float run, float slope_max, bool upside_down)
{
    bake_builder b;
    builder_init(&b, 1, 1);
    b.config.agent_max_slope = slope_max;
    soup *s = soup_create();
    float c[9] = {0, 0, 0, 0, 0, run, run, rise, 0};
    if (upside_down) {
        memcpy(c + 3, (const float[3]){run, rise, 0}, 3 * sizeof(float));
        memcpy(c + 6, (const float[3]){0, 0, run}, 3 * sizeof(float));
    }
    soup_add(s, c, 5);
    nav_heightfield solid = voxelized(&b, s);
    uint8_t area = solid.span_area[0];
    assert_int_equal(b.report.triangles_steep, area == NAV_AREA_NONE);
    free(s);
    builder_free(&b);
    return area;
}

static void a_slope_up_to_the_limit_can_be_walked(void **state)
{
    (void)state;
    assert_int_equal(area_of_slope(1, 1, 45, false), 5); // exactly 45 degrees
    assert_int_equal(area_of_slope(10, 10, 45, false), 5);
    assert_int_equal(area_of_slope(9.9999f, 10, 45, false), 5);
    assert_int_equal(area_of_slope(10.0001f, 10, 45, false), NAV_AREA_NONE);
    assert_int_equal(area_of_slope(1, 1, 44.9999f, false), NAV_AREA_NONE);
    assert_int_equal(area_of_slope(1, 1, 45.0001f, false), 5);
}

static void the_limits_of_the_slope_work(void **state)
{
    (void)state;
    assert_int_equal(area_of_slope(0, 10, 0, false), 5); // level ground
    assert_int_equal(area_of_slope(0.1f, 10, 0, false), NAV_AREA_NONE);
    assert_int_equal(area_of_slope(50, 1, 89.0f, false), 5); // 88.85 degrees
    assert_int_equal(area_of_slope(60, 1, 89.0f, false), NAV_AREA_NONE);
    assert_int_equal(area_of_slope(90, 1, 89.9f, false), 5); // 89.36 degrees
}

static void what_faces_down_cannot_be_walked(void **state)
{
    (void)state;
    assert_int_equal(area_of_slope(0, 10, 45, true), NAV_AREA_NONE);
    assert_int_equal(area_of_slope(5, 10, 80, true), NAV_AREA_NONE);
}

static void areas_come_from_the_geometry_or_are_ground(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 2, 1);
    soup *s = soup_create();
    soup_add_floor(s, 0, 1, 0, 1, 0, 200);
    soup_add_floor(s, 1, 2, 0, 1, 0, NAV_AREA_NONE);
    nav_heightfield solid = voxelized(&b, s);
    expect_span(&solid, 0, 0, 0, 0, 1, 200);
    expect_span(&solid, 1, 0, 0, 0, 1, NAV_AREA_NONE);
    assert_int_equal(b.report.triangles_steep, 0); // level, but not meant to be walked
    s->geometry.triangle_areas = NULL;
    solid = voxelized(&b, s);
    expect_span(&solid, 0, 0, 0, 0, 1, NAV_AREA_GROUND);
    expect_span(&solid, 1, 0, 0, 0, 1, NAV_AREA_GROUND);
    free(s);
    builder_free(&b);
}

// ---- merging ----

static void touching_spans_merge_and_others_do_not(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 1, 1);
    soup *s = soup_create();
    soup_add_floor(s, 0, 1, 0, 1, 4, 1); // [4, 5)
    soup_add_floor(s, 0, 1, 0, 1, 6, 1); // [6, 7): one cell between
    nav_heightfield solid = voxelized(&b, s);
    assert_int_equal(solid.span_count, 2);
    expect_span(&solid, 0, 0, 0, 4, 5, 1);
    expect_span(&solid, 0, 0, 1, 6, 7, 1);
    soup_add_floor(s, 0, 1, 0, 1, 5, 1); // fills it: [5, 6) touches both
    solid = voxelized(&b, s);
    assert_int_equal(solid.span_count, 1);
    expect_span(&solid, 0, 0, 0, 4, 7, 1);
    free(s);
    builder_free(&b);
}

// Merges a floor of area `low_area` with a floor `rise` cells higher, joined by a wall.
static uint8_t merged_area(uint32_t climb, float rise, uint8_t low_area, uint8_t high_area)
{
    bake_builder b;
    builder_init(&b, 1, 1);
    b.job.climb_cells = climb;
    soup *s = soup_create();
    soup_add_floor(s, 0, 1, 0, 1, 2, low_area);         // ends at 3
    soup_add_floor(s, 0, 1, 0, 1, 2 + rise, high_area); // ends at 3 + rise
    soup_add(s, (const float[9]){0, 2, 0, 0, 2, 1, 0, 2.5f + rise, 0}, 9);
    nav_heightfield solid = voxelized(&b, s);
    assert_int_equal(solid.span_count, 1);
    uint8_t area = solid.span_area[0];
    free(s);
    builder_free(&b);
    return area;
}

static void the_area_is_the_highest_number_within_a_climb_of_the_top(void **state)
{
    (void)state;
    assert_int_equal(merged_area(3, 3, 7, 2), 7); // exactly a climb below
    assert_int_equal(merged_area(3, 4, 7, 2), 2); // one more
    assert_int_equal(merged_area(3, 3, 2, 7), 7);
    assert_int_equal(merged_area(3, 4, 2, 7), 7);
    assert_int_equal(merged_area(3, 3, 7, NAV_AREA_NONE), 7); // ground through a thin cover
    assert_int_equal(merged_area(3, 4, 7, NAV_AREA_NONE), NAV_AREA_NONE);
    assert_int_equal(merged_area(0, 1, 7, 2), 2);
    assert_int_equal(merged_area(0, 0, 7, 2), 7);
}

static void columns_with_many_touches_stay_sorted(void **state)
{
    (void)state;
    // 64 and 65 touches sort in different ways; 300 and 600 are more than a byte can count. The
    // floors come from top to bottom, then each third once more with a greater area.
    static const uint32_t counts[] = {63, 64, 65, 66, 255, 256, 300, 600};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; ++k) {
        bake_builder b;
        builder_init(&b, 1, 1);
        soup *s = soup_create();
        for (uint32_t i = counts[k]; i-- > 0;) {
            soup_add(
                s, (const float[9]){0, 2 * (float)i, 0, 0, 2 * (float)i, 1, 1, 2 * (float)i, 0}, 1);
        }
        for (uint32_t i = 0; i < counts[k]; i += 3) {
            soup_add(
                s, (const float[9]){0, 2 * (float)i, 0, 0, 2 * (float)i, 1, 1, 2 * (float)i, 0}, 2);
        }
        nav_heightfield solid = voxelized(&b, s);
        assert_int_equal(solid.span_count, counts[k]);
        for (uint32_t i = 0; i < counts[k]; ++i) {
            expect_span(&solid, 0, 0, i, 2 * i, 2 * i + 1, i % 3 == 0 ? 2 : 1);
        }
        free(s);
        builder_free(&b);
    }
}

static void a_column_of_many_touching_floors_is_one_span(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 1, 1);
    soup *s = soup_create();
    for (uint32_t i = 0; i < 1000; ++i) {
        float y = (float)(i * 7 % 1000);
        soup_add(s, (const float[9]){0, y, 0, 0, y, 1, 1, y, 0}, 1);
    }
    nav_heightfield solid = voxelized(&b, s);
    assert_int_equal(solid.span_count, 1);
    expect_span(&solid, 0, 0, 0, 0, 1000, 1);
    free(s);
    builder_free(&b);
}

// ---- order, cancel, memory ----

static soup *random_soup(uint64_t seed, uint32_t count)
{
    static const shape shapes[] = {big_triangle,     small_triangle, sliver,
                                   upright_triangle, grid_triangle,  half_grid_triangle};
    soup *s = soup_create();
    for (uint32_t i = 0; i < count; ++i) {
        float c[9];
        shapes[i % 6](&seed, c);
        soup_add(s, c, (uint8_t)random_below(&seed, 4));
    }
    return s;
}

static void the_order_of_triangles_does_not_matter(void **state)
{
    (void)state;
    bake_builder first, second;
    builder_init(&first, 21, 18);
    builder_init(&second, 21, 18);
    soup *s = random_soup(7, 300);
    nav_heightfield expected = voxelized(&first, s);
    uint64_t seed = 99;
    for (int round = 0; round < 20; ++round) {
        for (uint32_t i = 300; i-- > 1;) {
            uint32_t j = random_below(&seed, i + 1);
            uint8_t area = s->areas[i];
            s->areas[i] = s->areas[j];
            s->areas[j] = area;
            for (uint32_t k = 0; k < 3; ++k) {
                uint32_t index = s->indices[3 * i + k];
                s->indices[3 * i + k] = s->indices[3 * j + k];
                s->indices[3 * j + k] = index;
            }
        }
        nav_heightfield shuffled = voxelized(&second, s);
        assert_true(same_solids(&expected, &shuffled));
    }
    free(s);
    builder_free(&first);
    builder_free(&second);
}

static void the_first_corner_of_a_triangle_does_not_matter(void **state)
{
    (void)state;
    bake_builder first, second;
    builder_init(&first, 21, 18);
    builder_init(&second, 21, 18);
    for (uint64_t round = 1; round <= 30; ++round) {
        soup *s = random_soup(round, 60);
        nav_heightfield expected = voxelized(&first, s);
        for (int turn = 0; turn < 2; ++turn) {
            for (uint32_t i = 0; i < 60; ++i) {
                uint32_t *index = s->indices + 3 * (size_t)i;
                uint32_t front = index[0];
                index[0] = index[1];
                index[1] = index[2];
                index[2] = front;
            }
            nav_heightfield turned = voxelized(&second, s);
            assert_true(same_solids(&expected, &turned));
        }
        free(s);
    }
    builder_free(&first);
    builder_free(&second);
}

static void cancelling_ends_the_stage(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 21, 18);
    soup *s = random_soup(3, 2000);
    b.job.geometry = &s->geometry;
    nav_heightfield solid = {0};
    assert_true(builder_cancel_each_call(&b, voxelize, &solid) >= 2);
    free(s);
    builder_free(&b);
}

static void running_out_of_memory_is_a_status(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 60, 60);
    soup *s = random_soup(3, 4000);
    b.job.geometry = &s->geometry;
    nav_heightfield solid = {0};
    assert_true(builder_fail_each_call(&b, voxelize, &solid) >= 4);
    assert_true(solid.span_count > 0);
    free(s);
    builder_free(&b);
}

static void failure_leaves_the_output_untouched(void **state)
{
    (void)state;
    bake_builder b;
    builder_init(&b, 21, 18);
    soup *s = random_soup(3, 100);
    b.job.geometry = &s->geometry;
    nav_heightfield solid = {.width = 123, .span_count = 456};
    b.cancel_at_call = 1;
    assert_int_equal(voxelize(&b, &solid), NAV_CANCELLED);
    assert_int_equal(solid.width, 123);
    assert_int_equal(solid.span_count, 456);
    free(s);
    builder_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_triangles_fill_what_the_reference_fills),
        cmocka_unit_test(triangles_on_cell_borders_fill_what_the_reference_fills),
        cmocka_unit_test(many_triangles_fill_the_union),
        cmocka_unit_test(the_padding_of_a_tile_and_the_cell_size_shift_and_scale),
        cmocka_unit_test(a_level_square_fills_its_cells_and_no_more),
        cmocka_unit_test(a_wall_on_a_cell_border_stands_in_the_cell_above_it),
        cmocka_unit_test(triangles_outside_of_the_field_leave_nothing),
        cmocka_unit_test(a_triangle_without_surface_is_skipped_with_a_warning),
        cmocka_unit_test(a_slope_up_to_the_limit_can_be_walked),
        cmocka_unit_test(the_limits_of_the_slope_work),
        cmocka_unit_test(what_faces_down_cannot_be_walked),
        cmocka_unit_test(areas_come_from_the_geometry_or_are_ground),
        cmocka_unit_test(touching_spans_merge_and_others_do_not),
        cmocka_unit_test(the_area_is_the_highest_number_within_a_climb_of_the_top),
        cmocka_unit_test(columns_with_many_touches_stay_sorted),
        cmocka_unit_test(a_column_of_many_touching_floors_is_one_span),
        cmocka_unit_test(the_order_of_triangles_does_not_matter),
        cmocka_unit_test(the_first_corner_of_a_triangle_does_not_matter),
        cmocka_unit_test(cancelling_ends_the_stage),
        cmocka_unit_test(running_out_of_memory_is_a_status),
        cmocka_unit_test(failure_leaves_the_output_untouched),
    };
    return cmocka_run_group_tests_name("bake_voxelize", tests, NULL, NULL);
}
