// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_explain.c: what is known of a place and of a way, as a sentence and as JSON, names the
// settings of the body that asks, as an upload gives them.

#include "proto/replies/replies.h"

#include <cjson/cJSON.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct bench {
    nav_config config;
    nav_geometry geometry;
    nav_floor_facts floor;
    nav_column_facts column;
    proto_place_facts facts;
} bench;

static void bench_init(bench *b, const char *agent, nav_verdict verdict)
{
    *b = (bench){.config = nav_config_default()};
    b->floor = (nav_floor_facts){.verdict = verdict,
                                 .slope = 60,
                                 .headroom = 1.5f,
                                 .ledge_drop = 2,
                                 .edge_distance = 0.1f,
                                 .volume = NAV_NONE,
                                 .polygon = NAV_NONE};
    b->column = (nav_column_facts){.floors = &b->floor, .floor_count = 1};
    b->facts = (proto_place_facts){.config = &b->config,
                                   .geometry = &b->geometry,
                                   .agent = agent,
                                   .column = &b->column,
                                   .place = {.polygon = NAV_NONE},
                                   .closed_switch = NAV_NONE};
}

static void assert_says(const char *agent, nav_verdict verdict, float spread, const char *wanted)
{
    bench b;
    char sentence[PROTO_SENTENCE_BYTES];
    bench_init(&b, agent, verdict);
    b.floor.ledge_drop = spread > 0 ? 0 : b.floor.ledge_drop;
    b.floor.ledge_spread = spread;
    proto_place_say(&b.facts, b.config.coordinates, sentence);
    assert_non_null(strstr(sentence, wanted));
}

static void sentences_name_the_settings_of_the_body(void **state)
{
    (void)state;
    static const struct {
        nav_verdict verdict;
        float spread;
        const char *own, *named;
    } rows[] = {
        {NAV_VERDICT_TOO_STEEP, 0, "(agent.max_slope)", "(agents.rat.max_slope)"},
        {NAV_VERDICT_LOW_HEADROOM, 0, "(agent.height)", "(agents.rat.height)"},
        {NAV_VERDICT_LEDGE, 0, "(agent.max_climb)", "(agents.rat.max_climb)"},
        {NAV_VERDICT_LEDGE, 1.5f, "(agent.max_climb)", "(agents.rat.max_climb)"},
        {NAV_VERDICT_ERODED, 0, "(agent.radius)", "(agents.rat.radius)"},
        {NAV_VERDICT_REGION_REMOVED, 0, "(region_min_size 8)", "(region_min_size 8)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_says(NULL, rows[i].verdict, rows[i].spread, rows[i].own);
        assert_says("rat", rows[i].verdict, rows[i].spread, rows[i].named);
    }
}

// A name as long as one can be is not cut.
static void the_longest_name_of_a_body_is_told(void **state)
{
    (void)state;
    char name[NAV_NAME_MAX + 1], wanted[NAV_NAME_MAX + 32];
    memset(name, 'r', NAV_NAME_MAX);
    name[NAV_NAME_MAX] = '\0';
    snprintf(wanted, sizeof wanted, "(agents.%s.max_climb)", name);
    assert_says(name, NAV_VERDICT_LEDGE, 0, wanted);
    assert_string_equal(proto_agent_setting(name, "max_climb").text + strlen("agents.") +
                            NAV_NAME_MAX,
                        ".max_climb");
}

static cJSON *taken(proto_writer *w)
{
    size_t size_bytes;
    char *text = proto_writer_take(w, &size_bytes);
    assert_non_null(text);
    cJSON *tree = cJSON_ParseWithLength(text, size_bytes);
    assert_non_null(tree);
    free(text);
    return tree;
}

static void the_settings_of_a_place_are_those_of_the_body(void **state)
{
    (void)state;
    static const char *const members[] = {"radius", "height", "max_climb", "max_slope"};
    const proto_answer_head head = {.mesh = "a", .version = 1};
    for (int named = 0; named < 2; named++) {
        bench b;
        proto_writer w;
        bench_init(&b, named != 0 ? "rat" : NULL, NAV_VERDICT_TOO_STEEP);
        proto_writer_init(&w);
        b.column.floor_count = 0;
        b.facts.floor = NAV_NONE;
        proto_write_place(&w, &head, &b.facts);
        cJSON *tree = taken(&w);
        const cJSON *settings = cJSON_GetObjectItemCaseSensitive(tree, "settings");
        for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
            char own[32], other[32];
            snprintf(own, sizeof own, "agent.%s", members[i]);
            snprintf(other, sizeof other, "agents.rat.%s", members[i]);
            assert_int_equal(cJSON_HasObjectItem(settings, own), named == 0);
            assert_int_equal(cJSON_HasObjectItem(settings, other), named != 0);
        }
        assert_true(cJSON_HasObjectItem(settings, "cell_size"));
        cJSON_Delete(tree);
    }
}

// A step between two islands says which side is the higher; one of a wall says which way it leads.
static void a_step_is_told_by_its_height_and_side(void **state)
{
    (void)state;
    static const struct {
        float rise, step; // of the islands, and there
        const char *says;
    } rows[] = {
        {1.8f, 1.8f,
         "The ground on the side of the end lies 1.8 higher here than on that of the "
         "start, and the agent climbs 0.9 (agents.rat.max_climb)."},
        {-4, -4,
         "The ground on the side of the end lies 4 lower here than on that of the start, "
         "and the agent climbs 0.9 (agents.rat.max_climb)."},
        {0, 3,
         "On the way from the start to the end a step of 3 leads up here, and the agent "
         "climbs 0.9 (agents.rat.max_climb)."},
        {2, -3,
         "On the way from the start to the end a step of 3 leads down here, and the agent "
         "climbs 0.9 (agents.rat.max_climb)."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bench b;
        char sentence[PROTO_NO_PATH_BYTES];
        bench_init(&b, "rat", NAV_VERDICT_ERODED);
        const proto_islands islands = {.gap.points = {{0, 0, 0}, {0, rows[i].rise, 0}}};
        const proto_no_path way = {.reason = NAV_REASON_UNREACHABLE,
                                   .islands = &islands,
                                   .place = &b.facts,
                                   .step = rows[i].step};
        proto_no_path_say(&way, b.config.coordinates, sentence);
        assert_non_null(strstr(sentence, rows[i].says));
    }
}

// The last of the trials that joined the islands is told: alone, that it fits, or with another.
static void the_value_that_just_fits_is_told_apart_from_one_that_fits(void **state)
{
    (void)state;
    const proto_islands islands = {.gap.distance = 1};
    const proto_change slopes[] = {{nav_at("agent.max_slope"), false, 45, 89.4},
                                   {nav_at("agent.max_slope"), false, 45, 58},
                                   {nav_at("agent.max_slope"), false, 45, 57.9}};
    const proto_change height = {nav_at("agent.height"), true, 2, 1.2};
    proto_trial trials[] = {{.changes = {slopes[0]}, .joined = true},
                            {.changes = {slopes[1]}, .joined = true},
                            {.changes = {slopes[2]}}};
    static const char *const says[] = {
        " With agent.max_slope 58 instead of 45 they are joined: a value that fits; less may do.",
        " With agent.max_slope 58 instead of 45 they are joined.",
        " With agent.max_slope 58 instead of 45 and agent.height 1.2 instead of 2 they are joined: "
        "values that fit; less may do.",
        " No single setting that was tried joins them: agent.max_slope 89.4, nor agent.max_slope "
        "58 "
        "with agent.height 1.2, agent.max_slope 57.9."};
    for (int row = 0; row < 4; row++) {
        bench b;
        char sentence[PROTO_NO_PATH_BYTES];
        bench_init(&b, NULL, NAV_VERDICT_TOO_STEEP);
        trials[1].just_fits = row == 1;
        trials[1].changes[1] = row >= 2 ? height : (proto_change){0};
        trials[0].joined = trials[1].joined = row < 3;
        const proto_no_path way = {.reason = NAV_REASON_UNREACHABLE,
                                   .islands = &islands,
                                   .trials = trials,
                                   .trial_count = 3};
        proto_no_path_say(&way, b.config.coordinates, sentence);
        assert_string_equal(strstr(sentence, "each other.") + strlen("each other."), says[row]);
    }
}

static void an_end_that_was_put_elsewhere_comes_first(void **state)
{
    (void)state;
    bench b;
    char sentence[PROTO_NO_PATH_BYTES];
    bench_init(&b, NULL, NAV_VERDICT_LOW_HEADROOM);
    const proto_no_path way = {.put = {{.off = -3}, {.off = 2, .asked = &b.facts}}};
    proto_no_path_say(&way, b.config.coordinates, sentence);
    assert_string_equal(
        sentence,
        "The start was put 3 below the place asked. The end was put 2 above the place asked, where "
        "the agent cannot stand: there is only 1.5 of free room above the ground here; the agent "
        "needs more than 2 (agent.height). There is a way from the start to the end.");
}

// Room of 2.3 that cells of 0.2 count as 2; a roof that slopes is as high as the cells have it.
static void room_is_told_between_triangles_where_it_would_do(void **state)
{
    (void)state;
    static const float vertices[][3] = {{0, 0, 0},    {0, 0, 9},    {9, 0, 0},
                                        {0, 2.3f, 0}, {0, 2.3f, 9}, {9, 2.3f, 0},
                                        {0, 1, 0},    {0, 1, 9},    {9, 9, 0}};
    static const uint32_t indices[][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}};
    nav_triangle_facts triangles[2] = {{.triangle = 0, .low = 0, .high = 0.2f},
                                       {.triangle = 1, .low = 2.2f, .high = 2.4f}};
    bench b;
    char sentence[PROTO_SENTENCE_BYTES];
    bench_init(&b, NULL, NAV_VERDICT_LOW_HEADROOM);
    b.geometry = (nav_geometry){.vertices = &vertices[0][0], .triangles = &indices[0][0]};
    b.floor.top = 0.2f;
    b.floor.headroom = 2;
    b.column.triangles = triangles;
    b.column.triangle_count = 2;
    proto_place_say(&b.facts, b.config.coordinates, sentence);
    assert_string_equal(sentence,
                        "There is 2.3 of free room above the ground here, which counts as 2 in "
                        "cells of 0.2 (cell_height); the agent needs more than 2 (agent.height). A "
                        "smaller cell_height measures finer.");
    triangles[1].triangle = 2;
    proto_place_say(&b.facts, b.config.coordinates, sentence);
    assert_non_null(strstr(sentence, "There is 2.2 of free room"));
    b.config.agent_height = 2.2f;
    proto_place_say(&b.facts, b.config.coordinates, sentence);
    assert_string_equal(sentence, "There is only 2 of free room above the ground here; the agent "
                                  "needs more than 2.2 (agent.height).");
    b.config.agent_height = 1.9f;
    b.column.triangle_count = 0; // no triangle tells more than the cells
    proto_place_say(&b.facts, b.config.coordinates, sentence);
    assert_non_null(strstr(sentence, "more than 1.9 (agent.height, which counts as 2)"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_name_the_settings_of_the_body),
        cmocka_unit_test(the_longest_name_of_a_body_is_told),
        cmocka_unit_test(the_settings_of_a_place_are_those_of_the_body),
        cmocka_unit_test(a_step_is_told_by_its_height_and_side),
        cmocka_unit_test(the_value_that_just_fits_is_told_apart_from_one_that_fits),
        cmocka_unit_test(an_end_that_was_put_elsewhere_comes_first),
        cmocka_unit_test(room_is_told_between_triangles_where_it_would_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
