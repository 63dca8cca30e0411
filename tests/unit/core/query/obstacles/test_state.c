// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_state.c: in random worlds, a question gets the same answer to the last bit, whether it names
// its shapes itself, in whatever order, finds them cut by the question before, or is asked in a
// state of the world that has them, made at once or step by step, or has only some of them.

#include "tests/unit/avoid_world.h"

#define PAIRS_A_WORLD 8
#define STEPS 3

static nav_scratch *scratch;
static nav_scratch *other; // for the second answer: paths live in their scratch

static struct {
    uint32_t answers, complete, around;
    size_t most_bytes;
} tally;

static nav_overlay *make_state(nav_mesh *mesh, const nav_overlay *last, const nav_avoid *shapes,
                               uint32_t count)
{
    nav_overlay *state = NULL;
    const nav_overlay_parts parts = {.shapes = shapes, .shape_count = count};
    assert_int_equal(nav_overlay_create(mesh, scratch, last, &parts, &state, NULL), NAV_OK);
    return state;
}

// ---- answers ----

static void expect_same_path(const nav_mesh *mesh, const nav_path_request *a,
                             const nav_path_request *b)
{
    nav_path one, two;
    assert_int_equal(nav_query_path(mesh, scratch, a, &one), NAV_OK);
    assert_int_equal(nav_query_path(mesh, other, b, &two), NAV_OK);
    assert_int_equal(one.status, two.status);
    assert_int_equal(one.reason, two.reason);
    assert_int_equal(one.optimal, two.optimal);
    assert_int_equal(one.point_count, two.point_count);
    assert_memory_equal(&one.cost, &two.cost, sizeof one.cost);
    assert_memory_equal(&one.lower_bound, &two.lower_bound, sizeof one.lower_bound);
    assert_memory_equal(&one.length, &two.length, sizeof one.length);
    assert_memory_equal(one.start, two.start, sizeof one.start);
    assert_memory_equal(one.end, two.end, sizeof one.end);
    for (uint32_t i = 0; i < 3 * one.point_count; ++i) {
        assert_memory_equal(&one.points[i], &two.points[i], sizeof one.points[i]);
    }
    ++tally.answers;
    tally.complete += one.status == NAV_PATH_COMPLETE;
    tally.around += one.status == NAV_PATH_COMPLETE && scratch->overlay.count.fragments > 0;
}

static void expect_same_places(const nav_mesh *mesh, const float from[3], const float to[3],
                               const nav_options *a, const nav_options *b)
{
    nav_ray rays[2];
    memset(rays, 0, sizeof rays);
    assert_int_equal(nav_query_raycast(mesh, scratch, from, to, a, &rays[0]), NAV_OK);
    assert_int_equal(nav_query_raycast(mesh, other, from, to, b, &rays[1]), NAV_OK);
    assert_int_equal(rays[0].found, rays[1].found);
    if (rays[0].found) {
        assert_memory_equal(rays[0].position, rays[1].position, sizeof rays[0].position);
        assert_memory_equal(&rays[0].cost, &rays[1].cost, sizeof rays[0].cost);
    }
    nav_wall walls[2];
    memset(walls, 0, sizeof walls);
    assert_int_equal(nav_query_wall(mesh, scratch, from, 5, a, &walls[0]), NAV_OK);
    assert_int_equal(nav_query_wall(mesh, other, from, 5, b, &walls[1]), NAV_OK);
    assert_memory_equal(&walls[0].distance, &walls[1].distance, sizeof walls[0].distance);
    nav_location places[2][8];
    uint32_t counts[2];
    memset(places, 0, sizeof places);
    for (int side = 0; side < 2; ++side) {
        assert_int_equal(nav_query_random(mesh, side ? other : scratch, 7, NULL, 0, side ? b : a,
                                          places[side], 8, &counts[side]),
                         NAV_OK);
    }
    assert_int_equal(counts[0], counts[1]);
    assert_memory_equal(places[0], places[1], counts[0] * sizeof places[0][0]);
    double costs[2][2];
    for (int side = 0; side < 2; ++side) {
        const nav_matrix_request request = {.sources = (const float(*)[3])from,
                                            .targets = (const float(*)[3])to,
                                            .source_count = 1,
                                            .target_count = 1,
                                            .options = side ? *b : *a};
        nav_matrix matrix = {.costs = costs[side]};
        assert_int_equal(nav_query_matrix(mesh, side ? other : scratch, &request, &matrix), NAV_OK);
    }
    assert_memory_equal(costs[0], costs[1], sizeof costs[0][0]);
    tally.answers += 4;
}

static void expect_same(world *w, nav_mesh *mesh, const nav_options *a, const nav_options *b)
{
    for (int i = 0; i < PAIRS_A_WORLD; ++i) {
        nav_path_request one = {.options = *a};
        world_random_place(w, mesh, one.start);
        world_random_place(w, mesh, one.end);
        one.no_partial = world_one_in(w, 2);
        one.search = world_one_in(w, 2) ? NAV_SEARCH_FAST : NAV_SEARCH_AUTO;
        one.max_nodes = world_one_in(w, 8) ? 20 : 0;
        nav_path_request two = one;
        two.options = *b;
        // The second question of a pair finds what the first one has cut.
        two.options.avoid_repeated = i > 0 && b->avoid_count > 0;
        expect_same_path(mesh, &one, &two);
    }
    float from[3], to[3];
    world_random_place(w, mesh, from);
    world_random_place(w, mesh, to);
    expect_same_places(mesh, from, to, a, b);
}

// ---- worlds ----

static void shuffle(world *w, nav_avoid *shapes, uint32_t count)
{
    for (uint32_t i = count; i > 1; --i) {
        const uint32_t k = random_below(&w->seed, i);
        const nav_avoid shape = shapes[i - 1];
        shapes[i - 1] = shapes[k];
        shapes[k] = shape;
    }
}

static void states_of_a_world(world *w)
{
    nav_mesh *mesh = world_mesh(w);
    if (mesh == NULL) {
        return;
    }
    world_shapes shapes;
    world_add_mixed_shapes(w, mesh, 6, &shapes);
    nav_avoid mixed[sizeof shapes.list / sizeof *shapes.list];
    memcpy(mixed, shapes.list, sizeof mixed);
    shuffle(w, mixed, shapes.count);
    nav_options named = nav_options_default(), again = named, in_state = named, half = named;
    named.avoid = shapes.list;
    again.avoid = mixed;
    named.avoid_count = again.avoid_count = shapes.count;
    expect_same(w, mesh, &named, &again);
    // Shapes come and go on the way to the state.
    nav_overlay *state = NULL;
    for (uint32_t step = 0; step <= STEPS; ++step) {
        const uint32_t first = step < STEPS ? random_below(&w->seed, shapes.count + 1) : 0;
        const uint32_t count =
            step < STEPS ? random_below(&w->seed, shapes.count - first + 1) : shapes.count;
        nav_overlay *next = make_state(mesh, state, mixed + first, count);
        nav_overlay_release(state);
        state = next;
    }
    in_state.overlay = state;
    expect_same(w, mesh, &named, &in_state);
    tally.most_bytes =
        nav_overlay_bytes(state) > tally.most_bytes ? nav_overlay_bytes(state) : tally.most_bytes;
    const uint32_t some = random_below(&w->seed, shapes.count + 1);
    nav_overlay *part = make_state(mesh, state, mixed, some);
    half.overlay = part;
    half.avoid = mixed + some;
    half.avoid_count = shapes.count - some;
    expect_same(w, mesh, &named, &half);
    nav_overlay_release(part);
    nav_overlay_release(state);
    nav_mesh_release(mesh);
}

static void answers_are_the_same(void **state)
{
    (void)state;
    memset(&tally, 0, sizeof tally);
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    assert_int_equal(nav_scratch_create(NULL, &other), NAV_OK);
    for_all_worlds(1000, states_of_a_world);
    nav_scratch_destroy(scratch);
    nav_scratch_destroy(other);
    printf("%u answers, %u paths to the goal, %u of them around shapes; a state takes at most %zu "
           "bytes\n",
           tally.answers, tally.complete, tally.around, tally.most_bytes);
    assert_true((tally.answers > 10000 && tally.around > 2000) ||
                getenv("NAV_PROPERTY_WORLDS") != NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(answers_are_the_same, name_world),
    };
    return cmocka_run_group_tests_name("query_state", tests, NULL, NULL);
}
