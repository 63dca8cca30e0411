// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_access.c: names, sites, tokens and limits: who may ask, and how much.

#include "server/http/access.h"
#include "server/http/auth.h"
#include "server/base/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const HOSTS[] = {"nav.example", "other.example:81"};
static const char *const ORIGINS[] = {"https://game.example", "http://tools.example:8080"};

static nav_status check_names(const char *host, const char *origin, const char *site,
                              access_names names, const char **told)
{
    const access_headers headers = {.host = host, .origin = origin, .fetch_site = site};
    const access_rules rules = {
        .names = names, .hosts = HOSTS, .host_count = 2, .origins = ORIGINS, .origin_count = 2};
    nav_error err = {0};
    nav_status status = access_check(&headers, &rules, told, &err);
    assert_int_equal(err.status, status);
    return status;
}

static nav_status check(const char *host, const char *origin, const char *site, bool any_host)
{
    const char *told = "";
    nav_status status =
        check_names(host, origin, site, any_host ? ACCESS_ANY : ACCESS_LOOPBACK, &told);
    assert_null(told);
    return status;
}

// Where all of a network may ask, still only by an address: a name can be pointed at it by a site.
static void hosts_of_a_trusted_network(void **state)
{
    (void)state;
    static const char *const good[] = {"10.1.2.3",  "10.1.2.3:7650", "[fe80::1]:7650",
                                       "localhost", "nav.example",   NULL};
    static const char *const bad[] = {"evil.example", "10.1.2.3.example", "10.1.2",
                                      "[10.1.2.3]",   "fe80::1",          ""};
    const char *told;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_int_equal(check_names(good[i], NULL, NULL, ACCESS_ADDRESSES, &told), NAV_OK);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(check_names(bad[i], NULL, NULL, ACCESS_ADDRESSES, &told),
                         PROTO_HOST_NOT_ALLOWED);
    }
}

// Another site may lead to the console's page, and not ask for it in its own name.
static void the_page_can_be_linked_to(void **state)
{
    (void)state;
    static const struct {
        const char *host, *origin, *site;
        nav_status elsewhere, page;
    } rows[] = {
        {"localhost", NULL, "cross-site", PROTO_ORIGIN_NOT_ALLOWED, NAV_OK},
        {"localhost", NULL, "same-site", PROTO_ORIGIN_NOT_ALLOWED, NAV_OK},
        {"localhost", "https://evil.example", "cross-site", PROTO_ORIGIN_NOT_ALLOWED,
         PROTO_ORIGIN_NOT_ALLOWED},
        {"evil.example", NULL, "cross-site", PROTO_HOST_NOT_ALLOWED, PROTO_HOST_NOT_ALLOWED},
        {"localhost", NULL, "none", NAV_OK, NAV_OK},
    };
    const access_rules rules = {.names = ACCESS_LOOPBACK};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *told;
        nav_error err;
        access_headers headers = {
            .host = rows[i].host, .origin = rows[i].origin, .fetch_site = rows[i].site};
        assert_int_equal(access_check(&headers, &rules, &told, &err), rows[i].elsewhere);
        headers.is_page = true;
        assert_int_equal(access_check(&headers, &rules, &told, &err), rows[i].page);
    }
}

static void origins_that_are_allowed(void **state)
{
    (void)state;
    const char *told = NULL;
    assert_int_equal(
        check_names("localhost", "https://GAME.example", "cross-site", ACCESS_LOOPBACK, &told),
        NAV_OK);
    assert_ptr_equal(told, ORIGINS[0]);
    static const char *const bad[] = {"https://game.example:444",  "http://game.example",
                                      "https://game.example.evil", "https://tools.example:8080",
                                      "https://game.example/",     "null"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(check_names("localhost", bad[i], NULL, ACCESS_LOOPBACK, &told),
                         PROTO_ORIGIN_NOT_ALLOWED);
        assert_null(told);
    }
    // An allowed page does not make a name of this daemon's.
    assert_int_equal(
        check_names("evil.example", "https://game.example", NULL, ACCESS_LOOPBACK, &told),
        PROTO_HOST_NOT_ALLOWED);
}

static void what_is_an_origin(void **state)
{
    (void)state;
    static const char *const good[] = {"http://localhost:3000", "https://game.example",
                                       "http://[::1]:80"};
    static const char *const bad[] = {"game.example",
                                      "https://",
                                      "https://game.example/",
                                      "*",
                                      "null",
                                      "https://game.example/a",
                                      "ftp://game.example",
                                      "https://a,b",
                                      "https://me@game.example",
                                      ""};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(access_is_origin(good[i]));
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(access_is_origin(bad[i]));
    }
}

static void hosts(void **state)
{
    (void)state;
    static const char *const good[] = {
        "localhost",      "LocalHost:1",    "127.0.0.1", "127.9.9.9:65535",  "[::1]",
        "[::1]:7",        "nav.example:99", "[0::1]",    "other.example:81", "localhost:",
        "127.0.0.1:7650", "127.0.0.10",     NULL};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_int_equal(check(good[i], NULL, NULL, false), NAV_OK);
    }
    static const char *const bad[] = {"",
                                      ":80",
                                      "evil.example",
                                      "localhost.evil.example",
                                      "127.0.0.1.example",
                                      "126.0.0.1",
                                      "[::2]",
                                      "[::1",
                                      "[::1]x",
                                      "localhost:8o",
                                      "0x7f.1",
                                      "2130706433",
                                      "localhost:123456",
                                      "127.0.0.1:123456",
                                      "127.0.0.1:1x",
                                      "localhost::1",
                                      "127.0.0.1 ",
                                      "other.example",
                                      "[]",
                                      "127.1",
                                      "[127.0.0.1]",
                                      "::1"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(check(bad[i], NULL, NULL, false), PROTO_HOST_NOT_ALLOWED);
        assert_int_equal(check(bad[i], NULL, NULL, true), NAV_OK);
    }
}

static void origins(void **state)
{
    (void)state;
    assert_int_equal(check("localhost:1", "http://localhost:1", "same-origin", false), NAV_OK);
    assert_int_equal(check("localhost:1", "HTTPS://LOCALHOST:1", "none", false), NAV_OK);
    static const char *const bad[] = {"null",
                                      "",
                                      "http://localhost",
                                      "http://localhost:2",
                                      "http://localhost:1.example",
                                      "ftp://localhost:1",
                                      "http://a@localhost:1"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(check("localhost:1", bad[i], NULL, false), PROTO_ORIGIN_NOT_ALLOWED);
        assert_int_equal(check("localhost:1", bad[i], NULL, true), PROTO_ORIGIN_NOT_ALLOWED);
    }
    assert_int_equal(check(NULL, "http://localhost", NULL, true), PROTO_ORIGIN_NOT_ALLOWED);
    assert_int_equal(check("localhost", NULL, "cross-site", false), PROTO_ORIGIN_NOT_ALLOWED);
    assert_int_equal(check("localhost", NULL, "same-site", true), PROTO_ORIGIN_NOT_ALLOWED);
}

// A file of its own for each test; the name is reused.
static const char *token_file(const char *text)
{
    static char name[64];
    (void)snprintf(name, sizeof name, "/tmp/test_access.%ld", (long)getpid());
    (void)unlink(name);
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    (void)fclose(file);
    assert_int_equal(chmod(name, 0600), 0);
    return name;
}

#define ONE "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
#define TWO "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB"

static void tokens(void **state)
{
    (void)state;
    auth *a = NULL;
    nav_error err = {0};
    const char *file = token_file("query " ONE "\nadmin,bake " TWO "\r\n");
    assert_int_equal(auth_open(file, &a, &err), NAV_OK);
    assert_int_equal(auth_check(a, NULL, AUTH_QUERY, &err), PROTO_TOKEN_MISSING);
    assert_int_equal(auth_check(a, NULL, AUTH_FREE, &err), NAV_OK);
    assert_int_equal(auth_check(a, "Bearer " ONE, AUTH_QUERY | AUTH_BAKE, &err), NAV_OK);
    assert_int_equal(auth_check(a, "Bearer " ONE, AUTH_BAKE, &err), PROTO_TOKEN_SCOPE);
    assert_int_equal(auth_check(a, "Bearer " ONE, 0, &err), PROTO_TOKEN_SCOPE);
    assert_int_equal(auth_check(a, "Bearer " TWO, 0, &err), NAV_OK);
    assert_int_equal(auth_check(a, "Bearer " TWO, AUTH_QUERY, &err), NAV_OK);
    assert_int_equal(auth_check(a, "Bearer", AUTH_QUERY, &err), PROTO_TOKEN_MISSING);
    assert_int_equal(auth_check(a, "Bearer " ONE "A", AUTH_QUERY, &err), PROTO_TOKEN_MISSING);
    assert_int_equal(auth_check(a, "Bearer AAAA", AUTH_QUERY, &err), PROTO_TOKEN_MISSING);

    // A reload swaps the tokens, or changes nothing.
    (void)token_file("query " TWO "\n");
    assert_int_equal(auth_reload(a, &err), NAV_OK);
    assert_int_equal(auth_check(a, "Bearer " ONE, AUTH_QUERY, &err), PROTO_TOKEN_MISSING);
    assert_int_equal(auth_check(a, "Bearer " TWO, 0, &err), PROTO_TOKEN_SCOPE);
    (void)token_file("query " ONE "\nnonsense\n");
    assert_int_equal(auth_reload(a, &err), NAV_INVALID_FIELD);
    assert_null(strstr(err.detail, "AAAA"));
    assert_int_equal(auth_check(a, "Bearer " TWO, AUTH_QUERY, &err), NAV_OK);
    (void)unlink(file);
    assert_int_equal(auth_reload(a, &err), NAV_INVALID_FIELD);
    auth_close(a);
}

static void limits_by_name(void **state)
{
    (void)state;
    service_limits l = limits_default();
    nav_error err = {0};
    uint64_t value;
    size_t count = 0;
    assert_int_equal(l.query_body_bytes, 64 << 10);
    assert_int_equal(limits_set(&l, "query_body_bytes=70000", &err), NAV_OK);
    assert_int_equal(l.query_body_bytes, 70000);
    assert_int_equal(limits_at(&l, offsetof(service_limits, query_body_bytes)), 70000);
    for (const char *name; (name = limits_row(&l, count, &value)) != NULL; count++) {
        char text[96];
        (void)snprintf(text, sizeof text, "%s=%llu", name, (unsigned long long)value);
        assert_int_equal(limits_set(&l, text, &err), NAV_OK); // each default is in its bounds
    }
    assert_int_equal(count, sizeof l / sizeof(uint64_t));
    static const char *const bad[] = {"",
                                      "=",
                                      "idle_ms",
                                      "idle_ms=",
                                      "idle_ms=x",
                                      "idle_ms=-1",
                                      "idle_ms=1",
                                      "idle=5",
                                      "idle_ms=99999999999999999999",
                                      "idle_ms =50",
                                      "idle_ms=50 "};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(limits_set(&l, bad[i], &err), NAV_INVALID_FIELD);
    }
    assert_int_equal(l.idle_ms, 30000);
}

// A limit that /v1/status lists beside the table is refused with the reason.
static void limits_that_are_set_elsewhere(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"query_arguments=65", "query_arguments is fixed"},
        {"bake_memory_bytes=1", "bake_memory_bytes is set with --bake-memory"},
        {"bake_time_ms=1", "bake_time_ms is set with --bake-time"},
        {"drain_ms=1", "drain_ms is set with --drain-ms"},
        {"slow_query_ms=1", "slow_query_ms is set with --slow-query-ms"},
        {"idle=1", "there is no limit of this name (see /v1/status); did you mean \"idle_ms\"?"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        service_limits l = limits_default();
        nav_error err = {0};
        assert_int_equal(limits_set(&l, rows[i][0], &err), NAV_INVALID_FIELD);
        assert_string_equal(err.detail, rows[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hosts),
        cmocka_unit_test(origins),
        cmocka_unit_test(hosts_of_a_trusted_network),
        cmocka_unit_test(the_page_can_be_linked_to),
        cmocka_unit_test(origins_that_are_allowed),
        cmocka_unit_test(what_is_an_origin),
        cmocka_unit_test(tokens),
        cmocka_unit_test(limits_by_name),
        cmocka_unit_test(limits_that_are_set_elsewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
