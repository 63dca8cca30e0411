// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// clearance.h: what the files that lead a path away from walls share: how far walls are from
// it, and its points on their way.

#pragma once

#include "core/query/search/search.h"

// lead.c: leads a path of the scratch away from walls, as far as it can, and fills in
// clearance_min. *moved: it is another path now. A deadline leaves it as it was. Errors:
// NAV_NO_MEMORY.
nav_status nav_path_clear(nav_scratch *scratch, double clearance, nav_path *path, bool *moved);
// points.c: fills in clearance_min of a path of the scratch; 0 where it has no points, or
// the question is cancelled before it is known. Errors: NAV_NO_MEMORY.
nav_status nav_path_measure(nav_scratch *scratch, double clearance, nav_path *path);

// ---- walls ----

// A straight piece of a path, and the parts of it that count, from 0 at a to 1 at b.
#define NAV_LEG_RANGES_MAX 3
typedef struct nav_leg {
    double a[2], b[2];
    uint32_t polygon; // one in which it begins
    double ranges[NAV_LEG_RANGES_MAX][2];
    uint32_t range_count;
} nav_leg;

// points.c: all of a leg between two points.
nav_leg nav_leg_at(const float from[3], const float to[3], uint32_t polygon);
// walls.c: leaves out what lies in a circle. To be called twice at most.
void nav_leg_leave_out(nav_leg *leg, const double center[2], double radius);

// The walls around a leg.
typedef struct nav_leg_walls {
    double distance2; // from the nearest wall to what counts; that of the reach where there is none
    bool hit;         // there is one
    double at[2], wall[2]; // where the two are nearest
    uint32_t polygon;      // with that wall
    double normal[2];      // the sum of the normals of walls that touch, away from them; or 0
    bool crosses;          // it crosses a wall, at this part of it
    double crossed;
} nav_leg_walls;

// walls.c: looks for walls that are nearer than reach. False when there is no memory, or the
// question is cancelled. Takes another stamp.
bool nav_leg_measure(const nav_view *view, nav_scratch *scratch, const nav_leg *leg, double reach,
                     nav_leg_walls *out);

// A circle that touches a wall from the side of its normal.
typedef struct nav_circle {
    double wall[2], normal[2];
    double radius;
    double center[2]; // filled in
} nav_circle;

// walls.c: makes its radius smaller until no wall lies inside, and reports its center. The polygon
// is one that has the wall. False when there is no memory, or the question is
// cancelled. Takes another stamp.
bool nav_circle_fit(const nav_view *view, nav_scratch *scratch, uint32_t polygon,
                    nav_circle *circle);

// ---- points ----

// A path that is led away from walls.
typedef struct nav_clearing {
    nav_scratch *scratch;
    const nav_view *view;
    double clearance;
    double tolerance; // of positions
    nav_clear_node *nodes;
    uint32_t count, capacity; // no point is added to a list that is full
    // The stretch between two links at hand.
    uint32_t first, last;
    double keep;        // the distance that its legs are to keep: what is reported is rounded
    double left_out[2]; // radius around its ends within which nothing counts
    bool freed[2];      // a step leads away from the end, or none can
} nav_clearing;

// points.c: lists the points of a path of the scratch. False when there is no memory.
bool nav_clearing_begin(nav_clearing *c, nav_scratch *scratch, double clearance,
                        const nav_path *path);
// points.c: the stretch that begins with a node is at hand. False as nav_leg_measure.
bool nav_clearing_begin_stretch(nav_clearing *c, uint32_t first);
// points.c: the leg from one node of the stretch to another, and what counts of it.
nav_leg nav_clearing_leg(const nav_clearing *c, uint32_t from, uint32_t to);
// points.c: looks for walls around a position that are nearer than reach. False as nav_leg_measure.
bool nav_clearing_measure_at(const nav_clearing *c, const float at[3], uint32_t polygon,
                             double reach, nav_leg_walls *out);

// walk.c: puts the path through the nodes in the place of another, unless it is the same, or cannot
// be walked: *taken. False when there is no memory, or the question is cancelled.
bool nav_clearing_take_nodes(const nav_clearing *c, nav_path *path, bool *taken);
// walk.c: the corridors of the path and of the new one change places.
void nav_clearing_swap_corridors(nav_scratch *scratch);
