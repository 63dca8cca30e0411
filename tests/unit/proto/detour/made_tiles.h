// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// made_tiles.h: files of Detour's tiles, made by hand.
//
//   z 4 +---+---+-------+     tile 0,0: polygons 0 (area 63) and 1 (area 9), each 2 x 4
//       | 0 | 1 |   0   |     tile 1,0: polygon 0 (area 63), 4 x 4, one step higher
//     0 +---+---+-------+     an off-mesh connection leads from tile 0,0 to tile 1,0
//       0   2   4       8 x
//
// Also used by the fuzz target of these files.

#pragma once

#include "proto/detour/layout.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct made_bytes {
    uint8_t at[16384];
    size_t count;
} made_bytes;

static inline void made_add(made_bytes *b, const void *bytes, size_t count)
{
    if (count > 0 && count <= sizeof b->at - b->count) {
        memcpy(b->at + b->count, bytes, count);
        b->count += count;
    }
}

static inline proto_detour_params made_params(void)
{
    return (proto_detour_params){
        .origin = {0, 0, 0}, .tile_width = 4, .tile_depth = 4, .tiles_max = 4, .polygons_max = 64};
}

static inline proto_detour_polygon made_polygon(uint16_t first, uint8_t area, uint16_t flags)
{
    return (proto_detour_polygon){
        .first_link = PROTO_DETOUR_NO_LINK,
        .vertices = {first, (uint16_t)(first + 1), (uint16_t)(first + 2), (uint16_t)(first + 3)},
        .flags = flags,
        .vertex_count = 4,
        .area_and_kind = area};
}

// link_bytes: 12, or 16.
static inline void made_tile(made_bytes *b, int tile_x, int layer, uint32_t link_bytes)
{
    // Counter-clockwise as seen from above: z up the page is forward.
    static const float left[8][3] = {{0, 0, 0}, {0, 0, 4}, {2, 0, 4}, {2, 0, 0},
                                     {4, 0, 0}, {4, 0, 4}, {1, 0, 1}, {6, 0.5f, 2}};
    static const float right[4][3] = {{4, 0.5f, 0}, {4, 0.5f, 4}, {8, 0.5f, 4}, {8, 0.5f, 0}};
    const bool is_left = tile_x == 0;
    const proto_detour_header header = {
        .magic = PROTO_DETOUR_MAGIC,
        .version = PROTO_DETOUR_VERSION,
        .tile_x = tile_x,
        .layer = layer,
        .polygon_count = is_left ? 3 : 1,
        .vertex_count = is_left ? 8 : 4,
        .link_count = 3,
        .detail_count = is_left ? 2 : 1,
        .detail_vertex_count = is_left ? 1 : 0,
        .detail_triangle_count = is_left ? 6 : 2,
        .node_count = 1,
        .connection_count = is_left,
        .connection_first = is_left ? 2 : 1,
        .agent_height = 2,
        .agent_radius = 0.5f,
        .agent_max_climb = 1,
        .min = {is_left ? 0 : 4, 0, 0},
        .max = {is_left ? 4 : 8, 1, 4},
        .cells_per_unit = 4,
    };
    made_add(b, &header, sizeof header);
    made_add(b, is_left ? left : right, header.vertex_count * sizeof left[0]);
    proto_detour_polygon first = made_polygon(0, 63, 1);
    first.neighbours[2] = is_left ? 2 : 0;
    if (!is_left) {
        first.neighbours[0] = PROTO_DETOUR_EDGE_OUTSIDE | 4;
    }
    made_add(b, &first, sizeof first);
    if (is_left) {
        proto_detour_polygon second = made_polygon(0, 9, 4);
        const uint16_t corners[4] = {3, 2, 5, 4};
        memcpy(second.vertices, corners, sizeof corners);
        second.neighbours[0] = 1;
        second.neighbours[2] = PROTO_DETOUR_EDGE_OUTSIDE | 0;
        made_add(b, &second, sizeof second);
        proto_detour_polygon link = {.first_link = PROTO_DETOUR_NO_LINK,
                                     .vertices = {6, 7},
                                     .flags = 8,
                                     .vertex_count = 2,
                                     .area_and_kind =
                                         (uint8_t)(5 | PROTO_DETOUR_POLYGON_LINK << 6)};
        made_add(b, &link, sizeof link);
    }
    const uint8_t links[3 * 16] = {0};
    made_add(b, links, (size_t)3 * link_bytes);
    const proto_detour_detail details[2] = {
        {.vertex_first = 0,
         .triangle_first = 0,
         .vertex_count = is_left,
         .triangle_count = is_left ? 4 : 2},
        {.vertex_first = 0, .triangle_first = 4, .vertex_count = 0, .triangle_count = 2}};
    made_add(b, details, header.detail_count * sizeof details[0]);
    const float raised[3] = {1, 0.2f, 2};
    made_add(b, raised, header.detail_vertex_count * sizeof raised);
    static const uint8_t fan[6][4] = {{4, 0, 1, 0}, {4, 1, 2, 0}, {4, 2, 3, 0},
                                      {4, 3, 0, 0}, {0, 1, 2, 0}, {0, 2, 3, 0}};
    made_add(b, is_left ? fan[0] : fan[4], (size_t)4 * header.detail_triangle_count);
    const proto_detour_node node = {.max = {1, 1, 1}};
    made_add(b, &node, sizeof node);
    if (is_left) {
        const proto_detour_connection connection = {.start = {1, 0, 1},
                                                    .end = {6, 0.5f, 2},
                                                    .radius = 0.5f,
                                                    .polygon = 2,
                                                    .flags = PROTO_DETOUR_LINK_BOTH_WAYS,
                                                    .side = 0,
                                                    .user_id = 77};
        made_add(b, &connection, sizeof connection);
    }
}

static inline void made_mset_tile(made_bytes *b, int tile_x, int layer)
{
    made_bytes tile = {.count = 0};
    made_tile(&tile, tile_x, layer, sizeof(proto_detour_link));
    const proto_mset_tile frame = {.reference = 1, .size_bytes = (uint32_t)tile.count};
    made_add(b, &frame, sizeof frame);
    made_add(b, tile.at, tile.count);
}

static inline void made_mset_begin(made_bytes *b, uint32_t tiles)
{
    const proto_mset_header header = {.magic = PROTO_MSET_MAGIC,
                                      .version = PROTO_MSET_VERSION,
                                      .tile_count = tiles,
                                      .params = made_params()};
    b->count = 0;
    made_add(b, &header, sizeof header);
}

static inline void made_mset(made_bytes *b)
{
    made_mset_begin(b, 2);
    made_mset_tile(b, 0, 0);
    made_mset_tile(b, 1, 0);
}

// A member of a tar archive in ustar's form.
static inline void made_member(made_bytes *b, const char *name, char kind, const void *bytes,
                               size_t count)
{
    static const uint8_t zeros[512] = {0};
    uint8_t block[512] = {0};
    uint32_t sum = 0;
    (void)snprintf((char *)block, 100, "%s", name);
    (void)snprintf((char *)block + 124, 12, "%011o", (unsigned)count);
    memset(block + 148, ' ', 8);
    block[156] = (uint8_t)kind;
    memcpy(block + 257, "ustar\00000", 8);
    for (size_t i = 0; i < sizeof block; i++) {
        sum += block[i];
    }
    (void)snprintf((char *)block + 148, 8, "%06o", sum);
    made_add(b, block, sizeof block);
    made_add(b, bytes, count);
    made_add(b, zeros, (512 - count % 512) % 512);
}

static inline void made_mmtile(made_bytes *b, const char *name, int tile_x, bool has_recast)
{
    made_bytes tile = {.count = 0}, file = {.count = 0};
    made_tile(&tile, tile_x, 0, PROTO_DETOUR_LINK_64_BYTES);
    const proto_mmtile_header header = {.magic = PROTO_MMAP_MAGIC,
                                        .detour_version = PROTO_DETOUR_VERSION,
                                        .version = has_recast ? 19 : 16,
                                        .size_bytes = (uint32_t)tile.count,
                                        .has_liquids = 1};
    const proto_mmtile_recast recast = {.max_slope = 60};
    made_add(&file, &header, sizeof header);
    made_add(&file, &recast, has_recast ? sizeof recast : 0);
    made_add(&file, tile.at, tile.count);
    made_member(b, name, '0', file.at, file.count);
}

// Of map 530, with 64-bit references, as TrinityCore has them.
static inline void made_tar(made_bytes *b)
{
    const proto_detour_params params = made_params();
    b->count = 0;
    made_member(b, "mmaps/", '5', NULL, 0);
    made_member(b, "mmaps/530.mmap", '0', &params, sizeof params);
    made_mmtile(b, "mmaps/5300000.mmtile", 0, false);
    made_mmtile(b, "mmaps/5300001.mmtile", 1, true);
    static const uint8_t zeros[1024] = {0};
    made_add(b, zeros, sizeof zeros);
}
