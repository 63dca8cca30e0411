// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_path.c: a path in four steps: snap both ends to the mesh; aim, at the goal or at the spot
// closest to it that can be reached; A* over portals (Hart, Nilsson, Raphael 1968); pull the
// string.
//
// A node of the search is a portal, that is entering a polygon across an edge. It stands at the
// place of that edge over which the way from the node before to the goal is shortest:
//
//      parent x----.         F = G + H: G sums the straight steps between such places, H is the
//                   x----.   straight distance that is left. A node is moved and its key
//                  edge   x goal  decreased while it is open and a better way to it turns up.
//
// All in plan view: heights decide where the ends are, not which way is shorter.
//
// A step in a polygon costs its length times the cost of the polygon's area; H counts at the least
// cost there is, so that it never counts too much. A link is a portal as well: its node stands at
// the link's end, and G has the link's cost in it.

#include "query.h"

#include <math.h>
#include <string.h>

#define HEAP_ARITY 4u

// How many nodes are expanded between two questions whether it is late.
#define LATE_EVERY 256u

typedef struct search {
    const nav_view *view;
    const nav_mesh *mesh; // the view's
    const nav_path_request *request;
    nav_search_node *nodes;
    nav_heap_entry *heap;
    uint32_t heap_count;
    uint32_t stamp;
    float start[2], goal[2];
    uint32_t goal_polygon;
    float goal_cost; // of a step in the goal's polygon
    float bound;     // of what a step costs anywhere
    bool plain;      // all ground costs the same and there are no links: length is all that counts
    uint32_t expanded, expanded_max;
    // The expanded place closest to the goal: NAV_NONE is the start.
    uint32_t closest;
    float closest_h;
} search;

// Where a search ended: at a portal (NAV_NONE: in the start's polygon), and whether that is the
// goal.
typedef struct outcome {
    uint32_t portal;
    bool reached;
    bool out_of_budget;
    bool late;
} outcome;

static float plan_distance(float ax, float az, float bx, float bz)
{
    return sqrtf((ax - bx) * (ax - bx) + (az - bz) * (az - bz));
}

// ---- the open list: a heap of four children a node ----

static void heap_put(search *s, uint32_t position, nav_heap_entry entry)
{
    s->heap[position] = entry;
    s->nodes[entry.portal].heap_position = position;
}

static void heap_up(search *s, uint32_t position, nav_heap_entry entry)
{
    while (position > 0) {
        uint32_t parent = (position - 1) / HEAP_ARITY;
        if (s->heap[parent].f <= entry.f) {
            break;
        }
        heap_put(s, position, s->heap[parent]);
        position = parent;
    }
    heap_put(s, position, entry);
}

static void heap_down(search *s, uint32_t position, nav_heap_entry entry)
{
    for (;;) {
        uint32_t first = position * HEAP_ARITY + 1;
        if (first >= s->heap_count) {
            break;
        }
        uint32_t end = first + HEAP_ARITY < s->heap_count ? first + HEAP_ARITY : s->heap_count;
        uint32_t least = first;
        for (uint32_t child = first + 1; child < end; ++child) {
            least = s->heap[child].f < s->heap[least].f ? child : least;
        }
        if (s->heap[least].f >= entry.f) {
            break;
        }
        heap_put(s, position, s->heap[least]);
        position = least;
    }
    heap_put(s, position, entry);
}

static uint32_t heap_pop(search *s)
{
    uint32_t portal = s->heap[0].portal;
    nav_heap_entry last = s->heap[--s->heap_count];
    if (s->heap_count > 0) {
        heap_down(s, 0, last);
    }
    s->nodes[portal].heap_position = NAV_NONE;
    return portal;
}

// ---- A* ----

// The place on a portal over which the way a -> portal -> goal is shortest: where the straight line
// crosses it, or its mirror image where both lie on one side; the nearer end where that misses.
__attribute__((always_inline)) static inline void place_on_portal(const nav_portal *portal,
                                                                  float ax, float az,
                                                                  const float goal[2], float *x,
                                                                  float *z)
{
    float dx = portal->right[0] - portal->left[0], dz = portal->right[1] - portal->left[1];
    float a_x = ax - portal->left[0], a_z = az - portal->left[1];
    float b_x = goal[0] - portal->left[0], b_z = goal[1] - portal->left[1];
    float width2 = dx * dx + dz * dz;
    float from_a = fabsf(a_x * dz - a_z * dx); // distances from the portal's line, times its width
    float from_b = fabsf(b_x * dz - b_z * dx);
    float along_a = a_x * dx + a_z * dz; // along the portal, times its width
    float along_b = b_x * dx + b_z * dz;
    float t = 0.0f;
    if (from_a + from_b > 0.0f) {
        t = (along_a * from_b + along_b * from_a) / ((from_a + from_b) * width2);
    } else if (width2 > 0.0f) {
        t = along_a / width2;
    }
    t = t > 0.0f ? t < 1.0f ? t : 1.0f : 0.0f;
    *x = portal->left[0] + dx * t;
    *z = portal->left[1] + dz * t;
}

// Puts a portal into the open list, or moves it there, if this way to it is the best so far: next
// says where it stands, and g. What is left is weighed with `cost`.
static inline void open_portal(search *s, uint32_t portal, bool known, nav_search_node *next,
                               float cost)
{
    nav_search_node *node = &s->nodes[portal];
    next->h = plan_distance(next->x, next->z, s->goal[0], s->goal[1]);
    next->f = next->g + next->h * cost;
    if (!known || next->f < node->f) {
        uint32_t position = known ? node->heap_position : s->heap_count++;
        *node = *next;
        heap_up(s, position, (nav_heap_entry){.f = next->f, .portal = portal});
    }
}

// What the way that is left costs at least, by length. The last steps, within the goal's polygon,
// are known exactly.
static inline float cost_left(const search *s, uint32_t to)
{
    return to == s->goal_polygon ? s->goal_cost : s->bound;
}

// Where an edge is best crossed behind which the ground costs something else, as far as can be
// told: what is dear is left by the shortest way, and the goal's polygon entered as suits the goal.
// Into other dear ground the line goes on straight, for it may be narrow.
static void place_on_crossing(const search *s, const nav_portal *portal, float x, float z,
                              float cost, float *out_x, float *out_z)
{
    float cost_behind = nav_polygon_cost(s->view, portal->to);
    cost_behind = portal->to == s->goal_polygon || cost_behind < cost ? cost_behind : cost;
    if (cost_behind == cost) {
        place_on_portal(portal, x, z, s->goal, out_x, out_z);
        return;
    }
    const float from[2] = {x, z};
    float place[2];
    nav_place_refracted(portal, from, cost, s->goal, cost_behind, place);
    *out_x = place[0];
    *out_z = place[1];
}

static void expand_ways(search *s, uint32_t polygon, uint32_t parent, float x, float z, float g)
{
    const nav_mesh *mesh = s->mesh;
    const float cost = nav_polygon_cost(s->view, polygon);
    if (mesh->way_count == 0) {
        return;
    }
    for (uint32_t i = mesh->way_first[polygon]; i < mesh->way_first[polygon + 1]; ++i) {
        const nav_way *way = &mesh->ways[i];
        const uint32_t portal = mesh->edge_portal_count + i;
        const bool known = s->nodes[portal].stamp == s->stamp;
        const float way_cost = nav_way_cost(s->view, way);
        if (way_cost < INFINITY && nav_polygon_cost(s->view, mesh->portals[portal].to) < INFINITY &&
            (!known || s->nodes[portal].heap_position != NAV_NONE)) {
            float walk = plan_distance(x, z, way->start[0], way->start[2]) * cost;
            nav_search_node next = {.stamp = s->stamp,
                                    .parent = parent,
                                    .x = way->end[0],
                                    .z = way->end[2],
                                    .g = g + walk + way_cost};
            open_portal(s, portal, known, &next, cost_left(s, mesh->portals[portal].to));
        }
    }
}

// The polygon that needs not be entered again from `polygon`: polygons are convex, so the way
// straight back over an edge is never shorter; but it may be cheaper, along the border of cheaper
// ground, and a link may have led somewhere else.
static inline uint32_t no_way_back(const search *s, bool plain, uint32_t parent, float cost)
{
    if (parent == NAV_NONE || (!plain && nav_portal_is_way(s->mesh, parent))) {
        return NAV_NONE;
    }
    uint32_t from = s->mesh->portals[parent].from;
    return plain || nav_polygon_cost(s->view, from) <= cost ? from : NAV_NONE;
}

// The place `next` on a portal out of dear ground and the cost to it, the latter also from where
// the ground was entered. That entry was placed without knowing by which portal the way leaves:
// what cuts a corner of dear ground only is far cheaper than a way to the middle of its edge. Here
// the entry may move, for this portal; the string moves it in the end.
static void move_entry(const search *s, uint32_t entry, const nav_portal *portal, float cost,
                       nav_search_node *next)
{
    const nav_search_node *entered = &s->nodes[entry];
    const bool first = entered->parent == NAV_NONE;
    const nav_search_node *before = first ? NULL : &s->nodes[entered->parent];
    const float from[2] = {first ? s->start[0] : before->x, first ? s->start[1] : before->z};
    const float cost_before = nav_polygon_cost(s->view, s->mesh->portals[entry].from);
    const float to[2] = {next->x, next->z};
    float place[2];
    nav_place_refracted(&s->mesh->portals[entry], from, cost_before, to, cost, place);
    float x, z;
    place_on_crossing(s, portal, place[0], place[1], cost, &x, &z);
    float g = (first ? 0.0f : before->g) +
              plan_distance(from[0], from[1], place[0], place[1]) * cost_before +
              plan_distance(place[0], place[1], x, z) * cost;
    if (g < next->g) {
        next->x = x;
        next->z = z;
        next->g = g;
    }
}

// Opens every portal out of `polygon`, which has been entered over `parent` at x, z. Compiled
// twice: where all steps cost the same, it reads no costs.
__attribute__((always_inline)) static inline void
expand_as(search *s, bool plain, uint32_t polygon, uint32_t parent, float x, float z, float g)
{
    const nav_mesh *mesh = s->mesh;
    const float cost = plain ? 1.0f : nav_polygon_cost(s->view, polygon);
    const uint32_t came_from = no_way_back(s, plain, parent, cost);
    const bool entered_dear = !plain && parent != NAV_NONE && !nav_portal_is_way(mesh, parent) &&
                              nav_polygon_cost(s->view, mesh->portals[parent].from) < cost;
    const uint32_t end = mesh->portal_first[polygon + 1];
    for (uint32_t i = mesh->portal_first[polygon]; i < end; ++i) {
        const nav_portal *portal = &mesh->portals[i];
        const bool known = s->nodes[i].stamp == s->stamp;
        if (portal->to == came_from || (known && s->nodes[i].heap_position == NAV_NONE) ||
            (!plain && nav_polygon_cost(s->view, portal->to) == INFINITY)) {
            continue;
        }
        nav_search_node next = {.stamp = s->stamp, .parent = parent};
        if (plain) {
            place_on_portal(portal, x, z, s->goal, &next.x, &next.z);
        } else {
            place_on_crossing(s, portal, x, z, cost, &next.x, &next.z);
        }
        next.g = g + plan_distance(x, z, next.x, next.z) * cost;
        if (entered_dear) {
            move_entry(s, parent, portal, cost, &next);
        }
        open_portal(s, i, known, &next, plain ? 1.0f : cost_left(s, portal->to));
    }
}

// Apart from expand, whose frame stays small without it.
__attribute__((noinline)) static void expand_weighted(search *s, uint32_t polygon, uint32_t parent,
                                                      float x, float z, float g)
{
    expand_as(s, false, polygon, parent, x, z, g);
    expand_ways(s, polygon, parent, x, z, g);
}

static void expand(search *s, uint32_t polygon, uint32_t parent, float x, float z, float g)
{
    if (s->plain) {
        expand_as(s, true, polygon, parent, x, z, g);
    } else {
        expand_weighted(s, polygon, parent, x, z, g);
    }
}

// What the straight line to the goal costs where it stays within the start's polygon.
static float cost_of_line(const search *s, const nav_location *start)
{
    return start->polygon == s->goal_polygon
               ? plan_distance(start->position[0], start->position[2], s->goal[0], s->goal[1]) *
                     s->goal_cost
               : INFINITY;
}

static outcome search_goal(search *s, const nav_location *start)
{
    const outcome straight = {.portal = NAV_NONE, .reached = true};
    float x = start->position[0];
    float z = start->position[2];
    s->closest = NAV_NONE;
    s->closest_h = plan_distance(x, z, s->goal[0], s->goal[1]);
    // The line within the polygon is beaten only by a way around, over cheaper ground.
    const float line = cost_of_line(s, start);
    if (line < INFINITY && s->goal_cost <= s->bound) {
        return straight;
    }
    expand(s, start->polygon, NAV_NONE, x, z, 0.0f);
    while (s->heap_count > 0 && s->heap[0].f < line) {
        uint32_t portal = heap_pop(s);
        const nav_search_node *node = &s->nodes[portal];
        if (s->mesh->portals[portal].to == s->goal_polygon) {
            return (outcome){.portal = portal, .reached = true};
        }
        if (s->expanded == s->expanded_max) {
            return line < INFINITY ? straight
                                   : (outcome){.portal = s->closest, .out_of_budget = true};
        }
        ++s->expanded;
        if (s->expanded % LATE_EVERY == 0 && s->request->is_late != NULL &&
            s->request->is_late(s->request->user)) {
            return line < INFINITY ? straight : (outcome){.portal = s->closest, .late = true};
        }
        if (node->h < s->closest_h) {
            s->closest_h = node->h;
            s->closest = portal;
        }
        expand(s, s->mesh->portals[portal].to, portal, node->x, node->z, node->g);
    }
    return line < INFINITY ? straight : (outcome){.portal = s->closest};
}

// ---- from the search's end to points ----

// Lists the portals from the start to this one.
static uint32_t trace_corridor(const search *s, uint32_t portal, uint32_t *corridor)
{
    uint32_t count = 0;
    for (uint32_t i = portal; i != NAV_NONE; i = s->nodes[i].parent) {
        ++count;
    }
    uint32_t at = count;
    for (uint32_t i = portal; i != NAV_NONE; i = s->nodes[i].parent) {
        corridor[--at] = i;
    }
    return count;
}

// Searches from start to target and fills in the points. Their end is the target itself, or how
// far the search came.
static outcome lead(const nav_view *view, nav_scratch *scratch, const nav_path_request *request,
                    const nav_location *start, const nav_location *target, nav_path *path)
{
    const nav_mesh *mesh = view->mesh;
    search s = {
        .view = view,
        .mesh = mesh,
        .request = request,
        .nodes = scratch->nodes,
        .heap = scratch->heap,
        .stamp = scratch->stamp,
        .start = {start->position[0], start->position[2]},
        .goal = {target->position[0], target->position[2]},
        .goal_polygon = target->polygon,
        .goal_cost = nav_polygon_cost(view, target->polygon),
        .bound = view->costs->bound,
        .plain = view->costs->uniform && view->costs->open && mesh->way_count == 0,
        .expanded_max = request->max_nodes > 0 ? request->max_nodes : NAV_NONE,
    };
    outcome result = search_goal(&s, start);
    float end[3];
    uint32_t end_polygon =
        result.portal != NAV_NONE ? mesh->portals[result.portal].to : start->polygon;
    if (result.reached) {
        memcpy(end, target->position, sizeof end);
    } else if (result.portal == NAV_NONE) {
        memcpy(end, start->position, sizeof end);
    } else {
        nav_node_position(mesh, scratch, result.portal, end);
    }
    uint32_t count = trace_corridor(&s, result.portal, scratch->corridor);
    nav_string_pull(view, scratch, start->position, end, count, end_polygon, path);
    path->start_polygon = start->polygon;
    path->corridor_count = count;
    path->nodes_expanded = s.expanded;
    return result;
}

// ---- exported ----

// The asked point on the mesh, which also replaces it in the answer.
static bool snap_end(const nav_view *view, float point[3], nav_snap snap, nav_location *out)
{
    const nav_reach open = {.component = NAV_NONE, .costs = view->costs};
    if (nav_query_snap(view->mesh, point, snap, open, out, 1) == 0) {
        return false;
    }
    memcpy(point, out->position, sizeof out->position);
    return true;
}

// No way over the mesh is shorter than the straight line, and no step cheaper than the cheapest.
static double straight_cost(const nav_view *view, const nav_path *path)
{
    double dx = (double)path->end[0] - (double)path->start[0];
    double dz = (double)path->end[2] - (double)path->start[2];
    return sqrt(dx * dx + dz * dz) * (double)view->costs->bound;
}

static nav_path_reason reason_for(bool reachable, const outcome *result)
{
    // What is out of reach stays so, whatever the budget.
    return !reachable              ? NAV_REASON_UNREACHABLE
           : result->out_of_budget ? NAV_REASON_NODE_BUDGET
           : result->late          ? NAV_REASON_DEADLINE
                                   : NAV_REASON_BLOCKED;
}

nav_status nav_query_path(const nav_mesh *mesh, nav_scratch *scratch,
                          const nav_path_request *request, nav_path *out)
{
    if (!nav_scratch_begin(scratch, mesh)) {
        return NAV_NO_MEMORY;
    }
    nav_costs_resolve(mesh, request->options.filter, &scratch->costs);
    const nav_view view = {.mesh = mesh, .costs = &scratch->costs};
    nav_path path = {.status = NAV_PATH_NONE};
    memcpy(path.start, request->start, sizeof path.start);
    memcpy(path.end, request->end, sizeof path.end);
    nav_location start;
    nav_location end;
    bool start_found = snap_end(&view, path.start, request->options.snap, &start);
    bool end_found = snap_end(&view, path.end, request->options.snap, &end);
    if (!start_found || !end_found) {
        path.reason = start_found ? NAV_REASON_END_OFF_MESH : NAV_REASON_START_OFF_MESH;
        *out = path;
        return NAV_OK;
    }
    path.lower_bound = straight_cost(&view, &path);
    nav_location target = end;
    const nav_reach reach = nav_reach_from(&view, scratch, mesh->components[start.polygon]);
    bool reachable = nav_is_within_reach(&reach, mesh->components[end.polygon]);
    if (!reachable && request->no_partial) {
        path.reason = NAV_REASON_UNREACHABLE;
        *out = path;
        return NAV_OK;
    }
    if (!reachable) {
        bool found = nav_query_closest(mesh, request->end, reach, &target);
        NAV_ASSERT(found);
    }
    outcome result = lead(&view, scratch, request, &start, &target, &path);
    if (reachable && result.reached) {
        path.status = NAV_PATH_COMPLETE;
        path.optimal = path.cost <= path.lower_bound * (1.0 + 1e-6);
        path.lower_bound = path.lower_bound < path.cost ? path.lower_bound : path.cost;
    } else {
        path.status = NAV_PATH_PARTIAL;
        path.reason = reason_for(reachable, &result);
    }
    *out = path;
    return NAV_OK;
}

const char *nav_path_status_word(nav_path_status status)
{
    static const char *const words[] = {
        [NAV_PATH_NONE] = "none", [NAV_PATH_PARTIAL] = "partial", [NAV_PATH_COMPLETE] = "complete"};
    NAV_ASSERT((unsigned)status < sizeof words / sizeof words[0]);
    return words[status];
}

const char *nav_path_reason_word(nav_path_reason reason)
{
    static const char *const words[] = {
        [NAV_REASON_NULL] = NULL,
        [NAV_REASON_START_OFF_MESH] = "start_off_mesh",
        [NAV_REASON_END_OFF_MESH] = "end_off_mesh",
        [NAV_REASON_UNREACHABLE] = "unreachable",
        [NAV_REASON_BLOCKED] = "blocked",
        [NAV_REASON_NODE_BUDGET] = "node_budget",
        [NAV_REASON_DEADLINE] = "deadline",
    };
    NAV_ASSERT((unsigned)reason < sizeof words / sizeof words[0]);
    return words[reason];
}
