// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bound.h: how far the goal of an exact search is at least, by the landmarks. Private to
// core/.
//
//      landmark ------------- pivot     No way from the pivot to the goal is shorter than the
//               `------------- goal     difference of their distances from any landmark.

#pragma once

#include "core/query/query.h"

// The goal's distances are known up to a bit less than the tables have, so that differences fit
// into 16 bits and are taken of all landmarks side by side.
typedef struct nav_bound {
    const nav_mesh *mesh; // NULL: there are no landmarks
    float tolerance;      // what distances are counted in here: two units of the tables
    // Between which the goal's distances lie, rounded outwards.
    int16_t low[NAV_LANDMARKS_MAX], high[NAV_LANDMARKS_MAX];
} nav_bound;

// bound.c: asks the landmarks of a mesh.
nav_bound nav_bound_ask(const nav_mesh *mesh, const nav_location *goal);

// The length in plan view over ground and links of any way from a pivot to the goal is at least
// this. 0 where nothing is known.
static inline float nav_bound_at(const nav_bound *bound, uint32_t turning_vertex)
{
    const uint16_t *row = nav_landmarks_of(bound->mesh, turning_vertex);
    int16_t most[NAV_LANDMARK_LANES] = {0};
    for (uint32_t first = 0; first < bound->mesh->landmark_count; first += NAV_LANDMARK_LANES) {
        const int16_t *low = bound->low + first, *high = bound->high + first;
        const uint16_t *of = row + first;
        for (uint32_t k = 0; k < NAV_LANDMARK_LANES; ++k) {
            const int16_t at = (int16_t)(of[k] >> 1);
            const int16_t above = (int16_t)(at - high[k]), below = (int16_t)(low[k] - at);
            const int16_t apart = above > below ? above : below;
            most[k] = apart > most[k] ? apart : most[k];
        }
    }
    int16_t out = 0;
    for (uint32_t k = 0; k < NAV_LANDMARK_LANES; ++k) {
        out = most[k] > out ? most[k] : out;
    }
    return (float)out * bound->tolerance;
}
