// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// readers.c: rows that several questions have: the names of an agent, a filter and an instance,
// ids, lists of points and of numbers.

#include "proto/requests/rows.h"

#include "proto/settings/settings.h"

#include <float.h>
#include <math.h>
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
    proto_common *common = v->target;
    nav_status status;
    if (proto_read_list_number(v, &common->filter_list, &status)) {
        return status;
    }
    common->filter = (proto_filter){0};
    return v->item->kind == PROTO_TOKEN_OBJECT
               ? proto_filter_read(v, &common->filter)
               : proto_value_keep(v, 0, SIZE_MAX, "the name of a filter, or an object",
                                  &common->filter.name);
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

nav_status proto_count_check(const char *at, uint32_t count, uint64_t most, nav_error *err)
{
    if (count <= most) {
        return NAV_OK;
    }
    return nav_fail_bound(err, PROTO_BATCH_TOO_LARGE, at, count, most,
                          "%s has %u elements; send them in several requests", at, count);
}

// At least one element, and at most the field's limit.
static nav_status read_list(const proto_value *v, size_t size_bytes, proto_reader *read,
                            void *array, uint32_t *count)
{
    static const char expected[] = "a list of one or more";
    const uint32_t most = (uint32_t)v->field->max;
    const proto_each each = {PROTO_TOKEN_LIST, most, size_bytes, read};
    const nav_status status = proto_value_each(v, &each, expected, array, count);
    return status == NAV_OK && *count == 0 ? proto_value_invalid(v, expected)
           : *count > most ? proto_count_check(proto_value_place(v).text, *count, most, v->err)
                           : status;
}

static nav_status read_point(const proto_value *v)
{
    return proto_value_numbers(v, 3, 1.0, DBL_MAX, v->target);
}

nav_status proto_read_points(const proto_value *v)
{
    proto_points *points = proto_value_at(v);
    return read_list(v, sizeof(float[3]), read_point, &points->at, &points->count);
}

static nav_status read_number(const proto_value *v)
{
    if (v->item->kind != PROTO_TOKEN_NUMBER || !isfinite(v->item->number)) {
        return proto_value_invalid(v, "a finite number");
    }
    *(double *)v->target = v->item->number;
    return NAV_OK;
}

nav_status proto_read_numbers(const proto_value *v)
{
    proto_numbers *numbers = proto_value_at(v);
    return read_list(v, sizeof(double), read_number, &numbers->at, &numbers->count);
}
