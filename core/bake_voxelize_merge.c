// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bake_voxelize_merge.c: touches -> solid spans: those of a column are sorted and merged.
//
// The merged spans are put back into the column's own touches, so that the spans need no memory
// before it is known how many there are.

#include "bake_voxelize.h"

// A touch as a key: sorted, touches of one column rise by low, then high, then area.
static uint64_t key_of(nav_touch t, uint32_t area)
{
    return (uint64_t)t.low << 32 | (uint64_t)t.high << 16 | area;
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

// Columns with very many touches, which only strange levels have, get a heap sort.
static void heap_sort_keys(uint64_t *keys, size_t count)
{
    for (size_t i = count / 2; i-- > 0;) {
        sift_down(keys, i, count);
    }
    for (size_t end = count; end-- > 1;) {
        uint64_t swap = keys[0];
        keys[0] = keys[end];
        keys[end] = swap;
        sift_down(keys, 0, end);
    }
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

// Puts spans back into a column's touches, the lowest first, and ends the column behind them.
static void put_back(merger *m, uint32_t newest, uint32_t count)
{
    for (uint32_t i = 0, number = newest - 1;; ++i) {
        nav_touch *t = nav_touch_at(m->touches, number);
        t->low = (uint16_t)(m->keys[i] >> 32);
        t->high = (uint16_t)(m->keys[i] >> 16);
        *nav_touch_area(m->touches, number) = (uint8_t)m->keys[i];
        if (i + 1 == count) {
            t->older = 0;
            return;
        }
        number = t->older - 1;
    }
}

// Merges a column of two touches, as most with several have; returns how many are left.
static uint32_t merge_two(const nav_touches *touches, uint32_t newest, uint32_t climb)
{
    nav_touch *a = nav_touch_at(touches, newest - 1);
    uint8_t *a_area = nav_touch_area(touches, newest - 1);
    nav_touch *b = nav_touch_at(touches, a->older - 1);
    uint8_t *b_area = nav_touch_area(touches, a->older - 1);
    if (a->low <= b->high && b->low <= a->high) {
        const uint64_t keys[2] = {key_of(*a, *a_area), key_of(*b, *b_area)};
        a->low = b->low < a->low ? b->low : a->low;
        a->high = b->high > a->high ? b->high : a->high;
        *a_area = (uint8_t)area_of(keys, 2, a->high, climb);
        a->older = 0;
        return 1;
    }
    if (a->low > b->low) {
        nav_touch swap = *a;
        uint8_t swap_area = *a_area;
        a->low = b->low;
        a->high = b->high;
        *a_area = *b_area;
        b->low = swap.low;
        b->high = swap.high;
        *b_area = swap_area;
    }
    return 2;
}

// Merges a column of several touches. Returns how many it had, or 0: there is no memory.
static uint32_t merge_column(merger *m, uint32_t newest, uint32_t *spans)
{
    uint32_t count = 0;
    for (uint32_t next = newest; next > 0; ++count) {
        const nav_touch *t = nav_touch_at(m->touches, next - 1);
        if (!push_key(m, count, key_of(*t, *nav_touch_area(m->touches, next - 1)))) {
            return 0;
        }
        next = t->older;
    }
    if (count <= 64) {
        sort_keys(m->keys, count);
    } else {
        heap_sort_keys(m->keys, count);
    }
    *spans = merge_keys(m->keys, count, m->job->climb_cells);
    put_back(m, newest, *spans);
    return count;
}

// Merges each column's touches. total: how many are left.
static nav_status merge_columns(merger *m, size_t columns, uint32_t *total)
{
    uint32_t visited = 0, sum = 0;
    for (size_t c = 0; c < columns; ++c) {
        uint32_t newest = m->touches->columns[c];
        if (newest == 0) {
            continue;
        }
        uint32_t count = 1, spans = 1;
        uint32_t older = nav_touch_at(m->touches, newest - 1)->older;
        if (older > 0) {
            bool two = nav_touch_at(m->touches, older - 1)->older == 0;
            count = two ? 2 : merge_column(m, newest, &spans);
            spans = two ? merge_two(m->touches, newest, m->job->climb_cells) : spans;
            if (count == 0) {
                return NAV_NO_MEMORY;
            }
        }
        sum += spans;
        visited += count;
        if (visited >= 65536) {
            visited = 0;
            if (nav_bake_cancelled(m->job)) {
                return nav_bake_end(m->job);
            }
        }
    }
    *total = sum;
    return NAV_OK;
}

// Copies what is left, column by column; columns become where each one begins.
static void write_spans(const nav_touches *touches, size_t columns, nav_heightfield *out)
{
    uint32_t to = 0;
    for (size_t c = 0; c < columns; ++c) {
        uint32_t next = touches->columns[c];
        out->first[c] = to;
        while (next > 0) {
            const nav_touch *t = nav_touch_at(touches, next - 1);
            out->span_min[to] = t->low;
            out->span_max[to] = t->high;
            out->span_area[to++] = *nav_touch_area(touches, next - 1);
            next = t->older;
        }
    }
    out->first[columns] = to;
}

nav_status nav_voxelize_merge(const nav_bake_job *job, nav_touches *touches, nav_arena *result,
                              nav_heightfield *out)
{
    size_t columns = (size_t)job->width_cells * job->depth_cells;
    merger m = {.job = job, .touches = touches};
    uint32_t total = 0;
    nav_status status = merge_columns(&m, columns, &total);
    if (status != NAV_OK) {
        return status;
    }
    nav_heightfield solid = {.width = job->width_cells,
                             .depth = job->depth_cells,
                             .span_count = total,
                             .first = touches->columns,
                             .span_min = NAV_NEW(result, uint16_t, total),
                             .span_max = NAV_NEW(result, uint16_t, total),
                             .span_area = NAV_NEW(result, uint8_t, total)};
    if (solid.span_min == NULL || solid.span_max == NULL || solid.span_area == NULL) {
        return NAV_NO_MEMORY;
    }
    write_spans(touches, columns, &solid);
    job->report->spans += nav_bake_inner_spans(job, solid.first);
    *out = solid;
    return NAV_OK;
}
