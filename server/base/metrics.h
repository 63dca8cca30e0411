// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// metrics.h: the counters of the daemon, for GET /metrics (api/metrics_page.c).
//
// Counters that change with each request are kept in a few copies, each on cache lines of its own;
// a thread adds to one of them, without a lock. A request costs four such additions.

#pragma once

#include "core/nav.h"

#define METRICS_ROUTES_MAX 128u

// One request that has been answered: by route (its place in the table from 1; 0: none was found),
// class of status, duration.
void metrics_request(uint32_t route, int status, uint64_t duration_ns);

// Goes up and down.
typedef enum metrics_gauge {
    METRICS_CONNECTIONS,
    METRICS_REQUESTS_IN_FLIGHT,
    METRICS_HANDLERS_RUNNING, // threads that are at a request now; not on the page
    METRICS_UPLOADS_IN_FLIGHT,
    METRICS_GAUGE_COUNT,
} metrics_gauge;

// Only ever goes up.
typedef enum metrics_counter {
    METRICS_CONNECTIONS_ACCEPTED,
    METRICS_REQUESTS_ABORTED, // without a reply: the client was gone
    METRICS_SLOW_QUERIES,
    METRICS_RECORDINGS,
    METRICS_RECORDINGS_DROPPED, // of those that make themselves
    METRICS_COUNTER_COUNT,
} metrics_counter;

void metrics_add(metrics_gauge gauge, int change);
void metrics_count(metrics_counter counter);

#define METRICS_PATH_REASONS (NAV_REASON_MAX_LENGTH + 1)

// A path that was asked for, alone or in a list, and how it turned out.
void metrics_path(nav_path_status status, nav_path_reason reason);

// How a bake ended.
typedef enum metrics_bake_state {
    METRICS_BAKE_READY,
    METRICS_BAKE_FAILED,
    METRICS_BAKE_CANCELLED,
    METRICS_BAKE_STATE_COUNT,
} metrics_bake_state;

void metrics_bake(metrics_bake_state state, const nav_bake_report *report, uint64_t duration_ns);

// ---- for api/metrics_page.c ----

// Upper bounds of the histograms' buckets; one more bucket takes the rest.
#define METRICS_REQUEST_BOUNDS 16
#define METRICS_BAKE_BOUNDS 12
#define METRICS_CLASSES 5 // 1xx to 5xx
extern const uint64_t metrics_request_bounds_ns[METRICS_REQUEST_BOUNDS];
extern const uint64_t metrics_bake_bounds_ns[METRICS_BAKE_BOUNDS];

typedef struct metrics_request_sums {
    uint64_t buckets[METRICS_REQUEST_BOUNDS + 1];
    uint64_t sum_ns;
} metrics_request_sums;

typedef struct metrics_bake_sums {
    uint64_t ended[METRICS_BAKE_STATE_COUNT];
    uint64_t buckets[METRICS_BAKE_BOUNDS + 1];
    uint64_t sum_ns;
    uint64_t stage_ns[NAV_STAGE_COUNT];
} metrics_bake_sums;

// All threads together. A sum over counters that move: each is right, and together they may be a
// few requests apart.
metrics_request_sums metrics_request_get(uint32_t route, uint32_t status_class);
metrics_bake_sums metrics_bake_get(void);
uint64_t metrics_path_get(nav_path_status status, nav_path_reason reason);
int64_t metrics_gauge_get(metrics_gauge gauge);
uint64_t metrics_counter_get(metrics_counter counter);
