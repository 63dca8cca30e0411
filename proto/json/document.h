// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// document.h: JSON that is read as a whole, by cJSON's own parser: settings, the configuration
// file, checks, stored texts. A scan bounds it before: in cJSON a value takes 80 bytes, so that 16
// MB of [0,0,...] would become 626 MB.

#pragma once

#include "proto/json/json.h"

struct cJSON;

// Text to a tree, for proto_document_delete. Errors: those of proto_json_scan; PROTO_BAD_JSON also
// for a number of more than PROTO_DOCUMENT_NUMBER_BYTES_MAX characters; NAV_NO_MEMORY.
#define PROTO_DOCUMENT_NUMBER_BYTES_MAX 63u // cJSON cuts longer ones
nav_status proto_document_parse(const char *json, size_t size_bytes, uint32_t values_max,
                                struct cJSON **out, nav_error *err);
void proto_document_delete(struct cJSON *tree); // NULL is harmless

// ---- lines (place.c) ----

// Finds the place in a text that an error names: `at` of any reader of documents, "agent.radius",
// "volumes[3].points[1]" or "byte 17". Line and column are counted from 1, in bytes. A place that
// is not there (a missing member) is what is nearest around it. False: none of it is there.
bool proto_document_locate(const char *json, size_t size_bytes, const char *at, uint32_t *line,
                           uint32_t *column);
// Puts that before the sentence of an error: "line 12: ...".
void proto_document_say_line(const char *json, size_t size_bytes, nav_error *err);

// ---- flat objects ----

// A flat object, such as a configuration file, holds text, numbers, true, false, objects that the
// caller reads in turn, and lists of those.
typedef enum proto_flat_kind {
    PROTO_FLAT_TEXT,
    PROTO_FLAT_NUMBER,
    PROTO_FLAT_BOOL,
    PROTO_FLAT_EMPTY, // a list without values
    PROTO_FLAT_OBJECT,
    PROTO_FLAT_OTHER, // null, a list within a list
} proto_flat_kind;

// One value. The strings are borrowed for the call.
typedef struct proto_flat {
    const char *key;
    proto_flat_kind kind;
    // Also of a number (the shortest that reads back as the same), of a bool, and of an object, as
    // it stands there.
    const char *text;
    uint32_t index; // in its list; NAV_NONE: it is in none
    uint32_t line;  // on which it begins, from 1
} proto_flat;

typedef void proto_flat_take(void *user, const proto_flat *value);

#define PROTO_FLAT_VALUES_MAX 100000 // those within objects included

// Calls take for each value, in order. Nothing is given of a text that is not such an object.
// Errors: those of proto_json_scan, PROTO_BAD_JSON (a name that appears twice), NAV_INVALID_FIELD
// (no object), NAV_NO_MEMORY.
nav_status proto_flat_read(const char *json, size_t size_bytes, proto_flat_take *take, void *user,
                           nav_error *err);
