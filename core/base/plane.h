// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// plane.h: what every query asks of segments in plan view. Private to core/.

#pragma once

// Where from 0 to 1 on a segment that begins in the origin and ends in (ex, ez) the place closest
// to (px, pz) lies; 0 where it has no length.
static inline double nav_plane_closest(double ex, double ez, double px, double pz)
{
    const double length2 = ex * ex + ez * ez;
    const double t = length2 > 0.0 ? (px * ex + pz * ez) / length2 : 0.0;
    return t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
}

// The same of floats, from a to b (x, y, z) and to (x, z): for places, which are floats as well.
static inline float nav_plane_closest_place(const float *a, const float *b, float x, float z)
{
    const float ex = b[0] - a[0], ez = b[2] - a[2];
    const float length2 = ex * ex + ez * ez;
    const float t = length2 > 0.0f ? ((x - a[0]) * ex + (z - a[2]) * ez) / length2 : 0.0f;
    return t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
}
