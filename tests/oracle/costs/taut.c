// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// taut.c: whether a path is taut: no point of it can be left out, or moved a little, so that it
// costs less. See costs.h.
//
//     +-------+--------+     A straight walk goes from polygon to polygon over the portals that it
//     |  a----|---->---|-b   meets. On a corner or along an edge it tries all of them, so that its
//     +-------+--------+     cost is that of the cheapest side.

#include "costs.h"

#include <math.h>
#include <string.h>

#define DIRECTIONS 16
#define TURN 6.283185307179586
#define ON_LINE 2e-6
#define ON_LINE_PART 2e-7 // of |x| + |z|
// Portals that a walk crosses without getting on, and in all.
#define STANDSTILL_MAX 6
#define DEPTH_MAX 200
// Polygons around a place, and how far above or below it they may be.
#define HOMES_MAX 16
#define RISE 1.0f
// How far points are moved, in world units.
static const double MOVES[] = {0.1, 0.03, 0.01};

typedef struct line {
    const priced_ground *ground;
    double a[2], b[2], length;
    double near; // so far beside it is on it
    uint32_t tries;
} line;

static void at(const line *l, double t, double out[2])
{
    out[0] = l->a[0] + (l->b[0] - l->a[0]) * t;
    out[1] = l->a[1] + (l->b[1] - l->a[1]) * t;
}

static double beside(const float a[2], const float b[2], const double p[2])
{
    const double dx = (double)b[0] - (double)a[0], dz = (double)b[1] - (double)a[1];
    return (dx * (p[1] - (double)a[1]) - dz * (p[0] - (double)a[0])) / (hypot(dx, dz) + 1e-300);
}

// Up to where the line stays in a convex polygon; below 0 where it is not in it from t on.
static double leaves(const line *l, uint32_t polygon, double t)
{
    const nav_mesh *mesh = l->ground->mesh;
    const nav_polygon_record *record = &mesh->records[polygon];
    const uint32_t *corners = mesh->corners + record->corner_first;
    double from[2], last = 1.0;
    at(l, t, from);
    for (uint32_t k = 0; k < record->corner_count; ++k) {
        const float *c = mesh->vertices[corners[k]];
        const float *d = mesh->vertices[corners[(k + 1) % record->corner_count]];
        const float p[2] = {c[0], c[2]}, q[2] = {d[0], d[2]};
        const double off_from = beside(p, q, from), off_to = beside(p, q, l->b); // below 0: inside
        if (off_from > l->near) {
            return -1.0;
        }
        if (off_to > l->near) {
            last = fmin(last, t + (1.0 - t) * fmax(0.0, -off_from) / (off_to - off_from));
        }
    }
    return last;
}

static bool is_on(const line *l, const nav_portal *portal, const double p[2])
{
    const double ax = (double)portal->left[0], az = (double)portal->left[1];
    const double dx = (double)portal->right[0] - ax, dz = (double)portal->right[1] - az;
    const double along = ((p[0] - ax) * dx + (p[1] - az) * dz) / (dx * dx + dz * dz + 1e-300);
    const double part = fmin(fmax(along, 0.0), 1.0);
    return hypot(p[0] - ax - dx * part, p[1] - az - dz * part) < 2.0 * l->near;
}

// The cost of the rest of a line from t on, in this polygon first; INFINITY where it leads off.
static double walk(line *l, uint32_t polygon, uint32_t came_from, double t, int standstill,
                   int depth)
{
    const nav_mesh *mesh = l->ground->mesh;
    const double end = leaves(l, polygon, t);
    if (end < 0.0 || depth > DEPTH_MAX || standstill > STANDSTILL_MAX || ++l->tries > 20000) {
        return (double)INFINITY;
    }
    double from[2], to[2];
    at(l, t, from);
    at(l, end, to);
    const double here = ground_line_cost(l->ground, polygon, from, to);
    double least = end >= 1.0 ? here : (double)INFINITY;
    for (uint32_t i = mesh->portal_first[polygon]; i < mesh->portal_first[polygon + 1]; ++i) {
        const nav_portal *portal = &mesh->portals[i];
        if (portal->to == came_from || !(ground_cost(l->ground, portal->to) < (double)INFINITY)) {
            continue;
        }
        const bool on_way = (end - t) * l->length > l->near;
        if (end < 1.0 && is_on(l, portal, to)) {
            least = fmin(least, here + walk(l, portal->to, polygon, end,
                                            on_way ? 0 : standstill + 1, depth + 1));
        }
        if (on_way && is_on(l, portal, from)) {
            least = fmin(least, walk(l, portal->to, polygon, t, standstill + 1, depth + 1));
        }
    }
    return least;
}

static uint32_t homes_of(const priced_ground *g, const float point[3], nav_location out[HOMES_MAX])
{
    return nav_query_nearest(
        g->mesh, point, (nav_snap){1e-5f + 2e-7f * (fabsf(point[0]) + fabsf(point[2])), RISE, RISE},
        NAV_NONE, out, HOMES_MAX);
}

// What a straight walk costs; INFINITY where it leads off the ground.
static double walk_cost(const priced_ground *g, const float from[3], const float to[3])
{
    line l = {
        .ground = g, .a = {(double)from[0], (double)from[2]}, .b = {(double)to[0], (double)to[2]}};
    l.near = ON_LINE + ON_LINE_PART * (fabs(l.a[0]) + fabs(l.a[1]));
    l.length = hypot(l.b[0] - l.a[0], l.b[1] - l.a[1]);
    nav_location homes[HOMES_MAX];
    const uint32_t count = homes_of(g, from, homes);
    double least = (double)INFINITY;
    for (uint32_t i = 0; i < count; ++i) {
        if (ground_cost(g, homes[i].polygon) < (double)INFINITY) {
            least = fmin(least, walk(&l, homes[i].polygon, NAV_NONE, 0.0, 0, 0));
        }
    }
    return least;
}

double ground_slack(const priced_ground *g, const float (*points)[3], uint32_t count,
                    uint32_t *where)
{
    double most = 0.0;
    for (uint32_t i = 1; i + 1 < count; ++i) {
        const double before =
            walk_cost(g, points[i - 1], points[i]) + walk_cost(g, points[i], points[i + 1]);
        double least = walk_cost(g, points[i - 1], points[i + 1]);
        for (int k = 0; k < (int)(sizeof MOVES / sizeof MOVES[0]) * DIRECTIONS; ++k) {
            const double angle = TURN * (k % DIRECTIONS + 0.3) / DIRECTIONS;
            const double far = MOVES[k / DIRECTIONS];
            const float moved[3] = {(float)((double)points[i][0] + cos(angle) * far), points[i][1],
                                    (float)((double)points[i][2] + sin(angle) * far)};
            const double first = walk_cost(g, points[i - 1], moved);
            least = first < least ? fmin(least, first + walk_cost(g, moved, points[i + 1])) : least;
        }
        if (before < (double)INFINITY && before - least > most) {
            most = before - least;
            *where = i;
        }
    }
    return most;
}
