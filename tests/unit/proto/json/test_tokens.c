// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_tokens.c: the scan passes valid JSON only, in bounded depth and number of values; and tokens
// are the same however the text is cut.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/json/json.h"
#include "proto/json/tokens.h"

// Scans a copy in a block of its own size, so that a sanitizer sees a read past its end.
static nav_status scan(const char *text, size_t size_bytes, nav_error *err)
{
    char *copy = malloc(size_bytes + (size_bytes == 0));
    assert_non_null(copy);
    memcpy(copy, text, size_bytes);
    nav_status status = proto_json_scan(copy, size_bytes, 32, 1000, err);
    free(copy);
    return status;
}

static void test_valid(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0",
        "-0",
        "1.5e+10",
        "-0.0E-1",
        "true",
        "false",
        "null",
        "\"\"",
        "[]",
        "{}",
        " [ ] ",
        "\t{\r\n} ",
        "[1,2,[3,[4]],{\"a\":{}}]",
        "{\"a\":1,\"b\":[true,null],\"\":\"x\"}",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4\\ud83d\\ude00\"",
        "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"",
        "\"\x7f\"",
        "{\"a\":1,\"a\":2}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        nav_error err = {0};
        nav_status status = scan(texts[i], strlen(texts[i]), &err);
        assert_string_equal(err.detail, "");
        assert_int_equal(status, NAV_OK);
    }
}

static void test_invalid(void **state)
{
    (void)state;
    static const struct {
        const char *text, *at;
    } cases[] = {
        {"", "byte 0"},
        {"  ", "byte 2"},
        {"[", "byte 1"},
        {"]", "byte 0"},
        {"[1", "byte 2"},
        {"[1,", "byte 3"},
        {"[1,]", "byte 3"},
        {"[,1]", "byte 1"},
        {"[1 2]", "byte 3"},
        {"[1}", "byte 2"},
        {"{\"a\":1]", "byte 6"},
        {"{\"a\"}", "byte 4"},
        {"{\"a\":}", "byte 5"},
        {"{\"a\":1,}", "byte 7"},
        {"{a:1}", "byte 1"},
        {"{1:1}", "byte 1"},
        {"{'a':1}", "byte 1"},
        {"01", "byte 0"},
        {"-", "byte 0"},
        {"+1", "byte 0"},
        {".5", "byte 0"},
        {"1.", "byte 0"},
        {"1e", "byte 0"},
        {"1e+", "byte 0"},
        {"0x1", "byte 1"},
        {"NaN", "byte 0"},
        {"Infinity", "byte 0"},
        {"tru", "byte 0"},
        {"True", "byte 0"},
        {"nulll", "byte 4"},
        {"\"", "byte 0"},
        {"\"a", "byte 0"},
        {"\"a\nb\"", "byte 2"},
        {"\"\\x\"", "byte 1"},
        {"\"\\u12\"", "byte 1"},
        {"\"\\u12G4\"", "byte 1"},
        {"\"\\", "byte 1"},
        {"\"\\u", "byte 1"},
        {"\"\\ud800\"", "byte 1"},
        {"\"\\ude00\"", "byte 1"},
        {"\"\\ud800\\u0041\"", "byte 1"},
        {"\"\\ud800\\", "byte 1"},
        {"\"\\u0000\"", "byte 1"},
        {"\"\xff\"", "byte 1"},
        {"\"\xc3\"", "byte 1"},
        {"\"\xc0\x80\"", "byte 1"},
        {"\"\xed\xa0\x80\"", "byte 1"},
        {"\"\xf4\x90\x80\x80\"", "byte 1"},
        {"\xef\xbb\xbf{}", "byte 0"},
        {"{} {}", "byte 3"},
        {"1,2", "byte 1"},
        {"// c\n1", "byte 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        nav_error err = {0};
        if (scan(cases[i].text, strlen(cases[i].text), &err) != PROTO_BAD_JSON) {
            fail_msg("passed: %s", cases[i].text);
        }
        assert_string_equal(err.at, cases[i].at);
        assert_non_null(strstr(err.detail, cases[i].at));
    }
    assert_int_equal(scan("[1]\0", 4, NULL), PROTO_BAD_JSON);
    assert_int_equal(scan("\"a\0b\"", 5, NULL), PROTO_BAD_JSON);
}

// The text ends amid a character whose other byte lies behind it in the buffer.
static void test_half_a_character(void **state)
{
    (void)state;
    nav_error err = {0};
    assert_int_equal(proto_json_scan("\"\xc3\xa4\"", 2, 32, 1000, &err), PROTO_BAD_JSON);
    assert_string_equal(err.at, "byte 1");
    assert_int_equal(proto_json_scan("\"\xc3\xa4\"", 4, 32, 1000, NULL), NAV_OK);
}

static void test_depth(void **state)
{
    (void)state;
    nav_error err = {0};
    assert_int_equal(proto_json_scan("[[[1]]]", 7, 3, 10, &err), NAV_OK);
    assert_int_equal(proto_json_scan("[[[1]]]", 7, 2, 10, &err), PROTO_JSON_TOO_DEEP);
    assert_string_equal(err.at, "byte 2");
    assert_string_equal(err.limit, "2");
    assert_int_equal(proto_json_scan("{\"a\":[{\"b\":1}]}", 15, 3, 10, &err), NAV_OK);
    assert_int_equal(proto_json_scan("{\"a\":[{\"b\":1}]}", 15, 2, 10, &err), PROTO_JSON_TOO_DEEP);
    assert_int_equal(proto_json_scan("1", 1, 0, 10, &err), NAV_OK);
    assert_int_equal(proto_json_scan("[]", 2, 0, 10, &err), PROTO_JSON_TOO_DEEP);
    char *deep = malloc(100000);
    assert_non_null(deep);
    memset(deep, '[', 100000);
    assert_int_equal(proto_json_scan(deep, 100000, PROTO_JSON_DEPTH_MAX, 1000000, &err),
                     PROTO_JSON_TOO_DEEP);
    assert_string_equal(err.at, "byte 32");
    assert_int_equal(proto_json_scan(deep, 100000, UINT32_MAX, 1000000, &err), PROTO_JSON_TOO_DEEP);
    // Mixed brackets close in order at every depth that the stack can hold.
    for (size_t i = 0; i < 1000; i++) {
        deep[i] = '[';
        deep[1999 - i] = ']';
    }
    assert_int_equal(proto_json_scan(deep, 2000, 1000, 1000000, &err), NAV_OK);
    deep[1500] = '}';
    assert_int_equal(proto_json_scan(deep, 2000, 1000, 1000000, &err), PROTO_BAD_JSON);
    free(deep);
}

static void test_values(void **state)
{
    (void)state;
    nav_error err = {0};
    assert_int_equal(proto_json_scan("[1,{\"a\":2}]", 11, 9, 4, &err), NAV_OK);
    assert_int_equal(proto_json_scan("[1,{\"a\":2}]", 11, 9, 3, &err), PROTO_JSON_TOO_MANY_VALUES);
    assert_string_equal(err.limit, "3");
}

// Writes each token as a letter and its text, and how the text ends.
static void note(proto_tokens *t, proto_token token, char *out, size_t *used)
{
    char text[64];
    text[0] = '\0';
    if (token == PROTO_TOKEN_NAME || token == PROTO_TOKEN_STRING) {
        proto_tokens_decode(t, text, sizeof text);
    } else if (token == PROTO_TOKEN_NUMBER) {
        (void)snprintf(text, sizeof text, "%.17g", proto_tokens_number(t));
    }
    nav_error err = {0};
    if (token == PROTO_TOKEN_WRONG) {
        proto_tokens_fail(t, &err);
    }
    *used += (size_t)snprintf(
        out + *used, 4096 - *used, "%c%s@%llu%s;", "w.eNcOLsntfz"[token], text,
        (unsigned long long)(token > PROTO_TOKEN_END ? proto_tokens_byte(t) : 0), err.detail);
    assert_true(*used < 4096);
}

// Pulls all tokens of a text that comes in windows of so many new bytes.
static void pull_in_pieces(const char *text, size_t size_bytes, size_t piece, char *out)
{
    proto_tokens t;
    proto_token token;
    size_t used = 0, given = 0, begin = 0;
    proto_tokens_init(&t, NULL, 0, 5, 30);
    t.string_bytes_max = 40;
    t.number_bytes_max = 30;
    out[0] = '\0';
    do {
        given = given + piece < size_bytes ? given + piece : size_bytes;
        // A block of the window's own size, so that a sanitizer sees a read past its end.
        char *window = malloc(given - begin + (given == begin));
        assert_non_null(window);
        memcpy(window, text + begin, given - begin);
        proto_tokens_window(&t, window, given - begin, given == size_bytes);
        while ((token = proto_tokens_next(&t)) > PROTO_TOKEN_END) {
            note(&t, token, out, &used);
        }
        if (token != PROTO_TOKEN_MORE) {
            note(&t, token, out, &used);
        }
        begin += t.at;
        free(window);
    } while (token == PROTO_TOKEN_MORE);
}

static void test_tokens_are_the_same_however_cut(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"a\":[1,-2.5,3e2,12345678901234567890],\"b\":{\"c\":\"\\u00e9\\ud83d\\ude00\"}} ",
        "[true,false,null,\"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80\",\"\",{},[]]",
        "[truf",
        "[nulll]",
        "[-Infinity,1]",
        "[1e+]",
        "[01]",
        "[1.]",
        "\"\\ud800\\u0041\"",
        "\"\xf0\x9f\x98\"",
        "\"\xe2\x82",
        "\"\\u12G4\"",
        "[[[[[[1]]]]]]",
        "{\"a\" 1}",
        "[1,2,]",
        "17",
        "",
        "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\\x\"",
        "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\\x\"",
        "[1234567890123456789012345678901]",
        "[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]",
        "[0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9]",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char wanted[4096], got[4096];
        const size_t size_bytes = strlen(texts[i]);
        pull_in_pieces(texts[i], size_bytes, size_bytes, wanted);
        for (size_t piece = 1; piece < 20; piece++) {
            pull_in_pieces(texts[i], size_bytes, piece, got);
            assert_string_equal(got, wanted);
        }
    }
}

static void test_texts_are_cut_to_their_room(void **state)
{
    (void)state;
    char out[6];
    proto_tokens t;
    proto_tokens_init(&t, "\"ab\\u20ac\\u20ac\"", 16, 1, 1);
    assert_int_equal(proto_tokens_next(&t), PROTO_TOKEN_STRING);
    assert_int_equal(proto_tokens_decode(&t, out, sizeof out), 5);
    assert_string_equal(out, "ab\xe2\x82\xac");
    assert_int_equal(proto_tokens_decode(&t, out, 5), 2); // no half of a character
    assert_string_equal(out, "ab");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valid),
        cmocka_unit_test(test_invalid),
        cmocka_unit_test(test_half_a_character),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_tokens_are_the_same_however_cut),
        cmocka_unit_test(test_texts_are_cut_to_their_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
