// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// A path leads to the goal where there is a way, keeps to the mesh, is never longer than a walk
// from cell to cell, and otherwise says why it stops.

#include "tests/unit/mesh_builder.h"
#include "tests/unit/scratch_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static const nav_snap SNAP = {.horizontal = 2.0f, .up = 4.0f, .down = 4.0f};

static nav_path ask(const nav_mesh *mesh, float ax, float az, float bx, float bz)
{
    const nav_path_request request = {.start = {ax, 0.0f, az},
                                      .end = {bx, 0.0f, bz},
                                      .options.snap = SNAP,
                                      .search = NAV_SEARCH_FAST};
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    return path;
}

static void expect_points(const nav_path *path, uint32_t count, const float (*points)[2])
{
    assert_int_equal(path->point_count, count);
    for (uint32_t i = 0; i < count; ++i) {
        assert_near(path->points[3 * i], points[i][0], 1e-5);
        assert_near(path->points[3 * i + 2], points[i][1], 1e-5);
    }
}

static void straight_line_is_proven_optimal(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("...../...../.....");
    nav_path path = ask(mesh, 0.25f, 0.5f, 4.5f, 2.25f);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    assert_int_equal(path.reason, NAV_REASON_NULL);
    expect_points(&path, 2, (const float[][2]){{0.25f, 0.5f}, {4.5f, 2.25f}});
    assert_true(path.optimal);
    assert_near(path.cost, sqrt(4.25 * 4.25 + 1.75 * 1.75), 1e-9);
    assert_near(path.lower_bound, path.cost, 1e-9);
    nav_mesh_release(mesh);
}

static void one_corner_bends_at_the_wall(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("..#/..#/...");
    nav_path path = ask(mesh, 1.5f, 0.5f, 2.5f, 2.5f);
    expect_points(&path, 3, (const float[][2]){{1.5f, 0.5f}, {2.0f, 2.0f}, {2.5f, 2.5f}});
    assert_false(path.optimal);
    double straight = sqrt(1.0 + 4.0);
    assert_near(path.lower_bound, straight, 1e-9);
    assert_near(path.cost, sqrt(0.25 + 2.25) + sqrt(0.5), 1e-6);
    nav_mesh_release(mesh);
}

static void u_shaped_wall_is_walked_around(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("......./.#####./.....#./.#####./.......");
    nav_path path = ask(mesh, 4.5f, 2.5f, 6.5f, 2.5f);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    // Out of the trap to the left, around one of its arms, and back on the other side.
    assert_int_equal(path.point_count, 5);
    assert_near(path.points[3], 1.0, 1e-5);
    assert_near(path.points[6], 1.0, 1e-5);
    assert_near(path.points[9], 6.0, 1e-5);
    assert_near(path.cost, sqrt(12.5) + 1.0 + 5.0 + sqrt(2.5), 1e-6);
    nav_mesh_release(mesh);
}

// Starts and ends on vertices and edges belong to several polygons; the line must not care.
static void borders_between_polygons_do_not_matter(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("..../..../..../....");
    static const float pairs[][4] = {
        {1, 1, 3, 3}, {0, 0, 4, 4},    {1, 1, 3, 2}, {2, 0.5f, 2, 3.5f}, {0, 2, 4, 2},
        {4, 4, 0, 0}, {1, 1.5f, 3, 1}, {2, 2, 2, 3}, {3, 0, 0, 3},       {2, 1, 1, 2}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i) {
        const float *p = pairs[i];
        nav_path path = ask(mesh, p[0], p[1], p[2], p[3]);
        assert_int_equal(path.status, NAV_PATH_COMPLETE);
        assert_true(path.optimal);
        assert_near(path.cost, hypot((double)p[2] - (double)p[0], (double)p[3] - (double)p[1]),
                    1e-6);
    }
    nav_mesh_release(mesh);
}

static void same_polygon_and_same_point(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh(".");
    nav_path path = ask(mesh, 0.25f, 0.25f, 0.75f, 0.25f);
    assert_int_equal(path.point_count, 2);
    assert_near(path.length, 0.5, 1e-9);
    assert_int_equal(path.nodes_expanded, 0);
    path = ask(mesh, 0.5f, 0.5f, 0.5f, 0.5f);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    assert_int_equal(path.point_count, 1);
    assert_true(path.length == 0.0);
    assert_true(path.optimal);
    nav_mesh_release(mesh);
}

static void unreachable_goal_leads_to_the_closest_spot(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("...##../...##../...##..");
    nav_path path = ask(mesh, 0.5f, 0.5f, 6.5f, 2.25f);
    assert_int_equal(path.status, NAV_PATH_PARTIAL);
    assert_int_equal(path.reason, NAV_REASON_UNREACHABLE);
    expect_points(&path, 2, (const float[][2]){{0.5f, 0.5f}, {3.0f, 2.25f}});
    assert_false(path.optimal);
    assert_near(path.lower_bound, hypot(6.0, 1.75), 1e-6);
    assert_near(path.end[0], 6.5f, 1e-6);
    nav_mesh_release(mesh);
}

static void ends_off_the_mesh_are_named(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("...");
    nav_path path = ask(mesh, 9.0f, 0.5f, 1.5f, 0.5f);
    assert_int_equal(path.status, NAV_PATH_NONE);
    assert_int_equal(path.reason, NAV_REASON_START_OFF_MESH);
    assert_int_equal(path.point_count, 0);
    assert_near(path.start[0], 9.0f, 0.0);
    path = ask(mesh, 1.5f, 0.5f, -9.0f, 0.5f);
    assert_int_equal(path.reason, NAV_REASON_END_OFF_MESH);
    nav_path_request request = {
        .start = {1.5f, 9.0f, 0.5f}, .end = {0.5f, 0, 0.5f}, .options.snap = SNAP};
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.reason, NAV_REASON_START_OFF_MESH); // in mid-air
    request.start[1] = NAN;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.reason, NAV_REASON_START_OFF_MESH);
    nav_mesh_release(mesh);
}

static void budget_ends_the_search_early(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("..........");
    nav_path_request request = {
        .start = {0.5f, 0, 0.5f}, .end = {9.5f, 0, 0.5f}, .options.snap = SNAP, .max_nodes = 3};
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.status, NAV_PATH_PARTIAL);
    assert_int_equal(path.reason, NAV_REASON_NODE_BUDGET);
    assert_int_equal(path.nodes_expanded, 3);
    // The polygon that was to come next has been seen: the way leads to its border.
    expect_points(&path, 2, (const float[][2]){{0.5f, 0.5f}, {4.0f, 0.5f}});
    assert_near(path.lower_bound, 9.0, 1e-6);
    request.no_partial = true;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.status, NAV_PATH_NONE);
    assert_int_equal(path.reason, NAV_REASON_NODE_BUDGET);
    assert_int_equal(path.nodes_expanded, 3);
    assert_int_equal(path.point_count, 0);
    assert_near(path.lower_bound, 9.0, 1e-6);
    request.max_nodes = 8; // the goal's own polygon is not expanded
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    nav_mesh_release(mesh);
}

// A ramp joins two floors; heights choose the floor, the line follows the ramp.
static nav_mesh *two_storeys(void)
{
    builder b;
    builder_init(&b);
    builder_rectangle(&b, 0, 0, 4, 4, 0);
    builder_polygon(&b, 4, (const int32_t[][3]){{4, 0, 0}, {4, 0, 4}, {8, 5, 4}, {8, 5, 0}});
    builder_rectangle(&b, 8, 0, 12, 4, 5);
    builder_polygon(&b, 4, (const int32_t[][3]){{8, 5, 4}, {8, 5, 8}, {12, 5, 8}, {12, 5, 4}});
    builder_rectangle(&b, 0, 4, 4, 8, 5);
    builder_rectangle(&b, 4, 4, 8, 8, 5);
    builder_rectangle(&b, 0, 0, 4, 4, 5); // above the first floor
    nav_mesh *mesh = builder_mesh(&b);
    builder_free(&b);
    return mesh;
}

static void snapping_chooses_the_storey(void **state)
{
    (void)state;
    nav_mesh *mesh = two_storeys();
    nav_path_request request = {
        .start = {1, 1, 1}, .end = {1.0f, 4.6f, 1.0f}, .options.snap = SNAP};
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    assert_near(path.start[1], 0.0f, 1e-6);
    assert_near(path.end[1], 5.0f, 1e-6);
    assert_true(path.cost > 14.0);        // up the ramp and back
    assert_true(path.length > path.cost); // the ramp is steeper than its plan
    assert_true(path.optimal);
    request.search = NAV_SEARCH_FAST;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_true(path.lower_bound == 0.0); // one above the other
    assert_false(path.optimal);
    nav_mesh_release(mesh);
}

// The portals on the way through row 3 are first reached over a dearer one. Without moving them to
// the cheaper way that turns up later, the path takes the upper rows and costs 4.828.
static void cheaper_way_replaces_the_first(void **state)
{
    (void)state;
    nav_mesh *mesh = map_mesh("...../.##../..#../.....");
    nav_path path = ask(mesh, 0.5f, 2.5f, 4.5f, 1.5f);
    expect_points(&path, 4, (const float[][2]){{0.5f, 2.5f}, {2, 3}, {3, 3}, {4.5f, 1.5f}});
    assert_near(path.cost, sqrt(2.5) + 1.0 + sqrt(4.5), 1e-6);
    nav_mesh_release(mesh);
}

// ---- properties on random maps ----

#define SIDE 30

typedef struct map {
    char cells[SIDE][SIDE];
    char text[SIDE * (SIDE + 1)];
} map;

static void make_map(map *m, uint64_t *seed, uint32_t walls_percent)
{
    for (int z = 0; z < SIDE; ++z) {
        for (int x = 0; x < SIDE; ++x) {
            m->cells[z][x] = next_random(seed) % 100 < walls_percent ? '#' : '.';
        }
        memcpy(m->text + z * (SIDE + 1), m->cells[z], SIDE);
        m->text[z * (SIDE + 1) + SIDE] = z + 1 < SIDE ? '/' : '\0';
    }
}

static bool is_free(const map *m, int x, int z)
{
    return x >= 0 && z >= 0 && x < SIDE && z < SIDE && m->cells[z][x] != '#';
}

// Cost of the cheapest walk from cell centre to cell centre in eight directions, diagonals only
// between free cells. Bellman-Ford: slow, and too simple to be wrong. Infinite: no way.
static void walk_costs(const map *m, int x, int z, double out[SIDE][SIDE])
{
    for (int i = 0; i < SIDE * SIDE; ++i) {
        out[i / SIDE][i % SIDE] = HUGE_VAL;
    }
    out[z][x] = 0.0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < SIDE * SIDE * 9; ++i) {
            int cx = i / 9 % SIDE, cz = i / 9 / SIDE, dx = i % 3 - 1, dz = i / 3 % 3 - 1;
            if (out[cz][cx] == HUGE_VAL || !is_free(m, cx + dx, cz + dz) ||
                !is_free(m, cx + dx, cz) || !is_free(m, cx, cz + dz)) {
                continue;
            }
            double cost = out[cz][cx] + sqrt((double)(dx * dx + dz * dz));
            if (cost < out[cz + dz][cx + dx] - 1e-9) {
                out[cz + dz][cx + dx] = cost;
                changed = true;
            }
        }
    }
}

// Every sampled place lies in a free cell or on the border of one.
static void expect_inside(const map *m, const nav_path *path)
{
    for (uint32_t i = 0; i + 1 < path->point_count; ++i) {
        const float *a = path->points + 3 * i;
        for (int k = 0; k <= 40; ++k) {
            double t = k / 40.0;
            double x = (double)a[0] + ((double)a[3] - (double)a[0]) * t;
            double z = (double)a[2] + ((double)a[5] - (double)a[2]) * t;
            bool inside = false;
            for (int side = 0; side < 4; ++side) {
                double near_x = x + (side & 1 ? 1e-4 : -1e-4);
                double near_z = z + (side & 2 ? 1e-4 : -1e-4);
                inside = inside || is_free(m, (int)floor(near_x), (int)floor(near_z));
            }
            assert_true(inside);
        }
    }
}

static void check_pair(const map *m, const nav_mesh *mesh, const int c[4], uint32_t *complete)
{
    static double walk[SIDE][SIDE];
    walk_costs(m, c[0], c[1], walk);
    const double walked = walk[c[3]][c[2]];
    nav_path path =
        ask(mesh, (float)c[0] + 0.5f, (float)c[1] + 0.5f, (float)c[2] + 0.5f, (float)c[3] + 0.5f);
    assert_int_equal(path.status, isfinite(walked) ? NAV_PATH_COMPLETE : NAV_PATH_PARTIAL);
    assert_int_equal(path.reason, isfinite(walked) ? NAV_REASON_NULL : NAV_REASON_UNREACHABLE);
    expect_inside(m, &path);
    if (path.status == NAV_PATH_COMPLETE) {
        ++*complete;
        const double straight = hypot(c[2] - c[0], c[3] - c[1]);
        assert_true(path.cost >= straight - 1e-6);
        assert_true(path.cost <= walked * 1.001 + 1e-6);
        assert_near(path.lower_bound, straight, 1e-5);
        assert_int_equal(path.optimal, path.cost <= straight * (1.0 + 1e-6));
    }
}

static void random_maps_hold_the_properties(void **state)
{
    (void)state;
    uint64_t seed = 7;
    uint32_t complete = 0;
    for (uint32_t round = 0; round < 40; ++round) {
        map m;
        make_map(&m, &seed, 10 + round % 4 * 10);
        nav_mesh *mesh = map_mesh(m.text);
        for (int pair = 0; pair < 50; ++pair) {
            int c[4];
            do {
                for (int i = 0; i < 4; ++i) {
                    c[i] = (int)(next_random(&seed) % SIDE);
                }
            } while (!is_free(&m, c[0], c[1]) || !is_free(&m, c[2], c[3]));
            check_pair(&m, mesh, c, &complete);
        }
        nav_mesh_release(mesh);
    }
    assert_in_range(complete, 1000, 1900); // both verdicts have been met often
}

// A link leads down into a corridor that the search has run through from its far end.
static void a_link_into_a_corridor_is_a_short_cut(void **state)
{
    (void)state;
    const nav_link link = {
        .start = {0.5f, 0, 1.5f}, .end = {3.5f, 0, 2.5f}, .radius = 0.2f, .area = NAV_AREA_GROUND};
    nav_config config = nav_config_default();
    config.links = &link;
    config.link_count = 1;
    nav_mesh *mesh = map_mesh_with(".........../.#########./#..........", &config, NULL);
    nav_path_request request = {.start = {0.5f, 0, 0.5f},
                                .end = {1.5f, 0, 2.5f},
                                .options.snap = SNAP,
                                .search = NAV_SEARCH_FAST};
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    assert_near(path.cost, 1.0 + hypot(3.0, 1.0) + 2.0, 1e-4);
    nav_mesh_release(mesh);
}

// The way enters a wide polygon from beside: the far end of the way out of it is seen, but the way
// bends towards the near one, behind the corner. Around below it is longer.
static void a_way_out_behind_a_corner_is_seen_from_there(void **state)
{
    (void)state;
    static const int32_t POLYGONS[][4][3] = {
        {{59, 0, 11}, {48, 0, 12}, {48, 0, 15}, {0}},
        {{59, 0, 11}, {48, 0, 15}, {44, 0, 18}, {44, 0, 32}},
        {{44, 0, 32}, {44, 0, 18}, {37, 0, 17}, {32, 0, 25}},
        {{48, 0, 12}, {59, 0, 11}, {48, 0, 11}, {0}},
        {{48, 0, 11}, {59, 0, 11}, {59, 0, 4}, {48, 0, 4}},
        {{48, 0, 11}, {48, 0, 4}, {44, 0, 4}, {44, 0, 11}},
        {{44, 0, 11}, {44, 0, 4}, {37, 0, 4}, {37, 0, 11}},
        {{37, 0, 17}, {44, 0, 18}, {44, 0, 11}, {37, 0, 11}},
    };
    builder b;
    builder_init(&b);
    for (size_t i = 0; i < sizeof POLYGONS / sizeof POLYGONS[0]; ++i) {
        builder_polygon(&b, POLYGONS[i][3][0] > 0 ? 4 : 3, POLYGONS[i]);
    }
    nav_mesh *mesh = builder_mesh(&b);
    builder_free(&b);
    const nav_path path = ask(mesh, 49.0f, 12.4f, 38.0f, 18.0f);
    expect_points(&path, 4, (const float[][2]){{49.0f, 12.4f}, {48, 15}, {44, 18}, {38, 18}});
    nav_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_way_out_behind_a_corner_is_seen_from_there),
        cmocka_unit_test(a_link_into_a_corridor_is_a_short_cut),
        cmocka_unit_test(straight_line_is_proven_optimal),
        cmocka_unit_test(one_corner_bends_at_the_wall),
        cmocka_unit_test(u_shaped_wall_is_walked_around),
        cmocka_unit_test(borders_between_polygons_do_not_matter),
        cmocka_unit_test(same_polygon_and_same_point),
        cmocka_unit_test(unreachable_goal_leads_to_the_closest_spot),
        cmocka_unit_test(ends_off_the_mesh_are_named),
        cmocka_unit_test(budget_ends_the_search_early),
        cmocka_unit_test(snapping_chooses_the_storey),
        cmocka_unit_test(cheaper_way_replaces_the_first),
        cmocka_unit_test(random_maps_hold_the_properties),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
