// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// levels.h: levels made by a program, for tests, the demo and benchmarks.
//
//   kind, size, seed --levels_generate--> level_mesh --levels_write_obj--> OBJ text
//                                                    --levels_write_glb--> binary glTF
//
// The generator computes in whole millimetres with its own integer noise, so that the same kind,
// size and seed give the same bytes on every machine. Metres, Y up, counter-clockwise triangles
// seen from above face up.

#pragma once

#include "core/nav.h"

#include <stdio.h>

// Enum, word on the command line, default size, largest size, what size counts.
#define LEVEL_KIND_TABLE(X)                                                                        \
    X(LEVEL_TOWN, "town", 3, 32, "lots a side")                                                    \
    X(LEVEL_DUNGEON, "dungeon", 3, 24, "rooms a side, on each of three floors")                    \
    X(LEVEL_TERRAIN, "terrain", 64, 1024, "squares of 2 m a side")                                 \
    X(LEVEL_CITY, "city", 2, 64, "blocks a side")

typedef enum level_kind {
#define X(name, word, size, size_max, unit) name,
    LEVEL_KIND_TABLE(X)
#undef X
    LEVEL_KIND_COUNT
} level_kind;

const char *levels_kind_word(level_kind kind);
const char *levels_kind_unit(level_kind kind);
uint32_t levels_size_default(level_kind kind);
uint32_t levels_size_max(level_kind kind);

// A triangle soup. Zero-initialised it is empty; the arrays grow with malloc.
typedef struct level_mesh {
    float *vertices;     // 3 * vertex_count, metres, each the float nearest to whole millimetres
    uint32_t *triangles; // 3 * triangle_count indices
    uint32_t vertex_count, triangle_count;
    uint32_t vertex_capacity, triangle_capacity;
    bool failed; // out of memory; everything after is ignored
} level_mesh;

// Fills *out, which the caller frees with levels_free. False when size is 0 or beyond the kind's
// largest, or when memory ran out; *out is then empty.
bool levels_generate(level_kind kind, uint32_t size, uint64_t seed, level_mesh *out);
void levels_free(level_mesh *mesh);
// As the library takes it; borrowed from mesh.
nav_geometry levels_geometry(const level_mesh *mesh);

// `v` and `f` lines, three decimals. False when writing fails.
bool levels_write_obj(const level_mesh *mesh, FILE *file);
// One mesh of one node, in the same order: read, it is the same geometry as the OBJ.
bool levels_write_glb(const level_mesh *mesh, FILE *file);
