// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_tasks.c: questions that need a bake are run one after the other, a full queue refuses, and
// every owner hears of its task once, also where the workers stop before it was begun.

#include "server/jobs/jobs.h"

#include "server/base/clock.h"

#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define TASKS 5
#define SECONDS_MAX 20

typedef struct bench {
    jobs *jobs;
    service service;
    sem_t begun, go_on, done;
    job_task tasks[TASKS];
    uint32_t order[TASKS], runs;
    _Atomic uint32_t at_once;
} bench;

typedef struct part {
    bench *bench;
    uint32_t number, runs, ends;
} part;

static part parts[TASKS];

static void run(void *user)
{
    part *p = user;
    bench *b = p->bench;
    assert_int_equal(atomic_fetch_add(&b->at_once, 1), 0);
    b->order[b->runs++] = p->number;
    p->runs++;
    (void)sem_post(&b->begun);
    const struct timespec pause = {.tv_nsec = 1000000};
    while (!atomic_load(&b->tasks[p->number].cancelled) && sem_trywait(&b->go_on) != 0) {
        (void)nanosleep(&pause, NULL);
    }
    (void)atomic_fetch_sub(&b->at_once, 1);
}

static void done(void *user)
{
    part *p = user;
    p->ends++;
    (void)sem_post(&p->bench->done);
}

static void never(service *s, job *taken)
{
    (void)s;
    (void)taken;
    fail_msg("there is no bake");
}

// bake: NULL: without workers.
static void bench_init(bench *b, job_run *bake)
{
    *b = (bench){.jobs = jobs_create(1)};
    assert_non_null(b->jobs);
    (void)sem_init(&b->begun, 0, 0);
    (void)sem_init(&b->go_on, 0, 0);
    (void)sem_init(&b->done, 0, 0);
    for (uint32_t i = 0; i < TASKS; i++) {
        parts[i] = (part){.bench = b, .number = i};
        b->tasks[i] = (job_task){.run = run, .done = done, .user = &parts[i]};
    }
    assert_int_equal(jobs_tasks_start(b->jobs), NAV_OK);
    if (bake != NULL) {
        assert_int_equal(jobs_start(b->jobs, bake, &b->service), NAV_OK);
    }
}

static void bench_free(bench *b)
{
    jobs_destroy(b->jobs);
    (void)sem_destroy(&b->begun);
    (void)sem_destroy(&b->go_on);
    (void)sem_destroy(&b->done);
}

static void they_run_one_after_the_other_in_order(void **state)
{
    (void)state;
    bench b;
    bench_init(&b, never);
    for (uint32_t i = 0; i < TASKS; i++) {
        assert_int_equal(jobs_ask(b.jobs, &b.tasks[i], TASKS, NULL), NAV_OK);
    }
    for (uint32_t i = 0; i < TASKS; i++) {
        (void)sem_post(&b.go_on);
        (void)sem_wait(&b.done);
    }
    for (uint32_t i = 0; i < TASKS; i++) {
        assert_int_equal(b.order[i], i);
        assert_int_equal(parts[i].runs, 1);
        assert_int_equal(parts[i].ends, 1);
        assert_true(b.tasks[i].was_begun);
    }
    jobs_stop(b.jobs);
    bench_free(&b);
}

static void run_beside(void *user)
{
    bench *b = ((part *)user)->bench;
    (void)sem_post(&b->begun);
    (void)sem_wait(&b->go_on);
}

// A queue does not wait for what another one is at.
static void queues_do_not_wait_for_each_other(void **state)
{
    (void)state;
    bench b;
    bench_init(&b, never);
    b.tasks[0].run = run_beside;
    assert_int_equal(jobs_ask(b.jobs, &b.tasks[0], TASKS, NULL), NAV_OK);
    (void)sem_wait(&b.begun);
    for (uint32_t i = 1; i < 3; i++) {
        b.tasks[i].queue = JOB_QUEUE_QUESTIONS;
        b.tasks[i].run = run_beside;
        assert_int_equal(jobs_ask(b.jobs, &b.tasks[i], TASKS, NULL), NAV_OK);
        (void)sem_wait(&b.begun); // on a thread of its own
    }
    for (uint32_t i = 0; i < 3; i++) {
        (void)sem_post(&b.go_on);
        (void)sem_wait(&b.done);
    }
    jobs_stop(b.jobs);
    bench_free(&b);
}

// One is at work, two wait.
static void a_full_queue_refuses(void **state)
{
    (void)state;
    bench b;
    nav_error err = {0};
    bench_init(&b, never);
    assert_int_equal(jobs_ask(b.jobs, &b.tasks[0], 2, NULL), NAV_OK);
    (void)sem_wait(&b.begun);
    assert_int_equal(jobs_ask(b.jobs, &b.tasks[1], 2, NULL), NAV_OK);
    assert_int_equal(jobs_ask(b.jobs, &b.tasks[2], 2, NULL), NAV_OK);
    assert_int_equal(jobs_ask(b.jobs, &b.tasks[3], 2, &err), PROTO_BAKE_QUEUE_FULL);
    assert_string_equal(err.limit, "2");
    for (uint32_t i = 0; i < 3; i++) {
        (void)sem_post(&b.go_on);
        (void)sem_wait(&b.done);
    }
    assert_int_equal(jobs_ask(b.jobs, &b.tasks[3], 2, NULL), NAV_OK);
    (void)sem_post(&b.go_on);
    (void)sem_wait(&b.done);
    assert_int_equal(parts[3].runs, 1);
    jobs_stop(b.jobs);
    bench_free(&b);
}

// Whichever thread sees it first.
static void one_whose_time_is_up_is_never_begun(void **state)
{
    (void)state;
    bench b;
    bench_init(&b, never);
    for (uint32_t i = 1; i <= 200; i++) {
        b.tasks[0].ends_ns = 1;
        (void)sem_post(&b.go_on); // so that it would end
        assert_int_equal(jobs_ask(b.jobs, &b.tasks[0], 1, NULL), NAV_OK);
        (void)sem_wait(&b.done);
        assert_false(b.tasks[0].was_begun);
        assert_int_equal(parts[0].runs, 0);
        assert_int_equal(parts[0].ends, i);
    }
    jobs_stop(b.jobs);
    bench_free(&b);
}

// One is at work; of two that wait, the second has waited long enough.
static void one_that_has_waited_too_long_ends_without_its_turn(void **state)
{
    (void)state;
    bench b;
    bench_init(&b, never);
    assert_int_equal(jobs_ask(b.jobs, &b.tasks[0], 2, NULL), NAV_OK);
    (void)sem_wait(&b.begun);
    b.tasks[1].ends_ns = clock_now_ns() + UINT64_C(3600) * 1000000000;
    b.tasks[2].ends_ns = clock_now_ns() + 20000000;
    assert_int_equal(jobs_ask(b.jobs, &b.tasks[1], 2, NULL), NAV_OK);
    assert_int_equal(jobs_ask(b.jobs, &b.tasks[2], 2, NULL), NAV_OK);
    (void)alarm(SECONDS_MAX); // or it waits for ever
    (void)sem_wait(&b.done);
    (void)alarm(0);
    assert_true(clock_now_ns() >= b.tasks[2].ends_ns);
    assert_int_equal(parts[2].runs, 0);
    assert_int_equal(parts[2].ends, 1);
    assert_false(b.tasks[2].was_begun || atomic_load(&b.tasks[2].cancelled));
    // Its place is free.
    assert_int_equal(jobs_ask(b.jobs, &b.tasks[3], 2, NULL), NAV_OK);
    for (uint32_t i = 0; i < 3; i++) {
        (void)sem_post(&b.go_on);
        (void)sem_wait(&b.done);
    }
    assert_int_equal(b.order[1], 1);
    assert_int_equal(b.order[2], 3);
    jobs_stop(b.jobs);
    bench_free(&b);
}

static void a_stop_ends_the_one_at_work_and_drops_the_others(void **state)
{
    (void)state;
    bench b;
    nav_error err = {0};
    bench_init(&b, never);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(jobs_ask(b.jobs, &b.tasks[i], TASKS, NULL), NAV_OK);
    }
    (void)sem_wait(&b.begun);
    jobs_stop(b.jobs);
    assert_true(b.tasks[0].was_begun && atomic_load(&b.tasks[0].cancelled));
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(parts[i].ends, 1);
        assert_int_equal(parts[i].runs, i == 0);
        assert_int_equal(b.tasks[i].was_begun, i == 0);
        assert_true(atomic_load(&b.tasks[i].cancelled));
    }
    assert_int_equal(jobs_ask(b.jobs, &b.tasks[3], TASKS, &err), PROTO_NOT_READY);
    assert_int_equal(parts[3].ends, 0);
    bench_free(&b);
}

// ---- beside bakes ----

static _Atomic bool bake_has_begun, bake_has_ended;

static void wait_for(_Atomic bool *flag)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    while (!atomic_load(flag)) {
        (void)nanosleep(&pause, NULL);
    }
}

static void bake_until_cancelled(service *s, job *taken)
{
    (void)s;
    atomic_store(&bake_has_begun, true);
    wait_for(&taken->cancelled);
    atomic_store(&bake_has_ended, true);
}

static void run_until_the_bake_has_ended(void *user)
{
    part *p = user;
    (void)sem_post(&p->bench->begun);
    wait_for(&p->bench->tasks[p->number].cancelled);
    wait_for(&bake_has_ended);
    p->runs++;
}

// A task that is slow to end does not put off the end of the bakes' grace.
static void a_stop_waits_for_bakes_and_tasks_at_once(void **state)
{
    (void)state;
    bench b;
    bench_init(&b, bake_until_cancelled);
    b.tasks[0].run = run_until_the_bake_has_ended;
    jobs_set_grace(b.jobs, 1);
    assert_int_equal(jobs_submit(b.jobs, "a", 1, false), NAV_OK);
    assert_int_equal(jobs_ask(b.jobs, &b.tasks[0], TASKS, NULL), NAV_OK);
    wait_for(&bake_has_begun);
    (void)sem_wait(&b.begun);
    (void)alarm(SECONDS_MAX); // or it waits for ever
    jobs_stop(b.jobs);
    (void)alarm(0);
    assert_int_equal(parts[0].runs, 1);
    assert_int_equal(parts[0].ends, 1);
    bench_free(&b);
}

// They are answered while live versions are still being loaded, when no worker has begun.
static void they_need_no_worker(void **state)
{
    (void)state;
    bench b;
    bench_init(&b, NULL);
    assert_int_equal(jobs_ask(b.jobs, &b.tasks[0], TASKS, NULL), NAV_OK);
    (void)sem_post(&b.go_on);
    (void)sem_wait(&b.done);
    assert_int_equal(parts[0].runs, 1);
    jobs_stop(b.jobs);
    bench_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queues_do_not_wait_for_each_other),
        cmocka_unit_test(they_run_one_after_the_other_in_order),
        cmocka_unit_test(a_full_queue_refuses),
        cmocka_unit_test(one_whose_time_is_up_is_never_begun),
        cmocka_unit_test(one_that_has_waited_too_long_ends_without_its_turn),
        cmocka_unit_test(a_stop_ends_the_one_at_work_and_drops_the_others),
        cmocka_unit_test(a_stop_waits_for_bakes_and_tasks_at_once),
        cmocka_unit_test(they_need_no_worker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
