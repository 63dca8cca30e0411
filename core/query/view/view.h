// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// view.h: the mesh as one question sees it: under its filter, with its shapes to avoid cut
// out of it. All queries read polygons, portals and costs through here. Private to core/.

#pragma once

#include "core/base/tolerances.h"
#include "core/mesh/types.h"
#include "core/query/view/overlay.h"

#include <string.h>

// A mesh as a question sees it.
typedef struct nav_view {
    const nav_mesh *mesh;
    const nav_costs *costs;
    const float *ground;          // of costs: nav_costs_table
    const nav_overlay *overlay;   // NULL: the ground of the mesh as it is
    const nav_added_links *links; // NULL: no links but the mesh's own
    // The state that it is asked in, where the question brings no switches of its own; else NULL.
    // All that is known of the state holds then, unless its filter closes anything; but with shapes
    // of its own only what is known of the state without shapes.
    const nav_overlay *state;
    bool adds_shapes;
} nav_view;

static inline nav_view nav_view_of(const nav_mesh *mesh, const nav_costs *costs)
{
    return (nav_view){.mesh = mesh, .costs = costs, .ground = nav_costs_table(costs)};
}

// ---- polygons ----

// A polygon with its portals, arcs among them.
typedef struct nav_face {
    const uint32_t *corners; // counter-clockwise from above
    const nav_portal *portals;
    uint32_t corner_count, portal_count;
    uint32_t portal_first; // number of the first portal
    nav_arc_runs arcs;     // of the mesh's polygon
} nav_face;

// ---- off-mesh arcs: those of the mesh, then those of a state ----

static inline uint32_t nav_view_arcs(const nav_view *view)
{
    return view->mesh->arc_count + (view->links != NULL ? view->links->arc_count : 0);
}

static inline const nav_arc *nav_view_arc(const nav_view *view, uint32_t arc)
{
    const uint32_t count = view->mesh->arc_count;
    NAV_DCHECK(arc < nav_view_arcs(view));
    return arc < count ? &view->mesh->arcs[arc] : &view->links->arcs[arc - count];
}

// The arcs that begin in a polygon of the mesh.
static inline nav_arc_runs nav_view_arcs_out_of(const nav_view *view, uint32_t polygon)
{
    const nav_mesh *mesh = view->mesh;
    nav_arc_runs runs = {0};
    if (mesh->arc_count > 0) {
        runs.first = mesh->arc_first[polygon];
        runs.count = mesh->arc_first[polygon + 1] - runs.first;
    }
    if (view->links != NULL) {
        nav_added_links_find(view->links, mesh, polygon, &runs);
    }
    return runs;
}

// Whether an arc may land in a polygon in which none begins.
static inline bool nav_view_has_one_way_arcs(const nav_view *view)
{
    return view->mesh->has_one_way_arcs || (view->links != NULL && view->links->has_one_way_arcs);
}

// Whether links of a state lead from one component of the mesh to another.
static inline bool nav_view_adds_links(const nav_view *view)
{
    return view->links != NULL && view->links->edge_count > 0;
}

// The number of the overlay's first portal: they come behind all arcs.
static inline uint32_t nav_view_overlay_first(const nav_view *view)
{
    return view->mesh->portal_count + (view->links != NULL ? view->links->arc_count : 0);
}

// view.c: the same, of a view with an overlay.
nav_face nav_overlay_face(const nav_view *view, uint32_t polygon);
// The cost of a step, under the filter and dearer by shapes; INFINITY where the polygon is closed,
// or is one of the mesh that is cut: then its fragments have costs.
float nav_overlay_cost(const nav_view *view, uint32_t polygon);

static inline nav_face nav_view_face(const nav_view *view, uint32_t polygon)
{
    const nav_mesh *mesh = view->mesh;
    if (view->overlay != NULL) {
        return nav_overlay_face(view, polygon);
    }
    NAV_DCHECK(polygon < mesh->stats.polygons);
    return (nav_face){
        .arcs = nav_view_arcs_out_of(view, polygon),
        .corners = mesh->corners + mesh->records[polygon].corner_first,
        .corner_count =
            mesh->records[polygon + 1].corner_first - mesh->records[polygon].corner_first,
        .portals = mesh->portals + mesh->portal_first[polygon],
        .portal_first = mesh->portal_first[polygon],
        .portal_count = mesh->portal_first[polygon + 1] - mesh->portal_first[polygon],
    };
}

// view.c: where a vertex of the overlay is, with its height.
void nav_overlay_vertex_at(const nav_overlay *overlay, uint32_t index, float at[3]);

static inline void nav_view_vertex(const nav_view *view, uint32_t vertex, float at[3])
{
    const uint32_t count = view->mesh->stats.vertices;
    if (vertex < count) {
        memcpy(at, view->mesh->vertices[vertex], sizeof view->mesh->vertices[vertex]);
    } else {
        nav_overlay_vertex_at(view->overlay, vertex - count, at);
    }
}

// The same for a caller that reads x and z only: the height of a fragment's vertex may be NAN.
static inline const float *nav_view_vertex_xz(const nav_view *view, uint32_t vertex)
{
    NAV_DCHECK(vertex < view->mesh->stats.vertices ||
               vertex - view->mesh->stats.vertices < view->overlay->count.vertices);
    const uint32_t count = view->mesh->stats.vertices;
    return vertex < count ? view->mesh->vertices[vertex]
                          : view->overlay->vertices[vertex - count].at;
}

// The polygon of the mesh that a polygon is, or is a fragment of.
static inline uint32_t nav_view_base(const nav_view *view, uint32_t polygon)
{
    const uint32_t count = view->mesh->stats.polygons;
    return polygon < count
               ? polygon
               : view->overlay->fragments[view->overlay->cut_fragments[polygon - count]].base;
}

static inline uint32_t nav_view_component(const nav_view *view, uint32_t polygon)
{
    return view->mesh->records[nav_view_base(view, polygon)].component;
}

// All polygons that there are have lower numbers.
static inline uint32_t nav_view_polygons(const nav_view *view)
{
    return view->mesh->stats.polygons + (view->overlay != NULL ? view->overlay->count.polygons : 0);
}

// The cost of a step; INFINITY where the polygon is closed.
static inline float nav_polygon_cost(const nav_view *view, uint32_t polygon)
{
    NAV_DCHECK(view->overlay != NULL || polygon < view->mesh->stats.polygons);
    return view->overlay != NULL ? nav_overlay_cost(view, polygon)
                                 : view->ground[view->mesh->classes[polygon]];
}

// Whether the polygon behind a portal over an edge is open: none leads to what shapes have cut out.
static inline bool nav_view_is_open_behind(const nav_view *view, const nav_portal *portal)
{
    return view->ground[view->mesh->classes[nav_view_base(view, portal->to)]] < INFINITY;
}

// The polygon that a position on a polygon of the mesh lies in now: the polygon itself, or one of
// its fragments; NAV_NONE where it is cut out.
uint32_t nav_view_polygon_at(const nav_view *view, uint32_t polygon, const float position[3]);
// Whether an arc leads nowhere else.
static inline bool nav_arc_is_zero_length(const nav_arc *arc)
{
    return memcmp(arc->start, arc->end, sizeof arc->start) == 0;
}

// The link of an arc, of the mesh or of a state.
static inline const nav_placed_link *nav_view_link(const nav_view *view, const nav_arc *arc)
{
    const uint32_t count = view->mesh->stats.links;
    return arc->link < count ? &view->mesh->links[arc->link]
                             : &view->links->placed[arc->link - count];
}

// The cost of the whole arc; INFINITY where it is closed.
static inline float nav_arc_cost(const nav_view *view, const nav_arc *arc)
{
    return nav_link_cost(view->costs, nav_view_link(view, arc), arc->length);
}

// Whether a portal is an off-mesh arc, and which one.
static inline bool nav_portal_is_arc(const nav_view *view, uint32_t portal)
{
    return portal >= view->mesh->edge_portal_count && portal < nav_view_overlay_first(view);
}

static inline const nav_arc *nav_portal_arc(const nav_view *view, uint32_t portal)
{
    NAV_DCHECK(nav_portal_is_arc(view, portal));
    return nav_view_arc(view, portal - view->mesh->edge_portal_count);
}

// The polygon that an arc out of a polygon leads to, or NAV_NONE where the arc, its beginning or
// its end is closed.
uint32_t nav_view_arc_target(const nav_view *view, uint32_t polygon, uint32_t arc);

static inline const nav_portal *nav_view_portal(const nav_view *view, uint32_t portal)
{
    const uint32_t count = view->mesh->portal_count, before = nav_view_overlay_first(view);
    NAV_DCHECK(portal < before || portal - before < view->overlay->count.portals);
    return portal < count    ? &view->mesh->portals[portal]
           : portal < before ? &view->links->portals[portal - count]
                             : &view->overlay->portals[portal - before];
}

// The turning vertices at a portal's ends, left, right (nav_mesh.portal_turning_vertices), and at
// those of the polygon's portals behind it.
static inline const uint32_t (*nav_view_turning_vertices_from(const nav_view *view,
                                                              uint32_t portal))[2]
{
    const uint32_t before = nav_view_overlay_first(view);
    uint32_t(*ends)[2] = portal < before ? view->mesh->portal_turning_vertices + portal
                                         : view->overlay->turning_vertices + (portal - before);
    return (const uint32_t(*)[2])ends;
}

static inline const uint32_t *nav_view_turning_vertices(const nav_view *view, uint32_t portal)
{
    return *nav_view_turning_vertices_from(view, portal);
}

static inline bool nav_view_has_non_manifold_edges(const nav_view *view)
{
    return view->mesh->has_non_manifold_edges ||
           (view->overlay != NULL && view->overlay->costs.has_non_manifold_edges);
}

static inline uint32_t nav_view_portals(const nav_view *view)
{
    return nav_view_overlay_first(view) +
           (view->overlay != NULL ? view->overlay->count.portals : 0);
}

// The polygons on both sides of a portal, which may be an arc. NAV_NONE where an arc's end is cut
// out.
uint32_t nav_overlay_arc_from(const nav_view *view, uint32_t portal);
uint32_t nav_overlay_arc_to(const nav_view *view, uint32_t portal);

static inline uint32_t nav_view_from(const nav_view *view, uint32_t portal)
{
    return view->overlay != NULL && nav_portal_is_arc(view, portal)
               ? nav_overlay_arc_from(view, portal)
               : nav_view_portal(view, portal)->from;
}

static inline uint32_t nav_view_to(const nav_view *view, uint32_t portal)
{
    return view->overlay != NULL && nav_portal_is_arc(view, portal)
               ? nav_overlay_arc_to(view, portal)
               : nav_view_portal(view, portal)->to;
}

// view.c: a portal over an edge as seen from its other side; NAV_NONE where none leads back.
uint32_t nav_view_back(const nav_view *view, const nav_portal *portal);

// ---- positions ----

// height.c: the height of a polygon at a position in plan view, which lies over it or near its
// border.
float nav_mesh_height(const nav_mesh *mesh, uint32_t polygon, float x, float z);
float nav_view_height(const nav_view *view, uint32_t polygon, float x, float z);
// height.c: whether any ground of a polygon inside of a convex outline, its corners in the order
// x -> z, is at a height from bottom to top. It takes steps by corner and triangle of the ground.
uint32_t nav_mesh_ground_triangles(const nav_mesh *mesh, uint32_t polygon);
bool nav_mesh_ground_reaches(const nav_mesh *mesh, uint32_t polygon, const double (*outline)[2],
                             uint32_t count, double bottom, double top);

// Whether it is known which ground of a state hangs together in a view of it, its shapes left out:
// nothing but the state's switches closes any.
bool nav_view_knows_labels(const nav_view *view);
// Whether two polygons of the mesh do so.
bool nav_view_joins(const nav_view *view, uint32_t a, uint32_t b);
// Whether the components of a state, whose shapes are all seen, are known. Polygons of two do not
// hang together; those of one do, if state->components->is_complete, or a search has to find out.
bool nav_view_knows_components(const nav_view *view);
// The component of a polygon or a fragment of a state whose components are known. 0: it is closed.
uint32_t nav_state_component(const nav_overlay *state, uint32_t polygon);

// NAV_PLAN_TOLERANCE, and what floats are rounded by where a position is far from the origin.
static inline double nav_plan_tolerance(double x, double z)
{
    return (double)NAV_PLAN_TOLERANCE +
           NAV_PLAN_TOLERANCE_RATIO * (__builtin_fabs(x) + __builtin_fabs(z));
}

// ---- what a question is asked with ----

// The switches of a question, its own or those of its state; NULL: all are at their defaults.
static inline const uint8_t *nav_options_switches(const nav_options *options)
{
    return options->switches != NULL || options->overlay == NULL ? options->switches
                                                                 : options->overlay->switches;
}

// Whether a question has shapes, its own or those of a state.
static inline bool nav_options_have_shapes(const nav_options *options)
{
    return options->avoid_count > 0 ||
           (options->overlay != NULL && options->overlay->obstacle_count > 0);
}
