// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// body.c: the body of an upload. Either it is geometry, in the format that its Content-Type names,
// or it is a form with geometry and settings beside each other:
//
//   bytes --multipart.c--> part geometry --geometry/geometry.c--> triangles
//                          or parts geometry.NAME --geometry/parts.c--> triangles
//                          part config, a text; part parts, a text: where the pieces stand
//
// The geometry of a form is read as it arrives, as any other.

#include "proto/base/suggest.h"
#include "proto/geometry/geometry.h"
#include "proto/geometry/parts.h"
#include "proto/http/multipart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORM "multipart/form-data"

_Static_assert(sizeof((proto_body_type *)NULL)->boundary == PROTO_BOUNDARY_BYTES_MAX + 1,
               "room for every boundary");

typedef enum body_part {
    PART_NONE,
    PART_GEOMETRY,
    PART_PIECE, // geometry.NAME
    PART_CONFIG,
    PART_PLACES, // of the pieces
} body_part;

// A part that is kept as a text.
typedef struct body_text {
    bool given;
    char *bytes; // zero-terminated once the part has ended
    size_t capacity;
    uint32_t size_bytes;
} body_text;

struct proto_body {
    proto_geometry_limits limits;
    proto_geometry_reader *geometry; // NULL: of a form whose geometry has not begun
    proto_multipart *form;           // NULL: the body is geometry
    body_part part;                  // that is being read
    proto_parts *pieces;             // NULL: the level comes as one
    body_text config, places;
};

// ---- formats ----

static bool format_of_type(proto_span media_type, proto_format *out)
{
    // A client that knows no better says the last two: curl says the third for --data-binary.
    static const char *const says_nothing[] = {"", "application/octet-stream",
                                               "application/x-www-form-urlencoded"};
    for (size_t i = 0; i < sizeof says_nothing / sizeof says_nothing[0]; i++) {
        if (proto_span_is_word(media_type, says_nothing[i])) {
            *out = PROTO_FORMAT_UNKNOWN;
            return true;
        }
    }
    for (proto_format f = 0; f < PROTO_FORMAT_UNKNOWN; f++) {
        const char *type;
        for (uint32_t i = 0; (type = proto_format_media_type(f, i)) != NULL; i++) {
            if (proto_span_is_word(media_type, type)) {
                *out = f;
                return true;
            }
        }
    }
    return false;
}

static proto_format format_of_ending(proto_span file)
{
    for (proto_format f = 0; f < PROTO_FORMAT_UNKNOWN; f++) {
        const char *ending;
        for (uint32_t i = 0; (ending = proto_format_ending(f, i)) != NULL; i++) {
            const size_t length = strlen(ending);
            if (file.size_bytes > length &&
                proto_span_is_word((proto_span){file.at + file.size_bytes - length, length},
                                   ending)) {
                return f;
            }
        }
    }
    return PROTO_FORMAT_UNKNOWN;
}

proto_format proto_format_of_file(const char *name)
{
    return format_of_ending((proto_span){name, strlen(name)});
}

// what: the Content-Type of what; more: another type that is taken there.
static nav_status refuse_type(nav_error *err, const char *what, const char *more, proto_span got)
{
    char types[200];
    proto_format_types(types, sizeof types);
    nav_fail(err, PROTO_MEDIA_TYPE, "%s must be %s or %s", what, types, more);
    nav_error_got(err, "%.*s", proto_span_width(got, 60), got.at);
    return PROTO_MEDIA_TYPE;
}

nav_status proto_body_type_read(const char *content_type, proto_body_type *out, nav_error *err)
{
    const char *text = content_type != NULL ? content_type : "";
    proto_span rest;
    const proto_span word = proto_parameters_of((proto_span){text, strlen(text)}, &rest);
    proto_body_type type = {.is_form = proto_span_is_word(word, FORM)};
    if (type.is_form) {
        nav_status status = proto_multipart_boundary(text, type.boundary, err);
        if (status != NAV_OK) {
            return status;
        }
    } else if (!format_of_type(word, &type.format)) {
        return refuse_type(err, "Content-Type",
                           "application/octet-stream (the bytes tell), or " FORM,
                           (proto_span){text, strlen(text)});
    }
    *out = type;
    return NAV_OK;
}

// ---- a body ----

nav_status proto_body_begin(const proto_body_type *type, const proto_geometry_limits *limits,
                            proto_body **out, nav_error *err)
{
    proto_body *body = calloc(1, sizeof *body);
    if (body == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for an upload");
    }
    body->limits = limits != NULL ? *limits : proto_geometry_limits_default();
    nav_status status = NAV_OK;
    if (!type->is_form && type->format == PROTO_FORMAT_PARTS) {
        status = proto_parts_create(&body->limits, &body->pieces, err);
    } else if (!type->is_form) {
        status = proto_geometry_begin(type->format, &body->limits, &body->geometry, err);
    } else if ((body->form = malloc(sizeof *body->form)) == NULL) {
        status = nav_fail(err, NAV_NO_MEMORY, "no memory for an upload");
    } else {
        proto_multipart_init(body->form, type->boundary);
    }
    if (status != NAV_OK) {
        proto_body_destroy(body);
        return status;
    }
    *out = body;
    return NAV_OK;
}

void proto_body_destroy(proto_body *body)
{
    if (body != NULL) {
        proto_geometry_destroy(body->geometry);
        proto_parts_destroy(body->pieces);
        free(body->form);
        free(body->config.bytes);
        free(body->places.bytes);
        free(body);
    }
}

uint64_t proto_body_memory(const proto_body *body)
{
    return body->pieces != NULL ? proto_parts_memory(body->pieces)
                                : proto_geometry_memory(body->geometry);
}

// ---- parts of a form ----

// A part that does not say its type is judged by its file's name: so curl sends a file. If that
// says nothing either, the first bytes decide.
static nav_status format_of_part(const proto_part *part, proto_format *out, nav_error *err)
{
    proto_format format = PROTO_FORMAT_UNKNOWN;
    if (part->type.at != NULL && !format_of_type(part->type, &format)) {
        refuse_type(err, "the Content-Type of the part geometry", "application/octet-stream",
                    part->type);
        nav_error_at(err, "geometry");
        return PROTO_MEDIA_TYPE;
    }
    if (format == PROTO_FORMAT_UNKNOWN && part->file_name.at != NULL) {
        format = format_of_ending(part->file_name);
    }
    *out = format;
    return NAV_OK;
}

static nav_status refuse_twice(const char *name, nav_error *err)
{
    return nav_fail_at(err, NAV_INVALID_FIELD, name, "the part %s is there twice", name);
}

static nav_status refuse_both(nav_error *err)
{
    return nav_fail_at(err, NAV_INVALID_FIELD, "geometry",
                       "a form has one part geometry, or parts geometry.NAME, and not both");
}

static nav_status begin_geometry(proto_body *body, const proto_part *part, nav_error *err)
{
    proto_format format = PROTO_FORMAT_UNKNOWN;
    if (body->pieces != NULL) {
        return refuse_both(err);
    }
    if (body->geometry != NULL) {
        return refuse_twice("geometry", err);
    }
    nav_status status = format_of_part(part, &format, err);
    body->part = PART_GEOMETRY;
    return status == NAV_OK ? proto_geometry_begin(format, &body->limits, &body->geometry, err)
                            : status;
}

// name: behind "geometry.".
static nav_status begin_piece(proto_body *body, proto_span name, const proto_part *part,
                              nav_error *err)
{
    proto_format format = PROTO_FORMAT_UNKNOWN;
    proto_geometry_part piece = proto_part_default();
    if (body->geometry != NULL) {
        return refuse_both(err);
    }
    nav_status status = format_of_part(part, &format, err);
    NAV_IF_OK(status, proto_part_set_name(name.at, name.size_bytes, &piece, err));
    if (status == NAV_OK && body->pieces == NULL) {
        status = proto_parts_create(&body->limits, &body->pieces, err);
    }
    body->part = PART_PIECE;
    return status == NAV_OK ? proto_parts_begin(body->pieces, &piece, format, err) : status;
}

// A text: the settings, or the places of pieces.
static nav_status begin_text(proto_body *body, const char *name, const proto_part *part,
                             nav_error *err)
{
    static const char *const types[] = {"application/json", "text/plain",
                                        "application/octet-stream"};
    const bool is_config = strcmp(name, "config") == 0;
    body_text *text = is_config ? &body->config : &body->places;
    if (text->given) {
        return refuse_twice(name, err);
    }
    text->given = true;
    body->part = is_config ? PART_CONFIG : PART_PLACES;
    for (size_t i = 0; part->type.at != NULL && i < sizeof types / sizeof types[0]; i++) {
        if (proto_span_is_word(part->type, types[i])) {
            return NAV_OK;
        }
    }
    if (part->type.at == NULL) {
        return NAV_OK;
    }
    nav_fail_at(err, PROTO_MEDIA_TYPE, name,
                "the part %s is application/json, or text/plain, or without a Content-Type", name);
    nav_error_got(err, "%.*s", proto_span_width(part->type, 60), part->type.at);
    return PROTO_MEDIA_TYPE;
}

static bool is_text(proto_span name, const char *text)
{
    return name.size_bytes == strlen(text) && memcmp(name.at, text, name.size_bytes) == 0;
}

#define PIECE "geometry."

static nav_status begin_part(void *user, const proto_part *part, nav_error *err)
{
    proto_body *body = user;
    const proto_span name = part->name;
    const size_t before = strlen(PIECE);
    if (is_text(name, "geometry")) {
        return begin_geometry(body, part, err);
    }
    if (is_text(name, "config")) {
        return begin_text(body, "config", part, err);
    }
    if (is_text(name, "parts")) {
        return begin_text(body, "parts", part, err);
    }
    if (name.size_bytes > before && memcmp(name.at, PIECE, before) == 0) {
        return begin_piece(body, (proto_span){name.at + before, name.size_bytes - before}, part,
                           err);
    }
    nav_fail_at(err, PROTO_UNKNOWN_FIELD, nav_at("%.*s", proto_span_width(name, 95), name.at).text,
                "a form has the parts geometry and config, or geometry.NAME, parts and config, not "
                "\"%.*s\"",
                proto_span_width(name, 80), name.at);
    proto_suggestion meant = proto_suggest(name.at, name.size_bytes);
    proto_suggest_offer(&meant, "geometry", strlen("geometry"));
    proto_suggest_offer(&meant, "config", strlen("config"));
    proto_suggest_offer(&meant, "parts", strlen("parts"));
    proto_suggest_say(&meant, err);
    return PROTO_UNKNOWN_FIELD;
}

static nav_status add_to_text(const proto_body *body, body_text *text, const void *bytes,
                              size_t size_bytes, nav_error *err)
{
    if (size_bytes > body->limits.config_bytes_max - text->size_bytes) {
        return proto_geometry_config_too_large(&body->limits, err);
    }
    nav_status status = proto_geometry_append(&text->bytes, &text->capacity, text->size_bytes,
                                              bytes, size_bytes, 1, err);
    text->size_bytes += status == NAV_OK ? (uint32_t)size_bytes : 0;
    NAV_IF_OK(status, proto_geometry_append(&text->bytes, &text->capacity, text->size_bytes, "", 1,
                                            1, err));
    return status;
}

static nav_status take_part(void *user, const void *bytes, size_t size_bytes, nav_error *err)
{
    proto_body *body = user;
    switch (body->part) {
    case PART_GEOMETRY:
        return proto_geometry_feed(body->geometry, bytes, size_bytes, err);
    case PART_PIECE:
        return proto_parts_feed(body->pieces, bytes, size_bytes, err);
    case PART_CONFIG:
        return add_to_text(body, &body->config, bytes, size_bytes, err);
    case PART_PLACES:
        return add_to_text(body, &body->places, bytes, size_bytes, err);
    case PART_NONE:
        break;
    }
    return nav_fail(err, PROTO_INTERNAL, "bytes of no part");
}

// The whole text is checked before it is passed on as a string: it may have zeros within.
static nav_status check_config(const proto_body *body, nav_error *err)
{
    const char *text = body->config.bytes != NULL ? body->config.bytes : "";
    nav_error why = {0};
    nav_status status =
        proto_json_scan(text, body->config.size_bytes, body->limits.config_depth_max,
                        body->limits.config_values_max, &why);
    if (status != NAV_OK) {
        if (err != NULL) {
            *err = why;
            (void)snprintf(err->detail, sizeof err->detail, "config: %.240s", why.detail);
        }
        return status;
    }
    if (text[strspn(text, " \t\r\n")] != '{') {
        return nav_fail_at(err, NAV_INVALID_FIELD, "config", "config must be an object");
    }
    return NAV_OK;
}

// The kind of each piece is known once all of the form has come.
static nav_status check_places(proto_body *body, nav_error *err)
{
    proto_geometry_part *places;
    uint32_t count;
    const char *text = body->places.bytes != NULL ? body->places.bytes : "";
    if (!body->places.given) {
        return NAV_OK;
    }
    if (body->pieces == NULL) {
        return nav_fail_at(err, NAV_INVALID_FIELD, "parts",
                           "parts is for a form of parts geometry.NAME");
    }
    nav_status status = proto_part_places_read(text, body->places.size_bytes, &places, &count, err);
    if (status == NAV_OK) {
        proto_parts_take_places(body->pieces, places, count);
    }
    return status;
}

static nav_status end_part(void *user, nav_error *err)
{
    proto_body *body = user;
    const body_part part = body->part;
    body->part = PART_NONE;
    return part == PART_CONFIG  ? check_config(body, err)
           : part == PART_PIECE ? proto_parts_end(body->pieces, err)
                                : NAV_OK;
}

// ---- the whole ----

nav_status proto_body_feed(proto_body *body, const void *bytes, size_t size_bytes, nav_error *err)
{
    if (body->form == NULL) {
        return body->pieces != NULL ? proto_parts_feed(body->pieces, bytes, size_bytes, err)
                                    : proto_geometry_feed(body->geometry, bytes, size_bytes, err);
    }
    const proto_multipart_sink sink = {
        .user = body, .begin = begin_part, .take = take_part, .end = end_part};
    return proto_multipart_feed(body->form, bytes, size_bytes, &sink, err);
}

nav_status proto_body_end(proto_body *body, nav_geometry *out, nav_error *err)
{
    nav_status status = body->form != NULL ? proto_multipart_end(body->form, err) : NAV_OK;
    NAV_IF_OK(status, check_places(body, err));
    if (status != NAV_OK || body->pieces != NULL) {
        return status;
    }
    if (body->geometry == NULL) {
        return nav_fail_at(err, NAV_INVALID_FIELD, "geometry", "the form has no part geometry");
    }
    status = proto_geometry_end(body->geometry, out, err);
    if (status == NAV_OK && body->config.given && proto_geometry_config(body->geometry) != NULL) {
        return nav_fail_at(
            err, NAV_INVALID_FIELD, "config",
            "the geometry has a config within, and there is a part config: send one of them");
    }
    return status;
}

nav_status proto_body_place(proto_body *body, nav_coordinates coordinates, nav_geometry *out,
                            nav_error *err)
{
    return body->pieces != NULL ? proto_parts_place(body->pieces, coordinates, out, err) : NAV_OK;
}

static proto_geometry_reader *whole_of(const proto_body *body)
{
    return body->pieces != NULL ? proto_parts_whole(body->pieces) : body->geometry;
}

const char *proto_body_config(const proto_body *body)
{
    return body->config.given ? body->config.bytes : proto_geometry_config(whole_of(body));
}

const void *proto_body_source(const proto_body *body, size_t *size_bytes)
{
    return proto_geometry_source(whole_of(body), size_bytes);
}

proto_format proto_body_format(const proto_body *body)
{
    return proto_geometry_format(whole_of(body));
}

proto_parts *proto_body_parts(const proto_body *body)
{
    return body->pieces;
}

const proto_geometry_shape *proto_body_shapes(const proto_body *body, uint32_t *count)
{
    return proto_geometry_shapes(whole_of(body), count);
}

nav_status proto_body_to_mesh(proto_body *body, nav_coordinates coordinates, nav_error *err)
{
    return proto_geometry_to_mesh(whole_of(body), coordinates, err);
}
