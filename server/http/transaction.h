// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// transaction.h: shared by http.c (listeners), transaction.c (the life of a request) and
// request_checks.c (its head). These three files alone know libmicrohttpd.

#pragma once

#include "server/http/access.h"
#include "server/http/connections.h"
#include "server/http/listen.h"

#include <microhttpd.h>

typedef struct listener {
    struct MHD_Daemon *daemon;
    service *service;
    const char *text; // as in the options
    char address[LISTEN_TEXT_BYTES];
    listen_file file;             // of its Unix socket
    MHD_socket quiesced;          // no longer polled; open until the library's threads have ended
    bool tcp;                     // asks for a token, if there are any
    access_names names;           // that Host may have
    _Atomic uint32_t connections; // open now
} listener;

// A request, and all that libmicrohttpd needs of it. A connection has one transaction, used again
// for each request. Only the connection's HTTP thread touches it, or, while it is suspended, the
// thread that its handler has given it to.
typedef struct http_transaction {
    request request; // first, so that a request can be turned back into its transaction
    listener *listener;
    connection *connection;
    struct MHD_Connection *mhd;
    nav_error error; // status NAV_OK: none so far
    char allow[40];
    const char *origin;  // of --allow-origin, whose page asks; NULL: none
    bool by_browser;     // which gets how long the handler took, for its page
    bool preflight;      // OPTIONS: a browser asks whether that page may ask
    bool close;          // after the reply
    bool large_body;     // promises a body too large to be read and dropped
    bool expects;        // promises a body and waits for "100 Continue"
    uint64_t body_bytes; // arrived
    char *body;          // of BODY_JSON; kept for the next request
    size_t body_capacity;
    const char *method, *path; // the library's
    uint64_t begun_ns, handled_ns;
    uint64_t begun_piece; // connection.pieces when the head ended
    bool answered;
    uint64_t held_bytes;        // of the budget for bodies in flight, by the request's body
    uint64_t answer_bytes;      // and by the answer's
    const reply_stream *stream; // of the reply, or NULL
} http_transaction;

_Static_assert(offsetof(http_transaction, request) == 0, "a request is turned back by a cast");

// ---- transaction.c: libmicrohttpd's callbacks; user is the listener ----

enum MHD_Result http_on_request(void *user, struct MHD_Connection *mhd, const char *path,
                                const char *method, const char *http_version,
                                const char *upload_data, size_t *upload_bytes, void **state);
void http_on_completed(void *user, struct MHD_Connection *mhd, void **state,
                       enum MHD_RequestTerminationCode code);
void http_on_connection(void *user, struct MHD_Connection *mhd, void **context,
                        enum MHD_ConnectionNotificationCode code);

// ---- request_checks.c ----

// Checks everything that a head says: sender, route, token, body. The first objection counts and
// becomes t->error.
nav_status http_check_head(http_transaction *t, const char *method, const char *path);
uint64_t http_body_limit(const request *r);
// Refuses a body larger than that.
nav_status http_fail_too_large(http_transaction *t);
