// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// scan.c: is this valid JSON, and small enough to be turned into a tree? One pass without
// allocation or recursion. fields_tree.c makes a tree of exactly those texts that pass, and asks
// here for the error of any other.
//
//            value                     ,                      : after a key
//   VALUE ----------> AFTER_VALUE ----------> VALUE or KEY ------------------> VALUE
//     |  ^                 |  ^
//     |  | [ or {          |  | ] or }
//     +--+                 +--+
//
// The kinds of the open brackets are one bit each: 1 an object, 0 an array.

#include "proto/proto.h"
#include "proto/base/text.h"

#include <string.h>

// Room of the bracket stack; a larger depth_max than this is cut down to it.
#define DEPTH_CAPACITY 1024u

typedef struct scanner {
    const char *bytes;
    size_t size_bytes, position;
    uint64_t first_byte;
    uint32_t depth, depth_max, values, values_max;
    uint64_t is_object[DEPTH_CAPACITY / 64];
    nav_error *err;
} scanner;

static nav_status bad_json(const scanner *s, size_t position, const char *what)
{
    unsigned long long byte = s->first_byte + position;
    nav_fail(s->err, PROTO_BAD_JSON, "%s at byte %llu", what, byte);
    nav_error_at(s->err, "byte %llu", byte);
    return PROTO_BAD_JSON;
}

static void skip_blanks(scanner *s)
{
    while (s->position < s->size_bytes) {
        char c = s->bytes[s->position];
        if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
            break;
        }
        s->position++;
    }
}

// The next byte, or 0 at the end (a NUL byte is not JSON either).
static char peek(const scanner *s)
{
    return s->position < s->size_bytes ? s->bytes[s->position] : '\0';
}

static bool in_object(const scanner *s)
{
    uint32_t top = s->depth - 1;
    return s->depth > 0 && (s->is_object[top / 64] >> (top % 64) & 1) != 0;
}

// Four hexadecimal digits at position, or -1.
static int hex4(const scanner *s, size_t position)
{
    if (s->size_bytes < 4 || position > s->size_bytes - 4) {
        return -1;
    }
    int value = 0;
    for (size_t i = 0; i < 4; i++) {
        char c = s->bytes[position + i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0) {
            return -1;
        }
        value = value * 16 + digit;
    }
    return value;
}

// position is at the backslash. U+0000 is refused, since it would cut a C string short.
static nav_status scan_escape(scanner *s)
{
    size_t start = s->position++;
    char c = peek(s);
    if (c != 'u') {
        if (c == '\0' || strchr("\"\\/bfnrt", c) == NULL) {
            return bad_json(s, start, "unknown escape");
        }
        s->position++;
        return NAV_OK;
    }
    int unit = hex4(s, s->position + 1);
    if (unit < 0) {
        return bad_json(s, start, "\\u without four hexadecimal digits");
    }
    s->position += 5;
    if (unit == 0) {
        return bad_json(s, start, "the character U+0000 is not accepted,");
    }
    if (unit >= 0xdc00 && unit <= 0xdfff) {
        return bad_json(s, start, "lone low surrogate");
    }
    if (unit >= 0xd800 && unit <= 0xdbff) {
        bool escape =
            peek(s) == '\\' && s->position + 1 < s->size_bytes && s->bytes[s->position + 1] == 'u';
        int low = escape ? hex4(s, s->position + 2) : -1;
        if (low < 0xdc00 || low > 0xdfff) {
            return bad_json(s, start, "lone high surrogate");
        }
        s->position += 6;
    }
    return NAV_OK;
}

// position is at the opening quote; ends behind the closing one.
static nav_status scan_string(scanner *s)
{
    size_t start = s->position++;
    while (s->position < s->size_bytes) {
        uint8_t byte = (uint8_t)s->bytes[s->position];
        if (byte == '"') {
            s->position++;
            return NAV_OK;
        }
        if (byte == '\\') {
            nav_status status = scan_escape(s);
            if (status != NAV_OK) {
                return status;
            }
            continue;
        }
        if (byte < 0x20) {
            return bad_json(s, s->position, "control character in a string");
        }
        if (byte < 0x80) {
            s->position++;
            continue;
        }
        size_t length = proto_text_utf8_length(s->bytes + s->position, s->size_bytes - s->position);
        if (length == 0) {
            return bad_json(s, s->position, "invalid UTF-8");
        }
        s->position += length;
    }
    return bad_json(s, start, "string without an end, begun");
}

static nav_status scan_scalar(scanner *s)
{
    const char *text = s->bytes + s->position;
    const size_t rest = s->size_bytes - s->position;
    const char first = peek(s);
    const char *literal = first == 't'   ? "true"
                          : first == 'f' ? "false"
                          : first == 'n' ? "null"
                                         : NULL;
    size_t length = literal != NULL ? strlen(literal) : proto_text_json_number(text, rest);
    if (literal != NULL && (rest < length || memcmp(text, literal, length) != 0)) {
        length = 0;
    }
    if (length == 0) {
        return bad_json(s, s->position, rest == 0 ? "the text ends too soon" : "expected a value");
    }
    s->position += length;
    return NAV_OK;
}

static nav_status push(scanner *s, bool object)
{
    if (s->depth >= s->depth_max) {
        nav_fail(s->err, PROTO_JSON_TOO_DEEP, "nested more than %u deep at byte %llu", s->depth_max,
                 (unsigned long long)(s->first_byte + s->position));
        nav_error_at(s->err, "byte %llu", (unsigned long long)(s->first_byte + s->position));
        nav_error_limit(s->err, "%u", s->depth_max);
        return PROTO_JSON_TOO_DEEP;
    }
    uint64_t bit = UINT64_C(1) << (s->depth % 64);
    uint64_t *word = &s->is_object[s->depth / 64];
    *word = object ? *word | bit : *word & ~bit;
    s->depth++;
    s->position++;
    return NAV_OK;
}

// A key and its colon.
static nav_status scan_key(scanner *s)
{
    skip_blanks(s);
    if (peek(s) != '"') {
        return bad_json(s, s->position, "expected a name in quotes");
    }
    nav_status status = scan_string(s);
    if (status != NAV_OK) {
        return status;
    }
    skip_blanks(s);
    if (peek(s) != ':') {
        return bad_json(s, s->position, "expected a colon");
    }
    s->position++;
    return NAV_OK;
}

// One value, or the opening bracket of one. *opened tells that its first element comes next.
static nav_status scan_value(scanner *s, bool *opened)
{
    skip_blanks(s);
    *opened = false;
    if (++s->values > s->values_max) {
        nav_fail(s->err, PROTO_JSON_TOO_MANY_VALUES, "more than %u values", s->values_max);
        nav_error_limit(s->err, "%u", s->values_max);
        return PROTO_JSON_TOO_MANY_VALUES;
    }
    char c = peek(s);
    if (c == '"') {
        return scan_string(s);
    }
    if (c != '[' && c != '{') {
        return scan_scalar(s);
    }
    nav_status status = push(s, c == '{');
    if (status != NAV_OK) {
        return status;
    }
    skip_blanks(s);
    if (peek(s) == (c == '{' ? '}' : ']')) {
        s->position++;
        s->depth--;
        return NAV_OK;
    }
    *opened = true;
    return c == '{' ? scan_key(s) : NAV_OK;
}

// Closing brackets and the comma behind a value. Ends before the next value, or with depth 0.
static nav_status scan_after_value(scanner *s)
{
    while (s->depth > 0) {
        skip_blanks(s);
        char c = peek(s);
        if (c == ',') {
            s->position++;
            return in_object(s) ? scan_key(s) : NAV_OK;
        }
        if (c != (in_object(s) ? '}' : ']')) {
            return bad_json(s, s->position,
                            s->position == s->size_bytes ? "the text ends too soon"
                            : in_object(s)               ? "expected , or }"
                                                         : "expected , or ]");
        }
        s->position++;
        s->depth--;
    }
    return NAV_OK;
}

static nav_status scan(scanner *s)
{
    do {
        bool opened;
        nav_status status = scan_value(s, &opened);
        if (status == NAV_OK && !opened) {
            status = scan_after_value(s);
        }
        if (status != NAV_OK) {
            return status;
        }
    } while (s->depth > 0);
    skip_blanks(s);
    return s->position == s->size_bytes ? NAV_OK
                                        : bad_json(s, s->position, "more text after the end");
}

nav_status proto_json_scan_part(const char *bytes, size_t size_bytes, uint64_t first_byte,
                                uint32_t depth_max, uint32_t values_max, nav_error *err)
{
    scanner s = {.bytes = bytes,
                 .size_bytes = size_bytes,
                 .first_byte = first_byte,
                 .depth_max = depth_max < DEPTH_CAPACITY ? depth_max : DEPTH_CAPACITY,
                 .values_max = values_max,
                 .err = err};
    return scan(&s);
}

nav_status proto_json_scan(const char *bytes, size_t size_bytes, uint32_t depth_max,
                           uint32_t values_max, nav_error *err)
{
    uint32_t values;
    return proto_json_count(bytes, size_bytes, depth_max, values_max, &values, err);
}

nav_status proto_json_count(const char *bytes, size_t size_bytes, uint32_t depth_max,
                            uint32_t values_max, uint32_t *values, nav_error *err)
{
    scanner s = {.bytes = bytes,
                 .size_bytes = size_bytes,
                 .depth_max = depth_max < DEPTH_CAPACITY ? depth_max : DEPTH_CAPACITY,
                 .values_max = values_max,
                 .err = err};
    nav_status status = scan(&s);
    if (status == NAV_OK) {
        *values = s.values;
    }
    return status;
}
