// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// job_events.c: job --proto--> JSON --> events.c. Without listeners nothing is written.

#include "server/jobs/job_events.h"

#include "server/base/clock.h"
#include "server/jobs/version_view.h"
#include "server/store/store.h"

#include <stdlib.h>

// Time between two events of progress of the same bake.
#define PROGRESS_EVERY_NS UINT64_C(100000000)

void job_events_init(job_events *e, service *s, const job *j)
{
    *e = (job_events){.service = s, .job = j, .reporting = ATOMIC_FLAG_INIT};
}

static void write_name(proto_writer *w, const char *mesh, uint32_t version)
{
    proto_member_string(w, "mesh", mesh);
    if (version != 0) {
        proto_member_int(w, "version", version);
    }
}

// Closes the object and hands over its text; NULL without memory.
static char *take_object(proto_writer *w)
{
    proto_write_object_end(w);
    return proto_writer_take(w, NULL);
}

static char *progress_text(const char *mesh, uint32_t version, const job_progress *at,
                           uint32_t tiles_total)
{
    proto_writer w;
    proto_writer_init(&w);
    proto_write_object_begin(&w);
    write_name(&w, mesh, version);
    proto_member_string(&w, "state", at->running ? "baking" : "queued");
    proto_member_fixed(&w, "progress", at->progress, 3);
    proto_member_int(&w, "tiles_done", at->tiles_done);
    proto_member_int(&w, "tiles_total", tiles_total);
    proto_member_string(&w, "stage", at->running ? at->stage : NULL);
    return take_object(&w);
}

static void publish(job_events *e, const char *event, char *text)
{
    if (text != NULL) {
        events_publish(e->service->events, e->job->mesh, e->job->version, event, text);
    }
    free(text);
}

// A worker that comes while another publishes does not wait for it.
static void report_progress(job_events *e)
{
    if (atomic_flag_test_and_set(&e->reporting)) {
        return;
    }
    job_progress at;
    uint64_t now_ns = clock_now_ns();
    if (now_ns - e->progress_ns >= PROGRESS_EVERY_NS &&
        jobs_progress(e->service->jobs, e->job->mesh, e->job->version, &at)) {
        e->progress_ns = now_ns;
        publish(
            e, "progress",
            progress_text(e->job->mesh, e->job->version, &at, atomic_load(&e->job->tiles_total)));
    }
    atomic_flag_clear(&e->reporting);
}

void job_events_stage(job_events *e, uint32_t tile, uint32_t stage)
{
    if (!events_has_listeners(e->service->events)) {
        return;
    }
    proto_writer w;
    proto_writer_init(&w);
    proto_write_object_begin(&w);
    write_name(&w, e->job->mesh, e->job->version);
    proto_member_string(&w, "stage", job_stage_word(stage));
    proto_write_key(&w, "tile");
    NAV_ASSERT(stage <= JOB_STAGE_STORE);
    if (tile != NAV_NONE && e->tiles_x > 0) {
        proto_write_object_begin(&w);
        proto_member_int(&w, "x", tile % e->tiles_x);
        proto_member_int(&w, "z", tile / e->tiles_x);
        proto_write_object_end(&w);
    } else {
        proto_write_null(&w);
    }
    publish(e, "stage", take_object(&w));
    report_progress(e);
}

void job_events_tile(job_events *e)
{
    if (events_has_listeners(e->service->events)) {
        report_progress(e);
    }
}

// ---- the end ----

static char *version_text(const version_view *view)
{
    proto_writer w;
    proto_writer_init(&w);
    version_view_write(&w, view, false);
    return proto_writer_take(&w, NULL);
}

void job_events_end(service *s, const char *mesh, uint32_t version)
{
    version_view view;
    nav_error ignored;
    if (!events_has_listeners(s->events)) {
        return;
    }
    if (version_view_get(s, mesh, version, &view, &ignored) != NAV_OK) {
        events_finish(s->events, mesh, version, NULL, NULL);
        return;
    }
    bool ended = view.row.state != STORE_QUEUED;
    char *text = ended ? version_text(&view) : NULL;
    events_finish(s->events, mesh, version, text != NULL ? store_state_word(view.row.state) : NULL,
                  text);
    free(text);
    version_view_free(&view);
}

void job_events_removed(service *s, const char *mesh)
{
    if (!events_has_listeners(s->events)) {
        return;
    }
    proto_writer w;
    proto_writer_init(&w);
    proto_write_object_begin(&w);
    write_name(&w, mesh, 0);
    proto_member_string(&w, "state", store_state_word(STORE_CANCELLED));
    char *text = take_object(&w);
    events_finish(s->events, mesh, 0, text != NULL ? store_state_word(STORE_CANCELLED) : NULL,
                  text);
    free(text);
}

nav_status job_events_open(service *s, const char *mesh, uint32_t version,
                           events_listener *listener, nav_error *err)
{
    version_view view;
    nav_status status = version_view_get(s, mesh, version, &view, err);
    if (status != NAV_OK) {
        return status;
    }
    bool ended = view.row.state != STORE_QUEUED;
    char *text =
        ended ? version_text(&view) : progress_text(mesh, version, &view.job, view.row.tiles_total);
    if (text != NULL) {
        events_open(listener, ended ? store_state_word(view.row.state) : "progress", text, ended);
    } else {
        status = nav_fail(err, NAV_NO_MEMORY, "no memory to describe the version");
    }
    free(text);
    version_view_free(&view);
    return status;
}
