// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// nearest.h: what is known while the positions nearest to a point are looked for: first in the
// grid (cells.c), then, where that cannot tell, in the trees (nearest.c). Private to
// core/.

#pragma once

#include "core/base/plane.h"
#include "core/query/query.h"

#include <math.h>

typedef struct nav_nearest {
    const nav_mesh *mesh;
    const float *point;
    float min[3], max[3]; // positions must lie in here
    // How far rounding can put a position outside of its polygon's bounds. Boxes are taken to be so
    // much larger, so that of equal positions all are looked at, in whatever order that is.
    float tolerance;
    nav_reach reach;
    // Positions above `high` come after all others where there is a floor: a position that is not,
    // right under or at the point. INFINITY: they do not.
    float high;
    nav_location *out; // sorted; `distance` holds the square until the search ends
    uint32_t count, capacity;
} nav_nearest;

// Keeps a position, whose distance is the square, where it is among the answers.
void nav_nearest_keep(nav_nearest *s, const nav_location *location);
// Keeps the position of a polygon, wherever that lies, if it is within limits and among the
// answers.
void nav_nearest_visit(nav_nearest *s, uint32_t polygon);
// The same where only what holds the point itself counts, and the polygon could only do so with its
// border.
void nav_nearest_visit_border(nav_nearest *s, uint32_t polygon);

// cells.c: keeps the positions over and under the point, and learns whether there is a floor;
// then visits all other polygons that can have a position among the answers, if the cells that hold
// them are few. False where they are not.
bool nav_nearest_in_cells(nav_nearest *s);

static inline bool nav_nearest_is_closed(const nav_nearest *s, const nav_polygon_record *record,
                                         uint32_t polygon)
{
    const nav_reach *reach = &s->reach;
    return (reach->ground != NULL && reach->ground[record->ground] == INFINITY) ||
           (reach->overlay != NULL && nav_overlay_is_cut(reach->overlay, polygon)) ||
           !nav_is_marked_within_reach(reach, polygon);
}

// Whether a polygon lies over or under a point.
static inline bool nav_is_under(const nav_mesh *mesh, uint32_t polygon, float x, float z)
{
    nav_corner_room room;
    const nav_corners corners = nav_polygon_corners(mesh, polygon, room);
    return nav_plane_holds_f(corners.vertices, corners.indices, corners.count, x, z);
}
