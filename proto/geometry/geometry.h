// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// geometry.h: parts that the formats of geometry share: triangle buffers and the state between two
// pieces of input. Private to proto/.

#pragma once

#include "proto/geometry/upload.h"
#include "proto/json/tokens.h"

// A word of text (number, keyword, name) gathered across pieces. One longer than this is refused.
typedef struct proto_word {
    char text[PROTO_NUMBER_BYTES_MAX + 1];
    uint32_t size_bytes;
} proto_word;

// ---- formats by their first bytes: see formats.c ----

#define PROTO_HEAD_BYTES 512u // no more are inspected

// The format of a file by its beginning, if its sender says that it is `declared`. ended: nothing
// follows. *out is PROTO_FORMAT_UNKNOWN while more bytes are needed, which is never the case when
// it has ended or there are PROTO_HEAD_BYTES. Errors: PROTO_MEDIA_TYPE.
nav_status proto_format_judge(proto_format declared, const uint8_t *bytes, size_t size_bytes,
                              bool ended, proto_format *out, nav_error *err);
// The media types that are proposed, with commas between them.
void proto_format_types(char *out, size_t space);

#define PROTO_STL_NAME_BYTES 80u
#define PROTO_STL_HEADER_BYTES 84u
#define PROTO_STL_RECORD_BYTES 50u

// Whether the first bytes of STL, all or at least PROTO_STL_HEADER_BYTES, are those of its binary
// form: no text has bytes like those of a count that can be read.
bool proto_stl_is_binary(const uint8_t *bytes, size_t size_bytes);

// ---- lines of words: see words.c ----

typedef enum proto_words_end {
    PROTO_WORDS_PIECE, // the piece is used up, perhaps within a word
    PROTO_WORDS_WORD,  // word.text is one, terminated
    PROTO_WORDS_LINE,
} proto_words_end;

typedef struct proto_words {
    proto_word word;
    bool taken;        // the word has been handed out
    bool after_return; // the last byte was \r: a \n now belongs to it
    bool after_line;   // the last byte ended a line
    uint64_t line;     // from 1; of the word, or of the end that has been handed out
} proto_words;

void proto_words_begin(proto_words *w);
// Goes on to the end of the next word or line and moves *bytes behind it. Errors:
// PROTO_BAD_GEOMETRY: a control character, a word that is too long.
nav_status proto_words_next(proto_words *w, const char **bytes, const char *end,
                            proto_words_end *out, nav_error *err);
// The text has ended: whether that was the end of a last word.
bool proto_words_last(proto_words *w);
// PROTO_BAD_GEOMETRY at the line, with the word as what was got.
nav_status proto_words_refuse(const proto_words *w, nav_error *err, const char *what);

// ---- records ----

#define PROTO_RECORD_BYTES_MAX 96u

// A record that the end of a piece has cut.
typedef struct proto_record {
    uint8_t bytes[PROTO_RECORD_BYTES_MAX]; // of which count have arrived
    uint32_t count;
} proto_record;

// The next record of `need` bytes, in the piece or put together in r, and moves on behind it; NULL:
// the piece is used up. `need` stays the same until there is one.
const uint8_t *proto_record_take(proto_record *r, uint32_t need, const uint8_t **bytes,
                                 size_t *size_bytes);

// ---- vertices that are not numbered: see weld.c ----

typedef struct proto_weld {
    uint32_t *table; // hash table of vertices, NAV_NONE where free
    uint32_t table_size;
    uint32_t used;
} proto_weld;

// ---- faces of more than three corners: see faces.c ----

typedef struct proto_geometry_face {
    uint32_t first, count; // its triangles, which are a fan as they come
    uint32_t line;         // of the file; in binary PLY the number of the face, from 1
} proto_geometry_face;

// The triangle that was added last is a further one of a face. begins: the face's second.
nav_status proto_faces_add(proto_geometry_reader *reader, bool begins, uint64_t line,
                           nav_error *err);
// Cuts all faces anew whose fan leaves them. The geometry has been checked. Errors: NAV_NO_MEMORY,
// NAV_CANCELLED, those of limits->hold.
nav_status proto_faces_cut(proto_geometry_reader *reader, nav_error *err);

// ---- materials: see materials.c ----

typedef struct proto_materials {
    nav_name *names; // by number, in order of first use
    uint32_t name_count;
    uint16_t *sorted;    // all numbers, in the order of names
    uint16_t *triangles; // the number of each triangle's material
    uint32_t count;
    const char **list; // names, as nav_geometry has them
    size_t names_capacity, sorted_capacity, triangles_capacity;
} proto_materials;

// The next triangle's material; "" means none. Errors: NAV_GEOMETRY_TOO_LARGE, NAV_NO_MEMORY.
nav_status proto_materials_add(proto_materials *m, const char *name, nav_error *err);
// Fills the geometry's materials, if it has any. Every triangle must have been given one, or none.
nav_status proto_materials_end(proto_materials *m, nav_geometry *geometry, nav_error *err);
void proto_materials_free(proto_materials *m);

// ---- OBJ: see obj.c ----

typedef enum proto_obj_mode {
    PROTO_OBJ_KEYWORD, // the line's first word is awaited or being read
    PROTO_OBJ_VERTEX,
    PROTO_OBJ_FACE,
    PROTO_OBJ_MATERIAL, // the rest of the line is a name, blanks within it and all
    PROTO_OBJ_SKIP,     // the rest of the line means nothing to us
} proto_obj_mode;

typedef struct proto_obj_corner {
    uint32_t vertex; // from 1; 0: there is none
    uint64_t line;
} proto_obj_corner;

typedef struct proto_obj_state {
    proto_words words; // its word, line and after_return
    proto_obj_mode mode;
    bool in_comment;
    bool after_backslash; // the last byte was one: a line end now continues the line
    float position[3];
    uint32_t number_count; // of the v line
    uint32_t corner_count; // of the f line
    uint32_t corner_first, corner_last;
    // Corners whose vertices were not there yet: the first of those that are missing, in files that
    // have vertices before faces; and the highest of all.
    proto_obj_corner ahead, highest;
    nav_name material; // of the faces to come
    bool has_materials;
} proto_obj_state;

// ---- JSON: see json.c ----

typedef enum proto_geojson_place {
    PROTO_GEOJSON_START,   // the outer object
    PROTO_GEOJSON_MEMBER,  // a name, or the end of the outer object
    PROTO_GEOJSON_VALUE,   // the member's value
    PROTO_GEOJSON_LIST,    // in vertices or triangles: a number or a row
    PROTO_GEOJSON_ROW,     // in a row: a number
    PROTO_GEOJSON_AREAS,   // in areas: a name
    PROTO_GEOJSON_CONFIG,  // inside the config object
    PROTO_GEOJSON_DONE,    // only blanks
    PROTO_GEOJSON_REFUSED, // the error is known; only the depth is still checked
} proto_geojson_place;

typedef enum proto_geojson_member {
    PROTO_GEOJSON_VERTICES,
    PROTO_GEOJSON_TRIANGLES,
    PROTO_GEOJSON_AREAS_MEMBER,
    PROTO_GEOJSON_CONFIG_MEMBER,
    PROTO_GEOJSON_MEMBER_COUNT
} proto_geojson_member;

// Names and numbers outside of config are at most this long; what a piece ends in is no longer.
#define PROTO_GEOJSON_TOKEN_BYTES_MAX 256u
#define PROTO_GEOJSON_TAIL_BYTES 320u

typedef struct proto_geojson_state {
    proto_tokens tokens;
    proto_geojson_place place;
    proto_geojson_member member;
    bool seen[PROTO_GEOJSON_MEMBER_COUNT];
    bool flat, nested;     // form of the list, once known
    uint32_t number_count; // of the row that is being read
    float position[3];
    uint32_t corners[3];
    uint32_t config_read;                // bytes of config that are in tokens
    uint32_t tail_bytes;                 // of the token that the last piece has ended in
    char tail[PROTO_GEOJSON_TAIL_BYTES]; // and the beginning of the next piece
    nav_error refused; // the error that is reported unless the text is too deep as well
} proto_geojson_state;

// ---- packed: see packed.c ----

typedef enum proto_packed_section {
    PROTO_PACKED_HEADER,
    PROTO_PACKED_VERTICES,
    PROTO_PACKED_TRIANGLES,
    PROTO_PACKED_AREAS,
    PROTO_PACKED_AREAS_PADDING,
    PROTO_PACKED_NAMES,
    PROTO_PACKED_MATERIALS,
    PROTO_PACKED_MATERIALS_PADDING,
    PROTO_PACKED_END,
} proto_packed_section;

#define PROTO_PACKED_HEADER_BYTES 24u

typedef struct proto_packed_state {
    proto_record record;
    proto_packed_section section;
    uint32_t left[PROTO_PACKED_END]; // records that each section still has
    nav_name *names;                 // as in the file
    uint32_t name_count;
    size_t names_capacity;
} proto_packed_state;

// ---- STL: see stl.c ----

typedef enum proto_stl_place {
    PROTO_STL_OUTSIDE, // before the first solid, or behind one
    PROTO_STL_NAME,    // behind `solid`: the rest of the line is a name
    PROTO_STL_SOLID,
    PROTO_STL_FACET,  // behind `facet`
    PROTO_STL_NORMAL, // behind `normal`
    PROTO_STL_OUTER,  // behind the normal
    PROTO_STL_LOOP,   // behind `outer`
    PROTO_STL_CORNER, // in the loop
    PROTO_STL_POSITION,
    PROTO_STL_LOOP_END,
    PROTO_STL_FACET_END,
    PROTO_STL_LAST_NAME, // behind `endsolid`
} proto_stl_place;

typedef struct proto_stl_state {
    bool has_begun, is_binary;
    proto_weld weld;
    // Text.
    proto_words words;
    proto_stl_place place;
    uint32_t number_count; // of the normal, or of the position
    float position[3];
    uint32_t corners[3];
    uint32_t corner_count; // of the facet
    // Binary.
    proto_record record;
    bool has_header;
    uint32_t promised; // triangles, by the header
} proto_stl_state;

// ---- binary glTF: see gltf/ ----

struct proto_gltf;

// ---- PLY: see ply.c and ply_header.c ----

typedef enum proto_ply_layout {
    PROTO_PLY_NONE, // no `format` has come
    PROTO_PLY_ASCII,
    PROTO_PLY_LITTLE,
    PROTO_PLY_BIG,
} proto_ply_layout;

typedef enum proto_ply_kind {
    PROTO_PLY_OTHER, // is skipped
    PROTO_PLY_VERTEX,
    PROTO_PLY_FACE,
    PROTO_PLY_STRIPS,
} proto_ply_kind;

typedef enum proto_ply_role {
    PROTO_PLY_X, // y and z follow
    PROTO_PLY_Y,
    PROTO_PLY_Z,
    PROTO_PLY_CORNERS, // a list of vertices
    PROTO_PLY_SKIP,
} proto_ply_role;

typedef struct proto_ply_type {
    uint8_t size_bytes; // 0: none
    bool is_float, is_signed;
} proto_ply_type;

typedef struct proto_ply_property {
    proto_ply_type type, count; // count.size_bytes is not 0: it is a list
    uint8_t role;
} proto_ply_property;

typedef struct proto_ply_element {
    proto_ply_kind kind;
    uint32_t count;
    uint16_t first, property_count; // in properties
} proto_ply_element;

#define PROTO_PLY_LINE_BYTES_MAX 512u // of the header, comments apart
#define PROTO_PLY_ELEMENTS_MAX 32u
#define PROTO_PLY_PROPERTIES_MAX 256u // of all elements

typedef struct proto_ply_state {
    // The header.
    bool has_header;
    char line[PROTO_PLY_LINE_BYTES_MAX + 1]; // of which line_bytes have arrived, or one more
    uint32_t line_bytes;
    uint32_t line_number;
    uint64_t byte; // how many have been taken
    proto_ply_layout layout;
    proto_ply_element elements[PROTO_PLY_ELEMENTS_MAX];
    uint32_t element_count;
    proto_ply_property properties[PROTO_PLY_PROPERTIES_MAX];
    uint32_t property_count;
    // The place in the data.
    uint32_t element, row, property; // numbers: row of the element, property of the row
    bool in_list;
    uint32_t list_left;
    uint64_t skip; // bytes, or words of text, that mean nothing
    proto_record value;
    proto_words words;
    float position[3];
    uint32_t corners[3];   // of a face the first and the last, of a strip the last two
    uint32_t corner_count; // of the face or strip
} proto_ply_state;

// Reads the header's bytes and moves on behind them; has_header once they were all.
nav_status proto_ply_read_header(proto_geometry_reader *reader, const uint8_t **bytes,
                                 size_t *size_bytes, nav_error *err);
// PROTO_BAD_GEOMETRY at the line that is being read.
nav_status proto_ply_refuse_line(const proto_ply_state *ply, nav_error *err, const char *what,
                                 const char *got);

struct proto_geometry_reader {
    proto_format format; // PROTO_FORMAT_UNKNOWN until it has begun
    proto_format declared;
    uint8_t head[PROTO_HEAD_BYTES]; // of which head_bytes have arrived, until the format has begun
    uint32_t head_bytes;
    proto_geometry_limits limits;
    bool closed; // ended or failed: only destroy is allowed
    bool turned; // proto_geometry_to_mesh has been called
    float *vertices;
    uint32_t *triangles;
    uint8_t *areas;
    proto_geometry_face *faces;
    proto_materials materials;
    char *config;
    proto_geometry_shape *shapes;
    float *shape_points; // of all shapes, one behind the other
    size_t vertices_capacity, triangles_capacity, areas_capacity, config_capacity;
    size_t shapes_capacity, shape_points_capacity, faces_capacity;
    uint32_t vertex_count, triangle_count, area_count, config_bytes;
    uint32_t shape_count, shape_point_count, face_count;
    uint8_t *source; // of a format without triangles: all bytes
    size_t source_bytes, source_capacity;
    union {
        proto_obj_state obj;
        proto_geojson_state json;
        proto_packed_state packed;
        proto_stl_state stl;
        proto_ply_state ply;
        struct proto_gltf *gltf;
    } state;
};

// ---- buffers.c ----

// Appends a vertex: NAV_GEOMETRY_TOO_LARGE, NAV_NO_MEMORY.
nav_status proto_geometry_add_vertex(proto_geometry_reader *reader, const float position[3],
                                     nav_error *err);
nav_status proto_geometry_add_triangle(proto_geometry_reader *reader, const uint32_t corners[3],
                                       nav_error *err);
// Puts `more` items behind the `count` that are there, in a block that doubles as it grows. list: a
// pointer to the pointer to the first; items: NULL, where only room for them is made. The list is
// as it was on failure.
nav_status proto_geometry_append(void *list, size_t *capacity, size_t count, const void *items,
                                 size_t more, size_t item_bytes, nav_error *err);
// PROTO_BODY_TOO_LARGE: settings of more than limits->config_bytes_max.
nav_status proto_geometry_config_too_large(const proto_geometry_limits *limits, nav_error *err);
// NAV_OK where value may be a coordinate of the next vertex; got is its text.
nav_status proto_geometry_check_coordinate(const proto_geometry_reader *reader, uint32_t axis,
                                           double value, const char *got, nav_error *err);

// Three float32 in a row, each checked as a coordinate of the next vertex.
nav_status proto_geometry_get_position(const proto_geometry_reader *reader, const uint8_t *bytes,
                                       float out[3], nav_error *err);
// The same of a number that has no text.
nav_status proto_geometry_check_number(const proto_geometry_reader *reader, uint32_t axis,
                                       double value, nav_error *err);
// NAV_GEOMETRY_TOO_LARGE where a header promises more `what` than the limit.
nav_status proto_geometry_check_promise(const char *what, uint32_t promised, uint32_t limit,
                                        nav_error *err);
// As text, "NaN" among them. *out is the number.
nav_status proto_geometry_read_coordinate(const proto_geometry_reader *reader, uint32_t axis,
                                          const proto_words *w, double *out, nav_error *err);
// The vertex of this position: one that is there already, if it has been welded in, or a new one.
nav_status proto_weld_vertex(proto_geometry_reader *reader, proto_weld *weld, float position[3],
                             uint32_t *out, nav_error *err);
void proto_weld_free(proto_weld *weld);

// Counts a warning, once for each name while there is room for it.
void proto_geometry_warn(const proto_geometry_limits *limits, proto_read_warning code,
                         const char *name);
// Keeps the name of a material (proto_text_keep_name), and warns of one that is too long.
void proto_geometry_keep_name(const proto_geometry_limits *limits, const char *text,
                              size_t size_bytes, nav_name out);
// NAV_CANCELLED where the hook says so.
nav_status proto_geometry_poll(const proto_geometry_limits *limits, nav_error *err);

// One reader per format. feed may be called any number of times, end once. The first piece has the
// first PROTO_STL_HEADER_BYTES of STL, if there are so many.
void proto_obj_begin(proto_geometry_reader *reader);
nav_status proto_obj_feed(proto_geometry_reader *reader, const uint8_t *bytes, size_t size_bytes,
                          nav_error *err);
nav_status proto_obj_end(proto_geometry_reader *reader, nav_error *err);
void proto_geojson_begin(proto_geometry_reader *reader);
nav_status proto_geojson_feed(proto_geometry_reader *reader, const uint8_t *bytes,
                              size_t size_bytes, nav_error *err);
nav_status proto_geojson_end(proto_geometry_reader *reader, nav_error *err);
nav_status proto_packed_feed(proto_geometry_reader *reader, const uint8_t *bytes, size_t size_bytes,
                             nav_error *err);
nav_status proto_packed_end(proto_geometry_reader *reader, nav_error *err);
void proto_packed_free(proto_geometry_reader *reader);
nav_status proto_stl_feed(proto_geometry_reader *reader, const uint8_t *bytes, size_t size_bytes,
                          nav_error *err);
nav_status proto_stl_end(proto_geometry_reader *reader, nav_error *err);
void proto_stl_free(proto_geometry_reader *reader);
nav_status proto_ply_feed(proto_geometry_reader *reader, const uint8_t *bytes, size_t size_bytes,
                          nav_error *err);
nav_status proto_ply_end(proto_geometry_reader *reader, nav_error *err);
nav_status proto_gltf_feed(proto_geometry_reader *reader, const uint8_t *bytes, size_t size_bytes,
                           nav_error *err);
nav_status proto_gltf_end(proto_geometry_reader *reader, nav_error *err);
void proto_gltf_free(proto_geometry_reader *reader);
