// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// ground_classes.h: the classes of ground in one tile: areas, and areas under switches. Private to
// core/.

#pragma once

#include "core/bake/stages.h"
#include "core/tile/tile.h"

// A class from NAV_TILE_AREAS on: the ground of another class, under one more switch, whose number
// is above those of the switches that hold the other.
typedef struct nav_ground_class {
    uint16_t parent;
    uint16_t switch_number; // in nav_config.switches
} nav_ground_class;

struct nav_ground_classes {
    nav_ground_class *items; // item i is class NAV_TILE_AREAS + i
    uint32_t count, capacity;
};

// Adds a class. Errors: NAV_NO_MEMORY; NAV_TILE_TOO_COMPLEX, with a sentence that says so.
nav_status nav_ground_classes_add(const nav_bake_job *job, nav_arena *result,
                                  nav_ground_classes *classes, uint16_t parent,
                                  uint32_t switch_number, uint16_t *out);

// The area of a class; classes may be NULL where areas are all there is.
static inline uint8_t nav_ground_class_area(const nav_ground_classes *classes, uint16_t ground)
{
    while (ground >= NAV_TILE_AREAS) {
        NAV_DCHECK((uint32_t)(ground - NAV_TILE_AREAS) < classes->count);
        ground = classes->items[ground - NAV_TILE_AREAS].parent;
    }
    return (uint8_t)ground;
}

// The sets of switches that polygons lie under, as the tile has them.
typedef struct nav_ground_sets {
    uint16_t *switches; // of nav_config.switches, those that some polygon lies under, rising
    uint32_t switch_count;
    uint32_t *first;   // set i is entries[first[i]] .. entries[first[i + 1] - 1]
    uint16_t *entries; // indices into switches, rising in each set
    uint32_t set_count, entry_count;
    uint16_t *polygon_sets; // by polygon: 0: under none; else one more than its set
} nav_ground_sets;

// Finds the sets of a tile's polygons; arrays come from the scratch. set_count is 0 where no
// polygon lies under a switch. NAV_OK or NAV_NO_MEMORY.
nav_status nav_ground_sets_make(const nav_bake_job *job, const nav_polygons *polygons,
                                nav_ground_sets *out);
