// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fields_lists.c: members of requests that are lists of points, or texts that are given back.

#include "proto/json/fields.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// How many elements a list has, at least 1 and at most the field's limit.
static nav_status count_elements(const cJSON *item, const char *at, const proto_field *field,
                                 uint32_t *count, nav_error *err)
{
    if (!cJSON_IsArray(item) || item->child == NULL) {
        return proto_fields_invalid(item, at, "a list of one or more", err);
    }
    *count = (uint32_t)cJSON_GetArraySize(item);
    if ((double)*count > field->max) {
        nav_fail(err, PROTO_BATCH_TOO_LARGE, "%s has %u elements; send them in several requests",
                 at, *count);
        nav_error_at(err, "%s", at);
        nav_error_got(err, "%u", *count);
        nav_error_limit(err, "%.0f", field->max);
        return PROTO_BATCH_TOO_LARGE;
    }
    return NAV_OK;
}

// Room for the elements of a list, from the request's memory.
static nav_status make_list(const cJSON *item, const char *at, const proto_field *field,
                            const proto_common *common, size_t element_bytes, uint32_t *count,
                            void **out, nav_error *err)
{
    nav_status status = count_elements(item, at, field, count, err);
    if (status == NAV_OK) {
        *out = nav_arena_alloc(common->memory, *count, element_bytes);
        status = *out != NULL ? NAV_OK : proto_fields_no_memory(err);
    }
    return status;
}

nav_status proto_read_points(const cJSON *item, const char *at, const proto_field *field,
                             void *target, nav_error *err)
{
    uint32_t count = 0;
    void *room = NULL;
    nav_status status = make_list(item, at, field, target, sizeof(float[3]), &count, &room, err);
    if (status != NAV_OK) {
        return status;
    }
    float(*points)[3] = room;
    uint32_t i = 0;
    for (const cJSON *point = item->child; point != NULL; point = point->next, i++) {
        char place[112];
        snprintf(place, sizeof place, "%.95s[%u]", at, i);
        status = proto_fields_numbers(point, place, 3, 0, points[i], err);
        if (status != NAV_OK) {
            return status;
        }
    }
    const proto_points read = {.at = (const float(*)[3])points, .count = count};
    memcpy((char *)target + field->offset, &read, sizeof read);
    return NAV_OK;
}

nav_status proto_read_numbers(const cJSON *item, const char *at, const proto_field *field,
                              void *target, nav_error *err)
{
    uint32_t count = 0;
    void *room = NULL;
    nav_status status = make_list(item, at, field, target, sizeof(double), &count, &room, err);
    if (status != NAV_OK) {
        return status;
    }
    double *numbers = room;
    uint32_t i = 0;
    for (const cJSON *number = item->child; number != NULL; number = number->next, i++) {
        numbers[i] = number->valuedouble;
        if (!cJSON_IsNumber(number) || !isfinite(numbers[i])) {
            char place[112];
            snprintf(place, sizeof place, "%.95s[%u]", at, i);
            return proto_fields_invalid(number, place, "a finite number", err);
        }
    }
    const proto_numbers read = {.at = numbers, .count = count};
    memcpy((char *)target + field->offset, &read, sizeof read);
    return NAV_OK;
}

nav_status proto_read_id(const cJSON *item, const char *at, const proto_field *field, void *target,
                         nav_error *err)
{
    const proto_common *common = target;
    if (!cJSON_IsString(item) && !cJSON_IsNumber(item)) {
        return proto_fields_invalid(item, at, "a string or a number", err);
    }
    char *printed = cJSON_PrintUnformatted(item);
    char *kept = NULL;
    if (printed != NULL) {
        kept = nav_arena_alloc(common->memory, strlen(printed) + 1, 1);
    }
    if (kept != NULL) {
        strcpy(kept, printed);
        memcpy((char *)target + field->offset, &kept, sizeof kept);
    }
    cJSON_free(printed);
    return kept != NULL ? NAV_OK : proto_fields_no_memory(err);
}
