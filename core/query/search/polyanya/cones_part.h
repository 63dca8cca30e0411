// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// cones_part.h: what the part of a portal that a root sees is worth: whether a way by one of
// the portal's ends beats it, how near it is, and how far the goal is through it. Inline, as every
// cone is judged so. Private to the files query_cones*.c.

#pragma once

#include "core/query/search/polyanya/cones_mark.h"

// A portal's part that a root sees. Places are given as seen from the root.
typedef struct part {
    double l[2], r[2];                    // the portal's left and right ends
    double a[2], b[2];                    // the part's
    double to_a, to_b;                    // from the root to them
    double width, inverse;                // of the portal; 0 and 0 where it has none
    double along_a, along_b;              // from the portal's left end to them
    const nav_turning_mark *left, *right; // of the portal's ends
} part;

// Branches here, and in expand_portal, would go one way as often as the other: so there are none.

// Whether the portal's ends are known to be so near that no place of the part is reached sooner
// from the root: by way of an end, all places up to the far end of the part are reached as soon as
// that end is.
static inline bool is_beaten(const part *p, double g)
{
    const double g_a = g + p->to_a, g_b = g + p->to_b;
    return (p->left->g + p->along_b < g_b * (1.0 - NAV_SAME_PART)) |
           (p->right->g + (p->width - p->along_a) < g_a * (1.0 - NAV_SAME_PART));
}

// How far the part's nearest place is from the root: the foot of the root, or an end.
static inline double nearest_of(const part *p)
{
    const double ex = p->r[0] - p->l[0], ez = p->r[1] - p->l[1];
    if (p->a[0] * ex + p->a[1] * ez >= 0.0) {
        return p->to_a;
    }
    if (p->b[0] * ex + p->b[1] * ez <= 0.0) {
        return p->to_b;
    }
    return fabs(cross(p->l, p->r)) / p->width;
}

// The straight way from the root through the part to the goal; it may bend at an end of the part.
static inline double straight_of(const part *p, const float root[2], const float aim[2])
{
    double at[2] = {(double)aim[0] - (double)root[0], (double)aim[1] - (double)root[1]};
    const double ex = p->r[0] - p->l[0], ez = p->r[1] - p->l[1];
    const double off = ex * (at[1] - p->l[1]) - ez * (at[0] - p->l[0]);
    if (off > 0.0) { // the goal lies before the portal: its mirror image is as far
        const double shift = 2.0 * off / (p->width * p->width);
        at[0] += ez * shift;
        at[1] -= ex * shift;
    }
    const double bends[3][3] = {
        {0.0, 0.0, 0.0}, {p->a[0], p->a[1], p->to_a}, {p->b[0], p->b[1], p->to_b}};
    const int off_left = cross(p->a, at)<0.0, off_right = cross(p->b, at)> 0.0;
    const double *bend = bends[off_left | (off_right & ~off_left) << 1];
    return bend[2] + length_of(at[0] - bend[0], at[1] - bend[1]);
}

// The least way from the root to a place of the part, and from there to the goal as far as
// landmarks know: less, by the place's distance, than from an end of the portal. The greater of
// both ends' is least where they are equal, and falls and rises as fast as one walks along the
// portal: no way to another place of the part makes up for that. At least `least`.
static inline double landmarks_of(const part *p, double least)
{
    const double left = (double)p->left->left, right = (double)p->right->left;
    double along = (left - right + p->width) * 0.5;
    along = along > p->along_a ? along < p->along_b ? along : p->along_b : p->along_a;
    const double t = along * p->inverse;
    const double x = p->l[0] + (p->r[0] - p->l[0]) * t, z = p->l[1] + (p->r[1] - p->l[1]) * t;
    const double from_left = left - along, from_right = right - (p->width - along);
    const double most = length_of(x, z) + (from_left > from_right ? from_left : from_right);
    return most > least ? most : least;
}
