// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_fetch.c: asks memory for what a question will read first. In a large mesh finding a place
// is a chain of reads that all miss the cache, each waiting for the one before:
//
//   cell -> its polygons -> their boxes, corners, detail -> vertices
//
// Two points have two chains. Here they are walked side by side, a link of both at a time, so that
// they are waited for once; what is read is only asked for, and no answer depends on it.

#include "query.h"

// A mesh this small stays in a core's own cache, and asking would cost more than it saves.
#define BYTES_MIN ((size_t)512 << 10)
// Polygons of a cell that are asked for.
#define LOOKED_AT_MAX 8u
#define POINTS 2
// The least indices of a four-byte array that share a line of the cache.
#define SAME_LINE 16u

typedef struct column {
    float x, z;
    const uint32_t *first;    // of its cell
    const uint32_t *polygons; // in its cell
    uint32_t count;
} column;

static inline void ask_for(const void *at)
{
    __builtin_prefetch(at, 0, 3);
}

static void ask_for_cell(const nav_locate *l, const float point[3], column *c)
{
    const uint32_t x = nav_locate_cell(point[0], l->min[0], l->per_cell, l->width);
    const uint32_t z = nav_locate_cell(point[2], l->min[1], l->per_cell, l->depth);
    *c = (column){.x = point[0], .z = point[2], .first = &l->cell_first[(size_t)z * l->width + x]};
    ask_for(c->first);
}

static void ask_for_list(const nav_locate *l, column *c)
{
    const uint32_t count = c->first[1] - c->first[0];
    c->polygons = l->cell_polygons + c->first[0];
    c->count = count < LOOKED_AT_MAX ? count : LOOKED_AT_MAX;
    ask_for(c->polygons);
    ask_for(c->polygons + c->count);
}

// The tables by polygon. Polygons of a cell have numbers close to each other.
static void ask_for_entries(const nav_mesh *mesh, const column *c)
{
    uint32_t line = NAV_NONE;
    for (uint32_t i = 0; i < c->count; ++i) {
        const uint32_t polygon = c->polygons[i];
        if (polygon / SAME_LINE != line) {
            line = polygon / SAME_LINE;
            ask_for(&mesh->locate.leaves[polygon]);
            ask_for(&mesh->corner_first[polygon]);
            ask_for(&mesh->detail_triangle_first[polygon]);
            ask_for(&mesh->detail_vertex_first[polygon]);
            ask_for(&mesh->components[polygon]);
            ask_for(&mesh->areas[polygon]);
        }
    }
}

static void ask_for_polygons(const nav_mesh *mesh, const column *c)
{
    for (uint32_t i = 0; i < c->count; ++i) {
        const uint32_t polygon = c->polygons[i];
        const uint32_t triangle = mesh->detail_triangle_first[polygon];
        ask_for(&mesh->nodes[mesh->locate.leaves[polygon]]);
        ask_for(&mesh->corners[mesh->corner_first[polygon]]);
        ask_for(&mesh->locate.detail_bounds[triangle]);
        ask_for(&mesh->detail_triangles[triangle]);
        ask_for(&mesh->detail_vertices[mesh->detail_vertex_first[polygon]]);
    }
}

// Of those whose bounds hold the point.
static void ask_for_vertices(const nav_mesh *mesh, const column *c)
{
    for (uint32_t i = 0; i < c->count; ++i) {
        const uint32_t polygon = c->polygons[i];
        const nav_tile_node *leaf = &mesh->nodes[mesh->locate.leaves[polygon]];
        if (c->x < leaf->min[0] || c->x > leaf->max[0] || c->z < leaf->min[2] ||
            c->z > leaf->max[2]) {
            continue;
        }
        const uint32_t end = mesh->corner_first[polygon + 1];
        for (uint32_t k = mesh->corner_first[polygon]; k < end; ++k) {
            ask_for(mesh->vertices[mesh->corners[k]]);
        }
    }
}

void nav_query_fetch(const nav_mesh *mesh, const float a[3], const float b[3])
{
    if (mesh->locate.block == NULL || mesh->stats.memory_bytes < BYTES_MIN) {
        return;
    }
    const float *points[POINTS] = {a, b};
    column columns[POINTS];
    for (int i = 0; i < POINTS; ++i) {
        ask_for_cell(&mesh->locate, points[i], &columns[i]);
    }
    for (int i = 0; i < POINTS; ++i) {
        ask_for_list(&mesh->locate, &columns[i]);
    }
    for (int i = 0; i < POINTS; ++i) {
        ask_for_entries(mesh, &columns[i]);
    }
    for (int i = 0; i < POINTS; ++i) {
        ask_for_polygons(mesh, &columns[i]);
    }
    for (int i = 0; i < POINTS; ++i) {
        ask_for_vertices(mesh, &columns[i]);
    }
}
