// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// command.c: takes the command line of `navmeshd COMMAND` apart, and runs the command. The smallest
// of them, backup, is here.

#include "server/app/command.h"

#include "server/app/sandbox.h"
#include "server/store/store.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char VERIFY_HELP[] =
    "usage: navmeshd verify [--db FILE]\n"
    "Checks a database, also while a daemon is using it: the file, the references\n"
    "between its rows, and the SHA-256 of each block. One line a fault; the exit\n"
    "code is 1 where there is one.\n"
    "\n"
    "  --db FILE       database (default navmeshd.db)\n"
    "  --config FILE   the daemon's configuration, for its db\n"
    "  --sandbox MODE  off: for debuggers, tracers and valgrind\n"
    "  --help\n";

static const char BACKUP_HELP[] =
    "usage: navmeshd backup [--db FILE] COPY\n"
    "Copies a database, also while a daemon is using it, as it is at one moment.\n"
    "COPY must not be there yet, and appears only when it is whole.\n"
    "\n"
    "  --db FILE       database (default navmeshd.db)\n"
    "  --config FILE   the daemon's configuration, for its db\n"
    "  --sandbox MODE  off: for debuggers, tracers and valgrind\n"
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
    "  --limit NAME=VALUE   a limit, as the daemon's --limit: grid_cells, vertices,\n"
    "                       triangles\n"
    "  --keep-versions N    of each mesh keep the N newest finished versions and the\n"
    "                       live one\n"
    "  SETTING=VALUE        one setting, as in the query string of an upload:\n"
    "                       cell_size=0.2, agent.radius=0.4, activate=0, reuse=0,\n"
    "                       force=1\n"
    "  --config FILE        the daemon's configuration: what is in it counts here,\n"
    "                       too, but for what only a server needs\n"
    "  --sandbox MODE       off: for debuggers, tracers and valgrind\n"
    "  --help\n"
    "\n"
    "Warnings and checks that fail are printed, one a line. Exit codes:\n"
    "  0  ready, and live unless activate=0\n"
    "  1  anything else\n"
    "  2  the command line is wrong\n"
    "  3  ready, but it fails its checks and is not live (force=1 makes it live)\n"
    "  4  with --strict: there are warnings, and it is live all the same\n"
    "Of several meshes the first of 1, 3, 4 counts.\n";

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

bool command_run(int argc, char **argv, uint32_t cores, int *exit_code)
{
    static const struct {
        const char *name, *help;
        option_command command;
        int (*run)(const options *o);
    } commands[] = {{"verify", VERIFY_HELP, OPTION_FOR_VERIFY, command_verify},
                    {"backup", BACKUP_HELP, OPTION_FOR_BACKUP, command_backup},
                    {"bake", BAKE_HELP, OPTION_FOR_BAKE, command_bake}};
    const size_t count = sizeof commands / sizeof *commands;
    static option_faults faults;
    size_t i = 0;
    while (i < count && (argc < 2 || strcmp(argv[1], commands[i].name) != 0)) {
        i++;
    }
    if (i == count) {
        return false;
    }
    options o;
    nav_status status = options_parse(commands[i].command, argc - 1, argv + 1, cores, &o, &faults);
    if (o.action == OPTION_HELP) {
        (void)fputs(commands[i].help, stdout);
        *exit_code = COMMAND_DONE;
    } else if (status != NAV_OK) {
        *exit_code = command_usage(commands[i].name, faults.items[0].detail, "");
    } else {
        *exit_code = commands[i].run(&o);
    }
    options_free(&o);
    return true;
}

// ---- backup ----

int command_backup(const options *o)
{
    nav_error err = {0};
    if (o->word_count != 1) {
        return command_usage("backup", "write the name of one copy", "");
    }
    store *disk = NULL;
    sandbox_enter_command(o, o->words[0], SANDBOX_READ | SANDBOX_WRITE);
    nav_status status = store_open_to_look(o->db, &disk, &err);
    if (status == NAV_OK) {
        status = store_backup(disk, o->words[0], &err);
    }
    store_close(disk);
    if (status != NAV_OK) {
        return command_fail(&err);
    }
    struct stat info = {0};
    (void)stat(o->words[0], &info);
    (void)printf("%s: %lld bytes\n", o->words[0], (long long)info.st_size);
    return COMMAND_DONE;
}
