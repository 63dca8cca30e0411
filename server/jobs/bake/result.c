// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// result.c: the end of a bake that went well: tiles, numbers and warnings go into the store in
// one transaction, and the version goes live where that is wanted, or is live again.

#include "proto/detour/detour.h"
#include "proto/replies/replies.h"
#include "server/jobs/bake/bake.h"
#include "server/instances/instances.h"
#include "server/meshes/cache.h"
#include "server/meshes/registry.h"

#include <stdlib.h>

// The name of a version's mesh: of one tile its own, of several the hash of their names in order.
static void write_blob_info(const job_agent_tiles *baked, proto_writer *w)
{
    uint64_t bytes = 0, stored_bytes = 0;
    uint8_t name[32];
    store_tiles_name(baked->tiles, baked->count, name);
    for (uint32_t i = 0; i < baked->count; i++) {
        bytes += baked->tiles[i].bytes;
        stored_bytes += baked->tiles[i].packed_bytes;
    }
    proto_write_blob_info(w, name, bytes, stored_bytes);
}

// Commits the version. Versions that instances are pinned to stay, however many versions are to be
// kept.
static nav_status commit(job_baking *b, store_result *result, uint64_t *activation, nav_error *err)
{
    const service *s = b->service;
    const char *mesh = b->job->mesh;
    const bool retains = s->pins != NULL && result->keep_versions > 0;
    uint32_t *pinned = NULL;
    if (retains) {
        nav_status status = pins_retain_begin(s->pins, mesh, &pinned, &result->pinned_count, err);
        if (status != NAV_OK) {
            return status;
        }
        result->pinned = pinned;
    }
    nav_status status =
        store_version_ready(s->store, mesh, b->job->version, result, activation, err);
    if (retains) {
        pins_remove_end(s->pins, mesh, 0);
    }
    result->pinned = NULL;
    free(pinned);
    return status;
}

static nav_status put(job_baking *b, store_result *result, nav_error *err)
{
    service *s = b->service;
    uint64_t activation = 0;
    nav_status status = commit(b, result, &activation, err);
    if (status == NAV_OK && result->repairs) {
        mesh_cache_remove(s->cache, b->job->mesh, b->job->version);
    }
    if (status == NAV_OK && activation != 0) {
        registry_publish(s->registry, b->job->mesh, b->job->version, activation, b->mesh);
        instances_live_changed(s->instances, b->job->mesh, b->job->version);
    }
    return status;
}

// The texts of a version that a bake fills.
enum {
    BLOB,
    STATS,
    TIMINGS,
    WARNINGS,
    AGENTS,   // NULL: there are no further ones
    GEOMETRY, // NULL, unless a repair has lost it
    TEXTS
};

// The result of each further agent.
static void write_agents(const job_baking *b, proto_writer *w)
{
    const job_tiles_output *baked = job_tiles_result(b->tiles);
    proto_write_object_begin(w);
    for (uint32_t i = 0; i < b->config.agent_count; i++) {
        nav_mesh_stats stats;
        nav_mesh_stats_get(b->agent_meshes[i], &stats);
        proto_member_object(w, b->config.agents[i].name);
        proto_write_key(w, "blob");
        write_blob_info(&baked->agents[i + 1], w);
        proto_write_key(w, "stats");
        proto_write_stats(w, &stats, &b->agent_reports[i]);
        proto_write_key(w, "warnings");
        proto_write_warnings(w, NULL, &b->agent_reports[i]);
        proto_write_object_end(w);
    }
    proto_write_object_end(w);
}

// The format in which it came is lost with the text.
static void write_geometry(const job_baking *b, proto_writer *w)
{
    const uint8_t *hash = b->row.geometry_hash;
    if (b->import != NULL) {
        const proto_detour_numbers numbers = proto_detour_count(b->import);
        proto_write_source_info(w, hash, proto_format_word(proto_geometry_format(b->reader)),
                                &numbers);
    } else {
        proto_write_geometry_info(w, hash, proto_format_word(PROTO_FORMAT_PACKED), &b->geometry,
                                  NULL);
    }
}

static void leave_out(char *texts[TEXTS], int which)
{
    free(texts[which]);
    texts[which] = NULL;
}

// Each malloc'ed, or NULL where there was no memory. False: not all are there.
static bool write_texts(const job_baking *b, char *texts[TEXTS])
{
    nav_mesh_stats stats;
    nav_mesh_stats_get(b->mesh, &stats);
    proto_writer writers[TEXTS];
    for (int i = 0; i < TEXTS; i++) {
        proto_writer_init(&writers[i]);
        writers[i].coordinates = b->config.coordinates;
    }
    write_blob_info(&job_tiles_result(b->tiles)->agents[0], &writers[BLOB]);
    proto_write_stats(&writers[STATS], &stats, &b->report);
    proto_write_timings(&writers[TIMINGS], &b->report, b->store_ns, clock_now_ns() - b->started_ns);
    proto_write_warnings(&writers[WARNINGS], &b->level, &b->report);
    write_agents(b, &writers[AGENTS]);
    const bool lost = b->job->repairs && b->row.geometry_json == NULL;
    if (lost) {
        write_geometry(b, &writers[GEOMETRY]);
    } else {
        proto_write_string(&writers[GEOMETRY], NULL);
    }
    bool whole = true;
    for (int i = 0; i < TEXTS; i++) {
        texts[i] = proto_writer_take(&writers[i], NULL);
        whole = whole && texts[i] != NULL;
    }
    if (b->config.agent_count == 0) {
        leave_out(texts, AGENTS);
    }
    if (!lost) {
        leave_out(texts, GEOMETRY);
    }
    return whole;
}

// Counts warnings of all agents, as reported.
static nav_status count_warnings(store_result *result, nav_error *err)
{
    proto_lines lines = {.prefix = ""};
    nav_status status =
        proto_lines_write(&lines, NULL, result->warnings_json, result->agents_json, err);
    result->has_warnings = lines.warnings > 0;
    proto_writer_free(&lines.text);
    return status;
}

nav_status job_result_put(job_baking *b, nav_error *err)
{
    const job_tiles_output *baked = job_tiles_result(b->tiles);
    NAV_ASSERT(b->mesh != NULL && baked->agents[0].count > 0);
    char *texts[TEXTS], now[CLOCK_TEXT_BYTES];
    const bool repairs = b->job->repairs, whole = write_texts(b, texts);
    clock_text(now);
    store_result result = {.tiles = baked->rest,
                           .tile_count = baked->rest_count,
                           .tiles_reused = atomic_load(&b->job->tiles_reused),
                           .keep_versions =
                               repairs ? 0 : atomic_load(&b->service->live.keep_versions),
                           .removed = &b->removed,
                           .landmarks = b->landmarks,
                           .landmark_count = b->config.agent_count + 1,
                           .agents_json = texts[AGENTS],
                           .blob_json = texts[BLOB],
                           .stats_json = texts[STATS],
                           .timings_json = texts[TIMINGS],
                           .warnings_json = texts[WARNINGS],
                           .checks_json = b->checks.json,
                           .checks_failed = b->checks.failed > 0,
                           .repairs = repairs,
                           .geometry_json = texts[GEOMETRY],
                           .created_at = repairs && b->row.created_at[0] == '\0' ? now : NULL};
    nav_status status = whole ? count_warnings(&result, err)
                              : nav_fail(err, NAV_NO_MEMORY, "no memory to describe the bake");
    // Behind the store's commit nothing may fail: what it has is what is live, and is stored once.
    NAV_IF_OK(status, registry_reserve(b->service->registry, b->job->mesh, err));
    NAV_IF_OK(status, put(b, &result, err));
    for (int i = 0; i < TEXTS; i++) {
        free(texts[i]);
    }
    return status;
}
