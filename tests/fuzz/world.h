// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// world.h: a small level in four tiles, with a wall, a ramp, mud and a link, for the targets that
// begin with what a bake has made.

#pragma once

#include "core/nav.h"

#define FUZZ_TILES 4u

typedef struct fuzz_world {
    nav_config config;
    nav_blob tiles[FUZZ_TILES]; // of a size above 0, each
} fuzz_world;

// Baked once; lives as long as the program.
const fuzz_world *fuzz_world_get(void);
