// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// status.c: health, readiness, and the state of the daemon in full.

#include "server/http/connections.h"
#include "server/base/clock.h"
#include "server/base/metrics.h"
#include "server/base/pack.h"
#include "server/base/process.h"
#include "server/api/routes.h"
#include "server/instances/instances.h"
#include "server/jobs/jobs.h"
#include "server/meshes/cache.h"
#include "server/meshes/damage_list.h"
#include "server/meshes/registry.h"
#include "server/meshes/scratch.h"
#include "server/store/store.h"

#include <stdlib.h>

static void write_text(proto_writer *w, const char *key, const char *text)
{
    proto_write_key(w, key);
    proto_write_string(w, text);
}

void handle_healthz(request *r, reply *out)
{
    proto_writer w;
    proto_writer_init(&w);
    proto_write_object_begin(&w);
    write_text(&w, "status", "ok");
    proto_write_object_end(&w);
    reply_take(r, out, 200, "application/json", &w);
}

// Why writes fail at present.
static void write_trouble(proto_writer *w, const nav_error *why)
{
    proto_write_key(w, "degraded");
    proto_write_object_begin(w);
    write_text(w, "code", proto_status_word(why->status));
    write_text(w, "detail", why->detail);
    proto_write_object_end(w);
}

// Questions are answered as ever while writes fail, so this stays 200.
static void reply_ready(const request *r, reply *out)
{
    proto_writer w;
    nav_error why;
    proto_writer_init(&w);
    proto_write_object_begin(&w);
    write_text(&w, "status", "ready");
    if (store_is_degraded(r->service->store, &why)) {
        write_trouble(&w, &why);
    }
    proto_write_object_end(&w);
    reply_take(r, out, 200, "application/json", &w);
}

void handle_readyz(request *r, reply *out)
{
    service_state state = atomic_load(&r->service->state);
    if (state == SERVICE_READY) {
        reply_ready(r, out);
        return;
    }
    NAV_ASSERT(state <= SERVICE_STOPPING);
    nav_error err;
    (void)nav_fail(&err, PROTO_NOT_READY, "%s",
                   state == SERVICE_STOPPING ? "the daemon is stopping"
                   : state == SERVICE_BAKING ? "files of the command line, or live versions that "
                                               "were damaged, are still being baked"
                                             : "meshes are still being loaded");
    reply_error(r, out, &err);
}

static void write_int(proto_writer *w, const char *key, uint64_t value)
{
    proto_write_key(w, key);
    proto_write_int(w, (int64_t)value);
}

static void write_queue(proto_writer *w, job_counts counts)
{
    write_int(w, "workers", counts.workers);
    proto_write_key(w, "queue");
    proto_write_object_begin(w);
    write_int(w, "queued", counts.queued);
    write_int(w, "baking", counts.baking);
    write_int(w, "limit", counts.limit);
    write_int(w, "mends", counts.repairs);
    proto_write_object_end(w);
}

// Returns the memory of all live meshes.
static uint64_t write_meshes(proto_writer *w, const registry_entry *entries, size_t count)
{
    uint64_t sum = 0;
    proto_write_key(w, "meshes");
    proto_write_array_begin(w);
    for (size_t i = 0; i < count; i++) {
        nav_mesh_stats stats;
        NAV_ASSERT(entries[i].version != 0);
        nav_mesh_stats_get(entries[i].mesh, &stats);
        const size_t memory_bytes = nav_mesh_memory_bytes(entries[i].mesh);
        sum += memory_bytes;
        proto_write_object_begin(w);
        proto_write_key(w, "mesh");
        proto_write_string(w, entries[i].name);
        write_int(w, "version", entries[i].version);
        write_int(w, "polygons", stats.polygons);
        write_int(w, "memory_bytes", memory_bytes);
        proto_write_object_end(w);
    }
    proto_write_array_end(w);
    return sum;
}

static void write_build(proto_writer *w)
{
    proto_write_key(w, "build");
    proto_write_object_begin(w);
    write_text(w, "compiler", __VERSION__);
#ifdef NAV_DEBUG
    write_text(w, "kind", "debug");
#else
    write_text(w, "kind", "release");
#endif
    proto_write_key(w, "libraries");
    proto_write_object_begin(w);
    write_text(w, "libmicrohttpd", http_library_version());
    write_text(w, "cjson", proto_library_version());
    write_text(w, "zstd", pack_library_version());
    write_text(w, "sqlite", store_library_version());
    proto_write_object_end(w);
    proto_write_object_end(w);
}

static void write_listeners(proto_writer *w, const service *s)
{
    const http *listeners = atomic_load(&s->http);
    const char *address;
    proto_write_key(w, "listeners");
    proto_write_array_begin(w);
    for (size_t i = 0; listeners != NULL && (address = http_address(listeners, i)) != NULL; i++) {
        proto_write_string(w, address);
    }
    proto_write_array_end(w);
}

// The limits in force, options and constants of the build alike.
static void write_limits(proto_writer *w, const service *s)
{
    const struct {
        const char *name;
        uint64_t value;
    } limits[] = {
        {"query_arguments", LIMIT_ARGS},
        {"bake_memory_bytes", s->budget.bake_bytes},
        {"bake_time_ms", s->budget.bake_ns / 1000000u},
        {"drain_ms", atomic_load(&s->live.drain_ms)},
        {"slow_query_ms", atomic_load(&s->live.slow_query_ns) / 1000000u},
    };
    const char *name;
    uint64_t value;
    proto_write_key(w, "limits");
    proto_write_object_begin(w);
    for (size_t i = 0; (name = limits_row(&s->limits, i, &value)) != NULL; i++) {
        write_int(w, name, value);
    }
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        write_int(w, limits[i].name, limits[i].value);
    }
    proto_write_object_end(w);
}

static void write_memory(proto_writer *w, const service *s, uint64_t meshes_bytes)
{
    process_usage usage = process_usage_get();
    proto_write_key(w, "memory");
    proto_write_object_begin(w);
    write_int(w, "resident_bytes", usage.resident_bytes);
    write_int(w, "meshes_bytes", meshes_bytes);
    write_int(w, "scratch_bytes", scratch_bytes());
    write_int(w, "bodies_bytes", atomic_load(&s->requests_bytes) + atomic_load(&s->answers_bytes));
    proto_write_object_end(w);
    proto_write_key(w, "files");
    proto_write_object_begin(w);
    write_int(w, "open", usage.open_files);
    write_int(w, "limit", usage.open_files_limit);
    proto_write_object_end(w);
}

// null where the database does not answer.
static void write_store(proto_writer *w, const service *s)
{
    store_usage usage;
    nav_error ignored;
    proto_write_key(w, "store");
    if (store_usage_get(s->store, &usage, &ignored) != NAV_OK) {
        proto_write_null(w);
        return;
    }
    proto_write_object_begin(w);
    write_int(w, "meshes", usage.meshes);
    proto_write_key(w, "versions");
    proto_write_object_begin(w);
    for (int state = 0; state < STORE_STATE_COUNT; state++) {
        write_int(w, store_state_word((store_state)state), usage.versions[state]);
    }
    proto_write_object_end(w);
    write_int(w, "file_bytes", usage.file_bytes);
    write_int(w, "wal_bytes", usage.wal_bytes);
    proto_write_object_end(w);
}

// null where writes work.
static void write_degraded(proto_writer *w, const service *s)
{
    nav_error why;
    if (store_is_degraded(s->store, &why)) {
        write_trouble(w, &why);
    } else {
        proto_write_key(w, "degraded");
        proto_write_null(w);
    }
}

// null where there is no memory to list it.
static void write_damage(proto_writer *w, const service *s)
{
    size_t count;
    damage_list_entry *all = damage_list_all(s->damage_list, &count);
    proto_write_key(w, "damaged");
    if (all == NULL) {
        proto_write_null(w);
        return;
    }
    proto_write_array_begin(w);
    for (size_t i = 0; i < count; i++) {
        proto_write_object_begin(w);
        write_text(w, "mesh", all[i].mesh);
        proto_write_key(w, "version");
        if (all[i].version != 0) {
            proto_write_int(w, all[i].version);
        } else {
            proto_write_null(w);
        }
        proto_write_key(w, "mending");
        proto_write_bool(w, all[i].repairing);
        write_text(w, "detail", all[i].detail);
        proto_write_object_end(w);
    }
    proto_write_array_end(w);
    free(all);
}

// Versions that are not live, but were asked for of late.
static void write_kept(proto_writer *w, mesh_cache_use kept)
{
    proto_write_key(w, "kept");
    proto_write_object_begin(w);
    write_int(w, "meshes", kept.count);
    write_int(w, "memory_bytes", kept.bytes);
    proto_write_object_end(w);
}

static void write_instances(proto_writer *w, const service *s)
{
    const instances_use use = instances_used(s->instances);
    proto_write_key(w, "instances");
    proto_write_object_begin(w);
    write_text(w, "kept", "memory"); // and nowhere else: a restart ends them
    write_int(w, "count", use.count);
    write_int(w, "limit", use.count_max);
    write_int(w, "memory_bytes", use.bytes);
    write_int(w, "pinned_versions", pins_count(s->pins));
    proto_write_object_end(w);
}

static void write_life(proto_writer *w, const service *s)
{
    static const char *const words[] = {[SERVICE_LOADING] = "loading",
                                        [SERVICE_BAKING] = "baking",
                                        [SERVICE_READY] = "ready",
                                        [SERVICE_STOPPING] = "stopping"};
    _Static_assert(sizeof words / sizeof words[0] == SERVICE_STOPPING + 1, "a word each");
    write_text(w, "version", NAVMESHD_VERSION);
    write_text(w, "state", words[atomic_load(&s->state)]);
    char started_at[CLOCK_TEXT_BYTES];
    clock_text_at(s->started_unix_ms, started_at);
    write_text(w, "started_at", started_at);
    proto_write_key(w, "uptime_s");
    proto_write_fixed(w, (double)(clock_now_ns() - s->started_ns) / 1e9, 3);
}

void handle_status(request *r, reply *out)
{
    const service *s = r->service;
    registry_entry *entries = NULL;
    size_t count = 0;
    if (registry_list(s->registry, &entries, &count) != NAV_OK) {
        nav_error err;
        (void)nav_fail(&err, NAV_NO_MEMORY, "no memory to list the meshes");
        reply_error(r, out, &err);
        return;
    }
    proto_writer w;
    proto_writer_init(&w);
    proto_write_object_begin(&w);
    write_life(&w, s);
    write_build(&w);
    write_listeners(&w, s);
    proto_write_key(&w, "trusted_network");
    proto_write_bool(&w, s->trusted_network);
    write_int(&w, "connections", connections_count(s->connections));
    write_queue(&w, jobs_count(s->jobs));
    uint64_t meshes_bytes = write_meshes(&w, entries, count);
    write_kept(&w, mesh_cache_used(s->cache, entries, count));
    registry_list_free(entries, count);
    write_instances(&w, s);
    write_memory(&w, s, meshes_bytes);
    write_store(&w, s);
    write_degraded(&w, s);
    write_damage(&w, s);
    write_limits(&w, s);
    proto_write_object_end(&w);
    reply_take(r, out, 200, "application/json", &w);
}
