// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// steiner.h: a path over ground of several costs made cheaper. Private to core/query/search.
//
//   path by labels --settle, flip--> taut path
//   search over points --settle, flip--> taut path       the cheaper one of both
//
// The path is that of `fast`, or that of a search by labels which leans less towards the goal. Its
// string is tightened (settle.c), also over the other sides of the corners that it meets (flip.c).
// Then a search over points on portals (Steiner points, search.c) looks for another row of portals
// in the ground that the labels have seen, which is tightened likewise. The cheaper one is the
// answer (improve.c), which therefore is never dearer than that of `fast`.

#pragma once

#include "core/query/query.h"

// ---- walks ----

// A point of a walk on a portal of its corridor. An arc is entered at `in` and left at `out`; over
// an edge both are the same.
typedef struct nav_walk_point {
    uint32_t portal;
    float t;                 // 0 at the portal's left end, 1 at its right
    float reach;             // how far it is moved at once at most, as a part of the portal
    float left[2], along[2]; // the portal's left end, and from there to its right one
    float in[2], out[2];
    float cost_before; // of a step to it
    bool is_arc;       // which has no width
} nav_walk_point;

// By place of a point: which of three places of the point before it is best.
typedef struct nav_walk_choice {
    int32_t before[4];
} nav_walk_choice;

// A walk over ground of several costs, from start to end.
typedef struct nav_walk {
    const nav_view *view;
    nav_walk_point *points;
    uint32_t count, capacity;
    float start[2], end[2];
    float cost_at_end;        // of a step behind the last point
    nav_walk_choice *choices; // room for one a point
} nav_walk;

// settle.c: a point at part t of a portal.
nav_walk_point nav_walk_point_at(const nav_view *view, uint32_t portal, float t, float reach);
// settle.c: moves the points of a walk along their portals until it is as cheap as it gets over
// these portals, by steps of their reach down to this part of it.
void nav_walk_settle(nav_walk *walk, float part_last);
// settle.c: what a walk costs, links left out.
double nav_walk_cost(const nav_walk *walk);
// flip.c: leads a settled walk around the other sides of the corners that it meets, where that is
// cheaper.
void nav_walk_flip(nav_walk *walk);

// ---- the search ----

// A Steiner point on a portal, or the beginning of an off-mesh arc, as the search sees it.
struct nav_steiner_node {
    float x, z;
    float g;       // cost to the goal; INFINITY: not reached
    float h;       // of a way from the start to here, about
    float t;       // where on the portal
    float reach;   // of the point of a walk
    uint32_t next; // the node behind it; NAV_NONE: the goal
    uint32_t portal;
};

// The nodes of a portal.
struct nav_steiner_range {
    uint32_t stamp; // of the search that wrote it
    uint32_t first, count;
};

// The arcs that end in a polygon: the first, whose next one is in next_arrivals.
typedef struct nav_steiner_arrivals {
    uint32_t stamp; // of the search that wrote it
    uint32_t first;
} nav_steiner_arrivals;

typedef struct nav_steiner {
    const nav_view *view;
    nav_scratch *scratch;      // with what the labels have seen
    nav_steiner_scratch *room; // the scratch's
    const nav_location *start, *target;
    float goal[2];
    nav_open_list open;
    float spacing; // of points, in world units
    float limit;   // no way that costs more is looked for
    struct nav_steiner_node at_start;
    uint32_t expanded, expanded_max;
    uint32_t arcs_left; // that the search may look at
    bool failed;        // no memory, or too many arcs
} nav_steiner;

// search.c: the cheapest walk over Steiner points of the ground that the labels have seen, as
// points on portals. False: none within the limit, or the budget has ended.
bool nav_steiner_search(nav_steiner *s, nav_walk *out);
