// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// calls.c: /v1/recordings: the list, a question that is asked and recorded, a bundle, a deletion.

#include "server/recordings/recordings.h"

#include "server/jobs/repair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUNDLE_TYPE "application/vnd.navmeshd.recording"
#define MEMORY_BYTES ((size_t)64 << 20) // of a body that is read

// ---- the list ----

// The members of a recording, within an object.
static void write_recording(proto_writer *w, const store_recording *row)
{
    bundle_write_member(w, "id", row->id);
    bundle_write_member(w, "name", row->name);
    bundle_write_member(w, "cause", store_cause_word(row->cause));
    bundle_write_member(w, "created_at", row->created_at);
    bundle_write_member(w, "mesh", row->mesh);
    proto_member_int(w, "version", row->version);
    bundle_write_member(w, "kind", row->kind);
    proto_member_int(w, "status", row->status);
    proto_member_fixed(w, "ms", row->ms, 3);
    proto_member_int(w, "bytes", (int64_t)row->bytes);
}

static void write_list(proto_writer *w, const store_recordings *list, uint64_t bytes_max)
{
    proto_write_object_begin(w);
    proto_member_array(w, "recordings");
    for (size_t i = 0; i < list->count; i++) {
        proto_write_object_begin(w);
        write_recording(w, &list->items[i]);
        proto_write_object_end(w);
    }
    proto_write_array_end(w);
    proto_member_string(w, "next", list->more ? list->items[list->count - 1].id : NULL);
    proto_member_int(w, "count", (int64_t)list->number);
    proto_member_int(w, "bytes", (int64_t)list->bytes);
    proto_member_int(w, "bytes_max", (int64_t)bytes_max);
    proto_write_object_end(w);
}

nav_status handle_recording_list(request *r, reply *out, nav_error *err)
{
    nav_arena memory;
    proto_recordings_request asked;
    store_recordings list = {0};
    nav_arena_init(&memory, NULL, MEMORY_BYTES);
    nav_status status =
        proto_request_args(&PROTO_RECORDINGS, r->args, r->arg_count, &memory, &asked, err);
    NAV_IF_OK(status,
              store_recordings_list(r->service->store, asked.after, asked.limit, &list, err));
    if (status == NAV_OK) {
        write_list(&out->w, &list, recordings_bytes_max(r->service->recordings));
    }
    free(list.items);
    nav_arena_free(&memory);
    return status;
}

// ---- a question ----

static nav_status fail_name(const char *at, const char *name, nav_error *err)
{
    nav_fail(err, NAV_INVALID_FIELD,
             "%s: a name is a letter or digit, then up to 63 letters, digits, '.', '_' and '-'",
             at);
    nav_error_at(err, "%s", at);
    nav_error_got(err, "%.40s", name);
    return NAV_INVALID_FIELD;
}

// Asks the question on this thread; its answer is kept by the handler of all questions.
static nav_status ask(const request *r, const proto_recording_request *asked, reply *answer,
                      nav_error *err)
{
    char path[320];
    const int length =
        asked->asked_instance != NULL
            ? snprintf(path, sizeof path, "/v1/meshes/%s/instances/%s/%s", asked->mesh,
                       asked->asked_instance, asked->asked)
            : snprintf(path, sizeof path, "/v1/meshes/%s/%s", asked->mesh, asked->asked);
    request found;
    char allow[40];
    memset(&found, 0, sizeof found);
    if (!limits_is_mesh_name(asked->mesh, strlen(asked->mesh))) {
        return fail_name("question.mesh", asked->mesh, err);
    }
    if (asked->asked_instance != NULL &&
        !limits_is_mesh_name(asked->asked_instance, strlen(asked->asked_instance))) {
        return fail_name("question.instance", asked->asked_instance, err);
    }
    if (length < 0 || (size_t)length >= sizeof path || strchr(asked->asked, '/') != NULL ||
        routing_find(r->service->routes, &found, "POST", path, allow, sizeof allow, err) !=
            NAV_OK ||
        found.route->query == NULL) {
        nav_fail(err, NAV_INVALID_FIELD,
                 "question.kind: there is no question of this kind; "
                 "write the last word of its address, such as path or nearest");
        nav_error_at(err, "question.kind");
        nav_error_got(err, "%.40s", asked->asked);
        return NAV_INVALID_FIELD;
    }
    const http_question question = {.method = "POST",
                                    .path = path,
                                    .body = asked->body,
                                    .body_bytes = asked->body_bytes,
                                    .record_name = asked->name != NULL ? asked->name : ""};
    http_ask_in_process(r->service, &question, answer);
    return NAV_OK;
}

// The recording that an answer was kept as, and the answer.
static nav_status write_recorded(const request *r, const reply *answer, proto_writer *w,
                                 nav_error *err)
{
    store_recording row;
    nav_status status = store_recording_get(r->service->store, answer->recording, &row, err);
    if (status != NAV_OK) {
        return status;
    }
    free(row.bundle);
    proto_write_object_begin(w);
    write_recording(w, &row);
    proto_write_key(w, "answer");
    proto_write_raw(w, answer->body);
    proto_write_object_end(w);
    return NAV_OK;
}

nav_status handle_recording_post(request *r, reply *out, nav_error *err)
{
    nav_arena memory;
    proto_recording_request asked;
    reply answer = {0};
    nav_arena_init(&memory, NULL, MEMORY_BYTES);
    nav_status status =
        proto_request_json(&PROTO_RECORDING, r->body, r->body_bytes, &memory, &asked, err);
    NAV_IF_OK(status, ask(r, &asked, &answer, err));
    // A question that was not kept, since it could not be read or its mesh was not found, has the
    // answer that it would have without being recorded.
    const bool kept = status == NAV_OK && answer.recording[0] != '\0';
    if (kept) {
        status = write_recorded(r, &answer, &out->w, err);
    }
    if (status == NAV_OK && kept) {
        out->status = 201;
        (void)snprintf(out->location, sizeof out->location, "/v1/recordings/%s", answer.recording);
        memcpy(out->recording, answer.recording, sizeof out->recording);
    } else if (status == NAV_OK) {
        *out = answer;
        answer.body = NULL;
    }
    out->held_bytes = answer.held_bytes;
    free(answer.body);
    nav_arena_free(&memory);
    return status;
}

// ---- a bundle ----

static nav_status pack(const service *s, const bundle *whole, void **file, size_t *file_bytes,
                       nav_error *err)
{
    nav_status status = NAV_OK;
    proto_writer contents;
    proto_writer_init(&contents);
    contents.limit_bytes = (size_t)recording_file_bytes_max(s);
    bundle_write_contents(whole, &contents);
    if (contents.failed) {
        status = contents.at_limit ? recording_fail_large(s, err)
                                   : nav_fail(err, NAV_NO_MEMORY, "no memory for a recording");
    }
    NAV_IF_OK(status, bundle_pack(contents.bytes, contents.size_bytes, file, file_bytes, err));
    proto_writer_free(&contents);
    return status;
}

// The recording with its version.
static nav_status join(const service *s, const store_recording *row, const bundle *recorded,
                       void **file, size_t *file_bytes, nav_error *err)
{
    bundle whole = *recorded;
    store_version version = {0};
    load_stored stored = {0};
    nav_status status = store_version_get(s->store, row->mesh, row->version, &version, err);
    NAV_IF_OK(status, load_stored_read(s->store, row->mesh, row->version, NULL, &stored, err));
    NAV_IF_OK(status, load_stored_check(s->store, row->mesh, row->version, &stored, err));
    if (status == NAV_OK && (stored.landmarks_damaged || version.config_json == NULL)) {
        status = damage_fail(err, row->mesh, row->version, "its settings, or landmarks");
    }
    if (status == NAV_OK) {
        whole.config = version.config_json;
        whole.tiles = stored.tiles;
        whole.tile_count = (uint32_t)stored.tile_count;
        whole.landmarks = stored.landmarks;
        whole.landmark_count = (uint32_t)stored.landmark_count;
        status = pack(s, &whole, file, file_bytes, err);
    }
    load_stored_free(&stored);
    store_version_free(&version);
    return status;
}

// While a file is made it counts among answers with its version and its contents.
static nav_status join_version(service *s, const store_recording *row, const bundle_file *stored,
                               reply *out, nav_error *err)
{
    void *file = NULL;
    uint64_t bytes = 0;
    nav_status status = recording_check_version(s, row->mesh, row->version, &bytes, err);
    NAV_IF_OK(status, service_hold_answer(s, 2 * bytes, &out->held_bytes, err));
    if (status == NAV_OK) {
        status = join(s, row, &stored->bundle, &file, &out->body_bytes, err);
        status = repair_after(s, row->mesh, row->version, status, err);
        out->body = file;
    }
    return status;
}

// The file becomes the body of the reply, which goes on to hold what it held while it was made.
static nav_status make_bundle(const request *r, reply *out, nav_error *err)
{
    store_recording row;
    bundle_file stored;
    nav_status status = store_recording_get(r->service->store, r->recording, &row, err);
    if (status != NAV_OK) {
        return status;
    }
    status = bundle_read(row.bundle, row.bundle_bytes, &stored, err);
    free(row.bundle);
    if (status == PROTO_BAD_BUNDLE) {
        return nav_fail(err, PROTO_INTERNAL,
                        "recording %s is damaged in the database: delete it, or restore a backup",
                        r->recording);
    }
    if (status != NAV_OK) {
        return status;
    }
    status = join_version(r->service, &row, &stored, out, err);
    bundle_free(&stored);
    return status;
}

nav_status handle_recording_get(request *r, reply *out, nav_error *err)
{
    const nav_status status = make_bundle(r, out, err);
    if (status == NAV_OK) {
        out->content_type = BUNDLE_TYPE;
        (void)snprintf(out->file_name, sizeof out->file_name, "%s.navrec", r->recording);
    }
    return status;
}

nav_status handle_recording_delete(request *r, reply *out, nav_error *err)
{
    out->status = 204;
    return store_recording_delete(r->service->store, r->recording, err);
}
