// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// document.c: JSON text to a tree of cJSON's, and a flat object, value by value as text, for a
// table that is not of this folder: the daemon's options, which are the same words on its command
// line.
//
// The scan bounds what cJSON reads, and refuses what only cJSON takes for JSON: 01, a bare control
// character, \u0000, bytes that are no UTF-8. cJSON keeps its last error where all threads share
// it. Each parse clears it; nobody reads it.

#include "proto/json/document.h"

#include "proto/json/items.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

nav_status proto_document_parse(const char *json, size_t size_bytes, uint32_t values_max,
                                cJSON **out, nav_error *err)
{
    _Static_assert(PROTO_JSON_DEPTH_MAX <= CJSON_NESTING_LIMIT, "cJSON refuses what has passed");
    proto_tokens t;
    proto_tokens_init(&t, json, size_bytes, PROTO_JSON_DEPTH_MAX, values_max);
    t.number_bytes_max = PROTO_DOCUMENT_NUMBER_BYTES_MAX;
    nav_status status = proto_tokens_scan(&t, err);
    if (status != NAV_OK) {
        return status;
    }
    // A text that passed the scan fails here for want of memory only.
    const char *end;
    cJSON *tree = cJSON_ParseWithLengthOpts(json, size_bytes, &end, false);
    if (tree == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to read the JSON");
    }
    NAV_DCHECK(end > json && end <= json + size_bytes);
    *out = tree;
    return NAV_OK;
}

void proto_document_delete(cJSON *tree)
{
    cJSON_Delete(tree);
}

// ---- flat objects ----
//
// cJSON's tree has the values, but neither their lines nor the text of an object: for those the
// tokens are read beside it, in the same order.

typedef struct flat_reading {
    proto_tokens tokens; // those up to the newest member or element have been read
    const char *counted; // up to here line ends are counted
    uint32_t line;
    proto_flat_take *take;
    void *user;
} flat_reading;

static nav_status give(flat_reading *r, const cJSON *node, const char *key, uint32_t index,
                       nav_error *err)
{
    char number[PROTO_NUMBER_TEXT_BYTES];
    char *object = NULL;
    const proto_token token = proto_tokens_next(&r->tokens);
    const char *const begin = r->tokens.text;
    NAV_ASSERT(token >= PROTO_TOKEN_OBJECT);
    (void)proto_tokens_skip(&r->tokens, token); // the text has been read once, for the tree
    for (; r->counted < begin; r->counted++) {
        r->line += *r->counted == '\n';
    }
    proto_flat value = {.key = key, .index = index, .line = r->line, .kind = PROTO_FLAT_OTHER};
    switch (token) {
    case PROTO_TOKEN_STRING:
        value.kind = PROTO_FLAT_TEXT;
        value.text = node->valuestring;
        break;
    case PROTO_TOKEN_NUMBER:
        value.kind = PROTO_FLAT_NUMBER;
        proto_number_text(node->valuedouble, number);
        value.text = number;
        break;
    case PROTO_TOKEN_OBJECT:
        value.kind = PROTO_FLAT_OBJECT;
        value.text = object = strndup(begin, (size_t)(r->tokens.window + r->tokens.at - begin));
        if (object == NULL) {
            return proto_fields_no_memory(err);
        }
        break;
    case PROTO_TOKEN_LIST:
        value.text = "an array";
        break;
    case PROTO_TOKEN_NULL:
        value.text = "null";
        break;
    default:
        value.kind = PROTO_FLAT_BOOL;
        value.text = token == PROTO_TOKEN_TRUE ? "true" : "false";
    }
    r->take(r->user, &value);
    free(object);
    return NAV_OK;
}

static nav_status give_member(flat_reading *r, const cJSON *member, nav_error *err)
{
    (void)proto_tokens_next(&r->tokens); // its name
    if (!cJSON_IsArray(member)) {
        return give(r, member, member->string, NAV_NONE, err);
    }
    nav_status status = NAV_OK;
    uint32_t index = 0;
    (void)proto_tokens_next(&r->tokens); // the bracket
    for (const cJSON *item = member->child; status == NAV_OK && item != NULL; item = item->next) {
        status = give(r, item, member->string, index++, err);
    }
    (void)proto_tokens_next(&r->tokens);
    if (index == 0) {
        const proto_flat none = {
            .key = member->string, .kind = PROTO_FLAT_EMPTY, .text = "[]", .index = NAV_NONE};
        r->take(r->user, &none);
    }
    return status;
}

static nav_status check_names(const cJSON *object, nav_error *err)
{
    const cJSON *member;
    cJSON_ArrayForEach(member, object)
    {
        for (const cJSON *earlier = object->child; earlier != member; earlier = earlier->next) {
            if (strcmp(earlier->string, member->string) == 0) {
                return proto_fields_twice(member->string, PROTO_BAD_JSON, err);
            }
        }
    }
    return NAV_OK;
}

nav_status proto_flat_read(const char *json, size_t size_bytes, proto_flat_take *take, void *user,
                           nav_error *err)
{
    cJSON *root;
    nav_status status = proto_document_parse(json, size_bytes, PROTO_FLAT_VALUES_MAX, &root, err);
    if (status != NAV_OK) {
        return status;
    }
    if (!cJSON_IsObject(root)) {
        status = nav_fail(err, NAV_INVALID_FIELD, "the JSON must be an object");
    } else {
        status = check_names(root, err);
    }
    flat_reading r = {.counted = json, .line = 1, .take = take, .user = user};
    proto_tokens_init(&r.tokens, json, size_bytes, PROTO_JSON_DEPTH_MAX, PROTO_FLAT_VALUES_MAX);
    (void)proto_tokens_next(&r.tokens); // the bracket
    for (const cJSON *member = root->child; status == NAV_OK && member != NULL;
         member = member->next) {
        status = give_member(&r, member, err);
    }
    proto_document_delete(root);
    return status;
}

// The library's own function writes its text anew with each call, to a place that all threads
// share.
#define TEXT(x) #x
#define TEXT_OF(x) TEXT(x)

const char *proto_library_version(void)
{
    return TEXT_OF(CJSON_VERSION_MAJOR) "." TEXT_OF(CJSON_VERSION_MINOR) "." TEXT_OF(
        CJSON_VERSION_PATCH);
}
