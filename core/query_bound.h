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

// Of the landmarks, those that differ most between a question's ends.
#define NAV_BOUND_LANDMARKS 6u

typedef struct nav_bound {
    const nav_landmark_row *rows; // NULL: there are no landmarks
    float unit;                   // world units
    uint32_t landmarks[NAV_BOUND_LANDMARKS];
    float low[NAV_BOUND_LANDMARKS], high[NAV_BOUND_LANDMARKS]; // the goal's distances, in units
} nav_bound;

// query_bound.c: asks the landmarks of a mesh.
nav_bound nav_bound_ask(const nav_mesh *mesh, const nav_location *start, const nav_location *goal);

// Lengths in plan view over ground and links, of any way to the goal: from a pivot, and from
// anywhere on a portal over an edge. 0 where nothing is known.
double nav_bound_at(const nav_bound *bound, uint32_t pivot);
double nav_bound_left(const nav_bound *bound, const nav_mesh *mesh, uint32_t portal);
