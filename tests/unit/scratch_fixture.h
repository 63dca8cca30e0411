// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// scratch_fixture.h: one scratch for all tests of a program: what its group begins and ends with.

#pragma once

#include "core/nav.h"

static nav_scratch *scratch;

static inline int scratch_begin(void **state)
{
    (void)state;
    return nav_scratch_create(NULL, &scratch) == NAV_OK ? 0 : -1;
}

static inline int scratch_end(void **state)
{
    (void)state;
    nav_scratch_destroy(scratch);
    return 0;
}
