// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// cones_expansion.h: an expansion of one cone, and how it adds cones: inline what nearly all
// are. Private to the files query_cones*.c.

#pragma once

#include "core/query/search/polyanya/cones_part.h"

// A root with its way so far.
typedef struct source {
    float root[2];
    uint32_t turning_vertex;
    double g;
} source;

// What an expansion of one cone has at hand.
typedef struct expansion {
    nav_cones *c;
    const nav_mesh *mesh;
    source seen_from; // the cone's own root
    source turn_left; // around the portal's left end; pivot NAV_NONE: no turn there
    source turn_right;
    double left[2], right[2];               // the cone's rays
    double left_ray[2], right_ray[2];       // the same as seen from the root
    double behind_left[2], behind_right[2]; // places on the same rays, behind the portal's ends
    // The squares of what `side` is, at most, of a place that lies beside the ray by a grain; where
    // it is not asked for, 0.
    double left_tolerance2, right_tolerance2;
    bool left_open, right_open;
    bool is_all_open; // nothing is closed
    uint32_t parent;
} expansion;

static inline uint32_t number_of(const expansion *e, uint32_t portal, int right)
{
    const uint32_t turning_vertex = e->is_all_open ? e->mesh->portal_turning_vertices[portal][right]
                                                   : nav_turning_on_foot(e->c->view, portal, right);
    return turning_vertex & NAV_TURNING_NUMBER;
}

// Where the ray from the root through a place crosses the portal: as the part's left end, or its
// right one. Returns how far along the portal.
static inline double cross_part(const part *p, const float root[2], const double through[2],
                                double out[2])
{
    const double ray[2] = {through[0] - (double)root[0], through[1] - (double)root[1]};
    const double by_left = cross(ray, p->l), by_right = cross(ray, p->r);
    const double slant = by_right - by_left;
    double t = slant != 0.0 ? -by_left / slant : 0.0;
    t = t > 0.0 ? t < 1.0 ? t : 1.0 : 0.0;
    out[0] = p->l[0] + (p->r[0] - p->l[0]) * t;
    out[1] = p->l[1] + (p->r[1] - p->l[1]) * t;
    return t * p->width;
}

// Adds a cone through a portal that faces the root, between rays through two places; NULL: up to
// the portal's end. Notes how far the portal's ends are, where they are seen.
__attribute__((always_inline)) static inline void add_cone(const expansion *e, const source *from,
                                                           uint32_t index, const double *left,
                                                           const double *right)
{
    nav_cones *c = e->c;
    const nav_portal *portal = &e->mesh->portals[index];
    nav_turning_mark *left_mark = mark_of(c, index, 0, number_of(e, index, 0));
    nav_turning_mark *right_mark = mark_of(c, index, 1, number_of(e, index, 1));
    part p = {.left = left_mark, .right = right_mark};
    look_at(from->root, portal->left, p.l);
    look_at(from->root, portal->right, p.r);
    p.width = length_of(p.r[0] - p.l[0], p.r[1] - p.l[1]);
    p.inverse = p.width > 0.0 ? 1.0 / p.width : 0.0;
    p.a[0] = p.l[0];
    p.a[1] = p.l[1];
    p.along_a = left != NULL ? cross_part(&p, from->root, left, p.a) : 0.0;
    p.to_a = length_of(p.a[0], p.a[1]);
    if (left == NULL) {
        note_way(left_mark, from->g + p.to_a, from->root);
    }
    p.b[0] = p.r[0];
    p.b[1] = p.r[1];
    p.along_b = right != NULL ? cross_part(&p, from->root, right, p.b) : p.width;
    p.to_b = length_of(p.b[0], p.b[1]);
    if (right == NULL) {
        note_way(right_mark, from->g + p.to_b, from->root);
    }
    if (is_beaten(&p, from->g)) {
        return;
    }
    double key;
    if (c->aim == NULL) {
        key = from->g + nearest_of(&p);
    } else {
        const double straight = straight_of(&p, from->root, c->aim);
        key = from->g + (c->bound != NULL ? landmarks_of(&p, straight) : straight) * c->ratio;
        key = key > c->least ? key : c->least;
        if (key >= c->limit) {
            return;
        }
    }
    nav_cone *cone = &c->pool->cones[c->count++];
    cone->root[0] = from->root[0];
    cone->root[1] = from->root[1];
    cone->left[0] = left != NULL ? left[0] : (double)portal->left[0];
    cone->left[1] = left != NULL ? left[1] : (double)portal->left[1];
    cone->right[0] = right != NULL ? right[0] : (double)portal->right[0];
    cone->right[1] = right != NULL ? right[1] : (double)portal->right[1];
    cone->g = from->g;
    cone->portal = index;
    cone->parent = e->parent;
    cone->turning_vertex = from->turning_vertex;
    cone->key = (float)key;
}

// ---- cones_open.c ----

// Adds a cone from a root that stands on the portal, between its ends: all that is behind is seen.
void nav_expansion_add_open(const expansion *e, const source *from, uint32_t index);
// Notes both ends of a portal that are in sight, though no cone may lead through: it is seen edge
// on, or not followed.
void nav_expansion_mark_ends(const expansion *e, const source *from, uint32_t index);
// A portal whose line leads through the root.
void nav_expansion_add_in_line(const expansion *e, const source *from, uint32_t index);
// A portal whose ends are one place in plan view.
void nav_expansion_point(const expansion *e, uint32_t index);
// A portal that lies on a ray of the cone.
void nav_expansion_edge_on(const expansion *e, uint32_t index, bool on_left);
// The root is an end of the portal over which the polygon was entered, and the polygon is so thin
// that it has another portal on that one.
void nav_expansion_thin(const expansion *e, uint32_t index);
// A portal on which the search's start, or the end of a way, stands as far as rounding goes.
void nav_expansion_step_through(const expansion *e, uint32_t index);

// ---- portals in sight of a root in the polygon ----

static inline bool is_non_manifold(const nav_mesh *mesh, uint32_t index)
{
    return (mesh->portal_turning_vertices[index][0] & NAV_TURNING_NON_MANIFOLD) != 0;
}

// Whether a portal that ends where the root stands leads on around it. From the search's start or
// the end of a way, which may stand within open ground, no further than once around; elsewhere
// there is a wall to stop at, on spiral stairs after many turns. Over a fold ground may lead round
// and round, so it is not followed.
static inline bool leads_on(nav_cones *c, const source *from, uint32_t index)
{
    const nav_mesh *mesh = c->view->mesh;
    const uint32_t to = mesh->portals[index].to;
    if (is_non_manifold(mesh, index)) {
        c->refused = true;
        return false;
    }
    if (from->turning_vertex == NAV_NONE) {
        return to != c->home;
    }
    return from->turning_vertex < c->arc_base ||
           to != c->arc_homes[(from->turning_vertex - c->arc_base) * c->arc_stride];
}

// Adds a cone from a root that stands in the polygon and sees the portal between two rays.
static inline void add_seen(const expansion *e, const source *from, uint32_t index,
                            const double *left, const double *right)
{
    const nav_portal *portal = &e->mesh->portals[index];
    if (same_place(from->root, portal->left) || same_place(from->root, portal->right)) {
        if (leads_on(e->c, from, index)) {
            add_cone(e, from, index, left, right);
        } else {
            nav_expansion_mark_ends(e, from, index);
        }
        return;
    }
    if (side_of(from->root, portal->left, portal->right) > 0.0) {
        add_cone(e, from, index, left, right);
        return;
    }
    nav_expansion_add_in_line(e, from, index);
}
