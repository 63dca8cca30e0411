// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_cones_part.h: what the part of a portal that a root sees is worth: whether a way by one of
// the portal's ends beats it, how near it is, and how far the goal is through it. Inline, as every
// cone is judged so. Private to the files query_cones*.c.

#pragma once

#include "query_cones_mark.h"

// A portal's part that a root sees.
typedef struct part {
    double a[2], b[2];                  // its left and right ends
    double to_a, to_b;                  // from the root to them
    double width;                       // of the portal
    double along_a, along_b;            // from the portal's left end to them
    const nav_pivot_mark *left, *right; // of the portal's ends
} part;

// Whether the portal's ends are known to be so near that no place of the part is reached sooner
// from the root: by way of an end, all places up to the far end of the part are reached as soon as
// that end is.
static inline bool is_beaten(const part *p, double g)
{
    const double g_a = g + p->to_a, g_b = g + p->to_b;
    return (p->left->g < g_b && p->left->g + p->along_b < g_b * (1.0 - SAME_PART)) ||
           (p->right->g < g_a && p->right->g + (p->width - p->along_a) < g_a * (1.0 - SAME_PART));
}

// How far the part's nearest place is from the root: the foot of the root, or an end.
static inline double nearest_of(const part *p, const nav_portal *portal, const float root[2])
{
    const double ex = (double)portal->right[0] - (double)portal->left[0];
    const double ez = (double)portal->right[1] - (double)portal->left[1];
    const double rx = (double)root[0], rz = (double)root[1];
    if ((rx - p->a[0]) * ex + (rz - p->a[1]) * ez <= 0.0) {
        return p->to_a;
    }
    if ((rx - p->b[0]) * ex + (rz - p->b[1]) * ez >= 0.0) {
        return p->to_b;
    }
    return fabs(side_of(portal->left, portal->right, root)) / p->width;
}

// The straight way from the root through the part to the goal; it may bend at an end of the part.
static inline double straight_of(const nav_cones *c, const part *p, const nav_portal *portal,
                                 const float root[2], const double left[2], const double right[2])
{
    double at[2];
    find_image(portal, c->aim, at);
    if (between(root, left, at) < 0.0) {
        return p->to_a +
               sqrt((at[0] - p->a[0]) * (at[0] - p->a[0]) + (at[1] - p->a[1]) * (at[1] - p->a[1]));
    }
    if (between(root, right, at) > 0.0) {
        return p->to_b +
               sqrt((at[0] - p->b[0]) * (at[0] - p->b[0]) + (at[1] - p->b[1]) * (at[1] - p->b[1]));
    }
    return distance_to(root, at);
}

// The least way from the root to a place of the part, and from there to the goal as far as
// landmarks know: less, by the place's distance, than from an end of the portal. The greater of
// both ends' is least where they are equal, and falls and rises as fast as one walks along the
// portal: no way to another place of the part makes up for that.
static inline double landmarks_of(const part *p, const nav_portal *portal, const float root[2])
{
    const double left = (double)p->left->left, right = (double)p->right->left;
    double along = (left - right + p->width) * 0.5;
    along = along > p->along_a ? along < p->along_b ? along : p->along_b : p->along_a;
    const double t = p->width > 0.0 ? along / p->width : 0.0;
    const double at[2] = {
        (double)portal->left[0] + ((double)portal->right[0] - (double)portal->left[0]) * t,
        (double)portal->left[1] + ((double)portal->right[1] - (double)portal->left[1]) * t};
    const double by_left = left - along, by_right = right - (p->width - along);
    return distance_to(root, at) + (by_left > by_right ? by_left : by_right);
}
