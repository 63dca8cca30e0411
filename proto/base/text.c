// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// text.c: UTF-8 and decimal numbers. Below every reader of the folder; above nothing.

#include "proto/base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Table 3-7 of the Unicode standard: only the second byte's range depends on the first.
size_t proto_text_utf8_length(const char *bytes, size_t size_bytes)
{
    const uint8_t *b = (const uint8_t *)bytes;
    if (size_bytes == 0) {
        return 0;
    }
    if (b[0] < 0x80) {
        return 1;
    }
    size_t length = b[0] >= 0xc2 && b[0] <= 0xdf   ? 2
                    : b[0] >= 0xe0 && b[0] <= 0xef ? 3
                    : b[0] >= 0xf0 && b[0] <= 0xf4 ? 4
                                                   : 0;
    if (length == 0 || size_bytes < length) {
        return 0;
    }
    uint8_t second_min = b[0] == 0xe0 ? 0xa0 : b[0] == 0xf0 ? 0x90 : 0x80;
    uint8_t second_max = b[0] == 0xed ? 0x9f : b[0] == 0xf4 ? 0x8f : 0xbf;
    if (b[1] < second_min || b[1] > second_max) {
        return 0;
    }
    for (size_t i = 2; i < length; i++) {
        if ((b[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return length;
}

uint32_t proto_text_hidden(const char *bytes, size_t length)
{
    static const uint32_t ranges[][2] = {{0x7f, 0x9f},     {0x61c, 0x61c},   {0x200b, 0x200f},
                                         {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff}};
    const uint8_t *b = (const uint8_t *)bytes;
    const uint32_t character = length == 1   ? b[0]
                               : length == 2 ? (b[0] & 0x1fu) << 6 | (b[1] & 0x3fu)
                               : length == 3
                                   ? (b[0] & 0xfu) << 12 | (b[1] & 0x3fu) << 6 | (b[2] & 0x3fu)
                                   : 0; // those of four bytes show
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (character >= ranges[i][0] && character <= ranges[i][1]) {
            return character;
        }
    }
    return 0;
}

bool proto_text_is_line(const char *text, size_t size_bytes)
{
    for (size_t i = 0; i < size_bytes;) {
        const size_t length = (uint8_t)text[i] < 0x80
                                  ? (size_t)((uint8_t)text[i] >= 0x20 && text[i] != 0x7f)
                                  : proto_text_utf8_length(text + i, size_bytes - i);
        if (length == 0) {
            return false;
        }
        i += length;
    }
    return true;
}

bool proto_text_put_utf8(uint32_t code, char **to, const char *end)
{
    const uint32_t more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const uint8_t marks[] = {0, 0xc0, 0xe0, 0xf0};
    if (end - *to <= (ptrdiff_t)more) {
        return false;
    }
    *(*to)++ = (char)(marks[more] | code >> (6 * more));
    for (uint32_t i = more; i-- > 0;) {
        *(*to)++ = (char)(0x80 | (code >> (6 * i) & 0x3f));
    }
    return true;
}

static size_t skip_digits(const char *text, size_t size_bytes, size_t i)
{
    while (i < size_bytes && is_digit(text[i])) {
        i++;
    }
    return i;
}

size_t proto_text_json_number(const char *text, size_t size_bytes)
{
    size_t i = size_bytes > 0 && text[0] == '-' ? 1 : 0;
    size_t end = skip_digits(text, size_bytes, i);
    if (end == i || (text[i] == '0' && end > i + 1)) {
        return 0;
    }
    if (end < size_bytes && text[end] == '.') {
        i = end + 1;
        end = skip_digits(text, size_bytes, i);
        if (end == i) {
            return 0;
        }
    }
    if (end < size_bytes && (text[end] == 'e' || text[end] == 'E')) {
        i = end + 1;
        if (i < size_bytes && (text[i] == '+' || text[i] == '-')) {
            i++;
        }
        end = skip_digits(text, size_bytes, i);
        if (end == i) {
            return 0;
        }
    }
    return end;
}

// A decimal taken apart: mantissa * 10^exponent. Digits that a mantissa of 10^17 or more has no
// room for are dropped.
typedef struct decimal {
    uint64_t mantissa;
    int exponent;
} decimal;

// Beyond this no exponent changes the outcome (0 or infinity), and sums cannot overflow.
#define EXPONENT_LIMIT 100000

static void add_digit(decimal *d, char c, bool fraction)
{
    if (d->mantissa < UINT64_C(100000000000000000)) {
        d->mantissa = d->mantissa * 10 + (uint64_t)(c - '0');
        d->exponent -= fraction ? 1 : 0;
    }
}

// Takes text apart; false if it is not a decimal number from its first to its last character.
static bool split_decimal(const char *text, size_t size_bytes, decimal *out)
{
    decimal d = {0};
    size_t i = 0;
    bool any = false;
    for (; i < size_bytes && is_digit(text[i]); i++) {
        add_digit(&d, text[i], false);
        any = true;
    }
    if (i < size_bytes && text[i] == '.') {
        for (i++; i < size_bytes && is_digit(text[i]); i++) {
            add_digit(&d, text[i], true);
            any = true;
        }
    }
    if (any && i < size_bytes && (text[i] == 'e' || text[i] == 'E')) {
        i++;
        bool negative = i < size_bytes && text[i] == '-';
        i += i < size_bytes && (text[i] == '-' || text[i] == '+') ? 1 : 0;
        any = i < size_bytes;
        int exponent = 0;
        for (; i < size_bytes && is_digit(text[i]); i++) {
            exponent = exponent < EXPONENT_LIMIT ? exponent * 10 + (text[i] - '0') : exponent;
        }
        d.exponent += negative ? -exponent : exponent;
    }
    *out = d;
    return any && i == size_bytes;
}

static const double POWERS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// Takes digits from *at on to the end of a mantissa, which wraps around where they are too many.
static inline uint64_t take_digits(const char **at, uint64_t mantissa)
{
    for (uint32_t digit; (digit = (uint32_t)(uint8_t) * *at - '0') < 10; (*at)++) {
        mantissa = mantissa * 10 + digit;
    }
    return mantissa;
}

double proto_text_short_value(uint64_t mantissa, uint32_t decimals)
{
    NAV_DCHECK(decimals <= PROTO_TEXT_SHORT_DIGITS);
    return (double)mantissa / POWERS[decimals];
}

_Static_assert(sizeof POWERS / sizeof POWERS[0] > PROTO_TEXT_SHORT_DIGITS,
               "a power for each decimal");
_Static_assert(UINT64_C(1000000000000000) < UINT64_C(1) << 53, "15 digits are an exact double");

// Length of the decimal number at the start of text and its value, if it has at most 15 digits and
// no exponent, as nearly all that are sent; else 0, and *out may be anything.
static size_t read_short_decimal(const char *text, double *out)
{
    const char *at = text + (*text == '-');
    const char *const first = at;
    uint64_t mantissa = take_digits(&at, 0);
    ptrdiff_t digits = at - first, decimals = 0;
    if (*at == '.') {
        const char *const point = at++;
        mantissa = take_digits(&at, mantissa);
        decimals = at - point - 1;
        digits += decimals;
    }
    if (digits < 1 || digits > PROTO_TEXT_SHORT_DIGITS || *at == 'e' || *at == 'E') {
        return 0;
    }
    const double value = proto_text_short_value(mantissa, (uint32_t)decimals);
    *out = *text == '-' ? -value : value;
    return (size_t)(at - text);
}

// Clinger's fast path (PLDI 1990): a mantissa below 2^53 and a power of ten up to 10^22 are both
// exact doubles, so one multiplication or division rounds correctly. All else goes to strtod.
bool proto_text_decimal(const char *text, size_t size_bytes, double *out)
{
    if (size_bytes > 0 && read_short_decimal(text, out) == size_bytes) {
        return true;
    }
    size_t sign = size_bytes > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    decimal d;
    if (!split_decimal(text + sign, size_bytes - sign, &d)) {
        return false;
    }
    if (d.mantissa <= (UINT64_C(1) << 53) && d.exponent >= -22 && d.exponent <= 22) {
        NAV_DCHECK(d.exponent + 22 >= 0 && (size_t)(d.exponent < 0 ? -d.exponent : d.exponent) <
                                               sizeof POWERS / sizeof POWERS[0]);
        double value = (double)d.mantissa;
        value = d.exponent < 0 ? value / POWERS[-d.exponent] : value * POWERS[d.exponent];
        *out = text[0] == '-' ? -value : value;
    } else {
        *out = strtod(text, NULL);
    }
    return true;
}

const char *proto_text_not_finite(const char *token)
{
    bool negative = token[0] == '-';
    token += token[0] == '-' || token[0] == '+' ? 1 : 0;
    if (strcasecmp(token, "inf") == 0 || strcasecmp(token, "infinity") == 0 ||
        strcasecmp(token, "1.#INF") == 0) {
        return negative ? "-Infinity" : "Infinity";
    }
    if (strncasecmp(token, "nan", 3) == 0 && (token[3] == '\0' || token[3] == '(')) {
        return "NaN";
    }
    if (strcasecmp(token, "1.#QNAN") == 0 || strcasecmp(token, "1.#SNAN") == 0 ||
        strcasecmp(token, "1.#IND") == 0) {
        return "NaN";
    }
    return NULL;
}

bool proto_text_is_printable(const char *text, size_t length)
{
    bool printable = true;
    for (size_t i = 0; i < length; i++) {
        printable = printable && (uint8_t)text[i] >= 0x20 && text[i] != 0x7f;
    }
    return printable;
}

bool proto_text_keep_name(const char *text, size_t size_bytes, nav_name out)
{
    memset(out, 0, sizeof(nav_name));
    if (size_bytes <= NAV_NAME_MAX) {
        memcpy(out, text, size_bytes);
        return false;
    }
    uint8_t sha256[32];
    char hex[65];
    nav_sha256_of(text, size_bytes < PROTO_NUMBER_BYTES_MAX ? size_bytes : PROTO_NUMBER_BYTES_MAX,
                  sha256);
    nav_sha256_hex(sha256, hex);
    size_t kept = NAV_NAME_MAX - 17;
    while (kept > 0 && ((uint8_t)text[kept] & 0xc0) == 0x80) { // within a character
        kept--;
    }
    (void)snprintf(out, sizeof(nav_name), "%.*s~%.16s", (int)kept, text, hex);
    return true;
}

bool proto_text_is_name(const char *text, size_t length)
{
    if (length == 0 || length > 64 || !isalnum((unsigned char)text[0])) {
        return false;
    }
    for (size_t i = 1; i < length; i++) {
        if (!isalnum((unsigned char)text[i]) && strchr("._-", text[i]) == NULL) {
            return false;
        }
    }
    return true;
}
