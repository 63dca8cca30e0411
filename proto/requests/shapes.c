// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// shapes.c: shapes to avoid, from the level's coordinates to the mesh's: those of a question and
// the obstacles of an instance alike.

#include "proto/requests/rows.h"

#include <math.h>
#include <string.h>

static nav_status no_memory(nav_error *err)
{
    return nav_fail(err, NAV_NO_MEMORY, "no memory for the shapes to avoid");
}

// Metres, half as high again as an agent, where the mesh does not know its agent.
#define HEIGHT_DEFAULT 3.0f

static float metres_of(nav_coordinates coordinates, float length)
{
    return (float)proto_length_to_mesh(coordinates, (double)length);
}

// A circle stands on the floor at its center, a capsule on that along its line; what is a storey
// above or below is not meant. A circle's line is a point.
static void turn_round(const proto_avoid *shape, const nav_mesh *mesh, nav_coordinates coordinates,
                       nav_avoid *out)
{
    const bool line = shape->shape == NAV_AVOID_CAPSULE;
    float start[3], end[3];
    memcpy(start, line ? shape->start : shape->center, sizeof start);
    memcpy(end, line ? shape->end : shape->center, sizeof end);
    proto_to_mesh(coordinates, start);
    proto_to_mesh(coordinates, end);
    const float agent_height = nav_mesh_agent_height(mesh);
    const float height = shape->has_height     ? metres_of(coordinates, shape->height)
                         : agent_height > 0.0f ? agent_height
                                               : HEIGHT_DEFAULT;
    out->center[0] = start[0];
    out->center[1] = start[2];
    out->end[0] = end[0];
    out->end[1] = end[2];
    out->radius = metres_of(coordinates, shape->radius);
    out->bottom = (start[1] < end[1] ? start[1] : end[1]) - height;
    out->top = (start[1] > end[1] ? start[1] : end[1]) + height;
}

static void turn_box(const proto_avoid *shape, nav_coordinates coordinates, nav_avoid *out)
{
    float min[3] = {shape->min[0], shape->min[1], shape->min[2]};
    float max[3] = {shape->max[0], shape->max[1], shape->max[2]};
    proto_box_to_mesh(coordinates, min, max);
    out->min[0] = min[0];
    out->min[1] = min[2];
    out->max[0] = max[0];
    out->max[1] = max[2];
    out->bottom = min[1];
    out->top = max[1];
}

// The corners of a box, turned about its middle, as an outline.
static bool turn_corners(const proto_avoid *shape, nav_coordinates coordinates, nav_arena *memory,
                         nav_avoid *out)
{
    float(*points)[2] = nav_arena_alloc(memory, 4, sizeof *points);
    float middle[3], min[3], max[3];
    nav_coordinates axes = coordinates; // the mesh's, in the level's unit
    axes.scale = 1.0;
    for (int i = 0; i < 3; i++) {
        min[i] = shape->min[i];
        max[i] = shape->max[i];
        middle[i] = (float)(((double)min[i] + (double)max[i]) / 2.0);
    }
    proto_box_to_mesh(axes, min, max);
    for (int i = 0; points != NULL && i < 4; i++) {
        float corner[3] = {i == 1 || i == 2 ? max[0] : min[0], min[1], i >= 2 ? max[2] : min[2]};
        proto_to_level(axes, corner);
        proto_turn(coordinates, middle, (double)shape->yaw, corner);
        proto_to_mesh(coordinates, corner);
        points[i][0] = corner[0];
        points[i][1] = corner[2];
    }
    out->shape = NAV_AVOID_CONVEX;
    out->points = (const float(*)[2])points;
    out->point_count = 4;
    return points != NULL;
}

static bool turn_outline(const proto_avoid *shape, nav_coordinates coordinates, nav_arena *memory,
                         nav_avoid *out)
{
    NAV_ASSERT(shape->point_count >= 3 && shape->point_count <= NAV_VOLUME_POINTS_MAX);
    float(*points)[2] = nav_arena_alloc(memory, shape->point_count, sizeof *points);
    if (points == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < shape->point_count; i++) {
        memcpy(points[i], shape->points[i], sizeof points[i]);
        proto_plan_to_mesh(coordinates, points[i]);
    }
    out->points = (const float(*)[2])points;
    out->point_count = shape->point_count;
    out->bottom = shape->min_y;
    out->top = shape->max_y;
    proto_heights_to_mesh(coordinates, &out->bottom, &out->top);
    // Without bounds of its own it has those of the mesh.
    out->bottom = fmaxf(out->bottom, -NAV_COORDINATE_MAX);
    out->top = fminf(out->top, NAV_COORDINATE_MAX);
    return true;
}

// In the level's coordinates, and by the members that were sent: what core calls bottom may have
// been a y or a z.
static nav_status check_box(const proto_avoid *shape, nav_error *err)
{
    for (int axis = 0; axis < 3; axis++) {
        const double min = (double)shape->min[axis], max = (double)shape->max[axis];
        if (!(min <= max)) {
            return nav_fail_at(
                err, NAV_INVALID_FIELD, "min",
                "min must be at most max on each axis; on %c, min is %.7g and max %.7g",
                "xyz"[axis], min, max);
        }
    }
    return NAV_OK;
}

static nav_status check_heights(const proto_avoid *shape, nav_error *err)
{
    if (shape->min_y <= shape->max_y) {
        return NAV_OK;
    }
    return nav_fail_at(err, NAV_INVALID_FIELD, "min_y",
                       "min_y must be at most max_y; min_y is %.7g and max_y %.7g",
                       (double)shape->min_y, (double)shape->max_y);
}

nav_status proto_shape_resolve(const proto_avoid *shape, const nav_mesh *mesh, nav_arena *memory,
                               nav_avoid *out, nav_error *err)
{
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    *out = (nav_avoid){
        .shape = (nav_avoid_shape)shape->shape, .blocked = shape->blocked, .cost = shape->cost};
    nav_status status = proto_shape_check(shape, stats.coordinates, err);
    NAV_IF_OK(status, out->shape == NAV_AVOID_BOX      ? check_box(shape, err)
                      : out->shape == NAV_AVOID_CONVEX ? check_heights(shape, err)
                                                       : NAV_OK);
    if (status != NAV_OK) {
        return status;
    }
    switch (out->shape) {
    case NAV_AVOID_CIRCLE:
    case NAV_AVOID_CAPSULE:
        turn_round(shape, mesh, stats.coordinates, out);
        break;
    case NAV_AVOID_BOX:
        if (shape->yaw != 0.0f) {
            // A box with a yaw is an outline in the mesh, which one without width or depth has not.
            turn_box(shape, stats.coordinates, out);
            if (out->min[0] == out->max[0] || out->min[1] == out->max[1]) {
                return nav_fail_at(err, NAV_INVALID_FIELD, "max",
                                   "a box that is turned must have a width and a depth");
            }
            return turn_corners(shape, stats.coordinates, memory, out) ? NAV_OK : no_memory(err);
        }
        turn_box(shape, stats.coordinates, out);
        break;
    case NAV_AVOID_CONVEX:
        return turn_outline(shape, stats.coordinates, memory, out) ? NAV_OK : no_memory(err);
    }
    return NAV_OK;
}
