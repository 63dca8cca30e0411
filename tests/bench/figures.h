// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// figures.h: times of many questions as a median and a 99th percentile, for the benchmarks of
// queries.

#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

typedef struct figures {
    double p50, p99; // microseconds
} figures;

static inline double figures_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static inline int figures_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Of nanoseconds, which are sorted.
static inline figures figures_of(double *values_ns, uint32_t count)
{
    if (count == 0) {
        return (figures){0};
    }
    qsort(values_ns, count, sizeof *values_ns, figures_compare);
    return (figures){.p50 = values_ns[count / 2] / 1e3,
                     .p99 = values_ns[(uint32_t)((uint64_t)count * 99 / 100)] / 1e3};
}
