// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// links_world.h: links at their worst for random worlds: ends on edges, in corners, in one polygon,
// in one place; links that cost nothing.

#pragma once

#include "tests/unit/visibility_world.h"

static inline void corner_of(const nav_mesh *mesh, uint32_t polygon, uint32_t k, float out[3])
{
    const uint32_t first = mesh->records[polygon].corner_first;
    const uint32_t count = mesh->records[polygon + 1].corner_first - first;
    memcpy(out, mesh->vertices[mesh->corners[first + k % count]], 3 * sizeof *out);
}

// A place for the end of a link: in a corner, on an edge (at its middle as often as not), or
// anywhere; often in the polygon of the other end, or where another link ends.
static inline void place_link_end(world *w, const nav_mesh *mesh, const nav_link *links, int count,
                                  const float *other, float out[3])
{
    const uint32_t kind = random_below(&w->seed, 8);
    const uint32_t polygon = random_below(&w->seed, mesh->stats.polygons);
    const uint32_t k = random_below(&w->seed, 8);
    float next[3];
    corner_of(mesh, polygon, k, out);
    if (kind < 2) {
        return;
    }
    if (kind < 4) {
        const float t = world_one_in(w, 2) ? 0.5f : world_chance(w, 0, 1);
        corner_of(mesh, polygon, k + 1, next);
        for (int axis = 0; axis < 3; ++axis) {
            out[axis] += (next[axis] - out[axis]) * t;
        }
    } else if (kind == 4 && count > 0) {
        const nav_link *link = &links[random_below(&w->seed, (uint32_t)count)];
        memcpy(out, world_one_in(w, 2) ? link->start : link->end, 3 * sizeof *out);
    } else if (kind == 5 && other != NULL) {
        memcpy(out, other, 3 * sizeof *out);
    } else {
        world_random_place(w, mesh, out);
    }
}

static inline void choose_worst_links(world *w, const nav_mesh *mesh, nav_link *links, int count)
{
    for (int i = 0; i < count; ++i) {
        nav_link *link = &links[i];
        place_link_end(w, mesh, links, i, NULL, link->start);
        place_link_end(w, mesh, links, i, link->start, link->end);
        link->radius = 1;
        link->area = NAV_AREA_GROUND;
        link->bidirectional = world_one_in(w, 3);
        link->has_cost = !world_one_in(w, 4);
        link->cost = world_one_in(w, 3) ? 0 : world_chance(w, 0, 3);
    }
}
