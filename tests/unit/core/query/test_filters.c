// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// A filter prices and closes ground and links for one question: what it closes is not walked on,
// not snapped to and not reached, and where only it stands in the way the answer says so.

#include "core/query/view/scratch.h"
#include "tests/unit/mesh_builder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

enum {
    WALK = 1,
    SWIM = 2,
    JUMP = 4
};

// Areas 2 to 9 of a map have flag SWIM, ground has WALK, and all cost 1.
typedef struct world {
    nav_area areas[10];
    nav_name flags[3];
    nav_link links[4];
    nav_named_filter filters[2];
    nav_config config;
    nav_mesh *mesh;
    nav_scratch *scratch;
} world;

static void world_init(world *w)
{
    static const nav_name flags[3] = {"walk", "swim", "jump"};
    memset(w, 0, sizeof *w);
    memcpy(w->flags, flags, sizeof flags);
    for (int i = 0; i < 10; ++i) {
        w->areas[i] = (nav_area){.cost = 1.0f, .flags = i >= 2 ? SWIM : WALK};
        snprintf(w->areas[i].name, sizeof w->areas[i].name, "area%d", i);
    }
    w->config = nav_config_default();
    w->config.areas = w->areas;
    w->config.area_count = 10;
    w->config.flag_names = (const nav_name *)w->flags;
    w->config.flag_count = 3;
    w->config.links = w->links;
    w->config.filters = w->filters;
    assert_int_equal(nav_scratch_create(NULL, &w->scratch), NAV_OK);
}

static void world_map(world *w, const char *map)
{
    nav_mesh_release(w->mesh);
    w->mesh = map_mesh_with(map, &w->config, NULL);
}

static void world_free(world *w)
{
    nav_mesh_release(w->mesh);
    nav_scratch_destroy(w->scratch);
}

static nav_path ask(const world *w, const nav_filter *filter, float ax, float az, float bx,
                    float bz)
{
    const nav_path_request request = {
        .start = {ax, 0, az},
        .end = {bx, 0, bz},
        .options = {.snap = {.horizontal = 0.4f, .up = 1, .down = 1}, .filter = filter}};
    nav_path path;
    assert_int_equal(nav_query_path(w->mesh, w->scratch, &request, &path), NAV_OK);
    return path;
}

// The only route to the goal leads over water. The closest point lies behind a bridge that leads
// away from the goal, so that no search for the goal itself would look there.
static void closest_spot_may_be_behind_a_bridge_that_leads_away(void **state)
{
    (void)state;
    world w;
    world_init(&w);
    world_map(&w, ".2....../.#####.#/......##");
    const nav_filter walk = {.include = WALK};
    nav_path path = ask(&w, &walk, 0.5f, 0.5f, 6.5f, 1.5f);
    assert_int_equal(path.status, NAV_PATH_PARTIAL);
    assert_int_equal(path.reason, NAV_REASON_BLOCKED);
    const float *end = path.points + 3 * (path.point_count - 1);
    assert_near(end[0], 6.0, 1e-5);
    assert_near(end[2], 2.0, 1e-5);
    // The same where ground differs in cost.
    const nav_filter dear = {.include = WALK, .area_costs = {[1] = 2.0f}};
    path = ask(&w, &dear, 0.5f, 0.5f, 6.5f, 1.5f);
    assert_int_equal(path.reason, NAV_REASON_BLOCKED);
    end = path.points + 3 * (path.point_count - 1);
    assert_near(end[0], 6.0, 1e-5);
    // And complete where water may be crossed.
    path = ask(&w, NULL, 0.5f, 0.5f, 6.5f, 1.5f);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    world_free(&w);
}

// The closest spot lies on closed ground's border, or on the border of what hangs together with the
// start, where no portal is.
static void closest_spot_need_not_be_on_a_portal(void **state)
{
    (void)state;
    world w;
    world_init(&w);
    world_map(&w, ".2.#.");
    const nav_filter dry = {.exclude = SWIM};
    nav_path path = ask(&w, &dry, 0.5f, 0.5f, 2.5f, 0.25f);
    assert_int_equal(path.status, NAV_PATH_PARTIAL);
    assert_int_equal(path.reason, NAV_REASON_BLOCKED);
    assert_int_equal(path.point_count, 2);
    assert_near(path.points[3], 1.0, 1e-6);
    assert_near(path.points[5], 0.25, 1e-6);
    // The point that labels call closest to an island lies behind closed ground.
    path = ask(&w, &dry, 0.5f, 0.5f, 4.5f, 0.25f);
    assert_int_equal(path.reason, NAV_REASON_UNREACHABLE);
    assert_int_equal(path.point_count, 2);
    assert_near(path.points[3], 1.0, 1e-6);
    // A question that does not take it is told why there is no path to the goal.
    const nav_path_request request = {
        .start = {0.5f, 0, 0.5f},
        .end = {2.5f, 0, 0.5f},
        .options = {.snap = {.horizontal = 0.4f, .up = 1, .down = 1}, .filter = &dry},
        .no_partial = true};
    assert_int_equal(nav_query_path(w.mesh, w.scratch, &request, &path), NAV_OK);
    assert_true(path.status == NAV_PATH_NONE && path.reason == NAV_REASON_BLOCKED);
    assert_int_equal(path.point_count, 0);
    assert_true(path.cost == 0.0);
    world_free(&w);
}

// Before the closest spot is found, the search has come to another one: its way does not count.
static void a_partial_path_costs_what_its_points_do(void **state)
{
    (void)state;
    world w;
    world_init(&w);
    world_map(&w, "......2.../.#####2###/......2...");
    const nav_filter dry = {.exclude = SWIM};
    const nav_path_request request = {
        .start = {0.5f, 0, 1.5f},
        .end = {9.5f, 0, 0.5f},
        .options = {.snap = {.horizontal = 0.4f, .up = 1, .down = 1}, .filter = &dry},
        .search = NAV_SEARCH_FAST};
    nav_path path;
    assert_int_equal(nav_query_path(w.mesh, w.scratch, &request, &path), NAV_OK);
    assert_int_equal(path.status, NAV_PATH_PARTIAL);
    assert_int_equal(path.reason, NAV_REASON_BLOCKED);
    const float *end = path.points + 3 * (path.point_count - 1);
    assert_near(end[0], 6, 1e-5);
    double length = 0;
    for (uint32_t i = 1; i < path.point_count; ++i) {
        const float *a = path.points + 3 * (i - 1), *b = path.points + 3 * i;
        length += hypot((double)a[0] - (double)b[0], (double)a[2] - (double)b[2]);
    }
    assert_near(path.length, length, 1e-5);
    assert_near(path.cost, length, 1e-5);
    world_free(&w);
}

static void closed_ground_is_walked_around(void **state)
{
    (void)state;
    world w;
    world_init(&w);
    world_map(&w, "...../.222./.222./.....");
    const nav_filter dry = {.exclude = SWIM};
    const nav_filter shoes = {.include = WALK};
    assert_near(ask(&w, NULL, 0.5f, 1.5f, 4.5f, 1.5f).cost, 4.0, 1e-6);
    nav_path around = ask(&w, &dry, 0.5f, 1.5f, 4.5f, 1.5f);
    assert_int_equal(around.status, NAV_PATH_COMPLETE);
    assert_near(around.cost, 3.0 + 2.0 * sqrt(0.5), 1e-5);
    assert_near(ask(&w, &shoes, 0.5f, 1.5f, 4.5f, 1.5f).cost, around.cost, 1e-6);
    // Another price does not close it.
    nav_filter dear = {.area_costs = {[2] = 1.1f}};
    nav_path through = ask(&w, &dear, 0.5f, 1.5f, 4.5f, 1.5f);
    assert_true(through.cost < around.cost && through.cost > 4.0);
    dear.area_costs[2] = 50.0f;
    assert_near(ask(&w, &dear, 0.5f, 1.5f, 4.5f, 1.5f).cost, around.cost, 1e-4);
    world_free(&w);
}

static void what_only_a_filter_closes_is_blocked(void **state)
{
    (void)state;
    world w;
    world_init(&w);
    world_map(&w, "..2..#.");
    const nav_filter dry = {.exclude = SWIM};
    nav_path path = ask(&w, &dry, 0.5f, 0.5f, 4.5f, 0.5f);
    assert_int_equal(path.status, NAV_PATH_PARTIAL);
    assert_int_equal(path.reason, NAV_REASON_BLOCKED);
    path = ask(&w, &dry, 0.5f, 0.5f, 6.5f, 0.5f);
    assert_int_equal(path.reason, NAV_REASON_UNREACHABLE);
    path = ask(&w, &dry, 2.5f, 0.5f, 0.5f, 0.5f);
    assert_int_equal(path.reason, NAV_REASON_BLOCKED);
    path = ask(&w, &dry, 0.5f, 0.5f, 2.5f, 0.5f);
    assert_true(path.status == NAV_PATH_NONE && path.reason == NAV_REASON_BLOCKED);
    path = ask(&w, &dry, 0.5f, 0.5f, 2.5f, 9.5f);
    assert_int_equal(path.reason, NAV_REASON_END_OFF_MESH);
    world_free(&w);
}

static void links_have_flags_and_costs_of_their_own(void **state)
{
    (void)state;
    world w;
    world_init(&w);
    w.links[0] = (nav_link){.start = {0.5f, 0, 0.5f},
                            .end = {4.5f, 0, 0.5f},
                            .radius = 0.2f,
                            .area = NAV_AREA_GROUND,
                            .flags = JUMP,
                            .has_cost = true,
                            .cost = 1.0f};
    w.config.link_count = 1;
    world_map(&w, ".....");
    nav_path path = ask(&w, NULL, 0.5f, 0.5f, 4.5f, 0.5f);
    assert_near(path.cost, 1.0, 1e-6);
    assert_near(path.length, 4.0, 1e-6);
    assert_true(path.lower_bound <= 1.0);
    // Its own cost stays, whatever its area costs; its own flags count, not its area's.
    const nav_filter dear = {.area_costs = {[NAV_AREA_GROUND] = 10.0f}};
    assert_near(ask(&w, &dear, 0.5f, 0.5f, 4.5f, 0.5f).cost, 1.0, 1e-6);
    const nav_filter walk = {.include = WALK};
    assert_near(ask(&w, &walk, 0.5f, 0.5f, 4.5f, 0.5f).cost, 4.0, 1e-6);
    // Teleporters that cost nothing leave no bound but 0.
    w.links[0].cost = 0.0f;
    world_map(&w, ".....");
    path = ask(&w, NULL, 0.5f, 0.5f, 4.5f, 0.5f);
    assert_near(path.cost, 0.0, 1e-6);
    assert_near(path.lower_bound, 0.0, 1e-6);
    world_free(&w);
}

static void names_are_kept(void **state)
{
    (void)state;
    world w;
    world_init(&w);
    strcpy(w.filters[0].name, "boat");
    w.filters[0].filter = (nav_filter){.include = SWIM};
    w.config.filter_count = 1;
    world_map(&w, ".2");
    uint8_t area = 0;
    uint32_t flag = 0;
    assert_true(nav_mesh_find_area(w.mesh, "area2", &area) && area == 2);
    assert_false(nav_mesh_find_area(w.mesh, "", &area));
    assert_string_equal(nav_mesh_area_name(w.mesh, 2), "area2");
    assert_string_equal(nav_mesh_area_name(w.mesh, 200), "");
    assert_string_equal(nav_mesh_area(w.mesh, 2).name, "area2");
    assert_true(nav_mesh_area(w.mesh, 2).cost == w.config.areas[2].cost);
    assert_int_equal(nav_mesh_area(w.mesh, 2).flags, w.config.areas[2].flags);
    assert_string_equal(nav_mesh_area(w.mesh, 200).name, "");
    assert_true(nav_mesh_area(w.mesh, 200).cost == 1.0f);
    assert_true(nav_mesh_find_flag(w.mesh, "jump", &flag) && flag == JUMP);
    assert_false(nav_mesh_find_flag(w.mesh, "fly", &flag));
    assert_int_equal(nav_mesh_find_filter(w.mesh, "boat")->include, SWIM);
    assert_null(nav_mesh_find_filter(w.mesh, "bike"));
    world_free(&w);
}

// ---- what can be reached, against a flood over the map itself ----

#define SIDE 12

static void random_map(uint64_t *random, char *map)
{
    char *to = map;
    for (int z = 0; z < SIDE; ++z) {
        for (int x = 0; x < SIDE; ++x) {
            const uint32_t roll = next_random(random) % 10;
            *to++ = roll < 3 ? '#' : roll < 5 ? '2' : roll < 6 ? '3' : '.';
        }
        *to++ = z + 1 < SIDE ? '/' : '\0';
    }
}

static char cell(const char *map, int x, int z)
{
    return x < 0 || z < 0 || x >= SIDE || z >= SIDE ? '#' : map[z * (SIDE + 1) + x];
}

static bool is_open(const nav_filter *filter, char what)
{
    const uint32_t flags = what == '.' ? WALK : SWIM;
    return what != '#' && (filter->include == 0 || (flags & filter->include) != 0) &&
           (flags & filter->exclude) == 0 && !(what == '3' && filter->area_costs[3] == INFINITY);
}

static void flood_map(const char *map, const nav_filter *filter, int x, int z,
                      bool seen[SIDE][SIDE])
{
    if (!is_open(filter, cell(map, x, z)) || seen[z][x]) {
        return;
    }
    seen[z][x] = true;
    flood_map(map, filter, x + 1, z, seen);
    flood_map(map, filter, x - 1, z, seen);
    flood_map(map, filter, x, z + 1, seen);
    flood_map(map, filter, x, z - 1, seen);
}

static nav_filter random_filter(uint64_t *random)
{
    nav_filter filter = {0};
    const uint32_t roll = next_random(random) % 5;
    filter.exclude = roll == 1 ? SWIM : roll == 2 ? JUMP : 0;
    filter.include = roll == 3 ? WALK : roll == 4 ? SWIM | WALK : 0;
    filter.area_costs[3] = next_random(random) % 2 != 0 ? INFINITY : 0.5f;
    filter.area_costs[2] = next_random(random) % 2 != 0 ? 3.0f : 0.0f;
    return filter;
}

// Every cell of the map, asked from one of them: reachable says what the flood says, nearest finds
// only what it reached, and a path is complete exactly there.
static void check_map(const world *w, const char *map, const nav_filter *filter, int x, int z)
{
    bool seen[SIDE][SIDE] = {{false}};
    float points[SIDE * SIDE][3];
    bool reachable[SIDE * SIDE];
    const float start[3] = {(float)x + 0.5f, 0, (float)z + 0.5f};
    const nav_options options = {.snap = {.horizontal = 0.4f, .up = 1, .down = 1},
                                 .filter = filter};
    flood_map(map, filter, x, z, seen);
    for (int i = 0; i < SIDE * SIDE; ++i) {
        points[i][0] = (float)(i % SIDE) + 0.5f;
        points[i][1] = 0;
        points[i][2] = (float)(i / SIDE) + 0.5f;
    }
    assert_int_equal(nav_query_reachable(w->mesh, w->scratch, start, &options,
                                         (const float(*)[3])points, SIDE * SIDE, reachable),
                     NAV_OK);
    for (int i = 0; i < SIDE * SIDE; ++i) {
        const bool expected = seen[i / SIDE][i % SIDE];
        nav_location place;
        uint32_t count = 7;
        assert_int_equal(reachable[i], expected);
        assert_int_equal(nav_query_nearest_reachable(w->mesh, w->scratch, points[i], start,
                                                     &options, &place, 1, &count),
                         NAV_OK);
        assert_int_equal(count, expected ? 1 : 0);
        const nav_path path = ask(w, filter, start[0], start[2], points[i][0], points[i][2]);
        assert_int_equal(path.status == NAV_PATH_COMPLETE, expected);
        assert_true(path.lower_bound <= path.cost || path.status != NAV_PATH_COMPLETE);
    }
}

static void reachable_agrees_with_a_flood_over_the_map(void **state)
{
    (void)state;
    uint64_t random = 7;
    world w;
    world_init(&w);
    for (int round = 0; round < 200; ++round) {
        char map[(SIDE + 1) * SIDE];
        random_map(&random, map);
        world_map(&w, map);
        const nav_filter filter = random_filter(&random);
        check_map(&w, map, &filter, (int)(next_random(&random) % SIDE),
                  (int)(next_random(&random) % SIDE));
    }
    world_free(&w);
}

// The marks of polygons are found again when the stamps have come round.
static void marks_survive_a_turn_of_the_stamps(void **state)
{
    (void)state;
    world w;
    world_init(&w);
    world_map(&w, "..2..");
    const nav_filter dry = {.exclude = SWIM};
    const float left[3] = {0.5f, 0, 0.5f};
    const float right[3] = {4.5f, 0, 0.5f};
    bool reachable = true;
    const nav_options narrow = {.snap = {0.1f, 1, 1}, .filter = &dry};
    assert_int_equal(nav_query_reachable(w.mesh, w.scratch, right, &narrow, &right, 1, &reachable),
                     NAV_OK);
    assert_true(reachable);
    w.scratch->stamp = UINT32_MAX - 1; // stamps are even; the next search begins anew
    assert_int_equal(nav_query_reachable(w.mesh, w.scratch, left, &narrow, &right, 1, &reachable),
                     NAV_OK);
    assert_false(reachable);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closest_spot_need_not_be_on_a_portal),
        cmocka_unit_test(a_partial_path_costs_what_its_points_do),
        cmocka_unit_test(closed_ground_is_walked_around),
        cmocka_unit_test(closest_spot_may_be_behind_a_bridge_that_leads_away),
        cmocka_unit_test(what_only_a_filter_closes_is_blocked),
        cmocka_unit_test(links_have_flags_and_costs_of_their_own),
        cmocka_unit_test(names_are_kept),
        cmocka_unit_test(reachable_agrees_with_a_flood_over_the_map),
        cmocka_unit_test(marks_survive_a_turn_of_the_stamps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
