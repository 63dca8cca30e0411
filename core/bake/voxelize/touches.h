// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// touches.h: how rows.c puts a touch to those of its column. What is
// done for each touch is inlined there. Private to core/.

#pragma once

#include "core/bake/voxelize/voxelize.h"

// The solid cells between two heights. Heights are not negative up to rounding, so that cutting off
// the fraction is the floor.
static inline nav_touch nav_touch_between(float low, float high)
{
    const float top = NAV_HEIGHT_CELLS_MAX;
    low = low > 0 ? low : 0;
    low = low < top ? low : top;
    high = high < top ? high : top;
    int32_t low_cells = (int32_t)low;
    int32_t high_cells = (int32_t)high;
    high_cells += (float)high_cells < high;
    high_cells = high_cells > low_cells ? high_cells : low_cells + 1;
    return (nav_touch){0, (uint16_t)low_cells, (uint16_t)high_cells};
}

// touches.c: makes room where chunks are full. Errors: NAV_NO_MEMORY,
// NAV_TILE_TOO_COMPLEX.
nav_status nav_touches_add_chunks(nav_voxelizer *v, uint32_t count);

// Makes room for `count` more touches.
static inline nav_status nav_touches_reserve(nav_voxelizer *v, uint32_t count)
{
    return v->touches.room - v->touches.count >= count ? NAV_OK : nav_touches_add_chunks(v, count);
}

// Adds a touch, or widens the column's newest one where both are of one area and meet: a wall of
// many triangles touches a column many times. What touches of one area are together does not depend
// on which of them are put together here.
static inline void nav_touches_add(nav_voxelizer *v, uint32_t column, float low, float high,
                                   uint8_t area)
{
    nav_touches *list = &v->touches;
    nav_touch t = nav_touch_between(low, high);
    t.older = list->columns[column];
    if (t.older > 0 && *nav_touch_area(list, t.older - 1) == area) {
        nav_touch *other = nav_touch_at(list, t.older - 1);
        if (t.low <= other->high && other->low <= t.high) {
            other->low = t.low < other->low ? t.low : other->low;
            other->high = t.high > other->high ? t.high : other->high;
            return;
        }
    }
    *nav_touch_at(list, list->count) = t;
    *nav_touch_area(list, list->count) = area;
    list->columns[column] = ++list->count;
}
