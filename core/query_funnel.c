// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_funnel.c: string pulling: the shortest line through a corridor of portals, in plan view.
// Demyen, "Efficient triangulation-based pathfinding", 2006; Mononen, "Simple stupid funnel
// algorithm", 2010.
//
//            left     The funnel opens from the apex, between a left and a right ray. Each portal
//           /         may only narrow it. Where a portal's right end crosses the left ray, the line
//     apex <   ===>   must bend around the left point: that is a corner, the next apex, and the
//           \         scan begins anew behind it. The same the other way round.
//            right

#include "query.h"

#include <string.h>

// An end of a portal: where it is, which mesh vertex, and at which portal the scan continues when
// it becomes the apex.
typedef struct side {
    float at[2];
    uint32_t vertex; // NAV_NONE: the path's start or end
    uint32_t next;
} side;

typedef struct string {
    const nav_view *view;
    const float *end;
    float (*points)[3];
    uint32_t count;
} string;

// Positive where c lies to the right of the line a -> b, seen from above.
static double cross(const float a[2], const float b[2], const float c[2])
{
    return ((double)b[0] - (double)a[0]) * ((double)c[1] - (double)a[1]) -
           ((double)b[1] - (double)a[1]) * ((double)c[0] - (double)a[0]);
}

static bool same_place(const float a[2], const float b[2])
{
    return a[0] == b[0] && a[1] == b[1];
}

// A point at the very place of the last one adds nothing to the line.
static void add_point(string *s, const float point[3])
{
    const float *last = s->points[s->count - 1];
    if (last[0] != point[0] || last[2] != point[2]) {
        memcpy(s->points[s->count++], point, sizeof *s->points);
    }
}

static void add_corner(string *s, const side *corner)
{
    add_point(s, corner->vertex == NAV_NONE ? s->end : nav_view_vertex(s->view, corner->vertex));
}

// Narrows one ray of the funnel to a portal's end. `turn` is 1 for the right ray, -1 for the left.
// Part of the loop: a call would put the rays into memory.
// False where the end crosses the other ray, which then is a corner. Touching it is no crossing:
// the line goes straight past. A ray of no length has no direction, so it cannot be held against
// the end: the scan begins anew behind the portals that end in the apex.
__attribute__((always_inline)) static inline bool
narrow(const float apex[2], side *ray, const side *other, const side *portal_end, double turn)
{
    if (cross(apex, ray->at, portal_end->at) * turn > 0.0) {
        return true; // outside of the funnel: it stays as it is
    }
    if (!same_place(apex, ray->at) &&
        (same_place(apex, other->at) || cross(apex, other->at, portal_end->at) * turn < 0.0)) {
        return false;
    }
    *ray = *portal_end;
    return true;
}

// The apex lies on the portal itself, or by a rounding beyond it, as a point snapped to an edge
// does: the ends are seen half a turn or more apart, which no funnel can tell from the other half.
// Such a portal is passed where one stands.
static bool stands_on(const float apex[2], const side *to_left, const side *to_right)
{
    const float *left = to_left->at, *right = to_right->at;
    double dot = ((double)left[0] - (double)apex[0]) * ((double)right[0] - (double)apex[0]) +
                 ((double)left[1] - (double)apex[1]) * ((double)right[1] - (double)apex[1]);
    return dot < 0.0 && cross(apex, left, right) <= 0.0;
}

uint32_t nav_funnel_pull(const nav_view *view, const float start[3], const float end[3],
                         const uint32_t *corridor, uint32_t count, float (*points)[3])
{
    string s = {.view = view, .end = end, .points = points, .count = 1};
    memcpy(points[0], start, sizeof *points);
    side apex = {.at = {start[0], start[2]}, .vertex = NAV_NONE};
    side left = apex;
    side right = apex;
    // The end is one more portal, of no width.
    for (uint32_t i = 0; i <= count; ++i) {
        side to_left = {.at = {end[0], end[2]}, .vertex = NAV_NONE, .next = i + 1};
        side to_right = to_left;
        if (i < count) {
            const nav_portal *portal = nav_view_portal(view, corridor[i]);
            to_left = (side){{portal->left[0], portal->left[1]}, portal->left_vertex, i + 1};
            to_right = (side){{portal->right[0], portal->right[1]}, portal->right_vertex, i + 1};
        }
        if (same_place(apex.at, left.at) && same_place(apex.at, right.at) &&
            stands_on(apex.at, &to_left, &to_right)) {
            continue;
        }
        const side *corner = NULL;
        if (!narrow(apex.at, &right, &left, &to_right, 1.0)) {
            corner = &left;
        } else if (!narrow(apex.at, &left, &right, &to_left, -1.0)) {
            corner = &right;
        }
        if (corner != NULL) {
            apex = *corner;
            add_corner(&s, &apex);
            left = apex;
            right = apex;
            i = apex.next - 1;
        }
    }
    add_point(&s, end);
    return s.count;
}
