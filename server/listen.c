// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// listen.c: sockets of TCP loopback and of the file system.

#include "server/listen.h"

#include "server/limits.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define UNIX_PREFIX "unix:"

typedef union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_un local;
} address;

typedef struct parsed {
    address address;
    socklen_t length;
} parsed;

static nav_status fail_listener(nav_error *err, const char *listener, const char *why)
{
    nav_fail(err, NAV_INVALID_FIELD, "--listen: %s", why);
    nav_error_at(err, "listen");
    nav_error_got(err, "%.60s", listener);
    return NAV_INVALID_FIELD;
}

static nav_status parse_unix(const char *listener, parsed *out, nav_error *err)
{
    const char *path = listener + strlen(UNIX_PREFIX);
    if (path[0] == '\0' || strlen(path) >= sizeof out->address.local.sun_path) {
        return fail_listener(err, listener, "unix: needs a path of at most 107 bytes");
    }
    out->address.local.sun_family = AF_UNIX;
    (void)snprintf(out->address.local.sun_path, sizeof out->address.local.sun_path, "%s", path);
    out->length = sizeof out->address.local;
    return NAV_OK;
}

static bool parse_port(const char *text, uint16_t *out)
{
    char *end = NULL;
    if (text[0] < '0' || text[0] > '9') {
        return false;
    }
    unsigned long port = strtoul(text, &end, 10);
    *out = (uint16_t)port;
    return *end == '\0' && port <= UINT16_MAX;
}

// The host without its brackets, and whether it is one that only this machine can reach.
static bool parse_host(const char *host, uint16_t port, parsed *out, bool *loopback)
{
    struct in_addr v4;
    struct in6_addr v6;
    if (inet_pton(AF_INET, strcmp(host, "localhost") == 0 ? "127.0.0.1" : host, &v4) == 1) {
        out->address.v4.sin_family = AF_INET;
        out->address.v4.sin_addr = v4;
        out->address.v4.sin_port = htons(port);
        out->length = sizeof out->address.v4;
        *loopback = (ntohl(v4.s_addr) >> 24) == 127;
        return true;
    }
    if (inet_pton(AF_INET6, host, &v6) == 1) {
        out->address.v6.sin6_family = AF_INET6;
        out->address.v6.sin6_addr = v6;
        out->address.v6.sin6_port = htons(port);
        out->length = sizeof out->address.v6;
        *loopback = IN6_IS_ADDR_LOOPBACK(&v6);
        return true;
    }
    return false;
}

static nav_status parse(const char *listener, parsed *out, nav_error *err)
{
    memset(out, 0, sizeof *out);
    if (strncmp(listener, UNIX_PREFIX, strlen(UNIX_PREFIX)) == 0) {
        return parse_unix(listener, out, err);
    }
    char host[INET6_ADDRSTRLEN + 2];
    const char *colon = strrchr(listener, ':');
    uint16_t port;
    if (colon == NULL || (size_t)(colon - listener) >= sizeof host ||
        !parse_port(colon + 1, &port)) {
        return fail_listener(err, listener, "write ADDR:PORT or unix:PATH");
    }
    bool brackets = listener[0] == '[' && colon > listener + 1 && colon[-1] == ']';
    (void)snprintf(host, sizeof host, "%.*s", (int)(colon - listener) - (brackets ? 2 : 0),
                   listener + (brackets ? 1 : 0));
    bool loopback = false;
    if (!parse_host(host, port, out, &loopback)) {
        return fail_listener(err, listener,
                             "the address is not a number such as 127.0.0.1 or [::1]");
    }
    if (!loopback) {
        return fail_listener(err, listener,
                             "the address can be reached from other machines, and there is no "
                             "access control yet: use 127.0.0.1, [::1] or unix:PATH");
    }
    return NAV_OK;
}

nav_status listen_check(const char *listener, nav_error *err)
{
    parsed where;
    return parse(listener, &where, err);
}

// A socket file that nobody answers on was left by a process that died.
static void remove_stale(const parsed *where)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0) {
        if (connect(fd, &where->address.any, where->length) != 0 && errno == ECONNREFUSED) {
            (void)unlink(where->address.local.sun_path);
        }
        (void)close(fd);
    }
}

static void describe(const char *listener, int fd, char out[LISTEN_TEXT_BYTES])
{
    address got;
    socklen_t length = sizeof got;
    char host[INET6_ADDRSTRLEN] = "";
    (void)snprintf(out, LISTEN_TEXT_BYTES, "%s", listener);
    if (getsockname(fd, &got.any, &length) != 0) {
        return;
    }
    if (got.any.sa_family == AF_INET &&
        inet_ntop(AF_INET, &got.v4.sin_addr, host, sizeof host) != NULL) {
        (void)snprintf(out, LISTEN_TEXT_BYTES, "%s:%u", host, ntohs(got.v4.sin_port));
    } else if (got.any.sa_family == AF_INET6 &&
               inet_ntop(AF_INET6, &got.v6.sin6_addr, host, sizeof host) != NULL) {
        (void)snprintf(out, LISTEN_TEXT_BYTES, "[%s]:%u", host, ntohs(got.v6.sin6_port));
    }
}

nav_status listen_open(const char *listener, int *out_fd, char text[LISTEN_TEXT_BYTES],
                       nav_error *err)
{
    parsed where;
    nav_status status = parse(listener, &where, err);
    if (status != NAV_OK) {
        return status;
    }
    if (where.address.any.sa_family == AF_UNIX) {
        remove_stale(&where);
    }
    int fd = socket(where.address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int on = 1;
    if (fd >= 0) {
        (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    }
    if (fd < 0 || bind(fd, &where.address.any, where.length) != 0 ||
        listen(fd, LIMIT_BACKLOG) != 0) {
        status =
            nav_fail(err, NAV_OVERLOADED, "cannot listen on %.100s: %s", listener, strerror(errno));
        if (fd >= 0) {
            (void)close(fd);
        }
        return status;
    }
    describe(listener, fd, text);
    *out_fd = fd;
    return NAV_OK;
}

void listen_remove(const char *listener)
{
    if (strncmp(listener, UNIX_PREFIX, strlen(UNIX_PREFIX)) == 0) {
        (void)unlink(listener + strlen(UNIX_PREFIX));
    }
}
