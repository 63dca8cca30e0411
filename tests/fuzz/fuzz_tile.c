// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_tile.c: tiles that nobody baked: baked ones whose fields are changed, under a checksum that
// is made to fit, else nothing would get past it. A tile that nav_tile_open takes becomes a mesh,
// alone and among its neighbours, and is asked everything.

#include "core/tile/tile.h"
#include "tests/fuzz/ask.h"
#include "tests/fuzz/mutate.h"
#include "tests/fuzz/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size_bytes, size_t max_bytes,
                               unsigned int seed);

#define EDITS_MAX 4u

// ---- mutation ----

static void seal(uint8_t *bytes, size_t size_bytes)
{
    const size_t covered = offsetof(nav_tile_header, tile_x);
    nav_tile_header header;
    memcpy(&header, bytes, sizeof header);
    header.checksum = nav_tile_checksum(bytes + covered, size_bytes - covered);
    memcpy(bytes, &header, sizeof header);
}

// A number of the tile at any place behind the checksum: sections hold 32-bit numbers, but for the
// indices of detail triangles and what polygons have in their last word.
static void edit_word(uint8_t *bytes, size_t size_bytes, fuzz_random *random)
{
    const size_t first = offsetof(nav_tile_header, tile_x);
    const size_t at = first + 4 * fuzz_below(random, (size_bytes - first) / 4);
    uint32_t word;
    memcpy(&word, bytes + at, sizeof word);
    word = fuzz_below(random, 4) == 0
               ? (word & 0xffff0000u) | (fuzz_word(random, word & 0xffffu) & 0xffffu)
               : fuzz_word(random, word);
    memcpy(bytes + at, &word, sizeof word);
}

// One of the counts; the sections then lie where the format says.
static size_t edit_counts(uint8_t *bytes, size_t size_bytes, size_t max_bytes, fuzz_random *random)
{
    nav_tile_header header;
    memcpy(&header, bytes, sizeof header);
    uint32_t *counts[] = {&header.vertex_count, &header.polygon_count, &header.corner_count,
                          &header.detail_vertex_count, &header.detail_triangle_count};
    uint32_t *count = counts[fuzz_below(random, 5)];
    *count = fuzz_below(random, 2) == 0 ? *count + 1 : *count - (*count > 0);
    header.node_count = header.polygon_count > 0 ? 2 * header.polygon_count - 1 : 0;
    nav_tile_layout(&header);
    if (header.size_bytes < sizeof header || header.size_bytes > max_bytes) {
        return size_bytes;
    }
    if (header.size_bytes > size_bytes) {
        memset(bytes + size_bytes, 0, header.size_bytes - size_bytes);
    }
    memcpy(bytes, &header, sizeof header);
    return header.size_bytes;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size_bytes, size_t max_bytes,
                               unsigned int seed)
{
    fuzz_random random = {seed};
    const nav_blob *base = &fuzz_world_get()->tiles[fuzz_below(&random, FUZZ_TILES)];
    if (size_bytes < sizeof(nav_tile_header) || fuzz_below(&random, 16) == 0) {
        if (base->size_bytes > max_bytes) {
            return size_bytes;
        }
        size_bytes = base->size_bytes;
        memcpy(bytes, base->bytes, size_bytes);
    }
    const size_t edits = 1 + fuzz_below(&random, EDITS_MAX);
    for (size_t i = 0; i < edits; i++) {
        const size_t kind = fuzz_below(&random, 32);
        if (kind == 0) {
            size_bytes = LLVMFuzzerMutate(bytes, size_bytes, max_bytes);
        } else if (kind == 1) {
            size_bytes = edit_counts(bytes, size_bytes, max_bytes, &random);
        } else {
            edit_word(bytes, size_bytes, &random);
        }
        if (size_bytes < sizeof(nav_tile_header)) {
            return size_bytes;
        }
    }
    if (fuzz_below(&random, 64) != 0) {
        seal(bytes, size_bytes);
    }
    return size_bytes;
}

// ---- what is opened ----

static void ask_mesh(const nav_blob *tiles, uint32_t count, const nav_config *config,
                     const float min[3], const float max[3])
{
    nav_mesh *mesh = NULL;
    nav_scratch *scratch = NULL;
    nav_error err;
    float a[3], b[3];
    const nav_status status = nav_mesh_create(tiles, count, config, NULL, &mesh, NULL, &err);
    if (status != NAV_OK) {
        // Tiles of two grids do not go together.
        NAV_ASSERT(status == NAV_BAD_BLOB || status == NAV_MESH_EMPTY);
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        a[axis] = min[axis] + 0.2f * (max[axis] - min[axis]);
        b[axis] = max[axis] - 0.1f * (max[axis] - min[axis]);
    }
    NAV_ASSERT(nav_scratch_create(NULL, &scratch) == NAV_OK);
    fuzz_ask(mesh, scratch, a, b, false);
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

static void use(nav_blob blob, const nav_tile *tile, const float min[3], const float max[3])
{
    const fuzz_world *world = fuzz_world_get();
    nav_blob tiles[FUZZ_TILES];
    ask_mesh(&blob, 1, NULL, min, max);
    for (uint32_t i = 0; i < FUZZ_TILES; i++) {
        tiles[i] = world->tiles[i];
    }
    tiles[(2 * tile->header->tile_z + tile->header->tile_x) % FUZZ_TILES] = blob;
    ask_mesh(tiles, FUZZ_TILES, &world->config, min, max);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    nav_tile tile;
    float min[3], max[3];
    // A block of its own, so that a sanitizer sees a step outside.
    uint8_t *block = malloc(size_bytes > 0 ? size_bytes : 1);
    NAV_ASSERT(block != NULL);
    memcpy(block, bytes, size_bytes);
    const nav_blob blob = {.bytes = block, .size_bytes = size_bytes};
    const nav_status status = nav_tile_open(blob, &tile, NULL);
    NAV_ASSERT(status == NAV_OK || status == NAV_BAD_BLOB);
    NAV_ASSERT(nav_tile_bounds(blob, min, max, NULL) == status);
    if (status == NAV_OK) {
        for (int axis = 0; axis < 3; axis++) {
            NAV_ASSERT(isfinite(min[axis]) && isfinite(max[axis]) && min[axis] <= max[axis]);
        }
        use(blob, &tile, min, max);
    }
    free(block);
    return 0;
}
