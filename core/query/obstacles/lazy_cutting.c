// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// lazy_cutting.c: a path with shapes to avoid. To cut a shape out of the mesh takes longer than
// most searches do, and mostly few of those that are asked for are in the way:
//
//      start . . . . . . . goal      The path over the mesh as it is comes first. If it keeps
//        .    ( ) .--.     .         clear of all shapes it is the answer: no shape makes any way
//        .        |  |     .         cheaper, so that its bound holds as well. Else those that it
//        ' . . . .'  ' . . '         meets are cut, and a path around them is looked for, as long
//                                    as there is one and it meets others. The last one is exact
//                                    where the search is.
//
// All shapes are cut where an end lies in one, where there is no path, and where a limit could end
// the question half way: query/path.c does so.

#include "core/base/tolerances.h"
#include "core/base/plane.h"
#include "core/query/query.h"

#include <math.h>
#include <string.h>

// After so many times all shapes are cut: a path that meets others each time will meet more.
#define CUTS_MAX 4u

typedef struct cutting {
    const nav_mesh *mesh;
    nav_scratch *scratch;
    const nav_options *options; // with the shapes
    nav_overlay_budget budget;
    nav_outline *outlines; // by shape; without points where nobody has asked for it yet
    nav_outline *chosen;   // those to be cut
    bool *is_chosen;       // by shape
    uint32_t chosen_count;
} cutting;

// A stretch of a path, or a position, in plan view.
typedef struct leg {
    double from[2], to[2];
} leg;

static leg leg_between(const float a[3], const float b[3])
{
    return (leg){{(double)a[0], (double)a[2]}, {(double)b[0], (double)b[2]}};
}

static bool leg_meets_box(const leg *l, const double min[2], const double max[2], double near)
{
    bool meets = true;
    for (int axis = 0; axis < 2; ++axis) {
        meets = meets && fmin(l->from[axis], l->to[axis]) <= max[axis] + near &&
                fmax(l->from[axis], l->to[axis]) >= min[axis] - near;
    }
    return meets;
}

// Whether a part of the leg is inside of all of the outline's edges, or hardly outside.
static bool leg_meets_outline(const leg *l, const nav_outline *outline)
{
    double first = 0.0, last = 1.0;
    for (uint32_t i = 0; i < outline->count && first <= last; ++i) {
        const double *a = outline->points[i],
                     *b = outline->points[i + 1 < outline->count ? i + 1 : 0];
        const double near = NAV_OBSTACLE_NEAR * (fabs(b[0] - a[0]) + fabs(b[1] - a[1]));
        const double from = nav_plane_side(a, b, l->from) + near;
        const double to = nav_plane_side(a, b, l->to) + near;
        if (from < 0.0 && to < 0.0) {
            return false;
        }
        if (from < 0.0) {
            first = fmax(first, from / (from - to));
        } else if (to < 0.0) {
            last = fmin(last, from / (from - to));
        }
    }
    return outline->count >= 3 && first <= last;
}

// A shape's outline, which is made where it is needed. NULL: the budget has failed.
static const nav_outline *outline_of(cutting *w, uint32_t shape)
{
    nav_outline *outline = &w->outlines[shape];
    NAV_DCHECK(shape < w->options->avoid_count);
    if (outline->points == NULL &&
        !nav_outlines_create(&w->options->avoid[shape], 1, (double)w->mesh->agent_radius,
                             &w->budget, outline)) {
        return NULL;
    }
    return outline;
}

// Whether an outline may lie on the ground of a polygon: their boxes meet.
static bool is_over(const cutting *w, const nav_outline *outline, uint32_t polygon)
{
    const nav_polygon_record *record = &w->mesh->records[polygon];
    NAV_DCHECK(polygon < w->mesh->stats.polygons);
    return (double)record->min[0] <= outline->max[0] + NAV_OBSTACLE_NEAR &&
           (double)record->max[0] >= outline->min[0] - NAV_OBSTACLE_NEAR &&
           (double)record->min[2] <= outline->max[1] + NAV_OBSTACLE_NEAR &&
           (double)record->max[2] >= outline->min[1] - NAV_OBSTACLE_NEAR &&
           (double)record->min[1] <= (double)outline->top + NAV_OBSTACLE_NEAR &&
           (double)record->max[1] >= (double)outline->bottom - NAV_OBSTACLE_NEAR;
}

// ---- whether a shape is in the way ----

static bool is_over_corridor(const cutting *w, const nav_view *view, const nav_outline *outline,
                             const nav_path *path)
{
    bool over = is_over(w, outline, path->start_polygon);
    for (uint32_t i = 0; i < path->corridor_count && !over; ++i) {
        over =
            is_over(w, outline, nav_view_base(view, nav_view_to(view, path->corridor->portals[i])));
    }
    return over;
}

// Whether a path meets a shape in plan view. False where the budget has failed.
static bool path_meets(cutting *w, const nav_path *path, uint32_t shape)
{
    double min[2], max[2];
    NAV_ASSERT(path->point_count > 0);
    NAV_ASSERT(shape < w->options->avoid_count);
    nav_outline_bounds(&w->options->avoid[shape], (double)w->mesh->agent_radius, min, max);
    for (uint32_t i = 0; i + 1 < path->point_count || i == 0; ++i) {
        const float *from = path->points + 3 * (size_t)i;
        const leg l = leg_between(from, i + 1 < path->point_count ? from + 3 : from);
        if (leg_meets_box(&l, min, max, NAV_OBSTACLE_NEAR)) {
            const nav_outline *outline = outline_of(w, shape);
            if (outline == NULL || leg_meets_outline(&l, outline)) {
                return outline != NULL;
            }
        }
    }
    return false;
}

static bool is_in_way(cutting *w, const nav_view *view, const nav_path *path, uint32_t shape)
{
    return path_meets(w, path, shape) && is_over_corridor(w, view, &w->outlines[shape], path);
}

static bool is_clear(cutting *w, const nav_view *view, const nav_path *path)
{
    bool clear = true;
    for (uint32_t i = 0; i < w->options->avoid_count && clear; ++i) {
        clear = !is_in_way(w, view, path, i);
    }
    return clear && !w->budget.failed;
}

// Chooses the shapes that a path meets, and that have not been cut. Returns how many.
static uint32_t choose_met(cutting *w, const nav_view *view, const nav_path *path)
{
    const uint32_t before = w->chosen_count;
    for (uint32_t i = 0; i < w->options->avoid_count && !w->budget.failed; ++i) {
        if (!w->is_chosen[i] && is_in_way(w, view, path, i)) {
            w->is_chosen[i] = true;
            w->chosen[w->chosen_count++] = w->outlines[i];
        }
    }
    NAV_ASSERT(w->chosen_count >= before);
    NAV_ASSERT(w->chosen_count <= w->options->avoid_count);
    return w->chosen_count - before;
}

// Whether an end of the question has its position on the mesh wherever shapes are: it lies in none
// that blocks, and right over or under the point, or no shape is as near as it was looked for.
static bool keeps_position(cutting *w, const float asked[3], const nav_location *location)
{
    const double near = (double)w->options->snap.horizontal;
    const leg from = leg_between(asked, asked);
    const leg at = leg_between(location->position, location->position);
    const bool moved = memcmp(from.from, at.from, sizeof at.from) != 0;
    for (uint32_t i = 0; i < w->options->avoid_count; ++i) {
        double min[2], max[2];
        if (!w->options->avoid[i].blocked) {
            continue;
        }
        nav_outline_bounds(&w->options->avoid[i], (double)w->mesh->agent_radius, min, max);
        if (moved && leg_meets_box(&from, min, max, near + NAV_OBSTACLE_NEAR)) {
            return false;
        }
        if (leg_meets_box(&at, min, max, NAV_OBSTACLE_NEAR)) {
            const nav_outline *outline = outline_of(w, i);
            if (outline == NULL ||
                (leg_meets_outline(&at, outline) && is_over(w, outline, location->polygon))) {
                return false;
            }
        }
    }
    return true;
}

// ---- the steps ----

// No path yet, between two points.
static nav_path path_between(const float start[3], const float end[3])
{
    nav_path path = {.status = NAV_PATH_NONE};
    memcpy(path.start, start, sizeof path.start);
    memcpy(path.end, end, sizeof path.end);
    return path;
}

// Whether shapes make no way cheaper, and nothing ends the question before its time.
static bool is_suited(const nav_path_request *request)
{
    bool dear = request->max_nodes == 0 && !nav_path_is_hurried(request);
    for (uint32_t i = 0; i < request->options.avoid_count && dear; ++i) {
        dear = request->options.avoid[i].blocked || request->options.avoid[i].cost >= 1.0f;
    }
    return dear;
}

static bool begin(cutting *w)
{
    const uint32_t count = w->options->avoid_count;
    w->outlines = nav_overlay_alloc(&w->budget, count, sizeof *w->outlines);
    w->chosen = nav_overlay_alloc(&w->budget, count, sizeof *w->chosen);
    w->is_chosen = nav_overlay_alloc(&w->budget, count, sizeof *w->is_chosen);
    if (w->budget.failed) {
        return false;
    }
    memset(w->outlines, 0, count * sizeof *w->outlines);
    memset(w->is_chosen, 0, count * sizeof *w->is_chosen);
    return true;
}

// Finds a path over what the view sees; path->lower_bound is known. False: none that leads to the
// goal.
static bool find_complete(const cutting *w, const nav_path_request *request,
                          const nav_path_ends *ends, const nav_view *view, nav_path *path)
{
    const double bound = path->lower_bound;
    *path = path_between(ends->start.position, ends->end.position);
    path->lower_bound = bound;
    return nav_path_find(view, w->scratch, request, ends, path) == NAV_OK &&
           path->status == NAV_PATH_COMPLETE;
}

// Cuts what has been chosen, and looks for a path around it. False where there is none.
static bool cut_and_find(cutting *w, const nav_path_request *request,
                         const nav_unobstructed *unobstructed, nav_view *view, nav_path *path)
{
    if (!nav_view_cut(view, w->scratch, w->options->filter, w->chosen, w->chosen_count,
                      &w->budget)) {
        return false;
    }
    w->scratch->overlay_ready = w->chosen_count == w->options->avoid_count;
    NAV_ASSERT(w->chosen_count > 0);
    nav_path_ends ends = unobstructed->ends;
    ends.start.polygon = nav_view_polygon_at(view, ends.start.polygon, ends.start.position);
    ends.end.polygon = nav_view_polygon_at(view, ends.end.polygon, ends.end.position);
    path->lower_bound = unobstructed->bound;
    return ends.start.polygon != NAV_NONE && ends.end.polygon != NAV_NONE &&
           find_complete(w, request, &ends, view, path);
}

// Cuts what is in the way of the path over the mesh without shapes, until nothing is. A way that is
// proven shortest around some shapes, and keeps clear of the others, is the shortest around all.
// False: all shapes have to be cut.
static bool cut_until_clear(cutting *w, const nav_path_request *request,
                            const nav_unobstructed *unobstructed, nav_view *view, nav_path *path)
{
    const bool repeated = w->options->avoid_repeated; // the next ones will want them all cut, too
    for (uint32_t cuts = 0; choose_met(w, view, path) > 0; ++cuts) {
        if (repeated || cuts == CUTS_MAX || w->budget.failed ||
            !cut_and_find(w, request, unobstructed, view, path)) {
            return false;
        }
    }
    return !w->budget.failed;
}

// The path over the mesh without shapes, and from there on. True: *path is the answer.
static bool find(cutting *w, const nav_path_request *request, bool no_partial, nav_view *view,
                 nav_unobstructed *unobstructed, nav_path *path)
{
    if (!begin(w) || !nav_path_snap(view, request, &unobstructed->ends, path) ||
        !keeps_position(w, request->start, &unobstructed->ends.start) ||
        !keeps_position(w, request->end, &unobstructed->ends.end)) {
        return false;
    }
    if (!find_complete(w, request, &unobstructed->ends, view, path)) {
        // Shapes open no way.
        return no_partial && path->status == NAV_PATH_NONE && path->reason != NAV_REASON_NULL;
    }
    unobstructed->bound = path->lower_bound;
    return is_clear(w, view, path) || cut_until_clear(w, request, unobstructed, view, path);
}

// ---- exported ----

double nav_unobstructed_bound(const nav_unobstructed *unobstructed, const nav_path_ends *ends)
{
    const bool same =
        memcmp(unobstructed->ends.start.position, ends->start.position,
               sizeof ends->start.position) == 0 &&
        memcmp(unobstructed->ends.end.position, ends->end.position, sizeof ends->end.position) == 0;
    return unobstructed->bound > 0.0 && same ? unobstructed->bound : 0.0;
}

bool nav_lazy_cutting_find(const nav_mesh *mesh, nav_scratch *scratch,
                           const nav_path_request *request, nav_unobstructed *unobstructed,
                           nav_path *out)
{
    nav_path_request plain = *request;
    nav_view view;
    plain.options.avoid_count = 0;
    plain.no_partial = true;
    if (!is_suited(request) || !nav_view_begin(mesh, scratch, &plain.options, &view)) {
        return false;
    }
    // Ground that was cut for the same shapes stays cut; for other shapes it is cut anew.
    nav_arena *memory = &scratch->overlay_memory;
    scratch->overlay_ready = scratch->overlay_ready && request->options.avoid_repeated;
    if (!scratch->overlay_ready) {
        nav_arena_reset(memory);
    }
    const nav_arena_mark mark = nav_arena_save(memory);
    cutting w = {.mesh = mesh,
                 .scratch = scratch,
                 .options = &request->options,
                 .budget = nav_view_budget(scratch, &request->options)};
    nav_path path = path_between(request->start, request->end);
    const bool found = find(&w, &plain, request->no_partial, &view, unobstructed, &path);
    nav_view_spent(&w.budget, &request->options);
    if (request->options.avoid_repeated && scratch->overlay_ready) {
        nav_arena_restore(memory, mark);
    }
    unobstructed->is_cut = scratch->overlay_ready;
    if (found) {
        *out = path;
    }
    return found;
}
