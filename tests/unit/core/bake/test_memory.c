// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_memory.c: what planning expects a bake to need is enough, and not much more than that.

#include "core/nav.h"
#include "tests/levels/levels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

// The least memory limit with which the level is planned as one tile.
static uint64_t estimate_of(const nav_geometry *geometry, const nav_config *config)
{
    uint64_t low = 0, high = 1ull << 40;
    nav_grid grid;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        bool fits = nav_bake_plan(geometry, config, middle, &grid, NULL) == NAV_OK;
        *(fits ? &high : &low) = middle;
    }
    return high;
}

static size_t peak_of(const nav_geometry *geometry, const nav_config *config, uint64_t limit_bytes)
{
    nav_grid grid;
    nav_error err = {0};
    assert_int_equal(nav_bake_plan(geometry, config, limit_bytes, &grid, &err), NAV_OK);
    nav_arena scratch, result;
    nav_arena_init(&scratch, NULL, (size_t)limit_bytes);
    nav_arena_init_child(&result, &scratch);
    nav_blob blob;
    assert_int_equal(nav_bake_tile(geometry, config, &grid, NULL, 0, 0, NULL, &scratch, &result,
                                   &blob, NULL, &err),
                     NAV_OK);
    size_t peak_bytes = scratch.peak_bytes;
    nav_arena_free(&result);
    nav_arena_free(&scratch);
    return peak_bytes;
}

// The largest of the partitions' peaks, with the estimate as the arena's limit.
static void estimate_is_true(const char *name, const nav_geometry *geometry, float cell_size)
{
    nav_config config = nav_config_default();
    config.tile_cells = 0;
    config.cell_size = cell_size;
    uint64_t estimate_bytes = estimate_of(geometry, &config);
    size_t most_bytes = 0;
    for (int i = 0; i < 3; ++i) {
        config.partition = (nav_partition)i;
        size_t peak_bytes = peak_of(geometry, &config, estimate_bytes);
        most_bytes = peak_bytes > most_bytes ? peak_bytes : most_bytes;
    }
    if (most_bytes > estimate_bytes || estimate_bytes > most_bytes * 3 / 2) {
        fail_msg("%s in cells of %g: %zu bytes were needed and %zu expected", name,
                 (double)cell_size, most_bytes, (size_t)estimate_bytes);
    }
}

static void estimates_are_enough_and_not_much_more(void **state)
{
    (void)state;
    for (level_kind kind = 0; kind < LEVEL_KIND_COUNT; ++kind) {
        level_mesh mesh;
        assert_true(levels_generate(kind, levels_size_default(kind), 1, &mesh));
        nav_geometry geometry = {.vertices = mesh.vertices,
                                 .triangles = mesh.triangles,
                                 .vertex_count = mesh.vertex_count,
                                 .triangle_count = mesh.triangle_count};
        estimate_is_true(levels_kind_word(kind), &geometry, 0.3f);
        estimate_is_true(levels_kind_word(kind), &geometry, 0.15f);
        levels_free(&mesh);
    }
}

// Floors above floors, as large as a level's first one, and the steep sides of a roof.
static void estimates_hold_for_towers_and_for_roofs(void **state)
{
    (void)state;
    enum {
        FLOORS = 40
    };
    static float vertices[FLOORS * 12];
    static uint32_t triangles[FLOORS * 6];
    for (uint32_t i = 0; i < FLOORS; ++i) {
        const float corners[12] = {0, 0, 0, 0, 0, 30, 30, 0, 30, 30, 0, 0};
        const uint32_t two[6] = {0, 1, 2, 0, 2, 3};
        for (uint32_t k = 0; k < 12; ++k) {
            vertices[12 * i + k] = corners[k] + (k % 3 == 1 ? 4 * (float)i : 0);
        }
        for (uint32_t k = 0; k < 6; ++k) {
            triangles[6 * i + k] = 4 * i + two[k];
        }
    }
    nav_geometry tower = {.vertices = vertices,
                          .triangles = triangles,
                          .vertex_count = 4 * FLOORS,
                          .triangle_count = 2 * FLOORS};
    estimate_is_true("a tower", &tower, 0.3f);
    const float roof[] = {0, 0, 0, 0, 60, 30, 60, 60, 30, 60, 0, 0, 0, 0, 60, 60, 0, 60};
    const uint32_t sides[] = {0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2};
    nav_geometry steep = {
        .vertices = roof, .triangles = sides, .vertex_count = 6, .triangle_count = 4};
    nav_config config = nav_config_default();
    config.tile_cells = 0;
    assert_true(peak_of(&steep, &config, estimate_of(&steep, &config)) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimates_are_enough_and_not_much_more),
        cmocka_unit_test(estimates_hold_for_towers_and_for_roofs),
    };
    return cmocka_run_group_tests_name("bake_memory", tests, NULL, NULL);
}
