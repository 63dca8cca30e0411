// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// response_headers.h: the headers that the daemon itself adds to a reply, as one text.
// socket_hooks.c sends them between the first line and the other lines of the head that
// libmicrohttpd has written. Given to the library, each header would cost three allocations and a
// check of every letter, in every reply.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

#define RESPONSE_HEADERS_BYTES 1536 // a reply that has every header there is stays below it
#define RESPONSE_PIECES_MAX 4       // of one call to the kernel: two of the library, and two more

// Headers of one connection. Owner thread only. All zero: nothing to add.
typedef struct response_headers {
    size_t size_bytes, sent_bytes; // of the text; sent at once, or from where the kernel left off
    size_t before_bytes;           // of the library's own that still go before the text
    bool placed;                   // before_bytes is known
    char text[RESPONSE_HEADERS_BYTES];
} response_headers;

// Empties it for a new reply.
void response_headers_begin(response_headers *h);
// Adds "name: value". Neither may hold a line's end; a value that is NULL or "" adds nothing.
void response_headers_add(response_headers *h, const char *name, const char *value);

// Whether some of them are still to be sent.
static inline bool response_headers_wait(const response_headers *h)
{
    return h->sent_bytes < h->size_bytes;
}

// While headers wait: fills out with the pieces to send in place of the library's own, one or two,
// and returns their number. All borrow. The first call for a reply gets the beginning of its head.
size_t response_headers_insert(response_headers *h, const struct iovec *pieces, size_t count,
                               struct iovec out[RESPONSE_PIECES_MAX]);
// The kernel has taken so many bytes of those (or failed: below 0, with errno). Returns the number
// of the library's own among them; if all were ours, -1 with errno EAGAIN, so that the library
// tries again.
ssize_t response_headers_take(response_headers *h, ssize_t sent);
