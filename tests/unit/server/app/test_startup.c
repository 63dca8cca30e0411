// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_startup.c: a start leaves out what cannot be loaded, and goes on; it can be broken off.

#include "server/app/startup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "server/jobs/jobs.h"
#include "server/meshes/load_queue.h"
#include "server/meshes/registry.h"
#include "tests/unit/store_fixture.h"

#define MESHES 3u

typedef struct fixture {
    store_fixture store;
    service service;
    atomic_uint done;
} fixture;

static void count_done(void *user)
{
    fixture *f = user;
    atomic_fetch_add(&f->done, 1);
}

// A live version whose tile no mesh can be made of.
static void add_damaged(store *disk, uint8_t key)
{
    char mesh[8];
    (void)snprintf(mesh, sizeof mesh, "m%u", key);
    char packed[] = "tile";
    const store_tile tile = {.hash = {1, key}, .packed = packed, .packed_bytes = 4, .bytes = 40};
    (void)store_fixture_add_baked(disk, mesh, key, &tile);
}

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    store_fixture_init(&f->store);
    store_fixture_open(&f->store);
    f->service.store = f->store.disk;
    f->service.registry = registry_create();
    assert_non_null(f->service.registry);
    f->service.jobs = jobs_create(2);
    assert_non_null(f->service.jobs);
    f->service.load_queue = load_queue_create(2);
    assert_non_null(f->service.load_queue);
    for (uint8_t i = 0; i < MESHES; i++) {
        add_damaged(f->service.store, i);
    }
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    jobs_destroy(f->service.jobs);
    load_queue_destroy(f->service.load_queue);
    registry_destroy(f->service.registry);
    store_fixture_free(&f->store);
    free(f);
    return 0;
}

static void damaged_versions_are_left_out(void **state)
{
    fixture *f = *state;
    nav_error err = {0};
    registry_entry *entries = NULL;
    size_t count = 99;
    log_configure(LOG_LEVEL_ERROR, LOG_FORMAT_TEXT);
    loaders *l;
    uint32_t pending = 0;
    assert_int_equal(startup_load_list(&f->service, NULL), NAV_OK);
    assert_int_equal(startup_load_begin(&f->service, count_done, f, &l, &pending, &err), NAV_OK);
    assert_int_equal(pending, MESHES);
    startup_load_end(l);
    assert_int_equal(atomic_load(&f->done), MESHES);
    // Nobody waits for what is not there.
    assert_int_equal(load_queue_wait(f->service.load_queue, "m0", &err), NAV_OK);
    assert_int_equal(registry_list(f->service.registry, &entries, &count), NAV_OK);
    assert_int_equal(count, 0);
    registry_list_free(entries, count);
}

static void a_stop_is_heard_between_meshes(void **state)
{
    fixture *f = *state;
    nav_error err = {0};
    loaders *l;
    uint32_t pending = 0;
    load_queue_stop(f->service.load_queue);
    assert_int_equal(startup_load_list(&f->service, NULL), NAV_OK);
    assert_int_equal(startup_load_begin(&f->service, count_done, f, &l, &pending, &err), NAV_OK);
    startup_load_end(l);
    assert_int_equal(atomic_load(&f->done), 0);
    assert_int_equal(load_queue_wait(f->service.load_queue, "m0", &err), PROTO_NOT_READY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(damaged_versions_are_left_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_stop_is_heard_between_meshes, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
