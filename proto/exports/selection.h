// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// selection.h: the part of a mesh that a file has, numbered anew: its polygons, their vertices and
// triangles, links. Private to the room.

#pragma once

#include "proto/exports/exports.h"

#define SELECTION_AREAS 256u // that a byte can name

typedef struct selection {
    const nav_mesh *mesh;
    nav_mesh_stats stats; // of all of the mesh
    uint32_t *polygons;   // numbers of the mesh, rising
    uint32_t polygon_count;
    uint32_t *place;    // by polygon of the mesh: where in `polygons`; NAV_NONE: left out
    uint32_t *vertices; // numbers of the mesh, rising, of those that polygons have
    uint32_t vertex_count;
    uint32_t *vertex_place; // by vertex of the mesh, likewise
    uint32_t *detail_first; // by place: detail vertices of the polygons before; then of all
    uint32_t *by_area;      // places, in order of area
    uint32_t area_first[SELECTION_AREAS + 1]; // in by_area
    uint32_t *links;                          // numbers of the mesh, of those with both ends here
    uint32_t link_count;
    uint32_t *component_polygons;    // by component of the mesh: how many of its polygons are here
    uint32_t component_count;        // of which there are any
    bool area_used[SELECTION_AREAS]; // by polygons or links
    nav_edge_portal *portals;        // room for those of any polygon
    uint32_t portal_capacity;
    float min[3], max[3]; // of the polygons, with their detail; 0 if there are none
} selection;

// All of it comes from memory. Errors: NAV_NO_MEMORY.
nav_status selection_make(const proto_export *what, nav_arena *memory, selection *out,
                          nav_error *err);

// The triangles of a polygon: its height detail, or else a fan over its corners.
typedef struct selection_triangles {
    nav_polygon_detail detail;
    uint32_t count;
} selection_triangles;

static inline selection_triangles
selection_triangles_of(const nav_mesh *mesh, const nav_polygon *polygon, uint32_t number)
{
    const nav_polygon_detail detail = nav_mesh_polygon_detail(mesh, number);
    return (selection_triangles){.detail = detail,
                                 .count = detail.triangle_count > 0 ? detail.triangle_count
                                                                    : polygon->vertex_count - 2};
}

// Corners count first, then detail vertices.
static inline void selection_triangle(const selection_triangles *all, uint32_t index,
                                      uint32_t out[3])
{
    for (uint32_t k = 0; k < 3; k++) {
        out[k] = all->detail.triangle_count > 0 ? all->detail.triangles[index][k]
                 : k == 0                       ? 0
                                                : index + k;
    }
}

// The number in a file, whose vertices are those of `vertices` and then all detail vertices in
// order of polygon, of a triangle's corner.
static inline uint32_t selection_corner(const selection *s, const nav_polygon *polygon,
                                        uint32_t place, uint32_t corner)
{
    return corner < polygon->vertex_count
               ? s->vertex_place[polygon->vertices[corner]]
               : s->vertex_count + s->detail_first[place] + corner - polygon->vertex_count;
}

// The x, y, z of a vertex in this numbering come one after the other: calls `put` for each.
typedef void (*selection_put)(proto_writer *w, const float point[3]);
void selection_each_vertex(const selection *s, proto_writer *w, selection_put put);

// The name of an area for files that need one: its own, or "area17".
void selection_area_name(const selection *s, uint8_t area, nav_name out);
