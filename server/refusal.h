// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// refusal.h: an error as a whole HTTP message, for connections that libmicrohttpd is to see no more
// of.

#pragma once

#include "core/nav.h"

// Writes what goes into the socket at once, without waiting for the rest. The connection has to be
// ended then. Thread: any, as long as nobody else writes.
void refusal_send(int fd, const nav_error *err);
