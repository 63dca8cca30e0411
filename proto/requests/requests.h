// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// requests.h: what a client may ask, as structs: the same one from a JSON body or from query
// arguments. A request's lists and texts come from an arena of the caller's and live as long as it;
// positions are the level's until proto_common_resolve, or until a handler turns them with
// proto_to_mesh.

#pragma once

#include "proto/base/coordinates.h"
#include "proto/settings/config.h"

// A filter as it was asked for: a named one, or names that the mesh will know (or not).
typedef struct proto_area_cost {
    const char *area;
    float cost;
} proto_area_cost;

typedef struct proto_filter {
    const char *name; // NULL: none is named
    const proto_area_cost *costs;
    const char *const *include, *const *exclude; // flags
    uint32_t cost_count, include_count, exclude_count;
} proto_filter;

// A shape to avoid, in the coordinates of the request. Members that its kind does not have are 0.
typedef struct proto_avoid {
    unsigned shape; // nav_avoid_shape
    bool blocked;
    float cost;
    bool has_height;
    float center[3], radius, height;
    float min[3], max[3];
    const float (*points)[2];
    uint32_t point_count;
    float min_y, max_y;
} proto_avoid;

// The members that all questions have in common; each request begins with it. Lists and texts come
// from memory and live as long as it.
typedef struct proto_common {
    nav_arena *memory;
    uint32_t version; // 0: the live one
    nav_snap snap;
    proto_filter filter;
    const proto_avoid *avoid;
    uint32_t avoid_count;
    uint32_t deadline_ms; // 0: none; a path has its own
} proto_common;

// From names and coordinates of the request to those of the mesh. *room keeps a filter that has no
// name; *out borrows from it, from common->memory and from the mesh. Errors: NAV_INVALID_FIELD (at
// = "filter.costs.lava", "filter.include[0]", "avoid[2].points"), NAV_NO_MEMORY.
nav_status proto_common_resolve(const proto_common *common, const nav_mesh *mesh, nav_filter *room,
                                nav_options *out, nav_error *err);

// Points in the coordinates of the request.
typedef struct proto_points {
    const float (*at)[3];
    uint32_t count;
} proto_points;

// A kind of request: its fields and defaults. Each struct below names its kind.
typedef struct proto_kind proto_kind;

// Reads a request of a kind into *out, which is of the kind's struct and untouched on failure.
// Errors: PROTO_BAD_JSON and kin, PROTO_UNKNOWN_FIELD, NAV_INVALID_FIELD (at = "start", missing or
// wrong), NAV_NO_MEMORY.
nav_status proto_request_json(const proto_kind *kind, const char *json, size_t size_bytes,
                              nav_arena *memory, void *out, nav_error *err);
// The same from query arguments, which are borrowed for the call.
nav_status proto_request_args(const proto_kind *kind, const proto_arg *args, size_t arg_count,
                              nav_arena *memory, void *out, nav_error *err);
// The most that the struct of any kind takes, with what is kept beside it while it is read.
#define PROTO_REQUEST_BYTES_MAX 512

extern const proto_kind PROTO_PATH;
typedef struct proto_path_request {
    proto_common common;
    float start[3], end[3];
    nav_search search;
    uint32_t max_nodes;          // 0: no limit
    uint32_t deadline_ms;        // 0: none
    double max_cost, max_length; // 0: no limit
    float goal_radius;           // how near to the end is near enough
    bool partial;     // lead to the closest reachable spot where the end cannot be reached
    uint32_t details; // PROTO_DETAIL_*
    const char *id;   // JSON text of what it was called; NULL: nothing. In batches only
} proto_path_request;

#define PROTO_DETAIL_POLYGONS 1u
#define PROTO_DETAIL_AREAS 2u
#define PROTO_DETAIL_LINKS 4u

extern const proto_kind PROTO_PATHS;
typedef struct proto_paths_request {
    proto_common common; // only its version and memory
    const proto_path_request *queries;
    uint32_t count;
    const proto_avoid *shared_avoid; // the list of all queries that have none of their own, or NULL
} proto_paths_request;

// The packed form of the same (application/vnd.navmeshd.paths, layout in requests/README.md).
// Errors: NAV_INVALID_FIELD (at = "magic"), PROTO_BATCH_TOO_LARGE, NAV_NO_MEMORY.
nav_status proto_paths_read_packed(const void *bytes, size_t size_bytes, nav_arena *memory,
                                   proto_paths_request *out, nav_error *err);

// The packed answers, built up query by query in any order.
typedef struct proto_packed_paths {
    proto_writer *w;
    uint32_t count, point_count;
} proto_packed_paths;

// begin writes the header and leaves room for count records; put writes the record of one query,
// whose index is below count, and its points behind all others, each index once; end fills in the
// number of points. w belongs to the caller, who looks at its `failed` at the end.
void proto_packed_paths_begin(proto_packed_paths *answers, proto_writer *w, uint32_t version,
                              uint32_t count);
void proto_packed_paths_put(proto_packed_paths *answers, uint32_t index, const nav_path *path);
void proto_packed_paths_end(proto_packed_paths *answers);

extern const proto_kind PROTO_NEAREST;
typedef struct proto_nearest_request {
    proto_common common;
    float point[3];
    uint32_t count;    // 1 to PROTO_NEAREST_MAX
    bool above, below; // look only there, which is in common.snap
    bool has_reachable_from;
    float reachable_from[3];
} proto_nearest_request;

extern const proto_kind PROTO_REACHABLE;
typedef struct proto_reachable_request {
    proto_common common;
    float start[3];
    proto_points points;
} proto_reachable_request;

// GET and POST raycast and move: from start towards end.
extern const proto_kind PROTO_STEP;
typedef struct proto_step_request {
    proto_common common;
    float start[3], end[3];
} proto_step_request;

extern const proto_kind PROTO_WALL;
typedef struct proto_wall_request {
    proto_common common;
    float point[3];
    float max_radius;
} proto_wall_request;

extern const proto_kind PROTO_FLOORS;
typedef struct proto_floors_request {
    proto_common common;
    float x;
    bool has_y, has_z;
    float y, z; // one of them, by the mesh's coordinates
} proto_floors_request;

extern const proto_kind PROTO_RANDOM;
typedef struct proto_random_request {
    proto_common common;
    uint32_t count; // 1 to PROTO_RANDOM_MAX
    bool has_seed, has_center;
    uint32_t seed;
    float center[3], radius;
} proto_random_request;

extern const proto_kind PROTO_TRACE;
typedef struct proto_numbers {
    const double *at;
    uint32_t count;
} proto_numbers;

typedef struct proto_trace_request {
    proto_common common;
    proto_points positions;
    proto_numbers times_ms; // as many, or none
    float max_speed;        // 0: no limit
} proto_trace_request;

extern const proto_kind PROTO_MATRIX;
typedef struct proto_matrix_request {
    proto_common common;
    proto_points sources, targets; // their product is at most NAV_MATRIX_CELLS_MAX
    uint32_t nearest;              // 0: all targets
    uint32_t max_nodes;            // of each source; 0: no limit
} proto_matrix_request;

extern const proto_kind PROTO_FLOOD;
typedef struct proto_flood_request {
    proto_common common;
    float start[3];
    float max_cost;
    uint32_t max_polygons;
} proto_flood_request;

typedef struct proto_render_request {
    uint32_t width_px; // PROTO_RENDER_WIDTH_MIN to _MAX
    bool has_path;     // path=x,y,z,x,y,z
    float start[3], end[3];
} proto_render_request;

#define PROTO_NEAREST_MAX 64
#define PROTO_RANDOM_MAX 1000
#define PROTO_BATCH_MAX 10000u         // queries of one batch, points of one list
#define PROTO_BATCH_VALUES_MAX 1000000 // of a batch's JSON
#define PROTO_RENDER_WIDTH_MIN 64
#define PROTO_RENDER_WIDTH_MAX 8192

// Errors of this and of those below: PROTO_BAD_JSON and kin where there is a body,
// PROTO_UNKNOWN_FIELD, NAV_INVALID_FIELD. *out is untouched on failure.
nav_status proto_render_request_args(const proto_arg *args, size_t arg_count,
                                     proto_render_request *out, nav_error *err);

// PUT .../active: the body {"version":2} and the argument force.
typedef struct proto_active_request {
    uint32_t version;
    bool force; // whatever the checks say
} proto_active_request;

nav_status proto_active_request_read(const char *json, size_t size_bytes, const proto_arg *args,
                                     size_t arg_count, proto_active_request *out, nav_error *err);

// GET .../versions/diff?from=2&to=3
typedef struct proto_diff_request {
    uint32_t from, to;
} proto_diff_request;

nav_status proto_diff_request_args(const proto_arg *args, size_t arg_count, proto_diff_request *out,
                                   nav_error *err);

// How an upload is to be treated, and its settings, from query arguments and JSON `config`.
typedef struct proto_upload_request {
    bool wait, activate, reuse;
    bool force; // made live whatever the checks say
    nav_config config;
} proto_upload_request;

// config_json may be NULL; arguments override it. The settings are checked (nav_config_check);
// their arrays come from memory.
nav_status proto_upload_request_read(const proto_arg *args, size_t arg_count,
                                     const char *config_json, nav_arena *memory,
                                     proto_upload_request *out, nav_error *err);

// ---------------------------------------------------------------------------------------------------
// Checks: what every version of a mesh must meet before it goes live. Positions are the level's.

#define PROTO_CHECKS_MAX 256
#define PROTO_CHECK_NAME_MAX 100 // bytes

typedef enum proto_expect {
    PROTO_EXPECT_REACHABLE,   // from start to end
    PROTO_EXPECT_UNREACHABLE, // likewise
    PROTO_EXPECT_ON_MESH,     // start; and end where there is one
    PROTO_EXPECT_AREA,        // min_walkable_area
} proto_expect;

typedef struct proto_check {
    char name[PROTO_CHECK_NAME_MAX + 1];
    proto_expect expect;
    float start[3], end[3];
    bool has_end;
    nav_snap snap;
    bool has_max_length;
    float max_length;        // of the path, in three dimensions
    float min_walkable_area; // of the whole mesh, in plan view
} proto_check;

typedef struct proto_checks {
    const proto_check *items;
    uint32_t count;
} proto_checks;

// How a check went. detail is one plain sentence.
typedef struct proto_check_result {
    const char *name;
    bool passed;
    char detail[160];
} proto_check_result;

// Reads {"checks":[...]}; the array comes from memory. Errors: PROTO_BAD_JSON and kin,
// PROTO_UNKNOWN_FIELD, NAV_INVALID_FIELD (at = "checks[2].end"), NAV_NO_MEMORY.
nav_status proto_checks_read(const char *json, size_t size_bytes, nav_arena *memory,
                             proto_checks *out, nav_error *err);
// The value of "checks": what was read, every setting of it written out.
void proto_write_checks(proto_writer *w, const proto_checks *checks);
// The results of a run, in the order of the checks.
void proto_write_check_results(proto_writer *w, const proto_check_result *results, uint32_t count);
