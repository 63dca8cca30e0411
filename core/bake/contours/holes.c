// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// holes.c: merges the holes of a region into its outline.
//
// The outline is a ring of linked corners. A hole is joined to it by a bridge between a corner o of
// the outline and a corner h of the hole, walked there and back, so both corners occur twice:
//
//      +-----------o          ... a, o, h, (around the hole), h', o', b ...
//      |          /|
//      |   +---h-' |          The bridge must leave o inside of the outline's corner and touch
//      |   |   |   |          neither the outline nor any hole that is not merged yet, its own
//      |   +---+   |          included.
//      +-----------+
//
// Holes are taken from left to right. To the left of the leftmost one there is only the outline, so
// from its leftmost corner some corner of the outline can be seen, unless simplification has made
// borders cross. A hole that fails is tried again when others have been merged.

#include "core/bake/contours/contours.h"
#include "core/base/heap.h"

// Corners this near are tried first.
#define NEAR_CELLS 32

typedef struct corner {
    nav_contour_point point;
    uint32_t previous, next;
} corner;

typedef struct hole_state {
    nav_contour *contour;
    nav_plan low, high; // bounds
    uint32_t leftmost;  // corner with the lowest x, then the lowest z
    bool merged;
} hole_state;

typedef struct merger {
    const nav_bake_job *job;
    corner *corners; // of the outline, growing with each merged hole; corner 0 is always in it
    uint32_t corner_count, corner_capacity;
    hole_state *holes;
    uint32_t hole_count;
    nav_heap candidates; // corners of the outline by distance; room for all corners
} merger;

static nav_plan corner_plan(const merger *m, uint32_t index)
{
    return nav_contour_plan(&m->corners[index].point);
}

// The edge c, d is in the way of a bridge from a to b. An edge that ends where the bridge ends is
// not, unless it runs along the bridge.
static bool blocks(nav_plan a, nav_plan b, nav_plan c, nav_plan d)
{
    bool c_at_end = nav_plan_equal(c, a) || nav_plan_equal(c, b);
    bool d_at_end = nav_plan_equal(d, a) || nav_plan_equal(d, b);
    if (c_at_end || d_at_end) {
        nav_plan end = c_at_end ? c : d;
        nav_plan far_end = c_at_end ? d : c;
        nav_plan bridge_far = nav_plan_equal(end, a) ? b : a;
        return !nav_plan_equal(far_end, end) &&
               (nav_plan_between(a, b, far_end) || nav_plan_between(c, d, bridge_far));
    }
    return nav_plan_segments_touch(a, b, c, d);
}

// All corners are in the ring, hence in order of memory, which is faster than along the links.
static bool outline_blocks(const merger *m, nav_plan a, nav_plan b)
{
    for (uint32_t i = 0; i < m->corner_count; i++) {
        nav_plan from = corner_plan(m, i), to = corner_plan(m, m->corners[i].next);
        if (!nav_plan_segments_apart(a, b, from, to) && blocks(a, b, from, to)) {
            return true;
        }
    }
    return false;
}

static bool hole_blocks(const hole_state *hole, nav_plan a, nav_plan b)
{
    if (nav_plan_segments_apart(a, b, hole->low, hole->high)) {
        return false;
    }
    const nav_contour *contour = hole->contour;
    for (uint32_t i = 0, j = contour->point_count - 1; i < contour->point_count; j = i++) {
        if (blocks(a, b, nav_contour_plan(&contour->points[j]),
                   nav_contour_plan(&contour->points[i]))) {
            return true;
        }
    }
    return false;
}

static bool bridge_is_free(const merger *m, nav_plan a, nav_plan b)
{
    for (uint32_t i = 0; i < m->hole_count; i++) {
        if (!m->holes[i].merged && hole_blocks(&m->holes[i], a, b)) {
            return false;
        }
    }
    return !outline_blocks(m, a, b);
}

// The nearest corner of the outline, at most so far away, that a free bridge leads to from this
// point, or NAV_NONE, also where the bake was cancelled. A bridge into the inside of the point's
// own hole would cross the hole's border, so blocks() finds it too.
static uint32_t find_bridge_within(merger *m, nav_plan from, int64_t distance_squared_max)
{
    m->candidates.count = 0;
    for (uint32_t i = 0; i < m->corner_count; i++) {
        nav_plan at = corner_plan(m, i);
        int64_t distance_squared = nav_plan_distance_squared(at, from);
        if (distance_squared <= distance_squared_max &&
            nav_plan_in_cone(corner_plan(m, m->corners[i].previous), at,
                             corner_plan(m, m->corners[i].next), from)) {
            m->candidates.items[m->candidates.count++] =
                (nav_heap_item){.key = distance_squared, .id = i};
        }
    }
    nav_heap_build(&m->candidates);
    while (m->candidates.count > 0 &&
           !nav_cancel_poll(m->job->cancel, m->corner_count + m->hole_count)) {
        uint32_t candidate = nav_heap_pop(&m->candidates).id;
        NAV_DCHECK(candidate < m->corner_count);
        if (bridge_is_free(m, corner_plan(m, candidate), from)) {
            return candidate;
        }
    }
    return NAV_NONE;
}

// The nearest of all. Most bridges are short: looking close by first spares the rest.
static uint32_t find_bridge(merger *m, nav_plan from)
{
    if (nav_cancel_poll(m->job->cancel, m->corner_count)) {
        return NAV_NONE;
    }
    uint32_t at = find_bridge_within(m, from, NEAR_CELLS * NEAR_CELLS);
    return at != NAV_NONE ? at : find_bridge_within(m, from, INT64_MAX);
}

static uint32_t add_corner(merger *m, nav_contour_point point, uint32_t previous)
{
    NAV_ASSERT(m->corner_count < m->corner_capacity);
    uint32_t index = m->corner_count++;
    m->corners[index] = (corner){.point = point, .previous = previous};
    m->corners[previous].next = index;
    return index;
}

// Splices the hole into the ring at the outline's corner `at`, starting at the hole's corner
// `start`. Both edges of the bridge have the region itself on the other side.
static void splice(merger *m, const nav_contour *contour, uint32_t at, uint32_t start)
{
    NAV_ASSERT(at < m->corner_count);
    NAV_ASSERT(start < contour->point_count);
    uint32_t after = m->corners[at].next;
    NAV_ASSERT(m->corners[after].previous == at);
    nav_contour_point again = m->corners[at].point;
    uint32_t keep = NAV_CONTOUR_BORDER_VERTEX;
    m->corners[at].point.neighbour = (again.neighbour & keep) | contour->region;
    uint32_t last = at;
    for (uint32_t i = 0; i < contour->point_count; i++) {
        last = add_corner(m, contour->points[(start + i) % contour->point_count], last);
    }
    nav_contour_point back = contour->points[start];
    back.neighbour = (back.neighbour & keep) | contour->region;
    last = add_corner(m, back, last);
    last = add_corner(m, again, last);
    m->corners[last].next = after;
    m->corners[after].previous = last;
}

// Tries the corners of the hole from its leftmost one on.
static bool merge_one(merger *m, hole_state *hole)
{
    const nav_contour *contour = hole->contour;
    for (uint32_t i = 0; i < contour->point_count && !nav_cancel_is_set(m->job->cancel); i++) {
        uint32_t start = (hole->leftmost + i) % contour->point_count;
        uint32_t at = find_bridge(m, nav_contour_plan(&contour->points[start]));
        if (at != NAV_NONE) {
            splice(m, contour, at, start);
            hole->merged = true;
            return true;
        }
    }
    return false;
}

static void measure(hole_state *hole, nav_contour *contour)
{
    nav_plan first = nav_contour_plan(&contour->points[0]);
    *hole = (hole_state){.contour = contour, .low = first, .high = first};
    nav_plan left = first;
    for (uint32_t i = 1; i < contour->point_count; i++) {
        nav_plan p = nav_contour_plan(&contour->points[i]);
        nav_plan_widen(&hole->low, &hole->high, p);
        if (nav_plan_comes_before(p, left)) {
            left = p;
            hole->leftmost = i;
        }
    }
}

// The order of the holes: by their leftmost corner, as items of a heap that is popped empty.
static void sort_holes(const merger *m, nav_contour *contours, nav_heap *order)
{
    for (uint32_t i = 0; i < m->hole_count; i++) {
        hole_state measured;
        measure(&measured, &contours[i]);
        nav_plan left = nav_contour_plan(&contours[i].points[measured.leftmost]);
        int64_t key = (int64_t)left.x * ((int64_t)1 << 32) + left.z;
        order->items[order->count++] = (nav_heap_item){.key = key, .id = i};
    }
    nav_heap_build(order);
    for (uint32_t i = 0; i < m->hole_count; i++) {
        measure(&m->holes[i], &contours[nav_heap_pop(order).id]);
    }
}

// Merges the holes from left to right, and those that failed again as long as that helps.
static nav_status merge_in_order(merger *m)
{
    const nav_bake_job *job = m->job;
    for (bool helped = true; helped;) {
        helped = false;
        bool failed = false;
        for (uint32_t i = 0; i < m->hole_count && !nav_cancel_is_set(m->job->cancel); i++) {
            if (m->holes[i].merged) {
                continue;
            }
            if (merge_one(m, &m->holes[i])) {
                helped = true;
            } else {
                failed = true;
            }
        }
        helped = helped && failed;
    }
    if (nav_cancel_is_set(m->job->cancel)) {
        return nav_bake_end(job);
    }
    for (uint32_t i = 0; i < m->hole_count; i++) {
        if (!m->holes[i].merged) {
            const nav_contour *contour = m->holes[i].contour;
            const nav_contour_point *at = &contour->points[m->holes[i].leftmost];
            const double cell_size = (double)job->grid->cell_size;
            double area = -(double)nav_contour_area_doubled(contour->points, contour->point_count) /
                          2 * cell_size * cell_size;
            nav_bake_warn_value(job, NAV_WARN_HOLE_NOT_MERGED, (float)at->x, (float)at->y,
                                (float)at->z, (float)area);
        }
    }
    return NAV_OK;
}

nav_status nav_contour_merge_holes(const nav_bake_job *job, nav_contour *outline,
                                   nav_contour *holes, uint32_t hole_count)
{
    // Each bridge doubles one corner of the outline and one of the hole.
    size_t capacity = outline->point_count;
    NAV_ASSERT(outline->point_count >= 3);
    for (uint32_t i = 0; i < hole_count; i++) {
        NAV_ASSERT(holes[i].point_count >= 3);
        NAV_ASSERT(holes[i].region == outline->region);
        capacity += (size_t)holes[i].point_count + 2;
    }
    nav_arena *scratch = job->scratch;
    nav_contour_point *points = NAV_NEW(scratch, nav_contour_point, capacity);
    nav_arena_mark mark = nav_arena_save(scratch);
    merger m = {.job = job,
                .corners = NAV_NEW(scratch, corner, capacity),
                .holes = NAV_NEW(scratch, hole_state, hole_count),
                .hole_count = hole_count,
                .candidates = {.items = NAV_NEW(scratch, nav_heap_item, capacity)}};
    if (capacity >= NAV_NONE || points == NULL || m.corners == NULL || m.holes == NULL ||
        m.candidates.items == NULL) {
        return NAV_NO_MEMORY;
    }
    m.corner_count = outline->point_count;
    m.corner_capacity = (uint32_t)capacity;
    for (uint32_t i = 0; i < m.corner_count; i++) {
        m.corners[i] = (corner){.point = outline->points[i],
                                .previous = i == 0 ? m.corner_count - 1 : i - 1,
                                .next = i + 1 == m.corner_count ? 0 : i + 1};
    }
    sort_holes(&m, holes, &m.candidates);
    nav_status status = merge_in_order(&m);
    if (status != NAV_OK) {
        return status;
    }
    uint32_t at = 0;
    for (uint32_t i = 0; i < m.corner_count; i++) {
        points[i] = m.corners[at].point;
        at = m.corners[at].next;
    }
    NAV_ASSERT(at == 0); // one ring of all corners
    outline->points = points;
    outline->point_count = m.corner_count;
    nav_arena_restore(scratch, mark);
    return NAV_OK;
}

// Counting sort of the holes by region: those of region r end up at first[r] .. first[r + 1]. first
// has room for two more than there are regions, and is cleared.
static void sort_by_region(const nav_contour_set *set, const bool *is_hole, size_t regions,
                           uint32_t *first, nav_contour *holes)
{
    for (uint32_t i = 0; i < set->count; i++) {
        first[set->contours[i].region + 2] += is_hole[i];
    }
    for (size_t r = 2; r < regions + 2; r++) {
        first[r] += first[r - 1];
    }
    for (uint32_t i = 0; i < set->count; i++) {
        if (is_hole[i]) {
            holes[first[set->contours[i].region + 1]++] = set->contours[i];
        }
    }
}

nav_status nav_contours_merge_holes(const nav_bake_job *job, uint32_t region_count,
                                    const bool *is_hole, nav_contour_set *set)
{
    size_t regions = (size_t)region_count + 1;
    uint32_t *first = NAV_NEW_ZERO(job->scratch, uint32_t, regions + 2);
    nav_contour *holes = NAV_NEW(job->scratch, nav_contour, set->count);
    bool *has_outline = NAV_NEW_ZERO(job->scratch, bool, regions);
    if (first == NULL || holes == NULL || has_outline == NULL) {
        return NAV_NO_MEMORY;
    }
    sort_by_region(set, is_hole, regions, first, holes);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        if (is_hole[i]) {
            continue;
        }
        nav_contour *outline = &set->contours[kept++];
        *outline = set->contours[i];
        uint32_t begin = first[outline->region];
        uint32_t count = first[outline->region + 1] - begin;
        bool is_second = has_outline[outline->region];
        has_outline[outline->region] = true;
        if (count == 0 || is_second) {
            continue;
        }
        nav_status status = nav_contour_merge_holes(job, outline, holes + begin, count);
        if (status != NAV_OK) {
            return status;
        }
    }
    set->count = kept;
    return NAV_OK;
}
