// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// ends.c: ends of ways inside of shapes that block, of a path, a matrix, a flood, or what can be
// reached. An agent in one may leave it: for this question its ground is open, but so dear that
// the way out is short. None can get into one; a path leads to its rim (path/path.c).

#include "core/query/question/question.h"

#include "core/query/view/scratch.h"

bool nav_view_snap_end(const nav_view *view, const nav_options *options, const float point[3],
                       nav_location *out, bool *in_shape)
{
    const nav_view plain = nav_view_of(view->mesh, view->costs);
    *in_shape = false;
    if (!nav_view_snap(&plain, options, point, out)) {
        return false;
    }
    if (view->overlay == NULL) {
        return true;
    }
    const uint32_t polygon = nav_view_polygon_at(view, out->polygon, out->position);
    if (polygon != NAV_NONE) {
        out->polygon = polygon;
        return true;
    }
    // Answers are rounded: an agent on the rim may be reported inside of it. Open ground on another
    // storey is no rim.
    const float height = nav_mesh_same_floor_max(view->mesh);
    const nav_options close = {.snap = {2.0f * NAV_PLAN_TOLERANCE, height, height}};
    nav_location beside;
    if (nav_view_nearest(view, &close, out->position, nav_view_reach(view), &beside, 1) > 0) {
        *out = beside;
        return true;
    }
    *in_shape = nav_overlay_blocks(view->overlay, out);
    // Ground may be so narrow that nothing is left of it, without a shape there.
    return *in_shape || nav_view_snap(view, options, point, out);
}

bool nav_view_leave(nav_view *view, nav_scratch *scratch, const nav_options *options,
                    const float point[3], nav_location *at, bool *found)
{
    const nav_location start = *at;
    if (!nav_view_begin_leaving(view->mesh, scratch, options, &start, view)) {
        return false;
    }
    bool in_shape;
    // On a slope a shape may be judged elsewhere: then there is no way out.
    *found = nav_view_snap_end(view, options, point, at, &in_shape) && !in_shape;
    return true;
}

bool nav_view_snap_start(nav_view *view, nav_scratch *scratch, const nav_options *options,
                         const float point[3], nav_location *out, bool *found)
{
    bool in_shape;
    *found = nav_view_snap_end(view, options, point, out, &in_shape);
    return !*found || !in_shape || nav_view_leave(view, scratch, options, point, out, found);
}
