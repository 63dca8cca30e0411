// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// locate.c: what finds the polygons at a point: a grid over the mesh in plan view; a tree of their
// bounds, for what is far away or spread wide; and a box for each triangle of height detail.
//
//      +---+---+---+    A cell lists the polygons whose bounds it overlaps or touches, in rising
//      | a |a b| b |    order, so that all that hold a point are in the list of the point's cell.
//      +---+---+---+    Cells are made about half as large as polygons are.

#include "core/base/tolerances.h"
#include "core/mesh/steps.h"

#include <math.h>
#include <string.h>

// Lists are to be no longer than this in sum, by polygon: cells grow until that holds.
#define ENTRIES_MAX 12u
#define CELLS_RATIO 0.5 // of polygons

// ---- the grid ----

// Fills the polygons' ranges. Returns the sum of the lists' lengths.
static uint64_t measure_lists(const nav_mesh *mesh, nav_cell_range *ranges)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < mesh->stats.polygons && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        const nav_cell_range r = nav_polygon_cells(&mesh->locate, &mesh->records[i]);
        count += (uint64_t)(r.x1 - r.x0 + 1) * (r.z1 - r.z0 + 1);
        ranges[i] = r;
    }
    return count;
}

// Chooses the cells.
static void make_grid(nav_mesh *mesh, nav_cell_range *ranges)
{
    nav_locate *l = &mesh->locate;
    const double polygons = (double)mesh->stats.polygons;
    const double width = (double)mesh->stats.max[0] - (double)mesh->stats.min[0];
    const double depth = (double)mesh->stats.max[2] - (double)mesh->stats.min[2];
    const double longest = width > depth ? width : depth;
    double cell = sqrt(width * depth / (CELLS_RATIO * polygons));
    cell = cell > longest / (CELLS_RATIO * polygons) ? cell : longest / (CELLS_RATIO * polygons);
    cell = cell > NAV_LOCATE_CELL_MIN ? cell : NAV_LOCATE_CELL_MIN;
    l->min[0] = mesh->stats.min[0];
    l->min[1] = mesh->stats.min[2];
    for (;; cell *= 1.1) {
        l->width = (uint32_t)(width / cell) + 1;
        l->depth = (uint32_t)(depth / cell) + 1;
        const double cells = (double)l->width * (double)l->depth;
        if (cells > 1.0 && cells > CELLS_RATIO * polygons) {
            continue;
        }
        l->per_cell = (float)(1.0 / cell);
        const uint64_t entries = measure_lists(mesh, ranges);
        if (entries <= (uint64_t)ENTRIES_MAX * mesh->stats.polygons ||
            (l->width == 1 && l->depth == 1)) {
            return;
        }
    }
}

// How many polygons lie over each cell. Returns the number of lines that all lists take.
static size_t count_lists(const nav_mesh *mesh, const nav_cell_range *ranges, uint32_t *counts)
{
    const nav_locate *l = &mesh->locate;
    const size_t cells = (size_t)l->width * l->depth;
    memset(counts, 0, cells * sizeof *counts);
    for (uint32_t i = 0; i < mesh->stats.polygons && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        const nav_cell_range r = ranges[i];
        for (uint32_t z = r.z0; z <= r.z1; ++z) {
            uint32_t *row = counts + (size_t)z * l->width;
            for (uint32_t x = r.x0; x <= r.x1; ++x) {
                ++row[x];
            }
        }
    }
    size_t lines = cells;
    for (size_t i = 0; i < cells; ++i) {
        // All lines but the last one name the next in their last slot.
        lines += counts[i] > NAV_LINE_SLOTS ? (counts[i] - 2) / (NAV_LINE_SLOTS - 1) : 0;
    }
    return lines;
}

// The list of a cell while it is filled.
typedef struct cell_end {
    uint32_t line, used; // the last line so far, and its slots
} cell_end;

// left: how many polygons are still to come, this one included.
static void put_in(nav_locate *l, cell_end *end, uint32_t left, uint32_t *line_count, uint32_t box,
                   uint32_t polygon)
{
    if (end->used == NAV_LINE_SLOTS - 1 && left > 1) {
        l->lines[end->line].polygons[NAV_LINE_SLOTS - 1] = *line_count;
        *end = (cell_end){.line = (*line_count)++};
    }
    l->lines[end->line].boxes[end->used] = box;
    l->lines[end->line].polygons[end->used++] = polygon;
}

static void fill_grid(nav_mesh *mesh, const nav_cell_range *ranges, uint32_t *left, cell_end *ends,
                      size_t line_count)
{
    nav_locate *l = &mesh->locate;
    uint32_t used = l->width * l->depth;
    for (uint32_t i = 0; i < used; ++i) {
        ends[i] = (cell_end){.line = i};
    }
    for (size_t i = 0; i < line_count; ++i) {
        for (uint32_t k = 0; k < NAV_LINE_SLOTS; ++k) {
            l->lines[i].boxes[k] = NAV_BOX_NONE;
            l->lines[i].polygons[k] = NAV_NONE;
        }
    }
    for (uint32_t i = 0; i < mesh->stats.polygons && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        const nav_cell_range r = ranges[i];
        const nav_polygon_record *record = &mesh->records[i];
        const float min_x = (record->min[0] - l->min[0]) * l->per_cell;
        const float min_z = (record->min[2] - l->min[1]) * l->per_cell;
        const float max_x = (record->max[0] - l->min[0]) * l->per_cell;
        const float max_z = (record->max[2] - l->min[1]) * l->per_cell;
        for (uint32_t z = r.z0; z <= r.z1; ++z) {
            const uint32_t z0 = nav_locate_unit(min_z, z), z1 = nav_locate_unit(max_z, z);
            for (uint32_t x = r.x0; x <= r.x1; ++x) {
                const uint32_t x0 = nav_locate_unit(min_x, x), x1 = nav_locate_unit(max_x, x);
                const size_t cell = (size_t)z * l->width + x;
                put_in(l, &ends[cell], left[cell]--, &used, nav_box(x0, z0, x1, z1), i);
            }
        }
    }
    NAV_ASSERT(used == line_count || nav_cancel_is_set(mesh->cancel));
}

// ---- the tree ----

static void fill_tree(nav_mesh *mesh, nav_tile_node *leaves)
{
    for (uint32_t i = 0; i < mesh->stats.polygons && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        const nav_polygon_record *record = &mesh->records[i];
        leaves[i] = (nav_tile_node){.polygon = i};
        memcpy(leaves[i].min, record->min, sizeof record->min);
        memcpy(leaves[i].max, record->max, sizeof record->max);
    }
    (void)nav_tile_tree_build(leaves, mesh->stats.polygons, mesh->locate.nodes, mesh->cancel);
}

uint32_t nav_box_walk_next(nav_box_walk *walk)
{
    const nav_mesh *mesh = walk->mesh;
    const uint32_t count = nav_mesh_node_count(mesh);
    while (walk->node < count) {
        const nav_tile_node *node = &mesh->locate.nodes[walk->node];
        bool meets = true;
        for (int axis = 0; axis < 3; ++axis) {
            meets = meets && (double)node->min[axis] <= walk->max[axis] &&
                    (double)node->max[axis] >= walk->min[axis];
        }
        walk->node = meets ? walk->node + 1 : node->end;
        if (meets && nav_node_is_leaf(node)) {
            return node->polygon;
        }
    }
    return NAV_NONE;
}

// ---- boxes of detail ----

// Along one axis, in 127ths of the polygon's bounds, rounded outwards. Positions lie within 2^53 of
// them. A polygon too thin for that has boxes as wide as it is.
static void find_units(float low, float high, float min, float max, uint32_t out[2])
{
    const float size = max - min;
    const bool is_wide = size > NAV_LOCATE_EXTENT_MIN;
    const float per_unit = is_wide ? (float)NAV_BOX_UNIT_MAX / size : 0.0f;
    const int64_t most = NAV_BOX_UNIT_MAX;
    const int64_t from = (int64_t)((low - min) * per_unit) - 1;
    const int64_t to = (int64_t)((high - min) * per_unit + 1.001f);
    out[0] = is_wide && from > 0 ? (uint32_t)(from < most ? from : most) : 0;
    out[1] = is_wide && to < most ? (uint32_t)(to > 0 ? to : 0) : NAV_BOX_UNIT_MAX;
}

static uint32_t detail_box(const nav_mesh *mesh, const nav_polygon_record *record,
                           const uint16_t triangle[3])
{
    float low[3] = {INFINITY, 0.0f, INFINITY}, high[3] = {-INFINITY, 0.0f, -INFINITY};
    uint32_t x[2], z[2];
    for (int i = 0; i < 3; ++i) {
        const float *at = nav_detail_vertex(mesh, record, triangle[i]);
        for (int axis = 0; axis < 3; axis += 2) {
            low[axis] = at[axis] < low[axis] ? at[axis] : low[axis];
            high[axis] = at[axis] > high[axis] ? at[axis] : high[axis];
        }
    }
    find_units(low[0], high[0], record->min[0], record->max[0], x);
    find_units(low[2], high[2], record->min[2], record->max[2], z);
    return nav_box(x[0], z[0], x[1], z[1]);
}

static void fill_detail_boxes(nav_mesh *mesh)
{
    for (uint32_t p = 0; p < mesh->stats.polygons; ++p) {
        const nav_polygon_record *record = &mesh->records[p];
        const uint32_t first = record->detail_triangle_first;
        if (nav_cancel_poll(mesh->cancel, 1 + record[1].detail_triangle_first - first)) {
            return;
        }
        for (uint32_t t = first; t < record[1].detail_triangle_first; ++t) {
            mesh->locate.detail_boxes[t] = detail_box(mesh, record, mesh->detail_triangles[t]);
        }
    }
}

// ---- all of it ----

// One block for all arrays. False where there is no memory.
static bool place_arrays(nav_mesh *mesh, size_t line_count)
{
    nav_locate *l = &mesh->locate;
    const size_t line = sizeof(nav_locate_line);
    const size_t node_bytes = nav_mesh_node_count(mesh) * sizeof *l->nodes;
    const size_t box_bytes =
        mesh->records[mesh->stats.polygons].detail_triangle_first * sizeof *l->detail_boxes;
    // Lines first, on the first whole line of the cache.
    l->block_bytes = line - 1 + line_count * line + node_bytes + box_bytes;
    l->block =
        line_count < NAV_NONE ? mesh->allocator.alloc(mesh->allocator.user, l->block_bytes) : NULL;
    if (l->block == NULL) {
        return false;
    }
    uint8_t *at = (uint8_t *)l->block + (line - (uintptr_t)l->block % line) % line;
    l->lines = (void *)at;
    l->nodes = (void *)(at + line_count * line);
    l->detail_boxes = (void *)(at + line_count * line + node_bytes);
    mesh->stats.memory_bytes += l->block_bytes;
    return true;
}

nav_status nav_mesh_prepare_locate(nav_mesh *mesh, nav_arena *temporary)
{
    nav_locate *l = &mesh->locate;
    const nav_arena_mark mark = nav_arena_save(temporary);
    const uint32_t polygons = mesh->stats.polygons;
    if (polygons == 0) {
        return NAV_OK;
    }
    nav_tile_node *leaves = NAV_NEW(temporary, nav_tile_node, polygons);
    nav_cell_range *ranges = NAV_NEW(temporary, nav_cell_range, polygons);
    if (leaves == NULL || ranges == NULL) {
        return NAV_NO_MEMORY;
    }
    make_grid(mesh, ranges);
    if (nav_cancel_poll(mesh->cancel, 0)) {
        return NAV_CANCELLED; // not all ranges are known
    }
    const size_t cells = (size_t)l->width * l->depth;
    uint32_t *counts = NAV_NEW(temporary, uint32_t, cells);
    cell_end *ends = NAV_NEW(temporary, cell_end, cells);
    if (counts == NULL || ends == NULL) {
        return NAV_NO_MEMORY;
    }
    const size_t line_count = count_lists(mesh, ranges, counts);
    if (nav_cancel_poll(mesh->cancel, 0)) {
        return NAV_CANCELLED; // nor all counts
    }
    if (!place_arrays(mesh, line_count)) {
        return NAV_NO_MEMORY;
    }
    fill_grid(mesh, ranges, counts, ends, line_count);
    fill_tree(mesh, leaves);
    fill_detail_boxes(mesh);
    nav_arena_restore(temporary, mark);
    return nav_cancel_status(mesh->cancel);
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
