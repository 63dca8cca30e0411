// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_geometry.h: a geometry read whole, then byte by byte: the outcome must be the same. What the
// three fuzz_geometry_*.c do, each with its format.

#pragma once

#include "proto/proto.h"

#include <stdlib.h>

static inline nav_status read_pieces(proto_format format, const uint8_t *bytes, size_t size_bytes,
                                     size_t piece_max)
{
    proto_geometry_reader *reader;
    const proto_geometry_limits limits = {100000, 100000, 65536};
    nav_geometry geometry;
    if (proto_geometry_begin(format, &limits, &reader, NULL) != NAV_OK) {
        abort();
    }
    nav_status status = NAV_OK;
    for (size_t i = 0; i < size_bytes && status == NAV_OK;) {
        size_t piece = piece_max < size_bytes - i ? piece_max : size_bytes - i;
        status = proto_geometry_feed(reader, bytes + i, piece, NULL);
        i += piece;
    }
    status = status == NAV_OK ? proto_geometry_end(reader, &geometry, NULL) : status;
    proto_geometry_destroy(reader);
    return status;
}

static inline int fuzz_geometry(proto_format format, const uint8_t *bytes, size_t size_bytes)
{
    if (read_pieces(format, bytes, size_bytes, SIZE_MAX) !=
        read_pieces(format, bytes, size_bytes, 1)) {
        abort();
    }
    return 0;
}
