// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// limits.c: how far a path leads: one that has been found, ended where its question lets it end
// (goal_radius) or not go on (max_cost, max_length).
//
//   start ----- bend - - - x . . . . . end     Pieces between two points are walked over ground of
//                     link                      one cost, or are links, which nothing divides. The
//                                               new end lies on the last piece that fits.

#include "core/query/path/path.h"

#include "core/base/plane.h"
#include "core/base/tolerances.h"

#include <math.h>
#include <string.h>

// ---- along the path ----

// How far a path is followed at most.
typedef struct extent {
    double cost, length;
    uint32_t links;
    double walked; // in plan view, since the last of them
} extent;

#define EXTENT_ALL                                                                                 \
    ((extent){.cost = (double)INFINITY, .length = (double)INFINITY, .walked = (double)INFINITY})

// A path that is followed from its start.
typedef struct follower {
    const nav_path *path;
    const nav_view *view;
    nav_path_walk walk; // the next portal
    bool has_portal;
    uint32_t crossed; // portals up to here
    uint32_t polygon; // that has been entered last
    uint32_t point;   // up to which all has been followed
    extent so_far;
    float stop[3]; // behind the point, where `stops`: on the piece that follows
    bool stops;
} follower;

static const float *point_of(const follower *f, uint32_t index)
{
    NAV_DCHECK(index < f->path->point_count);
    return f->path->points + 3 * (size_t)index;
}

static follower follow_begin(const nav_path *path)
{
    const nav_view *view = &path->corridor->view;
    follower f = {.path = path, .view = view, .walk = {.path = path}};
    f.polygon = path->corridor->first_polygon;
    f.has_portal = nav_path_walk_next(&f.walk);
    return f;
}

static void cross(follower *f)
{
    NAV_DCHECK(f->has_portal);
    if (f->walk.arc != NULL) {
        ++f->so_far.links;
        f->so_far.walked = 0.0;
    }
    f->polygon = nav_view_to(f->view, f->walk.portal);
    f->crossed = f->walk.crossed;
    f->has_portal = nav_path_walk_next(&f->walk);
}

// Crosses what is crossed up to the point at hand. A link that leads nowhere else is taken there:
// false where that would cost too much.
static bool cross_at_point(follower *f, const extent *most)
{
    while (f->has_portal && (f->walk.spot.point < f->point ||
                             (f->walk.spot.point == f->point && f->walk.spot.on_point))) {
        const nav_arc *arc = f->walk.arc;
        const double cost =
            arc != NULL && nav_arc_is_zero_length(arc) ? (double)nav_arc_cost(f->view, arc) : 0.0;
        if (cost > 0.0 && f->so_far.cost + cost > most->cost) {
            return false;
        }
        f->so_far.cost += cost;
        cross(f);
    }
    return true;
}

// The link that leads from the point at hand to the next, or NULL.
static const nav_arc *link_ahead(const follower *f)
{
    const nav_arc *arc = f->has_portal ? f->walk.arc : NULL;
    const float *from = point_of(f, f->point);
    return arc != NULL && f->walk.spot.point == f->point + 1 && !nav_arc_is_zero_length(arc) &&
                   arc->start[0] == from[0] && arc->start[2] == from[2]
               ? arc
               : NULL;
}

static bool take_link(follower *f, const nav_arc *arc, const extent *most)
{
    const double cost = (double)nav_arc_cost(f->view, arc);
    const double length = nav_space_distance(point_of(f, f->point), point_of(f, f->point + 1));
    if (f->so_far.cost + cost > most->cost || f->so_far.length + length > most->length) {
        return false;
    }
    f->so_far.cost += cost;
    f->so_far.length += length;
    cross(f);
    return true;
}

// The part of the piece a -> b up to where it comes to a portal.
static double ratio_to_portal(const float a[3], const float b[3], const nav_portal *portal)
{
    const float from[2] = {a[0], a[2]}, to[2] = {b[0], b[2]};
    const double before = nav_plane_side_of(portal->left, portal->right, from);
    const double behind = nav_plane_side_of(portal->left, portal->right, to);
    if ((before > 0.0) != (behind > 0.0) && before != behind) {
        return before / (before - behind);
    }
    double leg[2], left[2], right[2];
    nav_plane_offset(from, to, leg);
    nav_plane_offset(from, portal->left, left);
    nav_plane_offset(from, portal->right, right);
    return fmin(nav_plane_closest(leg[0], leg[1], left[0], left[1]),
                nav_plane_closest(leg[0], leg[1], right[0], right[1]));
}

// The position at part t of the piece from the point at hand on; *f has then crossed what is before
// it.
static void stop_at(follower *f, double t)
{
    const float *a = point_of(f, f->point), *b = point_of(f, f->point + 1);
    while (f->has_portal && f->walk.arc == NULL && f->walk.spot.point == f->point &&
           ratio_to_portal(a, b, nav_view_portal(f->view, f->walk.portal)) <= t) {
        cross(f);
    }
    f->stop[0] = (float)nav_plane_mix((double)a[0], (double)b[0], t);
    f->stop[2] = (float)nav_plane_mix((double)a[2], (double)b[2], t);
    f->stop[1] = nav_view_height(f->view, f->polygon, f->stop[0], f->stop[2]);
}

// The part of a piece that fits: what is left of *most is so many times the piece.
static double ratio_within(const follower *f, const extent *piece, const extent *most)
{
    const bool counts = f->so_far.links >= most->links;
    const double walked = counts ? most->walked - f->so_far.walked : (double)INFINITY;
    return fmin(fmin(walked / piece->walked, (most->cost - f->so_far.cost) / piece->cost),
                (most->length - f->so_far.length) / piece->length);
}

static extent piece_between(const float a[3], const float b[3], double step)
{
    const double walked = nav_plane_distance_xz(a, b);
    return (extent){.cost = walked * step, .length = nav_space_distance(a, b), .walked = walked};
}

static void add_piece(follower *f, const extent *piece)
{
    f->so_far.walked += piece->walked;
    f->so_far.cost += piece->cost;
    f->so_far.length += piece->length;
}

// A stop is rounded, and the ground between two points may rise higher than both: it is then
// farther away than its part of the piece. Goes back until it is not, by more each time: where
// coordinates are large the last steps are longer than those of a rounding.
#define STEPS_BACK_MAX 16

// Ends on the piece at hand, at part t of it or before.
static void stop_on_piece(follower *f, double t, double step, const extent *most)
{
    const float *a = point_of(f, f->point);
    const follower before = *f;
    double back = NAV_PROOF_RATIO;
    for (int i = 0; i <= STEPS_BACK_MAX; ++i) {
        *f = before;
        stop_at(f, t);
        const extent piece = piece_between(a, f->stop, step);
        const double ratio = ratio_within(f, &piece, most);
        if (!(piece.walked > 0.0)) {
            break;
        }
        if (ratio >= 1.0) {
            f->stops = true;
            add_piece(f, &piece);
            return;
        }
        t *= fmax(ratio, 0.0) * (1.0 - back);
        back = fmin(4.0 * back, 0.5);
    }
    *f = before;
}

// Walks from the point at hand to the next. False: no farther than *most.
static bool walk_piece(follower *f, const extent *most)
{
    const float *a = point_of(f, f->point), *b = point_of(f, f->point + 1);
    const double step = (double)nav_polygon_cost(f->view, f->polygon);
    const extent piece = piece_between(a, b, step);
    const double t = ratio_within(f, &piece, most);
    if (t < 1.0) {
        stop_on_piece(f, fmax(t, 0.0), step, most);
        return false;
    }
    add_piece(f, &piece);
    return true;
}

// Follows a path as far as it goes, or as *most lets it.
static follower follow(const nav_path *path, extent most)
{
    follower f = follow_begin(path);
    bool goes_on = cross_at_point(&f, &most);
    while (goes_on && f.point + 1 < path->point_count) {
        const nav_arc *arc = link_ahead(&f);
        goes_on = arc != NULL ? take_link(&f, arc, &most) : walk_piece(&f, &most);
        if (goes_on) {
            ++f.point;
            goes_on = cross_at_point(&f, &most);
        }
    }
    return f;
}

// ---- the answer ----

// Leaves off all behind the follower.
static void cut(nav_scratch *scratch, nav_path *path, const follower *f)
{
    NAV_ASSERT(path->points == scratch->corridor.points[0]);
    NAV_ASSERT(f->point < path->point_count);
    path->point_count = f->point + 1;
    if (f->stops) {
        memcpy(scratch->corridor.points[path->point_count++], f->stop, sizeof f->stop);
    }
    path->corridor_count = f->crossed;
    path->cost = f->so_far.cost;
    path->length = f->so_far.length;
}

// Follows a path up to where no more than a radius is left over ground.
static follower follow_up_to(const nav_path *path, double radius)
{
    extent most = EXTENT_ALL;
    const follower end = follow(path, most);
    most.links = end.so_far.links;
    most.walked = fmax(0.0, end.so_far.walked - radius);
    return radius > 0.0 ? follow(path, most) : end;
}

static nav_path_reason exceeded(const nav_path_request *request, const nav_path *path)
{
    const double cost = path->optimal ? path->lower_bound : path->cost; // the answer's
    return request->max_cost > 0.0 && cost > request->max_cost               ? NAV_REASON_MAX_COST
           : request->max_length > 0.0 && path->length > request->max_length ? NAV_REASON_MAX_LENGTH
                                                                             : NAV_REASON_NULL;
}

static void keep_limits(nav_scratch *scratch, const nav_path_request *request, nav_path *path)
{
    const nav_path_reason reason = exceeded(request, path);
    const bool complete = path->status == NAV_PATH_COMPLETE;
    if (reason == NAV_REASON_NULL) {
        return;
    }
    extent most = EXTENT_ALL;
    most.cost = request->max_cost > 0.0 ? request->max_cost : most.cost;
    most.length = request->max_length > 0.0 ? request->max_length : most.length;
    const follower f = follow(path, most);
    // Nothing of the path is left.
    if (!f.stops && !f.has_portal && f.point + 1 == f.path->point_count) {
        return; // all of it fits: the search has added up the same pieces in another order
    }
    if (complete && request->no_partial) {
        nav_path_leave_empty(path, reason);
        return;
    }
    cut(scratch, path, &f);
    path->optimal = path->folded = false;
    path->status = NAV_PATH_PARTIAL;
    path->reason = complete ? reason : path->reason;
}

// The search may have added up the same pieces in another order.
static bool is_within(double sum, double limit)
{
    return limit == 0.0 || sum <= limit * (1.0 + NAV_PROOF_RATIO);
}

bool nav_path_keeps_limits(const nav_path_request *request, const nav_path *path)
{
    if (path->point_count == 0 || !nav_path_is_limited(request)) {
        return true;
    }
    const follower f = follow_up_to(path, (double)request->goal_radius);
    return is_within(f.so_far.cost, request->max_cost) &&
           is_within(f.so_far.length, request->max_length);
}

void nav_path_shorten(nav_scratch *scratch, const nav_path_request *request, nav_path *path)
{
    const bool complete = path->status == NAV_PATH_COMPLETE;
    // Without any bound and path the question has not come as far as its view.
    if (request->goal_radius > 0.0f && (complete || path->lower_bound > 0.0)) {
        const double radius = (double)request->goal_radius;
        const double ground = nav_view_dearest_ground(&scratch->corridor.view);
        path->lower_bound = fmax(0.0, path->lower_bound - radius * ground);
        if (complete) {
            const follower f = follow_up_to(path, radius);
            cut(scratch, path, &f);
            nav_path_judge(path);
        }
    }
    if (path->point_count > 0) {
        keep_limits(scratch, request, path);
    }
}
