// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// options.h: the options of the daemon and its commands: from the command line, the file of
// --config, or the defaults.
//
// One table (options.c) has a row per option: flag, key of the file, type, bounds, default, text of
// --help, whether a reload (SIGHUP) changes it while the daemon runs, and the commands that take it
// on their command line; a file of --config is the daemon's and holds any option. To add an option:
// a member of struct options and a row there.

#pragma once

#include "core/nav.h"
#include "proto/geometry/parts.h"
#include "server/base/limits.h"
#include "server/base/log.h"

// Texts of an option that may be given several times.
typedef struct option_list {
    const char **items;
    size_t count;
} option_list;

// One of several parts of a mesh.
typedef struct option_part {
    proto_geometry_part is; // its name and place
    const char *file;
} option_part;

// A mesh that the start bakes: a text of --mesh or an object of "meshes", taken apart.
typedef struct option_mesh {
    const char *name;
    const char *origin; // as faults call it: "--mesh town", "navmeshd.json: mesh town"
    const char *file;   // NULL: it has parts
    const option_part *parts;
    size_t part_count;
    const char *settings;      // JSON, in place of those within the geometry; NULL: none
    const char *settings_file; // a file that holds them
    const char *checks_file;   // checks to set before the bake; NULL: none
    bool replace;              // a live version that was baked with other settings is replaced
} option_mesh;

typedef enum option_action {
    OPTION_SERVE,
    OPTION_CHECK,   // check everything, change nothing
    OPTION_HELP,    //
    OPTION_VERSION, //
} option_action;

// The reader of a command line. Bits: a row of the table names all that take it.
typedef enum option_command {
    OPTION_FOR_SERVE = 1,
    OPTION_FOR_VERIFY = 2,
    OPTION_FOR_BACKUP = 4,
    OPTION_FOR_BAKE = 8,
    OPTION_FOR_QUERY = 16,
    OPTION_FOR_EXPORT = 32,
    OPTION_FOR_DIFF = 64,
    OPTION_FOR_ASKING = 112,   // the three
    OPTION_FOR_DATABASE = 127, // all that have one
    OPTION_FOR_REPLAY = 128,
    OPTION_FOR_ALL = 255,
} option_command;

typedef enum option_sandbox {
    OPTION_SANDBOX_ON,
    OPTION_SANDBOX_OFF,
} option_sandbox;

typedef struct options {
    option_action action;
    const char *config; // file; NULL: none
    option_list listeners;
    const char *db;
    option_list mesh_texts;    // of --mesh
    option_list mesh_objects;  // of "meshes", JSON
    const option_mesh *meshes; // of both, each name once
    size_t mesh_count;
    uint32_t workers;
    uint32_t bake_memory_mib;
    double bake_time_s;
    uint32_t drain_ms;
    log_level log_level;
    log_format log_format;
    bool log_requests;
    uint32_t slow_query_ms; // 0: none is slow
    double recordings_bytes;
    const char *token_file; // NULL: none
    bool trusted_network;
    option_list allowed_hosts;
    option_list allowed_origins;
    option_list limit_texts; // NAME=VALUE
    service_limits limits;   // the defaults, changed by these
    uint32_t keep_versions;  // 0: all
    uint32_t max_instances;
    option_sandbox sandbox;
    const char *settings; // of bake: a file; NULL: none
    bool strict;          // of bake
    const char *checks;   // of bake: a file; NULL: those that are set
    bool json;            // of bake
    const char *mesh;     // of what asks: a name; NULL: none
    const char *body;     // of query: a file; NULL: none
    const char *output;   // of what asks: a file; NULL: stdout
    bool print;           // of replay
    char **words;         // that belong to no option, of commands that take some; from argv
    size_t word_count;
    nav_arena memory; // of the strings
} options;

// ---- the table ----

typedef enum option_type {
    OPTION_TYPE_SWITCH,  // bool
    OPTION_TYPE_UINT,    // uint32_t, min to max
    OPTION_TYPE_NUMBER,  // double, min to max
    OPTION_TYPE_CHOICE,  // an enum: the index of the word in words
    OPTION_TYPE_TEXT,    // const char *, not empty
    OPTION_TYPE_LIST,    // option_list, at most max texts, each passed by check
    OPTION_TYPE_OBJECTS, // likewise, of JSON objects; in the file only
    OPTION_TYPE_ACTION,  // on the command line only: fallback is the option_action
} option_type;

// Whether a text may be in a list.
typedef nav_status option_check(const char *text, nav_error *err);

typedef struct option_row {
    const char *name; // "bake-memory" is the flag --bake-memory and the file's "bake_memory"
    option_type type;
    size_t offset, size_bytes; // of the value
    double min, max;
    double fallback;           // of numbers, switches (0, 1) and choices (the index)
    const char *fallback_text; // of texts, and of a list that is empty; NULL: none
    const char *const *words;  // of choices; ends with NULL
    option_check *check;       // of lists
    bool live;                 // a reload changes it
    bool flag_only;            // not in the file
    bool file_only;            // not on the command line
    uint32_t commands;         // option_command bits of those that take it; 0: the daemon alone
    const char *value;         // the word for the value in --help
    const char *help;          // lines of --help, ended by \n but for the last
    const char *command_help;  // the same for commands, if it differs
} option_row;

#define OPTION_FAULTS_MAX 32

// Faults, in the order in which they were found.
typedef struct option_faults {
    nav_error items[OPTION_FAULTS_MAX];
    size_t count; // may be above OPTION_FAULTS_MAX: the rest is not kept
} option_faults;

// Fills out: the command line, else the file of --config, else the default. cores: of the machine,
// for the default of --workers. argv is reordered; argv[0] is the command's word, for faults, and
// of the daemon not read. An option of the command line that this command does not take is a fault;
// one in the file is not. Returns the first fault's status; out then holds all values that were
// right. Errors: NAV_INVALID_FIELD, PROTO_UNKNOWN_FIELD, PROTO_BAD_JSON and kin, NAV_NO_MEMORY,
// each with a sentence for the user. In either case: options_free.
nav_status options_parse(option_command command, int argc, char **argv, uint32_t cores,
                         options *out, option_faults *faults);
void options_free(options *o);
// Calls changed for each row in which the two differ.
typedef void option_changed(void *user, const option_row *row);
void options_compare(const options *before, const options *after, option_changed *changed,
                     void *user);

// The text of --help: intro, a paragraph for each option that the command takes, outro. malloc'ed;
// NULL without memory.
char *options_help(option_command command, const char *intro, const char *outro);

// Adds to faults what a start would trip over in the files that options name; changes nothing
// (reload.c). running: NULL, or the options of the daemon that reloads; then only what the reload
// uses is checked.
void options_check(const options *o, const options *running, option_faults *faults);

// ---- between the files of the options ----

#define OPTION_ROWS_MAX 64

// The table.
const option_row *options_rows(size_t *count);
bool options_row_is_for(const option_row *row, option_command command);

// A list in all but what its texts are.
static inline bool options_row_is_list(const option_row *row)
{
    return row->type == OPTION_TYPE_LIST || row->type == OPTION_TYPE_OBJECTS;
}

// Reads one text of --mesh, NAME=FILE[,SETTINGS[,replace]], or one object of "meshes"
// (options_mesh.c). Strings come from memory; origin is left NULL. Errors: NAV_INVALID_FIELD,
// PROTO_UNKNOWN_FIELD and those of JSON; NAV_NO_MEMORY.
nav_status options_mesh_of_text(const char *text, nav_arena *memory, option_mesh *out,
                                nav_error *err);
nav_status options_mesh_of_object(const char *json, nav_arena *memory, option_mesh *out,
                                  nav_error *err);
// Fills o->meshes from the texts and objects, which have been read once before.
void options_mesh_list(options *o, option_faults *faults);

// The row of a key of the file; NULL if there is none.
const option_row *options_find_key(const char *key);
// Whether another row of this name is for the command, so that a command line means that one.
bool options_row_gives_way(const option_row *row, option_command command);
// Stores the default; of a list none, since one that has stayed empty is filled at the end.
void options_take_default(options *o, const option_row *row);
option_list options_list_of(const options *o, const option_row *row);
// Stores one value. where: "--workers" or "config.json: workers", for the error. Texts are copied.
nav_status options_take(options *o, const option_row *row, const char *where, const char *text,
                        nav_error *err);
void options_fault(option_faults *faults, const nav_error *err);
// A copy of a text; NULL without memory.
char *options_keep_text(nav_arena *memory, const char *text);

// Reads the file of --config into o: one JSON object whose keys are the options' names with
// underscores; lists take one text or an array of them:
//
//   {"listen": ["127.0.0.1:7650", "unix:/run/navmeshd/sock"], "bake_memory": 1024}
//
// Its faults are added, and the rest is still read.
void config_read(options *o, option_faults *faults);
