// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_links.c: tiles by hand, linked where their edges overlap in plan view and in height.
//
//      x  0       4       8      Two tiles of 4 x 6 cells side by side; the border is x = 4.
//         | west  | east  |      Agent 2 high, climb 0.5: heights may differ by 1.

#include "tests/unit/mesh_builder.h"
#include "core/mesh/steps.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

typedef struct pair {
    builder sides[2];
} pair;

static void pair_init(pair *p)
{
    builder_init(&p->sides[0]);
    builder_init(&p->sides[1]);
}

// A rectangle as wide as its tile, from z0 at height y0 to z1 at height y1.
static void add(pair *p, int side, int32_t z0, int32_t z1, int32_t y0, int32_t y1)
{
    int32_t x0 = side == 0 ? 0 : 4;
    const int32_t corners[4][3] = {{x0, y0, z0}, {x0, y1, z1}, {x0 + 4, y1, z1}, {x0 + 4, y0, z0}};
    uint32_t polygon = builder_polygon(&p->sides[side], 4, corners);
    uint32_t *row = p->sides[side].polygons.polygon_neighbours + (size_t)polygon * BUILDER_ROW;
    row[side == 0 ? 2 : 0] = NAV_EDGE_PORTAL | (side == 0 ? 2u : 0u);
}

static nav_blob blob_of(pair *p, int side, nav_arena *result)
{
    const nav_config config = {.agent_height = 2, .agent_max_climb = 0.5f};
    const nav_grid grid = {
        .cell_size = 1, .cell_height = 1, .tile_cells = 4, .tiles_x = 2, .tiles_z = 1};
    nav_bake_report report = {0};
    builder *b = &p->sides[side];
    const nav_bake_job job = {.config = &config,
                              .grid = &grid,
                              .tile_x = (uint32_t)side,
                              .scratch = &b->arena,
                              .report = &report};
    nav_blob blob = {0};
    assert_int_equal(nav_bake_tile_write(&job, &b->polygons, &b->detail, result, &blob), NAV_OK);
    return blob;
}

// The mesh of both tiles; the pair is freed.
static nav_mesh *pair_mesh(pair *p)
{
    nav_arena result;
    nav_arena_init(&result, NULL, 0);
    nav_blob blobs[2] = {blob_of(p, 0, &result), blob_of(p, 1, &result)};
    nav_mesh *mesh = NULL;
    assert_int_equal(nav_mesh_create(blobs, 2, NULL, NULL, &mesh, NULL, NULL), NAV_OK);
    nav_arena_free(&result);
    builder_free(&p->sides[0]);
    builder_free(&p->sides[1]);
    return mesh;
}

static void expect_portal(const nav_mesh *mesh, uint32_t portal, uint32_t from, uint32_t to,
                          float left_z, float right_z)
{
    const nav_portal *p = &mesh->portals[portal];
    assert_int_equal(p->from, from);
    assert_int_equal(p->to, to);
    assert_true(p->left[0] == 4 && p->right[0] == 4);
    assert_true(p->left[1] == left_z);
    assert_true(p->right[1] == right_z);
    // The ends are vertices: their heights are those of the ground.
    assert_true(mesh->vertices[p->left_vertex][2] == left_z);
    assert_true(mesh->vertices[p->right_vertex][2] == right_z);
}

static void an_edge_is_linked_to_all_that_it_overlaps_each_as_far_as_it_does(void **state)
{
    (void)state;
    pair p;
    pair_init(&p);
    add(&p, 0, 1, 5, 0, 0); // polygon 0
    add(&p, 1, 0, 2, 0, 0); // 1
    add(&p, 1, 2, 4, 0, 0); // 2
    add(&p, 1, 4, 6, 0, 0); // 3
    nav_mesh *mesh = pair_mesh(&p);
    assert_int_equal(mesh->stats.components, 1);
    assert_int_equal(mesh->portal_count, 10); // 6 over the border, 4 within the east
    // Walking to +x, the left hand is at -z. The edge runs from its right to its left end.
    assert_int_equal(mesh->portal_first[1], 3);
    expect_portal(mesh, 0, 0, 3, 4, 5);
    expect_portal(mesh, 1, 0, 2, 2, 4);
    expect_portal(mesh, 2, 0, 1, 1, 2);
    assert_int_equal(nav_mesh_polygon(mesh, 0).neighbours[2], 3);
    // And back.
    for (uint32_t polygon = 1; polygon <= 3; ++polygon) {
        assert_int_equal(nav_mesh_polygon(mesh, polygon).neighbours[0], 0);
    }
    expect_portal(mesh, mesh->portal_first[1], 1, 0, 2, 1);
    nav_mesh_release(mesh);
}

// Storeys at the given distance over each other, `count` on either side.
static nav_status make_storeys(int32_t count, int32_t apart, uint64_t memory_limit_bytes,
                               uint32_t *portal_count, nav_error *err)
{
    pair p;
    nav_arena result;
    nav_mesh *mesh = NULL;
    pair_init(&p);
    nav_arena_init(&result, NULL, 0);
    for (int32_t i = 0; i < count; ++i) {
        add(&p, 0, 0, 6, i * apart, i * apart);
        add(&p, 1, 0, 6, i * apart, i * apart);
    }
    const nav_blob blobs[2] = {blob_of(&p, 0, &result), blob_of(&p, 1, &result)};
    const nav_status status =
        nav_mesh_create_until(blobs, 2, NULL, memory_limit_bytes, NULL, NULL, &mesh, NULL, err);
    *portal_count = status == NAV_OK ? mesh->portal_count : 0;
    nav_mesh_release(mesh);
    nav_arena_free(&result);
    builder_free(&p.sides[0]);
    builder_free(&p.sides[1]);
    return status;
}

static void what_lies_over_each_other_at_a_border_is_bounded(void **state)
{
    (void)state;
    nav_error err = {0};
    uint32_t portals;
    assert_int_equal(make_storeys(1000, 4, 0, &portals, &err), NAV_OK);
    assert_int_equal(portals, 2000);
    assert_int_equal(make_storeys(1100, 4, 0, &portals, &err), NAV_TILE_TOO_COMPLEX);
    assert_string_equal(err.at, "tile 1,0");
    // Equal ones all meet each other.
    assert_int_equal(make_storeys(60, 0, 0, &portals, &err), NAV_OK);
    assert_int_equal(portals, 2 * 60 * 60);
    assert_int_equal(make_storeys(120, 0, 0, &portals, &err), NAV_TILE_TOO_COMPLEX);
}

static void all_of_a_mesh_counts_against_its_memory(void **state)
{
    (void)state;
    nav_error err = {0};
    uint32_t portals;
    assert_int_equal(make_storeys(60, 0, 100000, &portals, &err), NAV_TILE_TOO_COMPLEX);
    assert_string_equal(err.at, "mesh");
    assert_int_equal(make_storeys(60, 0, 4000000, &portals, &err), NAV_OK);
    assert_int_equal(portals, 2 * 60 * 60);
}

// What exports read: the same, by edge, and the tiles.
static void edges_tell_the_polygons_behind_them_and_tiles_theirs(void **state)
{
    (void)state;
    pair p;
    pair_init(&p);
    add(&p, 0, 1, 5, 0, 0); // polygon 0
    add(&p, 1, 0, 2, 0, 0); // 1
    add(&p, 1, 2, 4, 0, 0); // 2
    add(&p, 1, 4, 6, 0, 0); // 3
    nav_mesh *mesh = pair_mesh(&p);
    nav_edge_portal portals[4] = {{.to = 77}, {.to = 77}, {.to = 77}, {.to = 77}};
    assert_int_equal(nav_mesh_edge_portals(mesh, 0, portals, 2), 3);
    assert_int_equal(portals[2].to, 77); // beyond the capacity nothing is written
    assert_int_equal(nav_mesh_edge_portals(mesh, 0, portals, 4), 3);
    for (uint32_t i = 0; i < 3; ++i) {
        assert_int_equal(portals[i].edge, 2);
        assert_int_equal(portals[i].to, 3 - i);
    }
    assert_true(nav_mesh_vertex(mesh, portals[1].right)[2] == 4.0f);
    assert_true(nav_mesh_vertex(mesh, portals[1].left)[2] == 2.0f);
    // The middle one of the east: west over the border, and its neighbours over whole edges.
    assert_int_equal(nav_mesh_edge_portals(mesh, 2, portals, 4), 3);
    for (uint32_t i = 0; i < 3; ++i) {
        static const uint32_t edges[3] = {0, 1, 3}, to[3] = {0, 3, 1};
        assert_int_equal(portals[i].edge, edges[i]);
        assert_int_equal(portals[i].to, to[i]);
    }
    assert_int_equal(nav_mesh_tile_count(mesh), 2);
    const nav_mesh_tile east = nav_mesh_tile_get(mesh, 1);
    assert_int_equal(east.x, 1);
    assert_int_equal(east.z, 0);
    assert_int_equal(east.polygon_first, 1);
    assert_int_equal(east.polygon_count, 3);
    nav_mesh_grid grid;
    nav_mesh_grid_get(mesh, &grid);
    assert_int_equal(grid.tile_cells, 4);
    assert_int_equal(grid.tiles_x, 2);
    assert_true(grid.cell_size == 1.0f && grid.agent_height == 2.0f);
    nav_mesh_release(mesh);
}

// A border with a corner in it: two edges of one polygon lie along it, and both meet one behind.
static void portals_of_edges_in_a_row_are_told_apart(void **state)
{
    (void)state;
    pair p;
    pair_init(&p);
    add(&p, 0, 0, 6, 0, 0); // polygon 0, whose border gets a corner at z = 4 below
    add(&p, 1, 1, 3, 0, 0); // 1
    add(&p, 1, 3, 6, 0, 0); // 2, before and behind the corner
    uint32_t *row = p.sides[0].polygons.polygon_vertices;
    uint32_t *neighbours = p.sides[0].polygons.polygon_neighbours;
    // A triangle with two corners on the border: (0,0,6) is left out.
    row[0] = builder_vertex(&p.sides[0], (const int32_t[3]){0, 0, 0});
    row[1] = builder_vertex(&p.sides[0], (const int32_t[3]){4, 0, 6});
    row[2] = builder_vertex(&p.sides[0], (const int32_t[3]){4, 0, 4});
    row[3] = builder_vertex(&p.sides[0], (const int32_t[3]){4, 0, 0});
    neighbours[0] = NAV_NONE;
    neighbours[1] = neighbours[2] = NAV_EDGE_PORTAL | 2u;
    neighbours[3] = NAV_NONE;
    nav_mesh *mesh = pair_mesh(&p);
    nav_edge_portal portals[4];
    assert_int_equal(nav_mesh_edge_portals(mesh, 0, portals, 4), 3);
    static const uint32_t edges[3] = {1, 2, 2}, to[3] = {2, 2, 1};
    for (uint32_t i = 0; i < 3; ++i) {
        assert_int_equal(portals[i].edge, edges[i]);
        assert_int_equal(portals[i].to, to[i]);
    }
    nav_mesh_release(mesh);
}

static void touching_in_a_point_is_no_link(void **state)
{
    (void)state;
    pair p;
    pair_init(&p);
    add(&p, 0, 0, 3, 0, 0);
    add(&p, 1, 3, 6, 0, 0);
    nav_mesh *mesh = pair_mesh(&p);
    assert_int_equal(mesh->portal_count, 0);
    assert_int_equal(mesh->stats.components, 2);
    assert_int_equal(nav_mesh_polygon(mesh, 0).neighbours[2], NAV_NONE);
    nav_mesh_release(mesh);
}

static void storeys_are_kept_apart(void **state)
{
    (void)state;
    pair p;
    pair_init(&p);
    add(&p, 0, 0, 6, 0, 0); // 0
    add(&p, 0, 0, 6, 3, 3); // 1
    add(&p, 1, 0, 6, 1, 1); // 2: a step above 0
    add(&p, 1, 0, 6, 5, 5); // 3: out of the reach of 1
    nav_mesh *mesh = pair_mesh(&p);
    assert_int_equal(mesh->portal_count, 2);
    expect_portal(mesh, 0, 0, 2, 0, 6);
    expect_portal(mesh, 1, 2, 0, 6, 0);
    assert_int_equal(mesh->stats.components, 3);
    nav_mesh_release(mesh);
}

static void slopes_are_compared_where_they_overlap(void **state)
{
    (void)state;
    static const struct {
        int32_t z0, z1, y0, y1;
        bool linked;
    } rows[] = {
        {0, 6, 0, 6, true},   // the same slope
        {2, 4, 2, 4, true},   // a part of it
        {0, 6, 6, 0, true},   // crosses it
        {4, 6, 2, 4, false},  // parallel, 2 below
        {3, 6, 0, 3, false},  // 3 below
        {0, 2, 3, 3, true},   // comes up to 1 below its end
        {0, 1, 3, 3, false},  // the slope is 2 below at most
        {0, 6, 10, 16, false} // far above
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        pair p;
        pair_init(&p);
        add(&p, 0, 0, 6, 0, 6);
        add(&p, 1, rows[i].z0, rows[i].z1, rows[i].y0, rows[i].y1);
        nav_mesh *mesh = pair_mesh(&p);
        assert_int_equal(mesh->portal_count, rows[i].linked ? 2 : 0);
        nav_mesh_release(mesh);
    }
}

static void a_path_leads_straight_over_the_border(void **state)
{
    (void)state;
    pair p;
    pair_init(&p);
    add(&p, 0, 0, 2, 0, 0);
    add(&p, 0, 2, 6, 0, 0);
    add(&p, 1, 0, 3, 0, 0);
    add(&p, 1, 3, 6, 0, 0);
    nav_mesh *mesh = pair_mesh(&p);
    nav_scratch *scratch = NULL;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    nav_path_request request = {
        .start = {1, 0, 1}, .end = {7, 0, 5}, .options.snap = nav_snap_default()};
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    assert_int_equal(path.point_count, 2);
    assert_near(path.length, sqrt(52), 1e-5);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

// A start on the line of the first portal, as snapping to an edge gives, is no reason to turn.
static void a_path_from_a_border_does_not_go_astray(void **state)
{
    (void)state;
    pair p;
    pair_init(&p);
    add(&p, 0, 0, 6, 0, 0);
    add(&p, 1, 0, 3, 0, 0);
    add(&p, 1, 3, 6, 0, 0);
    nav_mesh *mesh = pair_mesh(&p);
    nav_scratch *scratch = NULL;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    for (int i = -1; i <= 1; ++i) {
        nav_path_request request = {.start = {4.0f + (float)i * 5e-7f, 0, 2},
                                    .end = {7, 0, 5},
                                    .options.snap = nav_snap_default()};
        nav_path path;
        assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
        assert_int_equal(path.status, NAV_PATH_COMPLETE);
        assert_near(path.length, sqrt(18), 1e-4);
    }
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

// With many edges on both sides each link has its twin, and none is missing.
static void links_go_both_ways_and_match_a_search_of_all_pairs(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (int round = 0; round < 50; ++round) {
        pair p;
        pair_init(&p);
        struct {
            int32_t z0, z1, y;
        } edges[2][12];
        for (int side = 0; side < 2; ++side) {
            for (int i = 0; i < 12; ++i) {
                int32_t z0 = (int32_t)(next_random(&random) % 40);
                edges[side][i].z0 = z0;
                edges[side][i].z1 = z0 + 1 + (int32_t)(next_random(&random) % 10);
                edges[side][i].y = (int32_t)(next_random(&random) % 4);
                add(&p, side, z0, edges[side][i].z1, edges[side][i].y, edges[side][i].y);
            }
        }
        nav_mesh *mesh = pair_mesh(&p);
        uint32_t expected = 0, found = 0;
        for (int a = 0; a < 12; ++a) {
            for (int b = 0; b < 12; ++b) {
                expected += edges[0][a].z0 < edges[1][b].z1 && edges[1][b].z0 < edges[0][a].z1 &&
                            abs(edges[0][a].y - edges[1][b].y) <= 1;
            }
        }
        for (uint32_t i = 0; i < mesh->portal_count; ++i) {
            const nav_portal *portal = &mesh->portals[i];
            if (portal->from < 12 && portal->to >= 12) {
                ++found;
                bool twin = false;
                for (uint32_t k = mesh->portal_first[portal->to];
                     k < mesh->portal_first[portal->to + 1]; ++k) {
                    twin |= mesh->portals[k].to == portal->from &&
                            mesh->portals[k].left[1] == portal->right[1] &&
                            mesh->portals[k].right[1] == portal->left[1];
                }
                assert_true(twin);
            }
        }
        assert_int_equal(found, expected);
        nav_mesh_release(mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edge_is_linked_to_all_that_it_overlaps_each_as_far_as_it_does),
        cmocka_unit_test(what_lies_over_each_other_at_a_border_is_bounded),
        cmocka_unit_test(all_of_a_mesh_counts_against_its_memory),
        cmocka_unit_test(edges_tell_the_polygons_behind_them_and_tiles_theirs),
        cmocka_unit_test(portals_of_edges_in_a_row_are_told_apart),
        cmocka_unit_test(touching_in_a_point_is_no_link),
        cmocka_unit_test(storeys_are_kept_apart),
        cmocka_unit_test(slopes_are_compared_where_they_overlap),
        cmocka_unit_test(a_path_leads_straight_over_the_border),
        cmocka_unit_test(a_path_from_a_border_does_not_go_astray),
        cmocka_unit_test(links_go_both_ways_and_match_a_search_of_all_pairs),
    };
    return cmocka_run_group_tests_name("mesh_links", tests, NULL, NULL);
}
