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
static const proto_islands ISLANDS = {.gap = {.points = {{8, 0, 5}, {32, 0, 5}}, .distance = 24}};
static const proto_no_path FACTS = {.start = {4, 0, 5}, .end = {36, 0, 5}, .islands = &ISLANDS};
// Each setting misses by a little.
static const path_needs ALL = {
    .slope = 60, .headroom = 1.5f, .step = 1, .edge = 0.1f, .island_cells = 49, .is_coarse = true};

static path_trials trials_for(const path_needs *needs)
{
    explaining e;
    path_trials trials = {0};
    static path_line line;
    service s = {.budget = {.bake_bytes = (uint64_t)1 << 30}};
    memset(&e, 0, sizeof e);
    e.service = &s;
    e.level.geometry = (nav_geometry){.vertices = &VERTICES[0][0],
                                      .triangles = &TRIANGLES[0][0],
                                      .vertex_count = sizeof VERTICES / sizeof VERTICES[0],
                                      .triangle_count = sizeof TRIANGLES / sizeof TRIANGLES[0]};
    e.level.config = nav_config_default();
    e.level.config.cell_size = e.level.config.cell_height = 0.5f;
    e.level.config.agent_radius = 1.5f;
    nav_arena_init(&e.scratch, NULL, 0);
    nav_arena_init(&e.result, NULL, 0);
    assert_int_equal(path_try(&e, &FACTS, needs, &line, &trials), NAV_OK);
    nav_arena_free(&e.scratch);
    nav_arena_free(&e.result);
    return trials;
}

static void check_trial(const proto_trial *trial, const char *first, const char *second)
{
    assert_string_equal(trial->changes[0].setting.text, first);
    assert_string_equal(trial->changes[1].setting.text, second);
    assert_int_equal(trial->untried, PROTO_TRIED);
}

// Settings that the line misses go before all others, with the most that there is of each.
static void six_are_baked(void **state)
{
    (void)state;
    static const char *const settings[] = {"agent.max_slope", "agent.height", "agent.max_climb",
                                           "region_min_size", "agent.radius", "cell_size"};
    static const double values[] = {89.4, 0.5, 1.5, 7, 0, 0.25};
    const path_trials trials = trials_for(&ALL);
    assert_int_equal(trials.count, PROTO_TRIALS_MAX);
    assert_int_equal(trials.baked, PROTO_TRIALS_MAX);
    assert_false(trials.joined);
    for (uint32_t i = 0; i < trials.count; i++) {
        check_trial(&trials.list[i], settings[i], "");
        assert_true(trials.list[i].changes[0].value == values[i]);
    }
}

// With what is left of the trials two are changed at a time, first what the line misses.
static void two_are_changed_where_one_is_not_enough(void **state)
{
    (void)state;
    const path_needs needs = {.headroom = 1.5f, .edge = 0.1f};
    const path_trials trials = trials_for(&needs);
    assert_int_equal(trials.count, PROTO_TRIALS_MAX);
    check_trial(&trials.list[0], "agent.height", "");
    check_trial(&trials.list[1], "agent.radius", "");
    check_trial(&trials.list[2], "agent.max_slope", "");
    check_trial(&trials.list[3], "agent.max_climb", "");
    check_trial(&trials.list[4], "agent.height", "agent.radius");
    check_trial(&trials.list[5], "agent.height", "agent.max_slope");
}

// Ground that is as high above as the agent is tall is no step for it; less may be.
static void nobody_climbs_a_step_of_his_own_height(void **state)
{
    (void)state;
    const path_needs high = {.headroom = INFINITY, .edge = INFINITY, .step = 3};
    const path_trials trials = trials_for(&high);
    assert_string_equal(trials.list[0].changes[0].setting.text, "agent.max_climb");
    assert_true(trials.list[0].changes[0].value == 3);
    assert_int_equal(trials.list[0].untried, PROTO_UNTRIED_OWN_HEIGHT);
    for (uint32_t i = 1; i < trials.count; i++) {
        const proto_change *c = trials.list[i].changes;
        assert_true(strcmp(c->setting.text, "agent.max_climb") != 0 || c->value == 1.5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_count_as_the_cells_that_they_are_for),
        cmocka_unit_test(six_are_baked),
        cmocka_unit_test(two_are_changed_where_one_is_not_enough),
        cmocka_unit_test(nobody_climbs_a_step_of_his_own_height),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
