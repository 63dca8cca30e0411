// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// voxelize.h: what the files of step 1 share: triangles cut into rows of cells (rows.c) leave
// touches, which are merged by column (merge.c). Private to core/.

#pragma once

#include "core/bake/stages.h"

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

// Numbers of merged spans as they come, in chunks. Each kind has an arena of its own, so that it
// can be given back before the next one is copied.
#define NAV_SPAN_CHUNK_BYTES 1024u

typedef struct nav_span_chunk {
    struct nav_span_chunk *next;
    uint8_t bytes[NAV_SPAN_CHUNK_BYTES];
} nav_span_chunk;

typedef struct nav_span_numbers {
    nav_arena arena;
    nav_span_chunk *oldest, *newest;
} nav_span_numbers;

typedef struct nav_span_list {
    nav_span_numbers min, max, area;
    uint32_t count;
} nav_span_list;

typedef struct nav_voxelizer {
    const nav_bake_job *job;
    nav_cell_scale scale;
    int32_t x_begin, x_end, z_begin, z_end; // of the grid, what is voxelized: nothing beside it
    int32_t band_begin, band_end;           // rows of the grid that are voxelized now
    uint8_t *faces;            // by number in the tile: the triangle's area, or NAV_FACE_NONE
    float *row_low, *row_high; // heights reached in the current row, by column from x_begin on
    nav_touches touches;       // of the band
} nav_voxelizer;

// A triangle that touches nothing.
#define NAV_FACE_NONE 0xffu
_Static_assert(NAV_FACE_NONE >= NAV_AREAS_MAX, "it is no area");

// Adds the touches of one triangle in the band's rows.
nav_status nav_voxelize_triangle(nav_voxelizer *v, const nav_corner corners[3], uint8_t area);

// Merges the touches of the columns begin .. end - 1 into spans, behind those of the columns before
// them. Their count in touches->columns becomes the number of their first span.
nav_status nav_voxelize_merge(const nav_bake_job *job, nav_touches *touches, size_t begin,
                              size_t end, nav_span_list *spans);
