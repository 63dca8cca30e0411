// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// labels.h: the engine for ground of several costs, and for `fast`: the state of one search over
// portals to one goal, its labels and its open list. For the two files that expand polygons:
// one_goal.c where all steps cost the same, expand_costs.c where costs differ. Most of it is
// inline, for calls would take a tenth of the time. Private to core/query/search.

#pragma once

#include "core/base/plane.h"
#include "core/base/tolerances.h"
#include "core/query/search/alt.h"
#include "core/query/search/goals.h"
#include "core/query/search/search.h"

#include <float.h>
#include <math.h>

typedef struct nav_label_search {
    const nav_view *view;
    const nav_mesh *mesh; // the view's
    nav_search_node *nodes;
    nav_search_polygon *polygons;
    nav_open_list open; // of portals; NAV_NONE: the goal
    uint32_t open_max;
    uint32_t stamp;
    float start[2], goal[2];
    uint32_t goal_polygon;
    nav_goals goals; // bridges that lead away from the goal are not crossed
    bool by_length;  // all open ground costs the same: steps count as long as they are
    bool open_but_for_shapes;
    float goal_cost; // of a step in the goal's polygon
    float bound;     // of what a step costs anywhere
    nav_alt_guess guess;
    float straight_weight, landmark_weight; // cost of a guessed step, times the search's weight
    nav_search_node at_goal; // how the goal is reached, whose polygon may also be passed
    uint32_t goal_entry;
    uint32_t *trail; // of what has been expanded, in order
    uint32_t trail_count;
    uint32_t expanded, expanded_max;
    float limit;        // of what a path may cost; INFINITY: none
    nav_cancel *cancel; // the scratch's
} nav_label_search;

// A polygon that is expanded, as it looks from its root.
typedef struct nav_label {
    float x, z, g;        // the root
    float left_x, left_z; // from the root to the ends of what is seen of the entry
    float right_x, right_z;
    // Whether the straight line to the goal leaves what is seen on either side.
    bool leans_left, leans_right;
    bool stands; // the root is in the polygon or on its border: all of it is seen
    uint32_t polygon;
    uint32_t entry; // or NAV_SEARCH_START
} nav_label;

// ---- the open list. A better label is one more entry; the one it replaces is passed over when it
// comes up ----

// Whether the entry is of the node's present label.
static inline bool nav_open_is_current(const nav_label_search *s, nav_open_entry entry)
{
    const nav_search_node *node = entry.index == NAV_NONE ? &s->at_goal : &s->nodes[entry.index];
    return node->stamp == s->stamp && node->f == entry.key;
}

// Makes room by dropping replaced entries, which are at least half of a full heap.
static void nav_open_tidy(nav_label_search *s)
{
    const uint32_t count = s->open.count;
    s->open.count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (nav_open_is_current(s, s->open.entries[i])) {
            const nav_open_entry entry = s->open.entries[i];
            nav_open_list_push(&s->open, entry);
        }
    }
    NAV_ASSERT(s->open.count < s->open_max);
}

static inline void nav_open(nav_label_search *s, float f, uint32_t index)
{
    if (s->open.count == s->open_max) {
        nav_open_tidy(s);
    }
    NAV_DCHECK(f < INFINITY);
    nav_open_list_add(&s->open, (nav_open_entry){.key = f, .index = index});
}

// ---- labels ----

// The part of a portal that a label sees, and from which root.
typedef struct nav_seen {
    float x, z, g;
    float left, right; // how much: 0 is the portal's left end, 1 its right
} nav_seen;

static inline nav_seen nav_label_bend(const nav_label *from, float ray_x, float ray_z, float cost)
{
    return (nav_seen){.x = from->x + ray_x,
                      .z = from->z + ray_z,
                      .g = from->g + nav_plane_length_f(ray_x, ray_z) * cost,
                      .right = 1.0f};
}

// The part of a portal that is seen through the label's entry. If that is nothing, or the label
// leans towards an end that is hidden, the way bends around an end of what is seen of the entry.
// Part of the caller: a call would put it all into memory.
__attribute__((always_inline)) static inline nav_seen
nav_label_see(const nav_label *from, const nav_portal *portal, float cost)
{
    nav_seen seen = {.x = from->x, .z = from->z, .g = from->g, .right = 1.0f};
    if (from->stands) {
        return seen;
    }
    const float left_x = portal->left[0] - from->x, left_z = portal->left[1] - from->z;
    const float right_x = portal->right[0] - from->x, right_z = portal->right[1] - from->z;
    const float left_by_left = nav_plane_cross_f(from->left_x, from->left_z, left_x, left_z);
    const float right_by_left = nav_plane_cross_f(from->left_x, from->left_z, right_x, right_z);
    const float left_by_right = nav_plane_cross_f(from->right_x, from->right_z, left_x, left_z);
    const float right_by_right = nav_plane_cross_f(from->right_x, from->right_z, right_x, right_z);
    // Both ends are asked: from a root on the entry itself what is seen takes up half a turn.
    if (left_by_left <= 0.0f &&
        (right_by_left <= 0.0f || (from->leans_left && left_by_left < 0.0f))) {
        return nav_label_bend(from, from->left_x, from->left_z, cost);
    }
    if (right_by_right >= 0.0f &&
        (left_by_right >= 0.0f || (from->leans_right && right_by_right > 0.0f))) {
        return nav_label_bend(from, from->right_x, from->right_z, cost);
    }
    // Without branches, which nothing could foretell. The least number keeps a portal along a ray
    // from 0 / 0.
    const float off_left = (fabsf(left_by_left) - left_by_left) * 0.5f;
    const float off_right = (fabsf(right_by_right) + right_by_right) * 0.5f;
    seen.left = off_left / (fabsf(left_by_left - right_by_left) + FLT_MIN);
    seen.right = 1.0f - off_right / (fabsf(right_by_right - left_by_right) + FLT_MIN);
    return seen;
}

// The point at part t of a portal, by its coordinates. Near enough for a search, whose lengths are
// sums of floats: at t = 1 it may be a rounding beside the right end. A string's crossings must
// meet the end itself (nav_portal_point of refract.h), which takes a choice for each coordinate.
static inline float nav_portal_x(const nav_portal *portal, float t)
{
    return portal->left[0] + (portal->right[0] - portal->left[0]) * t;
}

static inline float nav_portal_z(const nav_portal *portal, float t)
{
    return portal->left[1] + (portal->right[1] - portal->left[1]) * t;
}

// The point along a portal, from 0 at its left end to 1 at its right, over which the way root ->
// portal -> goal is shortest: where the straight line crosses it, or its mirror image where both
// lie on one side; as far as it is seen.
static inline float nav_portal_aim(const nav_portal *portal, nav_seen seen, const float goal[2])
{
    const float dx = portal->right[0] - portal->left[0], dz = portal->right[1] - portal->left[1];
    const float a_x = seen.x - portal->left[0], a_z = seen.z - portal->left[1];
    const float b_x = goal[0] - portal->left[0], b_z = goal[1] - portal->left[1];
    const float width2 = dx * dx + dz * dz;
    // Distances from the portal's line and along it, times its width.
    const float from_a = fabsf(nav_plane_cross_f(a_x, a_z, dx, dz));
    const float from_b = fabsf(nav_plane_cross_f(b_x, b_z, dx, dz));
    const float along_a = a_x * dx + a_z * dz;
    const float along_b = b_x * dx + b_z * dz;
    float t = 0.0f;
    if (from_a + from_b > 0.0f) {
        t = (along_a * from_b + along_b * from_a) / ((from_a + from_b) * width2);
    } else if (width2 > 0.0f) {
        t = along_a / width2;
    }
    return nav_plane_clamp_f(t, seen.left, seen.right);
}

// The weighted cost that is left from a point on a portal, about.
static inline float nav_label_search_guess(const nav_label_search *s, uint32_t portal, float t,
                                           float straight)
{
    const float by_line = straight * s->straight_weight;
    const float by_landmarks = nav_alt_guess_at(&s->guess, s->mesh, portal, t) * s->landmark_weight;
    return by_landmarks > by_line ? by_landmarks : by_line;
}

static inline nav_seen nav_node_seen(const nav_search_node *node)
{
    return (nav_seen){node->x, node->z, node->g, node->left, node->right};
}

// The label of the polygon behind a portal of which this part is seen.
static inline nav_label nav_label_behind(const nav_portal *portal, nav_seen seen, uint32_t entry,
                                         uint32_t polygon)
{
    const float dx = portal->right[0] - portal->left[0], dz = portal->right[1] - portal->left[1];
    const float from_x = portal->left[0] - seen.x, from_z = portal->left[1] - seen.z;
    return (nav_label){.x = seen.x,
                       .z = seen.z,
                       .g = seen.g,
                       .left_x = from_x + dx * seen.left,
                       .left_z = from_z + dz * seen.left,
                       .right_x = from_x + dx * seen.right,
                       .right_z = from_z + dz * seen.right,
                       .polygon = polygon,
                       .entry = entry};
}

// Sets whether the label leans to the left or to the right.
static inline void nav_label_lean(nav_label *label, const float goal[2])
{
    const float x = goal[0] - label->x, z = goal[1] - label->z;
    label->leans_left = nav_plane_cross_f(label->left_x, label->left_z, x, z) < 0.0f;
    label->leans_right = nav_plane_cross_f(label->right_x, label->right_z, x, z) > 0.0f;
}

static inline nav_label nav_label_of(const nav_label_search *s, uint32_t entry, uint32_t polygon)
{
    nav_label from = {.x = s->start[0],
                      .z = s->start[1],
                      .stands = true,
                      .polygon = polygon,
                      .entry = NAV_SEARCH_START};
    if (entry == NAV_SEARCH_START) {
        return from;
    }
    NAV_DCHECK(entry < nav_view_portals(s->view));
    NAV_DCHECK(s->nodes[entry].stamp >= s->stamp);
    const nav_search_node *node = &s->nodes[entry];
    if ((node->parent & NAV_SEARCH_STANDS) == 0) {
        return nav_label_behind(nav_view_portal(s->view, entry), nav_node_seen(node), entry,
                                polygon);
    }
    from.x = node->x;
    from.z = node->z;
    from.g = node->g;
    from.entry = entry;
    return from;
}

// The cost to a point in the label's polygon, by way of its root.
static float nav_label_cost_to(const nav_label *from, float x, float z, float cost)
{
    const float dx = x - from->x, dz = z - from->z;
    const bool left = !from->stands && nav_plane_cross_f(from->left_x, from->left_z, dx, dz) < 0.0f;
    if (from->stands ||
        (!left && nav_plane_cross_f(from->right_x, from->right_z, dx, dz) <= 0.0f)) {
        return from->g + nav_plane_length_f(dx, dz) * cost;
    }
    const float bend_x = left ? from->left_x : from->right_x;
    const float bend_z = left ? from->left_z : from->right_z;
    return from->g +
           (nav_plane_length_f(bend_x, bend_z) + nav_plane_distance_f(bend_x, bend_z, dx, dz)) *
               cost;
}

// Whether the polygon has been expanded before, and from there the point on its border is reached
// as cheaply.
static inline bool nav_label_search_is_dominated(const nav_label_search *s, uint32_t polygon,
                                                 float x, float z, float g, float cost)
{
    const nav_search_polygon *first = &s->polygons[polygon];
    if (first->stamp != s->stamp) {
        return false;
    }
    const nav_label from = nav_label_of(s, first->entry, polygon);
    return nav_label_cost_to(&from, x, z, cost) < g * (1.0f - (float)NAV_DOMINATED_RATIO);
}

// Field by field: a copy would have to wait for the last of them to be in memory.
static inline void nav_node_write(nav_search_node *node, nav_seen seen, uint32_t parent)
{
    node->x = seen.x;
    node->z = seen.z;
    node->g = seen.g;
    node->left = seen.left;
    node->right = seen.right;
    node->parent = parent;
}

// Keeps a label where it is the best so far of its portal, and that has not been expanded.
static inline void nav_label_search_keep(nav_label_search *s, uint32_t portal, nav_seen seen,
                                         uint32_t parent, float f)
{
    NAV_DCHECK(f < INFINITY);
    NAV_DCHECK(portal < nav_view_portals(s->view));
    nav_search_node *node = &s->nodes[portal];
    if (node->stamp < s->stamp || (node->stamp == s->stamp && f < node->f)) {
        nav_node_write(node, seen, parent);
        node->f = f;
        node->stamp = s->stamp;
        nav_open(s, f, portal);
    }
}

static inline void nav_label_search_keep_goal(nav_label_search *s, uint32_t entry, nav_seen seen,
                                              uint32_t parent, float f)
{
    if (s->at_goal.stamp != s->stamp || f < s->at_goal.f) {
        nav_node_write(&s->at_goal, seen, parent);
        s->at_goal.f = f;
        s->at_goal.stamp = s->stamp;
        s->goal_entry = entry;
        nav_open(s, f, NAV_NONE);
    }
}

// Whether the only portal on may be passed at once: the search has not been behind it, and no limit
// ends it before.
static inline bool nav_label_search_may_pass(const nav_label_search *s, uint32_t i, uint32_t to)
{
    return to != s->goal_polygon && s->polygons[to].stamp != s->stamp &&
           s->nodes[i].stamp < s->stamp && s->expanded < s->expanded_max &&
           !nav_cancel_is_due(s->cancel, NAV_STEP_NODE);
}

// Passes the only portal on.
static inline void nav_label_search_pass(nav_label_search *s, uint32_t i, uint32_t to)
{
    NAV_DCHECK(s->polygons[to].stamp != s->stamp);
    s->nodes[i].stamp = s->stamp + 1;
    s->polygons[to] = (nav_search_polygon){.stamp = s->stamp, .entry = i};
    NAV_DCHECK(s->trail_count < nav_view_portals(s->view));
    s->trail[s->trail_count++] = i;
    ++s->expanded;
    nav_cancel_count(s->cancel, NAV_STEP_NODE);
}

// expand_costs.c: opens the portals out of a polygon, where costs differ; where there is only one,
// goes on behind it.
void nav_label_search_expand_weighted(nav_label_search *s, uint32_t entry, uint32_t polygon);
// expand_costs.c: opens the bridges of a polygon that were not crossed.
void nav_label_search_open_bridges(nav_label_search *s, uint32_t entry, uint32_t polygon);
