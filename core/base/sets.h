// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// sets.h: disjoint sets of numbers (union-find). Each number leads to one of its set that is not
// greater, the least to itself. Private to core/.

#pragma once

#include "core/nav.h"

// The least number of a set. Halves the way on the go.
static inline uint32_t nav_set_of(uint32_t *leaders, uint32_t number)
{
    while (leaders[number] != number) {
        NAV_DCHECK(leaders[number] < number);
        leaders[number] = leaders[leaders[number]];
        number = leaders[number];
    }
    return number;
}

// Makes one set of those of two numbers.
static inline void nav_sets_unite(uint32_t *leaders, uint32_t a, uint32_t b)
{
    a = nav_set_of(leaders, a);
    b = nav_set_of(leaders, b);
    leaders[a > b ? a : b] = a < b ? a : b;
}
