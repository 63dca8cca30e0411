// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// path.h: between path.c, which finds the islands of two places, line.c, which finds what lies
// between them, and trials.c, which finds a setting that joins them.

#pragma once

#include "server/explain/explain.h"

// Settings that the ground between two islands asks for, as its worst place does.
typedef struct path_needs {
    float slope;           // degrees of what is too steep; 0: nothing is
    float headroom;        // the least that is too low; infinite: none is
    float step;            // the highest there is
    float edge;            // the nearest edge of what was eroded; infinite: nothing was
    uint32_t island_cells; // of the smallest island that was removed; 0: none was
    bool is_coarse;        // smaller cells might show the ground better
} path_needs;

// ---- line.c ----

#define PATH_SAMPLES_MAX 256u

// One place on the line from island to island.
typedef struct path_sample {
    nav_plan_place place;
    float height; // of the line there
    uint32_t tile_x, tile_z;
    bool is_known; // its column is
    nav_column_facts column;
    uint32_t floor; // on the path; NAV_NONE: it has none
} path_sample;

typedef struct path_line {
    path_sample samples[PATH_SAMPLES_MAX]; // from the start's island to the end's
    uint32_t count;
    nav_verdict about; // that shows best what is amiss; NAV_VERDICT_KEPT: it is not known
} path_line;

// From a floor to another that is at most two cells away, since the cells beside show a ledge.
typedef struct path_step {
    float rise;  // negative: it leads down; 0: the line is level
    uint32_t at; // sample of the higher floor; NAV_NONE: the line is level
} path_step;

// Which floor of a column on the line is on the path, or NAV_NONE: the one meant at the line's
// height there. Ground too low to stand on right beneath the floor of the higher island leads
// nowhere, so that the floor above it is.
uint32_t path_floor_between(const nav_column_facts *column, float height, const nav_gap *gap,
                            const nav_config *config);

// Puts samples, whose columns are not known yet, along points: on the ground of a mesh, or (mesh
// NULL) in the air.
void path_line_place(const nav_grid *g, const float *points, uint32_t count, const nav_mesh *mesh,
                     path_line *line);

// Inspects the columns on a line that is placed; lists of theirs are in e->result. Errors: those of
// nav_tile_explain.
nav_status path_line_inspect(explaining *e, const nav_gap *gap, path_line *line);

// The highest step on the line; of two the first.
path_step path_line_step(const path_line *line, float cell_size);

// Whether the agent cannot climb a step, up or down.
bool path_is_too_high(float rise, const nav_config *config);

// Finds what shows best why the line leads from no island to the other: a place of its own, or a
// step that is too high, whose rise is set then (else 0). Result: false, nothing does.
bool path_line_reason(const path_line *line, const nav_config *config, proto_place_facts *place,
                      float *rise);

path_needs path_line_needs(const path_line *line, float cell_size);

// ---- trials.c ----

typedef struct path_trials {
    proto_trial list[PROTO_CANDIDATES_MAX];
    uint32_t count, baked;
    bool joined;
} path_trials;

// Bakes the tiles around the gap of the facts with one setting changed, or two, again and again,
// until one joins both sides, and then for the least change that does. Unless the line shows what
// is amiss then, it is put along the path that there is, and inspected anew. Errors: NAV_CANCELLED.
nav_status path_try(explaining *e, const proto_no_path *facts, const path_needs *needs,
                    path_line *line, path_trials *trials);

// The length nearest to so many cells, in the four decimals that settings have: at_most, rounded
// up, is no more cells; at_least, rounded down, no fewer.
double path_length_at_most(uint32_t cells, float cell);
double path_length_at_least(uint32_t cells, float cell);
