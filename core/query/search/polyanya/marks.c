// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// marks.c: the shortest ways to turning vertices that a search knows.

#include "core/query/search/polyanya/expansion.h"

#include "core/query/obstacles/cut.h"
#include "core/query/view/scratch.h"

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

// Whether all ground around a turning vertex, of the mesh or of an overlay, is known to be open.
static bool is_open_around(const nav_polyanya *s, uint32_t number)
{
    const nav_view *view = s->view;
    if (number >= view->mesh->turning_vertex_count) {
        return view->costs->open_but_for_switches && !view->overlay->costs.has_switches;
    }
    const uint16_t ground = view->mesh->turning_grounds[number];
    return ground == NAV_TURNING_PLAIN
               ? view->costs->open_but_for_switches
               : ground != NAV_TURNING_MIXED && view->ground[ground] < INFINITY;
}

// The number of an end's turning vertex holds where all is open around the end.
uint32_t nav_turning_beside_closed(const nav_polyanya *s, uint32_t portal, const uint32_t ends[2],
                                   int right)
{
    return s->keeps_numbers && is_open_around(s, ends[right] & NAV_TURNING_NUMBER)
               ? ends[right]
               : nav_turning_on_foot(s->view, portal, right) + s->on_foot;
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
