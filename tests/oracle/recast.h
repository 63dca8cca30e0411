// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// recast.h: recastnavigation behind a C interface: bake a level the way its demo does for a single
// mesh, then ask Detour for paths. For tests only.

#pragma once

#ifdef __cplusplus
// core/nav.h is C17; this is the one word of it that C++ spells differently.
#define _Noreturn [[noreturn]]
extern "C" {
#endif

#include "core/nav.h"

typedef struct recast_mesh recast_mesh;

// One tile with the settings of config, of any partition. NULL when Recast or Detour gives up; *why
// then says at which step.
recast_mesh *recast_bake(const nav_geometry *geometry, const nav_config *config, const char **why);
void recast_free(recast_mesh *mesh); // NULL is harmless

uint32_t recast_polygon_count(const recast_mesh *mesh);
// In plan view, world units squared, of all polygons.
double recast_walkable_area(const recast_mesh *mesh);
// Corner i of a polygon in world units; false past its last corner.
bool recast_polygon_corner(const recast_mesh *mesh, uint32_t polygon, uint32_t i, float out[3]);

// Puts the height of their detail mesh into a point that lies over the polygon in plan view.
void recast_drop_on(const recast_mesh *mesh, uint32_t polygon, float point[3]);

// ---- what the stages left, in cells ----

// Column (x, z) is z * width + x and has entries first[column] .. first[column + 1] - 1, rising.
// Pointers live as long as the mesh.
typedef struct recast_columns {
    uint32_t width, depth;
    const uint32_t *first;
    const uint16_t *bottom, *top; // bottom is NULL for the open field; top is the floor
    const uint8_t *walkable;
} recast_columns;

recast_columns recast_solid(const recast_mesh *mesh); // after the filters
recast_columns recast_open(const recast_mesh *mesh);  // after erosion
uint32_t recast_region_count(const recast_mesh *mesh);
uint32_t recast_detail_count(const recast_mesh *mesh);
// A triangle of the height detail: x and z in cells, y in height cells of the floor. Recast lifts
// its detail by a cell, which is taken off here.
void recast_detail_triangle(const recast_mesh *mesh, uint32_t triangle, float out[3][3]);

typedef struct recast_path {
    bool found;    // both ends lie on the mesh
    bool complete; // the path ends in the goal's polygon
    double length; // of the straight path, in three dimensions
} recast_path;

// findNearestPoly with half extents 2, 4, 2, then findPath and findStraightPath.
recast_path recast_find_path(const recast_mesh *mesh, const float start[3], const float end[3]);

#ifdef __cplusplus
}
#endif
