// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// avoid.c: the shapes that a question avoids:
//
//   "avoid":[{"shape":"circle","center":[x,y,z],"radius":2,"height":3,"blocked":true},
//            {"shape":"box","min":[x,y,z],"max":[x,y,z],"cost":4},
//            {"shape":"convex","points":[[x,z],...],"min_y":0,"max_y":5}]

#include "proto/json/fields.h"
#include "proto/requests/rows.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#define COORDINATE_LIMIT ((double)NAV_COORDINATE_MAX)

typedef struct avoid_fields {
    proto_avoid shape;
    const cJSON *points;
} avoid_fields;

static const char *const SHAPE_WORDS[] = {
    [NAV_AVOID_CIRCLE] = "circle", [NAV_AVOID_BOX] = "box", [NAV_AVOID_CONVEX] = "convex", NULL};

enum {
    SHAPE,
    BLOCKED,
    COST,
    CENTER,
    RADIUS,
    HEIGHT,
    MIN,
    MAX,
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

static const proto_field AVOID_ROWS[AVOID_ROWS_COUNT] = {
    [SHAPE] = {.name = "shape",
               .type = PROTO_FIELD_CHOICE,
               .offset = offsetof(proto_avoid, shape),
               .words = SHAPE_WORDS,
               .required = true},
    [BLOCKED] = AVOID_ROW(blocked, PROTO_FIELD_BOOL, 0, 0),
    [COST] = AVOID_ROW(cost, PROTO_FIELD_FLOAT, 1e-6, 1e6),
    [CENTER] = AVOID_ROW(center, PROTO_FIELD_POINT, -COORDINATE_LIMIT, COORDINATE_LIMIT),
    [RADIUS] = AVOID_ROW(radius, PROTO_FIELD_FLOAT, 0, COORDINATE_LIMIT),
    [HEIGHT] = AVOID_ROW(height, PROTO_FIELD_FLOAT, 0, COORDINATE_LIMIT),
    [MIN] = AVOID_ROW(min, PROTO_FIELD_POINT, -COORDINATE_LIMIT, COORDINATE_LIMIT),
    [MAX] = AVOID_ROW(max, PROTO_FIELD_POINT, -COORDINATE_LIMIT, COORDINATE_LIMIT),
    [POINTS] = {.name = "points",
                .type = PROTO_FIELD_TREE,
                .offset = offsetof(avoid_fields, points)},
    [MIN_Y] = AVOID_ROW(min_y, PROTO_FIELD_FLOAT, -COORDINATE_LIMIT, COORDINATE_LIMIT),
    [MAX_Y] = AVOID_ROW(max_y, PROTO_FIELD_FLOAT, -COORDINATE_LIMIT, COORDINATE_LIMIT),
};

// The members that each shape must have, and those that it may have.
static const struct {
    uint64_t must, may;
} SHAPE_MEMBERS[] = {
    [NAV_AVOID_CIRCLE] = {1u << CENTER | 1u << RADIUS, 1u << HEIGHT},
    [NAV_AVOID_BOX] = {1u << MIN | 1u << MAX, 0},
    [NAV_AVOID_CONVEX] = {1u << POINTS, 1u << MIN_Y | 1u << MAX_Y},
};

static nav_status read_outline(const cJSON *list, const char *prefix, nav_arena *memory,
                               proto_avoid *out, nav_error *err)
{
    char at[112];
    snprintf(at, sizeof at, "%spoints", prefix);
    const int count = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0;
    if (count < 3 || count > NAV_VOLUME_POINTS_MAX) {
        return proto_fields_invalid(list, at, "a list of 3 to 256 points [x,z]", err);
    }
    float(*points)[2] = nav_arena_alloc(memory, (size_t)count, sizeof *points);
    if (points == NULL) {
        return proto_fields_no_memory(err);
    }
    uint32_t i = 0;
    for (const cJSON *point = list->child; point != NULL; point = point->next, i++) {
        char place[128];
        snprintf(place, sizeof place, "%s[%u]", at, i);
        nav_status status = proto_fields_numbers(point, place, 2, COORDINATE_LIMIT, points[i], err);
        if (status != NAV_OK) {
            return status;
        }
    }
    out->points = (const float(*)[2])points;
    out->point_count = i;
    return NAV_OK;
}

static nav_status read_shape(const cJSON *item, const char *prefix, nav_arena *memory,
                             proto_avoid *out, nav_error *err)
{
    avoid_fields f = {
        .shape = {.blocked = true, .min_y = -NAV_COORDINATE_MAX, .max_y = NAV_COORDINATE_MAX}};
    uint64_t seen;
    nav_status status =
        proto_fields_read_tree(PROTO_ROWS(AVOID_ROWS), item, prefix, &f, &seen, err);
    if (status == NAV_OK) {
        const uint64_t must = SHAPE_MEMBERS[f.shape.shape].must | 1u << SHAPE;
        const uint64_t may = SHAPE_MEMBERS[f.shape.shape].may | 1u << BLOCKED | 1u << COST;
        status = proto_fields_check_members(PROTO_ROWS(AVOID_ROWS), prefix, seen, must, may, err);
    }
    if (status != NAV_OK) {
        return status;
    }
    const bool has_cost = (seen >> COST & 1) != 0;
    if (has_cost && (seen >> BLOCKED & 1) != 0 && f.shape.blocked) {
        char at[112];
        snprintf(at, sizeof at, "%scost", prefix);
        return proto_fields_invalid(cJSON_GetObjectItemCaseSensitive(item, "cost"), at,
                                    "left out where the shape is blocked", err);
    }
    f.shape.blocked = f.shape.blocked && !has_cost;
    f.shape.cost = has_cost ? f.shape.cost : 1.0f;
    f.shape.has_height = (seen >> HEIGHT & 1) != 0;
    *out = f.shape;
    return f.shape.shape == NAV_AVOID_CONVEX ? read_outline(f.points, prefix, memory, out, err)
                                             : NAV_OK;
}

nav_status proto_read_avoid(const cJSON *item, const char *at, const proto_field *field,
                            void *target, nav_error *err)
{
    (void)field;
    proto_common *common = target;
    const int count = cJSON_IsArray(item) ? cJSON_GetArraySize(item) : -1;
    if (count < 0 || count > (int)NAV_AVOID_MAX) {
        nav_status status = proto_fields_invalid(item, at, "a list of up to 1024 shapes", err);
        nav_error_limit(err, "%u", NAV_AVOID_MAX);
        return status;
    }
    proto_avoid *shapes = NAV_NEW(common->memory, proto_avoid, (size_t)count);
    if (shapes == NULL) {
        return proto_fields_no_memory(err);
    }
    uint32_t i = 0;
    for (const cJSON *shape = item->child; shape != NULL; shape = shape->next, i++) {
        char prefix[96];
        snprintf(prefix, sizeof prefix, "%.70s[%u].", at, i);
        nav_status status = read_shape(shape, prefix, common->memory, &shapes[i], err);
        if (status != NAV_OK) {
            return status;
        }
    }
    common->avoid = shapes;
    common->avoid_count = i;
    return NAV_OK;
}
