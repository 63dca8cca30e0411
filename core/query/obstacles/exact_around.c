// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// exact_around.c: what the mesh without shapes tells of a question with shapes that block.
//
//      start . . . . . . . goal      No way around shapes is shorter than the shortest way without
//        .                 .         them: its length is a bound. And where it leads over polygons
//        .    .---.        .         only that no shape touches, it is the answer.
//        ' . .|___|. . . . '
//

#include "core/query/query.h"

// Whether a path over the mesh as it is keeps to polygons that no shape touches.
static bool is_clear(const nav_overlay *overlay, const nav_scratch *scratch, uint32_t polygon,
                     const nav_path *path)
{
    bool clear = !nav_overlay_is_cut(overlay, polygon);
    for (uint32_t i = 0; i < path->corridor_count && clear; ++i) {
        clear = !nav_overlay_is_cut(overlay, overlay->mesh->portals[scratch->corridor[i]].to);
    }
    return clear;
}

bool nav_exact_unobstructed(const nav_view *view, nav_scratch *scratch,
                            const nav_path_request *request, const nav_location *start,
                            const nav_location *target, nav_path *path, double *bound)
{
    nav_costs costs = *view->costs;
    const nav_view unobstructed = {.mesh = view->mesh, .costs = &costs};
    nav_location from = *start, to = *target;
    costs.open = true;
    from.polygon = nav_view_base(view, start->polygon);
    to.polygon = nav_view_base(view, target->polygon);
    if (!nav_polyanya_find(&unobstructed, scratch, request, &from, &to, path, bound)) {
        *bound = 0.0;
        return false;
    }
    return is_clear(view->overlay, scratch, from.polygon, path);
}
