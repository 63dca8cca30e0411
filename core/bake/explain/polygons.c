// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// polygons.c: contours and polygons are counted, and of each floor the polygon is found that
// covers the place there.

#include "core/base/plane.h"
#include "core/bake/contours/contours.h"
#include "core/bake/detail/detail.h"
#include "core/bake/explain/explain.h"
#include "core/bake/polygons/polygons.h"

#include <math.h>

nav_status nav_inspect_contours(const nav_bake_job *job, const nav_contour_set *contours)
{
    nav_tile_facts *tile = job->seen->tile;
    tile->contours = contours->count;
    for (uint32_t i = 0; i < contours->count; ++i) {
        tile->contour_points += contours->contours[i].point_count;
    }
    return NAV_OK;
}

// ---- the surface at a place ----

typedef struct surface {
    const nav_polygons *polygons;
    const nav_detail *detail;
    uint32_t polygon, corners;
} surface;

// A point of the polygon's surface: its corners first, then the vertices of its detail.
static void point_of(const surface *s, uint32_t index, double out[3])
{
    if (index < s->corners) {
        const uint32_t *row =
            s->polygons->polygon_vertices + (size_t)s->polygon * s->polygons->max_vertices;
        for (int axis = 0; axis < 3; ++axis) {
            out[axis] = s->polygons->vertices[row[index]][axis];
        }
        return;
    }
    const float *vertex =
        s->detail->vertices[s->detail->vertex_first[s->polygon] + index - s->corners];
    for (int axis = 0; axis < 3; ++axis) {
        out[axis] = (double)vertex[axis];
    }
}

// Positive where the place lies to the left of the edge from a to b, inside of a polygon.
static double side_of(const double a[3], const double b[3], const float at[2])
{
    const double from[2] = {a[0], a[2]}, to[2] = {b[0], b[2]};
    const double place[2] = {(double)at[0], (double)at[1]};
    return -nav_plane_side(from, to, place);
}

// The height of the triangle at a place within it.
static bool height_within(double c[3][3], const float at[2], double *out)
{
    double weights[3], sum = 0;
    for (int i = 0; i < 3; ++i) {
        weights[i] = side_of(c[(i + 1) % 3], c[(i + 2) % 3], at);
        sum += weights[i];
    }
    if (weights[0] < 0 || weights[1] < 0 || weights[2] < 0 || !(sum > 0)) {
        return false;
    }
    *out = (weights[0] * c[0][1] + weights[1] * c[1][1] + weights[2] * c[2][1]) / sum;
    return true;
}

static bool covers(const surface *s, const float at[2])
{
    double a[3], b[3];
    point_of(s, s->corners - 1, a);
    for (uint32_t i = 0; i < s->corners; ++i) {
        point_of(s, i, b);
        if (side_of(a, b, at) < 0) {
            return false;
        }
        memcpy(a, b, sizeof a);
    }
    return true;
}

// The polygon's own triangles decide where the detail has a seam of rounding just there.
static double height_of(const surface *s, const float at[2])
{
    double c[3][3], height = 0;
    const nav_detail *d = s->detail;
    const bool has_detail = d->triangle_first != NULL;
    const uint32_t begin = has_detail ? d->triangle_first[s->polygon] : 0;
    const uint32_t end = has_detail ? d->triangle_first[s->polygon + 1] : 0;
    for (uint32_t i = begin; i < end; ++i) {
        for (int k = 0; k < 3; ++k) {
            point_of(s, d->triangles[i][k], c[k]);
        }
        if (height_within(c, at, &height)) {
            return height;
        }
    }
    point_of(s, 0, c[0]);
    for (uint32_t i = 1; i + 1 < s->corners; ++i) {
        point_of(s, i, c[1]);
        point_of(s, i + 1, c[2]);
        if (height_within(c, at, &height)) {
            break;
        }
    }
    return height;
}

// ---- the floors that it covers ----

static void offer(const nav_bake_job *job, const surface *s, double height,
                  const nav_seen_column *column, nav_column_facts *facts)
{
    uint32_t best = NAV_NONE;
    // A surface may be off its floor by the error of the detail, and where outlines are simplified
    // by what the ground rises up to the next cell.
    double least = (double)job->config->detail_max_error + job->climb_cells + 1.0;
    for (uint32_t k = 0; k < facts->floor_count; ++k) {
        const uint32_t region = facts->floors[k].region;
        const double off = fabs(height - column->floors[k].top);
        // Its own region has no other floor here.
        if (region != 0 && region == s->polygons->regions[s->polygon]) {
            best = k;
            break;
        }
        if (off <= least) {
            least = off;
            best = k;
        }
    }
    if (best == NAV_NONE) {
        return;
    }
    nav_floor_facts *out = &facts->floors[best];
    const bool nearer = fabs(height - column->floors[best].top) <
                        fabs((double)out->polygon_height - column->floors[best].top);
    if (out->polygon == NAV_NONE || nearer) {
        out->polygon = s->polygon;
        out->polygon_height = (float)height; // in cells, as yet
    }
}

static void finish(const nav_bake_job *job, nav_column_facts *facts)
{
    for (uint32_t k = 0; k < facts->floor_count; ++k) {
        nav_floor_facts *out = &facts->floors[k];
        if (out->polygon != NAV_NONE) {
            out->polygon_height = job->grid->min[1] + out->polygon_height * job->grid->cell_height;
        } else if (out->verdict == NAV_VERDICT_KEPT) {
            out->verdict = NAV_VERDICT_SIMPLIFIED;
        }
    }
}

nav_status nav_inspect_polygons(const nav_bake_job *job, const nav_polygons *polygons,
                                const nav_detail *detail)
{
    const nav_seen *seen = job->seen;
    seen->tile->polygons = polygons->count;
    seen->tile->vertices = polygons->vertex_count;
    seen->tile->detail_vertices = detail->vertex_count;
    seen->tile->detail_triangles = detail->triangle_count;
    for (uint32_t p = 0; p < polygons->count; ++p) {
        const surface s = {polygons, detail, p, nav_polygon_size(polygons, p)};
        if (nav_cancel_poll(job->cancel, NAV_STEP_NODE)) {
            return nav_bake_end(job);
        }
        for (uint32_t i = 0; i < seen->column_count; ++i) {
            if (covers(&s, seen->columns[i].at)) {
                offer(job, &s, height_of(&s, seen->columns[i].at), &seen->columns[i],
                      &seen->facts[i]);
            }
        }
    }
    for (uint32_t i = 0; i < seen->column_count; ++i) {
        finish(job, &seen->facts[i]);
    }
    uint32_t *regions = NAV_NEW(job->seen->result, uint32_t, (size_t)polygons->count + 1);
    if (regions == NULL) {
        return NAV_NO_MEMORY;
    }
    if (polygons->count > 0) {
        memcpy(regions, polygons->regions, polygons->count * sizeof *regions);
    }
    job->seen->tile->polygon_regions = regions;
    return NAV_OK;
}
