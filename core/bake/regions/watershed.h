// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// watershed.h: between watershed.c and basins.c. Private to
// them.

#pragma once

#include "core/bake/regions/regions.h"

// The heights between which a region's floors lie, or have lain.
typedef struct nav_region_extent {
    uint16_t low, high;
} nav_region_extent;

typedef struct nav_watershed {
    const nav_bake_job *job;
    nav_field *field;
    uint32_t *region; // by span
    // By span: the field's distance while it has no region, and how far its region has grown to
    // reach it from then on.
    uint16_t *distance;
    // All open spans, deepest first. Those laid bare that have no region yet are gathered at its
    // front: they are never more than were laid bare, so that nothing is lost.
    uint32_t *order;
    uint32_t pending_count;
    // Of a flood, which goes round in it; between floods, what a step of growth takes.
    nav_arena queue_arena;
    uint32_t *queue;
    uint32_t queue_capacity;
    uint8_t *stacked; // by span: what else its column has, unless only one of them can be walked
    nav_arena extent_arena;
    nav_region_extent *extents; // by region
    uint32_t extent_capacity;
    uint32_t region_count;
    bool no_memory;
} nav_watershed;

// Marks in stacked what columns of several walkable spans have. False where the bake was cancelled.
bool nav_watershed_find_stacks(const nav_watershed *w);
// Appends to the queue where it begins at its first place. False and no_memory where it is full.
bool nav_watershed_push(nav_watershed *w, uint32_t *count, uint32_t span);
// Lets regions take pending spans, in steps that see only what the step before took. Spans that are
// taken leave the list. steps 0: until nothing changes. Ends early where the bake is cancelled or
// no_memory is set.
void nav_watershed_grow(nav_watershed *w, uint32_t steps);
// Begins regions in what is pending and has none, each over everything as deep as `shallowest`;
// aloof: keeping a cell away from other regions. Ends early where the bake is cancelled or
// no_memory is set.
void nav_watershed_flood(nav_watershed *w, uint32_t shallowest, bool aloof);
