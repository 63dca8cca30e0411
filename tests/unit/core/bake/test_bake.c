// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_bake.c: settings in world units mean the same in cells, however small the cells are.

#include "core/nav.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

// The number of vertices of a floor of width x depth cells whose walls are split at max_length.
static uint32_t vertices_of_floor(float cell_size, float width_cells, float depth_cells,
                                  float max_length)
{
    float x = width_cells * cell_size, z = depth_cells * cell_size;
    const float vertices[] = {0, 0, 0, 0, 0, z, x, 0, z, x, 0, 0};
    const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
    const nav_geometry geometry = {
        .vertices = vertices, .triangles = triangles, .vertex_count = 4, .triangle_count = 2};
    nav_config config = nav_config_default();
    config.cell_size = cell_size;
    config.agent_radius = 0;
    config.filter_ledges = false;
    config.edge_max_length = max_length;
    nav_grid grid;
    assert_int_equal(nav_bake_plan(&geometry, &config, 0, &grid, NULL), NAV_OK);
    nav_arena scratch, result;
    nav_arena_init(&scratch, NULL, 0);
    nav_arena_init(&result, NULL, 0);
    nav_blob blob;
    nav_bake_report report = {0};
    assert_int_equal(nav_bake_tile(&geometry, &config, &grid, NULL, 0, 0, NULL, &scratch, &result,
                                   &blob, &report, NULL),
                     NAV_OK);
    nav_arena_free(&scratch);
    nav_arena_free(&result);
    return (uint32_t)report.vertices;
}

static void walls_are_split_at_the_given_length(void **state)
{
    (void)state;
    assert_int_equal(vertices_of_floor(1, 12, 12, 0), 4);
    assert_int_equal(vertices_of_floor(1, 12, 12, 6), 8);
    assert_int_equal(vertices_of_floor(1, 12, 12, 3), 16);
}

// Rounded down it would be 0 cells, which means any length.
static void a_length_below_a_cell_is_one_cell(void **state)
{
    (void)state;
    assert_int_equal(vertices_of_floor(1, 12, 12, 0.5f), 48);
}

// 2^32 + 512 cells of 2^-13: modulo 2^32 the floor's long walls would be split.
static void a_length_of_more_cells_than_32_bits_count_splits_nothing(void **state)
{
    (void)state;
    assert_int_equal(vertices_of_floor(0x1p-13f, 700, 8, 0x1p19f + 0x1p-4f), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walls_are_split_at_the_given_length),
        cmocka_unit_test(a_length_below_a_cell_is_one_cell),
        cmocka_unit_test(a_length_of_more_cells_than_32_bits_count_splits_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
