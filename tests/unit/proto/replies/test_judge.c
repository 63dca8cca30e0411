// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_judge.c: answers of all kinds, those that say yes and those that say no.

#include "proto/replies/replies.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void answers(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        bool negative;
    } rows[] = {
        {"{\"status\":\"complete\",\"reason\":null,\"points\":[[1,2,3]]}", false},
        {"{\"status\":\"partial\",\"reason\":\"unreachable\",\"points\":[[1,2,3]]}", true},
        {"{\"status\":\"none\",\"reason\":\"end_off_mesh\",\"points\":[]}", true},
        {"{\"status\":\"complete\",\"reason\":null,\"points\":[[1,2,3]],\"blocked_by\":[]}", false},
        {"{\"mesh\":\"m\",\"version\":1,\"reason\":\"deadline\"}", true},
        {"{\"mesh\":\"none\",\"points\":[{\"area\":\"\",\"polygon\":\"0\"}]}", false},
        {"{\"points\":[]}", true},
        {"{\"floors\":[]}", true},
        {"{\"floors\":[{\"height\":1}]}", false},
        {"{\"reason\":null,\"hit\":false,\"visited\":[]}", false},
        {"{\"complete\":true,\"reason\":null,\"costs\":[[1,2],[3,4]]}", false},
        {"{\"complete\":true,\"reason\":null,\"costs\":[[1,null],[3,4]]}", true},
        {"{\"complete\":false,\"reason\":\"deadline\",\"costs\":[[1]]}", true},
        {"{\"complete\":false}", true},
        {"{\"nearest\":[[{\"target\":0,\"cost\":1}],[]]}", true},
        {"{\"nearest\":[[{\"target\":0,\"cost\":1}]],\"targets_off_mesh\":[]}", false},
        {"{\"reachable\":[true,true]}", false},
        {"{\"reachable\":[true,false]}", true},
        {"{\"legal\":true,\"reason\":null}", false},
        {"{\"legal\":false,\"reason\":\"wall\"}", true},
        {"{\"valid\":false,\"reason\":\"gap\"}", true},
        {"{\"results\":[{\"status\":\"complete\",\"reason\":null},{\"id\":\"x\",\"points\":[[1]]}]"
         "}",
         false},
        {"{\"results\":[{\"status\":\"complete\"},{\"status\":\"none\"}]}", true},
        {"{\"results\":[{\"reachable\":[true]},{\"id\":1,\"floors\":[]}],\"mesh\":\"m\"}", true},
        {"{\"results\":[],\"reason\":\"deadline\"}", true},
        // A member of a part of the answer is not the answer's.
        {"{\"status\":\"complete\",\"links\":[{\"status\":\"closed\",\"reason\":\"x\"}]}", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool negative = !rows[i].negative;
        nav_error err = {0};
        assert_int_equal(proto_answer_judge(rows[i].json, strlen(rows[i].json), &negative, &err),
                         NAV_OK);
        if (negative != rows[i].negative) {
            fail_msg("%s", rows[i].json);
        }
    }
}

static void what_is_no_json_is_an_error(void **state)
{
    (void)state;
    static const char *const rows[] = {"", "{", "{\"status\":\"none\"", "<html>"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool negative;
        nav_error err = {0};
        assert_int_equal(proto_answer_judge(rows[i], strlen(rows[i]), &negative, &err),
                         PROTO_BAD_JSON);
        assert_int_equal(err.status, PROTO_BAD_JSON);
    }
}

static void a_number_of_the_outer_object(void **state)
{
    (void)state;
    static const char json[] = "{\"versions\":[{\"active\":7}],\"active\":3,\"other\":null}";
    double number = 0;
    assert_true(proto_answer_number(json, strlen(json), "active", &number));
    assert_true(number == 3);
    assert_false(proto_answer_number(json, strlen(json), "other", &number));
    assert_false(proto_answer_number(json, strlen(json), "version", &number));
    assert_false(proto_answer_number("{\"active\":null}", 15, "active", &number));
    assert_true(number == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers),
        cmocka_unit_test(what_is_no_json_is_an_error),
        cmocka_unit_test(a_number_of_the_outer_object),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
