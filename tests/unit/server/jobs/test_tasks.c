// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_tasks.c: questions that need a bake are run one after the other, a full queue refuses, and
// every owner hears of its task once, also where the workers stop before it was begun.

#include "server/jobs/jobs.h"

#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#define TASKS 5

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

static void bench_init(bench *b)
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
    assert_int_equal(jobs_start(b->jobs, never, &b->service), NAV_OK);
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
    bench_init(&b);
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

// One is at work, two wait.
static void a_full_queue_refuses(void **state)
{
    (void)state;
    bench b;
    nav_error err = {0};
    bench_init(&b);
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

static void a_stop_ends_the_one_at_work_and_drops_the_others(void **state)
{
    (void)state;
    bench b;
    nav_error err = {0};
    bench_init(&b);
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
    }
    assert_int_equal(jobs_ask(b.jobs, &b.tasks[3], TASKS, &err), PROTO_NOT_READY);
    assert_int_equal(parts[3].ends, 0);
    bench_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_run_one_after_the_other_in_order),
        cmocka_unit_test(a_full_queue_refuses),
        cmocka_unit_test(a_stop_ends_the_one_at_work_and_drops_the_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
