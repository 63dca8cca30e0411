// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// types.h: the searchable mesh: the flat arrays that the queries read. Private to core/.
//
// Everything is immutable once nav_mesh_create has returned. Index i of a "first" array begins
// polygon i's run, index i + 1 ends it.

#pragma once

#include "core/base/blocks.h"
#include "core/base/cancel.h"
#include "core/base/plane.h"
#include "core/nav.h"
#include "core/tile/tile.h"

#include <stdatomic.h>

// The common part of two polygons' edges, over which ground leads out of one into the other: the
// edge they share or, between two tiles, the overlap of two edges. Left and right are as seen by
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

// Whether a portal over an edge is another one, seen from its other side.
static inline bool nav_portal_is_back(const nav_portal *back, const nav_portal *portal)
{
    return back->to == portal->from && nav_plane_same(back->left, portal->right) &&
           nav_plane_same(back->right, portal->left) && back->from == portal->to;
}

// The most portals of a mesh, off-mesh arcs included: a search keeps bits beside a portal's index,
// and numbers both ends.
#define NAV_PORTALS_MAX 0x1fffffffu

// A step over the border between two tiles: where an edge of one and an edge of the other overlap.
// Each end of the overlap is an end of one of the two edges, hence a vertex of the mesh.
typedef struct nav_tile_link {
    uint32_t corner;      // edge corner -> next one of the polygon that is left
    uint32_t to;          // the polygon that is entered
    uint32_t right, left; // vertices, as seen by somebody who walks over
} nav_tile_link;

// An off-mesh arc: a placed link in one of its directions. Arc i is portal edge_portal_count + i,
// whose left and right both are the position where it begins and whose vertices are NAV_NONE.
typedef struct nav_arc {
    float start[3], end[3]; // on the mesh
    float length;           // in plan view
    uint32_t link;          // in nav_mesh.links
} nav_arc;

_Static_assert(sizeof(nav_arc) == 32, "two arcs a cache line");

// Links that every filter, and every state of switches, treats alike.
typedef struct nav_link_class {
    uint32_t flags;
    float own_least; // the least cost by plan length of those with a cost of their own, or INFINITY
    uint16_t ground; // their class
    bool any_own;    // some have a cost of their own, also those without length in plan view
    bool any_by_area; // some have length in plan view, and no cost of their own
} nav_link_class;

// Links lead from one component into another, and nothing leads back.
typedef struct nav_condensation_edge {
    uint32_t from, to; // components
} nav_condensation_edge;

// Every area that a verified tile can name.
#define NAV_MESH_AREAS 256

// A class of ground from NAV_MESH_AREAS on: an area under a set of switches, of which it is open
// only while all are. A class below is the area itself, under none.
typedef struct nav_mesh_class {
    uint32_t first; // in nav_mesh.class_switches; its set ends where that of the next class begins
    uint32_t polygons;
    uint8_t area;
} nav_mesh_class;

// A mesh under a filter and a state of its switches: the cost of a step on each area that a polygon
// or a link is of, INFINITY where it is closed.
typedef struct nav_costs {
    float area[NAV_MESH_AREAS];
    // By class, where the mesh has more classes than areas, else NULL: those of areas first. The
    // owner's, with room for nav_mesh_class_count.
    float *by_class;
    uint32_t include, exclude; // of the filter; 0: any, none
    float least;               // of a step on any polygon that is open
    float bound; // no way costs less than this times the straight plan distance of its ends
    // Nor less than this times the distance by the landmarks, which count a link at its own cost.
    float landmark_bound;
    bool uniform; // all ground that is open costs `least`
    bool open;    // nothing is closed, neither ground nor links
    bool open_but_for_switches;
    bool open_but_for_shapes; // the same of what shapes to avoid leave
} nav_costs;

// Flags beside a turning vertex's number in portal_turning_vertices. A shortest path may turn
// there. At the left end: a polygon beside the portal has another one over the same edge.
#define NAV_TURNING_POSSIBLE 0x80000000u
#define NAV_TURNING_NON_MANIFOLD 0x40000000u
#define NAV_TURNING_NUMBER 0x3fffffffu
// At the right end: the portal is a bridge, the only way over ground between what is before it and
// what is behind it.
#define NAV_TURNING_BRIDGE 0x40000000u
_Static_assert(((NAV_TURNING_POSSIBLE | NAV_TURNING_NON_MANIFOLD | NAV_TURNING_BRIDGE) &
                NAV_TURNING_NUMBER) == 0,
               "flags stand beside a number");
_Static_assert(2 * (uint64_t)NAV_PORTALS_MAX <= NAV_TURNING_NUMBER, "each end has a number");

// In turning_grounds, where ground of several classes is around a turning vertex, in the place of
// one: none of it lies under switches; some of it does. No polygon has either.
#define NAV_TURNING_PLAIN NAV_AREA_NONE
#define NAV_TURNING_MIXED UINT16_MAX

// ends: a portal's element of portal_turning_vertices.
static inline bool nav_turning_is_non_manifold(const uint32_t ends[2])
{
    return (ends[0] & NAV_TURNING_NON_MANIFOLD) != 0;
}

// A mesh has a multiple of eight landmarks: what is asked of all is asked of eight side by side.
#define NAV_LANDMARK_LANES 8u
#define NAV_LANDMARKS_MAX 16u
_Static_assert(NAV_LANDMARKS_MAX % NAV_LANDMARK_LANES == 0, "whole lanes");

// An inner node of a mesh has as its polygon this bit and the component of all polygons below it,
// or NAV_MESH_MIXED where they are of more than one: no component is 0. NAV_NONE: not known
// yet.
#define NAV_NODE_INNER 0x80000000u
#define NAV_MESH_MIXED 0u

static inline bool nav_node_is_leaf(const nav_tile_node *node)
{
    return node->polygon < NAV_NODE_INNER;
}

// ---- finding polygons by position ----

// The record of one polygon: everything that locating reads, side by side: in a large mesh each of
// these would else be a line of memory to wait for.
typedef struct nav_polygon_record {
    float min[3], max[3]; // bounds, detail included
    uint32_t corner_first;
    uint32_t detail_vertex_first;
    uint32_t detail_triangle_first;
    uint32_t component; // its label, 1.., in order of each component's first polygon
    uint8_t corner_count;
    bool at_border;  // its ground goes on in the next tile, with a portal or without
    uint16_t ground; // its class
} nav_polygon_record;

_Static_assert(sizeof(nav_polygon_record) == 44, "a record is in two cache lines at most");

#define NAV_LINE_SLOTS 8u

// Polygons over a cell of the grid, in one cache line, rising, each with the box of its bounds
// within the cell. A slot without one has NAV_BOX_NONE and NAV_NONE; but if the list goes on, the
// last slot has the number of the line in which it does.
typedef struct nav_locate_line {
    uint32_t boxes[NAV_LINE_SLOTS];
    uint32_t polygons[NAV_LINE_SLOTS];
} nav_locate_line;

_Static_assert(sizeof(nav_locate_line) == 64, "a cache line");

// `block`, which holds the arrays, is NULL while a mesh is made, and where it is empty.
typedef struct nav_locate {
    void *block;
    size_t block_bytes;
    float min[2];   // x and z, where the grid begins
    float per_cell; // cells a world unit
    uint32_t width, depth;
    nav_locate_line *lines; // of the cells, width * depth, then of those whose lists go on
    nav_tile_node *nodes;   // one tree over all polygons, as a tile's; inner nodes have labels
    uint32_t *detail_boxes; // by triangle of detail, within the polygon's bounds, rounded outwards
} nav_locate;

#define NAV_BOX_UNIT_MAX 127u
#define NAV_BOX_TOPS 0x80808080u
#define NAV_BOX_NONE 0x80808080u // meets nothing

// The cell along one axis of a position, which is given in cells; the nearest one for positions
// outside.
static inline uint32_t nav_locate_along(float at_cells, uint32_t count)
{
    NAV_DCHECK(count > 0);
    return !(at_cells > 0.0f) ? 0 : at_cells >= (float)count ? count - 1 : (uint32_t)at_cells;
}

// Cells, all included.
typedef struct nav_cell_range {
    uint32_t x0, z0, x1, z1;
} nav_cell_range;

// From one position to another, which are given in cells.
static inline nav_cell_range nav_cell_range_of(const nav_locate *l, const float least[2],
                                               const float most[2])
{
    return (nav_cell_range){.x0 = nav_locate_along(least[0], l->width),
                            .z0 = nav_locate_along(least[1], l->depth),
                            .x1 = nav_locate_along(most[0], l->width),
                            .z1 = nav_locate_along(most[1], l->depth)};
}

// The cells that the bounds of a polygon overlap.
static inline nav_cell_range nav_polygon_cells(const nav_locate *l,
                                               const nav_polygon_record *record)
{
    const float least[2] = {(record->min[0] - l->min[0]) * l->per_cell,
                            (record->min[2] - l->min[1]) * l->per_cell};
    const float most[2] = {(record->max[0] - l->min[0]) * l->per_cell,
                           (record->max[2] - l->min[1]) * l->per_cell};
    return nav_cell_range_of(l, least, most);
}

// The part of a cell that a position is in along one axis, from 0 to 127; at its end for positions
// outside. Never falls where the position rises.
static inline uint32_t nav_locate_unit(float at_cells, uint32_t cell)
{
    const float unit = (at_cells - (float)cell) * (float)(NAV_BOX_UNIT_MAX + 1);
    const float most = (float)NAV_BOX_UNIT_MAX;
    return (uint32_t)(unit > 0.0f ? unit < most ? unit : most : 0.0f);
}

static inline uint32_t nav_box(uint32_t x0, uint32_t z0, uint32_t x1, uint32_t z1)
{
    NAV_DCHECK((x0 | z0 | x1 | z1) <= NAV_BOX_UNIT_MAX);
    return x0 | z0 << 8 | (NAV_BOX_UNIT_MAX - x1) << 16 | (NAV_BOX_UNIT_MAX - z1) << 24;
}

// The probe that nav_box_meets holds boxes against: the box from (x0, z0) to (x1, z1), the other
// way round.
static inline uint32_t nav_box_probe(uint32_t x0, uint32_t z0, uint32_t x1, uint32_t z1)
{
    return (x1 | z1 << 8 | (NAV_BOX_UNIT_MAX - x0) << 16 | (NAV_BOX_UNIT_MAX - z0) << 24) |
           NAV_BOX_TOPS;
}

// Whether two boxes have a position in common.
static inline bool nav_box_meets(uint32_t box, uint32_t probe)
{
    return ((probe - box) & NAV_BOX_TOPS) == NAV_BOX_TOPS;
}

// Finds the list of a position's cell, and a probe for the position in it.
static inline const nav_locate_line *nav_locate_find(const nav_locate *l, const float point[3],
                                                     uint32_t *probe)
{
    const float at_x = (point[0] - l->min[0]) * l->per_cell;
    const float at_z = (point[2] - l->min[1]) * l->per_cell;
    const uint32_t x = nav_locate_along(at_x, l->width), z = nav_locate_along(at_z, l->depth);
    const uint32_t x_unit = nav_locate_unit(at_x, x), z_unit = nav_locate_unit(at_z, z);
    *probe = nav_box_probe(x_unit, z_unit, x_unit, z_unit);
    return &l->lines[(size_t)z * l->width + x];
}

// The line in which a list goes on, or NULL.
static inline const nav_locate_line *nav_locate_next(const nav_locate *l,
                                                     const nav_locate_line *line)
{
    const uint32_t last = NAV_LINE_SLOTS - 1;
    return line->boxes[last] == NAV_BOX_NONE && line->polygons[last] != NAV_NONE
               ? &l->lines[line->polygons[last]]
               : NULL;
}

// ---- rooms, of a mesh with switches (rooms.c) ----

// A way from one room to another.
typedef struct nav_door {
    uint32_t room;   // on the other side
    uint16_t ground; // of a link under switches: its class; else 0, and it is always open
} nav_door;

typedef struct nav_rooms {
    nav_block block;     // which holds the arrays
    uint32_t count;      // 0: the mesh has no switches
    uint32_t *of;        // by polygon: its room
    uint16_t *ground;    // by room: its class where it lies under switches, else 0
    uint32_t *out_first; // count + 1: where the doors of each room begin
    nav_door *out;       // doors out of rooms
    bool two_way;        // each of them has one that leads back
} nav_rooms;

// ---- the mesh ----

// The polygons of one tile begin here.
typedef struct nav_mesh_run {
    uint32_t tile_x, tile_z;
    uint32_t polygon_first;
} nav_mesh_run;

struct nav_mesh {
    _Atomic uint32_t references;
    nav_allocator allocator;
    nav_cancel *cancel;  // of nav_mesh_create; NULL once the mesh is made
    uint64_t tile_bytes; // of the tiles that it was made of
    size_t size_bytes;   // of the one block that holds this struct and the arrays
    nav_mesh_stats stats;

    float (*vertices)[3];
    uint32_t *corners;    // vertices, counter-clockwise from above
    uint32_t *neighbours; // by corner: the first polygon across the edge to the next, or NAV_NONE
    uint16_t *classes;    // of polygons

    // Over edges first, then off-mesh arcs; a polygon's run of portal_first holds the former only.
    uint32_t *portal_first;
    nav_portal *portals;
    uint32_t portal_count;
    uint32_t edge_portal_count;
    uint32_t (*portal_turning_vertices)[2]; // of portals over edges: left, right; with
                                            // NAV_TURNING_POSSIBLE or not
    uint32_t turning_vertex_count;
    uint16_t *turning_grounds; // by turning vertex: the class of all ground around it; a block of
                               // its own; NULL: all ground is of one class
    uint32_t (*preorder)[2];   // by polygon: its number in a depth-first search, and the first one
                               // after those visited from it
    bool has_non_manifold_edges; // a portal has NAV_TURNING_NON_MANIFOLD
    bool is_mostly_bridges; // three portals in four have NAV_TURNING_BRIDGE, and none has a twin:
                            // one between the same polygons
    nav_locate locate;
    uint16_t *landmarks; // by turning vertex: its distances from all of them; a block of its own;
                         // NULL: none
    uint32_t landmark_count;
    struct nav_mesh_agents *agents; // a block of its own; NULL: there are no others
    float landmark_unit;            // of the distances, in world units
    nav_placed_link *links;         // stats.links
    uint32_t *arc_first; // by polygon, as the arcs are; not filled where there are no arcs
    nav_arc *arcs;
    uint32_t arc_count;
    bool has_one_way_arcs;        // an arc may land in a polygon in which none begins
    nav_link_class *link_classes; // by area, then flags; room for as many as there are arcs
    uint32_t link_class_count;
    // In topological order: edges into a component come before those out of it.
    nav_condensation_edge *condensation_edges;
    uint32_t condensation_edge_count;

    nav_mesh_class *ground_classes; // class NAV_MESH_AREAS + i; one more has the end of the last
    uint32_t ground_class_count;
    uint16_t *class_switches;
    nav_switch_info *switches;
    uint32_t switch_count;
    nav_rooms rooms;

    float area_costs[NAV_MESH_AREAS];
    uint32_t area_flags[NAV_MESH_AREAS];
    bool area_used[NAV_MESH_AREAS];    // by polygons
    bool area_plain[NAV_MESH_AREAS];   // by polygons under no switch
    uint8_t area_list[NAV_MESH_AREAS]; // those used by polygons or links, rising
    uint32_t area_list_count;
    nav_costs costs;                                   // of the default filter
    float agent_radius, agent_height, agent_max_climb; // world units
    float grid_min[3], cell_size, cell_height;         // of the grid that vertices lie on
    uint32_t tile_cells, tiles_x, tiles_z;             // likewise

    nav_name *area_names; // area_count, at least those of NAV_AREA_NONE and NAV_AREA_GROUND
    nav_name *flag_names;
    nav_named_filter *filters;
    uint32_t area_count, flag_count, filter_count; // as many as the settings have

    nav_polygon_record *records; // by polygon; one more has the ends of the last one's runs
    float (*detail_vertices)[3];
    uint16_t (*detail_triangles)[3];

    // By tile that has polygons; one more has the end of the last one's.
    nav_mesh_run *runs;
    uint32_t run_count;
};

// The meshes of further agents, of which this mesh holds a reference each.
typedef struct nav_mesh_agents {
    uint32_t count;
    nav_name names[NAV_AGENTS_MAX];
    nav_mesh *meshes[NAV_AGENTS_MAX];
} nav_mesh_agents;

// The distances of a turning vertex from all landmarks.
static inline const uint16_t *nav_landmarks_of(const nav_mesh *mesh, uint32_t turning_vertex)
{
    NAV_DCHECK((turning_vertex & NAV_TURNING_NUMBER) < mesh->turning_vertex_count);
    return mesh->landmarks + (size_t)(turning_vertex & NAV_TURNING_NUMBER) * mesh->landmark_count;
}

// ---- asking a mesh ----

// A vertex of a polygon's height detail: its own corners first, then those of the detail alone.
static inline const float *nav_detail_vertex(const nav_mesh *mesh, const nav_polygon_record *record,
                                             uint32_t index)
{
    return index < record->corner_count
               ? mesh->vertices[mesh->corners[record->corner_first + index]]
               : mesh->detail_vertices[record->detail_vertex_first +
                                       (index - record->corner_count)];
}

// How many nodes the tree over all polygons has.
static inline uint32_t nav_mesh_node_count(const nav_mesh *mesh)
{
    return mesh->stats.polygons > 0 ? 2 * mesh->stats.polygons - 1 : 0;
}

// A walk over the polygons whose bounds meet a box. Begin with .mesh and the box.
typedef struct nav_box_walk {
    const nav_mesh *mesh;
    double min[3], max[3];
    uint32_t node; // the next one
} nav_box_walk;

// locate.c: the next polygon, or NAV_NONE.
uint32_t nav_box_walk_next(nav_box_walk *walk);

// How many classes there are: areas alone, or more.
static inline uint32_t nav_mesh_class_count(const nav_mesh *mesh)
{
    return NAV_MESH_AREAS + mesh->ground_class_count;
}

// The area of a class.
static inline uint8_t nav_mesh_class_area(const nav_mesh *mesh, uint16_t ground)
{
    NAV_DCHECK(ground < nav_mesh_class_count(mesh));
    return ground < NAV_MESH_AREAS ? (uint8_t)ground
                                   : mesh->ground_classes[ground - NAV_MESH_AREAS].area;
}

// switches.c: the class of a link; switch_number as in nav_link.
uint16_t nav_mesh_link_class(const nav_mesh *mesh, uint8_t area, uint32_t switch_number);

// Costs by class.
static inline const float *nav_costs_table(const nav_costs *costs)
{
    return costs->by_class != NULL ? costs->by_class : costs->area;
}

// costs.c: what a filter (NULL: the default one) and a state of the switches (nav_options.switches)
// make of the mesh. out->by_class has room, or is NULL where the mesh has no more classes than
// areas.
void nav_costs_resolve(const nav_mesh *mesh, const nav_filter *filter, const uint8_t *switches,
                       nav_costs *out);
// costs.c: the same with more links than the mesh has, after nav_costs_resolve with this filter.
void nav_costs_resolve_more_links(const nav_mesh *mesh, const nav_filter *filter,
                                  const nav_link_class *classes, uint32_t count, nav_costs *costs);
// costs.c: one class of each kind of arc, sorted by class of ground, then flags; arcs name links
// counted from `first` on. Result: how many there are; classes has room for count.
uint32_t nav_link_classes_derive(const nav_placed_link *links, uint32_t first, const nav_arc *arcs,
                                 uint32_t count, nav_link_class *classes);
// costs.c: whether links of these flags and this class are closed.
bool nav_link_is_closed(const nav_costs *costs, uint32_t flags, uint16_t ground);
// The cost of a whole link of this length in plan view; INFINITY where it is closed.
float nav_link_cost(const nav_costs *costs, const nav_placed_link *link, float length);

// turning_vertices.c: the number of a portal over an edge as seen from its other side: the same
// ends, left for right; NAV_NONE: there is none.
uint32_t nav_portal_find_back(const nav_mesh *mesh, const nav_portal *portal);

// mesh.c: a polygon's area in plan view; positive for corners that run counter-clockwise from
// above.
double nav_mesh_polygon_area(const nav_mesh *mesh, uint32_t polygon);
// derive/offmesh.c: from a point to the closest point of the mesh; 0 where there is none, or for a
// point that is nowhere.
float nav_mesh_distance(const nav_mesh *mesh, const float point[3]);
