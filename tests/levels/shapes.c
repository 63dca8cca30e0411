// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// shapes.c: boxes, ramps, stairs and walls, and the numbers that vary them. Levels are made of
// these; house.c puts the first building together.

#include "shapes.h"

#include <stdlib.h>

// ---- numbers ----

static uint64_t mix(uint64_t value)
{
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

uint32_t level_random_below(level_random *random, uint32_t count)
{
    random->state += UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)((mix(random->state) >> 32) * count >> 32);
}

// The random height of one lattice point, 0 to 65535.
static int64_t lattice(uint64_t seed, int32_t x, int32_t z)
{
    return (int64_t)(mix(mix(mix(seed) + (uint32_t)x) + (uint32_t)z) >> 48);
}

// 3t^2 - 2t^3 of a fraction in 1/65536.
static int64_t smooth(int64_t t)
{
    return (t * t >> 16) * (3 * 65536 - 2 * t) >> 16;
}

int32_t level_noise(uint64_t seed, int32_t x, int32_t z, int32_t wavelength)
{
    int32_t column = x / wavelength, row = z / wavelength;
    int64_t u = smooth((int64_t)(x % wavelength) * 65536 / wavelength);
    int64_t v = smooth((int64_t)(z % wavelength) * 65536 / wavelength);
    int64_t north = lattice(seed, column, row) * (65536 - u) + lattice(seed, column + 1, row) * u;
    int64_t south =
        lattice(seed, column, row + 1) * (65536 - u) + lattice(seed, column + 1, row + 1) * u;
    return (int32_t)(((north >> 16) * (65536 - v) + (south >> 16) * v) >> 16);
}

// ---- triangles ----

// Makes room for one more element; false (and mesh->failed) when there is no memory.
static bool reserve(level_mesh *mesh, void **array, uint32_t count, uint32_t *capacity)
{
    if (mesh->failed || count < *capacity) {
        return !mesh->failed;
    }
    uint32_t grown = *capacity == 0 ? 1024 : *capacity * 2;
    void *block = realloc(*array, (size_t)grown * 3 * sizeof(uint32_t));
    if (block == NULL) {
        mesh->failed = true;
        return false;
    }
    *array = block;
    *capacity = grown;
    return true;
}

_Static_assert(sizeof(float) == sizeof(uint32_t), "reserve() sizes both arrays the same way");

uint32_t shape_vertex(level_mesh *mesh, int32_t x, int32_t y, int32_t z)
{
    void *array = mesh->vertices;
    bool room = reserve(mesh, &array, mesh->vertex_count, &mesh->vertex_capacity);
    mesh->vertices = array;
    if (!room) {
        return 0;
    }
    float *v = mesh->vertices + 3 * (size_t)mesh->vertex_count;
    v[0] = (float)x / 1000.0f;
    v[1] = (float)y / 1000.0f;
    v[2] = (float)z / 1000.0f;
    return mesh->vertex_count++;
}

void shape_triangle(level_mesh *mesh, uint32_t a, uint32_t b, uint32_t c)
{
    void *array = mesh->triangles;
    bool room = reserve(mesh, &array, mesh->triangle_count, &mesh->triangle_capacity);
    mesh->triangles = array;
    if (!room) {
        return;
    }
    uint32_t *t = mesh->triangles + 3 * (size_t)mesh->triangle_count++;
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

void shape_quad(level_mesh *mesh, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    shape_triangle(mesh, a, b, c);
    shape_triangle(mesh, a, c, d);
}

void shape_floor(level_mesh *mesh, int32_t x0, int32_t z0, int32_t x1, int32_t z1, int32_t y)
{
    uint32_t a = shape_vertex(mesh, x0, y, z0), b = shape_vertex(mesh, x0, y, z1);
    uint32_t c = shape_vertex(mesh, x1, y, z1), d = shape_vertex(mesh, x1, y, z0);
    shape_quad(mesh, a, b, c, d);
}

void shape_screen(level_mesh *mesh, int32_t xa, int32_t za, int32_t xb, int32_t zb, int32_t y0,
                  int32_t y1)
{
    uint32_t a = shape_vertex(mesh, xa, y0, za), b = shape_vertex(mesh, xb, y0, zb);
    uint32_t c = shape_vertex(mesh, xb, y1, zb), d = shape_vertex(mesh, xa, y1, za);
    shape_quad(mesh, a, b, c, d);
}

// ---- solids ----

// Six faces over eight corners: 0 to 3 below, 4 to 7 above them, each four counter-clockwise seen
// from above.
//
//      7----6        z0
//     /|   /|       /
//    4----5 |     x0 - x1     corners: 0,4 (x0,z0)  1,5 (x0,z1)  2,6 (x1,z1)  3,7 (x1,z0)
static void hexahedron(level_mesh *mesh, const uint32_t v[8])
{
    shape_quad(mesh, v[4], v[5], v[6], v[7]);
    shape_quad(mesh, v[3], v[2], v[1], v[0]);
    shape_quad(mesh, v[0], v[1], v[5], v[4]);
    shape_quad(mesh, v[1], v[2], v[6], v[5]);
    shape_quad(mesh, v[2], v[3], v[7], v[6]);
    shape_quad(mesh, v[3], v[0], v[4], v[7]);
}

void shape_box(level_mesh *mesh, level_box b)
{
    const uint32_t v[8] = {
        shape_vertex(mesh, b.x0, b.y0, b.z0), shape_vertex(mesh, b.x0, b.y0, b.z1),
        shape_vertex(mesh, b.x1, b.y0, b.z1), shape_vertex(mesh, b.x1, b.y0, b.z0),
        shape_vertex(mesh, b.x0, b.y1, b.z0), shape_vertex(mesh, b.x0, b.y1, b.z1),
        shape_vertex(mesh, b.x1, b.y1, b.z1), shape_vertex(mesh, b.x1, b.y1, b.z0),
    };
    hexahedron(mesh, v);
}

void shape_ramp(level_mesh *mesh, level_box b, level_side up)
{
    // The four lower corners in the order of hexahedron; the two on the side `up` are raised.
    const int32_t x[4] = {b.x0, b.x0, b.x1, b.x1}, z[4] = {b.z0, b.z1, b.z1, b.z0};
    static const int HIGH[4][2] = {[LEVEL_WEST] = {0, 1},
                                   [LEVEL_SOUTH] = {1, 2},
                                   [LEVEL_EAST] = {2, 3},
                                   [LEVEL_NORTH] = {3, 0}};
    uint32_t low[4], high[2];
    for (int i = 0; i < 4; ++i) {
        low[i] = shape_vertex(mesh, x[i], b.y0, z[i]);
    }
    for (int i = 0; i < 2; ++i) {
        high[i] = shape_vertex(mesh, x[HIGH[up][i]], b.y1, z[HIGH[up][i]]);
    }
    // Corners p, q lie under the high edge; r, s are the foot, and the order is p, q, r, s.
    uint32_t p = low[HIGH[up][0]], q = low[HIGH[up][1]];
    uint32_t r = low[(HIGH[up][1] + 1) % 4], s = low[(HIGH[up][1] + 2) % 4];
    shape_quad(mesh, high[0], high[1], r, s);
    shape_quad(mesh, s, r, q, p);
    shape_quad(mesh, p, q, high[1], high[0]);
    shape_triangle(mesh, q, r, high[1]);
    shape_triangle(mesh, s, p, high[0]);
}

void shape_stairs(level_mesh *mesh, level_box b, level_side up, int32_t step_count)
{
    for (int32_t i = 0; i < step_count; ++i) {
        level_box step = b;
        int32_t near_x = (b.x1 - b.x0) * i / step_count;
        int32_t far_x = (b.x1 - b.x0) * (i + 1) / step_count;
        int32_t near_z = (b.z1 - b.z0) * i / step_count;
        int32_t far_z = (b.z1 - b.z0) * (i + 1) / step_count;
        step.y1 = b.y0 + (b.y1 - b.y0) * (i + 1) / step_count;
        switch (up) {
        case LEVEL_EAST:
            step.x0 = b.x0 + near_x;
            step.x1 = b.x0 + far_x;
            break;
        case LEVEL_WEST:
            step.x0 = b.x1 - far_x;
            step.x1 = b.x1 - near_x;
            break;
        case LEVEL_SOUTH:
            step.z0 = b.z0 + near_z;
            step.z1 = b.z0 + far_z;
            break;
        case LEVEL_NORTH:
            step.z0 = b.z1 - far_z;
            step.z1 = b.z1 - near_z;
            break;
        }
        shape_box(mesh, step);
    }
}

// A box that may have come out empty.
static void box_if_any(level_mesh *mesh, level_box b)
{
    if (b.x0 < b.x1 && b.y0 < b.y1 && b.z0 < b.z1) {
        shape_box(mesh, b);
    }
}

void shape_slab_with_hole(level_mesh *mesh, level_box s, level_box hole)
{
    box_if_any(mesh, (level_box){s.x0, s.y0, s.z0, s.x1, s.y1, hole.z0});
    box_if_any(mesh, (level_box){s.x0, s.y0, hole.z1, s.x1, s.y1, s.z1});
    box_if_any(mesh, (level_box){s.x0, s.y0, hole.z0, hole.x0, s.y1, hole.z1});
    box_if_any(mesh, (level_box){hole.x1, s.y0, hole.z0, s.x1, s.y1, hole.z1});
}

void shape_wall_with_door(level_mesh *mesh, level_box w, level_door door)
{
    level_box left = w, right = w, lintel = w;
    if (w.x1 - w.x0 >= w.z1 - w.z0) {
        left.x1 = lintel.x0 = (w.x0 + w.x1 - door.width) / 2;
        right.x0 = lintel.x1 = left.x1 + door.width;
    } else {
        left.z1 = lintel.z0 = (w.z0 + w.z1 - door.width) / 2;
        right.z0 = lintel.z1 = left.z1 + door.width;
    }
    lintel.y0 = w.y0 + door.height;
    box_if_any(mesh, left);
    box_if_any(mesh, right);
    box_if_any(mesh, lintel);
}

void shape_enclosure(level_mesh *mesh, level_box b, int32_t thickness, uint32_t doors,
                     level_door door)
{
    const level_box walls[4] = {
        [LEVEL_WEST] = {b.x0, b.y0, b.z0 + thickness, b.x0 + thickness, b.y1, b.z1 - thickness},
        [LEVEL_EAST] = {b.x1 - thickness, b.y0, b.z0 + thickness, b.x1, b.y1, b.z1 - thickness},
        [LEVEL_NORTH] = {b.x0, b.y0, b.z0, b.x1, b.y1, b.z0 + thickness},
        [LEVEL_SOUTH] = {b.x0, b.y0, b.z1 - thickness, b.x1, b.y1, b.z1},
    };
    for (int side = 0; side < 4; ++side) {
        if (doors >> side & 1u) {
            shape_wall_with_door(mesh, walls[side], door);
        } else {
            shape_box(mesh, walls[side]);
        }
    }
}
