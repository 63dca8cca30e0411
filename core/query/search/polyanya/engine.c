// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// engine.c: the loop of a search, with its memory: expand the node at hand, open what came out,
// take the open node with the least key.

#include "core/query/search/polyanya/expansion.h"

#include "core/query/view/scratch.h"

#include <string.h>

// ---- memory ----

// Room for so many marks and passes, and a new stamp, which none of them has. False: no memory.
static bool make_marks(nav_polyanya_scratch *scratch, uint32_t marks, uint32_t passes)
{
    const nav_block_array mark_array[] = {NAV_BLOCK_ARRAY(scratch->marks, marks, 0)};
    const nav_block_array pass_array[] = {NAV_BLOCK_ARRAY(scratch->passes, passes, 0)};
    const bool more_marks = marks > scratch->mark_capacity;
    const bool more_passes = passes > scratch->pass_capacity;
    if (more_marks && !nav_block_make(&scratch->mark_block, &scratch->allocator, mark_array, 1)) {
        return false;
    }
    scratch->mark_capacity = more_marks ? marks : scratch->mark_capacity;
    if (more_passes && !nav_block_make(&scratch->pass_block, &scratch->allocator, pass_array, 1)) {
        return false;
    }
    scratch->pass_capacity = more_passes ? passes : scratch->pass_capacity;
    const bool round = ++scratch->stamp == 0;
    if (more_marks || round) {
        memset(scratch->marks, 0, scratch->mark_capacity * sizeof *scratch->marks);
    }
    if (more_passes || round) {
        memset(scratch->passes, 0, scratch->pass_capacity * sizeof *scratch->passes);
    }
    scratch->stamp = round ? 1 : scratch->stamp;
    return true;
}

// ---- beginning ----

bool nav_polyanya_begin(nav_polyanya *s, const nav_view *view, nav_polyanya_scratch *scratch,
                        nav_polyanya_policy policy, const nav_location *start, uint32_t extra,
                        nav_cancel *cancel)
{
    const nav_mesh *mesh = view->mesh;
    const nav_overlay *overlay = view->overlay;
    NAV_ASSERT(start->polygon < nav_view_polygons(view));
    // If ground is closed, turning vertices fall apart, and ends of portals are numbered
    // instead.
    const bool is_all_open = view->costs->open_but_for_shapes;
    const uint64_t whole =
        mesh->turning_vertex_count + (overlay != NULL ? 2 * (uint64_t)overlay->count.portals : 0);
    const uint64_t ends =
        2 * (uint64_t)(overlay != NULL ? nav_view_portals(view) : mesh->edge_portal_count);
    const bool keeps_numbers =
        !is_all_open && mesh->turning_grounds != NULL && whole + ends <= NAV_TURNING_NUMBER;
    const uint64_t wanted = is_all_open ? whole : keeps_numbers ? whole + ends : ends;
    NAV_ASSERT(wanted <= NAV_TURNING_NUMBER);
    const uint32_t numbers = (uint32_t)wanted;
    const uint32_t passes = overlay != NULL ? NAV_POLYANYA_PASSES * overlay->count.portals : 0;
    if (!make_marks(scratch, numbers + extra, passes)) {
        return false;
    }
    const float x = start->position[0], z = start->position[2];
    *s = (nav_polyanya){.view = view,
                        .scratch = scratch,
                        .policy = policy,
                        .cancel = cancel,
                        .goal = {.ratio = 1.0},
                        .polygon = start->polygon,
                        .at = NAV_NONE,
                        .hand = {.root = {x, z},
                                 .left = {(double)x, (double)z},
                                 .right = {(double)x, (double)z},
                                 .portal = NAV_NONE,
                                 .parent = NAV_NONE,
                                 .turning_vertex = NAV_NONE},
                        .free = NAV_NONE,
                        .open = nav_open_list_of(scratch->open),
                        .home = start->polygon,
                        .arc_base = numbers,
                        .has_arcs = nav_view_arcs(view) > 0,
                        .is_all_open = is_all_open,
                        .keeps_numbers = keeps_numbers,
                        .on_foot = keeps_numbers ? (uint32_t)whole : 0,
                        .overlay_first = overlay != NULL || view->links != NULL
                                             ? nav_view_overlay_first(view)
                                             : NAV_NONE,
                        .open_points = 1,
                        .limit = (double)INFINITY};
    return true;
}

// ---- opening ----

// A node, number `at`, that comes into the goal's polygon: the path there may be the best so far.
static bool is_best(nav_polyanya *s, const nav_polyanya_node *node, uint32_t at)
{
    const double length = node->g + nav_polyanya_distance(s, node, s->goal.point);
    if (length >= s->goal.best) {
        return false;
    }
    s->goal.best = length;
    s->goal.best_node = at;
    s->limit = length * (1.0 - NAV_GAIN_MIN_RATIO);
    return true;
}

// Keeps, of the nodes from `first` on, those that can be part of a shorter path, and opens them.
static void open_kept(nav_polyanya *s, uint32_t first)
{
    nav_polyanya_node *nodes = s->scratch->nodes;
    const nav_portal *portals = s->view->mesh->portals;
    const bool cut = s->overlay_first != NAV_NONE;
    const uint32_t end = s->count;
    uint32_t at = first;
    NAV_DCHECK(s->has_goal);
    for (uint32_t i = first; i < end; ++i) {
        const uint32_t portal = nodes[i].portal;
        const uint32_t to = cut ? nav_view_to(s->view, portal) : portals[portal].to;
        const bool arrives = to == s->goal.polygon;
        const bool best = arrives && is_best(s, &nodes[i], at);
        // Behind the goal's own portal only cheap ways are of use.
        const bool opens = (double)nodes[i].key < s->limit && (!arrives || s->goal.ratio < 1.0);
        if (!best && !opens) {
            continue;
        }
        if (at != i) {
            nodes[at] = nodes[i];
        }
        if (opens) {
            nav_open_list_add(&s->open, (nav_open_entry){.key = nodes[at].key, .index = at});
        }
        ++at;
    }
    s->count = at;
}

// Opens the nodes from `first` on. They move to slots that others have left.
static void open_moved(nav_polyanya *s, uint32_t first)
{
    nav_polyanya_node *nodes = s->scratch->nodes;
    const uint32_t end = s->count;
    s->count = first;
    for (uint32_t i = first; i < end; ++i) {
        uint32_t at = s->free;
        if (at != NAV_NONE) {
            s->free = nodes[at].parent;
        } else {
            at = s->count++;
        }
        NAV_DCHECK(at <= i); // no node that is still to be moved
        nodes[at] = nodes[i];
        nodes[at].key *= 1.0f - NAV_KEY_ROUNDING_RATIO; // no key is above its length
        nav_open_list_push(&s->open, (nav_open_entry){.key = nodes[at].key, .index = at});
    }
}

void nav_polyanya_open(nav_polyanya *s, uint32_t first)
{
    NAV_DCHECK(first <= s->count);
    NAV_DCHECK(s->count <= s->scratch->capacity);
    if (s->policy == NAV_POLYANYA_ONE_GOAL) {
        open_kept(s, first);
    } else {
        open_moved(s, first);
    }
}

// ---- taking ----

// Takes a node out of its slot.
static void leave_slot(nav_polyanya *s, uint32_t slot)
{
    s->hand = s->scratch->nodes[slot];
    s->scratch->nodes[slot].parent = s->free;
    s->free = slot;
    s->at = NAV_NONE;
}

bool nav_polyanya_take(nav_polyanya *s)
{
    nav_open_entry best;
    nav_open_list_settle(&s->open);
    while (nav_open_list_take(&s->open, &best)) {
        const nav_polyanya_node *node = &s->scratch->nodes[best.index];
        NAV_DCHECK(best.index < s->count);
        ++s->taken;
        s->at = best.index;
        s->polygon = s->overlay_first == NAV_NONE ? s->view->mesh->portals[node->portal].to
                                                  : nav_view_to(s->view, node->portal);
        const bool is_stale = nav_polyanya_is_stale(s, node);
        if (s->policy == NAV_POLYANYA_ALL_GOALS) {
            leave_slot(s, best.index);
        }
        if (!is_stale) {
            return true;
        }
    }
    return false;
}

// ---- off-mesh arcs ----

bool nav_polyanya_add_root(nav_polyanya *s, const nav_polyanya_node *root)
{
    if (!nav_polyanya_reserve(s, 1)) {
        return false;
    }
    NAV_DCHECK(!nav_polyanya_is_over_edge(s, root->portal));
    nav_polyanya_node *node = &s->scratch->nodes[s->count++];
    *node = *root;
    set_point(node->left, node->root);
    set_point(node->right, node->root);
    node->key = (float)key_of_root(s, node->root, node->g);
    return true;
}

// Appends a node for each of the arcs that begins in the polygon, entered over `node`, and lands
// sooner than any before. False: no memory.
static bool take_arcs(nav_polyanya *s, const nav_arc_runs *arcs, const nav_polyanya_node *node,
                      uint32_t polygon, uint32_t parent)
{
    const uint32_t count = nav_arc_runs_count(arcs);
    nav_cancel_count(s->cancel, (uint64_t)NAV_STEP_ARC * count);
    for (uint32_t k = 0; k < count; ++k) {
        // The way is no shorter than that to the root, or to the arc's own start: where there are
        // many arcs nearly all end here.
        const uint32_t i = nav_arc_runs_at(arcs, k);
        const nav_arc *arc = nav_view_arc(s->view, i);
        const uint32_t number = s->arc_base + i;
        if (has_landed(s, number, node->g)) {
            continue;
        }
        const float start[2] = {arc->start[0], arc->start[2]};
        const double to_start = node->g + nav_polyanya_distance(s, node, start);
        if (has_landed(s, number, to_start) ||
            nav_view_arc_target(s->view, polygon, i) == NAV_NONE) {
            continue;
        }
        const double cost = (double)nav_arc_cost(s->view, arc) / (double)s->view->costs->least;
        const nav_polyanya_node landed = {.root = {arc->end[0], arc->end[2]},
                                          .g = to_start + cost,
                                          .portal = s->view->mesh->edge_portal_count + i,
                                          .parent = parent,
                                          .turning_vertex = number};
        NAV_DCHECK(landed.g >= node->g);
        if (nav_polyanya_note(s, number, landed.g)) {
            ++s->open_points;
            if (!nav_polyanya_add_root(s, &landed)) {
                return false;
            }
        }
    }
    return true;
}

// ---- the round ----

// How many nodes at most come out of a polygon over its edges.
static inline uint32_t count_out_of(const nav_view *view, uint32_t polygon)
{
    const nav_mesh *mesh = view->mesh;
    return NAV_POLYANYA_NODES_A_PORTAL *
           (view->overlay == NULL ? mesh->portal_first[polygon + 1] - mesh->portal_first[polygon]
                                  : nav_overlay_face(view, polygon).portal_count);
}

// Room is made before a node is read where it lies, so that the pool does not move: a copy of what
// has just been written would wait for memory.
bool nav_polyanya_next(nav_polyanya *s)
{
    const uint32_t first = s->count;
    nav_arc_runs arcs = {0};
    if (s->has_arcs) {
        arcs = nav_view_arcs_out_of(s->view, nav_view_base(s->view, s->polygon));
    }
    if (s->at != NAV_NONE &&
        !nav_polyanya_reserve(s, count_out_of(s->view, s->polygon) + nav_arc_runs_count(&arcs))) {
        s->no_memory = true;
        return false;
    }
    const nav_polyanya_node *node = nav_polyanya_at_hand(s);
    NAV_DCHECK(s->policy == NAV_POLYANYA_ONE_GOAL || s->at == NAV_NONE);
    if (!nav_polyanya_expand(s, node, s->polygon, s->at) ||
        (s->has_arcs && !take_arcs(s, &arcs, node, s->polygon, s->at))) {
        s->count = first;
        s->no_memory = true;
        return false;
    }
    nav_polyanya_open(s, first);
    return nav_polyanya_take(s);
}
