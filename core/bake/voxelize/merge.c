// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// merge.c: second half of step 1, touches -> solid spans: those of a column are sorted and merged.
//
// How many spans there will be is not known before, so that they are kept in chunks.

#include "core/bake/voxelize/voxelize.h"

#include <string.h>

// A touch as a key: sorted, touches of one column rise by low, then high, then area.
static uint64_t key_of(nav_touch t, uint32_t area)
{
    return (uint64_t)t.low << 32 | (uint64_t)t.high << 16 | area;
}

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

static void sort_keys(uint64_t *keys, size_t count)
{
    for (size_t i = 1; i < count; ++i) {
        uint64_t key = keys[i];
        size_t j = i;
        for (; j > 0 && keys[j - 1] > key; --j) {
            keys[j] = keys[j - 1];
        }
        keys[j] = key;
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

// The area of a span that reaches up to `high`: the highest number among the surfaces that end
// within `climb` cells of its top.
static uint32_t area_of(const uint64_t *keys, uint32_t count, uint32_t high, uint32_t climb)
{
    uint32_t area = 0;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t other_high = (uint32_t)(keys[i] >> 16 & 0xffff);
        uint32_t other_area = (uint32_t)(keys[i] & 0xff);
        if (high - other_high <= climb && other_area > area) {
            area = other_area;
        }
    }
    return area;
}

// Merges sorted touches that meet or overlap into spans, in place; returns how many are left.
static uint32_t merge_keys(uint64_t *keys, uint32_t count, uint32_t climb)
{
    uint32_t merged = 0;
    for (uint32_t i = 0; i < count;) {
        uint64_t first = keys[i];
        uint32_t high = (uint32_t)(first >> 16 & 0xffff), end = i + 1;
        uint64_t mixed = 0; // bits that not all of them have
        for (; end < count && (uint32_t)(keys[end] >> 32) <= high; ++end) {
            uint32_t other = (uint32_t)(keys[end] >> 16 & 0xffff);
            NAV_DCHECK(keys[end - 1] <= keys[end]);
            high = other > high ? other : high;
            mixed |= keys[end] ^ first;
        }
        bool one_area = (mixed & 0xff) == 0;
        uint32_t area =
            one_area ? (uint32_t)(first & 0xff) : area_of(keys + i, end - i, high, climb);
        keys[merged++] = first >> 32 << 32 | (uint64_t)high << 16 | area;
        i = end;
    }
    return merged;
}

typedef struct merger {
    const nav_bake_job *job;
    nav_touches *touches;
    uint64_t *keys; // of one column
    uint32_t capacity;
} merger;

static bool push_key(merger *m, uint32_t count, uint64_t key)
{
    if (count == m->capacity) {
        uint32_t capacity = m->capacity * 2 + 64;
        uint64_t *keys =
            nav_arena_grow(&m->touches->list_arena, m->keys, count, capacity, sizeof *keys);
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

static inline bool add_span(nav_span_list *spans, uint64_t key)
{
    uint32_t at = spans->count % NAV_SPAN_CHUNK_BYTES;
    uint32_t at_two = 2 * spans->count % NAV_SPAN_CHUNK_BYTES; // of numbers of two bytes
    if ((at_two == 0 && (!add_chunk(&spans->min) || !add_chunk(&spans->max))) ||
        (at == 0 && !add_chunk(&spans->area))) {
        return false;
    }
    const uint16_t min = (uint16_t)(key >> 32), max = (uint16_t)(key >> 16);
    memcpy(spans->min.newest->bytes + at_two, &min, sizeof min);
    memcpy(spans->max.newest->bytes + at_two, &max, sizeof max);
    spans->area.newest->bytes[at] = (uint8_t)key;
    spans->count++;
    return true;
}

// Merges two touches, as most columns with several have; returns how many are left.
static uint32_t merge_two(uint64_t keys[2], uint32_t climb)
{
    if (keys[1] < keys[0]) {
        uint64_t swap = keys[0];
        keys[0] = keys[1];
        keys[1] = swap;
    }
    return merge_keys(keys, 2, climb);
}

// Collects a column's touches, of which there are *count.
static nav_status collect_keys(merger *m, uint32_t newest, uint32_t *count)
{
    *count = 0;
    for (uint32_t next = newest; next > 0; ++*count) {
        if (nav_cancel_poll(m->job->cancel, 1)) {
            return nav_bake_end(m->job);
        }
        const nav_touch *t = nav_touch_at(m->touches, next - 1);
        if (!push_key(m, *count, key_of(*t, *nav_touch_area(m->touches, next - 1)))) {
            return NAV_NO_MEMORY;
        }
        next = t->older;
    }
    return NAV_OK;
}

// Merges a column's touches, the newest of which is given, into spans.
static nav_status merge_column(merger *m, uint32_t newest, nav_span_list *spans)
{
    uint32_t count;
    nav_status status = collect_keys(m, newest, &count);
    if (status != NAV_OK) {
        return status;
    }
    uint32_t left = count, climb = m->job->climb_cells;
    if (count == 2) {
        left = merge_two(m->keys, climb);
    } else if (count > 2) {
        if (count <= FEW_KEYS) {
            sort_few_keys(m->keys, count);
        } else if (count <= 64) {
            sort_keys(m->keys, count);
        } else if (!heap_sort_keys(m->job, m->keys, count)) {
            return nav_bake_end(m->job);
        }
        left = merge_keys(m->keys, count, climb);
    }
    NAV_DCHECK(left >= 1);
    NAV_DCHECK(left <= count);
    for (uint32_t i = 0; i < left; ++i) {
        NAV_DCHECK(i == 0 ||
                   m->keys[i] >> 32 > (m->keys[i - 1] >> 16 & 0xffff)); // they do not touch
        if (!add_span(spans, m->keys[i])) {
            return NAV_NO_MEMORY;
        }
    }
    return NAV_OK;
}

nav_status nav_voxelize_merge(const nav_bake_job *job, nav_touches *touches, size_t begin,
                              size_t end, nav_span_list *spans)
{
    NAV_ASSERT(begin <= end);
    NAV_ASSERT(end <= (size_t)job->width_cells * job->depth_cells);
    merger m = {.job = job, .touches = touches};
    if ((uint64_t)spans->count + touches->count >= UINT32_MAX) {
        return nav_fail(job->err, NAV_TILE_TOO_COMPLEX, "more than %u spans in one tile",
                        UINT32_MAX - 1);
    }
    for (size_t c = begin; c < end; ++c) {
        if (nav_cancel_poll(job->cancel, 1)) {
            return nav_bake_end(job);
        }
        uint32_t newest = touches->columns[c];
        touches->columns[c] = spans->count;
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
