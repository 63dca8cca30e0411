// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_islands.c: an island that is too small goes, though a tile's border cuts it in two, and
// is told of with its place and area. That all tile sizes agree is a property
// (core/mesh/test_properties.c).

// cmocka.h needs these, in this order.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "core/nav.h"
#include "tests/unit/counting_allocator.h"

#include <string.h>

// Rectangles of ground, in cells of side 1: x0, z0, x1, z1.
#define RECTANGLES_MAX 2

typedef struct level {
    float vertices[RECTANGLES_MAX * 12];
    uint32_t triangles[RECTANGLES_MAX * 6];
    nav_config config;
    nav_arena arena;
    nav_blob tiles[16];
    uint32_t tile_count;
} level;

static void level_bake(level *l, const float (*rectangles)[4], uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        const float *r = rectangles[i];
        const float corners[12] = {r[0], 0, r[1], r[0], 0, r[3], r[2], 0, r[3], r[2], 0, r[1]};
        const uint32_t triangles[6] = {0, 1, 2, 0, 2, 3};
        for (uint32_t k = 0; k < 12; ++k) {
            l->vertices[12 * i + k] = corners[k];
        }
        for (uint32_t k = 0; k < 6; ++k) {
            l->triangles[6 * i + k] = 4 * i + triangles[k];
        }
    }
    nav_geometry geometry = {.vertices = l->vertices,
                             .triangles = l->triangles,
                             .vertex_count = 4 * count,
                             .triangle_count = 2 * count};
    l->config = nav_config_default();
    l->config.cell_size = 1;
    l->config.agent_radius = 0;
    l->config.filter_ledges = false;
    l->config.detail = false;
    l->config.tile_cells = 16;
    l->config.region_min_size = 5;
    nav_arena_init(&l->arena, NULL, 0);
    nav_grid grid;
    assert_int_equal(nav_bake_plan(&geometry, &l->config, 0, &grid, NULL), NAV_OK);
    l->tile_count = grid.tiles_x * grid.tiles_z;
    assert_in_range(l->tile_count, 2, 16);
    nav_arena scratch;
    nav_arena_init(&scratch, NULL, 0);
    for (uint32_t i = 0; i < l->tile_count; ++i) {
        assert_int_equal(nav_bake_tile(&geometry, &l->config, &grid, NULL, i % grid.tiles_x,
                                       i / grid.tiles_x, NULL, &scratch, &l->arena, &l->tiles[i],
                                       NULL, NULL),
                         NAV_OK);
    }
    nav_arena_free(&scratch);
}

static nav_mesh_stats level_stats(const level *l, nav_bake_report *report)
{
    nav_mesh *mesh = NULL;
    assert_int_equal(
        nav_mesh_create(l->tiles, l->tile_count, &l->config, NULL, &mesh, report, NULL), NAV_OK);
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    nav_mesh_release(mesh);
    return stats;
}

// The floor, and an island of 6 x 4 cells on both sides of the line x = 16.
static const float small[][4] = {{0, 0, 32, 12}, {13, 20, 19, 24}};

static void a_small_island_goes_though_it_lies_in_two_tiles(void **state)
{
    (void)state;
    level l;
    nav_bake_report report = {0};
    level_bake(&l, small, 2);
    nav_mesh_stats stats = level_stats(&l, &report);
    assert_int_equal(stats.components, 1);
    assert_true(stats.walkable_area == 32 * 12);
    const nav_warning *warning = &report.warnings[NAV_WARN_REGIONS_REMOVED];
    assert_int_equal(warning->count, 1);
    assert_true(warning->items[0].value == 24);
    // The middle of the half that lies in the first of the two tiles.
    assert_true(warning->items[0].position[0] == 14.5f && warning->items[0].position[2] == 22);
    assert_int_equal(report.warnings[NAV_WARN_ISLAND].count, 0);
    nav_arena_free(&l.arena);
}

// Beyond the border is a row of three cells, which is less than the contours' error.
static void it_goes_though_nothing_is_left_of_it_beyond_the_border(void **state)
{
    (void)state;
    level l;
    nav_bake_report report = {0};
    level_bake(&l, (const float[][4]){{0, 0, 32, 12}, {13, 20, 17, 23}}, 2);
    assert_int_equal(level_stats(&l, &report).components, 1);
    assert_int_equal(report.warnings[NAV_WARN_REGIONS_REMOVED].count, 1);
    assert_true(report.warnings[NAV_WARN_REGIONS_REMOVED].items[0].value == 9);
    nav_arena_free(&l.arena);
}

static void an_island_that_is_large_enough_stays(void **state)
{
    (void)state;
    level l;
    level_bake(&l, (const float[][4]){{0, 0, 32, 12}, {13, 20, 18, 25}}, 2);
    nav_bake_report report = {0};
    nav_mesh_stats stats = level_stats(&l, &report);
    assert_int_equal(stats.components, 2);
    assert_int_equal(report.warnings[NAV_WARN_REGIONS_REMOVED].count, 0);
    assert_int_equal(report.warnings[NAV_WARN_ISLAND].count, 1);
    // Any island stays where none is too small.
    nav_arena_free(&l.arena);
    level_bake(&l, small, 2);
    l.config.region_min_size = 0;
    assert_int_equal(level_stats(&l, NULL).components, 2);
    nav_arena_free(&l.arena);
}

static void a_link_does_not_land_on_what_went(void **state)
{
    (void)state;
    level l;
    level_bake(&l, small, 2);
    const nav_link link = {
        .start = {16, 0, 6}, .end = {16, 0, 22}, .radius = 1, .area = NAV_AREA_GROUND};
    l.config.links = &link;
    l.config.link_count = 1;
    nav_bake_report report = {0};
    nav_mesh_stats stats = level_stats(&l, &report);
    assert_int_equal(stats.links, 0);
    assert_int_equal(stats.components, 1);
    assert_int_equal(report.warnings[NAV_WARN_LINK_OFF_MESH].count, 1);
    nav_arena_free(&l.arena);
}

static void a_mesh_of_small_islands_only_is_empty(void **state)
{
    (void)state;
    level l;
    level_bake(&l, (const float[][4]){{0, 0, 24, 1}}, 1);
    nav_mesh *mesh = NULL;
    nav_error err = {0};
    assert_int_equal(nav_mesh_create(l.tiles, l.tile_count, &l.config, NULL, &mesh, NULL, &err),
                     NAV_MESH_EMPTY);
    assert_null(mesh);
    assert_non_null(strstr(err.detail, "region_min_size"));
    nav_arena_free(&l.arena);
}

static void every_failed_allocation_is_an_answer(void **state)
{
    (void)state;
    level l;
    level_bake(&l, small, 2);
    nav_status status = NAV_NO_MEMORY;
    for (uint32_t calls = 0; status != NAV_OK; ++calls) {
        counting counted = {.calls_max = calls};
        nav_allocator allocator = counting_allocator(&counted);
        nav_mesh *mesh = NULL;
        nav_bake_report report = {0};
        status =
            nav_mesh_create(l.tiles, l.tile_count, &l.config, &allocator, &mesh, &report, NULL);
        assert_true(status == NAV_OK || (status == NAV_NO_MEMORY && mesh == NULL));
        assert_int_equal(report.warnings[NAV_WARN_REGIONS_REMOVED].count, status == NAV_OK);
        nav_mesh_release(mesh);
        assert_int_equal(counted.held_bytes, 0);
    }
    nav_arena_free(&l.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_island_goes_though_it_lies_in_two_tiles),
        cmocka_unit_test(it_goes_though_nothing_is_left_of_it_beyond_the_border),
        cmocka_unit_test(an_island_that_is_large_enough_stays),
        cmocka_unit_test(a_link_does_not_land_on_what_went),
        cmocka_unit_test(a_mesh_of_small_islands_only_is_empty),
        cmocka_unit_test(every_failed_allocation_is_an_answer),
    };
    return cmocka_run_group_tests_name("mesh_islands", tests, NULL, NULL);
}
