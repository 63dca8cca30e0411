// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// heap.c: a binary heap of numbered items, smallest key first.

#include "core/base/heap.h"

static bool before(const nav_heap_item *a, const nav_heap_item *b)
{
    if (a->key != b->key) {
        return a->key < b->key;
    }
    return a->id != b->id ? a->id < b->id : a->stamp < b->stamp;
}

// Lets the item at this place sink to where both children come after it.
static void sink(nav_heap *heap, uint32_t place)
{
    nav_heap_item item = heap->items[place];
    for (;;) {
        uint64_t child = 2 * (uint64_t)place + 1;
        if (child >= heap->count) {
            break;
        }
        if (child + 1 < heap->count && before(&heap->items[child + 1], &heap->items[child])) {
            child++;
        }
        if (!before(&heap->items[child], &item)) {
            break;
        }
        heap->items[place] = heap->items[child];
        place = (uint32_t)child;
    }
    heap->items[place] = item;
}

void nav_heap_build(nav_heap *heap)
{
    for (uint32_t place = heap->count / 2; place-- > 0;) {
        sink(heap, place);
    }
}

void nav_heap_push(nav_heap *heap, nav_heap_item item)
{
    uint32_t place = heap->count++;
    while (place > 0 && before(&item, &heap->items[(place - 1) / 2])) {
        heap->items[place] = heap->items[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    heap->items[place] = item;
}

nav_heap_item nav_heap_pop(nav_heap *heap)
{
    NAV_ASSERT(heap->count > 0);
    nav_heap_item top = heap->items[0];
    heap->items[0] = heap->items[--heap->count];
    if (heap->count > 0) {
        sink(heap, 0);
    }
    NAV_DCHECK(heap->count == 0 || !before(&heap->items[0], &top));
    return top;
}
