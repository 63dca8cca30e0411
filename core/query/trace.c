// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// trace.c: can somebody have moved like this? Position after position of a movement log is
// held against the mesh, until one cannot have been come to from the one before.
//
//   on the mesh? -> fast enough? -> straight there, or over a link from end to end? -> legal
//                                        | no: around, if there was time and it may be -> legal
//                                        v
//                    wrong floor, gap (nothing leads there) or wall

#include "core/base/plane.h"
#include "core/base/tolerances.h"
#include "core/query/question/question.h"
#include "core/query/surface/surface.h"
#include "core/query/view/scratch.h"

#include <math.h>
#include <string.h>

// A step is several questions, each of which begins its count of work anew; so it has its own.
#define STEP_WORK (4 * NAV_STEP_POSITION)

typedef struct follower {
    const nav_mesh *mesh;
    nav_scratch *scratch;
    const nav_trace_request *request;
    nav_options options; // the request's; from the second question on, its shapes are cut already
    nav_location start;
    bool leaves; // the log begins in shapes that block: as for a path, they are open to all of it
    bool opened; // view has them open, until another question is asked
    nav_view view;
} follower;

// Shapes are cut once, not for each step.
static bool begin_step(follower *f, nav_view *view)
{
    if (!f->leaves) {
        return nav_view_begin(f->mesh, f->scratch, &f->options, view);
    }
    f->opened = f->opened ||
                (nav_view_begin_without_shapes(f->mesh, f->scratch, &f->options, &f->view) &&
                 nav_view_begin_leaving(f->mesh, f->scratch, &f->options, &f->start, &f->view));
    *view = f->view;
    return f->opened;
}

// A position of the log. False without memory, or where the question is cancelled.
static bool snap(follower *f, uint32_t step, nav_view *view, nav_location *out, bool *found)
{
    const float *position = f->request->positions[step];
    if (step > 0) {
        *found = nav_view_snap(view, &f->options, position, out);
        return true;
    }
    *found = nav_view_snap_end(view, &f->options, position, out, &f->leaves);
    f->start = *out;
    return !f->leaves || nav_view_leave(view, f->scratch, &f->options, position, out, found);
}

// How far one may have gone in a step; INFINITY without a limit.
static double range_of(const nav_trace_request *request, uint32_t step)
{
    NAV_DCHECK(step > 0);
    if (request->times_ms == NULL || request->max_speed <= 0.0f) {
        return (double)INFINITY;
    }
    const double seconds = (request->times_ms[step] - request->times_ms[step - 1]) / 1000.0;
    return seconds * (double)request->max_speed * (1.0 + NAV_SPEED_TOLERANCE_RATIO);
}

// Whether the straight line from one position to another arrives there, on its floor. False without
// memory.
static bool walk(follower *f, const nav_view *view, const nav_location *from, const float to[3],
                 nav_ray *ray, bool *arrives)
{
    const bool walked = nav_view_raycast(view, f->scratch, from, to, NULL, ray);
    *arrives = walked && !ray->hit &&
               fabs((double)ray->position[1] - (double)to[1]) <= (double)f->mesh->agent_max_climb;
    return walked;
}

// ---- over a link from end to end ----

// A step that is held against the links around where it begins.
typedef struct step_over {
    const nav_view *view;
    const nav_location *from, *to;
    double near;  // to an end of a link
    double range; // that may be gone
} step_over;

// Whether an arc is open, and its ends are those of the step, near enough and with a straight walk
// to them. False without memory.
static bool try_arc(follower *f, const step_over *step, uint32_t number, bool *taken)
{
    const nav_arc *arc = nav_view_arc(step->view, number);
    const float *from = step->from->position, *to = step->to->position;
    if (nav_plane_distance_xz(from, arc->start) > step->near ||
        nav_plane_distance_xz(arc->end, to) > step->near ||
        nav_space_distance(from, arc->start) + nav_space_distance(arc->start, arc->end) +
                nav_space_distance(arc->end, to) >
            step->range) {
        return true;
    }
    const uint32_t begin = nav_view_from(step->view, step->view->mesh->edge_portal_count + number);
    nav_location end = {.polygon = nav_view_arc_target(step->view, begin, number)};
    nav_ray ray;
    memcpy(end.position, arc->end, sizeof end.position);
    return end.polygon == NAV_NONE || (walk(f, step->view, step->from, arc->start, &ray, taken) &&
                                       (!*taken || walk(f, step->view, &end, to, &ray, taken)));
}

// Whether a step leads over a link from end to end, whatever that costs. False without memory.
static bool find_link(follower *f, const step_over *step, bool *taken)
{
    nav_box_walk boxes = {.mesh = f->mesh};
    for (int axis = 0; axis < 3; ++axis) {
        const double near = axis != 1 ? step->near : (double)INFINITY;
        boxes.min[axis] = (double)step->from->position[axis] - near;
        boxes.max[axis] = (double)step->from->position[axis] + near;
    }
    *taken = false;
    for (uint32_t polygon; !*taken && (polygon = nav_box_walk_next(&boxes)) != NAV_NONE;) {
        const nav_arc_runs runs = nav_view_arcs_out_of(step->view, polygon);
        for (uint32_t k = 0; k < nav_arc_runs_count(&runs) && !*taken; ++k) {
            if (!try_arc(f, step, nav_arc_runs_at(&runs, k), taken)) {
                return false;
            }
        }
    }
    return true;
}

// ---- around ----

static nav_status path_around(follower *f, const nav_location *from, const nav_location *to,
                              nav_path *out)
{
    nav_path_request request = {
        .options = f->options, .search = NAV_SEARCH_FAST, .no_partial = true};
    memcpy(request.start, from->position, sizeof request.start);
    memcpy(request.end, to->position, sizeof request.end);
    f->opened = false;
    return nav_query_path(f->mesh, f->scratch, &request, out);
}

// The length of the links of a path, from end to end.
static double length_of_links(const nav_path *path)
{
    const nav_view *view = &path->corridor->view;
    double length = 0.0;
    for (uint32_t i = 0; i < path->corridor_count; ++i) {
        if (nav_portal_is_arc(view, path->corridor->portals[i])) {
            const nav_arc *arc = nav_portal_arc(view, path->corridor->portals[i]);
            length += nav_space_distance(arc->start, arc->end);
        }
    }
    return length;
}

// Whether a path may be what was walked in a step. Without a speed limit a way around is none, but
// a link is, with less of a walk to it and from it than the step and the link measure.
static bool may_be_walked(const nav_path *path, double step, double range)
{
    if (range < (double)INFINITY) {
        return path->length <= range;
    }
    const double links = length_of_links(path);
    return links > 0.0 &&
           path->length - links <= (step + links) * (1.0 + NAV_SPEED_TOLERANCE_RATIO);
}

// A step whose straight line did not arrive, and no link from end to end.
static nav_status judge_detour(follower *f, const nav_location *from, const nav_location *to,
                               const nav_ray *ray, double range, nav_trace *out)
{
    nav_path path;
    nav_status status = path_around(f, from, to, &path);
    if (status != NAV_OK || path.reason == NAV_REASON_DEADLINE) {
        return status != NAV_OK ? status : NAV_CANCELLED;
    }
    const bool complete = path.status == NAV_PATH_COMPLETE;
    if (complete && !f->request->no_detours &&
        may_be_walked(&path, nav_space_distance(from->position, to->position), range)) {
        return NAV_OK;
    }
    out->reason = !ray->hit ? NAV_TRACE_WRONG_FLOOR : complete ? NAV_TRACE_WALL : NAV_TRACE_GAP;
    memcpy(out->position, ray->position, sizeof out->position);
    return NAV_OK;
}

static nav_status judge_step(follower *f, uint32_t step, const nav_location *from,
                             const nav_location *to, nav_trace *out)
{
    NAV_ASSERT(from->polygon != NAV_NONE);
    NAV_ASSERT(to->polygon != NAV_NONE);
    const nav_trace_request *request = f->request;
    const double range = range_of(request, step);
    const double length =
        nav_space_distance(request->positions[step - 1], request->positions[step]);
    if (request->times_ms != NULL) {
        const double ms = request->times_ms[step] - request->times_ms[step - 1];
        if (!(ms > 0.0)) {
            out->reason = NAV_TRACE_TIME;
            return NAV_OK;
        }
        out->speed = length / (ms / 1000.0);
    }
    if (length > range) {
        out->reason = NAV_TRACE_TOO_FAST;
        return NAV_OK;
    }
    nav_view view;
    nav_ray ray;
    bool arrives;
    // How far from an end of a link a step over it may begin or end: positions of a log are
    // rounded.
    const step_over over = {
        .view = &view,
        .from = from,
        .to = to,
        .near = fmax((double)f->mesh->agent_radius,
                     nav_plan_tolerance((double)from->position[0], (double)from->position[2])),
        .range = range};
    if (!begin_step(f, &view) || !walk(f, &view, from, to->position, &ray, &arrives)) {
        return nav_scratch_failure(f->scratch);
    }
    if (arrives || (!ray.hit && ray.polygon == to->polygon)) {
        return NAV_OK;
    }
    if (!find_link(f, &over, &arrives)) {
        return nav_scratch_failure(f->scratch);
    }
    return arrives ? NAV_OK : judge_detour(f, from, to, &ray, range, out);
}

nav_status nav_query_trace(const nav_mesh *mesh, nav_scratch *scratch,
                           const nav_trace_request *request, nav_trace *out)
{
    follower f = {
        .mesh = mesh, .scratch = scratch, .request = request, .options = request->options};
    nav_location before = {.polygon = NAV_NONE};
    nav_trace trace = {.reason = NAV_TRACE_LEGAL};
    nav_cancel cancel = {.hook = f.options.cancelled, .user = f.options.user};
    nav_status status = NAV_OK;
    for (; trace.step < request->count && status == NAV_OK; ++trace.step) {
        nav_view view;
        nav_location location;
        memcpy(trace.position, request->positions[trace.step], sizeof trace.position);
        bool found;
        if (!begin_step(&f, &view) || nav_cancel_poll(&cancel, STEP_WORK) ||
            !snap(&f, trace.step, &view, &location, &found)) {
            return cancel.cancelled ? NAV_CANCELLED : nav_scratch_failure(scratch);
        }
        f.options.avoid_repeated = true;
        if (!found) {
            trace.reason = NAV_TRACE_OFF_MESH;
        } else if (trace.step > 0) {
            status = judge_step(&f, trace.step, &before, &location, &trace);
        }
        if (trace.reason != NAV_TRACE_LEGAL) {
            break;
        }
        before = location;
    }
    if (status == NAV_OK) {
        *out = trace;
    }
    return status;
}

const char *nav_trace_reason_word(nav_trace_reason reason)
{
    static const char *const words[] = {
        [NAV_TRACE_LEGAL] = NULL,
        [NAV_TRACE_OFF_MESH] = "off_mesh",
        [NAV_TRACE_TOO_FAST] = "too_fast",
        [NAV_TRACE_TIME] = "time",
        [NAV_TRACE_WALL] = "wall",
        [NAV_TRACE_GAP] = "gap",
        [NAV_TRACE_WRONG_FLOOR] = "wrong_floor",
    };
    NAV_ASSERT((unsigned)reason < sizeof words / sizeof words[0]);
    return words[reason];
}
