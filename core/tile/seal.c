// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// seal.c: the last step of writing a tile, whoever writes it: its sections in place, the boxes of
// its polygons, the tree over them, the checksum.

#include "core/tile/tile.h"

#include <string.h>

nav_tile_sections nav_tile_sections_begin(void *bytes, const nav_tile_header *header)
{
    char *base = bytes;
    memcpy(base, header, sizeof *header);
    return (nav_tile_sections){
        .header = bytes,
        .vertices = (void *)(base + header->offsets[NAV_TILE_VERTICES]),
        .polygons = (void *)(base + header->offsets[NAV_TILE_POLYGONS]),
        .corners = (void *)(base + header->offsets[NAV_TILE_CORNERS]),
        .neighbours = (void *)(base + header->offsets[NAV_TILE_NEIGHBOURS]),
        .detail_vertices = (void *)(base + header->offsets[NAV_TILE_DETAIL_VERTICES]),
        .detail_triangles = (void *)(base + header->offsets[NAV_TILE_DETAIL_TRIANGLES]),
        .nodes = (void *)(base + header->offsets[NAV_TILE_NODES]),
    };
}

static void add_point(nav_tile_node *box, const float point[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        box->min[axis] = point[axis] < box->min[axis] ? point[axis] : box->min[axis];
        box->max[axis] = point[axis] > box->max[axis] ? point[axis] : box->max[axis];
    }
}

// Bounds of a polygon with its detail, as a leaf of the tree.
static nav_tile_node polygon_box(const nav_tile_sections *w, uint32_t index)
{
    const nav_tile_polygon *polygon = &w->polygons[index];
    nav_tile_node box = {.polygon = index};
    for (uint32_t k = 0; k < polygon->corner_count; ++k) {
        float world[3];
        nav_tile_vertex(w->header, w->vertices[w->corners[polygon->corner_first + k]], world);
        if (k == 0) {
            memcpy(box.min, world, sizeof world);
            memcpy(box.max, world, sizeof world);
        }
        add_point(&box, world);
    }
    for (uint32_t k = 0; k < polygon->detail_vertex_count; ++k) {
        add_point(&box, w->detail_vertices[polygon->detail_vertex_first + k]);
    }
    return box;
}

bool nav_tile_seal(nav_tile_sections *w, nav_tile_node *leaves, nav_cancel *cancel)
{
    nav_tile_header *header = w->header;
    for (uint32_t i = 0; i < header->polygon_count; ++i) {
        const nav_tile_polygon *polygon = &w->polygons[i];
        if (nav_cancel_poll(cancel, polygon->corner_count + polygon->detail_vertex_count)) {
            return false;
        }
        leaves[i] = polygon_box(w, i);
    }
    if (!nav_tile_tree_build(leaves, header->polygon_count, w->nodes, cancel)) {
        return false;
    }
    const size_t covered = offsetof(nav_tile_header, tile_x);
    header->checksum = nav_tile_checksum((char *)header + covered, header->size_bytes - covered);
    return true;
}
