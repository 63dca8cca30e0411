// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// regions.c: second half of step 6, shared by the partitions: small islands go, small regions
// join their smallest neighbour (merge.c). No partition makes a region that lies above
// itself.

#include "core/bake/regions/merge.h"

// ---- what each region looks like ----

static uint32_t region_beyond(const nav_field *f, uint32_t span, int direction)
{
    uint32_t n = nav_field_neighbour(f, span, direction);
    return n != NAV_NONE ? f->region[n] : 0;
}

// Walks the border of the region clockwise, from the side `direction` of `span`, and notes which
// regions lie along it.
static bool walk_ring(const nav_region_merger *m, uint32_t span, int direction,
                      nav_region_list *ring)
{
    const nav_field *f = m->field;
    nav_arena *arena = m->job->scratch;
    uint32_t own = f->region[span];
    uint32_t start_span = span;
    int start_direction = direction;
    uint32_t beyond = region_beyond(f, span, direction);
    if (!nav_region_list_push(arena, ring, beyond)) {
        return false;
    }
    do {
        uint32_t next = region_beyond(f, span, direction);
        if (next != own) {
            if (next != beyond && !nav_region_list_push(arena, ring, next)) {
                return false;
            }
            beyond = next;
            direction = (direction + 1) & 3;
        } else {
            span = nav_field_neighbour(f, span, direction);
            direction = (direction + 3) & 3;
        }
    } while (span != start_span || direction != start_direction);
    return true;
}

static bool survey_row(const nav_region_merger *m, uint32_t z)
{
    const nav_field *f = m->field;
    const uint32_t *first = f->first + (size_t)z * f->width;
    uint32_t x = 0;
    for (uint32_t span = first[0]; span < first[f->width]; ++span) {
        uint32_t number = f->region[span];
        if (!nav_region_is_inside(number)) {
            continue;
        }
        nav_raw_region *r = &m->regions[number];
        if (r->span_count++ == 0) {
            for (; first[x + 1] <= span; ++x) {
            }
            r->x = x;
            r->z = z;
            r->first_span = span;
            r->area = f->area[span];
        }
        for (int direction = 0; direction < 4 && !r->ring_known; ++direction) {
            if (region_beyond(f, span, direction) != number) {
                r->ring_known = true;
                if (!walk_ring(m, span, direction, &r->ring)) {
                    return false;
                }
                nav_region_refresh_ring(m, &r->ring);
            }
        }
    }
    return true;
}

// What lies above and below each region.
static nav_status survey_floors(nav_region_merger *m)
{
    nav_region_floors floors;
    nav_status status = nav_regions_floors(m->job, m->field, m->raw_count, &floors);
    for (uint32_t i = 1; status == NAV_OK && i <= m->raw_count; ++i) {
        uint32_t count = floors.first[i + 1] - floors.first[i];
        m->regions[i].floors = (nav_region_list){floors.items + floors.first[i], count, count};
    }
    return status;
}

// ---- removing small islands ----

// Joins each region with those in its ring. A ring is an outline: a region that lies in a hole of
// another knows that other one, but not the other way round, hence trees and no walk.
static void find_islands(const nav_region_merger *m, uint32_t *islands)
{
    for (uint32_t i = 0; i <= m->raw_count; ++i) {
        islands[i] = i;
    }
    for (uint32_t i = 1; i <= m->raw_count; ++i) {
        const nav_region_list *ring = &m->regions[i].ring;
        for (uint32_t j = 0; j < ring->count; ++j) {
            uint32_t number = ring->items[j];
            if (nav_region_is_inside(number)) {
                nav_region_unite(islands, i, number);
            }
        }
    }
}

static bool touches_padding(const nav_raw_region *r)
{
    for (uint32_t i = 0; i < r->ring.count; ++i) {
        if ((r->ring.items[i] & NAV_REGION_BORDER) != 0) {
            return true;
        }
    }
    return false;
}

static nav_status remove_islands(const nav_region_merger *m)
{
    size_t count = (size_t)m->raw_count + 1;
    uint32_t *islands = NAV_NEW(m->job->scratch, uint32_t, count);
    uint64_t *spans = NAV_NEW_ZERO(m->job->scratch, uint64_t, count);
    bool *open = NAV_NEW_ZERO(m->job->scratch, bool, count); // goes on in the next tile
    if (islands == NULL || spans == NULL || open == NULL) {
        return NAV_NO_MEMORY;
    }
    find_islands(m, islands);
    for (uint32_t i = 1; i < count; ++i) {
        uint32_t island = nav_region_root(islands, i);
        spans[island] += m->regions[i].span_count;
        open[island] |= touches_padding(&m->regions[i]);
    }
    for (uint32_t i = 1; i < count; ++i) {
        nav_raw_region *r = &m->regions[i];
        uint32_t island = nav_region_root(islands, i);
        r->removed = !open[island] && spans[island] < m->job->region_min_spans;
        if (r->removed && island == i) {
            const float cell_size = m->job->grid->cell_size;
            nav_bake_warn_value(m->job, NAV_WARN_REGIONS_REMOVED, (float)r->x + 0.5f,
                                (float)m->field->floor[r->first_span], (float)r->z + 0.5f,
                                (float)spans[island] * cell_size * cell_size);
        }
    }
    return NAV_OK;
}

// ---- the entry ----

static nav_status renumber(const nav_region_merger *m)
{
    nav_field *f = m->field;
    uint32_t count = 0;
    for (uint32_t i = 1; i <= m->raw_count; ++i) {
        nav_raw_region *r = &m->regions[i];
        if (r->parent == i && r->span_count > 0 && !r->removed) {
            r->number = ++count;
        }
    }
    for (uint32_t i = 0; i < f->span_count; ++i) {
        if (nav_cancel_poll(m->job->cancel, 1)) {
            return nav_bake_end(m->job);
        }
        uint32_t number = f->region[i];
        if (nav_region_is_inside(number)) {
            f->region[i] = m->regions[nav_region_resolve(m, number)].number;
        }
    }
    f->region_count = count;
    return NAV_OK;
}

nav_status nav_regions_finish(const nav_bake_job *job, nav_field *field, uint32_t raw_count)
{
    nav_region_merger m = {.job = job,
                           .field = field,
                           .regions =
                               NAV_NEW_ZERO(job->scratch, nav_raw_region, (size_t)raw_count + 1),
                           .raw_count = raw_count,
                           .marks = NAV_NEW_ZERO(job->scratch, uint32_t, (size_t)raw_count + 1)};
    if (m.regions == NULL || m.marks == NULL) {
        return NAV_NO_MEMORY;
    }
    for (uint32_t i = 0; i <= raw_count; ++i) {
        m.regions[i].parent = i;
    }
    for (uint32_t z = 0; z < field->depth; ++z) {
        if (nav_cancel_poll(job->cancel, NAV_STEP_ROW)) {
            return nav_bake_end(job);
        }
        if (!survey_row(&m, z)) {
            return NAV_NO_MEMORY;
        }
    }
    nav_status status = survey_floors(&m);
    if (status == NAV_OK) {
        status = remove_islands(&m);
    }
    if (status == NAV_OK) {
        status = nav_regions_merge(&m);
    }
    if (status == NAV_OK) {
        status = renumber(&m);
    }
    if (status == NAV_OK) {
        job->report->regions += field->region_count;
    }
    return status;
}

static void mark_rectangle(nav_field *f, uint32_t x0, uint32_t x1, uint32_t z0, uint32_t z1,
                           uint32_t number)
{
    for (uint32_t z = z0; z < z1; ++z) {
        uint32_t end = f->first[(size_t)z * f->width + x1];
        for (uint32_t i = f->first[(size_t)z * f->width + x0]; i < end; ++i) {
            if (f->area[i] != NAV_AREA_NONE) {
                f->region[i] = number | NAV_REGION_BORDER;
            }
        }
    }
}

// To get a hundred million bytes from the system takes a tenth of a second, hence piece by piece.
bool nav_regions_mark_border(const nav_bake_job *job, nav_field *f)
{
    uint32_t border = job->border_cells;
    for (size_t at = 0; at < f->span_count; at += NAV_CANCEL_INTERVAL) {
        const size_t left = f->span_count - at;
        if (nav_cancel_poll(job->cancel, NAV_CANCEL_INTERVAL)) {
            return false;
        }
        memset(f->region + at, 0,
               (left < NAV_CANCEL_INTERVAL ? left : NAV_CANCEL_INTERVAL) * sizeof *f->region);
    }
    if (border == 0) {
        return true;
    }
    mark_rectangle(f, 0, border, 0, f->depth, 1);
    mark_rectangle(f, f->width - border, f->width, 0, f->depth, 2);
    mark_rectangle(f, 0, f->width, 0, border, 3);
    mark_rectangle(f, 0, f->width, f->depth - border, f->depth, 4);
    return true;
}
