// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_one_to_all.c: in random worlds, of one storey and of many, with links, closed ground, costs
// and shapes to avoid: costs from many places to many are those that brute force finds
// (visibility.h), or, where costs differ, those of walks; and nothing else is reached.

#include "tests/unit/visibility_world.h"

#define SOURCES 3
#define TARGETS 14

static struct {
    uint32_t exact, none, beside, links, moved;
    double ours, paths, worst;
} tally;

typedef struct question {
    const nav_mesh *mesh;
    nav_scratch *scratch;
    nav_options options;
    float sources[SOURCES][3], targets[TARGETS][3];
    double costs[SOURCES * TARGETS];
    nav_matrix matrix;
} question;

static nav_matrix_request request_of(const question *q)
{
    return (nav_matrix_request){.sources = (const float(*)[3])q->sources,
                                .targets = (const float(*)[3])q->targets,
                                .source_count = SOURCES,
                                .target_count = TARGETS,
                                .options = q->options};
}

static void place_ends(question *q, world *w)
{
    for (int i = 0; i < SOURCES; ++i) {
        world_random_place(w, q->mesh, q->sources[i]);
    }
    for (int i = 0; i < TARGETS; ++i) {
        world_random_place(w, q->mesh, q->targets[i]);
    }
    // One target is where a source is, and one is nowhere.
    memcpy(q->targets[0], q->sources[0], sizeof q->targets[0]);
    q->targets[1][1] += 1000;
}

static nav_path path_between(const question *q, uint32_t source, uint32_t target)
{
    nav_path_request request = {.options = q->options, .no_partial = true};
    memcpy(request.start, q->sources[source], sizeof request.start);
    memcpy(request.end, q->targets[target], sizeof request.end);
    nav_path path;
    assert_int_equal(nav_query_path(q->mesh, q->scratch, &request, &path), NAV_OK);
    return path;
}

// A row of the nearest is the full row, sorted; but for costs that differ by rounding only.
static void compare_nearest(question *q, world *w)
{
    const uint32_t k = 1 + random_below(&w->seed, TARGETS + 2);
    nav_matrix_request request = request_of(q);
    request.nearest = k;
    const uint32_t columns = nav_matrix_columns(&request);
    assert_int_equal(columns, k < TARGETS ? k : TARGETS);
    double costs[SOURCES * TARGETS];
    uint32_t targets[SOURCES * TARGETS];
    nav_matrix nearest = {.costs = costs, .targets = targets};
    assert_int_equal(nav_query_matrix(q->mesh, q->scratch, &request, &nearest), NAV_OK);
    assert_int_equal(nearest.reason, NAV_REASON_NULL);
    for (uint32_t s = 0; s < SOURCES; ++s) {
        const double *all = q->costs + (size_t)s * TARGETS;
        bool taken[TARGETS] = {false};
        for (uint32_t i = 0; i < columns; ++i) {
            uint32_t least = NAV_NONE;
            for (uint32_t t = 0; t < TARGETS; ++t) {
                if (!taken[t] && all[t] < HUGE_VAL && (least == NAV_NONE || all[t] < all[least])) {
                    least = t;
                }
            }
            const uint32_t at = s * columns + i;
            assert_int_equal(targets[at] == NAV_NONE, least == NAV_NONE);
            if (least == NAV_NONE) {
                assert_true(isinf(costs[at]));
                continue;
            }
            assert_false(taken[targets[at]]);
            assert_true(costs[at] == all[targets[at]]);
            assert_true(costs[at] <= all[least] * (1 + 1e-9));
            taken[targets[at]] = true;
        }
    }
}

// ---- where all ground costs the same ----

static void compare_exact(question *q, sights *truth, double slack_cells)
{
    const double step = (double)truth->costs->least;
    double *from = calloc(truth->count + 1, sizeof *from);
    const nav_reach open = {.component = NAV_NONE, .ground = nav_costs_table(truth->costs)};
    for (uint32_t s = 0; s < SOURCES; ++s) {
        nav_location at;
        const bool found =
            nav_query_snap(q->mesh, q->sources[s], nav_snap_default(), open, &at, 1) == 1;
        sight_node start = {{0}, 0};
        if (found) {
            start = sight_node_at(at.position, at.polygon);
            sights_from(truth, &start, from);
        }
        for (uint32_t t = 0; t < TARGETS; ++t) {
            const double cost = q->costs[s * TARGETS + t];
            double best = HUGE_VAL;
            if (found &&
                nav_query_snap(q->mesh, q->targets[t], nav_snap_default(), open, &at, 1) == 1) {
                const sight_node goal = sight_node_at(at.position, at.polygon);
                best = sights_to(truth, &start, from, &goal) * step;
            }
            const double slack = step * slack_cells + 1e-5 * (best < HUGE_VAL ? best : 0);
            assert_int_equal(isfinite(cost), best < HUGE_VAL);
            assert_true(!isfinite(cost) || cost >= best - slack);
            assert_true(!isfinite(cost) || !q->matrix.optimal || cost <= best + slack);
            const nav_path path = path_between(q, s, t);
            assert_int_equal(path.status == NAV_PATH_COMPLETE, isfinite(cost));
            if (isfinite(cost) && q->matrix.optimal) {
                assert_true(fabs(cost - path.cost) <= 1e-3 * path.cost + slack);
            }
            tally.exact += isfinite(cost);
            tally.none += !isfinite(cost);
        }
    }
    free(from);
}

static void compare_world(world *w, const nav_mesh *mesh, const nav_filter *filter)
{
    nav_costs costs = {0};
    sights truth;
    question q = {.mesh = mesh, .options = nav_options_default()};
    nav_costs_resolve(mesh, filter, NULL, &costs);
    sights_init(&truth, mesh, &costs, false);
    q.options.filter = filter;
    q.matrix.costs = q.costs;
    assert_int_equal(nav_scratch_create(NULL, &q.scratch), NAV_OK);
    for (int round = 0; round < 2; ++round) {
        place_ends(&q, w);
        const nav_matrix_request request = request_of(&q);
        assert_int_equal(nav_query_matrix(mesh, q.scratch, &request, &q.matrix), NAV_OK);
        assert_int_equal(q.matrix.reason, NAV_REASON_NULL);
        assert_true(q.matrix.optimal || mesh->has_non_manifold_edges);
        compare_exact(&q, &truth, 2e-4 * (double)w->config.cell_size);
        compare_nearest(&q, w);
    }
    tally.links += mesh->arc_count > 0;
    nav_scratch_destroy(q.scratch);
    sights_free(&truth);
}

static void costs_are_exact(world *w)
{
    nav_mesh *mesh = world_mesh(w);
    const nav_filter everything = {0};
    if (mesh != NULL) {
        compare_world(w, mesh, &everything);
        nav_mesh_release(mesh);
    }
}

static void random_areas(world *w)
{
    world_random_areas(w);
}

static void costs_keep_to_open_ground(world *w)
{
    random_areas(w);
    nav_mesh *mesh = world_mesh(w);
    const nav_filter filter = {.exclude = 1u << (1 + random_below(&w->seed, 3))};
    if (mesh != NULL) {
        compare_world(w, mesh, &filter);
        nav_mesh_release(mesh);
    }
}

static void exact_in_all_worlds(void **state)
{
    (void)state;
    memset(&tally, 0, sizeof tally);
    for_all_worlds(400, costs_are_exact);
    for_all_worlds(300, costs_keep_to_open_ground);
    printf("%u costs, %u times none, %u worlds with links\n", tally.exact, tally.none, tally.links);
    if (getenv("NAV_PROPERTY_WORLDS") == NULL) {
        assert_true(tally.exact > 5000);
        assert_true(tally.none > 2000);
        assert_true(tally.links > 50);
    }
}

// In turn: a source in line with portals that lie in one line; a landmark behind a polygon that is
// a line; a link beyond a portal that costs less than its length; a link that ends off the line by
// the tolerance; a way back along a border without width; a place where ground comes round after
// two turns.
static void exact_where_it_was_not(void **state)
{
    (void)state;
    static const uint64_t numbers[] = {3719, 4278, 5700, 3964, 9713, 16856};
    memset(&tally, 0, sizeof tally);
    for_worlds(numbers, sizeof numbers / sizeof numbers[0], costs_are_exact);
    for_worlds(numbers, sizeof numbers / sizeof numbers[0], costs_keep_to_open_ground);
    assert_true(tally.exact >= 50);
}

// ---- where costs differ, or shapes are cut out ----

// Every point of a path lies on the ground: where costs change as elsewhere.
static void expect_on_ground(const question *q, const nav_path *path)
{
    for (uint32_t i = 0; i < path->point_count; ++i) {
        const float *point = path->points + 3 * i;
        nav_location places[16];
        const uint32_t count = nav_query_nearest(
            q->mesh, point, (nav_snap){.horizontal = 1e-3f, .up = 100, .down = 100}, NAV_NONE,
            places, 16);
        float off = HUGE_VALF;
        for (uint32_t k = 0; k < count; ++k) {
            off = fminf(off, fabsf(places[k].position[1] - point[1]));
        }
        assert_true(off <= 1e-3f);
    }
}

// Whether a point is at that place where all shapes are cut out, too. Between the pieces of steep
// ground there may be a gap of a millimetre, in which the nearest place is further up or down.
static bool is_place_when_cut(const question *q, const float point[3], const float place[3])
{
    nav_location cut;
    uint32_t count = 0;
    assert_int_equal(
        nav_query_nearest_reachable(q->mesh, q->scratch, point, NULL, &q->options, &cut, 1, &count),
        NAV_OK);
    return count == 1 && fabsf(cut.position[0] - place[0]) <= 1e-3f &&
           fabsf(cut.position[2] - place[2]) <= 1e-3f;
}

static void compare_walks(question *q)
{
    for (uint32_t s = 0; s < SOURCES; ++s) {
        for (uint32_t t = 0; t < TARGETS; ++t) {
            const double cost = q->costs[s * TARGETS + t];
            const nav_path path = path_between(q, s, t);
            if (path.status == NAV_PATH_COMPLETE) {
                expect_on_ground(q, &path);
            }
            // A path leaves a shape that it begins in; a matrix begins beside it.
            if (q->options.avoid_count > 0 && (!is_place_when_cut(q, q->sources[s], path.start) ||
                                               !is_place_when_cut(q, q->targets[t], path.end))) {
                ++tally.moved;
                continue;
            }
            assert_int_equal(path.status == NAV_PATH_COMPLETE, isfinite(cost));
            assert_true(cost >= path.lower_bound * (1 - 1e-6));
            if (path.status == NAV_PATH_COMPLETE && path.cost > 0) {
                tally.ours += cost;
                tally.paths += path.cost;
                tally.worst = fmax(tally.worst, cost / path.cost);
                ++tally.beside;
            }
        }
    }
}

static void costs_are_of_walks(world *w)
{
    random_areas(w);
    nav_mesh *mesh = world_mesh(w);
    if (mesh == NULL) {
        return;
    }
    question q = {.mesh = mesh, .options = nav_options_default()};
    nav_filter filter = {.exclude = world_one_in(w, 3) ? 4 : 0};
    nav_avoid avoid[2] = {{.shape = NAV_AVOID_CIRCLE, .bottom = -1000, .top = 1000},
                          {.shape = NAV_AVOID_CIRCLE, .bottom = -1000, .top = 1000}};
    for (int i = 0; i < 4; ++i) {
        filter.area_costs[i] = world_chance(w, 0.5f, 5);
    }
    for (int i = 0; i < 2; ++i) {
        float center[3];
        world_random_place(w, mesh, center);
        avoid[i].center[0] = center[0];
        avoid[i].center[1] = center[2];
        avoid[i].radius = world_chance(w, 0.5f, 3);
        avoid[i].blocked = world_one_in(w, 2);
        avoid[i].cost = world_chance(w, 0.5f, 4);
    }
    q.options.filter = world_one_in(w, 3) ? NULL : &filter;
    q.options.avoid = avoid;
    q.options.avoid_count = q.options.filter == NULL ? 2 : random_below(&w->seed, 3);
    q.matrix.costs = q.costs;
    assert_int_equal(nav_scratch_create(NULL, &q.scratch), NAV_OK);
    place_ends(&q, w);
    const nav_matrix_request request = request_of(&q);
    assert_int_equal(nav_query_matrix(mesh, q.scratch, &request, &q.matrix), NAV_OK);
    compare_walks(&q);
    nav_scratch_destroy(q.scratch);
    nav_mesh_release(mesh);
}

static void walks_in_all_worlds(void **state)
{
    (void)state;
    memset(&tally, 0, sizeof tally);
    for_all_worlds(500, costs_are_of_walks);
    printf("%u walks, in all %.4f times as dear as paths, at worst %.3f times; %u moved\n",
           tally.beside, tally.ours / tally.paths, tally.worst, tally.moved);
    if (getenv("NAV_PROPERTY_WORLDS") == NULL) {
        assert_true(tally.beside > 2000);
        assert_true(tally.ours <= 1.03 * tally.paths);
        assert_true(tally.moved <= 2 * tally.beside);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(exact_in_all_worlds, name_world),
        cmocka_unit_test_teardown(exact_where_it_was_not, name_world),
        cmocka_unit_test_teardown(walks_in_all_worlds, name_world),
    };
    return cmocka_run_group_tests_name("query_one_to_all", tests, NULL, NULL);
}
