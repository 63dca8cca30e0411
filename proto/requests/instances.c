// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// instances.c: the state of an instance, or a change of it, is read:
//
//   {"version":3, "expires_in_s":3600, "switches":{"north_gate":"closed"},
//    "obstacles":{"cart-1":{"shape":"circle",...}, "cart-2":null},
//    "links":{"lift":{"start":[x,y,z],...}}, "area_costs":{"mud":6}}
//
// null takes a part away; as the version it follows the live one, as the time it never expires.

#include "proto/requests/instances.h"
#include "proto/base/suggest.h"
#include "proto/base/text.h"
#include "proto/requests/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT(member) offsetof(proto_instance_request, member)

static const char *const MEMBERS[PROTO_STATE_KINDS] = {[PROTO_STATE_SWITCH] = "switches",
                                                       [PROTO_STATE_OBSTACLE] = "obstacles",
                                                       [PROTO_STATE_LINK] = "links",
                                                       [PROTO_STATE_AREA_COST] = "area_costs"};
static const uint32_t COUNTS_MAX[PROTO_STATE_KINDS] = {[PROTO_STATE_SWITCH] = PROTO_SWITCHES_MAX,
                                                       [PROTO_STATE_OBSTACLE] = NAV_AVOID_MAX,
                                                       [PROTO_STATE_LINK] = PROTO_LINKS_MAX,
                                                       [PROTO_STATE_AREA_COST] = NAV_AREAS_MAX};

const char *proto_state_member(proto_state_kind kind)
{
    NAV_ASSERT((unsigned)kind < PROTO_STATE_KINDS);
    return MEMBERS[kind];
}

uint32_t proto_state_count_max(proto_state_kind kind)
{
    NAV_ASSERT((unsigned)kind < PROTO_STATE_KINDS);
    return COUNTS_MAX[kind];
}

// ---- one part ----

static nav_status read_switch(const proto_value *v, proto_state_item *out)
{
    out->closed = proto_item_is_word(v->item, "closed");
    if (out->closed || proto_item_is_word(v->item, "open")) {
        return NAV_OK;
    }
    (void)proto_value_invalid(v, "open, closed or null");
    if (v->item->kind == PROTO_TOKEN_STRING) {
        proto_suggestion meant = proto_suggest(v->item->text, v->item->text_bytes);
        proto_suggest_offer(&meant, "open", strlen("open"));
        proto_suggest_offer(&meant, "closed", strlen("closed"));
        proto_suggest_say(&meant, v->err);
    }
    return NAV_INVALID_FIELD;
}

// With room of its own for a shape or a link.
static nav_status read_into(const proto_value *v, proto_reader *read, void *space)
{
    proto_value one = *v;
    one.target = space;
    return space != NULL ? read(&one) : proto_fields_no_memory(v->err);
}

static nav_status read_value(proto_state_kind kind, const proto_value *v, proto_state_item *out)
{
    const double cost = v->item->number;
    proto_avoid *shape;
    if (v->item->kind == PROTO_TOKEN_NULL) {
        out->removed = true;
        return NAV_OK;
    }
    switch (kind) {
    case PROTO_STATE_SWITCH:
        return read_switch(v, out);
    case PROTO_STATE_OBSTACLE:
        out->shape = shape = NAV_NEW(v->memory, proto_avoid, 1);
        return read_into(v, proto_read_shape, shape);
    case PROTO_STATE_LINK:
        out->link = NAV_NEW(v->memory, proto_link, 1);
        return read_into(v, proto_read_link, out->link);
    default:
        NAV_ASSERT(kind == PROTO_STATE_AREA_COST);
        if (v->item->kind != PROTO_TOKEN_NUMBER || !(cost >= 1e-6 && cost <= 1e6)) {
            return proto_value_not_within(v, 1e-6, 1e6, " or null");
        }
        out->cost = (float)cost;
        return NAV_OK;
    }
}

// Obstacles and links are named by the client, all else by the mesh.
static nav_status check_id(proto_state_kind kind, const proto_value *v, const char *id)
{
    const bool named_here = kind == PROTO_STATE_OBSTACLE || kind == PROTO_STATE_LINK;
    const size_t length = v->member->name_bytes;
    const size_t most = kind == PROTO_STATE_LINK ? NAV_NAME_MAX : PROTO_STATE_ID_MAX;
    if (length > 0 && length <= most && (!named_here || proto_text_is_name(id, length))) {
        return NAV_OK;
    }
    if (named_here) {
        nav_fail(v->err, NAV_INVALID_FIELD,
                 "the name of %s is a letter or digit, then up to %zu letters, digits, '.', '_' "
                 "and '-'",
                 kind == PROTO_STATE_LINK ? "a link" : "an obstacle", most - 1);
    } else {
        nav_fail(v->err, NAV_INVALID_FIELD, "a name has 1 to %zu bytes", most);
    }
    nav_error_at(v->err, "%s", proto_value_place(v).text);
    nav_error_got(v->err, "%.63s", id);
    return NAV_INVALID_FIELD;
}

static nav_status read_item(const proto_value *v)
{
    const proto_state_kind kind = *(const proto_state_kind *)v->owner;
    proto_state_item *out = v->target;
    out->id = proto_member_keep_name(v->member, v->memory);
    nav_status status =
        out->id != NULL ? check_id(kind, v, out->id) : proto_fields_no_memory(v->err);
    NAV_IF_OK(status, read_value(kind, v, out));
    return status;
}

// ---- all of a kind ----

static int compare_ids(const void *a, const void *b)
{
    return strcmp(((const proto_state_item *)a)->id, ((const proto_state_item *)b)->id);
}

static nav_status read_items(const proto_value *v)
{
    proto_instance_request *request = v->target;
    proto_state_kind kind =
        (proto_state_kind)((v->field->offset - AT(state)) / sizeof(proto_state_items));
    const proto_each each = {PROTO_TOKEN_OBJECT, COUNTS_MAX[kind], sizeof(proto_state_item),
                             read_item};
    char expected[64];
    uint32_t count = 0;
    proto_state_item *items = NULL;
    proto_value of_kind = *v;
    of_kind.owner = &kind;
    snprintf(expected, sizeof expected, "an object of up to %u members", COUNTS_MAX[kind]);
    const nav_status status = proto_value_each(&of_kind, &each, expected, &items, &count);
    if (status != NAV_OK) {
        return status;
    }
    qsort(items, count, sizeof *items, compare_ids);
    for (uint32_t i = 1; i < count; i++) {
        if (strcmp(items[i - 1].id, items[i].id) == 0) {
            return proto_fields_twice(nav_at("%s.%.64s", MEMBERS[kind], items[i].id).text,
                                      PROTO_BAD_JSON, v->err);
        }
    }
    request->state.items[kind] = (proto_state_items){.at = items, .count = count};
    return NAV_OK;
}

// ---- the rest ----

static nav_status read_version(const proto_value *v)
{
    const double number = v->item->kind == PROTO_TOKEN_NUMBER ? v->item->number : 0.0;
    const bool whole =
        number >= 1.0 && number < (double)UINT32_MAX && number == (double)(uint32_t)number;
    if (v->item->kind != PROTO_TOKEN_NULL && !whole) {
        return proto_value_invalid(v, "the number of a version, or null for the live one");
    }
    ((proto_instance_request *)v->target)->version = (uint32_t)number;
    return NAV_OK;
}

static nav_status read_expires(const proto_value *v)
{
    const double number = v->item->kind == PROTO_TOKEN_NUMBER ? v->item->number : 0.0;
    if (v->item->kind != PROTO_TOKEN_NULL &&
        !(number >= PROTO_EXPIRES_S_MIN && number <= PROTO_EXPIRES_S_MAX)) {
        return proto_value_not_within(v, PROTO_EXPIRES_S_MIN, PROTO_EXPIRES_S_MAX, " or null");
    }
    ((proto_instance_request *)v->target)->expires_in_s = number;
    return NAV_OK;
}

enum {
    ROW_VERSION,
    ROW_EXPIRES,
    ROW_ITEMS
};

#define ITEMS_ROW(kind, member)                                                                    \
    [ROW_ITEMS +                                                                                   \
        (kind)] = {PROTO_ROW_AT(READ, member, AT(state) + (kind) * sizeof(proto_state_items)),     \
                   .read = read_items}

static const proto_field ROWS[] = {
    [ROW_VERSION] = PROTO_READ_ROW("version", read_version),
    [ROW_EXPIRES] = PROTO_READ_ROW("expires_in_s", read_expires),
    ITEMS_ROW(PROTO_STATE_SWITCH, "switches"),
    ITEMS_ROW(PROTO_STATE_OBSTACLE, "obstacles"),
    ITEMS_ROW(PROTO_STATE_LINK, "links"),
    ITEMS_ROW(PROTO_STATE_AREA_COST, "area_costs"),
};

static nav_status finish(void *target, uint64_t seen, nav_error *err)
{
    (void)err;
    proto_instance_request *request = target;
    request->has_version = (seen >> ROW_VERSION & 1) != 0;
    request->has_expires = (seen >> ROW_EXPIRES & 1) != 0;
    return NAV_OK;
}

const proto_kind PROTO_INSTANCE = {PROTO_KIND(proto_instance_request, ROWS), .is_document = true,
                                   .finish = finish};

// ---- GET .../instances?after=NAME&limit=N ----

static nav_status read_after(const proto_value *v)
{
    return proto_value_keep(v, 0, SIZE_MAX, "the name of an instance",
                            &((proto_instances_request *)v->target)->after);
}

static const proto_field LIST_ROWS[] = {
    PROTO_PAGE_ROWS(proto_instances_request, read_after, PROTO_INSTANCES_LISTED_MAX)};

const proto_kind PROTO_INSTANCES = {
    PROTO_KIND(proto_instances_request, LIST_ROWS),
    .defaults = &(const proto_instances_request){.limit = PROTO_INSTANCES_LISTED}};

// ---- POST .../{instance}/valid ----

static const proto_field VALID_ROWS[] = {
    {PROTO_ROW(READ, proto_valid_request, points), .max = PROTO_BATCH_MAX, .required = true,
     .read = proto_read_points},
    {PROTO_ROW(UINT, proto_valid_request, revision), .min = 1, .max = UINT32_MAX},
    PROTO_AGENT_ROW,
    PROTO_READ_ROW("filter", proto_read_filter),
    PROTO_DEADLINE_ROW,
    PROTO_RECORD_ROW,
};

const proto_kind PROTO_VALID = {PROTO_KIND(proto_valid_request, VALID_ROWS),
                                .values_max = PROTO_BATCH_VALUES_MAX};
