// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// surface.c: straight walks, walls and sliding steps, ours beside raycast, findDistanceToWall and
// moveAlongSurface, from the same place on the same polygon.

#include "queries.h"

#include <math.h>
#include <string.h>

#define RAY_LENGTH 40.0f
#define STEP_LENGTH 4.0f
#define WALL_RADIUS 12.0f
// How near to a corner, in steps of floats, a ray may pass on either side of it.
#define TOLERANCE_STEPS 8.0
#define BEGINNINGS_MAX 16u

static void away_from(query_run *run, const detour_place *start, float length, float out[3])
{
    out[0] = start->position[0] + query_random_offset(run, length);
    out[1] = start->position[1];
    out[2] = start->position[2] + query_random_offset(run, length);
}

// ---- rays ----

// How far a walk comes over polygons that are widened by what points are rounded by, from any of
// those that it may begin on.
static double walk_widened(query_run *run, const detour_place *start, const float end[3])
{
    const double slack = query_slack(run, start, TOLERANCE_STEPS) + (double)NAV_PLAN_TOLERANCE;
    const nav_snap snap = {(float)slack, 0.5f, 0.5f};
    nav_location near[BEGINNINGS_MAX];
    const uint32_t count =
        nav_query_nearest(run->world.ours, start->position, snap, NAV_NONE, near, BEGINNINGS_MAX);
    double farthest = query_walk(run, start, end, slack);
    for (uint32_t i = 0; i < count; ++i) {
        const detour_place other = {
            .polygon = near[i].polygon,
            .position = {start->position[0], start->position[1], start->position[2]}};
        if (detour_is_open(run->world.theirs, other.polygon)) {
            farthest = fmax(farthest, query_walk(run, &other, end, slack));
        }
    }
    return farthest;
}

// Ours is right where it ends as the exact walk over the polygons does, or within float steps of
// that: past a corner, or at a wall that it touches.
static verdict judge_ray(query_run *run, const detour_place *start, const float end[3],
                         const nav_ray *ray, double theirs)
{
    const double ours = (double)ray->t;
    const double same = run->same / query_distance_plan(start->position, end);
    const float place[3] = {start->position[0] + (end[0] - start->position[0]) * ray->t, 0,
                            start->position[2] + (end[2] - start->position[2]) * ray->t};
    if (query_distance_plan(place, ray->position) > run->same) {
        return VERDICT_UNEXPLAINED;
    }
    if (fabs(ours - theirs) <= same) {
        return VERDICT_SAME;
    }
    const double exact = query_walk(run, start, end, query_slack(run, start, 0.0));
    if (ours < exact - same) {
        return query_is_wall(run, ray->position) ? VERDICT_TOLERANCE : VERDICT_UNEXPLAINED;
    }
    if (ours > exact + same) {
        const double widened = walk_widened(run, start, end);
        return ours <= widened + same ? VERDICT_TOLERANCE : VERDICT_UNEXPLAINED;
    }
    if (ours > theirs) {
        return VERDICT_BETTER;
    }
    return query_walk(run, start, end, run->same) >= theirs - same ? VERDICT_WALL
                                                                   : VERDICT_UNEXPLAINED;
}

void query_compare_ray(query_run *run)
{
    detour_place start;
    float end[3];
    nav_ray ours;
    if (!query_random_start(run, &start)) {
        return;
    }
    away_from(run, &start, RAY_LENGTH, end);
    const nav_status status =
        nav_query_raycast(run->world.ours, run->scratch, start.position, end, &run->options, &ours);
    NAV_ASSERT(status == NAV_OK && ours.found);
    const detour_ray theirs = detour_raycast(run->world.theirs, &start, end);
    query_note(run, QUERY_RAY, judge_ray(run, &start, end, &ours, (double)theirs.t),
               "%.9g %.9g %.9g (%u) -> %.9g %.9g: ours %.9g (%u), theirs %.9g (%u), "
               "exactly %.9g, widened %.9g",
               (double)start.position[0], (double)start.position[1], (double)start.position[2],
               start.polygon, (double)end[0], (double)end[2], (double)ours.t, ours.polygon,
               (double)theirs.t, theirs.polygon,
               query_walk(run, &start, end, query_slack(run, &start, 0.0)),
               query_walk(run, &start, end, run->same));
}

// ---- walls ----

static verdict judge_wall(query_run *run, const nav_wall *ours, const detour_wall *theirs)
{
    const double our_distance = (double)ours->distance, their_distance = (double)theirs->distance;
    if (fabs(our_distance - their_distance) <= run->same) {
        return VERDICT_SAME;
    }
    if (our_distance < their_distance) {
        return query_is_wall(run, ours->position) ? VERDICT_BETTER : VERDICT_UNEXPLAINED;
    }
    return VERDICT_UNEXPLAINED;
}

void query_compare_wall(query_run *run)
{
    detour_place start;
    nav_wall ours;
    if (!query_random_start(run, &start)) {
        return;
    }
    const nav_status status = nav_query_wall(run->world.ours, run->scratch, start.position,
                                             WALL_RADIUS, &run->options, &ours);
    NAV_ASSERT(status == NAV_OK && ours.found);
    const detour_wall theirs = detour_find_wall(run->world.theirs, &start, WALL_RADIUS);
    query_note(run, QUERY_WALL, judge_wall(run, &ours, &theirs),
               "%.9g %.9g %.9g (%u): ours %.9g at %.9g %.9g, theirs %.9g at %.9g %.9g",
               (double)start.position[0], (double)start.position[1], (double)start.position[2],
               start.polygon, (double)ours.distance, (double)ours.position[0],
               (double)ours.position[2], (double)theirs.distance, (double)theirs.position[0],
               (double)theirs.position[2]);
}

// ---- steps ----

// Whether their way goes to polygons over a border that is as far from the middle of the step as
// the step's circle reaches, or farther: then floats decide whether it is in reach.
static bool is_on_rim(const query_run *run, const detour_place *start, const float end[3],
                      const detour_move *theirs)
{
    const float middle[3] = {(start->position[0] + end[0]) / 2, 0,
                             (start->position[2] + end[2]) / 2};
    const double radius = query_distance_plan(start->position, end) / 2.0;
    for (uint32_t i = 1; i < theirs->visited_count; ++i) {
        if (query_border_distance(run, theirs->visited[i - 1], theirs->visited[i], middle) >=
            radius - run->same) {
            return true;
        }
    }
    return false;
}

static verdict judge_move(const query_run *run, const detour_place *start, const float end[3],
                          const nav_move *ours, const detour_move *theirs)
{
    const double our_rest = query_distance_plan(ours->position, end);
    const double their_rest = query_distance_plan(theirs->position, end);
    const bool is_valid = query_is_chain(run, ours->visited, ours->visited_count, start->polygon) &&
                          ours->visited[ours->visited_count - 1] == ours->polygon &&
                          query_is_over(run, ours->polygon, ours->position, run->same);
    if (!is_valid) {
        return VERDICT_UNEXPLAINED;
    }
    if (query_distance_plan(ours->position, theirs->position) <= run->same) {
        return VERDICT_SAME;
    }
    if (our_rest < their_rest - run->same) {
        return VERDICT_BETTER;
    }
    if (our_rest <= their_rest + 1.1 * (double)NAV_PLAN_TOLERANCE) {
        return VERDICT_TIE;
    }
    return is_on_rim(run, start, end, theirs) ? VERDICT_RIM : VERDICT_UNEXPLAINED;
}

void query_compare_move(query_run *run)
{
    detour_place start;
    float end[3];
    nav_move ours;
    if (!query_random_start(run, &start)) {
        return;
    }
    away_from(run, &start, STEP_LENGTH, end);
    const nav_status status =
        nav_query_move(run->world.ours, run->scratch, start.position, end, &run->options, &ours);
    NAV_ASSERT(status == NAV_OK && ours.found);
    const detour_move theirs = detour_move_along(run->world.theirs, &start, end);
    query_note(run, QUERY_MOVE, judge_move(run, &start, end, &ours, &theirs),
               "%.9g %.9g %.9g (%u) -> %.9g %.9g: ours %.9g %.9g %.9g (%u, %u of them), "
               "theirs %.9g %.9g %.9g (%u, %u of them)",
               (double)start.position[0], (double)start.position[1], (double)start.position[2],
               start.polygon, (double)end[0], (double)end[2], (double)ours.position[0],
               (double)ours.position[1], (double)ours.position[2], ours.polygon, ours.visited_count,
               (double)theirs.position[0], (double)theirs.position[1], (double)theirs.position[2],
               theirs.visited[theirs.visited_count - 1], theirs.visited_count);
}
