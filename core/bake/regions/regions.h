// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// regions.h: what the partitions share: from raw regions to final ones. Private to core/.

#pragma once

#include "core/bake/stages.h"

// Drops islands smaller than job->region_min_spans, merges regions smaller than
// job->region_merge_spans into neighbours, and numbers what is left 1..field->region_count without
// gaps. On entry field->region holds 0, 1..raw_count, or numbers with NAV_REGION_BORDER.
nav_status nav_regions_finish(const nav_bake_job *job, nav_field *field, uint32_t raw_count);

// Is it the number of a region, and not of none or of the padding?
static inline bool nav_region_is_inside(uint32_t number)
{
    return number != 0 && (number & NAV_REGION_BORDER) == 0;
}

// The regions that lie above or below a region or beside what does, each once: those of region r
// are items[first[r]] up to items[first[r + 1]].
typedef struct nav_region_floors {
    uint32_t *first; // raw_count + 2
    uint32_t *items;
} nav_region_floors;

// floors.c: finds them, for raw regions 1..raw_count. They live in job->scratch.
nav_status nav_regions_floors(const nav_bake_job *job, const nav_field *field, uint32_t raw_count,
                              nav_region_floors *out);

// Clears field->region, and marks the padding of a tile as regions of its own, one a side. False
// where the bake was cancelled.
bool nav_regions_mark_border(const nav_bake_job *job, nav_field *field);

// monotone.c: the sweep over rows that monotone regions and layers begin with.
// Makes field->region and fills it with raw regions 1..*raw_count, and with the padding's. A raw
// region has at most one run of cells in each row, is of one area, in one piece, and covers no
// column twice. Errors: NAV_CANCELLED, NAV_NO_MEMORY.
nav_status nav_regions_sweep(const nav_bake_job *job, nav_arena *result, nav_field *field,
                             uint32_t *raw_count);
