// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// metrics_page.c: GET /metrics. A family is its HELP and TYPE, then all its samples.
// Format: prometheus.io, "Exposition formats", text 0.0.4.

#include "server/base/metrics.h"

#include "server/base/process.h"
#include "server/api/routes.h"
#include "server/instances/instances.h"
#include "server/jobs/jobs.h"
#include "server/meshes/damage_list.h"
#include "server/meshes/registry.h"
#include "server/meshes/scratch.h"
#include "server/store/store.h"

#include <inttypes.h>
#include <stdio.h>

#define LABELS_BYTES 128

static void family(proto_writer *w, const char *name, const char *type, const char *help)
{
    proto_write_text(w, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

// A family of one sample without labels.
static void whole(proto_writer *w, const char *name, const char *type, const char *help,
                  uint64_t value)
{
    family(w, name, type, help);
    proto_write_text(w, "%s %" PRIu64 "\n", name, value);
}

static double seconds(uint64_t ns)
{
    return (double)ns / 1e9;
}

// The samples of a histogram. labels: "" or some, with commas between them.
static void write_histogram(proto_writer *w, const char *name, const char *labels,
                            const uint64_t *bounds_ns, uint32_t bound_count,
                            const uint64_t *buckets, uint64_t sum_ns)
{
    const char *comma = labels[0] != '\0' ? "," : "";
    char braces[LABELS_BYTES + 2] = "";
    uint64_t so_far = 0;
    if (labels[0] != '\0') {
        (void)snprintf(braces, sizeof braces, "{%s}", labels);
    }
    for (uint32_t b = 0; b < bound_count; b++) {
        so_far += buckets[b];
        proto_write_text(w, "%s_bucket{%s%sle=\"%g\"} %" PRIu64 "\n", name, labels, comma,
                         seconds(bounds_ns[b]), so_far);
    }
    so_far += buckets[bound_count];
    proto_write_text(w, "%s_bucket{%s%sle=\"+Inf\"} %" PRIu64 "\n", name, labels, comma, so_far);
    proto_write_text(w, "%s_sum%s %.9f\n", name, braces, seconds(sum_ns));
    proto_write_text(w, "%s_count%s %" PRIu64 "\n", name, braces, so_far);
}

// ---- requests ----

// Labels of a route without their braces; a request that found no route (NULL) has "none" for both.
static void write_labels(const route *of, uint32_t status_class, char out[LABELS_BYTES])
{
    const int length = snprintf(out, LABELS_BYTES, "method=\"%s\",route=\"%s\",status=\"%uxx\"",
                                of != NULL ? routing_method_word(of->method) : "none",
                                of != NULL ? of->pattern : "none", status_class + 1);
    NAV_ASSERT(length > 0 && length < LABELS_BYTES);
}

static uint64_t count_of(const metrics_request_sums *sums)
{
    uint64_t count = 0;
    for (uint32_t b = 0; b <= METRICS_REQUEST_BOUNDS; b++) {
        count += sums->buckets[b];
    }
    return count;
}

// Counts, or histograms, of all routes. The usual classes are counted from the start, the others
// once they have happened.
static void write_routes(proto_writer *w, const route_table *routes, bool histograms)
{
    const uint32_t count = (uint32_t)routes->count;
    NAV_ASSERT(count < METRICS_ROUTES_MAX);
    for (uint32_t i = 0; i < (count + 1) * METRICS_CLASSES; i++) {
        const uint32_t row = i / METRICS_CLASSES, status_class = i % METRICS_CLASSES;
        const bool usual = status_class == 1 || status_class == 3 || status_class == 4;
        const metrics_request_sums sums =
            metrics_request_get(row < count ? row + 1 : 0, status_class);
        const uint64_t requests = count_of(&sums);
        char labels[LABELS_BYTES];
        write_labels(row < count ? &routes->rows[row] : NULL, status_class, labels);
        if (histograms && requests > 0) {
            write_histogram(w, "navmeshd_http_request_duration_seconds", labels,
                            metrics_request_bounds_ns, METRICS_REQUEST_BOUNDS, sums.buckets,
                            sums.sum_ns);
        } else if (!histograms && (usual || requests > 0)) {
            proto_write_text(w, "navmeshd_http_requests_total{%s} %" PRIu64 "\n", labels, requests);
        }
    }
}

static uint64_t gauge(metrics_gauge which)
{
    int64_t value = metrics_gauge_get(which);
    return value > 0 ? (uint64_t)value : 0;
}

static void write_requests(proto_writer *w, const route_table *routes)
{
    family(w, "navmeshd_http_requests_total", "counter",
           "Requests answered, by method, route and class of status.");
    write_routes(w, routes, false);
    family(w, "navmeshd_http_request_duration_seconds", "histogram",
           "Time from a request's headers to its reply, a body's arrival and a wait included.");
    write_routes(w, routes, true);
    whole(w, "navmeshd_http_requests_in_flight", "gauge", "Requests not yet answered.",
          gauge(METRICS_REQUESTS_IN_FLIGHT));
    whole(w, "navmeshd_http_requests_aborted_total", "counter",
          "Requests that ended without a reply.", metrics_counter_get(METRICS_REQUESTS_ABORTED));
    whole(w, "navmeshd_http_uploads_in_flight", "gauge", "Uploads that are arriving.",
          gauge(METRICS_UPLOADS_IN_FLIGHT));
    whole(w, "navmeshd_http_connections", "gauge", "Connections open.", gauge(METRICS_CONNECTIONS));
    whole(w, "navmeshd_http_connections_accepted_total", "counter", "Connections accepted.",
          metrics_counter_get(METRICS_CONNECTIONS_ACCEPTED));
    whole(w, "navmeshd_slow_queries_total", "counter", "Queries slower than --slow-query-ms.",
          metrics_counter_get(METRICS_SLOW_QUERIES));
    whole(w, "navmeshd_recordings_total", "counter", "Questions recorded.",
          metrics_counter_get(METRICS_RECORDINGS));
    whole(w, "navmeshd_recordings_dropped_total", "counter",
          "Slow or failed questions for whose recording there was no room or time.",
          metrics_counter_get(METRICS_RECORDINGS_DROPPED));
}

// ---- paths ----

// Outcomes that have not happened are left out, but for the one that is hoped for.
static void write_paths(proto_writer *w)
{
    family(w, "navmeshd_paths_total", "counter",
           "Paths asked for, alone or in lists, by how they turned out.");
    for (int status = NAV_PATH_NONE; status <= NAV_PATH_COMPLETE; status++) {
        for (int reason = 0; reason < METRICS_PATH_REASONS; reason++) {
            const uint64_t count =
                metrics_path_get((nav_path_status)status, (nav_path_reason)reason);
            if (count > 0 || (status == NAV_PATH_COMPLETE && reason == 0)) {
                const char *word = nav_path_reason_word((nav_path_reason)reason);
                proto_write_text(
                    w, "navmeshd_paths_total{status=\"%s\",reason=\"%s\"} %" PRIu64 "\n",
                    nav_path_status_word((nav_path_status)status), word != NULL ? word : "", count);
            }
        }
    }
}

// ---- bakes ----

static void write_bakes(proto_writer *w, const service *s)
{
    static const char *const states[] = {[METRICS_BAKE_READY] = "ready",
                                         [METRICS_BAKE_FAILED] = "failed",
                                         [METRICS_BAKE_CANCELLED] = "cancelled"};
    _Static_assert(sizeof states / sizeof states[0] == METRICS_BAKE_STATE_COUNT, "a word each");
    metrics_bake_sums sums = metrics_bake_get();
    job_counts now = jobs_count(s->jobs);
    family(w, "navmeshd_bakes_total", "counter", "Bakes ended, by how.");
    for (uint32_t i = 0; i < METRICS_BAKE_STATE_COUNT; i++) {
        proto_write_text(w, "navmeshd_bakes_total{state=\"%s\"} %" PRIu64 "\n", states[i],
                         sums.ended[i]);
    }
    family(w, "navmeshd_bake_duration_seconds", "histogram",
           "Time from a bake's begin to its end.");
    write_histogram(w, "navmeshd_bake_duration_seconds", "", metrics_bake_bounds_ns,
                    METRICS_BAKE_BOUNDS, sums.buckets, sums.sum_ns);
    family(w, "navmeshd_bake_stage_seconds_total", "counter",
           "Time of workers in each stage of a bake.");
    for (uint32_t i = 0; i < NAV_STAGE_COUNT; i++) {
        proto_write_text(w, "navmeshd_bake_stage_seconds_total{stage=\"%s\"} %.9f\n",
                         nav_stage_word((nav_stage)i), seconds(sums.stage_ns[i]));
    }
    whole(w, "navmeshd_bakes_running", "gauge", "Bakes running.", now.baking);
    whole(w, "navmeshd_bake_queue_length", "gauge", "Versions waiting for a worker.", now.queued);
    whole(w, "navmeshd_bake_queue_limit", "gauge", "Versions that may wait.", now.limit);
    whole(w, "navmeshd_bake_workers", "gauge", "Threads that bake.", now.workers);
}

// ---- what is kept ----

static void write_meshes(proto_writer *w, const service *s)
{
    registry_entry *entries = NULL;
    size_t count = 0;
    uint64_t memory_bytes = 0, polygons = 0;
    if (registry_list(s->registry, &entries, &count) != NAV_OK) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        nav_mesh_stats stats;
        nav_mesh_stats_get(entries[i].mesh, &stats);
        memory_bytes += nav_mesh_memory_bytes(entries[i].mesh);
        polygons += stats.polygons;
    }
    registry_list_free(entries, count);
    whole(w, "navmeshd_meshes_live", "gauge", "Meshes that answer queries.", count);
    whole(w, "navmeshd_mesh_polygons", "gauge", "Polygons of all live meshes.", polygons);
    whole(w, "navmeshd_mesh_memory_bytes", "gauge", "Memory of all live meshes.", memory_bytes);
    whole(w, "navmeshd_scratch_memory_bytes", "gauge", "Search memory of all threads.",
          scratch_bytes());
}

static void write_instances(proto_writer *w, const service *s)
{
    const instances_use use = instances_used(s->instances);
    whole(w, "navmeshd_instances", "gauge", "Instances of all meshes.", use.count);
    whole(w, "navmeshd_instances_limit", "gauge", "Instances that there may be.", use.count_max);
    whole(w, "navmeshd_instances_memory_bytes", "gauge",
          "Memory of all instances, without their meshes.", use.bytes);
    whole(w, "navmeshd_pinned_versions", "gauge", "Versions that instances are pinned to.",
          pins_count(s->pins));
    family(w, "navmeshd_instance_changes_total", "counter",
           "Instances set or changed, removed, and expired.");
    proto_write_text(w,
                     "navmeshd_instance_changes_total{change=\"set\"} %" PRIu64 "\n"
                     "navmeshd_instance_changes_total{change=\"removed\"} %" PRIu64 "\n"
                     "navmeshd_instance_changes_total{change=\"expired\"} %" PRIu64 "\n",
                     use.swaps, use.removals, use.expiries);
}

// Left out where the database does not answer.
static void write_store(proto_writer *w, const service *s)
{
    store_usage usage;
    nav_error ignored;
    whole(w, "navmeshd_store_degraded", "gauge", "1 while writes to the database fail.",
          store_is_degraded(s->store, &ignored));
    whole(w, "navmeshd_store_damaged", "gauge",
          "Versions, and checks of meshes, that are known to be damaged.",
          damage_list_count(s->damage_list));
    if (store_usage_get(s->store, &usage, &ignored) != NAV_OK) {
        return;
    }
    whole(w, "navmeshd_store_meshes", "gauge", "Meshes with a version.", usage.meshes);
    family(w, "navmeshd_store_versions", "gauge", "Versions stored, by state.");
    for (uint32_t i = 0; i < STORE_STATE_COUNT; i++) {
        proto_write_text(w, "navmeshd_store_versions{state=\"%s\"} %" PRIu64 "\n",
                         store_state_word((store_state)i), usage.versions[i]);
    }
    whole(w, "navmeshd_store_file_bytes", "gauge", "Size of the database.", usage.file_bytes);
    whole(w, "navmeshd_store_wal_bytes", "gauge", "Size of its write-ahead log.", usage.wal_bytes);
}

static void write_process(proto_writer *w, const service *s)
{
    process_usage usage = process_usage_get();
    family(w, "navmeshd_build_info", "gauge", "Always 1; its labels tell the build.");
    proto_write_text(w, "navmeshd_build_info{version=\"%s\"} 1\n", NAVMESHD_VERSION);
    whole(w, "navmeshd_ready", "gauge", "1 while /readyz answers 200.",
          atomic_load(&s->state) == SERVICE_READY);
    family(w, "process_start_time_seconds", "gauge", "Start of the process since 1970, UTC.");
    proto_write_text(w, "process_start_time_seconds %.3f\n", (double)s->started_unix_ms / 1e3);
    family(w, "process_cpu_seconds_total", "counter", "Processor time used.");
    proto_write_text(w, "process_cpu_seconds_total %.6f\n", seconds(usage.cpu_ns));
    whole(w, "process_resident_memory_bytes", "gauge", "Memory in RAM.", usage.resident_bytes);
    whole(w, "process_virtual_memory_bytes", "gauge", "Address space used.", usage.virtual_bytes);
    whole(w, "process_open_fds", "gauge", "Files and sockets open.", usage.open_files);
    whole(w, "process_max_fds", "gauge", "Files and sockets that may be open.",
          usage.open_files_limit);
}

nav_status handle_metrics(request *r, reply *out, nav_error *err)
{
    (void)err;
    const service *s = r->service;
    proto_writer *w = &out->w;
    write_process(w, s);
    write_requests(w, s->routes);
    write_paths(w);
    write_bakes(w, s);
    write_instances(w, s);
    write_meshes(w, s);
    write_store(w, s);
    out->content_type = "text/plain; version=0.0.4; charset=utf-8";
    return NAV_OK;
}
