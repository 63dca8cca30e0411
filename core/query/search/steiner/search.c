// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// search.c: A* over Steiner points, back from the goal to the start. See steiner.h.
//
//     +--o--o--o--o--+      Points o on the portals of the polygons that the labels have seen. A
//     |              |      step leads from a point of a polygon to any other one, for polygons
//     o              o      are convex. There are none at the ends of portals, where those around a
//     |              |      corner would all have one.
//     o              o
//     |              |      The labels tell what a way from the start to a polygon costs, about.
//     +-----o--o-----+      Therefore the search runs back: little but the best way is expanded.
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

// A portal has at most so many points.
#define POINTS_MAX 9u
// The reach of a point that is settled, as a part of what lies between it and the next.
#define REACH_PART 0.25f
// The labels' costs are those of ways that there are: the best one may cost less.
#define GUESS_PART 0.85f
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

// ---- what the labels have seen ----

static bool is_seen(const nav_steiner *s, uint32_t polygon)
{
    return s->scratch->labels.polygons[polygon].stamp == s->scratch->stamp;
}

// Lists, by the polygons in which they end, the arcs that the labels went over.
static void list_arcs(nav_steiner *s)
{
    const nav_labels_scratch *labels = &s->scratch->labels;
    const uint32_t count = nav_view_arcs(s->view) > 0 ? labels->trail_count : 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t portal = labels->trail[i];
        if (nav_portal_is_arc(s->view, portal)) {
            nav_steiner_arrivals *into = &s->room->arrivals[nav_view_to(s->view, portal)];
            s->room->next_arrivals[portal] = into->stamp == s->room->stamp ? into->first : NAV_NONE;
            *into = (nav_steiner_arrivals){s->room->stamp, portal};
        }
    }
}

// A place that a way from the start comes to at this cost, from which it goes on straight.
typedef struct root {
    float x, z, g;
} root;

static root root_of(const nav_steiner *s, uint32_t entry)
{
    if (entry == NAV_SEARCH_START) {
        return (root){.x = s->start->position[0], .z = s->start->position[2]};
    }
    const nav_search_node *label = &s->scratch->labels.nodes[entry];
    return (root){label->x, label->z, label->g};
}

// The roots from which labels know ways to a portal out of a polygon: that of the polygon's first
// entry, and that of the portal itself, or the same again.
static void find_roots(const nav_steiner *s, uint32_t polygon, uint32_t portal, root out[2])
{
    const nav_search_node *label = &s->scratch->labels.nodes[portal];
    out[0] = root_of(s, s->scratch->labels.polygons[polygon].entry);
    out[1] = label->stamp >= s->scratch->stamp ? root_of(s, portal) : out[0];
}

static float cost_from(const root *from, float x, float z, float cost)
{
    return from->g + nav_plane_distance_f(from->x, from->z, x, z) * cost;
}

// ---- points ----

static uint32_t points_on(const nav_steiner *s, const nav_portal *portal)
{
    const float width =
        nav_plane_distance_f(portal->left[0], portal->left[1], portal->right[0], portal->right[1]);
    const float parts = width / s->spacing;
    return parts < 1.0f ? 1 : parts > (float)POINTS_MAX ? POINTS_MAX : (uint32_t)(parts + 0.5f);
}

// What is left from a point to the start, about.
static float guess(const root roots[2], float cost, float x, float z)
{
    const float a = cost_from(&roots[0], x, z, cost), b = cost_from(&roots[1], x, z, cost);
    return (a < b ? a : b) * GUESS_PART;
}

// Makes the points of a portal, or of an arc the one where it begins. Without memory there are
// none.
static void make_points(nav_steiner *s, uint32_t over, range *r)
{
    const nav_portal *portal = nav_view_portal(s->view, over);
    const uint32_t count = points_on(s, portal); // one where an arc begins
    const uint32_t polygon = nav_view_from(s->view, over);
    const float cost = nav_polygon_cost(s->view, polygon);
    s->failed = !grow_nodes(s, s->room->node_count + count);
    if (s->failed) {
        return;
    }
    root roots[2];
    find_roots(s, polygon, over, roots);
    r->count = count;
    for (uint32_t k = 0; k < count; ++k) {
        node *n = &s->room->nodes[s->room->node_count++];
        const float t = ((float)k + 0.5f) / (float)count;
        float at[2]; // an arc begins where its left and right are
        nav_portal_point(portal, t, at);
        *n = (node){.x = at[0],
                    .z = at[1],
                    .g = INFINITY,
                    .h = guess(roots, cost, at[0], at[1]),
                    .next = NAV_NONE,
                    .t = t,
                    .reach = REACH_PART / (float)count,
                    .portal = over};
    }
}

// The points on a portal over which the search goes back: those of the portal that leads the other
// way. They are made when it is first seen; there are none where nothing leads so.
static const range *points_of(nav_steiner *s, uint32_t portal)
{
    range *r = &s->room->ranges[portal];
    if (r->stamp != s->room->stamp) {
        *r = (range){.stamp = s->room->stamp, .first = s->room->node_count};
        const uint32_t over = nav_portal_is_arc(s->view, portal)
                                  ? portal
                                  : nav_view_back(s->view, nav_view_portal(s->view, portal));
        if (over != NAV_NONE) {
            make_points(s, over, r);
        }
    }
    return r;
}

// ---- the search ----

static bool is_current(const nav_steiner *s, nav_open_entry entry)
{
    const node *n = entry.index == NAV_NONE ? &s->at_start : &s->room->nodes[entry.index];
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
    NAV_ASSERT(s->open.count < NAV_LABELS_OPEN_ROOM(s->room->node_capacity));
}

static void open_node(nav_steiner *s, float f, uint32_t index)
{
    if (s->open.count == NAV_LABELS_OPEN_ROOM(s->room->node_capacity)) {
        tidy(s);
    }
    nav_open_list_add(&s->open, (nav_open_entry){.key = f, .index = index});
}

// A point that the search goes on from.
typedef struct origin {
    float x, z, g;
    uint32_t node;
    uint32_t polygon; // from which it is reached
    uint32_t behind;  // the polygon on the other side of its edge; NAV_NONE: it is on none
} origin;

static void reach(nav_steiner *s, const origin *from, uint32_t index, float g)
{
    node *n = &s->room->nodes[index];
    const float f = g + n->h;
    if (g < n->g && f < s->limit) {
        // Where h is so much more than g that it takes up the difference, the node has an entry of
        // this key, or has been expanded by it.
        const bool has_entry = f == n->g + n->h;
        n->g = g;
        n->next = from->node;
        if (!has_entry) {
            open_node(s, f, index);
        }
    }
}

static void reach_portal(nav_steiner *s, const origin *from, uint32_t portal, float cost)
{
    const range *r = points_of(s, portal);
    for (uint32_t i = r->first; i < r->first + r->count; ++i) {
        const node *n = &s->room->nodes[i];
        reach(s, from, i, from->g + nav_plane_distance_f(from->x, from->z, n->x, n->z) * cost);
    }
}

// The arcs that end in the polygon.
static void reach_arcs(nav_steiner *s, const origin *from, float cost)
{
    const nav_steiner_arrivals *into = &s->room->arrivals[from->polygon];
    uint32_t portal = into->stamp == s->room->stamp ? into->first : NAV_NONE;
    for (; portal != NAV_NONE && !s->failed; portal = s->room->next_arrivals[portal]) {
        const nav_arc *arc = nav_portal_arc(s->view, portal);
        const float away = nav_plane_distance_f(from->x, from->z, arc->end[0], arc->end[2]);
        const range *r = points_of(s, portal);
        s->failed = s->failed || s->arcs_left == 0;
        nav_cancel_count(&s->scratch->cancel, NAV_STEP_ARC);
        if (!s->failed) {
            --s->arcs_left;
            reach(s, from, r->first, from->g + away * cost + nav_arc_cost(s->view, arc));
        }
    }
}

static void reach_start(nav_steiner *s, const origin *from, float cost)
{
    const float *start = s->start->position;
    const float g = from->g + nav_plane_distance_f(from->x, from->z, start[0], start[2]) * cost;
    if (g < s->at_start.g && g < s->limit) {
        s->at_start.g = g;
        s->at_start.next = from->node;
        s->limit = g;
        open_node(s, g, NAV_NONE);
    }
}

static void expand(nav_steiner *s, const origin *from)
{
    const float cost = nav_polygon_cost(s->view, from->polygon);
    const nav_face face = nav_view_face(s->view, from->polygon);
    if (from->polygon == s->start->polygon) {
        reach_start(s, from, cost);
    }
    for (uint32_t k = 0; k < face.portal_count && !s->failed; ++k) {
        const uint32_t to = face.portals[k].to;
        // Back over its own edge a way leads only to run along it on cheaper ground.
        if (is_seen(s, to) && (to != from->behind || nav_polygon_cost(s->view, to) > cost)) {
            reach_portal(s, from, face.portal_first + k, cost);
        }
    }
    reach_arcs(s, from, cost);
}

static origin origin_of(const nav_steiner *s, uint32_t index)
{
    const node *n = &s->room->nodes[index];
    const bool is_arc = nav_portal_is_arc(s->view, n->portal);
    return (origin){.x = n->x,
                    .z = n->z,
                    .g = n->g,
                    .node = index,
                    .polygon = nav_view_from(s->view, n->portal),
                    .behind = is_arc ? NAV_NONE : nav_view_to(s->view, n->portal)};
}

// False: no way within the limit, or the budget has ended.
static bool search(nav_steiner *s)
{
    nav_cancel *cancel = &s->scratch->cancel;
    origin from = {.x = s->goal[0],
                   .z = s->goal[1],
                   .node = NAV_NONE,
                   .polygon = s->target->polygon,
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
        from = origin_of(s, top.index);
        expand(s, &from);
    }
    return false;
}

// ---- the walk ----

// Lists the points from the start to the goal. False: there are too many.
static bool list_walk(const nav_steiner *s, nav_walk *out)
{
    const node *nodes = s->room->nodes;
    out->count = 0;
    for (uint32_t at = s->at_start.next; at != NAV_NONE; at = nodes[at].next) {
        if (out->count == out->capacity) {
            return false;
        }
        out->points[out->count++] =
            nav_walk_point_at(s->view, nodes[at].portal, nodes[at].t, nodes[at].reach);
    }
    return true;
}

bool nav_steiner_search(nav_steiner *s, nav_walk *out)
{
    s->room->node_count = 0;
    s->open = nav_open_list_of(s->room->open);
    s->at_start = (node){.g = INFINITY};
    list_arcs(s);
    return search(s) && list_walk(s, out);
}
