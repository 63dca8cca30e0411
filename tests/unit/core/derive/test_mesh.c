// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// A mesh holds what its tiles hold, end to end, labels what hangs together, counts its references
// and gives back every byte.

#include "tests/unit/counting_allocator.h"
#include "tests/unit/mesh_builder.h"
#include "core/mesh/steps.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static void one_tile_becomes_a_mesh(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("..#./...#");
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    assert_int_equal(stats.tiles, 1);
    assert_int_equal(stats.polygons, 6);
    assert_int_equal(stats.components, 2);
    assert_int_equal(stats.links, 0);
    assert_near(stats.walkable_area, 6.0, 1e-9);
    assert_near(stats.min[0], 0.0, 0.0);
    assert_near(stats.max[0], 4.0, 0.0);
    assert_near(stats.max[2], 2.0, 0.0);
    // Labels follow each component's first polygon; the corner cell hangs by a vertex only.
    assert_int_equal(nav_mesh_polygon(mesh, 0).component, 1);
    assert_int_equal(nav_mesh_polygon(mesh, 2).component, 2);
    assert_int_equal(nav_mesh_polygon(mesh, 5).component, 1);
    nav_mesh_release(mesh);
}

static void polygons_wind_counter_clockwise_from_above(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("..");
    nav_polygon polygon = nav_mesh_polygon(mesh, 0);
    assert_int_equal(polygon.vertex_count, 4);
    assert_int_equal(polygon.area, NAV_AREA_GROUND);
    const float *a = nav_mesh_vertex(mesh, polygon.vertices[0]);
    const float *b = nav_mesh_vertex(mesh, polygon.vertices[1]);
    const float *c = nav_mesh_vertex(mesh, polygon.vertices[2]);
    // The normal (b - a) x (c - a) of such a polygon points up, along +y.
    float up = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
    assert_true(up > 0.0f);
    assert_int_equal(polygon.neighbours[2], 1); // +x
    assert_int_equal(polygon.neighbours[0], NAV_NONE);
    nav_mesh_release(mesh);
}

static void portals_know_left_from_right(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("..");
    assert_int_equal(mesh->portal_count, 2);
    const nav_portal *portal = &mesh->portals[mesh->portal_first[0]];
    assert_int_equal(portal->from, 0);
    assert_int_equal(portal->to, 1);
    // Walking to +x, with +z to the right: seen from above, z points down the page.
    assert_near(portal->left[0], 1.0, 0.0);
    assert_near(portal->left[1], 0.0, 0.0);
    assert_near(portal->right[1], 1.0, 0.0);
    nav_mesh_release(mesh);
}

static void tiles_are_laid_end_to_end(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    builder_map(&b, "..");
    nav_blob one = builder_blob(&b);
    const nav_blob tiles[3] = {one, {NULL, 0}, one};
    nav_mesh *mesh;
    assert_int_equal(nav_mesh_create(tiles, 3, NULL, NULL, &mesh, NULL, NULL), NAV_OK);
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    assert_int_equal(stats.tiles, 3);
    assert_int_equal(stats.polygons, 4);
    assert_int_equal(stats.components, 2);
    assert_int_equal(nav_mesh_polygon(mesh, 2).neighbours[2], 3);
    assert_int_equal(mesh->run_count, 2);
    nav_location found[8];
    const nav_snap snap = {0.25f, 1.0f, 1.0f};
    const float point[3] = {1.5f, 0.5f, 0.5f};
    assert_int_equal(nav_query_nearest(mesh, point, snap, NAV_NONE, found, 8), 2);
    assert_int_equal(found[0].polygon, 1);
    assert_int_equal(found[1].polygon, 3);
    nav_mesh_release(mesh);
    builder_free(&b);
}

static void no_tiles_give_an_empty_mesh(void **state)
{
    (void)state;
    nav_mesh *mesh;
    assert_int_equal(nav_mesh_create(NULL, 0, NULL, NULL, &mesh, NULL, NULL), NAV_OK);
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    assert_int_equal(stats.polygons, 0);
    nav_scratch *scratch = NULL;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    const nav_path_request request = {.options.snap = {2, 4, 4}};
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.reason, NAV_REASON_START_OFF_MESH);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

static void bad_tile_is_named(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    builder_map(&b, "..");
    const nav_blob tiles[2] = {builder_blob(&b), {"nonsense", 8}};
    nav_mesh *mesh = NULL;
    nav_error err;
    assert_int_equal(nav_mesh_create(tiles, 2, NULL, NULL, &mesh, NULL, &err), NAV_BAD_BLOB);
    assert_string_equal(err.at, "tiles[1]");
    assert_null(mesh);
    builder_free(&b);
}

static void tiles_of_two_grids_are_refused(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    builder_map(&b, "..");
    nav_blob first = builder_blob(&b);
    nav_blob second = builder_blob(&b);
    nav_tile_header *header = (nav_tile_header *)second.bytes;
    header->cell_height = 0.5f;
    header->checksum = nav_tile_checksum((const char *)second.bytes + 24, second.size_bytes - 24);
    const nav_blob tiles[2] = {first, second};
    nav_mesh *mesh = NULL;
    nav_error err;
    assert_int_equal(nav_mesh_create(&second, 1, NULL, NULL, &mesh, NULL, &err), NAV_OK);
    nav_mesh_release(mesh);
    assert_int_equal(nav_mesh_create(tiles, 2, NULL, NULL, &mesh, NULL, &err), NAV_BAD_BLOB);
    assert_string_equal(err.at, "tiles[1]");
    builder_free(&b);
}

static void references_are_counted(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    builder_map(&b, "...");
    nav_blob blob = builder_blob(&b);
    counting counted = {.calls_max = 100};
    const nav_allocator allocator = counting_allocator(&counted);
    nav_mesh *mesh;
    assert_int_equal(nav_mesh_create(&blob, 1, NULL, &allocator, &mesh, NULL, NULL), NAV_OK);
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    assert_int_equal(stats.memory_bytes, counted.held_bytes);
    assert_ptr_equal(nav_mesh_acquire(mesh), mesh);
    nav_mesh_release(mesh);
    assert_int_equal(counted.held_bytes, stats.memory_bytes);
    nav_mesh_release(mesh);
    assert_int_equal(counted.held_bytes, 0);
    nav_mesh_release(NULL);
    // Each allocation fails in turn: an error, and nothing is kept.
    const uint32_t calls = counted.calls;
    for (uint32_t i = 0; i < calls; ++i) {
        counted = (counting){.calls_max = i};
        mesh = NULL;
        assert_int_equal(nav_mesh_create(&blob, 1, NULL, &allocator, &mesh, NULL, NULL),
                         NAV_NO_MEMORY);
        assert_null(mesh);
        assert_int_equal(counted.held_bytes, 0);
    }
    builder_free(&b);
}

// Blocks of the arena end now before one array, now before the next: a small one may still find
// room where a large one has found none.
static void any_array_may_find_no_room(void **state)
{
    (void)state;
    for (int32_t side = 4; side <= 28; side += 2) {
        builder b;
        builder_init(&b);
        for (int32_t i = 0; i < side * side; ++i) {
            builder_rectangle(&b, i % side, i / side, i % side + 1, i / side + 1, 0);
        }
        const nav_blob blob = builder_blob(&b);
        counting counted = {.calls_max = UINT32_MAX};
        const nav_allocator allocator = counting_allocator(&counted);
        nav_mesh *mesh;
        assert_int_equal(nav_mesh_create(&blob, 1, NULL, &allocator, &mesh, NULL, NULL), NAV_OK);
        nav_mesh_release(mesh);
        const uint32_t calls = counted.calls;
        for (uint32_t i = 0; i < calls; ++i) {
            counted = (counting){.calls_max = i};
            assert_int_equal(nav_mesh_create(&blob, 1, NULL, &allocator, &mesh, NULL, NULL),
                             NAV_NO_MEMORY);
            assert_int_equal(counted.held_bytes, 0);
        }
        builder_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_tile_becomes_a_mesh),
        cmocka_unit_test(polygons_wind_counter_clockwise_from_above),
        cmocka_unit_test(portals_know_left_from_right),
        cmocka_unit_test(tiles_are_laid_end_to_end),
        cmocka_unit_test(no_tiles_give_an_empty_mesh),
        cmocka_unit_test(bad_tile_is_named),
        cmocka_unit_test(tiles_of_two_grids_are_refused),
        cmocka_unit_test(references_are_counted),
        cmocka_unit_test(any_array_may_find_no_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
