// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// our_bake.c: the stages one by one, as core/bake/pipeline.c runs them.

#include "our_bake.h"

#include <math.h>

#define ARENA_LIMIT_BYTES ((size_t)2 << 30)

static nav_status run_field(our_bake *b)
{
    nav_bake_job *job = &b->job;
    nav_status status = nav_bake_voxelize(job, &b->kept, &b->solid);
    status = status == NAV_OK ? nav_bake_filter(job, &b->solid) : status;
    status = status == NAV_OK ? nav_bake_compact(job, &b->solid, &b->kept, &b->field) : status;
    status = status == NAV_OK ? nav_bake_link(job, &b->kept, &b->field) : status;
    return status == NAV_OK ? nav_bake_erode(job, &b->field) : status;
}

static nav_status run_regions(our_bake *b)
{
    switch (b->job.config->partition) {
    case NAV_PARTITION_MONOTONE:
        return nav_bake_regions_monotone(&b->job, &b->kept, &b->field);
    case NAV_PARTITION_LAYERS:
        return nav_bake_regions_layers(&b->job, &b->kept, &b->field);
    case NAV_PARTITION_WATERSHED:
        break;
    }
    nav_status status = nav_bake_distance(&b->job, &b->field);
    return status == NAV_OK ? nav_bake_regions_watershed(&b->job, &b->kept, &b->field) : status;
}

nav_status our_bake_run(our_bake *b, const nav_geometry *geometry, const nav_config *c)
{
    *b = (our_bake){0};
    nav_arena_init(&b->scratch, NULL, ARENA_LIMIT_BYTES);
    nav_arena_init(&b->kept, NULL, ARENA_LIMIT_BYTES);
    nav_status status = nav_bake_plan(geometry, c, 0, &b->grid, &b->err);
    b->job = (nav_bake_job){
        .geometry = geometry,
        .config = c,
        .grid = &b->grid,
        .scratch = &b->scratch,
        .report = &b->report,
        .err = &b->err,
        .width_cells = b->grid.width_cells,
        .depth_cells = b->grid.depth_cells,
        .height_min_cells = (uint32_t)ceilf(c->agent_height / c->cell_height),
        .climb_cells = (uint32_t)floorf(c->agent_max_climb / c->cell_height),
        .radius_cells = (uint32_t)ceilf(c->agent_radius / c->cell_size),
        .region_min_spans = c->region_min_size * c->region_min_size,
        .region_merge_spans = c->region_merge_size * c->region_merge_size,
        .edge_max_length_cells = (uint32_t)(c->edge_max_length / c->cell_size),
    };
    status = status == NAV_OK ? run_field(b) : status;
    status = status == NAV_OK ? run_regions(b) : status;
    status = status == NAV_OK ? nav_bake_contours(&b->job, &b->field, &b->contours) : status;
    status = status == NAV_OK ? nav_bake_polygons(&b->job, &b->contours, &b->polygons) : status;
    return status == NAV_OK ? nav_bake_detail(&b->job, &b->field, &b->polygons, &b->detail)
                            : status;
}

void our_bake_free(our_bake *b)
{
    nav_arena_free(&b->scratch);
    nav_arena_free(&b->kept);
}
