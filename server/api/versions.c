// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// versions.c: uploads and versions, and the events of a bake as text/event-stream. No thread waits:
// with ?wait=1, and while a stream has nothing to send, the request is suspended, and the worker
// that has news resumes it.

#include "server/api/routes.h"

#include "proto/replies/replies.h"
#include "server/api/upload.h"
#include "server/base/metrics.h"
#include "server/base/events.h"
#include "server/instances/pins.h"
#include "server/jobs/job_events.h"
#include "server/jobs/jobs.h"
#include "server/jobs/repair.h"
#include "server/jobs/version_view.h"
#include "server/meshes/cache.h"
#include "server/meshes/damage_list.h"
#include "server/meshes/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// ---- uploads ----

// An upload's request from its headers to its reply.
typedef struct pending {
    upload *upload; // NULL once finished
    upload_outcome outcome;
    bool stored; // outcome is filled
} pending;

static nav_status encoding_of(const request *r, bool *zstd, nav_error *err)
{
    const char *encoding = r->content_encoding != NULL ? r->content_encoding : "identity";
    *zstd = strcasecmp(encoding, "zstd") == 0;
    if (!*zstd && strcasecmp(encoding, "identity") != 0) {
        nav_fail(err, PROTO_MEDIA_TYPE, "Content-Encoding must be zstd or identity");
        nav_error_got(err, "%.60s", encoding);
        return PROTO_MEDIA_TYPE;
    }
    return NAV_OK;
}

nav_status handle_upload_open(request *r, nav_error *err)
{
    proto_body_type type;
    bool zstd;
    nav_status status = proto_body_type_read(r->content_type, &type, err);
    NAV_IF_OK(status, encoding_of(r, &zstd, err));
    if (status == NAV_OK && atomic_load(&r->service->state) == SERVICE_STOPPING) {
        status = nav_fail(err, PROTO_NOT_READY, "the daemon is stopping");
    }
    if (status != NAV_OK) {
        return status;
    }
    NAV_ASSERT(r->stream == NULL);
    pending *p = calloc(1, sizeof *p);
    if (p == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for an upload");
    }
    r->stream = p;
    metrics_add(METRICS_UPLOADS_IN_FLIGHT, 1);
    return upload_open_body(r->service, r->mesh, &type, zstd, &p->upload, err);
}

nav_status handle_upload_feed(request *r, const void *bytes, size_t size_bytes, nav_error *err)
{
    NAV_ASSERT(r->stream != NULL);
    return upload_feed(((pending *)r->stream)->upload, bytes, size_bytes, err);
}

void handle_upload_close(request *r)
{
    pending *p = r->stream;
    if (p != NULL) {
        metrics_add(METRICS_UPLOADS_IN_FLIGHT, -1);
        upload_close(p->upload);
        free(p);
    }
}

static void resume(void *user)
{
    request_resume(user);
}

// The first thing about a ready version that its upload does not let pass.
static nav_status pass_gates(const upload_outcome *outcome, const store_version *row,
                             nav_error *err)
{
    proto_lines lines = {.prefix = ""};
    nav_error why = {0};
    const char *live = row->active ? "was live before, and stays so" : "is not live";
    nav_status status = proto_lines_write(&lines, outcome->require_checks ? row->checks_json : NULL,
                                          outcome->strict ? row->warnings_json : NULL,
                                          outcome->strict ? row->agents_json : NULL, &why);
    const char *text = lines.text.bytes;
    const char *end = text != NULL ? memchr(text, '\n', lines.text.size_bytes) : NULL;
    const int length = end != NULL ? (int)(end - text) : 0;
    if (status != NAV_OK) {
        status = status == NAV_NO_MEMORY
                     ? nav_fail(err, status, "%s", why.detail)
                     : damage_fail(err, row->mesh, row->version, "how its bake and checks went");
    } else if (lines.failed_checks > 0) {
        status = nav_fail(err, PROTO_CHECKS_FAILED,
                          "version %u is ready, but fails %u of its checks, and %s: %.*s",
                          row->version, lines.failed_checks, live, length, text);
    } else if (lines.warnings > 0) {
        status = nav_fail(err, PROTO_HAS_WARNINGS,
                          "version %u is ready, but has %u kind%s of warnings, and %s: %.*s",
                          row->version, lines.warnings, lines.warnings == 1 ? "" : "s", live,
                          length, text);
    }
    proto_writer_free(&lines.text);
    return status;
}

// Replies after the bake, or at once if nobody waits. A version that is still queued is accepted
// (202), also if a client has waited and the daemon stops: the next start bakes it.
static nav_status reply_stored(reply *out, const upload_outcome *outcome, const version_view *view,
                               nav_error *err)
{
    const store_state state = view->row.state;
    NAV_ASSERT(view->row.version == outcome->version);
    if (outcome->wait && state == STORE_FAILED) {
        *err = view->row.error;
        return err->status;
    }
    if (outcome->wait && state == STORE_CANCELLED) {
        return nav_fail(err, NAV_CANCELLED, "version %u was cancelled", outcome->version);
    }
    const bool created = outcome->wait && state == STORE_READY;
    out->status = outcome->existing ? 200 : created ? 201 : 202;
    version_view_write(&out->w, view, outcome->existing);
    return state == STORE_READY ? pass_gates(outcome, &view->row, err) : NAV_OK;
}

// A version that is removed before its upload is answered is as one that is cancelled, whether its
// bake had just ended or not: the client cannot know which, and has nothing either way.
static nav_status reply_outcome(request *r, reply *out, const upload_outcome *outcome,
                                nav_error *err)
{
    version_view view;
    nav_status status = version_view_get(r->service, r->mesh, outcome->version, &view, err);
    if (status == NAV_OK) {
        status = reply_stored(out, outcome, &view, err);
        version_view_free(&view);
        (void)snprintf(out->location, sizeof out->location, "/v1/meshes/%s/versions/%u", r->mesh,
                       outcome->version);
    } else if (status == PROTO_VERSION_NOT_FOUND || status == PROTO_MESH_NOT_FOUND) {
        status =
            nav_fail(err, NAV_CANCELLED,
                     "version %u was removed before this answer: somebody deleted it, or newer "
                     "versions took its place",
                     outcome->version);
    }
    return status;
}

nav_status handle_upload(request *r, reply *out, nav_error *err)
{
    pending *p = r->stream;
    NAV_ASSERT(p->stored == (p->upload == NULL)); // the second call has no upload any more
    if (!p->stored) {
        const nav_status status =
            upload_finish(p->upload, r->args, r->arg_count, false, &p->outcome, err);
        // The triangles are in the store; the worker reads them there.
        upload_close(p->upload);
        p->upload = NULL;
        if (status != NAV_OK) {
            return status;
        }
        NAV_ASSERT(p->outcome.version != 0);
        p->stored = true;
        if (p->outcome.wait) {
            out->later = true;
            // Sets the request aside until the version's bake has ended, which it may have already.
            // Suspended first: the worker may be done before this thread gets any further.
            request_suspend(r);
            if (!jobs_watch(r->service->jobs, r->mesh, p->outcome.version, resume, r)) {
                request_resume(r);
            }
            return NAV_OK;
        }
    }
    return reply_outcome(r, out, &p->outcome, err);
}

// ---- versions ----

nav_status handle_version_list(request *r, reply *out, nav_error *err)
{
    proto_writer *w = &out->w;
    proto_write_object_begin(w);
    proto_member_string(w, "mesh", r->mesh);
    proto_write_key(w, "versions");
    const nav_status status = version_view_write_all(r->service, r->mesh, w, err);
    proto_write_object_end(w);
    return status;
}

nav_status handle_version_get(request *r, reply *out, nav_error *err)
{
    version_view view;
    const nav_status status = version_view_get(r->service, r->mesh, r->version, &view, err);
    if (status == NAV_OK) {
        version_view_write(&out->w, &view, false);
        version_view_free(&view);
    }
    return status;
}

// A bake that has not ended is cancelled and its version stays; one that has is removed.
nav_status handle_version_delete(request *r, reply *out, nav_error *err)
{
    bool cancelled = false, force = false;
    nav_status status = proto_force_arg(r->args, r->arg_count, &force, err);
    NAV_IF_OK(status,
              store_version_cancel(r->service->store, r->mesh, r->version, &cancelled, err));
    if (status == NAV_OK && cancelled) {
        jobs_cancel(r->service->jobs, r->mesh, r->version);
        job_events_end(r->service, r->mesh, r->version);
        return handle_version_get(r, out, err);
    }
    const bool claimed =
        status == NAV_OK &&
        (status = pins_remove_begin(r->service->pins, r->mesh, r->version, err)) == NAV_OK;
    if (claimed) {
        status = store_version_delete(r->service->store, r->mesh, r->version, force, err);
        pins_remove_end(r->service->pins, r->mesh, r->version);
    }
    if (status == NAV_OK) {
        jobs_cancel(r->service->jobs, r->mesh, r->version); // which may be making it whole
        damage_list_clear(r->service->damage_list, r->mesh, r->version);
        mesh_cache_remove(r->service->cache, r->mesh, r->version);
        out->status = 204;
    }
    return status;
}

// Triangles are stored packed, files of tiles as they came.
static const char *stored_type(const void *bytes, size_t size_bytes)
{
    if (size_bytes >= 4 && memcmp(bytes, "NAVG", 4) == 0) {
        return proto_format_media_type(PROTO_FORMAT_PACKED, 0);
    }
    const bool is_mset = size_bytes >= 4 && memcmp(bytes, "TESM", 4) == 0;
    return proto_format_media_type(is_mset ? PROTO_FORMAT_MSET : PROTO_FORMAT_MMTILE, 0);
}

const char *geometry_media_type(const request *r)
{
    (void)r;
    return NULL; // what is stored decides
}

nav_status handle_geometry_get(request *r, reply *out, nav_error *err)
{
    void *bytes = NULL;
    size_t size_bytes = 0;
    nav_status status =
        load_geometry_bytes(r->service->store, r->mesh, r->version, &bytes, &size_bytes, err);
    status = repair_after(r->service, r->mesh, r->version, status, err);
    if (status != NAV_OK) {
        return status;
    }
    out->content_type = stored_type(bytes, size_bytes);
    status = request_check_accept(r, out->content_type, err);
    if (status != NAV_OK) {
        free(bytes);
        return status;
    }
    out->body = bytes;
    out->body_bytes = size_bytes;
    return NAV_OK;
}

// ---- events ----

static size_t read_events(request *r, char *out, size_t capacity, stream_state *state)
{
    static const stream_state states[] = {[EVENTS_GO_ON] = STREAM_GOES_ON,
                                          [EVENTS_ENDED] = STREAM_ENDS,
                                          [EVENTS_DROPPED] = STREAM_BREAKS};
    events_state at;
    size_t taken = events_read(r->stream, out, capacity, &at);
    NAV_ASSERT(taken <= capacity && (size_t)at < sizeof states / sizeof states[0]);
    *state = states[at];
    return taken;
}

static bool await_events(request *r)
{
    return events_await(r->stream);
}

nav_status events_begin(request *r, const char *subject, uint32_t version, nav_error *err)
{
    events_listener *listener = NULL;
    nav_status status =
        events_listen(r->service->events, subject, version, resume, r, &listener, err);
    if (status == NAV_OK) {
        r->stream = listener;
    }
    return status;
}

void reply_events(reply *out)
{
    static const reply_stream stream = {.read = read_events, .await = await_events};
    out->content_type = "text/event-stream";
    out->stream = &stream;
}

nav_status handle_events(request *r, reply *out, nav_error *err)
{
    nav_status status = events_begin(r, r->mesh, r->version, err);
    // Listen first, then check: events in between are not missed.
    NAV_IF_OK(status, job_events_open(r->service, r->mesh, r->version, r->stream, err));
    if (status == NAV_OK) {
        reply_events(out);
    }
    return status;
}

void handle_events_close(request *r)
{
    events_leave(r->stream);
}
