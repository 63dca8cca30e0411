// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// reach.c: what can be reached from a polygon. If nothing is closed the labels of components say so
// at once; under a filter that closes ground or links, a flood over what is open marks the polygons
// that it comes to. If only switches close anything, the flood goes from room to room
// (mesh/rooms.c), which are few.

#include "core/query/question/question.h"

#include "core/query/view/scratch.h"

#include <math.h>

// A component reaches itself, and all that the condensation edges out of it lead to. These are in
// topological order: all that lead into a component come before those that lead out of it.
static void mark_reached(const nav_mesh *mesh, nav_scratch *scratch)
{
    uint32_t *reached = scratch->reached;
    for (uint32_t i = 0; i < mesh->condensation_edge_count; ++i) {
        const nav_condensation_edge *edge = &mesh->condensation_edges[i];
        NAV_DCHECK(edge->from >= 1);
        NAV_DCHECK(edge->to >= 1);
        NAV_DCHECK(edge->from != edge->to);
        if (reached[edge->from - 1] == scratch->stamp) {
            reached[edge->to - 1] = scratch->stamp;
        }
    }
}

// With links that a state has added, there is no such order: they may lead back.
static void mark_reached_with(const nav_added_links *links, nav_scratch *scratch,
                              uint32_t component)
{
    uint32_t *reached = scratch->reached, *queue = scratch->component_queue;
    uint32_t count = 0;
    queue[count++] = component;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t k = nav_added_links_edges_from(links, queue[i]);
        for (; k < links->edge_count && links->edges[k].from == queue[i]; ++k) {
            const uint32_t to = links->edges[k].to;
            if (reached[to - 1] != scratch->stamp) {
                reached[to - 1] = scratch->stamp;
                queue[count++] = to;
            }
        }
    }
    NAV_ASSERT(count <= scratch->component_capacity);
}

nav_reach nav_reach_from(const nav_view *view, nav_scratch *scratch, uint32_t component)
{
    const nav_mesh *mesh = view->mesh;
    const bool adds_links = nav_view_adds_links(view);
    if (mesh->condensation_edge_count == 0 && !adds_links) {
        return (nav_reach){
            .component = component, .ground = view->ground, .overlay = view->overlay};
    }
    NAV_ASSERT(component >= 1);
    NAV_ASSERT(component <= mesh->stats.components);
    NAV_ASSERT(scratch->component_capacity >= mesh->stats.components);
    scratch->reached[component - 1] = scratch->stamp;
    if (adds_links) {
        mark_reached_with(view->links, scratch, component);
    } else {
        mark_reached(mesh, scratch);
    }
    return (nav_reach){.component = component,
                       .ground = view->ground,
                       .overlay = view->overlay,
                       .reached = scratch->reached,
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
    const uint32_t arcs = nav_arc_runs_count(&face.arcs);
    nav_cancel_count(f->cancel, (uint64_t)NAV_STEP_ARC * arcs);
    for (uint32_t k = 0; k < arcs; ++k) {
        const uint32_t to = nav_view_arc_target(f->view, polygon, nav_arc_runs_at(&face.arcs, k));
        if (to != NAV_NONE) {
            enter(f, to);
        }
    }
}

// ---- by rooms ----

// Whether rooms say all about what can be reached.
static bool has_rooms(const nav_view *view)
{
    return view->mesh->rooms.count > 0 && view->links == NULL && view->costs->open_but_for_switches;
}

// Marks the rooms that are reached from one, until `to` is (NAV_NONE: all). False when there is no
// memory, or the question is cancelled.
static bool flood_rooms(const nav_view *view, nav_scratch *scratch, uint32_t from, uint32_t to)
{
    const nav_rooms *rooms = &view->mesh->rooms;
    if (!nav_scratch_begin_polygons(scratch, nav_view_polygons(view))) {
        return false;
    }
    uint32_t *marks = scratch->flood.marks, *queue = scratch->flood.queue, count = 0;
    queue[count++] = from;
    marks[from] = scratch->stamp;
    for (uint32_t i = 0; i < count && queue[count - 1] != to; ++i) {
        if (nav_cancel_poll(&scratch->cancel, NAV_STEP_NODE)) {
            return false;
        }
        for (uint32_t k = rooms->out_first[queue[i]]; k < rooms->out_first[queue[i] + 1]; ++k) {
            const nav_door *door = &rooms->out[k];
            if (marks[door->room] != scratch->stamp && nav_view_is_door_open(view, door)) {
                marks[door->room] = scratch->stamp;
                queue[count++] = door->room;
            }
        }
    }
    return true;
}

bool nav_rooms_lead(const nav_view *view, nav_scratch *scratch, uint32_t from, uint32_t to,
                    bool *leads, bool *known)
{
    const uint32_t *of = view->mesh->rooms.of;
    const bool labelled = nav_view_knows_labels(view);
    *leads = true;
    *known = labelled || has_rooms(view);
    if (labelled) {
        *leads = nav_view_joins(view, from, to);
    } else if (*known && of[from] != of[to]) {
        if (!flood_rooms(view, scratch, of[from], of[to])) {
            return false;
        }
        *leads = scratch->flood.marks[of[to]] == scratch->stamp;
    }
    return true;
}

bool nav_reach_flood(const nav_view *view, nav_scratch *scratch, uint32_t polygon, nav_reach *out)
{
    if (!view->costs->open && nav_view_knows_components(view) &&
        view->state->components->is_complete) {
        *out = nav_view_reach(view);
        nav_reach_keep(out, view->state, polygon);
        return true;
    }
    *out = nav_reach_from(view, scratch, nav_view_component(view, polygon));
    if (view->costs->open) {
        return true;
    }
    if (view->overlay == NULL && has_rooms(view)) {
        out->rooms = view->mesh->rooms.of;
        out->marks = scratch->flood.marks;
        out->stamp = scratch->stamp;
        return flood_rooms(view, scratch, out->rooms[polygon], NAV_NONE);
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
    out->marks = f.marks;
    out->stamp = f.stamp;
    return true;
}
