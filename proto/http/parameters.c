// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// parameters.c: a header's value and its parameters (RFC 9110, section 5.6.6). A value without
// quotes may have any visible character but ; and ", since boundaries are sent with more than a
// token may have.

#include "proto/http/parameters.h"

#include <string.h>
#include <strings.h>

bool proto_span_is_word(proto_span span, const char *word)
{
    return strlen(word) == span.size_bytes && strncasecmp(span.at, word, span.size_bytes) == 0;
}

int proto_span_width(proto_span span, int most)
{
    NAV_ASSERT(most >= 0);
    return span.size_bytes < (size_t)most ? (int)span.size_bytes : most;
}

bool proto_is_token_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("!#$%&'*+-.^_`|~", c) != NULL);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static void skip(proto_span *text, size_t size_bytes)
{
    NAV_ASSERT(size_bytes <= text->size_bytes);
    text->at += size_bytes;
    text->size_bytes -= size_bytes;
}

static void skip_blanks(proto_span *text)
{
    while (text->size_bytes > 0 && is_blank(*text->at)) {
        skip(text, 1);
    }
}

proto_span proto_parameters_of(proto_span value, proto_span *rest)
{
    const char *semicolon = memchr(value.at, ';', value.size_bytes);
    *rest = value;
    skip(rest, semicolon != NULL ? (size_t)(semicolon - value.at) : value.size_bytes);
    value.size_bytes -= rest->size_bytes;
    skip_blanks(&value);
    while (value.size_bytes > 0 && is_blank(value.at[value.size_bytes - 1])) {
        value.size_bytes--;
    }
    return value;
}

// The text up to the quote that ends it; false: none does.
static bool take_quoted(proto_span *text, proto_span *out)
{
    skip(text, 1);
    *out = (proto_span){.at = text->at};
    while (text->size_bytes > 0 && *text->at != '"') {
        const bool escape = *text->at == '\\' && text->size_bytes > 1 &&
                            (text->at[1] == '"' || text->at[1] == '\\');
        skip(text, escape ? 2 : 1);
    }
    out->size_bytes = (size_t)(text->at - out->at);
    if (text->size_bytes == 0) {
        return false;
    }
    skip(text, 1);
    return true;
}

static bool take_bare(proto_span *text, proto_span *out)
{
    *out = (proto_span){.at = text->at};
    while (text->size_bytes > 0 && *text->at != ';' && *text->at != '"' &&
           (uint8_t)*text->at > ' ' && *text->at != 0x7f) {
        skip(text, 1);
    }
    out->size_bytes = (size_t)(text->at - out->at);
    return out->size_bytes > 0;
}

bool proto_parameter_next(proto_span *rest, proto_parameter *out)
{
    proto_span text = *rest;
    skip_blanks(&text);
    while (text.size_bytes > 0 && *text.at == ';') {
        skip(&text, 1);
        skip_blanks(&text);
    }
    if (text.size_bytes == 0) {
        *rest = text;
        return false;
    }
    out->name = (proto_span){.at = text.at};
    while (text.size_bytes > 0 && proto_is_token_byte(*text.at)) {
        skip(&text, 1);
    }
    out->name.size_bytes = (size_t)(text.at - out->name.at);
    if (out->name.size_bytes == 0 || text.size_bytes < 2 || *text.at != '=') {
        return false;
    }
    skip(&text, 1);
    if (!(*text.at == '"' ? take_quoted : take_bare)(&text, &out->value)) {
        return false;
    }
    skip_blanks(&text);
    if (text.size_bytes > 0 && *text.at != ';') {
        return false;
    }
    *rest = text;
    return true;
}
