// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_text.c: numbers, characters and the parameters of a header, as text. Numbers are held
// against strtod, characters against the table of RFC 3629; parts of a text lie within it.

#include "proto/geometry/upload.h"
#include "proto/http/multipart.h"
#include "proto/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

static bool is_same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void check_numbers(const char *text, size_t size_bytes)
{
    double value;
    char *end;
    if (proto_text_decimal(text, size_bytes, &value)) {
        NAV_ASSERT(is_same(value, strtod(text, &end)) && end == text + size_bytes);
    }
    const size_t number = proto_text_json_number(text, size_bytes);
    NAV_ASSERT(number <= size_bytes);
    if (number > 0) {
        char *alone = strndup(text, number);
        NAV_ASSERT(alone != NULL);
        NAV_ASSERT(proto_text_decimal(alone, number, &value) &&
                   is_same(value, strtod(alone, &end)));
        free(alone);
    }
    const char *word = proto_text_not_finite(text);
    NAV_ASSERT(word == NULL || strcmp(word, "NaN") == 0 || strcmp(word, "Infinity") == 0 ||
               strcmp(word, "-Infinity") == 0);
}

// The first and second byte's bounds, by the length (RFC 3629, section 4).
static size_t utf8_length(const uint8_t *b, size_t size_bytes)
{
    static const struct {
        uint8_t first, last, least, most;
        size_t length;
    } rows[] = {
        {0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    for (size_t i = 0; size_bytes > 0 && i < sizeof rows / sizeof rows[0]; i++) {
        if (b[0] < rows[i].first || b[0] > rows[i].last) {
            continue;
        }
        bool whole = rows[i].length <= size_bytes;
        for (size_t k = 1; whole && k < rows[i].length; k++) {
            whole = k == 1 ? b[1] >= rows[i].least && b[1] <= rows[i].most
                           : b[k] >= 0x80 && b[k] <= 0xbf;
        }
        return whole ? rows[i].length : 0;
    }
    return 0;
}

static void check_parameters(const char *text, size_t size_bytes)
{
    proto_span rest;
    proto_parameter parameter;
    const proto_span value = {text, size_bytes};
    const proto_span head = proto_parameters_of(value, &rest);
    NAV_ASSERT(head.size_bytes + rest.size_bytes <= size_bytes);
    for (size_t before = rest.size_bytes; proto_parameter_next(&rest, &parameter);
         before = rest.size_bytes) {
        NAV_ASSERT(rest.size_bytes < before);
        NAV_ASSERT(parameter.name.at >= text && parameter.value.at >= parameter.name.at);
        NAV_ASSERT(parameter.value.at + parameter.value.size_bytes <= text + size_bytes);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    char boundary[PROTO_BOUNDARY_BYTES_MAX + 1];
    char *text = malloc(size_bytes + 1);
    NAV_ASSERT(text != NULL);
    memcpy(text, bytes, size_bytes);
    text[size_bytes] = '\0';
    for (size_t i = 0; i < size_bytes && i < 64; i++) {
        NAV_ASSERT(proto_text_utf8_length(text + i, size_bytes - i) ==
                   utf8_length(bytes + i, size_bytes - i));
    }
    check_parameters(text, size_bytes);
    if (memchr(text, '\0', size_bytes) == NULL) {
        check_numbers(text, size_bytes);
        (void)proto_format_of_file(text);
        if (proto_multipart_boundary(text, boundary, NULL) == NAV_OK) {
            NAV_ASSERT(strlen(boundary) > 0 && strlen(boundary) <= PROTO_BOUNDARY_BYTES_MAX);
        }
    }
    free(text);
    return 0;
}
