// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// cost_limit.c: the cost beyond which the search of a path need not look.

#include "core/query/search/search.h"

#include <math.h>

double nav_view_dearest_ground(const nav_view *view)
{
    const nav_mesh *mesh = view->mesh;
    double most = 0.0;
    for (uint32_t i = 0; i < mesh->area_list_count; ++i) {
        const uint8_t area = mesh->area_list[i];
        if (mesh->area_used[area] && view->costs->area[area] < INFINITY) {
            most = fmax(most, (double)view->costs->area[area]);
        }
    }
    return view->overlay != NULL ? most * (double)view->overlay->costs.most : most;
}

// The same over links by their length; INFINITY where a link may have a cost of its own.
static double dearest_of(const nav_view *view, const nav_link_class *classes, uint32_t count)
{
    double most = 0.0;
    for (uint32_t i = 0; i < count; ++i) {
        const nav_link_class *links = &classes[i];
        const float cost = links->any_own ? INFINITY : view->ground[links->ground];
        const bool closed = nav_link_is_closed(view->costs, links->flags, links->ground);
        most = closed ? most : fmax(most, (double)cost);
    }
    return most;
}

static double dearest_link(const nav_view *view)
{
    const double most = dearest_of(view, view->mesh->link_classes, view->mesh->link_class_count);
    return view->links != NULL
               ? fmax(most, dearest_of(view, view->links->classes, view->links->class_count))
               : most;
}

double nav_path_cost_limit(const nav_view *view, const nav_path_request *request)
{
    const double ground = nav_view_dearest_ground(view);
    // Points of a path are rounded, and so are the keys of a search: it looks a little farther.
    const double rounding = nav_plan_tolerance((double)request->end[0], (double)request->end[2]);
    const double left_off = ((double)request->goal_radius + rounding) * ground;
    double limit = (double)INFINITY;
    if (request->max_cost > 0.0) {
        limit = request->max_cost + left_off;
    }
    if (request->max_length > 0.0) {
        limit = fmin(limit, request->max_length * fmax(ground, dearest_link(view)) + left_off);
    }
    return limit;
}
