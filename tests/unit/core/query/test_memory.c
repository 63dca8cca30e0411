// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// No kind of question takes memory once the scratch is warm: not under a filter, not with shapes to
// avoid; and where there is no memory at all, each says so and leaves the scratch usable.

#include "core/query/search/polyanya/polyanya.h"
#include "core/query/view/scratch.h"
#include "tests/unit/counting_allocator.h"
#include "tests/unit/mesh_builder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#define SIDE 40
#define ROUNDS 6
#define POINTS 8

static nav_mesh *mesh;

// A map with pillars, ground of two further areas, and a link across it; without landmarks until
// the last test adds them.
static int begin(void **state)
{
    (void)state;
    static const nav_name flags[] = {"walk", "swim"};
    static const nav_area areas[] = {{.name = "none", .cost = 1},
                                     {.name = "ground", .cost = 1, .flags = 1},
                                     {.name = "water", .cost = 3, .flags = 2},
                                     {.name = "road", .cost = 0.5f, .flags = 1}};
    static const nav_link links[] = {
        {.start = {0.5f, 0, 0.5f}, .end = {38.5f, 0, 38.5f}, .radius = 1, .area = 1, .id = "jump"}};
    nav_config config = nav_config_default();
    config.areas = areas;
    config.area_count = 4;
    config.flag_names = flags;
    config.flag_count = 2;
    config.links = links;
    config.link_count = 1;
    char map[(SIDE + 1) * SIDE];
    uint64_t random = 3;
    for (int i = 0; i < SIDE * SIDE; ++i) {
        const uint32_t die = next_random(&random) % 20;
        const bool end_of_link = i == 0 || i == 38 * SIDE + 38;
        map[i + i / SIDE] = end_of_link ? '.' : die < 3 ? '#' : die < 6 ? '2' : die < 9 ? '3' : '.';
        if (i % SIDE == SIDE - 1) {
            map[i + i / SIDE + 1] = i + 1 < SIDE * SIDE ? '/' : '\0';
        }
    }
    mesh = map_mesh_with(map, &config, NULL);
    return 0;
}

static int end(void **state)
{
    (void)state;
    nav_mesh_release(mesh);
    return 0;
}

static float random_coordinate(uint64_t *random)
{
    return (float)(next_random(random) % (100 * SIDE)) / 100.0f;
}

typedef struct places {
    float at[POINTS][3];
} places;

static places random_places(uint64_t *random)
{
    places p = {0};
    for (int i = 0; i < POINTS; ++i) {
        p.at[i][0] = random_coordinate(random);
        p.at[i][2] = random_coordinate(random);
    }
    return p;
}

typedef nav_status (*question)(nav_scratch *scratch, const nav_options *options, const places *p);

// To the end or not at all, then to the end or as near as one comes, then away from walls, too.
static nav_status ask_path(nav_scratch *scratch, const nav_options *options, const places *p,
                           nav_search search)
{
    nav_path path;
    nav_path_step steps[64];
    nav_path_request request = {.options = *options, .search = search};
    memcpy(request.start, p->at[0], sizeof request.start);
    memcpy(request.end, p->at[1], sizeof request.end);
    nav_status status = NAV_OK;
    for (int i = 0; i < 3 && status == NAV_OK; ++i) {
        request.no_partial = i == 0;
        request.clearance = i == 2 ? 0.3f : 0.0f;
        status = nav_query_path(mesh, scratch, &request, &path);
        if (status == NAV_OK) {
            nav_query_path_steps(&path, steps, 64);
        }
    }
    return status;
}

static nav_status ask_fast(nav_scratch *scratch, const nav_options *options, const places *p)
{
    return ask_path(scratch, options, p, NAV_SEARCH_FAST);
}

static nav_status ask_exact(nav_scratch *scratch, const nav_options *options, const places *p)
{
    return ask_path(scratch, options, p, NAV_SEARCH_EXACT);
}

static nav_status ask_auto(nav_scratch *scratch, const nav_options *options, const places *p)
{
    return ask_path(scratch, options, p, NAV_SEARCH_AUTO);
}

static nav_status ask_reachable(nav_scratch *scratch, const nav_options *options, const places *p)
{
    bool reachable[POINTS];
    return nav_query_reachable(mesh, scratch, p->at[0], options, p->at, POINTS, reachable);
}

static nav_status ask_nearest(nav_scratch *scratch, const nav_options *options, const places *p)
{
    nav_location out[POINTS];
    uint32_t count;
    nav_query_nearest(mesh, p->at[0], options->snap, NAV_NONE, out, POINTS);
    return nav_query_nearest_reachable(mesh, scratch, p->at[0], p->at[1], options, out, POINTS,
                                       &count);
}

static nav_status ask_raycast(nav_scratch *scratch, const nav_options *options, const places *p)
{
    nav_ray ray;
    return nav_query_raycast(mesh, scratch, p->at[0], p->at[1], options, &ray);
}

static nav_status ask_move(nav_scratch *scratch, const nav_options *options, const places *p)
{
    nav_move move;
    return nav_query_move(mesh, scratch, p->at[0], p->at[1], options, &move);
}

static nav_status ask_wall(nav_scratch *scratch, const nav_options *options, const places *p)
{
    nav_wall wall;
    return nav_query_wall(mesh, scratch, p->at[0], 30.0f, options, &wall);
}

static nav_status ask_floors(nav_scratch *scratch, const nav_options *options, const places *p)
{
    nav_location out[POINTS];
    uint32_t count;
    return nav_query_floors(mesh, scratch, p->at[0][0], p->at[0][2], options, out, POINTS, &count);
}

static nav_status ask_random(nav_scratch *scratch, const nav_options *options, const places *p)
{
    nav_location out[POINTS];
    uint32_t count;
    nav_status status =
        nav_query_random(mesh, scratch, 1, NULL, 0.0f, options, out, POINTS, &count);
    return status != NAV_OK
               ? status
               : nav_query_random(mesh, scratch, 1, p->at[0], 5.0f, options, out, POINTS, &count);
}

static nav_status ask_trace(nav_scratch *scratch, const nav_options *options, const places *p)
{
    static const double times[POINTS] = {0, 9e3, 18e3, 27e3, 36e3, 45e3, 54e3, 63e3};
    const nav_trace_request request = {.positions = p->at,
                                       .times_ms = times,
                                       .count = POINTS,
                                       .max_speed = 9,
                                       .options = *options};
    nav_trace trace;
    return nav_query_trace(mesh, scratch, &request, &trace);
}

static const question QUESTIONS[] = {ask_fast,    ask_exact,   ask_auto, ask_reachable,
                                     ask_nearest, ask_raycast, ask_move, ask_wall,
                                     ask_floors,  ask_random,  ask_trace};
#define QUESTION_COUNT (sizeof QUESTIONS / sizeof *QUESTIONS)

// Option sets: no filter, one that makes ground dear, one that closes some; each without and with
// shapes to avoid.
#define OPTION_KINDS 6

// Round by round another place.
static nav_status ask(nav_scratch *scratch, question q, int round, int options_kind)
{
    static const nav_filter dear = {.area_costs = {[2] = 4.0f, [3] = 2.0f}};
    static const nav_filter closed = {.area_costs = {[3] = HUGE_VALF}, .exclude = 2};
    static const nav_filter *const filters[] = {NULL, &dear, &closed};
    uint64_t random = (uint64_t)round + 1;
    const places p = random_places(&random);
    static const float corners[5][2] = {{5, 5}, {5, 12}, {9, 15}, {14, 10}, {12, 4}};
    nav_avoid avoid[3] = {
        {.shape = NAV_AVOID_CIRCLE, .blocked = true, .radius = 3.0f, .bottom = -1, .top = 1},
        {.shape = NAV_AVOID_BOX,
         .cost = 4.0f,
         .min = {8, 8},
         .max = {31, 30},
         .bottom = -1,
         .top = 1},
        {.shape = NAV_AVOID_CONVEX, .cost = 0.5f, .points = corners, .point_count = 5, .top = 1}};
    avoid[0].center[0] = random_coordinate(&random);
    avoid[0].center[1] = random_coordinate(&random);
    const nav_options options = {.snap = {2, 4, 4},
                                 .filter = filters[options_kind % 3],
                                 .avoid = options_kind >= 3 ? avoid : NULL,
                                 .avoid_count = options_kind >= 3 ? 3 : 0};
    return q(scratch, &options, &p);
}

static void ask_all(nav_scratch *scratch)
{
    for (int round = 0; round < ROUNDS; ++round) {
        for (int options = 0; options < OPTION_KINDS; ++options) {
            for (size_t i = 0; i < QUESTION_COUNT; ++i) {
                assert_int_equal(ask(scratch, QUESTIONS[i], round, options), NAV_OK);
            }
        }
    }
}

// The same questions twice: the second time nothing is asked of the allocator.
static void warm_and_ask(void)
{
    counting counted = {.calls_max = UINT32_MAX};
    const nav_allocator allocator = counting_allocator(&counted);
    nav_scratch *scratch;
    assert_int_equal(nav_scratch_create(&allocator, &scratch), NAV_OK);
    ask_all(scratch);
    const uint32_t warm = counted.calls;
    const size_t held_bytes = counted.held_bytes;
    assert_true(warm > 1);
    ask_all(scratch);
    assert_int_equal(counted.calls, warm);
    assert_int_equal(counted.held_bytes, held_bytes);
    nav_scratch_destroy(scratch);
    assert_int_equal(counted.held_bytes, 0);
}

static void a_warm_scratch_takes_no_memory(void **state)
{
    (void)state;
    warm_and_ask();
}

static void nor_does_it_with_landmarks(void **state)
{
    (void)state;
    nav_arena arena, result;
    nav_arena_init(&arena, NULL, 0);
    nav_arena_init(&result, NULL, 0);
    nav_blob blob;
    assert_int_equal(nav_landmarks_make(mesh, NULL, &arena, &result, &blob), NAV_OK);
    assert_int_equal(nav_mesh_add_landmarks(mesh, blob, NULL), NAV_OK);
    nav_arena_free(&arena);
    nav_arena_free(&result);
    warm_and_ask();
}

// Each kind alone, from a new scratch: the allocator fails at call n, for every n until it does not
// matter any more. A question that could not be answered is asked again and answered as if nothing
// had been.
static void want_of_memory_is_told_at_every_call(void **state)
{
    (void)state;
    // Not those with prices: they take what shapes and closed ground take.
    static const int kinds[] = {0, 2, 3, 5};
    uint32_t told = 0;
    for (size_t i = 0; i < QUESTION_COUNT; ++i) {
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
            nav_status status = NAV_NO_MEMORY;
            for (uint32_t n = 1; status != NAV_OK; ++n) {
                counting counted = {.calls_max = n};
                const nav_allocator allocator = counting_allocator(&counted);
                nav_scratch *scratch;
                assert_int_equal(nav_scratch_create(&allocator, &scratch), NAV_OK);
                status = ask(scratch, QUESTIONS[i], 1, kinds[k]);
                if (status != NAV_OK) {
                    assert_int_equal(status, NAV_NO_MEMORY);
                    ++told;
                    counted.calls_max = UINT32_MAX;
                    assert_int_equal(ask(scratch, QUESTIONS[i], 1, kinds[k]), NAV_OK);
                }
                nav_scratch_destroy(scratch);
                assert_int_equal(counted.held_bytes, 0);
            }
        }
    }
    assert_true(told > 4 * QUESTION_COUNT);
}

// How many nodes a search may hold does not depend on what room the one before has made.
static void searches_have_one_limit_of_nodes(void **state)
{
    (void)state;
    nav_polyanya_scratch pools[2] = {{.allocator = nav_allocator_default()},
                                     {.allocator = nav_allocator_default()}};
    nav_polyanya warm = {.scratch = &pools[0]}, cold = {.scratch = &pools[1]};
    assert_true(nav_polyanya_reserve(&warm, 900000));
    for (uint32_t more = 1000000; more < 4000000; more += 100000) {
        cold.count = warm.count = 0;
        assert_int_equal(nav_polyanya_reserve(&warm, more), nav_polyanya_reserve(&cold, more));
        nav_block_free(&pools[1].node_block, &pools[1].allocator);
        pools[1] = (nav_polyanya_scratch){.allocator = pools[0].allocator};
    }
    assert_false(nav_polyanya_reserve(&warm, 3900000));
    nav_block_free(&pools[0].node_block, &pools[0].allocator);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_have_one_limit_of_nodes),
        cmocka_unit_test(a_warm_scratch_takes_no_memory),
        cmocka_unit_test(want_of_memory_is_told_at_every_call),
        cmocka_unit_test(nor_does_it_with_landmarks),
    };
    return cmocka_run_group_tests_name("query_memory", tests, begin, end);
}
