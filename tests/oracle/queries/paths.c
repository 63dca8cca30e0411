// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// paths.c: paths, fast and exact, and reachability, ours beside findPath and findStraightPath.

#include "queries.h"

#include <math.h>
#include <string.h>

#define POINTS_MAX 4096u
// So many steps of floats the corners of a string may lie beside the polygons.
#define TOLERANCE_STEPS 4.0

// Costs are sums of floats over up to hundreds of metres.
static double cost_tolerance(const query_run *run, double cost)
{
    return run->same + 1e-5 * cost;
}

// Whether every piece of a string is a walk over the polygons; between which bounds its cost lies.
static bool is_on_mesh(query_run *run, const float (*points)[3], uint32_t count, double *least,
                       double *most)
{
    // Where costs change, the height of a string's point lies on the straight edge, not on the
    // ground: only its place in plan view is taken.
    const nav_snap snap = {2.0f * (float)run->same, 8.0f, 8.0f};
    *least = *most = 0.0;
    for (uint32_t i = 1; i < count; ++i) {
        detour_place from = query_snap(run, points[i - 1], snap);
        memcpy(from.position, points[i - 1], sizeof from.position);
        const double length = query_distance_plan(points[i - 1], points[i]);
        double low;
        double high;
        if (from.polygon == NAV_NONE) {
            return false;
        }
        const double slack = query_slack(run, &from, TOLERANCE_STEPS);
        if ((1.0 - query_walk(run, &from, points[i], slack)) * length > run->same) {
            return false;
        }
        query_walk_cost(run, &from, points[i], slack, &low, &high);
        *least += low;
        *most += high;
    }
    return true;
}

// Ours is on the mesh and costs what it says.
static bool is_true(query_run *run, const float (*points)[3], uint32_t count, double cost)
{
    double least;
    double most;
    return is_on_mesh(run, points, count, &least, &most) &&
           cost >= least - cost_tolerance(run, cost) && cost <= most + cost_tolerance(run, cost);
}

static nav_path ask(query_run *run, const detour_place *start, const detour_place *end,
                    nav_search search)
{
    nav_path path;
    nav_path_request request = {.options = run->options, .search = search, .no_partial = true};
    memcpy(request.start, start->position, sizeof request.start);
    memcpy(request.end, end->position, sizeof request.end);
    const nav_status status = nav_query_path(run->world.ours, run->scratch, &request, &path);
    NAV_ASSERT(status == NAV_OK);
    return path;
}

// Whether their way has other ends, and why: VERDICT_SAME where it has not.
static verdict judge_ends(const query_run *run, const detour_place *start, const detour_place *end)
{
    static const float HALF[3] = {2, 4, 2};
    const detour_place *ours[2] = {start, end};
    verdict v = VERDICT_SAME;
    for (int i = 0; i < 2 && v != VERDICT_UNEXPLAINED; ++i) {
        const detour_place theirs = detour_nearest(run->world.theirs, ours[i]->position, HALF);
        if (theirs.polygon == NAV_NONE ||
            query_distance(theirs.position, ours[i]->position) > run->same) {
            v = query_judge_nearest(run, ours[i]->position, ours[i], &theirs) == VERDICT_UNEXPLAINED
                    ? VERDICT_UNEXPLAINED
                    : VERDICT_PLACE;
        }
    }
    return v;
}

// points is a copy of the path's, which belong to the scratch.
static verdict judge_cost(query_run *run, const nav_path *ours, const float (*points)[3],
                          const detour_path *path, double theirs)
{
    const double same = cost_tolerance(run, theirs);
    const bool bound_holds = ours->lower_bound <= theirs + same;
    double least;
    double most;
    if (bound_holds && fabs(ours->cost - theirs) <= same) {
        return VERDICT_SAME;
    }
    if (bound_holds && ours->cost < theirs) {
        return is_true(run, points, ours->point_count, ours->cost) ? VERDICT_BETTER
                                                                   : VERDICT_UNEXPLAINED;
    }
    if (bound_holds && !ours->optimal) {
        return VERDICT_FAST;
    }
    return is_on_mesh(run, path->points, path->point_count, &least, &most) ? VERDICT_UNEXPLAINED
                                                                           : VERDICT_WALL;
}

// Judges a pair of which only one side finds a complete path.
static verdict judge_completion(query_run *run, const detour_place *start, const detour_place *end,
                                bool ours)
{
    const bool theirs = detour_is_reachable(run->world.theirs, start, end);
    return theirs == ours ? VERDICT_PLACE : VERDICT_UNEXPLAINED;
}

static verdict judge_path(query_run *run, const detour_place *start, const detour_place *end,
                          const nav_path *ours, const detour_path *path, double theirs)
{
    static float points[POINTS_MAX][3];
    const bool complete = ours->status == NAV_PATH_COMPLETE;
    const verdict ends = judge_ends(run, start, end);
    if (ends != VERDICT_SAME) {
        return ends;
    }
    if (complete != path->complete) {
        return judge_completion(run, start, end, complete);
    }
    NAV_ASSERT(ours->point_count <= POINTS_MAX);
    memcpy(points, ours->points, ours->point_count * sizeof *points);
    return complete ? judge_cost(run, ours, (const float(*)[3])points, path, theirs) : VERDICT_SAME;
}

static void note(query_run *run, query_kind kind, verdict v, const detour_place *start,
                 const detour_place *end, double ours, double theirs)
{
    query_note(run, kind, v, "%.9g %.9g %.9g (%u) -> %.9g %.9g %.9g (%u): ours %.9g, theirs %.9g",
               (double)start->position[0], (double)start->position[1], (double)start->position[2],
               start->polygon, (double)end->position[0], (double)end->position[1],
               (double)end->position[2], end->polygon, ours, theirs);
}

void query_compare_paths(query_run *run)
{
    detour_place start;
    detour_place end;
    bool reachable;
    if (!query_random_start(run, &start) || !query_random_start(run, &end)) {
        return;
    }
    const detour_path path =
        detour_find_path(run->world.theirs, start.position, end.position, run->weighted);
    const double theirs = path.complete ? detour_path_cost(run->world.theirs) : HUGE_VAL;
    const nav_status status =
        nav_query_reachable(run->world.ours, run->scratch, start.position, &run->options,
                            (const float(*)[3])end.position, 1, &reachable);
    NAV_ASSERT(status == NAV_OK);
    note(run, QUERY_REACHABLE,
         reachable == path.complete ? VERDICT_SAME : judge_completion(run, &start, &end, reachable),
         &start, &end, (double)reachable, (double)path.complete);
    for (int i = 0; i < (run->weighted ? 1 : 2); ++i) {
        const nav_path ours = ask(run, &start, &end, i == 0 ? NAV_SEARCH_FAST : NAV_SEARCH_EXACT);
        const double cost = ours.cost;
        if (i == 0 && ours.status == NAV_PATH_COMPLETE && path.complete) {
            run->our_cost += ours.cost;
            run->their_cost += theirs;
        }
        note(run, i == 0 ? QUERY_FAST : QUERY_EXACT,
             judge_path(run, &start, &end, &ours, &path, theirs), &start, &end, cost, theirs);
    }
}
