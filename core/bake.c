// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bake.c: the pipeline as numbered steps. Start here to read the bake.
//
//   triangles -1-> solid spans -2-> filtered -3-> open field -4-> eroded -5-> distances
//     -6-> regions -7-> contours -8-> convex polygons -9-> height detail -10-> tile blob
//
// Areas come in where they must: materials with 1, liquids after 2, cuts before 4, volumes and the
// median filter after it.
//
// The order of the stages is that of Mononen's Recast (2009), after Haumont, Debunne and Sillion,
// "Volumetric cell-and-portal generation" (2003), whose watershed it borrows.

#include "bake.h"

#include <math.h>

bool nav_bake_cancelled(const nav_bake_job *job)
{
    return job->hooks != NULL && job->hooks->cancelled != NULL &&
           job->hooks->cancelled(job->hooks->user);
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
    nav_tile_cells cells = {.x = tile_x * grid->tile_cells, .z = tile_z * grid->tile_cells};
    uint32_t left_x = grid->width_cells - cells.x, left_z = grid->depth_cells - cells.z;
    cells.x_end = cells.x + (left_x < grid->tile_cells ? left_x : grid->tile_cells);
    cells.z_end = cells.z + (left_z < grid->tile_cells ? left_z : grid->tile_cells);
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
    for (uint32_t z = border; z < job->depth_cells - border; ++z) {
        const uint32_t *row = first + (size_t)z * job->width_cells;
        sum += row[job->width_cells - border] - row[border];
    }
    return sum;
}

void nav_bake_warn_value(const nav_bake_job *job, nav_warning_code code, float x_cells,
                         float y_cells, float z_cells, float value)
{
    float position[3];
    nav_bake_world(job, x_cells, y_cells, z_cells, position);
    nav_warning_add(&job->report->warnings[code], position, value, NULL);
}

void nav_bake_warn(const nav_bake_job *job, nav_warning_code code, float x_cells, float y_cells,
                   float z_cells)
{
    nav_bake_warn_value(job, code, x_cells, y_cells, z_cells, 0);
}

void nav_bake_report_add(nav_bake_report *sum, const nav_bake_report *part)
{
    for (int i = 0; i < NAV_STAGE_COUNT; ++i) {
        sum->stage_ns[i] += part->stage_ns[i];
    }
    sum->triangles += part->triangles;
    sum->triangles_steep += part->triangles_steep;
    sum->spans += part->spans;
    sum->walkable_spans += part->walkable_spans;
    sum->regions += part->regions;
    sum->contours += part->contours;
    sum->polygons += part->polygons;
    sum->vertices += part->vertices;
    sum->detail_triangles += part->detail_triangles;
    sum->walkable_area += part->walkable_area;
    sum->peak_bytes = part->peak_bytes > sum->peak_bytes ? part->peak_bytes : sum->peak_bytes;
    for (int i = 0; i < NAV_WARNING_COUNT; ++i) {
        nav_warning *to = &sum->warnings[i];
        const nav_warning *from = &part->warnings[i];
        for (uint32_t j = 0; j < from->item_count; ++j) {
            const struct nav_warning_item *item = &from->items[j];
            nav_warning_add(to, item->position, item->value, item->name);
        }
        to->count += from->count - from->item_count;
    }
}

// 0 means any length, and only 0 becomes it: a shorter wall than one cell there is not. Beyond
// every level's diagonal all lengths mean the same.
static uint32_t edge_length_cells(const nav_config *c)
{
    const float max_cells = 2.0f * NAV_GRID_SIDE_CELLS_MAX;
    float cells = c->edge_max_length / c->cell_size;
    if (c->edge_max_length > 0 && cells < 1) {
        return 1;
    }
    return (uint32_t)(cells < max_cells ? cells : max_cells);
}

// Sizes given in world units become whole cells. A step up is rounded down and a clearance is
// rounded up, so that the mesh never promises more than the agent can do.
static void job_init(nav_bake_job *job, const nav_config *c, const nav_grid *grid)
{
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
    job->region_min_spans = c->region_min_size * c->region_min_size;
    job->region_merge_spans = c->region_merge_size * c->region_merge_size;
    job->edge_max_length_cells = edge_length_cells(c);
    bool low_passages = c->filter_low_height && c->low_height_area != NAV_AREA_NONE;
    uint32_t low_cells = (uint32_t)ceilf(c->low_height_min / c->cell_height);
    job->low_cells = low_passages ? (low_cells < 1 ? 1 : low_cells) : 0;
}

// Tells the hooks that a stage begins and books the time since the last one to that.
typedef struct stopwatch {
    const nav_bake_job *job;
    nav_stage stage;
    uint64_t start_ns;
} stopwatch;

static uint64_t now_ns(const nav_bake_job *job)
{
    return job->hooks != NULL && job->hooks->now_ns != NULL ? job->hooks->now_ns(job->hooks->user)
                                                            : 0;
}

static void stopwatch_end(stopwatch *watch)
{
    watch->job->report->stage_ns[watch->stage] += now_ns(watch->job) - watch->start_ns;
}

static void stopwatch_begin(stopwatch *watch, nav_stage stage)
{
    const nav_bake_job *job = watch->job;
    watch->stage = stage;
    if (job->hooks != NULL && job->hooks->stage != NULL) {
        job->hooks->stage(job->hooks->user, stage);
    }
    watch->start_ns = now_ns(job);
}

static nav_status bake_regions(const nav_bake_job *job, nav_arena *result, nav_field *field)
{
    switch (job->config->partition) {
    case NAV_PARTITION_MONOTONE:
        return nav_bake_regions_monotone(job, result, field);
    case NAV_PARTITION_LAYERS:
        return nav_bake_regions_layers(job, result, field);
    case NAV_PARTITION_WATERSHED:
        break;
    }
    return nav_bake_regions_watershed(job, result, field);
}

// Steps 1 to 6: from triangles to a field whose spans know their region. The solid spans live in an
// arena of their own, so that they are gone before the largest field arrays are made.
static nav_status bake_field(nav_bake_job *job, stopwatch *watch, nav_arena *result,
                             nav_field *field)
{
    nav_arena solid_arena;
    nav_arena_init_child(&solid_arena, job->scratch);
    nav_heightfield solid = {0};
    nav_status status = NAV_OK;

#define STEP(stage, call)                                                                          \
    if (status == NAV_OK) {                                                                        \
        nav_arena_mark mark = nav_arena_save(job->scratch);                                        \
        stopwatch_begin(watch, stage);                                                             \
        status = call;                                                                             \
        stopwatch_end(watch);                                                                      \
        nav_arena_restore(job->scratch, mark);                                                     \
    }
    STEP(NAV_STAGE_VOXELIZE, nav_bake_voxelize(job, &solid_arena, &solid))
    STEP(NAV_STAGE_FILTER, nav_bake_filter(job, &solid))
    STEP(NAV_STAGE_FILTER, nav_bake_liquid(job, &solid_arena, &solid))
    STEP(NAV_STAGE_COMPACT, nav_bake_compact(job, &solid, result, field))
    nav_arena_free(&solid_arena);
    STEP(NAV_STAGE_COMPACT, nav_bake_link(job, result, field))
    STEP(NAV_STAGE_ERODE, nav_bake_cut(job, field))
    STEP(NAV_STAGE_ERODE, nav_bake_erode(job, field))
    STEP(NAV_STAGE_AREAS, nav_bake_areas(job, field))
    if (job->config->partition == NAV_PARTITION_WATERSHED) {
        STEP(NAV_STAGE_DISTANCE, nav_bake_distance(job, result, field))
    }
    STEP(NAV_STAGE_REGIONS, bake_regions(job, result, field))
    return status;
}

// Steps 7 to 10: from regions to the tile.
static nav_status bake_mesh(nav_bake_job *job, stopwatch *watch, const nav_field *field,
                            nav_arena *result, nav_blob *out)
{
    nav_contour_set contours = {0};
    nav_polygons polygons = {0};
    nav_detail detail = {0};
    nav_blob blob = {0};
    stopwatch_begin(watch, NAV_STAGE_CONTOURS);
    nav_status status = nav_bake_contours(job, field, &contours);
    stopwatch_end(watch);
    if (status == NAV_OK) {
        stopwatch_begin(watch, NAV_STAGE_POLYGONS);
        status = nav_bake_polygons(job, &contours, &polygons);
        stopwatch_end(watch);
    }
    if (status == NAV_OK) {
        stopwatch_begin(watch, NAV_STAGE_DETAIL);
        status = nav_bake_detail(job, field, &polygons, &detail);
        stopwatch_end(watch);
    }
    if (status == NAV_OK) {
        stopwatch_begin(watch, NAV_STAGE_TILE);
        status = nav_bake_tile_write(job, &polygons, &detail, result, &blob);
        stopwatch_end(watch);
    }
    if (status == NAV_OK) {
        *out = blob;
    }
    return status;
}

// What fails for the tile's sake names the tile and where in the world it lies. An arena at its
// limit is the tile's doing, an allocator without memory is not.
static nav_status explain(const nav_bake_job *job, nav_status status)
{
    if (status == NAV_NO_MEMORY && !job->scratch->at_limit) {
        return nav_fail(job->err, NAV_NO_MEMORY, "the bake of tile %u, %u finds no memory",
                        job->tile_x, job->tile_z);
    }
    if (status == NAV_NO_MEMORY) {
        const uint32_t border = job->border_cells;
        float low[3], high[3];
        nav_bake_world(job, (float)border, 0, (float)border, low);
        nav_bake_world(job, (float)(job->width_cells - border), 0,
                       (float)(job->depth_cells - border), high);
        status = nav_fail(job->err, NAV_TILE_TOO_COMPLEX,
                          "tile %u, %u, from x %.6g, z %.6g to x %.6g, z %.6g, needs more memory "
                          "than a bake may use; try smaller tiles or a larger cell_size",
                          job->tile_x, job->tile_z, (double)low[0], (double)low[2], (double)high[0],
                          (double)high[2]);
        nav_error_limit(job->err, "%zu bytes", job->scratch->limit_bytes);
    }
    if (status == NAV_TILE_TOO_COMPLEX) {
        nav_error_at(job->err, "tile %u,%u", job->tile_x, job->tile_z);
    }
    return status;
}

nav_status nav_bake_tile(const nav_geometry *geometry, const nav_config *config,
                         const nav_grid *grid, const nav_tile_index *index, uint32_t tile_x,
                         uint32_t tile_z, const nav_bake_hooks *hooks, nav_arena *scratch,
                         nav_arena *result, nav_blob *out, nav_bake_report *report, nav_error *err)
{
    NAV_ASSERT(tile_x < grid->tiles_x && tile_z < grid->tiles_z);
    nav_bake_report unread = {0};
    nav_bake_job job = {.geometry = geometry,
                        .config = config,
                        .grid = grid,
                        .index = index,
                        .hooks = hooks,
                        .scratch = scratch,
                        .report = report != NULL ? report : &unread,
                        .err = err,
                        .tile_x = tile_x,
                        .tile_z = tile_z};
    job_init(&job, config, grid);
    if (tile_x == 0 && tile_z == 0) {
        nav_bake_warn_clamped(&job); // once a level
    }

    nav_arena field_arena;
    nav_arena_init_child(&field_arena, scratch);
    nav_arena_mark mark = nav_arena_save(scratch);
    scratch->at_limit = false;
    stopwatch watch = {.job = &job};
    nav_field field = {0};
    nav_status status = nav_bake_materials(&job);
    if (status == NAV_OK) {
        status = bake_field(&job, &watch, &field_arena, &field);
    }
    if (status == NAV_OK) {
        status = bake_mesh(&job, &watch, &field, result, out);
    }
    nav_arena_free(&field_arena);
    nav_arena_restore(scratch, mark);
    job.report->peak_bytes = scratch->peak_bytes;
    return explain(&job, status);
}
