// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// jobs.c: the queue and its callers. The lock is held to link, unlink and find
// jobs; the calls of watchers happen outside it. workers.c takes jobs out.

#include "server/jobs/jobs.h"

#include <stdlib.h>
#include <string.h>

// The most progress that a bake shows before its version is ready.
#define PROGRESS_MAX 0.999

jobs *jobs_create(uint32_t workers)
{
    NAV_ASSERT(workers > 0 && workers <= LIMIT_WORKERS);
    jobs *j = calloc(1, sizeof *j);
    if (j != NULL) {
        (void)pthread_mutex_init(&j->lock, NULL);
        lock_init_monotonic(&j->changed);
        (void)pthread_cond_init(&j->helped, NULL);
        lock_init_monotonic(&j->asked);
        j->workers = workers;
        j->cores = workers + 1;
        j->queued_max = LIMIT_BAKE_QUEUE;
        j->grace_ms = LIMIT_BAKE_GRACE_MS;
    }
    return j;
}

void jobs_set_limit(jobs *j, uint32_t queued_max)
{
    NAV_ASSERT(queued_max > 0 && j->first == NULL);
    j->queued_max = queued_max;
}

void jobs_set_cores(jobs *j, uint32_t cores)
{
    NAV_ASSERT(cores > 0 && j->started == 0);
    j->cores = cores;
}

void jobs_destroy(jobs *j)
{
    if (j == NULL) {
        return;
    }
    NAV_ASSERT(j->started == 0 && j->baking == 0 && j->runners_started == 0); // jobs_stop
    while (j->first != NULL) {
        job *next = j->first->next;
        jobs_discard(j->first);
        j->first = next;
    }
    (void)pthread_cond_destroy(&j->asked);
    (void)pthread_cond_destroy(&j->helped);
    (void)pthread_cond_destroy(&j->changed);
    (void)pthread_mutex_destroy(&j->lock);
    free(j);
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

void jobs_call_watchers(job_watcher *watcher)
{
    while (watcher != NULL) {
        job_watcher *next = watcher->next;
        watcher->done(watcher->user);
        free(watcher);
        watcher = next;
    }
}

// ---- callers ----

bool jobs_reserve(jobs *j)
{
    (void)pthread_mutex_lock(&j->lock);
    bool fits = j->queued + j->reserved < j->queued_max;
    if (fits) {
        j->reserved++;
    }
    (void)pthread_mutex_unlock(&j->lock);
    return fits;
}

void jobs_unreserve(jobs *j)
{
    (void)pthread_mutex_lock(&j->lock);
    NAV_ASSERT(j->reserved > 0);
    j->reserved--;
    (void)pthread_mutex_unlock(&j->lock);
}

job *jobs_prepare(void)
{
    job *prepared = calloc(1, sizeof *prepared);
    if (prepared != NULL) {
        prepared->owed = store_owed_create();
    }
    if (prepared != NULL && prepared->owed == NULL) {
        free(prepared);
        return NULL;
    }
    return prepared;
}

void jobs_discard(job *prepared)
{
    if (prepared != NULL) {
        free(prepared->owed);
        free(prepared);
    }
}

static void set_version(job *prepared, const char *mesh, uint32_t version)
{
    NAV_ASSERT(strlen(mesh) <= LIMIT_MESH_NAME && version != 0);
    memcpy(prepared->mesh, mesh, strlen(mesh));
    prepared->version = version;
    atomic_init(&prepared->stage, JOB_STAGE_LOAD);
}

static void append_locked(jobs *j, job *added)
{
    NAV_ASSERT(lock_is_held(&j->lock));
    NAV_ASSERT(added->next == NULL && !added->running && added->version != 0);
    job **link = &j->first;
    while (*link != NULL) {
        link = &(*link)->next;
    }
    *link = added;
    ++*jobs_waiting_locked(j, added);
    (void)pthread_cond_signal(&j->changed);
}

void jobs_queue(jobs *j, job *prepared, const char *mesh, uint32_t version)
{
    set_version(prepared, mesh, version);
    (void)pthread_mutex_lock(&j->lock);
    append_locked(j, prepared);
    (void)pthread_mutex_unlock(&j->lock);
}

nav_status jobs_submit(jobs *j, const char *mesh, uint32_t version, bool repairs)
{
    job *added = jobs_prepare();
    if (added == NULL) {
        return NAV_NO_MEMORY;
    }
    set_version(added, mesh, version);
    added->repairs = repairs;
    (void)pthread_mutex_lock(&j->lock);
    if (find_locked(j, mesh, version) == NULL) {
        append_locked(j, added);
        added = NULL;
    }
    (void)pthread_mutex_unlock(&j->lock);
    jobs_discard(added);
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
            --*jobs_waiting_locked(j, found);
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
        jobs_call_watchers(dropped->watchers);
        jobs_discard(dropped);
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

// Every stage of every tile is a step. A single counter has them all, so that progress never falls.
// It does not reach 1 before the version is ready: then the job is gone.
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
    const job_counts counts = {.workers = j->workers,
                               .baking = j->baking,
                               .queued = j->queued,
                               .limit = j->queued_max,
                               .repairs = j->repairs};
    (void)pthread_mutex_unlock(&j->lock);
    return counts;
}
