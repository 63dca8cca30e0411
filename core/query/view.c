// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// view.c: the beginning of every question: its filter gives costs to the mesh, and shapes to avoid,
// its own and those of the state that it is asked in, are cut out of it.

#include "core/query/view.h"

#include "core/query/query.h"

#include <math.h>
#include <string.h>

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

// ---- the shapes of a question ----

static uint64_t work_of(const nav_options *options)
{
    const uint64_t *shared = options->avoid_work;
    return shared != NULL && *shared < NAV_AVOID_WORK_MAX ? *shared : NAV_AVOID_WORK_MAX;
}

nav_overlay_budget nav_view_budget(nav_scratch *scratch, const nav_options *options)
{
    return (nav_overlay_budget){.kept = &scratch->overlay_memory,
                                .arena = &scratch->overlay_work,
                                .work = work_of(options),
                                .cancel = &scratch->cancel};
}

void nav_view_spent(nav_scratch *scratch, const nav_overlay_budget *budget,
                    const nav_options *options)
{
    NAV_ASSERT(budget->work <= work_of(options));
    if (options->avoid_work != NULL) {
        *options->avoid_work -= work_of(options) - budget->work;
    }
    scratch->avoid_refused = budget->refused;
    if (budget->failed) {
        // So much is not kept for the next question, which will hardly need it.
        nav_scratch_drop_overlay(scratch);
    }
}

bool nav_view_take_shapes(const nav_mesh *mesh, nav_scratch *scratch, const nav_options *options,
                          bool to_change, nav_overlay_budget *budget)
{
    nav_overlay *overlay = &scratch->overlay;
    const nav_overlay *state = options->overlay;
    NAV_ASSERT(state == NULL || state->mesh == mesh);
    nav_arena_reset(&scratch->overlay_work);
    if (options->avoid_repeated && scratch->overlay_ready && !to_change) {
        NAV_ASSERT(overlay->mesh == mesh);
        return true;
    }
    nav_arena_reset(&scratch->overlay_memory);
    if (options->avoid_count > 0 || to_change) {
        scratch->overlay_ready = nav_overlay_take_shapes(
            overlay, mesh, state, false, options->avoid, options->avoid_count, budget);
        overlay->links = state != NULL ? state->links : (nav_added_links){0};
    } else {
        // All but what other threads may change.
        memcpy(overlay, state, offsetof(nav_overlay, own_cell));
        scratch->overlay_ready = true;
    }
    return scratch->overlay_ready;
}

static uint32_t count_arcs(const nav_overlay *overlay)
{
    return overlay->mesh->arc_count + overlay->links.arc_count;
}

// All arcs are looked up again where other ground is seen.
static void forget_arc_ends(nav_overlay *overlay)
{
    const uint32_t count = count_arcs(overlay);
    for (uint32_t i = 0; i < count; ++i) {
        overlay->arc_ends[i][0] = NAV_ARC_END_UNKNOWN;
        overlay->arc_ends[i][1] = NAV_ARC_END_UNKNOWN;
    }
}

bool nav_view_find_groups(nav_scratch *scratch, const nav_options *options,
                          nav_overlay_budget *budget)
{
    nav_overlay *overlay = &scratch->overlay;
    NAV_ASSERT(scratch->overlay_ready);
    if (overlay->groups == NULL && (!nav_overlay_find_groups(overlay, options->overlay, budget) ||
                                    !nav_overlay_take_groups(overlay, options->overlay, budget))) {
        return false;
    }
    if (overlay->is_seen == NULL) {
        overlay->is_seen = nav_overlay_keep(budget, overlay->group_count, sizeof(bool));
    }
    for (uint32_t i = 0; overlay->is_seen != NULL && i < overlay->group_count; ++i) {
        overlay->is_seen[i] = false;
    }
    if (overlay->arc_ends == NULL) {
        overlay->arc_ends =
            nav_overlay_keep(budget, count_arcs(overlay), sizeof *overlay->arc_ends);
    }
    overlay->costs = NAV_OVERLAY_COSTS_NONE;
    overlay->sees_any = false;
    overlay->seen_count = 0;
    return overlay->is_seen != NULL && overlay->arc_ends != NULL;
}

bool nav_view_see_group(nav_scratch *scratch, uint32_t group, nav_overlay_budget *budget)
{
    nav_overlay *overlay = &scratch->overlay;
    nav_overlay_costs *costs = &overlay->costs;
    if (!nav_overlay_cut_group(overlay, group, budget)) {
        return false;
    }
    const nav_overlay_group *g = &overlay->groups[group];
    overlay->seen_count += !overlay->is_seen[group];
    overlay->is_seen[group] = true;
    if (g->changes) {
        overlay->sees_any = true;
        costs->least = fminf(costs->least, g->costs.least);
        costs->most = fmaxf(costs->most, g->costs.most);
        costs->has_prices = costs->has_prices || g->costs.has_prices;
        costs->has_non_manifold_edges =
            costs->has_non_manifold_edges || g->costs.has_non_manifold_edges;
        costs->has_switches = costs->has_switches || g->costs.has_switches;
    }
    return true;
}

// ---- costs ----

// The costs that a state has under one filter are kept for the next question: to make them for a
// thousand switches takes longer than most questions do.
struct nav_kept_costs {
    nav_kept head;
    bool has_filter;
    nav_filter filter;
    nav_costs costs;
    float by_class[]; // of costs
};

static bool is_same_filter(const nav_kept_costs *kept, const nav_filter *filter)
{
    return filter == NULL ? !kept->has_filter
                          : kept->has_filter && memcmp(&kept->filter, filter, sizeof *filter) == 0;
}

// The state's costs under a filter; NULL where none have been kept.
static const nav_kept_costs *find_kept(const nav_overlay_cell *cell, const nav_filter *filter)
{
    const nav_kept_costs *kept = NULL;
    bool found = false;
    for (int i = 0; i < NAV_KEPT_COSTS_MAX && !found; ++i) {
        kept = (const nav_kept_costs *)nav_kept_at(&cell->costs[i]);
        found = kept == NULL || is_same_filter(kept, filter);
    }
    return found ? kept : NULL;
}

// A copy of costs that nobody has yet; NULL without memory.
static nav_kept_costs *copy_costs(const nav_costs *costs, uint32_t class_count,
                                  const nav_filter *filter, const nav_allocator *allocator)
{
    const size_t size_bytes = sizeof(nav_kept_costs) + class_count * sizeof(float);
    nav_kept_costs *kept = allocator->alloc(allocator->user, size_bytes);
    if (kept == NULL) {
        return NULL;
    }
    *kept = (nav_kept_costs){
        .head.size_bytes = size_bytes, .has_filter = filter != NULL, .costs = *costs};
    if (filter != NULL) {
        kept->filter = *filter;
    }
    if (class_count > 0) {
        memcpy(kept->by_class, costs->by_class, class_count * sizeof(float));
        kept->costs.by_class = kept->by_class;
    }
    return kept;
}

// Keeps the costs of a state in the first place that is free, unless another thread has kept the
// same.
static void keep_costs(nav_overlay_cell *cell, const nav_costs *costs, uint32_t class_count,
                       const nav_filter *filter)
{
    if (nav_kept_at(&cell->costs[NAV_KEPT_COSTS_MAX - 1]) != NULL) {
        return;
    }
    nav_kept_costs *made = copy_costs(costs, class_count, filter, &cell->allocator);
    bool is_kept = made == NULL;
    for (int i = 0; i < NAV_KEPT_COSTS_MAX && !is_kept; ++i) {
        const nav_kept_costs *kept =
            (const nav_kept_costs *)nav_kept_put(&cell->costs[i], &made->head);
        if (kept == made) {
            return;
        }
        is_kept = is_same_filter(kept, filter);
    }
    nav_kept_free(cell, made != NULL ? &made->head : NULL);
}

// The scratch's costs become those of the question, without its shapes. False without memory.
static bool make_costs(const nav_view *view, nav_scratch *scratch, const nav_options *options)
{
    const nav_mesh *mesh = view->mesh;
    nav_costs *costs = &scratch->costs;
    const uint32_t count = mesh->ground_class_count > 0 ? nav_mesh_class_count(mesh) : 0;
    if (!nav_scratch_grow_classes(scratch, count)) {
        return false;
    }
    costs->by_class = count > 0 ? scratch->class_costs : NULL;
    nav_costs_resolve(mesh, options->filter, nav_options_switches(options), costs);
    if (view->links != NULL) {
        nav_costs_resolve_more_links(mesh, options->filter, view->links->classes,
                                     view->links->class_count, costs);
    }
    if (options->overlay != NULL && options->switches == NULL) {
        keep_costs(options->overlay->cell, costs, count, options->filter);
    }
    return true;
}

// The view gets the costs of the question, without its shapes. False without memory.
static bool resolve_costs(nav_view *view, nav_scratch *scratch, const nav_options *options)
{
    const nav_overlay *state = options->switches == NULL ? options->overlay : NULL;
    const nav_kept_costs *kept = state != NULL ? find_kept(state->cell, options->filter) : NULL;
    if (kept == NULL && !make_costs(view, scratch, options)) {
        return false;
    }
    view->costs = kept != NULL ? &kept->costs : &scratch->costs;
    view->ground = nav_costs_table(view->costs);
    return true;
}

// ---- what is seen ----

bool nav_view_take_overlay(nav_view *view, nav_scratch *scratch, const nav_options *options)
{
    nav_costs *costs = &scratch->costs;
    nav_overlay *overlay = &scratch->overlay;
    NAV_ASSERT(overlay->mesh == view->mesh);
    NAV_ASSERT(overlay->costs.least > 0.0f);
    NAV_ASSERT(overlay->costs.least <= 1.0f);
    if (!resolve_costs(view, scratch, options)) {
        return false;
    }
    view->overlay = NULL;
    // Shapes that nothing has come of leave the mesh as it is.
    if (overlay->sees_any) {
        forget_arc_ends(overlay);
        *costs = *view->costs;
        view->costs = costs;
        view->overlay = overlay;
        costs->open = false;
        costs->uniform = costs->uniform && !overlay->costs.has_prices;
        costs->least *= overlay->costs.least;
        costs->bound *= overlay->costs.least;
        costs->landmark_bound *= overlay->costs.least;
    }
    return nav_scratch_begin(scratch, view);
}

// ---- beginning ----

// All shapes of a question are cut and seen. If a path begins in some of them (NULL: it does not),
// these are dear for it.
static bool see_all(const nav_mesh *mesh, nav_scratch *scratch, const nav_options *options,
                    const nav_location *start)
{
    nav_overlay_budget budget = nav_view_budget(scratch, options);
    bool done = nav_view_take_shapes(mesh, scratch, options, start != NULL, &budget) &&
                (start == NULL || nav_overlay_open_around(&scratch->overlay, start, &budget)) &&
                nav_view_find_groups(scratch, options, &budget);
    for (uint32_t i = 0; done && i < scratch->overlay.group_count; ++i) {
        done = nav_view_see_group(scratch, i, &budget);
    }
    scratch->overlay_ready = scratch->overlay_ready && start == NULL;
    nav_view_spent(scratch, &budget, options);
    return done;
}

bool nav_view_begin_leaving(const nav_mesh *mesh, nav_scratch *scratch, const nav_options *options,
                            const nav_location *start, nav_view *view)
{
    view->state = NULL;
    return see_all(mesh, scratch, options, start) && nav_view_take_overlay(view, scratch, options);
}

static bool begin(const nav_mesh *mesh, nav_scratch *scratch, const nav_options *options,
                  bool has_shapes, nav_view *view)
{
    const nav_overlay *state = options->overlay;
    const nav_added_links *links =
        state != NULL && state->links.arc_count > 0 ? &state->links : NULL;
    // Most questions have neither: then the mesh's own costs are read where they are.
    const bool plain = options->filter == NULL && nav_options_switches(options) == NULL &&
                       !has_shapes && links == NULL;
    *view = nav_view_of(mesh, &mesh->costs);
    view->links = links;
    view->state = options->switches == NULL ? state : NULL;
    view->adds_shapes = options->avoid_count > 0;
    scratch->avoid_refused = false;
    // The first poll calls the hook: the deadline may have been exceeded before.
    scratch->cancel = (nav_cancel){
        .hook = options->cancelled, .user = options->user, .work = NAV_CANCEL_INTERVAL};
    if (has_shapes) {
        return see_all(mesh, scratch, options, NULL) &&
               nav_view_take_overlay(view, scratch, options);
    }
    if (!plain && !resolve_costs(view, scratch, options)) {
        return false;
    }
    return nav_scratch_begin(scratch, view);
}

bool nav_view_begin(const nav_mesh *mesh, nav_scratch *scratch, const nav_options *options,
                    nav_view *view)
{
    return begin(mesh, scratch, options, nav_options_have_shapes(options), view);
}

bool nav_view_begin_without_shapes(const nav_mesh *mesh, nav_scratch *scratch,
                                   const nav_options *options, nav_view *view)
{
    return begin(mesh, scratch, options, false, view);
}

bool nav_scratch_avoid_refused(const nav_scratch *scratch)
{
    return scratch->avoid_refused;
}
