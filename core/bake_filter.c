// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bake_filter.c: step 2, takes the walkable mark from spans where nobody can stand.
//
// Three filters in one sweep over the columns. Low-hanging obstacles go first, since they give
// marks; the other two only take them and read nothing but solid shapes, so that their order is
// free.

#include "bake.h"

#include <stdlib.h>

// Higher than any span, and so that differences stay within an int32_t.
#define OPEN_SKY (1 << 20)

// The lowest free height above span i of a column that ends before `end`.
static int32_t ceiling_of(const nav_heightfield *solid, uint32_t i, uint32_t end)
{
    return i + 1 < end ? solid->span_min[i + 1] : OPEN_SKY;
}

// A curb or step: an obstacle within `climb` above something walkable can be stepped on.
static void mark_low_hanging(nav_heightfield *solid, uint32_t begin, uint32_t end, int32_t climb)
{
    bool below_walkable = false;
    uint8_t below_area = NAV_AREA_NONE;
    for (uint32_t i = begin; i < end; ++i) {
        bool walkable = solid->span_area[i] != NAV_AREA_NONE;
        if (!walkable && below_walkable && solid->span_max[i] - solid->span_max[i - 1] <= climb) {
            solid->span_area[i] = below_area;
        }
        below_walkable = walkable;
        below_area = solid->span_area[i];
    }
}

// What the neighbourhood of a standing place looks like.
typedef struct surroundings {
    int32_t floor, ceiling;  // of the place itself
    int32_t drop;            // to the lowest neighbour, negative downwards
    int32_t lowest, highest; // of the neighbours that can be stepped to
} surroundings;

// Takes in the free space [floor, ceiling) of a neighbour column, if the agent fits through.
static void look_at(surroundings *s, int32_t floor, int32_t ceiling, int32_t height, int32_t climb,
                    bool real)
{
    int32_t low = floor > s->floor ? floor : s->floor;
    int32_t high = ceiling < s->ceiling ? ceiling : s->ceiling;
    if (high - low <= height) {
        return;
    }
    int32_t step = floor - s->floor;
    s->drop = step < s->drop ? step : s->drop;
    if (real && abs(step) <= climb) {
        s->lowest = floor < s->lowest ? floor : s->lowest;
        s->highest = floor > s->highest ? floor : s->highest;
    }
}

// A ledge: beside it the ground falls away by more than `climb`, or rises and falls by more than
// that among the neighbours, which means a slope too steep to stand on.
static bool is_ledge(const nav_heightfield *solid, int32_t x, int32_t z, int32_t floor,
                     int32_t ceiling, int32_t height, int32_t climb)
{
    surroundings s = {
        .floor = floor, .ceiling = ceiling, .drop = OPEN_SKY, .lowest = floor, .highest = floor};
    for (int direction = 0; direction < 4; ++direction) {
        int32_t nx = x + NAV_DIRECTION_X[direction];
        int32_t nz = z + NAV_DIRECTION_Z[direction];
        if (nx < 0 || nz < 0 || nx >= (int32_t)solid->width || nz >= (int32_t)solid->depth) {
            return true; // the level ends here
        }
        size_t column = (size_t)nz * solid->width + (size_t)nx;
        uint32_t begin = solid->first[column], end = solid->first[column + 1];
        // The space below the lowest span is open down to where nobody could climb back.
        int32_t lowest_ceiling = begin < end ? solid->span_min[begin] : OPEN_SKY;
        look_at(&s, -climb, lowest_ceiling, height, climb, false);
        for (uint32_t i = begin; i < end; ++i) {
            look_at(&s, solid->span_max[i], ceiling_of(solid, i, end), height, climb, true);
        }
        if (s.drop < -climb) {
            return true;
        }
    }
    return s.highest - s.lowest > climb;
}

// What becomes of a place that is too low to stand in. With low_height_single one stays only right
// under a floor on which an agent can stand, whether or not that is a ledge: spans above i still
// have their marks from before these filters.
static uint8_t low_area(const nav_bake_job *job, const nav_heightfield *solid, uint32_t i,
                        uint32_t end)
{
    bool stand_above =
        i + 1 < end && solid->span_area[i + 1] != NAV_AREA_NONE &&
        ceiling_of(solid, i + 1, end) - solid->span_max[i + 1] > (int32_t)job->height_min_cells;
    if (job->config->low_height_single && !stand_above) {
        return NAV_AREA_NONE;
    }
    return nav_bake_low_area(job, (uint32_t)(ceiling_of(solid, i, end) - solid->span_max[i]));
}

static void filter_column(const nav_bake_job *job, nav_heightfield *solid, int32_t x, int32_t z)
{
    const nav_config *config = job->config;
    int32_t climb = (int32_t)job->climb_cells;
    int32_t height = (int32_t)job->height_min_cells;
    size_t column = (size_t)z * solid->width + (size_t)x;
    uint32_t begin = solid->first[column], end = solid->first[column + 1];
    if (config->filter_low_hanging && end - begin > 1) {
        mark_low_hanging(solid, begin, end, climb);
    }
    for (uint32_t i = begin; i < end; ++i) {
        if (solid->span_area[i] == NAV_AREA_NONE) {
            continue;
        }
        int32_t floor = solid->span_max[i];
        int32_t ceiling = ceiling_of(solid, i, end);
        bool low = config->filter_low_height && ceiling - floor <= height;
        if (low) {
            solid->span_area[i] = low_area(job, solid, i, end);
        }
        int32_t room = low ? (int32_t)job->low_cells : height;
        if (config->filter_ledges && solid->span_area[i] != NAV_AREA_NONE &&
            is_ledge(solid, x, z, floor, ceiling, room, climb)) {
            solid->span_area[i] = NAV_AREA_NONE;
        }
    }
}

nav_status nav_bake_filter(const nav_bake_job *job, nav_heightfield *solid)
{
    for (int32_t z = 0; z < (int32_t)solid->depth; ++z) {
        if (nav_bake_cancelled(job)) {
            return nav_fail(job->err, NAV_CANCELLED, "cancelled");
        }
        for (int32_t x = 0; x < (int32_t)solid->width; ++x) {
            filter_column(job, solid, x, z);
        }
    }
    return NAV_OK;
}
