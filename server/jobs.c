// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// jobs.c: the queue, the workers, and who waits for what. The lock is held to link, unlink and find
// jobs; bakes and the calls of watchers happen outside it.

#include "server/jobs.h"

#include "server/lock.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

// Bakes yield to the threads that answer queries.
#define WORKER_NICE 10

struct job_watcher {
    void (*done)(void *user);
    void *user;
    job_watcher *next;
};

struct jobs {
    pthread_mutex_t lock;
    pthread_cond_t changed;           // a job was queued or has ended, or the workers are to stop
    job *first;                       // guarded by lock; running and queued jobs in order
    uint32_t queued, baking;          // guarded by lock
    uint32_t reserved;                // guarded by lock
    bool stopping;                    // guarded by lock
    uint32_t workers;                 // immutable
    uint32_t started;                 // main thread only
    struct service *service;          // immutable once started
    pthread_t threads[LIMIT_WORKERS]; // main thread only
};

jobs *jobs_create(uint32_t workers)
{
    NAV_ASSERT(workers > 0 && workers <= LIMIT_WORKERS);
    jobs *j = calloc(1, sizeof *j);
    if (j != NULL) {
        (void)pthread_mutex_init(&j->lock, NULL);
        (void)pthread_cond_init(&j->changed, NULL);
        j->workers = workers;
    }
    return j;
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

// Waits for a job and marks it as running; NULL: the worker is to end.
static job *take(jobs *j)
{
    (void)pthread_mutex_lock(&j->lock);
    job *taken = next_queued_locked(j);
    while (taken == NULL && !j->stopping) {
        (void)pthread_cond_wait(&j->changed, &j->lock);
        taken = next_queued_locked(j);
    }
    if (j->stopping) {
        taken = NULL;
    }
    if (taken != NULL) {
        taken->running = true;
        j->queued--;
        j->baking++;
    }
    (void)pthread_mutex_unlock(&j->lock);
    return taken;
}

static void end(jobs *j, job *ended)
{
    (void)pthread_mutex_lock(&j->lock);
    unlink_locked(j, ended);
    j->baking--;
    (void)pthread_cond_broadcast(&j->changed);
    (void)pthread_mutex_unlock(&j->lock);
    // Out of the list nobody finds it any more, so its watchers are this thread's.
    call_watchers(ended->watchers);
    free(ended);
}

static void *work(void *argument)
{
    jobs *j = argument;
    // On Linux this is the calling thread's own priority.
    (void)setpriority(PRIO_PROCESS, (id_t)gettid(), WORKER_NICE);
    for (job *taken = take(j); taken != NULL; taken = take(j)) {
        job_bake(j->service, taken);
        end(j, taken);
    }
    return NULL;
}

nav_status jobs_start(jobs *j, struct service *s)
{
    j->service = s;
    while (j->started < j->workers) {
        if (pthread_create(&j->threads[j->started], NULL, work, j) != 0) {
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
    (void)clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += LIMIT_BAKE_GRACE_S;
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
        (void)pthread_join(j->threads[--j->started], NULL);
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

bool jobs_progress(jobs *j, const char *mesh, uint32_t version, job_progress *out)
{
    (void)pthread_mutex_lock(&j->lock);
    const job *found = find_locked(j, mesh, version);
    if (found != NULL) {
        uint32_t total = atomic_load(&found->tiles_total);
        uint32_t done = atomic_load(&found->tiles_done);
        double stage = (double)atomic_load(&found->stage) / (double)NAV_STAGE_COUNT;
        out->running = found->running;
        out->tiles_done = done;
        out->progress = total > 0 && done < total ? ((double)done + stage) / (double)total
                                                  : (total > 0 ? 1.0 : 0.0);
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
