// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_startup.c: a start leaves out what cannot be loaded, and goes on; it can be broken off.

#include "server/startup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define MESHES 3u

typedef struct fixture {
    char directory[64], path[96];
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
    uint8_t content_key[32] = {key}, geometry_hash[32] = {1, key};
    uint32_t version;
    bool existing;
    uint64_t activation;
    (void)snprintf(mesh, sizeof mesh, "m%u", key);
    const store_upload sent = {.mesh = mesh,
                               .content_key = content_key,
                               .geometry_hash = geometry_hash,
                               .geometry = "geometry",
                               .geometry_bytes = 8,
                               .geometry_unpacked_bytes = 80,
                               .geometry_json = "{}",
                               .config_json = "{}",
                               .tiles_total = 1,
                               .activate = true};
    assert_int_equal(store_version_insert(disk, &sent, &version, &existing, NULL), NAV_OK);
    char packed[] = "tile";
    const store_tile tile = {.hash = {1, key}, .packed = packed, .packed_bytes = 4, .bytes = 40};
    const store_result result = {.tiles = &tile,
                                 .tile_count = 1,
                                 .blob_json = "{}",
                                 .stats_json = "{}",
                                 .timings_json = "{}",
                                 .warnings_json = "[]"};
    assert_int_equal(store_version_ready(disk, mesh, version, &result, &activation, NULL), NAV_OK);
}

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    (void)snprintf(f->directory, sizeof f->directory, "/tmp/test_startup_XXXXXX");
    assert_non_null(mkdtemp(f->directory));
    (void)snprintf(f->path, sizeof f->path, "%s/t.db", f->directory);
    assert_int_equal(store_open(f->path, &f->service.store, NULL), NAV_OK);
    f->service.registry = registry_create();
    assert_non_null(f->service.registry);
    f->service.jobs = jobs_create(2);
    assert_non_null(f->service.jobs);
    f->service.loads = loads_create(2);
    assert_non_null(f->service.loads);
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
    loads_destroy(f->service.loads);
    registry_destroy(f->service.registry);
    store_close(f->service.store);
    (void)unlink(f->path);
    (void)rmdir(f->directory);
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
    assert_int_equal(startup_load_end(l, &err), NAV_OK);
    assert_int_equal(atomic_load(&f->done), MESHES);
    // Nobody waits for what is not there.
    assert_int_equal(loads_wait(f->service.loads, "m0", &err), NAV_OK);
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
    loads_stop(f->service.loads);
    assert_int_equal(startup_load_list(&f->service, NULL), NAV_OK);
    assert_int_equal(startup_load_begin(&f->service, count_done, f, &l, &pending, &err), NAV_OK);
    assert_int_equal(startup_load_end(l, &err), NAV_OK);
    assert_int_equal(atomic_load(&f->done), 0);
    assert_int_equal(loads_wait(f->service.loads, "m0", &err), NAV_NOT_READY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(damaged_versions_are_left_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_stop_is_heard_between_meshes, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
