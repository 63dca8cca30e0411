// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// steps.h: the steps in which a mesh is made, in their order; derive/create.c calls them. Private
// to core/.
//
// Every step may also end in NAV_CANCELLED or NAV_NO_MEMORY; the mesh is then of no use, and its
// owner releases it. `temporary` is for memory that dies with the step. Warnings go into `report`,
// which may be NULL. Loops poll mesh->cancel.

#pragma once

#include "core/mesh/types.h"

// switches.c: the classes of ground that tiles, which have been verified, and links of the settings
// (config may be NULL) make. A switch that the settings do not name is always open. The plan lives
// in temporary. Errors: NAV_NO_MEMORY, NAV_TILE_TOO_COMPLEX; NAV_CANCELLED has no sentence.
typedef struct nav_class_plan nav_class_plan;
nav_status nav_class_plan_make(const nav_blob *tiles, uint32_t tile_count, const nav_config *config,
                               nav_cancel *cancel, nav_arena *temporary, nav_class_plan **out,
                               nav_error *err);
// How many classes beyond the areas there are, and how many switches in all of their sets.
void nav_class_plan_sizes(const nav_class_plan *plan, uint32_t *class_count, uint32_t *entry_count);
// The class of a tile's polygon; first_set is how many sets the tiles before it have.
uint16_t nav_class_plan_of(const nav_class_plan *plan, const nav_tile *tile, uint32_t first_set,
                           uint32_t polygon);
// Fills in the mesh's classes and switches, for which there is room.
void nav_class_plan_copy(const nav_class_plan *plan, const nav_config *config, nav_mesh *mesh);
// Counts the polygons of classes and switches, which have none yet, and finds their bounds.
void nav_mesh_derive_switches(nav_mesh *mesh);
// Warns of switches of the settings whose shapes touch no ground.
void nav_mesh_warn_switches(const nav_mesh *mesh, const nav_config *config,
                            nav_bake_report *report);

// links.c: the links between the tiles of one grid, in order of corner and along the edge, with
// indices as if the tiles had been placed end to end. The tiles have been verified. *out is
// allocated from arena. NAV_CANCELLED and NAV_NO_MEMORY have no sentence.
nav_status nav_mesh_find_links(const nav_blob *tiles, uint32_t tile_count, nav_cancel *cancel,
                               nav_arena *arena, nav_tile_link **out, uint32_t *count,
                               nav_error *err);

// assemble.c: verifies tiles and lays them end to end in one block, with global indices; links
// their borders and derives the portals over edges. The arrays of later steps have their room and
// are empty. *out is one reference, which the caller owns. Errors: NAV_BAD_BLOB; NAV_CANCELLED has
// no sentence.
nav_status nav_mesh_assemble(const nav_blob *tiles, uint32_t tile_count, const nav_config *config,
                             nav_cancel *cancel, const nav_allocator *source, nav_arena *temporary,
                             nav_mesh **out, nav_error *err);

// costs.c: copies names, costs, flags and filters from config, which may be NULL. Errors:
// NAV_INVALID_FIELD.
nav_status nav_mesh_copy_areas(nav_mesh *mesh, const nav_config *config, nav_error *err);
// Finds which areas polygons and links use, and the default filter's costs.
void nav_mesh_derive_costs(nav_mesh *mesh);

// components.c: numbers the components, and lists the condensation edges between them.
nav_status nav_mesh_find_components(nav_mesh *mesh, nav_arena *temporary);

// derive/islands.c: takes out components that lie in several tiles and are smaller in all than
// region_min_size squared cells. Call it before links are placed. Component numbers are left as
// they were. Errors: NAV_MESH_EMPTY.
nav_status nav_mesh_drop_small_islands(nav_mesh *mesh, const nav_config *config,
                                       nav_arena *temporary, nav_bake_report *report,
                                       nav_error *err);
// Warns of every component that is not kept: reports the centre of its first polygon, and its area.
// keep has a flag for each polygon, alike within a component; NULL: only the largest one is kept.
nav_status nav_mesh_warn_islands(const nav_mesh *mesh, const uint8_t *keep, nav_warning *warning,
                                 nav_arena *temporary);

// derive/offmesh.c: snaps the links of config (may be NULL) to the mesh and lays those that land.
// Errors: NAV_INVALID_FIELD.
nav_status nav_mesh_place_links(nav_mesh *mesh, const nav_config *config, nav_bake_report *report,
                                nav_error *err);
// Derives the off-mesh arcs and their portals from the placed links.
void nav_mesh_derive_arcs(nav_mesh *mesh);

// derive/seeds.c: takes out what no seed of config can reach; without seeds, warns of islands.
// Component numbers have to be found again where polygons went. Errors: NAV_MESH_EMPTY.
nav_status nav_mesh_prune(nav_mesh *mesh, const nav_config *config, nav_arena *temporary,
                          nav_bake_report *report, nav_error *err);
// derive/keep.c: takes out the polygons whose flag is 0. No polygon that is kept may lead to them.
// Component numbers have to be found again.
nav_status nav_mesh_keep_only(nav_mesh *mesh, const uint8_t *keep, nav_arena *temporary);

// rooms.c: finds the rooms of a mesh with switches, and the doors between them.
nav_status nav_mesh_find_rooms(nav_mesh *mesh, nav_arena *temporary);
// Takes them away.
void nav_mesh_forget_rooms(nav_mesh *mesh);

// turning_vertices.c: numbers the ends of portals, and finds around which of them shortest paths
// can turn.
nav_status nav_mesh_find_turning_vertices(nav_mesh *mesh, nav_arena *temporary);
// turning_vertices.c: finds the ground around each, where there is ground of several classes.
nav_status nav_mesh_find_turning_grounds(nav_mesh *mesh);
// bridges.c: finds the bridges, the preorder intervals and is_mostly_bridges. Needs the numbers of
// turning vertices.
nav_status nav_mesh_find_bridges(nav_mesh *mesh, nav_arena *temporary);

// locate.c: makes mesh->locate. Needs polygon records and detail as they will stay, but for
// component numbers.
nav_status nav_mesh_prepare_locate(nav_mesh *mesh, nav_arena *temporary);
// Takes mesh->locate away, as polygons are to go, or all of the mesh is.
void nav_mesh_forget_locate(nav_mesh *mesh);
