// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// refract.h: where a way crosses an edge between grounds of different cost. Private to core/.
//
//       a .                 Like a ray of light, the cheapest way is bent where the cost of a step
//          `.   cheap       changes: the sines of its angles are as the costs (Snell's law). The
//     -------`|--------     point on the edge is the root of an equation of the fourth degree. From
//             | dear        a guess of it the angle on the cheap side sets that on the dear side,
//             b             and so another point. Newton's step on the difference of both is the
//                           next guess: going all the way would swing from side to side where most
//                           of the way is on dear ground.

#pragma once

#include "core/base/plane.h"
#include "core/base/tolerances.h"
#include "core/mesh/types.h"

#include <float.h>
#include <math.h>

// The point at part t of a portal, from 0 at its left end to 1 at its right, which is met to the
// last bit.
static inline void nav_portal_point(const nav_portal *portal, float t, float out[2])
{
    for (int axis = 0; axis < 2; ++axis) {
        const float left = portal->left[axis], right = portal->right[axis];
        out[axis] = t < 1.0f ? left + (right - left) * t : right;
    }
}

// Two points and the edge between them, in units of the edge's width, along it and off it.
typedef struct nav_refraction {
    float dear_t, dear_off, cheap_t, cheap_off;
    float ratio; // of the costs, below 1
    bool flat;   // the edge has no width
} nav_refraction;

static inline nav_refraction nav_refraction_of(const nav_portal *portal, const float a[2],
                                               float cost_a, const float b[2], float cost_b)
{
    const float dx = portal->right[0] - portal->left[0], dz = portal->right[1] - portal->left[1];
    const float width2 = dx * dx + dz * dz;
    if (!(width2 > 0.0f)) {
        return (nav_refraction){.flat = true};
    }
    const bool swapped = cost_a < cost_b;
    const float *dear = swapped ? b : a, *cheap = swapped ? a : b;
    const float unit = 1.0f / width2;
    const float dear_x = dear[0] - portal->left[0], dear_z = dear[1] - portal->left[1];
    const float cheap_x = cheap[0] - portal->left[0], cheap_z = cheap[1] - portal->left[1];
    return (nav_refraction){.ratio = swapped ? cost_a / cost_b : cost_b / cost_a,
                            .dear_t = (dear_x * dx + dear_z * dz) * unit,
                            .dear_off = fabsf(nav_plane_cross_f(dear_x, dear_z, dx, dz)) * unit,
                            .cheap_t = (cheap_x * dx + cheap_z * dz) * unit,
                            .cheap_off = fabsf(nav_plane_cross_f(cheap_x, cheap_z, dx, dz)) * unit};
}

// The point where the straight line crosses the edge's own line: the first guess.
static inline float nav_refraction_straight(const nav_refraction *r)
{
    const float off = r->dear_off + r->cheap_off;
    const float t =
        off > 0.0f ? (r->dear_t * r->cheap_off + r->cheap_t * r->dear_off) / off : r->dear_t;
    return nav_plane_clamp_f(t, 0.0f, 1.0f);
}

// A better guess.
static inline float nav_refraction_turn(const nav_refraction *r, float t)
{
    const float along = r->cheap_t - t;
    const float off2 = r->cheap_off * r->cheap_off;
    const float away2 = along * along + off2;
    if (!(away2 > 0.0f)) {
        return nav_plane_clamp_f(r->dear_t, 0.0f, 1.0f);
    }
    const float away = sqrtf(away2);
    const float sine = along / away * r->ratio;
    const float cosine2 = 1.0f - sine * sine + NAV_COSINE2_MIN;
    const float cosine = sqrtf(cosine2);
    // slope / whole: how fast the angle's point moves against the guess.
    const float slope = r->dear_off * r->ratio * off2;
    const float whole = away2 * away * cosine2 * cosine;
    const float apart = r->dear_t + r->dear_off * sine / cosine - t;
    return nav_plane_clamp_f(t + apart * whole / (whole + slope + FLT_MIN), 0.0f, 1.0f);
}
