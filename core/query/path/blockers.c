// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// blockers.c: what stands between two positions: the closed switches over the ground and the links
// of the shortest path there would be with all switches open and no shapes, and the shapes that it
// meets. One path gives both, so that it is free once all of them are gone.

#include "core/query/path/path.h"

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

nav_status nav_query_blockers(const nav_mesh *mesh, nav_scratch *scratch,
                              const nav_path_request *request, nav_path_blockers *out)
{
    uint8_t open[NAV_SWITCHES_MAX];
    bool crossed[NAV_SWITCHES_MAX] = {false};
    nav_path_request free = *request;
    nav_path path;
    NAV_ASSERT(mesh->switch_count <= NAV_SWITCHES_MAX);
    if (mesh->ground_class_count > 0) {
        memset(open, NAV_SWITCH_OPEN, sizeof open);
        free.options.switches = open;
    }
    free.search = NAV_SEARCH_AUTO; // a path by `fast` may meet others than the shortest
    free.no_partial = true;
    free.expansions = NULL; // they are the path's
    free.max_cost = free.max_length = 0.0;
    *out = (nav_path_blockers){.switch_count = 0};
    const nav_status status = nav_path_find_without_shapes(mesh, scratch, &free, &path, out);
    if (status != NAV_OK || path.status != NAV_PATH_COMPLETE) {
        return status;
    }
    mark_path(&path, crossed);
    const uint8_t *const asked = nav_options_switches(&request->options);
    for (uint32_t i = 0; i < mesh->switch_count && out->switch_count < NAV_PATH_BLOCKERS_MAX; ++i) {
        if (crossed[i] && nav_mesh_switch_is_closed(mesh, asked, i)) {
            out->switches[out->switch_count++] = i;
        }
    }
    return NAV_OK;
}
