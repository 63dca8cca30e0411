// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// marks.c: the shortest ways to turning vertices that a search knows, and the numbers of turning
// vertices where ground is closed.

#include "core/query/search/polyanya/expansion.h"

// The most polygons of a walk around a place. Over non-manifold edges it might never come back.
#define FAN_MAX 256

void nav_turning_mark_begin(const nav_polyanya *s, nav_turning_mark *mark, uint32_t portal,
                            int right)
{
    const uint32_t turning_vertex =
        s->view->mesh->portal_turning_vertices[portal][right] & NAV_TURNING_NUMBER;
    mark->g = (double)INFINITY;
    mark->stamp = s->scratch->stamp;
    mark->left = s->goal.bound != NULL ? nav_alt_bound_at(s->goal.bound, turning_vertex) : 0.0f;
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

// The first portal out of `polygon` that ends in this place on the left, or on the right.
static uint32_t find_end(const nav_mesh *mesh, uint32_t polygon, uint32_t without,
                         const float place[2], bool left)
{
    const uint32_t end = mesh->portal_first[polygon + 1];
    for (uint32_t i = mesh->portal_first[polygon]; i < end; ++i) {
        const nav_portal *portal = &mesh->portals[i];
        if (portal->to != without && nav_plane_same(left ? portal->left : portal->right, place)) {
            return i;
        }
    }
    return NAV_NONE;
}

// If ground is closed, the number of the ground that hangs together around an end of a portal is
// that of the last portal on a walk around it to the left, or of the least where the walk comes
// round; then no path turns there.
uint32_t nav_turning_on_foot(const nav_view *view, uint32_t portal, int right)
{
    const nav_mesh *mesh = view->mesh;
    NAV_DCHECK(portal < mesh->edge_portal_count);
    const nav_portal *first = &mesh->portals[portal];
    const float place[2] = {right ? first->right[0] : first->left[0],
                            right ? first->right[1] : first->left[1]};
    // The walk begins with a portal that has the place on its left.
    uint32_t at = right ? find_end(mesh, first->to, NAV_NONE, place, true) : portal;
    uint32_t begin = at, least = at;
    for (int steps = 0; at != NAV_NONE && steps < FAN_MAX; ++steps) {
        const nav_portal *over = &mesh->portals[at];
        uint32_t next = find_end(mesh, over->to, over->from, place, true);
        if (next == NAV_NONE || nav_polygon_cost(view, mesh->portals[next].to) == INFINITY) {
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
