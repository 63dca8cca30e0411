// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// view.h: the mesh as one question sees it: under its filter, with its shapes to avoid cut
// out of it. All queries read polygons, portals and costs through here. Private to core/.

#pragma once

#include "core/base/tolerances.h"
#include "core/mesh/types.h"
#include "core/query/obstacles/overlay.h"

#include <string.h>

// A mesh as a question sees it.
typedef struct nav_view {
    const nav_mesh *mesh;
    const nav_costs *costs;
    const float *ground;          // of costs: nav_costs_table
    const nav_overlay *overlay;   // NULL: the ground of the mesh as it is
    const nav_added_links *links; // NULL: no links but the mesh's own
    // The state that it is asked in, where the question brings no switches of its own; else NULL.
    // What is known of the state holds then, unless its filter closes anything; but with shapes of
    // its own only what is known of the state without shapes.
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
static inline bool nav_view_adds_ways(const nav_view *view)
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

// Whether an arc leads nowhere else.
static inline bool nav_arc_is_zero_length(const nav_arc *arc)
{
    return memcmp(arc->start, arc->end, sizeof arc->start) == 0;
}

// The link of an arc, of the mesh or of a state.
static inline const nav_laid_link *nav_view_link(const nav_view *view, const nav_arc *arc)
{
    const uint32_t count = view->mesh->stats.links;
    return arc->link < count ? &view->mesh->links[arc->link]
                             : &view->links->laid[arc->link - count];
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

// obstacles/turning_vertices.c: the number of the ground around an end of a portal that hangs
// together, if some ground is closed.
uint32_t nav_turning_on_foot(const nav_view *view, uint32_t portal, int right);

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

// Moves (x, z) onto the polygon; returns the square of how far.
float nav_view_clamp(const nav_view *view, uint32_t polygon, float *x, float *z);
// height.c: the height of a polygon at a position in plan view, which lies over it or near its
// border.
float nav_mesh_height(const nav_mesh *mesh, uint32_t polygon, float x, float z);
float nav_view_height(const nav_view *view, uint32_t polygon, float x, float z);
// height.c: whether any ground of a polygon inside of a convex outline, its corners in the order
// x -> z, is at a height from bottom to top. It takes steps by corner and triangle of the ground.
uint32_t nav_mesh_ground_triangles(const nav_mesh *mesh, uint32_t polygon);
bool nav_mesh_ground_reaches(const nav_mesh *mesh, uint32_t polygon, const double (*outline)[2],
                             uint32_t count, double bottom, double top);

// obstacles/parts.c: which ground hangs together in a view of a state, its shapes left out, found
// where nobody has asked for it yet; NULL: it cannot be told.
const nav_state_labels *nav_view_labels(const nav_view *view);
// Whether two polygons of the mesh hang together by these labels.
bool nav_state_labels_join(const nav_state_labels *labels, const nav_mesh *mesh, uint32_t a,
                           uint32_t b);
// The parts of a state whose shapes are all seen, found where nobody has asked for them yet, which
// takes another stamp; NULL: they cannot be told. Polygons of two parts do not hang together; those
// of one do, if *complete, which may be NULL, or a search has to find out.
const nav_state_parts *nav_view_parts(const nav_view *view, nav_scratch *scratch, bool *complete);
// Those of a state that have been found; NULL: none. The state may be NULL, too.
const nav_state_parts *nav_view_known_parts(const nav_overlay *state);

// The polygons that count: those of one component (NAV_NONE: of all), or of the components whose
// mark in `reached` is the stamp; of these, where there are costs, only what is open.
typedef struct nav_reach {
    uint32_t component;
    const uint32_t *marks;      // NULL, or only those whose mark is the stamp count
    const uint32_t *rooms;      // NULL: marks are by polygon; else by room, and this by polygon
    const float *ground;        // of the view; NULL: all is open
    const nav_overlay *overlay; // NULL, or what is cut does not count
    const uint32_t *reached;    // NULL: by component
    uint32_t stamp;
    const nav_state_parts *parts; // NULL, or only those in `part` count
    uint32_t part;
} nav_reach;

static inline bool nav_is_marked_within_reach(const nav_reach *reach, uint32_t polygon)
{
    return (reach->marks == NULL ||
            reach->marks[reach->rooms != NULL ? reach->rooms[polygon] : polygon] == reach->stamp) &&
           (reach->parts == NULL || nav_state_part_at(reach->parts, polygon) == reach->part);
}

// Leaves, of what is within reach, only the part of a polygon.
static inline void nav_reach_keep_part(nav_reach *reach, const nav_state_parts *parts,
                                       uint32_t polygon)
{
    reach->parts = parts;
    reach->part = nav_state_part_at(parts, polygon);
}

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

// nearest.c: how far positions of one floor that are over or beside each other may differ in
// height. Between two floors there is at least room to stand; two polygons of one floor differ by
// what their heights may be wrong.
float nav_mesh_same_floor_max(const nav_mesh *mesh);

// The position on the mesh closest to point, however far away. False where there is none.
bool nav_query_closest(const nav_mesh *mesh, const float point[3], nav_reach reach,
                       nav_location *out);

// ---- questions ----

// view.c: begins a question: its options are worked out and scratch, which is given a new
// stamp, is made ready. *view borrows from mesh and scratch. False when there is no memory, or the
// question is cancelled (nav_scratch_failure).
bool nav_view_begin(const nav_mesh *mesh, nav_scratch *scratch, const nav_options *options,
                    nav_view *view);
// Begins a view anew, which has begun already, for a way from a position that lies in shapes: those
// are dear instead of closed.
bool nav_view_begin_leaving(const nav_mesh *mesh, nav_scratch *scratch, const nav_options *options,
                            const nav_location *start, nav_view *view);
// nav_view_begin without shapes; but the links of the question's state are there.
bool nav_view_begin_without_shapes(const nav_mesh *mesh, nav_scratch *scratch,
                                   const nav_options *options, nav_view *view);
// The parts of that for a question that may not need all its shapes. First: its shapes become the
// scratch's overlay; nothing is cut yet. to_change: they are the question's own, whatever was
// before. All of them are false when the budget has failed.
bool nav_view_take_shapes(const nav_mesh *mesh, nav_scratch *scratch, const nav_options *options,
                          bool to_change, nav_overlay_budget *budget);
// Second: their groups are known; none is seen.
bool nav_view_find_groups(nav_scratch *scratch, const nav_options *options,
                          nav_overlay_budget *budget);
// Third: a group is cut and seen.
bool nav_view_see_group(nav_scratch *scratch, uint32_t group, nav_overlay_budget *budget);
// Last: a view sees them. False when there is no memory.
bool nav_view_take_overlay(nav_view *view, nav_scratch *scratch, const nav_options *options);
// The polygon that a position on a polygon of the mesh lies in now: the polygon itself, or one of
// its fragments; NAV_NONE where it is cut out.
uint32_t nav_view_polygon_at(const nav_view *view, uint32_t polygon, const float position[3]);
// The work that a question's shapes may cost, and its memory; what has been spent is taken off what
// several questions share, and memory is given back where the budget has failed.
nav_overlay_budget nav_view_budget(nav_scratch *scratch, const nav_options *options);
void nav_view_spent(nav_scratch *scratch, const nav_overlay_budget *budget,
                    const nav_options *options);

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
// obstacles/ends.c: the position of an end of a way; *in_shape: on a polygon of the mesh, where a
// shape has cut it out. False where there is none.
bool nav_view_snap_end(const nav_view *view, const nav_options *options, const float point[3],
                       nav_location *out, bool *in_shape);
// obstacles/ends.c: the position that a way begins at. One in shapes leaves them: the view then
// has them dear. *found: there is such a position. False where there is no memory, or the question
// is cancelled.
bool nav_view_snap_start(nav_view *view, nav_scratch *scratch, const nav_options *options,
                         const float point[3], nav_location *out, bool *found);
// The second half of it: for a position that nav_view_snap_end has found in shapes.
bool nav_view_leave(nav_view *view, nav_scratch *scratch, const nav_options *options,
                    const float point[3], nav_location *at, bool *found);
// The position of a question's point on what is open. False where there is none.
bool nav_view_snap(const nav_view *view, const nav_options *options, const float point[3],
                   nav_location *out);
// Everything that can be reached from a component, whatever the costs close; closed ground does
// not count either. Marks `reached` in scratch, after nav_scratch_begin.
nav_reach nav_reach_from(const nav_view *view, nav_scratch *scratch, uint32_t component);

// The same, without what only leads over closed ground or links: where there is any, a flood marks
// what is open, by rooms if only switches close any. False when there is no memory, or the question
// is cancelled.
bool nav_reach_flood(const nav_view *view, nav_scratch *scratch, uint32_t polygon, nav_reach *out);

// Whether ground of a room is open.
static inline bool nav_view_is_room_open(const nav_view *view, uint32_t room)
{
    const uint16_t ground = view->mesh->rooms.ground[room];
    return ground == 0 || view->ground[ground] < INFINITY;
}

// Whether a door is open, and the room behind it.
static inline bool nav_view_is_door_open(const nav_view *view, const nav_door *door)
{
    return nav_view_is_room_open(view, door->room) &&
           (door->ground == 0 || view->ground[door->ground] < INFINITY);
}

// Whether a way leads from a polygon of the mesh to another as far as switches go, where these
// alone close ground: by a state's labels, or a search over rooms from both ends. Shapes are left
// out. Where rooms say nothing *told is false, and *leads true. False when there is no memory.
bool nav_rooms_lead(const nav_view *view, nav_scratch *scratch, uint32_t from, uint32_t to,
                    bool *leads, bool *told);

static inline bool nav_is_polygon_within_reach(const nav_reach *reach, const nav_view *view,
                                               uint32_t polygon)
{
    return nav_is_within_reach(reach, nav_view_component(view, polygon)) &&
           nav_is_marked_within_reach(reach, polygon);
}

// NAV_PLAN_TOLERANCE, and what floats are rounded by where a position is far from the origin.
static inline double nav_plan_tolerance(double x, double z)
{
    return (double)NAV_PLAN_TOLERANCE +
           NAV_PLAN_TOLERANCE_PART * (__builtin_fabs(x) + __builtin_fabs(z));
}

// The portals that a walk crosses, one after the other, and where.
typedef struct nav_trail {
    uint32_t *portals;
    float (*crossings)[2];
    uint32_t count, capacity;
    bool broken; // there was no room for one, or one does not begin where the last ended
} nav_trail;

// nav_query_raycast from a position that is known; polygons may be fragments. What is crossed is
// added to trail, which may be NULL. May take another stamp. False when there is no memory, or the
// question is cancelled (nav_scratch_failure); *out is then undefined.
bool nav_view_raycast(const nav_view *view, nav_scratch *scratch, const nav_location *start,
                      const float end[3], nav_trail *trail, nav_ray *out);
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

// Likewise, but within reach of the line a -> b instead of the center.
void nav_spread_along(nav_spread *spread, uint32_t polygon, const double a[2], const double b[2],
                      double reach);
// Adds the portals by which the flood has come from its first polygon to this one, which are
// crossed at (x, z).
void nav_spread_trail(const nav_spread *spread, uint32_t polygon, float x, float z,
                      nav_trail *trail);

// Adds the portals from one polygon to another around a position that both meet within reach; the
// trail is broken where there is no such way. False as nav_view_raycast.
bool nav_spread_turn(const nav_view *view, nav_scratch *scratch, uint32_t from, uint32_t to,
                     const float at[2], double reach, nav_trail *trail);

// Calls on_wall with each fragment of a polygon's border that leads nowhere: a to b, as they run
// around it.
typedef void (*nav_on_wall)(void *user, const float a[3], const float b[3]);
void nav_view_walls(const nav_view *view, uint32_t polygon, nav_on_wall on_wall, void *user);
