// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// json_refuse.c: what JSON geometry is refused for, and where. A bracket where none may
// stand is not reported at once: its depth is followed first, so that a text nested too deeply is
// called just that.

#include "proto/geometry/json.h"

#include <stdio.h>

const char *const PROTO_GEOJSON_NAMES[PROTO_GEOJSON_MEMBER_COUNT] = {"vertices", "triangles",
                                                                     "areas", "config"};

nav_status proto_geojson_bad_json(const proto_geojson_state *json, nav_error *err, const char *what)
{
    nav_fail(err, PROTO_BAD_JSON, "%s at byte %llu", what, (unsigned long long)json->byte);
    nav_error_at(err, "byte %llu", (unsigned long long)json->byte);
    return PROTO_BAD_JSON;
}

// The list element that is being read, as a client would name it: "vertices[4]".
static void error_at_element(const proto_geometry_reader *reader, nav_error *err)
{
    const proto_geojson_state *json = &reader->state.json;
    uint32_t number = json->member == PROTO_GEOJSON_VERTICES ? reader->vertex_count
                      : json->member == PROTO_GEOJSON_AREAS  ? reader->materials.count
                                                             : reader->triangle_count;
    nav_error_at(err, "%s[%u]", PROTO_GEOJSON_NAMES[json->member], number);
}

nav_status proto_geojson_bad_element(const proto_geometry_reader *reader, nav_error *err,
                                     nav_status status, const char *what)
{
    const proto_geojson_state *json = &reader->state.json;
    nav_fail(err, status, "%s: %s at byte %llu", PROTO_GEOJSON_NAMES[json->member], what,
             (unsigned long long)json->byte);
    error_at_element(reader, err);
    if (json->token.size_bytes > 0) {
        nav_error_got(err, "%.63s", json->token.text);
    }
    return status;
}

// ---- what may not stand where it stands ----

// Keeps the error that was just made and follows the brackets on.
static nav_status refuse_bracket(proto_geojson_state *json, nav_error *err, uint32_t depth)
{
    if (err != NULL) {
        json->refused = *err;
    }
    json->place = PROTO_GEOJSON_REFUSED;
    json->depth = depth;
    return NAV_OK;
}

nav_status proto_geojson_too_deep(const proto_geojson_state *json, uint32_t depth_max,
                                  nav_error *err)
{
    nav_fail(err, PROTO_JSON_TOO_DEEP, "nested more than %u deep at byte %llu", depth_max,
             (unsigned long long)json->byte);
    nav_error_at(err, "byte %llu", (unsigned long long)json->byte);
    nav_error_limit(err, "%u", depth_max);
    return PROTO_JSON_TOO_DEEP;
}

nav_status proto_geojson_report_refused(const proto_geojson_state *json, nav_error *err)
{
    if (err != NULL) {
        *err = json->refused;
    }
    return json->refused.status;
}

#define REFUSED_BYTES_MAX 4096u

// The text is wrong already: any closing bracket shows that it will not get much deeper, and so
// does a long text without one.
nav_status proto_geojson_take_refused(proto_geojson_state *json, char c, nav_error *err)
{
    if (c == ']' || c == '}' || ++json->refused_bytes > REFUSED_BYTES_MAX) {
        return proto_geojson_report_refused(json, err);
    }
    if ((c == '[' || c == '{') && ++json->depth > PROTO_JSON_DEPTH_MAX) {
        return proto_geojson_too_deep(json, PROTO_JSON_DEPTH_MAX, err);
    }
    return NAV_OK;
}

nav_status proto_geojson_unexpected(proto_geometry_reader *reader, char c, const char *expected,
                                    nav_error *err)
{
    proto_geojson_state *json = &reader->state.json;
    nav_error made = {0};
    bool in_list =
        json->place >= PROTO_GEOJSON_ELEMENT_FIRST && json->place <= PROTO_GEOJSON_AFTER_AREA;
    bool in_areas = in_list && json->place >= PROTO_GEOJSON_AREA_FIRST;
    bool is_value = c == '[' || c == '{' || c == '"' || proto_geojson_is_token_byte(c);
    bool between = json->place == PROTO_GEOJSON_AFTER_ELEMENT ||
                   json->place == PROTO_GEOJSON_AFTER_NUMBER ||
                   json->place == PROTO_GEOJSON_AFTER_AREA;
    if (json->place == PROTO_GEOJSON_VALUE && is_value) {
        nav_fail(&made, NAV_INVALID_FIELD, "%s must be %s", PROTO_GEOJSON_NAMES[json->member],
                 expected);
        nav_error_at(&made, "%s", PROTO_GEOJSON_NAMES[json->member]);
    } else if (in_list && is_value && !between) {
        proto_geojson_bad_element(reader, &made, NAV_INVALID_FIELD,
                                  in_areas ? "expected a name" : "expected a number");
    } else {
        char what[64];
        snprintf(what, sizeof what, "expected %s", expected);
        proto_geojson_bad_json(json, &made, what);
    }
    if (c == '[' || c == '{') {
        uint32_t depth = json->place == PROTO_GEOJSON_START || json->place == PROTO_GEOJSON_DONE ? 1
                         : json->place < PROTO_GEOJSON_ELEMENT_FIRST                             ? 2
                         : json->place < PROTO_GEOJSON_ROW_FIRST || in_areas                     ? 3
                                                                             : 4;
        return refuse_bracket(json, &made, depth);
    }
    if (err != NULL) {
        *err = made;
    }
    return made.status;
}
