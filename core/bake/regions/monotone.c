// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// monotone.c: step 6, the fastest partition: rows of cells -> runs -> raw regions, of which the
// small ones join as with the watershed. No hole can be in them, but they can be long and thin. It
// needs no distance to the border. The layers begin with the same sweep.
//
// A run is what hangs together along x in one row. It continues the region of the run behind it if
// that is the only one it touches there and if no other run takes part in touching it:
//
//     z   A A A A A A A      A ends where it splits, hence B and C; D ends the two where they meet.
//         B B B . C C C      A region has one run a row at most, so each of its rows is in one
//         B B . . . C C      piece, and it cannot lie above itself.
//         D D D D D D D
//
// The number of a run replaces the number of a region while its row and the next are looked at.
// Thus the memory is that of two rows.

#include "core/bake/regions/regions.h"

// In `behind`: more than one.
#define SEVERAL NAV_NONE

typedef struct run {
    uint32_t behind; // the run in the row before that it touches; 0: none; or SEVERAL
    uint32_t links;  // to that one
    uint32_t ahead;  // links that runs of the next row have counted to this one
    uint32_t region;
} run;

// The spans of a row outside of the padding.
typedef struct row {
    uint32_t begin, end;
    run *runs; // 1..run_count
    uint32_t run_count, run_max;
} row;

static row row_at(const nav_bake_job *job, const nav_field *f, uint32_t z, run *runs, uint32_t most)
{
    size_t column = (size_t)z * f->width;
    return (row){.begin = f->first[column + job->border_cells],
                 .end = f->first[column + f->width - job->border_cells],
                 .runs = runs,
                 .run_max = most};
}

// Whether two linked spans may be in one region: of the same area and neither in the padding.
static bool alike(const nav_field *f, uint32_t span, uint32_t other)
{
    return other != NAV_NONE && f->area[other] == f->area[span] &&
           (f->region[other] & NAV_REGION_BORDER) == 0;
}

static void count_link(run *r, uint32_t behind, run *runs_behind)
{
    if (r->behind == 0 || r->behind == behind) {
        r->behind = behind;
        r->links++;
        runs_behind[behind].ahead++;
    } else {
        r->behind = SEVERAL;
    }
}

static void find_runs(const nav_field *f, row *now, const row *before)
{
    for (uint32_t span = now->begin; span < now->end; ++span) {
        if (f->area[span] == NAV_AREA_NONE) {
            continue;
        }
        uint32_t left = nav_field_neighbour(f, span, 0);
        uint32_t behind = nav_field_neighbour(f, span, 3);
        uint32_t number;
        if (alike(f, span, left)) {
            number = f->region[left];
        } else {
            number = ++now->run_count;
            NAV_ASSERT(number < now->run_max);
            now->runs[number] = (run){0};
        }
        f->region[span] = number;
        if (alike(f, span, behind)) {
            count_link(&now->runs[number], f->region[behind], before->runs);
        }
    }
}

// Runs go on with a region or begin one.
static void name_runs(row *now, const row *before, uint32_t *raw_count)
{
    for (uint32_t i = 1; i <= now->run_count; ++i) {
        NAV_DCHECK(now->runs[i].behind == SEVERAL || now->runs[i].behind <= before->run_count);
        run *r = &now->runs[i];
        bool alone =
            r->behind != 0 && r->behind != SEVERAL && before->runs[r->behind].ahead == r->links;
        r->region = alone ? before->runs[r->behind].region : ++*raw_count;
    }
}

// From numbers of runs to those of regions.
static void write_regions(const nav_field *f, const row *of)
{
    for (uint32_t span = of->begin; span < of->end; ++span) {
        if (f->area[span] != NAV_AREA_NONE) {
            f->region[span] = of->runs[f->region[span]].region;
        }
    }
}

static uint32_t longest_row(const nav_field *f)
{
    uint32_t longest = 0;
    for (uint32_t z = 0; z < f->depth; ++z) {
        uint32_t spans = f->first[((size_t)z + 1) * f->width] - f->first[(size_t)z * f->width];
        longest = spans > longest ? spans : longest;
    }
    return longest;
}

nav_status nav_regions_sweep(const nav_bake_job *job, nav_arena *result, nav_field *field,
                             uint32_t *raw_count)
{
    NAV_ASSERT(field->links != NULL);
    NAV_ASSERT(field->depth > 2 * job->border_cells);
    nav_arena_mark mark = nav_arena_save(job->scratch);
    const uint32_t most = longest_row(field) + 1; // numbers of runs begin at 1
    field->region = NAV_NEW(result, uint32_t, field->span_count);
    run *runs[2] = {NAV_NEW_ZERO(job->scratch, run, most), NAV_NEW_ZERO(job->scratch, run, most)};
    if (field->region == NULL || runs[0] == NULL || runs[1] == NULL) {
        return NAV_NO_MEMORY;
    }
    if (!nav_regions_mark_border(job, field)) {
        return nav_bake_end(job);
    }
    *raw_count = 0;
    row before = {.runs = runs[1]};
    for (uint32_t z = job->border_cells; z < field->depth - job->border_cells; ++z) {
        if (nav_cancel_poll(job->cancel, NAV_STEP_ROW)) {
            return nav_bake_end(job);
        }
        row now = row_at(job, field, z, before.runs == runs[0] ? runs[1] : runs[0], most);
        find_runs(field, &now, &before);
        name_runs(&now, &before, raw_count);
        write_regions(field, &before);
        before = now;
    }
    write_regions(field, &before);
    nav_arena_restore(job->scratch, mark);
    return NAV_OK;
}

nav_status nav_bake_regions_monotone(const nav_bake_job *job, nav_arena *result, nav_field *field)
{
    uint32_t raw_count;
    nav_status status = nav_regions_sweep(job, result, field, &raw_count);
    return status == NAV_OK ? nav_regions_finish(job, field, raw_count) : status;
}
