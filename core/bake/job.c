// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// job.c: what the stages of one tile's bake ask of their job: sizes in cells, positions in the
// world and in the grid, warnings, whether to go on. And the sum of the reports of several tiles.

#include "core/bake/job.h"

#include <math.h>
#include <string.h>

#define CLEARED_BYTES ((size_t)4 << 20)

bool nav_bake_clear(const nav_bake_job *job, void *array, size_t size_bytes)
{
    uint8_t *bytes = array;
    for (size_t at = 0; at < size_bytes; at += CLEARED_BYTES) {
        if (at > 0 && nav_cancel_poll(job->cancel, NAV_CANCEL_INTERVAL)) {
            return false;
        }
        const size_t left = size_bytes - at;
        memset(bytes + at, 0, left < CLEARED_BYTES ? left : CLEARED_BYTES);
    }
    return true;
}

nav_status nav_bake_end(const nav_bake_job *job)
{
    return nav_fail(job->err, NAV_CANCELLED, "the bake was cancelled");
}

int64_t nav_bake_height_cell(const nav_bake_job *job, float y)
{
    const nav_grid *grid = job->grid;
    return (int64_t)floorf((y - grid->min[1]) * (1.0f / grid->cell_height));
}

void nav_bake_world(const nav_bake_job *job, float x_cells, float y_cells, float z_cells,
                    float out[3])
{
    const nav_grid *grid = job->grid;
    out[0] = grid->min[0] + (x_cells + (float)job->first_x_cells) * grid->cell_size;
    out[1] = grid->min[1] + y_cells * grid->cell_height;
    out[2] = grid->min[2] + (z_cells + (float)job->first_z_cells) * grid->cell_size;
}

nav_tile_cells nav_bake_tile_cells(const nav_grid *grid, uint32_t tile_x, uint32_t tile_z)
{
    if (grid->tile_cells == 0) {
        return (nav_tile_cells){.x_end = grid->width_cells, .z_end = grid->depth_cells};
    }
    NAV_ASSERT(tile_x < grid->tiles_x);
    NAV_ASSERT(tile_z < grid->tiles_z);
    nav_tile_cells cells = {.x = tile_x * grid->tile_cells, .z = tile_z * grid->tile_cells};
    uint32_t left_x = grid->width_cells - cells.x, left_z = grid->depth_cells - cells.z;
    cells.x_end = cells.x + (left_x < grid->tile_cells ? left_x : grid->tile_cells);
    cells.z_end = cells.z + (left_z < grid->tile_cells ? left_z : grid->tile_cells);
    NAV_ASSERT(cells.x < cells.x_end);
    NAV_ASSERT(cells.z < cells.z_end);
    return cells;
}

static uint32_t tile_at(float cells, uint32_t tile_cells, uint32_t tiles)
{
    if (!(cells > 0) || tile_cells == 0) {
        return 0;
    }
    double tile = (double)cells / tile_cells;
    return tile < (double)tiles ? (uint32_t)tile : tiles - 1;
}

uint32_t nav_bake_owner(const nav_grid *grid, float x_cells, float z_cells)
{
    return tile_at(z_cells, grid->tile_cells, grid->tiles_z) * grid->tiles_x +
           tile_at(x_cells, grid->tile_cells, grid->tiles_x);
}

uint32_t nav_bake_inner_spans(const nav_bake_job *job, const uint32_t *first)
{
    uint32_t border = job->border_cells, sum = 0;
    NAV_ASSERT(job->width_cells > 2 * border);
    NAV_ASSERT(job->depth_cells > 2 * border);
    for (uint32_t z = border; z < job->depth_cells - border; ++z) {
        const uint32_t *row = first + (size_t)z * job->width_cells;
        sum += row[job->width_cells - border] - row[border];
    }
    return sum;
}

void nav_bake_warn_value(const nav_bake_job *job, nav_warning_code code, float x_cells,
                         float y_cells, float z_cells, float value)
{
    NAV_ASSERT((unsigned)code < NAV_WARNING_COUNT);
    float position[3];
    nav_bake_world(job, x_cells, y_cells, z_cells, position);
    nav_warning_add(&job->report->warnings[code], position, value, NULL);
}

void nav_bake_warn(const nav_bake_job *job, nav_warning_code code, float x_cells, float y_cells,
                   float z_cells)
{
    nav_bake_warn_value(job, code, x_cells, y_cells, z_cells, 0);
}

// 0 means any length, and only 0 becomes it: a shorter wall than one cell there is not. Beyond
// every level's diagonal all lengths mean the same.
static uint32_t edge_length_cells(const nav_config *c)
{
    const float max_cells = 2.0f * NAV_GRID_SIDE_CELLS_MAX;
    float cells = c->edge_max_length / c->cell_size;
    return c->edge_max_length > 0 && cells < 1 ? 1
                                               : (uint32_t)(cells < max_cells ? cells : max_cells);
}

// A step up is rounded down and a clearance is rounded up, so that the mesh never promises more
// than the agent can do.
void nav_bake_job_init(nav_bake_job *job)
{
    const nav_config *c = job->config;
    const nav_grid *grid = job->grid;
    nav_tile_cells cells = nav_bake_tile_cells(grid, job->tile_x, job->tile_z);
    job->border_cells = grid->border_cells;
    job->width_cells = cells.x_end - cells.x + 2 * grid->border_cells;
    job->depth_cells = cells.z_end - cells.z + 2 * grid->border_cells;
    job->first_x_cells = (int32_t)cells.x - (int32_t)grid->border_cells;
    job->first_z_cells = (int32_t)cells.z - (int32_t)grid->border_cells;
    uint32_t height_cells = (uint32_t)ceilf(c->agent_height / c->cell_height);
    job->height_min_cells = height_cells < 1 ? 1 : height_cells;
    job->climb_cells = (uint32_t)floorf(c->agent_max_climb / c->cell_height);
    job->radius_cells = (uint32_t)ceilf(c->agent_radius / c->cell_size);
    NAV_ASSERT(job->width_cells > 2 * job->border_cells);
    NAV_ASSERT(job->depth_cells > 2 * job->border_cells);
    NAV_ASSERT(grid->tile_cells == 0 || grid->border_cells > job->radius_cells); // erosion sees on
    job->region_min_spans = c->region_min_size * c->region_min_size;
    job->region_merge_spans = c->region_merge_size * c->region_merge_size;
    job->edge_max_length_cells = edge_length_cells(c);
    job->low_cells = 0;
    // Only a config with low_height_area uses low_height_min, and only then is it checked.
    if (c->filter_low_height && c->low_height_area != NAV_AREA_NONE) {
        uint32_t low_cells = (uint32_t)ceilf(c->low_height_min / c->cell_height);
        job->low_cells = low_cells < 1 ? 1 : low_cells;
    }
}

// ---- settings that became something else in whole cells ----

// A setting that becomes larger or smaller by more than this part of it is reported. The defaults
// stay below.
#define CLAMP_RATIO_MAX 0.2f

static void check(const nav_bake_job *job, const char *name, float asked, uint32_t cells,
                  float cell)
{
    const float became = (float)cells * cell;
    if (fabsf(became - asked) > CLAMP_RATIO_MAX * asked) {
        const float nowhere[3] = {0, 0, 0};
        nav_warning_add(&job->report->warnings[NAV_WARN_VALUE_CLAMPED], nowhere, became, name);
    }
}

void nav_bake_warn_clamped(const nav_bake_job *job)
{
    const nav_config *c = job->config;
    check(job, "agent.radius", c->agent_radius, job->radius_cells, c->cell_size);
    check(job, "agent.height", c->agent_height, job->height_min_cells, c->cell_height);
    check(job, "agent.max_climb", c->agent_max_climb, job->climb_cells, c->cell_height);
    check(job, "edge_max_length", c->edge_max_length, job->edge_max_length_cells, c->cell_size);
}
