// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// text.c: texts out of the database, judged where they are read. JSON goes into answers as it
// is, names into messages and log lines: what a damaged page says in their place must not. And the
// sentence for damage.

#include "server/store/db.h"

#include "proto/base/text.h"
#include "proto/json/json.h"
#include "server/base/limits.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// As this program writes it: on one line, so that it can be an event's.
static bool is_json(const char *text, size_t size_bytes, char first)
{
    return size_bytes > 0 && text[0] == first && proto_text_is_line(text, size_bytes) &&
           proto_json_scan(text, size_bytes, PROTO_JSON_DEPTH_MAX, UINT32_MAX, NULL) == NAV_OK;
}

static bool is_whole(const char *text, size_t size_bytes, store_text kind)
{
    switch (kind) {
    case STORE_TEXT_NAME:
        return limits_is_mesh_name(text, size_bytes);
    case STORE_TEXT_OBJECT:
        return is_json(text, size_bytes, '{');
    case STORE_TEXT_LIST:
        return is_json(text, size_bytes, '[');
    case STORE_TEXT_WORDS:
        break;
    }
    return proto_text_is_line(text, size_bytes);
}

bool store_text_at(store_statement *s, int column, store_text kind, const char **out)
{
    const int type = sqlite3_column_type(s->sql, column);
    *out = "";
    if (type == SQLITE_NULL) {
        return true;
    }
    const char *text =
        type == SQLITE_TEXT ? (const char *)sqlite3_column_text(s->sql, column) : NULL;
    if (text == NULL) {
        s->code = type == SQLITE_TEXT ? SQLITE_NOMEM : s->code;
        return false;
    }
    if (!is_whole(text, (size_t)sqlite3_column_bytes(s->sql, column), kind)) {
        return false;
    }
    *out = text;
    return true;
}

bool store_name_at(store_statement *s, int column, char out[LIMIT_MESH_NAME + 1])
{
    const char *text;
    const bool whole = store_text_at(s, column, STORE_TEXT_NAME, &text);
    memset(out, 0, LIMIT_MESH_NAME + 1);
    memcpy(out, text, strlen(text)); // a name is no longer
    return whole && text[0] != '\0';
}

char *store_column_text(store_statement *s, int column, store_text kind, bool *whole)
{
    const char *text;
    *whole = store_text_at(s, column, kind, &text);
    if (!*whole || sqlite3_column_type(s->sql, column) == SQLITE_NULL) {
        return NULL;
    }
    char *copy = strdup(text);
    if (copy == NULL) {
        s->code = SQLITE_NOMEM;
    }
    return copy;
}

void store_text_show(char *text)
{
    for (size_t length = strlen(text), i = 0; i < length;) {
        const size_t taken =
            (uint8_t)text[i] < 0x80 ? 1 : proto_text_utf8_length(text + i, length - i);
        if (taken == 0 || !proto_text_is_line(text + i, taken)) {
            text[i++] = '?';
        } else if (proto_text_hidden(text + i, taken) != 0) {
            memset(text + i, '?', taken);
            i += taken;
        } else {
            i += taken;
        }
    }
}

// ---- words ----

static const char *const STATE_WORDS[] = {
    [STORE_QUEUED] = "queued",
    [STORE_READY] = "ready",
    [STORE_FAILED] = "failed",
    [STORE_CANCELLED] = "cancelled",
};

_Static_assert(sizeof STATE_WORDS / sizeof *STATE_WORDS == STORE_STATE_COUNT, "a word for each");

const char *store_state_word(store_state state)
{
    NAV_ASSERT(state < STORE_STATE_COUNT);
    return STATE_WORDS[state];
}

store_state store_state_at(store_statement *s, int column)
{
    const char *word;
    (void)store_text_at(s, column, STORE_TEXT_WORDS, &word);
    int state = 0;
    while (state < STORE_STATE_COUNT && strcmp(word, STATE_WORDS[state]) != 0) {
        state++;
    }
    return (store_state)state;
}

// ---- the sentence for damage ----

#define FOUND_BYTES 61
#define ADVICE "Upload it again or restore a backup; navmeshd verify tells all"
#define ADVICE_REPAIRING "It is being baked again from what is whole; ask later"

nav_status damage_fail(nav_error *err, const char *mesh, uint32_t version, const char *format, ...)
{
    char found[FOUND_BYTES];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(found, sizeof found, format, values);
    va_end(values);
    return nav_fail(err, PROTO_INTERNAL,
                    "version %u of mesh '%.64s' is damaged in the database: %s. " ADVICE, version,
                    mesh, found);
}

void damage_is_repaired(nav_error *err)
{
    char *advice = strstr(err->detail, ADVICE);
    if (advice != NULL) {
        (void)snprintf(advice, sizeof err->detail - (size_t)(advice - err->detail),
                       ADVICE_REPAIRING);
        err->status = PROTO_NOT_READY;
    }
}
