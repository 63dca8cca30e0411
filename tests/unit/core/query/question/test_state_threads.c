// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_state_threads.c: threads that ask a new state at once get the same answers; what one of them
// finds out for all, heights, costs, labels and parts, it finds without a race.

#include "tests/unit/overlay_fixture.h"

#include <pthread.h>

#define THREADS 4

typedef struct asker {
    pthread_t thread;
    nav_mesh *mesh;
    const nav_overlay *state;
    uint32_t answers[64];
} asker;

static void *ask_all(void *user)
{
    const nav_filter dear = {.area_costs = {[NAV_AREA_GROUND] = 2.0f}};
    asker *a = user;
    nav_scratch *own;
    NAV_ASSERT(nav_scratch_create(NULL, &own) == NAV_OK);
    for (uint32_t i = 0; i < sizeof a->answers / sizeof *a->answers; ++i) {
        nav_path_request request = {.options = nav_options_default()};
        request.options.overlay = a->state;
        request.options.filter = i % 4 == 1 ? &dear : NULL;
        request.no_partial = i % 3 == 0;
        request.start[0] = 1.0f + (float)(i % 8);
        request.start[2] = 1.0f + (float)(i / 8);
        request.end[0] = 18.0f - (float)(i / 8);
        request.end[2] = 18.0f - (float)(i % 8);
        nav_path path;
        NAV_ASSERT(nav_query_path(a->mesh, own, &request, &path) == NAV_OK);
        a->answers[i] = (uint32_t)path.status * 1000 + path.point_count +
                        (uint32_t)(1e4 * (path.cost + path.length));
    }
    nav_scratch_destroy(own);
    return NULL;
}

static void threads_find_the_same(void **state)
{
    (void)state;
    static const int32_t cells[][5] = {
        {0, 0, 10, 10, 0}, {10, 0, 20, 10, 0}, {0, 10, 10, 20, 0}, {10, 10, 20, 20, 0}};
    nav_mesh *mesh = rectangles_mesh(4, cells);
    nav_avoid shapes[3] = {
        {.shape = NAV_AVOID_CIRCLE, .center = {5, 5}, .radius = 1, .bottom = -1, .top = 1},
        {.shape = NAV_AVOID_CIRCLE, .center = {15, 14}, .radius = 2, .bottom = -1, .top = 1},
        {.shape = NAV_AVOID_BOX, .min = {-1, 12}, .max = {9, 13}, .bottom = -1, .top = 1}};
    shapes[0].blocked = shapes[1].blocked = shapes[2].blocked = true;
    for (int round = 0; round < 8; ++round) {
        asker askers[THREADS];
        nav_overlay *placed = NULL;
        shapes[2].max[0] = round % 2 == 0 ? 21.0f : 9.0f;
        const nav_overlay_items parts = {.shapes = shapes, .shape_count = 3};
        assert_int_equal(nav_overlay_create(mesh, scratch, NULL, &parts, &placed, NULL), NAV_OK);
        for (int i = 0; i < THREADS; ++i) {
            askers[i].mesh = mesh;
            askers[i].state = placed;
            assert_int_equal(pthread_create(&askers[i].thread, NULL, ask_all, &askers[i]), 0);
        }
        for (int i = 0; i < THREADS; ++i) {
            assert_int_equal(pthread_join(askers[i].thread, NULL), 0);
            assert_memory_equal(askers[i].answers, askers[0].answers, sizeof askers[0].answers);
        }
        nav_overlay_release(placed);
    }
    nav_mesh_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_find_the_same),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
