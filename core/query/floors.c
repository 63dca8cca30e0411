// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// floors.c: every floor at a place in plan view: a snap without any width and with all
// height. Where polygons meet, each of them has the place, but it is one floor.

#include "core/base/tolerances.h"
#include "core/query/query.h"

#include <float.h>
#include <math.h>

#define PLACES_FIRST 64u // room for them at first; nearly all columns have fewer

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

// From one of two floors above each other to the other there is at least room to stand; two
// polygons of one floor differ by what their heights may be wrong.
static float same_floor_max(const nav_mesh *mesh)
{
    const float room = fminf(mesh->agent_max_climb, mesh->agent_height / 2.0f);
    return fmaxf(room, NAV_SAME_FLOOR);
}

// Of places sorted from the top: one a floor, at most capacity. Returns how many there are.
static uint32_t keep_floors(const nav_mesh *mesh, const nav_location *places, uint32_t place_count,
                            nav_location *out, uint32_t capacity)
{
    const float near = same_floor_max(mesh);
    uint32_t count = 0;
    for (uint32_t i = 0; i < place_count && count < capacity; ++i) {
        if (count == 0 || out[count - 1].position[1] - places[i].position[1] > near) {
            out[count++] = places[i];
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
    // From above everything: distances are told from there.
    const float point[3] = {x, mesh->stats.max[1] + 1.0f, z};
    const nav_snap column = {.horizontal = 0.0f, .up = FLT_MAX, .down = FLT_MAX};
    const nav_options whole_column = {.snap = column};
    for (uint32_t room = PLACES_FIRST;; room *= 8) {
        nav_location *places = nav_scratch_list(scratch, room * sizeof *places);
        if (places == NULL) {
            return NAV_NO_MEMORY;
        }
        const uint32_t found =
            nav_view_nearest(&view, &whole_column, point, nav_view_reach(&view), places, room);
        if (found < room) {
            nav_view_name(&view, places, found);
            sort_from_the_top(places, found);
            *count = keep_floors(mesh, places, found, out, capacity);
            return NAV_OK;
        }
    }
}
