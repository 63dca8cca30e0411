// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_trials.c: lengths that just fit, in the four decimals in which settings are told, also where
// a hundredth of a cell is no four decimals; and which settings are tried, and why others are not.

#include "server/explain/path.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define SECONDS_MAX 20 // all of it takes milliseconds: more is a loop without an end
#define CELLS_MAX 300u

static const float CELLS[] = {1e-6f,     1e-4f,   1.5e-4f, 3e-4f, 1e-3f, 0.0025f, 0.003f, 0.003125f,
                              0.004999f, 0.005f,  0.0051f, 0.01f, 0.03f, 0.1f,    0.125f, 0.15f,
                              0.25f,     0.3333f, 0.5f,    0.7f,  1,     3.7f,    100};

static void check_decimals(double value)
{
    assert_true(fabs(value * 1e4 - round(value * 1e4)) < 1e-6);
}

static void lengths_count_as_the_cells_that_they_are_for(void **state)
{
    (void)state;
    (void)alarm(SECONDS_MAX);
    for (size_t i = 0; i < sizeof CELLS / sizeof CELLS[0]; i++) {
        const float cell = CELLS[i];
        // Four decimals may be several cells, and what is counted moves on by as many.
        const float step = fmaxf(1, 1e-4f / cell) + 1;
        for (uint32_t cells = 0; cells <= CELLS_MAX; cells++) {
            const double most = path_length_at_most(cells, cell);
            const double least = path_length_at_least(cells, cell);
            const float up = ceilf((float)most / cell), down = floorf((float)least / cell);
            assert_true(most >= 0 && up <= (float)cells && up + step > (float)cells);
            assert_true(down >= (float)cells && down - step < (float)cells);
            check_decimals(most);
            check_decimals(least);
        }
    }
    (void)alarm(0);
}

// ---- trials ----

// Two plates of 10 m, 20 m apart: no setting joins them.
static const float VERTICES[][3] = {{0, 0, 0},  {0, 0, 10},  {10, 0, 10}, {10, 0, 0},
                                    {30, 0, 0}, {30, 0, 10}, {40, 0, 10}, {40, 0, 0}};
static const uint32_t TRIANGLES[][3] = {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}};
static const nav_gap GAP = {.points = {{8, 0, 5}, {32, 0, 5}}, .distance = 24};
// Each setting misses by a little.
static const path_needs ALL = {.slope = 60,
                               .headroom = 1.5f,
                               .step = 1,
                               .rise = 1.5f,
                               .edge = 0.1f,
                               .island_cells = 64,
                               .is_coarse = true};

static path_trials trials_for(const path_needs *needs)
{
    explaining e;
    path_trials trials = {0};
    memset(&e, 0, sizeof e);
    e.level.geometry = (nav_geometry){.vertices = &VERTICES[0][0],
                                      .triangles = &TRIANGLES[0][0],
                                      .vertex_count = sizeof VERTICES / sizeof VERTICES[0],
                                      .triangle_count = sizeof TRIANGLES / sizeof TRIANGLES[0]};
    e.level.config = nav_config_default();
    e.level.config.cell_size = e.level.config.cell_height = 0.5f;
    e.level.config.agent_radius = 1.5f;
    nav_arena_init(&e.scratch, NULL, 0);
    nav_arena_init(&e.result, NULL, 0);
    assert_int_equal(path_try(&e, needs, &GAP, &trials), NAV_OK);
    nav_arena_free(&e.scratch);
    nav_arena_free(&e.result);
    return trials;
}

// The bakes end at the bound; the candidates behind it are told as not tried.
static void six_are_baked_and_the_others_are_named(void **state)
{
    (void)state;
    static const char *const settings[] = {"agent.max_slope", "agent.height",    "agent.max_climb",
                                           "agent.max_climb", "region_min_size", "agent.radius",
                                           "agent.radius",    "agent.radius",    "cell_size"};
    const path_trials trials = trials_for(&ALL);
    assert_int_equal(trials.count, sizeof settings / sizeof settings[0]);
    assert_int_equal(trials.baked, PROTO_TRIALS_MAX);
    assert_false(trials.joined);
    for (uint32_t i = 0; i < trials.count; i++) {
        assert_string_equal(trials.list[i].setting.text, settings[i]);
        assert_int_equal(trials.list[i].untried, i < PROTO_TRIALS_MAX ? 0 : PROTO_UNTRIED_BOUND);
    }
}

// An island of more cells than region_min_size may keep; that leaves a bake to the others.
static void settings_that_are_refused_take_no_bake(void **state)
{
    (void)state;
    path_needs large = ALL;
    large.island_cells = (NAV_REGION_SIZE_MAX + 1) * (NAV_REGION_SIZE_MAX + 1);
    const path_trials trials = trials_for(&large);
    assert_string_equal(trials.list[4].setting.text, "region_min_size");
    assert_int_equal(trials.list[4].untried, PROTO_UNTRIED_REFUSED);
    assert_int_equal(trials.baked, PROTO_TRIALS_MAX);
    assert_int_equal(trials.list[6].untried, 0);
    assert_int_equal(trials.list[7].untried, PROTO_UNTRIED_BOUND);
}

// Ground that is as high above as the agent is tall is no step for it.
static void nobody_climbs_a_step_of_his_own_height(void **state)
{
    (void)state;
    const path_needs high = {.headroom = INFINITY, .edge = INFINITY, .step = 3};
    const path_trials trials = trials_for(&high);
    assert_int_equal(trials.count, 1);
    assert_int_equal(trials.list[0].untried, PROTO_UNTRIED_OWN_HEIGHT);
    assert_int_equal(trials.baked, 0);
}

// After the highest step all that the one island lies above the other, else a cell more; never as
// much as the agent is tall, here 2 in cells of 0.5.
static void a_step_that_is_not_enough_is_followed_by_a_larger_one(void **state)
{
    (void)state;
    static const struct {
        float step, rise;
        double second; // 0: none
    } rows[] = {{1, 1.5f, 1.5}, {1, 1, 1.5}, {1, 0, 1.5}, {1.5f, 1.5f, 0}, {1, 3, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const path_needs needs = {
            .headroom = INFINITY, .edge = INFINITY, .step = rows[i].step, .rise = rows[i].rise};
        const path_trials trials = trials_for(&needs);
        assert_int_equal(trials.count, rows[i].second > 0 ? 2 : 1);
        assert_true(trials.list[0].value == (double)rows[i].step);
        assert_true(trials.count == 1 || trials.list[1].value == rows[i].second);
        assert_int_equal(trials.baked, trials.count);
    }
    const path_needs low = {.headroom = INFINITY, .edge = INFINITY, .step = 0.5f, .rise = 1.5f};
    assert_int_equal(trials_for(&low).count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_count_as_the_cells_that_they_are_for),
        cmocka_unit_test(six_are_baked_and_the_others_are_named),
        cmocka_unit_test(settings_that_are_refused_take_no_bake),
        cmocka_unit_test(nobody_climbs_a_step_of_his_own_height),
        cmocka_unit_test(a_step_that_is_not_enough_is_followed_by_a_larger_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
