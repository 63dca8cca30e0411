// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_compact_records.c: what a large mesh copies of its polygons, to be found in fewer reads,
// says what the mesh itself does: places and heights are the same with the copies and without, to
// the last bit.

#include "core/query/query.h"
#include "tests/levels/levels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define POINTS 20000

typedef struct counts {
    uint32_t without_corners, without_triangles, with_triangles; // of polygons that are not flat
} counts;

static nav_mesh *bake(level_kind kind, uint32_t size, const nav_config *config)
{
    level_mesh level;
    nav_grid grid;
    nav_tile_index index;
    nav_arena scratch, result;
    nav_mesh *mesh = NULL;
    assert_true(levels_generate(kind, size, 1, &level));
    const nav_geometry geometry = levels_geometry(&level);
    nav_arena_init(&scratch, NULL, 0);
    nav_arena_init(&result, NULL, 0);
    assert_int_equal(nav_bake_plan(&geometry, config, 0, &grid, NULL), NAV_OK);
    assert_int_equal(nav_bake_index(&geometry, &grid, NULL, &result, &index, NULL), NAV_OK);
    const uint32_t count = grid.tiles_x * grid.tiles_z;
    nav_blob *blobs = calloc(count, sizeof *blobs);
    assert_non_null(blobs);
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(nav_bake_tile(&geometry, config, &grid, &index, i % grid.tiles_x,
                                       i / grid.tiles_x, NULL, &scratch, &result, &blobs[i], NULL,
                                       NULL),
                         NAV_OK);
    }
    assert_int_equal(nav_mesh_create(blobs, count, config, NULL, &mesh, NULL, NULL), NAV_OK);
    free(blobs);
    nav_arena_free(&result);
    nav_arena_free(&scratch);
    levels_free(&level);
    return mesh;
}

static counts count_compact_records(const nav_mesh *mesh)
{
    counts out = {0};
    for (uint32_t p = 0; p < mesh->stats.polygons; ++p) {
        const uint16_t first = mesh->locate.compact_records[p].first_triangle;
        if (mesh->records[p].min[1] != mesh->records[p].max[1]) {
            out.without_corners += first == NAV_COMPACT_NONE;
            out.without_triangles += first == NAV_COMPACT_END;
            out.with_triangles += first < NAV_COMPACT_NONE;
        }
    }
    return out;
}

static float between(uint64_t *state, float from, float to)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return from + (to - from) * (float)(*state >> 40) * (1.0f / 16777216.0f);
}

// A place anywhere, or one on the ground: of a corner, of the middle of an edge, or between.
static void choose_point(const nav_mesh *mesh, uint32_t i, uint64_t *state, float out[3])
{
    const uint32_t random = (uint32_t)between(state, 0, (float)mesh->stats.polygons);
    const nav_polygon p = nav_mesh_polygon(mesh, random % mesh->stats.polygons);
    const float *a = nav_mesh_vertex(mesh, p.vertices[0]);
    const float *b = nav_mesh_vertex(mesh, p.vertices[1]);
    const float *c = nav_mesh_vertex(mesh, p.vertices[p.vertex_count - 1]);
    const float u = i % 4 == 0 ? 0.0f : i % 4 == 1 ? 0.5f : between(state, 0.0f, 0.5f);
    const float v = i % 4 < 2 ? 0.0f : between(state, 0.0f, 0.5f);
    for (int axis = 0; axis < 3; ++axis) {
        out[axis] = a[axis] + u * (b[axis] - a[axis]) + v * (c[axis] - a[axis]);
    }
    if (i % 7 == 0) {
        out[0] += between(state, -3.0f, 3.0f);
        out[1] += between(state, -3.0f, 3.0f);
        out[2] += between(state, -3.0f, 3.0f);
    }
}

static void hold_against_mesh(nav_mesh *mesh)
{
    nav_compact_record *compact_records = mesh->locate.compact_records;
    uint32_t *boxes = mesh->locate.detail_boxes;
    // Of all triangles, so large that all are looked at.
    const uint32_t triangles = mesh->records[mesh->stats.polygons].detail_triangle_first;
    uint32_t *wide = calloc(triangles + 1, sizeof *wide);
    uint64_t state = 7;
    assert_true(compact_records != NULL && wide != NULL && nav_box(0, 0, 127, 127) == 0);
    for (uint32_t i = 0; i < POINTS; ++i) {
        float point[3];
        nav_location with[3] = {0}, without[3] = {0};
        choose_point(mesh, i, &state, point);
        nav_query_fetch(mesh, point, point);
        const uint32_t count =
            nav_query_nearest(mesh, point, nav_snap_default(), NAV_NONE, with, 1 + i % 3);
        mesh->locate.compact_records = NULL;
        mesh->locate.detail_boxes = wide;
        nav_query_fetch(mesh, point, point);
        assert_int_equal(
            nav_query_nearest(mesh, point, nav_snap_default(), NAV_NONE, without, 1 + i % 3),
            count);
        mesh->locate.compact_records = compact_records;
        mesh->locate.detail_boxes = boxes;
        assert_memory_equal(with, without, sizeof with);
    }
    free(wide);
}

static void a_city_has_the_same_places_without(void **state)
{
    (void)state;
    const nav_config config = nav_config_default();
    nav_mesh *mesh = bake(LEVEL_CITY, 4, &config);
    const counts c = count_compact_records(mesh);
    assert_true(c.with_triangles > 100 && c.without_triangles > 10 && c.without_corners == 0);
    hold_against_mesh(mesh);
    nav_mesh_release(mesh);
}

static void a_terrain_has_the_same_places_without(void **state)
{
    (void)state;
    nav_config config = nav_config_default();
    config.tile_cells = 32;
    nav_mesh *mesh = bake(LEVEL_TERRAIN, 256, &config);
    const counts c = count_compact_records(mesh);
    assert_true(c.with_triangles > 100 && c.without_triangles > 1000);
    hold_against_mesh(mesh);
    nav_mesh_release(mesh);
}

static void polygons_of_many_corners_are_read_from_the_mesh(void **state)
{
    (void)state;
    nav_config config = nav_config_default();
    config.polygon_max_vertices = NAV_POLYGON_VERTICES_MAX;
    nav_mesh *mesh = bake(LEVEL_CITY, 5, &config);
    assert_true(count_compact_records(mesh).without_corners > 10);
    hold_against_mesh(mesh);
    nav_mesh_release(mesh);
}

static void without_detail_heights_are_those_of_fans(void **state)
{
    (void)state;
    nav_config config = nav_config_default();
    config.detail = false;
    nav_mesh *mesh = bake(LEVEL_CITY, 4, &config);
    assert_true(count_compact_records(mesh).with_triangles > 100);
    hold_against_mesh(mesh);
    nav_mesh_release(mesh);
}

static void a_small_mesh_has_no_copies(void **state)
{
    (void)state;
    const nav_config config = nav_config_default();
    nav_mesh *mesh = bake(LEVEL_TOWN, 2, &config);
    assert_true(mesh->stats.polygons < NAV_LOCATE_LARGE);
    assert_null(mesh->locate.compact_records);
    nav_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_city_has_the_same_places_without),
        cmocka_unit_test(a_terrain_has_the_same_places_without),
        cmocka_unit_test(polygons_of_many_corners_are_read_from_the_mesh),
        cmocka_unit_test(without_detail_heights_are_those_of_fans),
        cmocka_unit_test(a_small_mesh_has_no_copies),
    };
    return cmocka_run_group_tests_name("compact_records", tests, NULL, NULL);
}
