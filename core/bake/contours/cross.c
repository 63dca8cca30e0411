// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// cross.c: finds edges of simplified contours that cross others of their region, or run along them.
//
// Simplification looks at one edge at a time. A straight border between two regions can cut off a
// corner of a wall, and two walls of a thin region can swap sides:
//
//      raw:  ____            simplified:   __
//           |    |__        the border  \ /    the wall
//           |__     '--                  X
//
// And both sides of a wall one cell thin can become one line, walked there and back, which leaves
// no wall. A wall of no width, between two floors that cannot be stepped between, is one line
// anyway.
//
// Edges that cross are to be split, in both regions beside them (simplify.c), and looked at again.
// They are looked up by square buckets of cells that they pass through, so that only edges near
// each other are compared.

#include "core/bake/contours/contours.h"

#include <stdlib.h>

#define BUCKET_SHIFT 4 // cells: 16 x 16

typedef struct edge {
    nav_plan from, to;
    uint32_t region;
} edge;

typedef struct bucket_grid {
    uint32_t width, depth; // buckets
    uint32_t *first;       // width * depth + 1
    uint32_t *edges;       // those of a bucket are edges[first[b]] .. edges[first[b + 1] - 1]
} bucket_grid;

// The buckets along which an edge runs, row by row.
typedef struct bucket_range {
    uint32_t z, z_last;
} bucket_range;

static bucket_range rows_of(const edge *e)
{
    int32_t low = e->from.z < e->to.z ? e->from.z : e->to.z;
    int32_t high = e->from.z < e->to.z ? e->to.z : e->from.z;
    return (bucket_range){(uint32_t)low >> BUCKET_SHIFT, (uint32_t)high >> BUCKET_SHIFT};
}

// The first and the last bucket of row z that the edge passes through.
static void buckets_of(const bucket_grid *grid, const edge *e, uint32_t z, size_t range[2])
{
    int64_t x[2];
    nav_plan_x_range(e->from, e->to, (int64_t)z << BUCKET_SHIFT, ((int64_t)z + 1) << BUCKET_SHIFT,
                     x);
    NAV_ASSERT(z < grid->depth);
    NAV_ASSERT(x[0] >= 0);
    NAV_ASSERT(x[1] >> BUCKET_SHIFT < grid->width);
    range[0] = (size_t)z * grid->width + (size_t)(x[0] >> BUCKET_SHIFT);
    range[1] = (size_t)z * grid->width + (size_t)(x[1] >> BUCKET_SHIFT);
}

static edge *list_edges(nav_arena *arena, const nav_contour *contours, uint32_t count,
                        uint32_t *edge_count)
{
    size_t total = 0;
    for (uint32_t i = 0; i < count; i++) {
        total += contours[i].point_count;
    }
    edge *edges = total < UINT32_MAX ? NAV_NEW(arena, edge, total) : NULL;
    *edge_count = 0;
    for (uint32_t i = 0; i < count && edges != NULL; i++) {
        const nav_contour *c = &contours[i];
        for (uint32_t k = 0, j = c->point_count - 1; k < c->point_count; j = k++) {
            edges[(*edge_count)++] =
                (edge){nav_contour_plan(&c->points[j]), nav_contour_plan(&c->points[k]), c->region};
        }
    }
    return edges;
}

// Counting sort of the edges into all buckets that they pass through.
static bool fill(nav_arena *arena, const edge *edges, uint32_t edge_count, bucket_grid *grid)
{
    size_t buckets = (size_t)grid->width * grid->depth;
    grid->first = NAV_NEW_ZERO(arena, uint32_t, buckets + 2);
    if (grid->first == NULL) {
        return false;
    }
    size_t total = 0;
    for (uint32_t i = 0; i < edge_count; i++) {
        bucket_range rows = rows_of(&edges[i]);
        for (uint32_t z = rows.z; z <= rows.z_last; z++) {
            size_t range[2];
            buckets_of(grid, &edges[i], z, range);
            for (size_t b = range[0]; b <= range[1]; b++) {
                grid->first[b + 2]++;
                total++;
            }
        }
    }
    grid->edges = total < UINT32_MAX ? NAV_NEW(arena, uint32_t, total) : NULL;
    if (grid->edges == NULL) {
        return false;
    }
    for (size_t b = 2; b < buckets + 2; b++) {
        grid->first[b] += grid->first[b - 1];
    }
    for (uint32_t i = 0; i < edge_count; i++) {
        bucket_range rows = rows_of(&edges[i]);
        for (uint32_t z = rows.z; z <= rows.z_last; z++) {
            size_t range[2];
            buckets_of(grid, &edges[i], z, range);
            for (size_t b = range[0]; b <= range[1]; b++) {
                grid->edges[grid->first[b + 1]++] = i;
            }
        }
    }
    NAV_ASSERT(grid->first[buckets] == total);
    return true;
}

static nav_contour_edge between(nav_plan a, nav_plan b)
{
    return nav_plan_comes_before(b, a) ? (nav_contour_edge){b, a} : (nav_contour_edge){a, b};
}

static int by_ends(const void *a, const void *b)
{
    const nav_contour_edge *e = a, *o = b;
    const bool same_low = nav_plan_equal(e->low, o->low);
    const nav_plan p = same_low ? e->high : e->low, q = same_low ? o->high : o->low;
    return nav_plan_comes_before(q, p) - nav_plan_comes_before(p, q);
}

bool nav_contour_split(nav_contour_splits *splits, uint32_t region, nav_plan a, nav_plan b)
{
    if (splits->count == splits->capacity) {
        if (splits->capacity > UINT32_MAX / 2) {
            return false;
        }
        const uint32_t capacity = splits->capacity == 0 ? 64 : 2 * splits->capacity;
        nav_contour_edge *edges = nav_arena_regrow(&splits->memory, splits->edges, splits->count,
                                                   capacity, sizeof *edges);
        if (edges == NULL) {
            return false;
        }
        splits->edges = edges;
        splits->capacity = capacity;
    }
    splits->edges[splits->count++] = between(a, b);
    splits->crossed[region] = true;
    return true;
}

void nav_contour_sort_splits(nav_contour_splits *splits)
{
    uint32_t kept = 0;
    if (splits->count > 0) {
        qsort(splits->edges, splits->count, sizeof *splits->edges, by_ends);
    }
    for (uint32_t i = 0; i < splits->count; i++) {
        if (kept == 0 || by_ends(&splits->edges[kept - 1], &splits->edges[i]) != 0) {
            splits->edges[kept++] = splits->edges[i];
        }
    }
    splits->count = splits->known = kept;
}

bool nav_contour_is_split(const nav_contour_splits *splits, nav_plan a, nav_plan b)
{
    const nav_contour_edge e = between(a, b);
    return splits->all || (splits->known > 0 &&
                           bsearch(&e, splits->edges, splits->known, sizeof e, by_ends) != NULL);
}

// Whether somewhere along the edge the region has no cell: there is a wall that has a width.
static bool leaves_region(const nav_field *field, const edge *e)
{
    const int64_t dx = (int64_t)e->to.x - e->from.x, dz = (int64_t)e->to.z - e->from.z;
    const int64_t steps = 2 * (llabs(dx) > llabs(dz) ? llabs(dx) : llabs(dz));
    bool here = true;
    for (int64_t i = 1; i < steps && here; i += 2) {
        const int64_t x = (e->from.x * steps + dx * i) / steps;
        const int64_t z = (e->from.z * steps + dz * i) / steps;
        const bool inside = x < field->width && z < field->depth; // not along the far border
        const uint32_t *first = &field->first[inside ? z * field->width + x : 0];
        here = false;
        for (uint32_t span = first[0]; inside && span < first[1] && !here; span++) {
            here = field->region[span] == e->region;
        }
    }
    return !here;
}

// Whether two edges run along each other, there and back.
static bool runs_along(const edge *e, const edge *o)
{
    const int64_t dx = (int64_t)e->to.x - e->from.x, dz = (int64_t)e->to.z - e->from.z;
    const int64_t end = (o->to.x - e->from.x) * dx + (o->to.z - e->from.z) * dz;
    const int64_t start = (o->from.x - e->from.x) * dx + (o->from.z - e->from.z) * dz;
    return nav_plan_turn(e->from, e->to, o->from) == 0 &&
           nav_plan_turn(e->from, e->to, o->to) == 0 && end < start && start > 0 &&
           end < dx * dx + dz * dz;
}

// Marks the edges of a bucket that cross another one of it; false where the bake was cancelled.
static bool mark_crossed(const nav_bake_job *job, const nav_field *field, const edge *edges,
                         const uint32_t *items, uint32_t count, bool *crossed)
{
    for (uint32_t i = 0; i < count; i++) {
        const edge *e = &edges[items[i]];
        for (uint32_t k = i + 1; k < count; k++) {
            const edge *o = &edges[items[k]];
            if (nav_cancel_poll(job->cancel, 1)) {
                return false;
            }
            if (o->region == e->region &&
                (nav_plan_segments_cross(e->from, e->to, o->from, o->to) ||
                 (runs_along(e, o) && leaves_region(field, e)))) {
                crossed[items[i]] = crossed[items[k]] = true;
            }
        }
    }
    return true;
}

static nav_status split_crossed(const nav_bake_job *job, const nav_field *field, const edge *edges,
                                uint32_t edge_count, const bucket_grid *grid,
                                nav_contour_splits *splits)
{
    bool *crossed = NAV_NEW_ZERO(job->scratch, bool, edge_count);
    if (crossed == NULL) {
        return NAV_NO_MEMORY;
    }
    for (uint32_t z = 0; z < grid->depth; z++) {
        if (nav_cancel_poll(job->cancel, NAV_STEP_ROW)) {
            return nav_bake_end(job);
        }
        for (uint32_t x = 0; x < grid->width; x++) {
            const uint32_t *first = &grid->first[(size_t)z * grid->width + x];
            if (!mark_crossed(job, field, edges, &grid->edges[first[0]], first[1] - first[0],
                              crossed)) {
                return nav_bake_end(job);
            }
        }
    }
    for (uint32_t i = 0; i < edge_count; i++) {
        if (crossed[i] && !nav_contour_split(splits, edges[i].region, edges[i].from, edges[i].to)) {
            return NAV_NO_MEMORY;
        }
    }
    return NAV_OK;
}

nav_status nav_contour_find_crossings(const nav_bake_job *job, const nav_field *field,
                                      const nav_contour *contours, uint32_t count,
                                      nav_contour_splits *splits)
{
    nav_arena_mark mark = nav_arena_save(job->scratch);
    bucket_grid grid = {.width = (field->width >> BUCKET_SHIFT) + 1,
                        .depth = (field->depth >> BUCKET_SHIFT) + 1};
    uint32_t edge_count;
    edge *edges = list_edges(job->scratch, contours, count, &edge_count);
    if (edges == NULL || !fill(job->scratch, edges, edge_count, &grid)) {
        return NAV_NO_MEMORY;
    }
    const nav_status status = split_crossed(job, field, edges, edge_count, &grid, splits);
    nav_arena_restore(job->scratch, mark);
    return status;
}
