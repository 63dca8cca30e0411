// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// link_ends.h: where links end, for floods (query/search/polyanya/geodesic.c): by polygon, and
// within one in a tree over their points. Private to core/.
//
//                 [all ends of a polygon]      A part of the tree is passed by where no end in it
//                 /                     \      is reached sooner than before: a node into a polygon
//         [.........]                [.......] of n links takes some log n steps, and one more for
//          /      \                            each end that it is the nearest to so far.
//
// Most ways over links are longer than others that are found meanwhile. So ends do not wait in the
// open list each, but a group of eight as one.

#pragma once

#include "core/query/search/polyanya/polyanya.h"
#include "core/tile/tile.h"

typedef struct nav_link_end {
    float at[2];
    uint32_t polygon;
    uint32_t other; // the link's other end
    double cost;    // of the way there: the link's length in plan view, or its own cost if less
} nav_link_end;

typedef struct nav_link_ends {
    nav_link_end *ends; // two a link, by polygon, and there in the order of the tree's leaves
    uint32_t *first;    // of a polygon's ends
    uint32_t count;
    nav_tile_node *nodes; // polygon p's tree begins at 2 * first[p]; `polygon`: the first end
    double *farthest;     // by node: no end below it is known to be farther
    uint32_t *reached;    // by the node at hand
    uint32_t reached_count;
    bool *landing; // by end: the shortest way known is over its link, and has not been followed
    double *due;   // by group: when its next end lands; INFINITY: never
} nav_link_ends;

// Sorts the ends of a mesh's links into memory of the arena. Errors: NAV_NO_MEMORY, NAV_CANCELLED.
nav_status nav_link_ends_sort(nav_link_ends *e, const nav_mesh *mesh, nav_cancel *cancel,
                              nav_arena *arena);
// A flood begins: no end has been reached.
void nav_link_ends_clear(nav_link_ends *e);
// Notes all ends in the polygon, entered over `node`, that are reached sooner than before: end i in
// mark arc_base + i. Those on the other side of their links land when it is time: nodes are
// appended that wait for it. Adds to *work how many items it took. False: no memory.
bool nav_link_ends_take(nav_link_ends *e, nav_polyanya *c, const nav_polyanya_node *node,
                        uint32_t polygon, uint64_t *work);
// Lets the end land for which a node has waited, which has left the pool: *end is that end, with
// its mark set, or NAV_NONE. False: no memory.
bool nav_link_ends_land(nav_link_ends *e, nav_polyanya *c, const nav_polyanya_node *waited,
                        uint32_t *end);
