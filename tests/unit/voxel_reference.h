// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// voxel_reference.h: voxelization as one would define it, slowly: clip the triangle to each single
// cell and see between which heights what is left lies. Where that is too close to a border of the
// voxel to be sure of, the verdict stays open.

#pragma once

#include "bake_builder.h"

#include <math.h>

#define REFERENCE_HEIGHT 256 // height cells that the reference looks at

typedef struct point {
    double x, y, z;
} point;

typedef struct polygon {
    point points[16];
    int count;
} polygon;

// The part of a convex polygon where side * (x or z) >= side * at (Sutherland and Hodgman 1974).
static inline polygon clip(const polygon *in, bool along_x, double at, double side)
{
    polygon out = {.count = 0};
    for (int i = 0; i < in->count; ++i) {
        point a = in->points[i], b = in->points[(i + 1) % in->count];
        double da = side * ((along_x ? a.x : a.z) - at);
        double db = side * ((along_x ? b.x : b.z) - at);
        if (da >= 0) {
            out.points[out.count++] = a;
        }
        if ((da > 0 && db < 0) || (da < 0 && db > 0)) {
            double t = da / (da - db);
            point cut = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
            *(along_x ? &cut.x : &cut.z) = at;
            out.points[out.count++] = cut;
        }
    }
    return out;
}

// The part of a polygon over the cells [at, at + 1].
static inline polygon slice(const polygon *in, bool along_x, double at)
{
    polygon half = clip(in, along_x, at, 1);
    return clip(&half, along_x, at + 1, -1);
}

static inline void extent(const polygon *p, int axis, double *min, double *max)
{
    *min = (double)INFINITY;
    *max = -(double)INFINITY;
    for (int i = 0; i < p->count; ++i) {
        double value = axis == 0 ? p->points[i].x : axis == 1 ? p->points[i].y : p->points[i].z;
        *min = fmin(*min, value);
        *max = fmax(*max, value);
    }
}

typedef enum verdict {
    NO,
    MAYBE,
    YES
} verdict;

// Whether the cell [at, at + 1) is touched by an extent: one that merely ends at its border does
// not count, and a line in the border belongs to the cell above it. Overlaps within rounding are
// left open.
static inline verdict touches_cell(double min, double max, double at)
{
    if (min == max) {
        return min >= at && min < at + 1 ? YES : NO;
    }
    double overlap = fmin(max, at + 1) - fmax(min, at);
    return overlap < -1e-9 ? NO : overlap > 1e-9 ? YES : MAYBE;
}

// The voxels that triangles make solid: per cell of each column NO, MAYBE (too close to a border of
// the voxel to say) or YES.
typedef struct reference {
    uint8_t *cells; // width * depth * REFERENCE_HEIGHT verdicts
    uint32_t width, depth;
    uint64_t sure, open;
} reference;

static inline void reference_touch(reference *r, uint32_t x, uint32_t z, double low, double high,
                                   verdict touched)
{
    uint8_t *cells = r->cells + ((size_t)z * r->width + x) * REFERENCE_HEIGHT;
    const double tolerance = 1e-4;
    int sure_low = (int)fmax(floor(low + tolerance), 0),
        low_cells = (int)fmax(floor(low - tolerance), 0);
    int sure_high = (int)ceil(high - tolerance), high_cells = (int)ceil(high + tolerance);
    sure_high = sure_high > low_cells ? sure_high : low_cells + 1;
    high_cells = high_cells > sure_low ? high_cells : sure_low + 1;
    bool flat_on_border = sure_low != low_cells && sure_high <= sure_low;
    for (int y = low_cells; y < high_cells && y < REFERENCE_HEIGHT; ++y) {
        bool sure = touched == YES && !flat_on_border && y >= sure_low && y < sure_high;
        verdict v = sure ? YES : MAYBE;
        cells[y] = v > cells[y] ? (uint8_t)v : cells[y];
    }
}

static inline void reference_add(reference *r, const point corners[3])
{
    polygon triangle = {.points = {corners[0], corners[1], corners[2]}, .count = 3};
    double z_min, z_max;
    extent(&triangle, 2, &z_min, &z_max);
    for (uint32_t z = 0; z < r->depth; ++z) {
        verdict in_row = touches_cell(z_min, z_max, z);
        polygon row = slice(&triangle, false, z);
        if (in_row == NO || row.count == 0) {
            continue;
        }
        double x_min, x_max;
        extent(&row, 0, &x_min, &x_max);
        for (uint32_t x = 0; x < r->width; ++x) {
            verdict in_cell = touches_cell(x_min, x_max, x);
            polygon cell = slice(&row, true, x);
            if (in_cell != NO && cell.count > 0) {
                double low, high;
                extent(&cell, 1, &low, &high);
                reference_touch(r, x, z, low, high, in_cell < in_row ? in_cell : in_row);
            }
        }
    }
}

static inline void reference_compare(reference *r, const nav_heightfield *solid)
{
    for (size_t column = 0; column < (size_t)r->width * r->depth; ++column) {
        uint8_t filled[REFERENCE_HEIGHT] = {0};
        uint32_t above = 0;
        for (uint32_t i = solid->first[column]; i < solid->first[column + 1]; ++i) {
            assert_true(solid->span_min[i] < solid->span_max[i]);
            assert_true(i == solid->first[column] || solid->span_min[i] > above);
            above = solid->span_max[i];
            assert_true(above <= REFERENCE_HEIGHT);
            memset(filled + solid->span_min[i], 1, above - solid->span_min[i]);
        }
        const uint8_t *cells = r->cells + column * REFERENCE_HEIGHT;
        for (uint32_t y = 0; y < REFERENCE_HEIGHT; ++y) {
            const verdict v = cells[y];
            if (v == NO && !filled[y]) {
                continue;
            }
            r->sure += v == YES;
            r->open += v == MAYBE;
            if ((v == YES && !filled[y]) || (v == NO && filled[y])) {
                fail_msg("column %zu, %zu, height %u: %s", column % r->width, column / r->width, y,
                         filled[y] ? "solid, but nothing touches it" : "touched, but not solid");
            }
        }
    }
}
