// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// volumes.h: volumes in cells, for those that mark the ground within: volumes.c and switches.c.
// Private to core/.

#pragma once

#include "core/bake/stages.h"

// A volume in cells of the tile's padded field, not yet limited to it.
typedef struct nav_volume_extent {
    double min_x, max_x, min_z, max_z; // plan view
    int64_t bottom, top;               // cells of floors, both included
} nav_volume_extent;

// Cells are float products, as where triangles are voxelized: 2 units are ten cells of 0.2.
static inline double nav_volume_x_cells(const nav_bake_job *job, float x)
{
    const nav_grid *grid = job->grid;
    return (double)((x - grid->min[0]) * (1.0f / grid->cell_size)) - job->first_x_cells;
}

static inline double nav_volume_z_cells(const nav_bake_job *job, float z)
{
    const nav_grid *grid = job->grid;
    return (double)((z - grid->min[2]) * (1.0f / grid->cell_size)) - job->first_z_cells;
}

// The cell that holds a position, limited to 0 .. count; NaN cannot occur.
static inline uint32_t nav_volume_limit_cell(double cells, uint32_t count)
{
    return cells <= 0 ? 0 : cells >= count ? count : (uint32_t)cells;
}

// volumes.c: the extent of a volume.
nav_volume_extent nav_volume_extent_of(const nav_bake_job *job, const nav_volume *volume);
// The crossings of a line along x and the outline of a convex volume, rising; returns how many.
// Between the first and the second crossing lies the inside, and so on (even-odd rule), for either
// winding.
uint32_t nav_volume_crossings(const nav_bake_job *job, const nav_volume *volume, double z,
                              double crossings[NAV_VOLUME_POINTS_MAX]);
