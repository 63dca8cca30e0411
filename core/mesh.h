// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// mesh.h: the searchable mesh: the flat arrays that the queries read. Private to core/.
//
// Everything is immutable once nav_mesh_create has returned. Index i of a "first" array begins
// polygon i's run, index i + 1 ends it.

#pragma once

#include "nav.h"
#include "tile.h"

#include <stdatomic.h>

// A way out of one polygon into another, across an edge they share or, between two tiles, across
// what their edges have in common. Left and right are as seen by
// somebody who walks from -> to:
//
//        from | to          An edge runs counter-clockwise around `from`, corner i -> i+1.
//    left  i+1|             Its end is therefore on the walker's left hand, its
//       ----> |             beginning on the right.
//    right   i|
typedef struct nav_portal {
    float left[2], right[2]; // x and z
    uint32_t from, to;       // polygons
    uint32_t left_vertex, right_vertex;
} nav_portal;

_Static_assert(sizeof(nav_portal) == 32, "two portals a cache line");

// A way over the border between two tiles: where an edge of one and an edge of the other overlap.
// Each end of the overlap is an end of one of the two edges, hence a vertex of the mesh.
typedef struct nav_tile_link {
    uint32_t corner;      // edge corner -> next one of the polygon that is left
    uint32_t to;          // the polygon that is entered
    uint32_t right, left; // vertices, as seen by somebody who walks over
} nav_tile_link;

// mesh_links.c: the links between the tiles of one grid, in order of corner and along the edge,
// with indices as if the tiles had been laid end to end in this order. The tiles have been
// verified. *out is allocated from arena. Errors: NAV_NO_MEMORY.
nav_status nav_mesh_find_links(const nav_blob *tiles, uint32_t tile_count, nav_arena *arena,
                               nav_tile_link **out, uint32_t *count);

// Polygons of more than one component lie below a node. No label is 0.
#define NAV_MESH_MIXED 0u

struct nav_mesh {
    _Atomic uint32_t references;
    nav_allocator allocator;
    size_t size_bytes; // of the one block that holds this struct and the arrays
    nav_mesh_stats stats;

    float (*vertices)[3];
    uint32_t *corner_first;
    uint32_t *corners; // vertices, counter-clockwise from above
    uint32_t
        *neighbours; // per corner: the (first) polygon across the edge to the next, or NAV_NONE
    uint8_t *areas;
    uint32_t *components; // labels 1.., in order of each component's first polygon

    uint32_t *portal_first;
    nav_portal *portals;
    uint32_t portal_count;

    uint32_t *detail_vertex_first;
    uint32_t *detail_triangle_first;
    float (*detail_vertices)[3];
    uint16_t (*detail_triangles)[3];

    nav_tile_node *nodes;      // the trees of all tiles, one after the other
    uint32_t *node_components; // of all polygons below a node, or NAV_MESH_MIXED
    uint32_t *roots;           // where each tree begins
    uint32_t root_count;
};
