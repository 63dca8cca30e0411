// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// voxelize.h: what the files of step 1 share: triangles that face somewhere (faces.c) cut into rows
// of cells (rows.c) leave touches, which are merged by column (merge.c), for all agents at once
// (share.c). Private to core/.

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
    uint8_t faces[NAV_TOUCH_CHUNK];
} nav_touch_chunk;

typedef struct nav_touches {
    nav_arena chunk_arena, list_arena;
    nav_touch_chunk **chunks;
    uint32_t chunk_count, chunk_capacity;
    uint32_t count, capacity; // touches there are, and those that fit into the chunks
    uint32_t *columns;        // by column: its newest touch's number + 1, or 0
} nav_touches;

static inline nav_touch *nav_touch_at(const nav_touches *t, uint32_t number)
{
    return &t->chunks[number >> NAV_TOUCH_CHUNK_BITS]->touches[number & (NAV_TOUCH_CHUNK - 1)];
}

static inline uint8_t *nav_touch_face(const nav_touches *t, uint32_t number)
{
    return &t->chunks[number >> NAV_TOUCH_CHUNK_BITS]->faces[number & (NAV_TOUCH_CHUNK - 1)];
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

// Spans as several agents see them: they have the same shapes, and each agent's own areas.
typedef struct nav_span_list {
    nav_span_numbers min, max, areas[NAV_ALL_AGENTS];
    uint32_t count;
} nav_span_list;

// How triangles face. Whether one can be walked on is up to the agent's max_slope, so that a face
// is a number from which each agent's area follows:
//
//     face = area + stride * (how many of the limits it is too steep for)
//
// 0 is one that nobody can walk on. A face is an area where all have the same limit.
typedef struct nav_faces {
    uint32_t stride, limit_count;
    float cosine_min[NAV_ALL_AGENTS];   // by limit, from that of the flattest ground on: falling
    uint8_t limits[NAV_ALL_AGENTS];     // by agent: which limit is its
    uint8_t areas[NAV_ALL_AGENTS][256]; // by agent and face
} nav_faces;

// The triangles that reach into the tile: `count` of the list, or the first ones where it is NULL.
typedef struct nav_triangle_range {
    const uint32_t *list;
    uint32_t count;
} nav_triangle_range;

static inline nav_triangle_range nav_triangles_of(const nav_bake_job *job)
{
    const nav_tile_index *index = job->index;
    if (index == NULL) {
        return (nav_triangle_range){NULL, job->geometry->triangle_count};
    }
    const uint32_t *first = index->first + (job->tile_z * job->grid->tiles_x + job->tile_x);
    return (nav_triangle_range){index->triangles + first[0], first[1] - first[0]};
}

// Cells of the grid that a job's field has in plan view.
typedef struct nav_field_range {
    int32_t x_begin, x_end, z_begin, z_end;
} nav_field_range;

// The padding of the outermost tiles lies beside the grid and stays empty, as there is nothing
// beside a world of one tile.
static inline nav_field_range nav_field_range_of(const nav_bake_job *job)
{
    int32_t x_end = job->first_x_cells + (int32_t)job->width_cells;
    int32_t z_end = job->first_z_cells + (int32_t)job->depth_cells;
    int32_t grid_width = (int32_t)job->grid->width_cells;
    int32_t grid_depth = (int32_t)job->grid->depth_cells;
    return (nav_field_range){.x_begin = job->first_x_cells > 0 ? job->first_x_cells : 0,
                             .x_end = x_end < grid_width ? x_end : grid_width,
                             .z_begin = job->first_z_cells > 0 ? job->first_z_cells : 0,
                             .z_end = z_end < grid_depth ? z_end : grid_depth};
}

typedef struct nav_voxelizer {
    const nav_bake_job *job;    // one of those below, with the widest padding
    const nav_bake_job *agents; // that share the result
    uint32_t agent_count;
    nav_faces slopes;
    nav_cell_scale scale;
    nav_field_range range;        // what is voxelized: nothing beside the grid
    int32_t band_begin, band_end; // rows of the grid that are voxelized now
    uint8_t *faces;               // by number in the tile: how the triangle faces, or NAV_FACE_NONE
    float *row_low, *row_high;    // heights reached in the current row, by column from x_begin on
    nav_touches touches;          // of the band
} nav_voxelizer;

// A triangle that touches nothing.
#define NAV_FACE_NONE 0xffu
_Static_assert(NAV_FACE_NONE >= NAV_AREAS_MAX, "it is no area");

// faces.c: the limits of so many jobs, which nav_faces_fit has let pass.
void nav_faces_init(nav_faces *faces, const nav_bake_job *jobs, uint32_t count);
// How many of the jobs, from the first on, have faces that can be distinguished. At least 1.
uint32_t nav_faces_fit(const nav_bake_job *jobs, uint32_t count);
// Inspects a triangle for the first time: how it faces, and whether it counts and is worth a
// warning. NAV_FACE_NONE for one without surface, or out of reach.
uint8_t nav_face_of(const nav_voxelizer *v, uint32_t number, const nav_corner corners[3]);

// Finds how a triangle faces: the cosine of its slope, negative where it faces down. Returns false
// for a triangle without surface. sliver: its longest edge if it is one.
bool nav_face_slope(const nav_geometry *g, uint32_t number, double *upward, float *sliver);
// The degrees of such a cosine, 0 to 180.
double nav_face_degrees(double upward);

// A triangle's corner in cells of the grid.
nav_corner nav_voxelize_corner(const nav_voxelizer *v, uint32_t vertex);
// Adds the touches of one triangle in the band's rows.
nav_status nav_voxelize_triangle(nav_voxelizer *v, const nav_corner corners[3], uint8_t face);

// Merges the touches of the columns begin .. end - 1 into spans, behind those of the columns before
// them. Their count in touches->columns becomes the number of their first span.
nav_status nav_voxelize_merge(nav_voxelizer *v, size_t begin, size_t end, nav_span_list *spans);

// The solid voxels of a tile as several agents see them.
typedef struct nav_solids {
    nav_heightfield shape; // without areas
    uint8_t *areas[NAV_ALL_AGENTS];
} nav_solids;

// voxelize.c: voxelizes for all of these jobs, which are of the same tile; *out has the widest
// padding among them.
nav_status nav_voxelize_for(const nav_bake_job *jobs, uint32_t count, nav_arena *result,
                            nav_solids *out);
