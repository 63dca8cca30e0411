// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// ends.c: ends of ways inside of shapes that block, of a path, a matrix, a flood, or what can be
// reached. An agent in one may leave it: for this question its ground is open, but so dear that
// the way out is short. None can get into one; a path leads to its rim (query/path.c).

#include "core/base/plane.h"
#include "core/query/query.h"

#include <math.h>

static bool is_inside(const nav_outline *outline, const double at[2])
{
    bool inside = outline->count >= 3;
    for (uint32_t i = 0; i < outline->count && inside; ++i) {
        const double *a = outline->points[i],
                     *b = outline->points[i + 1 < outline->count ? i + 1 : 0];
        const double near = NAV_OBSTACLE_NEAR * (fabs(b[0] - a[0]) + fabs(b[1] - a[1]));
        inside = nav_plane_side(a, b, at) >= -near;
    }
    return inside;
}

bool nav_obstacle_blocks(const nav_mesh *mesh, const nav_obstacle *obstacle, const nav_location *at)
{
    const nav_polygon_record *record = &mesh->records[at->polygon];
    const double place[2] = {(double)at->position[0], (double)at->position[2]};
    return obstacle->outline.cost == INFINITY && record->min[1] <= obstacle->outline.top &&
           record->max[1] >= obstacle->outline.bottom && is_inside(&obstacle->outline, place);
}

bool nav_overlay_blocks(const nav_overlay *overlay, const nav_location *at)
{
    bool found = false;
    for (uint32_t i = 0; i < overlay->obstacle_count && !found; ++i) {
        found = nav_obstacle_blocks(overlay->mesh, &overlay->obstacles[i], at);
    }
    return found;
}

uint64_t nav_overlay_blockers_hash(const nav_overlay *overlay, const nav_location *at)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < overlay->obstacle_count; ++i) {
        if (nav_obstacle_blocks(overlay->mesh, &overlay->obstacles[i], at)) {
            hash = (hash + i + 1) * UINT64_C(0x9e3779b97f4a7c15);
        }
    }
    return hash;
}

bool nav_overlay_blocks_alike(const nav_overlay *overlay, const nav_location *a,
                              const nav_location *b)
{
    bool alike = true;
    for (uint32_t i = 0; i < overlay->obstacle_count && alike; ++i) {
        const nav_obstacle *obstacle = &overlay->obstacles[i];
        alike = nav_obstacle_blocks(overlay->mesh, obstacle, a) ==
                nav_obstacle_blocks(overlay->mesh, obstacle, b);
    }
    return alike;
}

bool nav_overlay_open_around(nav_overlay *overlay, const nav_location *at,
                             nav_overlay_budget *budget)
{
    for (uint32_t i = 0; i < overlay->obstacle_count && !budget->failed; ++i) {
        nav_obstacle *obstacle = &overlay->obstacles[i];
        if (nav_overlay_outline(overlay, i, budget) != NULL &&
            nav_obstacle_blocks(overlay->mesh, obstacle, at)) {
            obstacle->outline.cost = NAV_AVOID_LEAVE_COST;
            obstacle->outline.leaves = true;
            obstacle->before = NAV_NONE; // nobody has cut it like this
        }
    }
    return !budget->failed;
}

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
    // Answers are rounded: who stands on the rim may be told to stand inside of it. What is open on
    // another storey is no rim.
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
