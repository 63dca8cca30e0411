// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_astar.h: the state of one search over portals, its open list and its labels, for the two
// files that expand polygons: query_search.c where all steps cost the same, query_search_costs.c
// where costs differ. Most of it is inline, for calls would take a tenth of the time. Private to
// core/.

#pragma once

#include "query_guide.h"

#include <float.h>
#include <math.h>

#define NAV_OPEN_ARITY 4u

// How many nodes are expanded between two questions whether it is late.
#define NAV_LATE_EVERY 256u

// A way that is cheaper by less than this part of its cost is none.
#define NAV_DOMINATED_BELOW 1e-5f

typedef struct nav_astar {
    const nav_view *view;
    const nav_mesh *mesh; // the view's
    nav_search_node *nodes;
    nav_search_polygon *polygons;
    nav_heap_entry *heap;
    uint32_t heap_count, heap_room;
    nav_heap_entry next; // the best that this expansion has opened, not in the heap yet
    uint32_t stamp;
    float start[2], goal[2];
    uint32_t goal_polygon;
    bool doors;          // those that lead away from the goal are passed by
    uint32_t goal_visit; // the goal's number in nav_mesh.visits
    float goal_cost;     // of a step in the goal's polygon
    float bound;         // of what a step costs anywhere
    nav_guide guide;
    float trust;             // factor of what it guesses
    nav_search_node at_goal; // how the goal is reached, whose polygon may also be passed
    uint32_t goal_entry;
    uint32_t *trail; // of what has been expanded, in order; in the place of the corridor
    uint32_t trail_count;
    uint32_t expanded, expanded_max;
} nav_astar;

// A polygon that is expanded, as it looks from its root.
typedef struct nav_label {
    float x, z, g;           // the root
    float left[2], right[2]; // from the root to the ends of what is seen of the entry
    bool stands;             // the root is in the polygon or on its border: all of it is seen
    uint32_t polygon;
    uint32_t entry; // or NAV_SEARCH_START
} nav_label;

static inline float nav_plan_distance(float ax, float az, float bx, float bz)
{
    return sqrtf((ax - bx) * (ax - bx) + (az - bz) * (az - bz));
}

// ---- the open list: a heap of four children a node. A better label is one more entry; the one it
// replaces is passed over when it comes up ----

static inline void nav_open_up(nav_astar *s, uint32_t position, nav_heap_entry entry)
{
    while (position > 0) {
        const uint32_t parent = (position - 1) / NAV_OPEN_ARITY;
        if (s->heap[parent].f <= entry.f) {
            break;
        }
        s->heap[position] = s->heap[parent];
        position = parent;
    }
    s->heap[position] = entry;
}

// Whether the entry is of the node's present label.
static inline bool nav_open_is_current(const nav_astar *s, nav_heap_entry entry)
{
    const nav_search_node *node = entry.index == NAV_NONE ? &s->at_goal : &s->nodes[entry.index];
    return node->stamp == s->stamp && node->f == entry.f;
}

// Makes room by dropping replaced entries, which are at least half of a full heap.
__attribute__((noinline)) static void nav_open_tidy(nav_astar *s)
{
    const uint32_t count = s->heap_count;
    s->heap_count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (nav_open_is_current(s, s->heap[i])) {
            const nav_heap_entry entry = s->heap[i];
            nav_open_up(s, s->heap_count++, entry);
        }
    }
}

static inline void nav_open_push(nav_astar *s, nav_heap_entry entry)
{
    if (s->heap_count == s->heap_room) {
        nav_open_tidy(s);
    }
    nav_open_up(s, s->heap_count++, entry);
}

// Puts an entry into the open list. The best one of an expansion waits in `next`: mostly it is the
// one that comes up at once.
static inline void nav_open_entry(nav_astar *s, nav_heap_entry entry)
{
    const nav_heap_entry other = entry.f < s->next.f ? s->next : entry;
    s->next = entry.f < s->next.f ? entry : s->next;
    if (other.f < INFINITY) {
        nav_open_push(s, other);
    }
}

// ---- labels ----

static inline float nav_ray_cross(const float ray[2], float x, float z)
{
    return ray[0] * z - ray[1] * x; // positive to the right of the ray
}

static inline void nav_label_bend(const nav_label *from, const float end[2], float cost,
                                  nav_search_node *next)
{
    next->x = from->x + end[0];
    next->z = from->z + end[1];
    next->g = from->g + sqrtf(end[0] * end[0] + end[1] * end[1]) * cost;
}

// What of a portal is seen through the label's entry. Where that is nothing, the way bends around
// an end of what is seen of the entry.
static inline void nav_label_see(const nav_label *from, const nav_portal *portal, float cost,
                                 nav_search_node *next)
{
    next->x = from->x;
    next->z = from->z;
    next->g = from->g;
    next->left = 0.0f;
    next->right = 1.0f;
    if (from->stands) {
        return;
    }
    const float left_x = portal->left[0] - from->x, left_z = portal->left[1] - from->z;
    const float right_x = portal->right[0] - from->x, right_z = portal->right[1] - from->z;
    const float left_by_left = nav_ray_cross(from->left, left_x, left_z);
    const float right_by_left = nav_ray_cross(from->left, right_x, right_z);
    const float left_by_right = nav_ray_cross(from->right, left_x, left_z);
    const float right_by_right = nav_ray_cross(from->right, right_x, right_z);
    // Both ends are asked: from a root on the entry itself what is seen takes up half a turn.
    if (right_by_left <= 0.0f && left_by_left <= 0.0f) {
        nav_label_bend(from, from->left, cost, next);
    } else if (left_by_right >= 0.0f && right_by_right >= 0.0f) {
        nav_label_bend(from, from->right, cost, next);
    } else {
        // Without branches, which nothing could foretell. The least number keeps a portal along
        // a ray from 0 / 0.
        const float off_left = (fabsf(left_by_left) - left_by_left) * 0.5f;
        const float off_right = (fabsf(right_by_right) + right_by_right) * 0.5f;
        next->left = off_left / (fabsf(left_by_left - right_by_left) + FLT_MIN);
        next->right = 1.0f - off_right / (fabsf(right_by_right - left_by_right) + FLT_MIN);
    }
}

static inline float nav_clamp(float t, float low, float high)
{
    const float above = t > low ? t : low;
    return above < high ? above : high;
}

static inline void nav_portal_place(const nav_portal *portal, float t, float out[2])
{
    out[0] = portal->left[0] + (portal->right[0] - portal->left[0]) * t;
    out[1] = portal->left[1] + (portal->right[1] - portal->left[1]) * t;
}

// Where along a portal, from 0 at its left end to 1 at its right, the way root -> portal -> goal is
// shortest: where the straight line crosses it, or its mirror image where both lie on one side; as
// far as it is seen.
static inline float nav_portal_aim(const nav_portal *portal, const nav_search_node *node,
                                   const float goal[2])
{
    const float dx = portal->right[0] - portal->left[0], dz = portal->right[1] - portal->left[1];
    const float a_x = node->x - portal->left[0], a_z = node->z - portal->left[1];
    const float b_x = goal[0] - portal->left[0], b_z = goal[1] - portal->left[1];
    const float width2 = dx * dx + dz * dz;
    // Distances from the portal's line and along it, times its width.
    const float from_a = fabsf(a_x * dz - a_z * dx);
    const float from_b = fabsf(b_x * dz - b_z * dx);
    const float along_a = a_x * dx + a_z * dz;
    const float along_b = b_x * dx + b_z * dz;
    float t = 0.0f;
    if (from_a + from_b > 0.0f) {
        t = (along_a * from_b + along_b * from_a) / ((from_a + from_b) * width2);
    } else if (width2 > 0.0f) {
        t = along_a / width2;
    }
    return nav_clamp(t, node->left, node->right);
}

// What is left from a place on a portal, about, by length.
static inline float nav_astar_guess(const nav_astar *s, uint32_t portal, float t, float straight)
{
    return nav_guide_guess(&s->guide, s->mesh, portal, t, straight) * s->trust;
}

static nav_label nav_label_of(const nav_astar *s, uint32_t entry, uint32_t polygon)
{
    if (entry == NAV_SEARCH_START) {
        return (nav_label){.x = s->start[0],
                           .z = s->start[1],
                           .stands = true,
                           .polygon = polygon,
                           .entry = NAV_SEARCH_START};
    }
    const nav_search_node *node = &s->nodes[entry];
    nav_label from = {.x = node->x,
                      .z = node->z,
                      .g = node->g,
                      .stands = (node->parent & NAV_SEARCH_STANDS) != 0,
                      .polygon = polygon,
                      .entry = entry};
    if (!from.stands) {
        const nav_portal *portal = nav_view_portal(s->view, entry);
        nav_portal_place(portal, node->left, from.left);
        nav_portal_place(portal, node->right, from.right);
        from.left[0] -= node->x;
        from.left[1] -= node->z;
        from.right[0] -= node->x;
        from.right[1] -= node->z;
    }
    return from;
}

// From the root to a place in the label's polygon.
static float nav_label_cost_to(const nav_label *from, float x, float z, float cost)
{
    const float dx = x - from->x, dz = z - from->z;
    const float *bend = NULL;
    if (!from->stands && nav_ray_cross(from->left, dx, dz) < 0.0f) {
        bend = from->left;
    } else if (!from->stands && nav_ray_cross(from->right, dx, dz) > 0.0f) {
        bend = from->right;
    }
    if (bend == NULL) {
        return from->g + sqrtf(dx * dx + dz * dz) * cost;
    }
    return from->g + (sqrtf(bend[0] * bend[0] + bend[1] * bend[1]) +
                      nav_plan_distance(bend[0], bend[1], dx, dz)) *
                         cost;
}

// Whether the polygon has been expanded before, and from there the place on its border is reached
// as cheaply.
static inline bool nav_astar_is_dominated(const nav_astar *s, uint32_t polygon,
                                          const float place[2], float g, float cost)
{
    const nav_search_polygon *first = &s->polygons[polygon];
    if (first->stamp != s->stamp) {
        return false;
    }
    const nav_label from = nav_label_of(s, first->entry, polygon);
    return nav_label_cost_to(&from, place[0], place[1], cost) < g * (1.0f - NAV_DOMINATED_BELOW);
}

// Keeps a label where it is the best so far of its portal.
static inline void nav_astar_keep(nav_astar *s, uint32_t portal, const nav_search_node *next)
{
    nav_search_node *node = &s->nodes[portal];
    if (node->stamp == s->stamp + 1 || (node->stamp == s->stamp && next->f >= node->f)) {
        return; // it has been expanded, or the one it has is as good
    }
    *node = *next;
    nav_open_entry(s, (nav_heap_entry){.f = next->f, .index = portal});
}

static inline void nav_astar_keep_goal(nav_astar *s, uint32_t entry, const nav_search_node *next)
{
    if (s->at_goal.stamp != s->stamp || next->f < s->at_goal.f) {
        s->at_goal = *next;
        s->goal_entry = entry;
        nav_open_entry(s, (nav_heap_entry){.f = next->f, .index = NAV_NONE});
    }
}

// Whether a portal of the mesh is a door that leads away from the goal: there is no other way back.
static inline bool nav_astar_leads_away(const nav_astar *s, const nav_portal *portal,
                                        uint32_t index)
{
    if (!s->doors || (s->mesh->portal_pivots[index][1] & NAV_PIVOT_BRIDGE) == 0) {
        return false;
    }
    // What is behind it is a run of visits, or, on the way back, all but one.
    const uint32_t *from = s->mesh->visits[portal->from], *to = s->mesh->visits[portal->to];
    const uint32_t *inner = to[0] > from[0] ? to : from;
    const bool goal_inside = s->goal_visit >= inner[0] && s->goal_visit < inner[1];
    return goal_inside != (inner == to);
}

// Whether the only way on may be taken at once: nobody else has been there, and no limit ends the
// search before it.
static inline bool nav_astar_may_pass(const nav_astar *s, uint32_t i, uint32_t to)
{
    return to != s->goal_polygon && s->polygons[to].stamp != s->stamp &&
           s->nodes[i].stamp < s->stamp && s->expanded < s->expanded_max &&
           (s->expanded + 1) % NAV_LATE_EVERY != 0;
}

// Walks over the only way on: its label becomes that of the polygon behind it.
static inline void nav_astar_pass(nav_astar *s, uint32_t i, uint32_t to, nav_label *from)
{
    s->nodes[i].stamp = s->stamp + 1;
    s->polygons[to] = (nav_search_polygon){.stamp = s->stamp, .entry = i};
    s->trail[s->trail_count++] = i;
    ++s->expanded;
    *from = nav_label_of(s, i, to);
}

// query_search_costs.c: opens what leads on out of a polygon, where costs differ; where it is only
// one way, goes on behind it.
void nav_astar_expand_weighted(nav_astar *s, uint32_t entry, uint32_t polygon);
// Opens the doors of a polygon that have been passed by.
void nav_astar_open_doors(nav_astar *s, uint32_t entry, uint32_t polygon);
