// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// multipart.h: a multipart/form-data body in pieces of any size, to parts. Private to proto/ and
// its tests; proto_body_* is for others.
//
//   --b CRLF  Content-Disposition: form-data; name="config" CRLF  CRLF  {"cell_size":0.2}
//   CRLF --b--

#pragma once

#include "proto/base/status.h"
#include "proto/http/parameters.h"

#define PROTO_BOUNDARY_BYTES_MAX 70u // RFC 2046, section 5.1.1
#define PROTO_PART_HEAD_BYTES_MAX 4096u

// The boundary that a Content-Type of multipart/form-data names, quoted or not. Errors:
// PROTO_BAD_MULTIPART (at = "Content-Type") where there is none, more than one, or one that RFC
// 2046 does not allow. out is zero-terminated.
nav_status proto_multipart_boundary(const char *content_type,
                                    char out[PROTO_BOUNDARY_BYTES_MAX + 1], nav_error *err);

// The headers of a part. Borrowed for the call; at NULL: was not given.
typedef struct proto_part {
    proto_span name; // always given
    proto_span file_name;
    proto_span type; // Content-Type
} proto_part;

// Takes what is read. An error of any of them ends the reading. begin, then take as often as there
// is something, then end, for each part.
typedef struct proto_multipart_sink {
    void *user;
    nav_status (*begin)(void *user, const proto_part *part, nav_error *err);
    nav_status (*take)(void *user, const void *bytes, size_t size_bytes, nav_error *err);
    nav_status (*end)(void *user, nav_error *err);
} proto_multipart_sink;

// One body. Fields are private to multipart.c. Contents are not kept: they go to the sink from the
// very piece that they came in.
typedef struct proto_multipart {
    uint64_t byte;        // position of the next byte
    uint64_t head_byte;   // where the headers of the part began
    uint32_t matched;     // bytes of the delimiter that came last ...
    uint32_t matched_own; // ... and how many of these did not: the line end before was another's
    uint32_t delimiter_bytes, head_bytes, line_bytes;
    uint8_t step;
    char delimiter[4 + PROTO_BOUNDARY_BYTES_MAX]; // CR LF -- and the boundary
    char head[PROTO_PART_HEAD_BYTES_MAX];         // the part's headers, as sent
} proto_multipart;

// The boundary is as proto_multipart_boundary gives it; copied.
void proto_multipart_init(proto_multipart *m, const char *boundary);
// Takes the next bytes. Errors: PROTO_BAD_MULTIPART (at = "byte 17"), PROTO_HEADERS_TOO_LARGE,
// PROTO_MEDIA_TYPE (a part that is encoded in itself), the sink's. After one nothing may be fed.
nav_status proto_multipart_feed(proto_multipart *m, const void *bytes, size_t size_bytes,
                                const proto_multipart_sink *sink, nav_error *err);
// PROTO_BAD_MULTIPART where the closing boundary has not come.
nav_status proto_multipart_end(const proto_multipart *m, nav_error *err);
