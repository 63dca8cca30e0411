// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// upload.h: the bytes of an upload to triangles and the text of its settings, and triangles to the
// packed form in which they are stored and hashed.

#pragma once

#include "proto/json/json.h"

typedef enum proto_format {
    PROTO_FORMAT_OBJ,
    PROTO_FORMAT_JSON,
    PROTO_FORMAT_PACKED,  // layout in geometry/README.md; also the form in which geometry is stored
    PROTO_FORMAT_STL,     // text or binary
    PROTO_FORMAT_PLY,     // text, or binary of either byte order
    PROTO_FORMAT_GLB,     // binary glTF 2.0: see geometry/gltf/README.md
    PROTO_FORMAT_MSET,    // tiles of Detour's, which RecastDemo saves: no triangles
    PROTO_FORMAT_MMTILE,  // likewise, an archive of TrinityCore's .mmap and .mmtile files
    PROTO_FORMAT_UNKNOWN, // nobody says; a reader finds out by the first bytes
    PROTO_FORMAT_PARTS,   // of no bytes: several parts (geometry/parts.h), each of its own format
} proto_format;

// "obj", "json" ...
const char *proto_format_word(proto_format format);
// The media types and the endings of a format, by number from 0, the one to propose first; NULL:
// there are no more.
const char *proto_format_media_type(proto_format format, uint32_t number);
const char *proto_format_ending(proto_format format, uint32_t number);

// A streaming reader: feed bytes as they arrive, in pieces of any size, then end. There is no tree
// and no second copy of the text. Memory grows with the triangles, never with what a header merely
// promises. A reader belongs to one thread.
typedef struct proto_geometry_reader proto_geometry_reader;

// A level lacks something of its file, or has it otherwise. One table: enum and the word in
// "warnings". The name of an item is where it stands in the file, of a name that was shortened what
// it became.
#define PROTO_READ_WARNING_TABLE(X)                                                                \
    X(PROTO_READ_FACE_CROSSES, "face_crosses_itself")                                              \
    X(PROTO_READ_NAME_SHORTENED, "name_shortened")                                                 \
    X(PROTO_READ_SKIN_SKIPPED, "skin_skipped")

typedef enum proto_read_warning {
#define X(name, word) name,
    PROTO_READ_WARNING_TABLE(X)
#undef X
    PROTO_READ_WARNING_COUNT
} proto_read_warning;

typedef struct proto_geometry_limits {
    uint32_t vertices_max, triangles_max;
    // Settings: the `config` member of JSON geometry, which lies one level deeper, or a part.
    uint32_t config_bytes_max, config_depth_max, config_values_max;
    // Vertices and triangles of a glTF, whose nodes place a mesh as often as they want.
    uint64_t placed_bytes_max;
    // A vertex as it is sent, in the level's unit; 0: NAV_COORDINATE_MAX.
    double coordinate_max;
    // The reader's owner is asked, with hooks->user; NULL: nobody is. `cancelled` is polled in work
    // that may be long for its bytes. `hold` is asked before memory is made for more than has come.
    const nav_bake_hooks *hooks;
    nav_status (*hold)(void *user, uint64_t size_bytes, nav_error *err);
    nav_warning *warnings; // the owner's, by proto_read_warning; NULL: they are not kept
    const char *part;      // of which the level is one, for places of warnings; NULL: it is whole
} proto_geometry_limits;

// The largest coordinate of a level in any unit: that of the mesh in the smallest one.
#define PROTO_LEVEL_COORDINATE_MAX ((double)NAV_COORDINATE_MAX / NAV_SCALE_MIN)
// The defaults: all that the library can count, settings of 16 MiB, PROTO_JSON_DEPTH_MAX,
// PROTO_CONFIG_SENT_VALUES_MAX, any number of placed bytes, NAV_COORDINATE_MAX. Where settings may
// have another scale, a reader is given PROTO_LEVEL_COORDINATE_MAX, and proto_geometry_to_mesh
// checks what is left.
proto_geometry_limits proto_geometry_limits_default(void);

// A new reader, for proto_geometry_destroy; *out is untouched on failure. limits NULL: the
// defaults. Errors: NAV_NO_MEMORY.
nav_status proto_geometry_begin(proto_format format, const proto_geometry_limits *limits,
                                proto_geometry_reader **out, nav_error *err);
// Takes the next bytes, which are not needed afterwards. Errors: PROTO_BAD_GEOMETRY (with line),
// PROTO_BAD_JSON, PROTO_JSON_TOO_DEEP, PROTO_UNKNOWN_FIELD, NAV_INVALID_FIELD,
// NAV_VERTEX_NOT_FINITE, NAV_VERTEX_OUT_OF_RANGE, NAV_INDEX_OUT_OF_RANGE, NAV_GEOMETRY_TOO_LARGE,
// PROTO_BODY_TOO_LARGE (config), NAV_NO_MEMORY, NAV_CANCELLED, those of hold; PROTO_MEDIA_TYPE
// where the first bytes are those of something else than the format, or of nothing that is read (at
// = "byte 0", got names it). After an error only destroy may be called.
nav_status proto_geometry_feed(proto_geometry_reader *reader, const void *bytes, size_t size_bytes,
                               nav_error *err);
// Checks that the text is whole and the geometry valid (nav_geometry_check). The result is borrowed
// from the reader.
nav_status proto_geometry_end(proto_geometry_reader *reader, nav_geometry *out, nav_error *err);
// The same, asked while the geometry is checked (nav_geometry_check_until). Errors: also
// NAV_CANCELLED.
nav_status proto_geometry_end_until(proto_geometry_reader *reader, const nav_bake_hooks *hooks,
                                    nav_geometry *out, nav_error *err);
// The format that is read; PROTO_FORMAT_UNKNOWN until the first bytes have shown it.
proto_format proto_geometry_format(const proto_geometry_reader *reader);
// The bytes of a file that has tiles and no triangles, for proto_detour_open; NULL: it has
// triangles. Borrowed; after proto_geometry_end, which leaves the geometry empty then.
const void *proto_geometry_source(const proto_geometry_reader *reader, size_t *size_bytes);
// The `config` member of JSON geometry as text, or NULL. Borrowed; after proto_geometry_end.
const char *proto_geometry_config(const proto_geometry_reader *reader);
// A volume or a shape of a switch that stands in the geometry beside its triangles: a node of a
// glTF. The points are the level's, as vertices are.
typedef struct proto_geometry_shape {
    bool is_switch;      // else a volume
    nav_name name;       // id of the switch, area of the volume
    uint32_t node;       // of the file
    const float *points; // 3 * point_count
    uint32_t point_count;
} proto_geometry_shape;

// All of them, in the order of their nodes. Borrowed; after proto_geometry_end.
const proto_geometry_shape *proto_geometry_shapes(const proto_geometry_reader *reader,
                                                  uint32_t *count);
void proto_geometry_destroy(proto_geometry_reader *reader); // NULL is harmless
// The memory of what the bytes have become; where they are kept as they are it has no part. reader
// NULL: none.
uint64_t proto_geometry_memory(const proto_geometry_reader *reader);

// Turns the vertices into the mesh's coordinates, in place, and the corners of triangles so that
// their front stays where it is: what is packed or hashed afterwards is no longer what was read.
// After proto_geometry_end, once. Errors: NAV_VERTEX_OUT_OF_RANGE, after which only destroy may be
// called.
nav_status proto_geometry_to_mesh(proto_geometry_reader *reader, nav_coordinates coordinates,
                                  nav_error *err);

// ---- the body of an upload: geometry, or a form that has geometry and settings as parts ----

typedef struct proto_body_type {
    // multipart/form-data, with parts `geometry` and `config`, or `geometry.NAME` for each part of
    // the level, `parts` with their places, and `config`, in any order.
    bool is_form;
    proto_format format; // where it is none; PROTO_FORMAT_UNKNOWN: the type does not say
    char boundary[71];   // where it is one
} proto_body_type;

// The kind of body that a Content-Type (NULL: there was none) names. None, and those that say
// nothing (application/octet-stream, curl's for --data-binary) leave it to the first bytes. Errors:
// PROTO_MEDIA_TYPE; PROTO_BAD_MULTIPART where a form has no boundary, or one that cannot be (at =
// "Content-Type").
nav_status proto_body_type_read(const char *content_type, proto_body_type *out, nav_error *err);
// The format that the ending of a file's name stands for; PROTO_FORMAT_UNKNOWN: none.
proto_format proto_format_of_file(const char *name);

// Streams like a geometry reader: what a form holds of the body is at most the headers of one part
// and the settings.
typedef struct proto_body proto_body;

// A new body, for proto_body_destroy. limits NULL: the defaults; config_bytes_max holds for the
// part `config`, too. Errors: NAV_NO_MEMORY.
nav_status proto_body_begin(const proto_body_type *type, const proto_geometry_limits *limits,
                            proto_body **out, nav_error *err);
// Takes the next bytes. Errors: those of proto_geometry_feed; of a form also PROTO_BAD_MULTIPART
// (at = "byte 17", of the whole body; all other places are those of the part),
// PROTO_HEADERS_TOO_LARGE, PROTO_UNKNOWN_FIELD (a part that is not known), NAV_INVALID_FIELD (one
// that is there twice), PROTO_MEDIA_TYPE (a part of a type not taken, or encoded in itself),
// PROTO_JSON_TOO_MANY_VALUES. After one only destroy may be called.
nav_status proto_body_feed(proto_body *body, const void *bytes, size_t size_bytes, nav_error *err);
// As proto_geometry_end. NAV_INVALID_FIELD, too: a form without geometry, or with settings both
// within it and beside it.
nav_status proto_body_end(proto_body *body, nav_geometry *out, nav_error *err);
// The geometry of a body of several parts, in their places, which need the level's coordinates; of
// any other body proto_body_end has given it. After proto_body_end, once. Errors: those of
// proto_parts_place.
nav_status proto_body_place(proto_body *body, nav_coordinates coordinates, nav_geometry *out,
                            nav_error *err);
// The parts of a body that has several; NULL: it is one. The caller begins and ends those of a body
// that is no form, and proto_body_feed feeds the one that has begun.
struct proto_parts *proto_body_parts(const proto_body *body);
// After proto_body_end: the settings that were sent, as text (NULL: none; borrowed), the format of
// the geometry and proto_geometry_source. After proto_body_place: its shapes, and
// proto_geometry_to_mesh of it.
const char *proto_body_config(const proto_body *body);
proto_format proto_body_format(const proto_body *body);
const proto_geometry_shape *proto_body_shapes(const proto_body *body, uint32_t *count);
const void *proto_body_source(const proto_body *body, size_t *size_bytes);
nav_status proto_body_to_mesh(proto_body *body, nav_coordinates coordinates, nav_error *err);
uint64_t proto_body_memory(const proto_body *body); // proto_geometry_memory of all in it
void proto_body_destroy(proto_body *body);          // NULL is harmless

// The packed form: the same triangles always give the same bytes, whatever format they came in.
// out has room for proto_geometry_packed_size bytes.
size_t proto_geometry_packed_size(const nav_geometry *geometry);
void proto_geometry_pack(const nav_geometry *geometry, void *out);
