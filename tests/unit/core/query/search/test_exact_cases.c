// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_exact_cases.c: exact paths by hand: what is degenerate, what a budget leaves, and that
// nothing is allocated once the scratch is warm.

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
// clang-format on

#include "core/query/view/scratch.h"
#include "tests/unit/counting_allocator.h"
#include "tests/unit/mesh_builder.h"

#include <math.h>

static nav_scratch *new_scratch(void)
{
    nav_scratch *scratch = NULL;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    return scratch;
}

static nav_path_request question(double ax, double az, double bx, double bz)
{
    return (nav_path_request){.start = {(float)ax, 0, (float)az},
                              .end = {(float)bx, 0, (float)bz},
                              .options = nav_options_default(),
                              .search = NAV_SEARCH_EXACT};
}

static nav_path ask(const nav_mesh *mesh, nav_scratch *scratch, double ax, double az, double bx,
                    double bz)
{
    const nav_path_request request = question(ax, az, bx, bz);
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    return path;
}

// Both ways: complete, proven, and as long as it should be.
static void expect_cost(const nav_mesh *mesh, double ax, double az, double bx, double bz,
                        double cost)
{
    nav_scratch *scratch = new_scratch();
    for (int back = 0; back < 2; ++back) {
        nav_path path =
            back ? ask(mesh, scratch, bx, bz, ax, az) : ask(mesh, scratch, ax, az, bx, bz);
        assert_int_equal(path.status, NAV_PATH_COMPLETE);
        assert_true(path.optimal);
        assert_near(path.cost, cost, 1e-5);
        assert_near(path.lower_bound, path.cost, 1e-6 * path.cost);
        const float *end = path.points + 3 * (path.point_count - 1);
        assert_near(end[0], back ? ax : bx, 1e-5);
        assert_near(end[2], back ? az : bz, 1e-5);
    }
    nav_scratch_destroy(scratch);
}

static void start_is_end(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("../..");
    nav_scratch *scratch = new_scratch();
    static const double places[][2] = {{0.5, 0.5}, {1, 1}, {0, 0}, {1, 0.5}, {2, 2}};
    for (int i = 0; i < 5; ++i) {
        nav_path path = ask(mesh, scratch, places[i][0], places[i][1], places[i][0], places[i][1]);
        assert_int_equal(path.status, NAV_PATH_COMPLETE);
        assert_int_equal(path.point_count, 1);
        assert_true(path.cost == 0.0);
        assert_true(path.optimal);
    }
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

// A wall with its tip at 2, 2.
static void ends_on_edges_and_vertices(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh(".#../.#../....");
    expect_cost(mesh, 1, 0.5, 2, 0.5, 1.5 + 1 + 1.5); // on the walls
    expect_cost(mesh, 1, 1, 2, 1, 1 + 1 + 1);         // vertices, in line with the tips
    expect_cost(mesh, 1, 2, 2, 2, 1);                 // the tips themselves
    expect_cost(mesh, 0.5, 1, 3, 1, sqrt(0.25 + 1) + 1 + sqrt(2)); // on portals
    expect_cost(mesh, 0, 0, 4, 0, sqrt(5) + 1 + sqrt(8));          // corners of the world
    expect_cost(mesh, 2, 0, 2, 3, 3);                              // along a wall and past its end
    expect_cost(mesh, 3, 0, 3, 3, 3);                              // along portals
    expect_cost(mesh, 0, 2, 4, 2, 4);                              // the same, past both tips
    nav_mesh_release(mesh);
}

static void both_in_one_polygon(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    builder_rectangle(&b, 0, 0, 10, 10, 0);
    nav_mesh *mesh = builder_mesh(&b);
    builder_free(&b);
    expect_cost(mesh, 1, 1, 9, 7, 10);
    expect_cost(mesh, 0, 0, 10, 0, 10);
    expect_cost(mesh, 0, 0, 10, 10, sqrt(200));
    nav_mesh_release(mesh);
}

// One long edge against many short ones, with walls between: portals in one line, vertices within
// an edge, as on the border of a tile.
static nav_mesh *comb(void)
{
    builder b;
    builder_init(&b);
    builder_polygon(&b, 4, (const int32_t[][3]){{0, 0, 0}, {0, 0, 2}, {4, 0, 2}, {4, 0, 0}});
    builder_polygon(&b, 4, (const int32_t[][3]){{4, 0, 0}, {4, 0, 2}, {8, 0, 2}, {8, 0, 0}});
    builder_rectangle(&b, 0, 2, 4, 5, 0);
    builder_rectangle(&b, 4, 2, 8, 5, 0);
    // Not linked to each other over x = 4 but at the back: neighbours are found by shared edges.
    b.polygons.polygon_neighbours[2 * BUILDER_ROW + 2] = NAV_NONE;
    b.polygons.polygon_neighbours[3 * BUILDER_ROW + 0] = NAV_NONE;
    nav_mesh *mesh = builder_mesh(&b);
    builder_free(&b);
    return mesh;
}

static void wall_without_width(void **state)
{
    (void)state;
    nav_mesh *mesh = comb();
    nav_scratch *scratch = new_scratch();
    // Around the tip of the wall, straight back on its other side; which side of the wall a place
    // on it belongs to is the snapping's choice, so the ends stand off it.
    expect_cost(mesh, 3.75, 4, 4.25, 4, 2 * sqrt(4 + 0.0625));
    expect_cost(mesh, 1, 2, 7, 2, 6); // along portals in one line, touching the tip
    nav_path path = ask(mesh, scratch, 3.75, 4, 4.25, 4);
    assert_int_equal(path.point_count, 3);
    assert_near(path.points[3], 4, 1e-6);
    assert_near(path.points[5], 2, 1e-6);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

// Corners of the walkable space in one line: each is touched, none is a detour.
static void corners_in_line(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("......../.#.#.#.#/......../#.#.#.#./........");
    expect_cost(mesh, 0.5, 1, 7.5, 1, 7);
    expect_cost(mesh, 0.5, 2, 7.5, 2, 7);
    nav_mesh_release(mesh);
}

// Two rooms touch in a corner only: nobody gets through.
static void corner_is_no_passage(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh(".#/#.");
    nav_scratch *scratch = new_scratch();
    nav_path path = ask(mesh, scratch, 0.5, 0.5, 1.5, 1.5);
    assert_int_equal(path.status, NAV_PATH_PARTIAL);
    assert_int_equal(path.reason, NAV_REASON_UNREACHABLE);
    assert_false(path.optimal);
    nav_mesh_release(mesh);
    // With a way around, the corner is two turning vertices.
    mesh = map_mesh(".#./#../...");
    path = ask(mesh, scratch, 1.5, 1.5, 0.5, 0.5);
    assert_int_equal(path.status, NAV_PATH_PARTIAL);
    nav_mesh_release(mesh);
    mesh = map_mesh("..#/.#./...");
    path = ask(mesh, scratch, 1.5, 0.5, 2.5, 1.5);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    assert_near(path.cost, sqrt(0.5) + 1 + 1 + sqrt(0.5), 1e-5);
    assert_true(path.optimal);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

// The corridor over fewest steps is not the shortest way.
static const char ROOMS[] =
    "............/.####.####../.#.......#../.#.###.##.../...#.....#../......#.....";

static void budgets_leave_true_bounds(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh(ROOMS);
    nav_scratch *scratch = new_scratch();
    const nav_path proven = ask(mesh, scratch, 2.5, 2.5, 11.5, 5.5);
    assert_true(proven.optimal);
    bool early = false, late = false;
    for (uint32_t max_nodes = 1; max_nodes < 200; ++max_nodes) {
        nav_path_request request = question(2.5, 2.5, 11.5, 5.5);
        request.max_nodes = max_nodes;
        nav_path path;
        assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
        assert_true(path.lower_bound <= proven.cost * (1 + 1e-6));
        assert_true(path.nodes_expanded <= max_nodes);
        assert_true(!path.optimal || path.cost <= proven.cost * (1 + 1e-6));
        assert_true(path.status == NAV_PATH_PARTIAL || path.cost >= proven.cost * (1 - 1e-6));
        early = early || path.status == NAV_PATH_PARTIAL;
        late = late || path.optimal;
    }
    assert_true(early);
    assert_true(late);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

// Ground that costs 3 everywhere is 3 times as dear; ground of several costs is not searched
// exactly.
static void costs_scale_or_are_mixed(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("..#../..#../.....");
    nav_scratch *scratch = new_scratch();
    const double plain = ask(mesh, scratch, 0.5, 0.5, 4.5, 0.5).cost;
    nav_filter filter = {0};
    filter.area_costs[NAV_AREA_GROUND] = 3;
    nav_path_request request = question(0.5, 0.5, 4.5, 0.5);
    request.options.filter = &filter;
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_true(path.optimal);
    assert_near(path.cost, 3 * plain, 1e-5);
    nav_mesh_release(mesh);
    mesh = map_mesh("..#../.2#../.....");
    filter.area_costs[NAV_AREA_GROUND] = 1;
    filter.area_costs[2] = 1.5f;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    assert_false(path.optimal);
    assert_true(path.lower_bound <= path.cost);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

static void nothing_is_allocated_once_warm(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh(ROOMS);
    counting counted = {.calls_max = 1000};
    const nav_allocator allocator = counting_allocator(&counted);
    nav_scratch *scratch = NULL;
    assert_int_equal(nav_scratch_create(&allocator, &scratch), NAV_OK);
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < 60; ++i) {
            ask(mesh, scratch, 0.5 + i % 12, 0.5, 11.5 - (i * 5) % 12, 5.5);
        }
        counted.calls_max = round == 0 ? counted.calls : counted.calls_max;
    }
    assert_int_equal(counted.calls, counted.calls_max);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

// Where memory for the exact search cannot be had the fast answer stands, and nothing is claimed.
static void no_memory_keeps_the_fast_answer(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh(ROOMS);
    bool proven = false;
    for (uint32_t calls = 2; !proven; ++calls) {
        counting counted = {.calls_max = calls};
        const nav_allocator allocator = counting_allocator(&counted);
        nav_scratch *scratch = NULL;
        assert_int_equal(nav_scratch_create(&allocator, &scratch), NAV_OK);
        const nav_path_request request = question(2.5, 2.5, 11.5, 5.5);
        nav_path path;
        nav_status status = nav_query_path(mesh, scratch, &request, &path);
        assert_true(status == NAV_OK || status == NAV_NO_MEMORY);
        if (status == NAV_OK) {
            assert_int_equal(path.status, NAV_PATH_COMPLETE);
            assert_true(path.lower_bound <= path.cost);
            proven = path.optimal;
        }
        nav_scratch_destroy(scratch);
        assert_true(calls < 20);
    }
    nav_mesh_release(mesh);
}

// Where nearly all portals are bridges the fast way is mostly the only one, and proves itself; else
// it is searched for anything shorter. Both give what the search alone does.
static void paths_over_bridges(void **state)
{
    (void)state;
    static const struct {
        const char *map;
        bool bridges;
        double width;
    } maps[] = {
        {".........../#.#.#.#.#.#/#.#.#.#.#.#/...#.#...#./#.#.#.#.#.#/#.#.#.#.#.#", true, 11.0},
        {"....................................../.#.##############################.#.#/"
         "...##############################..#.",
         true, 38.0},
        {"....../.#..#./......", false, 6.0},
    };
    for (int m = 0; m < 3; ++m) {
        nav_mesh *mesh = map_mesh(maps[m].map);
        nav_scratch *scratch = new_scratch();
        assert_int_equal(mesh->is_mostly_bridges, maps[m].bridges);
        uint32_t seed = 7, complete = 0;
        for (int i = 0; i < 400; ++i) {
            double ends[4];
            for (int k = 0; k < 4; ++k) {
                seed = seed * 1664525u + 1013904223u;
                ends[k] = (double)(seed >> 8) / (1 << 24) * (k % 2 == 0 ? maps[m].width : 6.0);
            }
            mesh->is_mostly_bridges = maps[m].bridges;
            const nav_path one = ask(mesh, scratch, ends[0], ends[1], ends[2], ends[3]);
            mesh->is_mostly_bridges = false;
            const nav_path two = ask(mesh, scratch, ends[0], ends[1], ends[2], ends[3]);
            assert_int_equal(one.status, two.status);
            assert_int_equal(one.optimal, two.optimal);
            if (one.status == NAV_PATH_COMPLETE) {
                assert_near(one.cost, two.cost, 1e-6 * two.cost);
                assert_near(one.lower_bound, two.lower_bound, 2e-6 * two.cost);
                complete += one.point_count > 2;
            }
        }
        assert_true(complete > 50);
        nav_scratch_destroy(scratch);
        nav_mesh_release(mesh);
    }
}

// Two polygons that meet in two portals: neither is a bridge, and the string through one of them
// not the shortest way.
static void twins_are_no_bridges(void **state)
{
    (void)state;
    static const int32_t corners[][4][3] = {{{0, 0, 1}, {2, 0, 2}, {2, 0, 1}, {2, 0, 0}},
                                            {{2, 0, 0}, {2, 0, 1}, {2, 0, 2}, {4, 0, 1}},
                                            {{4, 0, 1}, {2, 0, 2}, {4, 0, 3}}};
    builder b;
    builder_init(&b);
    builder_polygon(&b, 4, corners[0]);
    builder_polygon(&b, 4, corners[1]);
    builder_polygon(&b, 3, corners[2]);
    builder_rectangle(&b, 4, 1, 6, 3, 0);
    builder_rectangle(&b, 6, 1, 8, 3, 0);
    const nav_blob tile = builder_blob(&b);
    nav_mesh *mesh = NULL;
    assert_int_equal(nav_mesh_create(&tile, 1, NULL, NULL, &mesh, NULL, NULL), NAV_OK);
    assert_int_equal(mesh->edge_portal_count, 10);
    assert_false(mesh->is_mostly_bridges);
    expect_cost(mesh, 1.9, 0.2, 2.1, 0.2, 0.2);
    expect_cost(mesh, 1.9, 1.8, 2.1, 1.8, 0.2);
    expect_cost(mesh, 1.5, 1.2, 3.0, 0.7, hypot(1.5, 0.5));
    nav_mesh_release(mesh);
    builder_free(&b);
}

#define DISC_RADIUS 20000.0
#define DISC_MIDDLE (2.0 * DISC_RADIUS)

static void on_disc(double degrees, double radius, double out[2])
{
    out[0] = DISC_MIDDLE + radius * cos(degrees * (3.14159265358979 / 180.0));
    out[1] = DISC_MIDDLE + radius * sin(degrees * (3.14159265358979 / 180.0));
}

// A part of a disc, in slices around its middle, and a ring around it, so that no portal is the
// only way.
static nav_mesh *disc(double degrees, int slices)
{
    builder b;
    builder_init(&b);
    const int32_t middle = (int32_t)DISC_MIDDLE;
    double at[2][2][2]; // of two angles, inside and outside
    on_disc(90.0, DISC_RADIUS, at[1][0]);
    on_disc(90.0, 2.0 * DISC_RADIUS, at[1][1]);
    for (int i = 1; i <= slices; ++i) {
        int32_t ring[4][3] = {{0}};
        memcpy(at[0], at[1], sizeof at[0]);
        on_disc(90.0 - degrees * i / slices, DISC_RADIUS, at[1][0]);
        on_disc(90.0 - degrees * i / slices, 2.0 * DISC_RADIUS, at[1][1]);
        for (int k = 0; k < 4; ++k) {
            const double *corner = at[k / 2][k == 1 || k == 2];
            ring[k][0] = (int32_t)corner[0];
            ring[k][2] = (int32_t)corner[1];
        }
        const int32_t slice[3][3] = {
            {middle, 0, middle}, {ring[0][0], 0, ring[0][2]}, {ring[3][0], 0, ring[3][2]}};
        builder_polygon(&b, 3, slice);
        builder_polygon(&b, 4, (const int32_t(*)[3])ring);
    }
    nav_mesh *mesh = builder_mesh(&b);
    builder_free(&b);
    return mesh;
}

// How many portals end in the disc's middle, and at how many of them a path may turn there.
static uint32_t count_middle(const nav_mesh *mesh, uint32_t *turning)
{
    uint32_t count = 0;
    *turning = 0;
    for (uint32_t i = 0; i < mesh->edge_portal_count; ++i) {
        const float *ends[2] = {mesh->portals[i].left, mesh->portals[i].right};
        for (int k = 0; k < 2; ++k) {
            if ((double)ends[k][0] == DISC_MIDDLE && (double)ends[k][1] == DISC_MIDDLE) {
                ++count;
                *turning += (mesh->portal_turning_vertices[i][k] & NAV_TURNING_POSSIBLE) != 0;
            }
        }
    }
    return count;
}

// In more slices than a double could hold the product of the lengths of: where they come to more
// than half a turn, and only there, the way from one end to the other turns in the middle.
static void a_corner_of_many_slices(void **state)
{
    (void)state;
    static const double degrees[] = {100.0, 150.0, 170.0, 190.0, 200.0, 230.0, 270.0, 330.0};
    nav_scratch *scratch = new_scratch();
    for (size_t i = 0; i < sizeof degrees / sizeof degrees[0]; ++i) {
        nav_mesh *mesh = disc(degrees[i], 120);
        const bool turns = degrees[i] > 180.0;
        uint32_t turning;
        assert_int_equal(count_middle(mesh, &turning), 2 * 119);
        assert_int_equal(turning, turns ? 2 * 119 : 0);
        double from[2], to[2];
        on_disc(89.5, 9000.0, from);
        on_disc(90.5 - degrees[i], 9000.0, to);
        const nav_path path = ask(mesh, scratch, from[0], from[1], to[0], to[1]);
        assert_int_equal(path.status, NAV_PATH_COMPLETE);
        assert_true(path.optimal);
        assert_int_equal(path.point_count, turns ? 3 : 2);
        nav_mesh_release(mesh);
    }
    nav_scratch_destroy(scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(start_is_end),
        cmocka_unit_test(ends_on_edges_and_vertices),
        cmocka_unit_test(both_in_one_polygon),
        cmocka_unit_test(wall_without_width),
        cmocka_unit_test(corners_in_line),
        cmocka_unit_test(corner_is_no_passage),
        cmocka_unit_test(budgets_leave_true_bounds),
        cmocka_unit_test(costs_scale_or_are_mixed),
        cmocka_unit_test(nothing_is_allocated_once_warm),
        cmocka_unit_test(no_memory_keeps_the_fast_answer),
        cmocka_unit_test(paths_over_bridges),
        cmocka_unit_test(twins_are_no_bridges),
        cmocka_unit_test(a_corner_of_many_slices),
    };
    return cmocka_run_group_tests_name("query_exact_cases", tests, NULL, NULL);
}
