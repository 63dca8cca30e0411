// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// diff.c: what became of the islands from one version of a mesh to the next:
//
//   polygons of both --middle on the other mesh?--> pairs of islands with the ground they share
//     --most ground first--> partners --> islands without one, and those that are not the same
//
// Polygons of two bakes need not have anything in common, hence the middles; each polygon votes
// with its area.

#include "core/base/tolerances.h"
#include "core/mesh/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Ground that two islands share.
typedef struct pair {
    uint32_t before, after; // components
    double area;
} pair;

typedef struct compare {
    const nav_mesh *meshes[2];
    nav_island *islands[2]; // by component, from 1
    uint32_t *partners[2];  // by component: that of the other mesh, or 0
    bool *shared[2];
    pair *pairs;
    uint32_t pair_count;
} compare;

// ---- islands ----

static void measure(const nav_mesh *mesh, nav_island *islands)
{
    for (uint32_t p = 0; p < mesh->stats.polygons; p++) {
        nav_island *island = &islands[mesh->records[p].component];
        bool first = island->polygons == 0;
        island->component = mesh->records[p].component;
        island->polygons++;
        island->area += nav_mesh_polygon_area(mesh, p);
        for (uint32_t k = mesh->records[p].corner_first; k < mesh->records[p + 1].corner_first;
             k++) {
            const float *vertex = mesh->vertices[mesh->corners[k]];
            for (int axis = 0; axis < 3; axis++) {
                float value = vertex[axis];
                island->min[axis] = first || value < island->min[axis] ? value : island->min[axis];
                island->max[axis] = first || value > island->max[axis] ? value : island->max[axis];
            }
            first = false;
        }
    }
}

// ---- pairs ----

static void middle_of(const nav_mesh *mesh, uint32_t polygon, float out[3])
{
    uint32_t first = mesh->records[polygon].corner_first,
             end = mesh->records[polygon + 1].corner_first;
    double sum[3] = {0};
    for (uint32_t k = first; k < end; k++) {
        for (int axis = 0; axis < 3; axis++) {
            sum[axis] += (double)mesh->vertices[mesh->corners[k]][axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = (float)(sum[axis] / (double)(end - first));
    }
}

static void add_pairs(compare *c, int from, nav_snap snap)
{
    const nav_mesh *mesh = c->meshes[from], *other = c->meshes[1 - from];
    for (uint32_t p = 0; p < mesh->stats.polygons; p++) {
        float middle[3];
        nav_location location;
        middle_of(mesh, p, middle);
        if (nav_query_nearest(other, middle, snap, NAV_NONE, &location, 1) == 0) {
            continue;
        }
        uint32_t here = mesh->records[p].component,
                 there = other->records[location.polygon].component;
        c->pairs[c->pair_count++] = (pair){.before = from == 0 ? here : there,
                                           .after = from == 0 ? there : here,
                                           .area = nav_mesh_polygon_area(mesh, p)};
    }
}

static int by_islands(const void *a, const void *b)
{
    const pair *p = a, *q = b;
    if (p->before != q->before) {
        return p->before < q->before ? -1 : 1;
    }
    if (p->after != q->after) {
        return p->after < q->after ? -1 : 1;
    }
    // Sums of fractions depend on their order.
    return p->area < q->area ? -1 : p->area > q->area;
}

static int by_area(const void *a, const void *b)
{
    const pair *p = a, *q = b;
    if (p->area != q->area) {
        return p->area > q->area ? -1 : 1;
    }
    return p->before != q->before ? (p->before < q->before ? -1 : 1)
                                  : (p->after < q->after ? -1 : p->after > q->after);
}

// One pair for each two islands.
static void sum_pairs(compare *c)
{
    uint32_t used = 0;
    qsort(c->pairs, c->pair_count, sizeof *c->pairs, by_islands);
    for (uint32_t i = 0; i < c->pair_count; i++) {
        pair *last = used > 0 ? &c->pairs[used - 1] : NULL;
        if (last != NULL && last->before == c->pairs[i].before &&
            last->after == c->pairs[i].after) {
            last->area += c->pairs[i].area;
        } else {
            c->pairs[used++] = c->pairs[i];
        }
    }
    c->pair_count = used;
}

static void find_partners(compare *c)
{
    qsort(c->pairs, c->pair_count, sizeof *c->pairs, by_area);
    for (uint32_t i = 0; i < c->pair_count; i++) {
        const pair *p = &c->pairs[i];
        if (c->partners[0][p->before] == 0 && c->partners[1][p->after] == 0) {
            c->partners[0][p->before] = p->after;
            c->partners[1][p->after] = p->before;
        }
        c->shared[0][p->before] = true;
        c->shared[1][p->after] = true;
    }
}

// ---- changes ----

static bool is_same(const nav_island *a, const nav_island *b)
{
    bool same = fabs(a->area - b->area) <= NAV_DIFF_MIN;
    for (int axis = 0; same && axis < 3; axis++) {
        same = fabs((double)(a->min[axis] - b->min[axis])) <= NAV_DIFF_MIN &&
               fabs((double)(a->max[axis] - b->max[axis])) <= NAV_DIFF_MIN;
    }
    return same;
}

static uint32_t list_changes(const compare *c, nav_island_change *changes)
{
    uint32_t count = 0;
    for (uint32_t i = 1; i <= c->meshes[0]->stats.components; i++) {
        const nav_island *island = &c->islands[0][i];
        uint32_t partner = c->partners[0][i];
        if (partner == 0) {
            changes[count++] = (nav_island_change){.before = *island, .shared = c->shared[0][i]};
        } else if (!is_same(island, &c->islands[1][partner])) {
            changes[count++] =
                (nav_island_change){.before = *island, .after = c->islands[1][partner]};
        }
    }
    for (uint32_t i = 1; i <= c->meshes[1]->stats.components; i++) {
        if (c->partners[1][i] == 0) {
            changes[count++] =
                (nav_island_change){.after = c->islands[1][i], .shared = c->shared[1][i]};
        }
    }
    return count;
}

nav_status nav_mesh_compare(const nav_mesh *before, const nav_mesh *after, nav_snap snap,
                            nav_arena *result, nav_mesh_diff *out, nav_error *err)
{
    compare c = {.meshes = {before, after}};
    size_t islands = (size_t)before->stats.components + after->stats.components;
    nav_island_change *changes = NAV_NEW(result, nav_island_change, islands);
    c.pairs = NAV_NEW(result, pair, (size_t)before->stats.polygons + after->stats.polygons);
    bool whole = changes != NULL && c.pairs != NULL;
    for (int side = 0; side < 2; side++) {
        size_t count = (size_t)c.meshes[side]->stats.components + 1;
        c.islands[side] = NAV_NEW_ZERO(result, nav_island, count);
        c.partners[side] = NAV_NEW_ZERO(result, uint32_t, count);
        c.shared[side] = NAV_NEW_ZERO(result, bool, count);
        whole =
            whole && c.islands[side] != NULL && c.partners[side] != NULL && c.shared[side] != NULL;
    }
    if (!whole) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to compare two meshes");
    }
    for (int side = 0; side < 2; side++) {
        measure(c.meshes[side], c.islands[side]);
        add_pairs(&c, side, snap);
    }
    sum_pairs(&c);
    find_partners(&c);
    *out = (nav_mesh_diff){.islands = changes, .island_count = list_changes(&c, changes)};
    return NAV_OK;
}

nav_status nav_tile_bounds(nav_blob blob, float min[3], float max[3], nav_error *err)
{
    nav_tile tile;
    nav_status status = nav_tile_open(blob, &tile, err);
    if (status != NAV_OK) {
        return status;
    }
    const nav_tile_header *h = tile.header;
    memcpy(min, tile.nodes[0].min, sizeof tile.nodes[0].min);
    memcpy(max, tile.nodes[0].max, sizeof tile.nodes[0].max);
    if (h->tile_cells > 0) {
        double side = (double)h->tile_cells * (double)h->cell_size;
        min[0] = (float)((double)h->grid_min[0] + (double)h->tile_x * side);
        min[2] = (float)((double)h->grid_min[2] + (double)h->tile_z * side);
        max[0] = (float)((double)min[0] + side);
        max[2] = (float)((double)min[2] + side);
    }
    return NAV_OK;
}
