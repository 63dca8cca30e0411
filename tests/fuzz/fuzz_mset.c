// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_mset.c: see fuzz_detour.h. A mutator that changes single numbers of a whole file.

#include "tests/fuzz/fuzz_detour.h"
#include "tests/fuzz/mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size_bytes, size_t max_bytes,
                               unsigned int seed);

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size_bytes, size_t max_bytes,
                               unsigned int seed)
{
    fuzz_random random = {seed};
    if (size_bytes < 8 || fuzz_below(&random, 4) == 0) {
        static made_bytes made;
        made_mset(&made);
        size_bytes = made.count < max_bytes ? made.count : max_bytes;
        memcpy(bytes, made.at, size_bytes);
    }
    if (fuzz_below(&random, 8) == 0) {
        return LLVMFuzzerMutate(bytes, size_bytes, max_bytes);
    }
    for (size_t changes = 1 + fuzz_below(&random, 3); size_bytes >= 4 && changes > 0; changes--) {
        uint32_t word;
        const size_t at = fuzz_below(&random, size_bytes - 3) & ~(size_t)1;
        memcpy(&word, bytes + at, sizeof word);
        word = fuzz_below(&random, 2) == 0
                   ? fuzz_word(&random, word)
                   : (word & 0xffff0000) | (fuzz_word(&random, word & 0xffff) & 0xffff);
        memcpy(bytes + at, &word, sizeof word);
    }
    return size_bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    return fuzz_detour(bytes, size_bytes);
}
