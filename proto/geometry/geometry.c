// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// geometry.c: bytes of an upload to triangles, whatever the format. Holds the growing buffers,
// hands each piece to the format's reader and has the whole checked at the end.

#include "proto/geometry/geometry.h"

#include "proto/base/bytes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONFIG_BYTES_MAX (16u << 20)
#define CAPACITY_MIN 1024u

proto_geometry_limits proto_geometry_limits_default(void)
{
    return (proto_geometry_limits){.vertices_max = NAV_VERTICES_MAX,
                                   .triangles_max = NAV_TRIANGLES_MAX,
                                   .placed_bytes_max = UINT64_MAX,
                                   .config_bytes_max = CONFIG_BYTES_MAX,
                                   .config_depth_max = PROTO_JSON_DEPTH_MAX,
                                   .config_values_max = PROTO_CONFIG_SENT_VALUES_MAX};
}

nav_status proto_geometry_begin(proto_format format, const proto_geometry_limits *limits,
                                proto_geometry_reader **out, nav_error *err)
{
    proto_geometry_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for a geometry reader");
    }
    reader->format = PROTO_FORMAT_UNKNOWN;
    reader->declared = format;
    reader->limits = limits != NULL ? *limits : proto_geometry_limits_default();
    if (reader->limits.coordinate_max == 0.0) {
        reader->limits.coordinate_max = (double)NAV_COORDINATE_MAX;
    }
    *out = reader;
    return NAV_OK;
}

void proto_geometry_destroy(proto_geometry_reader *reader)
{
    if (reader != NULL) {
        free(reader->vertices);
        free(reader->triangles);
        free(reader->areas);
        free(reader->config);
        free(reader->shapes);
        free(reader->shape_points);
        free(reader->source);
        proto_materials_free(&reader->materials);
        if (reader->format == PROTO_FORMAT_PACKED) {
            free(reader->state.packed.names);
        } else if (reader->format == PROTO_FORMAT_STL) {
            proto_weld_free(&reader->state.stl.weld);
        } else if (reader->format == PROTO_FORMAT_GLB) {
            proto_gltf_free(reader);
        }
        free(reader);
    }
}

static void begin(proto_geometry_reader *reader, proto_format format)
{
    NAV_ASSERT(reader->format == PROTO_FORMAT_UNKNOWN && format != PROTO_FORMAT_UNKNOWN);
    reader->format = format;
    if (format == PROTO_FORMAT_OBJ) {
        proto_obj_begin(reader);
    } else if (format == PROTO_FORMAT_JSON) {
        proto_geojson_begin(reader);
    }
}

// Files of tiles are kept as they are: what is in them is read once they are whole.
static nav_status keep_source(proto_geometry_reader *reader, const void *bytes, size_t size_bytes,
                              nav_error *err)
{
    void *block = reader->source;
    nav_status status = proto_geometry_reserve(&block, &reader->source_capacity,
                                               reader->source_bytes, size_bytes, 1, err);
    reader->source = block;
    if (status == NAV_OK) {
        memcpy(reader->source + reader->source_bytes, bytes, size_bytes);
        reader->source_bytes += size_bytes;
    }
    return status;
}

static nav_status feed(proto_geometry_reader *reader, const void *bytes, size_t size_bytes,
                       nav_error *err)
{
    switch (reader->format) {
    case PROTO_FORMAT_OBJ:
        return proto_obj_feed(reader, bytes, size_bytes, err);
    case PROTO_FORMAT_JSON:
        return proto_geojson_feed(reader, bytes, size_bytes, err);
    case PROTO_FORMAT_PACKED:
        return proto_packed_feed(reader, bytes, size_bytes, err);
    case PROTO_FORMAT_STL:
        return proto_stl_feed(reader, bytes, size_bytes, err);
    case PROTO_FORMAT_PLY:
        return proto_ply_feed(reader, bytes, size_bytes, err);
    case PROTO_FORMAT_GLB:
        return proto_gltf_feed(reader, bytes, size_bytes, err);
    case PROTO_FORMAT_MSET:
    case PROTO_FORMAT_MMTILE:
        return keep_source(reader, bytes, size_bytes, err);
    case PROTO_FORMAT_UNKNOWN:
    case PROTO_FORMAT_PARTS:
        break;
    }
    return nav_fail(err, PROTO_INTERNAL, "unknown geometry format");
}

static nav_status end(proto_geometry_reader *reader, nav_error *err)
{
    switch (reader->format) {
    case PROTO_FORMAT_OBJ:
        return proto_obj_end(reader, err);
    case PROTO_FORMAT_JSON:
        return proto_geojson_end(reader, err);
    case PROTO_FORMAT_PACKED:
        return proto_packed_end(reader, err);
    case PROTO_FORMAT_STL:
        return proto_stl_end(reader, err);
    case PROTO_FORMAT_PLY:
        return proto_ply_end(reader, err);
    case PROTO_FORMAT_GLB:
        return proto_gltf_end(reader, err);
    case PROTO_FORMAT_MSET:
    case PROTO_FORMAT_MMTILE:
    case PROTO_FORMAT_PARTS: // each was ended
        return NAV_OK;
    case PROTO_FORMAT_UNKNOWN:
        break;
    }
    return nav_fail(err, PROTO_INTERNAL, "unknown geometry format");
}

// Hands the first bytes on once they have told the format. Until then they are kept.
static nav_status judge(proto_geometry_reader *reader, bool ended, nav_error *err)
{
    proto_format format;
    nav_status status =
        proto_format_judge(reader->declared, reader->head, reader->head_bytes, ended, &format, err);
    if (status != NAV_OK || format == PROTO_FORMAT_UNKNOWN) {
        return status;
    }
    begin(reader, format);
    return reader->head_bytes > 0 ? feed(reader, reader->head, reader->head_bytes, err) : NAV_OK;
}

nav_status proto_geometry_feed(proto_geometry_reader *reader, const void *bytes, size_t size_bytes,
                               nav_error *err)
{
    NAV_ASSERT(!reader->closed);
    if (size_bytes == 0) {
        return NAV_OK;
    }
    const uint8_t *at = bytes;
    nav_status status = NAV_OK;
    if (reader->format == PROTO_FORMAT_UNKNOWN) {
        const size_t room = PROTO_HEAD_BYTES - reader->head_bytes;
        const size_t taken = size_bytes < room ? size_bytes : room;
        memcpy(reader->head + reader->head_bytes, at, taken);
        reader->head_bytes += (uint32_t)taken;
        at += taken;
        size_bytes -= taken;
        status = judge(reader, false, err);
    }
    if (status == NAV_OK && size_bytes > 0) {
        status = feed(reader, at, size_bytes, err);
    }
    reader->closed = status != NAV_OK;
    return status;
}

nav_status proto_geometry_end(proto_geometry_reader *reader, nav_geometry *out, nav_error *err)
{
    return proto_geometry_end_until(reader, NULL, out, err);
}

nav_status proto_geometry_end_until(proto_geometry_reader *reader, const nav_bake_hooks *hooks,
                                    nav_geometry *out, nav_error *err)
{
    NAV_ASSERT(!reader->closed);
    reader->closed = true;
    nav_status status = NAV_OK;
    if (reader->format == PROTO_FORMAT_UNKNOWN) {
        status = judge(reader, true, err);
    }
    NAV_IF_OK(status, end(reader, err));
    if (status != NAV_OK) {
        return status;
    }
    if (reader->source != NULL) {
        *out = (nav_geometry){0};
        return NAV_OK;
    }
    nav_geometry geometry = {.vertices = reader->vertices,
                             .triangles = reader->triangles,
                             .triangle_areas = reader->areas,
                             .vertex_count = reader->vertex_count,
                             .triangle_count = reader->triangle_count};
    status = nav_geometry_check_within(&geometry, (float)reader->limits.coordinate_max, hooks, err);
    NAV_IF_OK(status, proto_materials_end(&reader->materials, &geometry, err));
    if (status == NAV_OK) {
        *out = geometry;
    }
    return status;
}

// A vertex that the mesh has no room for, in the level's unit.
static nav_status vertex_out_of_range(uint32_t vertex, const float position[3],
                                      nav_coordinates coordinates, nav_error *err)
{
    const double limit = proto_level_coordinate_max(coordinates);
    int axis = 0;
    while (axis < 2 && fabs((double)position[axis]) <= limit) {
        axis++;
    }
    char unit[48] = "";
    if (coordinates.scale != 1.0) {
        (void)snprintf(unit, sizeof unit, " units of %g metres", coordinates.scale);
    }
    nav_fail(err, NAV_VERTEX_OUT_OF_RANGE,
             "vertex %u: %c is %.9g, further out than %.10g%s; move the level, or set its scale",
             vertex, "xyz"[axis], (double)position[axis], limit, unit);
    nav_error_at(err, "vertices[%u].%c", vertex, "xyz"[axis]);
    nav_error_got(err, "%.9g", (double)position[axis]);
    nav_error_limit(err, "%.10g", limit);
    return NAV_VERTEX_OUT_OF_RANGE;
}

// Triangles whose corners run the other way round in the mesh than they face: those of a level with
// the other hand, or that are to be reversed, but not both.
static void turn_triangles(proto_geometry_reader *reader)
{
    for (size_t i = 0; i < reader->triangle_count; i++) {
        uint32_t *corners = reader->triangles + 3 * i;
        const uint32_t keep = corners[1];
        corners[1] = corners[2];
        corners[2] = keep;
    }
}

nav_status proto_geometry_to_mesh(proto_geometry_reader *reader, nav_coordinates coordinates,
                                  nav_error *err)
{
    NAV_ASSERT(reader->closed && !reader->turned);
    reader->turned = true;
    for (uint32_t i = 0; i < reader->vertex_count; i++) {
        float *vertex = reader->vertices + 3 * (size_t)i;
        const float sent[3] = {vertex[0], vertex[1], vertex[2]};
        proto_to_mesh(coordinates, vertex);
        if (!(fabsf(vertex[0]) <= NAV_COORDINATE_MAX && fabsf(vertex[1]) <= NAV_COORDINATE_MAX &&
              fabsf(vertex[2]) <= NAV_COORDINATE_MAX)) {
            return vertex_out_of_range(i, sent, coordinates, err);
        }
    }
    if (proto_is_mirrored(coordinates) != coordinates.reversed) {
        turn_triangles(reader);
    }
    return NAV_OK;
}

proto_format proto_geometry_format(const proto_geometry_reader *reader)
{
    return reader->format;
}

const void *proto_geometry_source(const proto_geometry_reader *reader, size_t *size_bytes)
{
    *size_bytes = reader->source_bytes;
    return reader->source;
}

const char *proto_geometry_config(const proto_geometry_reader *reader)
{
    return reader->config;
}

const proto_geometry_shape *proto_geometry_shapes(const proto_geometry_reader *reader,
                                                  uint32_t *count)
{
    *count = reader->shape_count;
    return reader->shapes;
}

// ---- what the formats share ----

nav_status proto_geometry_reserve(void **block, size_t *capacity, size_t count, size_t more,
                                  size_t element_bytes, nav_error *err)
{
    NAV_ASSERT(count <= *capacity && more > 0);
    if (*capacity - count >= more) {
        return NAV_OK;
    }
    size_t wanted = *capacity < CAPACITY_MIN ? CAPACITY_MIN : *capacity;
    size_t size_bytes;
    // Twice the room, or what is needed if that is more.
    wanted = __builtin_mul_overflow(wanted, (size_t)2, &wanted) ? SIZE_MAX : wanted;
    wanted = wanted - count < more ? count + more : wanted;
    void *grown = NULL;
    if (!__builtin_mul_overflow(wanted, element_bytes, &size_bytes)) {
        grown = realloc(*block, size_bytes);
    }
    if (grown == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for %zu more elements of the geometry",
                        wanted - count);
    }
    *block = grown;
    *capacity = wanted;
    return NAV_OK;
}

nav_status proto_geometry_config_too_large(const proto_geometry_limits *limits, nav_error *err)
{
    nav_fail(err, PROTO_BODY_TOO_LARGE, "config has more than %u bytes", limits->config_bytes_max);
    nav_error_at(err, "config");
    nav_error_limit(err, "%u", limits->config_bytes_max);
    return PROTO_BODY_TOO_LARGE;
}

static nav_status too_many(const char *what, uint32_t limit, nav_error *err)
{
    nav_fail(err, NAV_GEOMETRY_TOO_LARGE, "the geometry has more than %u %s", limit, what);
    nav_error_at(err, "%s", what);
    nav_error_limit(err, "%u", limit);
    return NAV_GEOMETRY_TOO_LARGE;
}

nav_status proto_geometry_add_vertex(proto_geometry_reader *reader, const float position[3],
                                     nav_error *err)
{
    if (reader->vertex_count >= reader->limits.vertices_max) {
        return too_many("vertices", reader->limits.vertices_max, err);
    }
    void *block = reader->vertices;
    nav_status status = proto_geometry_reserve(&block, &reader->vertices_capacity,
                                               reader->vertex_count, 1, 3 * sizeof(float), err);
    reader->vertices = block;
    if (status == NAV_OK) {
        memcpy(reader->vertices + (size_t)3 * reader->vertex_count, position, 3 * sizeof(float));
        reader->vertex_count++;
    }
    return status;
}

nav_status proto_geometry_add_triangle(proto_geometry_reader *reader, const uint32_t corners[3],
                                       nav_error *err)
{
    if (reader->triangle_count >= reader->limits.triangles_max) {
        return too_many("triangles", reader->limits.triangles_max, err);
    }
    void *block = reader->triangles;
    nav_status status = proto_geometry_reserve(
        &block, &reader->triangles_capacity, reader->triangle_count, 1, 3 * sizeof(uint32_t), err);
    reader->triangles = block;
    if (status == NAV_OK) {
        memcpy(reader->triangles + (size_t)3 * reader->triangle_count, corners,
               3 * sizeof(uint32_t));
        reader->triangle_count++;
    }
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
