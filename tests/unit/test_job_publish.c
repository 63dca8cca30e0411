// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_job_publish.c: a version that is stored is ready, even if there is no memory to publish it;
// the next question does that.

#include "server/metrics.h"
#include "server/upload.h"
#include "server/version_mesh.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/service_fixture.h"
#include "tests/unit/store_fixture.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OWN_REALLOC 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define OWN_REALLOC 0
#endif
#endif
#ifndef OWN_REALLOC
#define OWN_REALLOC 1 // the sanitizers have one of their own
#endif

#if OWN_REALLOC
static _Thread_local size_t last_bytes; // asked for by this thread
static size_t refused_bytes;            // there is no room for a block of this size
static _Atomic uint32_t refused;

extern void *__libc_realloc(void *block, size_t size_bytes);
void *realloc(void *block, size_t size_bytes);

void *realloc(void *block, size_t size_bytes)
{
    last_bytes = size_bytes;
    if (size_bytes > 0 && size_bytes == refused_bytes) {
        refused++;
        return NULL;
    }
    return __libc_realloc(block, size_bytes);
}

// Fills the registry's first block: the next name needs one twice as large, which is refused.
static void fill_registry(registry *r)
{
    for (uint32_t i = 0; i < 16; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "other%u", i);
        assert_int_equal(registry_publish(r, name, 1, 1, NULL), NAV_OK);
        refused_bytes = i == 0 ? last_bytes * 2 : refused_bytes;
    }
}

static void bake(service *s)
{
    static const char obj[] = "v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 1 2 3 4\n";
    upload *u;
    upload_outcome outcome;
    assert_int_equal(jobs_start(s->jobs, job_bake, s), NAV_OK);
    assert_int_equal(upload_open(s, "yard", PROTO_FORMAT_OBJ, false, &u, NULL), NAV_OK);
    assert_int_equal(upload_feed(u, obj, sizeof obj - 1, NULL), NAV_OK);
    assert_int_equal(upload_finish(u, NULL, 0, false, &outcome, NULL), NAV_OK);
    upload_close(u);
    service_fixture_wait_for_jobs(s);
    jobs_stop(s->jobs);
}

static void a_stored_version_is_ready(void **state)
{
    (void)state;
    store_fixture place;
    service s;
    store_version row;
    nav_mesh *mesh = NULL;
    uint32_t version = 0;
    store_fixture_init(&place);
    assert_int_equal(service_fixture_open(&s, place.path, NULL), NAV_OK);
    s.limits.store_retry_ms = 0;
    fill_registry(s.registry);
    bake(&s);
    assert_true(refused > 0);
    assert_int_equal(store_version_get(s.store, "yard", 1, &row, NULL), NAV_OK);
    assert_int_equal(row.state, STORE_READY);
    assert_true(row.active);
    store_version_free(&row);
    const metrics_bake_sums sums = metrics_bake_get();
    assert_int_equal(sums.ended[METRICS_BAKE_FAILED], 0);
    assert_int_equal(sums.ended[METRICS_BAKE_READY], 1);
    refused_bytes = 0;
    assert_null(registry_acquire(s.registry, "yard", &version));
    assert_int_equal(version_mesh_acquire(&s, "yard", 0, &mesh, &version, NULL), NAV_OK);
    nav_mesh_release(mesh);
    mesh = registry_acquire(s.registry, "yard", &version);
    assert_non_null(mesh);
    assert_int_equal(version, 1);
    nav_mesh_release(mesh);
    service_fixture_close(&s);
    store_fixture_free(&place);
}
#else
static void a_stored_version_is_ready(void **state)
{
    (void)state;
    skip();
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stored_version_is_ready),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
