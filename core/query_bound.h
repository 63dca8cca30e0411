// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_bound.h: how far the goal of an exact search is at least, by the landmarks. Private to
// core/.
//
//      landmark ------------- pivot     No way from the pivot to the goal is shorter than the
//               `------------- goal     difference of their distances from any landmark.

#pragma once

#include "query.h"

typedef struct nav_bound {
    const nav_landmark_row *rows;                  // NULL: there are no landmarks
    float unit;                                    // world units
    float low[NAV_LANDMARKS], high[NAV_LANDMARKS]; // the goal's distances, in units
} nav_bound;

// query_bound.c: asks the landmarks of a mesh.
nav_bound nav_bound_ask(const nav_mesh *mesh, const nav_location *goal);

// The length in plan view over ground and links of any way from a pivot to the goal is at least
// this. 0 where nothing is known.
float nav_bound_at(const nav_bound *bound, uint32_t pivot);
