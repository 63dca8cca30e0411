// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_overlay.h: ground as one question sees it, with shapes to avoid cut out of it or dearer.
// Private to core/.
//
//        +-----------+            +--+----+---+
//        |    ___    |            |  |____|   |      The polygons that a shape touches are cut into
//        |   |   |   |    -->     |  |    |   |      pieces, which are polygons of their own, with
//        |   |___|   |            |__|____|___|      numbers behind those of the mesh. Those next
//        to |           |            |       |   |      them keep their numbers and get other
//        portals.
//        +-----------+            +-------+---+
//
// Nothing of the mesh is touched: pieces, portals and vertices stand in arrays of the question's
// own, numbered behind those of the mesh.

#pragma once

#include "mesh.h"

// A convex outline in plan view, its corners in the order x -> z, and what it does to the ground.
typedef struct nav_outline {
    double (*points)[2];
    uint32_t count;
    double min[2], max[2];
    float bottom, top;
    float cost; // factor; INFINITY: blocked
} nav_outline;

// query_overlay_shapes.c: shapes as outlines; those that block grow by radius, corners rounded so
// that no place outside is nearer than that. Arrays come from arena. False when there is no memory.
bool nav_outlines_create(const nav_avoid *shapes, uint32_t count, double radius, nav_arena *arena,
                         nav_outline *out);

// Ground that outlines have left: a convex polygon in plan view, counter-clockwise from above.
typedef struct nav_cell {
    double (*corners)[2];
    uint32_t count; // 3 to NAV_POLYGON_VERTICES_MAX
    uint32_t base;  // the polygon of the mesh that it is a part of
    float cost;     // factor
    double min[2], max[2];
} nav_cell;

typedef struct nav_polygon_list {
    uint32_t *polygons; // rising
    uint32_t count, capacity;
} nav_polygon_list;

bool nav_polygon_list_has(const nav_polygon_list *list, uint32_t polygon);

typedef struct nav_cells {
    nav_cell *cells; // in order of base
    uint32_t count;
    nav_polygon_list cut; // polygons that cells are parts of, or of which nothing is left
    nav_polygon_list all; // those, and what is next to them
} nav_cells;

// query_overlay_cut.c: cuts what outlines touch. All memory comes from arena. False when there is
// none.
bool nav_cells_cut(const nav_mesh *mesh, const nav_outline *outlines, uint32_t count,
                   nav_arena *arena, nav_cells *out);
// Makes room for one element more; sets *failed where there is no memory.
void *nav_overlay_grow(nav_arena *arena, bool *failed, void *array, uint32_t count,
                       uint32_t *capacity, size_t size_bytes);

// A polygon of the overlay: a piece of one of the mesh, or, with other portals, all of it.
typedef struct nav_piece {
    uint32_t base;                       // polygon of the mesh
    uint32_t number;                     // its own
    uint32_t corner_first, corner_count; // in corners
    uint32_t portal_first, portal_count; // in portals
    float cost;                          // factor
    bool cut;                            // a piece, not all of it
} nav_piece;

typedef struct nav_overlay {
    const nav_mesh *mesh;
    nav_piece *pieces; // by base, then as they were cut
    uint32_t piece_count;
    uint32_t polygon_count; // pieces that are cut: numbers behind those of the mesh
    uint32_t *cut_pieces;   // by number - polygons of the mesh: place in pieces
    uint32_t *corners;      // vertices
    float (*vertices)[3];   // numbered behind the mesh's
    uint32_t corner_count, vertex_count;
    nav_portal *portals; // numbered behind the mesh's
    uint32_t portal_count;
    // Polygons of the mesh with pieces: a hash table of their first pieces.
    uint32_t *table;
    uint32_t table_mask;
    float cost_least; // of the factors, at most 1
    bool has_prices;  // some factor is not 1
} nav_overlay;

// Cuts the mesh's ground by outlines. All memory comes from arena. False when there is none.
bool nav_overlay_create(const nav_mesh *mesh, const nav_outline *outlines, uint32_t count,
                        nav_arena *arena, nav_overlay *out);

// The first piece of a polygon of the mesh, or NULL where it is as it was. The others follow it.
const nav_piece *nav_overlay_find(const nav_overlay *overlay, uint32_t polygon);

static inline bool nav_overlay_is_cut(const nav_overlay *overlay, uint32_t polygon)
{
    const nav_piece *piece = nav_overlay_find(overlay, polygon);
    return piece != NULL && piece->cut;
}

// The piece of a polygon of the mesh that a place lies in, or NULL where it is cut out.
const nav_piece *nav_overlay_piece_at(const nav_overlay *overlay, uint32_t polygon, float x,
                                      float z);
