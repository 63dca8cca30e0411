// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_ends_random.c: in random worlds with places in and around shapes that block: what a matrix,
// a flood and nav_query_reachable say of a pair is what the path between the two says, also where
// it begins in a shape, which it leaves, or is to end in one, which it cannot.

#include "tests/unit/avoid_world.h"

#define SOURCES 4
#define TARGETS 5

static nav_scratch *scratch;
static nav_scratch *other; // paths live in theirs

static struct {
    uint32_t pairs, joined, parted, from_shapes, into_shapes, equal, gaps, entered;
    double leaving, leaving_paths; // costs
} tally;

typedef struct question {
    const world *w;
    const nav_mesh *mesh;
    nav_options options;
    float sources[SOURCES][3], targets[TARGETS][3];
    double costs[SOURCES][TARGETS];
    bool sources_found[SOURCES], targets_found[TARGETS];
} question;

static double slack_of(const question *q, double cost)
{
    return 5e-4 * (double)q->w->config.cell_size + 1e-5 * cost;
}

// In a shape, beside it, or anywhere.
static void choose_place(world *w, const nav_mesh *mesh, const world_shapes *shapes, float out[3])
{
    world_random_place(w, mesh, out);
    if (!world_one_in(w, 3)) {
        spot corners[4];
        shape_corners(&shapes->list[random_below(&w->seed, shapes->count)], corners);
        out[0] = (float)corners[0].x + world_chance(w, -2, 2) * w->config.cell_size;
        out[2] = (float)corners[0].z + world_chance(w, -2, 2) * w->config.cell_size;
    }
}

static void ask_matrix(question *q, uint32_t first, uint32_t count, double (*costs)[TARGETS],
                       bool *found, bool *optimal)
{
    nav_matrix matrix = {
        .costs = costs[0], .sources_found = found, .targets_found = q->targets_found};
    const nav_matrix_request request = {.sources = (const float(*)[3])q->sources + first,
                                        .targets = (const float(*)[3])q->targets,
                                        .source_count = count,
                                        .target_count = TARGETS,
                                        .options = q->options};
    assert_int_equal(nav_query_matrix(q->mesh, scratch, &request, &matrix), NAV_OK);
    *optimal = matrix.optimal;
}

static nav_path ask_path(const question *q, const float start[3], const float end[3])
{
    nav_path_request request = {.options = q->options, .search = NAV_SEARCH_EXACT};
    nav_path path;
    memcpy(request.start, start, sizeof request.start);
    memcpy(request.end, end, sizeof request.end);
    assert_int_equal(nav_query_path(q->mesh, other, &request, &path), NAV_OK);
    return path;
}

// Whether the polygon in which a path ends is among those of a flood; at no more than the cost of
// its end, where that is proven.
static bool is_entered(const nav_flood_polygon *polygons, uint32_t count, const nav_path *path,
                       double most)
{
    nav_path_step *steps = calloc(path->corridor_count + 1u, sizeof *steps);
    const uint32_t step_count = nav_query_path_steps(path, steps, path->corridor_count + 1u);
    const uint32_t last = step_count > 0 ? steps[step_count - 1].polygon : path->start_polygon;
    bool entered = false;
    for (uint32_t i = 0; i < count; ++i) {
        entered = entered || (polygons[i].polygon == last && polygons[i].cost <= most);
    }
    free(steps);
    return entered;
}

static void compare_pair(question *q, uint32_t s, uint32_t t, bool optimal, bool from_shape,
                         const nav_flood *flood, const nav_flood_polygon *polygons)
{
    const double cost = q->costs[s][t];
    const nav_path path = ask_path(q, q->sources[s], q->targets[t]);
    const bool complete = path.status == NAV_PATH_COMPLETE;
    ++tally.pairs;
    assert_true(path.reason != NAV_REASON_START_OFF_MESH || !q->sources_found[s]);
    assert_true(path.reason != NAV_REASON_END_OFF_MESH || !q->targets_found[t]);
    if (!isfinite(cost)) {
        ++tally.parted;
        // Where a path keeps clear of a shape by a hair, the shape is not cut, and leaves more.
        tally.gaps += complete;
        tally.into_shapes += path.status == NAV_PATH_PARTIAL && path.reason == NAV_REASON_BLOCKED;
        return;
    }
    ++tally.joined;
    assert_true(complete);
    assert_true(cost >= path.lower_bound - slack_of(q, cost));
    if (optimal && path.optimal) {
        ++tally.equal;
        assert_true(fabs(cost - path.cost) <= slack_of(q, cost));
    }
    if (from_shape) {
        ++tally.from_shapes;
        tally.leaving += cost;
        tally.leaving_paths += path.cost;
    }
    if (!flood->truncated) {
        ++tally.entered;
        assert_true(is_entered(polygons, flood->count, &path,
                               optimal ? cost + slack_of(q, cost) : (double)INFINITY));
    }
}

static bool is_in_shape(const question *q, const float point[3])
{
    nav_view view;
    nav_location at;
    bool in_shape = false;
    assert_true(nav_view_begin(q->mesh, scratch, &q->options, &view));
    return nav_view_snap_end(&view, &q->options, point, &at, &in_shape) && in_shape;
}

static void compare_source(question *q, uint32_t s)
{
    double row[1][TARGETS];
    bool found, optimal, reachable[TARGETS];
    const uint32_t polygon_count = q->mesh->stats.polygons;
    const bool from_shape = is_in_shape(q, q->sources[s]);
    // A row does not depend on the other ones.
    ask_matrix(q, s, 1, row, &found, &optimal);
    assert_int_equal(found, q->sources_found[s]);
    assert_memory_equal(row[0], q->costs[s], sizeof row[0]);
    assert_int_equal(nav_query_reachable(q->mesh, scratch, q->sources[s], &q->options,
                                         (const float(*)[3])q->targets, TARGETS, reachable),
                     NAV_OK);
    nav_flood flood;
    nav_flood_polygon *polygons = calloc(polygon_count, sizeof *polygons);
    assert_int_equal(nav_query_flood(q->mesh, scratch, q->sources[s], 1e9, &q->options, polygons,
                                     polygon_count, &flood),
                     NAV_OK);
    assert_int_equal(flood.found, found);
    for (uint32_t t = 0; t < TARGETS; ++t) {
        assert_int_equal(reachable[t], isfinite(row[0][t]));
        compare_pair(q, s, t, optimal, from_shape, &flood, polygons);
    }
    free(polygons);
}

static void ends_of_a_world(world *w)
{
    nav_mesh *mesh = world_mesh(w);
    if (mesh == NULL) {
        return;
    }
    world_shapes shapes;
    world_add_shapes(w, mesh, &shapes);
    question q = {.w = w, .mesh = mesh, .options = nav_options_default()};
    q.options.avoid = shapes.list;
    q.options.avoid_count = shapes.count;
    for (int i = 0; i < SOURCES; ++i) {
        choose_place(w, mesh, &shapes, q.sources[i]);
    }
    for (int i = 0; i < TARGETS; ++i) {
        choose_place(w, mesh, &shapes, q.targets[i]);
    }
    bool optimal;
    ask_matrix(&q, 0, SOURCES, q.costs, q.sources_found, &optimal);
    for (uint32_t s = 0; s < SOURCES; ++s) {
        compare_source(&q, s);
    }
    nav_mesh_release(mesh);
}

static void ways_agree_about_their_ends(void **state)
{
    (void)state;
    memset(&tally, 0, sizeof tally);
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    assert_int_equal(nav_scratch_create(NULL, &other), NAV_OK);
    for_all_worlds(1000, ends_of_a_world);
    nav_scratch_destroy(scratch);
    nav_scratch_destroy(other);
    printf("%u pairs, %u joined, %u of them out of a shape, %u parted, %u of them into a shape, %u "
           "gaps; %u equal, %u entered; out of shapes %.3f times the paths\n",
           tally.pairs, tally.joined, tally.from_shapes, tally.parted, tally.into_shapes,
           tally.gaps, tally.equal, tally.entered, tally.leaving / tally.leaving_paths);
    if (getenv("NAV_PROPERTY_WORLDS") == NULL) {
        assert_true(tally.from_shapes > 1000 && tally.into_shapes > 500 && tally.equal > 1000);
        assert_true(tally.gaps <= tally.parted / 500);
        assert_true(tally.leaving <= 1.05 * tally.leaving_paths);
    }
}

// Over an edge on which ground branches, a flood comes back to the other storey as well.
static void a_flood_misses_no_branch(void **state)
{
    (void)state;
    static const uint64_t worlds[] = {2001140};
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    assert_int_equal(nav_scratch_create(NULL, &other), NAV_OK);
    for_worlds(worlds, 1, ends_of_a_world);
    nav_scratch_destroy(scratch);
    nav_scratch_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(ways_agree_about_their_ends, name_world),
        cmocka_unit_test_teardown(a_flood_misses_no_branch, name_world),
    };
    return cmocka_run_group_tests_name("query_ends_random", tests, NULL, NULL);
}
