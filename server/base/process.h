// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// process.h: the process and the system around it: limits and modes, before anything is opened;
// figures; the file that a name leads to; and messages to the service manager.

#pragma once

#include "server/base/limits.h"

#include <limits.h>
#include <stdint.h>

// Core dumps and debuggers of other processes of this user are off, since both would show tokens (a
// debug build stays open to debuggers). New files are for this user only. A client that is gone is
// an error of write, no signal.
void process_prepare(void);
// Raises the limit of open files towards what so many listeners can use; logs where it stays below.
void process_raise_files(uint32_t listeners, const service_limits *l);

// The calling thread only computes, and gives way to those that answer queries: a lower priority,
// and a hint to the scheduler. Without the right to it, it just goes on.
void process_thread_gives_way(void);

// The file that a name leads to, over links, also if that file does not exist yet: a link stays a
// link when the file is made. The name itself if it is no link, or the links lead nowhere.
const char *process_follow_links(const char *name, char out[PATH_MAX]);
// The length of the name of a path's folder, slash included, as "%.*s." takes it; 0 without one.
int process_folder_bytes(const char *path);

// The system's figures of this process; 0 if it does not have one.
typedef struct process_usage {
    uint64_t resident_bytes, virtual_bytes;
    uint64_t open_files, open_files_limit;
    uint64_t cpu_ns;
} process_usage;

process_usage process_usage_get(void);

// All of them: main thread only. A manager that does not listen is not an error.

// Opens the socket, once, before the sandbox; until then nothing is sent.
void notify_open(void);
void notify_ready(const char *status);   // READY=1, after a start or a reload
void notify_reloading(void);             // RELOADING=1
void notify_stopping(uint32_t limit_ms); // STOPPING=1, which may take as long
void notify_alive(void);                 // WATCHDOG=1
// How often notify_alive is wanted, half of what $WATCHDOG_USEC allows; -1: never. Fits poll().
int notify_interval_ms(void);
