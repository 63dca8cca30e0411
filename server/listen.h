// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// listen.h: an address as text to a listening socket. Only addresses of this machine are taken:
// whoever can reach the daemon can use it.

#pragma once

#include "core/nav.h"

#define LISTEN_TEXT_BYTES 128

// "ADDR:PORT", "[ADDR6]:PORT", "localhost:PORT" or "unix:PATH"; anything that is not loopback is
// refused. Touches nothing. Errors: NAV_INVALID_FIELD.
nav_status listen_check(const char *listener, nav_error *err);
// The socket, listening and not blocking, and the address that it got (port 0 is chosen by the
// system). Errors: NAV_INVALID_FIELD, NAV_OVERLOADED where the system refuses.
nav_status listen_open(const char *listener, int *out_fd, char address[LISTEN_TEXT_BYTES],
                       nav_error *err);
// Removes what listen_open has left in the file system.
void listen_remove(const char *listener);
