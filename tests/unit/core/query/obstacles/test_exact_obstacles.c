// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_exact_obstacles.c: in random worlds with shapes that block: every path keeps clear of
// them; a path that says it is the shortest is as long as brute force finds over what they leave
// (visibility_overlay.h); bounds hold. And where shapes make ground dear, they block nothing.

#include "tests/unit/avoid_world.h"
#include "tests/unit/visibility_overlay.h"

#define PAIRS_A_WORLD 16
// Brute force grows with the square of this.
#define LEFT_PORTALS_MAX 500u
#define DEAR 4.0f

static struct {
    uint32_t answers, legs, air, complete, closed, inside, optimal, shorter, longer, dear;
} tally;

typedef struct question {
    const nav_mesh *mesh;
    nav_scratch *scratch;
    nav_options options;
} question;

// How a path of one question came out, after the scratch has been used again.
typedef struct answer {
    nav_path path;
    uint32_t last_polygon;
} answer;

// No part of a path over ground comes nearer to a shape than the agent's radius, unless it begins
// there. A leg in the air is a link's.
static void expect_clear(const question *q, const nav_path *path, const nav_path_step *steps,
                         uint32_t step_count)
{
    uint32_t step = 0;
    for (uint32_t i = 1; i < path->point_count; ++i) {
        const float *a = path->points + 3 * (i - 1), *b = path->points + 3 * i;
        bool air = false;
        for (; step < step_count && steps[step].point <= i; ++step) {
            air = air || (steps[step].link != NAV_NONE && steps[step].point == i);
        }
        tally.legs += !air;
        tally.air += air;
        for (uint32_t k = 0; k < q->options.avoid_count && !air; ++k) {
            const nav_avoid *shape = &q->options.avoid[k];
            const double radius = (double)q->mesh->agent_radius;
            const double grown = radius + 0.02 * (radius + (double)shape->radius) + 1e-3;
            assert_true(leg_to_shape(a, b, shape) >= radius - 1e-4 ||
                        leg_to_shape(path->points, path->points, shape) < grown);
        }
    }
}

static answer ask(const question *q, const float start[3], const float end[3], nav_search search)
{
    nav_path_request request = {.options = q->options, .search = search};
    memcpy(request.start, start, sizeof request.start);
    memcpy(request.end, end, sizeof request.end);
    answer out = {.last_polygon = NAV_NONE};
    nav_path *path = &out.path;
    assert_int_equal(nav_query_path(q->mesh, q->scratch, &request, path), NAV_OK);
    nav_path_step *steps = calloc(path->corridor_count + 1u, sizeof *steps);
    const uint32_t count = nav_query_path_steps(path, steps, path->corridor_count + 1u);
    if (q->options.avoid[0].blocked) {
        expect_clear(q, path, steps, count);
    }
    out.last_polygon = count > 0 ? steps[count - 1].polygon : NAV_NONE;
    free(steps);
    assert_true(path->lower_bound <= path->cost || path->status != NAV_PATH_COMPLETE);
    ++tally.answers;
    return out;
}

// Brute force's answer to a question: all routes over the mesh, or over the rest of it.
typedef struct truth {
    sights seen;
    double *from;
} truth;

static void truth_init(truth *t, const nav_mesh *mesh, const nav_costs *costs)
{
    sights_init(&t->seen, mesh, costs, false);
    t->from = calloc(t->seen.count + 1u, sizeof *t->from);
}

static void truth_free(truth *t)
{
    sights_free(&t->seen);
    free(t->from);
}

static double truth_cost(truth *t, const nav_location *a, const nav_location *b)
{
    const sight_node start = sight_node_at(a->position, a->polygon);
    const sight_node end = sight_node_at(b->position, b->polygon);
    sights_from(&t->seen, &start, t->from);
    return sights_to(&t->seen, &start, t->from, &end) * (double)t->seen.costs->least;
}

static bool is_between(const answer *found, const nav_location *a, const nav_location *b)
{
    return found->path.status == NAV_PATH_COMPLETE &&
           memcmp(found->path.start, a->position, sizeof a->position) == 0 &&
           memcmp(found->path.end, b->position, sizeof b->position) == 0 &&
           found->path.start_polygon == a->polygon && found->last_polygon == b->polygon;
}

static double slack_of(const world *w, double best)
{
    return 2.5 * 2e-4 * (double)w->config.cell_size + 1e-5 * best;
}

// Rules for any answer, where the least cost of a route is known.
static void expect_true(const world *w, const nav_path *path, double best)
{
    const double slack = slack_of(w, best);
    assert_true(best < HUGE_VAL);
    assert_true(path->cost >= best - slack);
    assert_true(path->lower_bound <= best + slack);
    assert_true(!path->optimal || path->cost <= best + slack);
}

static void compare_pair(const question *q, world *w, const left_ground *ground, truth *left,
                         truth *unobstructed)
{
    float start[3], end[3];
    nav_location a, b, left_a, left_b;
    world_random_place(w, q->mesh, start);
    world_random_place(w, q->mesh, end);
    const answer fast = ask(q, start, end, NAV_SEARCH_FAST);
    const answer exact = ask(q, start, end, NAV_SEARCH_EXACT);
    assert_int_equal(fast.path.status, exact.path.status);
    assert_int_equal(fast.path.reason, exact.path.reason);
    bool start_in_shape, end_in_shape;
    if (!nav_view_snap_end(&ground->view, &q->options, start, &left_a, &start_in_shape) ||
        !nav_view_snap_end(&ground->view, &q->options, end, &left_b, &end_in_shape)) {
        return;
    }
    if (start_in_shape || end_in_shape) {
        // Both may be in the same one.
        assert_true(exact.path.status != NAV_PATH_COMPLETE || start_in_shape);
        assert_true(!exact.path.optimal || start_in_shape);
        ++tally.inside;
        return;
    }
    // A path begins and ends in one of the polygons that meet there, and so does brute force.
    a = left_a;
    b = left_b;
    nav_view_name(&ground->view, &a, 1);
    nav_view_name(&ground->view, &b, 1);
    if (exact.path.status != NAV_PATH_COMPLETE) {
        assert_true(truth_cost(left, &left_a, &left_b) == HUGE_VAL);
        ++tally.closed;
        return;
    }
    if (!is_between(&exact, &a, &b)) {
        return;
    }
    const double best = truth_cost(left, &left_a, &left_b);
    const double without = truth_cost(unobstructed, &a, &b);
    expect_true(w, &exact.path, best);
    if (is_between(&fast, &a, &b)) {
        expect_true(w, &fast.path, best);
    }
    // Where ground folds, labels may happen to find more around shapes that only a fast path meets.
    const bool folds = nav_view_has_non_manifold_edges(&ground->view);
    assert_true(exact.path.cost <= fast.path.cost * (1 + 1e-6) || folds);
    assert_true(exact.path.lower_bound >= without - slack_of(w, without) || folds);
    ++tally.complete;
    tally.optimal += exact.path.optimal;
    tally.shorter += exact.path.cost < fast.path.cost * (1 - 1e-6);
    tally.longer += exact.path.cost > without + slack_of(w, without);
}

static void compare_world(world *w, nav_mesh *mesh, const nav_filter *filter)
{
    world_shapes shapes;
    world_add_shapes(w, mesh, &shapes);
    question q = {.mesh = mesh, .options = nav_options_default()};
    q.options.filter = filter;
    q.options.avoid = shapes.list;
    q.options.avoid_count = shapes.count;
    left_ground ground;
    left_begin(&ground, mesh, &q.options);
    if (ground.mesh.edge_portal_count <= LEFT_PORTALS_MAX) {
        truth left, unobstructed;
        truth_init(&left, &ground.mesh, &ground.costs);
        truth_init(&unobstructed, mesh, &ground.costs);
        assert_int_equal(nav_scratch_create(NULL, &q.scratch), NAV_OK);
        for (int i = 0; i < PAIRS_A_WORLD; ++i) {
            compare_pair(&q, w, &ground, &left, &unobstructed);
        }
        nav_scratch_destroy(q.scratch);
        truth_free(&left);
        truth_free(&unobstructed);
    }
    left_end(&ground);
}

static void paths_around_shapes(world *w)
{
    nav_mesh *mesh = world_mesh(w);
    if (mesh != NULL) {
        compare_world(w, mesh, NULL);
    }
    nav_mesh_release(mesh);
}

// Some ground is closed by a filter, too.
static void paths_around_shapes_and_areas(world *w)
{
    world_random_areas(w);
    nav_mesh *mesh = world_mesh(w);
    if (mesh != NULL) {
        const nav_filter filter = {.exclude = 1u << (1 + random_below(&w->seed, 3))};
        compare_world(w, mesh, &filter);
    }
    nav_mesh_release(mesh);
}

static void shortest_around_shapes(void **state)
{
    (void)state;
    memset(&tally, 0, sizeof tally);
    for_all_worlds(2000, paths_around_shapes);
    printf("%u answers, %u legs over ground, %u in the air; %u paths, %u proven, %u shorter than "
           "fast, %u longer than without shapes; %u without a way\n",
           tally.answers, tally.legs, tally.air, tally.complete, tally.optimal, tally.shorter,
           tally.longer, tally.closed);
    if (getenv("NAV_PROPERTY_WORLDS") == NULL) {
        assert_true(tally.complete > 7000 && tally.inside > 1000 && tally.air > 1000);
        // But for ground without area, and ground that folds.
        assert_true(tally.optimal > tally.complete / 100 * 99);
        assert_true(tally.shorter > 100 && tally.longer > 700 && tally.closed > 2000);
    }
}

static void shortest_around_shapes_where_areas_are_closed(void **state)
{
    (void)state;
    memset(&tally, 0, sizeof tally);
    for_all_worlds(500, paths_around_shapes_and_areas);
    printf("%u paths, %u proven, %u without a way\n", tally.complete, tally.optimal, tally.closed);
    assert_true((tally.complete > 500 && tally.optimal > tally.complete / 100 * 95) ||
                getenv("NAV_PROPERTY_WORLDS") != NULL);
}

// Ground without area, which a bake makes where corners lie on one line: ways led through shapes on
// it.
static void shapes_block_ground_without_area(void **state)
{
    (void)state;
    static const uint64_t worlds[] = {239, 285, 286, 315, 398, 598, 902};
    for_worlds(worlds, sizeof worlds / sizeof worlds[0], paths_around_shapes);
}

// A way whose corridor went around a corner of pieces and along the edge that it had come from: the
// string led straight through the shape.
static void strings_pass_portals_that_end_where_they_turn(void **state)
{
    (void)state;
    const uint64_t world_of_turn = 119;
    for_worlds(&world_of_turn, 1, paths_around_shapes);
}

// ---- dear ground ----

// All of the world in a box, or half of it: as many ways as without, and each as dear as it is.
static void paths_over_dear_ground(world *w)
{
    nav_mesh *mesh = world_mesh(w);
    if (mesh == NULL || mesh->arc_count > 0) {
        nav_mesh_release(mesh);
        return;
    }
    float at[3];
    world_random_place(w, mesh, at);
    const bool all = world_one_in(w, 2);
    const nav_avoid shape = {.shape = NAV_AVOID_BOX,
                             .min = {all ? -1000 : at[0], -1000},
                             .max = {1000, 1000},
                             .bottom = -1000,
                             .top = 1000,
                             .cost = DEAR};
    question q = {.mesh = mesh, .options = nav_options_default()}, plain = q;
    q.options.avoid = &shape;
    q.options.avoid_count = 1;
    plain.options.avoid = &shape;
    assert_int_equal(nav_scratch_create(NULL, &q.scratch), NAV_OK);
    plain.scratch = q.scratch;
    for (int i = 0; i < PAIRS_A_WORLD; ++i) {
        float start[3], end[3];
        world_random_place(w, mesh, start);
        world_random_place(w, mesh, end);
        const nav_path unobstructed = ask(&plain, start, end, NAV_SEARCH_EXACT).path;
        const nav_path dear = ask(&q, start, end, NAV_SEARCH_EXACT).path;
        if (memcmp(unobstructed.start, dear.start, sizeof unobstructed.start) != 0 ||
            memcmp(unobstructed.end, dear.end, sizeof unobstructed.end) != 0) {
            continue;
        }
        assert_int_equal(unobstructed.status, dear.status);
        if (unobstructed.status == NAV_PATH_COMPLETE) {
            const double most = unobstructed.cost * (double)DEAR, least = unobstructed.lower_bound;
            assert_true(dear.cost >= (all ? least * (double)DEAR : least) - slack_of(w, most));
            assert_true(dear.lower_bound <= most + slack_of(w, most));
            assert_true(!dear.optimal || dear.cost <= most + slack_of(w, most));
            ++tally.dear;
        }
    }
    nav_scratch_destroy(q.scratch);
    nav_mesh_release(mesh);
}

// Only a line leads on, and a part of it becomes dear.
static void dear_ground_without_area_hangs_together(void **state)
{
    (void)state;
    const uint64_t world_of_lines = 3220;
    memset(&tally, 0, sizeof tally);
    for_worlds(&world_of_lines, 1, paths_over_dear_ground);
    assert_true(tally.dear > 0);
}

static void dear_ground_blocks_nothing(void **state)
{
    (void)state;
    memset(&tally, 0, sizeof tally);
    for_all_worlds(500, paths_over_dear_ground);
    printf("%u paths over dear ground\n", tally.dear);
    assert_true(tally.dear > 1500 || getenv("NAV_PROPERTY_WORLDS") != NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(shortest_around_shapes, name_world),
        cmocka_unit_test_teardown(shortest_around_shapes_where_areas_are_closed, name_world),
        cmocka_unit_test_teardown(shapes_block_ground_without_area, name_world),
        cmocka_unit_test_teardown(strings_pass_portals_that_end_where_they_turn, name_world),
        cmocka_unit_test_teardown(dear_ground_without_area_hangs_together, name_world),
        cmocka_unit_test_teardown(dear_ground_blocks_nothing, name_world),
    };
    return cmocka_run_group_tests_name("query_exact_obstacles", tests, NULL, NULL);
}
