// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// world_detail.h: that the height detail of a random world's tile meets the floor within its
// setting, at the places where it samples it.

#pragma once

#include "world_cover.h"

static inline void detail_corner(const world_stages *s, uint32_t polygon, uint32_t index,
                                 double out[3])
{
    const nav_polygons *mesh = &s->polygons;
    const uint32_t *row = mesh->polygon_vertices + (size_t)polygon * mesh->max_vertices;
    uint32_t count = 0;
    while (count < mesh->max_vertices && row[count] != NAV_NONE) {
        count++;
    }
    for (int axis = 0; axis < 3; ++axis) {
        out[axis] =
            index < count
                ? mesh->vertices[row[index]][axis]
                : (double)s->detail.vertices[s->detail.vertex_first[polygon] + index - count][axis];
    }
}

// Height of the detail mesh at a place inside the polygon; false where it has no triangle there.
static inline bool detail_height(const world_stages *s, uint32_t polygon, double x, double z,
                                 double *height)
{
    for (uint32_t i = s->detail.triangle_first[polygon]; i < s->detail.triangle_first[polygon + 1];
         ++i) {
        double t[3][3];
        for (int k = 0; k < 3; ++k) {
            detail_corner(s, polygon, s->detail.triangles[i][k], t[k]);
        }
        double bx = t[1][0] - t[0][0], bz = t[1][2] - t[0][2], px = x - t[0][0];
        double cx = t[2][0] - t[0][0], cz = t[2][2] - t[0][2], pz = z - t[0][2];
        double area = cx * bz - bx * cz;
        double to_b = (cx * pz - px * cz) / area, to_c = (px * bz - bx * pz) / area;
        if (area > 0 && to_b >= -1e-9 && to_c >= -1e-9 && to_b + to_c <= 1 + 1e-9) {
            *height = t[0][1] + to_b * (t[1][1] - t[0][1]) + to_c * (t[2][1] - t[0][1]);
            return true;
        }
    }
    return false;
}

// How far a height is from the floor at a corner of cells, as any of the region's spans around the
// corner see it; 0 where none is: the detail then goes by what is near.
static inline double detail_error(const nav_field *f, uint32_t region, int32_t x, int32_t z,
                                  double height)
{
    double best = HUGE_VAL;
    for (int k = 0; k < 4; ++k) {
        int32_t cell_x = x - k % 2, cell_z = z - k / 2;
        if (cell_x < 0 || cell_z < 0 || cell_x >= (int32_t)f->width ||
            cell_z >= (int32_t)f->depth) {
            continue;
        }
        size_t column = (size_t)cell_z * f->width + (size_t)cell_x;
        for (uint32_t i = f->first[column]; i < f->first[column + 1]; ++i) {
            // A polygon put together at the tile's border has region 0 and may be in any.
            if (region != 0 ? f->region[i] == region : f->region[i] != 0) {
                double floor = nav_field_corner_floor(f, i, k % 2 == 0 ? 0 : 2, k / 2 == 0 ? 3 : 1);
                best = fmin(best, fabs(floor - height));
            }
        }
    }
    return best == HUGE_VAL ? 0 : best;
}

// Is a place inside of a polygon, and farther than `inset` from its edges?
static inline bool detail_inside(const world_stages *s, uint32_t polygon, double x, double z,
                                 double inset)
{
    const nav_polygons *mesh = &s->polygons;
    const uint32_t *row = mesh->polygon_vertices + (size_t)polygon * mesh->max_vertices;
    if (cover_polygon_distance(mesh, polygon, x, z) > 0) {
        return false;
    }
    for (uint32_t i = 0; i < mesh->max_vertices && row[i] != NAV_NONE; ++i) {
        bool last = i + 1 == mesh->max_vertices || row[i + 1] == NAV_NONE;
        const int32_t *a = mesh->vertices[row[i]], *b = mesh->vertices[row[last ? 0 : i + 1]];
        if (cover_segment_distance(x, z, (const int32_t[2]){a[0], a[2]},
                                   (const int32_t[2]){b[0], b[2]}) <= inset) {
            return false;
        }
    }
    return true;
}

// The worst error of a polygon's samples inside: these lie on corners of cells, on a grid of the
// sample distance, and half of that away from edges.
static inline double detail_worst(const world_stages *s, uint32_t polygon)
{
    const double step = (double)s->b.job.config->detail_sample_distance;
    double worst = 0, height;
    for (uint32_t j = 0; j * step < s->field.depth; ++j) {
        for (uint32_t i = 0; i * step < s->field.width; ++i) {
            int32_t x = (int32_t)(i * step + 0.5), z = (int32_t)(j * step + 0.5);
            if (detail_inside(s, polygon, x, z, step / 2 + 1e-6) &&
                detail_height(s, polygon, x, z, &height)) {
                worst = fmax(worst,
                             detail_error(&s->field, s->polygons.regions[polygon], x, z, height));
            }
        }
    }
    return worst;
}

// No sample is off by more than detail_max_error, up to a float's rounding of heights, but in
// polygons that a warning names.
static inline void expect_detail(const world_stages *s)
{
    const nav_config *c = s->b.job.config;
    if (!c->detail || c->detail_sample_distance <= 0) {
        return;
    }
    uint32_t excused = s->b.report.warnings[NAV_WARN_DETAIL_ERROR].count;
    for (uint32_t p = 0; p < s->polygons.count; ++p) {
        double worst = detail_worst(s, p);
        if (worst > (double)c->detail_max_error + 1e-3 && excused-- == 0) {
            fail_msg("the detail of polygon %u is off by %.3f cells", p, worst);
        }
    }
}
