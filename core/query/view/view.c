// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// view.c: reads the mesh as one question sees it: its polygons and fragments, its links, and what
// is known of the state that it is asked in.

#include "core/query/view/view.h"

#include "core/base/sets.h"

#include <math.h>

// ---- polygons ----

static const nav_fragment *cut_fragment(const nav_view *view, uint32_t polygon)
{
    NAV_DCHECK(polygon - view->mesh->stats.polygons < view->overlay->count.polygons);
    const nav_overlay *overlay = view->overlay;
    return &overlay->fragments[overlay->cut_fragments[polygon - view->mesh->stats.polygons]];
}

nav_face nav_overlay_face(const nav_view *view, uint32_t polygon)
{
    const nav_overlay *overlay = view->overlay;
    const bool is_fragment = polygon >= view->mesh->stats.polygons;
    const nav_fragment *fragment =
        is_fragment ? cut_fragment(view, polygon) : nav_overlay_find(overlay, polygon);
    const nav_view plain = {
        .mesh = view->mesh, .costs = view->costs, .ground = view->ground, .links = view->links};
    nav_face face = nav_view_face(&plain, is_fragment ? fragment->base : polygon);
    if (fragment != NULL) {
        face.portals =
            fragment->portal_count > 0 ? overlay->portals + fragment->portal_first : NULL;
        face.portal_first = nav_view_overlay_first(view) + fragment->portal_first;
        face.portal_count = fragment->portal_count;
    }
    if (fragment != NULL && fragment->cut) {
        face.corners = overlay->corners + fragment->corner_first;
        face.corner_count = fragment->corner_count;
    }
    return face;
}

// Few of them are asked for: the turns of a path. Many threads may look for a height at once: each
// of them finds the same one, so it does not matter who writes it.
void nav_overlay_vertex_at(const nav_overlay *overlay, uint32_t index, float at[3])
{
    NAV_DCHECK(index < overlay->count.vertices);
    nav_overlay_vertex *vertex = &overlay->vertices[index];
    at[0] = vertex->at[0];
    at[2] = vertex->at[2];
    __atomic_load(&vertex->at[1], &at[1], __ATOMIC_RELAXED);
    if (isnan(at[1])) {
        at[1] = nav_mesh_height(overlay->mesh, vertex->base, at[0], at[2]);
        __atomic_store(&vertex->at[1], &at[1], __ATOMIC_RELAXED);
    }
}

float nav_overlay_cost(const nav_view *view, uint32_t polygon)
{
    if (polygon >= view->mesh->stats.polygons) {
        const nav_fragment *fragment = cut_fragment(view, polygon);
        return view->ground[view->mesh->classes[fragment->base]] * fragment->cost;
    }
    return nav_overlay_is_cut(view->overlay, polygon) ? INFINITY
                                                      : view->ground[view->mesh->classes[polygon]];
}

uint32_t nav_view_polygon_at(const nav_view *view, uint32_t polygon, const float position[3])
{
    NAV_DCHECK(polygon < view->mesh->stats.polygons);
    if (view->overlay == NULL || !nav_overlay_is_cut(view->overlay, polygon)) {
        return polygon;
    }
    const nav_fragment *fragment =
        nav_overlay_fragment_at(view->overlay, polygon, position[0], position[2]);
    return fragment != NULL ? fragment->number : NAV_NONE;
}

// An end of an arc is looked for once: all arcs out of a polygon are asked about from each of its
// fragments, and there may be many of both.
static uint32_t *arc_end(const nav_view *view, uint32_t portal, int end)
{
    NAV_DCHECK(nav_portal_is_arc(view, portal));
    return &view->overlay->arc_ends[portal - view->mesh->edge_portal_count][end];
}

uint32_t nav_overlay_arc_from(const nav_view *view, uint32_t portal)
{
    uint32_t *known = arc_end(view, portal, 0);
    if (*known == NAV_ARC_END_UNKNOWN) {
        *known = nav_view_polygon_at(view, nav_view_portal(view, portal)->from,
                                     nav_portal_arc(view, portal)->start);
    }
    return *known;
}

uint32_t nav_overlay_arc_to(const nav_view *view, uint32_t portal)
{
    uint32_t *known = arc_end(view, portal, 1);
    if (*known == NAV_ARC_END_UNKNOWN) {
        *known = nav_view_polygon_at(view, nav_view_portal(view, portal)->to,
                                     nav_portal_arc(view, portal)->end);
    }
    return *known;
}

uint32_t nav_view_arc_target(const nav_view *view, uint32_t polygon, uint32_t index)
{
    const uint32_t portal = view->mesh->edge_portal_count + index;
    if (nav_arc_cost(view, nav_view_arc(view, index)) == INFINITY ||
        nav_view_from(view, portal) != polygon) {
        return NAV_NONE;
    }
    const uint32_t to = nav_view_to(view, portal);
    return to != NAV_NONE && nav_polygon_cost(view, to) < INFINITY ? to : NAV_NONE;
}

uint32_t nav_view_back(const nav_view *view, const nav_portal *portal)
{
    const nav_face face = nav_view_face(view, portal->to);
    for (uint32_t i = 0; i < face.portal_count; ++i) {
        if (nav_portal_is_back(&face.portals[i], portal)) {
            return face.portal_first + i;
        }
    }
    return NAV_NONE;
}

// ---- links of a state ----

void nav_added_links_find(const nav_added_links *added, const nav_mesh *mesh, uint32_t polygon,
                          nav_arc_runs *runs)
{
    const uint32_t first =
        nav_numbers_below(&added->portals->from, sizeof *added->portals, added->arc_count, polygon);
    uint32_t end = first;
    while (end < added->arc_count && added->portals[end].from == polygon) {
        ++end;
    }
    runs->added_first = mesh->arc_count + first;
    runs->added_count = end - first;
}

uint32_t nav_added_links_edges_from(const nav_added_links *added, uint32_t component)
{
    return nav_numbers_below(&added->edges->from, sizeof *added->edges, added->edge_count,
                             component);
}

// ---- what hangs together in a state ----

static uint32_t label_of(const nav_overlay *state, uint32_t polygon)
{
    return state->components->labels[nav_state_room_of(state->mesh, polygon)];
}

uint32_t nav_state_component(const nav_overlay *state, uint32_t polygon)
{
    const nav_state_components *components = state->components;
    const nav_view view = {.mesh = state->mesh, .overlay = state};
    NAV_DCHECK(components->has_components);
    const nav_state_member *found = &components->members[nav_state_slot(components, polygon)];
    return found->polygon == polygon ? found->component
                                     : label_of(state, nav_view_base(&view, polygon));
}

bool nav_view_knows_labels(const nav_view *view)
{
    return view->state != NULL && view->state->components != NULL &&
           view->costs->open_but_for_switches;
}

bool nav_view_joins(const nav_view *view, uint32_t a, uint32_t b)
{
    NAV_ASSERT(nav_view_knows_labels(view));
    return label_of(view->state, a) == label_of(view->state, b);
}

// Whether a view of a state shows all of its shapes, and no others.
static bool sees_all(const nav_view *view)
{
    const nav_overlay *state = view->state;
    if (view->adds_shapes) {
        return false;
    }
    return view->overlay != NULL ? view->overlay->seen_count == state->group_count
                                 : !nav_overlay_changes(state);
}

bool nav_view_knows_components(const nav_view *view)
{
    return nav_view_knows_labels(view) && view->state->components->has_components && sees_all(view);
}
