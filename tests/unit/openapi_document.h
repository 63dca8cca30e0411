// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// openapi_document.h: openapi.json as a tree, and ways about it.

#pragma once

#include "server/api/routes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <cjson/cJSON.h>

static cJSON *document;

static inline int parse_document(void **state)
{
    (void)state;
    size_t size_bytes;
    const char *text = openapi_text(&size_bytes), *end = NULL;
    document = cJSON_ParseWithLengthOpts(text, size_bytes, &end, false);
    return document != NULL ? 0 : -1;
}

static inline int free_document(void **state)
{
    (void)state;
    cJSON_Delete(document);
    return 0;
}

static inline const cJSON *get(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static inline const char *word(const cJSON *object, const char *name)
{
    const char *text = cJSON_GetStringValue(get(object, name));
    return text != NULL ? text : "";
}

// Follows "#/components/schemas/Path"; NULL: it leads nowhere.
static inline const cJSON *follow(const char *reference)
{
    char copy[128], *rest = NULL;
    const cJSON *at = document;
    (void)snprintf(copy, sizeof copy, "%s", reference);
    assert_int_equal(strncmp(copy, "#/", 2), 0);
    for (char *part = strtok_r(copy + 2, "/", &rest); part != NULL && at != NULL;
         part = strtok_r(NULL, "/", &rest)) {
        at = get(at, part);
    }
    return at;
}

static inline const cJSON *resolve(const cJSON *item)
{
    const char *reference = cJSON_GetStringValue(get(item, "$ref"));
    return reference != NULL ? follow(reference) : item;
}

// Parses the text that has been written; the caller deletes the result.
static inline cJSON *taken(proto_writer *w)
{
    size_t size_bytes;
    char *text = proto_writer_take(w, &size_bytes);
    assert_non_null(text);
    cJSON *parsed = cJSON_Parse(text);
    assert_non_null(parsed);
    free(text);
    return parsed;
}
