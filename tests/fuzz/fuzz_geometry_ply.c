// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_geometry_ply.c: see fuzz_geometry.h.

#include "tests/fuzz/fuzz_geometry.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    return fuzz_geometry(PROTO_FORMAT_PLY, bytes, size_bytes);
}
