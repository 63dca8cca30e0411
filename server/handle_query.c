// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// handle_query.c: the life of a query, on the HTTP thread that read it:
//
//   body or arguments --proto--> question --acquire mesh--> core --> answer --proto--> reply
//
// Questions to the live version touch neither disk nor heap beyond the reply's bytes.

#include "server/routes.h"
#include "server/scratch.h"
#include "server/version_mesh.h"

// Points of a question are turned into the mesh's coordinates; the answer's writer turns them back.
static nav_coordinates coordinates_of(const nav_mesh *mesh)
{
    nav_mesh_stats stats;
    nav_mesh_stats_get(mesh, &stats);
    return stats.coordinates;
}

// ---- path ----

static nav_status ask_path(const nav_mesh *mesh, const nav_path_request *question, nav_path *out,
                           nav_error *err)
{
    nav_scratch *scratch = scratch_of_thread();
    if (scratch == NULL || nav_query_path(mesh, scratch, question, out) != NAV_OK) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to search a mesh of this size");
    }
    return NAV_OK;
}

static void answer_path(const request *r, reply *out, const proto_path_request *question)
{
    nav_error err = {0};
    nav_mesh *mesh;
    nav_path path;
    uint32_t version;
    nav_status status =
        version_mesh_acquire(r->service, r->mesh, question->version, &mesh, &version, &err);
    if (status == NAV_OK) {
        nav_path_request turned = question->path;
        nav_coordinates coordinates = coordinates_of(mesh);
        proto_to_mesh(coordinates, turned.start);
        proto_to_mesh(coordinates, turned.end);
        status = ask_path(mesh, &turned, &path, &err);
        if (status == NAV_OK) {
            proto_writer w;
            proto_writer_init(&w);
            w.coordinates = coordinates;
            proto_write_path(&w, r->mesh, version, &path);
            reply_take(r, out, 200, "application/json", &w);
        }
        nav_mesh_release(mesh);
    }
    if (status != NAV_OK) {
        reply_error(r, out, &err);
    }
}

void handle_path_get(request *r, reply *out)
{
    proto_path_request question;
    nav_error err = {0};
    if (proto_path_request_args(r->args, r->arg_count, &question, &err) == NAV_OK) {
        answer_path(r, out, &question);
    } else {
        reply_error(r, out, &err);
    }
}

void handle_path_post(request *r, reply *out)
{
    proto_path_request question;
    nav_error err = {0};
    if (proto_path_request_json(r->body, r->body_bytes, &question, &err) == NAV_OK) {
        answer_path(r, out, &question);
    } else {
        reply_error(r, out, &err);
    }
}

// ---- nearest ----

static void answer_nearest(const request *r, reply *out, const proto_nearest_request *question)
{
    nav_error err = {0};
    nav_mesh *mesh;
    uint32_t version;
    if (version_mesh_acquire(r->service, r->mesh, question->version, &mesh, &version, &err) !=
        NAV_OK) {
        reply_error(r, out, &err);
        return;
    }
    nav_location places[PROTO_NEAREST_MAX];
    nav_coordinates coordinates = coordinates_of(mesh);
    float point[3] = {question->point[0], question->point[1], question->point[2]};
    proto_to_mesh(coordinates, point);
    uint32_t count =
        nav_query_nearest(mesh, point, question->snap, NAV_NONE, places, question->count);
    proto_writer w;
    proto_writer_init(&w);
    w.coordinates = coordinates;
    proto_write_nearest(&w, r->mesh, version, mesh, places, count);
    nav_mesh_release(mesh);
    reply_take(r, out, 200, "application/json", &w);
}

void handle_nearest_get(request *r, reply *out)
{
    proto_nearest_request question;
    nav_error err = {0};
    if (proto_nearest_request_args(r->args, r->arg_count, &question, &err) == NAV_OK) {
        answer_nearest(r, out, &question);
    } else {
        reply_error(r, out, &err);
    }
}

void handle_nearest_post(request *r, reply *out)
{
    proto_nearest_request question;
    nav_error err = {0};
    if (proto_nearest_request_json(r->body, r->body_bytes, &question, &err) == NAV_OK) {
        answer_nearest(r, out, &question);
    } else {
        reply_error(r, out, &err);
    }
}

// ---- picture ----

static nav_status draw(const request *r, const proto_render_request *question, proto_writer *w,
                       nav_error *err)
{
    nav_mesh *mesh;
    uint32_t version;
    nav_status status = version_mesh_acquire(r->service, r->mesh, r->version, &mesh, &version, err);
    if (status != NAV_OK) {
        return status;
    }
    nav_path path;
    nav_path_request route_question = {.snap = nav_snap_default()};
    for (int i = 0; i < 3; i++) {
        route_question.start[i] = question->start[i];
        route_question.end[i] = question->end[i];
    }
    proto_to_mesh(coordinates_of(mesh), route_question.start);
    proto_to_mesh(coordinates_of(mesh), route_question.end);
    if (question->has_path) {
        status = ask_path(mesh, &route_question, &path, err);
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
