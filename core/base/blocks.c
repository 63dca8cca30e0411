// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// blocks.c: see blocks.h.

#include "core/base/blocks.h"

#include "core/base/poison.h"

#include <string.h>

// Arrays begin where anything may.
static size_t rounded(size_t size_bytes)
{
    return (size_bytes + 15) / 16 * 16;
}

bool nav_block_make(nav_block *block, const nav_allocator *source, const nav_block_array *arrays,
                    uint32_t count)
{
    size_t size_bytes = 0;
    for (uint32_t i = 0; i < count; ++i) {
        size_bytes += nav_with_red_zone(rounded(arrays[i].size_bytes));
    }
    uint8_t *bytes = source->alloc(source->user, size_bytes);
    if (bytes == NULL) {
        return false;
    }
    uint8_t *rest = bytes;
    for (uint32_t i = 0; i < count; ++i) {
        const size_t array_bytes = rounded(arrays[i].size_bytes);
        void *before, *array = nav_carve(&rest, array_bytes);
        nav_poison((uint8_t *)array + arrays[i].size_bytes, array_bytes - arrays[i].size_bytes);
        memcpy(&before, arrays[i].pointer, sizeof before);
        if (arrays[i].kept_bytes > 0) {
            memcpy(array, before, arrays[i].kept_bytes);
        }
        memcpy(arrays[i].pointer, &array, sizeof array);
    }
    nav_block_free(block, source);
    *block = (nav_block){.bytes = bytes, .size_bytes = size_bytes};
    return true;
}

void nav_block_free(nav_block *block, const nav_allocator *source)
{
    if (block->bytes != NULL) {
        nav_unpoison(block->bytes, block->size_bytes);
        source->free(source->user, block->bytes, block->size_bytes);
    }
    *block = (nav_block){0};
}
