// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bake_voxelize.c: step 1, triangles -> solid spans.
//
// Conservative: a voxel is solid if a triangle touches it. This file says which triangles count and
// how they face; bake_voxelize_rows.c finds the columns that each of them touches, and
// bake_voxelize_merge.c merges the touches of each column into spans. The result depends on the set
// of triangles alone, not on their order.

#include "bake_voxelize.h"

#include <math.h>

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

// Height over longest edge under which a triangle is a sliver: its normal, and so whether it can be
// walked on, hangs on the last digits of its corners.
#define SLIVER_HEIGHT 1e-3

static double squared(const double v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

// The length of the longest edge of a triangle of this doubled surface if it is a sliver, else 0.
static float sliver_length(double doubled_area, const double u[3], const double v[3])
{
    const double w[3] = {v[0] - u[0], v[1] - u[1], v[2] - u[2]};
    double longest2 = fmax(squared(u), fmax(squared(v), squared(w)));
    return doubled_area < SLIVER_HEIGHT * longest2 ? (float)sqrt(longest2) : 0.0f;
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

static nav_corner corner_of(const nav_bake_job *job, uint32_t vertex)
{
    float cells[3];
    nav_bake_cells(job->grid, job->geometry->vertices + 3 * (size_t)vertex, cells);
    return (nav_corner){.x = (double)cells[0], .z = (double)cells[2], .y = cells[1]};
}

static void warn_degenerate(const nav_bake_job *job, const nav_corner *at, bool owned)
{
    if (owned) {
        nav_bake_warn(job, NAV_WARN_DEGENERATE_TRIANGLES, (float)(at->x - job->first_x_cells),
                      at->y, (float)(at->z - job->first_z_cells));
    }
}

static nav_status voxelize_triangles(nav_voxelizer *v)
{
    const nav_bake_job *job = v->job;
    float cosine_min = (float)cosine((double)job->config->agent_max_slope);
    uint32_t tile = job->tile_z * job->grid->tiles_x + job->tile_x;
    const nav_tile_index *list = job->index;
    uint32_t begin = list != NULL ? list->first[tile] : 0;
    uint32_t end = list != NULL ? list->first[tile + 1] : job->geometry->triangle_count;
    for (uint32_t k = begin; k < end; ++k) {
        if ((k - begin) % 256 == 0 && nav_bake_cancelled(job)) {
            return nav_bake_end(job);
        }
        uint32_t i = list != NULL ? list->triangles[k] : k;
        if (nav_bake_other_pass(job, i)) {
            continue;
        }
        const uint32_t *index = job->geometry->triangles + 3 * (size_t)i;
        nav_corner c[3] = {corner_of(job, index[0]), corner_of(job, index[1]),
                           corner_of(job, index[2])};
        bool owned = nav_bake_owner(job->grid, (float)c[0].x, (float)c[0].z) == tile;
        uint8_t area;
        float sliver;
        if (!mark_slope(job, i, cosine_min, owned, &area, &sliver)) {
            warn_degenerate(job, &c[0], owned);
            continue;
        }
        if (sliver > 0 && owned) {
            nav_bake_warn_value(job, NAV_WARN_SLIVER_TRIANGLES,
                                (float)c[0].x - (float)job->first_x_cells, c[0].y,
                                (float)c[0].z - (float)job->first_z_cells, sliver);
        }
        nav_status status = nav_voxelize_triangle(v, c, area, owned);
        if (status != NAV_OK) {
            return status;
        }
    }
    return NAV_OK;
}

nav_status nav_bake_voxelize(const nav_bake_job *job, nav_arena *result, nav_heightfield *out)
{
    NAV_ASSERT(job->width_cells > 0 && job->depth_cells > 0);
    // The padding of the outermost tiles lies beside the grid and stays empty, as there is nothing
    // beside a world of one tile.
    int32_t x_end = job->first_x_cells + (int32_t)job->width_cells;
    int32_t z_end = job->first_z_cells + (int32_t)job->depth_cells;
    int32_t grid_width = (int32_t)job->grid->width_cells,
            grid_depth = (int32_t)job->grid->depth_cells;
    size_t columns = (size_t)job->width_cells * job->depth_cells;
    nav_voxelizer v = {.job = job,
                       .x_begin = job->first_x_cells > 0 ? job->first_x_cells : 0,
                       .x_end = x_end < grid_width ? x_end : grid_width,
                       .z_begin = job->first_z_cells > 0 ? job->first_z_cells : 0,
                       .z_end = z_end < grid_depth ? z_end : grid_depth,
                       .row_low = NAV_NEW(job->scratch, float, job->width_cells),
                       .row_high = NAV_NEW(job->scratch, float, job->width_cells),
                       .touches.columns = NAV_NEW_ZERO(result, uint32_t, columns + 1)};
    if (v.touches.columns == NULL || v.row_low == NULL || v.row_high == NULL) {
        return NAV_NO_MEMORY;
    }
    for (uint32_t i = 0; i < job->width_cells; ++i) {
        v.row_low[i] = INFINITY;
        v.row_high[i] = -INFINITY;
    }
    nav_arena_init_child(&v.touches.chunk_arena, job->scratch);
    nav_arena_init_child(&v.touches.list_arena, job->scratch);
    nav_status status = voxelize_triangles(&v);
    if (status == NAV_OK) {
        status = nav_voxelize_merge(job, &v.touches, result, out);
    }
    nav_arena_free(&v.touches.chunk_arena);
    nav_arena_free(&v.touches.list_arena);
    return status;
}
