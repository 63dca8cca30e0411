// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_plan.c: the grid over a level, and the refusal of what would not fit. That planning
// allocates nothing is in its signature: it is given no arena.

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "core/nav.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A level that is one slope over [x0, x1] x [z0, z1], rising from y0 to y1.
typedef struct slab {
    float vertices[12];
    nav_geometry geometry;
} slab;

static const uint32_t TRIANGLES[6] = {0, 1, 2, 2, 1, 3};

static void slab_init(slab *s, float x0, float x1, float y0, float y1, float z0, float z1)
{
    const float vertices[12] = {x0, y0, z0, x0, y0, z1, x1, y1, z0, x1, y1, z1};
    memcpy(s->vertices, vertices, sizeof vertices);
    s->geometry = (nav_geometry){
        .vertices = s->vertices, .triangles = TRIANGLES, .vertex_count = 4, .triangle_count = 2};
}

static nav_config config_of(float cell_size, float cell_height)
{
    nav_config config = nav_config_default();
    config.cell_size = cell_size;
    config.cell_height = cell_height;
    config.tile_cells = 0; // tiles are in test_plan_tiles.c
    return config;
}

// Tiles name their grid's origin: two zeros would be two files of one level.
static void zero_has_no_sign(void **state)
{
    (void)state;
    slab s;
    slab_init(&s, -0.0f, 20, -0.0f, 6, -0.0f, 17);
    nav_config config = config_of(0.5f, 0.25f);
    nav_grid grid;
    assert_int_equal(nav_bake_plan(&s.geometry, &config, 0, &grid, NULL), NAV_OK);
    assert_false(signbit(grid.min[0]) || signbit(grid.min[1]) || signbit(grid.min[2]));
}

static void the_grid_covers_the_level(void **state)
{
    (void)state;
    slab s;
    slab_init(&s, -10, 20, 1, 6, 5, 17);
    nav_config config = config_of(0.5f, 0.25f);
    nav_grid grid;
    nav_error err = {0};
    assert_int_equal(nav_bake_plan(&s.geometry, &config, 0, &grid, &err), NAV_OK);
    assert_int_equal(grid.width_cells, 60);
    assert_int_equal(grid.depth_cells, 24);
    assert_int_equal(grid.height_cells, 21);
    assert_true(grid.min[0] == -10 && grid.min[1] == 1 && grid.min[2] == 5);
    assert_true(grid.max[0] == 20 && grid.max[1] == 6 && grid.max[2] == 17);
    assert_true(grid.cell_size == 0.5f && grid.cell_height == 0.25f);
    assert_int_equal(grid.tile_cells, 0);
    assert_int_equal(grid.tiles_x, 1);
    assert_int_equal(grid.tiles_z, 1);
}

static void sides_are_rounded_to_whole_cells(void **state)
{
    (void)state;
    static const struct {
        float width;
        uint32_t cells;
    } rows[] = {{4.0f, 4},  {4.25f, 4},  {4.5f, 5},   {4.75f, 5},
                {0.25f, 1}, {0.001f, 1}, {1e-30f, 1}, {0, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        slab s;
        slab_init(&s, 0, rows[i].width, 0, 0, 0, 10);
        nav_config config = config_of(1, 1);
        nav_grid grid;
        assert_int_equal(nav_bake_plan(&s.geometry, &config, 0, &grid, NULL), NAV_OK);
        assert_int_equal(grid.width_cells, rows[i].cells);
        assert_int_equal(grid.depth_cells, 10);
        assert_int_equal(grid.height_cells, 1);
    }
}

static void a_vertex_that_no_triangle_uses_does_not_count(void **state)
{
    (void)state;
    const float vertices[15] = {0, 0, 0, 0, 0, 8, 8, 0, 0, 8, 0, 8, 9000, 9000, 9000};
    nav_geometry g = {
        .vertices = vertices, .triangles = TRIANGLES, .vertex_count = 5, .triangle_count = 2};
    nav_config config = config_of(1, 1);
    nav_grid grid;
    assert_int_equal(nav_bake_plan(&g, &config, 0, &grid, NULL), NAV_OK);
    assert_int_equal(grid.width_cells, 8);
    assert_int_equal(grid.height_cells, 1);
}

// Plans, expects NAV_GRID_TOO_LARGE, and then that the suggested size, as a client would send it,
// is taken and not much larger than it must be.
static void expect_suggestion(const slab *s, float cell_size, uint64_t memory_limit_bytes)
{
    nav_config config = config_of(cell_size, 1);
    config.agent_radius = 0;
    config.agent_max_climb = 1;
    nav_grid grid, untouched;
    memset(&grid, 0x5a, sizeof grid);
    memcpy(&untouched, &grid, sizeof grid);
    nav_error err = {0};
    assert_int_equal(nav_bake_plan(&s->geometry, &config, memory_limit_bytes, &grid, &err),
                     NAV_GRID_TOO_LARGE);
    assert_memory_equal(&grid, &untouched, sizeof grid);
    assert_int_equal(err.status, NAV_GRID_TOO_LARGE);
    assert_string_equal(err.at, "cell_size");
    assert_true(err.suggest_cell_size > (double)cell_size);
    double suggested = err.suggest_cell_size;
    config.cell_size = (float)suggested;
    assert_int_equal(nav_bake_plan(&s->geometry, &config, memory_limit_bytes, &grid, &err), NAV_OK);
    config.cell_size = (float)(suggested * 0.8);
    if (config.cell_size > cell_size) {
        assert_int_equal(nav_bake_plan(&s->geometry, &config, memory_limit_bytes, &grid, &err),
                         NAV_GRID_TOO_LARGE);
    }
}

static void grids_that_are_too_large_get_a_size_that_fits(void **state)
{
    (void)state;
    static const float sizes[] = {1e-6f, 1e-5f, 1e-4f};
    static const uint64_t limits[] = {0, 1u << 20, 50u << 20, 1ull << 30};
    static const float sides[][2] = {{30, 30}, {1000, 2}, {5, 70000}, {1e6f, 1e6f}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        for (size_t j = 0; j < sizeof limits / sizeof *limits; ++j) {
            for (size_t k = 0; k < sizeof sides / sizeof *sides; ++k) {
                slab s;
                slab_init(&s, 0, sides[k][0], 0, 3, 0, sides[k][1]);
                expect_suggestion(&s, sizes[i], limits[j]);
            }
        }
    }
    slab s;
    slab_init(&s, 0, 30, 0, 0, 0, 30);
    expect_suggestion(&s, 0.01f, 1u << 20);
}

static void the_side_limit_is_a_million_cells(void **state)
{
    (void)state;
    slab s;
    slab_init(&s, -500000, 499999, 0, 0, 0, 1);
    nav_config config = config_of(1, 1);
    nav_grid grid;
    assert_int_equal(nav_bake_plan(&s.geometry, &config, 0, &grid, NULL), NAV_OK);
    assert_int_equal(grid.width_cells, 999999);
    slab_init(&s, -500000, 500000, 0, 0, 0, 1);
    assert_int_equal(nav_bake_plan(&s.geometry, &config, 0, &grid, NULL), NAV_GRID_TOO_LARGE);
    slab_init(&s, 0, 1, 0, 0, -500000, 500000);
    assert_int_equal(nav_bake_plan(&s.geometry, &config, 0, &grid, NULL), NAV_GRID_TOO_LARGE);
}

// No cell size helps where the triangles alone are too many; planning must say so, and end.
static void a_memory_limit_below_any_bake_is_not_blamed_on_the_cells(void **state)
{
    (void)state;
    slab s;
    slab_init(&s, 0, 30, 0, 0, 0, 30);
    nav_config config = config_of(0.5f, 1);
    nav_grid grid;
    nav_error err = {0};
    assert_int_equal(nav_bake_plan(&s.geometry, &config, 64, &grid, &err), NAV_GEOMETRY_TOO_LARGE);
    assert_string_equal(err.at, "triangles");
    assert_string_equal(err.got, "2");
    assert_true(err.suggest_cell_size == 0);
}

static void a_level_too_high_is_refused_with_a_cell_height_that_fits(void **state)
{
    (void)state;
    slab s;
    slab_init(&s, 0, 10, 0, 65000, 0, 10);
    nav_config config = config_of(1, 1);
    nav_grid grid;
    nav_error err = {0};
    assert_int_equal(nav_bake_plan(&s.geometry, &config, 0, &grid, &err), NAV_GRID_TOO_LARGE);
    assert_string_equal(err.at, "cell_height");
    config.cell_height = strtof(err.limit, NULL);
    assert_int_equal(nav_bake_plan(&s.geometry, &config, 0, &grid, &err), NAV_OK);
    slab_init(&s, 0, 10, 0, 64999, 0, 10);
    config.cell_height = 1;
    assert_int_equal(nav_bake_plan(&s.geometry, &config, 0, &grid, &err), NAV_OK);
    assert_int_equal(grid.height_cells, NAV_HEIGHT_CELLS_MAX);
}

static void an_agent_of_too_many_cells_is_refused_by_name(void **state)
{
    (void)state;
    slab s;
    slab_init(&s, 0, 1, 0, 0, 0, 1);
    static const struct {
        size_t offset;
        const char *name;
    } rows[] = {{offsetof(nav_config, agent_radius), "agent.radius"},
                {offsetof(nav_config, agent_height), "agent.height"},
                {offsetof(nav_config, agent_max_climb), "agent.max_climb"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        nav_config config = config_of(0.5f, 0.5f);
        float value = 5000; // 10,000 cells
        memcpy((char *)&config + rows[i].offset, &value, sizeof value);
        nav_grid grid;
        nav_error err = {0};
        assert_int_equal(nav_bake_plan(&s.geometry, &config, 0, &grid, &err), NAV_OK);
        value = 5001;
        memcpy((char *)&config + rows[i].offset, &value, sizeof value);
        assert_int_equal(nav_bake_plan(&s.geometry, &config, 0, &grid, &err), NAV_INVALID_FIELD);
        assert_string_equal(err.at, rows[i].name);
        assert_string_equal(err.got, "10002");
        assert_string_equal(err.limit, "10000");
    }
}

static void settings_and_geometry_are_checked_first(void **state)
{
    (void)state;
    slab s;
    nav_grid grid;
    nav_error err = {0};
    slab_init(&s, 0, NAN, 0, 0, 0, 1);
    nav_config config = config_of(NAN, 1);
    assert_int_equal(nav_bake_plan(&s.geometry, &config, 0, &grid, &err), NAV_INVALID_FIELD);
    assert_string_equal(err.at, "cell_size");
    config = config_of(1, 1);
    assert_int_equal(nav_bake_plan(&s.geometry, &config, 0, &grid, &err), NAV_VERTEX_NOT_FINITE);
    assert_string_equal(err.at, "vertices[2].x");
    slab_init(&s, 0, 2e6f, 0, 0, 0, 1);
    assert_int_equal(nav_bake_plan(&s.geometry, &config, 0, &grid, &err), NAV_VERTEX_OUT_OF_RANGE);
    slab_init(&s, 0, 1, 0, 0, 0, 1);
    s.geometry.triangle_count = 0;
    assert_int_equal(nav_bake_plan(&s.geometry, &config, 0, &grid, &err), NAV_MESH_EMPTY);
}

static void memory_grows_with_the_surface_as_well_as_with_the_cells(void **state)
{
    (void)state;
    // A thousand floors on the same cells need a thousand times the spans.
    static uint32_t stacked[3000];
    slab s;
    slab_init(&s, 0, 100, 0, 0, 0, 100);
    nav_config config = config_of(0.5f, 1);
    nav_grid grid;
    assert_int_equal(nav_bake_plan(&s.geometry, &config, 4u << 20, &grid, NULL), NAV_OK);
    for (size_t i = 0; i < 3000; ++i) {
        stacked[i] = TRIANGLES[i % 6];
    }
    s.geometry.triangles = stacked;
    s.geometry.triangle_count = 1000;
    assert_int_equal(nav_bake_plan(&s.geometry, &config, 4u << 20, &grid, NULL),
                     NAV_GRID_TOO_LARGE);
}

// A thousand floors take memory where they are baked, and none beyond the bounds.
static void what_lies_beyond_the_bounds_takes_no_memory(void **state)
{
    (void)state;
    static uint32_t stacked[3000];
    float vertices[24] = {0};
    slab near, far;
    slab_init(&near, 0, 100, 0, 0, 0, 100);
    slab_init(&far, 200, 300, 0, 0, 0, 100);
    memcpy(vertices, near.vertices, sizeof near.vertices);
    memcpy(vertices + 12, far.vertices, sizeof far.vertices);
    for (size_t i = 0; i < 3000; ++i) {
        stacked[i] = TRIANGLES[i % 6] + (i < 6 ? 0 : 4);
    }
    const nav_geometry geometry = {
        .vertices = vertices, .triangles = stacked, .vertex_count = 8, .triangle_count = 1000};
    nav_config config = config_of(0.5f, 1);
    nav_grid grid;
    config.has_bounds = true;
    config.bounds_max[0] = 100;
    config.bounds_max[1] = config.bounds_max[2] = 1000;
    assert_int_equal(nav_bake_plan(&geometry, &config, 4u << 20, &grid, NULL), NAV_OK);
    config.bounds_max[0] = 300;
    assert_int_equal(nav_bake_plan(&geometry, &config, 4u << 20, &grid, NULL), NAV_GRID_TOO_LARGE);
    config.bounds_min[0] = 200;
    assert_int_equal(nav_bake_plan(&geometry, &config, 4u << 20, &grid, NULL), NAV_GRID_TOO_LARGE);
}

static void bounds_clip_the_grid(void **state)
{
    (void)state;
    slab s;
    slab_init(&s, 0, 100, 0, 50, 0, 100);
    nav_config config = config_of(0.5f, 0.25f);
    config.has_bounds = true;
    const float min[] = {-10, 10, 20}, max[] = {30, 12, 200};
    memcpy(config.bounds_min, min, sizeof min);
    memcpy(config.bounds_max, max, sizeof max);
    nav_grid grid;
    assert_int_equal(nav_bake_plan(&s.geometry, &config, 0, &grid, NULL), NAV_OK);
    assert_true(grid.min[0] == 0 && grid.max[0] == 30);
    assert_true(grid.min[2] == 20 && grid.max[2] == 100);
    assert_true(grid.min[1] == 0);      // else the cut would have a floor
    assert_true(grid.max[1] == 14.25f); // headroom and a cell above the bounds
    assert_int_equal(grid.width_cells, 60);
    config.bounds_min[0] = 100.5f;
    config.bounds_max[0] = 101;
    nav_error err = {0};
    assert_int_equal(nav_bake_plan(&s.geometry, &config, 0, &grid, &err), NAV_MESH_EMPTY);
    assert_string_equal(err.at, "bounds");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zero_has_no_sign),
        cmocka_unit_test(the_grid_covers_the_level),
        cmocka_unit_test(what_lies_beyond_the_bounds_takes_no_memory),
        cmocka_unit_test(bounds_clip_the_grid),
        cmocka_unit_test(sides_are_rounded_to_whole_cells),
        cmocka_unit_test(a_vertex_that_no_triangle_uses_does_not_count),
        cmocka_unit_test(grids_that_are_too_large_get_a_size_that_fits),
        cmocka_unit_test(the_side_limit_is_a_million_cells),
        cmocka_unit_test(a_memory_limit_below_any_bake_is_not_blamed_on_the_cells),
        cmocka_unit_test(a_level_too_high_is_refused_with_a_cell_height_that_fits),
        cmocka_unit_test(an_agent_of_too_many_cells_is_refused_by_name),
        cmocka_unit_test(settings_and_geometry_are_checked_first),
        cmocka_unit_test(memory_grows_with_the_surface_as_well_as_with_the_cells),
    };
    return cmocka_run_group_tests_name("bake_plan", tests, NULL, NULL);
}
