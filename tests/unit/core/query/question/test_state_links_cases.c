// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_state_links_cases.c: links of a state by hand: a lift that comes, moves and goes, ends that
// find no ground, ends that shapes cut away, values that are refused; and one state that several
// threads ask at once, while others are made from it.

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
// clang-format on

#include "core/query/view/scratch.h"
#include "tests/unit/mesh_builder.h"

#include <math.h>
#include <pthread.h>

// Three islands, four cells each.
#define ISLANDS "....##....##...."

static nav_mesh *mesh;
static nav_scratch *scratch;

static nav_link link_between(float from, float to)
{
    return (nav_link){.start = {from, 0, 0.5f},
                      .end = {to, 0, 0.5f},
                      .radius = 0.4f,
                      .area = NAV_AREA_GROUND,
                      .id = "lift"};
}

static nav_overlay *state_with(const nav_overlay *last, const nav_link *links, uint32_t count,
                               const nav_avoid *shape)
{
    nav_overlay *made = NULL;
    const nav_overlay_items parts = {
        .shapes = shape, .shape_count = shape != NULL ? 1 : 0, .links = links, .link_count = count};
    assert_int_equal(nav_overlay_create(mesh, scratch, last, &parts, &made, NULL), NAV_OK);
    return made;
}

static nav_path ask(nav_scratch *with, const nav_overlay *state, float from, float to)
{
    nav_path_request request = {
        .start = {from, 0, 0.5f}, .end = {to, 0, 0.5f}, .options = nav_options_default()};
    nav_path path;
    request.options.snap.horizontal = 0.25f;
    request.options.overlay = state;
    request.no_partial = true;
    assert_int_equal(nav_query_path(mesh, with, &request, &path), NAV_OK);
    return path;
}

static bool leads(const nav_overlay *state, float from, float to)
{
    return ask(scratch, state, from, to).status == NAV_PATH_COMPLETE;
}

static void a_lift_comes_moves_and_goes(void **unused)
{
    (void)unused;
    const nav_link first = link_between(3.5f, 6.5f), second = link_between(3.5f, 12.5f);
    assert_false(leads(NULL, 0.5f, 7.5f));
    nav_overlay *here = state_with(NULL, &first, 1, NULL);
    const nav_path path = ask(scratch, here, 0.5f, 7.5f);
    assert_int_equal(path.status, NAV_PATH_COMPLETE);
    assert_true(path.optimal);
    assert_near(path.cost, 7.0, 1e-5);
    assert_false(leads(here, 7.5f, 0.5f)); // it leads one way
    assert_false(leads(here, 0.5f, 13.5f));
    nav_overlay *there = state_with(here, &second, 1, NULL);
    assert_false(leads(there, 0.5f, 7.5f));
    assert_true(leads(there, 0.5f, 13.5f));
    nav_overlay *gone = state_with(there, NULL, 0, NULL);
    assert_false(leads(gone, 0.5f, 13.5f));
    assert_true(leads(here, 0.5f, 7.5f)); // as it was
    nav_overlay_release(here);
    nav_overlay_release(there);
    nav_overlay_release(gone);
}

// One-way links in a ring hang all islands together.
static void links_lead_on_and_back(void **unused)
{
    (void)unused;
    const nav_link ring[] = {link_between(3.5f, 6.5f), link_between(9.5f, 12.5f),
                             link_between(15.5f, 0.5f)};
    nav_overlay *state = state_with(NULL, ring, 3, NULL);
    assert_true(leads(state, 13.5f, 7.5f));
    nav_path_step steps[32];
    const nav_path path = ask(scratch, state, 13.5f, 7.5f);
    uint32_t taken[2] = {NAV_NONE, NAV_NONE}, count = 0;
    const uint32_t step_count = nav_query_path_steps(&path, steps, 32);
    for (uint32_t i = 0; i < step_count; ++i) {
        if (steps[i].link != NAV_NONE) {
            assert_true(count < 2);
            taken[count++] = nav_overlay_link(mesh, state, steps[i].link)->config_index;
        }
    }
    assert_int_equal(taken[0], 2);
    assert_int_equal(taken[1], 0);
    nav_overlay_release(state);
}

static void ends_without_ground_are_told(void **unused)
{
    (void)unused;
    const nav_link links[] = {link_between(3.5f, 5.5f), link_between(3.5f, 6.5f),
                              link_between(100.0f, 6.5f)};
    nav_overlay *state = state_with(NULL, links, 3, NULL);
    uint32_t count = 0;
    const uint32_t *off_mesh = nav_overlay_links_off_mesh(state, &count);
    assert_int_equal(count, 2);
    assert_int_equal(off_mesh[0], 0);
    assert_int_equal(off_mesh[1], 2);
    assert_int_equal(nav_overlay_link(mesh, state, 0)->config_index, 1);
    assert_true(leads(state, 0.5f, 7.5f));
    nav_overlay_release(state);
}

static void an_end_in_a_shape_is_closed(void **unused)
{
    (void)unused;
    const nav_link lift = link_between(2.5f, 7.5f);
    const nav_avoid crate = {
        .blocked = true, .center = {7.5f, 0.5f}, .radius = 0.4f, .bottom = -1, .top = 1};
    nav_overlay *state = state_with(NULL, &lift, 1, &crate);
    assert_false(leads(state, 0.5f, 9.5f));
    assert_false(leads(state, 0.5f, 6.25f));
    nav_overlay *free = state_with(state, &lift, 1, NULL);
    assert_true(leads(free, 0.5f, 9.5f));
    nav_overlay_release(state);
    nav_overlay_release(free);
}

static void a_movement_log_may_take_it(void **unused)
{
    (void)unused;
    const nav_link lift = link_between(3.5f, 6.5f);
    nav_overlay *state = state_with(NULL, &lift, 1, NULL);
    static const float positions[2][3] = {{3.5f, 0, 0.5f}, {6.5f, 0, 0.5f}};
    nav_trace_request request = {
        .positions = positions, .count = 2, .options = nav_options_default()};
    nav_trace trace;
    assert_int_equal(nav_query_trace(mesh, scratch, &request, &trace), NAV_OK);
    assert_int_equal(trace.reason, NAV_TRACE_GAP);
    request.options.overlay = state;
    assert_int_equal(nav_query_trace(mesh, scratch, &request, &trace), NAV_OK);
    assert_int_equal(trace.reason, NAV_TRACE_LEGAL);
    nav_overlay_release(state);
}

static void wrong_values_are_refused(void **unused)
{
    (void)unused;
    nav_error err = {0};
    nav_link links[2] = {link_between(3.5f, 6.5f), link_between(3.5f, 6.5f)};
    assert_int_equal(nav_links_check(mesh, links, 2, &err), NAV_OK);
    links[1].radius = NAN;
    assert_int_equal(nav_links_check(mesh, links, 2, &err), NAV_INVALID_FIELD);
    assert_string_equal(err.at, "links[1].radius");
    links[1] = links[0];
    links[1].area = NAV_AREA_NONE;
    assert_int_equal(nav_links_check(mesh, links, 2, &err), NAV_INVALID_FIELD);
    assert_string_equal(err.at, "links[1].area");
    links[1].area = 9;
    assert_int_equal(nav_links_check(mesh, links, 2, &err), NAV_INVALID_FIELD);
    links[1] = links[0];
    links[1].flags = 1;
    assert_int_equal(nav_links_check(mesh, links, 2, &err), NAV_INVALID_FIELD);
    assert_string_equal(err.at, "links[1].flags");
    assert_int_equal(nav_links_check(mesh, links, NAV_LINKS_MAX + 1, &err), NAV_INVALID_FIELD);
}

// ---- threads ----

#define THREADS 4
#define ROUNDS 200

static void *ask_often(void *shared)
{
    nav_overlay *state = shared;
    nav_scratch *own = NULL;
    uintptr_t wrong = nav_scratch_create(NULL, &own) != NAV_OK;
    for (int i = 0; i < ROUNDS && wrong == 0; ++i) {
        const nav_path path = ask(own, state, 0.5f, 7.5f);
        wrong += path.status != NAV_PATH_COMPLETE || fabs(path.cost - 7.0) > 1.0;
        wrong += ask(own, state, 7.5f, 0.5f).status == NAV_PATH_COMPLETE;
    }
    nav_scratch_destroy(own);
    nav_overlay_release(state);
    return (void *)wrong;
}

static void many_ask_one_state(void **unused)
{
    (void)unused;
    const nav_link lift = link_between(3.5f, 6.5f);
    const nav_avoid crate = {
        .blocked = true, .center = {1.5f, 0.2f}, .radius = 0.2f, .bottom = -1, .top = 1};
    nav_overlay *state = state_with(NULL, &lift, 1, &crate);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; ++i) {
        assert_int_equal(pthread_create(&threads[i], NULL, ask_often, nav_overlay_acquire(state)),
                         0);
    }
    for (int i = 0; i < ROUNDS; ++i) {
        nav_overlay *next = state_with(state, &lift, i % 2 == 0 ? 1 : 0, &crate);
        assert_int_equal(leads(next, 0.5f, 7.5f), i % 2 == 0);
        nav_overlay_release(next);
    }
    for (int i = 0; i < THREADS; ++i) {
        void *wrong;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
    nav_overlay_release(state);
}

static int begin(void **unused)
{
    (void)unused;
    mesh = map_mesh(ISLANDS);
    return nav_scratch_create(NULL, &scratch) == NAV_OK ? 0 : 1;
}

static int end(void **unused)
{
    (void)unused;
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lift_comes_moves_and_goes),
        cmocka_unit_test(links_lead_on_and_back),
        cmocka_unit_test(ends_without_ground_are_told),
        cmocka_unit_test(an_end_in_a_shape_is_closed),
        cmocka_unit_test(a_movement_log_may_take_it),
        cmocka_unit_test(wrong_values_are_refused),
        cmocka_unit_test(many_ask_one_state),
    };
    return cmocka_run_group_tests_name("query_state_links_cases", tests, begin, end);
}
