// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// tokens.c: JSON text to tokens, without recursion or allocation.
//
//                  value                          ,
//   VALUE ------------------------> AFTER -----------------> VALUE, in an object NAME
//     ^ |                            ^  |
//     | | [  --> FIRST_VALUE ---]----+  | ] or }
//     | | {  --> FIRST_NAME ----}----+  +--> AFTER
//     | +        NAME --name--> COLON
//     +----------------------------+
//
// The place is kept between two tokens, so that a window may end anywhere. A token that the window
// cuts is read once more from its beginning; of a string only the part that is not yet checked.

#include "proto/json/tokens.h"
#include "proto/json/json.h"

#include <string.h>

typedef enum token_place {
    VALUE,
    FIRST_VALUE, // or ]
    FIRST_NAME,  // or }
    NAME,
    COLON,
    AFTER,
    REFUSED, // nothing more is read
} token_place;

void proto_tokens_init(proto_tokens *t, const char *text, size_t size_bytes, uint32_t depth_max,
                       uint32_t values_max)
{
    // All but the brackets, which are written before they are read.
    memset(t, 0, offsetof(proto_tokens, is_object));
    t->depth_max =
        depth_max < PROTO_TOKENS_DEPTH_CAPACITY ? depth_max : PROTO_TOKENS_DEPTH_CAPACITY;
    t->values_max = values_max;
    t->string_bytes_max = UINT32_MAX;
    t->number_bytes_max = PROTO_NUMBER_BYTES_MAX;
    t->window = text;
    t->window_bytes = size_bytes;
    t->last = text != NULL;
}

void proto_tokens_window(proto_tokens *t, const char *bytes, size_t size_bytes, bool last)
{
    NAV_ASSERT(t->at <= t->window_bytes && !t->last);
    t->first_byte += t->at;
    t->window = bytes;
    t->window_bytes = size_bytes;
    t->at = 0;
    t->last = last;
}

// ---- what is wrong ----

static proto_token refuse(proto_tokens *t, nav_status status, size_t at, const char *reason)
{
    NAV_ASSERT(t->status == NAV_OK);
    t->status = status;
    t->reason = reason;
    t->wrong_at = at;
    t->text = t->window; // the token before may have been another window's
    t->text_bytes = 0;
    t->place = REFUSED;
    return PROTO_TOKEN_WRONG;
}

static proto_token bad_json(proto_tokens *t, size_t at, const char *reason)
{
    return refuse(t, PROTO_BAD_JSON, at, reason);
}

nav_status proto_tokens_bad_json(uint64_t byte, const char *reason, nav_error *err)
{
    return nav_fail_at(err, PROTO_BAD_JSON, nav_at("byte %llu", (unsigned long long)byte).text,
                       "%s at byte %llu", reason, (unsigned long long)byte);
}

nav_status proto_tokens_fail(const proto_tokens *t, nav_error *err)
{
    const uint64_t byte = t->first_byte + t->wrong_at;
    NAV_ASSERT(t->status != NAV_OK);
    if (t->status == PROTO_JSON_TOO_DEEP) {
        nav_fail_at(err, t->status, nav_at("byte %llu", (unsigned long long)byte).text,
                    "nested more than %u deep at byte %llu", t->depth_max,
                    (unsigned long long)byte);
        nav_error_limit(err, "%u", t->depth_max);
    } else if (t->status == PROTO_JSON_TOO_MANY_VALUES) {
        nav_fail(err, t->status, "more than %u values", t->values_max);
        nav_error_limit(err, "%u", t->values_max);
    } else {
        proto_tokens_bad_json(byte, t->reason, err);
    }
    return t->status;
}

uint64_t proto_tokens_byte(const proto_tokens *t)
{
    return t->first_byte + t->begin;
}

// ---- strings ----

// Four hexadecimal digits, or -1.
static int hex4(const char *digits)
{
    int value = 0;
    for (int i = 0; i < 4; i++) {
        const uint32_t c = (uint8_t)digits[i], letter = (c | 0x20u) - 'a';
        if (c - '0' > 9 && letter > 5) {
            return -1;
        }
        value = value * 16 + (int)(c <= '9' ? c - '0' : letter + 10);
    }
    return value;
}

// The outcome of a step within a string: how many bytes it took, or one of these.
#define STEP_WRONG 0
#define STEP_MORE SIZE_MAX

// is_cut: the window ends within the escape.
static size_t wrong_escape(proto_tokens *t, size_t at, const char *reason, bool is_cut)
{
    if (is_cut && !t->last) {
        return STEP_MORE;
    }
    bad_json(t, at, reason);
    return STEP_WRONG;
}

// at is at the backslash of \u. U+0000 is refused, since it would cut a C string short.
static size_t check_unicode(proto_tokens *t, size_t at)
{
    static const char digits[] = "\\u without four hexadecimal digits",
                      lone[] = "lone high surrogate";
    const char *text = t->window + at;
    const size_t rest = t->window_bytes - at;
    if (rest < 6) {
        return wrong_escape(t, at, digits, true);
    }
    const int unit = hex4(text + 2);
    if (unit <= 0 || (unit >= 0xdc00 && unit <= 0xdfff)) {
        return wrong_escape(t, at,
                            unit < 0    ? digits
                            : unit == 0 ? "the character U+0000 is not accepted,"
                                        : "lone low surrogate",
                            false);
    }
    if (unit < 0xd800 || unit > 0xdbff) {
        return 6;
    }
    if (rest < 12) {
        return wrong_escape(t, at, lone, true);
    }
    const int low = text[6] == '\\' && text[7] == 'u' ? hex4(text + 8) : -1;
    return low >= 0xdc00 && low <= 0xdfff ? 12 : wrong_escape(t, at, lone, false);
}

// A character of a string that is neither plain ASCII nor its end.
static size_t check_character(proto_tokens *t, size_t at)
{
    const uint8_t byte = (uint8_t)t->window[at];
    if (byte == '\\') {
        t->has_escapes = true;
        if (t->window_bytes - at < 2) {
            return wrong_escape(t, at, "unknown escape", true);
        }
        const char c = t->window[at + 1];
        return c == 'u' ? check_unicode(t, at)
               : c != '\0' && strchr("\"\\/bfnrt", c) != NULL
                   ? 2
                   : wrong_escape(t, at, "unknown escape", false);
    }
    const size_t rest = t->window_bytes - at;
    const size_t length = byte < 0x20 ? 0 : proto_text_utf8_length(t->window + at, rest);
    if (length == 0 && byte >= 0x80 && rest < 4 && !t->last) {
        return STEP_MORE;
    }
    if (length == 0) {
        bad_json(t, at, byte < 0x20 ? "control character in a string" : "invalid UTF-8");
    }
    return length;
}

// at is at the opening quote.
static proto_token take_string(proto_tokens *t, proto_token kind)
{
    const char *const window = t->window;
    const size_t end = t->window_bytes, start = t->at;
    t->has_escapes = t->checked_bytes > 0 && t->has_escapes;
    size_t at = start + (t->checked_bytes > 0 ? t->checked_bytes : 1);
    for (;;) {
        // As signed numbers, all but ASCII is below the blank.
        while (at < end && (int8_t)window[at] >= ' ' && window[at] != '"' && window[at] != '\\') {
            at++;
        }
        if (at - start >= t->string_bytes_max) {
            return bad_json(t, start, "a name or number is too long");
        }
        if (at < end && window[at] == '"') {
            break;
        }
        const size_t step = at < end ? check_character(t, at) : STEP_MORE;
        if (step == STEP_MORE && !t->last) {
            t->checked_bytes = at - start;
            return PROTO_TOKEN_MORE;
        }
        if (step == STEP_WRONG || step == STEP_MORE) {
            return step == STEP_WRONG ? PROTO_TOKEN_WRONG
                                      : bad_json(t, start, "string without an end, begun");
        }
        at += step;
    }
    NAV_DCHECK(at > start && at < end);
    t->checked_bytes = 0;
    t->text = window + start + 1;
    t->text_bytes = at - start - 1;
    t->at = at + 1;
    return kind;
}

// The character of an escape that has been checked, whose backslash is at *at.
static uint32_t decode_escape(const char **at)
{
    static const char letters[] = "bfnrt", meanings[] = "\b\f\n\r\t";
    const char c = (*at)[1];
    if (c != 'u') {
        const char *letter = strchr(letters, c);
        *at += 2;
        return (uint8_t)(letter != NULL ? meanings[letter - letters] : c);
    }
    uint32_t code = (uint32_t)hex4(*at + 2);
    *at += 6;
    if (code >= 0xd800 && code <= 0xdbff) {
        NAV_DCHECK((*at)[0] == '\\' && (*at)[1] == 'u');
        code = 0x10000 + ((code - 0xd800) << 10) + ((uint32_t)hex4(*at + 2) - 0xdc00);
        *at += 6;
    }
    return code;
}

size_t proto_tokens_decode(const proto_tokens *t, char *out, size_t capacity_bytes)
{
    NAV_ASSERT(capacity_bytes > 0);
    char *to = out;
    const char *const out_end = out + capacity_bytes - 1;
    const char *at = t->text, *const end = t->text + t->text_bytes;
    if (!t->has_escapes) {
        const size_t size_bytes =
            t->text_bytes < capacity_bytes - 1 ? t->text_bytes : capacity_bytes - 1;
        memcpy(out, at, size_bytes);
        out[size_bytes] = '\0';
        return size_bytes;
    }
    while (at < end && to < out_end) {
        if (*at != '\\') {
            *to++ = *at++;
        } else if (!proto_text_put_utf8(decode_escape(&at), &to, out_end)) {
            break;
        }
    }
    NAV_ASSERT(to <= out_end);
    *to = '\0';
    return (size_t)(to - out);
}

// ---- numbers and literals ----

static bool is_word_byte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '+' || c == '.';
}

// No value begins here. The word is waited for, so that a caller sees all of it.
static proto_token no_value(proto_tokens *t)
{
    size_t at = t->at;
    while (at < t->window_bytes && is_word_byte(t->window[at]) &&
           at - t->at <= t->number_bytes_max) {
        at++;
    }
    if (at == t->window_bytes && !t->last) {
        return PROTO_TOKEN_MORE;
    }
    bad_json(t, t->at, t->at == t->window_bytes ? "the text ends too soon" : "expected a value");
    t->text = t->window + t->at;
    t->text_bytes = at - t->at;
    return PROTO_TOKEN_WRONG;
}

static const char *take_digits(const char *at, const char *end, uint64_t *mantissa)
{
    for (uint32_t digit; at < end && (digit = (uint32_t)(uint8_t)*at - '0') < 10; at++) {
        *mantissa = *mantissa * 10 + digit; // wraps around where digits are too many
    }
    return at;
}

// Behind the exponent, if there is one; NULL: it has no digits.
static const char *skip_exponent(const char *at, const char *end)
{
    uint64_t unused = 0;
    if (at == end || (*at != 'e' && *at != 'E')) {
        return at;
    }
    at++;
    at += at < end && (*at == '+' || *at == '-');
    const char *const digits = at;
    at = take_digits(at, end, &unused);
    return at > digits ? at : NULL;
}

static proto_token take_number(proto_tokens *t)
{
    const char *const start = t->window + t->at, *const end = t->window + t->window_bytes;
    const char *const first = start + (*start == '-');
    uint64_t mantissa = 0;
    const char *at = take_digits(first, end, &mantissa), *const point = at;
    bool fine = at > first && (*first != '0' || at == first + 1);
    if (at < end && *at == '.') {
        at = take_digits(at + 1, end, &mantissa);
        fine = fine && at > point + 1;
    }
    const ptrdiff_t decimals = at > point ? at - point - 1 : 0;
    const char *const behind = fine ? skip_exponent(at, end) : NULL;
    if (behind == NULL) {
        return no_value(t);
    }
    t->text = start;
    t->text_bytes = (size_t)(behind - start);
    if (t->text_bytes > t->number_bytes_max) {
        return bad_json(t, t->at, "a name or number is too long");
    }
    if (behind == end && !t->last) {
        return PROTO_TOKEN_MORE;
    }
    t->is_short = behind == at && point - first + decimals <= PROTO_TEXT_SHORT_DIGITS;
    if (t->is_short) {
        const double size = proto_text_short_value(mantissa, (uint32_t)decimals);
        t->number = *start == '-' ? -size : size;
    }
    t->at += t->text_bytes;
    return PROTO_TOKEN_NUMBER;
}

double proto_tokens_long_number(const proto_tokens *t)
{
    char copy[PROTO_NUMBER_BYTES_MAX + 1];
    double value = 0.0;
    NAV_ASSERT(t->text_bytes < sizeof copy);
    memcpy(copy, t->text, t->text_bytes);
    copy[t->text_bytes] = '\0';
    proto_text_decimal(copy, t->text_bytes, &value);
    return value;
}

static proto_token take_literal(proto_tokens *t, const char *word, size_t length, proto_token kind)
{
    const size_t rest = t->window_bytes - t->at;
    if (memcmp(t->window + t->at, word, rest < length ? rest : length) != 0 ||
        (rest < length && t->last)) {
        return no_value(t);
    }
    if (rest < length) {
        return PROTO_TOKEN_MORE;
    }
    t->text = t->window + t->at;
    t->text_bytes = length;
    t->at += length;
    return kind;
}

// ---- values, brackets and what stands between ----

static bool in_object(const proto_tokens *t)
{
    NAV_DCHECK(t->depth > 0);
    const uint32_t top = t->depth - 1;
    return (t->is_object[top / 64] >> (top % 64) & 1) != 0;
}

static proto_token take_bracket(proto_tokens *t, bool object)
{
    if (t->depth >= t->depth_max) {
        return refuse(t, PROTO_JSON_TOO_DEEP, t->at, NULL);
    }
    const uint64_t bit = UINT64_C(1) << (t->depth % 64);
    uint64_t *const word = &t->is_object[t->depth / 64];
    *word = object ? *word | bit : *word & ~bit;
    t->depth++;
    t->text = t->window + t->at++;
    t->text_bytes = 1;
    t->place = object ? FIRST_NAME : FIRST_VALUE;
    return object ? PROTO_TOKEN_OBJECT : PROTO_TOKEN_LIST;
}

static proto_token take_close(proto_tokens *t)
{
    NAV_ASSERT(t->depth > 0);
    t->begin = t->at;
    t->text = t->window + t->at++;
    t->text_bytes = 1;
    t->depth--;
    t->place = AFTER;
    return PROTO_TOKEN_CLOSE;
}

static proto_token take_scalar(proto_tokens *t, char c)
{
    switch (c) {
    case '"':
        return take_string(t, PROTO_TOKEN_STRING);
    case 't':
        return take_literal(t, "true", 4, PROTO_TOKEN_TRUE);
    case 'f':
        return take_literal(t, "false", 5, PROTO_TOKEN_FALSE);
    case 'n':
        return take_literal(t, "null", 4, PROTO_TOKEN_NULL);
    default:
        return c == '-' || (c >= '0' && c <= '9') ? take_number(t) : no_value(t);
    }
}

static proto_token take_value(proto_tokens *t)
{
    t->begin = t->at;
    if (t->values >= t->values_max) {
        return refuse(t, PROTO_JSON_TOO_MANY_VALUES, t->at, NULL);
    }
    const char c = t->at < t->window_bytes ? t->window[t->at] : '\0';
    if (c == '{' || c == '[') {
        t->values++;
        return take_bracket(t, c == '{');
    }
    const proto_token token = take_scalar(t, c);
    if (token > PROTO_TOKEN_END) {
        t->values++;
        t->place = AFTER;
    }
    return token;
}

static proto_token take_name(proto_tokens *t)
{
    t->begin = t->at;
    if (t->at == t->window_bytes || t->window[t->at] != '"') {
        return bad_json(t, t->at, "expected a name in quotes");
    }
    const proto_token token = take_string(t, PROTO_TOKEN_NAME);
    t->place = token == PROTO_TOKEN_NAME ? COLON : t->place;
    return token;
}

// Behind the blanks at the window's place; false where it ends.
static bool pass_blanks(proto_tokens *t)
{
    size_t at = t->at;
    while (at < t->window_bytes && (t->window[at] == ' ' || t->window[at] == '\n' ||
                                    t->window[at] == '\r' || t->window[at] == '\t')) {
        at++;
    }
    t->at = at;
    return at < t->window_bytes;
}

// Skips blanks; whether the window has more. Mostly there are none.
static inline bool skip_blanks(proto_tokens *t)
{
    return (t->at < t->window_bytes && (uint8_t)t->window[t->at] > ' ') || pass_blanks(t);
}

// Behind a value: a comma and what follows it, a closing bracket, or the end.
static proto_token take_after(proto_tokens *t, bool more)
{
    const char c = more ? t->window[t->at] : '\0';
    if (t->depth == 0) {
        return more ? bad_json(t, t->at, "more text after the end") : PROTO_TOKEN_END;
    }
    const bool object = in_object(t);
    if (more && c == (object ? '}' : ']')) {
        return take_close(t);
    }
    if (c != ',') {
        return bad_json(t, t->at,
                        !more    ? "the text ends too soon"
                        : object ? "expected , or }"
                                 : "expected , or ]");
    }
    t->at++;
    t->place = object ? NAME : VALUE;
    return !skip_blanks(t) && !t->last ? PROTO_TOKEN_MORE : object ? take_name(t) : take_value(t);
}

proto_token proto_tokens_next(proto_tokens *t)
{
    NAV_DCHECK(t->at <= t->window_bytes && t->depth <= PROTO_TOKENS_DEPTH_CAPACITY);
    bool more = skip_blanks(t);
    if (!more && !t->last) {
        return t->place == REFUSED ? PROTO_TOKEN_WRONG : PROTO_TOKEN_MORE;
    }
    switch ((token_place)t->place) {
    case AFTER:
        return take_after(t, more);
    case COLON:
        if (!more || t->window[t->at] != ':') {
            return bad_json(t, t->at, "expected a colon");
        }
        t->at++;
        t->place = VALUE;
        more = skip_blanks(t);
        return more || t->last ? take_value(t) : PROTO_TOKEN_MORE;
    case VALUE:
        return take_value(t);
    case FIRST_VALUE:
        return more && t->window[t->at] == ']' ? take_close(t) : take_value(t);
    case FIRST_NAME:
        return more && t->window[t->at] == '}' ? take_close(t) : take_name(t);
    case NAME:
        return take_name(t);
    case REFUSED:
        return PROTO_TOKEN_WRONG;
    }
    return PROTO_TOKEN_WRONG;
}

bool proto_tokens_skip(proto_tokens *t, proto_token token)
{
    const uint32_t depth = t->depth - (token == PROTO_TOKEN_OBJECT || token == PROTO_TOKEN_LIST);
    while (t->depth > depth) {
        if (proto_tokens_next(t) <= PROTO_TOKEN_END) {
            return false;
        }
    }
    return true;
}

nav_status proto_tokens_scan(proto_tokens *t, nav_error *err)
{
    proto_token token;
    do {
        token = proto_tokens_next(t);
    } while (token > PROTO_TOKEN_END);
    NAV_ASSERT(token != PROTO_TOKEN_MORE);
    return token == PROTO_TOKEN_END ? NAV_OK : proto_tokens_fail(t, err);
}

nav_status proto_json_scan(const char *bytes, size_t size_bytes, uint32_t depth_max,
                           uint32_t values_max, nav_error *err)
{
    proto_tokens t;
    proto_tokens_init(&t, bytes, size_bytes, depth_max, values_max);
    return proto_tokens_scan(&t, err);
}
