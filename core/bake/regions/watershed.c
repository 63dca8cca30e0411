// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// watershed.c: step 6, partition of the walkable area into regions.
//
// Seen as a landscape in which the distance to the border is depth, regions are the basins. The
// water level falls two at a time: first the regions there are grow by a few cells into what the
// level has laid bare, then what is still free becomes a seed of new regions (Vincent and Soille
// 1991; Haumont, Debunne and Sillion 2003 for its use on navigation).
//
//     depth  8 |        A        level 6: A appears
//            6 |      A A A   B  level 4: B appears
//            4 |    A A A A B B B   A and B grow until they meet
//            2 |  A A A A A A B B B
//
// Here the level falls; basins.c has the regions' growth and their seeds.

#include "core/bake/regions/watershed.h"

#include <string.h>

// How far regions grow at each level, in cells: enough to follow the falling water, and no more, so
// that new basins are found before old ones cover them.
#define GROWTH_CELLS 8

// ---- the falling level ----

static bool is_open(const nav_watershed *w, uint32_t span)
{
    return w->field->area[span] != NAV_AREA_NONE && w->region[span] == 0;
}

// Returns false where the bake was cancelled.
static bool count_open(const nav_watershed *w, uint32_t *count)
{
    *count = 0;
    for (uint32_t i = 0; i < w->field->span_count; ++i) {
        if (nav_cancel_poll(w->job->cancel, 1)) {
            return false;
        }
        *count += is_open(w, i);
    }
    return true;
}

// Sorts the walkable spans outside of the padding by depth, deepest first: those of level 2k, k
// from `levels` - 1 down, end at ends[k]. Counting sort, so that equal depths stay in order of
// span.
static bool sort_by_depth(const nav_watershed *w, uint32_t levels, uint32_t *ends)
{
    const nav_field *f = w->field;
    memset(ends, 0, levels * sizeof *ends);
    for (uint32_t i = 0; i < f->span_count; ++i) {
        if (nav_cancel_poll(w->job->cancel, 1)) {
            return false;
        }
        if (is_open(w, i)) {
            uint32_t k = f->distance[i] / 2u;
            ends[k < levels ? k : levels - 1]++;
        }
    }
    uint32_t sum = 0;
    for (uint32_t k = levels; k-- > 0;) {
        uint32_t count = ends[k];
        ends[k] = sum;
        sum += count;
    }
    for (uint32_t i = 0; i < f->span_count; ++i) {
        if (nav_cancel_poll(w->job->cancel, 1)) {
            return false;
        }
        if (is_open(w, i)) {
            uint32_t k = f->distance[i] / 2u;
            w->order[ends[k < levels ? k : levels - 1]++] = i;
        }
    }
    return true;
}

// Brings the spans of a level, order[begin..end), to the front, before those that earlier levels
// left over. The queue, which is at rest, holds the latter meanwhile. False without memory, or
// where the bake was cancelled.
static bool lay_bare(nav_watershed *w, uint32_t begin, uint32_t end)
{
    NAV_DCHECK(w->pending_count <= begin);
    uint32_t left = 0, fresh = 0;
    for (uint32_t i = 0; i < w->pending_count; ++i) {
        if (nav_cancel_poll(w->job->cancel, 1) ||
            (w->region[w->order[i]] == 0 && !nav_watershed_push(w, &left, w->order[i]))) {
            return false;
        }
    }
    for (uint32_t i = begin; i < end; ++i) {
        if (nav_cancel_poll(w->job->cancel, 1)) {
            return false;
        }
        if (w->region[w->order[i]] == 0) {
            w->order[fresh++] = w->order[i];
        }
    }
    if (left > 0) {
        memcpy(w->order + fresh, w->queue, left * sizeof *w->order);
    }
    w->pending_count = fresh + left;
    return true;
}

static nav_status fall(nav_watershed *w, uint32_t levels, const uint32_t *ends)
{
    uint32_t begin = 0;
    for (uint32_t k = levels; k-- > 0 && !w->no_memory;) {
        if (nav_cancel_poll(w->job->cancel, NAV_STEP_ROW)) {
            return nav_bake_end(w->job);
        }
        if (lay_bare(w, begin, ends[k])) {
            begin = ends[k];
            nav_watershed_grow(w, k > 0 ? GROWTH_CELLS : 0);
            nav_watershed_flood(w, k > 0 ? 2 * k - 2 : 0, true);
        }
    }
    // What two floods left between them goes to whichever region is nearer, and what lies above or
    // below all regions around it to regions of its own.
    if (!w->no_memory && lay_bare(w, begin, begin)) {
        nav_watershed_grow(w, 0);
        nav_watershed_flood(w, 0, false);
    }
    if (w->no_memory) {
        return NAV_NO_MEMORY;
    }
    return nav_cancel_is_set(w->job->cancel) ? nav_bake_end(w->job) : NAV_OK;
}

// Partitions the open spans; ends has room for as many numbers as there are levels.
static nav_status partition(nav_watershed *w, uint32_t levels, uint32_t *ends)
{
    uint32_t open_count;
    if (!count_open(w, &open_count)) {
        return nav_bake_end(w->job);
    }
    w->order = NAV_NEW(w->job->scratch, uint32_t, open_count);
    if (w->order == NULL) {
        return NAV_NO_MEMORY;
    }
    if (!nav_watershed_find_stacks(w) || !sort_by_depth(w, levels, ends)) {
        return nav_bake_end(w->job);
    }
    nav_arena_init_child(&w->queue_arena, w->job->scratch);
    nav_arena_init_child(&w->extent_arena, w->job->scratch);
    nav_status status = fall(w, levels, ends);
    nav_arena_free(&w->queue_arena);
    nav_arena_free(&w->extent_arena);
    return status;
}

nav_status nav_bake_regions_watershed(const nav_bake_job *job, nav_arena *result, nav_field *field)
{
    NAV_ASSERT(field->distance != NULL);
    size_t spans = field->span_count;
    uint32_t levels = (field->distance_max + 1u) / 2u;
    levels = levels < 1 ? 1 : levels;
    field->region = NAV_NEW(result, uint32_t, spans);
    nav_arena_mark mark = nav_arena_save(job->scratch);
    nav_watershed w = {.job = job,
                       .field = field,
                       .region = field->region,
                       .distance = field->distance,
                       .stacked = NAV_NEW(job->scratch, uint8_t, spans)};
    uint32_t *ends = NAV_NEW(job->scratch, uint32_t, levels);
    if (field->region == NULL || w.stacked == NULL || ends == NULL) {
        return NAV_NO_MEMORY;
    }
    if (!nav_bake_clear(job, w.stacked, spans) || !nav_regions_mark_border(job, field)) {
        return nav_bake_end(job);
    }
    nav_status status = partition(&w, levels, ends);
    nav_arena_restore(job->scratch, mark);
    return status == NAV_OK ? nav_regions_finish(job, field, w.region_count) : status;
}
