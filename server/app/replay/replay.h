// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// replay.h: a recording's question, asked again in this process of the version and the states that
// it has with it; and how two answers differ.

#pragma once

#include "server/recordings/bundle.h"
#include "server/http/http.h"

#include <stdio.h>

// out->body is the caller's, to be freed. Safe on any bundle that was read. Errors:
// PROTO_BAD_BUNDLE, which says what of it cannot be used, NAV_NO_MEMORY.
nav_status replay_ask(const bundle *b, reply *out, nav_error *err);

// Whether the answer is the recorded one: status, media type and bytes.
bool replay_is_same(const bundle *b, const reply *got);
// Prints what differs: as a unified diff of lines where both are JSON, else by bytes.
void replay_print_difference(const bundle *b, const reply *got, FILE *to);

// Prints text of a file that somebody has sent, without its tricks: characters that do not show, or
// that turn others around, become \u202e as in JSON, bytes that are no UTF-8 a question mark, and
// control characters of ASCII `control`.
void replay_print_text(const char *text, size_t length, char control, FILE *to);
