// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// accessors.c: the numbers of a glTF. An accessor is opened once: all its bytes, of its buffer view
// and of its sparse part, are proved to lie within the BIN chunk, and its sparse indices to rise.
// Then a cursor reads element after element without a check.

#include "proto/base/bytes.h"
#include "proto/geometry/gltf/gltf.h"

#include <string.h>

enum {
    TYPE_BYTE = 5120,
    TYPE_UBYTE = 5121,
    TYPE_SHORT = 5122,
    TYPE_USHORT = 5123,
    TYPE_UINT = 5125,
    TYPE_FLOAT = 5126,
};

static uint32_t type_bytes(uint32_t type)
{
    return type <= TYPE_UBYTE ? 1 : type <= TYPE_USHORT ? 2 : 4;
}

// ---- what may be used for what ----

typedef struct use_rule {
    const char *type, *wanted;
    uint32_t components;
    uint32_t types;      // a bit for each component type, from TYPE_BYTE on
    uint32_t normalized; // of those, the ones that are only taken if they are normalized
} use_rule;

#define BIT(type) (1u << ((type)-TYPE_BYTE))
#define SMALL (BIT(TYPE_BYTE) | BIT(TYPE_UBYTE) | BIT(TYPE_SHORT) | BIT(TYPE_USHORT))

static const use_rule USES[] = {
    [PROTO_GLTF_POSITIONS] = {"VEC3", "positions are VEC3 of floats, or of bytes or shorts", 3,
                              BIT(TYPE_FLOAT) | SMALL, 0},
    [PROTO_GLTF_INDICES] = {"SCALAR", "indices are SCALAR of unsigned bytes, shorts or ints", 1,
                            BIT(TYPE_UBYTE) | BIT(TYPE_USHORT) | BIT(TYPE_UINT), 0},
    [PROTO_GLTF_TRANSLATIONS] = {"VEC3", "translations are VEC3 of floats", 3, BIT(TYPE_FLOAT), 0},
    [PROTO_GLTF_ROTATIONS] = {"VEC4",
                              "rotations are VEC4 of floats, or of normalized bytes or shorts", 4,
                              BIT(TYPE_FLOAT) | BIT(TYPE_BYTE) | BIT(TYPE_SHORT),
                              BIT(TYPE_BYTE) | BIT(TYPE_SHORT)},
    [PROTO_GLTF_SCALES] = {"VEC3", "scales are VEC3 of floats", 3, BIT(TYPE_FLOAT), 0},
};

typedef struct accessor_fields {
    uint32_t view;
    uint64_t byte_offset, type, count;
    bool is_normalized;
    proto_gltf_string shape;
    proto_gltf_value sparse;
} accessor_fields;

static const proto_gltf_row ACCESSOR_ROWS[] = {
    {PROTO_GLTF_ROW("bufferView", INDEX, accessor_fields, view), .list = PROTO_GLTF_BUFFER_VIEWS},
    {PROTO_GLTF_ROW("byteOffset", WHOLE, accessor_fields, byte_offset)},
    {PROTO_GLTF_ROW("componentType", WHOLE, accessor_fields, type)},
    {PROTO_GLTF_ROW("count", WHOLE, accessor_fields, count)},
    {PROTO_GLTF_ROW("normalized", BOOL, accessor_fields, is_normalized)},
    {PROTO_GLTF_ROW("type", STRING, accessor_fields, shape)},
    {PROTO_GLTF_ROW("sparse", OBJECT, accessor_fields, sparse)},
};

static nav_status check_use(const accessor_fields *a, proto_gltf_use use, const nav_error_place *at,
                            nav_error *err)
{
    const use_rule *rule = &USES[use];
    const bool is_type = a->type >= TYPE_BYTE && a->type <= TYPE_FLOAT;
    const uint32_t bit = is_type ? BIT((uint32_t)a->type) : 0;
    if (strcmp(a->shape.text, rule->type) != 0 || (bit & rule->types) == 0 ||
        ((bit & rule->normalized) != 0 && !a->is_normalized)) {
        proto_gltf_fail(err, at, "%s", rule->wanted);
        nav_error_got(err, "%.20s of componentType %llu", a->shape.text,
                      (unsigned long long)a->type);
        return PROTO_BAD_GEOMETRY;
    }
    if (a->count == 0 || a->count > UINT32_MAX - 1) {
        const nav_error_place place = nav_at("%.60s.count", at->text);
        return nav_fail_bound(err, PROTO_BAD_GEOMETRY, place.text, a->count, UINT32_MAX - 1,
                              "glTF: %s: it must be from 1 to %u", place.text, UINT32_MAX - 1);
    }
    return NAV_OK;
}

// ---- buffer views ----

typedef struct view_fields {
    uint32_t buffer;
    uint64_t byte_offset, byte_length, byte_stride;
    proto_gltf_value extensions;
} view_fields;

static const proto_gltf_row VIEW_ROWS[] = {
    {PROTO_GLTF_ROW("buffer", INDEX, view_fields, buffer), .list = PROTO_GLTF_BUFFERS},
    {PROTO_GLTF_ROW("byteOffset", WHOLE, view_fields, byte_offset)},
    {PROTO_GLTF_ROW("byteLength", WHOLE, view_fields, byte_length)},
    {PROTO_GLTF_ROW("byteStride", WHOLE, view_fields, byte_stride)},
    {PROTO_GLTF_ROW("extensions", OBJECT, view_fields, extensions)},
};

typedef struct buffer_fields {
    uint64_t byte_length;
    proto_gltf_string uri;
} buffer_fields;

static const proto_gltf_row BUFFER_ROWS[] = {
    {PROTO_GLTF_ROW("byteLength", WHOLE, buffer_fields, byte_length)},
    {PROTO_GLTF_ROW("uri", STRING, buffer_fields, uri)},
};

// The bytes of a buffer, which can only be those of the BIN chunk. The JSON of the first, which may
// have them all as text, is read once.
static nav_status check_buffer(proto_gltf *g, uint32_t buffer, uint64_t *size_bytes, nav_error *err)
{
    nav_error_place at;
    buffer_fields b = {0};
    if (buffer == 0 && g->buffer_bytes > 0) {
        *size_bytes = g->buffer_bytes;
        return NAV_OK;
    }
    nav_status status = proto_gltf_read_element(g, PROTO_GLTF_BUFFERS, buffer,
                                                (proto_gltf_rows){BUFFER_ROWS, 2}, &at, &b, err);
    if (status != NAV_OK) {
        return status;
    }
    const bool is_data = buffer == 0 && strncmp(b.uri.text, "data:", 5) == 0;
    if (b.uri.size_bytes > 0 && !is_data) {
        const nav_error_place place = nav_at("%.60s.uri", at.text);
        proto_gltf_fail(err, &place,
                        "other files, and further buffers, are not read; export as binary glTF "
                        "(.glb)");
        nav_error_got(err, "%.60s", b.uri.text);
        return PROTO_BAD_GEOMETRY;
    }
    if (buffer != 0 || !g->has_bin) {
        return proto_gltf_fail(err, &at, "it is not the BIN chunk, and has no bytes of its own");
    }
    if (b.byte_length > g->bin_bytes) {
        const nav_error_place place = nav_at("%.60s.byteLength", at.text);
        return nav_fail_bound(err, PROTO_BAD_GEOMETRY, place.text, b.byte_length, g->bin_bytes,
                              "glTF: %s: there are only %zu bytes", place.text, g->bin_bytes);
    }
    *size_bytes = g->buffer_bytes = b.byte_length;
    return NAV_OK;
}

static nav_status read_view(proto_gltf *g, uint32_t index, view_fields *v, nav_error_place *at,
                            nav_error *err)
{
    const proto_gltf_rows rows = {VIEW_ROWS, sizeof VIEW_ROWS / sizeof VIEW_ROWS[0]};
    proto_gltf_value packed = {0};
    nav_status status =
        proto_gltf_read_element(g, PROTO_GLTF_BUFFER_VIEWS, index, rows, at, v, err);
    if (status == NAV_OK && v->buffer == NAV_NONE) {
        return proto_gltf_fail(err, at, "it names no buffer");
    }
    NAV_IF_OK(status,
              proto_gltf_extension(g, v->extensions, "EXT_meshopt_compression", at, &packed, err));
    if (status == NAV_OK && packed.at != NULL && v->buffer != 0) {
        return proto_gltf_fail(
            err, at, "EXT_meshopt_compression is not read here; export without compression");
    }
    return status;
}

// Finds `count` elements that begin byte_offset bytes into a view. *stride_bytes: 0 where they must
// lie close together, else it is given.
static nav_status find_bytes(proto_gltf *g, uint32_t view, uint64_t byte_offset, uint64_t count,
                             uint64_t element_bytes, bool may_be_strided, const nav_error_place *of,
                             const uint8_t **bytes, size_t *stride_bytes, nav_error *err)
{
    view_fields v = {.buffer = NAV_NONE};
    nav_error_place at;
    uint64_t size_bytes = 0;
    nav_status status = read_view(g, view, &v, &at, err);
    status = status == NAV_OK ? check_buffer(g, v.buffer, &size_bytes, err) : status;
    if (status != NAV_OK) {
        return status;
    }
    // All of them are at most 2^53, so that no sum overflows.
    if (v.byte_offset + v.byte_length > size_bytes) {
        proto_gltf_fail(err, &at, "bytes %llu to %llu are past its buffer",
                        (unsigned long long)v.byte_offset,
                        (unsigned long long)(v.byte_offset + v.byte_length));
        nav_error_limit(err, "%llu", (unsigned long long)size_bytes);
        return PROTO_BAD_GEOMETRY;
    }
    if (v.byte_stride != 0 &&
        (!may_be_strided || v.byte_stride < element_bytes || v.byte_stride > 252)) {
        const nav_error_place place = nav_at("%.60s.byteStride", at.text);
        proto_gltf_fail(err, &place, "it must be from the %llu bytes of an element to 252%s",
                        (unsigned long long)element_bytes,
                        may_be_strided ? "" : ", and is for vertices only");
        nav_error_got(err, "%llu", (unsigned long long)v.byte_stride);
        return PROTO_BAD_GEOMETRY;
    }
    const uint64_t stride = v.byte_stride != 0 ? v.byte_stride : element_bytes;
    if (byte_offset + stride * (count - 1) + element_bytes > v.byte_length) {
        const nav_error_place place = nav_at("%.60s.byteOffset", of->text);
        return nav_fail_bound(err, PROTO_BAD_GEOMETRY, place.text, byte_offset, v.byte_length,
                              "glTF: %s: %llu elements from byte %llu on are past its buffer view",
                              place.text, (unsigned long long)count,
                              (unsigned long long)byte_offset);
    }
    *bytes = g->bin + v.byte_offset + byte_offset;
    *stride_bytes = (size_t)stride;
    return NAV_OK;
}

// ---- sparse parts ----

typedef struct sparse_fields {
    uint64_t count;
    proto_gltf_value indices, values;
} sparse_fields;

static const proto_gltf_row SPARSE_ROWS[] = {
    {PROTO_GLTF_ROW("count", WHOLE, sparse_fields, count)},
    {PROTO_GLTF_ROW("indices", OBJECT, sparse_fields, indices)},
    {PROTO_GLTF_ROW("values", OBJECT, sparse_fields, values)},
};

static uint32_t index_at(const uint8_t *bytes, uint32_t type, uint32_t i)
{
    switch (type) {
    case TYPE_UBYTE:
        return bytes[i];
    case TYPE_USHORT:
        bytes += (size_t)2 * i;
        return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8;
    default:
        return proto_get_u32(bytes + (size_t)4 * i);
    }
}

static nav_status check_order(proto_gltf *g, const proto_gltf_source *s, const nav_error_place *at,
                              nav_error *err)
{
    uint8_t *checked = &g->checked[s->accessor / 8];
    const uint8_t bit = (uint8_t)(1u << s->accessor % 8);
    uint32_t before = 0;
    for (uint32_t i = 0; (*checked & bit) == 0 && i < s->sparse_count; i++) {
        const uint32_t index = index_at(s->sparse_indices, s->sparse_type, i);
        if (index >= s->count || (i > 0 && index <= before)) {
            const nav_error_place place = nav_at("%.50s.indices[%u]", at->text, i);
            return nav_fail_bound(err, PROTO_BAD_GEOMETRY, place.text, index, s->count,
                                  "glTF: %s: they must rise, and lie below the accessor's count",
                                  place.text);
        }
        before = index;
    }
    *checked |= bit;
    return NAV_OK;
}

static nav_status open_sparse(proto_gltf *g, proto_gltf_value sparse, const nav_error_place *of,
                              proto_gltf_source *s, nav_error *err)
{
    const nav_error_place at = nav_at("%.50s.sparse", of->text);
    const nav_error_place indices_at = nav_at("%.60s.indices", at.text);
    const nav_error_place values_at = nav_at("%.60s.values", at.text);
    sparse_fields f = {0};
    accessor_fields i = {.view = NAV_NONE}, v = {.view = NAV_NONE};
    size_t stride;
    const proto_gltf_rows rows = {ACCESSOR_ROWS, 3};
    nav_status status = proto_gltf_read(g, sparse, (proto_gltf_rows){SPARSE_ROWS, 3}, &at, &f, err);
    if (status != NAV_OK) {
        return status;
    }
    if (f.indices.at == NULL || f.values.at == NULL || f.count == 0 || f.count > s->count) {
        return proto_gltf_fail(err, &at, "it needs indices, values, and a count from 1 to %u",
                               s->count);
    }
    status = proto_gltf_read(g, f.indices, rows, &indices_at, &i, err);
    status = status == NAV_OK ? proto_gltf_read(g, f.values, rows, &values_at, &v, err) : status;
    if (status != NAV_OK) {
        return status;
    }
    if (i.view == NAV_NONE || v.view == NAV_NONE ||
        (i.type != TYPE_UBYTE && i.type != TYPE_USHORT && i.type != TYPE_UINT)) {
        return proto_gltf_fail(
            err, &at,
            "indices and values need a bufferView, and indices an unsigned componentType");
    }
    s->sparse_type = (uint32_t)i.type;
    s->sparse_count = (uint32_t)f.count;
    status = find_bytes(g, i.view, i.byte_offset, f.count, type_bytes(s->sparse_type), false,
                        &indices_at, &s->sparse_indices, &stride, err);
    NAV_IF_OK(status, find_bytes(g, v.view, v.byte_offset, f.count,
                                 (uint64_t)s->components * type_bytes(s->type), false, &values_at,
                                 &s->sparse_values, &stride, err));
    return status == NAV_OK ? check_order(g, s, &at, err) : status;
}

nav_status proto_gltf_open(proto_gltf *g, uint32_t accessor, proto_gltf_use use,
                           proto_gltf_source *out, nav_error *err)
{
    accessor_fields a = {.view = NAV_NONE};
    nav_error_place at;
    const proto_gltf_rows rows = {ACCESSOR_ROWS, sizeof ACCESSOR_ROWS / sizeof ACCESSOR_ROWS[0]};
    nav_status status =
        proto_gltf_read_element(g, PROTO_GLTF_ACCESSORS, accessor, rows, &at, &a, err);
    status = status == NAV_OK ? check_use(&a, use, &at, err) : status;
    if (status != NAV_OK) {
        return status;
    }
    proto_gltf_source s = {.count = (uint32_t)a.count,
                           .accessor = accessor,
                           .type = (uint32_t)a.type,
                           .components = USES[use].components,
                           .is_normalized = a.is_normalized};
    if (a.view != NAV_NONE) {
        status = find_bytes(g, a.view, a.byte_offset, a.count,
                            (uint64_t)s.components * type_bytes(s.type), use != PROTO_GLTF_INDICES,
                            &at, &s.bytes, &s.stride_bytes, err);
    }
    if (status == NAV_OK && a.sparse.at != NULL) {
        status = open_sparse(g, a.sparse, &at, &s, err);
    }
    if (status == NAV_OK) {
        *out = s;
    }
    return status;
}

nav_status proto_gltf_check_zeros(const proto_gltf *g, const proto_gltf_source *source,
                                  nav_error *err)
{
    if (source->bytes != NULL || source->count <= g->promised_bytes) {
        return NAV_OK;
    }
    const nav_error_place at = nav_at("accessors[%u].count", source->accessor);
    return nav_fail_bound(err, PROTO_BAD_GEOMETRY, at.text, source->count, g->promised_bytes,
                          "glTF: %s: without a bufferView its elements are zeros, of which there "
                          "are more than the file has bytes",
                          at.text);
}

// ---- reading ----

static double number_at(const uint8_t *bytes, uint32_t type, bool is_normalized)
{
    const uint32_t size_bytes = type_bytes(type);
    const uint32_t bits = size_bytes == 1   ? bytes[0]
                          : size_bytes == 2 ? (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8
                                            : 0;
    double value, unit;
    switch (type) {
    case TYPE_BYTE:
        value = bits >= 0x80 ? (double)bits - 256.0 : (double)bits;
        unit = 127.0;
        break;
    case TYPE_UBYTE:
        value = (double)bits;
        unit = 255.0;
        break;
    case TYPE_SHORT:
        value = bits >= 0x8000 ? (double)bits - 65536.0 : (double)bits;
        unit = 32767.0;
        break;
    case TYPE_USHORT:
        value = (double)bits;
        unit = 65535.0;
        break;
    default:
        return (double)proto_get_float(bytes);
    }
    value = is_normalized ? value / unit : value;
    return is_normalized && value < -1.0 ? -1.0 : value;
}

// The bytes of the next element; NULL: zeros.
static const uint8_t *next_bytes(proto_gltf_cursor *cursor)
{
    const proto_gltf_source *s = cursor->source;
    const uint32_t i = cursor->next++;
    NAV_DCHECK(i < s->count);
    if (cursor->sparse_next < s->sparse_count &&
        index_at(s->sparse_indices, s->sparse_type, cursor->sparse_next) == i) {
        return s->sparse_values +
               (size_t)cursor->sparse_next++ * s->components * type_bytes(s->type);
    }
    return s->bytes != NULL ? s->bytes + i * s->stride_bytes : NULL;
}

void proto_gltf_next_numbers(proto_gltf_cursor *cursor, double *out)
{
    const proto_gltf_source *s = cursor->source;
    const uint8_t *bytes = next_bytes(cursor);
    for (uint32_t c = 0; c < s->components; c++) {
        out[c] = bytes == NULL ? 0.0
                               : number_at(bytes + (size_t)c * type_bytes(s->type), s->type,
                                           s->is_normalized);
    }
}

uint32_t proto_gltf_next_index(proto_gltf_cursor *cursor)
{
    const uint8_t *bytes = next_bytes(cursor);
    return bytes == NULL ? 0 : index_at(bytes, cursor->source->type, 0);
}
