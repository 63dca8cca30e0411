// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// head_lines.h: the headers that a reply gets of our own, as one text. They go out between the
// first line and the other lines of the head that libmicrohttpd has written (tap.c): given to the
// library, each costs it three allocations and a look at every letter, in every reply.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

#define HEAD_LINES_BYTES 512    // a reply that has every header there is stays below it
#define HEAD_LINES_PIECES_MAX 4 // that go out together: two of the library's, and two more

// Of one connection. Owner thread only. All zero: nothing to add.
typedef struct head_lines {
    size_t size_bytes, sent_bytes; // of the text; sent at once, or from where the kernel left off
    size_t before_bytes;           // of the library's that still go before it
    bool placed;                   // before_bytes is known
    char text[HEAD_LINES_BYTES];
} head_lines;

// For a new reply.
void head_lines_begin(head_lines *h);
// Adds "name: value". Neither may hold a line's end; a value that is NULL or "" adds nothing.
void head_lines_add(head_lines *h, const char *name, const char *value);

static inline bool head_lines_wait(const head_lines *h)
{
    return h->sent_bytes < h->size_bytes;
}

// What is to be sent in the place of these pieces of the library's, one or two, while lines wait.
// Returns how many pieces out has then; all borrow. The first call is the beginning of the head.
size_t head_lines_insert(head_lines *h, const struct iovec *pieces, size_t count,
                         struct iovec out[HEAD_LINES_PIECES_MAX]);
// The kernel has taken so many bytes of those (or failed: below 0, with errno). Returns how many of
// them were the library's; where all were ours -1 with errno EAGAIN, so that it tries again.
ssize_t head_lines_take(head_lines *h, ssize_t sent);
