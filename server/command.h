// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// command.h: what navmeshd does beside serving: `navmeshd verify`, `backup`, `bake`. Each is one
// file command_NAME.c.

#pragma once

#include "core/nav.h"
#include "proto/proto.h"

// Exit codes. The last two are of a bake that went well: its version fails checks and is not live;
// it has warnings, where none were wanted.
enum {
    COMMAND_DONE = 0,
    COMMAND_FAILED = 1, // or found faults
    COMMAND_USAGE = 2,  // the command line cannot be understood
    COMMAND_CHECKS = 3,
    COMMAND_WARNINGS = 4
};

#define COMMAND_WORDS_MAX 64

// A command line, taken apart. Strings are borrowed from it.
typedef struct command_line {
    int argc; // options as options_parse takes them, argv[0] included
    char **argv;
    const char *settings;                 // of --settings, or NULL
    const char *words[COMMAND_WORDS_MAX]; // that belong to no option
    size_t word_count;
    bool strict;
    bool help;
} command_line;

// Runs the command that argv[1] names. False: it names none. cores: of the machine.
bool command_run(int argc, char **argv, uint32_t cores, int *exit_code);
// Says on stderr what is wrong, and returns the exit code for it.
int command_usage(const char *command, const char *why, const char *what);
int command_fail(const nav_error *err);

int command_verify(const command_line *line);
int command_backup(const command_line *line);
int command_bake(const command_line *line, uint32_t cores);
