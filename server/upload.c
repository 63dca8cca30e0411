// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// upload.c: the first half of a bake's life, up to the moment at which the version is committed and
// its name is in the queue. job_bake.c is the second half.

#include "server/upload.h"

#include "server/activate.h"
#include "server/log.h"
#include "server/pack.h"
#include "server/repair.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Part of every content key: a bake that gives other bytes for the same input must change it.
#define BAKE_FORMAT "navmeshd bake 1"

struct upload {
    service *service;
    char mesh[LIMIT_MESH_NAME + 1];
    proto_body *body;
    pack_reader *unpacker; // NULL: the bytes are as they are
    uint64_t held_bytes;   // of the budget for bodies in flight
    const char *config;    // in place of what was sent, or NULL
};

// What upload_finish works out before it stores anything.
typedef struct contents {
    nav_geometry geometry; // borrowed from the body
    proto_upload_request request;
    nav_arena memory; // of the request's lists
    nav_grid grid;
    void *packed_layout; // malloc'ed
    size_t packed_layout_bytes;
    uint8_t geometry_hash[32], content_key[32];
    char *geometry_json, *config_json; // malloc'ed
} contents;

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
    (void)snprintf(u->mesh, sizeof u->mesh, "%s", mesh);
    const service_limits *l = &s->limits;
    proto_geometry_limits limits = proto_geometry_limits_default();
    limits.vertices_max = (uint32_t)l->vertices;
    limits.triangles_max = (uint32_t)l->triangles;
    limits.config_depth_max = (uint32_t)l->json_depth;
    limits.config_values_max = (uint32_t)l->config_json_values;
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
    nav_status status = service_hold(u->service, size_bytes, err);
    if (status != NAV_OK) {
        return status;
    }
    u->held_bytes += size_bytes;
    return proto_body_feed(u->body, bytes, size_bytes, err);
}

nav_status upload_feed(upload *u, const void *bytes, size_t size_bytes, nav_error *err)
{
    return u->unpacker != NULL ? pack_reader_feed(u->unpacker, bytes, size_bytes, feed_body, u, err)
                               : feed_body(u, bytes, size_bytes, err);
}

// ---- what was sent ----

static nav_status read_contents(upload *u, const proto_arg *args, size_t arg_count, contents *c,
                                nav_error *err)
{
    nav_status status = u->unpacker != NULL ? pack_reader_end(u->unpacker, err) : NAV_OK;
    if (status == NAV_OK) {
        status = proto_body_end(u->body, &c->geometry, err);
    }
    if (status == NAV_OK) {
        const char *config = u->config != NULL ? u->config : proto_body_config(u->body);
        status = proto_upload_request_read(args, arg_count, config, &c->memory, &c->request, err);
    }
    return status;
}

// The daemon's own bound, below the library's.
static nav_status check_cells(const upload *u, const nav_grid *grid, nav_error *err)
{
    double cells = (double)grid->width_cells * grid->depth_cells;
    double limit = (double)u->service->limits.grid_cells;
    if (cells <= limit) {
        return NAV_OK;
    }
    nav_fail(err, NAV_GRID_TOO_LARGE, "the grid would have %u x %u cells", grid->width_cells,
             grid->depth_cells);
    nav_error_at(err, "cell_size");
    nav_error_got(err, "%.0f", cells);
    nav_error_limit(err, "%.0f", limit);
    err->suggest_cell_size = (double)grid->cell_size * sqrt(cells / limit) * 1.01;
    return NAV_GRID_TOO_LARGE;
}

// Once the geometry has been packed as it came, it is turned to look at it as the bake will.
static nav_status plan(upload *u, contents *c, nav_error *err)
{
    proto_body_to_mesh(u->body, c->request.config.coordinates);
    nav_status status = nav_bake_plan(&c->geometry, &c->request.config,
                                      u->service->budget.bake_bytes, &c->grid, err);
    return status == NAV_OK ? check_cells(u, &c->grid, err) : status;
}

static nav_status describe(const upload *u, contents *c, nav_error *err)
{
    proto_writer info, config;
    size_t size_bytes;
    proto_writer_init(&info);
    proto_writer_init(&config);
    proto_write_geometry_info(&info, c->geometry_hash, proto_body_format(u->body), &c->geometry);
    proto_write_config(&config, &c->request.config);
    c->geometry_json = proto_writer_take(&info, &size_bytes);
    c->config_json = proto_writer_take(&config, &size_bytes);
    proto_writer_free(&info);
    proto_writer_free(&config);
    return c->geometry_json != NULL && c->config_json != NULL
               ? NAV_OK
               : nav_fail(err, NAV_NO_MEMORY, "no memory to describe the geometry");
}

void upload_content_key(const uint8_t geometry_hash[32], const char *config_json, uint8_t key[32])
{
    nav_sha256 hash;
    nav_sha256_init(&hash);
    nav_sha256_add(&hash, geometry_hash, 32);
    nav_sha256_add(&hash, config_json, strlen(config_json));
    nav_sha256_add(&hash, BAKE_FORMAT, sizeof BAKE_FORMAT);
    nav_sha256_end(&hash, key);
}

// geometry_hash names the triangles, whatever format they came in; content_key names the bake.
static nav_status name_contents(const upload *u, contents *c, nav_error *err)
{
    c->packed_layout_bytes = proto_geometry_packed_size(&c->geometry);
    c->packed_layout = malloc(c->packed_layout_bytes);
    if (c->packed_layout == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to pack the geometry");
    }
    proto_geometry_pack(&c->geometry, c->packed_layout);
    nav_sha256 hash;
    nav_sha256_init(&hash);
    nav_sha256_add(&hash, c->packed_layout, c->packed_layout_bytes);
    nav_sha256_end(&hash, c->geometry_hash);
    nav_status status = describe(u, c, err);
    if (status == NAV_OK) {
        upload_content_key(c->geometry_hash, c->config_json, c->content_key);
    }
    return status;
}

// ---- into the store ----

// A bake whose end could not be written down (the disk was full or the database locked) leaves a
// version that is queued and that no worker knows.
static bool is_forgotten(const upload *u, uint32_t version)
{
    job_progress known;
    store_version row;
    nav_error ignored;
    if (jobs_progress(u->service->jobs, u->mesh, version, &known) ||
        store_version_get(u->service->store, u->mesh, version, &row, &ignored) != NAV_OK) {
        return false;
    }
    bool queued = row.state == STORE_QUEUED;
    store_version_free(&row);
    return queued;
}

static nav_status insert(const upload *u, const contents *c, bool reuse, uint32_t damaged,
                         upload_outcome *out, nav_error *err)
{
    void *zstd = NULL;
    size_t zstd_bytes = 0;
    nav_status status =
        pack_compress(c->packed_layout, c->packed_layout_bytes, &zstd, &zstd_bytes, err);
    if (status != NAV_OK) {
        return status;
    }
    const store_upload row = {.mesh = u->mesh,
                              .content_key = c->content_key,
                              .geometry_hash = c->geometry_hash,
                              .geometry = zstd,
                              .geometry_bytes = zstd_bytes,
                              .geometry_unpacked_bytes = c->packed_layout_bytes,
                              .geometry_json = c->geometry_json,
                              .config_json = c->config_json,
                              .tiles_total = c->grid.tiles_x * c->grid.tiles_z,
                              .activate = c->request.activate,
                              .force = c->request.force,
                              .reuse = reuse,
                              .damaged = damaged};
    status = store_version_insert(u->service->store, &row, &out->version, &out->existing, err);
    free(zstd);
    // Without memory to queue it, the version stays acknowledged and is baked at the next start.
    if (status == NAV_OK && (!out->existing || is_forgotten(u, out->version)) &&
        jobs_submit(u->service->jobs, u->mesh, out->version) != NAV_OK) {
        status = nav_fail(err, NAV_NO_MEMORY, "version %u is stored and will be baked later",
                          out->version);
    }
    return status;
}

// A place in the queue first, so that nothing is stored that could not be baked soon. The files of
// the command line need none: a start waits for them, however many they are.
static nav_status insert_with_place(const upload *u, const contents *c, bool restart,
                                    uint32_t damaged, upload_outcome *out, nav_error *err)
{
    if (restart) {
        return insert(u, c, true, damaged, out, err);
    }
    if (atomic_load(&u->service->state) == SERVICE_STOPPING) {
        return nav_fail(err, NAV_NOT_READY, "the daemon is stopping");
    }
    if (!jobs_reserve(u->service->jobs)) {
        const uint32_t limit = jobs_count(u->service->jobs).limit;
        nav_fail(err, NAV_BAKE_QUEUE_FULL, "%u versions are waiting for their bake", limit);
        nav_error_limit(err, "%u", limit);
        return NAV_BAKE_QUEUE_FULL;
    }
    nav_status status = insert(u, c, c->request.reuse, damaged, out, err);
    jobs_unreserve(u->service->jobs);
    return status;
}

// An equal version that is ready but not live is made live where the upload asks for that. One that
// fails its checks stays as it is, like one that has just been baked: its object tells.
static nav_status activate_existing(const upload *u, uint32_t version, bool restart, bool force,
                                    nav_error *err)
{
    store_version row;
    nav_status status = store_version_get(u->service->store, u->mesh, version, &row, err);
    if (status != NAV_OK) {
        return status;
    }
    bool wanted = row.state == STORE_READY && !row.active;
    store_version_free(&row);
    store_mesh mesh;
    uint64_t activation;
    if (wanted && restart) {
        status = store_mesh_get(u->service->store, u->mesh, &mesh, err);
        wanted = status == NAV_OK && mesh.active == 0;
    }
    if (status != NAV_OK || !wanted) {
        return status;
    }
    const activate_request wanted_now = {
        .mesh = u->mesh, .version = version, .expected = STORE_ANY_ACTIVATION, .force = force};
    status = activate_version(u->service, &wanted_now, &mesh, &activation, err);
    return status == NAV_CHECKS_FAILED ? NAV_OK : status;
}

static bool is_loaded(const upload *u, uint32_t version)
{
    uint32_t live = 0;
    nav_mesh *mesh = registry_acquire(u->service->registry, u->mesh, &live);
    nav_mesh_release(mesh);
    return mesh != NULL && live == version;
}

// Whether an equal version that is ready can no longer be served: then the upload does not stand
// aside for it but becomes a version of its own, whose bake puts its bytes in the place of the
// damaged ones. A start has just read what is live.
static nav_status check_equal(const upload *u, contents *c, bool restart, uint32_t equal,
                              uint32_t *damaged, nav_error *err)
{
    *damaged = 0;
    if (restart && is_loaded(u, equal)) {
        return NAV_OK;
    }
    nav_error why = {0};
    const repair_like like = {.config_json = c->config_json, .geometry_hash = c->geometry_hash};
    nav_status status = repair_check(u->service->store, u->mesh, equal, &like, &why);
    if (status != NAV_INTERNAL) {
        if (status != NAV_OK && err != NULL) {
            *err = why;
        }
        return status;
    }
    *damaged = equal;
    log_error("version_damaged", "mesh=%s version=%u detail=\"%s\" now=\"%s\"", u->mesh, equal,
              why.detail, "it is baked again as a new version");
    if (restart && c->request.activate) {
        // What was switched off stays off.
        store_mesh mesh;
        status = store_mesh_get(u->service->store, u->mesh, &mesh, err);
        c->request.activate = mesh.active == 0 || mesh.active == equal;
        return status;
    }
    return NAV_OK;
}

// The newest equal version, if it is ready and whole; 0: there is none.
static nav_status find_ready(const upload *u, contents *c, bool restart, uint32_t *ready,
                             uint32_t *damaged, nav_error *err)
{
    store_version row = {0};
    uint32_t equal = 0;
    *ready = *damaged = 0;
    nav_status status = store_version_find(u->service->store, u->mesh, c->content_key, &equal, err);
    if (status == NAV_OK && equal != 0) {
        status = store_version_get(u->service->store, u->mesh, equal, &row, err);
    }
    if (status == NAV_OK && equal != 0 && row.state == STORE_READY) {
        status = check_equal(u, c, restart, equal, damaged, err);
        *ready = *damaged == 0 ? equal : 0;
    }
    store_version_free(&row);
    if (status == NAV_MESH_NOT_FOUND || status == NAV_VERSION_NOT_FOUND) {
        *ready = *damaged = 0; // somebody has just removed it
        return NAV_OK;
    }
    return status;
}

static nav_status store_contents(upload *u, contents *c, bool restart, upload_outcome *out,
                                 nav_error *err)
{
    uint32_t ready = 0, damaged = 0;
    nav_status status = NAV_OK;
    // The second look inside the insert's transaction settles a race between equal uploads; this
    // first one spares the work of packing, and needs no place in the queue.
    if (restart || c->request.reuse) {
        status = find_ready(u, c, restart, &ready, &damaged, err);
    }
    if (status == NAV_OK && ready != 0) {
        out->version = ready;
        out->existing = true;
    } else if (status == NAV_OK) {
        status = plan(u, c, err);
        if (status == NAV_OK) {
            status = insert_with_place(u, c, restart, damaged, out, err);
        }
    }
    if (status == NAV_OK && out->existing && c->request.activate) {
        status = activate_existing(u, out->version, restart, c->request.force, err);
    }
    return status;
}

nav_status upload_finish(upload *u, const proto_arg *args, size_t arg_count, bool restart,
                         upload_outcome *out, nav_error *err)
{
    contents c = {0};
    nav_arena_init(&c.memory, NULL, LIMIT_CONFIG_MEMORY_BYTES);
    *out = (upload_outcome){0};
    nav_status status = read_contents(u, args, arg_count, &c, err);
    if (status == NAV_OK) {
        status = name_contents(u, &c, err);
    }
    if (status == NAV_OK) {
        status = store_contents(u, &c, restart, out, err);
    }
    out->wait = c.request.wait;
    nav_arena_free(&c.memory);
    free(c.packed_layout);
    free(c.geometry_json);
    free(c.config_json);
    return status;
}
