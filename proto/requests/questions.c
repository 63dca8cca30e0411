// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// questions.c: the fields of each question but path, a table each, under /v1/meshes/{mesh}/:
// raycast and move, wall, floors, random, trace, nearest, reachable and flood, matrix.

#include "proto/requests/rows.h"

#define RADIUS_MAX 1e6

_Static_assert((uint64_t)PROTO_BATCH_MAX *PROTO_BATCH_MAX >= NAV_MATRIX_CELLS_MAX,
               "the product decides");

// ---- raycast and move ----

static const proto_field STEP_ROWS[] = {
    PROTO_POINT_ROW("start", offsetof(proto_step_request, start)),
    PROTO_POINT_ROW("end", offsetof(proto_step_request, end)),
    PROTO_COMMON_ROWS,
    PROTO_LAST_ROWS,
};

const proto_kind PROTO_STEP = {
    .fields = {.rows = STEP_ROWS, .count = sizeof STEP_ROWS / sizeof STEP_ROWS[0]},
    .batch_rows = PROTO_BATCH_ROWS,
    .size_bytes = sizeof(proto_step_request),
};

// ---- wall ----

#define WALL_RADIUS_DEFAULT 100.0f

static const proto_field WALL_ROWS[] = {
    PROTO_POINT_ROW("point", offsetof(proto_wall_request, point)),
    {.name = "max_radius",
     .type = PROTO_FIELD_FLOAT,
     .offset = offsetof(proto_wall_request, max_radius),
     .min = 0,
     .max = RADIUS_MAX,
     .unit = PROTO_UNIT_LENGTH},
    PROTO_COMMON_ROWS,
    PROTO_LAST_ROWS,
};

static void set_wall_defaults(void *request)
{
    ((proto_wall_request *)request)->max_radius = WALL_RADIUS_DEFAULT;
}

const proto_kind PROTO_WALL = {
    .fields = {.rows = WALL_ROWS, .count = sizeof WALL_ROWS / sizeof WALL_ROWS[0]},
    .batch_rows = PROTO_BATCH_ROWS,
    .size_bytes = sizeof(proto_wall_request),
    .set_defaults = set_wall_defaults,
};

// ---- floors ----

enum {
    ROW_X,
    ROW_Y,
    ROW_Z
};

#define PLAN_ROW(field_name)                                                                       \
    {                                                                                              \
        .name = #field_name, .type = PROTO_FIELD_FLOAT,                                            \
        .offset = offsetof(proto_floors_request, field_name), .min = -RADIUS_MAX,                  \
        .max = RADIUS_MAX, .unit = PROTO_UNIT_LENGTH_STAYS                                         \
    }

static const proto_field FLOORS_ROWS[] = {
    [ROW_X] = PLAN_ROW(x), [ROW_Y] = PLAN_ROW(y), [ROW_Z] = PLAN_ROW(z),
    PROTO_COMMON_ROWS,     PROTO_LAST_ROWS,
};

static nav_status finish_floors(void *request, uint64_t seen, nav_error *err)
{
    (void)err;
    proto_floors_request *floors = request;
    for (int axis = 0; axis < 3; axis++) {
        floors->has[axis] = (seen >> (ROW_X + axis) & 1) != 0;
    }
    return NAV_OK;
}

const proto_kind PROTO_FLOORS = {
    .fields = {.rows = FLOORS_ROWS, .count = sizeof FLOORS_ROWS / sizeof FLOORS_ROWS[0]},
    .batch_rows = PROTO_BATCH_ROWS,
    .size_bytes = sizeof(proto_floors_request),
    .finish = finish_floors,
};

// ---- random ----

enum {
    ROW_CENTER,
    ROW_RADIUS,
    ROW_SEED
};

static const proto_field RANDOM_ROWS[] = {
    [ROW_CENTER] = {.name = "center",
                    .type = PROTO_FIELD_POINT,
                    .offset = offsetof(proto_random_request, center)},
    [ROW_RADIUS] = {.name = "radius",
                    .type = PROTO_FIELD_FLOAT,
                    .offset = offsetof(proto_random_request, radius),
                    .min = 0,
                    .max = RADIUS_MAX,
                    .unit = PROTO_UNIT_LENGTH},
    [ROW_SEED] = {.name = "seed",
                  .type = PROTO_FIELD_UINT,
                  .offset = offsetof(proto_random_request, seed),
                  .min = 0,
                  .max = UINT32_MAX},
    {.name = "count",
     .type = PROTO_FIELD_UINT,
     .offset = offsetof(proto_random_request, count),
     .min = 1,
     .max = PROTO_RANDOM_MAX},
    PROTO_COMMON_ROWS,
    PROTO_LAST_ROWS,
};

static void set_random_defaults(void *request)
{
    ((proto_random_request *)request)->count = 1;
}

// A radius has a center, and a center a radius.
static nav_status finish_random(void *request, uint64_t seen, nav_error *err)
{
    const bool has_radius = (seen >> ROW_RADIUS & 1) != 0;
    proto_random_request *random = request;
    random->has_center = (seen >> ROW_CENTER & 1) != 0;
    random->has_seed = (seen >> ROW_SEED & 1) != 0;
    if (random->has_center != has_radius) {
        const char *missing = RANDOM_ROWS[has_radius ? ROW_CENTER : ROW_RADIUS].name;
        nav_fail(err, NAV_INVALID_FIELD, "%s is missing: center and radius go together", missing);
        nav_error_at(err, "%s", missing);
        return NAV_INVALID_FIELD;
    }
    return NAV_OK;
}

const proto_kind PROTO_RANDOM = {
    .fields = {.rows = RANDOM_ROWS, .count = sizeof RANDOM_ROWS / sizeof RANDOM_ROWS[0]},
    .batch_rows = PROTO_BATCH_ROWS,
    .size_bytes = sizeof(proto_random_request),
    .set_defaults = set_random_defaults,
    .finish = finish_random,
};

// ---- trace ----

static const proto_field TRACE_ROWS[] = {
    {.name = "positions",
     .type = PROTO_FIELD_READ,
     .offset = offsetof(proto_trace_request, positions),
     .read = proto_read_points,
     .max = PROTO_BATCH_MAX,
     .required = true},
    {.name = "times_ms",
     .type = PROTO_FIELD_READ,
     .offset = offsetof(proto_trace_request, times_ms),
     .read = proto_read_numbers,
     .max = PROTO_BATCH_MAX},
    {.name = "max_speed",
     .type = PROTO_FIELD_FLOAT,
     .offset = offsetof(proto_trace_request, max_speed),
     .min = 1e-3,
     .max = 1e6,
     .unit = PROTO_UNIT_LENGTH},
    PROTO_COMMON_ROWS,
    PROTO_RECORD_ROW,
    PROTO_VERSION_ROW,
};

static nav_status finish_trace(void *request, uint64_t seen, nav_error *err)
{
    (void)seen;
    const proto_trace_request *trace = request;
    const uint32_t times = trace->times_ms.count;
    if (times > 0 && times != trace->positions.count) {
        nav_fail(err, NAV_INVALID_FIELD, "times_ms must have a time for each of the %u positions",
                 trace->positions.count);
        nav_error_at(err, "times_ms");
        nav_error_got(err, "%u", times);
        return NAV_INVALID_FIELD;
    }
    if (times == 0 && trace->max_speed > 0.0f) {
        nav_fail(err, NAV_INVALID_FIELD, "times_ms is missing: max_speed needs times");
        nav_error_at(err, "times_ms");
        return NAV_INVALID_FIELD;
    }
    return NAV_OK;
}

const proto_kind PROTO_TRACE = {
    .fields = {.rows = TRACE_ROWS, .count = sizeof TRACE_ROWS / sizeof TRACE_ROWS[0]},
    .size_bytes = sizeof(proto_trace_request),
    .values_max = PROTO_BATCH_VALUES_MAX,
    .finish = finish_trace,
};

// ---- nearest ----

#define NEAREST_AT(member) offsetof(proto_nearest_request, member)

enum {
    ROW_REACHABLE_FROM
};

static const proto_field NEAREST_ROWS[] = {
    [ROW_REACHABLE_FROM] = {.name = "reachable_from",
                            .type = PROTO_FIELD_POINT,
                            .offset = NEAREST_AT(reachable_from)},
    PROTO_POINT_ROW("point", NEAREST_AT(point)),
    PROTO_COMMON_ROWS,
    {.name = "count",
     .type = PROTO_FIELD_UINT,
     .offset = NEAREST_AT(count),
     .min = 1,
     .max = PROTO_NEAREST_MAX},
    {.name = "above", .type = PROTO_FIELD_BOOL, .offset = NEAREST_AT(above)},
    {.name = "below", .type = PROTO_FIELD_BOOL, .offset = NEAREST_AT(below)},
    PROTO_LAST_ROWS,
};

static void set_nearest_defaults(void *request)
{
    ((proto_nearest_request *)request)->count = 1;
}

static nav_status finish_nearest(void *request, uint64_t seen, nav_error *err)
{
    proto_nearest_request *nearest = request;
    nearest->has_reachable_from = (seen >> ROW_REACHABLE_FROM & 1) != 0;
    if (nearest->above && nearest->below) {
        nav_fail(err, NAV_INVALID_FIELD, "below must be false where above is true");
        nav_error_at(err, "below");
        nav_error_got(err, "true");
        return NAV_INVALID_FIELD;
    }
    return NAV_OK;
}

const proto_kind PROTO_NEAREST = {
    .fields = {.rows = NEAREST_ROWS, .count = sizeof NEAREST_ROWS / sizeof NEAREST_ROWS[0]},
    .batch_rows = PROTO_BATCH_ROWS,
    .size_bytes = sizeof(proto_nearest_request),
    .set_defaults = set_nearest_defaults,
    .finish = finish_nearest,
};

// ---- reachable and flood ----

static const proto_field REACHABLE_ROWS[] = {
    PROTO_POINT_ROW("start", offsetof(proto_reachable_request, start)),
    PROTO_COMMON_ROWS,
    {.name = "points",
     .type = PROTO_FIELD_READ,
     .offset = offsetof(proto_reachable_request, points),
     .read = proto_read_points,
     .max = PROTO_BATCH_MAX,
     .required = true},
    PROTO_LAST_ROWS,
};

const proto_kind PROTO_REACHABLE = {
    .fields = {.rows = REACHABLE_ROWS, .count = sizeof REACHABLE_ROWS / sizeof REACHABLE_ROWS[0]},
    .batch_rows = PROTO_BATCH_ROWS,
    .size_bytes = sizeof(proto_reachable_request),
};

#define FLOOD_POLYGONS_DEFAULT 10000u
#define FLOOD_POLYGONS_MAX 1000000u

static const proto_field FLOOD_ROWS[] = {
    PROTO_POINT_ROW("start", offsetof(proto_flood_request, start)),
    PROTO_COMMON_ROWS,
    {.name = "max_cost",
     .type = PROTO_FIELD_FLOAT,
     .offset = offsetof(proto_flood_request, max_cost),
     .min = 0,
     .max = 1e9,
     .unit = PROTO_UNIT_LENGTH,
     .required = true},
    {.name = "max_polygons",
     .type = PROTO_FIELD_UINT,
     .offset = offsetof(proto_flood_request, max_polygons),
     .min = 1,
     .max = FLOOD_POLYGONS_MAX},
    PROTO_RECORD_ROW,
    PROTO_VERSION_ROW,
};

static void set_flood_defaults(void *request)
{
    ((proto_flood_request *)request)->max_polygons = FLOOD_POLYGONS_DEFAULT;
}

const proto_kind PROTO_FLOOD = {
    .fields = {.rows = FLOOD_ROWS, .count = sizeof FLOOD_ROWS / sizeof FLOOD_ROWS[0]},
    .size_bytes = sizeof(proto_flood_request),
    .set_defaults = set_flood_defaults,
};

// ---- matrix: costs from some places to others ----

#define LIST_ROW(member)                                                                           \
    {                                                                                              \
        .name = #member, .type = PROTO_FIELD_READ,                                                 \
        .offset = offsetof(proto_matrix_request, member), .read = proto_read_points,               \
        .max = PROTO_BATCH_MAX, .required = true                                                   \
    }

#define NUMBER_ROW(member, most)                                                                   \
    {                                                                                              \
        .name = #member, .type = PROTO_FIELD_UINT,                                                 \
        .offset = offsetof(proto_matrix_request, member), .min = 1, .max = (most)                  \
    }

static const proto_field MATRIX_ROWS[] = {
    LIST_ROW(sources),
    LIST_ROW(targets),
    NUMBER_ROW(nearest, PROTO_BATCH_MAX),
    NUMBER_ROW(max_nodes, UINT32_MAX),
    PROTO_COMMON_ROWS,
    PROTO_RECORD_ROW,
    PROTO_VERSION_ROW,
};

static nav_status finish_matrix(void *request, uint64_t seen, nav_error *err)
{
    (void)seen;
    const proto_matrix_request *matrix = request;
    const uint64_t cells = (uint64_t)matrix->sources.count * matrix->targets.count;
    if (cells <= NAV_MATRIX_CELLS_MAX) {
        return NAV_OK;
    }
    nav_fail(err, PROTO_BATCH_TOO_LARGE, "%u sources times %u targets are too many costs",
             matrix->sources.count, matrix->targets.count);
    nav_error_at(err, "targets");
    nav_error_got(err, "%llu", (unsigned long long)cells);
    nav_error_limit(err, "%u", NAV_MATRIX_CELLS_MAX);
    return PROTO_BATCH_TOO_LARGE;
}

const proto_kind PROTO_MATRIX = {
    .fields = {.rows = MATRIX_ROWS, .count = sizeof MATRIX_ROWS / sizeof MATRIX_ROWS[0]},
    .size_bytes = sizeof(proto_matrix_request),
    .values_max = PROTO_BATCH_VALUES_MAX,
    .finish = finish_matrix,
};
