// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// coordinates.c: the level's coordinates and the mesh's. Inside there is Y up only; what comes in
// is turned as it is read (settings, the points of a query, the vertices of a bake), and what goes
// out as it is written (proto_write_point, by the writer's coordinates).
//
//   z_up, right-handed:   level x, y, z  <-->  mesh x, z, -y
//
// Turning there and back changes no digit.

#include "proto/base/coordinates.h"

// 0 - y and not -y: there is one zero only in what we write.
void proto_to_mesh(nav_coordinates coordinates, float point[3])
{
    NAV_DCHECK(coordinates == NAV_COORDINATES_Y_UP || coordinates == NAV_COORDINATES_Z_UP);
    if (coordinates == NAV_COORDINATES_Z_UP) {
        float y = point[1];
        point[1] = point[2];
        point[2] = 0.0f - y;
    }
}

void proto_to_level(nav_coordinates coordinates, float point[3])
{
    NAV_DCHECK(coordinates == NAV_COORDINATES_Y_UP || coordinates == NAV_COORDINATES_Z_UP);
    if (coordinates == NAV_COORDINATES_Z_UP) {
        float z = point[2];
        point[2] = point[1];
        point[1] = 0.0f - z;
    }
}

static void swap(float *a, float *b)
{
    float keep = *a;
    *a = *b;
    *b = keep;
}

void proto_box_to_mesh(nav_coordinates coordinates, float min[3], float max[3])
{
    proto_to_mesh(coordinates, min);
    proto_to_mesh(coordinates, max);
    if (coordinates == NAV_COORDINATES_Z_UP) {
        swap(&min[2], &max[2]);
    }
}

void proto_box_to_level(nav_coordinates coordinates, float min[3], float max[3])
{
    proto_to_level(coordinates, min);
    proto_to_level(coordinates, max);
    if (coordinates == NAV_COORDINATES_Z_UP) {
        swap(&min[1], &max[1]);
    }
}
