// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// expand_costs.c: the steps of one_goal.c where ground differs in cost, is closed in parts, or
// has links. A step in a polygon costs its length times the cost of the polygon's area. If that
// changes the way stops at a point on the border, which is the next root (query/search/refract.h).
// A link is a portal as well: the root stands at its end.

#include "core/query/search/labels/labels.h"
#include "core/query/search/refract.h"
#include "core/query/view/scratch.h"

// About where an edge is best crossed: the string finds out better.
static inline float refract(const nav_portal *portal, const float a[2], float cost_a,
                            const float b[2], float cost_b)
{
    const nav_refraction r = nav_refraction_of(portal, a, cost_a, b, cost_b);
    return r.flat ? 0.0f : nav_refraction_turn(&r, nav_refraction_straight(&r));
}

// The point where a way stops, and stands: at the border of ground of another cost, or at the end
// of a link. A label of such a root has the root before it in the place of what is seen.
typedef struct stop {
    float x, z, g;
    float before_x, before_z;
    float t; // where on the portal, if it is an edge's
} stop;

static inline nav_seen stop_seen(const stop *at)
{
    return (nav_seen){at->x, at->z, at->g, at->before_x, at->before_z};
}

static inline void stop_at(nav_label_search *s, uint32_t portal, uint32_t to, float cost_behind,
                           const stop *at, uint32_t parent)
{
    const float left = nav_plane_distance_f(at->x, at->z, s->goal[0], s->goal[1]);
    if (to == s->goal_polygon) {
        nav_label_search_keep_goal(s, portal, stop_seen(at), parent | NAV_SEARCH_STANDS,
                                   at->g + left * s->goal_cost);
    }
    if (!nav_label_search_is_dominated(s, to, at->x, at->z, at->g, cost_behind)) {
        const bool arc = nav_portal_is_arc(s->view, portal);
        const float rest = arc ? left * s->bound : nav_label_search_guess(s, portal, at->t, left);
        nav_label_search_keep(s, portal, stop_seen(at), parent | NAV_SEARCH_STANDS, at->g + rest);
    }
}

// A portal on, with the costs before and behind it.
typedef struct step {
    uint32_t index; // of the portal
    const nav_portal *portal;
    float cost_before; // of the polygon that was left over an edge; else the same as `cost`
    float cost, cost_behind;
} step;

static inline bool entered_dear(const step *on)
{
    return on->cost_before < on->cost;
}

static inline bool is_border(const step *on)
{
    return on->cost_behind != on->cost || entered_dear(on);
}

// The best crossing of a border, as far as is known: dear ground is left by the shortest path, and
// the goal's polygon entered as suits the goal. Into other dear ground the line goes on straight,
// for it may be narrow.
static float cross_border(const nav_label_search *s, const step *on, nav_seen seen)
{
    const bool refracted = on->portal->to == s->goal_polygon || on->cost_behind < on->cost;
    if (!refracted) {
        return nav_portal_aim(on->portal, seen, s->goal);
    }
    const float from[2] = {seen.x, seen.z};
    return nav_plane_clamp_f(refract(on->portal, from, on->cost, s->goal, on->cost_behind),
                             seen.left, seen.right);
}

// For one portal, the entry into dear ground may move: it was placed without knowing by which
// portal the way leaves. A way that only cuts a corner of dear ground is far cheaper than a way to
// the middle of its edge. Says what it then costs to get to the point on the portal.
static inline float move_entry(const nav_label_search *s, const nav_label *from, const step *on,
                               const float point[2])
{
    const nav_search_node *node = &s->nodes[from->entry];
    const nav_portal *entry = nav_view_portal(s->view, from->entry);
    NAV_DCHECK(from->stands);
    NAV_DCHECK((node->parent & NAV_SEARCH_STANDS) != 0);
    const float root[2] = {node->before_x, node->before_z};
    const float g_before =
        node->g - nav_plane_distance_f(root[0], root[1], node->x, node->z) * on->cost_before;
    const float t = refract(entry, root, on->cost_before, point, on->cost);
    const float x = nav_portal_x(entry, t), z = nav_portal_z(entry, t);
    return g_before + nav_plane_distance_f(root[0], root[1], x, z) * on->cost_before +
           nav_plane_distance_f(x, z, point[0], point[1]) * on->cost;
}

// A portal to ground of another cost: the way stops there.
static inline stop stop_on_border(const nav_label_search *s, const nav_label *from, const step *on,
                                  nav_seen seen)
{
    const float t = cross_border(s, on, seen);
    const float point[2] = {nav_portal_x(on->portal, t), nav_portal_z(on->portal, t)};
    float g = seen.g + nav_plane_distance_f(seen.x, seen.z, point[0], point[1]) * on->cost;
    if (entered_dear(on)) {
        const float moved_g = move_entry(s, from, on, point);
        g = moved_g < g ? moved_g : g;
    }
    return (stop){point[0], point[1], g, seen.x, seen.z, t};
}

// A portal to ground of the same cost, as where all of it costs the same.
static inline void open_seen(nav_label_search *s, const step *on, nav_seen seen, uint32_t parent)
{
    const nav_portal *portal = on->portal;
    const float t = nav_portal_aim(portal, seen, s->goal);
    const float x = nav_portal_x(portal, t), z = nav_portal_z(portal, t);
    const float left = nav_plane_distance_f(x, z, s->goal[0], s->goal[1]);
    const float g = seen.g + nav_plane_distance_f(seen.x, seen.z, x, z) * on->cost;
    if (portal->to == s->goal_polygon) {
        nav_label_search_keep_goal(s, on->index, seen, parent, g + left * on->cost);
    }
    if (!nav_label_search_is_dominated(s, portal->to, x, z, g, on->cost)) {
        nav_label_search_keep(s, on->index, seen, parent,
                              g + nav_label_search_guess(s, on->index, t, left));
    }
}

static void open_step(nav_label_search *s, const nav_label *from, const step *on)
{
    if (s->nodes[on->index].stamp == s->stamp + 1) {
        return; // it has been expanded
    }
    NAV_DCHECK(on->cost < INFINITY);
    NAV_DCHECK(on->cost_behind < INFINITY);
    const nav_seen seen = nav_label_see(from, on->portal, on->cost);
    if (is_border(on)) {
        const stop at = stop_on_border(s, from, on, seen);
        stop_at(s, on->index, on->portal->to, on->cost_behind, &at, from->entry);
    } else {
        open_seen(s, on, seen, from->entry);
    }
}

// The same, where it is the only portal on.
static void pass_step(nav_label_search *s, nav_label *from, const step *on)
{
    nav_search_node *node = &s->nodes[on->index];
    const nav_seen seen = nav_label_see(from, on->portal, on->cost);
    nav_label_search_pass(s, on->index, on->portal->to);
    if (is_border(on)) {
        const stop at = stop_on_border(s, from, on, seen);
        nav_node_write(node, stop_seen(&at), from->entry | NAV_SEARCH_STANDS);
        *from = nav_label_of(s, on->index, on->portal->to);
    } else {
        nav_node_write(node, seen, from->entry);
        *from = nav_label_behind(on->portal, seen, on->index, on->portal->to);
    }
}

// Whether the end of an arc has been reached at this cost or less: nothing could be kept then. If
// there are many arcs, nearly all are known.
static inline bool is_arc_known(const nav_label_search *s, uint32_t portal, float g)
{
    NAV_DCHECK(nav_portal_is_arc(s->view, portal));
    const nav_search_node *node = &s->nodes[portal];
    return node->stamp >= s->stamp && node->g <= g;
}

static void expand_arcs(nav_label_search *s, const nav_label *from, const nav_face *face,
                        float cost)
{
    const uint32_t arcs = nav_arc_runs_count(&face->arcs);
    nav_cancel_count(s->cancel, (uint64_t)NAV_STEP_ARC * arcs);
    for (uint32_t k = 0; k < arcs; ++k) {
        const uint32_t i = nav_arc_runs_at(&face->arcs, k);
        const nav_arc *arc = nav_view_arc(s->view, i);
        const uint32_t portal = s->mesh->edge_portal_count + i;
        if (is_arc_known(s, portal, from->g)) {
            continue;
        }
        const float to_start = nav_label_cost_to(from, arc->start[0], arc->start[2], cost);
        if (is_arc_known(s, portal, to_start)) {
            continue;
        }
        const uint32_t to = nav_view_arc_target(s->view, from->polygon, i);
        if (to != NAV_NONE) {
            const stop at = {
                .x = arc->end[0], .z = arc->end[2], .g = to_start + nav_arc_cost(s->view, arc)};
            stop_at(s, portal, to, nav_polygon_cost(s->view, to), &at, from->entry);
        }
    }
}

// The next portal of a face from `k` on that may lead to the goal, or their count. Polygons are
// convex: straight back over an edge is never shorter, but it may be cheaper, along the border of
// cheaper ground; likewise into cheaper ground behind a bridge.
static uint32_t next_step(const nav_label_search *s, const nav_face *face, uint32_t came_from,
                          uint32_t k, step *on)
{
    for (; k < face->portal_count; ++k) {
        const nav_portal *portal = &face->portals[k];
        const float behind = nav_polygon_cost(s->view, portal->to);
        if (behind < INFINITY && (portal->to != came_from || behind > on->cost) &&
            (behind < on->cost ||
             !nav_bridge_leads_away(s->mesh, &s->goals, face->portal_first + k))) {
            on->portal = portal;
            on->index = face->portal_first + k;
            on->cost_behind = behind;
            break;
        }
    }
    return k;
}

// ---- exported ----

void nav_label_search_expand_weighted(nav_label_search *s, uint32_t entry, uint32_t polygon)
{
    nav_label from = nav_label_of(s, entry, polygon);
    for (;;) {
        const nav_face face = nav_view_face(s->view, from.polygon);
        const bool over_edge =
            from.entry != NAV_SEARCH_START && !nav_portal_is_arc(s->view, from.entry);
        const uint32_t came_from = over_edge ? nav_view_from(s->view, from.entry) : NAV_NONE;
        step on = {.cost = nav_polygon_cost(s->view, from.polygon)};
        on.cost_before = over_edge ? nav_polygon_cost(s->view, came_from) : on.cost;
        step other = on;
        const uint32_t first = next_step(s, &face, came_from, 0, &on);
        uint32_t k = next_step(s, &face, came_from, first + 1, &other);
        // Not where an arc may land, from which it goes on more cheaply.
        if (first < face.portal_count && k >= face.portal_count &&
            nav_arc_runs_count(&face.arcs) == 0 && !nav_view_has_one_way_arcs(s->view) &&
            nav_label_search_may_pass(s, on.index, on.portal->to)) {
            pass_step(s, &from, &on);
            continue;
        }
        if (first < face.portal_count) {
            open_step(s, &from, &on);
        }
        for (; k < face.portal_count; k = next_step(s, &face, came_from, k + 1, &other)) {
            open_step(s, &from, &other);
        }
        expand_arcs(s, &from, &face, on.cost);
        return;
    }
}

void nav_label_search_open_bridges(nav_label_search *s, uint32_t entry, uint32_t polygon)
{
    const nav_label from = nav_label_of(s, entry, polygon);
    const nav_face face = nav_view_face(s->view, polygon);
    const float cost = s->by_length ? 1.0f : nav_polygon_cost(s->view, polygon);
    for (uint32_t k = 0; k < face.portal_count; ++k) {
        const float behind = nav_polygon_cost(s->view, face.portals[k].to);
        const step on = {.portal = &face.portals[k],
                         .index = face.portal_first + k,
                         .cost_before = cost,
                         .cost = cost,
                         .cost_behind = s->by_length ? 1.0f : behind};
        if (behind < INFINITY && nav_bridge_leads_away(s->mesh, &s->goals, on.index)) {
            open_step(s, &from, &on);
        }
    }
}
