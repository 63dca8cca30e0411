// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// json.h: between the files geometry_json*.c. Private to them.

#pragma once

#include "proto/geometry/geometry.h"

// By proto_geojson_member.
extern const char *const PROTO_GEOJSON_NAMES[PROTO_GEOJSON_MEMBER_COUNT];

// Of a number or a literal.
static inline bool proto_geojson_is_token_byte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '+' || c == '.';
}

// json_refuse.c: fills err, with the place, and returns its status.
nav_status proto_geojson_bad_json(const proto_geojson_state *json, nav_error *err,
                                  const char *what);
nav_status proto_geojson_too_deep(const proto_geojson_state *json, uint32_t depth_max,
                                  nav_error *err);
// Refuses the list element that is being read.
nav_status proto_geojson_bad_element(const proto_geometry_reader *reader, nav_error *err,
                                     nav_status status, const char *what);
// Refuses c, which the grammar does not allow here; a bracket is followed first.
nav_status proto_geojson_unexpected(proto_geometry_reader *reader, char c, const char *expected,
                                    nav_error *err);
// The next byte behind such a bracket, and what was wrong with it.
nav_status proto_geojson_take_refused(proto_geojson_state *json, char c, nav_error *err);
nav_status proto_geojson_report_refused(const proto_geojson_state *json, nav_error *err);

// json.c: the next byte of a name or a number.
nav_status proto_geojson_add_to_token(proto_geojson_state *json, char c, nav_error *err);

// json_areas.c: the next byte of the list, and of a name in it.
nav_status proto_geojson_take_areas(proto_geometry_reader *reader, char c, nav_error *err);
nav_status proto_geojson_take_area_byte(proto_geometry_reader *reader, char c, nav_error *err);
