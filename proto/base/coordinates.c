// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// coordinates.c: the level's coordinates and the mesh's. Inside there is Y up, right-handed and in
// metres only; what comes in is turned as it is read (settings, the points of a query, the vertices
// of a bake), and what goes out as it is written (proto_write_point, by the writer's coordinates).
//
//   z_up, right-handed:   level x, y, z  <-->  mesh x, z, -y
//
// Turning there and back changes no digit; scales that are powers of two change none either.

#include "proto/base/coordinates.h"

#include <float.h>
#include <math.h>
#include <string.h>

// ---- coordinates by name ----

// The first of several with the same axes is the one that is written. wow: as the tools of its
// servers have it, whose tiles Detour loads: x of the mesh is the level's y, z its x. Their sizes
// are the level's yards as well.
static const proto_preset PRESETS[] = {
    {"y_up", {1, 2, 3}, 1.0},   {"z_up", {1, -3, 2}, 1.0}, {"unreal", {1, 3, 2}, 0.01},
    {"unity", {1, 2, -3}, 1.0}, {"godot", {1, 2, 3}, 1.0}, {"wow", {3, 1, 2}, 1.0},
};

const proto_preset *proto_preset_at(uint32_t number)
{
    return number < sizeof PRESETS / sizeof PRESETS[0] ? &PRESETS[number] : NULL;
}

const proto_preset *proto_preset_of(nav_coordinates coordinates)
{
    uint32_t i = 0;
    while (proto_preset_at(i) != NULL &&
           memcmp(PRESETS[i].axes, coordinates.axes, sizeof coordinates.axes) != 0) {
        i++;
    }
    return proto_preset_at(i);
}

const char *proto_axis_word(int8_t axis)
{
    static const char *const words[] = {"-z", "-y", "-x", NULL, "x", "y", "z"};
    NAV_ASSERT(axis >= -3 && axis <= 3 && axis != 0);
    return words[axis + 3];
}

// ---- axes ----

// The mesh's axis that one of the level's runs along, and whether against it.
static inline int along(nav_coordinates coordinates, int axis)
{
    const int number = (int)coordinates.axes[axis];
    NAV_DCHECK(number != 0 && number >= -3 && number <= 3);
    return (number < 0 ? -number : number) - 1;
}

static inline bool is_against(nav_coordinates coordinates, int axis)
{
    return coordinates.axes[axis] < 0;
}

bool proto_is_mirrored(nav_coordinates coordinates)
{
    // Axes in the mesh's order or in its turns are right-handed, and each that runs against turns
    // the hand over.
    bool mirrored = (along(coordinates, 0) + 1) % 3 != along(coordinates, 1);
    for (int axis = 0; axis < 3; axis++) {
        mirrored ^= is_against(coordinates, axis);
    }
    return mirrored;
}

int proto_upward_axis(nav_coordinates coordinates)
{
    int axis = 0;
    while (along(coordinates, axis) != 1) {
        axis++;
        NAV_ASSERT(axis < 3); // one of them does
    }
    return axis;
}

int proto_plan_axis(nav_coordinates coordinates, int number)
{
    const int up = proto_upward_axis(coordinates);
    NAV_DCHECK(number == 0 || number == 1);
    return number < up ? number : number + 1;
}

// ---- positions ----

double proto_level_coordinate_max(nav_coordinates coordinates)
{
    return proto_length_to_level(coordinates, (double)NAV_COORDINATE_MAX);
}

// A value on one of the level's axes to the mesh's, and back. 0 - y and not -y: there is one zero
// only in what we write.
static inline float value_to_mesh(nav_coordinates coordinates, int axis, float value)
{
    const double length = proto_length_to_mesh(coordinates, (double)value);
    // A question's value may be any finite one, and stays one.
    const double most = (double)FLT_MAX;
    const double bounded = length > most ? most : length < -most ? -most : length;
    return (float)(is_against(coordinates, axis) ? 0.0 - bounded : bounded);
}

static inline double value_to_level(nav_coordinates coordinates, int axis, float value)
{
    const double length = proto_length_to_level(coordinates, (double)value);
    return is_against(coordinates, axis) ? 0.0 - length : length;
}

void proto_to_mesh(nav_coordinates coordinates, float point[3])
{
    const float level[3] = {point[0], point[1], point[2]};
    for (int axis = 0; axis < 3; axis++) {
        point[along(coordinates, axis)] = value_to_mesh(coordinates, axis, level[axis]);
    }
}

void proto_point_to_level(nav_coordinates coordinates, const float point[3], double level[3])
{
    // Most levels are in the mesh's coordinates already, and files have a million points.
    if (coordinates.scale == 1.0 && coordinates.axes[0] == 1 && coordinates.axes[1] == 2 &&
        coordinates.axes[2] == 3) {
        for (int axis = 0; axis < 3; axis++) {
            level[axis] = (double)point[axis];
        }
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        level[axis] = value_to_level(coordinates, axis, point[along(coordinates, axis)]);
    }
}

void proto_to_level(nav_coordinates coordinates, float point[3])
{
    double level[3];
    proto_point_to_level(coordinates, point, level);
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = (float)level[axis];
    }
}

void proto_direction_to_level(nav_coordinates coordinates, float direction[3])
{
    coordinates.scale = 1.0;
    proto_to_level(coordinates, direction);
}

static void swap(float *a, float *b)
{
    const float keep = *a;
    *a = *b;
    *b = keep;
}

// A wrong box stays wrong: corners change places where an axis turns round, and nowhere else.
void proto_box_to_mesh(nav_coordinates coordinates, float min[3], float max[3])
{
    proto_to_mesh(coordinates, min);
    proto_to_mesh(coordinates, max);
    for (int axis = 0; axis < 3; axis++) {
        if (is_against(coordinates, axis)) {
            swap(&min[along(coordinates, axis)], &max[along(coordinates, axis)]);
        }
    }
}

void proto_box_to_level(nav_coordinates coordinates, float min[3], float max[3])
{
    proto_to_level(coordinates, min);
    proto_to_level(coordinates, max);
    for (int axis = 0; axis < 3; axis++) {
        if (is_against(coordinates, axis)) {
            swap(&min[axis], &max[axis]);
        }
    }
}

void proto_heights_to_mesh(nav_coordinates coordinates, float *min, float *max)
{
    const int up = proto_upward_axis(coordinates);
    *min = value_to_mesh(coordinates, up, *min);
    *max = value_to_mesh(coordinates, up, *max);
    if (is_against(coordinates, up)) {
        swap(min, max);
    }
}

void proto_plan_to_mesh(nav_coordinates coordinates, float point[2])
{
    float whole[3] = {0};
    whole[proto_plan_axis(coordinates, 0)] = point[0];
    whole[proto_plan_axis(coordinates, 1)] = point[1];
    proto_to_mesh(coordinates, whole);
    point[0] = whole[0];
    point[1] = whole[2];
}

// ---- angles ----

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

void proto_turn(nav_coordinates coordinates, const float center[3], double degrees, float point[3])
{
    const int up = proto_upward_axis(coordinates), from = (up + 1) % 3, to = (up + 2) % 3;
    double sine, cosine;
    NAV_ASSERT(fabs(degrees) <= 1e6);
    turn_of(degrees, &sine, &cosine);
    const double a = (double)point[from] - (double)center[from];
    const double b = (double)point[to] - (double)center[to];
    point[from] = (float)((double)center[from] + (a * cosine - b * sine));
    point[to] = (float)((double)center[to] + (a * sine + b * cosine));
}
