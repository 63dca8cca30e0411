// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query.c: the life of a query, on the HTTP thread that read it:
//
//   body or arguments --proto--> question --acquire mesh--> core --> answer --proto--> reply
//
// One whose body is long would hold up all other connections of that thread: its request is
// suspended, and it takes the same steps on a thread for long questions (jobs/tasks.c).
//
// The answer to each kind of question is in answers.c, that of a batch in batch.c. Questions to the
// live version touch no disk.

#include "server/api/query.h"
#include "proto/base/coordinates.h"
#include "server/api/routes.h"
#include "server/jobs/jobs.h"
#include "server/jobs/worlds.h"
#include "server/base/clock.h"
#include "server/base/metrics.h"
#include "server/meshes/scratch.h"
#include "server/jobs/version_mesh.h"
#include "server/recordings/recordings.h"

#include <stdalign.h>
#include <stdlib.h>

// ---- for the answers ----

// A question is turned into the mesh's coordinates; the answer's writer turns them back.
nav_status query_failure(const query_context *q)
{
    if (q->options.cancelled != NULL && q->options.cancelled(q->options.user)) {
        return NAV_CANCELLED;
    }
    if (q->scratch != NULL && nav_scratch_avoid_refused(q->scratch)) {
        const bool own = q->options.avoid_count > 0;
        return nav_fail_at(
            q->err, NAV_INVALID_FIELD, own ? "avoid" : "instance",
            "the %s cut the ground into too many pieces; send fewer of them, or such as "
            "overlap less",
            own ? "shapes to avoid" : "obstacles that the question begins in");
    }
    return nav_fail(q->err, NAV_NO_MEMORY, "no memory to search a mesh of this size");
}

bool query_deadline_exceeded(void *deadline_ns)
{
    return clock_now_ns() >= *(const uint64_t *)deadline_ns;
}

static bool is_set(const atomic_bool *cancelled)
{
    return cancelled != NULL && atomic_load_explicit(cancelled, memory_order_relaxed);
}

static bool is_over(void *user)
{
    query_context *q = user;
    return query_deadline_exceeded(&q->deadline_ns) || is_set(q->cancelled);
}

// The end of a question that begins now: so many milliseconds from now (0: when the request ends).
static uint64_t deadline_of(const query_context *q, uint32_t deadline_ms)
{
    if (deadline_ms == 0) {
        return q->ends_ns;
    }
    const uint64_t own_ns = clock_now_ns() + deadline_ms * UINT64_C(1000000);
    return own_ns < q->ends_ns ? own_ns : q->ends_ns;
}

uint64_t query_ends_ns(const request *r)
{
    return clock_now_ns() + r->service->limits.query_ms * UINT64_C(1000000);
}

void query_say_no(const query_context *q, bool no)
{
    if (no) {
        atomic_store_explicit(q->negative, true, memory_order_relaxed);
    }
}

nav_status query_answer(query_context *q, const query *kind)
{
    const proto_common *common = q->question;
    q->deadline_ns = deadline_of(q, common->deadline_ms);
    q->options.cancelled = is_over;
    q->options.user = q;
    q->options.unhurried = common->deadline_ms == 0;
    q->head.nearby = NULL; // that of the question before
    nav_status status = kind->answer(q);
    if (status == NAV_CANCELLED) {
        query_say_no(q, true);
        proto_write_deadline_exceeded(q->w, &q->head);
        return NAV_OK;
    }
    return status;
}

// ---- the steps ----

static nav_status read_question(const request *r, nav_arena *memory, void *question, nav_error *err)
{
    const query *q = r->route->query;
    NAV_ASSERT(q != NULL && q->kind != NULL && q->answer != NULL);
    if (r->route->body == BODY_NONE) {
        const nav_status status =
            proto_request_args(q->kind, r->args, r->arg_count, memory, question, err);
        return status == NAV_OK && ((const proto_common *)question)->record &&
                       r->requested_with == NULL
                   ? nav_fail_at(err, PROTO_ORIGIN_NOT_ALLOWED, "X-Requested-With",
                                 "a GET that records needs this header, which a page of another "
                                 "site cannot send; or POST the question")
                   : status;
    }
    if (q->packed != PROTO_PACKED_NOT && request_has_type(r, r->route->media_type)) {
        return proto_batch_read_packed(q->kind, r->body, r->body_bytes, memory, question, err);
    }
    return proto_request_json(q->kind, r->body, r->body_bytes, memory, question, err);
}

// Names that stand in the address of a question are members of one that is to be recorded.
static nav_status name_member(const query_context *q, nav_status status)
{
    if (q->r->record_name != NULL && status == PROTO_MESH_NOT_FOUND) {
        nav_error_at(q->err, "mesh");
    }
    return status;
}

// The mesh to ask: that of the instance that the question, or the address, names, or that of a
// version. *world is NULL without an instance. A batch without a version has that of the first
// instance that it names.
static nav_status acquire(query_context *q, proto_common *common, instance_world **world,
                          nav_mesh **mesh)
{
    const request *r = q->r;
    const bool is_batch = r->route->query->first_instance != NULL;
    uint32_t first = 0;
    const char *name = r->instance[0] != '\0' ? r->instance
                       : is_batch             ? r->route->query->first_instance(common, &first)
                                              : common->instance;
    if (name == NULL) {
        return name_member(q, version_mesh_acquire(r->service, r->mesh, common->version, mesh,
                                                   &q->head.version, q->err));
    }
    nav_status status = world_acquire(r->service, r->mesh, name, common->version, world, q->err);
    if (status == NAV_OK) {
        *mesh = nav_mesh_acquire((*world)->mesh);
        q->head.version = (*world)->version;
    }
    if (status == PROTO_INSTANCE_NOT_FOUND && (r->instance[0] == '\0' || r->record_name != NULL)) {
        nav_error_at(q->err, "instance");
        if (is_batch) {
            proto_name_query(q->err, first);
        }
    }
    if (status == NAV_OK && !is_batch) {
        q->head.instance = name;
        q->head.revision = (*world)->state->revision;
    }
    return status;
}

// world: NULL, or that of the instance that the question names.
static nav_status answer(query_context *q, proto_common *common, const instance_world *world)
{
    NAV_ASSERT(q->mesh != NULL && q->head.version != 0);
    nav_filter space;
    // Points of a question are turned into the mesh's; the answer's writer turns them back.
    q->coordinates = nav_mesh_coordinates(q->mesh);
    q->w->coordinates = q->coordinates;
    q->scratch = scratch_of_thread();
    if (q->scratch == NULL) {
        return query_failure(q);
    }
    uint32_t agent;
    nav_status status = proto_agent_find(q->mesh, common->agent, &agent, q->err);
    NAV_IF_OK(status, proto_request_to_mesh(q->r->route->query->kind, q->coordinates,
                                            q->r->service->limits.batch_queries, common, q->err));
    if (status == NAV_OK) {
        q->mesh = agent == 0 ? q->mesh : nav_mesh_agent(q->mesh, agent - 1);
        common->world = q->world = world != NULL ? instance_world_of(world, agent) : NULL;
        status = proto_common_resolve(common, q->mesh, &space, &q->options, q->err);
    }
    return status == NAV_OK ? query_answer(q, q->r->route->query) : status;
}

// ---- recordings ----

// Whether a deadline may have ended a search, of any query.
static bool is_timed(const query_context *q, const query *kind, const proto_common *common,
                     uint64_t now_ns)
{
    bool timed = now_ns >= q->ends_ns || common->deadline_ms > 0;
    const proto_batch_request *batch = (const void *)common;
    for (uint32_t i = 0; kind->first_instance != NULL && !timed && i < batch->count; i++) {
        timed = batch->queries[i].question->deadline_ms > 0;
    }
    return timed;
}

// The version that a question was about that has failed before its mesh was at hand; 0: there is
// none.
static uint32_t version_of(const query_context *q, const proto_common *common)
{
    store_mesh mesh = {0};
    if (q->head.version != 0 || common->version != 0) {
        return q->head.version != 0 ? q->head.version : common->version;
    }
    (void)store_mesh_get(q->r->service->store, q->r->mesh, &mesh, NULL);
    return mesh.active;
}

// Without its version a question has the error that says so; what is damaged can be recorded.
static bool is_found(const query_context *q, int status)
{
    return q->mesh != NULL || (q->head.version != 0 && status == 500);
}

// Gathers the names and states of the asked instances for a recording. one: room for that of a
// question that names one. False without memory. world: NULL, or that of the one instance.
static bool gather_instances(const query_context *q, const instance_world *world,
                             recorded_instance *one, recorded_question *out)
{
    if (world != NULL) {
        const char *name = q->r->instance[0] != '\0' ? q->r->instance : q->head.instance;
        *one = (recorded_instance){.name = name, .state = world->state};
        out->instances = one;
        out->instance_count = 1;
        return true;
    }
    if (q->worlds.count == 0) {
        return true;
    }
    recorded_instance *many = NAV_NEW(q->memory, recorded_instance, q->worlds.count);
    for (uint32_t i = 0; many != NULL && i < q->worlds.count; i++) {
        many[i] =
            (recorded_instance){.name = q->worlds.names[i], .state = q->worlds.held[i]->state};
    }
    out->instances = many;
    out->instance_count = many != NULL ? q->worlds.count : 0;
    return many != NULL;
}

// Keeps what was asked to be kept. An answer that cannot be sent now is not kept either, since who
// asked would not learn its id.
static nav_status keep(const request *r, const recorded_question *question, reply *out,
                       nav_error *err)
{
    const nav_status status = reply_hold(r, out, err);
    return status == NAV_OK ? recordings_keep(r->service->recordings, question, out->recording, err)
                            : status;
}

// Keeps question and answer, if that was asked for, or if it took long, or failed. An answer that
// cannot be kept as it was to be becomes the error that says why.
static void record(const query_context *q, const proto_common *common, const instance_world *world,
                   reply *out)
{
    const request *r = q->r;
    const bool asked = common->record || r->record_name != NULL;
    const uint64_t now_ns = clock_now_ns();
    const uint64_t slow_ns =
        atomic_load_explicit(&r->service->live.slow_query_ns, memory_order_relaxed);
    const bool slow = slow_ns > 0 && now_ns - q->begun_ns >= slow_ns;
    if ((!asked && !slow && out->status != 500) || (asked && !is_found(q, out->status))) {
        return;
    }
    recorded_instance one;
    recorded_question question = {.request = r,
                                  .answer = out,
                                  .version = version_of(q, common),
                                  .timed = is_timed(q, r->route->query, common, now_ns),
                                  .duration_ns = now_ns - q->begun_ns};
    nav_error err = {0};
    nav_status status = NAV_OK;
    if (!gather_instances(q, world, &one, &question)) {
        status = nav_fail(&err, NAV_NO_MEMORY, "no memory to record a question");
    } else if (asked) {
        status = keep(r, &question, out, &err);
    } else if (question.version != 0) {
        recordings_offer(r->service->recordings, slow ? STORE_CAUSE_SLOW : STORE_CAUSE_FAILED,
                         &question);
    }
    if (asked && status != NAV_OK) {
        free(out->body);
        *out = (reply){.held_bytes = out->held_bytes};
        reply_error(r, out, &err);
    }
}

// Off, or without anything asked for, a question pays for this check and no more.
static bool may_record(const request *r, const proto_common *common)
{
    const recordings *all = r->service->recordings;
    return all != NULL &&
           (common->record || r->record_name != NULL || recordings_bytes_max(all) > 0);
}

// ---- the whole ----

// Answers into q->w. A batch knows the instances of its queries itself.
static nav_status acquire_and_answer(query_context *q, proto_common *common, instance_world **world)
{
    nav_mesh *mesh = NULL;
    nav_status status = acquire(q, common, world, &mesh);
    if (status == NAV_OK) {
        q->mesh = mesh;
        status = answer(q, common, q->head.instance != NULL ? *world : NULL);
        nav_mesh_release(mesh);
    }
    return status;
}

// The reply is whole here, so that it can be recorded.
static void write_reply(query_context *q, nav_status status, bool was_read, reply *out)
{
    const request *r = q->r;
    // An answer that is kept has the bytes that it has without being recorded; an error in its
    // place is one of the body that the question is a member of.
    if (status != NAV_OK && r->record_name != NULL && q->err->at[0] != '\0' &&
        !(was_read && is_found(q, proto_status_http(status)))) {
        proto_error_within(q->err, "question.");
    }
    out->content_type = q->content_type;
    reply_finish(r, out, status, q->err);
}

// cancelled: NULL, or of a long one.
static void answer_request(request *r, uint64_t ends_ns, const atomic_bool *cancelled, reply *out)
{
    alignas(max_align_t) unsigned char question[PROTO_REQUEST_BYTES_MAX];
    nav_arena memory;
    nav_error err = {0};
    atomic_bool negative = false;
    nav_arena_init(&memory, NULL, LIMIT_QUERY_MEMORY_BYTES);
    query_context q = {.r = r,
                       .head = {.mesh = r->mesh},
                       .question = question,
                       .begun_ns = clock_now_ns(),
                       .ends_ns = ends_ns,
                       .cancelled = cancelled,
                       .memory = &memory,
                       .w = &out->w,
                       .content_type = "application/json",
                       .nodes_expanded = &r->nodes_expanded,
                       .negative = &negative,
                       .err = &err};
    instance_world *world = NULL;
    NAV_ASSERT(r->route->query != NULL && r->mesh[0] != '\0');
    nav_status status = read_question(r, &memory, question, &err);
    const bool was_read = status == NAV_OK;
    if (was_read) {
        status = acquire_and_answer(&q, (void *)question, &world);
        r->query_version = q.head.version;
    }
    write_reply(&q, status, was_read, out);
    out->negative = atomic_load(&negative);
    // Nobody gets the answer of one that the stop has ended.
    if (was_read && !is_set(cancelled) && may_record(r, (const void *)question)) {
        record(&q, (const void *)question, q.head.instance != NULL ? world : NULL, out);
    }
    for (uint32_t i = 0; i < q.worlds.count; i++) {
        instance_world_release(q.worlds.held[i]);
    }
    instance_world_release(world);
    nav_arena_free(&memory);
}

// ---- long ones ----

typedef struct long_query {
    request *r;
    uint64_t ends_ns, took_ns;
    job_task task;
    reply out;
    bool is_whole; // the stop has not ended it before its answer was written
} long_query;

static void run_long(void *user)
{
    long_query *l = user;
    const uint64_t begin_ns = clock_now_ns();
    metrics_add(METRICS_HANDLERS_RUNNING, 1);
    answer_request(l->r, l->ends_ns, &l->task.cancelled, &l->out);
    metrics_add(METRICS_HANDLERS_RUNNING, -1);
    l->is_whole = !is_set(&l->task.cancelled);
    l->took_ns = clock_now_ns() - begin_ns;
}

static void resume(void *user)
{
    request_resume(((long_query *)user)->r);
}

static nav_status begin_long(request *r, reply *out, nav_error *err)
{
    long_query *l = calloc(1, sizeof *l);
    if (l == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for a question");
    }
    l->r = r;
    l->ends_ns = query_ends_ns(r);
    // It is run also when its time is over: the answer says so.
    l->task = (job_task){.queue = JOB_QUEUE_QUESTIONS, .run = run_long, .done = resume, .user = l};
    l->out = *out; // nothing has been written yet
    r->stream = l;
    // Suspended first: the other thread may be done before this one gets any further.
    request_suspend(r);
    out->later = true;
    if (jobs_ask(r->service->jobs, &l->task, UINT32_MAX, NULL) != NAV_OK) { // the daemon stops
        request_resume(r);
    }
    return NAV_OK;
}

static nav_status end_long(request *r, reply *out, nav_error *err)
{
    long_query *l = r->stream;
    r->elsewhere_ns = l->took_ns;
    if (!l->is_whole) {
        return nav_fail(err, PROTO_NOT_READY, "the daemon stops; ask again once it is back");
    }
    *out = l->out;
    l->out = (reply){0};
    return NAV_OK;
}

nav_status handle_query(request *r, reply *out, nav_error *err)
{
    const size_t long_bytes = r->route->query->long_bytes;
    if (r->stream != NULL) {
        return end_long(r, out, err);
    }
    if (long_bytes > 0 && r->body_bytes >= long_bytes && r->connected) {
        return begin_long(r, out, err);
    }
    answer_request(r, query_ends_ns(r), NULL, out);
    return NAV_OK;
}

void handle_query_close(request *r)
{
    long_query *l = r->stream;
    if (l != NULL) {
        service_count_answer(r->service, 0, &l->out.held_bytes);
        proto_writer_free(&l->out.w);
        free(l->out.body);
        free(l);
    }
}
