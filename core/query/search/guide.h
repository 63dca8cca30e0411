// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// guide.h: what the landmarks (build/landmarks.c) know of one question's start and goal: a
// guess that leads its search, and a bound that holds. Private to core/.

#pragma once

#include "core/query/query.h"

#include <math.h>

// How many landmarks a question asks: those from which its two ends differ most.
#define NAV_GUIDES 2u

typedef struct nav_guide {
    bool asks;  // there are landmarks
    float unit; // world units
    uint32_t landmarks[NAV_GUIDES];
    float goal[NAV_GUIDES]; // the goal's distances from them, about, in units
    double bound;           // no way over ground and links is shorter, in plan view; 0: not known
} nav_guide;

// guide.c: asks them.
nav_guide nav_guide_ask(const nav_view *view, const nav_location *start,
                        const nav_location *target);

// What landmark i says of it; left and right are the rows of the portal's ends.
static inline float nav_guide_apart(const nav_guide *guide, uint32_t i, const uint16_t *left,
                                    const uint16_t *right, float t)
{
    const uint32_t k = guide->landmarks[i];
    const float from = (float)left[k], to = (float)right[k];
    return fabsf(from + (to - from) * t - guide->goal[i]) * guide->unit;
}

// How far the goal is from a place on a portal (0 is its left end, 1 its right), about: at least
// `straight`. Along a portal distances from a landmark are taken to change evenly, which they
// nearly do.
static inline float nav_guide_guess(const nav_guide *guide, const nav_mesh *mesh, uint32_t portal,
                                    float t, float straight)
{
    if (!guide->asks || portal >= mesh->edge_portal_count) {
        return straight;
    }
    const uint32_t *turning_vertices = mesh->portal_turning_vertices[portal];
    const uint16_t *left = nav_landmarks_of(mesh, turning_vertices[0]);
    const uint16_t *right = nav_landmarks_of(mesh, turning_vertices[1]);
    // Written out, as compilers leave the loop.
    const float one = nav_guide_apart(guide, 0, left, right, t);
    const float other = nav_guide_apart(guide, 1, left, right, t);
    const float most = one > other ? one : other;
    return most > straight ? most : straight;
}
