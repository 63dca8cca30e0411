// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_metrics.c: whatever threads count at once is counted once each, in the bucket and class
// where it belongs.

#include "server/base/metrics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>

#define THREADS 24u // more than there are copies of the counters
#define REQUESTS 2000u

static uint64_t count_of(uint32_t of, uint32_t status_class)
{
    metrics_request_sums sums = metrics_request_get(of, status_class);
    uint64_t count = 0;
    for (uint32_t i = 0; i <= METRICS_REQUEST_BOUNDS; i++) {
        count += sums.buckets[i];
    }
    return count;
}

static void buckets_and_classes(void **state)
{
    (void)state;
    const uint32_t of = 1;
    for (uint32_t i = 0; i < METRICS_REQUEST_BOUNDS; i++) {
        // A bound belongs to its bucket, what is above it to the next.
        metrics_request(of, 200, metrics_request_bounds_ns[i]);
        metrics_request(of, 299, metrics_request_bounds_ns[i] + 1);
    }
    metrics_request(of, 404, 5);
    metrics_request(of, 503, 7);
    metrics_request(0, 400, 9);
    metrics_request_sums sums = metrics_request_get(of, 1);
    assert_int_equal(sums.buckets[0], 1);
    for (uint32_t i = 1; i < METRICS_REQUEST_BOUNDS; i++) {
        assert_int_equal(sums.buckets[i], 2);
        assert_true(metrics_request_bounds_ns[i] > metrics_request_bounds_ns[i - 1]);
    }
    assert_int_equal(sums.buckets[METRICS_REQUEST_BOUNDS], 1);
    assert_int_equal(count_of(of, 3), 1);
    assert_int_equal(metrics_request_get(of, 3).sum_ns, 5);
    assert_int_equal(metrics_request_get(of, 4).sum_ns, 7);
    assert_int_equal(metrics_request_get(0, 3).sum_ns, 9);
    assert_int_equal(count_of(of, 0), 0);
    assert_int_equal(count_of(2, 1), 0);
    // A number that is no status falls to the class that is nearest.
    metrics_request(of, 0, 5);
    metrics_request(of, 700, 5);
    assert_int_equal(count_of(of, 0), 1);
    assert_int_equal(count_of(of, METRICS_CLASSES - 1), 2);
}

static void *ask(void *user)
{
    for (uint32_t i = 0; i < REQUESTS; i++) {
        metrics_request((uint32_t)(uintptr_t)user, i % 2 == 0 ? 200 : 404, 3);
        metrics_add(METRICS_CONNECTIONS, 1);
        metrics_count(METRICS_SLOW_QUERIES);
        metrics_add(METRICS_CONNECTIONS, -1);
    }
    return NULL;
}

static void many_threads(void **state)
{
    (void)state;
    pthread_t threads[THREADS];
    for (uint32_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, ask, (void *)(uintptr_t)(3 + i % 2)), 0);
    }
    for (uint32_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    for (uint32_t at = 3; at < 5; at++) {
        assert_int_equal(count_of(at, 1), THREADS / 2 * REQUESTS / 2);
        assert_int_equal(count_of(at, 3), THREADS / 2 * REQUESTS / 2);
        assert_int_equal(metrics_request_get(at, 1).sum_ns, THREADS / 2 * REQUESTS / 2 * 3);
    }
    assert_int_equal(metrics_gauge_get(METRICS_CONNECTIONS), 0);
    assert_int_equal(metrics_counter_get(METRICS_SLOW_QUERIES), THREADS * REQUESTS);
}

static void bakes(void **state)
{
    (void)state;
    nav_bake_report report = {.stage_ns = {[NAV_STAGE_REGIONS] = 40, [NAV_STAGE_TILE] = 2}};
    metrics_bake(METRICS_BAKE_READY, &report, 1000);
    metrics_bake(METRICS_BAKE_FAILED, &report, UINT64_C(5000) * 1000000000);
    metrics_bake_sums sums = metrics_bake_get();
    assert_int_equal(sums.ended[METRICS_BAKE_READY], 1);
    assert_int_equal(sums.ended[METRICS_BAKE_FAILED], 1);
    assert_int_equal(sums.ended[METRICS_BAKE_CANCELLED], 0);
    assert_int_equal(sums.stage_ns[NAV_STAGE_REGIONS], 80);
    assert_int_equal(sums.stage_ns[NAV_STAGE_TILE], 4);
    assert_int_equal(sums.buckets[0], 1);
    assert_int_equal(sums.buckets[METRICS_BAKE_BOUNDS], 1);
    assert_int_equal(sums.sum_ns, UINT64_C(5000) * 1000000000 + 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buckets_and_classes),
        cmocka_unit_test(many_threads),
        cmocka_unit_test(bakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
