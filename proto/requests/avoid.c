// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// avoid.c: the shapes that a question avoids:
//
//   "avoid":[{"shape":"circle","center":[x,y,z],"radius":2,"height":3,"blocked":true},
//            {"shape":"box","min":[x,y,z],"max":[x,y,z],"yaw":30,"cost":4},
//            {"shape":"capsule","start":[x,y,z],"end":[x,y,z],"radius":2,"height":3},
//            {"shape":"convex","points":[[x,z],...],"min_y":0,"max_y":5}]

#include "proto/base/coordinates.h"
#include "proto/json/fields.h"
#include "proto/requests/instances.h"
#include "proto/requests/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COORDINATE_LIMIT ((double)NAV_COORDINATE_MAX)
#define YAW_LIMIT 3600.0 // ten turns: engines add up what they turn by

// A shape while its members are read.
typedef struct avoid_reader {
    proto_avoid shape; // first, so that a row's offset is that in proto_avoid
    nav_arena *memory;
} avoid_reader;

_Static_assert(offsetof(avoid_reader, shape) == 0, "rows have their offsets in proto_avoid");

static const char *const SHAPE_WORDS[] = {[NAV_AVOID_CIRCLE] = "circle",
                                          [NAV_AVOID_BOX] = "box",
                                          [NAV_AVOID_CONVEX] = "convex",
                                          [NAV_AVOID_CAPSULE] = "capsule",
                                          NULL};

const char *proto_shape_word(unsigned shape)
{
    NAV_ASSERT(shape < sizeof SHAPE_WORDS / sizeof SHAPE_WORDS[0]);
    return SHAPE_WORDS[shape];
}

enum {
    SHAPE,
    BLOCKED,
    COST,
    CENTER,
    RADIUS,
    HEIGHT,
    START,
    END,
    MIN,
    MAX,
    YAW,
    POINTS,
    MIN_Y,
    MAX_Y,
    AVOID_ROWS_COUNT
};

#define AVOID_ROW(member, kind, least, most)                                                       \
    {                                                                                              \
        .name = #member, .type = kind, .offset = offsetof(proto_avoid, member), .min = least,      \
        .max = most                                                                                \
    }
#define AVOID_LENGTH_ROW(member, kind, least)                                                      \
    {                                                                                              \
        .name = #member, .type = kind, .offset = offsetof(proto_avoid, member), .min = least,      \
        .max = COORDINATE_LIMIT, .unit = PROTO_UNIT_LENGTH                                         \
    }

static nav_status read_outline(const proto_item *list, const char *at, const proto_field *field,
                               void *target, nav_error *err)
{
    (void)field;
    avoid_reader *r = target;
    const uint32_t count = list->kind == PROTO_TOKEN_LIST ? proto_item_count(list) : 0;
    if (count < 3 || count > NAV_VOLUME_POINTS_MAX) {
        return proto_item_invalid(list, at, "a list of 3 to 256 points [x,z]", err);
    }
    float(*points)[2] = nav_arena_alloc(r->memory, count, sizeof *points);
    if (points == NULL) {
        return proto_fields_no_memory(err);
    }
    uint32_t i = 0;
    proto_item point;
    for (bool more = proto_item_first(list, &point); more; more = proto_item_next(&point), i++) {
        NAV_ASSERT(i < count);
        nav_status status = proto_item_numbers(&point, at, i, 2, points[i], err);
        if (status != NAV_OK) {
            return status;
        }
    }
    r->shape.points = (const float(*)[2])points;
    r->shape.point_count = i;
    return NAV_OK;
}

static const proto_field AVOID_ROWS[AVOID_ROWS_COUNT] = {
    [SHAPE] = {.name = "shape",
               .type = PROTO_FIELD_CHOICE,
               .offset = offsetof(proto_avoid, shape),
               .words = SHAPE_WORDS,
               .required = true,
               .note = "a \"cylinder\" of switches and volumes is a \"circle\" here"},
    [BLOCKED] = AVOID_ROW(blocked, PROTO_FIELD_BOOL, 0, 0),
    [COST] = AVOID_ROW(cost, PROTO_FIELD_FLOAT, 1e-6, 1e6),
    [CENTER] = AVOID_LENGTH_ROW(center, PROTO_FIELD_POINT, -COORDINATE_LIMIT),
    [RADIUS] = AVOID_LENGTH_ROW(radius, PROTO_FIELD_FLOAT, 0),
    [HEIGHT] = AVOID_LENGTH_ROW(height, PROTO_FIELD_FLOAT, 0),
    [START] = AVOID_LENGTH_ROW(start, PROTO_FIELD_POINT, -COORDINATE_LIMIT),
    [END] = AVOID_LENGTH_ROW(end, PROTO_FIELD_POINT, -COORDINATE_LIMIT),
    [MIN] = AVOID_LENGTH_ROW(min, PROTO_FIELD_POINT, -COORDINATE_LIMIT),
    [MAX] = AVOID_LENGTH_ROW(max, PROTO_FIELD_POINT, -COORDINATE_LIMIT),
    [YAW] = AVOID_ROW(yaw, PROTO_FIELD_FLOAT, -YAW_LIMIT, YAW_LIMIT),
    [POINTS] = {.name = "points", .type = PROTO_FIELD_READ, .read = read_outline},
    [MIN_Y] = AVOID_LENGTH_ROW(min_y, PROTO_FIELD_FLOAT, -COORDINATE_LIMIT),
    [MAX_Y] = AVOID_LENGTH_ROW(max_y, PROTO_FIELD_FLOAT, -COORDINATE_LIMIT),
};

_Static_assert(AVOID_ROWS_COUNT <= 32, "a row is a bit of must and may");

// The members that each shape must have, and those that it may have.
static const struct {
    uint64_t must, may;
} SHAPE_MEMBERS[] = {
    [NAV_AVOID_CIRCLE] = {1u << CENTER | 1u << RADIUS, 1u << HEIGHT},
    [NAV_AVOID_BOX] = {1u << MIN | 1u << MAX, 1u << YAW},
    [NAV_AVOID_CONVEX] = {1u << POINTS, 1u << MIN_Y | 1u << MAX_Y},
    [NAV_AVOID_CAPSULE] = {1u << START | 1u << END | 1u << RADIUS, 1u << HEIGHT},
};

static nav_status cost_of_blocked(const char *prefix, float cost, nav_error *err)
{
    char at[112];
    const proto_item item = {.kind = PROTO_TOKEN_NUMBER, .number = (double)cost};
    snprintf(at, sizeof at, "%scost", prefix);
    proto_item_invalid(&item, at, "left out where the shape is blocked", err);
    nav_error_got(err, "%.7g",
                  (double)cost); // as it was sent, where it was sent with a float's digits
    return NAV_INVALID_FIELD;
}

nav_status proto_read_shape(const proto_item *item, const char *prefix, nav_arena *memory,
                            proto_avoid *out, nav_error *err)
{
    avoid_reader r = {.shape = {.blocked = true, .min_y = -INFINITY, .max_y = INFINITY},
                      .memory = memory};
    uint64_t seen;
    nav_status status =
        proto_fields_read_item(PROTO_ROWS(AVOID_ROWS), item, prefix, &r, &seen, err);
    if (status == NAV_OK) {
        const uint64_t must = SHAPE_MEMBERS[r.shape.shape].must | 1u << SHAPE;
        const uint64_t may = SHAPE_MEMBERS[r.shape.shape].may | 1u << BLOCKED | 1u << COST;
        status = proto_fields_check_members(PROTO_ROWS(AVOID_ROWS), prefix, seen, must, may, err);
    }
    if (status != NAV_OK) {
        return status;
    }
    const bool has_cost = (seen >> COST & 1) != 0;
    if (has_cost && (seen >> BLOCKED & 1) != 0 && r.shape.blocked) {
        return cost_of_blocked(prefix, r.shape.cost, err);
    }
    r.shape.blocked = r.shape.blocked && !has_cost;
    r.shape.cost = has_cost ? r.shape.cost : 1.0f;
    r.shape.has_height = (seen >> HEIGHT & 1) != 0;
    *out = r.shape;
    return NAV_OK;
}

// What an outline has of a level beyond the mesh's bounds.
static nav_status check_outline(const proto_avoid *shape, nav_coordinates coordinates,
                                nav_error *err)
{
    const double limit = proto_level_coordinate_max(coordinates);
    for (uint32_t i = 0; i < shape->point_count; i++) {
        for (uint32_t axis = 0; axis < 2; axis++) {
            const double value = (double)shape->points[i][axis];
            if (fabs(value) > limit) {
                nav_fail(err, NAV_INVALID_FIELD, "points[%u][%u] must be within -%.10g and %.10g",
                         i, axis, limit, limit);
                nav_error_at(err, "points[%u][%u]", i, axis);
                nav_error_got(err, "%.7g", value);
                nav_error_limit(err, "%.10g", value < 0 ? -limit : limit);
                return NAV_INVALID_FIELD;
            }
        }
    }
    return NAV_OK;
}

nav_status proto_shape_check(const proto_avoid *shape, nav_coordinates coordinates, nav_error *err)
{
    const uint64_t members = SHAPE_MEMBERS[shape->shape].must | SHAPE_MEMBERS[shape->shape].may;
    const nav_status status =
        proto_lengths_check(PROTO_ROWS(AVOID_ROWS), "", members, shape, coordinates, err);
    return status == NAV_OK ? check_outline(shape, coordinates, err) : status;
}

nav_status proto_read_avoid(const proto_item *item, const char *at, const proto_field *field,
                            void *target, nav_error *err)
{
    (void)field;
    proto_common *common = target;
    if (item->kind == PROTO_TOKEN_NUMBER && common->names_lists) {
        return proto_read_list_number(item, at, &common->avoid_list, err);
    }
    const uint32_t count = item->kind == PROTO_TOKEN_LIST ? proto_item_count(item) : NAV_NONE;
    if (count > NAV_AVOID_MAX) {
        nav_status status = proto_item_invalid(item, at, "a list of up to 1024 shapes", err);
        nav_error_limit(err, "%u", NAV_AVOID_MAX);
        return status;
    }
    proto_avoid *shapes = NAV_NEW(common->memory, proto_avoid, count);
    if (shapes == NULL) {
        return proto_fields_no_memory(err);
    }
    uint32_t i = 0;
    proto_item shape;
    for (bool more = proto_item_first(item, &shape); more; more = proto_item_next(&shape), i++) {
        char prefix[96];
        NAV_ASSERT(i < count);
        snprintf(prefix, sizeof prefix, "%.70s[%u].", at, i);
        nav_status status = proto_read_shape(&shape, prefix, common->memory, &shapes[i], err);
        if (status != NAV_OK) {
            return status;
        }
    }
    common->avoid = shapes;
    common->avoid_count = i;
    return NAV_OK;
}
