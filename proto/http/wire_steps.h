// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// wire_steps.h: between wire.c and wire_head.c: the steps of a message, and what ends it. Private
// to them.

#pragma once

#include "proto/http/wire.h"

enum {
    START,
    START_LF,
    METHOD,
    TARGET,
    VERSION,
    VERSION_LF,
    NAME,
    BLANK,
    VALUE,
    VALUE_LF,
    END_LF,
    BODY,
    CHUNK_FIRST,
    CHUNK_SIZE,
    CHUNK_EXTENSION,
    CHUNK_SIZE_LF,
    CHUNK_DATA,
    CHUNK_CR,
    CHUNK_LF,
    TRAILER_NAME,
    TRAILER_VALUE,
    TRAILER_LF,
    TRAILER_END_LF,
};

// The uses that a byte may have: in a token (names, methods), in an address, in a header's value.
enum {
    IN_TOKEN = 1,
    IN_TARGET = 2,
    IN_VALUE = 4,
};
extern const uint8_t PROTO_WIRE_KINDS[256];

// Fill err and return its status: PROTO_BAD_FRAMING; or that of a limit, with `what` before it.
nav_status proto_wire_bad(nav_error *err, const char *what);
nav_status proto_wire_too_large(nav_error *err, nav_status status, const char *what,
                                uint32_t limit);
// Steps over one byte that must be this one.
static inline nav_status proto_wire_expect(proto_wire *w, char got, char wanted, uint8_t next,
                                           nav_error *err)
{
    if (got != wanted) {
        return proto_wire_bad(err, wanted == '\n' ? "a carriage return without a line feed after it"
                                                  : "a chunk is longer than its size says");
    }
    w->step = next;
    w->word_bytes = 0;
    return NAV_OK;
}

// Header lines and trailers share their limits.
static inline nav_status proto_wire_count_header(proto_wire *w, size_t bytes, nav_error *err)
{
    w->headers_bytes += (uint32_t)bytes;
    if (w->headers_bytes > w->limits->headers_bytes_max) {
        return proto_wire_too_large(err, PROTO_HEADERS_TOO_LARGE, "the headers have bytes,",
                                    w->limits->headers_bytes_max);
    }
    const uint32_t items = w->header_count + w->arg_count + w->cookie_count;
    uint32_t read = w->target_bytes + w->headers_bytes + PROTO_WIRE_MORE_BYTES;
    read = read > w->limits->ahead_bytes ? read : w->limits->ahead_bytes;
    return read + w->cookie_bytes + items * PROTO_WIRE_ITEM_BYTES <= w->limits->kept_bytes_max
               ? NAV_OK
               : proto_wire_too_large(err, PROTO_HEADERS_TOO_LARGE,
                                      "address, headers and cookies take bytes,",
                                      w->limits->kept_bytes_max);
}

// wire_head.c: takes bytes of a head up to its end, or to the end of all. *used: how many, at least
// one.
nav_status proto_wire_take_head(proto_wire *w, char *bytes, size_t size_bytes, size_t *used,
                                nav_error *err);
