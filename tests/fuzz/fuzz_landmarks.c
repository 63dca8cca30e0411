// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_landmarks.c: landmarks of a mesh with changed numbers, under a checksum that fits. Landmarks
// that the mesh takes mislead searches at worst: all of them end, within the mesh.

#include "core/tile/tile.h"
#include "tests/fuzz/ask.h"
#include "tests/fuzz/mutate.h"
#include "tests/fuzz/world.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size_bytes, size_t max_bytes,
                               unsigned int seed);

#define HEADER_BYTES 32u
#define CHECKSUM_AT 8u
#define COVERED_FROM 16u

static nav_mesh *make_mesh(void)
{
    const fuzz_world *world = fuzz_world_get();
    nav_mesh *mesh = NULL;
    NAV_ASSERT(nav_mesh_create(world->tiles, FUZZ_TILES, &world->config, NULL, &mesh, NULL, NULL) ==
               NAV_OK);
    return mesh;
}

static nav_blob make_landmarks(void)
{
    static nav_arena result; // kept: the blob is in it
    static nav_blob blob;
    if (blob.bytes == NULL) {
        nav_arena scratch;
        nav_mesh *mesh = make_mesh();
        nav_arena_init(&result, NULL, 0);
        nav_arena_init(&scratch, NULL, 0);
        NAV_ASSERT(nav_landmarks_make(mesh, NULL, &scratch, &result, &blob) == NAV_OK);
        nav_arena_free(&scratch);
        nav_mesh_release(mesh);
    }
    return blob;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size_bytes, size_t max_bytes,
                               unsigned int seed)
{
    fuzz_random random = {seed};
    const nav_blob base = make_landmarks();
    if (size_bytes < HEADER_BYTES || fuzz_below(&random, 8) == 0) {
        if (base.size_bytes > max_bytes) {
            return size_bytes;
        }
        size_bytes = base.size_bytes;
        memcpy(bytes, base.bytes, size_bytes);
    }
    if (fuzz_below(&random, 8) == 0) {
        size_bytes = LLVMFuzzerMutate(bytes, size_bytes, max_bytes);
    } else {
        const size_t edits = 1 + fuzz_below(&random, 8);
        for (size_t i = 0; i < edits; i++) {
            uint32_t word;
            uint8_t *at = bytes + 4 * fuzz_below(&random, size_bytes / 4);
            memcpy(&word, at, sizeof word);
            word = fuzz_word(&random, word);
            memcpy(at, &word, sizeof word);
        }
    }
    if (size_bytes >= HEADER_BYTES && fuzz_below(&random, 32) != 0) {
        memcpy(bytes, base.bytes, fuzz_below(&random, 8) == 0 ? 8 : 28);
        const uint64_t checksum =
            nav_tile_checksum(bytes + COVERED_FROM, size_bytes - COVERED_FROM);
        memcpy(bytes + CHECKSUM_AT, &checksum, sizeof checksum);
    }
    return size_bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    static nav_scratch *scratch;
    const float a[3] = {1, 0, 1}, b[3] = {14, 3, 12};
    uint8_t *block = malloc(size_bytes > 0 ? size_bytes : 1);
    NAV_ASSERT(block != NULL);
    memcpy(block, bytes, size_bytes);
    const nav_blob blob = {.bytes = block, .size_bytes = size_bytes};
    if (scratch == NULL) {
        NAV_ASSERT(nav_scratch_create(NULL, &scratch) == NAV_OK);
    }
    nav_mesh *mesh = make_mesh();
    const nav_status status = nav_mesh_add_landmarks(mesh, blob, NULL);
    NAV_ASSERT(status == NAV_BAD_BLOB || status == NAV_OK);
    if (status == NAV_OK) {
        fuzz_ask(mesh, scratch, a, b, false);
    }
    nav_mesh_release(mesh);
    free(block);
    return 0;
}
