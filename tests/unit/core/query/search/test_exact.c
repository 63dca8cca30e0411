// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_exact.c: in thousands of random worlds, of one storey and of many, in tiles or not,
// with links, closed areas and budgets: a path that says it is the shortest is as long as brute
// force finds (visibility.h), and lower bounds hold.

#include "tests/unit/visibility_world.h"

#define PAIRS_A_WORLD 24

static struct {
    uint32_t complete, none, improved, links, non_manifold, unproven, worse, switched;
    double gain;
} tally;

typedef struct question {
    const nav_mesh *mesh;
    nav_scratch *scratch;
    sights *truth;
    nav_filter filter;
    const uint8_t *switches;
    float tolerance;
} question;

static nav_path ask(const question *q, const float start[3], const float end[3], nav_search search,
                    uint32_t max_nodes)
{
    nav_path_request request = {
        .options = nav_options_default(), .search = search, .max_nodes = max_nodes};
    request.options.filter = &q->filter;
    request.options.switches = q->switches;
    memcpy(request.start, start, sizeof request.start);
    memcpy(request.end, end, sizeof request.end);
    nav_path path;
    assert_int_equal(nav_query_path(q->mesh, q->scratch, &request, &path), NAV_OK);
    return path;
}

// The polygon that a snapped end belongs to.
static sight_node node_of(const question *q, const float asked[3])
{
    const nav_reach open = {.component = NAV_NONE, .ground = nav_costs_table(q->truth->costs)};
    nav_location at;
    assert_int_equal(nav_query_snap(q->mesh, asked, nav_snap_default(), open, &at, 1), 1);
    return sight_node_at(at.position, at.polygon);
}

// Rules for every answer, where the cheapest route costs `best`.
static void expect_true(const nav_path *path, double best, double slack)
{
    if (path->status == NAV_PATH_COMPLETE) {
        assert_true(best < HUGE_VAL);
        assert_true(path->cost >= best - slack);
        assert_true(path->lower_bound <= path->cost);
        assert_true(!path->optimal || path->cost <= best + slack);
    } else {
        assert_false(path->optimal);
    }
    assert_true(path->lower_bound <= best * (1 + 1e-6) + slack);
}

static void compare_pair(question *q, world *w, const double *from, const float start[3],
                         const sight_node *start_node, const float end[3])
{
    const nav_path exact = ask(q, start, end, NAV_SEARCH_EXACT, 0);
    if (exact.status == NAV_PATH_NONE) {
        return; // an end is off the mesh, or on closed ground
    }
    const sight_node goal = node_of(q, end);
    const double step = (double)q->truth->costs->least;
    const double best = sights_to(q->truth, start_node, from, &goal) * step;
    const double slack = step * (double)q->tolerance + 1e-5 * (best < HUGE_VAL ? best : 0);
    assert_int_equal(exact.status == NAV_PATH_COMPLETE, best < HUGE_VAL);
    expect_true(&exact, best, slack);
    if (exact.status == NAV_PATH_COMPLETE) {
        // Over non-manifold edges paths are short, but some are not proven, and say so.
        assert_true(exact.optimal != exact.folded);
        assert_true(!exact.folded || q->mesh->has_non_manifold_edges);
        tally.unproven += exact.folded;
        tally.worse += exact.folded && exact.cost > best + slack;
        ++tally.complete;
    } else {
        ++tally.none;
    }
    const double cost = exact.cost;
    const nav_path fast = ask(q, start, end, NAV_SEARCH_FAST, 0);
    expect_true(&fast, best, slack);
    if (fast.status == NAV_PATH_COMPLETE) {
        tally.improved += fast.cost > cost * (1 + 1e-6);
        tally.gain += cost > 0 ? fast.cost / cost - 1 : 0;
    }
    const nav_path hurried = ask(q, start, end, NAV_SEARCH_AUTO, 1 + random_below(&w->seed, 60));
    expect_true(&hurried, best, slack);
}

static void compare_world(world *w, const nav_mesh *mesh, const nav_filter *filter,
                          const uint8_t *switches)
{
    nav_costs costs = {.by_class = sight_class_room(mesh)};
    nav_costs_resolve(mesh, filter, switches, &costs);
    assert_true(costs.uniform);
    sights truth;
    sights_init(&truth, mesh, &costs, false);
    question q = {.mesh = mesh,
                  .truth = &truth,
                  .filter = *filter,
                  .switches = switches,
                  .tolerance = 2e-4f * w->config.cell_size};
    assert_int_equal(nav_scratch_create(NULL, &q.scratch), NAV_OK);
    double *from = calloc(truth.count + 1, sizeof *from);
    float start[3], end[3];
    sight_node start_node = {0};
    for (int i = 0; i < PAIRS_A_WORLD; ++i) {
        if (i % 4 == 0) {
            world_random_place(w, mesh, start);
            const nav_path here = ask(&q, start, start, NAV_SEARCH_FAST, 0);
            if (here.status == NAV_PATH_NONE) {
                i += 3;
                continue;
            }
            start_node = node_of(&q, start);
            sights_from(&truth, &start_node, from);
        }
        world_random_place(w, mesh, end);
        compare_pair(&q, w, from, start, &start_node, end);
    }
    tally.links += mesh->arc_count > 0;
    tally.non_manifold += mesh->has_non_manifold_edges;
    free(from);
    free(costs.by_class);
    nav_scratch_destroy(q.scratch);
    sights_free(&truth);
}

static void paths_are_the_shortest(world *w)
{
    nav_mesh *mesh = world_mesh(w);
    if (mesh == NULL) {
        return;
    }
    const nav_filter everything = {0};
    compare_world(w, mesh, &everything, NULL);
    nav_mesh_release(mesh);
}

static void print_tally(void)
{
    printf("%u paths, %u times none, %u shorter than fast (mean %.4f), %u worlds with links, %u "
           "non-manifold, %u unproven, %u of them not the shortest\n",
           tally.complete, tally.none, tally.improved, tally.gain / fmax(tally.complete, 1),
           tally.links, tally.non_manifold, tally.unproven, tally.worse);
}

static void shortest_in_all_worlds(void **state)
{
    (void)state;
    memset(&tally, 0, sizeof tally);
    for_all_worlds(1500, paths_are_the_shortest);
    print_tally();
    if (getenv("NAV_PROPERTY_WORLDS") == NULL) {
        assert_true(tally.complete >= 10000);
        assert_true(tally.improved > 200);
        assert_true(tally.links > 50);
    }
}

// Closed ground makes new corners, and turning vertices fall apart.
static void paths_keep_to_open_ground(world *w)
{
    world_random_areas(w);
    nav_mesh *mesh = world_mesh(w);
    if (mesh == NULL) {
        return;
    }
    const nav_filter filter = {.exclude = 1u << (1 + random_below(&w->seed, 3))};
    nav_costs costs = {0};
    nav_costs_resolve(mesh, &filter, NULL, &costs);
    if (!costs.open) {
        compare_world(w, mesh, &filter, NULL);
    }
    nav_mesh_release(mesh);
}

static void shortest_where_areas_are_closed(void **state)
{
    (void)state;
    memset(&tally, 0, sizeof tally);
    for_all_worlds(800, paths_keep_to_open_ground);
    print_tally();
    if (getenv("NAV_PROPERTY_WORLDS") == NULL) {
        assert_true(tally.complete >= 500);
    }
}

// Any state of switches, over polygons and links.
static void paths_keep_to_open_switches(world *w)
{
    nav_mesh *mesh = world_mesh_switched(w);
    if (mesh == NULL) {
        return;
    }
    const nav_filter everything = {0};
    for (int i = 0; i < 2; ++i) {
        tally.switched += mesh->ground_class_count > 0;
        compare_world(w, mesh, &everything, world_random_state(w, mesh));
    }
    nav_mesh_release(mesh);
}

static void shortest_in_any_state_of_switches(void **state)
{
    (void)state;
    memset(&tally, 0, sizeof tally);
    for_all_worlds(800, paths_keep_to_open_switches);
    print_tally();
    if (getenv("NAV_PROPERTY_WORLDS") == NULL) {
        assert_true(tally.complete >= 500 && tally.none >= 300 && tally.switched >= 100);
    }
}

// In turn: polygons and portals without area or width; a way that ends beyond a portal by the
// tolerance, and one beside its end; a landmark behind a polygon that is a line; a way back along a
// closed border without width.
static void shortest_where_it_was_not(void **state)
{
    (void)state;
    static const uint64_t numbers[] = {3449, 3964, 6997, 4278, 10554};
    memset(&tally, 0, sizeof tally);
    for_worlds(numbers, sizeof numbers / sizeof numbers[0], paths_are_the_shortest);
    for_worlds(numbers, sizeof numbers / sizeof numbers[0], paths_keep_to_open_ground);
    assert_true(tally.complete >= 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(shortest_in_all_worlds, name_world),
        cmocka_unit_test_teardown(shortest_where_areas_are_closed, name_world),
        cmocka_unit_test_teardown(shortest_in_any_state_of_switches, name_world),
        cmocka_unit_test_teardown(shortest_where_it_was_not, name_world),
    };
    return cmocka_run_group_tests_name("query_exact", tests, NULL, NULL);
}
