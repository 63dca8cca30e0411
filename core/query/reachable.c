// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// reachable.c: whether positions can be reached from one, and the nearest that can.

#include "core/query/question/question.h"
#include "core/query/view/scratch.h"

// Snaps start and finds what can be reached from it. *found is false where start is off the mesh.
static nav_status begin(const nav_mesh *mesh, nav_scratch *scratch, const float start[3],
                        const nav_options *options, nav_view *view, nav_reach *reach, bool *found)
{
    if (!nav_view_begin(mesh, scratch, options, view)) {
        return nav_scratch_failure(scratch);
    }
    *reach = nav_view_reach(view);
    nav_location location;
    *found = true;
    if (start == NULL) {
        return NAV_OK;
    }
    if (!nav_view_snap_start(view, scratch, options, start, &location, found)) {
        return nav_scratch_failure(scratch);
    }
    if (!*found) {
        return NAV_OK;
    }
    // A start in shapes has made the view anew.
    *reach = nav_view_reach(view);
    return nav_reach_flood(view, scratch, location.polygon, reach) ? NAV_OK
                                                                   : nav_scratch_failure(scratch);
}

nav_status nav_query_reachable(const nav_mesh *mesh, nav_scratch *scratch, const float start[3],
                               const nav_options *options, const float (*points)[3], uint32_t count,
                               bool *out)
{
    nav_view view;
    nav_reach reach;
    bool found;
    nav_status status = begin(mesh, scratch, start, options, &view, &reach, &found);
    if (status != NAV_OK) {
        return status;
    }
    for (uint32_t i = 0; i < count; ++i) {
        nav_location location;
        if (nav_cancel_poll(&scratch->cancel, NAV_STEP_POSITION)) {
            return NAV_CANCELLED;
        }
        bool in_shape;
        out[i] = found && nav_view_snap_end(&view, options, points[i], &location, &in_shape) &&
                 !in_shape && nav_is_polygon_within_reach(&reach, &view, location.polygon);
    }
    return NAV_OK;
}

nav_status nav_query_nearest_reachable(const nav_mesh *mesh, nav_scratch *scratch,
                                       const float point[3], const float *start,
                                       const nav_options *options, nav_location *out,
                                       uint32_t capacity, uint32_t *count)
{
    nav_view view;
    nav_reach reach;
    bool found;
    nav_status status = begin(mesh, scratch, start, options, &view, &reach, &found);
    if (status == NAV_OK) {
        *count = found ? nav_view_nearest(&view, options, point, reach, out, capacity) : 0;
        nav_view_name(&view, out, *count);
    }
    return status;
}
