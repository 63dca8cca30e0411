// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// refusal.h: an error as a whole HTTP message, for connections that libmicrohttpd is to see no more
// of.

#pragma once

#include "server/http/connections.h"
#include "server/http/http.h"

// One that was sent and is not counted yet.
typedef struct refusal {
    service *service; // borrowed
    char id[sizeof((request *)0)->id];
    int status;
    uint64_t reply_bytes;
} refusal;

// Writes what goes into the socket at once, without waiting for the rest. The connection has to be
// ended then. Thread: any, as long as nobody else writes.
refusal refusal_send(const connection *c, const nav_error *err);
// Counts and logs it as a request without a route. It may wait for the log: not under a lock.
void refusal_ended(const refusal *sent);
