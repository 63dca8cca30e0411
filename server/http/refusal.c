// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// refusal.c: the same problem object as in any other reply, with a head of our own.

#include "server/http/refusal.h"

#include "server/http/connections_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

refusal refusal_send(const connection *c, const nav_error *err)
{
    char head[512];
    proto_writer w;
    size_t body_bytes = 0;
    refusal sent = {.service = c->all->service, .status = proto_status_http(err->status)};
    request_name(sent.id);
    proto_writer_init(&w);
    proto_write_error(&w, err, sent.id);
    char *body = proto_writer_take(&w, &body_bytes);
    proto_writer_free(&w);
    int head_bytes = snprintf(head, sizeof head,
                              "HTTP/1.1 %d %s\r\n"
                              "Content-Type: application/problem+json\r\n"
                              "X-Request-Id: %s\r\n"
                              "Connection: close\r\n"
                              "Content-Length: %zu\r\n\r\n",
                              sent.status, proto_status_title(err->status), sent.id,
                              body != NULL ? body_bytes : 0);
    struct iovec parts[2] = {{.iov_base = head, .iov_len = (size_t)head_bytes},
                             {.iov_base = body, .iov_len = body != NULL ? body_bytes : 0}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    (void)sendmsg(c->fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    free(body);
    sent.reply_bytes = body_bytes;
    return sent;
}

void refusal_ended(const refusal *sent)
{
    request r;
    memset(&r, 0, offsetof(request, args));
    r.service = sent->service;
    memcpy(r.id, sent->id, sizeof r.id);
    // Its head may not have come, or not be one.
    const request_end end = {
        .method = "-", .path = "-", .status = sent->status, .reply_bytes = sent->reply_bytes};
    request_ended(&r, &end);
}
