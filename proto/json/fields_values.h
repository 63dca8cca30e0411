// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fields_values.h: between fields.c and fields_values.c. Private to them.

#pragma once

#include "proto/json/fields.h"

// A value from either source: item is NULL for an argument.
typedef struct proto_value {
    const proto_field *field;
    const struct cJSON *item;
    const char *text;
    size_t text_bytes;
    void *target;
    nav_error *err;
    const char *prefix; // before the field's name in errors, or NULL
} proto_value;

// Reads and stores the value.
nav_status proto_value_read(const proto_value *v);
// The shortest text of a number that reads back as the same.
#define PROTO_NUMBER_TEXT_BYTES 40
void proto_value_number(double number, char out[PROTO_NUMBER_TEXT_BYTES]);
// Says in err what an item is.
void proto_value_got(nav_error *err, const struct cJSON *item);
