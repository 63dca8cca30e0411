// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// delaunay.h: Delaunay triangulation of a convex polygon and of points added in it. Private to
// core/; bake/detail/detail.c is the user.

#pragma once

#include "core/nav.h"

// Coordinates are fixed-point: NAV_DELAUNAY_ONE to the cell, from 0 to below NAV_DELAUNAY_LIMIT.
// That is 262,144 cells in steps of 1/4096 cell. A difference of two coordinates is below 2^30
// in magnitude, hence
//   orientation: two products below 2^60 each, their difference below 2^61, fits int64;
//   in-circle:   a squared length and a cross product are below 2^61 each, their product below
//                2^122, the sum of three below 2^124, fits a 128-bit integer.
// All predicates are exact, so that collinear and cocircular points need no tolerance.
#define NAV_DELAUNAY_ONE 4096
#define NAV_DELAUNAY_LIMIT (1 << 30)

typedef struct nav_delaunay_point {
    int32_t u, v;
} nav_delaunay_point;

// Counter-clockwise in (u, v). Edge k runs from corner k to the next; neighbour k is the triangle
// on its other side, NAV_NONE on the polygon's border.
typedef struct nav_delaunay_triangle {
    uint32_t corners[3];
    uint32_t neighbours[3];
} nav_delaunay_triangle;

// An edge of the hole that a new point tears open, with the triangle on its far side.
typedef struct nav_delaunay_edge {
    uint32_t from, to, outer;
} nav_delaunay_edge;

// Zero-initialise once; begin may be called again for the next polygon and keeps the memory. The
// owner of the arena owns the arrays. Triangles are never deleted, their slots are reused.
typedef struct nav_delaunay {
    nav_delaunay_point *points;
    nav_delaunay_triangle *triangles;
    uint32_t *border;  // by point on the border: the triangle of the border edge that begins there
    uint32_t *changed; // slots written by the newest insertion
    uint32_t point_count, triangle_count, changed_count;
    // Private to delaunay.c.
    uint32_t *spokes;         // by point: the new triangle whose outer edge begins there
    nav_delaunay_edge *edges; // of the hole
    uint32_t *marks;          // by triangle: the last insertion that took it away
    uint32_t mark;
    uint32_t point_capacity;
} nav_delaunay;

// Twice the area of a, b, c: positive if they turn counter-clockwise, 0 if collinear.
int64_t nav_delaunay_orient(nav_delaunay_point a, nav_delaunay_point b, nav_delaunay_point c);
// 1 if d is strictly inside the circle through a, b, c (counter-clockwise), -1 outside, 0 on it.
int nav_delaunay_in_circle(nav_delaunay_point a, nav_delaunay_point b, nav_delaunay_point c,
                           nav_delaunay_point d);

// True if the points are the corners of a counter-clockwise convex polygon with an area. Angles of
// 180 degrees are allowed, repeated points and spikes are not.
bool nav_delaunay_convex(const nav_delaunay_point *corners, uint32_t count);

// Makes room for point_count points and their triangles; keeps what is there. False: no memory.
bool nav_delaunay_reserve(nav_delaunay *mesh, nav_arena *arena, uint32_t point_count);

// Triangulates a polygon that passed nav_delaunay_convex; room for count points is reserved. Its
// corners become points 0..count-1. Time: count squared, meant for the few corners of a polygon.
void nav_delaunay_begin(nav_delaunay *mesh, const nav_delaunay_point *corners, uint32_t count);

// The triangle that contains the point, which must be inside the polygon; hint is any triangle,
// best one nearby.
uint32_t nav_delaunay_find(const nav_delaunay *mesh, uint32_t hint, nav_delaunay_point point);

// Adds a point in or on the edge of a triangle, distinct from every point there; room is reserved.
// A point on the polygon's border splits the border edge. Fills changed: each slot whose triangle
// is gone holds a new one, and all new ones are listed. Returns the point's index.
uint32_t nav_delaunay_insert(nav_delaunay *mesh, uint32_t triangle, nav_delaunay_point point);
