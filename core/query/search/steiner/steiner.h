// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// steiner.h: a path over ground of several costs made cheaper. Private to core/query/search.
//
//   path by labels --settle, flip--> taut path
//   search over points --settle, flip--> taut path       the cheaper one of both, then shortcuts
//
// The path is that of `fast`. Its string is tightened (settle.c), also over the other sides of the
// corners that it meets (flip.c). Then a search over points on portals (Steiner points, search.c)
// looks for another row of portals, which is tightened likewise. The cheaper one is led straight
// past its bends where that costs less (shortcut.c): it is the answer (improve.c), which therefore
// is never dearer than that of `fast`.

#pragma once

#include "core/query/search/alt.h"
#include "core/query/search/goals.h"
#include "core/query/view/scratch.h"

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

// A point so near to an end of its portal lies there, as a part of the portal.
#define NAV_WALK_AT_END 1e-3f
// The reach of points that a walk is led over anew.
#define NAV_WALK_REACH 0.25f

// The end of its portal in which a point lies: -1 left, 1 right; 0: none, or it is an arc.
static inline int nav_walk_point_end(const nav_walk_point *point)
{
    return point->is_arc                       ? 0
           : point->t < NAV_WALK_AT_END        ? -1
           : point->t > 1.0f - NAV_WALK_AT_END ? 1
                                               : 0;
}

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
void nav_walk_settle(nav_walk *walk, float scale_last);
// settle.c: what a walk costs, links left out.
double nav_walk_cost(const nav_walk *walk);
// flip.c: leads a settled walk around the other sides of the corners that it meets, where that is
// cheaper.
void nav_walk_flip(nav_walk *walk);

// flip.c: the portals from polygon `from` to `to` around a corner that is on this side of them: -1
// left, 1 right. Returns how many; 0: there is no way, or one over more than NAV_WALK_FAN_MAX.
#define NAV_WALK_FAN_MAX 16u
uint32_t nav_walk_fan(const nav_walk *walk, uint32_t from, uint32_t to, const float corner[2],
                      int side, uint32_t out[NAV_WALK_FAN_MAX]);

// ---- the search ----

// A Steiner point on a portal, or the end of an off-mesh arc, as the search sees it.
struct nav_steiner_node {
    float x, z;
    float g;         // cost from the start; INFINITY: not reached
    float h;         // of a way from here to the goal, about
    float t;         // where on the portal
    float reach;     // of the point of a walk
    uint32_t before; // the node before it; NAV_NONE: the start
    uint32_t portal;
};

// The nodes of a portal.
struct nav_steiner_range {
    uint32_t stamp; // of the search that wrote it
    uint32_t first, count;
};

typedef struct nav_steiner {
    const nav_view *view;
    nav_scratch *scratch;
    nav_steiner_scratch *work; // the scratch's
    const nav_location *start, *target;
    float goal[2];
    bool has_links;
    float weight; // of the guess
    nav_open_list open;
    float spacing; // of points, in world units
    float limit;   // no way that costs more is looked for
    nav_alt_guess guess;
    nav_goals goals; // bridges that lead away from the goal are not crossed
    struct nav_steiner_node at_goal;
    uint32_t expanded, expanded_max;
    uint32_t arcs_left;         // that the search may look at
    bool failed;                // no memory, or too many arcs
    nav_expansions *expansions; // NULL, or the request's
} nav_steiner;

// search.c: the cheapest walk over Steiner points, or nearly, as points on portals. False: none
// within the limit, or the budget has ended.
bool nav_steiner_search(nav_steiner *s, nav_walk *out);
// shortcut.c: leads a settled walk straight past its bends where that is cheaper. False when there
// is no memory, or the question is cancelled.
bool nav_walk_shorten(nav_steiner *s, nav_walk *walk);
