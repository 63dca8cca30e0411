// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_sha256.c: the examples of FIPS 180-4 and NIST's short messages, whole and in pieces.

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "core/nav.h"

#include <string.h>

static void expect(nav_sha256 *hash, const char *expected)
{
    uint8_t digest[32];
    char hex[65];
    nav_sha256_end(hash, digest);
    memset(hex, 'x', sizeof hex);
    nav_sha256_hex(digest, hex);
    assert_string_equal(hex, expected);
}

static void expect_text(const char *text, const char *expected)
{
    nav_sha256 hash;
    nav_sha256_init(&hash);
    nav_sha256_add(&hash, text, strlen(text));
    expect(&hash, expected);
}

static void the_examples_of_the_standard(void **state)
{
    (void)state;
    expect_text("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect_text("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect_text("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    expect_text("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
}

static void a_single_byte(void **state)
{
    (void)state;
    nav_sha256 hash;
    nav_sha256_init(&hash);
    nav_sha256_add(&hash, "\xbd", 1);
    expect(&hash, "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b");
}

// Runs of zeros around the block's border, where the padding goes into the next block.
static void lengths_around_a_block(void **state)
{
    (void)state;
    static const struct {
        size_t count;
        const char *digest;
    } rows[] = {
        {55, "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7"},
        {56, "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb"},
        {57, "65a16cb7861335d5ace3c60718b5052e44660726da4cd13bb745381b235a1785"},
        {64, "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b"},
        {1000, "541b3e9daa09b20bf85fa273e5cbd3e80185aa4ec298e765db87742b70138a53"},
    };
    static const uint8_t zeros[1000];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        nav_sha256 hash;
        nav_sha256_init(&hash);
        nav_sha256_add(&hash, zeros, rows[i].count);
        expect(&hash, rows[i].digest);
    }
}

static void a_million_letters(void **state)
{
    (void)state;
    static const char expected[] =
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
    static char letters[1000000];
    memset(letters, 'a', sizeof letters);
    nav_sha256 hash;
    nav_sha256_init(&hash);
    nav_sha256_add(&hash, letters, sizeof letters);
    expect(&hash, expected);
    // In pieces of every length up to 200, again and again.
    nav_sha256_init(&hash);
    for (size_t fed = 0, piece = 0; fed < sizeof letters; fed += piece) {
        piece = piece % 200 + 1;
        piece = piece < sizeof letters - fed ? piece : sizeof letters - fed;
        nav_sha256_add(&hash, letters + fed, piece);
    }
    expect(&hash, expected);
}

static void any_split_in_two_gives_the_same(void **state)
{
    (void)state;
    uint8_t bytes[200];
    for (size_t i = 0; i < sizeof bytes; ++i) {
        bytes[i] = (uint8_t)(i * 37 + 11);
    }
    uint8_t whole[32], parts[32];
    nav_sha256 hash;
    nav_sha256_init(&hash);
    nav_sha256_add(&hash, bytes, sizeof bytes);
    nav_sha256_end(&hash, whole);
    for (size_t split = 0; split <= sizeof bytes; ++split) {
        nav_sha256_init(&hash);
        nav_sha256_add(&hash, bytes, split);
        nav_sha256_add(&hash, NULL, 0); // an empty array has no address
        nav_sha256_add(&hash, bytes + split, sizeof bytes - split);
        nav_sha256_end(&hash, parts);
        assert_memory_equal(parts, whole, sizeof whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_examples_of_the_standard),    cmocka_unit_test(a_single_byte),
        cmocka_unit_test(lengths_around_a_block),          cmocka_unit_test(a_million_letters),
        cmocka_unit_test(any_split_in_two_gives_the_same),
    };
    return cmocka_run_group_tests_name("sha256", tests, NULL, NULL);
}
