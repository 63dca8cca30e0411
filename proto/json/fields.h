// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fields.h: typed reading of settings and requests. One table of fields serves a question's JSON, a
// document, query arguments and, for settings, the writer; so GET and POST cannot drift apart.
// Private to proto/.
//
//   item (items.h) --> field, checked --> struct, at its offset

#pragma once

#include "proto/base/coordinates.h"
#include "proto/json/items.h"

typedef enum proto_field_type {
    PROTO_FIELD_FLOAT,      // float, min to max
    PROTO_FIELD_DOUBLE,     // double, min to max
    PROTO_FIELD_UINT,       // uint32_t, a whole number, min to max
    PROTO_FIELD_BOOL,       // bool: true, false; as an argument also 1, 0
    PROTO_FIELD_CHOICE,     // an enum: the index of the word in words
    PROTO_FIELD_TILE_CELLS, // uint32_t: a whole number, or "auto" for NAV_TILE_CELLS_AUTO
    PROTO_FIELD_POINT,      // float[3]: [x,y,z]; as an argument "x,y,z"
    PROTO_FIELD_SEGMENT,    // float[6]: two points in a row
    PROTO_FIELD_STRING,     // const char *, from memory; without memory borrowed from a document
    PROTO_FIELD_ITEM,       // proto_item: anything, read by the caller; in documents only
    PROTO_FIELD_SWITCH,     // bool, or in a document an object, which is kept at item_offset
    PROTO_FIELD_WORDS,      // uint32_t: bit i for word i; a list, as an argument "a,b"
    PROTO_FIELD_READ,       // whatever `read` makes of it; as an argument JSON, or a bare word
} proto_field_type;

// The unit of a field's number.
typedef enum proto_unit {
    PROTO_UNIT_NONE,         // metres, degrees, things
    PROTO_UNIT_LENGTH,       // units of the level: lengths, positions, costs, speeds; bounds are
                             // metres, but for a lower one that is not below 0
    PROTO_UNIT_LENGTH_STAYS, // likewise, and left as sent by proto_lengths_to_mesh
} proto_unit;

// Offset of a field whose value is checked, but kept nowhere.
#define PROTO_FIELD_NOWHERE SIZE_MAX

typedef struct proto_value proto_value;
typedef nav_status proto_reader(const proto_value *v);

typedef struct proto_field {
    const char *name; // with dots for nested objects; at most one dot
    proto_field_type type;
    size_t offset;
    size_t item_offset; // switches only
    double min, max;    // numbers; of points only where max is above min
    proto_unit unit;    // of numbers and points
    bool required;
    const char *const *words; // choices and words only; ends with NULL
    proto_reader *read;       // PROTO_FIELD_READ only
    const char *note;         // a sentence for the error of a wrong value, or NULL
} proto_field;

#define PROTO_ROW_AT(kind, field_name, at)                                                         \
    .name = field_name, .type = PROTO_FIELD_##kind, .offset = (at)
// A row whose name is that of the member.
#define PROTO_ROW(kind, of, member) PROTO_ROW_AT(kind, #member, offsetof(of, member))

// One that a function reads, which knows where to put it.
#define PROTO_READ_ROW(field_name, reader)                                                         \
    {                                                                                              \
        .name = field_name, .type = PROTO_FIELD_READ, .read = reader                               \
    }

typedef struct proto_fields {
    const proto_field *rows;
    uint32_t count;    // at most 64
    uint64_t absent;   // bits of rows that this object does not have
    uint64_t optional; // bits of rows that are not required here
    // Metres of the level's unit: lengths become metres as they are read. 0: not known yet; they
    // are kept as they were sent, and proto_lengths_check is still to come.
    double scale;
    nav_arena *memory; // whence what readers keep comes
    void *owner;       // for readers of their own
} proto_fields;
#define PROTO_TABLE(table)                                                                         \
    {                                                                                              \
        .rows = (table), .count = sizeof(table) / sizeof((table)[0])                               \
    }
#define PROTO_ROWS(table) ((proto_fields)PROTO_TABLE(table))

// Reads a question, a JSON object of at most values_max values, into target. *seen (which may be
// NULL) gets a bit per row that was given. Required rows must be there. Errors: PROTO_BAD_JSON and
// kin (also for a name that appears twice; what is no JSON at all is reported before what is wrong
// with a field), PROTO_UNKNOWN_FIELD, NAV_INVALID_FIELD.
nav_status proto_fields_read_json(proto_fields fields, const char *json, size_t size_bytes,
                                  uint32_t values_max, void *target, uint64_t *seen,
                                  nav_error *err);
// The same of an object within, or of a document. Names in errors begin with prefix: "" or e.g.
// "volumes[3].".
nav_status proto_fields_read_item(proto_fields fields, const proto_item *object, const char *prefix,
                                  void *target, uint64_t *seen, nav_error *err);
// A table of arguments and where they go; seen gets a bit per row that was given.
typedef struct proto_arg_table {
    proto_fields fields;
    void *target;
    uint64_t seen;
} proto_arg_table;

// Reads all arguments, each as a field of one of up to two tables; a key that is in none or given
// twice is an error, a required row that is missing, too.
nav_status proto_fields_read_args(proto_arg_table *tables, size_t count, const proto_arg *args,
                                  size_t arg_count, nav_error *err);

// For an object in which one member decides which others there are: those of `must` have to be
// among the rows seen, those of neither set may not.
nav_status proto_fields_check_members(proto_fields fields, const char *prefix, uint64_t seen,
                                      uint64_t must, uint64_t may, nav_error *err);
// ---- one value (values.c) ----

struct proto_value {
    const proto_field *field;
    const proto_item *item;
    void *target;
    nav_error *err;
    const char *prefix;         // before the field's name in errors
    const proto_member *member; // of what the field names, that the item is the value of; or NULL
    uint32_t element;           // or its number in a list, from 1 on; 0: it is what the field names
    double scale;               // of proto_fields, like memory and owner
    nav_arena *memory;
    void *owner;
};

// Reads, checks and stores the value.
nav_status proto_value_read(const proto_value *v);
// The place where it is stored.
static inline void *proto_value_at(const proto_value *v)
{
    return (char *)v->target + v->field->offset;
}
// An argument's text as the item that the field takes; JSON is read with `source`.
proto_item proto_value_of_text(const proto_field *field, const char *text, proto_source *source);

// For readers of their own. The whole name: "volumes[3].points[1]", "switches.gate".
nav_error_place proto_value_place(const proto_value *v);
// The same with a point behind it, for the names of what it has.
nav_error_place proto_value_prefix(const proto_value *v);
// As proto_item_invalid and its kin.
nav_status proto_value_invalid(const proto_value *v, const char *expected);
nav_status proto_value_not_within(const proto_value *v, double least, double most,
                                  const char *more);
// A string of so many bytes, from memory.
nav_status proto_value_keep(const proto_value *v, size_t least, size_t most, const char *expected,
                            const char **out);

// `count` numbers times scale, each at most limit from 0.
nav_status proto_value_numbers(const proto_value *v, uint32_t count, double scale, double limit,
                               float *out);
// The object that the value is; scale is that of fields.
nav_status proto_fields_read_value(proto_fields fields, const proto_value *v, void *target,
                                   uint64_t *seen);

// An array out of the elements of a list, or of the values of an object's members.
typedef struct proto_each {
    proto_token kind;   // PROTO_TOKEN_LIST or PROTO_TOKEN_OBJECT
    uint32_t limit;     // how many there may be
    size_t size_bytes;  // of what is made of each
    proto_reader *read; // into v->target, which is zeroed
} proto_each;

// Reads all of them into *array, a pointer to what is made of them, from memory. Another kind and
// too many are not what was expected (NULL: a list, or an object, and too many have an error of
// their own); *count then says how many there are.
nav_status proto_value_each(const proto_value *v, const proto_each *each, const char *expected,
                            void *array, uint32_t *count);

// ---- lengths, once the level's unit is known (values.c) ----

// Lengths that were read before it was, of the rows that were seen (an infinite one was not sent).
// Checks them against their bounds. Errors: NAV_INVALID_FIELD.
nav_status proto_lengths_check(proto_fields fields, const char *prefix, uint64_t seen,
                               const void *target, nav_coordinates coordinates, nav_error *err);
// Makes them metres, and points the mesh's; once.
void proto_lengths_to_mesh(proto_fields fields, uint64_t seen, void *target,
                           nav_coordinates coordinates);
