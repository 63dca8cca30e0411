// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// explain.c: a bake of one tile that is looked at (explain/): the entry.

#include "core/bake/explain/explain.h"

#include <math.h>

// The cell of the grid in which a place lies, as triangles are voxelized. False: beside the grid.
static bool find_cell(const nav_grid *grid, nav_plan_place place, float at[2])
{
    const nav_cell_scale scale = nav_bake_cell_scale(grid);
    const float position[3] = {place.x, 0, place.z};
    at[0] = nav_bake_cell(&scale, position, 0);
    at[1] = nav_bake_cell(&scale, position, 2);
    return at[0] >= 0 && at[0] < (float)grid->width_cells && at[1] >= 0 &&
           at[1] < (float)grid->depth_cells;
}

bool nav_grid_find_tile(const nav_grid *grid, nav_plan_place place, uint32_t *tile_x,
                        uint32_t *tile_z)
{
    float at[2];
    if (!find_cell(grid, place, at)) {
        return false;
    }
    const uint32_t owner = nav_bake_owner(grid, at[0], at[1]);
    *tile_x = owner % grid->tiles_x;
    *tile_z = owner / grid->tiles_x;
    return true;
}

static void begin_column(const nav_bake_job *job, nav_plan_place place, nav_seen_column *column,
                         nav_column_facts *facts)
{
    float at[2];
    const nav_grid *grid = job->grid;
    NAV_ASSERT(find_cell(grid, place, at));
    const uint32_t x = (uint32_t)at[0], z = (uint32_t)at[1];
    *column = (nav_seen_column){
        .x = (uint32_t)((int32_t)x - job->first_x_cells),
        .z = (uint32_t)((int32_t)z - job->first_z_cells),
        .at = {at[0] - (float)job->first_x_cells, at[1] - (float)job->first_z_cells}};
    NAV_ASSERT(column->x < job->width_cells && column->z < job->depth_cells);
    *facts = (nav_column_facts){.x = place.x,
                                .z = place.z,
                                .cell = {grid->min[0] + ((float)x + 0.5f) * grid->cell_size,
                                         grid->min[2] + ((float)z + 0.5f) * grid->cell_size}};
}

nav_status nav_tile_explain(const nav_geometry *geometry, const nav_config *config,
                            const nav_grid *grid, const nav_tile_index *index, uint32_t tile_x,
                            uint32_t tile_z, const nav_plan_place *places, uint32_t place_count,
                            const nav_bake_hooks *hooks, nav_arena *scratch, nav_arena *result,
                            nav_column_facts *columns, nav_tile_facts *out, nav_bake_report *report,
                            nav_error *err)
{
    nav_bake_report unread = {0};
    nav_cancel cancel = nav_cancel_by(hooks);
    const nav_arena_mark mark = nav_arena_save(result);
    nav_tile_facts tile = {0};
    nav_seen seen = {.result = result,
                     .facts = columns,
                     .columns = NAV_NEW(result, nav_seen_column, (size_t)place_count + 1),
                     .column_count = place_count,
                     .tile = &tile};
    NAV_ASSERT(tile_x < grid->tiles_x && tile_z < grid->tiles_z);
    nav_bake_job job = {.geometry = geometry,
                        .config = config,
                        .grid = grid,
                        .index = index,
                        .hooks = hooks,
                        .cancel = &cancel,
                        .scratch = scratch,
                        .report = report != NULL ? report : &unread,
                        .err = err,
                        .tile_x = tile_x,
                        .tile_z = tile_z,
                        .seen = &seen};
    nav_bake_job_init(&job);
    for (uint32_t i = 0; seen.columns != NULL && i < place_count; ++i) {
        begin_column(&job, places[i], &seen.columns[i], &columns[i]);
    }
    nav_status status = seen.columns != NULL
                            ? nav_bake_one(&job, result, &tile.blob)
                            : nav_fail(err, NAV_NO_MEMORY, "no memory to explain a tile");
    if (status == NAV_OK) {
        *out = tile;
    } else {
        nav_arena_restore(result, mark);
    }
    return status;
}
