// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// ask.c: questions one by one, each with what must hold of its answer whatever the mesh.

#include "tests/fuzz/ask.h"

#include <math.h>
#include <stdlib.h>

#define PLACES_MAX 16u
#define STEPS_MAX 4096u

typedef struct asking {
    const nav_mesh *mesh;
    nav_scratch *scratch;
    nav_options options;
    nav_mesh_stats stats;
    float a[3], b[3];
    bool sound;
} asking;

static bool is_finite(const float at[3])
{
    return isfinite(at[0]) && isfinite(at[1]) && isfinite(at[2]);
}

static void check_places(const asking *q, const nav_location *places, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        NAV_ASSERT(places[i].polygon < q->stats.polygons);
        NAV_ASSERT(is_finite(places[i].position) && places[i].distance >= 0.0f);
    }
}

// A position that an answer puts on the mesh is found there when it is looked for, within a
// tolerance that grows with its coordinates.
static void check_on_mesh(const asking *q, const float at[3])
{
    NAV_ASSERT(is_finite(at));
    if (!q->sound) {
        return;
    }
    const float tolerance = 1e-3f + 1e-5f * fmaxf(fabsf(at[0]), fmaxf(fabsf(at[1]), fabsf(at[2])));
    nav_location place;
    const nav_snap snap = {2.0f * tolerance, 0.5f + tolerance, 0.5f + tolerance};
    NAV_ASSERT(nav_query_nearest(q->mesh, at, snap, NAV_NONE, &place, 1) == 1);
}

static void check_polygons(const asking *q)
{
    for (uint32_t i = 0; i < q->stats.polygons; i++) {
        const nav_polygon polygon = nav_mesh_polygon(q->mesh, i);
        NAV_ASSERT(polygon.vertex_count >= 3 && polygon.component >= 1 &&
                   polygon.component <= q->stats.components);
        for (uint32_t k = 0; k < polygon.vertex_count; k++) {
            NAV_ASSERT(polygon.vertices[k] < q->stats.vertices);
            NAV_ASSERT(is_finite(nav_mesh_vertex(q->mesh, polygon.vertices[k])));
            NAV_ASSERT(polygon.neighbours[k] == NAV_NONE ||
                       polygon.neighbours[k] < q->stats.polygons);
        }
    }
}

static void check_path(const asking *q, const nav_path *path)
{
    static nav_path_step steps[STEPS_MAX];
    NAV_ASSERT((path->status == NAV_PATH_COMPLETE) == (path->reason == NAV_REASON_NULL));
    NAV_ASSERT((path->status == NAV_PATH_NONE) == (path->point_count == 0));
    NAV_ASSERT(path->lower_bound >= 0.0);
    if (path->status == NAV_PATH_NONE) {
        return; // an end off the mesh is as it was asked, and may be no number
    }
    NAV_ASSERT(is_finite(path->start) && is_finite(path->end));
    NAV_ASSERT(isfinite(path->length) && path->length >= 0.0);
    NAV_ASSERT(isfinite(path->cost) && path->cost >= 0.0);
    for (uint32_t i = 0; i < path->point_count; i++) {
        NAV_ASSERT(is_finite(path->points + 3 * (size_t)i));
    }
    const uint32_t count = nav_query_path_steps(path, steps, STEPS_MAX);
    // Pieces that shapes have left of one polygon are one step.
    NAV_ASSERT(count >= 1 && count <= path->corridor_count + 1);
    NAV_ASSERT(!q->sound || q->options.avoid_count > 0 || count == path->corridor_count + 1 ||
               count == STEPS_MAX);
    for (uint32_t i = 0; i < count; i++) {
        NAV_ASSERT(steps[i].point < path->point_count);
    }
    check_on_mesh(q, path->start);
    if (path->status == NAV_PATH_COMPLETE) {
        check_on_mesh(q, path->end);
    }
}

// Exact and fast ones find the same ways; the exact one is no dearer, and no bound is too high.
static void check_searches(const asking *q, const nav_path *fast, const nav_path *exact)
{
    if (!q->sound) {
        return;
    }
    NAV_ASSERT(fast->status == exact->status && fast->reason == exact->reason);
    if (fast->status == NAV_PATH_COMPLETE) {
        const double slack = 1e-3 + 1e-4 * fast->cost;
        NAV_ASSERT(exact->cost <= fast->cost + slack);
        NAV_ASSERT(exact->lower_bound <= fast->cost + slack);
        NAV_ASSERT(fast->lower_bound <= exact->cost + slack);
    }
}

static nav_path ask_request(const asking *q, nav_path_request request)
{
    nav_path path;
    for (int axis = 0; axis < 3; axis++) {
        request.start[axis] = q->a[axis];
        request.end[axis] = q->b[axis];
    }
    const nav_status status = nav_query_path(q->mesh, q->scratch, &request, &path);
    if (status == NAV_NO_MEMORY) {
        NAV_ASSERT(q->options.avoid_count > 0);
        return (nav_path){0};
    }
    NAV_ASSERT(status == NAV_OK);
    check_path(q, &path);
    return path;
}

static nav_path ask_path(const asking *q, nav_search search)
{
    return ask_request(q, (nav_path_request){.options = q->options, .search = search});
}

// Paths that may lead only so far, and end near the goal.
static void ask_limited(const asking *q, const nav_path *whole, bool no_partial)
{
    nav_path_request request = {.options = q->options, .no_partial = no_partial};
    request.max_cost = 1e-3 + 0.5 * whole->cost;
    NAV_ASSERT(ask_request(q, request).cost <= request.max_cost);
    request.max_length = 1e-3 + 0.3 * whole->length;
    NAV_ASSERT(ask_request(q, request).length <= request.max_length);
    request.goal_radius = 2.0f;
    NAV_ASSERT(ask_request(q, request).cost <= request.max_cost);
    request.max_cost = request.max_length = 0.0;
    NAV_ASSERT(ask_request(q, request).status == NAV_PATH_COMPLETE ||
               whole->status != NAV_PATH_COMPLETE || !q->sound);
}

// The same path, led away from walls.
static void ask_clear(const asking *q, const nav_path *whole)
{
    const nav_path_request request = {.options = q->options, .clearance = 0.7f};
    const nav_path path = ask_request(q, request);
    NAV_ASSERT(path.clearance_min >= 0.0 && path.clearance_min <= (double)request.clearance);
    NAV_ASSERT(path.status == NAV_PATH_COMPLETE || whole->status != NAV_PATH_COMPLETE || !q->sound);
}

static void ask_paths(const asking *q)
{
    const nav_path fast = ask_path(q, NAV_SEARCH_FAST);
    bool reached;
    NAV_ASSERT(nav_query_reachable(q->mesh, q->scratch, q->a, &q->options, &q->b, 1, &reached) ==
               NAV_OK);
    NAV_ASSERT(!q->sound || reached == (fast.status == NAV_PATH_COMPLETE));
    const nav_path exact = ask_path(q, NAV_SEARCH_EXACT);
    check_searches(q, &fast, &exact);
    const nav_path whole = ask_path(q, NAV_SEARCH_AUTO);
    ask_limited(q, &whole, false);
    ask_limited(q, &whole, true);
    ask_clear(q, &whole);
}

static void ask_walks(const asking *q)
{
    nav_ray ray;
    nav_move move;
    nav_wall wall;
    NAV_ASSERT(nav_query_raycast(q->mesh, q->scratch, q->a, q->b, &q->options, &ray) == NAV_OK);
    if (ray.found) {
        NAV_ASSERT(ray.t >= 0.0f && ray.t <= 1.0f && is_finite(ray.normal));
        check_on_mesh(q, ray.position);
    }
    NAV_ASSERT(nav_query_move(q->mesh, q->scratch, q->a, q->b, &q->options, &move) == NAV_OK);
    if (move.found) {
        NAV_ASSERT(move.visited_count > 0 && move.visited[move.visited_count - 1] == move.polygon);
        check_on_mesh(q, move.position);
    }
    NAV_ASSERT(nav_query_wall(q->mesh, q->scratch, q->a, 5.0f, &q->options, &wall) == NAV_OK);
    NAV_ASSERT(!wall.found || (wall.distance >= 0.0f && wall.distance <= 5.0f));
    NAV_ASSERT(!wall.found || !wall.hit || (is_finite(wall.position) && is_finite(wall.normal)));
}

static void ask_places(const asking *q)
{
    nav_location places[PLACES_MAX];
    uint32_t count =
        nav_query_nearest(q->mesh, q->a, q->options.snap, NAV_NONE, places, PLACES_MAX);
    check_places(q, places, count);
    NAV_ASSERT(nav_query_nearest_reachable(q->mesh, q->scratch, q->b, q->a, &q->options, places,
                                           PLACES_MAX, &count) == NAV_OK);
    NAV_ASSERT(nav_query_floors(q->mesh, q->scratch, q->a[0], q->a[2], &q->options, places,
                                PLACES_MAX, &count) == NAV_OK);
    NAV_ASSERT(nav_query_random(q->mesh, q->scratch, 7, NULL, 0.0f, &q->options, places, PLACES_MAX,
                                &count) == NAV_OK);
    for (uint32_t i = 0; q->options.avoid_count == 0 && i < count; i++) {
        check_on_mesh(q, places[i].position);
    }
    NAV_ASSERT(nav_query_random(q->mesh, q->scratch, 7, q->a, 3.0f, &q->options, places, PLACES_MAX,
                                &count) == NAV_OK);
}

static void ask_many(const asking *q)
{
    float places[2][3];
    const float(*const ends)[3] = (const float(*)[3])places;
    double costs[4];
    nav_matrix matrix = {.costs = costs};
    nav_matrix_request request = {
        .sources = ends, .targets = ends, .source_count = 2, .target_count = 2};
    nav_flood_polygon polygons[PLACES_MAX];
    nav_flood flood;
    nav_trace trace;
    for (int axis = 0; axis < 3; axis++) {
        places[0][axis] = q->a[axis];
        places[1][axis] = q->b[axis];
    }
    request.options = q->options;
    NAV_ASSERT(nav_query_matrix(q->mesh, q->scratch, &request, &matrix) == NAV_OK);
    for (size_t i = 0; i < 4; i++) {
        NAV_ASSERT(costs[i] >= 0.0); // infinite where no way leads there; never undecided
    }
    NAV_ASSERT(nav_query_flood(q->mesh, q->scratch, q->a, 10.0, &q->options, polygons, PLACES_MAX,
                               &flood) == NAV_OK);
    for (uint32_t i = 0; flood.found && i < flood.count; i++) {
        NAV_ASSERT(is_finite(polygons[i].position) && polygons[i].cost >= 0.0);
        NAV_ASSERT(i == 0 || polygons[i].cost >= polygons[i - 1].cost);
    }
    const nav_trace_request steps = {.positions = ends, .count = 2, .options = q->options};
    NAV_ASSERT(nav_query_trace(q->mesh, q->scratch, &steps, &trace) == NAV_OK);
    NAV_ASSERT(trace.step <= 2 && (trace.reason == NAV_TRACE_LEGAL) == (trace.step == 2));
}

static void ask_diff(const asking *q)
{
    nav_arena memory;
    nav_mesh_diff diff;
    nav_arena_init(&memory, NULL, 0);
    NAV_ASSERT(nav_mesh_compare(q->mesh, q->mesh, q->options.snap, &memory, &diff, NULL) == NAV_OK);
    NAV_ASSERT(!q->sound || diff.island_count == 0);
    nav_arena_free(&memory);
}

// A wagon between the two places, and mud beside it.
static void ask_around(asking *q)
{
    nav_avoid shapes[2] = {{.shape = NAV_AVOID_CAPSULE, .blocked = true, .radius = 1.0f},
                           {.shape = NAV_AVOID_BOX, .cost = 3.0f}};
    for (int i = 0; i < 2; i++) {
        shapes[i].bottom = -NAV_COORDINATE_MAX;
        shapes[i].top = NAV_COORDINATE_MAX;
    }
    for (int axis = 0; axis < 2; axis++) {
        const float middle = 0.5f * (q->a[2 * axis] + q->b[2 * axis]);
        shapes[0].center[axis] = shapes[0].end[axis] = middle;
        shapes[1].min[axis] = middle + 0.5f;
        shapes[1].max[axis] = middle + 3.0f;
    }
    shapes[0].end[0] += 1.0f;
    q->options.avoid = shapes;
    q->options.avoid_count = 2;
    q->sound = false; // what is cut costs other ways, and their ends are beside the shapes
    if (nav_options_check(&q->options, NULL) == NAV_OK) {
        (void)ask_path(q, NAV_SEARCH_AUTO);
        (void)ask_path(q, NAV_SEARCH_FAST);
        ask_walks(q);
        ask_places(q);
        ask_many(q);
    }
}

void fuzz_ask(const nav_mesh *mesh, nav_scratch *scratch, const float a[3], const float b[3],
              bool sound)
{
    asking q = {.mesh = mesh, .scratch = scratch, .options = nav_options_default(), .sound = sound};
    for (int axis = 0; axis < 3; axis++) {
        q.a[axis] = a[axis];
        q.b[axis] = b[axis];
    }
    nav_mesh_stats_get(mesh, &q.stats);
    check_polygons(&q);
    ask_places(&q);
    ask_paths(&q);
    ask_walks(&q);
    ask_many(&q);
    ask_diff(&q);
    ask_around(&q);
}
