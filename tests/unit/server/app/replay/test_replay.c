// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_replay.c: what is printed of two answers that differ shows where, takes little memory
// whatever the file has in it, and plays no tricks with a terminal.

#include "server/app/replay/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// What is printed; the caller's to free.
static char *difference(const char *was, size_t was_bytes, char *now)
{
    const bundle b = {.build = "navmeshd 9",
                      .status = 200,
                      .answer_type = "application/json",
                      .answer = was,
                      .answer_bytes = was_bytes};
    const reply got = {
        .status = 200, .content_type = "application/json", .body = now, .body_bytes = strlen(now)};
    char *text = NULL;
    size_t size_bytes;
    FILE *to = open_memstream(&text, &size_bytes);
    assert_non_null(to);
    assert_false(replay_is_same(&b, &got));
    replay_print_difference(&b, &got, to);
    assert_int_equal(fclose(to), 0);
    return text;
}

static void the_lines_that_differ_are_shown(void **state)
{
    (void)state;
    char now[] = "{\"a\":1,\"b\":[1,3],\"c\":4}";
    static const char was[] = "{\"a\":1,\"b\":[1,2],\"c\":4}";
    char *text = difference(was, sizeof was - 1, now);
    static const char lines[] =
        "@@ -2,5 +2,5 @@\n \"a\":1,\n \"b\":[\n 1,\n-2],\n+3],\n \"c\":4}\n";
    assert_non_null(strstr(text, lines));
    free(text);
}

static void an_answer_of_very_many_lines_is_told_by_its_bytes(void **state)
{
    (void)state;
    const size_t count = (size_t)4 << 20;
    char now[] = "{,,,}";
    char *was = malloc(count);
    assert_non_null(was);
    memset(was, ',', count);
    was[0] = '{';
    char *text = difference(was, count, now);
    assert_non_null(strstr(text, "-4194304 bytes\n+5 bytes\n"));
    assert_null(strstr(text, "@@"));
    free(text);
    free(was);
}

static void characters_that_do_not_show_are_named(void **state)
{
    (void)state;
    char now[] = "{\"a\":1}";
    static const char was[] =
        "{\"a\":\"\033[2J \xc2\x9b \xe2\x80\xae \xff \x7f \xc3\xbc \xf0\x9f\x8f\xb0\"}";
    char *text = difference(was, sizeof was - 1, now);
    assert_non_null(
        strstr(text, "\"?[2J \\u009b \\u202e ? \\u007f \xc3\xbc \xf0\x9f\x8f\xb0\"}\n"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lines_that_differ_are_shown),
        cmocka_unit_test(an_answer_of_very_many_lines_is_told_by_its_bytes),
        cmocka_unit_test(characters_that_do_not_show_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
