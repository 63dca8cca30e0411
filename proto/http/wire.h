// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// wire.h: checks whether a byte stream is a sequence of HTTP/1.1 requests that can be read in one
// way only. It stands in front of the HTTP library and stores none of the bytes. It changes one
// thing: PROTO_WIRE_EXPECTS.

#pragma once

#include "proto/base/status.h"

typedef struct proto_wire_limits {
    uint32_t target_bytes_max;  // of the request line's address; beyond: PROTO_URI_TOO_LONG
    uint32_t headers_bytes_max; // of all header lines; beyond: PROTO_HEADERS_TOO_LARGE
    uint32_t headers_max;       // header lines; beyond: PROTO_HEADERS_TOO_LARGE
    uint32_t args_max;          // arguments of the query string; beyond: PROTO_BAD_REQUEST
    uint32_t kept_bytes_max;    // what the library keeps of a head; beyond: PROTO_HEADERS_TOO_LARGE
    uint32_t ahead_bytes;       // that it reads at once, whatever is behind the head
} proto_wire_limits;

// The library has one block of memory for a connection. If that is not enough, it sends a reply of
// its own, or none. It keeps a head as it came, with what it has read behind it (in steps
// that grow by less than MORE); this much for each header, argument, cookie and trailer; and all
// cookies a second time.
#define PROTO_WIRE_MORE_BYTES 2048u
#define PROTO_WIRE_ITEM_BYTES 68u
#define PROTO_WIRE_TRAILERS_MAX 8u

// The library answers "Expect: 100-continue" by itself, before it is known whether the body is
// wanted. It does so even if no body follows, and then takes the next request for that body. So
// this value overwrites the one that was sent, and the daemon sends 100.
#define PROTO_WIRE_EXPECTS "100_continue"

typedef enum proto_wire_phase {
    PROTO_WIRE_BETWEEN, // no byte of a next request yet
    PROTO_WIRE_HEAD,
    PROTO_WIRE_BODY,
} proto_wire_phase;

#define PROTO_WIRE_NAME_BYTES 24 // eights in which "transfer-encoding" has room

// One connection. Fields are private to wire*.c.
typedef struct proto_wire {
    const proto_wire_limits *limits; // borrowed
    uint64_t heads;                  // complete heads so far
    uint64_t left_bytes;             // of the body or chunk
    uint64_t length_bytes;           // Content-Length
    uint32_t line_bytes, headers_bytes, header_count, arg_count, word_bytes;
    uint32_t target_bytes, cookie_bytes, cookie_count, trailer_count;
    uint8_t step;
    uint8_t name_bytes; // of name; more than fits is not a name that matters
    uint16_t known;     // which header's value is being read
    uint16_t seen;      // bits: which of them there were
    uint8_t cookie;     // where in the text of a cookie it is
    bool first_version; // HTTP/1.0
    char name[PROTO_WIRE_NAME_BYTES];
} proto_wire;

// Begins before the first byte of a connection. The limits are borrowed as long as it is fed; there
// is nothing to free.
void proto_wire_init(proto_wire *wire, const proto_wire_limits *limits);

// Takes the next bytes, in pieces of any size. *whole_bytes, also on failure, counts those that
// come before the message at fault and may be handed on; on success it is size_bytes. Bytes of an
// expectation may have changed afterwards (PROTO_WIRE_EXPECTS).
// Errors: PROTO_BAD_FRAMING, PROTO_URI_TOO_LONG, PROTO_HEADERS_TOO_LARGE, PROTO_BAD_REQUEST,
// PROTO_HTTP_VERSION; after one, nothing more may be fed. RFC 9110 and RFC 9112, where they leave a
// choice the stricter one.
nav_status proto_wire_feed(proto_wire *wire, char *bytes, size_t size_bytes, size_t *whole_bytes,
                           nav_error *err);

// The part of a message in which the bytes fed so far end.
proto_wire_phase proto_wire_phase_of(const proto_wire *wire);
