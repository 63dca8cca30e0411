// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_stress.c: nobody waits for ever. Threads queue, watch and cancel short jobs as fast as
// they can, workers share their pieces, and in between the workers stop: each job ends once, each
// watcher is called once, each piece is run once. A wake-up that got lost would leave the test
// waiting; the alarm ends it then.

#include "server/base/service.h"
#include "server/jobs/jobs.h"

#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#define WORKERS 4
#define CLIENTS 3
#define JOBS_EACH 400
#define STOPS 40
// On an idle machine all of it takes a second, under the thread sanitizer some.
#define ALARM_S 300

typedef struct fixture {
    service service; // first
    atomic_uint begun, items_wanted, items_run;
} fixture;

typedef struct client {
    fixture *fixture;
    uint32_t number;
    bool wait; // for each job before the next one
    uint32_t submitted, watched;
    atomic_uint called;
    sem_t done;
} client;

static void run_item(void *user, uint32_t item, uint32_t worker)
{
    (void)item;
    (void)worker;
    atomic_fetch_add(&((fixture *)user)->items_run, 1);
}

// Shares a few pieces, some times over: none, one, or more than there are workers.
static void run_short(service *s, job *taken)
{
    fixture *f = (fixture *)s;
    atomic_fetch_add(&f->begun, 1);
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t items = (taken->version + i) % 7;
        atomic_fetch_add(&f->items_wanted, items);
        jobs_share(s->jobs, taken, items, run_item, f);
    }
}

static void count_call(void *user)
{
    client *c = user;
    atomic_fetch_add(&c->called, 1);
    (void)sem_post(&c->done);
}

static void *use(void *argument)
{
    client *c = argument;
    jobs *j = c->fixture->service.jobs;
    char mesh[16];
    (void)snprintf(mesh, sizeof mesh, "mesh%u", c->number);
    for (uint32_t version = 1; version <= JOBS_EACH; version++) {
        assert_int_equal(jobs_submit(j, mesh, version, false), NAV_OK);
        c->submitted++;
        bool watched = jobs_watch(j, mesh, version, count_call, c);
        c->watched += watched;
        if (version % 5 == c->number) {
            jobs_cancel(j, mesh, version);
        }
        if (watched && c->wait) {
            (void)sem_wait(&c->done);
        }
    }
    return NULL;
}

static void begin(fixture *f, client clients[CLIENTS])
{
    *f = (fixture){0};
    f->service.jobs = jobs_create(WORKERS);
    assert_non_null(f->service.jobs);
    assert_int_equal(jobs_start(f->service.jobs, run_short, &f->service), NAV_OK);
    for (uint32_t i = 0; i < CLIENTS; i++) {
        clients[i] = (client){.fixture = f, .number = i, .wait = i > 0};
        (void)sem_init(&clients[i].done, 0, 0);
    }
}

// All that still wait do so for a job that ends, or that the stop drops.
static void end(fixture *f, client clients[CLIENTS])
{
    for (uint32_t i = 0; i < CLIENTS; i++) {
        assert_int_equal(clients[i].submitted, JOBS_EACH);
        assert_int_equal(atomic_load(&clients[i].called), clients[i].watched);
        (void)sem_destroy(&clients[i].done);
    }
    assert_int_equal(atomic_load(&f->items_run), atomic_load(&f->items_wanted));
    jobs_destroy(f->service.jobs);
}

static void start_all(client clients[CLIENTS], pthread_t threads[CLIENTS])
{
    for (uint32_t i = 0; i < CLIENTS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, use, &clients[i]), 0);
    }
}

static void join_all(pthread_t threads[CLIENTS])
{
    for (uint32_t i = 0; i < CLIENTS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
}

static void every_job_ends_and_is_told(void **state)
{
    (void)state;
    fixture f;
    client clients[CLIENTS];
    pthread_t threads[CLIENTS];
    begin(&f, clients);
    start_all(clients, threads);
    join_all(threads);
    // The one that did not wait may have left some.
    while (atomic_load(&clients[0].called) < clients[0].watched) {
        (void)sem_wait(&clients[0].done);
    }
    job_counts left = jobs_count(f.service.jobs);
    assert_int_equal(left.queued, 0);
    jobs_stop(f.service.jobs);
    assert_int_equal(jobs_count(f.service.jobs).baking, 0);
    // Some were dropped before they began, but not most.
    assert_in_range(atomic_load(&f.begun), CLIENTS * JOBS_EACH / 2, CLIENTS * JOBS_EACH);
    end(&f, clients);
}

// The workers stop while clients go on: nothing that was watched is forgotten.
static void a_stop_forgets_nobody(void **state)
{
    (void)state;
    for (int round = 0; round < STOPS; round++) {
        fixture f;
        client clients[CLIENTS];
        pthread_t threads[CLIENTS];
        begin(&f, clients);
        start_all(clients, threads);
        (void)usleep((useconds_t)(round * 100));
        jobs_stop(f.service.jobs);
        join_all(threads);
        assert_int_equal(jobs_count(f.service.jobs).baking, 0);
        end(&f, clients);
    }
}

// ---- workers that sleep ----

static void run_slow(service *s, job *taken)
{
    run_short(s, taken);
    (void)usleep(taken->version == JOBS_EACH ? 20000 : 0);
}

// A job that comes when all workers sleep wakes one; and where one of them is at its last job when
// the others have nothing left to do, they hear of its end.
static void sleepers_are_woken(void **state)
{
    (void)state;
    fixture f;
    client one = {.fixture = &f};
    f = (fixture){.service = {.jobs = jobs_create(WORKERS)}};
    assert_non_null(f.service.jobs);
    (void)sem_init(&one.done, 0, 0);
    assert_int_equal(jobs_start(f.service.jobs, run_slow, &f.service), NAV_OK);
    for (uint32_t version = 1; version < JOBS_EACH; version++) {
        (void)usleep(500);
        assert_int_equal(jobs_submit(f.service.jobs, "slow", version, false), NAV_OK);
        if (jobs_watch(f.service.jobs, "slow", version, count_call, &one)) {
            (void)sem_wait(&one.done);
        }
    }
    assert_int_equal(jobs_submit(f.service.jobs, "slow", JOBS_EACH, false), NAV_OK);
    while (atomic_load(&f.begun) < JOBS_EACH) {
        (void)usleep(100);
    }
    jobs_stop(f.service.jobs);
    assert_int_equal(jobs_count(f.service.jobs).baking, 0);
    (void)sem_destroy(&one.done);
    jobs_destroy(f.service.jobs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_job_ends_and_is_told),
        cmocka_unit_test(a_stop_forgets_nobody),
        cmocka_unit_test(sleepers_are_woken),
    };
    (void)alarm(ALARM_S);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
