// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// between.c: steps 3 to 9 of a path (path.c): both ends are snapped, and a path is found between
// them.
//
//   one cost, no limits:  Polyanya alone; it writes the points itself, no string is pulled
//   else:                 labels to the goal, a string through their portals, and, where all open
//                         ground costs the same, Polyanya for whatever is shorter still

#include "core/query/path/path.h"

#include "core/base/plane.h"
#include "core/base/tolerances.h"
#include "core/query/question/question.h"

#include <math.h>
#include <string.h>

// ---- both ends on the mesh ----

// The asked point on the mesh, which also replaces it in the answer.
static bool snap_end(const nav_view *view, const nav_options *options, float point[3],
                     nav_location *out, bool *in_shape)
{
    if (!nav_view_snap_end(view, options, point, out, in_shape)) {
        return false;
    }
    memcpy(point, out->position, sizeof out->position);
    return true;
}

// Why a point has no position: whether there is one but for the filter and the shapes to avoid.
static nav_path_reason why_off_mesh(const nav_mesh *mesh, const nav_path_request *request,
                                    const float point[3], nav_path_reason otherwise)
{
    nav_location location;
    return nav_query_nearest(mesh, point, request->options.snap, NAV_NONE, &location, 1) > 0
               ? NAV_REASON_BLOCKED
               : otherwise;
}

bool nav_path_snap(const nav_view *view, const nav_path_request *request, nav_path_ends *ends,
                   nav_path *path)
{
    nav_query_fetch(view->mesh, request->start, request->end);
    const bool start_found =
        snap_end(view, &request->options, path->start, &ends->start, &ends->start_in_shape);
    const bool end_found =
        snap_end(view, &request->options, path->end, &ends->end, &ends->end_in_shape);
    if (start_found && end_found) {
        return true;
    }
    path->reason =
        !start_found ? why_off_mesh(view->mesh, request, request->start, NAV_REASON_START_OFF_MESH)
                     : why_off_mesh(view->mesh, request, request->end, NAV_REASON_END_OFF_MESH);
    return false;
}

// ---- by labels ----

static void begin_corridor(const nav_view *view, nav_scratch *scratch, const nav_location *start,
                           nav_path *path)
{
    scratch->corridor.first_polygon = start->polygon;
    path->start_polygon = nav_view_base(view, start->polygon);
}

// Searches by labels from start to target and pulls the string. Its end is the target itself, or
// how far the search came.
static nav_search_result run_search(const nav_view *view, nav_scratch *scratch,
                                    const nav_path_request *request, const nav_location *start,
                                    const nav_location *target, nav_path *path)
{
    const nav_search_result result = nav_search_run(view, scratch, request, start, target);
    NAV_ASSERT(result.reached || result.count > 0 || result.end_polygon == start->polygon);
    NAV_ASSERT(result.count <= scratch->corridor.capacity);
    float end[3];
    if (result.reached) {
        memcpy(end, target->position, sizeof end);
    } else if (result.count == 0) {
        memcpy(end, start->position, sizeof end);
    } else {
        nav_corridor_stand(view, scratch, result.count - 1, end);
    }
    nav_string_pull(view, scratch, start->position, end, result.count, result.end_polygon, false,
                    path);
    begin_corridor(view, scratch, start, path);
    path->nodes_expanded = result.expanded;
    return result;
}

// Whether all has been seen that the start leads to, and the target was not there.
static bool is_disconnected(const nav_search_result *result)
{
    return !result->reached && !result->out_of_budget && !result->cancelled;
}

// Leads to the spot closest to the goal that open ground and links lead to, with what is left of
// the budget. *target is then that spot. If the question is cancelled, or nothing is left, the
// way that has been found stays.
static nav_status search_closest(const nav_view *view, nav_scratch *scratch,
                                 const nav_path_request *request, const nav_location *start,
                                 nav_location *target, nav_path *path, nav_search_result *result)
{
    const uint32_t expanded = path->nodes_expanded;
    nav_path_request rest = *request;
    if (request->max_nodes > 0 && expanded >= request->max_nodes) {
        return NAV_OK;
    }
    rest.max_nodes -= request->max_nodes > 0 ? expanded : 0;
    NAV_ASSERT((request->max_nodes == 0) == (rest.max_nodes == 0)); // 0: without a limit
    // With a stamp of its own: what the search before has marked does not count.
    nav_reach reach;
    if (!nav_scratch_begin(scratch, view) ||
        !nav_reach_flood(view, scratch, start->polygon, &reach)) {
        return scratch->cancel.cancelled ? NAV_OK : NAV_NO_MEMORY;
    }
    if (nav_view_closest(view, request->end, reach, target)) {
        *result = run_search(view, scratch, &rest, start, target, path);
        path->nodes_expanded += expanded;
    }
    return NAV_OK;
}

// ---- the worth ----

// A path to the goal itself, which no other costs less than `bound`.
static void complete(nav_path *path, double bound)
{
    NAV_ASSERT(path->point_count > 0);
    NAV_ASSERT(path->cost >= 0.0);
    NAV_ASSERT(path->cost < (double)INFINITY);
    NAV_ASSERT(bound >= 0.0);
    path->lower_bound = fmax(path->lower_bound, bound);
    path->status = NAV_PATH_COMPLETE;
    nav_path_judge(path);
}

// ---- by Polyanya ----

// Polyanya needs no fast answer to begin with, but one to fall back on where it may not end, or not
// get through.
static bool is_exact_first(const nav_view *view, const nav_path_request *request)
{
    return request->search != NAV_SEARCH_FAST && request->max_nodes == 0 &&
           !nav_path_is_hurried(request) && view->costs->uniform &&
           !nav_view_has_non_manifold_edges(view);
}

// Whether all portals of a corridor are bridges: then every path leads over them, in this order,
// and the string through them is the shortest of all.
static bool is_only_corridor(const nav_mesh *mesh, const uint32_t *portals, uint32_t count)
{
    bool only = true;
    for (uint32_t i = 0; i < count && only; ++i) {
        only = (mesh->portal_turning_vertices[portals[i]][1] & NAV_TURNING_BRIDGE) != 0;
    }
    return only;
}

// Finds the shortest path over the mesh as it is, and proves it. Among rooms in a row the corridor
// by labels is mostly the only one, which is proof enough. False: none has been found.
static bool find_shortest(const nav_view *view, nav_scratch *scratch,
                          const nav_path_request *request, const nav_path_ends *ends,
                          nav_path *path, double *bound)
{
    const nav_mesh *mesh = view->mesh;
    if (!mesh->is_mostly_bridges || nav_view_arcs(view) > 0 || view->overlay != NULL ||
        nav_path_is_limited(request)) {
        return nav_polyanya_find(view, scratch, request, &ends->start, &ends->end, path, bound);
    }
    const nav_search_result result =
        run_search(view, scratch, request, &ends->start, &ends->end, path);
    if (result.reached) {
        *bound = is_only_corridor(mesh, path->corridor->portals, result.count)
                     ? path->cost
                     : nav_polyanya_improve(view, scratch, request, &ends->start, &ends->end, path);
    }
    return result.reached;
}

// False where labels are to find a path; a limited request then knows its bound. Among shapes
// rounding may hide a way from it that labels find: what is not proven there is held against
// theirs.
static bool find_exact(const nav_view *view, nav_scratch *scratch, const nav_path_request *request,
                       const nav_path_ends *ends, nav_path *path)
{
    double bound = 0.0;
    const bool found = find_shortest(view, scratch, request, ends, path, &bound);
    if (found) {
        complete(path, bound);
        begin_corridor(view, scratch, &ends->start, path);
    } else if (nav_path_is_limited(request) && bound < (double)INFINITY) {
        path->lower_bound = fmax(path->lower_bound, bound);
    }
    return found && (path->optimal || path->folded || view->overlay == NULL);
}

// ---- the answer ----

// Whether no path that the question wants can be left.
static bool is_beyond(const nav_path *path, double limit)
{
    return limit < (double)INFINITY && path->lower_bound * (1.0 + NAV_SAME_LENGTH_RATIO) >= limit;
}

static nav_path_reason limit_reason(const nav_path_request *request, const nav_path *path)
{
    const bool by_cost = request->max_cost > 0.0 && path->lower_bound > request->max_cost;
    return by_cost || request->max_length == 0.0 ? NAV_REASON_MAX_COST : NAV_REASON_MAX_LENGTH;
}

static nav_path_reason reason_for(bool connected, bool reachable, const nav_path_request *request,
                                  const nav_search_result *result, const nav_path *path)
{
    // A goal out of reach stays so, whatever the budget.
    return !connected              ? NAV_REASON_UNREACHABLE
           : !reachable            ? NAV_REASON_BLOCKED
           : result->out_of_budget ? NAV_REASON_NODE_BUDGET
           : result->cancelled     ? NAV_REASON_DEADLINE
           : result->pruned        ? limit_reason(request, path)
                                   : NAV_REASON_BLOCKED;
}

// ---- the steps ----

// A path that is being found.
typedef struct finding {
    const nav_view *view;
    nav_scratch *scratch;
    const nav_path_request *request;
    nav_path_request rest; // by labels, towards whatever is closest
    const nav_path_ends *ends;
    nav_location target;
    bool connected; // as far as components know
    bool reachable; // as far as labels and parts know
    bool is_known;  // nothing but shapes can part what is reachable
    nav_search_result result;
    nav_path *path;
} finding;

static finding begin(const nav_view *view, nav_scratch *scratch, const nav_path_request *request,
                     const nav_path_ends *ends, nav_path *path)
{
    NAV_ASSERT(ends->start.polygon < nav_view_polygons(view));
    NAV_ASSERT(ends->end.polygon < nav_view_polygons(view));
    NAV_DCHECK(nav_polygon_cost(view, ends->start.polygon) < INFINITY);
    NAV_DCHECK(ends->end_in_shape || nav_polygon_cost(view, ends->end.polygon) < INFINITY);
    path->lower_bound = fmax(path->lower_bound, nav_path_straight_cost(view, path));
    scratch->corridor.view = *view;
    finding f = {.view = view,
                 .scratch = scratch,
                 .request = request,
                 .rest = *request,
                 .ends = ends,
                 .target = ends->end,
                 .path = path};
    f.rest.search = NAV_SEARCH_FAST; // `auto` and `exact` look further behind it
    if (ends->end_in_shape) {
        memcpy(f.rest.end, f.target.position, sizeof f.rest.end);
        // The rim of a shape may be equally near all around its goal: of such spots the one towards
        // the start is looked for.
        const double away = nav_plane_distance_xz(ends->start.position, f.rest.end);
        const double lean = fmin(away, 0.1 * (double)view->mesh->agent_radius + 0.01);
        for (int axis = 0; axis < 3 && away > 0.0; axis += 2) {
            f.rest.end[axis] +=
                (ends->start.position[axis] - f.rest.end[axis]) * (float)(lean / away);
        }
    }
    return f;
}

// Labels of components say whether the goal can be reached, a state's parts the same of its shapes,
// rooms of switches. If not, the target is the spot closest to it that can be. *done: the answer is
// that there is no path.
static nav_status ask_labels(finding *f, bool *done)
{
    const nav_view *view = f->view;
    const uint32_t start = f->ends->start.polygon, target = f->target.polygon;
    nav_reach reach = nav_reach_from(view, f->scratch, nav_view_component(view, start));
    f->connected = nav_is_within_reach(&reach, nav_view_component(view, target));
    if (nav_path_is_free(f->request) && nav_view_knows_components(view)) {
        nav_reach_keep(&reach, view->state, start);
    }
    f->reachable = !f->ends->end_in_shape && nav_is_polygon_within_reach(&reach, view, target);
    bool leads = true;
    f->is_known = view->costs->open_but_for_shapes;
    if (f->reachable && !f->is_known &&
        !nav_rooms_lead(view, f->scratch, nav_view_base(view, start), nav_view_base(view, target),
                        &leads, &f->is_known)) {
        return NAV_NO_MEMORY;
    }
    *done = f->request->no_partial && !(f->reachable && leads);
    if (*done && !f->reachable) {
        nav_path_leave_blocked(view, f->path);
    }
    if (*done) {
        f->path->reason = f->connected ? NAV_REASON_BLOCKED : NAV_REASON_UNREACHABLE;
        return NAV_OK;
    }
    f->is_known = f->is_known && leads;
    if (!f->reachable) {
        const bool found = nav_view_closest(view, f->rest.end, reach, &f->target);
        NAV_ASSERT(found); // the start itself can be reached
    }
    return NAV_OK;
}

// By labels to the target, or to the closest spot that is left where closed ground parts it from
// the start. *done: the answer is that there is no path.
static nav_status find_by_labels(finding *f, bool *done)
{
    const nav_location *start = &f->ends->start;
    nav_path *path = f->path;
    nav_search_result *result = &f->result;
    *result = run_search(f->view, f->scratch, &f->rest, start, &f->target, path);
    path->folded = false;
    if (f->reachable && !is_disconnected(result)) {
        path->lower_bound = fmax(path->lower_bound, result->bound);
    }
    path->reason = f->reachable && result->reached
                       ? NAV_REASON_NULL
                       : reason_for(f->connected, f->reachable, f->request, result, path);
    *done = is_disconnected(result) && f->request->no_partial;
    if (*done && path->reason == NAV_REASON_BLOCKED) {
        nav_path_leave_blocked(f->view, path);
    } else if (*done) {
        nav_path_leave_empty(path, path->reason);
    }
    return is_disconnected(result) && !*done
               ? search_closest(f->view, f->scratch, &f->rest, start, &f->target, path, result)
               : NAV_OK;
}

// Looks for anything cheaper, with what is left of the limits.
static void improve(finding *f)
{
    nav_path *path = f->path;
    const nav_location *start = &f->ends->start;
    if (!f->result.reached || f->request->search == NAV_SEARCH_FAST) {
        return;
    }
    if (!f->view->costs->uniform) {
        nav_steiner_improve(f->view, f->scratch, f->request, start, &f->target, path);
        return;
    }
    const double bound =
        nav_polyanya_improve(f->view, f->scratch, f->request, start, &f->target, path);
    if (path->reason == NAV_REASON_NULL) {
        path->lower_bound = fmax(path->lower_bound, bound);
    }
}

nav_status nav_path_find(const nav_view *view, nav_scratch *scratch,
                         const nav_path_request *request, const nav_path_ends *ends, nav_path *path)
{
    finding f = begin(view, scratch, request, ends, path);
    bool done;
    // 4. Whether the goal can be reached at all.
    nav_status status = ask_labels(&f, &done);
    if (status != NAV_OK || done) {
        return status;
    }
    // 5. Polyanya at once, where all open ground costs the same and nothing limits the search but
    //    the most that a path may cost.
    const double limit = nav_path_search_limit(view, request);
    if (f.reachable && !is_beyond(path, limit) && f.is_known && is_exact_first(view, request) &&
        find_exact(view, scratch, request, ends, path)) {
        return NAV_OK;
    }
    if (is_beyond(path, limit)) {
        nav_path_leave_empty(path, limit_reason(request, path));
        return NAV_OK;
    }
    // 6., 7. Else a search by labels, to the closest spot where closed ground is in between.
    status = find_by_labels(&f, &done);
    if (status != NAV_OK || done) {
        return status;
    }
    // 8. Polyanya, or points on portals, for whatever is cheaper.
    improve(&f);
    NAV_ASSERT(path->point_count > 0);
    NAV_ASSERT(path->corridor == &scratch->corridor);
    // 9. The worth of the path: `optimal` if it is proven shortest.
    if (path->reason == NAV_REASON_NULL) {
        complete(path, path->lower_bound);
    } else if (request->no_partial) {
        nav_path_leave_empty(path, path->reason);
    } else {
        path->status = NAV_PATH_PARTIAL;
        path->folded = false;
    }
    return NAV_OK;
}
