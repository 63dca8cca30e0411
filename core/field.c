// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// field.c: what several stages need of the open field: the chamfer distance.

#include "bake.h"

// The smaller of a distance and the one over neighbour n, `step` away.
static inline uint32_t nearer(const uint16_t *distance, uint32_t best, uint32_t n, uint32_t step)
{
    uint32_t over = distance[n] + step;
    return over < best ? over : best;
}

// The distance of span i by what can be reached over its neighbours in two directions: straight (2)
// and, turning left from there, diagonally (3).
static inline uint32_t relax(const nav_field *f, const uint16_t *distance, uint32_t i, int first,
                             int second)
{
    uint32_t best = distance[i];
    uint32_t n = f->neighbours[i][first];
    if (n != NAV_NONE) {
        best = nearer(distance, best, n, 2);
        uint32_t diagonal = f->neighbours[n][(first + 3) & 3];
        if (diagonal != NAV_NONE) {
            best = nearer(distance, best, diagonal, 3);
        }
    }
    n = f->neighbours[i][second];
    if (n != NAV_NONE) {
        best = nearer(distance, best, n, 2);
        uint32_t diagonal = f->neighbours[n][(second + 3) & 3];
        if (diagonal != NAV_NONE) {
            best = nearer(distance, best, diagonal, 3);
        }
    }
    return best;
}

void nav_field_chamfer(const nav_field *field, uint16_t *distance)
{
    // Spans are stored row by row, so that a pass forward has the spans at -x and -z behind it, and
    // a pass backward those at +x and +z.
    for (uint32_t i = 0; i < field->span_count; ++i) {
        if (distance[i] > 0) {
            distance[i] = (uint16_t)relax(field, distance, i, 0, 3);
        }
    }
    for (uint32_t i = field->span_count; i-- > 0;) {
        if (distance[i] > 0) {
            distance[i] = (uint16_t)relax(field, distance, i, 2, 1);
        }
    }
}
