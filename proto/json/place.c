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

// How many characters of a place the name of a member, or "[3]" of an element, takes; 0: it is not
// the next part.
static size_t step_length(const char *place, const char *name)
{
    const size_t length = strlen(name);
    const char end = strncmp(place, name, length) == 0 ? place[length] : 'x';
    return end == '\0' || end == '.' || end == '[' ? length : 0;
}

// Into what stands at the beginning of *rest within the object or list that token has opened; of
// several members, since names may have dots, the longest. *byte is where it begins.
static bool enter(proto_tokens *t, proto_token *token, const char **rest, uint64_t *byte)
{
    const bool is_list = *token == PROTO_TOKEN_LIST;
    const uint32_t depth = t->depth;
    proto_tokens best;
    proto_token best_token = PROTO_TOKEN_NULL;
    size_t best_length = 0;
    for (uint32_t i = 0; is_list || *token == PROTO_TOKEN_OBJECT; i++) {
        char name[NAME_BYTES];
        proto_token next = proto_tokens_next(t);
        const uint64_t at = proto_tokens_byte(t);
        if (next <= PROTO_TOKEN_END || t->depth < depth) {
            break;
        }
        if (is_list) {
            (void)snprintf(name, sizeof name, "[%u]", i);
        } else {
            proto_tokens_decode(t, name, sizeof name);
            next = proto_tokens_next(t);
        }
        const size_t length = step_length(*rest, name);
        if (length > best_length) {
            best = *t;
            best_token = next;
            best_length = length;
            *byte = at;
        }
        if (!proto_tokens_skip(t, next)) {
            break;
        }
    }
    if (best_length == 0) {
        return false;
    }
    *t = best;
    *token = best_token;
    *rest += best_length;
    *rest += **rest == '.';
    return true;
}

static bool find_byte(const char *json, size_t size_bytes, const char *at, uint64_t *byte)
{
    if (strncmp(at, "byte ", 5) == 0) {
        *byte = strtoull(at + 5, NULL, 10);
        return *byte <= size_bytes;
    }
    proto_tokens t;
    bool found = false;
    proto_tokens_init(&t, json, size_bytes, PROTO_JSON_DEPTH_MAX, UINT32_MAX);
    proto_token token = proto_tokens_next(&t);
    while (at[0] != '\0' && enter(&t, &token, &at, byte)) {
        found = true;
    }
    return found;
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

void proto_document_say_line(const char *json, size_t size_bytes, nav_error *err)
{
    uint32_t line, column;
    const nav_error said = *err;
    if (!proto_document_locate(json, size_bytes, said.at, &line, &column)) {
        return;
    }
    if (strncmp(said.at, "byte ", 5) == 0) {
        (void)snprintf(err->detail, sizeof err->detail, "line %u, column %u: %.200s", line, column,
                       said.detail);
    } else {
        (void)snprintf(err->detail, sizeof err->detail, "line %u: %.200s", line, said.detail);
    }
}
