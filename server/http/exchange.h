// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// exchange.h: what http.c (listeners), exchange.c (the life of a request), headers.c
// (what is said before its body) and send.c (its reply) share. Private to them: they alone
// know libmicrohttpd.

#pragma once

#include "server/http/connections.h"
#include "server/http/http.h"
#include "server/http/listen.h"

#include <microhttpd.h>

typedef struct listener {
    struct MHD_Daemon *daemon;
    service *service;
    const char *text; // as in the options
    char address[LISTEN_TEXT_BYTES];
    listen_file file;             // of its Unix socket
    MHD_socket quiesced;          // no longer asked; open until the library's threads have ended
    bool tcp;                     // asks for a token, if there are any
    bool any_host;                // may be called by any name
    _Atomic uint32_t connections; // open now
} listener;

// A request with what only these files know. A connection has one, used again for each request.
typedef struct exchange {
    request request; // first, so that a request can be turned back into its exchange
    listener *listener;
    connection *line;
    struct MHD_Connection *connection;
    nav_error refusal; // status NAV_OK: none so far
    char allow[40];
    bool close;          // after the reply
    bool wide;           // promises a body too large to be read and dropped
    bool expects;        // promises a body and waits for "100 Continue"
    uint64_t body_bytes; // arrived
    char *body;          // of BODY_JSON; kept for the next request
    size_t body_capacity;
    const char *method, *path; // the library's
    uint64_t begun_ns, handled_ns;
    uint64_t begun_piece; // of the connection's, in which the head ended
    bool answered;
    uint64_t held_bytes;        // of the budget for bodies in flight
    const reply_stream *stream; // of the reply, or NULL
} exchange;

// ---- exchange.c: libmicrohttpd's callbacks; user is the listener ----

enum MHD_Result http_on_request(void *user, struct MHD_Connection *mhd, const char *path,
                                const char *method, const char *http_version,
                                const char *upload_data, size_t *upload_bytes, void **state);
void http_on_completed(void *user, struct MHD_Connection *mhd, void **state,
                       enum MHD_RequestTerminationCode code);
void http_on_connection(void *user, struct MHD_Connection *mhd, void **context,
                        enum MHD_ConnectionNotificationCode code);

// ---- headers.c ----

// Everything that can be said before the body; the first objection counts and becomes x->refusal.
nav_status http_judge(exchange *x, const char *method, const char *path);
uint64_t http_body_limit(const request *r);
// Refuses a body larger than that.
nav_status http_fail_too_large(exchange *x);

// ---- send.c ----

// Queues a reply that was known at now_ns (clock_now_ns). Takes its body in any case.
enum MHD_Result http_send(exchange *x, reply *out, uint64_t now_ns);
// Queues x->refusal.
enum MHD_Result http_send_refusal(exchange *x);
