// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// obj.c: Wavefront OBJ to triangles, in pieces of any size. Only `v`, `f` and `usemtl`
// matter; every other keyword is skipped. Words are gathered into one small buffer, so that a line
// may be of any length and a piece may end anywhere.
//
//   v 1 2 3          a vertex (a fourth number, or colours, are ignored)
//   f 1 2/5 3//7 -1  a polygon, a fan at first (faces.c); negative counts from the last
//   usemtl Water A   the material of the faces that follow: the rest of the line
//   # ...            a comment, wherever a word could begin
//   f 1 2 \          a backslash continues a v or f line in the next line
//
// Source: Wavefront, "Object Files (.obj)", appendix B1 of the Advanced Visualizer manual.

#include "proto/geometry/geometry.h"

#include <string.h>

void proto_obj_begin(proto_geometry_reader *reader)
{
    proto_words_begin(&reader->state.obj.words);
}

static nav_status bad_index(const proto_geometry_reader *reader, const char *got, nav_error *err,
                            const char *what)
{
    unsigned long long line = reader->state.obj.words.line;
    nav_fail_at(err, NAV_INDEX_OUT_OF_RANGE, nav_at("line %llu", line).text, "line %llu: %s", line,
                what);
    nav_error_got(err, "%.63s", got);
    nav_error_limit(err, "%u", reader->vertex_count);
    return NAV_INDEX_OUT_OF_RANGE;
}

static nav_status take_coordinate(proto_geometry_reader *reader, nav_error *err)
{
    proto_obj_state *obj = &reader->state.obj;
    double value;
    if (obj->number_count >= 3) {
        return NAV_OK;
    }
    const nav_status status =
        proto_geometry_read_coordinate(reader, obj->number_count, &obj->words, &value, err);
    if (status == NAV_OK) {
        obj->position[obj->number_count++] = (float)value;
    }
    return status;
}

// Texture and normal references do not matter, but must look like what they are.
static bool is_reference_tail(const char *text)
{
    uint32_t slashes = 0;
    for (; *text != '\0'; text++) {
        slashes += *text == '/' ? 1 : 0;
        if (strchr("0123456789+-/", *text) == NULL) {
            return false;
        }
    }
    return slashes <= 2;
}

// The vertex that a corner names, counted from 0. Positive references may name vertices that come
// later in the file; they are checked again at the end.
static nav_status corner_index(const proto_geometry_reader *reader, uint32_t *out, nav_error *err)
{
    const proto_obj_state *obj = &reader->state.obj;
    const char *text = obj->words.word.text;
    bool negative = *text == '-';
    text += *text == '-' || *text == '+' ? 1 : 0;
    uint64_t value = 0;
    const char *digits = text;
    for (; *text >= '0' && *text <= '9'; text++) {
        value = value > UINT32_MAX ? value : value * 10 + (uint64_t)(*text - '0');
    }
    if (text == digits || !is_reference_tail(text)) {
        return proto_words_refuse(&obj->words, err, "a corner of a face is not an index");
    }
    if (value == 0) {
        return bad_index(reader, obj->words.word.text, err,
                         "index 0, but vertices are counted from 1");
    }
    if (negative && value > reader->vertex_count) {
        return bad_index(reader, obj->words.word.text, err,
                         "a negative index points before the start");
    }
    if (!negative && value > reader->limits.vertices_max) {
        return bad_index(reader, obj->words.word.text, err,
                         "an index is larger than any file allows");
    }
    NAV_ASSERT(value > 0 && value <= UINT32_MAX);
    *out = negative ? reader->vertex_count - (uint32_t)value : (uint32_t)value - 1;
    return NAV_OK;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

// Materials are kept once there is one; the triangles before it had none.
static nav_status add_face(proto_geometry_reader *reader, const uint32_t corners[3], nav_error *err)
{
    const proto_obj_state *obj = &reader->state.obj;
    NAV_DCHECK(reader->materials.count <= reader->triangle_count);
    nav_status status = NAV_OK;
    while (obj->has_materials && status == NAV_OK &&
           reader->materials.count < reader->triangle_count) {
        status = proto_materials_add(&reader->materials, "", err);
    }
    NAV_IF_OK(status, proto_geometry_add_triangle(reader, corners, err));
    return status == NAV_OK && obj->has_materials
               ? proto_materials_add(&reader->materials, obj->material, err)
               : status;
}

// The line's name, without the blanks behind it.
static void take_material(proto_geometry_reader *reader)
{
    proto_obj_state *obj = &reader->state.obj;
    while (obj->words.word.size_bytes > 0 &&
           is_blank(obj->words.word.text[obj->words.word.size_bytes - 1])) {
        obj->words.word.size_bytes--;
    }
    proto_geometry_keep_name(&reader->limits, obj->words.word.text, obj->words.word.size_bytes,
                             obj->material);
    obj->has_materials = obj->has_materials || obj->words.word.size_bytes > 0;
}

// Keeps what check_corners needs, whatever the order of the file's lines.
static void keep_ahead(proto_geometry_reader *reader, uint32_t index)
{
    proto_obj_state *obj = &reader->state.obj;
    const proto_obj_corner corner = {.vertex = index + 1, .line = obj->words.line};
    if (obj->ahead.vertex <= reader->vertex_count) {
        obj->ahead = corner;
    }
    if (corner.vertex > obj->highest.vertex) {
        obj->highest = corner;
    }
}

static nav_status take_corner(proto_geometry_reader *reader, nav_error *err)
{
    proto_obj_state *obj = &reader->state.obj;
    uint32_t index = 0;
    nav_status status = corner_index(reader, &index, err);
    if (status == NAV_OK && index >= reader->vertex_count) {
        keep_ahead(reader, index);
    }
    if (status == NAV_OK && obj->corner_count >= 2) {
        const uint32_t corners[3] = {obj->corner_first, obj->corner_last, index};
        status = add_face(reader, corners, err);
        if (status == NAV_OK && obj->corner_count >= 3) {
            status = proto_faces_add(reader, obj->corner_count == 3, obj->words.line, err);
        }
    }
    obj->corner_first = obj->corner_count == 0 ? index : obj->corner_first;
    obj->corner_last = index;
    obj->corner_count += obj->corner_count < 4 ? 1 : 0;
    return status;
}

static nav_status take_keyword(proto_obj_state *obj, nav_error *err)
{
    const char *word = obj->words.word.text;
    if (obj->words.line == 1 && strncmp(word, "\xef\xbb\xbf", 3) == 0) {
        word += 3; // the byte order mark that some editors write
    }
    obj->number_count = 0;
    obj->corner_count = 0;
    if (strcmp(word, "v") == 0) {
        obj->mode = PROTO_OBJ_VERTEX;
    } else if (strcmp(word, "f") == 0) {
        obj->mode = PROTO_OBJ_FACE;
    } else if (strcmp(word, "usemtl") == 0) {
        obj->mode = PROTO_OBJ_MATERIAL;
    } else if (*word == '\0') {
        obj->mode = PROTO_OBJ_KEYWORD;
    } else if ((uint8_t)*word >= 0x80 || strchr("{}[]<>\"%", *word) != NULL) {
        return proto_words_refuse(&obj->words, err,
                                  "this is not an OBJ file: the line begins with no keyword");
    } else {
        obj->mode = PROTO_OBJ_SKIP;
    }
    return NAV_OK;
}

static nav_status end_token(proto_geometry_reader *reader, nav_error *err)
{
    proto_obj_state *obj = &reader->state.obj;
    if (obj->words.word.size_bytes == 0) {
        return NAV_OK;
    }
    obj->words.word.text[obj->words.word.size_bytes] = '\0';
    nav_status status = NAV_OK;
    switch (obj->mode) {
    case PROTO_OBJ_KEYWORD:
        status = take_keyword(obj, err);
        break;
    case PROTO_OBJ_VERTEX:
        status = take_coordinate(reader, err);
        break;
    case PROTO_OBJ_FACE:
        status = take_corner(reader, err);
        break;
    case PROTO_OBJ_MATERIAL:
        take_material(reader);
        break;
    case PROTO_OBJ_SKIP:
        break;
    }
    obj->words.word.size_bytes = 0;
    return status;
}

static nav_status end_line(proto_geometry_reader *reader, nav_error *err)
{
    proto_obj_state *obj = &reader->state.obj;
    nav_status status = end_token(reader, err);
    if (status != NAV_OK) {
        return status;
    }
    if (obj->mode == PROTO_OBJ_VERTEX) {
        status =
            obj->number_count == 3
                ? proto_geometry_add_vertex(reader, obj->position, err)
                : proto_words_refuse(&obj->words, err, "a vertex has fewer than three coordinates");
    } else if (obj->mode == PROTO_OBJ_FACE && obj->corner_count < 3) {
        status = proto_words_refuse(&obj->words, err, "a face has fewer than three corners");
    }
    obj->mode = PROTO_OBJ_KEYWORD;
    return status;
}

static nav_status take_letter(proto_obj_state *obj, char c, nav_error *err)
{
    if (obj->words.word.size_bytes >= PROTO_NUMBER_BYTES_MAX && obj->mode == PROTO_OBJ_MATERIAL) {
        return NAV_OK; // names that differ only later are one
    }
    if (obj->words.word.size_bytes >= PROTO_NUMBER_BYTES_MAX) {
        obj->words.word.text[PROTO_NUMBER_BYTES_MAX] = '\0';
        return proto_words_refuse(&obj->words, err, "a word is too long");
    }
    obj->words.word.text[obj->words.word.size_bytes++] = c;
    return NAV_OK;
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

static bool is_control(char c)
{
    return ((uint8_t)c < 0x20 && !is_blank(c) && !is_line_end(c)) || c == 0x7f;
}

// \n, \r\n and \r all end a line. Behind a backslash the line goes on in the next one.
static nav_status take_line_end(proto_geometry_reader *reader, char c, bool continued,
                                nav_error *err)
{
    proto_obj_state *obj = &reader->state.obj;
    nav_status status = continued ? end_token(reader, err) : end_line(reader, err);
    obj->in_comment = false;
    obj->words.after_return = c == '\r';
    obj->words.line++;
    return status;
}

static nav_status take_byte(proto_geometry_reader *reader, char c, nav_error *err)
{
    proto_obj_state *obj = &reader->state.obj;
    nav_status status = NAV_OK;
    if (obj->words.after_return) {
        obj->words.after_return = false;
        if (c == '\n') {
            return NAV_OK;
        }
    }
    if (obj->after_backslash) {
        obj->after_backslash = false;
        if (is_line_end(c)) {
            return take_line_end(reader, c, true, err);
        }
        status = take_letter(obj, '\\', err);
        if (status != NAV_OK) {
            return status;
        }
    }
    if (is_line_end(c)) {
        status = take_line_end(reader, c, false, err);
    } else if (is_control(c)) {
        status =
            proto_words_refuse(&obj->words, err, "a control character; this is not an OBJ file");
    } else if (obj->in_comment || obj->mode == PROTO_OBJ_SKIP) {
        // A backslash means nothing here: a path such as C:\models\ may end a comment.
    } else if (is_blank(c) &&
               (obj->mode != PROTO_OBJ_MATERIAL || obj->words.word.size_bytes == 0)) {
        status = end_token(reader, err);
    } else if (c == '\\' && obj->mode != PROTO_OBJ_MATERIAL) {
        obj->after_backslash = true;
    } else if (c == '#' && obj->words.word.size_bytes == 0) {
        obj->in_comment = true;
    } else {
        status = take_letter(obj, c, err);
    }
    return status;
}

nav_status proto_obj_feed(proto_geometry_reader *reader, const uint8_t *bytes, size_t size_bytes,
                          nav_error *err)
{
    nav_status status = NAV_OK;
    for (size_t i = 0; i < size_bytes && status == NAV_OK; i++) {
        status = take_byte(reader, (char)bytes[i], err);
    }
    return status;
}

// Now that all vertices are known, the references to later ones can be checked.
static nav_status check_corners(const proto_geometry_reader *reader, nav_error *err)
{
    const proto_obj_state *obj = &reader->state.obj;
    const uint32_t count = reader->vertex_count;
    const proto_obj_corner wrong = obj->ahead.vertex > count ? obj->ahead : obj->highest;
    const unsigned long long line = wrong.line;
    if (wrong.vertex <= count) {
        return NAV_OK;
    }
    return nav_fail_bound(
        err, NAV_INDEX_OUT_OF_RANGE, nav_at("line %llu", line).text, wrong.vertex, count,
        "line %llu: there is no vertex %u: the file has %u, which are counted from 1", line,
        wrong.vertex, count);
}

nav_status proto_obj_end(proto_geometry_reader *reader, nav_error *err)
{
    proto_obj_state *obj = &reader->state.obj;
    if (obj->after_backslash) {
        nav_status status = take_letter(obj, '\\', err);
        if (status != NAV_OK) {
            return status;
        }
    }
    nav_status status = end_line(reader, err);
    return status == NAV_OK ? check_corners(reader, err) : status;
}
