// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_mmap.c: see fuzz_detour.h. The headers' sums are made to fit whatever has been changed.

#include "tests/fuzz/fuzz_detour.h"
#include "tests/fuzz/mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size_bytes, size_t max_bytes,
                               unsigned int seed);

static void put_sums(uint8_t *bytes, size_t size_bytes)
{
    for (size_t at = 0; at + 512 <= size_bytes; at += 512) {
        uint8_t *block = bytes + at;
        if (memcmp(block + 257, "ustar", 5) == 0) {
            uint32_t sum = 0;
            memset(block + 148, ' ', 8);
            for (size_t i = 0; i < 512; i++) {
                sum += block[i];
            }
            (void)snprintf((char *)block + 148, 8, "%06o", (unsigned)sum);
        }
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size_bytes, size_t max_bytes,
                               unsigned int seed)
{
    fuzz_random random = {seed};
    if (size_bytes < 512 || fuzz_below(&random, 4) == 0) {
        static made_bytes made;
        made_tar(&made);
        size_bytes = made.count < max_bytes ? made.count : max_bytes;
        memcpy(bytes, made.at, size_bytes);
    }
    size_bytes = LLVMFuzzerMutate(bytes, size_bytes, max_bytes);
    put_sums(bytes, size_bytes);
    return size_bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    return fuzz_detour(bytes, size_bytes);
}
