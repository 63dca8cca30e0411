// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// ply_header.c: the header of PLY: which elements follow, of which properties. Lines end with \n or
// \r\n.
//
//   ply
//   format ascii 1.0                          or binary_little_endian, binary_big_endian
//   comment ...                               anywhere, of any length; obj_info, too
//   element vertex 4                          any elements; others than these three are skipped
//   property float x                          any properties, in any order, of any type
//   element face 2
//   property list uchar int vertex_indices    or vertex_index
//   element tristrips 1
//   property list int int vertex_indices
//   end_header
//
// Source: Greg Turk, "The PLY Polygon File Format", 1994.

#include "proto/geometry/geometry.h"

#include <string.h>

#define WORDS_MAX 6 // of a line that means something, and one too many

nav_status proto_ply_refuse_line(const proto_ply_state *ply, nav_error *err, const char *what,
                                 const char *got)
{
    nav_fail_at(err, PROTO_BAD_GEOMETRY, nav_at("line %u", ply->line_number).text, "line %u: %s",
                ply->line_number, what);
    nav_error_got(err, "%.63s", got);
    return PROTO_BAD_GEOMETRY;
}

// ---- lines ----

static nav_status take_format(proto_ply_state *ply, char *const words[WORDS_MAX], nav_error *err)
{
    static const char *const layouts[] = {[PROTO_PLY_ASCII] = "ascii",
                                          [PROTO_PLY_LITTLE] = "binary_little_endian",
                                          [PROTO_PLY_BIG] = "binary_big_endian"};
    if (ply->layout != PROTO_PLY_NONE) {
        return proto_ply_refuse_line(ply, err, "the format is there twice", words[1]);
    }
    for (proto_ply_layout i = PROTO_PLY_ASCII; i <= PROTO_PLY_BIG; i++) {
        if (strcmp(words[1], layouts[i]) == 0) {
            ply->layout = i;
        }
    }
    if (ply->layout == PROTO_PLY_NONE) {
        return proto_ply_refuse_line(
            ply, err, "the format is ascii, binary_little_endian or binary_big_endian", words[1]);
    }
    return strcmp(words[2], "1.0") == 0
               ? NAV_OK
               : proto_ply_refuse_line(ply, err, "only version 1.0 is known", words[2]);
}

static proto_ply_kind kind_of(const char *name)
{
    return strcmp(name, "vertex") == 0      ? PROTO_PLY_VERTEX
           : strcmp(name, "face") == 0      ? PROTO_PLY_FACE
           : strcmp(name, "tristrips") == 0 ? PROTO_PLY_STRIPS
                                            : PROTO_PLY_OTHER;
}

static nav_status take_count(proto_geometry_reader *reader, proto_ply_kind kind, const char *word,
                             uint32_t *out, nav_error *err)
{
    const proto_ply_state *ply = &reader->state.ply;
    uint64_t value = 0;
    for (const char *c = word; *c != '\0'; c++) {
        if (*c < '0' || *c > '9') {
            return proto_ply_refuse_line(ply, err, "a count is a whole number", word);
        }
        value = value > UINT32_MAX ? value : value * 10 + (uint64_t)(*c - '0');
    }
    if (value > UINT32_MAX && kind == PROTO_PLY_OTHER) {
        return proto_ply_refuse_line(ply, err, "a count is larger than any file allows", word);
    }
    *out = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
    nav_status status = NAV_OK;
    if (kind == PROTO_PLY_VERTEX) {
        status = proto_geometry_check_promise("vertices", *out, reader->limits.vertices_max, err);
    } else if (kind != PROTO_PLY_OTHER) {
        status = proto_geometry_check_promise("triangles", *out, reader->limits.triangles_max, err);
    }
    if (status != NAV_OK) {
        nav_error_got(err, "%.63s", word);
    }
    return status;
}

static nav_status take_element(proto_geometry_reader *reader, char *const words[WORDS_MAX],
                               nav_error *err)
{
    proto_ply_state *ply = &reader->state.ply;
    const proto_ply_kind kind = kind_of(words[1]);
    for (uint32_t i = 0; i < ply->element_count && kind != PROTO_PLY_OTHER; i++) {
        if (ply->elements[i].kind == kind) {
            return proto_ply_refuse_line(ply, err, "an element is there twice", words[1]);
        }
    }
    if (ply->element_count == PROTO_PLY_ELEMENTS_MAX) {
        nav_status status = proto_ply_refuse_line(ply, err, "too many elements", words[1]);
        nav_error_limit(err, "%u", PROTO_PLY_ELEMENTS_MAX);
        return status;
    }
    proto_ply_element element = {.kind = kind, .first = (uint16_t)ply->property_count};
    nav_status status = take_count(reader, kind, words[2], &element.count, err);
    if (status == NAV_OK) {
        ply->elements[ply->element_count++] = element;
    }
    return status;
}

static proto_ply_type type_of(const char *word)
{
    static const struct {
        const char *names[2];
        proto_ply_type type;
    } types[] = {
        {{"char", "int8"}, {1, false, true}},    {{"uchar", "uint8"}, {1, false, false}},
        {{"short", "int16"}, {2, false, true}},  {{"ushort", "uint16"}, {2, false, false}},
        {{"int", "int32"}, {4, false, true}},    {{"uint", "uint32"}, {4, false, false}},
        {{"float", "float32"}, {4, true, true}}, {{"double", "float64"}, {8, true, true}},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(word, types[i].names[0]) == 0 || strcmp(word, types[i].names[1]) == 0) {
            return types[i].type;
        }
    }
    return (proto_ply_type){0};
}

static proto_ply_role role_of(proto_ply_kind kind, bool is_list, const char *name)
{
    if (kind == PROTO_PLY_VERTEX && !is_list && name[0] >= 'x' && name[0] <= 'z' &&
        name[1] == '\0') {
        return (proto_ply_role)(name[0] - 'x');
    }
    const bool is_corners =
        strcmp(name, "vertex_indices") == 0 || strcmp(name, "vertex_index") == 0;
    return (kind == PROTO_PLY_FACE || kind == PROTO_PLY_STRIPS) && is_list && is_corners
               ? PROTO_PLY_CORNERS
               : PROTO_PLY_SKIP;
}

static bool has_role(const proto_ply_state *ply, const proto_ply_element *element,
                     proto_ply_role role)
{
    for (uint32_t i = 0; i < element->property_count; i++) {
        if (ply->properties[element->first + i].role == role) {
            return true;
        }
    }
    return false;
}

static nav_status take_property(proto_ply_state *ply, char *const words[WORDS_MAX], nav_error *err)
{
    const bool is_list = strcmp(words[1], "list") == 0;
    char *const *type = is_list ? words + 3 : words + 1;
    const char *name = type[1];
    if (ply->element_count == 0) {
        return proto_ply_refuse_line(ply, err, "a property of no element", name);
    }
    proto_ply_element *element = &ply->elements[ply->element_count - 1];
    proto_ply_property property = {.type = type_of(type[0]),
                                   .count = is_list ? type_of(words[2]) : (proto_ply_type){0},
                                   .role = (uint8_t)role_of(element->kind, is_list, name)};
    if (property.type.size_bytes == 0) {
        return proto_ply_refuse_line(ply, err, "a type that PLY does not have", type[0]);
    }
    if (is_list && (property.count.size_bytes == 0 || property.count.is_float)) {
        return proto_ply_refuse_line(ply, err, "the count of a list is of a type of whole numbers",
                                     words[2]);
    }
    if (property.role == PROTO_PLY_CORNERS && property.type.is_float) {
        return proto_ply_refuse_line(ply, err, "numbers of vertices are of a type of whole numbers",
                                     type[0]);
    }
    if (property.role != PROTO_PLY_SKIP && has_role(ply, element, property.role)) {
        return proto_ply_refuse_line(ply, err, "a property is there twice", name);
    }
    if (ply->property_count == PROTO_PLY_PROPERTIES_MAX) {
        nav_status status = proto_ply_refuse_line(ply, err, "too many properties", name);
        nav_error_limit(err, "%u", PROTO_PLY_PROPERTIES_MAX);
        return status;
    }
    ply->properties[ply->property_count++] = property;
    element->property_count++;
    return NAV_OK;
}

static nav_status end_header(proto_ply_state *ply, nav_error *err)
{
    static const char *const missing[] = {
        "the element vertex has no property x", "the element vertex has no property y",
        "the element vertex has no property z", "the faces have no list vertex_indices"};
    if (ply->layout == PROTO_PLY_NONE) {
        return proto_ply_refuse_line(ply, err, "the header has no format", "end_header");
    }
    for (uint32_t i = 0; i < ply->element_count; i++) {
        const proto_ply_element *e = &ply->elements[i];
        proto_ply_role role = e->kind == PROTO_PLY_VERTEX ? PROTO_PLY_X : PROTO_PLY_CORNERS;
        const proto_ply_role last = e->kind == PROTO_PLY_VERTEX ? PROTO_PLY_Z : PROTO_PLY_CORNERS;
        for (; e->kind != PROTO_PLY_OTHER && e->count > 0 && role <= last; role++) {
            if (!has_role(ply, e, role)) {
                return proto_ply_refuse_line(ply, err, missing[role], "end_header");
            }
        }
    }
    ply->has_header = true;
    proto_words_begin(&ply->words);
    ply->words.line = ply->line_number + 1;
    return NAV_OK;
}

// ---- the whole ----

// The words of a line, which are terminated in it; those that are not there are empty.
static uint32_t split(char *line, char *words[WORDS_MAX])
{
    static char none[] = "";
    uint32_t count = 0;
    char *at = line;
    for (uint32_t i = 0; i < WORDS_MAX; i++) {
        at += strspn(at, " \t\r");
        words[i] = *at != '\0' ? at : none;
        count += *at != '\0' ? 1 : 0;
        at += strcspn(at, " \t\r");
        if (*at != '\0') {
            *at++ = '\0';
        }
    }
    return count;
}

static bool is_comment(const char *word)
{
    return strcmp(word, "comment") == 0 || strcmp(word, "obj_info") == 0;
}

static nav_status take_line(proto_geometry_reader *reader, nav_error *err)
{
    proto_ply_state *ply = &reader->state.ply;
    char *words[WORDS_MAX];
    const bool is_long = ply->line_bytes > PROTO_PLY_LINE_BYTES_MAX;
    const bool has_zero = memchr(ply->line, '\0', ply->line_bytes) != NULL && !is_long;
    ply->line[is_long ? PROTO_PLY_LINE_BYTES_MAX : ply->line_bytes] = '\0';
    ply->line_bytes = 0;
    ply->line_number++;
    const uint32_t count = split(ply->line, words);
    const char *what = words[0];
    if (ply->line_number == 1) {
        return strcmp(what, "ply") == 0 && count == 1 && !has_zero
                   ? NAV_OK
                   : proto_ply_refuse_line(ply, err, "PLY begins with a line `ply`", what);
    }
    if (is_comment(what)) {
        return NAV_OK;
    }
    if (is_long || has_zero) {
        return proto_ply_refuse_line(
            ply, err, is_long ? "a line of the header is too long" : "a zero in the header", what);
    }
    const uint32_t properties = strcmp(words[1], "list") == 0 ? 5 : 3;
    const uint32_t wanted = strcmp(what, "format") == 0       ? 3
                            : strcmp(what, "element") == 0    ? 3
                            : strcmp(what, "property") == 0   ? properties
                            : strcmp(what, "end_header") == 0 ? 1
                                                              : 0;
    if (wanted == 0 || count != wanted) {
        return proto_ply_refuse_line(ply, err,
                                     wanted == 0 ? "a header has lines format, element, property, "
                                                   "comment, obj_info and end_header"
                                                 : "a line with too few words, or too many",
                                     what);
    }
    return what[0] == 'f'                 ? take_format(ply, words, err)
           : what[0] == 'p'               ? take_property(ply, words, err)
           : strcmp(what, "element") == 0 ? take_element(reader, words, err)
                                          : end_header(ply, err);
}

nav_status proto_ply_read_header(proto_geometry_reader *reader, const uint8_t **bytes,
                                 size_t *size_bytes, nav_error *err)
{
    proto_ply_state *ply = &reader->state.ply;
    nav_status status = NAV_OK;
    while (*size_bytes > 0 && !ply->has_header && status == NAV_OK) {
        const char c = (char)*(*bytes)++;
        --*size_bytes;
        ply->byte++;
        if (c == '\n') {
            status = take_line(reader, err);
        } else if (ply->line_bytes < PROTO_PLY_LINE_BYTES_MAX) {
            ply->line[ply->line_bytes++] = c;
        } else {
            ply->line_bytes = PROTO_PLY_LINE_BYTES_MAX + 1;
        }
    }
    return status;
}
