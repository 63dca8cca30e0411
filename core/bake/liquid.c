// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// liquid.c: step 2, the surfaces of liquids, put into the heightfield when the filters have run.
//
// A liquid is no obstacle and no ceiling, and its surface is not ground that is too low or falls
// away; so it must not be there while the filters look. Put in afterwards, each column is decided
// by what is highest, and the shore runs where the ground comes out of the water:
//
//            ___ ground          ground above the surface stays ground
//    ~~~~~~~/    shore           the surface wins where it is at least as high
//    ______/     bed             too low under it to stand: not walkable; deeper: its own floor
//
// Only what faces up and is flat enough counts: a waterfall is no wall.

#include "core/bake/stages.h"

typedef struct span {
    uint16_t min, max;
    uint8_t area;
} span;

static span span_of(const nav_heightfield *h, uint32_t i)
{
    return (span){h->span_min[i], h->span_max[i], h->span_area[i]};
}

static bool is_liquid(const nav_bake_job *job, uint8_t area)
{
    return area < job->config->area_count && job->config->areas[area].liquid;
}

// Two spans that touch become one; the higher top gives the area, of equal ones the liquid's.
static span merge(const nav_bake_job *job, span a, span b)
{
    bool first = a.max != b.max ? a.max > b.max : is_liquid(job, a.area);
    return (span){.min = a.min < b.min ? a.min : b.min,
                  .max = a.max > b.max ? a.max : b.max,
                  .area = first ? a.area : b.area};
}

// Takes the next span of a column from either heightfield, the lower one first.
static span take_lower(const nav_heightfield *a, uint32_t *i, uint32_t a_end,
                       const nav_heightfield *b, uint32_t *j, uint32_t b_end)
{
    bool from_a = *j == b_end || (*i < a_end && a->span_min[*i] <= b->span_min[*j]);
    return from_a ? span_of(a, (*i)++) : span_of(b, (*j)++);
}

// Merges one column of both into out, whose span_count grows. Surfaces that cannot be walked on are
// left out.
static void merge_column(const nav_bake_job *job, const nav_heightfield *solid,
                         const nav_heightfield *liquid, size_t column, nav_heightfield *out)
{
    uint32_t i = solid->first[column], i_end = solid->first[column + 1];
    uint32_t j = liquid->first[column], j_end = liquid->first[column + 1];
    uint32_t begin = out->span_count;
    while (i < i_end || j < j_end) {
        bool from_liquid = i == i_end || (j < j_end && liquid->span_min[j] < solid->span_min[i]);
        span next = take_lower(solid, &i, i_end, liquid, &j, j_end);
        if (from_liquid && next.area == NAV_AREA_NONE) {
            continue;
        }
        uint32_t last = out->span_count - 1;
        if (out->span_count > begin && next.min <= out->span_max[last]) {
            next = merge(job, span_of(out, last), next);
            out->span_count = last;
        }
        out->span_min[out->span_count] = next.min;
        out->span_max[out->span_count] = next.max;
        out->span_area[out->span_count++] = next.area;
    }
}

// The low-height filter could not know this: the headroom over a surface, and that of the bed
// under it.
static void filter_headroom(const nav_bake_job *job, nav_heightfield *solid, uint32_t begin)
{
    for (uint32_t i = begin; i + 1 < solid->span_count; ++i) {
        uint32_t headroom = solid->span_min[i + 1] - (uint32_t)solid->span_max[i];
        if (solid->span_area[i] == NAV_AREA_NONE || headroom > job->height_min_cells) {
            continue;
        }
        if (is_liquid(job, solid->span_area[i + 1])) {
            solid->span_area[i] = NAV_AREA_NONE;
        } else if (is_liquid(job, solid->span_area[i]) && job->config->filter_low_height) {
            solid->span_area[i] = nav_bake_low_area(job, headroom);
        }
    }
}

static nav_status merge_fields(const nav_bake_job *job, const nav_heightfield *liquid,
                               nav_arena *result, nav_heightfield *solid)
{
    NAV_ASSERT(liquid->width == solid->width);
    NAV_ASSERT(liquid->depth == solid->depth);
    size_t columns = (size_t)solid->width * solid->depth;
    size_t capacity = (size_t)solid->span_count + liquid->span_count;
    nav_heightfield out = {.width = solid->width,
                           .depth = solid->depth,
                           .first = NAV_NEW(result, uint32_t, columns + 1),
                           .span_min = NAV_NEW(result, uint16_t, capacity),
                           .span_max = NAV_NEW(result, uint16_t, capacity),
                           .span_area = NAV_NEW(result, uint8_t, capacity)};
    if (out.first == NULL || out.span_min == NULL || out.span_max == NULL ||
        out.span_area == NULL) {
        return NAV_NO_MEMORY;
    }
    if (capacity >= UINT32_MAX) {
        return nav_fail(job->err, NAV_TILE_TOO_COMPLEX, "more than %u spans in one tile",
                        UINT32_MAX - 1);
    }
    for (size_t column = 0; column < columns; ++column) {
        if (nav_cancel_poll(job->cancel, 1)) {
            return nav_bake_end(job);
        }
        uint32_t begin = out.span_count;
        out.first[column] = begin;
        merge_column(job, solid, liquid, column, &out);
        if (liquid->first[column] < liquid->first[column + 1]) {
            filter_headroom(job, &out, begin);
        }
    }
    NAV_ASSERT(out.span_count <= capacity);
    out.first[columns] = out.span_count;
    *solid = out;
    return NAV_OK;
}

nav_status nav_bake_liquid(const nav_bake_job *job, nav_arena *result, nav_heightfield *solid)
{
    if (!job->has_liquid) {
        return NAV_OK;
    }
    nav_bake_job pass = *job;
    pass.liquid_pass = true;
    nav_arena liquid_arena;
    nav_arena_init_child(&liquid_arena, job->scratch);
    nav_heightfield liquid = {0};
    nav_status status = nav_bake_voxelize(&pass, &liquid_arena, &liquid);
    NAV_IF_OK(status, liquid.span_count > 0 ? merge_fields(job, &liquid, result, solid) : NAV_OK);
    nav_arena_free(&liquid_arena);
    return status;
}
