// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// areas.c: the settings about kinds of ground and of agents: areas, materials, low passages,
// agents, and the filters that queries name. Each element is read by a table of its own.

#include "proto/settings/settings.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

// ---- areas and what names them ----

typedef struct area_fields {
    float cost;
    bool liquid;
    proto_item flags;
} area_fields;

static const proto_field AREA_ROWS[] = {
    {PROTO_ROW(FLOAT, area_fields, cost), .min = 1e-6, .max = 1e6},
    {PROTO_ROW(ITEM, area_fields, flags)},
    {PROTO_ROW(BOOL, area_fields, liquid)},
};

static nav_status read_area(proto_settings_reader *r, const proto_element *e, void *out)
{
    nav_area *area = out;
    if (strcmp(e->name, "none") == 0) {
        return proto_item_invalid(&e->item, e->at, "left out: it is what cannot be walked on",
                                  r->err);
    }
    area_fields fields = {.cost = 1};
    nav_status status =
        proto_fields_read_item(PROTO_ROWS(AREA_ROWS), &e->item, e->prefix, &fields, NULL, r->err);
    memcpy(area->name, e->name, sizeof area->name);
    area->cost = fields.cost;
    area->liquid = fields.liquid;
    NAV_IF_OK(status, proto_settings_flags(r, &fields.flags, e->prefix, &area->flags));
    return status;
}

// "none" and "ground" come first, whether or not they were given.
nav_status proto_settings_read_areas(proto_settings_reader *r, const proto_item *item)
{
    static const proto_settings_list list = {
        .kind = PROTO_TOKEN_OBJECT, .element_bytes = sizeof(nav_area), .read = read_area};
    void *room = NULL;
    uint32_t count;
    nav_status status =
        proto_settings_elements(r, item, "areas", NAV_AREAS_MAX - 1, &list, &room, &count);
    if (status != NAV_OK) {
        return status;
    }
    const nav_area *given = room;
    nav_area *areas = NAV_NEW_ZERO(r->memory, nav_area, (size_t)count + 2);
    if (areas == NULL) {
        return proto_settings_no_memory(r);
    }
    areas[NAV_AREA_NONE] = (nav_area){.name = "none", .cost = 1};
    areas[NAV_AREA_GROUND] = (nav_area){.name = "ground", .cost = 1};
    uint32_t to = NAV_AREA_GROUND + 1;
    for (uint32_t i = 0; i < count; i++) {
        const bool ground = strcmp(given[i].name, "ground") == 0;
        areas[ground ? NAV_AREA_GROUND : to] = given[i];
        to += ground ? 0 : 1;
    }
    if (to > NAV_AREAS_MAX) {
        return proto_fields_too_many("areas", to - 1, NAV_AREAS_MAX - 1, r->err);
    }
    r->config->areas = areas;
    r->config->area_count = to;
    return NAV_OK;
}

static nav_status read_material(proto_settings_reader *r, const proto_element *e, void *out)
{
    nav_material *material = out;
    if (e->item.kind != PROTO_TOKEN_STRING) {
        return proto_item_invalid(&e->item, e->at, "the name of an area", r->err);
    }
    memcpy(material->name, e->name, sizeof material->name);
    return proto_settings_area(r, e->item.text, e->at, &material->area);
}

const proto_settings_list PROTO_SETTINGS_MATERIALS = PROTO_SETTINGS_LIST(
    "materials", OBJECT, NAV_MATERIALS_MAX, nav_material, read_material, materials, material_count);

typedef struct low_height_fields {
    const char *area;
    float min_height;
    bool single;
} low_height_fields;

static const proto_field LOW_HEIGHT_ROWS[] = {
    {PROTO_ROW(STRING, low_height_fields, area), .required = true},
    {PROTO_ROW(FLOAT, low_height_fields, min_height), .min = 1e-6, .max = 1e4, .required = true},
    {PROTO_ROW(BOOL, low_height_fields, single)},
};

nav_status proto_settings_read_low_height(proto_settings_reader *r, const proto_item *item)
{
    low_height_fields fields = {0};
    nav_status status = proto_fields_read_item(PROTO_ROWS(LOW_HEIGHT_ROWS), item,
                                               "filters.low_height.", &fields, NULL, r->err);
    if (status != NAV_OK) {
        return status;
    }
    r->config->low_height_min = fields.min_height;
    r->config->low_height_single = fields.single;
    return proto_settings_walkable_area(r, fields.area, "filters.low_height.area",
                                        &r->config->low_height_area);
}

// ---- agents ----

#define AGENT_ROW(member)                                                                          \
    {                                                                                              \
        PROTO_ROW(FLOAT, nav_agent, member), .min = -(double)FLT_MAX, .max = (double)FLT_MAX       \
    }

static const proto_field AGENT_ROWS[] = {AGENT_ROW(radius), AGENT_ROW(height), AGENT_ROW(max_climb),
                                         AGENT_ROW(max_slope)};

// Members that are not given are those of an upload that does not give them in "agent", either.
static nav_status read_agent(proto_settings_reader *r, const proto_element *e, void *out)
{
    const nav_config config = nav_config_default();
    nav_agent *agent = out;
    *agent = (nav_agent){.radius = config.agent_radius,
                         .height = config.agent_height,
                         .max_climb = config.agent_max_climb,
                         .max_slope = config.agent_max_slope};
    memcpy(agent->name, e->name, sizeof agent->name);
    return proto_fields_read_item(PROTO_ROWS(AGENT_ROWS), &e->item, e->prefix, agent, NULL, r->err);
}

const proto_settings_list PROTO_SETTINGS_AGENTS = PROTO_SETTINGS_LIST(
    "agents", OBJECT, NAV_AGENTS_MAX, nav_agent, read_agent, agents, agent_count);

// ---- filters that queries name: of areas and flags of the settings, so that they are read last
// ----

static nav_status find_flags(proto_settings_reader *r, const char *const *names, uint32_t count,
                             const char *at, uint32_t *out)
{
    const nav_config *config = r->config;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t flag;
        if (!proto_settings_find_flag(r, names[i], &flag)) {
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
        *out |= UINT32_C(1) << flag;
    }
    return NAV_OK;
}

static nav_status read_filter(proto_settings_reader *r, const proto_element *e, void *out)
{
    proto_filter names = {0};
    nav_named_filter *filter = out;
    char place[160];
    memcpy(filter->name, e->name, sizeof filter->name);
    nav_status status = proto_filter_read(&e->item, e->at, r->memory, &names, r->err);
    for (uint32_t i = 0; i < names.cost_count && status == NAV_OK; i++) {
        uint8_t area = 0;
        snprintf(place, sizeof place, "%s.costs.%.47s", e->at, names.costs[i].area);
        status = proto_settings_walkable_area(r, names.costs[i].area, place, &area);
        if (status == NAV_OK) {
            filter->filter.area_costs[area] = names.costs[i].cost;
        }
    }
    snprintf(place, sizeof place, "%s.include", e->at);
    NAV_IF_OK(status,
              find_flags(r, names.include, names.include_count, place, &filter->filter.include));
    snprintf(place, sizeof place, "%s.exclude", e->at);
    NAV_IF_OK(status,
              find_flags(r, names.exclude, names.exclude_count, place, &filter->filter.exclude));
    return status;
}

const proto_settings_list PROTO_SETTINGS_FILTERS = PROTO_SETTINGS_LIST(
    "query_filters", OBJECT, NAV_FILTERS_MAX, nav_named_filter, read_filter, filters, filter_count);
