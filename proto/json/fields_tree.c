// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fields_tree.c: JSON text to a tree of cJSON's nodes, below all readers of fields.
//
//   text --commas and brackets counted: so many values at most--> one block: nodes | copy of the
//   text
//        --build, in one pass: nodes in the text's order; strings stay in the copy--> tree
//        --where that finds anything wrong, json_scan--> the error
//
// cJSON's own parser takes two or three blocks for each member, which cost more than a short path's
// search. Here the whole tree is one block. The copy ends with a zero, which nothing in JSON can be
// part of, so that no step has to ask where the text ends. Nobody may change such a tree, or delete
// it with cJSON_Delete.

#include "proto/json/fields.h"
#include "proto/base/text.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

// Steps return false, or NULL, for what json_scan refuses, and for nothing else.
typedef struct builder {
    char *at;        // in the copy
    const char *end; // its zero
    cJSON *node;     // the next free one
} builder;

static void skip_blanks(builder *b)
{
    while (*b->at == ' ' || *b->at == '\n' || *b->at == '\r' || *b->at == '\t') {
        b->at++;
    }
}

// ---- strings ----

// Four hexadecimal digits; false if there are fewer.
static bool take_hex4(builder *b, uint32_t *out)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++, b->at++) {
        const uint32_t c = (uint8_t)*b->at, letter = (c | 0x20u) - 'a';
        if (c - '0' > 9 && letter > 5) {
            return false;
        }
        value = value * 16 + (c <= '9' ? c - '0' : letter + 10);
    }
    *out = value;
    return true;
}

static char *put_utf8(char *to, uint32_t code)
{
    if (code < 0x80) {
        *to++ = (char)code;
        return to;
    }
    const uint32_t more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3; // bytes behind the first
    static const uint8_t marks[] = {0, 0xc0, 0xe0, 0xf0};
    *to++ = (char)(marks[more] | code >> (6 * more));
    for (uint32_t i = more; i-- > 0;) {
        *to++ = (char)(0x80 | (code >> (6 * i) & 0x3f));
    }
    return to;
}

// at is behind \u. What is put is shorter than the escape.
static char *take_unicode(builder *b, char *to)
{
    uint32_t code, low;
    if (!take_hex4(b, &code) || code == 0 || (code >= 0xdc00 && code <= 0xdfff)) {
        return NULL;
    }
    if (code >= 0xd800 && code <= 0xdbff) {
        if (b->at[0] != '\\' || b->at[1] != 'u') {
            return NULL;
        }
        b->at += 2;
        if (!take_hex4(b, &low) || low < 0xdc00 || low > 0xdfff) {
            return NULL;
        }
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    return put_utf8(to, code);
}

// at is behind the backslash.
static char *take_escape(builder *b, char *to)
{
    static const char letters[] = "\"\"\\\\//b\bf\fn\nr\rt\t";
    const char letter = *b->at++;
    if (letter == 'u') {
        return take_unicode(b, to);
    }
    for (uint32_t i = 0; i + 1 < sizeof letters; i += 2) {
        if (letters[i] == letter) {
            *to++ = letters[i + 1];
            return to;
        }
    }
    return NULL;
}

// The rest of a string with escapes or other than ASCII, which moves up in the copy.
static bool take_unusual(builder *b)
{
    char *to = b->at;
    for (;;) {
        const uint8_t byte = (uint8_t)*b->at;
        size_t length = 1;
        if (byte == '"') {
            b->at++;
            *to = '\0';
            return true;
        }
        if (byte == '\\') {
            b->at++;
            to = take_escape(b, to);
            if (to == NULL) {
                return false;
            }
            continue;
        }
        if (byte >= 0x80) {
            length = proto_text_utf8_length(b->at, (size_t)(b->end - b->at));
        }
        if (byte < 0x20 || length == 0) {
            return false;
        }
        memmove(to, b->at, length);
        to += length;
        b->at += length;
    }
}

// at is at the opening quote; ends behind the closing one, which becomes the string's zero.
static char *take_string(builder *b)
{
    char *const begin = b->at + 1, *at = begin;
    // As signed numbers, all but ASCII is below the blank.
    while ((int8_t)*at >= ' ' && *at != '"' && *at != '\\') {
        at++;
    }
    b->at = at;
    if (*at == '"') {
        *at = '\0';
        b->at++;
        return begin;
    }
    return take_unusual(b) ? begin : NULL;
}

// ---- values ----

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Numbers of few digits, as nearly all are, are read once, and then only asked for what other
// readers of decimals let through: zeros in front, no digit before the point or behind it.
static bool take_number(builder *b, cJSON *node)
{
    double number;
    const char *const first = b->at + (*b->at == '-');
    if (!is_digit(first[0]) || (first[0] == '0' && is_digit(first[1]))) {
        return false;
    }
    size_t size_bytes = proto_text_short_decimal(b->at, &number);
    if (size_bytes == 0) {
        size_bytes = proto_text_json_number(b->at, (size_t)(b->end - b->at));
        if (size_bytes == 0 || !proto_text_decimal(b->at, size_bytes, &number)) {
            return false;
        }
    }
    b->at += size_bytes;
    node->type = cJSON_Number;
    node->valuedouble = number;
    node->valueint = number >= INT_MAX ? INT_MAX : number <= INT_MIN ? INT_MIN : (int)number;
    return b->at[-1] != '.';
}

static bool take_literal(builder *b, const char *word, size_t length, int type, cJSON *node)
{
    if (strncmp(b->at, word, length) != 0) {
        return false;
    }
    b->at += length;
    node->type = type;
    node->valueint = type == cJSON_True; // as cJSON has it
    return true;
}

// A scalar, or an empty list or object whose inside comes next.
static bool take_value(builder *b, cJSON *node)
{
    switch (*b->at) {
    case '{':
        node->type = cJSON_Object;
        b->at++;
        return true;
    case '[':
        node->type = cJSON_Array;
        b->at++;
        return true;
    case '"':
        node->type = cJSON_String;
        node->valuestring = take_string(b);
        return node->valuestring != NULL;
    case 't':
        return take_literal(b, "true", 4, cJSON_True, node);
    case 'f':
        return take_literal(b, "false", 5, cJSON_False, node);
    case 'n':
        return take_literal(b, "null", 4, cJSON_NULL, node);
    default:
        return take_number(b, node);
    }
}

// A name and its colon.
static bool take_name(builder *b, cJSON *node)
{
    if (*b->at != '"') {
        return false;
    }
    node->string = take_string(b);
    if (node->string == NULL) {
        return false;
    }
    skip_blanks(b);
    if (*b->at != ':') {
        return false;
    }
    b->at++;
    skip_blanks(b);
    return true;
}

// A member or element: its name, if it has one, and its value. Joins it to its siblings.
static cJSON *add_node(builder *b, cJSON *parent, cJSON *last)
{
    cJSON *const node = b->node++;
    *node = (cJSON){0};
    if (parent != NULL && parent->type == cJSON_Object && !take_name(b, node)) {
        return NULL;
    }
    if (last != NULL) {
        last->next = node;
        node->prev = last;
    } else if (parent != NULL) {
        parent->child = node;
    }
    return take_value(b, node) ? node : NULL;
}

// Bracket by bracket: `last` is the newest sibling in the innermost open one, NULL in one that has
// just been opened.
static bool build(builder *b)
{
    cJSON *open[PROTO_JSON_DEPTH_MAX], *last = NULL;
    uint32_t depth = 0;
    skip_blanks(b);
    do {
        cJSON *const parent = depth > 0 ? open[depth - 1] : NULL;
        if (depth > 0) {
            skip_blanks(b);
            if (*b->at == (parent->type == cJSON_Object ? '}' : ']')) {
                b->at++;
                last = open[--depth];
                continue;
            }
            if (last != NULL) {
                if (*b->at++ != ',') {
                    return false;
                }
                skip_blanks(b);
            }
        }
        last = add_node(b, parent, last);
        if (last == NULL) {
            return false;
        }
        if (last->type == cJSON_Object || last->type == cJSON_Array) {
            if (depth == PROTO_JSON_DEPTH_MAX) {
                return false;
            }
            open[depth++] = last;
            last = NULL;
        }
    } while (depth > 0);
    skip_blanks(b);
    return b->at == b->end;
}

// ---- the block ----

#define EACH UINT64_C(0x0101010101010101)

// A 1 in each of eight bytes that is c.
static uint64_t ones_at(uint64_t eight, char c)
{
    const uint64_t others = eight ^ EACH * (uint8_t)c, low = EACH * 0x7f;
    return ~(((others & low) + low) | others | low) >> 7;
}

// As many values as a text can have at most: each but the first stands behind a comma or an opening
// bracket.
static size_t values_at_most(const char *json, size_t size_bytes)
{
    size_t count = 1, i = 0;
    for (uint64_t eight; i + sizeof eight <= size_bytes; i += sizeof eight) {
        memcpy(&eight, json + i, sizeof eight);
        // The two brackets differ in one bit, which ASCII has for the case of letters.
        count += (ones_at(eight, ',') + ones_at(eight | EACH * 0x20, '{')) * EACH >> 56;
    }
    for (; i < size_bytes; i++) {
        count += json[i] == ',' || (json[i] | 0x20) == '{';
    }
    return count;
}

nav_status proto_fields_parse(const char *json, size_t size_bytes, uint32_t values_max, cJSON **out,
                              nav_error *err)
{
    size_t values = values_at_most(json, size_bytes);
    if (values > values_max) {
        // Perhaps there are fewer: commas and brackets may be parts of strings.
        uint32_t fewer;
        nav_status status =
            proto_json_count(json, size_bytes, PROTO_JSON_DEPTH_MAX, values_max, &fewer, err);
        if (status != NAV_OK) {
            return status;
        }
        values = fewer;
    }
    const size_t node_bytes = values * sizeof(cJSON);
    cJSON *nodes = malloc(node_bytes + size_bytes + 1);
    if (nodes == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to read the JSON");
    }
    char *text = (char *)nodes + node_bytes;
    memcpy(text, json, size_bytes);
    text[size_bytes] = '\0';
    builder b = {.at = text, .end = text + size_bytes, .node = nodes};
    if (!build(&b)) {
        free(nodes);
        nav_status status =
            proto_json_scan(json, size_bytes, PROTO_JSON_DEPTH_MAX, values_max, err);
        return status != NAV_OK ? status : nav_fail(err, PROTO_BAD_JSON, "the JSON cannot be read");
    }
    NAV_ASSERT(b.node <= nodes + values);
    *out = nodes;
    return NAV_OK;
}

void proto_fields_delete(cJSON *tree)
{
    free(tree);
}
