// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_pack.c: zstd as it is uploaded and as a database has it. After a byte that says which: a
// frame as it comes, or bytes that are packed first. A frame must give the same in whatever pieces,
// and never more than its limits.

#include "server/base/pack.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

#define OUTPUT_BYTES_MAX ((size_t)2 << 20)

typedef struct output {
    uint64_t hash, size_bytes;
} output;

// FNV-1a of all that came out, in order.
static nav_status take(void *user, const void *bytes, size_t size_bytes, nav_error *err)
{
    output *out = user;
    (void)err;
    NAV_ASSERT(size_bytes > 0);
    out->size_bytes += size_bytes;
    NAV_ASSERT(out->size_bytes <= OUTPUT_BYTES_MAX);
    for (size_t i = 0; i < size_bytes; i++) {
        out->hash = (out->hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
    }
    return NAV_OK;
}

static nav_status unpack(const uint8_t *bytes, size_t size_bytes, size_t piece_max, output *out)
{
    static const pack_limits limits = {
        .output_bytes_max = OUTPUT_BYTES_MAX, .window_bytes_max = 1u << 20, .ratio_max = 100};
    pack_reader *reader = NULL;
    nav_error err = {0};
    *out = (output){0};
    nav_status status = pack_reader_create(&limits, &reader, &err);
    for (size_t i = 0; i < size_bytes && status == NAV_OK; i += piece_max) {
        const size_t piece = piece_max < size_bytes - i ? piece_max : size_bytes - i;
        status = pack_reader_feed(reader, bytes + i, piece, take, out, &err);
    }
    status = status == NAV_OK ? pack_reader_end(reader, &err) : status;
    pack_reader_destroy(reader);
    NAV_ASSERT(status == NAV_OK || status == PROTO_BAD_ZSTD ||
               status == PROTO_DECOMPRESSED_TOO_LARGE);
    return status;
}

static void check_frame(const uint8_t *bytes, size_t size_bytes)
{
    output whole, pieces;
    void *unpacked = NULL;
    const nav_status status = unpack(bytes, size_bytes, size_bytes + 1, &whole);
    const nav_status again = unpack(bytes, size_bytes, 3, &pieces);
    NAV_ASSERT((status == NAV_OK) == (again == NAV_OK));
    NAV_ASSERT(status != NAV_OK ||
               (whole.hash == pieces.hash && whole.size_bytes == pieces.size_bytes));
    // As a database would have it, of a size that fits and of one that does not.
    for (size_t more = 0; more < 2; more++) {
        const size_t claimed = (size_t)whole.size_bytes + more;
        if (pack_can_hold(size_bytes, claimed) &&
            pack_decompress(bytes, size_bytes, claimed, &unpacked, NULL) == NAV_OK) {
            NAV_ASSERT(more == 0);
            free(unpacked);
        }
    }
}

static void check_packing(const uint8_t *bytes, size_t size_bytes)
{
    void *packed = NULL, *unpacked = NULL;
    size_t packed_bytes = 0;
    output out;
    NAV_ASSERT(pack_compress(bytes, size_bytes, &packed, &packed_bytes, NULL) == NAV_OK);
    NAV_ASSERT(pack_can_hold(packed_bytes, size_bytes));
    NAV_ASSERT(pack_decompress(packed, packed_bytes, size_bytes, &unpacked, NULL) == NAV_OK);
    NAV_ASSERT(size_bytes == 0 || memcmp(unpacked, bytes, size_bytes) == 0);
    NAV_ASSERT(unpack(packed, packed_bytes, 7, &out) == NAV_OK && out.size_bytes == size_bytes);
    free(unpacked);
    free(packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    if (size_bytes > 0 && bytes[0] % 8 != 0) {
        check_frame(bytes + 1, size_bytes - 1);
    } else if (size_bytes > 0) {
        check_packing(bytes + 1, size_bytes - 1);
    }
    return 0;
}
