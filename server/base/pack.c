// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// pack.c: zstd frames, bounded. 8 KB of zstd can stand for 256 MB: the bounds are checked after
// each step of output, so that at most one step is ever held beyond them.

#include "server/base/pack.h"

#include "server/base/limits.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

// Level 3 packs a tile about as well as level 9 at four times the speed.
#define LEVEL 3
#define STEP_BYTES ((size_t)128 << 10)
#define MAGIC_BYTES 4
#define HEAD_BYTES 18u // of a frame, at most, with its magic number (RFC 8878, section 3.1.1)

static const uint8_t MAGIC[MAGIC_BYTES] = {0x28, 0xb5, 0x2f, 0xfd};

struct pack_reader {
    ZSTD_DCtx *context;
    uint64_t input_bytes, output_bytes;
    pack_limits limits;
    bool ended;
    uint8_t head[HEAD_BYTES]; // what came first
    uint8_t step[STEP_BYTES];
};

// The largest power of two that is not above the limit.
static int window_log(uint64_t bytes)
{
    int log = 10;
    while (log < 31 && (UINT64_C(2) << log) <= bytes) {
        log++;
    }
    return log;
}

nav_status pack_reader_create(const pack_limits *limits, pack_reader **out, nav_error *err)
{
    NAV_ASSERT(limits->ratio_max > 0);
    pack_reader *reader = malloc(sizeof *reader);
    ZSTD_DCtx *context = ZSTD_createDCtx();
    if (reader == NULL || context == NULL) {
        free(reader);
        (void)ZSTD_freeDCtx(context);
        return nav_fail(err, NAV_NO_MEMORY, "no memory to unpack zstd");
    }
    (void)ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax,
                                 window_log(limits->window_bytes_max));
    reader->context = context;
    reader->input_bytes = 0;
    reader->output_bytes = 0;
    reader->limits = *limits;
    reader->ended = false;
    *out = reader;
    return NAV_OK;
}

void pack_reader_destroy(pack_reader *reader)
{
    if (reader != NULL) {
        (void)ZSTD_freeDCtx(reader->context);
        free(reader);
    }
}

// A skippable frame would pass for an empty one; only the magic number of data is let through.
static nav_status check_magic(const pack_reader *reader, const uint8_t *bytes, size_t size_bytes,
                              nav_error *err)
{
    for (size_t i = 0; i < size_bytes && reader->input_bytes + i < MAGIC_BYTES; i++) {
        if (bytes[i] != MAGIC[reader->input_bytes + i]) {
            return nav_fail(err, PROTO_BAD_ZSTD, "the body does not begin with a zstd frame");
        }
    }
    return NAV_OK;
}

static nav_status check_output(const pack_reader *reader, nav_error *err)
{
    if (reader->output_bytes > reader->limits.output_bytes_max) {
        nav_fail(err, PROTO_DECOMPRESSED_TOO_LARGE, "the body unpacks to more than allowed");
        nav_error_limit(err, "%llu", (unsigned long long)reader->limits.output_bytes_max);
        return PROTO_DECOMPRESSED_TOO_LARGE;
    }
    if (reader->output_bytes > LIMIT_ZSTD_RATIO_FREE_BYTES &&
        reader->output_bytes / reader->limits.ratio_max >= reader->input_bytes) {
        nav_fail(err, PROTO_DECOMPRESSED_TOO_LARGE, "the body unpacks to over %llu times its size",
                 (unsigned long long)reader->limits.ratio_max);
        nav_error_limit(err, "%llu", (unsigned long long)reader->limits.ratio_max);
        return PROTO_DECOMPRESSED_TOO_LARGE;
    }
    return NAV_OK;
}

static bool lacks_memory(size_t code)
{
    return ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation;
}

static nav_status fail_zstd(const pack_reader *reader, size_t code, nav_error *err)
{
    if (lacks_memory(code)) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to unpack zstd");
    }
    nav_fail(err, PROTO_BAD_ZSTD, "zstd: %s", ZSTD_getErrorName(code));
    if (ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge) {
        nav_error_limit(err, "%llu", (unsigned long long)reader->limits.window_bytes_max);
    }
    return PROTO_BAD_ZSTD;
}

nav_status pack_reader_feed(pack_reader *reader, const void *bytes, size_t size_bytes,
                            pack_sink *sink, void *user, nav_error *err)
{
    nav_status status = check_magic(reader, bytes, size_bytes, err);
    if (status != NAV_OK) {
        return status;
    }
    // The first byte goes in alone. A frame that is whole at its first byte the library reads in
    // another way, which minds other faults: an answer must not hang on how the network cut a body.
    const bool first = reader->input_bytes == 0 && size_bytes > 0;
    ZSTD_inBuffer input = {.src = bytes, .size = first ? 1 : size_bytes, .pos = 0};
    for (size_t i = 0; i < size_bytes && reader->input_bytes + i < HEAD_BYTES; i++) {
        reader->head[reader->input_bytes + i] = ((const uint8_t *)bytes)[i];
    }
    reader->input_bytes += size_bytes;
    bool drained = false; // nothing more comes out without more going in
    while (!reader->ended && (input.pos < size_bytes || !drained)) {
        ZSTD_outBuffer output = {.dst = reader->step, .size = STEP_BYTES, .pos = 0};
        size_t left = ZSTD_decompressStream(reader->context, &output, &input);
        input.size = size_bytes;
        if (ZSTD_isError(left)) {
            return fail_zstd(reader, left, err);
        }
        reader->ended = left == 0;
        drained = output.pos < output.size;
        reader->output_bytes += output.pos;
        status = check_output(reader, err);
        NAV_IF_OK(status, output.pos > 0 ? sink(user, reader->step, output.pos, err) : NAV_OK);
        if (status != NAV_OK) {
            return status;
        }
    }
    if (input.pos < size_bytes) {
        return nav_fail(err, PROTO_BAD_ZSTD, "there are bytes after the end of the zstd frame");
    }
    return NAV_OK;
}

nav_status pack_reader_end(const pack_reader *reader, nav_error *err)
{
    if (!reader->ended) {
        return nav_fail(err, PROTO_BAD_ZSTD, "the zstd frame is cut off");
    }
    // The library itself checks the announced size only where the last block is not empty.
    const size_t head_bytes =
        reader->input_bytes < HEAD_BYTES ? (size_t)reader->input_bytes : HEAD_BYTES;
    const unsigned long long announced = ZSTD_getFrameContentSize(reader->head, head_bytes);
    if (announced != ZSTD_CONTENTSIZE_UNKNOWN && announced != reader->output_bytes) {
        return nav_fail(err, PROTO_BAD_ZSTD, "the zstd frame holds %llu bytes and announces %llu",
                        (unsigned long long)reader->output_bytes, announced);
    }
    return NAV_OK;
}

// Packs piece by piece, into room for all. Returns a code of zstd's; *cancelled where that does not
// count.
static size_t compress_pieces(ZSTD_CCtx *context, const void *bytes, size_t size_bytes,
                              const nav_bake_hooks *hooks, ZSTD_outBuffer *out, bool *cancelled)
{
    ZSTD_inBuffer in = {.src = bytes};
    size_t code = ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, LEVEL);
    if (!ZSTD_isError(code)) {
        code = ZSTD_CCtx_setPledgedSrcSize(context, size_bytes);
    }
    for (bool ended = false; !ZSTD_isError(code) && !*cancelled && !ended;) {
        const size_t left = size_bytes - in.size;
        in.size += left < PACK_PIECE_BYTES ? left : PACK_PIECE_BYTES;
        const bool last = in.size == size_bytes;
        code = ZSTD_compressStream2(context, out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
        // There is room for all, so that each call takes all of its piece.
        ended = last && code == 0;
        *cancelled =
            !ended && hooks != NULL && hooks->cancelled != NULL && hooks->cancelled(hooks->user);
    }
    return code;
}

nav_status pack_compress_until(const void *bytes, size_t size_bytes, const nav_bake_hooks *hooks,
                               void **out, size_t *out_bytes, nav_error *err)
{
    const size_t bound = ZSTD_compressBound(size_bytes);
    ZSTD_outBuffer packed = {.dst = malloc(bound), .size = bound};
    ZSTD_CCtx *context = ZSTD_createCCtx();
    bool cancelled = false;
    nav_status status = NAV_OK;
    if (packed.dst == NULL || context == NULL) {
        status = nav_fail(err, NAV_NO_MEMORY, "no memory to pack %zu bytes", size_bytes);
    } else {
        const size_t code = compress_pieces(context, bytes, size_bytes, hooks, &packed, &cancelled);
        if (cancelled) {
            status = nav_fail(err, NAV_CANCELLED, "cancelled");
        } else if (ZSTD_isError(code)) {
            status = nav_fail(err, NAV_NO_MEMORY, "zstd: %s", ZSTD_getErrorName(code));
        }
    }
    (void)ZSTD_freeCCtx(context);
    if (status != NAV_OK) {
        free(packed.dst);
        return status;
    }
    void *shrunk = realloc(packed.dst, packed.pos);
    *out = shrunk != NULL ? shrunk : packed.dst;
    *out_bytes = packed.pos;
    return NAV_OK;
}

nav_status pack_compress(const void *bytes, size_t size_bytes, void **out, size_t *out_bytes,
                         nav_error *err)
{
    return pack_compress_until(bytes, size_bytes, NULL, out, out_bytes, err);
}

// A block of zstd is at least four bytes and gives at most 128 KiB.
bool pack_can_hold(size_t packed_bytes, uint64_t size_bytes)
{
    return size_bytes / ((uint64_t)32 << 10) < packed_bytes;
}

nav_status pack_decompress(const void *packed, size_t packed_bytes, size_t size_bytes, void **out,
                           nav_error *err)
{
    if (!pack_can_hold(packed_bytes, size_bytes)) {
        return nav_fail(err, PROTO_BAD_ZSTD, "a stored block is damaged: no such size");
    }
    void *bytes = malloc(size_bytes > 0 ? size_bytes : 1);
    if (bytes == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to unpack %zu bytes", size_bytes);
    }
    const size_t written = ZSTD_decompress(bytes, size_bytes, packed, packed_bytes);
    if (ZSTD_isError(written) || written != size_bytes) {
        free(bytes);
        return lacks_memory(written)
                   ? nav_fail(err, NAV_NO_MEMORY, "no memory to unpack zstd")
                   : nav_fail(err, PROTO_BAD_ZSTD, "a stored block is damaged: %s",
                              ZSTD_isError(written) ? ZSTD_getErrorName(written) : "wrong size");
    }
    *out = bytes;
    return NAV_OK;
}

const char *pack_library_version(void)
{
    return ZSTD_versionString();
}

bool pack_has_hash(const void *bytes, size_t size_bytes, const uint8_t sha256[32])
{
    uint8_t digest[32];
    nav_sha256_of(bytes, size_bytes, digest);
    return memcmp(digest, sha256, sizeof digest) == 0;
}

nav_status pack_check(const void *packed, size_t packed_bytes, size_t size_bytes,
                      const uint8_t *packed_sha256, const uint8_t sha256[32], void *out)
{
    NAV_ASSERT(packed_sha256 != NULL || sha256 != NULL);
    if (packed_sha256 != NULL && !pack_has_hash(packed, packed_bytes, packed_sha256)) {
        return PROTO_BAD_ZSTD;
    }
    const size_t written = ZSTD_decompress(out, size_bytes, packed, packed_bytes);
    return lacks_memory(written) ? NAV_NO_MEMORY
           : !ZSTD_isError(written) && written == size_bytes &&
                   (packed_sha256 != NULL || pack_has_hash(out, size_bytes, sha256))
               ? NAV_OK
               : PROTO_BAD_ZSTD;
}
