// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_share.c: the pieces of a job are each run once, by all who are free, and who has a job
// of his own does not help.

#include "server/base/metrics.h"
#include "server/base/service.h"
#include "server/jobs/jobs.h"

#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define WORKERS 4
#define ITEMS 500

// The state that the fakes see; the service is a handle to it.
typedef struct fixture {
    service service; // first
    sem_t ended;
    pthread_barrier_t all;
    sem_t began[3], go[3];
    sem_t other_began, other_go;
    atomic_uint runs[ITEMS], worker_runs[WORKERS];
    unsigned after; // runs seen when jobs_share had returned
} fixture;

static fixture *fixture_of(service *s)
{
    return (fixture *)s;
}

static void count_ended(void *user)
{
    (void)sem_post(&((fixture *)user)->ended);
}

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    (void)sem_init(&f->ended, 0, 0);
    (void)sem_init(&f->other_began, 0, 0);
    (void)sem_init(&f->other_go, 0, 0);
    for (int i = 0; i < 3; i++) {
        (void)sem_init(&f->began[i], 0, 0);
        (void)sem_init(&f->go[i], 0, 0);
    }
    (void)pthread_barrier_init(&f->all, NULL, WORKERS);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    jobs_destroy(f->service.jobs);
    (void)sem_destroy(&f->ended);
    (void)sem_destroy(&f->other_began);
    (void)sem_destroy(&f->other_go);
    for (int i = 0; i < 3; i++) {
        (void)sem_destroy(&f->began[i]);
        (void)sem_destroy(&f->go[i]);
    }
    (void)pthread_barrier_destroy(&f->all);
    free(f);
    return 0;
}

static void submit(fixture *f, const char *mesh)
{
    assert_int_equal(jobs_submit(f->service.jobs, mesh, 1, false), NAV_OK);
    // On a busy machine it may have ended before it is watched.
    if (!jobs_watch(f->service.jobs, mesh, 1, count_ended, f)) {
        count_ended(f);
    }
}

static void start(fixture *f, uint32_t workers, job_run *run)
{
    f->service.jobs = jobs_create(workers);
    assert_non_null(f->service.jobs);
    assert_int_equal(jobs_start(f->service.jobs, run, &f->service), NAV_OK);
}

// ---- each once, on all workers ----

static void run_counted(void *user, uint32_t item, uint32_t worker)
{
    fixture *f = user;
    atomic_fetch_add(&f->runs[item], 1);
    if (worker < WORKERS) {
        atomic_fetch_add(&f->worker_runs[worker], 1);
    }
    // The first items end only when as many workers as there are have begun one.
    if (item < WORKERS) {
        (void)pthread_barrier_wait(&f->all);
    }
}

static void share_counted(service *s, job *taken)
{
    fixture *f = fixture_of(s);
    jobs_share(s->jobs, taken, ITEMS, run_counted, f);
    for (int i = 0; i < ITEMS; i++) {
        f->after += atomic_load(&f->runs[i]);
    }
    jobs_share(s->jobs, taken, 0, run_counted, f);
}

static void each_item_is_run_once_and_by_all(void **state)
{
    fixture *f = *state;
    start(f, WORKERS, share_counted);
    submit(f, "a");
    assert_int_equal(sem_wait(&f->ended), 0);
    assert_int_equal(f->after, ITEMS); // all had ended when jobs_share returned
    unsigned sum = 0;
    for (int i = 0; i < ITEMS; i++) {
        assert_int_equal(atomic_load(&f->runs[i]), 1);
    }
    for (int i = 0; i < WORKERS; i++) {
        assert_true(atomic_load(&f->worker_runs[i]) > 0);
        sum += atomic_load(&f->worker_runs[i]);
    }
    assert_int_equal(sum, ITEMS);
    jobs_stop(f->service.jobs);
}

// ---- a request's items, with the help of idle cores ----

static unsigned all_runs(const fixture *f)
{
    unsigned sum = 0;
    for (int i = 0; i < ITEMS; i++) {
        assert_int_equal(atomic_load(&f->runs[i]), 1);
        sum += atomic_load(&f->runs[i]);
    }
    return sum;
}

static void a_request_is_helped_by_all_who_are_free(void **state)
{
    fixture *f = *state;
    start(f, WORKERS - 1, share_counted);
    assert_int_equal(jobs_spread_threads(f->service.jobs), WORKERS);
    jobs_spread(f->service.jobs, ITEMS, WORKERS, run_counted, f);
    assert_int_equal(all_runs(f), ITEMS);
    for (int i = 0; i < WORKERS; i++) {
        assert_true(atomic_load(&f->worker_runs[i]) > 0);
    }
    jobs_stop(f->service.jobs);
    jobs_spread(f->service.jobs, 0, WORKERS, run_counted, f);
}

static void run_once(void *user, uint32_t item, uint32_t worker)
{
    fixture *f = user;
    atomic_fetch_add(&f->runs[item], 1);
    atomic_fetch_add(&f->worker_runs[worker], 1);
}

// As many requests are being answered as there are cores, or more.
static void cores_of_other_requests_are_left_alone(void **state)
{
    fixture *f = *state;
    start(f, WORKERS - 1, share_counted);
    metrics_add(METRICS_HANDLERS_RUNNING, WORKERS);
    jobs_spread(f->service.jobs, ITEMS, WORKERS, run_once, f);
    metrics_add(METRICS_HANDLERS_RUNNING, -WORKERS);
    assert_int_equal(all_runs(f), ITEMS);
    assert_int_equal(atomic_load(&f->worker_runs[WORKERS - 1]), ITEMS);
    jobs_stop(f->service.jobs);
}

static void a_request_takes_no_more_threads_than_it_may(void **state)
{
    fixture *f = *state;
    start(f, WORKERS - 1, share_counted);
    jobs_spread(f->service.jobs, ITEMS, 1, run_once, f);
    assert_int_equal(all_runs(f), ITEMS);
    assert_int_equal(atomic_load(&f->worker_runs[WORKERS - 1]), ITEMS);
    jobs_stop(f->service.jobs);
}

static void bake_until_told(service *s, job *taken)
{
    fixture *f = fixture_of(s);
    (void)taken;
    (void)sem_post(&f->other_began);
    (void)sem_wait(&f->other_go);
}

static void a_worker_that_bakes_helps_no_request(void **state)
{
    fixture *f = *state;
    start(f, 1, bake_until_told);
    submit(f, "a");
    (void)sem_wait(&f->other_began);
    jobs_spread(f->service.jobs, ITEMS, WORKERS, run_once, f);
    assert_int_equal(all_runs(f), ITEMS);
    assert_int_equal(atomic_load(&f->worker_runs[1]), ITEMS);
    (void)sem_post(&f->other_go);
    jobs_stop(f->service.jobs);
}

static void *stop(void *service_jobs)
{
    jobs_stop(service_jobs);
    return NULL;
}

static void a_request_ends_though_the_workers_stop(void **state)
{
    fixture *f = *state;
    pthread_t stopper;
    start(f, WORKERS - 1, share_counted);
    assert_int_equal(pthread_create(&stopper, NULL, stop, f->service.jobs), 0);
    jobs_spread(f->service.jobs, ITEMS, WORKERS, run_once, f);
    assert_int_equal(all_runs(f), ITEMS);
    (void)pthread_join(stopper, NULL);
}

// ---- a job of one's own comes first ----

static void run_gated(void *user, uint32_t item, uint32_t worker)
{
    fixture *f = user;
    (void)worker;
    (void)sem_post(&f->began[item]);
    (void)sem_wait(&f->go[item]);
    atomic_fetch_add(&f->runs[item], 1);
}

static void share_gated(service *s, job *taken)
{
    fixture *f = fixture_of(s);
    if (strcmp(taken->mesh, "old") == 0) {
        jobs_share(s->jobs, taken, 3, run_gated, f);
        return;
    }
    (void)sem_post(&f->other_began);
    (void)sem_wait(&f->other_go);
}

static void a_helper_leaves_for_a_job_of_its_own(void **state)
{
    fixture *f = *state;
    start(f, 2, share_gated);
    submit(f, "old");
    (void)sem_wait(&f->began[0]);
    (void)sem_wait(&f->began[1]); // both workers are at the old job
    submit(f, "new");
    assert_int_equal(jobs_count(f->service.jobs).queued, 1);
    // Item 1 is ended by the helper or by the owner. The helper takes the new job, the owner the
    // third item; both must have begun when items 0 and 1 have ended.
    (void)sem_post(&f->go[0]);
    (void)sem_post(&f->go[1]);
    (void)sem_wait(&f->other_began);
    (void)sem_wait(&f->began[2]);
    assert_int_equal(jobs_count(f->service.jobs).baking, 2);
    // The new job ends first; its worker finds nothing left to help with.
    (void)sem_post(&f->other_go);
    assert_int_equal(sem_wait(&f->ended), 0);
    job_progress progress;
    assert_false(jobs_progress(f->service.jobs, "new", 1, &progress));
    assert_true(jobs_progress(f->service.jobs, "old", 1, &progress));
    (void)sem_post(&f->go[2]);
    assert_int_equal(sem_wait(&f->ended), 0);
    jobs_stop(f->service.jobs);
}

// ---- stop ----

static void a_stop_lets_the_pieces_end(void **state)
{
    fixture *f = *state;
    start(f, 2, share_gated);
    submit(f, "old");
    (void)sem_wait(&f->began[0]);
    (void)sem_wait(&f->began[1]);
    submit(f, "new");
    for (int i = 0; i < 3; i++) {
        (void)sem_post(&f->go[i]);
    }
    // The new job's worker may have begun it before the stop.
    (void)sem_post(&f->other_go);
    jobs_stop(f->service.jobs);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(atomic_load(&f->runs[i]), 1);
    }
    // Both were called, whether the new one was baked or left.
    assert_int_equal(sem_wait(&f->ended), 0);
    assert_int_equal(sem_wait(&f->ended), 0);
}

// ---- progress ----

static void stand_still(service *s, job *taken)
{
    fixture *f = fixture_of(s);
    (void)sem_post(&f->other_began);
    (void)sem_wait(&f->other_go);
    atomic_store(&taken->tiles_total, 4);
    atomic_store(&taken->tiles_done, 2);
    atomic_store(&taken->steps, 2 * NAV_STAGE_COUNT + 3);
    atomic_store(&taken->stage, NAV_STAGE_ERODE);
    (void)sem_post(&f->other_began);
    (void)sem_wait(&f->other_go);
    atomic_store(&taken->steps, 4 * NAV_STAGE_COUNT);
    atomic_store(&taken->stage, JOB_STAGE_STORE);
    (void)sem_post(&f->other_began);
    (void)sem_wait(&f->other_go);
}

static void progress_counts_stages_of_tiles(void **state)
{
    fixture *f = *state;
    static const struct {
        double progress;
        uint32_t tiles_done;
        const char *stage;
    } wanted[] = {{0, 0, "load"}, {25.0 / 44.0, 2, "erode"}, {0.999, 2, "store"}};
    assert_int_equal(NAV_STAGE_COUNT, 11);
    start(f, 1, stand_still);
    submit(f, "m");
    for (int i = 0; i < 3; i++) {
        job_progress seen;
        (void)sem_wait(&f->other_began);
        assert_true(jobs_progress(f->service.jobs, "m", 1, &seen));
        assert_true(seen.running);
        assert_true(seen.progress == wanted[i].progress);
        assert_int_equal(seen.tiles_done, wanted[i].tiles_done);
        assert_string_equal(seen.stage, wanted[i].stage);
        (void)sem_post(&f->other_go);
    }
    jobs_stop(f->service.jobs);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_item_is_run_once_and_by_all),
        TEST(a_request_is_helped_by_all_who_are_free),
        TEST(cores_of_other_requests_are_left_alone),
        TEST(a_request_takes_no_more_threads_than_it_may),
        TEST(a_worker_that_bakes_helps_no_request),
        TEST(a_request_ends_though_the_workers_stop),
        TEST(a_helper_leaves_for_a_job_of_its_own),
        TEST(a_stop_lets_the_pieces_end),
        TEST(progress_counts_stages_of_tiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
