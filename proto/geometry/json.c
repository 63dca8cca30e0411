// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// json.c: JSON geometry to triangles, in pieces of any size, without a tree.
//
//   {"vertices":[[x,y,z],...], "triangles":[[a,b,c],...], "areas":["water",...], "config":{...}}
//
// The grammar is shallow, so the place in it is one enum (proto_geojson_place) and no stack is
// needed; lists may be flat. What it refuses is in json_refuse.c.

#include "proto/geometry/json.h"

#include <math.h>
#include <string.h>

// ---- numbers ----

static nav_status end_row(proto_geometry_reader *reader, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    json->number_count = 0;
    return json->member == PROTO_GEOJSON_VERTICES
               ? proto_geometry_add_vertex(reader, json->position, err)
               : proto_geometry_add_triangle(reader, json->corners, err);
}

static nav_status take_coordinate(proto_geometry_reader *reader, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    const char *text = json->token.text;
    double value = (double)NAN;
    if (proto_text_json_number(text, json->token.size_bytes) == json->token.size_bytes) {
        proto_text_decimal(text, json->token.size_bytes, &value);
    } else {
        text = proto_text_not_finite(text);
        if (text == NULL) {
            return proto_geojson_bad_json(json, err, "expected a number");
        }
    }
    json->position[json->number_count] = (float)value;
    return proto_geometry_check_coordinate(reader, json->number_count, value, text, err);
}

static nav_status take_index(proto_geometry_reader *reader, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    double value;
    if (proto_text_json_number(json->token.text, json->token.size_bytes) !=
            json->token.size_bytes ||
        !proto_text_decimal(json->token.text, json->token.size_bytes, &value)) {
        return proto_geojson_bad_json(json, err, "expected an index");
    }
    if (isfinite(value) && floor(value) != value) {
        return proto_geojson_bad_element(reader, err, NAV_INVALID_FIELD,
                                         "an index is not a whole number");
    }
    if (value < 0.0 || value >= (double)reader->limits.vertices_max) {
        nav_status status = proto_geojson_bad_element(
            reader, err, NAV_INDEX_OUT_OF_RANGE,
            value < 0.0 ? "an index is negative" : "an index is larger than any mesh allows");
        nav_error_limit(err, "%u", reader->limits.vertices_max);
        return status;
    }
    json->corners[json->number_count] = (uint32_t)value;
    return NAV_OK;
}

// A number or literal has ended. It stands in a list, or it is a member's value of a wrong type.
static nav_status end_token(proto_geometry_reader *reader, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    json->in_token = false;
    json->token.text[json->token.size_bytes] = '\0';
    const char first = json->token.text[0];
    bool literal =
        (first == 'n' || first == 't' || first == 'f') &&
        (strcmp(json->token.text, "null") == 0 || strcmp(json->token.text, "true") == 0 ||
         strcmp(json->token.text, "false") == 0);
    if (literal) {
        return proto_geojson_bad_element(reader, err, NAV_INVALID_FIELD, "expected a number");
    }
    nav_status status = json->member == PROTO_GEOJSON_VERTICES ? take_coordinate(reader, err)
                                                               : take_index(reader, err);
    if (status != NAV_OK) {
        return status;
    }
    json->token.size_bytes = 0;
    json->number_count++;
    bool row = json->place == PROTO_GEOJSON_ROW || json->place == PROTO_GEOJSON_ROW_FIRST;
    json->place = row ? PROTO_GEOJSON_AFTER_NUMBER : PROTO_GEOJSON_AFTER_ELEMENT;
    return !row && json->number_count == 3 ? end_row(reader, err) : NAV_OK;
}

nav_status proto_geojson_add_to_token(proto_geojson_state *json, char c, nav_error *err)
{
    if (json->token.size_bytes >= PROTO_NUMBER_BYTES_MAX) {
        return proto_geojson_bad_json(json, err, "a name or number is too long");
    }
    json->token.text[json->token.size_bytes++] = c;
    return NAV_OK;
}

// ---- members ----

static nav_status end_name(proto_geojson_state *json, nav_error *err)
{
    json->in_name = false;
    json->token.text[json->token.size_bytes] = '\0';
    const char *name = json->token.text;
    for (uint32_t i = 0; i < PROTO_GEOJSON_MEMBER_COUNT; i++) {
        if (strcmp(name, PROTO_GEOJSON_NAMES[i]) != 0) {
            continue;
        }
        if (json->seen[i]) {
            nav_fail(err, PROTO_BAD_JSON, "the name \"%s\" appears twice", name);
            nav_error_at(err, "%s", name);
            return PROTO_BAD_JSON;
        }
        json->seen[i] = true;
        json->member = (proto_geojson_member)i;
        json->place = PROTO_GEOJSON_COLON;
        json->token.size_bytes = 0;
        return NAV_OK;
    }
    nav_fail(err, PROTO_UNKNOWN_FIELD, "JSON geometry has no member \"%.80s\"", name);
    nav_error_at(err, "%.95s", name);
    return PROTO_UNKNOWN_FIELD;
}

static nav_status begin_value(proto_geometry_reader *reader, char c, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    if (json->member == PROTO_GEOJSON_CONFIG_MEMBER) {
        if (c != '{') {
            return proto_geojson_unexpected(reader, c, "an object", err);
        }
        json->place = PROTO_GEOJSON_CONFIG;
        json->config_byte = json->byte;
        json->depth = 0;
        return NAV_OK;
    }
    if (c != '[') {
        return proto_geojson_unexpected(reader, c, "a list", err);
    }
    json->place = json->member == PROTO_GEOJSON_AREAS ? PROTO_GEOJSON_AREA_FIRST
                                                      : PROTO_GEOJSON_ELEMENT_FIRST;
    json->flat = json->nested = false;
    json->number_count = 0;
    return NAV_OK;
}

static nav_status add_to_config(proto_geometry_reader *reader, const char *bytes, size_t size_bytes,
                                nav_error *err)
{
    void *block = reader->config;
    nav_status status = proto_geometry_reserve(
        &block, &reader->config_capacity, reader->config_bytes, size_bytes + 1, sizeof *bytes, err);
    reader->config = block;
    if (status == NAV_OK) {
        memcpy(reader->config + reader->config_bytes, bytes, size_bytes);
        reader->config_bytes += (uint32_t)size_bytes;
        reader->config[reader->config_bytes] = '\0';
    }
    return status;
}

// One byte of config: looks for its end. Whether it is JSON is looked at once it is whole.
static nav_status step_config(proto_geometry_reader *reader, char c, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    if (json->in_string) {
        json->in_string = json->in_escape || c != '"';
        json->in_escape = !json->in_escape && c == '\\';
    } else if (c == '"') {
        json->in_string = true;
    } else if (c == '{' || c == '[') {
        // The object around config is one level more.
        if (++json->depth >= reader->limits.config_depth_max) {
            return proto_geojson_too_deep(json, reader->limits.config_depth_max, err);
        }
    } else if ((c == '}' || c == ']') && --json->depth == 0) {
        json->place = PROTO_GEOJSON_AFTER_VALUE;
    }
    return NAV_OK;
}

// Copies config as text, as much of it as there is. *used: how many bytes are its.
static nav_status take_config(proto_geometry_reader *reader, const char *bytes, size_t size_bytes,
                              size_t *used, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    const size_t room = reader->limits.config_bytes_max - reader->config_bytes;
    const size_t most = size_bytes < room ? size_bytes : room;
    nav_status status = NAV_OK;
    size_t at = 0;
    for (; at < most && status == NAV_OK && json->place == PROTO_GEOJSON_CONFIG; at++) {
        status = step_config(reader, bytes[at], err);
        json->byte += status == NAV_OK;
    }
    *used = at;
    if (status == NAV_OK) {
        status = add_to_config(reader, bytes, at, err);
    }
    if (status != NAV_OK || json->place == PROTO_GEOJSON_CONFIG) {
        return status == NAV_OK && at < size_bytes
                   ? proto_geometry_config_too_large(&reader->limits, err)
                   : status;
    }
    return proto_json_scan_part(reader->config, reader->config_bytes, json->config_byte,
                                reader->limits.config_depth_max, reader->limits.config_values_max,
                                err);
}

// ---- lists ----

static nav_status begin_element(proto_geometry_reader *reader, char c, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    if (c == '[' ? json->flat : (json->nested && proto_geojson_is_token_byte(c))) {
        return proto_geojson_bad_element(reader, err, PROTO_BAD_GEOMETRY,
                                         "rows and plain numbers are mixed");
    }
    if (c == '[') {
        json->nested = true;
        json->place = PROTO_GEOJSON_ROW_FIRST;
        return NAV_OK;
    }
    if (!proto_geojson_is_token_byte(c)) {
        return proto_geojson_unexpected(reader, c, "a number, a row or ]", err);
    }
    json->flat = true;
    json->in_token = true;
    return proto_geojson_add_to_token(json, c, err);
}

static nav_status take_list(proto_geometry_reader *reader, char c, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    bool may_end = json->place != PROTO_GEOJSON_ELEMENT;
    if (c == ']' && may_end) {
        if (json->number_count != 0) {
            return proto_geojson_bad_element(reader, err, PROTO_BAD_GEOMETRY,
                                             "the count of numbers is not a multiple of three");
        }
        json->place = PROTO_GEOJSON_AFTER_VALUE;
        return NAV_OK;
    }
    if (json->place != PROTO_GEOJSON_AFTER_ELEMENT) {
        return begin_element(reader, c, err);
    }
    if (c != ',') {
        return proto_geojson_unexpected(reader, c, ", or ]", err);
    }
    json->place = PROTO_GEOJSON_ELEMENT;
    return NAV_OK;
}

static nav_status take_row(proto_geometry_reader *reader, char c, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    if (c == ']' && json->place != PROTO_GEOJSON_ROW) {
        if (json->number_count != 3) {
            return proto_geojson_bad_element(reader, err, PROTO_BAD_GEOMETRY,
                                             "a row has fewer than three numbers");
        }
        json->place = PROTO_GEOJSON_AFTER_ELEMENT;
        return end_row(reader, err);
    }
    if (json->place == PROTO_GEOJSON_AFTER_NUMBER) {
        if (c != ',') {
            return proto_geojson_unexpected(reader, c, ", or ]", err);
        }
        if (json->number_count == 3) {
            return proto_geojson_bad_element(reader, err, PROTO_BAD_GEOMETRY,
                                             "a row has more than three numbers");
        }
        json->place = PROTO_GEOJSON_ROW;
        return NAV_OK;
    }
    if (!proto_geojson_is_token_byte(c)) {
        return proto_geojson_unexpected(reader, c, "a number", err);
    }
    json->in_token = true;
    return proto_geojson_add_to_token(json, c, err);
}

// ---- the outer object ----

static nav_status take_object(proto_geometry_reader *reader, char c, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    switch (json->place) {
    case PROTO_GEOJSON_START:
        if (c != '{') {
            return proto_geojson_unexpected(reader, c, "{", err);
        }
        json->place = PROTO_GEOJSON_KEY_FIRST;
        return NAV_OK;
    case PROTO_GEOJSON_KEY_FIRST:
    case PROTO_GEOJSON_KEY:
        if (c == '}' && json->place == PROTO_GEOJSON_KEY_FIRST) {
            json->place = PROTO_GEOJSON_DONE;
            return NAV_OK;
        }
        json->in_name = c == '"';
        return c == '"' ? NAV_OK : proto_geojson_unexpected(reader, c, "a name in quotes", err);
    case PROTO_GEOJSON_COLON:
        if (c != ':') {
            return proto_geojson_unexpected(reader, c, "a colon", err);
        }
        json->place = PROTO_GEOJSON_VALUE;
        return NAV_OK;
    case PROTO_GEOJSON_AFTER_VALUE:
        if (c != ',' && c != '}') {
            return proto_geojson_unexpected(reader, c, ", or }", err);
        }
        json->place = c == ',' ? PROTO_GEOJSON_KEY : PROTO_GEOJSON_DONE;
        return NAV_OK;
    default:
        return proto_geojson_unexpected(reader, c, "nothing after the end", err);
    }
}

static nav_status take_byte(proto_geometry_reader *reader, char c, nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    if (json->in_token) {
        if (proto_geojson_is_token_byte(c)) {
            return proto_geojson_add_to_token(json, c, err);
        }
        nav_status status = end_token(reader, err);
        if (status != NAV_OK) {
            return status;
        }
    }
    if (json->in_area) {
        return proto_geojson_take_area_byte(reader, c, err);
    }
    if (json->in_name) {
        if ((uint8_t)c < 0x20) {
            return proto_geojson_bad_json(json, err, "control character in a name");
        }
        return c == '"' ? end_name(json, err) : proto_geojson_add_to_token(json, c, err);
    }
    if (json->place == PROTO_GEOJSON_REFUSED) {
        return proto_geojson_take_refused(json, c, err);
    }
    if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
        return NAV_OK;
    }
    if (json->place == PROTO_GEOJSON_VALUE) {
        return begin_value(reader, c, err);
    }
    if (json->place >= PROTO_GEOJSON_AREA_FIRST && json->place <= PROTO_GEOJSON_AFTER_AREA) {
        return proto_geojson_take_areas(reader, c, err);
    }
    if (json->place >= PROTO_GEOJSON_ROW_FIRST && json->place <= PROTO_GEOJSON_AFTER_NUMBER) {
        return take_row(reader, c, err);
    }
    if (json->place >= PROTO_GEOJSON_ELEMENT_FIRST && json->place <= PROTO_GEOJSON_AFTER_ELEMENT) {
        return take_list(reader, c, err);
    }
    return take_object(reader, c, err);
}

nav_status proto_geojson_feed(proto_geometry_reader *reader, const char *bytes, size_t size_bytes,
                              nav_error *err)
{
    nav_status status = NAV_OK;
    for (size_t i = 0, used; i < size_bytes && status == NAV_OK; i += used) {
        used = 1;
        // The bracket that begins config is its first byte.
        if (reader->state.json.place != PROTO_GEOJSON_CONFIG) {
            status = take_byte(reader, bytes[i], err);
        }
        if (status == NAV_OK && reader->state.json.place == PROTO_GEOJSON_CONFIG) {
            status = take_config(reader, bytes + i, size_bytes - i, &used, err);
        } else {
            reader->state.json.byte++;
        }
    }
    return status;
}

nav_status proto_geojson_end(proto_geometry_reader *reader, nav_error *err)
{
    const proto_geojson_state *json = &reader->state.json;
    if (json->place == PROTO_GEOJSON_REFUSED) {
        return proto_geojson_report_refused(json, err);
    }
    if (json->place != PROTO_GEOJSON_DONE) {
        return proto_geojson_bad_json(json, err, "the text ends too soon");
    }
    if (json->seen[PROTO_GEOJSON_AREAS] && reader->materials.count != reader->triangle_count) {
        nav_fail(err, PROTO_BAD_GEOMETRY, "areas has %u names for %u triangles",
                 reader->materials.count, reader->triangle_count);
        nav_error_at(err, "areas");
        nav_error_got(err, "%u", reader->materials.count);
        nav_error_limit(err, "%u", reader->triangle_count);
        return PROTO_BAD_GEOMETRY;
    }
    return NAV_OK;
}
