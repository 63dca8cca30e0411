// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// mset.h: what mset.c (the file) and mset_tile.c (one tile of it) share. Private to the room.

#pragma once

#include "proto/detour/layout.h"
#include "proto/exports/writers.h"

// One tile of the file, before its bytes are written.
typedef struct mset_tile {
    uint32_t x, z;
    uint32_t polygon_first, polygon_count;       // places in the selection: they follow each other
    uint32_t vertex_first, vertex_count;         // likewise
    uint32_t connection_first, connection_count; // in mset.connections
    uint32_t detail_vertex_count, detail_triangle_count;
    uint32_t link_count; // that Detour makes as it loads the tile, at most
    float min[3], max[3];
} mset_tile;

typedef struct mset {
    const selection *s;
    nav_mesh_grid grid;
    uint32_t flag_count; // named ones; the bit behind them is that of ground without flags
    mset_tile *tiles;
    uint32_t tile_count;
    uint32_t *tile_of;      // by place of a polygon
    uint32_t *connections;  // numbers of links in the mesh, in order of the tile of their start
    uint8_t *edges;         // of a polygon's detail: room for MSET_EDGE_BYTES, all 0
    struct mset_box *boxes; // room for those of the largest tile
} mset;

// A bit for each pair of corners that a detail triangle can name.
#define MSET_EDGE_BYTES (256u * 256u / 8u)

// The box of a polygon in a tile's tree, and where its middle lies, doubled.
typedef struct mset_box {
    proto_detour_node node;
    uint32_t middle[3];
} mset_box;

static inline int32_t mset_apart(uint32_t a, uint32_t b)
{
    return (int32_t)b - (int32_t)a;
}

// Appends the tile's bytes, for which everything above is known to fit.
void mset_tile_write(proto_writer *w, const mset *m, const mset_tile *tile);
size_t mset_tile_bytes(const mset_tile *tile);
