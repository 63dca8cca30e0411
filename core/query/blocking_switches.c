// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// blocking_switches.c: the closed switches that stand between two positions: those over the ground
// and the links of the shortest path there would be with all switches open.

#include "core/query/query.h"

#include <string.h>

// Marks the switches of a class.
static void mark_class(const nav_mesh *mesh, uint16_t ground, bool *crossed)
{
    if (ground < NAV_MESH_AREAS) {
        return;
    }
    const nav_mesh_class *c = &mesh->ground_classes[ground - NAV_MESH_AREAS];
    for (uint32_t k = c->first; k < c[1].first; ++k) {
        crossed[mesh->class_switches[k]] = true;
    }
}

static void mark_path(const nav_path *path, bool *crossed)
{
    const nav_view *view = &path->corridor->view;
    const nav_mesh *mesh = view->mesh;
    mark_class(mesh, mesh->classes[path->start_polygon], crossed);
    for (uint32_t i = 0; i < path->corridor_count; ++i) {
        const uint32_t portal = path->corridor->portals[i];
        const uint32_t to = nav_view_base(view, nav_view_to(view, portal));
        mark_class(mesh, mesh->classes[to], crossed);
        if (nav_portal_is_arc(view, portal)) {
            mark_class(mesh, nav_view_link(view, nav_portal_arc(view, portal))->ground, crossed);
        }
    }
}

nav_status nav_query_blocking_switches(const nav_mesh *mesh, nav_scratch *scratch,
                                       const nav_path_request *request, uint32_t *switches,
                                       uint32_t capacity, uint32_t *count)
{
    uint8_t open[NAV_SWITCHES_MAX];
    bool crossed[NAV_SWITCHES_MAX] = {false};
    nav_path_request all_open = *request;
    nav_path path = {0};
    NAV_ASSERT(mesh->switch_count <= NAV_SWITCHES_MAX);
    memset(open, NAV_SWITCH_OPEN, sizeof open);
    all_open.options.switches = open;
    all_open.no_partial = true;
    all_open.max_cost = all_open.max_length = 0.0;
    *count = 0;
    if (mesh->ground_class_count == 0) {
        return NAV_OK;
    }
    const nav_status status = nav_query_path(mesh, scratch, &all_open, &path);
    if (status != NAV_OK || path.status != NAV_PATH_COMPLETE) {
        return status;
    }
    mark_path(&path, crossed);
    for (uint32_t i = 0; i < mesh->switch_count && *count < capacity; ++i) {
        if (crossed[i] && nav_switch_is_closed(mesh, request->options.switches, i)) {
            switches[(*count)++] = i;
        }
    }
    return NAV_OK;
}
