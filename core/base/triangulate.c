// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// triangulate.c: closed walks -> triangles: ear clipping, shortest diagonal first.
//
//            tip
//            / \          An ear is a corner whose neighbours see each other inside the polygon.
//     prev  /...\  next   Cutting it off leaves a polygon of one corner less, and only the ears at
//      ----'     '----    prev and next can have changed.
//
// (Meisters 1975; the tests follow O'Rourke, Computational Geometry in C, chapter 1, made tolerant
// of walks that touch themselves.) Ears wait in a heap by the length of their diagonal. Edges are
// kept in a grid over the plan, so that looking whether a diagonal is free asks only the edges near
// it: short diagonals make the whole close to linear.
//
// Simplified contours and faces of a level can touch or overlap themselves. Then the ears run out
// early, and a diagonal that only touches other edges is taken as a last resort.

#include "core/base/triangulate.h"

#include "core/base/heap.h"

#include <stdlib.h>

// An edge in one of the cells that it passes through. Entries of edges that were cut off are taken
// out when a look at the cell meets them.
typedef struct grid_entry {
    uint32_t from, to;
    uint32_t next; // entry of the same cell
} grid_entry;

#define CELLS_PER_EDGE 16u // at most, in the mean

typedef struct clipper {
    nav_cancel *cancel;
    nav_arena *scratch;
    const nav_plan *points;
    uint32_t *previous, *next; // the ring of corners that are left
    uint32_t *stamp;           // ears found before the stamp changed are stale
    uint32_t left;             // corners in the ring
    uint32_t some_corner;      // one of them
    uint64_t looked;           // at edges, since the last poll
    nav_heap ears;             // key: squared length of the diagonal, id: the tip

    nav_plan origin;
    unsigned shift; // a grid cell is 1 << shift cells wide
    uint32_t columns, rows;
    uint32_t *heads; // columns * rows
    grid_entry *entries;
    uint32_t entry_count, entry_capacity;
} clipper;

// next of a corner that was cut off
#define CUT_OFF NAV_NONE

// The cells of one grid row that a segment passes through.
static void row_range(const clipper *c, nav_plan a, nav_plan b, uint32_t row, uint32_t range[2])
{
    int64_t x[2];
    nav_plan_x_range(a, b, c->origin.z + ((int64_t)row << c->shift),
                     c->origin.z + (((int64_t)row + 1) << c->shift), x);
    range[0] = (uint32_t)((x[0] - c->origin.x) >> c->shift);
    range[1] = (uint32_t)((x[1] - c->origin.x) >> c->shift);
}

static void segment_rows(const clipper *c, nav_plan a, nav_plan b, uint32_t range[2])
{
    int32_t low = a.z < b.z ? a.z : b.z;
    int32_t high = a.z < b.z ? b.z : a.z;
    range[0] = (uint32_t)(low - c->origin.z) >> c->shift;
    range[1] = (uint32_t)(high - c->origin.z) >> c->shift;
}

static bool grid_add_entry(clipper *c, size_t cell, uint32_t from, uint32_t to)
{
    NAV_ASSERT(cell < (size_t)c->columns * c->rows);
    if (c->entry_count == c->entry_capacity) {
        if (c->entry_capacity > UINT32_MAX / 2) {
            return false;
        }
        uint32_t capacity = c->entry_capacity * 2;
        grid_entry *entries =
            nav_arena_grow(c->scratch, c->entries, c->entry_count, capacity, sizeof *entries);
        if (entries == NULL) {
            return false;
        }
        c->entries = entries;
        c->entry_capacity = capacity;
    }
    c->entries[c->entry_count] = (grid_entry){.from = from, .to = to, .next = c->heads[cell]};
    c->heads[cell] = c->entry_count++;
    c->looked++;
    return true;
}

static bool grid_add(clipper *c, uint32_t from, uint32_t to)
{
    uint32_t rows[2], range[2];
    segment_rows(c, c->points[from], c->points[to], rows);
    for (uint32_t row = rows[0]; row <= rows[1]; row++) {
        row_range(c, c->points[from], c->points[to], row, range);
        for (uint32_t column = range[0]; column <= range[1]; column++) {
            if (!grid_add_entry(c, (size_t)row * c->columns + column, from, to)) {
                return false;
            }
        }
    }
    return true;
}

// An edge that begins or ends in the position where the diagonal does cannot be crossed by it.
static bool edge_blocks(const clipper *c, uint32_t from, uint32_t to, uint32_t a, uint32_t b,
                        bool loose)
{
    const nav_plan *p = c->points;
    if (nav_plan_equal(p[from], p[a]) || nav_plan_equal(p[from], p[b]) ||
        nav_plan_equal(p[to], p[a]) || nav_plan_equal(p[to], p[b])) {
        return false;
    }
    return loose ? nav_plan_segments_cross(p[a], p[b], p[from], p[to])
                 : nav_plan_segments_touch(p[a], p[b], p[from], p[to]);
}

static bool cell_blocks(clipper *c, size_t cell, uint32_t a, uint32_t b, bool loose)
{
    for (uint32_t *link = &c->heads[cell]; *link != NAV_NONE;) {
        const grid_entry *entry = &c->entries[*link];
        c->looked++;
        if (c->next[entry->from] != entry->to) {
            *link = entry->next;
            continue;
        }
        if (edge_blocks(c, entry->from, entry->to, a, b, loose)) {
            return true;
        }
        link = &c->entries[*link].next;
    }
    return false;
}

static bool diagonal_is_free(clipper *c, uint32_t a, uint32_t b, bool loose)
{
    uint32_t rows[2], range[2];
    segment_rows(c, c->points[a], c->points[b], rows);
    for (uint32_t row = rows[0]; row <= rows[1]; row++) {
        row_range(c, c->points[a], c->points[b], row, range);
        for (uint32_t column = range[0]; column <= range[1]; column++) {
            if (cell_blocks(c, (size_t)row * c->columns + column, a, b, loose)) {
                return false;
            }
        }
    }
    return true;
}

// None is one once the work is to end.
static bool is_ear(clipper *c, uint32_t tip, bool loose)
{
    uint32_t a = c->previous[tip], b = c->next[tip];
    const uint64_t work = NAV_STEP_EAR + c->looked;
    c->looked = 0;
    if (nav_cancel_poll(c->cancel, work)) {
        return false;
    }
    const nav_plan *p = c->points;
    int64_t turn = nav_plan_turn(p[a], p[tip], p[b]);
    if (loose) {
        return turn >= 0 && nav_plan_in_cone_loose(p[c->previous[a]], p[a], p[tip], p[b]) &&
               diagonal_is_free(c, a, b, true);
    }
    return turn > 0 && nav_plan_in_cone(p[c->previous[a]], p[a], p[tip], p[b]) &&
           diagonal_is_free(c, a, b, false);
}

static nav_heap_item ear_item(const clipper *c, uint32_t tip)
{
    nav_plan a = c->points[c->previous[tip]], b = c->points[c->next[tip]];
    return (nav_heap_item){
        .key = nav_plan_distance_squared(a, b), .id = tip, .stamp = c->stamp[tip]};
}

// Puts the corner into the heap if it is an ear now, and any earlier entry of it out of force.
static void check_ear(clipper *c, uint32_t tip)
{
    c->stamp[tip]++;
    if (is_ear(c, tip, false)) {
        nav_heap_push(&c->ears, ear_item(c, tip));
    }
}

// Fills the empty heap from all corners that are left. A corner that something stood in the way of
// can have become an ear unnoticed.
static void check_all(clipper *c)
{
    NAV_ASSERT(c->ears.count == 0);
    uint32_t tip = c->some_corner;
    do {
        check_ear(c, tip);
        tip = c->next[tip];
    } while (tip != c->some_corner);
}

// The corner with the shortest diagonal that crosses nothing, or NAV_NONE.
static uint32_t find_loose_ear(clipper *c)
{
    nav_heap_item best = {.id = NAV_NONE};
    uint32_t tip = c->some_corner;
    do {
        if (is_ear(c, tip, true)) {
            nav_heap_item item = ear_item(c, tip);
            if (best.id == NAV_NONE || item.key < best.key ||
                (item.key == best.key && item.id < best.id)) {
                best = item;
            }
        }
        tip = c->next[tip];
    } while (tip != c->some_corner);
    return best.id;
}

static uint32_t pop_ear(clipper *c)
{
    while (c->ears.count > 0) {
        nav_heap_item item = nav_heap_pop(&c->ears);
        if (item.stamp == c->stamp[item.id]) {
            return item.id;
        }
    }
    return NAV_NONE;
}

static uint32_t choose_ear(clipper *c)
{
    uint32_t tip = pop_ear(c);
    if (tip == NAV_NONE) {
        check_all(c);
        tip = pop_ear(c);
    }
    return tip == NAV_NONE ? find_loose_ear(c) : tip;
}

static bool cut_off(clipper *c, uint32_t tip)
{
    uint32_t a = c->previous[tip], b = c->next[tip];
    NAV_ASSERT(b != CUT_OFF);
    c->next[a] = b;
    c->previous[b] = a;
    c->next[tip] = CUT_OFF;
    c->stamp[tip]++;
    c->some_corner = a;
    c->left--;
    if (!grid_add(c, a, b)) {
        return false;
    }
    check_ear(c, a);
    check_ear(c, b);
    return true;
}

// How many cells the edges are in, at most.
static uint64_t grid_entries(const clipper *c, uint32_t count)
{
    uint64_t entries = 0;
    for (uint32_t i = 0; i < count; i++) {
        const nav_plan a = c->points[i], b = c->points[i + 1 == count ? 0 : i + 1];
        entries +=
            2 + ((uint32_t)abs(b.x - a.x) >> c->shift) + ((uint32_t)abs(b.z - a.z) >> c->shift);
    }
    return entries;
}

// About as many grid cells as corners, square ones of a power of two; fewer where edges are so long
// that each is in many.
static void grid_measure(clipper *c, uint32_t count)
{
    nav_plan low = c->points[0], high = c->points[0];
    for (uint32_t i = 1; i < count; i++) {
        nav_plan_widen(&low, &high, c->points[i]);
    }
    c->origin = low;
    do {
        c->columns = ((uint32_t)(high.x - low.x) >> c->shift) + 1;
        c->rows = ((uint32_t)(high.z - low.z) >> c->shift) + 1;
    } while (((uint64_t)c->columns * c->rows > count ||
              grid_entries(c, count) > CELLS_PER_EDGE * (uint64_t)count) &&
             c->shift++ < 31);
}

static bool clipper_init(clipper *c, uint32_t count)
{
    grid_measure(c, count);
    size_t cells = (size_t)c->columns * c->rows;
    c->previous = NAV_NEW(c->scratch, uint32_t, count);
    c->next = NAV_NEW(c->scratch, uint32_t, count);
    c->stamp = NAV_NEW_ZERO(c->scratch, uint32_t, count);
    // The heap is empty when all corners are checked; after that each cut adds two.
    c->ears.items = NAV_NEW(c->scratch, nav_heap_item, (size_t)count * 3);
    c->heads = NAV_NEW(c->scratch, uint32_t, cells);
    // The entries come last, so that they grow in place.
    c->entry_capacity = count > UINT32_MAX / 4 ? count : count * 4;
    c->entries = NAV_NEW(c->scratch, grid_entry, c->entry_capacity);
    if (c->previous == NULL || c->next == NULL || c->stamp == NULL || c->ears.items == NULL ||
        c->heads == NULL || c->entries == NULL) {
        return false;
    }
    for (size_t i = 0; i < cells; i++) {
        c->heads[i] = NAV_NONE;
    }
    for (uint32_t i = 0; i < count; i++) {
        c->next[i] = i + 1 == count ? 0 : i + 1;
        c->previous[c->next[i]] = i;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!grid_add(c, i, c->next[i])) {
            return false;
        }
    }
    return true;
}

static bool clip(clipper *c, uint32_t (*triangles)[3], uint32_t *triangle_count, bool *complete)
{
    check_all(c);
    while (c->left > 3) {
        uint32_t tip = choose_ear(c);
        if (tip == NAV_NONE) {
            *complete = false;
            return true;
        }
        uint32_t *triangle = triangles[(*triangle_count)++];
        triangle[0] = c->previous[tip];
        triangle[1] = tip;
        triangle[2] = c->next[tip];
        if (!cut_off(c, tip)) {
            return false;
        }
    }
    uint32_t a = c->some_corner, b = c->next[a], last = c->previous[a];
    *complete = nav_plan_turn(c->points[a], c->points[b], c->points[last]) >= 0;
    if (*complete) {
        uint32_t *triangle = triangles[(*triangle_count)++];
        triangle[0] = a;
        triangle[1] = b;
        triangle[2] = last;
    }
    return true;
}

nav_status nav_triangulate(nav_arena *scratch, nav_cancel *cancel, const nav_plan *points,
                           uint32_t count, uint32_t (*triangles)[3], uint32_t *triangle_count,
                           bool *complete)
{
    NAV_ASSERT(count >= 3);
    nav_arena_mark mark = nav_arena_save(scratch);
    clipper c = {.cancel = cancel, .scratch = scratch, .points = points, .left = count};
    *triangle_count = 0;
    bool done = clipper_init(&c, count) && clip(&c, triangles, triangle_count, complete);
    nav_arena_restore(scratch, mark);
    if (nav_cancel_is_set(cancel)) {
        return NAV_CANCELLED;
    }
    NAV_ASSERT(!done || !*complete || *triangle_count == count - 2);
    return done ? NAV_OK : NAV_NO_MEMORY;
}
