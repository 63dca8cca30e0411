// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// view.c: the beginning of every question: its filter gives costs to the mesh, and its shapes to
// avoid are cut out of it.

#include "core/query/view.h"

#include "core/query/query.h"

#include <math.h>

// ---- polygons ----

static const nav_fragment *cut_fragment(const nav_view *view, uint32_t polygon)
{
    NAV_DCHECK(polygon - view->mesh->stats.polygons < view->overlay->polygon_count);
    const nav_overlay *overlay = view->overlay;
    return &overlay->fragments[overlay->cut_fragments[polygon - view->mesh->stats.polygons]];
}

nav_face nav_overlay_face(const nav_view *view, uint32_t polygon)
{
    const nav_overlay *overlay = view->overlay;
    const bool is_fragment = polygon >= view->mesh->stats.polygons;
    const nav_fragment *fragment =
        is_fragment ? cut_fragment(view, polygon) : nav_overlay_find(overlay, polygon);
    const nav_view plain = {.mesh = view->mesh, .costs = view->costs};
    nav_face face = nav_view_face(&plain, is_fragment ? fragment->base : polygon);
    if (fragment != NULL) {
        face.portals =
            fragment->portal_count > 0 ? overlay->portals + fragment->portal_first : NULL;
        face.portal_first = view->mesh->portal_count + fragment->portal_first;
        face.portal_count = fragment->portal_count;
    }
    if (fragment != NULL && fragment->cut) {
        face.corners = overlay->corners + fragment->corner_first;
        face.corner_count = fragment->corner_count;
    }
    return face;
}

// Few of them are asked for: the turns of a path.
const float *nav_overlay_vertex_at(const nav_overlay *overlay, uint32_t index)
{
    NAV_DCHECK(index < overlay->vertex_count);
    nav_overlay_vertex *vertex = &overlay->vertices[index];
    if (isnan(vertex->at[1])) {
        vertex->at[1] = nav_mesh_height(overlay->mesh, vertex->base, vertex->at[0], vertex->at[2]);
    }
    return vertex->at;
}

float nav_overlay_cost(const nav_view *view, uint32_t polygon)
{
    if (polygon >= view->mesh->stats.polygons) {
        const nav_fragment *fragment = cut_fragment(view, polygon);
        return view->costs->area[view->mesh->areas[fragment->base]] * fragment->cost;
    }
    return nav_overlay_is_cut(view->overlay, polygon)
               ? INFINITY
               : view->costs->area[view->mesh->areas[polygon]];
}

uint32_t nav_view_polygon_at(const nav_view *view, uint32_t polygon, const float position[3])
{
    NAV_DCHECK(polygon < view->mesh->stats.polygons);
    if (!nav_overlay_is_cut(view->overlay, polygon)) {
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
    NAV_DCHECK(nav_portal_is_arc(view->mesh, portal));
    return &view->overlay->arc_ends[portal - view->mesh->edge_portal_count][end];
}

uint32_t nav_overlay_arc_from(const nav_view *view, uint32_t portal)
{
    uint32_t *known = arc_end(view, portal, 0);
    if (*known == NAV_ARC_END_UNKNOWN) {
        *known = nav_view_polygon_at(view, view->mesh->portals[portal].from,
                                     nav_portal_arc(view->mesh, portal)->start);
    }
    return *known;
}

uint32_t nav_overlay_arc_to(const nav_view *view, uint32_t portal)
{
    uint32_t *known = arc_end(view, portal, 1);
    if (*known == NAV_ARC_END_UNKNOWN) {
        *known = nav_view_polygon_at(view, view->mesh->portals[portal].to,
                                     nav_portal_arc(view->mesh, portal)->end);
    }
    return *known;
}

uint32_t nav_view_arc_target(const nav_view *view, uint32_t polygon, uint32_t index)
{
    const nav_mesh *mesh = view->mesh;
    const uint32_t portal = mesh->edge_portal_count + index;
    NAV_DCHECK(index < mesh->arc_count);
    if (nav_arc_cost(view, &mesh->arcs[index]) == INFINITY ||
        nav_view_from(view, portal) != polygon) {
        return NAV_NONE;
    }
    const uint32_t to = nav_view_to(view, portal);
    return to != NAV_NONE && nav_polygon_cost(view, to) < INFINITY ? to : NAV_NONE;
}

// ---- beginning ----

static bool begin_arc_ends(const nav_mesh *mesh, nav_overlay_budget *budget, nav_overlay *overlay)
{
    const uint32_t count = mesh->portal_count - mesh->edge_portal_count;
    overlay->arc_ends = nav_overlay_alloc(budget, count, sizeof *overlay->arc_ends);
    for (uint32_t i = 0; overlay->arc_ends != NULL && i < count; ++i) {
        overlay->arc_ends[i][0] = NAV_ARC_END_UNKNOWN;
        overlay->arc_ends[i][1] = NAV_ARC_END_UNKNOWN;
    }
    return overlay->arc_ends != NULL;
}

static uint64_t work_of(const nav_options *options)
{
    const uint64_t *shared = options->avoid_work;
    return shared != NULL && *shared < NAV_AVOID_WORK_MAX ? *shared : NAV_AVOID_WORK_MAX;
}

nav_overlay_budget nav_view_budget(nav_scratch *scratch, const nav_options *options)
{
    return (nav_overlay_budget){
        .arena = &scratch->overlay_memory, .work = work_of(options), .cancel = &scratch->cancel};
}

void nav_view_spent(const nav_overlay_budget *budget, const nav_options *options)
{
    NAV_ASSERT(budget->work <= work_of(options));
    if (options->avoid_work != NULL) {
        *options->avoid_work -= work_of(options) - budget->work;
    }
}

static bool cut_overlay(const nav_mesh *mesh, const nav_options *options, nav_scratch *scratch)
{
    nav_arena *memory = &scratch->overlay_memory;
    nav_overlay_budget budget = nav_view_budget(scratch, options);
    nav_arena_reset(memory);
    nav_outline *outlines = nav_overlay_alloc(&budget, options->avoid_count, sizeof *outlines);
    scratch->overlay_ready =
        outlines != NULL &&
        nav_outlines_create(options->avoid, options->avoid_count, (double)mesh->agent_radius,
                            &budget, outlines) &&
        nav_overlay_create(mesh, outlines, options->avoid_count, &budget, &scratch->overlay) &&
        begin_arc_ends(mesh, &budget, &scratch->overlay);
    scratch->avoid_refused = budget.refused;
    nav_view_spent(&budget, options);
    if (!scratch->overlay_ready) {
        // So much is not kept for the next question, which will hardly need it.
        nav_arena_free(memory);
        nav_arena_init(memory, &scratch->allocator, NAV_OVERLAY_BYTES_MAX);
    }
    return scratch->overlay_ready;
}

// The scratch's overlay and costs become the view's; the costs are those without shapes.
static void take_overlay(nav_scratch *scratch, nav_view *view)
{
    nav_costs *costs = &scratch->costs;
    NAV_ASSERT(scratch->overlay.mesh == view->mesh);
    NAV_ASSERT(scratch->overlay.cost_least > 0.0f);
    NAV_ASSERT(scratch->overlay.cost_least <= 1.0f);
    view->costs = costs;
    view->overlay = &scratch->overlay;
    costs->open = false;
    costs->uniform = costs->uniform && !scratch->overlay.has_prices;
    costs->least *= scratch->overlay.cost_least;
    costs->bound *= scratch->overlay.cost_least;
    costs->landmark_bound *= scratch->overlay.cost_least;
}

static bool begin_overlay(const nav_options *options, nav_scratch *scratch, nav_view *view)
{
    const bool repeated = options->avoid_repeated && scratch->overlay_ready;
    NAV_ASSERT(!repeated || scratch->overlay.mesh == view->mesh);
    if (!repeated && !cut_overlay(view->mesh, options, scratch)) {
        return false;
    }
    take_overlay(scratch, view);
    return true;
}

bool nav_view_cut(nav_view *view, nav_scratch *scratch, const nav_filter *filter,
                  const nav_outline *outlines, uint32_t count, nav_overlay_budget *budget)
{
    if (!nav_overlay_create(view->mesh, outlines, count, budget, &scratch->overlay) ||
        !begin_arc_ends(view->mesh, budget, &scratch->overlay)) {
        return false;
    }
    nav_costs_resolve(view->mesh, filter, &scratch->costs);
    take_overlay(scratch, view);
    return nav_scratch_begin(scratch, view);
}

bool nav_view_begin(const nav_mesh *mesh, nav_scratch *scratch, const nav_options *options,
                    nav_view *view)
{
    // Most questions have neither: then the mesh's own costs are read where they are.
    const bool plain = options->filter == NULL && options->avoid_count == 0;
    if (!plain) {
        nav_costs_resolve(mesh, options->filter, &scratch->costs);
    }
    *view = (nav_view){.mesh = mesh, .costs = plain ? &mesh->costs : &scratch->costs};
    scratch->avoid_refused = false;
    // The first poll calls the hook: the deadline may have been exceeded before.
    scratch->cancel = (nav_cancel){
        .hook = options->cancelled, .user = options->user, .work = NAV_CANCEL_INTERVAL};
    if (options->avoid_count > 0 && !begin_overlay(options, scratch, view)) {
        return false;
    }
    return nav_scratch_begin(scratch, view);
}

bool nav_scratch_avoid_refused(const nav_scratch *scratch)
{
    return scratch->avoid_refused;
}
