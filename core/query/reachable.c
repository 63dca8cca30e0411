// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// reachable.c: the positions that can be reached from one. If nothing is closed the labels of
// components say so at once; under a filter that closes ground or links, a flood over what is open
// marks the polygons that it comes to.

#include "core/query/query.h"

#include <math.h>

// A component reaches itself, and all that the condensation edges out of it lead to. These are in
// topological order: all that lead into a component come before those that lead out of it.
nav_reach nav_reach_from(const nav_view *view, nav_scratch *scratch, uint32_t component)
{
    const nav_mesh *mesh = view->mesh;
    if (mesh->condensation_edge_count == 0) {
        return (nav_reach){.component = component, .costs = view->costs, .overlay = view->overlay};
    }
    NAV_ASSERT(component >= 1);
    NAV_ASSERT(component <= mesh->stats.components);
    NAV_ASSERT(scratch->component_capacity >= mesh->stats.components);
    uint32_t *reached = scratch->reached;
    reached[component - 1] = scratch->stamp;
    for (uint32_t i = 0; i < mesh->condensation_edge_count; ++i) {
        const nav_condensation_edge *edge = &mesh->condensation_edges[i];
        NAV_DCHECK(edge->from >= 1);
        NAV_DCHECK(edge->to >= 1);
        NAV_DCHECK(edge->from != edge->to);
        if (reached[edge->from - 1] == scratch->stamp) {
            reached[edge->to - 1] = scratch->stamp;
        }
    }
    return (nav_reach){.component = component,
                       .costs = view->costs,
                       .overlay = view->overlay,
                       .reached = reached,
                       .stamp = scratch->stamp};
}

typedef struct flood {
    const nav_view *view;
    uint32_t *marks;
    uint32_t *queue; // polygons; each enters once
    uint32_t count;
    uint32_t stamp;
    nav_cancel *cancel;
} flood;

static void enter(flood *f, uint32_t polygon)
{
    NAV_DCHECK(polygon < nav_view_polygons(f->view));
    if (f->marks[polygon] != f->stamp && nav_polygon_cost(f->view, polygon) < INFINITY) {
        f->marks[polygon] = f->stamp;
        f->queue[f->count++] = polygon;
    }
}

static void leave(flood *f, uint32_t polygon)
{
    const nav_face face = nav_view_face(f->view, polygon);
    for (uint32_t i = 0; i < face.portal_count; ++i) {
        enter(f, face.portals[i].to);
    }
    // From each fragment of the polygon anew.
    nav_cancel_count(f->cancel, (uint64_t)NAV_STEP_ARC * (face.arc_end - face.arc_first));
    for (uint32_t i = face.arc_first; i < face.arc_end; ++i) {
        const uint32_t to = nav_view_arc_target(f->view, polygon, i);
        if (to != NAV_NONE) {
            enter(f, to);
        }
    }
}

bool nav_reach_flood(const nav_view *view, nav_scratch *scratch, uint32_t polygon, nav_reach *out)
{
    *out = nav_reach_from(view, scratch, nav_view_component(view, polygon));
    if (view->costs->open) {
        return true;
    }
    if (!nav_scratch_begin_polygons(scratch, nav_view_polygons(view))) {
        return false;
    }
    NAV_ASSERT(nav_polygon_cost(view, polygon) < INFINITY);
    flood f = {.view = view,
               .marks = scratch->flood.marks,
               .queue = scratch->flood.queue,
               .cancel = &scratch->cancel,
               .stamp = scratch->stamp};
    enter(&f, polygon);
    for (uint32_t i = 0; i < f.count; ++i) {
        if (nav_cancel_poll(f.cancel, NAV_STEP_NODE)) {
            return false;
        }
        leave(&f, f.queue[i]);
    }
    NAV_ASSERT(f.count > 0);
    NAV_ASSERT(f.count <= nav_view_polygons(view));
    out->polygons = f.marks;
    out->stamp = f.stamp;
    return true;
}

// ---- exported ----

// Snaps start and finds what can be reached from it. *found is false where start is off the mesh.
static nav_status begin(const nav_mesh *mesh, nav_scratch *scratch, const float start[3],
                        const nav_options *options, nav_view *view, nav_reach *reach, bool *found)
{
    if (!nav_view_begin(mesh, scratch, options, view)) {
        return nav_scratch_failure(scratch);
    }
    *reach = nav_view_reach(view);
    nav_location location;
    *found = start == NULL || nav_view_snap(view, options, start, &location);
    if (start == NULL || !*found) {
        return NAV_OK;
    }
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
        if (i % 2 == 0 && i + 1 < count) {
            nav_query_fetch(mesh, points[i], points[i + 1]);
        }
        out[i] = found && nav_view_snap(&view, options, points[i], &location) &&
                 nav_is_polygon_within_reach(&reach, &view, location.polygon);
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
