// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// worlds.c: the state of an instance over a mesh: names become numbers, obstacles stand in the
// mesh's coordinates. proto_state_check reports what does not fit the mesh; it is left out.

#include "proto/requests/instances.h"

#include <stdio.h>
#include <string.h>

// The place of a part, before that of a fault within it.
static nav_status name_item(proto_state_kind kind, const proto_state_item *item, nav_error *err)
{
    if (err != NULL) {
        const char *dot = err->at[0] != '\0' ? "." : "";
        proto_error_within(err, "%s.%.64s%s", proto_state_member(kind), item->id, dot);
    }
    return NAV_INVALID_FIELD;
}

static nav_status has_no(const nav_mesh *mesh, proto_named named, proto_state_kind kind,
                         const proto_state_item *item, nav_error *err)
{
    (void)proto_no_such(mesh, named, "", item->id, err);
    return name_item(kind, item, err);
}

static bool find_area(const nav_mesh *mesh, const char *name, uint8_t *area)
{
    return nav_mesh_find_area(mesh, name, area) && *area != NAV_AREA_NONE;
}

// Checks of core name a shape or a link by its place in a list, which is the only one here: in the
// text, that becomes its id.
static void drop_prefix(const char *prefix, proto_state_kind kind, const proto_state_item *item,
                        nav_error *err)
{
    const size_t skip = strlen(prefix);
    if (err != NULL) {
        NAV_ASSERT(strncmp(err->at, prefix, skip) == 0);
        memmove(err->at, err->at + skip, sizeof err->at - skip);
        const nav_error said = *err;
        (void)snprintf(err->detail, sizeof err->detail, "%s.%.64s.%.170s", proto_state_member(kind),
                       item->id, said.detail + skip);
    }
}

static nav_status check_obstacle(const proto_state_item *item, const nav_mesh *mesh,
                                 nav_arena *memory, nav_avoid *shape, nav_error *err)
{
    nav_status status = proto_shape_resolve(item->shape, mesh, memory, shape, err);
    if (status == NAV_OK) {
        const nav_options options = {.avoid = shape, .avoid_count = 1};
        status = nav_options_check(&options, err);
        if (status != NAV_OK) {
            drop_prefix("avoid[0].", PROTO_STATE_OBSTACLE, item, err);
        }
    }
    return status == NAV_INVALID_FIELD ? name_item(PROTO_STATE_OBSTACLE, item, err) : status;
}

static nav_status check_link(const proto_state_item *item, const nav_mesh *mesh, nav_link *link,
                             nav_error *err)
{
    nav_status status = proto_link_resolve(item->link, item->id, mesh, link, err);
    if (status == NAV_OK) {
        status = nav_links_check(mesh, link, 1, err);
        if (status != NAV_OK) {
            drop_prefix("links[0].", PROTO_STATE_LINK, item, err);
        }
    }
    return status == NAV_INVALID_FIELD ? name_item(PROTO_STATE_LINK, item, err) : status;
}

nav_status proto_state_check(proto_state_kind kind, const proto_state_item *item,
                             const nav_mesh *mesh, nav_arena *memory, nav_error *err)
{
    nav_avoid shape;
    nav_link link;
    uint8_t area;
    NAV_ASSERT(!item->removed);
    switch (kind) {
    case PROTO_STATE_SWITCH:
        return nav_mesh_find_switch(mesh, item->id) != NAV_NONE
                   ? NAV_OK
                   : has_no(mesh, PROTO_NAMED_SWITCH, PROTO_STATE_SWITCH, item, err);
    case PROTO_STATE_OBSTACLE:
        return check_obstacle(item, mesh, memory, &shape, err);
    case PROTO_STATE_LINK:
        return check_link(item, mesh, &link, err);
    default:
        NAV_ASSERT(kind == PROTO_STATE_AREA_COST);
        return find_area(mesh, item->id, &area) ? NAV_OK
                                                : has_no(mesh, PROTO_NAMED_AREA, kind, item, err);
    }
}

static nav_status no_memory(nav_error *err)
{
    return nav_fail(err, NAV_NO_MEMORY, "no memory to lay an instance over the mesh");
}

nav_status proto_world_place_obstacles(const proto_state *state, const nav_mesh *mesh,
                                       nav_arena *memory, proto_world *out, nav_error *err)
{
    const proto_state_items *obstacles = &state->items[PROTO_STATE_OBSTACLE];
    if (obstacles->count == 0) {
        return NAV_OK;
    }
    nav_avoid *shapes = NAV_NEW(memory, nav_avoid, obstacles->count);
    const char **ids = NAV_NEW(memory, const char *, obstacles->count);
    uint32_t count = 0;
    if (shapes == NULL || ids == NULL) {
        return no_memory(err);
    }
    for (uint32_t i = 0; i < obstacles->count; i++) {
        nav_status status = check_obstacle(&obstacles->at[i], mesh, memory, &shapes[count], NULL);
        if (status == NAV_NO_MEMORY) {
            return no_memory(err);
        }
        ids[count] = obstacles->at[i].id;
        count += status == NAV_OK;
    }
    out->shape_ids = ids;
    out->shapes = shapes;
    out->shape_count = count;
    return NAV_OK;
}

// Each of these is false without memory.

static bool place_links(const proto_state_items *items, const nav_mesh *mesh, nav_arena *memory,
                        proto_world *out)
{
    nav_link *links = NAV_NEW(memory, nav_link, items->count);
    for (uint32_t i = 0; links != NULL && i < items->count; i++) {
        out->link_count += check_link(&items->at[i], mesh, &links[out->link_count], NULL) == NAV_OK;
    }
    out->links = links;
    return links != NULL;
}

static bool place_costs(const proto_state_items *costs, const nav_mesh *mesh, nav_arena *memory,
                        proto_world *out)
{
    float *of_areas = NAV_NEW_ZERO(memory, float, NAV_AREAS_MAX);
    for (uint32_t i = 0; of_areas != NULL && i < costs->count; i++) {
        uint8_t area;
        if (find_area(mesh, costs->at[i].id, &area)) {
            of_areas[area] = costs->at[i].cost;
        }
    }
    out->area_costs = of_areas;
    return of_areas != NULL;
}

// A byte a switch of the mesh, as nav_options takes them.
static bool place_switches(const proto_state_items *switches, const nav_mesh *mesh,
                           nav_arena *memory, proto_world *out)
{
    uint8_t *state = NAV_NEW_ZERO(memory, uint8_t, nav_mesh_switch_count(mesh));
    for (uint32_t i = 0; state != NULL && i < switches->count; i++) {
        const uint32_t number = nav_mesh_find_switch(mesh, switches->at[i].id);
        if (number != NAV_NONE) {
            state[number] = switches->at[i].closed ? NAV_SWITCH_CLOSED : NAV_SWITCH_OPEN;
        }
    }
    out->switches = state;
    return state != NULL;
}

nav_status proto_world_make(const proto_state *state, const nav_mesh *mesh, nav_arena *memory,
                            proto_world *out, nav_error *err)
{
    proto_world world = {0};
    const proto_state_items *links = &state->items[PROTO_STATE_LINK];
    const proto_state_items *costs = &state->items[PROTO_STATE_AREA_COST];
    const proto_state_items *switches = &state->items[PROTO_STATE_SWITCH];
    nav_status status = proto_world_place_obstacles(state, mesh, memory, &world, err);
    if (status != NAV_OK) {
        return status;
    }
    if ((links->count > 0 && !place_links(links, mesh, memory, &world)) ||
        (costs->count > 0 && !place_costs(costs, mesh, memory, &world)) ||
        (switches->count > 0 && !place_switches(switches, mesh, memory, &world))) {
        return no_memory(err);
    }
    *out = world;
    return NAV_OK;
}
