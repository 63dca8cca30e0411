// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_voxelize_random.c: thousands of random triangles fill the voxels that the reference in
// voxel_reference.h fills, in whatever order they and their corners come.

#include "tests/unit/triangle_soup.h"
#include "tests/unit/voxel_reference.h"

// ---- against the reference ----

// Bakes `rounds` times `together` triangles of a shape and compares. The field of a tile is
// shifted against the grid by first_cells. Returns the share of voxels left open.
static double compare_shapes(shape make, uint32_t rounds, uint32_t together, int32_t first_cells,
                             float cell_size)
{
    bake_builder b;
    builder_init(&b, 21, 18);
    b.grid.cell_size = cell_size;
    b.job.first_x_cells = first_cells;
    b.job.first_z_cells = 2 * first_cells;
    // The field is a tile inside of a larger grid; nothing is voxelized beside that.
    b.grid.width_cells += (uint32_t)first_cells;
    b.grid.depth_cells += (uint32_t)(2 * first_cells);
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
    assert_true(compare_shapes(big_triangle, 500, 1, 3, 1) < 0.001);
    assert_true(compare_shapes(big_triangle, 500, 1, 5, 0.25f) < 0.001);
    assert_true(compare_shapes(small_triangle, 1000, 1, 3, 0.3f) < 0.001);
}

// ---- order ----

static bool same_solids(const nav_heightfield *a, const nav_heightfield *b)
{
    size_t columns = (size_t)a->width * a->depth;
    return a->span_count == b->span_count &&
           memcmp(a->first, b->first, (columns + 1) * sizeof *a->first) == 0 &&
           memcmp(a->span_min, b->span_min, a->span_count * sizeof *a->span_min) == 0 &&
           memcmp(a->span_max, b->span_max, a->span_count * sizeof *a->span_max) == 0 &&
           memcmp(a->span_area, b->span_area, a->span_count) == 0;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_triangles_fill_what_the_reference_fills),
        cmocka_unit_test(triangles_on_cell_borders_fill_what_the_reference_fills),
        cmocka_unit_test(many_triangles_fill_the_union),
        cmocka_unit_test(the_padding_of_a_tile_and_the_cell_size_shift_and_scale),
        cmocka_unit_test(the_order_of_triangles_does_not_matter),
        cmocka_unit_test(the_first_corner_of_a_triangle_does_not_matter),
    };
    return cmocka_run_group_tests_name("bake_voxelize_random", tests, NULL, NULL);
}
