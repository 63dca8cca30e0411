// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// head_lines.c: our own lines of a reply's head: put down by send.c, sent by tap.c. The kernel
// may take any part of what it is given, so that the place in the text is kept from call to call.

#include "server/http/head_lines.h"

#include "core/nav.h"

#include <errno.h>
#include <string.h>

void head_lines_begin(head_lines *h)
{
    h->size_bytes = h->sent_bytes = h->before_bytes = 0;
    h->placed = false;
}

static void put(head_lines *h, const char *text, size_t size_bytes)
{
    memcpy(h->text + h->size_bytes, text, size_bytes);
    h->size_bytes += size_bytes;
}

void head_lines_add(head_lines *h, const char *name, const char *value)
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

size_t head_lines_insert(head_lines *h, const struct iovec *pieces, size_t count,
                         struct iovec out[HEAD_LINES_PIECES_MAX])
{
    NAV_ASSERT(count >= 1 && count + 2 <= HEAD_LINES_PIECES_MAX);
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

ssize_t head_lines_take(head_lines *h, ssize_t sent)
{
    if (sent <= 0) {
        return sent;
    }
    size_t left = (size_t)sent;
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
