// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// flood.c: the polygons that can be reached at a cost: a search to all goals (search/one_to_all.h),
// which enters each of them first where it is nearest.

#include "core/base/tolerances.h"
#include "core/query/question/question.h"
#include "core/query/search/one_to_all.h"
#include "core/query/view/scratch.h"

#include <math.h>
#include <string.h>

typedef struct flood {
    const nav_view *view;
    nav_scratch *scratch;
    nav_flood_polygon *polygons; // all that the searches come to, with room for each of the mesh
    uint32_t capacity;           // of the caller's list, which gets the first of them
    double filled;               // the caller's list can be filled without any that cost more
    bool adds;                   // to what another search has found
    nav_flood *out;
} flood;

static void mark(flood *f, uint32_t polygon, uint32_t index)
{
    f->scratch->flood.marks[polygon] = f->scratch->stamp;
    f->scratch->flood.queue[polygon] = index;
}

// Whether a search, which comes nearest first, has come beyond all that the caller's list has room
// for. Costs that labels add to may be dearer by a rounding than those that they find: both are in
// the list, or neither is.
static bool is_full(const flood *f, double cost)
{
    return f->out->count > f->capacity && cost > f->filled * (1.0 + 2.0 * NAV_DOMINATED_RATIO);
}

// Notes the polygon of the mesh that the search has come into.
static void enter(flood *f, const nav_one_to_all *all)
{
    nav_scratch *scratch = f->scratch;
    const uint32_t polygon = nav_view_base(f->view, all->polygon);
    const bool is_known = scratch->flood.marks[polygon] == scratch->stamp;
    // A cost that is less by the width of a rounding only is the same one.
    const double less = all->cost * (1.0 + NAV_DOMINATED_RATIO);
    if (is_known && !(f->adds && less < f->polygons[scratch->flood.queue[polygon]].cost)) {
        return;
    }
    NAV_ASSERT(polygon < f->view->mesh->stats.polygons);
    if (!is_known) {
        mark(f, polygon, f->out->count++);
    }
    const uint32_t index = scratch->flood.queue[polygon];
    if (index < f->capacity) {
        f->filled = fmax(f->filled, all->cost);
    }
    nav_flood_polygon *entered = &f->polygons[index];
    float at[2];
    nav_one_to_all_point(all, at);
    *entered = (nav_flood_polygon){.polygon = polygon, .cost = all->cost};
    entered->position[0] = at[0];
    entered->position[1] = all->portal == NAV_NONE
                               ? all->source.position[1]
                               : nav_view_height(f->view, all->polygon, at[0], at[1]);
    entered->position[2] = at[1];
}

// False: no memory, or cancelled. *whole: there are no nodes that are not followed.
static bool run(flood *f, const nav_location *start, nav_one_to_all_engine engine, double max_cost,
                bool *whole)
{
    nav_one_to_all all;
    if (!nav_one_to_all_begin(&all, f->view, f->scratch, start, engine)) {
        return false;
    }
    while (nav_one_to_all_next(&all) && all.cost <= max_cost && !is_full(f, all.cost)) {
        if (nav_cancel_poll(all.cancel, NAV_STEP_NODE)) {
            return false;
        }
        NAV_DCHECK(all.cost >= 0.0);
        enter(f, &all);
    }
    NAV_ASSERT(f->out->count <= f->view->mesh->stats.polygons);
    *whole = !nav_one_to_all_passes_by(&all);
    return !all.no_memory;
}

// Labels find what nodes have not come to, and know paths through what these do not follow. All
// that has been found so far stays where it is no dearer. False: no memory, or cancelled.
static bool add_by_labels(flood *f, const nav_location *start, double max_cost)
{
    bool whole;
    if (!nav_scratch_begin(f->scratch, f->view)) {
        return false;
    }
    f->adds = f->out->count > 0;
    for (uint32_t i = 0; i < f->out->count; ++i) {
        mark(f, f->polygons[i].polygon, i);
    }
    return run(f, start, NAV_BY_LABELS, max_cost, &whole);
}

static bool make_list(flood *f)
{
    const size_t count = f->view->mesh->stats.polygons;
    f->polygons =
        nav_scratch_list(f->scratch, count * (sizeof *f->polygons + sizeof(nav_heap_item)) + 1);
    return f->polygons != NULL;
}

// Gives the caller the first of the polygons, by cost, then by polygon.
static void write_first(const flood *f, nav_flood_polygon *out)
{
    const uint32_t count = f->out->count;
    nav_heap heap = {.items = (void *)(f->polygons + f->view->mesh->stats.polygons),
                     .count = count};
    for (uint32_t i = 0; i < count; ++i) {
        nav_heap_item *item = &heap.items[i];
        *item = (nav_heap_item){.id = f->polygons[i].polygon, .stamp = i};
        // The order of numbers from 0 on is that of their bits.
        memcpy(&item->key, &f->polygons[i].cost, sizeof item->key);
    }
    nav_heap_build(&heap);
    f->out->truncated = count > f->capacity;
    f->out->count = f->out->truncated ? f->capacity : count;
    for (uint32_t i = 0; i < f->out->count; ++i) {
        out[i] = f->polygons[nav_heap_pop(&heap).stamp];
        NAV_DCHECK(i == 0 || out[i - 1].cost <= out[i].cost);
    }
}

nav_status nav_query_flood(const nav_mesh *mesh, nav_scratch *scratch, const float start[3],
                           double max_cost, const nav_options *options, nav_flood_polygon *polygons,
                           uint32_t capacity, nav_flood *out)
{
    nav_view view;
    nav_location location;
    nav_flood answer = {0};
    flood f = {.view = &view, .scratch = scratch, .capacity = capacity, .out = &answer};
    if (!nav_view_begin(mesh, scratch, options, &view) ||
        !nav_view_snap_start(&view, scratch, options, start, &location, &answer.found) ||
        !nav_scratch_begin_polygons(scratch, nav_view_polygons(&view)) || !make_list(&f)) {
        return nav_scratch_failure(scratch);
    }
    memcpy(answer.start, start, sizeof answer.start);
    if (answer.found) {
        memcpy(answer.start, location.position, sizeof answer.start);
        // Polyanya may need more memory than there is, or not get everywhere.
        bool whole = false;
        const bool done =
            nav_one_to_all_is_exact(&view) && run(&f, &location, NAV_BY_POLYANYA, max_cost, &whole);
        answer.optimal = done && whole && !nav_view_has_non_manifold_edges(&view);
        if (scratch->cancel.cancelled) {
            return NAV_CANCELLED;
        }
        if (!done) {
            answer.count = 0;
            f.filled = 0.0;
        }
        if ((!done || !whole) && !add_by_labels(&f, &location, max_cost)) {
            return nav_scratch_failure(scratch);
        }
        write_first(&f, polygons);
    }
    *out = answer;
    return NAV_OK;
}
