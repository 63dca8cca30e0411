// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// contours.h: step 7, contours: what the stage hands on, and what its files share. Private to
// core/.

#pragma once

#include "core/bake/stages.h"
#include "core/base/plan_view.h"

// ---- what the stage hands on ----

// A point of a contour. neighbour describes the edge from this point to the next one.
typedef struct nav_contour_point {
    int32_t x, y, z;    // cells: corner of a cell, height of the lowest floor that meets there
    uint32_t neighbour; // region on the other side (0: none, i.e. a wall) and the flags below
} nav_contour_point;

#define NAV_CONTOUR_REGION_MASK 0x0fffffffu
// The area on the other side is a different one.
#define NAV_CONTOUR_AREA_BORDER 0x20000000u
// The point lies on the tile's border and must be removed from the polygon mesh afterwards.
#define NAV_CONTOUR_BORDER_VERTEX 0x10000000u

// A simple polygon around one region, its holes already merged into it. Wound clockwise in (x, z),
// as seen with x to the right and z up, which is counter-clockwise seen from above the world.
typedef struct nav_contour {
    nav_contour_point *points;
    uint32_t point_count;
    uint32_t region;
    uint16_t area;
} nav_contour;

struct nav_contour_set {
    nav_contour *contours;
    uint32_t count;
};

// ---- what its files share ----

// Part of the region number on the other side: it is a region of the padding, so the edge lies on
// the tile's border. Numbers of regions inside the tile stay below it.
#define NAV_CONTOUR_PADDING 0x08000000u

// Part of a raw point's neighbour: the point is fixed. The region across both sides of the corner
// only touches itself there, so it has a point of its own at this corner.
#define NAV_CONTOUR_FIXED 0x40000000u

// Simplified edges that cross others, and so have to be split where the border is farthest from
// them. Known by their ends, so that the regions on both sides split them alike.
typedef struct nav_contour_edge {
    nav_plan low, high; // ends
} nav_contour_edge;

typedef struct nav_contour_splits {
    nav_arena memory; // a child of the scratch, so that they outlive a round
    nav_contour_edge *edges;
    uint32_t known; // sorted; those behind them were found in this round
    uint32_t count, capacity;
    bool all;      // of every edge: contours follow the cells without any error
    bool *crossed; // by region: one of its edges is among them
} nav_contour_splits;

// A traced border, a point per cell edge. Here, unlike in a finished contour, a point's neighbour
// describes the edge that ENDS in it: that is the order in which the trace learns of them.
typedef struct nav_raw_contour {
    nav_contour_point *points;
    uint32_t count, capacity;
    uint8_t *keep; // capacity; simplification marks the points that stay
    const nav_contour_splits *splits;
    bool follow_cells; // during simplification: all of it is followed like a wall
    bool has_split;    // simplification met an edge that is among the splits
} nav_raw_contour;

static inline nav_plan nav_contour_plan(const nav_contour_point *point)
{
    return (nav_plan){point->x, point->z};
}

// Twice the enclosed area; negative for the border of a hole.
static inline int64_t nav_contour_area_doubled(const nav_contour_point *points, uint32_t count)
{
    int64_t sum = 0;
    for (uint32_t i = 0, j = count - 1; i < count; j = i++) {
        sum += nav_plane_cross_i(points[i].x, points[i].z, points[j].x, points[j].z);
    }
    return sum;
}

// simplify.c: marks in raw->keep the fewest points that stay within the configured
// error, then splits long walls. Returns how many are marked.
uint32_t nav_contour_simplify(const nav_bake_job *job, nav_raw_contour *raw);
// Copies the marked points, each now describing the edge that STARTS in it, and leaves out points
// that lie on their successor. Returns how many were written, at most what simplify returned.
uint32_t nav_contour_collect(const nav_raw_contour *raw, nav_contour_point *out);

// cross.c: adds the edges of contours that cross another one of their region, each
// once. Keeps nothing of the scratch. NAV_OK, NAV_NO_MEMORY or NAV_CANCELLED.
nav_status nav_contour_find_crossings(const nav_bake_job *job, const nav_field *field,
                                      const nav_contour *contours, uint32_t count,
                                      nav_contour_splits *splits);
// Adds an edge of a region at the end; false when there is no memory.
bool nav_contour_split(nav_contour_splits *splits, uint32_t region, nav_plan a, nav_plan b);
// Sorts all, each edge once: they are known then.
void nav_contour_sort_splits(nav_contour_splits *splits);
bool nav_contour_is_split(const nav_contour_splits *splits, nav_plan a, nav_plan b);

// holes.c: connects each hole to the outline of its region by a bridge, walked there
// and back, so that one closed walk remains. A hole that cannot be reached is warned of and left
// out. holes may be reordered. NAV_OK, NAV_NO_MEMORY or NAV_CANCELLED.
nav_status nav_contour_merge_holes(const nav_bake_job *job, nav_contour *outline,
                                   nav_contour *holes, uint32_t hole_count);
// Merges the holes of each region into its first outline and moves the outlines together. Holes of
// a region whose outline was simplified away are gone with it. is_hole is by contour; set keeps the
// outlines. NAV_OK, NAV_NO_MEMORY or NAV_CANCELLED.
nav_status nav_contours_merge_holes(const nav_bake_job *job, uint32_t region_count,
                                    const bool *is_hole, nav_contour_set *set);
