// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// gltf.h: what the files of the glTF reader share. Its JSON is never a tree: the elements of each
// list are found once, and one is read when it is needed. Private to proto/geometry/.
//
//   bytes --glb.c--> JSON and BIN --objects.c--> elements of lists --accessors.c--> numbers
//   nodes --scene.c--> placed meshes --meshes.c--> triangles, or --shapes.c--> points of a shape
//
// Source: Khronos Group, "glTF 2.0 Specification" (ISO/IEC 12113:2022), and the extensions
// KHR_mesh_quantization and EXT_mesh_gpu_instancing of its registry.

#pragma once

#include "proto/geometry/geometry.h"

#define PROTO_GLTF_JSON_BYTES_MAX (256u << 20)
#define PROTO_GLTF_JSON_DEPTH_MAX 64u
#define PROTO_GLTF_JSON_VALUES_MAX 20000000u
#define PROTO_GLTF_ELEMENTS_MAX 1000000u // of each list
#define PROTO_GLTF_NODE_DEPTH_MAX 1024u
#define PROTO_GLTF_PLACED_MAX 10000000u      // primitives, over all nodes and their instances
#define PROTO_GLTF_SHAPE_POINTS_MAX 1000000u // of all shapes
#define PROTO_GLTF_SHAPE_TRIANGLES_MAX (4 * PROTO_GLTF_SHAPE_POINTS_MAX)
// Bytes of JSON that are read, each time that they are, for each byte of it, and of the shortest.
#define PROTO_GLTF_READS_MAX 32u
#define PROTO_GLTF_READ_BYTES_FREE (16ull << 20)
#define PROTO_GLTF_EXACT_MAX 9007199254740992.0 // whole numbers of JSON up to here are exact

// ---- objects.c ----

typedef enum proto_gltf_list {
    PROTO_GLTF_SCENES,
    PROTO_GLTF_NODES,
    PROTO_GLTF_MESHES,
    PROTO_GLTF_ACCESSORS,
    PROTO_GLTF_BUFFER_VIEWS,
    PROTO_GLTF_BUFFERS,
    PROTO_GLTF_MATERIALS,
    PROTO_GLTF_LIST_COUNT
} proto_gltf_list;

// A value as it stands in the JSON chunk, up to the chunk's end; at NULL: it is not there.
typedef struct proto_gltf_value {
    const char *at;
    size_t size_bytes;
} proto_gltf_value;

#define PROTO_GLTF_STRING_BYTES_MAX 256u
typedef struct proto_gltf_string {
    char text[PROTO_GLTF_STRING_BYTES_MAX]; // as far as there is room
    size_t size_bytes;                      // of text; 0: it is not there, or empty
} proto_gltf_string;

typedef enum proto_gltf_kind {
    PROTO_GLTF_INDEX,   // uint32_t, below the count of row->list
    PROTO_GLTF_WHOLE,   // uint64_t
    PROTO_GLTF_BOOL,    // bool
    PROTO_GLTF_STRING,  // proto_gltf_string
    PROTO_GLTF_TEXT,    // proto_gltf_value: a string as it stands there, escapes and all
    PROTO_GLTF_OBJECT,  // proto_gltf_value
    PROTO_GLTF_ARRAY,   // proto_gltf_value
    PROTO_GLTF_NUMBERS, // double[row->count], all or none of them
} proto_gltf_kind;

typedef struct proto_gltf_row {
    const char *name;
    proto_gltf_kind kind;
    size_t offset;
    proto_gltf_list list;
    uint32_t count;
} proto_gltf_row;

// A row of a member, without its list and count.
#define PROTO_GLTF_ROW(json_name, row_kind, of, member)                                            \
    .name = json_name, .kind = PROTO_GLTF_##row_kind, .offset = offsetof(of, member)

typedef struct proto_gltf_rows {
    const proto_gltf_row *rows;
    uint32_t count; // at most 32
} proto_gltf_rows;

// ---- accessors.c ----

// The places of an accessor's numbers, within the BIN chunk.
typedef struct proto_gltf_source {
    const uint8_t *bytes; // of element 0; NULL: all are zeros
    size_t stride_bytes;
    const uint8_t *sparse_indices, *sparse_values;
    uint32_t sparse_count, sparse_type; // replaced elements, in rising order
    uint32_t count, accessor;
    uint32_t type, components; // type: of a component, as glTF numbers them
    bool is_normalized;
} proto_gltf_source;

// Reads the elements of a source one after another.
typedef struct proto_gltf_cursor {
    const proto_gltf_source *source;
    uint32_t next, sparse_next;
} proto_gltf_cursor;

// ---- meshes.c ----

typedef enum proto_gltf_mode {
    PROTO_GLTF_TRIANGLES = 4,
    PROTO_GLTF_STRIP = 5,
    PROTO_GLTF_FAN = 6,
} proto_gltf_mode;

// A morph target by whose weight a mesh differs from its positions.
typedef struct proto_gltf_morph {
    proto_gltf_source moves;
    double weight;
} proto_gltf_morph;

#define PROTO_GLTF_MORPHS_MAX 64u // of a primitive

typedef struct proto_gltf_primitive {
    proto_gltf_source positions, indices;
    uint32_t morph_first, morph_count; // in morphs
    bool has_indices;
    bool shares_vertices; // with the primitive before it
    proto_gltf_mode mode;
    uint32_t triangle_count;
    nav_name material;
} proto_gltf_primitive;

typedef struct proto_gltf_mesh {
    bool is_read;
    uint32_t first, count;                 // in primitives
    uint64_t vertex_count, triangle_count; // of one that is placed
    uint64_t move_count;                   // of its vertices by morph targets
} proto_gltf_mesh;

// ---- scene.c ----

// Rows of an affine transform: x' = m[0] x + m[1] y + m[2] z + m[3].
typedef struct proto_gltf_transform {
    double m[12];
} proto_gltf_transform;

// A node with a mesh, and what EXT_mesh_gpu_instancing repeats it by.
typedef struct proto_gltf_placed {
    uint32_t node, mesh;
    uint32_t shape_node; // whose name makes the mesh a shape; NAV_NONE: it is ground
    proto_gltf_transform transform;
    uint32_t instance_count; // 1 without the extension
    bool has_instances, has_translations, has_rotations, has_scales;
    proto_gltf_source translations, rotations, scales;
} proto_gltf_placed;

typedef struct proto_gltf {
    const proto_geometry_limits *limits; // the reader's
    uint64_t work;                       // since the last poll
    // ---- glb.c ----
    uint8_t head[12]; // of the file or of a chunk, of which head_bytes have come
    uint32_t head_bytes;
    bool has_header, has_bin, in_chunk, is_text; // is_text: it is all JSON
    uint64_t taken_bytes, promised_bytes;        // of the file
    uint32_t chunk_type, chunk_left, chunk_number;
    char *json;
    uint8_t *bin;
    size_t json_capacity, json_bytes, bin_capacity, bin_bytes;
    // ---- objects.c ----
    uint32_t *begins[PROTO_GLTF_LIST_COUNT]; // of each element, in json
    uint32_t counts[PROTO_GLTF_LIST_COUNT];
    uint32_t scene;      // NAV_NONE: the first
    uint64_t read_bytes; // of JSON, by proto_gltf_read
    // ---- scene.c ----
    uint32_t *parents, *first_children, *next_siblings; // of each node, NAV_NONE: none
    // ---- accessors.c ----
    uint64_t buffer_bytes; // of the first buffer, once it has been read
    uint8_t *checked;      // a bit an accessor: its sparse indices are in order
    // ---- meshes.c ----
    proto_gltf_mesh *meshes;
    proto_gltf_primitive *primitives;
    proto_gltf_morph *morphs;
    size_t primitives_capacity, morphs_capacity;
    uint32_t primitive_count, morph_count;
    bool has_materials;
    // Counts of the walk.
    uint64_t placed_count;
    uint64_t vertex_count, triangle_count;           // of the ground
    uint64_t move_count;                             // of all vertices by morph targets
    uint64_t shape_vertices, shape_triangles;        // of the largest shape
    uint64_t shape_count, shape_points, shape_faces; // of all: their vertices and triangles
} proto_gltf;

// Every function here leaves its outputs untouched on failure, but for the two that read members;
// no caller goes on with them.

// ---- errors ----

// PROTO_BAD_GEOMETRY at a place, with what is wrong there and what to do.
nav_status proto_gltf_fail(nav_error *err, const nav_error_place *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// ---- objects.c ----

// Bounds the JSON chunk, finds the elements of its lists and refuses the extensions that are
// required and not known. Errors: those of proto_json_scan, PROTO_BAD_GEOMETRY,
// NAV_GEOMETRY_TOO_LARGE, NAV_NO_MEMORY.
nav_status proto_gltf_index(proto_gltf *g, nav_error *err);
// Counts work that takes some nanoseconds each, and polls at times.
nav_status proto_gltf_poll(proto_gltf *g, uint64_t work, nav_error *err);
// Reads an object by its rows; what no row names is skipped. A member that is not there stays as it
// is. On failure the members before the refused one have been read, and the others are as they
// were. NAV_GEOMETRY_TOO_LARGE: so many places name long objects that reading them all would take
// too long.
nav_status proto_gltf_read(proto_gltf *g, proto_gltf_value object, proto_gltf_rows rows,
                           const nav_error_place *at, void *out, nav_error *err);
// The same of an element of a list.
nav_status proto_gltf_read_element(proto_gltf *g, proto_gltf_list list, uint32_t index,
                                   proto_gltf_rows rows, nav_error_place *at, void *out,
                                   nav_error *err);
// The member of an object of extensions, as an object; what is not there stays as it is.
nav_status proto_gltf_extension(proto_gltf *g, proto_gltf_value extensions, const char *name,
                                const nav_error_place *at, proto_gltf_value *out, nav_error *err);
// The elements of an array in turn; false at its end.
typedef struct proto_gltf_items {
    proto_tokens tokens;
    uint32_t index; // of the newest
} proto_gltf_items;

void proto_gltf_items_begin(proto_gltf_items *items, proto_gltf_value array);
bool proto_gltf_items_next(proto_gltf_items *items, proto_gltf_value *out);
// A value that must be an index into a list.
nav_status proto_gltf_index_value(const proto_gltf *g, proto_gltf_value value, proto_gltf_list list,
                                  const nav_error_place *at, uint32_t *out, nav_error *err);

// A value that must be a finite number.
nav_status proto_gltf_number_value(proto_gltf_value value, const nav_error_place *at, double *out,
                                   nav_error *err);

// ---- accessors.c ----

// The kinds of accessors that are read.
typedef enum proto_gltf_use {
    PROTO_GLTF_POSITIONS,
    PROTO_GLTF_INDICES,
    PROTO_GLTF_TRANSLATIONS,
    PROTO_GLTF_ROTATIONS,
    PROTO_GLTF_SCALES,
} proto_gltf_use;

// An accessor whose every byte is there, as the use wants it.
nav_status proto_gltf_open(proto_gltf *g, uint32_t accessor, proto_gltf_use use,
                           proto_gltf_source *out, nav_error *err);
// Elements without bytes are zeros. PROTO_BAD_GEOMETRY: there are more of them than the file has
// bytes.
nav_status proto_gltf_check_zeros(const proto_gltf *g, const proto_gltf_source *source,
                                  nav_error *err);
// The next element; source->components numbers.
void proto_gltf_next_numbers(proto_gltf_cursor *cursor, double *out);
uint32_t proto_gltf_next_index(proto_gltf_cursor *cursor);

// ---- scene.c ----

// Checks the tree of nodes and finds what hangs below what.
nav_status proto_gltf_link_nodes(proto_gltf *g, nav_error *err);
// Calls visit for each node with a mesh below the scene's roots, in their order, parents first.
typedef nav_status proto_gltf_visit(proto_geometry_reader *reader, const proto_gltf_placed *placed,
                                    nav_error *err);
nav_status proto_gltf_walk(proto_geometry_reader *reader, proto_gltf_visit *visit, nav_error *err);
proto_gltf_transform proto_gltf_compose(const proto_gltf_transform *outer,
                                        const proto_gltf_transform *inner);
proto_gltf_transform proto_gltf_transform_of(const double translation[3], const double rotation[4],
                                             const double scale[3]);
bool proto_gltf_is_identity(const proto_gltf_transform *transform);
// Normalizes a rotation; false: it is none.
bool proto_gltf_unit(double rotation[4]);

// ---- meshes.c ----

// A visit that counts, and reads each mesh once; checks the counts against the limits.
nav_status proto_gltf_count(proto_geometry_reader *reader, const proto_gltf_placed *placed,
                            nav_error *err);
// Room for all that was counted.
nav_status proto_gltf_reserve(proto_geometry_reader *reader, nav_error *err);
// A visit that adds triangles, or shapes.
nav_status proto_gltf_add(proto_geometry_reader *reader, const proto_gltf_placed *placed,
                          nav_error *err);

// ---- data.c ----

// Decodes the first buffer, if that is a data: URI. Errors: PROTO_BAD_GEOMETRY, NAV_NO_MEMORY,
// those of limits->hold.
nav_status proto_gltf_take_data(proto_gltf *g, nav_error *err);

// ---- shapes.c ----

// Reads what the name of a node says; *is_shape false: nothing.
nav_status proto_gltf_shape_name(const proto_gltf_string *name, const nav_error_place *at,
                                 bool *is_shape, proto_geometry_shape *out, nav_error *err);
// Turns the triangles that begin with first_triangle, and the vertices from first_vertex on, into a
// shape, and takes them out of the geometry.
nav_status proto_gltf_take_shape(proto_geometry_reader *reader, const proto_gltf_placed *placed,
                                 uint32_t first_vertex, uint32_t first_triangle, nav_error *err);
