// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// height.c: how high the ground is at a position: the detail triangle over or under it says, or the
// closest one.

#include "core/base/plane.h"
#include "core/query/view/view.h"

#include <math.h>

// Whether a triangle lies over or under (x, z), and its height there.
static bool triangle_height(const float *const corners[3], float x, float z, float *height)
{
    const float *a = corners[0];
    float bx = corners[1][0] - a[0], bz = corners[1][2] - a[2];
    float cx = corners[2][0] - a[0], cz = corners[2][2] - a[2];
    float px = x - a[0], pz = z - a[2];
    float area = nav_plane_cross_f(bx, bz, cx, cz);
    float v = nav_plane_cross_f(px, pz, cx, cz); // weight of corner 1, times area
    float w = nav_plane_cross_f(bx, bz, px, pz); // weight of corner 2, times area
    if (area < 0.0f) {
        area = -area;
        v = -v;
        w = -w;
    }
    if (area == 0.0f || v < 0.0f || w < 0.0f || v + w > area) {
        return false;
    }
    *height = a[1] + ((corners[1][1] - a[1]) * v + (corners[2][1] - a[1]) * w) / area;
    return true;
}

// The height of a triangle's border where it is closest to (x, z), and how far, squared, that is.
static float border_height(const float *const corners[3], float x, float z, float *distance2)
{
    float height = corners[0][1];
    *distance2 = INFINITY;
    for (int k = 0; k < 3; ++k) {
        const float *from = corners[k];
        const float *to = corners[(k + 1) % 3];
        float t = nav_plane_closest_f(from, to, x, z);
        float dx = from[0] + (to[0] - from[0]) * t - x;
        float dz = from[2] + (to[2] - from[2]) * t - z;
        if (dx * dx + dz * dz < *distance2) {
            *distance2 = dx * dx + dz * dz;
            height = from[1] + (to[1] - from[1]) * t;
        }
    }
    return height;
}

// The surface that gives a polygon its height: triangles over its own corners and the vertices of
// its detail; without any it is a fan.
typedef struct surface {
    const nav_mesh *mesh;
    const nav_polygon_record *record;
    const uint16_t (*triangles)[3]; // NULL: a fan
    const uint32_t *boxes;          // of the triangles; NULL: all of them are looked at
    uint32_t triangle_count;
} surface;

static surface surface_of(const nav_mesh *mesh, uint32_t polygon)
{
    const nav_polygon_record *record = &mesh->records[polygon];
    const uint32_t first = record->detail_triangle_first;
    const uint32_t count = record[1].detail_triangle_first - first;
    surface s = {.mesh = mesh, .record = record, .triangle_count = record->corner_count - 2u};
    if (count > 0) {
        s.triangles = (const uint16_t(*)[3])mesh->detail_triangles + first;
        s.boxes = mesh->locate.detail_boxes + first;
        s.triangle_count = count;
    }
    return s;
}

static inline void surface_triangle(const surface *s, uint32_t index, const float *corners[3])
{
    NAV_DCHECK(index < s->triangle_count);
    const uint16_t fan[3] = {0, (uint16_t)(index + 1), (uint16_t)(index + 2)};
    const uint16_t *triangle = s->triangles != NULL ? s->triangles[index] : fan;
    for (int i = 0; i < 3; ++i) {
        corners[i] = nav_detail_vertex(s->mesh, s->record, triangle[i]);
    }
}

// A coordinate in 127ths of a polygon's bounds, between the two whole ones next to it.
typedef struct box_unit {
    uint32_t low, high;
} box_unit;

static box_unit box_unit_of(float at, float min, float max)
{
    const float most = (float)NAV_BOX_UNIT_MAX;
    const float size = max - min;
    const float unit = size > 0.0f ? (at - min) / size * most : 0.0f;
    const float inside = unit > 0.0f ? unit < most ? unit : most : 0.0f;
    const uint32_t low = (uint32_t)inside;
    return (box_unit){.low = low, .high = low + ((float)low < inside)};
}

// A position in 127ths of the bounds.
typedef struct detail_probe {
    box_unit x, z;
} detail_probe;

// The height of the triangle over (x, z). Detail need not cover the polygon to the last bit: false
// where there is none.
static bool height_inside(const surface *s, const detail_probe *at, float x, float z, float *height)
{
    // A box that holds the position reaches from the whole step below it to the one above.
    const uint32_t probe = nav_box_probe(at->x.high, at->z.high, at->x.low, at->z.low);
    for (uint32_t i = 0; i < s->triangle_count; ++i) {
        if (s->boxes == NULL || nav_box_meets(s->boxes[i], probe)) {
            const float *corners[3];
            surface_triangle(s, i, corners);
            if (triangle_height(corners, x, z, height)) {
                return true;
            }
        }
    }
    return false;
}

// The height of the triangle closest to (x, z), of those within `reach` steps. Returns how far,
// squared, it is.
static float height_beside(const surface *s, const detail_probe *at, uint32_t reach, float x,
                           float z, float *height)
{
    const uint32_t most = NAV_BOX_UNIT_MAX;
    const uint32_t x0 = at->x.high > reach ? at->x.high - reach : 0;
    const uint32_t z0 = at->z.high > reach ? at->z.high - reach : 0;
    const uint32_t x1 = at->x.low + reach < most ? at->x.low + reach : most;
    const uint32_t z1 = at->z.low + reach < most ? at->z.low + reach : most;
    const uint32_t probe = nav_box_probe(x0, z0, x1, z1);
    float best2 = INFINITY;
    for (uint32_t i = 0; i < s->triangle_count; ++i) {
        if (s->boxes == NULL || nav_box_meets(s->boxes[i], probe)) {
            const float *corners[3];
            float distance2;
            surface_triangle(s, i, corners);
            const float found = border_height(corners, x, z, &distance2);
            if (distance2 < best2) {
                best2 = distance2;
                *height = found;
            }
        }
    }
    return best2;
}

// ---- exported ----

float nav_mesh_height(const nav_mesh *mesh, uint32_t polygon, float x, float z)
{
    NAV_DCHECK(polygon < mesh->stats.polygons);
    const nav_polygon_record *record = &mesh->records[polygon];
    if (record->min[1] == record->max[1]) {
        return record->min[1] + 0.0f; // flat: what any triangle would say, and never -0
    }
    const surface s = surface_of(mesh, polygon);
    const detail_probe at = {.x = box_unit_of(x, record->min[0], record->max[0]),
                             .z = box_unit_of(z, record->min[2], record->max[2])};
    float height = 0.0f;
    if (height_inside(&s, &at, x, z, &height)) {
        return height;
    }
    // Mostly a triangle ends next to the position. A triangle more than a step away cannot be
    // nearer.
    const float near = fminf(record->max[0] - record->min[0], record->max[2] - record->min[2]) *
                       (0.5f / (float)NAV_BOX_UNIT_MAX);
    if (s.boxes == NULL || height_beside(&s, &at, 1, x, z, &height) >= near * near) {
        height_beside(&s, &at, NAV_BOX_UNIT_MAX, x, z, &height);
    }
    return height;
}

float nav_view_height(const nav_view *view, uint32_t polygon, float x, float z)
{
    return nav_mesh_height(view->mesh, nav_view_base(view, polygon), x, z);
}

// ---- ground inside of an outline ----

// Whether what a detail triangle has inside of an outline reaches into heights from bottom to top.
// It is highest and lowest where an edge enters or leaves the outline or ends in it, and at corners
// of the outline.
static bool triangle_reaches(const float *const corners[3], const double (*outline)[2],
                             uint32_t count, double bottom, double top)
{
    double lowest = HUGE_VAL, highest = -HUGE_VAL;
    for (int i = 0; i < 3; ++i) {
        const float *a = corners[i], *b = corners[(i + 1) % 3];
        const double from[2] = {(double)a[0], (double)a[2]};
        const double along[2] = {(double)b[0] - from[0], (double)b[2] - from[1]};
        double ends[2] = {0.0, 1.0};
        if (nav_plane_clip(outline, count, from, along, ends)) {
            for (int k = 0; k < 2; ++k) {
                const double height = nav_plane_mix((double)a[1], (double)b[1], ends[k]);
                lowest = fmin(lowest, height);
                highest = fmax(highest, height);
            }
        }
    }
    for (uint32_t i = 0; i < count; ++i) {
        float height;
        if (triangle_height(corners, (float)outline[i][0], (float)outline[i][1], &height)) {
            lowest = fmin(lowest, (double)height);
            highest = fmax(highest, (double)height);
        }
    }
    return lowest <= top && highest >= bottom;
}

uint32_t nav_mesh_ground_triangles(const nav_mesh *mesh, uint32_t polygon)
{
    return surface_of(mesh, polygon).triangle_count;
}

bool nav_mesh_ground_reaches(const nav_mesh *mesh, uint32_t polygon, const double (*outline)[2],
                             uint32_t count, double bottom, double top)
{
    const nav_polygon_record *record = &mesh->records[polygon];
    if ((double)record->min[1] >= bottom && (double)record->max[1] <= top) {
        return true;
    }
    bool reaches = false;
    const surface s = surface_of(mesh, polygon);
    for (uint32_t i = 0; i < s.triangle_count && !reaches; ++i) {
        const float *corners[3];
        surface_triangle(&s, i, corners);
        reaches = triangle_reaches(corners, outline, count, bottom, top);
    }
    return reaches;
}
