// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// move.c: a step of somebody who has to stay on the mesh. It ends where a path to its end
// would, if that position is on ground that hangs together with its beginning within the circle
// that the step spans; so it does wherever the way is free. Else it slides along what is in the
// way, to the position of that ground that is closest to its end.

#include "core/base/plane.h"
#include "core/query/question/question.h"
#include "core/query/surface/surface.h"
#include "core/query/view/scratch.h"

#include <math.h>
#include <string.h>

// A step is looked at for this far at most: squares of distances stay finite.
#define STEP_MAX (4.0 * (double)NAV_COORDINATE_MAX)

typedef struct search {
    const nav_view *view;
    nav_scratch *scratch;
    nav_location start;
    float goal[2];
    float middle[2]; // of the circle
    double radius;
    float stopped[3]; // where the straight line was
    double best2;
    nav_move *out;
} search;

// How much higher or lower a position lies than one that slides there can come to, one to one and a
// step: on another storey.
static double storeys_off(const search *s, float x, float y, float z)
{
    const double slid = hypot((double)x - (double)s->stopped[0], (double)z - (double)s->stopped[2]);
    const double off =
        fabs((double)y - (double)s->stopped[1]) - slid - (double)s->view->mesh->agent_max_climb;
    return off > 0.0 ? off : 0.0;
}

static void inspect(search *s, uint32_t polygon)
{
    float x = s->goal[0];
    float z = s->goal[1];
    const double plan2 = (double)nav_view_clamp(s->view, polygon, &x, &z);
    if (plan2 >= s->best2) {
        return;
    }
    const float height = nav_view_height(s->view, polygon, x, z);
    const double off = storeys_off(s, x, height, z);
    if (plan2 + off * off < s->best2) {
        s->best2 = plan2 + off * off;
        s->out->polygon = polygon;
        s->out->position[0] = x;
        s->out->position[1] = height;
        s->out->position[2] = z;
    }
}

// Fragments become the mesh's polygons, those of one polygon in a row only once. Returns how many
// are left.
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

// The polygons from the start's, which is the first of the queue, to the one at index `last`.
static void list_visited(const nav_spread *spread, uint32_t last, nav_move *out)
{
    nav_scratch *scratch = spread->scratch;
    NAV_ASSERT(last < spread->count);
    uint32_t count = 1;
    for (uint32_t i = last; i != 0; i = scratch->flood.parents[i]) {
        NAV_DCHECK(scratch->flood.parents[i] < i); // so the walk ends at the start
        ++count;
    }
    uint32_t *list = scratch->flood.list;
    uint32_t at = count;
    for (uint32_t i = last;; i = scratch->flood.parents[i]) {
        list[--at] = scratch->flood.queue[i];
        if (i == 0) {
            break;
        }
    }
    NAV_ASSERT(at == 0);
    out->visited = list;
    out->visited_count = name_visited(spread->view, list, count);
}

// Looks at polygons in the circle, and ends at `target` where there is one. False where that was
// not found, or there is no memory.
static bool search_around(search *s, const nav_location *target)
{
    nav_spread spread;
    uint32_t best = 0;
    s->best2 = HUGE_VAL;
    if (!nav_scratch_begin(s->scratch, s->view) ||
        !nav_spread_begin(&spread, s->view, s->scratch, s->start.polygon, s->middle)) {
        return false;
    }
    for (uint32_t at = 0; s->best2 > 0.0; ++at) {
        const uint32_t polygon = nav_spread_next(&spread);
        if (polygon == NAV_NONE) {
            break;
        }
        const double before2 = s->best2;
        NAV_DCHECK(spread.next == at + 1);
        if (target == NULL) {
            inspect(s, polygon);
        } else if (polygon == target->polygon) {
            s->best2 = 0.0;
            s->out->polygon = polygon;
            memcpy(s->out->position, target->position, sizeof s->out->position);
        }
        best = s->best2 < before2 ? at : best;
        nav_spread_on(&spread, polygon, s->radius);
    }
    if (s->best2 == HUGE_VAL) {
        return false;
    }
    list_visited(&spread, best, s->out);
    return true;
}

// Finds where a path to the end would end; false where that is elsewhere in plan view.
static bool find_target(const search *s, const nav_options *options, float height,
                        nav_location *out)
{
    const float goal[3] = {s->goal[0], height, s->goal[1]};
    if (!nav_view_snap(s->view, options, goal, out)) {
        return false;
    }
    const double dx = (double)out->position[0] - (double)goal[0];
    const double dz = (double)out->position[2] - (double)goal[2];
    const double near = nav_plan_tolerance((double)goal[0], (double)goal[2]);
    return dx * dx + dz * dz <= near * near;
}

static bool slide(search *s)
{
    const float goal[3] = {s->goal[0], 0.0f, s->goal[1]};
    nav_ray ray;
    if (!nav_view_raycast(s->view, s->scratch, &s->start, goal, NULL, &ray)) {
        return false;
    }
    memcpy(s->stopped, ray.position, sizeof s->stopped);
    return search_around(s, NULL);
}

static void begin_circle(search *s)
{
    const float *start = s->start.position;
    const double dx = (double)s->goal[0] - (double)start[0];
    const double dz = (double)s->goal[1] - (double)start[2];
    s->middle[0] = (float)((double)start[0] + dx / 2.0);
    s->middle[1] = (float)((double)start[2] + dz / 2.0);
    // It holds all that a straight line goes over, portals that its ends lie on included.
    s->radius = nav_plane_length(dx, dz) / 2.0 +
                2.0 * nav_plan_tolerance((double)start[0], (double)start[2]);
}

nav_status nav_query_move(const nav_mesh *mesh, nav_scratch *scratch, const float start[3],
                          const float end[3], const nav_options *options, nav_move *out)
{
    nav_view view;
    nav_move move = {.found = true};
    nav_location target;
    search s = {.view = &view, .scratch = scratch, .out = &move};
    if (!nav_view_begin(mesh, scratch, options, &view)) {
        return nav_scratch_failure(scratch);
    }
    if (!isfinite(end[0]) || !isfinite(end[2]) || !nav_view_snap(&view, options, start, &s.start)) {
        *out = (nav_move){.found = false};
        return NAV_OK;
    }
    // The step's end in plan view, or where it leads to at the farthest.
    const double dx = (double)end[0] - (double)s.start.position[0],
                 dz = (double)end[2] - (double)s.start.position[2];
    const double length = nav_plane_length(dx, dz);
    const double ratio = length > STEP_MAX ? STEP_MAX / length : 1.0;
    s.goal[0] = ratio < 1.0 ? (float)((double)s.start.position[0] + dx * ratio) : end[0];
    s.goal[1] = ratio < 1.0 ? (float)((double)s.start.position[2] + dz * ratio) : end[2];
    begin_circle(&s);
    const bool arrives = find_target(&s, options, end[1], &target) && search_around(&s, &target);
    if (scratch->cancel.cancelled || (!arrives && !slide(&s)) || scratch->cancel.cancelled) {
        return nav_scratch_failure(scratch);
    }
    NAV_ASSERT(move.visited_count > 0);
    NAV_ASSERT(move.visited_count <= nav_view_polygons(&view));
    move.polygon = nav_view_base(&view, move.polygon);
    *out = move;
    return NAV_OK;
}
