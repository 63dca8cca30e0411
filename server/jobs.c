// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// jobs.c: the queue, the workers, and who waits for what. The lock is held to link, unlink and find
// jobs and to hand out tiles; bakes and the calls of watchers happen outside it.
//
// A worker takes the oldest queued job; where there is none it helps the oldest running one, a tile
// at a time. So several bakes share the workers, and one alone has them all.

#include "server/jobs.h"

#include "server/lock.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

// Bakes yield to the threads that answer queries.
#define WORKER_NICE 10

// As far as a bake comes before its version is ready.
#define PROGRESS_MAX 0.999

struct job_watcher {
    void (*done)(void *user);
    void *user;
    job_watcher *next;
};

typedef struct worker {
    jobs *jobs;
    uint32_t number; // from 0
    pthread_t thread;
} worker;

struct jobs {
    pthread_mutex_t lock;
    pthread_cond_t changed;        // there is work, or the workers are to stop
    pthread_cond_t helped;         // a helper has ended its item
    job *first;                    // guarded by lock; running and queued jobs in order
    uint32_t queued, baking;       // guarded by lock
    uint32_t reserved;             // guarded by lock
    bool stopping;                 // guarded by lock
    uint32_t workers;              // immutable
    uint32_t started;              // main thread only
    uint32_t grace_ms;             // main thread only
    job_run *run;                  // immutable once started
    struct service *service;       // immutable once started
    worker threads[LIMIT_WORKERS]; // main thread only
};

jobs *jobs_create(uint32_t workers)
{
    NAV_ASSERT(workers > 0 && workers <= LIMIT_WORKERS);
    jobs *j = calloc(1, sizeof *j);
    if (j != NULL) {
        (void)pthread_mutex_init(&j->lock, NULL);
        lock_init_monotonic(&j->changed);
        (void)pthread_cond_init(&j->helped, NULL);
        j->workers = workers;
        j->grace_ms = LIMIT_BAKE_GRACE_MS;
    }
    return j;
}

void jobs_set_grace(jobs *j, uint32_t grace_ms)
{
    j->grace_ms = grace_ms;
}

static job *find_locked(jobs *j, const char *mesh, uint32_t version)
{
    NAV_ASSERT(lock_is_held(&j->lock));
    job *found = j->first;
    while (found != NULL && (found->version != version || strcmp(found->mesh, mesh) != 0)) {
        found = found->next;
    }
    return found;
}

static job *next_queued_locked(jobs *j)
{
    NAV_ASSERT(lock_is_held(&j->lock));
    job *found = j->first;
    while (found != NULL && found->running) {
        found = found->next;
    }
    return found;
}

// The oldest job with an item that nobody has begun.
static job *next_shared_locked(const jobs *j)
{
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
        link = &(*link)->next;
    }
    *link = ended->next;
}

static void call_watchers(job_watcher *watcher)
{
    while (watcher != NULL) {
        job_watcher *next = watcher->next;
        watcher->done(watcher->user);
        free(watcher);
        watcher = next;
    }
}

// ---- workers ----

static void end(jobs *j, job *ended)
{
    (void)pthread_mutex_lock(&j->lock);
    unlink_locked(j, ended);
    j->baking--;
    // Workers that stop stay as long as there may be something to help with.
    (void)pthread_cond_broadcast(&j->changed);
    (void)pthread_mutex_unlock(&j->lock);
    // Out of the list nobody finds it any more, so its watchers are this thread's.
    call_watchers(ended->watchers);
    free(ended);
}

// Gives the lock back while the job is baked.
static void bake_locked(const worker *w, job *taken)
{
    jobs *j = w->jobs;
    taken->running = true;
    taken->worker = w->number;
    j->queued--;
    j->baking++;
    (void)pthread_mutex_unlock(&j->lock);
    j->run(j->service, taken);
    end(j, taken);
    (void)pthread_mutex_lock(&j->lock);
}

// Gives the lock back while the item is run. The owner waits for its helpers, so the job lives.
static void help_locked(const worker *w, job *shared)
{
    jobs *j = w->jobs;
    job_share *share = &shared->share;
    uint32_t item = share->next++;
    share->helpers++;
    (void)pthread_mutex_unlock(&j->lock);
    share->run(share->user, item, w->number);
    (void)pthread_mutex_lock(&j->lock);
    share->helpers--;
    (void)pthread_cond_broadcast(&j->helped);
}

void jobs_share(jobs *j, job *owner, uint32_t count, job_item *run, void *user)
{
    job_share *share = &owner->share;
    (void)pthread_mutex_lock(&j->lock);
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
    const worker *w = argument;
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
    j->run = run;
    j->service = s;
    while (j->started < j->workers) {
        worker *w = &j->threads[j->started];
        *w = (worker){.jobs = j, .number = j->started};
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
    struct timespec deadline;
    (void)clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += j->grace_ms / 1000;
    deadline.tv_nsec += (long)(j->grace_ms % 1000) * 1000000;
    if (deadline.tv_nsec >= 1000000000) {
        deadline.tv_sec++;
        deadline.tv_nsec -= 1000000000;
    }
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
    call_watchers(watchers);
    cancel_late(j);
    while (j->started > 0) {
        (void)pthread_join(j->threads[--j->started].thread, NULL);
    }
}

void jobs_destroy(jobs *j)
{
    if (j == NULL) {
        return;
    }
    while (j->first != NULL) {
        job *next = j->first->next;
        free(j->first);
        j->first = next;
    }
    (void)pthread_cond_destroy(&j->helped);
    (void)pthread_cond_destroy(&j->changed);
    (void)pthread_mutex_destroy(&j->lock);
    free(j);
}

// ---- callers ----

bool jobs_reserve(jobs *j)
{
    (void)pthread_mutex_lock(&j->lock);
    bool room = j->queued + j->reserved < LIMIT_BAKE_QUEUE;
    if (room) {
        j->reserved++;
    }
    (void)pthread_mutex_unlock(&j->lock);
    return room;
}

void jobs_unreserve(jobs *j)
{
    (void)pthread_mutex_lock(&j->lock);
    NAV_ASSERT(j->reserved > 0);
    j->reserved--;
    (void)pthread_mutex_unlock(&j->lock);
}

nav_status jobs_submit(jobs *j, const char *mesh, uint32_t version)
{
    job *added = calloc(1, sizeof *added);
    if (added == NULL) {
        return NAV_NO_MEMORY;
    }
    NAV_ASSERT(strlen(mesh) <= LIMIT_MESH_NAME);
    memcpy(added->mesh, mesh, strlen(mesh));
    added->version = version;
    atomic_init(&added->stage, JOB_STAGE_LOAD);
    (void)pthread_mutex_lock(&j->lock);
    job **link = &j->first;
    while (*link != NULL) {
        link = &(*link)->next;
    }
    *link = added;
    j->queued++;
    (void)pthread_cond_signal(&j->changed);
    (void)pthread_mutex_unlock(&j->lock);
    return NAV_OK;
}

void jobs_cancel(jobs *j, const char *mesh, uint32_t version)
{
    job *dropped = NULL;
    (void)pthread_mutex_lock(&j->lock);
    job **link = &j->first;
    while (*link != NULL) {
        job *found = *link;
        bool meant = strcmp(found->mesh, mesh) == 0 && (version == 0 || found->version == version);
        if (meant && !found->running) {
            *link = found->next;
            found->next = dropped;
            dropped = found;
            j->queued--;
            continue;
        }
        if (meant) {
            atomic_store(&found->cancelled, true);
        }
        link = &found->next;
    }
    (void)pthread_mutex_unlock(&j->lock);
    while (dropped != NULL) {
        job *next = dropped->next;
        call_watchers(dropped->watchers);
        free(dropped);
        dropped = next;
    }
}

const char *job_stage_word(uint32_t stage)
{
    switch (stage) {
    case JOB_STAGE_LOAD:
        return "load";
    case JOB_STAGE_MESH:
        return "mesh";
    case JOB_STAGE_CHECKS:
        return "checks";
    case JOB_STAGE_STORE:
        return "store";
    default:
        return nav_stage_word((nav_stage)stage);
    }
}

// Every stage of every tile is a step, of which a single counter is kept, so that what is read
// never falls. All of it is not read before the version is ready: then the job is gone.
static double progress_of(const job *found)
{
    double all = (double)atomic_load(&found->tiles_total) * (double)NAV_STAGE_COUNT;
    double share = all > 0 ? (double)atomic_load(&found->steps) / all : 0;
    return share < PROGRESS_MAX ? share : PROGRESS_MAX;
}

bool jobs_progress(jobs *j, const char *mesh, uint32_t version, job_progress *out)
{
    (void)pthread_mutex_lock(&j->lock);
    const job *found = find_locked(j, mesh, version);
    if (found != NULL) {
        *out = (job_progress){.running = found->running,
                              .progress = progress_of(found),
                              .tiles_done = atomic_load(&found->tiles_done),
                              .tiles_reused = atomic_load(&found->tiles_reused),
                              .stage = job_stage_word(atomic_load(&found->stage))};
    }
    (void)pthread_mutex_unlock(&j->lock);
    return found != NULL;
}

bool jobs_watch(jobs *j, const char *mesh, uint32_t version, void (*done)(void *user), void *user)
{
    job_watcher *watcher = malloc(sizeof *watcher);
    if (watcher == NULL) {
        return false;
    }
    *watcher = (job_watcher){.done = done, .user = user};
    (void)pthread_mutex_lock(&j->lock);
    job *found = find_locked(j, mesh, version);
    // Once the workers stop, only what is running still comes to an end.
    bool watched = found != NULL && (found->running || !j->stopping);
    if (watched) {
        watcher->next = found->watchers;
        found->watchers = watcher;
    }
    (void)pthread_mutex_unlock(&j->lock);
    if (!watched) {
        free(watcher);
    }
    return watched;
}

job_counts jobs_count(jobs *j)
{
    (void)pthread_mutex_lock(&j->lock);
    job_counts counts = {
        .workers = j->workers, .queued = j->queued, .baking = j->baking, .limit = LIMIT_BAKE_QUEUE};
    (void)pthread_mutex_unlock(&j->lock);
    return counts;
}
