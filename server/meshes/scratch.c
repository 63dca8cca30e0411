// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// scratch.c: search memory belongs to a thread, since a thread answers one query at a time. It
// grows to the largest mesh that the thread has met and then no query allocates.

#include "server/meshes/scratch.h"

#include <pthread.h>
#include <stdatomic.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool key_made;

static _Atomic uint64_t held_bytes;

// The default allocator, counted.
static void *alloc_counted(void *user, size_t size_bytes)
{
    const nav_allocator plain = nav_allocator_default();
    (void)user;
    void *block = plain.alloc(plain.user, size_bytes);
    if (block != NULL) {
        atomic_fetch_add_explicit(&held_bytes, size_bytes, memory_order_relaxed);
    }
    return block;
}

static void free_counted(void *user, void *block, size_t size_bytes)
{
    const nav_allocator plain = nav_allocator_default();
    (void)user;
    atomic_fetch_sub_explicit(&held_bytes, size_bytes, memory_order_relaxed);
    plain.free(plain.user, block, size_bytes);
}

uint64_t scratch_bytes(void)
{
    return atomic_load_explicit(&held_bytes, memory_order_relaxed);
}

static void destroy_scratch(void *scratch)
{
    nav_scratch_destroy(scratch);
}

static void make_key(void)
{
    key_made = pthread_key_create(&key, destroy_scratch) == 0;
}

nav_scratch *scratch_of_thread(void)
{
    (void)pthread_once(&once, make_key);
    if (!key_made) {
        return NULL;
    }
    nav_scratch *scratch = pthread_getspecific(key);
    if (scratch != NULL) {
        return scratch;
    }
    static const nav_allocator counted = {.alloc = alloc_counted, .free = free_counted};
    if (nav_scratch_create(&counted, &scratch) != NAV_OK) {
        return NULL;
    }
    if (pthread_setspecific(key, scratch) != 0) {
        nav_scratch_destroy(scratch);
        return NULL;
    }
    return scratch;
}
