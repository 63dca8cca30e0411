// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// regions.c: the regions that floors are in, how large each is, and islands that were removed.

#include "core/bake/explain/explain.h"
#include "core/bake/front.h"
#include "core/bake/regions/regions.h"

// By region how many spans it has; NULL without memory.
static uint32_t *count_spans(const nav_bake_job *job, const nav_field *field, uint32_t regions,
                             uint64_t *inside)
{
    uint32_t *counts = NAV_NEW_ZERO(job->scratch, uint32_t, (size_t)regions + 1);
    *inside = 0;
    for (uint32_t i = 0; counts != NULL && i < field->span_count; ++i) {
        if (nav_region_is_inside(field->region[i])) {
            NAV_DCHECK(field->region[i] <= regions);
            counts[field->region[i]]++;
            ++*inside;
        }
    }
    return counts;
}

nav_status nav_inspect_first_regions(const nav_bake_job *job, const nav_field *field,
                                     uint32_t region_count)
{
    const nav_seen *seen = job->seen;
    uint64_t inside;
    if (seen == NULL) {
        return NAV_OK;
    }
    const nav_arena_mark mark = nav_arena_save(job->scratch);
    const uint32_t *counts = count_spans(job, field, region_count, &inside);
    if (counts == NULL) {
        return NAV_NO_MEMORY;
    }
    seen->tile->first_regions = region_count;
    for (uint32_t i = 0; i < seen->column_count; ++i) {
        for (uint32_t k = 0; k < seen->facts[i].floor_count; ++k) {
            nav_floor_facts *out = &seen->facts[i].floors[k];
            nav_seen_floor *floor = &seen->columns[i].floors[k];
            if (out->verdict == NAV_VERDICT_KEPT) {
                floor->first_region = field->region[floor->span];
                out->first_region_cells = counts[floor->first_region];
            }
        }
    }
    nav_arena_restore(job->scratch, mark);
    return NAV_OK;
}

// The spans of the island that a span without a region was on: all that it is linked with.
static nav_status count_island(const nav_bake_job *job, const nav_field *field, uint32_t span,
                               uint32_t *out)
{
    nav_front_list island = {0};
    bool *seen = NAV_NEW_ZERO(job->scratch, bool, field->span_count);
    nav_arena_init_child(&island.arena, job->scratch);
    bool memory = seen != NULL && nav_front_list_add(&island, span);
    if (memory) {
        seen[span] = true;
    }
    for (uint32_t i = 0; memory && i < island.count; ++i) {
        if (nav_cancel_poll(job->cancel, NAV_STEP_EAR)) {
            nav_arena_free(&island.arena);
            return nav_bake_end(job);
        }
        for (int direction = 0; memory && direction < 4; ++direction) {
            const uint32_t n = nav_field_neighbour(field, island.spans[i], direction);
            if (n != NAV_NONE && !seen[n] && field->area[n] != NAV_AREA_NONE) {
                seen[n] = true;
                memory = nav_front_list_add(&island, n);
            }
        }
    }
    *out = island.count;
    nav_arena_free(&island.arena);
    return memory ? NAV_OK : NAV_NO_MEMORY;
}

nav_status nav_inspect_regions(const nav_bake_job *job, const nav_field *field)
{
    const nav_seen *seen = job->seen;
    nav_status status = NAV_OK;
    const uint32_t *counts = count_spans(job, field, field->region_count, &seen->tile->in_regions);
    if (counts == NULL) {
        return NAV_NO_MEMORY;
    }
    seen->tile->regions = field->region_count;
    for (uint32_t i = 0; i < seen->column_count; ++i) {
        for (uint32_t k = 0; status == NAV_OK && k < seen->facts[i].floor_count; ++k) {
            nav_floor_facts *out = &seen->facts[i].floors[k];
            const uint32_t span = seen->columns[i].floors[k].span;
            if (out->verdict != NAV_VERDICT_KEPT) {
                continue;
            }
            out->region = field->region[span];
            out->region_cells = counts[out->region];
            if (out->region == 0) {
                out->verdict = NAV_VERDICT_REGION_REMOVED;
                nav_arena_mark mark = nav_arena_save(job->scratch);
                status = count_island(job, field, span, &out->region_cells);
                nav_arena_restore(job->scratch, mark);
            }
        }
    }
    return status;
}
