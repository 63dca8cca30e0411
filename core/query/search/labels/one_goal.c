// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// one_goal.c: A* (Hart, Nilsson, Raphael 1968) over portals, along taut ways: which portals
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
// If all steps cost the same a label also leans to the goal: if the straight line there leaves
// what is seen of the entry, and the portal goes on behind that end, the way bends around it, for
// the hidden part is the nearer one.
//
// A polygon that has been expanded is so once more only over a portal that the first way into it
// does not lead to as cheaply.
//
// A polygon with one portal on is passed through at once. A bridge, the only way between two parts
// of the ground (mesh/bridges.c), is not crossed where it leads away from the goal.
//
// All in plan view: heights decide where the ends are, not which way is shorter. If costs differ
// expand_costs.c takes the steps.

#include "core/query/search/expansions.h"
#include "core/query/search/labels/labels.h"
#include "core/query/search/search.h"

// The weight of the ALT heuristic: landmarks count a little more than is proven, and so do straight
// lines where there are landmarks: far less is expanded for paths that are a little longer.
#define WEIGHT 1.1f
// The same where costs differ: what is left counts at the least cost, and few ways find only that.
#define WEIGHT_COSTS 1.65f
// In large meshes ways are long, and what they cost evens out: so much weight would lead astray.
#define WEIGHT_COSTS_LARGE 1.5f
#define LARGE_POLYGONS 8192u

// ---- where all steps cost the same ----

// The portals on out of a polygon: the first, and the next one.
typedef struct portals_out {
    const nav_portal *portals; // that of number `before`, and those behind it
    uint32_t before;
    uint32_t came_from, first, other, end;
} portals_out;

static inline const nav_portal *portal_of(const portals_out *out, uint32_t i)
{
    return &out->portals[i - out->before];
}

// The next portal from `i` on that may lead to the goal, or the end of the polygon's. `whole`: the
// mesh as it is, all of it open.
__attribute__((always_inline)) static inline uint32_t
next_portal(const nav_label_search *s, const portals_out *out, uint32_t i, const bool whole)
{
    for (; i < out->end; ++i) {
        const nav_portal *portal = portal_of(out, i);
        if (portal->to != out->came_from && !nav_bridge_leads_away(s->mesh, &s->goals, i) &&
            (whole || s->open_but_for_shapes || nav_view_is_open_behind(s->view, portal))) {
            break;
        }
    }
    return i;
}

__attribute__((always_inline)) static inline void
open_portal(nav_label_search *s, const nav_label *from, const nav_portal *portal, uint32_t i)
{
    if (s->nodes[i].stamp == s->stamp + 1) {
        return; // it has been expanded
    }
    const nav_seen seen = nav_label_see(from, portal, 1.0f);
    const float t = nav_portal_aim(portal, seen, s->goal);
    const float x = nav_portal_x(portal, t), z = nav_portal_z(portal, t);
    const float g = seen.g + nav_plane_distance_f(seen.x, seen.z, x, z);
    const float left = nav_plane_distance_f(x, z, s->goal[0], s->goal[1]);
    if (portal->to == s->goal_polygon) {
        nav_label_search_keep_goal(s, i, seen, from->entry, g + left);
    } else if (!nav_label_search_is_dominated(s, portal->to, x, z, g, 1.0f)) {
        nav_label_search_keep(s, i, seen, from->entry, g + nav_label_search_guess(s, i, t, left));
    }
}

__attribute__((always_inline)) static inline portals_out
portals_out_of(const nav_label_search *s, uint32_t polygon, uint32_t came_from, const bool whole)
{
    portals_out out = {.portals = s->mesh->portals, .came_from = came_from};
    if (whole) {
        out.first = s->mesh->portal_first[polygon];
        out.end = s->mesh->portal_first[polygon + 1];
    } else {
        const nav_face face = nav_view_face(s->view, polygon);
        out.portals = face.portals;
        out.before = out.first = face.portal_first;
        out.end = face.portal_first + face.portal_count;
    }
    out.first = next_portal(s, &out, out.first, whole);
    out.other = out.first < out.end ? next_portal(s, &out, out.first + 1, whole) : out.end;
    return out;
}

static inline bool is_only_portal(const portals_out *out)
{
    return out->first < out->end && out->other == out->end;
}

// The same of the mesh as it is, or closed in parts and with shapes cut out of it.
__attribute__((always_inline)) static inline void
expand_uniform(nav_label_search *s, uint32_t entry, uint32_t polygon, const bool whole)
{
    nav_label from = nav_label_of(s, entry, polygon);
    portals_out out = portals_out_of(s, polygon,
                                     entry == NAV_SEARCH_START ? NAV_NONE
                                     : whole                   ? s->mesh->portals[entry].from
                                             : nav_view_portal(s->view, entry)->from,
                                     whole);
    while (is_only_portal(&out) &&
           nav_label_search_may_pass(s, out.first, portal_of(&out, out.first)->to)) {
        const nav_portal *portal = portal_of(&out, out.first);
        const nav_seen seen = nav_label_see(&from, portal, 1.0f);
        nav_node_write(&s->nodes[out.first], seen, from.entry);
        nav_label_search_pass(s, out.first, portal->to);
        const uint32_t came_from = from.polygon;
        from = nav_label_behind(portal, seen, out.first, portal->to);
        out = portals_out_of(s, portal->to, came_from, whole);
    }
    nav_label_lean(&from, s->goal);
    for (uint32_t i = out.first; i < out.end;
         i = i == out.first ? out.other : next_portal(s, &out, i + 1, whole)) {
        open_portal(s, &from, portal_of(&out, i), i);
    }
}

static void expand_whole(nav_label_search *s, uint32_t entry, uint32_t polygon)
{
    expand_uniform(s, entry, polygon, true);
}

static void expand_cut(nav_label_search *s, uint32_t entry, uint32_t polygon)
{
    expand_uniform(s, entry, polygon, false);
}

// ---- the search ----

// The cost of the straight line to the goal if it stays within the start's polygon.
static float cost_of_line(const nav_label_search *s, const nav_location *start)
{
    return start->polygon == s->goal_polygon
               ? nav_plane_distance_f(s->start[0], s->start[1], s->goal[0], s->goal[1]) *
                     s->goal_cost
               : INFINITY;
}

static void expand(nav_label_search *s, bool whole, uint32_t entry, uint32_t polygon)
{
    nav_search_polygon *first = &s->polygons[polygon];
    if (first->stamp != s->stamp) {
        *first = (nav_search_polygon){.stamp = s->stamp, .entry = entry};
    }
    if (whole) {
        expand_whole(s, entry, polygon);
    } else if (s->by_length) {
        expand_cut(s, entry, polygon);
    } else {
        nav_label_search_expand_weighted(s, entry, polygon);
    }
}

// Whether any path over a portal is beyond the question's limit. Nothing is read of its label, for
// a string may be shorter than its labels are.
static bool is_beyond_limit(const nav_label_search *s, uint32_t index)
{
    const float *arc_end =
        nav_portal_is_arc(s->view, index) ? nav_portal_arc(s->view, index)->end : NULL;
    float x, z;
    if (arc_end != NULL) {
        x = arc_end[0];
        z = arc_end[2];
    } else {
        const nav_portal *portal = nav_view_portal(s->view, index);
        const nav_seen all = {.x = s->start[0], .z = s->start[1], .right = 1.0f};
        const float t = nav_portal_aim(portal, all, s->goal);
        x = nav_portal_x(portal, t);
        z = nav_portal_z(portal, t);
    }
    const float rounding = (float)NAV_TOUCH_RATIO * (1.0f + fabsf(x) + fabsf(z));
    return (nav_plane_distance_f(s->start[0], s->start[1], x, z) +
            nav_plane_distance_f(x, z, s->goal[0], s->goal[1]) - rounding) *
               s->bound >
           s->limit;
}

// ---- for whoever watches ----

// The height of a label's root: where the way has turned at an end of what is seen of the portal
// before, or stands on the portal itself, or not turned at all.
static float root_height(const nav_label_search *s, uint32_t index, float start_height)
{
    const nav_search_node *node = &s->nodes[index];
    while ((node->parent & NAV_SEARCH_STANDS) == 0) {
        const uint32_t before = nav_search_parent(node);
        if (before == NAV_SEARCH_START) {
            return start_height;
        }
        if (s->nodes[before].x != node->x || s->nodes[before].z != node->z) {
            return nav_expansions_height(s->view, before, node->x, node->z);
        }
        index = before;
        node = &s->nodes[before];
    }
    return nav_expansions_height(s->view, index, node->x, node->z);
}

// Labels that are opened have a key, those that are passed through at once have none: so the trail
// distinguishes them, and the search itself need not.
static void forget_keys(const nav_label_search *s)
{
    const uint32_t count = nav_view_portals(s->view);
    for (uint32_t i = 0; i < count; ++i) {
        s->nodes[i].f = NAN;
    }
}

static void list_label(const nav_label_search *s, uint32_t index, float start_height, double f,
                       nav_expansions *list)
{
    const nav_search_node *node = &s->nodes[index];
    nav_expanded seen = {.engine = NAV_ENGINE_LABELS,
                         .portal = index,
                         .root = {node->x, root_height(s, index, start_height), node->z},
                         .left = {node->x, node->z},
                         .right = {node->x, node->z},
                         .g = (double)node->g,
                         .f = fmax(f, (double)node->g)};
    if ((node->parent & NAV_SEARCH_STANDS) == 0 && !nav_portal_is_arc(s->view, index)) {
        const nav_portal *portal = nav_view_portal(s->view, index);
        seen.left[0] = nav_portal_x(portal, node->left);
        seen.left[1] = nav_portal_z(portal, node->left);
        seen.right[0] = nav_portal_x(portal, node->right);
        seen.right[1] = nav_portal_z(portal, node->right);
    }
    nav_expansions_add(list, s->view, &seen);
}

// All that has been expanded, in order. A portal that was passed through has the key of the one
// before.
static void list_trail(const nav_label_search *s, float start_height, nav_expansions *list)
{
    double f =
        (double)(nav_plane_distance_f(s->start[0], s->start[1], s->goal[0], s->goal[1]) * s->bound);
    for (uint32_t i = 0; i < s->trail_count && !list->truncated; ++i) {
        const float key = s->nodes[s->trail[i]].f;
        f = isnan(key) ? f : (double)key;
        list_label(s, s->trail[i], start_height, f, list);
    }
}

// Expands portals until the goal comes up, or nothing cheaper than the line. The goal may have
// been seen, but not proven, where a limit ends the search.
static void search_on(nav_label_search *s, bool whole, float line, nav_search_result *out)
{
    nav_open_entry top;
    while (nav_open_list_take(&s->open, &top) && top.key < line) {
        if (top.index == NAV_NONE) {
            return;
        }
        nav_search_node *node = &s->nodes[top.index];
        if (node->stamp != s->stamp) {
            continue;
        }
        if (s->limit < INFINITY && is_beyond_limit(s, top.index)) {
            out->pruned = true;
            continue;
        }
        out->out_of_budget = s->expanded == s->expanded_max;
        s->expanded += !out->out_of_budget;
        out->cancelled = !out->out_of_budget && nav_cancel_poll(s->cancel, NAV_STEP_NODE);
        if (out->out_of_budget || out->cancelled) {
            nav_open_list_push(&s->open, top); // it has been seen
            return;
        }
        NAV_DCHECK(node->f == top.key);
        NAV_DCHECK(s->trail_count < nav_view_portals(s->view));
        node->stamp = s->stamp + 1;
        s->trail[s->trail_count++] = top.index;
        expand(s, whole, top.index, nav_view_to(s->view, top.index));
    }
}

// Whether all has been seen that the start leads to, and the goal was not there.
static bool is_exhausted(const nav_label_search *s, float line, const nav_search_result *out)
{
    return s->at_goal.stamp != s->stamp && line == INFINITY && !out->out_of_budget &&
           !out->cancelled;
}

// Closed ground parts the goal from the start: the spot closest to it may lie behind any bridge.
static void open_bridges(nav_label_search *s, uint32_t start_polygon)
{
    if (s->goals.count > 0) {
        nav_label_search_open_bridges(s, NAV_SEARCH_START, start_polygon);
        for (uint32_t i = 0; i < s->trail_count; ++i) {
            nav_label_search_open_bridges(s, s->trail[i], nav_view_to(s->view, s->trail[i]));
        }
        s->goals.count = 0;
    }
}

// ---- what the search found ----

// Lists the portals from the start to this one, and where each is crossed. Returns how many.
static uint32_t trace_corridor(const nav_label_search *s, uint32_t entry,
                               const nav_search_node *last, nav_scratch *scratch)
{
    uint32_t count = 1;
    for (const nav_search_node *node = last; nav_search_parent(node) != NAV_SEARCH_START; ++count) {
        node = &s->nodes[nav_search_parent(node)];
    }
    NAV_ASSERT(count <= scratch->corridor.capacity);
    const nav_search_node *node = last;
    for (uint32_t at = count; at-- > 0;) {
        scratch->corridor.portals[at] = entry;
        scratch->corridor.crossings[at][0] = node->x;
        scratch->corridor.crossings[at][1] = node->z;
        entry = nav_search_parent(node);
        node = &s->nodes[entry];
    }
    return count;
}

// The point of a portal's label, from which the search would go on.
static void label_point(const nav_label_search *s, uint32_t index, float out[2])
{
    const nav_search_node *node = &s->nodes[index];
    out[0] = node->x;
    out[1] = node->z;
    if ((node->parent & NAV_SEARCH_STANDS) == 0) {
        const nav_portal *portal = nav_view_portal(s->view, index);
        const float t = nav_portal_aim(portal, nav_node_seen(node), s->goal);
        out[0] = nav_portal_x(portal, t);
        out[1] = nav_portal_z(portal, t);
    }
}

// The seen portal whose point is closest to the goal; NAV_NONE where none is closer than the start.
static uint32_t find_closest(const nav_label_search *s)
{
    float dx = s->start[0] - s->goal[0], dz = s->start[1] - s->goal[1];
    float best2 = dx * dx + dz * dz;
    uint32_t best = NAV_NONE;
    for (uint32_t i = 0; i < s->trail_count + s->open.count; ++i) {
        const bool open = i >= s->trail_count;
        const uint32_t index = open ? s->open.entries[i - s->trail_count].index : s->trail[i];
        float point[2];
        if (index == NAV_NONE) {
            continue; // the goal itself, which a limit has kept from coming up
        }
        label_point(s, index, point);
        dx = point[0] - s->goal[0];
        dz = point[1] - s->goal[1];
        if (dx * dx + dz * dz < best2) {
            best2 = dx * dx + dz * dz;
            best = index;
        }
    }
    return best;
}

// Whether all open ground is of one cost, and nothing leads off it: it is searched by lengths.
static bool is_plain(const nav_view *view)
{
    return view->costs->uniform && nav_view_arcs(view) == 0;
}

// Whether that is the mesh as it is, all of it open.
static bool is_whole(const nav_view *view)
{
    return is_plain(view) && view->costs->open && view->overlay == NULL;
}

// The factor of what is guessed. A link that costs less than its length is found only by a search
// that does not run for the goal.
static float weight_of(const nav_label_search *s)
{
    const nav_costs *costs = s->view->costs;
    if (!s->guess.has_landmarks || costs->bound < costs->landmark_bound) {
        return 1.0f;
    }
    return costs->uniform                             ? WEIGHT
           : s->mesh->stats.polygons < LARGE_POLYGONS ? WEIGHT_COSTS
                                                      : WEIGHT_COSTS_LARGE;
}

static void weigh_guesses(nav_label_search *s)
{
    const float weight = weight_of(s);
    s->straight_weight = s->by_length ? weight : weight * s->bound;
    s->landmark_weight = s->by_length ? weight : weight * s->view->costs->landmark_bound;
}

// Field by field: to clear it all first takes longer than a polygon.
static void begin(nav_label_search *s, const nav_view *view, nav_scratch *scratch,
                  const nav_path_request *request, const nav_location *start,
                  const nav_location *target)
{
    s->view = view;
    s->mesh = view->mesh;
    s->nodes = scratch->labels.nodes;
    s->polygons = scratch->labels.polygons;
    s->open = nav_open_list_of(scratch->labels.open);
    s->open_max = (uint32_t)NAV_LABELS_OPEN_MAX(nav_view_portals(view));
    s->stamp = scratch->stamp;
    s->start[0] = start->position[0];
    s->start[1] = start->position[2];
    s->goal[0] = target->position[0];
    s->goal[1] = target->position[2];
    s->goal_polygon = target->polygon;
    s->goals = view->overlay == NULL ? nav_goals_one(view->mesh, target->polygon, view->links)
                                     : (nav_goals){0};
    s->goal_cost = nav_polygon_cost(view, target->polygon);
    s->bound = view->costs->bound;
    s->by_length = is_plain(view);
    s->open_but_for_shapes = view->costs->open_but_for_shapes;
    s->guess = nav_alt_guess_make(view, start, target);
    weigh_guesses(s);
    s->at_goal = (nav_search_node){0};
    s->goal_entry = NAV_NONE;
    s->trail = scratch->labels.trail;
    s->trail_count = 0;
    s->expanded = 0;
    s->expanded_max = request->max_nodes > 0 ? request->max_nodes : NAV_NONE;
    s->limit = (float)nav_path_search_limit(view, request);
    s->cancel = &scratch->cancel;
    s->cancel->work = 0; // whatever was before, the search does the same
}

nav_search_result nav_search_run(const nav_view *view, nav_scratch *scratch,
                                 const nav_path_request *request, const nav_location *start,
                                 const nav_location *target)
{
    NAV_ASSERT(scratch->portal_capacity >= nav_view_portals(view));
    NAV_ASSERT(scratch->polygon_capacity >= nav_view_polygons(view));
    NAV_ASSERT(scratch->stamp % 2 == 0); // odd ones are for expanded nodes
    NAV_ASSERT(scratch->stamp > 0);
    NAV_ASSERT(nav_polygon_cost(view, target->polygon) < INFINITY);
    nav_label_search s;
    begin(&s, view, scratch, request, start, target);
    if (request->expansions != NULL) {
        forget_keys(&s);
    }
    const bool whole = is_whole(view);
    const float line = cost_of_line(&s, start);
    nav_search_result out = {.end_polygon = start->polygon};
    out.bound = s.guess.bound * (double)view->costs->landmark_bound;
    out.pruned = out.bound > (double)s.limit;
    // The line within the polygon is beaten only by a way around, over cheaper ground.
    if (!(line < INFINITY && s.goal_cost <= s.bound) && !out.pruned) {
        expand(&s, whole, NAV_SEARCH_START, start->polygon);
        search_on(&s, whole, line, &out);
        if (is_exhausted(&s, line, &out)) {
            open_bridges(&s, start->polygon);
            search_on(&s, whole, line, &out);
        }
    }
    if (request->expansions != NULL) {
        list_trail(&s, start->position[1], request->expansions);
    }
    NAV_ASSERT(s.trail_count <= nav_view_portals(view));
    NAV_ASSERT(s.expanded <= s.expanded_max);
    out.expanded = s.expanded;
    const bool seen = s.at_goal.stamp == s.stamp && s.at_goal.f < line;
    out.reached = seen || line < INFINITY;
    if (seen) {
        out.count = trace_corridor(&s, s.goal_entry, &s.at_goal, scratch);
        out.end_polygon = target->polygon;
    } else if (!out.reached) {
        if (out.pruned && !out.out_of_budget && !out.cancelled) {
            // All portals that a path within the limit could cross have been seen.
            out.bound = fmax(out.bound, nav_path_search_limit(view, request));
        }
        const uint32_t closest = find_closest(&s);
        if (closest != NAV_NONE) {
            out.count = trace_corridor(&s, closest, &s.nodes[closest], scratch);
            out.end_polygon = nav_view_to(view, closest);
            label_point(&s, closest, scratch->corridor.crossings[out.count - 1]);
        }
    }
    return out;
}
