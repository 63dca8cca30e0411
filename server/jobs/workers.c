// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// workers.c: the workers. The lock is held to take and to end jobs and to hand out tiles;
// bakes and the calls of watchers happen outside it.
//
// A worker takes the oldest queued job, first of uploads and of what somebody waits for, then of
// repairs in the background; where there is none it helps the oldest running one, a tile at a
// time. So several bakes share the workers, and one alone has them all.

#include "server/jobs/jobs.h"

#include "server/base/lock.h"

#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

// Bakes yield to the threads that answer queries.
#define WORKER_NICE 10

void jobs_set_grace(jobs *j, uint32_t grace_ms)
{
    j->grace_ms = grace_ms;
}

static job *next_queued_locked(jobs *j)
{
    NAV_ASSERT(lock_is_held(&j->lock));
    job *repair = NULL; // the oldest that nobody waits for
    for (job *found = j->first; found != NULL; found = found->next) {
        if (found->running) {
            continue;
        }
        if (!found->repairs || found->watchers != NULL) {
            return found;
        }
        repair = repair == NULL ? found : repair;
    }
    return repair;
}

// The oldest job with an item that nobody has begun.
static job *next_shared_locked(jobs *j)
{
    NAV_ASSERT(lock_is_held(&j->lock));
    job *found = j->first;
    while (found != NULL && found->share.next >= found->share.count) {
        found = found->next;
    }
    return found;
}

static void unlink_locked(jobs *j, const job *ended)
{
    NAV_ASSERT(lock_is_held(&j->lock));
    job **link = &j->first;
    while (*link != ended) {
        NAV_ASSERT(*link != NULL);
        link = &(*link)->next;
    }
    *link = ended->next;
}

static void end(jobs *j, job *ended)
{
    (void)pthread_mutex_lock(&j->lock);
    unlink_locked(j, ended);
    NAV_ASSERT(ended->running && ended->share.run == NULL && j->baking > 0);
    j->baking--;
    // Workers that stop stay as long as there may be something to help with.
    (void)pthread_cond_broadcast(&j->changed);
    (void)pthread_mutex_unlock(&j->lock);
    // Out of the list no other thread finds it, so its watchers are this thread's.
    jobs_call_watchers(ended->watchers);
    jobs_discard(ended);
}

// Gives the lock back while the job is baked.
static void bake_locked(const bake_worker *w, job *taken)
{
    jobs *j = w->jobs;
    NAV_ASSERT(!taken->running && *jobs_waiting_locked(j, taken) > 0);
    taken->running = true;
    taken->worker = w->number;
    --*jobs_waiting_locked(j, taken);
    j->baking++;
    (void)pthread_mutex_unlock(&j->lock);
    j->run(j->service, taken);
    end(j, taken);
    (void)pthread_mutex_lock(&j->lock);
}

// Gives the lock back while the item is run. The owner waits for its helpers, so the job lives.
static void help_locked(const bake_worker *w, job *shared)
{
    jobs *j = w->jobs;
    job_share *share = &shared->share;
    NAV_ASSERT(lock_is_held(&j->lock));
    NAV_ASSERT(shared->running && share->run != NULL && share->next < share->count);
    uint32_t item = share->next++;
    share->helpers++;
    (void)pthread_mutex_unlock(&j->lock);
    share->run(share->user, item, w->number);
    (void)pthread_mutex_lock(&j->lock);
    NAV_ASSERT(share->helpers > 0);
    share->helpers--;
    (void)pthread_cond_broadcast(&j->helped);
}

void jobs_share(jobs *j, job *owner, uint32_t count, job_item *run, void *user)
{
    job_share *share = &owner->share;
    (void)pthread_mutex_lock(&j->lock);
    NAV_ASSERT(owner->running && share->run == NULL && share->helpers == 0);
    *share = (job_share){.run = run, .user = user, .count = count};
    if (count > 1) {
        (void)pthread_cond_broadcast(&j->changed);
    }
    while (share->next < share->count) {
        uint32_t item = share->next++;
        (void)pthread_mutex_unlock(&j->lock);
        run(user, item, owner->worker);
        (void)pthread_mutex_lock(&j->lock);
    }
    while (share->helpers > 0) {
        (void)pthread_cond_wait(&j->helped, &j->lock);
    }
    *share = (job_share){0};
    (void)pthread_mutex_unlock(&j->lock);
}

// Queries come first: a lower priority, and the scheduler's knowledge that this thread only
// computes. On Linux both are of the calling thread alone. Without the right to it, it just bakes.
static void yield_to_queries(void)
{
    const struct sched_param none = {0};
    (void)setpriority(PRIO_PROCESS, (id_t)gettid(), WORKER_NICE);
    (void)sched_setscheduler(0, SCHED_BATCH, &none);
}

static void *work(void *argument)
{
    const bake_worker *w = argument;
    jobs *j = w->jobs;
    yield_to_queries();
    (void)pthread_mutex_lock(&j->lock);
    while (!j->stopping || j->baking > 0) {
        job *queued = j->stopping ? NULL : next_queued_locked(j);
        job *shared = queued == NULL ? next_shared_locked(j) : NULL;
        if (queued != NULL) {
            bake_locked(w, queued);
        } else if (shared != NULL) {
            help_locked(w, shared);
        } else {
            (void)pthread_cond_wait(&j->changed, &j->lock);
        }
    }
    (void)pthread_mutex_unlock(&j->lock);
    return NULL;
}

nav_status jobs_start(jobs *j, job_run *run, struct service *s)
{
    NAV_ASSERT(j->started == 0 && j->run == NULL);
    j->run = run;
    j->service = s;
    while (j->started < j->workers) {
        bake_worker *w = &j->threads[j->started];
        *w = (bake_worker){.jobs = j, .number = j->started};
        if (pthread_create(&w->thread, NULL, work, w) != 0) {
            return NAV_NO_MEMORY;
        }
        j->started++;
    }
    return NAV_OK;
}

// A bake can take minutes. One that the grace period does not see end stays queued in the store,
// and the next start bakes it.
static void cancel_late(jobs *j)
{
    const struct timespec deadline = lock_deadline(j->grace_ms);
    (void)pthread_mutex_lock(&j->lock);
    while (j->baking > 0 && pthread_cond_timedwait(&j->changed, &j->lock, &deadline) == 0) {
    }
    for (job *late = j->first; late != NULL; late = late->next) {
        atomic_store(&late->cancelled, true);
    }
    (void)pthread_mutex_unlock(&j->lock);
}

void jobs_stop(jobs *j)
{
    job_watcher *watchers = NULL;
    (void)pthread_mutex_lock(&j->lock);
    j->stopping = true;
    (void)pthread_cond_broadcast(&j->changed);
    for (job *waiting = j->first; waiting != NULL; waiting = waiting->next) {
        while (!waiting->running && waiting->watchers != NULL) {
            job_watcher *watcher = waiting->watchers;
            waiting->watchers = watcher->next;
            watcher->next = watchers;
            watchers = watcher;
        }
    }
    (void)pthread_mutex_unlock(&j->lock);
    jobs_call_watchers(watchers);
    cancel_late(j);
    while (j->started > 0) {
        (void)pthread_join(j->threads[--j->started].thread, NULL);
    }
}
