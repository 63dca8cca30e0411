// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_search.c: A* (Hart, Nilsson, Raphael 1968) over portals, along taut ways: which portals
// lead from here to there.
//
// A node of the search is a portal. It knows the last bend of the way to it, the root, and how much
// of the portal can be seen from there, as in Polyanya (Cui, Harabor, Grastien 2017), but with one
// such label a portal, the best so far.
//
//            left |          A portal behind it that is seen keeps the root, and the part of it
//      root x-----|----.     that is seen. One that is not makes the way bend around the end of
//            '----|-.  |     what is seen, which is the new root. Thus G is at any time the length
//           right |   `|     of a walk, and nearly that of the shortest through these portals.
//
// A polygon that has been expanded is so once more only over a portal that the first way into it
// does not lead to as cheaply.
//
// All in plan view: heights decide where the ends are, not which way is shorter. A step in a
// polygon costs its length times the cost of the polygon's area. Where that changes the way stops
// at a place on the border, which is the next root. A link is a portal as well: the root stands at
// its end.

#include "query_guide.h"

#include <math.h>

#define HEAP_ARITY 4u

// How many nodes are expanded between two questions whether it is late.
#define LATE_EVERY 256u

// What landmarks say is trusted a little more than it is proven, and so are straight lines where
// there are landmarks: far less is expanded for paths that are a little longer.
#define TRUST 1.1f
// The same where costs differ: what is left counts at the least cost, and few ways find only that.
#define TRUST_COSTS 1.5f
// A way that is cheaper by less than this part of its cost is none.
#define DOMINATED_BELOW 1e-5f

typedef struct search {
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
    float goal_cost; // of a step in the goal's polygon
    float bound;     // of what a step costs anywhere
    nav_guide guide;
    float trust;             // factor of what it guesses
    nav_search_node at_goal; // how the goal is reached, whose polygon may also be passed
    uint32_t goal_entry;
    uint32_t closest; // of the portals that have been seen; NAV_NONE: the start
    float closest2;
    uint32_t expanded, expanded_max;
} search;

// A polygon that is expanded, as it looks from its root.
typedef struct label {
    float x, z, g;           // the root
    float left[2], right[2]; // from the root to the ends of what is seen of the entry
    bool stands;             // the root is in the polygon or on its border: all of it is seen
    uint32_t polygon;
    uint32_t entry; // or NAV_SEARCH_START
} label;

static inline float plan_distance(float ax, float az, float bx, float bz)
{
    return sqrtf((ax - bx) * (ax - bx) + (az - bz) * (az - bz));
}

// ---- the open list: a heap of four children a node. A better label is one more entry; the one it
// replaces is passed over when it comes up ----

static inline void heap_up(search *s, uint32_t position, nav_heap_entry entry)
{
    while (position > 0) {
        const uint32_t parent = (position - 1) / HEAP_ARITY;
        if (s->heap[parent].f <= entry.f) {
            break;
        }
        s->heap[position] = s->heap[parent];
        position = parent;
    }
    s->heap[position] = entry;
}

// Whether the entry is of the node's present label.
static inline bool is_current(const search *s, nav_heap_entry entry)
{
    const nav_search_node *node = entry.index == NAV_NONE ? &s->at_goal : &s->nodes[entry.index];
    return node->stamp == s->stamp && node->f == entry.f;
}

// Makes room by dropping replaced entries, which are at least half of a full heap.
__attribute__((noinline)) static void heap_tidy(search *s)
{
    const uint32_t count = s->heap_count;
    s->heap_count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (is_current(s, s->heap[i])) {
            const nav_heap_entry entry = s->heap[i];
            heap_up(s, s->heap_count++, entry);
        }
    }
}

static inline void heap_push(search *s, nav_heap_entry entry)
{
    if (s->heap_count == s->heap_room) {
        heap_tidy(s);
    }
    heap_up(s, s->heap_count++, entry);
}

// Puts an entry into the open list. The best one of an expansion waits in `next`: mostly it is the
// one that comes up at once.
static inline void open_entry(search *s, nav_heap_entry entry)
{
    const nav_heap_entry other = entry.f < s->next.f ? s->next : entry;
    s->next = entry.f < s->next.f ? entry : s->next;
    if (other.f < INFINITY) {
        heap_push(s, other);
    }
}

static nav_heap_entry heap_pop(search *s)
{
    const nav_heap_entry top = s->heap[0];
    const nav_heap_entry last = s->heap[--s->heap_count];
    const uint32_t count = s->heap_count;
    uint32_t position = 0;
    for (;;) {
        const uint32_t first = position * HEAP_ARITY + 1;
        if (first >= count) {
            break;
        }
        const uint32_t end = first + HEAP_ARITY < count ? first + HEAP_ARITY : count;
        uint32_t least = first;
        for (uint32_t child = first + 1; child < end; ++child) {
            least = s->heap[child].f < s->heap[least].f ? child : least;
        }
        if (s->heap[least].f >= last.f) {
            break;
        }
        s->heap[position] = s->heap[least];
        position = least;
    }
    s->heap[position] = last;
    return top;
}

// Takes the best entry out of the open list. False where there is none.
static inline bool take_best(search *s, nav_heap_entry *out)
{
    *out = s->next;
    s->next.f = INFINITY;
    if (s->heap_count > 0 && s->heap[0].f < out->f) {
        const nav_heap_entry waiting = *out;
        *out = heap_pop(s);
        if (waiting.f < INFINITY) {
            heap_push(s, waiting);
        }
    }
    return out->f < INFINITY;
}

// ---- labels ----

static inline float cross(const float ray[2], float x, float z)
{
    return ray[0] * z - ray[1] * x; // positive to the right of the ray
}

static inline void bend_around(const label *from, const float end[2], float cost,
                               nav_search_node *next)
{
    next->x = from->x + end[0];
    next->z = from->z + end[1];
    next->g = from->g + sqrtf(end[0] * end[0] + end[1] * end[1]) * cost;
}

// What of a portal is seen through the label's entry. Where that is nothing, the way bends around
// an end of what is seen of the entry.
static inline void see_portal(const label *from, const nav_portal *portal, float cost,
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
    const float left_by_left = cross(from->left, left_x, left_z);
    const float right_by_left = cross(from->left, right_x, right_z);
    const float left_by_right = cross(from->right, left_x, left_z);
    const float right_by_right = cross(from->right, right_x, right_z);
    // Both ends are asked: from a root on the entry itself what is seen takes up half a turn.
    if (right_by_left <= 0.0f && left_by_left <= 0.0f) {
        bend_around(from, from->left, cost, next);
    } else if (left_by_right >= 0.0f && right_by_right >= 0.0f) {
        bend_around(from, from->right, cost, next);
    } else {
        if (left_by_left < 0.0f) {
            next->left = left_by_left / (left_by_left - right_by_left);
        }
        if (right_by_right > 0.0f) {
            next->right = left_by_right / (left_by_right - right_by_right);
        }
    }
}

static inline float clamp(float t, float low, float high)
{
    return t > low ? t < high ? t : high : low;
}

static inline void place_at(const nav_portal *portal, float t, float out[2])
{
    out[0] = portal->left[0] + (portal->right[0] - portal->left[0]) * t;
    out[1] = portal->left[1] + (portal->right[1] - portal->left[1]) * t;
}

// Where along a portal, from 0 at its left end to 1 at its right, the way root -> portal -> goal is
// shortest: where the straight line crosses it, or its mirror image where both lie on one side; as
// far as it is seen.
static inline float aim(const nav_portal *portal, const nav_search_node *node, const float goal[2])
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
    return clamp(t, node->left, node->right);
}

// What is left from a place on a portal, about, by length.
static inline float guess_left(const search *s, uint32_t portal, float t, float straight)
{
    return nav_guide_guess(&s->guide, s->mesh, portal, t, straight) * s->trust;
}

static label label_of(const search *s, uint32_t entry, uint32_t polygon)
{
    if (entry == NAV_SEARCH_START) {
        return (label){.x = s->start[0],
                       .z = s->start[1],
                       .stands = true,
                       .polygon = polygon,
                       .entry = NAV_SEARCH_START};
    }
    const nav_search_node *node = &s->nodes[entry];
    label from = {.x = node->x,
                  .z = node->z,
                  .g = node->g,
                  .stands = (node->parent & NAV_SEARCH_STANDS) != 0,
                  .polygon = polygon,
                  .entry = entry};
    if (!from.stands) {
        const nav_portal *portal = nav_view_portal(s->view, entry);
        place_at(portal, node->left, from.left);
        place_at(portal, node->right, from.right);
        from.left[0] -= node->x;
        from.left[1] -= node->z;
        from.right[0] -= node->x;
        from.right[1] -= node->z;
    }
    return from;
}

// From the root to a place in the label's polygon.
static float cost_to(const label *from, float x, float z, float cost)
{
    const float dx = x - from->x, dz = z - from->z;
    const float *bend = NULL;
    if (!from->stands && cross(from->left, dx, dz) < 0.0f) {
        bend = from->left;
    } else if (!from->stands && cross(from->right, dx, dz) > 0.0f) {
        bend = from->right;
    }
    if (bend == NULL) {
        return from->g + sqrtf(dx * dx + dz * dz) * cost;
    }
    return from->g + (sqrtf(bend[0] * bend[0] + bend[1] * bend[1]) +
                      plan_distance(bend[0], bend[1], dx, dz)) *
                         cost;
}

// Whether the polygon has been expanded before, and from there the place on its border is reached
// as cheaply.
static inline bool is_dominated(const search *s, uint32_t polygon, const float place[2], float g,
                                float cost)
{
    const nav_search_polygon *first = &s->polygons[polygon];
    if (first->stamp != s->stamp) {
        return false;
    }
    const label from = label_of(s, first->entry, polygon);
    return cost_to(&from, place[0], place[1], cost) < g * (1.0f - DOMINATED_BELOW);
}

// Keeps a label where it is the best so far of its portal. left2 is how far its place is from the
// goal, squared.
static inline void keep_label(search *s, uint32_t portal, const nav_search_node *next, float left2)
{
    nav_search_node *node = &s->nodes[portal];
    if (node->stamp == s->stamp + 1 || (node->stamp == s->stamp && next->f >= node->f)) {
        return; // it has been expanded, or the one it has is as good
    }
    *node = *next;
    open_entry(s, (nav_heap_entry){.f = next->f, .index = portal});
    if (left2 < s->closest2) {
        s->closest2 = left2;
        s->closest = portal;
    }
}

static inline void keep_goal(search *s, uint32_t entry, const nav_search_node *next)
{
    if (s->at_goal.stamp != s->stamp || next->f < s->at_goal.f) {
        s->at_goal = *next;
        s->goal_entry = entry;
        open_entry(s, (nav_heap_entry){.f = next->f, .index = NAV_NONE});
    }
}

// ---- where all steps cost the same ----

static void expand_plain(search *s, const label *from)
{
    const nav_mesh *mesh = s->mesh;
    const uint32_t came_from =
        from->entry == NAV_SEARCH_START ? NAV_NONE : mesh->portals[from->entry].from;
    const uint32_t end = mesh->portal_first[from->polygon + 1];
    for (uint32_t i = mesh->portal_first[from->polygon]; i < end; ++i) {
        const nav_portal *portal = &mesh->portals[i];
        const uint32_t to = portal->to;
        if (to == came_from || s->nodes[i].stamp == s->stamp + 1) {
            continue;
        }
        nav_search_node next = {.parent = from->entry, .stamp = s->stamp};
        see_portal(from, portal, 1.0f, &next);
        const float t = aim(portal, &next, s->goal);
        float place[2];
        place_at(portal, t, place);
        const float g = next.g + plan_distance(next.x, next.z, place[0], place[1]);
        const float dx = place[0] - s->goal[0], dz = place[1] - s->goal[1];
        const float left2 = dx * dx + dz * dz;
        const float left = sqrtf(left2);
        if (to == s->goal_polygon) {
            next.f = g + left;
            keep_goal(s, i, &next);
        } else if (!is_dominated(s, to, place, g, 1.0f)) {
            next.f = g + guess_left(s, i, t, left);
            keep_label(s, i, &next, left2);
        }
    }
}

// ---- where costs differ ----

// Keeps a label whose root stands at the place where a polygon is entered; t says where on the
// portal, if it is an edge's.
static void stop_at(search *s, uint32_t portal, float t, nav_search_node *next)
{
    const uint32_t to = nav_view_to(s->view, portal);
    const float place[2] = {next->x, next->z};
    const float dx = next->x - s->goal[0], dz = next->z - s->goal[1];
    const float left2 = dx * dx + dz * dz;
    const float left = sqrtf(left2);
    next->parent |= NAV_SEARCH_STANDS;
    if (to == s->goal_polygon) {
        next->f = next->g + left * s->goal_cost;
        keep_goal(s, portal, next);
    }
    if (!is_dominated(s, to, place, next->g, nav_polygon_cost(s->view, to))) {
        const bool way = nav_portal_is_way(s->mesh, portal);
        next->f = next->g + (way ? left : guess_left(s, portal, t, left)) * s->bound;
        keep_label(s, portal, next, left2);
    }
}

// Where a border is best crossed, as far as can be told: what is dear is left by the shortest way,
// and the goal's polygon entered as suits the goal. Into other dear ground the line goes on
// straight, for it may be narrow.
static float cross_border(const search *s, const nav_portal *portal, const nav_search_node *next,
                          float cost, float cost_behind)
{
    const bool refracted = portal->to == s->goal_polygon || cost_behind < cost;
    if (!refracted) {
        return aim(portal, next, s->goal);
    }
    const float from[2] = {next->x, next->z};
    return clamp(nav_place_refracted(portal, from, cost, s->goal, cost_behind), next->left,
                 next->right);
}

// For one portal, the entry into dear ground may move: it was placed without knowing by which
// portal the way leaves. What cuts a corner of dear ground only is far cheaper than a way to the
// middle of its edge. Moves t, the place on the portal, as well and says what it costs to get
// there.
static float move_entry(const search *s, const label *from, const nav_portal *portal, float cost,
                        float cost_behind, float *t)
{
    const nav_search_node *node = &s->nodes[from->entry];
    const nav_portal *entry = nav_view_portal(s->view, from->entry);
    const float cost_before = nav_polygon_cost(s->view, nav_view_from(s->view, from->entry));
    const float root[2] = {node->before_x, node->before_z};
    const float g_before =
        node->g - plan_distance(root[0], root[1], node->x, node->z) * cost_before;
    float place[2];
    float entered[2];
    place_at(portal, *t, place);
    place_at(entry, nav_place_refracted(entry, root, cost_before, place, cost), entered);
    const nav_search_node moved = {.x = entered[0], .z = entered[1], .right = 1.0f};
    *t = cross_border(s, portal, &moved, cost, cost_behind);
    place_at(portal, *t, place);
    return g_before + plan_distance(root[0], root[1], entered[0], entered[1]) * cost_before +
           plan_distance(entered[0], entered[1], place[0], place[1]) * cost;
}

// A portal to ground of another cost: the way stops there.
static void open_border(search *s, const label *from, bool entered_dear, uint32_t index,
                        nav_search_node *next, float cost, float cost_behind)
{
    const nav_portal *portal = nav_view_portal(s->view, index);
    float t = cross_border(s, portal, next, cost, cost_behind);
    float place[2];
    place_at(portal, t, place);
    float g = next->g + plan_distance(next->x, next->z, place[0], place[1]) * cost;
    if (entered_dear) {
        float moved_t = t;
        const float moved_g = move_entry(s, from, portal, cost, cost_behind, &moved_t);
        if (moved_g < g) {
            g = moved_g;
            t = moved_t;
            place_at(portal, t, place);
        }
    }
    next->before_x = next->x;
    next->before_z = next->z;
    next->x = place[0];
    next->z = place[1];
    next->g = g;
    stop_at(s, index, t, next);
}

// A portal to ground of the same cost, as where all of it costs the same.
static void open_seen(search *s, uint32_t index, nav_search_node *next, float cost)
{
    const nav_portal *portal = nav_view_portal(s->view, index);
    const float t = aim(portal, next, s->goal);
    float place[2];
    place_at(portal, t, place);
    const float dx = place[0] - s->goal[0], dz = place[1] - s->goal[1];
    const float left2 = dx * dx + dz * dz;
    const float left = sqrtf(left2);
    const float g = next->g + plan_distance(next->x, next->z, place[0], place[1]) * cost;
    if (portal->to == s->goal_polygon) {
        next->f = g + left * cost;
        keep_goal(s, index, next);
    }
    if (!is_dominated(s, portal->to, place, g, cost)) {
        next->f = g + guess_left(s, index, t, left) * s->bound;
        keep_label(s, index, next, left2);
    }
}

static void expand_ways(search *s, const label *from, const nav_face *face, float cost)
{
    const nav_mesh *mesh = s->mesh;
    for (uint32_t i = face->way_first; i < face->way_end; ++i) {
        const nav_way *way = &mesh->ways[i];
        if (nav_view_way_target(s->view, from->polygon, i) != NAV_NONE) {
            nav_search_node next = {.x = way->end[0],
                                    .z = way->end[2],
                                    .g = cost_to(from, way->start[0], way->start[2], cost) +
                                         nav_way_cost(s->view, way),
                                    .parent = from->entry,
                                    .stamp = s->stamp};
            stop_at(s, mesh->edge_portal_count + i, 0.0f, &next);
        }
    }
}

static void expand_weighted(search *s, const label *from)
{
    const nav_mesh *mesh = s->mesh;
    const float cost = nav_polygon_cost(s->view, from->polygon);
    const bool over_edge = from->entry != NAV_SEARCH_START && !nav_portal_is_way(mesh, from->entry);
    const uint32_t from_polygon = over_edge ? nav_view_from(s->view, from->entry) : NAV_NONE;
    const float cost_before = over_edge ? nav_polygon_cost(s->view, from_polygon) : cost;
    const nav_face face = nav_view_face(s->view, from->polygon);
    for (uint32_t k = 0; k < face.portal_count; ++k) {
        const nav_portal *portal = &face.portals[k];
        const uint32_t i = face.portal_first + k;
        const float cost_behind = nav_polygon_cost(s->view, portal->to);
        // Polygons are convex: straight back over an edge is never shorter, but it may be cheaper,
        // along the border of cheaper ground.
        if (cost_behind == INFINITY || s->nodes[i].stamp == s->stamp + 1 ||
            (portal->to == from_polygon && cost_behind <= cost)) {
            continue;
        }
        nav_search_node next = {.parent = from->entry, .stamp = s->stamp};
        see_portal(from, portal, cost, &next);
        if (cost_behind == cost && cost_before >= cost) {
            open_seen(s, i, &next, cost);
        } else {
            open_border(s, from, cost_before < cost, i, &next, cost, cost_behind);
        }
    }
    expand_ways(s, from, &face, cost);
}

// ---- the search ----

// What the straight line to the goal costs where it stays within the start's polygon.
static float cost_of_line(const search *s, const nav_location *start)
{
    return start->polygon == s->goal_polygon
               ? plan_distance(s->start[0], s->start[1], s->goal[0], s->goal[1]) * s->goal_cost
               : INFINITY;
}

static bool is_late(const search *s, const nav_path_request *request)
{
    return s->expanded % LATE_EVERY == 0 && request->is_late != NULL &&
           request->is_late(request->user);
}

static void expand(search *s, bool plain, uint32_t entry, uint32_t polygon)
{
    const label from = label_of(s, entry, polygon);
    nav_search_polygon *first = &s->polygons[polygon];
    if (first->stamp != s->stamp) {
        *first = (nav_search_polygon){.stamp = s->stamp, .entry = entry};
    }
    if (plain) {
        expand_plain(s, &from);
    } else {
        expand_weighted(s, &from);
    }
}

// Expands portals until the goal comes up, or nothing cheaper than the line. The goal may have
// been seen, but not proven, where a limit ends the search.
static void run(search *s, const nav_path_request *request, uint32_t start_polygon, bool plain,
                float line, nav_search_result *out)
{
    nav_heap_entry top;
    s->next.f = INFINITY;
    expand(s, plain, NAV_SEARCH_START, start_polygon);
    while (take_best(s, &top) && top.f < line) {
        if (top.index == NAV_NONE) {
            return;
        }
        nav_search_node *node = &s->nodes[top.index];
        if (node->stamp != s->stamp) {
            continue;
        }
        out->out_of_budget = s->expanded == s->expanded_max;
        if (out->out_of_budget) {
            return;
        }
        ++s->expanded;
        out->late = is_late(s, request);
        if (out->late) {
            return;
        }
        node->stamp = s->stamp + 1;
        expand(s, plain, top.index, nav_view_to(s->view, top.index));
    }
}

// ---- what the search found ----

// Lists the portals from the start to this one, and where each is crossed. Returns how many.
static uint32_t trace_corridor(const search *s, uint32_t entry, const nav_search_node *last,
                               nav_scratch *scratch)
{
    uint32_t count = 1;
    for (const nav_search_node *node = last; nav_search_parent(node) != NAV_SEARCH_START; ++count) {
        node = &s->nodes[nav_search_parent(node)];
    }
    const nav_search_node *node = last;
    for (uint32_t at = count; at-- > 0;) {
        scratch->corridor[at] = entry;
        scratch->places[at][0] = node->x;
        scratch->places[at][1] = node->z;
        entry = nav_search_parent(node);
        node = &s->nodes[entry];
    }
    return count;
}

nav_search_result nav_search_run(const nav_view *view, nav_scratch *scratch,
                                 const nav_path_request *request, const nav_location *start,
                                 const nav_location *target)
{
    search s = {
        .view = view,
        .mesh = view->mesh,
        .nodes = scratch->nodes,
        .polygons = scratch->polygons,
        .heap = scratch->heap,
        .heap_room = (uint32_t)NAV_HEAP_ROOM(nav_view_portals(view)),
        .stamp = scratch->stamp,
        .start = {start->position[0], start->position[2]},
        .goal = {target->position[0], target->position[2]},
        .goal_polygon = target->polygon,
        .goal_cost = nav_polygon_cost(view, target->polygon),
        .bound = view->costs->bound,
        .closest = NAV_NONE,
        .expanded_max = request->max_nodes > 0 ? request->max_nodes : NAV_NONE,
    };
    const bool plain = view->costs->uniform && view->costs->open && view->mesh->way_count == 0;
    const float dx = s.start[0] - s.goal[0], dz = s.start[1] - s.goal[1];
    const float line = cost_of_line(&s, start);
    nav_search_result out = {.end_polygon = start->polygon};
    s.closest2 = dx * dx + dz * dz;
    s.guide = nav_guide_ask(view, start, target);
    s.trust = s.guide.rows == NULL ? 1.0f : plain ? TRUST : TRUST_COSTS;
    // The line within the polygon is beaten only by a way around, over cheaper ground.
    if (!(line < INFINITY && s.goal_cost <= s.bound)) {
        run(&s, request, start->polygon, plain, line, &out);
    }
    out.expanded = s.expanded;
    out.bound = s.guide.bound * (double)s.bound;
    const bool seen = s.at_goal.stamp == s.stamp && s.at_goal.f < line;
    out.reached = seen || line < INFINITY;
    if (seen) {
        out.count = trace_corridor(&s, s.goal_entry, &s.at_goal, scratch);
        out.end_polygon = target->polygon;
    } else if (!out.reached && s.closest != NAV_NONE) {
        const nav_search_node *last = &s.nodes[s.closest];
        const nav_portal *portal = nav_view_portal(view, s.closest);
        out.count = trace_corridor(&s, s.closest, last, scratch);
        out.end_polygon = nav_view_to(view, s.closest);
        if ((last->parent & NAV_SEARCH_STANDS) == 0) {
            place_at(portal, aim(portal, last, s.goal), scratch->places[out.count - 1]);
        }
    }
    return out;
}
