// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// overlay.h: ground with shapes to avoid cut out of it or dearer, as one question sees it, or all
// questions to one state of a world. Private to core/.
//
//        +-----------+            +--+----+---+
//        |    ___    |            |  |____|   |   The polygons that a shape touches are cut into
//        |   |   |   |    -->     |  |    |   |   fragments: polygons of their own, with numbers
//        |   |___|   |            |  |____|   |   behind those of the mesh. Polygons next to them
//        |           |            |  |    |   |   keep their numbers and get other portals.
//        +-----------+            +--+----+---+
//
// Nothing of the mesh is touched: fragments, portals and vertices stand in arrays of the overlay,
// numbered behind those of the mesh. Shapes that share ground are a group. Each group is cut by
// itself, once, and a question says which groups it sees.

#pragma once

#include "core/base/tolerances.h"
#include "core/mesh/types.h"

#include <math.h>
#include <stdatomic.h>

// ---- links that a state adds to the mesh: the lift is at floor 2 ----

//      portals   | over edges | arcs of the mesh | arcs of the state | of its fragments |
//      arcs                   | 0, 1, ..         | arc_count, ..     |
//
// They are placed as the mesh's own are (nav_link_place). The mesh does not know of them what it
// knows of itself: its components, its bridges, its landmarks.

typedef struct nav_added_links {
    nav_placed_link
        *placed; // numbered behind those of the mesh, in the order in which they were given
    uint32_t count;
    uint32_t *off_mesh; // indices of those that are not placed, rising
    uint32_t off_mesh_count;
    nav_arc *arcs;       // by the polygon of the mesh in which they begin, then by link
    nav_portal *portals; // by arc
    uint32_t arc_count;
    bool has_one_way_arcs;
    nav_link_class *classes; // of these links
    uint32_t class_count;
    uint32_t *starts; // by arc, sorted: nav_mesh.preorder of the polygons in which arcs begin
    // All that leads from one component to another, by `from`: the mesh's condensation edges, too.
    // None where these links lead nowhere else.
    nav_condensation_edge *edges;
    uint32_t edge_count;
} nav_added_links;

// The arcs out of a polygon: a run of the mesh's, and one of a state's.
typedef struct nav_arc_runs {
    uint32_t first, count;
    uint32_t added_first, added_count;
} nav_arc_runs;

static inline uint32_t nav_arc_runs_count(const nav_arc_runs *runs)
{
    return runs->count + runs->added_count;
}

// The number of the k-th of them.
static inline uint32_t nav_arc_runs_at(const nav_arc_runs *runs, uint32_t k)
{
    NAV_DCHECK(k < runs->count + runs->added_count);
    return k < runs->count ? runs->first + k : runs->added_first + (k - runs->count);
}

// The arcs of these links out of a polygon of the mesh: sets the added run.
void nav_added_links_find(const nav_added_links *added, const nav_mesh *mesh, uint32_t polygon,
                          nav_arc_runs *runs);
// The first of the edges that lead out of a component, or the end of them.
uint32_t nav_added_links_edges_from(const nav_added_links *added, uint32_t component);

// ---- fragments ----

// A convex outline in plan view, its corners in the order x -> z, and what it does to the ground.
typedef struct nav_outline {
    double (*points)[2];
    uint32_t count;
    double min[2], max[2];
    float bottom, top;
    float cost;  // factor; INFINITY: blocked
    bool leaves; // it blocks, but the way begins in it
} nav_outline;

// A polygon of the overlay: a fragment of one of the mesh, or, with other portals, all of it.
typedef struct nav_fragment {
    uint32_t base;          // polygon of the mesh
    uint32_t number;        // its own
    uint32_t group;         // that has cut it
    uint32_t sibling_count; // of a base's first fragment: how many it has
    uint32_t corner_first, portal_first;
    uint32_t portal_count;
    uint8_t corner_count;
    bool cut;             // a fragment, not all of it
    float cost;           // factor
    float min[2], max[2]; // bounds in plan view, of what is cut, rounded outwards
    float far;            // the largest max[0] up to here of the same base
} nav_fragment;

_Static_assert(sizeof(nav_fragment) == 56, "a state has some 20 of them for each shape");

// A corner of a fragment, or an end of a portal.
typedef struct nav_overlay_vertex {
    float at[3];   // its height is NAV_HEIGHT_UNKNOWN as long as nobody has asked for it
    uint32_t base; // the polygon of the mesh that it is on
} nav_overlay_vertex;

#define NAV_HEIGHT_UNKNOWN NAN
#define NAV_ARC_END_UNKNOWN (NAV_NONE - 1)

// A shape, and the outline that it cuts by.
typedef struct nav_obstacle {
    nav_avoid shape;
    nav_outline outline; // without points until somebody asks for it
    uint32_t number;     // in the caller's list; behind those of a state for a question's own
    uint32_t before;     // its place in the overlay that this one follows; NAV_NONE: it is new
    uint32_t group;
} nav_obstacle;

// Numbers of things of an overlay.
typedef struct nav_overlay_extent {
    uint32_t fragments, polygons, corners, vertices, portals;
} nav_overlay_extent;

// The most memory that the fragments of one question may take.
#define NAV_OVERLAY_BYTES_MAX ((size_t)64 << 20)

// The changes that shapes make to what a step costs.
typedef struct nav_overlay_costs {
    float least;                 // of the factors, at most 1
    float most;                  // the same, at least 1
    bool has_prices;             // some factor is not 1
    bool has_non_manifold_edges; // a new portal has NAV_TURNING_NON_MANIFOLD
    bool has_switches;           // some of the ground lies under switches
} nav_overlay_costs;

#define NAV_OVERLAY_COSTS_NONE ((nav_overlay_costs){.least = 1.0f, .most = 1.0f})

// Shapes that share ground: those of two groups touch no polygon that has a corner in common. Thus
// each group's fragments are what they would be without the other.
typedef struct nav_overlay_group {
    uint32_t member_first, member_count; // in members
    uint32_t ground_first, ground_count; // in ground
    uint32_t before;               // the group of another overlay that it is; NAV_NONE: a new one
    bool is_cut;                   // its fragments are in the overlay
    bool changes;                  // some polygon is cut
    nav_overlay_extent first, end; // of what is its own, where it is cut
    nav_overlay_costs costs;
} nav_overlay_group;

// The slot of a hash table of 2^n slots, which mask covers, from which on a number is looked for.
static inline uint32_t nav_overlay_slot(uint32_t number, uint32_t mask)
{
    return (number * 2654435761u) & mask;
}

// Which ground of a state hangs together (components.c), in a block of its own.
typedef struct nav_state_member {
    uint32_t polygon, component; // NAV_NONE: a slot of the table that is free
} nav_state_member;

typedef struct nav_state_components {
    size_t size_bytes; // of the block
    uint32_t *labels;  // by room, or by component - 1 of a mesh that has no rooms; 0: it is closed
    bool has_components; // else only labels are known
    bool is_complete;    // what is in one component does hang together
    uint32_t mask;
    nav_state_member members[]; // a hash table; the component of what is not in it is its label
} nav_state_components;

// The room of a polygon of the mesh, or its component - 1 where there are no rooms.
static inline uint32_t nav_state_room_of(const nav_mesh *mesh, uint32_t polygon)
{
    return mesh->rooms.count > 0 ? mesh->rooms.of[polygon] : mesh->records[polygon].component - 1;
}

// The slot of a polygon; one that is free where it is not in the table.
static inline uint32_t nav_state_slot(const nav_state_components *components, uint32_t polygon)
{
    uint32_t slot = nav_overlay_slot(polygon, components->mask);
    while (components->members[slot].polygon != NAV_NONE &&
           components->members[slot].polygon != polygon) {
        slot = (slot + 1) & components->mask;
    }
    return slot;
}

// Numbers behind those of the mesh are given as they are found in it: polygons behind
// stats.polygons, portals behind portal_count, vertices behind stats.vertices.
struct nav_overlay {
    const nav_mesh *mesh;
    // The shapes, in an order that depends on nothing but themselves, and their groups.
    nav_obstacle *obstacles;
    uint32_t obstacle_count;
    nav_overlay_group *groups; // NULL: not known yet
    uint32_t group_count;
    uint32_t *members; // obstacles by group, rising
    uint32_t *ground;  // polygons of the mesh by group, rising: what its shapes touch, and what is
                       // around the corners of that
    // Fragments and what they consist of, one group behind the other.
    nav_overlay_extent count, capacity;
    nav_fragment *fragments;      // of a group: by base, then by min[0]
    uint32_t *cut_fragments;      // by number - polygons of the mesh: position in fragments
    uint32_t *corners;            // vertices
    nav_overlay_vertex *vertices; // numbered behind the mesh's
    nav_portal *portals;          // numbered behind the mesh's
    // By portal, as of the mesh's (portal_turning_vertices). Around what is cut they have numbers
    // behind the mesh's, which hold where nothing but shapes closes ground.
    uint32_t (*turning_vertices)[2];
    // Polygons of the mesh with fragments: a hash table of their first fragments.
    uint32_t *table;
    uint32_t table_mask, table_count;
    // An overlay of many questions has these.
    nav_added_links links;
    const uint8_t *switches;          // nav_overlay_items.switches
    const nav_costs *state_costs;     // under the default filter; NULL: the mesh's own
    nav_state_components *components; // NULL: they are not known, or there is nothing to know
    // As the question sees it; an overlay of many questions has none of these.
    bool *is_seen;       // by group; NULL: all
    bool sees_any;       // a group that changes anything
    uint32_t seen_count; // groups
    nav_overlay_costs costs;
    // By off-mesh arc: the polygons in which it begins and ends; NAV_NONE where that is cut out,
    // NAV_ARC_END_UNKNOWN until it is looked up.
    uint32_t (*arc_ends)[2];
    // An overlay of many questions is one block with all its arrays.
    nav_mesh *held; // acquired
    nav_allocator allocator;
    size_t size_bytes;
    atomic_uint references;
};

// Whether any polygon is cut.
static inline bool nav_overlay_changes(const nav_overlay *overlay)
{
    bool changes = false;
    for (uint32_t i = 0; i < overlay->group_count && !changes; ++i) {
        changes = overlay->groups[i].changes;
    }
    return changes;
}

// find.c: the slot of a polygon of the mesh in the table: its own, or one that is free.
uint32_t *nav_overlay_table_slot(const nav_overlay *overlay, uint32_t polygon);
// The first fragment of a polygon of the mesh, or NULL where it is as it was, as far as the
// question sees. The others follow it.
const nav_fragment *nav_overlay_find(const nav_overlay *overlay, uint32_t polygon);
static inline bool nav_overlay_is_cut(const nav_overlay *overlay, uint32_t polygon)
{
    const nav_fragment *fragment = nav_overlay_find(overlay, polygon);
    return fragment != NULL && fragment->cut;
}

// Fragments of one polygon of the mesh that may have to do with a stretch of x: from `first` to
// before `end` in fragments.
typedef struct nav_fragment_range {
    uint32_t first, end;
} nav_fragment_range;

// find.c: `first` is the polygon's first fragment.
nav_fragment_range nav_overlay_range(const nav_overlay *overlay, uint32_t first, double min_x,
                                     double max_x);

// Rounding to floats moves a corner by no more than this.
static inline double nav_overlay_tolerance(double x, double z)
{
    return NAV_FRAGMENT_TOLERANCE + NAV_FRAGMENT_TOLERANCE_RATIO * (fabs(x) + fabs(z));
}

// find.c: the fragment of a polygon of the mesh that a position lies in, or NULL where it is cut
// out.
const nav_fragment *nav_overlay_fragment_at(const nav_overlay *overlay, uint32_t polygon, float x,
                                            float z);
