// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// command_report.c: for all commands: faults on stderr, --help, and words as arguments NAME=VALUE.

#include "server/app/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *command_arguments(const options *o, size_t first, size_t count_max, proto_arg *args,
                              size_t *count)
{
    for (size_t i = first; i < o->word_count; i++) {
        char *equals = strchr(o->words[i], '=');
        if (equals == NULL || *count == count_max) {
            return o->words[i];
        }
        *equals = '\0';
        args[(*count)++] = (proto_arg){.key = o->words[i], .value = equals + 1};
    }
    return NULL;
}

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

int command_help(option_command command, const char *intro, const char *outro)
{
    char *help = options_help(command, intro, outro);
    const bool printed = help != NULL && fputs(help, stdout) >= 0;
    free(help);
    return printed ? COMMAND_DONE : COMMAND_FAILED;
}
