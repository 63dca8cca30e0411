// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// common.c: from what was asked to what a mesh understands: names of areas, flags and
// filters become numbers, and shapes to avoid stand in the mesh's coordinates. The instance that a
// question names is placed beneath them.

#include "proto/base/suggest.h"
#include "proto/requests/instances.h"

#include <stdio.h>
#include <string.h>

// Bytes of the names in an error's text, and of "... and 1000 more" behind them.
#define CHOICES_BYTES 128
#define MORE_BYTES 20

// ---- names that a version does not have ----

// The number-th name of a kind; NULL where there are not so many. Ground that cannot be walked on
// and areas without a name are left out by "".
static const char *name_of(const nav_mesh *mesh, proto_named named, uint32_t number, nav_name space)
{
    nav_switch_info info;
    switch (named) {
    case PROTO_NAMED_AREA:
        return number >= NAV_AREAS_MAX   ? NULL
               : number == NAV_AREA_NONE ? ""
                                         : nav_mesh_area_name(mesh, (uint8_t)number);
    case PROTO_NAMED_FLAG:
        return nav_mesh_flag_name(mesh, number);
    case PROTO_NAMED_FILTER:
        return nav_mesh_filter_name(mesh, number);
    case PROTO_NAMED_AGENT:
        return number == 0                            ? "default"
               : number <= nav_mesh_agent_count(mesh) ? nav_mesh_agent_name(mesh, number - 1)
                                                      : NULL;
    default:
        NAV_ASSERT(named == PROTO_NAMED_SWITCH);
        if (number >= nav_mesh_switch_count(mesh)) {
            return NULL;
        }
        nav_mesh_switch(mesh, number, &info);
        memcpy(space, info.id, sizeof info.id);
        return space;
    }
}

// "a, b and 7 more": the first ones, as many as there is room for.
static void list_names(const nav_mesh *mesh, proto_named named, char out[CHOICES_BYTES])
{
    nav_name space;
    size_t used = 0;
    uint32_t more = 0;
    const char *name;
    out[0] = '\0';
    for (uint32_t i = 0; (name = name_of(mesh, named, i, space)) != NULL; i++) {
        if (name[0] == '\0') {
            continue;
        }
        if (more > 0 || used + strlen(name) + sizeof ", " > CHOICES_BYTES - MORE_BYTES) {
            more++;
            continue;
        }
        used +=
            (size_t)snprintf(out + used, CHOICES_BYTES - used, "%s%s", used > 0 ? ", " : "", name);
    }
    if (more > 0) {
        (void)snprintf(out + used, CHOICES_BYTES - used, " and %u more", more);
    } else if (used == 0) {
        (void)snprintf(out, CHOICES_BYTES, "none");
    }
}

static void suggest_name(const nav_mesh *mesh, proto_named named, const char *wrong, nav_error *err)
{
    nav_name space;
    const char *name;
    proto_suggestion meant = proto_suggest(wrong, strlen(wrong));
    for (uint32_t i = 0; (name = name_of(mesh, named, i, space)) != NULL; i++) {
        proto_suggest_offer(&meant, name, strlen(name));
    }
    proto_suggest_say(&meant, err);
}

// Says what a name of digits alone was meant to be.
static const char *number_hint(proto_named named, const char *name)
{
    const bool listed = named == PROTO_NAMED_FILTER || named == PROTO_NAMED_AGENT;
    return listed && name[0] != '\0' && strspn(name, "0123456789") == strlen(name)
               ? "; a place in a batch's list is a number, without quotes"
               : "";
}

nav_status proto_no_such(const nav_mesh *mesh, proto_named named, const char *at, const char *name,
                         nav_error *err)
{
    static const char *const words[] = {[PROTO_NAMED_AREA] = "area",
                                        [PROTO_NAMED_FLAG] = "flag",
                                        [PROTO_NAMED_FILTER] = "filter",
                                        [PROTO_NAMED_AGENT] = "agent",
                                        [PROTO_NAMED_SWITCH] = "switch"};
    char choices[CHOICES_BYTES];
    if (err != NULL) {
        list_names(mesh, named, choices);
        nav_fail_at(err, NAV_INVALID_FIELD, at,
                    "this version of the mesh has no %s \"%.64s\"; it has %s%s", words[named], name,
                    choices, number_hint(named, name));
        nav_error_got(err, "%.63s", name);
        suggest_name(mesh, named, name, err);
    }
    return NAV_INVALID_FIELD;
}

// ---- filters ----

nav_status proto_flags_resolve(const nav_mesh *mesh, const char *const *names, uint32_t count,
                               const char *at, uint32_t *out, nav_error *err)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t flag;
        if (!nav_mesh_find_flag(mesh, names[i], &flag)) {
            return proto_no_such(mesh, PROTO_NAMED_FLAG, at, names[i], err);
        }
        *out |= flag;
    }
    return NAV_OK;
}

nav_status proto_area_resolve(const nav_mesh *mesh, const char *name, const char *at, uint8_t *out,
                              nav_error *err)
{
    return nav_mesh_find_area(mesh, name, out) && *out != NAV_AREA_NONE
               ? NAV_OK
               : proto_no_such(mesh, PROTO_NAMED_AREA, at, name, err);
}

static nav_status resolve_costs(const nav_mesh *mesh, const proto_filter *filter, nav_filter *out,
                                nav_error *err)
{
    for (uint32_t i = 0; i < filter->cost_count; i++) {
        uint8_t area;
        nav_status status =
            proto_area_resolve(mesh, filter->costs[i].area, "filter.costs", &area, err);
        if (status != NAV_OK) {
            nav_error_at(err, "filter.costs.%.47s", filter->costs[i].area);
            return status;
        }
        out->area_costs[area] = filter->costs[i].cost;
    }
    return NAV_OK;
}

static nav_status resolve_filter(const nav_mesh *mesh, const proto_filter *filter,
                                 nav_filter *space, const nav_filter **out, nav_error *err)
{
    if (filter->name != NULL) {
        *out = nav_mesh_find_filter(mesh, filter->name);
        return *out != NULL ? NAV_OK
                            : proto_no_such(mesh, PROTO_NAMED_FILTER, "filter", filter->name, err);
    }
    if (filter->cost_count + filter->include_count + filter->exclude_count == 0) {
        *out = NULL;
        return NAV_OK;
    }
    *space = (nav_filter){0};
    nav_status status = resolve_costs(mesh, filter, space, err);
    NAV_IF_OK(status, proto_flags_resolve(mesh, filter->include, filter->include_count,
                                          "filter.include", &space->include, err));
    NAV_IF_OK(status, proto_flags_resolve(mesh, filter->exclude, filter->exclude_count,
                                          "filter.exclude", &space->exclude, err));
    *out = space;
    return status;
}

// ---- agents ----

nav_status proto_agent_find(const nav_mesh *mesh, const char *agent, uint32_t *number,
                            nav_error *err)
{
    const char *name = agent != NULL && agent[0] != '\0' ? agent : NULL;
    return nav_mesh_find_agent(mesh, name, number)
               ? NAV_OK
               : proto_no_such(mesh, PROTO_NAMED_AGENT, "agent", name, err);
}

// ---- shapes to avoid ----

static nav_status resolve_avoid(const proto_common *common, const nav_mesh *mesh, nav_options *out,
                                nav_error *err)
{
    NAV_ASSERT(common->avoid_count <= NAV_AVOID_MAX);
    nav_avoid *shapes = NAV_NEW_ZERO(common->memory, nav_avoid, common->avoid_count);
    if (shapes == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for the shapes to avoid");
    }
    nav_status status = NAV_OK;
    for (uint32_t i = 0; i < common->avoid_count && status == NAV_OK; i++) {
        status = proto_shape_resolve(&common->avoid[i], mesh, common->memory, &shapes[i], err);
        if (status == NAV_INVALID_FIELD) {
            proto_error_within(err, "avoid[%u].", i);
        }
    }
    out->avoid = shapes;
    out->avoid_count = common->avoid_count;
    return status;
}

// ---- with an instance ----

// The instance's costs of areas, where the question's filter does not say otherwise.
static void place_costs(const proto_world *world, nav_filter *space, const nav_filter **filter)
{
    if (world->area_costs == NULL) {
        return;
    }
    if (*filter != space) {
        *space = *filter != NULL ? **filter : (nav_filter){0};
        *filter = space;
    }
    for (uint32_t i = 0; i < NAV_AREAS_MAX; i++) {
        if (space->area_costs[i] == 0.0f) {
            space->area_costs[i] = world->area_costs[i];
        }
    }
}

nav_status proto_common_resolve(const proto_common *common, const nav_mesh *mesh, nav_filter *space,
                                nav_options *out, nav_error *err)
{
    nav_options options = {.snap = common->snap};
    nav_status status = resolve_filter(mesh, &common->filter, space, &options.filter, err);
    if (status == NAV_OK && common->avoid_count > 0) {
        status = resolve_avoid(common, mesh, &options, err);
    }
    NAV_IF_OK(status, nav_options_check(&options, err));
    if (status == NAV_OK && common->world != NULL) {
        place_costs(common->world, space, &options.filter);
        options.overlay = common->world->overlay;
    }
    if (status == NAV_OK) {
        *out = options;
    }
    return status;
}
