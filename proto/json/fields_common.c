// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fields_common.c: what all questions take beside numbers: the filter and the shapes to avoid.
//
//   "filter":"boat"                                              a named one
//   "filter":{"costs":{"water":9},"include":["walk"],"exclude":["door"]}
//   "avoid":[{"shape":"circle","center":[x,y,z],"radius":2,"height":3,"blocked":true},
//            {"shape":"box","min":[x,y,z],"max":[x,y,z],"cost":4},
//            {"shape":"convex","points":[[x,z],...],"min_y":0,"max_y":5}]
//
// Names are kept as text: only the mesh knows what they stand for (requests/common.c).

#include "proto/json/fields.h"
#include "proto/requests/rows.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#define COORDINATE_LIMIT ((double)NAV_COORDINATE_MAX)

// ---- filters ----

static const char *keep_text(nav_arena *memory, const char *text)
{
    char *kept = nav_arena_alloc(memory, strlen(text) + 1, 1);
    return kept != NULL ? strcpy(kept, text) : NULL;
}

// A list of names of flags.
static nav_status read_flags(const cJSON *list, const char *at, nav_arena *memory,
                             const char *const **out, uint32_t *count, nav_error *err)
{
    if (list == NULL) {
        return NAV_OK;
    }
    if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) > NAV_FLAGS_MAX) {
        return proto_fields_invalid(list, at, "a list of up to 32 names of flags", err);
    }
    uint32_t to = 0;
    const char **names = NAV_NEW(memory, const char *, (size_t)cJSON_GetArraySize(list));
    for (const cJSON *item = list->child; names != NULL && item != NULL; item = item->next) {
        if (!cJSON_IsString(item)) {
            return proto_fields_invalid(item, at, "a list of up to 32 names of flags", err);
        }
        names[to] = keep_text(memory, item->valuestring);
        if (names[to++] == NULL) {
            return proto_fields_no_memory(err);
        }
    }
    *out = names;
    *count = to;
    return names != NULL ? NAV_OK : proto_fields_no_memory(err);
}

static nav_status read_costs(const cJSON *object, const char *at, nav_arena *memory,
                             proto_filter *out, nav_error *err)
{
    if (object == NULL) {
        return NAV_OK;
    }
    if (!cJSON_IsObject(object) || cJSON_GetArraySize(object) > NAV_AREAS_MAX) {
        return proto_fields_invalid(object, at, "an object of up to 64 areas and their costs", err);
    }
    proto_area_cost *costs = NAV_NEW(memory, proto_area_cost, (size_t)cJSON_GetArraySize(object));
    uint32_t to = 0;
    for (const cJSON *item = object->child; costs != NULL && item != NULL; item = item->next) {
        char place[160];
        snprintf(place, sizeof place, "%.80s.%.47s", at, item->string);
        const double cost = item->valuedouble;
        if (!cJSON_IsNumber(item) || !(cost >= 1e-6 && cost <= 1e6)) {
            return proto_fields_not_within(item, place, 1e-6, 1e6, "", err);
        }
        for (uint32_t i = 0; i < to; i++) {
            if (strcmp(costs[i].area, item->string) == 0) {
                return proto_fields_twice(place, NAV_BAD_JSON, err);
            }
        }
        costs[to] = (proto_area_cost){.area = keep_text(memory, item->string), .cost = (float)cost};
        if (costs[to++].area == NULL) {
            return proto_fields_no_memory(err);
        }
    }
    out->costs = costs;
    out->cost_count = to;
    return costs != NULL ? NAV_OK : proto_fields_no_memory(err);
}

typedef struct filter_fields {
    const cJSON *costs, *include, *exclude;
} filter_fields;

static const proto_field FILTER_ROWS[] = {
    {.name = "costs", .type = PROTO_FIELD_TREE, .offset = offsetof(filter_fields, costs)},
    {.name = "include", .type = PROTO_FIELD_TREE, .offset = offsetof(filter_fields, include)},
    {.name = "exclude", .type = PROTO_FIELD_TREE, .offset = offsetof(filter_fields, exclude)},
};

nav_status proto_fields_filter(const cJSON *object, const char *at, nav_arena *memory,
                               proto_filter *out, nav_error *err)
{
    char prefix[96], costs_at[112], include_at[112], exclude_at[112];
    snprintf(prefix, sizeof prefix, "%.90s.", at);
    snprintf(costs_at, sizeof costs_at, "%scosts", prefix);
    snprintf(include_at, sizeof include_at, "%sinclude", prefix);
    snprintf(exclude_at, sizeof exclude_at, "%sexclude", prefix);
    filter_fields f = {0};
    uint64_t seen;
    *out = (proto_filter){0};
    nav_status status =
        proto_fields_read_tree(PROTO_ROWS(FILTER_ROWS), object, prefix, &f, &seen, err);
    if (status == NAV_OK) {
        status = read_costs(f.costs, costs_at, memory, out, err);
    }
    if (status == NAV_OK) {
        status = read_flags(f.include, include_at, memory, &out->include, &out->include_count, err);
    }
    if (status == NAV_OK) {
        status = read_flags(f.exclude, exclude_at, memory, &out->exclude, &out->exclude_count, err);
    }
    return status;
}

nav_status proto_read_filter(const cJSON *item, const char *at, const proto_field *field,
                             void *target, nav_error *err)
{
    (void)field;
    proto_common *common = target;
    if (cJSON_IsString(item)) {
        common->filter = (proto_filter){.name = keep_text(common->memory, item->valuestring)};
        return common->filter.name != NULL ? NAV_OK : proto_fields_no_memory(err);
    }
    if (!cJSON_IsObject(item)) {
        return proto_fields_invalid(item, at, "the name of a filter, or an object", err);
    }
    return proto_fields_filter(item, at, common->memory, &common->filter, err);
}

// ---- shapes to avoid ----

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
