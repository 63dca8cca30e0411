// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// merge.c: second half of step 1, touches -> solid spans: those of a column are sorted and merged.
// Agents agree about the spans; which area one has is up to their max_slope and max_climb.
//
// How many spans there will be is not known before, so that they are kept in chunks.

#include "core/bake/voxelize/voxelize.h"

#include <string.h>

#define FEW_KEYS 8

// Few keys sink without branches: which of two is the larger cannot be foreseen.
static void sort_few_keys(uint64_t *keys, size_t count)
{
    for (size_t i = 1; i < count; ++i) {
        uint64_t key = keys[i];
        for (size_t j = 0; j < i; ++j) {
            uint64_t other = keys[j];
            keys[j] = other < key ? other : key;
            key = other < key ? key : other;
        }
        keys[i] = key;
    }
}

// Restores the heap order of keys below `root`.
static void sift_down(uint64_t *keys, size_t root, size_t count)
{
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        child += child + 1 < count && keys[child + 1] > keys[child];
        if (keys[root] >= keys[child]) {
            return;
        }
        uint64_t swap = keys[root];
        keys[root] = keys[child];
        keys[child] = swap;
    }
}

// Columns with very many touches, which only strange levels have, get a heap sort. Returns false
// where the bake was cancelled.
static bool heap_sort_keys(const nav_bake_job *job, uint64_t *keys, size_t count)
{
    for (size_t i = count / 2; i-- > 0;) {
        if (nav_cancel_poll(job->cancel, 1)) {
            return false;
        }
        sift_down(keys, i, count);
    }
    for (size_t end = count; end-- > 1;) {
        if (nav_cancel_poll(job->cancel, 1)) {
            return false;
        }
        uint64_t swap = keys[0];
        keys[0] = keys[end];
        keys[end] = swap;
        sift_down(keys, 0, end);
    }
    return true;
}

// Sorted touches of one column that meet or overlap: a span.
typedef struct run {
    const uint64_t *keys;
    uint32_t count;
    uint32_t low, high;
    uint32_t face; // of all of them, or NAV_FACE_NONE: they differ
} run;

// The touches from the first of the keys on that are one span.
static inline run run_of(const uint64_t *keys, uint32_t count)
{
    const uint64_t first = keys[0];
    uint32_t high = (uint32_t)(first >> 16 & 0xffff), end = 1;
    uint64_t mixed = 0; // bits that not all of them have
    for (; end < count && (uint32_t)(keys[end] >> 32) <= high; ++end) {
        uint32_t other = (uint32_t)(keys[end] >> 16 & 0xffff);
        NAV_DCHECK(keys[end - 1] <= keys[end]);
        high = other > high ? other : high;
        mixed |= keys[end] ^ first;
    }
    return (run){.keys = keys,
                 .count = end,
                 .low = (uint32_t)(first >> 32),
                 .high = high,
                 .face = (mixed & 0xff) == 0 ? (uint32_t)(first & 0xff) : NAV_FACE_NONE};
}

// The area of a span for one agent: the highest number among the surfaces that end within `climb`
// cells of its top.
static uint8_t area_of(const run *r, const uint8_t *areas, uint32_t climb)
{
    uint8_t area = 0;
    for (uint32_t i = 0; i < r->count; ++i) {
        uint32_t other_high = (uint32_t)(r->keys[i] >> 16 & 0xffff);
        uint8_t other_area = areas[r->keys[i] & 0xff];
        if (r->high - other_high <= climb && other_area > area) {
            area = other_area;
        }
    }
    return area;
}

typedef struct merger {
    nav_voxelizer *v;
    uint64_t *keys; // of one column
    uint32_t capacity;
} merger;

static bool push_key(merger *m, uint32_t count, uint64_t key)
{
    if (count == m->capacity) {
        uint32_t capacity = m->capacity * 2 + 64;
        uint64_t *keys =
            nav_arena_grow(&m->v->touches.list_arena, m->keys, count, capacity, sizeof *keys);
        if (keys == NULL) {
            return false;
        }
        m->keys = keys;
        m->capacity = capacity;
    }
    m->keys[count] = key;
    return true;
}

static bool add_chunk(nav_span_numbers *numbers)
{
    nav_span_chunk *chunk = NAV_NEW(&numbers->arena, nav_span_chunk, 1);
    if (chunk == NULL) {
        return false;
    }
    chunk->next = NULL;
    *(numbers->newest != NULL ? &numbers->newest->next : &numbers->oldest) = chunk;
    numbers->newest = chunk;
    return true;
}

// Makes room for one more span.
static bool add_chunks(const nav_voxelizer *v, nav_span_list *spans, uint32_t at, uint32_t at_two)
{
    if (at_two == 0 && (!add_chunk(&spans->min) || !add_chunk(&spans->max))) {
        return false;
    }
    for (uint32_t k = 0; at == 0 && k < v->agent_count; ++k) {
        if (!add_chunk(&spans->areas[k])) {
            return false;
        }
    }
    return true;
}

static inline bool add_span(const nav_voxelizer *v, nav_span_list *spans, const run *r)
{
    const uint32_t at = spans->count % NAV_SPAN_CHUNK_BYTES;
    const uint32_t at_two = 2 * spans->count % NAV_SPAN_CHUNK_BYTES; // of numbers of two bytes
    if (at_two == 0 && !add_chunks(v, spans, at, at_two)) {
        return false;
    }
    const uint16_t min = (uint16_t)r->low, max = (uint16_t)r->high;
    memcpy(spans->min.newest->bytes + at_two, &min, sizeof min);
    memcpy(spans->max.newest->bytes + at_two, &max, sizeof max);
    for (uint32_t k = 0; k < v->agent_count; ++k) {
        const uint8_t *areas = v->slopes.areas[k];
        spans->areas[k].newest->bytes[at] =
            r->face != NAV_FACE_NONE ? areas[r->face] : area_of(r, areas, v->agents[k].climb_cells);
    }
    spans->count++;
    return true;
}

// Collects a column's touches, of which there are *count.
static nav_status collect_keys(merger *m, uint32_t newest, uint32_t *count)
{
    *count = 0;
    for (uint32_t next = newest; next > 0; ++*count) {
        if (nav_cancel_poll(m->v->job->cancel, 1)) {
            return nav_bake_end(m->v->job);
        }
        const nav_touch *t = nav_touch_at(&m->v->touches, next - 1);
        // A touch as a key: sorted, touches of one column rise by low, then high, then face.
        if (!push_key(m, *count,
                      (uint64_t)t->low << 32 | (uint64_t)t->high << 16 |
                          *nav_touch_face(&m->v->touches, next - 1))) {
            return NAV_NO_MEMORY;
        }
        next = t->older;
    }
    return NAV_OK;
}

// Puts a column's keys in order. Returns false where the bake was cancelled.
static bool order_keys(const nav_bake_job *job, uint64_t *keys, uint32_t count)
{
    if (count <= FEW_KEYS) {
        sort_few_keys(keys, count);
    } else if (count <= 64) {
        for (size_t i = 1; i < count; ++i) {
            uint64_t key = keys[i];
            size_t j = i;
            for (; j > 0 && keys[j - 1] > key; --j) {
                keys[j] = keys[j - 1];
            }
            keys[j] = key;
        }
    } else {
        return heap_sort_keys(job, keys, count);
    }
    return true;
}

// Merges a column's touches, the newest of which is given, into spans. Most columns have one.
static nav_status merge_column(merger *m, uint32_t newest, nav_span_list *spans)
{
    const nav_bake_job *job = m->v->job;
    const nav_touch *only = nav_touch_at(&m->v->touches, newest - 1);
    uint32_t count;
    if (only->older == 0) {
        const run r = {.low = only->low,
                       .high = only->high,
                       .face = *nav_touch_face(&m->v->touches, newest - 1)};
        return add_span(m->v, spans, &r) ? NAV_OK : NAV_NO_MEMORY;
    }
    nav_status status = collect_keys(m, newest, &count);
    if (status != NAV_OK) {
        return status;
    }
    if (!order_keys(job, m->keys, count)) {
        return nav_bake_end(job);
    }
    for (uint32_t i = 0; i < count;) {
        const run r = run_of(m->keys + i, count - i);
        NAV_DCHECK(i == 0 || r.low > (uint32_t)(m->keys[i - 1] >> 16 & 0xffff));
        if (!add_span(m->v, spans, &r)) {
            return NAV_NO_MEMORY;
        }
        i += r.count;
    }
    return NAV_OK;
}

nav_status nav_voxelize_merge(nav_voxelizer *v, size_t begin, size_t end, nav_span_list *spans)
{
    const nav_bake_job *job = v->job;
    NAV_ASSERT(begin <= end);
    NAV_ASSERT(end <= (size_t)job->width_cells * job->depth_cells);
    merger m = {.v = v};
    if ((uint64_t)spans->count + v->touches.count >= UINT32_MAX) {
        return nav_fail(job->err, NAV_TILE_TOO_COMPLEX, "more than %u spans in one tile",
                        UINT32_MAX - 1);
    }
    for (size_t c = begin; c < end; ++c) {
        if (nav_cancel_poll(job->cancel, 1)) {
            return nav_bake_end(job);
        }
        uint32_t newest = v->touches.columns[c];
        v->touches.columns[c] = spans->count;
        if (newest == 0) {
            continue;
        }
        nav_status status = merge_column(&m, newest, spans);
        if (status != NAV_OK) {
            return status;
        }
    }
    return NAV_OK;
}
