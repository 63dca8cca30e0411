// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// options.c: the table of all options, the daemon's and its commands'; the help that is printed
// from it; and the comparison of two readings. options_read.c reads the command line by the table,
// config.c the file of --config.

#include "server/app/options.h"

#include "server/http/access.h"
#include "server/http/listen.h"

#include <stdio.h>
#include <string.h>

// ---- lists: one text of each ----

static nav_status check_listener(const char *text, nav_error *err)
{
    bool reachable;
    return listen_check(text, &reachable, err);
}

static nav_status check_host(const char *text, nav_error *err)
{
    return text[0] == '\0' ? nav_fail(err, NAV_INVALID_FIELD, "a name is missing") : NAV_OK;
}

static nav_status check_origin(const char *text, nav_error *err)
{
    return access_is_origin(text) && strlen(text) <= LIMIT_ORIGIN_BYTES
               ? NAV_OK
               : nav_fail(err, NAV_INVALID_FIELD,
                          "an origin is http://HOST:PORT or https://HOST, as browsers send it: "
                          "without a path or a slash at its end");
}

static nav_status check_limit(const char *text, nav_error *err)
{
    service_limits ignored = limits_default();
    return limits_set(&ignored, text, err);
}

static nav_status check_mesh(const char *text, nav_error *err)
{
    option_mesh ignored;
    nav_arena memory;
    nav_arena_init(&memory, NULL, 0);
    nav_status status = options_mesh_of_text(text, &memory, &ignored, err);
    nav_arena_free(&memory);
    return status;
}

static nav_status check_mesh_object(const char *json, nav_error *err)
{
    option_mesh ignored;
    nav_arena memory;
    nav_arena_init(&memory, NULL, 0);
    nav_status status = options_mesh_of_object(json, &memory, &ignored, err);
    nav_arena_free(&memory);
    return status;
}

// ---- the table ----

static const char *const LEVEL_WORDS[] = {[LOG_LEVEL_DEBUG] = "debug",
                                          [LOG_LEVEL_INFO] = "info",
                                          [LOG_LEVEL_WARN] = "warn",
                                          [LOG_LEVEL_ERROR] = "error",
                                          NULL};
static const char *const FORMAT_WORDS[] = {
    [LOG_FORMAT_TEXT] = "text", [LOG_FORMAT_JSON] = "json", NULL};

static const char *const SANDBOX_WORDS[] = {
    [OPTION_SANDBOX_ON] = "on", [OPTION_SANDBOX_OFF] = "off", NULL};

#define AT(kind, member)                                                                           \
    .type = (kind), .offset = offsetof(options, member),                                           \
    .size_bytes = sizeof(((options *)0)->member)
#define SWITCH(member) AT(OPTION_TYPE_SWITCH, member)
#define TEXT(member) AT(OPTION_TYPE_TEXT, member)
#define NUMBER_OF(kind, member, least, most, otherwise)                                            \
    AT(kind, member), .min = (least), .max = (most), .fallback = (otherwise)
#define UINT(member, ...) NUMBER_OF(OPTION_TYPE_UINT, member, __VA_ARGS__)
#define NUMBER(member, ...) NUMBER_OF(OPTION_TYPE_NUMBER, member, __VA_ARGS__)
#define CHOICE(member, choices, otherwise)                                                         \
    AT(OPTION_TYPE_CHOICE, member), .words = (choices), .fallback = (otherwise)
#define LIST(member, checks, most) AT(OPTION_TYPE_LIST, member), .check = (checks), .max = (most)

static const option_row ROWS[] = {
    {.name = "config",
     TEXT(config),
     .flag_only = true,
     .commands = OPTION_FOR_DATABASE,
     .value = "FILE",
     .help = "JSON with any of these options, named with underscores; what is\n"
             "given here overrides it; SIGHUP reads it again",
     .command_help = "the daemon's configuration: the options of this list count here, too"},
    {.name = "listen",
     LIST(listeners, check_listener, LIMIT_LISTENERS),
     .fallback_text = "127.0.0.1:7650",
     .value = "ADDR:PORT | unix:PATH",
     .help = "address to listen on, beside sockets that systemd passes in; may be\n"
             "given several times; port 0 takes any free one"},
    {.name = "token-file",
     TEXT(token_file),
     .value = "FILE",
     .help = "tokens and their scopes; addresses that other machines reach need\n"
             "it; SIGHUP reads it again"},
    {.name = "trusted-network",
     SWITCH(trusted_network),
     .help = "addresses that other machines reach need no --token-file: whoever\n"
             "reaches them may do everything"},
    {.name = "allow-host",
     LIST(allowed_hosts, check_host, LIMIT_ALLOWED_HOSTS),
     .value = "NAME",
     .help = "another name by which listeners without tokens may be called; may\n"
             "be given several times"},
    {.name = "allow-origin",
     LIST(allowed_origins, check_origin, LIMIT_ALLOWED_ORIGINS),
     .value = "ORIGIN",
     .help = "http://HOST:PORT or https://HOST of web pages that may ask; may be\n"
             "given several times"},
    {.name = "limit",
     LIST(limit_texts, check_limit, LIMIT_LIMIT_TEXTS),
     .commands = OPTION_FOR_SERVE | OPTION_FOR_BAKE,
     .value = "NAME=VALUE",
     .help = "another value for a limit; /v1/status lists them all; may be given\n"
             "several times",
     .command_help = "another value for a limit: grid_cells, vertices, triangles; may be\n"
                     "given several times"},
    {.name = "db",
     TEXT(db),
     .fallback_text = "navmeshd.db",
     .commands = OPTION_FOR_DATABASE,
     .value = "FILE",
     .help = "database; the daemon and navmeshd bake make it where it is\n"
             "missing"},
    {.name = "mesh",
     LIST(mesh_texts, check_mesh, LIMIT_MESH_FILES),
     .commands = OPTION_FOR_SERVE | OPTION_FOR_BAKE,
     .value = "NAME=FILE[,SETTINGS[,replace]]",
     .help = "bake FILE, a level in any format, as mesh NAME, with the settings in\n"
             "the JSON file SETTINGS, unless it is stored already; a live version\n"
             "that was baked with other settings stays unless `replace` is there;\n"
             "a comma within a name is written twice; may be given several times;\n"
             "\"meshes\" in the file of --config says more of a mesh",
     .command_help = "bake FILE, a level in any format, as a version of mesh NAME, with the\n"
                     "settings in the JSON file SETTINGS; a comma within a name is written\n"
                     "twice; may be given several times"},
    {.name = "meshes",
     AT(OPTION_TYPE_OBJECTS, mesh_objects),
     .check = check_mesh_object,
     .max = LIMIT_MESH_FILES,
     .file_only = true,
     .commands = OPTION_FOR_SERVE | OPTION_FOR_BAKE},
    {.name = "workers",
     UINT(workers, 1, LIMIT_WORKERS, 0),
     .commands = OPTION_FOR_SERVE | OPTION_FOR_BAKE,
     .value = "N",
     .help = "threads that bake, at low priority (default: one a core)"},
    {.name = "bake-memory",
     UINT(bake_memory_mib, 1, 16u << 20, LIMIT_BAKE_MEMORY_MIB),
     .commands = OPTION_FOR_SERVE | OPTION_FOR_BAKE,
     .value = "MIB",
     .help = "memory that one bake may work with"},
    {.name = "bake-time",
     NUMBER(bake_time_s, 1e-3, 1e6, LIMIT_BAKE_TIME_S),
     .commands = OPTION_FOR_SERVE | OPTION_FOR_BAKE,
     .value = "SECONDS",
     .help = "time that one bake may take"},
    {.name = "keep-versions",
     UINT(keep_versions, 0, 1000000, 0),
     .live = true,
     .commands = OPTION_FOR_SERVE | OPTION_FOR_BAKE,
     .value = "N",
     .help = "of each mesh keep the N newest finished versions and the live one;\n"
             "0: all"},
    {.name = "max-instances",
     UINT(max_instances, 0, 100000, LIMIT_INSTANCES),
     .value = "N",
     .help = "instances of all meshes together, which are kept in memory only"},
    {.name = "drain-ms",
     UINT(drain_ms, 0, 3600000, LIMIT_DRAIN_MS),
     .live = true,
     .value = "MS",
     .help = "time that requests and bakes have to end after SIGTERM"},
    {.name = "log-level",
     CHOICE(log_level, LEVEL_WORDS, LOG_LEVEL_INFO),
     .live = true,
     .value = "LEVEL",
     .help = "least level of lines on stderr"},
    {.name = "log-format",
     CHOICE(log_format, FORMAT_WORDS, LOG_FORMAT_TEXT),
     .live = true,
     .value = "FORMAT",
     .help = "key=value pairs, or a JSON object a line"},
    {.name = "log-requests",
     SWITCH(log_requests),
     .live = true,
     .help = "a line for every request"},
    {.name = "slow-query-ms",
     UINT(slow_query_ms, 0, 3600000, LIMIT_SLOW_QUERY_MS),
     .live = true,
     .value = "MS",
     .help = "a line for every query, picture or export that takes as long;\n"
             "0: for none"},
    {.name = "recordings-bytes",
     NUMBER(recordings_bytes, 0, 1e12, LIMIT_RECORDINGS_BYTES),
     .value = "BYTES",
     .help = "room for recordings in the database; questions that are slow or fail\n"
             "record themselves, and the oldest of these go first; 0: none"},
    {.name = "sandbox",
     CHOICE(sandbox, SANDBOX_WORDS, OPTION_SANDBOX_ON),
     .commands = OPTION_FOR_ALL,
     .value = "MODE",
     .help = "on: once started, the files and system calls that it needs and\n"
             "no others, as far as the kernel can; off: for debuggers,\n"
             "tracers and valgrind"},
    {.name = "settings",
     TEXT(settings),
     .flag_only = true,
     .commands = OPTION_FOR_BAKE,
     .value = "FILE",
     .help = "settings as a JSON object, instead of those within the geometry, for\n"
             "meshes without settings of their own"},
    {.name = "strict",
     SWITCH(strict),
     .flag_only = true,
     .commands = OPTION_FOR_BAKE,
     .help = "a version with warnings does not go live: exit code 4"},
    {.name = "mesh",
     TEXT(mesh),
     .flag_only = true,
     .commands = OPTION_FOR_ASKING,
     .value = "NAME",
     .help = "the mesh that is asked about"},
    {.name = "body",
     TEXT(body),
     .flag_only = true,
     .commands = OPTION_FOR_QUERY,
     .value = "FILE",
     .help = "the question as JSON, in place of arguments; -: standard input"},
    {.name = "output",
     TEXT(output),
     .flag_only = true,
     .commands = OPTION_FOR_ASKING,
     .value = "FILE",
     .help = "where the answer goes, in place of standard output; the file\n"
             "appears when it is whole"},
    {.name = "print",
     SWITCH(print),
     .flag_only = true,
     .commands = OPTION_FOR_REPLAY,
     .help = "print what is recorded, as JSON, a line for each file, and ask nothing"},
    {.name = "checks",
     TEXT(checks),
     .flag_only = true,
     .commands = OPTION_FOR_BAKE,
     .value = "FILE",
     .help = "checks as a JSON object: set for each mesh before its bake, as by\n"
             "PUT, and run also where the version is stored already"},
    {.name = "json",
     SWITCH(json),
     .flag_only = true,
     .commands = OPTION_FOR_BAKE,
     .help = "the version's object on stdout, one a line, all else on stderr"},
    {.name = "check",
     .type = OPTION_TYPE_ACTION,
     .fallback = OPTION_CHECK,
     .flag_only = true,
     .help = "check options, database and files, change nothing, and exit:\n"
             "0 or, with a line for each fault, 1"},
    {.name = "help",
     .type = OPTION_TYPE_ACTION,
     .fallback = OPTION_HELP,
     .flag_only = true,
     .commands = OPTION_FOR_ALL},
    {.name = "version", .type = OPTION_TYPE_ACTION, .fallback = OPTION_VERSION, .flag_only = true},
};
#define ROW_COUNT (sizeof ROWS / sizeof ROWS[0])

_Static_assert(sizeof(log_level) == sizeof(unsigned), "a choice is stored as unsigned");
_Static_assert(sizeof(log_format) == sizeof(unsigned), "a choice is stored as unsigned");
_Static_assert(sizeof(option_sandbox) == sizeof(unsigned), "a choice is stored as unsigned");

const option_row *options_find_key(const char *key)
{
    _Static_assert(ROW_COUNT <= OPTION_ROWS_MAX, "options_read.c keeps a mark for each row");
    for (size_t i = 0; i < ROW_COUNT; i++) {
        const char *name = ROWS[i].name, *other = key;
        while (*name != '\0' && (*name == *other || (*name == '-' && *other == '_')) &&
               *other != '-') {
            name++;
            other++;
        }
        if (*name == '\0' && *other == '\0' && !ROWS[i].flag_only) {
            return &ROWS[i];
        }
    }
    return NULL;
}

bool options_row_is_for(const option_row *row, option_command command)
{
    return ((row->commands != 0 ? row->commands : OPTION_FOR_SERVE) & command) != 0;
}

bool options_row_gives_way(const option_row *row, option_command command)
{
    bool found = false;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        found = found || (&ROWS[i] != row && strcmp(ROWS[i].name, row->name) == 0 &&
                          options_row_is_for(&ROWS[i], command));
    }
    return found && !options_row_is_for(row, command);
}

const option_row *options_rows(size_t *count)
{
    *count = ROW_COUNT;
    return ROWS;
}

// ---- --help ----

#define HELP_COLUMN 30

static void put_default(proto_writer *w, const option_row *row)
{
    if (row->fallback_text != NULL) {
        proto_write_text(w, " (default %s)", row->fallback_text);
    } else if (row->type == OPTION_TYPE_CHOICE) {
        for (unsigned i = 0; row->words[i] != NULL; i++) {
            proto_write_text(w, "%s%s", i > 0 ? ", " : ": ", row->words[i]);
        }
        NAV_ASSERT(row->fallback >= 0 && row->words[(unsigned)row->fallback] != NULL);
        proto_write_text(w, " (default %s)", row->words[(unsigned)row->fallback]);
    } else if ((row->type == OPTION_TYPE_UINT || row->type == OPTION_TYPE_NUMBER) &&
               row->fallback >= row->min) {
        proto_write_text(w, " (default %.10g)", row->fallback);
    }
}

static void put_row(proto_writer *w, const option_row *row, const char *help)
{
    char flag[64];
    NAV_ASSERT(strlen(row->name) < sizeof flag / 2);
    (void)snprintf(flag, sizeof flag, "--%s%s%s", row->name, row->value != NULL ? " " : "",
                   row->value != NULL ? row->value : "");
    const char *line = help != NULL ? help : "";
    proto_write_text(w, "  %-*s", line[0] != '\0' ? HELP_COLUMN - 2 : 0, flag);
    // Behind a flag that is too long for its column the text begins on the next line.
    if (strlen(flag) + 3 > HELP_COLUMN && line[0] != '\0') {
        proto_write_text(w, "\n%*s", HELP_COLUMN, "");
    }
    for (; *line != '\0'; line += strcspn(line, "\n")) {
        line += *line == '\n' ? 1 : 0;
        proto_write_text(w, "%.*s", (int)strcspn(line, "\n"), line);
        if (line[strcspn(line, "\n")] == '\n') {
            proto_write_text(w, "\n%*s", HELP_COLUMN, "");
        }
    }
    put_default(w, row);
    proto_write_text(w, "\n");
}

char *options_help(option_command command, const char *intro, const char *outro)
{
    proto_writer w;
    proto_writer_init(&w);
    proto_write_text(&w, "%s\n", intro);
    for (size_t i = 0; i < ROW_COUNT; i++) {
        const option_row *row = &ROWS[i];
        const bool differs = command != OPTION_FOR_SERVE && row->command_help != NULL;
        if (options_row_is_for(row, command) && !row->file_only) {
            put_row(&w, row, differs ? row->command_help : row->help);
        }
    }
    proto_write_text(&w, "%s", outro);
    return proto_writer_take(&w, NULL);
}

// ---- two readings ----

static bool same_texts(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_lists(const void *left, const void *right)
{
    option_list a, b;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    bool same = a.count == b.count;
    for (size_t i = 0; same && i < a.count; i++) {
        same = same_texts(a.items[i], b.items[i]);
    }
    return same;
}

static bool same_values(const options *a, const options *b, const option_row *row)
{
    NAV_ASSERT(row->offset < sizeof *a);
    const char *left = (const char *)a + row->offset, *right = (const char *)b + row->offset;
    const char *text_left = NULL, *text_right = NULL;
    if (options_row_is_list(row)) {
        return same_lists(left, right);
    }
    if (row->type == OPTION_TYPE_TEXT) {
        memcpy(&text_left, left, sizeof text_left);
        memcpy(&text_right, right, sizeof text_right);
        return same_texts(text_left, text_right);
    }
    return memcmp(left, right, row->size_bytes) == 0; // of an action nothing
}

void options_compare(const options *before, const options *after, option_changed *changed,
                     void *user)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (!same_values(before, after, &ROWS[i])) {
            changed(user, &ROWS[i]);
        }
    }
}
