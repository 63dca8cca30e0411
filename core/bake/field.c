// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// field.c: what several stages need of the open field: its links in little memory, and the chamfer
// distance.

#include "core/bake/bake.h"

#include <string.h>

// ---- links ----

bool nav_field_links_init(nav_arena *result, nav_field *field)
{
    size_t blocks = field->span_count / NAV_LINK_BLOCK + 1;
    field->links = nav_arena_alloc(result, field->span_count, sizeof *field->links);
    field->link_blocks = NAV_NEW(result, nav_link_block, blocks);
    return field->links != NULL && field->link_blocks != NULL;
}

// What is added to each span and its link. The first neighbour comes to lie in the middle of what a
// link can tell.
static uint32_t base_of(uint32_t begin, uint32_t count, int direction,
                        const uint32_t (*neighbours)[4])
{
    for (uint32_t i = 0; i < count; ++i) {
        if (neighbours[i][direction] != NAV_NONE) {
            return neighbours[i][direction] - (begin + i) - NAV_LINK_FAR / 2;
        }
    }
    return 0;
}

// Packs the spans of one block, `count` from `begin` on.
static bool pack_block(nav_arena *result, nav_field *field, uint32_t begin, uint32_t count,
                       const uint32_t (*neighbours)[4])
{
    nav_link_block *block = &field->link_blocks[begin / NAV_LINK_BLOCK];
    uint32_t base[4];
    for (int direction = 0; direction < 4; ++direction) {
        base[direction] = base_of(begin, count, direction, neighbours);
    }
    *block = (nav_link_block){.base = {base[0], base[1], base[2], base[3]}};
    bool any_far = false;
    for (uint32_t i = 0; i < count; ++i) {
        uint8_t *links = field->links[begin + i];
        for (int direction = 0; direction < 4; ++direction) {
            uint32_t n = neighbours[i][direction];
            uint32_t link = n - (begin + i) - base[direction];
            bool far = link - 1 >= NAV_LINK_FAR - 1;
            link = far ? NAV_LINK_FAR : link;
            links[direction] = (uint8_t)(n == NAV_NONE ? NAV_LINK_NONE : link);
            any_far |= far && n != NAV_NONE;
        }
    }
    if (any_far) {
        block->far = nav_arena_alloc(result, count, sizeof *block->far);
        if (block->far == NULL) {
            return false;
        }
        memcpy(block->far, neighbours, count * sizeof *block->far);
    }
    return true;
}

bool nav_field_links_pack(nav_arena *result, nav_field *field, uint32_t begin, uint32_t end,
                          const uint32_t (*neighbours)[4])
{
    NAV_ASSERT(begin % NAV_LINK_BLOCK == 0);
    NAV_ASSERT(end % NAV_LINK_BLOCK == 0 || end == field->span_count);
    for (uint32_t i = begin; i < end; i += NAV_LINK_BLOCK) {
        uint32_t count = end - i < NAV_LINK_BLOCK ? end - i : NAV_LINK_BLOCK;
        if (!pack_block(result, field, i, count, neighbours + (i - begin))) {
            return false;
        }
    }
    return true;
}

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
