// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// expansion.h: one expansion of a Polyanya node, and the pieces that nearly every node takes; these
// are inline. Marks of turning vertices, the interval of a portal that a root sees, a node that is
// added. For expansion.c and degenerate.c, and marks for engine.c and geodesic.c. Private to the
// engine.

#pragma once

#include "core/base/plane.h"
#include "core/query/search/polyanya/polyanya.h"

#include <math.h>

static inline bool is_at(const double a[2], const float b[2])
{
    return (a[0] == (double)b[0]) & (a[1] == (double)b[1]);
}

static inline void set_point(double out[2], const float point[2])
{
    out[0] = (double)point[0];
    out[1] = (double)point[1];
}

// ---- marks of turning vertices ----

// The first of several paths of one length to a turning vertex is followed, or searches would
// multiply in worlds full of symmetry. Paths whose last legs lie on one line are one path: which of
// the turning vertices on that line is the root of a node depends on what it is seen through.
static inline bool is_same_heading(float a, float b)
{
    const float difference = fabsf(a - b);
    return difference < NAV_SAME_HEADING || difference > 4.0f - NAV_SAME_HEADING;
}

// Begins the mark of a portal's end in this search.
void nav_turning_mark_begin(const nav_polyanya *s, nav_turning_mark *mark, uint32_t portal,
                            int right);

// Notes the length of a straight path over ground.
static inline void note_length(nav_turning_mark *mark, double g, const float root[2])
{
    if (g < mark->g * (1.0 - NAV_SAME_LENGTH_RATIO)) {
        mark->g = g;
        mark->from[0] = root[0];
        mark->from[1] = root[1];
    }
}

// Whether the straight way to a point, which has been noted, is the one to follow; from there on it
// is as long as the mark says.
static inline bool is_followed(const nav_turning_mark *mark, double g, const float root[2],
                               const float point[2])
{
    return g <= mark->g * (1.0 + NAV_SAME_LINE_RATIO) &&
           (nav_plane_same(mark->from, root) ||
            is_same_heading(nav_plane_heading_f(mark->from, point),
                            nav_plane_heading_f(root, point)));
}

// Whether a way as short is known to land on turning vertex `number`.
static inline bool has_landed(const nav_polyanya *s, uint32_t number, double g)
{
    NAV_DCHECK(number < s->scratch->mark_capacity);
    const nav_turning_mark *mark = &s->scratch->marks[number];
    return mark->stamp == s->scratch->stamp && g >= mark->g * (1.0 - NAV_SAME_LENGTH_RATIO);
}

// The least length of a way from the root to the goal, whatever is between; without a goal, to the
// root.
static inline double key_of_root(const nav_polyanya *s, const float root[2], double g)
{
    const double key =
        s->has_goal ? g + nav_plane_distance_of(root, s->goal.point) * s->goal.ratio : g;
    return key > s->least ? key : s->least;
}

// marks.c: the same where ground is closed.
uint32_t nav_turning_beside_closed(const nav_polyanya *s, uint32_t portal, const uint32_t ends[2],
                                   int right);

// The number of the point where a portal ends: on its left (0) or its right (1). `ends`: what the
// mesh or the overlay knows.
static inline uint32_t turning_vertex_of(const nav_polyanya *s, uint32_t portal,
                                         const uint32_t ends[2], int right)
{
    return s->is_all_open ? ends[right] : nav_turning_beside_closed(s, portal, ends, right);
}

// The mark of a portal's end: that of a turning vertex, or where ground is closed its own. It is
// new where the search has not met it yet.
static inline nav_turning_mark *mark_of(const nav_polyanya *s, uint32_t portal,
                                        const uint32_t ends[2], int right)
{
    const uint32_t number = turning_vertex_of(s, portal, ends, right) & NAV_TURNING_NUMBER;
    NAV_DCHECK(number < s->arc_base);
    nav_turning_mark *mark = &s->scratch->marks[number];
    if (mark->stamp != s->scratch->stamp) {
        nav_turning_mark_begin(s, mark, portal, right);
    }
    return mark;
}

// ---- the interval of a portal that a root sees ----

// A portal's part that a root sees. Points are given as seen from the root.
typedef struct interval {
    double l[2], r[2];                    // the portal's left and right ends
    double a[2], b[2];                    // the interval's
    double to_a, to_b;                    // from the root to them
    double width, inverse;                // of the portal; 0 and 0 where it has none
    double along_a, along_b;              // from the portal's left end to them
    const nav_turning_mark *left, *right; // of the portal's ends
} interval;

// Branches here, and in expand_portal, would go one way as often as the other: so there are none.

// Whether a way over an end of the portal, and on along it, is known to reach every point of the
// interval sooner than the root does. One that reaches the interval's far end sooner does so: by
// the triangle inequality it reaches each point before that end sooner, too.
static inline bool is_beaten(const interval *p, double g)
{
    const double g_a = g + p->to_a, g_b = g + p->to_b;
    return (p->left->g + p->along_b < g_b * (1.0 - NAV_SAME_LENGTH_RATIO)) |
           (p->right->g + (p->width - p->along_a) < g_a * (1.0 - NAV_SAME_LENGTH_RATIO));
}

// How far the interval's nearest point is from the root: the foot of the root, or an end.
static inline double nearest_of(const interval *p)
{
    const double ex = p->r[0] - p->l[0], ez = p->r[1] - p->l[1];
    if (nav_plane_dot(p->a[0], p->a[1], ex, ez) >= 0.0) {
        return p->to_a;
    }
    if (nav_plane_dot(p->b[0], p->b[1], ex, ez) <= 0.0) {
        return p->to_b;
    }
    return fabs(nav_plane_cross_rays(p->l, p->r)) / p->width;
}

// The straight way from the root through the interval to the goal; it may bend at an end of the
// interval.
static inline double straight_of(const interval *p, const float root[2], const float aim[2])
{
    double at[2] = {(double)aim[0] - (double)root[0], (double)aim[1] - (double)root[1]};
    const double ex = p->r[0] - p->l[0], ez = p->r[1] - p->l[1];
    const double off = nav_plane_cross(ex, ez, at[0] - p->l[0], at[1] - p->l[1]);
    if (off > 0.0) { // the goal lies before the portal: its mirror image is as far
        const double shift = 2.0 * off / (p->width * p->width);
        at[0] += ez * shift;
        at[1] -= ex * shift;
    }
    const double bends[3][3] = {
        {0.0, 0.0, 0.0}, {p->a[0], p->a[1], p->to_a}, {p->b[0], p->b[1], p->to_b}};
    const int off_left = nav_plane_cross_rays(p->a, at) < 0.0;
    const int off_right = nav_plane_cross_rays(p->b, at) > 0.0;
    const double *bend = bends[off_left | (off_right & ~off_left) << 1];
    return bend[2] + nav_plane_length(at[0] - bend[0], at[1] - bend[1]);
}

// A lower bound on the way from the root through the interval to the goal, by the landmarks; at
// least `least`. From a point of the portal the goal is at least as far as from either end, less
// the way to that end. The greater of these two bounds is least where they are equal, and away from
// there it grows as fast as one walks along the portal, so a detour to another point gains nothing.
static inline double landmarks_of(const interval *p)
{
    const double left = (double)p->left->left, right = (double)p->right->left;
    double along = (left - right + p->width) * 0.5;
    along = along > p->along_a ? along < p->along_b ? along : p->along_b : p->along_a;
    const double t = along * p->inverse;
    const double x = p->l[0] + (p->r[0] - p->l[0]) * t, z = p->l[1] + (p->r[1] - p->l[1]) * t;
    const double from_left = left - along, from_right = right - (p->width - along);
    return nav_plane_length(x, z) + (from_left > from_right ? from_left : from_right);
}

// ---- one expansion ----

// A root with its way so far.
typedef struct viewpoint {
    float root[2];
    uint32_t turning_vertex;
    double g;
} viewpoint;

// The state of the expansion of one node.
typedef struct expansion {
    nav_polyanya *s;
    // The polygon's own: the first one has the number `first`.
    const nav_portal *portals;
    const uint32_t (*turning_vertices)[2];
    uint32_t first;
    viewpoint seen_from; // the node's own root
    viewpoint turn_left; // around the portal's left end; turning vertex NAV_NONE: no turn there
    viewpoint turn_right;
    double left[2], right[2];               // the node's rays
    double left_ray[2], right_ray[2];       // the same as seen from the root
    double behind_left[2], behind_right[2]; // points on the same rays, behind the portal's ends
    // The squares of what nav_plane_cross_rays is, at most, of a ray and a point that lies beside
    // it by the tolerance.
    double left_tolerance2, right_tolerance2;
    bool left_open, right_open;
    double entered_at; // of a view with an overlay: from the root to the portal of entry
    uint32_t parent;
} expansion;

static inline const nav_portal *portal_at(const expansion *e, uint32_t index)
{
    return &e->portals[index - e->first];
}

static inline const uint32_t *ends_at(const expansion *e, uint32_t index)
{
    return e->turning_vertices[index - e->first];
}

// The point where the ray from the root through a point crosses the portal: as the interval's left
// end, or its right one. Returns how far along the portal.
static inline double cross_interval(const interval *p, const float root[2], const double through[2],
                                    double out[2])
{
    const double ray[2] = {through[0] - (double)root[0], through[1] - (double)root[1]};
    const double by_left = nav_plane_cross_rays(ray, p->l),
                 by_right = nav_plane_cross_rays(ray, p->r);
    const double slant = by_right - by_left;
    double t = slant != 0.0 ? -by_left / slant : 0.0;
    t = t > 0.0 ? t < 1.0 ? t : 1.0 : 0.0;
    out[0] = p->l[0] + (p->r[0] - p->l[0]) * t;
    out[1] = p->l[1] + (p->r[1] - p->l[1]) * t;
    return t * p->width;
}

// Adds a node through a portal that faces the root, between rays through two points; NULL: up to
// the portal's end. Notes how far the portal's ends are, where they are seen.
static inline void add_node(const expansion *e, const viewpoint *from, uint32_t index,
                            const nav_portal *portal, const uint32_t ends[2], const double *left,
                            const double *right)
{
    nav_polyanya *s = e->s;
    NAV_DCHECK(nav_polyanya_is_over_edge(s, index));
    nav_turning_mark *left_mark = mark_of(s, index, ends, 0);
    nav_turning_mark *right_mark = mark_of(s, index, ends, 1);
    interval p = {.left = left_mark, .right = right_mark};
    nav_plane_offset(from->root, portal->left, p.l);
    nav_plane_offset(from->root, portal->right, p.r);
    p.width = nav_plane_length(p.r[0] - p.l[0], p.r[1] - p.l[1]);
    p.inverse = p.width > 0.0 ? 1.0 / p.width : 0.0;
    p.a[0] = p.l[0];
    p.a[1] = p.l[1];
    p.along_a = left != NULL ? cross_interval(&p, from->root, left, p.a) : 0.0;
    p.to_a = nav_plane_length(p.a[0], p.a[1]);
    if (left == NULL) {
        note_length(left_mark, from->g + p.to_a, from->root);
    }
    p.b[0] = p.r[0];
    p.b[1] = p.r[1];
    p.along_b = right != NULL ? cross_interval(&p, from->root, right, p.b) : p.width;
    p.to_b = nav_plane_length(p.b[0], p.b[1]);
    if (right == NULL) {
        note_length(right_mark, from->g + p.to_b, from->root);
    }
    if (is_beaten(&p, from->g)) {
        return;
    }
    double key;
    if (!s->has_goal) {
        key = from->g + nearest_of(&p);
    } else {
        double rest = straight_of(&p, from->root, s->goal.point) * s->goal.ratio;
        if (s->goal.bound != NULL) {
            const double by_landmarks = landmarks_of(&p) * s->goal.landmark_ratio;
            rest = by_landmarks > rest ? by_landmarks : rest;
        }
        key = from->g + rest;
        key = key > s->least ? key : s->least;
        if (key >= s->limit) {
            s->pruned = true;
            return;
        }
    }
    NAV_DCHECK(s->count < s->scratch->capacity);
    NAV_DCHECK(key >= 0.0);
    nav_polyanya_node *node = &s->scratch->nodes[s->count++];
    node->root[0] = from->root[0];
    node->root[1] = from->root[1];
    node->left[0] = left != NULL ? left[0] : (double)portal->left[0];
    node->left[1] = left != NULL ? left[1] : (double)portal->left[1];
    node->right[0] = right != NULL ? right[0] : (double)portal->right[0];
    node->right[1] = right != NULL ? right[1] : (double)portal->right[1];
    node->g = from->g;
    node->portal = index;
    node->parent = e->parent;
    node->turning_vertex = from->turning_vertex;
    node->key = (float)key;
}

// ---- degenerate.c ----

// Adds a node from a root that stands in the polygon and sees the portal between two rays.
void nav_expansion_add_seen(const expansion *e, const viewpoint *from, uint32_t index,
                            const double *left, const double *right);
// A portal whose ends are one point in plan view.
void nav_expansion_point(const expansion *e, uint32_t index);
// A portal that lies on a ray of the node.
void nav_expansion_edge_on(const expansion *e, uint32_t index, bool on_left);
// The root is an end of the portal over which the polygon was entered, and the polygon is so thin
// that it has another portal on that one.
void nav_expansion_thin(const expansion *e, uint32_t index);
// Adds, in a view with an overlay, a node through a portal that lies between the rays, or has a
// part between them.
void nav_expansion_add_cut(const expansion *e, uint32_t index, const double *left,
                           const double *right);
// Adds, in a view with an overlay, a node through a portal that has an end between the rays, or
// next to one, where no other node leads through it.
void nav_expansion_add_hidden(const expansion *e, uint32_t index);
// A portal on which the search's start, or the end of an arc, stands as far as rounding goes.
void nav_expansion_step_through(const expansion *e, uint32_t index);
