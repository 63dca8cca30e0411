// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// filters.c: one filter as text, and the filters of the settings, which queries name:
//
//   "filter":"boat"                                              a named one
//   "filter":{"costs":{"water":9},"include":["walk"],"exclude":["door"]}
//   "query_filters":{"boat":{"costs":{"water":1,"ground":9},"include":["swim"],"exclude":[]}}
//
// A question keeps names as text: only the mesh knows what they stand for (requests/common.c).
// Areas and flags of the settings' own filters are theirs, so that they are read last.

#include "proto/requests/requests.h"
#include "proto/settings/settings.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

// ---- one filter, of a question or of the settings ----

// A filter while its members are read.
typedef struct filter_reader {
    proto_filter filter;
    nav_arena *memory;
} filter_reader;

nav_status proto_read_flag_names(const proto_item *list, const char *at, nav_arena *memory,
                                 const char *const **out, uint32_t *out_count, nav_error *err)
{
    const uint32_t count = list->kind == PROTO_TOKEN_LIST ? proto_item_count(list) : NAV_NONE;
    if (count > NAV_FLAGS_MAX) {
        return proto_item_invalid(list, at, "a list of up to 32 names of flags", err);
    }
    uint32_t to = 0;
    const char **names = NAV_NEW(memory, const char *, count);
    proto_item item;
    for (bool more = names != NULL && proto_item_first(list, &item); more;
         more = proto_item_next(&item)) {
        if (item.kind != PROTO_TOKEN_STRING) {
            return proto_item_invalid(&item, at, "a list of up to 32 names of flags", err);
        }
        NAV_ASSERT(to < count);
        names[to] = proto_item_keep_text(&item, memory);
        if (names[to++] == NULL) {
            return proto_fields_no_memory(err);
        }
    }
    NAV_ASSERT(to <= count);
    *out = names;
    *out_count = to;
    return names != NULL ? NAV_OK : proto_fields_no_memory(err);
}

static nav_status read_flags(const proto_item *list, const char *at, const proto_field *field,
                             void *target, nav_error *err)
{
    filter_reader *r = target;
    const bool include = field->offset == offsetof(filter_reader, filter.include);
    return proto_read_flag_names(
        list, at, r->memory, include ? &r->filter.include : &r->filter.exclude,
        include ? &r->filter.include_count : &r->filter.exclude_count, err);
}

// One area and its cost; costs has room for it.
static nav_status read_cost(const proto_member *member, const char *at, proto_area_cost *costs,
                            uint32_t count, nav_arena *memory, nav_error *err)
{
    char place[160];
    snprintf(place, sizeof place, "%.80s.%.*s", at,
             (int)(member->name_bytes < 47 ? member->name_bytes : 47), member->name);
    const double cost = member->value.number;
    if (member->value.kind != PROTO_TOKEN_NUMBER || !(cost >= 1e-6 && cost <= 1e6)) {
        return proto_item_not_within(&member->value, place, 1e-6, 1e6, "", err);
    }
    char *area = nav_arena_alloc(memory, member->name_bytes + 1, 1);
    if (area == NULL) {
        return proto_fields_no_memory(err);
    }
    memcpy(area, member->name, member->name_bytes);
    area[member->name_bytes] = '\0';
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(costs[i].area, area) == 0) {
            return proto_fields_twice(place, PROTO_BAD_JSON, err);
        }
    }
    costs[count] = (proto_area_cost){.area = area, .cost = (float)cost};
    return NAV_OK;
}

static nav_status read_costs(const proto_item *object, const char *at, const proto_field *field,
                             void *target, nav_error *err)
{
    (void)field;
    filter_reader *r = target;
    const uint32_t most = object->kind == PROTO_TOKEN_OBJECT ? proto_item_count(object) : NAV_NONE;
    if (most > NAV_AREAS_MAX) {
        return proto_item_invalid(object, at, "an object of up to 64 areas and their costs", err);
    }
    proto_area_cost *costs = NAV_NEW(r->memory, proto_area_cost, most);
    if (costs == NULL) {
        return proto_fields_no_memory(err);
    }
    uint32_t count = 0;
    proto_member member;
    for (bool more = proto_member_first(object, &member); more; more = proto_member_next(&member)) {
        NAV_ASSERT(count < most);
        nav_status status = read_cost(&member, at, costs, count++, r->memory, err);
        if (status != NAV_OK) {
            return status;
        }
    }
    r->filter.costs = costs;
    r->filter.cost_count = count;
    return NAV_OK;
}

static const proto_field FILTER_ROWS[] = {
    {.name = "costs", .type = PROTO_FIELD_READ, .read = read_costs},
    {.name = "include",
     .type = PROTO_FIELD_READ,
     .offset = offsetof(filter_reader, filter.include),
     .read = read_flags},
    {.name = "exclude",
     .type = PROTO_FIELD_READ,
     .offset = offsetof(filter_reader, filter.exclude),
     .read = read_flags},
};

// {"costs":{},"include":[],"exclude":[]} as names, from memory. `at` names it in errors.
static nav_status read_filter(const proto_item *object, const char *at, nav_arena *memory,
                              proto_filter *out, nav_error *err)
{
    char prefix[96];
    snprintf(prefix, sizeof prefix, "%.90s.", at);
    filter_reader r = {.memory = memory};
    uint64_t seen;
    nav_status status =
        proto_fields_read_item(PROTO_ROWS(FILTER_ROWS), object, prefix, &r, &seen, err);
    *out = r.filter;
    return status;
}

nav_status proto_read_filter(const proto_item *item, const char *at, const proto_field *field,
                             void *target, nav_error *err)
{
    (void)field;
    proto_common *common = target;
    if (item->kind == PROTO_TOKEN_NUMBER && common->names_lists) {
        return proto_read_list_number(item, at, &common->filter_list, err);
    }
    if (item->kind == PROTO_TOKEN_STRING) {
        common->filter = (proto_filter){.name = proto_item_keep_text(item, common->memory)};
        return common->filter.name != NULL ? NAV_OK : proto_fields_no_memory(err);
    }
    if (item->kind != PROTO_TOKEN_OBJECT) {
        return proto_item_invalid(item, at, "the name of a filter, or an object", err);
    }
    return read_filter(item, at, common->memory, &common->filter, err);
}

// ---- the filters of the settings ----

static nav_status find_flags(const proto_settings_reader *r, const char *const *names,
                             uint32_t count, const char *at, uint32_t *out)
{
    const nav_config *config = r->config;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t flag = 0;
        while (flag < config->flag_count && strcmp(config->flag_names[flag], names[i]) != 0) {
            flag++;
        }
        if (flag == config->flag_count) {
            nav_fail(r->err, NAV_INVALID_FIELD, "%s: no area and no link has the flag \"%.47s\"",
                     at, names[i]);
            nav_error_at(r->err, "%s", at);
            nav_error_got(r->err, "%.63s", names[i]);
            proto_suggestion meant = proto_suggest(names[i], strlen(names[i]));
            for (uint32_t k = 0; k < config->flag_count; k++) {
                proto_suggest_offer(&meant, config->flag_names[k], strlen(config->flag_names[k]));
            }
            proto_suggest_tell(&meant, r->err);
            return NAV_INVALID_FIELD;
        }
        NAV_ASSERT(flag < NAV_FLAGS_MAX);
        *out |= UINT32_C(1) << flag;
    }
    return NAV_OK;
}

static nav_status number_filter(const proto_settings_reader *r, const proto_filter *names,
                                const char *at, nav_filter *out)
{
    nav_status status = NAV_OK;
    char place[160];
    for (uint32_t i = 0; i < names->cost_count && status == NAV_OK; i++) {
        uint8_t area = 0;
        snprintf(place, sizeof place, "%s.costs.%.47s", at, names->costs[i].area);
        status = proto_settings_walkable_area(r, names->costs[i].area, place, &area);
        out->area_costs[area] = names->costs[i].cost;
    }
    snprintf(place, sizeof place, "%s.include", at);
    NAV_IF_OK(status, find_flags(r, names->include, names->include_count, place, &out->include));
    snprintf(place, sizeof place, "%s.exclude", at);
    NAV_IF_OK(status, find_flags(r, names->exclude, names->exclude_count, place, &out->exclude));
    return status;
}

nav_status proto_settings_read_filters(proto_settings_reader *r, const cJSON *object)
{
    const cJSON **members;
    uint32_t count;
    nav_status status =
        proto_settings_members(r, object, "query_filters", NAV_FILTERS_MAX, &members, &count);
    if (status != NAV_OK) {
        return status;
    }
    nav_named_filter *filters = NAV_NEW_ZERO(r->memory, nav_named_filter, count);
    if (filters == NULL) {
        return proto_settings_no_memory(r);
    }
    for (uint32_t i = 0; i < count && status == NAV_OK; i++) {
        char at[80];
        proto_filter names;
        snprintf(at, sizeof at, "query_filters.%.47s", members[i]->string);
        status =
            proto_settings_name(r, members[i]->string, "query_filters", false, filters[i].name);
        if (status == NAV_OK) {
            const proto_item item = proto_item_of_node(members[i]);
            status = read_filter(&item, at, r->memory, &names, r->err);
        }
        NAV_IF_OK(status, number_filter(r, &names, at, &filters[i].filter));
    }
    r->config->filters = filters;
    r->config->filter_count = count;
    return status;
}

// ---- writing ----

void proto_settings_write_filters(proto_writer *w, const nav_config *config)
{
    const uint32_t area_count = config->areas != NULL ? config->area_count : 2;
    proto_write_object_begin(w);
    for (uint32_t i = 0; i < config->filter_count; i++) {
        const nav_filter *filter = &config->filters[i].filter;
        proto_write_key(w, config->filters[i].name);
        proto_write_object_begin(w);
        proto_write_key(w, "costs");
        proto_write_object_begin(w);
        for (uint32_t area = NAV_AREA_GROUND; area < area_count; area++) {
            if (filter->area_costs[area] > 0.0f) {
                proto_write_key(w, proto_settings_area_name(config, (uint8_t)area));
                proto_write_float(w, filter->area_costs[area]);
            }
        }
        proto_write_object_end(w);
        proto_settings_write_flags(w, "include", config, filter->include);
        proto_settings_write_flags(w, "exclude", config, filter->exclude);
        proto_write_object_end(w);
    }
    proto_write_object_end(w);
}
