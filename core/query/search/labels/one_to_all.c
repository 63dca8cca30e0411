// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// one_to_all.c: the one-to-all search by labels, over ground whose cost differs or out of which
// shapes are cut. Dijkstra's order over portals; a portal's label is the taut way to it
// (one_goal.c): the last turn, and how much of the portal is seen from there.
//
// No goal says where a border between costs is best crossed. It is crossed at the nearest point at
// first; each way on from there then moves the crossing to where it suits that way, by Snell's law.

#include "core/base/plane.h"
#include "core/base/tolerances.h"
#include "core/query/search/one_to_all.h"
#include "core/query/search/refract.h"
#include "core/query/search/search.h"

#include <math.h>
#include <string.h>

// An entrance as it looks from its root.
typedef struct label {
    float root[2];
    double g;
    float left[2], right[2]; // points: ends of what is seen of the portal
    bool stands;
    const nav_all_labels_node *border; // whose root can still move; NULL: it cannot
    uint32_t portal;                   // NAV_NONE: the source
} label;

static label label_of(const nav_one_to_all *search, uint32_t portal)
{
    if (portal == NAV_NONE) {
        return (label){.root = {search->source.position[0], search->source.position[2]},
                       .stands = true,
                       .portal = NAV_NONE};
    }
    NAV_DCHECK(search->labels->nodes[portal].stamp == search->labels->stamp);
    const nav_all_labels_node *node = &search->labels->nodes[portal];
    label from = {.root = {node->root[0], node->root[1]},
                  .g = node->g,
                  .stands = node->stands,
                  .border = node->is_border ? node : NULL,
                  .portal = portal};
    if (!from.stands) {
        nav_portal_point(nav_view_portal(search->view, portal), node->left, from.left);
        nav_portal_point(nav_view_portal(search->view, portal), node->right, from.right);
    }
    return from;
}

// ---- costs ----

// The part of what is seen of the portal that is nearest to t. Rounding may swap the two ends of a
// part that is all but nothing, so this is not nav_plane_clamp_f.
static float clamp_to_seen(const nav_all_labels_node *node, float t)
{
    if (t < node->left) {
        return node->left;
    }
    return t > node->right ? node->right : t;
}

// The cost to a point where the crossing of the border moves to where it suits the point best.
static double moved_cost(const nav_one_to_all *search, const label *from, const float point[2],
                         float cost)
{
    const nav_all_labels_node *node = from->border;
    const nav_portal *portal = nav_view_portal(search->view, from->portal);
    const float cost_before =
        nav_polygon_cost(search->view, nav_view_from(search->view, from->portal));
    const float t = nav_crossing_refracted(portal, node->before, cost_before, point, cost);
    float crossed[2];
    nav_portal_point(portal, clamp_to_seen(node, t), crossed);
    return node->g - nav_plane_distance_of(node->before, node->root) * (double)cost_before +
           nav_plane_distance_of(node->before, crossed) * (double)cost_before +
           nav_plane_distance_of(crossed, point) * (double)cost;
}

static double cost_to(const nav_one_to_all *search, const label *from, const float point[2],
                      float cost)
{
    const float *bend = NULL;
    if (!from->stands && nav_plane_side_of(from->root, from->left, point) < 0.0) {
        bend = from->left;
    } else if (!from->stands && nav_plane_side_of(from->root, from->right, point) > 0.0) {
        bend = from->right;
    }
    if (bend != NULL) {
        return from->g +
               (nav_plane_distance_of(from->root, bend) + nav_plane_distance_of(bend, point)) *
                   (double)cost;
    }
    const double straight = from->g + nav_plane_distance_of(from->root, point) * (double)cost;
    return from->border != NULL ? fmin(straight, moved_cost(search, from, point, cost)) : straight;
}

// ---- opening ----

static bool is_current(const nav_one_to_all *search, const nav_heap_item *item)
{
    const nav_all_labels_node *node = &search->labels->nodes[item->id];
    int64_t key;
    memcpy(&key, &node->key, sizeof key);
    return !node->done && key == item->key;
}

// Drops entries of labels that have been replaced: at least half of a full heap.
static void tidy(nav_one_to_all *search)
{
    nav_heap *heap = &search->heap;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < heap->count; ++i) {
        if (is_current(search, &heap->items[i])) {
            heap->items[kept++] = heap->items[i];
        }
    }
    heap->count = kept;
    nav_heap_build(heap);
}

// Whether the polygon's first entrance leads to the points between `a` and `b` of its border as
// cheaply as the root at cost g.
static bool is_dominated(const nav_one_to_all *search, uint32_t polygon,
                         const nav_all_labels_node *next, const float a[2], const float b[2],
                         float cost_before)
{
    const uint32_t *first = search->labels->firsts[polygon];
    if (first[0] != search->labels->stamp) {
        return false;
    }
    const label from = label_of(search, first[1]);
    const float cost = nav_polygon_cost(search->view, polygon);
    const double ratio = 1.0 - NAV_DOMINATED_RATIO;
    return cost_to(search, &from, a, cost) <
               (next->g + nav_plane_distance_of(next->root, a) * (double)cost_before) * ratio &&
           cost_to(search, &from, b, cost) <
               (next->g + nav_plane_distance_of(next->root, b) * (double)cost_before) * ratio;
}

// Whether a label of the portal is kept that costs no more than this.
static inline bool is_known(const nav_one_to_all *search, uint32_t portal, double key)
{
    const nav_all_labels_node *node = &search->labels->nodes[portal];
    return node->stamp == search->labels->stamp && (node->done || key >= node->key);
}

// Keeps a label where it is the best so far of its portal.
static void keep(nav_one_to_all *search, uint32_t portal, nav_all_labels_node *next)
{
    if (is_known(search, portal, next->key)) {
        return;
    }
    next->stamp = search->labels->stamp;
    // The two ends may change places by a rounding.
    NAV_DCHECK(next->g <= next->key);
    NAV_DCHECK(next->left >= 0.0f);
    NAV_DCHECK(next->right <= 1.0f);
    search->labels->nodes[portal] = *next;
    if (search->heap.count == 2 * search->labels->portals) {
        tidy(search);
    }
    NAV_DCHECK(search->heap.count < 2 * search->labels->portals);
    // The order of numbers from 0 on is that of their bits.
    nav_heap_item item = {.id = portal};
    memcpy(&item.key, &next->key, sizeof item.key);
    nav_heap_push(&search->heap, item);
}

// The part of a portal that is seen; if that is nothing, the way turns around an end of what is
// seen of the entrance.
static void see_portal(const label *from, const nav_portal *portal, float cost,
                       nav_all_labels_node *next)
{
    *next = (nav_all_labels_node){.root = {from->root[0], from->root[1]},
                                  .g = from->g,
                                  .right = 1.0f,
                                  .parent = from->portal};
    if (from->stands) {
        return;
    }
    const double left_by_left = nav_plane_side_of(from->root, from->left, portal->left);
    const double right_by_left = nav_plane_side_of(from->root, from->left, portal->right);
    const double left_by_right = nav_plane_side_of(from->root, from->right, portal->left);
    const double right_by_right = nav_plane_side_of(from->root, from->right, portal->right);
    const float *turn = NULL;
    if (right_by_left <= 0.0 && left_by_left <= 0.0) {
        turn = from->left;
    } else if (left_by_right >= 0.0 && right_by_right >= 0.0) {
        turn = from->right;
    }
    if (turn != NULL) {
        next->g += nav_plane_distance_of(from->root, turn) * (double)cost;
        next->root[0] = turn[0];
        next->root[1] = turn[1];
        return;
    }
    if (left_by_left < 0.0) {
        next->left = (float)(left_by_left / (left_by_left - right_by_left));
    }
    if (right_by_right > 0.0) {
        next->right = (float)(left_by_right / (left_by_right - right_by_right));
    }
}

// The point of what is seen of a portal that is nearest to the root.
static void nearest_point(const nav_portal *portal, const nav_all_labels_node *node, float out[2])
{
    double edge[2], away[2];
    nav_plane_offset(portal->left, portal->right, edge);
    nav_plane_offset(portal->left, node->root, away);
    const double length2 = nav_plane_length2(edge[0], edge[1]);
    const double along = nav_plane_dot(away[0], away[1], edge[0], edge[1]);
    const float t = length2 > 0.0 ? (float)(along / length2) : 0.0f;
    nav_portal_point(portal, clamp_to_seen(node, t), out);
}

// Over one portal, from a polygon of this cost.
static void open_portal(nav_one_to_all *search, const label *from, uint32_t index, float cost)
{
    const nav_portal *portal = nav_view_portal(search->view, index);
    const float cost_behind = nav_polygon_cost(search->view, portal->to);
    nav_all_labels_node next;
    float point[2], a[2], b[2];
    see_portal(from, portal, cost, &next);
    nearest_point(portal, &next, point);
    nav_portal_point(portal, next.left, a);
    nav_portal_point(portal, next.right, b);
    if (is_dominated(search, portal->to, &next, a, b, cost)) {
        return;
    }
    const double straight = next.g + nav_plane_distance_of(next.root, point) * (double)cost;
    if (from->border == NULL && cost_behind == cost) {
        next.key = straight;
    } else {
        // The root moves onto the border, or, behind one, along with its crossing.
        const double moved =
            from->border != NULL ? moved_cost(search, from, point, cost) : straight;
        memcpy(next.before, next.root, sizeof next.before);
        memcpy(next.root, point, sizeof next.root);
        next.stands = true;
        next.g = next.key = fmin(straight, moved);
        next.is_border = moved >= straight;
    }
    keep(search, index, &next);
}

static void open_arcs(nav_one_to_all *search, const label *from, const nav_face *face, float cost)
{
    // An entrance that moves may be cheaper than its root.
    const double least = from->border == NULL ? from->g : 0.0;
    const uint32_t arcs = nav_arc_runs_count(&face->arcs);
    nav_cancel_count(search->cancel, (uint64_t)NAV_STEP_ARC * arcs);
    for (uint32_t k = 0; k < arcs; ++k) {
        const uint32_t i = nav_arc_runs_at(&face->arcs, k);
        const nav_arc *arc = nav_view_arc(search->view, i);
        const uint32_t portal = search->view->mesh->edge_portal_count + i;
        if (is_known(search, portal, least)) {
            continue;
        }
        const float start[2] = {arc->start[0], arc->start[2]};
        const double to_start = cost_to(search, from, start, cost);
        if (is_known(search, portal, to_start) ||
            nav_view_arc_target(search->view, search->polygon, i) == NAV_NONE) {
            continue;
        }
        nav_all_labels_node next = {.root = {arc->end[0], arc->end[2]},
                                    .g = to_start + (double)nav_arc_cost(search->view, arc),
                                    .right = 1.0f,
                                    .parent = from->portal,
                                    .stands = true};
        next.key = next.g;
        keep(search, portal, &next);
    }
}

static void open_polygon(nav_one_to_all *search)
{
    const nav_view *view = search->view;
    const label from = label_of(search, search->portal);
    const float cost = nav_polygon_cost(view, search->polygon);
    NAV_DCHECK(cost < INFINITY);
    const bool over_edge = search->portal != NAV_NONE && !nav_portal_is_arc(view, search->portal);
    const uint32_t came_from = over_edge ? nav_view_from(view, search->portal) : NAV_NONE;
    const nav_face face = nav_view_face(view, search->polygon);
    uint32_t *first = search->labels->firsts[search->polygon];
    if (first[0] != search->labels->stamp) {
        first[0] = search->labels->stamp;
        first[1] = search->portal;
    }
    for (uint32_t k = 0; k < face.portal_count; ++k) {
        const uint32_t to = face.portals[k].to;
        const float cost_behind = nav_polygon_cost(view, to);
        // Polygons are convex: straight back is never shorter, but it may be cheaper, along the
        // border of cheaper ground.
        if (cost_behind < INFINITY && !(to == came_from && cost_behind <= cost)) {
            open_portal(search, &from, face.portal_first + k, cost);
        }
    }
    open_arcs(search, &from, &face, cost);
}

// ---- the search ----

static void clear(nav_all_labels_scratch *work)
{
    memset(work->nodes, 0, work->portals * sizeof *work->nodes);
    memset(work->heap, 0, 2 * (size_t)work->portals * sizeof *work->heap);
    memset(work->firsts, 0, work->polygons * sizeof *work->firsts);
    work->stamp = 0;
}

static bool grow(nav_all_labels_scratch *work, const nav_allocator *allocator, uint32_t portals,
                 uint32_t polygons)
{
    portals = portals > work->portals ? portals : work->portals;
    polygons = polygons > work->polygons ? polygons : work->polygons;
    const nav_block_array arrays[] = {NAV_BLOCK_ARRAY(work->nodes, portals, 0),
                                      NAV_BLOCK_ARRAY(work->heap, 2 * (size_t)portals, 0),
                                      NAV_BLOCK_ARRAY(work->firsts, polygons, 0)};
    if (!nav_block_make(&work->block, allocator, arrays, 3)) {
        return false;
    }
    work->portals = portals;
    work->polygons = polygons;
    clear(work);
    return true;
}

bool nav_all_labels_begin(nav_one_to_all *search, nav_scratch *scratch)
{
    nav_all_labels_scratch *work = &scratch->all_labels;
    const uint32_t portals = nav_view_portals(search->view);
    const uint32_t polygons = nav_view_polygons(search->view);
    if ((work->portals < portals || work->polygons < polygons) &&
        !grow(work, &scratch->allocator, portals, polygons)) {
        return false;
    }
    if (++work->stamp == 0) {
        // The stamps have come round: old labels must not pass for new ones.
        clear(work);
        work->stamp = 1;
    }
    search->labels = work;
    NAV_ASSERT(search->labels->portals >= portals);
    NAV_ASSERT(search->labels->polygons >= polygons);
    search->heap = (nav_heap){.items = work->heap};
    return true;
}

bool nav_all_labels_next(nav_one_to_all *search)
{
    open_polygon(search);
    while (search->heap.count > 0) {
        const nav_heap_item item = nav_heap_pop(&search->heap);
        nav_all_labels_node *node = &search->labels->nodes[item.id];
        if (is_current(search, &item)) {
            node->done = true;
            search->portal = item.id;
            search->polygon = nav_view_to(search->view, item.id);
            // Roots are rounded, so that a key may be less than the one before by as little.
            search->cost = fmax(search->cost, node->key);
            return true;
        }
    }
    return false;
}

double nav_all_labels_cost_to(const nav_one_to_all *search, const float point[2])
{
    const label from = label_of(search, search->portal);
    return cost_to(search, &from, point, nav_polygon_cost(search->view, search->polygon));
}

void nav_all_labels_point(const nav_one_to_all *search, float out[2])
{
    const nav_all_labels_node *node = &search->labels->nodes[search->portal];
    if (node->stands) {
        memcpy(out, node->root, sizeof node->root);
    } else {
        nearest_point(nav_view_portal(search->view, search->portal), node, out);
    }
}

void nav_all_labels_pull(const nav_one_to_all *search, nav_scratch *scratch, uint32_t portal,
                         const nav_location *location, nav_path *path)
{
    const nav_all_labels_node *nodes = search->labels->nodes;
    uint32_t count = 0;
    NAV_ASSERT(search->engine == NAV_BY_LABELS);
    for (uint32_t at = portal; at != NAV_NONE; at = nodes[at].parent) {
        ++count;
    }
    NAV_ASSERT(count <= scratch->corridor.capacity);
    uint32_t at = portal;
    for (uint32_t i = count; i-- > 0; at = nodes[at].parent) {
        scratch->corridor.portals[i] = at;
        memcpy(scratch->corridor.crossings[i], nodes[at].root, sizeof nodes[at].root);
    }
    nav_string_pull(search->view, scratch, search->source.position, location->position, count,
                    location->polygon, false, path);
}
