// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// state_bench.h: what the files of bench_state share: a level, shapes on its ground, a row of the
// table.

#pragma once

#include "tests/bench/figures.h"
#include "tests/oracle/corpus.h"

#include <stdio.h>

#define STATE_SHAPES 8
#define STATE_SWITCHES_MAX 1000

typedef struct state_world {
    char name[64];
    const nav_geometry *geometry;
    nav_config config;
    nav_mesh *mesh;
    nav_scratch *scratch;
    uint32_t polygons;
    double edge_error; // nav_config.edge_max_error in world units
} state_world;

typedef struct state_bench {
    int rounds;
    uint32_t sets;  // of shapes
    uint32_t pairs; // of places, a set
    FILE *csv;
    uint32_t broken;
} state_bench;

extern state_bench bench;

// The level with the default settings. Ends the program with a message where that fails.
void state_world_make(state_world *world, const char *name, const nav_geometry *geometry);
void state_world_free(state_world *world);

float state_fraction(uint64_t *state, float low, float high);
// A random place on the ground.
void state_place(const nav_mesh *mesh, uint64_t *state, float out[3]);
// A circle that blocks, as high as an agent up and down, at a place, which need not be ground: its
// height is that of the ground next to it.
nav_avoid state_circle(const nav_mesh *mesh, const float place[3], float radius);

// Eight of them, with radii of 0.5 to 1.5: around one random place, or each anywhere.
void state_circles(const nav_mesh *mesh, bool is_near, uint64_t *state,
                   nav_avoid out[STATE_SHAPES]);

nav_overlay *state_create(nav_mesh *mesh, nav_scratch *scratch, const nav_overlay *last,
                          const nav_avoid *shapes, uint32_t count, const uint8_t *switches);

// The level with switches, each a small box somewhere on its ground, half of which a state closes.
typedef struct state_switched {
    nav_mesh *mesh;
    uint32_t count;
    nav_switch list[STATE_SWITCHES_MAX];
    nav_volume boxes[STATE_SWITCHES_MAX];
    uint8_t half[STATE_SWITCHES_MAX], open[STATE_SWITCHES_MAX];
} state_switched;

// state_switches.c. Ends the program where there is no memory.
state_switched *state_switched_make(const state_world *world, uint32_t count, uint64_t *state);
void state_switched_free(state_switched *switched);

// A row of the table and of the CSV; theirs: zeros where there is no peer.
void state_row(const state_world *world, const char *row, uint32_t count, figures ours,
               figures theirs);
void state_expect(bool holds, const state_world *world, const char *what, double value,
                  double goal);

// state_paths.c: paths in a state beside paths on a mesh baked with the same holes; unreachable
// goals; memory.
void state_bench_paths(const state_world *world);
void state_bench_fenced(const state_world *world);
void state_bench_memory(const state_world *world);
// state_switches.c: whether a place leads to another with 20 switches, and with a thousand.
void state_bench_switches(const state_world *world);
