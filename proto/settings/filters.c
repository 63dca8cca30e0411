// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// filters.c: filters that queries name, read and written. Their areas and flags are those
// of the settings: they are read last.
//
//   "query_filters":{"boat":{"costs":{"water":1,"ground":9},"include":["swim"],"exclude":[]}}

#include "proto/settings/settings.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

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
            return NAV_INVALID_FIELD;
        }
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
    if (status == NAV_OK) {
        status = find_flags(r, names->include, names->include_count, place, &out->include);
    }
    snprintf(place, sizeof place, "%s.exclude", at);
    if (status == NAV_OK) {
        status = find_flags(r, names->exclude, names->exclude_count, place, &out->exclude);
    }
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
            status = proto_fields_filter(&item, at, r->memory, &names, r->err);
        }
        if (status == NAV_OK) {
            status = number_filter(r, &names, at, &filters[i].filter);
        }
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
