// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// jobs.h: versions that wait for their bake, and the workers that bake them.
//
//   jobs_submit --> queue --> worker: job_bake (job_bake.c) --> watchers are called
//
// A job is only the name of a version: the store holds what it needs, so that a queue costs no
// memory and a restart continues where the process died.

#pragma once

#include "core/nav.h"
#include "server/limits.h"

#include <stdatomic.h>

struct service;

typedef struct jobs jobs;
typedef struct job_watcher job_watcher;

typedef struct job {
    char mesh[LIMIT_MESH_NAME + 1];                  // immutable
    uint32_t version;                                // immutable
    atomic_bool cancelled;                           // any thread sets
    _Atomic uint32_t tiles_done, tiles_total, stage; // its worker writes
    bool running;                                    // guarded by the lock of jobs.c
    job_watcher *watchers;                           // guarded by the lock of jobs.c
    struct job *next;                                // guarded by the lock of jobs.c
} job;

typedef struct job_progress {
    bool running;
    double progress; // 0 to 1
    uint32_t tiles_done;
} job_progress;

typedef struct job_counts {
    uint32_t workers, queued, baking, limit;
} job_counts;

// Holds a queue; workers begin with jobs_start. NULL without memory.
jobs *jobs_create(uint32_t workers);
// Errors: NAV_NO_MEMORY where no thread can be had.
nav_status jobs_start(jobs *j, struct service *s);
// Finishes running bakes, leaves queued ones to the next start, calls every watcher, joins.
void jobs_stop(jobs *j);
void jobs_destroy(jobs *j); // after jobs_stop; NULL is harmless

// Takes one of the queue's places before the version is stored; false: the queue is full.
bool jobs_reserve(jobs *j);
void jobs_unreserve(jobs *j);
// Queues a version that is in the store, whatever the limit. Errors: NAV_NO_MEMORY.
nav_status jobs_submit(jobs *j, const char *mesh, uint32_t version);
// Drops a queued job, tells a running one to end early; version 0: all of the mesh. The store has
// been told before. Without such a job nothing happens.
void jobs_cancel(jobs *j, const char *mesh, uint32_t version);
// False: there is no such job; the store knows how it ended.
bool jobs_progress(jobs *j, const char *mesh, uint32_t version, job_progress *out);
// Calls done(user) once, on any thread, when the job has ended, is dropped, or the workers stop.
// False: not watched, there is no such job or no memory.
bool jobs_watch(jobs *j, const char *mesh, uint32_t version, void (*done)(void *user), void *user);
job_counts jobs_count(jobs *j);

// job_bake.c: the life of a bake. Runs on a worker; writes how it ended to the store.
void job_bake(struct service *s, job *j);
