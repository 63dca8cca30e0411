// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// watershed.c: step 6, the partition of the walkable area into basins of the distance.
//
// Seen as a landscape in which the distance to the border is depth, regions are the basins. The
// water level falls two at a time: first the regions there are grow by a few cells into the ground
// that the level has uncovered, then ground that is still free becomes a seed of new regions
// (Vincent and Soille 1991; Haumont, Debunne and Sillion 2003 for its use on navigation).
//
//     depth  8 |        A        level 6: A appears
//            6 |      A A A   B  level 4: B appears
//            4 |    A A A A B B B   A and B grow until they meet
//            2 |  A A A A A A B B B
//
// A region never takes two spans of one column: ground that climbs over itself, as a spiral stair
// does, becomes several. Otherwise its outline would cross itself in plan view.

#include "core/bake/regions/regions.h"

#include <string.h>

// How far regions grow at each level, in cells: enough to follow the falling water, and no more, so
// that new basins are found before old ones cover them.
#define GROWTH_CELLS 8

// The heights between which a region's floors lie, or have lain.
typedef struct extent {
    uint16_t low, high;
} extent;

typedef struct watershed {
    const nav_bake_job *job;
    nav_field *field;
    uint32_t *region; // by span
    // By span: the field's distance while it has no region, and how far its region has grown to
    // reach it from then on.
    uint16_t *distance;
    // All open spans, deepest first. Uncovered ones that have no region yet are gathered at its
    // front: they are never more than were uncovered, so that nothing is lost.
    uint32_t *order;
    uint32_t pending_count;
    // The queue of a flood, which goes round in it; between floods, what a step of growth takes.
    nav_arena queue_arena;
    uint32_t *queue;
    uint32_t queue_capacity;
    uint8_t *stacked; // by span: what else its column has, unless only one of them can be walked
    nav_arena extent_arena;
    extent *extents; // by region
    uint32_t extent_capacity;
    uint32_t region_count;
    bool no_memory;
} watershed;

// Bits of stacked[]; above them, while regions grow, the direction from which a span is claimed.
#define SPAN_BELOW 1u
#define SPAN_ABOVE 2u
#define CLAIM_SHIFT 2

#define NO_CLAIM 4

#define QUEUE_SPANS_MIN 1024u

// ---- columns of several spans ----

// Marks in stacked what columns of several walkable spans have. False where the bake was cancelled.
static bool find_stacks(const watershed *w)
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
//
// Floors more than a step beyond the region's are not near it.
static bool would_overlap(const watershed *w, uint32_t span, uint32_t region)
{
    const uint16_t *floor = w->field->floor;
    if ((w->stacked[span] & (SPAN_BELOW | SPAN_ABOVE)) == 0) {
        return false;
    }
    extent e = w->extents[region];
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
static inline void assign(watershed *w, uint32_t span, uint32_t region)
{
    NAV_DCHECK(region < w->extent_capacity);
    NAV_DCHECK(w->region[span] == 0);
    uint16_t floor = w->field->floor[span];
    extent *e = &w->extents[region];
    e->low = floor < e->low ? floor : e->low;
    e->high = floor > e->high ? floor : e->high;
    w->region[span] = region;
}

// Makes room for one more than the `waiting` spans in the queue, the first of which is at `head`:
// it is full. Queues are short beside the field, so that they grow with what is asked of them.
static bool grow_queue(watershed *w, uint32_t *head, uint32_t waiting)
{
    NAV_ASSERT(waiting == w->queue_capacity);
    uint32_t capacity = w->queue_capacity * 2 + QUEUE_SPANS_MIN;
    nav_arena larger;
    nav_arena_init_child(&larger, w->job->scratch);
    uint32_t *queue = NAV_NEW(&larger, uint32_t, capacity);
    if (queue == NULL) {
        w->no_memory = true;
        return false;
    }
    for (uint32_t i = 0; i < waiting; ++i) {
        uint32_t rest = w->queue_capacity - *head;
        queue[i] = w->queue[i < rest ? *head + i : i - rest];
    }
    nav_arena_free(&w->queue_arena);
    w->queue_arena = larger;
    w->queue = queue;
    w->queue_capacity = capacity;
    *head = 0;
    return true;
}

// Appends to the queue where it begins at its first slot. False and no_memory where it is full.
static bool push_queue(watershed *w, uint32_t *count, uint32_t span)
{
    uint32_t head = 0;
    if (*count == w->queue_capacity && !grow_queue(w, &head, *count)) {
        return false;
    }
    w->queue[(*count)++] = span;
    return true;
}

// Begins a region's extent.
static bool open_extent(watershed *w, uint32_t region)
{
    if (region >= w->extent_capacity) {
        uint32_t capacity = w->extent_capacity * 2 + 64;
        extent *extents = nav_arena_grow(&w->extent_arena, w->extents, w->extent_capacity, capacity,
                                         sizeof *extents);
        if (extents == NULL) {
            w->no_memory = true;
            return false;
        }
        w->extents = extents;
        w->extent_capacity = capacity;
    }
    w->extents[region] = (extent){UINT16_MAX, 0};
    return true;
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

// Gives a span to the region that claims it. The region's spans from before this step have not
// changed meanwhile. Returns false where the region has taken another span of the column in this
// step.
static bool take(watershed *w, uint32_t span)
{
    uint32_t from = nav_field_neighbour(w->field, span, w->stacked[span] >> CLAIM_SHIFT);
    NAV_DCHECK(from != NAV_NONE);
    NAV_DCHECK(nav_region_is_inside(w->region[from]));
    if (would_overlap(w, span, w->region[from])) {
        return false;
    }
    assign(w, span, w->region[from]);
    w->distance[span] = (uint16_t)(w->distance[from] + 2);
    return true;
}

// Lets regions take pending spans; each step reads the result of the one before. Spans that are
// taken leave the list. steps 0: until nothing changes. Ends early where the bake is cancelled or
// no_memory is set.
static void grow_regions(watershed *w, uint32_t steps)
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
                if (!push_queue(w, &claimed_count, span)) {
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
static bool touches_other(const watershed *w, uint32_t span, uint32_t own)
{
    const nav_field *f = w->field;
    uint16_t area = f->area[span];
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

// Fills a new region from a span over everything as deep as `shallowest`; keep_gap: a cell
// away from other regions. Returns whether it got any span. It spreads breadth first, so that the
// two fronts of a region that goes around a turn end above each other along a short line. The queue
// goes round in its memory: a span waits in it once at most.
static bool fill_basin(watershed *w, uint32_t seed, uint32_t shallowest, bool keep_gap,
                       uint32_t own)
{
    const nav_field *f = w->field;
    uint32_t head = 0, waiting = 0, taken = 0;
    if (!open_extent(w, own) || !push_queue(w, &waiting, seed)) {
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
        if (keep_gap && touches_other(w, span, own)) {
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
                uint32_t rest = w->queue_capacity - head;
                w->queue[waiting < rest ? head + waiting : waiting - rest] = n;
                waiting++;
                assign(w, n, own);
            }
        }
    }
    return taken > 0;
}

// Begins regions in what is pending and has none, each over everything as deep as `shallowest`;
// keep_gap: a cell away from other regions. Ends early where the bake is cancelled or no_memory is
// set.
static void flood_basins(watershed *w, uint32_t shallowest, bool keep_gap)
{
    for (uint32_t i = 0; i < w->pending_count && !w->no_memory; ++i) {
        if (nav_cancel_poll(w->job->cancel, NAV_STEP_FAR)) {
            return;
        }
        uint32_t span = w->order[i];
        if (w->region[span] == 0 &&
            fill_basin(w, span, shallowest, keep_gap, w->region_count + 1)) {
            w->region_count++;
        }
    }
}

// ---- the falling level ----

static bool is_open(const watershed *w, uint32_t span)
{
    return w->field->area[span] != NAV_AREA_NONE && w->region[span] == 0;
}

// Returns false where the bake was cancelled.
static bool count_open(const watershed *w, uint32_t *count)
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
static bool sort_by_depth(const watershed *w, uint32_t levels, uint32_t *ends)
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
static bool collect_level(watershed *w, uint32_t begin, uint32_t end)
{
    NAV_ASSERT(begin <= end);
    NAV_ASSERT(w->pending_count <= begin); // the front has room for them beside the level
    uint32_t left = 0, fresh = 0;
    for (uint32_t i = 0; i < w->pending_count; ++i) {
        if (nav_cancel_poll(w->job->cancel, 1) ||
            (w->region[w->order[i]] == 0 && !push_queue(w, &left, w->order[i]))) {
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

static nav_status fall(watershed *w, uint32_t levels, const uint32_t *ends)
{
    uint32_t begin = 0;
    for (uint32_t k = levels; k-- > 0 && !w->no_memory;) {
        if (nav_cancel_poll(w->job->cancel, NAV_STEP_ROW)) {
            return nav_bake_end(w->job);
        }
        if (collect_level(w, begin, ends[k])) {
            begin = ends[k];
            grow_regions(w, k > 0 ? GROWTH_CELLS : 0);
            flood_basins(w, k > 0 ? 2 * k - 2 : 0, true);
        }
    }
    // Ground that two floods left between them goes to whichever region is nearer, and ground above
    // or below all regions around it to regions of its own.
    if (!w->no_memory && collect_level(w, begin, begin)) {
        grow_regions(w, 0);
        flood_basins(w, 0, false);
    }
    if (w->no_memory) {
        return NAV_NO_MEMORY;
    }
    return nav_cancel_is_set(w->job->cancel) ? nav_bake_end(w->job) : NAV_OK;
}

// Partitions the open spans; ends has room for as many numbers as there are levels.
static nav_status partition(watershed *w, uint32_t levels, uint32_t *ends)
{
    uint32_t open_count;
    if (!count_open(w, &open_count)) {
        return nav_bake_end(w->job);
    }
    w->order = NAV_NEW(w->job->scratch, uint32_t, open_count);
    if (w->order == NULL) {
        return NAV_NO_MEMORY;
    }
    if (!find_stacks(w) || !sort_by_depth(w, levels, ends)) {
        return nav_bake_end(w->job);
    }
    NAV_ASSERT(ends[0] == open_count);
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
    NAV_ASSERT(field->headroom == NULL); // the distances have taken its place
    NAV_ASSERT(field->links != NULL);
    size_t spans = field->span_count;
    uint32_t levels = (field->distance_max + 1u) / 2u;
    levels = levels < 1 ? 1 : levels;
    field->region = NAV_NEW(result, uint32_t, spans);
    nav_arena_mark mark = nav_arena_save(job->scratch);
    watershed w = {.job = job,
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
