// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// locate.c: what finds the polygons at a point without a descent: a grid over the mesh in plan
// view, a tree over the tiles' trees for points beside the mesh, and a box for each triangle of
// height detail.
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
#define CELLS_PART 0.5 // of polygons

const uint32_t NAV_COMPACT_INDICES[NAV_COMPACT_CORNERS] = {0, 1, 2, 3, 4, 5};

typedef struct cell_range {
    uint32_t x0, z0, x1, z1; // all included
} cell_range;

// A record's bounds in cells.
typedef struct cell_bounds {
    float x0, z0, x1, z1;
} cell_bounds;

static cell_bounds bounds_of(const nav_mesh *mesh, uint32_t polygon)
{
    const nav_locate *l = &mesh->locate;
    const nav_polygon_record *record = &mesh->records[polygon];
    return (cell_bounds){.x0 = (record->min[0] - l->min[0]) * l->per_cell,
                         .z0 = (record->min[2] - l->min[1]) * l->per_cell,
                         .x1 = (record->max[0] - l->min[0]) * l->per_cell,
                         .z1 = (record->max[2] - l->min[1]) * l->per_cell};
}

static cell_range range_of(const nav_mesh *mesh, uint32_t polygon)
{
    const nav_locate *l = &mesh->locate;
    const cell_bounds b = bounds_of(mesh, polygon);
    return (cell_range){.x0 = nav_locate_along(b.x0, l->width),
                        .z0 = nav_locate_along(b.z0, l->depth),
                        .x1 = nav_locate_along(b.x1, l->width),
                        .z1 = nav_locate_along(b.z1, l->depth)};
}

// Fills the polygons' ranges. Returns the sum of the lists' lengths.
static uint64_t measure_lists(const nav_mesh *mesh, cell_range *ranges)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < mesh->stats.polygons && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        const cell_range r = range_of(mesh, i);
        count += (uint64_t)(r.x1 - r.x0 + 1) * (r.z1 - r.z0 + 1);
        ranges[i] = r;
    }
    return count;
}

// Chooses the cells.
static void lay_grid(nav_mesh *mesh, cell_range *ranges)
{
    nav_locate *l = &mesh->locate;
    const double polygons = (double)mesh->stats.polygons;
    const double width = (double)mesh->stats.max[0] - (double)mesh->stats.min[0];
    const double depth = (double)mesh->stats.max[2] - (double)mesh->stats.min[2];
    const double longest = width > depth ? width : depth;
    double cell = sqrt(width * depth / (CELLS_PART * polygons));
    cell = cell > longest / (CELLS_PART * polygons) ? cell : longest / (CELLS_PART * polygons);
    cell = cell > NAV_LOCATE_CELL_MIN ? cell : NAV_LOCATE_CELL_MIN;
    l->min[0] = mesh->stats.min[0];
    l->min[1] = mesh->stats.min[2];
    for (;; cell *= 1.1) {
        l->width = (uint32_t)(width / cell) + 1;
        l->depth = (uint32_t)(depth / cell) + 1;
        const double cells = (double)l->width * (double)l->depth;
        if (cells > 1.0 && cells > CELLS_PART * polygons) {
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

// How many polygons lie over each cell.
static void count_lists(const nav_mesh *mesh, const cell_range *ranges, uint32_t *counts)
{
    const nav_locate *l = &mesh->locate;
    memset(counts, 0, (size_t)l->width * l->depth * sizeof *counts);
    for (uint32_t i = 0; i < mesh->stats.polygons && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        const cell_range r = ranges[i];
        for (uint32_t z = r.z0; z <= r.z1; ++z) {
            uint32_t *row = counts + (size_t)z * l->width;
            for (uint32_t x = r.x0; x <= r.x1; ++x) {
                ++row[x];
            }
        }
    }
}

// Returns how many entries the rest of a list of `count` takes, its count included.
static uint32_t rest_of(uint32_t count)
{
    return count > NAV_CELL_SLOTS ? count - NAV_CELL_SLOTS + 2 : 0;
}

// Empty cells, the long ones with room for their rest.
static void lay_cells(nav_locate *l, const uint32_t *counts)
{
    NAV_ASSERT(l->width > 0);
    NAV_ASSERT(l->depth > 0);
    const size_t cells = (size_t)l->width * l->depth;
    uint32_t more = 0;
    for (size_t i = 0; i < cells; ++i) {
        nav_locate_cell *cell = &l->cells[i];
        for (uint32_t k = 0; k < NAV_CELL_SLOTS; ++k) {
            cell->boxes[k] = NAV_BOX_EMPTY;
            cell->polygons[k] = NAV_NONE;
        }
        if (counts[i] > NAV_CELL_SLOTS) {
            cell->boxes[NAV_CELL_SLOTS - 1] = NAV_BOX_MORE;
            cell->polygons[NAV_CELL_SLOTS - 1] = more;
            l->more[more] = (nav_locate_entry){.polygon = 0};
            more += rest_of(counts[i]);
        }
    }
}

static void put_in(nav_locate *l, size_t index, uint32_t *used, nav_locate_entry entry)
{
    nav_locate_cell *cell = &l->cells[index];
    const uint32_t slot = used[index]++;
    if (slot < NAV_CELL_SLOTS && cell->boxes[slot] != NAV_BOX_MORE) {
        cell->boxes[slot] = entry.box;
        cell->polygons[slot] = entry.polygon;
        return;
    }
    nav_locate_entry *rest = &l->more[cell->polygons[NAV_CELL_SLOTS - 1]];
    rest[++rest[0].polygon] = entry;
}

// counts: of each cell; a cell's use afterwards.
static void fill_grid(nav_mesh *mesh, const cell_range *ranges, uint32_t *counts)
{
    nav_locate *l = &mesh->locate;
    lay_cells(l, counts);
    memset(counts, 0, (size_t)l->width * l->depth * sizeof *counts);
    for (uint32_t i = 0; i < mesh->stats.polygons && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        const cell_range r = ranges[i];
        const cell_bounds b = bounds_of(mesh, i);
        for (uint32_t z = r.z0; z <= r.z1; ++z) {
            const uint32_t z0 = nav_locate_part(b.z0, z), z1 = nav_locate_part(b.z1, z);
            for (uint32_t x = r.x0; x <= r.x1; ++x) {
                const uint32_t x0 = nav_locate_part(b.x0, x), x1 = nav_locate_part(b.x1, x);
                put_in(l, (size_t)z * l->width + x, counts,
                       (nav_locate_entry){.polygon = i, .box = nav_box(x0, z0, x1, z1)});
            }
        }
    }
}

static void fill_top(nav_mesh *mesh, nav_tile_node *leaves)
{
    for (uint32_t i = 0; i < mesh->root_count; ++i) {
        leaves[i] = mesh->nodes[mesh->roots[i]];
        leaves[i].polygon = i;
    }
    // Too short to poll; the steps that follow do.
    nav_cancel never = {0};
    nav_tile_tree_build(leaves, mesh->root_count, mesh->locate.top, &never);
}

// A corner of a polygon or a vertex of its detail as a box within the polygon's bounds, a number of
// 7 bits in each 16. The box of several has the least of each of the four.
typedef uint64_t detail_spot;

// A polygon's bounds along one axis.
typedef struct extent {
    float min, per_unit; // 127ths a unit; 0 where the polygon is too thin to tell
} extent;

static extent extent_of(float min, float max)
{
    const float size = max - min;
    return (extent){.min = min,
                    .per_unit =
                        size > NAV_LOCATE_EXTENT_MIN ? (float)NAV_BOX_PART_MAX / size : 0.0f};
}

static uint64_t to_part(int64_t value)
{
    const int64_t low = value > 0 ? value : 0;
    return (uint64_t)(low < NAV_BOX_PART_MAX ? low : NAV_BOX_PART_MAX);
}

// In 127ths of the polygon's bounds, rounded outwards. As this never falls where the position
// rises, a triangle's bounds are the least and the greatest of its corners'. A position lies within
// 2^53 of them, so that it can be clamped as an integer: many are at an end, and branches would not
// know.
static uint64_t parts_along(extent e, float at)
{
    const float part = (at - e.min) * e.per_unit;
    const uint64_t from = to_part((int64_t)part - 1);
    const uint64_t to = to_part((int64_t)(part + 1.001f));
    return e.per_unit > 0.0f ? from | (NAV_BOX_PART_MAX - to) << 32 : 0;
}

static detail_spot spot_of(extent x, extent z, const float at[3])
{
    return parts_along(x, at[0]) | parts_along(z, at[2]) << 16;
}

// All of a polygon's, as its triangles number them.
static void list_spots(const nav_mesh *mesh, uint32_t polygon, detail_spot *spots)
{
    const nav_polygon_record *record = &mesh->records[polygon];
    const extent x = extent_of(record->min[0], record->max[0]);
    const extent z = extent_of(record->min[2], record->max[2]);
    for (uint32_t i = record[0].corner_first; i < record[1].corner_first; ++i) {
        *spots++ = spot_of(x, z, mesh->vertices[mesh->corners[i]]);
    }
    for (uint32_t i = record[0].detail_vertex_first; i < record[1].detail_vertex_first; ++i) {
        *spots++ = spot_of(x, z, mesh->detail_vertices[i]);
    }
}

static uint32_t spot_count_max(const nav_mesh *mesh)
{
    uint32_t most = 0;
    for (uint32_t p = 0; p < mesh->stats.polygons; ++p) {
        const nav_polygon_record *record = &mesh->records[p];
        const uint32_t count = record[1].corner_first - record[0].corner_first +
                               record[1].detail_vertex_first - record[0].detail_vertex_first;
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

static bool is_large(const nav_mesh *mesh)
{
    return mesh->stats.polygons >= NAV_LOCATE_LARGE;
}

// How many boxes a polygon's detail has.
static uint32_t box_count_of(const nav_mesh *mesh, uint32_t polygon)
{
    const nav_polygon_record *record = &mesh->records[polygon];
    const uint32_t count = record[1].detail_triangle_first - record[0].detail_triangle_first;
    const bool few = count <= NAV_COMPACT_TRIANGLES || record->min[1] == record->max[1];
    return is_large(mesh) && few ? 0 : count;
}

static size_t box_count(const nav_mesh *mesh)
{
    size_t count = 0;
    for (uint32_t p = 0; p < mesh->stats.polygons; ++p) {
        count += box_count_of(mesh, p);
    }
    return count;
}

// spots: spot_count_max of them. Compact records have been filled.
static void fill_detail_boxes(nav_mesh *mesh, detail_spot *spots)
{
    uint32_t *boxes = mesh->locate.detail_boxes;
    for (uint32_t p = 0; p < mesh->stats.polygons; ++p) {
        const uint32_t end = mesh->records[p + 1].detail_triangle_first;
        const uint32_t count = box_count_of(mesh, p);
        if (nav_cancel_poll(mesh->cancel, 1 + end - mesh->records[p].detail_triangle_first)) {
            return;
        }
        if (count == 0) {
            continue;
        }
        if (mesh->locate.compact_records != NULL) {
            mesh->locate.compact_records[p].box_first =
                (uint32_t)(boxes - mesh->locate.detail_boxes);
        }
        list_spots(mesh, p, spots);
        for (uint32_t t = mesh->records[p].detail_triangle_first; t < end; ++t) {
            const uint16_t *at = mesh->detail_triangles[t];
            uint64_t lanes = least_of_each(least_of_each(spots[at[0]], spots[at[1]]), spots[at[2]]);
            lanes |= lanes >> 8;
            *boxes++ = (uint32_t)(lanes & 0xffff) | (uint32_t)(lanes >> 32) << 16;
        }
    }
}

// The number of cells that a coordinate of a vertex was made of, if that lies in the grid; what it
// is for any other will not give the vertex back.
static int32_t cells_of(float at, float min, float size)
{
    const float cells = (at - min) / size + 0.5f;
    return cells >= 0.0f && cells < 65536.0f ? (int32_t)cells : 0;
}

static void find_cells(const nav_mesh *mesh, const float vertex[3], int32_t out[3])
{
    out[0] = cells_of(vertex[0], mesh->grid_min[0], mesh->cell_size);
    out[1] = cells_of(vertex[1], mesh->grid_min[1], mesh->cell_height);
    out[2] = cells_of(vertex[2], mesh->grid_min[2], mesh->cell_size);
}

// False where the compact record would not give the corners back.
static bool fill_corners(const nav_mesh *mesh, const nav_polygon_record *record,
                         nav_compact_record *out)
{
    const uint32_t *corners = mesh->corners + record->corner_first;
    int32_t cells[NAV_COMPACT_CORNERS][3];
    int32_t least[3] = {INT32_MAX, INT32_MAX, INT32_MAX};
    NAV_DCHECK(record->corner_count >= 3);
    if (record->corner_count > NAV_COMPACT_CORNERS) {
        return false;
    }
    for (uint32_t k = 0; k < record->corner_count; ++k) {
        find_cells(mesh, mesh->vertices[corners[k]], cells[k]);
        for (int axis = 0; axis < 3; ++axis) {
            least[axis] = cells[k][axis] < least[axis] ? cells[k][axis] : least[axis];
        }
    }
    bool same = true;
    for (uint32_t k = 0; k < record->corner_count; ++k) {
        float position[3];
        for (int axis = 0; axis < 3; ++axis) {
            out->base[axis] = (uint16_t)least[axis];
            out->offsets[k][axis] = (uint8_t)(cells[k][axis] - least[axis]);
        }
        nav_compact_corner(mesh, out, k, position);
        same = same && memcmp(position, mesh->vertices[corners[k]], sizeof position) == 0;
    }
    return same;
}

static void fill_compact_record(const nav_mesh *mesh, uint32_t polygon, nav_compact_record *out)
{
    const nav_polygon_record *record = &mesh->records[polygon];
    const uint32_t first = record->detail_triangle_first;
    const uint32_t listed = record[1].detail_triangle_first - first;
    const uint32_t count = listed > 0 ? listed : record->corner_count - 2u; // or a fan
    const bool own = record[1].detail_vertex_first > record[0].detail_vertex_first;
    memset(out, 0, sizeof *out);
    memset(out->triangles, NAV_COMPACT_END & 0xff, sizeof out->triangles);
    if (!fill_corners(mesh, record, out)) {
        out->triangles[0] = NAV_COMPACT_NONE;
        return;
    }
    for (uint32_t i = 0; !own && count <= NAV_COMPACT_TRIANGLES && i < count; ++i) {
        const uint16_t fan[3] = {0, (uint16_t)(i + 1), (uint16_t)(i + 2)};
        const uint16_t *at = listed > 0 ? mesh->detail_triangles[first + i] : fan;
        NAV_DCHECK((at[0] | at[1] | at[2]) < 16); // four bits each
        out->triangles[i] = (uint16_t)(at[0] | at[1] << 4 | at[2] << 8);
    }
}

static void fill_compact_records(nav_mesh *mesh)
{
    nav_compact_record *compact_records = mesh->locate.compact_records;
    for (uint32_t p = 0; compact_records != NULL && p < mesh->stats.polygons; ++p) {
        if (nav_cancel_poll(mesh->cancel, 1)) {
            return;
        }
        fill_compact_record(mesh, p, &compact_records[p]);
    }
}

// A tile's tree is verified node by node, but not that it has every polygon. False where one is
// missing. found: room for a flag a polygon, all 0.
static bool has_all_leaves(const nav_mesh *mesh, uint8_t *found)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->node_count && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        const nav_tile_node *node = &mesh->nodes[i];
        if (nav_node_is_leaf(node)) {
            count += found[node->polygon] == 0;
            found[node->polygon] = 1;
        }
    }
    return count == mesh->stats.polygons;
}

// One block for all arrays. False where there is no memory.
static bool place_arrays(nav_mesh *mesh, size_t more_count)
{
    nav_locate *l = &mesh->locate;
    const size_t line = sizeof(nav_locate_cell);
    const size_t cell_bytes = (size_t)l->width * l->depth * line;
    const size_t top_bytes = (2 * (size_t)mesh->root_count - 1) * sizeof *l->top;
    const size_t more_bytes = more_count * sizeof *l->more;
    const size_t box_bytes = box_count(mesh) * sizeof *l->detail_boxes;
    const bool large = is_large(mesh);
    const size_t compact_bytes = large ? mesh->stats.polygons * sizeof *l->compact_records : 0;
    // Cells first, on the first whole line.
    l->block_bytes = line - 1 + cell_bytes + top_bytes + more_bytes + box_bytes + compact_bytes;
    l->block =
        more_count < NAV_NONE ? mesh->allocator.alloc(mesh->allocator.user, l->block_bytes) : NULL;
    if (l->block == NULL) {
        return false;
    }
    uint8_t *at = (uint8_t *)l->block + (line - (uintptr_t)l->block % line) % line;
    l->cells = (void *)at; // and compact records, of half a line, behind them
    l->compact_records = large ? (void *)(at + cell_bytes) : NULL;
    at += cell_bytes + compact_bytes;
    l->top = (void *)at;
    l->more = (void *)(at + top_bytes);
    l->detail_boxes = (void *)(at + top_bytes + more_bytes);
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
    nav_tile_node *top_leaves = NAV_NEW(temporary, nav_tile_node, mesh->root_count);
    detail_spot *spots = NAV_NEW(temporary, detail_spot, spot_count_max(mesh));
    cell_range *ranges = NAV_NEW(temporary, cell_range, polygons);
    uint8_t *found = NAV_NEW_ZERO(temporary, uint8_t, polygons);
    if (top_leaves == NULL || spots == NULL || ranges == NULL || found == NULL) {
        return NAV_NO_MEMORY;
    }
    if (!has_all_leaves(mesh, found)) {
        return nav_cancel_poll(mesh->cancel, 0) ? NAV_CANCELLED : NAV_BAD_BLOB;
    }
    lay_grid(mesh, ranges);
    if (nav_cancel_poll(mesh->cancel, 0)) {
        return NAV_CANCELLED; // not all ranges are known
    }
    const size_t cells = (size_t)l->width * l->depth;
    uint32_t *counts = NAV_NEW(temporary, uint32_t, cells);
    if (counts == NULL) {
        return NAV_NO_MEMORY;
    }
    count_lists(mesh, ranges, counts);
    if (nav_cancel_poll(mesh->cancel, 0)) {
        return NAV_CANCELLED; // nor all counts
    }
    size_t more_count = 0;
    for (size_t i = 0; i < cells; ++i) {
        more_count += rest_of(counts[i]);
    }
    if (!place_arrays(mesh, more_count)) {
        return NAV_NO_MEMORY;
    }
    fill_grid(mesh, ranges, counts);
    fill_top(mesh, top_leaves);
    fill_compact_records(mesh);
    fill_detail_boxes(mesh, spots);
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
