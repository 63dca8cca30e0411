// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// response_headers.c: transaction.c adds the headers, socket_hooks.c sends them. The kernel may
// take any part of the bytes that it is given, so the place in the text is kept from call to call.

#include "server/http/response_headers.h"

#include "core/nav.h"

#include <errno.h>
#include <string.h>

void response_headers_begin(response_headers *h)
{
    h->size_bytes = h->sent_bytes = h->before_bytes = 0;
    h->placed = false;
}

static void put(response_headers *h, const char *text, size_t size_bytes)
{
    memcpy(h->text + h->size_bytes, text, size_bytes);
    h->size_bytes += size_bytes;
}

void response_headers_add(response_headers *h, const char *name, const char *value)
{
    if (value == NULL || value[0] == '\0') {
        return;
    }
    const size_t name_bytes = strlen(name), value_bytes = strlen(value);
    NAV_ASSERT(name_bytes + value_bytes + 4 <= sizeof h->text - h->size_bytes);
    put(h, name, name_bytes);
    put(h, ": ", 2);
    put(h, value, value_bytes);
    put(h, "\r\n", 2);
}

// The bytes of a head up to the end of its first line.
static size_t first_line_bytes(const struct iovec *piece)
{
    const char *begin = piece->iov_base, *end = memchr(begin, '\n', piece->iov_len);
    NAV_ASSERT(end != NULL); // the library has the whole head when it begins to send it
    return (size_t)(end + 1 - begin);
}

size_t response_headers_insert(response_headers *h, const struct iovec *pieces, size_t count,
                               struct iovec out[RESPONSE_PIECES_MAX])
{
    NAV_ASSERT(count >= 1 && count + 2 <= RESPONSE_PIECES_MAX);
    if (!h->placed) {
        h->before_bytes = first_line_bytes(&pieces[0]);
        h->placed = true;
    }
    char *begin = pieces[0].iov_base;
    const size_t before_bytes = h->before_bytes;
    NAV_ASSERT(before_bytes <= pieces[0].iov_len);
    out[0] = (struct iovec){begin, before_bytes};
    out[1] = (struct iovec){h->text + h->sent_bytes, h->size_bytes - h->sent_bytes};
    out[2] = (struct iovec){begin + before_bytes, pieces[0].iov_len - before_bytes};
    if (count > 1) {
        out[3] = pieces[1];
    }
    return count + 2;
}

ssize_t response_headers_take(response_headers *h, ssize_t sent)
{
    if (sent <= 0) {
        return sent;
    }
    size_t left = (size_t)sent;
    NAV_ASSERT(h->placed && h->sent_bytes <= h->size_bytes);
    const size_t before = left < h->before_bytes ? left : h->before_bytes;
    h->before_bytes -= before;
    left -= before;
    const size_t waiting = h->size_bytes - h->sent_bytes, ours = left < waiting ? left : waiting;
    h->sent_bytes += ours;
    left -= ours;
    if (before + left == 0) {
        errno = EAGAIN;
        return -1;
    }
    return (ssize_t)(before + left);
}
