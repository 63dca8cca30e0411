// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// sets.h: sorted lists of numbers, and disjoint sets of them (union-find): each number leads to one
// of its set that is not greater, the least to itself. Private to core/.

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

// How many numbers of a rising list are below one; they stand so many bytes apart.
static inline uint32_t nav_numbers_below(const uint32_t *list, size_t stride_bytes, uint32_t count,
                                         uint32_t number)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        const void *at = (const char *)list + middle * stride_bytes;
        if (*(const uint32_t *)at < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// For qsort and bsearch.
static inline int nav_numbers_compare(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}
