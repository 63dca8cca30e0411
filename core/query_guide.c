// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_guide.c: see query_guide.h.
//
// A place's own distance from a landmark is not in the tables, those of the pivots around it are:
//
//      pivot o----.       It is at most the least sum of a pivot's distance and the way from there,
//            |  x  \      and at least the largest difference. Polygons are convex, so that the
//      pivot o------o     ways are straight.

#include "query_guide.h"

// What the rounding of two numbers in the tables, and of what is computed from them, can make out.
#define ROUNDING_UNITS 1.25f

typedef struct interval {
    float low[NAV_GUIDES], high[NAV_GUIDES];
} interval;

// Of the first portal of a polygon of the mesh; NULL where it has none.
static const uint16_t *row_of(const nav_mesh *mesh, uint32_t polygon)
{
    const uint32_t portal = mesh->portal_first[polygon];
    return portal < mesh->portal_first[polygon + 1]
               ? mesh->landmarks[mesh->portal_pivots[portal][0] & NAV_PIVOT_NUMBER]
               : NULL;
}

static void choose_landmarks(nav_guide *g, const uint16_t *from, const uint16_t *to)
{
    int32_t most[NAV_GUIDES + 1];
    uint32_t chosen[NAV_GUIDES + 1];
    for (uint32_t i = 0; i < NAV_GUIDES; ++i) {
        most[i] = -1;
        chosen[i] = 0;
    }
    for (uint32_t k = 0; k < NAV_LANDMARKS; ++k) {
        const int32_t apart = from[k] > to[k] ? from[k] - to[k] : to[k] - from[k];
        uint32_t at = NAV_GUIDES;
        for (; at > 0 && apart > most[at - 1]; --at) {
            most[at] = most[at - 1];
            chosen[at] = chosen[at - 1];
        }
        most[at] = apart;
        chosen[at] = k;
    }
    for (uint32_t i = 0; i < NAV_GUIDES; ++i) {
        g->landmarks[i] = chosen[i];
    }
}

static interval enclose(const nav_guide *g, const nav_mesh *mesh, uint32_t polygon,
                        const float place[3])
{
    interval out;
    for (uint32_t i = 0; i < NAV_GUIDES; ++i) {
        out.low[i] = -INFINITY;
        out.high[i] = INFINITY;
    }
    const float units = 1.0f / g->unit;
    for (uint32_t p = mesh->portal_first[polygon]; p < mesh->portal_first[polygon + 1]; ++p) {
        const nav_portal *portal = &mesh->portals[p];
        for (int side = 0; side < 2; ++side) {
            const float *at = side == 0 ? portal->left : portal->right;
            const uint16_t *row = g->rows[mesh->portal_pivots[p][side] & NAV_PIVOT_NUMBER];
            const float dx = at[0] - place[0], dz = at[1] - place[2];
            const float away = sqrtf(dx * dx + dz * dz) * units;
            for (uint32_t i = 0; i < NAV_GUIDES; ++i) {
                const float low = (float)row[g->landmarks[i]] - away;
                const float high = (float)row[g->landmarks[i]] + away;
                out.low[i] = low > out.low[i] ? low : out.low[i];
                out.high[i] = high < out.high[i] ? high : out.high[i];
            }
        }
    }
    return out;
}

nav_guide nav_guide_ask(const nav_view *view, const nav_location *start, const nav_location *target)
{
    const nav_mesh *mesh = view->mesh;
    nav_guide g = {0};
    if (mesh->landmarks == NULL || !(mesh->landmark_unit > 0.0f) || mesh->has_folds) {
        return g;
    }
    const uint32_t from_polygon = nav_view_base(view, start->polygon);
    const uint32_t to_polygon = nav_view_base(view, target->polygon);
    const uint16_t *from = row_of(mesh, from_polygon), *to = row_of(mesh, to_polygon);
    if (from == NULL || to == NULL) {
        return g;
    }
    g.rows = (const nav_landmark_row *)mesh->landmarks;
    g.unit = mesh->landmark_unit;
    choose_landmarks(&g, from, to);
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
