// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// distance.c: step 5, how far each span is from the border of its area. The watershed floods
// this landscape from its deepest spans; a blur takes the pits out that would become regions of
// their own.

#include "core/bake/stages.h"

// ---- the chamfer distance ----

// The distance of a span over neighbour n, whose own distance is given: straight over it (2), and
// diagonally (3) over the span that lies beyond it in direction `turn`.
static inline uint32_t over(const nav_field *f, const uint16_t *distance, uint32_t best, uint32_t n,
                            uint32_t n_distance, int turn)
{
    best = n_distance + 2 < best ? n_distance + 2 : best;
    uint32_t diagonal = nav_field_neighbour(f, n, turn);
    if (diagonal != NAV_NONE && distance[diagonal] + 3u < best) {
        best = distance[diagonal] + 3u;
    }
    return best;
}

// A part of a pass: spans are stored row by row, so that going forward the spans at -x and -z lie
// behind, and going backward those at +x and +z. The neighbour in x mostly is the span that was
// visited last: its distance is still at hand.
static inline void pass(const nav_field *f, uint16_t *distance, uint32_t begin, uint32_t count,
                        uint32_t step, int x_direction, int z_direction)
{
    uint32_t last = NAV_NONE, last_distance = 0;
    for (uint32_t i = begin; count > 0; --count, i += step) {
        uint32_t best = distance[i];
        if (best > 0) {
            uint32_t n = nav_field_neighbour(f, i, z_direction);
            if (n != NAV_NONE) {
                best = over(f, distance, best, n, distance[n], (z_direction + 3) & 3);
            }
            n = nav_field_neighbour(f, i, x_direction);
            if (n != NAV_NONE) {
                uint32_t n_distance = n == last ? last_distance : distance[n];
                best = over(f, distance, best, n, n_distance, (x_direction + 3) & 3);
            }
            distance[i] = (uint16_t)best;
        }
        last = i;
        last_distance = best;
    }
}

bool nav_field_chamfer(const nav_bake_job *job, const nav_field *field, uint16_t *distance)
{
    uint32_t spans = field->span_count;
    for (uint32_t left = spans, count; left > 0; left -= count) {
        if (nav_cancel_poll(job->cancel, NAV_STEP_ROW)) {
            return false;
        }
        count = left < NAV_CANCEL_INTERVAL ? left : NAV_CANCEL_INTERVAL;
        pass(field, distance, spans - left, count, 1, 0, 3);
    }
    for (uint32_t left = spans, count; left > 0; left -= count) {
        if (nav_cancel_poll(job->cancel, NAV_STEP_ROW)) {
            return false;
        }
        count = left < NAV_CANCEL_INTERVAL ? left : NAV_CANCEL_INTERVAL;
        pass(field, distance, left - 1, count, UINT32_MAX, 2, 1);
    }
    return true;
}

// ---- the stage ----

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
    NAV_ASSERT(field->links != NULL);
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
