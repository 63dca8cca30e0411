// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// requests.h: what a client may ask, as structs: the same one from a JSON body or from query
// arguments. A request's lists and texts come from an arena of the caller's and live as long as it.
// Positions and lengths are the level's until proto_request_to_mesh, shapes and links until they
// are resolved.

#pragma once

#include "proto/settings/config.h"

typedef struct proto_geometry_shape proto_geometry_shape; // geometry/upload.h

// A shape to avoid, in the coordinates of the request. Members that its kind does not have are 0.
typedef struct proto_avoid {
    unsigned shape; // nav_avoid_shape
    bool blocked;
    float cost;
    bool has_height;
    float center[3], radius, height;
    float start[3], end[3];    // of a capsule, which also has radius and height
    float min[3], max[3], yaw; // degrees that the box is turned by: see proto_turn
    const float (*points)[2];
    uint32_t point_count;
    float min_y, max_y; // infinite: not given
} proto_avoid;

// From the coordinates of the request to those of the mesh. Outlines come from memory; what a shape
// must be is for nav_options_check. Errors: NAV_INVALID_FIELD (at = "max": a box with a yaw that is
// flat), NAV_NO_MEMORY.
nav_status proto_shape_resolve(const proto_avoid *shape, const nav_mesh *mesh, nav_arena *memory,
                               nav_avoid *out, nav_error *err);

// A link of an instance, in the coordinates of the request.
typedef struct proto_link {
    float start[3], end[3];
    float radius; // infinite: not given
    bool bidirectional, has_cost;
    float cost;
    const char *area;
    const char *const *flags;
    uint32_t flag_count;
} proto_link;

// From the coordinates and names of the request to those of the mesh; what a link must be is for
// nav_links_check. Errors: NAV_INVALID_FIELD (at = "area", "flags").
nav_status proto_link_resolve(const proto_link *link, const char *id, const nav_mesh *mesh,
                              nav_link *out, nav_error *err);
// Fills in what was not given, in the level's unit, so that it can be shown and sent again.
void proto_link_complete(proto_link *link, nav_coordinates coordinates);

// Things that a version has by name.
typedef enum proto_named {
    PROTO_NAMED_AREA,
    PROTO_NAMED_FLAG,
    PROTO_NAMED_FILTER,
    PROTO_NAMED_AGENT,
    PROTO_NAMED_SWITCH
} proto_named;

// Refuses a name that it does not have, and lists the first ones that it has; err may be NULL.
// Result: NAV_INVALID_FIELD.
nav_status proto_no_such(const nav_mesh *mesh, proto_named named, const char *at, const char *name,
                         nav_error *err);

// Ground of this name that may be walked on; flags are added to *out. Errors: NAV_INVALID_FIELD, at
// this place.
nav_status proto_area_resolve(const nav_mesh *mesh, const char *name, const char *at, uint8_t *out,
                              nav_error *err);
nav_status proto_flags_resolve(const nav_mesh *mesh, const char *const *names, uint32_t count,
                               const char *at, uint32_t *out, nav_error *err);

// The state of an instance over the mesh that is asked (instances.h).
typedef struct proto_world proto_world;

// The number of the only list of shapes that the queries of `paths` share, that of its defaults.
#define PROTO_LIST_OF_DEFAULTS 1u

// The members that all questions have in common; each request begins with it. Lists and texts come
// from memory and live as long as it.
typedef struct proto_common {
    nav_arena *memory;
    uint64_t seen;     // bits of the rows that were sent; all other members are at their defaults
    uint32_t version;  // 0: the live one
    const char *agent; // whose mesh is asked; NULL: the default one's
    nav_snap snap;
    proto_filter filter;
    const proto_avoid *avoid;
    uint32_t avoid_count;
    uint32_t deadline_ms; // 0: none
    const char *instance; // NULL: none
    // That instance over the mesh, of the server's: placed beneath filter and avoid. NULL: none
    const proto_world *world;
    bool record; // keep question and answer; of a batch: of the whole of it
    // Only a query in a batch has these:
    const char *id; // JSON text of what it was called; NULL: nothing
    // Which of the batch's lists these are, from 1 on; 0: its own.
    uint32_t filter_list, avoid_list, instance_list, agent_list;
    bool names_lists; // a number for any of these is one of a list
} proto_common;

// The number of the agent of this name (NULL or "": the default one) among those that come with a
// mesh: 0 is the mesh itself, n nav_mesh_agent(mesh, n - 1). Errors: NAV_INVALID_FIELD (at =
// "agent"), which names those that there are.
nav_status proto_agent_find(const nav_mesh *mesh, const char *agent, uint32_t *number,
                            nav_error *err);

// From names and coordinates of the request to those of the mesh. *space keeps a filter that has no
// name; *out borrows from it, from common->memory and from the mesh. Errors: NAV_INVALID_FIELD (at
// = "filter.costs.lava", "filter.include[0]", "avoid[2].points"), NAV_NO_MEMORY.
nav_status proto_common_resolve(const proto_common *common, const nav_mesh *mesh, nav_filter *space,
                                nav_options *out, nav_error *err);

typedef struct proto_points {
    float (*at)[3];
    uint32_t count;
} proto_points;

// A kind of request: its fields and defaults. Each struct below names its kind.
typedef struct proto_kind proto_kind;

// Reads a request of a kind into *out, which is of the kind's struct and untouched on failure.
// Lengths are as they were sent, in the level's unit, until proto_request_to_mesh. Errors:
// PROTO_BAD_JSON and kin, PROTO_UNKNOWN_FIELD, NAV_INVALID_FIELD (at = "start", missing or wrong),
// NAV_NO_MEMORY.
nav_status proto_request_json(const proto_kind *kind, const char *json, size_t size_bytes,
                              nav_arena *memory, void *out, nav_error *err);
// The same from query arguments, which are borrowed for the call.
nav_status proto_request_args(const proto_kind *kind, const proto_arg *args, size_t arg_count,
                              nav_arena *memory, void *out, nav_error *err);
// Once the mesh is known, and once only: checks the lengths of a request of this kind against their
// bounds and makes them metres, but for the limits of a path and the column of `floors`; its points
// take the mesh's coordinates. Defaults are metres. A list of points has at most list_max, which an
// operator may have lowered below what readers take. Errors: NAV_INVALID_FIELD,
// PROTO_BATCH_TOO_LARGE.
nav_status proto_request_to_mesh(const proto_kind *kind, nav_coordinates coordinates,
                                 uint64_t list_max, proto_common *request, nav_error *err);
// PROTO_BATCH_TOO_LARGE of a list of more than `most`.
nav_status proto_count_check(const char *at, uint32_t count, uint64_t most, nav_error *err);
// The most that the struct of any kind takes, with what is kept beside it while it is read.
#define PROTO_REQUEST_BYTES_MAX 704

extern const proto_kind PROTO_PATH;
typedef struct proto_path_request {
    proto_common common;
    float start[3], end[3];
    nav_search search;
    uint32_t max_nodes;          // 0: no limit
    double max_cost, max_length; // in the level's unit, as an answer has them; 0: no limit
    float goal_radius;           // how near to the end is near enough
    float clearance;             // distance from walls; 0: none
    bool partial;     // lead to the closest reachable spot where the end cannot be reached
    bool expand;      // list what the search expands; not in a batch
    uint32_t details; // PROTO_DETAIL_*
} proto_path_request;

#define PROTO_EXPANSIONS_MAX 20000u // that an answer lists

#define PROTO_DETAIL_POLYGONS 1u
#define PROTO_DETAIL_AREAS 2u
#define PROTO_DETAIL_LINKS 4u
#define PROTO_DETAIL_ISLANDS 8u // of what is unreachable
// Details that are lists of what lies along the path.
#define PROTO_DETAILS_ALONG (PROTO_DETAIL_POLYGONS | PROTO_DETAIL_AREAS | PROTO_DETAIL_LINKS)

// The kinds of queries of a batch. PROTO_ASKED_WORDS has a word for each, and NULL behind the last.
typedef enum proto_asked {
    PROTO_ASKED_PATH,
    PROTO_ASKED_NEAREST,
    PROTO_ASKED_RAYCAST,
    PROTO_ASKED_RANDOM,
    PROTO_ASKED_REACHABLE,
    PROTO_ASKED_WALL,
    PROTO_ASKED_FLOORS,
    PROTO_ASKED_MOVE,
    PROTO_ASKED_COUNT
} proto_asked;
extern const char *const PROTO_ASKED_WORDS[];

typedef struct proto_query {
    proto_asked asked;
    proto_common *question; // the struct of what is asked, which begins with it
} proto_query;

// POST .../paths, whose queries all are paths, and POST .../batch.
extern const proto_kind PROTO_PATHS, PROTO_BATCH;
typedef struct proto_batch_request {
    proto_common common; // only its version, record and memory
    const proto_query *queries;
    uint32_t count;
    bool is_paths; // all are paths; else each says its kind
} proto_batch_request;

// For a fault in a query: its place "start" becomes "queries[7].start". A fault without a place
// stays as it is.
void proto_name_query(nav_error *err, uint32_t index);

// The packed form of either (application/vnd.navmeshd.paths and .batch, layouts in README.md).
// Queries have no id. Errors: NAV_INVALID_FIELD (at = "magic"), PROTO_BATCH_TOO_LARGE,
// NAV_NO_MEMORY.
nav_status proto_batch_read_packed(const proto_kind *kind, const void *bytes, size_t size_bytes,
                                   nav_arena *memory, proto_batch_request *out, nav_error *err);

extern const proto_kind PROTO_NEAREST;
typedef struct proto_nearest_request {
    proto_common common;
    float point[3];
    uint32_t count;    // 1 to PROTO_NEAREST_MAX
    bool above, below; // search only there, which is in common.snap
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
    float x, y, z; // of the level, two of them: those that are not its height
    bool has[3];
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

// GET .../explain: why there is, or is no, mesh at a point, why there is no path between two, or
// what the stages of a bake left of a tile. One of the three.
typedef enum proto_explained {
    PROTO_EXPLAINED_POINT,
    PROTO_EXPLAINED_PATH,
    PROTO_EXPLAINED_TILE
} proto_explained;
extern const proto_kind PROTO_EXPLAIN;
typedef struct proto_explain_request {
    proto_common common; // its version, agent, instance and deadline
    proto_explained explained;
    float point[3];
    float start[3], end[3];
    uint32_t tile[2]; // x and z
} proto_explain_request;

#define PROTO_INSTANCE_NAME_BYTES 65 // of a name that there can be, and a zero

// The layers of a picture. PROTO_LAYER_WORDS has a word for each bit, and NULL behind the last.
#define PROTO_LAYER_LEVEL 1u      // the triangles of the level
#define PROTO_LAYER_AREAS 2u      // ground coloured by its area
#define PROTO_LAYER_ISLANDS 4u    // by its component; with the one before by both
#define PROTO_LAYER_TILES 8u      // their borders
#define PROTO_LAYER_PATH 16u      // between two points of the request
#define PROTO_LAYER_OBSTACLES 32u // of an instance, and switches that are closed
#define PROTO_LAYERS_DEFAULT (PROTO_LAYER_AREAS | PROTO_LAYER_ISLANDS | PROTO_LAYER_PATH)
extern const char *const PROTO_LAYER_WORDS[];

// Requests of these kinds have no proto_common, and keep nothing: memory may be NULL.
extern const proto_kind PROTO_RENDER, PROTO_EXPORT, PROTO_DIFF;
typedef struct proto_render_request {
    uint32_t width_px; // PROTO_RENDER_WIDTH_MIN to _MAX
    uint32_t layers;   // PROTO_LAYER_*; with an instance, obstacles are in the default
    bool legend;
    bool has_path; // path=x,y,z,x,y,z, and the layer is there
    float start[3], end[3];
    bool has_bounds;
    float min[3], max[3];                     // the level's coordinates, min below max
    nav_name agent;                           // "": the default one
    char instance[PROTO_INSTANCE_NAME_BYTES]; // "": none
} proto_render_request;

#define PROTO_NEAREST_MAX 64
#define PROTO_RANDOM_MAX 1000
#define PROTO_BATCH_MAX 10000u         // queries of one batch, points of one list
#define PROTO_BATCH_VALUES_MAX 1000000 // of a batch's JSON
#define PROTO_BATCH_LISTS_MAX 256u     // filters, sets of shapes, instances, agents: of each
#define PROTO_BATCH_PLACES_MAX 200000  // that its nearest and random queries together ask for
#define PROTO_RENDER_WIDTH_MIN 64
#define PROTO_RENDER_WIDTH_MAX 8192
#define PROTO_RENDER_WIDTH_DEFAULT 1024

// Files that a version can be written as (exports/exports.h).
typedef enum proto_export_format {
    PROTO_EXPORT_JSON,
    PROTO_EXPORT_PACKED,
    PROTO_EXPORT_OBJ,
    PROTO_EXPORT_GLB,
    PROTO_EXPORT_MSET,
    PROTO_EXPORT_SVG,
    PROTO_EXPORT_COUNT
} proto_export_format;

// GET .../versions/{version}/export?format=obj&bounds=x,y,z,x,y,z
typedef struct proto_export_request {
    proto_export_format format;
    bool has_bounds;
    float min[3], max[3]; // the level's coordinates, min below max
    nav_name agent;       // "": the default one
} proto_export_request;

// The only argument of a deletion, force=1: false where it is not there.
nav_status proto_force_arg(const proto_arg *args, size_t arg_count, bool *out, nav_error *err);

// PUT .../active: the body {"version":2} and the argument force.
typedef struct proto_active_request {
    uint32_t version;
    bool force; // whatever the checks say
} proto_active_request;

// Errors: PROTO_BAD_JSON and kin, PROTO_UNKNOWN_FIELD, NAV_INVALID_FIELD. *out is untouched on
// failure.
nav_status proto_active_request_read(const char *json, size_t size_bytes, const proto_arg *args,
                                     size_t arg_count, proto_active_request *out, nav_error *err);

// GET .../versions/diff?from=2&to=3
typedef struct proto_diff_request {
    uint32_t from, to;
    nav_name agent; // "": the default one
} proto_diff_request;

// How an upload is to be treated, and its settings, from query arguments and JSON `config`.
typedef struct proto_upload_request {
    bool wait, activate, reuse;
    bool force;          // made live whatever the checks say
    bool require_checks; // a version that fails checks is an error
    bool strict;         // one with warnings is, too, and does not go live
    uint32_t accepted;   // bit i: oddity i (settings/sanity.h) is no reason to refuse the level
    nav_config config;
} proto_upload_request;

// config_json may be NULL; arguments override it. The settings are checked (nav_config_check);
// their arrays come from memory.
nav_status proto_upload_request_read(const proto_arg *args, size_t arg_count,
                                     const char *config_json, nav_arena *memory,
                                     proto_upload_request *out, nav_error *err);
// Puts the volumes and switches that stand in the geometry to those of the settings; arrays come
// from memory. Errors: NAV_INVALID_FIELD (at = "nodes[3]", or the switch that has shapes in both),
// NAV_NO_MEMORY.
nav_status proto_upload_add_shapes(const proto_geometry_shape *shapes, uint32_t count,
                                   nav_arena *memory, nav_config *config, nav_error *err);

// POST /v1/recordings: a question that is asked and recorded.
extern const proto_kind PROTO_RECORDING;
typedef struct proto_recording_request {
    proto_common common;        // only its memory
    const char *name;           // NULL: none
    const char *mesh, *asked;   // whom, and what: "path"
    const char *asked_instance; // that its address names; NULL: none, it may be in the body
    const char *body;           // the question's other members, a JSON object with a zero behind it
    size_t body_bytes;
} proto_recording_request;
#define PROTO_RECORDING_NAME_MAX 200 // bytes

// GET /v1/recordings?after=ID&limit=N
extern const proto_kind PROTO_RECORDINGS;
typedef struct proto_recordings_request {
    proto_common common; // only its memory
    const char *after;   // NULL: from the newest
    uint32_t limit;
} proto_recordings_request;
#define PROTO_RECORDING_ID_LENGTH 26 // letters and digits
#define PROTO_RECORDINGS_LISTED 100  // where no limit is given
#define PROTO_RECORDINGS_LISTED_MAX 1000

// ---------------------------------------------------------------------------------------------------
// Checks: what every version of a mesh must meet before it goes live. Positions, lengths and areas
// are the level's, whatever version it is.

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
    nav_name agent; // whose mesh is asked; "": the default one's
    proto_expect expect;
    float start[3], end[3];
    bool has_end;
    nav_snap snap;
    uint8_t snap_sent; // bits: horizontal, up, down; the others are at their defaults, in metres
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
// The value of "checks", to be read again: what was sent; or all of it, with defaults in the unit
// of the writer's coordinates.
void proto_write_checks(proto_writer *w, const proto_checks *checks, bool all);
// The snap of a check in metres, over a mesh of these coordinates.
nav_snap proto_check_snap(const proto_check *check, nav_coordinates coordinates);
// The results of a run, in the order of the checks.
void proto_write_check_results(proto_writer *w, const proto_check_result *results, uint32_t count);
