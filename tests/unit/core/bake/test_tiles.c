// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_tiles.c: a level in tiles is the level: the same ground in all divisions, borders that
// meet; and what is too much for a tile is done or refused by name.

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "core/bake/contours/contours.h"
#include "core/bake/detail/detail.h"
#include "core/bake/polygons/polygons.h"
#include "core/bake/stages.h"
#include "core/tile/tile.h"
#include "tests/levels/levels.h"
#include "tests/unit/floors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- levels and bakes ----

// Cells of side 1; an agent that fits everywhere, and nothing is dropped.
static nav_config config_of_cells(uint32_t tile_cells)
{
    nav_config config = nav_config_default();
    config.cell_size = 1;
    config.cell_height = 1;
    config.agent_radius = 0;
    config.agent_height = 2;
    config.agent_max_climb = 1;
    config.filter_ledges = false;
    config.region_min_size = 0;
    config.detail = false;
    config.tile_cells = tile_cells;
    return config;
}

typedef struct baked {
    nav_grid grid;
    nav_arena result;
    nav_blob *blobs;
    nav_bake_report report;
} baked;

static void bake(baked *b, const nav_geometry *geometry, const nav_config *config)
{
    *b = (baked){0};
    nav_arena scratch;
    nav_arena_init(&scratch, NULL, (size_t)1 << 30);
    nav_arena_init(&b->result, NULL, (size_t)1 << 30);
    nav_tile_index index;
    assert_int_equal(nav_bake_plan(geometry, config, 0, &b->grid, NULL), NAV_OK);
    assert_int_equal(nav_bake_index(geometry, &b->grid, NULL, &b->result, &index, NULL), NAV_OK);
    uint32_t tiles = b->grid.tiles_x * b->grid.tiles_z;
    b->blobs = NAV_NEW_ZERO(&b->result, nav_blob, tiles);
    for (uint32_t t = 0; t < tiles; ++t) {
        nav_bake_report report = {0};
        assert_int_equal(nav_bake_tile(geometry, config, &b->grid, &index, t % b->grid.tiles_x,
                                       t / b->grid.tiles_x, NULL, &scratch, &b->result,
                                       &b->blobs[t], &report, NULL),
                         NAV_OK);
        nav_bake_report_add(&b->report, &report);
    }
    nav_arena_free(&scratch);
}

static nav_mesh_stats stats_of(const baked *b)
{
    nav_mesh *mesh = NULL;
    nav_mesh_stats stats;
    assert_int_equal(
        nav_mesh_create(b->blobs, b->grid.tiles_x * b->grid.tiles_z, NULL, NULL, &mesh, NULL, NULL),
        NAV_OK);
    nav_mesh_stats_get(mesh, &stats);
    nav_mesh_release(mesh);
    return stats;
}

// ---- the same ground ----

static const uint32_t SIZES[] = {16, 33, 64, 128};

// Spans and walkable cells are counted without the padding: they must add up to those of one tile
// to the last one, on every level, however it is cut.
static void every_division_finds_the_same_ground(void **state)
{
    (void)state;
    for (level_kind kind = 0; kind < LEVEL_KIND_COUNT; ++kind) {
        level_mesh level;
        assert_true(levels_generate(kind, kind == LEVEL_TERRAIN ? 24 : 1, 3, &level));
        nav_geometry geometry = levels_geometry(&level);
        nav_config config = nav_config_default();
        config.tile_cells = 0;
        baked one;
        bake(&one, &geometry, &config);
        const double walkable_area = stats_of(&one).walkable_area;
        assert_true(one.report.walkable_spans > 1000);
        for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; ++i) {
            config.tile_cells = SIZES[i];
            baked many;
            bake(&many, &geometry, &config);
            assert_int_equal(many.report.spans, one.report.spans);
            assert_int_equal(many.report.walkable_spans, one.report.walkable_spans);
            assert_int_equal(many.report.triangles, one.report.triangles);
            assert_int_equal(many.report.triangles_steep, one.report.triangles_steep);
            assert_true(fabs(stats_of(&many).walkable_area / walkable_area - 1) < 0.02);
            nav_arena_free(&many.result);
        }
        nav_arena_free(&one.result);
        levels_free(&level);
    }
}

static void a_degenerate_triangle_is_told_once(void **state)
{
    (void)state;
    soup s;
    soup_init(&s, 2);
    soup_floor(&s, 0, 0, 96, 96, 0);
    soup_floor(&s, 30, 30, 70, 30, 0); // two without a surface, through several tiles
    nav_config config = config_of_cells(32);
    baked b;
    bake(&b, &s.geometry, &config);
    assert_int_equal(b.grid.tiles_x, 3);
    assert_int_equal(b.report.warnings[NAV_WARN_DEGENERATE_TRIANGLES].count, 2);
    assert_int_equal(b.report.triangles, 2);
    nav_arena_free(&b.result);
    soup_free(&s);
}

static void the_index_changes_nothing(void **state)
{
    (void)state;
    level_mesh level;
    assert_true(levels_generate(LEVEL_DUNGEON, 1, 3, &level));
    nav_geometry geometry = levels_geometry(&level);
    nav_config config = nav_config_default();
    config.tile_cells = 32;
    baked b;
    bake(&b, &geometry, &config);
    nav_arena scratch;
    nav_arena_init(&scratch, NULL, 0);
    for (uint32_t t = 0; t < b.grid.tiles_x * b.grid.tiles_z; ++t) {
        nav_blob blob;
        assert_int_equal(nav_bake_tile(&geometry, &config, &b.grid, NULL, t % b.grid.tiles_x,
                                       t / b.grid.tiles_x, NULL, &scratch, &b.result, &blob, NULL,
                                       NULL),
                         NAV_OK);
        assert_int_equal(blob.size_bytes, b.blobs[t].size_bytes);
        assert_memory_equal(blob.bytes, b.blobs[t].bytes, blob.size_bytes);
    }
    nav_arena_free(&scratch);
    nav_arena_free(&b.result);
    levels_free(&level);
}

// ---- borders ----

// A plain is cut at every border from end to end, and hangs together over all of them.
static void a_plain_has_no_seams(void **state)
{
    (void)state;
    soup s;
    soup_init(&s, 1);
    soup_floor(&s, 0, 0, 100, 80, 0);
    nav_config config = config_of_cells(32);
    baked b;
    bake(&b, &s.geometry, &config);
    const nav_mesh_stats stats = stats_of(&b);
    assert_int_equal(stats.components, 1);
    assert_true(stats.walkable_area == 8000);
    for (uint32_t t = 0; t < b.grid.tiles_x * b.grid.tiles_z; ++t) {
        nav_tile tile;
        assert_int_equal(nav_tile_open(b.blobs[t], &tile, NULL), NAV_OK);
        nav_tile_cells cells = nav_bake_tile_cells(&b.grid, t % b.grid.tiles_x, t / b.grid.tiles_x);
        const int32_t side[4] = {(int32_t)cells.x, (int32_t)cells.z_end, (int32_t)cells.x_end,
                                 (int32_t)cells.z};
        for (uint32_t v = 0; v < tile.header->vertex_count; ++v) {
            assert_in_range(tile.vertices[v][0], cells.x, cells.x_end);
            assert_in_range(tile.vertices[v][2], cells.z, cells.z_end);
        }
        for (uint32_t p = 0; p < tile.header->polygon_count; ++p) {
            const nav_tile_polygon *polygon = &tile.polygons[p];
            for (uint32_t k = 0; k < polygon->corner_count; ++k) {
                uint32_t neighbour = tile.neighbours[polygon->corner_first + k];
                if ((neighbour & ~3u) != NAV_EDGE_PORTAL) {
                    continue;
                }
                uint32_t direction = neighbour & 3;
                uint32_t next = (k + 1) % polygon->corner_count;
                const int32_t *from = tile.vertices[tile.corners[polygon->corner_first + k]];
                const int32_t *to = tile.vertices[tile.corners[polygon->corner_first + next]];
                int axis = direction % 2 == 0 ? 0 : 2;
                assert_int_equal(from[axis], side[direction]);
                assert_int_equal(to[axis], side[direction]);
            }
        }
    }
    nav_arena_free(&b.result);
    soup_free(&s);
}

// Slopes along and across borders, at every place of a border in the tile.
static void a_slope_that_meets_a_border_is_not_torn(void **state)
{
    (void)state;
    for (uint32_t step = 0; step < 8; ++step) {
        soup s;
        soup_init(&s, 4);
        // A ramp from a low plain to a high one, beginning at 20..27 of tiles of 32.
        float x = (float)(20 + step), z = (float)(28 + step);
        soup_floor(&s, 0, 0, x, 70, 0);
        soup_floor(&s, x, z, x + 20, z + 8, 0);
        s.vertices[12 + 7] = s.vertices[12 + 10] = 10; // the far side of the ramp
        soup_floor(&s, x + 20, 0, 90, 70, 10);
        nav_config config = config_of_cells(32);
        baked b;
        bake(&b, &s.geometry, &config);
        const nav_mesh_stats stats = stats_of(&b);
        assert_int_equal(stats.components, 1);
        nav_arena_free(&b.result);
        soup_free(&s);
    }
}

// ---- no walls ----

static void a_tile_over_its_memory_is_refused_by_place(void **state)
{
    (void)state;
    soup s;
    soup_init(&s, 2);
    soup_floor(&s, 0, 0, 100, 80, 0);
    nav_config config = config_of_cells(32);
    nav_grid grid;
    assert_int_equal(nav_bake_plan(&s.geometry, &config, 0, &grid, NULL), NAV_OK);
    nav_arena scratch, result;
    nav_arena_init(&scratch, NULL, 30000);
    nav_arena_init(&result, NULL, 0);
    nav_blob blob = {0};
    nav_error err = {0};
    assert_int_equal(nav_bake_tile(&s.geometry, &config, &grid, NULL, 2, 1, NULL, &scratch, &result,
                                   &blob, NULL, &err),
                     NAV_TILE_TOO_COMPLEX);
    assert_int_equal(err.status, NAV_TILE_TOO_COMPLEX);
    assert_string_equal(err.at, "tile 2,1");
    assert_string_equal(err.limit, "30000 bytes");
    assert_non_null(strstr(err.detail, "from x 64, z 32 to x 96, z 64"));
    assert_null(blob.bytes);
    // An arena that is used again is not at its limit for what was before.
    nav_arena_free(&scratch);
    scratch.limit_bytes = 0;
    assert_int_equal(nav_bake_tile(&s.geometry, &config, &grid, NULL, 2, 1, NULL, &scratch, &result,
                                   &blob, NULL, &err),
                     NAV_OK);
    assert_false(scratch.at_limit);
    nav_arena_free(&scratch);
    nav_arena_free(&result);
    soup_free(&s);
}

static void more_than_65536_vertices_fit_a_tile(void **state)
{
    (void)state;
    soup s;
    soup_init(&s, 130 * 130);
    for (uint32_t i = 0; i < 130 * 130; ++i) {
        float x = (float)(i % 130 * 4), z = (float)(i / 130 * 4);
        soup_floor(&s, x, z, x + 2, z + 2, (float)(i % 2));
    }
    nav_config config = config_of_cells(0);
    baked b;
    bake(&b, &s.geometry, &config);
    const nav_mesh_stats stats = stats_of(&b);
    assert_int_equal(stats.polygons, 130 * 130);
    assert_int_equal(stats.vertices, 4 * 130 * 130);
    assert_int_equal(stats.components, 130 * 130);
    nav_arena_free(&b.result);
    soup_free(&s);
}

static void three_hundred_storeys_of_spans_and_layers_are_all_kept(void **state)
{
    (void)state;
    soup s;
    soup_init(&s, 300);
    for (uint32_t i = 0; i < 300; ++i) {
        soup_floor(&s, 0, 0, 20, 2, (float)(4 * i));
    }
    for (uint32_t tile_cells = 0; tile_cells <= 16; tile_cells += 16) {
        nav_config config = config_of_cells(tile_cells);
        baked b;
        bake(&b, &s.geometry, &config);
        assert_int_equal(b.report.spans, 300 * 20 * 2);
        const nav_mesh_stats stats = stats_of(&b);
        assert_int_equal(stats.components, 300);
        assert_true(stats.walkable_area == 300 * 20 * 2);
        nav_arena_free(&b.result);
    }
    soup_free(&s);
}

static void heights_beyond_8191_cells_are_exact_and_beyond_65000_refused(void **state)
{
    (void)state;
    soup s;
    soup_init(&s, 2);
    soup_floor(&s, 0, 0, 8, 8, 0);
    soup_floor(&s, 0, 0, 8, 8, 60000);
    nav_config config = config_of_cells(0);
    baked b;
    bake(&b, &s.geometry, &config);
    const nav_mesh_stats stats = stats_of(&b);
    assert_int_equal(stats.components, 2);
    assert_true(stats.max[1] == 60001); // the top of the voxel that the floor fills
    nav_arena_free(&b.result);
    s.geometry.vertex_count = s.geometry.triangle_count = 0;
    soup_floor(&s, 0, 0, 8, 8, 0);
    soup_floor(&s, 0, 0, 8, 8, 65001);
    nav_error err = {0};
    assert_int_equal(nav_bake_plan(&s.geometry, &config, 0, &b.grid, &err), NAV_GRID_TOO_LARGE);
    assert_string_equal(err.at, "cell_height");
    soup_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_division_finds_the_same_ground),
        cmocka_unit_test(a_degenerate_triangle_is_told_once),
        cmocka_unit_test(the_index_changes_nothing),
        cmocka_unit_test(a_plain_has_no_seams),
        cmocka_unit_test(a_slope_that_meets_a_border_is_not_torn),
        cmocka_unit_test(a_tile_over_its_memory_is_refused_by_place),
        cmocka_unit_test(more_than_65536_vertices_fit_a_tile),
        cmocka_unit_test(three_hundred_storeys_of_spans_and_layers_are_all_kept),
        cmocka_unit_test(heights_beyond_8191_cells_are_exact_and_beyond_65000_refused),
    };
    return cmocka_run_group_tests_name("bake_tiles", tests, NULL, NULL);
}
