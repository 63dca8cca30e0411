// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// sha256_x86.c: blocks of SHA-256 with the processor's own instructions, some six times as fast.
// The digests are the same. Elsewhere, and with compilers that cannot ask the processor without
// keeping something of their own, sha256.c does without.
//
// The instructions hold the eight words of the state as two halves, a b e f and c d g h, take four
// words of the message at once and do two rounds each: Gulley, Gopal, Yap, Feghali, Guilford and
// Wolrich, "Intel SHA Extensions" (2013).

#include "core/base/sha256.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)

#include <immintrin.h>

bool nav_sha256_x86_is_there(void)
{
    return __builtin_cpu_supports("sha") && __builtin_cpu_supports("sse4.1");
}

#define WITH_SHA __attribute__((target("sha,sse4.1,ssse3")))

// The next four words of the message from the sixteen before them.
WITH_SHA static inline __m128i next_words(__m128i w0, __m128i w1, __m128i w2, __m128i w3)
{
    __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4));
    return _mm_sha256msg2_epu32(sum, w3);
}

WITH_SHA static inline void add_block(__m128i *abef, __m128i *cdgh, const uint8_t *block)
{
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i w[16];
    __m128i first = *abef, second = *cdgh;
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) {
        w[i] =
            i < 4
                ? _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)(block + 16 * i)),
                                   big_endian)
                : next_words(w[i - 4], w[i - 3], w[i - 2], w[i - 1]);
        const __m128i constants =
            _mm_loadu_si128((const __m128i *)(const void *)(NAV_SHA256_CONSTANTS + 4 * i));
        const __m128i sum = _mm_add_epi32(w[i], constants);
        second = _mm_sha256rnds2_epu32(second, first, sum);
        first = _mm_sha256rnds2_epu32(first, second, _mm_shuffle_epi32(sum, 0x0e));
    }
    *abef = _mm_add_epi32(*abef, first);
    *cdgh = _mm_add_epi32(*cdgh, second);
}

WITH_SHA void nav_sha256_x86_add(uint32_t state[8], const uint8_t *blocks, size_t count)
{
    __m128i *low = (__m128i *)(void *)state, *high = (__m128i *)(void *)(state + 4);
    __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128(low), 0xb1);
    __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128(high), 0x1b);
    __m128i abef = _mm_alignr_epi8(badc, hgfe, 8);
    __m128i cdgh = _mm_blend_epi16(hgfe, badc, 0xf0);
    for (; count > 0; --count, blocks += 64) {
        add_block(&abef, &cdgh, blocks);
    }
    __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
    __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128(low, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128(high, _mm_alignr_epi8(dchg, feba, 8));
}

#else

bool nav_sha256_x86_is_there(void)
{
    return false;
}

void nav_sha256_x86_add(uint32_t state[8], const uint8_t *blocks, size_t count)
{
    (void)state;
    (void)blocks;
    NAV_ASSERT(count == 0);
}

#endif
