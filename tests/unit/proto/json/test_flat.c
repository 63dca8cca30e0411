// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_flat.c: a flat object gives its values in order and as text, or nothing at all.

#include "proto/json/document.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// Writes what is given as "key:kind:index:text;".
static void note(void *user, const proto_flat *value)
{
    static const char kinds[] = "tnbeOo";
    char *out = user;
    size_t used = strlen(out);
    (void)snprintf(out + used, 512 - used, "%s:%c:%d:%s;", value->key, kinds[value->kind],
                   (int)value->index, value->text);
}

static void values(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"{}", ""},
        {"{\"a\":\"x\",\"b\":1.50,\"c\":true,\"d\":false}",
         "a:t:-1:x;b:n:-1:1.5;c:b:-1:true;d:b:-1:false;"},
        {"{\"a\":[\"x\",2,true]}", "a:t:0:x;a:n:1:2;a:b:2:true;"},
        {"{\"a\":[]}", "a:e:-1:[];"},
        {"{\"a\":null,\"b\":{},\"c\":[[1],{}]}", "a:o:-1:null;b:O:-1:{};c:o:0:an array;c:O:1:{};"},
        {" {\"a\" : {\"b\": [ {}, 1.50] } , \"c\":[{\"}\":\"]\"},{\"x\":1}],\"d\":1}",
         "a:O:-1:{\"b\": [ {}, 1.50] };c:O:0:{\"}\":\"]\"};c:O:1:{\"x\":1};d:n:-1:1;"},
        {"{\"a\":4294967295,\"b\":-0.1,\"c\":1e300}",
         "a:n:-1:4294967295;b:n:-1:-0.1;c:n:-1:1e+300;"},
        {"{\"a\":\"\",\"A\":\"\\u0041\"}", "a:t:-1:;A:t:-1:A;"},
        {"{\"a\":\"{\",\"b\":[\"[\",\"}\"],\"c\":{}}", "a:t:-1:{;b:t:0:[;b:t:1:};c:O:-1:{};"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char got[512] = "";
        assert_int_equal(proto_flat_read(cases[i][0], strlen(cases[i][0]), note, got, NULL),
                         NAV_OK);
        assert_string_equal(got, cases[i][1]);
    }
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        nav_status status;
    } cases[] = {
        {"", PROTO_BAD_JSON},
        {"{\"a\":1", PROTO_BAD_JSON},
        {"{\"a\":1}x", PROTO_BAD_JSON},
        {"{\"a\":1,\"a\":1}", PROTO_BAD_JSON},
        {"{\"a\":1,\"\\u0061\":1}", PROTO_BAD_JSON},
        {"[1]", NAV_INVALID_FIELD},
        {"1", NAV_INVALID_FIELD},
        {"null", NAV_INVALID_FIELD},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char got[512] = "";
        nav_error err = {0};
        assert_int_equal(proto_flat_read(cases[i].json, strlen(cases[i].json), note, got, &err),
                         cases[i].status);
        assert_string_equal(got, "");
        assert_true(strlen(err.detail) > 0);
    }
}

static void too_many_values(void **state)
{
    (void)state;
    static char json[2 * PROTO_FLAT_VALUES_MAX + 16] = "{\"a\":[1";
    char got[512] = "";
    size_t length = strlen(json);
    for (int i = 0; i < PROTO_FLAT_VALUES_MAX; i++) {
        json[length++] = ',';
        json[length++] = '1';
    }
    strcpy(json + length, "]}");
    assert_int_equal(proto_flat_read(json, strlen(json), note, got, NULL),
                     PROTO_JSON_TOO_MANY_VALUES);
    assert_string_equal(got, "");
}

static void note_line(void *user, const proto_flat *value)
{
    *(uint32_t *)user = 10 * *(uint32_t *)user + value->line;
}

static void lines_of_values(void **state)
{
    (void)state;
    const char json[] = "{\n\"a\": [{},\n\n {\"b\":\n1}],\n\"c\":1,\"d\":{}}";
    uint32_t lines = 0;
    assert_int_equal(proto_flat_read(json, strlen(json), note_line, &lines, NULL), NAV_OK);
    assert_int_equal(lines, 2466);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(refused),
        cmocka_unit_test(too_many_values),
        cmocka_unit_test(lines_of_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
