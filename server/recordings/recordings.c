// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// recordings.c: from a question with its answer to a row of the store. Whoever asks for a recording
// waits for the disk, as with every write; questions that were slow or failed do not wait: their
// contents are put together in memory, and the recorder's thread does the rest.

#include "server/recordings/recordings.h"

#include "proto/replies/replies.h"
#include "server/base/clock.h"
#include "server/base/lock.h"
#include "server/base/log.h"
#include "server/base/metrics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// So much may wait for the recorder; more is dropped. If everything is slow, one in so many
// milliseconds shows as much as all.
#define WAITING_MAX 16u
#define WAITING_BYTES_MAX ((size_t)32 << 20)
#define PAUSE_MS 100u

// A recording on its way to the store.
typedef struct waiting waiting;
struct waiting {
    waiting *next;
    char request[HTTP_ID_BYTES]; // id of the one that asked
    store_recording row;
    proto_writer contents;
};

struct recordings {
    store *disk;
    uint64_t bytes_max;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    waiting *first, **last; // guarded by lock
    uint32_t count;         // guarded by lock
    size_t bytes;           // guarded by lock
    bool ending;            // guarded by lock
    bool running;           // owner thread only
    pthread_t recorder;
};

// ---- the contents ----

// "/v1/meshes/town/path", from the route's pattern.
static void write_path(const request *r, char *out, size_t capacity_bytes)
{
    size_t used = 0;
    for (const char *at = r->route->pattern; *at != '\0' && used + 1 < capacity_bytes; at++) {
        if (*at != '{') {
            out[used++] = *at;
            continue;
        }
        const char *name = at[1] == 'm' ? r->mesh : r->instance;
        const int length = snprintf(out + used, capacity_bytes - used, "%s", name);
        used += length > 0 ? (size_t)length : 0;
        at += strcspn(at, "}");
    }
    NAV_ASSERT(used < capacity_bytes);
    out[used] = '\0';
}

// "query_ms=100 batch_queries=5": the limits that are not at their defaults, and may change an
// answer.
static void write_limits(const service_limits *limits, char *out, size_t capacity_bytes)
{
    const service_limits otherwise = limits_default();
    uint64_t value, usual;
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; limits_row(limits, i, &value) != NULL; i++) {
        const char *name = limits_row(&otherwise, i, &usual);
        if (value != usual) {
            const int length = snprintf(out + used, capacity_bytes - used, "%s%s=%llu",
                                        used > 0 ? " " : "", name, (unsigned long long)value);
            used += length > 0 ? (size_t)length : 0;
        }
    }
    NAV_ASSERT(used < capacity_bytes);
}

// A batch may name thousands of large instances: some tenths of a second are spent on their states.
#define STATES_BYTES_MAX (16u << 20)

// The states as JSON, which their texts are borrowed from. Errors: PROTO_NOT_EXPORTABLE,
// NAV_NO_MEMORY.
static nav_status write_states(const recorded_question *question, proto_writer *texts,
                               bundle_instance *out, nav_error *err)
{
    size_t all_bytes = 0;
    for (uint32_t i = 0; i < question->instance_count; i++) {
        const instance_state *state = question->instances[i].state;
        proto_writer_init(&texts[i]);
        proto_write_object_begin(&texts[i]);
        proto_write_state(&texts[i], &state->content, false);
        proto_write_object_end(&texts[i]);
        proto_writer_put(&texts[i], "", 1);
        out[i] = (bundle_instance){.name = question->instances[i].name,
                                   .state = texts[i].bytes,
                                   .revision = state->revision};
        if (texts[i].failed) {
            return nav_fail(err, NAV_NO_MEMORY, "no memory to record a question");
        }
        all_bytes += texts[i].size_bytes;
        if (all_bytes > STATES_BYTES_MAX) {
            nav_fail(err, PROTO_NOT_EXPORTABLE,
                     "the states of the instances that the question names are more than a "
                     "recording may hold");
            nav_error_limit(err, "%u", STATES_BYTES_MAX);
            return PROTO_NOT_EXPORTABLE;
        }
    }
    return NAV_OK;
}

#define PATH_BYTES 256
#define LIMITS_BYTES 2048

static void write_contents(const recorded_question *question, const store_recording *row,
                           const bundle_instance *states, proto_writer *w)
{
    const request *r = question->request;
    char path[PATH_BYTES], limits[LIMITS_BYTES];
    write_path(r, path, sizeof path);
    write_limits(&r->service->limits, limits, sizeof limits);
    const bool asks_body = r->route->body != BODY_NONE;
    const bool packed = r->route->media_type != NULL && request_has_type(r, r->route->media_type);
    const bundle b = {.build = bundle_build(),
                      .id = row->id,
                      .name = row->name,
                      .cause = store_cause_word(row->cause),
                      .created_at = row->created_at,
                      .mesh = r->mesh,
                      .kind = row->kind,
                      .method = asks_body ? "POST" : "GET",
                      .path = path,
                      .content_type = !asks_body ? ""
                                      : packed   ? r->route->media_type
                                                 : "application/json",
                      .request_id = r->id,
                      .limits = limits,
                      .args = r->args,
                      .arg_count = (uint32_t)r->arg_count,
                      .body = r->body,
                      .body_bytes = asks_body ? r->body_bytes : 0,
                      .draw = r->draw,
                      .timed = question->timed,
                      .instances = states,
                      .instance_count = question->instance_count,
                      .status = row->status,
                      .answer_type = question->answer->content_type,
                      .answer = question->answer->body,
                      .answer_bytes = question->answer->body_bytes,
                      .ms = row->ms,
                      .version = row->version};
    bundle_write_contents(&b, w);
}

static void fill_row(const recorded_question *question, store_cause cause, store_recording *row)
{
    const request *r = question->request;
    char id[HTTP_ID_BYTES];
    request_name(id);
    *row = (store_recording){.version = question->version,
                             .cause = cause,
                             .status = (uint32_t)question->answer->status,
                             .ms = (double)question->duration_ns / 1e6};
    (void)snprintf(row->id, sizeof row->id, "%.26s", id);
    (void)snprintf(row->mesh, sizeof row->mesh, "%s", r->mesh);
    (void)snprintf(row->name, sizeof row->name, "%s", r->record_name != NULL ? r->record_name : "");
    (void)snprintf(row->kind, sizeof row->kind, "%s", strrchr(r->route->pattern, '/') + 1);
    clock_text(row->created_at);
}

// The row and its contents. *contents is the caller's to free in any case.
static nav_status gather(const recorded_question *question, store_cause cause, store_recording *row,
                         proto_writer *contents, nav_error *err)
{
    const uint32_t count = question->instance_count;
    NAV_ASSERT(question->request->route->query != NULL && question->version != 0);
    proto_writer *texts = calloc(count + 1u, sizeof *texts);
    bundle_instance *states = calloc(count + 1u, sizeof *states);
    proto_writer_init(contents);
    fill_row(question, cause, row);
    nav_status status = texts != NULL && states != NULL
                            ? write_states(question, texts, states, err)
                            : nav_fail(err, NAV_NO_MEMORY, "no memory to record a question");
    if (status == NAV_OK) {
        write_contents(question, row, states, contents);
    }
    for (uint32_t i = 0; texts != NULL && i < count; i++) {
        proto_writer_free(&texts[i]);
    }
    free(texts);
    free(states);
    return contents->failed ? nav_fail(err, NAV_NO_MEMORY, "no memory to record a question")
                            : status;
}

static nav_status put_away(recordings *all, store_recording *row, const proto_writer *contents,
                           nav_error *err)
{
    nav_status status =
        bundle_pack(contents->bytes, contents->size_bytes, &row->bundle, &row->bundle_bytes, err);
    NAV_IF_OK(status, store_recording_insert(all->disk, row, err));
    free(row->bundle);
    row->bundle = NULL;
    if (status == NAV_OK) {
        metrics_count(METRICS_RECORDINGS);
    }
    return status;
}

uint64_t recording_file_bytes_max(const service *s)
{
    const uint64_t most = s->limits.export_bytes;
    return most < BUNDLE_BYTES_MAX ? most : BUNDLE_BYTES_MAX;
}

nav_status recording_fail_large(const service *s, nav_error *err)
{
    const uint64_t most = recording_file_bytes_max(s);
    (void)nav_fail(err, PROTO_NOT_EXPORTABLE,
                   most < BUNDLE_BYTES_MAX
                       ? "with its version the recording is larger than this daemon writes: start "
                         "it with a higher --limit export_bytes="
                       : "with its version the recording is larger than its format allows");
    nav_error_limit(err, "%llu", (unsigned long long)most);
    return PROTO_NOT_EXPORTABLE;
}

nav_status recording_check_version(const service *s, const char *mesh, uint32_t version,
                                   uint64_t *bytes, nav_error *err)
{
    const nav_status status = store_recorded_bytes(s->store, mesh, version, bytes, err);
    return status == NAV_OK && *bytes > recording_file_bytes_max(s) ? recording_fail_large(s, err)
                                                                    : status;
}

nav_status recordings_keep(recordings *all, const recorded_question *question,
                           char id[HTTP_RECORDING_BYTES], nav_error *err)
{
    const request *r = question->request;
    store_recording row;
    proto_writer contents;
    uint64_t version_bytes = 0;
    nav_status status =
        recording_check_version(r->service, r->mesh, question->version, &version_bytes, err);
    if (status != NAV_OK) {
        return status;
    }
    status = gather(question, STORE_CAUSE_ASKED, &row, &contents, err);
    NAV_IF_OK(status, put_away(all, &row, &contents, err));
    proto_writer_free(&contents);
    if (status == NAV_OK) {
        memcpy(id, row.id, sizeof row.id);
    }
    return status;
}

// ---- the recorder ----

uint64_t recordings_bytes_max(const recordings *all)
{
    return all != NULL ? all->bytes_max : 0;
}

static void free_waiting(waiting *w)
{
    if (w != NULL) {
        proto_writer_free(&w->contents);
        free(w);
    }
}

static bool link_locked(recordings *all, waiting *w)
{
    NAV_ASSERT(lock_is_held(&all->lock));
    if (all->ending || all->count >= WAITING_MAX ||
        w->contents.size_bytes > WAITING_BYTES_MAX - all->bytes) {
        return false;
    }
    *all->last = w;
    all->last = &w->next;
    all->count++;
    all->bytes += w->contents.size_bytes;
    return true;
}

// Whether there is room, before work is done that would be for nothing.
static bool has_space(recordings *all)
{
    (void)pthread_mutex_lock(&all->lock);
    const bool fits = !all->ending && all->count < WAITING_MAX;
    (void)pthread_mutex_unlock(&all->lock);
    return fits;
}

void recordings_offer(recordings *all, store_cause cause, const recorded_question *question)
{
    waiting *w = all->bytes_max > 0 && has_space(all) ? calloc(1, sizeof *w) : NULL;
    bool linked = false;
    if (w != NULL && gather(question, cause, &w->row, &w->contents, NULL) == NAV_OK) {
        memcpy(w->request, question->request->id, sizeof w->request);
        (void)pthread_mutex_lock(&all->lock);
        linked = link_locked(all, w);
        (void)pthread_cond_signal(&all->changed);
        (void)pthread_mutex_unlock(&all->lock);
    }
    if (!linked) {
        metrics_count(METRICS_RECORDINGS_DROPPED);
        free_waiting(w);
    }
}

static waiting *take_locked(recordings *all)
{
    NAV_ASSERT(lock_is_held(&all->lock));
    waiting *w = all->first;
    if (w != NULL) {
        all->first = w->next;
        all->last = all->first != NULL ? all->last : &all->first;
        all->count--;
        all->bytes -= w->contents.size_bytes;
    }
    return w;
}

static void store_one(recordings *all, waiting *w)
{
    nav_error err = {0};
    const store_recording *row = &w->row;
    if (put_away(all, &w->row, &w->contents, &err) == NAV_OK) {
        log_info("recorded", "id=%s request=%s cause=%s mesh=%s version=%u kind=%s ms=%.3f",
                 row->id, w->request, store_cause_word(row->cause), row->mesh, row->version,
                 row->kind, row->ms);
    } else {
        metrics_count(METRICS_RECORDINGS_DROPPED);
        log_warn("recording_dropped", "cause=%s mesh=%s version=%u kind=%s code=%s detail=\"%s\"",
                 store_cause_word(row->cause), row->mesh, row->version, row->kind,
                 proto_status_word(err.status), err.detail);
    }
}

static void *record(void *user)
{
    recordings *all = user;
    (void)pthread_mutex_lock(&all->lock);
    for (;;) {
        waiting *w = take_locked(all);
        if (w == NULL && all->ending) {
            break;
        }
        if (w == NULL) {
            (void)pthread_cond_wait(&all->changed, &all->lock);
            continue;
        }
        (void)pthread_mutex_unlock(&all->lock);
        store_one(all, w);
        free_waiting(w);
        (void)pthread_mutex_lock(&all->lock);
        const struct timespec until = lock_deadline(PAUSE_MS);
        while (!all->ending &&
               pthread_cond_timedwait(&all->changed, &all->lock, &until) != ETIMEDOUT) {
        }
    }
    (void)pthread_mutex_unlock(&all->lock);
    return NULL;
}

recordings *recordings_create(store *disk, uint64_t bytes_max)
{
    recordings *all = calloc(1, sizeof *all);
    if (all == NULL) {
        return NULL;
    }
    all->disk = disk;
    all->bytes_max = bytes_max;
    all->last = &all->first;
    (void)pthread_mutex_init(&all->lock, NULL);
    lock_init_monotonic(&all->changed);
    nav_error err = {0};
    if (store_recordings_limit(disk, bytes_max, &err) != NAV_OK) {
        log_warn("recordings_kept", "code=%s detail=\"%s\"", proto_status_word(err.status),
                 err.detail);
    }
    all->running = bytes_max > 0 && pthread_create(&all->recorder, NULL, record, all) == 0;
    if (bytes_max > 0 && !all->running) {
        recordings_destroy(all);
        return NULL;
    }
    return all;
}

void recordings_stop(recordings *all)
{
    if (all == NULL || !all->running) {
        return;
    }
    (void)pthread_mutex_lock(&all->lock);
    all->ending = true;
    (void)pthread_cond_broadcast(&all->changed);
    (void)pthread_mutex_unlock(&all->lock);
    (void)pthread_join(all->recorder, NULL);
    all->running = false;
}

void recordings_destroy(recordings *all)
{
    if (all == NULL) {
        return;
    }
    recordings_stop(all);
    (void)pthread_cond_destroy(&all->changed);
    (void)pthread_mutex_destroy(&all->lock);
    free(all);
}
