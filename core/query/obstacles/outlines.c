// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// outlines.c: circles, capsules, boxes and convex shapes as outlines, and the polygons that these
// touch. A shape that blocks grows by the agent's radius: each edge moves outwards, and between two
// of them the corner is rounded by tangents of the circle around it, so that the outline lies on or
// outside the true one.
//
//        shape .___. tangent
//                   \ .
//                    \ .  edge, moved by the radius

#include "core/base/plane.h"
#include "core/base/tolerances.h"
#include "core/query/obstacles/cut.h"
#include "core/query/view/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Directions of tangents: a sixteenth of a turn apart, from literals, so that every machine gets
// the same outline. A circle is at most 2 % larger than itself then.
#define DIRECTIONS 16
_Static_assert(DIRECTIONS % 4 == 0, "quarters of a turn are the same on all machines");
#define C1 0.92387953251128674
#define C2 0.70710678118654752
#define C3 0.38268343236508977

static const double TANGENTS[DIRECTIONS][2] = {
    {1, 0},  {C1, C3},   {C2, C2},   {C3, C1},   {0, 1},  {-C3, C1}, {-C2, C2}, {-C1, C3},
    {-1, 0}, {-C1, -C3}, {-C2, -C2}, {-C3, -C1}, {0, -1}, {C3, -C1}, {C2, -C2}, {C1, -C3},
};

// A half plane: where normal . point <= distance.
typedef struct half_plane {
    double normal[2], distance;
    double heading; // of the normal, for the order around the shape
} half_plane;

// How far a shape reaches in a direction.
static double reach_of(const double (*points)[2], uint32_t count, const double normal[2])
{
    double reach = -HUGE_VAL;
    NAV_DCHECK(count > 0);
    for (uint32_t i = 0; i < count; ++i) {
        const double along = nav_plane_dot(points[i][0], points[i][1], normal[0], normal[1]);
        reach = along > reach ? along : reach;
    }
    return reach;
}

static void add_plane(half_plane *planes, uint32_t *count, const double (*points)[2],
                      uint32_t point_count, const double normal[2], double grow)
{
    NAV_DCHECK(normal[0] != 0.0 || normal[1] != 0.0);
    planes[(*count)++] = (half_plane){.normal = {normal[0], normal[1]},
                                      .distance = reach_of(points, point_count, normal) + grow,
                                      .heading = nav_plane_heading(normal)};
}

// Finds where the borders of two half planes cross; false where they hardly turn.
static bool meet(const half_plane *a, const half_plane *b, double out[2])
{
    const double turn = nav_plane_cross_rays(a->normal, b->normal);
    if (fabs(turn) < NAV_OUTLINE_TURN_MIN) {
        return false;
    }
    out[0] = (a->distance * b->normal[1] - b->distance * a->normal[1]) / turn;
    out[1] = (b->distance * a->normal[0] - a->distance * b->normal[0]) / turn;
    return true;
}

// Corners of the outline that neighbouring half planes bound. Tangents touch the grown shape, so
// that none of them lies beyond where its neighbours meet.
static bool outline_of(half_plane *planes, uint32_t count, nav_overlay_budget *budget,
                       nav_outline *out)
{
    out->points = nav_overlay_keep(budget, count, sizeof *out->points);
    if (out->points == NULL) {
        return false;
    }
    for (uint32_t i = 1; i < count; ++i) {
        const half_plane plane = planes[i];
        uint32_t at = i;
        for (; at > 0 && planes[at - 1].heading > plane.heading; --at) {
            planes[at] = planes[at - 1];
        }
        planes[at] = plane;
    }
    for (uint32_t i = 0; i < count; ++i) {
        double corner[2];
        if (meet(&planes[i], &planes[(i + 1) % count], corner)) {
            memcpy(out->points[out->count++], corner, sizeof corner);
        }
    }
    NAV_ASSERT(out->count <= count);
    nav_plane_bounds((const double(*)[2])out->points, out->count, out->min, out->max);
    return true;
}

// Outwards normals of a convex shape's edges, whichever way it winds.
static void add_edges(half_plane *planes, uint32_t *count, const double (*points)[2],
                      uint32_t point_count, double grow)
{
    for (uint32_t i = 0; i < point_count; ++i) {
        const double *a = points[i], *b = points[(i + 1) % point_count];
        const double ex = b[0] - a[0], ez = b[1] - a[1];
        const double length = nav_plane_length(ex, ez);
        if (length == 0.0) {
            continue;
        }
        double normal[2] = {ez / length, -ex / length};
        const double side = nav_plane_dot(a[0], a[1], normal[0], normal[1]);
        if (reach_of(points, point_count, normal) >
            side + NAV_OUTLINE_SIDE_RATIO * (1.0 + fabs(side))) {
            normal[0] = -normal[0];
            normal[1] = -normal[1];
        }
        add_plane(planes, count, points, point_count, normal, grow);
    }
}

// The corners of a shape; those of a round one are its center, or the ends of its line.
static uint32_t corner_count(const nav_avoid *shape)
{
    switch (shape->shape) {
    case NAV_AVOID_CIRCLE:
        return 1;
    case NAV_AVOID_CAPSULE:
        return 2;
    case NAV_AVOID_BOX:
        return 4;
    case NAV_AVOID_CONVEX:
        break;
    }
    return shape->point_count;
}

static void corner_at(const nav_avoid *shape, uint32_t i, double out[2])
{
    const float box[2] = {i == 1 || i == 2 ? shape->max[0] : shape->min[0],
                          i >= 2 ? shape->max[1] : shape->min[1]};
    const float *corner = shape->shape == NAV_AVOID_CONVEX ? shape->points[i]
                          : shape->shape == NAV_AVOID_BOX  ? box
                          : i == 0                         ? shape->center
                                                           : shape->end;
    out[0] = (double)corner[0];
    out[1] = (double)corner[1];
}

// How far the outline is from the corners.
static double reach_around(const nav_avoid *shape, double radius)
{
    const bool round = shape->shape == NAV_AVOID_CIRCLE || shape->shape == NAV_AVOID_CAPSULE;
    return (shape->blocked ? radius : 0.0) + (round ? (double)shape->radius : 0.0);
}

bool nav_outline_create(const nav_avoid *shape, double radius, nav_overlay_budget *budget,
                        nav_outline *out)
{
    const double around = reach_around(shape, radius);
    const uint32_t point_count = corner_count(shape);
    // Each edge asks how far all corners reach, more than once.
    nav_overlay_spend(budget, 2 * (uint64_t)point_count * (point_count + DIRECTIONS));
    double(*points)[2] = nav_overlay_alloc(budget, point_count, sizeof *points);
    half_plane *planes =
        nav_overlay_alloc(budget, (size_t)point_count + DIRECTIONS, sizeof *planes);
    if (points == NULL || planes == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < point_count; ++i) {
        corner_at(shape, i, points[i]);
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < DIRECTIONS && around > 0.0; ++i) {
        add_plane(planes, &count, (const double(*)[2])points, point_count, TANGENTS[i], around);
    }
    add_edges(planes, &count, (const double(*)[2])points, point_count, around);
    NAV_ASSERT(count <= point_count + DIRECTIONS);
    *out = (nav_outline){.bottom = shape->bottom,
                         .top = shape->top,
                         .cost = shape->blocked ? INFINITY : shape->cost};
    return outline_of(planes, count, budget, out);
}

void nav_outline_bounds(const nav_avoid *shape, double radius, double min[2], double max[2])
{
    const double around = reach_around(shape, radius);
    const uint32_t count = corner_count(shape);
    for (uint32_t i = 0; i < count; ++i) {
        double corner[2];
        corner_at(shape, i, corner);
        for (int axis = 0; axis < 2; ++axis) {
            min[axis] = i > 0 ? fmin(min[axis], corner[axis]) : corner[axis];
            max[axis] = i > 0 ? fmax(max[axis], corner[axis]) : corner[axis];
        }
    }
    for (int axis = 0; axis < 2; ++axis) {
        min[axis] -= around;
        max[axis] += around;
    }
}

// ---- what outlines touch ----

static int compare_touches(const void *a, const void *b)
{
    const nav_touch *left = a, *right = b;
    if (left->polygon != right->polygon) {
        return left->polygon < right->polygon ? -1 : 1;
    }
    return left->outline < right->outline ? -1 : left->outline > right->outline;
}

// Whether all corners of a polygon lie beyond one side of an outline.
static bool is_beyond_side(const double (*corners)[2], uint32_t count, const nav_outline *outline)
{
    bool beyond = false;
    for (uint32_t i = 0; i < outline->count && !beyond; ++i) {
        const double *a = outline->points[i];
        const double *b = outline->points[i + 1 < outline->count ? i + 1 : 0];
        beyond = true;
        for (uint32_t k = 0; k < count && beyond; ++k) {
            beyond = nav_plane_side(a, b, corners[k]) <= 0.0;
        }
    }
    return beyond;
}

// Whether all of an outline lies beyond one edge of a polygon.
static bool is_beyond_edge(const double (*corners)[2], uint32_t count, const nav_outline *outline)
{
    bool beyond = false;
    for (uint32_t i = 0; i < count && !beyond; ++i) {
        const double *a = corners[i], *b = corners[i + 1 < count ? i + 1 : 0];
        beyond = a[0] != b[0] || a[1] != b[1];
        for (uint32_t k = 0; k < outline->count && beyond; ++k) {
            beyond = nav_plane_side(a, b, outline->points[k]) >= 0.0;
        }
    }
    return beyond;
}

// Spends a step for each corner of the outline; where the ground is looked at, for each corner and
// triangle.
static bool touches(const nav_touch_walk *walk, uint32_t polygon)
{
    const nav_mesh *mesh = walk->boxes.mesh;
    const nav_outline *outline = walk->outline;
    double corners[NAV_POLYGON_VERTICES_MAX][2];
    const uint32_t first = mesh->records[polygon].corner_first;
    const uint32_t count = mesh->records[polygon + 1].corner_first - first;
    NAV_ASSERT(count <= NAV_POLYGON_VERTICES_MAX);
    for (uint32_t i = 0; i < count; ++i) {
        const float *at = mesh->vertices[mesh->corners[first + i]];
        corners[i][0] = (double)at[0];
        corners[i][1] = (double)at[2];
    }
    nav_overlay_spend(walk->budget, outline->count);
    if (is_beyond_side((const double(*)[2])corners, count, outline) ||
        is_beyond_edge((const double(*)[2])corners, count, outline)) {
        return false;
    }
    nav_overlay_spend(walk->budget,
                      (uint64_t)outline->count * nav_mesh_ground_triangles(mesh, polygon));
    return !walk->budget->failed &&
           nav_mesh_ground_reaches(mesh, polygon, (const double(*)[2])outline->points,
                                   outline->count, (double)outline->bottom, (double)outline->top);
}

uint32_t nav_touch_walk_next(nav_touch_walk *walk)
{
    uint32_t polygon = nav_box_walk_next(&walk->boxes);
    while (polygon != NAV_NONE && !walk->budget->failed && !touches(walk, polygon)) {
        polygon = nav_box_walk_next(&walk->boxes);
    }
    return walk->budget->failed ? NAV_NONE : polygon;
}

nav_touch_walk nav_touch_walk_begin(const nav_mesh *mesh, const nav_outline *outline,
                                    nav_overlay_budget *budget)
{
    nav_overlay_spend(budget, 1);
    return (nav_touch_walk){
        .boxes = {.mesh = mesh,
                  .min = {outline->min[0], (double)outline->bottom, outline->min[1]},
                  .max = {outline->max[0], (double)outline->top, outline->max[1]}},
        .outline = outline,
        .budget = budget};
}

static void list_touched(const nav_mesh *mesh, const nav_outline *outline, uint32_t index,
                         nav_overlay_budget *budget, nav_touch_list *list)
{
    nav_touch_walk walk = nav_touch_walk_begin(mesh, outline, budget);
    for (uint32_t polygon = nav_touch_walk_next(&walk); polygon != NAV_NONE;
         polygon = nav_touch_walk_next(&walk)) {
        nav_overlay_spend(budget, 1);
        list->touches = nav_overlay_grow(budget, list->touches, list->count, &list->capacity,
                                         sizeof *list->touches);
        if (!budget->failed) {
            list->touches[list->count++] = (nav_touch){.polygon = polygon, .outline = index};
        }
    }
}

nav_touch_list nav_touches_list(const nav_mesh *mesh, const nav_outline *outlines, uint32_t count,
                                nav_overlay_budget *budget)
{
    nav_touch_list list = {0};
    for (uint32_t i = 0; i < count && !budget->failed; ++i) {
        list_touched(mesh, &outlines[i], i, budget, &list);
    }
    if (list.count > 0) {
        qsort(list.touches, list.count, sizeof *list.touches, compare_touches);
    }
    return list;
}
