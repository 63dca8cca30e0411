// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_search.c: A* (Hart, Nilsson, Raphael 1968) over polygons, along taut ways: which portals
// lead from here to there.
//
// A node of the search is a polygon. It knows by which portal it is entered and what the way there
// looks like from its last bend, the root: how much of that portal can be seen from there, as in
// Polyanya (Cui, Harabor, Grastien 2017), but with one such label a polygon, the best so far.
//
//            left |          A portal behind it that is seen keeps the root, and the part of it
//      root x-----|----.     that is seen. One that is not makes the way bend around the end of
//            '----|-.  |     what is seen, which is the new root. Thus G is at any time the length
//           right |   `|     of a walk, and nearly that of the shortest through these portals.
//
// All in plan view: heights decide where the ends are, not which way is shorter. A step in a
// polygon costs its length times the cost of the polygon's area. Where that changes the way stops
// at a place on the border, which is the next root. A link is a portal as well: the root stands at
// its end.

#include "query.h"

#include <math.h>

#define HEAP_ARITY 4u

// How many nodes are expanded between two questions whether it is late.
#define LATE_EVERY 256u

typedef struct search {
    const nav_view *view;
    const nav_mesh *mesh; // the view's
    nav_search_node *nodes;
    nav_heap_entry *heap;
    uint32_t heap_count;
    uint32_t stamp;
    float start[2], goal[2];
    uint32_t goal_polygon;
    float goal_cost; // of a step in the goal's polygon
    float bound;     // of what a step costs anywhere
    nav_search_node at_goal; // how the goal is reached, whose polygon may also be passed
    uint32_t closest;        // of the polygons that have been entered; NAV_NONE: the start's
    float closest2;
    uint32_t expanded, expanded_max;
} search;

// A polygon that is expanded, as it looks from its root.
typedef struct label {
    float x, z, g;           // the root
    float left[2], right[2]; // from the root to the ends of what is seen of the entry
    bool stands;             // the root is in the polygon or on its border: all of it is seen
    uint32_t polygon;
    uint32_t entry; // as in its node; NAV_NONE: the start
} label;

static inline float plan_distance(float ax, float az, float bx, float bz)
{
    return sqrtf((ax - bx) * (ax - bx) + (az - bz) * (az - bz));
}

// ---- the open list: a heap of four children a node. A better label is one more entry; the one it
// replaces is passed over when it comes up, since the polygon has been expanded by then ----

static void heap_push(search *s, nav_heap_entry entry)
{
    uint32_t position = s->heap_count++;
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

static uint32_t heap_pop(search *s)
{
    const uint32_t polygon = s->heap[0].polygon;
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
    return polygon;
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
    if (right_by_left <= 0.0f) {
        bend_around(from, from->left, cost, next);
    } else if (left_by_right >= 0.0f) {
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

// Keeps a label for the polygon that is entered where it is the best so far.
static inline void keep_label(search *s, uint32_t polygon, nav_search_node *node,
                              const nav_search_node *next)
{
    if (node->stamp == s->stamp + 1) {
        return; // it has been expanded
    }
    if (node->stamp != s->stamp || next->f < node->f) {
        *node = *next;
        heap_push(s, (nav_heap_entry){.f = next->f, .polygon = polygon});
    }
}

static inline void note_closest(search *s, uint32_t polygon, float left2)
{
    if (left2 < s->closest2) {
        s->closest2 = left2;
        s->closest = polygon;
    }
}

// ---- where all steps cost the same ----

static void expand_plain(search *s, const label *from)
{
    const nav_mesh *mesh = s->mesh;
    const uint32_t first_bit = from->entry == NAV_NONE ? NAV_ENTRY_FROM_START : 0;
    const uint32_t end = mesh->portal_first[from->polygon + 1];
    for (uint32_t i = mesh->portal_first[from->polygon]; i < end; ++i) {
        const nav_portal *portal = &mesh->portals[i];
        const uint32_t to = portal->to;
        if (s->nodes[to].stamp == s->stamp + 1) {
            continue;
        }
        nav_search_node next = {.entry = i | first_bit, .stamp = s->stamp};
        see_portal(from, portal, 1.0f, &next);
        float place[2];
        place_at(portal, aim(portal, &next, s->goal), place);
        const float dx = place[0] - s->goal[0], dz = place[1] - s->goal[1];
        const float left2 = dx * dx + dz * dz;
        next.f = next.g + plan_distance(next.x, next.z, place[0], place[1]) + sqrtf(left2);
        note_closest(s, to, left2);
        if (to == s->goal_polygon) {
            keep_label(s, NAV_NONE, &s->at_goal, &next);
        } else {
            keep_label(s, to, &s->nodes[to], &next);
        }
    }
}

// ---- where costs differ ----

// What the way that is left costs at least, by length. The last steps, within the goal's polygon,
// are known exactly.
static inline float cost_left(const search *s, uint32_t to)
{
    return to == s->goal_polygon ? s->goal_cost : s->bound;
}

// Keeps a label whose root stands at the place where `to` is entered.
static void stop_at(search *s, uint32_t to, nav_search_node *next)
{
    const float dx = next->x - s->goal[0], dz = next->z - s->goal[1];
    const float left2 = dx * dx + dz * dz;
    const float left = sqrtf(left2);
    note_closest(s, to, left2);
    next->stamp = s->stamp;
    next->entry |= NAV_ENTRY_STANDS;
    if (to == s->goal_polygon) {
        next->f = next->g + left * s->goal_cost;
        keep_label(s, NAV_NONE, &s->at_goal, next);
    }
    next->f = next->g + left * s->bound;
    keep_label(s, to, &s->nodes[to], next);
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

// For one portal, the entry into dear ground may move: it was placed without knowing by which portal
// the way leaves. What cuts a corner of dear ground only is far cheaper than a way to the middle of
// its edge. Moves the place on the portal as well and says what it costs to get there.
static float move_entry(const search *s, const label *from, const nav_portal *portal, float cost,
                        float cost_behind, float place[2])
{
    const nav_search_node *node = &s->nodes[from->polygon];
    const nav_portal *entry = &s->mesh->portals[nav_entry_portal(from->entry)];
    const float cost_before = nav_polygon_cost(s->view, entry->from);
    const float g_before =
        node->g - plan_distance(node->before_x, node->before_z, node->x, node->z) * cost_before;
    const float root[2] = {node->before_x, node->before_z};
    float entered[2];
    place_at(entry, nav_place_refracted(entry, root, cost_before, place, cost), entered);
    const nav_search_node moved = {.x = entered[0], .z = entered[1], .right = 1.0f};
    place_at(portal, cross_border(s, portal, &moved, cost, cost_behind), place);
    return g_before + plan_distance(root[0], root[1], entered[0], entered[1]) * cost_before +
           plan_distance(entered[0], entered[1], place[0], place[1]) * cost;
}

// A portal to ground of another cost: the way stops there.
static void open_border(search *s, const label *from, bool entered_dear, const nav_portal *portal,
                        nav_search_node *next, float cost, float cost_behind)
{
    float place[2];
    place_at(portal, cross_border(s, portal, next, cost, cost_behind), place);
    float g = next->g + plan_distance(next->x, next->z, place[0], place[1]) * cost;
    if (entered_dear) {
        float moved[2] = {place[0], place[1]};
        const float moved_g = move_entry(s, from, portal, cost, cost_behind, moved);
        if (moved_g < g) {
            g = moved_g;
            place[0] = moved[0];
            place[1] = moved[1];
        }
    }
    next->before_x = next->x;
    next->before_z = next->z;
    next->x = place[0];
    next->z = place[1];
    next->g = g;
    stop_at(s, portal->to, next);
}

// A portal to ground of the same cost, as where all of it costs the same.
static void open_seen(search *s, const nav_portal *portal, nav_search_node *next, float cost)
{
    float place[2];
    place_at(portal, aim(portal, next, s->goal), place);
    const float dx = place[0] - s->goal[0], dz = place[1] - s->goal[1];
    const float left2 = dx * dx + dz * dz;
    const float left = sqrtf(left2);
    const float g = next->g + plan_distance(next->x, next->z, place[0], place[1]) * cost;
    next->stamp = s->stamp;
    note_closest(s, portal->to, left2);
    if (portal->to == s->goal_polygon) {
        next->f = g + left * cost;
        keep_label(s, NAV_NONE, &s->at_goal, next);
    }
    next->f = g + left * s->bound;
    keep_label(s, portal->to, &s->nodes[portal->to], next);
}

// From the root to a place in the label's polygon.
static float cost_to(const label *from, float x, float z, float cost)
{
    const float dx = x - from->x, dz = z - from->z;
    nav_search_node bent = {.x = from->x, .z = from->z, .g = from->g};
    if (!from->stands && cross(from->left, dx, dz) < 0.0f) {
        bend_around(from, from->left, cost, &bent);
    } else if (!from->stands && cross(from->right, dx, dz) > 0.0f) {
        bend_around(from, from->right, cost, &bent);
    }
    return bent.g + plan_distance(bent.x, bent.z, x, z) * cost;
}

static void expand_ways(search *s, const label *from, uint32_t first_bit, float cost)
{
    const nav_mesh *mesh = s->mesh;
    for (uint32_t i = mesh->way_first[from->polygon]; i < mesh->way_first[from->polygon + 1]; ++i) {
        const nav_way *way = &mesh->ways[i];
        const uint32_t portal = mesh->edge_portal_count + i;
        const uint32_t to = mesh->portals[portal].to;
        const float way_cost = nav_way_cost(s->view, way);
        if (way_cost < INFINITY && nav_polygon_cost(s->view, to) < INFINITY &&
            s->nodes[to].stamp != s->stamp + 1) {
            nav_search_node next = {
                .x = way->end[0],
                .z = way->end[2],
                .g = cost_to(from, way->start[0], way->start[2], cost) + way_cost,
                .entry = portal | first_bit};
            stop_at(s, to, &next);
        }
    }
}

static void expand_weighted(search *s, const label *from)
{
    const nav_mesh *mesh = s->mesh;
    const float cost = nav_polygon_cost(s->view, from->polygon);
    const uint32_t first_bit = from->entry == NAV_NONE ? NAV_ENTRY_FROM_START : 0;
    const uint32_t entry = nav_entry_portal(from->entry);
    const bool entered_dear = from->entry != NAV_NONE && !nav_portal_is_way(mesh, entry) &&
                              nav_polygon_cost(s->view, mesh->portals[entry].from) < cost;
    const uint32_t end = mesh->portal_first[from->polygon + 1];
    for (uint32_t i = mesh->portal_first[from->polygon]; i < end; ++i) {
        const nav_portal *portal = &mesh->portals[i];
        const float cost_behind = nav_polygon_cost(s->view, portal->to);
        // What has been expanded may still hold the goal.
        if (cost_behind == INFINITY ||
            (s->nodes[portal->to].stamp == s->stamp + 1 && portal->to != s->goal_polygon)) {
            continue;
        }
        nav_search_node next = {.entry = i | first_bit, .stamp = s->stamp};
        see_portal(from, portal, cost, &next);
        if (cost_behind == cost && !entered_dear) {
            open_seen(s, portal, &next, cost);
        } else {
            open_border(s, from, entered_dear, portal, &next, cost, cost_behind);
        }
    }
    if (mesh->way_count > 0) {
        expand_ways(s, from, first_bit, cost);
    }
}

// ---- the search ----

static label label_of(const search *s, uint32_t polygon)
{
    const nav_search_node *node = &s->nodes[polygon];
    label from = {.x = node->x,
                  .z = node->z,
                  .g = node->g,
                  .stands = (node->entry & NAV_ENTRY_STANDS) != 0,
                  .polygon = polygon,
                  .entry = node->entry};
    if (!from.stands) {
        const nav_portal *portal = &s->mesh->portals[nav_entry_portal(node->entry)];
        place_at(portal, node->left, from.left);
        place_at(portal, node->right, from.right);
        from.left[0] -= node->x;
        from.left[1] -= node->z;
        from.right[0] -= node->x;
        from.right[1] -= node->z;
    }
    return from;
}

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

// Expands polygons until the goal comes up, or nothing cheaper than the line. The goal may have
// been seen, but not proven, where a limit ends the search.
static void run(search *s, const nav_path_request *request, uint32_t start_polygon, bool plain,
                float line, nav_search_result *out)
{
    void (*const expand)(search *, const label *) = plain ? expand_plain : expand_weighted;
    label from = {.x = s->start[0],
                  .z = s->start[1],
                  .stands = true,
                  .polygon = start_polygon,
                  .entry = NAV_NONE};
    if (plain) {
        s->nodes[start_polygon].stamp = s->stamp + 1; // no way is shorter for coming back
    }
    expand(s, &from);
    while (s->heap_count > 0 && s->heap[0].f < line) {
        const uint32_t polygon = heap_pop(s);
        if (polygon == NAV_NONE) {
            return;
        }
        nav_search_node *node = &s->nodes[polygon];
        if (node->stamp == s->stamp + 1) {
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
        from = label_of(s, polygon);
        expand(s, &from);
    }
}

// ---- what the search found ----

// Lists the portals from the start to this label, and where each is crossed. Returns how many.
static uint32_t trace_corridor(const search *s, const nav_search_node *last, nav_scratch *scratch)
{
    uint32_t count = 1;
    for (const nav_search_node *node = last; (node->entry & NAV_ENTRY_FROM_START) == 0;) {
        node = &s->nodes[s->mesh->portals[nav_entry_portal(node->entry)].from];
        ++count;
    }
    const nav_search_node *node = last;
    for (uint32_t at = count; at-- > 0;) {
        scratch->corridor[at] = nav_entry_portal(node->entry);
        scratch->places[at][0] = node->x;
        scratch->places[at][1] = node->z;
        node = &s->nodes[s->mesh->portals[scratch->corridor[at]].from];
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
        .heap = scratch->heap,
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
    // The line within the polygon is beaten only by a way around, over cheaper ground.
    if (!(line < INFINITY && s.goal_cost <= s.bound)) {
        run(&s, request, start->polygon, plain, line, &out);
    }
    out.expanded = s.expanded;
    const bool seen = s.at_goal.stamp == s.stamp && s.at_goal.f < line;
    out.reached = seen || line < INFINITY;
    if (seen) {
        out.count = trace_corridor(&s, &s.at_goal, scratch);
        out.end_polygon = target->polygon;
    } else if (!out.reached && s.closest != NAV_NONE) {
        const nav_search_node *last = &s.nodes[s.closest];
        out.count = trace_corridor(&s, last, scratch);
        out.end_polygon = s.closest;
        if ((last->entry & NAV_ENTRY_STANDS) == 0) {
            const nav_portal *portal = &s.mesh->portals[scratch->corridor[out.count - 1]];
            place_at(portal, aim(portal, last, s.goal), scratch->places[out.count - 1]);
        }
    }
    return out;
}
