// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// items.h: one JSON value, wherever it comes from. Readers see an item and no more. Private to
// proto/.
//
//   question {"start":[1,2,3]}          --tokens.c--+
//   document {"agent":{"radius":0.4}}   --cJSON-----+--> item --> reader
//   argument ?agent.radius=0.4          ------------+

#pragma once

#include "core/nav.h"
#include "proto/json/json.h"
#include "proto/json/tokens.h"

struct cJSON;

// The inside of a question's list or object can be read once, and must be before anything behind
// it; that of a document's as often as one likes.
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

// The value that a question's text holds. Whether it is JSON to its end is known once all of it was
// read; PROTO_TOKEN_WRONG is the kind of what is no value.
proto_item proto_item_begin(proto_source *source, const char *json, size_t size_bytes,
                            uint32_t values_max);
// The end of that: status, or in its place what is wrong with the text as JSON, if anything is.
nav_status proto_source_end(proto_source *source, const char *json, size_t size_bytes,
                            nav_status status, nav_error *err);
// A value of a document's tree, from which the item borrows. NULL is as null: an error can name it.
proto_item proto_item_of_node(const struct cJSON *node);
// An argument's text, which is borrowed and has a zero or a comma behind it: a string. to_number
// makes it a number if it reads as one. As a list (kind) it has the values between its commas.
proto_item proto_item_of_text(const char *text, size_t text_bytes);
void proto_item_to_number(proto_item *item);

// The elements of a list one after the other, each read before the next: false behind the last.
// proto_item_next goes on with the values of a document's object as well.
bool proto_item_first(const proto_item *list, proto_item *element);
bool proto_item_next(proto_item *element);
// The same of an object's members.
bool proto_member_first(const proto_item *object, proto_member *member);
bool proto_member_next(proto_member *member);
bool proto_member_is(const proto_member *member, const char *name);
// Finds a member of an object of a question that is read only later, with `ahead` as the room for
// it. False: there is none before the object ends, or before what is no JSON.
bool proto_member_find(const proto_item *object, const char *name, proto_source *ahead,
                       proto_item *value);
// The first member of this name of an object of a document. A value of kind 0: there is none.
proto_item proto_member_of(const proto_item *object, const char *name);
// How many elements a list of a document has, or an object members.
uint32_t proto_item_count(const proto_item *item);
// How many members, or elements (values of members without a name), a question's object or list has
// from this one on, which is the newest; they are passed.
uint32_t proto_member_rest(proto_member *member, proto_token kind);
// The text of a question from this item on, which may be read once more from there.
const char *proto_item_text(const proto_item *item, size_t *size_bytes);
// Whether it is a string, and this one.
bool proto_item_is_word(const proto_item *item, const char *word);
// The whole text of a string, or a copy of a member's name, from memory, with a zero at its end;
// NULL: no memory.
const char *proto_item_keep_text(const proto_item *item, nav_arena *memory);
const char *proto_member_keep_name(const proto_member *member, nav_arena *memory);

// ---- errors that readers have in common; each fills err and returns its status ----

// The shortest text of a number that reads back as the same.
#define PROTO_NUMBER_TEXT_BYTES 40
void proto_number_text(double number, char out[PROTO_NUMBER_TEXT_BYTES]);
// Says in err what an item is.
void proto_item_got(nav_error *err, const proto_item *item);
// An item that is not what was expected; `at` names it.
nav_status proto_item_invalid(const proto_item *item, const char *at, const char *expected,
                              nav_error *err);
// An item that is not a number within bounds; `more` is what else it may be, or "".
nav_status proto_item_not_within(const proto_item *item, const char *at, double least, double most,
                                 const char *more, nav_error *err);
nav_status proto_fields_too_many(const char *at, uint32_t count, uint32_t limit, nav_error *err);
nav_status proto_fields_no_memory(nav_error *err);
// `status` at a name that is given twice.
nav_status proto_fields_twice(const char *name, nav_status status, nav_error *err);
