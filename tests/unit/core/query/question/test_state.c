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
    const nav_overlay_items parts = {.shapes = shapes, .shape_count = count};
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

// The answers to one question of each kind but paths, as bytes, one behind the other.
typedef struct answer_bytes {
    uint8_t bytes[1 << 16];
    size_t count;
} answer_bytes;

static void note(answer_bytes *out, const void *from, size_t size_bytes)
{
    assert_true(size_bytes <= sizeof out->bytes - out->count);
    memcpy(out->bytes + out->count, from, size_bytes);
    out->count += size_bytes;
}

static void note_places(answer_bytes *out, const nav_location *places, uint32_t count)
{
    note(out, &count, sizeof count);
    for (uint32_t i = 0; i < count; ++i) {
        note(out, &places[i].polygon, sizeof places[i].polygon);
        note(out, places[i].position, sizeof places[i].position);
        note(out, &places[i].distance, sizeof places[i].distance);
    }
}

#define PLACES_MAX 8u
#define FLOODED_MAX 64u

static void note_positions(const nav_mesh *mesh, nav_scratch *s, const float (*at)[3],
                           const nav_options *options, answer_bytes *out)
{
    nav_location places[PLACES_MAX];
    uint32_t count;
    for (int from = 0; from < 2; ++from) {
        assert_int_equal(nav_query_nearest_reachable(mesh, s, at[0], from ? at[1] : NULL, options,
                                                     places, PLACES_MAX, &count),
                         NAV_OK);
        note_places(out, places, count);
        assert_int_equal(nav_query_random(mesh, s, 7, from ? at[0] : NULL, from ? 5 : 0, options,
                                          places, PLACES_MAX, &count),
                         NAV_OK);
        note_places(out, places, count);
    }
    assert_int_equal(
        nav_query_floors(mesh, s, at[0][0], at[0][2], options, places, PLACES_MAX, &count), NAV_OK);
    note_places(out, places, count);
}

static void note_walks(const nav_mesh *mesh, nav_scratch *s, const float (*at)[3],
                       const nav_options *options, answer_bytes *out)
{
    nav_ray ray;
    memset(&ray, 0, sizeof ray);
    assert_int_equal(nav_query_raycast(mesh, s, at[0], at[1], options, &ray), NAV_OK);
    note(out, &ray.found, sizeof ray.found);
    if (ray.found) {
        note(out, &ray.t, sizeof ray.t);
        note(out, ray.position, sizeof ray.position);
        note(out, ray.normal, sizeof ray.normal);
        note(out, &ray.cost, sizeof ray.cost);
    }
    nav_move move;
    assert_int_equal(nav_query_move(mesh, s, at[0], at[1], options, &move), NAV_OK);
    note(out, &move.found, sizeof move.found);
    if (move.found) {
        note(out, move.position, sizeof move.position);
        note(out, move.visited, move.visited_count * sizeof *move.visited);
    }
    nav_wall wall;
    assert_int_equal(nav_query_wall(mesh, s, at[0], 5, options, &wall), NAV_OK);
    note(out, &wall.found, sizeof wall.found);
    if (wall.found) {
        note(out, &wall.distance, sizeof wall.distance);
        note(out, wall.position, wall.hit ? sizeof wall.position : 0);
        note(out, wall.normal, wall.hit ? sizeof wall.normal : 0);
    }
    const double times[] = {0, 2000, 4000};
    const nav_trace_request log = {
        .positions = at, .times_ms = times, .count = 3, .max_speed = 4, .options = *options};
    nav_trace trace;
    assert_int_equal(nav_query_trace(mesh, s, &log, &trace), NAV_OK);
    note(out, &trace.reason, sizeof trace.reason);
    note(out, &trace.step, sizeof trace.step);
    note(out, trace.position, trace.reason != NAV_TRACE_LEGAL ? sizeof trace.position : 0);
}

static void note_costs(const nav_mesh *mesh, nav_scratch *s, const float (*at)[3],
                       const nav_options *options, answer_bytes *out)
{
    double costs[4];
    bool found[2][2], reachable[2];
    nav_matrix matrix = {.costs = costs, .sources_found = found[0], .targets_found = found[1]};
    const nav_matrix_request request = {.sources = at,
                                        .targets = at + 1,
                                        .source_count = 2,
                                        .target_count = 2,
                                        .options = *options};
    assert_int_equal(nav_query_matrix(mesh, s, &request, &matrix), NAV_OK);
    note(out, costs, sizeof costs);
    note(out, found, sizeof found);
    note(out, &matrix.optimal, sizeof matrix.optimal);
    nav_flood flood;
    nav_flood_polygon polygons[FLOODED_MAX];
    assert_int_equal(nav_query_flood(mesh, s, at[0], 20, options, polygons, FLOODED_MAX, &flood),
                     NAV_OK);
    note(out, &flood.found, sizeof flood.found);
    note(out, &flood.optimal, sizeof flood.optimal);
    for (uint32_t i = 0; i < flood.count; ++i) {
        note(out, &polygons[i].polygon, sizeof polygons[i].polygon);
        note(out, polygons[i].position, sizeof polygons[i].position);
        note(out, &polygons[i].cost, sizeof polygons[i].cost);
    }
    assert_int_equal(nav_query_reachable(mesh, s, at[0], options, at + 1, 2, reachable), NAV_OK);
    note(out, reachable, sizeof reachable);
}

static void expect_same_places(const nav_mesh *mesh, const float (*at)[3], const nav_options *a,
                               const nav_options *b)
{
    static answer_bytes answers[2];
    for (int side = 0; side < 2; ++side) {
        nav_scratch *s = side ? other : scratch;
        const nav_options *options = side ? b : a;
        answers[side].count = 0;
        note_positions(mesh, s, at, options, &answers[side]);
        note_walks(mesh, s, at, options, &answers[side]);
        note_costs(mesh, s, at, options, &answers[side]);
    }
    assert_int_equal(answers[0].count, answers[1].count);
    assert_memory_equal(answers[0].bytes, answers[1].bytes, answers[0].count);
    tally.answers += 11;
}

// A place by chance, as often as not in one of the shapes or close to it.
static void place_near(world *w, const nav_mesh *mesh, const nav_options *options, float out[3])
{
    world_random_place(w, mesh, out);
    if (options->avoid_count > 0 && world_one_in(w, 2)) {
        const nav_avoid *shape = &options->avoid[random_below(&w->seed, options->avoid_count)];
        spot corners[4];
        shape_corners(shape, corners);
        out[0] = (float)corners[0].x + world_chance(w, -2, 2) * w->config.cell_size;
        out[2] = (float)corners[0].z + world_chance(w, -2, 2) * w->config.cell_size;
    }
}

static void expect_same(world *w, nav_mesh *mesh, const nav_options *a, const nav_options *b)
{
    for (int i = 0; i < PAIRS_A_WORLD; ++i) {
        nav_path_request one = {.options = *a};
        place_near(w, mesh, a, one.start);
        place_near(w, mesh, a, one.end);
        one.no_partial = world_one_in(w, 2);
        one.search = (nav_search)random_below(&w->seed, 3);
        one.max_nodes = world_one_in(w, 8) ? 20 : 0;
        one.clearance = world_one_in(w, 4) ? world_chance(w, 0.1f, 2) * w->config.cell_size : 0.0f;
        nav_path_request two = one;
        two.options = *b;
        // The second question of a pair finds what the first one has cut.
        two.options.avoid_repeated = i > 0 && b->avoid_count > 0;
        expect_same_path(mesh, &one, &two);
    }
    float at[3][3];
    for (int i = 0; i < 3; ++i) {
        place_near(w, mesh, a, at[i]);
    }
    expect_same_places(mesh, (const float(*)[3])at, a, b);
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

// On slopes and stairs some shapes block a part of what lies under them.
static void limit_height(world *w, const nav_mesh *mesh, nav_avoid *shape)
{
    if (world_one_in(w, 3)) {
        float at[3];
        world_random_place(w, mesh, at);
        shape->bottom = at[1] - world_chance(w, 0, 4) * w->config.cell_height;
        shape->top = at[1] + world_chance(w, 0, 8) * w->config.cell_height;
    }
}

static void states_of_a_world(world *w)
{
    nav_mesh *mesh = world_mesh(w);
    if (mesh == NULL) {
        return;
    }
    world_shapes parts[2];
    nav_avoid shapes[2 * SHAPES_MAX], mixed[2 * SHAPES_MAX];
    uint32_t shape_count = 0;
    for (int i = 0; i < 2; ++i) {
        world_add_mixed_shapes(w, mesh, 6, &parts[i]);
        for (uint32_t k = 0; k < parts[i].count; ++k) {
            shapes[shape_count] = parts[i].list[k];
            limit_height(w, mesh, &shapes[shape_count++]);
        }
    }
    memcpy(mixed, shapes, sizeof mixed);
    shuffle(w, mixed, shape_count);
    nav_options named = nav_options_default(), again = named, in_state = named, half = named;
    named.avoid = shapes;
    again.avoid = mixed;
    named.avoid_count = again.avoid_count = shape_count;
    expect_same(w, mesh, &named, &again);
    // Shapes come and go on the way to the state.
    nav_overlay *state = NULL;
    for (uint32_t step = 0; step <= STEPS; ++step) {
        const uint32_t first = step < STEPS ? random_below(&w->seed, shape_count + 1) : 0;
        const uint32_t count =
            step < STEPS ? random_below(&w->seed, shape_count - first + 1) : shape_count;
        nav_overlay *next = make_state(mesh, state, mixed + first, count);
        nav_overlay_release(state);
        state = next;
    }
    in_state.overlay = state;
    expect_same(w, mesh, &named, &in_state);
    tally.most_bytes =
        nav_overlay_bytes(state) > tally.most_bytes ? nav_overlay_bytes(state) : tally.most_bytes;
    const uint32_t some = random_below(&w->seed, shape_count + 1);
    nav_overlay *part = make_state(mesh, state, mixed, some);
    half.overlay = part;
    half.avoid = mixed + some;
    half.avoid_count = shape_count - some;
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
    for_all_worlds(700, states_of_a_world);
    nav_scratch_destroy(scratch);
    nav_scratch_destroy(other);
    printf("%u answers, %u paths to the goal, %u of them around shapes; a state takes at most %zu "
           "bytes\n",
           tally.answers, tally.complete, tally.around, tally.most_bytes);
    assert_true((tally.answers > 10000 && tally.around > 2000) ||
                getenv("NAV_PROPERTY_WORLDS") != NULL);
}

// A path that is led away from walls begins on a border, and stays in a fragment behind it in which
// its first point does not lie, as far as rounding goes.
static void a_path_knows_the_fragment_that_it_begins_in(void **state)
{
    (void)state;
    static const uint64_t worlds[] = {2000362};
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    assert_int_equal(nav_scratch_create(NULL, &other), NAV_OK);
    for_worlds(worlds, 1, states_of_a_world);
    nav_scratch_destroy(scratch);
    nav_scratch_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(answers_are_the_same, name_world),
        cmocka_unit_test_teardown(a_path_knows_the_fragment_that_it_begins_in, name_world),
    };
    return cmocka_run_group_tests_name("query_state", tests, NULL, NULL);
}
