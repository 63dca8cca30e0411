// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// geometry_json.h: between geometry_json.c and geometry_json_areas.c. Private to them.

#pragma once

#include "proto/geometry.h"

// Refuses the list element that is being read.
nav_status proto_geojson_bad_element(const proto_geometry_reader *reader, nav_error *err,
                                     nav_status status, const char *what);
// Refuses c, which the grammar does not allow here; a bracket is followed first.
nav_status proto_geojson_unexpected(proto_geometry_reader *reader, char c, const char *expected,
                                    nav_error *err);
nav_status proto_geojson_add_to_token(proto_geojson_state *json, char c, nav_error *err);

// The next byte of the list, and of a name in it.
nav_status proto_geojson_take_areas(proto_geometry_reader *reader, char c, nav_error *err);
nav_status proto_geojson_take_area_byte(proto_geometry_reader *reader, char c, nav_error *err);
