// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// path.c: the life of a path query, from the question to the answer, as numbered steps. Steps 1 to
// 3 are find_path; steps 4 to 9 are nav_path_find (between.c), which lazy_cutting.c takes as well;
// step 10 is nav_query_path.

#include "core/query/path/path.h"

#include "core/query/clearance/clearance.h"
#include "core/query/question/question.h"

#include <string.h>

// Both ends on the mesh. False, with a reason, where an end has no position; without one, there is
// no memory, or the question is cancelled.
static bool find_ends(nav_view *view, nav_scratch *scratch, const nav_path_request *request,
                      const nav_options *options, nav_path_ends *ends, nav_path *path)
{
    bool found;
    if (view->overlay != NULL &&
        !nav_view_snap_start(view, scratch, options, request->start, &ends->start, &found)) {
        return false;
    }
    // A start in shapes that cannot leave them has no position.
    if (nav_path_snap(view, request, ends, path) && ends->start_in_shape) {
        path->reason = NAV_REASON_BLOCKED;
    }
    return path->reason == NAV_REASON_NULL;
}

static nav_status find_path(const nav_mesh *mesh, nav_scratch *scratch,
                            const nav_path_request *request, nav_path *out)
{
    // 1. Shapes to avoid: mostly few of them are in the way, and only those are cut.
    nav_options options = request->options;
    nav_unobstructed unobstructed = {.bound = 0.0};
    const bool has_shapes = nav_options_have_shapes(&options);
    if (has_shapes && !(request->clearance > 0.0f) &&
        nav_lazy_cutting_find(mesh, scratch, request, &unobstructed, out)) {
        return NAV_OK;
    }
    // Shapes that it has cut need not be cut again.
    options.avoid_repeated = options.avoid_repeated || unobstructed.has_shapes;
    // 2. The view: the costs of the filter, and the mesh with all shapes cut out of it.
    nav_view view;
    nav_path_ends ends = {.end_in_shape = false};
    nav_path path = {.status = NAV_PATH_NONE};
    nav_status status = NAV_OK;
    memcpy(path.start, request->start, sizeof path.start);
    memcpy(path.end, request->end, sizeof path.end);
    if (nav_view_begin(mesh, scratch, &options, &view) &&
        find_ends(&view, scratch, request, &options, &ends, &path)) { // 3. Both ends on the mesh.
        path.lower_bound = has_shapes ? nav_unobstructed_bound(&unobstructed, &ends) : 0.0;
        status = nav_path_find(&view, scratch, request, &ends, &path); // 4. to 9.
    } else if (path.reason == NAV_REASON_NULL) {
        status = scratch->cancel.cancelled ? NAV_OK : NAV_NO_MEMORY;
        path.reason = NAV_REASON_DEADLINE;
    }
    if (status == NAV_OK) {
        *out = path;
    }
    return status;
}

// A path that may end early. Its beginning is that of the path to the goal, unless the limits end
// the search as well. *proven: what is beyond a limit is so by any other path, too.
static nav_status find_within(const nav_mesh *mesh, nav_scratch *scratch,
                              const nav_path_request *request, bool limit_search, nav_path *out,
                              bool *proven)
{
    nav_path_request search = *request;
    bool moved = false, fits = true; // the path before it is moved
    search.max_cost = limit_search ? request->max_cost : 0.0;
    search.max_length = limit_search ? request->max_length : 0.0;
    nav_status status = find_path(mesh, scratch, &search, out);
    if (status == NAV_OK && request->clearance > 0.0f) {
        fits = nav_path_keeps_limits(request, out);
        status = nav_path_clear(scratch, (double)request->clearance, out, &moved);
    }
    if (status == NAV_OK) {
        const double bound = out->lower_bound;
        nav_path_shorten(scratch, request, out);
        out->optimal = out->optimal && !moved;
        const bool beyond =
            out->reason == NAV_REASON_MAX_COST || out->reason == NAV_REASON_MAX_LENGTH;
        *proven = !beyond || bound >= nav_path_cost_limit(&scratch->corridor.view, request);
        if (beyond && moved && fits) {
            // Limits count for more than room beside the path.
            search = *request;
            search.clearance = 0.0f;
            status = find_within(mesh, scratch, &search, limit_search, out, proven);
        }
    }
    if (status == NAV_OK && request->clearance > 0.0f) {
        status = nav_path_measure(scratch, (double)request->clearance, out);
    }
    return status;
}

nav_status nav_query_path(const nav_mesh *mesh, nav_scratch *scratch,
                          const nav_path_request *request, nav_path *out)
{
    nav_path path;
    bool proven = true, moved;
    if (request->expansions != NULL) {
        request->expansions->count = 0;
        request->expansions->truncated = false;
    }
    if (!nav_path_is_limited(request) && !(request->goal_radius > 0.0f)) {
        nav_status found = find_path(mesh, scratch, request, &path);
        if (found == NAV_OK && request->clearance > 0.0f) {
            found = nav_path_clear(scratch, (double)request->clearance, &path, &moved);
        }
        if (found == NAV_OK) {
            *out = path;
        }
        return found;
    }
    // 10. A path that may end early; only with no_partial may the limits end the search.
    nav_status status = find_within(mesh, scratch, request, request->no_partial, &path, &proven);
    const uint32_t expanded = status == NAV_OK ? path.nodes_expanded : 0;
    // A search that leaves out what is too far away may find another path than one that does not,
    // and a dearer one: the other path is to count, whether partial ones are wanted or not.
    if (status == NAV_OK && request->no_partial && !proven &&
        (request->max_nodes == 0 || expanded < request->max_nodes)) {
        nav_path_request rest = *request;
        rest.max_nodes -= request->max_nodes > 0 ? expanded : 0;
        status = find_within(mesh, scratch, &rest, false, &path, &proven);
        path.nodes_expanded += expanded;
    }
    if (status == NAV_OK) {
        *out = path;
    }
    return status;
}

const char *nav_engine_word(nav_engine engine)
{
    static const char *const words[] = {[NAV_ENGINE_POLYANYA] = "polyanya",
                                        [NAV_ENGINE_LABELS] = "labels",
                                        [NAV_ENGINE_STEINER] = "steiner"};
    NAV_ASSERT((unsigned)engine < sizeof words / sizeof words[0]);
    return words[engine];
}

const char *nav_path_status_word(nav_path_status status)
{
    static const char *const words[] = {
        [NAV_PATH_NONE] = "none", [NAV_PATH_PARTIAL] = "partial", [NAV_PATH_COMPLETE] = "complete"};
    NAV_ASSERT((unsigned)status < sizeof words / sizeof words[0]);
    return words[status];
}

const char *nav_path_reason_word(nav_path_reason reason)
{
    static const char *const words[] = {
        [NAV_REASON_NULL] = NULL,
        [NAV_REASON_START_OFF_MESH] = "start_off_mesh",
        [NAV_REASON_END_OFF_MESH] = "end_off_mesh",
        [NAV_REASON_UNREACHABLE] = "unreachable",
        [NAV_REASON_BLOCKED] = "blocked",
        [NAV_REASON_NODE_BUDGET] = "node_budget",
        [NAV_REASON_DEADLINE] = "deadline",
        [NAV_REASON_MAX_COST] = "max_cost",
        [NAV_REASON_MAX_LENGTH] = "max_length",
    };
    NAV_ASSERT((unsigned)reason < sizeof words / sizeof words[0]);
    return words[reason];
}
