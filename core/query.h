// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query.h: what the queries share. Private to core/.
//
//   query_nearest.c   where on the mesh is this point?
//   query_path.c      which portals lead from here to there? (A*)
//   query_funnel.c    which corners does the shortest line through those portals touch?
//   scratch.c         the memory that all of it works in

#pragma once

#include "mesh.h"

// A portal as the search sees it: entered at x, z on its edge. 32 bytes, two to a cache line.
typedef struct nav_search_node {
    float x, z;
    float g;                // cost from the start to here
    float h;                // straight distance from here to the goal
    float f;                // g + h, the key in the heap
    uint32_t stamp;         // of the search that wrote this node; any other is as good as empty
    uint32_t parent;        // the portal before, or NAV_NONE
    uint32_t heap_position; // NAV_NONE once expanded
} nav_search_node;

_Static_assert(sizeof(nav_search_node) == 32, "two nodes a cache line");

// The key stands beside the node's index, so that sifting stays inside the heap's own cache lines.
typedef struct nav_heap_entry {
    float f;
    uint32_t portal;
} nav_heap_entry;

// Nodes are indexed by portal. They are not cleared between searches: each search takes the next
// stamp.
struct nav_scratch {
    nav_allocator allocator;
    void *block; // holds the four arrays
    size_t block_bytes;
    uint32_t portal_capacity;
    uint32_t stamp;
    nav_search_node *nodes; // portal_capacity
    nav_heap_entry *heap;   // portal_capacity
    uint32_t *corridor;     // portal_capacity: portals from start to goal
    float (*points)[3];     // portal_capacity + NAV_FUNNEL_POINTS_EXTRA
};

// A path has at most this many points more than its corridor has portals.
#define NAV_FUNNEL_POINTS_EXTRA 3

// Makes room for this mesh and takes a new stamp. False when there is no memory.
bool nav_scratch_begin(nav_scratch *scratch, const nav_mesh *mesh);

// The place on the mesh closest to point, however far away, among the polygons of a component
// (NAV_NONE: of all). False where there is none.
bool nav_query_closest(const nav_mesh *mesh, const float point[3], uint32_t component,
                       nav_location *out);

// Pulls a string from start to end through the portals of a corridor. points has room for count +
// NAV_FUNNEL_POINTS_EXTRA; returns how many were written, at least 1.
uint32_t nav_funnel_pull(const nav_mesh *mesh, const float start[3], const float end[3],
                         const uint32_t *corridor, uint32_t count, float (*points)[3]);
