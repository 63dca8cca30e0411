// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// cones_pool.c: the memory of searches over cones, and their open list.

#include "core/base/poison.h"
#include "core/query/search/polyanya/cones.h"

#include <math.h>
#include <string.h>

#define HEAP_ARITY 4u

// A search holds at most this many cones, whatever room others before it have made.
#define CONES_MAX (1u << 21)

// Of cones and the open list, in one block.
static size_t cones_bytes(const nav_cone_pool *pool, size_t capacity)
{
    return nav_with_red_zone(capacity * sizeof *pool->cones) +
           nav_with_red_zone(capacity * sizeof *pool->heap);
}

static void free_cones(nav_cone_pool *pool)
{
    if (pool->cones != NULL) {
        const size_t block_bytes = cones_bytes(pool, pool->capacity);
        nav_unpoison(pool->cones, block_bytes);
        pool->allocator.free(pool->allocator.user, pool->cones, block_bytes);
    }
}

void nav_cone_pool_free(nav_cone_pool *pool)
{
    free_cones(pool);
    if (pool->marks != NULL) {
        pool->allocator.free(pool->allocator.user, pool->marks,
                             pool->mark_capacity * sizeof *pool->marks);
    }
    *pool = (nav_cone_pool){.allocator = pool->allocator};
}

bool nav_cones_make_room(nav_cones *c, uint32_t more)
{
    nav_cone_pool *pool = c->pool;
    if ((size_t)c->count + more > CONES_MAX) {
        return false;
    }
    if (more <= pool->capacity - c->count) {
        return true;
    }
    size_t capacity = 1024 + 2 * ((size_t)c->count + more);
    capacity = capacity < CONES_MAX ? capacity : CONES_MAX;
    uint8_t *block = pool->allocator.alloc(pool->allocator.user, cones_bytes(pool, capacity));
    if (block == NULL) {
        return false;
    }
    nav_cone *cones = nav_carve(&block, capacity * sizeof *cones);
    nav_heap_entry *heap = nav_carve(&block, capacity * sizeof *heap);
    if (pool->cones != NULL) {
        memcpy(cones, pool->cones, c->count * sizeof *cones);
        memcpy(heap, pool->heap, c->heap_count * sizeof *heap);
    }
    free_cones(pool);
    pool->cones = cones;
    pool->heap = heap;
    pool->capacity = (uint32_t)capacity;
    return true;
}

static bool make_marks(nav_cone_pool *pool, uint32_t count)
{
    if (count <= pool->mark_capacity) {
        return true;
    }
    nav_turning_mark *marks =
        pool->allocator.alloc(pool->allocator.user, count * sizeof *pool->marks);
    if (marks == NULL) {
        return false;
    }
    if (pool->marks != NULL) {
        pool->allocator.free(pool->allocator.user, pool->marks,
                             pool->mark_capacity * sizeof *pool->marks);
    }
    memset(marks, 0, count * sizeof *marks);
    pool->marks = marks;
    pool->mark_capacity = count;
    pool->stamp = 0;
    return true;
}

bool nav_cones_begin(nav_cones *c, const nav_view *view, nav_cone_pool *pool, uint32_t extra)
{
    const nav_mesh *mesh = view->mesh;
    // Where ground is closed, pivots fall apart, and ends of portals are numbered instead.
    const uint32_t numbers =
        view->costs->open ? mesh->turning_vertex_count : 2 * mesh->edge_portal_count;
    if (!make_marks(pool, numbers + extra)) {
        return false;
    }
    if (++pool->stamp == 0) {
        memset(pool->marks, 0, pool->mark_capacity * sizeof *pool->marks);
        pool->stamp = 1;
    }
    *c = (nav_cones){.view = view,
                     .pool = pool,
                     .goal = NAV_NONE,
                     .arc_base = numbers,
                     .open = view->costs->open,
                     .places = 1,
                     .ratio = 1.0,
                     .limit = (double)INFINITY};
    return true;
}

// ---- the open list: a heap of four children a node ----

void nav_cones_push(nav_cones *c, uint32_t cone)
{
    nav_heap_entry *heap = c->pool->heap;
    const nav_heap_entry entry = {.f = c->pool->cones[cone].key, .index = cone};
    uint32_t position = c->heap_count++;
    while (position > 0 && heap[(position - 1) / HEAP_ARITY].f > entry.f) {
        heap[position] = heap[(position - 1) / HEAP_ARITY];
        position = (position - 1) / HEAP_ARITY;
    }
    heap[position] = entry;
}

uint32_t nav_cones_pop(nav_cones *c)
{
    nav_heap_entry *heap = c->pool->heap;
    const uint32_t popped = heap[0].index;
    const nav_heap_entry last = heap[--c->heap_count];
    uint32_t position = 0;
    for (;;) {
        uint32_t first = position * HEAP_ARITY + 1;
        uint32_t end = first + HEAP_ARITY < c->heap_count ? first + HEAP_ARITY : c->heap_count;
        uint32_t least = first;
        for (uint32_t child = first + 1; child < end; ++child) {
            least = heap[child].f < heap[least].f ? child : least;
        }
        if (first >= c->heap_count || heap[least].f >= last.f) {
            break;
        }
        heap[position] = heap[least];
        position = least;
    }
    heap[position] = last;
    return popped;
}
