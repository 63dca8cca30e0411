// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// nearest.c: places on the mesh: the answers to a nearest, a random and a reachable query.

#include "proto/replies/reply.h"

#include <stdio.h>

void proto_write_number_text(proto_writer *w, uint32_t number)
{
    char text[16];
    (void)snprintf(text, sizeof text, "%u", number);
    proto_write_string(w, text);
}

void proto_write_area(proto_writer *w, const nav_mesh *mesh, uint8_t area)
{
    const char *name = nav_mesh_area_name(mesh, area);
    proto_write_key(w, "area");
    if (name[0] != '\0') {
        proto_write_string(w, name);
    } else {
        proto_write_number_text(w, area);
    }
}

void proto_write_polygon(proto_writer *w, const nav_mesh *mesh, uint32_t polygon)
{
    const nav_polygon whole = nav_mesh_polygon(mesh, polygon);
    proto_write_key(w, "polygon");
    proto_write_number_text(w, polygon);
    proto_write_area(w, mesh, whole.area);
    proto_write_key(w, "component");
    proto_write_int(w, whole.component);
}

static void write_points(proto_writer *w, const nav_mesh *nav, const nav_location *locations,
                         uint32_t count)
{
    proto_write_key(w, "points");
    proto_write_array_begin(w);
    for (uint32_t i = 0; i < count; i++) {
        proto_write_object_begin(w);
        proto_write_key(w, "position");
        proto_write_point(w, locations[i].position);
        proto_write_key(w, "distance");
        proto_write_fixed(w, (double)locations[i].distance, 3);
        proto_write_polygon(w, nav, locations[i].polygon);
        proto_write_object_end(w);
    }
    proto_write_array_end(w);
}

void proto_write_nearest(proto_writer *w, const char *mesh, uint32_t version, const nav_mesh *nav,
                         const nav_location *locations, uint32_t count)
{
    proto_write_answer_begin(w, mesh, version);
    write_points(w, nav, locations, count);
    proto_write_object_end(w);
}

void proto_write_random(proto_writer *w, const char *mesh, uint32_t version, const nav_mesh *nav,
                        uint32_t seed, const nav_location *locations, uint32_t count)
{
    proto_write_answer_begin(w, mesh, version);
    proto_write_key(w, "seed");
    proto_write_int(w, seed);
    write_points(w, nav, locations, count);
    proto_write_object_end(w);
}

void proto_write_reachable(proto_writer *w, const char *mesh, uint32_t version,
                           const bool *reachable, uint32_t count)
{
    proto_write_answer_begin(w, mesh, version);
    proto_write_key(w, "reachable");
    proto_write_array_begin(w);
    for (uint32_t i = 0; i < count; i++) {
        proto_write_bool(w, reachable[i]);
    }
    proto_write_array_end(w);
    proto_write_object_end(w);
}

void proto_write_late(proto_writer *w, const char *mesh, uint32_t version)
{
    proto_write_answer_begin(w, mesh, version);
    proto_write_key(w, "reason");
    proto_write_string(w, nav_path_reason_word(NAV_REASON_DEADLINE));
    proto_write_object_end(w);
}
