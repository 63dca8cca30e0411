// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// connections.h: all open connections: the state of their input (proto/http/wire.h reads it before
// libmicrohttpd does) and the deadline of their next progress. transaction.c opens and closes them,
// socket_hooks.c feeds them, reaper.c ends those that are too slow.
//
//                first byte            head complete, no body            reply begins
//   IDLE (idle_ms) --> HEAD (header_ms) ----------------> HANDLING --------------------> SENDING
//     ^                    | body                            ^                  (reply_ms,
//     reply_rate) |                    +--> BODY (body_ms, body_rate) ---+ last byte of it |
//     +---------------------------------------------------------------------------------+ all sent
//
// A body and a reply have a credit of time. Each byte of progress earns some of it back, at the
// rate in bytes a second, up to the whole credit: one byte a second lasts hardly longer than none.

#pragma once

#include "proto/http/wire.h"
#include "server/http/http.h"
#include "server/http/response_headers.h"

#include <pthread.h>
#include <stdatomic.h>

typedef enum connection_phase {
    CONNECTION_IDLE,
    CONNECTION_HEAD,
    CONNECTION_BODY,
    CONNECTION_HANDLING, // no deadline: the daemon's own time
    CONNECTION_SENDING,
    CONNECTION_CLOSING, // a fault was answered; further bytes are dropped for a moment
    CONNECTION_ENDED,   // shut down; nothing more goes in or out
} connection_phase;

typedef struct connections connections;

typedef struct connection {
    connections *all; // immutable
    int fd;           // immutable
    bool tcp;         // immutable
    bool over_limit;  // immutable once opened: one too many, gets 503
    proto_wire wire;  // owner thread only: the HTTP thread that has the socket
    nav_error fault;  // owner thread only; the answer to the bytes that came, if its status is set
    uint64_t heads_answered; // owner thread only
    uint64_t pieces;         // owner thread only: successful reads of the socket
    // Phase in the low 3 bits, deadline in milliseconds above: both change as one.
    _Atomic uint64_t state;
    _Atomic uint64_t sent_bytes;           // into the kernel; owner adds
    int64_t seen_bytes;                    // guarded by lock: bytes that the client had last time
    uint64_t seen_idle_ms;                 // guarded by lock: the last idle deadline checked
    bool was_late;                         // guarded by lock: in the last sweep
    struct connection *next, *previous;    // guarded by lock
    _Atomic uint32_t *listener_open_count; // of the listener
    void *user;                            // transaction.c's
    response_headers headers;              // owner thread only; of the reply being sent
} connection;

// NULL without memory. The service is borrowed and outlives it.
connections *connections_create(service *s);
// After connections_stop; no connection may be open any more. NULL is harmless.
void connections_destroy(connections *all);
// Starts the reaper. False: no thread can be had. Main thread only, as is connections_stop, which
// is harmless before, and with NULL.
bool connections_start(connections *all);
void connections_stop(connections *all);
uint32_t connections_count(connections *all);

// Begins a connection that was accepted, on the thread that will read it. listener_open_count
// counts the listener's own. NULL without memory or for a descriptor beyond all bounds.
connection *connection_open(connections *all, int fd, bool tcp,
                            _Atomic uint32_t *listener_open_count);
// Before the descriptor is closed. NULL is harmless.
void connection_close(connection *c);

// ---- phases; owner thread ----

// Whether a request may be answered: its head went through proto/http/wire.h, and the reaper has
// not ended the connection.
bool connection_begin(connection *c);
// Its body is in: from here on no deadline runs. False: the reaper was faster; likewise below.
bool connection_handle(connection *c);
// A reply is about to be sent.
bool connection_send(connection *c);
// The reply is out: idle, or in the next request.
void connection_rest(connection *c);
// The fault is about to be answered, by the caller.
bool connection_fail(connection *c);
// Its last request was refused without the library, or it was ended.
bool connection_is_over(const connection *c);
// A whole request has come in whose reply is not out.
bool connection_owes_reply(const connection *c);
// Takes bytes that have come in: moves the phase on, and returns how many the library may see. 0
// with c->fault set: answer that, and end.
size_t connection_take(connection *c, char *bytes, size_t size_bytes);

// NULL: the descriptor is not one of ours. Thread: any.
connection *connection_of(int fd);
uint64_t connection_now_ms(void);

// Whether libmicrohttpd's calls come through socket_hooks.c in this program. If not, nothing may be
// served.
bool socket_hooks_in_place(void);

// ---- errors written without libmicrohttpd, which is to see no more of the connection; reply.c
// ----

// An error that was sent and is not counted yet.
typedef struct raw_error {
    service *service; // borrowed
    char id[HTTP_ID_BYTES];
    int status;
    uint64_t reply_bytes;
} raw_error;

// Writes the error as a whole HTTP message, as much as goes into the socket at once. The caller
// then ends the connection. Thread: any, as long as nobody else writes.
raw_error raw_error_send(const connection *c, const nav_error *err);
// Counts and logs it as a request without a route. It may wait for the log: not under a lock.
void raw_error_count(const raw_error *sent);

// ---- the table of connections: private to connections.c and reaper.c ----

struct connections {
    service *service;             // immutable
    const service_limits *limits; // immutable; the service's
    proto_wire_limits wire;       // immutable
    pthread_t reaper;             // main thread only
    bool started;                 // main thread only
    pthread_mutex_t lock;
    pthread_cond_t changed;    // the first connection, or the end
    connection *first;         // guarded by lock
    uint32_t count, tcp_count; // guarded by lock
    bool stopping;             // guarded by lock
};

_Static_assert(CONNECTION_ENDED < 8, "a phase has 3 bits of connection.state");

static inline uint64_t connection_state(connection_phase phase, uint64_t deadline_ms)
{
    return deadline_ms << 3 | (uint64_t)phase;
}

static inline connection_phase connection_phase_of(uint64_t state)
{
    return (connection_phase)(state & 7u);
}

static inline uint64_t connection_deadline_of(uint64_t state)
{
    return state >> 3;
}

static inline bool connection_state_is_over(uint64_t state)
{
    return connection_phase_of(state) >= CONNECTION_CLOSING;
}
