// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// write.h: the writer below JSON's commas, for the other writers of this folder. Private to
// proto/.

#pragma once

#include "proto/base/bytes.h"
#include "proto/json/json.h"

// Appends a number without the comma before it; not finite appends 0.
void proto_writer_put_fixed(proto_writer *w, double value, int decimals);
// A larger buffer, with room for more_bytes and a terminating zero; NULL once the writer has
// failed.
char *proto_writer_grow(proto_writer *w, size_t more_bytes);

// Room for more_bytes and a terminating zero behind what is there; NULL once the writer has failed
// (its capacity is 0 then).
static inline char *proto_writer_reserve(proto_writer *w, size_t more_bytes)
{
    return w->capacity_bytes - w->size_bytes > more_bytes ? w->bytes + w->size_bytes
                                                          : proto_writer_grow(w, more_bytes);
}

// Append to what is no JSON: a number in binary, little-endian, and x, y, z of a mesh's point as
// the level has it. Packed answers are made of these.
static inline void proto_writer_put_u32(proto_writer *w, uint32_t value)
{
    char *end = proto_writer_reserve(w, sizeof value);
    if (end != NULL) {
        proto_put_u32((uint8_t *)end, value);
        w->size_bytes += sizeof value;
    }
}
static inline void proto_writer_put_float(proto_writer *w, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    proto_writer_put_u32(w, bits);
}
void proto_writer_put_point(proto_writer *w, const float point[3]);

// Room for a value of at most value_bytes; the comma before it is there then. NULL: there is none.
static inline char *proto_writer_begin_value(proto_writer *w, size_t value_bytes)
{
    char *end = proto_writer_reserve(w, value_bytes + 1);
    if (end != NULL && w->need_comma) {
        *end++ = ',';
    }
    w->need_comma = true;
    return end;
}

// The value that proto_writer_begin_value has made room for ends here.
static inline void proto_writer_end_value(proto_writer *w, const char *end)
{
    w->size_bytes = (size_t)(end - w->bytes);
}

static inline void proto_writer_put_value(proto_writer *w, const char *bytes, size_t size_bytes)
{
    char *end = proto_writer_begin_value(w, size_bytes);
    if (end != NULL) {
        memcpy(end, bytes, size_bytes);
        proto_writer_end_value(w, end + size_bytes);
    }
}

// A key that is known when this is compiled and needs no escapes, with one copy of known length:
// PROTO_PUT_KEY(w, "length").
#define PROTO_PUT_KEY(w, key) proto_writer_put_key((w), "\"" key "\":", sizeof(key) + 2)
static inline void proto_writer_put_key(proto_writer *w, const char *quoted, size_t size_bytes)
{
    proto_writer_put_value(w, quoted, size_bytes);
    w->need_comma = false;
}
