// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_geometry_glb.c: see fuzz_geometry.h. An input is a JSON chunk, a zero and the BIN chunk,
// which are wrapped into a file with the lengths that they have, since hardly an input would pass
// its heads else; one that begins with glTF is a file already. ' stands for " in the JSON.

#include "tests/fuzz/fuzz_geometry.h"

#include "proto/base/bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

#define HEADS_BYTES 28u

static uint8_t *put_chunk(uint8_t *at, const char *type, const uint8_t *bytes, size_t size_bytes)
{
    at = proto_put_u32(at, (uint32_t)size_bytes);
    memcpy(at, type, 4);
    if (size_bytes > 0) {
        memcpy(at + 4, bytes, size_bytes);
    }
    return at + 4 + size_bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    if (size_bytes >= 4 && memcmp(bytes, "glTF", 4) == 0) {
        return fuzz_geometry(PROTO_FORMAT_GLB, bytes, size_bytes);
    }
    size_t json_bytes = 0;
    while (json_bytes < size_bytes && bytes[json_bytes] != 0) {
        json_bytes++;
    }
    const bool has_bin = json_bytes < size_bytes;
    const size_t bin_bytes = has_bin ? size_bytes - json_bytes - 1 : 0;
    uint8_t *file = malloc(HEADS_BYTES + json_bytes + bin_bytes);
    NAV_ASSERT(file != NULL);
    memcpy(file, "glTF\2\0\0\0", 8);
    uint8_t *at = put_chunk(file + 12, "JSON", bytes, json_bytes);
    for (uint8_t *c = file + 20; c < at; c++) {
        *c = *c == '\'' ? '"' : *c;
    }
    if (has_bin) {
        at = put_chunk(at, "BIN", bytes + json_bytes + 1, bin_bytes);
    }
    (void)proto_put_u32(file + 8, (uint32_t)(at - file));
    const int result = fuzz_geometry(PROTO_FORMAT_GLB, file, (size_t)(at - file));
    free(file);
    return result;
}
