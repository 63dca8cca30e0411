// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_load_memory.c: whichever allocation fails while something is loaded, be it ours, SQLite's or
// zstd's: that is out of memory, never damage, and the next try succeeds.

#include "server/meshes/load.h"

#include "server/jobs/jobs.h"
#include "server/base/pack.h"
#include "server/jobs/repair.h"
#include "server/api/upload.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "server/base/log.h"
#include "server/meshes/cache.h"
#include "server/meshes/registry.h"
#include "tests/unit/failing_malloc.h"
#include "tests/unit/service_fixture.h"
#include "tests/unit/store_fixture.h"

#define FAILURES_MAX 100000

typedef struct fixture {
    store_fixture place;
    store_version row;
} fixture;

// A yard of several tiles, baked as the daemon bakes.
static void bake(const char *path)
{
    static const char obj[] = "v 0 0 0\nv 0 0 40\nv 40 0 40\nv 40 0 0\nf 1 2 3 4\n";
    static const proto_arg args[] = {{"tile_cells", "64"}};
    service s;
    upload *u;
    upload_outcome outcome;
    assert_int_equal(service_fixture_open(&s, path, NULL), NAV_OK);
    assert_int_equal(jobs_start(s.jobs, job_bake, &s), NAV_OK);
    assert_int_equal(upload_open(&s, "yard", PROTO_FORMAT_OBJ, false, &u, NULL), NAV_OK);
    assert_int_equal(upload_feed(u, obj, sizeof obj - 1, NULL), NAV_OK);
    assert_int_equal(upload_finish(u, args, 1, false, &outcome, NULL), NAV_OK);
    upload_close(u);
    service_fixture_wait_for_jobs(&s);
    jobs_stop(s.jobs);
    service_fixture_close(&s);
}

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    store_fixture_init(&f->place);
    bake(f->place.path);
    store_fixture_open(&f->place);
    assert_int_equal(store_version_get(f->place.disk, "yard", 1, &f->row, NULL), NAV_OK);
    assert_int_equal(f->row.state, STORE_READY);
    assert_true(f->row.tiles_total > 1);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    store_version_free(&f->row);
    store_fixture_free(&f->place);
    free(f);
    return 0;
}

// ---- what is loaded; each gives back what it has got ----

static nav_status try_mesh(fixture *f, nav_error *err)
{
    nav_mesh *mesh = NULL;
    bool landmarks_damaged = false;
    nav_status status = load_mesh(f->place.disk, "yard", 1, NULL, &landmarks_damaged, &mesh, err);
    assert_false(landmarks_damaged);
    nav_mesh_release(mesh);
    return status;
}

static nav_status try_geometry(fixture *f, nav_error *err)
{
    proto_geometry_reader *reader = NULL;
    nav_geometry geometry;
    nav_status status = load_geometry(f->place.disk, "yard", 1, NULL, &reader, &geometry, err);
    proto_geometry_destroy(reader);
    return status;
}

static nav_status try_row(fixture *f, nav_error *err)
{
    store_version *rows = NULL;
    size_t count = 0;
    nav_status status = store_version_list(f->place.disk, "yard", &rows, &count, err);
    if (status == NAV_OK) {
        assert_int_equal(count, 1);
        assert_false(rows[0].damaged);
        store_versions_free(rows, count);
    }
    return status;
}

static nav_status try_look(fixture *f, nav_error *err)
{
    return repair_check(f->place.disk, &f->row, false, err);
}

static nav_status try_check(fixture *f, nav_error *err)
{
    return repair_check(f->place.disk, &f->row, true, err);
}

static nav_status try_start(fixture *f, nav_error *err)
{
    store_close(f->place.disk);
    f->place.disk = NULL;
    return store_open(f->place.path, &f->place.disk, err);
}

static nav_status try_look_at_file(fixture *f, nav_error *err)
{
    store *disk = NULL;
    nav_status status = store_open_to_read(f->place.path, &disk, err);
    store_close(disk);
    return status;
}

typedef nav_status load_of(fixture *f, nav_error *err);

// A switch: who is told that it is done finds it done. Another daemon's registry each time.
static nav_status try_switch(fixture *f, nav_error *err)
{
    const activate_request back = {.mesh = "yard", .version = 1, .expected = STORE_ANY_ACTIVATION};
    service s = {
        .store = f->place.disk, .registry = registry_create(), .cache = mesh_cache_create(0, 0)};
    store_mesh before;
    uint64_t activation;
    uint32_t live = 0;
    nav_status status = nav_fail(err, NAV_NO_MEMORY, "no memory to begin with");
    if (s.registry != NULL && s.cache != NULL) {
        *err = (nav_error){0};
        status = activate_version(&s, &back, &before, &activation, err);
        nav_mesh_release(registry_acquire(s.registry, "yard", &live));
    }
    assert_int_equal(live, status == NAV_OK ? 1 : 0);
    assert_int_equal(status, err->status);
    mesh_cache_destroy(s.cache);
    registry_destroy(s.registry);
    return status;
}

static void fail_each(fixture *f, load_of *load, bool each, bool once)
{
    nav_error err;
    bool came = true;
    for (int64_t left = 0; came; left += each ? 1 : 1 + left / 16) {
        assert_true(left < FAILURES_MAX);
        err = (nav_error){0};
        failing_malloc_begin(left, once);
        nav_status status = load(f, &err);
        came = failing_malloc_end();
        // A cache may do without.
        if (status != NAV_NO_MEMORY && (status != NAV_OK || (came && !once))) {
            fail_msg("allocation %lld: %s: %s", (long long)left, proto_status_word(status),
                     err.detail);
        }
        status = load(f, &err);
        if (status != NAV_OK) {
            fail_msg("after allocation %lld: %s", (long long)left, err.detail);
        }
    }
}

static void run(void **state, load_of *load, bool each)
{
    if (!FAILING_MALLOC) { // then it is looked at as it is, and for leaks
        nav_error err = {0};
        assert_int_equal(load(*state, &err), NAV_OK);
        return;
    }
    log_configure((log_level)(LOG_LEVEL_ERROR + 1), LOG_FORMAT_TEXT);
    fail_each(*state, load, each, true);
    fail_each(*state, load, each, false);
}

static void a_mesh(void **state)
{
    run(state, try_mesh, true);
}

static void a_geometry(void **state)
{
    run(state, try_geometry, true);
}

static void a_row(void **state)
{
    run(state, try_row, true);
}

static void a_look_at_a_version(void **state)
{
    run(state, try_look, true);
}

static void a_check_of_a_version(void **state)
{
    run(state, try_check, true);
}

static void a_switch(void **state)
{
    run(state, try_switch, true);
}

// To compare the schema takes thousands of allocations: not each of them.
static void a_start(void **state)
{
    run(state, try_start, false);
}

static void a_look_at_the_file(void **state)
{
    run(state, try_look_at_file, false);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_mesh),
        TEST(a_geometry),
        TEST(a_row),
        TEST(a_look_at_a_version),
        TEST(a_check_of_a_version),
        TEST(a_switch),
        TEST(a_start),
        TEST(a_look_at_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
