// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bake_compact.c: step 3, solid spans -> the open field above them, with links between neighbours.
//
// From here on only places matter where an agent can stand. Two of them in neighbouring columns are
// linked where the agent fits through between them and the step is no higher than it can climb.

#include "bake.h"

#include <stdlib.h>

static uint32_t count_walkable(const nav_heightfield *solid)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < solid->span_count; ++i) {
        count += solid->span_area[i] != NAV_AREA_NONE;
    }
    return count;
}

static bool field_alloc(nav_arena *result, const nav_heightfield *solid, uint32_t spans,
                        nav_field *out)
{
    size_t columns = (size_t)solid->width * solid->depth;
    *out = (nav_field){.width = solid->width,
                       .depth = solid->depth,
                       .span_count = spans,
                       .first = NAV_NEW(result, uint32_t, columns + 1),
                       .floor = NAV_NEW(result, uint16_t, spans),
                       .headroom = NAV_NEW(result, uint16_t, spans),
                       .area = NAV_NEW(result, uint8_t, spans),
                       .neighbours = nav_arena_alloc(result, spans, sizeof(uint32_t[4]))};
    return out->first != NULL && out->floor != NULL && out->headroom != NULL && out->area != NULL &&
           out->neighbours != NULL;
}

static void copy_walkable(const nav_heightfield *solid, nav_field *out)
{
    size_t columns = (size_t)solid->width * solid->depth;
    uint32_t to = 0;
    for (size_t column = 0; column < columns; ++column) {
        out->first[column] = to;
        uint32_t end = solid->first[column + 1];
        for (uint32_t i = solid->first[column]; i < end; ++i) {
            if (solid->span_area[i] == NAV_AREA_NONE) {
                continue;
            }
            uint32_t floor = solid->span_max[i];
            uint32_t headroom = i + 1 < end ? solid->span_min[i + 1] - floor : UINT16_MAX;
            out->floor[to] = (uint16_t)floor;
            out->headroom[to] = (uint16_t)headroom;
            out->area[to] = solid->span_area[i];
            to++;
        }
    }
    out->first[columns] = to;
}

// The headroom needed between two places: less where one of them is a low passage already.
static int32_t height_between(const nav_bake_job *job, const nav_field *f, uint32_t i, uint32_t n)
{
    uint32_t height = job->height_min_cells;
    bool low = job->low_cells != 0 && (f->headroom[i] <= height || f->headroom[n] <= height);
    return (int32_t)(low ? job->low_cells : height);
}

// The lowest span of a neighbour column that span i can be left to, or NAV_NONE.
static uint32_t find_neighbour(const nav_bake_job *job, const nav_field *f, uint32_t i,
                               size_t column)
{
    int32_t climb = (int32_t)job->climb_cells;
    int32_t floor = f->floor[i];
    int32_t ceiling = floor + f->headroom[i];
    uint32_t end = f->first[column + 1];
    for (uint32_t n = f->first[column]; n < end; ++n) {
        int32_t other_floor = f->floor[n];
        int32_t other_ceiling = other_floor + f->headroom[n];
        int32_t low = floor > other_floor ? floor : other_floor;
        int32_t high = ceiling < other_ceiling ? ceiling : other_ceiling;
        if (high - low >= height_between(job, f, i, n) && abs(other_floor - floor) <= climb) {
            return n;
        }
    }
    return NAV_NONE;
}

static void link_row(const nav_bake_job *job, nav_field *f, int32_t z)
{
    int32_t width = (int32_t)f->width, depth = (int32_t)f->depth;
    for (int32_t x = 0; x < width; ++x) {
        size_t column = (size_t)z * f->width + (size_t)x;
        uint32_t end = f->first[column + 1];
        for (uint32_t i = f->first[column]; i < end; ++i) {
            for (int direction = 0; direction < 4; ++direction) {
                int32_t nx = x + NAV_DIRECTION_X[direction];
                int32_t nz = z + NAV_DIRECTION_Z[direction];
                bool inside = nx >= 0 && nz >= 0 && nx < width && nz < depth;
                f->neighbours[i][direction] =
                    inside ? find_neighbour(job, f, i, (size_t)nz * f->width + (size_t)nx)
                           : NAV_NONE;
            }
        }
    }
}

// Where an agent can climb half its height, two floors of one column may be linked to the same
// neighbour, which can be linked back to one of them only:
//
//      ----- i
//              \        i's link is dropped: later stages walk along
//                n       borders and rely on links that go both ways
//              /
//      ----- m
static void drop_one_way_links(nav_field *f)
{
    for (uint32_t i = 0; i < f->span_count; ++i) {
        for (int direction = 0; direction < 4; ++direction) {
            uint32_t n = f->neighbours[i][direction];
            if (n != NAV_NONE && f->neighbours[n][(direction + 2) & 3] != i) {
                f->neighbours[i][direction] = NAV_NONE;
            }
        }
    }
}

nav_status nav_bake_compact(const nav_bake_job *job, const nav_heightfield *solid,
                            nav_arena *result, nav_field *out)
{
    nav_field field;
    if (!field_alloc(result, solid, count_walkable(solid), &field)) {
        return NAV_NO_MEMORY;
    }
    copy_walkable(solid, &field);
    for (int32_t z = 0; z < (int32_t)field.depth; ++z) {
        if (nav_bake_cancelled(job)) {
            return nav_fail(job->err, NAV_CANCELLED, "cancelled");
        }
        link_row(job, &field, z);
    }
    drop_one_way_links(&field);
    *out = field;
    return NAV_OK;
}
