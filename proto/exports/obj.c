// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// obj.c: the surface as Wavefront OBJ: the triangles of the height detail, grouped by area. An area
// is a material of its name, so that an upload of the file with the same coordinates is the same
// ground again. Links have no place in it.

#include "proto/base/coordinates.h"
#include "proto/exports/writers.h"
#include "proto/json/write.h"

// Digits behind the point: a float of a few hundred units is the same again.
#define DECIMALS 6

static void put_vertex(proto_writer *w, const float point[3])
{
    float level[3] = {point[0], point[1], point[2]};
    proto_to_level(w->coordinates, level);
    proto_writer_put(w, "v", 1);
    for (int axis = 0; axis < 3; axis++) {
        proto_writer_put(w, " ", 1);
        proto_writer_put_fixed(w, (double)level[axis], DECIMALS);
    }
    proto_writer_put(w, "\n", 1);
}

static void put_number(proto_writer *w, uint32_t number)
{
    char digits[12];
    char *first = digits + sizeof digits;
    do {
        *--first = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    proto_writer_put(w, first, (size_t)(digits + sizeof digits - first));
}

// Vertices are counted from 1. Corners run as in files of the level: where its reader turns
// triangles round, they are turned here as well.
static void put_faces(proto_writer *w, const selection *s, uint32_t place)
{
    const bool turned = proto_is_mirrored(w->coordinates) != w->coordinates.reversed;
    const uint32_t number = s->polygons[place];
    const nav_polygon polygon = nav_mesh_polygon(s->mesh, number);
    const selection_triangles all = selection_triangles_of(s->mesh, &polygon, number);
    for (uint32_t i = 0; i < all.count; i++) {
        uint32_t corners[3];
        selection_triangle(&all, i, corners);
        proto_writer_put(w, "f", 1);
        for (uint32_t k = 0; k < 3; k++) {
            proto_writer_put(w, " ", 1);
            put_number(w, 1 + selection_corner(s, &polygon, place, corners[turned ? 2 - k : k]));
        }
        proto_writer_put(w, "\n", 1);
    }
}

void export_obj(proto_writer *w, const proto_export *what, const selection *s)
{
    proto_write_text(w, "# navmeshd: mesh %s, version %u, %u polygons\n", what->mesh, what->version,
                     s->polygon_count);
    selection_each_vertex(s, w, put_vertex);
    for (uint32_t area = 0; area < SELECTION_AREAS; area++) {
        const uint32_t first = s->area_first[area], end = s->area_first[area + 1];
        nav_name name;
        if (first == end) {
            continue;
        }
        selection_area_name(s, (uint8_t)area, name);
        proto_write_text(w, "usemtl %s\n", name);
        for (uint32_t i = first; i < end; i++) {
            put_faces(w, s, s->by_area[i]);
        }
    }
}
