// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// listen.h: a listener as text to a listening socket.

#pragma once

#include "proto/base/status.h"

#include <sys/types.h>

#define LISTEN_TEXT_BYTES 128

// Checks "ADDR:PORT", "[ADDR6]:PORT", "localhost:PORT", "unix:PATH" or "fd:N" (a socket that this
// process was started with). Touches nothing. *reachable: other machines may reach it; false for
// "fd:N", which listen_open resolves. Errors: NAV_INVALID_FIELD.
nav_status listen_check(const char *listener, bool *reachable, nav_error *err);

// The file of a Unix socket: its name may be another's by the time it is to be removed.
typedef struct listen_file {
    dev_t device;
    ino_t number;
} listen_file;

typedef struct listen_socket {
    int fd;                       // listening, not blocking; the caller's
    bool tcp;                     // else a Unix socket
    bool reachable;               // from other machines
    listen_file file;             // of a Unix socket that was made here, else zero
    char text[LISTEN_TEXT_BYTES]; // the address that it got (port 0 is chosen by the system)
} listen_socket;

// Errors: NAV_INVALID_FIELD, PROTO_OVERLOADED where the system refuses.
nav_status listen_open(const char *listener, listen_socket *out, nav_error *err);
// Whether the socket was passed to this process, and is shared with the process that did so.
bool listen_is_passed(const char *listener);
// Removes the file of a Unix socket that listen_open has made, unless another has taken its name.
void listen_remove(const char *listener, listen_file file);

// Sockets that systemd, or a program like it, passes to this process (LISTEN_PID, LISTEN_FDS), as
// listeners "fd:3" and so on; the same each time. Returns how many, at most max. Thread: main.
size_t listen_passed(const char **listeners, size_t max);
