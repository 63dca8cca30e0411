// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_pack.c: zstd is unpacked whole or refused with the right word, and never beyond its bounds.

#include "server/base/pack.h"

#include "server/base/limits.h"
#include "tests/unit/asked.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zstd.h>

#define TEXT "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 3 2\n"

typedef struct sunk {
    uint64_t size_bytes;
    char head[256];
} sunk;

#define RATIO_MAX 1000u

static nav_status sink(void *user, const void *bytes, size_t size_bytes, nav_error *err)
{
    (void)err;
    sunk *s = user;
    for (size_t i = 0; i < size_bytes && s->size_bytes + i < sizeof s->head; i++) {
        s->head[s->size_bytes + i] = ((const char *)bytes)[i];
    }
    s->size_bytes += size_bytes;
    return NAV_OK;
}

// Feeds all bytes in pieces and ends.
static nav_status unpack(const void *bytes, size_t size_bytes, size_t piece, uint64_t limit,
                         sunk *out)
{
    pack_reader *reader;
    memset(out, 0, sizeof *out);
    const pack_limits limits = {
        .output_bytes_max = limit, .window_bytes_max = 8 << 20, .ratio_max = RATIO_MAX};
    assert_int_equal(pack_reader_create(&limits, &reader, NULL), NAV_OK);
    nav_status status = NAV_OK;
    for (size_t at = 0; status == NAV_OK && at < size_bytes; at += piece) {
        size_t some = size_bytes - at < piece ? size_bytes - at : piece;
        status = pack_reader_feed(reader, (const char *)bytes + at, some, sink, out, NULL);
    }
    if (status == NAV_OK) {
        status = pack_reader_end(reader, NULL);
    }
    pack_reader_destroy(reader);
    return status;
}

static size_t compress(const void *bytes, size_t size_bytes, int window_log, void *out,
                       size_t capacity)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    (void)ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
    (void)ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
    // Without an announced size the window is as large as it was asked for.
    ZSTD_inBuffer in = {bytes, size_bytes, 0};
    ZSTD_outBuffer to = {out, capacity, 0};
    while (in.pos < in.size) {
        assert_false(ZSTD_isError(ZSTD_compressStream2(context, &to, &in, ZSTD_e_continue)));
    }
    assert_int_equal(ZSTD_compressStream2(context, &to, &in, ZSTD_e_end), 0);
    (void)ZSTD_freeCCtx(context);
    return to.pos;
}

static void any_piece_size_gives_the_same(void **state)
{
    (void)state;
    void *packed;
    size_t packed_bytes;
    assert_int_equal(pack_compress(TEXT, strlen(TEXT), &packed, &packed_bytes, NULL), NAV_OK);
    for (size_t piece = 1; piece <= packed_bytes; piece++) {
        sunk out;
        assert_int_equal(unpack(packed, packed_bytes, piece, 1000, &out), NAV_OK);
        assert_int_equal(out.size_bytes, strlen(TEXT));
        assert_memory_equal(out.head, TEXT, strlen(TEXT));
    }
    free(packed);
}

static void every_cut_is_refused(void **state)
{
    (void)state;
    void *packed;
    size_t packed_bytes;
    assert_int_equal(pack_compress(TEXT, strlen(TEXT), &packed, &packed_bytes, NULL), NAV_OK);
    for (size_t cut = 0; cut < packed_bytes; cut++) {
        sunk out;
        assert_int_equal(unpack(packed, cut, 7, 1000, &out), PROTO_BAD_ZSTD);
    }
    free(packed);
}

static void what_follows_the_frame_is_refused(void **state)
{
    (void)state;
    char two[512];
    size_t one = compress(TEXT, strlen(TEXT), 17, two, sizeof two);
    sunk out;
    assert_int_equal(unpack(two, one, 1, 1000, &out), NAV_OK);
    two[one] = 'x';
    assert_int_equal(unpack(two, one + 1, one + 1, 1000, &out), PROTO_BAD_ZSTD);
    assert_int_equal(unpack(two, one + 1, 1, 1000, &out), PROTO_BAD_ZSTD);
    memcpy(two + one, two, one); // a second frame is as much too much
    assert_int_equal(unpack(two, 2 * one, 2 * one, 1000, &out), PROTO_BAD_ZSTD);
}

static void other_bytes_are_refused(void **state)
{
    (void)state;
    static const uint8_t skippable[] = {0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0};
    sunk out;
    assert_int_equal(unpack(TEXT, strlen(TEXT), 5, 1000, &out), PROTO_BAD_ZSTD);
    assert_int_equal(unpack(skippable, sizeof skippable, 3, 1000, &out), PROTO_BAD_ZSTD);
}

// zstd 1.5.4 does not look at the announced size where the last block is empty and the frame comes
// in pieces: 12,288 bytes are announced, and none are there.
static void a_frame_holds_what_it_announces(void **state)
{
    (void)state;
    static const uint8_t frame[] = {0x28, 0xb5, 0x2f, 0xfd, 0xd1, 0x41, 0, 0, 0x30,
                                    0,    0,    0,    0,    0,    0,    1, 0, 0};
    sunk out;
    for (size_t piece = 1; piece <= sizeof frame; piece++) {
        assert_int_equal(unpack(frame, sizeof frame, piece, 1 << 20, &out), PROTO_BAD_ZSTD);
    }
}

static void output_is_bounded(void **state)
{
    (void)state;
    char packed[512];
    size_t packed_bytes = compress(TEXT, strlen(TEXT), 17, packed, sizeof packed);
    sunk out;
    assert_int_equal(unpack(packed, packed_bytes, 512, strlen(TEXT), &out), NAV_OK);
    assert_int_equal(unpack(packed, packed_bytes, 512, strlen(TEXT) - 1, &out),
                     PROTO_DECOMPRESSED_TOO_LARGE);
}

static void a_bomb_is_stopped_early(void **state)
{
    (void)state;
    const size_t size_bytes = (size_t)64 << 20;
    void *zeros = calloc(1, size_bytes);
    assert_non_null(zeros);
    size_t capacity = (size_t)1 << 20;
    void *packed = malloc(capacity);
    assert_non_null(packed);
    size_t packed_bytes = compress(zeros, size_bytes, 20, packed, capacity);
    sunk out;
    assert_int_equal(unpack(packed, packed_bytes, packed_bytes, UINT64_MAX, &out),
                     PROTO_DECOMPRESSED_TOO_LARGE);
    assert_true(out.size_bytes <= (uint64_t)packed_bytes * RATIO_MAX + (1u << 20));
    free(packed);
    free(zeros);
}

static void a_large_window_is_refused(void **state)
{
    (void)state;
    char packed[512];
    sunk out;
    size_t packed_bytes = compress(TEXT, strlen(TEXT), 23, packed, sizeof packed);
    assert_int_equal(unpack(packed, packed_bytes, 512, 1000, &out), NAV_OK);
    packed_bytes = compress(TEXT, strlen(TEXT), 24, packed, sizeof packed);
    assert_int_equal(unpack(packed, packed_bytes, 512, 1000, &out), PROTO_BAD_ZSTD);
}

// zstd does not look at the window of a frame that comes whole and announces its size.
static void a_large_window_is_refused_in_any_pieces(void **state)
{
    (void)state;
    // One byte is announced, and there is one; the window is 2^20 or 2^30.
    uint8_t frame[] = {0x28, 0xb5, 0x2f, 0xfd, 0xc0, 0x50, 1, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 'v'};
    sunk out;
    for (size_t piece = 1; piece <= sizeof frame; piece++) {
        frame[5] = 0x50;
        assert_int_equal(unpack(frame, sizeof frame, piece, 1000, &out), NAV_OK);
        frame[5] = 0xa0;
        assert_int_equal(unpack(frame, sizeof frame, piece, 1000, &out), PROTO_BAD_ZSTD);
    }
}

// zstd refuses a compressed block of no bytes in a frame that comes whole, and takes it in pieces.
static void an_empty_block_is_the_same_in_any_pieces(void **state)
{
    (void)state;
    static const uint8_t frame[] = {0x28, 0xb5, 0x2f, 0xfd, 0xc0, 0x50, 0, 0, 0,
                                    0,    0,    0,    0,    0,    5,    0, 0};
    for (size_t piece = 1; piece <= sizeof frame; piece++) {
        sunk out;
        assert_int_equal(unpack(frame, sizeof frame, piece, 1000, &out), NAV_OK);
        assert_int_equal(out.size_bytes, 0);
    }
}

static void stored_blocks_come_back_or_are_refused(void **state)
{
    (void)state;
    void *packed, *bytes;
    size_t packed_bytes;
    assert_int_equal(pack_compress(TEXT, strlen(TEXT), &packed, &packed_bytes, NULL), NAV_OK);
    assert_int_equal(pack_decompress(packed, packed_bytes, strlen(TEXT), &bytes, NULL), NAV_OK);
    assert_memory_equal(bytes, TEXT, strlen(TEXT));
    free(bytes);
    assert_int_equal(pack_decompress(packed, packed_bytes, strlen(TEXT) - 1, &bytes, NULL),
                     PROTO_BAD_ZSTD);
    assert_int_equal(pack_decompress(packed, packed_bytes, strlen(TEXT) + 1, &bytes, NULL),
                     PROTO_BAD_ZSTD);
    assert_int_equal(pack_decompress(packed, packed_bytes - 1, strlen(TEXT), &bytes, NULL),
                     PROTO_BAD_ZSTD);
    // Sizes that no frame of these bytes has are damage, not a want of memory.
    static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2, (size_t)1 << 40};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        assert_int_equal(pack_decompress(packed, packed_bytes, sizes[i], &bytes, NULL),
                         PROTO_BAD_ZSTD);
    }
    assert_int_equal(pack_decompress(NULL, 0, 0, &bytes, NULL), PROTO_BAD_ZSTD);
    free(packed);
}

// As much as zstd makes of little: its own frames are not taken for damage.
static void the_most_that_can_be_packed_comes_back(void **state)
{
    (void)state;
    const size_t size_bytes = (size_t)16 << 20;
    void *zeros = calloc(1, size_bytes), *packed, *bytes;
    size_t packed_bytes;
    assert_non_null(zeros);
    assert_int_equal(pack_compress(zeros, size_bytes, &packed, &packed_bytes, NULL), NAV_OK);
    assert_true(packed_bytes < size_bytes / 10000);
    assert_int_equal(pack_decompress(packed, packed_bytes, size_bytes, &bytes, NULL), NAV_OK);
    assert_memory_equal(bytes, zeros, size_bytes);
    free(bytes);
    free(packed);
    assert_int_equal(pack_compress(zeros, 0, &packed, &packed_bytes, NULL), NAV_OK);
    assert_int_equal(pack_decompress(packed, packed_bytes, 0, &bytes, NULL), NAV_OK);
    free(bytes);
    free(packed);
    free(zeros);
}

// Bytes that are neither all alike nor all different.
static uint8_t *make_bytes(size_t size_bytes)
{
    uint8_t *bytes = malloc(size_bytes);
    assert_non_null(bytes);
    uint32_t state = 1;
    for (size_t i = 0; i < size_bytes; i++) {
        state = state * 1664525u + 1013904223u;
        bytes[i] = (uint8_t)(i % 7 == 0 ? state >> 24 : i >> 4);
    }
    return bytes;
}

static void packing_ends_at_whichever_question(void **state)
{
    (void)state;
    const size_t size_bytes = 4 * PACK_PIECE_BYTES + 12345;
    uint8_t *bytes = make_bytes(size_bytes);
    asked all = {0};
    nav_bake_hooks hooks = asked_hooks(&all);
    void *packed, *unpacked;
    size_t packed_bytes;
    nav_error err = {0};
    assert_int_equal(pack_compress_until(bytes, size_bytes, &hooks, &packed, &packed_bytes, &err),
                     NAV_OK);
    assert_int_equal(all.count, 4); // between five pieces
    assert_int_equal(pack_decompress(packed, packed_bytes, size_bytes, &unpacked, NULL), NAV_OK);
    assert_memory_equal(bytes, unpacked, size_bytes);
    free(packed);
    free(unpacked);
    for (uint32_t i = 1; i <= 4; i++) {
        asked a = {.cancel_at = i};
        hooks = asked_hooks(&a);
        packed = NULL;
        packed_bytes = 77;
        assert_int_equal(
            pack_compress_until(bytes, size_bytes, &hooks, &packed, &packed_bytes, &err),
            NAV_CANCELLED);
        assert_int_equal(err.status, NAV_CANCELLED);
        assert_int_equal(a.count, i);
        assert_null(packed);
        assert_int_equal(packed_bytes, 77);
    }
    free(bytes);
}

// Bytes that were packed in one call before are the same now, so that a store finds them.
static void a_piece_and_less_is_packed_as_in_one_call(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 1000, PACK_PIECE_BYTES - 1, PACK_PIECE_BYTES};
    uint8_t *bytes = make_bytes(PACK_PIECE_BYTES);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        void *packed;
        size_t packed_bytes;
        const size_t bound = ZSTD_compressBound(sizes[i]);
        void *wanted = malloc(bound);
        assert_non_null(wanted);
        assert_int_equal(pack_compress(bytes, sizes[i], &packed, &packed_bytes, NULL), NAV_OK);
        assert_int_equal(packed_bytes, ZSTD_compress(wanted, bound, bytes, sizes[i], 3));
        assert_memory_equal(packed, wanted, packed_bytes);
        free(packed);
        free(wanted);
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_piece_size_gives_the_same),
        cmocka_unit_test(every_cut_is_refused),
        cmocka_unit_test(what_follows_the_frame_is_refused),
        cmocka_unit_test(other_bytes_are_refused),
        cmocka_unit_test(a_frame_holds_what_it_announces),
        cmocka_unit_test(output_is_bounded),
        cmocka_unit_test(a_bomb_is_stopped_early),
        cmocka_unit_test(a_large_window_is_refused),
        cmocka_unit_test(a_large_window_is_refused_in_any_pieces),
        cmocka_unit_test(an_empty_block_is_the_same_in_any_pieces),
        cmocka_unit_test(stored_blocks_come_back_or_are_refused),
        cmocka_unit_test(the_most_that_can_be_packed_comes_back),
        cmocka_unit_test(packing_ends_at_whichever_question),
        cmocka_unit_test(a_piece_and_less_is_packed_as_in_one_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
