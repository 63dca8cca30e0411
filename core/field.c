// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// field.c: what several stages need of the open field: the chamfer distance.

#include "bake.h"

// The distance of a span over neighbour n, whose own distance is given: straight over it (2), and
// diagonally (3) over the span that lies beyond it in direction `turn`.
static inline uint32_t over(const nav_field *f, const uint16_t *distance, uint32_t best, uint32_t n,
                            uint32_t n_distance, int turn)
{
    best = n_distance + 2 < best ? n_distance + 2 : best;
    uint32_t diagonal = f->neighbours[n][turn];
    if (diagonal != NAV_NONE && distance[diagonal] + 3u < best) {
        best = distance[diagonal] + 3u;
    }
    return best;
}

// One pass: spans are stored row by row, so that going forward the spans at -x and -z lie behind,
// and going backward those at +x and +z. The neighbour in x mostly is the span that was visited
// last: its distance is still at hand.
static inline void pass(const nav_field *f, uint16_t *distance, uint32_t begin, uint32_t step,
                        int x_direction, int z_direction)
{
    uint32_t last = NAV_NONE, last_distance = 0;
    for (uint32_t count = f->span_count, i = begin; count > 0; --count, i += step) {
        uint32_t best = distance[i];
        if (best > 0) {
            uint32_t n = f->neighbours[i][z_direction];
            if (n != NAV_NONE) {
                best = over(f, distance, best, n, distance[n], (z_direction + 3) & 3);
            }
            n = f->neighbours[i][x_direction];
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

void nav_field_chamfer(const nav_field *field, uint16_t *distance)
{
    pass(field, distance, 0, 1, 0, 3);
    pass(field, distance, field->span_count - 1, UINT32_MAX, 2, 1);
}
