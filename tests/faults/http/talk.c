// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// talk.c: sends bytes as they are and takes replies apart, strictly: what is not a reply as it has
// to be is garbled.

#include "tests/faults/http/talk.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_MS 10000

void talk_open(talk *t, uint16_t port)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int on = 1;
    t->used_bytes = 0;
    t->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (t->fd >= 0 && connect(t->fd, (const struct sockaddr *)&address, sizeof address) != 0) {
        talk_close(t);
    } else if (t->fd >= 0) {
        (void)setsockopt(t->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
}

void talk_close(talk *t)
{
    if (t->fd >= 0) {
        (void)close(t->fd);
        t->fd = -1;
    }
}

bool talk_send(const talk *t, const char *bytes, size_t size_bytes)
{
    while (size_bytes > 0) {
        const ssize_t sent = send(t->fd, bytes, size_bytes, MSG_NOSIGNAL);
        if (sent <= 0) {
            return false;
        }
        bytes += sent;
        size_bytes -= (size_t)sent;
    }
    return true;
}

// ---- replies ----

// The value of a header; its end is the line's. NULL: there is none.
static const char *header(const char *head, const char *name)
{
    const size_t name_bytes = strlen(name);
    for (const char *line = strstr(head, "\r\n"); line != NULL; line = strstr(line + 2, "\r\n")) {
        if (strncasecmp(line + 2, name, name_bytes) == 0 && line[2 + name_bytes] == ':') {
            return line + 3 + name_bytes + strspn(line + 3 + name_bytes, " ");
        }
    }
    return NULL;
}

static void copy_until(char *out, size_t room, const char *text, const char *ends)
{
    const size_t length = text != NULL ? strcspn(text, ends) : 0;
    (void)snprintf(out, room, "%.*s", (int)length, text != NULL ? text : "");
}

// The text of a member of the body.
static void copy_member(char *out, size_t room, const char *body, const char *before)
{
    const char *found = strstr(body, before);
    copy_until(out, room, found != NULL ? found + strlen(before) : NULL, "\"");
}

static void take_apart(talk_reply *out, const char *head, const char *body)
{
    const char *type = header(head, "Content-Type"), *end = header(head, "Connection");
    out->problem = type != NULL && strncmp(type, "application/problem+json\r", 25) == 0;
    out->closes = end != NULL && strncasecmp(end, "close\r", 6) == 0;
    copy_until(out->id, sizeof out->id, header(head, "X-Request-Id"), "\r");
    copy_member(out->code, sizeof out->code, body, "\"code\":\"");
    copy_member(out->at, sizeof out->at, body, "\"at\":\"");
    copy_member(out->body_id, sizeof out->body_id, body, "\"request_id\":\"");
    const char *status = strstr(body, "\"status\":");
    out->body_status = status != NULL ? (int)strtol(status + 9, NULL, 10) : 0;
    out->body = body;
}

// The size of the reply at the front of the buffer; 0: it is not whole yet; -1: it is none.
static ssize_t reply_bytes(talk *t, talk_reply *out)
{
    t->bytes[t->used_bytes] = '\0';
    char *end = strstr(t->bytes, "\r\n\r\n");
    if (t->used_bytes >= 9 && strncmp(t->bytes, "HTTP/1.1 ", 9) != 0) {
        return -1;
    }
    if (end == NULL) {
        return 0;
    }
    out->status = (int)strtol(t->bytes + 9, NULL, 10);
    const size_t head_bytes = (size_t)(end + 4 - t->bytes);
    const char kept = end[4];
    end[4] = '\0';
    const char *length = header(t->bytes, "Content-Length");
    end[4] = kept;
    if (out->status == 100) {
        return (ssize_t)head_bytes;
    }
    if (length == NULL) {
        return -1;
    }
    const size_t whole = head_bytes + strtoul(length, NULL, 10);
    return whole >= TALK_BYTES_MAX ? -1 : (whole <= t->used_bytes ? (ssize_t)whole : 0);
}

// Takes the reply off the front; its text is kept behind what is left, which is seldom anything.
static void take_off(talk *t, size_t size_bytes, talk_reply *out)
{
    static _Thread_local char text[TALK_BYTES_MAX];
    memcpy(text, t->bytes, size_bytes);
    text[size_bytes] = '\0';
    t->used_bytes -= size_bytes;
    memmove(t->bytes, t->bytes + size_bytes, t->used_bytes);
    char *body = strstr(text, "\r\n\r\n") + 4;
    char head[4096];
    (void)snprintf(head, sizeof head, "%.*s", (int)(body - text), text);
    take_apart(out, head, body);
}

static int left_ms(const struct timespec *begin, int patience_ms)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    const long passed =
        (now.tv_sec - begin->tv_sec) * 1000 + (now.tv_nsec - begin->tv_nsec) / 1000000;
    return passed < patience_ms ? patience_ms - (int)passed : 0;
}

talk_end talk_receive(talk *t, int patience_ms, talk_reply *out)
{
    struct timespec begin;
    (void)clock_gettime(CLOCK_MONOTONIC, &begin);
    memset(out, 0, sizeof *out);
    for (;;) {
        const ssize_t whole = reply_bytes(t, out);
        if (whole != 0) {
            if (whole > 0) {
                take_off(t, (size_t)whole, out);
            }
            return whole > 0 ? TALK_REPLY : TALK_GARBLED;
        }
        struct pollfd on = {.fd = t->fd, .events = POLLIN};
        if (poll(&on, 1, left_ms(&begin, patience_ms)) <= 0) {
            return t->used_bytes > 0 ? TALK_GARBLED : TALK_SILENT;
        }
        const ssize_t got =
            recv(t->fd, t->bytes + t->used_bytes, TALK_BYTES_MAX - 1 - t->used_bytes, 0);
        if (got <= 0) {
            return t->used_bytes > 0 ? TALK_GARBLED : TALK_CLOSED;
        }
        t->used_bytes += (size_t)got;
    }
}

// ---- one question ----

int talk_once(uint16_t port, const char *bytes, size_t size_bytes, int patience_ms, talk *t,
              talk_reply *out)
{
    talk_open(t, port);
    if (t->fd < 0) {
        return 0;
    }
    (void)talk_send(t, bytes, size_bytes);
    const talk_end end = talk_receive(t, patience_ms, out);
    talk_close(t);
    return end == TALK_REPLY ? out->status : 0;
}

const char *talk_get(uint16_t port, const char *path, talk *t)
{
    char text[256];
    talk_reply got;
    const int length = snprintf(
        text, sizeof text, "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", path);
    return talk_once(port, text, (size_t)length, PATIENCE_MS, t, &got) == 200 ? got.body : NULL;
}

double talk_number(uint16_t port, const char *path, const char *before)
{
    static _Thread_local talk t;
    const char *body = talk_get(port, path, &t);
    const char *found = body != NULL ? strstr(body, before) : NULL;
    return found != NULL ? strtod(found + strlen(before), NULL) : -1;
}
