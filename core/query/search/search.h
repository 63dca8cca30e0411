// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// search.h: from start to target: the engines, the strings that are pulled through what labels have
// found, and the portals along a path. Private to core/.

#pragma once

#include "core/base/tolerances.h"
#include "core/query/view/scratch.h"

#include <math.h>

// Pulls a string from start to end through the portals of a corridor. points has room for count +
// NAV_FUNNEL_POINTS_EXTRA; returns how many were written, at least 1.
uint32_t nav_funnel_pull(const nav_view *view, const float start[3], const float end[3],
                         const uint32_t *corridor, uint32_t count, float (*points)[3]);

// The end of a search by labels. The corridor is in the scratch.
typedef struct nav_search_result {
    bool reached; // the target; else the corridor leads to the spot closest to it that was seen
    bool out_of_budget, cancelled;
    bool pruned;    // by the request's limits
    uint32_t count; // of portals in the corridor
    uint32_t end_polygon;
    uint32_t expanded;
    double bound; // no way to the target costs less, as far as landmarks and the limits know
} nav_search_result;

// labels/one_goal.c: from start to target, which must not be closed. Takes limits from the
// request.
nav_search_result nav_search_run(const nav_view *view, nav_scratch *scratch,
                                 const nav_path_request *request, const nav_location *start,
                                 const nav_location *target);

// string.c: the position on an edge, from 0 at its left end to 1 at its right, over which a
// way a -> edge -> b is cheapest, if a step costs cost_a before the edge and cost_b behind it.
float nav_crossing_refracted(const nav_portal *portal, const float a[2], float cost_a,
                             const float b[2], float cost_b);

// string.c: from the first `count` portals of the scratch's corridor, whose crossings the
// search has guessed, to path->points, length and cost. Moves the crossings, unless they are
// settled: the best ones already.
void nav_string_pull(const nav_view *view, nav_scratch *scratch, const float start[3],
                     const float end[3], uint32_t count, uint32_t end_polygon, bool settled,
                     nav_path *path);

// Whether a path's question has a deadline that it is to be answered by.
static inline bool nav_path_is_hurried(const nav_path_request *request)
{
    return request->options.cancelled != NULL && !request->options.unhurried;
}

// A position on a path: on the point, or between it and the next.
typedef struct nav_path_spot {
    uint32_t point;
    bool on_point;
} nav_path_spot;

// steps.c: the portals that a path crosses, one after the other. Zeroed but for the path: at its
// start.
typedef struct nav_path_walk {
    const nav_path *path;
    uint32_t crossed;   // portals so far
    uint32_t portal;    // the last of them, which is crossed at the spot,
    const nav_arc *arc; // or ends there; NULL: an edge
    nav_path_spot spot;
} nav_path_walk;

// False: there is none behind it.
bool nav_path_walk_next(nav_path_walk *walk);

// cost_limit.c: no path that its question wants costs more than this, to the goal itself; INFINITY:
// nothing is known. request: one whose limits are for the search to keep.
double nav_path_cost_limit(const nav_view *view, const nav_path_request *request);
// The most that a step over open ground costs.
double nav_view_dearest_ground(const nav_view *view);

// Whether a path may cost, or be long, only so much.
static inline bool nav_path_is_limited(const nav_path_request *request)
{
    return request->max_cost > 0.0 || request->max_length > 0.0;
}

// Whether nothing ends a path's search before its time.
static inline bool nav_path_is_free(const nav_path_request *request)
{
    return request->max_nodes == 0 && !nav_path_is_hurried(request) &&
           !nav_path_is_limited(request);
}

// The cost from which on a search need not look any further; INFINITY for nearly all questions.
static inline double nav_path_search_limit(const nav_view *view, const nav_path_request *request)
{
    return nav_path_is_limited(request)
               ? nav_path_cost_limit(view, request) * (1.0 + NAV_PROOF_RATIO)
               : (double)INFINITY;
}

// polyanya/one_goal.c: makes a path that leads from start to target the shortest one,
// where all ground that is open costs the same. path holds any such path with its cost, and keeps
// it where none is shorter or the budget (what is left of request->max_nodes, its deadline,
// memory) ends first; none beyond the request's limits is looked for. Returns a lower bound on the
// cost of all paths from start to target: within one part in a million of path->cost where that is
// proven to be the least.
double nav_polyanya_improve(const nav_view *view, nav_scratch *scratch,
                            const nav_path_request *request, const nav_location *start,
                            const nav_location *target, nav_path *path);

// The same without a path to begin with, where nothing is closed but by shapes, and no budget is
// given. False: none has been found, and *path is undefined; *bound is INFINITY where nothing has
// been left out for the request's limits.
bool nav_polyanya_find(const nav_view *view, nav_scratch *scratch, const nav_path_request *request,
                       const nav_location *start, const nav_location *target, nav_path *path,
                       double *bound);

// steiner/improve.c: makes a path by labels from start to target cheaper, where ground has
// several costs, and its string taut. The path stays as it is where the budget (what is left of
// request->max_nodes, its deadline, memory) ends first, or where it is proven.
void nav_steiner_improve(const nav_view *view, nav_scratch *scratch,
                         const nav_path_request *request, const nav_location *start,
                         const nav_location *target, nav_path *path);
// steiner/improve.c: the same without another row of portals: for each of many targets.
void nav_steiner_settle(const nav_view *view, nav_scratch *scratch, const nav_location *start,
                        const nav_location *target, nav_path *path);

// polyanya/geodesic.c: floods of one mesh. begin takes its memory from the arena;
// cancel may be NULL. Errors: NAV_NO_MEMORY, NAV_CANCELLED.
typedef struct nav_geodesic nav_geodesic;
nav_status nav_geodesic_begin(const nav_mesh *mesh, nav_cancel *cancel, nav_arena *arena,
                              nav_geodesic **out);
// How far it is in plan view from one position to every vertex (of stats.vertices), and to both
// ends of every portal over an edge (left, right): exact over all ground at cost 1, links both ways
// at their plan length, or their own cost where that is less. INFINITY where no way leads. A vertex
// where grounds meet that do not hang together there has the least of their distances; its ends of
// portals have their own, so bounds for searches are to be made from those. Each output may be
// NULL. source is a position of the mesh. *has_gaps: edges are non-manifold, or too many polygons
// meet in a point; distances may then be too large, or INFINITY where a way leads. Errors:
// NAV_NO_MEMORY, NAV_CANCELLED, NAV_TILE_TOO_COMPLEX (more work than a mesh of this size is worth);
// the outputs are then worth nothing.
nav_status nav_geodesic_flood(nav_geodesic *g, nav_arena *temporary, const nav_location *source,
                              float *vertices, float (*ends)[2], bool *has_gaps);

// string.c: the point in which the corridor's portal number `index` is crossed, at the
// height of the ground, as the points of a path are.
void nav_corridor_stand(const nav_view *view, const nav_scratch *scratch, uint32_t index,
                        float out[3]);
