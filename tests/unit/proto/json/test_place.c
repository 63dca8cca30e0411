// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_place.c: an error of a document's reader tells the line of the member that it is about.

#include "proto/json/document.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char SETTINGS[] = "{\n"                                      // 1
                               "  \"cell_size\": 0.3,\n"                  // 2
                               "  \"agent\": {\n"                         // 3
                               "    \"radius\": 0.4, \"height\": 2\n"     // 4
                               "  },\n"                                   // 5
                               "  \"areas\": {\"a\": 1, \"a.b\": {\n"     // 6
                               "    \"cost\": 2 } },\n"                   // 7
                               "  \"links\": [ {\"start\": [0, 0, 0]},\n" // 8
                               "    [], {\n"                              // 9
                               "      \"start\": [1,\n"                   // 10
                               "        2, \"x\"], \"end\": []}],\n"      // 11
                               "  \"na\\u006de\": \"}]\", \"last\": 1 }"; // 12

static void assert_place(const char *at, uint32_t line, uint32_t column)
{
    uint32_t got_line = 0, got_column = 0;
    const bool found =
        proto_document_locate(SETTINGS, strlen(SETTINGS), at, &got_line, &got_column);
    if (found != (line != 0) || got_line != line || got_column != column) {
        fail_msg("%s is at line %u, column %u, not %u, %u", at, got_line, got_column, line, column);
    }
}

static void places(void **state)
{
    (void)state;
    assert_place("cell_size", 2, 3);
    assert_place("agent", 3, 3);
    assert_place("agent.height", 4, 20);
    assert_place("links", 8, 3);
    assert_place("links[0]", 8, 14);
    assert_place("links[0].start", 8, 15);
    assert_place("links[1]", 9, 5);
    assert_place("links[2].start[2]", 11, 12);
    assert_place("links[2].end", 11, 18);
    assert_place("name", 12, 3);
    assert_place("last", 12, 22);
    // Names may have dots: the longest that is there.
    assert_place("areas.a", 6, 13);
    assert_place("areas.a.b", 6, 21);
    assert_place("areas.a.b.cost", 7, 5);
    // Of what is missing, what is around it.
    assert_place("agent.max_climb", 3, 3);
    assert_place("links[0].end", 8, 14);
    assert_place("links[7]", 8, 3);
    assert_place("links[0].start.x", 8, 15);
    assert_place("links[one]", 8, 3);
    assert_place("nothing", 0, 0);
    assert_place("cell", 0, 0);
    assert_place("", 0, 0);
    assert_place("byte 0", 1, 1);
    assert_place("byte 2", 2, 1);
    assert_place("byte 99999", 0, 0);
}

// Text that ends anywhere, or is none, is no place and nothing worse.
static void text_that_is_cut(void **state)
{
    (void)state;
    uint32_t line, column;
    for (size_t size = 0; size < sizeof SETTINGS; size++) {
        char *cut = malloc(size + 1);
        assert_non_null(cut);
        memcpy(cut, SETTINGS, size);
        cut[size] = '\0';
        (void)proto_document_locate(cut, size, "links[2].start[2]", &line, &column);
        free(cut);
    }
    assert_false(proto_document_locate("[1]", 3, "a", &line, &column));
    assert_false(proto_document_locate("7", 1, "a.b[0]", &line, &column));
}

static void sentences(void **state)
{
    (void)state;
    nav_error err = {.detail = "agent.height must be a number", .at = "agent.height"};
    proto_document_say_line(SETTINGS, strlen(SETTINGS), &err);
    assert_string_equal(err.detail, "line 4: agent.height must be a number");
    err = (nav_error){.detail = "expected a value at byte 5", .at = "byte 5"};
    proto_document_say_line(SETTINGS, strlen(SETTINGS), &err);
    assert_string_equal(err.detail, "line 2, column 4: expected a value at byte 5");
    err = (nav_error){.detail = "it is missing", .at = "nothing"};
    proto_document_say_line(SETTINGS, strlen(SETTINGS), &err);
    assert_string_equal(err.detail, "it is missing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places),
        cmocka_unit_test(text_that_is_cut),
        cmocka_unit_test(sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
