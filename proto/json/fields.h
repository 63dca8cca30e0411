// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fields.h: typed reading of settings and requests. One table of fields serves a question's JSON, a
// document, query arguments and, for settings, the writer; so GET and POST cannot drift apart.
// Private to proto/.
//
//   question {"start":[1,2,3]}          --tokens.c--+
//   document {"agent":{"radius":0.4}}   --cJSON-----+--> item --> field, checked --> struct, at
//   argument ?agent.radius=0.4          ------------+                                its offset

#pragma once

#include "proto/base/suggest.h"
#include "proto/json/tokens.h"
#include "proto/json/json.h"

// Of the rooms above, whose rows are read here.
typedef struct proto_avoid proto_avoid;
typedef struct proto_common proto_common;
typedef struct proto_kind proto_kind;
typedef struct proto_link proto_link;

struct cJSON;

// ---- items (values.c) ----

// One JSON value, of a question that is read token by token or of a document's tree. The inside of
// a question's list or object can be read once, and must be before anything behind it.
typedef struct proto_item {
    proto_token kind; // PROTO_TOKEN_OBJECT or one behind it
    double number;    // of PROTO_TOKEN_NUMBER
    const char *text; // of PROTO_TOKEN_STRING, decoded; cut where it has escapes and is longer than
    size_t text_bytes;           // any word; valid until the next item is read
    const struct cJSON *node;    // of a document, else NULL
    struct proto_source *source; // of a question, else NULL
} proto_item;

// A question's text while it is read.
typedef struct proto_source {
    proto_tokens tokens;
    char name[PROTO_NUMBER_BYTES_MAX + 1]; // of the newest member, where it has escapes
    char text[PROTO_NUMBER_BYTES_MAX + 1]; // likewise of the newest string
} proto_source;

// A member of an object: its name as the item's text is, and its value.
typedef struct proto_member {
    const char *name;
    size_t name_bytes;
    proto_item value;
} proto_member;

// The value that a text holds. Whether it is JSON to its end is known once all of it was read and
// proto_source_is_over; PROTO_TOKEN_WRONG is the kind of what is no value.
proto_item proto_item_begin(proto_source *source, const char *json, size_t size_bytes,
                            uint32_t values_max);
bool proto_source_is_over(proto_source *source);
// A value of a document's tree, from which the item borrows. NULL is as null: an error can tell of
// it.
proto_item proto_item_of_node(const struct cJSON *node);

// The elements of a list one after the other, each read before the next: false behind the last.
bool proto_item_first(const proto_item *list, proto_item *element);
bool proto_item_next(proto_item *element);
// The same of an object's members.
bool proto_member_first(const proto_item *object, proto_member *member);
bool proto_member_next(proto_member *member);
// Looks for a member of an object of a question that is read only later, with `ahead` as the room
// for it. False: there is none before the object ends, or before what is no JSON.
bool proto_member_find(const proto_item *object, const char *name, proto_source *ahead,
                       proto_item *value);
// How many elements a list has, or an object members, which can be read afterwards; of a question
// that is no JSON, no fewer than can be read.
uint32_t proto_item_count(const proto_item *item);
// The text of a question from this item on, which may be read once more from there.
const char *proto_item_text(const proto_item *item, size_t *size_bytes);
// The whole text of a string, from memory, with a zero at its end; NULL: no memory.
const char *proto_item_keep_text(const proto_item *item, nav_arena *memory);

// ---- tables of fields (fields.c) ----

typedef enum proto_field_type {
    PROTO_FIELD_FLOAT,      // float, min to max
    PROTO_FIELD_DOUBLE,     // double, min to max
    PROTO_FIELD_UINT,       // uint32_t, a whole number, min to max
    PROTO_FIELD_BOOL,       // bool: true, false; as an argument also 1, 0
    PROTO_FIELD_CHOICE,     // an enum: the index of the word in words
    PROTO_FIELD_TILE_CELLS, // uint32_t: a whole number, or "auto" for NAV_TILE_CELLS_AUTO
    PROTO_FIELD_POINT,      // float[3]: [x,y,z]; as an argument "x,y,z"
    PROTO_FIELD_SEGMENT,    // float[6]: two points in a row
    PROTO_FIELD_STRING,     // const char *, borrowed from the tree; in documents only
    PROTO_FIELD_TREE,       // const struct cJSON *: anything, read by the caller; in documents only
    PROTO_FIELD_SWITCH,     // bool, or in a document an object, which is kept at tree_offset
    PROTO_FIELD_WORDS,      // uint32_t: bit i for word i; a list, as an argument "a,b"
    PROTO_FIELD_READ,       // whatever `read` makes of it; as an argument JSON, or a bare word
} proto_field_type;

// What a number of a field counts.
typedef enum proto_unit {
    PROTO_UNIT_NONE,         // metres, degrees, things
    PROTO_UNIT_LENGTH,       // units of the level: lengths, positions, costs, speeds; bounds are
                             // metres, but for a lower one that is not below 0
    PROTO_UNIT_LENGTH_STAYS, // likewise, and left as sent by proto_lengths_to_mesh
} proto_unit;

// Offset of a field whose value is checked, but kept nowhere.
#define PROTO_FIELD_NOWHERE SIZE_MAX

typedef struct proto_field proto_field;

// Reads an item into target, at the field's offset. `at` names it in errors.
typedef nav_status (*proto_field_read)(const proto_item *item, const char *at,
                                       const proto_field *field, void *target, nav_error *err);

struct proto_field {
    const char *name; // with dots for nested objects; at most one dot
    proto_field_type type;
    size_t offset;
    size_t tree_offset; // switches only
    double min, max;    // numbers; of points only where max is above min
    proto_unit unit;    // of numbers and points
    bool required;
    const char *const *words; // choices and words only; ends with NULL
    proto_field_read read;    // PROTO_FIELD_READ only
    const char *note;         // a sentence for the error of a wrong value, or NULL
};

typedef struct proto_fields {
    const proto_field *rows;
    uint32_t count; // at most 64
    // Metres of the level's unit: lengths become metres as they are read. 0: not known yet; they
    // are kept as they were sent, and proto_lengths_check is still to come.
    double scale;
} proto_fields;
#define PROTO_ROWS(rows) PROTO_ROWS_IN(rows, 0.0)
#define PROTO_ROWS_IN(rows, scale) ((proto_fields){(rows), sizeof(rows) / sizeof((rows)[0]), scale})

// Reads a question, a JSON object of at most values_max values, into target. *seen gets a bit per
// row that was given. Errors: PROTO_BAD_JSON and kin (also for a name that appears twice; what is
// no JSON at all is told before what is wrong with a field), PROTO_UNKNOWN_FIELD,
// NAV_INVALID_FIELD.
nav_status proto_fields_read_json(proto_fields fields, const char *json, size_t size_bytes,
                                  uint32_t values_max, void *target, uint64_t *seen,
                                  nav_error *err);
// The same of an object within; required rows must be there. Names in errors begin with prefix: ""
// or e.g. "volumes[3].".
nav_status proto_fields_read_item(proto_fields fields, const proto_item *object, const char *prefix,
                                  void *target, uint64_t *seen, nav_error *err);
nav_status proto_fields_read_tree(proto_fields fields, const struct cJSON *object,
                                  const char *prefix, void *target, uint64_t *seen, nav_error *err);
// Reads one argument. *row is its row, or NAV_NONE if the key is no field (NAV_OK then).
nav_status proto_fields_read_arg(proto_fields fields, const proto_arg *arg, void *target,
                                 uint32_t *row, nav_error *err);
// Reads all arguments; a key that is no field or given twice is an error.
nav_status proto_fields_read_args(proto_fields fields, const proto_arg *args, size_t arg_count,
                                  void *target, uint64_t *seen, nav_error *err);
// NAV_INVALID_FIELD if a required row is not among those seen.
nav_status proto_fields_check_required(proto_fields fields, uint64_t seen, nav_error *err);

// For an object in which one member decides which others there are: those of `must` have to be
// among the rows seen, those of neither set may not.
nav_status proto_fields_check_members(proto_fields fields, const char *prefix, uint64_t seen,
                                      uint64_t must, uint64_t may, nav_error *err);
// Lengths that were read before the level's unit was known, of the rows that were seen (an infinite
// one was not sent). Checks them against their bounds. Errors: NAV_INVALID_FIELD.
nav_status proto_lengths_check(proto_fields fields, const char *prefix, uint64_t seen,
                               const void *target, nav_coordinates coordinates, nav_error *err);
// Makes them metres, once; points are left as they are.
void proto_lengths_to_mesh(proto_fields fields, uint64_t seen, void *target,
                           nav_coordinates coordinates);
// Errors that several readers have; each fills err and returns its status: NAV_NO_MEMORY;
// PROTO_UNKNOWN_FIELD of an argument that is in none of up to two tables, with the names that there
// are and the one that was probably meant; `status` at a name that is given twice.
nav_status proto_fields_no_memory(nav_error *err);
nav_status proto_fields_unknown_arg(const char *key, const proto_fields *tables, size_t count,
                                    nav_error *err);
nav_status proto_fields_twice(const char *name, nav_status status, nav_error *err);

// ---- one value (values.c) ----

// A value from any source: item is NULL for an argument.
typedef struct proto_value {
    const proto_field *field;
    const proto_item *item;
    const char *text;
    size_t text_bytes;
    void *target;
    nav_error *err;
    const char *prefix; // before the field's name in errors, or NULL
    double scale;       // of proto_fields
} proto_value;

// Reads, checks and stores the value.
nav_status proto_value_read(const proto_value *v);
// The shortest text of a number that reads back as the same.
#define PROTO_NUMBER_TEXT_BYTES 40
void proto_value_number(double number, char out[PROTO_NUMBER_TEXT_BYTES]);
// Says in err what an item is.
void proto_value_got(nav_error *err, const proto_item *item);

// ---- lists, and errors of readers of their own (lists.c) ----

// An item that is not what was expected.
nav_status proto_item_invalid(const proto_item *item, const char *at, const char *expected,
                              nav_error *err);
nav_status proto_node_invalid(const struct cJSON *node, const char *at, const char *expected,
                              nav_error *err);
// An item that is not a number within bounds; `more` is what else it may be, or "".
nav_status proto_item_not_within(const proto_item *item, const char *at, double least, double most,
                                 const char *more, nav_error *err);
nav_status proto_node_not_within(const struct cJSON *node, const char *at, double least,
                                 double most, const char *more, nav_error *err);
nav_status proto_fields_too_many(const char *at, uint32_t count, uint32_t limit, nav_error *err);
// `count` finite numbers. The item is element `index` of what `at` names, or with NAV_NONE that
// itself.
nav_status proto_item_numbers(const proto_item *item, const char *at, uint32_t index,
                              uint32_t count, float *out, nav_error *err);
// `count` coordinates in units of so many metres, which become metres, each within the mesh's.
nav_status proto_node_coordinates(const struct cJSON *node, const char *at, uint32_t count,
                                  double scale, float *out, nav_error *err);
// How many elements a document's list has; one with more than limit is an error.
nav_status proto_fields_count(const struct cJSON *list, const char *at, uint32_t limit,
                              uint32_t *count, nav_error *err);
// Its elements one after the other: the first of a list, then the one after; NULL at the end.
const struct cJSON *proto_fields_first(const struct cJSON *list);
const struct cJSON *proto_fields_next(const struct cJSON *item);
// The name of a member, where they are an object's; else "".
const char *proto_fields_name(const struct cJSON *item);

// ---- requests ----

struct proto_kind {
    proto_fields fields;
    size_t size_bytes;                   // of the struct, which begins with a proto_common
    uint32_t batch_rows;                 // the last rows so many only a query of a batch has
    uint32_t values_max;                 // of its JSON; 0: PROTO_JSON_VALUES_MAX
    void (*set_defaults)(void *request); // of what is not 0 and not common; may be NULL
    // Once all rows are read, while the text is still there; may be NULL.
    nav_status (*finish)(void *request, uint64_t seen, nav_error *err);
};

// A query of a batch before its members are read.
void proto_request_begin(const proto_kind *kind, nav_arena *memory, proto_common *out);
// Reads a query of a batch into *out, the struct of its kind, which is undefined on failure. Names
// in errors begin with prefix.
nav_status proto_request_query(const proto_kind *kind, const proto_item *item, const char *prefix,
                               nav_arena *memory, proto_common *out, nav_error *err);

// Readers of rows whose target begins with a proto_common, from whose memory lists and texts come.
// Of a query in a batch, which names_lists, a filter or shapes may be the number of a list.
nav_status proto_read_filter(const proto_item *item, const char *at, const proto_field *field,
                             void *target, nav_error *err);
nav_status proto_read_instance(const proto_item *item, const char *at, const proto_field *field,
                               void *target, nav_error *err);
nav_status proto_read_avoid(const proto_item *item, const char *at, const proto_field *field,
                            void *target, nav_error *err);
// The number of one of a batch's lists, counted from 0, into one that is counted from 1. Whether
// there is such a list is known once all of the batch has been read.
nav_status proto_read_list_number(const proto_item *item, const char *at, uint32_t *out,
                                  nav_error *err);
// A list of up to NAV_FLAGS_MAX names of flags, from memory.
nav_status proto_read_flag_names(const proto_item *list, const char *at, nav_arena *memory,
                                 const char *const **out, uint32_t *out_count, nav_error *err);
// One shape. Names in errors begin with prefix, "avoid[3]."; outlines come from memory.
nav_status proto_read_shape(const proto_item *item, const char *prefix, nav_arena *memory,
                            proto_avoid *out, nav_error *err);
// Its lengths, once the level's unit is known.
nav_status proto_shape_check(const proto_avoid *shape, nav_coordinates coordinates, nav_error *err);
// One link, likewise; names of its area and flags come from memory.
nav_status proto_read_link(const proto_item *item, const char *prefix, nav_arena *memory,
                           proto_link *out, nav_error *err);
// A list of up to field->max points into a proto_points.
nav_status proto_read_points(const proto_item *item, const char *at, const proto_field *field,
                             void *target, nav_error *err);
// A list of up to field->max finite numbers into a proto_numbers.
nav_status proto_read_numbers(const proto_item *item, const char *at, const proto_field *field,
                              void *target, nav_error *err);
// A string or number of a question, not of a document, into a const char * to its JSON text; a
// number's is the text that was sent.
nav_status proto_read_id(const proto_item *item, const char *at, const proto_field *field,
                         void *target, nav_error *err);
