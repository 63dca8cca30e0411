// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// place.c: from the place that an error names to the line of a document. Readers of documents work
// on a tree, which has forgotten where its values stood; so the text is walked once more, with the
// tokens, along the names of the place.

#include "proto/json/document.h"

#include "proto/json/json.h"
#include "proto/json/tokens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 256 // of a member that can be found

// A walk to a place. rest is what of it lies deeper than the newest token.
typedef struct walk {
    proto_tokens tokens;
    const char *rest;
    uint64_t byte; // of the deepest part that was found
    bool found;
} walk;

// How many characters of a place a member's name takes; 0: it is not the next part.
static size_t part_length(const char *place, const char *name)
{
    const size_t length = strlen(name);
    const char end = strncmp(place, name, length) == 0 ? place[length] : 'x';
    return end == '\0' || end == '.' || end == '[' ? length : 0;
}

// Into the member that the rest begins with; of several, since names may have dots, the longest.
static bool enter_member(walk *w)
{
    proto_tokens best;
    size_t best_length = 0;
    while (proto_tokens_next(&w->tokens) == PROTO_TOKEN_NAME) {
        char name[NAME_BYTES];
        proto_tokens_decode(&w->tokens, name, sizeof name);
        const size_t length = part_length(w->rest, name);
        if (length > best_length) {
            best = w->tokens;
            best_length = length;
        }
        if (!proto_tokens_skip(&w->tokens, proto_tokens_next(&w->tokens))) {
            break;
        }
    }
    if (best_length > 0) {
        w->tokens = best;
        w->byte = proto_tokens_byte(&best);
        w->rest += best_length;
        w->rest += *w->rest == '.';
    }
    return best_length > 0;
}

static bool enter_element(walk *w, proto_token *token)
{
    char *end;
    if (w->rest[0] != '[') {
        return false;
    }
    const unsigned long index = strtoul(w->rest + 1, &end, 10);
    for (unsigned long i = 0; end[0] == ']'; i++) {
        *token = proto_tokens_next(&w->tokens);
        if (*token < PROTO_TOKEN_OBJECT) {
            return false;
        }
        if (i == index) {
            w->byte = proto_tokens_byte(&w->tokens);
            w->rest = end + 1;
            w->rest += *w->rest == '.';
            return true;
        }
        if (!proto_tokens_skip(&w->tokens, *token)) {
            return false;
        }
    }
    return false;
}

static bool find_byte(const char *json, size_t size_bytes, const char *at, uint64_t *byte)
{
    if (strncmp(at, "byte ", 5) == 0) {
        *byte = strtoull(at + 5, NULL, 10);
        return *byte <= size_bytes;
    }
    walk w = {.rest = at};
    proto_tokens_init(&w.tokens, json, size_bytes, PROTO_JSON_DEPTH_MAX, UINT32_MAX);
    proto_token token = proto_tokens_next(&w.tokens);
    while (w.rest[0] != '\0') {
        if (token == PROTO_TOKEN_OBJECT && enter_member(&w)) {
            token = proto_tokens_next(&w.tokens);
        } else if (token != PROTO_TOKEN_LIST || !enter_element(&w, &token)) {
            break;
        }
        w.found = true;
    }
    *byte = w.byte;
    return w.found;
}

bool proto_document_locate(const char *json, size_t size_bytes, const char *at, uint32_t *line,
                           uint32_t *column)
{
    uint64_t byte;
    if (!find_byte(json, size_bytes, at, &byte)) {
        return false;
    }
    *line = *column = 1;
    for (uint64_t i = 0; i < byte; i++) {
        const bool ends = json[i] == '\n';
        *line += ends;
        *column = ends ? 1 : *column + 1;
    }
    return true;
}

void proto_document_tell_line(const char *json, size_t size_bytes, nav_error *err)
{
    uint32_t line, column;
    const nav_error told = *err;
    if (!proto_document_locate(json, size_bytes, told.at, &line, &column)) {
        return;
    }
    if (strncmp(told.at, "byte ", 5) == 0) {
        (void)snprintf(err->detail, sizeof err->detail, "line %u, column %u: %.200s", line, column,
                       told.detail);
    } else {
        (void)snprintf(err->detail, sizeof err->detail, "line %u: %.200s", line, told.detail);
    }
}
