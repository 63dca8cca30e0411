// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// areas.c: the settings about kinds of ground and of agents: areas, materials, low passages,
// agents, and the filters that queries name. Each element is read by a table of its own.

#include "proto/settings/settings.h"

#include <float.h>
#include <string.h>

// ---- areas and what names them ----

static const proto_field AREA_ROWS[] = {
    {PROTO_ROW(FLOAT, nav_area, cost), .min = 1e-6, .max = 1e6},
    {PROTO_ROW(READ, nav_area, flags), .read = proto_settings_read_flags},
    {PROTO_ROW(BOOL, nav_area, liquid)},
};

static nav_status read_area(const proto_value *v)
{
    nav_area *area = v->target;
    area->cost = 1;
    return strcmp(v->member->name, "none") != 0
               ? proto_settings_element(v, PROTO_ROWS(AREA_ROWS), area, NULL)
               : proto_value_invalid(v, "left out: it is what cannot be walked on");
}

// "none" and "ground" come first, whether or not they were given.
nav_status proto_settings_read_areas(const proto_value *v)
{
    static const proto_each each = {PROTO_TOKEN_OBJECT, NAV_AREAS_MAX - 1, sizeof(nav_area),
                                    read_area};
    const proto_settings_reader *r = v->owner;
    const nav_area *given = NULL;
    uint32_t count;
    nav_status status = proto_settings_each(v, &each, &given, &count);
    if (status != NAV_OK) {
        return status;
    }
    nav_area *areas = NAV_NEW_ZERO(v->memory, nav_area, (size_t)count + 2);
    if (areas == NULL) {
        return proto_fields_no_memory(v->err);
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
        return proto_fields_too_many("areas", to - 1, NAV_AREAS_MAX - 1, v->err);
    }
    r->config->areas = areas;
    r->config->area_count = to;
    return NAV_OK;
}

static nav_status read_material(const proto_value *v)
{
    nav_material *material = v->target;
    proto_value area = *v;
    area.target = &material->area;
    nav_name name; // as readers of levels keep it
    (void)proto_text_keep_name(v->member->name, strlen(v->member->name), name);
    nav_status status = proto_settings_name(v->owner, name, v->field->name, false, material->name);
    NAV_IF_OK(status, v->item->kind == PROTO_TOKEN_STRING
                          ? proto_settings_read_area(&area)
                          : proto_value_invalid(v, "the name of an area"));
    return status;
}

const proto_settings_list PROTO_SETTINGS_MATERIALS = PROTO_SETTINGS_LIST(
    OBJECT, NAV_MATERIALS_MAX, nav_material, read_material, materials, material_count);

static const proto_field LOW_HEIGHT_ROWS[] = {
    {PROTO_ROW_AT(READ, "area", offsetof(nav_config, low_height_area)),
     .read = proto_settings_read_walkable, .required = true},
    {PROTO_ROW_AT(FLOAT, "min_height", offsetof(nav_config, low_height_min)), .min = 1e-6,
     .max = 1e4, .required = true},
    {PROTO_ROW_AT(BOOL, "single", offsetof(nav_config, low_height_single))},
};

nav_status proto_settings_read_low_height(const proto_value *v)
{
    return proto_fields_read_value(PROTO_ROWS(LOW_HEIGHT_ROWS), v, v->target, NULL);
}

// ---- agents ----

#define AGENT_ROW(member)                                                                          \
    {                                                                                              \
        PROTO_ROW(FLOAT, nav_agent, member), .min = -(double)FLT_MAX, .max = (double)FLT_MAX       \
    }

static const proto_field AGENT_ROWS[] = {AGENT_ROW(radius), AGENT_ROW(height), AGENT_ROW(max_climb),
                                         AGENT_ROW(max_slope)};

// Members that are not given are those of an upload that does not give them in "agent", either.
static nav_status read_agent(const proto_value *v)
{
    const nav_config config = nav_config_default();
    nav_agent *agent = v->target;
    *agent = (nav_agent){.radius = config.agent_radius,
                         .height = config.agent_height,
                         .max_climb = config.agent_max_climb,
                         .max_slope = config.agent_max_slope};
    return proto_settings_element(v, PROTO_ROWS(AGENT_ROWS), agent, NULL);
}

const proto_settings_list PROTO_SETTINGS_AGENTS =
    PROTO_SETTINGS_LIST(OBJECT, NAV_AGENTS_MAX, nav_agent, read_agent, agents, agent_count);

// ---- filters that queries name: of areas and flags of the settings, so that they are read last
// ----

static nav_status find_flags(const proto_settings_reader *r, const char *const *names,
                             uint32_t count, const char *at, uint32_t *out)
{
    const nav_config *config = r->config;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t flag;
        if (!proto_settings_find_flag(r, names[i], &flag)) {
            nav_fail_at(r->err, NAV_INVALID_FIELD, at,
                        "%s: no area and no link has the flag \"%.47s\"", at, names[i]);
            nav_error_got(r->err, "%.63s", names[i]);
            proto_suggestion meant = proto_suggest(names[i], strlen(names[i]));
            for (uint32_t k = 0; k < config->flag_count; k++) {
                proto_suggest_offer(&meant, config->flag_names[k], strlen(config->flag_names[k]));
            }
            proto_suggest_say(&meant, r->err);
            return NAV_INVALID_FIELD;
        }
        *out |= UINT32_C(1) << flag;
    }
    return NAV_OK;
}

static nav_status read_filter(const proto_value *v)
{
    const proto_settings_reader *r = v->owner;
    proto_filter names = {0};
    nav_named_filter *filter = v->target;
    const nav_error_place at = proto_value_place(v);
    nav_status status =
        proto_settings_name(r, v->member->name, v->field->name, false, filter->name);
    NAV_IF_OK(status, proto_filter_read(v, &names));
    for (uint32_t i = 0; i < names.cost_count && status == NAV_OK; i++) {
        uint8_t area = 0;
        status = proto_settings_walkable_area(
            r, names.costs[i].area, nav_at("%s.costs.%.47s", at.text, names.costs[i].area).text,
            &area);
        if (status == NAV_OK) {
            filter->filter.area_costs[area] = names.costs[i].cost;
        }
    }
    NAV_IF_OK(status, find_flags(r, names.include, names.include_count,
                                 nav_at("%s.include", at.text).text, &filter->filter.include));
    NAV_IF_OK(status, find_flags(r, names.exclude, names.exclude_count,
                                 nav_at("%s.exclude", at.text).text, &filter->filter.exclude));
    return status;
}

const proto_settings_list PROTO_SETTINGS_FILTERS = PROTO_SETTINGS_LIST(
    OBJECT, NAV_FILTERS_MAX, nav_named_filter, read_filter, filters, filter_count);
