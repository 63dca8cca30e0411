// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// path_truth.h: the points of a path walked once more, over polygons and portals only: what the
// cheapest walk along these very lines costs, at every place on the cheaper side of an edge. Knows
// nothing of corridors, strings or crossings.
//
//      a ------------- b      A line's parts within each polygon and along each portal are
//      |  P  |  Q  |   |      found, all `tolerance` wider than they are. From one end of such
//      +-----+-----+---+      a part to the next the walk stays in its polygon; at an end it may
//                             change over to another one, where both meet.

#pragma once

#include "core/query/view/view.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

typedef struct truth_part {
    double from, to; // of the line, 0 to 1; from > to: none
} truth_part;

typedef struct truth_portal {
    uint32_t from, to; // polygons
    truth_part part;
} truth_portal;

typedef struct path_truth {
    const nav_view *view;
    double tolerance;
    uint32_t polygon_count, portal_count, time_count;
    truth_part *parts;     // by polygon, of the line at hand
    truth_portal *portals; // that it touches
    double *times;         // where parts begin and end
    double *costs;         // by polygon: up to where the walk is
    double *jumped;        // the same, over a link
    bool thin; // a line has run along a polygon without area, whose sides cannot be told apart
} path_truth;

static inline void truth_init(path_truth *t, const nav_view *view, double tolerance)
{
    const uint32_t polygons = nav_view_polygons(view), portals = nav_view_portals(view);
    *t = (path_truth){.view = view, .tolerance = tolerance, .polygon_count = polygons};
    t->parts = calloc(polygons + 1u, sizeof *t->parts);
    t->portals = calloc(portals + 1u, sizeof *t->portals);
    t->times = calloc(2u * (polygons + portals) + 2u, sizeof *t->times);
    t->costs = calloc(polygons + 1u, sizeof *t->costs);
    t->jumped = calloc(polygons + 1u, sizeof *t->jumped);
}

static inline void truth_free(path_truth *t)
{
    free(t->parts);
    free(t->portals);
    free(t->times);
    free(t->costs);
    free(t->jumped);
}

static inline bool truth_is_open(const path_truth *t, uint32_t polygon)
{
    return nav_polygon_cost(t->view, polygon) < INFINITY;
}

// Keeps of a part where a number that is `a` at the line's begin and `b` at its end is at most
// `most`.
static inline void truth_cut(truth_part *part, double a, double b, double most)
{
    if (a > most && b > most) {
        part->from = 2.0;
    } else if (a > most) {
        part->from = fmax(part->from, (a - most) / (a - b));
    } else if (b > most) {
        part->to = fmin(part->to, (most - a) / (b - a));
    }
}

// How far a place lies to the left of the direction from a to b.
static inline double truth_left(const float *a, const float *b, const float *place)
{
    const double dx = (double)b[0] - (double)a[0], dz = (double)b[1] - (double)a[1];
    const double length = sqrt(dx * dx + dz * dz);
    const double x = (double)place[0] - (double)a[0], z = (double)place[1] - (double)a[1];
    return length > 0.0 ? (dx * z - dz * x) / length : 0.0;
}

static inline truth_part truth_in_polygon(const path_truth *t, const nav_face *face,
                                          const float p[2], const float q[2])
{
    truth_part part = {0.0, 1.0};
    for (uint32_t i = 0; i < face->corner_count; ++i) {
        const float *a = nav_view_vertex_xz(t->view, face->corners[i]);
        const float *b = nav_view_vertex_xz(t->view, face->corners[(i + 1) % face->corner_count]);
        const float from[2] = {a[0], a[2]}, to[2] = {b[0], b[2]};
        truth_cut(&part, truth_left(from, to, p), truth_left(from, to, q), t->tolerance);
    }
    return part;
}

static inline truth_part truth_at_portal(const path_truth *t, const nav_portal *portal,
                                         const float p[2], const float q[2])
{
    truth_part part = {0.0, 1.0};
    const float *l = portal->left, *r = portal->right;
    const double dx = (double)r[0] - (double)l[0], dz = (double)r[1] - (double)l[1];
    const double width = sqrt(dx * dx + dz * dz);
    const double unit[2] = {width > 0.0 ? dx / width : 1.0, width > 0.0 ? dz / width : 0.0};
    double along[2], off[2];
    const float *places[2] = {p, q};
    for (int i = 0; i < 2; ++i) {
        const double x = (double)places[i][0] - (double)l[0];
        const double z = (double)places[i][1] - (double)l[1];
        along[i] = x * unit[0] + z * unit[1];
        off[i] = x * unit[1] - z * unit[0];
    }
    truth_cut(&part, off[0], off[1], t->tolerance);
    truth_cut(&part, -off[0], -off[1], t->tolerance);
    truth_cut(&part, along[0], along[1], width + t->tolerance);
    truth_cut(&part, -along[0], -along[1], t->tolerance);
    return part;
}

// Whether a polygon is as good as a line.
static inline bool truth_is_thin(const path_truth *t, const nav_face *face)
{
    double area2 = 0.0, around = 0.0;
    const float *o = nav_view_vertex_xz(t->view, face->corners[0]);
    for (uint32_t i = 0; i < face->corner_count; ++i) {
        const float *a = nav_view_vertex_xz(t->view, face->corners[i]);
        const float *b = nav_view_vertex_xz(t->view, face->corners[(i + 1) % face->corner_count]);
        const double ax = (double)a[0] - (double)o[0], az = (double)a[2] - (double)o[2];
        const double bx = (double)b[0] - (double)o[0], bz = (double)b[2] - (double)o[2];
        area2 += az * bx - ax * bz;
        around += hypot(bx - ax, bz - az);
    }
    return area2 <= 2e-3 * around;
}

static inline void truth_add_times(path_truth *t, const truth_part *part)
{
    t->times[t->time_count++] = part->from;
    t->times[t->time_count++] = part->to;
}

static inline int truth_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// All parts of a line.
static inline void truth_look(path_truth *t, const float p[2], const float q[2])
{
    t->portal_count = 0;
    t->time_count = 0;
    t->times[t->time_count++] = 0.0;
    t->times[t->time_count++] = 1.0;
    for (uint32_t i = 0; i < t->polygon_count; ++i) {
        t->parts[i] = (truth_part){2.0, 1.0};
        if (!truth_is_open(t, i)) {
            continue;
        }
        const nav_face face = nav_view_face(t->view, i);
        t->parts[i] = truth_in_polygon(t, &face, p, q);
        if (t->parts[i].from > t->parts[i].to) {
            continue;
        }
        truth_add_times(t, &t->parts[i]);
        const double length = hypot((double)q[0] - (double)p[0], (double)q[1] - (double)p[1]);
        t->thin = t->thin ||
                  ((t->parts[i].to - t->parts[i].from) * length > 1e-4 && truth_is_thin(t, &face));
        for (uint32_t k = 0; k < face.portal_count; ++k) {
            const truth_part part = truth_at_portal(t, &face.portals[k], p, q);
            if (part.from <= part.to && truth_is_open(t, face.portals[k].to)) {
                truth_add_times(t, &part);
                t->portals[t->portal_count++] = (truth_portal){i, face.portals[k].to, part};
            }
        }
    }
    qsort(t->times, t->time_count, sizeof *t->times, truth_compare);
}

static inline void truth_change_over(path_truth *t, double time)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < t->portal_count; ++i) {
            const truth_portal *portal = &t->portals[i];
            if (time >= portal->part.from && time <= portal->part.to &&
                t->costs[portal->from] < t->costs[portal->to]) {
                t->costs[portal->to] = t->costs[portal->from];
                changed = true;
            }
        }
    }
}

// From the costs at a line's begin to those at its end.
static inline void truth_walk(path_truth *t, const float p[2], const float q[2])
{
    const double length = hypot((double)q[0] - (double)p[0], (double)q[1] - (double)p[1]);
    truth_look(t, p, q);
    for (uint32_t k = 0; k + 1 < t->time_count; ++k) {
        const double from = t->times[k], to = t->times[k + 1];
        truth_change_over(t, from);
        for (uint32_t i = 0; i < t->polygon_count; ++i) {
            const bool inside = t->parts[i].from <= from && t->parts[i].to >= to;
            t->costs[i] += inside && t->costs[i] < HUGE_VAL
                               ? (to - from) * length * (double)nav_polygon_cost(t->view, i)
                               : 0.0;
            t->costs[i] = inside ? t->costs[i] : HUGE_VAL;
        }
    }
    truth_change_over(t, 1.0);
}

// From the costs at the beginning of a link to those at its end.
static inline void truth_jump(path_truth *t, const float *p, const float *q)
{
    const nav_mesh *mesh = t->view->mesh;
    for (uint32_t i = 0; i < t->polygon_count; ++i) {
        t->jumped[i] = HUGE_VAL;
    }
    for (uint32_t i = 0; i < mesh->arc_count; ++i) {
        const nav_arc *way = &mesh->arcs[i];
        const uint32_t portal = mesh->edge_portal_count + i;
        if (way->start[0] != p[0] || way->start[2] != p[2] ||
            memcmp(way->end, q, sizeof way->end) != 0) {
            continue;
        }
        const uint32_t from = nav_view_from(t->view, portal);
        const uint32_t to = from != NAV_NONE ? nav_view_arc_target(t->view, from, i) : NAV_NONE;
        if (to != NAV_NONE) {
            t->jumped[to] =
                fmin(t->jumped[to], t->costs[from] + (double)nav_arc_cost(t->view, way));
        }
    }
    memcpy(t->costs, t->jumped, t->polygon_count * sizeof *t->costs);
}

// Ground that lies above or below a point is not what the path is on.
static inline void truth_keep_height(path_truth *t, const float *point)
{
    const double step = 0.5 * (double)t->view->mesh->agent_max_climb + 1e-3;
    for (uint32_t i = 0; i < t->polygon_count; ++i) {
        if (t->costs[i] < HUGE_VAL) {
            const float y = nav_view_height(t->view, i, point[0], point[2]);
            t->costs[i] = fabs((double)y - (double)point[1]) <= step ? t->costs[i] : HUGE_VAL;
        }
    }
}

// The cost of a path along its points, the last of which is in end_polygon of the mesh. is_link: by
// point, whether a link leads from there to the next. HUGE_VAL: no walk leads along them.
static inline double truth_cost(path_truth *t, const nav_path *path, uint32_t end_polygon,
                                const bool *is_link)
{
    const float *p = path->points;
    for (uint32_t i = 0; i < t->polygon_count; ++i) {
        const bool here = nav_view_base(t->view, i) == path->start_polygon;
        t->costs[i] = here ? 0.0 : HUGE_VAL;
    }
    const float start[2] = {p[0], p[2]};
    truth_walk(t, start, start); // keeps what lies over the start, and what it may change over to
    for (uint32_t k = 0; k + 1 < path->point_count; ++k, p += 3) {
        const float from[2] = {p[0], p[2]}, to[2] = {p[3], p[5]};
        if (is_link[k]) {
            truth_jump(t, p, p + 3);
            truth_walk(t, to, to);
        } else {
            truth_walk(t, from, to);
        }
        truth_keep_height(t, p + 3);
    }
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < t->polygon_count; ++i) {
        least = nav_view_base(t->view, i) == end_polygon ? fmin(least, t->costs[i]) : least;
    }
    return least;
}
