// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// tokens.h: the one JSON tokenizer. The caller pulls token after token; nothing is allocated, and a
// text may come in pieces. A text that comes to PROTO_TOKEN_END without PROTO_TOKEN_WRONG is valid
// RFC 8259 JSON in UTF-8, in bounded depth and number of values; names that appear twice are left
// to the readers of objects. Private to proto/.
//
//   proto_tokens t;
//   proto_tokens_init(&t, text, size_bytes, depth_max, values_max);
//   while ((token = proto_tokens_next(&t)) > PROTO_TOKEN_END) { ... }

#pragma once

#include "proto/base/text.h"

// In this order: what ends the reading, what stands around values, values.
typedef enum proto_token {
    PROTO_TOKEN_WRONG, // not JSON, or past a limit: proto_tokens_fail says; so is each token after
                       // it
    PROTO_TOKEN_MORE,  // the window ends before the next token does
    PROTO_TOKEN_END,   // the text ends behind its value
    PROTO_TOKEN_NAME,  // of a member; its value is the next token
    PROTO_TOKEN_CLOSE, // of the list or object that was opened last
    PROTO_TOKEN_OBJECT,
    PROTO_TOKEN_LIST,
    PROTO_TOKEN_STRING,
    PROTO_TOKEN_NUMBER,
    PROTO_TOKEN_TRUE,
    PROTO_TOKEN_FALSE,
    PROTO_TOKEN_NULL,
} proto_token;

// The deepest that any limit can allow.
#define PROTO_TOKENS_DEPTH_CAPACITY 1024u

// Members above the line may be read and the limits set by the caller; those below are tokens.c's.
typedef struct proto_tokens {
    uint32_t depth_max, values_max;
    uint32_t string_bytes_max; // of a name or string as it stands there, its quotes included
    uint32_t number_bytes_max;
    uint32_t depth;  // brackets open now
    uint32_t values; // so far; a list or object is one beside its elements
    // The newest token as it stands in the window: strings within their quotes, numbers, literals,
    // the bracket; after PROTO_TOKEN_WRONG the run of letters and digits there, if that was
    // no value. Borrowed from the window.
    const char *text;
    size_t text_bytes;
    // ---
    const char *window;
    size_t window_bytes;
    size_t begin;        // of the newest token
    size_t at;           // the first byte that is in no token yet
    uint64_t first_byte; // where the window begins in the whole text
    bool last;           // no window follows
    bool has_escapes;    // in the newest name or string
    bool is_short;       // the number has few digits, and is in `number`
    uint8_t place;
    double number;
    size_t checked_bytes; // of a string that a window has cut: nothing is wrong up to here
    nav_status status;    // of PROTO_TOKEN_WRONG, with its reason and place
    const char *reason;
    size_t wrong_at;
    // The open brackets, a bit each: 1 an object, 0 a list.
    uint64_t is_object[PROTO_TOKENS_DEPTH_CAPACITY / 64];
} proto_tokens;

// Begins with a whole text, which is borrowed, or with text NULL, which comes in windows. depth_max
// is cut down to the capacity.
void proto_tokens_init(proto_tokens *t, const char *text, size_t size_bytes, uint32_t depth_max,
                       uint32_t values_max);
// The next window begins with the first byte that is in no token yet, t->window[t->at], and is
// borrowed until the one after it. Every window but the last may end anywhere.
void proto_tokens_window(proto_tokens *t, const char *bytes, size_t size_bytes, bool last);

// The next token, whose text is in t->text; after PROTO_TOKEN_MORE and PROTO_TOKEN_END that means
// nothing. PROTO_TOKEN_WRONG and PROTO_TOKEN_END come again from every later call, PROTO_TOKEN_MORE
// until there is another window.
proto_token proto_tokens_next(proto_tokens *t);
// From the newest token, which begins a value, to the end of that. False: it has none.
bool proto_tokens_skip(proto_tokens *t, proto_token token);
// Pulls all that is left. NAV_OK, or what proto_tokens_fail says.
nav_status proto_tokens_scan(proto_tokens *t, nav_error *err);

// The value of the newest token, a number, of many digits or of any.
double proto_tokens_long_number(const proto_tokens *t);
static inline double proto_tokens_number(const proto_tokens *t)
{
    return t->is_short ? t->number : proto_tokens_long_number(t);
}

// The newest string or name, decoded as far as there is room, with a zero at its end. Returns how
// many bytes it has.
size_t proto_tokens_decode(const proto_tokens *t, char *out, size_t capacity_bytes);

// Byte of the whole text at which the newest token begins; of a string its opening quote.
uint64_t proto_tokens_byte(const proto_tokens *t);
// After PROTO_TOKEN_WRONG: fills err and returns the status: PROTO_BAD_JSON, PROTO_JSON_TOO_DEEP
// (at names the byte) or PROTO_JSON_TOO_MANY_VALUES.
nav_status proto_tokens_fail(const proto_tokens *t, nav_error *err);
// PROTO_BAD_JSON at a byte of the whole text: "expected a list at byte 17".
nav_status proto_tokens_bad_json(uint64_t byte, const char *reason, nav_error *err);
