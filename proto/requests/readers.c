// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// readers.c: rows that several questions have: the names of an agent, a filter and an instance,
// ids, lists of points and of numbers.

#include "proto/requests/rows.h"

#include "proto/settings/settings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- names ----

bool proto_read_list_number(const proto_value *v, uint32_t *out, nav_status *status)
{
    const double number = v->item->number;
    if (v->item->kind != PROTO_TOKEN_NUMBER || !((const proto_common *)v->target)->names_lists) {
        return false;
    }
    if (!(number >= 0.0 && number < PROTO_BATCH_LISTS_MAX) || floor(number) != number) {
        *status = proto_value_invalid(v, "the number of a list of this batch, from 0 on");
    } else {
        *out = (uint32_t)number + 1;
        *status = NAV_OK;
    }
    return true;
}

nav_status proto_read_agent(const proto_value *v)
{
    proto_common *common = v->target;
    nav_status status;
    return proto_read_list_number(v, &common->agent_list, &status)
               ? status
               : proto_value_keep(v, 1, NAV_NAME_MAX, "the name of an agent", &common->agent);
}

nav_status proto_read_agent_name(const proto_value *v)
{
    const proto_item *item = v->item;
    if (item->kind != PROTO_TOKEN_STRING || item->text_bytes == 0 ||
        item->text_bytes > NAV_NAME_MAX) {
        return proto_value_invalid(v, "the name of an agent");
    }
    memset(proto_value_at(v), 0, sizeof(nav_name));
    memcpy(proto_value_at(v), item->text, item->text_bytes);
    return NAV_OK;
}

nav_status proto_read_instance(const proto_value *v)
{
    proto_common *common = v->target;
    nav_status status;
    return proto_read_list_number(v, &common->instance_list, &status)
               ? status
               : proto_value_keep(v, 0, SIZE_MAX, "the name of an instance", &common->instance);
}

nav_status proto_read_filter(const proto_value *v)
{
    static const char expected[] = "the name of a filter, or an object";
    char at[PROTO_PLACE_BYTES];
    proto_common *common = v->target;
    nav_status status;
    if (proto_read_list_number(v, &common->filter_list, &status)) {
        return status;
    }
    if (v->item->kind == PROTO_TOKEN_OBJECT) {
        return proto_filter_read(v->item, proto_value_place(v, at), v->memory, &common->filter,
                                 v->err);
    }
    common->filter = (proto_filter){0};
    return proto_value_keep(v, 0, SIZE_MAX, expected, &common->filter.name);
}

nav_status proto_read_id(const proto_value *v)
{
    const proto_item *item = v->item;
    if (item->kind != PROTO_TOKEN_STRING && item->kind != PROTO_TOKEN_NUMBER) {
        return proto_value_invalid(v, "a string or a number");
    }
    // Many numbers are names that no double has. A string stands within its quotes.
    const proto_tokens *t = &item->source->tokens;
    const size_t quote = item->kind == PROTO_TOKEN_STRING ? 1 : 0;
    const size_t size_bytes = t->text_bytes + 2 * quote;
    char *kept = nav_arena_alloc(v->memory, size_bytes + 1, 1);
    if (kept == NULL) {
        return proto_fields_no_memory(v->err);
    }
    memcpy(kept, t->text - quote, size_bytes);
    kept[size_bytes] = '\0';
    ((proto_common *)v->target)->id = kept;
    return NAV_OK;
}

// ---- lists ----

// Room for the elements of a list, at least 1 and at most the field's limit.
static nav_status make_list(const proto_value *v, size_t element_bytes, uint32_t *count, void **out)
{
    char at[PROTO_PLACE_BYTES];
    *count = v->item->kind == PROTO_TOKEN_LIST ? proto_item_count(v->item) : 0;
    if (*count == 0) {
        return proto_value_invalid(v, "a list of one or more");
    }
    if ((double)*count > v->field->max) {
        nav_fail(v->err, PROTO_BATCH_TOO_LARGE, "%s has %u elements; send them in several requests",
                 proto_value_place(v, at), *count);
        nav_error_at(v->err, "%s", at);
        nav_error_got(v->err, "%u", *count);
        nav_error_limit(v->err, "%.0f", v->field->max);
        return PROTO_BATCH_TOO_LARGE;
    }
    *out = nav_arena_alloc(v->memory, *count, element_bytes);
    return *out != NULL ? NAV_OK : proto_fields_no_memory(v->err);
}

nav_status proto_read_points(const proto_value *v)
{
    char at[PROTO_PLACE_BYTES];
    uint32_t count, i = 0;
    void *room = NULL;
    proto_item point;
    nav_status status = make_list(v, sizeof(float[3]), &count, &room);
    float(*points)[3] = room;
    proto_value_place(v, at);
    for (bool more = status == NAV_OK && proto_item_first(v->item, &point); more;
         more = status == NAV_OK && proto_item_next(&point), i++) {
        NAV_ASSERT(i < count);
        status = proto_item_numbers(&point, at, i, 3, points[i], v->err);
    }
    *(proto_points *)proto_value_at(v) =
        (proto_points){.at = (const float(*)[3])points, .count = i};
    return status;
}

nav_status proto_read_numbers(const proto_value *v)
{
    uint32_t count, i = 0;
    void *room = NULL;
    proto_item number;
    nav_status status = make_list(v, sizeof(double), &count, &room);
    double *numbers = room;
    for (bool more = status == NAV_OK && proto_item_first(v->item, &number); more;
         more = status == NAV_OK && proto_item_next(&number), i++) {
        NAV_ASSERT(i < count);
        if (number.kind == PROTO_TOKEN_NUMBER && isfinite(number.number)) {
            numbers[i] = number.number;
        } else {
            char at[PROTO_PLACE_BYTES + 16];
            (void)snprintf(at, sizeof at, "%s%s[%u]", v->prefix, v->field->name, i);
            status = proto_item_invalid(&number, at, "a finite number", v->err);
        }
    }
    *(proto_numbers *)proto_value_at(v) = (proto_numbers){.at = numbers, .count = i};
    return status;
}
