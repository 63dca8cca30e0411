// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// terrain.c: rolling hills: three octaves of value noise on a square grid. The hills are gentle in
// the north-west and grow towards the south-east, where slopes exceed 45 degrees.

#include "shapes.h"

#define SQUARE 2000

// Height in millimetres at lattice point (x, z) of a terrain of `size` squares.
static int32_t height_at(uint64_t seed, int32_t x, int32_t z, int32_t size)
{
    int64_t height = (int64_t)level_noise(seed, x, z, 16) * 18000 +
                     (int64_t)level_noise(seed + 1, x, z, 7) * 9000 +
                     (int64_t)level_noise(seed + 2, x, z, 3) * 1500;
    // Between 40 % and 140 % of the hills' height, by the way from corner to corner.
    int64_t percent = 40 + (int64_t)(x + z) * 100 / (2 * size);
    return (int32_t)((height >> 16) * percent / 100);
}

void level_terrain(level_mesh *mesh, uint32_t size, uint64_t seed)
{
    int32_t side = (int32_t)size;
    for (int32_t z = 0; z <= side; ++z) {
        for (int32_t x = 0; x <= side; ++x) {
            shape_vertex(mesh, x * SQUARE, height_at(seed, x, z, side), z * SQUARE);
        }
    }
    for (uint32_t z = 0; z < size; ++z) {
        for (uint32_t x = 0; x < size; ++x) {
            uint32_t a = z * (size + 1) + x, b = a + size + 1;
            shape_quad(mesh, a, b, b + 1, a + 1);
        }
    }
}
