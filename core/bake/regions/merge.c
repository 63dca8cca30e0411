// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// merge.c: small regions join their smallest neighbour.
//
// Each region knows the ring of regions around it, in the order in which a walk along its border
// meets them (0 is a wall). Two regions may join if they touch in one stretch only, so that the
// result has no hole, and if nowhere one lies above the other. Joining splices the two rings:
//
//        A: .. p [B] q ..      B: .. r [A] s ..       A+B: .. p  s .. r  q ..

#include "core/bake/regions/merge.h"

// ---- rings ----

bool nav_region_list_push(nav_arena *arena, nav_region_list *l, uint32_t item)
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

void nav_region_refresh_ring(const nav_region_merger *m, nav_region_list *ring)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < ring->count; ++i) {
        uint32_t number = nav_region_resolve(m, ring->items[i]);
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

static bool has_floor(const nav_region_merger *m, const nav_raw_region *r, uint32_t number)
{
    for (uint32_t i = 0; i < r->floors.count; ++i) {
        if (nav_region_resolve(m, r->floors.items[i]) == number) {
            return true;
        }
    }
    return false;
}

static uint32_t times_in_ring(const nav_raw_region *r, uint32_t number)
{
    uint32_t times = 0;
    for (uint32_t i = 0; i < r->ring.count; ++i) {
        times += r->ring.items[i] == number;
    }
    return times;
}

static bool may_join(const nav_region_merger *m, const nav_raw_region *a, uint32_t a_number,
                     const nav_raw_region *b, uint32_t b_number)
{
    return a->area == b->area && times_in_ring(a, b_number) == 1 &&
           times_in_ring(b, a_number) == 1 && !has_floor(m, a, b_number) &&
           !has_floor(m, b, a_number);
}

// The smallest neighbour that region `number` may join, or 0.
static uint32_t find_partner(const nav_region_merger *m, uint32_t number)
{
    const nav_raw_region *r = &m->regions[number];
    uint32_t best = 0;
    for (uint32_t i = 0; i < r->ring.count; ++i) {
        uint32_t other = r->ring.items[i];
        if (other == 0 || other == number || (other & NAV_REGION_BORDER) != 0) {
            continue;
        }
        nav_raw_region *o = &m->regions[other];
        if (o->removed || (best != 0 && o->span_count >= m->regions[best].span_count)) {
            continue;
        }
        nav_region_refresh_ring(m, &o->ring);
        if (may_join(m, r, number, o, other)) {
            best = other;
        }
    }
    return best;
}

// Appends ring `from` to `to`, beginning behind `number`, which is left out.
static bool splice(nav_arena *arena, nav_region_list *to, const nav_region_list *from,
                   uint32_t number)
{
    uint32_t at = 0;
    while (from->items[at] != number) {
        at++;
    }
    for (uint32_t i = 1; i < from->count; ++i) {
        if (!nav_region_list_push(arena, to, from->items[(at + i) % from->count])) {
            return false;
        }
    }
    return true;
}

// The floors of `from` become floors of `into` as well, each once.
static bool join_floors(nav_region_merger *m, nav_raw_region *into, const nav_raw_region *from)
{
    m->mark++;
    for (uint32_t i = 0; i < into->floors.count; ++i) {
        m->marks[nav_region_resolve(m, into->floors.items[i])] = m->mark;
    }
    for (uint32_t i = 0; i < from->floors.count; ++i) {
        uint32_t number = nav_region_resolve(m, from->floors.items[i]);
        if (m->marks[number] != m->mark) {
            m->marks[number] = m->mark;
            if (!nav_region_list_push(m->job->scratch, &into->floors, number)) {
                return false;
            }
        }
    }
    return true;
}

static bool join(nav_region_merger *m, uint32_t into_number, uint32_t from_number)
{
    nav_arena *arena = m->job->scratch;
    nav_raw_region *into = &m->regions[into_number];
    nav_raw_region *from = &m->regions[from_number];
    nav_region_list ring = {0};
    if (!splice(arena, &ring, &into->ring, from_number) ||
        !splice(arena, &ring, &from->ring, into_number) || !join_floors(m, into, from)) {
        return false;
    }
    into->ring = ring;
    into->span_count += from->span_count;
    from->span_count = 0;
    from->ring.count = 0;
    from->parent = into_number;
    nav_region_refresh_ring(m, &into->ring);
    return true;
}

nav_status nav_regions_merge(nav_region_merger *m)
{
    bool changed;
    do {
        if (nav_cancel_poll(m->job->cancel, NAV_STEP_ROW)) {
            return nav_bake_end(m->job);
        }
        changed = false;
        for (uint32_t i = 1; i <= m->raw_count; ++i) {
            nav_raw_region *r = &m->regions[i];
            if (nav_cancel_poll(m->job->cancel, NAV_STEP_NODE)) {
                return nav_bake_end(m->job);
            }
            if (r->span_count == 0 || r->removed) {
                continue;
            }
            nav_region_refresh_ring(m, &r->ring);
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
