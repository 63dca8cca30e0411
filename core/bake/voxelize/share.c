// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// share.c: one voxelization for several agents. Triangles touch the same voxels whoever walks on
// them; what differs is which of them can be walked on, and how wide the tile's padding is:
//
//     widest padding   .---------------.      areas: an array for each agent
//                      |  .---------.  |
//     an agent's own   |  |         |  |      its share: the part within its padding
//                      |  '---------'  |
//                      '---------------'

#include "core/bake/voxelize/voxelize.h"

#include <string.h>

struct nav_shared_voxels {
    nav_solids passes[2]; // the solid rest, and the liquids
    uint32_t border_cells;
};

uint32_t nav_bake_share_max(const nav_bake_job *jobs, uint32_t count)
{
    return nav_faces_fit(jobs, count);
}

static nav_status voxelize_pass(nav_bake_job *jobs, uint32_t count, bool liquids, nav_arena *result,
                                nav_solids *out)
{
    for (uint32_t i = 0; i < count; ++i) {
        jobs[i].liquid_pass = liquids;
    }
    nav_status status = nav_voxelize_for(jobs, count, result, out);
    for (uint32_t i = 0; i < count; ++i) {
        jobs[i].liquid_pass = false;
    }
    return status;
}

nav_status nav_bake_share_voxels(nav_bake_job *jobs, uint32_t count, nav_arena *result)
{
    nav_shared_voxels *shared = NAV_NEW_ZERO(result, nav_shared_voxels, 1);
    if (shared == NULL) {
        return NAV_NO_MEMORY;
    }
    nav_status status = voxelize_pass(jobs, count, false, result, &shared->passes[0]);
    if (status == NAV_OK && jobs[0].has_liquid) {
        status = voxelize_pass(jobs, count, true, result, &shared->passes[1]);
    }
    for (uint32_t i = 0; status == NAV_OK && i < count; ++i) {
        const uint32_t border_cells = jobs[i].border_cells;
        shared->border_cells =
            border_cells > shared->border_cells ? border_cells : shared->border_cells;
        jobs[i].shared = shared;
        jobs[i].shared_number = i;
    }
    return status;
}

// ---- an agent's share ----

static bool field_alloc(const nav_bake_job *job, uint32_t spans, nav_arena *result,
                        nav_heightfield *out)
{
    const size_t columns = (size_t)job->width_cells * job->depth_cells;
    *out = (nav_heightfield){.width = job->width_cells,
                             .depth = job->depth_cells,
                             .span_count = spans,
                             .first = NAV_NEW(result, uint32_t, columns + 1),
                             .span_min = NAV_NEW(result, uint16_t, spans),
                             .span_max = NAV_NEW(result, uint16_t, spans),
                             .span_area = NAV_NEW(result, uint8_t, spans)};
    return out->first != NULL && out->span_min != NULL && out->span_max != NULL &&
           out->span_area != NULL;
}

// Copies one row of the share, whose spans follow each other in the wide field, too.
static void copy_row(const nav_heightfield *wide, const uint8_t *areas, size_t column, uint32_t z,
                     uint32_t *to, nav_heightfield *out)
{
    uint32_t *first = out->first + (size_t)z * out->width;
    const uint32_t begin = wide->first[column];
    const uint32_t count = wide->first[column + out->width] - begin;
    for (uint32_t x = 0; x < out->width; ++x) {
        first[x] = *to + (wide->first[column + x] - begin);
    }
    memcpy(out->span_min + *to, wide->span_min + begin, count * sizeof *out->span_min);
    memcpy(out->span_max + *to, wide->span_max + begin, count * sizeof *out->span_max);
    memcpy(out->span_area + *to, areas + begin, count);
    *to += count;
}

static nav_status crop(const nav_bake_job *job, const nav_heightfield *wide, const uint8_t *areas,
                       uint32_t margin, nav_arena *result, nav_heightfield *out)
{
    uint32_t spans = 0, to = 0;
    for (uint32_t z = 0; z < job->depth_cells; ++z) {
        const uint32_t *row = wide->first + (size_t)(z + margin) * wide->width + margin;
        spans += row[job->width_cells] - row[0];
    }
    nav_heightfield share;
    if (!field_alloc(job, spans, result, &share)) {
        return NAV_NO_MEMORY;
    }
    for (uint32_t z = 0; z < job->depth_cells; ++z) {
        if (nav_cancel_poll(job->cancel, NAV_STEP_ROW)) {
            return nav_bake_end(job);
        }
        copy_row(wide, areas, (size_t)(z + margin) * wide->width + margin, z, &to, &share);
    }
    NAV_ASSERT(to == spans);
    share.first[(size_t)share.width * share.depth] = spans;
    *out = share;
    return NAV_OK;
}

// The share of one job, within its own padding; to be taken once.
static nav_status take_share(const nav_bake_job *job, nav_arena *result, nav_heightfield *out)
{
    const nav_shared_voxels *shared = job->shared;
    const nav_solids *solids = &shared->passes[job->liquid_pass ? 1 : 0];
    const uint32_t margin = shared->border_cells - job->border_cells;
    uint8_t *areas = solids->areas[job->shared_number];
    NAV_ASSERT(areas != NULL || solids->shape.span_count == 0);
    if (margin > 0) {
        return crop(job, &solids->shape, areas, margin, result, out);
    }
    // Filters write to the areas alone, and these are the job's own.
    *out = solids->shape;
    out->span_area = areas;
    return NAV_OK;
}

// ---- the step ----

nav_status nav_bake_voxelize(const nav_bake_job *job, nav_arena *result, nav_heightfield *out)
{
    nav_solids solids;
    nav_status status = NAV_OK;
    if (job->shared != NULL) {
        status = take_share(job, result, out);
    } else {
        status = nav_voxelize_for(job, 1, result, &solids);
        if (status == NAV_OK) {
            *out = solids.shape;
            out->span_area = solids.areas[0];
        }
    }
    if (status == NAV_OK) {
        job->report->spans += nav_bake_inner_spans(job, out->first);
    }
    return status;
}
