// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// A scratch that has answered a set of questions answers them again, of every kind, without asking
// for memory.

#include "counting_allocator.h"
#include "mesh_builder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#define SIDE 30
#define QUESTIONS 300

static nav_mesh *random_mesh(uint64_t *seed)
{
    char text[SIDE * (SIDE + 1)];
    for (int i = 0; i < SIDE * (SIDE + 1); ++i) {
        const bool wall = next_random(seed) % 100 < 25;
        text[i] = i % (SIDE + 1) == SIDE ? '/' : wall ? '#' : "...2"[next_random(seed) % 4];
    }
    text[SIDE * (SIDE + 1) - 1] = '\0';
    nav_mesh *mesh = map_mesh(text);
    nav_arena arena, result;
    nav_arena_init(&arena, NULL, 0);
    nav_arena_init(&result, NULL, 0);
    nav_blob blob;
    assert_int_equal(nav_landmarks_make(mesh, NULL, &arena, &result, &blob), NAV_OK);
    assert_int_equal(nav_mesh_add_landmarks(mesh, blob, NULL), NAV_OK);
    nav_arena_free(&arena);
    nav_arena_free(&result);
    return mesh;
}

static void random_place(uint64_t *seed, float out[3])
{
    out[0] = (float)(next_random(seed) % (100 * SIDE)) / 100.0f;
    out[1] = 0.0f;
    out[2] = (float)(next_random(seed) % (100 * SIDE)) / 100.0f;
}

static void ask_paths(const nav_mesh *mesh, nav_scratch *scratch, const nav_options *options,
                      const float start[3], const float end[3])
{
    static const nav_search searches[] = {NAV_SEARCH_FAST, NAV_SEARCH_EXACT, NAV_SEARCH_AUTO};
    for (int i = 0; i < 6; ++i) {
        nav_path_request request = {
            .options = *options, .search = searches[i % 3], .no_partial = i < 3};
        memcpy(request.start, start, sizeof request.start);
        memcpy(request.end, end, sizeof request.end);
        nav_path path;
        nav_path_step steps[64];
        assert_int_equal(nav_query_path(mesh, scratch, &request, &path), NAV_OK);
        nav_query_path_steps(mesh, scratch, &path, steps, 64);
    }
}

static void ask_places(const nav_mesh *mesh, nav_scratch *scratch, const nav_options *options,
                       const float start[3], const float end[3])
{
    nav_location places[8];
    uint32_t count;
    bool reached;
    nav_ray ray;
    nav_move move;
    nav_wall wall;
    assert_int_equal(
        nav_query_reachable(mesh, scratch, start, options, (const float(*)[3])end, 1, &reached),
        NAV_OK);
    assert_int_equal(
        nav_query_nearest_reachable(mesh, scratch, end, start, options, places, 8, &count), NAV_OK);
    assert_int_equal(nav_query_raycast(mesh, scratch, start, end, options, &ray), NAV_OK);
    assert_int_equal(nav_query_move(mesh, scratch, start, end, options, &move), NAV_OK);
    assert_int_equal(nav_query_wall(mesh, scratch, start, 5.0f, options, &wall), NAV_OK);
    assert_int_equal(
        nav_query_floors(mesh, scratch, start[0], start[2], options, places, 8, &count), NAV_OK);
    assert_int_equal(nav_query_random(mesh, scratch, 7, start, 6.0f, options, places, 8, &count),
                     NAV_OK);
    nav_query_nearest(mesh, start, options->snap, NAV_NONE, places, 8);
}

// The same questions each time: plain, under a filter that closes and one that does not, and with
// shapes to avoid.
static void ask_all(const nav_mesh *mesh, nav_scratch *scratch)
{
    static const nav_avoid avoid[2] = {
        {.shape = NAV_AVOID_CIRCLE, .blocked = true, .center = {9, 9}, .radius = 2, .top = 9},
        {.shape = NAV_AVOID_BOX, .cost = 3.0f, .min = {15, 3}, .max = {20, 22}, .top = 9}};
    nav_filter dear = {0};
    nav_filter closed = {0};
    dear.area_costs[2] = 4.0f;
    closed.area_costs[2] = HUGE_VALF;
    uint64_t seed = 12;
    for (int i = 0; i < QUESTIONS; ++i) {
        nav_options options = nav_options_default();
        options.filter = i % 4 == 1 ? &dear : i % 4 == 2 ? &closed : NULL;
        options.avoid = avoid;
        options.avoid_count = i % 4 == 3 ? 2 : 0;
        float start[3], end[3];
        random_place(&seed, start);
        random_place(&seed, end);
        ask_paths(mesh, scratch, &options, start, end);
        ask_places(mesh, scratch, &options, start, end);
    }
}

static void warm_scratch_asks_for_nothing(void **state)
{
    (void)state;
    counting counted = {.calls_max = 100000};
    const nav_allocator allocator = counting_allocator(&counted);
    uint64_t seed = 4;
    nav_mesh *mesh = random_mesh(&seed);
    nav_scratch *scratch = NULL;
    assert_int_equal(nav_scratch_create(&allocator, &scratch), NAV_OK);
    ask_all(mesh, scratch);
    const uint32_t calls = counted.calls;
    assert_true(calls > 1);
    ask_all(mesh, scratch);
    assert_int_equal(counted.calls, calls);
    nav_scratch_destroy(scratch);
    assert_int_equal(counted.held_bytes, 0);
    nav_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(warm_scratch_asks_for_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
