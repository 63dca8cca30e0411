// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_no_memory.c: a whole bake whose n-th allocation fails, for every n, says so, leaves its
// output as it was and gives everything back; one that comes to its budget names the tile.

#include "tests/unit/counting_allocator.h"

#include "tests/levels/levels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// A yard with a table, a wall with a low passage, a hill, a pond and a shed: something for each
// stage.
static const float vertices[] = {
    0, 0,    0, 0, 0,    12, 12, 0,    12, 12, 0,    0,  // the floor
    2, 1,    2, 2, 1,    4,  4,  1,    4,  4,  1,    2,  // the table
    6, 0,    0, 6, 0,    12, 6,  3,    12, 6,  3,    0,  // the wall
    8, 0,    8, 8, 0,    12, 12, 2,    12, 12, 2,    8,  // the hill
    1, -0.5, 7, 1, -0.5, 11, 5,  -0.5, 11, 5,  -0.5, 7,  // the pond's ground
    1, 0.3f, 7, 1, 0.3f, 11, 5,  0.3f, 11, 5,  0.3f, 7,  // the pond
    7, 1.5f, 1, 7, 1.5f, 5,  11, 1.5f, 5,  11, 1.5f, 1}; // the shed's roof
static const uint32_t triangles[] = {0,  1,  2,  0,  2,  3,  4,  5,  6,  4,  6,  7,  8,
                                     9,  10, 12, 13, 14, 12, 14, 15, 16, 17, 18, 16, 18,
                                     19, 20, 21, 22, 20, 22, 23, 24, 25, 26, 24, 26, 27};
static const uint8_t areas[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 1, 1};

static const nav_geometry yard = {.vertices = vertices,
                                  .triangles = triangles,
                                  .triangle_areas = areas,
                                  .vertex_count = sizeof vertices / (sizeof(float[3])),
                                  .triangle_count = sizeof areas};

static const nav_area kinds[] = {{.name = "none", .cost = 1},
                                 {.name = "ground", .cost = 1},
                                 {.name = "water", .cost = 3, .liquid = true},
                                 {.name = "crouch", .cost = 2}};
static const float outline[][2] = {{9, 9}, {11, 9}, {10, 11}};
static const nav_volume volumes[] = {
    {.shape = NAV_VOLUME_CONVEX,
     .area = 3,
     .points = outline,
     .point_count = 3,
     .min = {0, -5, 0},
     .max = {0, 5, 0}},
    {.shape = NAV_VOLUME_BOX, .area = NAV_AREA_NONE, .min = {0, -1, 0}, .max = {1, 1, 1}}};

static nav_config settings(nav_partition partition, uint32_t tile_cells)
{
    nav_config config = nav_config_default();
    config.partition = partition;
    config.tile_cells = tile_cells;
    config.agent_radius = 0.3f;
    config.areas = kinds;
    config.area_count = sizeof kinds / sizeof *kinds;
    config.volumes = volumes;
    config.volume_count = sizeof volumes / sizeof *volumes;
    config.low_height_area = 3;
    config.low_height_min = 1.0f;
    config.area_median = true;
    config.detail_sample_distance = 1.0f;
    return config;
}

static nav_status bake(const nav_geometry *geometry, const nav_config *config, nav_arena *scratch,
                       nav_arena *result, nav_blob *out, nav_error *err)
{
    nav_grid grid;
    nav_bake_report report = {0};
    assert_int_equal(nav_bake_plan(geometry, config, 0, &grid, NULL), NAV_OK);
    return nav_bake_tile(geometry, config, &grid, NULL, grid.tiles_x - 1, grid.tiles_z - 1, NULL,
                         scratch, result, out, &report, err);
}

// Bakes with an allocator that fails at call n. A bake that failed is done again in the same
// arenas, with memory. Returns whether call n came.
static bool fail_at(const nav_geometry *geometry, const nav_config *config, uint32_t n, bool once,
                    const nav_blob *wanted)
{
    counting counted = {.calls_max = n, .once = once};
    const nav_allocator allocator = counting_allocator(&counted);
    nav_arena scratch, result;
    nav_arena_init(&scratch, &allocator, 0);
    nav_arena_init(&result, &allocator, 0);
    nav_blob blob = {.size_bytes = 77};
    nav_error err = {0};
    const nav_status status = bake(geometry, config, &scratch, &result, &blob, &err);
    if (status != NAV_OK) {
        assert_int_equal(status, NAV_NO_MEMORY);
        assert_int_equal(err.status, NAV_NO_MEMORY);
        assert_non_null(strstr(err.detail, "tile"));
        assert_true(blob.bytes == NULL && blob.size_bytes == 77);
        counted.calls_max = UINT32_MAX;
        assert_int_equal(bake(geometry, config, &scratch, &result, &blob, &err), NAV_OK);
    }
    assert_int_equal(blob.size_bytes, wanted->size_bytes);
    assert_memory_equal(blob.bytes, wanted->bytes, wanted->size_bytes);
    nav_arena_free(&result);
    nav_arena_free(&scratch);
    assert_int_equal(counted.held_bytes, 0);
    return status != NAV_OK;
}

static void fail_everywhere(const nav_geometry *geometry, const nav_config *config, uint32_t step)
{
    nav_arena scratch, result;
    nav_blob wanted;
    nav_arena_init(&scratch, NULL, 0);
    nav_arena_init(&result, NULL, 0);
    assert_int_equal(bake(geometry, config, &scratch, &result, &wanted, NULL), NAV_OK);
    assert_true(wanted.size_bytes > 0);
    for (int once = 0; once < 2; ++once) {
        uint32_t n = 0;
        for (; fail_at(geometry, config, n, once != 0, &wanted); n += step) {
            assert_true(n < 2000);
        }
        assert_true(n >= 20);
    }
    nav_arena_free(&result);
    nav_arena_free(&scratch);
}

static void every_allocation_of_a_bake_may_fail(void **state)
{
    (void)state;
    for (int partition = 0; partition < 3; ++partition) {
        for (uint32_t tile_cells = 0; tile_cells <= 16; tile_cells += 16) {
            const nav_config config = settings((nav_partition)partition, tile_cells);
            fail_everywhere(&yard, &config, 1);
        }
    }
}

// Lists grow here that never do in a yard.
static void allocations_of_a_larger_bake_may_fail(void **state)
{
    (void)state;
    for (int partition = 0; partition < 3; ++partition) {
        level_mesh level;
        assert_true(levels_generate(LEVEL_TOWN, 1, 1, &level));
        const nav_geometry town = {.vertices = level.vertices,
                                   .triangles = level.triangles,
                                   .vertex_count = level.vertex_count,
                                   .triangle_count = level.triangle_count};
        nav_config config = nav_config_default();
        config.partition = (nav_partition)partition;
        config.tile_cells = 0;
        fail_everywhere(&town, &config, 7);
        levels_free(&level);
    }
}

// A bake at its limit is the tile's fault, whatever it lacks, and the tile is named.
static void a_budget_that_is_passed_names_the_tile(void **state)
{
    (void)state;
    for (int partition = 0; partition < 3; ++partition) {
        for (uint32_t tile_cells = 0; tile_cells <= 16; tile_cells += 16) {
            const nav_config config = settings((nav_partition)partition, tile_cells);
            nav_status status = NAV_TILE_TOO_COMPLEX;
            uint32_t tries = 0;
            for (size_t limit = 64; status != NAV_OK; limit = limit * 17 / 16, ++tries) {
                nav_arena scratch, result;
                nav_arena_init(&scratch, NULL, limit);
                nav_arena_init_child(&result, &scratch);
                nav_blob blob = {.size_bytes = 77};
                nav_error err = {0};
                status = bake(&yard, &config, &scratch, &result, &blob, &err);
                if (status != NAV_OK) {
                    char place[32];
                    const uint32_t last = tile_cells == 0 ? 0 : 2;
                    snprintf(place, sizeof place, "tile %u,%u", last, last);
                    assert_int_equal(status, NAV_TILE_TOO_COMPLEX);
                    assert_string_equal(err.at, place);
                    assert_int_equal(blob.size_bytes, 77);
                }
                assert_true(scratch.peak_bytes <= limit);
                nav_arena_free(&result);
                nav_arena_free(&scratch);
            }
            assert_true(tries > 50);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_of_a_bake_may_fail),
        cmocka_unit_test(allocations_of_a_larger_bake_may_fail),
        cmocka_unit_test(a_budget_that_is_passed_names_the_tile),
    };
    return cmocka_run_group_tests_name("bake_no_memory", tests, NULL, NULL);
}
