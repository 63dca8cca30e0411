// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_reuse.c: no answer depends on what its scratch has worked out before: in random
// worlds, under filters, with links, shapes to avoid, budgets, a scratch that has served all
// questions so far answers as a new one does, to the last bit; and a path that ends before its goal
// ends in the reachable spot closest to it.

#include "tests/unit/visibility_world.h"

#define QUESTIONS 12
#define STEPS_MAX 512
#define TARGETS 6
#define PLACES_MAX 1024

// It serves all questions.
static nav_scratch *used;

static struct {
    uint32_t complete, partial, none, unfinished, beside, avoided;
} tally;

typedef struct question {
    nav_filter filter;
    nav_avoid avoid[2];
    nav_path_request path;
    float targets[TARGETS][3];
} question;

static void choose_shapes(world *w, const nav_mesh *mesh, question *q)
{
    for (int i = 0; i < 2; ++i) {
        float center[3];
        world_random_place(w, mesh, center);
        q->avoid[i] = (nav_avoid){.shape = NAV_AVOID_CIRCLE,
                                  .bottom = -1000,
                                  .top = 1000,
                                  .center = {center[0], center[2]},
                                  .radius = world_chance(w, 0.2f, 3),
                                  .blocked = world_one_in(w, 2),
                                  .cost = world_chance(w, 0.5f, 4)};
    }
    q->path.options.avoid = q->avoid;
    q->path.options.avoid_count = random_below(&w->seed, 3);
}

static void choose_question(world *w, const nav_mesh *mesh, question *q)
{
    *q = (question){.path = {.options = nav_options_default()}};
    q->filter.exclude = world_one_in(w, 2) ? 1u << (1 + random_below(&w->seed, 3)) : 0;
    for (int i = 0; i < 4 && world_one_in(w, 2); ++i) {
        q->filter.area_costs[i] = world_chance(w, 0.3f, 5);
    }
    q->path.options.filter = world_one_in(w, 3) ? NULL : &q->filter;
    if (world_one_in(w, 2)) {
        choose_shapes(w, mesh, q);
    }
    q->path.search = (nav_search)random_below(&w->seed, 3);
    q->path.max_nodes = world_one_in(w, 4) ? 1 + random_below(&w->seed, 30) : 0;
    q->path.no_partial = world_one_in(w, 6);
    world_random_place(w, mesh, q->path.start);
    world_random_place(w, mesh, q->path.end);
    for (int i = 0; i < TARGETS; ++i) {
        world_random_place(w, mesh, q->targets[i]);
    }
}

// ---- the same answers ----

static void same_bits(const void *a, const void *b, size_t count)
{
    assert_memory_equal(a, b, count);
}

static void compare_paths(const nav_mesh *mesh, const question *q, nav_scratch *fresh)
{
    nav_path ours, other;
    static nav_path_step steps[2][STEPS_MAX];
    assert_int_equal(nav_query_path(mesh, used, &q->path, &ours), NAV_OK);
    assert_int_equal(nav_query_path(mesh, fresh, &q->path, &other), NAV_OK);
    assert_int_equal(ours.status, other.status);
    assert_int_equal(ours.reason, other.reason);
    assert_int_equal(ours.optimal, other.optimal);
    same_bits(&ours.cost, &other.cost, sizeof ours.cost);
    same_bits(&ours.length, &other.length, sizeof ours.length);
    same_bits(&ours.lower_bound, &other.lower_bound, sizeof ours.lower_bound);
    same_bits(ours.start, other.start, sizeof ours.start);
    same_bits(ours.end, other.end, sizeof ours.end);
    assert_int_equal(ours.nodes_expanded, other.nodes_expanded);
    assert_int_equal(ours.point_count, other.point_count);
    if (ours.point_count > 0) {
        same_bits(ours.points, other.points, ours.point_count * sizeof(float[3]));
    }
    const uint32_t count = nav_query_path_steps(&ours, steps[0], STEPS_MAX);
    assert_int_equal(nav_query_path_steps(&other, steps[1], STEPS_MAX), count);
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(steps[0][i].polygon, steps[1][i].polygon);
        assert_int_equal(steps[0][i].link, steps[1][i].link);
        assert_int_equal(steps[0][i].point, steps[1][i].point);
    }
}

static void compare_matrices(const nav_mesh *mesh, const question *q, nav_scratch *fresh)
{
    double costs[2][TARGETS];
    const nav_matrix_request request = {.sources = &q->path.start,
                                        .targets = q->targets,
                                        .source_count = 1,
                                        .target_count = TARGETS,
                                        .max_nodes = q->path.max_nodes,
                                        .options = q->path.options};
    nav_matrix ours = {.costs = costs[0]}, other = {.costs = costs[1]};
    assert_int_equal(nav_query_matrix(mesh, used, &request, &ours), NAV_OK);
    assert_int_equal(nav_query_matrix(mesh, fresh, &request, &other), NAV_OK);
    assert_int_equal(ours.optimal, other.optimal);
    assert_int_equal(ours.reason, other.reason);
    assert_int_equal(ours.nodes_expanded, other.nodes_expanded);
    for (int i = 0; i < TARGETS; ++i) {
        assert_int_equal(isnan(costs[0][i]), isnan(costs[1][i]));
        assert_true(isnan(costs[0][i]) || costs[0][i] == costs[1][i]);
    }
}

static void compare_floods(const nav_mesh *mesh, const question *q, nav_scratch *fresh)
{
    static nav_flood_polygon polygons[2][PLACES_MAX];
    nav_flood ours, other;
    const nav_options *options = &q->path.options;
    assert_int_equal(
        nav_query_flood(mesh, used, q->path.start, 20.0, options, polygons[0], PLACES_MAX, &ours),
        NAV_OK);
    assert_int_equal(
        nav_query_flood(mesh, fresh, q->path.start, 20.0, options, polygons[1], PLACES_MAX, &other),
        NAV_OK);
    assert_int_equal(ours.optimal, other.optimal);
    assert_int_equal(ours.count, other.count);
    for (uint32_t i = 0; i < ours.count; ++i) {
        assert_int_equal(polygons[0][i].polygon, polygons[1][i].polygon);
        assert_true(polygons[0][i].cost == polygons[1][i].cost);
        same_bits(polygons[0][i].position, polygons[1][i].position, sizeof(float[3]));
    }
}

static void compare_reach(const nav_mesh *mesh, const question *q, nav_scratch *fresh)
{
    bool reachable[2][TARGETS];
    nav_location random[2][TARGETS];
    uint32_t counts[2];
    nav_scratch *const both[2] = {used, fresh};
    const nav_options *options = &q->path.options;
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(nav_query_reachable(mesh, both[i], q->path.start, options, q->targets,
                                             TARGETS, reachable[i]),
                         NAV_OK);
        assert_int_equal(nav_query_random(mesh, both[i], 7, q->path.start, 5.0f, options, random[i],
                                          TARGETS, &counts[i]),
                         NAV_OK);
    }
    same_bits(reachable[0], reachable[1], sizeof reachable[0]);
    assert_int_equal(counts[0], counts[1]);
    for (uint32_t i = 0; i < counts[0]; ++i) {
        assert_int_equal(random[0][i].polygon, random[1][i].polygon);
        same_bits(random[0][i].position, random[1][i].position, sizeof(float[3]));
    }
}

// ---- where a path ends ----

static double distance_between(const float a[3], const float b[3])
{
    const double dx = (double)a[0] - (double)b[0], dy = (double)a[1] - (double)b[1];
    const double dz = (double)a[2] - (double)b[2];
    return sqrt(dx * dx + dy * dy + dz * dz);
}

static void expect_closest(const nav_mesh *mesh, const question *q)
{
    static nav_location places[PLACES_MAX];
    nav_path path;
    assert_int_equal(nav_query_path(mesh, used, &q->path, &path), NAV_OK);
    tally.complete += path.status == NAV_PATH_COMPLETE;
    tally.none += path.status == NAV_PATH_NONE;
    tally.unfinished += path.reason == NAV_REASON_NODE_BUDGET;
    tally.avoided += q->path.options.avoid_count > 0;
    if (path.status != NAV_PATH_PARTIAL || q->path.max_nodes > 0) {
        return;
    }
    ++tally.partial;
    const double left =
        distance_between(path.points + 3 * (size_t)(path.point_count - 1), q->path.end);
    nav_options wide = q->path.options;
    wide.snap = (nav_snap){.horizontal = 1e4f, .up = 1e4f, .down = 1e4f};
    uint32_t count;
    assert_int_equal(nav_query_nearest_reachable(mesh, used, q->path.end, path.start, &wide, places,
                                                 PLACES_MAX, &count),
                     NAV_OK);
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < count; ++i) {
        least = fmin(least, (double)places[i].distance);
    }
    // On the rim of a shape, of spots that are about as near the one towards the start is taken.
    const double lean =
        path.reason == NAV_REASON_BLOCKED ? 0.2 * (double)mesh->agent_radius + 0.02 : 0.0;
    if (left > least + lean + 1e-3) {
        printf("%g beyond %g\n", left, least);
    }
    assert_true(left <= least + lean + 1e-3);
    ++tally.beside;
}

static void answers_are_the_same(world *w)
{
    world_random_areas(w);
    nav_mesh *mesh = world_mesh(w);
    for (int i = 0; mesh != NULL && i < QUESTIONS; ++i) {
        question q;
        nav_scratch *fresh;
        choose_question(w, mesh, &q);
        assert_int_equal(nav_scratch_create(NULL, &fresh), NAV_OK);
        switch (random_below(&w->seed, 6)) {
        case 0:
            compare_matrices(mesh, &q, fresh);
            break;
        case 1:
            compare_floods(mesh, &q, fresh);
            break;
        case 2:
            compare_reach(mesh, &q, fresh);
            break;
        default:
            compare_paths(mesh, &q, fresh);
            expect_closest(mesh, &q);
        }
        nav_scratch_destroy(fresh);
    }
    nav_mesh_release(mesh);
}

static void in_all_worlds(void **state)
{
    (void)state;
    assert_int_equal(nav_scratch_create(NULL, &used), NAV_OK);
    for_all_worlds(500, answers_are_the_same);
    nav_scratch_destroy(used);
    printf("%u complete, %u partial, %u none, %u out of budget, %u with shapes\n", tally.complete,
           tally.partial, tally.none, tally.unfinished, tally.avoided);
    if (getenv("NAV_PROPERTY_WORLDS") == NULL) {
        assert_true(tally.complete > 500 && tally.partial > 200 && tally.none > 50);
        assert_true(tally.unfinished > 50 && tally.beside > 200 && tally.avoided > 300);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(in_all_worlds, name_world)};
    return cmocka_run_group_tests_name("query_reuse", tests, NULL, NULL);
}
