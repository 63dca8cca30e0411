// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// city.c: a city of any size: square blocks of four buildings each, streets that rise and fall a
// little, flat roofs, and in every block one building that can be entered.
//
//      street | 2 m | 16 m | 4 m alley | 16 m | 2 m | street
//
// About 1,000 triangles a block: --size 22 gives half a million.

#include "shapes.h"

#define BLOCK 40000
#define STREET 12000
#define PITCH (BLOCK + STREET)
#define SQUARE 4000
#define SQUARES_PER_PITCH (PITCH / SQUARE)
#define BUILDING 16000

// Ground height in millimetres at lattice point (x, z): hills of 2 m, at least 100 m apart.
static int32_t ground_at(uint64_t seed, int32_t x, int32_t z)
{
    return (int32_t)((int64_t)level_noise(seed, x, z, 2 * SQUARES_PER_PITCH) * 2000 >> 16);
}

// Lowest and highest ground under a building.
static void ground_range(uint64_t seed, int32_t x, int32_t z, int32_t *low, int32_t *high)
{
    *low = INT32_MAX;
    *high = INT32_MIN;
    for (int32_t j = z / SQUARE; j <= (z + BUILDING) / SQUARE + 1; ++j) {
        for (int32_t i = x / SQUARE; i <= (x + BUILDING) / SQUARE + 1; ++i) {
            int32_t y = ground_at(seed, i, j);
            *low = y < *low ? y : *low;
            *high = y > *high ? y : *high;
        }
    }
}

static void add_ground(level_mesh *mesh, uint32_t side, uint64_t seed)
{
    uint32_t first = mesh->vertex_count;
    for (uint32_t z = 0; z <= side; ++z) {
        for (uint32_t x = 0; x <= side; ++x) {
            shape_vertex(mesh, (int32_t)x * SQUARE, ground_at(seed, (int32_t)x, (int32_t)z),
                         (int32_t)z * SQUARE);
        }
    }
    for (uint32_t z = 0; z < side; ++z) {
        for (uint32_t x = 0; x < side; ++x) {
            uint32_t a = first + z * (side + 1) + x, b = a + side + 1;
            shape_quad(mesh, a, b, b + 1, a + 1);
        }
    }
}

static void add_block(level_mesh *mesh, level_random *random, int32_t x, int32_t z, uint64_t seed)
{
    uint32_t open = level_random_below(random, 4);
    for (uint32_t i = 0; i < 4; ++i) {
        int32_t bx = x + 2000 + (i % 2 == 0 ? 0 : BUILDING + 4000);
        int32_t bz = z + 2000 + (i / 2 == 0 ? 0 : BUILDING + 4000);
        int32_t storeys = 2 + (int32_t)level_random_below(random, 9);
        int32_t low, high;
        ground_range(seed, bx, bz, &low, &high);
        if (i == open) {
            shape_house(mesh, (level_house){bx, bz, BUILDING, BUILDING, low - 500, high + 100,
                                            2 + storeys % 2});
        } else {
            shape_box(mesh, (level_box){bx, low - 500, bz, bx + BUILDING,
                                        high + storeys * HOUSE_STOREY, bz + BUILDING});
        }
    }
}

void level_city(level_mesh *mesh, uint32_t size, uint64_t seed)
{
    level_random random = {seed};
    // A street closes the city on its far sides.
    add_ground(mesh, size * SQUARES_PER_PITCH + STREET / SQUARE, seed);
    for (int32_t row = 0; row < (int32_t)size; ++row) {
        for (int32_t column = 0; column < (int32_t)size; ++column) {
            add_block(mesh, &random, column * PITCH + STREET, row * PITCH + STREET, seed);
        }
    }
}
