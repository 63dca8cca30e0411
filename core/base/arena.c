// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// arena.c: a bump allocator. Blocks form a stack, newest first; memory is taken from the newest
// one.
//
// Under the address sanitizer all that is not given out is poisoned (poison.h), with a red zone
// behind each allocation: a pointer that outlives a reset, and an index past the end, are caught at
// once.
//
//   arena.block -> [header | used ........ | free] -> [header | used | lost] -> ... -> NULL

#include "core/nav.h"
#include "core/base/poison.h"

#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 16u
#define BLOCK_BYTES_MIN (4u * 1024u)
#define BLOCK_BYTES_MAX (64u * 1024u)

struct nav_arena_block {
    nav_arena_block *previous;
    size_t size_bytes; // of the payload
    size_t used_bytes;
    size_t last_bytes; // where the newest allocation begins, for growing it in place
};

_Static_assert(sizeof(nav_arena_block) % ALIGNMENT == 0, "the payload begins aligned");

static uint8_t *payload(nav_arena_block *block)
{
    return (uint8_t *)(block + 1);
}

static void *default_alloc(void *user, size_t size_bytes)
{
    (void)user;
    return malloc(size_bytes);
}

static void default_free(void *user, void *block, size_t size_bytes)
{
    (void)user;
    (void)size_bytes;
    free(block);
}

nav_allocator nav_allocator_default(void)
{
    return (nav_allocator){.alloc = default_alloc, .free = default_free};
}

void nav_arena_init(nav_arena *arena, const nav_allocator *allocator, size_t limit_bytes)
{
    *arena = (nav_arena){.allocator = allocator != NULL ? *allocator : nav_allocator_default(),
                         .limit_bytes = limit_bytes};
}

void nav_arena_init_child(nav_arena *arena, nav_arena *parent)
{
    NAV_ASSERT(arena != parent);
    *arena = (nav_arena){.allocator = parent->allocator, .parent = parent};
}

// Bytes that may still be taken from the allocator.
static size_t free_in(const nav_arena *arena)
{
    size_t free_bytes = SIZE_MAX;
    for (; arena != NULL; arena = arena->parent) {
        NAV_ASSERT(arena->limit_bytes == 0 || arena->held_bytes <= arena->limit_bytes);
        size_t left_bytes =
            arena->limit_bytes == 0 ? SIZE_MAX : arena->limit_bytes - arena->held_bytes;
        free_bytes = left_bytes < free_bytes ? left_bytes : free_bytes;
    }
    return free_bytes;
}

static void pop_block(nav_arena *arena)
{
    nav_arena_block *block = arena->block;
    size_t size_bytes = sizeof *block + block->size_bytes;
    NAV_ASSERT(block->used_bytes <= block->size_bytes);
    NAV_ASSERT(block->last_bytes <= block->used_bytes);
    arena->block = block->previous;
    for (nav_arena *a = arena; a != NULL; a = a->parent) {
        NAV_ASSERT(a->held_bytes >= size_bytes);
        a->held_bytes -= size_bytes;
    }
    nav_unpoison(payload(block), block->size_bytes);
    arena->allocator.free(arena->allocator.user, block, size_bytes);
}

void nav_arena_free(nav_arena *arena)
{
    while (arena->block != NULL) {
        pop_block(arena);
    }
}

// A new block of at least need_bytes. It grows with what the arena and its children hold, up to a
// limit that keeps idle ends small; a large array gets a block of just its size.
static bool push_block(nav_arena *arena, size_t need_bytes)
{
    size_t free_bytes = free_in(arena);
    if (free_bytes < sizeof(nav_arena_block) || need_bytes > free_bytes - sizeof(nav_arena_block)) {
        for (nav_arena *a = arena; a != NULL; a = a->parent) {
            a->at_limit = true;
        }
        return false;
    }
    free_bytes -= sizeof(nav_arena_block);
    size_t size_bytes = arena->held_bytes / 16;
    size_bytes = size_bytes < BLOCK_BYTES_MIN ? BLOCK_BYTES_MIN : size_bytes;
    size_bytes = size_bytes > BLOCK_BYTES_MAX ? BLOCK_BYTES_MAX : size_bytes;
    size_bytes = size_bytes > free_bytes ? free_bytes : size_bytes;
    size_bytes = size_bytes < need_bytes ? need_bytes : size_bytes;
    size_t total_bytes = size_bytes + sizeof(nav_arena_block);
    nav_arena_block *block = arena->allocator.alloc(arena->allocator.user, total_bytes);
    if (block == NULL) {
        return false;
    }
    *block = (nav_arena_block){.previous = arena->block, .size_bytes = size_bytes};
    nav_poison(payload(block), size_bytes);
    arena->block = block;
    // Adds to what the arena and its parents hold.
    for (; arena != NULL; arena = arena->parent) {
        arena->held_bytes += total_bytes;
        arena->peak_bytes =
            arena->held_bytes > arena->peak_bytes ? arena->held_bytes : arena->peak_bytes;
    }
    return true;
}

// Total of count elements and a red zone, rounded up to the alignment; false on overflow. Nothing
// takes some room as well, so that each allocation has an address of its own, by which growing
// knows the newest.
static bool total_size(size_t count, size_t size_bytes, size_t *out)
{
    size_t total_bytes;
    if (__builtin_mul_overflow(count, size_bytes, &total_bytes) ||
        total_bytes > SIZE_MAX - ALIGNMENT - nav_red_zone_bytes(1)) {
        return false;
    }
    total_bytes += nav_red_zone_bytes(total_bytes);
    total_bytes += total_bytes == 0;
    *out = (total_bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    return true;
}

void *nav_arena_alloc(nav_arena *arena, size_t count, size_t size_bytes)
{
    size_t total_bytes;
    if (!total_size(count, size_bytes, &total_bytes)) {
        return NULL;
    }
    nav_arena_block *block = arena->block;
    if (block == NULL || block->size_bytes - block->used_bytes < total_bytes) {
        if (!push_block(arena, total_bytes)) {
            return NULL;
        }
        block = arena->block;
    }
    NAV_DCHECK(block->used_bytes % ALIGNMENT == 0);
    NAV_ASSERT(block->size_bytes - block->used_bytes >= total_bytes);
    block->last_bytes = block->used_bytes;
    block->used_bytes += total_bytes;
    uint8_t *memory = payload(block) + block->last_bytes;
    nav_unpoison(memory, count * size_bytes);
    return memory;
}

void *nav_arena_alloc_zero(nav_arena *arena, size_t count, size_t size_bytes)
{
    void *memory = nav_arena_alloc(arena, count, size_bytes);
    if (memory != NULL) {
        memset(memory, 0, count * size_bytes);
    }
    return memory;
}

void *nav_arena_grow(nav_arena *arena, void *old, size_t old_count, size_t new_count,
                     size_t size_bytes)
{
    NAV_ASSERT(new_count >= old_count);
    NAV_ASSERT(old != NULL || old_count == 0);
    nav_arena_block *block = arena->block;
    size_t total_bytes;
    if (!total_size(new_count, size_bytes, &total_bytes)) {
        return NULL;
    }
    if (old != NULL && block != NULL && old == payload(block) + block->last_bytes &&
        block->size_bytes - block->last_bytes >= total_bytes) {
        block->used_bytes = block->last_bytes + total_bytes;
        nav_unpoison(old, new_count * size_bytes);
        return old;
    }
    void *memory = nav_arena_alloc(arena, new_count, size_bytes);
    if (memory != NULL && old_count > 0) {
        memcpy(memory, old, old_count * size_bytes);
    }
    return memory;
}

void *nav_arena_regrow(nav_arena *arena, void *old, size_t old_count, size_t new_count,
                       size_t size_bytes)
{
    NAV_ASSERT(arena->parent != NULL);
    NAV_ASSERT(new_count >= old_count);
    NAV_ASSERT(old != NULL || old_count == 0);
    nav_arena larger;
    nav_arena_init_child(&larger, arena->parent);
    void *memory = nav_arena_alloc(&larger, new_count, size_bytes);
    if (memory == NULL) {
        arena->at_limit = arena->at_limit || larger.at_limit;
        return NULL;
    }
    if (old_count > 0) {
        memcpy(memory, old, old_count * size_bytes);
    }
    nav_arena_free(arena);
    *arena = larger;
    return memory;
}

nav_arena_mark nav_arena_save(const nav_arena *arena)
{
    return (nav_arena_mark){.block = arena->block,
                            .used_bytes = arena->block != NULL ? arena->block->used_bytes : 0};
}

void nav_arena_restore(nav_arena *arena, nav_arena_mark mark)
{
    // With an empty mark the oldest block is kept, so that a reused arena does not go back to
    // malloc.
    while (arena->block != mark.block && !(mark.block == NULL && arena->block->previous == NULL)) {
        pop_block(arena);
        NAV_ASSERT(arena->block != NULL || mark.block == NULL); // the mark is this arena's
    }
    if (arena->block != NULL) {
        NAV_ASSERT(mark.used_bytes <= arena->block->used_bytes);
        arena->block->used_bytes = mark.used_bytes;
        arena->block->last_bytes = mark.used_bytes;
        nav_poison(payload(arena->block) + mark.used_bytes,
                   arena->block->size_bytes - mark.used_bytes);
    }
}

void nav_arena_reset(nav_arena *arena)
{
    if (arena->block == NULL || arena->block->previous == NULL) {
        nav_arena_restore(arena, (nav_arena_mark){0});
        return;
    }
    size_t size_bytes = 0;
    for (const nav_arena_block *block = arena->block; block != NULL; block = block->previous) {
        size_bytes += block->size_bytes;
    }
    nav_arena_free(arena);
    // Without that memory the arena is empty, and grows again as it is used.
    push_block(arena, size_bytes);
}
