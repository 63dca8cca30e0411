// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bake_voxelize.h: what the three files of step 1 share: triangles cut into rows of cells
// (bake_voxelize_rows.c) leave touches, which are merged by column (bake_voxelize_merge.c). Private
// to core/.

#pragma once

#include "bake.h"

// A triangle's corner in cells of the grid, so that a triangle is cut the same way in each of the
// tiles that it lies in; y in height cells.
typedef struct nav_corner {
    double x, z;
    float y;
} nav_corner;

// One triangle's touch of one column: cells [low, high).
typedef struct nav_touch {
    uint32_t older; // the column's touch before this one, by number + 1, or 0
    uint16_t low, high;
} nav_touch;

// Touches are kept in chunks that never move, and hang together by column:
//
//     columns[]   chunk 0            chunk 1
//        3  ---------------------->  [ 2 ] --.
//                 [ 1 ] <--------------------'   newest first
#define NAV_TOUCH_CHUNK_BITS 8u
#define NAV_TOUCH_CHUNK (1u << NAV_TOUCH_CHUNK_BITS)

typedef struct nav_touch_chunk {
    nav_touch touches[NAV_TOUCH_CHUNK];
    uint8_t areas[NAV_TOUCH_CHUNK];
} nav_touch_chunk;

typedef struct nav_touches {
    nav_arena chunk_arena, list_arena;
    nav_touch_chunk **chunks;
    uint32_t chunk_count, chunk_capacity;
    uint32_t count, room; // touches there are, and those that fit into the chunks
    uint32_t *columns;    // by column: its newest touch's number + 1, or 0
} nav_touches;

static inline nav_touch *nav_touch_at(const nav_touches *t, uint32_t number)
{
    return &t->chunks[number >> NAV_TOUCH_CHUNK_BITS]->touches[number & (NAV_TOUCH_CHUNK - 1)];
}

static inline uint8_t *nav_touch_area(const nav_touches *t, uint32_t number)
{
    return &t->chunks[number >> NAV_TOUCH_CHUNK_BITS]->areas[number & (NAV_TOUCH_CHUNK - 1)];
}

typedef struct nav_voxelizer {
    const nav_bake_job *job;
    int32_t x_begin, x_end, z_begin, z_end; // of the grid, what is voxelized: nothing beside it
    float *row_low, *row_high; // heights reached in the current row, by column from x_begin on
    nav_touches touches;
    size_t visited; // touches since it was last asked whether the bake is cancelled
} nav_voxelizer;

// Adds the touches of one triangle. `owned`: it counts in this tile's report.
nav_status nav_voxelize_triangle(nav_voxelizer *v, const nav_corner corners[3], uint8_t area,
                                 bool owned);

// Merges the touches of each column into spans, made in `result`. touches->columns, made there as
// well and with room for one more, becomes the spans' index.
nav_status nav_voxelize_merge(const nav_bake_job *job, nav_touches *touches, nav_arena *result,
                              nav_heightfield *out);
