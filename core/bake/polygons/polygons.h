// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// polygons.h: step 8, convex polygons: what the stage hands on, and what its files share. Private
// to core/.
//
// While the stage works, a nav_polygons holds first triangles, then what they were merged into; its
// arrays have room for as many polygons as there were triangles. No polygon has a vertex twice, all
// are wound counter-clockwise seen from above (nav_plan_turn >= 0 at each corner) and convex.

#pragma once

#include "core/bake/stages.h"
#include "core/tile/tile.h"
#include "core/base/triangulate.h"

// ---- what the stage hands on ----

// A contour's edge at a wall, from the vertex in whose list it is.
typedef struct nav_polygon_wall {
    uint32_t to, next; // of the same list, or NAV_NONE
} nav_polygon_wall;

// Convex polygons. Vertex and neighbour rows have stride max_vertices and are filled with NAV_NONE.
struct nav_polygons {
    int32_t (*vertices)[3]; // cells of the padded field
    uint32_t vertex_count;
    uint32_t max_vertices;
    uint32_t *polygon_vertices; // count * max_vertices
    // Across edge i -> i+1: a polygon, NAV_NONE, or NAV_EDGE_PORTAL | direction.
    uint32_t *polygon_neighbours;      // count * max_vertices
    uint16_t *areas;                   // classes of ground, where there are any
    const nav_ground_classes *classes; // NULL: only areas
    uint32_t *regions;
    uint32_t count;
    uint32_t *wall_first; // by vertex, while the stage works
    nav_polygon_wall *walls;
    uint32_t wall_count;
};

// ---- what its files share ----

// Two polygons with an edge in common: a has it as v0 -> v1, b as v1 -> v0.
typedef struct nav_edge_pair {
    uint32_t polygon_a, polygon_b;
    uint32_t edge_a, edge_b; // edge i leads from the polygon's vertex i to the next
    uint32_t v0, v1;
} nav_edge_pair;

// Number of vertices of a polygon.
uint32_t nav_polygon_size(const nav_polygons *mesh, uint32_t polygon);
// Whether the edge is that of a contour at a wall. Outlines of both sides of a thin wall may have
// the same edge after simplification, and there is still no way across.
static inline bool nav_polygons_is_wall(const nav_polygons *mesh, uint32_t from, uint32_t to)
{
    uint32_t wall = mesh->wall_first[from];
    while (wall != NAV_NONE && mesh->walls[wall].to != to) {
        wall = mesh->walls[wall].next;
    }
    return wall != NAV_NONE;
}
// Pairs the edges of the polygons from `first` on but walls; with groups, only inside a group. *out
// is allocated from the arena. NAV_OK or NAV_NO_MEMORY, err untouched.
nav_status nav_polygons_pair_edges(nav_arena *arena, const nav_polygons *mesh, uint32_t first,
                                   const uint32_t *groups, nav_edge_pair **out,
                                   uint32_t *out_count);
// Merges the polygons from `first` on, longest shared edge first, as long as the result is convex
// and has at most max_vertices vertices. With groups, only polygons of one group are merged.
// NAV_OK, NAV_NO_MEMORY or NAV_CANCELLED.
nav_status nav_polygons_merge(const nav_bake_job *job, nav_polygons *mesh, uint32_t first,
                              const uint32_t *groups);

// border.c: takes the marked vertices out of the mesh. capacity is the number of
// polygons for which the mesh has room. NAV_OK, NAV_NO_MEMORY or NAV_CANCELLED.
nav_status nav_polygons_remove_marked(const nav_bake_job *job, nav_polygons *mesh,
                                      const bool *marked, uint32_t capacity);

static inline nav_plan nav_polygons_plan(const nav_polygons *mesh, uint32_t vertex)
{
    return nav_plan_of(mesh->vertices[vertex]);
}
