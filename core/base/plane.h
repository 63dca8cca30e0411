// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// plane.h: the one home of geometry in plan view, for bakes, meshes and queries alike; and, at its
// end, of the distance in space. Private to core/. tolerances.h says how near is near enough.
//
// Seen from above the world x points right and z points down, y is left out:
//
//      o----> x      cross(a, b) > 0: b lies to the right of a. So side(a, b, p) > 0 where p
//      |             lies to the right of the walk a -> b. Polygons of a mesh are wound
//      v z           counter-clockwise as seen from above: their inside lies to the left of
//                    each edge.
//
// Queries compute in doubles; names in ..._f are for floats, in loops over many polygons. Answers
// are compared byte by byte, so the order of an expression is a part of its promise. Names in ..._i
// are for integers and exact: plan_view.h has what is asked of points in cells.

#pragma once

#include "core/nav.h"

#include <math.h>

// ---- doubles ----

// Positive where b lies to the right of a; the doubled area between the two.
static inline double nav_plane_cross(double ax, double az, double bx, double bz)
{
    return ax * bz - az * bx;
}

// The same of two rays, given by their directions.
static inline double nav_plane_cross_rays(const double a[2], const double b[2])
{
    return nav_plane_cross(a[0], a[1], b[0], b[1]);
}

static inline double nav_plane_dot(double ax, double az, double bx, double bz)
{
    return ax * bx + az * bz;
}

static inline double nav_plane_length2(double x, double z)
{
    return x * x + z * z;
}

static inline double nav_plane_length(double x, double z)
{
    return sqrt(x * x + z * z);
}

// From one point, given in floats, to another.
static inline void nav_plane_offset(const float from[2], const float to[2], double out[2])
{
    out[0] = (double)to[0] - (double)from[0];
    out[1] = (double)to[1] - (double)from[1];
}

// A number that rises with the angle of a direction, from 0 towards +x up to 4, which rounding
// makes of the last directions before +x. The direction has a length.
static inline double nav_plane_heading(const double v[2])
{
    const double ratio = v[1] / (fabs(v[0]) + fabs(v[1]));
    return v[0] < 0.0 ? 2.0 - ratio : ratio < 0.0 ? 4.0 + ratio : ratio;
}

// Positive where p lies to the right of the line a -> b: its distance times the length of a -> b.
static inline double nav_plane_side(const double a[2], const double b[2], const double p[2])
{
    return nav_plane_cross(b[0] - a[0], b[1] - a[1], p[0] - a[0], p[1] - a[1]);
}

// The same of points that are given in floats.
static inline double nav_plane_side_of(const float a[2], const float b[2], const float p[2])
{
    return nav_plane_cross((double)b[0] - (double)a[0], (double)b[1] - (double)a[1],
                           (double)p[0] - (double)a[0], (double)p[1] - (double)a[1]);
}

// From one point to another.
static inline double nav_plane_distance(const double a[2], const double b[2])
{
    return nav_plane_length(b[0] - a[0], b[1] - a[1]);
}

// The same of points that are given in floats.
static inline double nav_plane_distance_of(const float a[2], const float b[2])
{
    return nav_plane_length((double)b[0] - (double)a[0], (double)b[1] - (double)a[1]);
}

// From one point with a height to another, as seen from above.
static inline double nav_plane_distance_xz(const float a[3], const float b[3])
{
    return nav_plane_length((double)b[0] - (double)a[0], (double)b[2] - (double)a[2]);
}

// From a to b: a where t is 0.
static inline double nav_plane_mix(double a, double b, double t)
{
    return a + (b - a) * t;
}

// Narrows what a line has between ends[0] and ends[1], in lengths of `along` from its origin, to
// what lies inside of a convex outline, its corners in the order x -> z. False, and then the ends
// mean nothing, where that is no longer than nothing, or lies on the outline's border.
static inline bool nav_plane_clip(const double (*outline)[2], uint32_t count, const double from[2],
                                  const double along[2], double ends[2])
{
    for (uint32_t i = 0; i < count; ++i) {
        const double *a = outline[i], *b = outline[i + 1 < count ? i + 1 : 0];
        const double side = nav_plane_side(a, b, from);
        const double turn = nav_plane_cross(b[0] - a[0], b[1] - a[1], along[0], along[1]);
        if (turn == 0.0 && side <= 0.0) {
            return false;
        }
        if (turn > 0.0) {
            ends[0] = fmax(ends[0], -side / turn);
        } else if (turn < 0.0) {
            ends[1] = fmin(ends[1], -side / turn);
        }
    }
    return ends[0] < ends[1];
}

// The point closest to (px, pz) on the segment from the origin to (ex, ez), as a part of its length
// from 0 to 1; 0 if it has no length.
static inline double nav_plane_closest(double ex, double ez, double px, double pz)
{
    const double length2 = nav_plane_length2(ex, ez);
    const double t = length2 > 0.0 ? (px * ex + pz * ez) / length2 : 0.0;
    return t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
}

// The same of points: which part of the segment a -> b is closest to p.
static inline double nav_plane_closest_at(const double a[2], const double b[2], const double p[2])
{
    return nav_plane_closest(b[0] - a[0], b[1] - a[1], p[0] - a[0], p[1] - a[1]);
}

// The point at part t of the segment a -> b.
static inline void nav_plane_point_at(const double a[2], const double b[2], double t, double out[2])
{
    out[0] = nav_plane_mix(a[0], b[0], t);
    out[1] = nav_plane_mix(a[1], b[1], t);
}

// The point of the segment a -> b that is closest to p.
static inline void nav_plane_closest_point(const double a[2], const double b[2], const double p[2],
                                           double out[2])
{
    nav_plane_point_at(a, b, nav_plane_closest_at(a, b, p), out);
}

// The square of the distance of (px, pz) from the segment from the origin to (ex, ez).
static inline double nav_plane_edge_distance2(double ex, double ez, double px, double pz)
{
    const double t = nav_plane_closest(ex, ez, px, pz);
    return nav_plane_length2(px - ex * t, pz - ez * t);
}

// The square of the distance of p from the segment a -> b.
static inline double nav_plane_segment_distance2(const double a[2], const double b[2],
                                                 const double p[2])
{
    return nav_plane_edge_distance2(b[0] - a[0], b[1] - a[1], p[0] - a[0], p[1] - a[1]);
}

// The same of points that are given in floats.
static inline double nav_plane_segment_distance2_of(const float a[2], const float b[2],
                                                    const float p[2])
{
    return nav_plane_edge_distance2((double)b[0] - (double)a[0], (double)b[1] - (double)a[1],
                                    (double)p[0] - (double)a[0], (double)p[1] - (double)a[1]);
}

// Whether the segments a -> b and c -> d cross in an inner point of both.
static inline bool nav_plane_segments_cross(const double a[2], const double b[2], const double c[2],
                                            const double d[2])
{
    return nav_plane_side(a, b, c) * nav_plane_side(a, b, d) < 0.0 &&
           nav_plane_side(c, d, a) * nav_plane_side(c, d, b) < 0.0;
}

// The square of the distance between the segments a -> b and c -> d; 0 where they cross.
static inline double nav_plane_segments_distance2(const double a[2], const double b[2],
                                                  const double c[2], const double d[2])
{
    if (nav_plane_segments_cross(a, b, c, d)) {
        return 0.0;
    }
    const double of_first[2] = {nav_plane_segment_distance2(a, b, c),
                                nav_plane_segment_distance2(a, b, d)};
    const double of_second[2] = {nav_plane_segment_distance2(c, d, a),
                                 nav_plane_segment_distance2(c, d, b)};
    const double first = of_first[0] < of_first[1] ? of_first[0] : of_first[1];
    const double second = of_second[0] < of_second[1] ? of_second[0] : of_second[1];
    return first < second ? first : second;
}

// The area of a simple polygon: positive where it is wound counter-clockwise from above.
static inline double nav_plane_area(const double (*corners)[2], uint32_t count)
{
    double doubled = 0.0;
    for (uint32_t i = 1; i + 1 < count; ++i) {
        doubled += nav_plane_side(corners[0], corners[i + 1], corners[i]);
    }
    return doubled / 2.0;
}

// The least and the greatest x and z of points; of none: HUGE_VAL, -HUGE_VAL.
static inline void nav_plane_bounds(const double (*points)[2], uint32_t count, double min[2],
                                    double max[2])
{
    for (int axis = 0; axis < 2; ++axis) {
        min[axis] = HUGE_VAL;
        max[axis] = -HUGE_VAL;
        for (uint32_t i = 0; i < count; ++i) {
            const double at = points[i][axis];
            min[axis] = at < min[axis] ? at : min[axis];
            max[axis] = at > max[axis] ? at : max[axis];
        }
    }
}

// ---- floats ----

// As fminf and fmaxf, which are calls. b, where one is not a number.
static inline float nav_plane_lesser_f(float a, float b)
{
    return a < b ? a : b;
}

static inline float nav_plane_greater_f(float a, float b)
{
    return a > b ? a : b;
}

// The number between low and high that is nearest to t. If rounding has swapped the two: high.
static inline float nav_plane_clamp_f(float t, float low, float high)
{
    const float above = t > low ? t : low;
    return above < high ? above : high;
}

static inline float nav_plane_cross_f(float ax, float az, float bx, float bz)
{
    return ax * bz - az * bx;
}

static inline float nav_plane_length_f(float x, float z)
{
    return sqrtf(x * x + z * z);
}

static inline float nav_plane_distance_f(float ax, float az, float bx, float bz)
{
    return sqrtf((ax - bx) * (ax - bx) + (az - bz) * (az - bz));
}

// nav_plane_heading from one point to another, up to 4; 0 where they are the same.
static inline float nav_plane_heading_f(const float from[2], const float to[2])
{
    const float dx = to[0] - from[0], dz = to[1] - from[1];
    const float size = fabsf(dx) + fabsf(dz);
    const float ratio = size > 0.0f ? dx / size : 1.0f;
    return dz >= 0.0f ? 1.0f - ratio : 3.0f + ratio;
}

// nav_plane_closest from a to b and to (x, z); a and b are points with a height: x, y, z.
static inline float nav_plane_closest_f(const float a[3], const float b[3], float x, float z)
{
    const float ex = b[0] - a[0], ez = b[2] - a[2];
    const float length2 = ex * ex + ez * ez;
    const float t = length2 > 0.0f ? ((x - a[0]) * ex + (z - a[2]) * ez) / length2 : 0.0f;
    return t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
}

// Whether two points are the same in plan view. Written without a branch, which nothing could
// foretell.
static inline bool nav_plane_same(const float a[2], const float b[2])
{
    return (a[0] == b[0]) & (a[1] == b[1]);
}

// ---- integers ----

// Exact where both products and their difference fit 64 bits: coordinates below 2^31 in size do.
static inline int64_t nav_plane_cross_i(int64_t ax, int64_t az, int64_t bx, int64_t bz)
{
    return ax * bz - az * bx;
}

// ---- in space ----

// From one point to another: heights count.
static inline double nav_space_distance(const float a[3], const float b[3])
{
    const double dx = (double)b[0] - (double)a[0], dy = (double)b[1] - (double)a[1];
    const double dz = (double)b[2] - (double)a[2];
    return sqrt(dx * dx + dy * dy + dz * dz);
}
