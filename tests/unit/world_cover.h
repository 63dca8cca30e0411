// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// world_cover.h: that contours, polygons and the field of a random world's tile cover each other as
// closely as the settings ask.

#pragma once

#include "world_stages.h"

static inline double cover_segment_distance(double x, double z, const int32_t a[2],
                                            const int32_t b[2])
{
    double dx = b[0] - a[0], dz = b[1] - a[1], px = x - a[0], pz = z - a[1];
    double length = dx * dx + dz * dz;
    double t = length > 0 ? fmin(1, fmax(0, (px * dx + pz * dz) / length)) : 0;
    px -= t * dx;
    pz -= t * dz;
    return sqrt(px * px + pz * pz);
}

// From a place to the nearest wall of a region's cells.
static inline double cover_wall_distance(const nav_field *f, uint32_t region, double x, double z)
{
    double best = HUGE_VAL;
    for (uint32_t column = 0; column < f->width * f->depth; ++column) {
        for (uint32_t i = f->first[column]; i < f->first[column + 1]; ++i) {
            for (int d = 0; d < 4 && f->region[i] == region; ++d) {
                uint32_t n = nav_field_neighbour(f, i, d);
                if (n != NAV_NONE && f->region[n] != 0) {
                    continue;
                }
                int32_t x0 = (int32_t)(column % f->width) + (d == 2);
                int32_t z0 = (int32_t)(column / f->width) + (d == 1);
                best = fmin(
                    best, cover_segment_distance(x, z, (const int32_t[2]){x0, z0},
                                                 (const int32_t[2]){x0 + d % 2, z0 + (d + 1) % 2}));
            }
        }
    }
    return best;
}

// A contour's walls lie within the configured error of the walls of its region's cells, but for
// rounding: so do its points, which are points of those, and every point of an edge is as near to
// the cells' walls as the farthest corner that the edge passes by is to it.
static inline void expect_contour_error(const world_stages *s)
{
    const double error = (double)s->b.job.config->edge_max_error + 1e-6;
    for (uint32_t k = 0; k < s->contours.count; ++k) {
        const nav_contour *c = &s->contours.contours[k];
        for (uint32_t i = 0; i < c->point_count; ++i) {
            const nav_contour_point *a = &c->points[i], *b = &c->points[(i + 1) % c->point_count];
            if ((a->neighbour & NAV_CONTOUR_REGION_MASK) != 0) {
                continue;
            }
            for (int part = 0; part < 4; ++part) {
                double t = part / 4.0;
                double far = cover_wall_distance(&s->field, c->region, a->x + t * (b->x - a->x),
                                                 a->z + t * (b->z - a->z));
                if (far > error) {
                    fail_msg("a wall of region %u is off by %.2f near %d, %d", c->region, far, a->x,
                             a->z);
                }
            }
        }
    }
}

// Distance from a place to a polygon in plan view; 0 inside.
static inline double cover_polygon_distance(const nav_polygons *mesh, uint32_t polygon, double x,
                                            double z)
{
    const uint32_t *row = mesh->polygon_vertices + (size_t)polygon * mesh->max_vertices;
    uint32_t count = 0;
    while (count < mesh->max_vertices && row[count] != NAV_NONE) {
        count++;
    }
    double best = HUGE_VAL, area = 0;
    bool inside = true;
    for (uint32_t i = 0; i < count; ++i) {
        const int32_t *a = mesh->vertices[row[i]], *b = mesh->vertices[row[(i + 1) % count]];
        inside &= (x - a[0]) * (b[2] - a[2]) - (b[0] - a[0]) * (z - a[2]) >= 0;
        area += (double)b[0] * a[2] - (double)a[0] * b[2];
        best = fmin(best, cover_segment_distance(x, z, (const int32_t[2]){a[0], a[2]},
                                                 (const int32_t[2]){b[0], b[2]}));
    }
    return inside && area > 0 ? 0 : best;
}

// A region so thin that its border folds up within the error, or turns inside out, has none.
static inline bool has_polygons(const world_stages *s, uint32_t region)
{
    for (uint32_t p = 0; p < s->polygons.count; ++p) {
        if (s->polygons.regions[p] == region) {
            return true;
        }
    }
    return false;
}

// Cells of regions and polygons lie over each other: from the middle of each cell that one has, the
// other is no farther than the contour's error and half a cell's diagonal.
static inline void expect_cover(const world_stages *s)
{
    const nav_field *f = &s->field;
    const nav_polygons *mesh = &s->polygons;
    const uint32_t border = s->b.job.border_cells;
    const double reach = (double)s->b.job.config->edge_max_error + 0.7072;
    for (uint32_t z = border; z + border < f->depth; ++z) {
        for (uint32_t x = border; x + border < f->width; ++x) {
            double polygon = HUGE_VAL, ground = HUGE_VAL;
            for (uint32_t p = 0; p < mesh->count && polygon > 0; ++p) {
                polygon = fmin(polygon, cover_polygon_distance(mesh, p, x + 0.5, z + 0.5));
            }
            uint32_t column = z * f->width + x;
            bool here = false;
            for (uint32_t i = f->first[column]; i < f->first[column + 1]; ++i) {
                here |= f->region[i] != 0 && has_polygons(s, f->region[i]);
            }
            if (here && polygon > reach) {
                fail_msg("no polygon at %u, %u: %.2f", x, z, polygon);
            }
            for (uint32_t other = 0; polygon == 0 && other < f->width * f->depth; ++other) {
                for (uint32_t i = f->first[other]; i < f->first[other + 1]; ++i) {
                    if (f->region[i] != 0) {
                        double dx = fmax(0, fabs((double)(other % f->width) - x) - 0.5);
                        double dz = fmax(0, fabs((double)(other / f->width) - z) - 0.5);
                        ground = fmin(ground, sqrt(dx * dx + dz * dz));
                    }
                }
            }
            if (polygon == 0 && ground > reach) {
                fail_msg("a polygon at %u, %u where there is no ground", x, z);
            }
        }
    }
}
