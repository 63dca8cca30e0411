// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// marks.c: the shortest ways to turning vertices that a search knows, and the numbers of turning
// vertices where ground is closed or cut out.

#include "core/query/search/polyanya/expansion.h"

// The most polygons of a walk around a point. Over non-manifold edges it might never come back.
#define FAN_MAX 256

// How many portals of a polygon are asked for landmarks, for an end that has none.
#define ASKED_PORTALS_MAX 8u

// The bound that the ends of a polygon's portals know of ways to the goal, at a point within it:
// less by how far they are from it.
static float bound_within(const nav_polyanya *s, uint32_t polygon, const float point[2])
{
    const nav_mesh *mesh = s->view->mesh;
    const uint32_t first = mesh->portal_first[polygon];
    const uint32_t end = mesh->portal_first[polygon + 1];
    double most = 0.0;
    for (uint32_t i = first; i < end && i < first + ASKED_PORTALS_MAX; ++i) {
        const float *ends[2] = {mesh->portals[i].left, mesh->portals[i].right};
        for (int right = 0; right < 2; ++right) {
            const uint32_t number = mesh->portal_turning_vertices[i][right] & NAV_TURNING_NUMBER;
            most = fmax(most, (double)nav_alt_bound_at(s->goal.bound, number) -
                                  nav_plane_distance_of(ends[right], point));
        }
    }
    return (float)most;
}

// No way from an end of a portal of the overlay to the goal is shorter.
__attribute__((noinline)) static float bound_beside_shapes(const nav_polyanya *s, uint32_t portal,
                                                           int right)
{
    const nav_view *view = s->view;
    const nav_portal *at = nav_view_portal(view, portal);
    const uint32_t number = nav_view_turning_vertices(view, portal)[right] & NAV_TURNING_NUMBER;
    return number < view->mesh->turning_vertex_count
               ? nav_alt_bound_at(s->goal.bound, number)
               : bound_within(s, nav_view_base(view, at->from), right ? at->right : at->left);
}

void nav_turning_mark_begin(const nav_polyanya *s, nav_turning_mark *mark, uint32_t portal,
                            int right)
{
    mark->g = (double)INFINITY;
    mark->stamp = s->scratch->stamp;
    if (s->goal.bound == NULL) {
        mark->left = 0.0f;
    } else if (portal < s->overlay_first) {
        const uint32_t turning_vertex =
            s->view->mesh->portal_turning_vertices[portal][right] & NAV_TURNING_NUMBER;
        mark->left = nav_alt_bound_at(s->goal.bound, turning_vertex);
    } else {
        mark->left = bound_beside_shapes(s, portal, right);
    }
}

bool nav_polyanya_note(nav_polyanya *s, uint32_t number, double g)
{
    NAV_DCHECK(number >= s->arc_base);
    NAV_DCHECK(g >= 0.0);
    if (has_landed(s, number, g)) {
        return false;
    }
    s->scratch->marks[number] = (nav_turning_mark){.g = g, .stamp = s->scratch->stamp};
    return true;
}

// The portal with this point on its left out of the polygon that is entered over another one.
static uint32_t find_next(const nav_view *view, const nav_portal *over, const float point[2],
                          bool may_return)
{
    const nav_face face = nav_view_face(view, over->to);
    for (uint32_t i = 0; i < face.portal_count; ++i) {
        const nav_portal *portal = &face.portals[i];
        if (nav_plane_same(portal->left, point) &&
            (may_return || !nav_portal_is_back(portal, over))) {
            return face.portal_first + i;
        }
    }
    return NAV_NONE;
}

// The end of a walk around a point.
typedef enum fan_end {
    FAN_WALL,  // no ground comes next, or it is closed
    FAN_ROUND, // the first portal comes next
    FAN_KNOWN, // a portal comes next whose end has a number
    FAN_LOST,  // none within FAN_MAX portals
} fan_end;

// The ground that hangs together around a point, as a walk to the left meets it.
typedef struct fan {
    uint32_t passed[FAN_MAX], count; // portals with the point on their left
    fan_end end;
    uint32_t portal; // that numbers the ground: the last one, the least of those that come round,
                     // or the one that has a number
} fan;

static bool is_numbered(uint32_t end)
{
    return (end & NAV_TURNING_NUMBER) != NAV_TURNING_NUMBER;
}

// Walks from a portal with the point on its left. With the `numbers` of an overlay's portals the
// walk goes no farther than to where another one has been; all ground around the point is the
// overlay's then, and a portal of the mesh is another ground's.
static void walk_around(const nav_view *view, uint32_t first, const float point[2],
                        const uint32_t (*numbers)[2], fan *f)
{
    const uint32_t before = numbers != NULL ? view->mesh->portal_count : 0;
    uint32_t at = first, least = first;
    for (f->count = 0; f->count < FAN_MAX;) {
        f->passed[f->count++] = at;
        least = at < least ? at : least;
        const uint32_t next = find_next(view, nav_view_portal(view, at), point, false);
        if (next == NAV_NONE || next < before ||
            nav_polygon_cost(view, nav_view_portal(view, next)->to) == INFINITY) {
            f->end = FAN_WALL;
            f->portal = at;
            return;
        }
        if (next == first) {
            f->end = FAN_ROUND;
            f->portal = least;
            return;
        }
        if (numbers != NULL && is_numbered(numbers[next - before][0])) {
            f->end = FAN_KNOWN;
            f->portal = next;
            return;
        }
        at = next;
    }
    f->end = FAN_LOST;
    f->portal = first;
}

// If ground is closed, or cut out, the number of the ground that hangs together around an end of a
// portal is that of the last portal on a walk around it to the left, or of the least where the walk
// comes round; then no path turns there.
uint32_t nav_turning_on_foot(const nav_view *view, uint32_t portal, int right)
{
    const nav_portal *of = nav_view_portal(view, portal);
    const float point[2] = {right ? of->right[0] : of->left[0], right ? of->right[1] : of->left[1]};
    // The walk begins with a portal that has the point on its left.
    const uint32_t first = right ? find_next(view, of, point, true) : portal;
    fan f; // its list is not cleared: closed ground asks here for every end
    f.end = FAN_LOST;
    if (first != NAV_NONE) {
        walk_around(view, first, point, NULL, &f);
    }
    return f.end == FAN_ROUND  ? 2 * f.portal
           : f.end == FAN_WALL ? (2 * f.portal) | NAV_TURNING_POSSIBLE
                               : (2 * portal + 1) | NAV_TURNING_POSSIBLE;
}

// ---- turning vertices of an overlay ----

static void set_number(uint32_t *end, uint32_t number)
{
    *end = (*end & ~NAV_TURNING_NUMBER) | number;
}

// The number of an end that no walk leads away from.
static uint32_t number_alone(const nav_mesh *mesh, uint32_t portal)
{
    return (2 * (portal - mesh->portal_count) + 1 + mesh->turning_vertex_count) |
           NAV_TURNING_POSSIBLE;
}

// The same number as nav_turning_on_foot's, behind those of the mesh, of the left end of a portal
// of the overlay. All ends on the way get it.
static void number_left(const nav_view *view, uint32_t portal)
{
    const uint32_t before = view->mesh->portal_count;
    uint32_t(*ends)[2] = view->overlay->turning_vertices;
    fan f;
    walk_around(view, portal, nav_view_portal(view, portal)->left, (const uint32_t(*)[2])ends, &f);
    uint32_t number = 2 * (f.portal - before) + view->mesh->turning_vertex_count;
    if (f.end == FAN_WALL) {
        number |= NAV_TURNING_POSSIBLE;
    } else if (f.end == FAN_KNOWN) {
        number = ends[f.portal - before][0] & (NAV_TURNING_NUMBER | NAV_TURNING_POSSIBLE);
    } else if (f.end == FAN_LOST) {
        number = number_alone(view->mesh, portal);
    }
    for (uint32_t i = 0; i < f.count; ++i) {
        set_number(&ends[f.passed[i] - before][0], number);
    }
}

// A portal's right end is the left one of the same portal from its other side.
static void number_right(const nav_view *view, uint32_t portal)
{
    const uint32_t before = view->mesh->portal_count;
    uint32_t(*ends)[2] = view->overlay->turning_vertices;
    const nav_portal *over = nav_view_portal(view, portal);
    const uint32_t back = find_next(view, over, over->right, true);
    uint32_t number = number_alone(view->mesh, portal);
    if (back != NAV_NONE && back >= before) {
        number = ends[back - before][0] & (NAV_TURNING_NUMBER | NAV_TURNING_POSSIBLE);
    }
    set_number(&ends[portal - before][1], number);
}

void nav_turning_number_overlay(const nav_view *view)
{
    const nav_overlay *overlay = view->overlay;
    const uint32_t before = view->mesh->portal_count;
    for (int right = 0; right < 2; ++right) {
        for (uint32_t i = 0; i < overlay->portal_count; ++i) {
            if (!is_numbered(overlay->turning_vertices[i][right])) {
                (right ? number_right : number_left)(view, before + i);
            }
        }
    }
}
