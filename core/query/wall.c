// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// wall.c: the wall nearest to a position: a flood over the polygons around it that goes on only
// through portals that are nearer than the best wall so far.

#include "core/base/plane.h"
#include "core/base/tolerances.h"
#include "core/query/question/question.h"
#include "core/query/surface/surface.h"
#include "core/query/view/scratch.h"

#include <math.h>

typedef struct search {
    const float *point;
    double best2;
    nav_wall *out;
} search;

static void inspect(void *user, const float a[3], const float b[3])
{
    search *s = user;
    const double ex = (double)b[0] - (double)a[0], ez = (double)b[2] - (double)a[2];
    const double px = (double)s->point[0] - (double)a[0], pz = (double)s->point[2] - (double)a[2];
    const double length2 = ex * ex + ez * ez;
    if (length2 == 0.0) {
        return;
    }
    const double t = nav_plane_closest(ex, ez, px, pz);
    const double dx = px - ex * t, dz = pz - ez * t;
    const double distance2 = dx * dx + dz * dz;
    // The first wall may be as far away as the radius, which may be 0.
    if (s->out->hit ? distance2 >= s->best2 : distance2 > s->best2) {
        return;
    }
    s->best2 = distance2;
    s->out->hit = true;
    for (int axis = 0; axis < 3; ++axis) {
        s->out->position[axis] = (float)((double)a[axis] + ((double)b[axis] - (double)a[axis]) * t);
    }
    // On the wall itself there is no direction from it, but the wall has one.
    const double distance = sqrt(distance2), length = sqrt(length2);
    const bool beside = distance > NAV_ON_WALL_RATIO * (1.0 + length);
    s->out->normal[0] = (float)(beside ? dx / distance : ez / length);
    s->out->normal[1] = 0.0f;
    s->out->normal[2] = (float)(beside ? dz / distance : -ex / length);
}

nav_status nav_query_wall(const nav_mesh *mesh, nav_scratch *scratch, const float point[3],
                          float max_radius, const nav_options *options, nav_wall *out)
{
    nav_view view;
    nav_location location;
    nav_spread spread;
    nav_wall wall = {.found = true};
    const double radius = max_radius > 0.0f ? (double)max_radius : 0.0; // of NaN, too
    if (!nav_view_begin(mesh, scratch, options, &view)) {
        return nav_scratch_failure(scratch);
    }
    if (!nav_view_snap(&view, options, point, &location)) {
        *out = (nav_wall){.found = false};
        return NAV_OK;
    }
    const float center[2] = {location.position[0], location.position[2]};
    if (!nav_spread_begin(&spread, &view, scratch, location.polygon, center)) {
        return NAV_NO_MEMORY;
    }
    search s = {.point = location.position, .best2 = radius * radius, .out = &wall};
    for (uint32_t polygon = nav_spread_next(&spread); polygon != NAV_NONE;
         polygon = nav_spread_next(&spread)) {
        nav_view_walls(&view, polygon, inspect, &s);
        nav_spread_on(&spread, polygon, sqrt(s.best2));
    }
    if (scratch->cancel.cancelled) {
        return NAV_CANCELLED;
    }
    NAV_ASSERT(s.best2 >= 0.0);
    NAV_ASSERT(s.best2 <= radius * radius);
    wall.distance = (float)sqrt(s.best2);
    *out = wall;
    return NAV_OK;
}
