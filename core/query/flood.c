// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// flood.c: the polygons that can be reached at a cost: a search to all goals (search/one_to_all.h),
// which enters each of them first where it is nearest.

#include "core/query/search/one_to_all.h"

#include <math.h>
#include <string.h>

typedef struct flood {
    const nav_view *view;
    nav_scratch *scratch;
    nav_flood_polygon *polygons;
    uint32_t capacity;
    nav_flood *out;
} flood;

// Notes the polygon of the mesh that the search has come into. False: there is no room for it.
static bool enter(flood *f, const nav_one_to_all *all)
{
    nav_scratch *scratch = f->scratch;
    const uint32_t polygon = nav_view_base(f->view, all->polygon);
    if (scratch->flood.marks[polygon] == scratch->stamp) {
        return true;
    }
    if (f->out->count == f->capacity) {
        f->out->truncated = true;
        return false;
    }
    NAV_ASSERT(polygon < f->view->mesh->stats.polygons);
    scratch->flood.marks[polygon] = scratch->stamp;
    nav_flood_polygon *entered = &f->polygons[f->out->count++];
    float at[2];
    nav_one_to_all_point(all, at);
    *entered = (nav_flood_polygon){.polygon = polygon, .cost = all->cost};
    entered->position[0] = at[0];
    entered->position[1] = all->portal == NAV_NONE
                               ? all->source.position[1]
                               : nav_view_height(f->view, all->polygon, at[0], at[1]);
    entered->position[2] = at[1];
    return true;
}

// False: no memory, cancelled, or there are nodes that are not followed.
static bool run(flood *f, const nav_location *start, nav_one_to_all_engine engine, double max_cost)
{
    nav_one_to_all all;
    if (!nav_one_to_all_begin(&all, f->view, f->scratch, start, engine)) {
        return false;
    }
    f->out->count = 0;
    f->out->truncated = false;
    bool room = true;
    while (room && nav_one_to_all_next(&all) && all.cost <= max_cost) {
        if (nav_cancel_poll(all.cancel, NAV_STEP_NODE)) {
            return false;
        }
        NAV_DCHECK(all.cost >= 0.0);
        room = enter(f, &all);
    }
    NAV_ASSERT(f->out->count <= f->capacity);
    return !all.no_memory && !nav_one_to_all_has_gaps(&all);
}

// Sorts by cost, then by polygon. They come nearly in this order; equal costs do not, nor do
// polygons that labels find.
static bool sort(nav_scratch *scratch, nav_flood_polygon *polygons, uint32_t count)
{
    const size_t copy_bytes = count * sizeof *polygons;
    nav_flood_polygon *copy =
        nav_scratch_list(scratch, copy_bytes + count * sizeof(nav_heap_item) + 1);
    if (copy == NULL) {
        return false;
    }
    memcpy(copy, polygons, copy_bytes);
    nav_heap heap = {.items = (void *)(copy + count), .count = count};
    for (uint32_t i = 0; i < count; ++i) {
        nav_heap_item *item = &heap.items[i];
        *item = (nav_heap_item){.id = polygons[i].polygon, .stamp = i};
        // The order of numbers from 0 on is that of their bits.
        memcpy(&item->key, &polygons[i].cost, sizeof item->key);
    }
    nav_heap_build(&heap);
    for (uint32_t i = 0; i < count; ++i) {
        polygons[i] = copy[nav_heap_pop(&heap).stamp];
        NAV_DCHECK(i == 0 || polygons[i - 1].cost <= polygons[i].cost);
    }
    return true;
}

nav_status nav_query_flood(const nav_mesh *mesh, nav_scratch *scratch, const float start[3],
                           double max_cost, const nav_options *options, nav_flood_polygon *polygons,
                           uint32_t capacity, nav_flood *out)
{
    nav_view view;
    nav_location location;
    nav_flood answer = {0};
    flood f = {.view = &view,
               .scratch = scratch,
               .polygons = polygons,
               .capacity = capacity,
               .out = &answer};
    if (!nav_view_begin(mesh, scratch, options, &view) ||
        !nav_scratch_begin_polygons(scratch, nav_view_polygons(&view))) {
        return nav_scratch_failure(scratch);
    }
    memcpy(answer.start, start, sizeof answer.start);
    answer.found = nav_view_snap(&view, options, start, &location);
    if (answer.found) {
        memcpy(answer.start, location.position, sizeof answer.start);
        const bool exact = nav_one_to_all_is_exact(&view);
        // Polyanya may need more memory than there is, or not get everywhere.
        const bool done = exact && run(&f, &location, NAV_BY_POLYANYA, max_cost);
        answer.optimal = done && !nav_view_has_non_manifold_edges(&view);
        if (scratch->cancel.cancelled) {
            return NAV_CANCELLED;
        }
        if ((!done && (!nav_scratch_begin(scratch, &view) ||
                       !run(&f, &location, NAV_BY_LABELS, max_cost))) ||
            !sort(scratch, polygons, answer.count)) {
            return nav_scratch_failure(scratch);
        }
    }
    *out = answer;
    return NAV_OK;
}
