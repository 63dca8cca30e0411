// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// peer_obstacles.h: a level in recastnavigation's DetourTileCache, which has obstacles of the world
// and rebuilds the tiles that they touch. For benchmarks only.

#pragma once

#ifdef __cplusplus
// core/nav.h is C17; this is the one word of it that C++ spells differently.
#define _Noreturn [[noreturn]]
extern "C" {
#endif

#include "core/nav.h"

typedef struct peer_obstacles peer_obstacles;

// The level in tiles of so many cells, baked to layers and to a Detour mesh of them, as
// recastnavigation's demo does. Layers are kept uncompressed and memory for rebuilding is one
// block, so that the peer spends no time on either. NULL where a step fails; *why says which.
peer_obstacles *peer_obstacles_create(const nav_geometry *geometry, const nav_config *config,
                                      uint32_t tile_cells, const char **why);
void peer_obstacles_free(peer_obstacles *peer); // NULL is harmless

// Circles that block, as cylinders; updates until all tiles are up to date. Returns how many
// updates that took, 0 where one fails. The cylinders are not grown by the agent's radius: the peer
// has less to cut than we.
uint32_t peer_obstacles_add(peer_obstacles *peer, const nav_avoid *circles, uint32_t count);
// Removes all that the last call added, likewise.
uint32_t peer_obstacles_remove(peer_obstacles *peer);

// Whether the peer's mesh has ground at a point, within so far in plan view.
bool peer_obstacles_is_ground(peer_obstacles *peer, const float point[3], float reach);

#ifdef __cplusplus
}
#endif
