// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_steps.c: the polygons along a path that has been found: its corridor, each portal with the
// piece of the path that crosses it.

#include "plane.h"
#include "query.h"

#include <math.h>

// A path touches the portals of its corridor to within the rounding of its crossings, which grows
// with the coordinates.
#define TOUCH_RELATIVE 4e-6

static double cross(const double a[2], const double b[2])
{
    return a[0] * b[1] - a[1] * b[0];
}

// How far c lies from the segment a -> b, squared.
static double point_distance2(const double a[2], const double b[2], const double c[2])
{
    const double ab[2] = {b[0] - a[0], b[1] - a[1]};
    const double ac[2] = {c[0] - a[0], c[1] - a[1]};
    const double t = nav_plane_closest(ab[0], ab[1], ac[0], ac[1]);
    const double off[2] = {ac[0] - ab[0] * t, ac[1] - ab[1] * t};
    return off[0] * off[0] + off[1] * off[1];
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

// How far the segment from point i on lies from a portal, squared; 0 where they cross.
static double piece_distance2(const nav_path *path, uint32_t i, const nav_portal *portal)
{
    const float *p = path->points + 3 * (size_t)i;
    const float *q = i + 1 < path->point_count ? p + 3 : p;
    const double a[2] = {(double)p[0], (double)p[2]}, b[2] = {(double)q[0], (double)q[2]};
    const double l[2] = {(double)portal->left[0], (double)portal->left[1]};
    const double r[2] = {(double)portal->right[0], (double)portal->right[1]};
    const double ab[2] = {b[0] - a[0], b[1] - a[1]}, lr[2] = {r[0] - l[0], r[1] - l[1]};
    const double al[2] = {l[0] - a[0], l[1] - a[1]}, ar[2] = {r[0] - a[0], r[1] - a[1]};
    const double la[2] = {a[0] - l[0], a[1] - l[1]}, lb[2] = {b[0] - l[0], b[1] - l[1]};
    if (cross(ab, al) * cross(ab, ar) < 0.0 && cross(lr, la) * cross(lr, lb) < 0.0) {
        return 0.0;
    }
    return smaller(smaller(point_distance2(a, b, l), point_distance2(a, b, r)),
                   smaller(point_distance2(l, r, a), point_distance2(l, r, b)));
}

// The first piece from `from` on that touches the portal; the closest one where rounding lets all
// of them miss it.
static uint32_t find_piece(const nav_path *path, uint32_t from, const nav_portal *portal)
{
    const double reach =
        TOUCH_RELATIVE * (1.0 + fabs((double)portal->left[0]) + fabs((double)portal->left[1]));
    uint32_t best = from;
    double best2 = HUGE_VAL;
    for (uint32_t i = from; i < path->point_count; ++i) {
        const double distance2 = piece_distance2(path, i, portal);
        if (distance2 <= reach * reach) {
            return i;
        }
        if (distance2 < best2) {
            best2 = distance2;
            best = i;
        }
    }
    return best;
}

// The point at which a link ends: the first from `from` on that is its end.
static uint32_t find_way_end(const nav_path *path, uint32_t from, const nav_way *way)
{
    for (uint32_t i = from; i < path->point_count; ++i) {
        const float *point = path->points + 3 * (size_t)i;
        if (point[0] == way->end[0] && point[1] == way->end[1] && point[2] == way->end[2]) {
            return i;
        }
    }
    return from;
}

uint32_t nav_query_path_steps(const nav_mesh *mesh, const nav_scratch *scratch,
                              const nav_path *path, nav_path_step *out, uint32_t capacity)
{
    const nav_view *view = &scratch->view;
    NAV_ASSERT(view->mesh == mesh);
    if (path->point_count == 0 || capacity == 0) {
        return 0;
    }
    uint32_t count = 0;
    uint32_t piece = 0;
    out[count++] = (nav_path_step){.polygon = path->start_polygon, .link = NAV_NONE};
    for (uint32_t i = 0; i < path->corridor_count && count < capacity; ++i) {
        const uint32_t portal = scratch->corridor[i];
        nav_path_step step = {.polygon = nav_view_base(view, nav_view_to(view, portal)),
                              .link = NAV_NONE};
        if (nav_portal_is_way(mesh, portal)) {
            step.link = nav_portal_way(mesh, portal)->link;
            piece = find_way_end(path, piece, nav_portal_way(mesh, portal));
        } else {
            piece = find_piece(path, piece, nav_view_portal(view, portal));
        }
        step.point = piece;
        // Pieces of one polygon are told as one.
        if (step.link != NAV_NONE || step.polygon != out[count - 1].polygon) {
            out[count++] = step;
        }
    }
    return count;
}
