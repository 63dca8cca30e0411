// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// refusal.c: the same problem object as in any other reply, with a head of our own.

#include "server/refusal.h"

#include "proto/proto.h"
#include "server/http.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

void refusal_send(int fd, const nav_error *err)
{
    char id[HTTP_ID_BYTES], head[512];
    proto_writer w;
    size_t body_bytes = 0;
    request_name(id);
    proto_writer_init(&w);
    proto_write_error(&w, err, id);
    char *body = proto_writer_take(&w, &body_bytes);
    proto_writer_free(&w);
    int head_bytes = snprintf(head, sizeof head,
                              "HTTP/1.1 %d %s\r\n"
                              "Content-Type: application/problem+json\r\n"
                              "X-Request-Id: %s\r\n"
                              "Connection: close\r\n"
                              "Content-Length: %zu\r\n\r\n",
                              nav_status_http(err->status), nav_status_title(err->status), id,
                              body != NULL ? body_bytes : 0);
    struct iovec parts[2] = {{.iov_base = head, .iov_len = (size_t)head_bytes},
                             {.iov_base = body, .iov_len = body != NULL ? body_bytes : 0}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    (void)sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    free(body);
}
