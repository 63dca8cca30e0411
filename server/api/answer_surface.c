// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// answer_surface.c: questions about the surface around a place: raycast, move, wall, floors,
// random, trace.

#include "server/api/query.h"

#define FLOORS_FIRST 64u // room for them at first

static nav_status answer_raycast(asked *a)
{
    const proto_step_request *question = a->question;
    float start[3], end[3];
    nav_ray ray;
    asked_point(a, question->start, start);
    asked_point(a, question->end, end);
    if (nav_query_raycast(a->mesh, a->scratch, start, end, &a->options, &ray) != NAV_OK) {
        return asked_no_memory(a);
    }
    proto_write_raycast(a->w, a->r->mesh, a->version, &ray);
    return NAV_OK;
}

const query QUERY_RAYCAST = {.kind = &PROTO_STEP, .answer = answer_raycast};

static nav_status answer_move(asked *a)
{
    const proto_step_request *question = a->question;
    float start[3], end[3];
    nav_move move;
    asked_point(a, question->start, start);
    asked_point(a, question->end, end);
    if (nav_query_move(a->mesh, a->scratch, start, end, &a->options, &move) != NAV_OK) {
        return asked_no_memory(a);
    }
    proto_write_move(a->w, a->r->mesh, a->version, &move);
    return NAV_OK;
}

const query QUERY_MOVE = {.kind = &PROTO_STEP, .answer = answer_move};

static nav_status answer_wall(asked *a)
{
    const proto_wall_request *question = a->question;
    float point[3];
    nav_wall wall;
    asked_point(a, question->point, point);
    if (nav_query_wall(a->mesh, a->scratch, point, question->max_radius, &a->options, &wall) !=
        NAV_OK) {
        return asked_no_memory(a);
    }
    proto_write_wall(a->w, a->r->mesh, a->version, &wall);
    return NAV_OK;
}

const query QUERY_WALL = {.kind = &PROTO_WALL, .answer = answer_wall};

// A column is named by what is horizontal in the level: x and z, or x and y where Z is up.
static nav_status find_column(const asked *a, const proto_floors_request *question, float *z)
{
    const bool z_up = a->coordinates == NAV_COORDINATES_Z_UP;
    const char *wanted = z_up ? "y" : "z", *other = z_up ? "z" : "y";
    if ((z_up ? question->has_z : question->has_y) || !(z_up ? question->has_y : question->has_z)) {
        nav_fail(a->err, NAV_INVALID_FIELD,
                 "a column of this mesh is named by x and %s; %s is its height", wanted, other);
        nav_error_at(a->err, "%s", wanted);
        return NAV_INVALID_FIELD;
    }
    *z = z_up ? 0.0f - question->y : question->z;
    return NAV_OK;
}

// Nearly all columns have few floors: where they are more than there is room for, once more with
// more room.
static nav_status answer_floors(asked *a)
{
    const proto_floors_request *question = a->question;
    uint32_t count = 0, capacity = FLOORS_FIRST;
    float z;
    nav_status status = find_column(a, question, &z);
    if (status != NAV_OK) {
        return status;
    }
    for (;; capacity *= 8) {
        nav_location *floors = NAV_NEW(a->memory, nav_location, capacity);
        if (floors == NULL || nav_query_floors(a->mesh, a->scratch, question->x, z, &a->options,
                                               floors, capacity, &count) != NAV_OK) {
            return asked_no_memory(a);
        }
        if (count < capacity) {
            proto_write_floors(a->w, a->r->mesh, a->version, a->mesh, floors, count);
            return NAV_OK;
        }
    }
}

const query QUERY_FLOORS = {.kind = &PROTO_FLOORS, .answer = answer_floors};

static nav_status answer_random(asked *a)
{
    const proto_random_request *question = a->question;
    nav_location *points = NAV_NEW(a->memory, nav_location, question->count);
    // Drawn, but told: whoever wants the same places again sends it.
    const uint32_t seed = question->has_seed ? question->seed : request_draw();
    uint32_t count = 0;
    float center[3];
    asked_point(a, question->center, center);
    if (points == NULL ||
        nav_query_random(a->mesh, a->scratch, seed, question->has_center ? center : NULL,
                         question->radius, &a->options, points, question->count,
                         &count) != NAV_OK) {
        return asked_no_memory(a);
    }
    proto_write_random(a->w, a->r->mesh, a->version, a->mesh, seed, points, count);
    return NAV_OK;
}

const query QUERY_RANDOM = {.kind = &PROTO_RANDOM, .answer = answer_random};

static nav_status answer_trace(asked *a)
{
    const proto_trace_request *question = a->question;
    nav_trace trace;
    nav_status status = asked_check_count(a, "positions", question->positions.count);
    if (status != NAV_OK) {
        return status;
    }
    float(*positions)[3] = asked_points(a, question->positions);
    const nav_trace_request request_to_core = {.positions = (const float(*)[3])positions,
                                               .times_ms = question->times_ms.at,
                                               .count = question->positions.count,
                                               .max_speed = question->max_speed,
                                               .options = a->options};
    if (positions == NULL ||
        nav_query_trace(a->mesh, a->scratch, &request_to_core, &trace) != NAV_OK) {
        return asked_no_memory(a);
    }
    proto_write_trace(a->w, a->r->mesh, a->version, question, &trace);
    return NAV_OK;
}

const query QUERY_TRACE = {.kind = &PROTO_TRACE, .answer = answer_trace};
