// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_bound.c: see query_bound.h. Goldberg, Harrelson, "Computing the shortest path: A* search
// meets graph theory", 2005.
//
// A place within a polygon or on a portal is not in the tables. Its distance from a landmark lies
// between those of the pivots around it, more or less the straight way to them.

#include "query_bound.h"

#include <math.h>

// What the rounding of two numbers in the tables, and of what is computed from them, can make out.
#define ROUNDING_UNITS 1.25f

static const uint16_t *row_of(const nav_mesh *mesh, uint32_t portal, int side)
{
    return mesh->landmarks[mesh->portal_pivots[portal][side] & NAV_PIVOT_NUMBER];
}

// Between which bounds a place's distances from all landmarks lie.
static void enclose(const nav_mesh *mesh, const nav_location *place, float low[NAV_LANDMARKS],
                    float high[NAV_LANDMARKS])
{
    for (uint32_t k = 0; k < NAV_LANDMARKS; ++k) {
        low[k] = -INFINITY;
        high[k] = INFINITY;
    }
    const uint32_t end = mesh->portal_first[place->polygon + 1];
    for (uint32_t i = mesh->portal_first[place->polygon]; i < end; ++i) {
        for (int side = 0; side < 2; ++side) {
            const float *at = side == 0 ? mesh->portals[i].left : mesh->portals[i].right;
            const float dx = at[0] - place->position[0], dz = at[1] - place->position[2];
            const float away = sqrtf(dx * dx + dz * dz) / mesh->landmark_unit;
            const uint16_t *row = row_of(mesh, i, side);
            for (uint32_t k = 0; k < NAV_LANDMARKS; ++k) {
                low[k] = fmaxf(low[k], (float)row[k] - away);
                high[k] = fminf(high[k], (float)row[k] + away);
            }
        }
    }
}

nav_bound nav_bound_ask(const nav_mesh *mesh, const nav_location *start, const nav_location *goal)
{
    nav_bound out = {0};
    const uint32_t first = mesh->portal_first[start->polygon];
    // Where ground folds distances hold for straight ways only.
    if (mesh->landmarks == NULL || !(mesh->landmark_unit > 0.0f) || mesh->has_folds ||
        first == mesh->portal_first[start->polygon + 1] ||
        mesh->portal_first[goal->polygon] == mesh->portal_first[goal->polygon + 1]) {
        return out;
    }
    float low[NAV_LANDMARKS], high[NAV_LANDMARKS];
    enclose(mesh, goal, low, high);
    const uint16_t *from = row_of(mesh, first, 0);
    bool taken[NAV_LANDMARKS] = {false};
    for (uint32_t i = 0; i < NAV_BOUND_LANDMARKS; ++i) {
        uint32_t best = NAV_NONE;
        float most = -INFINITY;
        for (uint32_t k = 0; k < NAV_LANDMARKS; ++k) {
            const float apart = fmaxf(low[k] - (float)from[k], (float)from[k] - high[k]);
            if (!taken[k] && (best == NAV_NONE || apart > most)) {
                best = k;
                most = apart;
            }
        }
        taken[best] = true;
        out.landmarks[i] = best;
        out.low[i] = low[best];
        out.high[i] = high[best];
    }
    out.rows = (const nav_landmark_row *)mesh->landmarks;
    out.unit = mesh->landmark_unit;
    return out;
}

_Static_assert(NAV_BOUND_LANDMARKS <= NAV_LANDMARKS, "there are that many");

static double in_length(const nav_bound *bound, float units)
{
    return units > ROUNDING_UNITS ? (double)(units - ROUNDING_UNITS) * (double)bound->unit : 0.0;
}

double nav_bound_at(const nav_bound *bound, uint32_t pivot)
{
    if (bound->rows == NULL) {
        return 0.0;
    }
    const uint16_t *row = bound->rows[pivot];
    float most = 0.0f;
    for (uint32_t i = 0; i < NAV_BOUND_LANDMARKS; ++i) {
        const float at = (float)row[bound->landmarks[i]];
        const float above = at - bound->high[i], below = bound->low[i] - at;
        const float apart = above > below ? above : below;
        most = apart > most ? apart : most;
    }
    return in_length(bound, most);
}

// On a portal distances are at least half of what those of its ends and its width make together.
double nav_bound_left(const nav_bound *bound, const nav_mesh *mesh, uint32_t portal)
{
    if (bound->rows == NULL || portal >= mesh->edge_portal_count) {
        return 0.0;
    }
    const nav_portal *p = &mesh->portals[portal];
    const float dx = p->left[0] - p->right[0], dz = p->left[1] - p->right[1];
    const float width = sqrtf(dx * dx + dz * dz) / bound->unit;
    const uint16_t *left = row_of(mesh, portal, 0), *right = row_of(mesh, portal, 1);
    float most = 0.0f;
    for (uint32_t i = 0; i < NAV_BOUND_LANDMARKS; ++i) {
        const uint32_t k = bound->landmarks[i];
        const float sum = (float)left[k] + (float)right[k];
        const float above = (sum - width) * 0.5f - bound->high[i];
        const float below = bound->low[i] - (sum + width) * 0.5f;
        const float apart = above > below ? above : below;
        most = apart > most ? apart : most;
    }
    return in_length(bound, most);
}
