// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// distance.c: step 5, how far each span is from the border of its area. The watershed floods
// this landscape from its deepest places; a blur takes the pits out that would become regions of
// their own.

#include "core/bake/bake.h"

static inline bool on_border(const nav_field *f, uint32_t i)
{
    if (nav_field_lacks_neighbour(f, i)) {
        return true;
    }
    for (int direction = 0; direction < 4; ++direction) {
        if (f->area[nav_field_neighbour(f, i, direction)] != f->area[i]) {
            return true;
        }
    }
    return false;
}

// Mean of the nine distances around a span that is inside enough to have them; a missing one counts
// as the span's own.
static uint16_t blurred(const nav_field *f, const uint16_t *from, uint32_t i)
{
    uint32_t own = from[i];
    if (own <= 2) {
        return (uint16_t)own;
    }
    uint32_t sum = own;
    for (int direction = 0; direction < 4; ++direction) {
        uint32_t n = nav_field_neighbour(f, i, direction);
        if (n == NAV_NONE) {
            sum += own * 2;
            continue;
        }
        uint32_t diagonal = nav_field_neighbour(f, n, (direction + 1) & 3);
        sum += from[n] + (diagonal != NAV_NONE ? from[diagonal] : own);
    }
    return (uint16_t)((sum + 5) / 9);
}

nav_status nav_bake_distance(const nav_bake_job *job, nav_field *field)
{
    NAV_ASSERT(field->span_count == field->first[(size_t)field->width * field->depth]);
    NAV_ASSERT(field->headroom != NULL);
    uint16_t *sharp = NAV_NEW(job->scratch, uint16_t, field->span_count);
    if (sharp == NULL) {
        return NAV_NO_MEMORY;
    }
    for (uint32_t i = 0; i < field->span_count; ++i) {
        if (nav_cancel_poll(job->cancel, 1)) {
            return nav_bake_end(job);
        }
        bool border = field->area[i] == NAV_AREA_NONE || on_border(field, i);
        sharp[i] = border ? 0 : UINT16_MAX;
    }
    if (!nav_field_chamfer(job, field, sharp)) {
        return nav_bake_end(job);
    }
    uint16_t max = 0, *distance = field->headroom;
    for (uint32_t i = 0; i < field->span_count; ++i) {
        if (nav_cancel_poll(job->cancel, 1)) {
            return nav_bake_end(job);
        }
        max = sharp[i] > max ? sharp[i] : max;
        distance[i] = blurred(field, sharp, i);
    }
    field->headroom = NULL;
    field->distance = distance;
    field->distance_max = max;
    return NAV_OK;
}
