// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// sandbox.h: rights that the process gives up once it has started.
//
//   files  Landlock: nothing of the file system but what was allowed, and no connection over TCP.
//          It holds for the calling thread and those that it makes later, so it comes first.
//   calls  seccomp: a list of system calls, for all threads at once, after the last socket is open.
//
// Neither can be taken back. Both are optional: if the kernel lacks one, the daemon runs without it
// and says so.

#pragma once

#include "server/app/options.h"

// Rights beneath a folder, or over a file.
#define SANDBOX_READ 1u
#define SANDBOX_WRITE 2u  // files made, changed and removed
#define SANDBOX_SOCKET 4u // Unix sockets made and removed
#define SANDBOX_RUN 8u    // programs run, for a sanitizer's report

typedef struct sandbox {
    bool wanted;
    int rules; // Landlock's descriptor; -1: not in force, or in force already
    int abi;   // of Landlock; 0: none
    bool files_on, calls_on;
    char files[80], calls[80]; // for the log: "on", or why not
} sandbox;

// Begins an empty list of what stays allowed.
void sandbox_begin(sandbox *s, const options *o);
// Allows the paths that a daemon with these options needs: its database, the files that a reload
// reads, files of meshes, the folders of its Unix sockets.
void sandbox_allow_options(sandbox *s, const options *o);
// Puts the lists into force.
void sandbox_enter_files(sandbox *s);
void sandbox_enter_calls(sandbox *s);
// All of it for a command, which has no sockets; path: one more file that it takes, or NULL.
void sandbox_enter_command(const options *o, const char *path, uint32_t rights);
// For a command that reads these files and nothing else.
void sandbox_enter_reader(const options *o, char *const *files, size_t count);
// One line that says what is in force.
void sandbox_log(const sandbox *s);

// A sanitizer needs more than the daemon: 1 widens the lists for it.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANDBOX_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANDBOX_SANITIZER 1
#endif
#endif
#ifndef SANDBOX_SANITIZER
#define SANDBOX_SANITIZER 0
#endif
