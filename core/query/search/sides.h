// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// sides.h: the cheaper sides of edges that a path runs along. Private to core/.
//
//        cheap           A line along an edge is on both sides of it, and costs what the cheaper
//     .  u=======w  .    one does. If a corridor leads through the dear side, it is led over to
//      `/  dear   \'     the cheap one and back: the points of the path stay what they are, and so
//                        its cost is that of its points.

#pragma once

#include "core/query/view/scratch.h"

// In the order of the path. Begin with .view, .scratch and the room that the scratch has.
typedef struct nav_side_list {
    const nav_view *view;
    nav_scratch *scratch;
    nav_side *sides;
    uint32_t count, capacity;
} nav_side_list;

// A stretch of a path over ground of one cost: points in line with the portals of the corridor from
// `first` up to `end`. It begins in `polygon`.
typedef struct nav_side_stretch {
    const float (*points)[3];
    uint32_t point_count;
    uint32_t first, end, polygon;
    float cost; // of a step
} nav_side_stretch;

// sides.c: lists the cheaper sides along a stretch.
void nav_sides_list(nav_side_list *list, const nav_side_stretch *stretch);
// Leads the corridor of `count` portals, and its positions, over all that have been listed. Returns
// how many portals it has then.
uint32_t nav_sides_take(const nav_side_list *list, uint32_t count);
