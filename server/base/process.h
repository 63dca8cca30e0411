// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// process.h: what the process asks of the system: limits and modes for itself, before it opens
// anything; which file a name leads to; figures.

#pragma once

#include "server/base/limits.h"

#include <limits.h>
#include <stdint.h>

// No core dumps and no debugger of another process of this user, either of which would show tokens
// (a debug build stays open to debuggers); what is made is for this user only; a client that is
// gone is an error of write, no signal.
void process_prepare(void);
// Raises the limit of open files towards what so many listeners can use; logs where it stays below.
void process_raise_files(uint32_t listeners, const service_limits *l);

// The file that a name leads to, over links, also where that file is not there yet: a link stays a
// link when the file is made. The name itself where it is no link, or one that leads nowhere.
const char *process_follow_links(const char *name, char out[PATH_MAX]);

// What the system says of this process; 0 where it does not.
typedef struct process_usage {
    uint64_t resident_bytes, virtual_bytes;
    uint64_t open_files, open_files_limit;
    uint64_t cpu_ns;
} process_usage;

process_usage process_usage_get(void);
