// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_query_exact_around.c: in random worlds with shapes that block: a path that says it is the
// shortest is as long as brute force finds without the shapes (visibility.h), keeps clear of them,
// and is no longer than the fast one; bounds hold.

#include "visibility_world.h"

#define PAIRS_A_WORLD 16
#define SHAPES_MAX 3

static struct {
    uint32_t complete, optimal, shorter, longer;
} tally;

typedef struct question {
    const nav_mesh *mesh;
    nav_scratch *scratch;
    nav_avoid shapes[SHAPES_MAX];
    uint32_t shape_count;
} question;

static nav_path ask(const question *q, const float start[3], const float end[3], nav_search search)
{
    nav_path_request request = {.options = nav_options_default(), .search = search};
    request.options.avoid = q->shapes;
    request.options.avoid_count = q->shape_count;
    memcpy(request.start, start, sizeof request.start);
    memcpy(request.end, end, sizeof request.end);
    nav_path path;
    assert_int_equal(nav_query_path(q->mesh, q->scratch, &request, &path), NAV_OK);
    return path;
}

// No part of the path comes nearer to a circle than the agent's radius.
static void expect_clear(const question *q, const nav_path *path)
{
    for (uint32_t i = 1; i < path->point_count; ++i) {
        const float *a = path->points + 3 * (i - 1), *b = path->points + 3 * i;
        for (uint32_t k = 0; k < q->shape_count; ++k) {
            const nav_avoid *shape = &q->shapes[k];
            const double dx = (double)b[0] - (double)a[0], dz = (double)b[2] - (double)a[2];
            const double px = (double)shape->center[0] - (double)a[0];
            const double pz = (double)shape->center[1] - (double)a[2];
            const double length2 = dx * dx + dz * dz;
            double t = length2 > 0 ? (px * dx + pz * dz) / length2 : 0;
            t = fmin(1, fmax(0, t));
            assert_true(hypot(px - dx * t, pz - dz * t) >=
                        (double)shape->radius + (double)q->mesh->agent_radius - 1e-4);
        }
    }
}

static uint32_t last_polygon(const question *q, const nav_path *path)
{
    nav_path_step *steps = calloc(path->corridor_count + 1u, sizeof *steps);
    const uint32_t count =
        nav_query_path_steps(q->mesh, q->scratch, path, steps, path->corridor_count + 1u);
    const uint32_t last = steps[count - 1].polygon;
    free(steps);
    return last;
}

static void compare_pair(const question *q, world *w, sights *truth, double *from)
{
    float start[3], end[3];
    nav_location a, b;
    world_random_place(w, q->mesh, start);
    world_random_place(w, q->mesh, end);
    if (nav_query_nearest(q->mesh, start, nav_snap_default(), NAV_NONE, &a, 1) == 0 ||
        nav_query_nearest(q->mesh, end, nav_snap_default(), NAV_NONE, &b, 1) == 0) {
        return;
    }
    const nav_path fast = ask(q, start, end, NAV_SEARCH_FAST);
    const nav_path exact = ask(q, start, end, NAV_SEARCH_EXACT);
    assert_int_equal(fast.status, exact.status);
    assert_int_equal(fast.reason, exact.reason);
    // Brute force knows no shapes: both ends must be where they are without, and in the same of the
    // polygons that meet there.
    if (exact.status != NAV_PATH_COMPLETE || memcmp(exact.start, a.position, sizeof exact.start) ||
        memcmp(exact.end, b.position, sizeof exact.end) || exact.start_polygon != a.polygon ||
        last_polygon(q, &exact) != b.polygon) {
        return;
    }
    const sight_node start_node = sight_node_at(a.position, a.polygon);
    const sight_node end_node = sight_node_at(b.position, b.polygon);
    const double step = (double)truth->costs->least;
    sights_from(truth, &start_node, from);
    const double best = sights_to(truth, &start_node, from, &end_node) * step;
    const double slack = step * 2e-4 * (double)w->config.cell_size + 1e-5 * best;
    // The fast path keeps to what shapes have left; links lead over what is below.
    if (exact.cost < fast.cost * (1 - 1e-6) && q->mesh->way_count == 0) {
        expect_clear(q, &exact);
    }
    assert_true(best < HUGE_VAL);
    assert_true(exact.cost >= best - slack);
    assert_true(exact.cost <= fast.cost * (1 + 1e-6));
    assert_true(exact.lower_bound <= exact.cost);
    assert_true(exact.lower_bound <= best + slack || exact.optimal);
    assert_true(exact.lower_bound >= best - slack || q->mesh->has_folds);
    assert_true(!exact.optimal || exact.cost <= best + slack);
    ++tally.complete;
    tally.optimal += exact.optimal;
    tally.shorter += exact.cost < fast.cost * (1 - 1e-6);
    tally.longer += exact.cost > best + slack;
}

static void paths_around_shapes(world *w)
{
    nav_mesh *mesh = world_mesh(w);
    if (mesh == NULL) {
        return;
    }
    nav_costs costs;
    const nav_filter everything = {0};
    nav_costs_resolve(mesh, &everything, &costs);
    sights truth;
    sights_init(&truth, mesh, &costs, false);
    double *from = calloc(truth.count + 1, sizeof *from);
    question q = {.mesh = mesh, .shape_count = 1 + random_below(&w->seed, SHAPES_MAX)};
    for (uint32_t i = 0; i < q.shape_count; ++i) {
        float center[3];
        world_random_place(w, mesh, center);
        q.shapes[i] = (nav_avoid){.shape = NAV_AVOID_CIRCLE,
                                  .center = {center[0], center[2]},
                                  .radius = world_chance(w, 0.2f, 2) * w->config.cell_size,
                                  .bottom = -1000,
                                  .top = 1000,
                                  .blocked = true};
    }
    assert_int_equal(nav_scratch_create(NULL, &q.scratch), NAV_OK);
    for (int i = 0; i < PAIRS_A_WORLD; ++i) {
        compare_pair(&q, w, &truth, from);
    }
    nav_scratch_destroy(q.scratch);
    free(from);
    sights_free(&truth);
    nav_mesh_release(mesh);
}

static void shortest_around_shapes(void **state)
{
    (void)state;
    memset(&tally, 0, sizeof tally);
    for_all_worlds(500, paths_around_shapes);
    printf("%u paths, %u proven, %u shorter than fast, %u longer than without shapes\n",
           tally.complete, tally.optimal, tally.shorter, tally.longer);
    if (getenv("NAV_PROPERTY_WORLDS") == NULL) {
        assert_true(tally.complete > 1500);
        assert_true(tally.optimal > 500);
        assert_true(tally.shorter > 20);
        assert_true(tally.longer > 50);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(shortest_around_shapes, name_world),
    };
    return cmocka_run_group_tests_name("query_exact_around", tests, NULL, NULL);
}
