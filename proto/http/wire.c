// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// wire.c: the framing of requests, byte by byte. Bytes that two readers could take for two
// different messages let requests be smuggled past a proxy, so they are refused here, before the
// HTTP library makes up its mind.
//
//   START -> METHOD -> TARGET -> VERSION -> VERSION_LF -+
//     ^                                                 v
//     |            +-- VALUE_LF <-- VALUE <-- BLANK <-- NAME <--+ one line each, then an empty one
//     |            +--------------------------------------------+
//     |                                                 v
//     +------------------ no body ------------------ END_LF
//     +---- BODY <--- Content-Length ------------------/ |
//     +---- TRAILER.. <--- size 0 --- CHUNK_SIZE.. <-----+ chunked; CHUNK_DATA, CHUNK_CR, CHUNK_LF
//
// RFC 9112 sections 2.2, 3, 5, 6 and 7. Trailers are header lines that mean nothing. The steps of a
// head, up to END_LF, are in wire_head.c; here are bodies, and the order of both.

#include "proto/http/wire.h"

#include "proto/http/wire_steps.h"

#define CHUNK_DIGITS_MAX 15u // hexadecimal, of a chunk's size
#define CHUNK_EXTENSION_BYTES_MAX 256u

void proto_wire_init(proto_wire *wire, const proto_wire_limits *limits)
{
    *wire = (proto_wire){.limits = limits, .step = START};
}

proto_wire_phase proto_wire_phase_of(const proto_wire *wire)
{
    if (wire->step == START) {
        return PROTO_WIRE_BETWEEN;
    }
    return wire->step < BODY ? PROTO_WIRE_HEAD : PROTO_WIRE_BODY;
}

// ---- bodies ----

static void take_data(proto_wire *w, size_t size_bytes, size_t *used, uint8_t next)
{
    *used = w->left_bytes < size_bytes ? (size_t)w->left_bytes : size_bytes;
    w->left_bytes -= *used;
    if (w->left_bytes == 0) {
        w->step = next;
    }
}

static nav_status take_chunk_size(proto_wire *w, char c, nav_error *err)
{
    char lower = (char)(c | 0x20);
    int digit =
        c >= '0' && c <= '9' ? c - '0' : (lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1);
    if (w->step == CHUNK_FIRST) {
        w->left_bytes = 0;
        w->word_bytes = 0;
    } else if (c == ';' || c == '\r') {
        w->step = c == ';' ? CHUNK_EXTENSION : CHUNK_SIZE_LF;
        w->word_bytes = 0;
        return NAV_OK;
    }
    if (digit < 0 || ++w->word_bytes > CHUNK_DIGITS_MAX) {
        return proto_wire_bad(err, "a chunk's size is not one hexadecimal number");
    }
    w->left_bytes = w->left_bytes * 16 + (uint64_t)digit;
    w->step = CHUNK_SIZE;
    return NAV_OK;
}

static nav_status take_trailer(proto_wire *w, char c, nav_error *err)
{
    nav_status status = proto_wire_count_header(w, 1, err);
    if (status != NAV_OK) {
        return status;
    }
    if (w->step == TRAILER_VALUE) {
        if (c == '\r') {
            w->step = TRAILER_LF;
            return ++w->trailer_count <= PROTO_WIRE_TRAILERS_MAX
                       ? NAV_OK
                       : proto_wire_too_large(err, PROTO_HEADERS_TOO_LARGE, "the trailers are",
                                              PROTO_WIRE_TRAILERS_MAX);
        }
        return (PROTO_WIRE_KINDS[(uint8_t)c] & IN_VALUE) != 0
                   ? NAV_OK
                   : proto_wire_bad(err, "a trailer's value holds a control character");
    }
    if (c == '\r' && w->word_bytes == 0) {
        w->step = TRAILER_END_LF;
        return NAV_OK;
    }
    if (c == ':' && w->word_bytes > 0) {
        w->step = TRAILER_VALUE;
        return NAV_OK;
    }
    w->word_bytes++;
    return (PROTO_WIRE_KINDS[(uint8_t)c] & IN_TOKEN) != 0
               ? NAV_OK
               : proto_wire_bad(err, "a trailer cannot be read");
}

static nav_status take_byte(proto_wire *w, char c, nav_error *err)
{
    NAV_DCHECK(w->step >= CHUNK_FIRST);
    switch (w->step) {
    case CHUNK_FIRST:
    case CHUNK_SIZE:
        return take_chunk_size(w, c, err);
    case CHUNK_EXTENSION:
        if (c == '\r') {
            w->step = CHUNK_SIZE_LF;
            return NAV_OK;
        }
        return (PROTO_WIRE_KINDS[(uint8_t)c] & IN_VALUE) != 0 &&
                       ++w->word_bytes <= CHUNK_EXTENSION_BYTES_MAX
                   ? NAV_OK
                   : proto_wire_bad(err, "a chunk's extension cannot be read");
    case CHUNK_SIZE_LF:
        return proto_wire_expect(w, c, '\n', w->left_bytes > 0 ? CHUNK_DATA : TRAILER_NAME, err);
    case CHUNK_CR:
        return proto_wire_expect(w, c, '\r', CHUNK_LF, err);
    case CHUNK_LF:
        return proto_wire_expect(w, c, '\n', CHUNK_FIRST, err);
    case TRAILER_NAME:
    case TRAILER_VALUE:
        return take_trailer(w, c, err);
    case TRAILER_LF:
        return proto_wire_expect(w, c, '\n', TRAILER_NAME, err);
    case TRAILER_END_LF:
        return proto_wire_expect(w, c, '\n', START, err);
    default:
        NAV_ASSERT(false);
        return PROTO_INTERNAL;
    }
}

// As many bytes of a body as one step can take; at least one.
static nav_status take_body(proto_wire *w, const char *bytes, size_t size_bytes, size_t *used,
                            nav_error *err)
{
    *used = 1;
    switch (w->step) {
    case BODY:
        take_data(w, size_bytes, used, START);
        return NAV_OK;
    case CHUNK_DATA:
        take_data(w, size_bytes, used, CHUNK_CR);
        return NAV_OK;
    default:
        return take_byte(w, bytes[0], err);
    }
}

// ---- all steps ----

nav_status proto_wire_feed(proto_wire *wire, char *bytes, size_t size_bytes, size_t *whole_bytes,
                           nav_error *err)
{
    size_t at = 0;
    NAV_ASSERT(wire->step <= TRAILER_END_LF);
    NAV_DCHECK(wire->headers_bytes <= wire->limits->headers_bytes_max);
    NAV_DCHECK(wire->trailer_count <= PROTO_WIRE_TRAILERS_MAX);
    *whole_bytes = 0;
    while (at < size_bytes) {
        size_t used = 0;
        nav_status status =
            wire->step < BODY ? proto_wire_take_head(wire, bytes + at, size_bytes - at, &used, err)
                              : take_body(wire, bytes + at, size_bytes - at, &used, err);
        if (status != NAV_OK) {
            return status;
        }
        NAV_ASSERT(used <= size_bytes - at); // a step that takes nothing has changed the step
        at += used;
        if (wire->step == START && wire->line_bytes == 0) {
            *whole_bytes = at;
        }
    }
    *whole_bytes = size_bytes;
    return NAV_OK;
}
