// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// items.c: the one place that knows where a value comes from: the tokens of a question, a
// document's tree, the text of an argument.

#include "proto/json/items.h"

#include "proto/base/text.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

_Static_assert(PROTO_TOKEN_OBJECT > PROTO_TOKEN_CLOSE && PROTO_TOKEN_NULL > PROTO_TOKEN_OBJECT,
               "values are the last of the tokens");

// ---- a question ----

// The newest string or name, decoded into room where it has escapes.
static const char *text_of_token(const proto_tokens *t, char space[PROTO_NUMBER_BYTES_MAX + 1],
                                 size_t *text_bytes)
{
    if (!t->has_escapes) {
        *text_bytes = t->text_bytes;
        return t->text;
    }
    *text_bytes = proto_tokens_decode(t, space, PROTO_NUMBER_BYTES_MAX + 1);
    return space;
}

// The next token as an item; one that is no value is none.
static bool next_item(proto_source *source, proto_item *out)
{
    const proto_token token = proto_tokens_next(&source->tokens);
    out->kind = token;
    out->node = NULL;
    out->source = source;
    if (token == PROTO_TOKEN_NUMBER) {
        out->number = proto_tokens_number(&source->tokens);
    } else if (token == PROTO_TOKEN_STRING) {
        out->text = text_of_token(&source->tokens, source->text, &out->text_bytes);
    }
    return token >= PROTO_TOKEN_OBJECT;
}

static bool next_member(proto_source *source, proto_member *out)
{
    const proto_token token = proto_tokens_next(&source->tokens);
    if (token != PROTO_TOKEN_NAME) {
        return false;
    }
    out->name = text_of_token(&source->tokens, source->name, &out->name_bytes);
    return next_item(source, &out->value);
}

proto_item proto_item_begin(proto_source *source, const char *json, size_t size_bytes,
                            uint32_t values_max)
{
    proto_item item = {0};
    proto_tokens_init(&source->tokens, json, size_bytes, PROTO_JSON_DEPTH_MAX, values_max);
    next_item(source, &item);
    return item;
}

nav_status proto_source_end(proto_source *source, const char *json, size_t size_bytes,
                            nav_status status, nav_error *err)
{
    if (status == NAV_OK && proto_tokens_next(&source->tokens) == PROTO_TOKEN_END) {
        return NAV_OK;
    }
    const nav_status scanned =
        proto_json_scan(json, size_bytes, PROTO_JSON_DEPTH_MAX, source->tokens.values_max, err);
    NAV_ASSERT(scanned != NAV_OK || status != NAV_OK);
    return scanned != NAV_OK ? scanned : status;
}

// ---- a document ----

proto_item proto_item_of_node(const cJSON *node)
{
    proto_item item = {.kind = PROTO_TOKEN_NULL, .node = node};
    if (cJSON_IsNumber(node)) {
        item.kind = PROTO_TOKEN_NUMBER;
        item.number = node->valuedouble;
    } else if (cJSON_IsString(node)) {
        item.kind = PROTO_TOKEN_STRING;
        item.text = node->valuestring;
        item.text_bytes = strlen(node->valuestring);
    } else if (cJSON_IsArray(node)) {
        item.kind = PROTO_TOKEN_LIST;
    } else if (cJSON_IsObject(node)) {
        item.kind = PROTO_TOKEN_OBJECT;
    } else if (cJSON_IsBool(node)) {
        item.kind = cJSON_IsTrue(node) ? PROTO_TOKEN_TRUE : PROTO_TOKEN_FALSE;
    }
    return item;
}

static bool take_node(const cJSON *node, proto_item *out)
{
    if (node != NULL) {
        *out = proto_item_of_node(node);
    }
    return node != NULL;
}

static bool take_member(const cJSON *node, proto_member *out)
{
    if (node != NULL) {
        out->name = node->string;
        out->name_bytes = strlen(node->string);
    }
    return take_node(node, &out->value);
}

// ---- an argument ----

static bool is_argument(const proto_item *item)
{
    return item->source == NULL && item->node == NULL;
}

proto_item proto_item_of_text(const char *text, size_t text_bytes)
{
    return (proto_item){.kind = PROTO_TOKEN_STRING, .text = text, .text_bytes = text_bytes};
}

void proto_item_to_number(proto_item *item)
{
    if (item->text_bytes <= PROTO_NUMBER_BYTES_MAX &&
        proto_text_decimal(item->text, item->text_bytes, &item->number)) {
        item->kind = PROTO_TOKEN_NUMBER;
    }
}

static bool take_text(const char *text, proto_item *out)
{
    if (*text != '\0') {
        *out = proto_item_of_text(text, strcspn(text, ","));
        proto_item_to_number(out);
    }
    return *text != '\0';
}

// ---- what readers see ----

bool proto_item_first(const proto_item *list, proto_item *element)
{
    NAV_ASSERT(list->kind == PROTO_TOKEN_LIST);
    return list->source != NULL ? next_item(list->source, element)
           : list->node != NULL ? take_node(list->node->child, element)
                                : take_text(list->text, element);
}

bool proto_item_next(proto_item *element)
{
    if (is_argument(element)) {
        const char *end = element->text + element->text_bytes;
        return *end == ',' && take_text(end + 1, element);
    }
    return element->source != NULL ? next_item(element->source, element)
                                   : take_node(element->node->next, element);
}

bool proto_member_first(const proto_item *object, proto_member *member)
{
    NAV_ASSERT(object->kind == PROTO_TOKEN_OBJECT);
    return object->source != NULL ? next_member(object->source, member)
                                  : take_member(object->node->child, member);
}

bool proto_member_next(proto_member *member)
{
    const proto_item *value = &member->value;
    return value->source != NULL ? next_member(value->source, member)
                                 : take_member(value->node->next, member);
}

static bool is_text(const char *text, size_t text_bytes, const char *word)
{
    return strncmp(text, word, text_bytes) == 0 && word[text_bytes] == '\0';
}

bool proto_member_is(const proto_member *member, const char *name)
{
    return is_text(member->name, member->name_bytes, name);
}

bool proto_item_is_word(const proto_item *item, const char *word)
{
    return item->kind == PROTO_TOKEN_STRING && is_text(item->text, item->text_bytes, word);
}

bool proto_member_find(const proto_item *object, const char *name, proto_source *ahead,
                       proto_item *value)
{
    NAV_ASSERT(object->kind == PROTO_TOKEN_OBJECT && object->source != NULL);
    proto_tokens *t = &ahead->tokens;
    *t = object->source->tokens;
    const uint32_t depth = t->depth;
    proto_token token;
    while ((token = proto_tokens_next(t)) > PROTO_TOKEN_END && t->depth >= depth) {
        if (token != PROTO_TOKEN_NAME || t->depth != depth) {
            continue;
        }
        size_t name_bytes;
        const char *found = text_of_token(t, ahead->name, &name_bytes);
        if (is_text(found, name_bytes, name)) {
            return next_item(ahead, value);
        }
    }
    return false;
}

proto_item proto_member_of(const proto_item *object, const char *name)
{
    const cJSON *node = object->kind == PROTO_TOKEN_OBJECT
                            ? cJSON_GetObjectItemCaseSensitive(object->node, name)
                            : NULL;
    return node != NULL ? proto_item_of_node(node) : (proto_item){0};
}

uint32_t proto_item_count(const proto_item *item)
{
    NAV_ASSERT(item->node != NULL);
    return (uint32_t)cJSON_GetArraySize(item->node);
}

uint32_t proto_member_rest(proto_member *member, proto_token kind)
{
    uint32_t count = 0;
    bool more = true;
    for (; more; count++) {
        more = proto_tokens_skip(&member->value.source->tokens, member->value.kind) &&
               (kind == PROTO_TOKEN_LIST ? proto_item_next(&member->value)
                                         : proto_member_next(member));
    }
    return count;
}

const char *proto_item_text(const proto_item *item, size_t *size_bytes)
{
    NAV_ASSERT(item->source != NULL);
    const proto_tokens *t = &item->source->tokens;
    *size_bytes = t->window_bytes - t->begin;
    return t->window + t->begin;
}

static const char *keep_text(const char *text, size_t text_bytes, nav_arena *memory)
{
    char *kept = nav_arena_alloc(memory, text_bytes + 1, 1);
    if (kept != NULL) {
        memcpy(kept, text, text_bytes);
        kept[text_bytes] = '\0';
    }
    return kept;
}

const char *proto_item_keep_text(const proto_item *item, nav_arena *memory)
{
    NAV_ASSERT(item->kind == PROTO_TOKEN_STRING);
    if (item->source == NULL || !item->source->tokens.has_escapes) {
        return keep_text(item->text, item->text_bytes, memory);
    }
    const size_t capacity_bytes = item->source->tokens.text_bytes + 1; // escapes become shorter
    char *kept = nav_arena_alloc(memory, capacity_bytes, 1);
    if (kept != NULL) {
        proto_tokens_decode(&item->source->tokens, kept, capacity_bytes);
    }
    return kept;
}

const char *proto_member_keep_name(const proto_member *member, nav_arena *memory)
{
    return keep_text(member->name, member->name_bytes, memory);
}

// ---- errors ----

void proto_number_text(double number, char out[PROTO_NUMBER_TEXT_BYTES])
{
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(out, PROTO_NUMBER_TEXT_BYTES, "%.*g", digits, number);
        double back;
        if (proto_text_decimal(out, strlen(out), &back) && back == number) {
            break;
        }
    }
}

// An argument is reported as it was sent, which may be a number.
void proto_item_got(nav_error *err, const proto_item *item)
{
    char number[PROTO_NUMBER_TEXT_BYTES];
    const bool argument = is_argument(item) && item->text != NULL;
    if (argument || item->kind == PROTO_TOKEN_STRING) {
        nav_error_got(err, "%.*s", (int)(item->text_bytes < 63 ? item->text_bytes : 63),
                      item->text);
        if (err != NULL) {
            err->got_is_text = !argument;
        }
    } else if (item->kind == PROTO_TOKEN_NUMBER) {
        proto_number_text(item->number, number);
        nav_error_got(err, "%s", number);
    } else {
        nav_error_got(err, "%s",
                      item->kind == PROTO_TOKEN_TRUE     ? "true"
                      : item->kind == PROTO_TOKEN_FALSE  ? "false"
                      : item->kind == PROTO_TOKEN_LIST   ? "an array"
                      : item->kind == PROTO_TOKEN_OBJECT ? "an object"
                                                         : "null");
    }
}

nav_status proto_item_invalid(const proto_item *item, const char *at, const char *expected,
                              nav_error *err)
{
    nav_fail_at(err, NAV_INVALID_FIELD, at, "%s must be %s", at, expected);
    proto_item_got(err, item);
    return NAV_INVALID_FIELD;
}

nav_status proto_item_not_within(const proto_item *item, const char *at, double least, double most,
                                 const char *more, nav_error *err)
{
    char expected[96];
    snprintf(expected, sizeof expected, "a number from %.10g to %.10g%s", least, most, more);
    nav_status status = proto_item_invalid(item, at, expected, err);
    if (item->kind == PROTO_TOKEN_NUMBER) {
        nav_error_limit(err, "%.10g", item->number > most ? most : least);
    }
    return status;
}

nav_status proto_fields_too_many(const char *at, uint32_t count, uint32_t limit, nav_error *err)
{
    return nav_fail_bound(err, NAV_INVALID_FIELD, at, count, limit, "%s has more than %u entries",
                          at, limit);
}

nav_status proto_fields_no_memory(nav_error *err)
{
    return nav_fail(err, NAV_NO_MEMORY, "no memory to read the request");
}

nav_status proto_fields_twice(const char *name, nav_status status, nav_error *err)
{
    return nav_fail_at(err, status, name, "\"%.80s\" is given twice", name);
}
