// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// refusal.h: an error as a whole HTTP message, for connections that libmicrohttpd is to see no more
// of.

#pragma once

#include "server/connections.h"

// Writes what goes into the socket at once, without waiting for the rest; counts and logs it as a
// request without a route. The connection has to be ended then. Thread: any, as long as nobody else
// writes.
void refusal_send(const connection *c, const nav_error *err);
