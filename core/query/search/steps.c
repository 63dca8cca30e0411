// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// steps.c: the polygons along a path that has been found: its corridor, each portal with the
// piece of the path that crosses it.

#include "core/base/plane.h"
#include "core/base/tolerances.h"
#include "core/query/search/search.h"

#include <math.h>

// How far point i lies from a portal, squared.
static double point_distance2_to(const nav_path *path, uint32_t i, const nav_portal *portal)
{
    const float *p = path->points + 3 * (size_t)i;
    const float at[2] = {p[0], p[2]};
    return nav_plane_segment_distance2_of(portal->left, portal->right, at);
}

// How far the segment from point i on lies from a portal, squared; 0 where they cross.
static double piece_distance2(const nav_path *path, uint32_t i, const nav_portal *portal)
{
    const float *p = path->points + 3 * (size_t)i;
    const float *q = i + 1 < path->point_count ? p + 3 : p;
    const double a[2] = {(double)p[0], (double)p[2]}, b[2] = {(double)q[0], (double)q[2]};
    const double l[2] = {(double)portal->left[0], (double)portal->left[1]};
    const double r[2] = {(double)portal->right[0], (double)portal->right[1]};
    return nav_plane_segments_distance2(a, b, l, r);
}

// A position on a path: on the point, or between it and the next.
typedef nav_path_spot spot;

// The first position, from point `from` on, where the path comes to the portal; or comes closest,
// where rounding lets all of it miss. A segment that comes there with its end is not the one that
// goes on behind it.
static spot find_begin(const nav_path *path, uint32_t from, const nav_portal *portal)
{
    const double reach =
        NAV_TOUCH_RATIO * (1.0 + fabs((double)portal->left[0]) + fabs((double)portal->left[1]));
    NAV_DCHECK(from < path->point_count);
    const double reach2 = reach * reach;
    spot best = {.point = from};
    double best2 = HUGE_VAL, begin2 = point_distance2_to(path, from, portal);
    for (uint32_t i = from; i < path->point_count && best2 > reach2; ++i) {
        const bool last = i + 1 == path->point_count;
        const double end2 = last ? begin2 : point_distance2_to(path, i + 1, portal);
        const double distance2 = piece_distance2(path, i, portal);
        if (distance2 < best2) {
            const double near2 = distance2 > reach2 ? distance2 : reach2;
            const bool at_begin = begin2 <= near2, at_end = !last && !at_begin && end2 <= near2;
            best = (spot){.point = i + at_end, .on_point = at_begin || at_end};
            best2 = distance2;
        }
        begin2 = end2;
    }
    return best;
}

// The position, from point `from` on, where the path crosses the corridor's portal number `at`.
// It is known, as a point of the path, where the ground behind the portal has another cost.
static spot find_crossing(const nav_path *path, uint32_t from, uint32_t at)
{
    const nav_corridor *corridor = path->corridor;
    const nav_view *view = &corridor->view;
    const nav_portal *portal = nav_view_portal(view, corridor->portals[at]);
    NAV_DCHECK(at < path->corridor_count);
    if (!view->costs->uniform &&
        nav_polygon_cost(view, portal->from) != nav_polygon_cost(view, portal->to)) {
        const float *crossing = corridor->crossings[at];
        for (uint32_t i = from; i < path->point_count; ++i) {
            const float *point = path->points + 3 * (size_t)i;
            if (point[0] == crossing[0] && point[2] == crossing[1]) {
                return (spot){.point = i, .on_point = true};
            }
        }
    }
    return find_begin(path, from, portal);
}

// The point at which a link ends: the first from `from` on that is its end.
static spot find_arc_end(const nav_path *path, uint32_t from, const nav_arc *arc)
{
    for (uint32_t i = from; i < path->point_count; ++i) {
        const float *point = path->points + 3 * (size_t)i;
        if (point[0] == arc->end[0] && point[1] == arc->end[1] && point[2] == arc->end[2]) {
            return (spot){.point = i, .on_point = true};
        }
    }
    return (spot){.point = from, .on_point = true};
}

// Whether a path that has crossed an edge within a piece comes back over it next: polygons are
// convex, so that it has to turn before.
static bool turns_back(const nav_path_walk *walk, uint32_t at)
{
    const nav_corridor *corridor = walk->path->corridor;
    const nav_view *view = &corridor->view;
    return at > 0 && walk->arc == NULL && !walk->spot.on_point &&
           walk->spot.point + 1 < walk->path->point_count &&
           !nav_portal_is_arc(view, corridor->portals[at]) &&
           nav_view_back(view, nav_view_portal(view, corridor->portals[at])) ==
               corridor->portals[at - 1];
}

// ---- exported ----

bool nav_path_walk_next(nav_path_walk *walk)
{
    const nav_path *path = walk->path;
    const nav_corridor *corridor = path->corridor;
    NAV_ASSERT(path->corridor_count <= corridor->capacity);
    NAV_ASSERT(path->points == corridor->points[0]); // no other query has used the scratch since
    if (walk->crossed == path->corridor_count) {
        return false;
    }
    const nav_view *view = &corridor->view;
    const uint32_t at = walk->crossed++;
    NAV_DCHECK(at > 0 || nav_view_from(view, corridor->portals[0]) == corridor->first_polygon);
    NAV_DCHECK(at == 0 || nav_view_from(view, corridor->portals[at]) ==
                              nav_view_to(view, corridor->portals[at - 1]));
    const uint32_t from = walk->spot.point + turns_back(walk, at);
    walk->portal = corridor->portals[at];
    walk->arc = nav_portal_is_arc(view, walk->portal) ? nav_portal_arc(view, walk->portal) : NULL;
    walk->spot =
        walk->arc != NULL ? find_arc_end(path, from, walk->arc) : find_crossing(path, from, at);
    NAV_ASSERT(walk->spot.point < path->point_count);
    return true;
}

uint32_t nav_query_path_steps(const nav_path *path, nav_path_step *out, uint32_t capacity)
{
    if (path->point_count == 0 || capacity == 0) {
        return 0;
    }
    const nav_view *view = &path->corridor->view;
    uint32_t count = 0;
    out[count++] = (nav_path_step){
        .polygon = path->start_polygon, .link = NAV_NONE, .point = 0, .on_point = true};
    nav_path_walk walk = {.path = path};
    while (count < capacity && nav_path_walk_next(&walk)) {
        const nav_path_step step = {.polygon = nav_view_base(view, nav_view_to(view, walk.portal)),
                                    .link = walk.arc != NULL ? walk.arc->link : NAV_NONE,
                                    .point = walk.spot.point,
                                    .on_point = walk.spot.on_point};
        // Fragments of one polygon are reported as one.
        if (step.link != NAV_NONE || step.polygon != out[count - 1].polygon) {
            out[count++] = step;
        }
    }
    return count;
}
