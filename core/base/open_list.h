// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// open_list.h: the open list of a search, least key first: a heap of four children a node. Both
// engines use it. Private to core/.
//
// The key stands beside the index, so that sifting stays inside the heap's own cache lines. The
// best entry of an expansion waits beside the heap: mostly it is the one that is taken next.

#pragma once

#include "core/nav.h"

#include <math.h>

#define NAV_OPEN_ARITY 4u

typedef struct nav_open_entry {
    float key;
    uint32_t index; // the owner's number of a node
} nav_open_entry;

typedef struct nav_open_list {
    nav_open_entry *entries; // the owner's, who sees to it that there is room
    uint32_t count;
    nav_open_entry waiting; // key INFINITY: none
} nav_open_list;

static inline nav_open_list nav_open_list_of(nav_open_entry *entries)
{
    return (nav_open_list){.entries = entries, .waiting = {.key = INFINITY}};
}

static inline void nav_open_list_push(nav_open_list *list, nav_open_entry entry)
{
    uint32_t position = list->count++;
    while (position > 0) {
        const uint32_t parent = (position - 1) / NAV_OPEN_ARITY;
        if (list->entries[parent].key <= entry.key) {
            break;
        }
        list->entries[position] = list->entries[parent];
        position = parent;
    }
    list->entries[position] = entry;
}

// Takes the least entry out of the heap, which must not be empty.
static inline nav_open_entry nav_open_list_pop(nav_open_list *list)
{
    NAV_DCHECK(list->count > 0);
    const nav_open_entry top = list->entries[0];
    const nav_open_entry last = list->entries[--list->count];
    const uint32_t count = list->count;
    uint32_t position = 0;
    for (;;) {
        const uint32_t first = position * NAV_OPEN_ARITY + 1;
        if (first >= count) {
            break;
        }
        const uint32_t end = first + NAV_OPEN_ARITY < count ? first + NAV_OPEN_ARITY : count;
        uint32_t least = first;
        for (uint32_t child = first + 1; child < end; ++child) {
            least = list->entries[child].key < list->entries[least].key ? child : least;
        }
        if (list->entries[least].key >= last.key) {
            break;
        }
        list->entries[position] = list->entries[least];
        position = least;
    }
    list->entries[position] = last;
    return top;
}

// Adds an entry, whose key is finite. Needs room for one in the heap.
static inline void nav_open_list_add(nav_open_list *list, nav_open_entry entry)
{
    NAV_DCHECK(entry.key < INFINITY);
    const bool less = entry.key < list->waiting.key;
    const nav_open_entry other = less ? list->waiting : entry;
    list->waiting = less ? entry : list->waiting;
    if (other.key < INFINITY) {
        nav_open_list_push(list, other);
    }
}

// Puts the entry that waits into the heap where it is not the least. The heap's order decides which
// of equal keys is taken first, and so which of several shortest paths is found.
static inline void nav_open_list_settle(nav_open_list *list)
{
    if (list->waiting.key < INFINITY && list->count > 0 &&
        list->entries[0].key < list->waiting.key) {
        nav_open_list_push(list, list->waiting);
        list->waiting.key = INFINITY;
    }
}

// Takes the least entry of all. False: there is none.
static inline bool nav_open_list_take(nav_open_list *list, nav_open_entry *out)
{
    *out = list->waiting;
    list->waiting.key = INFINITY;
    if (list->count > 0 && list->entries[0].key < out->key) {
        const nav_open_entry waiting = *out;
        *out = nav_open_list_pop(list);
        if (waiting.key < INFINITY) {
            nav_open_list_push(list, waiting);
        }
    }
    return out->key < INFINITY;
}
