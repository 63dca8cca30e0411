// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// Polygons that another program made become a tile that opens and whose mesh answers; those that no
// bake could have made are refused, each by its number.

#include "core/tile/tile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

// Two squares beside each other, 4 x 4 cells each; the second has a border at +x.
typedef struct squares {
    int32_t vertices[6][3];
    uint8_t counts[2], areas[2];
    uint32_t corners[8], neighbours[8];
    nav_tile_polygons in;
    nav_arena scratch, result;
    nav_blob blob;
    nav_error err;
} squares;

static void squares_make(squares *s)
{
    static const int32_t vertices[6][3] = {{0, 0, 0}, {0, 0, 4}, {4, 0, 4},
                                           {4, 0, 0}, {8, 0, 4}, {8, 0, 0}};
    static const uint32_t corners[8] = {0, 1, 2, 3, 3, 2, 4, 5};
    static const uint32_t neighbours[8] = {NAV_NONE, NAV_NONE, 1,        NAV_NONE,
                                           0,        NAV_NONE, NAV_NONE, NAV_NONE};
    *s = (squares){.counts = {4, 4}, .areas = {1, 2}};
    memcpy(s->vertices, vertices, sizeof vertices);
    memcpy(s->corners, corners, sizeof corners);
    memcpy(s->neighbours, neighbours, sizeof neighbours);
    s->neighbours[6] = NAV_EDGE_PORTAL | 2u;
    s->in = (nav_tile_polygons){.tiles_x = 1,
                                .tiles_z = 1,
                                .cell_size = 0.5f,
                                .cell_height = 0.25f,
                                .agent_height = 2,
                                .vertices = (const int32_t(*)[3])s->vertices,
                                .corner_counts = s->counts,
                                .areas = s->areas,
                                .corners = s->corners,
                                .neighbours = s->neighbours,
                                .vertex_count = 6,
                                .polygon_count = 2};
    nav_arena_init(&s->scratch, NULL, 0);
    nav_arena_init(&s->result, NULL, 0);
}

static nav_status squares_write(squares *s)
{
    return nav_tile_from_polygons(&s->in, NULL, &s->scratch, &s->result, &s->blob, &s->err);
}

static void squares_free(squares *s)
{
    nav_arena_free(&s->scratch);
    nav_arena_free(&s->result);
}

static void polygons_become_a_tile_that_opens(void **state)
{
    (void)state;
    squares s;
    squares_make(&s);
    assert_int_equal(squares_write(&s), NAV_OK);
    nav_tile tile;
    assert_int_equal(nav_tile_open(s.blob, &tile, &s.err), NAV_OK);
    assert_int_equal(tile.header->polygon_count, 2);
    assert_int_equal(tile.polygons[1].area, 2);
    assert_int_equal(tile.neighbours[2], 1);
    nav_mesh *mesh = NULL;
    assert_int_equal(nav_mesh_create(&s.blob, 1, NULL, NULL, &mesh, NULL, &s.err), NAV_OK);
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    assert_int_equal(stats.components, 1);
    assert_float_equal(stats.walkable_area, 8, 1e-6);
    nav_mesh_release(mesh);
    squares_free(&s);
}

static void nothing_is_an_empty_tile(void **state)
{
    (void)state;
    squares s;
    squares_make(&s);
    s.in.polygon_count = 0;
    assert_int_equal(squares_write(&s), NAV_OK);
    assert_int_equal(s.blob.size_bytes, 0);
    squares_free(&s);
}

static void expect_refused(squares *s, const char *words)
{
    const size_t held = s->result.held_bytes;
    assert_int_equal(squares_write(s), NAV_BAD_BLOB);
    assert_non_null(strstr(s->err.detail, words));
    assert_true(s->result.held_bytes >= held);
    assert_null(s->blob.bytes);
    squares_free(s);
}

static void other_shapes_are_refused(void **state)
{
    (void)state;
    squares s;
    squares_make(&s);
    s.vertices[4][0] = 5;
    s.vertices[4][2] = 1; // within the second square
    expect_refused(&s, "polygon 1 is not convex");
    squares_make(&s);
    memcpy(s.corners, (uint32_t[]){3, 2, 1, 0}, 16);
    s.neighbours[2] = s.neighbours[4] = NAV_NONE;
    expect_refused(&s, "polygon 0 is not convex, or runs clockwise");
    squares_make(&s);
    s.counts[1] = 2;
    expect_refused(&s, "polygon 1 has a value that cannot be");
    squares_make(&s);
    s.areas[0] = NAV_AREA_NONE;
    expect_refused(&s, "polygon 0 has a value that cannot be");
    squares_make(&s);
    s.corners[7] = 6;
    expect_refused(&s, "corner 7 names vertex 6 of 6");
    squares_make(&s);
    s.in.cell_size = __builtin_nanf("");
    expect_refused(&s, "header has a value");
}

// A star of five points turns left at each of them, twice around.
static void stars_are_refused(void **state)
{
    (void)state;
    static const int32_t points[5][3] = {
        {0, 0, 0}, {60, 0, 100}, {120, 0, 0}, {-40, 0, 62}, {160, 0, 62}};
    static const uint32_t corners[5] = {0, 1, 2, 3, 4};
    static const uint32_t walls[5] = {NAV_NONE, NAV_NONE, NAV_NONE, NAV_NONE, NAV_NONE};
    squares s;
    squares_make(&s);
    s.counts[0] = 5;
    s.in.polygon_count = 1;
    s.in.vertex_count = 5;
    s.in.vertices = points;
    s.in.corners = corners;
    s.in.neighbours = walls;
    expect_refused(&s, "polygon 0 winds around itself");
}

static void edges_lead_back_and_borders_are_straight(void **state)
{
    (void)state;
    squares s;
    squares_make(&s);
    s.neighbours[4] = NAV_NONE;
    expect_refused(&s, "edge 2 of polygon 0 leads to polygon 1, which does not lead back");
    squares_make(&s);
    s.neighbours[0] = 0;
    expect_refused(&s, "edge 0 of polygon 0 leads to polygon 0");
    squares_make(&s);
    s.neighbours[6] = NAV_EDGE_PORTAL; // the other side
    expect_refused(&s, "edge 2 of polygon 1 does not lie on the side");
    squares_make(&s);
    s.neighbours[5] = NAV_EDGE_PORTAL | 2u; // along x
    expect_refused(&s, "edge 1 of polygon 1 does not lie on the side");
}

// Recast leaves some where contours touch themselves.
static void polygons_without_area_may_be(void **state)
{
    (void)state;
    squares s;
    squares_make(&s);
    s.vertices[4][0] = s.vertices[5][0] = 4;
    s.neighbours[6] = NAV_NONE;
    assert_int_equal(squares_write(&s), NAV_OK);
    nav_mesh *mesh = NULL;
    assert_int_equal(nav_mesh_create(&s.blob, 1, NULL, NULL, &mesh, NULL, &s.err), NAV_OK);
    nav_mesh_release(mesh);
    squares_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polygons_become_a_tile_that_opens),
        cmocka_unit_test(nothing_is_an_empty_tile),
        cmocka_unit_test(other_shapes_are_refused),
        cmocka_unit_test(stars_are_refused),
        cmocka_unit_test(edges_lead_back_and_borders_are_straight),
        cmocka_unit_test(polygons_without_area_may_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
