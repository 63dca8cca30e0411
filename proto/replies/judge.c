// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// judge.c: whether an answer is a yes or a no, for programs that ask on behalf of a script: from
// its members, token by token, whatever the question was.

#include "proto/replies/replies.h"

#include "proto/json/json.h"
#include "proto/json/tokens.h"

#include <string.h>

#define MEMBER_BYTES 16

// The answer that is read, and the member of it that the newest token is in.
typedef struct judge {
    proto_tokens tokens;
    char member[MEMBER_BYTES]; // a longer name is cut, and is none that counts
    uint32_t level;            // of the members of an answer: brackets open
    bool opened;               // the token before has opened a list
} judge;

static bool is_member(const judge *j, const char *name)
{
    return strcmp(j->member, name) == 0;
}

// Where a list without elements says that there is nothing.
static bool is_list_of_finds(const judge *j)
{
    return is_member(j, "points") || is_member(j, "floors") || is_member(j, "nearest");
}

static bool says_no(const judge *j, proto_token token)
{
    switch (token) {
    case PROTO_TOKEN_CLOSE:
        return j->opened && is_list_of_finds(j);
    case PROTO_TOKEN_STRING:
        return is_member(j, "reason") ||
               (is_member(j, "status") &&
                (j->tokens.text_bytes != strlen("complete") ||
                 memcmp(j->tokens.text, "complete", j->tokens.text_bytes) != 0));
    case PROTO_TOKEN_FALSE:
        return is_member(j, "complete") || is_member(j, "reachable");
    case PROTO_TOKEN_NULL:
        return is_member(j, "costs");
    default:
        return false;
    }
}

// Members of the outer object count, and those of the objects in its list of results.
static void follow(judge *j, proto_token token)
{
    const uint32_t depth = j->tokens.depth;
    if (token == PROTO_TOKEN_NAME && depth == j->level) {
        (void)proto_tokens_decode(&j->tokens, j->member, sizeof j->member);
    } else if (token == PROTO_TOKEN_LIST && depth == 2 && is_member(j, "results")) {
        j->level = 3;
    } else if (token == PROTO_TOKEN_CLOSE && depth == 1) {
        j->level = 1;
    }
    j->opened = token == PROTO_TOKEN_LIST;
}

static void begin(judge *j, const char *json, size_t size_bytes)
{
    *j = (judge){.level = 1};
    proto_tokens_init(&j->tokens, json, size_bytes, PROTO_JSON_DEPTH_MAX, UINT32_MAX);
}

nav_status proto_answer_judge(const char *json, size_t size_bytes, bool *negative, nav_error *err)
{
    judge j;
    proto_token token;
    *negative = false;
    begin(&j, json, size_bytes);
    while ((token = proto_tokens_next(&j.tokens)) > PROTO_TOKEN_END) {
        *negative = *negative || says_no(&j, token);
        follow(&j, token);
    }
    return token == PROTO_TOKEN_END ? NAV_OK : proto_tokens_fail(&j.tokens, err);
}

bool proto_answer_number(const char *json, size_t size_bytes, const char *member, double *out)
{
    judge j;
    proto_token token;
    begin(&j, json, size_bytes);
    while ((token = proto_tokens_next(&j.tokens)) > PROTO_TOKEN_END) {
        if (token == PROTO_TOKEN_NUMBER && j.tokens.depth == 1 && is_member(&j, member)) {
            *out = proto_tokens_number(&j.tokens);
            return true;
        }
        follow(&j, token);
    }
    return false;
}
