// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// avoid.c: the shapes that a question avoids:
//
//   "avoid":[{"shape":"circle","center":[x,y,z],"radius":2,"height":3,"blocked":true},
//            {"shape":"box","min":[x,y,z],"max":[x,y,z],"yaw":30,"cost":4},
//            {"shape":"capsule","start":[x,y,z],"end":[x,y,z],"radius":2,"height":3},
//            {"shape":"convex","points":[[x,z],...],"min_y":0,"max_y":5}]

#include "proto/requests/instances.h"
#include "proto/requests/rows.h"

#include <float.h>
#include <math.h>

#define COORDINATE_LIMIT ((double)NAV_COORDINATE_MAX)
#define YAW_LIMIT 3600.0 // ten turns: engines add up what they turn by

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

static nav_status read_corner(const proto_value *v)
{
    return proto_value_numbers(v, 2, 1.0, DBL_MAX, v->target);
}

static nav_status read_outline(const proto_value *v)
{
    static const proto_each corners = {PROTO_TOKEN_LIST, NAV_VOLUME_POINTS_MAX, sizeof(float[2]),
                                       read_corner};
    static const char expected[] = "a list of 3 to 256 points [x,z]";
    proto_avoid *shape = v->target;
    const nav_status status =
        proto_value_each(v, &corners, expected, &shape->points, &shape->point_count);
    return status == NAV_OK && shape->point_count < 3 ? proto_value_invalid(v, expected) : status;
}

#define LENGTH_ROW(kind, member, least)                                                            \
    {                                                                                              \
        PROTO_ROW(kind, proto_avoid, member), .min = least, .max = COORDINATE_LIMIT,               \
                                              .unit = PROTO_UNIT_LENGTH                            \
    }

static const proto_field AVOID_ROWS[AVOID_ROWS_COUNT] = {
    [SHAPE] = {PROTO_ROW(CHOICE, proto_avoid, shape), .words = SHAPE_WORDS, .required = true,
               .note = "a \"cylinder\" of switches and volumes is a \"circle\" here"},
    [BLOCKED] = {PROTO_ROW(BOOL, proto_avoid, blocked)},
    [COST] = {PROTO_ROW(FLOAT, proto_avoid, cost), .min = 1e-6, .max = 1e6},
    [CENTER] = LENGTH_ROW(POINT, center, -COORDINATE_LIMIT),
    [RADIUS] = LENGTH_ROW(FLOAT, radius, 0),
    [HEIGHT] = LENGTH_ROW(FLOAT, height, 0),
    [START] = LENGTH_ROW(POINT, start, -COORDINATE_LIMIT),
    [END] = LENGTH_ROW(POINT, end, -COORDINATE_LIMIT),
    [MIN] = LENGTH_ROW(POINT, min, -COORDINATE_LIMIT),
    [MAX] = LENGTH_ROW(POINT, max, -COORDINATE_LIMIT),
    [YAW] = {PROTO_ROW(FLOAT, proto_avoid, yaw), .min = -YAW_LIMIT, .max = YAW_LIMIT},
    [POINTS] = {PROTO_ROW(READ, proto_avoid, points), .read = read_outline},
    [MIN_Y] = LENGTH_ROW(FLOAT, min_y, -COORDINATE_LIMIT),
    [MAX_Y] = LENGTH_ROW(FLOAT, max_y, -COORDINATE_LIMIT),
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

nav_status proto_read_shape(const proto_value *v)
{
    uint64_t seen;
    const nav_error_place prefix = proto_value_prefix(v);
    proto_avoid *out = v->target;
    *out = (proto_avoid){.blocked = true, .min_y = -INFINITY, .max_y = INFINITY};
    nav_status status = proto_fields_read_value(PROTO_ROWS(AVOID_ROWS), v, out, &seen);
    if (status == NAV_OK) {
        const uint64_t must = SHAPE_MEMBERS[out->shape].must | 1u << SHAPE;
        const uint64_t may = SHAPE_MEMBERS[out->shape].may | 1u << BLOCKED | 1u << COST;
        status = proto_fields_check_members(PROTO_ROWS(AVOID_ROWS), prefix.text, seen, must, may,
                                            v->err);
    }
    if (status != NAV_OK) {
        return status;
    }
    const bool has_cost = (seen >> COST & 1) != 0;
    if (has_cost && (seen >> BLOCKED & 1) != 0 && out->blocked) {
        const proto_item item = {.kind = PROTO_TOKEN_NUMBER, .number = (double)out->cost};
        proto_item_invalid(&item, nav_at("%scost", prefix.text).text,
                           "left out where the shape is blocked", v->err);
        nav_error_got(v->err, "%.7g",
                      (double)out->cost); // as it was sent, where it was sent with a float's digits
        return NAV_INVALID_FIELD;
    }
    out->blocked = out->blocked && !has_cost;
    out->cost = has_cost ? out->cost : 1.0f;
    out->has_height = (seen >> HEIGHT & 1) != 0;
    return NAV_OK;
}

// An outline may lie beyond the mesh's bounds, but not past the level's limit.
static nav_status check_outline(const proto_avoid *shape, nav_coordinates coordinates,
                                nav_error *err)
{
    const double limit = proto_level_coordinate_max(coordinates);
    for (uint32_t i = 0; i < shape->point_count; i++) {
        for (uint32_t axis = 0; axis < 2; axis++) {
            const double value = (double)shape->points[i][axis];
            if (fabs(value) > limit) {
                nav_fail_at(err, NAV_INVALID_FIELD, nav_at("points[%u][%u]", i, axis).text,
                            "points[%u][%u] must be within -%.10g and %.10g", i, axis, limit,
                            limit);
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

nav_status proto_read_avoid(const proto_value *v)
{
    static const proto_each shapes = {PROTO_TOKEN_LIST, NAV_AVOID_MAX, sizeof(proto_avoid),
                                      proto_read_shape};
    proto_common *common = v->target;
    nav_status status;
    if (proto_read_list_number(v, &common->avoid_list, &status)) {
        return status;
    }
    common->avoid_list = 0; // its own
    return proto_value_each(v, &shapes, "a list of up to 1024 shapes", &common->avoid,
                            &common->avoid_count);
}
