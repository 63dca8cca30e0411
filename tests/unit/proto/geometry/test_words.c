// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_words.c: text to words and ends of lines, the same in pieces of any size, with the line that
// each lies in.

#include "proto/geometry/geometry.h"
#include "tests/unit/geometry_text.h"

#include <stdio.h>

// Words in order, `/` where a line ends, each with its line behind it.
static nav_status spell(const char *text, size_t piece, char *out, size_t room, nav_error *err)
{
    proto_words w;
    proto_words_begin(&w);
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < strlen(text); i += piece) {
        const size_t left = strlen(text) - i;
        const char *at = text + i, *end = at + (left < piece ? left : piece);
        for (;;) {
            proto_words_end what;
            nav_status status = proto_words_next(&w, &at, end, &what, err);
            if (status != NAV_OK) {
                return status;
            }
            if (what == PROTO_WORDS_PIECE) {
                assert_ptr_equal(at, end);
                break;
            }
            used += (size_t)snprintf(out + used, room - used, "%s%d ",
                                     what == PROTO_WORDS_WORD ? w.word.text : "/", (int)w.line);
        }
    }
    if (proto_words_last(&w)) {
        (void)snprintf(out + used, room - used, "%s%d ", w.word.text, (int)w.line);
    }
    return NAV_OK;
}

static void words_and_lines(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"", ""},
        {"a", "a1 "},
        {"a b", "a1 b1 "},
        {" a\t\vbc \n", "a1 bc1 /1 "},
        {"a\nb\n", "a1 /1 b2 /2 "},
        {"a\r\nb\r\n\r\nc", "a1 /1 b2 /2 /3 c4 "},
        {"a\rb\r\r\nc\n\rd", "a1 /1 b2 /2 /3 c4 /4 /5 d6 "},
        {"\n\n  \nword\xc3\xa4 ", "/1 /2 /3 word\xc3\xa4"
                                  "4 "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t piece = 1; piece < 20; piece++) {
            char out[200];
            assert_int_equal(spell(rows[i][0], piece, out, sizeof out, NULL), NAV_OK);
            assert_string_equal(out, rows[i][1]);
        }
    }
}

static void words_that_are_none(void **state)
{
    (void)state;
    char text[600] = "a\nb\n", out[2000];
    memset(text + 4, 'x', PROTO_NUMBER_BYTES_MAX);
    for (size_t piece = 1; piece < 600; piece += 100) {
        nav_error err;
        assert_int_equal(spell(text, piece, out, sizeof out, &err), NAV_OK);
        text[4 + PROTO_NUMBER_BYTES_MAX] = 'x';
        assert_int_equal(spell(text, piece, out, sizeof out, &err), PROTO_BAD_GEOMETRY);
        assert_string_equal(err.at, "line 3");
        assert_int_equal(strlen(err.got), 63);
        text[4 + PROTO_NUMBER_BYTES_MAX] = '\0';
        assert_int_equal(spell("a\nbc\x7f", piece, out, sizeof out, &err), PROTO_BAD_GEOMETRY);
        assert_string_equal(err.at, "line 2");
        assert_string_equal(err.got, "bc");
        assert_int_equal(spell("\x01", piece, out, sizeof out, &err), PROTO_BAD_GEOMETRY);
        assert_string_equal(err.at, "line 1");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_lines),
        cmocka_unit_test(words_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
