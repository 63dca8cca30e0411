// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// worth.c: what a path is worth, or that there is none.

#include "core/query/path/path.h"

#include "core/base/plane.h"
#include "core/base/tolerances.h"

#include <math.h>

void nav_path_judge(nav_path *path)
{
    path->optimal = path->cost <= path->lower_bound * (1.0 + NAV_PROOF_RATIO);
    path->folded = path->folded && !path->optimal;
    path->lower_bound = fmin(path->lower_bound, path->cost);
}

// No way over the mesh is shorter than the straight line, and no step cheaper than the cheapest.
double nav_path_straight_cost(const nav_view *view, const nav_path *path)
{
    return nav_plane_distance_xz(path->start, path->end) * (double)view->costs->bound;
}

void nav_path_leave_empty(nav_path *path, nav_path_reason reason)
{
    path->status = NAV_PATH_NONE;
    path->reason = reason;
    path->points = NULL;
    path->point_count = path->corridor_count = 0;
    path->length = path->cost = 0.0;
    path->optimal = path->folded = false;
}

// Nothing but the straight line is known then, however it was found out.
void nav_path_leave_blocked(const nav_view *view, nav_path *path)
{
    nav_path_leave_empty(path, NAV_REASON_BLOCKED);
    path->lower_bound = nav_path_straight_cost(view, path);
}
