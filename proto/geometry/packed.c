// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// packed.c: the packed form of geometry, read in pieces of any size and written whole. It
// is an upload format for programs and the form in which geometry is stored and hashed.
//
//   offset  size  what (all little-endian)
//        0     4  "NAVG"
//        4     4  format version, 1
//        8     4  vertex count V
//       12     4  triangle count T
//       16     4  flags: bit 0, areas follow; bit 1, materials follow; others 0
//       20     4  material count M; 0 without flag bit 1
//       24   12V  vertices, 3 float32 each
//        .   12T  triangles, 3 uint32 each
//        .     T  areas, 1 byte each, padded with zeros to a multiple of 4; only with flag bit 0
//        .   48M  names of materials, filled up with at least one zero; only with flag bit 1
//        .    2T  materials, uint16 each, padded with zeros to a multiple of 4; likewise
//
// The header's counts are promises of the sender: nothing is allocated for them, only for bytes
// that have come. Materials are numbered anew by first use, as in every format.

#include "proto/base/bytes.h"
#include "proto/geometry/geometry.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC 0x4756414eu // "NAVG"
#define FORMAT_VERSION 1u
#define FLAG_AREAS 1u
#define FLAG_MATERIALS 2u
#define RECORD_BYTES 12u // of a vertex and of a triangle

static uint32_t padding_after(uint32_t size_bytes)
{
    return (4 - size_bytes % 4) % 4;
}

_Static_assert(sizeof(nav_name) <= PROTO_RECORD_BYTES_MAX, "a name is a record");

// ---- reading: the file is a row of records, whose size depends on the section ----

static uint32_t record_size(proto_packed_section section)
{
    static const uint32_t sizes[] = {
        PROTO_PACKED_HEADER_BYTES, RECORD_BYTES, RECORD_BYTES, 1, 1, sizeof(nav_name), 2, 1};
    return sizes[section];
}

static nav_status refuse_header(nav_error *err, const char *at, uint32_t got, const char *what)
{
    nav_fail_at(err, PROTO_BAD_GEOMETRY, at, "packed geometry: %s", what);
    nav_error_got(err, "%u", got);
    return PROTO_BAD_GEOMETRY;
}

_Static_assert(NAV_GEOMETRY_MATERIALS_MAX <= UINT16_MAX, "a material's number has two bytes");

static nav_status take_header(proto_geometry_reader *reader, const uint8_t *bytes, nav_error *err)
{
    proto_packed_state *packed = &reader->state.packed;
    uint32_t flags = proto_get_u32(bytes + 16);
    if (proto_get_u32(bytes) != MAGIC) {
        return refuse_header(err, "magic", proto_get_u32(bytes), "it does not begin with NAVG");
    }
    if (proto_get_u32(bytes + 4) != FORMAT_VERSION) {
        return refuse_header(err, "format_version", proto_get_u32(bytes + 4),
                             "only version 1 is known");
    }
    uint32_t names = proto_get_u32(bytes + 20);
    bool has_materials = (flags & FLAG_MATERIALS) != 0;
    if ((flags & ~(FLAG_AREAS | FLAG_MATERIALS)) != 0 || (names != 0) != has_materials) {
        return refuse_header(err, "flags", flags, "an unknown flag or reserved field is set");
    }
    uint32_t vertices = proto_get_u32(bytes + 8), triangles = proto_get_u32(bytes + 12);
    nav_status status =
        proto_geometry_check_promise("vertices", vertices, reader->limits.vertices_max, err);
    NAV_IF_OK(status, proto_geometry_check_promise("triangles", triangles,
                                                   reader->limits.triangles_max, err));
    NAV_IF_OK(status,
              proto_geometry_check_promise("materials", names, NAV_GEOMETRY_MATERIALS_MAX, err));
    if (status != NAV_OK) {
        return status;
    }
    uint32_t *left = packed->left;
    left[PROTO_PACKED_VERTICES] = vertices;
    left[PROTO_PACKED_TRIANGLES] = triangles;
    left[PROTO_PACKED_AREAS] = (flags & FLAG_AREAS) != 0 ? triangles : 0;
    left[PROTO_PACKED_AREAS_PADDING] = padding_after(left[PROTO_PACKED_AREAS]);
    left[PROTO_PACKED_NAMES] = names;
    left[PROTO_PACKED_MATERIALS] = has_materials ? triangles : 0;
    left[PROTO_PACKED_MATERIALS_PADDING] = padding_after(2 * left[PROTO_PACKED_MATERIALS]);
    return NAV_OK;
}

static nav_status take_vertex(proto_geometry_reader *reader, const uint8_t *bytes, nav_error *err)
{
    float position[3];
    nav_status status = proto_geometry_get_position(reader, bytes, position, err);
    return status == NAV_OK ? proto_geometry_add_vertex(reader, position, err) : status;
}

static nav_status take_triangle(proto_geometry_reader *reader, const uint8_t *bytes, nav_error *err)
{
    uint32_t corners[3];
    for (uint32_t i = 0; i < 3; i++) {
        corners[i] = proto_get_u32(bytes + (size_t)4 * i);
        if (corners[i] >= reader->vertex_count) {
            return nav_fail_bound(err, NAV_INDEX_OUT_OF_RANGE,
                                  nav_at("triangles[%u]", reader->triangle_count).text, corners[i],
                                  reader->vertex_count,
                                  "triangle %u names vertex %u, but there are %u vertices",
                                  reader->triangle_count, corners[i], reader->vertex_count);
        }
    }
    return proto_geometry_add_triangle(reader, corners, err);
}

static nav_status take_area(proto_geometry_reader *reader, uint8_t area, nav_error *err)
{
    NAV_DCHECK(reader->area_count < reader->triangle_count);
    const nav_status status = proto_geometry_append(&reader->areas, &reader->areas_capacity,
                                                    reader->area_count, &area, 1, sizeof area, err);
    reader->area_count += status == NAV_OK;
    return status;
}

static nav_status take_name(proto_packed_state *packed, const uint8_t *bytes, nav_error *err)
{
    NAV_DCHECK(packed->name_count < NAV_GEOMETRY_MATERIALS_MAX);
    if (bytes[NAV_NAME_MAX] != 0) {
        return refuse_header(err, "materials", packed->name_count, "a name does not end");
    }
    const nav_status status =
        proto_geometry_append(&packed->names, &packed->names_capacity, packed->name_count, bytes, 1,
                              sizeof(nav_name), err);
    packed->name_count += status == NAV_OK;
    return status;
}

static nav_status take_material(proto_geometry_reader *reader, const uint8_t *bytes, nav_error *err)
{
    const proto_packed_state *packed = &reader->state.packed;
    uint32_t number = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8;
    if (number >= packed->name_count) {
        uint32_t triangle = reader->materials.count;
        return nav_fail_bound(err, NAV_INDEX_OUT_OF_RANGE, nav_at("materials[%u]", triangle).text,
                              number, packed->name_count,
                              "triangle %u names material %u, but there are %u", triangle, number,
                              packed->name_count);
    }
    NAV_DCHECK(reader->materials.count < reader->triangle_count);
    return proto_materials_add(&reader->materials, packed->names[number], err);
}

static nav_status take_padding(uint8_t byte, nav_error *err)
{
    return byte == 0 ? NAV_OK : refuse_header(err, "padding", byte, "padding is not zero");
}

static nav_status take_record(proto_geometry_reader *reader, const uint8_t *bytes, nav_error *err)
{
    switch (reader->state.packed.section) {
    case PROTO_PACKED_HEADER:
        return take_header(reader, bytes, err);
    case PROTO_PACKED_VERTICES:
        return take_vertex(reader, bytes, err);
    case PROTO_PACKED_TRIANGLES:
        return take_triangle(reader, bytes, err);
    case PROTO_PACKED_AREAS:
        return take_area(reader, *bytes, err);
    case PROTO_PACKED_NAMES:
        return take_name(&reader->state.packed, bytes, err);
    case PROTO_PACKED_MATERIALS:
        return take_material(reader, bytes, err);
    case PROTO_PACKED_AREAS_PADDING:
    case PROTO_PACKED_MATERIALS_PADDING:
        return take_padding(*bytes, err);
    case PROTO_PACKED_END:
        break;
    }
    return refuse_header(err, "end", *bytes, "more bytes than the header promises");
}

// Counts a record and goes on to the next section of which something is missing.
static void advance(proto_packed_state *packed)
{
    if (packed->section != PROTO_PACKED_HEADER) {
        NAV_ASSERT(packed->section < PROTO_PACKED_END && packed->left[packed->section] > 0);
        packed->left[packed->section]--;
    }
    while (packed->section != PROTO_PACKED_END && packed->left[packed->section] == 0) {
        packed->section++;
    }
}

nav_status proto_packed_feed(proto_geometry_reader *reader, const uint8_t *bytes, size_t size_bytes,
                             nav_error *err)
{
    proto_packed_state *packed = &reader->state.packed;
    for (;;) {
        const uint32_t need =
            packed->section == PROTO_PACKED_END ? 1 : record_size(packed->section);
        const uint8_t *record = proto_record_take(&packed->record, need, &bytes, &size_bytes);
        if (record == NULL) {
            return NAV_OK;
        }
        nav_status status = take_record(reader, record, err);
        if (status != NAV_OK) {
            return status;
        }
        advance(packed);
    }
}

nav_status proto_packed_end(proto_geometry_reader *reader, nav_error *err)
{
    const proto_packed_state *packed = &reader->state.packed;
    if (packed->section == PROTO_PACKED_END) {
        return NAV_OK;
    }
    return nav_fail_at(err, PROTO_BAD_GEOMETRY, "end",
                       "packed geometry: it ends after %u vertices and %u triangles",
                       reader->vertex_count, reader->triangle_count);
}

void proto_packed_free(proto_geometry_reader *reader)
{
    free(reader->state.packed.names);
}

// ---- writing ----

static size_t padded(size_t size_bytes)
{
    return (size_bytes + 3) / 4 * 4;
}

size_t proto_geometry_packed_size(const nav_geometry *geometry)
{
    size_t triangles = geometry->triangle_count;
    size_t areas = geometry->triangle_areas != NULL ? padded(triangles) : 0;
    size_t materials = geometry->triangle_materials != NULL
                           ? geometry->material_count * sizeof(nav_name) + padded(2 * triangles)
                           : 0;
    return PROTO_PACKED_HEADER_BYTES + (size_t)RECORD_BYTES * geometry->vertex_count +
           (size_t)RECORD_BYTES * triangles + areas + materials;
}

static void put_materials(const nav_geometry *geometry, uint8_t *at)
{
    size_t size_bytes = 2 * (size_t)geometry->triangle_count;
    memset(at, 0, geometry->material_count * sizeof(nav_name) + padded(size_bytes));
    for (uint32_t i = 0; i < geometry->material_count; i++) {
        memcpy(at, geometry->material_names[i], strlen(geometry->material_names[i]));
        at += sizeof(nav_name);
    }
    for (size_t i = 0; i < geometry->triangle_count; i++) {
        *at++ = (uint8_t)geometry->triangle_materials[i];
        *at++ = (uint8_t)(geometry->triangle_materials[i] >> 8);
    }
}

void proto_geometry_pack(const nav_geometry *geometry, void *out)
{
    bool has_areas = geometry->triangle_areas != NULL;
    bool has_materials = geometry->triangle_materials != NULL;
    uint8_t *at = out;
    at = proto_put_u32(at, MAGIC);
    at = proto_put_u32(at, FORMAT_VERSION);
    at = proto_put_u32(at, geometry->vertex_count);
    at = proto_put_u32(at, geometry->triangle_count);
    at = proto_put_u32(at, (has_areas ? FLAG_AREAS : 0) | (has_materials ? FLAG_MATERIALS : 0));
    at = proto_put_u32(at, has_materials ? geometry->material_count : 0);
    for (size_t i = 0; i < (size_t)3 * geometry->vertex_count; i++) {
        uint32_t bits;
        memcpy(&bits, &geometry->vertices[i], sizeof bits);
        at = proto_put_u32(at, bits);
    }
    for (size_t i = 0; i < (size_t)3 * geometry->triangle_count; i++) {
        at = proto_put_u32(at, geometry->triangles[i]);
    }
    if (has_areas) {
        memset(at, 0, padded(geometry->triangle_count));
        memcpy(at, geometry->triangle_areas, geometry->triangle_count);
        at += padded(geometry->triangle_count);
    }
    if (has_materials) {
        put_materials(geometry, at);
    }
}
