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
#include "proto/base/text.h"
#include "proto/requests/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLACE_BYTES 96 // as of nav_error.at
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

static nav_status read_switch(const proto_item *item, const char *at, proto_state_part *out,
                              nav_error *err)
{
    const bool text = item->kind == PROTO_TOKEN_STRING;
    const bool open = text && item->text_bytes == 4 && memcmp(item->text, "open", 4) == 0;
    out->closed = text && item->text_bytes == 6 && memcmp(item->text, "closed", 6) == 0;
    if (open || out->closed) {
        return NAV_OK;
    }
    (void)proto_item_invalid(item, at, "open, closed or null", err);
    if (text) {
        proto_suggestion meant = proto_suggest(item->text, item->text_bytes);
        proto_suggest_offer(&meant, "open", strlen("open"));
        proto_suggest_offer(&meant, "closed", strlen("closed"));
        proto_suggest_tell(&meant, err);
    }
    return NAV_INVALID_FIELD;
}

static nav_status read_obstacle(const proto_item *item, const char *at, nav_arena *memory,
                                proto_state_part *out, nav_error *err)
{
    char prefix[PLACE_BYTES + 1];
    proto_avoid *shape = NAV_NEW(memory, proto_avoid, 1);
    if (shape == NULL) {
        return proto_fields_no_memory(err);
    }
    snprintf(prefix, sizeof prefix, "%s.", at);
    out->shape = shape;
    return proto_read_shape(item, prefix, memory, shape, err);
}

static nav_status read_link(const proto_item *item, const char *at, nav_arena *memory,
                            proto_state_part *out, nav_error *err)
{
    char prefix[PLACE_BYTES + 1];
    proto_link *link = NAV_NEW(memory, proto_link, 1);
    if (link == NULL) {
        return proto_fields_no_memory(err);
    }
    snprintf(prefix, sizeof prefix, "%s.", at);
    out->link = link;
    return proto_read_link(item, prefix, memory, link, err);
}

static nav_status read_area_cost(const proto_item *item, const char *at, proto_state_part *out,
                                 nav_error *err)
{
    const double cost = item->number;
    if (item->kind != PROTO_TOKEN_NUMBER || !(cost >= 1e-6 && cost <= 1e6)) {
        return proto_item_not_within(item, at, 1e-6, 1e6, " or null", err);
    }
    out->cost = (float)cost;
    return NAV_OK;
}

static nav_status read_value(proto_state_kind kind, const proto_item *item, const char *at,
                             nav_arena *memory, proto_state_part *out, nav_error *err)
{
    if (item->kind == PROTO_TOKEN_NULL) {
        out->removed = true;
        return NAV_OK;
    }
    switch (kind) {
    case PROTO_STATE_SWITCH:
        return read_switch(item, at, out, err);
    case PROTO_STATE_OBSTACLE:
        return read_obstacle(item, at, memory, out, err);
    case PROTO_STATE_LINK:
        return read_link(item, at, memory, out, err);
    default:
        NAV_ASSERT(kind == PROTO_STATE_AREA_COST);
        return read_area_cost(item, at, out, err);
    }
}

// Obstacles and links are named by the client, all else by the mesh.
static nav_status check_id(proto_state_kind kind, const char *id, size_t length, const char *at,
                           nav_error *err)
{
    const bool named_here = kind == PROTO_STATE_OBSTACLE || kind == PROTO_STATE_LINK;
    const size_t most = kind == PROTO_STATE_LINK ? NAV_NAME_MAX : PROTO_STATE_ID_MAX;
    if (length > 0 && length <= most && strlen(id) == length &&
        (!named_here || proto_text_is_name(id, length))) {
        return NAV_OK;
    }
    if (named_here) {
        nav_fail(err, NAV_INVALID_FIELD,
                 "the name of %s is a letter or digit, then up to %zu letters, digits, '.', '_' "
                 "and '-'",
                 kind == PROTO_STATE_LINK ? "a link" : "an obstacle", most - 1);
    } else {
        nav_fail(err, NAV_INVALID_FIELD, "a name has 1 to %zu bytes", most);
    }
    nav_error_at(err, "%s", at);
    nav_error_got(err, "%.63s", id);
    return NAV_INVALID_FIELD;
}

static nav_status read_part(proto_state_kind kind, const proto_member *member, nav_arena *memory,
                            proto_state_part *out, nav_error *err)
{
    char at[PLACE_BYTES];
    char *id = nav_arena_alloc(memory, member->name_bytes + 1, 1);
    if (id == NULL) {
        return proto_fields_no_memory(err);
    }
    memcpy(id, member->name, member->name_bytes);
    id[member->name_bytes] = '\0';
    snprintf(at, sizeof at, "%s.%.64s", MEMBERS[kind], id);
    *out = (proto_state_part){.id = id};
    nav_status status = check_id(kind, id, member->name_bytes, at, err);
    return status == NAV_OK ? read_value(kind, &member->value, at, memory, out, err) : status;
}

// ---- all of a kind ----

static int compare_ids(const void *a, const void *b)
{
    return strcmp(((const proto_state_part *)a)->id, ((const proto_state_part *)b)->id);
}

static nav_status sort_parts(proto_state_kind kind, proto_state_part *parts, uint32_t count,
                             nav_error *err)
{
    if (count > 1) {
        qsort(parts, count, sizeof *parts, compare_ids);
    }
    for (uint32_t i = 1; i < count; i++) {
        if (strcmp(parts[i - 1].id, parts[i].id) == 0) {
            char at[PLACE_BYTES];
            snprintf(at, sizeof at, "%s.%.64s", MEMBERS[kind], parts[i].id);
            return proto_fields_twice(at, PROTO_BAD_JSON, err);
        }
    }
    return NAV_OK;
}

static nav_status read_parts(const proto_item *object, const char *at, const proto_field *field,
                             void *target, nav_error *err)
{
    proto_instance_request *request = target;
    const proto_state_kind kind =
        (proto_state_kind)((field->offset - AT(state)) / sizeof(proto_state_parts));
    const uint32_t most = object->kind == PROTO_TOKEN_OBJECT ? proto_item_count(object) : NAV_NONE;
    if (most > COUNTS_MAX[kind]) {
        char expected[64];
        snprintf(expected, sizeof expected, "an object of up to %u members", COUNTS_MAX[kind]);
        nav_status status = proto_item_invalid(object, at, expected, err);
        nav_error_limit(err, "%u", COUNTS_MAX[kind]);
        return status;
    }
    proto_state_part *parts = NAV_NEW(request->common.memory, proto_state_part, most);
    if (parts == NULL) {
        return proto_fields_no_memory(err);
    }
    uint32_t count = 0;
    proto_member member;
    for (bool more = proto_member_first(object, &member); more; more = proto_member_next(&member)) {
        NAV_ASSERT(count < most);
        nav_status status = read_part(kind, &member, request->common.memory, &parts[count++], err);
        if (status != NAV_OK) {
            return status;
        }
    }
    request->state.parts[kind] = (proto_state_parts){.at = parts, .count = count};
    return sort_parts(kind, parts, count, err);
}

// ---- the rest ----

static nav_status read_version(const proto_item *item, const char *at, const proto_field *field,
                               void *target, nav_error *err)
{
    (void)field;
    proto_instance_request *request = target;
    const double number = item->kind == PROTO_TOKEN_NUMBER ? item->number : 0.0;
    const bool whole =
        number >= 1.0 && number < (double)UINT32_MAX && number == (double)(uint32_t)number;
    if (item->kind != PROTO_TOKEN_NULL && !whole) {
        return proto_item_invalid(item, at, "the number of a version, or null for the live one",
                                  err);
    }
    request->version = (uint32_t)number;
    return NAV_OK;
}

static nav_status read_expires(const proto_item *item, const char *at, const proto_field *field,
                               void *target, nav_error *err)
{
    (void)field;
    proto_instance_request *request = target;
    const double number = item->kind == PROTO_TOKEN_NUMBER ? item->number : 0.0;
    if (item->kind != PROTO_TOKEN_NULL &&
        !(number >= PROTO_EXPIRES_S_MIN && number <= PROTO_EXPIRES_S_MAX)) {
        return proto_item_not_within(item, at, PROTO_EXPIRES_S_MIN, PROTO_EXPIRES_S_MAX, " or null",
                                     err);
    }
    request->expires_in_s = number;
    return NAV_OK;
}

enum {
    ROW_VERSION,
    ROW_EXPIRES,
    ROW_PARTS
};

#define PARTS_ROW(kind, member)                                                                    \
    [ROW_PARTS + (kind)] = {.name = member,                                                        \
                            .type = PROTO_FIELD_READ,                                              \
                            .offset = AT(state) + (kind) * sizeof(proto_state_parts),              \
                            .read = read_parts}

static const proto_field ROWS[] = {
    [ROW_VERSION] = {.name = "version", .type = PROTO_FIELD_READ, .read = read_version},
    [ROW_EXPIRES] = {.name = "expires_in_s", .type = PROTO_FIELD_READ, .read = read_expires},
    PARTS_ROW(PROTO_STATE_SWITCH, "switches"),
    PARTS_ROW(PROTO_STATE_OBSTACLE, "obstacles"),
    PARTS_ROW(PROTO_STATE_LINK, "links"),
    PARTS_ROW(PROTO_STATE_AREA_COST, "area_costs"),
};

static nav_status finish(void *target, uint64_t seen, nav_error *err)
{
    (void)err;
    proto_instance_request *request = target;
    request->has_version = (seen >> ROW_VERSION & 1) != 0;
    request->has_expires = (seen >> ROW_EXPIRES & 1) != 0;
    return NAV_OK;
}

const proto_kind PROTO_INSTANCE = {.fields = {.rows = ROWS, .count = sizeof ROWS / sizeof ROWS[0]},
                                   .size_bytes = sizeof(proto_instance_request),
                                   .finish = finish};

// ---- the instance that a question names ----

nav_status proto_read_instance(const proto_item *item, const char *at, const proto_field *field,
                               void *target, nav_error *err)
{
    (void)field;
    proto_common *common = target;
    if (item->kind == PROTO_TOKEN_NUMBER && common->names_lists) {
        return proto_read_list_number(item, at, &common->instance_list, err);
    }
    if (item->kind != PROTO_TOKEN_STRING) {
        return proto_item_invalid(item, at, "the name of an instance", err);
    }
    common->instance = proto_item_keep_text(item, common->memory);
    return common->instance != NULL ? NAV_OK : proto_fields_no_memory(err);
}

// ---- GET .../instances?after=NAME&limit=N ----

static nav_status read_after(const proto_item *item, const char *at, const proto_field *field,
                             void *target, nav_error *err)
{
    (void)field;
    proto_instances_request *request = target;
    if (item->kind != PROTO_TOKEN_STRING) {
        return proto_item_invalid(item, at, "the name of an instance", err);
    }
    request->after = proto_item_keep_text(item, request->common.memory);
    return request->after != NULL ? NAV_OK : proto_fields_no_memory(err);
}

static const proto_field LIST_ROWS[] = {
    {.name = "after", .type = PROTO_FIELD_READ, .read = read_after},
    {.name = "limit",
     .type = PROTO_FIELD_UINT,
     .offset = offsetof(proto_instances_request, limit),
     .min = 1,
     .max = PROTO_INSTANCES_LISTED_MAX},
};

static void set_list_defaults(void *request)
{
    ((proto_instances_request *)request)->limit = PROTO_INSTANCES_LISTED;
}

const proto_kind PROTO_INSTANCES = {
    .fields = {.rows = LIST_ROWS, .count = sizeof LIST_ROWS / sizeof LIST_ROWS[0]},
    .size_bytes = sizeof(proto_instances_request),
    .set_defaults = set_list_defaults};

// ---- POST .../{instance}/valid ----

static const proto_field VALID_ROWS[] = {
    {.name = "points",
     .type = PROTO_FIELD_READ,
     .offset = offsetof(proto_valid_request, points),
     .max = PROTO_BATCH_MAX,
     .required = true,
     .read = proto_read_points},
    {.name = "revision",
     .type = PROTO_FIELD_UINT,
     .offset = offsetof(proto_valid_request, revision),
     .min = 1,
     .max = UINT32_MAX},
    PROTO_AGENT_ROW,
    {.name = "filter", .type = PROTO_FIELD_READ, .read = proto_read_filter},
    PROTO_DEADLINE_ROW,
    PROTO_RECORD_ROW,
};

const proto_kind PROTO_VALID = {
    .fields = {.rows = VALID_ROWS, .count = sizeof VALID_ROWS / sizeof VALID_ROWS[0]},
    .size_bytes = sizeof(proto_valid_request),
    .values_max = PROTO_BATCH_VALUES_MAX};
