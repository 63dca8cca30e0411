// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// plan_view.h: exact geometry in plan view, for contours, polygons and their detail. Private to
// core/. It stands on nav_plane_cross_i, the exact one of base/plane.h; the sides and crosses there
// have the other sign.
//
// Coordinates are cells, below 2^30 in size, so that a product of two differences fits 64 bits and
// no test here ever rounds. Seen from above the world x points right and z points down:
//
//          a
//         /       turn(a, b, c) > 0: the walk a, b, c turns left (counter-clockwise). Outlines and
//        b        polygons are wound this way: their inside lies to the left of each edge.
//         '-- c

#pragma once

#include "core/base/plane.h"

typedef struct nav_plan {
    int32_t x, z;
} nav_plan;

static inline bool nav_plan_equal(nav_plan a, nav_plan b)
{
    return a.x == b.x && a.z == b.z;
}

// From a cell's corner x, y, z.
static inline nav_plan nav_plan_of(const int32_t corner[3])
{
    return (nav_plan){corner[0], corner[2]};
}

// One order of all points, by x, then z: an edge has the same lower end in either direction.
static inline bool nav_plan_comes_before(nav_plan a, nav_plan b)
{
    return a.x != b.x ? a.x < b.x : a.z < b.z;
}

// Widens bounds so that they hold the point.
static inline void nav_plan_widen(nav_plan *low, nav_plan *high, nav_plan p)
{
    low->x = p.x < low->x ? p.x : low->x;
    low->z = p.z < low->z ? p.z : low->z;
    high->x = p.x > high->x ? p.x : high->x;
    high->z = p.z > high->z ? p.z : high->z;
}

static inline int64_t nav_plan_distance_squared(nav_plan a, nav_plan b)
{
    int64_t dx = (int64_t)a.x - b.x;
    int64_t dz = (int64_t)a.z - b.z;
    return dx * dx + dz * dz;
}

// Twice the area of the triangle a, b, c: positive where it is wound counter-clockwise from above.
static inline int64_t nav_plan_turn(nav_plan a, nav_plan b, nav_plan c)
{
    return nav_plane_cross_i((int64_t)c.x - a.x, (int64_t)c.z - a.z, (int64_t)b.x - a.x,
                             (int64_t)b.z - a.z);
}

// p lies on the closed segment a, b.
static inline bool nav_plan_between(nav_plan a, nav_plan b, nav_plan p)
{
    if (nav_plan_turn(a, b, p) != 0) {
        return false;
    }
    return (a.x <= p.x && p.x <= b.x && a.z <= p.z && p.z <= b.z) ||
           (b.x <= p.x && p.x <= a.x && a.z <= p.z && p.z <= b.z) ||
           (a.x <= p.x && p.x <= b.x && b.z <= p.z && p.z <= a.z) ||
           (b.x <= p.x && p.x <= a.x && b.z <= p.z && p.z <= a.z);
}

// The open segments a, b and c, d cross in one inner point of both.
static inline bool nav_plan_segments_cross(nav_plan a, nav_plan b, nav_plan c, nav_plan d)
{
    int64_t abc = nav_plan_turn(a, b, c);
    int64_t abd = nav_plan_turn(a, b, d);
    int64_t cda = nav_plan_turn(c, d, a);
    int64_t cdb = nav_plan_turn(c, d, b);
    return ((abc > 0 && abd < 0) || (abc < 0 && abd > 0)) &&
           ((cda > 0 && cdb < 0) || (cda < 0 && cdb > 0));
}

// The closed segments have a point in common.
static inline bool nav_plan_segments_touch(nav_plan a, nav_plan b, nav_plan c, nav_plan d)
{
    return nav_plan_segments_cross(a, b, c, d) || nav_plan_between(a, b, c) ||
           nav_plan_between(a, b, d) || nav_plan_between(c, d, a) || nav_plan_between(c, d, b);
}

// All of c, d lies on one side of the bounds of a, b: the segments have no point in common.
static inline bool nav_plan_segments_apart(nav_plan a, nav_plan b, nav_plan c, nav_plan d)
{
    return (c.x < a.x && c.x < b.x && d.x < a.x && d.x < b.x) ||
           (c.x > a.x && c.x > b.x && d.x > a.x && d.x > b.x) ||
           (c.z < a.z && c.z < b.z && d.z < a.z && d.z < b.z) ||
           (c.z > a.z && c.z > b.z && d.z > a.z && d.z > b.z);
}

// x of the segment at height z, rounded down. The segment is not level.
static inline int64_t nav_plan_x_at(nav_plan a, nav_plan b, int64_t z)
{
    int64_t rise = ((int64_t)b.x - a.x) * (z - a.z), run = (int64_t)b.z - a.z;
    int64_t quotient = rise / run;
    return a.x + quotient - (rise % run != 0 && (rise % run < 0) != (run < 0));
}

// The least and the greatest x, rounded down, of the segment's part with z_begin <= z <= z_end.
// There is such a part.
static inline void nav_plan_x_range(nav_plan a, nav_plan b, int64_t z_begin, int64_t z_end,
                                    int64_t range[2])
{
    int64_t x0 = a.x, x1 = b.x;
    if (a.z != b.z) {
        int64_t low = a.z < b.z ? a.z : b.z, high = a.z < b.z ? b.z : a.z;
        x0 = nav_plan_x_at(a, b, low > z_begin ? low : z_begin);
        x1 = nav_plan_x_at(a, b, high < z_end ? high : z_end);
    }
    range[0] = x0 < x1 ? x0 : x1;
    range[1] = x0 < x1 ? x1 : x0;
}

// Seen from the corner previous -> at -> next of a polygon, the target lies strictly inside.
static inline bool nav_plan_in_cone(nav_plan previous, nav_plan at, nav_plan next, nav_plan target)
{
    if (nav_plan_turn(previous, at, next) >= 0) {
        return nav_plan_turn(at, target, previous) > 0 && nav_plan_turn(target, at, next) > 0;
    }
    return !(nav_plan_turn(at, target, next) >= 0 && nav_plan_turn(target, at, previous) >= 0);
}

// The same, but the target may lie on one of the corner's edges where the corner is convex.
static inline bool nav_plan_in_cone_loose(nav_plan previous, nav_plan at, nav_plan next,
                                          nav_plan target)
{
    if (nav_plan_turn(previous, at, next) >= 0) {
        return nav_plan_turn(at, target, previous) >= 0 && nav_plan_turn(target, at, next) >= 0;
    }
    return nav_plan_in_cone(previous, at, next, target);
}
