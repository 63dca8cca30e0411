// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// reply.h: pieces that several answers have in common. Private to proto/.

#pragma once

#include "proto/proto.h"

// A whole number as a string: numbers of polygons are names to clients, not quantities.
void proto_write_number_text(proto_writer *w, uint32_t number);
// "area":"water", the member of an object; an area without a name is told by its number.
void proto_write_area(proto_writer *w, const nav_mesh *mesh, uint8_t area);
// The member `key`: yes or no.
void proto_write_flag(proto_writer *w, const char *key, bool value);
// The member `key`: a point, or null where there is none.
void proto_write_point_if(proto_writer *w, const char *key, bool there, const float point[3]);
