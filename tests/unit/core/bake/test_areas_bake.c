// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_areas_bake.c: whole bakes with areas: a passage to crouch through, a shore, bounds.

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "core/nav.h"

#include <string.h>

static const nav_area AREAS[] = {{.name = "none", .cost = 1},
                                 {.name = "ground", .cost = 1},
                                 {.name = "crouch", .cost = 2},
                                 {.name = "water", .cost = 3}};
enum {
    CROUCH = 2,
    WATER = 3
};

// Two triangles a quad; corners counter-clockwise from above.
static const uint32_t QUADS[] = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7};

static nav_mesh *bake(const nav_geometry *geometry, const nav_config *config)
{
    nav_grid grid;
    nav_arena scratch, result;
    nav_blob blob;
    nav_error err = {0};
    nav_mesh *mesh = NULL;
    nav_arena_init(&scratch, NULL, 0);
    nav_arena_init(&result, NULL, 0);
    if (nav_bake_plan(geometry, config, 0, &grid, &err) != NAV_OK ||
        nav_bake_tile(geometry, config, &grid, NULL, 0, 0, NULL, &scratch, &result, &blob, NULL,
                      &err) != NAV_OK ||
        nav_mesh_create(&blob, 1, config, NULL, &mesh, NULL, &err) != NAV_OK) {
        fail_msg("%s", err.detail);
    }
    nav_arena_free(&scratch);
    nav_arena_free(&result);
    return mesh;
}

static nav_config config_with_areas(void)
{
    nav_config config = nav_config_default();
    config.areas = AREAS;
    config.area_count = 4;
    return config;
}

// The extent along x of all polygons of an area; false if there are none.
static bool extent_of(const nav_mesh *mesh, uint8_t area, float *min, float *max)
{
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    bool found = false;
    for (uint32_t i = 0; i < stats.polygons; ++i) {
        nav_polygon polygon = nav_mesh_polygon(mesh, i);
        for (uint32_t k = 0; polygon.area == area && k < polygon.vertex_count; ++k) {
            float x = nav_mesh_vertex(mesh, polygon.vertices[k])[0];
            *min = !found || x < *min ? x : *min;
            *max = !found || x > *max ? x : *max;
            found = true;
        }
    }
    return found;
}

static nav_path_status path_between(const nav_mesh *mesh, float x0, float x1)
{
    nav_scratch *scratch;
    nav_path path;
    const nav_path_request request = {
        .start = {x0, 0.2f, 3}, .end = {x1, 0.2f, 3}, .options.snap = nav_snap_default()};
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    nav_path_status status = path.status;
    nav_scratch_destroy(scratch);
    return status;
}

// A hall of 20 x 6 with a ceiling 1.5 above the floor between 8 and 12.
static void a_low_passage_leads_through_for_those_who_crouch(void **state)
{
    (void)state;
    static const float vertices[] = {0, 0,    0, 0,  0,    6, 20, 0,    6, 20, 0,    0,
                                     8, 1.5f, 0, 12, 1.5f, 0, 12, 1.5f, 6, 8,  1.5f, 6};
    const nav_geometry hall = {
        .vertices = vertices, .triangles = QUADS, .vertex_count = 8, .triangle_count = 4};
    nav_config config = config_with_areas();
    float min, max;
    nav_mesh *mesh = bake(&hall, &config);
    assert_int_equal(path_between(mesh, 2, 18), NAV_PATH_PARTIAL);
    assert_false(extent_of(mesh, CROUCH, &min, &max));
    nav_mesh_release(mesh);

    config.low_height_area = CROUCH;
    config.low_height_min = 1.0f;
    mesh = bake(&hall, &config);
    assert_int_equal(path_between(mesh, 2, 18), NAV_PATH_COMPLETE);
    assert_true(extent_of(mesh, CROUCH, &min, &max));
    assert_true(min > 7.3f && min < 8.7f && max > 11.3f && max < 12.7f);
    nav_mesh_release(mesh);

    config.low_height_min = 1.7f; // more than there is
    mesh = bake(&hall, &config);
    assert_false(extent_of(mesh, CROUCH, &min, &max));
    nav_mesh_release(mesh);
}

// A beach that rises from -2 at x = 0 to 2 at x = 40, and water at 0: the shore is at x = 20.
static void the_shore_is_where_the_ground_comes_out(void **state)
{
    (void)state;
    static const float vertices[] = {0, -2, 0, 0, -2, 20, 40, 2, 20, 40, 2, 0,
                                     0, 0,  0, 0, 0,  20, 40, 0, 20, 40, 0, 0};
    static const uint16_t materials[] = {0, 0, 1, 1};
    static const char *const names[] = {"", "Lake"};
    static const nav_material lake[] = {{"Lake", WATER}};
    const nav_geometry beach = {.vertices = vertices,
                                .triangles = QUADS,
                                .triangle_materials = materials,
                                .material_names = names,
                                .vertex_count = 8,
                                .triangle_count = 4,
                                .material_count = 2};
    nav_area areas[4];
    memcpy(areas, AREAS, sizeof areas);
    nav_config config = config_with_areas();
    config.areas = areas;
    config.materials = lake;
    config.material_count = 1;
    float edge[2];
    for (int liquid = 0; liquid <= 1; ++liquid) {
        areas[WATER].liquid = liquid != 0;
        nav_mesh *mesh = bake(&beach, &config);
        float min, max, ground_min, ground_max;
        assert_true(extent_of(mesh, WATER, &min, &max));
        assert_true(extent_of(mesh, NAV_AREA_GROUND, &ground_min, &ground_max));
        assert_true(min < 1.5f && ground_max > 38.5f);
        edge[liquid] = max;
        nav_mesh_release(mesh);
    }
    assert_true(edge[1] > 19 && edge[1] < 22.5f);
    assert_true(edge[0] > edge[1] + 2); // as solid ground, it would cover what is a climb above it
}

// A ramp from 0 to 10 over 40.
static void bounds_cut_floors_and_make_none(void **state)
{
    (void)state;
    static const float vertices[] = {0, 0, 0, 0, 0, 20, 40, 10, 20, 40, 10, 0};
    const nav_geometry ramp = {
        .vertices = vertices, .triangles = QUADS, .vertex_count = 4, .triangle_count = 2};
    nav_config config = config_with_areas();
    config.has_bounds = true;
    const float low[] = {-5, 2, 4}, high[] = {100, 6, 50};
    memcpy(config.bounds_min, low, sizeof low);
    memcpy(config.bounds_max, high, sizeof high);
    nav_mesh *mesh = bake(&ramp, &config);
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    assert_true(stats.min[1] >= 2 && stats.min[1] < 2.7f);
    assert_true(stats.max[1] <= 6.4f && stats.max[1] > 5.3f);
    assert_true(stats.min[0] > 7.5f && stats.max[0] < 25);
    assert_true(stats.min[2] >= 4 && stats.max[2] <= 20);
    nav_mesh_release(mesh);
}

static void a_cut_keeps_the_radius_and_another_area_does_not(void **state)
{
    (void)state;
    static const float vertices[] = {0, 0, 0, 0, 0, 30, 30, 0, 30, 30, 0, 0};
    const nav_geometry field = {
        .vertices = vertices, .triangles = QUADS, .vertex_count = 4, .triangle_count = 2};
    nav_volume box = {.shape = NAV_VOLUME_BOX, .min = {12, -1, -1}, .max = {18, 1, 31}};
    nav_config config = config_with_areas();
    config.volumes = &box;
    config.volume_count = 1;
    nav_mesh *mesh = bake(&field, &config);
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    assert_int_equal(stats.components, 2);
    for (uint32_t i = 0; i < stats.vertices; ++i) {
        float x = nav_mesh_vertex(mesh, i)[0];
        assert_true(x < 11.6f || x > 18.4f);
    }
    nav_mesh_release(mesh);
    box.area = WATER;
    mesh = bake(&field, &config);
    nav_mesh_stats_get(mesh, &stats);
    assert_int_equal(stats.components, 1);
    float min, max;
    assert_true(extent_of(mesh, WATER, &min, &max));
    assert_true(min > 11.6f && min < 12.4f && max > 17.6f && max < 18.4f);
    nav_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_low_passage_leads_through_for_those_who_crouch),
        cmocka_unit_test(the_shore_is_where_the_ground_comes_out),
        cmocka_unit_test(bounds_cut_floors_and_make_none),
        cmocka_unit_test(a_cut_keeps_the_radius_and_another_area_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
