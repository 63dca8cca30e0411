// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// options.h: the command line.

#pragma once

#include "core/nav.h"
#include "server/limits.h"

typedef struct option_mesh {
    char name[LIMIT_MESH_NAME + 1];
    const char *file; // borrowed from the command line
} option_mesh;

typedef enum option_action {
    OPTION_SERVE,
    OPTION_CHECK,   // look at everything, change nothing
    OPTION_HELP,    //
    OPTION_VERSION, //
} option_action;

typedef struct options {
    option_action action;
    const char *listeners[LIMIT_LISTENERS];
    size_t listener_count;
    const char *db;
    option_mesh meshes[LIMIT_MESH_FILES];
    size_t mesh_count;
    uint32_t workers;
    uint32_t bake_memory_mib;
    double bake_time_s;
    uint32_t keep_versions; // 0: all
} options;

// Fills out, defaults included. Strings are borrowed from argv, which is reordered. cores: of the
// machine, for the default of --workers. Errors: NAV_INVALID_FIELD with a sentence for the user.
nav_status options_parse(int argc, char **argv, uint32_t cores, options *out, nav_error *err);
// What --help prints.
const char *options_help(void);
