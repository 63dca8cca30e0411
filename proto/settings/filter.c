// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// filter.c: one filter, of the settings or of a question:
//
//   "filter":"boat"                                              a named one
//   "filter":{"costs":{"water":9},"include":["walk"],"exclude":["door"]}
//
// Names are kept as text: only the mesh knows what they stand for (requests/common.c).

#include "proto/json/fields.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

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
                return proto_fields_twice(place, PROTO_BAD_JSON, err);
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
