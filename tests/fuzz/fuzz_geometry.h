// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_geometry.h: a geometry read whole, then byte by byte: the outcome must be the same, to the
// last byte as it is stored, and what is stored must read as the same again. Each
// fuzz_geometry_*.c does so with its format.

#pragma once

#include "proto/geometry/upload.h"

#include <stdlib.h>
#include <string.h>

// Small, so that inputs reach them.
static const proto_geometry_limits FUZZ_LIMITS = {.vertices_max = 100000,
                                                  .triangles_max = 100000,
                                                  .config_bytes_max = 65536,
                                                  .config_depth_max = 32,
                                                  .config_values_max = 100000,
                                                  .placed_bytes_max = 16u << 20};

// *packed, where it is read: as it is stored, malloc'ed.
static inline nav_status read_pieces(proto_format format, const uint8_t *bytes, size_t size_bytes,
                                     size_t piece_max, uint8_t **packed, size_t *packed_bytes)
{
    proto_geometry_reader *reader;
    nav_geometry geometry;
    if (proto_geometry_begin(format, &FUZZ_LIMITS, &reader, NULL) != NAV_OK) {
        abort();
    }
    nav_status status = NAV_OK;
    for (size_t i = 0; i < size_bytes && status == NAV_OK;) {
        size_t piece = piece_max < size_bytes - i ? piece_max : size_bytes - i;
        status = proto_geometry_feed(reader, bytes + i, piece, NULL);
        i += piece;
    }
    status = status == NAV_OK ? proto_geometry_end(reader, &geometry, NULL) : status;
    size_t source_bytes = 0;
    const void *source = status == NAV_OK ? proto_geometry_source(reader, &source_bytes) : NULL;
    if (source != NULL) { // tiles: kept as they are
        NAV_ASSERT(source_bytes == size_bytes && memcmp(source, bytes, size_bytes) == 0);
        *packed = NULL;
    } else if (status == NAV_OK) {
        *packed_bytes = proto_geometry_packed_size(&geometry);
        *packed = malloc(*packed_bytes);
        if (*packed == NULL) {
            abort();
        }
        proto_geometry_pack(&geometry, *packed);
    }
    proto_geometry_destroy(reader);
    return status;
}

static inline int fuzz_geometry(proto_format format, const uint8_t *bytes, size_t size_bytes)
{
    uint8_t *whole = NULL, *pieces = NULL, *again = NULL;
    size_t whole_bytes = 0, pieces_bytes = 0, again_bytes = 0;
    const nav_status status =
        read_pieces(format, bytes, size_bytes, SIZE_MAX, &whole, &whole_bytes);
    NAV_ASSERT(read_pieces(format, bytes, size_bytes, 1, &pieces, &pieces_bytes) == status);
    if (status == NAV_OK && whole != NULL) {
        NAV_ASSERT(whole_bytes == pieces_bytes && memcmp(whole, pieces, whole_bytes) == 0);
        NAV_ASSERT(read_pieces(PROTO_FORMAT_PACKED, whole, whole_bytes, SIZE_MAX, &again,
                               &again_bytes) == NAV_OK);
        NAV_ASSERT(whole_bytes == again_bytes && memcmp(whole, again, whole_bytes) == 0);
    }
    free(whole);
    free(pieces);
    free(again);
    return 0;
}
