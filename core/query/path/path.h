// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// path.h: what the files that find a path share: its ends, its steps, its worth. Private to core/.

#pragma once

#include "core/query/search/search.h"

// Both ends of a path's question on the mesh.
typedef struct nav_path_ends {
    nav_location start, end;
    // A shape has cut an end out. It lies on a polygon of the mesh then.
    bool start_in_shape, end_in_shape;
} nav_path_ends;

// between.c: snaps both ends. False, with path->reason, where one has no position. *path has no
// points yet, and the ends of the request.
bool nav_path_snap(const nav_view *view, const nav_path_request *request, nav_path_ends *ends,
                   nav_path *path);
// between.c: steps 4 to 9, between positions on the mesh. path->lower_bound is what is known
// already of ways between them; 0: nothing. Errors: NAV_NO_MEMORY.
nav_status nav_path_find(const nav_view *view, nav_scratch *scratch,
                         const nav_path_request *request, const nav_path_ends *ends,
                         nav_path *path);
// worth.c: whether a path is proven shortest, by its cost and lower_bound, which then is no more
// than the cost.
void nav_path_judge(nav_path *path);
// No path costs less, as far as the straight line between its ends knows.
double nav_path_straight_cost(const nav_view *view, const nav_path *path);
// Makes it an answer without a path, for this reason.
void nav_path_leave_empty(nav_path *path, nav_path_reason reason);
// The same where shapes or a filter part its ends.
void nav_path_leave_blocked(const nav_view *view, nav_path *path);

// limits.c: whether a path to the goal, ended where its question lets it end, is within the limits.
bool nav_path_keeps_limits(const nav_path_request *request, const nav_path *path);
// limits.c: ends a path of the scratch where its question lets it end, or not go on.
void nav_path_shorten(nav_scratch *scratch, const nav_path_request *request, nav_path *path);

// The answer of the mesh without shapes, as far as it helps a question with shapes.
typedef struct nav_unobstructed {
    nav_path_ends ends;
    double bound;    // of ways between them; 0: nothing is known
    bool has_shapes; // the scratch's overlay has them, as for a question that repeats them
} nav_unobstructed;

// lazy_cutting.c: the answer to a question with shapes to avoid, where that can be had
// without all of them being cut. False: it cannot, and *out is as it was; *unobstructed then says
// what has been found.
bool nav_lazy_cutting_find(const nav_mesh *mesh, nav_scratch *scratch,
                           const nav_path_request *request, nav_unobstructed *unobstructed,
                           nav_path *out);
// lazy_cutting.c: the path over the mesh without shapes, and those of them that it meets,
// for nav_query_blockers. Errors: NAV_NO_MEMORY.
nav_status nav_path_find_without_shapes(const nav_mesh *mesh, nav_scratch *scratch,
                                        const nav_path_request *request, nav_path *out,
                                        nav_path_blockers *met);
// The bound where both ends are the same positions.
double nav_unobstructed_bound(const nav_unobstructed *unobstructed, const nav_path_ends *ends);
