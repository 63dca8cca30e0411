// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// job_bake.c: the life of a bake, on a worker:
//
//   store: geometry, settings --> plan --> tiles --> mesh --> store: blobs, state ready -->
//   registry
//
// The version is in the store before its job is queued. However the bake ends, the store is told
// once; a process that dies in between finds the version queued at its next start.

#include "server/load.h"
#include "server/log.h"
#include "server/pack.h"
#include "server/service.h"

#include <stdlib.h>
#include <string.h>

// What a bake holds until it has been stored.
typedef struct bake {
    service *service;
    job *job;
    proto_geometry_reader *reader;
    nav_geometry geometry; // borrowed from reader
    nav_arena settings;    // the config's lists
    nav_config config;
    nav_grid grid;
    nav_arena scratch; // dies with each tile
    nav_arena result;  // blobs, until the mesh is made and they are packed
    nav_blob *blobs;
    store_tile *tiles; // packed is malloc'ed
    uint32_t tile_count;
    nav_bake_report report;
    uint64_t started_ns, store_ns;
    nav_mesh *mesh;
} bake;

// ---- hooks: how the library asks and tells while it bakes ----

static uint64_t hook_now_ns(void *user)
{
    (void)user;
    return clock_now_ns();
}

static bool hook_cancelled(void *user)
{
    return atomic_load_explicit(&((job *)user)->cancelled, memory_order_relaxed);
}

static void hook_stage(void *user, nav_stage stage)
{
    atomic_store_explicit(&((job *)user)->stage, (uint32_t)stage, memory_order_relaxed);
}

// ---- the steps ----

static nav_status load_input(bake *b, nav_error *err)
{
    nav_status status = load_config(b->service->store, b->job->mesh, b->job->version, &b->settings,
                                    &b->config, err);
    if (status == NAV_OK) {
        status = load_geometry(b->service->store, b->job->mesh, b->job->version, &b->reader,
                               &b->geometry, err);
    }
    if (status == NAV_OK) {
        proto_geometry_to_mesh(b->reader, b->config.coordinates);
    }
    return status;
}

static nav_status plan(bake *b, nav_error *err)
{
    nav_status status =
        nav_bake_plan(&b->geometry, &b->config, LIMIT_BAKE_MEMORY_BYTES, &b->grid, err);
    if (status != NAV_OK) {
        return status;
    }
    uint64_t tiles = (uint64_t)b->grid.tiles_x * b->grid.tiles_z;
    atomic_store(&b->job->tiles_total, (uint32_t)tiles);
    b->blobs = calloc((size_t)tiles + 1, sizeof *b->blobs);
    b->tiles = calloc((size_t)tiles + 1, sizeof *b->tiles);
    return b->blobs != NULL && b->tiles != NULL
               ? NAV_OK
               : nav_fail(err, NAV_NO_MEMORY, "no memory for %llu tiles",
                          (unsigned long long)tiles);
}

static nav_status bake_tiles(bake *b, nav_error *err)
{
    const nav_bake_hooks hooks = {
        .user = b->job, .now_ns = hook_now_ns, .cancelled = hook_cancelled, .stage = hook_stage};
    for (uint32_t z = 0; z < b->grid.tiles_z; z++) {
        for (uint32_t x = 0; x < b->grid.tiles_x; x++) {
            nav_blob blob = {0};
            nav_bake_report report = {0};
            nav_status status = nav_bake_tile(&b->geometry, &b->config, &b->grid, NULL, x, z,
                                              &hooks, &b->scratch, &b->result, &blob, &report, err);
            if (status != NAV_OK) {
                return status;
            }
            nav_bake_report_add(&b->report, &report);
            if (blob.size_bytes > 0) {
                b->tiles[b->tile_count] = (store_tile){.x = x, .z = z, .bytes = blob.size_bytes};
                b->blobs[b->tile_count++] = blob;
            }
            nav_arena_free(&b->scratch);
            atomic_fetch_add(&b->job->tiles_done, 1);
        }
    }
    if (b->tile_count > 0) {
        return NAV_OK;
    }
    return nav_fail(err, NAV_MESH_EMPTY,
                    "no place to stand: %llu of %llu triangles are steeper than %g degrees",
                    (unsigned long long)b->report.triangles_steep,
                    (unsigned long long)b->report.triangles, (double)b->config.agent_max_slope);
}

static nav_status pack_tiles(bake *b, nav_error *err)
{
    uint64_t began_ns = clock_now_ns();
    for (uint32_t i = 0; i < b->tile_count; i++) {
        nav_sha256 hash;
        nav_sha256_init(&hash);
        nav_sha256_add(&hash, b->blobs[i].bytes, b->blobs[i].size_bytes);
        nav_sha256_end(&hash, b->tiles[i].hash);
        nav_status status = pack_compress(b->blobs[i].bytes, b->blobs[i].size_bytes,
                                          &b->tiles[i].packed, &b->tiles[i].packed_bytes, err);
        if (status != NAV_OK) {
            return status;
        }
    }
    b->store_ns = clock_now_ns() - began_ns;
    return NAV_OK;
}

// The name of all tiles together: of their bytes one after the other, so that one tile has its own.
static void write_blob_info(const bake *b, proto_writer *w)
{
    uint64_t bytes = 0, stored_bytes = 0;
    uint8_t digest[32];
    nav_sha256 hash;
    nav_sha256_init(&hash);
    for (uint32_t i = 0; i < b->tile_count; i++) {
        nav_sha256_add(&hash, b->blobs[i].bytes, b->blobs[i].size_bytes);
        bytes += b->blobs[i].size_bytes;
        stored_bytes += b->tiles[i].packed_bytes;
    }
    nav_sha256_end(&hash, digest);
    proto_write_blob_info(w, digest, bytes, stored_bytes);
}

// Commits blobs and numbers, and makes the version live where that is wanted.
static nav_status store_and_publish(bake *b, nav_error *err)
{
    nav_mesh_stats stats;
    nav_mesh_stats_get(b->mesh, &stats);
    enum {
        BLOB,
        STATS,
        TIMINGS,
        WARNINGS,
        TEXTS
    };
    proto_writer writers[TEXTS];
    for (int i = 0; i < TEXTS; i++) {
        proto_writer_init(&writers[i]);
        writers[i].coordinates = b->config.coordinates;
    }
    write_blob_info(b, &writers[BLOB]);
    proto_write_stats(&writers[STATS], &stats, &b->report);
    proto_write_timings(&writers[TIMINGS], &b->report, b->store_ns, clock_now_ns() - b->started_ns);
    proto_write_warnings(&writers[WARNINGS], &b->report);
    char *texts[TEXTS];
    bool whole = true;
    for (int i = 0; i < TEXTS; i++) {
        size_t size_bytes;
        texts[i] = proto_writer_take(&writers[i], &size_bytes);
        whole = whole && texts[i] != NULL;
    }
    uint64_t activation = 0;
    const store_result result = {.tiles = b->tiles,
                                 .tile_count = b->tile_count,
                                 .blob_json = texts[BLOB],
                                 .stats_json = texts[STATS],
                                 .timings_json = texts[TIMINGS],
                                 .warnings_json = texts[WARNINGS]};
    nav_status status = whole ? store_version_ready(b->service->store, b->job->mesh,
                                                    b->job->version, &result, &activation, err)
                              : nav_fail(err, NAV_NO_MEMORY, "no memory to describe the bake");
    if (status == NAV_OK && activation != 0) {
        status = registry_publish(b->service->registry, b->job->mesh, b->job->version, activation,
                                  b->mesh);
    }
    for (int i = 0; i < TEXTS; i++) {
        free(texts[i]);
        proto_writer_free(&writers[i]);
    }
    return status;
}

static nav_status run(bake *b, nav_error *err)
{
    nav_status status = load_input(b, err);
    if (status == NAV_OK) {
        status = plan(b, err);
    }
    if (status == NAV_OK) {
        status = bake_tiles(b, err);
    }
    if (status == NAV_OK) {
        status =
            nav_mesh_create(b->blobs, b->tile_count, &b->config, NULL, &b->mesh, &b->report, err);
    }
    if (status == NAV_OK) {
        status = pack_tiles(b, err);
    }
    if (status == NAV_OK) {
        status = store_and_publish(b, err);
    }
    return status;
}

static void release(bake *b)
{
    nav_mesh_release(b->mesh);
    store_tiles_free(b->tiles, b->tile_count);
    free(b->blobs);
    nav_arena_free(&b->settings);
    nav_arena_free(&b->result);
    nav_arena_free(&b->scratch);
    proto_geometry_destroy(b->reader);
}

void job_bake(service *s, job *j)
{
    bake b = {.service = s, .job = j, .started_ns = clock_now_ns()};
    nav_arena_init(&b.scratch, NULL, LIMIT_BAKE_MEMORY_BYTES);
    nav_arena_init(&b.settings, NULL, LIMIT_CONFIG_MEMORY_BYTES);
    nav_arena_init(&b.result, NULL, LIMIT_BAKE_RESULT_BYTES);
    nav_error err = {0};
    nav_status status = run(&b, &err);
    double elapsed_ms = (double)(clock_now_ns() - b.started_ns) / 1e6;
    if (status == NAV_OK) {
        log_info("baked", "mesh=%s version=%u polygons=%llu ms=%.1f", j->mesh, j->version,
                 (unsigned long long)b.report.polygons, elapsed_ms);
    } else if (status == NAV_CANCELLED || status == NAV_VERSION_NOT_FOUND ||
               status == NAV_MESH_NOT_FOUND) {
        log_info("bake_cancelled", "mesh=%s version=%u", j->mesh, j->version);
    } else {
        nav_error ignored;
        err.status = status;
        log_error("bake_failed", "mesh=%s version=%u code=%s detail=\"%s\"", j->mesh, j->version,
                  nav_status_word(status), err.detail);
        if (store_version_failed(s->store, j->mesh, j->version, &err, &ignored) != NAV_OK) {
            log_error("bake_not_recorded", "mesh=%s version=%u detail=\"%s\"", j->mesh, j->version,
                      ignored.detail);
        }
    }
    release(&b);
}
