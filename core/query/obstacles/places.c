// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// places.c: corners of fragments that lie in one place become one: all of them have its floats.

#include "core/query/obstacles/cut.h"

#include "core/base/plane.h"

#include <math.h>
#include <string.h>

static uint32_t *place_head(const nav_places *places, int64_t column, int64_t row)
{
    const uint64_t hash = ((uint64_t)column * UINT64_C(0x9e3779b97f4a7c15)) ^
                          ((uint64_t)row * UINT64_C(0xc2b2ae3d27d4eb4f));
    return &places->heads[(hash >> 32) & places->mask];
}

// A number that never falls as `along` rises. Cells are positive, so that they are cut off
// downwards, without a call to floor.
static inline int64_t place_cell(const nav_places *places, double along)
{
    return (int64_t)(along * places->per_cell + 0x1p40);
}

// The nearest place so far, and the square of its distance.
typedef struct found_place {
    uint32_t place;
    double away2;
} found_place;

static inline void find_in_cell(const nav_places *places, uint32_t head, double x, double z,
                                found_place *found)
{
    for (uint32_t i = head; i != NAV_NONE; i = places->list[i].next) {
        const nav_place *place = &places->list[i];
        const double away2 = nav_plane_length2((double)place->at[0] - x, (double)place->at[1] - z);
        if (away2 < found->away2 || (away2 == found->away2 && i < found->place)) {
            *found = (found_place){i, away2};
        }
    }
}

// The nearest place within reach, or else a new one.
static uint32_t add_place(nav_places *places, double x, double z, double reach)
{
    nav_overlay_budget *budget = places->budget;
    found_place found = {NAV_NONE, reach * reach};
    const int64_t column_end = place_cell(places, x + reach),
                  row_end = place_cell(places, z + reach);
    for (int64_t column = place_cell(places, x - reach); column <= column_end; ++column) {
        for (int64_t row = place_cell(places, z - reach); row <= row_end; ++row) {
            find_in_cell(places, *place_head(places, column, row), x, z, &found);
        }
    }
    if (found.place != NAV_NONE) {
        return found.place;
    }
    places->list = nav_overlay_grow(budget, places->list, places->count, &places->capacity,
                                    sizeof *places->list);
    if (budget->failed) {
        return 0;
    }
    nav_place *place = &places->list[places->count];
    *place = (nav_place){.at = {(float)x, (float)z}, .vertex = NAV_NONE, .base = NAV_NONE};
    uint32_t *head = place_head(places, place_cell(places, (double)place->at[0]),
                                place_cell(places, (double)place->at[1]));
    place->next = *head;
    *head = places->count;
    return places->count++;
}

uint32_t nav_place_of_vertex(nav_places *places, const float at[2])
{
    return add_place(places, (double)at[0], (double)at[1], 0.0);
}

uint32_t nav_place_at(nav_places *places, double x, double z)
{
    // Positions that are nearer to each other than this are one place: with the rounding to floats
    // a corner moves by no more than its tolerance.
    return add_place(places, x, z, 0.5 * nav_overlay_tolerance(x, z));
}

bool nav_places_fill(nav_places *places, const nav_mesh *mesh, const nav_cut_ground *ground)
{
    size_t count = 0;
    double far = 0.0;
    for (uint32_t i = 0; i < ground->count; ++i) {
        count += ground->convexes[i].count;
    }
    for (uint32_t i = 0; i < ground->cut.count; ++i) {
        const nav_polygon_record *record = &mesh->records[ground->cut.polygons[i]];
        const uint32_t polygon = ground->cut.polygons[i];
        for (int axis = 0; axis < 3; axis += 2) {
            const double low = fabs((double)record->min[axis]);
            const double high = fabs((double)record->max[axis]);
            far = low > far ? low : far;
            far = high > far ? high : far;
        }
        count += record->corner_count +
                 2 * (size_t)(mesh->portal_first[polygon + 1] - mesh->portal_first[polygon]);
    }
    size_t size = 16;
    while (size < 2 * count) {
        size *= 2;
    }
    places->per_cell = 1.0 / (32.0 * nav_overlay_tolerance(far, far));
    places->mask = (uint32_t)(size - 1);
    places->heads = nav_overlay_alloc(places->budget, size, sizeof *places->heads);
    if (places->heads == NULL) {
        return false;
    }
    memset(places->heads, 0xff, size * sizeof *places->heads);
    for (uint32_t i = 0; i < ground->cut.count && !places->budget->failed; ++i) {
        const uint32_t polygon = ground->cut.polygons[i];
        for (uint32_t k = mesh->portal_first[polygon]; k < mesh->portal_first[polygon + 1]; ++k) {
            (void)nav_place_of_vertex(places, mesh->portals[k].left);
            (void)nav_place_of_vertex(places, mesh->portals[k].right);
        }
    }
    return !places->budget->failed;
}

uint32_t nav_overlay_add_vertex(nav_overlay *o, nav_places *places, uint32_t place, uint32_t base)
{
    nav_place *at = &places->list[place];
    o->vertices = nav_overlay_grow(places->budget, o->vertices, o->count.vertices,
                                   &places->vertex_capacity, sizeof *o->vertices);
    if (places->budget->failed) {
        return 0;
    }
    o->vertices[o->count.vertices] =
        (nav_overlay_vertex){.at = {at->at[0], NAV_HEIGHT_UNKNOWN, at->at[1]}, .base = base};
    at->base = base;
    at->vertex = o->mesh->stats.vertices + o->count.vertices++;
    return at->vertex;
}
