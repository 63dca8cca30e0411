// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// offmesh.c: lays the links of a config over a mesh: jumps, ladders, teleporters.
//
//     polygon A         polygon B        Each end is snapped to the nearest position on the mesh. A
//    +---------+       +---------+       link then is one arc, or one each way, from a position in
//    |   start o - - ->o end     |       one polygon to one in any other, however far off. To the
//    +---------+       +---------+       search an arc is a portal: it is entered at its start and
//                                        left at its end.

#include "core/mesh/steps.h"
#include "core/query/points/points.h"

#include <math.h>
#include <string.h>

float nav_mesh_distance(const nav_mesh *mesh, const float point[3])
{
    nav_location closest;
    bool sane = fabsf(point[0]) <= 1e9f && fabsf(point[1]) <= 1e9f && fabsf(point[2]) <= 1e9f;
    return sane && nav_query_closest(mesh, point, NAV_REACH_ALL, &closest) ? closest.distance
                                                                           : 0.0f;
}

// Reports that an end is off the mesh, and how far.
static void warn_off_mesh(const nav_mesh *mesh, const nav_config *config, uint32_t index,
                          const float point[3], nav_bake_report *report)
{
    if (report == NULL) {
        return;
    }
    const nav_error_place number = nav_at("links[%u]", index);
    const char *id = config->links[index].id;
    nav_warning *warning = &report->warnings[NAV_WARN_LINK_OFF_MESH];
    const bool kept = warning->item_count < NAV_WARNING_ITEMS_MAX;
    nav_warning_add(warning, point, kept ? nav_mesh_distance(mesh, point) : 0.0f,
                    id[0] != '\0' ? id : number.text);
}

// Snaps all links and keeps those of which both ends land.
static void snap_links(nav_mesh *mesh, const nav_config *config, nav_bake_report *report)
{
    for (uint32_t i = 0;
         i < config->link_count && !nav_cancel_poll(mesh->cancel, NAV_CANCEL_INTERVAL); ++i) {
        const nav_link *link = &config->links[i];
        bool lands[2];
        if (nav_link_place(mesh, link, i, &mesh->links[mesh->stats.links], lands)) {
            ++mesh->stats.links;
            continue;
        }
        if (!lands[0]) {
            warn_off_mesh(mesh, config, i, link->start, report);
        }
        if (!lands[1]) {
            warn_off_mesh(mesh, config, i, link->end, report);
        }
    }
}

// Writes one direction of a link into the next free place of its polygon's run.
static void add_arc(nav_mesh *mesh, uint32_t link, bool backward)
{
    NAV_DCHECK(link < mesh->stats.links);
    const nav_placed_link *placed = &mesh->links[link];
    const uint32_t at = mesh->arc_first[backward ? placed->end_polygon : placed->start_polygon]++;
    mesh->arcs[at] =
        nav_link_arc(placed, link, backward, &mesh->portals[mesh->edge_portal_count + at]);
}

// Ways by polygon, within one in order of link: a counting sort.
void nav_mesh_derive_arcs(nav_mesh *mesh)
{
    mesh->arc_count = 0;
    mesh->portal_count = mesh->edge_portal_count;
    mesh->has_one_way_arcs = false;
    if (mesh->stats.links == 0) {
        return;
    }
    uint32_t *first = mesh->arc_first;
    memset(first, 0, ((size_t)mesh->stats.polygons + 1) * sizeof *first);
    for (uint32_t i = 0; i < mesh->stats.links && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        const nav_placed_link *placed = &mesh->links[i];
        first[placed->start_polygon]++;
        first[placed->end_polygon] += placed->bidirectional;
    }
    for (uint32_t i = 0; i <= mesh->stats.polygons && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        uint32_t count = first[i];
        first[i] = mesh->arc_count;
        mesh->arc_count += i < mesh->stats.polygons ? count : 0;
    }
    for (uint32_t i = 0; i < mesh->stats.links && !nav_cancel_poll(mesh->cancel, 1); ++i) {
        add_arc(mesh, i, false);
        if (mesh->links[i].bidirectional) {
            add_arc(mesh, i, true);
        } else {
            mesh->has_one_way_arcs = true;
        }
    }
    // Every run has been filled up to where the next one begins.
    memmove(first + 1, first, (size_t)mesh->stats.polygons * sizeof *first);
    first[0] = 0;
    mesh->portal_count += mesh->arc_count;
}

nav_status nav_mesh_place_links(nav_mesh *mesh, const nav_config *config, nav_bake_report *report,
                                nav_error *err)
{
    for (uint32_t i = 0; config != NULL && i < config->link_count; ++i) {
        if (config->links[i].area == NAV_AREA_NONE) {
            return nav_fail_at(err, NAV_INVALID_FIELD, nav_at("links[%u].area", i).text,
                               "a link of the area \"none\" cannot be used");
        }
    }
    if (config != NULL) {
        snap_links(mesh, config, report);
    }
    nav_mesh_derive_arcs(mesh);
    return nav_cancel_status(mesh->cancel);
}
