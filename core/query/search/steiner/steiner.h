// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// steiner.h: a path over ground of several costs made cheaper. Private to core/query/search.
//
//   path by labels --settle, flip--> taut path --search around it--> another walk --settle, flip-->
//
// The string of the path is tightened first (settle.c), also over the other sides of the corners
// that it meets (flip.c). Then a search over points on portals (Steiner points, search.c) looks for
// another row of portals near it, which is tightened likewise. The cheaper one is the answer
// (improve.c).

#pragma once

#include "core/query/search/alt.h"
#include "core/query/search/goals.h"

// ---- walks ----

// A point of a walk on a portal of its corridor. An arc is entered at `in` and left at `out`; over
// an edge both are the same.
typedef struct nav_walk_point {
    uint32_t portal;
    float t;     // 0 at the portal's left end, 1 at its right
    float reach; // how far it is moved at once at most, as a part of the portal
    float in[2], out[2];
    float cost_before; // of a step to it
} nav_walk_point;

// A walk over ground of several costs, from start to end.
typedef struct nav_walk {
    const nav_view *view;
    nav_walk_point *points;
    uint32_t count, capacity;
    float start[2], end[2];
    float cost_at_end;     // of a step behind the last point
    uint8_t (*choices)[3]; // room for one a point
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

// A Steiner point on a portal, or the end of an off-mesh arc, as the search sees it.
struct nav_steiner_node {
    float x, z;
    float g;         // cost from the start; INFINITY: not reached
    float h;         // what is left from here, about
    uint32_t parent; // the node before; NAV_NONE: the start
    uint32_t portal;
};

// The nodes of a portal.
struct nav_steiner_range {
    uint32_t stamp; // of the search that wrote it
    uint32_t first, count;
};

typedef struct nav_steiner {
    const nav_view *view;
    const nav_mesh *mesh; // the view's
    nav_scratch *scratch;
    nav_steiner_scratch *room; // the scratch's
    const nav_location *start, *target;
    float goal[2];
    nav_open_list open;
    float spacing; // of points, in world units
    float limit;   // no way that costs more is looked for
    nav_goals goals;
    nav_alt_guess guess;
    struct nav_steiner_node at_goal;
    uint32_t expanded, expanded_max;
    uint32_t arcs_left; // that the search may look at
    bool failed;        // no memory, or too many arcs
} nav_steiner;

// search.c: marks the ground around the scratch's corridor of so many portals, which is searched.
void nav_steiner_mark(nav_steiner *s, uint32_t corridor_count);
// search.c: the cheapest walk over Steiner points of that ground, as points on portals. False: none
// within the limit, or the budget has ended.
bool nav_steiner_search(nav_steiner *s, nav_walk *out);
