// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// coordinates.h: the level's coordinates and the mesh's. The library knows Y up only; with z_up the
// level's x, y, z are x, z, -y in the mesh.

#pragma once

#include "core/nav.h"

// Each turns a point in place and changes no digit; there is nothing to do for Y_UP.
void proto_to_mesh(nav_coordinates coordinates, float point[3]);
void proto_to_level(nav_coordinates coordinates, float point[3]);
// A box has its corners elsewhere in other coordinates: these keep min below max.
void proto_box_to_mesh(nav_coordinates coordinates, float min[3], float max[3]);
void proto_box_to_level(nav_coordinates coordinates, float min[3], float max[3]);

// Turns a point of the level about the level's upward axis through `center`, by so many degrees, at
// most a few thousand: with Y up from Z towards X, with Z up from X towards Y, as engines count
// their yaw. The same on every machine; quarters of a turn are exact.
void proto_turn(nav_coordinates coordinates, const float center[3], double degrees, float point[3]);
