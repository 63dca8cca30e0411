// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// request_end.c: what is counted and logged of a request once its reply is known. Query strings,
// bodies and headers are not logged: they may hold what is nobody's business.

#include "server/http/http.h"

#include "server/base/log.h"
#include "server/base/metrics.h"

static double milliseconds(uint64_t ns)
{
    return (double)ns / 1e6;
}

// Of a request that found no route the path is told, as the client wrote it.
static const char *place_of(const request *r, const request_end *end)
{
    return r->route != NULL ? r->route->pattern : end->path;
}

static void log_request(const request *r, const request_end *end)
{
    log_info("request", "id=%s method=%.16s route=%.200s mesh=%s status=%d ms=%.3f bytes=%llu",
             r->id, end->method, place_of(r, end), r->mesh, end->status,
             milliseconds(end->duration_ns), (unsigned long long)end->reply_bytes);
}

// An upload is no query: its time is the client's line and the disk.
static bool is_slow(const request *r, const request_end *end, uint64_t limit_ns)
{
    return limit_ns > 0 && end->handled_ns >= limit_ns && r->route != NULL &&
           r->route->body != BODY_STREAM;
}

void request_ended(const request *r, const request_end *end)
{
    const service_live *live = &r->service->live;
    metrics_request(r->route != NULL ? (uint32_t)(r->route - r->service->routes->rows) + 1 : 0,
                    end->status, end->duration_ns);
    if (atomic_load_explicit(&live->log_requests, memory_order_relaxed)) {
        log_request(r, end);
    }
    if (is_slow(r, end, atomic_load_explicit(&live->slow_query_ns, memory_order_relaxed))) {
        metrics_count(METRICS_SLOW_QUERIES);
        log_warn("slow_query",
                 "id=%s method=%.16s route=%s mesh=%s version=%u status=%d ms=%.3f nodes=%u", r->id,
                 end->method, r->route->pattern, r->mesh,
                 r->asked_version > 0 ? r->asked_version : r->version, end->status,
                 milliseconds(end->handled_ns), r->nodes_expanded);
    }
}
