// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// paths.c: paths, fast and exact, and reachability, ours beside findPath and findStraightPath.

#include "queries.h"

#include <math.h>
#include <string.h>

// Costs are sums over up to hundreds of metres of floats.
static double grain(double cost)
{
    return QUERY_SAME + 1e-5 * cost;
}

// Whether a piece of their string leaves the polygons: a straight walk over them ends before it.
static bool leaves_mesh(query_asker *a, const detour_path *path)
{
    const nav_snap snap = {0.1f, 4.0f, 4.0f};
    for (uint32_t i = 1; i < path->point_count; ++i) {
        const detour_place from = query_snap(a, path->points[i - 1], snap);
        const double length = query_distance_plan(path->points[i - 1], path->points[i]);
        if (from.polygon == NAV_NONE ||
            (length > 0.0 &&
             (1.0 - query_walk(a, &from, path->points[i], 1e-6)) * length > QUERY_SAME)) {
            return true;
        }
    }
    return false;
}

static nav_path ask(query_asker *a, const detour_place *start, const detour_place *end,
                    nav_search search)
{
    nav_path path;
    nav_path_request request = {.options = a->options, .search = search, .no_partial = true};
    memcpy(request.start, start->position, sizeof request.start);
    memcpy(request.end, end->position, sizeof request.end);
    const nav_status status = nav_query_path(a->world.ours, a->scratch, &request, &path);
    NAV_ASSERT(status == NAV_OK);
    return path;
}

static verdict judge_cost(query_asker *a, const nav_path *ours, const detour_path *path,
                          double theirs)
{
    if (fabs(ours->cost - theirs) <= grain(theirs)) {
        return VERDICT_SAME;
    }
    if (ours->cost < theirs) {
        return VERDICT_BETTER;
    }
    if (!ours->optimal && ours->lower_bound <= theirs + grain(theirs)) {
        return VERDICT_NOT_SHORTEST;
    }
    return leaves_mesh(a, path) ? VERDICT_THROUGH_WALL : VERDICT_UNEXPLAINED;
}

// Where only one side completes.
static verdict judge_verdicts(query_asker *a, const detour_place *start, const detour_place *end,
                              bool ours)
{
    bool gave_up;
    const bool theirs = detour_is_reachable(a->world.theirs, start, end, &gave_up);
    return theirs == ours ? VERDICT_OTHER_PLACE : gave_up ? VERDICT_GAVE_UP : VERDICT_UNEXPLAINED;
}

static void note(query_asker *a, query_kind kind, verdict v, const detour_place *start,
                 const detour_place *end, double ours, double theirs)
{
    query_note(a, kind, v, "%.9g %.9g %.9g (%u) -> %.9g %.9g %.9g (%u): ours %.9g, theirs %.9g",
               (double)start->position[0], (double)start->position[1], (double)start->position[2],
               start->polygon, (double)end->position[0], (double)end->position[1],
               (double)end->position[2], end->polygon, ours, theirs);
}

void query_compare_paths(query_asker *a)
{
    detour_place start;
    detour_place end;
    bool reachable;
    if (!query_random_start(a, &start) || !query_random_start(a, &end)) {
        return;
    }
    const detour_path path =
        detour_find_path(a->world.theirs, start.position, end.position, a->weighted);
    const double theirs = path.complete ? detour_path_cost(a->world.theirs) : HUGE_VAL;
    const nav_status status =
        nav_query_reachable(a->world.ours, a->scratch, start.position, &a->options,
                            (const float(*)[3])end.position, 1, &reachable);
    NAV_ASSERT(status == NAV_OK);
    note(a, QUERY_REACHABLE,
         reachable == path.complete ? VERDICT_SAME : judge_verdicts(a, &start, &end, reachable),
         &start, &end, (double)reachable, (double)path.complete);
    const nav_search searches[2] = {NAV_SEARCH_FAST, NAV_SEARCH_EXACT};
    for (int i = 0; i < (a->weighted ? 1 : 2); ++i) {
        const nav_path ours = ask(a, &start, &end, searches[i]);
        const bool complete = ours.status == NAV_PATH_COMPLETE;
        verdict v = VERDICT_SAME;
        if (complete != path.complete) {
            v = judge_verdicts(a, &start, &end, complete);
        } else if (complete) {
            v = judge_cost(a, &ours, &path, theirs);
        }
        if (i == 0 && complete && path.complete) {
            a->our_cost += ours.cost;
            a->their_cost += theirs;
        }
        note(a, i == 0 ? QUERY_FAST : QUERY_EXACT, v, &start, &end, ours.cost, theirs);
    }
}
