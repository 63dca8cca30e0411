// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// search.c: A* over Steiner points. See steiner.h.
//
//     +--o--o--o--o--+      Points o on portals. A step leads from a point of a polygon to any
//     |              |      other one, for polygons are convex. There are none at the ends of
//     o              o      portals, where those around a corner would all have one.
//     |              |
//     +-----o--o-----+      The row of portals counts, not the points: the walk is settled
//                           afterwards.
//
// The cost left to the goal is guessed as labels do it, by landmarks and the straight line, at the
// least cost that there is.

#include "core/query/search/steiner/steiner.h"

#include "core/base/plane.h"
#include "core/query/search/expansions.h"
#include "core/query/search/refract.h"
#include "core/query/view/scratch.h"

#include <math.h>

typedef struct nav_steiner_node node;
typedef struct nav_steiner_range range;

// A portal has at most so many points.
#define POINTS_MAX 13u
// The reach of a point that is settled, as a part of what lies between it and the next.
#define REACH_RATIO 0.25f
#define NODES_FIRST 512u

// ---- memory ----

// Room for so many nodes; those that there are stay. False when there is no memory.
static bool grow_nodes(nav_steiner *s, uint32_t count)
{
    nav_steiner_scratch *work = s->work;
    const uint32_t capacity = count + count / 2 + NODES_FIRST;
    const nav_block_array arrays[] = {
        NAV_BLOCK_ARRAY(work->nodes, capacity, work->node_count),
        NAV_BLOCK_ARRAY(work->open, NAV_LABELS_OPEN_MAX(capacity), s->open.count)};
    if (count <= work->node_capacity) {
        return true;
    }
    if (!nav_block_make(&work->node_block, &s->scratch->allocator, arrays, 2)) {
        return false;
    }
    work->node_capacity = capacity;
    s->open.entries = work->open;
    return true;
}

// ---- points ----

static uint32_t points_on(const nav_steiner *s, const nav_portal *portal)
{
    const float width =
        nav_plane_distance_f(portal->left[0], portal->left[1], portal->right[0], portal->right[1]);
    const float units = width / s->spacing;
    return !(units >= 1.0f) ? 1 : units > (float)POINTS_MAX ? POINTS_MAX : (uint32_t)(units + 0.5f);
}

// The cost left from a point to the goal, about.
static float guess(const nav_steiner *s, uint32_t portal, float t, const float at[2])
{
    const nav_costs *costs = s->view->costs;
    const float by_line = nav_plane_distance_f(at[0], at[1], s->goal[0], s->goal[1]) * costs->bound;
    const float by_landmarks =
        nav_alt_guess_at(&s->guess, s->view->mesh, portal, t) * costs->landmark_bound;
    return nav_plane_greater_f(by_line, by_landmarks) * (s->weight);
}

// Makes the points of a portal; of an arc the one where it begins, guessed from where it ends.
// Without memory there are none.
static void make_points(nav_steiner *s, uint32_t over, range *r)
{
    const nav_portal *portal = nav_view_portal(s->view, over);
    const uint32_t count = points_on(s, portal); // one where an arc begins
    *r = (range){.stamp = s->work->stamp, .first = s->work->node_count};
    s->failed = !grow_nodes(s, s->work->node_count + count);
    if (s->failed) {
        return;
    }
    r->count = count;
    for (uint32_t k = 0; k < count; ++k) {
        node *n = &s->work->nodes[s->work->node_count++];
        const float u = ((float)k + 0.5f) / (float)count;
        const float t = u * u * (3.0f - 2.0f * u);
        float at[2];
        nav_portal_point(portal, t, at);
        if (nav_portal_is_arc(s->view, over)) {
            const nav_arc *arc = nav_portal_arc(s->view, over);
            at[0] = arc->end[0];
            at[1] = arc->end[2];
        }
        *n = (node){.x = at[0],
                    .z = at[1],
                    .g = INFINITY,
                    .h = guess(s, over, t, at),
                    .before = NAV_NONE,
                    .t = t,
                    .reach = REACH_RATIO / (float)count,
                    .portal = over};
    }
}

// ---- the search ----

static bool is_current(const nav_steiner *s, nav_open_entry entry)
{
    const node *n = entry.index == NAV_NONE ? &s->at_goal : &s->work->nodes[entry.index];
    return n->g + n->h == entry.key;
}

// Makes room by dropping replaced entries: no node has two that are current.
static void tidy(nav_steiner *s)
{
    const uint32_t count = s->open.count;
    s->open.count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const nav_open_entry entry = s->open.entries[i];
        if (is_current(s, entry)) {
            nav_open_list_push(&s->open, entry);
        }
    }
    NAV_ASSERT(s->open.count < NAV_LABELS_OPEN_MAX(s->work->node_capacity));
}

static void open_node(nav_steiner *s, float f, uint32_t index)
{
    if (s->open.count == NAV_LABELS_OPEN_MAX(s->work->node_capacity)) {
        tidy(s);
    }
    nav_open_list_add(&s->open, (nav_open_entry){.key = f, .index = index});
}

// A point that the search goes on from.
typedef struct origin {
    float x, z, g;
    uint32_t node;
    uint32_t polygon; // that it leads into
    uint32_t behind;  // the polygon on the other side of its edge; NAV_NONE: it is on none
} origin;

static void reach(nav_steiner *s, const origin *from, uint32_t index, float g)
{
    node *n = &s->work->nodes[index];
    const float f = g + n->h;
    if (g < n->g && f < s->limit) {
        // The node has an entry of this key, or has been expanded by it, where h is so much more
        // than g that it takes up the difference.
        const bool has_entry = f == n->g + n->h;
        n->g = g;
        n->before = from->node;
        if (!has_entry) {
            open_node(s, f, index);
        }
    }
}

// The points of a portal out of the polygon of an origin, which are made when it is first seen.
static void reach_portal(nav_steiner *s, const origin *from, uint32_t portal, float cost)
{
    range *r = &s->work->ranges[portal];
    if (r->stamp != s->work->stamp) {
        make_points(s, portal, r);
    }
    for (uint32_t i = r->first; i < r->first + r->count; ++i) {
        const node *n = &s->work->nodes[i];
        if (n->g > from->g) {
            reach(s, from, i, from->g + nav_plane_distance_f(from->x, from->z, n->x, n->z) * cost);
        }
    }
}

// The arcs that begin in the polygon of an origin.
static void reach_arcs(nav_steiner *s, const origin *from, const nav_face *face, float cost)
{
    const uint32_t count = nav_arc_runs_count(&face->arcs);
    nav_cancel_count(&s->scratch->cancel, (uint64_t)NAV_STEP_ARC * count);
    s->failed = s->failed || count > s->arcs_left;
    s->arcs_left -= s->failed ? 0 : count;
    for (uint32_t k = 0; k < count && !s->failed; ++k) {
        const uint32_t i = nav_arc_runs_at(&face->arcs, k);
        const uint32_t portal = s->view->mesh->edge_portal_count + i;
        range *r = &s->work->ranges[portal];
        if (nav_view_arc_target(s->view, from->polygon, i) == NAV_NONE) {
            continue;
        }
        if (r->stamp != s->work->stamp) {
            make_points(s, portal, r);
        }
        if (!s->failed) {
            const nav_arc *arc = nav_view_arc(s->view, i);
            const float away = nav_plane_distance_f(from->x, from->z, arc->start[0], arc->start[2]);
            reach(s, from, r->first, from->g + away * cost + nav_arc_cost(s->view, arc));
        }
    }
}

static void reach_goal(nav_steiner *s, const origin *from, float cost)
{
    const float away = nav_plane_distance_f(from->x, from->z, s->goal[0], s->goal[1]);
    const float g = from->g + away * cost;
    if (g < s->at_goal.g && g < s->limit) {
        s->at_goal.g = g;
        s->at_goal.before = from->node;
        s->limit = g;
        open_node(s, g, NAV_NONE);
    }
}

static void expand(nav_steiner *s, const origin *from)
{
    const float cost = nav_polygon_cost(s->view, from->polygon);
    const nav_face face = nav_view_face(s->view, from->polygon);
    if (from->polygon == s->target->polygon) {
        reach_goal(s, from, cost);
    }
    for (uint32_t k = 0; k < face.portal_count && !s->failed; ++k) {
        const uint32_t to = face.portals[k].to;
        const float beyond = nav_polygon_cost(s->view, to);
        // Back over its own edge a way leads only where it has run along it on cheaper ground.
        const uint32_t portal = face.portal_first + k;
        if (beyond < INFINITY && (to != from->behind || beyond > cost) &&
            (beyond < cost || !nav_bridge_leads_away(s->view->mesh, &s->goals, portal))) {
            reach_portal(s, from, portal, cost);
        }
    }
    reach_arcs(s, from, &face, cost);
}

static origin origin_of(const nav_steiner *s, uint32_t index)
{
    const node *n = &s->work->nodes[index];
    const bool is_arc = nav_portal_is_arc(s->view, n->portal);
    return (origin){.x = n->x,
                    .z = n->z,
                    .g = n->g,
                    .node = index,
                    .polygon = nav_view_to(s->view, n->portal),
                    .behind = is_arc ? NAV_NONE : nav_view_from(s->view, n->portal)};
}

// For whoever watches: a point, and the way there from the one before.
static void list_node(const nav_steiner *s, uint32_t index, float f)
{
    const node *n = &s->work->nodes[index];
    nav_expanded seen = {
        .engine = NAV_ENGINE_STEINER,
        .portal = n->portal,
        .root = {s->start->position[0], s->start->position[1], s->start->position[2]},
        .left = {n->x, n->z},
        .right = {n->x, n->z},
        .f = (double)f};
    if (n->before != NAV_NONE) {
        const node *before = &s->work->nodes[n->before];
        seen.root[0] = before->x;
        seen.root[1] = nav_expansions_height(s->view, before->portal, before->x, before->z);
        seen.root[2] = before->z;
        seen.g = (double)before->g;
    }
    nav_expansions_add(s->expansions, s->view, &seen);
}

// False: no way within the limit, or the budget has ended.
static bool search(nav_steiner *s)
{
    nav_cancel *cancel = &s->scratch->cancel;
    origin from = {.x = s->start->position[0],
                   .z = s->start->position[2],
                   .node = NAV_NONE,
                   .polygon = s->start->polygon,
                   .behind = NAV_NONE};
    expand(s, &from);
    nav_open_entry top;
    while (!s->failed && nav_open_list_take(&s->open, &top)) {
        if (!is_current(s, top)) {
            continue;
        }
        if (top.index == NAV_NONE) {
            return true;
        }
        if (s->expanded == s->expanded_max || nav_cancel_poll(cancel, NAV_STEP_NODE)) {
            return false;
        }
        ++s->expanded;
        if (s->expansions != NULL) {
            list_node(s, top.index, top.key);
        }
        from = origin_of(s, top.index);
        expand(s, &from);
    }
    return false;
}

// ---- the walk ----

// Lists the points from the start to the goal. False: there are too many.
static bool list_walk(const nav_steiner *s, nav_walk *out)
{
    const node *nodes = s->work->nodes;
    out->count = 0;
    for (uint32_t at = s->at_goal.before; at != NAV_NONE; at = nodes[at].before) {
        ++out->count;
    }
    if (out->count > out->capacity) {
        return false;
    }
    uint32_t i = out->count;
    for (uint32_t at = s->at_goal.before; at != NAV_NONE; at = nodes[at].before) {
        out->points[--i] =
            nav_walk_point_at(s->view, nodes[at].portal, nodes[at].t, nodes[at].reach);
    }
    return true;
}

bool nav_steiner_search(nav_steiner *s, nav_walk *out)
{
    s->work->node_count = 0;
    s->open = nav_open_list_of(s->work->open);
    s->at_goal = (node){.g = INFINITY};
    s->guess = nav_alt_guess_make(s->view, s->start, s->target);
    s->goals = s->view->overlay == NULL
                   ? nav_goals_one(s->view->mesh, s->target->polygon, s->view->links)
                   : (nav_goals){0};
    return search(s) && list_walk(s, out);
}
