// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_upload.c: an upload is taken, whatever becomes of the versions that are equal to it
// meanwhile. The rest of uploads is tested from outside.

#include "server/api/upload.h"

#include "server/base/log.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "server/jobs/jobs.h"
#include "tests/unit/service_fixture.h"
#include "tests/unit/store_fixture.h"

#define UPLOADS 400

typedef struct fixture {
    store_fixture files;
    service service;
    atomic_bool over;
} fixture;

static nav_status send_floor(service *s, const char *cell_size, upload_outcome *out, nav_error *err)
{
    static const char floor[] = "v 0 0 0\nv 9 0 0\nv 9 0 9\nv 0 0 9\nf 4 3 2 1\n";
    const proto_arg args[] = {{"activate", "0"}, {"cell_size", cell_size}};
    upload *u;
    assert_int_equal(upload_open(s, "town", PROTO_FORMAT_OBJ, false, &u, NULL), NAV_OK);
    assert_int_equal(upload_feed(u, floor, sizeof floor - 1, NULL), NAV_OK);
    nav_status status = upload_finish(u, args, 2, false, out, err);
    upload_close(u);
    return status;
}

// Thin: one cell deep.
static nav_status send_strip(service *s, const char *cell_size, upload_outcome *out, nav_error *err)
{
    static const char strip[] = "v 0 0 0\nv 90 0 0\nv 90 0 0.1\nv 0 0 0.1\nf 4 3 2 1\n";
    const proto_arg args[] = {{"activate", "0"}, {"cell_size", cell_size}};
    upload *u;
    assert_int_equal(upload_open(s, "strip", PROTO_FORMAT_OBJ, false, &u, NULL), NAV_OK);
    assert_int_equal(upload_feed(u, strip, sizeof strip - 1, NULL), NAV_OK);
    nav_status status = upload_finish(u, args, 2, false, out, err);
    upload_close(u);
    return status;
}

static void *remove_again_and_again(void *argument)
{
    fixture *f = argument;
    uint64_t activation;
    for (long i = 0; !atomic_load(&f->over); i++) {
        const struct timespec moment = {.tv_nsec = i % 7 * 300000};
        (void)store_mesh_delete(f->service.store, "town", false, &activation, NULL);
        jobs_cancel(f->service.jobs, "town", 0);
        (void)nanosleep(&moment, NULL);
    }
    return NULL;
}

static void an_equal_version_may_go_while_it_is_looked_at(void **state)
{
    (void)state;
    fixture f = {0};
    pthread_t remover;
    nav_error err = {0};
    store_fixture_init(&f.files);
    log_configure((log_level)(LOG_LEVEL_ERROR + 1), LOG_FORMAT_TEXT);
    assert_int_equal(service_fixture_open(&f.service, f.files.path, &err), NAV_OK);
    assert_int_equal(jobs_start(f.service.jobs, job_bake, &f.service), NAV_OK);
    assert_int_equal(pthread_create(&remover, NULL, remove_again_and_again, &f), 0);
    nav_status status = NAV_OK;
    for (int i = 0; status == NAV_OK && i < UPLOADS; i++) {
        upload_outcome outcome;
        status = send_floor(&f.service, "0.3", &outcome, &err);
        if (i % 2 == 0) {
            service_fixture_wait_for_jobs(&f.service);
        }
    }
    atomic_store(&f.over, true);
    (void)pthread_join(remover, NULL);
    jobs_stop(f.service.jobs);
    service_fixture_close(&f.service);
    store_fixture_free(&f.files);
    if (status != NAV_OK) {
        fail_msg("%s: %s", proto_status_word(status), err.detail);
    }
}

static void a_grid_above_the_limit_is_told_what_would_fit(void **state)
{
    (void)state;
    store_fixture files;
    service s;
    upload_outcome outcome;
    nav_error err = {0};
    char size[32];
    store_fixture_init(&files);
    assert_int_equal(service_fixture_open(&s, files.path, &err), NAV_OK);
    s.limits.grid_cells = 207; // between 14 x 14 and 15 x 15, so that what fits is known to 4 %
    assert_int_equal(send_floor(&s, "0.3", &outcome, &err), NAV_GRID_TOO_LARGE);
    assert_string_equal(err.at, "cell_size");
    assert_string_equal(err.got, "900");
    assert_string_equal(err.limit, "207");
    (void)snprintf(size, sizeof size, "%.9g", err.suggest_cell_size);
    assert_int_equal(send_floor(&s, size, &outcome, &err), NAV_OK);
    (void)snprintf(size, sizeof size, "%.9g", err.suggest_cell_size * 0.9);
    assert_int_equal(send_floor(&s, size, &outcome, NULL), NAV_GRID_TOO_LARGE);
    // Too large for the bake's memory as well, and nobody asks why.
    s.budget.bake_bytes = 4u << 20;
    assert_int_equal(send_floor(&s, "0.001", &outcome, NULL), NAV_GRID_TOO_LARGE);
    assert_int_equal(send_strip(&s, "0.1", &outcome, &err), NAV_GRID_TOO_LARGE);
    assert_string_equal(err.got, "900");
    (void)snprintf(size, sizeof size, "%.6g", err.suggest_cell_size);
    assert_int_equal(send_strip(&s, size, &outcome, &err), NAV_OK);
    service_fixture_close(&s);
    store_fixture_free(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_equal_version_may_go_while_it_is_looked_at),
        cmocka_unit_test(a_grid_above_the_limit_is_told_what_would_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
