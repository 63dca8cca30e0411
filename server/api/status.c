// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// status.c: health, readiness, and the state of the daemon in full.

#include "server/http/connections.h"
#include "server/base/clock.h"
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

nav_status handle_healthz(request *r, reply *out, nav_error *err)
{
    (void)r;
    (void)err;
    proto_write_object_begin(&out->w);
    proto_member_string(&out->w, "status", "ok");
    proto_write_object_end(&out->w);
    return NAV_OK;
}

// Why writes fail at present.
static void write_trouble(proto_writer *w, const nav_error *why)
{
    proto_member_object(w, "degraded");
    proto_member_string(w, "code", proto_status_word(why->status));
    proto_member_string(w, "detail", why->detail);
    proto_write_object_end(w);
}

nav_status handle_readyz(request *r, reply *out, nav_error *err)
{
    service_state state = atomic_load(&r->service->state);
    if (state == SERVICE_READY) {
        // Questions are answered as ever while writes fail, so this stays 200.
        nav_error why;
        proto_write_object_begin(&out->w);
        proto_member_string(&out->w, "status", "ready");
        if (store_is_degraded(r->service->store, &why)) {
            write_trouble(&out->w, &why);
        }
        proto_write_object_end(&out->w);
        return NAV_OK;
    }
    NAV_ASSERT(state <= SERVICE_STOPPING);
    return nav_fail(err, PROTO_NOT_READY, "%s",
                    state == SERVICE_STOPPING ? "the daemon is stopping"
                    : state == SERVICE_BAKING ? "files of the command line, or live versions that "
                                                "were damaged, are still being baked"
                                              : "meshes are still being loaded");
}

static void write_queue(proto_writer *w, job_counts counts)
{
    proto_member_int(w, "workers", counts.workers);
    proto_member_object(w, "queue");
    proto_member_int(w, "queued", counts.queued);
    proto_member_int(w, "baking", counts.baking);
    proto_member_int(w, "limit", counts.limit);
    proto_member_int(w, "mends", counts.repairs);
    proto_write_object_end(w);
}

// Returns the memory of all live meshes.
static uint64_t write_meshes(proto_writer *w, const registry_entry *entries, size_t count)
{
    uint64_t sum = 0;
    proto_member_array(w, "meshes");
    for (size_t i = 0; i < count; i++) {
        nav_mesh_stats stats;
        NAV_ASSERT(entries[i].version != 0);
        nav_mesh_stats_get(entries[i].mesh, &stats);
        const size_t memory_bytes = nav_mesh_memory_bytes(entries[i].mesh);
        sum += memory_bytes;
        proto_write_object_begin(w);
        proto_member_string(w, "mesh", entries[i].name);
        proto_member_int(w, "version", entries[i].version);
        proto_member_int(w, "polygons", stats.polygons);
        proto_member_int(w, "memory_bytes", memory_bytes);
        proto_write_object_end(w);
    }
    proto_write_array_end(w);
    return sum;
}

static void write_build(proto_writer *w)
{
    proto_member_object(w, "build");
    proto_member_string(w, "compiler", __VERSION__);
#ifdef NAV_DEBUG
    proto_member_string(w, "kind", "debug");
#else
    proto_member_string(w, "kind", "release");
#endif
    proto_member_object(w, "libraries");
    proto_member_string(w, "libmicrohttpd", http_library_version());
    proto_member_string(w, "cjson", proto_library_version());
    proto_member_string(w, "zstd", pack_library_version());
    proto_member_string(w, "sqlite", store_library_version());
    proto_write_object_end(w);
    proto_write_object_end(w);
}

static void write_listeners(proto_writer *w, const service *s)
{
    const http *listeners = atomic_load(&s->http);
    const char *address;
    proto_member_array(w, "listeners");
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
    proto_member_object(w, "limits");
    for (size_t i = 0; (name = limits_row(&s->limits, i, &value)) != NULL; i++) {
        proto_member_int(w, name, value);
    }
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        proto_member_int(w, limits[i].name, limits[i].value);
    }
    proto_write_object_end(w);
}

static void write_memory(proto_writer *w, const service *s, uint64_t meshes_bytes)
{
    process_usage usage = process_usage_get();
    proto_member_object(w, "memory");
    proto_member_int(w, "resident_bytes", usage.resident_bytes);
    proto_member_int(w, "meshes_bytes", meshes_bytes);
    proto_member_int(w, "scratch_bytes", scratch_bytes());
    proto_member_int(w, "bodies_bytes",
                     atomic_load(&s->requests_bytes) + atomic_load(&s->answers_bytes));
    proto_write_object_end(w);
    proto_member_object(w, "files");
    proto_member_int(w, "open", usage.open_files);
    proto_member_int(w, "limit", usage.open_files_limit);
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
    proto_member_int(w, "meshes", usage.meshes);
    proto_member_object(w, "versions");
    for (int state = 0; state < STORE_STATE_COUNT; state++) {
        proto_member_int(w, store_state_word((store_state)state), usage.versions[state]);
    }
    proto_write_object_end(w);
    proto_member_int(w, "file_bytes", usage.file_bytes);
    proto_member_int(w, "wal_bytes", usage.wal_bytes);
    proto_write_object_end(w);
}

// null where writes work.
static void write_degraded(proto_writer *w, const service *s)
{
    nav_error why;
    if (store_is_degraded(s->store, &why)) {
        write_trouble(w, &why);
    } else {
        proto_member_string(w, "degraded", NULL);
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
        proto_member_string(w, "mesh", all[i].mesh);
        proto_member_index(w, "version", all[i].version != 0 ? all[i].version : NAV_NONE);
        proto_member_bool(w, "mending", all[i].repairing);
        proto_member_string(w, "detail", all[i].detail);
        proto_write_object_end(w);
    }
    proto_write_array_end(w);
    free(all);
}

// Versions that are not live, but were asked for of late.
static void write_kept(proto_writer *w, mesh_cache_use kept)
{
    proto_member_object(w, "kept");
    proto_member_int(w, "meshes", kept.count);
    proto_member_int(w, "memory_bytes", kept.bytes);
    proto_write_object_end(w);
}

static void write_instances(proto_writer *w, const service *s)
{
    const instances_use use = instances_used(s->instances);
    proto_member_object(w, "instances");
    proto_member_string(w, "kept", "memory"); // and nowhere else: a restart ends them
    proto_member_int(w, "count", use.count);
    proto_member_int(w, "limit", use.count_max);
    proto_member_int(w, "memory_bytes", use.bytes);
    proto_member_int(w, "pinned_versions", pins_count(s->pins));
    proto_write_object_end(w);
}

static void write_life(proto_writer *w, const service *s)
{
    static const char *const words[] = {[SERVICE_LOADING] = "loading",
                                        [SERVICE_BAKING] = "baking",
                                        [SERVICE_READY] = "ready",
                                        [SERVICE_STOPPING] = "stopping"};
    _Static_assert(sizeof words / sizeof words[0] == SERVICE_STOPPING + 1, "a word each");
    proto_member_string(w, "version", NAVMESHD_VERSION);
    proto_member_string(w, "state", words[atomic_load(&s->state)]);
    char started_at[CLOCK_TEXT_BYTES];
    clock_text_at(s->started_unix_ms, started_at);
    proto_member_string(w, "started_at", started_at);
    proto_member_fixed(w, "uptime_s", (double)(clock_now_ns() - s->started_ns) / 1e9, 3);
}

nav_status handle_status(request *r, reply *out, nav_error *err)
{
    const service *s = r->service;
    proto_writer *w = &out->w;
    registry_entry *entries = NULL;
    size_t count = 0;
    if (registry_list(s->registry, &entries, &count) != NAV_OK) {
        return nav_fail(err, NAV_NO_MEMORY, "no memory to list the meshes");
    }
    proto_write_object_begin(w);
    write_life(w, s);
    write_build(w);
    write_listeners(w, s);
    proto_member_bool(w, "trusted_network", s->trusted_network);
    proto_member_int(w, "connections", connections_count(s->connections));
    write_queue(w, jobs_count(s->jobs));
    uint64_t meshes_bytes = write_meshes(w, entries, count);
    write_kept(w, mesh_cache_used(s->cache, entries, count));
    registry_list_free(entries, count);
    write_instances(w, s);
    write_memory(w, s, meshes_bytes);
    write_store(w, s);
    write_degraded(w, s);
    write_damage(w, s);
    write_limits(w, s);
    proto_write_object_end(w);
    return NAV_OK;
}
