// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bake_regions_watershed.c: step 6, partition of the walkable area into regions.
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
// A region never takes two spans of one column: what climbs over itself, as a spiral stair does,
// becomes several. Otherwise its outline would cross itself in plan view.

#include "bake_regions.h"

#include <string.h>

// How far regions grow at each level, in cells: enough to follow the falling water, and no more, so
// that new basins are found before old ones cover them.
#define GROWTH_CELLS 8

// Bits of stacked[]; above them, while regions grow, the direction from which a span is claimed.
#define SPAN_BELOW 1u
#define SPAN_ABOVE 2u
#define CLAIM_SHIFT 2

#define NO_CLAIM 4

typedef struct watershed {
    const nav_bake_job *job;
    nav_field *field;
    uint32_t *region;   // by span
    uint16_t *distance; // by span: how far its region has grown to reach it
    // All open spans, deepest first. Those laid bare that have no region yet are gathered at its
    // front: they are never more than were laid bare, so that nothing is lost.
    uint32_t *order;
    uint32_t pending_count;
    uint32_t open_count; // length of order and of queue
    uint32_t *queue;     // of a flood; between floods, what a step of growth takes
    uint8_t *stacked;    // by span: what else its column has, unless only one of them can be walked
    uint32_t region_count;
    uint32_t visited; // spans looked at since it was last asked whether the bake is cancelled
    bool cancelled;
} watershed;

// ---- columns of several spans ----

static void find_stacks(const watershed *w)
{
    const nav_field *f = w->field;
    for (size_t column = 0; column < (size_t)f->width * f->depth; ++column) {
        uint32_t begin = f->first[column], end = f->first[column + 1], walkable = 0;
        for (uint32_t i = begin; i < end; ++i) {
            walkable += f->area[i] != NAV_AREA_NONE;
        }
        for (uint32_t i = begin; i + 1 < end && walkable > 1; ++i) {
            w->stacked[i] |= SPAN_ABOVE;
            w->stacked[i + 1] |= SPAN_BELOW;
        }
    }
}

// Whether the region has this span or one beside it.
static bool is_near(const watershed *w, uint32_t span, uint32_t region)
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
static bool would_overlap(const watershed *w, uint32_t span, uint32_t region)
{
    for (uint32_t i = span; (w->stacked[i] & SPAN_BELOW) != 0; --i) {
        if (is_near(w, i - 1, region)) {
            return true;
        }
    }
    for (uint32_t i = span; (w->stacked[i] & SPAN_ABOVE) != 0; ++i) {
        if (is_near(w, i + 1, region)) {
            return true;
        }
    }
    return false;
}

// Counts the spans that a step looked at, and asks now and then whether it is to be the last one.
static bool cancelled_after(watershed *w, uint32_t visited)
{
    w->visited += visited;
    if (w->visited >= 65536) {
        w->visited = 0;
        w->cancelled = w->cancelled || nav_bake_cancelled(w->job);
    }
    return w->cancelled;
}

// ---- growth ----

// The direction of the region that can reach a span in the fewest steps, if any has come beside it.
static int best_claim(const watershed *w, uint32_t span)
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
static bool take(watershed *w, uint32_t span)
{
    uint32_t from = nav_field_neighbour(w->field, span, w->stacked[span] >> CLAIM_SHIFT);
    if (would_overlap(w, span, w->region[from])) {
        return false;
    }
    w->region[span] = w->region[from];
    w->distance[span] = (uint16_t)(w->distance[from] + 2);
    return true;
}

// Lets regions take pending spans, in steps that see only what the step before took. Spans that are
// taken leave the list. steps 0: until nothing changes.
static void grow(watershed *w, uint32_t steps)
{
    uint32_t *pending = w->order, *claimed = w->queue;
    for (uint32_t step = 0; steps == 0 || step < steps; ++step) {
        if (cancelled_after(w, w->pending_count)) {
            return;
        }
        uint32_t kept = 0, claimed_count = 0;
        for (uint32_t i = 0; i < w->pending_count; ++i) {
            uint32_t span = pending[i];
            int direction = best_claim(w, span);
            if (direction != NO_CLAIM) {
                uint32_t stacked = w->stacked[span] & (SPAN_BELOW | SPAN_ABOVE);
                w->stacked[span] = (uint8_t)(stacked | (uint32_t)direction << CLAIM_SHIFT);
                claimed[claimed_count++] = span;
            } else {
                pending[kept++] = span;
            }
        }
        for (uint32_t i = 0; i < claimed_count; ++i) {
            // The first claim is always good; of two for one column the first is.
            if (!take(w, claimed[i])) {
                pending[kept++] = claimed[i];
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
static bool touches_other(const watershed *w, uint32_t span, uint32_t own)
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
static bool flood(watershed *w, uint32_t seed, uint32_t shallowest, bool aloof, uint32_t own)
{
    const nav_field *f = w->field;
    uint32_t head = 0, waiting = 0, taken = 0;
    w->queue[waiting++] = seed;
    w->region[seed] = own;
    w->distance[seed] = 0;
    while (waiting > 0) {
        uint32_t span = w->queue[head];
        head = head + 1 < w->open_count ? head + 1 : 0;
        waiting--;
        if (cancelled_after(w, 1)) {
            return false;
        }
        if (aloof && touches_other(w, span, own)) {
            w->region[span] = 0;
            continue;
        }
        taken++;
        for (int direction = 0; direction < 4; ++direction) {
            uint32_t n = nav_field_neighbour(f, span, direction);
            if (n != NAV_NONE && w->region[n] == 0 && f->area[n] == f->area[span] &&
                f->distance[n] >= shallowest && !would_overlap(w, n, own)) {
                uint32_t room = w->open_count - head;
                w->queue[waiting < room ? head + waiting : waiting - room] = n;
                waiting++;
                w->region[n] = own;
                w->distance[n] = 0;
            }
        }
    }
    return taken > 0;
}

static void flood_pending(watershed *w, uint32_t shallowest, bool aloof)
{
    for (uint32_t i = 0; i < w->pending_count; ++i) {
        uint32_t span = w->order[i];
        if (w->region[span] == 0 && flood(w, span, shallowest, aloof, w->region_count + 1)) {
            w->region_count++;
        }
    }
}

// ---- the falling level ----

static bool is_open(const watershed *w, uint32_t span)
{
    return w->field->area[span] != NAV_AREA_NONE && w->region[span] == 0;
}

static uint32_t count_open(const watershed *w)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->field->span_count; ++i) {
        count += is_open(w, i);
    }
    return count;
}

// Sorts the walkable spans outside of the padding by depth, deepest first: those of level 2k, k
// from `levels` - 1 down, end at ends[k]. Counting sort, so that equal depths stay in order of
// span.
static void sort_by_depth(const watershed *w, uint32_t levels, uint32_t *ends)
{
    const nav_field *f = w->field;
    memset(ends, 0, levels * sizeof *ends);
    for (uint32_t i = 0; i < f->span_count; ++i) {
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
        if (is_open(w, i)) {
            uint32_t k = f->distance[i] / 2u;
            w->order[ends[k < levels ? k : levels - 1]++] = i;
        }
    }
}

// Brings the spans of a level, order[begin..end), to the front, before those that earlier levels
// left over. The queue, which is at rest, holds the latter meanwhile.
static void lay_bare(watershed *w, uint32_t begin, uint32_t end)
{
    NAV_DCHECK(w->pending_count <= begin);
    uint32_t left = 0, fresh = 0;
    for (uint32_t i = 0; i < w->pending_count; ++i) {
        if (w->region[w->order[i]] == 0) {
            w->queue[left++] = w->order[i];
        }
    }
    for (uint32_t i = begin; i < end; ++i) {
        if (w->region[w->order[i]] == 0) {
            w->order[fresh++] = w->order[i];
        }
    }
    memcpy(w->order + fresh, w->queue, left * sizeof *w->order);
    w->pending_count = fresh + left;
}

static nav_status fall(watershed *w, uint32_t levels, const uint32_t *ends)
{
    uint32_t begin = 0;
    for (uint32_t k = levels; k-- > 0;) {
        if (w->cancelled || nav_bake_cancelled(w->job)) {
            return nav_fail(w->job->err, NAV_CANCELLED, "the bake was cancelled");
        }
        lay_bare(w, begin, ends[k]);
        begin = ends[k];
        grow(w, k > 0 ? GROWTH_CELLS : 0);
        flood_pending(w, k > 0 ? 2 * k - 2 : 0, true);
    }
    // What two floods left between them goes to whichever region is nearer, and what lies above or
    // below all regions around it to regions of its own.
    lay_bare(w, begin, begin);
    grow(w, 0);
    flood_pending(w, 0, false);
    return w->cancelled ? nav_fail(w->job->err, NAV_CANCELLED, "the bake was cancelled") : NAV_OK;
}

nav_status nav_bake_regions_watershed(const nav_bake_job *job, nav_arena *result, nav_field *field)
{
    NAV_ASSERT(field->distance != NULL);
    size_t spans = field->span_count;
    uint32_t levels = (field->distance_max + 1u) / 2u;
    levels = levels < 1 ? 1 : levels;
    field->region = NAV_NEW_ZERO(result, uint32_t, spans);
    nav_arena_mark mark = nav_arena_save(job->scratch);
    watershed w = {.job = job,
                   .field = field,
                   .region = field->region,
                   .distance = NAV_NEW_ZERO(job->scratch, uint16_t, spans),
                   .stacked = NAV_NEW_ZERO(job->scratch, uint8_t, spans)};
    uint32_t *ends = NAV_NEW(job->scratch, uint32_t, levels);
    if (field->region == NULL || w.distance == NULL || w.stacked == NULL || ends == NULL) {
        return NAV_NO_MEMORY;
    }
    nav_regions_mark_border(job, field);
    w.open_count = count_open(&w);
    w.order = NAV_NEW(job->scratch, uint32_t, w.open_count);
    w.queue = NAV_NEW(job->scratch, uint32_t, w.open_count);
    if (w.order == NULL || w.queue == NULL) {
        return NAV_NO_MEMORY;
    }
    find_stacks(&w);
    sort_by_depth(&w, levels, ends);
    nav_status status = fall(&w, levels, ends);
    nav_arena_restore(job->scratch, mark);
    return status == NAV_OK ? nav_regions_finish(job, field, w.region_count) : status;
}
