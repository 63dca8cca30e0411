// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// metrics.c: counters. Plain atomic additions without order: nobody draws a conclusion from one
// counter about another.

#include "server/base/metrics.h"

#include <stdatomic.h>

// More threads than copies share; they still count right.
#define COPIES 16u
#define CACHE_LINE_BYTES 64
#define US UINT64_C(1000)
#define MS UINT64_C(1000000)
#define S UINT64_C(1000000000)

const uint64_t metrics_request_bounds_ns[METRICS_REQUEST_BOUNDS] = {
    10 * US, 25 * US, 50 * US, 100 * US, 250 * US, 500 * US, 1 * MS, 2500 * US,
    5 * MS,  10 * MS, 25 * MS, 100 * MS, 500 * MS, 2 * S,    10 * S, 60 * S};
const uint64_t metrics_bake_bounds_ns[METRICS_BAKE_BOUNDS] = {10 * MS, 50 * MS, 100 * MS, 500 * MS,
                                                              1 * S,   5 * S,   10 * S,   30 * S,
                                                              60 * S,  300 * S, 900 * S,  1800 * S};

typedef _Atomic uint64_t counter;
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "a counter takes no lock");

typedef struct request_counters {
    counter buckets[METRICS_REQUEST_BOUNDS + 1];
    counter sum_ns;
} request_counters;

typedef struct copy {
    _Alignas(CACHE_LINE_BYTES) request_counters requests[METRICS_ROUTES_MAX][METRICS_CLASSES];
    counter paths[NAV_PATH_COMPLETE + 1][METRICS_PATH_REASONS];
    _Atomic int64_t gauges[METRICS_GAUGE_COUNT]; // each may be below zero; their sum is not
} copy;

static copy copies[COPIES];
static counter counters[METRICS_COUNTER_COUNT];
static counter bake_ended[METRICS_BAKE_STATE_COUNT], bake_buckets[METRICS_BAKE_BOUNDS + 1],
    bake_sum_ns, bake_stage_ns[NAV_STAGE_COUNT];

static void add(counter *to, uint64_t value)
{
    atomic_fetch_add_explicit(to, value, memory_order_relaxed);
}

static uint64_t get(const counter *from)
{
    return atomic_load_explicit(from, memory_order_relaxed);
}

static _Atomic uint32_t threads; // that have counted something

static copy *copy_of_thread(void)
{
    static _Thread_local copy *mine;
    if (mine == NULL) {
        mine = &copies[atomic_fetch_add(&threads, 1) % COPIES];
    }
    return mine;
}

static uint32_t bucket_of(const uint64_t *bounds_ns, uint32_t count, uint64_t duration_ns)
{
    NAV_DCHECK(bounds_ns[0] < bounds_ns[count - 1]);
    uint32_t bucket = 0;
    while (bucket < count && duration_ns > bounds_ns[bucket]) {
        bucket++;
    }
    return bucket;
}

void metrics_request(uint32_t route, int status, uint64_t duration_ns)
{
    NAV_ASSERT(route < METRICS_ROUTES_MAX);
    int class = status / 100 - 1;
    class = class < 0 ? 0 : (class < METRICS_CLASSES ? class : METRICS_CLASSES - 1);
    request_counters *to = &copy_of_thread()->requests[route][class];
    add(&to->buckets[bucket_of(metrics_request_bounds_ns, METRICS_REQUEST_BOUNDS, duration_ns)], 1);
    add(&to->sum_ns, duration_ns);
}

metrics_request_sums metrics_request_get(uint32_t route, uint32_t status_class)
{
    metrics_request_sums sums = {0};
    NAV_ASSERT(route < METRICS_ROUTES_MAX);
    NAV_ASSERT(status_class < METRICS_CLASSES);
    for (uint32_t i = 0; i < COPIES && i < atomic_load(&threads); i++) {
        const request_counters *from = &copies[i].requests[route][status_class];
        for (uint32_t b = 0; b <= METRICS_REQUEST_BOUNDS; b++) {
            sums.buckets[b] += get(&from->buckets[b]);
        }
        sums.sum_ns += get(&from->sum_ns);
    }
    return sums;
}

void metrics_path(nav_path_status status, nav_path_reason reason)
{
    NAV_ASSERT(status <= NAV_PATH_COMPLETE && reason < METRICS_PATH_REASONS);
    add(&copy_of_thread()->paths[status][reason], 1);
}

uint64_t metrics_path_get(nav_path_status status, nav_path_reason reason)
{
    uint64_t sum = 0;
    NAV_ASSERT(status <= NAV_PATH_COMPLETE && reason < METRICS_PATH_REASONS);
    for (uint32_t i = 0; i < COPIES; i++) {
        sum += get(&copies[i].paths[status][reason]);
    }
    return sum;
}

void metrics_add(metrics_gauge gauge, int change)
{
    NAV_ASSERT(gauge < METRICS_GAUGE_COUNT);
    atomic_fetch_add_explicit(&copy_of_thread()->gauges[gauge], change, memory_order_relaxed);
}

int64_t metrics_gauge_get(metrics_gauge gauge)
{
    int64_t sum = 0;
    NAV_ASSERT(gauge < METRICS_GAUGE_COUNT);
    for (uint32_t i = 0; i < COPIES; i++) {
        sum += atomic_load_explicit(&copies[i].gauges[gauge], memory_order_relaxed);
    }
    return sum;
}

void metrics_count(metrics_counter which)
{
    NAV_ASSERT(which < METRICS_COUNTER_COUNT);
    add(&counters[which], 1);
}

uint64_t metrics_counter_get(metrics_counter which)
{
    return get(&counters[which]);
}

void metrics_bake(metrics_bake_state state, const nav_bake_report *report, uint64_t duration_ns)
{
    NAV_ASSERT(state < METRICS_BAKE_STATE_COUNT);
    add(&bake_ended[state], 1);
    add(&bake_buckets[bucket_of(metrics_bake_bounds_ns, METRICS_BAKE_BOUNDS, duration_ns)], 1);
    add(&bake_sum_ns, duration_ns);
    for (uint32_t i = 0; i < NAV_STAGE_COUNT; i++) {
        add(&bake_stage_ns[i], report->stage_ns[i]);
    }
}

metrics_bake_sums metrics_bake_get(void)
{
    metrics_bake_sums sums = {.sum_ns = get(&bake_sum_ns)};
    for (uint32_t i = 0; i < METRICS_BAKE_STATE_COUNT; i++) {
        sums.ended[i] = get(&bake_ended[i]);
    }
    for (uint32_t i = 0; i <= METRICS_BAKE_BOUNDS; i++) {
        sums.buckets[i] = get(&bake_buckets[i]);
    }
    for (uint32_t i = 0; i < NAV_STAGE_COUNT; i++) {
        sums.stage_ns[i] = get(&bake_stage_ns[i]);
    }
    return sums;
}
