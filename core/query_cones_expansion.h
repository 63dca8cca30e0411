// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_cones_expansion.h: an expansion of one cone, and how it adds cones: inline what nearly all
// are. Private to the files query_cones*.c.

#pragma once

#include "query_cones_part.h"

// A root with its way so far.
typedef struct source {
    float root[2];
    uint32_t pivot;
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
    double behind_left[2], behind_right[2]; // places on the same rays, behind the portal's ends
    // The squares of what `side` is, at most, of a place that lies beside the ray by a grain.
    double left_grain2, right_grain2;
    bool left_open, right_open;
    uint32_t parent;
} expansion;

// Adds a cone through a portal that faces the root. Notes how far the portal's ends are, where they
// are seen.
static inline void add_cone(const expansion *e, const source *from, uint32_t index,
                            const double left[2], const double right[2])
{
    nav_cones *c = e->c;
    const nav_portal *portal = &e->mesh->portals[index];
    nav_pivot_mark *left_mark = mark_of(c, index, 0, pivot_of(c, index, 0) & NAV_PIVOT_NUMBER);
    nav_pivot_mark *right_mark = mark_of(c, index, 1, pivot_of(c, index, 1) & NAV_PIVOT_NUMBER);
    part p = {
        .width = distance(portal->left, portal->right), .left = left_mark, .right = right_mark};
    if (is_at(left, portal->left)) {
        set_place(p.a, portal->left);
        p.to_a = distance(from->root, portal->left);
        note_way(left_mark, from->g + p.to_a, from->root);
    } else {
        p.along_a = cross_portal(from->root, left, portal, p.a) * p.width;
        p.to_a = distance_to(from->root, p.a);
    }
    if (is_at(right, portal->right)) {
        set_place(p.b, portal->right);
        p.along_b = p.width;
        p.to_b = distance(from->root, portal->right);
        note_way(right_mark, from->g + p.to_b, from->root);
    } else {
        p.along_b = cross_portal(from->root, right, portal, p.b) * p.width;
        p.to_b = distance_to(from->root, p.b);
    }
    if (is_beaten(&p, from->g)) {
        return;
    }
    double key;
    if (c->aim == NULL) {
        key = from->g + nearest_of(&p, portal, from->root);
    } else {
        key = from->g + straight_of(c, &p, portal, from->root, left, right) * c->ratio;
        if (c->bound != NULL && key < c->limit) {
            key = fmax(key, from->g + landmarks_of(&p, portal, from->root) * c->ratio);
        }
        key = key > c->least ? key : c->least;
        if (key >= c->limit) {
            return;
        }
    }
    c->pool->cones[c->count++] = (nav_cone){.root = {from->root[0], from->root[1]},
                                            .left = {left[0], left[1]},
                                            .right = {right[0], right[1]},
                                            .g = from->g,
                                            .portal = index,
                                            .parent = e->parent,
                                            .pivot = from->pivot,
                                            .key = (float)key};
}

// ---- query_cones_open.c ----

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

static inline bool is_fold(const nav_mesh *mesh, uint32_t index)
{
    return (mesh->portal_pivots[index][0] & NAV_PIVOT_FOLDS) != 0;
}

// Whether a portal that ends where the root stands leads on around it. From the search's start or
// the end of a way, which may stand within open ground, no further than once around; elsewhere
// there is a wall to stop at, on spiral stairs after many turns. Over a fold ground may lead round
// and round, so it is not followed.
static inline bool leads_on(nav_cones *c, const source *from, uint32_t index)
{
    const nav_mesh *mesh = c->view->mesh;
    const uint32_t to = mesh->portals[index].to;
    if (is_fold(mesh, index)) {
        c->refused = true;
        return false;
    }
    if (from->pivot == NAV_NONE) {
        return to != c->home;
    }
    return from->pivot < c->way_base ||
           to != c->way_homes[(from->pivot - c->way_base) * c->way_stride];
}

// Adds a cone from a root that stands in the polygon and sees the portal between two rays.
static inline void add_seen(const expansion *e, const source *from, uint32_t index,
                            const double left[2], const double right[2])
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
