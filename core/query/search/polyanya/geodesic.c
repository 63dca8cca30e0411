// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// geodesic.c: how far everything is from one point: Polyanya to all goals until no node is left.
// Mitchell, Mount, Papadimitriou, "The discrete geodesic problem", 1987; pruned as in expansion.c.
//
// It is made for tables of lower bounds: costs, filters and directions of links are left out, so
// that no question can find a shorter way.

#include "core/query/search/polyanya/expansion.h"

#include "core/query/search/search.h"

#include <math.h>

typedef struct link_end {
    float at[2];
    uint32_t polygon;
    uint32_t other; // the link's other end
    double cost;    // of the way there: the link's length in plan view, or its own cost if less
} link_end;

struct nav_geodesic {
    const nav_mesh *mesh;
    link_end *ends;       // two a link, by polygon
    uint32_t *first_ends; // of a polygon's ends
    uint32_t *reached;    // ends, by the node at hand
    bool *apart;          // by corner: no portal of its polygon ends there
    nav_cancel *cancel;
    // The flood at hand:
    nav_polyanya nodes;
    uint64_t work;
    float *vertices;
};

// Items of work that a node takes: 10 to 20 ns each.
#define NODE_WORK 64u
// A flood's budget. Ground that is baked takes one to three nodes a portal. But where thousands of
// links begin in one polygon each node into it looks at all of them, and polygons that are wound
// the wrong way or lie all over each other may lead a node round and round.
#define WORK_MIN (UINT64_C(1) << 24)
#define NODES_A_PORTAL_MAX 32u

// ---- preparation ----

static link_end end_of(const nav_placed_link *link, bool last, uint32_t other)
{
    const float *at = last ? link->end : link->start;
    const double length = nav_plane_distance_xz(link->start, link->end), cost = (double)link->cost;
    return (link_end){.at = {at[0], at[2]},
                      .polygon = last ? link->end_polygon : link->start_polygon,
                      .other = other,
                      .cost = link->has_cost && cost < length ? cost : length};
}

// A counting sort by polygon. False: no memory.
static bool sort_ends(nav_geodesic *g, nav_arena *arena)
{
    const nav_mesh *mesh = g->mesh;
    const size_t count = 2 * (size_t)mesh->stats.links;
    g->ends = NAV_NEW(arena, link_end, count + 1);
    g->first_ends = NAV_NEW_ZERO(arena, uint32_t, (size_t)mesh->stats.polygons + 2);
    g->reached = NAV_NEW(arena, uint32_t, count + 1);
    if (g->ends == NULL || g->first_ends == NULL || g->reached == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < mesh->stats.links; ++i) {
        ++g->first_ends[mesh->links[i].start_polygon + 2];
        ++g->first_ends[mesh->links[i].end_polygon + 2];
    }
    for (uint32_t p = 2; p < mesh->stats.polygons + 2; ++p) {
        g->first_ends[p] += g->first_ends[p - 1];
    }
    for (uint32_t i = 0; i < mesh->stats.links; ++i) {
        const nav_placed_link *link = &mesh->links[i];
        const uint32_t start = g->first_ends[link->start_polygon + 1]++;
        const uint32_t end = g->first_ends[link->end_polygon + 1]++;
        g->ends[start] = end_of(link, false, end);
        g->ends[end] = end_of(link, true, start);
    }
    NAV_ASSERT(g->first_ends[mesh->stats.polygons] == count);
    return true;
}

static bool find_apart(nav_geodesic *g, nav_arena *temporary)
{
    const nav_mesh *mesh = g->mesh;
    g->apart = NAV_NEW(temporary, bool, mesh->records[mesh->stats.polygons].corner_first);
    if (g->apart == NULL) {
        return false;
    }
    for (uint32_t p = 0; p < mesh->stats.polygons; ++p) {
        for (uint32_t k = mesh->records[p].corner_first; k < mesh->records[p + 1].corner_first;
             ++k) {
            g->apart[k] = true;
            for (uint32_t i = mesh->portal_first[p]; i < mesh->portal_first[p + 1]; ++i) {
                const nav_portal *portal = &mesh->portals[i];
                g->apart[k] = g->apart[k] && portal->left_vertex != mesh->corners[k] &&
                              portal->right_vertex != mesh->corners[k];
            }
        }
    }
    return true;
}

// ---- the search ----

// The corners at which no portal ends are reported from each node that comes into their polygon.
static void reach_corners(nav_geodesic *g, const nav_polyanya_node *node, uint32_t polygon)
{
    const nav_mesh *mesh = g->mesh;
    const uint32_t end = mesh->records[polygon + 1].corner_first;
    for (uint32_t k = mesh->records[polygon].corner_first; k < end; ++k) {
        if (g->apart[k]) {
            const uint32_t vertex = mesh->corners[k];
            const float point[2] = {mesh->vertices[vertex][0], mesh->vertices[vertex][2]};
            float distance = (float)(node->g + nav_polyanya_distance(&g->nodes, node, point));
            NAV_DCHECK(distance >= 0.0f);
            if (distance < g->vertices[vertex]) {
                g->vertices[vertex] = distance;
            }
        }
    }
}

// All ends of links in the polygon that are reached sooner than before, entered over `node`; a link
// is followed where its other end is not reached as soon over ground. False: no memory.
static bool take_links(nav_geodesic *g, const nav_polyanya_node *node, uint32_t polygon)
{
    nav_polyanya *s = &g->nodes;
    const uint32_t first = g->first_ends[polygon], end = g->first_ends[polygon + 1];
    uint32_t count = 0;
    g->work += end - first;
    for (uint32_t i = first; i < end; ++i) {
        if (!has_landed(s, s->arc_base + i, node->g) &&
            nav_polyanya_note(s, s->arc_base + i,
                              node->g + nav_polyanya_distance(s, node, g->ends[i].at))) {
            g->reached[count++] = i;
        }
    }
    for (uint32_t i = 0; i < count; ++i) {
        const link_end *from = &g->ends[g->reached[i]], *to = &g->ends[from->other];
        const nav_polyanya_node landed = {.root = {to->at[0], to->at[1]},
                                          .g = s->scratch->marks[s->arc_base + g->reached[i]].g +
                                               from->cost,
                                          .portal = g->mesh->edge_portal_count,
                                          .parent = NAV_NONE,
                                          .turning_vertex = s->arc_base + from->other};
        if (nav_polyanya_note(s, landed.turning_vertex, landed.g) &&
            !nav_polyanya_add_root(s, &landed)) {
            return false;
        }
    }
    return true;
}

static bool expand(nav_geodesic *g, const nav_polyanya_node *node, uint32_t polygon)
{
    const uint32_t first = g->nodes.count;
    if (g->vertices != NULL) {
        reach_corners(g, node, polygon);
    }
    if (!nav_polyanya_expand(&g->nodes, node, polygon, NAV_NONE) || !take_links(g, node, polygon)) {
        return false;
    }
    nav_polyanya_open(&g->nodes, first);
    return true;
}

// Expands the node at hand: over a portal, or where a link has landed.
static bool expand_at_hand(nav_geodesic *g)
{
    nav_polyanya *s = &g->nodes;
    if (s->hand.portal < g->mesh->edge_portal_count) {
        return expand(g, &s->hand, s->polygon);
    }
    ++s->open_points;
    return expand(g, &s->hand, g->ends[s->hand.turning_vertex - s->arc_base].polygon);
}

// Counts what a round has taken.
static nav_status count_work(nav_geodesic *g, uint64_t before, uint64_t nodes)
{
    const uint64_t most =
        WORK_MIN + (uint64_t)NODE_WORK * NODES_A_PORTAL_MAX * g->mesh->edge_portal_count;
    g->work += NODE_WORK * nodes;
    NAV_ASSERT(g->work >= before);
    if (nav_cancel_poll(g->cancel, g->work - before)) {
        return NAV_CANCELLED;
    }
    return g->work < most ? NAV_OK : NAV_TILE_TOO_COMPLEX;
}

static nav_status search(nav_geodesic *g)
{
    nav_polyanya *s = &g->nodes;
    bool grown = expand(g, &s->hand, s->polygon);
    nav_status status = NAV_OK;
    uint64_t taken = s->taken;
    while (status == NAV_OK && grown && nav_polyanya_take(s)) {
        const uint64_t before = g->work;
        grown = expand_at_hand(g);
        status = count_work(g, before, s->taken - taken);
        taken = s->taken;
    }
    return grown ? status : NAV_NO_MEMORY;
}

// ---- the answer ----

static float mark_distance(const nav_geodesic *g, uint32_t portal, int right)
{
    const nav_polyanya_scratch *scratch = g->nodes.scratch;
    const nav_turning_mark *mark =
        &scratch->marks[g->mesh->portal_turning_vertices[portal][right] & NAV_TURNING_NUMBER];
    return mark->stamp == scratch->stamp ? (float)mark->g : INFINITY;
}

static void read_marks(const nav_geodesic *g, float (*ends)[2])
{
    const nav_mesh *mesh = g->mesh;
    for (uint32_t i = 0; i < mesh->edge_portal_count; ++i) {
        const float distances[2] = {mark_distance(g, i, 0), mark_distance(g, i, 1)};
        const uint32_t vertices[2] = {mesh->portals[i].left_vertex, mesh->portals[i].right_vertex};
        for (int side = 0; side < 2; ++side) {
            if (ends != NULL) {
                ends[i][side] = distances[side];
            }
            if (g->vertices != NULL && distances[side] < g->vertices[vertices[side]]) {
                g->vertices[vertices[side]] = distances[side];
            }
        }
    }
}

static void *take_from_arena(void *arena, size_t size_bytes)
{
    return nav_arena_alloc(arena, size_bytes, 1);
}

// Frees nothing: the memory of an arena is given back at once, with the arena.
static void leave_to_arena(void *arena, void *block, size_t size_bytes)
{
    (void)arena;
    (void)block;
    (void)size_bytes;
}

nav_status nav_geodesic_begin(const nav_mesh *mesh, nav_cancel *cancel, nav_arena *arena,
                              nav_geodesic **out)
{
    nav_geodesic *g = NAV_NEW_ZERO(arena, nav_geodesic, 1);
    if (g == NULL) {
        return NAV_NO_MEMORY;
    }
    g->mesh = mesh;
    g->cancel = cancel;
    *out = g;
    return sort_ends(g, arena) ? NAV_OK : NAV_NO_MEMORY;
}

nav_status nav_geodesic_flood(nav_geodesic *g, nav_arena *temporary, const nav_location *source,
                              float *vertices, float (*ends)[2], bool *has_gaps)
{
    const nav_mesh *mesh = g->mesh;
    NAV_ASSERT(source->polygon < mesh->stats.polygons);
    nav_costs costs = {
        .least = 1.0f, .bound = 1.0f, .uniform = true, .open = true, .open_but_for_shapes = true};
    for (int i = 0; i < NAV_MESH_AREAS; ++i) {
        costs.area[i] = 1.0f;
    }
    if (mesh->ground_class_count > 0) {
        const uint32_t count = nav_mesh_class_count(mesh);
        costs.by_class = NAV_NEW(temporary, float, count);
        if (costs.by_class == NULL) {
            return NAV_NO_MEMORY;
        }
        for (uint32_t i = 0; i < count; ++i) {
            costs.by_class[i] = 1.0f;
        }
    }
    const nav_view view = nav_view_of(mesh, &costs);
    nav_polyanya_scratch scratch = {.allocator = {take_from_arena, leave_to_arena, temporary}};
    g->vertices = vertices;
    g->work = 0;
    if (!nav_polyanya_begin(&g->nodes, &view, &scratch, NAV_POLYANYA_ALL_GOALS, source,
                            2 * mesh->stats.links, g->cancel) ||
        (vertices != NULL && !find_apart(g, temporary))) {
        return NAV_NO_MEMORY;
    }
    g->nodes.arc_homes = mesh->stats.links > 0 ? &g->ends[0].polygon : NULL;
    g->nodes.arc_stride = sizeof(link_end) / sizeof(uint32_t);
    for (uint32_t i = 0; vertices != NULL && i < mesh->stats.vertices; ++i) {
        vertices[i] = INFINITY;
    }
    const nav_status status = search(g);
    if (status != NAV_OK) {
        return status;
    }
    read_marks(g, ends);
    if (has_gaps != NULL) {
        *has_gaps = g->nodes.has_gaps;
    }
    return NAV_OK;
}
