// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// upload.c: the first half of a bake's life: what was sent is read and named; upload_store.c
// commits the version and puts its name in the queue. jobs/bake/bake.c is the second half.

#include "server/api/upload.h"
#include "proto/detour/detour.h"
#include "proto/replies/replies.h"
#include "server/base/clock.h"
#include "server/store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- what it may cost ----

// The bytes that have come, or the memory that they have become, and more that will be.
static nav_status hold(void *user, uint64_t more_bytes, nav_error *err)
{
    upload *u = user;
    const uint64_t memory = proto_body_memory(u->body);
    const uint64_t bytes = (u->came_bytes > memory ? u->came_bytes : memory) + more_bytes;
    nav_status status = NAV_OK;
    if (bytes < u->held_bytes) {
        service_give_back(u->service, u->held_bytes - bytes);
    } else {
        status = service_hold(u->service, bytes - u->held_bytes, err);
    }
    u->held_bytes = status == NAV_OK ? bytes : u->held_bytes;
    return status;
}

static bool is_stopping(const upload *u)
{
    return atomic_load(&u->service->state) == SERVICE_STOPPING;
}

static bool is_over(void *user)
{
    const upload *u = user;
    return is_stopping(u) ||
           u->spent_ns + (clock_thread_ns() - u->begun_ns) > u->service->limits.upload_ms * 1000000;
}

static nav_status poll(upload *u, nav_error *err)
{
    return is_over(u) ? nav_fail(err, NAV_CANCELLED, "cancelled") : NAV_OK;
}

// Each call from outside ends with this.
static nav_status end_work(upload *u, nav_status status, nav_error *err)
{
    const unsigned long long limit = u->service->limits.upload_ms;
    u->spent_ns += clock_thread_ns() - u->begun_ns;
    if (status == NAV_CANCELLED && is_stopping(u)) {
        return nav_fail(err, PROTO_NOT_READY, "the daemon is stopping");
    }
    if (status == NAV_CANCELLED) {
        nav_fail_at(err, NAV_GEOMETRY_TOO_LARGE, "geometry",
                    "reading it takes a processor longer than %llu ms (--limit upload_ms=): send "
                    "a simpler level, or parts of it",
                    limit);
        nav_error_limit(err, "%llu", limit);
        return NAV_GEOMETRY_TOO_LARGE;
    }
    return status;
}

// ---- opening and feeding ----

nav_status upload_open(service *s, const char *mesh, proto_format format, bool zstd, upload **out,
                       nav_error *err)
{
    const proto_body_type type = {.format = format};
    return upload_open_body(s, mesh, &type, zstd, out, err);
}

nav_status upload_open_body(service *s, const char *mesh, const proto_body_type *type, bool zstd,
                            upload **out, nav_error *err)
{
    upload *u = calloc(1, sizeof *u);
    if (u == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for an upload");
    }
    u->service = s;
    NAV_ASSERT(strlen(mesh) < sizeof u->mesh);
    (void)snprintf(u->mesh, sizeof u->mesh, "%s", mesh);
    const service_limits *l = &s->limits;
    proto_geometry_limits limits = proto_geometry_limits_default();
    limits.coordinate_max = PROTO_LEVEL_COORDINATE_MAX;
    limits.vertices_max = (uint32_t)l->vertices;
    limits.triangles_max = (uint32_t)l->triangles;
    limits.placed_bytes_max = l->unpacked_bytes;
    limits.config_depth_max = (uint32_t)l->json_depth;
    limits.config_values_max = (uint32_t)l->config_json_values;
    u->hooks = (nav_bake_hooks){.user = u, .cancelled = is_over};
    limits.hooks = &u->hooks;
    limits.hold = hold;
    limits.warnings = u->warnings;
    const pack_limits packed = {.output_bytes_max = l->unpacked_bytes,
                                .window_bytes_max = l->zstd_window_bytes,
                                .ratio_max = l->zstd_ratio};
    nav_status status = proto_body_begin(type, &limits, &u->body, err);
    if (status == NAV_OK && zstd) {
        status = pack_reader_create(&packed, &u->unpacker, err);
    }
    if (status != NAV_OK) {
        upload_close(u);
        return status;
    }
    *out = u;
    return NAV_OK;
}

void upload_use_config(upload *u, const char *json)
{
    u->config = json;
}

proto_parts *upload_parts(const upload *u)
{
    return proto_body_parts(u->body);
}

void upload_replace_settings(upload *u)
{
    u->replace = true;
}

void upload_close(upload *u)
{
    if (u != NULL) {
        service_give_back(u->service, u->held_bytes);
        pack_reader_destroy(u->unpacker);
        proto_body_destroy(u->body);
        free(u);
    }
}

static nav_status feed_body(void *user, const void *bytes, size_t size_bytes, nav_error *err)
{
    upload *u = user;
    u->came_bytes += size_bytes;
    nav_status status = hold(u, 0, err);
    NAV_IF_OK(status, poll(u, err));
    return status == NAV_OK ? proto_body_feed(u->body, bytes, size_bytes, err) : status;
}

nav_status upload_feed(upload *u, const void *bytes, size_t size_bytes, nav_error *err)
{
    u->begun_ns = clock_thread_ns();
    const nav_status status =
        u->unpacker != NULL ? pack_reader_feed(u->unpacker, bytes, size_bytes, feed_body, u, err)
                            : feed_body(u, bytes, size_bytes, err);
    return end_work(u, status, err);
}

// ---- what was sent ----

// A file of tiles is checked to the last polygon before it is stored.
static nav_status read_tiles(const upload *u, upload_contents *c, nav_error *err)
{
    c->layout = proto_body_source(u->body, &c->layout_bytes);
    if (c->layout == NULL) {
        return NAV_OK;
    }
    nav_status status = proto_detour_open(c->layout, c->layout_bytes, &u->hooks, &c->tiles, err);
    NAV_IF_OK(status, proto_detour_settings(c->tiles, &c->memory, &c->request.config, err));
    return status == NAV_OK
               ? proto_detour_check(c->tiles, &c->request.config,
                                    (size_t)u->service->budget.bake_bytes, &u->hooks, err)
               : status;
}

static nav_status read_contents(upload *u, const proto_arg *args, size_t arg_count,
                                upload_contents *c, nav_error *err)
{
    nav_status status = u->unpacker != NULL ? pack_reader_end(u->unpacker, err) : NAV_OK;
    NAV_IF_OK(status, proto_body_end(u->body, &c->geometry, err));
    if (status == NAV_OK) {
        const char *config = u->config != NULL ? u->config : proto_body_config(u->body);
        status = proto_upload_request_read(args, arg_count, config, &c->memory, &c->request, err);
    }
    NAV_IF_OK(status, proto_body_place(u->body, c->request.config.coordinates, &c->geometry, err));
    if (status == NAV_OK) {
        uint32_t count;
        const proto_geometry_shape *shapes = proto_body_shapes(u->body, &count);
        status = proto_upload_add_shapes(shapes, count, &c->memory, &c->request.config, err);
    }
    return status == NAV_OK ? read_tiles(u, c, err) : status;
}

static nav_status describe(const upload *u, upload_contents *c, nav_error *err)
{
    proto_writer info, config;
    proto_writer_init(&info);
    proto_writer_init(&config);
    if (c->tiles != NULL) {
        const proto_detour_numbers numbers = proto_detour_count(c->tiles);
        proto_write_source_info(&info, c->geometry_hash,
                                proto_format_word(proto_body_format(u->body)), &numbers);
    } else {
        proto_write_geometry_info(&info, c->geometry_hash,
                                  proto_format_word(proto_body_format(u->body)), &c->geometry,
                                  proto_body_parts(u->body));
    }
    proto_write_config(&config, &c->request.config);
    c->geometry_json = proto_writer_take(&info, NULL);
    c->config_json = proto_writer_take(&config, NULL);
    return c->geometry_json != NULL && c->config_json != NULL
               ? NAV_OK
               : nav_fail(err, NAV_NO_MEMORY, "no memory to describe the geometry");
}

static nav_status pack_geometry(upload *u, upload_contents *c, nav_error *err)
{
    c->layout_bytes = proto_geometry_packed_size(&c->geometry);
    const nav_status status = hold(u, c->layout_bytes, err);
    if (status != NAV_OK) {
        return status;
    }
    c->packed = malloc(c->layout_bytes);
    if (c->packed == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to pack the geometry");
    }
    NAV_ASSERT(c->geometry.vertex_count > 0 || c->geometry.triangle_count == 0);
    proto_geometry_pack(&c->geometry, c->packed);
    c->layout = c->packed;
    return NAV_OK;
}

// geometry_hash names the triangles, whatever format they came in; content_key names the bake.
static nav_status name_contents(upload *u, upload_contents *c, nav_error *err)
{
    nav_status status = c->tiles == NULL ? pack_geometry(u, c, err) : NAV_OK;
    NAV_IF_OK(status, poll(u, err));
    if (status != NAV_OK) {
        return status;
    }
    nav_sha256_of(c->layout, c->layout_bytes, c->geometry_hash);
    status = describe(u, c, err);
    if (status == NAV_OK) {
        store_content_key(c->geometry_hash, c->config_json, c->content_key);
    }
    return status;
}

static void free_contents(upload_contents *c)
{
    nav_arena_free(&c->memory);
    free(c->packed);
    proto_detour_close(c->tiles);
    free(c->geometry_json);
    free(c->config_json);
    free(c->warnings_json);
}

nav_status upload_check(upload *u, nav_error *err)
{
    upload_contents c = {0};
    nav_arena_init(&c.memory, NULL, LIMIT_CONFIG_MEMORY_BYTES);
    u->begun_ns = clock_thread_ns();
    nav_status status = read_contents(u, NULL, 0, &c, err);
    if (status == NAV_OK && c.tiles == NULL) {
        status = proto_body_to_mesh(u->body, c.request.config.coordinates, err);
    }
    free_contents(&c);
    return end_work(u, status, err);
}

nav_status upload_finish(upload *u, const proto_arg *args, size_t arg_count, bool restart,
                         upload_outcome *out, nav_error *err)
{
    upload_contents c = {0};
    NAV_ASSERT(u->mesh[0] != '\0');
    nav_arena_init(&c.memory, NULL, LIMIT_CONFIG_MEMORY_BYTES);
    *out = (upload_outcome){0};
    u->begun_ns = clock_thread_ns();
    nav_status status = read_contents(u, args, arg_count, &c, err);
    NAV_IF_OK(status, name_contents(u, &c, err));
    NAV_IF_OK(status, upload_store(u, &c, restart, out, err));
    out->wait = c.request.wait;
    out->require_checks = c.request.require_checks;
    out->strict = c.request.strict;
    free_contents(&c);
    return end_work(u, status, err);
}
