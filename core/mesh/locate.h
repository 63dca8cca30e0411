// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// locate.h: what finds polygons by place: plots and the grid over them, and how they are read.
// locate.c makes them. Private to core/.
//
// Boxes within a cell of the grid, or within the bounds of a polygon, are four numbers from 0 to
// 127, a byte each: least x, least z, and what the greatest x and z are short of 127. All four are
// held against those of another box in one subtraction, whose bytes do not borrow from each other.

#pragma once

#include "core/tile/tile.h"

// What locating reads of one polygon, side by side: in a large mesh each of these would else be a
// line of memory to wait for.
typedef struct nav_polygon_record {
    float min[3], max[3]; // bounds, detail included
    uint32_t corner_first;
    uint32_t detail_vertex_first;
    uint32_t detail_triangle_first;
    uint32_t component; // its label, 1.., in order of each component's first polygon
    uint8_t corner_count;
    uint8_t area;
} nav_polygon_record;

_Static_assert(sizeof(nav_polygon_record) == 44, "a plot is in two cache lines at most");

#define NAV_CELL_SLOTS 8u

// A cell of the grid, in one cache line: the polygons over it, rising, each with the box of its
// bounds within the cell. A slot without a polygon has NAV_NONE and NAV_BOX_EMPTY. Of more than
// fit, the last slot has NAV_BOX_MORE and where in `more` the rest is: its count, then the rest.
typedef struct nav_locate_cell {
    uint32_t boxes[NAV_CELL_SLOTS];
    uint32_t polygons[NAV_CELL_SLOTS];
} nav_locate_cell;

_Static_assert(sizeof(nav_locate_cell) == 64, "a cell is a cache line");

typedef struct nav_locate_entry {
    uint32_t box;
    uint32_t polygon; // or the count
} nav_locate_entry;

// A mesh of so many polygons does not stay in a core's own cache.
#define NAV_LOCATE_LARGE 1024u

// What else locating reads of most polygons, in half a cache line that is found by the polygon's
// number: else corners would have to be read to know which vertices, after a plot that tells which
// corners, each out of memory. Vertices lie on the cells of the grid, so that numbers of cells give
// them back to the last bit (nav_tile_place); polygons for which they would not have none.
#define NAV_COMPACT_CORNERS 6u
#define NAV_COMPACT_TRIANGLES 4u
#define NAV_COMPACT_END 0xffffu  // in triangles: behind the last one
#define NAV_COMPACT_NONE 0xfffeu // in the first of triangles: there are no corners either

typedef struct nav_compact_record {
    union {
        // Of height detail: three corners of four bits each. None where there are more, or where
        // detail has vertices of its own.
        uint16_t triangles[NAV_COMPACT_TRIANGLES];
        struct {
            uint16_t first_triangle, spare;
            uint32_t box_first; // in detail_boxes, where there are more and the ground is not flat
        };
    };
    uint16_t base[3];                        // in cells of the grid, heights in theirs
    uint8_t offsets[NAV_COMPACT_CORNERS][3]; // of corners, from the base
} nav_compact_record;

_Static_assert(sizeof(nav_compact_record) == 32, "two patches a cache line");

// `block`, which holds the arrays, is NULL while a mesh is made, and where it is empty.
typedef struct nav_locate {
    void *block;
    size_t block_bytes;
    float min[2];   // x and z, where the grid begins
    float per_cell; // cells a world unit
    uint32_t width, depth;
    nav_locate_cell *cells; // width * depth, on cache lines
    nav_locate_entry *more;
    nav_tile_node *top; // a tree whose leaves name tiles, as nav_mesh.roots does
    // By triangle, within the polygon's bounds, rounded outwards. In a large mesh only of polygons
    // that have more than a patch holds, and are not flat.
    uint32_t *detail_boxes;
    nav_compact_record *compact_records; // by polygon, of large meshes only, else NULL
} nav_locate;

#define NAV_BOX_PART_MAX 127u
#define NAV_BOX_TOPS 0x80808080u
#define NAV_BOX_EMPTY 0x7f7f7f7fu // meets no place, though it does meet what is wider than a cell
#define NAV_BOX_MORE 0x80808080u  // meets nothing

// The cell along one axis of a place, which is given in cells; the nearest one for places outside.
static inline uint32_t nav_locate_along(float at_cells, uint32_t count)
{
    return !(at_cells > 0.0f) ? 0 : at_cells >= (float)count ? count - 1 : (uint32_t)at_cells;
}

// Where in a cell a place is along one axis; at its end for places outside. Never falls where the
// place rises.
static inline uint32_t nav_locate_part(float at_cells, uint32_t cell)
{
    const float part = (at_cells - (float)cell) * (float)(NAV_BOX_PART_MAX + 1);
    const float most = (float)NAV_BOX_PART_MAX;
    return (uint32_t)(part > 0.0f ? part < most ? part : most : 0.0f);
}

static inline uint32_t nav_box(uint32_t x0, uint32_t z0, uint32_t x1, uint32_t z1)
{
    return x0 | z0 << 8 | (NAV_BOX_PART_MAX - x1) << 16 | (NAV_BOX_PART_MAX - z1) << 24;
}

// What nav_box_meets holds boxes against: the box from (x0, z0) to (x1, z1), the other way round.
static inline uint32_t nav_box_probe(uint32_t x0, uint32_t z0, uint32_t x1, uint32_t z1)
{
    return (x1 | z1 << 8 | (NAV_BOX_PART_MAX - x0) << 16 | (NAV_BOX_PART_MAX - z0) << 24) |
           NAV_BOX_TOPS;
}

// Whether two boxes have a place in common.
static inline bool nav_box_meets(uint32_t box, uint32_t probe)
{
    return ((probe - box) & NAV_BOX_TOPS) == NAV_BOX_TOPS;
}

// Where the cell of a place is, and a probe for the place in it.
static inline const nav_locate_cell *nav_locate_find(const nav_locate *l, const float point[3],
                                                     uint32_t *probe)
{
    const float at_x = (point[0] - l->min[0]) * l->per_cell;
    const float at_z = (point[2] - l->min[1]) * l->per_cell;
    const uint32_t x = nav_locate_along(at_x, l->width), z = nav_locate_along(at_z, l->depth);
    const uint32_t x_part = nav_locate_part(at_x, x), z_part = nav_locate_part(at_z, z);
    *probe = nav_box_probe(x_part, z_part, x_part, z_part);
    return &l->cells[(size_t)z * l->width + x];
}
