// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// version_lines.h: warnings and failed checks of a version as lines for people at a terminal.

#pragma once

#include "proto/proto.h"

// Zeroed but for prefix, which begins each line.
typedef struct proto_lines {
    const char *prefix;
    proto_writer text; // to be freed, also after an error
    uint32_t failed_checks, warnings;
} proto_lines;

// From the texts that a version's object has; NULL: none. Errors: PROTO_BAD_JSON and kin, where
// they are not as they were written; NAV_NO_MEMORY.
nav_status proto_lines_write(proto_lines *lines, const char *checks_json, const char *warnings_json,
                             nav_error *err);
