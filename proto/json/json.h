// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// json.h: JSON as it is written, and the bounds of JSON that is read. A writer belongs to one
// thread; all else is safe from any.

#pragma once

#include "proto/base/status.h"

// ---------------------------------------------------------------------------------------------------
// Writing JSON straight into a growing buffer. Errors stick: after a failed allocation every call
// is a no-op and `failed` is true; check once, at the end.

typedef struct proto_writer {
    char *bytes; // malloc'ed; owned by the writer until proto_writer_take
    size_t size_bytes, capacity_bytes;
    size_t limit_bytes; // more than this is a failure, too; 0: no limit
    bool failed;
    bool at_limit; // it failed there, not for want of memory
    bool need_comma;
    uint32_t depth;              // lists and objects that are begun and not ended
    nav_coordinates coordinates; // of the level that is written for; those of the mesh at first
} proto_writer;

// Begins empty; nothing is allocated yet. free gives the buffer back and is harmless on a zeroed
// writer.
void proto_writer_init(proto_writer *w);
void proto_writer_free(proto_writer *w);
// Hands over the bytes (zero-terminated, free with free()), and begins anew; NULL if the writer has
// failed. size_bytes: NULL, or room for their number.
char *proto_writer_take(proto_writer *w, size_t *size_bytes);

// Values one after the other; commas are the writer's business. Every begin needs its end, and in
// an object every value its key before it, which is escaped as strings are.
void proto_write_object_begin(proto_writer *w);
void proto_write_object_end(proto_writer *w);
void proto_write_array_begin(proto_writer *w);
void proto_write_array_end(proto_writer *w);
void proto_write_key(proto_writer *w, const char *key);
void proto_write_string(proto_writer *w, const char *text); // NULL writes null; escapes as needed
void proto_write_bool(proto_writer *w, bool value);
void proto_write_null(proto_writer *w);
void proto_write_int(proto_writer *w, int64_t value);
// A number that is not there, of which every function here makes null.
#define PROTO_NO_NUMBER ((double)__builtin_nanf(""))
// decimals 0 to 6, rounded to the nearest, trailing zeros dropped; not finite writes null.
void proto_write_fixed(proto_writer *w, double value, int decimals);
// Whatever belongs to a place in the level is given in the mesh's metres and written in the unit
// of the writer's coordinates, with thousandths of it or, where that is coarser, of a metre. Each
// kind of value has one function. A length, a distance, a speed:
void proto_write_length(proto_writer *w, double metres);
// A cost, or a bound on one: rounded down, so that a bound is one as it is printed.
void proto_write_cost(proto_writer *w, double metres);
// An area, in the square of the unit.
void proto_write_square(proto_writer *w, double square_metres);
// The height of a place: its value on the level's upward axis.
void proto_write_height(proto_writer *w, float metres);
// The relative error of a sum of doubles that a cost may carry: a cost that misses a whole
// thousandth by no more than that counts as one.
#define PROTO_COST_NOISE 1e-12
// The shortest decimal that reads back as the same float.
void proto_write_float(proto_writer *w, float value);
// The same in a level's unit: the shortest decimal that, times scale, is the same float.
void proto_write_float_scaled(proto_writer *w, float value, double scale);
// [x,y,z] of a direction of the mesh, which has no unit; 6 decimals.
void proto_write_direction(proto_writer *w, const float direction[3]);
// [x,y,z] of a mesh's point, with the decimals of a length.
void proto_write_point(proto_writer *w, const float point[3]);
// Whether two points are the same once they are printed.
bool proto_is_printed_as(const proto_writer *w, const float a[3], const float b[3]);
// {"min":[x,y,z],"max":[x,y,z]} of a box in the mesh, likewise.
void proto_write_bounds(proto_writer *w, const float min[3], const float max[3]);
// A member of an object in one call: its key, and its value as the function of that name writes it.
// A list or object is begun, and needs its end.
void proto_member_string(proto_writer *w, const char *key, const char *text);
void proto_member_bool(proto_writer *w, const char *key, bool value);
void proto_member_int(proto_writer *w, const char *key, int64_t value);
void proto_member_index(proto_writer *w, const char *key, uint32_t index); // NAV_NONE writes null
void proto_member_length(proto_writer *w, const char *key, double metres);
void proto_member_fixed(proto_writer *w, const char *key, double value, int decimals);
void proto_member_point(proto_writer *w, const char *key, const float point[3]);
void proto_member_object(proto_writer *w, const char *key);
void proto_member_array(proto_writer *w, const char *key);
// Text that is JSON already; empty or NULL writes null.
void proto_write_raw(proto_writer *w, const char *json);
// Bytes as they are, between values of the caller's own.
void proto_writer_put(proto_writer *w, const void *bytes, size_t size_bytes);
// Bytes that are not JSON (SVG).
void proto_write_text(proto_writer *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// ---------------------------------------------------------------------------------------------------
// Reading: the bounds of JSON in a request, and the scan that proves them

#define PROTO_JSON_DEPTH_MAX 32
#define PROTO_JSON_VALUES_MAX 100000
#define PROTO_CONFIG_SENT_VALUES_MAX 1000000 // of the settings of an upload

// Checks a whole text in one linear pass, without allocation. NAV_OK: it is valid RFC 8259 JSON in
// UTF-8 with nothing behind it, nested at most depth_max deep (at most 1024), with at most
// values_max values, a list or object being one beside its elements. Names that appear twice are
// left to the readers of objects. Errors: PROTO_BAD_JSON (detail and at name the byte offset),
// PROTO_JSON_TOO_DEEP, PROTO_JSON_TOO_MANY_VALUES.
nav_status proto_json_scan(const char *bytes, size_t size_bytes, uint32_t depth_max,
                           uint32_t values_max, nav_error *err);

// A decoded query-string argument. Strings are borrowed.
typedef struct proto_arg {
    const char *key, *value; // value "" where there is none
} proto_arg;

// The version of the cJSON that this was built with.
const char *proto_library_version(void);
