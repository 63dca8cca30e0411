// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// house.c: a house with rooms, doors, stairs and a flat roof. Towns and cities are made of it.
//
// Plan of a floor; flights change sides from floor to floor, so that each has headroom:
//
//      x -->     ___________door___________
//    z          |                          |
//    |          |  ____             ____   |
//    v          | |foot|           |foot|  |     flight of the even floors on the west side,
//               | | |  |           | |  |  |     of the odd floors on the east side
//               | |_v__|           |_v__|  |
//               |                          |
//               |---------- door ----------|     inner wall
//               |__________________________|
//                          door

#include "shapes.h"

#define WALL 300
#define SLAB 200
#define FLIGHT_WIDTH 2800
#define FLIGHT_RUN 4800
#define FLIGHT_STEPS 16
#define FLIGHT_FOOT 2200 // from the house's north wall
#define INNER_WALL 9600  // from the house's north side

// The flight that leads up from floor `storey`; its top is level with the next floor.
static level_box flight_box(level_house h, int32_t storey)
{
    int32_t x = storey % 2 == 0 ? h.x + WALL : h.x + h.width - WALL - FLIGHT_WIDTH;
    int32_t y = h.floor + storey * HOUSE_STOREY;
    int32_t z = h.z + WALL + FLIGHT_FOOT;
    return (level_box){x, y, z, x + FLIGHT_WIDTH, y + HOUSE_STOREY, z + FLIGHT_RUN};
}

void shape_house(level_mesh *mesh, level_house h)
{
    int32_t x1 = h.x + h.width, z1 = h.z + h.depth;
    shape_box(mesh, (level_box){h.x, h.foot, h.z, x1, h.floor, z1});
    for (int32_t storey = 0; storey < h.storeys; ++storey) {
        int32_t y = h.floor + storey * HOUSE_STOREY, ceiling = y + HOUSE_STOREY - SLAB;
        uint32_t doors = storey == 0 ? 1u << LEVEL_NORTH | 1u << LEVEL_SOUTH : 0;
        shape_enclosure(mesh, (level_box){h.x, y, h.z, x1, ceiling, z1}, WALL, doors, LEVEL_DOOR);
        shape_wall_with_door(mesh,
                             (level_box){h.x + WALL, y, h.z + INNER_WALL, x1 - WALL, ceiling,
                                         h.z + INNER_WALL + SLAB},
                             LEVEL_DOOR);
        level_box slab = {h.x, ceiling, h.z, x1, y + HOUSE_STOREY, z1};
        if (storey + 1 < h.storeys) {
            level_box flight = flight_box(h, storey);
            shape_stairs(mesh, flight, LEVEL_SOUTH, FLIGHT_STEPS);
            shape_slab_with_hole(mesh, slab, flight);
        } else {
            shape_box(mesh, slab);
        }
    }
}
