// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_options.c: the command line and the file of --config give the options they say, or a refusal
// that names what is wrong.

#include "server/app/options.h"

#include "server/http/listen.h"
#include "server/api/routes.h"
#include "server/http/http.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define ARGS_MAX 24

// getopt reorders its argv, so each call gets a copy.
static option_faults faults;

static nav_status parse_for(option_command command, const char *const *args, options *out)
{
    const char *word = command == OPTION_FOR_VERIFY   ? "verify"
                       : command == OPTION_FOR_BACKUP ? "backup"
                       : command == OPTION_FOR_BAKE   ? "bake"
                       : command == OPTION_FOR_QUERY  ? "query"
                       : command == OPTION_FOR_DIFF   ? "diff"
                       : command == OPTION_FOR_REPLAY ? "replay"
                                                      : "navmeshd";
    char *argv[ARGS_MAX + 2] = {(char *)(uintptr_t)word};
    int argc = 1;
    while (args[argc - 1] != NULL) {
        argv[argc] = (char *)(uintptr_t)args[argc - 1];
        argc++;
    }
    memset(&faults, 0, sizeof faults);
    return options_parse(command, argc, argv, 4, out, &faults);
}

static nav_status parse(const char *const *args, options *out)
{
    return parse_for(OPTION_FOR_SERVE, args, out);
}

#define PARSE(out, ...) parse((const char *const[]){__VA_ARGS__, NULL}, (out))

static void defaults(void **state)
{
    (void)state;
    options o;
    assert_int_equal(parse((const char *const[]){NULL}, &o), NAV_OK);
    assert_int_equal(o.action, OPTION_SERVE);
    assert_null(o.config);
    assert_int_equal(o.listeners.count, 1);
    assert_string_equal(o.listeners.items[0], "127.0.0.1:7650");
    assert_string_equal(o.db, "navmeshd.db");
    assert_int_equal(o.mesh_count, 0);
    assert_int_equal(o.workers, 4);
    assert_int_equal(o.bake_memory_mib, 2048);
    assert_true(o.bake_time_s == 1800);
    assert_int_equal(o.keep_versions, 0);
    assert_int_equal(o.drain_ms, 10000);
    assert_int_equal(o.log_level, LOG_LEVEL_INFO);
    assert_int_equal(o.log_format, LOG_FORMAT_TEXT);
    assert_false(o.log_requests);
    assert_int_equal(o.slow_query_ms, 500);
    options_free(&o);
}

static void everything_given(void **state)
{
    (void)state;
    options o;
    assert_int_equal(PARSE(&o, "--listen", "[::1]:0", "--listen=unix:/x/y", "--db", "a.db",
                           "--mesh", "town=levels/a=b.obj", "--mesh", "c.d_e-f=g.json", "--workers",
                           "2", "--bake-memory", "64", "--bake-time", "0.25", "--keep-versions",
                           "7", "--check"),
                     NAV_OK);
    assert_int_equal(o.action, OPTION_CHECK);
    assert_int_equal(o.listeners.count, 2);
    assert_string_equal(o.listeners.items[1], "unix:/x/y");
    assert_string_equal(o.db, "a.db");
    assert_int_equal(o.mesh_count, 2);
    assert_string_equal(o.meshes[0].name, "town");
    assert_string_equal(o.meshes[0].file, "levels/a=b.obj");
    assert_string_equal(o.meshes[1].name, "c.d_e-f");
    assert_int_equal(o.workers, 2);
    assert_int_equal(o.bake_memory_mib, 64);
    assert_true(o.bake_time_s == 0.25);
    assert_int_equal(o.keep_versions, 7);
    options_free(&o);
    assert_int_equal(PARSE(&o, "--drain-ms", "0", "--log-level", "warn", "--log-format", "json",
                           "--log-requests", "--slow-query-ms", "7"),
                     NAV_OK);
    assert_int_equal(o.drain_ms, 0);
    assert_int_equal(o.log_level, LOG_LEVEL_WARN);
    assert_int_equal(o.log_format, LOG_FORMAT_JSON);
    assert_true(o.log_requests);
    assert_int_equal(o.slow_query_ms, 7);
    options_free(&o);
    assert_int_equal(PARSE(&o, "--log-requests", "--log-requests=false"), NAV_OK);
    assert_false(o.log_requests);
    options_free(&o);
}

// --help names every row of the table, with its default where that is a constant.
static void help_and_version(void **state)
{
    (void)state;
    options o;
    assert_int_equal(PARSE(&o, "--help"), NAV_OK);
    assert_int_equal(o.action, OPTION_HELP);
    options_free(&o);
    assert_int_equal(PARSE(&o, "--version"), NAV_OK);
    assert_int_equal(o.action, OPTION_VERSION);
    options_free(&o);
    static const option_command commands[] = {
        OPTION_FOR_SERVE, OPTION_FOR_VERIFY, OPTION_FOR_BACKUP, OPTION_FOR_BAKE,
        OPTION_FOR_QUERY, OPTION_FOR_DIFF,   OPTION_FOR_EXPORT};
    size_t count;
    const option_row *rows = options_rows(&count);
    for (size_t c = 0; c < sizeof commands / sizeof commands[0]; c++) {
        char *help = options_help(commands[c], "intro\n", "outro\n");
        assert_non_null(help);
        for (size_t i = 0; i < count; i++) {
            char flag[64];
            (void)snprintf(flag, sizeof flag, "\n  --%s", rows[i].name);
            const char *at = strstr(help, flag);
            while (at != NULL && at[strlen(flag)] != ' ' && at[strlen(flag)] != '\n') {
                at = strstr(at + 1, flag); // --check is not --checks
            }
            if (!options_row_gives_way(&rows[i], commands[c])) {
                assert_int_equal(at != NULL,
                                 options_row_is_for(&rows[i], commands[c]) && !rows[i].file_only);
            }
        }
        const bool bakes = commands[c] == OPTION_FOR_SERVE || commands[c] == OPTION_FOR_BAKE;
        assert_int_equal(strstr(help, "(default 2048)") != NULL, bakes);
        assert_non_null(strstr(help, "on, off (default on)"));
        assert_int_equal(strstr(help, "SIGHUP") != NULL, commands[c] == OPTION_FOR_SERVE);
        for (const char *line = help; *line != '\0'; line += strcspn(line, "\n") + 1) {
            assert_true(strcspn(line, "\n") <= 110);
        }
        free(help);
    }
}

static void refused(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"--nothing", NULL},        {"stray", NULL},           {"--db", NULL},
        {"--db", "", NULL},         {"--workers", "0", NULL},  {"--workers", "-1", NULL},
        {"--workers", "2x"},        {"--workers", "65"},       {"--mesh", "town"},
        {"--mesh", "town="},        {"--mesh", "=file"},       {"--mesh", ".town=f"},
        {"--listen", "0.0.0.0:1"},  {"--listen", "[::]:1"},    {"--listen", "10.0.0.1:1"},
        {"--mesh", "a/b=f"},        {"--listen", "127.0.0.1"}, {"--listen", "127.0.0.1:65536"},
        {"--listen", "127.0.0.1:"}, {"--listen", "unix:"},     {"--listen", "example.org:1"},
        {"--listen", "::1:1x"},     {"--bake-memory", "0"},    {"--bake-memory", "1.5"},
        {"--bake-memory", "-1"},    {"--bake-time", "0"},      {"--bake-time", "nan"},
        {"--keep-versions", "-1"},  {"--keep-versions", "x"},  {"--keep-versions", "1000001"},
        {"--bake-time", "2m"},      {"--bake-time", "1e9"},    {"--bake-memory", "16777217"},
        {"--workers", "0x1"},       {"--workers", " 1"},       {"--log-level", "loud"},
        {"--log-level", ""},        {"--log-format", "xml"},   {"--drain-ms", "1s"},
        {"--drain-ms", "3600001"},  {"--log-requests=maybe"},  {"--slow-query-ms", "-1"},
        {"--allow-host", ""},       {"--limit", "uri_bytes"},  {"--limit", "uri_bytes=1"},
        {"--limit", "no_such=1"},   {"--token-file", ""},      {"--config", "/nowhere/at.all"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *const args[] = {cases[i][0], cases[i][1], NULL};
        options o;
        assert_int_equal(parse(args, &o), NAV_INVALID_FIELD);
        assert_int_equal(faults.count, 1);
        assert_true(strlen(faults.items[0].detail) > 10);
        // The fault names the option, and whatever was right is there.
        assert_int_equal(strncmp(faults.items[0].detail, cases[i][0], strcspn(cases[i][0], "=")),
                         0);
        assert_string_equal(o.db, "navmeshd.db");
        options_free(&o);
    }
}

// The word that is wrong, and what is wrong with it, wherever in the line it stands.
static void refused_in_words(void **state)
{
    (void)state;
    static const struct {
        const char *args[4], *said;
    } cases[] = {
        {{"--bogus"}, "--bogus: there is no such option"},
        {{"--db", "x", "--bogus"}, "--bogus: there is no such option"},
        {{"--bogus", "--db", "x"}, "--bogus: there is no such option"},
        {{"--db", "x", "-q"}, "-q: there is no such option"},
        {{"-qv", "--db", "x"}, "-q: there is no such option"},
        {{"--db", "y", "-\xc3\xa9"}, "-\\xc3: there is no such option"},
        {{"--help=3"}, "--help=3: this option takes no value"},
        {{"--db", "x", "--workers"}, "--workers: a value is missing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        options o;
        assert_int_equal(parse(cases[i].args, &o), NAV_INVALID_FIELD);
        assert_string_equal(faults.items[0].detail, cases[i].said);
        options_free(&o);
    }
}

// Each command takes the options that it uses, and refuses each of the others by its name.
static void commands_refuse_what_they_do_not_use(void **state)
{
    (void)state;
    static const struct {
        option_command command;
        const char *name, *taken; // between blanks
    } commands[] = {
        {OPTION_FOR_VERIFY, "navmeshd verify", " config db sandbox help "},
        {OPTION_FOR_BACKUP, "navmeshd backup", " config db sandbox help "},
        {OPTION_FOR_BAKE, "navmeshd bake",
         " config db sandbox help limit mesh workers bake-memory bake-time keep-versions settings "
         "strict checks json "},
        {OPTION_FOR_QUERY, "navmeshd query", " config db sandbox help mesh body output "},
        {OPTION_FOR_DIFF, "navmeshd diff", " config db sandbox help mesh output "},
        {OPTION_FOR_REPLAY, "navmeshd replay", " sandbox help print "},
        {OPTION_FOR_SERVE, "navmeshd ", NULL},
    };
    size_t count;
    const option_row *rows = options_rows(&count);
    for (size_t i = 0; i < count * (sizeof commands / sizeof commands[0]); i++) {
        const option_row *row = &rows[i % count];
        const size_t c = i / count;
        if (row->file_only) {
            continue;
        }
        const bool bare = row->type == OPTION_TYPE_ACTION || row->type == OPTION_TYPE_SWITCH;
        char flag[64], name[64];
        (void)snprintf(flag, sizeof flag, "--%s", row->name);
        (void)snprintf(name, sizeof name, " %s ", row->name);
        options o;
        (void)parse_for(commands[c].command, (const char *const[]){flag, bare ? NULL : "1", NULL},
                        &o);
        const bool refused = strstr(faults.items[0].detail, "does not use this option") != NULL;
        const bool ours = strstr(" settings strict checks json print body output ", name) == NULL;
        assert_int_equal(
            !refused, commands[c].taken != NULL ? strstr(commands[c].taken, name) != NULL : ours);
        if (refused) {
            assert_int_equal(faults.count, 1);
            assert_non_null(strstr(faults.items[0].detail, flag));
            assert_non_null(strstr(faults.items[0].detail, commands[c].name));
        }
        options_free(&o);
    }
}

static void words_are_for_commands(void **state)
{
    (void)state;
    options o;
    assert_int_equal(
        parse_for(OPTION_FOR_BAKE,
                  (const char *const[]){"a=1", "--strict", "b=2", "--settings=s", NULL}, &o),
        NAV_OK);
    assert_int_equal(o.word_count, 2);
    assert_string_equal(o.words[1], "b=2");
    assert_string_equal(o.settings, "s");
    assert_true(o.strict);
    options_free(&o);
    // The word before it is not its value.
    assert_int_equal(parse_for(OPTION_FOR_BACKUP, (const char *const[]){"copy", "--db", NULL}, &o),
                     NAV_INVALID_FIELD);
    assert_string_equal(faults.items[0].detail, "--db: a value is missing");
    options_free(&o);
    assert_int_equal(parse_for(OPTION_FOR_VERIFY, (const char *const[]){"a", NULL}, &o),
                     NAV_INVALID_FIELD);
    options_free(&o);
}

static void reachable_addresses_need_tokens(void **state)
{
    (void)state;
    options o;
    assert_int_equal(PARSE(&o, "--listen", "0.0.0.0:1", "--token-file", "t"), NAV_OK);
    options_free(&o);
    assert_int_equal(PARSE(&o, "--listen", "127.0.0.1:1", "--listen", "0.0.0.0:1"),
                     NAV_INVALID_FIELD);
    options_free(&o);
}

static void passed_sockets_are_listeners(void **state)
{
    (void)state;
    options o;
    char pid[24];
    (void)snprintf(pid, sizeof pid, "%ld", (long)getpid());
    (void)setenv("LISTEN_PID", pid, 1);
    (void)setenv("LISTEN_FDS", "1", 1);
    for (int i = 0; i < 2; i++) { // a reload reads them again
        assert_int_equal(PARSE(&o, "--listen", "unix:/x"), NAV_OK);
        assert_int_equal(o.listeners.count, 2);
        assert_string_equal(o.listeners.items[1], "fd:3");
        options_free(&o);
    }
    assert_int_equal(PARSE(&o, "--db", "x"), NAV_OK);
    assert_int_equal(o.listeners.count, 1); // and no default beside it
    options_free(&o);
    (void)unsetenv("LISTEN_FDS");
}

static void every_fault_is_told(void **state)
{
    (void)state;
    options o;
    assert_int_equal(PARSE(&o, "--workers", "0", "--check", "--log-level", "loud", "--db", "a.db"),
                     NAV_INVALID_FIELD);
    assert_int_equal(faults.count, 2);
    assert_string_equal(faults.items[0].at, "workers");
    assert_string_equal(faults.items[1].at, "log-level");
    assert_int_equal(o.action, OPTION_CHECK);
    assert_string_equal(o.db, "a.db");
    options_free(&o);
}

static void same_name_twice(void **state)
{
    (void)state;
    options o;
    assert_int_equal(PARSE(&o, "--mesh", "a=1", "--mesh", "ab=1"), NAV_OK);
    options_free(&o);
    assert_int_equal(PARSE(&o, "--mesh", "a=1", "--mesh", "a=2"), NAV_INVALID_FIELD);
    options_free(&o);
}

// Commas end fields; two of them are one within a field.
static void settings_behind_a_file(void **state)
{
    (void)state;
    static const struct {
        const char *text, *file, *settings;
        bool replace;
    } cases[] = {
        {"a=b.obj", "b.obj", NULL, false},
        {"a=b.obj,c.json", "b.obj", "c.json", false},
        {"a=b.obj,c.json,replace", "b.obj", "c.json", true},
        {"a=b,,1.obj", "b,1.obj", NULL, false},
        {"a=,,b,,,,c,,,d,,", ",b,,c,", "d,", false},
    };
    static const char *const wrong[] = {"a=",
                                        "a=,b",
                                        "a=b,",
                                        "a=b,c,",
                                        "a=b,c,replaces",
                                        "a=b,c,replace,",
                                        "a=b,c,replace,d",
                                        "a,b=c",
                                        "a=b,,c,d,e"};
    options o;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(PARSE(&o, "--mesh", cases[i].text), NAV_OK);
        assert_string_equal(o.meshes[0].file, cases[i].file);
        assert_true(o.meshes[0].replace == cases[i].replace);
        assert_null(o.meshes[0].settings);
        if (cases[i].settings == NULL) {
            assert_null(o.meshes[0].settings_file);
        } else {
            assert_string_equal(o.meshes[0].settings_file, cases[i].settings);
        }
        options_free(&o);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(PARSE(&o, "--mesh", wrong[i]), NAV_INVALID_FIELD);
        assert_int_equal(faults.count, 1);
        assert_int_equal(o.mesh_count, 0);
        options_free(&o);
    }
}

// ---- the file ----

static const char *write_config(const char *text)
{
    static char path[64];
    (void)snprintf(path, sizeof path, "/tmp/test_options_%d.json", (int)getpid());
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_int_equal(fputs(text, out) < 0, 0);
    assert_int_equal(fclose(out), 0);
    return path;
}

static nav_status parse_config(const char *text, options *out)
{
    const char *path = write_config(text);
    nav_status status = PARSE(out, "--config", path);
    (void)unlink(path);
    return status;
}

static void file_gives_every_option(void **state)
{
    (void)state;
    options o;
    assert_int_equal(parse_config("{\"listen\":[\"127.0.0.1:1\",\"unix:/x\"],\"db\":\"a.db\","
                                  "\"mesh\":\"town=t.obj\",\"workers\":2,\"bake_memory\":64,"
                                  "\"bake_time\":0.5,\"drain_ms\":5,\"log_level\":\"error\","
                                  "\"log_format\":\"json\",\"log_requests\":true,"
                                  "\"slow_query_ms\":9,\"keep_versions\":3,\"token_file\":\"t\","
                                  "\"allow_host\":[\"maps.example\",\"a\"],"
                                  "\"limit\":[\"uri_bytes=100\",\"uri_bytes=200\"]}",
                                  &o),
                     NAV_OK);
    assert_string_equal(o.token_file, "t");
    assert_int_equal(o.allowed_hosts.count, 2);
    assert_string_equal(o.allowed_hosts.items[0], "maps.example");
    assert_int_equal(o.limits.uri_bytes, 200);
    assert_int_equal(o.limits.header_ms, limits_default().header_ms);
    assert_int_equal(o.listeners.count, 2);
    assert_string_equal(o.listeners.items[1], "unix:/x");
    assert_string_equal(o.db, "a.db");
    assert_string_equal(o.meshes[0].file, "t.obj");
    assert_int_equal(o.workers, 2);
    assert_int_equal(o.bake_memory_mib, 64);
    assert_true(o.bake_time_s == 0.5);
    assert_int_equal(o.drain_ms, 5);
    assert_int_equal(o.log_level, LOG_LEVEL_ERROR);
    assert_int_equal(o.log_format, LOG_FORMAT_JSON);
    assert_true(o.log_requests);
    assert_int_equal(o.slow_query_ms, 9);
    assert_int_equal(o.keep_versions, 3);
    options_free(&o);
    assert_int_equal(parse_config("{\"listen\":[]}", &o), NAV_OK);
    assert_string_equal(o.listeners.items[0], "127.0.0.1:7650");
    options_free(&o);
}

static void flags_override_the_file(void **state)
{
    (void)state;
    options o;
    const char *path = write_config("{\"listen\":[\"127.0.0.1:1\",\"127.0.0.1:2\"],"
                                    "\"workers\":2,\"db\":\"file.db\"}");
    assert_int_equal(PARSE(&o, "--workers", "3", "--listen", "[::1]:9", "--config", path), NAV_OK);
    assert_int_equal(o.workers, 3);
    assert_int_equal(o.listeners.count, 1);
    assert_string_equal(o.listeners.items[0], "[::1]:9");
    assert_string_equal(o.db, "file.db");
    options_free(&o);
    (void)unlink(path);
}

static void file_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *named;
        nav_status status;
    } cases[] = {
        {"", "", PROTO_BAD_JSON},
        {"{\"workers\":2", "", PROTO_BAD_JSON},
        {"[]", "object", NAV_INVALID_FIELD},
        {"{\"workers\":2,\"workers\":2}", "workers", PROTO_BAD_JSON},
        {"{\"worker\":2}", "worker", PROTO_UNKNOWN_FIELD},
        {"{\"bake-memory\":2}", "bake-memory", PROTO_UNKNOWN_FIELD},
        {"{\"check\":true}", "check", PROTO_UNKNOWN_FIELD},
        {"{\"config\":\"a\"}", "config", PROTO_UNKNOWN_FIELD},
        {"{\"Workers\":2}", "Workers", PROTO_UNKNOWN_FIELD},
        {"{\"workers\":\"2\"}", "workers", NAV_INVALID_FIELD},
        {"{\"workers\":2.5}", "workers", NAV_INVALID_FIELD},
        {"{\"workers\":-2}", "workers", NAV_INVALID_FIELD},
        {"{\"workers\":[2]}", "workers", NAV_INVALID_FIELD},
        {"{\"workers\":null}", "workers", NAV_INVALID_FIELD},
        {"{\"workers\":[]}", "workers", NAV_INVALID_FIELD},
        {"{\"db\":7}", "db", NAV_INVALID_FIELD},
        {"{\"db\":\"\"}", "db", NAV_INVALID_FIELD},
        {"{\"db\":{}}", "db", NAV_INVALID_FIELD},
        {"{\"log_requests\":1}", "log_requests", NAV_INVALID_FIELD},
        {"{\"log_level\":\"loud\"}", "log_level", NAV_INVALID_FIELD},
        {"{\"listen\":[\"127.0.0.1:1\",[\"a\"]]}", "listen", NAV_INVALID_FIELD},
        {"{\"listen\":\"nonsense\"}", "listen", NAV_INVALID_FIELD},
        {"{\"mesh\":[\"a=1\",\"a=2\"]}", "mesh", NAV_INVALID_FIELD},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        options o;
        assert_int_equal(parse_config(cases[i].text, &o), cases[i].status);
        assert_int_equal(faults.count, 1);
        assert_non_null(strstr(faults.items[0].detail, cases[i].named));
        options_free(&o);
    }
    options o;
    assert_int_equal(parse_config("{\"worker\":2,\"db\":\"a.db\",\"drain_ms\":\"x\"}", &o),
                     PROTO_UNKNOWN_FIELD);
    assert_int_equal(faults.count, 2);
    assert_string_equal(o.db, "a.db");
    options_free(&o);
}

static void meshes_of_the_file(void **state)
{
    (void)state;
    options o;
    assert_int_equal(
        parse_config("{\"mesh\":\"town=t.obj\",\"meshes\":[{\"name\":\"yard\",\"file\":\"a,b.obj\","
                     "\"settings\":{\"agent\": {\"radius\":0.5}},\"checks\":\"c.json\"},"
                     "{\"file\":\"x\",\"name\":\"x\",\"settings\":\"s.json\",\"replace\":true}]}",
                     &o),
        NAV_OK);
    assert_int_equal(o.mesh_count, 3);
    assert_string_equal(o.meshes[0].name, "town");
    assert_string_equal(o.meshes[0].origin, "--mesh town");
    const option_mesh *yard = &o.meshes[1];
    assert_string_equal(yard->name, "yard");
    assert_non_null(strstr(yard->origin, ".json: mesh yard"));
    assert_string_equal(yard->file, "a,b.obj");
    assert_string_equal(yard->settings, "{\"agent\": {\"radius\":0.5}}");
    assert_null(yard->settings_file);
    assert_string_equal(yard->checks_file, "c.json");
    assert_false(yard->replace);
    assert_null(o.meshes[2].settings);
    assert_string_equal(o.meshes[2].settings_file, "s.json");
    assert_null(o.meshes[2].checks_file);
    assert_true(o.meshes[2].replace);
    assert_int_equal(o.meshes[2].part_count, 0);
    options_free(&o);
    assert_int_equal(
        parse_config("{\"meshes\":[{\"name\":\"world\",\"files\":[\"x/a.obj\",{\"file\":"
                     "\"b.stl\",\"name\":\"tree\",\"translate\":[1,2,3],\"rotate\":45,"
                     "\"scale\":2}]}]}",
                     &o),
        NAV_OK);
    assert_null(o.meshes[0].file);
    assert_int_equal(o.meshes[0].part_count, 2);
    const option_part *parts = o.meshes[0].parts;
    assert_string_equal(parts[0].is.name, "a");
    assert_string_equal(parts[0].file, "x/a.obj");
    assert_true(parts[0].is.placement.scale == 1);
    assert_string_equal(parts[1].is.name, "tree");
    assert_true(parts[1].is.placement.by_degrees && parts[1].is.placement.degrees == 45);
    assert_true(parts[1].is.placement.translate[2] == 3);
    options_free(&o);
    static const struct {
        const char *text, *named;
        nav_status status;
    } cases[] = {
        {"{\"meshes\":\"a=b\"}", "a list of objects", NAV_INVALID_FIELD},
        {"{\"meshes\":[{\"name\":\"a\",\"file\":\"b\"},\"c=d\"]}", "a list of objects",
         NAV_INVALID_FIELD},
        {"{\"meshes\":[{\"file\":\"b\"}]}", "line 1: meshes[0]: name is missing",
         NAV_INVALID_FIELD},
        {"{\"meshes\":[{\"name\":\"a\"}]}", "file is missing", NAV_INVALID_FIELD},
        {"{\"meshes\":[{\"name\":\"a\",\"file\":\"b\",\"files\":[\"c\"]}]}", "not both",
         NAV_INVALID_FIELD},
        {"{\"meshes\":[{\"name\":\"a\",\"files\":[]}]}", "at least one", NAV_INVALID_FIELD},
        {"{\"meshes\":[{\"name\":\"a\",\"files\":\"b\"}]}", "files must be a list",
         NAV_INVALID_FIELD},
        {"{\"meshes\":[{\"name\":\"a\",\"files\":[\"x/b.obj\",\"y/b.obj\"]}]}",
         "files[1]: the part b is there twice", NAV_INVALID_FIELD},
        {"{\"meshes\":[{\"name\":\"a\",\"files\":[{\"name\":\"b\"}]}]}",
         "files[0]: the name of a file is missing", NAV_INVALID_FIELD},
        {"{\"meshes\":[{\"name\":\"a\",\"files\":[\"old town.obj\"]}]}", "no name for a part",
         NAV_INVALID_FIELD},
        {"{\"meshes\":[{\"name\":\"a\",\"files\":[{\"file\":\"b\",\"scales\":2}]}]}", "scale",
         PROTO_UNKNOWN_FIELD},
        {"{\n\"meshes\":[{\"name\":\"a\",\"file\":\"b\"},\n{\"name\":\"b\",\"file\":7}]}",
         "line 3: meshes[1]: file must be a string", NAV_INVALID_FIELD},
        {"{\"meshes\":[{\"name\":\"../a\",\"file\":\"b\"}]}", "letter or digit", NAV_INVALID_FIELD},
        {"{\"meshes\":[{\"name\":\"a\",\"file\":\"b\",\"setting\":{}}]}",
         "did you mean \"settings\"?", PROTO_UNKNOWN_FIELD},
        {"{\"meshes\":[{\"name\":\"a\",\"file\":\"b\",\"settings\":[{}]}]}", "settings must",
         NAV_INVALID_FIELD},
        {"{\"meshes\":[{\"name\":\"a\",\"file\":\"b\",\"settings\":\"\"}]}", "settings must",
         NAV_INVALID_FIELD},
        {"{\"meshes\":[{\"name\":\"a\",\"file\":\"b\",\"replace\":\"true\"}]}", "replace must",
         NAV_INVALID_FIELD},
        {"{\"meshes\":[{\"name\":\"a\",\"name\":\"a\",\"file\":\"b\"}]}", "name", PROTO_BAD_JSON},
        {"{\"mesh\":\"a=b\",\"meshes\":[{\"name\":\"a\",\"file\":\"b\"}]}",
         "mesh a: this name is given twice, also by --mesh a", NAV_INVALID_FIELD},
        {"{\"meshes\":[{\"name\":\"a\",\"file\":\"b\"},{\"name\":\"a\",\"file\":\"c\"}]}",
         "given twice", NAV_INVALID_FIELD},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(parse_config(cases[i].text, &o), cases[i].status);
        assert_int_equal(faults.count, 1);
        assert_non_null(strstr(faults.items[0].detail, cases[i].named));
        options_free(&o);
    }
}

static void note_change(void *user, const option_row *row)
{
    strcat((char *)user, row->name);
    strcat((char *)user, row->live ? "! " : " ");
}

static void changes_between_two(void **state)
{
    (void)state;
    options before, after;
    char names[256] = "";
    assert_int_equal(PARSE(&before, "--mesh", "a=1", "--workers", "2"), NAV_OK);
    assert_int_equal(PARSE(&after, "--mesh", "a=1", "--workers", "2"), NAV_OK);
    options_compare(&before, &after, note_change, names);
    assert_string_equal(names, "");
    options_free(&after);
    assert_int_equal(PARSE(&after, "--mesh", "a=2", "--db", "x", "--log-level", "error",
                           "--bake-time", "9", "--log-requests", "--workers", "2"),
                     NAV_OK);
    options_compare(&before, &after, note_change, names);
    assert_string_equal(names, "db mesh bake-time log-level! log-requests! ");
    options_free(&after);
    options_free(&before);
}

// ---- addresses and routes ----

static void loopback_addresses(void **state)
{
    (void)state;
    static const char *const good[] = {"127.0.0.1:0", "127.8.9.1:80", "localhost:7650",
                                       "[::1]:65535", "unix:relative.sock"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        bool reachable = true;
        assert_int_equal(listen_check(good[i], &reachable, NULL), NAV_OK);
        assert_false(reachable);
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
        {"GET", "/v1/meshes/t/versions/4294967295", PROTO_VERSION_NOT_FOUND, 0, "t", ""},
        {"GET", "/v1/meshes/t/versions/0", PROTO_VERSION_NOT_FOUND, 0, "t", ""},
        {"GET", "/v1/meshes/t/versions/01", PROTO_VERSION_NOT_FOUND, 0, "t", ""},
        {"GET", "/v1/meshes/t/versions/1x", PROTO_VERSION_NOT_FOUND, 0, "t", ""},
        {"GET", "/v1/meshes/.t", PROTO_MESH_NOT_FOUND, 0, "", ""},
        {"GET", "/v1/meshes/", PROTO_MESH_NOT_FOUND, 0, "", ""},
        {"POST", "/v1/meshes/a%b/versions", NAV_INVALID_FIELD, 0, "", ""},
        {"GET", "/v1/meshes/t/", PROTO_ROUTE_NOT_FOUND, 0, "", ""},
        {"GET", "/healthz/", PROTO_ROUTE_NOT_FOUND, 0, "", ""},
        {"GET", "", PROTO_ROUTE_NOT_FOUND, 0, "", ""},
        {"POST", "/healthz", PROTO_METHOD_NOT_ALLOWED, 0, "", "GET, HEAD"},
        {"PATCH", "/v1/meshes/t/versions", PROTO_METHOD_NOT_ALLOWED, 0, "", "POST, GET, HEAD"},
        {"GET", "/v1/meshes/t/active", PROTO_METHOD_NOT_ALLOWED, 0, "", "PUT"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        request r = {0};
        char allow[40];
        assert_int_equal(routing_find(routes_all(), &r, cases[i].method, cases[i].path, allow,
                                      sizeof allow, NULL),
                         cases[i].status);
        assert_int_equal(r.version, cases[i].version);
        assert_string_equal(r.mesh, cases[i].mesh);
        if (cases[i].status == PROTO_METHOD_NOT_ALLOWED) {
            assert_string_equal(allow, cases[i].allow);
        }
    }
}

static void mesh_name_lengths(void **state)
{
    (void)state;
    char name[LIMIT_MESH_NAME + 2];
    memset(name, 'a', sizeof name);
    assert_true(limits_is_mesh_name(name, LIMIT_MESH_NAME));
    assert_false(limits_is_mesh_name(name, LIMIT_MESH_NAME + 1));
    assert_false(limits_is_mesh_name(name, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(everything_given),
        cmocka_unit_test(help_and_version),
        cmocka_unit_test(refused),
        cmocka_unit_test(every_fault_is_told),
        cmocka_unit_test(refused_in_words),
        cmocka_unit_test(commands_refuse_what_they_do_not_use),
        cmocka_unit_test(words_are_for_commands),
        cmocka_unit_test(reachable_addresses_need_tokens),
        cmocka_unit_test(passed_sockets_are_listeners),
        cmocka_unit_test(file_gives_every_option),
        cmocka_unit_test(flags_override_the_file),
        cmocka_unit_test(file_refused),
        cmocka_unit_test(changes_between_two),
        cmocka_unit_test(same_name_twice),
        cmocka_unit_test(settings_behind_a_file),
        cmocka_unit_test(meshes_of_the_file),
        cmocka_unit_test(loopback_addresses),
        cmocka_unit_test(routes_of_paths),
        cmocka_unit_test(mesh_name_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
