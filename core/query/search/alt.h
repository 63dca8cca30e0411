// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// alt.h: the ALT heuristic: how far the goal of a search is, by the landmarks (derive/landmarks.c).
// Goldberg, Harrelson, "Computing the shortest path: A* search meets graph theory", 2005. Private
// to core/.
//
//      landmark ------------- vertex     No way from a turning vertex to the goal is shorter
//               `------------- goal      than the difference of their distances from any landmark.
//
// Both engines ask here: Polyanya for a bound that holds, labels for a guess that is weighted.

#pragma once

#include "core/query/view/view.h"

#include <math.h>

// ---- a bound ----

// The goal's distances are known up to a bit less than the tables have, so that differences fit
// into 16 bits and are taken of all landmarks side by side.
// Bounds of a point's distances, in steps, rounded outwards.
typedef struct nav_alt_interval {
    int16_t low[NAV_LANDMARKS_MAX], high[NAV_LANDMARKS_MAX];
} nav_alt_interval;

// The landmarks do not know the links that a state adds. A path that takes some comes to the start
// of one first. Nothing is known of more arcs than these.
#define NAV_ALT_VIAS_MAX 8u

typedef struct nav_alt_via {
    nav_alt_interval start;
    float rest; // from there over the link, and whatever others, to the goal at least
} nav_alt_via;

typedef struct nav_alt_bound {
    const nav_mesh *mesh; // NULL: there are no landmarks
    float step;           // distances are counted in steps of so many world units
    nav_alt_interval goal;
    uint32_t via_count;
    nav_alt_via vias[NAV_ALT_VIAS_MAX];
} nav_alt_bound;

// alt.c: asks the landmarks of the mesh.
nav_alt_bound nav_alt_bound_make(const nav_view *view, const nav_location *goal);

// No way without added links from a row of the tables to a place is shorter.
static inline float nav_alt_apart(const nav_alt_bound *bound, const uint16_t *row,
                                  const nav_alt_interval *place)
{
    int16_t most[NAV_LANDMARK_LANES] = {0};
    for (uint32_t first = 0; first < bound->mesh->landmark_count; first += NAV_LANDMARK_LANES) {
        const int16_t *low = place->low + first, *high = place->high + first;
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
    return (float)out * bound->step;
}

// The length in plan view over ground and links of any way from a turning vertex to the goal is at
// least this. 0 where nothing is known.
static inline float nav_alt_bound_at(const nav_alt_bound *bound, uint32_t turning_vertex)
{
    const uint16_t *row = nav_landmarks_of(bound->mesh, turning_vertex);
    float least = nav_alt_apart(bound, row, &bound->goal);
    for (uint32_t i = 0; i < bound->via_count; ++i) {
        const nav_alt_via *via = &bound->vias[i];
        const float over = nav_alt_apart(bound, row, &via->start) + via->rest;
        least = over < least ? over : least;
    }
    return least;
}

// ---- a guess ----

// How many landmarks a question asks: those from which its two ends differ most.
#define NAV_ALT_GUESS_LANDMARKS 2u

typedef struct nav_alt_guess {
    bool has_landmarks;
    float unit; // world units
    uint32_t landmarks[NAV_ALT_GUESS_LANDMARKS];
    float goal[NAV_ALT_GUESS_LANDMARKS]; // the goal's distances from them, about, in units
    double bound; // no way over ground and links is shorter, in plan view; 0: not known
} nav_alt_guess;

// alt.c: asks the landmarks. A guess needs no turning vertex of its own.
nav_alt_guess nav_alt_guess_make(const nav_view *view, const nav_location *start,
                                 const nav_location *target);

// Landmark i's bound at part t of a portal; left and right are the rows of the portal's ends.
static inline float nav_alt_guess_apart(const nav_alt_guess *guess, uint32_t i,
                                        const uint16_t *left, const uint16_t *right, float t)
{
    const uint32_t k = guess->landmarks[i];
    NAV_DCHECK(k < NAV_LANDMARKS_MAX);
    const float from = (float)left[k], to = (float)right[k];
    return fabsf(from + (to - from) * t - guess->goal[i]) * guess->unit;
}

// How far the goal is from a point on a portal (0 is its left end, 1 its right), about; 0 where
// nothing is known. Along a portal distances from a landmark are taken to change evenly, which they
// nearly do.
static inline float nav_alt_guess_at(const nav_alt_guess *guess, const nav_mesh *mesh,
                                     uint32_t portal, float t)
{
    if (!guess->has_landmarks || portal >= mesh->edge_portal_count) {
        return 0.0f;
    }
    const uint32_t *turning_vertices = mesh->portal_turning_vertices[portal];
    const uint16_t *left = nav_landmarks_of(mesh, turning_vertices[0]);
    const uint16_t *right = nav_landmarks_of(mesh, turning_vertices[1]);
    float most = 0.0f;
    for (uint32_t i = 0; i < NAV_ALT_GUESS_LANDMARKS; ++i) {
        const float apart = nav_alt_guess_apart(guess, i, left, right, t);
        most = apart > most ? apart : most;
    }
    return most;
}
