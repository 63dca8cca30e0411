// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_world.h: one level for bench_query.c: baked, its polygons painted with areas, as a mesh of
// ours and as one of Detour's, and pairs of places on it.

#pragma once

#include "tests/oracle/detour.h"

typedef struct query_pair {
    float start[3], end[3];
} query_pair;

typedef struct query_world {
    char name[64];
    nav_arena arena; // of tiles and pairs
    nav_mesh *ours;
    detour_mesh *theirs;
    uint32_t polygons;
    query_pair *pairs; // of places with a way between them
    uint32_t pair_count;
    query_pair *parted; // of places without one
    uint32_t parted_count;
} query_world;

// The filter of the second row: four costs, one area closed by a flag that is excluded.
extern const float QUERY_COSTS[NAV_AREAS_MAX];
nav_filter query_filter(void);
void query_filter_detour(detour_mesh *mesh, bool weighted);

// Ends the program with a message where anything fails.
void query_world_make(query_world *world, const char *name, const nav_geometry *geometry,
                      uint32_t pair_count);
// The same, of one tile (0) or in tiles of so many cells; query_world_make leaves that to the bake.
void query_world_make_tiled(query_world *world, const char *name, const nav_geometry *geometry,
                            uint32_t tile_cells, uint32_t pair_count);
void query_world_free(query_world *world);
