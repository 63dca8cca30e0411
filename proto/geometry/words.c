// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// words.c: text in pieces of any size to words and ends of lines. \n, \r\n and \r all end a line.

#include "proto/geometry/geometry.h"

void proto_words_begin(proto_words *w)
{
    *w = (proto_words){.line = 1};
}

nav_status proto_words_refuse(const proto_words *w, nav_error *err, const char *what)
{
    nav_fail_at(err, PROTO_BAD_GEOMETRY, nav_at("line %llu", (unsigned long long)w->line).text,
                "line %llu: %s", (unsigned long long)w->line, what);
    if (w->word.size_bytes > 0) {
        nav_error_got(err, "%.63s", w->word.text);
    }
    return PROTO_BAD_GEOMETRY;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

// Forgets what was handed out last.
static void go_on(proto_words *w)
{
    w->line += w->after_line ? 1 : 0;
    w->after_line = false;
    if (w->taken) {
        w->word.size_bytes = 0;
        w->taken = false;
    }
}

bool proto_words_last(proto_words *w)
{
    go_on(w);
    w->word.text[w->word.size_bytes] = '\0';
    return w->word.size_bytes > 0;
}

static nav_status take_letter(proto_words *w, char c, nav_error *err)
{
    if ((uint8_t)c < 0x20 || c == 0x7f) {
        w->word.text[w->word.size_bytes] = '\0';
        return proto_words_refuse(w, err, "a control character; this is not a text");
    }
    if (w->word.size_bytes >= PROTO_NUMBER_BYTES_MAX) {
        w->word.text[PROTO_NUMBER_BYTES_MAX] = '\0';
        return proto_words_refuse(w, err, "a word is too long");
    }
    w->word.text[w->word.size_bytes++] = c;
    return NAV_OK;
}

nav_status proto_words_next(proto_words *w, const char **bytes, const char *end,
                            proto_words_end *out, nav_error *err)
{
    const char *at = *bytes;
    nav_status status = NAV_OK;
    *out = PROTO_WORDS_PIECE;
    while (at < end && status == NAV_OK) {
        const char c = *at;
        const bool is_line = c == '\n' || c == '\r';
        if (w->after_return && c == '\n') {
            w->after_return = false;
            at++;
            continue;
        }
        go_on(w);
        if ((is_line || is_blank(c)) && w->word.size_bytes > 0) {
            w->word.text[w->word.size_bytes] = '\0';
            w->taken = true;
            *out = PROTO_WORDS_WORD;
            break;
        }
        w->after_return = c == '\r';
        at++;
        if (is_line) {
            w->after_line = true;
            *out = PROTO_WORDS_LINE;
            break;
        }
        if (!is_blank(c)) {
            status = take_letter(w, c, err);
        }
    }
    *bytes = at;
    return status;
}
