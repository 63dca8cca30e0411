// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// ply.c: the data of PLY to triangles, text or binary of either byte order, in pieces of any size.
// It is row after row of what ply_header.c has read: vertices, faces, strips, and others, which are
// skipped. One value is taken at a time, and all values are doubles, which hold every type of PLY.
//
//   face        3 0 1 2       a polygon, a fan at first (faces.c): (0 1 2)
//   face        4 0 1 2 3     (0 1 2) (0 2 3)
//   tristrips   5 0 1 2 3 -1  every second triangle is turned: (0 1 2) (2 1 3); -1 begins anew
//
// Faces may come before their vertices: numbers are checked at the end, with those of all formats.
// In text a row need not be a line.

#include "proto/geometry/geometry.h"

#include <math.h>
#include <string.h>

// A value, as errors report it, too.
typedef struct value {
    double number;
    const char *word;    // of text; NULL: it is binary
    uint32_t size_bytes; // of a binary one, which has just been taken
} value;

static nav_status refuse(const proto_geometry_reader *reader, const value *v, nav_status status,
                         const char *what, nav_error *err)
{
    const proto_ply_state *ply = &reader->state.ply;
    const nav_error_place at =
        v->word != NULL ? nav_at("line %llu", (unsigned long long)ply->words.line)
                        : nav_at("byte %llu", (unsigned long long)(ply->byte - v->size_bytes));
    nav_fail_at(err, status, at.text, "%s: %s", at.text, what);
    if (v->word != NULL) {
        nav_error_got(err, "%.63s", v->word);
    } else {
        nav_error_got(err, "%.0f", v->number);
    }
    return status;
}

// ---- faces and strips ----

static nav_status add_corner(proto_geometry_reader *reader, uint32_t corner, nav_error *err)
{
    proto_ply_state *ply = &reader->state.ply;
    const bool is_face = ply->elements[ply->element].kind == PROTO_PLY_FACE;
    uint32_t *c = ply->corners;
    const uint32_t number = ply->corner_count++;
    if (number < 2) {
        c[number] = corner;
        return NAV_OK;
    }
    const bool turned = !is_face && number % 2 == 1;
    const uint32_t triangle[3] = {turned ? c[1] : c[0], turned ? c[0] : c[1], corner};
    c[0] = is_face ? c[0] : c[1];
    c[1] = corner;
    // Strips are sewn together with triangles that have a corner twice; they are none.
    if (!is_face &&
        (triangle[0] == triangle[1] || triangle[0] == corner || triangle[1] == corner)) {
        return NAV_OK;
    }
    const nav_status status = proto_geometry_add_triangle(reader, triangle, err);
    return status == NAV_OK && is_face && number >= 3
               ? proto_faces_add(reader, number == 3,
                                 ply->layout == PROTO_PLY_ASCII ? ply->words.line : ply->row + 1,
                                 err)
               : status;
}

static nav_status take_corner(proto_geometry_reader *reader, const value *v, nav_error *err)
{
    proto_ply_state *ply = &reader->state.ply;
    if (v->number == -1 && ply->elements[ply->element].kind == PROTO_PLY_STRIPS) {
        ply->corner_count = 0;
        return NAV_OK;
    }
    if (!(floor(v->number) == v->number)) {
        return refuse(reader, v, PROTO_BAD_GEOMETRY, "the number of a vertex is no whole number",
                      err);
    }
    if (v->number < 0 || v->number >= (double)reader->limits.vertices_max) {
        return refuse(reader, v, NAV_INDEX_OUT_OF_RANGE,
                      v->number < 0 ? "the number of a vertex is negative"
                                    : "the number of a vertex is larger than any file allows",
                      err);
    }
    return add_corner(reader, (uint32_t)v->number, err);
}

static nav_status begin_list(proto_geometry_reader *reader, const proto_ply_property *property,
                             const value *v, nav_error *err)
{
    proto_ply_state *ply = &reader->state.ply;
    const bool is_face = ply->elements[ply->element].kind == PROTO_PLY_FACE;
    if (!(floor(v->number) == v->number) || v->number < 0 || v->number > UINT32_MAX) {
        return refuse(reader, v, PROTO_BAD_GEOMETRY,
                      v->number < 0 ? "the count of a list is negative"
                                    : "the count of a list is no whole number that a file can have",
                      err);
    }
    const uint32_t count = (uint32_t)v->number;
    if (property->role == PROTO_PLY_SKIP) {
        ply->skip = v->word != NULL ? count : (uint64_t)count * property->type.size_bytes;
        return NAV_OK;
    }
    if (is_face && count < 3) {
        return refuse(reader, v, PROTO_BAD_GEOMETRY, "a face has fewer than three corners", err);
    }
    // A face makes as many triangles less two.
    if (is_face && count - 2 > reader->limits.triangles_max - reader->triangle_count) {
        nav_status status = refuse(reader, v, NAV_GEOMETRY_TOO_LARGE,
                                   "a face of more triangles than a level may have", err);
        nav_error_limit(err, "%u", reader->limits.triangles_max);
        return status;
    }
    ply->list_left = count;
    ply->in_list = count > 0;
    ply->corner_count = 0;
    return NAV_OK;
}

// ---- values, wherever they come from ----

static void next_element(proto_ply_state *ply)
{
    while (ply->element < ply->element_count && (ply->row == ply->elements[ply->element].count ||
                                                 ply->elements[ply->element].property_count == 0)) {
        ply->element++;
        ply->row = 0;
    }
}

static nav_status next_property(proto_geometry_reader *reader, nav_error *err)
{
    proto_ply_state *ply = &reader->state.ply;
    const proto_ply_element *element = &ply->elements[ply->element];
    nav_status status = NAV_OK;
    if (++ply->property == element->property_count) {
        if (element->kind == PROTO_PLY_VERTEX) {
            status = proto_geometry_add_vertex(reader, ply->position, err);
        }
        ply->property = 0;
        ply->row++;
        next_element(ply);
    }
    return status;
}

static const proto_ply_property *property_of(const proto_ply_state *ply)
{
    const proto_ply_element *element = &ply->elements[ply->element];
    NAV_DCHECK(ply->element < ply->element_count && ply->property < element->property_count);
    return &ply->properties[element->first + ply->property];
}

static nav_status take_value(proto_geometry_reader *reader, const value *v, nav_error *err)
{
    proto_ply_state *ply = &reader->state.ply;
    const proto_ply_property *property = property_of(ply);
    nav_status status = NAV_OK;
    if (ply->in_list) {
        status = take_corner(reader, v, err);
        ply->list_left--;
        ply->in_list = ply->list_left > 0;
    } else if (property->count.size_bytes > 0) {
        status = begin_list(reader, property, v, err);
    } else if (property->role != PROTO_PLY_SKIP) {
        status = v->word == NULL
                     ? proto_geometry_check_number(reader, property->role, v->number, err)
                     : NAV_OK;
        ply->position[property->role] = (float)v->number;
    }
    // Skipped values of a list belong to no property any more.
    return status == NAV_OK && !ply->in_list ? next_property(reader, err) : status;
}

// ---- text ----

static nav_status take_word(proto_geometry_reader *reader, nav_error *err)
{
    proto_ply_state *ply = &reader->state.ply;
    const proto_words *w = &ply->words;
    value v = {.word = w->word.text};
    if (ply->skip > 0) {
        ply->skip--;
        return NAV_OK;
    }
    if (ply->element == ply->element_count) {
        return refuse(reader, &v, PROTO_BAD_GEOMETRY, "more values than the header promises", err);
    }
    const proto_ply_property *property = property_of(ply);
    const bool is_list = property->count.size_bytes > 0;
    nav_status status = NAV_OK;
    if (property->role <= PROTO_PLY_Z) {
        status = proto_geometry_read_coordinate(reader, property->role, w, &v.number, err);
    } else if (is_list && !proto_text_decimal(w->word.text, w->word.size_bytes, &v.number)) {
        status = refuse(reader, &v, PROTO_BAD_GEOMETRY, "this is not a number", err);
    }
    return status == NAV_OK ? take_value(reader, &v, err) : status;
}

static nav_status feed_text(proto_geometry_reader *reader, const char *bytes, size_t size_bytes,
                            nav_error *err)
{
    const char *end = bytes + size_bytes;
    proto_words_end what;
    nav_status status;
    do {
        status = proto_words_next(&reader->state.ply.words, &bytes, end, &what, err);
        if (status == NAV_OK && what == PROTO_WORDS_WORD) {
            status = take_word(reader, err);
        }
    } while (status == NAV_OK && what != PROTO_WORDS_PIECE);
    return status;
}

// ---- binary ----

static double number_of(const uint8_t *bytes, proto_ply_type type, bool big)
{
    const uint32_t size = type.size_bytes;
    uint64_t bits = 0;
    for (uint32_t i = 0; i < size; i++) {
        bits = bits << 8 | bytes[big ? i : size - 1 - i];
    }
    if (type.is_float) {
        const uint32_t half = (uint32_t)bits;
        double number;
        float single;
        memcpy(&number, &bits, sizeof number);
        memcpy(&single, &half, sizeof single);
        return size == 8 ? number : (double)single;
    }
    const uint64_t sign = (uint64_t)1 << (8 * size - 1);
    return type.is_signed && (bits & sign) != 0 ? -(double)(2 * sign - bits) : (double)bits;
}

static nav_status feed_binary(proto_geometry_reader *reader, const uint8_t *bytes,
                              size_t size_bytes, nav_error *err)
{
    proto_ply_state *ply = &reader->state.ply;
    while (size_bytes > 0) {
        if (ply->skip > 0) {
            const size_t skipped = ply->skip < size_bytes ? (size_t)ply->skip : size_bytes;
            ply->skip -= skipped;
            ply->byte += skipped;
            bytes += skipped;
            size_bytes -= skipped;
            continue;
        }
        if (ply->element == ply->element_count) {
            const value v = {.number = *bytes};
            return refuse(reader, &v, PROTO_BAD_GEOMETRY, "more bytes than the header promises",
                          err);
        }
        const proto_ply_property *property = property_of(ply);
        const proto_ply_type type =
            property->count.size_bytes > 0 && !ply->in_list ? property->count : property->type;
        const size_t before = size_bytes;
        const uint8_t *record =
            proto_record_take(&ply->value, type.size_bytes, &bytes, &size_bytes);
        ply->byte += before - size_bytes;
        if (record == NULL) {
            return NAV_OK;
        }
        const value v = {.number = number_of(record, type, ply->layout == PROTO_PLY_BIG),
                         .size_bytes = type.size_bytes};
        nav_status status = take_value(reader, &v, err);
        if (status != NAV_OK) {
            return status;
        }
    }
    return NAV_OK;
}

// ---- the whole ----

nav_status proto_ply_feed(proto_geometry_reader *reader, const uint8_t *bytes, size_t size_bytes,
                          nav_error *err)
{
    proto_ply_state *ply = &reader->state.ply;
    if (!ply->has_header) {
        nav_status status = proto_ply_read_header(reader, &bytes, &size_bytes, err);
        if (status != NAV_OK || !ply->has_header) {
            return status;
        }
        next_element(ply);
    }
    return ply->layout == PROTO_PLY_ASCII ? feed_text(reader, (const char *)bytes, size_bytes, err)
                                          : feed_binary(reader, bytes, size_bytes, err);
}

nav_status proto_ply_end(proto_geometry_reader *reader, nav_error *err)
{
    proto_ply_state *ply = &reader->state.ply;
    if (!ply->has_header) {
        ply->line_number++;
        return proto_ply_refuse_line(ply, err, "the file ends within its header", "");
    }
    if (ply->layout == PROTO_PLY_ASCII && proto_words_last(&ply->words)) {
        nav_status status = take_word(reader, err);
        if (status != NAV_OK) {
            return status;
        }
    }
    if (ply->element == ply->element_count && ply->skip == 0) {
        return NAV_OK;
    }
    nav_fail(err, PROTO_BAD_GEOMETRY,
             "PLY: it ends after %u vertices and %u triangles, before all that its header promises",
             reader->vertex_count, reader->triangle_count);
    if (ply->layout == PROTO_PLY_ASCII) {
        nav_error_at(err, "line %llu", (unsigned long long)ply->words.line);
    } else {
        nav_error_at(err, "byte %llu", (unsigned long long)ply->byte);
    }
    return PROTO_BAD_GEOMETRY;
}
