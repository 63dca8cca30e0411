// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bake.c: the life of a bake, on a worker:
//
//   store: geometry, settings --> plan --> tiles (tiles.c) --> mesh --> store: blobs,
//   state ready (result.c) --> registry
//
// The version is in the store before its job is queued. However the bake ends, the store notes it
// once; a process that dies in between finds the version queued at its next start, with the tiles
// that were committed on the way.
//
// A version that is ready and damaged (jobs/repair.c) takes the same path, and stays ready: whole
// tiles are taken by their keys, and in one transaction at the end the result takes the place of
// the former.

#include "server/jobs/bake/bake.h"

#include "proto/detour/detour.h"
#include "proto/replies/replies.h"
#include "server/base/clock.h"
#include "server/base/log.h"
#include "server/base/metrics.h"
#include "server/base/pack.h"
#include "server/jobs/repair.h"
#include "server/meshes/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- limits ----

// For nav_bake_hooks.cancelled. user is a job_limits. Thread: any.
static bool is_over(void *user)
{
    const job_limits *limits = user;
    return atomic_load_explicit(&limits->job->cancelled, memory_order_relaxed) ||
           (limits->deadline_ns != 0 && clock_now_ns() >= limits->deadline_ns);
}

// Hooks that borrow the limits.
static nav_bake_hooks hooks_of(const job_limits *limits)
{
    // The hooks' user may be written to; these do not.
    return (nav_bake_hooks){.user = (void *)(uintptr_t)limits, .cancelled = is_over};
}

// Says why these hooks have ended a step: a job that was cancelled stays NAV_CANCELLED; time that
// was over becomes NAV_TILE_TOO_COMPLEX at `at`, "the bake's time was over while `what`". Any other
// status is returned as it is.
static nav_status judge(const job_limits *limits, nav_status status, const char *at,
                        const char *what, nav_error *err)
{
    if (status != NAV_CANCELLED) {
        return status;
    }
    if (atomic_load(&limits->job->cancelled)) {
        return nav_fail(err, NAV_CANCELLED, "cancelled");
    }
    NAV_ASSERT(is_over((void *)(uintptr_t)limits)); // there is no third reason
    return nav_fail_at(err, NAV_TILE_TOO_COMPLEX, at, "the bake's time was over while %s", what);
}

// ---- landmarks ----

static nav_status make(const job *j, size_t memory_bytes, uint64_t deadline_ns, nav_mesh *mesh,
                       store_landmarks *out, nav_error *err)
{
    nav_arena scratch, result;
    nav_arena_init(&scratch, NULL, memory_bytes);
    nav_arena_init_child(&result, &scratch);
    const job_limits limits = {.job = j, .deadline_ns = deadline_ns};
    const nav_bake_hooks hooks = hooks_of(&limits);
    nav_blob blob = {0};
    nav_status status = nav_landmarks_make(mesh, &hooks, &scratch, &result, &blob);
    NAV_IF_OK(status, pack_compress_until(blob.bytes, blob.size_bytes, &hooks, &out->packed,
                                          &out->packed_bytes, err));
    if (status == NAV_OK) {
        NAV_ASSERT(out->packed != NULL && out->packed_bytes > 0);
        out->bytes = blob.size_bytes;
        status = nav_mesh_add_landmarks(mesh, blob, err);
    }
    nav_arena_free(&result);
    nav_arena_free(&scratch);
    return status;
}

nav_status job_landmarks(store *disk, const job *j, size_t memory_bytes, uint64_t deadline_ns,
                         nav_mesh *mesh, store_landmarks *out, nav_error *err)
{
    *out = (store_landmarks){.fingerprint = nav_landmarks_fingerprint(mesh)};
    nav_status status = store_landmarks_load(disk, NULL, 0, out, err);
    if (status != NAV_OK) {
        return status;
    }
    if (out->packed == NULL || load_landmarks(out, mesh, err) != NAV_OK) {
        free(out->packed);
        out->packed = NULL;
        status = make(j, memory_bytes, deadline_ns, mesh, out, err);
    }
    if (status == NAV_CANCELLED && atomic_load(&j->cancelled)) {
        return nav_fail(err, status, "cancelled");
    }
    if (status != NAV_OK) {
        log_info("no_landmarks", "mesh=%s version=%u code=%s", j->mesh, j->version,
                 status == NAV_CANCELLED ? "deadline" : proto_status_word(status));
        free(out->packed);
        out->packed = NULL;
    }
    return NAV_OK;
}

// ---- the steps ----

static void begin_stage(job_baking *b, uint32_t stage)
{
    NAV_ASSERT(stage >= JOB_STAGE_LOAD && stage <= JOB_STAGE_STORE);
    atomic_store(&b->job->stage, stage);
    job_events_stage(&b->events, NAV_NONE, stage);
}

// The place of an error before the first tile.
#define FIRST_TILE "tile 0,0"

// Tiles come out as they were only of the settings and the geometry that were asked for, and of the
// same way of baking.
static nav_status check_damaged(const store_version *row, nav_error *err)
{
    uint8_t key[32];
    if (row->config_json == NULL) { // which load_config_of reports
        return NAV_OK;
    }
    store_content_key(row->geometry_hash, row->config_json, key);
    return memcmp(key, row->content_key, sizeof key) == 0
               ? NAV_OK
               : damage_fail(err, row->mesh, row->version,
                             "its settings or its geometry are another's");
}

static nav_status load_input(job_baking *b, nav_error *err)
{
    begin_stage(b, JOB_STAGE_LOAD);
    nav_status status =
        store_version_get(b->service->store, b->job->mesh, b->job->version, &b->row, err);
    if (b->job->repairs) {
        NAV_IF_OK(status, check_damaged(&b->row, err));
    }
    NAV_IF_OK(status, load_config_of(&b->row, &b->settings, &b->config, err));
    NAV_IF_OK(status, load_geometry(b->service->store, b->job->mesh, b->job->version, &b->hooks,
                                    &b->reader, &b->geometry, err));
    size_t source_bytes = 0;
    const void *source = status == NAV_OK ? proto_geometry_source(b->reader, &source_bytes) : NULL;
    if (source != NULL) {
        status = proto_detour_open(source, source_bytes, &b->hooks, &b->import, err);
    } else if (status == NAV_OK) {
        status = proto_geometry_to_mesh(b->reader, b->config.coordinates, err);
    }
    return judge(&b->limits, status, FIRST_TILE, "its geometry was read", err);
}

// Tiles that are imported are a row, whose places they name themselves.
static nav_status plan_grid(job_baking *b, nav_error *err)
{
    if (b->import != NULL) {
        b->grid.tiles_x = proto_detour_count(b->import).tiles;
        b->grid.tiles_z = 1;
        return NAV_OK;
    }
    nav_status status = nav_bake_plan_until(&b->geometry, &b->config, b->service->budget.bake_bytes,
                                            &b->hooks, &b->grid, err);
    b->events.tiles_x = b->grid.tiles_x;
    if (status == NAV_OK) {
        b->level = (proto_level){
            .geometry = &b->geometry, .config = &b->config, .read_warnings = b->read_warnings};
        proto_read_warnings(b->row.warnings_json, b->read_warnings);
        nav_geometry_judge(&b->geometry, &b->config, &b->level.found);
    }
    return judge(&b->limits, status, FIRST_TILE, "it was planned", err);
}

static nav_status plan(job_baking *b, nav_error *err)
{
    const service_budget *budget = &b->service->budget;
    NAV_ASSERT(b->reader != NULL && b->tiles == NULL); // load_input
    nav_status status = plan_grid(b, err);
    if (status != NAV_OK) {
        return status;
    }
    bool several = b->import == NULL && (b->grid.tiles_x > 1 || b->grid.tiles_z > 1);
    if (several) {
        const nav_grid widest = nav_grid_widest(&b->grid, &b->config);
        status = nav_bake_index(&b->geometry, &widest, &b->hooks, &b->index_arena, &b->index, err);
    }
    if (status != NAV_OK) {
        return judge(&b->limits, status, FIRST_TILE,
                     "it listed the triangles of its tiles; use larger ones", err);
    }
    const job_tiles_input input = {.geometry = &b->geometry,
                                   .import = b->import,
                                   .config = &b->config,
                                   .grid = &b->grid,
                                   .index = several ? &b->index : NULL,
                                   .store = b->service->store,
                                   .reuse = b->row.reuse || b->job->repairs,
                                   .hold = b->job->repairs,
                                   .memory_bytes = budget->bake_bytes,
                                   .deadline_ns = b->limits.deadline_ns,
                                   .workers = jobs_count(b->service->jobs).workers,
                                   .events = &b->events};
    return job_tiles_create(&input, b->job, &b->tiles, err);
}

// Why an agent has no place to stand: the level is odd, or a step of the bake has left it none.
static void say_why_empty(const proto_level *level, const nav_config *config,
                          const nav_bake_report *report, char out[256])
{
    proto_advice advice;
    if (proto_level_say(level, PROTO_ODD_AXIS, &advice) ||
        proto_level_say(level, PROTO_ODD_WINDING, &advice) ||
        proto_level_say(level, PROTO_ODD_UNITS, &advice)) {
        (void)snprintf(out, 256, "; %.200s", advice.detail);
    } else if (report->triangles_steep == report->triangles) {
        (void)snprintf(out, 256, ": the corners of ground run counter-clockwise seen from above");
    } else if (report->walkable_spans == 0) {
        (void)snprintf(out, 256,
                       "; on the others there is no room for an agent of radius %g and height %g, "
                       "or they are cut out",
                       (double)config->agent_radius, (double)config->agent_height);
    } else {
        (void)snprintf(
            out, 256, "; what is left of the others is smaller than region_min_size, %u x %u cells",
            config->region_min_size, config->region_min_size);
    }
}

static nav_status explain_empty(const proto_level *level, const nav_config *config,
                                const nav_bake_report *report, nav_error *err)
{
    char why[256];
    say_why_empty(level, config, report, why);
    return nav_fail(
        err, NAV_MESH_EMPTY,
        "no place to stand: %llu of %llu triangles face down or are steeper than %g degrees%s",
        (unsigned long long)report->triangles_steep, (unsigned long long)report->triangles,
        (double)config->agent_max_slope, why);
}

static nav_status bake_tiles(job_baking *b, nav_error *err)
{
    nav_status status = job_tiles_run(b->tiles, b->service->jobs, err);
    if (status != NAV_OK) {
        return status;
    }
    const job_tiles_output *baked = job_tiles_result(b->tiles);
    NAV_ASSERT(atomic_load(&b->job->tiles_done) == atomic_load(&b->job->tiles_total));
    b->report = baked->agents[0].report;
    b->store_ns = baked->pack_ns;
    b->agent_reports = calloc(baked->agent_count, sizeof *b->agent_reports);
    if (b->agent_reports == NULL) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory for the numbers of the agents");
    }
    for (uint32_t i = 0; i < baked->agent_count; i++) {
        if (baked->agents[i].count == 0) {
            const nav_config config = nav_config_of_agent(&b->config, i);
            status = explain_empty(&b->level, &config, &baked->agents[i].report, err);
            if (i > 0) {
                nav_error_at(err, "agents.%s", b->config.agents[i - 1].name);
            }
            return status;
        }
    }
    for (uint32_t i = 1; i < baked->agent_count; i++) {
        b->agent_reports[i - 1] = baked->agents[i].report;
        for (int stage = 0; stage < NAV_STAGE_COUNT; stage++) {
            b->report.stage_ns[stage] += baked->agents[i].report.stage_ns[stage];
        }
    }
    return NAV_OK;
}

// One agent's mesh with its landmarks.
static nav_status make_agent_mesh(job_baking *b, uint32_t agent, nav_mesh **mesh,
                                  nav_bake_report *report, nav_error *err)
{
    const job_agent_tiles *baked = &job_tiles_result(b->tiles)->agents[agent];
    const nav_config config = nav_config_of_agent(&b->config, agent);
    NAV_ASSERT(baked->count > 0 && *mesh == NULL);
    nav_status status =
        nav_mesh_create_until(baked->blobs, baked->count, &config, b->service->budget.bake_bytes,
                              &b->hooks, NULL, mesh, report, err);
    status = judge(&b->limits, status, "mesh", "its mesh was made", err);
    NAV_IF_OK(status,
              job_landmarks(b->service->store, b->job, (size_t)b->service->budget.bake_bytes,
                            b->limits.deadline_ns, *mesh, &b->landmarks[agent], err));
    b->landmarks[agent].agent = agent;
    return status;
}

static nav_status make_mesh(job_baking *b, nav_error *err)
{
    const uint32_t agents = b->config.agent_count;
    begin_stage(b, JOB_STAGE_MESH);
    nav_status status = make_agent_mesh(b, 0, &b->mesh, &b->report, err);
    for (uint32_t i = 0; status == NAV_OK && i < agents; i++) {
        status = make_agent_mesh(b, i + 1, &b->agent_meshes[i], &b->agent_reports[i], err);
    }
    if (status == NAV_OK && agents > 0 &&
        nav_mesh_add_agents(b->mesh, b->config.agents, b->agent_meshes, agents) != NAV_OK) {
        status = nav_fail(err, NAV_NO_MEMORY, "no memory for the meshes of the agents");
    }
    // The last moment to turn back cheaply; after it the store decides who came first.
    if (status == NAV_OK && atomic_load(&b->job->cancelled)) {
        return nav_fail(err, NAV_CANCELLED, "cancelled");
    }
    return status;
}

// How the checks go decides whether the version goes live, not whether it is a version. They may
// take their time: the landmarks before them have taken what was left of the bake's.
static nav_status run_checks(job_baking *b, nav_error *err)
{
    const job_limits limits = {.job = b->job};
    NAV_ASSERT(b->mesh != NULL && b->checks.json == NULL);
    const nav_bake_hooks hooks = hooks_of(&limits);
    begin_stage(b, JOB_STAGE_CHECKS);
    nav_status status =
        checks_run(b->service->store, b->job->mesh, b->mesh, &hooks, &b->checks, err);
    if (status == NAV_OK && b->checks.failed > 0) {
        log_info("checks_failed", "mesh=%s version=%u failed=%u checks=%u detail=\"%s\"",
                 b->job->mesh, b->job->version, b->checks.failed, b->checks.count, b->checks.first);
    }
    return status;
}

static bool is_cancelled(void *user)
{
    return atomic_load(&((const job *)user)->cancelled);
}

// All of the work is done by now: a disk that is full, or fails, has some time to come back.
static nav_status put_patiently(job_baking *b, nav_error *err)
{
    // All pauses together are twice the longest.
    retry again = {.pause_ms = 250,
                   .pause_ms_max = (uint32_t)(b->service->limits.store_retry_ms / 2),
                   .stopped = is_cancelled,
                   .user = b->job};
    NAV_ASSERT(b->mesh != NULL && b->checks.json != NULL);
    nav_status status = job_result_put(b, err);
    if (retry_may_help(status)) {
        log_warn("bake_waits_for_store", "mesh=%s version=%u code=%s detail=\"%s\"", b->job->mesh,
                 b->job->version, proto_status_word(status), err->detail);
    }
    while (retry_again(&again, status)) {
        status = job_result_put(b, err);
    }
    return retry_may_help(status) && is_cancelled(b->job)
               ? nav_fail(err, NAV_CANCELLED, "cancelled")
               : status;
}

static nav_status run(job_baking *b, nav_error *err)
{
    nav_status status = load_input(b, err);
    NAV_IF_OK(status, plan(b, err));
    NAV_IF_OK(status, bake_tiles(b, err));
    NAV_IF_OK(status, make_mesh(b, err));
    NAV_IF_OK(status, run_checks(b, err));
    if (status == NAV_OK) {
        begin_stage(b, JOB_STAGE_STORE);
        status = put_patiently(b, err);
    }
    return status;
}

static void release(job_baking *b)
{
    nav_mesh_release(b->mesh);
    for (uint32_t i = 0; i < b->config.agent_count; i++) {
        nav_mesh_release(b->agent_meshes[i]);
    }
    for (uint32_t agent = 0; agent < NAV_ALL_AGENTS; agent++) {
        free(b->landmarks[agent].packed);
    }
    free(b->agent_reports);
    store_version_free(&b->row);
    checks_outcome_free(&b->checks);
    nav_arena_free(&b->settings);
    job_tiles_destroy(b->tiles);
    nav_arena_free(&b->index_arena);
    proto_detour_close(b->import);
    proto_geometry_destroy(b->reader);
}

// A version that is deleted while it is baked is cancelled as well.
static metrics_bake_state end_of(nav_status status)
{
    bool cancelled = status == NAV_CANCELLED || status == PROTO_VERSION_NOT_FOUND ||
                     status == PROTO_MESH_NOT_FOUND;
    return status == NAV_OK ? METRICS_BAKE_READY
                            : (cancelled ? METRICS_BAKE_CANCELLED : METRICS_BAKE_FAILED);
}

static void report_ready(const job_baking *b, double elapsed_ms)
{
    const job *j = b->job;
    service *s = b->service;
    log_info("baked", "mesh=%s version=%u polygons=%llu tiles=%u reused=%u ms=%.1f", j->mesh,
             j->version, (unsigned long long)b->report.polygons, atomic_load(&j->tiles_total),
             atomic_load(&j->tiles_reused), elapsed_ms);
    if (b->removed > 0) {
        log_info("versions_removed", "mesh=%s count=%u keep=%u", j->mesh, b->removed,
                 atomic_load(&s->live.keep_versions));
    }
    repair_again(s, j->mesh);
}

static void report_failed(const job_baking *b, nav_status status, nav_error *why)
{
    const job *j = b->job;
    nav_error ignored = {0};
    why->status = status;
    log_error("bake_failed", "mesh=%s version=%u code=%s detail=\"%s\"", j->mesh, j->version,
              proto_status_word(status), why->detail);
    status = store_version_failed(b->service->store, j->mesh, j->version, why, &ignored);
    if (retry_may_help(status)) {
        store_version_failed_later(b->service->store, b->job->owed, j->mesh, j->version, why);
        b->job->owed = NULL;
    } else if (status != NAV_OK) {
        log_error("bake_not_recorded", "mesh=%s version=%u detail=\"%s\"", j->mesh, j->version,
                  ignored.detail);
    }
}

void job_bake(service *s, job *j)
{
    job_baking b = {.service = s, .job = j, .started_ns = clock_now_ns()};
    NAV_ASSERT(j->running && j->version != 0 && j->owed != NULL);
    b.limits.job = j;
    b.limits.deadline_ns = s->budget.bake_ns > 0 ? b.started_ns + s->budget.bake_ns : 0;
    b.hooks = hooks_of(&b.limits);
    nav_arena_init(&b.settings, NULL, LIMIT_CONFIG_MEMORY_BYTES);
    nav_arena_init(&b.index_arena, NULL, (size_t)s->budget.bake_bytes);
    job_events_init(&b.events, s, j);
    nav_error err = {0};
    log_debug("bake_begun", "mesh=%s version=%u worker=%u", j->mesh, j->version, j->worker);
    nav_status status = run(&b, &err);
    const uint64_t elapsed_ns = clock_now_ns() - b.started_ns;
    if (j->repairs) {
        repair_end(s, j->mesh, j->version, status, &err);
        release(&b);
        return;
    }
    metrics_bake(end_of(status), &b.report, elapsed_ns);
    if (status == NAV_OK) {
        report_ready(&b, (double)elapsed_ns / 1e6);
    } else if (end_of(status) == METRICS_BAKE_CANCELLED) {
        log_info("bake_cancelled", "mesh=%s version=%u", j->mesh, j->version);
    } else {
        report_failed(&b, status, &err);
    }
    job_events_end(s, j->mesh, j->version);
    release(&b);
}
