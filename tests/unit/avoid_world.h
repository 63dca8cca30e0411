// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// avoid_world.h: random shapes that block in random worlds, and how near a path comes to one.

#pragma once

#include "visibility_world.h"

#define SHAPES_MAX 3
#define SHAPE_POINTS 3

typedef struct world_shapes {
    nav_avoid list[SHAPES_MAX];
    float points[SHAPES_MAX][SHAPE_POINTS][2];
    uint32_t count;
} world_shapes;

// A corner of a shape around a place, up to two cells of the world away along each axis.
static inline void shape_corner(world *w, const float center[3], float out[2])
{
    out[0] = center[0] + world_chance(w, -2, 2) * w->config.cell_size;
    out[1] = center[2] + world_chance(w, -2, 2) * w->config.cell_size;
}

// Circles, boxes, triangles of either winding and capsules, around places on the mesh. s is not
// moved as long as they are used.
static inline void world_add_shapes(world *w, const nav_mesh *mesh, world_shapes *s)
{
    s->count = 1 + random_below(&w->seed, SHAPES_MAX);
    for (uint32_t i = 0; i < s->count; ++i) {
        float at[3];
        float(*p)[2] = s->points[i];
        world_random_place(w, mesh, at);
        for (int k = 0; k < SHAPE_POINTS; ++k) {
            shape_corner(w, at, p[k]);
        }
        s->list[i] = (nav_avoid){.shape = (nav_avoid_shape)random_below(&w->seed, 4),
                                 .center = {at[0], at[2]},
                                 .radius = world_chance(w, 0.2f, 2) * w->config.cell_size,
                                 .end = {p[2][0], p[2][1]},
                                 .min = {fminf(p[0][0], p[1][0]), fminf(p[0][1], p[1][1])},
                                 .max = {fmaxf(p[0][0], p[1][0]), fmaxf(p[0][1], p[1][1])},
                                 .points = (const float(*)[2])p,
                                 .point_count = SHAPE_POINTS,
                                 .bottom = -1000,
                                 .top = 1000,
                                 .blocked = true};
    }
}

// The same, but one in some of them makes the ground twice as dear instead of blocking it.
static inline void world_add_mixed_shapes(world *w, const nav_mesh *mesh, uint32_t one_in,
                                          world_shapes *s)
{
    world_add_shapes(w, mesh, s);
    for (uint32_t i = 0; i < s->count; ++i) {
        s->list[i].blocked = !world_one_in(w, one_in);
        s->list[i].cost = 2.0f;
    }
}

// ---- distances in plan view ----

typedef struct spot {
    double x, z;
} spot;

static inline double spot_side(spot a, spot b, spot p)
{
    return (b.x - a.x) * (p.z - a.z) - (b.z - a.z) * (p.x - a.x);
}

static inline double spot_to_line(spot p, spot a, spot b)
{
    const double dx = b.x - a.x, dz = b.z - a.z, length2 = dx * dx + dz * dz;
    double t = length2 > 0 ? ((p.x - a.x) * dx + (p.z - a.z) * dz) / length2 : 0;
    t = fmin(1, fmax(0, t));
    return hypot(p.x - a.x - dx * t, p.z - a.z - dz * t);
}

static inline double line_to_line(spot a, spot b, spot c, spot d)
{
    const bool cross =
        spot_side(a, b, c) * spot_side(a, b, d) < 0 && spot_side(c, d, a) * spot_side(c, d, b) < 0;
    return cross ? 0
                 : fmin(fmin(spot_to_line(a, c, d), spot_to_line(b, c, d)),
                        fmin(spot_to_line(c, a, b), spot_to_line(d, a, b)));
}

// The corners of a shape; a circle has its center, a capsule the ends of its line.
static inline uint32_t shape_corners(const nav_avoid *shape, spot out[4])
{
    const double x0 = (double)shape->min[0], x1 = (double)shape->max[0];
    const double z0 = (double)shape->min[1], z1 = (double)shape->max[1];
    const spot box[4] = {{x0, z0}, {x1, z0}, {x1, z1}, {x0, z1}};
    switch (shape->shape) {
    case NAV_AVOID_CIRCLE:
        out[0] = (spot){(double)shape->center[0], (double)shape->center[1]};
        return 1;
    case NAV_AVOID_CAPSULE:
        out[0] = (spot){(double)shape->center[0], (double)shape->center[1]};
        out[1] = (spot){(double)shape->end[0], (double)shape->end[1]};
        return 2;
    case NAV_AVOID_BOX:
        memcpy(out, box, sizeof box);
        return 4;
    default:
        for (uint32_t i = 0; i < SHAPE_POINTS; ++i) {
            out[i] = (spot){(double)shape->points[i][0], (double)shape->points[i][1]};
        }
        return SHAPE_POINTS;
    }
}

// From the line between two points of a path to a shape; 0 where they meet.
static inline double leg_to_shape(const float *from, const float *to, const nav_avoid *shape)
{
    const spot a = {(double)from[0], (double)from[2]}, b = {(double)to[0], (double)to[2]};
    spot corners[4];
    const uint32_t count = shape_corners(shape, corners);
    double nearest = HUGE_VAL;
    bool left = count > 2, right = count > 2;
    for (uint32_t i = 0; i < count; ++i) {
        const spot c = corners[i], d = corners[(i + 1) % count];
        nearest = fmin(nearest, line_to_line(a, b, c, d));
        left = left && spot_side(c, d, a) > 0;
        right = right && spot_side(c, d, a) < 0;
    }
    nearest = left || right ? 0 : nearest;
    const bool round = shape->shape == NAV_AVOID_CIRCLE || shape->shape == NAV_AVOID_CAPSULE;
    return round ? nearest - (double)shape->radius : nearest;
}
