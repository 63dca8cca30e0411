// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// mesh.h: the searchable mesh: the flat arrays that the queries read. Private to core/.
//
// Everything is immutable once nav_mesh_create has returned. Index i of a "first" array begins
// polygon i's run, index i + 1 ends it.

#pragma once

#include "core/base/cancel.h"
#include "core/mesh/locate.h"
#include "core/nav.h"
#include "core/tile/tile.h"

#include <stdatomic.h>

// A way out of one polygon into another, across an edge they share or, between two tiles, across
// what their edges have in common. Left and right are as seen by
// somebody who walks from -> to:
//
//        from | to          An edge runs counter-clockwise around `from`, corner i -> i+1.
//    left  i+1|             Its end is therefore on the walker's left hand, its
//       ----> |             beginning on the right.
//    right   i|
typedef struct nav_portal {
    float left[2], right[2]; // x and z
    uint32_t from, to;       // polygons
    uint32_t left_vertex, right_vertex;
} nav_portal;

_Static_assert(sizeof(nav_portal) == 32, "two portals a cache line");

// Of a mesh, ways of links included: a search keeps bits beside a portal's index, and numbers both
// ends.
#define NAV_PORTALS_MAX 0x1fffffffu

// A way over the border between two tiles: where an edge of one and an edge of the other overlap.
// Each end of the overlap is an end of one of the two edges, hence a vertex of the mesh.
typedef struct nav_tile_link {
    uint32_t corner;      // edge corner -> next one of the polygon that is left
    uint32_t to;          // the polygon that is entered
    uint32_t right, left; // vertices, as seen by somebody who walks over
} nav_tile_link;

// links.c: the links between the tiles of one grid, in order of corner and along the edge,
// with indices as if the tiles had been laid end to end in this order. The tiles have been
// verified. *out is allocated from arena. Errors: NAV_NO_MEMORY, NAV_CANCELLED.
nav_status nav_mesh_find_links(const nav_blob *tiles, uint32_t tile_count, nav_cancel *cancel,
                               nav_arena *arena, nav_tile_link **out, uint32_t *count);

// A laid link in one of its directions. Way i is portal edge_portal_count + i, whose left and right
// both are the place where it begins and whose vertices are NAV_NONE.
typedef struct nav_arc {
    float start[3], end[3]; // on the mesh
    float length;           // in plan view
    uint32_t link;          // in nav_mesh.links
} nav_arc;

_Static_assert(sizeof(nav_arc) == 32, "two ways a cache line");

// Links that every filter treats alike.
typedef struct nav_link_class {
    uint32_t flags;
    float own_least; // the least cost by plan length of those with a cost of their own, or INFINITY
    uint8_t area;
    bool any_by_area; // some have none of their own
} nav_link_class;

// Links lead from one component into another, and nothing leads back.
typedef struct nav_condensation_edge {
    uint32_t from, to; // components
} nav_condensation_edge;

// Every area that a verified tile can name.
#define NAV_MESH_AREAS 256

// What a filter makes of a mesh: the cost of a step on each area that a polygon or a link is of,
// INFINITY where it is closed.
typedef struct nav_costs {
    float area[NAV_MESH_AREAS];
    uint32_t include, exclude; // of the filter; 0: any, none
    float least;               // of a step on any polygon that is open
    float
        bound; // no way over ground and links costs less than this times the straight plan distance
    bool uniform; // all ground that is open costs `least`
    bool open;    // nothing is closed, neither ground nor links
} nav_costs;

// In portal_turning_vertices beside a pivot's number: a shortest path may turn there; and, at the
// left end: a polygon beside the portal has another one over the same edge.
#define NAV_TURNING_POSSIBLE 0x80000000u
#define NAV_TURNING_NON_MANIFOLD 0x40000000u
#define NAV_TURNING_NUMBER 0x3fffffffu
// At the right end: the portal is a bridge, the only way over ground between what is before it and
// what is behind it.
#define NAV_TURNING_BRIDGE 0x40000000u

// A mesh has a multiple of eight landmarks: what is asked of all is asked of eight side by side.
#define NAV_LANDMARK_LANES 8u
#define NAV_LANDMARKS_MAX 16u

// What an inner node of a mesh has for its polygon: this, and the label of all polygons below it,
// or NAV_MESH_MIXED where they are of more than one component: no label is 0. NAV_NONE: not known
// yet.
#define NAV_NODE_INNER 0x80000000u
#define NAV_MESH_MIXED 0u

static inline bool nav_node_is_leaf(const nav_tile_node *node)
{
    return node->polygon < NAV_NODE_INNER;
}

struct nav_mesh {
    _Atomic uint32_t references;
    nav_allocator allocator;
    nav_cancel *cancel;  // of nav_mesh_create; NULL once the mesh is made
    uint64_t tile_bytes; // of the tiles that it was made of
    size_t size_bytes;   // of the one block that holds this struct and the arrays
    nav_mesh_stats stats;

    float (*vertices)[3];
    uint32_t *corners; // vertices, counter-clockwise from above
    uint32_t
        *neighbours; // per corner: the (first) polygon across the edge to the next, or NAV_NONE
    uint8_t *areas;

    // Across edges, then the ways of links; a polygon's run of portal_first holds the former only.
    uint32_t *portal_first;
    nav_portal *portals;
    uint32_t portal_count;
    uint32_t edge_portal_count;
    uint32_t (*portal_turning_vertices)[2]; // of portals over edges: left, right; with
                                            // NAV_TURNING_POSSIBLE or not
    uint32_t turning_vertex_count;
    uint32_t (*preorder)[2];     // by polygon: its number in a depth-first visit, and the first one
                                 // after those visited from it
    bool has_non_manifold_edges; // a portal has NAV_TURNING_NON_MANIFOLD
    bool is_mostly_bridges; // three portals in four have NAV_TURNING_BRIDGE, and none has a twin:
                            // one between the same polygons
    nav_locate locate;
    uint16_t *landmarks; // by pivot: its distances from all of them; a block of its own; NULL: none
    uint32_t landmark_count;
    float landmark_unit;  // of the distances, in world units
    nav_laid_link *links; // stats.links
    uint32_t *arc_first;  // by polygon, as the ways are; not filled where there are no ways
    nav_arc *arcs;
    uint32_t arc_count;
    bool has_one_way_arcs;        // a way may land in a polygon that none begins in
    nav_link_class *link_classes; // by area, then flags; room for as many as there are ways
    uint32_t link_class_count;
    nav_condensation_edge *
        condensation_edges; // in such an order that what leads into a component precedes what leads
    uint32_t condensation_edge_count; // out of it

    float area_costs[NAV_MESH_AREAS];
    uint32_t area_flags[NAV_MESH_AREAS];
    bool area_used[NAV_MESH_AREAS];    // by polygons
    uint8_t area_list[NAV_MESH_AREAS]; // those used by polygons or links, rising
    uint32_t area_list_count;
    nav_costs costs;                                   // of the default filter
    float agent_radius, agent_height, agent_max_climb; // world units
    float grid_min[3], cell_size, cell_height;         // of the grid that vertices lie on

    nav_name *area_names; // area_count, at least those of NAV_AREA_NONE and NAV_AREA_GROUND
    nav_name *flag_names;
    nav_named_filter *filters;
    uint32_t area_count, flag_count, filter_count; // as many as the settings have

    nav_polygon_record
        *records; // by polygon; one more, of which the firsts count, ends the last one's runs
    float (*detail_vertices)[3];
    uint16_t (*detail_triangles)[3];

    uint32_t node_count;
    nav_tile_node *nodes; // the trees of all tiles, one after the other
    uint32_t *roots;      // where each tree begins
    uint32_t root_count;
};

// What the landmarks say of a pivot.
static inline const uint16_t *nav_landmarks_of(const nav_mesh *mesh, uint32_t turning_vertex)
{
    return mesh->landmarks + (size_t)(turning_vertex & NAV_TURNING_NUMBER) * mesh->landmark_count;
}

// The corners of one polygon: corner k is vertices[indices[k]].
typedef struct nav_corners {
    const float (*vertices)[3];
    const uint32_t *indices;
    uint32_t count;
} nav_corners;

extern const uint32_t NAV_COMPACT_INDICES[NAV_COMPACT_CORNERS]; // locate.c: 0, 1, 2, ...

// Room for the corners of a patch, which a nav_corners may then point to.
typedef float nav_corner_room[NAV_COMPACT_CORNERS][3];

static inline void nav_compact_corner(const nav_mesh *mesh, const nav_compact_record *compact,
                                      uint32_t corner, float out[3])
{
    const uint8_t *offsets = compact->offsets[corner];
    const int32_t cells[3] = {compact->base[0] + offsets[0], compact->base[1] + offsets[1],
                              compact->base[2] + offsets[2]};
    nav_tile_place(mesh->grid_min, mesh->cell_size, mesh->cell_height, cells, out);
}

static inline nav_corners nav_polygon_corners(const nav_mesh *mesh, uint32_t polygon,
                                              nav_corner_room room)
{
    const nav_polygon_record *record = &mesh->records[polygon];
    const nav_compact_record *compact =
        mesh->locate.compact_records != NULL ? &mesh->locate.compact_records[polygon] : NULL;
    if (compact == NULL || compact->triangles[0] == NAV_COMPACT_NONE) {
        return (nav_corners){(const float(*)[3])mesh->vertices,
                             mesh->corners + record->corner_first, record->corner_count};
    }
    for (uint32_t k = 0; k < record->corner_count; ++k) {
        nav_compact_corner(mesh, compact, k, room[k]);
    }
    return (nav_corners){(const float(*)[3])room, NAV_COMPACT_INDICES, record->corner_count};
}

// assemble.c: verified tiles in one block, laid end to end with global indices, linked where
// their borders meet; the portals over edges; the arrays of what is derived, empty. *out, whose
// cancel is the given one, is one reference of the caller's. Errors: NAV_BAD_BLOB, NAV_NO_MEMORY,
// NAV_CANCELLED, the last without a sentence.
nav_status nav_mesh_assemble(const nav_blob *tiles, uint32_t tile_count, const nav_config *config,
                             nav_cancel *cancel, const nav_allocator *source, nav_arena *temporary,
                             nav_mesh **out, nav_error *err);

// The steps of nav_mesh_create after the tiles are in place, in order. temporary is for memory that
// dies with the step. Warnings go into report, which may be NULL. Each may also end in
// NAV_CANCELLED.

// build/offmesh.c: snaps the links of config (may be NULL) to the mesh and lays those that land.
// Errors: NAV_INVALID_FIELD.
nav_status nav_mesh_lay_links(nav_mesh *mesh, const nav_config *config, nav_bake_report *report,
                              nav_error *err);
// From the links: the ways, and their portals.
void nav_mesh_derive_arcs(nav_mesh *mesh);

// components.c: labels, and the condensation_edges between them. Errors: NAV_NO_MEMORY.
nav_status nav_mesh_label(nav_mesh *mesh, nav_arena *temporary);

// turning_vertices.c: the places where portals end, numbered, and around which of them shortest
// paths can turn. Errors: NAV_NO_MEMORY.
nav_status nav_mesh_find_turning_vertices(nav_mesh *mesh, nav_arena *temporary);

// build/islands.c: takes out what lies in several tiles and is smaller in all than region_min_size
// squared cells. To be called before links are laid. Labels are left as they were. Errors:
// NAV_NO_MEMORY, NAV_MESH_EMPTY.
nav_status nav_mesh_drop_small_islands(nav_mesh *mesh, const nav_config *config,
                                       nav_arena *temporary, nav_bake_report *report,
                                       nav_error *err);
// Tells of every component that is not kept, or with keep NULL of all but the largest: the centre
// of its first polygon, and its area. keep has a flag for each polygon, alike in a component.
// Errors: NAV_NO_MEMORY.
nav_status nav_mesh_warn_islands(const nav_mesh *mesh, const uint8_t *keep, nav_warning *warning,
                                 nav_arena *temporary);

// build/keep.c: takes out the polygons whose flag is 0. No polygon that is kept may lead to them.
// Labels are to be derived anew. Errors: NAV_NO_MEMORY.
nav_status nav_mesh_keep_only(nav_mesh *mesh, const uint8_t *keep, nav_arena *temporary);
// bridges.c: which portals are bridges; visits; is_mostly_bridges. Errors: NAV_NO_MEMORY.
nav_status nav_mesh_find_bridges(nav_mesh *mesh, nav_arena *temporary);

// build/seeds.c: takes out what no seed of config can reach; without seeds, tells of islands.
// Labels are to be derived anew where polygons went. Errors: NAV_NO_MEMORY, NAV_MESH_EMPTY.
nav_status nav_mesh_prune(nav_mesh *mesh, const nav_config *config, nav_arena *temporary,
                          nav_bake_report *report, nav_error *err);

// locate.c: mesh->locate. Needs nodes, plots and detail as they will stay, but for labels.
// Errors: NAV_NO_MEMORY, NAV_BAD_BLOB (a tile's tree lacks a polygon), NAV_CANCELLED.
nav_status nav_mesh_prepare_locate(nav_mesh *mesh, nav_arena *temporary);
// Back to a mesh without it, as polygons are to go, or all of the mesh is.
void nav_mesh_forget_locate(nav_mesh *mesh);

// costs.c: names, costs, flags and filters from config, which may be NULL. Errors:
// NAV_INVALID_FIELD.
nav_status nav_mesh_copy_areas(nav_mesh *mesh, const nav_config *config, nav_error *err);
// From polygons and links: which areas are used, and the default filter's costs.
void nav_mesh_derive_costs(nav_mesh *mesh);
// What a filter (NULL: the default one) makes of the mesh.
void nav_costs_resolve(const nav_mesh *mesh, const nav_filter *filter, nav_costs *out);
// Of a whole link of this plan length; INFINITY where it is closed.
float nav_link_cost(const nav_costs *costs, const nav_laid_link *link, float length);

// In plan view; positive for corners that run counter-clockwise as seen from above.
double nav_mesh_polygon_area(const nav_mesh *mesh, uint32_t polygon);
// From a point to the place on the mesh closest to it; 0 where there is none, or for a point that
// is nowhere.
float nav_mesh_distance(const nav_mesh *mesh, const float point[3]);
