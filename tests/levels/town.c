// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// town.c: a small town: lots with houses, fences, terraces with ramps, a ditch with bridges, and a
// courtyard that nobody can get into.
//
//      lots to the west   | ditch |   lots to the east
//      [] [] ...          |===    |   a bridge over it in each row of lots;
//      [] [] ...          |===    |   its floor can be reached by a ramp at the south end
//
// Lots are squares of LOT. Most hold a house of one to three storeys; every fourth one a terrace
// with a ramp; the middle one the walled courtyard.

#include "shapes.h"

#define LOT 30000
#define DITCH_WIDTH 6000
#define DITCH_DEPTH 3000
#define DITCH_RAMP_RUN 9000
#define BRIDGE_WIDTH 4800
#define FENCE 200
#define FENCE_HEIGHT 1200

// Fences along the lot's west and east edge, with a gap in the middle to walk through.
static void add_fences(level_mesh *mesh, int32_t x, int32_t z)
{
    int32_t z0 = z + 3000, z1 = z + LOT - 3000;
    const level_door gap = {4000, FENCE_HEIGHT};
    shape_wall_with_door(mesh, (level_box){x + 3000, 0, z0, x + 3000 + FENCE, FENCE_HEIGHT, z1},
                         gap);
    shape_wall_with_door(
        mesh, (level_box){x + LOT - 3000 - FENCE, 0, z0, x + LOT - 3000, FENCE_HEIGHT, z1}, gap);
}

// A platform 1.8 m high with a ramp from the south, steps from the east and a box to walk around.
static void add_terrace(level_mesh *mesh, int32_t x, int32_t z)
{
    int32_t x0 = x + 8000, z0 = z + 6000;
    shape_box(mesh, (level_box){x0, 0, z0, x0 + 10000, 1800, z0 + 8000});
    shape_ramp(mesh, (level_box){x0 + 1000, 0, z0 + 8000, x0 + 5000, 1800, z0 + 13000},
               LEVEL_NORTH);
    shape_stairs(mesh, (level_box){x0 + 10000, 0, z0 + 2000, x0 + 13600, 1800, z0 + 6000},
                 LEVEL_WEST, 9);
    shape_box(mesh, (level_box){x0 + 4000, 1800, z0 + 3000, x0 + 6000, 3000, z0 + 5000});
}

// Walls without any door around a piece of ground: walkable, and reachable from nowhere.
static void add_courtyard(level_mesh *mesh, int32_t x, int32_t z)
{
    shape_enclosure(mesh, (level_box){x + 8000, 0, z + 8000, x + 22000, 3000, z + 22000}, 300, 0,
                    LEVEL_DOOR);
}

static void add_lot(level_mesh *mesh, level_random *random, int32_t x, int32_t z, uint32_t index,
                    uint32_t courtyard)
{
    int32_t storeys = 1 + (int32_t)level_random_below(random, 3);
    int32_t width = HOUSE_SIDE_MIN + 500 * (int32_t)level_random_below(random, 5);
    int32_t depth = HOUSE_SIDE_MIN + 500 * (int32_t)level_random_below(random, 5);
    add_fences(mesh, x, z);
    if (index == courtyard) {
        add_courtyard(mesh, x, z);
    } else if (index % 4 == 1) {
        add_terrace(mesh, x, z);
    } else {
        shape_house(mesh, (level_house){x + 8000, z + 6000, width, depth, 0, 200, storeys});
    }
}

// The ditch's floor and banks, its ramp at the south end, and one bridge for each row of lots.
static void add_ditch(level_mesh *mesh, int32_t x, int32_t rows)
{
    int32_t x1 = x + DITCH_WIDTH, south = rows * LOT;
    int32_t foot = south - DITCH_RAMP_RUN;
    shape_floor(mesh, x, 0, x1, south, -DITCH_DEPTH);
    shape_box(mesh, (level_box){x - 500, -DITCH_DEPTH, 0, x, 0, south});
    shape_box(mesh, (level_box){x1, -DITCH_DEPTH, 0, x1 + 500, 0, south});
    shape_ramp(mesh, (level_box){x, -DITCH_DEPTH, foot, x1, 0, south}, LEVEL_SOUTH);
    // A strip of ground joins the two banks behind the ramp's upper end.
    shape_floor(mesh, x, south, x1, south + 4000, 0);
    for (int32_t row = 0; row < rows; ++row) {
        int32_t z = row * LOT + 7000;
        shape_box(mesh, (level_box){x - 300, -400, z, x1 + 300, 100, z + BRIDGE_WIDTH});
        shape_box(mesh, (level_box){x, 100, z, x1, 1300, z + FENCE});
        shape_box(mesh, (level_box){x, 100, z + BRIDGE_WIDTH - FENCE, x1, 1300, z + BRIDGE_WIDTH});
    }
}

void level_town(level_mesh *mesh, uint32_t size, uint64_t seed)
{
    level_random random = {seed};
    int32_t rows = (int32_t)size, west = (rows + 1) / 2, side = rows * LOT;
    int32_t ditch = west * LOT, east = ditch + DITCH_WIDTH;
    uint32_t courtyard = size * size / 2;
    // The ground reaches beyond the lots in the east, so that even one lot has two banks.
    shape_floor(mesh, 0, 0, ditch, side + 4000, 0);
    shape_floor(mesh, east, 0, east + (rows - west) * LOT + 4000, side + 4000, 0);
    add_ditch(mesh, ditch, rows);
    for (int32_t row = 0; row < rows; ++row) {
        for (int32_t column = 0; column < rows; ++column) {
            int32_t x = column * LOT + (column >= west ? DITCH_WIDTH : 0);
            add_lot(mesh, &random, x, row * LOT, (uint32_t)(row * rows + column), courtyard);
        }
    }
}
