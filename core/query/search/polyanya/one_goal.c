// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// one_goal.c: the shortest path that there is, where all open ground costs the same. Cui,
// Harabor, Grastien, "Compromise-free pathfinding on a navigation mesh", IJCAI 2017 (Polyanya).
//
//      start --.            Nodes are those of polyanya.h. A node's key is F = G + H. G is the
//               `.  node    length of the way to its root, H the distance from the root through the
//           root  x=====|   node's interval to the goal, as if no wall stood between. No path
//                  `-.  |   through the node is shorter than F.
//                     goal
//
// The answer of the fast search is known before: no node is kept whose F is not below it. If a
// node comes into the goal's polygon its F is a path's length, which from then on takes that place.
// The search ends when no node is left below it, so that nothing shorter can exist. Comparisons are
// made in lengths; a step's cost is multiplied in at the end.
//
// A way whose cost is below its length makes straight lines too dear a guess: H is then scaled by
// the least cost per length that there is.

#include "core/base/plane.h"
#include "core/query/points/points.h"
#include "core/query/search/expansions.h"
#include "core/query/search/polyanya/polyanya.h"
#include "core/query/search/search.h"

#include <math.h>
#include <string.h>

typedef struct exact {
    nav_polyanya nodes;
    const nav_mesh *mesh;
    bool has_non_manifold_edges;
    bool has_path; // a path is known before the search
    const nav_location *start, *target;
    double step;         // what a step costs
    double limit;        // the cost of paths that are not looked for
    uint64_t taken_max;  // of nodes
    double proven_below; // the least key of a node that is not followed: paths beyond it are not
                         // covered by the proof
} exact;

static bool is_non_manifold(const exact *s, const nav_polyanya_node *node)
{
    return s->has_non_manifold_edges && nav_polyanya_is_over_edge(&s->nodes, node->portal) &&
           nav_turning_is_non_manifold(nav_view_turning_vertices(s->nodes.view, node->portal));
}

// Ground that shapes have cut by chance may be as crooked as rounding makes it, and lead a node
// round and round. Else a search takes one to three nodes a portal.
#define CUT_NODES_A_PORTAL_MAX 32u

static bool is_spent(const exact *s, const nav_path_request *request, uint32_t expanded)
{
    return (request->max_nodes > 0 && expanded >= request->max_nodes) ||
           s->nodes.taken > s->taken_max;
}

// The length that no path is below once no node is left; INFINITY where none was left out either:
// then no path leads to the goal.
static double least_of_all(const exact *s)
{
    const nav_polyanya_goal *goal = &s->nodes.goal;
    const bool leads = s->has_path || goal->best_node != NAV_NONE || s->nodes.pruned;
    return leads ? goal->best : (double)INFINITY;
}

// The vertex in which a portal ends at this point, or NAV_NONE.
static uint32_t end_of_portal(const exact *s, uint32_t portal, const float point[2])
{
    if (!nav_polyanya_is_over_edge(&s->nodes, portal)) {
        return NAV_NONE;
    }
    const nav_portal *p = nav_view_portal(s->nodes.view, portal);
    if (nav_plane_same(p->left, point)) {
        return p->left_vertex;
    }
    return nav_plane_same(p->right, point) ? p->right_vertex : NAV_NONE;
}

// ---- for whoever watches ----

// The height of the root of node `at`: the way there has turned at an end of its portal or of the
// one before, or has come over an arc, or not turned at all.
static float root_height(const exact *s, uint32_t at)
{
    const nav_polyanya_node *nodes = s->nodes.scratch->nodes, *node = &nodes[at];
    const nav_polyanya_node *before = node->parent != NAV_NONE ? &nodes[node->parent] : NULL;
    while (before != NULL && before->turning_vertex == node->turning_vertex) {
        node = before;
        before = node->parent != NAV_NONE ? &nodes[node->parent] : NULL;
    }
    if (node->turning_vertex == NAV_NONE) {
        return s->start->position[1];
    }
    if (node->turning_vertex >= s->nodes.arc_base) {
        return nav_view_arc(s->nodes.view, node->turning_vertex - s->nodes.arc_base)->end[1];
    }
    uint32_t vertex = before != NULL ? end_of_portal(s, before->portal, node->root) : NAV_NONE;
    vertex = vertex != NAV_NONE ? vertex : end_of_portal(s, node->portal, node->root);
    if (vertex == NAV_NONE) {
        return nav_expansions_height(s->nodes.view, node->portal, node->root[0], node->root[1]);
    }
    float point[3];
    nav_view_vertex(s->nodes.view, vertex, point);
    return point[1];
}

// The node at hand, which is expanded next.
static void list_node(const exact *s, nav_expansions *list)
{
    const nav_polyanya_node *node = nav_polyanya_at_hand(&s->nodes);
    nav_expanded seen = {.engine = NAV_ENGINE_POLYANYA,
                         .portal = node->portal,
                         .root = {node->root[0], 0.0f, node->root[1]},
                         .g = node->g * s->step,
                         .f = (double)node->key * s->step};
    NAV_ASSERT(s->nodes.at != NAV_NONE);
    if (list->count < list->capacity) {
        seen.root[1] = root_height(s, s->nodes.at);
        nav_polyanya_interval(&s->nodes, node, seen.left, seen.right);
    }
    nav_expansions_add(list, s->nodes.view, &seen);
}

// ---- the search ----

// Searches until nothing shorter can be left, or the budget ends. Returns a lower bound on all
// lengths.
static double search(exact *s, const nav_path_request *request, uint32_t *expanded)
{
    nav_polyanya *nodes = &s->nodes;
    double f = 0.0; // no way is shorter
    for (;;) {
        nodes->least = f;
        const bool found = nav_polyanya_next(nodes);
        if (nodes->has_gaps) {
            s->proven_below = fmin(s->proven_below, f);
            nodes->has_gaps = false;
        }
        const nav_polyanya_node *node = nav_polyanya_at_hand(nodes);
        if (nodes->no_memory) {
            return fmin(f, s->proven_below);
        }
        if (!found || (double)node->key >= nodes->limit) {
            return fmin(least_of_all(s), s->proven_below);
        }
        NAV_DCHECK((double)node->key >= f); // nodes are taken in order
        f = (double)node->key;
        if (is_spent(s, request, *expanded)) {
            return fmin(f, s->proven_below);
        }
        ++*expanded;
        if (nav_cancel_poll(nodes->cancel, NAV_STEP_NODE)) {
            return fmin(f, s->proven_below);
        }
        if (request->expansions != NULL) {
            list_node(s, request->expansions);
        }
        if (is_non_manifold(s, node)) {
            s->proven_below = fmin(s->proven_below, f);
        }
    }
}

// ---- from nodes to points ----

// Over how many portals the best path leads. Links that cost less than their length may lead over
// the same edge again and again.
static uint32_t count_portals(const exact *s)
{
    uint32_t count = 0;
    for (uint32_t at = s->nodes.goal.best_node; at != NAV_NONE;
         at = s->nodes.scratch->nodes[at].parent) {
        NAV_DCHECK(at < s->nodes.count);
        ++count;
    }
    return count;
}

// Turns the best path's links around: `parent` then leads from the start on. Returns the first
// node; lists the portals.
static uint32_t trace_corridor(const exact *s, uint32_t *corridor)
{
    nav_polyanya_node *nodes = s->nodes.scratch->nodes;
    uint32_t at = s->nodes.goal.best_node, next = NAV_NONE;
    while (at != NAV_NONE) {
        const uint32_t before = nodes[at].parent;
        nodes[at].parent = next;
        next = at;
        at = before;
    }
    for (at = next; at != NAV_NONE; at = nodes[at].parent) {
        NAV_DCHECK(nodes[at].parent == NAV_NONE ||
                   nav_view_to(s->nodes.view, nodes[at].portal) ==
                       nav_view_from(s->nodes.view, nodes[nodes[at].parent].portal));
        *corridor++ = nodes[at].portal;
    }
    return next;
}

// Adds a point where the last one is elsewhere, at what a step costs.
static void add_point(nav_scratch *scratch, nav_path *path, const float point[3], double step)
{
    if (path->point_count > 0) {
        const float *last = scratch->corridor.points[path->point_count - 1];
        path->cost += nav_plane_distance_xz(last, point) * step;
        path->length += nav_space_distance(last, point);
        if (last[0] == point[0] && last[2] == point[2]) {
            return;
        }
    }
    memcpy(scratch->corridor.points[path->point_count++], point, sizeof *scratch->corridor.points);
}

// Both ends of a link are points, also where one is above the other; of one that leads nowhere else
// they are the same one.
static void add_arc(const exact *s, nav_scratch *scratch, nav_path *path, const nav_arc *arc)
{
    add_point(scratch, path, arc->start, s->step);
    path->length += nav_space_distance(arc->start, arc->end);
    path->cost += (double)nav_arc_cost(s->nodes.view, arc);
    const float *last = scratch->corridor.points[path->point_count - 1];
    if (memcmp(last, arc->end, sizeof arc->end) != 0) {
        memcpy(scratch->corridor.points[path->point_count++], arc->end,
               sizeof *scratch->corridor.points);
    }
}

static void add_vertex(const exact *s, nav_scratch *scratch, nav_path *path, uint32_t vertex)
{
    float at[3];
    NAV_ASSERT(vertex != NAV_NONE);
    nav_view_vertex(s->nodes.view, vertex, at);
    add_point(scratch, path, at, s->step);
}

// The turn at a node's root, which is an end of the portal before, or of the node's own. The way to
// the latter may have turned at the former as well.
static void add_turn(const exact *s, nav_scratch *scratch, nav_path *path,
                     const nav_polyanya_node *before, const nav_polyanya_node *node)
{
    const nav_view *view = s->nodes.view;
    uint32_t vertex = end_of_portal(s, before->portal, node->root);
    if (vertex == NAV_NONE && nav_polyanya_is_over_edge(&s->nodes, before->portal)) {
        const nav_portal *portal = nav_view_portal(view, before->portal);
        const double walked = node->g - before->g;
        const double past_left = fabs(nav_plane_distance_of(before->root, portal->left) +
                                      nav_plane_distance_of(portal->left, node->root) - walked);
        const double past_right = fabs(nav_plane_distance_of(before->root, portal->right) +
                                       nav_plane_distance_of(portal->right, node->root) - walked);
        if (fmin(past_left, past_right) <
            fabs(nav_plane_distance_of(before->root, node->root) - walked)) {
            const uint32_t end =
                past_left <= past_right ? portal->left_vertex : portal->right_vertex;
            add_vertex(s, scratch, path, end);
        }
    }
    vertex = vertex != NAV_NONE ? vertex : end_of_portal(s, node->portal, node->root);
    add_vertex(s, scratch, path, vertex);
}

// The way from a node's root to a point in the polygon behind its portal may bend at the portal: as
// a rule in a vertex.
static void add_bend(const exact *s, nav_scratch *scratch, nav_path *path,
                     const nav_polyanya_node *node, const float position[3])
{
    const float target[2] = {position[0], position[2]};
    double bend[2];
    if (node == NULL || !nav_polyanya_bend(&s->nodes, node, target, bend)) {
        return;
    }
    const nav_portal *portal = nav_view_portal(s->nodes.view, node->portal);
    const float at[2] = {(float)bend[0], (float)bend[1]};
    const float height = nav_view_height(s->nodes.view, portal->from, at[0], at[1]);
    const float point[3] = {at[0], height, at[1]};
    add_point(scratch, path, point, s->step);
}

// The points of the best path: its start, the roots of its nodes, the goal.
static void write_points(const exact *s, nav_scratch *scratch, uint32_t first, nav_path *path)
{
    const nav_polyanya_node *nodes = s->nodes.scratch->nodes;
    const nav_polyanya_node from = {.root = {s->start->position[0], s->start->position[2]},
                                    .portal = NAV_NONE,
                                    .turning_vertex = NAV_NONE};
    const nav_polyanya_node *before = NULL;
    path->length = path->cost = 0.0;
    path->point_count = 0;
    path->points = scratch->corridor.points[0];
    path->corridor = &scratch->corridor;
    add_point(scratch, path, s->start->position, s->step);
    for (uint32_t i = first; i != NAV_NONE; i = nodes[i].parent) {
        const nav_polyanya_node *node = &nodes[i];
        const uint32_t turning_vertex = before != NULL ? before->turning_vertex : NAV_NONE;
        if (node->turning_vertex != turning_vertex && node->turning_vertex >= s->nodes.arc_base) {
            NAV_DCHECK(node->turning_vertex - s->nodes.arc_base < nav_view_arcs(s->nodes.view));
            const nav_arc *arc =
                nav_view_arc(s->nodes.view, node->turning_vertex - s->nodes.arc_base);
            add_bend(s, scratch, path, before, arc->start);
            add_arc(s, scratch, path, arc);
        } else if (node->turning_vertex != turning_vertex) {
            add_turn(s, scratch, path, before != NULL ? before : &from, node);
        }
        before = node;
    }
    add_bend(s, scratch, path, before, s->target->position);
    add_point(scratch, path, s->target->position, s->step);
    NAV_ASSERT(path->point_count <= 2 * scratch->corridor.capacity + NAV_FUNNEL_POINTS_EXTRA);
}

static bool begin(exact *s, nav_scratch *scratch, const nav_view *view, const nav_path *path)
{
    nav_polyanya *nodes = &s->nodes;
    NAV_ASSERT(view->costs->uniform);
    NAV_ASSERT(s->step > 0.0);
    NAV_ASSERT(s->target->polygon < nav_view_polygons(view));
    if (!nav_polyanya_begin(nodes, view, &scratch->polyanya, NAV_POLYANYA_ONE_GOAL, s->start,
                            nav_view_arcs(view), &scratch->cancel)) {
        return false;
    }
    nodes->cancel->work = 0;
    nodes->has_goal = true;
    nodes->goal = (nav_polyanya_goal){
        .point = {s->target->position[0], s->target->position[2]},
        .polygon = s->target->polygon,
        .ratio = (double)view->costs->bound / s->step,
        .landmark_ratio = (double)view->costs->landmark_bound / s->step,
        .best = fmin(path->cost, s->limit) / s->step,
        .best_node = NAV_NONE,
    };
    nodes->limit = nodes->goal.best * (1.0 - NAV_GAIN_MIN_RATIO);
    // Over an arc that costs less than its length, going out over a bridge and back in may pay.
    if (nodes->goal.ratio >= 1.0) {
        nodes->goals =
            nav_goals_one(view->mesh, nav_view_base(view, s->target->polygon), view->links);
    }
    return true;
}

double nav_polyanya_improve(const nav_view *view, nav_scratch *scratch,
                            const nav_path_request *request, const nav_location *start,
                            const nav_location *target, nav_path *path)
{
    const double step = (double)view->costs->least;
    const double straight =
        nav_plane_distance_xz(start->position, target->position) * (double)view->costs->bound;
    if (path->cost <= straight * (1.0 + NAV_GAIN_MIN_RATIO)) {
        return straight;
    }
    exact s = {.mesh = view->mesh,
               .has_non_manifold_edges = nav_view_has_non_manifold_edges(view),
               .has_path = path->cost < (double)INFINITY,
               .start = start,
               .target = target,
               .step = step,
               .limit = nav_path_search_limit(view, request),
               .proven_below = (double)INFINITY};
    // Shapes make no way shorter: landmarks of the mesh without them hold.
    nav_location goal = *target;
    nav_view_name(view, &goal, 1);
    const nav_alt_bound bound = nav_alt_bound_make(view, &goal);
    s.taken_max = view->overlay != NULL ? (uint64_t)CUT_NODES_A_PORTAL_MAX * nav_view_portals(view)
                                        : UINT64_MAX;
    if (!begin(&s, scratch, view, path)) {
        return straight;
    }
    s.nodes.goal.bound = bound.mesh != NULL ? &bound : NULL;
    const double least = search(&s, request, &path->nodes_expanded) * step;
    path->folded = s.proven_below < s.nodes.goal.best;
    const uint32_t count = count_portals(&s);
    // A node adds up to three points, of which there is room for two a portal.
    NAV_ASSERT(least >= 0.0);
    NAV_ASSERT(s.nodes.goal.best <= path->cost / step);
    if (count > 0 && nav_scratch_grow_path(scratch, count + (count + 1) / 2)) {
        path->corridor_count = count;
        write_points(&s, scratch, trace_corridor(&s, scratch->corridor.portals), path);
    }
    return least > straight ? least : straight;
}

bool nav_polyanya_find(const nav_view *view, nav_scratch *scratch, const nav_path_request *request,
                       const nav_location *start, const nav_location *target, nav_path *path,
                       double *bound)
{
    const double step = (double)view->costs->least;
    path->points = scratch->corridor.points[0];
    path->corridor = &scratch->corridor;
    path->point_count = path->corridor_count = path->nodes_expanded = 0;
    path->length = path->cost = 0.0;
    if (start->polygon == target->polygon) {
        add_point(scratch, path, start->position, step);
        add_point(scratch, path, target->position, step);
    } else {
        path->cost = (double)INFINITY;
    }
    *bound = nav_polyanya_improve(view, scratch, request, start, target, path);
    if (path->point_count > 0) {
        return true;
    }
    path->length = path->cost = 0.0;
    return false;
}
