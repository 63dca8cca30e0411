// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// heap.h: a binary heap of numbered items, smallest key first. Private to core/.
//
// Equal keys leave in order of id, then of stamp, so that what a bake does with them depends on
// nothing else. Items are not removed before their turn: the owner counts a stamp up and skips, on
// popping, those with an old one.

#pragma once

#include "core/nav.h"

typedef struct nav_heap_item {
    int64_t key;
    uint32_t id;
    uint32_t stamp;
} nav_heap_item;

// The owner provides the items and sees to it that count never passes their number.
typedef struct nav_heap {
    nav_heap_item *items;
    uint32_t count;
} nav_heap;

// Makes a heap of count items in any order; linear.
void nav_heap_build(nav_heap *heap);
// There has to be room for one item more.
void nav_heap_push(nav_heap *heap, nav_heap_item item);
// Takes the first item out. The heap must not be empty.
nav_heap_item nav_heap_pop(nav_heap *heap);
