// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// detour.h: Detour's tiles in a file of theirs, as tiles of ours. Any bytes are safe: every count,
// offset, index and float is checked before it is used.
//
//   bytes --mset.c, mmap.c--> frames --read.c--> grid, areas, numbers --settings.c--> nav_config
//                                       '--tile.c--> nav_tile_polygons --core--> blob
//
// Data that Detour works out anew when it loads a tile (links between polygons, the tree) is not
// read: ours are made by nav_mesh_create.

#pragma once

#include "core/nav.h"

// A file whose tiles have been found. It borrows the bytes.
typedef struct proto_detour proto_detour;

// Finds the tiles of an MSET, or of a tar of one map's .mmap and .mmtile files, and checks all but
// the polygons' shapes and neighbours, which proto_detour_tile does. Polls hooks->cancelled (hooks
// may be NULL). Errors: NAV_BAD_BLOB, NAV_VERTEX_NOT_FINITE, NAV_VERTEX_OUT_OF_RANGE, of which
// err->at is "tile X,Z"; PROTO_BAD_GEOMETRY (what is around the tiles); NAV_MESH_EMPTY (no tile);
// NAV_GEOMETRY_TOO_LARGE (more areas, links or tiles than are counted), NAV_CANCELLED,
// NAV_NO_MEMORY.
nav_status proto_detour_open(const void *bytes, size_t size_bytes, const nav_bake_hooks *hooks,
                             proto_detour **out, nav_error *err);
void proto_detour_close(proto_detour *d); // NULL is harmless

typedef struct proto_detour_numbers {
    uint32_t tiles, polygons, vertices, links;
    float min[3], max[3]; // of the vertices
} proto_detour_numbers;

proto_detour_numbers proto_detour_count(const proto_detour *d);

// Makes the settings of such a mesh of those that were sent: sizes of the agent and of cells are
// the file's; areas, flags and links of the file join those of the settings, where areas keep the
// costs that were given. Lists come from memory. A polygon of area 9 is of "area_9"; area 63, else
// 0, is "ground"; in .mmtile areas and flags have the names that TrinityCore gives them. Where
// polygons of one area have several flags each further one makes an area of its own, "area_9_0004".
// Errors: NAV_INVALID_FIELD for settings that only a bake can have (volumes, agents ...), and of
// nav_config_check; NAV_GEOMETRY_TOO_LARGE, NAV_NO_MEMORY.
nav_status proto_detour_settings(const proto_detour *d, nav_arena *memory, nav_config *config,
                                 nav_error *err);

// The place of our tile `index`, in order of z, x: a name for the store. Layers of one tile lie
// beyond the last row, each as far as all rows together.
void proto_detour_place(const proto_detour *d, uint32_t index, uint32_t *x, uint32_t *z);
// Makes that tile, of settings that proto_detour_settings has filled: a blob from result, which
// must not be scratch. Polygons without any flag, which no query of Detour's takes, are left out;
// where nothing is left out->size_bytes is 0. Errors: NAV_BAD_BLOB with the tile and its polygon,
// NAV_INVALID_FIELD (the settings lack an area), NAV_CANCELLED, NAV_NO_MEMORY. report may be NULL.
// Thread: any; one call per arena.
nav_status proto_detour_tile(const proto_detour *d, uint32_t index, const nav_config *config,
                             const nav_bake_hooks *hooks, nav_arena *scratch, nav_arena *result,
                             nav_blob *out, nav_bake_report *report, nav_error *err);
// Makes each tile and lets it go: what it does not refuse can be imported. memory_limit_bytes (0:
// none) is of the tile's work, and again of the tile. Errors: as above.
nav_status proto_detour_check(const proto_detour *d, const nav_config *config,
                              size_t memory_limit_bytes, const nav_bake_hooks *hooks,
                              nav_error *err);
