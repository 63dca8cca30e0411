// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_accept.c: lists of media ranges, and whether a type lies in them.

#include "server/http/http.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define JSON "application/json"

static void what_is_taken(void **state)
{
    (void)state;
    assert_true(accept_takes(NULL, JSON));
    static const char *const lists[] = {
        "",
        " , ",
        "*/*",
        "*",
        "application/*",
        JSON,
        "APPLICATION/Json",
        "application/json; charset=utf-8",
        "application/json;q=0.001",
        "text/html, application/json",
        "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2",
        "application/openmetrics-text;version=1.0.0;q=0.5,*/*;q=0.1",
        "*/*;q=0, application/json",
        "text/*;q=0, */*",
        "\tapplication/json ; q=1\t,",
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        if (!accept_takes(lists[i], JSON)) {
            fail_msg("not taken: %s", lists[i]);
        }
    }
}

static void what_is_not(void **state)
{
    (void)state;
    static const char *const lists[] = {
        "text/html",
        "text/*, image/*",
        "application/jso",
        "application/json2",
        "application/",
        "json",
        "application/json;q=0",
        "application/json ; v=1 ; q=0.000",
        "*/*, application/json;q=0",
        "*/*, application/*;q=0",
        "application/json;q=0, */*;q=1",
        ";q=1",
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        if (accept_takes(lists[i], JSON)) {
            fail_msg("taken: %s", lists[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_taken),
        cmocka_unit_test(what_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
