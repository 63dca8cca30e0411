// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// poison.h: memory that is held, but that nobody may touch. The address sanitizer knows only what
// malloc gave out; arenas and the scratch divide such blocks themselves, and report here which of
// their bytes are in use. Without the sanitizer these functions do nothing and change no layout.

#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__SANITIZE_ADDRESS__)
#define NAV_POISON 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define NAV_POISON 1
#endif
#endif

#ifdef NAV_POISON

#include <sanitizer/asan_interface.h>

// Bytes behind an array that are nobody's: at least 16, and the next array is aligned to 16.
static inline size_t nav_red_zone_bytes(size_t size_bytes)
{
    return 16 + (16 - size_bytes % 16) % 16;
}

static inline void nav_poison(const void *memory, size_t size_bytes)
{
    __asan_poison_memory_region(memory, size_bytes);
}

static inline void nav_unpoison(const void *memory, size_t size_bytes)
{
    __asan_unpoison_memory_region(memory, size_bytes);
}

#else

static inline size_t nav_red_zone_bytes(size_t size_bytes)
{
    (void)size_bytes;
    return 0;
}

static inline void nav_poison(const void *memory, size_t size_bytes)
{
    (void)memory;
    (void)size_bytes;
}

static inline void nav_unpoison(const void *memory, size_t size_bytes)
{
    (void)memory;
    (void)size_bytes;
}

#endif

// An array with the red zone behind it.
static inline size_t nav_with_red_zone(size_t size_bytes)
{
    return size_bytes + nav_red_zone_bytes(size_bytes);
}

// The next array of a block that several share, with a red zone behind it. The block has to have
// nav_with_red_zone(size_bytes) of room for each.
static inline void *nav_carve(uint8_t **rest, size_t size_bytes)
{
    uint8_t *array = *rest;
    nav_poison(array + size_bytes, nav_red_zone_bytes(size_bytes));
    *rest += nav_with_red_zone(size_bytes);
    return array;
}
