// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// detour.h: our own polygons as a Detour mesh, behind a C interface, and Detour's paths over them.
// Differences in an answer, or in its time, are then the search's alone. For tests and benchmarks
// only.

#pragma once

#ifdef __cplusplus
// core/nav.h is C17; this is the one word of it that C++ spells differently.
#define _Noreturn [[noreturn]]
extern "C" {
#endif

#include "core/nav.h"

typedef struct detour_mesh detour_mesh;

// From the tiles of one grid, baked with at most 6 corners a polygon: the same vertices, polygons,
// neighbours, areas and height detail. A polygon of area i has the flags area_flags[i]. NULL where
// Detour gives up; *why then says at which step.
detour_mesh *detour_create(const nav_blob *tiles, uint32_t tile_count,
                           const uint16_t area_flags[NAV_AREAS_MAX], const char **why);
// From the bytes of an MSET, each tile added as RecastDemo adds it when it loads one. Polygons are
// numbered in the order of the file.
detour_mesh *detour_load(const void *bytes, size_t size_bytes, const char **why);
void detour_free(detour_mesh *mesh); // NULL is harmless

// Sets the ground that the next paths may walk on, and its costs. A new mesh has all of it at
// cost 1.
void detour_filter(detour_mesh *mesh, const float area_costs[NAV_AREAS_MAX], uint16_t include,
                   uint16_t exclude);

typedef struct detour_path {
    bool found;               // both ends lie on the mesh
    bool complete;            // the path ends in the goal's polygon
    uint32_t connections;     // off-mesh ones that it takes
    const float (*points)[3]; // live until the next path
    uint32_t point_count;
} detour_path;

// findNearestPoly with half extents 2, 4, 2, then findPath with 65,535 nodes, then
// findStraightPath; with crossings it also has a point wherever the area changes.
detour_path detour_find_path(detour_mesh *mesh, const float start[3], const float end[3],
                             bool crossings);
// The last path's length in plan view, each part times its area's cost: right for a path with
// crossings.
double detour_path_cost(const detour_mesh *mesh);

#ifdef __cplusplus
}
#endif
