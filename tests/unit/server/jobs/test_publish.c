// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_publish.c: what the store says is live is live, without a question that would load it:
// where there is no memory for that nothing is stored.

#include "server/jobs/jobs.h"
#include "server/base/metrics.h"
#include "server/api/routes.h"
#include "server/api/upload.h"
#include "server/jobs/version_mesh.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "server/meshes/registry.h"
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
static uint32_t refuse_most; // from then on there is room again

extern void *__libc_realloc(void *block, size_t size_bytes);
void *realloc(void *block, size_t size_bytes);

void *realloc(void *block, size_t size_bytes)
{
    last_bytes = size_bytes;
    if (size_bytes > 0 && size_bytes == refused_bytes && refused < refuse_most) {
        refused++;
        return NULL;
    }
    return __libc_realloc(block, size_bytes);
}

// Fills the registry's first block: the next name needs one twice as large, which is refused.
static void fill_registry(registry *r, uint32_t refusals)
{
    refused = 0;
    refuse_most = refusals;
    for (uint32_t i = 0; i < 16; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "other%u", i);
        assert_int_equal(registry_reserve(r, name, NULL), NAV_OK);
        refused_bytes = i == 0 ? last_bytes * 2 : refused_bytes;
    }
}

static void bake(service *s, bool activate)
{
    const proto_arg args[] = {{.key = "activate", .value = "0"}};
    static const char obj[] = "v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 1 2 3 4\n";
    upload *u;
    upload_outcome outcome;
    assert_int_equal(jobs_start(s->jobs, job_bake, s), NAV_OK);
    assert_int_equal(upload_open(s, "yard", PROTO_FORMAT_OBJ, false, &u, NULL), NAV_OK);
    assert_int_equal(upload_feed(u, obj, sizeof obj - 1, NULL), NAV_OK);
    assert_int_equal(upload_finish(u, args, activate ? 0 : 1, false, &outcome, NULL), NAV_OK);
    upload_close(u);
    service_fixture_wait_for_jobs(s);
    jobs_stop(s->jobs);
}

static uint32_t live(const service *s)
{
    uint32_t version = 0;
    nav_mesh *mesh = registry_acquire(s->registry, "yard", &version);
    nav_mesh_release(mesh);
    return version;
}

static store_state state_of(const service *s, bool *active)
{
    store_version row;
    assert_int_equal(store_version_get(s->store, "yard", 1, &row, NULL), NAV_OK);
    const store_state state = row.state;
    *active = row.active;
    store_version_free(&row);
    return state;
}

// For a moment, or for good.
static void a_bake_without_memory(void **state)
{
    (void)state;
    for (int for_good = 0; for_good < 2; for_good++) {
        store_fixture place;
        service s;
        bool active;
        const metrics_bake_sums before = metrics_bake_get();
        store_fixture_init(&place);
        assert_int_equal(service_fixture_open(&s, place.path, NULL), NAV_OK);
        s.limits.store_retry_ms = for_good ? 0 : 1000;
        fill_registry(s.registry, for_good ? UINT32_MAX : 1);
        bake(&s, true);
        assert_true(refused > 0);
        assert_int_equal(state_of(&s, &active), for_good ? STORE_FAILED : STORE_READY);
        assert_int_equal(active, !for_good);
        assert_int_equal(live(&s), for_good ? 0 : 1);
        const metrics_bake_sums sums = metrics_bake_get();
        assert_int_equal(sums.ended[METRICS_BAKE_FAILED] - before.ended[METRICS_BAKE_FAILED],
                         for_good);
        service_fixture_close(&s);
        store_fixture_free(&place);
    }
}

static void a_switch_without_memory(void **state)
{
    (void)state;
    store_fixture place;
    service s;
    bool active;
    uint64_t activation;
    store_mesh before;
    nav_error err = {0};
    const activate_request wanted = {
        .mesh = "yard", .version = 1, .expected = STORE_ANY_ACTIVATION};
    store_fixture_init(&place);
    assert_int_equal(service_fixture_open(&s, place.path, NULL), NAV_OK);
    refuse_most = 0;
    bake(&s, false);
    assert_int_equal(state_of(&s, &active), STORE_READY);
    // The bake has made room for the name: as after a restart, there is none.
    registry_destroy(s.registry);
    s.registry = registry_create();
    fill_registry(s.registry, 1);
    assert_int_equal(activate_version(&s, &wanted, &before, &activation, &err), NAV_NO_MEMORY);
    assert_int_equal(refused, 1);
    (void)state_of(&s, &active);
    assert_false(active);
    assert_int_equal(activate_version(&s, &wanted, &before, &activation, &err), NAV_OK);
    (void)state_of(&s, &active);
    assert_true(active);
    assert_int_equal(live(&s), 1);
    service_fixture_close(&s);
    store_fixture_free(&place);
}

// A question may have read what was live before, and make it live afterwards.
static void a_delete_without_memory(void **state)
{
    (void)state;
    store_fixture place;
    service s;
    bool active;
    reply out = {0};
    nav_error err = {0};
    store_fixture_init(&place);
    assert_int_equal(service_fixture_open(&s, place.path, NULL), NAV_OK);
    refuse_most = 0;
    bake(&s, true);
    registry_destroy(s.registry);
    s.registry = registry_create();
    fill_registry(s.registry, 1);
    request r = {.service = &s, .mesh = "yard"};
    assert_int_equal(handle_mesh_delete(&r, &out, &err), NAV_NO_MEMORY);
    assert_int_equal(refused, 1);
    assert_int_equal(state_of(&s, &active), STORE_READY);
    assert_true(active);
    service_fixture_close(&s);
    store_fixture_free(&place);
}
#else
static void a_delete_without_memory(void **state)
{
    (void)state;
    skip();
}

static void a_bake_without_memory(void **state)
{
    (void)state;
    skip();
}

static void a_switch_without_memory(void **state)
{
    (void)state;
    skip();
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bake_without_memory),
        cmocka_unit_test(a_switch_without_memory),
        cmocka_unit_test(a_delete_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
