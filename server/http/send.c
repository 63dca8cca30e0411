// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// send.c: struct reply to libmicrohttpd's response; the last step of an exchange.

#include "server/http/exchange.h"
#include "server/base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STREAM_BLOCK_BYTES 4096u

static void note_end(exchange *x, const reply *out, uint64_t now_ns)
{
    const request_end end = {.method = x->method,
                             .path = x->path,
                             .status = out->status,
                             .duration_ns = now_ns - x->begun_ns,
                             .handled_ns = x->handled_ns,
                             .reply_bytes = out->body_bytes};
    x->answered = true;
    request_ended(&x->request, &end);
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

static void add_headers(head_lines *lines, const request *r, const reply *out)
{
    head_lines_begin(lines);
    head_lines_add(lines, "Content-Type", out->content_type);
    head_lines_add(lines, "X-Request-Id", r->id);
    head_lines_add(lines, "Location", out->location);
    head_lines_add(lines, "ETag", out->etag);
    head_lines_add(lines, "Allow", out->allow);
    head_lines_add(lines, "Cache-Control", out->stream != NULL ? "no-store" : NULL);
    if (out->retry_after_s > 0) {
        char text[16];
        (void)snprintf(text, sizeof text, "%u", out->retry_after_s);
        head_lines_add(lines, "Retry-After", text);
    }
    head_lines_add(lines, "WWW-Authenticate", out->challenge ? "Bearer realm=\"navmeshd\"" : NULL);
}

enum MHD_Result http_send(exchange *x, reply *out, uint64_t now_ns)
{
    if (!connection_send(x->line)) {
        free(out->body);
        return MHD_NO;
    }
    note_end(x, out, now_ns);
    struct MHD_Response *response = make_response(x, out);
    if (response == NULL) {
        free(out->body);
        return MHD_NO;
    }
    add_headers(&x->line->lines, &x->request, out);
    const bool stopping = atomic_load(&x->request.service->state) == SERVICE_STOPPING;
    if (out->close || stopping) {
        // The library has to know.
        (void)MHD_add_response_header(response, "Connection", "close");
    }
    enum MHD_Result sent = MHD_queue_response(x->connection, (unsigned)out->status, response);
    MHD_destroy_response(response);
    return sent;
}

enum MHD_Result http_send_refusal(exchange *x)
{
    reply out = {0};
    reply_error(&x->request, &out, &x->refusal);
    memcpy(out.allow, x->allow, sizeof out.allow);
    out.close = x->close;
    return http_send(x, &out, clock_now_ns());
}
