// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// walls.c: the walls around a path, in plan view: how far a leg of it is from them,
// and the largest circle that fits between a wall and what is opposite. Both are floods over the
// polygons around that end where no wall can be nearer.
//
//     wall  ____________       The circle touches the wall and shrinks until no other wall lies
//              ( o )           inside: its center is then as far from one as from the other, on the
//           ____\_/_____       medial axis. Ma, Bae, Choi, "3D medial axis point approximation
//     wall                     using nearest neighbors and the normal field", 2012.

#include "core/query/clearance/clearance.h"

#include "core/base/plane.h"
#include "core/query/surface/surface.h"

#include <math.h>
#include <string.h>

// ---- legs ----

void nav_leg_leave_out(nav_leg *leg, const double center[2], double radius)
{
    const double dx = leg->b[0] - leg->a[0], dz = leg->b[1] - leg->a[1];
    const double px = center[0] - leg->a[0], pz = center[1] - leg->a[1];
    const double length2 = nav_plane_length2(dx, dz);
    const double middle = length2 > 0.0 ? nav_plane_dot(px, pz, dx, dz) / length2 : 0.0;
    const double off2 = nav_plane_length2(px - dx * middle, pz - dz * middle);
    if (radius <= 0.0 || off2 >= radius * radius) {
        return;
    }
    // All of a leg without length.
    const double half = length2 > 0.0 ? sqrt((radius * radius - off2) / length2) : 1.0;
    uint32_t count = 0;
    double ranges[NAV_LEG_RANGES_MAX][2];
    for (uint32_t i = 0; i < leg->range_count; ++i) {
        const double from = leg->ranges[i][0], to = leg->ranges[i][1];
        const double ends[2][2] = {{from, fmin(to, middle - half)},
                                   {fmax(from, middle + half), to}};
        for (int k = 0; k < 2; ++k) {
            if (ends[k][0] < ends[k][1]) {
                NAV_ASSERT(count < NAV_LEG_RANGES_MAX);
                ranges[count][0] = ends[k][0];
                ranges[count++][1] = ends[k][1];
            }
        }
    }
    leg->range_count = count;
    memcpy(leg->ranges, ranges, count * sizeof *ranges);
}

typedef struct leg_search {
    const nav_leg *leg;
    double touch; // walls that are as near as this are touched
    nav_leg_walls *out;
} leg_search;

static void keep_nearer(nav_leg_walls *out, const double at[2], const double wall[2])
{
    const double distance2 = nav_plane_length2(at[0] - wall[0], at[1] - wall[1]);
    if (distance2 < out->distance2) {
        out->distance2 = distance2;
        out->hit = true;
        memcpy(out->at, at, sizeof out->at);
        memcpy(out->wall, wall, sizeof out->wall);
    }
}

// Holds a part a -> b of the leg against a wall c -> d.
static void hold_against(const leg_search *s, const double a[2], const double b[2],
                         const double c[2], const double d[2])
{
    const double *ends[2] = {a, b}, *corners[2] = {c, d};
    double nearest2 = HUGE_VAL;
    for (int k = 0; k < 2; ++k) {
        double at[2];
        nav_plane_closest_point(c, d, ends[k], at);
        keep_nearer(s->out, ends[k], at);
        nearest2 = fmin(nearest2, nav_plane_length2(ends[k][0] - at[0], ends[k][1] - at[1]));
        nav_plane_closest_point(a, b, corners[k], at);
        keep_nearer(s->out, at, corners[k]);
        nearest2 = fmin(nearest2, nav_plane_length2(corners[k][0] - at[0], corners[k][1] - at[1]));
    }
    if (nearest2 <= s->touch * s->touch) {
        const double ex = d[0] - c[0], ez = d[1] - c[1], length = nav_plane_length(ex, ez);
        s->out->normal[0] += ez / length;
        s->out->normal[1] -= ex / length;
    }
}

static bool boxes_are_apart(const double a[2], const double b[2], const double c[2],
                            const double d[2], double apart)
{
    bool are_apart = false;
    for (int axis = 0; axis < 2; ++axis) {
        are_apart = are_apart || fmin(a[axis], b[axis]) > fmax(c[axis], d[axis]) + apart ||
                    fmin(c[axis], d[axis]) > fmax(a[axis], b[axis]) + apart;
    }
    return are_apart;
}

static void inspect(void *user, const float from[3], const float to[3])
{
    const leg_search *s = user;
    const nav_leg *leg = s->leg;
    const double c[2] = {(double)from[0], (double)from[2]};
    const double d[2] = {(double)to[0], (double)to[2]};
    if ((c[0] == d[0] && c[1] == d[1]) ||
        boxes_are_apart(leg->a, leg->b, c, d, fmax(sqrt(s->out->distance2), s->touch))) {
        return;
    }
    if (!s->out->crosses && nav_plane_segments_cross(leg->a, leg->b, c, d)) {
        const double before = nav_plane_side(c, d, leg->a), behind = nav_plane_side(c, d, leg->b);
        s->out->crosses = true;
        s->out->crossed = before / (before - behind);
    }
    for (uint32_t i = 0; i < leg->range_count; ++i) {
        double range[2][2];
        for (int k = 0; k < 2; ++k) {
            nav_plane_point_at(leg->a, leg->b, leg->ranges[i][k], range[k]);
        }
        hold_against(s, range[0], range[1], c, d);
    }
}

bool nav_leg_measure(const nav_view *view, nav_scratch *scratch, const nav_leg *leg, double reach,
                     nav_leg_walls *out)
{
    const float unused[2] = {0.0f, 0.0f};
    nav_spread spread;
    *out = (nav_leg_walls){.distance2 = reach * reach};
    leg_search s = {.leg = leg, .touch = nav_plan_tolerance(leg->a[0], leg->a[1]), .out = out};
    if (!nav_scratch_begin(scratch, view) ||
        !nav_spread_begin(&spread, view, scratch, leg->polygon, unused)) {
        return false;
    }
    for (uint32_t polygon = nav_spread_next(&spread); polygon != NAV_NONE;
         polygon = nav_spread_next(&spread)) {
        const double before2 = out->distance2;
        nav_view_walls(view, polygon, inspect, &s);
        out->polygon = out->distance2 < before2 ? polygon : out->polygon;
        nav_spread_along(&spread, polygon, leg->a, leg->b, fmax(sqrt(out->distance2), s.touch));
    }
    return !scratch->cancel.cancelled;
}

// ---- circles ----

// How much smaller a circle may be than the distance of its center from a wall, as part: it shrinks
// no more then.
#define CIRCLE_FIT 0.999
// How often it is held against one wall.
#define SHRINKS_MAX 8

static void place_center(nav_circle *circle)
{
    for (int axis = 0; axis < 2; ++axis) {
        circle->center[axis] = circle->wall[axis] + circle->normal[axis] * circle->radius;
    }
}

static void shrink(void *user, const float from[3], const float to[3])
{
    nav_circle *circle = user;
    const double c[2] = {(double)from[0], (double)from[2]};
    const double d[2] = {(double)to[0], (double)to[2]};
    for (int i = 0; i < SHRINKS_MAX; ++i) {
        double at[2];
        nav_plane_closest_point(c, d, circle->center, at);
        const double distance = nav_plane_distance(circle->center, at);
        if (distance >= CIRCLE_FIT * circle->radius) {
            return;
        }
        // The circle through the wall that touches and this point.
        const double x = at[0] - circle->wall[0], z = at[1] - circle->wall[1];
        const double ahead = nav_plane_dot(circle->normal[0], circle->normal[1], x, z);
        const double through = ahead > 0.0 ? nav_plane_length2(x, z) / (2.0 * ahead) : 0.0;
        circle->radius = fmin(through, CIRCLE_FIT * circle->radius);
        place_center(circle);
    }
}

bool nav_circle_fit(const nav_view *view, nav_scratch *scratch, uint32_t polygon,
                    nav_circle *circle)
{
    const float unused[2] = {0.0f, 0.0f};
    const double tolerance = nav_plan_tolerance(circle->wall[0], circle->wall[1]);
    nav_spread spread;
    place_center(circle);
    if (!nav_scratch_begin(scratch, view) ||
        !nav_spread_begin(&spread, view, scratch, polygon, unused)) {
        return false;
    }
    for (uint32_t at = nav_spread_next(&spread); at != NAV_NONE; at = nav_spread_next(&spread)) {
        nav_view_walls(view, at, shrink, circle);
        spread.center[0] = (float)circle->center[0];
        spread.center[1] = (float)circle->center[1];
        // All polygons around the point where it touches the wall, too.
        nav_spread_on(&spread, at, circle->radius + tolerance);
    }
    return !scratch->cancel.cancelled;
}
