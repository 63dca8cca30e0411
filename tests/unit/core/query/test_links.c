// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_links.c: links at their worst: ends on edges, in corners, in polygons without area, in
// one polygon, in one place; chains of links, links that cost nothing. In random worlds full of
// them, with ground closed or not, paths and costs are those that brute force finds
// (visibility.h); where costs differ, a path costs what its points and links do. By hand:
// test_links_cases.c.

#include "tests/unit/links_world.h"

#define LINKS_MAX 24
#define PAIRS_A_WORLD 12

static struct {
    uint32_t complete, none, taken, twice, walks;
} tally;

// NULL where it is empty or too much for brute force.
static nav_mesh *linked_mesh(world *w)
{
    nav_link links[LINKS_MAX] = {0};
    world_simplify(w);
    nav_mesh *mesh = world_bake(w, &w->config);
    if (mesh == NULL || mesh->stats.polygons == 0 ||
        mesh->edge_portal_count > WORLD_PORTALS_MAX / 2) {
        nav_mesh_release(mesh);
        return NULL;
    }
    nav_config config = w->config;
    config.links = links;
    config.link_count = 1 + random_below(&w->seed, LINKS_MAX);
    choose_worst_links(w, mesh, links, (int)config.link_count);
    nav_mesh_release(mesh);
    mesh = world_bake(w, &config);
    if (world_one_in(w, 2)) {
        world_add_landmarks(mesh);
    }
    return mesh;
}

// ---- answers ----

typedef struct question {
    const nav_mesh *mesh;
    nav_scratch *scratch;
    const nav_filter *filter;
    float start[3], end[3];
} question;

static nav_path ask(const question *q, nav_search search, uint32_t max_nodes)
{
    nav_path_request request = {
        .options = nav_options_default(), .search = search, .max_nodes = max_nodes};
    request.options.filter = q->filter;
    memcpy(request.start, q->start, sizeof request.start);
    memcpy(request.end, q->end, sizeof request.end);
    nav_path path;
    assert_int_equal(nav_query_path(q->mesh, q->scratch, &request, &path), NAV_OK);
    return path;
}

static bool leads_to(const nav_mesh *mesh, uint32_t from, uint32_t to)
{
    bool leads = false;
    for (uint32_t i = mesh->portal_first[from]; i < mesh->portal_first[from + 1]; ++i) {
        leads = leads || mesh->portals[i].to == to;
    }
    return leads;
}

// Each polygon of the path is left for the next over an edge, or over a link that begins in it; and
// points rise.
static void expect_steps(const question *q, const nav_path *path)
{
    nav_path_step *steps = calloc(path->corridor_count + 1u, sizeof *steps);
    const uint32_t count = nav_query_path_steps(path, steps, path->corridor_count + 1u);
    assert_true(count >= 1 && count <= path->corridor_count + 1u);
    for (uint32_t i = 1; i < count; ++i) {
        const uint32_t from = steps[i - 1].polygon, to = steps[i].polygon;
        assert_true(steps[i].point >= steps[i - 1].point);
        assert_true(steps[i].point < path->point_count);
        if (steps[i].link == NAV_NONE) {
            assert_true(leads_to(q->mesh, from, to));
            continue;
        }
        const nav_placed_link *link = &q->mesh->links[steps[i].link];
        const bool forward = link->start_polygon == from && link->end_polygon == to;
        const bool back = link->end_polygon == from && link->start_polygon == to;
        assert_true(forward || (back && link->bidirectional));
        ++tally.taken;
    }
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t k = 0; k + 2 < i; ++k) {
            tally.twice += steps[i].link == NAV_NONE && steps[k].polygon == steps[i].polygon;
        }
    }
    free(steps);
}

static void expect_true(const question *q, const nav_path *path, double best, double slack)
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
    expect_steps(q, path);
}

static void compare_matrix(const question *q, double best, double slack)
{
    nav_matrix_request request = {.sources = (const float(*)[3]) & q->start,
                                  .targets = (const float(*)[3]) & q->end,
                                  .source_count = 1,
                                  .target_count = 1,
                                  .options = nav_options_default()};
    request.options.filter = q->filter;
    double cost;
    nav_matrix matrix = {.costs = &cost};
    assert_int_equal(nav_query_matrix(q->mesh, q->scratch, &request, &matrix), NAV_OK);
    assert_int_equal(isfinite(cost), best < HUGE_VAL);
    if (isfinite(cost)) {
        assert_true(matrix.optimal || q->mesh->has_non_manifold_edges);
        assert_true(cost >= best - slack);
        assert_true(!matrix.optimal || cost <= best + slack);
    }
}

static void compare_pair(question *q, world *w, sights *truth, double *from)
{
    const nav_reach open = {.component = NAV_NONE, .ground = nav_costs_table(truth->costs)};
    nav_location start, end;
    world_random_place(w, q->mesh, q->start);
    world_random_place(w, q->mesh, q->end);
    if (nav_query_snap(q->mesh, q->start, nav_snap_default(), open, &start, 1) == 0 ||
        nav_query_snap(q->mesh, q->end, nav_snap_default(), open, &end, 1) == 0) {
        return;
    }
    const sight_node a = sight_node_at(start.position, start.polygon);
    const sight_node b = sight_node_at(end.position, end.polygon);
    const double step = (double)truth->costs->least;
    sights_from(truth, &a, from);
    const double best = sights_to(truth, &a, from, &b) * step;
    const double slack =
        step * 4e-4 * (double)w->config.cell_size + 1e-5 * (best < HUGE_VAL ? best : 0);
    const nav_path exact = ask(q, NAV_SEARCH_EXACT, 0);
    assert_int_equal(exact.status == NAV_PATH_COMPLETE, best < HUGE_VAL);
    expect_true(q, &exact, best, slack);
    if (exact.status == NAV_PATH_COMPLETE) {
        assert_true(exact.optimal || q->mesh->has_non_manifold_edges);
    }
    tally.complete += exact.status == NAV_PATH_COMPLETE;
    tally.none += exact.status != NAV_PATH_COMPLETE;
    const nav_path fast = ask(q, NAV_SEARCH_FAST, 0);
    assert_int_equal(fast.status, exact.status);
    expect_true(q, &fast, best, slack);
    const nav_path hurried = ask(q, NAV_SEARCH_AUTO, 1 + random_below(&w->seed, 60));
    expect_true(q, &hurried, best, slack);
    compare_matrix(q, best, slack);
}

static void compare_world(world *w, const nav_mesh *mesh, const nav_filter *filter)
{
    nav_costs costs = {0};
    sights truth;
    nav_costs_resolve(mesh, filter, NULL, &costs);
    sights_init(&truth, mesh, &costs, false);
    double *from = calloc(truth.count + 1, sizeof *from);
    question q = {.mesh = mesh, .filter = filter};
    assert_int_equal(nav_scratch_create(NULL, &q.scratch), NAV_OK);
    for (int i = 0; i < PAIRS_A_WORLD; ++i) {
        compare_pair(&q, w, &truth, from);
    }
    nav_scratch_destroy(q.scratch);
    free(from);
    sights_free(&truth);
}

static void shortest_with_worst_links(world *w)
{
    const bool closes = world_one_in(w, 3);
    if (closes) {
        world_random_areas(w);
    }
    nav_mesh *mesh = linked_mesh(w);
    const nav_filter filter = {.exclude = closes ? 1u << (2 + random_below(&w->seed, 2)) : 0};
    if (mesh != NULL) {
        compare_world(w, mesh, &filter);
        nav_mesh_release(mesh);
    }
}

static void shortest_in_all_worlds(void **state)
{
    (void)state;
    memset(&tally, 0, sizeof tally);
    for_all_worlds(500, shortest_with_worst_links);
    printf("%u paths, %u times none, %u links taken, %u times back in a polygon\n", tally.complete,
           tally.none, tally.taken, tally.twice);
    if (getenv("NAV_PROPERTY_WORLDS") == NULL) {
        assert_true(tally.complete > 2000);
        assert_true(tally.taken > 2000);
        assert_true(tally.twice > 20);
    }
}

// ---- where costs differ ----

// A path's cost lies between what its points cost at the least and at the most, links at their own.
static void expect_cost_of_points(const question *q, const nav_path *path, const nav_costs *costs)
{
    double plan = 0, most = 0;
    for (int i = 0; i < NAV_MESH_AREAS; ++i) {
        most = q->mesh->area_used[i] && costs->area[i] < INFINITY
                   ? fmax(most, (double)costs->area[i])
                   : most;
    }
    for (uint32_t i = 1; i < path->point_count; ++i) {
        const float *a = path->points + 3 * (i - 1), *b = path->points + 3 * i;
        plan += hypot((double)a[0] - (double)b[0], (double)a[2] - (double)b[2]);
    }
    nav_path_step *steps = calloc(path->corridor_count + 1u, sizeof *steps);
    const uint32_t count = nav_query_path_steps(path, steps, path->corridor_count + 1u);
    double links = 0;
    for (uint32_t i = 1; i < count; ++i) {
        if (steps[i].link != NAV_NONE) {
            const nav_placed_link *link = &q->mesh->links[steps[i].link];
            const double length = hypot((double)link->start[0] - (double)link->end[0],
                                        (double)link->start[2] - (double)link->end[2]);
            links += (double)nav_link_cost(costs, link, (float)length);
            plan -= length;
        }
    }
    free(steps);
    const double slack = 1e-4 * (1 + fabs(path->cost) + fabs(plan));
    assert_true(path->cost >= links + plan * (double)costs->least - slack);
    assert_true(path->cost <= links + plan * most + slack);
}

static void walks_with_worst_links(world *w)
{
    world_random_areas(w);
    nav_mesh *mesh = linked_mesh(w);
    if (mesh == NULL) {
        return;
    }
    nav_filter filter = {.exclude = world_one_in(w, 4) ? 4 : 0};
    for (int i = 0; i < 4; ++i) {
        filter.area_costs[i] = world_chance(w, 0.5f, 5);
    }
    nav_costs costs = {0};
    nav_costs_resolve(mesh, &filter, NULL, &costs);
    question q = {.mesh = mesh, .filter = &filter};
    assert_int_equal(nav_scratch_create(NULL, &q.scratch), NAV_OK);
    for (int i = 0; i < PAIRS_A_WORLD; ++i) {
        world_random_place(w, mesh, q.start);
        world_random_place(w, mesh, q.end);
        const nav_path path = ask(&q, NAV_SEARCH_AUTO, 0);
        if (path.status != NAV_PATH_NONE) {
            expect_steps(&q, &path);
            expect_cost_of_points(&q, &path, &costs);
            assert_true(path.lower_bound <= path.cost || path.status != NAV_PATH_COMPLETE);
            ++tally.walks;
        }
    }
    nav_scratch_destroy(q.scratch);
    nav_mesh_release(mesh);
}

static void walks_in_all_worlds(void **state)
{
    (void)state;
    memset(&tally, 0, sizeof tally);
    for_all_worlds(500, walks_with_worst_links);
    printf("%u walks, %u links taken\n", tally.walks, tally.taken);
    if (getenv("NAV_PROPERTY_WORLDS") == NULL) {
        assert_true(tally.walks > 3000);
        assert_true(tally.taken > 2000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(shortest_in_all_worlds, name_world),
        cmocka_unit_test_teardown(walks_in_all_worlds, name_world),
    };
    return cmocka_run_group_tests_name("query_links", tests, NULL, NULL);
}
