// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// nearest.c: the nearest place on the mesh, ours beside findNearestPoly.

#include "queries.h"

#include <math.h>

static bool is_within(const nav_snap *snap, const float point[3], const float place[3])
{
    return fabsf(place[0] - point[0]) <= snap->horizontal &&
           fabsf(place[2] - point[2]) <= snap->horizontal && place[1] - point[1] <= snap->up &&
           point[1] - place[1] <= snap->down;
}

// Whether some open polygon is a floor of the point: right under it, or right over it but not above
// `high`, a step higher.
static bool has_floor(const query_run *run, const float point[3], float high)
{
    for (uint32_t i = 0; i < run->world.polygons; ++i) {
        if (detour_is_open(run->world.theirs, i) && query_is_over(run, i, point, 0.0)) {
            const detour_place place = detour_closest_on(run->world.theirs, i, point);
            if (place.position[1] <= high && is_within(&run->options.snap, point, place.position)) {
                return true;
            }
        }
    }
    return false;
}

// Whether both took the same polygon and its border is as far from theirs as from ours, but slopes
// there: Detour's own heights, within float steps of either place, span ours.
static bool is_within_tolerance(const query_run *run, const float point[3],
                                const detour_place *ours, const detour_place *theirs)
{
    const detour_place *places[2] = {ours, theirs};
    float low = HUGE_VALF;
    float high = -HUGE_VALF;
    for (int i = 0; i < 18; ++i) {
        const float *at = places[i / 9]->position;
        const float beside[3] = {at[0] + (float)run->same * (float)(i % 3 - 1), at[1],
                                 at[2] + (float)run->same * (float)(i / 3 % 3 - 1)};
        const detour_place place = detour_closest_on(run->world.theirs, ours->polygon, beside);
        low = fminf(low, place.position[1]);
        high = fmaxf(high, place.position[1]);
    }
    return ours->polygon == theirs->polygon &&
           query_distance_plan(point, ours->position) <=
               query_distance_plan(point, theirs->position) + run->same &&
           (double)ours->position[1] >= (double)low - run->same &&
           (double)ours->position[1] <= (double)high + run->same;
}

static verdict judge_two(const query_run *run, const float point[3], const detour_place *ours,
                         const detour_place *theirs)
{
    const float high = point[1] + nav_config_default().agent_max_climb;
    const double our_distance = query_distance(point, ours->position);
    const double their_distance = query_distance(point, theirs->position);
    if (query_distance(ours->position, theirs->position) <= run->same) {
        return VERDICT_SAME;
    }
    if (our_distance < their_distance - run->same) {
        return VERDICT_BETTER;
    }
    if (ours->position[1] <= high && theirs->position[1] > high && has_floor(run, point, high)) {
        return VERDICT_FLOOR;
    }
    if (our_distance <= their_distance + run->same) {
        return VERDICT_TIE;
    }
    return is_within_tolerance(run, point, ours, theirs) ? VERDICT_TOLERANCE : VERDICT_UNEXPLAINED;
}

verdict query_judge_nearest(const query_run *run, const float point[3], const detour_place *ours,
                            const detour_place *theirs)
{
    const nav_snap *snap = &run->options.snap;
    const bool none = ours->polygon == NAV_NONE, theirs_none = theirs->polygon == NAV_NONE;
    const bool is_valid = none || (is_within(snap, point, ours->position) &&
                                   query_is_over(run, ours->polygon, ours->position, run->same) &&
                                   detour_is_open(run->world.theirs, ours->polygon));
    if (!is_valid) {
        return VERDICT_UNEXPLAINED;
    }
    if (none && theirs_none) {
        return VERDICT_SAME;
    }
    if (!theirs_none && !is_within(snap, point, theirs->position)) {
        return VERDICT_OUTSIDE;
    }
    const verdict v = none          ? VERDICT_UNEXPLAINED
                      : theirs_none ? VERDICT_BETTER
                                    : judge_two(run, point, ours, theirs);
    const bool is_flat = (!none && detour_is_flat(run->world.theirs, ours->polygon)) ||
                         (!theirs_none && detour_is_flat(run->world.theirs, theirs->polygon));
    return v == VERDICT_UNEXPLAINED && is_flat ? VERDICT_FLAT : v;
}

void query_compare_nearest(query_run *run)
{
    static const float HALF[3] = {2, 4, 2};
    float point[3];
    query_random_place(run, point);
    point[0] += query_random_offset(run, 2.5f);
    point[1] += query_random_offset(run, 6.0f);
    point[2] += query_random_offset(run, 2.5f);
    const detour_place ours = query_snap(run, point, run->options.snap);
    const detour_place theirs = detour_nearest(run->world.theirs, point, HALF);
    query_note(run, QUERY_NEAREST, query_judge_nearest(run, point, &ours, &theirs),
               "from %.9g %.9g %.9g: ours %u at %.9g %.9g %.9g, theirs %u at %.9g %.9g %.9g",
               (double)point[0], (double)point[1], (double)point[2], ours.polygon,
               (double)ours.position[0], (double)ours.position[1], (double)ours.position[2],
               theirs.polygon, (double)theirs.position[0], (double)theirs.position[1],
               (double)theirs.position[2]);
}
