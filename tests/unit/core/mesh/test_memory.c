// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_memory.c: what a mesh holds, landmarks included, is at most two and a half times its
// tiles, for small levels as well, where fixed parts weigh most, and for large ones, which hold
// copies to be found in fewer reads.

#include "tests/unit/counting_allocator.h"

#include "core/mesh/steps.h"
#include "tests/levels/levels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

// The most that a mesh may hold for each 100 bytes of tiles.
#define PERCENT_MAX 250u
// Levels of less are a room or two; 4 KB of a mesh are the same for all.
#define TILES_BYTES_MIN 12000u

typedef struct baked {
    nav_arena scratch, result;
    nav_blob *blobs;
    uint32_t count;
    size_t size_bytes;
} baked;

static baked bake(level_kind kind, uint32_t size, const nav_config *config)
{
    level_mesh level;
    nav_grid grid;
    baked b = {0};
    assert_true(levels_generate(kind, size, 1, &level));
    const nav_geometry geometry = levels_geometry(&level);
    nav_arena_init(&b.scratch, NULL, 0);
    nav_arena_init(&b.result, NULL, 0);
    assert_int_equal(nav_bake_plan(&geometry, config, 0, &grid, NULL), NAV_OK);
    b.count = grid.tiles_x * grid.tiles_z;
    b.blobs = calloc(b.count, sizeof *b.blobs);
    assert_non_null(b.blobs);
    for (uint32_t i = 0; i < b.count; ++i) {
        const nav_status status =
            nav_bake_tile(&geometry, config, &grid, NULL, i % grid.tiles_x, i / grid.tiles_x, NULL,
                          &b.scratch, &b.result, &b.blobs[i], NULL, NULL);
        assert_true(status == NAV_OK);
        b.size_bytes += b.blobs[i].size_bytes;
    }
    levels_free(&level);
    return b;
}

static void hold_against_tiles(level_kind kind, uint32_t size, const nav_config *config)
{
    baked b = bake(kind, size, config);
    counting counted = {.calls_max = UINT32_MAX};
    const nav_allocator allocator = counting_allocator(&counted);
    nav_mesh *mesh;
    nav_blob landmarks;
    nav_mesh_stats stats;
    assert_int_equal(nav_mesh_create(b.blobs, b.count, config, &allocator, &mesh, NULL, NULL),
                     NAV_OK);
    assert_int_equal(nav_landmarks_make(mesh, NULL, &b.scratch, &b.result, &landmarks), NAV_OK);
    assert_int_equal(nav_mesh_add_landmarks(mesh, landmarks, NULL), NAV_OK);
    nav_mesh_stats_get(mesh, &stats);
    assert_int_equal(stats.memory_bytes, counted.held_bytes);
    assert_true(b.size_bytes >= TILES_BYTES_MIN);
    print_message("# %s %u: %u polygons, %u landmarks, %.2f times its tiles\n",
                  levels_kind_word(kind), size, stats.polygons, mesh->landmark_count,
                  (double)counted.held_bytes / (double)b.size_bytes);
    assert_in_range(counted.held_bytes * 100 / b.size_bytes, 0, PERCENT_MAX);
    nav_mesh_release(mesh);
    assert_int_equal(counted.held_bytes, 0);
    free(b.blobs);
    nav_arena_free(&b.result);
    nav_arena_free(&b.scratch);
}

static void a_mesh_holds_little_more_than_its_tiles(void **state)
{
    (void)state;
    static const struct {
        level_kind kind;
        uint32_t size;
    } levels[] = {{LEVEL_TERRAIN, 32}, {LEVEL_CITY, 1},     {LEVEL_DUNGEON, 2}, {LEVEL_TOWN, 2},
                  {LEVEL_TOWN, 3},     {LEVEL_TERRAIN, 64}, {LEVEL_DUNGEON, 4}, {LEVEL_TOWN, 4},
                  {LEVEL_CITY, 2},     {LEVEL_CITY, 4},     {LEVEL_DUNGEON, 8}};
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; ++i) {
        nav_config config = nav_config_default();
        hold_against_tiles(levels[i].kind, levels[i].size, &config);
        config.tile_cells = 64;
        hold_against_tiles(levels[i].kind, levels[i].size, &config);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mesh_holds_little_more_than_its_tiles),
    };
    return cmocka_run_group_tests_name("mesh_memory", tests, NULL, NULL);
}
