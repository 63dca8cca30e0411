// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// judge.c: holds what comes on a connection against a row.

#include "tests/faults/http/judge.h"

#include <stdio.h>
#include <string.h>

#define PATIENCE_MS 20000
#define QUIET_MS 15 // nothing more comes within this, where a connection stays open
#define WHY_BYTES 400

// NULL: the reply is as the row says.
static const char *judge_reply(const case_reply *wanted, const talk_reply *got, bool last,
                               bool closes)
{
    static _Thread_local char why[WHY_BYTES];
    const bool refused = wanted->status >= 400;
    if (got->status != wanted->status ||
        (wanted->code[0] != '\0' && strcmp(got->code, wanted->code) != 0) ||
        (wanted->at[0] != '\0' && strcmp(got->at, wanted->at) != 0)) {
        (void)snprintf(why, sizeof why, "wanted %d %s %s, got %d %s %s: %.200s", wanted->status,
                       wanted->code, wanted->at, got->status, got->code, got->at,
                       got->body != NULL ? got->body : "");
        return why;
    }
    if (wanted->status >= 200 && got->id[0] == '\0') {
        return "a reply without X-Request-Id";
    }
    if (refused &&
        (!got->problem || got->body_status != got->status || strcmp(got->body_id, got->id) != 0)) {
        return "an error that is no problem object with its status and name";
    }
    // A client that has ended its side knows that the daemon ends the other.
    return (got->closes && !(last && closes)) || (refused && last && closes && !got->closes)
               ? "Connection: close, or not, is not as the row says"
               : NULL;
}

static const char *judge_end(const case_row *row, talk *t)
{
    talk_reply got;
    const talk_end end = talk_receive(t, row->closes ? PATIENCE_MS : QUIET_MS, &got);
    if (end == (row->closes ? TALK_CLOSED : TALK_SILENT)) {
        return NULL;
    }
    if (end == TALK_REPLY) {
        return "one reply too many";
    }
    return row->closes ? "the connection stays open, or garbage follows"
                       : "the connection is closed, or garbage follows";
}

const char *case_judge(const case_row *row, talk *t, void (*note)(void *user, const char *id),
                       void *user)
{
    static const char *const ends[] = {[TALK_CLOSED] = "closed instead of a reply",
                                       [TALK_SILENT] = "no reply",
                                       [TALK_GARBLED] = "what came is no reply"};
    for (size_t i = 0; i < row->reply_count; i++) {
        talk_reply got;
        const talk_end end = talk_receive(t, PATIENCE_MS, &got);
        if (end != TALK_REPLY) {
            return ends[end];
        }
        if (got.id[0] != '\0') {
            note(user, got.id);
        }
        const char *why =
            judge_reply(&row->replies[i], &got, i + 1 == row->reply_count, row->closes);
        if (why != NULL) {
            return why;
        }
    }
    return judge_end(row, t);
}
