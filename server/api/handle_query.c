// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// handle_query.c: the life of a query, on the HTTP thread that read it:
//
//   body or arguments --proto--> question --acquire mesh--> core --> answer --proto--> reply
//
// What is special to a kind of question stands in its answer_*.c. Questions to the live version
// touch no disk.

#include "server/api/query.h"
#include "server/api/routes.h"
#include "server/base/clock.h"
#include "server/meshes/scratch.h"
#include "server/jobs/version_mesh.h"

#include <stdalign.h>

// Points of a question are turned into the mesh's coordinates; the answer's writer turns them back.
static nav_coordinates coordinates_of(const nav_mesh *mesh)
{
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    return stats.coordinates;
}

void asked_point(const asked *a, const float point[3], float out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = point[i];
    }
    proto_to_mesh(a->coordinates, out);
}

float (*asked_points(const asked *a, proto_points points))[3]
{
    float(*turned)[3] = nav_arena_alloc(a->memory, points.count, sizeof *turned);
    for (uint32_t i = 0; turned != NULL && i < points.count; i++) {
        asked_point(a, points.at[i], turned[i]);
    }
    return turned;
}

nav_status asked_check_count(const asked *a, const char *member, uint32_t count)
{
    const uint64_t limit = a->r->service->limits.batch_queries;
    if (count <= limit) {
        return NAV_OK;
    }
    nav_fail(a->err, PROTO_BATCH_TOO_LARGE, "%s has %u elements; send them in several requests",
             member, count);
    nav_error_at(a->err, "%s", member);
    nav_error_got(a->err, "%u", count);
    nav_error_limit(a->err, "%llu", (unsigned long long)limit);
    return PROTO_BATCH_TOO_LARGE;
}

nav_status asked_no_memory(const asked *a)
{
    if (a->options.cancelled != NULL && a->options.cancelled(a->options.user)) {
        return NAV_CANCELLED;
    }
    if (a->scratch != NULL && nav_scratch_avoid_refused(a->scratch)) {
        nav_fail(a->err, NAV_INVALID_FIELD,
                 "the shapes to avoid cut the ground into too many pieces; send fewer of them, or "
                 "such as overlap less");
        nav_error_at(a->err, "avoid");
        return NAV_INVALID_FIELD;
    }
    return nav_fail(a->err, NAV_NO_MEMORY, "no memory to search a mesh of this size");
}

// When all questions of a request have to be answered.
static uint64_t request_ends_ns(const request *r)
{
    return clock_now_ns() + r->service->limits.query_ms * UINT64_C(1000000);
}

// ---- the steps ----

static nav_status read_question(const request *r, nav_arena *memory, void *question, nav_error *err)
{
    const query *q = r->route->query;
    if (r->route->body == BODY_NONE) {
        return proto_request_args(q->kind, r->args, r->arg_count, memory, question, err);
    }
    if (q->read_packed != NULL && request_has_type(r, r->route->media_type)) {
        return q->read_packed(r, memory, question, err);
    }
    return proto_request_json(q->kind, r->body, r->body_bytes, memory, question, err);
}

static nav_status answer(asked *a)
{
    nav_filter room;
    a->coordinates = coordinates_of(a->mesh);
    a->w->coordinates = a->coordinates;
    a->scratch = scratch_of_thread();
    if (a->scratch == NULL) {
        return asked_no_memory(a);
    }
    const proto_common *common = a->question;
    nav_status status = proto_common_resolve(common, a->mesh, &room, &a->options, a->err);
    a->deadline_ns = asked_deadline_ns(a, common->deadline_ms);
    a->options.cancelled = asked_deadline_exceeded;
    a->options.user = &a->deadline_ns;
    a->options.unhurried = common->deadline_ms == 0;
    status = status == NAV_OK ? a->r->route->query->answer(a) : status;
    if (status == NAV_CANCELLED) {
        proto_write_late(a->w, a->r->mesh, a->version);
        return NAV_OK;
    }
    return status;
}

void handle_query(request *r, reply *out)
{
    alignas(max_align_t) unsigned char question[PROTO_REQUEST_BYTES_MAX];
    nav_error err = {0};
    nav_arena memory;
    proto_writer w;
    nav_arena_init(&memory, NULL, LIMIT_QUERY_MEMORY_BYTES);
    proto_writer_init(&w);
    asked a = {.r = r,
               .question = question,
               .ends_ns = request_ends_ns(r),
               .memory = &memory,
               .w = &w,
               .content_type = "application/json",
               .nodes_expanded = &r->nodes_expanded,
               .err = &err};
    nav_mesh *mesh = NULL;
    nav_status status = read_question(r, &memory, question, &err);
    if (status == NAV_OK) {
        const proto_common *common = (const void *)question;
        status =
            version_mesh_acquire(r->service, r->mesh, common->version, &mesh, &a.version, &err);
        r->query_version = a.version;
    }
    if (status == NAV_OK) {
        a.mesh = mesh;
        status = answer(&a);
        nav_mesh_release(mesh);
    }
    nav_arena_free(&memory);
    if (status == NAV_OK) {
        reply_take(r, out, 200, a.content_type, &w);
    } else {
        proto_writer_free(&w);
        reply_error(r, out, &err);
    }
}

// ---- picture ----

static nav_status draw(const request *r, const proto_render_request *question, proto_writer *w,
                       nav_error *err)
{
    nav_mesh *mesh;
    asked a = {
        .r = r, .ends_ns = request_ends_ns(r), .w = w, .err = err, .scratch = scratch_of_thread()};
    nav_status status =
        version_mesh_acquire(r->service, r->mesh, r->version, &mesh, &a.version, err);
    if (status != NAV_OK) {
        return status;
    }
    a.mesh = mesh;
    a.coordinates = coordinates_of(mesh);
    nav_path path;
    if (question->has_path) {
        const nav_options options = nav_options_default();
        proto_path_request route_question = {.partial = true};
        for (int i = 0; i < 3; i++) {
            route_question.start[i] = question->start[i];
            route_question.end[i] = question->end[i];
        }
        status = asked_path(&a, &route_question, &options, &path);
    }
    if (status == NAV_OK) {
        proto_write_svg(w, mesh, question->width_px, question->has_path ? &path : NULL);
    }
    nav_mesh_release(mesh);
    return status;
}

void handle_render(request *r, reply *out)
{
    proto_render_request question;
    proto_writer w;
    nav_error err = {0};
    proto_writer_init(&w);
    nav_status status = proto_render_request_args(r->args, r->arg_count, &question, &err);
    if (status == NAV_OK) {
        status = draw(r, &question, &w, &err);
    }
    if (status == NAV_OK) {
        reply_take(r, out, 200, "image/svg+xml", &w);
    } else {
        proto_writer_free(&w);
        reply_error(r, out, &err);
    }
}
