// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// search.c: A* over Steiner points in the ground around a path. See steiner.h.
//
//     +--o--o--o--o--+      Points o on the portals of the polygons around the path: those of its
//     |              |      corridor, their neighbours, and so on up to a number that grows with
//     o              o      the corridor. A step leads from a point of a polygon to any other one,
//     o              o      for polygons are convex. There are none at the ends of portals, where
//     |              |      those around a corner would all have one.
//     +-----o--o-----+
//
// The row of portals counts, not the points: the walk is settled afterwards.

#include "core/query/search/steiner/steiner.h"

#include "core/base/plane.h"
#include "core/base/poison.h"
#include "core/query/search/refract.h"

#include <math.h>
#include <string.h>

typedef struct nav_steiner_node node;
typedef struct nav_steiner_range range;

// How many polygons are searched: times those of the corridor, and some for short ones.
#define AROUND_TIMES 2u
#define AROUND_BASE 150u
// A portal has at most so many points.
#define POINTS_MAX 9u
// The reach of a point that is settled, as a part of what lies between it and the next.
#define REACH_PART 0.25f
#define ROOM_FIRST 512u

// ---- memory ----

// Room for so many nodes; those that there are stay. False when there is no memory.
static bool grow_nodes(nav_steiner *s, uint32_t count)
{
    nav_steiner_scratch *room = s->room;
    const nav_allocator *allocator = &s->scratch->allocator;
    if (count <= room->node_capacity) {
        return true;
    }
    const uint32_t capacity = count + count / 2 + ROOM_FIRST;
    const size_t node_bytes = capacity * sizeof *room->nodes;
    const size_t open_bytes = NAV_LABELS_OPEN_ROOM(capacity) * sizeof *room->open;
    const size_t block_bytes = nav_with_red_zone(node_bytes) + nav_with_red_zone(open_bytes);
    uint8_t *block = allocator->alloc(allocator->user, block_bytes);
    if (block == NULL) {
        return false;
    }
    void *old = room->node_block;
    const size_t old_bytes = room->node_block_bytes;
    room->node_block = block;
    room->node_block_bytes = block_bytes;
    node *nodes = nav_carve(&block, node_bytes);
    nav_open_entry *open = nav_carve(&block, open_bytes);
    if (old != NULL) {
        memcpy(nodes, room->nodes, room->node_count * sizeof *nodes);
        memcpy(open, room->open, s->open.count * sizeof *open);
        nav_unpoison(old, old_bytes);
        allocator->free(allocator->user, old, old_bytes);
    }
    room->nodes = nodes;
    room->open = open;
    room->node_capacity = capacity;
    s->open.entries = open;
    return true;
}

// ---- the ground around ----

static bool is_within(const nav_steiner *s, uint32_t polygon)
{
    return s->room->marks[polygon] == s->room->stamp;
}

// Marks a polygon that is open, and puts it into the queue.
static void enter(nav_steiner *s, uint32_t polygon, uint32_t *count)
{
    uint32_t *queue = s->scratch->labels.trail;
    if (polygon != NAV_NONE && s->room->marks[polygon] != s->room->stamp &&
        *count < s->scratch->portal_capacity && nav_polygon_cost(s->view, polygon) < INFINITY) {
        s->room->marks[polygon] = s->room->stamp;
        queue[(*count)++] = polygon;
    }
}

void nav_steiner_mark(nav_steiner *s, uint32_t corridor_count)
{
    const uint32_t most = corridor_count * AROUND_TIMES + AROUND_BASE;
    const uint32_t *corridor = s->scratch->corridor.portals;
    const uint32_t *queue = s->scratch->labels.trail;
    uint32_t count = 0;
    enter(s, s->start->polygon, &count);
    for (uint32_t i = 0; i < corridor_count; ++i) {
        enter(s, nav_view_to(s->view, corridor[i]), &count);
    }
    for (uint32_t i = 0; i < count && count < most; ++i) {
        const nav_face face = nav_view_face(s->view, queue[i]);
        for (uint32_t k = 0; k < face.portal_count; ++k) {
            enter(s, face.portals[k].to, &count);
        }
        const uint32_t arcs = nav_arc_runs_count(&face.arcs);
        for (uint32_t k = 0; k < arcs && count < most; ++k) {
            const uint32_t arc = nav_arc_runs_at(&face.arcs, k);
            enter(s, nav_view_arc_target(s->view, queue[i], arc), &count);
        }
    }
}

// ---- points ----

// About how much is left from a point.
static float guess(const nav_steiner *s, uint32_t portal, float x, float z, float t)
{
    const float by_line =
        nav_plane_distance_f(x, z, s->goal[0], s->goal[1]) * s->view->costs->bound;
    const float by_landmarks =
        nav_alt_guess_at(&s->guess, s->mesh, portal, t) * s->view->costs->landmark_bound;
    return by_landmarks > by_line ? by_landmarks : by_line;
}

static uint32_t points_on(const nav_steiner *s, const nav_portal *portal)
{
    const float width =
        nav_plane_distance_f(portal->left[0], portal->left[1], portal->right[0], portal->right[1]);
    const float parts = width / s->spacing;
    return parts < 1.0f ? 1 : parts > (float)POINTS_MAX ? POINTS_MAX : (uint32_t)(parts + 0.5f);
}

static inline float part_of(uint32_t k, uint32_t count)
{
    return ((float)k + 0.5f) / (float)count;
}

// The points of a portal, which are made when it is first seen. NULL: there is no memory.
static const range *points_of(nav_steiner *s, uint32_t index)
{
    range *r = &s->room->ranges[index];
    if (r->stamp == s->room->stamp) {
        return r;
    }
    const bool is_arc = nav_portal_is_arc(s->view, index);
    const nav_portal *portal = nav_view_portal(s->view, index);
    const uint32_t count = is_arc ? 1 : points_on(s, portal);
    if (!grow_nodes(s, s->room->node_count + count)) {
        return NULL;
    }
    *r = (range){s->room->stamp, s->room->node_count, count};
    for (uint32_t k = 0; k < count; ++k) {
        node *n = &s->room->nodes[s->room->node_count++];
        float at[2];
        const float t = part_of(k, count);
        if (is_arc) {
            at[0] = nav_portal_arc(s->view, index)->end[0];
            at[1] = nav_portal_arc(s->view, index)->end[2];
        } else {
            nav_portal_point(portal, t, at);
        }
        n->x = at[0];
        n->z = at[1];
        n->g = INFINITY;
        n->h = guess(s, index, at[0], at[1], t);
        n->parent = NAV_NONE;
        n->portal = index;
    }
    return r;
}

// ---- the search ----

static bool is_current(const nav_steiner *s, nav_open_entry entry)
{
    const node *n = entry.index == NAV_NONE ? &s->at_goal : &s->room->nodes[entry.index];
    return n->g + n->h == entry.key;
}

static void open_node(nav_steiner *s, float f, uint32_t index)
{
    if (s->open.count == NAV_LABELS_OPEN_ROOM(s->room->node_capacity)) {
        const uint32_t count = s->open.count;
        s->open.count = 0;
        for (uint32_t i = 0; i < count; ++i) {
            const nav_open_entry entry = s->open.entries[i];
            if (is_current(s, entry)) {
                nav_open_list_push(&s->open, entry);
            }
        }
    }
    nav_open_list_add(&s->open, (nav_open_entry){.key = f, .index = index});
}

// A point that the search goes on from.
typedef struct origin {
    float x, z, g;
    uint32_t node, polygon;
} origin;

static void reach_portal(nav_steiner *s, const origin *from, uint32_t portal, float cost)
{
    const range *r = points_of(s, portal);
    if (r == NULL) {
        s->failed = true;
        return;
    }
    for (uint32_t i = r->first; i < r->first + r->count; ++i) {
        node *n = &s->room->nodes[i];
        const float g = from->g + nav_plane_distance_f(from->x, from->z, n->x, n->z) * cost;
        if (g < n->g && g + n->h < s->limit) {
            n->g = g;
            n->parent = from->node;
            open_node(s, g + n->h, i);
        }
    }
}

static void reach_arc(nav_steiner *s, const origin *from, uint32_t i, float cost)
{
    const nav_arc *arc = nav_view_arc(s->view, i);
    const uint32_t to = nav_view_arc_target(s->view, from->polygon, i);
    if (to == NAV_NONE || !is_within(s, to)) {
        return;
    }
    const range *r = points_of(s, s->mesh->edge_portal_count + i);
    if (r == NULL) {
        s->failed = true;
        return;
    }
    node *n = &s->room->nodes[r->first];
    const float g = from->g +
                    nav_plane_distance_f(from->x, from->z, arc->start[0], arc->start[2]) * cost +
                    nav_arc_cost(s->view, arc);
    if (g < n->g && g + n->h < s->limit) {
        n->g = g;
        n->parent = from->node;
        open_node(s, g + n->h, r->first);
    }
}

static void expand(nav_steiner *s, const origin *from)
{
    const float cost = nav_polygon_cost(s->view, from->polygon);
    const nav_face face = nav_view_face(s->view, from->polygon);
    if (from->polygon == s->target->polygon) {
        const float g =
            from->g + nav_plane_distance_f(from->x, from->z, s->goal[0], s->goal[1]) * cost;
        if (g < s->at_goal.g && g < s->limit) {
            s->at_goal.g = g;
            s->at_goal.parent = from->node;
            s->limit = g;
            open_node(s, g, NAV_NONE);
        }
    }
    for (uint32_t k = 0; k < face.portal_count && !s->failed; ++k) {
        const uint32_t index = face.portal_first + k;
        if (is_within(s, face.portals[k].to) &&
            !(s->goals.count > 0 && nav_bridge_leads_away(s->mesh, &s->goals, index) &&
              nav_polygon_cost(s->view, face.portals[k].to) >= cost)) {
            reach_portal(s, from, index, cost);
        }
    }
    const uint32_t arcs = nav_arc_runs_count(&face.arcs);
    s->failed = s->failed || arcs > s->arcs_left;
    nav_cancel_count(&s->scratch->cancel, (uint64_t)NAV_STEP_ARC * arcs);
    for (uint32_t k = 0; k < arcs && !s->failed; ++k) {
        reach_arc(s, from, nav_arc_runs_at(&face.arcs, k), cost);
    }
    s->arcs_left -= s->failed ? 0 : arcs;
}

// False: no way within the limit, or the budget has ended.
static bool search(nav_steiner *s)
{
    nav_cancel *cancel = &s->scratch->cancel;
    expand(s, &(origin){.x = s->start->position[0],
                        .z = s->start->position[2],
                        .node = NAV_NONE,
                        .polygon = s->start->polygon});
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
        const node *n = &s->room->nodes[top.index];
        expand(s, &(origin){.x = n->x,
                            .z = n->z,
                            .g = n->g,
                            .node = top.index,
                            .polygon = nav_view_to(s->view, n->portal)});
    }
    return false;
}

// ---- the walk ----

// Lists the points from the start to the goal. False: there are too many.
static bool list_walk(const nav_steiner *s, nav_walk *out)
{
    const node *nodes = s->room->nodes;
    uint32_t count = 0;
    for (uint32_t at = s->at_goal.parent; at != NAV_NONE; at = nodes[at].parent) {
        ++count;
    }
    if (count > out->capacity) {
        return false;
    }
    out->count = count;
    for (uint32_t at = s->at_goal.parent; at != NAV_NONE; at = nodes[at].parent) {
        const range *r = &s->room->ranges[nodes[at].portal];
        out->points[--count] =
            nav_walk_point_at(s->view, nodes[at].portal, part_of(at - r->first, r->count),
                              REACH_PART / (float)r->count);
    }
    return true;
}

bool nav_steiner_search(nav_steiner *s, nav_walk *out)
{
    s->room->node_count = 0;
    s->open = nav_open_list_of(s->room->open);
    s->at_goal = (node){.g = INFINITY};
    return search(s) && list_walk(s, out);
}
