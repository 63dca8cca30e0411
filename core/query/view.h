// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// view.h: the mesh as one question sees it: under its filter, with its shapes to avoid cut
// out of it. All queries read polygons, portals and costs through here. Private to core/.

#pragma once

#include "core/base/tolerances.h"
#include "core/mesh/types.h"
#include "core/query/obstacles/overlay.h"

// A mesh as a question sees it.
typedef struct nav_view {
    const nav_mesh *mesh;
    const nav_costs *costs;
    const nav_overlay *overlay; // NULL: the mesh as it is
} nav_view;

// ---- polygons ----

// A polygon with its portals, arcs among them.
typedef struct nav_face {
    const uint32_t *corners; // counter-clockwise from above
    const nav_portal *portals;
    uint32_t corner_count, portal_count;
    uint32_t portal_first;       // number of the first portal
    uint32_t arc_first, arc_end; // in nav_mesh.arcs: those of the mesh's polygon
} nav_face;

// view.c: the same, of a view with an overlay.
nav_face nav_overlay_face(const nav_view *view, uint32_t polygon);
// Of a step, under the filter and dearer by shapes; INFINITY where the polygon is closed, or is one
// of the mesh that is cut: then its fragments have costs.
float nav_overlay_cost(const nav_view *view, uint32_t polygon);

static inline nav_face nav_view_face(const nav_view *view, uint32_t polygon)
{
    const nav_mesh *mesh = view->mesh;
    if (view->overlay != NULL) {
        return nav_overlay_face(view, polygon);
    }
    NAV_DCHECK(polygon < mesh->stats.polygons);
    const bool arcs = mesh->arc_count > 0;
    return (nav_face){
        .arc_first = arcs ? mesh->arc_first[polygon] : 0,
        .arc_end = arcs ? mesh->arc_first[polygon + 1] : 0,
        .corners = mesh->corners + mesh->records[polygon].corner_first,
        .corner_count =
            mesh->records[polygon + 1].corner_first - mesh->records[polygon].corner_first,
        .portals = mesh->portals + mesh->portal_first[polygon],
        .portal_first = mesh->portal_first[polygon],
        .portal_count = mesh->portal_first[polygon + 1] - mesh->portal_first[polygon],
    };
}

// view.c: a vertex of the overlay, with its height.
const float *nav_overlay_vertex_at(const nav_overlay *overlay, uint32_t index);

static inline const float *nav_view_vertex(const nav_view *view, uint32_t vertex)
{
    const uint32_t count = view->mesh->stats.vertices;
    return vertex < count ? view->mesh->vertices[vertex]
                          : nav_overlay_vertex_at(view->overlay, vertex - count);
}

// The same for a caller that reads x and z only: the height of a fragment's vertex may be NAN.
static inline const float *nav_view_vertex_xz(const nav_view *view, uint32_t vertex)
{
    NAV_DCHECK(vertex < view->mesh->stats.vertices ||
               vertex - view->mesh->stats.vertices < view->overlay->vertex_count);
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
    return view->mesh->stats.polygons + (view->overlay != NULL ? view->overlay->polygon_count : 0);
}

// The cost of a step; INFINITY where the polygon is closed.
static inline float nav_polygon_cost(const nav_view *view, uint32_t polygon)
{
    NAV_DCHECK(view->overlay != NULL || polygon < view->mesh->stats.polygons);
    return view->overlay != NULL ? nav_overlay_cost(view, polygon)
                                 : view->costs->area[view->mesh->areas[polygon]];
}

// The cost of the whole arc; INFINITY where it is closed.
static inline float nav_arc_cost(const nav_view *view, const nav_arc *arc)
{
    return nav_link_cost(view->costs, &view->mesh->links[arc->link], arc->length);
}

// Whether a portal is an off-mesh arc, and which one.
static inline bool nav_portal_is_arc(const nav_mesh *mesh, uint32_t portal)
{
    return portal >= mesh->edge_portal_count && portal < mesh->portal_count;
}

static inline const nav_arc *nav_portal_arc(const nav_mesh *mesh, uint32_t portal)
{
    NAV_DCHECK(nav_portal_is_arc(mesh, portal));
    return &mesh->arcs[portal - mesh->edge_portal_count];
}

// The polygon that an arc out of a polygon leads to, or NAV_NONE where the arc, its beginning or
// its end is closed.
uint32_t nav_view_arc_target(const nav_view *view, uint32_t polygon, uint32_t arc);

static inline const nav_portal *nav_view_portal(const nav_view *view, uint32_t portal)
{
    const uint32_t count = view->mesh->portal_count;
    NAV_DCHECK(portal < count || portal - count < view->overlay->portal_count);
    return portal < count ? &view->mesh->portals[portal] : &view->overlay->portals[portal - count];
}

// The turning vertices at a portal's ends, left, right (nav_mesh.portal_turning_vertices), and at
// those of the polygon's portals behind it.
static inline const uint32_t (*nav_view_turning_vertices_from(const nav_view *view,
                                                              uint32_t portal))[2]
{
    const uint32_t count = view->mesh->portal_count;
    uint32_t(*ends)[2] = portal < count ? view->mesh->portal_turning_vertices + portal
                                        : view->overlay->turning_vertices + (portal - count);
    return (const uint32_t(*)[2])ends;
}

static inline const uint32_t *nav_view_turning_vertices(const nav_view *view, uint32_t portal)
{
    return *nav_view_turning_vertices_from(view, portal);
}

static inline bool nav_view_has_non_manifold_edges(const nav_view *view)
{
    return view->mesh->has_non_manifold_edges ||
           (view->overlay != NULL && view->overlay->has_non_manifold_edges);
}

static inline uint32_t nav_view_portals(const nav_view *view)
{
    return view->mesh->portal_count + (view->overlay != NULL ? view->overlay->portal_count : 0);
}

// The polygons on both sides of a portal, which may be an arc. NAV_NONE where an arc's end is cut
// out.
uint32_t nav_overlay_arc_from(const nav_view *view, uint32_t portal);
uint32_t nav_overlay_arc_to(const nav_view *view, uint32_t portal);

static inline uint32_t nav_view_from(const nav_view *view, uint32_t portal)
{
    return view->overlay != NULL && nav_portal_is_arc(view->mesh, portal)
               ? nav_overlay_arc_from(view, portal)
               : nav_view_portal(view, portal)->from;
}

static inline uint32_t nav_view_to(const nav_view *view, uint32_t portal)
{
    return view->overlay != NULL && nav_portal_is_arc(view->mesh, portal)
               ? nav_overlay_arc_to(view, portal)
               : nav_view_portal(view, portal)->to;
}

// ---- positions ----

// Moves (x, z) onto the polygon; returns the square of how far.
float nav_view_clamp(const nav_view *view, uint32_t polygon, float *x, float *z);
// height.c: the height of a polygon at a position in plan view, which lies over it or near its
// border.
float nav_mesh_height(const nav_mesh *mesh, uint32_t polygon, float x, float z);
float nav_view_height(const nav_view *view, uint32_t polygon, float x, float z);

// The polygons that count: those of one component (NAV_NONE: of all), or of the components whose
// mark in `reached` is the stamp; of these, where there are costs, only what is open.
typedef struct nav_reach {
    uint32_t component;
    const uint32_t *polygons;   // NULL, or by polygon: only those whose mark is the stamp count
    const nav_costs *costs;     // NULL: all is open
    const nav_overlay *overlay; // NULL, or what is cut does not count
    const uint32_t *reached;    // NULL: by component
    uint32_t stamp;
} nav_reach;

#define NAV_REACH_ALL ((nav_reach){.component = NAV_NONE})

static inline bool nav_is_within_reach(const nav_reach *reach, uint32_t component)
{
    NAV_DCHECK(reach->reached == NULL || component >= 1);
    return reach->reached != NULL ? reach->reached[component - 1] == reach->stamp
                                  : reach->component == NAV_NONE || reach->component == component;
}

// nav_query_nearest among the polygons within reach.
uint32_t nav_query_snap(const nav_mesh *mesh, const float point[3], nav_snap snap, nav_reach reach,
                        nav_location *out, uint32_t capacity);

// cells.c: to be called before two points are looked for. The parts of a large mesh that both will
// read are fetched together.
void nav_query_fetch(const nav_mesh *mesh, const float a[3], const float b[3]);

// The position on the mesh closest to point, however far away. False where there is none.
bool nav_query_closest(const nav_mesh *mesh, const float point[3], nav_reach reach,
                       nav_location *out);

// ---- questions ----

// view.c: begins a question: its options are worked out and scratch, which is given a new
// stamp, is made ready. *view borrows from mesh and scratch. False when there is no memory, or the
// question is cancelled (nav_scratch_failure).
bool nav_view_begin(const nav_mesh *mesh, nav_scratch *scratch, const nav_options *options,
                    nav_view *view);
// Cuts outlines out of a view that was begun without shapes, or with other ones, which are back
// then. False when the budget has failed, or there is no memory.
bool nav_view_cut(nav_view *view, nav_scratch *scratch, const nav_filter *filter,
                  const nav_outline *outlines, uint32_t count, nav_overlay_budget *budget);
// The polygon that a position on a polygon of the mesh lies in now: the polygon itself, or one of
// its fragments; NAV_NONE where it is cut out.
uint32_t nav_view_polygon_at(const nav_view *view, uint32_t polygon, const float position[3]);
// The work that a question's shapes may cost, and its memory; what has been spent is taken off what
// several questions share.
nav_overlay_budget nav_view_budget(nav_scratch *scratch, const nav_options *options);
void nav_view_spent(const nav_overlay_budget *budget, const nav_options *options);
// snap.c, to nav_view_snap: reach of all that is open.
nav_reach nav_view_reach(const nav_view *view);
// The positions of what is open, and within reach, nearest to a point: nav_query_nearest, with
// fragments.
uint32_t nav_view_nearest(const nav_view *view, const nav_options *options, const float point[3],
                          nav_reach reach, nav_location *out, uint32_t capacity);
// The position closest to point among polygons and fragments within reach, however far away. False
// where there is none.
bool nav_view_closest(const nav_view *view, const float point[3], nav_reach reach,
                      nav_location *out);
// Turns fragments into the mesh's polygons, for answers.
void nav_view_name(const nav_view *view, nav_location *locations, uint32_t count);
// The position of a question's point on what is open. False where there is none.
bool nav_view_snap(const nav_view *view, const nav_options *options, const float point[3],
                   nav_location *out);
// Everything that can be reached from a component, whatever the costs close; closed ground does
// not count either. Marks `reached` in scratch, after nav_scratch_begin.
nav_reach nav_reach_from(const nav_view *view, nav_scratch *scratch, uint32_t component);

// The same, without what only leads over closed ground or links: where there is any, a flood marks
// what is open. False when there is no memory, or the question is cancelled.
bool nav_reach_flood(const nav_view *view, nav_scratch *scratch, uint32_t polygon, nav_reach *out);

static inline bool nav_is_polygon_within_reach(const nav_reach *reach, const nav_view *view,
                                               uint32_t polygon)
{
    return nav_is_within_reach(reach, nav_view_component(view, polygon)) &&
           (reach->polygons == NULL || reach->polygons[polygon] == reach->stamp);
}

// NAV_PLAN_TOLERANCE, and what floats are rounded by where a position is far from the origin.
static inline double nav_plan_tolerance(double x, double z)
{
    return (double)NAV_PLAN_TOLERANCE +
           NAV_PLAN_TOLERANCE_PART * (__builtin_fabs(x) + __builtin_fabs(z));
}

// nav_query_raycast from a position that is known; polygons may be fragments. May take another
// stamp. False when there is no memory, or the question is cancelled (nav_scratch_failure); *out is
// then undefined.
bool nav_view_raycast(const nav_view *view, nav_scratch *scratch, const nav_location *start,
                      const float end[3], nav_ray *out);
// border.c: a flood over open ground, polygon by polygon, as far as `reach` in plan view; it
// is begun with a polygon and led by its caller.
typedef struct nav_spread {
    const nav_view *view;
    nav_scratch *scratch;
    float center[2];
    uint32_t next, count; // in scratch->flood.queue
} nav_spread;

// False when there is no memory.
bool nav_spread_begin(nav_spread *spread, const nav_view *view, nav_scratch *scratch,
                      uint32_t polygon, const float center[2]);
// The next polygon, or NAV_NONE: there is none, or the question is cancelled (nav_scratch.cancel).
// Call nav_spread_on to go on behind it.
uint32_t nav_spread_next(nav_spread *spread);
// Puts a polygon into the queue, unless it has been there or is closed.
void nav_spread_enter(nav_spread *spread, uint32_t polygon);
// Puts the neighbours of a polygon behind portals within reach into the queue.
void nav_spread_on(nav_spread *spread, uint32_t polygon, double reach);

// Calls on_wall with each fragment of a polygon's border that leads nowhere: a to b, as they run
// around it.
typedef void (*nav_on_wall)(void *user, const float a[3], const float b[3]);
void nav_view_walls(const nav_view *view, uint32_t polygon, nav_on_wall on_wall, void *user);
