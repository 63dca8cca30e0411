// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_index.c: every tile lists the triangles that reach into it or its padding, once each
// and rising, and no others.

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "tests/unit/asked.h"
#include "tests/unit/bake_builder.h"

#include <math.h>

#define COUNT 500

static float vertices[COUNT * 9];
static uint32_t triangles[COUNT * 3];

// Triangles of side up to 12 in a world of 100 x 70 cells.
static nav_geometry random_geometry(uint64_t seed)
{
    for (uint32_t i = 0; i < COUNT; ++i) {
        float x = random_between(&seed, 0, 88), z = random_between(&seed, 0, 58);
        for (uint32_t k = 0; k < 3; ++k) {
            vertices[9 * i + 3 * k] = x + random_between(&seed, 0, 12);
            vertices[9 * i + 3 * k + 1] = random_between(&seed, 0, 5);
            vertices[9 * i + 3 * k + 2] = z + random_between(&seed, 0, 12);
            triangles[3 * i + k] = 3 * i + k;
        }
    }
    return (nav_geometry){.vertices = vertices,
                          .triangles = triangles,
                          .vertex_count = 3 * COUNT,
                          .triangle_count = COUNT};
}

static nav_grid grid_of(uint32_t tile_cells, uint32_t border)
{
    return (nav_grid){.max = {100, 5, 70},
                      .cell_size = 1,
                      .cell_height = 1,
                      .width_cells = 100,
                      .depth_cells = 70,
                      .height_cells = 6,
                      .tile_cells = tile_cells,
                      .tiles_x = tile_cells > 0 ? 99 / tile_cells + 1 : 1,
                      .tiles_z = tile_cells > 0 ? 69 / tile_cells + 1 : 1,
                      .border_cells = border};
}

// The triangle's bounding rectangle and the tile's padded one have a point in common.
static bool reaches(uint32_t triangle, const nav_grid *grid, uint32_t tx, uint32_t tz)
{
    const float *v = vertices + 9 * (size_t)triangle;
    float border = (float)grid->border_cells, side = (float)grid->tile_cells;
    for (int axis = 0; axis < 3; axis += 2) {
        float low = fminf(fminf(v[axis], v[axis + 3]), v[axis + 6]);
        float high = fmaxf(fmaxf(v[axis], v[axis + 3]), v[axis + 6]);
        float begin = (float)(axis == 0 ? tx : tz) * side;
        if (high < begin - border || low >= begin + side + border) {
            return false;
        }
    }
    return true;
}

static void each_tile_lists_what_reaches_it(void **state)
{
    (void)state;
    static const uint32_t shapes[][2] = {{16, 0}, {16, 5}, {32, 7}, {99, 3}, {16, 40}};
    nav_geometry g = random_geometry(1);
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s) {
        nav_grid grid = grid_of(shapes[s][0], shapes[s][1]);
        nav_arena arena;
        nav_arena_init(&arena, NULL, 0);
        nav_tile_index index;
        assert_int_equal(nav_bake_index(&g, &grid, NULL, &arena, &index, NULL), NAV_OK);
        assert_int_equal(index.first[0], 0);
        for (uint32_t t = 0; t < grid.tiles_x * grid.tiles_z; ++t) {
            uint32_t at = index.first[t];
            for (uint32_t i = 0; i < COUNT; ++i) {
                bool listed = at < index.first[t + 1] && index.triangles[at] == i;
                assert_int_equal(listed, reaches(i, &grid, t % grid.tiles_x, t / grid.tiles_x));
                at += listed;
            }
            assert_int_equal(at, index.first[t + 1]);
        }
        nav_arena_free(&arena);
    }
}

static void one_tile_lists_all(void **state)
{
    (void)state;
    nav_geometry g = random_geometry(2);
    nav_grid grid = grid_of(0, 0);
    nav_arena arena;
    nav_arena_init(&arena, NULL, 0);
    nav_tile_index index;
    assert_int_equal(nav_bake_index(&g, &grid, NULL, &arena, &index, NULL), NAV_OK);
    assert_int_equal(index.first[0], 0);
    assert_int_equal(index.first[1], COUNT);
    for (uint32_t i = 0; i < COUNT; ++i) {
        assert_int_equal(index.triangles[i], i);
    }
    nav_arena_free(&arena);
}

static void more_entries_than_32_bits_are_refused_before_memory_is_taken(void **state)
{
    (void)state;
    // 1,024 triangles over all of 2^22 tiles.
    static const float corners[9] = {0, 0, 0, 0, 0, 32768, 32768, 0, 0};
    static uint32_t same[3 * 1024];
    for (uint32_t i = 0; i < 3 * 1024; ++i) {
        same[i] = i % 3;
    }
    nav_geometry g = {
        .vertices = corners, .triangles = same, .vertex_count = 3, .triangle_count = 1024};
    nav_grid grid = {.cell_size = 1,
                     .cell_height = 1,
                     .width_cells = 32768,
                     .depth_cells = 32768,
                     .tile_cells = 16,
                     .tiles_x = 2048,
                     .tiles_z = 2048};
    nav_arena arena;
    nav_arena_init(&arena, NULL, 0);
    nav_tile_index index = {0};
    nav_error err = {0};
    assert_int_equal(nav_bake_index(&g, &grid, NULL, &arena, &index, &err), NAV_GEOMETRY_TOO_LARGE);
    assert_string_equal(err.at, "tile_cells");
    assert_int_equal(arena.peak_bytes, 0);
    assert_null(index.first);
}

static void without_memory_there_is_no_index(void **state)
{
    (void)state;
    nav_geometry g = random_geometry(3);
    for (uint32_t tile_cells = 0; tile_cells <= 16; tile_cells += 16) {
        nav_grid grid = grid_of(tile_cells, 4);
        nav_arena arena;
        nav_arena_init(&arena, NULL, 1000);
        nav_tile_index index = {0};
        nav_error err = {0};
        assert_int_equal(nav_bake_index(&g, &grid, NULL, &arena, &index, &err), NAV_NO_MEMORY);
        assert_int_equal(err.status, NAV_NO_MEMORY);
        assert_null(index.first);
        nav_arena_free(&arena);
    }
}

// As many entries as a huge radius gives: each triangle is in hundreds of small tiles.
static void every_question_can_be_the_last(void **state)
{
    (void)state;
    nav_geometry g = random_geometry(4);
    nav_grid grid = grid_of(1, 600);
    nav_arena arena;
    nav_arena_init(&arena, NULL, 0);
    assert_non_null(nav_arena_alloc(&arena, 1, 16));
    nav_tile_index index = {0};
    asked all = {0};
    const nav_bake_hooks hooks = asked_hooks(&all);
    const nav_arena_mark before = nav_arena_save(&arena);
    assert_int_equal(nav_bake_index(&g, &grid, &hooks, &arena, &index, NULL), NAV_OK);
    const uint64_t entries = index.first[(size_t)grid.tiles_x * grid.tiles_z];
    assert_true(entries > 1000000);
    // Each entry is counted and written down.
    assert_true(all.count >= 2 * entries / 65536);
    nav_arena_restore(&arena, before);
    for (uint32_t i = 1; i <= all.count; ++i) {
        asked a = {.cancel_at = i};
        const nav_bake_hooks ending = asked_hooks(&a);
        nav_error err = {0};
        index = (nav_tile_index){0};
        assert_int_equal(nav_bake_index(&g, &grid, &ending, &arena, &index, &err), NAV_CANCELLED);
        assert_int_equal(err.status, NAV_CANCELLED);
        assert_int_equal(a.count, i);
        assert_null(index.first);
        const nav_arena_mark after = nav_arena_save(&arena);
        assert_ptr_equal(after.block, before.block);
        assert_int_equal(after.used_bytes, before.used_bytes);
    }
    nav_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_tile_lists_what_reaches_it),
        cmocka_unit_test(one_tile_lists_all),
        cmocka_unit_test(more_entries_than_32_bits_are_refused_before_memory_is_taken),
        cmocka_unit_test(without_memory_there_is_no_index),
        cmocka_unit_test(every_question_can_be_the_last),
    };
    return cmocka_run_group_tests_name("bake_index", tests, NULL, NULL);
}
