// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// options.c: the command line to a struct. Nothing is opened here.

#include "server/options.h"

#include "server/listen.h"
#include "server/routes.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BAKE_MEMORY_MIB_MAX (16u << 20)
#define KEEP_VERSIONS_MAX 1000000u
#define BAKE_TIME_S_MIN 1e-3
#define BAKE_TIME_S_MAX 1e6

static const char HELP[] =
    "usage: navmeshd [option]...\n"
    "       navmeshd bake|verify|backup --help\n"
    "Bakes navigation meshes and answers path queries over HTTP.\n"
    "\n"
    "  --listen ADDR:PORT   address of this machine to listen on (default 127.0.0.1:7650);\n"
    "  --listen unix:PATH   may be given several times; port 0 takes any free one\n"
    "  --db FILE            database (default navmeshd.db), made where it is missing\n"
    "  --mesh NAME=FILE     bake FILE (.obj, or JSON geometry) as mesh NAME unless it is stored\n"
    "                       already; may be given several times\n"
    "  --workers N          threads that bake, at low priority (default: one a core)\n"
    "  --bake-memory MIB    memory that one bake may work with (default 2048)\n"
    "  --bake-time SECONDS  time that one bake may take (default 1800)\n"
    "  --keep-versions N    of each mesh keep the N newest finished versions and the live one\n"
    "                       (default 0: all)\n"
    "  --check              check options, database and files, change nothing, and exit\n"
    "  --help, --version\n";

const char *options_help(void)
{
    return HELP;
}

static nav_status fail_option(nav_error *err, const char *option, const char *got, const char *why)
{
    nav_fail(err, NAV_INVALID_FIELD, "%s %.100s: %s", option, got, why);
    nav_error_at(err, "%s", option);
    nav_error_got(err, "%.60s", got);
    return NAV_INVALID_FIELD;
}

static nav_status take_listener(options *o, const char *text, nav_error *err)
{
    if (o->listener_count == LIMIT_LISTENERS) {
        return fail_option(err, "--listen", text, "too many listeners");
    }
    nav_status status = listen_check(text, err);
    if (status == NAV_OK) {
        o->listeners[o->listener_count++] = text;
    }
    return status;
}

static nav_status take_mesh(options *o, const char *text, nav_error *err)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals[1] == '\0') {
        return fail_option(err, "--mesh", text, "write NAME=FILE");
    }
    size_t length = (size_t)(equals - text);
    if (!routes_is_mesh_name(text, length)) {
        return fail_option(err, "--mesh", text,
                           "a name is a letter or digit, then up to 63 letters, digits, '.', '_' "
                           "and '-'");
    }
    for (size_t i = 0; i < o->mesh_count; i++) {
        if (strlen(o->meshes[i].name) == length && strncmp(o->meshes[i].name, text, length) == 0) {
            return fail_option(err, "--mesh", text, "this name is given twice");
        }
    }
    if (o->mesh_count == LIMIT_MESH_FILES) {
        return fail_option(err, "--mesh", text, "too many meshes");
    }
    option_mesh *mesh = &o->meshes[o->mesh_count++];
    memcpy(mesh->name, text, length);
    mesh->file = equals + 1;
    return NAV_OK;
}

static nav_status take_workers(options *o, const char *text, nav_error *err)
{
    char *end = NULL;
    unsigned long count = text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 10) : 0;
    if (count == 0 || count > LIMIT_WORKERS || *end != '\0') {
        char why[48];
        (void)snprintf(why, sizeof why, "write a number from 1 to %u", LIMIT_WORKERS);
        return fail_option(err, "--workers", text, why);
    }
    o->workers = (uint32_t)count;
    return NAV_OK;
}

static nav_status take_bake_memory(options *o, const char *text, nav_error *err)
{
    char *end = NULL;
    unsigned long mib = text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 10) : 0;
    if (mib == 0 || mib > BAKE_MEMORY_MIB_MAX || *end != '\0') {
        return fail_option(err, "--bake-memory", text, "write MiB, a number from 1 to 16777216");
    }
    o->bake_memory_mib = (uint32_t)mib;
    return NAV_OK;
}

static nav_status take_bake_time(options *o, const char *text, nav_error *err)
{
    char *end = NULL;
    double seconds = text[0] >= '0' && text[0] <= '9' ? strtod(text, &end) : 0;
    if (!(seconds >= BAKE_TIME_S_MIN && seconds <= BAKE_TIME_S_MAX) || *end != '\0') {
        return fail_option(err, "--bake-time", text, "write seconds, a number from 0.001 to 1e6");
    }
    o->bake_time_s = seconds;
    return NAV_OK;
}

static nav_status take_keep_versions(options *o, const char *text, nav_error *err)
{
    char *end = NULL;
    unsigned long count = text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 10) : UINT64_MAX;
    if (count > KEEP_VERSIONS_MAX || *end != '\0') {
        return fail_option(err, "--keep-versions", text, "write a number from 0 to 1000000");
    }
    o->keep_versions = (uint32_t)count;
    return NAV_OK;
}

static void set_defaults(options *o, uint32_t cores)
{
    if (o->listener_count == 0) {
        o->listeners[o->listener_count++] = "127.0.0.1:7650";
    }
    if (o->workers == 0) {
        // All of them: workers give way to the threads that answer queries at once.
        o->workers = cores < LIMIT_WORKERS ? cores : LIMIT_WORKERS;
    }
}

enum {
    LISTEN = 1,
    DB,
    MESH,
    WORKERS,
    BAKE_MEMORY,
    BAKE_TIME,
    KEEP_VERSIONS,
    CHECK,
    HELP_WANTED,
    VERSION
};

static const struct option KNOWN[] = {{"listen", required_argument, NULL, LISTEN},
                                      {"db", required_argument, NULL, DB},
                                      {"mesh", required_argument, NULL, MESH},
                                      {"workers", required_argument, NULL, WORKERS},
                                      {"bake-memory", required_argument, NULL, BAKE_MEMORY},
                                      {"bake-time", required_argument, NULL, BAKE_TIME},
                                      {"keep-versions", required_argument, NULL, KEEP_VERSIONS},
                                      {"check", no_argument, NULL, CHECK},
                                      {"help", no_argument, NULL, HELP_WANTED},
                                      {"version", no_argument, NULL, VERSION},
                                      {NULL, 0, NULL, 0}};

// One option that getopt has found; word is how it was spelt.
static nav_status take_option(options *o, int found, const char *word, nav_error *err)
{
    switch (found) {
    case LISTEN:
        return take_listener(o, optarg, err);
    case DB:
        o->db = optarg;
        break;
    case MESH:
        return take_mesh(o, optarg, err);
    case WORKERS:
        return take_workers(o, optarg, err);
    case BAKE_MEMORY:
        return take_bake_memory(o, optarg, err);
    case BAKE_TIME:
        return take_bake_time(o, optarg, err);
    case KEEP_VERSIONS:
        return take_keep_versions(o, optarg, err);
    case CHECK:
        o->action = OPTION_CHECK;
        break;
    case HELP_WANTED:
        o->action = OPTION_HELP;
        break;
    case VERSION:
        o->action = OPTION_VERSION;
        break;
    case ':':
        return fail_option(err, word, "", "a value is missing");
    default:
        return fail_option(err, word, "", "there is no such option");
    }
    return NAV_OK;
}

nav_status options_parse(int argc, char **argv, uint32_t cores, options *out, nav_error *err)
{
    options o = {.action = OPTION_SERVE,
                 .db = "navmeshd.db",
                 .bake_memory_mib = LIMIT_BAKE_MEMORY_MIB,
                 .bake_time_s = LIMIT_BAKE_TIME_S};
    nav_status status = NAV_OK;
    optind = 0; // start over, also after an earlier call
    opterr = 0; // the sentence for the user is ours
    int got;
    while (status == NAV_OK && (got = getopt_long(argc, argv, ":", KNOWN, NULL)) != -1) {
        status = take_option(&o, got, argv[optind - 1], err);
    }
    if (status == NAV_OK && optind < argc) {
        status = fail_option(err, argv[optind], "", "only options are taken");
    }
    if (status == NAV_OK && o.db[0] == '\0') {
        status = fail_option(err, "--db", "", "a file name is missing");
    }
    if (status == NAV_OK) {
        set_defaults(&o, cores);
        *out = o;
    }
    return status;
}
