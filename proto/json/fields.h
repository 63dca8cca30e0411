// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fields.h: typed reading of settings and requests. One table of fields serves a JSON object, query
// arguments and, for settings, the writer; so GET and POST cannot drift apart. Private to proto/.
//
//   {"agent":{"radius":0.4}}  --+
//                               +--> field "agent.radius" --> checked --> struct at its offset
//   ?agent.radius=0.4         --+

#pragma once

#include "proto/proto.h"

typedef enum proto_field_type {
    PROTO_FIELD_FLOAT,      // float, min to max
    PROTO_FIELD_UINT,       // uint32_t, a whole number, min to max
    PROTO_FIELD_BOOL,       // bool: true, false; as an argument also 1, 0
    PROTO_FIELD_CHOICE,     // an enum: the index of the word in words
    PROTO_FIELD_TILE_CELLS, // uint32_t: a whole number, or "auto" for NAV_TILE_CELLS_AUTO
    PROTO_FIELD_POINT,      // float[3]: [x,y,z]; as an argument "x,y,z"
    PROTO_FIELD_SEGMENT,    // float[6]: two points in a row
    PROTO_FIELD_STRING,     // const char *, borrowed from the tree; in JSON only
    PROTO_FIELD_TREE,       // const struct cJSON *: anything, read by the caller; in JSON only
    PROTO_FIELD_SWITCH,     // bool, or in JSON an object, which is kept at tree_offset
    PROTO_FIELD_WORDS,      // uint32_t: bit i for word i; a list, as an argument "a,b"
    PROTO_FIELD_READ,       // whatever `read` makes of it; as an argument JSON, or a bare word
} proto_field_type;

// Offset of a field whose value is checked, but kept nowhere.
#define PROTO_FIELD_NOWHERE SIZE_MAX

struct cJSON;

typedef struct proto_field proto_field;

// Reads an item into target, at the field's offset. `at` names it in errors.
typedef nav_status (*proto_field_read)(const struct cJSON *item, const char *at,
                                       const proto_field *field, void *target, nav_error *err);

struct proto_field {
    const char *name; // with dots for nested objects; at most one dot
    proto_field_type type;
    size_t offset;
    size_t tree_offset; // switches only
    double min, max;    // numbers; of points only where max is above min
    bool required;
    const char *const *words; // choices and words only; ends with NULL
    proto_field_read read;    // PROTO_FIELD_READ only
    const char *note;         // a sentence for the error of a wrong value, or NULL
};

typedef struct proto_fields {
    const proto_field *rows;
    uint32_t count; // at most 64
} proto_fields;
#define PROTO_ROWS(rows) ((proto_fields){(rows), sizeof(rows) / sizeof((rows)[0])})

// Reads a JSON object into target. *seen gets a bit per row that was given. Errors: PROTO_BAD_JSON
// and kin (also for a name that appears twice), PROTO_UNKNOWN_FIELD, NAV_INVALID_FIELD.
nav_status proto_fields_read_json(proto_fields fields, const char *json, size_t size_bytes,
                                  void *target, uint64_t *seen, nav_error *err);
// Reads one argument. *row is its row, or NAV_NONE if the key is no field (NAV_OK then).
nav_status proto_fields_read_arg(proto_fields fields, const proto_arg *arg, void *target,
                                 uint32_t *row, nav_error *err);
// Reads all arguments; a key that is no field or given twice is an error.
nav_status proto_fields_read_args(proto_fields fields, const proto_arg *args, size_t arg_count,
                                  void *target, uint64_t *seen, nav_error *err);
// NAV_INVALID_FIELD if a required row is not among those seen.
nav_status proto_fields_check_required(proto_fields fields, uint64_t seen, nav_error *err);

// ---- trees, for what is more than a table: see settings/lists.c ----

// Text to a tree in one block, which the caller deletes (fields_tree.c); nobody may change it.
// Errors: those of proto_json_scan, NAV_NO_MEMORY.
nav_status proto_fields_parse(const char *json, size_t size_bytes, uint32_t values_max,
                              struct cJSON **out, nav_error *err);
// As proto_fields_read_json, of an object in a tree; required rows must be there. Names in errors
// begin with prefix: "" or e.g. "volumes[3].".
nav_status proto_fields_read_tree(proto_fields fields, const struct cJSON *object,
                                  const char *prefix, void *target, uint64_t *seen, nav_error *err);
// Where one member decides which others there are: those of `must` have to be among the rows seen,
// those of neither set may not.
nav_status proto_fields_check_members(proto_fields fields, const char *prefix, uint64_t seen,
                                      uint64_t must, uint64_t may, nav_error *err);
void proto_fields_delete(struct cJSON *tree); // NULL is harmless
// How many elements a list has; one with more than limit is an error.
nav_status proto_fields_count(const struct cJSON *list, const char *at, uint32_t limit,
                              uint32_t *count, nav_error *err);
// The elements of a list one after the other: the first of a list, then the one after; NULL at the
// end.
const struct cJSON *proto_fields_first(const struct cJSON *list);
const struct cJSON *proto_fields_next(const struct cJSON *item);
// An item that is not a number within bounds; `more` is what else it may be, or "".
nav_status proto_fields_not_within(const struct cJSON *item, const char *at, double least,
                                   double most, const char *more, nav_error *err);
// An item that is not what was expected.
nav_status proto_fields_invalid(const struct cJSON *item, const char *at, const char *expected,
                                nav_error *err);
nav_status proto_fields_too_many(const char *at, uint32_t count, uint32_t limit, nav_error *err);
// `count` finite numbers, each at most `limit` from 0 (limit 0: any).
nav_status proto_fields_numbers(const struct cJSON *item, const char *at, uint32_t count,
                                double limit, float *out, nav_error *err);

// ---- requests ----

struct proto_kind {
    proto_fields fields;
    size_t size_bytes;                   // of the struct, which begins with a proto_common
    uint32_t values_max;                 // of its JSON; 0: PROTO_JSON_VALUES_MAX
    void (*set_defaults)(void *request); // of what is not 0 and not common; may be NULL
    // Once all rows are read, while trees are still there; may be NULL.
    nav_status (*finish)(void *request, uint64_t seen, nav_error *err);
};

// Readers of rows whose target begins with a proto_common, from whose memory lists and texts come.
nav_status proto_read_filter(const struct cJSON *item, const char *at, const proto_field *field,
                             void *target, nav_error *err);
// {"costs":{},"include":[],"exclude":[]} as names, from memory. `at` names it in errors.
nav_status proto_fields_filter(const struct cJSON *object, const char *at, nav_arena *memory,
                               proto_filter *out, nav_error *err);
nav_status proto_read_avoid(const struct cJSON *item, const char *at, const proto_field *field,
                            void *target, nav_error *err);
// A list of up to field->max points into a proto_points.
nav_status proto_read_points(const struct cJSON *item, const char *at, const proto_field *field,
                             void *target, nav_error *err);
// A list of up to field->max finite numbers into a proto_numbers.
nav_status proto_read_numbers(const struct cJSON *item, const char *at, const proto_field *field,
                              void *target, nav_error *err);
// A string or number, into a const char * to its JSON text.
nav_status proto_read_id(const struct cJSON *item, const char *at, const proto_field *field,
                         void *target, nav_error *err);

nav_status proto_fields_no_memory(nav_error *err);
nav_status proto_fields_unknown(const char *name, nav_error *err);
nav_status proto_fields_twice(const char *name, nav_status status, nav_error *err);
