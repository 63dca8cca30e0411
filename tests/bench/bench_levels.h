// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bench_levels.h: the levels that bakes are measured on: every .obj in $NAVMESHD_LEVELS (default
// ../shared/levels), where that folder exists, and generated ones, the last of which is tiled.

#pragma once

#include "core/nav.h"
#include "proto/geometry/upload.h"
#include "tests/levels/levels.h"

#define LEVELS_MAX 32

typedef struct level {
    char name[64];
    nav_geometry geometry;
    bool tiled;
    level_mesh mesh;               // owns a generated geometry
    proto_geometry_reader *reader; // owns one from a file
} level;

extern level levels[LEVELS_MAX];
extern uint32_t level_count;

// Fills levels; what cannot be had ends the program. quick: a city of 65,000 triangles, else
// 500,000.
void levels_add(bool quick);
void levels_remove(void);
