// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// walk.c: the points that a path is led through become a path: each leg is walked straight over the
// mesh, portal by portal, into the spare corridor, and links are taken in between. Whatever cannot
// be walked leaves the path as it was.

#include "core/query/clearance/clearance.h"

#include "core/base/plane.h"
#include "core/query/surface/surface.h"

#include <math.h>
#include <string.h>

// A path that is put together in the spare corridor.
typedef struct build {
    const nav_clearing *c;
    nav_corridor *corridor;
    nav_trail trail;
    uint32_t polygon;
    uint32_t point_count;
    double cost, length;
    bool failed; // no memory, or the question is cancelled
} build;

// Adds a point to which ground of one cost leads. One in the place of the last adds nothing.
static void add_point(build *b, const float at[3], double step_cost)
{
    float *last = b->corridor->points[b->point_count - 1];
    if (last[0] == at[0] && last[2] == at[2]) {
        return;
    }
    if (b->point_count == 2 * b->corridor->capacity + NAV_FUNNEL_POINTS_EXTRA - 1) {
        b->trail.broken = true; // one more may be asked for by a limit
        return;
    }
    b->cost += nav_plane_distance_xz(last, at) * step_cost;
    b->length += nav_space_distance(last, at);
    memcpy(b->corridor->points[b->point_count++], at, sizeof *b->corridor->points);
}

// Adds the points in which a walk has come to ground of another cost.
static void add_borders(build *b, uint32_t first)
{
    const nav_view *view = b->c->view;
    for (uint32_t i = first; i < b->trail.count && !b->trail.broken; ++i) {
        const uint32_t to = nav_view_to(view, b->trail.portals[i]);
        const float before = nav_polygon_cost(view, b->polygon);
        if (before != nav_polygon_cost(view, to)) {
            const float x = b->trail.crossings[i][0], z = b->trail.crossings[i][1];
            add_point(b, (float[3]){x, nav_view_height(view, b->polygon, x, z), z}, (double)before);
        }
        b->polygon = to;
    }
}

static void walk_leg(build *b, const nav_clear_node *from, const nav_clear_node *to)
{
    const nav_clearing *c = b->c;
    nav_location start = {.polygon = b->polygon};
    memcpy(start.position, from->at, sizeof start.position);
    const uint32_t first = b->trail.count, points = b->point_count;
    nav_ray ray;
    if (!nav_view_raycast(c->view, c->scratch, &start, to->at, &b->trail, &ray)) {
        b->failed = true;
        return;
    }
    add_borders(b, first);
    // Above and below there may be other ground.
    const float height = nav_view_height(c->view, b->polygon, to->at[0], to->at[2]);
    const float climb = c->view->mesh->agent_max_climb + (float)c->tolerance;
    b->trail.broken = b->trail.broken || ray.hit || fabsf(height - to->at[1]) > climb;
    add_point(b, to->at, (double)nav_polygon_cost(c->view, b->polygon));
    // On a border of costs it is the point there, but for the last bit of its height.
    if (b->point_count > points) {
        memcpy(b->corridor->points[b->point_count - 1], to->at, sizeof to->at);
    }
}

// Goes on to another polygon that meets the last point.
static void turn_to(build *b, uint32_t polygon, const float at[3])
{
    const nav_clearing *c = b->c;
    const float center[2] = {at[0], at[2]};
    b->failed =
        !nav_spread_turn(c->view, c->scratch, b->polygon, polygon, center, c->tolerance, &b->trail);
    b->polygon = polygon;
}

static void take_link(build *b, const nav_clear_node *from, const nav_clear_node *to)
{
    const nav_view *view = b->c->view;
    nav_trail *trail = &b->trail;
    turn_to(b, nav_view_from(view, to->entered_by), from->at);
    if (trail->count == trail->capacity ||
        b->point_count + 1 >= 2 * b->corridor->capacity + NAV_FUNNEL_POINTS_EXTRA) {
        trail->broken = true;
        return;
    }
    trail->portals[trail->count] = to->entered_by;
    trail->crossings[trail->count][0] = to->at[0];
    trail->crossings[trail->count++][1] = to->at[2];
    float *last = b->corridor->points[b->point_count - 1];
    if (memcmp(last, to->at, sizeof to->at) != 0) {
        b->length += nav_space_distance(last, to->at);
        memcpy(b->corridor->points[b->point_count++], to->at, sizeof to->at);
    }
    b->cost += (double)nav_arc_cost(view, nav_portal_arc(view, to->entered_by));
    b->polygon = to->polygon;
}

void nav_clearing_swap_corridors(nav_scratch *scratch)
{
    const nav_corridor before = scratch->corridor;
    scratch->corridor = scratch->clearance.spare;
    scratch->corridor.view = before.view;
    scratch->clearance.spare = before;
}

bool nav_clearing_take_nodes(const nav_clearing *c, nav_path *path, bool *taken)
{
    nav_scratch *scratch = c->scratch;
    *taken = false;
    nav_corridor *spare = &scratch->clearance.spare;
    build b = {.c = c,
               .corridor = spare,
               .trail = {.portals = spare->portals,
                         .crossings = spare->crossings,
                         .capacity = spare->capacity},
               .polygon = c->nodes[0].polygon,
               .point_count = 1};
    memcpy(spare->points[0], c->nodes[0].at, sizeof *spare->points);
    uint32_t i = 0;
    for (; c->nodes[i].next != NAV_NONE && !b.trail.broken && !b.failed; i = c->nodes[i].next) {
        const nav_clear_node *from = &c->nodes[i], *to = &c->nodes[from->next];
        if (to->entered_by != NAV_NONE) {
            take_link(&b, from, to);
        } else {
            walk_leg(&b, from, to);
        }
    }
    // A walk may have come to another storey, less than a climb above or below.
    if (!b.trail.broken && !b.failed) {
        turn_to(&b, c->nodes[i].polygon, c->nodes[i].at);
    }
    if (b.trail.broken || b.failed ||
        (b.point_count == path->point_count &&
         memcmp(spare->points, path->points, b.point_count * sizeof *spare->points) == 0)) {
        return !b.failed;
    }
    nav_clearing_swap_corridors(scratch);
    path->points = scratch->corridor.points[0];
    path->point_count = b.point_count;
    path->corridor_count = b.trail.count;
    path->cost = b.cost;
    path->length = b.length;
    scratch->corridor.first_polygon = c->nodes[0].polygon;
    path->start_polygon = nav_view_base(c->view, c->nodes[0].polygon);
    path->optimal = path->folded = false;
    *taken = true;
    return true;
}
