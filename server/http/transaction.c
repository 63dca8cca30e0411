// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// transaction.c: the life of a request, from its head to the end of its reply.
//
// The library calls http_on_request several times for one request:
//
//   1st, the head is in:   begin()       check the head, find the route
//   with pieces of body:   take_body()   buffer it, or feed the route's stream
//   last, the body is in:  answer()      the handler; after a suspension once more
//                                        reply --> send_reply() --> libmicrohttpd
//   and http_on_completed() when the reply is out or the client is gone
//
// A reply that is queued on the first call ends the connection, at five times the cost of keeping
// it. So begin() queues only errors of requests whose body is too long to read; everything else
// waits for the last call. In between no reply can be queued at all: after an error the rest of the
// body is read and dropped.

#include "server/http/transaction.h"

#include "server/base/clock.h"
#include "server/base/metrics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define BODY_BYTES_FIRST 1024u
#define STREAM_BLOCK_BYTES 4096u

static enum MHD_Result send_error(http_transaction *t);

// ---- the head ----

// The transaction of a connection, made ready for its next request; NULL without memory.
static http_transaction *next_transaction(connection *c)
{
    if (c->user == NULL) {
        c->user = calloc(1, sizeof(http_transaction));
        if (c->user == NULL) {
            return NULL;
        }
    }
    http_transaction *t = c->user;
    NAV_ASSERT(t->held_bytes == 0 &&
               t->answer_bytes == 0); // http_on_completed has ended the request before
    memset(&t->request, 0, offsetof(request, args));
    t->error.status = NAV_OK;
    t->allow[0] = '\0';
    t->origin = NULL;
    t->close = t->large_body = t->expects = t->answered = t->preflight = false;
    t->body_bytes = t->handled_ns = 0;
    return t;
}

// "100 Continue", between two replies. If the socket's buffer is full it is not sent; a client may
// then send its body without it (RFC 9110, 10.1.1).
static enum MHD_Result ask_for_body(const http_transaction *t)
{
    static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
    const ssize_t sent =
        send(t->connection->fd, go_on, sizeof go_on - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    return sent <= 0 || sent == (ssize_t)sizeof go_on - 1 ? MHD_YES : MHD_NO;
}

static enum MHD_Result begin(listener *l, struct MHD_Connection *mhd, const char *method,
                             const char *path, void **state)
{
    connection *c =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
    http_transaction *t = c != NULL && connection_begin(c) ? next_transaction(c) : NULL;
    if (t == NULL) {
        return MHD_NO;
    }
    metrics_add(METRICS_REQUESTS_IN_FLIGHT, 1);
    *state = t;
    t->begun_ns = clock_now_ns();
    t->begun_piece = c->pieces;
    t->method = method;
    t->path = path;
    t->listener = l;
    t->connection = c;
    t->mhd = mhd;
    t->request.service = l->service;
    request_begin(&t->request);
    t->request.connected = true;
    // A small body is read and dropped, since a socket that is closed with bytes unread loses the
    // reply as well. Clients with a large one ask first.
    if (http_check_head(t, method, path) != NAV_OK && (t->large_body || t->expects)) {
        t->close = true;
        return send_error(t);
    }
    return t->expects ? ask_for_body(t) : MHD_YES;
}

// ---- the body ----

static nav_status buffer_body(http_transaction *t, const char *bytes, size_t size_bytes)
{
    size_t used = (size_t)t->body_bytes;
    if (used + size_bytes + 1 > t->body_capacity) {
        size_t capacity = t->body_capacity > 0 ? t->body_capacity * 2 : BODY_BYTES_FIRST;
        while (capacity < used + size_bytes + 1) {
            capacity *= 2;
        }
        // The first block, which every connection may have anyway, is not counted.
        uint64_t more = capacity - (t->body_capacity > 0 ? t->body_capacity : capacity);
        nav_status status = service_hold(t->request.service, more, &t->error);
        if (status != NAV_OK) {
            return status;
        }
        t->held_bytes += more;
        char *grown = realloc(t->body, capacity);
        if (grown == NULL) {
            return nav_fail(&t->error, NAV_NO_MEMORY, "no memory for the body");
        }
        t->body = grown;
        t->body_capacity = capacity;
    }
    NAV_ASSERT(used + size_bytes < t->body_capacity);
    memcpy(t->body + used, bytes, size_bytes);
    t->body[used + size_bytes] = '\0';
    return NAV_OK;
}

static enum MHD_Result take_body(http_transaction *t, const char *bytes, size_t size_bytes)
{
    request *r = &t->request;
    // Until the first error the body has kept to its limit.
    NAV_ASSERT(t->error.status != NAV_OK || t->body_bytes <= http_body_limit(r));
    if (t->error.status == NAV_OK && size_bytes > http_body_limit(r) - t->body_bytes) {
        (void)http_fail_too_large(t);
    }
    if (t->error.status == NAV_OK && r->route->body == BODY_STREAM) {
        (void)r->route->feed(r, bytes, size_bytes, &t->error);
    } else if (t->error.status == NAV_OK) {
        (void)buffer_body(t, bytes, size_bytes);
    }
    t->body_bytes += size_bytes;
    // Chunks need not ever end: a client that goes on far beyond the limit gets no reply.
    bool endless = t->body_bytes > http_body_limit(r) + LIMIT_DRAIN_BYTES;
    return t->error.status != NAV_OK && endless ? MHD_NO : MHD_YES;
}

// ---- the reply ----

static void note_end(http_transaction *t, const reply *out, uint64_t now_ns)
{
    const bool has_body = out->status != 304 && strcmp(t->method, "HEAD") != 0;
    const request_end end = {.method = t->method,
                             .path = t->path,
                             .status = out->status,
                             .duration_ns = now_ns - t->begun_ns,
                             .handled_ns = t->handled_ns,
                             .reply_bytes = has_body ? out->body_bytes : 0};
    t->answered = true;
    request_ended(&t->request, &end);
}

// A stream without anything to send is suspended first and waits second, since the thread that
// resumes it may be quicker than this one.
static ssize_t on_stream(void *user, uint64_t position, char *out, size_t capacity)
{
    (void)position;
    http_transaction *t = user;
    stream_state state;
    size_t taken = t->stream->read(&t->request, out, capacity, &state);
    if (taken > 0 && state != STREAM_BREAKS) {
        return (ssize_t)taken;
    }
    if (state == STREAM_BREAKS) {
        return MHD_CONTENT_READER_END_WITH_ERROR;
    }
    if (state == STREAM_ENDS) {
        return MHD_CONTENT_READER_END_OF_STREAM;
    }
    request_suspend(&t->request);
    if (!t->stream->await(&t->request)) {
        request_resume(&t->request);
    }
    return 0;
}

static struct MHD_Response *make_response(http_transaction *t, reply *out)
{
    if (out->stream != NULL) {
        t->stream = out->stream;
        return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK_BYTES, on_stream, t,
                                                 NULL);
    }
    if (out->own != NULL) {
        return MHD_create_response_from_buffer(out->body_bytes, (void *)(uintptr_t)out->own,
                                               MHD_RESPMEM_PERSISTENT);
    }
    return out->body != NULL ? MHD_create_response_from_buffer_with_free_callback(out->body_bytes,
                                                                                  out->body, free)
                             : MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
}

// Headers that a browser needs before it lets a page of --allow-origin see the reply, or ask at
// all. Source: Fetch standard, "CORS protocol"; Private Network Access.
static void add_cors_headers(response_headers *h, const http_transaction *t)
{
    response_headers_add(h, "Access-Control-Allow-Origin", t->origin);
    response_headers_add(h, "Vary", "Origin");
    if (t->preflight) {
        response_headers_add(h, "Access-Control-Allow-Methods", t->allow);
        response_headers_add(h, "Access-Control-Allow-Headers",
                             "Authorization, Content-Encoding, Content-Type, If-Match, "
                             "If-None-Match, X-Request-Id, X-Requested-With");
        response_headers_add(h, "Access-Control-Allow-Private-Network", "true");
        response_headers_add(h, "Access-Control-Max-Age", "600");
    } else {
        response_headers_add(h, "Access-Control-Expose-Headers",
                             "ETag, Location, Retry-After, X-Recording, X-Request-Id");
    }
}

static void add_headers(response_headers *h, const http_transaction *t, const reply *out)
{
    response_headers_begin(h);
    response_headers_add(h, "Content-Type", out->content_type);
    response_headers_add(h, "X-Request-Id", t->request.id);
    response_headers_add(h, "Location", out->location);
    response_headers_add(h, "X-Recording", out->recording);
    response_headers_add(h, "ETag", out->etag);
    if (out->file_name[0] != '\0') {
        char text[sizeof out->file_name + 32];
        (void)snprintf(text, sizeof text, "attachment; filename=\"%s\"", out->file_name);
        response_headers_add(h, "Content-Disposition", text);
    }
    response_headers_add(h, "Allow", out->allow);
    response_headers_add(h, "Vary", out->by_accept ? "Accept" : NULL);
    response_headers_add(h, "Cache-Control",
                         out->stream != NULL   ? "no-store"
                         : out->policy != NULL ? "no-cache"
                                               : NULL);
    if (out->policy != NULL) {
        response_headers_add(h, "Content-Security-Policy", out->policy);
        response_headers_add(h, "X-Content-Type-Options", "nosniff");
        response_headers_add(h, "Referrer-Policy", "no-referrer");
    }
    if (out->retry_after_s > 0) {
        char text[16];
        (void)snprintf(text, sizeof text, "%u", out->retry_after_s);
        response_headers_add(h, "Retry-After", text);
    }
    if (t->by_browser) { // Source: Server Timing (W3C)
        char text[40];
        (void)snprintf(text, sizeof text, "handler;dur=%.4f", (double)t->handled_ns / 1e6);
        response_headers_add(h, "Server-Timing", text);
    }
    response_headers_add(h, "WWW-Authenticate",
                         out->challenge ? "Bearer realm=\"navmeshd\"" : NULL);
    if (t->origin != NULL) {
        add_cors_headers(h, t);
    }
}

// Queues a reply that was known at now_ns (clock_now_ns). Takes its body in any case.
static enum MHD_Result send_reply(http_transaction *t, reply *out, uint64_t now_ns)
{
    NAV_ASSERT(!t->answered); // one reply a request
    NAV_ASSERT(out->status >= 200 && out->status < 600);
    NAV_ASSERT((out->stream != NULL) + (out->body != NULL) + (out->own != NULL) <= 1);
    if (!connection_send(t->connection)) {
        free(out->body);
        return MHD_NO;
    }
    note_end(t, out, now_ns);
    struct MHD_Response *response = make_response(t, out);
    if (response == NULL) {
        free(out->body);
        return MHD_NO;
    }
    add_headers(&t->connection->headers, t, out);
    const bool stopping = atomic_load(&t->request.service->state) == SERVICE_STOPPING;
    if (out->close || stopping) {
        // The library has to know, since it closes the connection.
        (void)MHD_add_response_header(response, "Connection", "close");
    }
    enum MHD_Result sent = MHD_queue_response(t->mhd, (unsigned)out->status, response);
    MHD_destroy_response(response);
    return sent;
}

// Counts a large answer until it is sent. One for which nothing was changed, and no memory held so
// far, can be refused, since the client may ask again.
static nav_status hold_answer(http_transaction *t, reply *out)
{
    const route *asked = t->request.route;
    const bool changes = asked->method != HTTP_GET && asked->query == NULL;
    nav_status status = NAV_OK;
    if (out->status == 200 && out->held_bytes == 0 && !changes) {
        status = reply_hold(&t->request, out, &t->error);
    } else {
        reply_count(&t->request, out);
    }
    t->answer_bytes = out->held_bytes;
    return status;
}

// Queues t->error.
static enum MHD_Result send_error(http_transaction *t)
{
    reply out = {0};
    reply_error(&t->request, &out, &t->error);
    memcpy(out.allow, t->allow, sizeof out.allow);
    out.close = t->close;
    return send_reply(t, &out, clock_now_ns());
}

// ---- the handler ----

static enum MHD_Result answer(http_transaction *t)
{
    if (!connection_handle(t->connection)) {
        return MHD_NO;
    }
    if (t->error.status != NAV_OK) {
        return send_error(t);
    }
    request *r = &t->request;
    if (t->preflight) {
        return send_reply(t, &(reply){.status = 204}, clock_now_ns());
    }
    NAV_ASSERT(r->route != NULL); // http_check_head found one, or an error
    // The buffer may still hold the body of the request before.
    r->body = t->body != NULL && t->body_bytes > 0 ? t->body : "";
    r->body_bytes = (size_t)t->body_bytes;
    if (request_check_json(r, &t->error) != NAV_OK) {
        return send_error(t);
    }
    reply out;
    // A body that came along with its head did not take time to arrive. The wait between
    // two calls of a handler is no time of it.
    const bool waited = t->handled_ns > 0 || t->connection->pieces != t->begun_piece;
    const uint64_t begin_ns = waited ? clock_now_ns() : t->begun_ns;
    metrics_add(METRICS_HANDLERS_RUNNING, 1);
    request_handle(r, &out);
    metrics_add(METRICS_HANDLERS_RUNNING, -1);
    uint64_t now_ns = clock_now_ns();
    t->handled_ns += now_ns - begin_ns + r->elsewhere_ns;
    r->elsewhere_ns = 0;
    NAV_ASSERT(!out.later || out.body == NULL);
    if (hold_answer(t, &out) != NAV_OK) {
        free(out.body);
        return send_error(t);
    }
    return out.later ? MHD_YES : send_reply(t, &out, now_ns);
}

// ---- callbacks of the library ----

enum MHD_Result http_on_request(void *user, struct MHD_Connection *mhd, const char *path,
                                const char *method, const char *http_version,
                                const char *upload_data, size_t *upload_bytes, void **state)
{
    (void)http_version;
    if (*state == NULL) {
        return begin(user, mhd, method, path, state);
    }
    http_transaction *t = *state;
    NAV_ASSERT(t->mhd == mhd);
    if (*upload_bytes > 0) {
        enum MHD_Result result = take_body(t, upload_data, *upload_bytes);
        *upload_bytes = 0;
        return result;
    }
    return answer(t);
}

void http_on_completed(void *user, struct MHD_Connection *mhd, void **state,
                       enum MHD_RequestTerminationCode code)
{
    (void)user;
    (void)mhd;
    (void)code;
    http_transaction *t = *state;
    if (t == NULL) {
        return;
    }
    if (t->request.route != NULL && t->request.route->close != NULL) {
        t->request.route->close(&t->request);
    }
    if (!t->answered && !connection_is_over(t->connection)) {
        metrics_count(METRICS_REQUESTS_ABORTED);
    }
    if (t->body_capacity > BODY_BYTES_FIRST) {
        free(t->body);
        t->body = NULL;
        t->body_capacity = 0;
    }
    if (t->held_bytes > 0) {
        service_give_back(t->request.service, t->held_bytes);
        t->held_bytes = 0;
    }
    service_count_answer(t->request.service, 0, &t->answer_bytes);
    *state = NULL;
    connection_rest(t->connection);
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
    connection *c = *context;
    http_transaction *t = c != NULL ? c->user : NULL;
    if (t != NULL) {
        free(t->body);
        free(t);
    }
    connection_close(c);
    *context = NULL;
}

void request_suspend(request *r)
{
    MHD_suspend_connection(((http_transaction *)r)->mhd);
}

void request_resume(request *r)
{
    MHD_resume_connection(((http_transaction *)r)->mhd);
}
