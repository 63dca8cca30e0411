// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// http_client.c: just enough HTTP to ask the daemon and count its replies.

#include "tests/bench/http_client.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

client http_client_open(uint16_t port)
{
    client c = {.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0),
                .buffer = malloc(65536),
                .buffer_bytes = 65536};
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int on = 1;
    if (c.fd < 0 || c.buffer == NULL ||
        connect(c.fd, (struct sockaddr *)&address, sizeof address) != 0) {
        fail("connect");
    }
    (void)setsockopt(c.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return c;
}

void http_client_close(client *c)
{
    (void)close(c->fd);
    free(c->buffer);
}

void http_client_send(client *c, const char *bytes, size_t size_bytes)
{
    while (size_bytes > 0) {
        ssize_t sent = send(c->fd, bytes, size_bytes, MSG_NOSIGNAL);
        if (sent <= 0) {
            fail("send");
        }
        bytes += sent;
        size_bytes -= (size_t)sent;
    }
}

// The length of a reply whose head is in the buffer; 0 while it is not.
static size_t reply_bytes(client *c)
{
    c->buffer[c->used_bytes] = '\0';
    const char *end = strstr(c->buffer, "\r\n\r\n");
    const char *length = end != NULL ? strstr(c->buffer, "Content-Length: ") : NULL;
    if (end == NULL) {
        return 0;
    }
    c->head_bytes = (size_t)(end - c->buffer) + 4;
    c->body_bytes = length != NULL && length < end ? strtoul(length + 16, NULL, 10) : 0;
    c->status = (int)strtol(c->buffer + 9, NULL, 10);
    return c->head_bytes + c->body_bytes;
}

void http_client_receive(client *c)
{
    size_t wanted = 0;
    c->used_bytes = 0;
    while (wanted == 0 || c->used_bytes < wanted) {
        if (wanted + 1 > c->buffer_bytes) {
            c->buffer_bytes = wanted + 1;
            c->buffer = realloc(c->buffer, c->buffer_bytes);
            if (c->buffer == NULL) {
                fail("realloc");
            }
        }
        ssize_t got =
            recv(c->fd, c->buffer + c->used_bytes, c->buffer_bytes - 1 - c->used_bytes, 0);
        if (got <= 0) {
            fail("recv");
        }
        c->used_bytes += (size_t)got;
        wanted = wanted > 0 ? wanted : reply_bytes(c);
    }
    c->buffer[c->used_bytes] = '\0';
}

char *http_client_request(const char *method, const char *path, const char *type, const void *body,
                          size_t body_bytes, size_t *size_bytes)
{
    size_t room = strlen(path) + body_bytes + 256;
    char *text = malloc(room);
    if (text == NULL) {
        fail("malloc");
    }
    int head = snprintf(text, room, "%s %s HTTP/1.1\r\nHost: localhost\r\n", method, path);
    if (body != NULL) {
        head += snprintf(text + head, room - (size_t)head,
                         "Content-Type: %s\r\nContent-Length: %zu\r\n", type, body_bytes);
    }
    head += snprintf(text + head, room - (size_t)head, "\r\n");
    if (body != NULL) {
        memcpy(text + head, body, body_bytes);
    }
    *size_bytes = (size_t)head + body_bytes;
    return text;
}

void http_client_ask(client *c, const char *method, const char *path, const char *type,
                     const void *body, size_t body_bytes)
{
    size_t size_bytes;
    char *text = http_client_request(method, path, type, body, body_bytes, &size_bytes);
    http_client_send(c, text, size_bytes);
    free(text);
    http_client_receive(c);
}

const char *http_client_body(const client *c)
{
    return c->buffer + c->head_bytes;
}
