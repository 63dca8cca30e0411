// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// faces.c: which triangles count, and how they face: the first look of step 1 at each triangle, for
// all agents at once. An agent's report has the numbers and warnings that it would have alone.

#include "core/bake/voxelize/voxelize.h"
#include "core/base/tolerances.h"

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

// So many halvings are finer than a float's steps.
#define DEGREES_STEPS 40

double nav_face_degrees(double upward)
{
    const double c = fabs(upward);
    double low = 0, high = 90;
    for (int i = 0; i < DEGREES_STEPS; ++i) {
        const double middle = low + (high - low) / 2;
        *(cosine(middle) > c ? &low : &high) = middle;
    }
    return upward < 0 ? 180 - high : high;
}

// ---- the limits of several agents ----

// All areas that triangles of the tile have are below it.
static uint32_t stride_of(const nav_bake_job *job)
{
    const nav_geometry *g = job->geometry;
    const nav_triangle_range range = nav_triangles_of(job);
    uint32_t highest = NAV_AREA_GROUND;
    for (uint32_t i = 0; g->triangle_areas != NULL && i < range.count; ++i) {
        const uint8_t area = g->triangle_areas[range.list != NULL ? range.list[i] : i];
        highest = area > highest ? area : highest;
    }
    for (uint32_t i = 0; job->material_areas != NULL && i < g->material_count; ++i) {
        highest = job->material_areas[i] > highest ? job->material_areas[i] : highest;
    }
    return highest + 1;
}

// The different limits of the jobs, the flattest first; returns how many there are.
static uint32_t list_limits(const nav_bake_job *jobs, uint32_t count, float out[NAV_ALL_AGENTS])
{
    uint32_t limits = 0;
    for (uint32_t k = 0; k < count; ++k) {
        const float slope = jobs[k].config->agent_max_slope;
        uint32_t i = 0;
        while (i < limits && out[i] < slope) {
            ++i;
        }
        if (i < limits && out[i] == slope) {
            continue;
        }
        for (uint32_t j = limits++; j > i; --j) {
            out[j] = out[j - 1];
        }
        out[i] = slope;
    }
    return limits;
}

uint32_t nav_faces_fit(const nav_bake_job *jobs, uint32_t count)
{
    float slopes[NAV_ALL_AGENTS] = {0};
    const uint32_t stride = count > 1 ? stride_of(&jobs[0]) : NAV_FACE_NONE;
    uint32_t fit = 1;
    while (fit < count && list_limits(jobs, fit + 1, slopes) * stride <= NAV_FACE_NONE) {
        ++fit;
    }
    return fit;
}

void nav_faces_init(nav_faces *faces, const nav_bake_job *jobs, uint32_t count)
{
    float slopes[NAV_ALL_AGENTS] = {0};
    *faces = (nav_faces){.limit_count = list_limits(jobs, count, slopes)};
    // Each number but NAV_FACE_NONE may be an area if there is one limit.
    faces->stride = faces->limit_count > 1 ? stride_of(&jobs[0]) : NAV_FACE_NONE;
    NAV_ASSERT(faces->limit_count * faces->stride <= NAV_FACE_NONE);
    for (uint32_t i = 0; i < faces->limit_count; ++i) {
        faces->cosine_min[i] = (float)cosine((double)slopes[i]);
    }
    for (uint32_t k = 0; k < count; ++k) {
        uint32_t limit = 0;
        while (slopes[limit] != jobs[k].config->agent_max_slope) {
            ++limit;
        }
        faces->limits[k] = (uint8_t)limit;
        for (uint32_t face = 0; face < (limit + 1) * faces->stride; ++face) {
            faces->areas[k][face] = (uint8_t)(face % faces->stride);
        }
    }
}

// ---- one triangle ----

static double squared(const double v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

// The length of the longest edge of a triangle of this doubled surface if it is a sliver, else 0.
static float sliver_length(double doubled_area, const double u[3], const double v[3])
{
    const double w[3] = {v[0] - u[0], v[1] - u[1], v[2] - u[2]};
    double longest2 = fmax(squared(u), fmax(squared(v), squared(w)));
    return doubled_area < NAV_SLIVER_HEIGHT_RATIO * longest2 ? (float)sqrt(longest2) : 0.0f;
}

bool nav_face_slope(const nav_geometry *g, uint32_t number, double *upward, float *sliver)
{
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
    *upward = ny / length;
    return true;
}

static void warn(const nav_bake_job *job, nav_warning_code code, const nav_corner *at, float value)
{
    nav_bake_warn_value(job, code, (float)at->x - (float)job->first_x_cells, at->y,
                        (float)at->z - (float)job->first_z_cells, value);
}

// Does a triangle reach into these columns and rows?
static bool reaches(nav_field_range range, const nav_corner c[3])
{
    return (c[0].x >= range.x_begin || c[1].x >= range.x_begin || c[2].x >= range.x_begin) &&
           (c[0].x < range.x_end || c[1].x < range.x_end || c[2].x < range.x_end) &&
           (c[0].z >= range.z_begin || c[1].z >= range.z_begin || c[2].z >= range.z_begin) &&
           (c[0].z < range.z_end || c[1].z < range.z_end || c[2].z < range.z_end);
}

// Reports to each agent a triangle that its tile owns. steep: how many limits it is beyond.
static void count_owned(const nav_voxelizer *v, const nav_corner c[3], uint8_t area, uint32_t steep,
                        float sliver)
{
    for (uint32_t k = 0; k < v->agent_count; ++k) {
        const nav_bake_job *job = &v->agents[k];
        job->report->triangles_steep += area != NAV_AREA_NONE && v->slopes.limits[k] < steep;
        if (sliver > 0) {
            warn(job, NAV_WARN_SLIVER_TRIANGLES, &c[0], sliver);
        }
        job->report->triangles += reaches(nav_field_range_of(job), c);
    }
}

uint8_t nav_face_of(const nav_voxelizer *v, uint32_t number, const nav_corner c[3])
{
    const nav_bake_job *job = v->job;
    const nav_faces *faces = &v->slopes;
    const uint32_t tile = job->tile_z * job->grid->tiles_x + job->tile_x;
    const bool owned = nav_bake_owner(job->grid, (float)c[0].x, (float)c[0].z) == tile;
    double upward;
    float sliver;
    if (!nav_face_slope(job->geometry, number, &upward, &sliver)) {
        for (uint32_t k = 0; owned && k < v->agent_count; ++k) {
            warn(&v->agents[k], NAV_WARN_DEGENERATE_TRIANGLES, &c[0], 0);
        }
        return NAV_FACE_NONE;
    }
    const uint8_t area = nav_bake_triangle_area(job, number);
    NAV_DCHECK(area < faces->stride);
    uint32_t steep = 0;
    while (steep < faces->limit_count && !(upward >= (double)faces->cosine_min[steep])) {
        ++steep;
    }
    if (owned) {
        count_owned(v, c, area, steep, sliver);
    }
    return !reaches(v->range, c) ? NAV_FACE_NONE
           : area == NAV_AREA_NONE || steep == faces->limit_count
               ? NAV_AREA_NONE
               : (uint8_t)(area + steep * faces->stride);
}
