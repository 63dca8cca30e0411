// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_options.c: the command line gives the options it says, or a refusal that names what is
// wrong.

#include "server/options.h"

#include "server/listen.h"
#include "server/routes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define ARGS_MAX 24

// getopt reorders its argv, so each call gets a copy.
static nav_status parse(const char *const *args, options *out, nav_error *err)
{
    char *argv[ARGS_MAX + 2] = {(char *)(uintptr_t) "navmeshd"};
    int argc = 1;
    while (args[argc - 1] != NULL) {
        argv[argc] = (char *)(uintptr_t)args[argc - 1];
        argc++;
    }
    memset(err, 0, sizeof *err);
    return options_parse(argc, argv, 4, out, err);
}

#define PARSE(out, err, ...) parse((const char *const[]){__VA_ARGS__, NULL}, (out), (err))

static void defaults(void **state)
{
    (void)state;
    options o;
    nav_error err;
    assert_int_equal(parse((const char *const[]){NULL}, &o, &err), NAV_OK);
    assert_int_equal(o.action, OPTION_SERVE);
    assert_int_equal(o.listener_count, 1);
    assert_string_equal(o.listeners[0], "127.0.0.1:7650");
    assert_string_equal(o.db, "navmeshd.db");
    assert_int_equal(o.mesh_count, 0);
    assert_int_equal(o.workers, 4);
    assert_int_equal(o.bake_memory_mib, 2048);
    assert_true(o.bake_time_s == 1800);
    assert_int_equal(o.keep_versions, 0);
}

static void everything_given(void **state)
{
    (void)state;
    options o;
    nav_error err;
    assert_int_equal(PARSE(&o, &err, "--listen", "[::1]:0", "--listen=unix:/x/y", "--db", "a.db",
                           "--mesh", "town=levels/a=b.obj", "--mesh", "c.d_e-f=g.json", "--workers",
                           "2", "--bake-memory", "64", "--bake-time", "0.25", "--keep-versions",
                           "7", "--check"),
                     NAV_OK);
    assert_int_equal(o.action, OPTION_CHECK);
    assert_int_equal(o.listener_count, 2);
    assert_string_equal(o.listeners[1], "unix:/x/y");
    assert_string_equal(o.db, "a.db");
    assert_int_equal(o.mesh_count, 2);
    assert_string_equal(o.meshes[0].name, "town");
    assert_string_equal(o.meshes[0].file, "levels/a=b.obj");
    assert_string_equal(o.meshes[1].name, "c.d_e-f");
    assert_int_equal(o.workers, 2);
    assert_int_equal(o.bake_memory_mib, 64);
    assert_true(o.bake_time_s == 0.25);
    assert_int_equal(o.keep_versions, 7);
}

static void help_and_version(void **state)
{
    (void)state;
    options o;
    nav_error err;
    assert_int_equal(PARSE(&o, &err, "--help"), NAV_OK);
    assert_int_equal(o.action, OPTION_HELP);
    assert_int_equal(PARSE(&o, &err, "--version"), NAV_OK);
    assert_int_equal(o.action, OPTION_VERSION);
}

static void refused(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"--nothing", NULL},        {"stray", NULL},           {"--db", NULL},
        {"--db", "", NULL},         {"--workers", "0", NULL},  {"--workers", "-1", NULL},
        {"--workers", "2x"},        {"--workers", "65"},       {"--mesh", "town"},
        {"--mesh", "town="},        {"--mesh", "=file"},       {"--mesh", ".town=f"},
        {"--mesh", "a/b=f"},        {"--listen", "0.0.0.0:1"}, {"--listen", "[::]:1"},
        {"--listen", "10.0.0.1:1"}, {"--listen", "127.0.0.1"}, {"--listen", "127.0.0.1:65536"},
        {"--listen", "127.0.0.1:"}, {"--listen", "unix:"},     {"--listen", "example.org:1"},
        {"--listen", "::1:1x"},     {"--bake-memory", "0"},    {"--bake-memory", "1.5"},
        {"--bake-memory", "-1"},    {"--bake-time", "0"},      {"--bake-time", "nan"},
        {"--keep-versions", "-1"},  {"--keep-versions", "x"},  {"--keep-versions", "1000001"},
        {"--bake-time", "2m"},      {"--bake-time", "1e9"},    {"--bake-memory", "16777217"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *const args[] = {cases[i][0], cases[i][1], NULL};
        options o = {.workers = 77};
        nav_error err;
        assert_int_equal(parse(args, &o, &err), NAV_INVALID_FIELD);
        assert_true(strlen(err.detail) > 10);
        assert_int_equal(o.workers, 77); // untouched
    }
}

static void same_name_twice(void **state)
{
    (void)state;
    options o;
    nav_error err;
    assert_int_equal(PARSE(&o, &err, "--mesh", "a=1", "--mesh", "ab=1"), NAV_OK);
    assert_int_equal(PARSE(&o, &err, "--mesh", "a=1", "--mesh", "a=2"), NAV_INVALID_FIELD);
}

static void loopback_addresses(void **state)
{
    (void)state;
    static const char *const good[] = {"127.0.0.1:0", "127.8.9.1:80", "localhost:7650",
                                       "[::1]:65535", "unix:relative.sock"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_int_equal(listen_check(good[i], NULL), NAV_OK);
    }
}

static void routes_of_paths(void **state)
{
    (void)state;
    static const struct {
        const char *method, *path;
        nav_status status;
        uint32_t version;
        const char *mesh, *allow;
    } cases[] = {
        {"GET", "/healthz", NAV_OK, 0, "", ""},
        {"HEAD", "/v1/meshes/town", NAV_OK, 0, "town", ""},
        {"GET", "/v1/meshes/town/versions/7", NAV_OK, 7, "town", ""},
        {"GET", "/v1/meshes/t/versions/4294967294/render.svg", NAV_OK, 4294967294u, "t", ""},
        {"GET", "/v1/meshes/t/versions/4294967295", NAV_VERSION_NOT_FOUND, 0, "t", ""},
        {"GET", "/v1/meshes/t/versions/0", NAV_VERSION_NOT_FOUND, 0, "t", ""},
        {"GET", "/v1/meshes/t/versions/01", NAV_VERSION_NOT_FOUND, 0, "t", ""},
        {"GET", "/v1/meshes/t/versions/1x", NAV_VERSION_NOT_FOUND, 0, "t", ""},
        {"GET", "/v1/meshes/.t", NAV_MESH_NOT_FOUND, 0, "", ""},
        {"GET", "/v1/meshes/", NAV_MESH_NOT_FOUND, 0, "", ""},
        {"POST", "/v1/meshes/a%b/versions", NAV_INVALID_FIELD, 0, "", ""},
        {"GET", "/v1/meshes/t/", NAV_ROUTE_NOT_FOUND, 0, "", ""},
        {"GET", "/healthz/", NAV_ROUTE_NOT_FOUND, 0, "", ""},
        {"GET", "", NAV_ROUTE_NOT_FOUND, 0, "", ""},
        {"POST", "/healthz", NAV_METHOD_NOT_ALLOWED, 0, "", "GET, HEAD"},
        {"PATCH", "/v1/meshes/t/versions", NAV_METHOD_NOT_ALLOWED, 0, "", "POST, GET, HEAD"},
        {"GET", "/v1/meshes/t/active", NAV_METHOD_NOT_ALLOWED, 0, "", "PUT"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        request r = {0};
        char allow[40];
        assert_int_equal(routes_find(&r, cases[i].method, cases[i].path, allow, sizeof allow, NULL),
                         cases[i].status);
        assert_int_equal(r.version, cases[i].version);
        assert_string_equal(r.mesh, cases[i].mesh);
        if (cases[i].status == NAV_METHOD_NOT_ALLOWED) {
            assert_string_equal(allow, cases[i].allow);
        }
    }
}

static void mesh_name_lengths(void **state)
{
    (void)state;
    char name[LIMIT_MESH_NAME + 2];
    memset(name, 'a', sizeof name);
    assert_true(routes_is_mesh_name(name, LIMIT_MESH_NAME));
    assert_false(routes_is_mesh_name(name, LIMIT_MESH_NAME + 1));
    assert_false(routes_is_mesh_name(name, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),         cmocka_unit_test(everything_given),
        cmocka_unit_test(help_and_version), cmocka_unit_test(refused),
        cmocka_unit_test(same_name_twice),  cmocka_unit_test(loopback_addresses),
        cmocka_unit_test(routes_of_paths),  cmocka_unit_test(mesh_name_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
