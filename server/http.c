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

#include "server/access.h"
#include "server/connections.h"
#include "server/listen.h"
#include "server/log.h"
#include "server/metrics.h"
#include "server/routes.h"
#include "server/tap.h"

#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#define BODY_BYTES_FIRST 1024u
#define STREAM_BLOCK_BYTES 4096u

typedef struct listener {
    struct MHD_Daemon *daemon;
    http *http;
    const char *text; // as in the options
    char address[LISTEN_TEXT_BYTES];
    bool tcp;                     // asks for a token, if there are any
    bool any_host;                // may be called by any name
    _Atomic uint32_t connections; // open now
} listener;

struct http {
    service *service;
    listener listeners[LIMIT_LISTENERS]; // immutable once started
    size_t count;
    atomic_uint in_flight; // requests between their headers and the end of their reply
};

// A request with what only this file knows. A connection has one, used again for each request.
typedef struct exchange {
    request request; // first, so that a request can be turned back into its exchange
    listener *listener;
    connection *line;
    struct MHD_Connection *connection;
    nav_error refusal; // status NAV_OK: none so far
    char allow[40];
    bool close;          // after the reply
    bool wide;           // promises a body too large to be read and dropped
    uint64_t body_bytes; // arrived
    char *body;          // of BODY_JSON; kept for the next request
    size_t body_capacity;
    const char *method, *path; // the library's
    uint64_t begun_ns, handled_ns;
    bool answered;
    uint64_t held_bytes;        // of the budget for bodies in flight
    const reply_stream *stream; // of the reply, or NULL
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

// A stream without anything to send is suspended first and waits second: who resumes it may be
// quicker than this thread.
static ssize_t on_stream(void *user, uint64_t position, char *out, size_t capacity)
{
    (void)position;
    exchange *x = user;
    stream_state state;
    size_t taken = x->stream->read(&x->request, out, capacity, &state);
    if (taken > 0 && state != STREAM_BREAKS) {
        return (ssize_t)taken;
    }
    if (state == STREAM_BREAKS) {
        return MHD_CONTENT_READER_END_WITH_ERROR;
    }
    if (state == STREAM_ENDS) {
        return MHD_CONTENT_READER_END_OF_STREAM;
    }
    request_suspend(&x->request);
    if (!x->stream->await(&x->request)) {
        request_resume(&x->request);
    }
    return 0;
}

static struct MHD_Response *make_response(exchange *x, reply *out)
{
    if (out->stream != NULL) {
        x->stream = out->stream;
        return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK_BYTES, on_stream, x,
                                                 NULL);
    }
    return out->body != NULL ? MHD_create_response_from_buffer_with_free_callback(out->body_bytes,
                                                                                  out->body, free)
                             : MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
}

static enum MHD_Result send_reply(exchange *x, reply *out)
{
    if (!connection_send(x->line)) {
        free(out->body);
        return MHD_NO;
    }
    note_end(x, out);
    struct MHD_Response *response = make_response(x, out);
    if (response == NULL) {
        free(out->body);
        return MHD_NO;
    }
    bool stopping = atomic_load(&x->request.service->state) == SERVICE_STOPPING;
    add_header(response, "Content-Type", out->content_type);
    add_header(response, "X-Request-Id", x->request.id);
    add_header(response, "Location", out->location);
    add_header(response, "ETag", out->etag);
    add_header(response, "Allow", out->allow);
    add_header(response, "Cache-Control", out->stream != NULL ? "no-store" : NULL);
    if (out->retry_after_s > 0) {
        char text[16];
        (void)snprintf(text, sizeof text, "%u", out->retry_after_s);
        add_header(response, "Retry-After", text);
    }
    if (out->challenge) {
        add_header(response, "WWW-Authenticate", "Bearer realm=\"navmeshd\"");
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

// What is kept while the headers are walked through. proto/wire.c has checked their form: a name
// that matters is there once.
typedef struct header_walk {
    request *request;
    access_headers access;
    const char *authorization, *length, *request_name;
} header_walk;

// Where a header's value is wanted; NULL: nowhere. All lengths differ, but for two.
static const char **place_of(header_walk *walk, const char *name, size_t name_bytes)
{
    static const char *const names[] = {[4] = "Host",
                                        [6] = "Origin",
                                        [8] = "If-Match",
                                        [12] = "Content-Type",
                                        [13] = "Authorization",
                                        [14] = "Content-Length",
                                        [16] = "Content-Encoding"};
    const char **const places[] = {[4] = &walk->access.host,
                                   [6] = &walk->access.origin,
                                   [8] = &walk->request->if_match,
                                   [12] = &walk->request->content_type,
                                   [13] = &walk->authorization,
                                   [14] = &walk->length,
                                   [16] = &walk->request->content_encoding};
    if (name_bytes == 14 && strcasecmp(name, "Sec-Fetch-Site") == 0) {
        return &walk->access.fetch_site;
    }
    if (name_bytes == 13 && strcasecmp(name, "If-None-Match") == 0) {
        return &walk->request->if_none_match;
    }
    if (name_bytes == 12 && strcasecmp(name, "X-Request-Id") == 0) {
        return &walk->request_name;
    }
    bool wanted = name_bytes < sizeof names / sizeof names[0] && names[name_bytes] != NULL &&
                  strcasecmp(name, names[name_bytes]) == 0;
    return wanted ? places[name_bytes] : NULL;
}

static enum MHD_Result on_header(void *user, enum MHD_ValueKind kind, const char *name,
                                 size_t name_bytes, const char *value, size_t value_bytes)
{
    (void)kind;
    (void)value_bytes;
    header_walk *walk = user;
    const char **place = place_of(walk, name, name_bytes);
    if (place != NULL) {
        *place = value != NULL ? value : "";
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

static uint64_t body_limit(const request *r)
{
    return r->route == NULL || r->route->body == BODY_NONE
               ? 0
               : limits_at(&r->service->limits, r->route->body_limit);
}

static nav_status fail_too_large(exchange *x)
{
    uint64_t limit = body_limit(&x->request);
    x->close = true;
    nav_fail(&x->refusal, NAV_BODY_TOO_LARGE, "the body is larger than %llu bytes",
             (unsigned long long)limit);
    nav_error_limit(&x->refusal, "%llu", (unsigned long long)limit);
    return NAV_BODY_TOO_LARGE;
}

static nav_status check_ready(const exchange *x, nav_error *err)
{
    bool loading = atomic_load(&x->request.service->state) == SERVICE_LOADING;
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

// Who asks, from where, and whether there is room for one more.
static nav_status check_caller(const exchange *x, const header_walk *walk, nav_error *err)
{
    const service *s = x->request.service;
    if (x->line->over_limit) {
        return nav_fail(err, NAV_OVERLOADED, "too many connections are open");
    }
    return access_check(&walk->access, x->listener->any_host, s->allowed_hosts,
                        s->allowed_host_count, err);
}

static nav_status check_token(const exchange *x, const header_walk *walk, nav_error *err)
{
    auth *tokens = x->listener->tcp ? x->request.service->auth : NULL;
    return tokens != NULL ? auth_check(tokens, walk->authorization, x->request.route->scopes, err)
                          : NAV_OK;
}

// Everything that can be said before the body; the first objection counts.
static nav_status judge(exchange *x, const char *method, const char *path)
{
    request *r = &x->request;
    header_walk walk = {.request = r};
    (void)MHD_get_connection_values_n(x->connection, MHD_HEADER_KIND, on_header, &walk);
    if (walk.request_name != NULL) {
        request_take_name(r, walk.request_name);
    }
    uint64_t length_bytes = walk.length != NULL ? strtoull(walk.length, NULL, 10) : 0;
    x->wide = length_bytes > LIMIT_REFUSED_BODY_BYTES;
    nav_status status = check_caller(x, &walk, &x->refusal);
    if (status != NAV_OK) {
        // A browser that was sent here by somebody else's page has no use for the connection.
        x->close = true;
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
    status = check_token(x, &walk, &x->refusal);
    if (status == NAV_OK) {
        status = check_ready(x, &x->refusal);
    }
    if (status == NAV_OK && length_bytes > body_limit(r)) {
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
    x->close = x->wide = x->answered = false;
    x->body_bytes = x->held_bytes = x->handled_ns = 0;
    return x;
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
    atomic_fetch_add(&l->http->in_flight, 1);
    metrics_add(METRICS_REQUESTS_IN_FLIGHT, 1);
    *state = x;
    x->begun_ns = clock_now_ns();
    x->method = method;
    x->path = path;
    x->listener = l;
    x->line = line;
    x->connection = mhd;
    x->request.service = l->http->service;
    request_name(x->request.id);
    // A small body is read and dropped, since a socket that is closed with bytes unread loses the
    // reply as well. Clients with a large one ask first (Expect: 100-continue).
    if (judge(x, method, path) != NAV_OK && x->wide) {
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
    if (x->refusal.status == NAV_OK && size_bytes > body_limit(r) - x->body_bytes) {
        (void)fail_too_large(x);
    }
    if (x->refusal.status == NAV_OK && r->route->body == BODY_STREAM) {
        (void)r->route->feed(r, bytes, size_bytes, &x->refusal);
    } else if (x->refusal.status == NAV_OK) {
        (void)buffer_body(x, bytes, size_bytes);
    }
    x->body_bytes += size_bytes;
    // Chunks need not ever end; whoever goes on far beyond the limit gets no reply.
    bool endless = x->body_bytes > body_limit(r) + LIMIT_DRAIN_BYTES;
    return x->refusal.status != NAV_OK && endless ? MHD_NO : MHD_YES;
}

// ---- the reply ----

// The readers of proto/ know the widest bounds; an operator may want narrower ones.
static nav_status check_json(exchange *x)
{
    const request *r = &x->request;
    const service_limits *l = &r->service->limits;
    bool batch = r->route->body_limit == offsetof(service_limits, batch_body_bytes);
    uint64_t values = batch ? l->batch_json_values : l->json_values;
    bool widest = l->json_depth == PROTO_JSON_DEPTH_MAX &&
                  values == (batch ? PROTO_BATCH_VALUES_MAX : PROTO_JSON_VALUES_MAX);
    return widest || r->route->body != BODY_JSON || !request_has_type(r, "application/json")
               ? NAV_OK
               : proto_json_scan(r->body, r->body_bytes, (uint32_t)l->json_depth, (uint32_t)values,
                                 &x->refusal);
}

static enum MHD_Result answer(exchange *x)
{
    if (!connection_handle(x->line)) {
        return MHD_NO;
    }
    if (x->refusal.status != NAV_OK) {
        return send_refusal(x);
    }
    request *r = &x->request;
    r->body = x->body != NULL ? x->body : "";
    r->body_bytes = (size_t)x->body_bytes;
    if (check_json(x) != NAV_OK) {
        return send_refusal(x);
    }
    reply out = {0};
    uint64_t begin_ns = x->body_bytes > 0 ? clock_now_ns() : x->begun_ns;
    r->route->handle(r, &out);
    x->handled_ns = clock_now_ns() - begin_ns;
    return out.later ? MHD_YES : send_reply(x, &out);
}

static enum MHD_Result on_request(void *user, struct MHD_Connection *mhd, const char *path,
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

static void on_completed(void *user, struct MHD_Connection *mhd, void **state,
                         enum MHD_RequestTerminationCode code)
{
    (void)mhd;
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
    if (x->body_capacity > BODY_BYTES_FIRST) {
        free(x->body);
        x->body = NULL;
        x->body_capacity = 0;
    }
    service_give_back(x->request.service, x->held_bytes);
    *state = NULL;
    connection_rest(x->line);
    atomic_fetch_sub(&((listener *)user)->http->in_flight, 1);
}

static void on_connection(void *user, struct MHD_Connection *mhd, void **context,
                          enum MHD_ConnectionNotificationCode code)
{
    listener *l = user;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        metrics_add(METRICS_CONNECTIONS, 1);
        metrics_count(METRICS_CONNECTIONS_ACCEPTED);
        int fd = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
        // Without memory for it, begin() will refuse.
        *context = connection_open(l->http->service->connections, fd, l->tcp, &l->connections);
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
static size_t unescape(void *user, struct MHD_Connection *mhd, char *text)
{
    (void)user;
    (void)mhd;
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

static struct MHD_Daemon *start_daemon(listener *l, int fd)
{
    unsigned threads = thread_count();
    // Some beyond the limit, so that there is somebody to say 503 to.
    unsigned most = (unsigned)l->http->service->limits.listener_connections;
    most += most / 8 + 16 + threads;
    // A pool of one is not a pool, says the library.
    const struct MHD_OptionItem pool[] = {
        {threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END, (intptr_t)threads, NULL},
        {MHD_OPTION_END, 0, NULL}};
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, on_request, l,
        MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_NOTIFY_COMPLETED, on_completed, l,
        MHD_OPTION_NOTIFY_CONNECTION, on_connection, l, MHD_OPTION_UNESCAPE_CALLBACK, unescape,
        NULL, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)LIMIT_CONNECTION_MEMORY_BYTES,
        MHD_OPTION_CONNECTION_LIMIT, most, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_ARRAY, pool,
        MHD_OPTION_END);
}

static nav_status add_listener(http *h, const char *text, nav_error *err)
{
    listen_socket bound;
    nav_status status = listen_open(text, &bound, err);
    if (status != NAV_OK) {
        return status;
    }
    listener *l = &h->listeners[h->count];
    *l = (listener){
        .http = h, .text = text, .tcp = bound.tcp, .any_host = !bound.tcp || bound.reachable};
    if (bound.reachable && h->service->auth == NULL) {
        status = nav_fail(err, NAV_INVALID_FIELD,
                          "other machines can reach %.100s: it needs --token-file", bound.text);
    } else if ((l->daemon = start_daemon(l, bound.fd)) == NULL) {
        status = nav_fail(err, NAV_OVERLOADED, "the HTTP server cannot start on %.100s", text);
    }
    if (status != NAV_OK) {
        (void)close(bound.fd);
        return status;
    }
    memcpy(l->address, bound.text, sizeof l->address);
    h->count++;
    log_info("listening", "address=%s", bound.text);
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
    s->connections = connections_create(&s->limits);
    nav_status status = NAV_OK;
    if (s->connections == NULL || !connections_start(s->connections)) {
        status = nav_fail(err, NAV_NO_MEMORY, "no memory for the HTTP server");
    } else if (!tap_is_in_place()) {
        status = nav_fail(err, NAV_INTERNAL, "requests cannot be checked on this system");
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
    connections_destroy(h->service->connections);
    h->service->connections = NULL;
    free(h);
}
