// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_matrix_wire.c: requests for a matrix and a flood are read with their bounds, and their
// answers written with what is not known as null.

#include "proto/replies/replies.h"
#include "tests/unit/memory_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static nav_status read_matrix(const char *json, proto_matrix_request *out, nav_error *err)
{
    return proto_request_json(&PROTO_MATRIX, json, strlen(json), &memory, out, err);
}

static void a_matrix_is_read(void **state)
{
    (void)state;
    proto_matrix_request m;
    nav_error err;
    assert_int_equal(read_matrix("{\"sources\":[[1,2,3]],\"targets\":[[4,5,6],[7,8,9]],"
                                 "\"nearest\":2,\"max_nodes\":50,\"deadline_ms\":20,\"version\":3,"
                                 "\"snap\":{\"up\":1}}",
                                 &m, &err),
                     NAV_OK);
    assert_int_equal(m.sources.count, 1);
    assert_int_equal(m.targets.count, 2);
    assert_true(m.targets.at[1][2] == 9.0f && m.common.snap.up == 1.0f);
    assert_int_equal(m.nearest, 2);
    assert_int_equal(m.max_nodes, 50);
    assert_int_equal(m.common.deadline_ms, 20);
    assert_int_equal(m.common.version, 3);
    assert_int_equal(read_matrix("{\"sources\":[[1,2,3]],\"targets\":[[4,5,6]]}", &m, &err),
                     NAV_OK);
    assert_int_equal(m.nearest + m.max_nodes + m.common.deadline_ms, 0);
}

static void wrong_questions_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *json, *at;
        nav_status status;
    } cases[] = {
        {"{\"targets\":[[1,2,3]]}", "sources", NAV_INVALID_FIELD},
        {"{\"sources\":[[1,2,3]]}", "targets", NAV_INVALID_FIELD},
        {"{\"sources\":[],\"targets\":[[1,2,3]]}", "sources", NAV_INVALID_FIELD},
        {"{\"sources\":[[1,2]],\"targets\":[[1,2,3]]}", "sources[0]", NAV_INVALID_FIELD},
        {"{\"sources\":[[1,2,3]],\"targets\":[[1,2,3]],\"nearest\":0}", "nearest",
         NAV_INVALID_FIELD},
        {"{\"sources\":[[1,2,3]],\"targets\":[[1,2,3]],\"nearest\":10001}", "nearest",
         NAV_INVALID_FIELD},
        {"{\"sources\":[[1,2,3]],\"targets\":[[1,2,3]],\"deadline_ms\":30001}", "deadline_ms",
         NAV_INVALID_FIELD},
        {"{\"sources\":[[1,2,3]],\"targets\":[[1,2,3]],\"end\":[1,2,3]}", "end",
         PROTO_UNKNOWN_FIELD},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        proto_matrix_request m;
        nav_error err;
        assert_int_equal(read_matrix(cases[i].json, &m, &err), cases[i].status);
        assert_string_equal(err.at, cases[i].at);
    }
}

static char *list_of(const char *before, int count)
{
    char *text = malloc(strlen(before) + 8 * (size_t)count + 3);
    char *at = text + sprintf(text, "%s[", before);
    for (int i = 0; i < count; i++) {
        at += sprintf(at, "%s[0,0,0]", i > 0 ? "," : "");
    }
    strcpy(at, "]");
    return text;
}

static void too_many_costs_are_refused(void **state)
{
    (void)state;
    proto_matrix_request m;
    nav_error err;
    char *sources = list_of("{\"sources\":", 1000);
    for (int targets = 1000; targets <= 1001; targets++) {
        char *list = list_of(",\"targets\":", targets);
        char *json = malloc(strlen(sources) + strlen(list) + 2);
        sprintf(json, "%s%s}", sources, list);
        assert_int_equal(read_matrix(json, &m, &err),
                         targets == 1000 ? NAV_OK : PROTO_BATCH_TOO_LARGE);
        free(json);
        free(list);
    }
    assert_string_equal(err.got, "1001000");
    assert_string_equal(err.limit, "1000000");
    free(sources);
}

static void a_flood_is_read(void **state)
{
    (void)state;
    const proto_arg args[] = {{"start", "1,2,3"}, {"max_cost", "7.5"}};
    proto_flood_request flood;
    nav_error err;
    assert_int_equal(proto_request_args(&PROTO_FLOOD, args, 2, &memory, &flood, &err), NAV_OK);
    assert_true(flood.max_cost == 7.5f && flood.start[1] == 2.0f);
    assert_int_equal(flood.max_polygons, 10000);
    assert_int_equal(proto_request_args(&PROTO_FLOOD, args, 1, &memory, &flood, &err),
                     NAV_INVALID_FIELD);
    assert_string_equal(err.at, "max_cost");
}

static void assert_reply(proto_writer *w, const char *wanted)
{
    size_t size_bytes;
    char *text = proto_writer_take(w, &size_bytes);
    assert_non_null(text);
    assert_string_equal(text, wanted);
    free(text);
}

static void answers_are_written(void **state)
{
    (void)state;
    double costs[] = {1.23456, (double)INFINITY, (double)NAN, 0};
    uint32_t targets[] = {1, NAV_NONE, 0, 1};
    bool sources_found[] = {true, false}, targets_found[] = {false, true};
    nav_matrix_request asked = {.source_count = 2, .target_count = 2};
    nav_matrix matrix = {.costs = costs,
                         .targets = targets,
                         .sources_found = sources_found,
                         .targets_found = targets_found,
                         .reason = NAV_REASON_DEADLINE};
    proto_writer w;
    proto_writer_init(&w);
    proto_write_matrix(&w, &(proto_answer_head){.mesh = "town", .version = 3}, &asked, &matrix);
    assert_reply(&w, "{\"mesh\":\"town\",\"version\":3,\"complete\":false,\"reason\":\"deadline\","
                     "\"optimal\":false,\"sources_off_mesh\":[1],\"targets_off_mesh\":[0],"
                     "\"costs\":[[1.234,null],[null,0]]}");
    asked.nearest = 2;
    costs[2] = 4;
    matrix.reason = NAV_REASON_NULL;
    proto_write_matrix(&w, &(proto_answer_head){.mesh = "town", .version = 3}, &asked, &matrix);
    assert_reply(&w, "{\"mesh\":\"town\",\"version\":3,\"complete\":true,\"reason\":null,"
                     "\"optimal\":false,\"sources_off_mesh\":[1],\"targets_off_mesh\":[0],"
                     "\"nearest\":[[{\"target\":1,\"cost\":1.234}],[{\"target\":0,\"cost\":4},"
                     "{\"target\":1,\"cost\":0}]]}");
    const nav_flood none = {0};
    proto_write_flood(&w, &(proto_answer_head){.mesh = "town", .version = 3}, NULL, NULL, &none);
    assert_reply(&w, "{\"mesh\":\"town\",\"version\":3,\"reason\":\"start_off_mesh\","
                     "\"start\":null,\"truncated\":false,\"optimal\":false,\"polygons\":[]}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_matrix_is_read, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(wrong_questions_are_refused, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(too_many_costs_are_refused, memory_begin, memory_end),
        cmocka_unit_test_setup_teardown(a_flood_is_read, memory_begin, memory_end),
        cmocka_unit_test(answers_are_written),
    };
    return cmocka_run_group_tests_name("matrix_wire", tests, NULL, NULL);
}
