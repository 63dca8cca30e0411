// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// coordinates.h: the level's coordinates and the mesh's. The library knows Y up, right-handed and
// metres only; whatever belongs to a place in the level goes through here on its way in and out:
// positions, directions, lengths, costs and areas. Sizes of an agent and of a bake are metres and
// do not.

#pragma once

#include "core/nav.h"

// ---- coordinates by name ----

typedef struct proto_preset {
    const char *word;
    int8_t axes[3];
    double scale;
} proto_preset;

// By number, from 0 on; NULL behind the last.
const proto_preset *proto_preset_at(uint32_t number);
// The first preset with the same axes; NULL: none has them.
const proto_preset *proto_preset_of(nav_coordinates coordinates);
// The mesh's axis that an axis of the level runs along, as text: "x", "-z".
const char *proto_axis_word(int8_t axis);
// Whether the level is left-handed, as the mesh is not.
bool proto_is_mirrored(nav_coordinates coordinates);
// The level's axis that points up or down in the mesh.
int proto_upward_axis(nav_coordinates coordinates);
// The number-th (0 or 1) of the level's other two axes, in their order.
int proto_plan_axis(nav_coordinates coordinates, int number);

// ---- lengths ----

// A length of the level in metres, and back. A cost is a length, and so is a speed.
static inline double proto_length_to_mesh(nav_coordinates coordinates, double length)
{
    return length * coordinates.scale;
}
static inline double proto_length_to_level(nav_coordinates coordinates, double length)
{
    return length / coordinates.scale;
}
// The same of areas.
static inline double proto_area_to_level(nav_coordinates coordinates, double area)
{
    return area / (coordinates.scale * coordinates.scale);
}
// Decimals of lengths in answers: thousandths, and never coarser than a millimetre.
static inline int proto_length_decimals(nav_coordinates coordinates)
{
    const double scale = coordinates.scale;
    return scale <= 1.0 ? 3 : scale <= 10.0 ? 4 : scale <= 100.0 ? 5 : 6;
}
// The largest coordinate that the mesh can have, in the level's unit.
double proto_level_coordinate_max(nav_coordinates coordinates);

// ---- positions ----

// Each turns a point in place, and changes no digit where the scale is a power of two.
void proto_to_mesh(nav_coordinates coordinates, float point[3]);
void proto_to_level(nav_coordinates coordinates, float point[3]);
// The same of a direction, which has no unit.
void proto_direction_to_level(nav_coordinates coordinates, float direction[3]);
// The same of a point of the mesh, with all digits.
void proto_point_to_level(nav_coordinates coordinates, const float point[3], double level[3]);
// A box has its corners elsewhere in other coordinates: these keep min below max.
void proto_box_to_mesh(nav_coordinates coordinates, float min[3], float max[3]);
void proto_box_to_level(nav_coordinates coordinates, float min[3], float max[3]);
// Heights, which are values on the level's upward axis, from lowest to highest.
void proto_heights_to_mesh(nav_coordinates coordinates, float *min, float *max);
// A point in plan view: values on the level's two other axes, in their order, and the mesh's x and
// z.
void proto_plan_to_mesh(nav_coordinates coordinates, float point[2]);

// Turns a point of the level about the level's upward axis through `center`, by so many degrees, at
// most a few thousand, from the axis after the upward one (x comes after z) towards the one after
// that: with Y up from Z towards X, with Z up from X towards Y, as engines count their yaw. The
// same on every machine; quarters of a turn are exact.
void proto_turn(nav_coordinates coordinates, const float center[3], double degrees, float point[3]);
