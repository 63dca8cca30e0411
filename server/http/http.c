// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// http.c: the listeners: sockets, and libmicrohttpd's daemons that serve them. The life of a
// request is in transaction.c.

#include "server/http/http.h"

#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/base/metrics.h"
#include "server/http/transaction.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct http {
    service *service;
    listener listeners[LIMIT_LISTENERS]; // immutable once started
    size_t count;
};

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Percent-decoding in place. %00 stays as it is, as does any text that is no escape: a zero would
// cut the text short, and "town%00x" must not pass for "town".
static size_t unescape(void *user, struct MHD_Connection *mhd, char *text)
{
    (void)user;
    (void)mhd;
    char *out = strchrnul(text, '%'); // most have none
    for (const char *in = out; *in != '\0';) {
        int high = in[0] == '%' ? hex_digit(in[1]) : -1;
        int low = high >= 0 ? hex_digit(in[2]) : -1;
        if (low >= 0 && high * 16 + low != 0) {
            *out++ = (char)(high * 16 + low);
            in += 3;
        } else {
            *out++ = *in++;
        }
    }
    *out = '\0';
    return (size_t)(out - text);
}

// A thread a core, and some more where there are few: a connection waits while another one of its
// thread asks a large batch.
static unsigned thread_count(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < LIMIT_HTTP_THREADS_MIN   ? LIMIT_HTTP_THREADS_MIN
           : cores > LIMIT_HTTP_THREADS_MAX ? LIMIT_HTTP_THREADS_MAX
                                            : (unsigned)cores;
}

static struct MHD_Daemon *start_daemon(listener *l, int fd)
{
    unsigned threads = thread_count();
    // Some beyond the limit, so that they can get a 503.
    unsigned most = (unsigned)l->service->limits.listener_connections;
    most += most / 8 + 16 + threads;
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, http_on_request, l,
        MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_NOTIFY_COMPLETED, http_on_completed, l,
        MHD_OPTION_NOTIFY_CONNECTION, http_on_connection, l, MHD_OPTION_UNESCAPE_CALLBACK, unescape,
        NULL, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)LIMIT_CONNECTION_MEMORY_BYTES,
        MHD_OPTION_CONNECTION_LIMIT, most, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_THREAD_POOL_SIZE, threads, MHD_OPTION_END);
}

static nav_status add_listener(http *h, const char *text, nav_error *err)
{
    listen_socket bound;
    nav_status status = listen_open(text, &bound, err);
    if (status != NAV_OK) {
        return status;
    }
    NAV_ASSERT(h->count < LIMIT_LISTENERS);
    listener *l = &h->listeners[h->count];
    *l = (listener){.service = h->service,
                    .quiesced = MHD_INVALID_SOCKET,
                    .text = text,
                    .file = bound.file,
                    .tcp = bound.tcp,
                    .names = !bound.tcp                 ? ACCESS_ANY
                             : !bound.reachable         ? ACCESS_LOOPBACK
                             : h->service->auth != NULL ? ACCESS_ANY
                                                        : ACCESS_ADDRESSES};
    if (bound.reachable && h->service->auth == NULL && !h->service->trusted_network) {
        status = nav_fail(err, NAV_INVALID_FIELD,
                          "other machines can reach %.100s: it needs --token-file, or "
                          "--trusted-network where all that can reach it may do everything",
                          bound.text);
    } else if ((l->daemon = start_daemon(l, bound.fd)) == NULL) {
        status = nav_fail(err, PROTO_OVERLOADED, "the HTTP server cannot start on %.100s", text);
    }
    if (status != NAV_OK) {
        (void)close(bound.fd);
        return status;
    }
    memcpy(l->address, bound.text, sizeof l->address);
    h->count++;
    log_info("listening", "address=%s", bound.text);
    if (l->names == ACCESS_ADDRESSES) {
        log_warn("trusted_network", "address=%s detail=\"%s\"", bound.text,
                 "no token is asked for: whoever reaches this address may do everything");
    }
    return NAV_OK;
}

nav_status http_start(service *s, const char *const *listeners, size_t count, http **out,
                      nav_error *err)
{
    NAV_ASSERT(count > 0 && count <= LIMIT_LISTENERS);
    NAV_ASSERT(s->connections == NULL && s->routes != NULL && s->routes->count > 0);
    http *h = calloc(1, sizeof *h);
    if (h == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for the HTTP server");
    }
    h->service = s;
    s->connections = connections_create(s);
    nav_status status = NAV_OK;
    if (s->connections == NULL || !connections_start(s->connections)) {
        status = nav_fail(err, NAV_NO_MEMORY, "no memory for the HTTP server");
    } else if (!socket_hooks_in_place()) {
        status = nav_fail(err, PROTO_INTERNAL, "requests cannot be checked on this system");
    }
    for (size_t i = 0; status == NAV_OK && i < count; i++) {
        status = add_listener(h, listeners[i], err);
    }
    if (status != NAV_OK) {
        http_quiesce(h);
        http_stop(h, 0);
        return status;
    }
    *out = h;
    return NAV_OK;
}

const char *http_address(const http *h, size_t i)
{
    return i < h->count ? h->listeners[i].address : NULL;
}

const char *http_library_version(void)
{
    return MHD_get_version();
}

// A thread of the library may still use the socket, so that it is closed when all threads have
// ended. Until then it is shut down; but a socket that was passed in is the service manager's as
// well, and its clients wait for the next process.
void http_quiesce(http *h)
{
    for (size_t i = 0; i < h->count; i++) {
        listener *l = &h->listeners[i];
        l->quiesced = MHD_quiesce_daemon(l->daemon);
        if (l->quiesced != MHD_INVALID_SOCKET && !listen_is_passed(l->text)) {
            (void)shutdown(l->quiesced, SHUT_RDWR);
        }
        listen_remove(l->text, l->file);
    }
}

void http_stop(http *h, uint64_t deadline_ns)
{
    if (h == NULL) {
        return;
    }
    const struct timespec pause = {.tv_nsec = 5000000};
    while (metrics_gauge_get(METRICS_REQUESTS_IN_FLIGHT) > 0 && clock_now_ns() < deadline_ns) {
        (void)nanosleep(&pause, NULL);
    }
    for (size_t i = 0; i < h->count; i++) {
        MHD_stop_daemon(h->listeners[i].daemon);
        if (h->listeners[i].quiesced != MHD_INVALID_SOCKET) {
            (void)close(h->listeners[i].quiesced);
        }
    }
    // The daemons have closed every connection.
    connections_stop(h->service->connections);
    connections_destroy(h->service->connections);
    h->service->connections = NULL;
    free(h);
}
