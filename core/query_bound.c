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
#define ROUNDING_UNITS 2.0f

static const uint16_t *row_of(const nav_mesh *mesh, uint32_t portal, int side)
{
    return mesh->landmarks[mesh->portal_pivots[portal][side] & NAV_PIVOT_NUMBER];
}

// All lengths in units of the tables. A way from a landmark to a place comes into the place's
// polygon over one of its portals. How far it has come there is at least what each end's distance
// is, less the way along the portal to the end; where both are equal it is least, as in
// query_cones.c.
static float through_portal(const nav_portal *portal, const nav_location *place, float unit,
                            float left, float right)
{
    const float ex = portal->right[0] - portal->left[0], ez = portal->right[1] - portal->left[1];
    const float width = sqrtf(ex * ex + ez * ez) / unit;
    float along = (left - right + width) * 0.5f;
    along = along > 0.0f ? along < width ? along : width : 0.0f;
    const float t = width > 0.0f ? along / width : 0.0f;
    const float dx = portal->left[0] + ex * t - place->position[0];
    const float dz = portal->left[1] + ez * t - place->position[2];
    return fmaxf(left - along, right - (width - along)) + sqrtf(dx * dx + dz * dz) / unit;
}

// Between which bounds a place's distances from all landmarks lie.
static void enclose(const nav_mesh *mesh, const nav_location *place, float low[NAV_LANDMARKS],
                    float high[NAV_LANDMARKS])
{
    const uint32_t end = mesh->portal_first[place->polygon + 1];
    const bool has_ways = mesh->way_count > 0;
    for (uint32_t k = 0; k < NAV_LANDMARKS; ++k) {
        low[k] = has_ways ? -INFINITY : INFINITY;
        high[k] = INFINITY;
    }
    for (uint32_t i = mesh->portal_first[place->polygon]; i < end; ++i) {
        const nav_portal *portal = &mesh->portals[i];
        const uint16_t *rows[2] = {row_of(mesh, i, 0), row_of(mesh, i, 1)};
        float away[2];
        for (int side = 0; side < 2; ++side) {
            const float *at = side == 0 ? portal->left : portal->right;
            const float dx = at[0] - place->position[0], dz = at[1] - place->position[2];
            away[side] = sqrtf(dx * dx + dz * dz) / mesh->landmark_unit;
        }
        for (uint32_t k = 0; k < NAV_LANDMARKS; ++k) {
            const float left = (float)rows[0][k], right = (float)rows[1][k];
            high[k] = fminf(high[k], fminf(left + away[0], right + away[1]));
            low[k] = has_ways ? fmaxf(low[k], fmaxf(left - away[0], right - away[1]))
                              : fminf(low[k], through_portal(portal, place, mesh->landmark_unit,
                                                             left, right));
        }
    }
}

nav_bound nav_bound_ask(const nav_mesh *mesh, const nav_location *goal)
{
    nav_bound out = {0};
    // Where ground folds distances hold for straight ways only.
    if (mesh->landmarks == NULL || !(mesh->landmark_unit > 0.0f) || mesh->has_folds ||
        mesh->portal_first[goal->polygon] == mesh->portal_first[goal->polygon + 1]) {
        return out;
    }
    enclose(mesh, goal, out.low, out.high);
    out.rows = (const nav_landmark_row *)mesh->landmarks;
    out.unit = mesh->landmark_unit;
    return out;
}

float nav_bound_at(const nav_bound *bound, uint32_t pivot)
{
    const uint16_t *row = bound->rows[pivot];
    float most = 0.0f;
    for (uint32_t i = 0; i < NAV_LANDMARKS; ++i) {
        const float above = (float)row[i] - bound->high[i], below = bound->low[i] - (float)row[i];
        const float apart = above > below ? above : below;
        most = apart > most ? apart : most;
    }
    return most > ROUNDING_UNITS ? (most - ROUNDING_UNITS) * bound->unit : 0.0f;
}
