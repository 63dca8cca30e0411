// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// funnel.c: string pulling: the shortest line through a corridor of portals, in plan view.
// Demyen, "Efficient triangulation-based pathfinding", 2006; Mononen, "Simple stupid funnel
// algorithm", 2010.
//
//            left     The funnel opens from the apex, between a left and a right ray. Each portal
//           /         may only narrow it. If a portal's right end crosses the left ray, the line
//     apex <   ===>   must bend around the left point: that is a corner, the next apex, and the
//           \         scan begins anew behind it. The same the other way round.
//            right

#include "core/base/plane.h"
#include "core/query/search/search.h"

#include <string.h>

// From the apex to an end of a portal, in plan view.
typedef struct ray {
    double offset[2];
    bool is_short;  // it ends in the apex, and has no direction
    uint32_t index; // of the portal in the corridor; its count: the path's end
} ray;

static inline ray ray_to(double apex_x, double apex_z, const float at[2], uint32_t index)
{
    const double x = (double)at[0] - apex_x, z = (double)at[1] - apex_z;
    return (ray){{x, z}, (x == 0.0) & (z == 0.0), index};
}

typedef struct string {
    const nav_view *view;
    const uint32_t *corridor;
    uint32_t portal_count;
    const float *end;
    float (*points)[3];
    uint32_t count;
    bool touches; // the last point is a corner that the line may go straight past
} string;

// Whether a line goes straight on in b.
static bool goes_straight(const float a[3], const float b[3], const float c[3])
{
    const double bx = (double)b[0] - (double)a[0], bz = (double)b[2] - (double)a[2];
    const double cx = (double)c[0] - (double)b[0], cz = (double)c[2] - (double)b[2];
    return nav_plane_cross(bx, bz, cx, cz) == 0.0 && nav_plane_dot(bx, bz, cx, cz) > 0.0;
}

// A point at the position of the last one adds nothing to the line, and neither does a corner
// that is touched only.
static inline void add_point(string *s, const float point[3])
{
    NAV_DCHECK(s->count > 0);
    s->count -= s->touches && s->count > 1 &&
                goes_straight(s->points[s->count - 2], s->points[s->count - 1], point);
    s->touches = false;
    const float *last = s->points[s->count - 1];
    if (last[0] != point[0] || last[2] != point[2]) {
        memcpy(s->points[s->count++], point, sizeof *s->points);
    }
}

// Adds the point where a ray ends, and reports it.
static void add_corner(string *s, uint32_t index, bool left, float corner[3])
{
    if (index < s->portal_count) {
        const nav_portal *portal = nav_view_portal(s->view, s->corridor[index]);
        nav_view_vertex(s->view, left ? portal->left_vertex : portal->right_vertex, corner);
    } else {
        memcpy(corner, s->end, sizeof *s->points);
    }
    add_point(s, corner);
}

// Whether a portal's end lies within the funnel as far as the ray on its own side says, so that the
// ray is to end there. `turn` is 1 for the right ray, -1 for the left.
static inline bool narrows(ray side, ray portal_end, double turn)
{
    return nav_plane_cross_rays(side.offset, portal_end.offset) * turn <= 0.0;
}

// Whether a point is beyond a ray, or in line with it: then the line touches the ray's end, and
// goes straight past it, or back around it where the point is nearer.
static inline bool is_beyond(ray side, ray at, double turn)
{
    const double off = nav_plane_cross_rays(side.offset, at.offset) * turn;
    return off < 0.0 ||
           (off == 0.0 && (side.offset[0] != at.offset[0] || side.offset[1] != at.offset[1]));
}

// Whether it then crosses or meets the other ray, whose end is a corner. A ray of no length has no
// direction, so it cannot be held against the end: the scan begins anew behind the portals that end
// in the apex.
static inline bool crosses(ray side, ray other, ray portal_end, double turn)
{
    return !side.is_short && (other.is_short || is_beyond(other, portal_end, turn));
}

// The apex lies on the portal itself, or by a rounding beyond it, as a point snapped to an edge
// does: the ends are seen half a turn or more apart, which no funnel can distinguish from the other
// half. Or it is an end of the portal: the other end says nothing of what comes, and a portal along
// the same edge may be half a turn away from it. Such a portal is passed where one stands.
static inline bool stands_on(ray left, ray right)
{
    return left.is_short || right.is_short ||
           (nav_plane_dot(left.offset[0], left.offset[1], right.offset[0], right.offset[1]) < 0.0 &&
            nav_plane_cross_rays(left.offset, right.offset) <= 0.0);
}

// The same of the goal: held against a funnel that opens by half a turn it could be beyond a ray,
// and the line bend around the far end. Returns how many portals come before those.
static uint32_t count_before(const nav_view *view, const float goal[2], const uint32_t *corridor,
                             uint32_t count)
{
    for (; count > 0; --count) {
        const nav_portal *portal = nav_view_portal(view, corridor[count - 1]);
        double left[2], right[2];
        nav_plane_offset(goal, portal->left, left);
        nav_plane_offset(goal, portal->right, right);
        const bool stands_between = nav_plane_dot(left[0], left[1], right[0], right[1]) < 0.0 &&
                                    nav_plane_cross_rays(left, right) >= 0.0;
        if (!stands_between && !nav_plane_same(goal, portal->left) &&
            !nav_plane_same(goal, portal->right)) {
            break;
        }
    }
    return count;
}

// The nearer end of a portal whose ends lie in line with the apex is passed.
static inline bool is_nearer_end(ray left, ray right)
{
    return left.index == right.index && nav_plane_length2(left.offset[0], left.offset[1]) <
                                            nav_plane_length2(right.offset[0], right.offset[1]);
}

uint32_t nav_funnel_pull(const nav_view *view, const float start[3], const float end[3],
                         const uint32_t *corridor, uint32_t count, float (*points)[3])
{
    string s = {.view = view,
                .corridor = corridor,
                .portal_count = count,
                .end = end,
                .points = points,
                .count = 1};
    memcpy(points[0], start, sizeof *points);
    const float goal[2] = {end[0], end[2]};
    s.portal_count = count = count_before(view, goal, corridor, count);
    if (count == 0) {
        add_point(&s, end);
        return s.count;
    }
    double apex_x = (double)start[0], apex_z = (double)start[2];
    ray left = {.is_short = true}, right = {.is_short = true};
    // The end is one more portal, of no width.
    for (uint32_t i = 0; i <= count; ++i) {
        const nav_portal *portal = i < count ? nav_view_portal(view, corridor[i]) : NULL;
        const ray to_left = ray_to(apex_x, apex_z, portal != NULL ? portal->left : goal, i);
        const ray to_right = ray_to(apex_x, apex_z, portal != NULL ? portal->right : goal, i);
        if (left.is_short && right.is_short && stands_on(to_left, to_right)) {
            continue;
        }
        bool corner_left = false, corner_right = false;
        if (narrows(right, to_right, 1.0)) {
            corner_left = crosses(right, left, to_right, 1.0);
            right = to_right;
        }
        if (!corner_left && narrows(left, to_left, -1.0)) {
            corner_right = crosses(left, right, to_left, -1.0);
            left = corner_right ? left : to_left;
        }
        if (corner_left || corner_right) {
            const bool touches =
                (corner_left ? nav_plane_cross_rays(left.offset, to_right.offset)
                             : nav_plane_cross_rays(right.offset, to_left.offset)) == 0.0;
            const bool at_left = corner_left || (touches && is_nearer_end(to_left, right));
            i = corner_left ? left.index : right.index;
            NAV_DCHECK(i <= count);
            float at[3];
            add_corner(&s, i, at_left, at);
            s.touches = touches;
            apex_x = (double)at[0];
            apex_z = (double)at[2];
            left = right = (ray){.is_short = true};
        }
    }
    add_point(&s, end);
    NAV_ASSERT(s.count <= count + NAV_FUNNEL_POINTS_EXTRA);
    return s.count;
}
