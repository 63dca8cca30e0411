// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// mutate.h: random numbers for mutators that know a format.

#pragma once

#include <stddef.h>
#include <stdint.h>

// libFuzzer's, or that of driver.c.
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size_bytes, size_t max_bytes);

typedef struct fuzz_random {
    uint64_t state;
} fuzz_random;

// splitmix64 of Vigna 2015.
static inline uint64_t fuzz_next(fuzz_random *random)
{
    uint64_t value = random->state += 0x9e3779b97f4a7c15u;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
}

// Below count, which is above 0.
static inline size_t fuzz_below(fuzz_random *random, size_t count)
{
    return (size_t)(fuzz_next(random) % count);
}

// Another 32-bit number, an integer or a float, for this one's place: near it, or at an end.
static inline uint32_t fuzz_word(fuzz_random *random, uint32_t word)
{
    static const uint32_t ends[] = {
        0,          1,          2,          3,          0x7f,       0xff,       0xffff,
        0x7fffffff, 0x80000000, 0x80000001, 0x80000002, 0xffffffff, 0xfffffffe, 0x3f800000,
        0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x49742400, 0x7f7fffff, 0x00000001};
    switch (fuzz_below(random, 6)) {
    case 0:
        return ends[fuzz_below(random, sizeof ends / sizeof ends[0])];
    case 1:
        return word + 1 + (uint32_t)fuzz_below(random, 4);
    case 2:
        return word - 1 - (uint32_t)fuzz_below(random, 4);
    case 3:
        return (uint32_t)fuzz_below(random, 64);
    case 4:
        return word ^ (UINT32_C(1) << fuzz_below(random, 32));
    default:
        return (uint32_t)fuzz_next(random);
    }
}
