// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fields_flat.h: reads a flat JSON object, such as a configuration file.

#pragma once

#include "proto/proto.h"

// It holds text, numbers, true, false, and lists of those.
typedef enum proto_flat_kind {
    PROTO_FLAT_TEXT,
    PROTO_FLAT_NUMBER,
    PROTO_FLAT_BOOL,
    PROTO_FLAT_EMPTY, // a list without values
    PROTO_FLAT_OTHER, // null, an object, a list within a list
} proto_flat_kind;

// One value. The strings are borrowed for the call.
typedef struct proto_flat {
    const char *key;
    proto_flat_kind kind;
    const char *text; // also of a number (the shortest that reads back as the same) and of a bool
    uint32_t index;   // in its list; NAV_NONE: it is in none
} proto_flat;

typedef void proto_flat_take(void *user, const proto_flat *value);

#define PROTO_FLAT_VALUES_MAX 1000

// Calls take for each value, in order. Nothing is given of a text that is not such an object.
// Errors: those of proto_json_scan, PROTO_BAD_JSON (a name that appears twice), NAV_INVALID_FIELD
// (no object), NAV_NO_MEMORY.
nav_status proto_flat_read(const char *json, size_t size_bytes, proto_flat_take *take, void *user,
                           nav_error *err);
