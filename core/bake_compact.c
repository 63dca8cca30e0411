// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bake_compact.c: step 3, solid spans -> the open field above them, with links between neighbours.
//
// From here on only places matter where an agent can stand. Two of them in neighbouring columns are
// linked where the agent fits through between them and the step is no higher than it can climb. The
// links, the largest array of the bake, are made when the solid spans are gone.

#include "bake.h"

#include <stdlib.h>
#include <string.h>

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

static void copy_walkable(const nav_heightfield *solid, nav_field *out)
{
    size_t columns = (size_t)solid->width * solid->depth;
    uint32_t to = 0;
    for (size_t column = 0; column < columns; ++column) {
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
}

// low is the headroom that is enough where one of the two is a low passage already.
static inline bool can_step(const nav_field *f, uint32_t i, uint32_t n, int32_t height, int32_t low,
                            int32_t climb)
{
    int32_t floor = f->floor[i], other_floor = f->floor[n];
    int32_t room = f->headroom[i], other_room = f->headroom[n];
    int32_t bottom = floor > other_floor ? floor : other_floor;
    int32_t top = floor + room < other_floor + other_room ? floor + room : other_floor + other_room;
    int32_t needed = room <= height || other_room <= height ? low : height;
    return top - bottom >= needed && abs(other_floor - floor) <= climb;
}

// Links the spans of a column to those of the next one in a direction, and back. Later stages walk
// along borders and rely on links that go both ways, so each span takes the lowest one that it can
// step to and that is not taken: where an agent can climb half its height, two floors could reach
// it.
static inline void link_columns(nav_field *f, size_t column, size_t other, int direction,
                                int32_t height, int32_t low, int32_t climb)
{
    uint32_t end = f->first[column + 1], other_end = f->first[other + 1];
    int back = (direction + 2) & 3;
    for (uint32_t i = f->first[column]; i < end; ++i) {
        for (uint32_t n = f->first[other]; n < other_end; ++n) {
            if (can_step(f, i, n, height, low, climb) && f->neighbours[n][back] == NAV_NONE) {
                f->neighbours[i][direction] = n;
                f->neighbours[n][back] = i;
                break;
            }
        }
    }
}

static void link_row(const nav_bake_job *job, nav_field *f, uint32_t z)
{
    int32_t height = (int32_t)job->height_min_cells;
    int32_t low = job->low_cells != 0 ? (int32_t)job->low_cells : height;
    int32_t climb = (int32_t)job->climb_cells;
    for (uint32_t x = 0; x < f->width; ++x) {
        size_t column = (size_t)z * f->width + x;
        if (f->first[column] == f->first[column + 1]) {
            continue;
        }
        if (x + 1 < f->width) {
            link_columns(f, column, column + 1, 2, height, low, climb);
        }
        if (z + 1 < f->depth) {
            link_columns(f, column, column + f->width, 1, height, low, climb);
        }
    }
}

nav_status nav_bake_compact(const nav_bake_job *job, const nav_heightfield *solid,
                            nav_arena *result, nav_field *out)
{
    NAV_ASSERT(solid->span_count == solid->first[(size_t)solid->width * solid->depth]);
    if (nav_bake_cancelled(job)) {
        return nav_fail(job->err, NAV_CANCELLED, "the bake was cancelled");
    }
    nav_field field;
    if (!field_alloc(result, solid, count_walkable(solid), &field)) {
        return NAV_NO_MEMORY;
    }
    copy_walkable(solid, &field);
    *out = field;
    return NAV_OK;
}

nav_status nav_bake_link(const nav_bake_job *job, nav_arena *result, nav_field *field)
{
    NAV_ASSERT(field->span_count == field->first[(size_t)field->width * field->depth]);
    field->neighbours = nav_arena_alloc(result, field->span_count, sizeof *field->neighbours);
    if (field->neighbours == NULL) {
        return NAV_NO_MEMORY;
    }
    memset(field->neighbours, 0xff, (size_t)field->span_count * sizeof *field->neighbours);
    for (uint32_t z = 0; z < field->depth; ++z) {
        if (nav_bake_cancelled(job)) {
            return nav_fail(job->err, NAV_CANCELLED, "the bake was cancelled");
        }
        link_row(job, field, z);
    }
    return NAV_OK;
}
