// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// compact.c: step 3, solid spans -> the open field above them. From here on only places matter
// where an agent can stand. link.c links them, when the solid spans are gone.

#include "core/bake/bake.h"

static uint32_t count_walkable(const nav_heightfield *solid)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < solid->span_count; ++i) {
        count += solid->span_area[i] != NAV_AREA_NONE;
    }
    return count;
}

static bool field_alloc(nav_arena *result, const nav_heightfield *solid, uint32_t spans,
                        nav_field *out)
{
    size_t columns = (size_t)solid->width * solid->depth;
    *out = (nav_field){.width = solid->width,
                       .depth = solid->depth,
                       .span_count = spans,
                       .first = NAV_NEW(result, uint32_t, columns + 1),
                       .floor = NAV_NEW(result, uint16_t, spans),
                       .headroom = NAV_NEW(result, uint16_t, spans),
                       .area = NAV_NEW(result, uint8_t, spans)};
    return out->first != NULL && out->floor != NULL && out->headroom != NULL && out->area != NULL;
}

static nav_status copy_walkable(const nav_bake_job *job, const nav_heightfield *solid,
                                nav_field *out)
{
    size_t columns = (size_t)solid->width * solid->depth;
    uint32_t to = 0;
    for (size_t column = 0; column < columns; ++column) {
        if (nav_cancel_poll(job->cancel, 1)) {
            return nav_bake_end(job);
        }
        out->first[column] = to;
        uint32_t end = solid->first[column + 1];
        for (uint32_t i = solid->first[column]; i < end; ++i) {
            if (solid->span_area[i] == NAV_AREA_NONE) {
                continue;
            }
            uint32_t floor = solid->span_max[i];
            NAV_DCHECK(i + 1 == end || solid->span_min[i + 1] > floor);
            uint32_t headroom = i + 1 < end ? solid->span_min[i + 1] - floor : UINT16_MAX;
            out->floor[to] = (uint16_t)floor;
            out->headroom[to] = (uint16_t)headroom;
            out->area[to] = solid->span_area[i];
            to++;
        }
    }
    out->first[columns] = to;
    return NAV_OK;
}

nav_status nav_bake_compact(const nav_bake_job *job, const nav_heightfield *solid,
                            nav_arena *result, nav_field *out)
{
    NAV_ASSERT(solid->span_count == solid->first[(size_t)solid->width * solid->depth]);
    nav_field field;
    if (!field_alloc(result, solid, count_walkable(solid), &field)) {
        return NAV_NO_MEMORY;
    }
    nav_status status = copy_walkable(job, solid, &field);
    if (status == NAV_OK) {
        *out = field;
    }
    return status;
}
