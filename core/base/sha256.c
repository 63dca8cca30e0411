// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// sha256.c: FIPS 180-4. core has no libraries beside libm, and names its tiles by content.
// If the processor has instructions for it they are used, some six times as fast, with the same
// digests.

#include "core/nav.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define HAS_X86 1
#include <immintrin.h>
#endif

// The constants of the 64 rounds.
static const uint32_t CONSTANTS[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate_right(uint32_t value, unsigned bits)
{
    return (value >> bits) | (value << (32 - bits));
}

static void add_block(uint32_t state[8], const uint8_t block[64])
{
    uint32_t w[64];
    for (int i = 0; i < 16; ++i) {
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    }
    for (int i = 16; i < 64; ++i) {
        uint32_t s0 = rotate_right(w[i - 15], 7) ^ rotate_right(w[i - 15], 18) ^ (w[i - 15] >> 3);
        uint32_t s1 = rotate_right(w[i - 2], 17) ^ rotate_right(w[i - 2], 19) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    uint32_t s[8];
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 64; ++i) {
        uint32_t e1 = rotate_right(s[4], 6) ^ rotate_right(s[4], 11) ^ rotate_right(s[4], 25);
        uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
        uint32_t t1 = s[7] + e1 + choice + CONSTANTS[i] + w[i];
        uint32_t e0 = rotate_right(s[0], 2) ^ rotate_right(s[0], 13) ^ rotate_right(s[0], 22);
        uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += t1;
        s[0] = t1 + e0 + majority;
    }
    for (int i = 0; i < 8; ++i) {
        state[i] += s[i];
    }
}

// ---- the processor's own instructions ----
//
// They hold the eight words of the state as two halves, a b e f and c d g h, take four words of the
// message at once and do two rounds each: Gulley, Gopal, Yap, Feghali, Guilford and Wolrich, "Intel
// SHA Extensions" (2013). Compilers that cannot ask the processor without keeping something of
// their own do without.

#ifdef HAS_X86

static bool x86_is_there(void)
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

WITH_SHA static inline void x86_block(__m128i *abef, __m128i *cdgh, const uint8_t *block)
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
            _mm_loadu_si128((const __m128i *)(const void *)(CONSTANTS + 4 * i));
        const __m128i sum = _mm_add_epi32(w[i], constants);
        second = _mm_sha256rnds2_epu32(second, first, sum);
        first = _mm_sha256rnds2_epu32(first, second, _mm_shuffle_epi32(sum, 0x0e));
    }
    *abef = _mm_add_epi32(*abef, first);
    *cdgh = _mm_add_epi32(*cdgh, second);
}

// Adds whole blocks of 64 bytes; only where the instructions are there.
WITH_SHA static void x86_add(uint32_t state[8], const uint8_t *blocks, size_t count)
{
    __m128i *low = (__m128i *)(void *)state, *high = (__m128i *)(void *)(state + 4);
    __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128(low), 0xb1);
    __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128(high), 0x1b);
    __m128i abef = _mm_alignr_epi8(badc, hgfe, 8);
    __m128i cdgh = _mm_blend_epi16(hgfe, badc, 0xf0);
    for (; count > 0; --count, blocks += 64) {
        x86_block(&abef, &cdgh, blocks);
    }
    __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
    __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128(low, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128(high, _mm_alignr_epi8(dchg, feba, 8));
}

#else

static bool x86_is_there(void)
{
    return false;
}

// Adds whole blocks of 64 bytes; only where the instructions are there.
static void x86_add(uint32_t state[8], const uint8_t *blocks, size_t count)
{
    (void)state;
    (void)blocks;
    NAV_ASSERT(count == 0);
}

#endif

// ---- exported ----

static void add_blocks(uint32_t state[8], const uint8_t *blocks, size_t count)
{
    if (x86_is_there()) {
        x86_add(state, blocks, count);
        return;
    }
    for (; count > 0; --count, blocks += 64) {
        add_block(state, blocks);
    }
}

void nav_sha256_init(nav_sha256 *hash)
{
    *hash = (nav_sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                   0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void nav_sha256_add(nav_sha256 *hash, const void *bytes, size_t size_bytes)
{
    if (size_bytes == 0) {
        return; // bytes may then be NULL, which memcpy does not take
    }
    NAV_ASSERT(bytes != NULL);
    const uint8_t *from = bytes;
    size_t filled = hash->size_bytes % 64;
    hash->size_bytes += size_bytes;
    if (filled > 0) {
        size_t taken = 64 - filled < size_bytes ? 64 - filled : size_bytes;
        memcpy(hash->block + filled, from, taken);
        from += taken;
        size_bytes -= taken;
        if (filled + taken < 64) {
            return;
        }
        add_blocks(hash->state, hash->block, 1);
    }
    add_blocks(hash->state, from, size_bytes / 64);
    from += size_bytes / 64 * 64;
    size_bytes %= 64;
    if (size_bytes > 0) {
        memcpy(hash->block, from, size_bytes);
    }
}

void nav_sha256_end(nav_sha256 *hash, uint8_t digest[32])
{
    uint64_t size_bits = hash->size_bytes * 8;
    uint8_t tail[72] = {0x80};
    size_t padding = 64 - (hash->size_bytes + 8) % 64;
    for (int i = 0; i < 8; ++i) {
        tail[padding + (size_t)i] = (uint8_t)(size_bits >> (56 - 8 * i));
    }
    nav_sha256_add(hash, tail, padding + 8);
    NAV_ASSERT(hash->size_bytes % 64 == 0); // the last block is whole
    for (int i = 0; i < 32; ++i) {
        digest[i] = (uint8_t)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
    }
}

void nav_sha256_of(const void *bytes, size_t size_bytes, uint8_t digest[32])
{
    nav_sha256 hash;
    nav_sha256_init(&hash);
    nav_sha256_add(&hash, bytes, size_bytes);
    nav_sha256_end(&hash, digest);
}

void nav_sha256_hex(const uint8_t digest[32], char hex[65])
{
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < 32; ++i) {
        hex[2 * i] = digits[digest[i] >> 4];
        hex[2 * i + 1] = digits[digest[i] & 15];
    }
    hex[64] = 0;
}
