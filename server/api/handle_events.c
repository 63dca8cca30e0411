// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// handle_events.c: the events of a version's bake, as text/event-stream. No thread waits: a stream
// with nothing to send is set aside, and the worker that has something resumes it.

#include "server/jobs/job_events.h"
#include "server/api/routes.h"
#include "server/jobs/events.h"

static void wake(void *user)
{
    request_resume(user);
}

static size_t read_events(request *r, char *out, size_t capacity, stream_state *state)
{
    static const stream_state states[] = {[EVENTS_GO_ON] = STREAM_GOES_ON,
                                          [EVENTS_ENDED] = STREAM_ENDS,
                                          [EVENTS_DROPPED] = STREAM_BREAKS};
    events_state at;
    size_t taken = events_read(r->stream, out, capacity, &at);
    *state = states[at];
    return taken;
}

static bool await_events(request *r)
{
    return events_await(r->stream);
}

void handle_events(request *r, reply *out)
{
    static const reply_stream stream = {.read = read_events, .await = await_events};
    nav_error err = {0};
    events_listener *listener = NULL;
    nav_status status =
        events_listen(r->service->events, r->mesh, r->version, wake, r, &listener, &err);
    // Listening first, looking second: what happens in between is not missed.
    if (status == NAV_OK) {
        r->stream = listener;
        status = job_events_open(r->service, r->mesh, r->version, listener, &err);
    }
    if (status != NAV_OK) {
        reply_error(r, out, &err);
        return;
    }
    out->status = 200;
    out->content_type = "text/event-stream";
    out->stream = &stream;
}

void handle_events_close(request *r)
{
    events_leave(r->stream);
}
