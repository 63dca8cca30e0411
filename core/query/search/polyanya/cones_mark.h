// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// cones_mark.h: the shortest ways to pivots that a search over cones knows. Private to the
// files query_cones*.c.

#pragma once

#include "core/query/search/polyanya/cones_place.h"

// How far headings of one line may differ, of 4.
#define SAME_HEADING 1e-5f
// And by which part the lengths of ways along one line, which a place beside it by a grain is no
// part of to the last bit: past a corner on the line the way is longer than straight ahead.
#define SAME_LINE_PART 1e-9

// Where ground is closed: the number of what hangs together around an end of a portal.
uint32_t nav_turning_on_foot(const nav_view *view, uint32_t portal, int right);

// A direction as a number from 0 to 4 that rises with the angle.
static inline float heading_of(const float from[2], const float to[2])
{
    const float dx = to[0] - from[0], dz = to[1] - from[1];
    const float size = fabsf(dx) + fabsf(dz);
    const float part = size > 0.0f ? dx / size : 1.0f;
    return dz >= 0.0f ? 1.0f - part : 3.0f + part;
}

// Of several ways of one length to a pivot the first one is followed, or searches would multiply
// in worlds full of symmetry. Ways whose last legs lie on one line are one way: which of the pivots
// on that line is the root of a cone depends on what it is seen through.
static inline bool is_same_heading(float a, float b)
{
    const float difference = fabsf(a - b);
    return difference < SAME_HEADING || difference > 4.0f - SAME_HEADING;
}

// Begins the mark of a portal's end in this search.
void nav_turning_mark_begin(const nav_cones *c, nav_turning_mark *mark, uint32_t portal, int right);

// The mark of a portal's end, whose number is given: that of a pivot, or where ground is closed its
// own. It is new where the search has not met it yet.
static inline nav_turning_mark *mark_of(const nav_cones *c, uint32_t portal, int right,
                                        uint32_t number)
{
    nav_turning_mark *mark = &c->pool->marks[number];
    if (mark->stamp != c->pool->stamp) {
        nav_turning_mark_begin(c, mark, portal, right);
    }
    return mark;
}

// Notes a straight way over ground.
static inline void note_way(nav_turning_mark *mark, double g, const float root[2])
{
    if (g < mark->g * (1.0 - NAV_SAME_PART)) {
        mark->g = g;
        mark->from[0] = root[0];
        mark->from[1] = root[1];
    }
}

// Whether the straight way to a place, which has been noted, is the one to follow; from there on it
// is as long as the mark says.
static inline bool is_followed(const nav_turning_mark *mark, double g, const float root[2],
                               const float place[2])
{
    return g <= mark->g * (1.0 + SAME_LINE_PART) &&
           (((mark->from[0] == root[0]) & (mark->from[1] == root[1])) ||
            is_same_heading(heading_of(mark->from, place), heading_of(root, place)));
}

// Whether a way as short is known to land on pivot `number`.
static inline bool nav_cones_has_landed(const nav_cones *c, uint32_t number, double g)
{
    const nav_turning_mark *mark = &c->pool->marks[number];
    return mark->stamp == c->pool->stamp && g >= mark->g * (1.0 - NAV_SAME_PART);
}

// The number of the place where a portal ends: on its left (0) or its right (1).
static inline uint32_t turning_vertex_of(const nav_cones *c, uint32_t portal, int right)
{
    return c->open ? c->view->mesh->portal_turning_vertices[portal][right]
                   : nav_turning_on_foot(c->view, portal, right);
}
