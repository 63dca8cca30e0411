// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_floors.c: every floor at a place in plan view: a snap without any width and with all
// height.

#include "query.h"

#include <float.h>
#include <math.h>

static void sort_from_the_top(nav_location *places, uint32_t count)
{
    for (uint32_t i = 1; i < count; ++i) {
        const nav_location place = places[i];
        uint32_t at = i;
        for (; at > 0 && places[at - 1].position[1] < place.position[1]; --at) {
            places[at] = places[at - 1];
        }
        places[at] = place;
    }
}

nav_status nav_query_floors(const nav_mesh *mesh, nav_scratch *scratch, float x, float z,
                            const nav_options *options, nav_location *out, uint32_t capacity,
                            uint32_t *count)
{
    nav_view view;
    if (!nav_view_begin(mesh, scratch, options, &view)) {
        return nav_scratch_failure(scratch);
    }
    // From above everything, so that of too many floors the highest are kept.
    const float point[3] = {x, mesh->stats.max[1] + 1.0f, z};
    const nav_snap column = {.horizontal = 0.0f, .up = FLT_MAX, .down = FLT_MAX};
    const nav_options whole_column = {.snap = column};
    *count = nav_view_nearest(&view, &whole_column, point, nav_view_reach(&view), out, capacity);
    nav_view_name(&view, out, *count);
    sort_from_the_top(out, *count);
    return NAV_OK;
}
