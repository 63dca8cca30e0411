// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// questions.c: the fields of each question, a table each, under /v1/meshes/{mesh}/: path, raycast
// and move, wall, floors, random, trace, nearest, reachable and flood, matrix.

#include "proto/requests/rows.h"

#define RADIUS_MAX 1e6

_Static_assert((uint64_t)PROTO_BATCH_MAX *PROTO_BATCH_MAX >= NAV_MATRIX_CELLS_MAX,
               "the product decides");

const char *const PROTO_ASKED_WORDS[] = {[PROTO_ASKED_PATH] = "path",
                                         [PROTO_ASKED_NEAREST] = "nearest",
                                         [PROTO_ASKED_RAYCAST] = "raycast",
                                         [PROTO_ASKED_RANDOM] = "random",
                                         [PROTO_ASKED_REACHABLE] = "reachable",
                                         [PROTO_ASKED_WALL] = "wall",
                                         [PROTO_ASKED_FLOORS] = "floors",
                                         [PROTO_ASKED_MOVE] = "move",
                                         [PROTO_ASKED_COUNT] = NULL};

const proto_kind *const PROTO_ASKED_KINDS[PROTO_ASKED_COUNT] = {
    [PROTO_ASKED_PATH] = &PROTO_PATH,           [PROTO_ASKED_NEAREST] = &PROTO_NEAREST,
    [PROTO_ASKED_RAYCAST] = &PROTO_STEP,        [PROTO_ASKED_RANDOM] = &PROTO_RANDOM,
    [PROTO_ASKED_REACHABLE] = &PROTO_REACHABLE, [PROTO_ASKED_WALL] = &PROTO_WALL,
    [PROTO_ASKED_FLOORS] = &PROTO_FLOORS,       [PROTO_ASKED_MOVE] = &PROTO_STEP};

// ---- path ----

static const char *const SEARCH_WORDS[] = {
    [NAV_SEARCH_AUTO] = "auto", [NAV_SEARCH_FAST] = "fast", [NAV_SEARCH_EXACT] = "exact", NULL};
_Static_assert(sizeof(nav_search) == sizeof(unsigned), "a choice is stored as unsigned");
// In the order of the PROTO_DETAIL_ bits.
static const char *const DETAIL_WORDS[] = {"polygons", "areas", "links", "islands", NULL};

// Answers are in thousandths.
#define LIMIT_ROW(member)                                                                          \
    {                                                                                              \
        PROTO_ROW(DOUBLE, proto_path_request, member), .min = 1e-3, .max = 1e9,                    \
                                                       .unit = PROTO_UNIT_LENGTH_STAYS             \
    }
#define LENGTH_ROW(of, member, most)                                                               \
    {                                                                                              \
        PROTO_ROW(FLOAT, of, member), .max = (most), .unit = PROTO_UNIT_LENGTH                     \
    }
#define POINT_ROW(of, member)                                                                      \
    {                                                                                              \
        PROTO_ROW(POINT, of, member), .required = true                                             \
    }

static const proto_field PATH_ROWS[] = {
    POINT_ROW(proto_path_request, start),
    POINT_ROW(proto_path_request, end),
    PROTO_SNAP_ROWS(offsetof(proto_common, snap)),
    PROTO_FILTER_ROWS,
    PROTO_INSTANCE_ROW,
    {PROTO_ROW(CHOICE, proto_path_request, search), .words = SEARCH_WORDS},
    {PROTO_ROW(UINT, proto_path_request, max_nodes), .min = 1, .max = UINT32_MAX},
    PROTO_DEADLINE_ROW,
    LIMIT_ROW(max_cost),
    LIMIT_ROW(max_length),
    LENGTH_ROW(proto_path_request, goal_radius, RADIUS_MAX),
    LENGTH_ROW(proto_path_request, clearance, (double)NAV_CLEARANCE_MAX),
    {PROTO_ROW(BOOL, proto_path_request, partial)},
    {PROTO_ROW(WORDS, proto_path_request, details), .words = DETAIL_WORDS},
    {PROTO_ROW(BOOL, proto_path_request, expand)}, // alone only
    PROTO_LAST_ROWS,
};

// A search is listed where it is the answer's only one.
static nav_status finish_path(void *request, uint64_t seen, nav_error *err)
{
    const proto_path_request *path = request;
    (void)seen;
    return path->expand && path->common.names_lists
               ? nav_fail_at(err, NAV_INVALID_FIELD, "expand",
                             "a batch does not list what its searches expand: ask for this path by "
                             "itself")
               : NAV_OK;
}

const proto_kind PROTO_PATH = {PROTO_BATCH_KIND(proto_path_request, PATH_ROWS),
                               .defaults = &(const proto_path_request){.partial = true},
                               .finish = finish_path};

// ---- raycast and move ----

static const proto_field STEP_ROWS[] = {
    POINT_ROW(proto_step_request, start),
    POINT_ROW(proto_step_request, end),
    PROTO_COMMON_ROWS,
    PROTO_LAST_ROWS,
};

const proto_kind PROTO_STEP = {PROTO_BATCH_KIND(proto_step_request, STEP_ROWS)};

// ---- wall ----

static const proto_field WALL_ROWS[] = {
    POINT_ROW(proto_wall_request, point),
    LENGTH_ROW(proto_wall_request, max_radius, RADIUS_MAX),
    PROTO_COMMON_ROWS,
    PROTO_LAST_ROWS,
};

const proto_kind PROTO_WALL = {PROTO_BATCH_KIND(proto_wall_request, WALL_ROWS),
                               .defaults = &(const proto_wall_request){.max_radius = 100.0f}};

// ---- floors ----

#define PLAN_ROW(member)                                                                           \
    {                                                                                              \
        PROTO_ROW(FLOAT, proto_floors_request, member), .min = -RADIUS_MAX, .max = RADIUS_MAX,     \
                                                        .unit = PROTO_UNIT_LENGTH_STAYS            \
    }

static const proto_field FLOORS_ROWS[] = {
    PLAN_ROW(x), PLAN_ROW(y), PLAN_ROW(z), PROTO_COMMON_ROWS, PROTO_LAST_ROWS,
};

static nav_status finish_floors(void *request, uint64_t seen, nav_error *err)
{
    (void)err;
    proto_floors_request *floors = request;
    for (int axis = 0; axis < 3; axis++) {
        floors->has[axis] = (seen >> axis & 1) != 0; // the first rows
    }
    return NAV_OK;
}

const proto_kind PROTO_FLOORS = {PROTO_BATCH_KIND(proto_floors_request, FLOORS_ROWS),
                                 .finish = finish_floors};

// ---- random ----

enum {
    ROW_CENTER,
    ROW_RADIUS,
    ROW_SEED
};

static const proto_field RANDOM_ROWS[] = {
    [ROW_CENTER] = {PROTO_ROW(POINT, proto_random_request, center)},
    [ROW_RADIUS] = LENGTH_ROW(proto_random_request, radius, RADIUS_MAX),
    [ROW_SEED] = {PROTO_ROW(UINT, proto_random_request, seed), .max = UINT32_MAX},
    {PROTO_ROW(UINT, proto_random_request, count), .min = 1, .max = PROTO_RANDOM_MAX},
    PROTO_COMMON_ROWS,
    PROTO_LAST_ROWS,
};

// A radius has a center, and a center a radius.
static nav_status finish_random(void *request, uint64_t seen, nav_error *err)
{
    const bool has_radius = (seen >> ROW_RADIUS & 1) != 0;
    proto_random_request *random = request;
    random->has_center = (seen >> ROW_CENTER & 1) != 0;
    random->has_seed = (seen >> ROW_SEED & 1) != 0;
    const char *missing = has_radius ? "center" : "radius";
    return random->has_center == has_radius
               ? NAV_OK
               : nav_fail_at(err, NAV_INVALID_FIELD, missing,
                             "%s is missing: center and radius go together", missing);
}

const proto_kind PROTO_RANDOM = {PROTO_BATCH_KIND(proto_random_request, RANDOM_ROWS),
                                 .defaults = &(const proto_random_request){.count = 1},
                                 .finish = finish_random};

// ---- trace ----

#define LIST_ROW(of, member, reader)                                                               \
    PROTO_ROW(READ, of, member), .read = reader, .max = PROTO_BATCH_MAX

static const proto_field TRACE_ROWS[] = {
    {LIST_ROW(proto_trace_request, positions, proto_read_points), .required = true},
    {LIST_ROW(proto_trace_request, times_ms, proto_read_numbers)},
    {PROTO_ROW(FLOAT, proto_trace_request, max_speed), .min = 1e-3, .max = 1e6,
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
        nav_fail_at(err, NAV_INVALID_FIELD, "times_ms",
                    "times_ms must have a time for each of the %u positions",
                    trace->positions.count);
        nav_error_got(err, "%u", times);
        return NAV_INVALID_FIELD;
    }
    return times == 0 && trace->max_speed > 0.0f
               ? nav_fail_at(err, NAV_INVALID_FIELD, "times_ms",
                             "times_ms is missing: max_speed needs times")
               : NAV_OK;
}

const proto_kind PROTO_TRACE = {PROTO_KIND(proto_trace_request, TRACE_ROWS),
                                .values_max = PROTO_BATCH_VALUES_MAX, .finish = finish_trace};

// ---- nearest ----

static const proto_field NEAREST_ROWS[] = {
    {PROTO_ROW(POINT, proto_nearest_request, reachable_from)}, // the first
    POINT_ROW(proto_nearest_request, point),
    PROTO_COMMON_ROWS,
    {PROTO_ROW(UINT, proto_nearest_request, count), .min = 1, .max = PROTO_NEAREST_MAX},
    {PROTO_ROW(BOOL, proto_nearest_request, above)},
    {PROTO_ROW(BOOL, proto_nearest_request, below)},
    PROTO_LAST_ROWS,
};

static nav_status finish_nearest(void *request, uint64_t seen, nav_error *err)
{
    proto_nearest_request *nearest = request;
    nearest->has_reachable_from = (seen & 1) != 0;
    if (nearest->above && nearest->below) {
        nav_fail_at(err, NAV_INVALID_FIELD, "below", "below must be false where above is true");
        nav_error_got(err, "true");
        return NAV_INVALID_FIELD;
    }
    return NAV_OK;
}

const proto_kind PROTO_NEAREST = {PROTO_BATCH_KIND(proto_nearest_request, NEAREST_ROWS),
                                  .defaults = &(const proto_nearest_request){.count = 1},
                                  .finish = finish_nearest};

// ---- reachable and flood ----

static const proto_field REACHABLE_ROWS[] = {
    POINT_ROW(proto_reachable_request, start),
    PROTO_COMMON_ROWS,
    {LIST_ROW(proto_reachable_request, points, proto_read_points), .required = true},
    PROTO_LAST_ROWS,
};

const proto_kind PROTO_REACHABLE = {PROTO_BATCH_KIND(proto_reachable_request, REACHABLE_ROWS)};

#define FLOOD_POLYGONS_DEFAULT 10000u
#define FLOOD_POLYGONS_MAX 1000000u

static const proto_field FLOOD_ROWS[] = {
    POINT_ROW(proto_flood_request, start),
    PROTO_COMMON_ROWS,
    {PROTO_ROW(FLOAT, proto_flood_request, max_cost), .max = 1e9, .unit = PROTO_UNIT_LENGTH,
     .required = true},
    {PROTO_ROW(UINT, proto_flood_request, max_polygons), .min = 1, .max = FLOOD_POLYGONS_MAX},
    PROTO_RECORD_ROW,
    PROTO_VERSION_ROW,
};

const proto_kind PROTO_FLOOD = {
    PROTO_KIND(proto_flood_request, FLOOD_ROWS),
    .defaults = &(const proto_flood_request){.max_polygons = FLOOD_POLYGONS_DEFAULT}};

// ---- matrix: costs from some places to others ----

static const proto_field MATRIX_ROWS[] = {
    {LIST_ROW(proto_matrix_request, sources, proto_read_points), .required = true},
    {LIST_ROW(proto_matrix_request, targets, proto_read_points), .required = true},
    {PROTO_ROW(UINT, proto_matrix_request, nearest), .min = 1, .max = PROTO_BATCH_MAX},
    {PROTO_ROW(UINT, proto_matrix_request, max_nodes), .min = 1, .max = UINT32_MAX},
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
    return nav_fail_bound(err, PROTO_BATCH_TOO_LARGE, "targets", cells, NAV_MATRIX_CELLS_MAX,
                          "%u sources times %u targets are too many costs", matrix->sources.count,
                          matrix->targets.count);
}

const proto_kind PROTO_MATRIX = {PROTO_KIND(proto_matrix_request, MATRIX_ROWS),
                                 .values_max = PROTO_BATCH_VALUES_MAX, .finish = finish_matrix};
