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
    const bool adds_ways = nav_view_adds_ways(view);
    if (mesh->condensation_edge_count == 0 && !adds_ways) {
        return (nav_reach){
            .component = component, .ground = view->ground, .overlay = view->overlay};
    }
    NAV_ASSERT(component >= 1);
    NAV_ASSERT(component <= mesh->stats.components);
    NAV_ASSERT(scratch->component_capacity >= mesh->stats.components);
    scratch->reached[component - 1] = scratch->stamp;
    if (adds_ways) {
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

// Whether rooms tell all about what can be reached.
static bool has_rooms(const nav_view *view)
{
    return view->mesh->rooms.count > 0 && view->links == NULL && view->costs->open_but_for_switches;
}

typedef struct room_front {
    const uint32_t *first;
    const nav_door *doors;
    uint32_t *queue;
    uint32_t next, count;
    uint32_t stamp;
} room_front;

static void enter_room(room_front *f, uint32_t *marks, uint32_t room)
{
    marks[room] = f->stamp;
    f->queue[f->count++] = room;
}

// Leaves one room by all of its open doors. True where that leads to a room that the other side has
// marked.
static bool leave_room(const nav_view *view, room_front *f, uint32_t *marks, uint32_t other_stamp)
{
    const uint32_t room = f->queue[f->next++];
    for (uint32_t i = f->first[room]; i < f->first[room + 1]; ++i) {
        const nav_door *door = &f->doors[i];
        if (marks[door->room] == f->stamp || !nav_view_is_door_open(view, door)) {
            continue;
        }
        if (marks[door->room] == other_stamp) {
            return true;
        }
        enter_room(f, marks, door->room);
    }
    return false;
}

static room_front front_out(const nav_view *view, nav_scratch *scratch)
{
    const nav_rooms *rooms = &view->mesh->rooms;
    return (room_front){.first = rooms->out_first,
                        .doors = rooms->out,
                        .queue = scratch->flood.queue,
                        .stamp = scratch->stamp};
}

// False when there is no memory, or the question is cancelled.
static bool flood_rooms(const nav_view *view, nav_scratch *scratch, uint32_t polygon,
                        nav_reach *out)
{
    if (!nav_scratch_begin_polygons(scratch, nav_view_polygons(view))) {
        return false;
    }
    uint32_t *marks = scratch->flood.marks;
    room_front f = front_out(view, scratch);
    enter_room(&f, marks, view->mesh->rooms.of[polygon]);
    while (f.next < f.count) {
        if (nav_cancel_poll(&scratch->cancel, NAV_STEP_NODE)) {
            return false;
        }
        leave_room(view, &f, marks, f.stamp); // nobody comes the other way
    }
    out->marks = marks;
    out->rooms = view->mesh->rooms.of;
    out->stamp = f.stamp;
    return true;
}

bool nav_rooms_lead(const nav_view *view, nav_scratch *scratch, uint32_t from, uint32_t to,
                    bool *leads, bool *told)
{
    const nav_rooms *rooms = &view->mesh->rooms;
    const bool labelled = nav_view_knows_labels(view);
    *told = labelled || has_rooms(view);
    if (labelled) {
        *leads = nav_view_joins(view, from, to);
        return true;
    }
    *leads = true;
    if (!*told || rooms->of[from] == rooms->of[to]) {
        return true;
    }
    if (!nav_scratch_begin_polygons(scratch, nav_view_polygons(view))) {
        return false;
    }
    // Marks of the way back are odd: no question has such a stamp.
    uint32_t *marks = scratch->flood.marks;
    room_front out = front_out(view, scratch);
    room_front in = {.first = rooms->in_first,
                     .doors = rooms->in,
                     .queue = scratch->flood.list,
                     .stamp = scratch->stamp + 1};
    enter_room(&out, marks, rooms->of[from]);
    enter_room(&in, marks, rooms->of[to]);
    bool met = false;
    while (!met && out.next < out.count && in.next < in.count) {
        met = leave_room(view, &out, marks, in.stamp) || leave_room(view, &in, marks, out.stamp);
    }
    *leads = met;
    return true;
}

bool nav_reach_flood(const nav_view *view, nav_scratch *scratch, uint32_t polygon, nav_reach *out)
{
    if (!view->costs->open && nav_view_knows_parts(view) && view->state->parts->is_complete) {
        *out = nav_view_reach(view);
        nav_reach_keep_part(out, view->state, polygon);
        return true;
    }
    *out = nav_reach_from(view, scratch, nav_view_component(view, polygon));
    if (view->costs->open) {
        return true;
    }
    if (view->overlay == NULL && has_rooms(view)) {
        return flood_rooms(view, scratch, polygon, out);
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
