// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// listen.c: sockets of TCP and of the file system, made here or passed in by the service manager.

#include "server/http/listen.h"

#include "server/base/limits.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define UNIX_PREFIX "unix:"
#define FD_PREFIX "fd:"
#define PASSED_FIRST 3 // the first descriptor behind stderr, says sd_listen_fds(3)

typedef union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_un local;
} address;

typedef struct parsed {
    address address;
    socklen_t length;
    bool reachable;
} parsed;

static nav_status fail_listener(nav_error *err, const char *listener, const char *why)
{
    nav_fail_at(err, NAV_INVALID_FIELD, "listen", "%s", why);
    nav_error_got(err, "%.60s", listener);
    return NAV_INVALID_FIELD;
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

// Whether other machines may reach a socket that is bound to this.
static bool is_reachable(const address *a)
{
    switch (a->any.sa_family) {
    case AF_UNIX:
        return false;
    case AF_INET:
        return (ntohl(a->v4.sin_addr.s_addr) >> 24) != 127;
    case AF_INET6:
        return !IN6_IS_ADDR_LOOPBACK(&a->v6.sin6_addr);
    default:
        return true;
    }
}

// The host without its brackets.
static bool parse_host(const char *host, uint16_t port, parsed *out)
{
    struct in_addr v4;
    struct in6_addr v6;
    if (inet_pton(AF_INET, strcmp(host, "localhost") == 0 ? "127.0.0.1" : host, &v4) == 1) {
        out->address.v4.sin_family = AF_INET;
        out->address.v4.sin_addr = v4;
        out->address.v4.sin_port = htons(port);
        out->length = sizeof out->address.v4;
        return true;
    }
    if (inet_pton(AF_INET6, host, &v6) == 1) {
        out->address.v6.sin6_family = AF_INET6;
        out->address.v6.sin6_addr = v6;
        out->address.v6.sin6_port = htons(port);
        out->length = sizeof out->address.v6;
        return true;
    }
    return false;
}

static nav_status parse(const char *listener, parsed *out, nav_error *err)
{
    memset(out, 0, sizeof *out);
    if (strncmp(listener, UNIX_PREFIX, strlen(UNIX_PREFIX)) == 0) {
        const char *path = listener + strlen(UNIX_PREFIX);
        if (path[0] == '\0' || strlen(path) >= sizeof out->address.local.sun_path) {
            return fail_listener(err, listener, "unix: needs a path of at most 107 bytes");
        }
        out->address.local.sun_family = AF_UNIX;
        (void)snprintf(out->address.local.sun_path, sizeof out->address.local.sun_path, "%s", path);
        out->length = sizeof out->address.local;
        return NAV_OK;
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
    if (!parse_host(host, port, out)) {
        return fail_listener(err, listener,
                             "the address is not a number such as 127.0.0.1 or [::1]");
    }
    out->reachable = is_reachable(&out->address);
    return NAV_OK;
}

// The descriptor of "fd:N", -1 where the text is another kind of listener.
static int passed_descriptor(const char *listener)
{
    uint16_t fd;
    if (strncmp(listener, FD_PREFIX, strlen(FD_PREFIX)) != 0) {
        return -1;
    }
    return parse_port(listener + strlen(FD_PREFIX), &fd) && fd >= PASSED_FIRST ? fd : 0;
}

nav_status listen_check(const char *listener, bool *reachable, nav_error *err)
{
    parsed where;
    int fd = passed_descriptor(listener);
    if (fd >= 0) {
        *reachable = false;
        return fd > 0 ? NAV_OK : fail_listener(err, listener, "fd: needs a number from 3 on");
    }
    nav_status status = parse(listener, &where, err);
    *reachable = status == NAV_OK && where.reachable;
    return status;
}

// Removes a socket file on which no process listens: it was left by one that died. No other file is
// removed; bind then fails, since the name is taken.
static void remove_stale(const parsed *where)
{
    struct stat info;
    if (lstat(where->address.local.sun_path, &info) != 0 || !S_ISSOCK(info.st_mode)) {
        return;
    }
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

// Connections inherit it. The system's own choice grows to some MiB for each client that does not
// read its reply.
static void bound_replies(int fd)
{
    int bytes = LIMIT_SEND_BUFFER_BYTES;
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
}

// A socket that was passed in has been bound by another process, so its kind is checked, not
// assumed.
static nav_status open_passed(const char *listener, int fd, listen_socket *out, nav_error *err)
{
    address bound;
    socklen_t length = sizeof bound;
    int listening = 0, type = 0;
    socklen_t word = sizeof listening;
    if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listening, &word) != 0 || listening == 0 ||
        getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &word) != 0 || type != SOCK_STREAM ||
        getsockname(fd, &bound.any, &length) != 0 ||
        (bound.any.sa_family != AF_UNIX && bound.any.sa_family != AF_INET &&
         bound.any.sa_family != AF_INET6)) {
        return fail_listener(err, listener,
                             "--listen: the descriptor is no listening stream socket");
    }
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0 ||
        fcntl(fd, F_SETFD, FD_CLOEXEC) != 0) {
        return nav_fail(err, NAV_INVALID_FIELD, "--listen %.60s: %s", listener, strerror(errno));
    }
    *out = (listen_socket){
        .fd = fd, .tcp = bound.any.sa_family != AF_UNIX, .reachable = is_reachable(&bound)};
    bound_replies(fd);
    describe(listener, fd, out->text);
    return NAV_OK;
}

nav_status listen_open(const char *listener, listen_socket *out, nav_error *err)
{
    parsed where;
    int passed = passed_descriptor(listener);
    if (passed > 0) {
        return open_passed(listener, passed, out, err);
    }
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
        status = nav_fail(err, PROTO_OVERLOADED, "cannot listen on %.100s: %s", listener,
                          strerror(errno));
        if (fd >= 0) {
            (void)close(fd);
        }
        return status;
    }
    *out = (listen_socket){
        .fd = fd, .tcp = where.address.any.sa_family != AF_UNIX, .reachable = where.reachable};
    struct stat info;
    if (!out->tcp && lstat(where.address.local.sun_path, &info) == 0) {
        out->file = (listen_file){.device = info.st_dev, .number = info.st_ino};
    }
    bound_replies(fd);
    describe(listener, fd, out->text);
    return NAV_OK;
}

bool listen_is_passed(const char *listener)
{
    return passed_descriptor(listener) > 0;
}

void listen_remove(const char *listener, listen_file file)
{
    struct stat info;
    const char *path = listener + strlen(UNIX_PREFIX);
    if (strncmp(listener, UNIX_PREFIX, strlen(UNIX_PREFIX)) == 0 && lstat(path, &info) == 0 &&
        S_ISSOCK(info.st_mode) && info.st_dev == file.device && info.st_ino == file.number) {
        (void)unlink(path);
    }
}

size_t listen_passed(const char **listeners, size_t max)
{
    static const char *const words[] = {"fd:3", "fd:4", "fd:5", "fd:6",
                                        "fd:7", "fd:8", "fd:9", "fd:10"};
    _Static_assert(sizeof words / sizeof words[0] == LIMIT_LISTENERS, "one word each");
    const char *pid = getenv("LISTEN_PID"), *fds = getenv("LISTEN_FDS");
    size_t count = 0;
    if (pid != NULL && fds != NULL && strtol(pid, NULL, 10) == (long)getpid()) {
        long wanted = strtol(fds, NULL, 10);
        for (; (long)count < wanted && count < max && count < LIMIT_LISTENERS; count++) {
            listeners[count] = words[count];
        }
    }
    return count;
}
