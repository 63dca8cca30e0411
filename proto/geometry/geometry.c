// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// geometry.c: bytes of an upload to triangles, whatever the format: hands each piece to the
// format's reader, which fills the buffers (buffers.c), and has the whole checked at the end.

#include "proto/geometry/geometry.h"

#include "proto/base/coordinates.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONFIG_BYTES_MAX (16u << 20)

// ---- the formats ----

// Files of tiles are kept as they are: what is in them is read once they are whole.
static nav_status keep_source(proto_geometry_reader *reader, const uint8_t *bytes,
                              size_t size_bytes, nav_error *err)
{
    const nav_status status = proto_geometry_append(
        &reader->source, &reader->source_capacity, reader->source_bytes, bytes, size_bytes, 1, err);
    reader->source_bytes += status == NAV_OK ? size_bytes : 0;
    return status;
}

static const struct format_reader {
    void (*begin)(proto_geometry_reader *reader); // NULL: there is nothing to do; likewise below
    nav_status (*feed)(proto_geometry_reader *reader, const uint8_t *bytes, size_t size_bytes,
                       nav_error *err);
    nav_status (*end)(proto_geometry_reader *reader, nav_error *err);
    void (*free)(proto_geometry_reader *reader);
} READERS[] = {
    [PROTO_FORMAT_OBJ] = {.begin = proto_obj_begin, .feed = proto_obj_feed, .end = proto_obj_end},
    [PROTO_FORMAT_JSON] = {.begin = proto_geojson_begin,
                           .feed = proto_geojson_feed,
                           .end = proto_geojson_end},
    [PROTO_FORMAT_PACKED] = {.feed = proto_packed_feed,
                             .end = proto_packed_end,
                             .free = proto_packed_free},
    [PROTO_FORMAT_STL] = {.feed = proto_stl_feed, .end = proto_stl_end, .free = proto_stl_free},
    [PROTO_FORMAT_PLY] = {.feed = proto_ply_feed, .end = proto_ply_end},
    [PROTO_FORMAT_GLB] = {.feed = proto_gltf_feed, .end = proto_gltf_end, .free = proto_gltf_free},
    [PROTO_FORMAT_MSET] = {.feed = keep_source},
    [PROTO_FORMAT_MMTILE] = {.feed = keep_source},
    [PROTO_FORMAT_UNKNOWN] = {0},
    [PROTO_FORMAT_PARTS] = {0}, // each was read by a reader of its own
};

static nav_status feed(proto_geometry_reader *reader, const uint8_t *bytes, size_t size_bytes,
                       nav_error *err)
{
    NAV_ASSERT(READERS[reader->format].feed != NULL);
    return READERS[reader->format].feed(reader, bytes, size_bytes, err);
}

// ---- a reader ----

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
        free(reader->faces);
        free(reader->source);
        proto_materials_free(&reader->materials);
        if (READERS[reader->format].free != NULL) {
            READERS[reader->format].free(reader);
        }
        free(reader);
    }
}

uint64_t proto_geometry_memory(const proto_geometry_reader *reader)
{
    if (reader == NULL) {
        return 0;
    }
    const proto_materials *m = &reader->materials;
    const bool welds = reader->format == PROTO_FORMAT_STL;
    return 12 * ((uint64_t)reader->vertex_count + reader->triangle_count +
                 reader->shape_point_count) +
           sizeof *reader->shapes * (uint64_t)reader->shape_count +
           sizeof *reader->faces * (uint64_t)reader->face_count +
           sizeof *m->names * (uint64_t)m->name_count + 2 * (uint64_t)m->count +
           reader->area_count + 4 * (uint64_t)(welds ? reader->state.stl.weld.table_size : 0);
}

// Hands the first bytes on once they have shown the format. Until then they are kept.
static nav_status judge(proto_geometry_reader *reader, bool ended, nav_error *err)
{
    proto_format format;
    nav_status status =
        proto_format_judge(reader->declared, reader->head, reader->head_bytes, ended, &format, err);
    if (status != NAV_OK || format == PROTO_FORMAT_UNKNOWN) {
        return status;
    }
    NAV_ASSERT(reader->format == PROTO_FORMAT_UNKNOWN);
    reader->format = format;
    if (READERS[format].begin != NULL) {
        READERS[format].begin(reader);
    }
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
        const size_t space = PROTO_HEAD_BYTES - reader->head_bytes;
        const size_t taken = size_bytes < space ? size_bytes : space;
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
    return proto_geometry_end_until(reader, reader->limits.hooks, out, err);
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
    if (status == NAV_OK && READERS[reader->format].end != NULL) {
        status = READERS[reader->format].end(reader, err);
    }
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
    const nav_warning *warnings = reader->limits.warnings;
    if (geometry.triangle_count == 0 && warnings != NULL &&
        warnings[PROTO_READ_SKIN_SKIPPED].count > 0) {
        return nav_fail(err, NAV_MESH_EMPTY,
                        "the geometry has no faces but those of skinned meshes, which have no "
                        "fixed place; export it without skins");
    }
    status = nav_geometry_check_within(&geometry, (float)reader->limits.coordinate_max, hooks, err);
    NAV_IF_OK(status, proto_faces_cut(reader, err));
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
    nav_fail_at(err, NAV_VERTEX_OUT_OF_RANGE, nav_at("vertices[%u].%c", vertex, "xyz"[axis]).text,
                "vertex %u: %c is %.9g, further out than %.10g%s; move the level, or set its scale",
                vertex, "xyz"[axis], (double)position[axis], limit, unit);
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
