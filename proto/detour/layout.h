// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// layout.h: the bytes in which Detour's tiles, and files of them, are kept: tile format 7,
// RecastDemo's MSET, TrinityCore's and AzerothCore's .mmap and .mmtile. Copied to and from these
// structs, which have no padding of their own: nothing in such a file is aligned. Private to
// proto/.
//
//   MSET     proto_mset_header, then of each tile proto_mset_tile (proto_mset_tile_64) and the tile
//   .mmap    proto_detour_params, or proto_mmap_header and its off-mesh connections
//   .mmtile  proto_mmtile_header, in some versions proto_mmtile_recast, and the tile
//   tile     proto_detour_header and the sections below, in their order, each at a multiple of 4

#pragma once

#include <stdint.h>

#define PROTO_DETOUR_MAGIC 0x444e4156u // 'DNAV': little-endian, so that the bytes are "VAND"
#define PROTO_DETOUR_VERSION 7u
#define PROTO_MSET_MAGIC 0x4d534554u // 'MSET': "TESM"
#define PROTO_MSET_VERSION 1u
#define PROTO_MMAP_MAGIC 0x4d4d4150u // 'MMAP': "PAMM"

#define PROTO_DETOUR_VERTICES_MAX 6u // of a polygon
#define PROTO_DETOUR_AREAS_MAX 64u
#define PROTO_DETOUR_FLAGS_MAX 16u
#define PROTO_DETOUR_POLYGON_GROUND 0u // the kind of a polygon
#define PROTO_DETOUR_POLYGON_LINK 1u   // an off-mesh connection: two vertices
#define PROTO_DETOUR_EDGE_OUTSIDE 0x8000u
#define PROTO_DETOUR_NO_LINK 0xffffffffu
#define PROTO_DETOUR_LINK_BOTH_WAYS 1u
#define PROTO_DETOUR_SIDE_INSIDE 0xffu // of an off-mesh connection that ends in its own tile

// Parameters of a whole mesh. A tile's corner is at origin + tile_x * tile_width, and so along z.
typedef struct proto_detour_params {
    float origin[3];
    float tile_width, tile_depth; // along x, along z
    uint32_t tiles_max;
    uint32_t polygons_max; // of a tile; with 64-bit references 1 << 31
} proto_detour_params;

typedef struct proto_mset_header {
    uint32_t magic;
    uint32_t version;
    uint32_t tile_count;
    proto_detour_params params;
} proto_mset_header;

// In front of each tile of an MSET.
typedef struct proto_mset_tile {
    uint32_t reference; // 0: there is no tile, and the file ends for Detour
    uint32_t size_bytes;
} proto_mset_tile;

// The same, written by a program whose references have 64 bits (DT_POLYREF64).
typedef struct proto_mset_tile_64 {
    uint32_t reference_low, reference_high;
    uint32_t size_bytes;
    uint32_t padding;
} proto_mset_tile_64;

// The .mmap of newer versions; older ones are proto_detour_params alone. Connections of the kind
// that TrinityCore keeps in this file follow.
typedef struct proto_mmap_header {
    uint32_t magic;
    uint32_t version;
    proto_detour_params params;
    uint32_t link_count;
} proto_mmap_header;

typedef struct proto_mmtile_header {
    uint32_t magic;
    uint32_t detour_version;
    uint32_t version;
    uint32_t size_bytes; // of the tile
    uint8_t has_liquids; // 0 or 1
    uint8_t padding[3];
} proto_mmtile_header;

// Follows it in AzerothCore's format 19: what the tile was baked with.
typedef struct proto_mmtile_recast {
    float max_slope; // degrees
    uint8_t radius_cells, height_cells, climb_cells;
    uint8_t padding;
    uint32_t map_side_vertices, tile_side_vertices, map_side_tiles;
    float base_unit;
    float cell_size, cell_height;
    float edge_max_error;
} proto_mmtile_recast;

// ---- a tile ----

typedef struct proto_detour_header {
    uint32_t magic;
    uint32_t version;
    int32_t tile_x, tile_z;
    int32_t layer;
    uint32_t user_id;
    uint32_t polygon_count; // links (off-mesh connections) are the last of them
    uint32_t vertex_count;
    uint32_t link_count; // places for references, which a file has but does not fill
    uint32_t detail_count;
    uint32_t detail_vertex_count, detail_triangle_count;
    uint32_t node_count;
    uint32_t connection_count;
    uint32_t connection_first; // the first polygon that is an off-mesh connection
    float agent_height, agent_radius, agent_max_climb;
    float min[3], max[3];
    float cells_per_unit; // by which the nodes' bounds are measured: 1 / cell_size
} proto_detour_header;

// The sections, in order:
//
//   12  vertex_count           float x, y, z
//   32  polygon_count          proto_detour_polygon
//   12  link_count             proto_detour_link; 16 bytes each where references have 64 bits
//   12  detail_count           proto_detour_detail
//   12  detail_vertex_count    float x, y, z
//    4  detail_triangle_count  uint8 corners, then detail vertices of the polygon; uint8 flags
//   16  node_count             proto_detour_node
//   36  connection_count       proto_detour_connection

typedef struct proto_detour_polygon {
    uint32_t first_link; // PROTO_DETOUR_NO_LINK in a file
    uint16_t vertices[PROTO_DETOUR_VERTICES_MAX];
    // Across each edge: 0: a wall; n: polygon n - 1; PROTO_DETOUR_EDGE_OUTSIDE | side: the tile's
    // border, by an eighth of a turn: 0 +x, 2 +z, 4 -x, 6 -z.
    uint16_t neighbours[PROTO_DETOUR_VERTICES_MAX];
    uint16_t flags;
    uint8_t vertex_count;
    uint8_t area_and_kind; // the area in the lowest 6 bits
} proto_detour_polygon;

typedef struct proto_detour_link {
    uint32_t reference;
    uint32_t next;
    uint8_t edge, side, min, max;
} proto_detour_link;

#define PROTO_DETOUR_LINK_64_BYTES 16u

typedef struct proto_detour_detail {
    uint32_t vertex_first, triangle_first;
    uint8_t vertex_count, triangle_count;
    uint8_t padding[2];
} proto_detour_detail;

// A flag of a detail triangle, two bits an edge: the edge lies on the polygon's border.
#define PROTO_DETOUR_DETAIL_BORDER 1u

// A leaf has its polygon in `next`; an inner node minus how many nodes its subtree has.
typedef struct proto_detour_node {
    uint16_t min[3], max[3]; // (bounds - header.min) * cells_per_unit
    int32_t next;
} proto_detour_node;

typedef struct proto_detour_connection {
    float start[3], end[3];
    float radius;
    uint16_t polygon;
    uint8_t flags; // PROTO_DETOUR_LINK_BOTH_WAYS
    uint8_t side;  // on which the end leaves the tile, as of neighbours
    uint32_t user_id;
} proto_detour_connection;

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "files are copied to structs");
_Static_assert(sizeof(float) == sizeof(uint32_t), "a file's floats are the machine's");
_Static_assert(sizeof(proto_detour_params) == 28, "as in an .mmap");
_Static_assert(sizeof(proto_mset_header) == 40, "as in an MSET");
_Static_assert(sizeof(proto_mset_tile) == 8, "as in an MSET");
_Static_assert(sizeof(proto_mset_tile_64) == 16, "as in an MSET");
_Static_assert(sizeof(proto_mmap_header) == 40, "as in an .mmap");
_Static_assert(sizeof(proto_mmtile_header) == 20, "as in an .mmtile");
_Static_assert(sizeof(proto_mmtile_recast) == 36, "as in an .mmtile");
_Static_assert(sizeof(proto_detour_header) == 100, "as in a tile");
_Static_assert(sizeof(proto_detour_polygon) == 32, "as in a tile");
_Static_assert(sizeof(proto_detour_link) == 12, "as in a tile");
_Static_assert(sizeof(proto_detour_detail) == 12, "as in a tile");
_Static_assert(sizeof(proto_detour_node) == 16, "as in a tile");
_Static_assert(sizeof(proto_detour_connection) == 36, "as in a tile");
