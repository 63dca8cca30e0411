// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_geodesic.c: how far everything is from one place: the search over cones without a goal, the
// nearest cone first, until none is left. Mitchell, Mount, Papadimitriou, "The discrete geodesic
// problem", 1987; pruned as in query_cones.c.
//
// It is made for tables of lower bounds: costs, filters and directions of links are left out, so
// that no question can find a shorter way.

#include "query_cones.h"

#include <math.h>
#include <string.h>

// A link, in one of its directions.
typedef struct jump {
    float from[2], to[2];
    uint32_t to_polygon;
    float cost;
} jump;

typedef struct geodesic {
    const nav_mesh *mesh;
    nav_cones cones;
    uint32_t free;        // the first cone that is not in use, linked by `parent`
    uint32_t *jump_first; // by polygon, as the jumps are; NULL where there are none
    jump *jumps;
    bool *apart; // by corner: no portal of its polygon ends there
    float *vertices;
    const nav_bake_hooks *hooks; // or NULL
    bool cancelled;
} geodesic;

// Many links out of one polygon make a search long: each cone into it takes them all.
#define ASK_EACH_CONES 64u

// Cones a search takes, for each portal and beside. Meshes that are baked take a few; polygons that
// are wound the wrong way or lie all over each other may lead a cone round and round.
#define CONES_A_PORTAL_MAX 1024u
#define CONES_MIN 65536u

// ---- what is asked of the mesh before ----

static void find_apart(geodesic *g)
{
    const nav_mesh *mesh = g->mesh;
    for (uint32_t p = 0; p < mesh->stats.polygons; ++p) {
        for (uint32_t k = mesh->plots[p].corner_first; k < mesh->plots[p + 1].corner_first; ++k) {
            g->apart[k] = true;
            for (uint32_t i = mesh->portal_first[p]; i < mesh->portal_first[p + 1]; ++i) {
                const nav_portal *portal = &mesh->portals[i];
                g->apart[k] = g->apart[k] && portal->left_vertex != mesh->corners[k] &&
                              portal->right_vertex != mesh->corners[k];
            }
        }
    }
}

static jump jump_over(const nav_laid_link *link, bool back)
{
    const float *from = back ? link->end : link->start;
    const float *to = back ? link->start : link->end;
    float dx = to[0] - from[0], dz = to[2] - from[2];
    float length = sqrtf(dx * dx + dz * dz);
    return (jump){.from = {from[0], from[2]},
                  .to = {to[0], to[2]},
                  .to_polygon = back ? link->start_polygon : link->end_polygon,
                  .cost = link->has_cost && link->cost < length ? link->cost : length};
}

// A counting sort of the links, both ways, by the polygon they lead from.
static bool sort_jumps(geodesic *g, nav_arena *temporary)
{
    const nav_mesh *mesh = g->mesh;
    const uint32_t count = mesh->stats.links;
    if (count == 0) {
        return true;
    }
    uint32_t *first = NAV_NEW_ZERO(temporary, uint32_t, (size_t)mesh->stats.polygons + 2);
    g->jumps = NAV_NEW(temporary, jump, 2 * (size_t)count);
    if (first == NULL || g->jumps == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        ++first[mesh->links[i].start_polygon + 2];
        ++first[mesh->links[i].end_polygon + 2];
    }
    for (uint32_t p = 2; p < mesh->stats.polygons + 2; ++p) {
        first[p] += first[p - 1];
    }
    for (uint32_t i = 0; i < count; ++i) {
        g->jumps[first[mesh->links[i].start_polygon + 1]++] = jump_over(&mesh->links[i], false);
        g->jumps[first[mesh->links[i].end_polygon + 1]++] = jump_over(&mesh->links[i], true);
    }
    g->jump_first = first;
    return true;
}

// ---- the search ----

// The corners at which no portal ends are told of from each cone that comes into their polygon.
static void reach_corners(geodesic *g, const nav_cone *cone, uint32_t polygon)
{
    const nav_mesh *mesh = g->mesh;
    const uint32_t end = mesh->plots[polygon + 1].corner_first;
    for (uint32_t k = mesh->plots[polygon].corner_first; k < end; ++k) {
        if (g->apart[k]) {
            const uint32_t vertex = mesh->corners[k];
            const float place[2] = {mesh->vertices[vertex][0], mesh->vertices[vertex][2]};
            float distance = (float)(cone->g + nav_cone_distance(&g->cones, cone, place));
            if (distance < g->vertices[vertex]) {
                g->vertices[vertex] = distance;
            }
        }
    }
}

static bool take_jumps(geodesic *g, const nav_cone *cone, uint32_t polygon)
{
    if (g->jump_first == NULL) {
        return true;
    }
    nav_cones *c = &g->cones;
    for (uint32_t i = g->jump_first[polygon]; i < g->jump_first[polygon + 1]; ++i) {
        const jump *over = &g->jumps[i];
        const nav_cone landed = {.root = {over->to[0], over->to[1]},
                                 .g = cone->g + nav_cone_distance(c, cone, over->from) +
                                      (double)over->cost,
                                 .portal = g->mesh->edge_portal_count + i,
                                 .pivot = c->way_base + i};
        if (nav_cones_land(c, landed.pivot, landed.g) && !nav_cones_add_root(c, &landed)) {
            return false;
        }
    }
    return true;
}

// Opens the cones from `first` on, which an expansion has appended. They move to where others are
// no longer in use.
static void open_cones(geodesic *g, uint32_t first)
{
    nav_cones *c = &g->cones;
    const uint32_t end = c->count;
    c->count = first;
    for (uint32_t i = first; i < end; ++i) {
        nav_cone *cones = c->pool->cones;
        uint32_t at = g->free;
        if (at != NAV_NONE) {
            g->free = cones[at].parent;
        } else {
            at = c->count++;
        }
        cones[at] = cones[i];
        nav_cones_push(c, at);
    }
}

static bool expand(geodesic *g, const nav_cone *cone, uint32_t polygon)
{
    const uint32_t first = g->cones.count;
    if (g->vertices != NULL) {
        reach_corners(g, cone, polygon);
    }
    if (!nav_cones_expand(&g->cones, cone, polygon, NAV_NONE) || !take_jumps(g, cone, polygon)) {
        return false;
    }
    open_cones(g, first);
    return true;
}

static bool ask(geodesic *g)
{
    g->cancelled =
        g->hooks != NULL && g->hooks->cancelled != NULL && g->hooks->cancelled(g->hooks->user);
    return !g->cancelled;
}

// False where memory has ended, or the hooks say so.
static bool search(geodesic *g, const nav_location *source)
{
    uint64_t cones = 0;
    const uint64_t cones_max =
        CONES_MIN + (uint64_t)CONES_A_PORTAL_MAX * (uint64_t)g->mesh->portal_count;
    nav_cones *c = &g->cones;
    nav_cone cone = {.root = {source->position[0], source->position[2]},
                     .left = {(double)source->position[0], (double)source->position[2]},
                     .right = {(double)source->position[0], (double)source->position[2]},
                     .portal = NAV_NONE,
                     .pivot = NAV_NONE};
    bool grown = expand(g, &cone, source->polygon);
    while (grown && c->heap_count > 0 && cones < cones_max) {
        const uint32_t popped = nav_cones_pop(c);
        cone = c->pool->cones[popped];
        c->pool->cones[popped].parent = g->free;
        g->free = popped;
        if (!nav_cone_is_stale(c, &cone)) {
            const bool over_edge = cone.portal < g->mesh->edge_portal_count;
            grown =
                expand(g, &cone,
                       over_edge ? g->mesh->portals[cone.portal].to
                                 : g->jumps[cone.portal - g->mesh->edge_portal_count].to_polygon);
        }
        grown = grown && (++cones % ASK_EACH_CONES != 0 || ask(g));
    }
    c->refused = c->refused || c->heap_count > 0;
    return grown;
}

// ---- the answer ----

static float mark_distance(const geodesic *g, uint32_t portal, int right)
{
    const nav_cone_pool *pool = g->cones.pool;
    const nav_pivot_mark *mark =
        &pool->marks[g->mesh->portal_pivots[portal][right] & NAV_PIVOT_NUMBER];
    return mark->stamp == pool->stamp ? (float)mark->g : INFINITY;
}

static void read_marks(const geodesic *g, float (*ends)[2])
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

// What an arena gives is given back at once.
static void leave_to_arena(void *arena, void *block, size_t size_bytes)
{
    (void)arena;
    (void)block;
    (void)size_bytes;
}

nav_status nav_query_geodesic_ends(const nav_mesh *mesh, const nav_bake_hooks *hooks,
                                   nav_arena *temporary, const nav_location *source,
                                   float *vertices, float (*ends)[2], bool *has_gaps)
{
    nav_costs costs = {.least = 1.0f, .bound = 1.0f, .uniform = true, .open = true};
    for (int i = 0; i < NAV_MESH_AREAS; ++i) {
        costs.area[i] = 1.0f;
    }
    const nav_view view = {.mesh = mesh, .costs = &costs};
    nav_cone_pool pool = {.allocator = {take_from_arena, leave_to_arena, temporary}};
    geodesic g = {.mesh = mesh, .free = NAV_NONE, .vertices = vertices, .hooks = hooks};
    g.apart = NAV_NEW(temporary, bool, mesh->plots[mesh->stats.polygons].corner_first);
    if (g.apart == NULL || !sort_jumps(&g, temporary) ||
        !nav_cones_begin(&g.cones, &view, &pool, 2 * mesh->stats.links)) {
        return NAV_NO_MEMORY;
    }
    find_apart(&g);
    g.cones.home = source->polygon;
    g.cones.way_homes = g.jumps != NULL ? &g.jumps[0].to_polygon : NULL;
    g.cones.way_stride = sizeof(jump) / sizeof(uint32_t);
    for (uint32_t i = 0; vertices != NULL && i < mesh->stats.vertices; ++i) {
        vertices[i] = INFINITY;
    }
    if (!search(&g, source)) {
        return g.cancelled ? NAV_CANCELLED : NAV_NO_MEMORY;
    }
    read_marks(&g, ends);
    if (has_gaps != NULL) {
        *has_gaps = g.cones.refused;
    }
    return NAV_OK;
}

nav_status nav_query_geodesic(const nav_mesh *mesh, nav_arena *temporary,
                              const nav_location *source, float *out)
{
    return nav_query_geodesic_ends(mesh, NULL, temporary, source, out, NULL, NULL);
}
