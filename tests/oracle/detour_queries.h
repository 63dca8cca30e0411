// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// detour_queries.h: Detour's other questions over our polygons (detour.h), with the numbers that
// our mesh gives them. All heed detour_filter. For tests only.

#pragma once

#include "detour.h"

#ifdef __cplusplus
extern "C" {
#endif

// A place on a polygon; NAV_NONE where there is none.
typedef struct detour_place {
    uint32_t polygon;
    float position[3];
} detour_place;

// findNearestPoly within half extents, and closestPointOnPoly of one polygon.
detour_place detour_nearest(const detour_mesh *mesh, const float point[3], const float half[3]);
detour_place detour_closest_on(const detour_mesh *mesh, uint32_t polygon, const float point[3]);

typedef struct detour_ray {
    bool hit;
    float t;          // how much of the way was walked, 0 to 1
    uint32_t polygon; // the last one
} detour_ray;

// raycast, from a place.
detour_ray detour_raycast(const detour_mesh *mesh, const detour_place *start, const float end[3]);

typedef struct detour_wall {
    bool hit;
    float distance, position[3];
} detour_wall;

// findDistanceToWall, from a place.
detour_wall detour_find_wall(const detour_mesh *mesh, const detour_place *start, float radius);

#define DETOUR_VISITED_MAX 256

typedef struct detour_move {
    float position[3];
    uint32_t visited[DETOUR_VISITED_MAX]; // polygons from the start's on
    uint32_t visited_count;
} detour_move;

// moveAlongSurface, from a place.
detour_move detour_move_along(const detour_mesh *mesh, const detour_place *start,
                              const float end[3]);

// Whether findPath, from place to place, ends in the goal's polygon.
bool detour_is_reachable(detour_mesh *mesh, const detour_place *start, const detour_place *end);

// Polygons that Detour's links lead to from one; returns how many were written.
uint32_t detour_links(const detour_mesh *mesh, uint32_t polygon, uint32_t *out, uint32_t capacity);
// Whether the filter lets one walk on it.
bool detour_is_open(const detour_mesh *mesh, uint32_t polygon);
// Whether it has no height detail here because Detour's bytes do not hold as much.
bool detour_is_flat(const detour_mesh *mesh, uint32_t polygon);

#ifdef __cplusplus
}
#endif
