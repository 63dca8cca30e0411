// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_version_lines.c: warnings and failed checks as lines for people, and of texts that are
// something else an error.

#include "proto/replies/replies.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#define CHECKS                                                                                     \
    "[{\"name\":\"spawn\",\"passed\":true,\"detail\":\"0 from the mesh\"},"                        \
    "{\"name\":\"a\\nb\",\"passed\":false,\"detail\":\"there is no way\"}]"
#define WARNINGS                                                                                   \
    "[{\"code\":\"link_off_mesh\",\"count\":2,\"items\":["                                         \
    "{\"position\":[1,2.5,-3],\"value\":5.5,\"name\":\"ferry\"},{\"position\":[0,0,0]}]},"         \
    "{\"code\":\"value_clamped\",\"count\":1,\"items\":[{\"value\":0.6,\"name\":\"agent.radius\"}" \
    "]},"                                                                                          \
    "{\"code\":\"island\",\"count\":70,\"items\":[{\"position\":[0,0,9]}]},"                       \
    "{\"code\":\"hole_not_merged\",\"count\":1,\"items\":[]}]"

#define AGENTS                                                                                     \
    "{\"cat\":{\"blob\":{},\"stats\":{},\"warnings\":[]},"                                         \
    "\"rat\":{\"blob\":{},\"stats\":{\"polygons\":3},\"warnings\":[{\"code\":\"island\","          \
    "\"count\":2,\"items\":[{\"position\":[1,0,1]}]}]}}"

static void a_line_for_each(void **state)
{
    (void)state;
    size_t size_bytes;
    proto_lines lines = {.prefix = "yard: "};
    assert_int_equal(proto_lines_write(&lines, CHECKS, WARNINGS, AGENTS, NULL), NAV_OK);
    assert_int_equal(lines.failed_checks, 1);
    assert_int_equal(lines.warnings, 5);
    char *text = proto_writer_take(&lines.text, &size_bytes);
    assert_string_equal(text,
                        "yard: check \"a\\nb\" failed: there is no way\n"
                        "yard: warning link_off_mesh: 2, first \"ferry\" at [1,2.5,-3] (5.5)\n"
                        "yard: warning value_clamped: 1, first \"agent.radius\" (0.6)\n"
                        "yard: warning island: 70, first at [0,0,9]\n"
                        "yard: warning hole_not_merged: 1\n"
                        "yard: agent rat: warning island: 2, first at [1,0,1]\n");
    free(text);
}

// The sentence of an oddity may hold the name of a material, which a terminal must not obey.
static void sentences_hold_no_control_characters(void **state)
{
    (void)state;
    static const char warnings[] =
        "[{\"code\":\"material_unlisted\",\"count\":1,\"items\":[],"
        "\"detail\":\"\\\"\\u001b[31m\\u007f\\nmud\\\" f\u00fcrst: name them\",\"suggest\":\"\"}]";
    size_t size_bytes;
    proto_lines lines = {.prefix = ""};
    assert_int_equal(proto_lines_write(&lines, NULL, warnings, NULL, NULL), NAV_OK);
    char *text = proto_writer_take(&lines.text, &size_bytes);
    assert_string_equal(text, "warning material_unlisted: \"?[31m??mud\" f\u00fcrst: name them\n");
    free(text);
}

static void nothing_to_tell_is_no_line(void **state)
{
    (void)state;
    static const char *const none[] = {NULL, "[]"};
    static const char *const no_agents[] = {NULL, "{}"};
    for (int i = 0; i < 8; i++) {
        proto_lines lines = {.prefix = ""};
        assert_int_equal(
            proto_lines_write(&lines, none[i / 2 % 2], none[i % 2], no_agents[i / 4], NULL),
            NAV_OK);
        assert_int_equal(lines.failed_checks + lines.warnings + lines.text.size_bytes, 0);
        proto_writer_free(&lines.text);
    }
}

static void what_nobody_wrote_is_an_error(void **state)
{
    (void)state;
    static const char *const rows[][3] = {
        {"[", NULL},
        {NULL, "[{}]"},
        {"[{\"name\":\"a\",\"passed\":1,\"detail\":\"\"}]", NULL},
        {"[3]", NULL},
        {NULL, "[{\"code\":\"island\",\"count\":-1,\"items\":[]}]"},
        {NULL, "[{\"code\":\"island\",\"count\":1,\"items\":[{\"position\":[0,0]}]}]"},
        {NULL, NULL, "{\"rat\":{}}"},
        {NULL, NULL, "[3]"},
        {NULL, NULL, "{\"rat\":{\"warnings\":[{}]}}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        proto_lines lines = {.prefix = ""};
        nav_error err = {0};
        assert_int_not_equal(proto_lines_write(&lines, rows[i][0], rows[i][1], rows[i][2], &err),
                             NAV_OK);
        assert_int_not_equal(err.status, NAV_OK);
        proto_writer_free(&lines.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_for_each),
        cmocka_unit_test(sentences_hold_no_control_characters),
        cmocka_unit_test(nothing_to_tell_is_no_line),
        cmocka_unit_test(what_nobody_wrote_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
