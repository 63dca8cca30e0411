// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fields_tree.c: JSON text to a tree of cJSON's nodes, below all readers of fields.
//
//   text --json_scan: valid, so many values, so many bytes of strings--> one block
//        --build: nodes in the text's order, strings behind them--> tree
//
// cJSON's own parser takes two or three blocks for each member, which cost more than a short path's
// search. Here the whole tree is one block, and since the scan has passed the text, the builder
// checks nothing again. Nobody may change such a tree, or delete it with cJSON_Delete.

#include "proto/fields.h"
#include "proto/text.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct builder {
    const char *at; // in the text, which is valid
    cJSON *node;    // the next free one
    char *text;     // where the next string goes
} builder;

static void skip_blanks(builder *b)
{
    while (*b->at == ' ' || *b->at == '\n' || *b->at == '\r' || *b->at == '\t') {
        b->at++;
    }
}

// ---- strings ----

static uint32_t take_hex4(builder *b)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++, b->at++) {
        const uint32_t c = (uint8_t)*b->at;
        value = value * 16 + (c <= '9' ? c - '0' : (c | 0x20u) - 'a' + 10);
    }
    return value;
}

static void put_utf8(builder *b, uint32_t code)
{
    if (code < 0x80) {
        *b->text++ = (char)code;
        return;
    }
    const uint32_t more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3; // bytes behind the first
    static const uint8_t marks[] = {0, 0xc0, 0xe0, 0xf0};
    *b->text++ = (char)(marks[more] | code >> (6 * more));
    for (uint32_t i = more; i-- > 0;) {
        *b->text++ = (char)(0x80 | (code >> (6 * i) & 0x3f));
    }
}

// at is behind the backslash.
static void take_escape(builder *b)
{
    static const char letters[] = "b\bf\fn\nr\rt\t";
    const char letter = *b->at++;
    if (letter == 'u') {
        uint32_t code = take_hex4(b);
        if (code >= 0xd800 && code <= 0xdbff) {
            b->at += 2; // backslash and u of the other half
            code = 0x10000 + ((code - 0xd800) << 10) + (take_hex4(b) - 0xdc00);
        }
        put_utf8(b, code);
        return;
    }
    const char *found = strchr(letters, letter);
    *b->text++ = found != NULL ? found[1] : letter;
}

// at is at the opening quote; ends behind the closing one.
static char *take_string(builder *b)
{
    char *const begin = b->text;
    for (b->at++; *b->at != '"';) {
        if (*b->at == '\\') {
            b->at++;
            take_escape(b);
        } else {
            *b->text++ = *b->at++;
        }
    }
    b->at++;
    *b->text++ = '\0';
    return begin;
}

// ---- values ----

// A number alone may end with the text, where nothing may be read behind it; so it goes where a
// zero can follow. Inside a list or object, a bracket does.
static void take_number(builder *b, const char *end, bool alone, cJSON *node)
{
    double number = 0;
    const char *text = b->at;
    if (alone) {
        memcpy(b->text, text, (size_t)(end - text));
        b->text[end - text] = '\0';
        text = b->text;
    }
    size_t size_bytes = proto_text_short_decimal(text, &number);
    if (size_bytes == 0) {
        size_bytes = strspn(text, "0123456789.-+eE");
        (void)proto_text_decimal(text, size_bytes, &number);
    }
    b->at += size_bytes;
    node->type = cJSON_Number;
    node->valuedouble = number;
    node->valueint = number >= INT_MAX ? INT_MAX : number <= INT_MIN ? INT_MIN : (int)number;
}

// A scalar, or an empty list or object whose inside comes next.
static void take_value(builder *b, const char *end, bool alone, cJSON *node)
{
    switch (*b->at) {
    case '{':
        node->type = cJSON_Object;
        b->at++;
        break;
    case '[':
        node->type = cJSON_Array;
        b->at++;
        break;
    case '"':
        node->type = cJSON_String;
        node->valuestring = take_string(b);
        break;
    case 't':
        node->type = cJSON_True;
        node->valueint = 1; // as cJSON has it
        b->at += 4;
        break;
    case 'f':
        node->type = cJSON_False;
        b->at += 5;
        break;
    case 'n':
        node->type = cJSON_NULL;
        b->at += 4;
        break;
    default:
        take_number(b, end, alone, node);
    }
}

// A member or element: its name, if it has one, and its value. Joins it to its siblings.
static cJSON *add_node(builder *b, const char *end, cJSON *parent, cJSON *last)
{
    cJSON *const node = b->node++;
    *node = (cJSON){0};
    if (parent != NULL && parent->type == cJSON_Object) {
        node->string = take_string(b);
        skip_blanks(b);
        b->at++; // the colon
        skip_blanks(b);
    }
    if (last != NULL) {
        last->next = node;
        node->prev = last;
    } else if (parent != NULL) {
        parent->child = node;
    }
    take_value(b, end, parent == NULL, node);
    return node;
}

// Bracket by bracket: `last` is the newest sibling in the innermost open one.
static void build(builder *b, const char *begin, const char *end)
{
    cJSON *open[PROTO_JSON_DEPTH_MAX], *last = NULL;
    uint32_t depth = 0;
    b->at = begin;
    do {
        skip_blanks(b);
        if (depth > 0 && (*b->at == ']' || *b->at == '}')) {
            b->at++;
            last = open[--depth];
            continue;
        }
        if (*b->at == ',') {
            b->at++;
            continue;
        }
        cJSON *node = add_node(b, end, depth > 0 ? open[depth - 1] : NULL, last);
        last = node;
        if (node->type == cJSON_Object || node->type == cJSON_Array) {
            open[depth++] = node;
            last = NULL;
        }
    } while (depth > 0);
}

nav_status proto_fields_parse(const char *json, size_t size_bytes, uint32_t values_max, cJSON **out,
                              nav_error *err)
{
    proto_json_size size;
    nav_status status =
        proto_json_measure(json, size_bytes, PROTO_JSON_DEPTH_MAX, values_max, &size, err);
    if (status != NAV_OK) {
        return status;
    }
    // A number alone is copied.
    const size_t text_bytes = size.string_bytes + (size.values == 1 ? size_bytes + 1 : 0);
    const size_t node_bytes = (size_t)size.values * sizeof(cJSON);
    cJSON *nodes = malloc(node_bytes + text_bytes);
    if (nodes == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to read the JSON");
    }
    builder b = {.node = nodes, .text = (char *)nodes + node_bytes};
    build(&b, json, json + size_bytes);
    NAV_ASSERT(b.node == nodes + size.values);
    NAV_ASSERT(b.text <= (char *)nodes + node_bytes + text_bytes);
    *out = nodes;
    return NAV_OK;
}

void proto_fields_delete(cJSON *tree)
{
    free(tree);
}
