// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// workers.c: the workers. The lock is held to take and to end jobs and to hand out tiles;
// bakes and the calls of watchers happen outside it.
//
// A worker takes the oldest queued job, first of uploads and of what somebody waits for, then of
// repairs in the background; where there is none it helps the oldest running one, a tile at a
// time. So several bakes share the workers, and one alone has them all. Where there is no bake to
// help with, it helps a request with a large batch, if a core has nothing else to do.

#include "server/jobs/jobs.h"

#include "server/base/lock.h"
#include "server/base/metrics.h"
#include "server/base/process.h"

#include <stdlib.h>

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

static bool has_items(const job_share *share)
{
    return share->next < share->count;
}

// Cores that neither a request nor a worker is at. A worker that asks is one of those that are
// busy.
static uint32_t free_cores_locked(jobs *j)
{
    NAV_ASSERT(lock_is_held(&j->lock));
    const int64_t requests = metrics_gauge_get(METRICS_HANDLERS_RUNNING);
    const int64_t taken = (requests > 0 ? requests : 0) + j->busy;
    return taken < j->cores ? j->cores - (uint32_t)taken : 0;
}

// The oldest running bake with an item that nobody has begun, else such a request.
static job_share *next_share_locked(jobs *j)
{
    NAV_ASSERT(lock_is_held(&j->lock));
    for (job *found = j->first; found != NULL; found = found->next) {
        if (has_items(&found->share)) {
            return &found->share;
        }
    }
    job_share *spread = j->spreads;
    while (spread != NULL && (!has_items(spread) || spread->helpers >= spread->helpers_max)) {
        spread = spread->behind;
    }
    // This worker takes a core as well.
    j->busy--;
    const bool free = spread != NULL && free_cores_locked(j) > 0;
    j->busy++;
    return free ? spread : NULL;
}

static void end(jobs *j, job *ended)
{
    (void)pthread_mutex_lock(&j->lock);
    job **link = &j->first;
    while (*link != ended) {
        NAV_ASSERT(*link != NULL);
        link = &(*link)->next;
    }
    *link = ended->next;
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

// Wakes a worker for a request where one waits and a core is free for it.
static void call_helper_locked(jobs *j, const job_share *share)
{
    if (has_items(share) && share->helpers < share->helpers_max && j->called < j->idle &&
        free_cores_locked(j) > j->called) {
        j->called++;
        (void)pthread_cond_signal(&j->changed);
    }
}

// Gives the lock back while the item is run. The owner waits for its helpers, so the share lives.
static void help_locked(const bake_worker *w, job_share *share)
{
    jobs *j = w->jobs;
    NAV_ASSERT(lock_is_held(&j->lock));
    NAV_ASSERT(share->run != NULL && has_items(share));
    uint32_t item = share->next++;
    share->helpers++;
    call_helper_locked(j, share);
    (void)pthread_mutex_unlock(&j->lock);
    share->run(share->user, item, w->number);
    (void)pthread_mutex_lock(&j->lock);
    NAV_ASSERT(share->helpers > 0);
    share->helpers--;
    (void)pthread_cond_broadcast(&j->helped);
}

// The owner's part: items until none is left, then its helpers' last ones.
static void run_share_locked(jobs *j, job_share *share, uint32_t number)
{
    while (has_items(share)) {
        uint32_t item = share->next++;
        call_helper_locked(j, share);
        (void)pthread_mutex_unlock(&j->lock);
        share->run(share->user, item, number);
        (void)pthread_mutex_lock(&j->lock);
    }
    while (share->helpers > 0) {
        (void)pthread_cond_wait(&j->helped, &j->lock);
    }
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
    run_share_locked(j, share, owner->worker);
    *share = (job_share){0};
    (void)pthread_mutex_unlock(&j->lock);
}

uint32_t jobs_spread_threads(const jobs *j)
{
    return j->workers + 1;
}

void jobs_spread(jobs *j, uint32_t count, uint32_t threads_max, job_item *run, void *user)
{
    NAV_ASSERT(threads_max > 0);
    job_share share = {.run = run, .user = user, .count = count, .helpers_max = threads_max - 1};
    (void)pthread_mutex_lock(&j->lock);
    job_share **link = &j->spreads;
    while (*link != NULL) {
        link = &(*link)->behind;
    }
    *link = &share;
    run_share_locked(j, &share, j->workers);
    for (link = &j->spreads; *link != &share; link = &(*link)->behind) {
        NAV_ASSERT(*link != NULL);
    }
    *link = share.behind;
    (void)pthread_mutex_unlock(&j->lock);
}

static void *work(void *argument)
{
    const bake_worker *w = argument;
    jobs *j = w->jobs;
    process_thread_gives_way();
    (void)pthread_mutex_lock(&j->lock);
    j->busy++;
    while (!j->stopping || j->baking > 0) {
        job *queued = j->stopping ? NULL : next_queued_locked(j);
        job_share *shared = queued == NULL ? next_share_locked(j) : NULL;
        if (queued != NULL) {
            bake_locked(w, queued);
        } else if (shared != NULL) {
            help_locked(w, shared);
        } else {
            j->busy--;
            j->idle++;
            (void)pthread_cond_wait(&j->changed, &j->lock);
            j->idle--;
            j->busy++;
            j->called -= j->called > 0;
        }
    }
    j->busy--;
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
    jobs_tasks_cancel(j);
    cancel_late(j);
    jobs_tasks_join(j);
    while (j->started > 0) {
        (void)pthread_join(j->threads[--j->started].thread, NULL);
    }
}
