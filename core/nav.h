// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// nav.h: the navmesh library, whole. This header is the manual.
//
//   triangles --nav_bake_plan, nav_bake_tile--> blobs --nav_mesh_create--> mesh --nav_query_*-->
//   answers
//
// The library does no I/O, starts no threads, reads no clock and keeps no globals. The same input
// gives the same bytes on every machine. World coordinates are float triples x, y, z: Y up, metres
// by default, right-handed. "Plan view" is the (x, z) plane. Counts and indices are 32 bits wide;
// NAV_NONE stands for "no index". The header compiles as C17 and as C++.
//
// Errors. Bad input, lack of memory and a cancel come back as a nav_status, with the particulars in
// a nav_error; outputs are then untouched unless the function says otherwise. A bug of the library
// ends the process in NAV_ASSERT. Every nav_error pointer may be NULL.
//
// Memory. Pointers in arguments are borrowed for the call. Results live in the arena or the scratch
// that the function names, or in buffers of the caller with a capacity.
//
// Threads. A nav_mesh is immutable and may be queried from any number of threads. An arena and a
// scratch belong to one thread at a time. Unless said otherwise a function may be called from any
// thread that owns its arguments.
//
// From triangles to a path, each step with its declaration below:
//
//   1. nav_config_default, nav_config_check    settings: fill them in, have them checked
//   2. nav_bake_plan                           checks the geometry, lays the grid
//   3. nav_bake_index, nav_bake_tile           each tile on any thread, with arenas of its own
//   4. nav_mesh_create                         copies what it needs: the blobs may go
//   5. nav_landmarks_make, nav_mesh_add_landmarks    optional, before the mesh is shared
//   6. nav_scratch_create, nav_options_default, nav_options_check, nav_query_path
//   7. nav_scratch_destroy, nav_mesh_release
//
// As a program, errors left out:
//
//   nav_geometry level = {.vertices = xyz, .triangles = abc,
//                         .vertex_count = n, .triangle_count = m};
//   nav_config config = nav_config_default();
//   nav_grid grid;
//   nav_arena scratch, result;
//   nav_blob tile;
//   config.tile_cells = 0; // one tile
//   nav_arena_init(&scratch, NULL, 0);
//   nav_arena_init(&result, NULL, 0);
//   nav_config_check(&config, NULL);
//   nav_bake_plan(&level, &config, 0, &grid, NULL);
//   nav_bake_tile(&level, &config, &grid, NULL, 0, 0, NULL, &scratch, &result, &tile, NULL, NULL);
//   nav_mesh *mesh;
//   nav_scratch *search;
//   nav_mesh_create(&tile, 1, &config, NULL, &mesh, NULL, NULL);
//   nav_scratch_create(NULL, &search);
//   nav_path_request request = {.start = {1, 0, 1}, .end = {9, 0, 9},
//                               .options = nav_options_default()};
//   nav_path path;
//   nav_query_path(mesh, search, &request, &path); // path.points, path.point_count
//
// Parts: status and errors, memory, SHA-256, input of a bake, bake, mesh, queries, comparison.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// "No index": of a polygon, a vertex, a link.
#define NAV_NONE UINT32_MAX

// ---------------------------------------------------------------------------------------------------
// Status and errors

// How a call ended. The library returns one of these; a program around it may count on from
// NAV_STATUS_COUNT with statuses of its own, return them from its hooks and keep them in a
// nav_error.
enum nav_status_value {
    NAV_OK,
    NAV_INVALID_FIELD,       // a setting or parameter has a value that is not allowed
    NAV_VERTEX_NOT_FINITE,   // a coordinate is not a finite number
    NAV_VERTEX_OUT_OF_RANGE, // a coordinate is further out than NAV_COORDINATE_MAX
    NAV_INDEX_OUT_OF_RANGE,  // a triangle names a vertex that is not there
    NAV_GEOMETRY_TOO_LARGE,  // the geometry has more elements than the library counts
    NAV_GRID_TOO_LARGE,      // the voxel grid would be too large; suggest_cell_size would fit
    NAV_TILE_TOO_COMPLEX,    // a tile is more than the bake can hold
    NAV_MESH_EMPTY,          // nothing in the geometry can be walked on
    NAV_BAD_BLOB,            // the bytes are not a valid tile
    NAV_CANCELLED,           // the cancel hook said so
    NAV_NO_MEMORY,           // the allocator gave none, or an arena is at its limit
    NAV_STATUS_COUNT
};
typedef int nav_status;

// Particulars of a failure, for a person and for a program. Zero-initialise; empty strings mean
// "does not apply".
typedef struct nav_error {
    nav_status status;
    char detail[256];         // one plain sentence: what happened, what to do
    char at[96];              // where, e.g. "vertices[17].y"
    char got[64];             // the offending value as text
    bool got_is_text;         // it was sent as text, even where it reads like a number
    char limit[64];           // the bound that it broke, as text
    char suggest[64];         // the name that was probably meant
    double suggest_cell_size; // with NAV_GRID_TOO_LARGE: a cell size that would fit; else 0
} nav_error;

// The place of an error: nav_at("vertices[%u].y", i).text, of which nav_error.at has the beginning.
typedef struct nav_error_place {
    char text[160];
} nav_error_place;

nav_error_place nav_at(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Fills err (which may be NULL) with status and a formatted detail, clears its other fields and
// returns status, so that a function can `return nav_fail(err, NAV_BAD_BLOB, "...", ...)`.
nav_status nav_fail(nav_error *err, nav_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The same at a place, e.g. "agent.radius".
nav_status nav_fail_at(nav_error *err, nav_status status, const char *at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// The same where a number breaks its bound: both are particulars of the error as well.
nav_status nav_fail_bound(nav_error *err, nav_status status, const char *at, uint64_t got,
                          uint64_t limit, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

// A step of a chain: called only where the steps before it succeeded; its result is the new status.
#define NAV_IF_OK(status, step)                                                                    \
    do {                                                                                           \
        if ((status) == NAV_OK) {                                                                  \
            (status) = (step);                                                                     \
        }                                                                                          \
    } while (0)

// Add the particulars to an error that nav_fail has filled, printf-formatted; err may be NULL. This
// one: the place, e.g. "vertices[17].y".
void nav_error_at(nav_error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The offending value.
void nav_error_got(nav_error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The bound that it broke.
void nav_error_limit(nav_error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The name that was probably meant.
void nav_error_suggest(nav_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Prints the condition with its place to standard error and ends the process. NAV_ASSERT calls it,
// never for bad input.
void nav_assert_failed(const char *condition, const char *file, int line) __attribute__((noreturn));

// NAV_ASSERT states what only a bug of the library can break; it is on in every build. NAV_DCHECK
// is for costly checks: on where NAV_DEBUG is defined, else its condition is not evaluated.
#define NAV_ASSERT(condition)                                                                      \
    ((condition) ? (void)0 : nav_assert_failed(#condition, __FILE__, __LINE__))
#ifdef NAV_DEBUG
#define NAV_DCHECK(condition) NAV_ASSERT(condition)
#else
#define NAV_DCHECK(condition) ((void)0)
#endif

// ---------------------------------------------------------------------------------------------------
// Memory

// Source of memory blocks. alloc returns a block aligned for any type, or NULL when there is none;
// free gets the size that alloc was called with. Both are called on the thread that owns the arena,
// the scratch or the mesh only.
typedef struct nav_allocator {
    void *(*alloc)(void *user, size_t size_bytes);
    void (*free)(void *user, void *block, size_t size_bytes);
    void *user;
} nav_allocator;

// Result: malloc and free.
nav_allocator nav_allocator_default(void);

typedef struct nav_arena_block nav_arena_block;

// A bump allocator: everything taken from it is given back at once. Memory is aligned to 16 bytes
// and not cleared. Its fields are private to base/arena.c, except the byte counts and at_limit,
// which may be read.
typedef struct nav_arena {
    nav_allocator allocator;
    struct nav_arena *parent; // counts the bytes that this one holds, too; or NULL
    nav_arena_block *block;   // the newest block, from which memory is taken
    size_t limit_bytes;       // never hold more than this
    size_t held_bytes;        // taken from the allocator now
    size_t peak_bytes;        // the most that was ever held
    bool at_limit;            // an allocation has failed at the limit, not for want of memory
} nav_arena;

// A point in an arena's life to which nav_arena_restore rolls it back.
typedef struct nav_arena_mark {
    nav_arena_block *block;
    size_t used_bytes;
} nav_arena_mark;

// Makes an arena that holds nothing yet. allocator NULL: the default one; it is copied.
// limit_bytes: the most that the arena may hold, 0: no limit. Never fails.
void nav_arena_init(nav_arena *arena, const nav_allocator *allocator, size_t limit_bytes);
// An arena whose bytes count against its parent's limit and peak. Free it before the parent.
void nav_arena_init_child(nav_arena *arena, nav_arena *parent);
// Gives everything back. The arena may be used again. Harmless on a zeroed arena.
void nav_arena_free(nav_arena *arena);
// count * size bytes, or NULL if that overflows, passes the limit or cannot be had. Never NULL for
// 0.
void *nav_arena_alloc(nav_arena *arena, size_t count, size_t size_bytes);
// The same, filled with zeros.
void *nav_arena_alloc_zero(nav_arena *arena, size_t count, size_t size_bytes);
// Makes room for new_count elements, keeping the old_count that are there: in place where old is
// the newest allocation, else by copying. old may be NULL when old_count is 0. NULL as for alloc.
void *nav_arena_grow(nav_arena *arena, void *old, size_t old_count, size_t new_count,
                     size_t size_bytes);
// The same for a child arena that holds nothing else: after a copy the old array is given back. old
// may be NULL.
void *nav_arena_regrow(nav_arena *arena, void *old, size_t old_count, size_t new_count,
                       size_t size_bytes);
// Result: the arena's present state, valid until something older is given back.
nav_arena_mark nav_arena_save(const nav_arena *arena);
// Gives back everything taken since the mark was saved; one block is kept for reuse.
void nav_arena_restore(nav_arena *arena, nav_arena_mark mark);
// Gives everything back, but keeps as much room as was held, in one block: the same allocations fit
// again without a call of the allocator.
void nav_arena_reset(nav_arena *arena);

// Arrays of a type from an arena; NULL as for nav_arena_alloc.
#define NAV_NEW(arena, type, count) ((type *)nav_arena_alloc((arena), (count), sizeof(type)))
#define NAV_NEW_ZERO(arena, type, count)                                                           \
    ((type *)nav_arena_alloc_zero((arena), (count), sizeof(type)))

// ---------------------------------------------------------------------------------------------------
// SHA-256 (FIPS 180-4): the name of a geometry, of a tile, of a version.

// A hash in the making. Its fields are private.
typedef struct nav_sha256 {
    uint32_t state[8];
    uint64_t size_bytes;
    uint8_t block[64];
} nav_sha256;

// Begins a hash.
void nav_sha256_init(nav_sha256 *hash);
// Adds bytes to it, in pieces of any size; bytes may be NULL where size_bytes is 0.
void nav_sha256_add(nav_sha256 *hash, const void *bytes, size_t size_bytes);
// Ends it: the digest of all bytes added. The hash must be begun anew before its next use.
void nav_sha256_end(nav_sha256 *hash, uint8_t digest[32]);
// All of it for bytes that are there whole.
void nav_sha256_of(const void *bytes, size_t size_bytes, uint8_t digest[32]);
// The digest as text: 64 lower-case hexadecimal digits and a terminating zero.
void nav_sha256_hex(const uint8_t digest[32], char hex[65]);

// ---------------------------------------------------------------------------------------------------
// Input of a bake

// Area 0 cannot be walked; area 1 is the default. Other numbers are the caller's.
#define NAV_AREA_NONE 0
#define NAV_AREA_GROUND 1

// |coordinate| may be at most this; beyond it neighbouring floats lie farther apart than a voxel.
#define NAV_COORDINATE_MAX 1000000.0f
#define NAV_VERTICES_MAX 50000000u
#define NAV_TRIANGLES_MAX 50000000u

// The caller's hooks into long work: its clock, its cancel, its progress. Defined below.
typedef struct nav_bake_hooks nav_bake_hooks;

// A triangle soup. Counter-clockwise triangles seen from above face up. Borrowed: the caller keeps
// it.
typedef struct nav_geometry {
    const float *vertices;         // 3 * vertex_count
    const uint32_t *triangles;     // 3 * triangle_count indices
    const uint8_t *triangle_areas; // triangle_count areas below NAV_AREAS_MAX, or NULL: by material
    const uint16_t *triangle_materials; // triangle_count indices into material_names, or NULL: none
    const char *const *material_names;  // material_count names, "" for triangles without one
    uint32_t vertex_count;
    uint32_t triangle_count;
    uint32_t material_count;
} nav_geometry;

// Checks counts, coordinates, indices and areas of a geometry whose arrays have the given lengths;
// their values may be anything. Errors, which name the vertex or triangle: NAV_MESH_EMPTY (no
// triangles), NAV_VERTEX_NOT_FINITE, NAV_VERTEX_OUT_OF_RANGE, NAV_INDEX_OUT_OF_RANGE,
// NAV_INVALID_FIELD (an area from NAV_AREAS_MAX on), NAV_GEOMETRY_TOO_LARGE.
nav_status nav_geometry_check(const nav_geometry *geometry, nav_error *err);
// Cancellable variant: polls hooks->cancelled (hooks may be NULL). Errors: also NAV_CANCELLED.
nav_status nav_geometry_check_until(const nav_geometry *geometry, const nav_bake_hooks *hooks,
                                    nav_error *err);
// The same for a level in another unit, before it is scaled: coordinate_max, in that unit, is the
// bound of coordinates instead of NAV_COORDINATE_MAX.
nav_status nav_geometry_check_within(const nav_geometry *geometry, float coordinate_max,
                                     const nav_bake_hooks *hooks, nav_error *err);

// Whether a face of count + 2 corners is covered by its fan: the triangles of its first corner, in
// their order. So are convex faces; of others nav_face_cut makes other triangles. vertices: as of a
// geometry that has passed nav_geometry_check. Takes some ten nanoseconds a triangle. Thread: any.
bool nav_face_is_fan(const float *vertices, const uint32_t (*fan)[3], uint32_t count);
// Cuts such a face anew, in place, as seen against its normal. *whole is false where the face
// crosses itself too badly for all triangles to be found: the last ones are then without surface.
// Polls hooks->cancelled (hooks may be NULL) each few ms. *work: the most that it may cost, in
// edges that are looked at, and then what is left of that. scratch is the caller's to give back.
// Errors: NAV_NO_MEMORY, NAV_CANCELLED (also where *work is spent); *whole is then false, and the
// triangles are the fan's, or some of the cut. Thread: any.
nav_status nav_face_cut(const float *vertices, uint32_t (*fan)[3], uint32_t count,
                        const nav_bake_hooks *hooks, uint64_t *work, nav_arena *scratch,
                        bool *whole);

// Longest name of an area, a flag or a link, in bytes, and its storage.
#define NAV_NAME_MAX 47
typedef char nav_name[NAV_NAME_MAX + 1];

// Limits of areas and flags.
#define NAV_AREAS_MAX 64 // with "none" and "ground"
#define NAV_FLAGS_MAX 32

// A kind of ground. Areas are numbered by their place in nav_config.areas.
typedef struct nav_area {
    nav_name name;
    float cost;     // of a step of one world unit; above 0
    uint32_t flags; // bit i stands for nav_config.flag_names[i]
    bool liquid;    // voxelized after the filters, so that shallow water keeps its edge
} nav_area;

// Triangles of the material become the area. A material that is not listed is ground, unless an
// area has its very name. Listed in rising order of names (strcmp).
typedef struct nav_material {
    nav_name name;
    uint8_t area;
} nav_material;

// Shapes of volumes.
typedef enum nav_volume_shape {
    NAV_VOLUME_CONVEX,   // points in plan view, from min[1] to max[1]
    NAV_VOLUME_BOX,      // min to max
    NAV_VOLUME_CYLINDER, // standing on min, with radius, up to max[1]
} nav_volume_shape;

// A volume gives its area to the walkable ground inside; NAV_AREA_NONE cuts, and the agent keeps
// its radius from the cut. Later volumes win, but cut ground stays cut, and low passages keep their
// area.
typedef struct nav_volume {
    nav_name id; // for people, who get it from nav_tile_explain's volume; may be empty
    nav_volume_shape shape;
    uint8_t area;
    const float (*points)[2]; // x and z, of the outline, in either winding; it may be concave
    uint32_t point_count;     // 3 to NAV_VOLUME_POINTS_MAX
    float min[3], max[3];
    float radius;
} nav_volume;

// Limits of the settings' lists and of a geometry's materials.
#define NAV_VOLUME_POINTS_MAX 256
#define NAV_VOLUMES_MAX 10000u
#define NAV_LINKS_MAX 100000u
#define NAV_SWITCHES_MAX 4096u // their shapes are at most NAV_VOLUMES_MAX in all
#define NAV_SEEDS_MAX 10000u
#define NAV_MATERIALS_MAX 1000u           // in the settings
#define NAV_GEOMETRY_MATERIALS_MAX 65535u // of one geometry

// Ground that is opened and closed at run time: a gate, a bridge, a trap. It holds the ground that
// its shapes touch, and what is within the agent's radius of that; a place under several switches
// is open only while all of them are. A switch without shapes is there for links. Listed in rising
// order of ids (strcmp), each once.
typedef struct nav_switch {
    nav_name id;              // not empty
    bool closed;              // what it is where nobody says otherwise
    const nav_volume *shapes; // their areas are not read
    uint32_t shape_count;
} nav_switch;

// An off-mesh connection: a jump, a ladder, a teleporter, between any two positions.
typedef struct nav_link {
    float start[3], end[3];
    float radius; // world units in plan view: each end snaps to the mesh within it
    bool bidirectional;
    uint8_t area;   // its cost is the area's cost times the plan distance of its ends,
    bool has_cost;  // or this, whatever filter is asked with
    float cost;     // at least 0
    uint32_t flags; // bits of nav_config.flag_names; 0: those of its area
    nav_name id;
    uint32_t switch_number; // 0: always open; n: as switch n - 1 of nav_config.switches
} nav_link;

// The ground that a query may walk on, and its costs. All zero is the default: everything, at the
// costs of the mesh. An area or link is closed if it has none of the flags in `include` (unless
// that is 0), any of those in `exclude`, or an infinite cost.
typedef struct nav_filter {
    float area_costs[NAV_AREAS_MAX]; // of a step on area i: above 0; 0: the mesh's own
    uint32_t include, exclude;       // bits of nav_config.flag_names
} nav_filter;

// A filter that queries can refer to by name. Listed in rising order of names (strcmp).
typedef struct nav_named_filter {
    nav_name name;
    nav_filter filter;
} nav_named_filter;

#define NAV_FILTERS_MAX 32u // named ones of a mesh

// A further agent that walks the same ground, with a mesh of its own: a rat, a giant.
typedef struct nav_agent {
    nav_name name; // a letter or digit, then letters, digits, '.', '_', '-'; not "default"
    float radius, height, max_climb, max_slope; // as those of nav_config
} nav_agent;

#define NAV_AGENTS_MAX 16u                  // in the settings
#define NAV_ALL_AGENTS (NAV_AGENTS_MAX + 1) // with the one of nav_config itself, "default"

// How the walkable ground is divided into regions.
typedef enum nav_partition {
    NAV_PARTITION_WATERSHED, // the best regions
    NAV_PARTITION_MONOTONE,  // the fastest, long thin regions
    NAV_PARTITION_LAYERS,    // fast, good for small tiles
} nav_partition;

// Which borders of regions edge_max_length cuts.
typedef enum nav_edge_split {
    NAV_EDGE_SPLIT_WALLS, // where the mesh ends
    NAV_EDGE_SPLIT_AREAS, // between two areas
    NAV_EDGE_SPLIT_BOTH,
    NAV_EDGE_SPLIT_NONE,
} nav_edge_split;

// The level's own coordinates: where its axes lie in the mesh, and how long its unit is. The
// library itself knows Y up, right-handed and in metres only, and carries this value for programs
// that convert their input and output.
typedef struct nav_coordinates {
    // The mesh's axis along which each of the level's axes runs: 1 x, 2 y, 3 z; negative: against
    // it. {1, -3, 2}: the level's z is up, and its y runs against the mesh's z.
    int8_t axes[3];
    bool reversed; // triangles face the other way than their corners say
    double scale;  // metres of one unit of the level; 0, to a mesh: nav_coordinates_default
} nav_coordinates;

// Bounds of a scale.
#define NAV_SCALE_MIN 1e-4
#define NAV_SCALE_MAX 1e3

// Result: those of the mesh itself: Y up, right-handed, metres.
nav_coordinates nav_coordinates_default(void);

// Bounds of cell_size.
#define NAV_CELL_SIZE_MIN 1e-6
#define NAV_CELL_SIZE_MAX 1e4

// tile_cells where nav_bake_plan chooses, and the bounds of other values.
#define NAV_TILE_CELLS_AUTO UINT32_MAX
#define NAV_TILE_SIDE_CELLS_MIN 16u
#define NAV_TILE_SIDE_CELLS_MAX 1024u

// Settings of a bake. Start from nav_config_default(); the cookie catches a struct that did not.
// Arrays are borrowed.
typedef struct nav_config {
    uint32_t cookie;
    float cell_size;       // world units: side of a voxel in x and z
    float cell_height;     // world units: height of a voxel
    float agent_radius;    // world units, kept free around walls
    float agent_height;    // world units, headroom needed
    float agent_max_climb; // world units, step that can be taken
    float agent_max_slope; // degrees, 0 <= slope < 90
    nav_partition partition;
    uint32_t tile_cells;           // 0: one tile; N: tiles of N x N cells; or NAV_TILE_CELLS_AUTO
    uint32_t region_min_size;      // cells: islands under this size squared are dropped
    uint32_t region_merge_size;    // cells: regions under this size squared are merged into others
    float edge_max_length;         // world units; 0: any length
    nav_edge_split edge_split;     // which edges it holds for
    float edge_max_error;          // cells
    uint32_t polygon_max_vertices; // 3 to NAV_POLYGON_VERTICES_MAX
    bool detail;                   // build the height detail mesh
    float detail_sample_distance;  // times cell_size; 0 or at least 0.9
    float detail_max_error;        // times cell_height
    bool filter_low_hanging;
    bool filter_ledges;
    bool filter_low_height;
    uint8_t low_height_area; // area of passages too low to stand in, or NAV_AREA_NONE: removed
    float low_height_min;    // world units: headroom that such a passage must have
    bool low_height_single;  // of low spans, only the one right below a valid one
    bool area_median;        // smooth the borders of areas with a median filter
    bool volumes_reach_up;   // volumes take in one cell above their top
    bool has_bounds;         // bake within bounds_min and bounds_max only
    float bounds_min[3], bounds_max[3];
    nav_coordinates coordinates;
    const nav_area *areas; // [0] none, [1] ground; NULL: just these
    uint32_t area_count;
    const nav_name *flag_names;
    uint32_t flag_count;
    const nav_material *materials;
    uint32_t material_count;
    const nav_volume *volumes;
    uint32_t volume_count;
    const nav_switch *switches;
    uint32_t switch_count;
    const nav_link *links;
    uint32_t link_count;
    const float (*seeds)[3]; // only what can be reached from a seed stays in the mesh
    uint32_t seed_count;
    const nav_named_filter *filters; // for queries
    uint32_t filter_count;
    const nav_agent *agents; // further agents, in rising order of names (strcmp)
    uint32_t agent_count;
} nav_config;

// Limits of the settings.
#define NAV_POLYGON_VERTICES_MAX 12
#define NAV_REGION_SIZE_MAX 10000 // cells: region_min_size and region_merge_size

// Result: settings for an agent of a person's size in a level in metres, without lists.
nav_config nav_config_default(void);
// Checks every setting and list; their values may be anything but a wrong cookie, which is a bug of
// the caller. Errors: NAV_INVALID_FIELD; err->at is the setting's name, e.g. "agent.radius".
nav_status nav_config_check(const nav_config *config, nav_error *err);
// The part of that which checks the links: areas, flags and switches are counted, not read.
nav_status nav_config_check_links(const nav_config *config, nav_error *err);
// Result: the settings of one agent alone, which borrow the lists. number: 0 is config's own, n the
// n-th of its agents, which takes the place of the agent_... members. An agent that is no taller
// than low_height_min has no low passages.
nav_config nav_config_of_agent(const nav_config *config, uint32_t number);

// ---------------------------------------------------------------------------------------------------
// Bake

// A level beside its settings, before anything is baked: whether its sizes are those of another
// unit, its ground lies along another axis, its triangles face down, its materials are in no list.
// All of it is a guess from sizes and normals: a warning, not an error. Lengths are world units.
// Medians are those of some thousand triangles, the same ones each time.
typedef struct nav_sanity {
    double scale;       // by which lengths seem to be too long: 0.01 or 0.001; 1: by nothing
    float width;        // of the longer side in plan view
    float edge;         // median of the edges of triangles; 0: too few to say, likewise below
    float step;         // ... of the heights of steps and walls; 0 also where `up` is not y
    float gap;          // ... of the room above ground, up to what is above it; likewise
    double bake_ms;     // roughly, of one thread
    bool is_too_large;  // for its settings: a bake that long is a mistake of its unit
    int8_t up;          // the axis that goes up: 2 is y; 1 x, 3 z, negative: against it
    float up_share;     // of all flat ground, with `up` other than 2
    bool up_is_sided;   // less faces the opposite way
    bool is_reversed;   // ground faces down
    float ground_up;    // share of the ground that faces up as it should: of the places where the
                        // agent has room; with few of those, of what is flat
    uint32_t materials; // that are in no list although settings have some
    uint32_t material;  // the first of them, of geometry->material_names
    uint32_t low_agent; // an agent that is lower than what it climbs, counted from 1; 0: none is
} nav_sanity;

// The geometry must have passed nav_geometry_check and have a triangle, and the settings
// nav_config_check. Fills *out. Takes some ten nanoseconds a triangle, 70 KiB of the stack and no
// other memory. Thread: any.
void nav_geometry_judge(const nav_geometry *geometry, const nav_config *config, nav_sanity *out);

// The voxel grid of a whole world and its division into tiles. All tiles share one origin, so that
// a vertex on the border of two tiles has the same coordinates in both.
typedef struct nav_grid {
    float min[3], max[3]; // world units: bounds of the geometry
    float cell_size, cell_height;
    uint32_t width_cells, depth_cells, height_cells; // x, z, y
    uint32_t tile_cells; // 0: one tile; decided, never NAV_TILE_CELLS_AUTO
    uint32_t tiles_x, tiles_z;
    uint32_t border_cells; // padding of each tile; 0 for one tile
} nav_grid;

// Limits of a grid.
#define NAV_HEIGHT_CELLS_MAX 65000u
#define NAV_GRID_SIDE_CELLS_MAX 1000000u
#define NAV_GRID_TILES_MAX (1u << 22)

// Checks the geometry, places the grid of its bounds and estimates the memory of one tile's bake
// against memory_limit_bytes (0: no limit). config has passed nav_config_check. Tiles are chosen so
// that the bake of all its agents fits; the grid is that of agent 0. Allocates nothing.
// Errors: those of nav_geometry_check; NAV_GRID_TOO_LARGE, with err->suggest_cell_size;
// NAV_MESH_EMPTY (nothing lies within the settings' bounds).
nav_status nav_bake_plan(const nav_geometry *geometry, const nav_config *config,
                         uint64_t memory_limit_bytes, nav_grid *out, nav_error *err);
// Cancellable variant: polls hooks->cancelled (hooks may be NULL) while it goes through all
// vertices once and through all triangles three times. Errors: also NAV_CANCELLED.
nav_status nav_bake_plan_until(const nav_geometry *geometry, const nav_config *config,
                               uint64_t memory_limit_bytes, const nav_bake_hooks *hooks,
                               nav_grid *out, nav_error *err);

// Result: the grid of an agent, from that of agent 0: it differs only in the padding of tiles.
nav_grid nav_grid_of_agent(const nav_grid *grid, const nav_config *config, uint32_t number);
// Result: the grid of the agent with the widest padding. Its index serves all agents.
nav_grid nav_grid_widest(const nav_grid *grid, const nav_config *config);

// The triangles that touch each tile, padding included: tile t = z * tiles_x + x has
// triangles[first[t]] .. triangles[first[t + 1] - 1], rising.
typedef struct nav_tile_index {
    const uint32_t *first;
    const uint32_t *triangles;
    uint32_t border_cells; // of the grid that it was built for
} nav_tile_index;

// Builds the index of a planned grid; its arrays are allocated from result. It has an entry for
// each pair of triangle and tile, so it is large where tiles are small and their padding is wide.
// Polls hooks->cancelled (hooks may be NULL). Errors: NAV_NO_MEMORY, NAV_GEOMETRY_TOO_LARGE,
// NAV_CANCELLED; then result is as it was.
nav_status nav_bake_index(const nav_geometry *geometry, const nav_grid *grid,
                          const nav_bake_hooks *hooks, nav_arena *result, nav_tile_index *out,
                          nav_error *err);

// The stages of a bake, in order: enum and the word used in timings and progress.
#define NAV_STAGE_TABLE(X)                                                                         \
    X(NAV_STAGE_VOXELIZE, "voxelize")                                                              \
    X(NAV_STAGE_FILTER, "filter")                                                                  \
    X(NAV_STAGE_COMPACT, "compact")                                                                \
    X(NAV_STAGE_ERODE, "erode")                                                                    \
    X(NAV_STAGE_AREAS, "areas")                                                                    \
    X(NAV_STAGE_DISTANCE, "distance")                                                              \
    X(NAV_STAGE_REGIONS, "regions")                                                                \
    X(NAV_STAGE_CONTOURS, "contours")                                                              \
    X(NAV_STAGE_POLYGONS, "polygons")                                                              \
    X(NAV_STAGE_DETAIL, "detail")                                                                  \
    X(NAV_STAGE_TILE, "tile")

typedef enum nav_stage {
#define X(name, word) name,
    NAV_STAGE_TABLE(X)
#undef X
    NAV_STAGE_COUNT
} nav_stage;

// Result: the stage's word, a constant.
const char *nav_stage_word(nav_stage stage);

// Hooks of a bake, of a plan, of the making of a mesh and of landmarks. Every member may be NULL.
// They are called on the calling thread only.
struct nav_bake_hooks {
    void *user;                     // first argument of each hook
    uint64_t (*now_ns)(void *user); // a monotonic clock; without it timings are 0
    // True ends the work with NAV_CANCELLED; the hook is not polled again then. It is polled every
    // few milliseconds, so that a cancel takes effect well within 100 ms.
    bool (*cancelled)(void *user);
    void (*stage)(void *user, nav_stage stage); // of a bake: a stage begins
    // Stages are those of this element of the list from here on, in a bake of several agents.
    void (*agent)(void *user, uint32_t agent);
};

// Warnings of a bake. One table: enum and the word in "warnings". The value of an item is: of
// sliver triangles (whose height is less than a thousandth of their longest edge) that edge;
// of removed regions and islands, and of holes that were not merged and so are covered, their area;
// of a failed triangulation how many triangles are missing; of detail how far the worst sample is
// from the surface in height; of a clamped value what the setting of this name became, in its own
// unit; of links and seeds off the mesh how far they are from it. A switch off the mesh has shapes,
// and none of them touches any ground: its position is in the first of them.
#define NAV_WARNING_TABLE(X)                                                                       \
    X(NAV_WARN_DEGENERATE_TRIANGLES, "degenerate_triangles")                                       \
    X(NAV_WARN_SLIVER_TRIANGLES, "sliver_triangles")                                               \
    X(NAV_WARN_REGIONS_REMOVED, "regions_removed")                                                 \
    X(NAV_WARN_HOLE_NOT_MERGED, "hole_not_merged")                                                 \
    X(NAV_WARN_TRIANGULATION_FAILED, "triangulation_failed")                                       \
    X(NAV_WARN_DETAIL_ERROR, "detail_error_not_met")                                               \
    X(NAV_WARN_VALUE_CLAMPED, "value_clamped")                                                     \
    X(NAV_WARN_LINK_OFF_MESH, "link_off_mesh")                                                     \
    X(NAV_WARN_SEED_OFF_MESH, "seed_off_mesh")                                                     \
    X(NAV_WARN_SWITCH_OFF_MESH, "switch_off_mesh")                                                 \
    X(NAV_WARN_ISLAND, "island")                                                                   \
    X(NAV_WARN_ISLAND_REMOVED, "island_removed")

typedef enum nav_warning_code {
#define X(name, word) name,
    NAV_WARNING_TABLE(X)
#undef X
    NAV_WARNING_COUNT
} nav_warning_code;

// Result: the warning's word, a constant.
const char *nav_warning_word(nav_warning_code code);

// Items that are kept of one kind of warning.
#define NAV_WARNING_ITEMS_MAX 64

// One kind of warning: how often, and the first few positions.
typedef struct nav_warning {
    uint32_t count; // 0: did not occur
    uint32_t item_count;
    struct nav_warning_item {
        float position[3]; // world units
        float value;       // a distance, an area, as the table says; 0 where it has none
        nav_name name;     // of the link, the switch or the setting, or ""
    } items[NAV_WARNING_ITEMS_MAX];
} nav_warning;

// Counts a warning and keeps its position (world units), value and name (copied; NULL: none) while
// there is room.
void nav_warning_add(nav_warning *warning, const float position[3], float value, const char *name);

// Numbers of one tile's bake. The caller zeroes it; reports of several tiles can be added up with
// nav_bake_report_add.
typedef struct nav_bake_report {
    uint64_t stage_ns[NAV_STAGE_COUNT];
    uint64_t triangles;             // whose first corner lies in the tile: each counts once
    uint64_t triangles_steep;       // of those, too steep to walk on
    uint64_t spans, walkable_spans; // in the heightfield; in the compact field after erosion
    uint64_t regions, contours, polygons, vertices, detail_triangles;
    double walkable_area; // world units squared, in plan view, of all polygons
    uint64_t peak_bytes;  // of the scratch arena
    nav_warning warnings[NAV_WARNING_COUNT];
} nav_bake_report;

// Adds the numbers and warnings of one to sum; peak_bytes becomes the larger of both.
void nav_bake_report_add(nav_bake_report *sum, const nav_bake_report *one);

// The most bytes that a packed report takes.
#define NAV_BAKE_REPORT_BYTES_MAX                                                                  \
    (90u + NAV_WARNING_COUNT * (6u + NAV_WARNING_ITEMS_MAX * (17u + NAV_NAME_MAX)))
// Writes a report, without its times, as bytes that can be stored beside its tile. Result: how many
// bytes were written.
size_t nav_bake_report_pack(const nav_bake_report *report, uint8_t out[NAV_BAKE_REPORT_BYTES_MAX]);
// Reads them back. Any bytes are safe. Result: false where they are no report of this library; *out
// is then untouched.
bool nav_bake_report_unpack(const void *bytes, size_t size_bytes, nav_bake_report *out);

// A block of bytes with its size: a baked tile.
typedef struct nav_blob {
    const void *bytes;
    size_t size_bytes;
} nav_blob;

// Bakes one tile of a planned grid. scratch holds everything that dies with the bake; the blob is
// allocated from result, which must not be scratch. A tile without polygons is NAV_OK with
// out->size_bytes 0.
// Errors: NAV_CANCELLED, NAV_NO_MEMORY, NAV_TILE_TOO_COMPLEX (among others: scratch at its limit),
// whose err->at is "tile X,Z".
// index NULL: every triangle is looked at. report and err may be NULL. Thread: any; one bake per
// arena.
nav_status nav_bake_tile(const nav_geometry *geometry, const nav_config *config,
                         const nav_grid *grid, const nav_tile_index *index, uint32_t tile_x,
                         uint32_t tile_z, const nav_bake_hooks *hooks, nav_arena *scratch,
                         nav_arena *result, nav_blob *out, nav_bake_report *report, nav_error *err);

// One agent of a bake of several.
typedef struct nav_bake_agent {
    nav_config config;       // nav_config_of_agent
    nav_grid grid;           // nav_grid_of_agent
    nav_bake_report *report; // its own, zeroed; or NULL
    nav_blob blob;           // filled in
} nav_bake_agent;

// Bakes one tile for several agents of the same settings, at most NAV_ALL_AGENTS, and voxelizes its
// triangles once. The blobs are those that nav_bake_tile would make of each, byte for byte. index
// is that of the widest grid among them or of a wider one. The time of what they share is reported
// as that of the first. Errors: those of nav_bake_tile; then no blob is filled in, and result is as
// it was. hooks, index, reports and err may be NULL. Thread: likewise.
nav_status nav_bake_tile_agents(const nav_geometry *geometry, nav_bake_agent *agents,
                                uint32_t count, const nav_tile_index *index, uint32_t tile_x,
                                uint32_t tile_z, const nav_bake_hooks *hooks, nav_arena *scratch,
                                nav_arena *result, nav_error *err);

// The name of the tile that nav_bake_tile would make of the same arguments, found without baking:
// SHA-256 of all that decides the tile's bytes, and of nothing else. Equal keys, equal bytes. The
// order of triangles is no part of it, nor are costs, flags, links, seeds, and geometry beyond the
// tile's padding. Takes 32 bytes a triangle of the tile from scratch and gives them back. Polls
// hooks->cancelled (hooks may be NULL). Errors: NAV_NO_MEMORY, NAV_CANCELLED; key is then
// untouched. Thread: any; one call per arena.
nav_status nav_tile_key(const nav_geometry *geometry, const nav_config *config,
                        const nav_grid *grid, const nav_tile_index *index, uint32_t tile_x,
                        uint32_t tile_z, const nav_bake_hooks *hooks, nav_arena *scratch,
                        uint8_t key[32]);

// ---------------------------------------------------------------------------------------------------
// Why there is, or is no, mesh at a place

// A verdict is the step of the bake that decided about a floor, in order of the stages: enum and
// word. Each floor has one.
#define NAV_VERDICT_TABLE(X)                                                                       \
    X(NAV_VERDICT_KEPT, "walkable")                 /* a polygon of the tile lies there */         \
    X(NAV_VERDICT_AREA_NONE, "area_none")           /* its material or triangles are no ground */  \
    X(NAV_VERDICT_FACES_DOWN, "faces_down")         /* what is on top of it faces down */          \
    X(NAV_VERDICT_TOO_STEEP, "too_steep")           /* ... is steeper than agent_max_slope */      \
    X(NAV_VERDICT_LOW_HEADROOM, "low_headroom")     /* taken by filter_low_height */               \
    X(NAV_VERDICT_LEDGE, "ledge")                   /* taken by filter_ledges */                   \
    X(NAV_VERDICT_UNDER_LIQUID, "under_liquid")     /* a liquid lies over it */                    \
    X(NAV_VERDICT_OUT_OF_BOUNDS, "out_of_bounds")   /* above or below the settings' bounds */      \
    X(NAV_VERDICT_CUT, "cut")                       /* by a volume of area none */                 \
    X(NAV_VERDICT_ERODED, "eroded")                 /* nearer to an edge than agent_radius */      \
    X(NAV_VERDICT_REGION_REMOVED, "region_removed") /* an island under region_min_size */          \
    X(NAV_VERDICT_SIMPLIFIED, "simplified")         /* the simplified outline passes it by */

typedef enum nav_verdict {
#define X(name, word) name,
    NAV_VERDICT_TABLE(X)
#undef X
    NAV_VERDICT_COUNT
} nav_verdict;

// Result: the verdict's word, a constant.
const char *nav_verdict_word(nav_verdict verdict);

// Switches that are reported of one floor.
#define NAV_FLOOR_SWITCHES_MAX 8

// One floor of a column: the top of a solid span, and what each stage found there. Lengths are
// world units; a member that no stage has come to is 0, false or NAV_NONE. Counts of cells as baked
// are in the settings' whole cells: a radius of 0.5 in cells of 0.3 counts as 0.6.
typedef struct nav_floor_facts {
    nav_verdict verdict;
    float bottom, top; // of the span
    float slope;       // degrees, of the flattest top triangle that has an area; 0: none has
    uint8_t area;      // after voxelizing; NAV_AREA_NONE: no ground
    uint8_t area_kept; // in the mesh: after the volumes
    bool is_liquid;
    // filter_low_hanging: made ground, since it can be stepped on from the ground below it.
    bool is_stepped_on;
    // filter_low_height: free room above; infinite under the open sky.
    float headroom;
    bool is_low; // ... which is too little to stand in
    // filter_ledges: the way down to the ground beside, infinite: there is none; or, where the
    // ground beside rises and falls by more than the climb, that difference.
    float ledge_drop, ledge_spread;
    uint32_t volume; // of the settings: that cut it, or the last one that gave it its area
    // Erosion: the distance in plan view to where the walkable ground ends, up to the radius;
    // infinite: farther off. The end is there; at a cut of a volume, or not.
    float edge_distance;
    float edge[3];
    bool edge_is_cut;
    // Regions. cells: of the island that was removed, else of the region.
    uint32_t region, region_cells;
    uint32_t first_region_cells; // of the region that it was in before small ones were merged
    // Switches whose ground it is, of the settings; the first ones.
    uint32_t switch_count, switches[NAV_FLOOR_SWITCHES_MAX];
    // The polygon of the tile that covers the place at this floor, by its number in the tile, and
    // its height there. NAV_NONE: none does, whether or not the floor was taken.
    uint32_t polygon;
    float polygon_height;
} nav_floor_facts;

// A triangle that touches a column.
typedef struct nav_triangle_facts {
    uint32_t triangle; // number in the geometry
    float low, high;   // heights that it reaches there
    float slope;       // degrees from level; over 90: it faces down
    bool is_steep;     // over agent_max_slope, and facing up
    uint8_t area;
} nav_triangle_facts;

// All that a bake found at one place in plan view, from the lowest to the highest.
typedef struct nav_column_facts {
    float x, z;                    // the place that was asked for
    float cell[2];                 // the middle of its cell
    nav_floor_facts *floors;       // rising
    uint32_t floor_count;          // 0: no triangle touches the column
    nav_triangle_facts *triangles; // rising by `high`, then by number
    uint32_t triangle_count;
} nav_column_facts;

// Counts of spans and cells that the stages left of a tile, without its padding.
typedef struct nav_tile_facts {
    uint64_t spans, ground;       // voxelized: solid spans, and those whose top is ground
    uint64_t filtered;            // ground after the filters and liquids
    uint64_t uncut;               // ... after bounds and volumes of area none
    uint64_t eroded;              // ... after erosion
    uint64_t first_regions;       // regions before small ones were removed and merged
    uint64_t regions, in_regions; // after it, and the ground in them
    uint64_t contours, contour_points, polygons, vertices, detail_vertices, detail_triangles;
    // The region of each polygon of the tile, in order, from 1 on; 0: of several.
    const uint32_t *polygon_regions;
    nav_blob blob; // the tile, as nav_bake_tile would make it
} nav_tile_facts;

// A place in plan view, world units.
typedef struct nav_plan_place {
    float x, z;
} nav_plan_place;

// Result: whether a place lies on the grid, and in which tile.
bool nav_grid_find_tile(const nav_grid *grid, nav_plan_place place, uint32_t *tile_x,
                        uint32_t *tile_z);

// Bakes a tile as nav_bake_tile does, by the same stages, and looks at what each of them leaves of
// the tile and of some columns in it. columns: of as many places, which lie in the tile; their
// lists, out's and the blob are allocated from result. Takes the time of the bake, and a look
// at all triangles of the tile for each place. Errors: those of nav_bake_tile; then result is as it
// was. index, hooks, columns (where there are no places), report and err may be NULL. Thread: any;
// one call per arena.
nav_status nav_tile_explain(const nav_geometry *geometry, const nav_config *config,
                            const nav_grid *grid, const nav_tile_index *index, uint32_t tile_x,
                            uint32_t tile_z, const nav_plan_place *places, uint32_t place_count,
                            const nav_bake_hooks *hooks, nav_arena *scratch, nav_arena *result,
                            nav_column_facts *columns, nav_tile_facts *out, nav_bake_report *report,
                            nav_error *err);

// ---------------------------------------------------------------------------------------------------
// Tiles of polygons that another program made

// A neighbour beyond the tile's border, in the direction of the lowest two bits: 0 -x, 1 +z, 2 +x,
// 3 -z. nav_mesh_create joins such edges where those of two tiles meet on one line.
#define NAV_EDGE_PORTAL 0xfffffff0u
// How far a corner may lie inside of its polygon's hull, in world units.
#define NAV_TILE_DENT_MAX 0.01f

// Polygons of one tile; arrays are borrowed. tile_x and tile_z are names: its vertices say where
// the tile lies. All tiles of a mesh have the same tiles_x, tiles_z, cells and grid_min.
typedef struct nav_tile_polygons {
    uint32_t tile_x, tile_z, tiles_x, tiles_z; // which tile, of how many
    float grid_min[3], cell_size, cell_height; // vertex x: grid_min[0] + cells * cell_size
    float agent_radius, agent_height, agent_max_climb;
    const int32_t (*vertices)[3]; // x, y, z in cells
    const uint8_t *corner_counts; // of each polygon: 3 to NAV_POLYGON_VERTICES_MAX
    const uint8_t *areas;         // of each polygon: not NAV_AREA_NONE
    const uint32_t *corners;      // vertices of polygon 0, counter-clockwise from above, of 1 ...
    const uint32_t *neighbours;   // across the edge from that corner to the next: a polygon, a wall
                                  // (NAV_NONE), or NAV_EDGE_PORTAL | direction
    const uint8_t *detail_vertex_counts,
        *detail_triangle_counts;           // of each polygon; NULL: no detail
    const float (*detail_vertices)[3];     // world units; of polygon 0, of 1 ...
    const uint16_t (*detail_triangles)[3]; // they count a polygon's corners, then its vertices
    uint32_t vertex_count, polygon_count;
} nav_tile_polygons;

// Writes them as a tile, for nav_mesh_create. The arrays have the lengths that the counts say;
// everything within may be anything. Polygons may have no area, and lie over each other. Refused
// are those that are not convex, that run clockwise, whose neighbour does not lead back over the
// same two vertices, and edges to another tile that do not lie along x or z with the polygon behind
// them. The blob is allocated from result, which must not be scratch; without polygons it is
// NAV_OK with out->size_bytes 0. Polls hooks->cancelled (hooks may be NULL). Errors: NAV_BAD_BLOB,
// which names the polygon; NAV_NO_MEMORY, NAV_CANCELLED; then result is as it was. Thread: any; one
// call per arena.
nav_status nav_tile_from_polygons(const nav_tile_polygons *in, const nav_bake_hooks *hooks,
                                  nav_arena *scratch, nav_arena *result, nav_blob *out,
                                  nav_error *err);

// ---------------------------------------------------------------------------------------------------
// Mesh

// A searchable mesh: immutable once it is shared, counted, for any number of threads.
typedef struct nav_mesh nav_mesh;

// Verifies the tiles (any bytes are safe to pass) and builds the searchable mesh, which copies what
// it needs. A tile must begin at a multiple of 8 bytes, as every allocation does, or is refused;
// one of size 0 is skipped. count 0 gives an empty mesh. Tiles are linked where their borders meet.
// config (NULL: none of this): the areas' costs and flags are kept (an area that is not in it costs
// 1), islands that lie in several tiles and are smaller than region_min_size squared cells go
// (those within one tile its bake has dropped), the links are placed, and with seeds whatever
// cannot be reached from one is left out. A link's end lands where there is mesh within its radius
// in plan view and within agent_max_climb and two cells in height; a seed lands as a query's point
// does with nav_snap_default. Everything that was dropped is listed in report (NULL: nowhere): ends
// of links and seeds off the mesh with their distance, islands with their area; without seeds,
// every component but the largest is an island. The mesh starts with one reference, the caller's.
// Errors: NAV_BAD_BLOB, NAV_NO_MEMORY, NAV_INVALID_FIELD (a cost that is not above 0, a link whose
// area is none), NAV_MESH_EMPTY (no seed landed; all islands too small), NAV_TILE_TOO_COMPLEX (over
// 1,024 polygons lie over each other at a tile's border, or its edges meet 16 others each in the
// mean).
nav_status nav_mesh_create(const nav_blob *tiles, uint32_t tile_count, const nav_config *config,
                           const nav_allocator *allocator, nav_mesh **out, nav_bake_report *report,
                           nav_error *err);
// Cancellable variant: polls hooks->cancelled (hooks may be NULL). All that it allocates is at most
// memory_limit_bytes (0: no limit) at any time. Errors: also NAV_CANCELLED, and
// NAV_TILE_TOO_COMPLEX where it would be more; then everything is given back, *out and *report are
// untouched.
nav_status nav_mesh_create_until(const nav_blob *tiles, uint32_t tile_count,
                                 const nav_config *config, uint64_t memory_limit_bytes,
                                 const nav_bake_hooks *hooks, const nav_allocator *allocator,
                                 nav_mesh **out, nav_bake_report *report, nav_error *err);

// Landmarks are tables of distances that make searches faster and lower bounds tighter; answers may
// differ in nothing else but which of several good ways is taken, so a mesh that is asked is given
// them first or never. make: a flood of the whole mesh a landmark, which takes half to one
// microsecond a polygon. There are 16; 8 below 512 polygons, and where with 16 the mesh would be
// more than 2.5 times its tiles. The blob, 32 bytes and two a landmark and vertex, comes
// from result, which must not be scratch. Errors: NAV_NO_MEMORY, NAV_CANCELLED,
// NAV_TILE_TOO_COMPLEX (the budget of a flood is over, as with 100,000 links that cost nothing).
nav_status nav_landmarks_make(const nav_mesh *mesh, const nav_bake_hooks *hooks, nav_arena *scratch,
                              nav_arena *result, nav_blob *out);
// Gives landmarks to a mesh, which copies them. Any bytes are safe; they must begin at a multiple
// of
// 8. The mesh must not be shared yet, nor have landmarks. Errors: NAV_BAD_BLOB (among others: of
// another mesh), NAV_NO_MEMORY.
nav_status nav_mesh_add_landmarks(nav_mesh *mesh, nav_blob landmarks, nav_error *err);
// Result: a hash of all that a mesh's landmarks depend on. Landmarks of one mesh fit another where
// both hashes are equal.
uint64_t nav_landmarks_fingerprint(const nav_mesh *mesh);
// Gives a mesh those of the further agents of its settings, in their order, of which it holds a
// reference each from here on: whoever has it has all of them. None of them may be shared yet, or
// have others itself. Once, if at all. Errors: NAV_NO_MEMORY.
nav_status nav_mesh_add_agents(nav_mesh *mesh, const nav_agent *agents, nav_mesh *const *meshes,
                               uint32_t count);
// Result: how many it has been given, the name of each and its mesh, which live as long as this
// one.
uint32_t nav_mesh_agent_count(const nav_mesh *mesh);
const char *nav_mesh_agent_name(const nav_mesh *mesh, uint32_t agent);
nav_mesh *nav_mesh_agent(const nav_mesh *mesh, uint32_t agent);
// Finds an agent by its name: 0 for NULL and "default", which is the mesh itself, n for its n-th
// agent. Result: false where there is no such agent.
bool nav_mesh_find_agent(const nav_mesh *mesh, const char *name, uint32_t *number);
// Result: nav_mesh_stats.memory_bytes of the mesh and of those.
size_t nav_mesh_memory_bytes(const nav_mesh *mesh);

// Takes one more reference. Result: mesh. Thread: any that holds a reference.
nav_mesh *nav_mesh_acquire(nav_mesh *mesh);
// Gives a reference back; the last one frees the mesh. NULL is harmless. Thread: any.
void nav_mesh_release(nav_mesh *mesh);

// Numbers of a mesh.
typedef struct nav_mesh_stats {
    nav_coordinates coordinates; // of the level that the mesh was made from
    uint32_t tiles, polygons, vertices, components, links;
    double walkable_area; // world units squared in plan view
    float min[3], max[3]; // bounds of the polygons
    size_t memory_bytes;
} nav_mesh_stats;

// Copies them; takes no time worth counting.
void nav_mesh_stats_get(const nav_mesh *mesh, nav_mesh_stats *out);
nav_coordinates nav_mesh_coordinates(const nav_mesh *mesh); // those of the level, likewise

// One polygon, for pictures and exports. Pointers live as long as the mesh.
typedef struct nav_polygon {
    uint32_t vertex_count;
    const uint32_t *vertices;   // indices for nav_mesh_vertex, counter-clockwise from above
    const uint32_t *neighbours; // per edge i -> i+1: a polygon or NAV_NONE; on a tile's border,
                                // where there can be several, the first along the edge
    uint32_t component; // from 1 on: there is a way between any two polygons of it, both ways
    uint8_t area;
} nav_polygon;

// A link whose two ends landed on the mesh.
typedef struct nav_placed_link {
    float start[3], end[3]; // on the mesh
    uint32_t start_polygon, end_polygon;
    uint32_t flags; // its own, or else its area's
    bool has_cost;  // of its own
    float cost;
    uint32_t config_index;  // in nav_config.links
    uint32_t switch_number; // as in nav_link
    uint16_t ground;        // the library's
    uint8_t area;
    bool bidirectional;
    nav_name id;
} nav_placed_link;

// A polygon by its number, which is below stats.polygons.
nav_polygon nav_mesh_polygon(const nav_mesh *mesh, uint32_t polygon);
// The x, y, z of a vertex, whose number is below stats.vertices; they live as long as the mesh.
const float *nav_mesh_vertex(const nav_mesh *mesh, uint32_t vertex);
// A link by its number, which is below stats.links; it lives as long as the mesh.
const nav_placed_link *nav_mesh_link(const nav_mesh *mesh, uint32_t link);

// The height detail of a polygon. Without triangles it has none: its vertices are all there is.
// Pointers live as long as the mesh.
typedef struct nav_polygon_detail {
    const float (*vertices)[3];
    const uint16_t (*triangles)[3]; // indices that count the polygon's vertices first, then these;
                                    // counter-clockwise from above
    uint32_t vertex_count, triangle_count;
} nav_polygon_detail;

nav_polygon_detail nav_mesh_polygon_detail(const nav_mesh *mesh, uint32_t polygon);

// A way over an edge of a polygon into another one: over all of it or, on a tile's border, over the
// part from `right` to `left`, as seen by somebody who leaves the polygon.
typedef struct nav_edge_portal {
    uint32_t edge; // i: from the polygon's vertex i to the next
    uint32_t to;
    uint32_t right, left; // numbers of vertices; on a tile's border of either polygon
} nav_edge_portal;

// The ways over a polygon's edges, in order of edge and along it. Returns how many there are, of
// which the first `capacity` are written.
uint32_t nav_mesh_edge_portals(const nav_mesh *mesh, uint32_t polygon, nav_edge_portal *out,
                               uint32_t capacity);
// The switches that a polygon lies under, as numbers for nav_mesh_switch. Returns their count;
// *switches lives as long as the mesh.
uint32_t nav_mesh_polygon_switches(const nav_mesh *mesh, uint32_t polygon,
                                   const uint16_t **switches);

// The grid that a mesh was baked on, and the agent that it was baked for, in world units.
typedef struct nav_mesh_grid {
    float min[3]; // where tile 0, 0 begins
    float cell_size, cell_height;
    uint32_t tile_cells; // side of a tile; 0: the world is one tile
    uint32_t tiles_x, tiles_z;
    float agent_radius, agent_height, agent_max_climb;
} nav_mesh_grid;

// Copies them; all are 0 where the mesh is empty.
void nav_mesh_grid_get(const nav_mesh *mesh, nav_mesh_grid *out);

// The polygons of one tile: their numbers follow each other.
typedef struct nav_mesh_tile {
    uint32_t x, z;
    uint32_t polygon_first, polygon_count;
} nav_mesh_tile;

// Result: how many tiles have polygons. Each of them by its number, which is below that, in order
// of polygons.
uint32_t nav_mesh_tile_count(const nav_mesh *mesh);
nav_mesh_tile nav_mesh_tile_get(const nav_mesh *mesh, uint32_t tile);

// A switch of a mesh.
typedef struct nav_switch_info {
    nav_name id;
    bool closed;          // where nobody says otherwise
    uint32_t polygons;    // that lie under it; 0 where its shapes touch no ground
    float min[3], max[3]; // bounds of these polygons
} nav_switch_info;

// Result: how many switches there are: as many as in the settings, in their order.
uint32_t nav_mesh_switch_count(const nav_mesh *mesh);
// A switch by its number, which is below that count.
void nav_mesh_switch(const nav_mesh *mesh, uint32_t index, nav_switch_info *out);
// Whether it is closed in a state of all of them, as nav_options.switches; NULL: at its default.
bool nav_mesh_switch_is_closed(const nav_mesh *mesh, const uint8_t *switches, uint32_t index);
// Looks up a switch's number by its id. Result: NAV_NONE where there is no such switch.
uint32_t nav_mesh_find_switch(const nav_mesh *mesh, const char *id);

// Result: height of the agent that the mesh was made for, in world units; 0 where it is not known.
float nav_mesh_agent_height(const nav_mesh *mesh);
// Result: the name of an area in the settings that the mesh was made with; "" where it has none. It
// lives as long as the mesh.
const char *nav_mesh_area_name(const nav_mesh *mesh, uint8_t area);
// Result: an area by its number: the name, "" where it has none, cost and flags that the mesh was
// made with.
nav_area nav_mesh_area(const nav_mesh *mesh, uint8_t area);
// Looks up an area's number by its name. Result: false where there is no such area.
bool nav_mesh_find_area(const nav_mesh *mesh, const char *name, uint8_t *area);
// Looks up a flag's bit by its name. Result: false where there is no such flag.
bool nav_mesh_find_flag(const nav_mesh *mesh, const char *name, uint32_t *flag);
// Result: the filter of this name, which lives as long as the mesh, or NULL.
const nav_filter *nav_mesh_find_filter(const nav_mesh *mesh, const char *name);
// Result: the name of a flag, or of a filter, by its number, which lives as long as the mesh; NULL
// where there are not so many.
const char *nav_mesh_flag_name(const nav_mesh *mesh, uint32_t index);
const char *nav_mesh_filter_name(const nav_mesh *mesh, uint32_t index);

// ---------------------------------------------------------------------------------------------------
// Queries. None allocates once the scratch has grown to the mesh's size. Queries that take
// nav_options may also end in NAV_CANCELLED, by its hook `cancelled`.

// Search memory of one thread, for meshes of any size. It grows on demand and never shrinks.
typedef struct nav_scratch nav_scratch;

// Makes a scratch that holds no search memory yet. allocator NULL: the default one; it is copied.
// Errors: NAV_NO_MEMORY.
nav_status nav_scratch_create(const nav_allocator *allocator, nav_scratch **out);
// Frees it, and with it the points of every path that it holds. NULL is harmless.
void nav_scratch_destroy(nav_scratch *scratch);
// Whether the last query ended in NAV_NO_MEMORY because its shapes to avoid would have cut the
// ground into more fragments than one question may have: asked again, it would end so again.
bool nav_scratch_avoid_refused(const nav_scratch *scratch);

// The box around a point within which it snaps to the mesh, in world units: half its side in plan
// view, and how far it reaches up and down.
typedef struct nav_snap {
    float horizontal, up, down;
} nav_snap;

// Result: 2, 4, 4.
nav_snap nav_snap_default(void);

// A shape that is on the ground for one question only.
typedef enum nav_avoid_shape {
    NAV_AVOID_CIRCLE,  // center and radius
    NAV_AVOID_BOX,     // min to max
    NAV_AVOID_CONVEX,  // points in plan view, in either winding
    NAV_AVOID_CAPSULE, // radius around the line from center to end
} nav_avoid_shape;

// A shape to avoid, or whose ground costs more or less, for one question. Round shapes, and corners
// from which the agent's radius is kept, are outlines of sixteen tangents, which lie outside of the
// round by at most 2 % of its radius. Costs, bounds and proofs are of the ground that
// outlines leave: around the round shape a way may be up to 2 % shorter where it bends around it,
// and lead through a gap that the outlines close.
typedef struct nav_avoid {
    nav_avoid_shape shape;
    bool blocked;             // no way leads through, and paths keep the agent's radius from it;
    float cost;               // else ground inside costs so many times as much: above 0
    float center[2], radius;  // x and z
    float end[2];             // x and z
    float min[2], max[2];     // x and z
    const float (*points)[2]; // x and z
    uint32_t point_count;     // 3 to NAV_VOLUME_POINTS_MAX
    // Heights of ground that it stands on, both included. If a polygon has any ground inside at
    // such a height, the shape takes all that this polygon has inside: on a ramp it may take a
    // little more than it touches, and a larger shape takes no less.
    float bottom, top;
} nav_avoid;

#define NAV_AVOID_MAX 1024u // shapes of one question
// The most that cutting them out may cost, in tests of a corner against a line: some tenths of a
// second. Beyond it the question ends in NAV_NO_MEMORY, and nav_scratch_avoid_refused says why.
// Paths without limits of their own cut only what is in their way.
#define NAV_AVOID_WORK_MAX (UINT64_C(1) << 26)
#define NAV_PATH_BLOCKERS_MAX 16 // shapes, and switches, that an answer names
// Ends in shapes that block, of ways from somewhere to somewhere (nav_query_path, nav_query_matrix,
// nav_query_flood, nav_query_reachable, the start of nav_query_nearest_reachable): who stands in
// one may leave it. For this way, ground of the shapes that its start lies in, of one or of
// several, costs this many times as much instead of being closed, so that the way out is short. A
// goal in one is out of reach. Such an end lies on the ground that is nearest to it without shapes:
// a shape over it never puts it onto another storey. All other points are put onto the open ground
// that is nearest within their snap, as beside a hole.
#define NAV_AVOID_LEAVE_COST 64.0f
// If shapes overlap their costs multiply, but not beyond these.
#define NAV_AVOID_COST_MIN 1e-12
#define NAV_AVOID_COST_MAX 1e12

// The state of a world, placed over a mesh for many questions. It is immutable and counted, like
// the mesh, so that any number of threads may ask in it. A question with the same shapes in
// `avoid` gets the same answers, but cuts them itself; one with the same switches of its own gets
// the same, but finds out anew what they close.
typedef struct nav_overlay nav_overlay;

// All that a state has; zeros are good for those that there are none of. All are copied.
typedef struct nav_overlay_items {
    const nav_avoid *shapes; // which have passed nav_options_check
    uint32_t shape_count;
    const nav_link *links; // which have passed nav_links_check
    uint32_t link_count;
    const uint8_t *switches; // as nav_options.switches
} nav_overlay_items;

// Places a state over a mesh, which is acquired. last: NULL, or another state over the same mesh:
// whatever the two have in common is taken from there, so that the work grows with what changes and
// not with the mesh. The result does not depend on it, nor on the order of the shapes; links are
// numbered in their order. scratch: memory to work in; it forgets the shapes of its last question.
// Links are placed as by nav_mesh_create, over the mesh without the shapes: a link with an end that
// finds no ground is left out, and one with an end in ground that shapes have cut away is closed.
// Questions take them as they take the mesh's own.
// Errors: NAV_NO_MEMORY; NAV_INVALID_FIELD where shapes would cut the ground into too many
// fragments (NAV_AVOID_WORK_MAX).
nav_status nav_overlay_create(nav_mesh *mesh, nav_scratch *scratch, const nav_overlay *last,
                              const nav_overlay_items *items, nav_overlay **out, nav_error *err);
// Each acquire needs a release; the last one frees it, and releases the mesh. NULL is harmless.
nav_overlay *nav_overlay_acquire(nav_overlay *overlay);
void nav_overlay_release(nav_overlay *overlay);
// Result: bytes that it holds, without the mesh.
size_t nav_overlay_bytes(const nav_overlay *overlay);
// Result: a link by its number in a step of a path (nav_path_step.link) that was found in a state
// (NULL: in none): one of the mesh or, numbered behind all of those, of the state, whose
// config_index is its place in nav_overlay_items.links. It lives as long as mesh and state.
const nav_placed_link *nav_overlay_link(const nav_mesh *mesh, const nav_overlay *overlay,
                                        uint32_t link);
// Result: the places in nav_overlay_items.links of those that are left out, rising, *count of them.
// They live as long as the state.
const uint32_t *nav_overlay_links_off_mesh(const nav_overlay *overlay, uint32_t *count);
// Which ends of a link find ground in a mesh: lands[0] is that of its start. Result: how far above
// or below an end its ground may lie: the agent's climb, and two cells of height.
float nav_link_lands(const nav_mesh *mesh, const nav_link *link, bool lands[2]);
// Checks links of a state, whose values may be anything, for a mesh; but their switches, which are
// not read. Errors: NAV_INVALID_FIELD (at = "links[3].radius").
nav_status nav_links_check(const nav_mesh *mesh, const nav_link *links, uint32_t count,
                           nav_error *err);

// The state of a switch for one question.
enum nav_switch_state {
    NAV_SWITCH_DEFAULT, // as the settings have it
    NAV_SWITCH_OPEN,
    NAV_SWITCH_CLOSED
};

// Options of all queries. filter NULL: the default one. All pointers are borrowed for the query;
// avoid also until the last query that says avoid_repeated.
typedef struct nav_options {
    nav_snap snap;
    const nav_filter *filter;
    const nav_overlay *overlay; // NULL, or the state of the world, made over this mesh
    const nav_avoid *avoid;     // and what this question avoids besides
    uint32_t avoid_count;
    // Said by the caller: the last question with shapes that this scratch was used for had these
    // very shapes, this state and this mesh, which have been held since. Then the ground that it
    // has cut is used again.
    bool avoid_repeated;
    // Each of the mesh's switches for this question: nav_mesh_switch_count bytes of
    // nav_switch_state. NULL: as the state has them; without one, all are at their defaults.
    const uint8_t *switches;
    // NULL, or the work left for the shapes of several questions together (NAV_AVOID_WORK_MAX).
    uint64_t *avoid_work;
    // Polled each millisecond or sooner, also while shapes are cut: true, which stands for an
    // exceeded deadline, ends the question in NAV_CANCELLED, and its outputs are undefined. Paths
    // and matrices end with NAV_REASON_DEADLINE and what they have found instead. NULL: nothing
    // ends the question. It is not polled again once it has returned true.
    bool (*cancelled)(void *user);
    void *user;
    // The hook only guards against what takes far too long. A path is then searched for as if there
    // were no deadline.
    bool unhurried;
} nav_options;

// Result: options that snap as nav_snap_default does, close nothing and have no deadline.
nav_options nav_options_default(void);

// Checks options whose values may be anything. Errors: NAV_INVALID_FIELD (at = "filter.costs",
// "avoid[3].radius"). Queries trust options that have passed and check none of it again, but for a
// wrong snap: with that no position is found.
nav_status nav_options_check(const nav_options *options, nav_error *err);

// A position on the mesh.
typedef struct nav_location {
    uint32_t polygon;  // of the mesh, whole or cut by shapes
    float position[3]; // on the mesh, heights from the detail mesh
    float distance;    // from the asked point, in three dimensions
} nav_location;

// The positions on the mesh nearest to point within the snap box, one a polygon, nearest first;
// equal distances in order of polygon. A polygon's position is its closest in plan view, at its
// height there: on a slope another one of it may be nearer in space. The floor below goes before
// the ceiling above: if a position lies right under the point, or right over it by no more than
// agent_max_climb, then positions that lie higher than that come after all others. component
// NAV_NONE: any; else only polygons of that component. Returns how many were written, at most
// capacity.
uint32_t nav_query_nearest(const nav_mesh *mesh, const float point[3], nav_snap snap,
                           uint32_t component, nav_location *out, uint32_t capacity);

// How far a path leads.
typedef enum nav_path_status {
    NAV_PATH_NONE,    // no points
    NAV_PATH_PARTIAL, // the points lead to the reachable spot closest to the goal, or up to a limit
    NAV_PATH_COMPLETE, // the points lead to the goal
} nav_path_status;

// Why a path does not lead to the goal, or a matrix is not complete.
typedef enum nav_path_reason {
    NAV_REASON_NULL,
    NAV_REASON_START_OFF_MESH,
    NAV_REASON_END_OFF_MESH,
    NAV_REASON_UNREACHABLE,
    NAV_REASON_BLOCKED, // only the filter or `avoid` stands in the way
    NAV_REASON_NODE_BUDGET,
    NAV_REASON_DEADLINE,
    NAV_REASON_MAX_COST, // there is a path, or may be one, but none within the limit is known
    NAV_REASON_MAX_LENGTH,
} nav_path_reason;

// Result: the word for a status, a constant.
const char *nav_path_status_word(nav_path_status status);
// Result: the word for a reason, a constant; NULL for NAV_REASON_NULL.
const char *nav_path_reason_word(nav_path_reason reason);

// How a path is searched for.
typedef enum nav_search {
    NAV_SEARCH_AUTO,  // exact where all ground that may be walked on costs the same, also around
                      // shapes that block; else near the cheapest, without a proof
    NAV_SEARCH_FAST,  // A* on portals, then string pulling
    NAV_SEARCH_EXACT, // the shortest path there is; as auto where ground of several costs is open,
                      // or where a shape in the way makes it dearer or cheaper
} nav_search;

// How a path's search went on: by which engine. A search may run several, one after the other.
typedef enum nav_engine {
    NAV_ENGINE_POLYANYA, // the shortest path, over ground of one cost
    NAV_ENGINE_LABELS,   // A* over labels of portals: `fast`, several costs, budgets
    NAV_ENGINE_STEINER,  // A* over points on portals: cheaper ways over several costs
} nav_engine;

// Result: the word for an engine, a constant.
const char *nav_engine_word(nav_engine engine);

// One step of a search: a node is expanded. The way leads straight from where it has turned last
// (root) into a polygon, over the part of its edge between two points, and goes on from there.
typedef struct nav_expansion {
    nav_engine engine;
    uint32_t polygon;        // of the mesh, into which it leads
    float root[3];           // by Steiner points: the point before
    float left[3], right[3]; // of that part, as seen from the root; one point where a link ends, a
                             // root stands on the edge, and of Steiner points
    double g;                // cost of the way to the root
    double f;                // by which the nodes are ordered: of Polyanya, no way through this
                             // one costs less; of the others a guess, which may be above the cost
} nav_expansion;

// The steps of a search in the order in which they happened, in a buffer of the caller's.
typedef struct nav_expansions {
    nav_expansion *at;
    uint32_t capacity;
    uint32_t count; // filled in by the query
    bool truncated; // likewise: there were more
} nav_expansions;

// A question for a path. Fill in start, end and options; zeros are good for the rest.
typedef struct nav_path_request {
    float start[3], end[3];
    nav_options options;
    nav_search search;
    uint32_t max_nodes; // that may be expanded; 0: no limit
    bool no_partial;    // where the goal cannot be reached, say so and search no further: NONE for
                        // every PARTIAL, also where the budget or the deadline ends the search
    // The most that a path may cost, and how long its points may be; 0: no limit. If the path that
    // the search finds is beyond a limit, the answer is its beginning, up to the limit: PARTIAL,
    // with MAX_COST or else MAX_LENGTH. The end of any other path that leads too far is left off
    // likewise. With no_partial the answer is NONE, and no path beyond the limits is looked for,
    // so that the search is short; max_length then shortens it only where no open link has a cost
    // of its own. A lower_bound above max_cost proves that no path is within it. The path that
    // costs least is held against max_length: one that costs more might be shorter.
    double max_cost, max_length;
    // How far before `end` a path may stop: it ends as soon as no more than this is left to walk,
    // in plan view and without a link. So it does not stop behind a wall or on another storey.
    // Cost, length and limits are those of what is left of the path; optimal and lower_bound are of
    // all paths that end so near. 0: at the end itself.
    float goal_radius;
    // How far from walls the path is to keep, in plan view, up to NAV_CLEARANCE_MAX; 0: it may
    // touch them. Walls are the borders of the ground that the question may walk on: those of the
    // mesh, of shapes that block, of closed switches, of what the filter closes. The path that the
    // search finds is led away from them, between the same ends and over the same links. If a
    // circle of 1.1 times this radius fits all along it beside the nearest wall, the distance is
    // kept, on a short path no more than its ends have and a quarter of it (see clearance_min);
    // what is narrower than twice the distance is passed about in its middle. A path that cannot be
    // led like this, or would then be beyond max_cost or max_length, stays as it was; so does one
    // that keeps the distance already. Shapes are all seen.
    float clearance;
    // NULL, or where to list what the search does. The path is the same. Steps of all searches of
    // the question are listed: of the one without shapes to avoid, and of those around them.
    nav_expansions *expansions;
} nav_path_request;

#define NAV_CLEARANCE_MAX 1000.0f

// points belongs to the scratch and lives until its next query.
typedef struct nav_path {
    nav_path_status status;
    nav_path_reason reason;
    bool optimal;  // proven: no route over the mesh has a smaller cost, to a part in a million;
                   // false of a path that has been led away from walls
    bool folded;   // it was to be proven, but a non-manifold edge is near it (core/DESIGN.md), and
                   // a route over that might cost less
    double length; // of the points, in three dimensions
    double cost;   // of the points: plan-view length times area cost, links included: it is
                   // minimised. Along an edge it is that of the cheaper side, as far as the scratch
                   // has room for the corridor. The answer gives lower_bound in its place for an
                   // optimal path: they differ by a millionth at most
    double lower_bound;     // no route to `end`, or within goal_radius, has a smaller cost; holds
                            // always
    float start[3], end[3]; // the given points as snapped; as given where they are off the mesh
    const float *points;    // 3 * point_count
    uint32_t point_count;
    uint32_t nodes_expanded;
    // The least distance in plan view of the points and the lines between them from walls of the
    // ground that they lead over (as nav_query_wall finds them), up to clearance; 0 without points,
    // and where the deadline came first. On a short path less than clearance is wanted: no more
    // than an end's own distance from walls and a quarter of how far the path comes from that end;
    // ends are the first and last points, and those of links. Links do not count, nor does what is
    // nearer to an end than what is wanted less the end's own distance, for nothing there is
    // farther from walls; a part of every path counts. More counts at an end in a corner, where two
    // walls meet. A path of one point has its distance.
    double clearance_min;
    // For nav_query_path_steps: where the path begins, and the portals that it goes through, which
    // live as long as points do.
    uint32_t start_polygon, corridor_count;
    const struct nav_corridor *corridor;
} nav_path;

// A* on portals and links, then string pulling; or Polyanya, which ends with the
// shortest path. The two ends of a link are points of the path, and so are those where it
// passes from ground of one cost to ground of another. An unreachable goal is found by component
// labels before any search, exactly, one-way links included. A negative answer is NAV_OK with a
// status and reason. Errors: NAV_NO_MEMORY.
// Hart, Nilsson, Raphael 1968; Demyen 2006 and Mononen 2010 for the funnel; Cui, Harabor, Grastien
// 2017 for Polyanya.
nav_status nav_query_path(const nav_mesh *mesh, nav_scratch *scratch,
                          const nav_path_request *request, nav_path *out);

// This stands in the way of a path: numbers of switches, in rising order, and numbers in the lists
// of shapes: of the state that was asked in, and behind them of `avoid`.
typedef struct nav_path_blockers {
    uint32_t switches[NAV_PATH_BLOCKERS_MAX], shapes[NAV_PATH_BLOCKERS_MAX];
    uint32_t switch_count, shape_count;
} nav_path_blockers;

// Finds what blocks a path that ended in NAV_REASON_BLOCKED: the closed switches and the blocking
// shapes that the shortest path, as `auto` finds it whatever request->search says, meets if all
// switches are open and no shapes are there; nothing where there is no such path, or max_nodes or
// the deadline end the search before there is one. If these end it before the path is proven, it is
// the shortest that was found by then. If the goal lies in shapes, no other shapes are reported.
// Shapes that the start lies in are reported only where there are no others, for an agent may leave
// them. At most NAV_PATH_BLOCKERS_MAX of each. It takes as long as a question for a path, and ends
// the life of the scratch's last path. Errors: those of nav_query_path.
nav_status nav_query_blockers(const nav_mesh *mesh, nav_scratch *scratch,
                              const nav_path_request *request, nav_path_blockers *out);

// A polygon along a path.
typedef struct nav_path_step {
    uint32_t polygon;
    uint32_t link;  // over which it is entered (for nav_mesh_link, nav_overlay_link), or NAV_NONE
    uint32_t point; // it begins between this point and the next, or on this one
    bool on_point;  // the latter
} nav_path_step;

// The polygons that a path leads through, in order, the start's first. To be asked before the next
// query of the path's scratch. Returns how many were written, at most capacity; there are
// corridor_count + 1, fewer where shapes to avoid have cut a polygon into fragments that follow
// each other, and none for a path without points.
uint32_t nav_query_path_steps(const nav_path *path, nav_path_step *out, uint32_t capacity);

// Whether each of the points can be reached from start. A point off the mesh cannot, nor one in a
// shape that blocks, and from a start off the mesh none can. out has room for count. Without a
// filter that closes anything and without shapes to avoid, this reads labels only. Errors:
// NAV_NO_MEMORY.
nav_status nav_query_reachable(const nav_mesh *mesh, nav_scratch *scratch, const float start[3],
                               const nav_options *options, const float (*points)[3], uint32_t count,
                               bool *out);

// nav_query_nearest under a filter and with shapes to avoid, and only of positions that can be
// reached from start (NULL: from anywhere). out has room for capacity; none is written where start
// is off the mesh. Errors: NAV_NO_MEMORY.
nav_status nav_query_nearest_reachable(const nav_mesh *mesh, nav_scratch *scratch,
                                       const float point[3], const float *start,
                                       const nav_options *options, nav_location *out,
                                       uint32_t capacity, uint32_t *count);

// How far nav_query_nearby looks, in world units.
#define NAV_NEARBY_MAX 2048.0f
// For a point that is off the mesh: the open ground nearest to it, up to NAV_NEARBY_MAX along each
// axis; *found false: there is none, and *out is untouched. options as of
// nav_query_nearest_reachable, but for snap, which does not count. Errors: NAV_NO_MEMORY,
// NAV_CANCELLED. Thread: any; one call per scratch.
nav_status nav_query_nearby(const nav_mesh *mesh, nav_scratch *scratch, const float point[3],
                            const nav_options *options, nav_location *out, bool *found);

// Two components of the mesh without shapes and states, and a narrow place between them.
typedef struct nav_gap {
    uint32_t components[2]; // of the one point's ground, and of the other's
    float points[2][3];     // on each
    float distance;         // between those
} nav_gap;

// How near the components of two positions on the mesh come to each other, such as those of the
// ends of a path that is unreachable. The place is the nearest of those that a bounded search ends
// in, which begins at both positions and at polygons spread over both components. Result: false
// where both are of one component, or off the mesh. Thread: any.
bool nav_query_gap(const nav_mesh *mesh, const float start[3], const float end[3], nav_gap *out);
// How many polygons a component has, and its area in plan view. Inspects every polygon of the mesh.
// Thread: any.
void nav_mesh_island(const nav_mesh *mesh, uint32_t component, uint32_t *polygons, double *area);

// Two positions in plan view that lie no farther apart than this count as one. Answers print three
// decimals, so that each end of a straight walk between two points of a path lies up to 0.71 mm
// beside its position; the start is put back onto the mesh, by as much once more. Together that
// is 1.42 mm.
#define NAV_PLAN_TOLERANCE 0.0015f

// The end of a straight walk in plan view.
typedef struct nav_ray {
    bool found;        // start is on the mesh, end is finite; else nothing below says anything
    bool hit;          // a wall, or ground that is closed, was in the way
    float t;           // how much of the way was walked, 0 to 1
    float start[3];    // as snapped
    float position[3]; // where the walk ended, on the mesh
    float normal[3];   // of the wall that was hit, in plan view, towards the walker; else 0
    double cost;       // of the ground walked over
    uint32_t polygon;  // where it ended
} nav_ray;

// Walks from start straight towards end, whose height is not read, over whatever ground is open. It
// passes by what is in its way by no more than NAV_PLAN_TOLERANCE, so that nothing stops it between
// two points of a path in a row. Links are not taken. Errors: NAV_NO_MEMORY, NAV_CANCELLED.
nav_status nav_query_raycast(const nav_mesh *mesh, nav_scratch *scratch, const float start[3],
                             const float end[3], const nav_options *options, nav_ray *out);

// Result of a move constrained to the mesh.
typedef struct nav_move {
    bool found;              // start is on the mesh, end is finite
    float position[3];       // where it ends, on the mesh
    uint32_t polygon;        // of position
    const uint32_t *visited; // polygons from start's to this one; the scratch's, until its next
                             // query
    uint32_t visited_count;
} nav_move;

// For steps of a game's tick. Ends where a path to end would, on the storey that end's height says,
// if that is straight above, below or at end and hangs together with start over ground in the
// circle around the step; so it is where the path is free. Else it slides: to the point of that
// ground that is closest to end in plan view, what lies farther up or down than slopes lead
// counting as farther off. Takes no links. Errors: NAV_NO_MEMORY, NAV_CANCELLED.
nav_status nav_query_move(const nav_mesh *mesh, nav_scratch *scratch, const float start[3],
                          const float end[3], const nav_options *options, nav_move *out);

// The wall nearest to a point.
typedef struct nav_wall {
    bool found;        // the point is on the mesh
    bool hit;          // there is a wall within the radius
    float distance;    // to it in plan view; the radius where there is none
    float position[3]; // on it
    float normal[3];   // of unit length in plan view, from the wall towards the point
} nav_wall;

// Looks over ground that hangs together with the point's, within max_radius in plan view. Errors:
// NAV_NO_MEMORY.
nav_status nav_query_wall(const nav_mesh *mesh, nav_scratch *scratch, const float point[3],
                          float max_radius, const nav_options *options, nav_wall *out);

// Every floor above and below a point in plan view, highest first; *count of them, at most
// capacity, of more the highest. If polygons of one floor meet it is reported once, with one of
// them: positions count as one floor within agent_max_climb and half the agent's height. The snap
// of options is not read, distances are from above the mesh. Errors: NAV_NO_MEMORY.
nav_status nav_query_floors(const nav_mesh *mesh, nav_scratch *scratch, float x, float z,
                            const nav_options *options, nav_location *out, uint32_t capacity,
                            uint32_t *count);

// Points spread evenly over the ground that is open, the same for the same seed; or, with center,
// over what can be reached from there within radius in plan view. With radius 0 that is the
// center's own position. *count is capacity, or 0 where there is no such ground; less where hardly
// any of it lies in the circle. Distances are 0. Errors: NAV_NO_MEMORY. Numbers: splitmix64 of
// Vigna 2015.
nav_status nav_query_random(const nav_mesh *mesh, nav_scratch *scratch, uint64_t seed,
                            const float *center, float radius, const nav_options *options,
                            nav_location *out, uint32_t capacity, uint32_t *count);

// Question for the costs of the cheapest ways from several positions to several others.
typedef struct nav_matrix_request {
    const float (*sources)[3];
    const float (*targets)[3];
    uint32_t source_count, target_count; // their product at most NAV_MATRIX_CELLS_MAX
    uint32_t nearest; // 0: all targets; k: of each source only the k cheapest to reach
    nav_options options;
    uint32_t max_nodes; // that may be expanded for each source; 0: no limit
} nav_matrix_request;

// Most pairs of source and target of one question.
#define NAV_MATRIX_CELLS_MAX 1000000u

// Answers, into arrays of the caller's: row by row, `nav_matrix_columns` a source. Without
// `nearest` there is a column a target. With it a row lists targets, cheapest first, equal costs in
// order of target; behind the last one targets are NAV_NONE.
typedef struct nav_matrix {
    double *costs;     // INFINITY: no way leads there, or an end is off the mesh; NAN: not decided,
                       // for a limit came first
    uint32_t *targets; // with `nearest` only, else NULL
    // May be NULL: which ends are on open ground of the mesh, or in a shape that blocks it. A
    // source in a shape counts even if no way leads out of it; nav_query_path says
    // NAV_REASON_BLOCKED then.
    bool *sources_found, *targets_found;
    // Filled in by the query:
    // NULL: all is decided. Else the limit that was met first: NODE_BUDGET, also where shapes are
    // too much to cut (below), or DEADLINE.
    nav_path_reason reason;
    bool optimal; // proven: no way costs less than a cell says
    uint32_t nodes_expanded;
} nav_matrix;

// Result: columns that the answer has a source.
static inline uint32_t nav_matrix_columns(const nav_matrix_request *request)
{
    return request->nearest > 0 && request->nearest < request->target_count ? request->nearest
                                                                            : request->target_count;
}

// Finds the costs of the cheapest paths. There is one search a source, whatever the number of
// targets. It ends when no target can be reached more cheaply.
//   Exact if all open ground costs the same: costs are those of the shortest paths, also around
//   shapes that block.
//   Not exact if ground has several costs: each cost is that of a walk. It may be dearer than the
//   path of nav_query_path, which also looks for other edges than those that the walk crosses.
//   From a source in a shape that blocks, the ground of the shape is dear (NAV_AVOID_LEAVE_COST),
//   so that this holds for its row, too.
//   Work. All sources in the same shapes share one cut of the ground. Each other set of shapes is
//   cut anew, and all cuts share NAV_AVOID_WORK_MAX. If that is spent, rows of sources in shapes
//   stay undecided; all other rows are answered.
// With `nearest`, a limit may end a row early; what is in it is right. Errors: NAV_INVALID_FIELD
// (too many cells), NAV_NO_MEMORY, also where the shapes are too much to cut even once
// (nav_scratch_avoid_refused). Outputs may then be filled in part. Mitchell, Mount, Papadimitriou
// 1987.
nav_status nav_query_matrix(const nav_mesh *mesh, nav_scratch *scratch,
                            const nav_matrix_request *request, nav_matrix *out);

// A polygon that can be reached.
typedef struct nav_flood_polygon {
    uint32_t polygon;
    float position[3]; // where it is entered first: over an edge, at the end of a link, or the
                       // start itself
    double cost;       // up to there
} nav_flood_polygon;

// Answer to a flood.
typedef struct nav_flood {
    bool found;     // start is on the mesh
    bool truncated; // there are more than had room; those left out cost as much or more
    bool optimal;   // proven: no way to a polygon costs less
    float start[3]; // as snapped
    uint32_t count; // how many were written
} nav_flood;

// The polygons to which there is a way that costs at most max_cost, in order of cost, then of
// polygon; a polygon counts if some part of it is that near. Costs are as exact as those of
// nav_query_matrix. If capacity is less than their number, the first of them are written: the same,
// to the last bit, whatever the capacity. Errors: NAV_NO_MEMORY.
nav_status nav_query_flood(const nav_mesh *mesh, nav_scratch *scratch, const float start[3],
                           double max_cost, const nav_options *options, nav_flood_polygon *polygons,
                           uint32_t capacity, nav_flood *out);

// The fault of a step of a movement log.
typedef enum nav_trace_reason {
    NAV_TRACE_LEGAL,
    NAV_TRACE_OFF_MESH,    // the position is on no ground
    NAV_TRACE_TOO_FAST,    // farther than the speed limit allows
    NAV_TRACE_TIME,        // time does not go forward
    NAV_TRACE_WALL,        // straight through something that can only be walked around
    NAV_TRACE_GAP,         // from ground to ground that nothing leads to
    NAV_TRACE_WRONG_FLOOR, // to a floor above or below the one that the way leads to
} nav_trace_reason;

// Result: the word for a reason, a constant; NULL for NAV_TRACE_LEGAL.
const char *nav_trace_reason_word(nav_trace_reason reason);

// A movement log to be checked.
typedef struct nav_trace_request {
    const float (*positions)[3];
    const double *times_ms; // NULL: there are none, and no speed limit
    uint32_t count;
    float max_speed; // world units a second, 0: no limit
    bool no_detours; // a step leads straight or over a link from end to end, as in a path
    nav_options options;
} nav_trace_request;

// The first fault of a movement log.
typedef struct nav_trace {
    nav_trace_reason reason;
    uint32_t step;     // of the first illegal position; count where all are legal
    float position[3]; // where it went wrong
    double speed;      // world units a second of that step, where there are times
} nav_trace;

// Finds the first position to which one cannot have come from the one before. A step is legal if
// its straight line is open, or if it leads over an open link from end to end, at whatever cost:
// its ends then lie within the agent's radius of the link's, with a straight walk between. Else,
// without no_detours, if the way that `fast` finds around took no longer than there was time for at
// max_speed; without a speed limit, if that way takes a link, and the walk to it and from it is no
// longer than the step and the link. Ground of shapes that block the first position is legal: as a
// path, the log leaves them. Errors: NAV_NO_MEMORY.
nav_status nav_query_trace(const nav_mesh *mesh, nav_scratch *scratch,
                           const nav_trace_request *request, nav_trace *out);

// ---------------------------------------------------------------------------------------------------
// Comparison of two versions of a mesh

// A component: ground with a way between any two of its positions.
typedef struct nav_island {
    uint32_t component; // as in nav_polygon; 0: there is none
    uint32_t polygons;
    double area;          // world units squared in plan view
    float min[3], max[3]; // bounds of its polygons
} nav_island;

// An island that is not the same in both meshes. If it has no partner in the other mesh, before
// or after is none.
typedef struct nav_island_change {
    nav_island before, after;
    bool shared; // without a partner, but its ground is there: now, or formerly, of another island
} nav_island_change;

// How the islands of two meshes differ.
typedef struct nav_mesh_diff {
    const nav_island_change *islands; // by component: those of before, then those that are new
    uint32_t island_count;
} nav_mesh_diff;

// The islands that went, came, or changed area or bounds by more than a thousandth of a unit.
// Islands of the two meshes are partners where they share most ground; ground is the same where the
// middle of a polygon of one mesh lies within snap of the other. The list is allocated from result,
// which also holds what the comparison needs. Errors: NAV_NO_MEMORY. Thread: any.
nav_status nav_mesh_compare(const nav_mesh *before, const nav_mesh *after, nav_snap snap,
                            nav_arena *result, nav_mesh_diff *out, nav_error *err);

// The box of a tile: in plan view its square of the grid, or of one tile alone, as in height, what
// its polygons take up. Any bytes are safe. Errors: NAV_BAD_BLOB.
nav_status nav_tile_bounds(nav_blob tile, float min[3], float max[3], nav_error *err);

#ifdef __cplusplus
}
#endif
