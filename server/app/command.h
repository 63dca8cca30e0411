// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// command.h: the commands beside the daemon: `navmeshd verify`, `backup`, `bake`, `query`, `diff`,
// `export`, `replay`.

#pragma once

#include "core/nav.h"
#include "server/app/options.h"

// Exit codes. The last two are of a bake that went well: its version fails checks, or has warnings
// where none were wanted, and does not go live.
enum {
    COMMAND_DONE = 0,
    COMMAND_FAILED = 1, // or found faults
    COMMAND_USAGE = 2,  // the command line cannot be understood
    COMMAND_CHECKS = 3,
    COMMAND_NEGATIVE = 3, // of a query: there is an answer, and it says no
    COMMAND_WARNINGS = 4,
    COMMAND_DIFFERS = 5 // of replay: the answer is another one
};

// Runs the command that argv[1] names. False: it names none. cores: of the machine.
bool command_run(int argc, char **argv, uint32_t cores, int *exit_code);
// Prints --help: intro, the options, outro. Returns the exit code.
int command_help(option_command command, const char *intro, const char *outro);
// Prints the fault on stderr, and returns the exit code for it.
int command_usage(const char *command, const char *why, const char *what);
int command_fail(const nav_error *err);

// The words from `first` on as arguments NAME=VALUE, which they are cut into. Returns the one at
// which it fails: without =, or one too many; or NULL.
const char *command_arguments(const options *o, size_t first, size_t count_max, proto_arg *args,
                              size_t *count);

int command_verify(const options *o);
int command_bake(const options *o);
int command_query(const options *o);
int command_diff(const options *o);
int command_export(const options *o);
int command_replay(const options *o); // replay/command_replay.c
