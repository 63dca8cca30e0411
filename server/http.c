// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// http.c: libmicrohttpd on one side, struct request and struct reply on the other.
//
// The library calls on_request several times for one request:
//
//   1st, headers are in:  begin()       find the route, judge the headers
//   with pieces of body:  take_body()   buffer it, or feed the route's stream
//   last, body is in:     answer()      the handler; after a suspension once more
//
// A reply that is queued on the first call ends the connection, at five times the cost of keeping
// it. So begin() queues only refusals of requests whose body is too long to read; everything else
// waits for the last call. In between no reply can be queued at all: after an error the rest of the
// body is read and dropped.

#include "server/http.h"

#include "server/listen.h"
#include "server/log.h"
#include "server/metrics.h"
#include "server/routes.h"

#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#define BODY_BYTES_FIRST 1024u

typedef struct listener {
    struct MHD_Daemon *daemon;
    const char *text; // as in the options
    char address[LISTEN_TEXT_BYTES];
} listener;

struct http {
    service *service;
    listener listeners[LIMIT_LISTENERS]; // immutable once started
    size_t count;
    atomic_uint in_flight; // requests between their headers and the end of their reply
};

// A request with what only this file knows.
typedef struct exchange {
    request request; // first, so that a request can be turned back into its exchange
    http *http;
    struct MHD_Connection *connection;
    nav_error refusal; // status NAV_OK: none so far
    char allow[40];
    bool close;              // after the reply
    uint64_t promised_bytes; // Content-Length; UINT64_MAX where the framing is not to be trusted
    uint64_t body_bytes;     // arrived
    char *body;              // of BODY_JSON
    size_t body_capacity;
    const char *method, *path; // the library's
    uint64_t begun_ns, handled_ns;
    bool answered;
} exchange;

// ---- sending ----

static void note_end(exchange *x, const reply *out)
{
    const request_end end = {.method = x->method,
                             .path = x->path,
                             .status = out->status,
                             .duration_ns = clock_now_ns() - x->begun_ns,
                             .handled_ns = x->handled_ns,
                             .reply_bytes = out->body_bytes};
    x->answered = true;
    request_ended(&x->request, &end);
}

static void add_header(struct MHD_Response *response, const char *name, const char *value)
{
    if (value != NULL && value[0] != '\0') {
        (void)MHD_add_response_header(response, name, value);
    }
}

static enum MHD_Result send_reply(exchange *x, reply *out)
{
    note_end(x, out);
    struct MHD_Response *response =
        out->body != NULL
            ? MHD_create_response_from_buffer_with_free_callback(out->body_bytes, out->body, free)
            : MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    if (response == NULL) {
        free(out->body);
        return MHD_NO;
    }
    bool stopping = atomic_load(&x->http->service->state) == SERVICE_STOPPING;
    add_header(response, "Content-Type", out->content_type);
    add_header(response, "X-Request-Id", x->request.id);
    add_header(response, "Location", out->location);
    add_header(response, "ETag", out->etag);
    add_header(response, "Allow", out->allow);
    if (out->retry_after_s > 0) {
        char text[16];
        (void)snprintf(text, sizeof text, "%u", out->retry_after_s);
        add_header(response, "Retry-After", text);
    }
    if (out->close || stopping) {
        add_header(response, "Connection", "close");
    }
    enum MHD_Result sent = MHD_queue_response(x->connection, (unsigned)out->status, response);
    MHD_destroy_response(response);
    return sent;
}

static enum MHD_Result send_refusal(exchange *x)
{
    reply out = {0};
    reply_error(&x->request, &out, &x->refusal);
    memcpy(out.allow, x->allow, sizeof out.allow);
    out.close = x->close;
    return send_reply(x, &out);
}

// ---- the headers ----

// What is counted or kept while the headers are walked through.
typedef struct header_walk {
    exchange *exchange;
    unsigned hosts, lengths, encodings, types;
    bool chunked, has_zero;
    uint64_t length_bytes;
} header_walk;

static enum MHD_Result on_header(void *user, enum MHD_ValueKind kind, const char *name,
                                 size_t name_bytes, const char *value, size_t value_bytes)
{
    (void)kind;
    header_walk *walk = user;
    request *r = &walk->exchange->request;
    value = value != NULL ? value : "";
    walk->has_zero = walk->has_zero || strlen(name) != name_bytes || strlen(value) != value_bytes;
    if (strcasecmp(name, "Host") == 0) {
        walk->hosts++;
    } else if (strcasecmp(name, "Content-Length") == 0) {
        walk->lengths++;
        walk->length_bytes = strtoull(value, NULL, 10);
    } else if (strcasecmp(name, "Transfer-Encoding") == 0) {
        walk->encodings++;
        walk->chunked = strcasecmp(value, "chunked") == 0;
    } else if (strcasecmp(name, "Content-Type") == 0) {
        walk->types++;
        r->content_type = value;
    } else if (strcasecmp(name, "Content-Encoding") == 0) {
        r->content_encoding = value;
    } else if (strcasecmp(name, "If-Match") == 0) {
        r->if_match = value;
    } else if (strcasecmp(name, "X-Request-Id") == 0) {
        request_take_name(r, value);
    }
    return MHD_YES;
}

static enum MHD_Result on_argument(void *user, enum MHD_ValueKind kind, const char *name,
                                   size_t name_bytes, const char *value, size_t value_bytes)
{
    (void)kind;
    (void)name_bytes;
    (void)value_bytes;
    exchange *x = user;
    request *r = &x->request;
    if (r->arg_count == LIMIT_ARGS) {
        nav_fail(&x->refusal, NAV_BAD_REQUEST, "the query string has over %d arguments",
                 LIMIT_ARGS);
        return MHD_NO;
    }
    r->args[r->arg_count++] = (proto_arg){.key = name, .value = value != NULL ? value : ""};
    return MHD_YES;
}

// Two readings of where a message ends are how requests are smuggled: neither is taken.
static nav_status check_framing(const header_walk *walk, nav_error *err)
{
    if (walk->lengths > 0 && walk->encodings > 0) {
        return nav_fail(err, NAV_BAD_FRAMING, "both Content-Length and Transfer-Encoding");
    }
    if (walk->hosts > 1 || walk->lengths > 1 || walk->encodings > 1 || walk->types > 1) {
        return nav_fail(err, NAV_BAD_FRAMING,
                        "one of Host, Content-Length, Transfer-Encoding, Content-Type is given "
                        "twice");
    }
    if (walk->encodings > 0 && !walk->chunked) {
        return nav_fail(err, NAV_BAD_FRAMING, "Transfer-Encoding is not chunked");
    }
    return walk->has_zero ? nav_fail(err, NAV_BAD_FRAMING, "a header holds a zero byte") : NAV_OK;
}

static nav_status fail_too_large(exchange *x)
{
    uint64_t limit = x->request.route->body_bytes_max;
    x->close = true;
    nav_fail(&x->refusal, NAV_BODY_TOO_LARGE, "the body is larger than %llu bytes",
             (unsigned long long)limit);
    nav_error_limit(&x->refusal, "%llu", (unsigned long long)limit);
    return NAV_BODY_TOO_LARGE;
}

static nav_status check_ready(const exchange *x, nav_error *err)
{
    bool loading = atomic_load(&x->http->service->state) == SERVICE_LOADING;
    return loading && !x->request.route->always
               ? nav_fail(err, NAV_NOT_READY, "the daemon is still loading its meshes")
               : NAV_OK;
}

static nav_status check_json_headers(const request *r, nav_error *err)
{
    const char *also = r->route->media_type;
    if (!request_has_type(r, "application/json") && (also == NULL || !request_has_type(r, also))) {
        nav_fail(err, NAV_MEDIA_TYPE, "send Content-Type: application/json%s%s",
                 also != NULL ? " or " : "", also != NULL ? also : "");
        nav_error_got(err, "%.60s", r->content_type != NULL ? r->content_type : "");
        return NAV_MEDIA_TYPE;
    }
    if (r->content_encoding != NULL && strcasecmp(r->content_encoding, "identity") != 0) {
        return nav_fail(err, NAV_MEDIA_TYPE, "this body cannot be sent with a Content-Encoding");
    }
    return NAV_OK;
}

// Everything that can be said before the body; the first objection counts.
static nav_status judge(exchange *x, const char *method, const char *path)
{
    request *r = &x->request;
    header_walk walk = {.exchange = x};
    (void)MHD_get_connection_values_n(x->connection, MHD_HEADER_KIND, on_header, &walk);
    x->promised_bytes = walk.length_bytes;
    nav_status status = check_framing(&walk, &x->refusal);
    if (status != NAV_OK) {
        x->close = true;
        x->promised_bytes = UINT64_MAX;
        return status;
    }
    (void)MHD_get_connection_values_n(x->connection, MHD_GET_ARGUMENT_KIND, on_argument, x);
    if (x->refusal.status != NAV_OK) {
        return x->refusal.status;
    }
    status = routes_find(r, method, path, x->allow, sizeof x->allow, &x->refusal);
    if (status != NAV_OK) {
        return status;
    }
    x->allow[0] = '\0';
    status = check_ready(x, &x->refusal);
    if (status == NAV_OK && walk.length_bytes > r->route->body_bytes_max) {
        status = fail_too_large(x);
    }
    if (status == NAV_OK && r->route->body == BODY_JSON) {
        status = check_json_headers(r, &x->refusal);
    }
    if (status == NAV_OK && r->route->body == BODY_STREAM) {
        status = r->route->open(r, &x->refusal);
    }
    return status;
}

static enum MHD_Result begin(http *h, struct MHD_Connection *connection, const char *method,
                             const char *path, void **state)
{
    exchange *x = calloc(1, sizeof *x);
    if (x == NULL) {
        return MHD_NO;
    }
    atomic_fetch_add(&h->in_flight, 1);
    metrics_add(METRICS_REQUESTS_IN_FLIGHT, 1);
    *state = x;
    x->begun_ns = clock_now_ns();
    x->method = method;
    x->path = path;
    x->http = h;
    x->connection = connection;
    x->request.service = h->service;
    request_name(x->request.id);
    nav_status status = judge(x, method, path);
    // A small body is read and dropped, since a socket that is closed with bytes unread loses the
    // reply as well. Clients with a large one ask first (Expect: 100-continue).
    if (status != NAV_OK && x->promised_bytes > LIMIT_REFUSED_BODY_BYTES) {
        x->close = true;
        return send_refusal(x);
    }
    return MHD_YES;
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
    if (x->refusal.status == NAV_OK && size_bytes > r->route->body_bytes_max - x->body_bytes) {
        (void)fail_too_large(x);
    }
    if (x->refusal.status == NAV_OK && r->route->body == BODY_STREAM) {
        (void)r->route->feed(r, bytes, size_bytes, &x->refusal);
    } else if (x->refusal.status == NAV_OK) {
        (void)buffer_body(x, bytes, size_bytes);
    }
    x->body_bytes += size_bytes;
    // Chunks need not ever end; whoever goes on far beyond the limit gets no reply.
    uint64_t limit = r->route != NULL ? r->route->body_bytes_max : 0;
    bool endless = x->body_bytes > limit + LIMIT_DRAIN_BYTES;
    return x->refusal.status != NAV_OK && endless ? MHD_NO : MHD_YES;
}

// ---- the reply ----

static enum MHD_Result answer(exchange *x)
{
    if (x->refusal.status != NAV_OK) {
        return send_refusal(x);
    }
    request *r = &x->request;
    r->body = x->body != NULL ? x->body : "";
    r->body_bytes = (size_t)x->body_bytes;
    reply out = {0};
    uint64_t begin_ns = x->body_bytes > 0 ? clock_now_ns() : x->begun_ns;
    r->route->handle(r, &out);
    x->handled_ns = clock_now_ns() - begin_ns;
    return out.later ? MHD_YES : send_reply(x, &out);
}

static enum MHD_Result on_request(void *user, struct MHD_Connection *connection, const char *path,
                                  const char *method, const char *http_version,
                                  const char *upload_data, size_t *upload_bytes, void **state)
{
    (void)http_version;
    if (*state == NULL) {
        return begin(user, connection, method, path, state);
    }
    exchange *x = *state;
    if (*upload_bytes > 0) {
        enum MHD_Result result = take_body(x, upload_data, *upload_bytes);
        *upload_bytes = 0;
        return result;
    }
    return answer(x);
}

static void on_completed(void *user, struct MHD_Connection *connection, void **state,
                         enum MHD_RequestTerminationCode code)
{
    (void)connection;
    (void)code;
    exchange *x = *state;
    if (x == NULL) {
        return;
    }
    if (x->request.route != NULL && x->request.route->close != NULL) {
        x->request.route->close(&x->request);
    }
    if (!x->answered) {
        metrics_count(METRICS_REQUESTS_ABORTED);
    }
    metrics_add(METRICS_REQUESTS_IN_FLIGHT, -1);
    free(x->body);
    free(x);
    *state = NULL;
    atomic_fetch_sub(&((http *)user)->in_flight, 1);
}

static void on_connection(void *user, struct MHD_Connection *connection, void **state,
                          enum MHD_ConnectionNotificationCode code)
{
    (void)user;
    (void)connection;
    (void)state;
    bool begins = code == MHD_CONNECTION_NOTIFY_STARTED;
    metrics_add(METRICS_CONNECTIONS, begins ? 1 : -1);
    if (begins) {
        metrics_count(METRICS_CONNECTIONS_ACCEPTED);
    }
}

void request_suspend(request *r)
{
    MHD_suspend_connection(((exchange *)r)->connection);
}

void request_resume(request *r)
{
    MHD_resume_connection(((exchange *)r)->connection);
}

// ---- listeners ----

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Percent-decoding in place. %00 and what is no escape stay as they are: a zero would cut the text
// short, and "town%00x" must not pass for "town".
static size_t unescape(void *user, struct MHD_Connection *connection, char *text)
{
    (void)user;
    (void)connection;
    char *out = text;
    for (const char *in = text; *in != '\0';) {
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

static unsigned thread_count(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : (cores > LIMIT_HTTP_THREADS ? LIMIT_HTTP_THREADS : (unsigned)cores);
}

static struct MHD_Daemon *start_daemon(http *h, int fd)
{
    unsigned threads = thread_count();
    // A pool of one is not a pool, says the library.
    const struct MHD_OptionItem pool[] = {
        {threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END, (intptr_t)threads, NULL},
        {MHD_OPTION_END, 0, NULL}};
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, on_request, h,
        MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_NOTIFY_COMPLETED, on_completed, h,
        MHD_OPTION_NOTIFY_CONNECTION, on_connection, h, MHD_OPTION_UNESCAPE_CALLBACK, unescape,
        NULL, MHD_OPTION_CONNECTION_TIMEOUT, LIMIT_CONNECTION_IDLE_S,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)LIMIT_CONNECTION_MEMORY_BYTES,
        MHD_OPTION_CONNECTION_LIMIT, LIMIT_CONNECTIONS, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_ARRAY, pool, MHD_OPTION_END);
}

static nav_status add_listener(http *h, const char *text, nav_error *err)
{
    int fd = -1;
    char address[LISTEN_TEXT_BYTES];
    nav_status status = listen_open(text, &fd, address, err);
    if (status != NAV_OK) {
        return status;
    }
    struct MHD_Daemon *daemon = start_daemon(h, fd);
    if (daemon == NULL) {
        (void)close(fd);
        return nav_fail(err, NAV_OVERLOADED, "the HTTP server cannot start on %.100s", text);
    }
    listener *added = &h->listeners[h->count++];
    *added = (listener){.daemon = daemon, .text = text};
    memcpy(added->address, address, sizeof added->address);
    log_info("listening", "address=%s", address);
    return NAV_OK;
}

nav_status http_start(service *s, const char *const *listeners, size_t count, http **out,
                      nav_error *err)
{
    NAV_ASSERT(count <= LIMIT_LISTENERS);
    http *h = calloc(1, sizeof *h);
    if (h == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for the HTTP server");
    }
    h->service = s;
    nav_status status = NAV_OK;
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

void http_quiesce(http *h)
{
    for (size_t i = 0; i < h->count; i++) {
        MHD_socket fd = MHD_quiesce_daemon(h->listeners[i].daemon);
        if (fd != MHD_INVALID_SOCKET) {
            (void)close(fd);
        }
        listen_remove(h->listeners[i].text);
    }
}

void http_stop(http *h, uint64_t deadline_ns)
{
    if (h == NULL) {
        return;
    }
    const struct timespec pause = {.tv_nsec = 5000000};
    while (atomic_load(&h->in_flight) > 0 && clock_now_ns() < deadline_ns) {
        (void)nanosleep(&pause, NULL);
    }
    for (size_t i = 0; i < h->count; i++) {
        MHD_stop_daemon(h->listeners[i].daemon);
    }
    free(h);
}
