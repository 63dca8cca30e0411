// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// import.c: polygons that another program made to a tile's blob. They may be anything: what
// nav_tile_open checks is checked here, and what a bake's polygons are by themselves: convex,
// joined both ways, with straight borders. Cells are whole numbers, so that each of these is exact.
//
//   nav_tile_polygons --copy--> sections --check--> --seal.c--> blob

#include "core/tile/tile.h"

#include <string.h>

// ---- what a bake promises ----

static const int32_t *corner_at(const nav_tile *tile, const nav_tile_polygon *polygon, uint32_t k)
{
    k = k < polygon->corner_count ? k : k - polygon->corner_count;
    return tile->vertices[tile->corners[polygon->corner_first + k]];
}

// Twice the area of a, b, c: above 0 where they turn clockwise as seen from above. Coordinates are
// below 2^25, so that nothing overflows.
static int64_t turn(const int32_t a[3], const int32_t b[3], const int32_t c[3])
{
    return ((int64_t)b[0] - a[0]) * ((int64_t)c[2] - b[2]) -
           ((int64_t)b[2] - a[2]) * ((int64_t)c[0] - b[0]);
}

// Whether b lies inside of the line from a to c by more than NAV_TILE_DENT_MAX.
static bool is_dent(const nav_tile_header *header, const int32_t a[3], const int32_t b[3],
                    const int32_t c[3])
{
    const int64_t doubled = turn(a, b, c);
    if (doubled <= 0) {
        return false;
    }
    const double x = (double)c[0] - a[0], z = (double)c[2] - a[2];
    const double dent_cells = (double)NAV_TILE_DENT_MAX / (double)header->cell_size;
    return (double)doubled * (double)doubled > dent_cells * dent_cells * (x * x + z * z);
}

// How often the direction of the walk around a polygon turns around: once, to the left, of all that
// is simple; not at all where it has no area.
static int turns_around(const nav_tile *tile, const nav_tile_polygon *polygon)
{
    int turns = 0;
    for (uint32_t k = 0; k < polygon->corner_count; ++k) {
        const int32_t *a = corner_at(tile, polygon, k), *b = corner_at(tile, polygon, k + 1);
        const int32_t *c = corner_at(tile, polygon, k + 2);
        const int64_t side = turn(a, b, c);
        turns += b[2] <= a[2] && c[2] > b[2] && side > 0;
        turns -= b[2] > a[2] && c[2] <= b[2] && side < 0;
    }
    return turns;
}

static nav_status check_shape(const nav_tile *tile, uint32_t index, nav_error *err)
{
    const nav_tile_polygon *polygon = &tile->polygons[index];
    for (uint32_t k = 0; k < polygon->corner_count; ++k) {
        if (is_dent(tile->header, corner_at(tile, polygon, k), corner_at(tile, polygon, k + 1),
                    corner_at(tile, polygon, k + 2))) {
            return nav_fail(err, NAV_BAD_BLOB,
                            "polygon %u is not convex, or runs clockwise as seen from above, at "
                            "its corner %u",
                            index, k + 1 < polygon->corner_count ? k + 1 : 0);
        }
    }
    if (turns_around(tile, polygon) < -1) {
        return nav_fail(err, NAV_BAD_BLOB, "polygon %u winds around itself more than once", index);
    }
    return NAV_OK;
}

static bool leads_back(const nav_tile *tile, uint32_t from, uint32_t begin, uint32_t end,
                       const nav_tile_polygon *to)
{
    for (uint32_t k = 0; k < to->corner_count; ++k) {
        const uint32_t next = k + 1 < to->corner_count ? k + 1 : 0;
        if (tile->neighbours[to->corner_first + k] == from &&
            tile->corners[to->corner_first + k] == end &&
            tile->corners[to->corner_first + next] == begin) {
            return true;
        }
    }
    return false;
}

// Whether the edge lies along a line, and its polygon at that side of it which the direction says.
static bool is_border(const int32_t a[3], const int32_t b[3], uint32_t direction)
{
    const int across = direction % 2 == 0 ? 0 : 2, along = 2 - across;
    if (a[across] != b[across]) {
        return false;
    }
    // Counter-clockwise the outside lies at the right hand.
    const bool rises = direction == 0 || direction == 1;
    return a[along] == b[along] || (b[along] > a[along]) == rises;
}

static nav_status check_edges(const nav_tile *tile, uint32_t index, nav_error *err)
{
    const nav_tile_polygon *polygon = &tile->polygons[index];
    for (uint32_t k = 0; k < polygon->corner_count; ++k) {
        const uint32_t next = k + 1 < polygon->corner_count ? k + 1 : 0;
        const uint32_t neighbour = tile->neighbours[polygon->corner_first + k];
        const uint32_t begin = tile->corners[polygon->corner_first + k];
        const uint32_t end = tile->corners[polygon->corner_first + next];
        if (neighbour < tile->header->polygon_count &&
            (neighbour == index ||
             !leads_back(tile, index, begin, end, &tile->polygons[neighbour]))) {
            return nav_fail(err, NAV_BAD_BLOB,
                            "edge %u of polygon %u leads to polygon %u, which does not lead back "
                            "over it",
                            k, index, neighbour);
        }
        if ((neighbour & ~3u) == NAV_EDGE_PORTAL &&
            !is_border(tile->vertices[begin], tile->vertices[end], neighbour & 3u)) {
            return nav_fail(err, NAV_BAD_BLOB,
                            "edge %u of polygon %u does not lie on the side of the tile to which "
                            "it leads",
                            k, index);
        }
    }
    return NAV_OK;
}

// ---- the blob ----

static bool count(const nav_tile_polygons *in, nav_tile_header *header)
{
    uint64_t corners = 0, vertices = 0, triangles = 0;
    const bool has_detail = in->detail_triangle_counts != NULL;
    for (uint32_t i = 0; i < in->polygon_count; ++i) {
        corners += in->corner_counts[i];
        vertices += has_detail ? in->detail_vertex_counts[i] : 0;
        triangles += has_detail ? in->detail_triangle_counts[i] : 0;
    }
    header->corner_count = (uint32_t)corners;
    header->detail_vertex_count = (uint32_t)vertices;
    header->detail_triangle_count = (uint32_t)triangles;
    return in->polygon_count <= NAV_EDGE_PORTAL / 2 && corners < NAV_NONE && vertices < NAV_NONE &&
           triangles < NAV_NONE;
}

static nav_tile_header make_header(const nav_tile_polygons *in)
{
    return (nav_tile_header){
        .magic = {'N', 'A', 'V', 'T'},
        .version = NAV_TILE_VERSION,
        .tile_x = in->tile_x,
        .tile_z = in->tile_z,
        .tiles_x = in->tiles_x,
        .tiles_z = in->tiles_z,
        .cell_size = in->cell_size,
        .cell_height = in->cell_height,
        .grid_min = {in->grid_min[0], in->grid_min[1], in->grid_min[2]},
        .agent_radius = in->agent_radius,
        .agent_height = in->agent_height,
        .agent_max_climb = in->agent_max_climb,
        .vertex_count = in->vertex_count,
        .polygon_count = in->polygon_count,
        .node_count = 2 * in->polygon_count - 1,
    };
}

// memcpy's pointers may not be NULL, even for no bytes.
static void copy(void *to, const void *from, size_t elements, size_t size_bytes)
{
    if (elements > 0) {
        memcpy(to, from, elements * size_bytes);
    }
}

static void write_sections(const nav_tile_sections *w, const nav_tile_polygons *in)
{
    const nav_tile_header *header = w->header;
    const bool has_detail = in->detail_triangle_counts != NULL;
    uint32_t corner = 0, vertex = 0, triangle = 0;
    for (uint32_t i = 0; i < in->polygon_count; ++i) {
        w->polygons[i] = (nav_tile_polygon){
            .corner_first = corner,
            .detail_vertex_first = vertex,
            .detail_vertex_count = has_detail ? in->detail_vertex_counts[i] : 0,
            .detail_triangle_first = triangle,
            .detail_triangle_count = has_detail ? in->detail_triangle_counts[i] : 0,
            .corner_count = in->corner_counts[i],
            .area = in->areas[i],
        };
        corner += in->corner_counts[i];
        vertex += w->polygons[i].detail_vertex_count;
        triangle += w->polygons[i].detail_triangle_count;
    }
    copy(w->vertices, in->vertices, in->vertex_count, sizeof *in->vertices);
    copy(w->corners, in->corners, header->corner_count, sizeof *in->corners);
    copy(w->neighbours, in->neighbours, header->corner_count, sizeof *in->neighbours);
    copy(w->detail_vertices, in->detail_vertices, vertex, sizeof *in->detail_vertices);
    copy(w->detail_triangles, in->detail_triangles, triangle, sizeof *in->detail_triangles);
}

static nav_status finish(nav_tile_sections *w, nav_tile_node *leaves, nav_cancel *cancel,
                         nav_error *err)
{
    const nav_tile tile = nav_tile_view(w->header);
    nav_status status = nav_tile_check_polygons(&tile, err);
    bool cancelled = false;
    for (uint32_t i = 0; status == NAV_OK && !cancelled && i < tile.header->polygon_count; ++i) {
        cancelled = nav_cancel_poll(cancel, tile.polygons[i].corner_count);
        status = check_shape(&tile, i, err);
        NAV_IF_OK(status, check_edges(&tile, i, err));
    }
    if (status == NAV_OK && (cancelled || !nav_tile_seal(w, leaves, cancel))) {
        status = nav_fail(err, NAV_CANCELLED, "the making of a tile was cancelled");
    }
    return status;
}

nav_status nav_tile_from_polygons(const nav_tile_polygons *in, const nav_bake_hooks *hooks,
                                  nav_arena *scratch, nav_arena *result, nav_blob *out,
                                  nav_error *err)
{
    if (in->polygon_count == 0) {
        *out = (nav_blob){0};
        return NAV_OK;
    }
    NAV_ASSERT(result != scratch); // the blob would die with the rest
    nav_cancel cancel = nav_cancel_by(hooks);
    nav_tile_header header = make_header(in);
    if (!count(in, &header)) {
        return nav_fail(err, NAV_BAD_BLOB, "a tile of %u polygons is more than 32 bits can count",
                        in->polygon_count);
    }
    nav_tile_layout(&header);
    const nav_arena_mark mark = nav_arena_save(scratch), result_mark = nav_arena_save(result);
    nav_tile_node *leaves = NAV_NEW(scratch, nav_tile_node, in->polygon_count);
    void *bytes = leaves != NULL ? nav_arena_alloc_zero(result, 1, header.size_bytes) : NULL;
    nav_status status = NAV_OK;
    if (bytes == NULL) {
        status = nav_fail(err, NAV_NO_MEMORY, "a tile of %llu bytes does not fit into memory",
                          (unsigned long long)header.size_bytes);
    } else {
        nav_tile_sections w = nav_tile_sections_begin(bytes, &header);
        write_sections(&w, in);
        status = finish(&w, leaves, &cancel, err);
    }
    nav_arena_restore(scratch, mark);
    if (status != NAV_OK) {
        nav_arena_restore(result, result_mark);
        return status;
    }
    *out = (nav_blob){.bytes = bytes, .size_bytes = header.size_bytes};
    return NAV_OK;
}
