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

// Fills the polygons' ranges. Returns the sum of the lists' lengths.
static uint64_t measure_lists(const nav_mesh *mesh, cell_range *ranges)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < mesh->stats.polygons && !nav_mesh_ask(mesh, 1); ++i) {
        const cell_range r = range_of(mesh, i);
        count += (uint64_t)(r.x1 - r.x0 + 1) * (r.z1 - r.z0 + 1);
        ranges[i] = r;
    }
    return count;
}

// Chooses the cells. Returns the sum of the lists' lengths.
static uint64_t lay_grid(nav_mesh *mesh, cell_range *ranges)
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
        const uint64_t entries = measure_lists(mesh, ranges);
        if (entries <= (uint64_t)ENTRIES_MAX * mesh->stats.polygons ||
            (l->width == 1 && l->depth == 1)) {
            return entries;
        }
    }
}

// A counting sort of the polygons by cell.
static void fill_grid(nav_mesh *mesh, const cell_range *ranges)
{
    nav_locate *l = &mesh->locate;
    const size_t cells = (size_t)l->width * l->depth;
    uint32_t *first = l->cell_first;
    memset(first, 0, (cells + 1) * sizeof *first);
    for (uint32_t i = 0; i < mesh->stats.polygons && !nav_mesh_ask(mesh, 1); ++i) {
        const cell_range r = ranges[i];
        for (uint32_t z = r.z0; z <= r.z1; ++z) {
            uint32_t *row = first + (size_t)z * l->width;
            for (uint32_t x = r.x0; x <= r.x1; ++x) {
                ++row[x];
            }
        }
    }
    // The sums say where each list ends; filling from the back makes them begins.
    for (size_t cell = 0, sum = 0; cell <= cells; ++cell) {
        sum += first[cell];
        first[cell] = (uint32_t)sum;
    }
    for (uint32_t i = mesh->stats.polygons; i-- > 0 && !nav_mesh_ask(mesh, 1);) {
        const cell_range r = ranges[i];
        for (uint32_t z = r.z0; z <= r.z1; ++z) {
            uint32_t *row = first + (size_t)z * l->width;
            for (uint32_t x = r.x0; x <= r.x1; ++x) {
                l->cell_polygons[--row[x]] = i;
            }
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

// A corner of a polygon or a vertex of its detail, within the polygon's bounds: from x, from z, and
// what the greatest x and z are short of 255, a number of 8 bits in each 16. The bounds of several
// are the least of each of the four.
typedef uint64_t detail_spot;

// A polygon's bounds along one axis.
typedef struct extent {
    float min, per_unit; // 255ths a unit; 0 where the polygon is too thin to tell
} extent;

static extent extent_of(float min, float max)
{
    const float size = max - min;
    return (extent){.min = min, .per_unit = size > 1e-6f ? 255.0f / size : 0.0f};
}

static uint64_t to_byte(int64_t value)
{
    const int64_t low = value > 0 ? value : 0;
    return (uint64_t)(low < 255 ? low : 255);
}

// In 255ths of the polygon's bounds, rounded outwards. As this never falls where the place rises, a
// triangle's bounds are the least and the greatest of its corners'. A place lies within 2^53 of
// them, so that it can be clamped as an integer: many are 0 or 255, and branches would not know.
static uint64_t place_along(extent e, float at)
{
    const float place = (at - e.min) * e.per_unit;
    const uint64_t from = to_byte((int64_t)place - 1);
    const uint64_t to = to_byte((int64_t)(place + 1.001f));
    return e.per_unit > 0.0f ? from | (255 - to) << 32 : 0;
}

static detail_spot place_spot(extent x, extent z, const float at[3])
{
    return place_along(x, at[0]) | place_along(z, at[2]) << 16;
}

// All of a polygon's, as its triangles number them.
static void place_spots(const nav_mesh *mesh, uint32_t polygon, detail_spot *spots)
{
    const nav_tile_node *leaf = &mesh->nodes[mesh->locate.leaves[polygon]];
    const uint32_t own_end = mesh->corner_first[polygon + 1];
    const uint32_t detail_end = mesh->detail_vertex_first[polygon + 1];
    const extent x = extent_of(leaf->min[0], leaf->max[0]);
    const extent z = extent_of(leaf->min[2], leaf->max[2]);
    for (uint32_t i = mesh->corner_first[polygon]; i < own_end; ++i) {
        *spots++ = place_spot(x, z, mesh->vertices[mesh->corners[i]]);
    }
    for (uint32_t i = mesh->detail_vertex_first[polygon]; i < detail_end; ++i) {
        *spots++ = place_spot(x, z, mesh->detail_vertices[i]);
    }
}

static uint32_t spot_count_max(const nav_mesh *mesh)
{
    uint32_t most = 0;
    for (uint32_t p = 0; p < mesh->stats.polygons; ++p) {
        const uint32_t count = mesh->corner_first[p + 1] - mesh->corner_first[p] +
                               mesh->detail_vertex_first[p + 1] - mesh->detail_vertex_first[p];
        most = count > most ? count : most;
    }
    return most;
}

// The least of each 16 bits, which are all below 2^15.
static uint64_t least_of_each(uint64_t a, uint64_t b)
{
    const uint64_t tops = UINT64_C(0x8000800080008000);
    const uint64_t a_is_more = ((a | tops) - b) & tops; // or as much
    const uint64_t mask = a_is_more - (a_is_more >> 15);
    return (b & mask) | (a & ~mask);
}

// spots: spot_count_max of them.
static void fill_detail_bounds(nav_mesh *mesh, detail_spot *spots)
{
    for (uint32_t p = 0; p < mesh->stats.polygons; ++p) {
        const uint32_t end = mesh->detail_triangle_first[p + 1];
        if (nav_mesh_ask(mesh, 1 + end - mesh->detail_triangle_first[p])) {
            return;
        }
        place_spots(mesh, p, spots);
        for (uint32_t t = mesh->detail_triangle_first[p]; t < end; ++t) {
            const uint16_t *at = mesh->detail_triangles[t];
            uint64_t lanes = least_of_each(least_of_each(spots[at[0]], spots[at[1]]), spots[at[2]]);
            lanes ^= UINT64_C(0x00ff00ff00000000);
            lanes |= lanes >> 8;
            const uint32_t bytes = (uint32_t)(lanes & 0xffff) | (uint32_t)(lanes >> 32) << 16;
            memcpy(mesh->locate.detail_bounds[t], &bytes, sizeof bytes);
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
    for (uint32_t i = 0; i < mesh->node_count && !nav_mesh_ask(mesh, 1); ++i) {
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
    cell_range *ranges = NAV_NEW(temporary, cell_range, polygons);
    l->leaves = NAV_NEW(temporary, uint32_t, polygons);
    if (top_leaves == NULL || spots == NULL || ranges == NULL || l->leaves == NULL) {
        return NAV_NO_MEMORY;
    }
    if (!find_leaves(mesh)) {
        return nav_mesh_ask(mesh, 0) ? NAV_CANCELLED : NAV_BAD_BLOB;
    }
    const uint64_t entries = lay_grid(mesh, ranges);
    if (nav_mesh_ask(mesh, 0)) {
        return NAV_CANCELLED; // not all ranges are known
    }
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
    fill_grid(mesh, ranges);
    fill_top(mesh, top_leaves);
    fill_detail_bounds(mesh, spots);
    mesh->stats.memory_bytes += l->block_bytes;
    nav_arena_restore(temporary, mark);
    return nav_mesh_ask_status(mesh);
}

void nav_mesh_forget_locate(nav_mesh *mesh)
{
    nav_locate *l = &mesh->locate;
    if (l->block != NULL) {
        mesh->stats.memory_bytes -= l->block_bytes;
        mesh->allocator.free(mesh->allocator.user, l->block, l->block_bytes);
    }
    *l = (nav_locate){0};
}
