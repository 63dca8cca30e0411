// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// recast_set.h: a level baked by recastnavigation in tiles, as the bytes of an MSET. For tests and
// benchmarks only.

#pragma once

#ifdef __cplusplus
// core/nav.h is C17; this is the one word of it that C++ spells differently.
#define _Noreturn [[noreturn]]
extern "C" {
#endif

#include "core/nav.h"

// Bakes each tile of a planned grid as RecastDemo does and saves the mesh that Detour made of them,
// with its links, as it does. malloc'ed, or NULL and why. Polygons have the area 63 and the flag 1.
void *recast_set_make(const nav_geometry *geometry, const nav_config *config, const nav_grid *grid,
                      size_t *size_bytes, const char **why);

#ifdef __cplusplus
}
#endif
