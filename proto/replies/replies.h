// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// replies.h: results as JSON, and as a picture. Each function writes one value into a writer of the
// caller's, which reports at its end whether there was memory for all of them. Any thread, a writer
// each.

#pragma once

#include "proto/requests/instances.h"

// Types of geometry/parts.h, detour/detour.h and settings/sanity.h.
typedef struct proto_parts proto_parts;
typedef struct proto_detour_numbers proto_detour_numbers;
typedef struct proto_level proto_level;

// A version as the API shows it. *_json members are texts made by the functions below, kept by the
// store, and copied into replies as they are; NULL shows as null.
typedef struct proto_version {
    const char *mesh;
    uint32_t version;
    const char *state; // queued, baking, ready, failed, cancelled
    bool active;
    const char *created_at; // RFC 3339; NULL: it is not known
    double progress;        // 0 to 1
    const char *stage;      // what a bake is at; NULL where none runs
    uint32_t tiles_done, tiles_total, tiles_reused;
    bool deduplicated; // written only where true
    const char *geometry_json, *config_json, *blob_json, *stats_json, *timings_json, *warnings_json,
        *checks_json, *agents_json, *error_json;
} proto_version;

void proto_write_version(proto_writer *w, const proto_version *version);
// The texts of its members. sha256 is that of the packed geometry, or of the tiles; the stored
// bytes are those after compression; times are nanoseconds and shown as milliseconds. format: its
// word; parts: those that the geometry is made of, or NULL.
void proto_write_geometry_info(proto_writer *w, const uint8_t sha256[32], const char *format,
                               const nav_geometry *geometry, const proto_parts *parts);
// The same of a file of tiles, which has no triangles; sha256 is that of its bytes.
void proto_write_source_info(proto_writer *w, const uint8_t sha256[32], const char *format,
                             const proto_detour_numbers *numbers);
void proto_write_blob_info(proto_writer *w, const uint8_t sha256[32], uint64_t bytes,
                           uint64_t stored_bytes);
void proto_write_stats(proto_writer *w, const nav_mesh_stats *stats, const nav_bake_report *report);
void proto_write_timings(proto_writer *w, const nav_bake_report *report, uint64_t store_ns,
                         uint64_t total_ns);
// Both lists in one: oddities of the level (NULL: they are not reported) and warnings of the bake
// (NULL: it has not begun).
void proto_write_warnings(proto_writer *w, const proto_level *level, const nav_bake_report *report);
// Adds those of such a list, as text (NULL: none), that a reader of levels gave, to out (by
// proto_read_warning). Elements that are not as they were written are left out.
void proto_read_warnings(const char *json, nav_warning *out);
// The RFC 9457 object. request_id may be NULL (a failed bake's `error` member has none).
void proto_write_error(proto_writer *w, const nav_error *err, const char *request_id);
// The same, open for more members.
void proto_write_error_open(proto_writer *w, const nav_error *err, const char *request_id);

// Ground for a point that is off the mesh, both in the mesh's coordinates.
typedef struct proto_nearby {
    float point[3];
    nav_location place;
} proto_nearby;

// The islands that the ends of an unreachable path lie on.
typedef struct proto_islands {
    nav_gap gap;
    bool has_sizes;
    uint32_t polygons[2];
    double areas[2];
} proto_islands;

// The form of an answer to many questions.
typedef enum proto_packed {
    PROTO_PACKED_NOT,
    PROTO_PACKED_PATHS,
    PROTO_PACKED_BATCH, // a result begins with what was asked, and the instance's revision
} proto_packed;

// The beginning of every answer.
typedef struct proto_answer_head {
    const char *mesh; // as in the URL; NULL: a result of a batch, which names neither
    uint32_t version;
    const char *id;             // JSON text, of a query in a batch; NULL: not written
    const char *instance;       // that was asked; NULL: none
    uint32_t revision;          // of the instance
    proto_packed packed;        // a result in binary
    proto_asked asked;          // of a packed one
    const proto_nearby *nearby; // of an answer that has none, being asked off the mesh; or NULL
} proto_answer_head;

// The answer to a packed batch: begin leaves room for the records of paths, or for where each
// result begins; join appends a result that was written elsewhere with the same `packed`, each
// index once, in any order. revision: of the instance that all paths were asked in; 0: none. w
// belongs to the caller, who checks its `failed` at the end.
void proto_packed_begin(proto_writer *w, proto_packed packed, uint32_t version, uint32_t revision,
                        uint32_t count);
void proto_packed_join(proto_writer *w, proto_packed packed, uint32_t index, const void *result,
                       size_t size_bytes);

// The answer to one path.
typedef struct proto_path_reply {
    const nav_path *path;
    bool has_clearance; // one was asked for: the path's is reported
    uint32_t details;   // PROTO_DETAIL_*: of steps, with the names of mesh; 0: neither is needed
    const nav_mesh *mesh;
    const nav_overlay *overlay; // NULL, or the state that was asked in: its links have names, too
    const nav_path_step *steps;
    uint32_t step_count;
    // Blockers of the path (NULL: none), and the ids of the shapes of the state that was asked in.
    // The question's own come behind them.
    const nav_path_blockers *blockers;
    const proto_islands *islands;     // NULL: not reported
    const nav_expansions *expansions; // likewise
    const char *const *state_shape_ids;
    uint32_t state_shape_count;
} proto_path_reply;

void proto_write_path(proto_writer *w, const proto_answer_head *head,
                      const proto_path_reply *reply);
// {"mesh":...,"version":..., or {"id":...; the caller ends the object.
void proto_write_answer_begin(proto_writer *w, const proto_answer_head *head);
// The answer of a question whose deadline was exceeded.
void proto_write_deadline_exceeded(proto_writer *w, const proto_answer_head *head);
// One whole answer each. `nav` is the mesh that was asked; positions are turned into the writer's
// coordinates.
void proto_write_raycast(proto_writer *w, const proto_answer_head *head, const nav_ray *ray);
void proto_write_move(proto_writer *w, const proto_answer_head *head, const nav_move *move);
void proto_write_wall(proto_writer *w, const proto_answer_head *head, const nav_wall *wall);
void proto_write_floors(proto_writer *w, const proto_answer_head *head, const nav_mesh *nav,
                        const nav_location *floors, uint32_t count);
void proto_write_trace(proto_writer *w, const proto_answer_head *head,
                       const proto_trace_request *asked, const nav_trace *trace);
// `matrix` has sources_found and targets_found.
void proto_write_matrix(proto_writer *w, const proto_answer_head *head,
                        const nav_matrix_request *asked, const nav_matrix *matrix);
void proto_write_flood(proto_writer *w, const proto_answer_head *head, const nav_mesh *nav,
                       const nav_flood_polygon *polygons, const nav_flood *flood);
void proto_write_reachable(proto_writer *w, const proto_answer_head *head, const bool *reachable,
                           uint32_t count);
void proto_write_nearest(proto_writer *w, const proto_answer_head *head, const nav_mesh *nav,
                         const nav_location *locations, uint32_t count);
void proto_write_random(proto_writer *w, const proto_answer_head *head, const nav_mesh *nav,
                        uint32_t seed, const nav_location *locations, uint32_t count);
// An instance as the API shows it.
typedef struct proto_instance {
    const char *mesh, *name;
    uint32_t revision;
    uint32_t version; // that it is placed over; 0: none is live
    bool pinned;
    double expires_in_s;    // as it was sent; 0: never
    const char *expires_at; // RFC 3339; NULL: never
} proto_instance;

// {"mesh":...,"version":...,"instance":...,"revision":..., and the rest; the caller ends the
// object.
void proto_write_instance_begin(proto_writer *w, const proto_instance *instance);
// The members of a state, or of a change, of which those that it does not have are left out.
void proto_write_state(proto_writer *w, const proto_state *state, bool is_change);
// Whether an earlier path still holds. `asked` has its points.
void proto_write_valid(proto_writer *w, const proto_answer_head *head,
                       const proto_valid_request *asked, const nav_trace *trace);
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

// A setting of an agent as an upload names it: agent.radius, or agents.rat.radius of the one named
// so.
nav_error_place proto_agent_setting(const char *agent, const char *member);

// Facts of a place that somebody asks about. All of it is the mesh's: metres, Y up.
typedef struct proto_place_facts {
    const nav_config *config; // of the agent that asks
    const nav_geometry *geometry;
    const nav_grid *grid;
    const nav_mesh *mesh; // of the agent
    const char *agent;    // its name; NULL: the default one
    float point[3];       // as it was asked
    uint32_t tile_x, tile_z;
    const nav_column_facts *column;
    uint32_t floor;     // of the column, the one that is meant; NAV_NONE: it has none
    nav_location place; // on the mesh at that floor; its polygon is NAV_NONE where there is none
    bool is_open;       // in the state that was asked
    uint32_t closed_switch; // of the mesh, that closes it; NAV_NONE: none does
    nav_wall wall;          // nearest to the place
    uint32_t island_polygons;
    double island_area; // of the component that it lies on
} proto_place_facts;

// Why there is no mesh at the place, as a word; NULL: there is, and it is open.
const char *proto_place_reason(const proto_place_facts *facts);
// One sentence about it, for people, in the level's unit; where that is no metre, lengths are
// reported in both, and settings in metres. Cut where there is no room.
#define PROTO_SENTENCE_BYTES 512
void proto_place_say(const proto_place_facts *facts, nav_coordinates coordinates,
                     char out[PROTO_SENTENCE_BYTES]);
// Triangles and floors that an answer lists, those nearest to what is meant; it says how many there
// are.
#define PROTO_EXPLAIN_TRIANGLES_MAX 64u
#define PROTO_EXPLAIN_FLOORS_MAX 64u
void proto_write_place(proto_writer *w, const proto_answer_head *head,
                       const proto_place_facts *facts);

// Why a setting was not tried that might join two islands.
typedef enum proto_untried {
    PROTO_TRIED,
    PROTO_UNTRIED_OWN_HEIGHT, // explain_path.c has each in words
    PROTO_UNTRIED_TOO_WIDE,
    PROTO_UNTRIED_REFUSED // such settings, or a bake with them
} proto_untried;

typedef struct proto_change {
    nav_error_place setting; // empty: none
    bool is_length;          // metres
    double from, value;
} proto_change;

// One or two settings that were changed in a trial bake, or why there was none.
typedef struct proto_trial {
    proto_change changes[2];
    proto_untried untried;
    bool joined;
    bool just_fits; // a step nearer to the present value joins nothing
} proto_trial;
#define PROTO_TRIALS_MAX 6u // bakes
#define PROTO_CANDIDATES_MAX 13u

// An end of a path that is farther from the height that was asked than the agent climbs.
typedef struct proto_put {
    float off;                      // how far above (below: negative) it was put; 0: it is there
    const proto_place_facts *asked; // where no mesh is at the place asked: why; else NULL
} proto_put;

// Facts of the path between two places. All of it is the mesh's.
typedef struct proto_no_path {
    const nav_mesh *mesh;
    nav_path_status status;
    nav_path_reason reason;
    float start[3], end[3];         // as snapped; as asked where they are off the mesh
    const proto_islands *islands;   // of what is unreachable; NULL: they are not two
    proto_put put[2];               // the start and the end
    const proto_place_facts *place; // that lies between, or the end that is off the mesh; or NULL
    float step; // at the place, towards the end; negative: down; 0: the place itself is amiss
    nav_path_blockers blockers;
    const char *const *shape_ids; // of the state that was asked
    uint32_t shape_count;
    const proto_trial *trials; // also those left out; the last that joined them is suggested
    uint32_t trial_count;
} proto_no_path;

#define PROTO_NO_PATH_BYTES 3072
void proto_no_path_say(const proto_no_path *facts, nav_coordinates coordinates,
                       char out[PROTO_NO_PATH_BYTES]);
void proto_write_why(proto_writer *w, const proto_answer_head *head, const proto_no_path *facts);

// Results of a bake's stages for a tile, and the regions of its polygons in a mesh: of those from
// polygon_first on, NAV_NONE: not known.
typedef struct proto_tile_reply {
    uint32_t x, z;
    float min[3], max[3]; // its cells in plan view, over the height of the level
    const nav_tile_facts *facts;
    uint32_t polygon_first, polygon_count;
    const uint32_t *regions;
} proto_tile_reply;

void proto_write_tile_stages(proto_writer *w, const proto_answer_head *head,
                             const proto_tile_reply *tile);

// Warnings and failed checks of a version as lines for people at a terminal. Zeroed but for prefix,
// which begins each line.
typedef struct proto_lines {
    const char *prefix;
    proto_writer text; // to be freed, also after an error
    uint32_t failed_checks, warnings;
    const char *agent; // the further agent whose warnings are being written
} proto_lines;

// From the texts that a version's object has; NULL: none. agents_json: those of further agents,
// whose warnings follow. Errors: PROTO_BAD_JSON and kin, where they are not as they were written;
// NAV_NO_MEMORY.
nav_status proto_lines_write(proto_lines *lines, const char *checks_json, const char *warnings_json,
                             const char *agents_json, nav_error *err);
