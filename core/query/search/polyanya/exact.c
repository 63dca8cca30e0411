// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// exact.c: the shortest path that there is, where all open ground costs the same. Cui,
// Harabor, Grastien, "Compromise-free pathfinding on a navigation mesh", IJCAI 2017 (Polyanya).
//
//      start --.           A node is a cone (cones.h). F = G + H: G is the way to its root, H
//               `.  cone   the distance from there through the cone to the goal, around nothing
//          pivot  x=====|  else: no path through the cone is shorter.
//                  `-.  |
//                     goal
//
// The answer of the fast search is known before: no cone is kept whose F is not below it. Where a
// cone comes into the goal's polygon its F is a path's length, which from then on takes that place.
// The search ends when no cone is left below it, so that nothing shorter can exist. Comparisons are
// made in lengths; a step's cost is multiplied in at the end.
//
// A way whose cost is below its length makes straight lines too dear a guess: H is then scaled by
// the least cost per length that there is.

#include "core/query/search/bound.h"
#include "core/query/search/polyanya/cones.h"

#include <math.h>
#include <string.h>

// A path that is shorter by less than this part is not looked for.
#define GAIN_MIN_PART 1e-8

typedef struct exact {
    const nav_view *view;
    const nav_mesh *mesh; // the view's
    nav_cones cones;
    float start[2], goal[2];
    uint32_t goal_polygon;
    double step;        // what a step costs
    double ratio;       // no way costs less than this times its length times `step`
    double best;        // the length of the best path known
    uint32_t best_cone; // with which it enters the goal's polygon; NAV_NONE: the given path
    nav_bound bound;    // of ways to the goal
    nav_cancel *cancel; // the scratch's
    double folded; // the least F of a cone with ways behind it that the search cannot speak for
} exact;

static uint32_t polygon_behind(const exact *s, const nav_cone *cone)
{
    return s->mesh->portals[cone->portal].to;
}

static bool is_non_manifold(const exact *s, const nav_cone *cone)
{
    return s->mesh->has_non_manifold_edges && cone->portal < s->mesh->edge_portal_count &&
           (s->mesh->portal_turning_vertices[cone->portal][0] & NAV_TURNING_NON_MANIFOLD) != 0;
}

// A cone, number `at`, that comes into the goal's polygon: the path there may be the best so far.
static bool is_best(exact *s, const nav_cone *cone, uint32_t at)
{
    const double length = cone->g + nav_cone_distance(&s->cones, cone, s->goal);
    if (length >= s->best) {
        return false;
    }
    s->best = length;
    s->best_cone = at;
    s->cones.limit = length * (1.0 - GAIN_MIN_PART);
    return true;
}

// Keeps, of the cones from `first` on, those that can be part of a shorter path, and opens them but
// for the one with the least F. Returns that one, or NAV_NONE.
static uint32_t keep_cones(exact *s, uint32_t first)
{
    nav_cones *c = &s->cones;
    nav_cone *cones = c->pool->cones;
    const uint32_t end = c->count;
    uint32_t least = NAV_NONE, at = first;
    for (uint32_t i = first; i < end; ++i) {
        const bool arrives = polygon_behind(s, &cones[i]) == s->goal_polygon;
        const bool best = arrives && is_best(s, &cones[i], at);
        // Behind the goal's own portal only cheap ways are of use.
        const bool opens = (double)cones[i].key < c->limit && (!arrives || s->ratio < 1.0);
        if (!best && !opens) {
            continue;
        }
        if (at != i) {
            cones[at] = cones[i];
        }
        if (opens && least == NAV_NONE) {
            least = at;
        } else if (opens) {
            const bool less = cones[at].key < cones[least].key;
            const uint32_t push = less ? least : at;
            least = less ? at : least;
            nav_cones_push(c, push);
        }
        ++at;
    }
    c->count = at;
    return least;
}

// The cone to expand next, or NAV_NONE: of the one at hand and the open list the lesser.
static uint32_t choose(exact *s, uint32_t at_hand)
{
    nav_cones *c = &s->cones;
    if (c->heap_count == 0 ||
        (at_hand != NAV_NONE && c->pool->cones[at_hand].key <= c->pool->heap[0].f)) {
        return at_hand;
    }
    if (at_hand != NAV_NONE) {
        nav_cones_push(c, at_hand);
    }
    return nav_cones_pop(c);
}

// How many cones at most come out of a polygon.
static inline uint32_t count_out_of(const nav_mesh *mesh, uint32_t polygon)
{
    const uint32_t portals = mesh->portal_first[polygon + 1] - mesh->portal_first[polygon];
    return NAV_CONES_A_PORTAL * portals + nav_cones_count_arcs(mesh, polygon);
}

static bool take_ways(exact *s, const nav_cone *cone, uint32_t polygon, uint32_t at)
{
    nav_cancel_count(s->cancel, (uint64_t)NAV_STEP_ARC * nav_cones_count_arcs(s->mesh, polygon));
    return nav_cones_take_arcs(&s->cones, cone, polygon, at);
}

// What comes out of cone `at`, or of the start's. *next is the best of it, not in the open list.
// False: no memory. The cone is read where it is, with room made before, so that the pool does not
// move: a copy of what has just been written would wait for memory.
static inline bool expand(exact *s, const nav_cone *start, uint32_t polygon, uint32_t at,
                          uint32_t *next)
{
    nav_cones *c = &s->cones;
    const uint32_t first = c->count;
    if (!nav_cones_make_room(c, count_out_of(s->mesh, polygon))) {
        return false;
    }
    const nav_cone *cone = at != NAV_NONE ? &c->pool->cones[at] : start;
    if (!nav_cones_expand(c, cone, polygon, at) ||
        (s->mesh->arc_count > 0 && !take_ways(s, cone, polygon, at))) {
        c->count = first;
        return false;
    }
    *next = keep_cones(s, first);
    return true;
}

static bool is_spent(const nav_path_request *request, uint32_t expanded)
{
    return request->max_nodes > 0 && expanded >= request->max_nodes;
}

// Searches until nothing shorter can be left, or the budget ends. Returns a lower bound on all
// lengths.
static double search(exact *s, const nav_path_request *request, const nav_location *start,
                     uint32_t *expanded)
{
    nav_cones *c = &s->cones;
    const nav_cone from = {.root = {start->position[0], start->position[2]},
                           .left = {(double)start->position[0], (double)start->position[2]},
                           .right = {(double)start->position[0], (double)start->position[2]},
                           .portal = NAV_NONE,
                           .parent = NAV_NONE,
                           .turning_vertex = NAV_NONE};
    uint32_t polygon = start->polygon, at = NAV_NONE, next = NAV_NONE;
    double f = 0.0; // no way is shorter
    for (;;) {
        c->least = f;
        if (!expand(s, &from, polygon, at, &next)) {
            return f < s->folded ? f : s->folded;
        }
        s->folded = c->refused && f < s->folded ? f : s->folded;
        c->refused = false;
        do {
            at = choose(s, next);
            next = NAV_NONE;
        } while (at != NAV_NONE && nav_cone_is_stale(c, &c->pool->cones[at]));
        if (at == NAV_NONE || (double)c->pool->cones[at].key >= c->limit) {
            return s->best < s->folded ? s->best : s->folded;
        }
        const nav_cone *cone = &c->pool->cones[at];
        f = (double)cone->key;
        if (is_spent(request, *expanded)) {
            return f < s->folded ? f : s->folded;
        }
        ++*expanded;
        if (nav_cancel_poll(s->cancel, NAV_STEP_NODE)) {
            return f < s->folded ? f : s->folded;
        }
        if (is_non_manifold(s, cone)) {
            s->folded = f < s->folded ? f : s->folded;
        }
        polygon = polygon_behind(s, cone);
    }
}

// ---- from cones to points ----

// Over how many portals the best path leads. Links that cost less than their length may lead over
// the same edge again and again.
static uint32_t count_portals(const exact *s)
{
    uint32_t count = 0;
    for (uint32_t at = s->best_cone; at != NAV_NONE; at = s->cones.pool->cones[at].parent) {
        ++count;
    }
    return count;
}

// Turns the best path's links around: `parent` then leads from the start on. Returns the first
// cone; lists the portals.
static uint32_t trace_corridor(const exact *s, uint32_t *corridor)
{
    nav_cone *cones = s->cones.pool->cones;
    uint32_t at = s->best_cone, next = NAV_NONE;
    while (at != NAV_NONE) {
        const uint32_t before = cones[at].parent;
        cones[at].parent = next;
        next = at;
        at = before;
    }
    for (at = next; at != NAV_NONE; at = cones[at].parent) {
        *corridor++ = cones[at].portal;
    }
    return next;
}

// Adds a point where the last one is elsewhere, at what a step costs.
static void add_point(nav_scratch *scratch, nav_path *path, const float point[3], double step)
{
    if (path->point_count > 0) {
        const float *last = scratch->points[path->point_count - 1];
        const double dx = (double)point[0] - (double)last[0];
        const double dy = (double)point[1] - (double)last[1];
        const double dz = (double)point[2] - (double)last[2];
        path->cost += sqrt(dx * dx + dz * dz) * step;
        path->length += sqrt(dx * dx + dy * dy + dz * dz);
        if (dx == 0.0 && dz == 0.0) {
            return;
        }
    }
    memcpy(scratch->points[path->point_count++], point, sizeof *scratch->points);
}

// Both ends of a link are points, also where one is above the other; of one that leads nowhere else
// they are the same one.
static void add_arc(const exact *s, nav_scratch *scratch, nav_path *path, const nav_arc *arc)
{
    add_point(scratch, path, arc->start, s->step);
    const double dx = (double)arc->end[0] - (double)arc->start[0];
    const double dy = (double)arc->end[1] - (double)arc->start[1];
    const double dz = (double)arc->end[2] - (double)arc->start[2];
    path->length += sqrt(dx * dx + dy * dy + dz * dz);
    path->cost += (double)nav_arc_cost(s->view, arc);
    const float *last = scratch->points[path->point_count - 1];
    if (memcmp(last, arc->end, sizeof arc->end) != 0) {
        memcpy(scratch->points[path->point_count++], arc->end, sizeof *scratch->points);
    }
}

// The vertex in which a portal ends at this place, or NULL.
static const float *end_of_portal(const nav_mesh *mesh, uint32_t portal, const float place[2])
{
    if (portal >= mesh->edge_portal_count) {
        return NULL;
    }
    const nav_portal *p = &mesh->portals[portal];
    if (p->left[0] == place[0] && p->left[1] == place[1]) {
        return mesh->vertices[p->left_vertex];
    }
    return p->right[0] == place[0] && p->right[1] == place[1] ? mesh->vertices[p->right_vertex]
                                                              : NULL;
}

static double plan_distance(const float a[2], const float b[2])
{
    const double dx = (double)b[0] - (double)a[0], dz = (double)b[1] - (double)a[1];
    return sqrt(dx * dx + dz * dz);
}

// The turn at a cone's root, which is an end of the portal before, or of the cone's own. The way to
// the latter may have turned at the former as well.
static void add_turn(const exact *s, nav_scratch *scratch, nav_path *path, const nav_cone *before,
                     const nav_cone *cone)
{
    const nav_mesh *mesh = s->mesh;
    const float *vertex = end_of_portal(mesh, before->portal, cone->root);
    if (vertex == NULL && before->portal < mesh->edge_portal_count) {
        const nav_portal *portal = &mesh->portals[before->portal];
        const double way = cone->g - before->g;
        const double past_left = fabs(plan_distance(before->root, portal->left) +
                                      plan_distance(portal->left, cone->root) - way);
        const double past_right = fabs(plan_distance(before->root, portal->right) +
                                       plan_distance(portal->right, cone->root) - way);
        if (fmin(past_left, past_right) < fabs(plan_distance(before->root, cone->root) - way)) {
            const uint32_t end =
                past_left <= past_right ? portal->left_vertex : portal->right_vertex;
            add_point(scratch, path, mesh->vertices[end], s->step);
        }
    }
    vertex = vertex != NULL ? vertex : end_of_portal(mesh, cone->portal, cone->root);
    NAV_ASSERT(vertex != NULL);
    add_point(scratch, path, vertex, s->step);
}

// The way from a cone's root to a place in the polygon behind its portal may bend at the portal: as
// a rule in a vertex.
static void add_bend(const exact *s, nav_scratch *scratch, nav_path *path, const nav_cone *cone,
                     const float place[3])
{
    const float target[2] = {place[0], place[2]};
    double bend[2];
    if (cone == NULL || !nav_cone_bend(&s->cones, cone, target, bend)) {
        return;
    }
    const nav_portal *portal = &s->mesh->portals[cone->portal];
    const float at[2] = {(float)bend[0], (float)bend[1]};
    const float height = nav_view_height(s->view, portal->from, at[0], at[1]);
    const float point[3] = {at[0], height, at[1]};
    add_point(scratch, path, point, s->step);
}

// The points of the best path: its start, the roots of its cones, the goal.
static void write_points(const exact *s, nav_scratch *scratch, const nav_location *start,
                         const nav_location *target, uint32_t first, nav_path *path)
{
    const nav_cone *cones = s->cones.pool->cones;
    const nav_cone from = {
        .root = {s->start[0], s->start[1]}, .portal = NAV_NONE, .turning_vertex = NAV_NONE};
    const nav_cone *before = NULL;
    path->length = path->cost = 0.0;
    path->point_count = 0;
    path->points = scratch->points[0];
    add_point(scratch, path, start->position, s->step);
    for (uint32_t i = first; i != NAV_NONE; i = cones[i].parent) {
        const nav_cone *cone = &cones[i];
        const uint32_t turning_vertex = before != NULL ? before->turning_vertex : NAV_NONE;
        if (cone->turning_vertex != turning_vertex && cone->turning_vertex >= s->cones.arc_base) {
            const nav_arc *arc = &s->mesh->arcs[cone->turning_vertex - s->cones.arc_base];
            add_bend(s, scratch, path, before, arc->start);
            add_arc(s, scratch, path, arc);
        } else if (cone->turning_vertex != turning_vertex) {
            add_turn(s, scratch, path, before != NULL ? before : &from, cone);
        }
        before = cone;
    }
    add_bend(s, scratch, path, before, target->position);
    add_point(scratch, path, target->position, s->step);
}

double nav_exact_improve(const nav_view *view, nav_scratch *scratch,
                         const nav_path_request *request, const nav_location *start,
                         const nav_location *target, nav_path *path)
{
    const double step = (double)view->costs->least;
    const double dx = (double)target->position[0] - (double)start->position[0];
    const double dz = (double)target->position[2] - (double)start->position[2];
    const double straight = sqrt(dx * dx + dz * dz) * (double)view->costs->bound;
    if (path->cost <= straight * (1.0 + GAIN_MIN_PART)) {
        return straight;
    }
    exact s = {.view = view,
               .cancel = &scratch->cancel,
               .mesh = view->mesh,
               .start = {start->position[0], start->position[2]},
               .goal = {target->position[0], target->position[2]},
               .goal_polygon = target->polygon,
               .step = step,
               .ratio = (double)view->costs->bound / step,
               .best = path->cost / step,
               .best_cone = NAV_NONE,
               .bound = nav_bound_ask(view->mesh, target),
               .folded = (double)INFINITY};
    s.cancel->work = 0;
    if (!nav_cones_begin(&s.cones, view, &scratch->cones, view->mesh->arc_count)) {
        return straight;
    }
    s.cones.home = start->polygon;
    s.cones.aim = s.goal;
    s.cones.bound = s.bound.mesh != NULL ? &s.bound : NULL;
    s.cones.ratio = s.ratio;
    s.cones.limit = s.best * (1.0 - GAIN_MIN_PART);
    // Over a way that costs less than its length, going out of a door and back in may pay.
    s.cones.goal = s.ratio < 1.0 ? NAV_NONE : target->polygon;
    s.cones.goal_preorder = view->mesh->preorder[target->polygon][0];
    s.cones.arc_homes = &view->mesh->portals[view->mesh->edge_portal_count].to;
    s.cones.arc_stride = sizeof(nav_portal) / sizeof(uint32_t);
    double bound = search(&s, request, start, &path->nodes_expanded) * step;
    path->folded = s.folded < s.best;
    const uint32_t count = count_portals(&s);
    // A cone adds up to three points, of which there is room for two a portal.
    if (count > 0 && nav_scratch_make_path_room(scratch, count + (count + 1) / 2)) {
        path->corridor_count = count;
        write_points(&s, scratch, start, target, trace_corridor(&s, scratch->corridor), path);
    }
    return bound > straight ? bound : straight;
}

bool nav_exact_find(const nav_view *view, nav_scratch *scratch, const nav_path_request *request,
                    const nav_location *start, const nav_location *target, nav_path *path,
                    double *bound)
{
    const double step = (double)view->costs->least;
    path->points = scratch->points[0];
    path->point_count = path->corridor_count = path->nodes_expanded = 0;
    path->length = path->cost = 0.0;
    if (start->polygon == target->polygon) {
        add_point(scratch, path, start->position, step);
        add_point(scratch, path, target->position, step);
    } else {
        path->cost = (double)INFINITY;
    }
    *bound = nav_exact_improve(view, scratch, request, start, target, path);
    if (path->point_count > 0) {
        return true;
    }
    path->length = path->cost = 0.0;
    return false;
}
