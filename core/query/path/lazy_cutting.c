// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// lazy_cutting.c: a path with shapes to avoid. To cut a shape out of the mesh takes longer than
// most searches do, and mostly few of those that are asked for are in the way:
//
//      start . . . . . . . goal      The path over the mesh as it is comes first. If it keeps
//        .    ( ) .--.     .         clear of all shapes it is the answer: no shape makes any way
//        .        |  |     .         cheaper, so that its bound holds as well. `fast` is led around
//        ' . . . .'  ' . . '         one or two that it meets, which need not be cut for that. Else
//                                    the groups of those that it meets are seen, and a path around
//                                    them is looked for, until it meets no others. The last one is
//                                    exact where the search is.
//
// All shapes are seen where an end lies in one, where there is no path, and where a limit could end
// the question half way: path.c does so. The same is done whether shapes are a question's,
// cut when they are met, or a state's, cut long before: the answer is the same.

#include "core/base/plane.h"
#include "core/base/tolerances.h"
#include "core/query/clearance/clearance.h"
#include "core/query/path/path.h"
#include "core/query/question/question.h"
#include "core/query/surface/surface.h"

#include <math.h>
#include <string.h>

// After so many times all shapes are seen: a path that meets others each time will meet more.
#define ROUNDS_MAX 4u
// A path that meets no more shapes is led around them without a cut, with so many bends, if it then
// costs no more than this, times the one without shapes.
#define AROUND_MET_MAX 2u
#define BENDS_MAX 8u
#define AROUND_COST_MAX 1.1

typedef struct cutting {
    const nav_mesh *mesh;
    nav_scratch *scratch;
    const nav_options *options; // with the shapes
    nav_overlay *overlay;       // the scratch's
    nav_overlay_budget budget;
    bool has_groups;       // and none of them, or some, are seen
    double min[2], max[2]; // where an outline is near the path at hand, in plan view
} cutting;

// A stretch of a path, or a position, in plan view.
typedef struct leg {
    double from[2], to[2];
} leg;

static leg leg_between(const float a[3], const float b[3])
{
    return (leg){{(double)a[0], (double)a[2]}, {(double)b[0], (double)b[2]}};
}

static inline bool leg_meets_box(const leg *l, const double min[2], const double max[2],
                                 double near)
{
    bool meets = true;
    for (int axis = 0; axis < 2; ++axis) {
        meets = meets && (l->from[axis] <= max[axis] + near || l->to[axis] <= max[axis] + near) &&
                (l->from[axis] >= min[axis] - near || l->to[axis] >= min[axis] - near);
    }
    return meets;
}

// How far along the leg, from 0 to 1, a part of it begins that is inside of all of the outline's
// edges, or outside by `within` at most; less than 0: inside by as much. HUGE_VAL: there is none.
static double leg_enters(const leg *l, const nav_outline *outline, double within)
{
    double first = 0.0, last = 1.0;
    for (uint32_t i = 0; i < outline->count && first <= last; ++i) {
        const double *a = outline->points[i],
                     *b = outline->points[i + 1 < outline->count ? i + 1 : 0];
        const double near = within * (fabs(b[0] - a[0]) + fabs(b[1] - a[1]));
        const double from = nav_plane_side(a, b, l->from) + near;
        const double to = nav_plane_side(a, b, l->to) + near;
        if (from < 0.0 && to < 0.0) {
            return HUGE_VAL;
        }
        if (from < 0.0) {
            first = fmax(first, from / (from - to));
        } else if (to < 0.0) {
            last = fmin(last, from / (from - to));
        }
    }
    return outline->count >= 3 && first <= last ? first : HUGE_VAL;
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

static void measure_path(cutting *w, const nav_path *path)
{
    for (int axis = 0; axis < 2; ++axis) {
        const float *at = path->points + 2 * axis;
        float min = *at, max = *at;
        for (uint32_t i = 1; i < path->point_count; ++i) {
            at += 3;
            min = *at < min ? *at : min;
            max = *at > max ? *at : max;
        }
        w->min[axis] = (double)min - NAV_OBSTACLE_NEAR;
        w->max[axis] = (double)max + NAV_OBSTACLE_NEAR;
    }
}

// Whether a path, which has been measured, meets an obstacle. Most are far from it: they need no
// outline. False where the budget has failed.
static bool is_in_way(cutting *w, const nav_view *view, const nav_path *path, uint32_t obstacle)
{
    const nav_outline *around = &w->overlay->obstacles[obstacle].outline;
    NAV_ASSERT(path->point_count > 0);
    if (around->min[0] > w->max[0] || around->max[0] < w->min[0] || around->min[1] > w->max[1] ||
        around->max[1] < w->min[1]) {
        return false;
    }
    for (uint32_t i = 0; i + 1 < path->point_count || i == 0; ++i) {
        const float *from = path->points + 3 * (size_t)i;
        const leg l = leg_between(from, i + 1 < path->point_count ? from + 3 : from);
        if (leg_meets_box(&l, around->min, around->max, NAV_OBSTACLE_NEAR)) {
            const nav_outline *outline = nav_overlay_outline(w->overlay, obstacle, &w->budget);
            if (outline == NULL || leg_enters(&l, outline, NAV_OBSTACLE_NEAR) < HUGE_VAL) {
                return outline != NULL && is_over_corridor(w, view, outline, path);
            }
        }
    }
    return false;
}

// Whether a group is one that the view sees already.
static bool is_seen(const cutting *w, const nav_obstacle *obstacle)
{
    return w->has_groups && w->overlay->is_seen[obstacle->group];
}

// The first obstacle, from one on, that a path meets and that is not seen; obstacle_count: none, or
// the budget has failed.
static uint32_t next_met(cutting *w, const nav_view *view, const nav_path *path, uint32_t from)
{
    const uint32_t count = w->overlay->obstacle_count;
    while (from < count && !w->budget.failed &&
           (is_seen(w, &w->overlay->obstacles[from]) || !is_in_way(w, view, path, from))) {
        ++from;
    }
    return w->budget.failed ? count : from;
}

// Sees the groups of all obstacles that a path meets. *any: there were some.
static bool see_met(cutting *w, const nav_view *view, const nav_path *path, bool *any)
{
    measure_path(w, path);
    uint32_t met = next_met(w, view, path, 0);
    *any = met < w->overlay->obstacle_count;
    if (*any && !w->has_groups) {
        (void)nav_view_find_groups(w->scratch, w->options, &w->budget);
    }
    for (; met < w->overlay->obstacle_count && !w->budget.failed;
         met = next_met(w, view, path, met + 1)) {
        (void)nav_view_see_group(w->scratch, w->overlay->obstacles[met].group, &w->budget);
    }
    w->has_groups = w->has_groups || *any;
    return !w->budget.failed;
}

// Whether an end of the question has its position on the mesh wherever shapes are: it lies in none
// that blocks, and right over or under the point, or no shape is as near as it was looked for.
static bool keeps_position(cutting *w, const float asked[3], const nav_location *location)
{
    const double near = (double)w->options->snap.horizontal;
    const leg from = leg_between(asked, asked);
    const leg at = leg_between(location->position, location->position);
    const bool moved = memcmp(from.from, at.from, sizeof at.from) != 0;
    for (uint32_t i = 0; i < w->overlay->obstacle_count; ++i) {
        const nav_outline *around = &w->overlay->obstacles[i].outline;
        if (!w->overlay->obstacles[i].shape.blocked) {
            continue;
        }
        if (moved && leg_meets_box(&from, around->min, around->max, near + NAV_OBSTACLE_NEAR)) {
            return false;
        }
        if (leg_meets_box(&at, around->min, around->max, NAV_OBSTACLE_NEAR)) {
            const nav_outline *outline = nav_overlay_outline(w->overlay, i, &w->budget);
            if (outline == NULL || (leg_enters(&at, outline, NAV_OBSTACLE_NEAR) < HUGE_VAL &&
                                    is_over(w, outline, location->polygon))) {
                return false;
            }
        }
    }
    return true;
}

static bool keeps_positions(cutting *w, const nav_path_request *request, const nav_path_ends *ends)
{
    return keeps_position(w, request->start, &ends->start) &&
           keeps_position(w, request->end, &ends->end);
}

// ---- led around without a cut ----

// The first obstacle that a leg crosses by more than rounding, or obstacle_count.
static uint32_t first_crossed(cutting *w, const leg *l)
{
    const double within = -nav_overlay_tolerance(l->from[0], l->from[1]);
    uint32_t first = w->overlay->obstacle_count;
    double at = HUGE_VAL;
    for (uint32_t i = 0; i < w->overlay->obstacle_count; ++i) {
        const nav_outline *outline = &w->overlay->obstacles[i].outline;
        if (leg_meets_box(l, outline->min, outline->max, within) &&
            nav_overlay_outline(w->overlay, i, &w->budget) != NULL &&
            leg_enters(l, outline, within) < at) {
            first = i;
            at = leg_enters(l, outline, within);
        }
    }
    return first;
}

// Puts the corners over which a string bends around an outline behind a node: on the right of the
// leg where side is 1, on its left where it is -1. False where there is no ground on the way.
static bool bend(nav_clearing *c, uint32_t node, const leg *l, const nav_outline *outline,
                 double side)
{
    const uint32_t first = c->count, end = c->nodes[node].next;
    const double *at = l->from;
    for (uint32_t last = node;; last = c->count++) {
        const double *next = l->to; // all other corners lie on the other side of it
        for (uint32_t i = 0; i < outline->count; ++i) {
            const double *corner = outline->points[i];
            next = nav_plane_side(at, next, corner) * side > 0.0 ? corner : next;
        }
        if (next == l->to && last != node) {
            c->nodes[last].next = end;
            c->nodes[node].next = first;
            return true;
        }
        const float to[3] = {(float)next[0], 0.0f, (float)next[1]};
        nav_location from = {.polygon = c->nodes[last].polygon};
        nav_ray ray;
        memcpy(from.position, c->nodes[last].at, sizeof from.position);
        if (next == l->to || c->count == c->capacity ||
            !nav_view_raycast(c->view, c->scratch, &from, to, NULL, &ray) || ray.hit) {
            c->count = first;
            return false;
        }
        c->nodes[c->count] =
            (nav_clear_node){.polygon = ray.polygon, .next = c->count + 1, .entered_by = NAV_NONE};
        memcpy(c->nodes[c->count].at, ray.position, sizeof ray.position);
        at = next;
    }
}

// The same on the side that is shorter by the outline's bounds, or else on the other.
static bool bend_around(nav_clearing *c, uint32_t node, const leg *l, const nav_outline *outline)
{
    const double center[2] = {(outline->min[0] + outline->max[0]) / 2.0,
                              (outline->min[1] + outline->max[1]) / 2.0};
    const double side = nav_plane_side(l->from, l->to, center) > 0.0 ? -1.0 : 1.0;
    return bend(c, node, l, outline, side) || bend(c, node, l, outline, -side);
}

// Leads a path around all that it crosses, over ground of one cost. A point that lies in a shape is
// left out. False, and then the path is as it was: a search among fragments may find a better one.
static bool lead_around(cutting *w, nav_path *path)
{
    const uint32_t none = w->overlay->obstacle_count;
    nav_clearing c;
    uint32_t bends = 0;
    bool led = nav_clearing_begin(&c, w->scratch, 0.0, path) &&
               nav_scratch_grow_spare(w->scratch, c.capacity);
    for (uint32_t node = 0; led && c.nodes[node].next != NAV_NONE;) {
        const nav_clear_node *next = &c.nodes[c.nodes[node].next];
        const leg l = leg_between(c.nodes[node].at, next->at),
                  at = {{l.to[0], l.to[1]}, {l.to[0], l.to[1]}};
        const uint32_t crossed = next->entered_by == NAV_NONE ? first_crossed(w, &l) : none;
        if (crossed == none) {
            node = c.nodes[node].next;
        } else if (next->next != NAV_NONE && c.nodes[next->next].entered_by == NAV_NONE &&
                   first_crossed(w, &at) != none) {
            c.nodes[node].next = next->next;
        } else {
            const nav_obstacle *o = &w->overlay->obstacles[crossed];
            led = o->shape.blocked && bends++ < BENDS_MAX && bend_around(&c, node, &l, &o->outline);
        }
    }
    nav_path around = *path;
    bool taken = false;
    led = led && !w->budget.failed && nav_clearing_take_nodes(&c, &around, &taken) && taken &&
          around.cost <= path->cost * AROUND_COST_MAX;
    if (taken && !led) {
        nav_clearing_swap_corridors(w->scratch);
    } else if (led) {
        nav_path_judge(&around);
        *path = around;
    }
    return led;
}

// ---- the steps ----

static cutting begin_cutting(const nav_mesh *mesh, nav_scratch *scratch, const nav_options *options)
{
    return (cutting){.mesh = mesh,
                     .scratch = scratch,
                     .options = options,
                     .overlay = &scratch->overlay,
                     .budget = nav_view_budget(scratch, options)};
}

// No path yet, between two points.
static nav_path path_between(const float start[3], const float end[3])
{
    nav_path path = {.status = NAV_PATH_NONE};
    memcpy(path.start, start, sizeof path.start);
    memcpy(path.end, end, sizeof path.end);
    return path;
}

static bool makes_nothing_cheaper(const nav_overlay *overlay)
{
    bool dear = true;
    for (uint32_t i = 0; i < overlay->obstacle_count && dear; ++i) {
        dear = overlay->obstacles[i].shape.blocked || overlay->obstacles[i].shape.cost >= 1.0f;
    }
    return dear;
}

// Whether a state is known to part two positions of the mesh. A question's own shapes may part
// more, and a filter, but open nothing; its own switches may.
static bool are_parted(const cutting *w, const nav_path_ends *ends)
{
    const nav_overlay *state = w->options->overlay;
    const bool known = w->options->switches == NULL && state != NULL && state->components != NULL &&
                       state->components->has_components;
    if (!known || w->mesh->records[ends->start.polygon].component !=
                      w->mesh->records[ends->end.polygon].component) {
        return false; // without a link the goal is out of reach, not blocked
    }
    const nav_fragment *fragments[2] = {NULL, NULL};
    uint32_t numbers[2] = {ends->start.polygon, ends->end.polygon};
    const nav_location *at[2] = {&ends->start, &ends->end};
    for (int end = 0; end < 2; ++end) {
        if (nav_overlay_is_cut(state, at[end]->polygon)) {
            fragments[end] = nav_overlay_fragment_at(state, at[end]->polygon, at[end]->position[0],
                                                     at[end]->position[2]);
            if (fragments[end] == NULL) {
                return false; // within a shape
            }
            numbers[end] = fragments[end]->number;
        }
    }
    return nav_state_component(state, numbers[0]) != nav_state_component(state, numbers[1]);
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

// Looks for a path around what is seen. False where there is none.
static bool find_around(cutting *w, const nav_path_request *request,
                        const nav_unobstructed *unobstructed, nav_view *view, nav_path *path)
{
    nav_path_ends ends = unobstructed->ends;
    if (!nav_view_take_overlay(view, w->scratch, w->options)) {
        return false;
    }
    ends.start.polygon = nav_view_polygon_at(view, ends.start.polygon, ends.start.position);
    ends.end.polygon = nav_view_polygon_at(view, ends.end.polygon, ends.end.position);
    path->lower_bound = unobstructed->bound;
    return ends.start.polygon != NAV_NONE && ends.end.polygon != NAV_NONE &&
           find_complete(w, request, &ends, view, path);
}

// Looks for a path around what is seen, and sees what is in its way, until nothing is. A way that
// is proven shortest around some shapes, and keeps clear of the others, is the shortest around all.
// False: all shapes have to be seen.
static bool find_clear(cutting *w, const nav_path_request *request,
                       const nav_unobstructed *unobstructed, nav_view *view, nav_path *path)
{
    bool any = true;
    for (uint32_t rounds = 0; rounds < ROUNDS_MAX && any; ++rounds) {
        if (!find_around(w, request, unobstructed, view, path) || !see_met(w, view, path, &any)) {
            return false;
        }
    }
    return !any;
}

// The path over the mesh without shapes, and from there on. True: *path is the answer.
static bool find(cutting *w, const nav_path_request *request, bool no_partial, nav_view *view,
                 nav_unobstructed *unobstructed, nav_path *path)
{
    if (!makes_nothing_cheaper(w->overlay) ||
        !nav_path_snap(view, request, &unobstructed->ends, path)) {
        return false;
    }
    // Once the parts of a state are known, a goal in another part needs no search.
    const bool parted = nav_path_is_free(request) && are_parted(w, &unobstructed->ends);
    if (parted && no_partial) {
        nav_path_leave_blocked(view, path);
        return true;
    }
    if (!find_complete(w, request, &unobstructed->ends, view, path)) {
        // Shapes open no way, but an end that they move may come to ground that leads on.
        return no_partial && path->status == NAV_PATH_NONE && path->reason != NAV_REASON_NULL &&
               keeps_positions(w, request, &unobstructed->ends) && !w->budget.failed;
    }
    unobstructed->bound = path->lower_bound;
    measure_path(w, path);
    uint32_t met = 0, at = 0;
    for (; met <= AROUND_MET_MAX && (at = next_met(w, view, path, at)) < w->overlay->obstacle_count;
         ++at) {
        ++met;
    }
    bool any = met > 0;
    if (w->budget.failed || parted || !keeps_positions(w, request, &unobstructed->ends)) {
        return false;
    }
    return !any ||
           (met <= AROUND_MET_MAX && request->search == NAV_SEARCH_FAST &&
            nav_path_is_free(request) && view->costs->uniform && lead_around(w, path)) ||
           (see_met(w, view, path, &any) && find_clear(w, request, unobstructed, view, path));
}

// ---- what stands in the way ----

// Notes the blocking shapes that a path meets: first those that hold the goal, then all of them;
// without those that hold the start, which can be left, unless there are no others: the start may
// be beside its rim.
static void note_blockers(cutting *w, const nav_view *view, const nav_path_ends *ends,
                          const nav_path *path, nav_path_blockers *out)
{
    enum {
        AT_GOAL,
        BESIDE_START,
        ALL,
        PASSES
    };
    measure_path(w, path);
    for (int pass = AT_GOAL; pass < PASSES && out->shape_count == 0; ++pass) {
        for (uint32_t i = 0; i < w->overlay->obstacle_count && !w->budget.failed; ++i) {
            const nav_obstacle *obstacle = &w->overlay->obstacles[i];
            if (obstacle->shape.blocked && out->shape_count < NAV_PATH_BLOCKERS_MAX &&
                is_in_way(w, view, path, i) &&
                (pass != AT_GOAL || nav_obstacle_blocks(w->mesh, obstacle, &ends->end)) &&
                (pass == ALL || !nav_obstacle_blocks(w->mesh, obstacle, &ends->start))) {
                out->shapes[out->shape_count++] = obstacle->number;
            }
        }
    }
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
    plain.no_partial = true;
    // Nothing may end the question before its time.
    if (request->max_nodes != 0 || nav_path_is_hurried(request) ||
        !nav_view_begin_without_shapes(mesh, scratch, &plain.options, &view)) {
        return false;
    }
    cutting w = begin_cutting(mesh, scratch, &request->options);
    nav_path path = path_between(request->start, request->end);
    const bool found = nav_view_take_shapes(mesh, scratch, &request->options, false, &w.budget) &&
                       find(&w, &plain, request->no_partial, &view, unobstructed, &path);
    nav_view_spent(scratch, &w.budget, &request->options);
    unobstructed->has_shapes = scratch->overlay_ready;
    if (found) {
        *out = path;
    }
    return found;
}

nav_status nav_path_find_without_shapes(const nav_mesh *mesh, nav_scratch *scratch,
                                        const nav_path_request *request, nav_path *out,
                                        nav_path_blockers *met)
{
    nav_view view;
    nav_path_ends ends;
    *out = path_between(request->start, request->end);
    if (!nav_view_begin_without_shapes(mesh, scratch, &request->options, &view)) {
        return scratch->cancel.cancelled ? NAV_OK : NAV_NO_MEMORY;
    }
    const bool found = nav_path_snap(&view, request, &ends, out);
    const nav_status status = found ? nav_path_find(&view, scratch, request, &ends, out) : NAV_OK;
    if (status != NAV_OK || out->status != NAV_PATH_COMPLETE ||
        !nav_options_have_shapes(&request->options)) {
        return status;
    }
    cutting w = begin_cutting(mesh, scratch, &request->options);
    if (nav_view_take_shapes(mesh, scratch, &request->options, false, &w.budget)) {
        note_blockers(&w, &view, &ends, out, met);
    }
    nav_view_spent(scratch, &w.budget, &request->options);
    return NAV_OK;
}
