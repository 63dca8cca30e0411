// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// client.h: one question to a daemon that runs somewhere, for the commands with --url.

#pragma once

#include "server/http/http.h"

// A connection to http://HOST[:PORT] or unix:PATH.
typedef struct client client;

// Connects. Errors: NAV_INVALID_FIELD (it is no such address), PROTO_OVERLOADED (nobody answers
// there), NAV_NO_MEMORY.
nav_status client_open(const char *url, client **out, nav_error *err);
void client_close(client *c); // NULL is harmless

// Asks once and waits for the answer; token NULL: none is sent. Of out status, body and body_bytes
// are filled; the body is the caller's. Errors: PROTO_OVERLOADED (the connection broke off),
// PROTO_BAD_FRAMING (what came is no HTTP/1.1), NAV_NO_MEMORY.
nav_status client_ask(client *c, const http_question *asked, const char *token, reply *out,
                      nav_error *err);

// ---- for tests ----

// Takes a whole answer apart, as it came up to the end of the stream. Errors: PROTO_BAD_FRAMING,
// NAV_NO_MEMORY.
nav_status client_read_answer(const char *bytes, size_t size_bytes, reply *out, nav_error *err);
