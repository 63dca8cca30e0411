// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// added_links.h: links that a state of a world adds to a mesh: the lift is at floor 2. Private to
// core/.
//
//      portals   | over edges | arcs of the mesh | arcs of the state | of its fragments |
//      arcs                   | 0, 1, ..         | arc_count, ..     |
//
// They are laid as the mesh's own are (nav_link_lay). Whatever the mesh knows of itself, it does
// not know of them: its components, its bridges, its landmarks.

#pragma once

#include "core/mesh/types.h"

typedef struct nav_added_links {
    nav_laid_link *laid; // numbered behind those of the mesh, in the order in which they were given
    uint32_t count;
    uint32_t *off_mesh; // indices of those that are not laid, rising
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

// Lays one link over a mesh: each end where there is ground within its radius in plan view, and
// within agent_max_climb and two cells in height. lands: which of its ends, start and end, find
// ground. False where one does not; *out is then undefined.
bool nav_link_lay(const nav_mesh *mesh, const nav_link *link, uint32_t index, nav_laid_link *out,
                  bool lands[2]);
// One direction of a laid link, which has this number, with its portal.
nav_arc nav_link_arc(const nav_laid_link *laid, uint32_t link, bool backward, nav_portal *portal);

// Lays links over a mesh that has its own, into memory of `kept`. False: no memory.
bool nav_added_links_lay(const nav_mesh *mesh, const nav_link *links, uint32_t count,
                         nav_arena *kept, nav_arena *temporary, nav_added_links *out);
// The arcs of these links out of a polygon of the mesh: sets the added run.
void nav_added_links_find(const nav_added_links *added, const nav_mesh *mesh, uint32_t polygon,
                          nav_arc_runs *runs);
// The first of the edges that lead out of a component, or the end of them.
uint32_t nav_added_links_edges_from(const nav_added_links *added, uint32_t component);
