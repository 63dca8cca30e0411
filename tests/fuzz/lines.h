// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// lines.h: an input that is several texts, a line each.

#pragma once

#include "core/nav.h"

#include <stdlib.h>
#include <string.h>

typedef struct fuzz_lines {
    char *text; // cut into the lines; the caller frees it
    const char *lines[16];
    size_t count;
} fuzz_lines;

// At most `most` lines, without their line feeds; what follows belongs to the last. Each ends with
// a zero. Of an empty line too: "".
static inline fuzz_lines fuzz_lines_of(const uint8_t *bytes, size_t size_bytes, size_t most)
{
    fuzz_lines out = {.text = malloc(size_bytes + 1)};
    NAV_ASSERT(out.text != NULL && most <= sizeof out.lines / sizeof out.lines[0]);
    memcpy(out.text, bytes, size_bytes);
    out.text[size_bytes] = '\0';
    char *rest = out.text;
    while (rest != NULL && out.count < most) {
        const bool last = out.count + 1 == most;
        out.lines[out.count++] = last ? rest : strsep(&rest, "\n");
    }
    return out;
}

// A line of the input, or NULL where it has fewer, or where the line is a single minus: a header
// that is absent.
static inline const char *fuzz_line(const fuzz_lines *lines, size_t index)
{
    return index < lines->count && strcmp(lines->lines[index], "-") != 0 ? lines->lines[index]
                                                                         : NULL;
}
