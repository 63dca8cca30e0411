// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// command.c: the table of commands, `navmeshd COMMAND`: takes the command line apart, prints help,
// or runs the command. The smallest of them, backup, is here.

#include "server/app/command.h"

#include "proto/base/suggest.h"
#include "server/app/sandbox.h"
#include "server/store/store.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// Above and below the list of options in --help.
#define VERIFY_INTRO                                                                               \
    "usage: navmeshd verify [option]...\n"                                                         \
    "Checks a database, also while a daemon is using it: the file, the references\n"               \
    "between its rows, and the SHA-256 of each block. One line a fault; the exit\n"                \
    "code is 1 where there is one.\n"
#define BACKUP_INTRO                                                                               \
    "usage: navmeshd backup [option]... COPY\n"                                                    \
    "Copies a database, also while a daemon is using it, as it is at one moment.\n"                \
    "COPY must not be there yet, and appears only when it is whole.\n"
#define BAKE_INTRO                                                                                 \
    "usage: navmeshd bake --mesh NAME=FILE [option]... [SETTING=VALUE]...\n"                       \
    "Bakes into a database that no daemon is using, as an upload would. A bake that\n"             \
    "is broken off goes on where it was when the same command is given again.\n"
#define BAKE_OUTRO                                                                                 \
    "  SETTING=VALUE               one setting, as in the query string of an upload:\n"            \
    "                              cell_size=0.2, agent.radius=0.4, activate=0, reuse=0,\n"        \
    "                              force=1, accept=units_suspect\n"                                \
    "\n"                                                                                           \
    "Warnings and checks that fail are printed, one a line. Exit codes:\n"                         \
    "  0  ready, and live unless activate=0\n"                                                     \
    "  1  anything else\n"                                                                         \
    "  2  the command line is wrong\n"                                                             \
    "  3  ready, but it fails its checks and does not go live (force=1 makes it live)\n"           \
    "  4  with --strict: ready, but it has warnings and does not go live\n"                        \
    "Of several meshes the first of 1, 3, 4 counts.\n"

#define QUERY_INTRO                                                                                \
    "usage: navmeshd query --mesh NAME [option]... KIND [NAME=VALUE]...\n"                         \
    "Asks as GET /v1/meshes/{mesh}/KIND?NAME=VALUE does, and prints the same answer.\n"
#define QUERY_OUTRO                                                                                \
    "\n"                                                                                           \
    "KIND is one of path, nearest, floors, raycast, move, wall, random, flood; with\n"             \
    "--body also paths, batch, matrix, reachable, trace, instances/NAME/valid.\n"                  \
    "For example: navmeshd query --mesh town path start=2,0,2 end=70,0,70\n"                       \
    "Exit codes:\n"                                                                                \
    "  0  an answer: the path is complete, the points are reachable\n"                             \
    "  1  an error, which stderr tells\n"                                                          \
    "  2  the command line is wrong\n"                                                             \
    "  3  an answer that says no: no path, or a part of one; an end off the mesh; nothing\n"       \
    "     found; a deadline. Of several answers any\n"
#define DIFF_INTRO                                                                                 \
    "usage: navmeshd diff --mesh NAME [option]... from=N to=N [agent=NAME]\n"                      \
    "Prints what changed between two versions, as GET .../versions/diff does.\n"
#define EXPORT_INTRO                                                                               \
    "usage: navmeshd export --mesh NAME [option]... [version=N] [NAME=VALUE]...\n"                 \
    "Writes a version, without version=N the live one, as\n"                                       \
    "GET .../versions/{version}/export?NAME=VALUE does.\n"

#define REPLAY_INTRO                                                                               \
    "usage: navmeshd replay [option]... FILE...\n"                                                 \
    "Asks each recording's question again, of the version and the state that are in the\n"         \
    "file, and compares the answer with the one that was recorded. FILE is what\n"                 \
    "GET /v1/recordings/{id} gives.\n"
#define REPLAY_OUTRO                                                                               \
    "\n"                                                                                           \
    "Exit codes:\n"                                                                                \
    "  0  the same bytes; or others where a deadline counted, which is said\n"                     \
    "  1  a file is no whole recording\n"                                                          \
    "  2  the command line is wrong\n"                                                             \
    "  5  an answer differs: what does is printed\n"                                               \
    "Of several files 1 counts before 5.\n"

static int back_up(const options *o)
{
    nav_error err = {0};
    NAV_ASSERT(o->db != NULL); // its default
    if (o->word_count != 1) {
        return command_usage("backup", "write the name of one copy", "");
    }
    store *disk = NULL;
    sandbox_enter_command(o, o->words[0], SANDBOX_READ | SANDBOX_WRITE);
    nav_status status = store_open_to_read(o->db, &disk, &err);
    NAV_IF_OK(status, store_backup(disk, o->words[0], &err));
    store_close(disk);
    if (status != NAV_OK) {
        return command_fail(&err);
    }
    struct stat info = {0};
    (void)stat(o->words[0], &info);
    (void)printf("%s: %lld bytes\n", o->words[0], (long long)info.st_size);
    return COMMAND_DONE;
}

static const struct {
    const char *word;
    option_command command;
    int (*run)(const options *o);
    const char *intro, *outro;
} COMMANDS[] = {
    {"verify", OPTION_FOR_VERIFY, command_verify, VERIFY_INTRO, ""},
    {"backup", OPTION_FOR_BACKUP, back_up, BACKUP_INTRO, ""},
    {"bake", OPTION_FOR_BAKE, command_bake, BAKE_INTRO, BAKE_OUTRO},
    {"query", OPTION_FOR_QUERY, command_query, QUERY_INTRO, QUERY_OUTRO},
    {"diff", OPTION_FOR_DIFF, command_diff, DIFF_INTRO, ""},
    {"export", OPTION_FOR_EXPORT, command_export, EXPORT_INTRO, ""},
    {"replay", OPTION_FOR_REPLAY, command_replay, REPLAY_INTRO, REPLAY_OUTRO},
};
#define COMMAND_COUNT (sizeof COMMANDS / sizeof COMMANDS[0])

// A first word that is neither a command nor an option; without one the daemon is meant.
static bool refuse_command(int argc, char **argv, int *exit_code)
{
    if (argc < 2 || argv[1][0] == '-' || strcmp(argv[1], "serve") == 0) {
        return false;
    }
    proto_suggestion meant = proto_suggest(argv[1], strlen(argv[1]));
    char hint[PROTO_HINT_BYTES];
    proto_suggest_offer(&meant, "serve", strlen("serve"));
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        proto_suggest_offer(&meant, COMMANDS[i].word, strlen(COMMANDS[i].word));
    }
    (void)fprintf(stderr,
                  "navmeshd: %.80s: there is no such command%s\n"
                  "(navmeshd --help lists commands and options)\n",
                  argv[1], proto_suggest_hint(&meant, hint));
    *exit_code = COMMAND_USAGE;
    return true;
}

bool command_run(int argc, char **argv, uint32_t cores, int *exit_code)
{
    static option_faults faults;
    size_t i = 0;
    while (i < COMMAND_COUNT && (argc < 2 || strcmp(argv[1], COMMANDS[i].word) != 0)) {
        i++;
    }
    if (i == COMMAND_COUNT) {
        return refuse_command(argc, argv, exit_code);
    }
    options o;
    NAV_ASSERT(argc >= 2);
    nav_status status = options_parse(COMMANDS[i].command, argc - 1, argv + 1, cores, &o, &faults);
    if (o.action == OPTION_HELP) {
        *exit_code = command_help(COMMANDS[i].command, COMMANDS[i].intro, COMMANDS[i].outro);
    } else if (status != NAV_OK) {
        *exit_code = command_usage(COMMANDS[i].word, faults.items[0].detail, "");
    } else {
        *exit_code = COMMANDS[i].run(&o);
    }
    options_free(&o);
    return true;
}
