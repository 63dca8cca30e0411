// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// points.c: the points of a path on their way, and how far the legs between them are from walls. A
// stretch leads from one link, or end, to the next. A short one cannot keep a large clearance: it
// wants no more than an end's own distance from walls and a quarter of its way. Ground nearer to an
// end than what is wanted less the end's own distance does not count: nothing there is farther from
// walls.

#include "core/query/clearance/clearance.h"

#include "core/base/plane.h"

#include <math.h>
#include <string.h>

// There is room for so many nodes for each point of a path, one for each portal, and so many more:
// a bend takes some eight. A leg that would need another one stays as near to walls as it is.
#define NODES_PER_POINT 8u
#define NODES_MORE 64u

// ---- the list ----

static void add_node(nav_clearing *c, const float at[3], uint32_t polygon, uint32_t entered_by)
{
    NAV_ASSERT(c->count < c->capacity);
    nav_clear_node *node = &c->nodes[c->count++];
    *node = (nav_clear_node){
        .guide_polygon = polygon, .polygon = polygon, .next = c->count, .entered_by = entered_by};
    memcpy(node->guide, at, sizeof node->guide);
    memcpy(node->at, at, sizeof node->at);
}

// The points of a path with the polygons that they lie on. One at which a link ends lies where that
// leads to; a link without length has two.
static void list_nodes(nav_clearing *c, const nav_path *path)
{
    nav_path_walk walk = {.path = path};
    bool has_portal = nav_path_walk_next(&walk);
    uint32_t polygon = path->corridor->first_polygon;
    uint32_t entered_by = NAV_NONE;
    for (uint32_t i = 0; i < path->point_count; ++i) {
        const float *at = path->points + 3 * (size_t)i;
        while (has_portal && walk.spot.point <= i && (walk.spot.point < i || walk.spot.on_point) &&
               (entered_by == NAV_NONE || walk.arc != NULL)) {
            if (walk.arc != NULL && nav_arc_is_zero_length(walk.arc)) {
                add_node(c, at, polygon, entered_by);
            }
            entered_by = walk.arc != NULL ? walk.portal : entered_by;
            polygon = nav_view_to(c->view, walk.portal);
            has_portal = nav_path_walk_next(&walk);
        }
        add_node(c, at, polygon, entered_by);
        entered_by = NAV_NONE;
    }
    NAV_ASSERT(c->count > 0);
    c->nodes[c->count - 1].next = NAV_NONE;
}

bool nav_clearing_begin(nav_clearing *c, nav_scratch *scratch, double clearance,
                        const nav_path *path)
{
    NAV_ASSERT(path->points == scratch->corridor.points[0]);
    const uint32_t nodes = NODES_PER_POINT * path->point_count + path->corridor_count + NODES_MORE;
    *c =
        (nav_clearing){.scratch = scratch, .view = &scratch->corridor.view, .clearance = clearance};
    if (!nav_scratch_grow_nodes(scratch, nodes)) {
        return false;
    }
    c->tolerance = nav_plan_tolerance((double)path->start[0], (double)path->start[2]);
    c->nodes = scratch->clearance.nodes;
    c->capacity = nodes;
    list_nodes(c, path);
    return true;
}

// ---- legs ----

nav_leg nav_leg_at(const float from[3], const float to[3], uint32_t polygon)
{
    return (nav_leg){.a = {(double)from[0], (double)from[2]},
                     .b = {(double)to[0], (double)to[2]},
                     .polygon = polygon,
                     .ranges = {{0.0, 1.0}},
                     .range_count = 1};
}

bool nav_clearing_measure_at(const nav_clearing *c, const float at[3], uint32_t polygon,
                             double reach, nav_leg_walls *out)
{
    const nav_leg leg = nav_leg_at(at, at, polygon);
    return nav_leg_measure(c->view, c->scratch, &leg, reach, out);
}

// ---- stretches ----

// A quarter of how far the stretch comes from one of its ends. Two circles of such radii around the
// ends never hold all of it: either its farthest position from one of them is outside of both, or
// the circles are apart, and it leads from one to the other.
static double quarter_from(const nav_clearing *c, uint32_t end)
{
    double farthest = nav_plane_distance_xz(c->nodes[c->first].at, c->nodes[c->last].at);
    for (uint32_t i = c->first; i != c->last; i = c->nodes[i].next) {
        farthest = fmax(farthest, nav_plane_distance_xz(c->nodes[end].at, c->nodes[i].at));
    }
    return farthest / 4.0;
}

// An end that is nearer to a wall than the stretch wants keeps all positions around it from being
// as far away.
bool nav_clearing_begin_stretch(nav_clearing *c, uint32_t first)
{
    c->first = c->last = first;
    for (uint32_t next = c->nodes[first].next;
         next != NAV_NONE && c->nodes[next].entered_by == NAV_NONE; next = c->nodes[next].next) {
        c->last = next;
    }
    const uint32_t ends[2] = {c->first, c->last};
    double distances[2], quarters[2], wanted = c->clearance;
    for (int k = 0; k < 2; ++k) {
        const nav_clear_node *end = &c->nodes[ends[k]];
        nav_leg_walls walls;
        if (!nav_clearing_measure_at(c, end->at, end->polygon, c->clearance, &walls)) {
            return false;
        }
        distances[k] = sqrt(walls.distance2);
        quarters[k] = quarter_from(c, ends[k]);
        wanted = fmin(wanted, distances[k] + fmax(quarters[k] - c->tolerance, 0.0));
    }
    c->keep = wanted + c->tolerance;
    for (int k = 0; k < 2; ++k) {
        c->left_out[k] = distances[k] < wanted ? fmin(c->keep - distances[k], quarters[k]) : 0.0;
        c->freed[k] = false;
    }
    return true;
}

nav_leg nav_clearing_leg(const nav_clearing *c, uint32_t from, uint32_t to)
{
    nav_leg leg = nav_leg_at(c->nodes[from].at, c->nodes[to].at, c->nodes[from].polygon);
    const uint32_t ends[2] = {c->first, c->last};
    for (int k = 0; k < 2; ++k) {
        const float *at = c->nodes[ends[k]].at;
        nav_leg_leave_out(&leg, (double[2]){(double)at[0], (double)at[2]}, c->left_out[k]);
    }
    return leg;
}

// ---- what the path keeps ----

// Makes *kept the least distance that the stretch at hand keeps, where that is less. False as
// nav_leg_measure.
static bool measure_stretch(nav_clearing *c, double *kept)
{
    for (uint32_t i = c->first; i != c->last; i = c->nodes[i].next) {
        const nav_leg leg = nav_clearing_leg(c, i, c->nodes[i].next);
        nav_leg_walls walls;
        if (!nav_leg_measure(c->view, c->scratch, &leg, *kept, &walls)) {
            return false;
        }
        *kept = walls.hit ? sqrt(walls.distance2) : *kept;
    }
    return true;
}

// The least distance that a path of nodes keeps, up to the clearance; negative where it is not
// known. A path that leads nowhere has that of its one point.
static double measure_nodes(nav_clearing *c)
{
    double kept = c->clearance;
    bool walks = false, measured = true;
    for (uint32_t first = 0; first != NAV_NONE && measured; first = c->nodes[c->last].next) {
        measured = nav_clearing_begin_stretch(c, first) && measure_stretch(c, &kept);
        walks = walks || c->first != c->last;
    }
    if (measured && !walks) {
        const nav_clear_node *node = &c->nodes[0];
        nav_leg_walls walls;
        measured = nav_clearing_measure_at(c, node->at, node->polygon, c->clearance, &walls);
        kept = sqrt(walls.distance2);
    }
    return measured ? kept : -1.0;
}

nav_status nav_path_measure(nav_scratch *scratch, double clearance, nav_path *path)
{
    nav_clearing c;
    path->clearance_min = 0.0;
    if (path->point_count == 0) {
        return NAV_OK;
    }
    if (!nav_clearing_begin(&c, scratch, clearance, path)) {
        return NAV_NO_MEMORY;
    }
    const double kept = measure_nodes(&c);
    path->clearance_min = fmax(kept, 0.0);
    return kept < 0.0 && !scratch->cancel.cancelled ? NAV_NO_MEMORY : NAV_OK;
}
