// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// pack.h: zstd in and out. pack.c alone knows the library.
//
//   body --pack_reader--> geometry reader        blobs, geometry --pack_compress--> store

#pragma once

#include "proto/base/status.h"

// The version of the zstd library.
const char *pack_library_version(void);

// Unpacks exactly one zstd frame that arrives in pieces. Safe on any bytes: the window, the output
// and the ratio of output to input are bounded, dictionaries and anything after the frame are
// refused. Thread: one at a time.
typedef struct pack_reader pack_reader;

// Takes unpacked bytes as they come out; what it returns ends the feed if it is not NAV_OK.
typedef nav_status pack_sink(void *user, const void *bytes, size_t size_bytes, nav_error *err);

// Limits of a frame. The ratio of output to input counts once LIMIT_ZSTD_RATIO_FREE_BYTES are out.
typedef struct pack_limits {
    uint64_t output_bytes_max, window_bytes_max, ratio_max;
} pack_limits;

// Errors: NAV_NO_MEMORY.
nav_status pack_reader_create(const pack_limits *limits, pack_reader **out, nav_error *err);
// Errors: PROTO_BAD_ZSTD, PROTO_DECOMPRESSED_TOO_LARGE, the sink's. After one only destroy may be
// called.
nav_status pack_reader_feed(pack_reader *reader, const void *bytes, size_t size_bytes,
                            pack_sink *sink, void *user, nav_error *err);
// PROTO_BAD_ZSTD where the frame is not whole.
nav_status pack_reader_end(const pack_reader *reader, nav_error *err);
void pack_reader_destroy(pack_reader *reader); // NULL is harmless

// The largest window of what pack_compress makes, whatever the block's size.
#define PACK_WINDOW_BYTES ((uint64_t)8 << 20)
// Packs a block for the store. *out is malloc'ed. Errors: NAV_NO_MEMORY.
nav_status pack_compress(const void *bytes, size_t size_bytes, void **out, size_t *out_bytes,
                         nav_error *err);
// The same for a caller that may cancel: asks `cancelled` of hooks (NULL: none) after each
// PACK_PIECE_BYTES. Errors: also NAV_CANCELLED.
nav_status pack_compress_until(const void *bytes, size_t size_bytes, const nav_bake_hooks *hooks,
                               void **out, size_t *out_bytes, nav_error *err);
// Some milliseconds' work.
#define PACK_PIECE_BYTES ((size_t)1 << 20)
// Whether packed bytes can stand for so many. To be asked before room is made for what a database
// says: a size that was damaged may be anything.
bool pack_can_hold(size_t packed_bytes, uint64_t size_bytes);
bool pack_has_hash(const void *bytes, size_t size_bytes, const uint8_t sha256[32]);
// Unpacks a named block into out, which has room for size_bytes. Errors: PROTO_BAD_ZSTD if it is
// damaged: its size differs, or the SHA-256 of the packed bytes (packed_sha256 NULL: sha256 of the
// unpacked ones) does; NAV_NO_MEMORY.
nav_status pack_check(const void *packed, size_t packed_bytes, size_t size_bytes,
                      const uint8_t *packed_sha256, const uint8_t sha256[32], void *out);
// Unpacks what pack_compress made of size_bytes bytes into a new malloc'ed block. Errors:
// PROTO_BAD_ZSTD where the bytes are not that, NAV_NO_MEMORY.
nav_status pack_decompress(const void *packed, size_t packed_bytes, size_t size_bytes, void **out,
                           nav_error *err);
