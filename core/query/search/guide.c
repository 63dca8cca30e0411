// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// guide.c: see guide.h.
//
// A place's own distance from a landmark is not in the tables, those of the pivots around it are:
//
//      pivot o----.       It is at most the least sum of a pivot's distance and the way from there,
//            |  x  \      and at least the largest difference. Polygons are convex, so that the
//      pivot o------o     ways are straight.

#include "core/query/search/guide.h"

// What the rounding of two numbers in the tables, and of what is computed from them, can make out.
#define ROUNDING_UNITS 1.25f

_Static_assert(NAV_GUIDES == 2, "the best and the second are chosen");

typedef struct interval {
    float low[NAV_GUIDES], high[NAV_GUIDES];
} interval;

// Of the first portal of a polygon of the mesh; NULL where it has none.
static const uint16_t *row_of(const nav_mesh *mesh, uint32_t polygon)
{
    const uint32_t portal = mesh->portal_first[polygon];
    return portal < mesh->portal_first[polygon + 1]
               ? nav_landmarks_of(mesh, mesh->portal_turning_vertices[portal][0])
               : NULL;
}

// Of equal differences the first landmark's counts. Without branches, which nothing could foretell.
static void choose_landmarks(nav_guide *g, uint32_t count, const uint16_t *from, const uint16_t *to)
{
    uint32_t most = 0, second = 0;
    for (uint32_t k = 0; k < count; ++k) {
        const int32_t apart = (int32_t)from[k] - (int32_t)to[k];
        const uint32_t key = (uint32_t)(apart < 0 ? -apart : apart) * NAV_LANDMARKS_MAX +
                             (NAV_LANDMARKS_MAX - 1 - k);
        const uint32_t less = key < most ? key : most;
        most = key > most ? key : most;
        second = less > second ? less : second;
    }
    g->landmarks[0] = NAV_LANDMARKS_MAX - 1 - most % NAV_LANDMARKS_MAX;
    g->landmarks[1] = NAV_LANDMARKS_MAX - 1 - second % NAV_LANDMARKS_MAX;
}

// Narrows an interval by what is known of a pivot `away` units from the place.
static inline void narrow(interval *at, const nav_guide *g, const uint16_t *row, float away)
{
    for (uint32_t i = 0; i < NAV_GUIDES; ++i) {
        const float from = (float)row[g->landmarks[i]];
        at->low[i] = from - away > at->low[i] ? from - away : at->low[i];
        at->high[i] = from + away < at->high[i] ? from + away : at->high[i];
    }
}

static interval enclose(const nav_guide *g, const nav_mesh *mesh, uint32_t polygon,
                        const float place[3])
{
    interval out = {{-INFINITY, -INFINITY}, {INFINITY, INFINITY}};
    const float units = 1.0f / g->unit, x = place[0], z = place[2];
    const uint32_t end = mesh->portal_first[polygon + 1];
    for (uint32_t p = mesh->portal_first[polygon]; p < end; ++p) {
        const nav_portal *portal = &mesh->portals[p];
        const float left_x = portal->left[0] - x, left_z = portal->left[1] - z;
        const float right_x = portal->right[0] - x, right_z = portal->right[1] - z;
        narrow(&out, g, nav_landmarks_of(mesh, mesh->portal_turning_vertices[p][0]),
               sqrtf(left_x * left_x + left_z * left_z) * units);
        narrow(&out, g, nav_landmarks_of(mesh, mesh->portal_turning_vertices[p][1]),
               sqrtf(right_x * right_x + right_z * right_z) * units);
    }
    return out;
}

nav_guide nav_guide_ask(const nav_view *view, const nav_location *start, const nav_location *target)
{
    const nav_mesh *mesh = view->mesh;
    nav_guide g = {0};
    if (mesh->landmarks == NULL || !(mesh->landmark_unit > 0.0f) || mesh->has_non_manifold_edges) {
        return g;
    }
    const uint32_t from_polygon = nav_view_base(view, start->polygon);
    const uint32_t to_polygon = nav_view_base(view, target->polygon);
    const uint16_t *from = row_of(mesh, from_polygon), *to = row_of(mesh, to_polygon);
    if (from == NULL || to == NULL) {
        return g;
    }
    g.asks = true;
    g.unit = mesh->landmark_unit;
    choose_landmarks(&g, mesh->landmark_count, from, to);
    const interval a = enclose(&g, mesh, from_polygon, start->position);
    const interval b = enclose(&g, mesh, to_polygon, target->position);
    float apart = 0.0f;
    for (uint32_t i = 0; i < NAV_GUIDES; ++i) {
        g.goal[i] = (b.low[i] + b.high[i]) * 0.5f;
        apart = a.low[i] - b.high[i] > apart ? a.low[i] - b.high[i] : apart;
        apart = b.low[i] - a.high[i] > apart ? b.low[i] - a.high[i] : apart;
    }
    g.bound = apart > ROUNDING_UNITS ? (double)(apart - ROUNDING_UNITS) * (double)g.unit : 0.0;
    return g;
}
