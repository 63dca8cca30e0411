// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// raycast.c: a straight walk over the mesh from a point.

#include "core/query/question/question.h"
#include "core/query/surface/surface.h"
#include "core/query/view/scratch.h"

#include <math.h>

nav_status nav_query_raycast(const nav_mesh *mesh, nav_scratch *scratch, const float start[3],
                             const float end[3], const nav_options *options, nav_ray *out)
{
    nav_view view;
    nav_location location;
    if (!nav_view_begin(mesh, scratch, options, &view)) {
        return nav_scratch_failure(scratch);
    }
    if (!isfinite(end[0]) || !isfinite(end[2]) ||
        !nav_view_snap(&view, options, start, &location)) {
        *out = (nav_ray){.found = false};
        return NAV_OK;
    }
    nav_ray ray;
    if (!nav_view_raycast(&view, scratch, &location, end, NULL, &ray)) {
        return nav_scratch_failure(scratch);
    }
    ray.polygon = nav_view_base(&view, ray.polygon);
    *out = ray;
    return NAV_OK;
}
