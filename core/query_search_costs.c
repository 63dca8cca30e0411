// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_search_costs.c: query_search.c's steps where ground differs in cost, is closed in parts, or
// has links. A step in a polygon costs its length times the cost of the polygon's area. Where that
// changes the way stops at a place on the border, which is the next root (query_refract.h). A link
// is a portal as well: the root stands at its end.

#include "query_astar.h"
#include "query_refract.h"

// About where an edge is best crossed: the string finds out better.
static inline float refract(const nav_portal *portal, const float a[2], float cost_a,
                            const float b[2], float cost_b)
{
    const nav_refraction r = nav_refraction_of(portal, a, cost_a, b, cost_b);
    return r.flat ? 0.0f : nav_refraction_turn(&r, nav_refraction_straight(&r));
}

// Keeps a label whose root stands at the place where a polygon is entered; t says where on the
// portal, if it is an edge's.
static void stop_at(nav_astar *s, uint32_t portal, float t, nav_search_node *next)
{
    const uint32_t to = nav_view_to(s->view, portal);
    const float place[2] = {next->x, next->z};
    const float left = nav_plan_distance(next->x, next->z, s->goal[0], s->goal[1]);
    next->parent |= NAV_SEARCH_STANDS;
    if (to == s->goal_polygon) {
        next->f = next->g + left * s->goal_cost;
        nav_astar_keep_goal(s, portal, next);
    }
    if (!nav_astar_is_dominated(s, to, place, next->g, nav_polygon_cost(s->view, to))) {
        const bool way = nav_portal_is_way(s->mesh, portal);
        next->f = next->g + (way ? left : nav_astar_guess(s, portal, t, left)) * s->bound;
        nav_astar_keep(s, portal, next);
    }
}

// Where a border is best crossed, as far as can be told: what is dear is left by the shortest way,
// and the goal's polygon entered as suits the goal. Into other dear ground the line goes on
// straight, for it may be narrow.
static float cross_border(const nav_astar *s, const nav_portal *portal, const nav_search_node *next,
                          float cost, float cost_behind)
{
    const bool refracted = portal->to == s->goal_polygon || cost_behind < cost;
    if (!refracted) {
        return nav_portal_aim(portal, next, s->goal);
    }
    const float from[2] = {next->x, next->z};
    return nav_clamp(refract(portal, from, cost, s->goal, cost_behind), next->left, next->right);
}

// For one portal, the entry into dear ground may move: it was placed without knowing by which
// portal the way leaves. What cuts a corner of dear ground only is far cheaper than a way to the
// middle of its edge. Says what it then costs to get to t, the place on the portal.
static float move_entry(const nav_astar *s, const nav_label *from, const nav_portal *portal,
                        float cost, float t)
{
    const nav_search_node *node = &s->nodes[from->entry];
    const nav_portal *entry = nav_view_portal(s->view, from->entry);
    const float cost_before = nav_polygon_cost(s->view, nav_view_from(s->view, from->entry));
    const float root[2] = {node->before_x, node->before_z};
    const float g_before =
        node->g - nav_plan_distance(root[0], root[1], node->x, node->z) * cost_before;
    float place[2];
    float entered[2];
    nav_portal_place(portal, t, place);
    nav_portal_place(entry, refract(entry, root, cost_before, place, cost), entered);
    return g_before + nav_plan_distance(root[0], root[1], entered[0], entered[1]) * cost_before +
           nav_plan_distance(entered[0], entered[1], place[0], place[1]) * cost;
}

// A way on over ground that may cost something else behind it.
typedef struct step {
    uint32_t index; // of the portal
    const nav_portal *portal;
    float cost, cost_behind;
    bool entered_dear; // the way came from cheaper ground
} step;

static inline bool is_border(const step *on)
{
    return on->cost_behind != on->cost || on->entered_dear;
}

// A portal to ground of another cost: the way stops there. Returns where on it.
static float stop_on_border(const nav_astar *s, const nav_label *from, const step *on,
                            nav_search_node *next)
{
    const float t = cross_border(s, on->portal, next, on->cost, on->cost_behind);
    float place[2];
    nav_portal_place(on->portal, t, place);
    float g = next->g + nav_plan_distance(next->x, next->z, place[0], place[1]) * on->cost;
    if (on->entered_dear) {
        const float moved_g = move_entry(s, from, on->portal, on->cost, t);
        g = moved_g < g ? moved_g : g;
    }
    next->before_x = next->x;
    next->before_z = next->z;
    next->x = place[0];
    next->z = place[1];
    next->g = g;
    return t;
}

// A portal to ground of the same cost, as where all of it costs the same.
static void open_seen(nav_astar *s, const step *on, nav_search_node *next)
{
    const nav_portal *portal = on->portal;
    const float t = nav_portal_aim(portal, next, s->goal);
    float place[2];
    nav_portal_place(portal, t, place);
    const float left = nav_plan_distance(place[0], place[1], s->goal[0], s->goal[1]);
    const float g = next->g + nav_plan_distance(next->x, next->z, place[0], place[1]) * on->cost;
    if (portal->to == s->goal_polygon) {
        next->f = g + left * on->cost;
        nav_astar_keep_goal(s, on->index, next);
    }
    if (!nav_astar_is_dominated(s, portal->to, place, g, on->cost)) {
        next->f = g + nav_astar_guess(s, on->index, t, left) * s->bound;
        nav_astar_keep(s, on->index, next);
    }
}

static void open_step(nav_astar *s, const nav_label *from, const step *on)
{
    if (s->nodes[on->index].stamp == s->stamp + 1) {
        return; // it has been expanded
    }
    nav_search_node next = {.parent = from->entry, .stamp = s->stamp};
    nav_label_see(from, on->portal, on->cost, &next);
    if (is_border(on)) {
        const float t = stop_on_border(s, from, on, &next);
        stop_at(s, on->index, t, &next);
    } else {
        open_seen(s, on, &next);
    }
}

// The same, where it is the only way on.
static void pass_step(nav_astar *s, nav_label *from, const step *on)
{
    nav_search_node *next = &s->nodes[on->index];
    next->parent = from->entry;
    nav_label_see(from, on->portal, on->cost, next);
    if (is_border(on)) {
        stop_on_border(s, from, on, next);
        next->parent |= NAV_SEARCH_STANDS;
    }
    nav_astar_pass(s, on->index, on->portal->to, from);
}

static void expand_ways(nav_astar *s, const nav_label *from, const nav_face *face, float cost)
{
    const nav_mesh *mesh = s->mesh;
    for (uint32_t i = face->way_first; i < face->way_end; ++i) {
        const nav_way *way = &mesh->ways[i];
        if (nav_view_way_target(s->view, from->polygon, i) != NAV_NONE) {
            nav_search_node next = {
                .x = way->end[0],
                .z = way->end[2],
                .g = nav_label_cost_to(from, way->start[0], way->start[2], cost) +
                     nav_way_cost(s->view, way),
                .parent = from->entry,
                .stamp = s->stamp};
            stop_at(s, mesh->edge_portal_count + i, 0.0f, &next);
        }
    }
}

// The next portal of a face from `k` on that may lead to the goal, or their count. Polygons are
// convex: straight back over an edge is never shorter, but it may be cheaper, along the border of
// cheaper ground; likewise into cheaper ground behind a door.
static uint32_t next_step(const nav_astar *s, const nav_face *face, uint32_t came_from, uint32_t k,
                          step *on)
{
    for (; k < face->portal_count; ++k) {
        const nav_portal *portal = &face->portals[k];
        const float behind = nav_polygon_cost(s->view, portal->to);
        if (behind < INFINITY && (portal->to != came_from || behind > on->cost) &&
            (behind < on->cost || !nav_astar_leads_away(s, portal, face->portal_first + k))) {
            on->portal = portal;
            on->index = face->portal_first + k;
            on->cost_behind = behind;
            break;
        }
    }
    return k;
}

// ---- exported ----

void nav_astar_expand_weighted(nav_astar *s, uint32_t entry, uint32_t polygon)
{
    nav_label label = nav_label_of(s, entry, polygon);
    nav_label *const from = &label;
    for (;;) {
        const float cost = nav_polygon_cost(s->view, from->polygon);
        const bool over_edge =
            from->entry != NAV_SEARCH_START && !nav_portal_is_way(s->mesh, from->entry);
        const uint32_t came_from = over_edge ? nav_view_from(s->view, from->entry) : NAV_NONE;
        const nav_face face = nav_view_face(s->view, from->polygon);
        const bool entered_dear = over_edge && nav_polygon_cost(s->view, came_from) < cost;
        step on = {.cost = cost, .entered_dear = entered_dear};
        step other = {.cost = cost, .entered_dear = entered_dear};
        const uint32_t first = next_step(s, &face, came_from, 0, &on);
        uint32_t k = next_step(s, &face, came_from, first + 1, &other);
        // Not where a way may land, from which it goes on more cheaply.
        if (first < face.portal_count && k >= face.portal_count && face.way_first == face.way_end &&
            !s->mesh->has_one_way_links && nav_astar_may_pass(s, on.index, on.portal->to)) {
            pass_step(s, from, &on);
            continue;
        }
        if (first < face.portal_count) {
            open_step(s, from, &on);
        }
        while (k < face.portal_count) {
            open_step(s, from, &other);
            k = next_step(s, &face, came_from, k + 1, &other);
        }
        expand_ways(s, from, &face, cost);
        return;
    }
}

void nav_astar_open_doors(nav_astar *s, uint32_t entry, uint32_t polygon)
{
    const nav_label from = nav_label_of(s, entry, polygon);
    const nav_face face = nav_view_face(s->view, polygon);
    const float cost = nav_polygon_cost(s->view, polygon);
    for (uint32_t k = 0; k < face.portal_count; ++k) {
        const step on = {.portal = &face.portals[k],
                         .index = face.portal_first + k,
                         .cost = cost,
                         .cost_behind = nav_polygon_cost(s->view, face.portals[k].to)};
        if (on.cost_behind < INFINITY && nav_astar_leads_away(s, on.portal, on.index)) {
            open_step(s, &from, &on);
        }
    }
}
