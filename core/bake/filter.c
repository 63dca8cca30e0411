// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// filter.c: step 2, takes the walkable mark from spans where nobody can stand.
//
// Three filters in one sweep over the columns. Low-hanging obstacles go first, since they give
// marks; the other two only take them and read nothing but solid shapes, so that their order is
// free.
//
// nav_filter_notes runs the same sweep over one column and reports why.

#include "core/bake/explain/explain.h"

// Higher than any span, and so that differences stay within an int32_t.
#define OPEN_SKY (1 << 20)

// In columns of more spans it pays to remember how far the neighbours have been looked at.
#define TOWER_SPANS 8

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

// A ledge: beside it the ground falls away by more than `climb`, or rises and falls by more than
// that among the neighbours that can be stepped to, which means a slope too steep to stand on. The
// free spaces of a neighbour column count that the agent fits through from here:
//
//      here   beside       ceiling
//        |     ---- .......
//        |          <- more than `height`
//      -----   .... floor, the higher of the two
//              ----
//
// at, if not NULL: by direction where to begin in the neighbour column, for floors that rise from
// call to call. A span that ends below one floor has nothing to say about those above it.
// note, if not NULL: receives by how much.
static inline bool is_ledge(const nav_heightfield *solid, size_t column, int32_t floor,
                            int32_t ceiling, int32_t height, int32_t climb, uint32_t *at,
                            nav_filter_note *note)
{
    const size_t beside[4] = {column - 1, column + solid->width, column + 1, column - solid->width};
    int32_t lowest = floor, highest = floor;
    for (int direction = 0; direction < 4; ++direction) {
        uint32_t begin = solid->first[beside[direction]], end = solid->first[beside[direction] + 1];
        // Below the lowest span there is no ground at all.
        int32_t open_to = begin < end ? solid->span_min[begin] : OPEN_SKY;
        open_to = open_to < ceiling ? open_to : ceiling;
        if (open_to - floor > height) {
            if (note != NULL) {
                note->no_ground_beside = true;
            }
            return true;
        }
        uint32_t i = begin;
        if (at != NULL) {
            for (i += at[direction]; i < end && ceiling_of(solid, i, end) <= floor; ++i) {
            }
            at[direction] = i - begin;
        }
        for (; i < end && solid->span_max[i] <= floor + climb; ++i) {
            int32_t other = solid->span_max[i];
            int32_t low = other > floor ? other : floor;
            int32_t high = ceiling_of(solid, i, end);
            high = high < ceiling ? high : ceiling;
            if (high - low <= height) {
                continue;
            }
            if (other - floor < -climb) {
                if (note != NULL) {
                    note->drop_cells = floor - other;
                }
                return true;
            }
            lowest = other < lowest ? other : lowest;
            highest = other > highest ? other : highest;
        }
    }
    if (note != NULL && highest - lowest > climb) {
        note->spread_cells = highest - lowest;
    }
    return highest - lowest > climb;
}

// The area of a span that is too low to stand in. With low_height_single one stays only right
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

// Does the level end beside a column?
static inline bool is_at_rim(const nav_heightfield *solid, uint32_t x, uint32_t z)
{
    return z == 0 || z == solid->depth - 1 || x == 0 || x == solid->width - 1;
}

// at_rim: the level ends beside the column, which is as if it was empty there. notes: by span of
// the column, zeroed, receives why; or NULL.
static inline void filter_column(const nav_bake_job *job, nav_heightfield *solid, size_t column,
                                 bool at_rim, nav_filter_note *notes)
{
    uint32_t begin = solid->first[column], end = solid->first[column + 1];
    if (begin == end) {
        return;
    }
    const nav_config *config = job->config;
    int32_t climb = (int32_t)job->climb_cells;
    int32_t height = (int32_t)job->height_min_cells;
    if (config->filter_low_hanging && end - begin > 1) {
        mark_low_hanging(solid, begin, end, climb);
    }
    for (uint32_t i = begin; notes != NULL && i < end; ++i) {
        notes[i - begin].marked_area = solid->span_area[i];
    }
    uint32_t at[4] = {0};
    bool is_tower = end - begin > TOWER_SPANS;
    for (uint32_t i = begin; i < end; ++i) {
        if (solid->span_area[i] == NAV_AREA_NONE) {
            continue;
        }
        int32_t floor = solid->span_max[i];
        int32_t ceiling = ceiling_of(solid, i, end);
        bool low = config->filter_low_height && ceiling - floor <= height;
        nav_filter_note *note = notes != NULL ? &notes[i - begin] : NULL;
        if (low) {
            solid->span_area[i] = low_area(job, solid, i, end);
        }
        int32_t headroom = low ? (int32_t)job->low_cells : height;
        if (note != NULL) {
            note->is_low = low;
            note->low_area = solid->span_area[i];
            note->no_ground_beside = at_rim && ceiling - floor > headroom;
        }
        if (config->filter_ledges && solid->span_area[i] != NAV_AREA_NONE &&
            (at_rim ? ceiling - floor > headroom
                    : is_ledge(solid, column, floor, ceiling, headroom, climb, is_tower ? at : NULL,
                               note))) {
            solid->span_area[i] = NAV_AREA_NONE;
            if (note != NULL) {
                note->is_ledge = true;
            }
        }
    }
}

nav_status nav_bake_filter(const nav_bake_job *job, nav_heightfield *solid)
{
    NAV_ASSERT(solid->span_count == solid->first[(size_t)solid->width * solid->depth]);
    NAV_ASSERT(solid->width == job->width_cells);
    NAV_ASSERT(solid->depth == job->depth_cells);
    for (uint32_t z = 0; z < solid->depth; ++z) {
        if (nav_cancel_poll(job->cancel, NAV_STEP_ROW)) {
            return nav_bake_end(job);
        }
        for (uint32_t x = 0; x < solid->width; ++x) {
            filter_column(job, solid, (size_t)z * solid->width + x, is_at_rim(solid, x, z), NULL);
        }
    }
    return NAV_OK;
}

void nav_filter_notes(const nav_bake_job *job, nav_heightfield *solid, uint32_t x, uint32_t z,
                      nav_filter_note *notes)
{
    const size_t column = (size_t)z * solid->width + x;
    const uint32_t begin = solid->first[column], count = solid->first[column + 1] - begin;
    for (uint32_t i = 0; i < count; ++i) {
        notes[i] = (nav_filter_note){.area = solid->span_area[begin + i]};
    }
    filter_column(job, solid, column, is_at_rim(solid, x, z), notes);
    for (uint32_t i = 0; i < count; ++i) {
        solid->span_area[begin + i] = notes[i].area;
    }
}
