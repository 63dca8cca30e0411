// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// lists.c: values that are more than one of the types that values.c knows: lists of points and
// numbers, texts that are given back, lists of a document; and the errors of readers of their own.

#include "proto/json/fields.h"
#include "proto/requests/requests.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

nav_status proto_item_invalid(const proto_item *item, const char *at, const char *expected,
                              nav_error *err)
{
    nav_fail(err, NAV_INVALID_FIELD, "%s must be %s", at, expected);
    nav_error_at(err, "%s", at);
    proto_value_got(err, item);
    return NAV_INVALID_FIELD;
}

nav_status proto_item_not_within(const proto_item *item, const char *at, double least, double most,
                                 const char *more, nav_error *err)
{
    char expected[96];
    snprintf(expected, sizeof expected, "a number from %.10g to %.10g%s", least, most, more);
    nav_status status = proto_item_invalid(item, at, expected, err);
    if (item->kind == PROTO_TOKEN_NUMBER) {
        nav_error_limit(err, "%.10g", item->number > most ? most : least);
    }
    return status;
}

nav_status proto_node_invalid(const cJSON *node, const char *at, const char *expected,
                              nav_error *err)
{
    const proto_item item = proto_item_of_node(node);
    return proto_item_invalid(&item, at, expected, err);
}

nav_status proto_node_not_within(const cJSON *node, const char *at, double least, double most,
                                 const char *more, nav_error *err)
{
    const proto_item item = proto_item_of_node(node);
    return proto_item_not_within(&item, at, least, most, more, err);
}

nav_status proto_fields_too_many(const char *at, uint32_t count, uint32_t limit, nav_error *err)
{
    nav_fail(err, NAV_INVALID_FIELD, "%s has more than %u entries", at, limit);
    nav_error_at(err, "%s", at);
    nav_error_got(err, "%u", count);
    nav_error_limit(err, "%u", limit);
    return NAV_INVALID_FIELD;
}

// "points[3]", or with index NAV_NONE "points". For errors only: printf takes longer than all the
// rest.
typedef struct place_text {
    char text[112];
} place_text;

static place_text place_of(const char *at, uint32_t index)
{
    place_text place;
    if (index == NAV_NONE) {
        snprintf(place.text, sizeof place.text, "%.111s", at);
    } else {
        snprintf(place.text, sizeof place.text, "%.95s[%u]", at, index);
    }
    return place;
}

// Number `index` of a list is none, or (limit > 0) further from 0 than limit.
static nav_status wrong_number(const proto_item *element, const char *at, uint32_t index,
                               double limit, nav_error *err)
{
    char expected[64];
    const place_text place = place_of(at, index);
    if (limit <= 0) {
        return proto_item_invalid(element, place.text, "a finite number", err);
    }
    snprintf(expected, sizeof expected, "within -%.10g and %.10g", limit, limit);
    nav_status status = proto_item_invalid(element, place.text, expected, err);
    nav_error_limit(err, "%.10g", element->number < 0 ? -limit : limit);
    return status;
}

static nav_status wrong_count(const proto_item *item, const char *at, uint32_t index,
                              uint32_t count, nav_error *err)
{
    char expected[64];
    snprintf(expected, sizeof expected, "%u finite numbers", count);
    return proto_item_invalid(item, place_of(at, index).text, expected, err);
}

// `count` numbers times scale, each at most `limit` from 0 (limit 0: any).
static nav_status read_numbers(const proto_item *item, const char *at, uint32_t index,
                               uint32_t count, double scale, double limit, float *out,
                               nav_error *err)
{
    proto_item element;
    bool more = item->kind == PROTO_TOKEN_LIST && proto_item_first(item, &element);
    for (uint32_t i = 0; i < count; i++) {
        if (!more) {
            return wrong_count(item, at, index, count, err);
        }
        const bool finite = element.kind == PROTO_TOKEN_NUMBER && isfinite((float)element.number);
        if (!finite || (limit > 0 && fabs(element.number) > limit)) {
            return wrong_number(&element, place_of(at, index).text, i, finite ? limit : 0, err);
        }
        out[i] = (float)(element.number * scale) + 0.0f; // -0 becomes 0
        more = proto_item_next(&element);
    }
    return more ? wrong_count(item, at, index, count, err) : NAV_OK;
}

nav_status proto_item_numbers(const proto_item *item, const char *at, uint32_t index,
                              uint32_t count, float *out, nav_error *err)
{
    return read_numbers(item, at, index, count, 1.0, 0.0, out, err);
}

nav_status proto_node_coordinates(const cJSON *node, const char *at, uint32_t count, double scale,
                                  float *out, nav_error *err)
{
    const proto_item item = proto_item_of_node(node);
    return read_numbers(&item, at, NAV_NONE, count, scale, (double)NAV_COORDINATE_MAX / scale, out,
                        err);
}

nav_status proto_fields_count(const cJSON *list, const char *at, uint32_t limit, uint32_t *count,
                              nav_error *err)
{
    if (!cJSON_IsArray(list)) {
        return proto_node_invalid(list, at, "a list", err);
    }
    *count = (uint32_t)cJSON_GetArraySize(list);
    return *count <= limit ? NAV_OK : proto_fields_too_many(at, *count, limit, err);
}

const cJSON *proto_fields_first(const cJSON *list)
{
    return list->child;
}

const cJSON *proto_fields_next(const cJSON *item)
{
    return item->next;
}

const char *proto_fields_name(const cJSON *item)
{
    return item->string != NULL ? item->string : "";
}

// ---- lists of requests ----

// How many elements a list has, at least 1 and at most the field's limit.
static nav_status count_elements(const proto_item *item, const char *at, const proto_field *field,
                                 uint32_t *count, nav_error *err)
{
    *count = item->kind == PROTO_TOKEN_LIST ? proto_item_count(item) : 0;
    if (*count == 0) {
        return proto_item_invalid(item, at, "a list of one or more", err);
    }
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
static nav_status make_list(const proto_item *item, const char *at, const proto_field *field,
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

nav_status proto_read_points(const proto_item *item, const char *at, const proto_field *field,
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
    proto_item point;
    for (bool more = proto_item_first(item, &point); more; more = proto_item_next(&point), i++) {
        NAV_ASSERT(i < count);
        status = proto_item_numbers(&point, at, i, 3, points[i], err);
        if (status != NAV_OK) {
            return status;
        }
    }
    NAV_DCHECK(i <= count);
    const proto_points read = {.at = (const float(*)[3])points, .count = i};
    memcpy((char *)target + field->offset, &read, sizeof read);
    return NAV_OK;
}

nav_status proto_read_numbers(const proto_item *item, const char *at, const proto_field *field,
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
    proto_item number;
    for (bool more = proto_item_first(item, &number); more; more = proto_item_next(&number), i++) {
        NAV_ASSERT(i < count);
        if (number.kind != PROTO_TOKEN_NUMBER || !isfinite(number.number)) {
            return wrong_number(&number, at, i, 0, err);
        }
        numbers[i] = number.number;
    }
    const proto_numbers read = {.at = numbers, .count = i};
    memcpy((char *)target + field->offset, &read, sizeof read);
    return NAV_OK;
}

nav_status proto_read_list_number(const proto_item *item, const char *at, uint32_t *out,
                                  nav_error *err)
{
    const double number = item->kind == PROTO_TOKEN_NUMBER ? item->number : -1.0;
    if (!(number >= 0.0 && number < PROTO_BATCH_LISTS_MAX) || floor(number) != number) {
        return proto_item_invalid(item, at, "the number of a list of this batch, from 0 on", err);
    }
    *out = (uint32_t)number + 1;
    return NAV_OK;
}

// A number with the digits that were sent: many are names that no double has.
static char *keep_number(const proto_item *item, nav_arena *memory)
{
    NAV_ASSERT(item->source != NULL);
    const proto_tokens *t = &item->source->tokens;
    char *kept = nav_arena_alloc(memory, t->text_bytes + 1, 1);
    if (kept != NULL) {
        memcpy(kept, t->text, t->text_bytes);
        kept[t->text_bytes] = '\0';
    }
    return kept;
}

// As cJSON writes it.
static char *keep_string(const proto_item *item, nav_arena *memory)
{
    const cJSON node = {.type = cJSON_String,
                        .valuestring = (char *)(uintptr_t)proto_item_keep_text(item, memory)};
    char *printed = node.valuestring != NULL ? cJSON_PrintUnformatted(&node) : NULL;
    char *kept = printed != NULL ? nav_arena_alloc(memory, strlen(printed) + 1, 1) : NULL;
    if (kept != NULL) {
        strcpy(kept, printed);
    }
    cJSON_free(printed);
    return kept;
}

nav_status proto_read_id(const proto_item *item, const char *at, const proto_field *field,
                         void *target, nav_error *err)
{
    const proto_common *common = target;
    if (item->kind != PROTO_TOKEN_STRING && item->kind != PROTO_TOKEN_NUMBER) {
        return proto_item_invalid(item, at, "a string or a number", err);
    }
    const char *kept = item->kind == PROTO_TOKEN_STRING ? keep_string(item, common->memory)
                                                        : keep_number(item, common->memory);
    if (kept == NULL) {
        return proto_fields_no_memory(err);
    }
    memcpy((char *)target + field->offset, &kept, sizeof kept);
    return NAV_OK;
}
