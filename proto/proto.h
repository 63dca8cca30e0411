// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// proto.h: bytes to structs and back. No sockets, files, threads or globals. Every function that
// reads outside bytes is safe on any bytes and is fuzzed. Only json/fields*.c, settings/ and
// requests/ know cJSON.
//
//   bytes --proto_geometry_*--> nav_geometry
//   bytes --proto_config_*--> nav_config
//   bytes or arguments --proto_*_request_*--> requests
//   nav_path, proto_version, nav_error ... --proto_write_*--> bytes

#pragma once

#include "proto/base/status.h"

// ---------------------------------------------------------------------------------------------------
// Writing JSON straight into a growing buffer. Errors stick: after a failed allocation every call
// is a no-op and `failed` is true; look once, at the end.

typedef struct proto_writer {
    char *bytes; // malloc'ed; owned by the writer until proto_writer_take
    size_t size_bytes, capacity_bytes;
    bool failed;
    bool need_comma;
    nav_coordinates coordinates; // of the level that proto_write_point writes for; Y_UP at first
} proto_writer;

void proto_writer_init(proto_writer *w);
void proto_writer_free(proto_writer *w);
// Hands over the bytes (zero-terminated, free with free()); NULL if the writer has failed.
char *proto_writer_take(proto_writer *w, size_t *size_bytes);

void proto_write_object_begin(proto_writer *w);
void proto_write_object_end(proto_writer *w);
void proto_write_array_begin(proto_writer *w);
void proto_write_array_end(proto_writer *w);
void proto_write_key(proto_writer *w, const char *key);
void proto_write_string(proto_writer *w, const char *text); // NULL writes null; escapes as needed
void proto_write_bool(proto_writer *w, bool value);
void proto_write_null(proto_writer *w);
void proto_write_int(proto_writer *w, int64_t value);
// decimals 0 to 6, trailing zeros dropped; not finite writes null.
void proto_write_fixed(proto_writer *w, double value, int decimals);
// A cost, or a bound on one: 3 decimals, rounded down, so that a bound is one as it is printed.
void proto_write_cost(proto_writer *w, double value);
// So much of a cost, as a part of it, is the noise of doubles: what is less than a whole thousandth
// by that counts as one.
#define PROTO_COST_NOISE 1e-12
// The shortest decimal that reads back as the same float.
void proto_write_float(proto_writer *w, float value);
// [x,y,z] of a direction of the mesh, turned as a point is; 6 decimals.
void proto_write_direction(proto_writer *w, const float direction[3]);
// [x,y,z] of a mesh's point in the writer's coordinates, with 3 decimals (millimetres).
void proto_write_point(proto_writer *w, const float point[3]);
// Whether two points are the same once they are printed.
bool proto_is_printed_as(const float a[3], const float b[3]);
// {"min":[x,y,z],"max":[x,y,z]} of a box in the mesh, likewise.
void proto_write_bounds(proto_writer *w, const float min[3], const float max[3]);
// Text that is JSON already; empty or NULL writes null.
void proto_write_raw(proto_writer *w, const char *json);
// Bytes as they are, between values of the caller's own.
void proto_writer_put(proto_writer *w, const void *bytes, size_t size_bytes);
// Bytes that are not JSON (SVG).
void proto_write_text(proto_writer *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// ---------------------------------------------------------------------------------------------------
// Reading small JSON (requests, settings): bounded before cJSON sees it.

#define PROTO_JSON_DEPTH_MAX 32
#define PROTO_JSON_VALUES_MAX 100000

// One linear pass without allocation: NAV_OK, PROTO_BAD_JSON (detail and at name the byte offset),
// PROTO_JSON_TOO_DEEP, PROTO_JSON_TOO_MANY_VALUES. What passes is valid RFC 8259 JSON in UTF-8 with
// nothing behind it; names that appear twice are left to the readers of objects.
nav_status proto_json_scan(const char *bytes, size_t size_bytes, uint32_t depth_max,
                           uint32_t values_max, nav_error *err);

// The version of the cJSON that this was built with.
const char *proto_library_version(void);

// A decoded query-string argument. Strings are borrowed.
typedef struct proto_arg {
    const char *key, *value; // value "" where there is none
} proto_arg;

// ---------------------------------------------------------------------------------------------------
// Geometry

typedef enum proto_format {
    PROTO_FORMAT_OBJ,
    PROTO_FORMAT_JSON,
    PROTO_FORMAT_PACKED, // layout in proto/README.md; also the form in which geometry is stored
} proto_format;

// "obj", "json", "packed".
const char *proto_format_word(proto_format format);

// A streaming reader: feed bytes as they arrive, in pieces of any size, then end. No DOM, no second
// copy of the text. Memory grows with the triangles, never with what a header merely promises.
typedef struct proto_geometry_reader proto_geometry_reader;

typedef struct proto_geometry_limits {
    uint32_t vertices_max, triangles_max;
    // Of settings: the `config` member of JSON geometry, which lies one level deeper, or a part.
    uint32_t config_bytes_max, config_depth_max, config_values_max;
} proto_geometry_limits;

proto_geometry_limits proto_geometry_limits_default(void);

// Errors: NAV_NO_MEMORY.
nav_status proto_geometry_begin(proto_format format, const proto_geometry_limits *limits,
                                proto_geometry_reader **out, nav_error *err);
// Errors: PROTO_BAD_GEOMETRY (with line), PROTO_BAD_JSON, PROTO_JSON_TOO_DEEP, PROTO_UNKNOWN_FIELD,
// NAV_INVALID_FIELD, NAV_VERTEX_NOT_FINITE, NAV_VERTEX_OUT_OF_RANGE, NAV_INDEX_OUT_OF_RANGE,
// NAV_GEOMETRY_TOO_LARGE, PROTO_BODY_TOO_LARGE (config), NAV_NO_MEMORY. After an error only destroy
// may be called.
nav_status proto_geometry_feed(proto_geometry_reader *reader, const void *bytes, size_t size_bytes,
                               nav_error *err);
// Checks that the text is whole and the geometry valid (nav_geometry_check). The result is borrowed
// from the reader.
nav_status proto_geometry_end(proto_geometry_reader *reader, nav_geometry *out, nav_error *err);
// The same, asked while the geometry is checked (nav_geometry_check_until). Errors: also
// NAV_CANCELLED.
nav_status proto_geometry_end_until(proto_geometry_reader *reader, const nav_bake_hooks *hooks,
                                    nav_geometry *out, nav_error *err);
// The `config` member of JSON geometry as text, or NULL. Borrowed; after proto_geometry_end.
const char *proto_geometry_config(const proto_geometry_reader *reader);
void proto_geometry_destroy(proto_geometry_reader *reader); // NULL is harmless

// Turns the vertices into the mesh's coordinates, in place: what is packed or hashed afterwards is
// no longer what was read. After proto_geometry_end, once.
void proto_geometry_to_mesh(proto_geometry_reader *reader, nav_coordinates coordinates);

// ---- the body of an upload: geometry, or a form that has geometry and settings as parts ----

typedef struct proto_body_type {
    bool is_form;        // multipart/form-data, with parts `geometry` and `config` in any order
    proto_format format; // where it is none
    char boundary[71];   // where it is one
} proto_body_type;

// What a Content-Type (NULL: there was none) says of the body. Errors: PROTO_MEDIA_TYPE;
// PROTO_BAD_MULTIPART where a form has no boundary, or one that cannot be (at = "Content-Type").
nav_status proto_body_type_read(const char *content_type, proto_body_type *out, nav_error *err);
// The format that the ending of a file's name stands for (.obj, .json, .navg); false: none.
bool proto_format_of_file(const char *name, proto_format *out);

// Streams like a geometry reader: what a form holds of the body is at most the headers of one part
// and the settings.
typedef struct proto_body proto_body;

// limits NULL: the defaults; config_bytes_max is of the part as well. Errors: NAV_NO_MEMORY.
nav_status proto_body_begin(const proto_body_type *type, const proto_geometry_limits *limits,
                            proto_body **out, nav_error *err);
// Errors: those of proto_geometry_feed; of a form also PROTO_BAD_MULTIPART (at = "byte 17", of the
// whole body; all other places are those of the part), PROTO_HEADERS_TOO_LARGE, PROTO_UNKNOWN_FIELD
// (a part that is not known), NAV_INVALID_FIELD (one that is there twice), PROTO_MEDIA_TYPE (a part
// of a type not taken, or encoded in itself), PROTO_JSON_TOO_MANY_VALUES. After one only destroy
// may be called.
nav_status proto_body_feed(proto_body *body, const void *bytes, size_t size_bytes, nav_error *err);
// As proto_geometry_end. NAV_INVALID_FIELD, too: a form without geometry, or with settings both
// within it and beside it.
nav_status proto_body_end(proto_body *body, nav_geometry *out, nav_error *err);
// After proto_body_end: the settings that were sent, as text (NULL: none; borrowed), the format of
// the geometry, and proto_geometry_to_mesh of it.
const char *proto_body_config(const proto_body *body);
proto_format proto_body_format(const proto_body *body);
void proto_body_to_mesh(proto_body *body, nav_coordinates coordinates);
void proto_body_destroy(proto_body *body); // NULL is harmless

// The packed form: the same triangles always give the same bytes, whatever format they came in.
size_t proto_geometry_packed_size(const nav_geometry *geometry);
void proto_geometry_pack(const nav_geometry *geometry, void *out);

// ---------------------------------------------------------------------------------------------------
// Settings

// Values of the `config` of an upload, and of settings as proto_write_config writes them, which may
// be more, since every member is written.
#define PROTO_CONFIG_SENT_VALUES_MAX 1000000
#define PROTO_CONFIG_VALUES_MAX 2500000

// Reads a `config` object over the settings already in *config. Lists are not merged: what is not
// given is empty. Arrays and names come from memory and live as long as it. Positions in *config
// are the mesh's, Y up, whatever the coordinates of the text. Errors: PROTO_BAD_JSON,
// PROTO_UNKNOWN_FIELD, NAV_INVALID_FIELD (at = "agent.radius", "volumes[3].points[1]"),
// NAV_NO_MEMORY.
nav_status proto_config_read(const char *json, size_t size_bytes, nav_arena *memory,
                             nav_config *config, nav_error *err);
// One query-string override of a scalar. *known tells whether key is a setting at all; if not,
// NAV_OK and untouched. Of `coordinates` the lists already read know nothing.
nav_status proto_config_argument(const proto_arg *arg, nav_config *config, bool *known,
                                 nav_error *err);
// Every setting, defaults filled in, always in the same order and form.
void proto_write_config(proto_writer *w, const nav_config *config);
// The names of the settings that differ, as "cell_size, links"; nothing where none does. Errors:
// NAV_NO_MEMORY.
nav_status proto_config_compare(const nav_config *a, const nav_config *b, proto_writer *names,
                                nav_error *err);

// ---------------------------------------------------------------------------------------------------
// Requests: the same struct from a JSON body or from query arguments.

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

// A shape to avoid, in the coordinates of the request. What its kind does not have is 0.
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

// What every question has in common; each request begins with it. Lists and texts come from memory
// and live as long as it.
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
nav_status proto_request_args(const proto_kind *kind, const proto_arg *args, size_t arg_count,
                              nav_arena *memory, void *out, nav_error *err);
// The most that the struct of any kind takes, with what is kept beside it while it is read.
#define PROTO_REQUEST_BYTES_MAX 512

extern const proto_kind PROTO_PATH;
typedef struct proto_path_request {
    proto_common common;
    float start[3], end[3];
    nav_search search;
    uint32_t max_nodes;   // 0: no limit
    uint32_t deadline_ms; // 0: none
    bool partial;         // lead to the closest reachable spot where the end cannot be reached
    uint32_t details;     // PROTO_DETAIL_*
    const char *id;       // JSON text of what it was called; NULL: nothing. In batches only
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

// The packed form of the same (application/vnd.navmeshd.paths, layout in proto/README.md). Errors:
// NAV_INVALID_FIELD (at = "magic"), PROTO_BATCH_TOO_LARGE, NAV_NO_MEMORY.
nav_status proto_paths_read_packed(const void *bytes, size_t size_bytes, nav_arena *memory,
                                   proto_paths_request *out, nav_error *err);

// The packed answers, built up query by query in any order.
typedef struct proto_packed_paths {
    proto_writer *w;
    uint32_t count, point_count;
} proto_packed_paths;

void proto_packed_paths_begin(proto_packed_paths *answers, proto_writer *w, uint32_t version,
                              uint32_t count);
void proto_packed_paths_put(proto_packed_paths *answers, uint32_t index, const nav_path *path);
void proto_packed_paths_end(proto_packed_paths *answers);

extern const proto_kind PROTO_NEAREST;
typedef struct proto_nearest_request {
    proto_common common;
    float point[3];
    uint32_t count; // 1 to PROTO_NEAREST_MAX
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
void proto_write_check_results(proto_writer *w, const proto_check_result *results, uint32_t count);

// ---------------------------------------------------------------------------------------------------
// Coordinates: the library knows Y up only. Each turns a point in place; nothing to do for Y_UP.

void proto_to_mesh(nav_coordinates coordinates, float point[3]);
void proto_to_level(nav_coordinates coordinates, float point[3]);
// A box has its corners elsewhere in other coordinates: these keep min below max.
void proto_box_to_mesh(nav_coordinates coordinates, float min[3], float max[3]);
void proto_box_to_level(nav_coordinates coordinates, float min[3], float max[3]);

// ---------------------------------------------------------------------------------------------------
// Replies

// A version as the API shows it. *_json members are texts made by the functions below, kept by the
// store, and copied into replies as they are; NULL shows as null.
typedef struct proto_version {
    const char *mesh;
    uint32_t version;
    const char *state; // queued, baking, ready, failed, cancelled
    bool active;
    const char *created_at; // RFC 3339
    double progress;        // 0 to 1
    const char *stage;      // what a bake is at; NULL where none runs
    uint32_t tiles_done, tiles_total, tiles_reused;
    bool deduplicated; // written only where true
    const char *geometry_json, *config_json, *blob_json, *stats_json, *timings_json, *warnings_json,
        *checks_json, *error_json;
} proto_version;

void proto_write_version(proto_writer *w, const proto_version *version);
void proto_write_geometry_info(proto_writer *w, const uint8_t sha256[32], proto_format format,
                               const nav_geometry *geometry);
void proto_write_blob_info(proto_writer *w, const uint8_t sha256[32], uint64_t bytes,
                           uint64_t stored_bytes);
void proto_write_stats(proto_writer *w, const nav_mesh_stats *stats, const nav_bake_report *report);
void proto_write_timings(proto_writer *w, const nav_bake_report *report, uint64_t store_ns,
                         uint64_t total_ns);
void proto_write_warnings(proto_writer *w, const nav_bake_report *report);
// The RFC 9457 object. request_id may be NULL (a failed bake's `error` member has none).
void proto_write_error(proto_writer *w, const nav_error *err, const char *request_id);
// The answer to one path: alone, or within a batch.
typedef struct proto_path_reply {
    const nav_path *path;
    const char *id;   // JSON text; NULL: not written
    uint32_t details; // PROTO_DETAIL_*: of steps, with the names of mesh; 0: neither is needed
    const nav_mesh *mesh;
    const nav_path_step *steps;
    uint32_t step_count;
} proto_path_reply;

void proto_write_path(proto_writer *w, const char *mesh, uint32_t version,
                      const proto_path_reply *reply);
// One element of a batch's results.
void proto_write_path_result(proto_writer *w, const proto_path_reply *reply);
// {"mesh":...,"version":..., the beginning of every answer; the caller ends the object.
void proto_write_answer_begin(proto_writer *w, const char *mesh, uint32_t version);
// All there is to say where a question's deadline came before its answer.
void proto_write_late(proto_writer *w, const char *mesh, uint32_t version);
void proto_write_raycast(proto_writer *w, const char *mesh, uint32_t version, const nav_ray *ray);
void proto_write_move(proto_writer *w, const char *mesh, uint32_t version, const nav_move *move);
void proto_write_wall(proto_writer *w, const char *mesh, uint32_t version, const nav_wall *wall);
void proto_write_floors(proto_writer *w, const char *mesh, uint32_t version, const nav_mesh *nav,
                        const nav_location *floors, uint32_t count);
void proto_write_trace(proto_writer *w, const char *mesh, uint32_t version,
                       const proto_trace_request *asked, const nav_trace *trace);
// `matrix` has sources_found and targets_found.
void proto_write_matrix(proto_writer *w, const char *mesh, uint32_t version,
                        const nav_matrix_request *asked, const nav_matrix *matrix);
void proto_write_flood(proto_writer *w, const char *mesh, uint32_t version, const nav_mesh *nav,
                       const nav_flood_polygon *polygons, const nav_flood *flood);
void proto_write_reachable(proto_writer *w, const char *mesh, uint32_t version,
                           const bool *reachable, uint32_t count);
void proto_write_nearest(proto_writer *w, const char *mesh, uint32_t version, const nav_mesh *nav,
                         const nav_location *locations, uint32_t count);
void proto_write_random(proto_writer *w, const char *mesh, uint32_t version, const nav_mesh *nav,
                        uint32_t seed, const nav_location *locations, uint32_t count);
// Two versions side by side. Boxes are the mesh's; each side's positions are turned by the writer.
typedef struct proto_diff_tile {
    uint32_t x, z;
    float min[3], max[3];
} proto_diff_tile;

typedef enum proto_diff_kind {
    PROTO_DIFF_CHANGED,
    PROTO_DIFF_ADDED,
    PROTO_DIFF_REMOVED,
    PROTO_DIFF_KINDS
} proto_diff_kind;

// Lists hold the first PROTO_DIFF_LISTED_MAX entries, counts hold all.
#define PROTO_DIFF_LISTED_MAX 10000u

typedef struct proto_diff {
    const char *mesh;
    uint32_t from, to;
    bool geometry_changed, config_changed;
    nav_mesh_stats before, after;
    uint32_t tiles_before, tiles_after, tiles_unchanged;
    const proto_diff_tile *tiles[PROTO_DIFF_KINDS];
    uint32_t tile_counts[PROTO_DIFF_KINDS];
    const nav_island_change *islands;
    uint32_t island_count;
} proto_diff;

void proto_write_diff(proto_writer *w, const proto_diff *diff);
// A top-down picture: polygons coloured by area, walls, and the path where there is one (else
// NULL).
void proto_write_svg(proto_writer *w, const nav_mesh *mesh, uint32_t width_px,
                     const nav_path *path);
