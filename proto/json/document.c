// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// document.c: the scan, JSON text to a tree of cJSON's, and a flat object, value by value as text,
// for a table that is not of this folder: the daemon's options, which are the same words on its
// command line.
//
// cJSON keeps its last error where all threads share it. Each parse clears it; nobody reads it.

#include "proto/json/document.h"

#include "proto/json/fields.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

nav_status proto_json_scan(const char *bytes, size_t size_bytes, uint32_t depth_max,
                           uint32_t values_max, nav_error *err)
{
    proto_tokens t;
    proto_tokens_init(&t, bytes, size_bytes, depth_max, values_max);
    return proto_tokens_scan(&t, err);
}

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
// cJSON's tree has the values, but not the text of an object: for that the tokens are read beside
// it, in the same order.

typedef struct flat_reading {
    proto_tokens tokens; // those up to the newest member or element have been read
    const char *counted; // up to here line ends are counted
    uint32_t line;
    proto_flat_take *take;
    void *user;
} flat_reading;

// Reads past the next value. Of an object or list *begin and the end that is returned hold it.
static const char *pass_value(proto_tokens *t, const char **begin)
{
    const proto_token first = proto_tokens_next(t);
    *begin = t->text;
    const uint32_t depth = t->depth;
    const bool is_open = first == PROTO_TOKEN_OBJECT || first == PROTO_TOKEN_LIST;
    while (is_open && t->depth >= depth) {
        const proto_token token = proto_tokens_next(t);
        NAV_ASSERT(token > PROTO_TOKEN_END); // the text has been read once, for the tree
    }
    return t->text + t->text_bytes;
}

static uint32_t line_of(flat_reading *r, const char *at)
{
    for (; r->counted < at; r->counted++) {
        r->line += *r->counted == '\n' ? 1 : 0;
    }
    return r->line;
}

// The kind of a value, and its text; that of an object is the caller's.
static proto_flat describe(const cJSON *item, char number[PROTO_NUMBER_TEXT_BYTES])
{
    proto_flat value = {.kind = PROTO_FLAT_OTHER, .text = "null"};
    if (cJSON_IsString(item)) {
        value = (proto_flat){.kind = PROTO_FLAT_TEXT, .text = item->valuestring};
    } else if (cJSON_IsNumber(item)) {
        proto_value_number(item->valuedouble, number);
        value = (proto_flat){.kind = PROTO_FLAT_NUMBER, .text = number};
    } else if (cJSON_IsBool(item)) {
        value =
            (proto_flat){.kind = PROTO_FLAT_BOOL, .text = cJSON_IsTrue(item) ? "true" : "false"};
    } else if (cJSON_IsArray(item)) {
        value.text = "an array";
    } else if (cJSON_IsObject(item)) {
        value.kind = PROTO_FLAT_OBJECT;
    }
    return value;
}

static nav_status give(flat_reading *r, const cJSON *item, const char *key, uint32_t index,
                       nav_error *err)
{
    char number[PROTO_NUMBER_TEXT_BYTES];
    const char *begin;
    const char *end = pass_value(&r->tokens, &begin);
    proto_flat value = describe(item, number);
    value.key = key;
    value.index = index;
    value.line = line_of(r, begin);
    char *object = NULL;
    if (value.kind == PROTO_FLAT_OBJECT) {
        object = strndup(begin, (size_t)(end - begin));
        if (object == NULL) {
            return proto_fields_no_memory(err);
        }
        value.text = object;
    }
    r->take(r->user, &value);
    free(object);
    return NAV_OK;
}

static nav_status give_member(flat_reading *r, const cJSON *member, nav_error *err)
{
    // cJSON takes any control character for a blank, a zero byte before the text, too.
    if (proto_tokens_next(&r->tokens) != PROTO_TOKEN_NAME) {
        return proto_tokens_bad_json(proto_tokens_byte(&r->tokens), "a control character", err);
    }
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
