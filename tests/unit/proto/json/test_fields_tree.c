// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_fields_tree.c: the tree of a text is the one that cJSON's own parser makes of it, node by
// node and bit by bit, and takes no more than its one block.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/json/fields.h"

static void assert_same_text(const char *got, const char *wanted)
{
    assert_int_equal(got != NULL, wanted != NULL);
    if (wanted != NULL) {
        assert_string_equal(got, wanted);
    }
}

static void assert_same(const cJSON *got, const cJSON *wanted)
{
    for (; wanted != NULL; got = got->next, wanted = wanted->next) {
        assert_non_null(got);
        assert_int_equal(got->type & 0xff, wanted->type & 0xff);
        assert_same_text(got->string, wanted->string);
        assert_same_text(got->valuestring, wanted->valuestring);
        assert_memory_equal(&got->valuedouble, &wanted->valuedouble, sizeof got->valuedouble);
        assert_int_equal(got->valueint, wanted->valueint);
        assert_same(got->child, wanted->child);
        assert_int_equal(got->next != NULL, wanted->next != NULL);
    }
    assert_null(got);
}

// The text stands at the end of its block, so that a sanitizer sees what is read behind it.
static void assert_tree(const char *text)
{
    const size_t size_bytes = strlen(text);
    char *copy = malloc(size_bytes);
    assert_non_null(copy);
    memcpy(copy, text, size_bytes);
    cJSON *got = NULL, *wanted = cJSON_Parse(text);
    nav_error err = {0};
    assert_int_equal(proto_fields_parse(copy, size_bytes, 10000, &got, &err), NAV_OK);
    free(copy); // the tree borrows nothing from it
    assert_non_null(wanted);
    assert_same(got, wanted);
    cJSON_Delete(wanted);
    proto_fields_delete(got);
}

static void test_values(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0",
        "-0",
        "17",
        " 42 ",
        "-1.5e3",
        "1e999",
        "-1e999",
        "4.9e-324",
        "2147483648",
        "-2147483649",
        "0.1",
        "123456789012345678901234567890",
        "3.4028235677973366e38",
        "true",
        "false",
        "null",
        "\"\"",
        "\"a\"",
        "[]",
        "{}",
        " [ ] ",
        "\t{\r\n}\n",
        "[1,2,3]",
        "[[],[[]],{}]",
        "{\"a\":{\"b\":[1,{\"c\":null}]},\"d\":false}",
        "{\"\":\"\",\"x\":\"\",\"\":1}",
        "[ true , false , null , \"x\" , -1 ]",
        "{ \"start\" : [ 1.25 , 2 , -3 ] , \"end\" : [ 4 , 5e0 , 6 ] , \"id\" : \"bot-7\" }",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_tree(texts[i]);
    }
}

static void test_strings(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
        "\"\\u0001\\u001f\\u007f\\u0080\\u07ff\\u0800\\uffff\"",
        "\"\\ud800\\udc00\\uD83D\\uDE00\\udbff\\udfff\"",
        "\"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80\"",
        "{\"\\u0061\\n\":\"\\u00e9\",\"\xc3\xa9\":[\"\\\\u0041\"]}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_tree(texts[i]);
    }
}

typedef struct maker {
    uint32_t seed;
    char text[1 << 16];
    size_t used;
} maker;

static uint32_t pick(maker *m, uint32_t count)
{
    m->seed = m->seed * 1664525u + 1013904223u;
    return (m->seed >> 8) % count;
}

static void put(maker *m, const char *text)
{
    assert_true(m->used + strlen(text) < sizeof m->text);
    m->used += (size_t)snprintf(m->text + m->used, sizeof m->text - m->used, "%s", text);
}

// A value at random; lists and objects become rarer with their depth.
static void make_value(maker *m, uint32_t depth)
{
    static const char *const scalars[] = {"true", "false", "null", "\"text\"", "\"\\u20ac\\n\"",
                                          "0",    "-7",    "3.25", "1e-7",     " 12.5 "};
    const uint32_t kind = pick(m, 4 + depth);
    if (kind >= 2 || depth > 6 || m->used > 20000) {
        char number[40];
        (void)snprintf(number, sizeof number, "%d.%03u", (int)pick(m, 2000) - 1000, pick(m, 1000));
        put(m, pick(m, 2) == 0 ? number : scalars[pick(m, sizeof scalars / sizeof scalars[0])]);
        return;
    }
    put(m, kind == 0 ? "[" : "{ ");
    for (uint32_t i = 0, count = pick(m, 7); i < count; i++) {
        put(m, i > 0 ? (pick(m, 2) == 0 ? "," : " ,\n") : "");
        if (kind == 1) {
            put(m, pick(m, 2) == 0 ? "\"name\":" : "\"\\\"quoted\\\"\" : ");
        }
        make_value(m, depth + 1);
    }
    put(m, kind == 0 ? " ]" : "}");
}

static void test_trees_at_random(void **state)
{
    (void)state;
    static maker m;
    for (uint32_t seed = 1; seed <= 500; seed++) {
        m.seed = seed;
        m.used = 0;
        put(&m, "[");
        make_value(&m, 0);
        put(&m, ",");
        make_value(&m, 0);
        put(&m, "]");
        assert_tree(m.text);
    }
}

static void test_as_deep_as_allowed(void **state)
{
    (void)state;
    char text[2 * PROTO_JSON_DEPTH_MAX + 1];
    for (uint32_t i = 0; i < PROTO_JSON_DEPTH_MAX; i++) {
        text[i] = '[';
        text[2 * PROTO_JSON_DEPTH_MAX - 1 - i] = ']';
    }
    text[2 * PROTO_JSON_DEPTH_MAX] = '\0';
    assert_tree(text);
}

// cJSON gives up on numbers of more than 63 characters; valid JSON has no such limit.
static void test_long_numbers(void **state)
{
    (void)state;
    char text[256];
    nav_error err = {0};
    cJSON *got = NULL;
    (void)snprintf(text, sizeof text, "[0.%0150d1,%s]", 0, "2.5");
    assert_int_equal(proto_fields_parse(text, strlen(text), 10, &got, &err), NAV_OK);
    assert_true(got->child->valuedouble > 0.0 && got->child->valuedouble < 1e-150);
    assert_true(got->child->next->valuedouble == 2.5);
    proto_fields_delete(got);
}

static void test_what_is_not_json(void **state)
{
    (void)state;
    static const char *const texts[] = {"",        "{",  "[1,]", "{\"a\"}",
                                        "\"\\x\"", "01", "nul",  "[1] 2"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cJSON *got = NULL;
        nav_error err = {0};
        assert_int_equal(proto_fields_parse(texts[i], strlen(texts[i]), 10, &got, &err),
                         PROTO_BAD_JSON);
        assert_null(got);
    }
}

// What is counted before the tree is made are commas and brackets; only values are bounded.
static void test_commas_in_strings_are_no_values(void **state)
{
    (void)state;
    static const char text[] = "[\",,,,,,[[[[[[{{{{\",1]";
    nav_error err = {0};
    cJSON *got = NULL;
    assert_int_equal(proto_fields_parse(text, strlen(text), 3, &got, &err), NAV_OK);
    assert_string_equal(got->child->valuestring, ",,,,,,[[[[[[{{{{");
    proto_fields_delete(got);
    got = NULL;
    assert_int_equal(proto_fields_parse(text, strlen(text), 2, &got, &err),
                     PROTO_JSON_TOO_MANY_VALUES);
    assert_string_equal(err.limit, "2");
    assert_null(got);
}

// Changes a text in some places: other bytes, pieces left out, pieces of other texts put in.
static void spoil(maker *m)
{
    static const char *const pieces[] = {"\"",
                                         "\\",
                                         "\\u",
                                         "[",
                                         "]",
                                         "{",
                                         "}",
                                         ",",
                                         ":",
                                         " ",
                                         "0",
                                         "-",
                                         ".",
                                         "e",
                                         "1E+",
                                         "tru",
                                         "\x80",
                                         "\xc3",
                                         "\\ud8",
                                         "\\udc00",
                                         "\\u0000",
                                         "\x01",
                                         "\"a\":",
                                         "[[[[[[[[[[[[[[[[[[[[",
                                         "12345678901234567"};
    for (uint32_t i = 0, count = pick(m, 4); i < count; i++) {
        const uint32_t at = pick(m, (uint32_t)m->used + 1);
        const char *piece = pieces[pick(m, sizeof pieces / sizeof pieces[0])];
        const size_t length = strlen(piece);
        if (pick(m, 2) == 0 && at < m->used) {
            m->text[at] = (char)pick(m, 256);
        } else if (pick(m, 2) == 0 && at < m->used) {
            memmove(m->text + at, m->text + at + 1, m->used - at - 1);
            m->used--;
        } else {
            memmove(m->text + at + length, m->text + at, m->used - at);
            memcpy(m->text + at, piece, length);
            m->used += length;
        }
    }
}

// A tree is had of exactly those texts that the scan passes, and what is wrong with others is what
// the scan says.
static void test_refusals_are_those_of_the_scan(void **state)
{
    (void)state;
    static maker m;
    static const char *const texts[] = {
        "{\"start\":[1.25,-2,3e1],\"search\":\"auto\",\"partial\":true,\"snap\":{\"up\":null}}",
        "[0,-0.5,17,1e999,12345678901234567,true,false,null,\"\\u00e9\\ud83d\\ude00\\n\"]",
        "\"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80\"",
        " -12.5 ",
    };
    uint32_t accepted = 0;
    for (uint32_t seed = 1; seed <= 100000; seed++) {
        m.seed = seed;
        m.used = 0;
        put(&m, texts[pick(&m, sizeof texts / sizeof texts[0])]);
        spoil(&m);
        const uint32_t values_max = pick(&m, 3) == 0 ? pick(&m, 20) : 10000;
        char *copy = malloc(m.used > 0 ? m.used : 1);
        assert_non_null(copy);
        memcpy(copy, m.text, m.used);
        cJSON *got = NULL;
        nav_error err = {0}, wanted = {0};
        const nav_status status = proto_fields_parse(copy, m.used, values_max, &got, &err);
        assert_int_equal(status,
                         proto_json_scan(copy, m.used, PROTO_JSON_DEPTH_MAX, values_max, &wanted));
        assert_string_equal(err.detail, wanted.detail);
        assert_string_equal(err.at, wanted.at);
        assert_string_equal(err.limit, wanted.limit);
        assert_int_equal(got != NULL, status == NAV_OK);
        accepted += status == NAV_OK;
        proto_fields_delete(got);
        free(copy);
    }
    assert_in_range(accepted, 20000, 80000); // both happen often
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_trees_at_random),
        cmocka_unit_test(test_as_deep_as_allowed),
        cmocka_unit_test(test_long_numbers),
        cmocka_unit_test(test_what_is_not_json),
        cmocka_unit_test(test_commas_in_strings_are_no_values),
        cmocka_unit_test(test_refusals_are_those_of_the_scan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
