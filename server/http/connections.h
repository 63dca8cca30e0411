// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// connections.h: all open connections: what their bytes say before libmicrohttpd reads them
// (proto/http/wire.h), and until when they have to say more. exchange.c opens and closes them,
// tap.c feeds them, reaper.c ends those that are too slow.
//
//                first byte            head complete, no body            reply begins
//   IDLE (idle_ms) --> HEAD (header_ms) ----------------> HANDLING --------------------> SENDING
//     ^                    | body                            ^                  (reply_ms,
//     reply_rate) |                    +--> BODY (body_ms, body_rate) ---+ last byte of it |
//     +---------------------------------------------------------------------------------+ all sent
//
// A body and a reply have a credit of time that each byte of progress earns back, at the rate in
// bytes a second, up to the whole of it: one byte a second lasts hardly longer than none.

#pragma once

#include "proto/http/wire.h"
#include "server/http/head_lines.h"
#include "server/base/service.h"

#include <pthread.h>
#include <stdatomic.h>

typedef enum connection_phase {
    CONNECTION_IDLE,
    CONNECTION_HEAD,
    CONNECTION_BODY,
    CONNECTION_HANDLING, // no deadline: the daemon's own time
    CONNECTION_SENDING,
    CONNECTION_CLOSING, // a fault was answered; what still comes is dropped for a moment
    CONNECTION_ENDED,   // shut down; nothing more goes in or out
} connection_phase;

typedef struct connections connections;

typedef struct connection {
    connections *all; // immutable
    int fd;           // immutable
    bool tcp;         // immutable
    bool over_limit;  // immutable: one too many, gets 503
    proto_wire wire;  // owner thread only: the HTTP thread that has the socket
    nav_error fault;  // owner thread only; what comes instead of more bytes, if status is set
    uint64_t heads_answered; // owner thread only
    uint64_t pieces;         // owner thread only: how many came in
    // Phase in the low 3 bits, deadline in milliseconds above: both change as one.
    _Atomic uint64_t state;
    _Atomic uint64_t sent_bytes;           // into the kernel; owner adds
    int64_t seen_bytes;                    // guarded by lock; what the client had taken last time
    uint64_t seen_idle_ms;                 // guarded by lock; the idle deadline looked at last
    struct connection *next, *previous;    // guarded by lock
    _Atomic uint32_t *listener_open_count; // of the listener
    void *user;                            // exchange.c's
    head_lines lines;                      // owner thread only; of the reply being sent
} connection;

// NULL without memory. The service is borrowed and outlives it.
connections *connections_create(service *s);
// Ends the thread, too. NULL is harmless; no connection may be open any more.
void connections_destroy(connections *all);
// Starts the thread that ends slow connections.
bool connections_start(connections *all);
uint32_t connections_count(connections *all);

// A connection that was accepted, on the thread that will read it. listener_open_count counts the
// listener's own. NULL without memory or for a descriptor beyond all bounds.
connection *connection_open(connections *all, int fd, bool tcp,
                            _Atomic uint32_t *listener_open_count);
// Before the descriptor is closed.
void connection_close(connection *c); // NULL is harmless

// The library has a request whose head the wire has seen, and no reaper was faster; else it must
// not be answered.
bool connection_begin(connection *c);
// Its body is in: from here on no deadline runs.
bool connection_handle(connection *c);
// A reply is about to be sent.
bool connection_send(connection *c);
// The reply is out: idle, or in the next request.
void connection_rest(connection *c);
// Its last request was refused without the library, or it was ended.
bool connection_is_over(const connection *c);

// ---- for tap.c and reaper.c ----

// NULL: not one of ours.
connection *connection_of(int fd);
// Bytes that have come in: moves the phase on, returns how many the library may see. 0 with
// c->fault set: answer that, and end.
size_t connection_take(connection *c, char *bytes, size_t size_bytes);
// The fault is about to be answered, by the caller; false if the reaper was faster.
bool connection_fail(connection *c);
// A whole request has come in whose reply is not out.
bool connection_owes_reply(const connection *c);
uint64_t connection_now_ms(void);
void connections_stop(connections *all);
