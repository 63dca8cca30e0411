// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// border.c: what questions about a position's surroundings share: a flood over the polygons
// around it, and the walls among their edges.

#include "core/base/plane.h"
#include "core/base/tolerances.h"
#include "core/query/surface/surface.h"
#include "core/query/view/scratch.h"

#include <math.h>
#include <string.h>

// ---- the flood ----

void nav_spread_enter(nav_spread *spread, uint32_t polygon)
{
    NAV_DCHECK(polygon < nav_view_polygons(spread->view));
    nav_scratch *scratch = spread->scratch;
    if (scratch->flood.marks[polygon] != scratch->stamp &&
        nav_polygon_cost(spread->view, polygon) < INFINITY) {
        scratch->flood.marks[polygon] = scratch->stamp;
        NAV_DCHECK(spread->count < scratch->flood.capacity);
        scratch->flood.parents[spread->count] = spread->next > 0 ? spread->next - 1 : 0;
        scratch->flood.queue[spread->count++] = polygon;
    }
}

bool nav_spread_begin(nav_spread *spread, const nav_view *view, nav_scratch *scratch,
                      uint32_t polygon, const float center[2])
{
    if (!nav_scratch_begin_polygons(scratch, nav_view_polygons(view))) {
        return false;
    }
    *spread = (nav_spread){.view = view, .scratch = scratch, .center = {center[0], center[1]}};
    nav_spread_enter(spread, polygon);
    return true;
}

uint32_t nav_spread_next(nav_spread *spread)
{
    if (spread->next == spread->count || nav_cancel_poll(&spread->scratch->cancel, NAV_STEP_NODE)) {
        return NAV_NONE;
    }
    NAV_ASSERT(spread->next < spread->count);
    return spread->scratch->flood.queue[spread->next++];
}

void nav_spread_on(nav_spread *spread, uint32_t polygon, double reach)
{
    const nav_face face = nav_view_face(spread->view, polygon);
    for (uint32_t i = 0; i < face.portal_count; ++i) {
        const nav_portal *portal = &face.portals[i];
        if (nav_plane_segment_distance2_of(portal->left, portal->right, spread->center) <=
            reach * reach) {
            nav_spread_enter(spread, portal->to);
        }
    }
}

void nav_spread_along(nav_spread *spread, uint32_t polygon, const double a[2], const double b[2],
                      double reach)
{
    const nav_face face = nav_view_face(spread->view, polygon);
    for (uint32_t i = 0; i < face.portal_count; ++i) {
        const nav_portal *portal = &face.portals[i];
        const double left[2] = {(double)portal->left[0], (double)portal->left[1]};
        const double right[2] = {(double)portal->right[0], (double)portal->right[1]};
        if (nav_plane_segments_distance2(a, b, left, right) <= reach * reach) {
            nav_spread_enter(spread, portal->to);
        }
    }
}

// ---- the way that it has come ----

// The number of the first portal from one polygon to another, or NAV_NONE.
static uint32_t portal_between(const nav_view *view, uint32_t from, uint32_t to)
{
    const nav_face face = nav_view_face(view, from);
    for (uint32_t i = 0; i < face.portal_count; ++i) {
        if (face.portals[i].to == to) {
            return face.portal_first + i;
        }
    }
    return NAV_NONE;
}

void nav_spread_trail(const nav_spread *spread, uint32_t polygon, float x, float z,
                      nav_trail *trail)
{
    const nav_flood_scratch *flood = &spread->scratch->flood;
    uint32_t last = 0, steps = 0;
    while (flood->queue[last] != polygon) {
        ++last;
        NAV_ASSERT(last < spread->count);
    }
    for (uint32_t i = last; i != 0; i = flood->parents[i]) {
        ++steps;
    }
    if (steps > trail->capacity - trail->count) {
        trail->broken = true;
        return;
    }
    trail->count += steps;
    for (uint32_t i = last, at = trail->count; i != 0; i = flood->parents[i]) {
        --at;
        trail->portals[at] =
            portal_between(spread->view, flood->queue[flood->parents[i]], flood->queue[i]);
        trail->crossings[at][0] = x;
        trail->crossings[at][1] = z;
        trail->broken = trail->broken || trail->portals[at] == NAV_NONE;
    }
}

bool nav_spread_turn(const nav_view *view, nav_scratch *scratch, uint32_t from, uint32_t to,
                     const float at[2], double reach, nav_trail *trail)
{
    nav_spread spread;
    if (from == to) {
        return true;
    }
    if (!nav_scratch_begin(scratch, view) || !nav_spread_begin(&spread, view, scratch, from, at)) {
        return false;
    }
    uint32_t found = nav_spread_next(&spread);
    for (; found != NAV_NONE && found != to; found = nav_spread_next(&spread)) {
        nav_spread_on(&spread, found, reach);
    }
    if (found == NAV_NONE) {
        trail->broken = true;
    } else {
        nav_spread_trail(&spread, to, at[0], at[1], trail);
    }
    return !scratch->cancel.cancelled;
}

// ---- walls ----

// Portals of an edge that are looked at in one go.
#define EDGE_PORTALS_MAX 64

typedef struct edge {
    float a[3], b[3];
    double dx, dz, length2;
} edge;

// The part of an edge that a portal takes.
typedef struct interval {
    double from, to;
    uint32_t portal;
} interval;

// The order by where intervals begin; of equal ones, by portal.
static bool comes_before(const interval *a, const interval *b)
{
    return a->from != b->from ? a->from < b->from : a->portal < b->portal;
}

// The position of a point along an edge; false if it is off it.
static bool find_along(const edge *e, const float at[2], double *along)
{
    const double px = (double)at[0] - (double)e->a[0], pz = (double)at[1] - (double)e->a[2];
    *along = nav_plane_dot(px, pz, e->dx, e->dz) / e->length2;
    return fabs(nav_plane_cross(px, pz, e->dx, e->dz)) <= NAV_COLLINEAR_RATIO * e->length2;
}

// Keeps the first ones, in order.
static void insert(interval *open, uint32_t *count, const interval *added)
{
    uint32_t at = *count;
    while (at > 0 && comes_before(added, &open[at - 1])) {
        --at;
    }
    if (at == EDGE_PORTALS_MAX) {
        return;
    }
    *count += *count < EDGE_PORTALS_MAX;
    memmove(open + at + 1, open + at, (*count - 1 - at) * sizeof *open);
    open[at] = *added;
    NAV_DCHECK(at + 1 >= *count || comes_before(&open[at], &open[at + 1]));
}

// The first parts of an edge, behind `after` (NULL: all), that portals to open ground take, in
// order. A portal runs from right to left as the edge does.
static uint32_t find_open(const nav_view *view, const nav_face *face, const edge *e,
                          const interval *after, interval open[EDGE_PORTALS_MAX])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < face->portal_count; ++i) {
        const nav_portal *portal = &face->portals[i];
        interval piece = {.portal = i};
        if (find_along(e, portal->right, &piece.from) && find_along(e, portal->left, &piece.to) &&
            piece.from < piece.to && piece.to > 0.0 && piece.from < 1.0 &&
            (after == NULL || comes_before(after, &piece)) &&
            nav_polygon_cost(view, portal->to) < INFINITY) {
            insert(open, &count, &piece);
        }
    }
    return count;
}

static void report(const edge *e, double from, double to, nav_on_wall on_wall, void *user)
{
    NAV_DCHECK(from < to);
    float a[3];
    float b[3];
    for (int axis = 0; axis < 3; ++axis) {
        const double begin = (double)e->a[axis], step = (double)e->b[axis] - begin;
        a[axis] = (float)(begin + step * from);
        b[axis] = to >= 1.0 ? e->b[axis] : (float)(begin + step * to);
    }
    on_wall(user, a, b);
}

// Reports the parts of an edge that portals leave.
static void report_edge(const nav_view *view, const nav_face *face, const edge *e,
                        nav_on_wall on_wall, void *user)
{
    interval open[EDGE_PORTALS_MAX];
    double wall_from = 0.0;
    uint32_t count = find_open(view, face, e, NULL, open);
    while (count > 0) {
        for (uint32_t k = 0; k < count; ++k) {
            if (open[k].from > wall_from + NAV_COLLINEAR_RATIO) {
                report(e, wall_from, open[k].from, on_wall, user);
            }
            wall_from = open[k].to > wall_from ? open[k].to : wall_from;
        }
        const interval last = open[count - 1];
        count = count == EDGE_PORTALS_MAX ? find_open(view, face, e, &last, open) : 0;
    }
    if (wall_from < 1.0 - NAV_COLLINEAR_RATIO) {
        report(e, wall_from, 1.0, on_wall, user);
    }
}

void nav_view_walls(const nav_view *view, uint32_t polygon, nav_on_wall on_wall, void *user)
{
    const nav_face face = nav_view_face(view, polygon);
    for (uint32_t i = 0; i < face.corner_count; ++i) {
        edge e = {.length2 = 0.0};
        nav_view_vertex(view, face.corners[i], e.a);
        nav_view_vertex(view, face.corners[(i + 1) % face.corner_count], e.b);
        e.dx = (double)e.b[0] - (double)e.a[0];
        e.dz = (double)e.b[2] - (double)e.a[2];
        e.length2 = e.dx * e.dx + e.dz * e.dz;
        if (e.length2 > 0.0) {
            report_edge(view, &face, &e, on_wall, user);
        }
    }
}
