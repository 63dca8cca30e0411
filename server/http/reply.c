// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// reply.c: a reply from its handler's side: the request's id, the body or problem, the line in the
// log and the counters at its end; and an error as a raw message, where libmicrohttpd is to see no
// more.

#include "server/http/http.h"

#include "proto/replies/replies.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/base/metrics.h"
#include "server/http/connections.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ANSWER_BYTES_FREE ((size_t)256 << 10) // larger ones count as bodies in flight
#define NUMBERS_AT_ONCE 4096u
#define NAME_DIGITS 26
_Static_assert(NAME_DIGITS < HTTP_ID_BYTES, "a name of our own fits");

// ---- filled by handlers ----

static const nav_error NO_MEMORY = {.status = NAV_NO_MEMORY,
                                    .detail = "no memory to write the reply"};

void request_handle(request *r, reply *out)
{
    nav_error err = {0};
    *out = (reply){.status = 200, .content_type = "application/json"};
    proto_writer_init(&out->w);
    const nav_status status = r->route->handle(r, out, &err);
    reply_finish(r, out, status, &err);
}

void reply_finish(const request *r, reply *out, nav_status status, const nav_error *err)
{
    if (status == NAV_OK && (out->w.size_bytes > 0 || out->w.failed)) {
        out->body = proto_writer_take(&out->w, &out->body_bytes);
        status = out->body != NULL ? NAV_OK : NAV_NO_MEMORY;
        err = &NO_MEMORY;
    }
    proto_writer_free(&out->w);
    if (status != NAV_OK) {
        reply_error(r, out, err);
    } else if (out->body == NULL && out->own == NULL && out->stream == NULL) {
        out->content_type = NULL;
    }
}

void reply_error(const request *r, reply *out, const nav_error *err)
{
    NAV_ASSERT(err->status != NAV_OK);
    nav_error said = *err;
    proto_writer w;
    proto_writer_init(&w);
    if (err->status == PROTO_MESH_NOT_FOUND) {
        r->service->routes->suggest_mesh(r, &said);
    }
    proto_write_error_open(&w, &said, r->id);
    if (err->status == PROTO_ROUTE_NOT_FOUND) {
        routing_write(r->service->routes, &w);
    }
    proto_write_object_end(&w);
    out->status = proto_status_http(err->status);
    out->content_type = "application/problem+json";
    out->body = proto_writer_take(&w, &out->body_bytes);
    if (out->body == NULL) {
        // Not even the problem can be written: the status has to say it all.
        *out = (reply){.status = proto_status_http(NAV_NO_MEMORY), .held_bytes = out->held_bytes};
    }
    if (err->status == PROTO_BAKE_QUEUE_FULL || err->status == PROTO_NOT_READY ||
        err->status == PROTO_OVERLOADED) {
        out->retry_after_s = 1;
    }
    out->challenge = err->status == PROTO_TOKEN_MISSING;
}

void reply_static(reply *out, const char *content_type, const void *bytes, size_t size_bytes)
{
    out->content_type = content_type;
    out->own = bytes;
    out->body_bytes = size_bytes;
}

// How much of a reply counts.
static uint64_t counted_bytes(const reply *out)
{
    return out->body != NULL && out->body_bytes > ANSWER_BYTES_FREE ? out->body_bytes : 0;
}

nav_status reply_hold(const request *r, reply *out, nav_error *err)
{
    return service_hold_answer(r->service, counted_bytes(out), &out->held_bytes, err);
}

void reply_count(const request *r, reply *out)
{
    service_count_answer(r->service, counted_bytes(out), &out->held_bytes);
}

bool request_has_type(const request *r, const char *media_type)
{
    size_t length = strlen(media_type);
    if (r->content_type == NULL || strncasecmp(r->content_type, media_type, length) != 0) {
        return false;
    }
    char after = r->content_type[length];
    return after == '\0' || after == ';' || after == ' ' || after == '\t';
}

// ---- ids of requests ----

void request_take_name(request *r, const char *value)
{
    size_t length = strlen(value);
    if (length == 0 || length >= sizeof r->id) {
        return;
    }
    for (size_t i = 0; i < length; i++) {
        char c = value[i];
        bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (!letter && (c < '0' || c > '9') && strchr("._-", c) == NULL) {
            return;
        }
    }
    memcpy(r->id, value, length + 1);
}

// splitmix64 of Vigna 2015: spreads a counter over 64 bits.
static uint64_t spread(uint64_t value)
{
    value += 0x9e3779b97f4a7c15u;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
}

// A number that no other request of this process gets. Threads take them by the thousand, so that
// they do not wait for one another.
static uint64_t next_number(void)
{
    static _Atomic uint64_t counter;
    static _Thread_local uint64_t next, end;
    if (next == end) {
        next = atomic_fetch_add(&counter, NUMBERS_AT_ONCE);
        if (next == 0) {
            // The first one moves the counter to a place that no other process is likely to have.
            uint64_t seed = 0;
            if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != (ssize_t)sizeof seed) {
                seed = clock_now_ns();
            }
            next = atomic_fetch_add(&counter, (seed >> 1) + NUMBERS_AT_ONCE) + (seed >> 1);
        }
        end = next + NUMBERS_AT_ONCE;
    }
    return next++;
}

uint32_t request_draw(const request *r, uint32_t index)
{
    return (uint32_t)spread(r->draw + index);
}

// Returns the random number that it is made of.
static uint64_t make_name(uint64_t time_ms, char out[HTTP_ID_BYTES])
{
    static const char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    uint64_t low = spread(next_number()), high = spread(low);
    for (int i = 9; i >= 0; i--, time_ms >>= 5) {
        out[i] = digits[time_ms & 31];
    }
    for (int i = 0; i < 8; i++) {
        out[10 + i] = digits[(low >> (5 * i)) & 31];
        out[18 + i] = digits[(high >> (5 * i)) & 31];
    }
    out[NAME_DIGITS] = '\0';
    return low;
}

void request_name(char out[HTTP_ID_BYTES])
{
    (void)make_name(clock_unix_ms(), out);
}

void request_begin(request *r)
{
    r->draw = make_name(clock_unix_ms_coarse(), r->id);
}

// ---- counted and logged ----
//
// Query strings, bodies and headers are never logged: they may hold secrets.

static double milliseconds(uint64_t ns)
{
    return (double)ns / 1e6;
}

// An upload is no query: the client's line and the disk take its time.
static bool is_slow(const request *r, const request_end *end, uint64_t limit_ns)
{
    return limit_ns > 0 && end->handled_ns >= limit_ns && r->route != NULL &&
           r->route->body != BODY_STREAM;
}

void request_ended(const request *r, const request_end *end)
{
    const service_live *live = &r->service->live;
    NAV_ASSERT(end->status >= 100 && end->status < 600);
    metrics_request(r->route != NULL ? (uint32_t)(r->route - r->service->routes->rows) + 1 : 0,
                    end->status, end->duration_ns);
    if (atomic_load_explicit(&live->log_requests, memory_order_relaxed)) {
        // The route, or the path as the client wrote it.
        log_info("request", "id=%s method=%.16s route=%.200s mesh=%s status=%d ms=%.3f bytes=%llu",
                 r->id, end->method, r->route != NULL ? r->route->pattern : end->path, r->mesh,
                 end->status, milliseconds(end->duration_ns), (unsigned long long)end->reply_bytes);
    }
    if (is_slow(r, end, atomic_load_explicit(&live->slow_query_ns, memory_order_relaxed))) {
        metrics_count(METRICS_SLOW_QUERIES);
        log_warn("slow_query",
                 "id=%s method=%.16s route=%s mesh=%s version=%u status=%d ms=%.3f nodes=%u", r->id,
                 end->method, r->route->pattern, r->mesh,
                 r->query_version > 0 ? r->query_version : r->version, end->status,
                 milliseconds(end->handled_ns), r->nodes_expanded);
    }
}

// ---- raw errors ----

raw_error raw_error_send(const connection *c, const nav_error *err)
{
    char head[512];
    proto_writer w;
    size_t body_bytes = 0;
    raw_error sent = {.service = c->all->service, .status = proto_status_http(err->status)};
    request_name(sent.id);
    proto_writer_init(&w);
    proto_write_error(&w, err, sent.id);
    char *body = proto_writer_take(&w, &body_bytes);
    const int head_bytes = snprintf(head, sizeof head,
                                    "HTTP/1.1 %d %s\r\n"
                                    "Content-Type: application/problem+json\r\n"
                                    "X-Request-Id: %s\r\n"
                                    "Connection: close\r\n"
                                    "Content-Length: %zu\r\n\r\n",
                                    sent.status, proto_status_title(err->status), sent.id,
                                    body != NULL ? body_bytes : 0);
    NAV_ASSERT(head_bytes > 0 && (size_t)head_bytes < sizeof head);
    struct iovec pieces[2] = {{.iov_base = head, .iov_len = (size_t)head_bytes},
                              {.iov_base = body, .iov_len = body != NULL ? body_bytes : 0}};
    struct msghdr message = {.msg_iov = pieces, .msg_iovlen = 2};
    // Not by sendmsg, which is that of socket_hooks.c: nothing is to be added to this one.
    (void)syscall(SYS_sendmsg, c->fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    free(body);
    sent.reply_bytes = body_bytes;
    return sent;
}

void raw_error_count(const raw_error *sent)
{
    request r;
    memset(&r, 0, offsetof(request, args));
    r.service = sent->service;
    memcpy(r.id, sent->id, sizeof r.id);
    // Its head may not have come, or not be one.
    const request_end end = {
        .method = "-", .path = "-", .status = sent->status, .reply_bytes = sent->reply_bytes};
    request_ended(&r, &end);
}
