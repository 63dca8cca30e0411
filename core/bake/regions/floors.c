// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// floors.c: finds the raw regions of step 6 that lie above or below each other. Regions that do may
// not become one, nor those beside them: the two ends of a turn of a spiral stair would touch where
// one ends above the other.
//
// The search goes by regions and not by columns, so that marks say what has been noted: in a tower
// of hundreds of floors each span would search a list of hundreds of regions else.

#include "core/bake/regions/regions.h"

#include <string.h>

typedef struct surveyor {
    const nav_bake_job *job;
    const nav_field *field;
    uint32_t raw_count;
    nav_arena temporary;
    bool *known;       // by column: there is nothing to be learned from it
    uint32_t *first;   // by region: where its columns begin, of those that are not known
    uint32_t *columns; // sorted by region
    uint32_t *marks;   // by region: the last one that noted it
    nav_arena list;
    uint32_t *items;
    uint32_t count, capacity;
} surveyor;

// Whether two columns have the same regions, from the lowest to the highest.
static bool same_regions(const nav_field *f, size_t a, size_t b)
{
    uint32_t count = f->first[a + 1] - f->first[a];
    return count == f->first[b + 1] - f->first[b] &&
           memcmp(f->region + f->first[a], f->region + f->first[b], count * sizeof *f->region) == 0;
}

// Inside a tower of floors a column is like the four around it, and so on up to one that is not:
// what lies above what is noted there.
static bool is_like_its_neighbours(const nav_field *f, size_t column)
{
    size_t x = column % f->width, z = column / f->width;
    return x > 0 && z > 0 && x + 1 < f->width && z + 1 < f->depth &&
           same_regions(f, column, column - 1) && same_regions(f, column, column + 1) &&
           same_regions(f, column, column - f->width) && same_regions(f, column, column + f->width);
}

// Sorts the columns that are not known by the regions in them: those of region i are
// columns[first[i]] up to columns[first[i + 1]].
static nav_status sort_columns(surveyor *s)
{
    const nav_field *f = s->field;
    size_t column_count = (size_t)f->width * f->depth;
    uint32_t *first = s->first, total = 0;
    for (size_t c = 0; c < column_count; ++c) {
        // A column can have hundreds of spans.
        if (nav_cancel_poll(s->job->cancel, 1 + f->first[c + 1] - f->first[c])) {
            return nav_bake_end(s->job);
        }
        s->known[c] = f->first[c + 1] - f->first[c] < 2 || is_like_its_neighbours(f, c);
        if (s->known[c]) {
            continue;
        }
        for (uint32_t i = f->first[c]; i < f->first[c + 1]; ++i) {
            bool inside = nav_region_is_inside(f->region[i]);
            first[inside ? f->region[i] + 1 : 0] += inside;
            total += inside;
        }
    }
    // Filling moves each first to where the next one begins.
    for (uint32_t i = 1; i <= s->raw_count; ++i) {
        first[i + 1] += first[i];
    }
    s->columns = NAV_NEW(&s->temporary, uint32_t, total);
    if (s->columns == NULL) {
        return NAV_NO_MEMORY;
    }
    for (size_t c = 0; c < column_count && total > 0; ++c) {
        if (nav_cancel_poll(s->job->cancel, 1 + f->first[c + 1] - f->first[c])) {
            return nav_bake_end(s->job);
        }
        if (s->known[c]) {
            continue;
        }
        for (uint32_t i = f->first[c]; i < f->first[c + 1]; ++i) {
            if (nav_region_is_inside(f->region[i])) {
                s->columns[first[f->region[i]]++] = (uint32_t)c;
            }
        }
    }
    NAV_ASSERT(first[s->raw_count] == total);
    memmove(first + 1, first, s->raw_count * sizeof *first);
    first[0] = first[1] = 0;
    return NAV_OK;
}

static bool note(surveyor *s, uint32_t own, uint32_t number)
{
    if (number == own || !nav_region_is_inside(number) || s->marks[number] == own) {
        return true;
    }
    s->marks[number] = own;
    if (s->count == s->capacity) {
        uint32_t capacity = s->capacity + s->capacity / 2 + 256;
        uint32_t *items = nav_arena_regrow(&s->list, s->items, s->count, capacity, sizeof *items);
        if (items == NULL) {
            return false;
        }
        s->items = items;
        s->capacity = capacity;
    }
    s->items[s->count++] = number;
    return true;
}

// Notes the regions that share a column with region `own`, and what is beside those there.
static bool note_column(surveyor *s, uint32_t own, uint32_t column)
{
    const nav_field *f = s->field;
    bool ok = true;
    for (uint32_t span = f->first[column]; ok && span < f->first[column + 1]; ++span) {
        if (f->region[span] == own || !nav_region_is_inside(f->region[span])) {
            continue;
        }
        ok = note(s, own, f->region[span]);
        for (int direction = 0; direction < 4 && ok; ++direction) {
            uint32_t n = nav_field_neighbour(f, span, direction);
            ok = n == NAV_NONE || note(s, own, f->region[n]);
        }
    }
    return ok;
}

static nav_status survey(surveyor *s, uint32_t *first)
{
    nav_status status = sort_columns(s);
    if (status != NAV_OK) {
        return status;
    }
    const nav_field *f = s->field;
    first[0] = first[1] = 0;
    for (uint32_t own = 1; own <= s->raw_count; ++own) {
        for (uint32_t i = s->first[own]; i < s->first[own + 1]; ++i) {
            const uint32_t column = s->columns[i];
            // Each span of the column is looked at, and its four neighbours are.
            if (nav_cancel_poll(s->job->cancel, 5 * (f->first[column + 1] - f->first[column]))) {
                return nav_bake_end(s->job);
            }
            if (!note_column(s, own, column)) {
                return NAV_NO_MEMORY;
            }
        }
        first[own + 1] = s->count;
    }
    return NAV_OK;
}

nav_status nav_regions_floors(const nav_bake_job *job, const nav_field *field, uint32_t raw_count,
                              nav_region_floors *out)
{
    NAV_ASSERT(raw_count < NAV_REGION_BORDER);
    size_t regions = (size_t)raw_count + 1;
    surveyor s = {.job = job, .field = field, .raw_count = raw_count};
    nav_arena_init_child(&s.temporary, job->scratch);
    nav_arena_init_child(&s.list, job->scratch);
    s.known = NAV_NEW(&s.temporary, bool, (size_t)field->width * field->depth);
    s.first = NAV_NEW_ZERO(&s.temporary, uint32_t, regions + 1);
    s.marks = NAV_NEW_ZERO(&s.temporary, uint32_t, regions);
    uint32_t *first = NAV_NEW(job->scratch, uint32_t, regions + 1);
    bool memory = s.known != NULL && s.first != NULL && s.marks != NULL && first != NULL;
    nav_status status = memory ? survey(&s, first) : NAV_NO_MEMORY;
    nav_arena_free(&s.temporary);
    uint32_t *items = status == NAV_OK ? NAV_NEW(job->scratch, uint32_t, s.count) : NULL;
    if (items != NULL && s.count > 0) {
        memcpy(items, s.items, s.count * sizeof *items);
    }
    nav_arena_free(&s.list);
    *out = (nav_region_floors){first, items};
    return status == NAV_OK && items == NULL ? NAV_NO_MEMORY : status;
}
