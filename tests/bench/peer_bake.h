// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// peer_bake.h: a tile baked by recastnavigation, from triangles to the bytes of a Detour tile, and
// the most memory that its allocators held meanwhile. For benchmarks only.

#pragma once

#ifdef __cplusplus
// core/nav.h is C17; this is the one word of it that C++ spells differently.
#define _Noreturn [[noreturn]]
extern "C" {
#endif

#include "core/nav.h"

// The same settings and the same grid as nav_bake_tile gets. triangles are the tile's own, as
// nav_bake_index lists them, so that neither side looks at others. Returns the size of the tile, 0
// where it is empty; *polygons, which may be NULL, is raised by its polygons.
size_t peer_bake_tile(const nav_geometry *geometry, const nav_config *config, const nav_grid *grid,
                      uint32_t tile_x, uint32_t tile_z, const uint32_t *triangles,
                      uint32_t triangle_count, uint32_t *polygons);

// Counts from here on, on all threads together.
void peer_memory_reset(void);
size_t peer_memory_peak(void);

#ifdef __cplusplus
}
#endif
