// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// merge.c: which edges two polygons share; triangles are merged over them to convex polygons.
//
// The longest shared edge goes first, as that leaves the roundest polygons. Merging over an edge
// needs a corner below 180 degrees at both of its ends. Corners only grow when more is merged, and
// so does the number of vertices: an edge that was refused once need not be asked again. So all
// edges are sorted once and looked at once, and merged polygons are found by their set (Tarjan's
// union-find) instead of by searching pairs.

#include "core/base/heap.h"
#include "core/bake/polygons/polygons.h"

#include <string.h>

uint32_t nav_polygon_size(const nav_polygons *mesh, uint32_t polygon)
{
    const uint32_t *row = mesh->polygon_vertices + (size_t)polygon * mesh->max_vertices;
    uint32_t size = 0;
    while (size < mesh->max_vertices && row[size] != NAV_NONE) {
        size++;
    }
    return size;
}

// An edge waiting for its twin. Kept in a table with open addressing: entries with equal ends are
// met in the order in which they came, whatever the hash.
typedef struct open_edge {
    uint32_t from, to; // from is NAV_NONE in an empty slot
    uint32_t polygon, edge;
    bool taken;
} open_edge;

typedef struct edge_table {
    open_edge *slots;
    size_t mask;
} edge_table;

static size_t edge_hash(uint32_t a, uint32_t b)
{
    uint64_t low = a < b ? a : b, high = a < b ? b : a;
    return (size_t)(((low << 32 | high) * 0x9e3779b97f4a7c15u) >> 24);
}

// Takes the first open edge that leads back from `to` to `from` in the same group; NULL if there is
// none, and then the edge itself is left open.
static const open_edge *match_edge(edge_table *table, uint32_t from, uint32_t to, uint32_t polygon,
                                   uint32_t edge, const uint32_t *groups)
{
    size_t slot = edge_hash(from, to) & table->mask;
    for (; table->slots[slot].from != NAV_NONE; slot = (slot + 1) & table->mask) {
        open_edge *other = &table->slots[slot];
        if (other->from == to && other->to == from && !other->taken && other->polygon != polygon &&
            (groups == NULL || groups[other->polygon] == groups[polygon])) {
            other->taken = true;
            return other;
        }
    }
    table->slots[slot] = (open_edge){.from = from, .to = to, .polygon = polygon, .edge = edge};
    return NULL;
}

static bool table_init(nav_arena *arena, edge_table *table, size_t edges)
{
    size_t slots = 16;
    while (slots < edges * 2) {
        slots *= 2;
    }
    NAV_ASSERT((slots & (slots - 1)) == 0);
    table->slots = NAV_NEW(arena, open_edge, slots);
    table->mask = slots - 1;
    for (size_t i = 0; table->slots != NULL && i < slots; i++) {
        table->slots[i].from = NAV_NONE;
    }
    return table->slots != NULL;
}

nav_status nav_polygons_pair_edges(nav_arena *arena, const nav_polygons *mesh, uint32_t first,
                                   const uint32_t *groups, nav_edge_pair **out, uint32_t *out_count)
{
    size_t edges = 0;
    for (uint32_t i = first; i < mesh->count; i++) {
        edges += nav_polygon_size(mesh, i);
    }
    nav_edge_pair *pairs = NAV_NEW(arena, nav_edge_pair, edges / 2);
    nav_arena_mark mark = nav_arena_save(arena);
    edge_table table;
    if (pairs == NULL || edges > UINT32_MAX || !table_init(arena, &table, edges)) {
        return NAV_NO_MEMORY;
    }
    uint32_t count = 0;
    for (uint32_t i = first; i < mesh->count; i++) {
        const uint32_t *row = mesh->polygon_vertices + (size_t)i * mesh->max_vertices;
        uint32_t size = nav_polygon_size(mesh, i);
        for (uint32_t edge = 0; edge < size; edge++) {
            uint32_t from = row[edge], to = row[edge + 1 == size ? 0 : edge + 1];
            const open_edge *twin = nav_polygons_is_wall(mesh, from, to)
                                        ? NULL
                                        : match_edge(&table, from, to, i, edge, groups);
            if (twin != NULL) {
                pairs[count++] = (nav_edge_pair){.polygon_a = twin->polygon,
                                                 .polygon_b = i,
                                                 .edge_a = twin->edge,
                                                 .edge_b = edge,
                                                 .v0 = to,
                                                 .v1 = from};
            }
        }
    }
    NAV_ASSERT(count <= edges / 2);
    nav_arena_restore(arena, mark);
    *out = pairs;
    *out_count = count;
    return NAV_OK;
}

// The polygon into which this one was merged; shortens the path for the next time.
static uint32_t find_owner(uint32_t *owner, uint32_t polygon)
{
    while (owner[polygon] != polygon) {
        owner[polygon] = owner[owner[polygon]];
        polygon = owner[polygon];
    }
    return polygon;
}

static uint32_t find_edge(const uint32_t *row, uint32_t size, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < size; i++) {
        if (row[i] == from && row[i + 1 == size ? 0 : i + 1] == to) {
            return i;
        }
    }
    return NAV_NONE;
}

// The corner that two polygons form together at the end of an edge turns left.
static bool stays_convex(const nav_polygons *mesh, uint32_t before, uint32_t at, uint32_t after)
{
    return nav_plan_turn(nav_polygons_plan(mesh, before), nav_polygons_plan(mesh, at),
                         nav_polygons_plan(mesh, after)) > 0;
}

// Merges b into a over the edge v0 -> v1 of a if that is allowed.
//
//        a ... v0 ------> v1 ... a       The result: a's vertices from v1 round to the one before
//        b ... v0 <------ v1 ... b       v0, then b's from v0 round to the one before v1.
static bool merge_pair(nav_polygons *mesh, uint32_t a, uint32_t b, uint32_t v0, uint32_t v1)
{
    uint32_t *row_a = mesh->polygon_vertices + (size_t)a * mesh->max_vertices;
    uint32_t *row_b = mesh->polygon_vertices + (size_t)b * mesh->max_vertices;
    uint32_t size_a = nav_polygon_size(mesh, a), size_b = nav_polygon_size(mesh, b);
    if (a == b || size_a + size_b - 2 > mesh->max_vertices) {
        return false;
    }
    uint32_t edge_a = find_edge(row_a, size_a, v0, v1);
    uint32_t edge_b = find_edge(row_b, size_b, v1, v0);
    if (edge_a == NAV_NONE || edge_b == NAV_NONE ||
        !stays_convex(mesh, row_a[(edge_a + size_a - 1) % size_a], v0,
                      row_b[(edge_b + 2) % size_b]) ||
        !stays_convex(mesh, row_b[(edge_b + size_b - 1) % size_b], v1,
                      row_a[(edge_a + 2) % size_a])) {
        return false;
    }
    uint32_t merged[NAV_POLYGON_VERTICES_MAX];
    uint32_t size = 0;
    for (uint32_t i = 1; i < size_a; i++) {
        merged[size++] = row_a[(edge_a + i) % size_a];
    }
    for (uint32_t i = 1; i < size_b; i++) {
        merged[size++] = row_b[(edge_b + i) % size_b];
    }
    NAV_ASSERT(mesh->areas[a] == mesh->areas[b]);
    memcpy(row_a, merged, size * sizeof *merged);
    if (mesh->regions[a] != mesh->regions[b]) {
        mesh->regions[a] = 0; // only where a removed vertex has joined them
    }
    return true;
}

// Moves the polygons that still own themselves together.
static void drop_merged(nav_polygons *mesh, uint32_t first, const uint32_t *owner)
{
    size_t stride = mesh->max_vertices;
    uint32_t kept = first;
    for (uint32_t i = first; i < mesh->count; i++) {
        if (owner[i - first] != i - first) {
            continue;
        }
        memmove(mesh->polygon_vertices + kept * stride, mesh->polygon_vertices + i * stride,
                stride * sizeof *mesh->polygon_vertices);
        mesh->areas[kept] = mesh->areas[i];
        mesh->regions[kept] = mesh->regions[i];
        kept++;
    }
    mesh->count = kept;
}

nav_status nav_polygons_merge(const nav_bake_job *job, nav_polygons *mesh, uint32_t first,
                              const uint32_t *groups)
{
    NAV_ASSERT(mesh->max_vertices <= NAV_POLYGON_VERTICES_MAX);
    nav_arena *scratch = job->scratch;
    nav_arena_mark mark = nav_arena_save(scratch);
    nav_edge_pair *pairs;
    uint32_t pair_count;
    if (nav_polygons_pair_edges(scratch, mesh, first, groups, &pairs, &pair_count) != NAV_OK) {
        return NAV_NO_MEMORY;
    }
    nav_heap order = {.items = NAV_NEW(scratch, nav_heap_item, pair_count), .count = pair_count};
    uint32_t *owner = NAV_NEW(scratch, uint32_t, mesh->count - first);
    if (order.items == NULL || owner == NULL) {
        return NAV_NO_MEMORY;
    }
    for (uint32_t i = 0; i < pair_count; i++) {
        order.items[i] =
            (nav_heap_item){.key = -nav_plan_distance_squared(nav_polygons_plan(mesh, pairs[i].v0),
                                                              nav_polygons_plan(mesh, pairs[i].v1)),
                            .id = i};
    }
    nav_heap_build(&order);
    for (uint32_t i = 0; i < mesh->count - first; i++) {
        owner[i] = i;
    }
    while (order.count > 0) {
        if (nav_cancel_poll(job->cancel, 2 * NAV_STEP_FAR)) {
            return nav_bake_end(job);
        }
        const nav_edge_pair *pair = &pairs[nav_heap_pop(&order).id];
        uint32_t a = find_owner(owner, pair->polygon_a - first);
        uint32_t b = find_owner(owner, pair->polygon_b - first);
        if (a < b ? merge_pair(mesh, first + a, first + b, pair->v0, pair->v1)
                  : merge_pair(mesh, first + b, first + a, pair->v1, pair->v0)) {
            owner[a < b ? b : a] = a < b ? a : b;
        }
    }
    drop_merged(mesh, first, owner);
    nav_arena_restore(scratch, mark);
    return NAV_OK;
}
