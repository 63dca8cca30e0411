// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// explain.c: the life of a question that needs a bake.

#include "server/explain/explain.h"

#include "server/base/clock.h"
#include "server/instances/state.h"
#include "server/jobs/version_mesh.h"
#include "server/jobs/worlds.h"

#include <stdlib.h>
#include <string.h>

// ---- on the HTTP thread, before ----

// The mesh of the version, or of the instance's.
static nav_status acquire(explaining *e)
{
    const proto_common *common = &e->question.common;
    nav_status status;
    if (common->instance == NULL) {
        return version_mesh_acquire(e->service, e->name, common->version, &e->root,
                                    &e->head.version, &e->err);
    }
    status =
        world_acquire(e->service, e->name, common->instance, common->version, &e->world, &e->err);
    if (status == PROTO_INSTANCE_NOT_FOUND) {
        nav_error_at(&e->err, "instance");
    }
    if (status == NAV_OK) {
        e->root = nav_mesh_acquire(e->world->mesh);
        e->head.version = e->world->version;
        e->head.instance = common->instance;
        e->head.revision = e->world->state->revision;
    }
    return status;
}

// From the level's coordinates to the mesh's, and from names to numbers.
static nav_status resolve(explaining *e)
{
    proto_explain_request *q = &e->question;
    const nav_coordinates coordinates = nav_mesh_coordinates(e->root);
    e->w.coordinates = coordinates;
    nav_status status = proto_agent_find(e->root, q->common.agent, &e->agent_number, &e->err);
    NAV_IF_OK(status, proto_request_to_mesh(&PROTO_EXPLAIN, coordinates, 0, &q->common, &e->err));
    if (status != NAV_OK) {
        return status;
    }
    e->mesh = e->agent_number == 0 ? e->root : nav_mesh_agent(e->root, e->agent_number - 1);
    e->agent = e->agent_number == 0 ? NULL : nav_mesh_agent_name(e->root, e->agent_number - 1);
    q->common.world = e->world != NULL ? instance_world_of(e->world, e->agent_number) : NULL;
    return proto_common_resolve(&q->common, e->mesh, &e->space, &e->options, &e->err);
}

// For the hooks of a bake and the options of a query.
static bool is_over(void *user)
{
    const explaining *e = user;
    return atomic_load_explicit(&e->task.cancelled, memory_order_relaxed) ||
           clock_now_ns() >= e->deadline_ns;
}

// ---- on the thread for tasks ----

static void work(void *user)
{
    explaining *e = user;
    const size_t limit_bytes = (size_t)e->service->budget.bake_bytes;
    nav_arena_init(&e->scratch, NULL, limit_bytes);
    nav_arena_init(&e->result, NULL, limit_bytes);
    nav_status status = is_over(e) ? NAV_CANCELLED : explain_load(e);
    NAV_IF_OK(status, e->question.explained == PROTO_EXPLAINED_TILE   ? explain_tile(e)
                      : e->question.explained == PROTO_EXPLAINED_PATH ? explain_path(e)
                                                                      : explain_point(e));
    e->err.status = status;
    explain_unload(e);
    nav_arena_free(&e->result);
    nav_arena_free(&e->scratch);
}

static void done(void *user)
{
    request_resume(((explaining *)user)->r);
}

// ---- the request ----

static explaining *create(request *r)
{
    explaining *e = calloc(1, sizeof *e);
    if (e == NULL) {
        return NULL;
    }
    e->r = r;
    e->service = r->service;
    memcpy(e->name, r->mesh, sizeof e->name);
    e->head.mesh = e->name;
    e->hooks = (nav_bake_hooks){.user = e, .cancelled = is_over};
    e->task = (job_task){.run = work, .done = done, .user = e};
    nav_arena_init(&e->memory, NULL, LIMIT_QUERY_MEMORY_BYTES);
    proto_writer_init(&e->w);
    return e;
}

static nav_status begin(explaining *e)
{
    request *r = e->r;
    nav_status status = proto_request_args(&PROTO_EXPLAIN, r->args, r->arg_count, &e->memory,
                                           &e->question, &e->err);
    const uint64_t own_ms = e->question.common.deadline_ms, all_ms = r->service->limits.query_ms;
    e->deadline_ns =
        clock_now_ns() + (own_ms > 0 && own_ms < all_ms ? own_ms : all_ms) * UINT64_C(1000000);
    NAV_IF_OK(status, acquire(e));
    if (status == NAV_OK) {
        r->query_version = e->head.version;
        status = resolve(e);
    }
    e->options.cancelled = is_over;
    e->options.user = e;
    return status;
}

// The answer, or the error, once the task is done.
static nav_status finish(explaining *e, reply *out, nav_error *err)
{
    const bool unanswered =
        e->err.status == NAV_CANCELLED || (e->err.status == NAV_OK && !e->task.was_begun);
    if (unanswered && atomic_load(&e->task.cancelled)) {
        (void)nav_fail(&e->err, PROTO_NOT_READY, "the daemon stops; ask again once it is back");
    } else if (unanswered) {
        proto_writer_free(&e->w);
        proto_write_deadline_exceeded(&e->w, &e->head);
        e->err.status = NAV_OK;
    }
    if (e->err.status == NAV_OK) {
        out->w = e->w;
        proto_writer_init(&e->w);
    }
    *err = e->err;
    return err->status;
}

nav_status handle_explain(request *r, reply *out, nav_error *err)
{
    explaining *e = r->stream;
    if (e != NULL) {
        return finish(e, out, err);
    }
    e = create(r);
    if (e == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for a question");
    }
    r->stream = e;
    if (begin(e) != NAV_OK) {
        *err = e->err;
        return err->status;
    }
    e->task.ends_ns = e->deadline_ns;
    // Suspended first: the worker may be done before this thread gets any further.
    request_suspend(r);
    out->later = true;
    if (jobs_ask(r->service->jobs, &e->task, (uint32_t)r->service->limits.explain_queue, err) !=
        NAV_OK) {
        e->err = *err;
        request_resume(r);
    }
    return NAV_OK;
}

void handle_explain_close(request *r)
{
    explaining *e = r->stream;
    if (e != NULL) {
        instance_world_release(e->world);
        nav_mesh_release(e->root);
        nav_arena_free(&e->memory);
        proto_writer_free(&e->w);
        free(e);
    }
}
