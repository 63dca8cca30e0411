// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// mesh_locate.c: what finds the polygons at a point without a descent: a grid over the mesh in plan
// view, a tree over the tiles' trees for points beside the mesh, and the bounds of each triangle of
// height detail.
//
//      +---+---+---+    A cell lists the polygons whose bounds it overlaps or touches, in rising
//      | a |a b| b |    order, so that all that hold a point are in the list of the point's cell.
//      +---+---+---+    Cells are made about half as large as polygons are.

#include "mesh.h"

#include <math.h>
#include <string.h>

// Lists are to be no longer than this in sum, by polygon: cells grow until that holds.
#define ENTRIES_MAX 12u
#define CELLS_MAX 2u // by polygon

typedef struct cell_range {
    uint32_t x0, z0, x1, z1; // all included
} cell_range;

uint32_t nav_locate_cell(float at, float min, float per_cell, uint32_t count)
{
    const float cell = (at - min) * per_cell;
    return !(cell > 0.0f) ? 0 : cell >= (float)count ? count - 1 : (uint32_t)cell;
}

static cell_range range_of(const nav_mesh *mesh, uint32_t polygon)
{
    const nav_locate *l = &mesh->locate;
    const nav_tile_node *leaf = &mesh->nodes[l->leaves[polygon]];
    return (cell_range){.x0 = nav_locate_cell(leaf->min[0], l->min[0], l->per_cell, l->width),
                        .z0 = nav_locate_cell(leaf->min[2], l->min[1], l->per_cell, l->depth),
                        .x1 = nav_locate_cell(leaf->max[0], l->min[0], l->per_cell, l->width),
                        .z1 = nav_locate_cell(leaf->max[2], l->min[1], l->per_cell, l->depth)};
}

static uint64_t count_entries(const nav_mesh *mesh)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < mesh->stats.polygons; ++i) {
        const cell_range r = range_of(mesh, i);
        count += (uint64_t)(r.x1 - r.x0 + 1) * (r.z1 - r.z0 + 1);
    }
    return count;
}

// Chooses the cells. Returns the sum of the lists' lengths.
static uint64_t lay_grid(nav_mesh *mesh)
{
    nav_locate *l = &mesh->locate;
    const double polygons = (double)mesh->stats.polygons;
    const double width = (double)mesh->stats.max[0] - (double)mesh->stats.min[0];
    const double depth = (double)mesh->stats.max[2] - (double)mesh->stats.min[2];
    const double longest = width > depth ? width : depth;
    double cell = sqrt(width * depth / (CELLS_MAX * polygons));
    cell = cell > longest / (CELLS_MAX * polygons) ? cell : longest / (CELLS_MAX * polygons);
    cell = cell > 1e-3 ? cell : 1e-3;
    l->min[0] = mesh->stats.min[0];
    l->min[1] = mesh->stats.min[2];
    for (;; cell *= 1.5) {
        l->width = (uint32_t)(width / cell) + 1;
        l->depth = (uint32_t)(depth / cell) + 1;
        l->per_cell = (float)(1.0 / cell);
        const uint64_t entries = count_entries(mesh);
        if (entries <= (uint64_t)ENTRIES_MAX * mesh->stats.polygons ||
            (l->width == 1 && l->depth == 1)) {
            return entries;
        }
    }
}

// A counting sort of the polygons by cell.
static void fill_grid(nav_mesh *mesh)
{
    nav_locate *l = &mesh->locate;
    uint32_t *first = l->cell_first;
    memset(first, 0, ((size_t)l->width * l->depth + 1) * sizeof *first);
    for (int pass = 0; pass < 2; ++pass) {
        for (uint32_t i = mesh->stats.polygons; i-- > 0;) {
            const cell_range r = range_of(mesh, i);
            for (uint32_t z = r.z0; z <= r.z1; ++z) {
                for (uint32_t x = r.x0; x <= r.x1; ++x) {
                    const size_t cell = (size_t)z * l->width + x;
                    if (pass == 0) {
                        ++first[cell];
                    } else {
                        l->cell_polygons[--first[cell]] = i;
                    }
                }
            }
        }
        // First the sums, which say where each list ends; filling from the back makes them begins.
        for (size_t cell = 0, sum = 0; pass == 0 && cell <= (size_t)l->width * l->depth; ++cell) {
            sum += first[cell];
            first[cell] = (uint32_t)sum;
        }
    }
}

static void fill_top(nav_mesh *mesh, nav_tile_node *leaves)
{
    for (uint32_t i = 0; i < mesh->root_count; ++i) {
        leaves[i] = mesh->nodes[mesh->roots[i]];
        leaves[i].polygon = mesh->roots[i];
    }
    nav_tile_tree_build(leaves, mesh->root_count, mesh->locate.top);
}

// A corner of a polygon or a vertex of its detail, within the polygon's bounds.
typedef struct detail_spot {
    uint8_t from[2], to[2]; // x, z
} detail_spot;

// The nearest of what there is; two selections, no branch.
static uint8_t to_byte(float value)
{
    const float low = value > 0.0f ? value : 0.0f;
    return (uint8_t)(low < 255.0f ? low : 255.0f);
}

// In 255ths of the polygon's bounds, rounded outwards. As this never falls where the place rises, a
// triangle's bounds are the least and the greatest of its corners'.
static void place_spot(const nav_tile_node *leaf, const float per_unit[2], const float at[3],
                       detail_spot *spot)
{
    for (int axis = 0; axis < 2; ++axis) {
        const float place = (at[2 * axis] - leaf->min[2 * axis]) * per_unit[axis];
        spot->from[axis] = to_byte(place - 1.0f);
        spot->to[axis] = to_byte(place + 1.0f);
    }
}

// All of a polygon's, as its triangles number them.
static void place_spots(const nav_mesh *mesh, uint32_t polygon, detail_spot *spots)
{
    const nav_tile_node *leaf = &mesh->nodes[mesh->locate.leaves[polygon]];
    const uint32_t own_end = mesh->corner_first[polygon + 1];
    const uint32_t detail_end = mesh->detail_vertex_first[polygon + 1];
    float per_unit[2];
    for (int axis = 0; axis < 2; ++axis) {
        const float size = leaf->max[2 * axis] - leaf->min[2 * axis];
        per_unit[axis] = size > 0.0f ? 255.0f / size : 0.0f;
    }
    for (uint32_t i = mesh->corner_first[polygon]; i < own_end; ++i) {
        place_spot(leaf, per_unit, mesh->vertices[mesh->corners[i]], spots++);
    }
    for (uint32_t i = mesh->detail_vertex_first[polygon]; i < detail_end; ++i) {
        place_spot(leaf, per_unit, mesh->detail_vertices[i], spots++);
    }
}

static uint8_t least(uint8_t a, uint8_t b)
{
    return a < b ? a : b;
}

static uint8_t greatest(uint8_t a, uint8_t b)
{
    return a > b ? a : b;
}

static uint32_t spot_count(const nav_mesh *mesh, uint32_t polygon)
{
    return mesh->corner_first[polygon + 1] - mesh->corner_first[polygon] +
           mesh->detail_vertex_first[polygon + 1] - mesh->detail_vertex_first[polygon];
}

static uint32_t spot_count_max(const nav_mesh *mesh)
{
    uint32_t count = 0;
    for (uint32_t p = 0; p < mesh->stats.polygons; ++p) {
        count = spot_count(mesh, p) > count ? spot_count(mesh, p) : count;
    }
    return count;
}

// spots: spot_count_max of them.
static void fill_detail_bounds(nav_mesh *mesh, detail_spot *spots)
{
    for (uint32_t p = 0; p < mesh->stats.polygons; ++p) {
        const uint32_t end = mesh->detail_triangle_first[p + 1];
        place_spots(mesh, p, spots);
        for (uint32_t t = mesh->detail_triangle_first[p]; t < end; ++t) {
            const uint16_t *at = mesh->detail_triangles[t];
            uint8_t *out = mesh->locate.detail_bounds[t];
            for (int axis = 0; axis < 2; ++axis) {
                out[axis] = least(least(spots[at[0]].from[axis], spots[at[1]].from[axis]),
                                  spots[at[2]].from[axis]);
                out[2 + axis] = greatest(greatest(spots[at[0]].to[axis], spots[at[1]].to[axis]),
                                         spots[at[2]].to[axis]);
            }
        }
    }
}

// A tile's tree is verified node by node, but not that it has every polygon. False where one is
// missing.
static bool find_leaves(nav_mesh *mesh)
{
    uint32_t *leaves = mesh->locate.leaves;
    uint32_t found = 0;
    memset(leaves, 0xff, mesh->stats.polygons * sizeof *leaves);
    for (uint32_t i = 0; i < mesh->node_count; ++i) {
        const uint32_t polygon = mesh->nodes[i].polygon;
        if (polygon != NAV_NONE) {
            found += leaves[polygon] == NAV_NONE;
            leaves[polygon] = i;
        }
    }
    return found == mesh->stats.polygons;
}

nav_status nav_mesh_prepare_locate(nav_mesh *mesh, nav_arena *temporary)
{
    nav_locate *l = &mesh->locate;
    const nav_arena_mark mark = nav_arena_save(temporary);
    const uint32_t polygons = mesh->stats.polygons;
    if (polygons == 0) {
        return NAV_OK;
    }
    nav_tile_node *top_leaves = NAV_NEW(temporary, nav_tile_node, mesh->root_count);
    detail_spot *spots = NAV_NEW(temporary, detail_spot, spot_count_max(mesh));
    l->leaves = NAV_NEW(temporary, uint32_t, polygons);
    if (top_leaves == NULL || spots == NULL || l->leaves == NULL) {
        return NAV_NO_MEMORY;
    }
    if (!find_leaves(mesh)) {
        return NAV_BAD_BLOB;
    }
    const uint64_t entries = lay_grid(mesh);
    const size_t top_bytes = (2 * (size_t)mesh->root_count - 1) * sizeof *l->top;
    const size_t leaf_bytes = polygons * sizeof *l->leaves;
    const size_t first_bytes = ((size_t)l->width * l->depth + 1) * sizeof *l->cell_first;
    const size_t entry_bytes = (size_t)entries * sizeof *l->cell_polygons;
    const size_t bound_bytes =
        (size_t)mesh->detail_triangle_first[polygons] * sizeof *l->detail_bounds;
    l->block_bytes = top_bytes + leaf_bytes + first_bytes + entry_bytes + bound_bytes;
    uint8_t *block =
        entries < NAV_NONE ? mesh->allocator.alloc(mesh->allocator.user, l->block_bytes) : NULL;
    if (block == NULL) {
        return NAV_NO_MEMORY;
    }
    l->block = block;
    l->top = (void *)block;
    l->leaves = memcpy(block + top_bytes, l->leaves, leaf_bytes);
    l->cell_first = (void *)(block + top_bytes + leaf_bytes);
    l->cell_polygons = (void *)(block + top_bytes + leaf_bytes + first_bytes);
    l->detail_bounds = (void *)(block + top_bytes + leaf_bytes + first_bytes + entry_bytes);
    fill_grid(mesh);
    fill_top(mesh, top_leaves);
    fill_detail_bounds(mesh, spots);
    mesh->stats.memory_bytes += l->block_bytes;
    nav_arena_restore(temporary, mark);
    return NAV_OK;
}
