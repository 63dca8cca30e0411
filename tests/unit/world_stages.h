// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// world_stages.h: bakes a tile of a random world stage by stage and keeps what each stage leaves,
// so that properties can be asked of all of it. That the blob is the one of nav_bake_tile proves
// that these are the stages of the real bake.

#pragma once

#include "region_rules.h"
#include "world_random.h"

#include "core/bake/ground_classes.h"

typedef struct world_stages {
    bake_builder b;
    nav_tile_index index;
    uint8_t *voxelized, *filtered; // areas of the solid spans after these stages
    nav_heightfield solid;         // after the filters and the liquids
    uint32_t voxelized_count;
    uint16_t *voxelized_min, *voxelized_max;
    uint16_t *compacted, *cut, *eroded, *areas; // of the field's spans after these stages
    nav_field field;
    nav_ground_classes classes;
    nav_contour_set contours;
    nav_polygons polygons;
    nav_detail detail;
    nav_blob blob;
} world_stages;

// As core/bake/pipeline.c has it.
static inline void stages_job(world_stages *s, const world *w, uint32_t tile)
{
    const nav_config *c = &w->config;
    nav_grid *grid = &s->b.grid;
    nav_bake_job *job = &s->b.job;
    *job = (nav_bake_job){.geometry = &w->geometry,
                          .config = c,
                          .grid = grid,
                          .scratch = &s->b.scratch,
                          .report = &s->b.report,
                          .index = &s->index,
                          .tile_x = tile % grid->tiles_x,
                          .tile_z = tile / grid->tiles_x,
                          .border_cells = grid->border_cells};
    nav_tile_cells cells = nav_bake_tile_cells(grid, job->tile_x, job->tile_z);
    job->width_cells = cells.x_end - cells.x + 2 * grid->border_cells;
    job->depth_cells = cells.z_end - cells.z + 2 * grid->border_cells;
    job->first_x_cells = (int32_t)cells.x - (int32_t)grid->border_cells;
    job->first_z_cells = (int32_t)cells.z - (int32_t)grid->border_cells;
    job->height_min_cells = (uint32_t)fmaxf(1, ceilf(c->agent_height / c->cell_height));
    job->climb_cells = (uint32_t)(c->agent_max_climb / c->cell_height);
    job->radius_cells = (uint32_t)ceilf(c->agent_radius / c->cell_size);
    job->region_min_spans = c->region_min_size * c->region_min_size;
    job->region_merge_spans = c->region_merge_size * c->region_merge_size;
    if (c->edge_max_length > 0) {
        job->edge_max_length_cells = (uint32_t)fmaxf(1, c->edge_max_length / c->cell_size);
    }
    if (c->filter_low_height && c->low_height_area != NAV_AREA_NONE) {
        job->low_cells = (uint32_t)fmaxf(1, ceilf(c->low_height_min / c->cell_height));
    }
}

static inline void *stages_copy(world_stages *s, const void *array, size_t count, size_t size_bytes)
{
    void *copy = nav_arena_alloc(&s->b.given, count, size_bytes);
    assert_non_null(copy);
    memcpy(copy, array, count * size_bytes);
    return copy;
}

static inline void stages_solid(world_stages *s)
{
    bake_builder *b = &s->b;
    nav_heightfield *solid = &s->solid;
    assert_int_equal(nav_bake_materials(&b->job), NAV_OK);
    assert_int_equal(nav_bake_voxelize(&b->job, &b->result, solid), NAV_OK);
    s->voxelized_count = solid->span_count;
    s->voxelized = stages_copy(s, solid->span_area, solid->span_count, 1);
    s->voxelized_min = stages_copy(s, solid->span_min, solid->span_count, sizeof(uint16_t));
    s->voxelized_max = stages_copy(s, solid->span_max, solid->span_count, sizeof(uint16_t));
    assert_int_equal(nav_bake_filter(&b->job, solid), NAV_OK);
    assert_int_equal(solid->span_count, s->voxelized_count);
    s->filtered = stages_copy(s, solid->span_area, solid->span_count, 1);
    assert_memory_equal(solid->span_min, s->voxelized_min, 2 * (size_t)solid->span_count);
    assert_memory_equal(solid->span_max, s->voxelized_max, 2 * (size_t)solid->span_count);
    assert_int_equal(nav_bake_liquid(&b->job, &b->result, solid), NAV_OK);
}

static inline void stages_field(world_stages *s)
{
    bake_builder *b = &s->b;
    nav_field *f = &s->field;
    assert_int_equal(nav_bake_compact(&b->job, &s->solid, &b->result, f), NAV_OK);
    assert_int_equal(nav_bake_link(&b->job, &b->result, f), NAV_OK);
    s->compacted = stages_copy(s, f->area, f->span_count, 2);
    assert_int_equal(nav_bake_cut(&b->job, f), NAV_OK);
    s->cut = stages_copy(s, f->area, f->span_count, 2);
    assert_int_equal(nav_bake_erode(&b->job, f), NAV_OK);
    s->eroded = stages_copy(s, f->area, f->span_count, 2);
    assert_int_equal(nav_bake_areas(&b->job, f), NAV_OK);
    s->areas = stages_copy(s, f->area, f->span_count, 2);
    assert_int_equal(nav_bake_switches(&b->job, &b->result, f, &s->classes), NAV_OK);
    b->config = *b->job.config; // of which partition() takes the partition
    partition(b, f);
}

static inline void stages_mesh(world_stages *s)
{
    bake_builder *b = &s->b;
    assert_int_equal(nav_bake_contours(&b->job, &s->field, &s->contours), NAV_OK);
    assert_int_equal(nav_bake_polygons(&b->job, &s->contours, &s->polygons), NAV_OK);
    s->polygons.classes = &s->classes;
    assert_int_equal(nav_bake_detail(&b->job, &s->field, &s->polygons, &s->detail), NAV_OK);
    assert_int_equal(nav_bake_tile_write(&b->job, &s->polygons, &s->detail, &b->result, &s->blob),
                     NAV_OK);
}

static inline void expect_the_real_bake(const world_stages *s)
{
    const nav_bake_job *job = &s->b.job;
    nav_arena scratch, result;
    nav_arena_init(&scratch, NULL, 0);
    nav_arena_init(&result, NULL, 0);
    nav_blob blob = {0};
    assert_int_equal(nav_bake_tile(job->geometry, job->config, job->grid, &s->index, job->tile_x,
                                   job->tile_z, NULL, &scratch, &result, &blob, NULL, NULL),
                     NAV_OK);
    assert_int_equal(blob.size_bytes, s->blob.size_bytes);
    if (blob.size_bytes > 0) {
        assert_memory_equal(blob.bytes, s->blob.bytes, blob.size_bytes);
    }
    nav_arena_free(&result);
    nav_arena_free(&scratch);
}

// Runs the property on every tile of a world.
static inline void for_all_tiles(world *w, void (*holds)(world_stages *))
{
    world_stages *s = calloc(1, sizeof *s);
    assert_non_null(s);
    nav_status status = nav_bake_plan(&w->geometry, &w->config, 0, &s->b.grid, &s->b.err);
    if (status == NAV_MESH_EMPTY && w->config.has_bounds) { // nothing lies within them
        free(s);
        return;
    }
    if (status != NAV_OK) {
        fail_msg("status %d: %s", status, s->b.err.detail);
    }
    const nav_grid grid = s->b.grid;
    for (uint32_t tile = 0; tile < grid.tiles_x * grid.tiles_z; ++tile) {
        *s = (world_stages){0};
        builder_init(&s->b, 1, 1);
        s->b.grid = grid;
        assert_int_equal(nav_bake_index(&w->geometry, &grid, NULL, &s->b.given, &s->index, NULL),
                         NAV_OK);
        stages_job(s, w, tile);
        stages_solid(s);
        stages_field(s);
        stages_mesh(s);
        holds(s);
        builder_free(&s->b);
    }
    free(s);
}
