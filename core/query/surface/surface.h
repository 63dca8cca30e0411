// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// surface.h: floods and straight walks over open ground around a position, and the walls among its
// edges. Private to core/.

#pragma once

#include "core/query/view/view.h"

// The portals that a walk crosses, one after the other, and where.
typedef struct nav_trail {
    uint32_t *portals;
    float (*crossings)[2];
    uint32_t count, capacity;
    bool broken; // there was no room for one, or one does not begin where the last ended
} nav_trail;

// nav_query_raycast from a position that is known; polygons may be fragments. Polygons that are
// crossed are added to trail, which may be NULL. May take another stamp. False when there is no
// memory, or the question is cancelled (nav_scratch_failure); *out is then undefined.
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

// Calls on_wall with each stretch of a polygon's border that leads nowhere: a to b, as they run
// around it.
typedef void (*nav_on_wall)(void *user, const float a[3], const float b[3]);
void nav_view_walls(const nav_view *view, uint32_t polygon, nav_on_wall on_wall, void *user);
