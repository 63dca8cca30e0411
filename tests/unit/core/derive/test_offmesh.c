// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// A link that lands on the mesh is a way like any other: crossed where it pays, in its direction,
// between any two places; and what it leads to is known before any search. One that does not land
// is named with its distance.

#include "tests/unit/mesh_builder.h"
#include "tests/unit/scratch_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

// Room for a config with links.
typedef struct linked {
    nav_area areas[4]; // all cost 1, but for area 3, which costs a tenth
    nav_link links[64];
    nav_config config;
} linked;

static void linked_init(linked *l)
{
    memset(l, 0, sizeof *l);
    for (int i = 0; i < 4; ++i) {
        l->areas[i].cost = i == 3 ? 0.1f : 1.0f;
    }
    l->config = nav_config_default();
    l->config.areas = l->areas;
    l->config.area_count = 4;
    l->config.links = l->links;
}

static nav_link *add_link(linked *l, float ax, float az, float bx, float bz, bool bidirectional)
{
    nav_link *link = &l->links[l->config.link_count++];
    *link = (nav_link){.start = {ax, 0.0f, az},
                       .end = {bx, 0.0f, bz},
                       .radius = 0.25f,
                       .bidirectional = bidirectional,
                       .area = NAV_AREA_GROUND};
    return link;
}

static nav_path ask(const nav_mesh *mesh, float ax, float az, float bx, float bz)
{
    const nav_path_request request = {
        .start = {ax, 0.0f, az},
        .end = {bx, 0.0f, bz},
        .options.snap = {.horizontal = 0.6f, .up = 4.0f, .down = 4.0f}};
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

static uint32_t components_of(const nav_mesh *mesh)
{
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    return stats.components;
}

// Two islands, three wide, with a gap of four.
static const char ISLANDS[] = "...####.../...####.../...####...";

static void two_way_link_joins_islands(void **state)
{
    (void)state;
    linked l;
    linked_init(&l);
    memcpy(add_link(&l, 2.5f, 1.5f, 7.5f, 1.5f, true)->id, "bridge", 7);
    l.links[0].flags = 5;
    nav_mesh *mesh = map_mesh_with(ISLANDS, &l.config, NULL);
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    assert_int_equal(stats.links, 1);
    assert_int_equal(stats.components, 1);
    const nav_placed_link *link = nav_mesh_link(mesh, 0);
    assert_string_equal(link->id, "bridge");
    assert_int_equal(link->flags, 5);
    assert_int_equal(link->area, NAV_AREA_GROUND);
    assert_true(link->bidirectional);
    assert_near(link->end[0], 7.5f, 0.0);
    nav_path path = ask(mesh, 0.5f, 0.5f, 9.5f, 0.5f);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    expect_points(&path, 4,
                  (const float[][2]){{0.5f, 0.5f}, {2.5f, 1.5f}, {7.5f, 1.5f}, {9.5f, 0.5f}});
    assert_near(path.cost, 2.0 * sqrt(5.0) + 5.0, 1e-5);
    assert_near(path.length, path.cost, 1e-9);
    assert_near(path.lower_bound, path.cost, 1e-6);
    assert_true(path.optimal);
    nav_path back = ask(mesh, 9.5f, 0.5f, 0.5f, 0.5f);
    assert_int_equal(back.point_count, 4);
    assert_near(back.points[3], 7.5f, 1e-6);
    nav_mesh_release(mesh);
}

static void one_way_link_leads_one_way(void **state)
{
    (void)state;
    linked l;
    linked_init(&l);
    add_link(&l, 2.5f, 1.5f, 7.5f, 1.5f, false);
    nav_mesh *mesh = map_mesh_with(ISLANDS, &l.config, NULL);
    assert_int_equal(components_of(mesh), 2);
    nav_path path = ask(mesh, 0.5f, 0.5f, 9.5f, 0.5f);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    assert_int_equal(path.point_count, 4);
    path = ask(mesh, 9.5f, 0.5f, 0.5f, 1.5f);
    assert_int_equal(path.status, NAV_PATH_PARTIAL);
    assert_int_equal(path.reason, NAV_REASON_UNREACHABLE);
    expect_points(&path, 2, (const float[][2]){{9.5f, 0.5f}, {7.0f, 1.5f}});
    nav_mesh_release(mesh);
}

// A goal out of reach gives the closest point within reach, also beyond one-way links.
static void closest_spot_may_lie_beyond_a_link(void **state)
{
    (void)state;
    linked l;
    linked_init(&l);
    add_link(&l, 0.5f, 0.5f, 4.5f, 0.5f, false);
    nav_mesh *mesh = map_mesh_with("..##..##..", &l.config, NULL);
    nav_path path = ask(mesh, 1.5f, 0.5f, 9.5f, 0.5f);
    assert_int_equal(path.status, NAV_PATH_PARTIAL);
    assert_int_equal(path.reason, NAV_REASON_UNREACHABLE);
    expect_points(&path, 4,
                  (const float[][2]){{1.5f, 0.5f}, {0.5f, 0.5f}, {4.5f, 0.5f}, {6.0f, 0.5f}});
    nav_mesh_release(mesh);
}

// Three islands in a ring of one-way links are one component; a fourth hangs off it.
static void rings_of_one_way_links_are_one_component(void **state)
{
    (void)state;
    linked l;
    linked_init(&l);
    add_link(&l, 0.5f, 0.5f, 2.5f, 0.5f, false);
    add_link(&l, 2.5f, 0.5f, 4.5f, 0.5f, false);
    add_link(&l, 4.5f, 0.5f, 0.5f, 0.5f, false);
    add_link(&l, 6.5f, 0.5f, 4.5f, 0.5f, false);
    nav_mesh *mesh = map_mesh_with(".#.#.#.", &l.config, NULL);
    assert_int_equal(components_of(mesh), 2);
    assert_int_equal(nav_mesh_polygon(mesh, 1).component, nav_mesh_polygon(mesh, 2).component);
    assert_int_equal(nav_mesh_polygon(mesh, 3).component, 2);
    nav_path path = ask(mesh, 2.5f, 0.5f, 0.5f, 0.5f);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    assert_near(path.cost, 6.0, 1e-6); // on to the third, and from there
    assert_int_equal(ask(mesh, 6.5f, 0.5f, 2.5f, 0.5f).status, NAV_PATH_COMPLETE);
    assert_int_equal(ask(mesh, 2.5f, 0.5f, 6.5f, 0.5f).reason, NAV_REASON_UNREACHABLE);
    nav_mesh_release(mesh);
}

static void dear_link_is_left_aside_and_cheap_one_taken(void **state)
{
    (void)state;
    // A wall with a gap at the far end; a link leads through it.
    static const char map[] = "........./########./.........";
    for (int cheap = 0; cheap < 2; ++cheap) {
        linked l;
        linked_init(&l);
        add_link(&l, 1.5f, 0.5f, 1.5f, 2.5f, true)->area = 2;
        l.areas[2].cost = cheap ? 5.0f : 50.0f;
        nav_mesh *mesh = map_mesh_with(map, &l.config, NULL);
        nav_path path = ask(mesh, 0.5f, 0.5f, 0.5f, 2.5f);
        assert_int_equal(path.status, NAV_PATH_COMPLETE);
        const double around = 2.0 * sqrt(7.5 * 7.5 + 0.25) + 1.0;
        assert_near(path.cost, cheap ? 12.0 : around, 1e-5);
        assert_near(path.length, cheap ? 4.0 : around, 1e-5);
        assert_int_equal(path.point_count, 4);
        nav_mesh_release(mesh);
    }
}

// A teleporter: its area costs a tenth, so the bound counts with that, and even a goal in the same
// component and near by in the search is found over it.
static void teleporter_beats_walking(void **state)
{
    (void)state;
    linked l;
    linked_init(&l);
    add_link(&l, 1.5f, 0.5f, 38.5f, 0.5f, false)->area = 3;
    nav_mesh *mesh = map_mesh_with("........................................", &l.config, NULL);
    nav_path path = ask(mesh, 0.5f, 0.5f, 39.5f, 0.5f);
    assert_near(path.cost, 2.0 + 3.7, 1e-4);
    assert_near(path.length, 39.0, 1e-4);
    assert_near(path.lower_bound, path.cost, 1e-5);
    assert_int_equal(path.point_count, 4);
    assert_near(ask(mesh, 39.5f, 0.5f, 0.5f, 0.5f).cost, 39.0, 1e-4);
    // Backwards to begin with.
    assert_near(ask(mesh, 3.5f, 0.5f, 36.5f, 0.5f).cost, 2.0 + 3.7 + 2.0, 1e-4);
    nav_mesh_release(mesh);
}

static void both_ends_in_one_polygon(void **state)
{
    (void)state;
    linked l;
    linked_init(&l);
    add_link(&l, 1.0f, 1.0f, 19.0f, 1.0f, true)->area = 3;
    builder b;
    builder_init(&b);
    builder_rectangle(&b, 0, 0, 20, 2, 0);
    nav_mesh *mesh = builder_mesh_with(&b, &l.config, NULL);
    builder_free(&b);
    nav_path path = ask(mesh, 0.5f, 1.0f, 19.5f, 1.0f);
    expect_points(&path, 4, (const float[][2]){{0.5f, 1}, {1, 1}, {19, 1}, {19.5f, 1}});
    assert_near(path.cost, 1.0 + 1.8, 1e-5);
    path = ask(mesh, 9.0f, 1.0f, 11.0f, 1.0f);
    assert_near(path.cost, 2.0, 1e-6);
    assert_int_equal(path.point_count, 2);
    nav_mesh_release(mesh);
}

static void start_and_goal_on_a_links_ends(void **state)
{
    (void)state;
    linked l;
    linked_init(&l);
    add_link(&l, 2.5f, 1.5f, 7.5f, 1.5f, true);
    nav_mesh *mesh = map_mesh_with(ISLANDS, &l.config, NULL);
    nav_path path = ask(mesh, 2.5f, 1.5f, 7.5f, 1.5f);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    expect_points(&path, 2, (const float[][2]){{2.5f, 1.5f}, {7.5f, 1.5f}});
    assert_true(path.optimal);
    path = ask(mesh, 7.5f, 1.5f, 2.5f, 1.5f);
    expect_points(&path, 2, (const float[][2]){{7.5f, 1.5f}, {2.5f, 1.5f}});
    nav_mesh_release(mesh);
}

// A ladder: both ends over each other.
static void ladder_goes_straight_up(void **state)
{
    (void)state;
    builder b;
    builder_init(&b);
    builder_rectangle(&b, 0, 0, 4, 4, 0);
    builder_rectangle(&b, 0, 0, 4, 4, 5);
    linked l;
    linked_init(&l);
    add_link(&l, 2.0f, 2.0f, 2.0f, 2.0f, true)->end[1] = 5.0f;
    nav_mesh *mesh = builder_mesh_with(&b, &l.config, NULL);
    builder_free(&b);
    const nav_path_request request = {
        .start = {1, 0, 2}, .end = {3, 5, 2}, .options.snap = {1, 1, 1}};
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    expect_points(&path, 4, (const float[][2]){{1, 2}, {2, 2}, {2, 2}, {3, 2}});
    assert_near(path.points[4], 0.0f, 1e-6);
    assert_near(path.points[7], 5.0f, 1e-6);
    assert_near(path.length, 7.0, 1e-6);
    assert_near(path.cost, 2.0, 1e-6);
    nav_mesh_release(mesh);
}

// The budget may end a search behind a link.
static void budget_may_end_behind_a_link(void **state)
{
    (void)state;
    linked l;
    linked_init(&l);
    add_link(&l, 0.5f, 0.5f, 6.5f, 0.5f, false)->area = 3;
    nav_mesh *mesh = map_mesh_with("..####..........", &l.config, NULL);
    const nav_path_request request = {.start = {0.5f, 0, 0.5f},
                                      .end = {15.5f, 0, 0.5f},
                                      .options.snap = {0.5f, 1, 1},
                                      .max_nodes = 1};
    nav_path path;
    assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
    assert_int_equal(path.status, NAV_PATH_PARTIAL);
    assert_int_equal(path.reason, NAV_REASON_NODE_BUDGET);
    // Behind the link one more border has been seen.
    expect_points(&path, 3, (const float[][2]){{0.5f, 0.5f}, {6.5f, 0.5f}, {7.0f, 0.5f}});
    nav_mesh_release(mesh);
}

// ---- ends off the mesh ----

static void ends_off_the_mesh_are_warned_of(void **state)
{
    (void)state;
    linked l;
    linked_init(&l);
    memcpy(add_link(&l, 2.5f, 1.5f, 5.0f, 1.5f, true)->id, "short", 6); // ends over the gap
    add_link(&l, 20.0f, 1.5f, 2.5f, 6.0f, true);                        // both ends outside
    add_link(&l, 3.2f, 1.5f, 6.9f, 1.5f, true);                         // within the radius
    add_link(&l, 1.5f, 1.5f, 8.5f, 1.5f, true)->start[1] = 3.0f;        // too high
    static nav_bake_report report;
    report = (nav_bake_report){0};
    nav_mesh *mesh = map_mesh_with(ISLANDS, &l.config, &report);
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    assert_int_equal(stats.links, 1);
    const nav_placed_link *link = nav_mesh_link(mesh, 0);
    assert_int_equal(link->config_index, 2);
    assert_near(link->start[0], 3.0f, 1e-6);
    assert_near(link->end[0], 7.0f, 1e-6);
    const nav_warning *warning = &report.warnings[NAV_WARN_LINK_OFF_MESH];
    assert_int_equal(warning->count, 4);
    assert_string_equal(warning->items[0].name, "short");
    assert_near(warning->items[0].position[0], 5.0f, 0.0);
    assert_near(warning->items[0].value, 2.0f, 1e-5);
    assert_string_equal(warning->items[1].name, "links[1]");
    assert_near(warning->items[1].value, 10.0f, 1e-5);
    assert_near(warning->items[2].value, 3.0f, 1e-5);
    assert_string_equal(warning->items[3].name, "links[3]");
    assert_near(warning->items[3].value, 3.0f, 1e-5);
    nav_mesh_release(mesh);
}

// The radius is round; a query's box is not.
static void radius_is_round(void **state)
{
    (void)state;
    linked l;
    linked_init(&l);
    add_link(&l, -0.6f, -0.6f, 1.5f, 0.5f, false)->radius = 0.8f; // 0.85 away, across the corner
    add_link(&l, -0.5f, -0.5f, 1.5f, 0.5f, false)->radius = 0.8f; // 0.71 away
    nav_mesh *mesh = map_mesh_with("..", &l.config, NULL);
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    assert_int_equal(stats.links, 1);
    assert_int_equal(nav_mesh_link(mesh, 0)->config_index, 1);
    nav_mesh_release(mesh);
}

static void bad_links_do_no_harm(void **state)
{
    (void)state;
    linked l;
    linked_init(&l);
    add_link(&l, NAN, 0.5f, 1.5f, 0.5f, true);
    add_link(&l, 0.5f, INFINITY, 1.5f, 0.5f, true);
    add_link(&l, 0.5f, 0.5f, 1.5f, 0.5f, true)->radius = NAN;
    static nav_bake_report report;
    report = (nav_bake_report){0};
    nav_mesh *mesh = map_mesh_with("..", &l.config, &report);
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    assert_int_equal(stats.links, 0);
    assert_int_equal(report.warnings[NAV_WARN_LINK_OFF_MESH].count, 4);
    nav_mesh_release(mesh);
    assert_int_equal(nav_mesh_create(NULL, 0, &l.config, NULL, &mesh, NULL, NULL), NAV_OK);
    nav_mesh_release(mesh);
    l.links[1].area = NAV_AREA_NONE;
    nav_error err;
    assert_int_equal(nav_mesh_create(NULL, 0, &l.config, NULL, &mesh, NULL, &err),
                     NAV_INVALID_FIELD);
    assert_string_equal(err.at, "links[1].area");
}

// ---- properties: islands with random links, against a plain search over islands ----

#define SIDE 6

#define ISLANDS_COUNT (SIDE * SIDE)

// Islands of one cell each, apart from each other.
static void draw_islands(char map[2 * SIDE * (2 * SIDE + 1)])
{
    for (int i = 0; i < 2 * SIDE * (2 * SIDE + 1); ++i) {
        int x = i % (2 * SIDE + 1), z = i / (2 * SIDE + 1);
        map[i] = x == 2 * SIDE ? '/' : x % 2 == 0 && z % 2 == 0 ? '.' : '#';
    }
    map[2 * SIDE * (2 * SIDE + 1) - 1] = '\0';
}

// The position of an island along an axis.
static float island_at(uint32_t number)
{
    return 2.0f * (float)number + 0.5f;
}

// Links by chance, and what the way over each costs.
static void add_random_links(linked *l, uint64_t *seed, double costs[ISLANDS_COUNT][ISLANDS_COUNT])
{
    for (int i = 0; i < ISLANDS_COUNT * ISLANDS_COUNT; ++i) {
        costs[i / ISLANDS_COUNT][i % ISLANDS_COUNT] =
            i / ISLANDS_COUNT == i % ISLANDS_COUNT ? 0.0 : HUGE_VAL;
    }
    uint32_t count = 20 + next_random(seed) % 45;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t a = next_random(seed) % ISLANDS_COUNT;
        uint32_t b = next_random(seed) % ISLANDS_COUNT;
        bool both = next_random(seed) % 8 == 0;
        add_link(l, island_at(a % SIDE), island_at(a / SIDE), island_at(b % SIDE),
                 island_at(b / SIDE), both);
        double cost = 2.0 * hypot((double)(a % SIDE) - (b % SIDE), (double)(a / SIDE) - (b / SIDE));
        costs[a][b] = a == b ? 0.0 : cost;
        costs[b][a] = both ? costs[a][b] : costs[b][a];
    }
}

// Floyd and Warshall, 1962.
static void cheapest_ways(double costs[ISLANDS_COUNT][ISLANDS_COUNT])
{
    for (int k = 0; k < ISLANDS_COUNT; ++k) {
        for (int i = 0; i < ISLANDS_COUNT; ++i) {
            for (int j = 0; j < ISLANDS_COUNT; ++j) {
                double over = costs[i][k] + costs[k][j];
                costs[i][j] = over < costs[i][j] ? over : costs[i][j];
            }
        }
    }
}

static void random_links_hold_the_properties(void **state)
{
    (void)state;
    uint64_t seed = 5;
    uint32_t complete = 0;
    uint32_t partial = 0;
    for (uint32_t round = 0; round < 60; ++round) {
        char map[2 * SIDE * (2 * SIDE + 1)];
        double costs[ISLANDS_COUNT][ISLANDS_COUNT];
        linked l;
        draw_islands(map);
        linked_init(&l);
        add_random_links(&l, &seed, costs);
        cheapest_ways(costs);
        nav_mesh *mesh = map_mesh_with(map, &l.config, NULL);
        for (uint32_t i = 0; i < ISLANDS_COUNT; ++i) {
            for (uint32_t j = 0; j < ISLANDS_COUNT; ++j) {
                bool together = isfinite(costs[i][j]) && isfinite(costs[j][i]);
                assert_int_equal(nav_mesh_polygon(mesh, i).component ==
                                     nav_mesh_polygon(mesh, j).component,
                                 together);
                nav_path path = ask(mesh, island_at(i % SIDE), island_at(i / SIDE),
                                    island_at(j % SIDE), island_at(j / SIDE));
                if (isfinite(costs[i][j])) {
                    ++complete;
                    assert_int_equal(path.status, NAV_PATH_COMPLETE);
                    assert_near(path.cost, costs[i][j], 1e-4);
                } else {
                    ++partial;
                    assert_int_equal(path.reason, NAV_REASON_UNREACHABLE);
                    assert_int_equal(path.status, NAV_PATH_PARTIAL);
                }
            }
        }
        nav_mesh_release(mesh);
    }
    assert_in_range(complete, 10000, 70000);
    assert_in_range(partial, 10000, 70000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_way_link_joins_islands),
        cmocka_unit_test(one_way_link_leads_one_way),
        cmocka_unit_test(closest_spot_may_lie_beyond_a_link),
        cmocka_unit_test(rings_of_one_way_links_are_one_component),
        cmocka_unit_test(dear_link_is_left_aside_and_cheap_one_taken),
        cmocka_unit_test(teleporter_beats_walking),
        cmocka_unit_test(both_ends_in_one_polygon),
        cmocka_unit_test(start_and_goal_on_a_links_ends),
        cmocka_unit_test(ladder_goes_straight_up),
        cmocka_unit_test(budget_may_end_behind_a_link),
        cmocka_unit_test(ends_off_the_mesh_are_warned_of),
        cmocka_unit_test(radius_is_round),
        cmocka_unit_test(bad_links_do_no_harm),
        cmocka_unit_test(random_links_hold_the_properties),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
