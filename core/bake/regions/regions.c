// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// regions.c: second half of step 6, shared by the partitions: small islands go, small regions
// join their smallest neighbour. No partition makes a region that lies above itself.
//
// Each region knows the ring of regions around it, in the order in which a walk along its border
// meets them (0 is a wall). Two regions may join if they touch in one stretch only, so that the
// result has no hole, and if nowhere one lies above the other. Joining splices the two rings:
//
//        A: .. p [B] q ..      B: .. r [A] s ..       A+B: .. p  s .. r  q ..

#include "core/bake/regions/regions.h"

#include "core/bake/explain/explain.h"
#include "core/base/sets.h"

typedef struct region_list {
    uint32_t *items;
    uint32_t count, capacity;
} region_list;

typedef struct raw_region {
    uint32_t span_count;
    uint32_t parent;           // the region it was merged into, or itself; see resolve()
    uint32_t number;           // final number
    uint32_t x, z, first_span; // its first span, for warnings
    region_list ring;          // neighbours around its outline
    region_list floors;        // regions that lie above or below it, or beside what does
    uint16_t area;
    bool ring_known, removed;
} raw_region;

typedef struct merger {
    const nav_bake_job *job;
    nav_field *field;
    raw_region *regions; // 0..raw_count; 0 is not used
    uint32_t raw_count;
    uint32_t *marks; // by region: the mark of the list that it was last noted in
    uint32_t mark;
} merger;

// The region that a number stands for by now. Paths are halved on the way.
static inline uint32_t resolve(const merger *m, uint32_t number)
{
    if ((number & NAV_REGION_BORDER) != 0) {
        return number;
    }
    raw_region *regions = m->regions;
    while (regions[number].parent != number) {
        regions[number].parent = regions[regions[number].parent].parent;
        number = regions[number].parent;
    }
    return number;
}

// ---- rings ----

// Appends an item. False without memory.
static bool list_push(nav_arena *arena, region_list *l, uint32_t item)
{
    if (l->count == l->capacity) {
        uint32_t capacity = l->capacity * 2 + 8;
        uint32_t *items = nav_arena_grow(arena, l->items, l->count, capacity, sizeof *l->items);
        if (items == NULL) {
            return false;
        }
        l->items = items;
        l->capacity = capacity;
    }
    l->items[l->count++] = item;
    return true;
}

// Merged regions get their new numbers, and neighbours that are now the same one become one entry.
static void refresh_ring(const merger *m, region_list *ring)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < ring->count; ++i) {
        uint32_t number = resolve(m, ring->items[i]);
        if (count == 0 || ring->items[count - 1] != number) {
            ring->items[count++] = number;
        }
    }
    while (count > 1 && ring->items[count - 1] == ring->items[0]) {
        count--;
    }
    ring->count = count;
}

// ---- pairs ----

static bool has_floor(const merger *m, const raw_region *r, uint32_t number)
{
    for (uint32_t i = 0; i < r->floors.count; ++i) {
        if (resolve(m, r->floors.items[i]) == number) {
            return true;
        }
    }
    return false;
}

static uint32_t times_in_ring(const raw_region *r, uint32_t number)
{
    uint32_t times = 0;
    for (uint32_t i = 0; i < r->ring.count; ++i) {
        times += r->ring.items[i] == number;
    }
    return times;
}

// The smallest neighbour that region `number` may join, or 0.
static uint32_t find_partner(const merger *m, uint32_t number)
{
    const raw_region *r = &m->regions[number];
    uint32_t best = 0;
    for (uint32_t i = 0; i < r->ring.count; ++i) {
        uint32_t other = r->ring.items[i];
        if (other == 0 || other == number || (other & NAV_REGION_BORDER) != 0) {
            continue;
        }
        raw_region *o = &m->regions[other];
        if (o->removed || (best != 0 && o->span_count >= m->regions[best].span_count)) {
            continue;
        }
        refresh_ring(m, &o->ring);
        if (r->area == o->area && times_in_ring(r, other) == 1 && times_in_ring(o, number) == 1 &&
            !has_floor(m, r, other) && !has_floor(m, o, number)) {
            best = other;
        }
    }
    return best;
}

// Appends ring `from` to `to`, beginning behind `number`, which is left out.
static bool splice(nav_arena *arena, region_list *to, const region_list *from, uint32_t number)
{
    uint32_t at = 0;
    while (from->items[at] != number) {
        at++;
        NAV_ASSERT(at < from->count);
    }
    for (uint32_t i = 1; i < from->count; ++i) {
        if (!list_push(arena, to, from->items[(at + i) % from->count])) {
            return false;
        }
    }
    return true;
}

// The floors of `from` become floors of `into` as well, each once.
static bool join_floors(merger *m, raw_region *into, const raw_region *from)
{
    m->mark++;
    for (uint32_t i = 0; i < into->floors.count; ++i) {
        m->marks[resolve(m, into->floors.items[i])] = m->mark;
    }
    for (uint32_t i = 0; i < from->floors.count; ++i) {
        uint32_t number = resolve(m, from->floors.items[i]);
        if (m->marks[number] != m->mark) {
            m->marks[number] = m->mark;
            if (!list_push(m->job->scratch, &into->floors, number)) {
                return false;
            }
        }
    }
    return true;
}

static bool join(merger *m, uint32_t into_number, uint32_t from_number)
{
    nav_arena *arena = m->job->scratch;
    raw_region *into = &m->regions[into_number];
    raw_region *from = &m->regions[from_number];
    region_list ring = {0};
    NAV_ASSERT(into_number != from_number);
    NAV_ASSERT(into->parent == into_number);
    NAV_ASSERT(into->area == from->area);
    if (!splice(arena, &ring, &into->ring, from_number) ||
        !splice(arena, &ring, &from->ring, into_number) || !join_floors(m, into, from)) {
        return false;
    }
    into->ring = ring;
    into->span_count += from->span_count;
    from->span_count = 0;
    from->ring.count = 0;
    from->parent = into_number;
    refresh_ring(m, &into->ring);
    return true;
}

// Large regions that touch a wall stay as they are; others join, until nothing changes.
static nav_status merge_small(merger *m)
{
    bool changed;
    do {
        if (nav_cancel_poll(m->job->cancel, NAV_STEP_ROW)) {
            return nav_bake_end(m->job);
        }
        changed = false;
        for (uint32_t i = 1; i <= m->raw_count; ++i) {
            raw_region *r = &m->regions[i];
            if (nav_cancel_poll(m->job->cancel, NAV_STEP_NODE)) {
                return nav_bake_end(m->job);
            }
            if (r->span_count == 0 || r->removed) {
                continue;
            }
            refresh_ring(m, &r->ring);
            if (r->span_count > m->job->region_merge_spans && times_in_ring(r, 0) > 0) {
                continue;
            }
            uint32_t partner = find_partner(m, i);
            if (partner != 0) {
                if (!join(m, partner, i)) {
                    return NAV_NO_MEMORY;
                }
                changed = true;
            }
        }
    } while (changed);
    return NAV_OK;
}

// ---- what each region looks like ----

static uint32_t region_beyond(const nav_field *f, uint32_t span, int direction)
{
    uint32_t n = nav_field_neighbour(f, span, direction);
    return n != NAV_NONE ? f->region[n] : 0;
}

// Walks the border of the region clockwise, from the side `direction` of `span`, and notes which
// regions lie along it.
static bool walk_ring(const merger *m, uint32_t span, int direction, region_list *ring)
{
    const nav_field *f = m->field;
    nav_arena *arena = m->job->scratch;
    uint32_t own = f->region[span];
    uint32_t start_span = span;
    int start_direction = direction;
    uint32_t beyond = region_beyond(f, span, direction);
    if (!list_push(arena, ring, beyond)) {
        return false;
    }
    do {
        uint32_t next = region_beyond(f, span, direction);
        if (next != own) {
            if (next != beyond && !list_push(arena, ring, next)) {
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

static bool survey_row(const merger *m, uint32_t z)
{
    const nav_field *f = m->field;
    const uint32_t *first = f->first + (size_t)z * f->width;
    uint32_t x = 0;
    for (uint32_t span = first[0]; span < first[f->width]; ++span) {
        uint32_t number = f->region[span];
        if (!nav_region_is_inside(number)) {
            continue;
        }
        raw_region *r = &m->regions[number];
        if (r->span_count++ == 0) {
            for (; first[x + 1] <= span; ++x) {
            }
            r->x = x;
            r->z = z;
            r->first_span = span;
            r->area = f->area[span];
        }
        NAV_DCHECK(number <= m->raw_count);
        NAV_DCHECK(r->area == f->area[span]);
        for (int direction = 0; direction < 4 && !r->ring_known; ++direction) {
            if (region_beyond(f, span, direction) != number) {
                r->ring_known = true;
                if (!walk_ring(m, span, direction, &r->ring)) {
                    return false;
                }
                refresh_ring(m, &r->ring);
            }
        }
    }
    return true;
}

// Finds the regions above and below each one.
static nav_status survey_floors(merger *m)
{
    nav_region_floors floors;
    nav_status status = nav_regions_floors(m->job, m->field, m->raw_count, &floors);
    for (uint32_t i = 1; status == NAV_OK && i <= m->raw_count; ++i) {
        uint32_t count = floors.first[i + 1] - floors.first[i];
        m->regions[i].floors = (region_list){floors.items + floors.first[i], count, count};
    }
    return status;
}

// ---- removing small islands ----

// Joins each region with those in its ring. A ring is an outline: a region that lies in a hole of
// another knows that other one, but not the other way round, hence trees and no walk.
static void find_islands(const merger *m, uint32_t *islands)
{
    for (uint32_t i = 0; i <= m->raw_count; ++i) {
        islands[i] = i;
    }
    for (uint32_t i = 1; i <= m->raw_count; ++i) {
        const region_list *ring = &m->regions[i].ring;
        for (uint32_t j = 0; j < ring->count; ++j) {
            uint32_t number = ring->items[j];
            if (nav_region_is_inside(number)) {
                nav_sets_unite(islands, i, number);
            }
        }
    }
}

static bool touches_padding(const raw_region *r)
{
    for (uint32_t i = 0; i < r->ring.count; ++i) {
        if ((r->ring.items[i] & NAV_REGION_BORDER) != 0) {
            return true;
        }
    }
    return false;
}

static nav_status remove_islands(const merger *m)
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
        uint32_t island = nav_set_of(islands, i);
        spans[island] += m->regions[i].span_count;
        open[island] |= touches_padding(&m->regions[i]);
    }
    for (uint32_t i = 1; i < count; ++i) {
        raw_region *r = &m->regions[i];
        uint32_t island = nav_set_of(islands, i);
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

static nav_status renumber(const merger *m)
{
    nav_field *f = m->field;
    uint32_t count = 0;
    for (uint32_t i = 1; i <= m->raw_count; ++i) {
        raw_region *r = &m->regions[i];
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
            NAV_DCHECK(number <= m->raw_count);
            const raw_region *of = &m->regions[resolve(m, number)];
            NAV_DCHECK(of->removed == (of->number == 0));
            f->region[i] = of->number;
        }
    }
    f->region_count = count;
    return NAV_OK;
}

nav_status nav_regions_finish(const nav_bake_job *job, nav_field *field, uint32_t raw_count)
{
    NAV_ASSERT(field->region != NULL);
    NAV_ASSERT(raw_count < NAV_REGION_BORDER);
    nav_status status = nav_inspect_first_regions(job, field, raw_count);
    if (status != NAV_OK) {
        return status;
    }
    merger m = {.job = job,
                .field = field,
                .regions = NAV_NEW_ZERO(job->scratch, raw_region, (size_t)raw_count + 1),
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
    status = survey_floors(&m);
    NAV_IF_OK(status, remove_islands(&m));
    NAV_IF_OK(status, merge_small(&m));
    NAV_IF_OK(status, renumber(&m));
    if (status == NAV_OK) {
        job->report->regions += field->region_count;
    }
    return status;
}

static void mark_rectangle(nav_field *f, uint32_t x0, uint32_t x1, uint32_t z0, uint32_t z1,
                           uint32_t number)
{
    NAV_ASSERT(x0 <= x1);
    NAV_ASSERT(x1 <= f->width);
    NAV_ASSERT(z0 <= z1);
    NAV_ASSERT(z1 <= f->depth);
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
    NAV_ASSERT(f->width > 2 * border);
    NAV_ASSERT(f->depth > 2 * border);
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
