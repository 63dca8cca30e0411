// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// sqlite_memory.h: SQLite's allocator, made to fail: at a given call, or from it on. To be set up
// before SQLite is used for the first time.

#pragma once

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sqlite_memory {
    sqlite3_mem_methods real;
    int64_t left; // calls that still succeed; negative: all do
    int64_t bad;  // calls after those that fail
} sqlite_memory;

static sqlite_memory sqlite_memory_state = {.left = -1};

static inline int sqlite_memory_fails(void)
{
    sqlite_memory *m = &sqlite_memory_state;
    if (m->left != 0) {
        m->left -= m->left > 0;
        return 0;
    }
    m->left = --m->bad > 0 ? 0 : -1;
    return 1;
}

static inline void *sqlite_memory_malloc(int size_bytes)
{
    return sqlite_memory_fails() ? NULL : sqlite_memory_state.real.xMalloc(size_bytes);
}

static inline void *sqlite_memory_realloc(void *block, int size_bytes)
{
    return sqlite_memory_fails() ? NULL : sqlite_memory_state.real.xRealloc(block, size_bytes);
}

static inline void sqlite_memory_set_up(void)
{
    static sqlite3_mem_methods failing;
    (void)sqlite3_config(SQLITE_CONFIG_GETMALLOC, &sqlite_memory_state.real);
    failing = sqlite_memory_state.real;
    failing.xMalloc = sqlite_memory_malloc;
    failing.xRealloc = sqlite_memory_realloc;
    (void)sqlite3_config(SQLITE_CONFIG_MALLOC, &failing);
    // Without lookaside each allocation comes through here.
    (void)sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
}

// The calls after the next `left` ones fail, `bad` of them.
static inline void sqlite_memory_fail(int64_t left, int64_t bad)
{
    sqlite_memory_state.bad = bad;
    sqlite_memory_state.left = left;
}

// Whether the failure that was ordered has come; none comes any more.
static inline int sqlite_memory_stop(void)
{
    const int came = sqlite_memory_state.left <= 0;
    sqlite_memory_state.left = -1;
    sqlite_memory_state.bad = 0;
    return came;
}
