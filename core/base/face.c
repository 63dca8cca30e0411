// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// face.c: faces of many corners to triangles. They come as fans of their first corner, which is
// right for convex faces, and for all others that are seen whole from there:
//
//      1------2           The fan of this one has (0 2 3), which lies outside, and turns the other
//      |    /             way: (0 1 2) and (0 2 3) become (1 2 3) and (3 0 1).
//      |   3
//      |    \.
//      '------0
//
// The side of a face is that of the sum of its triangles' normals (M. Newell's normal: I.
// Sutherland, R. Sproull, R. Schumacker, "A characterization of ten hidden-surface algorithms",
// 1974). A face that is cut anew is seen along the axis that the normal is nearest to, on a grid
// that is finer than the floats of its corners.

#include "core/base/triangulate.h"

#include <math.h>
#include <string.h>

#define GRID_CELLS 134217728.0 // 2^27 along the longer side: see plan_view.h

// Ends a cut once its work is spent.
typedef struct work_limit {
    const nav_bake_hooks *hooks;
    uint64_t polls_left;
} work_limit;

static bool is_over(void *user)
{
    work_limit *limit = user;
    const nav_bake_hooks *hooks = limit->hooks;
    if (limit->polls_left == 0) {
        return true;
    }
    limit->polls_left--;
    return hooks != NULL && hooks->cancelled != NULL && hooks->cancelled(hooks->user);
}

static void triangle_normal(const float *vertices, const uint32_t corners[3], double out[3])
{
    double sides[2][3];
    for (int axis = 0; axis < 3; ++axis) {
        const double from = (double)vertices[3 * (size_t)corners[0] + (size_t)axis];
        sides[0][axis] = (double)vertices[3 * (size_t)corners[1] + (size_t)axis] - from;
        sides[1][axis] = (double)vertices[3 * (size_t)corners[2] + (size_t)axis] - from;
    }
    for (int axis = 0; axis < 3; ++axis) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        out[axis] = sides[0][u] * sides[1][v] - sides[0][v] * sides[1][u];
    }
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Fills the face's normal. Result: no triangle of the fan turns against it.
static bool add_normals(const float *vertices, const uint32_t (*fan)[3], uint32_t count,
                        double normal[3])
{
    double own[3];
    memset(normal, 0, 3 * sizeof *normal);
    for (uint32_t i = 0; i < count; ++i) {
        triangle_normal(vertices, fan[i], own);
        for (int axis = 0; axis < 3; ++axis) {
            normal[axis] += own[axis];
        }
    }
    for (uint32_t i = 0; i < count; ++i) {
        triangle_normal(vertices, fan[i], own);
        if (dot(own, normal) <= 0 && dot(own, own) > 0) {
            return false;
        }
    }
    return true;
}

// The corners as seen against the normal, which makes their walk counter-clockwise.
static void flatten(const float *vertices, const uint32_t *corners, uint32_t count,
                    const double normal[3], nav_plan *out)
{
    size_t axis = fabs(normal[0]) > fabs(normal[1]) ? 0 : 1;
    axis = fabs(normal[2]) > fabs(normal[axis]) ? 2 : axis;
    const size_t u = (axis + (normal[axis] > 0 ? 2 : 1)) % 3, v = 3 - axis - u;
    double min[2] = {HUGE_VAL, HUGE_VAL}, max[2] = {-HUGE_VAL, -HUGE_VAL};
    for (uint32_t i = 0; i < count; ++i) {
        const float *at = vertices + 3 * (size_t)corners[i];
        min[0] = fmin(min[0], (double)at[u]);
        max[0] = fmax(max[0], (double)at[u]);
        min[1] = fmin(min[1], (double)at[v]);
        max[1] = fmax(max[1], (double)at[v]);
    }
    const double scale = GRID_CELLS / fmax(fmax(max[0] - min[0], max[1] - min[1]), 1e-30);
    for (uint32_t i = 0; i < count; ++i) {
        const float *at = vertices + 3 * (size_t)corners[i];
        out[i] = (nav_plan){(int32_t)(((double)at[u] - min[0]) * scale + 0.5),
                            (int32_t)(((double)at[v] - min[1]) * scale + 0.5)};
    }
}

bool nav_face_is_fan(const float *vertices, const uint32_t (*fan)[3], uint32_t count)
{
    double normal[3];
    return add_normals(vertices, fan, count, normal);
}

// Leaves out corners that are the one before them once more. Result: how many are left.
static uint32_t drop_repeated(uint32_t *corners, nav_plan *points, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (!nav_plan_equal(points[i], points[i + 1 < count ? i + 1 : 0])) {
            corners[kept] = corners[i];
            points[kept++] = points[i];
        }
    }
    return kept;
}

nav_status nav_face_cut(const float *vertices, uint32_t (*fan)[3], uint32_t count,
                        const nav_bake_hooks *hooks, uint64_t *work, nav_arena *scratch,
                        bool *whole)
{
    uint32_t corner_count = count + 2, found = 0;
    double normal[3];
    work_limit limit = {.hooks = hooks, .polls_left = *work / NAV_CANCEL_INTERVAL};
    nav_cancel cancel = {
        .hook = is_over, .user = &limit, .work = NAV_CANCEL_INTERVAL - *work % NAV_CANCEL_INTERVAL};
    uint32_t *corners = NAV_NEW(scratch, uint32_t, corner_count);
    nav_plan *points = NAV_NEW(scratch, nav_plan, corner_count);
    uint32_t(*triangles)[3] = nav_arena_alloc(scratch, count, sizeof *triangles);
    *whole = false;
    if (corners == NULL || points == NULL || triangles == NULL) {
        return NAV_NO_MEMORY;
    }
    (void)add_normals(vertices, (const uint32_t(*)[3])fan, count, normal);
    memcpy(corners, fan[0], 2 * sizeof *corners);
    for (uint32_t i = 0; i < count; ++i) {
        corners[i + 2] = fan[i][2];
    }
    flatten(vertices, corners, corner_count, normal, points);
    corner_count = drop_repeated(corners, points, corner_count);
    const nav_status status =
        corner_count < 3
            ? NAV_OK
            : nav_triangulate(scratch, &cancel, points, corner_count, triangles, &found, whole);
    *work = cancel.cancelled
                ? 0
                : limit.polls_left * NAV_CANCEL_INTERVAL + NAV_CANCEL_INTERVAL - cancel.work;
    for (uint32_t i = 0; i < count; ++i) {
        for (int c = 0; c < 3; ++c) {
            fan[i][c] = corners[i < found ? triangles[i][c] : 0];
        }
    }
    return status;
}
