// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// exchange.c: the life of a request, from its headers to the end of its reply.
//
// The library calls http_on_request several times for one request:
//
//   1st, headers are in:  begin()       find the route, judge the headers
//   with pieces of body:  take_body()   buffer it, or feed the route's stream
//   last, body is in:     answer()      the handler; after a suspension once more
//
// A reply that is queued on the first call ends the connection, at five times the cost of keeping
// it. So begin() queues only refusals of requests whose body is too long to read; everything else
// waits for the last call. In between no reply can be queued at all: after an error the rest of the
// body is read and dropped.

#include "server/http/exchange.h"

#include "server/base/clock.h"
#include "server/base/metrics.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#define BODY_BYTES_FIRST 1024u

// The exchange of a connection, made ready for its next request; NULL without memory.
static exchange *exchange_of(connection *line)
{
    if (line->user == NULL) {
        line->user = calloc(1, sizeof(exchange));
        if (line->user == NULL) {
            return NULL;
        }
    }
    exchange *x = line->user;
    memset(&x->request, 0, offsetof(request, args));
    x->refusal.status = NAV_OK;
    x->allow[0] = '\0';
    x->close = x->wide = x->expects = x->answered = false;
    x->body_bytes = x->held_bytes = x->handled_ns = 0;
    return x;
}

// "100 Continue", between two replies. If the socket's buffer is full it is not sent; a client may
// then send its body without it (RFC 9110, 10.1.1).
static enum MHD_Result ask_for_body(const exchange *x)
{
    static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
    const ssize_t sent = send(x->line->fd, go_on, sizeof go_on - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    return sent <= 0 || sent == (ssize_t)sizeof go_on - 1 ? MHD_YES : MHD_NO;
}

static enum MHD_Result begin(listener *l, struct MHD_Connection *mhd, const char *method,
                             const char *path, void **state)
{
    struct connection *line =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
    exchange *x = line != NULL && connection_begin(line) ? exchange_of(line) : NULL;
    if (x == NULL) {
        return MHD_NO;
    }
    metrics_add(METRICS_REQUESTS_IN_FLIGHT, 1);
    *state = x;
    x->begun_ns = clock_now_ns();
    x->begun_piece = line->pieces;
    x->method = method;
    x->path = path;
    x->listener = l;
    x->line = line;
    x->connection = mhd;
    x->request.service = l->service;
    request_name(x->request.id);
    // A small body is read and dropped, since a socket that is closed with bytes unread loses the
    // reply as well. Clients with a large one ask first.
    if (http_judge(x, method, path) != NAV_OK && (x->wide || x->expects)) {
        x->close = true;
        return http_send_refusal(x);
    }
    return x->expects ? ask_for_body(x) : MHD_YES;
}

// ---- the body ----

static nav_status buffer_body(exchange *x, const char *bytes, size_t size_bytes)
{
    size_t used = (size_t)x->body_bytes;
    if (used + size_bytes + 1 > x->body_capacity) {
        size_t capacity = x->body_capacity > 0 ? x->body_capacity * 2 : BODY_BYTES_FIRST;
        while (capacity < used + size_bytes + 1) {
            capacity *= 2;
        }
        // What every connection may have anyway is not counted.
        uint64_t more = capacity - (x->body_capacity > 0 ? x->body_capacity : capacity);
        nav_status status = service_hold(x->request.service, more, &x->refusal);
        if (status != NAV_OK) {
            return status;
        }
        x->held_bytes += more;
        char *grown = realloc(x->body, capacity);
        if (grown == NULL) {
            return nav_fail(&x->refusal, NAV_NO_MEMORY, "no memory for the body");
        }
        x->body = grown;
        x->body_capacity = capacity;
    }
    memcpy(x->body + used, bytes, size_bytes);
    x->body[used + size_bytes] = '\0';
    return NAV_OK;
}

static enum MHD_Result take_body(exchange *x, const char *bytes, size_t size_bytes)
{
    request *r = &x->request;
    if (x->refusal.status == NAV_OK && size_bytes > http_body_limit(r) - x->body_bytes) {
        (void)http_fail_too_large(x);
    }
    if (x->refusal.status == NAV_OK && r->route->body == BODY_STREAM) {
        (void)r->route->feed(r, bytes, size_bytes, &x->refusal);
    } else if (x->refusal.status == NAV_OK) {
        (void)buffer_body(x, bytes, size_bytes);
    }
    x->body_bytes += size_bytes;
    // Chunks need not ever end; whoever goes on far beyond the limit gets no reply.
    bool endless = x->body_bytes > http_body_limit(r) + LIMIT_DRAIN_BYTES;
    return x->refusal.status != NAV_OK && endless ? MHD_NO : MHD_YES;
}

// ---- the reply ----

// The readers of proto/ know the widest bounds; an operator may want narrower ones, also for JSON
// that stands in a query string.
static nav_status check_json(exchange *x)
{
    const request *r = &x->request;
    const service_limits *l = &r->service->limits;
    const bool batch = r->route->body_limit == offsetof(service_limits, batch_body_bytes);
    const uint32_t values = (uint32_t)(batch ? l->batch_json_values : l->json_values);
    const uint32_t depth = (uint32_t)l->json_depth;
    if (depth == PROTO_JSON_DEPTH_MAX &&
        values == (batch ? PROTO_BATCH_VALUES_MAX : PROTO_JSON_VALUES_MAX)) {
        return NAV_OK;
    }
    nav_status status = NAV_OK;
    if (r->route->body == BODY_JSON && request_has_type(r, "application/json")) {
        status = proto_json_scan(r->body, r->body_bytes, depth, values, &x->refusal);
    }
    for (size_t i = 0; status == NAV_OK && i < r->arg_count; i++) {
        const char *value = r->args[i].value;
        if (value[0] == '{' || value[0] == '[') {
            status = proto_json_scan(value, strlen(value), depth, values, &x->refusal);
        }
    }
    return status;
}

static enum MHD_Result answer(exchange *x)
{
    if (!connection_handle(x->line)) {
        return MHD_NO;
    }
    if (x->refusal.status != NAV_OK) {
        return http_send_refusal(x);
    }
    request *r = &x->request;
    // What is kept of the request before is nobody's.
    r->body = x->body != NULL && x->body_bytes > 0 ? x->body : "";
    r->body_bytes = (size_t)x->body_bytes;
    if (check_json(x) != NAV_OK) {
        return http_send_refusal(x);
    }
    reply out = {0};
    // A body that came along with its head did not take time to arrive.
    uint64_t begin_ns = x->line->pieces != x->begun_piece ? clock_now_ns() : x->begun_ns;
    r->route->handle(r, &out);
    uint64_t now_ns = clock_now_ns();
    x->handled_ns = now_ns - begin_ns;
    return out.later ? MHD_YES : http_send(x, &out, now_ns);
}

enum MHD_Result http_on_request(void *user, struct MHD_Connection *mhd, const char *path,
                                const char *method, const char *http_version,
                                const char *upload_data, size_t *upload_bytes, void **state)
{
    (void)http_version;
    if (*state == NULL) {
        return begin(user, mhd, method, path, state);
    }
    exchange *x = *state;
    if (*upload_bytes > 0) {
        enum MHD_Result result = take_body(x, upload_data, *upload_bytes);
        *upload_bytes = 0;
        return result;
    }
    return answer(x);
}

void http_on_completed(void *user, struct MHD_Connection *mhd, void **state,
                       enum MHD_RequestTerminationCode code)
{
    (void)user;
    (void)mhd;
    (void)code;
    exchange *x = *state;
    if (x == NULL) {
        return;
    }
    if (x->request.route != NULL && x->request.route->close != NULL) {
        x->request.route->close(&x->request);
    }
    if (!x->answered && !connection_is_over(x->line)) {
        metrics_count(METRICS_REQUESTS_ABORTED);
    }
    if (x->body_capacity > BODY_BYTES_FIRST) {
        free(x->body);
        x->body = NULL;
        x->body_capacity = 0;
    }
    if (x->held_bytes > 0) {
        service_give_back(x->request.service, x->held_bytes);
    }
    *state = NULL;
    connection_rest(x->line);
    metrics_add(METRICS_REQUESTS_IN_FLIGHT, -1); // last: http_stop waits for this
}

void http_on_connection(void *user, struct MHD_Connection *mhd, void **context,
                        enum MHD_ConnectionNotificationCode code)
{
    listener *l = user;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        metrics_add(METRICS_CONNECTIONS, 1);
        metrics_count(METRICS_CONNECTIONS_ACCEPTED);
        int fd = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
        // Without memory for it, begin() will refuse.
        *context = connection_open(l->service->connections, fd, l->tcp, &l->connections);
        return;
    }
    metrics_add(METRICS_CONNECTIONS, -1);
    struct connection *line = *context;
    if (line != NULL && line->user != NULL) {
        free(((exchange *)line->user)->body);
        free(line->user);
    }
    connection_close(line);
    *context = NULL;
}

void request_suspend(request *r)
{
    MHD_suspend_connection(((exchange *)r)->connection);
}

void request_resume(request *r)
{
    MHD_resume_connection(((exchange *)r)->connection);
}
