// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// render.c: a picture of a version from above: what its layers need is fetched first, each only
// where it is asked for: the level's triangles from the store, the state of an instance, a path in
// that state.

#include "server/api/query.h"
#include "proto/base/coordinates.h"
#include "server/api/routes.h"
#include "server/jobs/worlds.h"

#include "proto/exports/exports.h"
#include "server/jobs/repair.h"
#include "server/jobs/version_mesh.h"
#include "server/meshes/load.h"
#include "server/meshes/scratch.h"

#include <string.h>

// All that a picture is made of; zeroed at first, given back by draw.
typedef struct rendering {
    const request *r;
    const proto_render_request *question;
    uint64_t ends_ns;
    nav_arena scratch;
    nav_mesh *mesh; // with those of its agents
    instance_world *instance;
    proto_geometry_reader *reader;
    nav_geometry level; // borrowed from reader
    nav_path path;      // in the thread's scratch
    proto_export what;
    proto_picture view;
} rendering;

// ---- what layers need ----

static nav_status find_world(rendering *g, uint32_t agent, nav_error *err)
{
    const request *r = g->r;
    const char *name = g->question->instance;
    if (name[0] == '\0') {
        return NAV_OK;
    }
    const nav_status status =
        world_acquire_over(r->service, r->mesh, name, g->mesh, r->version, &g->instance, err);
    if (status == NAV_OK) {
        g->view.world = instance_world_of(g->instance, agent);
    } else if (status == PROTO_INSTANCE_NOT_FOUND) {
        nav_error_at(err, "instance");
    }
    return status;
}

static nav_status load_level(rendering *g, nav_coordinates coordinates, nav_error *err)
{
    const request *r = g->r;
    const nav_bake_hooks hooks = {.user = &g->ends_ns, .cancelled = query_deadline_exceeded};
    size_t source_bytes = 0;
    if ((g->view.layers & PROTO_LAYER_LEVEL) == 0) {
        return NAV_OK;
    }
    nav_status status =
        load_geometry(r->service->store, r->mesh, r->version, &hooks, &g->reader, &g->level, err);
    status = repair_after(r->service, r->mesh, r->version, status, err);
    if (status == NAV_OK && proto_geometry_source(g->reader, &source_bytes) != NULL) {
        status = nav_fail_at(err, PROTO_NO_GEOMETRY, "layers",
                             "version %u of '%s' is a file of tiles without the level's triangles: "
                             "leave level out of layers",
                             r->version, r->mesh);
    }
    NAV_IF_OK(status, proto_geometry_to_mesh(g->reader, coordinates, err));
    g->view.level = &g->level;
    return status;
}

static nav_status find_path(rendering *g, nav_mesh *mesh, nav_error *err)
{
    nav_filter space;
    nav_options options;
    proto_path_request question = {.partial = true};
    const proto_common common = {
        .memory = &g->scratch, .snap = nav_snap_default(), .world = g->view.world};
    const query_context q = {.r = g->r,
                             .mesh = mesh,
                             .coordinates = nav_mesh_coordinates(mesh),
                             .scratch = scratch_of_thread(),
                             .memory = &g->scratch,
                             .err = err};
    if (!g->question->has_path) {
        return NAV_OK;
    }
    memcpy(question.start, g->question->start, sizeof question.start);
    memcpy(question.end, g->question->end, sizeof question.end);
    proto_to_mesh(q.coordinates, question.start);
    proto_to_mesh(q.coordinates, question.end);
    nav_status status = proto_common_resolve(&common, mesh, &space, &options, err);
    options.cancelled = query_deadline_exceeded;
    options.user = &g->ends_ns;
    options.unhurried = true;
    NAV_IF_OK(status, query_find_path(&q, &question, &options, NULL, &g->path));
    g->view.path = &g->path;
    return status;
}

static nav_status gather(rendering *g, nav_error *err)
{
    const request *r = g->r;
    uint32_t version, agent;
    nav_status status =
        version_mesh_acquire(r->service, r->mesh, r->version, &g->mesh, &version, err);
    NAV_IF_OK(status, proto_agent_find(g->mesh, g->question->agent, &agent, err));
    if (status != NAV_OK) {
        return status;
    }
    nav_mesh *body = agent == 0 ? g->mesh : nav_mesh_agent(g->mesh, agent - 1);
    g->what.nav = body;
    status = find_world(g, agent, err);
    NAV_IF_OK(status, load_level(g, nav_mesh_coordinates(body), err));
    return status == NAV_OK ? find_path(g, body, err) : status;
}

// ---- the picture ----

static void begin(rendering *g, const request *r, const proto_render_request *question)
{
    *g = (rendering){.r = r,
                     .question = question,
                     .ends_ns = query_ends_ns(r),
                     .what = {.mesh = r->mesh,
                              .version = r->version,
                              .agent = question->agent,
                              .has_bounds = question->has_bounds},
                     .view = {.width_px = question->width_px,
                              .layers = question->layers,
                              .legend = question->legend,
                              .is_cut = true,
                              .cancelled = query_deadline_exceeded}};
    g->view.user = &g->ends_ns;
    memcpy(g->what.min, question->min, sizeof g->what.min);
    memcpy(g->what.max, question->max, sizeof g->what.max);
    nav_arena_init(&g->scratch, NULL, LIMIT_QUERY_MEMORY_BYTES);
}

static nav_status draw(const request *r, const proto_render_request *question, proto_writer *w,
                       nav_error *err)
{
    rendering g;
    begin(&g, r, question);
    nav_status status = gather(&g, err);
    NAV_IF_OK(status, proto_picture_write(w, &g.what, &g.view, &g.scratch, err));
    proto_geometry_destroy(g.reader);
    instance_world_release(g.instance);
    nav_mesh_release(g.mesh);
    nav_arena_free(&g.scratch);
    if (status == NAV_CANCELLED) {
        status =
            nav_fail_at(err, PROTO_OVERLOADED, "bounds",
                        "the picture takes longer than a request may (--limit query_ms=): draw "
                        "a part of the level with bounds, or fewer layers");
        nav_error_limit(err, "%llu", (unsigned long long)r->service->limits.query_ms);
    }
    return status;
}

nav_status handle_render(request *r, reply *out, nav_error *err)
{
    proto_render_request question;
    out->w.limit_bytes = (size_t)r->service->limits.export_bytes;
    nav_status status =
        proto_request_args(&PROTO_RENDER, r->args, r->arg_count, NULL, &question, err);
    NAV_IF_OK(status, draw(r, &question, &out->w, err));
    if (status == NAV_OK) {
        out->content_type = "image/svg+xml";
        out->policy = HTTP_POLICY_PICTURE;
    }
    return status;
}
