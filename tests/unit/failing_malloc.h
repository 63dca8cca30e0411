// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// failing_malloc.h: malloc of the whole program, libraries included, made to fail at a given call,
// or from it on. For one source file of a program with one thread. The sanitizers have a malloc of
// their own: there nothing ever fails.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FAILING_MALLOC 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define FAILING_MALLOC 0
#endif
#endif
#ifndef FAILING_MALLOC
#define FAILING_MALLOC 1
#endif

static struct {
    int64_t left; // calls that still succeed; negative: all do
    bool once;    // only that one fails
    bool came;
} failing_malloc_state = {.left = -1};

// The call after the next `left` ones fails, and, unless once, all behind it.
static inline void failing_malloc_begin(int64_t left, bool once)
{
    failing_malloc_state.once = once;
    failing_malloc_state.came = false;
    failing_malloc_state.left = left;
}

// Whether the failure has come; none comes any more.
static inline bool failing_malloc_end(void)
{
    failing_malloc_state.left = -1;
    return failing_malloc_state.came;
}

#if FAILING_MALLOC
extern void *__libc_malloc(size_t size_bytes);
extern void *__libc_calloc(size_t count, size_t size_bytes);
extern void *__libc_realloc(void *block, size_t size_bytes);
void *malloc(size_t size_bytes);
void *calloc(size_t count, size_t size_bytes);
void *realloc(void *block, size_t size_bytes);

static bool failing_malloc_fails(void)
{
    if (failing_malloc_state.left != 0) {
        failing_malloc_state.left -= failing_malloc_state.left > 0;
        return false;
    }
    failing_malloc_state.left = failing_malloc_state.once ? -1 : 0;
    failing_malloc_state.came = true;
    return true;
}

void *malloc(size_t size_bytes)
{
    return failing_malloc_fails() ? NULL : __libc_malloc(size_bytes);
}

void *calloc(size_t count, size_t size_bytes)
{
    return failing_malloc_fails() ? NULL : __libc_calloc(count, size_bytes);
}

void *realloc(void *block, size_t size_bytes)
{
    return failing_malloc_fails() ? NULL : __libc_realloc(block, size_bytes);
}
#endif
