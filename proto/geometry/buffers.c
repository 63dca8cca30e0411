// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// buffers.c: what the formats share: growing buffers of vertices and triangles, coordinates and
// promises held against the limits, and records that a piece has cut.

#include "proto/geometry/geometry.h"

#include "proto/base/bytes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY_MIN 1024u

// Room for `more` items.
static nav_status reserve(void *list, size_t *capacity, size_t count, size_t more,
                          size_t item_bytes, nav_error *err)
{
    NAV_ASSERT(count <= *capacity);
    if (*capacity - count >= more) {
        return NAV_OK;
    }
    size_t wanted = *capacity < CAPACITY_MIN ? CAPACITY_MIN : *capacity;
    size_t size_bytes;
    // Twice the room, or what is needed if that is more.
    wanted = __builtin_mul_overflow(wanted, (size_t)2, &wanted) ? SIZE_MAX : wanted;
    wanted = wanted - count < more ? count + more : wanted;
    void *block, *grown = NULL;
    memcpy(&block, list, sizeof block);
    if (!__builtin_mul_overflow(wanted, item_bytes, &size_bytes)) {
        grown = realloc(block, size_bytes);
    }
    if (grown == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for %zu more elements of the geometry",
                        wanted - count);
    }
    memcpy(list, &grown, sizeof grown);
    *capacity = wanted;
    return NAV_OK;
}

nav_status proto_geometry_append(void *list, size_t *capacity, size_t count, const void *items,
                                 size_t more, size_t item_bytes, nav_error *err)
{
    nav_status status = reserve(list, capacity, count, more, item_bytes, err);
    if (status == NAV_OK && items != NULL && more > 0) {
        uint8_t *block;
        memcpy(&block, list, sizeof block);
        memcpy(block + count * item_bytes, items, more * item_bytes);
    }
    return status;
}

nav_status proto_geometry_config_too_large(const proto_geometry_limits *limits, nav_error *err)
{
    nav_fail_at(err, PROTO_BODY_TOO_LARGE, "config", "config has more than %u bytes",
                limits->config_bytes_max);
    nav_error_limit(err, "%u", limits->config_bytes_max);
    return PROTO_BODY_TOO_LARGE;
}

void proto_geometry_warn(const proto_geometry_limits *limits, proto_read_warning code,
                         const char *name)
{
    if (limits->warnings == NULL) {
        return;
    }
    nav_warning *warning = &limits->warnings[code];
    nav_name whole;
    const bool has_part = limits->part != NULL && code != PROTO_READ_NAME_SHORTENED;
    (void)snprintf(whole, sizeof whole, "%s%s%s", has_part ? limits->part : "",
                   has_part ? ", " : "", name);
    for (uint32_t i = 0; i < warning->item_count; i++) {
        if (strcmp(warning->items[i].name, whole) == 0) {
            return;
        }
    }
    nav_warning_add(warning, (const float[3]){0}, 0, whole);
}

void proto_geometry_keep_name(const proto_geometry_limits *limits, const char *text,
                              size_t size_bytes, nav_name out)
{
    if (proto_text_keep_name(text, size_bytes, out)) {
        proto_geometry_warn(limits, PROTO_READ_NAME_SHORTENED, out);
    }
}

nav_status proto_geometry_poll(const proto_geometry_limits *limits, nav_error *err)
{
    const nav_bake_hooks *hooks = limits->hooks;
    return hooks != NULL && hooks->cancelled != NULL && hooks->cancelled(hooks->user)
               ? nav_fail(err, NAV_CANCELLED, "cancelled")
               : NAV_OK;
}

static nav_status too_many(const char *what, uint32_t limit, nav_error *err)
{
    nav_fail_at(err, NAV_GEOMETRY_TOO_LARGE, what, "the geometry has more than %u %s", limit, what);
    nav_error_limit(err, "%u", limit);
    return NAV_GEOMETRY_TOO_LARGE;
}

nav_status proto_geometry_add_vertex(proto_geometry_reader *reader, const float position[3],
                                     nav_error *err)
{
    if (reader->vertex_count >= reader->limits.vertices_max) {
        return too_many("vertices", reader->limits.vertices_max, err);
    }
    const nav_status status =
        proto_geometry_append(&reader->vertices, &reader->vertices_capacity, reader->vertex_count,
                              position, 1, 3 * sizeof(float), err);
    reader->vertex_count += status == NAV_OK;
    return status;
}

nav_status proto_geometry_add_triangle(proto_geometry_reader *reader, const uint32_t corners[3],
                                       nav_error *err)
{
    if (reader->triangle_count >= reader->limits.triangles_max) {
        return too_many("triangles", reader->limits.triangles_max, err);
    }
    const nav_status status =
        proto_geometry_append(&reader->triangles, &reader->triangles_capacity,
                              reader->triangle_count, corners, 1, 3 * sizeof(uint32_t), err);
    reader->triangle_count += status == NAV_OK;
    return status;
}

nav_status proto_geometry_check_coordinate(const proto_geometry_reader *reader, uint32_t axis,
                                           double value, const char *got, nav_error *err)
{
    NAV_DCHECK(axis < 3);
    const double limit = reader->limits.coordinate_max;
    if (fabs(value) <= limit) {
        return NAV_OK;
    }
    nav_status status = isfinite(value) ? NAV_VERTEX_OUT_OF_RANGE : NAV_VERTEX_NOT_FINITE;
    char name = "xyz"[axis];
    if (status == NAV_VERTEX_OUT_OF_RANGE) {
        nav_fail(err, status, "vertex %u: %c is %.40s, further out than %.0f", reader->vertex_count,
                 name, got, limit);
        nav_error_limit(err, "%.0f", limit);
    } else {
        nav_fail(err, status, "vertex %u: %c is %.40s, not a finite number", reader->vertex_count,
                 name, got);
    }
    nav_error_at(err, "vertices[%u].%c", reader->vertex_count, name);
    nav_error_got(err, "%s", got);
    return status;
}

nav_status proto_geometry_read_coordinate(const proto_geometry_reader *reader, uint32_t axis,
                                          const proto_words *w, double *out, nav_error *err)
{
    const char *got = w->word.text;
    if (!proto_text_decimal(w->word.text, w->word.size_bytes, out)) {
        got = proto_text_not_finite(w->word.text);
        if (got == NULL) {
            return proto_words_refuse(w, err, "a coordinate is not a number");
        }
        *out = (double)NAN;
    }
    return proto_geometry_check_coordinate(reader, axis, *out, got, err);
}

nav_status proto_geometry_check_number(const proto_geometry_reader *reader, uint32_t axis,
                                       double value, nav_error *err)
{
    // Text is made for the rare coordinate only that will be refused.
    if (fabs(value) <= reader->limits.coordinate_max) {
        return NAV_OK;
    }
    char text[PROTO_NUMBER_BYTES_MAX];
    (void)snprintf(text, sizeof text, "%.9g", value);
    const char *word = proto_text_not_finite(text);
    return proto_geometry_check_coordinate(reader, axis, value, word != NULL ? word : text, err);
}

nav_status proto_geometry_get_position(const proto_geometry_reader *reader, const uint8_t *bytes,
                                       float out[3], nav_error *err)
{
    nav_status status = NAV_OK;
    for (uint32_t axis = 0; status == NAV_OK && axis < 3; axis++) {
        out[axis] = proto_get_float(bytes + (size_t)4 * axis);
        status = proto_geometry_check_number(reader, axis, (double)out[axis], err);
    }
    return status;
}

nav_status proto_geometry_check_promise(const char *what, uint32_t promised, uint32_t limit,
                                        nav_error *err)
{
    if (promised <= limit) {
        return NAV_OK;
    }
    nav_status status = too_many(what, limit, err);
    nav_error_got(err, "%u", promised);
    return status;
}

const uint8_t *proto_record_take(proto_record *r, uint32_t need, const uint8_t **bytes,
                                 size_t *size_bytes)
{
    NAV_ASSERT(need <= sizeof r->bytes && r->count < need);
    const uint8_t *record = *bytes;
    size_t taken = need;
    if (r->count > 0 || *size_bytes < need) {
        taken = need - r->count;
        taken = taken < *size_bytes ? taken : *size_bytes;
        memcpy(r->bytes + r->count, *bytes, taken);
        r->count += (uint32_t)taken;
        record = r->count == need ? r->bytes : NULL;
    }
    *bytes += taken;
    *size_bytes -= taken;
    r->count = record != NULL ? 0 : r->count;
    return record;
}
