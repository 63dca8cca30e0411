// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query.h: what the queries share. Private to core/.
//
//   query_nearest.c   where on the mesh is this point?
//   query_path.c      which portals lead from here to there? (A*)
//   query_string.c    over which points does a way through those portals lead, and its cost?
//   query_funnel.c    which corners does the shortest line through portals touch?
//   scratch.c         the memory that all of it works in

#pragma once

#include "mesh.h"

// What a question sees of a mesh.
typedef struct nav_view {
    const nav_mesh *mesh;
    const nav_costs *costs;
} nav_view;

// A portal as the search sees it: entered at x, z on its edge, or left at the end of its link. 32
// bytes, two to a cache line.
typedef struct nav_search_node {
    float x, z;
    float g;                // cost from the start to here
    float h;                // straight distance from here to the goal
    float f;                // g + h times the least cost of a step, the key in the heap
    uint32_t stamp;         // of the search that wrote this node; any other is as good as empty
    uint32_t parent;        // the portal before, or NAV_NONE
    uint32_t heap_position; // NAV_NONE once expanded
} nav_search_node;

_Static_assert(sizeof(nav_search_node) == 32, "two nodes a cache line");

// The key stands beside the node's index, so that sifting stays inside the heap's own cache lines.
typedef struct nav_heap_entry {
    float f;
    uint32_t portal;
} nav_heap_entry;

// Nodes are indexed by portal. They are not cleared between searches: each search takes the next
// stamp.
struct nav_scratch {
    nav_allocator allocator;
    void *block; // holds the arrays
    size_t block_bytes;
    uint32_t portal_capacity;
    uint32_t component_capacity;
    uint32_t stamp;
    nav_search_node *nodes;  // portal_capacity
    nav_heap_entry *heap;    // portal_capacity
    uint32_t *corridor;      // portal_capacity: portals from start to goal
    float (*points)[3];      // 2 * portal_capacity + NAV_FUNNEL_POINTS_EXTRA: a way has two ends
    uint32_t *reached;       // component_capacity: by label - 1, the stamp where it can be reached
    nav_costs costs;         // of the question's filter
    uint32_t *polygon_marks; // polygon_capacity: the stamp where a polygon can be reached
    // One block with the marks, of the same capacity: polygons in the order of a flood, the place
    // in it behind which each was found, and a list of some of them.
    uint32_t *polygon_queue;
    uint32_t *polygon_parents;
    uint32_t *polygon_list;
    double *polygon_sums; // a number for each of the list
    uint32_t polygon_capacity;
};

// A string has at most this many points more than it leads through portals.
#define NAV_FUNNEL_POINTS_EXTRA 3

// query_view.c: begins a question: scratch is made ready and its options are worked out. *view
// borrows from mesh and scratch. False when there is no memory.
bool nav_view_begin(const nav_mesh *mesh, nav_scratch *scratch, const nav_options *options,
                    nav_view *view);
// The place of a question's point on what is open. False where there is none.
bool nav_view_snap(const nav_view *view, const nav_options *options, const float point[3],
                   nav_location *out);
// nav_query_raycast from a place that is known.
void nav_view_raycast(const nav_view *view, const nav_location *start, const float end[3],
                      nav_ray *out);
// query_border.c: a flood over open ground, polygon by polygon, as far as `reach` in plan view; it
// is begun with a polygon and led by its caller.
typedef struct nav_spread {
    const nav_view *view;
    nav_scratch *scratch;
    float center[2];
    uint32_t next, count; // in scratch->polygon_queue
} nav_spread;

// False when there is no memory.
bool nav_spread_begin(nav_spread *spread, const nav_view *view, nav_scratch *scratch,
                      uint32_t polygon, const float center[2]);
// The next polygon, or NAV_NONE. Call nav_spread_on to go on behind it.
uint32_t nav_spread_next(nav_spread *spread);
// Puts the neighbours of a polygon behind portals within reach into the queue.
void nav_spread_on(nav_spread *spread, uint32_t polygon, double reach);

// Calls on_wall with each piece of a polygon's border that leads nowhere: a to b, as they run
// around it.
typedef void (*nav_on_wall)(void *user, const float a[3], const float b[3]);
void nav_view_walls(const nav_view *view, uint32_t polygon, nav_on_wall on_wall, void *user);

// Moves (x, z) onto the polygon; returns the square of how far.
float nav_view_clamp(const nav_view *view, uint32_t polygon, float *x, float *z);
// The height of a polygon at a place in plan view, which lies over it or near its border.
float nav_view_height(const nav_view *view, uint32_t polygon, float x, float z);

// Makes room for this mesh and takes a new stamp. False when there is no memory.
bool nav_scratch_begin(nav_scratch *scratch, const nav_mesh *mesh);
// Room for a mark a polygon, after nav_scratch_begin; none is marked yet. False when there is no
// memory.
bool nav_scratch_begin_polygons(nav_scratch *scratch, const nav_mesh *mesh);

// Which polygons count: of one component (NAV_NONE: all), or of those whose mark in `reached` is
// the stamp; and of these, where there are costs, what is open.
typedef struct nav_reach {
    uint32_t component;
    const uint32_t *polygons; // NULL, or by polygon: only those whose mark is the stamp count
    const nav_costs *costs;   // NULL: all is open
    const uint32_t *reached;  // NULL: by component
    uint32_t stamp;
} nav_reach;

#define NAV_REACH_ALL ((nav_reach){.component = NAV_NONE})

static inline bool nav_is_within_reach(const nav_reach *reach, uint32_t component)
{
    return reach->reached != NULL ? reach->reached[component - 1] == reach->stamp
                                  : reach->component == NAV_NONE || reach->component == component;
}

// nav_query_nearest among the polygons within reach.
uint32_t nav_query_snap(const nav_mesh *mesh, const float point[3], nav_snap snap, nav_reach reach,
                        nav_location *out, uint32_t capacity);

// What can be reached from a component by its labels, whatever the costs close; what is closed does
// not count either. Marks `reached` in scratch, after nav_scratch_begin.
nav_reach nav_reach_from(const nav_view *view, nav_scratch *scratch, uint32_t component);

// The same, without what only leads over closed ground or links: where there is any, a flood marks
// what is open. False when there is no memory.
bool nav_reach_flood(const nav_view *view, nav_scratch *scratch, uint32_t polygon, nav_reach *out);

static inline bool nav_is_polygon_within_reach(const nav_reach *reach, const nav_mesh *mesh,
                                               uint32_t polygon)
{
    return nav_is_within_reach(reach, mesh->components[polygon]) &&
           (reach->polygons == NULL || reach->polygons[polygon] == reach->stamp);
}

// The place on the mesh closest to point, however far away. False where there is none.
bool nav_query_closest(const nav_mesh *mesh, const float point[3], nav_reach reach,
                       nav_location *out);

// Pulls a string from start to end through the portals of a corridor. points has room for count +
// NAV_FUNNEL_POINTS_EXTRA; returns how many were written, at least 1.
uint32_t nav_funnel_pull(const nav_mesh *mesh, const float start[3], const float end[3],
                         const uint32_t *corridor, uint32_t count, float (*points)[3]);

// Whether a portal is a way over a link, and which one.
static inline bool nav_portal_is_way(const nav_mesh *mesh, uint32_t portal)
{
    return portal >= mesh->edge_portal_count;
}

static inline const nav_way *nav_portal_way(const nav_mesh *mesh, uint32_t portal)
{
    return &mesh->ways[portal - mesh->edge_portal_count];
}

// A polygon with the ways out of it over ground.
typedef struct nav_face {
    const uint32_t *corners; // counter-clockwise from above
    const nav_portal *portals;
    uint32_t corner_count, portal_count;
} nav_face;

static inline nav_face nav_view_face(const nav_view *view, uint32_t polygon)
{
    const nav_mesh *mesh = view->mesh;
    return (nav_face){
        .corners = mesh->corners + mesh->corner_first[polygon],
        .corner_count = mesh->corner_first[polygon + 1] - mesh->corner_first[polygon],
        .portals = mesh->portals + mesh->portal_first[polygon],
        .portal_count = mesh->portal_first[polygon + 1] - mesh->portal_first[polygon],
    };
}

static inline const float *nav_view_vertex(const nav_view *view, uint32_t vertex)
{
    return view->mesh->vertices[vertex];
}

// Of a step; INFINITY where it is closed.
static inline float nav_polygon_cost(const nav_view *view, uint32_t polygon)
{
    return view->costs->area[view->mesh->areas[polygon]];
}

// Of the whole way; INFINITY where it is closed.
static inline float nav_way_cost(const nav_view *view, const nav_way *way)
{
    return nav_link_cost(view->costs, &view->mesh->links[way->link], way->length);
}

// The place on an edge at which a way a -> edge -> b is cheapest, where a step costs cost_a before
// the edge and cost_b behind it.
void nav_place_refracted(const nav_portal *portal, const float a[2], float cost_a, const float b[2],
                         float cost_b, float out[2]);

// From the corridor in scratch, whose nodes say where its portals are crossed, to path->points,
// length and cost.
void nav_string_pull(const nav_view *view, nav_scratch *scratch, const float start[3],
                     const float end[3], uint32_t count, uint32_t end_polygon, nav_path *path);

// The place of a search's node, with its height.
void nav_node_position(const nav_mesh *mesh, const nav_scratch *scratch, uint32_t portal,
                       float out[3]);
