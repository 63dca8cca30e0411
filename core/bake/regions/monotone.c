// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// monotone.c: step 6, the fastest partition: the regions of the row sweep, of which
// the small ones join as with the watershed. No hole can be in them, but they can be long and thin.
// It needs no distance to the border.

#include "core/bake/regions/regions.h"
#include "core/bake/regions/sweep.h"

nav_status nav_bake_regions_monotone(const nav_bake_job *job, nav_arena *result, nav_field *field)
{
    uint32_t raw_count;
    nav_status status = nav_regions_sweep(job, result, field, &raw_count);
    return status == NAV_OK ? nav_regions_finish(job, field, raw_count) : status;
}
