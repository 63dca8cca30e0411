// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// marks.c: the shortest ways to turning vertices that a search knows, and the numbers of turning
// vertices where ground is closed or cut out.

#include "core/query/search/polyanya/expansion.h"

// The most polygons of a walk around a point. Over non-manifold edges it might never come back.
#define FAN_MAX 256

// Of so many portals of a polygon landmarks are asked where an end has none of its own.
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

// Whether a portal is another one, seen from its other side.
static bool is_back(const nav_portal *portal, const nav_portal *over)
{
    return portal->to == over->from && nav_plane_same(portal->left, over->right) &&
           nav_plane_same(portal->right, over->left);
}

// The portal with this point on its left out of the polygon that is entered over another one.
static uint32_t find_next(const nav_view *view, const nav_portal *over, const float point[2],
                          bool may_return)
{
    const nav_face face = nav_view_face(view, over->to);
    for (uint32_t i = 0; i < face.portal_count; ++i) {
        const nav_portal *portal = &face.portals[i];
        if (nav_plane_same(portal->left, point) && (may_return || !is_back(portal, over))) {
            return face.portal_first + i;
        }
    }
    return NAV_NONE;
}

// If ground is closed, or cut out, the number of the ground that hangs together around an end of a
// portal is that of the last portal on a walk around it to the left, or of the least where the walk
// comes round; then no path turns there.
uint32_t nav_turning_on_foot(const nav_view *view, uint32_t portal, int right)
{
    const nav_portal *first = nav_view_portal(view, portal);
    const float point[2] = {right ? first->right[0] : first->left[0],
                            right ? first->right[1] : first->left[1]};
    // The walk begins with a portal that has the point on its left.
    uint32_t at = right ? find_next(view, first, point, true) : portal;
    uint32_t begin = at, least = at;
    for (int steps = 0; at != NAV_NONE && steps < FAN_MAX; ++steps) {
        const uint32_t next = find_next(view, nav_view_portal(view, at), point, false);
        if (next == NAV_NONE ||
            nav_polygon_cost(view, nav_view_portal(view, next)->to) == INFINITY) {
            return (2 * at) | NAV_TURNING_POSSIBLE;
        }
        at = next;
        least = at < least ? at : least;
        if (at == begin) {
            return 2 * least;
        }
    }
    return (2 * portal + 1) | NAV_TURNING_POSSIBLE;
}

// ---- turning vertices of an overlay ----

static bool is_numbered(uint32_t end)
{
    return (end & NAV_TURNING_NUMBER) != NAV_TURNING_NUMBER;
}

static void set_number(uint32_t *end, uint32_t number)
{
    *end = (*end & ~NAV_TURNING_NUMBER) | number;
}

// The same walk as nav_turning_on_foot, from the left end of a portal of the overlay, but no
// further than to where another one has been. All ends on the way get its number.
static void number_left(const nav_view *view, uint32_t portal)
{
    const uint32_t before = view->mesh->portal_count;
    uint32_t(*ends)[2] = view->overlay->turning_vertices;
    uint32_t passed[FAN_MAX], count = 0, least = portal, at = portal;
    const float *point = nav_view_portal(view, portal)->left;
    uint32_t number =
        (2 * (portal - before) + 1 + view->mesh->turning_vertex_count) | NAV_TURNING_POSSIBLE;
    while (count < FAN_MAX) {
        passed[count++] = at;
        least = at < least ? at : least;
        const uint32_t next = find_next(view, nav_view_portal(view, at), point, false);
        // All ground around it is the overlay's; a portal of the mesh is another ground's.
        if (next == NAV_NONE || next < before || next == portal) {
            number =
                2 * ((next == portal ? least : at) - before) + view->mesh->turning_vertex_count;
            number |= next == portal ? 0 : NAV_TURNING_POSSIBLE;
            break;
        }
        if (is_numbered(ends[next - before][0])) {
            number = ends[next - before][0] & (NAV_TURNING_NUMBER | NAV_TURNING_POSSIBLE);
            break;
        }
        at = next;
    }
    for (uint32_t i = 0; i < count; ++i) {
        set_number(&ends[passed[i] - before][0], number);
    }
}

// A portal's right end is the left one of the same portal from its other side.
static void number_right(const nav_view *view, uint32_t portal)
{
    const uint32_t before = view->mesh->portal_count;
    uint32_t(*ends)[2] = view->overlay->turning_vertices;
    const nav_portal *over = nav_view_portal(view, portal);
    const uint32_t back = find_next(view, over, over->right, true);
    uint32_t number =
        (2 * (portal - before) + 1 + view->mesh->turning_vertex_count) | NAV_TURNING_POSSIBLE;
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
