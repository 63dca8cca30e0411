// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// merge.h: between regions.c and merge.c: what is known of each raw
// region. Private to them.

#pragma once

#include "core/bake/regions/regions.h"

typedef struct nav_region_list {
    uint32_t *items;
    uint32_t count, capacity;
} nav_region_list;

typedef struct nav_raw_region {
    uint32_t span_count;
    uint32_t parent;           // the region it was merged into, or itself; see nav_region_resolve()
    uint32_t number;           // final number
    uint32_t x, z, first_span; // its first span, for warnings
    nav_region_list ring;      // neighbours around its outline
    nav_region_list floors;    // regions that lie above or below it, or beside what does
    uint8_t area;
    bool ring_known, removed;
} nav_raw_region;

typedef struct nav_region_merger {
    const nav_bake_job *job;
    nav_field *field;
    nav_raw_region *regions; // 0..raw_count; 0 is not used
    uint32_t raw_count;
    uint32_t *marks; // by region: the mark of the list that it was last noted in
    uint32_t mark;
} nav_region_merger;

// The region that a number stands for by now. Paths are halved on the way.
static inline uint32_t nav_region_resolve(const nav_region_merger *m, uint32_t number)
{
    if ((number & NAV_REGION_BORDER) != 0) {
        return number;
    }
    nav_raw_region *regions = m->regions;
    while (regions[number].parent != number) {
        regions[number].parent = regions[regions[number].parent].parent;
        number = regions[number].parent;
    }
    return number;
}

// Appends an item. False without memory.
bool nav_region_list_push(nav_arena *arena, nav_region_list *l, uint32_t item);
// Merged regions get their new numbers, and neighbours that are now the same one become one entry.
void nav_region_refresh_ring(const nav_region_merger *m, nav_region_list *ring);
// Large regions that touch a wall stay as they are; others join, until nothing changes. NAV_OK,
// NAV_NO_MEMORY or NAV_CANCELLED.
nav_status nav_regions_merge(nav_region_merger *m);
