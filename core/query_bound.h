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

// The goal's distances are known up to a bit less than the tables have, so that differences fit
// into 16 bits and are taken of all landmarks side by side.
typedef struct nav_bound {
    const nav_landmark_row *rows; // NULL: there are no landmarks
    float grain;                  // what distances are counted in here: two units of the tables
    // Between which the goal's distances lie, rounded outwards.
    int16_t low[NAV_LANDMARKS], high[NAV_LANDMARKS];
} nav_bound;

// query_bound.c: asks the landmarks of a mesh.
nav_bound nav_bound_ask(const nav_mesh *mesh, const nav_location *goal);

// The length in plan view over ground and links of any way from a pivot to the goal is at least
// this. 0 where nothing is known.
float nav_bound_at(const nav_bound *bound, uint32_t pivot);
