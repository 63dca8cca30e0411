// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// in_process.c: a request of this program's own, without a connection: the same route, the same
// checks of what is asked, the same handler.

#include "server/http/http.h"

#include <stdlib.h>
#include <string.h>

#define PIECE_BYTES ((size_t)64 << 10)

static nav_status take_args(const http_question *asked, request *r, nav_error *err)
{
    if (asked->arg_count > LIMIT_ARGS) {
        return nav_fail(err, PROTO_BAD_REQUEST, "there are over %d arguments", LIMIT_ARGS);
    }
    for (size_t i = 0; i < asked->arg_count; i++) {
        r->args[i] = asked->args[i];
    }
    r->arg_count = asked->arg_count;
    return NAV_OK;
}

static nav_status take_body(const http_question *asked, request *r, nav_error *err)
{
    const uint64_t limit = limits_at(&r->service->limits, r->route->body_limit);
    r->body = asked->body != NULL ? asked->body : "";
    r->body_bytes = asked->body_bytes;
    r->content_type = asked->body == NULL           ? NULL
                      : asked->content_type != NULL ? asked->content_type
                                                    : "application/json";
    if (r->body_bytes > limit) {
        nav_fail(err, PROTO_BODY_TOO_LARGE,
                 "the body is larger than %llu bytes; send less at a time",
                 (unsigned long long)limit);
        nav_error_limit(err, "%llu", (unsigned long long)limit);
        return PROTO_BODY_TOO_LARGE;
    }
    return NAV_OK;
}

// A body that comes piece by piece becomes one. A stream that waits for events of others has no end
// here.
static void gather(request *r, reply *out)
{
    char *body = NULL;
    size_t used = 0, capacity = 0;
    stream_state state = STREAM_GOES_ON;
    while (state == STREAM_GOES_ON) {
        if (capacity - used < PIECE_BYTES) {
            capacity = capacity > 0 ? capacity * 2 : 2 * PIECE_BYTES;
            char *grown = realloc(body, capacity);
            if (grown == NULL) {
                break;
            }
            body = grown;
        }
        const size_t got = out->stream->read(r, body + used, capacity - used, &state);
        used += got;
        if (got == 0 && state == STREAM_GOES_ON) {
            break;
        }
    }
    if (state != STREAM_ENDS) {
        nav_error err;
        free(body);
        (void)nav_fail(&err, NAV_NO_MEMORY, "the answer cannot be gathered in memory");
        reply_error(r, out, &err);
        out->stream = NULL;
        return;
    }
    out->stream = NULL;
    out->body = body;
    out->body_bytes = used;
}

void http_ask_in_process(service *s, const http_question *asked, reply *out)
{
    char allow[sizeof out->allow];
    nav_error err = {0};
    request r;
    memset(&r, 0, offsetof(request, args));
    r.service = s;
    request_begin(&r);
    if (asked->id != NULL) {
        request_take_name(&r, asked->id);
        r.draw = asked->draw;
    }
    r.record_name = asked->record_name;
    r.requested_with = ""; // no page sent it
    *out = (reply){0};
    nav_status status = take_args(asked, &r, &err);
    NAV_IF_OK(status,
              routing_find(s->routes, &r, asked->method, asked->path, allow, sizeof allow, &err));
    NAV_IF_OK(status, request_check_arguments(&r, &err));
    NAV_IF_OK(status, r.route->body == BODY_JSON ? take_body(asked, &r, &err) : NAV_OK);
    NAV_IF_OK(status, request_check_json(&r, &err));
    if (status != NAV_OK) {
        reply_error(&r, out, &err);
        return;
    }
    NAV_ASSERT(r.route->body != BODY_STREAM);
    request_handle(&r, out);
    NAV_ASSERT(!out->later); // only what waits for a bake can
    if (out->stream != NULL) {
        gather(&r, out);
    }
    if (r.route->close != NULL) {
        r.route->close(&r);
    }
}
