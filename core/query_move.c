// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_move.c: a step of somebody who has to stay on the mesh: the place closest to where the step
// should end, of all ground that hangs together with its beginning within the circle that the step
// spans. Where the way is free that is the end itself; at a wall it slides along.

#include "query.h"

#include <math.h>
#include <string.h>

// The circle around the middle of the step is a little larger than the step, so that portals that
// its ends lie on are passed.
#define CIRCLE_SLACK 1e-3

// A step is looked at for this far at most: squares of distances stay finite.
#define STEP_MAX (4.0 * (double)NAV_COORDINATE_MAX)

typedef struct search {
    const nav_view *view;
    nav_scratch *scratch;
    float end[2];
    double best2;
    nav_move *out;
} search;

// Every polygon of the queue remembers behind which other one of it it was found.
static void remember(nav_scratch *scratch, uint32_t from, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < count; ++i) {
        scratch->flood_parents[i] = from;
    }
}

static void look_at(search *s, uint32_t polygon)
{
    float x = s->end[0];
    float z = s->end[1];
    const double distance2 = (double)nav_view_clamp(s->view, polygon, &x, &z);
    if (distance2 < s->best2) {
        s->best2 = distance2;
        s->out->polygon = polygon;
        s->out->position[0] = x;
        s->out->position[2] = z;
    }
}

// Pieces become the mesh's polygons, those of one polygon in a row only once. Returns how many are
// left.
static uint32_t name_visited(const nav_view *view, uint32_t *list, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t polygon = nav_view_base(view, list[i]);
        if (kept == 0 || list[kept - 1] != polygon) {
            list[kept++] = polygon;
        }
    }
    return kept;
}

// The polygons from the start's, which is the first of the queue, to the one at place `last`.
static void list_visited(const nav_spread *spread, uint32_t last, nav_move *out)
{
    nav_scratch *scratch = spread->scratch;
    uint32_t count = 1;
    for (uint32_t i = last; i != 0; i = scratch->flood_parents[i]) {
        ++count;
    }
    uint32_t *list = scratch->polygon_list;
    uint32_t at = count;
    for (uint32_t i = last;; i = scratch->flood_parents[i]) {
        list[--at] = scratch->flood_queue[i];
        if (i == 0) {
            break;
        }
    }
    out->visited = list;
    out->visited_count = name_visited(spread->view, list, count);
}

static void slide(search *s, nav_spread *spread, double radius)
{
    uint32_t best = 0;
    for (uint32_t at = 0;; ++at) {
        const uint32_t polygon = nav_spread_next(spread);
        if (polygon == NAV_NONE || s->best2 == 0.0) {
            break;
        }
        const double before2 = s->best2;
        look_at(s, polygon);
        best = s->best2 < before2 ? at : best;
        const uint32_t first = spread->count;
        nav_spread_on(spread, polygon, radius);
        remember(s->scratch, at, first, spread->count);
    }
    list_visited(spread, best, s->out);
}

// The step's end in plan view, or where it leads to at the farthest.
static void limit_step(const float start[3], const float end[3], float goal[2])
{
    const double dx = (double)end[0] - (double)start[0], dz = (double)end[2] - (double)start[2];
    const double length = sqrt(dx * dx + dz * dz);
    const double part = length > STEP_MAX ? STEP_MAX / length : 1.0;
    goal[0] = part < 1.0 ? (float)((double)start[0] + dx * part) : end[0];
    goal[1] = part < 1.0 ? (float)((double)start[2] + dz * part) : end[2];
}

nav_status nav_query_move(const nav_mesh *mesh, nav_scratch *scratch, const float start[3],
                          const float end[3], const nav_options *options, nav_move *out)
{
    nav_view view;
    nav_location place;
    nav_spread spread;
    nav_move move = {.found = true};
    if (!nav_view_begin(mesh, scratch, options, &view)) {
        return nav_scratch_failure(scratch);
    }
    if (!isfinite(end[0]) || !isfinite(end[2]) || !nav_view_snap(&view, options, start, &place)) {
        *out = (nav_move){.found = false};
        return NAV_OK;
    }
    float goal[2];
    limit_step(place.position, end, goal);
    const double dx = (double)goal[0] - (double)place.position[0];
    const double dz = (double)goal[1] - (double)place.position[2];
    const float middle[2] = {(float)((double)place.position[0] + dx / 2.0),
                             (float)((double)place.position[2] + dz / 2.0)};
    if (!nav_spread_begin(&spread, &view, scratch, place.polygon, middle)) {
        return NAV_NO_MEMORY;
    }
    search s = {.view = &view,
                .scratch = scratch,
                .end = {goal[0], goal[1]},
                .best2 = HUGE_VAL,
                .out = &move};
    slide(&s, &spread, sqrt(dx * dx + dz * dz) / 2.0 + CIRCLE_SLACK);
    if (scratch->late) {
        return NAV_CANCELLED;
    }
    move.position[1] = nav_view_height(&view, move.polygon, move.position[0], move.position[2]);
    move.polygon = nav_view_base(&view, move.polygon);
    *out = move;
    return NAV_OK;
}
