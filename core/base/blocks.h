// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// blocks.h: arrays that grow together, in one block of an allocator. The address sanitizer sees the
// border of each (poison.h).

#pragma once

#include "core/nav.h"

// Zeroed: holds nothing yet.
typedef struct nav_block {
    void *bytes;
    size_t size_bytes;
} nav_block;

// An array of a block: the pointer to it, its size, and how much of what it holds stays.
typedef struct nav_block_array {
    void *pointer; // its address
    size_t size_bytes, kept_bytes;
} nav_block_array;

// The array behind a pointer, with room for so many elements, of which so many stay.
#define NAV_BLOCK_ARRAY(pointer, count, kept)                                                      \
    {                                                                                              \
        &(pointer), (size_t)(count) * sizeof *(pointer), (size_t)(kept) * sizeof *(pointer)        \
    }

// Gives the block room for arrays of these sizes, and the pointers their new places. Bytes that do
// not stay are not cleared. False when there is no memory: all is as it was.
bool nav_block_make(nav_block *block, const nav_allocator *source, const nav_block_array *arrays,
                    uint32_t count);
void nav_block_free(nav_block *block, const nav_allocator *source);
