// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// shapes.h: the solids that levels are built from. Private to tests/levels/.
//
// All lengths are whole millimetres. A box is given by its two corners; min < max on every axis.
//
//        y                 north is -z, east is +x:  a flight "towards LEVEL_EAST" rises to +x
//        |  z
//        | /
//        |/____ x

#pragma once

#include "levels.h"

typedef struct level_box {
    int32_t x0, y0, z0, x1, y1, z1;
} level_box;

typedef enum level_side {
    LEVEL_WEST,
    LEVEL_SOUTH,
    LEVEL_EAST,
    LEVEL_NORTH
} level_side;

// ---- numbers ----

// A stream of random numbers (SplitMix64, Steele, Lea and Flood 2014).
typedef struct level_random {
    uint64_t state;
} level_random;

// 0 <= result < count.
uint32_t level_random_below(level_random *random, uint32_t count);
// Smooth value noise with one random height a lattice point: 0 <= result <= 65535.
int32_t level_noise(uint64_t seed, int32_t x, int32_t z, int32_t wavelength);

// ---- solids ----

uint32_t shape_vertex(level_mesh *mesh, int32_t x, int32_t y, int32_t z);
void shape_triangle(level_mesh *mesh, uint32_t a, uint32_t b, uint32_t c);
// Two triangles over four vertices that go round counter-clockwise.
void shape_quad(level_mesh *mesh, uint32_t a, uint32_t b, uint32_t c, uint32_t d);

// A level plane that faces up.
void shape_floor(level_mesh *mesh, int32_t x0, int32_t z0, int32_t x1, int32_t z1, int32_t y);
// An upright rectangle from y0 to y1 over the line (xa, za) to (xb, zb); it has no thickness.
void shape_screen(level_mesh *mesh, int32_t xa, int32_t za, int32_t xb, int32_t zb, int32_t y0,
                  int32_t y1);
void shape_box(level_mesh *mesh, level_box box);
// A wedge that fills the box: its top rises from y0 to y1 towards `up`.
void shape_ramp(level_mesh *mesh, level_box box, level_side up);
// Solid steps that fill the box and rise towards `up`.
void shape_stairs(level_mesh *mesh, level_box box, level_side up, int32_t step_count);
// A slab with a rectangular opening; the hole must lie inside the slab.
void shape_slab_with_hole(level_mesh *mesh, level_box slab, level_box hole);

// A wall with a door in the middle of its longer side, down to the wall's foot.
typedef struct level_door {
    int32_t width, height;
} level_door;
void shape_wall_with_door(level_mesh *mesh, level_box wall, level_door door);
// Four walls around the box, along its inside; the sides in `doors` (bit 1 << level_side) have one.
void shape_enclosure(level_mesh *mesh, level_box box, int32_t thickness, uint32_t doors,
                     level_door door);

// ---- houses ----

// Enough room for an agent of radius 0.6 m and height 2 m, voxels of 0.3 m included.
#define LEVEL_DOOR ((level_door){2800, 2600})
#define HOUSE_SIDE_MIN 14000
#define HOUSE_STOREY 3200

// A house that can be entered: doors north and south, an inner wall with a door on each floor, and
// stairs from floor to floor. Its flat roof has no way up.
typedef struct level_house {
    int32_t x, z;         // north-west corner
    int32_t width, depth; // at least HOUSE_SIDE_MIN
    int32_t foot, floor;  // lowest point of the walls; height of the ground floor
    int32_t storeys;      // 1 or more
} level_house;
void shape_house(level_mesh *mesh, level_house house);

// ---- levels: one file each ----

void level_town(level_mesh *mesh, uint32_t size, uint64_t seed);
void level_dungeon(level_mesh *mesh, uint32_t size, uint64_t seed);
void level_terrain(level_mesh *mesh, uint32_t size, uint64_t seed);
void level_city(level_mesh *mesh, uint32_t size, uint64_t seed);
