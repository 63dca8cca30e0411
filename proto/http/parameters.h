// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// parameters.h: the value of a header in its pieces, as in `form-data; name="geometry"`. Private to
// proto/. Safe on any bytes; nothing is copied.

#pragma once

#include "core/nav.h"

// Characters of somebody else's text, not terminated.
typedef struct proto_span {
    const char *at;
    size_t size_bytes;
} proto_span;

// Whether the span is this word, in letters of either case.
bool proto_span_is_word(proto_span span, const char *word);
// For "%.*s": at most `most` characters of it.
int proto_span_width(proto_span span, int most);
// A letter, a digit, or one of those marks that names of headers and parameters may have (RFC 9110,
// section 5.6.2).
bool proto_is_token_byte(char c);

// The text before the first parameter, without blanks around it. *rest: the parameters.
proto_span proto_parameters_of(proto_span value, proto_span *rest);

typedef struct proto_parameter {
    proto_span name;
    proto_span value; // between the quotes, if it has some; \" and \\ stand as they were sent
} proto_parameter;

// Takes the next parameter off the rest. False: there is none; then the rest is empty unless what
// is there is no parameter.
bool proto_parameter_next(proto_span *rest, proto_parameter *out);
