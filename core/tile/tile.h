// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// tile.h: the tile blob, what a bake leaves behind. Private to core/.
//
//   nav_polygons, nav_detail --bake/write.c--> blob --open.c--> nav_tile
//   nav_tile_polygons --import.c--> blob
//   nav_tile --derive/create.c--> nav_mesh
//
// FORMAT, version 1. Little-endian. One block, relocatable: offsets count from its first byte. The
// same tile always gives the same bytes: sections follow each other in the order of this table,
// each at the next multiple of 16 bytes, and every byte that means nothing is zero.
//
//   offset  size  header field
//        0     4  magic "NAVT"
//        4     4  format version, 1
//        8     8  size of the whole blob in bytes, a multiple of 16
//       16     8  checksum: XXH64 with seed 0 of everything from byte 24 to the end
//       24     8  tile_x, tile_z: which tile
//       32     8  tiles_x, tiles_z: of how many
//       40     4  tile_cells: side of a tile in cells, 0 where the world is one tile
//       44     8  cell_size, cell_height                                   float, world units
//       52    12  grid_min x, y, z                                         float, world units
//       64    12  agent radius, height, max_climb                          float, world units
//       76    24  counts: vertices V, polygons P, corners C, detail vertices D,
//                 detail triangles T, tree nodes N = 2 P - 1
//      100     4  size of the section of switches in bytes, a multiple of 16; 0: there is none
//      104    56  offsets of the seven sections below                      8 bytes each
//
//   size  section
//   12 V  vertices: x, y, z in cells of the grid (int32); see nav_tile_vertex for the world
//   24 P  polygons: nav_tile_polygon
//    4 C  corners: vertex indices of polygon 0, then of polygon 1 ..., counter-clockwise from above
//    4 C  neighbours: across the edge corner i -> i+1: a polygon of this tile, or NAV_NONE, a wall,
//         or NAV_EDGE_PORTAL | direction (the tile's border)
//   12 D  detail vertices x, y, z, of polygon 0, then of polygon 1 ...     float, world units
//    6 T  detail triangles: three indices (uint16) that count the polygon's corners first, then its
//         detail vertices
//   32 N  the bounding-volume tree over the polygons: nav_tile_node
//
// The section of switches is there where polygons lie under some; else the blob ends before it.
//
//   size  part of it
//     16  counts: switches I, sets S, entries E; zero                      nav_tile_switches
//   48 I  ids of the switches, filled up with zeros, rising by strcmp
//  4 S+4  first entry of each set, and E                                   uint32
//    2 E  entries: switches by their place above, rising in each set       uint16
//    2 P  by polygon: 0: under no switch; else one more than the set of those it lies under, uint16

#pragma once

#include "core/base/cancel.h"
#include "core/nav.h"

#define NAV_TILE_VERSION 1u
// An area is a byte. Classes of ground, which switches make, are counted on from here.
#define NAV_TILE_AREAS 256
// No coordinate in a blob is larger: geometry is bounded by NAV_COORDINATE_MAX, a grid of the
// largest size beyond it still lies well inside.
#define NAV_TILE_COORDINATE_MAX (4.0f * NAV_COORDINATE_MAX)
// Vertices lie in the grid or a padding's width outside.
#define NAV_TILE_CELLS_MAX (1 << 24)
// The writer halves, so that 32 levels hold every tile there can be. Traversals may rely on it.
#define NAV_TILE_DEPTH_MAX 40

// The sections, in order.
enum {
    NAV_TILE_VERTICES,
    NAV_TILE_POLYGONS,
    NAV_TILE_CORNERS,
    NAV_TILE_NEIGHBOURS,
    NAV_TILE_DETAIL_VERTICES,
    NAV_TILE_DETAIL_TRIANGLES,
    NAV_TILE_NODES,
    NAV_TILE_SECTIONS
};

typedef struct nav_tile_header {
    char magic[4];
    uint32_t version;
    uint64_t size_bytes;
    uint64_t checksum;
    uint32_t tile_x, tile_z;
    uint32_t tiles_x, tiles_z;
    uint32_t tile_cells;
    float cell_size, cell_height;
    float grid_min[3];
    float agent_radius, agent_height, agent_max_climb;
    uint32_t vertex_count, polygon_count, corner_count;
    uint32_t detail_vertex_count, detail_triangle_count;
    uint32_t node_count;
    uint32_t switch_bytes;
    uint64_t offsets[NAV_TILE_SECTIONS];
} nav_tile_header;

// The firsts are the sums of the counts of the polygons before.
typedef struct nav_tile_polygon {
    uint32_t corner_first;
    uint32_t detail_vertex_first, detail_vertex_count;
    uint32_t detail_triangle_first, detail_triangle_count; // 0 triangles: no detail
    uint16_t corner_count;                                 // 3 to NAV_POLYGON_VERTICES_MAX
    uint8_t area;                                          // not NAV_AREA_NONE
    uint8_t zero;
} nav_tile_polygon;

// A binary tree in pre-order. A node's subtree is the nodes from itself up to `end`:
//
//   index   0      1      2      3      4         An inner node's left child follows it, its right
//          [a     [b     [c]    [d]]   [e]]       child is where the left one ends.
//   end     5      4      3      4      5
typedef struct nav_tile_node {
    float min[3]; // world units: bounds of the polygons below, detail included
    uint32_t end;
    float max[3];
    uint32_t polygon; // of a leaf; NAV_NONE for an inner node
} nav_tile_node;

// The beginning of the section of switches.
typedef struct nav_tile_switches {
    uint32_t id_count, set_count, entry_count;
    uint32_t zero;
} nav_tile_switches;

_Static_assert(sizeof(nav_tile_switches) == 16, "packed as in FORMAT");
_Static_assert(sizeof(nav_name) == 48, "an id is packed as in FORMAT");
_Static_assert(sizeof(nav_tile_header) == 160, "the header is packed as in FORMAT");
_Static_assert(offsetof(nav_tile_header, tile_x) == 24, "the checksum covers from here");
_Static_assert(offsetof(nav_tile_header, vertex_count) == 76, "counts follow the agent");
_Static_assert(offsetof(nav_tile_header, offsets) == 104, "offsets follow the counts");
_Static_assert(sizeof(nav_tile_polygon) == 24, "a polygon has no padding");
_Static_assert(sizeof(nav_tile_node) == 32, "two nodes a cache line");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "blobs are used in place");

// A blob whose parts have been found. It borrows the bytes.
typedef struct nav_tile {
    const nav_tile_header *header;
    const int32_t (*vertices)[3];
    const nav_tile_polygon *polygons;
    const uint32_t *corners;
    const uint32_t *neighbours;
    const float (*detail_vertices)[3];
    const uint16_t (*detail_triangles)[3];
    const nav_tile_node *nodes;
    const nav_tile_switches *switches; // NULL: there are none, nor what follows
    const char (*switch_ids)[NAV_NAME_MAX + 1];
    const uint32_t *set_first;
    const uint16_t *set_entries;
    const uint16_t *polygon_sets;
} nav_tile;

// Verifies everything, so that the holder of the view may trust every count, index and float. Any
// bytes are safe. They must begin at a multiple of 8, as every allocation does; others are refused.
// Errors: NAV_BAD_BLOB.
nav_status nav_tile_open(nav_blob blob, nav_tile *out, nav_error *err);
// The part of that which the tree needs: header, vertices, corners, polygons and their detail, in a
// block whose counts are those of its size. The bytes inside may be anything.
nav_status nav_tile_check_polygons(const nav_tile *tile, nav_error *err);
// The view of a blob that nav_tile_open has verified before.
nav_tile nav_tile_view(const void *bytes);

// Fills offsets and size_bytes of a header from its counts. Cannot overflow.
void nav_tile_layout(nav_tile_header *header);
// Size of a section of switches. Cannot overflow for a tile that can be.
uint64_t nav_tile_switches_bytes(const nav_tile_switches *switches, uint32_t polygon_count);
// XXH64 with seed 0.
uint64_t nav_tile_checksum(const void *bytes, size_t size_bytes);

// Positions of a grid's cells in the world.
static inline void nav_tile_position(const float grid_min[3], float cell_size, float cell_height,
                                     const int32_t cells[3], float out[3])
{
    out[0] = grid_min[0] + (float)cells[0] * cell_size;
    out[1] = grid_min[1] + (float)cells[1] * cell_height;
    out[2] = grid_min[2] + (float)cells[2] * cell_size;
}

// The world position of a vertex. All tiles share the grid's origin and this one expression, so
// that a vertex on a tile's border is the same to the last bit in both tiles.
static inline void nav_tile_vertex(const nav_tile_header *header, const int32_t cells[3],
                                   float out[3])
{
    nav_tile_position(header->grid_min, header->cell_size, header->cell_height, cells, out);
}

// tree.c: builds the tree over count boxes. nodes has room for 2 * count - 1. Each leaf comes
// in with its box and polygon; leaves is reordered. False where it is not wanted any more.
bool nav_tile_tree_build(nav_tile_node *leaves, uint32_t count, nav_tile_node *nodes,
                         nav_cancel *cancel);

// ---- writing: seal.c ----

// The sections of a blob that is being written: nav_tile without the const.
typedef struct nav_tile_sections {
    nav_tile_header *header;
    int32_t (*vertices)[3];
    nav_tile_polygon *polygons;
    uint32_t *corners;
    uint32_t *neighbours;
    float (*detail_vertices)[3];
    uint16_t (*detail_triangles)[3];
    nav_tile_node *nodes;
} nav_tile_sections;

// Copies a complete header to the beginning of zeroed bytes, header->size_bytes of them.
nav_tile_sections nav_tile_sections_begin(void *bytes, const nav_tile_header *header);
// Ends a blob whose other sections are written and valid: builds the tree, with room for a leaf a
// polygon, and the checksum. False where it is not wanted any more.
bool nav_tile_seal(nav_tile_sections *w, nav_tile_node *leaves, nav_cancel *cancel);
