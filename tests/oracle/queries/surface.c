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

static void away_from(query_asker *a, const detour_place *start, float length, float out[3])
{
    out[0] = start->position[0] + query_random_offset(a, length);
    out[1] = start->position[1];
    out[2] = start->position[2] + query_random_offset(a, length);
}

// ---- rays ----

static verdict judge_ray(const query_asker *a, const detour_place *start, const float end[3],
                         double ours, double theirs)
{
    const double length = query_distance_plan(start->position, end);
    const double same = QUERY_SAME / length;
    if (fabs(ours - theirs) <= same) {
        return VERDICT_SAME;
    }
    if (ours > theirs) {
        return query_walk(a, start, end, 1e-5) >= ours - same ? VERDICT_BETTER
                                                              : VERDICT_UNEXPLAINED;
    }
    const bool is_right = query_walk(a, start, end, 1e-6) <= ours + same;
    return is_right && query_walk(a, start, end, QUERY_SAME) >= theirs - same ? VERDICT_THROUGH_WALL
                                                                              : VERDICT_UNEXPLAINED;
}

void query_compare_ray(query_asker *a)
{
    detour_place start;
    float end[3];
    nav_ray ours;
    if (!query_random_start(a, &start)) {
        return;
    }
    away_from(a, &start, RAY_LENGTH, end);
    const nav_status status =
        nav_query_raycast(a->world.ours, a->scratch, start.position, end, &a->options, &ours);
    NAV_ASSERT(status == NAV_OK && ours.found);
    const detour_ray theirs = detour_raycast(a->world.theirs, &start, end);
    query_note(a, QUERY_RAY, judge_ray(a, &start, end, (double)ours.t, (double)theirs.t),
               "%.9g %.9g %.9g (%u) -> %.9g %.9g: ours %.9g (%u), theirs %.9g (%u), "
               "walks %.9g %.9g %.9g",
               (double)start.position[0], (double)start.position[1], (double)start.position[2],
               start.polygon, (double)end[0], (double)end[2], (double)ours.t, ours.polygon,
               (double)theirs.t, theirs.polygon, query_walk(a, &start, end, 1e-6),
               query_walk(a, &start, end, 1e-5), query_walk(a, &start, end, 1e-3));
}

// ---- walls ----

static verdict judge_wall(query_asker *a, const nav_wall *ours, const detour_wall *theirs)
{
    const double our_distance = (double)ours->distance, their_distance = (double)theirs->distance;
    if (fabs(our_distance - their_distance) <= QUERY_SAME) {
        return VERDICT_SAME;
    }
    if (our_distance < their_distance) {
        return query_is_wall(a, ours->position) ? VERDICT_BETTER : VERDICT_UNEXPLAINED;
    }
    return VERDICT_UNEXPLAINED;
}

void query_compare_wall(query_asker *a)
{
    detour_place start;
    nav_wall ours;
    if (!query_random_start(a, &start)) {
        return;
    }
    const nav_status status =
        nav_query_wall(a->world.ours, a->scratch, start.position, WALL_RADIUS, &a->options, &ours);
    NAV_ASSERT(status == NAV_OK && ours.found);
    const detour_wall theirs = detour_find_wall(a->world.theirs, &start, WALL_RADIUS);
    query_note(a, QUERY_WALL, judge_wall(a, &ours, &theirs),
               "%.9g %.9g %.9g (%u): ours %.9g at %.9g %.9g, theirs %.9g at %.9g %.9g",
               (double)start.position[0], (double)start.position[1], (double)start.position[2],
               start.polygon, (double)ours.distance, (double)ours.position[0],
               (double)ours.position[2], (double)theirs.distance, (double)theirs.position[0],
               (double)theirs.position[2]);
}

// ---- steps ----

static verdict judge_move(const query_asker *a, const detour_place *start, const float end[3],
                          const nav_move *ours, const detour_move *theirs)
{
    const double our_rest = query_distance_plan(ours->position, end);
    const double their_rest = query_distance_plan(theirs->position, end);
    const bool is_valid = query_is_chain(a, ours->visited, ours->visited_count, start->polygon) &&
                          ours->visited[ours->visited_count - 1] == ours->polygon &&
                          query_is_over(a, ours->polygon, ours->position, QUERY_SAME);
    if (!is_valid) {
        return VERDICT_UNEXPLAINED;
    }
    if (query_distance_plan(ours->position, theirs->position) <= QUERY_SAME) {
        return VERDICT_SAME;
    }
    if (our_rest < their_rest - QUERY_SAME) {
        return VERDICT_BETTER;
    }
    return our_rest <= their_rest + QUERY_SAME ? VERDICT_TIE : VERDICT_UNEXPLAINED;
}

void query_compare_move(query_asker *a)
{
    detour_place start;
    float end[3];
    nav_move ours;
    if (!query_random_start(a, &start)) {
        return;
    }
    away_from(a, &start, STEP_LENGTH, end);
    const nav_status status =
        nav_query_move(a->world.ours, a->scratch, start.position, end, &a->options, &ours);
    NAV_ASSERT(status == NAV_OK && ours.found);
    const detour_move theirs = detour_move_along(a->world.theirs, &start, end);
    query_note(a, QUERY_MOVE, judge_move(a, &start, end, &ours, &theirs),
               "%.9g %.9g %.9g (%u) -> %.9g %.9g: ours %.9g %.9g (%u, %u of them), "
               "theirs %.9g %.9g (%u, %u of them)",
               (double)start.position[0], (double)start.position[1], (double)start.position[2],
               start.polygon, (double)end[0], (double)end[2], (double)ours.position[0],
               (double)ours.position[2], ours.polygon, ours.visited_count,
               (double)theirs.position[0], (double)theirs.position[2],
               theirs.visited[theirs.visited_count - 1], theirs.visited_count);
}
