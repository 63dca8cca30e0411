// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// wire_head.c: the head of a request, byte by byte: its first line, the lines of headers, and what
// of them says where the body ends.

#include "proto/http/wire_steps.h"

#include <string.h>

#define METHOD_BYTES_MAX 24u
#define EMPTY_LINES_BYTES_MAX 8u // before a request line
#define LENGTH_DIGITS_MAX 18u    // of Content-Length

// Headers whose values matter.
enum {
    OTHER = 0,
    HOST = 1,
    TYPE = 2,
    LENGTH = 4,
    ENCODING = 8,
    COOKIE = 16,
    EXPECT = 32,
    TOKEN = 64,
    CODING = 128,
    MATCH = 256,
    NONE_MATCH = 512,
    // of which each may stand once
    ONCE = HOST | TYPE | LENGTH | ENCODING | TOKEN | CODING | MATCH | NONE_MATCH,
};

// In the text of a cookie.
enum {
    COOKIE_NAME,
    COOKIE_BEGIN, // of its value
    COOKIE_QUOTE, // its value is one quote so far
    COOKIE_QUOTED,
    COOKIE_VALUE,
};

// ---- shared with bodies ----

// clang-format off
const uint8_t PROTO_WIRE_KINDS[256] = { // 32 in a line, by code
    0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    4, 7, 6, 7, 7, 7, 7, 7, 6, 6, 7, 7, 6, 7, 7, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 6, 6, 6, 6, 6, 6,
    6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 6, 6, 6, 7, 7,
    7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 6, 7, 6, 7, 0,
    4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
    4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
    4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
    4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
};
// clang-format on

nav_status proto_wire_bad(nav_error *err, const char *what)
{
    return nav_fail(err, PROTO_BAD_FRAMING, "%s", what);
}

nav_status proto_wire_too_large(nav_error *err, nav_status status, const char *what, uint32_t limit)
{
    nav_fail(err, status, "%s more than %u", what, limit);
    nav_error_limit(err, "%u", limit);
    return status;
}

// ---- eight bytes at once ----

#define EACH UINT64_C(0x0101010101010101)
#define TOPS (EACH << 7)

// The highest bit of each of eight bytes that is above a number below 128.
static inline uint64_t tops_above(uint64_t eight, uint8_t number)
{
    return (((eight & ~TOPS) + EACH * (127u - number)) | eight) & TOPS;
}

// How many bytes from the first on have a kind, eight at a time while all are printing characters,
// which both an address and a header's value may hold. *ampersands (NULL: nobody asks): counted as
// well.
static inline size_t run_of_printing(const char *bytes, size_t size_bytes, uint8_t kind,
                                     uint32_t *ampersands)
{
    size_t i = 0;
    for (uint64_t eight; i + sizeof eight <= size_bytes; i += sizeof eight) {
        memcpy(&eight, bytes + i, sizeof eight);
        if ((tops_above(eight, ' ') & ~tops_above(eight, '~')) != TOPS) {
            break;
        }
        if (ampersands != NULL) {
            const uint64_t others = tops_above(eight ^ EACH * '&', 0);
            *ampersands += (uint32_t)(((~others & TOPS) >> 7) * EACH >> 56);
        }
    }
    while (i < size_bytes && (PROTO_WIRE_KINDS[(uint8_t)bytes[i]] & kind) != 0) {
        if (ampersands != NULL) {
            *ampersands += bytes[i] == '&';
        }
        i++;
    }
    return i;
}

static size_t run_of(const char *bytes, size_t size_bytes, uint8_t kind)
{
    size_t i = 0;
    while (i < size_bytes && (PROTO_WIRE_KINDS[(uint8_t)bytes[i]] & kind) != 0) {
        i++;
    }
    return i;
}

// ---- the request line ----

static nav_status start(proto_wire *w, char c, nav_error *err)
{
    if (c == '\r') {
        w->line_bytes += 2;
        w->step = START_LF;
        return w->line_bytes <= EMPTY_LINES_BYTES_MAX ? NAV_OK : proto_wire_bad(err, "empty lines");
    }
    if ((PROTO_WIRE_KINDS[(uint8_t)c] & IN_TOKEN) == 0) {
        return proto_wire_bad(err, "this is not the beginning of an HTTP request");
    }
    w->step = METHOD;
    w->line_bytes = w->headers_bytes = w->header_count = w->arg_count = 0;
    w->cookie_bytes = w->cookie_count = 0;
    w->word_bytes = 1;
    w->seen = 0;
    w->length_bytes = 0;
    w->first_version = false;
    return NAV_OK;
}

static nav_status take_method(proto_wire *w, const char *bytes, size_t size_bytes, size_t *used,
                              nav_error *err)
{
    const size_t run = run_of(bytes, size_bytes, IN_TOKEN);
    const bool ends = run < size_bytes;
    if (run > METHOD_BYTES_MAX - w->word_bytes || (ends && bytes[run] != ' ')) {
        return proto_wire_bad(err, "the request line has no method");
    }
    w->word_bytes += (uint32_t)run;
    NAV_ASSERT(w->word_bytes <= METHOD_BYTES_MAX);
    *used = run + ends;
    if (ends) {
        w->step = TARGET;
        w->word_bytes = 0;
    }
    return NAV_OK;
}

static nav_status take_target(proto_wire *w, const char *bytes, size_t size_bytes, size_t *used,
                              nav_error *err)
{
    const size_t run = run_of_printing(bytes, size_bytes, IN_TARGET, &w->arg_count);
    w->line_bytes += (uint32_t)run;
    *used = run;
    if (w->line_bytes > w->limits->target_bytes_max) {
        return proto_wire_too_large(err, PROTO_URI_TOO_LONG, "the address has",
                                    w->limits->target_bytes_max);
    }
    if (w->arg_count >= w->limits->args_max) {
        return proto_wire_too_large(err, PROTO_BAD_REQUEST, "the query string has arguments,",
                                    w->limits->args_max);
    }
    if (run == size_bytes) {
        return NAV_OK;
    }
    if (bytes[run] != ' ' || w->line_bytes == 0) {
        return proto_wire_bad(err, bytes[run] == '\r' || bytes[run] == '\n'
                                       ? "the request line has no HTTP version"
                                       : "the address holds a byte that it has to escape");
    }
    *used = run + 1;
    w->target_bytes = w->line_bytes;
    w->step = VERSION;
    w->word_bytes = 0;
    return NAV_OK;
}

static nav_status take_version(proto_wire *w, char c, nav_error *err)
{
    static const char word[] = "HTTP/1.";
    if (w->word_bytes < sizeof word - 1) {
        bool number = c >= '0' && c <= '9' && w->word_bytes == 5;
        if (c != word[w->word_bytes]) {
            return number
                       ? nav_fail(err, PROTO_HTTP_VERSION, "only HTTP/1.1 and HTTP/1.0 are spoken")
                       : proto_wire_bad(err, "the request line does not end with an HTTP version");
        }
    } else if (w->word_bytes == sizeof word - 1) {
        if (c < '0' || c > '9') {
            return proto_wire_bad(err, "the request line does not end with an HTTP version");
        }
        if (c > '1') {
            return nav_fail(err, PROTO_HTTP_VERSION, "only HTTP/1.1 and HTTP/1.0 are spoken");
        }
        w->first_version = c == '0';
    } else {
        w->step = VERSION_LF;
        return c == '\r' ? NAV_OK
                         : proto_wire_bad(err, "the request line does not end after its version");
    }
    w->word_bytes++;
    return NAV_OK;
}

// The rest of a request line as nearly all clients send it, in one step; 0: read each byte.
static size_t take_usual_version(proto_wire *w, const char *bytes, size_t size_bytes)
{
    static const char usual[] = "HTTP/1.1\r";
    const size_t length = sizeof usual - 1;
    if (w->word_bytes != 0 || size_bytes < length || memcmp(bytes, usual, length) != 0) {
        return 0;
    }
    w->step = VERSION_LF;
    return length;
}

// ---- header lines ----

static uint16_t known_header(const proto_wire *w)
{
    switch (w->name_bytes) {
    case 4:
        return memcmp(w->name, "host", 4) == 0 ? HOST : OTHER;
    case 6:
        return memcmp(w->name, "cookie", 6) == 0   ? COOKIE
               : memcmp(w->name, "expect", 6) == 0 ? EXPECT
                                                   : OTHER;
    case 8:
        return memcmp(w->name, "if-match", 8) == 0 ? MATCH : OTHER;
    case 12:
        return memcmp(w->name, "content-type", 12) == 0 ? TYPE : OTHER;
    case 13:
        return memcmp(w->name, "authorization", 13) == 0   ? TOKEN
               : memcmp(w->name, "if-none-match", 13) == 0 ? NONE_MATCH
                                                           : OTHER;
    case 14:
        return memcmp(w->name, "content-length", 14) == 0 ? LENGTH : OTHER;
    case 16:
        return memcmp(w->name, "content-encoding", 16) == 0 ? CODING : OTHER;
    case 17:
        return memcmp(w->name, "transfer-encoding", 17) == 0 ? ENCODING : OTHER;
    default:
        return OTHER;
    }
}

static nav_status end_name(proto_wire *w, nav_error *err)
{
    w->known = known_header(w);
    if ((w->seen & w->known) != 0) {
        return proto_wire_bad(
            err, "one of Host, Content-Length, Transfer-Encoding, Content-Type, "
                 "Content-Encoding, Authorization, If-Match, If-None-Match is given twice");
    }
    w->seen |= w->known & ONCE;
    w->word_bytes = 0;
    w->cookie = COOKIE_NAME;
    w->step = BLANK;
    return (w->seen & LENGTH) != 0 && (w->seen & ENCODING) != 0
               ? proto_wire_bad(err, "both Content-Length and Transfer-Encoding")
               : NAV_OK;
}

_Static_assert(PROTO_WIRE_NAME_BYTES % sizeof(uint64_t) == 0,
               "a name is taken eight bytes at once");
_Static_assert(PROTO_WIRE_NAME_BYTES > sizeof "transfer-encoding",
               "the names that are looked for have room");

// Adds to the name in small letters; what stands behind it as well, where that saves reading each
// byte.
static void keep_name(proto_wire *w, const char *bytes, size_t size_bytes, size_t run)
{
    const size_t space = PROTO_WIRE_NAME_BYTES - w->name_bytes, kept = run < space ? run : space;
    if (space == PROTO_WIRE_NAME_BYTES && size_bytes >= space) {
        for (size_t i = 0; i < PROTO_WIRE_NAME_BYTES; i += sizeof(uint64_t)) {
            uint64_t eight;
            memcpy(&eight, bytes + i, sizeof eight);
            eight |= EACH * 0x20;
            memcpy(w->name + i, &eight, sizeof eight);
        }
    } else {
        for (size_t i = 0; i < kept; i++) {
            w->name[w->name_bytes + i] = (char)(bytes[i] | 0x20);
        }
    }
    w->name_bytes += (uint8_t)kept;
    NAV_ASSERT(w->name_bytes <= PROTO_WIRE_NAME_BYTES);
}

static nav_status take_name(proto_wire *w, const char *bytes, size_t size_bytes, size_t *used,
                            nav_error *err)
{
    size_t run = run_of(bytes, size_bytes, IN_TOKEN);
    keep_name(w, bytes, size_bytes, run);
    w->word_bytes += (uint32_t)run;
    *used = run;
    if (run == size_bytes) {
        return proto_wire_count_header(w, run, err);
    }
    *used = run + 1;
    char c = bytes[run];
    if (c == ':' && w->word_bytes > 0) {
        nav_status status = end_name(w, err);
        return status == NAV_OK ? proto_wire_count_header(w, run + 1, err) : status;
    }
    if (c == '\r' && w->word_bytes == 0) {
        w->step = END_LF;
        return NAV_OK;
    }
    if (w->word_bytes == 0 && (c == ' ' || c == '\t') && w->header_count > 0) {
        return proto_wire_bad(err, "a header line is folded");
    }
    return proto_wire_bad(err, c == ' ' || c == '\t' ? "a blank before a header's colon"
                               : c == '\n'           ? "a line feed without a carriage return"
                                           : "a header's name holds a byte that no name can hold");
}

// Nearly all headers have one blank before their value.
static nav_status take_blank(proto_wire *w, const char *bytes, size_t size_bytes, size_t *used,
                             nav_error *err)
{
    const size_t blank = bytes[0] == ' ' || bytes[0] == '\t';
    *used = blank;
    if (blank < size_bytes && bytes[blank] != ' ' && bytes[blank] != '\t') {
        w->step = VALUE;
    }
    return proto_wire_count_header(w, blank, err);
}

// One byte of a length or encoding. Trailing blanks are refused with the rest.
static nav_status take_known(proto_wire *w, char c, nav_error *err)
{
    static const char chunked[] = "chunked";
    uint32_t at = w->word_bytes++;
    if (w->known == LENGTH) {
        if (c < '0' || c > '9' || at >= LENGTH_DIGITS_MAX) {
            return proto_wire_bad(err, "Content-Length is not one number");
        }
        w->length_bytes = w->length_bytes * 10 + (uint64_t)(c - '0');
    } else if (w->known == ENCODING && (at >= sizeof chunked - 1 || (c | 0x20) != chunked[at])) {
        return proto_wire_bad(err, "Transfer-Encoding is not chunked");
    }
    return NAV_OK;
}

static bool is_one_host(const char *bytes, size_t size_bytes)
{
    // Bytes below 64 that no host holds, a bit each.
    const uint64_t refused =
        UINT64_C(1) << ' ' | UINT64_C(1) << '\t' | UINT64_C(1) << ',' | UINT64_C(1) << '/';
    for (size_t i = 0; i < size_bytes; i++) {
        const uint8_t c = (uint8_t)bytes[i];
        if (c == '@' || (c < 64 && (refused >> c & 1) != 0)) {
            return false;
        }
    }
    return true;
}

static uint8_t step_of_cookie(uint8_t step, char c)
{
    const bool quote = c == '"', separator = c == ';' || c == ',';
    switch (step) {
    case COOKIE_NAME:
        return c == '=' ? COOKIE_BEGIN : COOKIE_NAME;
    case COOKIE_BEGIN:
        return quote ? COOKIE_QUOTE : (separator ? COOKIE_NAME : COOKIE_VALUE);
    case COOKIE_QUOTE:
    case COOKIE_QUOTED:
        return quote ? COOKIE_VALUE : COOKIE_QUOTED;
    default:
        return quote ? COOKIE_QUOTED : (separator ? COOKIE_NAME : COOKIE_VALUE);
    }
}

static nav_status end_value(proto_wire *w, nav_error *err)
{
    if (w->known == COOKIE && w->cookie == COOKIE_QUOTE) {
        return proto_wire_bad(err, "the last cookie is a quote that does not end");
    }
    if (w->known == LENGTH && w->word_bytes == 0) {
        return proto_wire_bad(err, "Content-Length is empty");
    }
    if (w->known == ENCODING && (w->word_bytes != 7 || w->first_version)) {
        return proto_wire_bad(err, w->first_version ? "HTTP/1.0 knows no Transfer-Encoding"
                                                    : "Transfer-Encoding is not chunked");
    }
    if (++w->header_count > w->limits->headers_max) {
        return proto_wire_too_large(err, PROTO_HEADERS_TOO_LARGE, "the headers are",
                                    w->limits->headers_max);
    }
    w->step = VALUE_LF;
    return NAV_OK;
}

static nav_status take_known_values(proto_wire *w, char *bytes, size_t size_bytes, nav_error *err)
{
    nav_status status = NAV_OK;
    switch (w->known) {
    case HOST:
        return is_one_host(bytes, size_bytes) ? NAV_OK
                                              : proto_wire_bad(err, "Host is not one host");
    case LENGTH:
    case ENCODING:
        for (size_t i = 0; i < size_bytes && status == NAV_OK; i++) {
            status = take_known(w, bytes[i], err);
        }
        return status;
    case COOKIE:
        // Nobody reads cookies, but the library splits them and keeps each.
        for (size_t i = 0; i < size_bytes; i++) {
            w->cookie = step_of_cookie(w->cookie, bytes[i]);
            w->cookie_count += bytes[i] == ';' || bytes[i] == ',';
        }
        w->cookie_bytes += (uint32_t)size_bytes;
        return NAV_OK;
    case EXPECT: {
        // An expectation of HTTP/1.0 means nothing.
        const size_t hyphen = strcspn(PROTO_WIRE_EXPECTS, "_");
        for (size_t i = 0; i < size_bytes; i++) {
            if (w->word_bytes++ == hyphen && bytes[i] == '-' && !w->first_version) {
                bytes[i] = PROTO_WIRE_EXPECTS[hyphen];
            }
        }
        return NAV_OK;
    }
    default:
        return NAV_OK;
    }
}

static nav_status take_value(proto_wire *w, char *bytes, size_t size_bytes, size_t *used,
                             nav_error *err)
{
    const size_t run = run_of_printing(bytes, size_bytes, IN_VALUE, NULL);
    NAV_ASSERT(run <= size_bytes);
    nav_status status = take_known_values(w, bytes, run, err);
    if (status != NAV_OK) {
        return status;
    }
    *used = run;
    status = proto_wire_count_header(w, run, err);
    if (status != NAV_OK || run == size_bytes) {
        return status;
    }
    *used = run + 1;
    if (bytes[run] == '\r') {
        return end_value(w, err);
    }
    return proto_wire_bad(err, bytes[run] == '\n' ? "a line feed without a carriage return"
                                                  : "a header's value holds a control character");
}

static nav_status end_head(proto_wire *w, nav_error *err)
{
    if ((w->seen & HOST) == 0 && !w->first_version) {
        return proto_wire_bad(err, "there is no Host header");
    }
    NAV_DCHECK(w->header_count <= w->limits->headers_max);
    NAV_DCHECK(w->arg_count <= w->limits->args_max);
    w->heads++;
    w->left_bytes = w->length_bytes;
    w->line_bytes = w->trailer_count = 0;
    w->step = (w->seen & ENCODING) != 0 ? CHUNK_FIRST : (w->left_bytes > 0 ? BODY : START);
    return NAV_OK;
}

// ---- one step ----

static nav_status take_byte(proto_wire *w, char c, nav_error *err)
{
    switch (w->step) {
    case START:
        return start(w, c, err);
    case START_LF:
        return proto_wire_expect(w, c, '\n', START, err);
    case VERSION_LF:
    case VALUE_LF:
        w->name_bytes = 0;
        return proto_wire_expect(w, c, '\n', NAME, err);
    case END_LF:
        return c == '\n' ? end_head(w, err) : proto_wire_expect(w, c, '\n', START, err);
    default:
        NAV_ASSERT(false);
        return PROTO_INTERNAL;
    }
}

// As many bytes as one step can take; at least one, or the step has changed.
static nav_status take(proto_wire *w, char *bytes, size_t size_bytes, size_t *used, nav_error *err)
{
    *used = 1;
    switch (w->step) {
    case METHOD:
        return take_method(w, bytes, size_bytes, used, err);
    case TARGET:
        return take_target(w, bytes, size_bytes, used, err);
    case VERSION: {
        const size_t usual_bytes = take_usual_version(w, bytes, size_bytes);
        *used = usual_bytes > 0 ? usual_bytes : 1;
        return usual_bytes > 0 ? NAV_OK : take_version(w, bytes[0], err);
    }
    case NAME:
        return take_name(w, bytes, size_bytes, used, err);
    case BLANK:
        return take_blank(w, bytes, size_bytes, used, err);
    case VALUE:
        return take_value(w, bytes, size_bytes, used, err);
    default:
        return take_byte(w, bytes[0], err);
    }
}

nav_status proto_wire_take_head(proto_wire *w, char *bytes, size_t size_bytes, size_t *used,
                                nav_error *err)
{
    size_t at = 0;
    NAV_ASSERT(size_bytes > 0 && w->step < BODY);
    do {
        size_t step_bytes;
        const nav_status status = take(w, bytes + at, size_bytes - at, &step_bytes, err);
        if (status != NAV_OK) {
            return status;
        }
        NAV_ASSERT(step_bytes <= size_bytes - at);
        at += step_bytes;
    } while (at < size_bytes && w->step > START && w->step < BODY);
    *used = at;
    return NAV_OK;
}
