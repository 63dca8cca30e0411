// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// simplify.c: from a border of cell edges to a contour of few points.
//
// Points where the neighbour changes are fixed: three regions meet there, or a wall begins. Between
// two fixed points a border with another region becomes one straight edge; a wall, or a border
// between two areas, follows the cells as closely as the configured error asks (Douglas and
// Peucker 1973: split at the farthest point until none is too far).
//
//     fixed .-''''-.__     wall: split at f, then      fixed --------------. fixed
//          /         f'.   its two halves again              region border
//
// The two regions on either side of a border walk it in opposite directions and must find the same
// points, or the polygons would gape: every choice below depends on the edge alone, not on the
// direction in which it is walked. If edges of the outcome cross the stage simplifies again, and
// they are split.

#include "core/bake/contours/contours.h"

// True if an edge from a to b is walked as it is; false if its twin on the other side is the model.
static bool walks_forward(const nav_contour_point *a, const nav_contour_point *b)
{
    return nav_plan_comes_before(nav_contour_plan(a), nav_contour_plan(b));
}

static uint32_t step(const nav_raw_contour *raw, uint32_t index)
{
    return index + 1 == raw->count ? 0 : index + 1;
}

static bool is_wall(const nav_contour_point *point)
{
    return (point->neighbour & NAV_CONTOUR_REGION_MASK) == 0;
}

// Fixes the points where the region on the other side changes, or where the area begins or ceases
// to; returns their number.
static uint32_t keep_changes(nav_raw_contour *raw)
{
    const uint32_t what = NAV_CONTOUR_REGION_MASK | NAV_CONTOUR_AREA_BORDER;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < raw->count; i++) {
        uint32_t next = raw->points[step(raw, i)].neighbour & what;
        raw->keep[i] = next != (raw->points[i].neighbour & what) ||
                       (raw->points[i].neighbour & NAV_CONTOUR_FIXED) != 0;
        kept += raw->keep[i];
    }
    return kept;
}

// A border with the same on its other side all around has no such point: its lower left and upper
// right ones are fixed instead.
static uint32_t keep_extremes(nav_raw_contour *raw)
{
    uint32_t lowest = 0, highest = 0;
    for (uint32_t i = 1; i < raw->count; i++) {
        if (walks_forward(&raw->points[i], &raw->points[lowest])) {
            lowest = i;
        }
        if (walks_forward(&raw->points[highest], &raw->points[i])) {
            highest = i;
        }
    }
    NAV_ASSERT(lowest != highest); // the border encloses something
    raw->keep[lowest] = 1;
    raw->keep[highest] = 1;
    return 2;
}

// Square of the distance from p to the closed segment a, b. The cross product is exact, so
// that points equally far from the line compare as equal, on which ties rest; base/plane.h rounds
// the closest point first.
static double distance_squared(const nav_contour_point *a, const nav_contour_point *b,
                               const nav_contour_point *p)
{
    double abx = (double)b->x - a->x, abz = (double)b->z - a->z;
    double apx = (double)p->x - a->x, apz = (double)p->z - a->z;
    double bpx = (double)p->x - b->x, bpz = (double)p->z - b->z;
    double length_squared = abx * abx + abz * abz;
    double along = abx * apx + abz * apz;
    if (along <= 0.0) {
        return apx * apx + apz * apz;
    }
    if (along >= length_squared) {
        return bpx * bpx + bpz * bpz;
    }
    double cross = nav_plane_cross(abx, abz, apx, apz);
    return cross * cross / length_squared;
}

// The raw point between a and b that is farther than the error from the edge a, b, and farthest of
// all; NAV_NONE if the edge may stay.
static uint32_t split_for_error(nav_raw_contour *raw, uint32_t a, uint32_t b, double error_squared)
{
    const nav_contour_point *inner = &raw->points[step(raw, a)];
    // A border that comes back to where it began would fold up to nothing. Neither direction is the
    // model there, so of points equally far the position decides.
    bool closed =
        nav_plan_equal(nav_contour_plan(&raw->points[a]), nav_contour_plan(&raw->points[b]));
    bool splits = nav_contour_is_split(raw->splits, nav_contour_plan(&raw->points[a]),
                                       nav_contour_plan(&raw->points[b]));
    raw->has_split = raw->has_split || splits;
    if (!is_wall(inner) && (inner->neighbour & NAV_CONTOUR_AREA_BORDER) == 0 &&
        !raw->follow_cells && !closed && !splits) {
        return NAV_NONE;
    }
    bool forward = walks_forward(&raw->points[a], &raw->points[b]);
    uint32_t from = forward ? a : b;
    uint32_t to = forward ? b : a;
    uint32_t farthest = NAV_NONE;
    double most = splits ? 0.0 : error_squared;
    for (uint32_t i = from;;) {
        i = forward ? step(raw, i) : (i == 0 ? raw->count - 1 : i - 1);
        if (i == to) {
            return farthest;
        }
        double squared = distance_squared(&raw->points[from], &raw->points[to], &raw->points[i]);
        bool wins_tie = closed && farthest != NAV_NONE && squared == most &&
                        walks_forward(&raw->points[farthest], &raw->points[i]);
        if (squared > most || wins_tie) {
            most = squared;
            farthest = i;
        }
    }
}

// Whether edge_max_length holds for the edge whose first raw point after its start is `inner`.
static bool has_length(const nav_bake_job *job, const nav_contour_point *inner)
{
    const nav_edge_split split = job->config->edge_split;
    if (job->edge_max_length_cells == 0 || split == NAV_EDGE_SPLIT_NONE) {
        return false;
    }
    if (is_wall(inner)) {
        return split != NAV_EDGE_SPLIT_AREAS;
    }
    return split != NAV_EDGE_SPLIT_WALLS && (inner->neighbour & NAV_CONTOUR_AREA_BORDER) != 0;
}

// The raw point halfway along an edge that is longer than allowed; NAV_NONE if the edge may stay.
static uint32_t split_for_length(const nav_bake_job *job, const nav_raw_contour *raw, uint32_t a,
                                 uint32_t b)
{
    const uint64_t length_cells = job->edge_max_length_cells;
    nav_plan from = nav_contour_plan(&raw->points[a]);
    nav_plan to = nav_contour_plan(&raw->points[b]);
    if (!has_length(job, &raw->points[step(raw, a)]) ||
        (uint64_t)nav_plan_distance_squared(from, to) <= length_cells * length_cells) {
        return NAV_NONE;
    }
    uint32_t steps = b > a ? b - a : b + (raw->count - a);
    if (steps < 2) {
        return NAV_NONE;
    }
    uint32_t half = walks_forward(&raw->points[a], &raw->points[b]) ? steps / 2 : (steps + 1) / 2;
    uint32_t rest = raw->count - a;
    return half < rest ? a + half : half - rest;
}

static uint32_t next_kept(const nav_raw_contour *raw, uint32_t index)
{
    do {
        index = step(raw, index);
    } while (!raw->keep[index]);
    return index;
}

// Splits every edge between kept points as long as one of the two rules asks for it. A split edge
// is looked at again from its start, so the walk needs no stack: it advances only past edges that
// may stay by both rules. Both are asked of every part: a point halfway along an edge can lie just
// within the error on one side of it, and a point beside it just within on the other. The walk goes
// round exactly once, from a point that is kept before it begins.
static uint32_t split_edges(const nav_bake_job *job, nav_raw_contour *raw, uint32_t kept)
{
    const double error = (double)job->config->edge_max_error;
    uint32_t first = next_kept(raw, raw->count - 1);
    uint32_t at = first;
    uint32_t end = next_kept(raw, at);
    for (;;) {
        uint32_t split = split_for_error(raw, at, end, error * error);
        if (split == NAV_NONE) {
            split = split_for_length(job, raw, at, end);
        }
        if (split != NAV_NONE) {
            NAV_ASSERT(split < raw->count);
            NAV_ASSERT(!raw->keep[split]); // each split keeps one more, so the walk ends
            raw->keep[split] = 1;
            kept++;
            end = split;
            continue;
        }
        at = end;
        if (at == first) {
            return kept;
        }
        end = next_kept(raw, at);
    }
}

uint32_t nav_contour_simplify(const nav_bake_job *job, nav_raw_contour *raw)
{
    NAV_ASSERT(raw->count >= 4);
    uint32_t kept = keep_changes(raw);
    // The border of a region that encloses this one, or is enclosed by it, follows the cells like a
    // wall: a straight border would fold up to nothing.
    raw->follow_cells = kept == 0;
    raw->has_split = false;
    if (kept == 0) {
        kept = keep_extremes(raw);
    }
    NAV_ASSERT(kept >= 1);
    return split_edges(job, raw, kept);
}

uint32_t nav_contour_collect(const nav_raw_contour *raw, nav_contour_point *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < raw->count; i++) {
        if (!raw->keep[i]) {
            continue;
        }
        // The flag of the point is its own; what lies on the other side comes from the edge that
        // starts here, and that is noted at the next raw point.
        nav_contour_point point = raw->points[i];
        point.neighbour = (point.neighbour & NAV_CONTOUR_BORDER_VERTEX) |
                          (raw->points[step(raw, i)].neighbour &
                           (NAV_CONTOUR_REGION_MASK | NAV_CONTOUR_AREA_BORDER));
        // If two points coincide the edge between them is nothing; the later one stays.
        if (count > 0 &&
            nav_plan_equal(nav_contour_plan(&out[count - 1]), nav_contour_plan(&point))) {
            count--;
        }
        out[count++] = point;
    }
    while (count > 1 &&
           nav_plan_equal(nav_contour_plan(&out[count - 1]), nav_contour_plan(&out[0]))) {
        count--;
    }
    return count;
}
