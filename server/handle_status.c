// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// handle_status.c: is it alive, is it ready, what is it doing.

#include "server/routes.h"

#include <stdio.h>
#include <unistd.h>

static void reply_word(const request *r, reply *out, const char *word)
{
    proto_writer w;
    proto_writer_init(&w);
    proto_write_object_begin(&w);
    proto_write_key(&w, "status");
    proto_write_string(&w, word);
    proto_write_object_end(&w);
    reply_take(r, out, 200, "application/json", &w);
}

void handle_healthz(request *r, reply *out)
{
    reply_word(r, out, "ok");
}

void handle_readyz(request *r, reply *out)
{
    service_state state = atomic_load(&r->service->state);
    if (state == SERVICE_READY) {
        reply_word(r, out, "ready");
        return;
    }
    nav_error err;
    (void)nav_fail(&err, NAV_NOT_READY, "%s",
                   state == SERVICE_STOPPING ? "the daemon is stopping"
                   : state == SERVICE_BAKING ? "files of the command line are still being baked"
                                             : "meshes are still being loaded");
    reply_error(r, out, &err);
}

// Memory of the process that is in RAM now; 0 where the system does not tell.
static uint64_t resident_bytes(void)
{
    unsigned long long total = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file == NULL) {
        return 0;
    }
    if (fscanf(file, "%llu %llu", &total, &resident) != 2) {
        resident = 0;
    }
    (void)fclose(file);
    return resident * (uint64_t)sysconf(_SC_PAGESIZE);
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
        nav_mesh_stats_get(entries[i].mesh, &stats);
        sum += stats.memory_bytes;
        proto_write_object_begin(w);
        proto_write_key(w, "mesh");
        proto_write_string(w, entries[i].name);
        write_int(w, "version", entries[i].version);
        write_int(w, "polygons", stats.polygons);
        write_int(w, "memory_bytes", stats.memory_bytes);
        proto_write_object_end(w);
    }
    proto_write_array_end(w);
    return sum;
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

void handle_status(request *r, reply *out)
{
    static const char *const words[] = {[SERVICE_LOADING] = "loading",
                                        [SERVICE_BAKING] = "baking",
                                        [SERVICE_READY] = "ready",
                                        [SERVICE_STOPPING] = "stopping"};
    registry_entry *entries = NULL;
    size_t count = 0;
    if (registry_list(r->service->registry, &entries, &count) != NAV_OK) {
        nav_error err;
        (void)nav_fail(&err, NAV_NO_MEMORY, "no memory to list the meshes");
        reply_error(r, out, &err);
        return;
    }
    proto_writer w;
    proto_writer_init(&w);
    proto_write_object_begin(&w);
    proto_write_key(&w, "version");
    proto_write_string(&w, NAVMESHD_VERSION);
    proto_write_key(&w, "state");
    proto_write_string(&w, words[atomic_load(&r->service->state)]);
    proto_write_key(&w, "uptime_s");
    proto_write_fixed(&w, (double)(clock_now_ns() - r->service->started_ns) / 1e9, 3);
    write_queue(&w, jobs_count(r->service->jobs));
    uint64_t meshes_bytes = write_meshes(&w, entries, count);
    write_kept(&w, mesh_cache_used(r->service->cache));
    proto_write_key(&w, "memory");
    proto_write_object_begin(&w);
    write_int(&w, "resident_bytes", resident_bytes());
    write_int(&w, "meshes_bytes", meshes_bytes);
    proto_write_object_end(&w);
    proto_write_object_end(&w);
    registry_list_free(entries, count);
    reply_take(r, out, 200, "application/json", &w);
}
