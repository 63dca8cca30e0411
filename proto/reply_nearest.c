// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// reply_nearest.c: the answer to a nearest query.

#include "proto/proto.h"

#include <stdio.h>

// A polygon's name is text, so that names may grow a tile part later without breaking clients.
static void write_number_as_text(proto_writer *w, const char *key, uint32_t number)
{
    char text[16];
    snprintf(text, sizeof text, "%u", number);
    proto_write_key(w, key);
    proto_write_string(w, text);
}

static void write_area(proto_writer *w, uint8_t area)
{
    if (area == NAV_AREA_GROUND) {
        proto_write_key(w, "area");
        proto_write_string(w, "ground");
    } else {
        write_number_as_text(w, "area", area);
    }
}

void proto_write_nearest(proto_writer *w, const char *mesh, uint32_t version, const nav_mesh *nav,
                         const nav_location *locations, uint32_t count)
{
    proto_write_object_begin(w);
    proto_write_key(w, "mesh");
    proto_write_string(w, mesh);
    proto_write_key(w, "version");
    proto_write_int(w, version);
    proto_write_key(w, "points");
    proto_write_array_begin(w);
    for (uint32_t i = 0; i < count; i++) {
        nav_polygon polygon = nav_mesh_polygon(nav, locations[i].polygon);
        proto_write_object_begin(w);
        proto_write_key(w, "position");
        proto_write_point(w, locations[i].position);
        proto_write_key(w, "distance");
        proto_write_fixed(w, (double)locations[i].distance, 3);
        write_number_as_text(w, "polygon", locations[i].polygon);
        write_area(w, polygon.area);
        proto_write_key(w, "component");
        proto_write_int(w, polygon.component);
        proto_write_object_end(w);
    }
    proto_write_array_end(w);
    proto_write_object_end(w);
}
