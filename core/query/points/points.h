// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// points.h: positions on the ground nearest to a point, and links placed from point to point.
// Private to core/.

#pragma once

#include "core/query/view/view.h"

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
    const nav_overlay *state; // NULL, or only what is in this component of it counts
    uint32_t of_state;
} nav_reach;

static inline bool nav_is_marked_within_reach(const nav_reach *reach, uint32_t polygon)
{
    return (reach->marks == NULL ||
            reach->marks[reach->rooms != NULL ? reach->rooms[polygon] : polygon] == reach->stamp) &&
           (reach->state == NULL || nav_state_component(reach->state, polygon) == reach->of_state);
}

// Leaves, of what is within reach, only the component of a polygon.
static inline void nav_reach_keep(nav_reach *reach, const nav_overlay *state, uint32_t polygon)
{
    reach->state = state;
    reach->of_state = nav_state_component(state, polygon);
}

#define NAV_REACH_ALL ((nav_reach){.component = NAV_NONE})

static inline bool nav_is_within_reach(const nav_reach *reach, uint32_t component)
{
    NAV_DCHECK(reach->reached == NULL || component >= 1);
    return reach->reached != NULL ? reach->reached[component - 1] == reach->stamp
                                  : reach->component == NAV_NONE || reach->component == component;
}

// Whether a is nearer than b. Those above `high` come after all others; equal distances go to the
// lower polygon.
static inline bool nav_location_comes_before(const nav_location *a, const nav_location *b,
                                             float high)
{
    const bool a_high = a->position[1] > high, b_high = b->position[1] > high;
    return a_high != b_high             ? b_high
           : a->distance != b->distance ? a->distance < b->distance
                                        : a->polygon < b->polygon;
}

// Keeps a position where it is among the `capacity` nearest, which are sorted so.
static inline void nav_location_keep(const nav_location *location, float high, nav_location *out,
                                     uint32_t *count, uint32_t capacity)
{
    uint32_t at = *count;
    NAV_DCHECK(*count <= capacity);
    while (at > 0 && nav_location_comes_before(location, &out[at - 1], high)) {
        --at;
    }
    if (at == capacity) {
        return;
    }
    *count += *count < capacity;
    for (uint32_t i = *count - 1; i > at; --i) {
        out[i] = out[i - 1];
    }
    out[at] = *location;
}

// nav_query_nearest among the polygons within reach.
uint32_t nav_query_snap(const nav_mesh *mesh, const float point[3], nav_snap snap, nav_reach reach,
                        nav_location *out, uint32_t capacity);

// nearest.c: to be called before two points are looked for: what both will read is fetched
// together.
void nav_query_fetch(const nav_mesh *mesh, const float a[3], const float b[3]);
// How far positions of one floor that are over or beside each other may differ in
// height. Between two floors there is at least room to stand; two polygons of one floor differ by
// what their heights may be wrong.
float nav_mesh_same_floor_max(const nav_mesh *mesh);

// The position on the mesh closest to point, however far away. False where there is none.
bool nav_query_closest(const nav_mesh *mesh, const float point[3], nav_reach reach,
                       nav_location *out);

static inline bool nav_is_polygon_within_reach(const nav_reach *reach, const nav_view *view,
                                               uint32_t polygon)
{
    return nav_is_within_reach(reach, nav_view_component(view, polygon)) &&
           nav_is_marked_within_reach(reach, polygon);
}

// Moves (x, z) onto the polygon; returns the square of how far.
float nav_view_clamp(const nav_view *view, uint32_t polygon, float *x, float *z);
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

// ---- links: place_links.c ----

// Lays one link over a mesh: each end where there is ground within its radius in plan view, and
// within agent_max_climb and two cells in height. lands: which of its ends, start and end, find
// ground. False where one does not; *out is then undefined.
bool nav_link_place(const nav_mesh *mesh, const nav_link *link, uint32_t index,
                    nav_placed_link *out, bool lands[2]);
// One direction of a placed link, which has this number, with its portal.
nav_arc nav_link_arc(const nav_placed_link *placed, uint32_t link, bool backward,
                     nav_portal *portal);

// Places links over a mesh that has its own, into memory of `kept`. False: no memory.
bool nav_added_links_place(const nav_mesh *mesh, const nav_link *links, uint32_t count,
                           nav_arena *kept, nav_arena *temporary, nav_added_links *out);
