// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// lists.c: the settings that are lists and objects of objects: what all of them need, and
// areas, materials, low passages, agents. Flags are read by flags.c, volumes, switches, links,
// seeds and bounds by places.c. Each element is read by a table of its own.
//
// Areas and flags are numbered in the order of their names, so that equal settings give equal
// numbers, however the JSON was ordered:
//
//   flags of areas and links --> sorted --> bit 0, 1, 2 ...
//   areas --> 0 "none", 1 "ground", the others sorted --> 2, 3 ...
//   materials, volumes, links, low passages --> name an area
//   switches --> sorted --> 0, 1, 2 ...; links name one

#include "proto/settings/settings.h"
#include "proto/base/text.h"

#include <cjson/cJSON.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void proto_settings_clear_lists(nav_config *config)
{
    config->areas = NULL;
    config->flag_names = NULL;
    config->materials = NULL;
    config->volumes = NULL;
    config->switches = NULL;
    config->links = NULL;
    config->seeds = NULL;
    config->filters = NULL;
    config->filter_count = 0;
    config->area_count = config->flag_count = config->material_count = 0;
    config->volume_count = config->switch_count = config->link_count = config->seed_count = 0;
    config->agents = NULL;
    config->agent_count = 0;
    config->low_height_area = NAV_AREA_NONE;
    config->low_height_min = 0;
    config->low_height_single = false;
}

// ---- what all lists need ----

nav_status proto_settings_no_memory(const proto_settings_reader *r)
{
    return nav_fail(r->err, NAV_NO_MEMORY, "no memory for the settings");
}

nav_status proto_settings_name(const proto_settings_reader *r, const char *text, const char *at,
                               bool may_be_empty, nav_name out)
{
    const size_t length = strlen(text);
    if (length > NAV_NAME_MAX || (length == 0 && !may_be_empty) ||
        !proto_text_is_printable(text, length)) {
        nav_fail(r->err, NAV_INVALID_FIELD,
                 "%.95s must be a name of 1 to %d bytes without control characters", at,
                 NAV_NAME_MAX);
        nav_error_at(r->err, "%.95s", at);
        nav_error_got(r->err, "%.63s", text);
        nav_error_limit(r->err, "%d", NAV_NAME_MAX);
        return NAV_INVALID_FIELD;
    }
    NAV_ASSERT(length < sizeof(nav_name));
    memset(out, 0, sizeof(nav_name));
    memcpy(out, text, length);
    return NAV_OK;
}

// How many elements a list has; *count is 0 where it was not given.
nav_status proto_settings_count(const proto_settings_reader *r, const cJSON *list, const char *at,
                                uint32_t limit, uint32_t *count)
{
    *count = 0;
    if (list == NULL) {
        return NAV_OK;
    }
    return proto_fields_count(list, at, limit, count, r->err);
}

static int compare_members(const void *a, const void *b)
{
    return strcmp((*(const cJSON *const *)a)->string, (*(const cJSON *const *)b)->string);
}

// The members of an object in the order of their names; a name that appears twice is an error.
nav_status proto_settings_members(const proto_settings_reader *r, const cJSON *object,
                                  const char *at, uint32_t limit, const cJSON ***out,
                                  uint32_t *count)
{
    if (!cJSON_IsObject(object)) {
        return proto_node_invalid(object, at, "an object", r->err);
    }
    *count = (uint32_t)cJSON_GetArraySize(object);
    if (*count > limit) {
        return proto_fields_too_many(at, *count, limit, r->err);
    }
    const cJSON **members = NAV_NEW(r->memory, const cJSON *, *count);
    if (members == NULL) {
        return proto_settings_no_memory(r);
    }
    uint32_t to = 0;
    const cJSON *member;
    cJSON_ArrayForEach(member, object)
    {
        members[to++] = member;
    }
    NAV_ASSERT(to == *count);
    if (to > 1) {
        qsort(members, to, sizeof *members, compare_members);
    }
    for (uint32_t i = 1; i < to; i++) {
        if (strcmp(members[i - 1]->string, members[i]->string) == 0) {
            char place[160];
            snprintf(place, sizeof place, "%.80s.%.63s", at, members[i]->string);
            return proto_fields_twice(place, PROTO_BAD_JSON, r->err);
        }
    }
    *out = members;
    return NAV_OK;
}

// ---- areas and what names them ----

_Static_assert(NAV_AREAS_MAX <= UINT8_MAX, "an area's number is a byte");
_Static_assert(NAV_FLAGS_MAX <= 32, "a flag is a bit of 32");

typedef struct area_fields {
    float cost;
    bool liquid;
    const cJSON *flags;
} area_fields;

static const proto_field AREA_ROWS[] = {
    {.name = "cost",
     .type = PROTO_FIELD_FLOAT,
     .offset = offsetof(area_fields, cost),
     .min = 1e-6,
     .max = 1e6},
    {.name = "flags", .type = PROTO_FIELD_TREE, .offset = offsetof(area_fields, flags)},
    {.name = "liquid", .type = PROTO_FIELD_BOOL, .offset = offsetof(area_fields, liquid)},
};

static nav_status read_area(const proto_settings_reader *r, const cJSON *member, nav_area *out)
{
    char prefix[96];
    nav_status status = proto_settings_name(r, member->string, "areas", false, out->name);
    if (status != NAV_OK) {
        return status;
    }
    if (strcmp(out->name, "none") == 0) {
        return proto_node_invalid(member, "areas.none", "left out: it is what cannot be walked on",
                                  r->err);
    }
    snprintf(prefix, sizeof prefix, "areas.%s.", out->name);
    area_fields fields = {.cost = 1};
    uint64_t seen;
    status = proto_fields_read_tree(PROTO_ROWS(AREA_ROWS), member, prefix, &fields, &seen, r->err);
    out->cost = fields.cost;
    out->liquid = fields.liquid;
    return status == NAV_OK ? proto_settings_flags(r, fields.flags, prefix, &out->flags) : status;
}

static nav_status read_areas(proto_settings_reader *r, const cJSON *object)
{
    const cJSON **members;
    uint32_t count;
    nav_status status =
        proto_settings_members(r, object, "areas", NAV_AREAS_MAX - 1, &members, &count);
    if (status != NAV_OK) {
        return status;
    }
    nav_area *areas = NAV_NEW_ZERO(r->memory, nav_area, (size_t)count + 2);
    if (areas == NULL) {
        return proto_settings_no_memory(r);
    }
    areas[NAV_AREA_NONE] = (nav_area){.name = "none", .cost = 1};
    areas[NAV_AREA_GROUND] = (nav_area){.name = "ground", .cost = 1};
    uint32_t to = NAV_AREA_GROUND + 1;
    for (uint32_t i = 0; status == NAV_OK && i < count; i++) {
        bool ground = strcmp(members[i]->string, "ground") == 0;
        status = read_area(r, members[i], &areas[ground ? NAV_AREA_GROUND : to]);
        to += ground ? 0 : 1;
    }
    if (status == NAV_OK && to > NAV_AREAS_MAX) {
        return proto_fields_too_many("areas", to - 1, NAV_AREAS_MAX - 1, r->err);
    }
    NAV_ASSERT(to <= count + 2);
    r->config->areas = areas;
    r->config->area_count = to;
    return status;
}

bool proto_settings_find_area(const nav_config *config, const char *name, uint8_t *out,
                              proto_suggestion *meant)
{
    static const char *const always[] = {"none", "ground"};
    const uint32_t count = config->areas != NULL ? config->area_count : 2;
    *meant = proto_suggest(name, strlen(name));
    for (uint32_t i = 0; i < count; i++) {
        const char *known = config->areas != NULL ? config->areas[i].name : always[i];
        if (strcmp(name, known) == 0) {
            NAV_ASSERT(i <= UINT8_MAX);
            *out = (uint8_t)i;
            return true;
        }
        proto_suggest_offer(meant, known, strlen(known));
    }
    return false;
}

nav_status proto_settings_area(const proto_settings_reader *r, const char *name, const char *at,
                               uint8_t *out)
{
    proto_suggestion meant;
    if (proto_settings_find_area(r->config, name, out, &meant)) {
        return NAV_OK;
    }
    nav_fail(r->err, NAV_INVALID_FIELD, "%s: there is no area \"%.47s\" in areas", at, name);
    nav_error_at(r->err, "%s", at);
    nav_error_got(r->err, "%.63s", name);
    proto_suggest_tell(&meant, r->err);
    return NAV_INVALID_FIELD;
}

// Area of a member called "area"; NAV_AREA_NONE is refused where it makes no sense.
nav_status proto_settings_walkable_area(const proto_settings_reader *r, const char *name,
                                        const char *at, uint8_t *out)
{
    nav_status status = proto_settings_area(r, name, at, out);
    if (status == NAV_OK && *out == NAV_AREA_NONE) {
        nav_fail(r->err, NAV_INVALID_FIELD, "%s must be an area that can be walked on", at);
        nav_error_at(r->err, "%s", at);
        nav_error_got(r->err, "%.63s", name);
        return NAV_INVALID_FIELD;
    }
    return status;
}

static nav_status read_materials(proto_settings_reader *r, const cJSON *object)
{
    const cJSON **members;
    uint32_t count;
    nav_status status =
        proto_settings_members(r, object, "materials", NAV_MATERIALS_MAX, &members, &count);
    if (status != NAV_OK) {
        return status;
    }
    nav_material *materials = NAV_NEW(r->memory, nav_material, count);
    if (materials == NULL) {
        return proto_settings_no_memory(r);
    }
    for (uint32_t i = 0; status == NAV_OK && i < count; i++) {
        char at[96];
        snprintf(at, sizeof at, "materials.%.47s", members[i]->string);
        status = proto_settings_name(r, members[i]->string, "materials", false, materials[i].name);
        if (status == NAV_OK && !cJSON_IsString(members[i])) {
            status = proto_node_invalid(members[i], at, "the name of an area", r->err);
        }
        NAV_IF_OK(status, proto_settings_area(r, members[i]->valuestring, at, &materials[i].area));
    }
    r->config->materials = materials;
    r->config->material_count = count;
    return status;
}

typedef struct low_height_fields {
    const char *area;
    float min_height;
    bool single;
} low_height_fields;

static const proto_field LOW_HEIGHT_ROWS[] = {
    {.name = "area",
     .type = PROTO_FIELD_STRING,
     .offset = offsetof(low_height_fields, area),
     .required = true},
    {.name = "min_height",
     .type = PROTO_FIELD_FLOAT,
     .offset = offsetof(low_height_fields, min_height),
     .min = 1e-6,
     .max = 1e4,
     .required = true},
    {.name = "single", .type = PROTO_FIELD_BOOL, .offset = offsetof(low_height_fields, single)},
};

static nav_status read_low_height(proto_settings_reader *r, const cJSON *object)
{
    low_height_fields fields = {0};
    uint64_t seen;
    nav_status status = proto_fields_read_tree(PROTO_ROWS(LOW_HEIGHT_ROWS), object,
                                               "filters.low_height.", &fields, &seen, r->err);
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
        .name = #member, .type = PROTO_FIELD_FLOAT, .offset = offsetof(nav_agent, member),         \
        .min = -(double)FLT_MAX, .max = (double)FLT_MAX                                            \
    }

static const proto_field AGENT_ROWS[] = {AGENT_ROW(radius), AGENT_ROW(height), AGENT_ROW(max_climb),
                                         AGENT_ROW(max_slope)};

// Members that are not given are those of an upload that does not give them in "agent", either.
static nav_agent default_agent(void)
{
    const nav_config config = nav_config_default();
    return (nav_agent){.radius = config.agent_radius,
                       .height = config.agent_height,
                       .max_climb = config.agent_max_climb,
                       .max_slope = config.agent_max_slope};
}

static nav_status read_agents(proto_settings_reader *r, const cJSON *object)
{
    const cJSON **members;
    uint32_t count;
    nav_status status =
        proto_settings_members(r, object, "agents", NAV_AGENTS_MAX, &members, &count);
    if (status != NAV_OK) {
        return status;
    }
    nav_agent *agents = NAV_NEW(r->memory, nav_agent, count);
    if (agents == NULL) {
        return proto_settings_no_memory(r);
    }
    for (uint32_t i = 0; i < count && status == NAV_OK; i++) {
        char prefix[80];
        uint64_t seen;
        agents[i] = default_agent();
        status = proto_settings_name(r, members[i]->string, "agents", false, agents[i].name);
        if (status == NAV_OK) {
            snprintf(prefix, sizeof prefix, "agents.%s.", agents[i].name);
            status = proto_fields_read_tree(PROTO_ROWS(AGENT_ROWS), members[i], prefix, &agents[i],
                                            &seen, r->err);
        }
    }
    r->config->agents = agents;
    r->config->agent_count = count;
    return status;
}

nav_status proto_settings_read_lists(proto_settings *settings, nav_arena *memory, nav_error *err)
{
    proto_settings_reader r = {.config = &settings->config, .memory = memory, .err = err};
    nav_status status = proto_settings_collect_flags(&r, settings->areas, "areas");
    NAV_IF_OK(status, proto_settings_collect_flags(&r, settings->links, "links"));
    NAV_IF_OK(status, proto_settings_keep_flags(&r));
    // Areas first, and switches before links: the others name them.
    const struct {
        const cJSON *tree;
        nav_status (*read)(proto_settings_reader *r, const cJSON *tree);
    } lists[] = {
        {settings->areas, read_areas},
        {settings->low_height, read_low_height},
        {settings->bounds, proto_settings_read_bounds},
        {settings->materials, read_materials},
        {settings->volumes, proto_settings_read_volumes},
        {settings->switches, proto_settings_read_switches},
        {settings->links, proto_settings_read_links},
        {settings->seeds, proto_settings_read_seeds},
        {settings->query_filters, proto_settings_read_filters},
        {settings->agents, read_agents},
    };
    for (size_t i = 0; status == NAV_OK && i < sizeof lists / sizeof lists[0]; i++) {
        status = lists[i].tree != NULL ? lists[i].read(&r, lists[i].tree) : NAV_OK;
    }
    return status;
}
