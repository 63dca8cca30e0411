// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// way.h: between way.c, which finds what lies between two islands, and trials.c, which finds a
// setting that joins them.

#pragma once

#include "server/explain/explain.h"

typedef struct way_memory {
    nav_arena scratch, result;
} way_memory;

// What the ground between two islands asks of the settings, as its worst place does.
typedef struct way_needs {
    float slope;           // degrees of what is too steep; 0: nothing is
    float headroom;        // the least that is too low; infinite: none is
    float step;            // the highest step that is too high; 0: none is
    float edge;            // the nearest edge of what was eroded; infinite: nothing was
    uint32_t island_cells; // of the smallest island that was removed; 0: none was
    bool is_coarse;        // smaller cells might tell the ground better
} way_needs;

typedef struct way_trials {
    proto_trial list[PROTO_CANDIDATES_MAX];
    uint32_t count, baked;
    bool joined;
} way_trials;

// Bakes the tiles around the gap with one setting changed, again and again, until one joins both
// sides. Errors: NAV_CANCELLED.
nav_status way_try(explaining *e, const way_needs *needs, const nav_gap *gap, way_memory *memory,
                   way_trials *trials);

// The length nearest to so many cells, in the four decimals that settings have: at_most, rounded
// up, is no more cells; at_least, rounded down, no fewer.
double way_length_at_most(uint32_t cells, float cell);
double way_length_at_least(uint32_t cells, float cell);
