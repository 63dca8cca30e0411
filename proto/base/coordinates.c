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

#include <math.h>

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

// Sine and cosine of an angle of at most an eighth of a turn, by their series: those of the system
// may differ in their last digit from machine to machine.
static void small_turn(double radians, double *sine, double *cosine)
{
    const double square = radians * radians;
    double term = 1.0;
    *sine = *cosine = 0.0;
    for (int i = 0; i < 18; i += 2) {
        *cosine += term;
        *sine += term * radians / (i + 1);
        term *= -square / ((i + 1) * (i + 2));
    }
}

static void turn_of(double degrees, double *sine, double *cosine)
{
    const double quarters = floor(degrees / 90.0 + 0.5);
    double s, c;
    small_turn((degrees - quarters * 90.0) * (3.14159265358979323846 / 180.0), &s, &c);
    switch ((int)quarters & 3) {
    case 0:
        *sine = s, *cosine = c;
        break;
    case 1:
        *sine = c, *cosine = -s;
        break;
    case 2:
        *sine = -s, *cosine = -c;
        break;
    default:
        *sine = -c, *cosine = s;
        break;
    }
}

// The level's axis that points upwards in the mesh.
static int upward_axis(nav_coordinates coordinates)
{
    for (int axis = 0; axis < 3; axis++) {
        float unit[3] = {0.0f, 0.0f, 0.0f};
        unit[axis] = 1.0f;
        proto_to_mesh(coordinates, unit);
        if (unit[1] != 0.0f) {
            return axis;
        }
    }
    NAV_ASSERT(false); // one of them does
    return 1;
}

void proto_turn(nav_coordinates coordinates, const float center[3], double degrees, float point[3])
{
    const int up = upward_axis(coordinates), from = (up + 1) % 3, to = (up + 2) % 3;
    double sine, cosine;
    NAV_ASSERT(fabs(degrees) <= 1e6);
    turn_of(degrees, &sine, &cosine);
    const double a = (double)point[from] - (double)center[from];
    const double b = (double)point[to] - (double)center[to];
    point[from] = (float)((double)center[from] + (a * cosine - b * sine));
    point[to] = (float)((double)center[to] + (a * sine + b * cosine));
}
