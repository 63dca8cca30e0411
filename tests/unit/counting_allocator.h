// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// counting_allocator.h: an allocator that counts, and fails from a given call on, or that one only.

#pragma once

#include "core/nav.h"

#include <stdlib.h>

typedef struct counting {
    uint32_t calls, calls_max;
    bool once; // the calls after that one succeed
    size_t held_bytes;
} counting;

static inline void *counting_alloc(void *user, size_t size_bytes)
{
    counting *c = user;
    if (c->calls == c->calls_max) {
        c->calls += c->once;
        return NULL;
    }
    ++c->calls;
    c->held_bytes += size_bytes;
    return malloc(size_bytes);
}

static inline void counting_free(void *user, void *block, size_t size_bytes)
{
    ((counting *)user)->held_bytes -= size_bytes;
    free(block);
}

static inline nav_allocator counting_allocator(counting *c)
{
    return (nav_allocator){.alloc = counting_alloc, .free = counting_free, .user = c};
}
