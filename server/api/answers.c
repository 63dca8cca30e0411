// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// answers.c: each question's answer, alone or within a batch (batch.c), and the path search for the
// picture (query.c).

#include "server/api/query.h"

#include "proto/base/coordinates.h"
#include "server/base/metrics.h"

#include <math.h>
#include <string.h>

// ---- a path ----

// An answer has its cost and length in steps of the level's unit, of a thousandth as a rule: the
// cost rounded down, the length to the nearest. Limits are held against what it says, so that a
// number from one answer, given as the limit of the next question, lets the same path through. Half
// a step is 1.
static double limit_of(const query_context *q, double max, double halves)
{
    double steps_of_one = 1.0;
    for (int i = proto_length_decimals(q->coordinates); i > 0; i--) {
        steps_of_one *= 10.0;
    }
    const double steps = floor(max * steps_of_one + 1e-6) + 0.5 * halves;
    const double limit = steps / steps_of_one * (1.0 - 2.0 * PROTO_COST_NOISE);
    return max > 0.0 ? proto_length_to_mesh(q->coordinates, limit) : 0.0;
}

// The question as core takes it.
static nav_path_request request_of(const query_context *q, const proto_path_request *question,
                                   const nav_options *options)
{
    // The last point is near enough also as it is reported.
    const float radius = fmaxf(question->goal_radius - NAV_PLAN_TOLERANCE, 0.0f);
    nav_path_request search = {.options = *options,
                               .search = question->search,
                               .max_nodes = question->max_nodes,
                               .no_partial = !question->partial,
                               .max_cost = limit_of(q, question->max_cost, 2),
                               .max_length = limit_of(q, question->max_length, 1),
                               .goal_radius = radius,
                               .clearance = question->clearance};
    memcpy(search.start, question->start, sizeof search.start);
    memcpy(search.end, question->end, sizeof search.end);
    return search;
}

nav_status query_find_path(const query_context *q, const proto_path_request *question,
                           const nav_options *options, nav_expansions *expansions, nav_path *out)
{
    nav_path_request search = request_of(q, question, options);
    search.expansions = expansions;
    if (q->scratch == NULL || nav_query_path(q->mesh, q->scratch, &search, out) != NAV_OK) {
        return query_failure(q);
    }
    metrics_path(out->status, out->reason);
    if (q->nodes_expanded != NULL) {
        *q->nodes_expanded += out->nodes_expanded;
    }
    return NAV_OK;
}

// The polygons along a path that has just been found, from q->memory. Errors: NAV_NO_MEMORY.
static nav_status find_steps(const query_context *q, const nav_path *path, proto_path_reply *out)
{
    const uint32_t capacity = path->corridor_count + 1;
    nav_path_step *steps = NAV_NEW(q->memory, nav_path_step, capacity);
    if (steps == NULL) {
        return query_failure(q);
    }
    out->step_count = nav_query_path_steps(path, steps, capacity);
    NAV_ASSERT(out->step_count <= capacity);
    out->steps = steps;
    return NAV_OK;
}

// Finds what blocks a path. The search shares the memory that holds the path, whose points are
// kept. Errors: those of query_failure.
static nav_status find_blockers(const query_context *q, const proto_path_request *question,
                                nav_path *path, nav_path_blockers *out)
{
    const nav_path_request search = request_of(q, question, &q->options);
    float *points = NAV_NEW(q->memory, float, 3 * (size_t)path->point_count);
    if (points == NULL) {
        return query_failure(q);
    }
    memcpy(points, path->points, 3 * path->point_count * sizeof *points);
    path->points = points;
    return nav_query_blockers(q->mesh, q->scratch, &search, out) == NAV_OK ? NAV_OK
                                                                           : query_failure(q);
}

// ---- what a negative answer says beyond its reason ----

// Finds the ground nearest to a point that is off the mesh. Packed answers have no room for it;
// where memory or the deadline forbid it, it is left out.
static void say_nearby(query_context *q, bool off_mesh, const float point[3])
{
    bool found = false;
    if (!off_mesh || q->head.packed != PROTO_PACKED_NOT) {
        return;
    }
    memcpy(q->nearby.point, point, sizeof q->nearby.point);
    if (nav_query_nearby(q->mesh, q->scratch, point, &q->options, &q->nearby.place, &found) ==
            NAV_OK &&
        found) {
        q->head.nearby = &q->nearby;
    }
}

// The islands of a path that is unreachable: of a question alone, and of those of a batch that ask
// for it, since a batch may have thousands. Their sizes take a visit to every polygon.
static bool find_islands(const query_context *q, const proto_path_request *question,
                         const nav_path *path, proto_islands *out)
{
    out->has_sizes = (question->details & PROTO_DETAIL_ISLANDS) != 0;
    if (path->reason != NAV_REASON_UNREACHABLE || q->head.packed != PROTO_PACKED_NOT ||
        (q->head.mesh == NULL && !out->has_sizes) ||
        !nav_query_gap(q->mesh, path->start, path->end, &out->gap)) {
        return false;
    }
    for (int side = 0; out->has_sizes && side < 2; side++) {
        nav_mesh_island(q->mesh, out->gap.components[side], &out->polygons[side],
                        &out->areas[side]);
    }
    return true;
}

// ---- the answer ----

// Room for what the search expands, from q->memory.
static bool make_expansions(const query_context *q, nav_expansions *out)
{
    *out = (nav_expansions){.at = NAV_NEW(q->memory, nav_expansion, PROTO_EXPANSIONS_MAX),
                            .capacity = PROTO_EXPANSIONS_MAX};
    return out->at != NULL;
}

static nav_status answer(query_context *q)
{
    const proto_path_request *question = q->question;
    nav_path path;
    nav_path_blockers blockers;
    proto_islands islands;
    nav_expansions expansions;
    if (question->expand && !make_expansions(q, &expansions)) {
        return query_failure(q);
    }
    nav_status status =
        query_find_path(q, question, &q->options, question->expand ? &expansions : NULL, &path);
    proto_path_reply path_reply = {.path = &path,
                                   .details = question->details,
                                   .has_clearance = question->clearance > 0.0f,
                                   .mesh = q->mesh,
                                   .overlay = q->options.overlay,
                                   .expansions = question->expand ? &expansions : NULL};
    if (q->world != NULL) {
        path_reply.state_shape_ids = q->world->shape_ids;
        path_reply.state_shape_count = q->world->shape_count;
    }
    if (status == NAV_OK && (path_reply.details & PROTO_DETAILS_ALONG) != 0) {
        status = find_steps(q, &path, &path_reply);
    }
    if (status == NAV_OK && path.reason == NAV_REASON_BLOCKED && path.point_count > 0 &&
        q->head.packed == PROTO_PACKED_NOT) {
        status = find_blockers(q, question, &path, &blockers);
        path_reply.blockers = &blockers;
    }
    if (status != NAV_OK) {
        return status;
    }
    if (path.reason != NAV_REASON_NULL) {
        const bool start_off = path.reason == NAV_REASON_START_OFF_MESH;
        say_nearby(q, start_off || path.reason == NAV_REASON_END_OFF_MESH,
                   start_off ? path.start : path.end);
        path_reply.islands = find_islands(q, question, &path, &islands) ? &islands : NULL;
    }
    query_say_no(q, path.reason != NAV_REASON_NULL || path.status != NAV_PATH_COMPLETE);
    proto_write_path(q->w, &q->head, &path_reply);
    return NAV_OK;
}

const query QUERY_PATH = {.kind = &PROTO_PATH, .answer = answer};

// ---- costs ----

// Whether some target is not reached, or, where the nearest are asked for, from some source none.
static bool has_gap(const nav_matrix_request *asked, const nav_matrix *matrix)
{
    const size_t columns = nav_matrix_columns(asked), cells = asked->source_count * columns;
    bool gap = matrix->reason != NAV_REASON_NULL;
    for (size_t i = 0; i < cells && !gap; i += asked->nearest > 0 ? columns : 1) {
        gap = asked->nearest > 0 ? matrix->targets[i] == NAV_NONE : !isfinite(matrix->costs[i]);
    }
    return gap;
}

static nav_status answer_matrix(query_context *q)
{
    const proto_matrix_request *question = q->question;
    nav_matrix_request search = {.sources = (const float(*)[3])question->sources.at,
                                 .targets = (const float(*)[3])question->targets.at,
                                 .source_count = question->sources.count,
                                 .target_count = question->targets.count,
                                 .nearest = question->nearest,
                                 .options = q->options,
                                 .max_nodes = question->max_nodes};
    const size_t cells = (size_t)search.source_count * nav_matrix_columns(&search);
    NAV_ASSERT(cells <= NAV_MATRIX_CELLS_MAX);
    nav_matrix matrix = {
        .costs = NAV_NEW(q->memory, double, cells),
        .targets = search.nearest > 0 ? NAV_NEW(q->memory, uint32_t, cells) : NULL,
        .sources_found = NAV_NEW(q->memory, bool, search.source_count),
        .targets_found = NAV_NEW(q->memory, bool, search.target_count),
    };
    if (matrix.costs == NULL || matrix.sources_found == NULL || matrix.targets_found == NULL ||
        (search.nearest > 0 && matrix.targets == NULL) ||
        nav_query_matrix(q->mesh, q->scratch, &search, &matrix) != NAV_OK) {
        return query_failure(q);
    }
    query_say_no(q, has_gap(&search, &matrix));
    proto_write_matrix(q->w, &q->head, &search, &matrix);
    return NAV_OK;
}

const query QUERY_MATRIX = {.kind = &PROTO_MATRIX, .long_bytes = 4096, .answer = answer_matrix};

static nav_status answer_flood(query_context *q)
{
    const proto_flood_request *question = q->question;
    nav_mesh_stats stats;
    nav_mesh_stats_get(q->mesh, &stats);
    const uint32_t capacity =
        question->max_polygons < stats.polygons ? question->max_polygons : stats.polygons;
    nav_flood_polygon *polygons = NAV_NEW(q->memory, nav_flood_polygon, capacity);
    nav_flood flood;
    if (polygons == NULL ||
        nav_query_flood(q->mesh, q->scratch, question->start, (double)question->max_cost,
                        &q->options, polygons, capacity, &flood) != NAV_OK) {
        return query_failure(q);
    }
    say_nearby(q, !flood.found, question->start);
    query_say_no(q, !flood.found);
    proto_write_flood(q->w, &q->head, q->mesh, polygons, &flood);
    return NAV_OK;
}

const query QUERY_FLOOD = {.kind = &PROTO_FLOOD, .answer = answer_flood};

// ---- places ----

// A point on the ground lies above and below it, also where its height was rounded to a millimetre.
#define SAME_HEIGHT 1e-3f

static nav_status answer_nearest(query_context *q)
{
    const proto_nearest_request *question = q->question;
    nav_options options = q->options;
    options.snap.down = fminf(options.snap.down, question->above ? SAME_HEIGHT : INFINITY);
    options.snap.up = fminf(options.snap.up, question->below ? SAME_HEIGHT : INFINITY);
    nav_location places[PROTO_NEAREST_MAX];
    uint32_t count = 0;
    NAV_ASSERT(question->count <= PROTO_NEAREST_MAX);
    if (nav_query_nearest_reachable(q->mesh, q->scratch, question->point,
                                    question->has_reachable_from ? question->reachable_from : NULL,
                                    &options, places, question->count, &count) != NAV_OK) {
        return query_failure(q);
    }
    NAV_ASSERT(count <= question->count);
    // From where it cannot be reached, another place might not be either.
    say_nearby(q, count == 0 && !question->has_reachable_from, question->point);
    query_say_no(q, count == 0);
    proto_write_nearest(q->w, &q->head, q->mesh, places, count);
    return NAV_OK;
}

const query QUERY_NEAREST = {.kind = &PROTO_NEAREST, .answer = answer_nearest};

static nav_status answer_reachable(query_context *q)
{
    const proto_reachable_request *question = q->question;
    bool *reachable = NAV_NEW(q->memory, bool, question->points.count);
    if (reachable == NULL || nav_query_reachable(q->mesh, q->scratch, question->start, &q->options,
                                                 (const float(*)[3])question->points.at,
                                                 question->points.count, reachable) != NAV_OK) {
        return query_failure(q);
    }
    query_say_no(q, memchr(reachable, 0, question->points.count * sizeof *reachable) != NULL);
    proto_write_reachable(q->w, &q->head, reachable, question->points.count);
    return NAV_OK;
}

const query QUERY_REACHABLE = {.kind = &PROTO_REACHABLE, .answer = answer_reachable};

// ---- the surface around a point ----

#define FLOORS_FIRST 64u // room for so many at first

static nav_status answer_raycast(query_context *q)
{
    const proto_step_request *question = q->question;
    nav_ray ray;
    if (nav_query_raycast(q->mesh, q->scratch, question->start, question->end, &q->options, &ray) !=
        NAV_OK) {
        return query_failure(q);
    }
    say_nearby(q, !ray.found, question->start);
    query_say_no(q, !ray.found);
    proto_write_raycast(q->w, &q->head, &ray);
    return NAV_OK;
}

const query QUERY_RAYCAST = {.kind = &PROTO_STEP, .answer = answer_raycast};

static nav_status answer_move(query_context *q)
{
    const proto_step_request *question = q->question;
    nav_move move;
    if (nav_query_move(q->mesh, q->scratch, question->start, question->end, &q->options, &move) !=
        NAV_OK) {
        return query_failure(q);
    }
    say_nearby(q, !move.found, question->start);
    query_say_no(q, !move.found);
    proto_write_move(q->w, &q->head, &move);
    return NAV_OK;
}

const query QUERY_MOVE = {.kind = &PROTO_STEP, .answer = answer_move};

static nav_status answer_wall(query_context *q)
{
    const proto_wall_request *question = q->question;
    nav_wall wall;
    if (nav_query_wall(q->mesh, q->scratch, question->point, question->max_radius, &q->options,
                       &wall) != NAV_OK) {
        return query_failure(q);
    }
    say_nearby(q, !wall.found, question->point);
    query_say_no(q, !wall.found);
    proto_write_wall(q->w, &q->head, &wall);
    return NAV_OK;
}

const query QUERY_WALL = {.kind = &PROTO_WALL, .answer = answer_wall};

// A column is named by what is horizontal in the level: x and z, or x and y where Z is up.
static nav_status find_column(const query_context *q, const proto_floors_request *question,
                              float column[2])
{
    const float values[3] = {question->x, question->y, question->z};
    const int up = proto_upward_axis(q->coordinates);
    const int axes[2] = {proto_plan_axis(q->coordinates, 0), proto_plan_axis(q->coordinates, 1)};
    if (question->has[up] || !question->has[axes[0]] || !question->has[axes[1]]) {
        const int wrong = question->has[axes[0]] ? axes[1] : axes[0];
        nav_fail(q->err, NAV_INVALID_FIELD,
                 "a column of this mesh is named by %c and %c; %c is its height", "xyz"[axes[0]],
                 "xyz"[axes[1]], "xyz"[up]);
        nav_error_at(q->err, "%c", "xyz"[wrong]);
        return NAV_INVALID_FIELD;
    }
    column[0] = values[axes[0]];
    column[1] = values[axes[1]];
    proto_plan_to_mesh(q->coordinates, column);
    return NAV_OK;
}

// Nearly all columns have few floors: if there are more than fit, the search is repeated with more
// room.
static nav_status answer_floors(query_context *q)
{
    const proto_floors_request *question = q->question;
    uint32_t count = 0, capacity = FLOORS_FIRST;
    float column[2];
    nav_status status = find_column(q, question, column);
    if (status != NAV_OK) {
        return status;
    }
    for (;; capacity *= 8) {
        nav_location *floors = NAV_NEW(q->memory, nav_location, capacity);
        if (floors == NULL || nav_query_floors(q->mesh, q->scratch, column[0], column[1],
                                               &q->options, floors, capacity, &count) != NAV_OK) {
            return query_failure(q);
        }
        NAV_ASSERT(count <= capacity);
        if (count < capacity) {
            query_say_no(q, count == 0);
            proto_write_floors(q->w, &q->head, q->mesh, floors, count);
            return NAV_OK;
        }
    }
}

const query QUERY_FLOORS = {.kind = &PROTO_FLOORS, .answer = answer_floors};

static nav_status answer_random(query_context *q)
{
    const proto_random_request *question = q->question;
    nav_location *points = NAV_NEW(q->memory, nav_location, question->count);
    // A seed that is drawn is part of the answer: a client that wants the same places again sends
    // it.
    const uint32_t seed = question->has_seed ? question->seed : request_draw(q->r, q->index);
    uint32_t count = 0;
    if (points == NULL ||
        nav_query_random(q->mesh, q->scratch, seed, question->has_center ? question->center : NULL,
                         question->radius, &q->options, points, question->count,
                         &count) != NAV_OK) {
        return query_failure(q);
    }
    NAV_ASSERT(count <= question->count);
    say_nearby(q, count == 0 && question->has_center, question->center);
    query_say_no(q, count == 0);
    proto_write_random(q->w, &q->head, q->mesh, seed, points, count);
    return NAV_OK;
}

const query QUERY_RANDOM = {.kind = &PROTO_RANDOM, .answer = answer_random};

static nav_status answer_trace(query_context *q)
{
    const proto_trace_request *question = q->question;
    nav_trace trace;
    const nav_trace_request request_to_core = {
        .positions = (const float(*)[3])question->positions.at,
        .times_ms = question->times_ms.count > 0 ? question->times_ms.at : NULL,
        .count = question->positions.count,
        .max_speed = question->max_speed,
        .options = q->options};
    NAV_ASSERT(question->times_ms.count == 0 ||
               question->times_ms.count == question->positions.count);
    if (nav_query_trace(q->mesh, q->scratch, &request_to_core, &trace) != NAV_OK) {
        return query_failure(q);
    }
    say_nearby(q, trace.reason == NAV_TRACE_OFF_MESH, trace.position);
    query_say_no(q, trace.reason != NAV_TRACE_LEGAL);
    proto_write_trace(q->w, &q->head, question, &trace);
    return NAV_OK;
}

const query QUERY_TRACE = {.kind = &PROTO_TRACE, .answer = answer_trace};

// ---- an earlier path ----

// A path of an answer lies on the mesh but for the rounding of its digits: a point that a shape now
// covers must not be taken for its rim.
#define PATH_POINT_OFF 0.002f

static nav_status answer_valid(query_context *q)
{
    const proto_valid_request *question = q->question;
    nav_trace trace;
    nav_trace_request walk = {.positions = (const float(*)[3])question->points.at,
                              .count = question->points.count,
                              .no_detours = true,
                              .options = q->options};
    walk.options.snap.horizontal = PATH_POINT_OFF;
    if (nav_query_trace(q->mesh, q->scratch, &walk, &trace) != NAV_OK) {
        return query_failure(q);
    }
    query_say_no(q, trace.reason != NAV_TRACE_LEGAL);
    proto_write_valid(q->w, &q->head, question, &trace);
    return NAV_OK;
}

const query QUERY_VALID = {.kind = &PROTO_VALID, .answer = answer_valid};
