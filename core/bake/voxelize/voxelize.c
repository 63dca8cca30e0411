// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// voxelize.c: step 1, triangles -> solid spans.
//
// Conservative: a voxel is solid if a triangle touches it. This file says which triangles count,
// faces.c how they face; rows.c finds the columns that each of them touches, and merge.c merges the
// touches of each column into spans. The result depends on the set of triangles alone, not on their
// order.

#include "core/bake/voxelize/voxelize.h"

#include <math.h>
#include <string.h>

nav_corner nav_voxelize_corner(const nav_voxelizer *v, uint32_t vertex)
{
    const float *at = v->job->geometry->vertices + 3 * (size_t)vertex;
    return (nav_corner){.x = (double)nav_bake_cell(&v->scale, at, 0),
                        .z = (double)nav_bake_cell(&v->scale, at, 2),
                        .y = nav_bake_cell(&v->scale, at, 1)};
}

// Does the triangle of these vertices reach into the band's rows? Most do not, and all that is
// asked of them is this.
static inline bool reaches_band(const nav_voxelizer *v, const uint32_t index[3])
{
    const float *vertices = v->job->geometry->vertices;
    float begin = (float)v->band_begin, end = (float)v->band_end;
    float z0 = nav_bake_cell(&v->scale, vertices + 3 * (size_t)index[0], 2);
    float z1 = nav_bake_cell(&v->scale, vertices + 3 * (size_t)index[1], 2);
    float z2 = nav_bake_cell(&v->scale, vertices + 3 * (size_t)index[2], 2);
    return ((z0 >= begin) | (z1 >= begin) | (z2 >= begin)) & ((z0 < end) | (z1 < end) | (z2 < end));
}

// Voxelizes all triangles within the band; in the first band it is found out what they are.
static nav_status voxelize_triangles(nav_voxelizer *v, bool first_band)
{
    const nav_bake_job *job = v->job;
    nav_triangle_range range = nav_triangles_of(job);
    for (uint32_t k = 0; k < range.count; ++k) {
        if (nav_cancel_poll(job->cancel, NAV_STEP_NODE)) {
            return nav_bake_end(job);
        }
        uint32_t i = range.list != NULL ? range.list[k] : k;
        if (first_band ? nav_bake_other_pass(job, i) : v->faces[k] == NAV_FACE_NONE) {
            v->faces[k] = NAV_FACE_NONE;
            continue;
        }
        const uint32_t *index = job->geometry->triangles + 3 * (size_t)i;
        NAV_DCHECK(i < job->geometry->triangle_count);
        NAV_DCHECK(index[0] < job->geometry->vertex_count);
        NAV_DCHECK(index[1] < job->geometry->vertex_count);
        NAV_DCHECK(index[2] < job->geometry->vertex_count);
        bool in_band = reaches_band(v, index);
        if (!in_band && !first_band) {
            continue;
        }
        const nav_corner c[3] = {nav_voxelize_corner(v, index[0]), nav_voxelize_corner(v, index[1]),
                                 nav_voxelize_corner(v, index[2])};
        if (first_band) {
            v->faces[k] = nav_face_of(v, i, c);
        }
        if (v->faces[k] == NAV_FACE_NONE || !in_band) {
            continue;
        }
        nav_status status = nav_voxelize_triangle(v, c, v->faces[k]);
        if (status != NAV_OK) {
            return status;
        }
    }
    return NAV_OK;
}

// Fields of fewer rows are voxelized at once.
#define BAND_ROWS_MIN 16u

// The touches of all triangles would need more than twice the memory of the spans that they become:
// so the field is voxelized in bands, one after the other.
#define BANDS 3u

static nav_status voxelize_bands(nav_voxelizer *v, nav_span_list *spans)
{
    const nav_bake_job *job = v->job;
    uint32_t rows = (job->depth_cells + BANDS - 1) / BANDS;
    rows = rows < BAND_ROWS_MIN ? job->depth_cells : rows;
    nav_status status = NAV_OK;
    for (uint32_t begin = 0; status == NAV_OK && begin < job->depth_cells; begin += rows) {
        uint32_t end = begin + rows < job->depth_cells ? begin + rows : job->depth_cells;
        int32_t band_begin = job->first_z_cells + (int32_t)begin;
        int32_t band_end = job->first_z_cells + (int32_t)end;
        v->band_begin = band_begin > v->range.z_begin ? band_begin : v->range.z_begin;
        v->band_end = band_end < v->range.z_end ? band_end : v->range.z_end;
        v->touches = (nav_touches){.columns = v->touches.columns};
        nav_arena_init_child(&v->touches.chunk_arena, job->scratch);
        nav_arena_init_child(&v->touches.list_arena, job->scratch);
        status = voxelize_triangles(v, begin == 0);
        NAV_IF_OK(status, nav_voxelize_merge(v, (size_t)begin * job->width_cells,
                                             (size_t)end * job->width_cells, spans));
        nav_arena_free(&v->touches.chunk_arena);
        nav_arena_free(&v->touches.list_arena);
    }
    return status;
}

// Asked each time after so many bytes.
#define GATHERED_BYTES ((size_t)4 << 20)

// From chunks to an array, and the chunks are gone.
static nav_status gather(const nav_bake_job *job, nav_span_numbers *numbers, nav_arena *result,
                         size_t size_bytes, void **out)
{
    uint8_t *array = nav_arena_alloc(result, 1, size_bytes);
    if (array == NULL) {
        return NAV_NO_MEMORY;
    }
    size_t done = 0;
    for (const nav_span_chunk *c = numbers->oldest; done < size_bytes; c = c->next) {
        if (done % GATHERED_BYTES == 0 && nav_cancel_poll(job->cancel, NAV_STEP_ROW)) {
            return nav_bake_end(job);
        }
        NAV_ASSERT(c != NULL); // there is a chunk for every number
        const size_t left = size_bytes - done;
        const size_t count = left < NAV_SPAN_CHUNK_BYTES ? left : NAV_SPAN_CHUNK_BYTES;
        memcpy(array + done, c->bytes, count);
        done += count;
    }
    nav_arena_free(&numbers->arena);
    *out = array;
    return NAV_OK;
}

static nav_status write_spans(const nav_voxelizer *v, nav_span_list *spans, nav_arena *result,
                              nav_solids *out)
{
    const nav_bake_job *job = v->job;
    const size_t count = spans->count;
    nav_heightfield *shape = &out->shape;
    void *min = NULL, *max = NULL, *area = NULL;
    nav_status status = gather(job, &spans->min, result, count * sizeof *shape->span_min, &min);
    NAV_IF_OK(status, gather(job, &spans->max, result, count * sizeof *shape->span_max, &max));
    for (uint32_t i = 0; status == NAV_OK && i < v->agent_count; ++i) {
        status = gather(job, &spans->areas[i], result, count, &area);
        out->areas[i] = area;
    }
    shape->span_count = spans->count;
    shape->span_min = min;
    shape->span_max = max;
    return status;
}

static size_t column_count(const nav_bake_job *job)
{
    return (size_t)job->width_cells * job->depth_cells;
}

static const nav_bake_job *widest_of(const nav_bake_job *jobs, uint32_t count)
{
    const nav_bake_job *widest = &jobs[0];
    for (uint32_t i = 1; i < count; ++i) {
        NAV_ASSERT(jobs[i].tile_x == widest->tile_x && jobs[i].tile_z == widest->tile_z);
        widest = jobs[i].border_cells > widest->border_cells ? &jobs[i] : widest;
    }
    return widest;
}

static bool voxelizer_init(nav_voxelizer *v, nav_arena *result)
{
    const nav_bake_job *job = v->job;
    v->range = nav_field_range_of(job);
    NAV_ASSERT(v->range.x_begin < v->range.x_end); // the tile lies in the grid
    NAV_ASSERT(v->range.z_begin < v->range.z_end);
    v->scale = nav_bake_cell_scale(job->grid);
    nav_faces_init(&v->slopes, v->agents, v->agent_count);
    v->faces = NAV_NEW(job->scratch, uint8_t, nav_triangles_of(job).count);
    v->row_low = NAV_NEW(job->scratch, float, job->width_cells);
    v->row_high = NAV_NEW(job->scratch, float, job->width_cells);
    v->touches.columns = NAV_NEW(result, uint32_t, column_count(job) + 1);
    if (v->faces == NULL || v->row_low == NULL || v->row_high == NULL ||
        v->touches.columns == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < job->width_cells; ++i) {
        v->row_low[i] = INFINITY;
        v->row_high[i] = -INFINITY;
    }
    return true;
}

nav_status nav_voxelize_for(const nav_bake_job *jobs, uint32_t count, nav_arena *result,
                            nav_solids *out)
{
    NAV_ASSERT(count > 0 && count <= NAV_ALL_AGENTS);
    const nav_bake_job *job = widest_of(jobs, count);
    NAV_ASSERT(job->width_cells > 0);
    NAV_ASSERT(job->depth_cells > 0);
    NAV_ASSERT(result != job->scratch);
    NAV_ASSERT(!job->liquid_pass || job->has_liquid);
    nav_voxelizer v = {.job = job, .agents = jobs, .agent_count = count};
    if (!voxelizer_init(&v, result)) {
        return NAV_NO_MEMORY;
    }
    if (!nav_bake_clear(job, v.touches.columns, (column_count(job) + 1) * sizeof(uint32_t))) {
        return nav_bake_end(job);
    }
    nav_span_list spans = {0};
    nav_arena_init_child(&spans.min.arena, job->scratch);
    nav_arena_init_child(&spans.max.arena, job->scratch);
    for (uint32_t i = 0; i < count; ++i) {
        nav_arena_init_child(&spans.areas[i].arena, job->scratch);
    }
    nav_solids solids = {.shape = {.width = job->width_cells,
                                   .depth = job->depth_cells,
                                   .first = v.touches.columns}};
    nav_status status = voxelize_bands(&v, &spans);
    if (status == NAV_OK) {
        solids.shape.first[column_count(job)] = spans.count;
        status = write_spans(&v, &spans, result, &solids);
    }
    nav_arena_free(&spans.min.arena);
    nav_arena_free(&spans.max.arena);
    for (uint32_t i = 0; i < count; ++i) {
        nav_arena_free(&spans.areas[i].arena);
    }
    if (status == NAV_OK) {
        *out = solids;
    }
    return status;
}
