// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// command.c: takes the command line of `navmeshd COMMAND` apart and runs the command.

#include "server/command.h"

#include "server/options.h"

#include <stdio.h>
#include <string.h>

static const char VERIFY_HELP[] =
    "usage: navmeshd verify [--db FILE]\n"
    "Checks a database, also while a daemon is using it: the file, the references\n"
    "between its rows, and the SHA-256 of each block. One line a fault; the exit\n"
    "code is 1 where there is one.\n"
    "\n"
    "  --db FILE   database (default navmeshd.db)\n"
    "  --help\n";

static const char BACKUP_HELP[] =
    "usage: navmeshd backup [--db FILE] COPY\n"
    "Copies a database, also while a daemon is using it, as it is at one moment.\n"
    "COPY must not be there yet, and appears only when it is whole.\n"
    "\n"
    "  --db FILE   database (default navmeshd.db)\n"
    "  --help\n";

static const char BAKE_HELP[] =
    "usage: navmeshd bake [--db FILE] --mesh NAME=FILE [option]... [SETTING=VALUE]...\n"
    "Bakes into a database that no daemon is using, as an upload would. A bake that\n"
    "is broken off goes on where it was when the same command is given again.\n"
    "\n"
    "  --db FILE            database (default navmeshd.db), made where it is missing\n"
    "  --mesh NAME=FILE     bake FILE (.obj, .json or .navg) as a version of mesh NAME;\n"
    "                       may be given several times\n"
    "  --settings FILE      settings as a JSON object, instead of those within the\n"
    "                       geometry\n"
    "  --workers N          threads that bake (default: one a core)\n"
    "  --bake-memory MIB    memory that one bake may work with (default 2048)\n"
    "  --bake-time SECONDS  time that one bake may take (default 1800)\n"
    "  --strict             warnings are a failure: exit code 4\n"
    "  --keep-versions N    of each mesh keep the N newest finished versions and the\n"
    "                       live one\n"
    "  SETTING=VALUE        one setting, as in the query string of an upload:\n"
    "                       cell_size=0.2, agent.radius=0.4, activate=0, reuse=0,\n"
    "                       force=1\n"
    "  --help\n"
    "\n"
    "Warnings and checks that fail are printed, one a line. Exit codes:\n"
    "  0  ready, and live unless activate=0\n"
    "  1  anything else\n"
    "  2  the command line is wrong\n"
    "  3  ready, but it fails its checks and is not live (force=1 makes it live)\n"
    "  4  with --strict: there are warnings, and it is live all the same\n"
    "Of several meshes the first of 1, 3, 4 counts.\n";

#define STRICT "--strict" // of bake alone, as --settings is

int command_usage(const char *command, const char *why, const char *what)
{
    (void)fprintf(stderr, "navmeshd %s: %s%s%s\n(navmeshd %s --help lists the options)\n", command,
                  why, what[0] != '\0' ? " " : "", what, command);
    return COMMAND_USAGE;
}

int command_fail(const nav_error *err)
{
    (void)fprintf(stderr, "navmeshd: %s\n", err->detail);
    return COMMAND_FAILED;
}

// An option's value follows it, unless it is part of the same word.
static bool takes_value(const char *option)
{
    if (strcmp(option, STRICT) == 0) {
        return false;
    }
    size_t count;
    const option_row *rows = options_rows(&count);
    for (size_t i = 0; i < count; i++) {
        bool alone = rows[i].type == OPTION_TYPE_ACTION || rows[i].type == OPTION_TYPE_SWITCH;
        if (alone && strncmp(option, "--", 2) == 0 && strcmp(option + 2, rows[i].name) == 0) {
            return false;
        }
    }
    return strchr(option, '=') == NULL;
}

static const char *value_of(const char *word, const char *option, const char *next)
{
    size_t length = strlen(option);
    return strcmp(word, option) == 0                                   ? next
           : strncmp(word, option, length) == 0 && word[length] == '=' ? word + length + 1
                                                                       : NULL;
}

// Sorts words into options and the rest. Options keep their order in argv, whose second word, the
// command, is overwritten. Returns the word at which it fails, or NULL.
static const char *take_apart(int argc, char **argv, command_line *out)
{
    *out = (command_line){.argc = 1, .argv = argv};
    for (int i = 2; i < argc; i++) {
        char *word = argv[i];
        if (word[0] != '-') {
            if (out->word_count == COMMAND_WORDS_MAX) {
                return word;
            }
            out->words[out->word_count++] = word;
            continue;
        }
        const char *next = i + 1 < argc ? argv[i + 1] : NULL;
        const char *settings = value_of(word, "--settings", next);
        if (takes_value(word) && next == NULL) {
            return word;
        }
        out->settings = settings != NULL ? settings : out->settings;
        out->help = out->help || strcmp(word, "--help") == 0;
        if (strcmp(word, STRICT) == 0) {
            out->strict = true;
        } else if (settings == NULL) {
            out->argv[out->argc++] = word;
        }
        if (takes_value(word)) {
            i++;
            if (settings == NULL) {
                out->argv[out->argc++] = argv[i];
            }
        }
    }
    return NULL;
}

bool command_run(int argc, char **argv, uint32_t cores, int *exit_code)
{
    static const struct {
        const char *name, *help;
    } commands[] = {{"verify", VERIFY_HELP}, {"backup", BACKUP_HELP}, {"bake", BAKE_HELP}};
    enum {
        VERIFY,
        BACKUP,
        BAKE,
        COMMANDS
    };
    int command = 0;
    while (command < COMMANDS && (argc < 2 || strcmp(argv[1], commands[command].name) != 0)) {
        command++;
    }
    if (command == COMMANDS) {
        return false;
    }
    command_line line;
    const char *wrong = take_apart(argc, argv, &line);
    if (wrong != NULL) {
        *exit_code =
            command_usage(commands[command].name, "a value is missing or too much:", wrong);
    } else if (line.help) {
        (void)fputs(commands[command].help, stdout);
        *exit_code = COMMAND_DONE;
    } else if (command != BAKE && (line.strict || line.settings != NULL)) {
        *exit_code = command_usage(commands[command].name, "there is no option",
                                   line.strict ? STRICT : "--settings");
    } else if (command == VERIFY) {
        *exit_code = command_verify(&line);
    } else if (command == BACKUP) {
        *exit_code = command_backup(&line);
    } else {
        *exit_code = command_bake(&line, cores);
    }
    return true;
}
