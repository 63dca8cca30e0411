// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// memory_fixture.h: an arena for each test: what its requests hold.

#pragma once

#include "core/nav.h"

static nav_arena memory;

static inline int memory_begin(void **state)
{
    (void)state;
    nav_arena_init(&memory, NULL, 0);
    return 0;
}

static inline int memory_end(void **state)
{
    (void)state;
    nav_arena_free(&memory);
    return 0;
}
