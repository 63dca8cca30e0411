// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// place_links.c: lays links over a mesh, its own and those of a state. Work grows with the links,
// and with the mesh's own links where these lead from one component to another.

#include "core/base/plane.h"
#include "core/base/sets.h"
#include "core/query/points/points.h"

#include <stdlib.h>
#include <string.h>

// ---- one link ----

// The positions looked at for one end where the nearest does not lie within the radius, which is
// round while a query's box is not.
#define CANDIDATES 8u

// A step that the agent can take, and a cell each for the rounding of floors and for the error of
// height detail.
static float height_tolerance(const nav_mesh *mesh)
{
    return mesh->agent_max_climb + 2.0f * mesh->cell_height;
}

static bool snap_end(const nav_mesh *mesh, float radius, const float point[3], nav_location *out)
{
    const float tolerance = height_tolerance(mesh);
    const nav_snap snap = {.horizontal = radius, .up = tolerance, .down = tolerance};
    nav_location locations[CANDIDATES];
    // Mostly the nearest will do, and one position is found by looking no farther than that.
    for (uint32_t wanted = 1; wanted <= CANDIDATES; wanted *= CANDIDATES) {
        uint32_t count = nav_query_nearest(mesh, point, snap, NAV_NONE, locations, wanted);
        for (uint32_t i = 0; i < count; ++i) {
            if (nav_plane_distance_f(point[0], point[2], locations[i].position[0],
                                     locations[i].position[2]) <= radius) {
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

float nav_link_lands(const nav_mesh *mesh, const nav_link *link, bool lands[2])
{
    nav_location at;
    lands[0] = snap_end(mesh, link->radius, link->start, &at);
    lands[1] = snap_end(mesh, link->radius, link->end, &at);
    return height_tolerance(mesh);
}

bool nav_link_place(const nav_mesh *mesh, const nav_link *link, uint32_t index,
                    nav_placed_link *out, bool lands[2])
{
    nav_location start, end;
    NAV_ASSERT(link->area != NAV_AREA_NONE);
    lands[0] = snap_end(mesh, link->radius, link->start, &start);
    lands[1] = snap_end(mesh, link->radius, link->end, &end);
    if (!lands[0] || !lands[1]) {
        return false;
    }
    *out = (nav_placed_link){.start_polygon = start.polygon,
                             .end_polygon = end.polygon,
                             .flags = link->flags != 0 ? link->flags : mesh->area_flags[link->area],
                             .has_cost = link->has_cost,
                             .cost = link->cost,
                             .config_index = index,
                             .area = link->area,
                             .ground = nav_mesh_link_class(mesh, link->area, link->switch_number),
                             .switch_number = link->switch_number,
                             .bidirectional = link->bidirectional};
    memcpy(out->start, start.position, sizeof out->start);
    memcpy(out->end, end.position, sizeof out->end);
    memcpy(out->id, link->id, sizeof out->id);
    return true;
}

nav_arc nav_link_arc(const nav_placed_link *placed, uint32_t link, bool backward,
                     nav_portal *portal)
{
    const float *start = backward ? placed->end : placed->start;
    const float *end = backward ? placed->start : placed->end;
    *portal = (nav_portal){
        .left = {start[0], start[2]},
        .right = {start[0], start[2]},
        .from = backward ? placed->end_polygon : placed->start_polygon,
        .to = backward ? placed->start_polygon : placed->end_polygon,
        .left_vertex = NAV_NONE,
        .right_vertex = NAV_NONE,
    };
    return (nav_arc){.start = {start[0], start[1], start[2]},
                     .end = {end[0], end[1], end[2]},
                     .length = nav_plane_distance_f(start[0], start[2], end[0], end[2]),
                     .link = link};
}

// ---- all of them ----

static void place_all(const nav_mesh *mesh, const nav_link *links, uint32_t count,
                      nav_added_links *out)
{
    for (uint32_t i = 0; i < count; ++i) {
        bool lands[2];
        nav_placed_link *placed = &out->placed[out->count];
        if (nav_link_place(mesh, &links[i], i, placed, lands)) {
            ++out->count;
            out->arc_count += placed->bidirectional ? 2 : 1;
            out->has_one_way_arcs = out->has_one_way_arcs || !placed->bidirectional;
        } else {
            out->off_mesh[out->off_mesh_count++] = i;
        }
    }
}

// An arc with its portal, as they are sorted.
typedef struct direction {
    nav_arc arc;
    nav_portal portal;
    bool backward;
} direction;

static int compare_directions(const void *left, const void *right)
{
    const direction *a = left, *b = right;
    return a->portal.from != b->portal.from
               ? (a->portal.from > b->portal.from) - (a->portal.from < b->portal.from)
           : a->arc.link != b->arc.link ? (a->arc.link > b->arc.link) - (a->arc.link < b->arc.link)
                                        : (a->backward > b->backward) - (a->backward < b->backward);
}

// directions: of arc_count.
static void sort_arcs(const nav_mesh *mesh, direction *directions, nav_added_links *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < out->count; ++i) {
        for (int backward = 0; backward < (out->placed[i].bidirectional ? 2 : 1); ++backward) {
            direction *d = &directions[count++];
            d->arc =
                nav_link_arc(&out->placed[i], mesh->stats.links + i, backward != 0, &d->portal);
            d->backward = backward != 0;
        }
    }
    NAV_ASSERT(count == out->arc_count);
    qsort(directions, count, sizeof *directions, compare_directions);
    for (uint32_t i = 0; i < count; ++i) {
        out->arcs[i] = directions[i].arc;
        out->portals[i] = directions[i].portal;
        out->starts[i] = mesh->preorder[directions[i].portal.from][0];
    }
    qsort(out->starts, count, sizeof *out->starts, nav_numbers_compare);
}

static int compare_edges(const void *left, const void *right)
{
    const nav_condensation_edge *a = left, *b = right;
    return a->from != b->from ? (a->from > b->from) - (a->from < b->from)
                              : (a->to > b->to) - (a->to < b->to);
}

static nav_condensation_edge edge_of(const nav_mesh *mesh, const nav_portal *portal)
{
    return (nav_condensation_edge){.from = mesh->records[portal->from].component,
                                   .to = mesh->records[portal->to].component};
}

// Lists all that leads from one component to another, with these links. False: no memory.
static bool list_edges(const nav_mesh *mesh, nav_arena *kept, nav_added_links *out)
{
    uint32_t leading = 0;
    for (uint32_t i = 0; i < out->arc_count; ++i) {
        const nav_condensation_edge edge = edge_of(mesh, &out->portals[i]);
        leading += edge.from != edge.to;
    }
    if (leading == 0) {
        return true;
    }
    const size_t capacity = (size_t)leading + mesh->condensation_edge_count;
    out->edges = NAV_NEW(kept, nav_condensation_edge, capacity);
    if (out->edges == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < out->arc_count; ++i) {
        const nav_condensation_edge edge = edge_of(mesh, &out->portals[i]);
        if (edge.from != edge.to) {
            out->edges[out->edge_count++] = edge;
        }
    }
    for (uint32_t i = 0; i < mesh->condensation_edge_count; ++i) {
        out->edges[out->edge_count++] = mesh->condensation_edges[i];
    }
    qsort(out->edges, out->edge_count, sizeof *out->edges, compare_edges);
    return true;
}

// ---- exported ----

bool nav_added_links_place(const nav_mesh *mesh, const nav_link *links, uint32_t count,
                           nav_arena *kept, nav_arena *temporary, nav_added_links *out)
{
    *out = (nav_added_links){0};
    if (count == 0) {
        return true;
    }
    out->placed = NAV_NEW(kept, nav_placed_link, count);
    out->off_mesh = NAV_NEW(kept, uint32_t, count);
    if (out->placed == NULL || out->off_mesh == NULL) {
        return false;
    }
    place_all(mesh, links, count, out);
    out->arcs = NAV_NEW(kept, nav_arc, out->arc_count);
    out->portals = NAV_NEW(kept, nav_portal, out->arc_count);
    out->classes = NAV_NEW(kept, nav_link_class, out->arc_count);
    out->starts = NAV_NEW(kept, uint32_t, out->arc_count);
    direction *directions = NAV_NEW(temporary, direction, out->arc_count);
    if (out->arcs == NULL || out->portals == NULL || out->classes == NULL || out->starts == NULL ||
        directions == NULL) {
        return false;
    }
    sort_arcs(mesh, directions, out);
    out->class_count = nav_link_classes_derive(out->placed, mesh->stats.links, out->arcs,
                                               out->arc_count, out->classes);
    return list_edges(mesh, kept, out);
}
