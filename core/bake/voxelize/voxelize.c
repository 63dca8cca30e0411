// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// voxelize.c: step 1, triangles -> solid spans.
//
// Conservative: a voxel is solid if a triangle touches it. This file says which triangles count and
// how they face; rows.c finds the columns that each of them touches, and merge.c merges the
// touches of each column into spans. The result depends on the set of triangles alone, not on their
// order.

#include "core/bake/voxelize/voxelize.h"
#include "core/base/tolerances.h"

#include <math.h>
#include <string.h>

// The cosine of an angle in degrees, 0 to 90, by its Taylor series: libm's differ between systems.
static double cosine(double degrees)
{
    double x = degrees * (3.14159265358979323846 / 180.0);
    double term = 1, sum = 1;
    for (int n = 1; n <= 12; ++n) {
        term *= -x * x / (double)((2 * n - 1) * (2 * n));
        sum += term;
    }
    return sum;
}

static double squared(const double v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

// The length of the longest edge of a triangle of this doubled surface if it is a sliver, else 0.
static float sliver_length(double doubled_area, const double u[3], const double v[3])
{
    const double w[3] = {v[0] - u[0], v[1] - u[1], v[2] - u[2]};
    double longest2 = fmax(squared(u), fmax(squared(v), squared(w)));
    return doubled_area < NAV_SLIVER_HEIGHT_PART * longest2 ? (float)sqrt(longest2) : 0.0f;
}

// How a triangle faces: its area if it can be walked on, NAV_AREA_NONE if it is too steep or faces
// down. Returns false for a triangle without surface. sliver: its longest edge if it is one.
static bool mark_slope(const nav_bake_job *job, uint32_t number, float cosine_min, bool owned,
                       uint8_t *area, float *sliver)
{
    const nav_geometry *g = job->geometry;
    const uint32_t *index = g->triangles + 3 * (size_t)number;
    const float *a = g->vertices + 3 * (size_t)index[0];
    const float *b = g->vertices + 3 * (size_t)index[1];
    const float *c = g->vertices + 3 * (size_t)index[2];
    double ux = (double)b[0] - (double)a[0], uy = (double)b[1] - (double)a[1],
           uz = (double)b[2] - (double)a[2];
    double vx = (double)c[0] - (double)a[0], vy = (double)c[1] - (double)a[1],
           vz = (double)c[2] - (double)a[2];
    double nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    double length = sqrt(nx * nx + ny * ny + nz * nz);
    if (length == 0) {
        return false;
    }
    *sliver = sliver_length(length, (const double[3]){ux, uy, uz}, (const double[3]){vx, vy, vz});
    uint8_t given = nav_bake_triangle_area(job, number);
    bool flat_enough = ny / length >= (double)cosine_min;
    *area = flat_enough ? given : NAV_AREA_NONE;
    job->report->triangles_steep += owned && !flat_enough && given != NAV_AREA_NONE;
    return true;
}

static inline nav_corner corner_of(const nav_voxelizer *v, uint32_t vertex)
{
    const float *at = v->job->geometry->vertices + 3 * (size_t)vertex;
    return (nav_corner){.x = (double)nav_bake_cell(&v->scale, at, 0),
                        .z = (double)nav_bake_cell(&v->scale, at, 2),
                        .y = nav_bake_cell(&v->scale, at, 1)};
}

static void warn_degenerate(const nav_bake_job *job, const nav_corner *at, bool owned)
{
    if (owned) {
        nav_bake_warn(job, NAV_WARN_DEGENERATE_TRIANGLES, (float)(at->x - job->first_x_cells),
                      at->y, (float)(at->z - job->first_z_cells));
    }
}

// The triangles that reach into the tile: `count` of the list, or the first ones where it is NULL.
typedef struct triangle_range {
    const uint32_t *list;
    uint32_t count;
} triangle_range;

static triangle_range triangles_of(const nav_bake_job *job)
{
    const nav_tile_index *index = job->index;
    if (index == NULL) {
        return (triangle_range){NULL, job->geometry->triangle_count};
    }
    const uint32_t *first = index->first + (job->tile_z * job->grid->tiles_x + job->tile_x);
    return (triangle_range){index->triangles + first[0], first[1] - first[0]};
}

// Does a triangle reach into the columns and rows of the grid that are voxelized?
static bool reaches_field(const nav_voxelizer *v, const nav_corner c[3])
{
    return (c[0].x >= v->x_begin || c[1].x >= v->x_begin || c[2].x >= v->x_begin) &&
           (c[0].x < v->x_end || c[1].x < v->x_end || c[2].x < v->x_end) &&
           (c[0].z >= v->z_begin || c[1].z >= v->z_begin || c[2].z >= v->z_begin) &&
           (c[0].z < v->z_end || c[1].z < v->z_end || c[2].z < v->z_end);
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

// Looks at a triangle for the first time: what it is, whether it counts and is worth a warning.
static uint8_t face_of(const nav_voxelizer *v, uint32_t number, const nav_corner c[3],
                       float cosine_min)
{
    const nav_bake_job *job = v->job;
    uint32_t tile = job->tile_z * job->grid->tiles_x + job->tile_x;
    bool owned = nav_bake_owner(job->grid, (float)c[0].x, (float)c[0].z) == tile;
    uint8_t area;
    float sliver;
    if (!mark_slope(job, number, cosine_min, owned, &area, &sliver)) {
        warn_degenerate(job, &c[0], owned);
        return NAV_FACE_NONE;
    }
    if (sliver > 0 && owned) {
        nav_bake_warn_value(job, NAV_WARN_SLIVER_TRIANGLES,
                            (float)c[0].x - (float)job->first_x_cells, c[0].y,
                            (float)c[0].z - (float)job->first_z_cells, sliver);
    }
    if (!reaches_field(v, c)) {
        return NAV_FACE_NONE;
    }
    job->report->triangles += owned;
    return area;
}

// Voxelizes all triangles within the band; in the first band it is found out what they are.
static nav_status voxelize_triangles(nav_voxelizer *v, bool first_band)
{
    const nav_bake_job *job = v->job;
    float cosine_min = (float)cosine((double)job->config->agent_max_slope);
    triangle_range range = triangles_of(job);
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
        const nav_corner c[3] = {corner_of(v, index[0]), corner_of(v, index[1]),
                                 corner_of(v, index[2])};
        if (first_band) {
            v->faces[k] = face_of(v, i, c, cosine_min);
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
        v->band_begin = band_begin > v->z_begin ? band_begin : v->z_begin;
        v->band_end = band_end < v->z_end ? band_end : v->z_end;
        v->touches = (nav_touches){.columns = v->touches.columns};
        nav_arena_init_child(&v->touches.chunk_arena, job->scratch);
        nav_arena_init_child(&v->touches.list_arena, job->scratch);
        status = voxelize_triangles(v, begin == 0);
        if (status == NAV_OK) {
            status = nav_voxelize_merge(job, &v->touches, (size_t)begin * job->width_cells,
                                        (size_t)end * job->width_cells, spans);
        }
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

static nav_status write_spans(const nav_bake_job *job, nav_span_list *spans, nav_arena *result,
                              nav_heightfield *out)
{
    const size_t count = spans->count;
    void *min = NULL, *max = NULL, *area = NULL;
    nav_status status = gather(job, &spans->min, result, count * sizeof *out->span_min, &min);
    if (status == NAV_OK) {
        status = gather(job, &spans->max, result, count * sizeof *out->span_max, &max);
    }
    if (status == NAV_OK) {
        status = gather(job, &spans->area, result, count, &area);
    }
    out->span_count = spans->count;
    out->span_min = min;
    out->span_max = max;
    out->span_area = area;
    return status;
}

static size_t column_count(const nav_bake_job *job)
{
    return (size_t)job->width_cells * job->depth_cells;
}

static bool voxelizer_init(nav_voxelizer *v, nav_arena *result)
{
    const nav_bake_job *job = v->job;
    // The padding of the outermost tiles lies beside the grid and stays empty, as there is nothing
    // beside a world of one tile.
    int32_t x_end = job->first_x_cells + (int32_t)job->width_cells;
    int32_t z_end = job->first_z_cells + (int32_t)job->depth_cells;
    int32_t grid_width = (int32_t)job->grid->width_cells;
    int32_t grid_depth = (int32_t)job->grid->depth_cells;
    v->x_begin = job->first_x_cells > 0 ? job->first_x_cells : 0;
    v->x_end = x_end < grid_width ? x_end : grid_width;
    v->z_begin = job->first_z_cells > 0 ? job->first_z_cells : 0;
    v->z_end = z_end < grid_depth ? z_end : grid_depth;
    NAV_ASSERT(v->x_begin < v->x_end); // the tile lies in the grid
    NAV_ASSERT(v->z_begin < v->z_end);
    v->scale = nav_bake_cell_scale(job->grid);
    v->faces = NAV_NEW(job->scratch, uint8_t, triangles_of(job).count);
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

nav_status nav_bake_voxelize(const nav_bake_job *job, nav_arena *result, nav_heightfield *out)
{
    NAV_ASSERT(job->width_cells > 0);
    NAV_ASSERT(job->depth_cells > 0);
    NAV_ASSERT(result != job->scratch);
    NAV_ASSERT(!job->liquid_pass || job->has_liquid);
    nav_voxelizer v = {.job = job};
    if (!voxelizer_init(&v, result)) {
        return NAV_NO_MEMORY;
    }
    if (!nav_bake_clear(job, v.touches.columns, (column_count(job) + 1) * sizeof(uint32_t))) {
        return nav_bake_end(job);
    }
    nav_span_list spans = {0};
    nav_arena_init_child(&spans.min.arena, job->scratch);
    nav_arena_init_child(&spans.max.arena, job->scratch);
    nav_arena_init_child(&spans.area.arena, job->scratch);
    nav_heightfield solid = {
        .width = job->width_cells, .depth = job->depth_cells, .first = v.touches.columns};
    nav_status status = voxelize_bands(&v, &spans);
    if (status == NAV_OK) {
        solid.first[(size_t)solid.width * solid.depth] = spans.count;
        status = write_spans(job, &spans, result, &solid);
    }
    nav_arena_free(&spans.min.arena);
    nav_arena_free(&spans.max.arena);
    nav_arena_free(&spans.area.arena);
    if (status == NAV_OK) {
        job->report->spans += nav_bake_inner_spans(job, solid.first);
        *out = solid;
    }
    return status;
}
