// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// touches.c: see touches.h.

#include "core/bake/voxelize/touches.h"

nav_status nav_touches_add_chunks(nav_voxelizer *v, uint32_t count)
{
    nav_touches *t = &v->touches;
    if ((uint64_t)t->count + count >= UINT32_MAX - NAV_TOUCH_CHUNK) {
        return nav_fail(v->job->err, NAV_TILE_TOO_COMPLEX,
                        "the triangles touch more cells than one tile can hold; use a larger "
                        "cell_size or smaller tiles");
    }
    while (t->room - t->count < count) {
        if (t->chunk_count == t->chunk_capacity) {
            uint32_t capacity = t->chunk_capacity * 2 + 16;
            nav_touch_chunk **chunks = nav_arena_grow(&t->list_arena, t->chunks, t->chunk_count,
                                                      capacity, sizeof(nav_touch_chunk *));
            if (chunks == NULL) {
                return NAV_NO_MEMORY;
            }
            t->chunks = chunks;
            t->chunk_capacity = capacity;
        }
        nav_touch_chunk *chunk = NAV_NEW(&t->chunk_arena, nav_touch_chunk, 1);
        if (chunk == NULL) {
            return NAV_NO_MEMORY;
        }
        t->chunks[t->chunk_count++] = chunk;
        t->room += NAV_TOUCH_CHUNK;
    }
    return NAV_OK;
}
