// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// geometry.h: plan geometry of nodes: sides of rays, lengths, crossings. Private to the engine.

#pragma once

#include "core/base/plane.h"
#include "core/query/search/polyanya/polyanya.h"

#include <math.h>

// Positive where `at` lies to the right of the line from -> through, seen from above.
static inline double side(const float from[2], const double through[2], const float at[2])
{
    return nav_plane_cross(through[0] - (double)from[0], through[1] - (double)from[1],
                           (double)at[0] - (double)from[0], (double)at[1] - (double)from[1]);
}

// The same for two rays: positive where the second is the one on the right.
static inline double between(const float root[2], const double left[2], const double right[2])
{
    return nav_plane_cross(left[0] - (double)root[0], left[1] - (double)root[1],
                           right[0] - (double)root[0], right[1] - (double)root[1]);
}

// The same of places as seen from the root.
static inline double cross(const double left[2], const double right[2])
{
    return nav_plane_cross(left[0], left[1], right[0], right[1]);
}

static inline double distance_to(const float a[2], const double b[2])
{
    return nav_plane_length(b[0] - (double)a[0], b[1] - (double)a[1]);
}

// A place as seen from another.
static inline void look_at(const float from[2], const float at[2], double out[2])
{
    out[0] = (double)at[0] - (double)from[0];
    out[1] = (double)at[1] - (double)from[1];
}

static inline bool is_at(const double a[2], const float b[2])
{
    return (a[0] == (double)b[0]) & (a[1] == (double)b[1]);
}

static inline void set_place(double out[2], const float place[2])
{
    out[0] = (double)place[0];
    out[1] = (double)place[1];
}

// Where the ray from the root through a place crosses the portal. Returns at which part of it, from
// its left end on.
static inline double cross_portal(const float root[2], const double through[2],
                                  const nav_portal *portal, double out[2])
{
    double dx = through[0] - (double)root[0], dz = through[1] - (double)root[1];
    double ex = (double)portal->right[0] - (double)portal->left[0];
    double ez = (double)portal->right[1] - (double)portal->left[1];
    double lx = (double)portal->left[0] - (double)root[0];
    double lz = (double)portal->left[1] - (double)root[1];
    double slant = dx * ez - dz * ex;
    double t = slant != 0.0 ? (lx * dz - lz * dx) / slant : 0.0;
    t = t > 0.0 ? t < 1.0 ? t : 1.0 : 0.0;
    out[0] = (double)portal->left[0] + ex * t;
    out[1] = (double)portal->left[1] + ez * t;
    return t;
}

// A place, or where it lies before the portal its mirror image behind it, which is as far.
static inline void find_image(const nav_portal *portal, const float place[2], double out[2])
{
    const double off = nav_plane_side_of(portal->left, portal->right, place);
    set_place(out, place);
    if (off > 0.0) {
        const double dx = (double)portal->right[0] - (double)portal->left[0];
        const double dz = (double)portal->right[1] - (double)portal->left[1];
        const double shift = 2.0 * off / (dx * dx + dz * dz);
        out[0] += dz * shift;
        out[1] -= dx * shift;
    }
}
