// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// job.h: what all stages of one tile's bake know: settings in cells, where the tile lies, how to
// warn and how to end. Private to core/.

#pragma once

#include "core/base/cancel.h"

// Voxels that several agents share (voxelize/share.c).
typedef struct nav_shared_voxels nav_shared_voxels;
// The places at which a bake is looked at between its stages (explain/explain.h).
typedef struct nav_seen nav_seen;

// One tile's bake: constant from the first stage to the last, except what the pointers point to.
typedef struct nav_bake_job {
    const nav_geometry *geometry;
    const nav_config *config;
    const nav_grid *grid;
    const nav_tile_index *index; // may be NULL: all triangles
    const nav_bake_hooks *hooks; // may be NULL
    nav_cancel *cancel;          // by the hooks
    nav_arena *scratch;
    nav_bake_report *report; // never NULL
    nav_error *err;          // may be NULL

    uint32_t tile_x, tile_z;
    uint32_t border_cells;                // padding on each side; 0 for one tile
    uint32_t width_cells, depth_cells;    // of the padded field
    int32_t first_x_cells, first_z_cells; // grid cell of field cell (0, 0); negative in the padding

    uint32_t height_min_cells; // headroom needed, agent_height rounded up
    uint32_t climb_cells;      // agent_max_climb rounded down
    uint32_t radius_cells;     // agent_radius rounded up
    uint32_t low_cells;        // headroom of passages kept for crouching, rounded up; 0: none kept
    uint32_t region_min_spans; // region_min_size squared
    uint32_t region_merge_spans;
    uint32_t edge_max_length_cells; // 0: any

    const uint8_t *material_areas;   // of the geometry's materials, or NULL: it has none
    bool has_liquid;                 // some area is a liquid
    bool liquid_pass;                // voxelize the liquids only, else everything but them
    const nav_shared_voxels *shared; // NULL: the job voxelizes for itself alone
    uint32_t shared_number;          // which of those that share them this is
    nav_seen *seen;                  // NULL: nobody asks what a stage does
} nav_bake_job;

// The area that a triangle has by the caller's word or by its material.
static inline uint8_t nav_bake_triangle_area(const nav_bake_job *job, uint32_t triangle)
{
    const nav_geometry *g = job->geometry;
    return g->triangle_areas != NULL     ? g->triangle_areas[triangle]
           : job->material_areas != NULL ? job->material_areas[g->triangle_materials[triangle]]
                                         : NAV_AREA_GROUND;
}

// Does the triangle belong to the other pass, the one of the liquids or that of the solid rest?
static inline bool nav_bake_other_pass(const nav_bake_job *job, uint32_t triangle)
{
    if (!job->has_liquid) {
        return false;
    }
    uint8_t area = nav_bake_triangle_area(job, triangle);
    bool liquid = area < job->config->area_count && job->config->areas[area].liquid;
    return liquid != job->liquid_pass;
}

// The area of a span with too little headroom to stand in: one for crouching, or none.
static inline uint8_t nav_bake_low_area(const nav_bake_job *job, uint32_t headroom_cells)
{
    return job->low_cells != 0 && headroom_cells > job->low_cells ? job->config->low_height_area
                                                                  : NAV_AREA_NONE;
}

// Fills in all that is counted in cells; geometry to err and the tile's x and z are set.
void nav_bake_job_init(nav_bake_job *job);
// Fills so many bytes with zeros. False where the bake was cancelled: arrays by column or span may
// be so large that this is a tenth of a second's work.
bool nav_bake_clear(const nav_bake_job *job, void *array, size_t size_bytes);
// The result of a stage when job->cancel says that the bake is to end. Stages poll it each row,
// contour and polygon; passes over all spans or columns count these.
nav_status nav_bake_end(const nav_bake_job *job);
// Counts a warning; the position, in cells of the field, is kept for the first few.
void nav_bake_warn(const nav_bake_job *job, nav_warning_code code, float x_cells, float y_cells,
                   float z_cells);
// The same, with what the code says.
void nav_bake_warn_value(const nav_bake_job *job, nav_warning_code code, float x_cells,
                         float y_cells, float z_cells, float value);
// Warns of settings that became rather different ones in cells.
void nav_bake_warn_clamped(const nav_bake_job *job);
// The first cells of the tile, counted in the grid, and one past its last. The padding is outside.
typedef struct nav_tile_cells {
    uint32_t x, z, x_end, z_end;
} nav_tile_cells;

// index.c: does the triangle touch the tile, its padding in this grid of several tiles included?
bool nav_bake_index_reaches(const nav_geometry *geometry, const nav_grid *grid, uint32_t triangle,
                            uint32_t tile_x, uint32_t tile_z);
nav_tile_cells nav_bake_tile_cells(const nav_grid *grid, uint32_t tile_x, uint32_t tile_z);
// The tile that owns a position given in grid cells; positions beside the grid belong to the
// outermost.
uint32_t nav_bake_owner(const nav_grid *grid, float x_cells, float z_cells);
// The part of a field's sums that lies in the tile: first is a field's or heightfield's column
// index, and the result counts its spans outside of the padding.
uint32_t nav_bake_inner_spans(const nav_bake_job *job, const uint32_t *first);

// From positions in the world to cells of the grid.
typedef struct nav_cell_scale {
    float min[3], cells_per_unit[3];
} nav_cell_scale;

static inline nav_cell_scale nav_bake_cell_scale(const nav_grid *grid)
{
    float across = 1.0f / grid->cell_size, up = 1.0f / grid->cell_height;
    return (nav_cell_scale){.min = {grid->min[0], grid->min[1], grid->min[2]},
                            .cells_per_unit = {across, up, across}};
}

// A coordinate of a position in the world in cells of the grid. A float product: what is flat or
// lies on whole cells in the level, as the decimals of its settings say, does so here, where a
// product of more digits would fall just short of it.
static inline float nav_bake_cell(const nav_cell_scale *scale, const float position[3], int axis)
{
    return (position[axis] - scale->min[axis]) * scale->cells_per_unit[axis];
}

// The cell in which a floor at a height lies.
int64_t nav_bake_height_cell(const nav_bake_job *job, float y);
// World position of a point given in cells of the padded field.
void nav_bake_world(const nav_bake_job *job, float x_cells, float y_cells, float z_cells,
                    float out[3]);
