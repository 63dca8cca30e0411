// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// ground.h: the level itself as a judge of heights: how far a height is from the input triangles.

#pragma once

#include "core/bake/stages.h"

// The triangles of a level that face up, by the cells that they touch. Lengths are in cells.
typedef struct ground {
    const nav_geometry *geometry;
    const nav_grid *grid;
    uint32_t *first; // by column, z * width + x; and one more
    uint32_t *triangles;
} ground;

// geometry and grid are borrowed. False: no memory.
bool ground_init(ground *g, const nav_geometry *geometry, const nav_grid *grid);
void ground_free(ground *g);

// Errors of a surface at the points where it was compared.
typedef struct ground_errors {
    double sum, worst; // height cells, of the places with ground
    size_t count;      // places with ground
    size_t without;    // places with none
} ground_errors;

// Compares a triangle of a surface (x, y, z in cells) near the middle of each cell under it: no
// edge runs through that very place, so that each cell counts once. The error is the distance from
// the ground nearest in height.
void ground_compare(const ground *g, const float triangle[3][3], ground_errors *sum);
