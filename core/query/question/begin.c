// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// begin.c: the beginning of every question: its filter gives costs to the mesh, and shapes to
// avoid, its own and those of the state that it is asked in, are cut out of it.

#include "core/query/question/question.h"
#include "core/query/view/scratch.h"

#include <math.h>
#include <string.h>

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
        memcpy(overlay, state, offsetof(nav_overlay, held));
        scratch->overlay_ready = true;
    }
    return scratch->overlay_ready;
}

static uint32_t count_arcs(const nav_overlay *overlay)
{
    return overlay->mesh->arc_count + overlay->links.arc_count;
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

bool nav_view_resolve_costs(const nav_mesh *mesh, nav_scratch *scratch, const nav_filter *filter,
                            const uint8_t *switches, const nav_added_links *links)
{
    nav_costs *costs = &scratch->costs;
    const uint32_t count = mesh->ground_class_count > 0 ? nav_mesh_class_count(mesh) : 0;
    if (!nav_scratch_grow_classes(scratch, count)) {
        return false;
    }
    costs->by_class = count > 0 ? scratch->class_costs : NULL;
    nav_costs_resolve(mesh, filter, switches, costs);
    if (links != NULL) {
        nav_costs_resolve_more_links(mesh, filter, links->classes, links->class_count, costs);
    }
    return true;
}

// The view gets the costs of the question, without its shapes. Most questions have neither a filter
// nor switches of their own: then those of the mesh or of the state are read where they are. False
// without memory.
static bool take_costs(nav_view *view, nav_scratch *scratch, const nav_options *options)
{
    const nav_overlay *state = options->overlay;
    view->costs =
        state != NULL && state->state_costs != NULL ? state->state_costs : &view->mesh->costs;
    if (options->filter != NULL || options->switches != NULL) {
        view->costs = &scratch->costs;
        if (!nav_view_resolve_costs(view->mesh, scratch, options->filter,
                                    nav_options_switches(options), view->links)) {
            return false;
        }
    }
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
    if (!take_costs(view, scratch, options)) {
        return false;
    }
    view->overlay = NULL;
    // Shapes that nothing has come of leave the mesh as it is.
    if (overlay->sees_any) {
        // All arcs are looked up again where other ground is seen.
        const uint32_t count = count_arcs(overlay);
        for (uint32_t i = 0; i < count; ++i) {
            overlay->arc_ends[i][0] = NAV_ARC_END_UNKNOWN;
            overlay->arc_ends[i][1] = NAV_ARC_END_UNKNOWN;
        }
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
    *view = nav_view_of(mesh, &mesh->costs);
    view->links = links;
    view->state = options->switches == NULL ? state : NULL;
    view->adds_shapes = options->avoid_count > 0;
    scratch->avoid_refused = false;
    // The first poll calls the hook: the deadline may have been exceeded before.
    scratch->cancel = (nav_cancel){
        .hook = options->cancelled, .user = options->user, .work = NAV_CANCEL_INTERVAL};
    return has_shapes ? see_all(mesh, scratch, options, NULL) &&
                            nav_view_take_overlay(view, scratch, options)
                      : take_costs(view, scratch, options) && nav_scratch_begin(scratch, view);
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
