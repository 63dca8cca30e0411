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

#include "core/base/plane.h"
#include "core/mesh/steps.h"
#include "core/query/query.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The positions looked at for one end where the nearest does not lie within the radius, which is
// round while a query's box is not.
#define CANDIDATES 8u

// How far above or below an end the mesh may lie: a step that the agent can take, and a cell each
// for the rounding of floors and for the error of height detail.
static float height_tolerance(const nav_config *config)
{
    return config->agent_max_climb + 2.0f * config->cell_height;
}

float nav_mesh_distance(const nav_mesh *mesh, const float point[3])
{
    nav_location closest;
    bool sane = fabsf(point[0]) <= 1e9f && fabsf(point[1]) <= 1e9f && fabsf(point[2]) <= 1e9f;
    return sane && nav_query_closest(mesh, point, NAV_REACH_ALL, &closest) ? closest.distance
                                                                           : 0.0f;
}

static bool snap_end(const nav_mesh *mesh, const nav_config *config, const nav_link *link,
                     const float point[3], nav_location *out)
{
    const float tolerance = height_tolerance(config);
    const nav_snap snap = {.horizontal = link->radius, .up = tolerance, .down = tolerance};
    nav_location locations[CANDIDATES];
    // Mostly the nearest will do, and one position is found by looking no farther than that.
    for (uint32_t wanted = 1; wanted <= CANDIDATES; wanted *= CANDIDATES) {
        uint32_t count = nav_query_nearest(mesh, point, snap, NAV_NONE, locations, wanted);
        for (uint32_t i = 0; i < count; ++i) {
            if (nav_plane_distance_f(point[0], point[2], locations[i].position[0],
                                     locations[i].position[2]) <= link->radius) {
                *out = locations[i];
                return true;
            }
        }
        if (count < wanted) {
            return false;
        }
    }
    return false;
}

// Tells that an end is off the mesh, and how far.
static void warn_off_mesh(const nav_mesh *mesh, const nav_config *config, uint32_t index,
                          const float point[3], nav_bake_report *report)
{
    if (report == NULL) {
        return;
    }
    nav_name name;
    if (config->links[index].id[0] != '\0') {
        memcpy(name, config->links[index].id, sizeof name);
    } else {
        snprintf(name, sizeof name, "links[%u]", index);
    }
    nav_warning *warning = &report->warnings[NAV_WARN_LINK_OFF_MESH];
    const bool kept = warning->item_count < NAV_WARNING_ITEMS_MAX;
    nav_warning_add(warning, point, kept ? nav_mesh_distance(mesh, point) : 0.0f, name);
}

// Snaps all links and keeps those of which both ends land.
static void snap_links(nav_mesh *mesh, const nav_config *config, nav_bake_report *report)
{
    for (uint32_t i = 0;
         i < config->link_count && !nav_cancel_poll(mesh->cancel, NAV_CANCEL_INTERVAL); ++i) {
        const nav_link *link = &config->links[i];
        nav_location start;
        nav_location end;
        bool start_lands = snap_end(mesh, config, link, link->start, &start);
        bool end_lands = snap_end(mesh, config, link, link->end, &end);
        if (!start_lands) {
            warn_off_mesh(mesh, config, i, link->start, report);
        }
        if (!end_lands) {
            warn_off_mesh(mesh, config, i, link->end, report);
        }
        if (!start_lands || !end_lands) {
            continue;
        }
        nav_laid_link *laid = &mesh->links[mesh->stats.links++];
        *laid =
            (nav_laid_link){.start_polygon = start.polygon,
                            .end_polygon = end.polygon,
                            .flags = link->flags != 0 ? link->flags : mesh->area_flags[link->area],
                            .has_cost = link->has_cost,
                            .cost = link->cost,
                            .config_index = i,
                            .area = link->area,
                            .bidirectional = link->bidirectional};
        memcpy(laid->start, start.position, sizeof laid->start);
        memcpy(laid->end, end.position, sizeof laid->end);
        memcpy(laid->id, link->id, sizeof laid->id);
    }
}

// Writes one direction of a link into the next free place of its polygon's run.
static void add_arc(nav_mesh *mesh, uint32_t link, bool backward)
{
    NAV_DCHECK(link < mesh->stats.links);
    const nav_laid_link *laid = &mesh->links[link];
    const float *start = backward ? laid->end : laid->start;
    const float *end = backward ? laid->start : laid->end;
    uint32_t from = backward ? laid->end_polygon : laid->start_polygon;
    uint32_t to = backward ? laid->start_polygon : laid->end_polygon;
    uint32_t at = mesh->arc_first[from]++;
    nav_arc *arc = &mesh->arcs[at];
    *arc = (nav_arc){.start = {start[0], start[1], start[2]},
                     .end = {end[0], end[1], end[2]},
                     .length = nav_plane_distance_f(start[0], start[2], end[0], end[2]),
                     .link = link};
    mesh->portals[mesh->edge_portal_count + at] = (nav_portal){
        .left = {start[0], start[2]},
        .right = {start[0], start[2]},
        .from = from,
        .to = to,
        .left_vertex = NAV_NONE,
        .right_vertex = NAV_NONE,
    };
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
        const nav_laid_link *laid = &mesh->links[i];
        first[laid->start_polygon]++;
        first[laid->end_polygon] += laid->bidirectional;
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

nav_status nav_mesh_lay_links(nav_mesh *mesh, const nav_config *config, nav_bake_report *report,
                              nav_error *err)
{
    for (uint32_t i = 0; config != NULL && i < config->link_count; ++i) {
        if (config->links[i].area == NAV_AREA_NONE) {
            nav_fail(err, NAV_INVALID_FIELD, "a link of the area \"none\" cannot be used");
            nav_error_at(err, "links[%u].area", i);
            return NAV_INVALID_FIELD;
        }
    }
    if (config != NULL) {
        snap_links(mesh, config, report);
    }
    nav_mesh_derive_arcs(mesh);
    return nav_cancel_status(mesh->cancel);
}
