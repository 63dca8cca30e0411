// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// common.c: from what was asked to what a mesh understands: names of areas, flags and
// filters become numbers, and shapes to avoid stand in the mesh's coordinates.

#include "proto/proto.h"

#include <string.h>

// ---- filters ----

static nav_status no_such(const char *what, const char *at, const char *name, nav_error *err)
{
    nav_fail(err, NAV_INVALID_FIELD, "this version of the mesh has no %s \"%.47s\"", what, name);
    nav_error_at(err, "%s", at);
    nav_error_got(err, "%.63s", name);
    return NAV_INVALID_FIELD;
}

static nav_status resolve_flags(const nav_mesh *mesh, const char *const *names, uint32_t count,
                                const char *at, uint32_t *out, nav_error *err)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t flag;
        if (!nav_mesh_find_flag(mesh, names[i], &flag)) {
            return no_such("flag", at, names[i], err);
        }
        *out |= flag;
    }
    return NAV_OK;
}

static nav_status resolve_costs(const nav_mesh *mesh, const proto_filter *filter, nav_filter *out,
                                nav_error *err)
{
    for (uint32_t i = 0; i < filter->cost_count; i++) {
        uint8_t area;
        if (!nav_mesh_find_area(mesh, filter->costs[i].area, &area) || area == NAV_AREA_NONE) {
            nav_status status = no_such("area", "filter.costs", filter->costs[i].area, err);
            nav_error_at(err, "filter.costs.%.47s", filter->costs[i].area);
            return status;
        }
        out->area_costs[area] = filter->costs[i].cost;
    }
    return NAV_OK;
}

static nav_status resolve_filter(const nav_mesh *mesh, const proto_filter *filter, nav_filter *room,
                                 const nav_filter **out, nav_error *err)
{
    if (filter->name != NULL) {
        *out = nav_mesh_find_filter(mesh, filter->name);
        return *out != NULL ? NAV_OK : no_such("filter", "filter", filter->name, err);
    }
    if (filter->cost_count + filter->include_count + filter->exclude_count == 0) {
        *out = NULL;
        return NAV_OK;
    }
    *room = (nav_filter){0};
    nav_status status = resolve_costs(mesh, filter, room, err);
    if (status == NAV_OK) {
        status = resolve_flags(mesh, filter->include, filter->include_count, "filter.include",
                               &room->include, err);
    }
    if (status == NAV_OK) {
        status = resolve_flags(mesh, filter->exclude, filter->exclude_count, "filter.exclude",
                               &room->exclude, err);
    }
    *out = room;
    return status;
}

// ---- shapes to avoid ----

// Half as high again as an agent, where the mesh does not know its agent.
#define HEIGHT_DEFAULT 3.0f

// A circle stands on the floor at its center; what is a storey above or below is not meant.
static void turn_circle(const proto_avoid *shape, const nav_mesh *mesh, nav_coordinates coordinates,
                        nav_avoid *out)
{
    float center[3] = {shape->center[0], shape->center[1], shape->center[2]};
    proto_to_mesh(coordinates, center);
    const float agent_height = nav_mesh_agent_height(mesh);
    const float height = shape->has_height     ? shape->height
                         : agent_height > 0.0f ? agent_height
                                               : HEIGHT_DEFAULT;
    out->center[0] = center[0];
    out->center[1] = center[2];
    out->radius = shape->radius;
    out->bottom = center[1] - height;
    out->top = center[1] + height;
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

static bool turn_convex(const proto_avoid *shape, nav_coordinates coordinates, nav_arena *memory,
                        nav_avoid *out)
{
    NAV_ASSERT(shape->point_count >= 3 && shape->point_count <= NAV_VOLUME_POINTS_MAX);
    float(*points)[2] = nav_arena_alloc(memory, shape->point_count, sizeof *points);
    if (points == NULL) {
        return false;
    }
    const float sign = coordinates == NAV_COORDINATES_Z_UP ? -1.0f : 1.0f;
    for (uint32_t i = 0; i < shape->point_count; i++) {
        points[i][0] = shape->points[i][0];
        points[i][1] = sign * shape->points[i][1] + 0.0f;
    }
    out->points = (const float(*)[2])points;
    out->point_count = shape->point_count;
    out->bottom = shape->min_y;
    out->top = shape->max_y;
    return true;
}

static nav_status resolve_avoid(const proto_common *common, const nav_mesh *mesh, nav_options *out,
                                nav_error *err)
{
    NAV_ASSERT(common->avoid_count <= NAV_AVOID_MAX);
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    nav_avoid *shapes = NAV_NEW_ZERO(common->memory, nav_avoid, common->avoid_count);
    bool complete = shapes != NULL;
    for (uint32_t i = 0; complete && i < common->avoid_count; i++) {
        const proto_avoid *shape = &common->avoid[i];
        shapes[i] = (nav_avoid){
            .shape = (nav_avoid_shape)shape->shape, .blocked = shape->blocked, .cost = shape->cost};
        switch (shapes[i].shape) {
        case NAV_AVOID_CIRCLE:
            turn_circle(shape, mesh, stats.coordinates, &shapes[i]);
            break;
        case NAV_AVOID_BOX:
            turn_box(shape, stats.coordinates, &shapes[i]);
            break;
        case NAV_AVOID_CONVEX:
            complete = turn_convex(shape, stats.coordinates, common->memory, &shapes[i]);
            break;
        }
    }
    out->avoid = shapes;
    out->avoid_count = common->avoid_count;
    return complete ? NAV_OK : nav_fail(err, NAV_NO_MEMORY, "no memory for the shapes to avoid");
}

nav_status proto_common_resolve(const proto_common *common, const nav_mesh *mesh, nav_filter *room,
                                nav_options *out, nav_error *err)
{
    nav_options options = {.snap = common->snap};
    nav_status status = resolve_filter(mesh, &common->filter, room, &options.filter, err);
    if (status == NAV_OK && common->avoid_count > 0) {
        status = resolve_avoid(common, mesh, &options, err);
    }
    if (status == NAV_OK) {
        status = nav_options_check(&options, err);
    }
    if (status == NAV_OK) {
        *out = options;
    }
    return status;
}
