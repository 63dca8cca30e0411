// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// floors.c: the floors over and under each other at a position in plan view, from the top.

#include "core/query/question/question.h"
#include "core/query/view/scratch.h"

#include <float.h>

#define PLACES_FIRST 64u // room for them at first; nearly all columns have fewer

static void sort_from_the_top(nav_location *locations, uint32_t count)
{
    for (uint32_t i = 1; i < count; ++i) {
        const nav_location location = locations[i];
        uint32_t at = i;
        for (; at > 0 && locations[at - 1].position[1] < location.position[1]; --at) {
            locations[at] = locations[at - 1];
        }
        locations[at] = location;
    }
}

// Keeps one position a floor, at most capacity, of positions sorted from the top. Returns how many.
static uint32_t keep_floors(const nav_mesh *mesh, const nav_location *locations,
                            uint32_t location_count, nav_location *out, uint32_t capacity)
{
    const float near = nav_mesh_same_floor_max(mesh);
    uint32_t count = 0;
    for (uint32_t i = 0; i < location_count && count < capacity; ++i) {
        NAV_DCHECK(i == 0 || locations[i - 1].position[1] >= locations[i].position[1]);
        if (count == 0 || out[count - 1].position[1] - locations[i].position[1] > near) {
            out[count++] = locations[i];
        }
    }
    return count;
}

nav_status nav_query_floors(const nav_mesh *mesh, nav_scratch *scratch, float x, float z,
                            const nav_options *options, nav_location *out, uint32_t capacity,
                            uint32_t *count)
{
    nav_view view;
    if (!nav_view_begin(mesh, scratch, options, &view)) {
        return nav_scratch_failure(scratch);
    }
    // The point lies above everything, so that distances are counted from the top.
    const float point[3] = {x, mesh->stats.max[1] + 1.0f, z};
    const nav_snap column = {.horizontal = 0.0f, .up = FLT_MAX, .down = FLT_MAX};
    const nav_options whole_column = {.snap = column};
    for (uint32_t most = PLACES_FIRST;; most *= 8) {
        nav_location *locations = nav_scratch_list(scratch, most * sizeof *locations);
        if (locations == NULL) {
            return NAV_NO_MEMORY;
        }
        const uint32_t found =
            nav_view_nearest(&view, &whole_column, point, nav_view_reach(&view), locations, most);
        NAV_ASSERT(found <= most);
        if (found < most) {
            nav_view_name(&view, locations, found);
            sort_from_the_top(locations, found);
            *count = keep_floors(mesh, locations, found, out, capacity);
            return NAV_OK;
        }
    }
}
