// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_line.c: which floor of a column is on the way between two islands, which of the floors or
// steps on the line tells what is amiss, and what they ask of the settings.

#include "server/explain/path.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define FLOORS_MAX 8
#define CELL 0.3f
#define NEAR 1e-5

// A line along x with one floor a cell.
typedef struct bench {
    nav_config config;
    nav_floor_facts floors[FLOORS_MAX];
    path_line line;
    nav_gap gap;
} bench;

static void bench_init(bench *b, const float *tops, const nav_verdict *verdicts, uint32_t count)
{
    memset(b, 0, sizeof *b);
    b->config = nav_config_default();
    b->line.count = count;
    for (uint32_t i = 0; i < count; i++) {
        path_sample *s = &b->line.samples[i];
        const float x = ((float)i + 0.5f) * CELL;
        b->floors[i] = (nav_floor_facts){.top = tops[i],
                                         .bottom = tops[i] - 0.2f,
                                         .verdict = verdicts[i],
                                         .slope = verdicts[i] == NAV_VERDICT_TOO_STEEP ? 90 : 0,
                                         .edge_distance = (float)INFINITY,
                                         .polygon = verdicts[i] == NAV_VERDICT_KEPT ? 0 : NAV_NONE};
        *s = (path_sample){.place = {x, 0}, .height = tops[i], .is_known = true};
        s->column =
            (nav_column_facts){.x = x, .cell = {x, 0}, .floors = &b->floors[i], .floor_count = 1};
    }
    b->gap.points[0][1] = tops[0];
    b->gap.points[1][1] = tops[count - 1];
}

static const nav_verdict SIDES[] = {NAV_VERDICT_KEPT, NAV_VERDICT_ERODED, NAV_VERDICT_TOO_STEEP,
                                    NAV_VERDICT_ERODED, NAV_VERDICT_KEPT};

// Steps and the climb are counted in cells: heights in floats are a little more or less.
static void a_step_as_high_as_the_climb_is_none(void **state)
{
    (void)state;
    nav_config config = nav_config_default();
    config.cell_height = 0.2f;
    config.agent_max_climb = 0.8f;
    for (int cells = 0; cells < 300; cells++) {
        const float low = -7 + (float)cells * 0.2f;
        assert_false(path_is_too_high(-7 + (float)(cells + 4) * 0.2f - low, &config));
        assert_true(path_is_too_high(low - (-7 + (float)(cells + 5) * 0.2f), &config));
    }
}

// The side of a slab ends a cell below its top: nobody stands on it, and the step is the whole one.
static void a_step_over_the_side_of_a_slab_is_as_high_as_the_slab(void **state)
{
    (void)state;
    static const float up[] = {0.2f, 0.2f, 1.8f, 2, 2}, down[] = {2, 2, 1.8f, 0.2f, 0.2f};
    bench b;
    proto_place_facts place;
    float rise;
    bench_init(&b, up, SIDES, 5);
    assert_true(path_line_reason(&b.line, &b.config, &place, &rise));
    assert_float_equal(rise, 1.8f, NEAR);
    assert_float_equal(place.point[0], 3.5f * CELL, NEAR);
    assert_float_equal(place.point[1], 2, NEAR);
    const path_needs needs = path_line_needs(&b.line, CELL);
    assert_float_equal(needs.step, 1.8f, NEAR);
    assert_true(needs.slope == 0); // of a side no slope is enough
    bench_init(&b, down, SIDES, 5);
    assert_true(path_line_reason(&b.line, &b.config, &place, &rise));
    assert_float_equal(rise, -1.8f, NEAR);
    assert_float_equal(place.point[0], 1.5f * CELL, NEAR);
}

static void a_step_within_the_climb_or_a_ledge_leaves_the_word_to_the_place(void **state)
{
    (void)state;
    static const float low[] = {0.2f, 0.2f, 0.6f, 0.8f, 0.8f};
    static const float high[] = {0.2f, 0.2f, 1.8f, 2, 2};
    nav_verdict verdicts[5];
    bench b;
    proto_place_facts place;
    float rise;
    bench_init(&b, low, SIDES, 5);
    assert_true(path_line_reason(&b.line, &b.config, &place, &rise));
    assert_true(rise == 0 && place.point[1] == 0.6f);
    memcpy(verdicts, SIDES, sizeof verdicts);
    verdicts[3] = NAV_VERDICT_LEDGE;
    bench_init(&b, high, verdicts, 5);
    assert_true(path_line_reason(&b.line, &b.config, &place, &rise));
    assert_true(rise == 0 && place.point[1] == 2);
}

// Between samples that lie far apart a slope may lead.
static void floors_far_apart_make_no_step(void **state)
{
    (void)state;
    static const float tops[] = {0.2f, 2};
    static const nav_verdict verdicts[] = {NAV_VERDICT_KEPT, NAV_VERDICT_KEPT};
    bench b;
    proto_place_facts place;
    float rise;
    bench_init(&b, tops, verdicts, 2);
    assert_true(path_line_reason(&b.line, &b.config, &place, &rise));
    assert_float_equal(rise, 1.8f, NEAR);
    b.line.samples[1].column.cell[0] += 2 * CELL;
    assert_int_equal(path_line_step(&b.line, CELL).at, NAV_NONE);
    assert_false(path_line_reason(&b.line, &b.config, &place, &rise));
    assert_true(path_line_needs(&b.line, CELL).step == 0);
}

// Under a roof onto which the line leads it is too low to stand; a lintel over a way is no island.
static void ground_beneath_the_higher_island_is_not_on_the_way(void **state)
{
    (void)state;
    const nav_config config = nav_config_default();
    nav_floor_facts floors[] = {{.top = 0.2f, .verdict = NAV_VERDICT_LOW_HEADROOM},
                                {.top = 1, .verdict = NAV_VERDICT_FACES_DOWN},
                                {.top = 2, .verdict = NAV_VERDICT_ERODED}};
    const nav_column_facts column = {.floors = floors, .floor_count = 3};
    const nav_gap onto = {.points = {{0, 0.2f, 0}, {3, 2, 0}}};
    const nav_gap under = {.points = {{0, 0.2f, 0}, {3, 0.2f, 0}}};
    assert_int_equal(path_floor_between(&column, 0.4f, &onto, &config), 2);
    assert_int_equal(path_floor_between(&column, 0.4f, &under, &config), 0);
    floors[0].verdict = NAV_VERDICT_KEPT; // an agent walks there
    assert_int_equal(path_floor_between(&column, 0.4f, &onto, &config), 0);
    assert_int_equal(path_floor_between(&(nav_column_facts){0}, 0.4f, &onto, &config), NAV_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_as_high_as_the_climb_is_none),
        cmocka_unit_test(a_step_over_the_side_of_a_slab_is_as_high_as_the_slab),
        cmocka_unit_test(a_step_within_the_climb_or_a_ledge_leaves_the_word_to_the_place),
        cmocka_unit_test(floors_far_apart_make_no_step),
        cmocka_unit_test(ground_beneath_the_higher_island_is_not_on_the_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
