// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// dungeon.c: rooms and corridors on three floors, joined by stairs.
//
// Each floor is drawn on a map of squares first, then floors and walls are raised from the map:
//
//      ########        # floor    . rock (no geometry)    o hole above a flight of stairs
//      ###oo#######
//      ###oo###...#    A maze (depth-first walk) joins all rooms of a floor; a third of the other
//      ########...#    neighbours are joined as well, so that there are ways round.

#include "shapes.h"

#include <stdlib.h>

#define SQUARE 2000
#define FLOORS 3
#define FLOOR_DROP 5000
#define WALL_HEIGHT 4000
#define PITCH 12      // squares from room to room
#define ROOM_MAX 8    // squares a side
#define CORRIDOR 2    // squares wide
#define CORRIDOR_AT 3 // first square of a corridor, counted from the room's cell
#define SHAFT_X 3     // of the stairs, in squares of a room of full size
#define SHAFT_Z 1
#define SHAFT_WIDTH 2
#define SHAFT_LENGTH 5

enum {
    ROCK,
    FLOOR,
    HOLE
};

typedef struct dungeon {
    level_mesh *mesh;
    level_random random;
    int32_t rooms; // a side
    int32_t side;  // squares a side
    uint8_t *map;  // side * side of the floor being built
    uint8_t *seen; // rooms * rooms
    int32_t *walk; // rooms * rooms: the maze's way back
} dungeon;

static void draw(dungeon *d, int32_t x0, int32_t z0, int32_t x1, int32_t z1, uint8_t what)
{
    for (int32_t z = z0; z < z1; ++z) {
        for (int32_t x = x0; x < x1; ++x) {
            d->map[z * d->side + x] = what;
        }
    }
}

static uint8_t map_at(const dungeon *d, int32_t x, int32_t z)
{
    bool inside = x >= 0 && z >= 0 && x < d->side && z < d->side;
    return inside ? d->map[z * d->side + x] : ROCK;
}

// A straight corridor between the middles of room a and its neighbour b to the east or south.
static void draw_corridor(dungeon *d, int32_t a, int32_t b)
{
    int32_t first = a < b ? a : b;
    int32_t x = first % d->rooms * PITCH + CORRIDOR_AT, z = first / d->rooms * PITCH + CORRIDOR_AT;
    bool east = abs(a - b) == 1;
    draw(d, x, z, x + (east ? PITCH : 0) + CORRIDOR, z + (east ? 0 : PITCH) + CORRIDOR, FLOOR);
}

// The neighbour of room `at` in direction 0 to 3, or -1.
static int32_t neighbour_of(const dungeon *d, int32_t at, uint32_t direction)
{
    int32_t x = at % d->rooms, z = at / d->rooms;
    switch (direction) {
    case 0:
        return x > 0 ? at - 1 : -1;
    case 1:
        return z + 1 < d->rooms ? at + d->rooms : -1;
    case 2:
        return x + 1 < d->rooms ? at + 1 : -1;
    default:
        return z > 0 ? at - d->rooms : -1;
    }
}

static void draw_corridors(dungeon *d)
{
    int32_t count = d->rooms * d->rooms, depth = 0;
    for (int32_t i = 0; i < count; ++i) {
        d->seen[i] = 0;
    }
    d->walk[depth++] = 0;
    d->seen[0] = 1;
    while (depth > 0) {
        int32_t at = d->walk[depth - 1], next = -1;
        uint32_t turn = level_random_below(&d->random, 4);
        for (uint32_t i = 0; i < 4 && next < 0; ++i) {
            int32_t candidate = neighbour_of(d, at, (turn + i) % 4);
            next = candidate >= 0 && !d->seen[candidate] ? candidate : -1;
        }
        if (next < 0) {
            --depth;
            continue;
        }
        d->seen[next] = 1;
        d->walk[depth++] = next;
        draw_corridor(d, at, next);
    }
    for (int32_t i = 0; i < count; ++i) {
        for (uint32_t direction = 1; direction <= 2; ++direction) {
            int32_t other = neighbour_of(d, i, direction);
            if (other >= 0 && level_random_below(&d->random, 3) == 0) {
                draw_corridor(d, i, other);
            }
        }
    }
}

// The room whose stairs lead from floor `storey` to the one below.
static int32_t stair_room(const dungeon *d, int32_t storey)
{
    return storey % 2 == 0 ? d->rooms * d->rooms - 1 : 0;
}

static void draw_rooms(dungeon *d, int32_t storey)
{
    for (int32_t i = 0; i < d->rooms * d->rooms; ++i) {
        int32_t x = i % d->rooms * PITCH, z = i / d->rooms * PITCH;
        int32_t width = 6 + (int32_t)level_random_below(&d->random, 3);
        int32_t depth = 6 + (int32_t)level_random_below(&d->random, 3);
        bool above = storey > 0 && i == stair_room(d, storey - 1);
        bool below = storey + 1 < FLOORS && i == stair_room(d, storey);
        if (above || below) {
            width = depth = ROOM_MAX;
        }
        draw(d, x, z, x + width, z + depth, FLOOR);
        if (below) {
            draw(d, x + SHAFT_X, z + SHAFT_Z, x + SHAFT_X + SHAFT_WIDTH, z + SHAFT_Z + SHAFT_LENGTH,
                 HOLE);
        } else if (!above && level_random_below(&d->random, 2) == 0) {
            int32_t y = -storey * FLOOR_DROP, px = x * SQUARE + 2000, pz = z * SQUARE + 2000;
            shape_box(d->mesh, (level_box){px, y, pz, px + 1200, y + WALL_HEIGHT, pz + 1200});
            pz = (z + depth) * SQUARE - 3200;
            shape_box(d->mesh, (level_box){px, y, pz, px + 1200, y + WALL_HEIGHT, pz + 1200});
        }
    }
}

// Floors in strips as long as possible, and a wall wherever floor meets rock.
static void raise_map(dungeon *d, int32_t y)
{
    for (int32_t z = 0; z < d->side; ++z) {
        for (int32_t x = 0; x < d->side; ++x) {
            if (map_at(d, x, z) == FLOOR && map_at(d, x - 1, z) != FLOOR) {
                int32_t end = x;
                while (map_at(d, end, z) == FLOOR) {
                    ++end;
                }
                shape_floor(d->mesh, x * SQUARE, z * SQUARE, end * SQUARE, (z + 1) * SQUARE, y);
            }
            if (map_at(d, x, z) == ROCK) {
                continue;
            }
            int32_t x0 = x * SQUARE, z0 = z * SQUARE, x1 = x0 + SQUARE, z1 = z0 + SQUARE;
            const int32_t walls[4][4] = {
                {x0, z0, x0, z1}, {x0, z1, x1, z1}, {x1, z1, x1, z0}, {x1, z0, x0, z0}};
            static const int32_t STEP[4][2] = {{-1, 0}, {0, 1}, {1, 0}, {0, -1}};
            for (int side = 0; side < 4; ++side) {
                if (map_at(d, x + STEP[side][0], z + STEP[side][1]) == ROCK) {
                    shape_screen(d->mesh, walls[side][2], walls[side][3], walls[side][0],
                                 walls[side][1], y, y + WALL_HEIGHT);
                }
            }
        }
    }
}

// Up from the floor below into the hole of floor `storey`.
static void add_stairs(dungeon *d, int32_t storey)
{
    int32_t room = stair_room(d, storey), y = -storey * FLOOR_DROP;
    int32_t x = (room % d->rooms * PITCH + SHAFT_X) * SQUARE;
    int32_t z = (room / d->rooms * PITCH + SHAFT_Z) * SQUARE;
    shape_stairs(
        d->mesh,
        (level_box){x, y - FLOOR_DROP, z, x + SHAFT_WIDTH * SQUARE, y, z + SHAFT_LENGTH * SQUARE},
        LEVEL_SOUTH, 25);
}

void level_dungeon(level_mesh *mesh, uint32_t size, uint64_t seed)
{
    int32_t rooms = (int32_t)size, side = rooms * PITCH;
    size_t room_count = (size_t)rooms * (size_t)rooms, squares = (size_t)side * (size_t)side;
    dungeon d = {.mesh = mesh, .random = {seed}, .rooms = rooms, .side = side};
    d.map = malloc(squares);
    d.seen = malloc(room_count);
    d.walk = malloc(room_count * sizeof *d.walk);
    mesh->failed = d.map == NULL || d.seen == NULL || d.walk == NULL;
    for (int32_t storey = 0; storey < FLOORS && !mesh->failed; ++storey) {
        draw(&d, 0, 0, side, side, ROCK);
        draw_corridors(&d);
        draw_rooms(&d, storey);
        raise_map(&d, -storey * FLOOR_DROP);
        if (storey + 1 < FLOORS) {
            add_stairs(&d, storey);
        }
    }
    free(d.map);
    free(d.seen);
    free(d.walk);
}
