// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// basins.c: how the watershed's regions grow, and how new ones begin.
//
// A region never takes two spans of one column: what climbs over itself, as a spiral stair does,
// becomes several. Otherwise its outline would cross itself in plan view.

#include "core/bake/regions/watershed.h"

// Bits of stacked[]; above them, while regions grow, the direction from which a span is claimed.
#define SPAN_BELOW 1u
#define SPAN_ABOVE 2u
#define CLAIM_SHIFT 2

#define NO_CLAIM 4

#define QUEUE_SPANS_MIN 1024u

// ---- columns of several spans ----

bool nav_watershed_find_stacks(const nav_watershed *w)
{
    const nav_field *f = w->field;
    for (size_t column = 0; column < (size_t)f->width * f->depth; ++column) {
        if (nav_cancel_poll(w->job->cancel, 1)) {
            return false;
        }
        uint32_t begin = f->first[column], end = f->first[column + 1], walkable = 0;
        for (uint32_t i = begin; i < end; ++i) {
            walkable += f->area[i] != NAV_AREA_NONE;
        }
        for (uint32_t i = begin; i + 1 < end && walkable > 1; ++i) {
            w->stacked[i] |= SPAN_ABOVE;
            w->stacked[i + 1] |= SPAN_BELOW;
        }
    }
    return true;
}

// Whether the region has this span or one beside it.
static bool is_near(const nav_watershed *w, uint32_t span, uint32_t region)
{
    if (w->field->area[span] == NAV_AREA_NONE) {
        return false;
    }
    bool near = w->region[span] == region;
    for (int direction = 0; direction < 4 && !near; ++direction) {
        uint32_t beside = nav_field_neighbour(w->field, span, direction);
        near = beside != NAV_NONE && w->region[beside] == region;
    }
    return near;
}

// Whether a region that takes the span would lie above itself, or come so close that its outline
// touches itself where the region ends a turn above its beginning:
//
//        span -> : : r r r     one turn up
//            r r r r ' '       the beginning
//
// What lies more than a step beyond the region's floors is not near it.
static bool would_overlap(const nav_watershed *w, uint32_t span, uint32_t region)
{
    const uint16_t *floor = w->field->floor;
    if ((w->stacked[span] & (SPAN_BELOW | SPAN_ABOVE)) == 0) {
        return false;
    }
    nav_region_extent e = w->extents[region];
    uint32_t climb = w->job->climb_cells;
    for (uint32_t i = span; (w->stacked[i] & SPAN_BELOW) != 0; --i) {
        if (floor[i - 1] + climb < e.low) {
            break;
        }
        if (is_near(w, i - 1, region)) {
            return true;
        }
    }
    for (uint32_t i = span; (w->stacked[i] & SPAN_ABOVE) != 0; ++i) {
        if (floor[i + 1] > e.high + climb) {
            break;
        }
        if (is_near(w, i + 1, region)) {
            return true;
        }
    }
    return false;
}

// Gives a span to a region.
static inline void assign(nav_watershed *w, uint32_t span, uint32_t region)
{
    uint16_t floor = w->field->floor[span];
    nav_region_extent *e = &w->extents[region];
    e->low = floor < e->low ? floor : e->low;
    e->high = floor > e->high ? floor : e->high;
    w->region[span] = region;
}

// Makes room for one more than the `waiting` spans in the queue, the first of which is at `head`:
// it is full. Queues are short beside the field, so that they grow with what is asked of them.
static bool grow_queue(nav_watershed *w, uint32_t *head, uint32_t waiting)
{
    uint32_t capacity = w->queue_capacity * 2 + QUEUE_SPANS_MIN;
    nav_arena larger;
    nav_arena_init_child(&larger, w->job->scratch);
    uint32_t *queue = NAV_NEW(&larger, uint32_t, capacity);
    if (queue == NULL) {
        w->no_memory = true;
        return false;
    }
    for (uint32_t i = 0; i < waiting; ++i) {
        uint32_t room = w->queue_capacity - *head;
        queue[i] = w->queue[i < room ? *head + i : i - room];
    }
    nav_arena_free(&w->queue_arena);
    w->queue_arena = larger;
    w->queue = queue;
    w->queue_capacity = capacity;
    *head = 0;
    return true;
}

bool nav_watershed_push(nav_watershed *w, uint32_t *count, uint32_t span)
{
    uint32_t head = 0;
    if (*count == w->queue_capacity && !grow_queue(w, &head, *count)) {
        return false;
    }
    w->queue[(*count)++] = span;
    return true;
}

// Begins a region's extent.
static bool open_extent(nav_watershed *w, uint32_t region)
{
    if (region >= w->extent_capacity) {
        uint32_t capacity = w->extent_capacity * 2 + 64;
        nav_region_extent *extents = nav_arena_grow(&w->extent_arena, w->extents,
                                                    w->extent_capacity, capacity, sizeof *extents);
        if (extents == NULL) {
            w->no_memory = true;
            return false;
        }
        w->extents = extents;
        w->extent_capacity = capacity;
    }
    w->extents[region] = (nav_region_extent){UINT16_MAX, 0};
    return true;
}

// ---- growth ----

// The direction of the region that can reach a span in the fewest steps, if any has come beside it.
static int best_claim(const nav_watershed *w, uint32_t span)
{
    const nav_field *f = w->field;
    int best = NO_CLAIM;
    uint32_t best_distance = UINT16_MAX;
    for (int direction = 0; direction < 4; ++direction) {
        uint32_t n = nav_field_neighbour(f, span, direction);
        if (n == NAV_NONE || w->region[n] == 0 || (w->region[n] & NAV_REGION_BORDER) != 0 ||
            f->area[n] != f->area[span]) {
            continue;
        }
        if (w->distance[n] + 2u < best_distance && !would_overlap(w, span, w->region[n])) {
            best = direction;
            best_distance = w->distance[n] + 2u;
        }
    }
    return best;
}

// Gives a span to the region that claims it. What that region had before this step has not changed
// meanwhile. Returns false where the region has taken another span of the column in this step.
static bool take(nav_watershed *w, uint32_t span)
{
    uint32_t from = nav_field_neighbour(w->field, span, w->stacked[span] >> CLAIM_SHIFT);
    if (would_overlap(w, span, w->region[from])) {
        return false;
    }
    assign(w, span, w->region[from]);
    w->distance[span] = (uint16_t)(w->distance[from] + 2);
    return true;
}

void nav_watershed_grow(nav_watershed *w, uint32_t steps)
{
    uint32_t *pending = w->order;
    for (uint32_t step = 0; steps == 0 || step < steps; ++step) {
        uint32_t kept = 0, claimed_count = 0;
        for (uint32_t i = 0; i < w->pending_count; ++i) {
            if (nav_cancel_poll(w->job->cancel, NAV_STEP_FAR)) {
                return;
            }
            uint32_t span = pending[i];
            int direction = best_claim(w, span);
            if (direction != NO_CLAIM) {
                uint32_t stacked = w->stacked[span] & (SPAN_BELOW | SPAN_ABOVE);
                w->stacked[span] = (uint8_t)(stacked | (uint32_t)direction << CLAIM_SHIFT);
                if (!nav_watershed_push(w, &claimed_count, span)) {
                    return;
                }
            } else {
                pending[kept++] = span;
            }
        }
        for (uint32_t i = 0; i < claimed_count; ++i) {
            // The first claim is always good; of two for one column the first is.
            if (!take(w, w->queue[i])) {
                pending[kept++] = w->queue[i];
            }
        }
        w->pending_count = kept;
        if (claimed_count == 0) {
            return;
        }
    }
}

// ---- new basins ----

// Whether one of the eight neighbours belongs to another region.
static bool touches_other(const nav_watershed *w, uint32_t span, uint32_t own)
{
    const nav_field *f = w->field;
    uint8_t area = f->area[span];
    for (int direction = 0; direction < 4; ++direction) {
        uint32_t n = nav_field_neighbour(f, span, direction);
        if (n == NAV_NONE || f->area[n] != area || (w->region[n] & NAV_REGION_BORDER) != 0) {
            continue;
        }
        if (w->region[n] != 0 && w->region[n] != own) {
            return true;
        }
        uint32_t diagonal = nav_field_neighbour(f, n, (direction + 1) & 3);
        if (diagonal != NAV_NONE && f->area[diagonal] == area && w->region[diagonal] != 0 &&
            (w->region[diagonal] & NAV_REGION_BORDER) == 0 && w->region[diagonal] != own) {
            return true;
        }
    }
    return false;
}

// Fills a new region from a span over everything as deep as `shallowest`; aloof: keeping a cell
// away from other regions. Returns whether it got any span. It spreads breadth first, so that the
// two fronts of a region that goes around a turn end above each other along a short line. The queue
// goes round in its memory: a span waits in it once at most.
static bool flood(nav_watershed *w, uint32_t seed, uint32_t shallowest, bool aloof, uint32_t own)
{
    const nav_field *f = w->field;
    uint32_t head = 0, waiting = 0, taken = 0;
    if (!open_extent(w, own) || !nav_watershed_push(w, &waiting, seed)) {
        return false;
    }
    assign(w, seed, own);
    while (waiting > 0) {
        uint32_t span = w->queue[head];
        head = head + 1 < w->queue_capacity ? head + 1 : 0;
        waiting--;
        if (nav_cancel_poll(w->job->cancel, NAV_STEP_FAR)) {
            return false;
        }
        if (aloof && touches_other(w, span, own)) {
            w->region[span] = 0;
            continue;
        }
        w->distance[span] = 0;
        taken++;
        for (int direction = 0; direction < 4; ++direction) {
            uint32_t n = nav_field_neighbour(f, span, direction);
            if (n != NAV_NONE && w->region[n] == 0 && f->area[n] == f->area[span] &&
                w->distance[n] >= shallowest && !would_overlap(w, n, own)) {
                if (waiting == w->queue_capacity && !grow_queue(w, &head, waiting)) {
                    return false;
                }
                uint32_t room = w->queue_capacity - head;
                w->queue[waiting < room ? head + waiting : waiting - room] = n;
                waiting++;
                assign(w, n, own);
            }
        }
    }
    return taken > 0;
}

void nav_watershed_flood(nav_watershed *w, uint32_t shallowest, bool aloof)
{
    for (uint32_t i = 0; i < w->pending_count && !w->no_memory; ++i) {
        if (nav_cancel_poll(w->job->cancel, NAV_STEP_FAR)) {
            return;
        }
        uint32_t span = w->order[i];
        if (w->region[span] == 0 && flood(w, span, shallowest, aloof, w->region_count + 1)) {
            w->region_count++;
        }
    }
}
