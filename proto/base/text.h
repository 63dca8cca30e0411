// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// text.h: characters and numbers as text, for every reader and writer of this folder. Private to
// proto/. All functions are safe on any bytes and know no locale.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/status.h"

// The most characters a number may have anywhere: no writer needs more for a double.
#define PROTO_NUMBER_BYTES_MAX 255

// Length (1 to 4) of the well-formed UTF-8 sequence at the start of bytes, or 0 if there is none.
// Surrogates, overlong forms and values above U+10FFFF are not well-formed.
size_t proto_text_utf8_length(const char *bytes, size_t size_bytes);

// The character of such a sequence if it is a control above U+001F, or one of those by which
// Unicode changes the direction or the line (UAX 9, UAX 14); 0: it is none of them.
uint32_t proto_text_hidden(const char *bytes, size_t length);

// Whether a text is UTF-8 on one line: no character of it is a zero or another control of ASCII.
bool proto_text_is_line(const char *text, size_t size_bytes);

// Appends a character as UTF-8 and moves *to behind it. False: before end there is no room for it.
bool proto_text_put_utf8(uint32_t code, char **to, const char *end);

// Length of the JSON number (RFC 8259, section 6) at the start of text, or 0 if there is none.
size_t proto_text_json_number(const char *text, size_t size_bytes);

// Reads all of text as a decimal number: sign, digits, point, exponent, at least one digit. A value
// too large for a double reads as infinity. text[size_bytes] must be readable and not part of a
// number, e.g. a terminating zero. false if text is anything else ("nan", "0x10", "").
bool proto_text_decimal(const char *text, size_t size_bytes, double *out);

// The double nearest to mantissa / 10^decimals, of at most PROTO_TEXT_SHORT_DIGITS digits.
#define PROTO_TEXT_SHORT_DIGITS 15
double proto_text_short_value(uint64_t mantissa, uint32_t decimals);

// The word for a token that means "not a finite number" in any of its usual spellings ("nan",
// "-Inf", "Infinity", "1.#QNAN"): "NaN", "Infinity" or "-Infinity"; else NULL.
const char *proto_text_not_finite(const char *token);

// Keeps a name of any length: one of more than NAV_NAME_MAX bytes as its beginning, "~" and 16
// digits of the SHA-256 of its first PROTO_NUMBER_BYTES_MAX bytes. Result: it was that long.
bool proto_text_keep_name(const char *text, size_t size_bytes, nav_name out);

// Whether a text may name a mesh, an instance or an obstacle: [A-Za-z0-9][A-Za-z0-9._-]{0,63}.
bool proto_text_is_name(const char *text, size_t length);
// Whether none of its bytes is a control character of ASCII.
bool proto_text_is_printable(const char *text, size_t length);
