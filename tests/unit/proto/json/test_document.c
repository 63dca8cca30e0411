// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_document.c: a document's tree, which cJSON makes, and a question's text, which is read token
// by token, give the same items, node by node and bit by bit; and both refuse what the scan
// refuses.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/json/document.h"
#include "proto/json/fields.h"

static void assert_same_text(const char *got, size_t got_bytes, const char *wanted,
                             size_t wanted_bytes)
{
    assert_int_equal(got_bytes, wanted_bytes);
    assert_memory_equal(got, wanted, wanted_bytes);
}

static void assert_same(const proto_item *got, const proto_item *wanted);

static void assert_same_members(const proto_item *got, const proto_item *wanted)
{
    proto_member a, b;
    uint32_t left = proto_item_count(wanted);
    bool more = proto_member_first(got, &a), more_wanted = proto_member_first(wanted, &b);
    while (more_wanted) {
        assert_true(more);
        assert_same_text(a.name, a.name_bytes, b.name, b.name_bytes);
        assert_same(&a.value, &b.value);
        left--;
        more = proto_member_next(&a);
        more_wanted = proto_member_next(&b);
    }
    assert_false(more);
    assert_int_equal(left, 0);
}

static void assert_same_elements(const proto_item *got, const proto_item *wanted)
{
    proto_item a, b;
    uint32_t left = proto_item_count(wanted);
    bool more = proto_item_first(got, &a), more_wanted = proto_item_first(wanted, &b);
    while (more_wanted) {
        assert_true(more);
        assert_same(&a, &b);
        left--;
        more = proto_item_next(&a);
        more_wanted = proto_item_next(&b);
    }
    assert_false(more);
    assert_int_equal(left, 0);
}

static void assert_same(const proto_item *got, const proto_item *wanted)
{
    assert_int_equal(got->kind, wanted->kind);
    if (wanted->kind == PROTO_TOKEN_NUMBER) {
        assert_memory_equal(&got->number, &wanted->number, sizeof got->number);
    } else if (wanted->kind == PROTO_TOKEN_STRING) {
        assert_same_text(got->text, got->text_bytes, wanted->text, wanted->text_bytes);
    } else if (wanted->kind == PROTO_TOKEN_OBJECT) {
        assert_same_members(got, wanted);
    } else if (wanted->kind == PROTO_TOKEN_LIST) {
        assert_same_elements(got, wanted);
    }
}

// The text stands at the end of its block, so that a sanitizer sees what is read behind it.
static void assert_items(const char *text)
{
    const size_t size_bytes = strlen(text);
    char *copy = malloc(size_bytes);
    assert_non_null(copy);
    memcpy(copy, text, size_bytes);
    cJSON *tree = NULL;
    nav_error err = {0};
    proto_source source;
    assert_int_equal(proto_document_parse(copy, size_bytes, 10000, &tree, &err), NAV_OK);
    const proto_item got = proto_item_begin(&source, copy, size_bytes, 10000);
    const proto_item wanted = proto_item_of_node(tree);
    assert_same(&got, &wanted);
    assert_true(proto_tokens_next(&source.tokens) == PROTO_TOKEN_END);
    free(copy);
    proto_document_delete(tree);
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
        assert_items(texts[i]);
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
        assert_items(texts[i]);
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
        assert_items(m.text);
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
    assert_items(text);
}

// cJSON cuts numbers of more than 63 characters, so that a document may have none; a question may.
static void test_long_numbers(void **state)
{
    (void)state;
    char text[256];
    nav_error err = {0};
    cJSON *tree = NULL;
    (void)snprintf(text, sizeof text, "[0.%0150d1,%s]", 0, "2.5");
    proto_source source;
    proto_item element;
    const proto_item list = proto_item_begin(&source, text, strlen(text), 10);
    assert_true(proto_item_first(&list, &element));
    assert_true(element.number > 0.0 && element.number < 1e-150);
    assert_true(proto_item_next(&element));
    assert_true(element.number == 2.5);
    assert_false(proto_item_next(&element));
    assert_true(proto_tokens_next(&source.tokens) == PROTO_TOKEN_END);
    assert_int_equal(proto_document_parse(text, strlen(text), 10, &tree, &err), PROTO_BAD_JSON);
    assert_string_equal(err.at, "byte 1");
    assert_null(tree);
    for (int decimals = 61; decimals <= 62; decimals++) {
        (void)snprintf(text, sizeof text, "0.%0*d", decimals, 1);
        const bool fits = strlen(text) <= 63;
        assert_int_equal(proto_document_parse(text, strlen(text), 10, &tree, &err),
                         fits ? NAV_OK : PROTO_BAD_JSON);
    }
    assert_true(tree->valuedouble == 1e-61);
    proto_document_delete(tree);
}

// No text of a number is longer than this anywhere.
static void test_numbers_have_a_longest_text(void **state)
{
    (void)state;
    char text[PROTO_NUMBER_BYTES_MAX + 2];
    memset(text, '1', sizeof text);
    assert_int_equal(proto_json_scan(text, PROTO_NUMBER_BYTES_MAX, 1, 1, NULL), NAV_OK);
    assert_int_equal(proto_json_scan(text, PROTO_NUMBER_BYTES_MAX + 1, 1, 1, NULL), PROTO_BAD_JSON);
}

static void test_what_is_not_json(void **state)
{
    (void)state;
    static const char *const texts[] = {"",        "{",  "[1,]", "{\"a\"}",
                                        "\"\\x\"", "01", "nul",  "[1] 2"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cJSON *tree = NULL;
        nav_error err = {0};
        assert_int_equal(proto_document_parse(texts[i], strlen(texts[i]), 10, &tree, &err),
                         PROTO_BAD_JSON);
        assert_null(tree);
    }
}

// Commas and brackets in strings are no values.
static void test_commas_in_strings_are_no_values(void **state)
{
    (void)state;
    static const char text[] = "[\",,,,,,[[[[[[{{{{\",1]";
    nav_error err = {0};
    cJSON *tree = NULL;
    assert_int_equal(proto_document_parse(text, strlen(text), 3, &tree, &err), NAV_OK);
    assert_string_equal(tree->child->valuestring, ",,,,,,[[[[[[{{{{");
    proto_document_delete(tree);
    tree = NULL;
    assert_int_equal(proto_document_parse(text, strlen(text), 2, &tree, &err),
                     PROTO_JSON_TOO_MANY_VALUES);
    assert_string_equal(err.limit, "2");
    assert_null(tree);
}

// A member is read again from its text; what is left of a list is counted, whatever it holds.
static void test_reading_again_and_the_rest(void **state)
{
    (void)state;
    static const char text[] = "{\"a\":[[1,[2]],{\"x\":[]},\"]\"],\"b\\n\":{\"c\":1,\"d\":[ ]}}";
    proto_source source, again;
    proto_member member, element;
    size_t size_bytes;
    const proto_item root = proto_item_begin(&source, text, strlen(text), 100);
    assert_true(proto_member_first(&root, &member));
    const char *const list = proto_item_text(&member.value, &size_bytes);
    assert_ptr_equal(list, text + strlen("{\"a\":"));
    assert_ptr_equal(list + size_bytes, text + strlen(text));
    const proto_item item = proto_item_begin(&again, list, size_bytes, 100);
    assert_int_equal(item.kind, PROTO_TOKEN_LIST);
    assert_true(proto_item_first(&item, &element.value));
    assert_int_equal(proto_member_rest(&element, PROTO_TOKEN_LIST), 3);
    assert_int_equal(proto_member_rest(&member, PROTO_TOKEN_OBJECT), 2);
    assert_int_equal(proto_tokens_next(&source.tokens), PROTO_TOKEN_END);
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

// Reads all of a question's item, whatever it is.
static void read_all(const proto_item *item)
{
    proto_item element;
    proto_member member;
    if (item->kind == PROTO_TOKEN_LIST) {
        for (bool more = proto_item_first(item, &element); more; more = proto_item_next(&element)) {
            read_all(&element);
        }
    } else if (item->kind == PROTO_TOKEN_OBJECT) {
        for (bool more = proto_member_first(item, &member); more;
             more = proto_member_next(&member)) {
            read_all(&member.value);
        }
    }
}

// A tree is had of exactly those texts that the scan passes, and what is wrong with others is what
// the scan says. A question is over exactly where the scan passes it.
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
        cJSON *tree = NULL;
        nav_error err = {0}, wanted = {0};
        const nav_status status = proto_document_parse(copy, m.used, values_max, &tree, &err);
        assert_int_equal(status,
                         proto_json_scan(copy, m.used, PROTO_JSON_DEPTH_MAX, values_max, &wanted));
        assert_string_equal(err.detail, wanted.detail);
        assert_string_equal(err.at, wanted.at);
        assert_string_equal(err.limit, wanted.limit);
        assert_int_equal(tree != NULL, status == NAV_OK);
        accepted += status == NAV_OK;
        proto_document_delete(tree);
        proto_source source;
        const proto_item item = proto_item_begin(&source, copy, m.used, values_max);
        read_all(&item);
        assert_int_equal(proto_tokens_next(&source.tokens) == PROTO_TOKEN_END, status == NAV_OK);
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
        cmocka_unit_test(test_numbers_have_a_longest_text),
        cmocka_unit_test(test_reading_again_and_the_rest),
        cmocka_unit_test(test_what_is_not_json),
        cmocka_unit_test(test_commas_in_strings_are_no_values),
        cmocka_unit_test(test_refusals_are_those_of_the_scan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
