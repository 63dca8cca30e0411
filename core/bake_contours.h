// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bake_contours.h: what the files of the contour stage share. Private to bake_contours*.c.

#pragma once

#include "bake.h"
#include "bake_plan_view.h"

// Part of the region number on the other side: it is a region of the padding, so the edge lies on
// the tile's border. Numbers of regions inside the tile stay below it.
#define NAV_CONTOUR_PADDING 0x08000000u

// Part of a raw point's neighbour: the point is fixed. The region across both sides of the corner
// only touches itself there, so it has a point of its own in this place.
#define NAV_CONTOUR_FIXED 0x40000000u

// How closely a region's contours follow the cells. An edge is treated with the care of the more
// careful of the regions on its two sides, so that both find the same points.
typedef enum nav_contour_care {
    NAV_CARE_NORMAL, // borders to other regions are straight
    NAV_CARE_FOLLOW, // they are followed like walls
    NAV_CARE_EXACT,  // everything is followed without any error
} nav_contour_care;

// A traced border, a point per cell edge. Here, unlike in a finished contour, a point's neighbour
// describes the edge that ENDS in it: that is the order in which the trace learns of them.
typedef struct nav_raw_contour {
    nav_contour_point *points;
    uint32_t count, capacity;
    uint8_t *keep;       // capacity; simplification marks the points that stay
    const uint8_t *care; // by region 0..region_count
    uint32_t region, region_count;
    bool follow_cells; // during simplification: all of it is followed like a wall
} nav_raw_contour;

static inline nav_plan nav_contour_plan(const nav_contour_point *point)
{
    return (nav_plan){point->x, point->z};
}

// Twice the enclosed area; negative for the border of a hole.
int64_t nav_contour_area_doubled(const nav_contour_point *points, uint32_t count);

// bake_contours_simplify.c: marks in raw->keep the fewest points that stay within the configured
// error, then splits long walls. Returns how many are marked.
uint32_t nav_contour_simplify(const nav_bake_job *job, nav_raw_contour *raw);
// Copies the marked points, each now describing the edge that STARTS in it, and leaves out points
// that lie on their successor. Returns how many were written, at most what simplify returned.
uint32_t nav_contour_collect(const nav_raw_contour *raw, nav_contour_point *out);

// bake_contours_cross.c: sets crossing[region] where two edges of a region's contours cross.
// NAV_OK, NAV_NO_MEMORY or NAV_CANCELLED.
nav_status nav_contour_find_crossings(const nav_bake_job *job, const nav_field *field,
                                      const nav_contour *contours, uint32_t count, bool *crossing);

// bake_contours_holes.c: connects each hole to the outline of its region by a bridge, walked there
// and back, so that one closed walk remains. A hole that cannot be reached is warned of and left
// out. holes may be reordered. NAV_OK, NAV_NO_MEMORY or NAV_CANCELLED.
nav_status nav_contour_merge_holes(const nav_bake_job *job, nav_contour *outline,
                                   nav_contour *holes, uint32_t hole_count);
// Merges the holes of each region into its first outline and moves the outlines together. Holes of
// a region whose outline was simplified away are gone with it. is_hole is by contour; set keeps the
// outlines. NAV_OK, NAV_NO_MEMORY or NAV_CANCELLED.
nav_status nav_contours_merge_holes(const nav_bake_job *job, uint32_t region_count,
                                    const bool *is_hole, nav_contour_set *set);
