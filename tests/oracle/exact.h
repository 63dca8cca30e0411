// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// exact.h: one column of voxels by exact arithmetic, to judge where two voxelizers differ.

#pragma once

#include "core/bake/stages.h"

// Whether spans (bottom[i] .. top[i] - 1 solid, rising) are the solid cells that the triangles
// touch in column (x, z) of the grid, with no stretch of more than `slack` cells solid on one side
// only. False as well where that cannot be told: a triangle ends within a millionth of a cell of
// the column's sides, or memory is short.
bool exact_column_agrees(const nav_geometry *geometry, const nav_grid *grid, uint32_t x, uint32_t z,
                         const uint16_t *bottom, const uint16_t *top, uint32_t count,
                         uint32_t slack);
